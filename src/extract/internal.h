/* Letters of names, as programs and their messages have them. */
#ifndef EXTRACT_INTERNAL_H
#define EXTRACT_INTERNAL_H

#include "base/str.h"

static inline bool extract_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool extract_is_letter(char c)
{
    return str_lower(c) >= 'a' && str_lower(c) <= 'z';
}

/* Letters of other alphabets are letters, too. */
static inline bool extract_is_name(char c)
{
    return extract_is_letter(c) || extract_is_digit(c) || c == '_' ||
           (unsigned char)c >= 0x80;
}

#endif
