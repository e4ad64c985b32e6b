/* A borrowed run of bytes: not owned, not NUL-terminated. Pass it by value. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
    const char *ptr;
    size_t len;
};

#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
#define STR_INIT(literal) \
    { \
        "" literal, sizeof(literal) - 1 \
    }                                    /* for static tables */
#define STR_ARG(s) (int)(s).len, (s).ptr /* for "%.*s" */

/* "1 row", "2 rows": "%lld row%s". */
static inline const char *str_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static inline char str_lower(char c) /* of A to Z */
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

struct str str_from(const char *c_string); /* NULL is an empty one */
bool str_eq(struct str a, struct str b);
bool str_eq_letters(struct str a, struct str b); /* A to Z count as a to z */
int str_compare(struct str a, struct str b);     /* by bytes, as memcmp: <0, 0, >0 */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
struct str str_trim(struct str s);

/* Eight bytes as a number, the first one lowest. Without a loop: gcc 12 makes one load of
 * this, but not of a loop over the bytes. */
static inline uint64_t str_word(const char *at)
{
    const unsigned char *p = (const unsigned char *)at;

    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
           (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
           (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* Where a text stands in a list; the count when it does not. */
size_t str_find(struct str s, const struct str *list, size_t count);

/* The part from byte `from` up to, not including, byte `to`; both are clipped to s. */
struct str str_slice(struct str s, size_t from, size_t to);

/* Splits *rest at the first separator: *head gets what is before it and *rest what is
 * after. Without a separator *head gets everything and the result is false. */
bool str_cut(struct str *rest, char separator, struct str *head);

/* Whether a text is one of those between separators: "2021" in "Caffe/2021". */
bool str_has_part(struct str s, char separator, struct str part);

/* What is behind the last separator; all of it, where there is none. */
struct str str_last(struct str s, char separator);

/* Of lines in byte order such as "name=value", what stands behind the separator in the
 * line that begins with the key; false: there is none. */
bool str_find_row(struct str rows, char separator, struct str key, struct str *value);

/* Reads a whole decimal number; false, with *out untouched, when s is anything else. */
bool str_to_int(struct str s, int64_t *out);

/* Reads a place in a list of so many; an empty text is no place: SIZE_MAX. False when s
 * is anything else. */
bool str_to_place(struct str s, size_t count, size_t *out);

/* Reads a whole decimal fraction such as -12, 0.5 or 1e-3, whatever the locale; false,
 * with *out untouched, when s is anything else or too large for a double. */
bool str_to_real(struct str s, double *out);

#endif
