/* Test Anything Protocol, the part we need. */
#include "tests/tap.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int cases, failed_cases;
static bool open_case_failed;
static char name[200];
static const char *skipped;

static void close_case(void)
{
    if (cases == 0)
        return;
    printf("%sok %d - %s%s%s\n", open_case_failed ? "not " : "", cases, name,
           skipped != NULL ? " # SKIP " : "", skipped != NULL ? skipped : "");
    failed_cases += open_case_failed;
}

void tap_case(const char *format, ...)
{
    va_list args;

    close_case();
    cases++;
    open_case_failed = false;
    skipped = NULL;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
}

bool tap_check(bool holds, const char *file, int line, const char *condition)
{
    if (!holds) {
        open_case_failed = true;
        printf("# %s:%d: %s: does not hold: %s\n", file, line, name, condition);
    }
    return holds;
}

bool tap_check_near(double got, double want, double tolerance, const char *file, int line)
{
    char text[100];

    snprintf(text, sizeof text, "got %.17g, want %.17g", got, want);
    return tap_check((isnan(got) && isnan(want)) || fabs(got - want) <= tolerance, file,
                     line, text);
}

bool tap_check_text(const char *got, const char *want, const char *file, int line)
{
    char text[2100];

    snprintf(text, sizeof text, "got \"%s\", want \"%s\"", got, want);
    return tap_check(strcmp(got, want) == 0, file, line, text);
}

void tap_skip(const char *why)
{
    skipped = why;
}

int tap_done(void)
{
    close_case();
    printf("1..%d\n", cases);
    return failed_cases > 0;
}
