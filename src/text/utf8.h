/* UTF-8, one character at a time: what every reader of text here stands on. */
#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

#include "base/buf.h"

enum {
    TEXT_UTF8_REPLACEMENT = 0xFFFD, /* stands for bytes that are no character */
    TEXT_UTF8_LAST = 0x10FFFF,
};

/* Reads the character that begins at byte `at` (at < text.len) and returns how many bytes
 * it has. Where none begins, *code is TEXT_UTF8_REPLACEMENT and the result counts the
 * bytes that it replaces: the longest beginning of a character, at least one (Unicode 15,
 * section 3.9, "maximal subpart"). */
size_t text_utf8_read(struct str text, size_t at, uint32_t *code);

/* The same backwards, for the character that ends before byte `at` (0 < at <= text.len).
 * Bytes that are no character come one by one. */
size_t text_utf8_read_back(struct str text, size_t at, uint32_t *code);

/* Writes one character, at most 4 bytes, and returns how many. What is no character (a
 * surrogate, beyond TEXT_UTF8_LAST) is written as TEXT_UTF8_REPLACEMENT. */
size_t text_utf8_write(uint32_t code, char *out);

/* Whether all of text is characters, none of them U+0000. */
bool text_utf8_valid(struct str text);

/* How many characters text has, by the bytes that begin one. */
size_t text_utf8_count(struct str text);

/* How many units it has in UTF-16, as JavaScript and Java count. */
size_t text_utf8_units(struct str text);

/* The beginning of text: whole characters, at most so many bytes. */
struct str text_utf8_cut(struct str text, size_t bytes_max);

/* Adds text to out with U+FFFD in place of what is no character and of U+0000; gives how
 * many had to be replaced. */
int64_t text_utf8_repair(struct str text, struct buf *out);

#endif
