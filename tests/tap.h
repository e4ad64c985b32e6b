/* A test prints TAP; tests/run counts it. Checks after tap_case() belong to it. */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdbool.h>
#include <stddef.h>

#define ROWS(table)      (sizeof(table) / sizeof *(table))
#define CHECK(condition) tap_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_NEAR(got, want, tolerance) \
    tap_check_near((got), (want), (tolerance), __FILE__, __LINE__)
#define CHECK_TEXT(got, want) tap_check_text((got), (want), __FILE__, __LINE__)

void tap_case(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool tap_check(bool holds, const char *file, int line, const char *condition);
bool tap_check_near(double got, double want, double tolerance, const char *file,
                    int line); /* NAN equals NAN */
bool tap_check_text(const char *got, const char *want, const char *file, int line);
/* The open case could not be tried here; it counts as skipped. */
void tap_skip(const char *why);

int tap_done(void); /* the exit status */

/* Whether races are looked for (TSan), which takes ten times as long: what is done by one
 * thread alone, or once more in the same way, is left to the build that looks for slips. */
#ifdef __SANITIZE_THREAD__
enum { TAP_RACES = 1 };
#else
enum { TAP_RACES = 0 };
#endif

#endif
