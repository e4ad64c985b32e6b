/* Slices: nothing here allocates. */
#include "base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str str_from(const char *c_string)
{
    return c_string != NULL ? (struct str){c_string, strlen(c_string)} : STR("");
}

bool str_eq(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool str_eq_letters(struct str a, struct str b)
{
    size_t i = 0;

    while (a.len == b.len && i < a.len && str_lower(a.ptr[i]) == str_lower(b.ptr[i]))
        i++;
    return a.len == b.len && i == a.len;
}

int str_compare(struct str a, struct str b)
{
    size_t shared = a.len < b.len ? a.len : b.len;
    int order = shared > 0 ? memcmp(a.ptr, b.ptr, shared) : 0;

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

bool str_starts(struct str s, struct str prefix)
{
    return s.len >= prefix.len && str_eq((struct str){s.ptr, prefix.len}, prefix);
}

bool str_ends(struct str s, struct str suffix)
{
    return s.len >= suffix.len && str_eq(str_slice(s, s.len - suffix.len, s.len), suffix);
}

struct str str_trim(struct str s)
{
    while (s.len > 0 && is_blank(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

struct str str_slice(struct str s, size_t from, size_t to)
{
    to = to < s.len ? to : s.len;
    from = from < to ? from : to;
    return (struct str){from > 0 ? s.ptr + from : s.ptr, to - from};
}

size_t str_find(struct str s, const struct str *list, size_t count)
{
    size_t i = 0;

    while (i < count && !str_eq(list[i], s))
        i++;
    return i;
}

bool str_cut(struct str *rest, char separator, struct str *head)
{
    const char *found = rest->len > 0 ? memchr(rest->ptr, separator, rest->len) : NULL;

    *head = *rest;
    if (found == NULL) {
        *rest = (struct str){rest->ptr, 0};
        return false;
    }
    head->len = (size_t)(found - rest->ptr);
    rest->ptr += head->len + 1;
    rest->len -= head->len + 1;
    return true;
}

bool str_has_part(struct str s, char separator, struct str part)
{
    struct str one;
    bool more = true;

    while (more) {
        more = str_cut(&s, separator, &one);
        if (str_eq(one, part))
            return true;
    }
    return false;
}

struct str str_last(struct str s, char separator)
{
    size_t begin = s.len;

    while (begin > 0 && s.ptr[begin - 1] != separator)
        begin--;
    return str_slice(s, begin, s.len);
}

bool str_to_int(struct str s, int64_t *out)
{
    bool negative = s.len > 0 && s.ptr[0] == '-';
    size_t first = negative ? 1 : 0;
    int64_t value = 0;

    if (s.len == first)
        return false;
    for (size_t i = first; i < s.len; i++) {
        int digit = s.ptr[i] - '0';
        if (digit < 0 || digit > 9)
            return false;
        /* Eighteen digits always fit; only beyond them a division has to find out. */
        if (i >= 18 && value < (INT64_MIN + digit) / 10)
            return false;
        value = value * 10 - digit; /* downwards: INT64_MIN has no positive twin */
    }
    if (!negative && value == INT64_MIN)
        return false;
    *out = negative ? value : -value;
    return true;
}

bool str_to_place(struct str s, size_t count, size_t *out)
{
    int64_t number;

    *out = SIZE_MAX;
    if (s.len == 0)
        return true;
    if (!str_to_int(s, &number) || number < 0 || (uint64_t)number >= count)
        return false;
    *out = (size_t)number;
    return true;
}

/* strtod() knows more than we allow (hexadecimal, "nan", leading blanks), so the shape is
 * checked first; the program never sets a locale, so its point is a point. */
static bool looks_real(struct str s)
{
    size_t i = 0, digits = 0;

    if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+'))
        i++;
    for (; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9'; i++)
        digits++;
    if (i < s.len && s.ptr[i] == '.')
        for (i++; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9'; i++)
            digits++;
    if (digits > 0 && i + 1 < s.len && (s.ptr[i] == 'e' || s.ptr[i] == 'E')) {
        i++;
        if (s.ptr[i] == '-' || s.ptr[i] == '+')
            i++;
        if (i == s.len)
            return false;
        while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
            i++;
    }
    return digits > 0 && i == s.len;
}

bool str_to_real(struct str s, double *out)
{
    char text[64];

    if (s.len >= sizeof text || !looks_real(s))
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    double value = strtod(text, NULL);
    if (!isfinite(value))
        return false;
    *out = value;
    return true;
}

bool str_find_row(struct str rows, char separator, struct str key, struct str *value)
{
    const char *low = rows.ptr, *high = rows.ptr + rows.len;

    /* Halve the bytes, not the lines: from the middle go back to where a line begins. */
    while (low < high) {
        const char *row = low + (high - low) / 2;
        while (row > low && row[-1] != '\n')
            row--;
        struct str rest = {row, (size_t)(high - row)}, line, here;
        str_cut(&rest, '\n', &line);
        str_cut(&line, separator, &here);
        int order = str_compare(key, here);
        if (order == 0) {
            *value = line;
            return true;
        }
        if (order < 0)
            high = row;
        else
            low = rest.ptr;
    }
    return false;
}
