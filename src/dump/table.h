/* Posts from any table that is not an XML dump: csv as the Data Explorer or anybody else
 * exports it, json lines, answers of the Stack Exchange api. */
#ifndef DUMP_TABLE_H
#define DUMP_TABLE_H

#include "base/err.h"
#include "dump/post.h"

enum table_kind {
    TABLE_CSV,
    TABLE_JSON,
    TABLE_XML, /* not for this reader */
};

/* What the bytes look like, from the first that is not blank. */
enum table_kind table_kind(struct str bytes);

/* All zeros is a valid start, and means the same as no options. */
struct table_options {
    const char *mapping; /* "field=Column, ..." as in columns.h; NULL: usual names */
};

/* Reads all posts of the bytes in their order and hands each to take(), whose false, with
 * err, ends the reading. A post's strings last only during that call. In a csv whose rows
 * hold a question and one of its answers, the question is given before its first answer
 * and not again. ERR_INPUT, with "path:line: " or "path:line:column: ", for a table that
 * is wrong, and "mapping: " for a mapping that is: posts may have been taken before. */
bool table_read(struct str bytes, const char *path, const struct table_options *options,
                bool (*take)(void *context, const struct post *post, struct err *err),
                void *context, struct err *err) MUST_USE;

#endif
