/* Posts from any table that is not an XML dump: csv as the Data Explorer or anybody else
 * exports it, json lines, answers of the Stack Exchange api. */
#ifndef DUMP_TABLE_H
#define DUMP_TABLE_H

#include "dump/field.h"
#include "input/input.h"
#include "item/item.h"

enum dump_table_kind {
    DUMP_TABLE_CSV,
    DUMP_TABLE_JSON,
    DUMP_TABLE_XML, /* not for this reader */
};

/* What the bytes look like, from the first that is not blank. */
enum dump_table_kind dump_table_kind(struct str bytes);

/* All zeros is a valid start, and means the same as no options. */
struct dump_table_options {
    const char *mapping;     /* "field=Column, ..." as in columns.h; NULL: usual names */
    const struct str *extra; /* further columns, which come as post->extra */
    size_t extra_count;
    /* Each row of a csv is an item of its own, whatever it holds: its type is ITEM_ROW.
     * Only columns that the mapping names are taken, and by their usual names the fields
     * of `usual`, a bit each; where none is the id, the rows are numbered on from
     * first_id. Objects of json are refused, unless they are rows as well. */
    bool rows, objects;
    unsigned usual;
    int64_t first_id;
    /* Bytes that are no text are replaced by U+FFFD, and that is noted here. NULL: they
     * are errors. */
    bool *repaired;
    /* Gets the rows and objects that are wrong, which are left out: another number of
     * fields, a value that is wrong, no id. NULL: they are errors. What does not tell
     * where the next one begins is an error all the same. Of a joined row a question that
     * is right has been given. */
    struct dump_field_broken *broken;
    /* Gets the rows of a csv that are not UTF-8 and were taken for Windows-1252. */
    int64_t *latin;
};

/* Gets each post; false, with err, ends the reading. A post's strings last only during
 * the call. */
typedef bool dump_table_take(void *context, const struct item *post, struct err *err);

/* Reads all posts of the bytes in their order. In a csv whose rows hold a question and
 * one of its answers, the question is given before its first answer and not again.
 * ERR_INPUT, with "path:line: " or "path:line:column: ", for a table that is wrong, and
 * "mapping: " for a mapping that is: posts may have been taken before. */
bool dump_table_read(struct str bytes, const char *path,
                     const struct dump_table_options *options, dump_table_take *take,
                     void *context, struct err *err) MUST_USE;

/* The same bit by bit, so that a table may be of any size: a row or a value at a time is
 * in memory. The caller hands *out to dump_table_close(); options must last as long. */
struct dump_table;
bool dump_table_open(const char *path, const struct dump_table_options *options,
                     dump_table_take *take, void *context, struct dump_table **out,
                     struct err *err) MUST_USE;
bool dump_table_push(struct dump_table *table, struct str piece, bool last,
                     struct err *err) MUST_USE;
void dump_table_close(struct dump_table *table); /* NULL is fine */

/* All of a file, plain or packed, which `threads` threads unpack ahead. hash, unless
 * NULL, gets that of the file (input_stream_hash()). */
bool dump_table_read_member(struct dump_table *table, struct input *input, size_t member,
                            int threads, uint64_t hash[2], struct err *err) MUST_USE;

/* All rows of a file by its path, "-" being standard input, with one thread ahead. */
bool dump_table_read_path(const char *path, const struct dump_table_options *options,
                          dump_table_take *take, void *context, struct err *err) MUST_USE;

#endif
