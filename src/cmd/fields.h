/* Rows of a csv file or of json lines as fields by their names, bit by bit: a file of any
 * size, plain or packed, takes little memory. */
#ifndef CMD_FIELDS_H
#define CMD_FIELDS_H

#include "base/err.h"
#include "base/str.h"

struct cmd_fields {
    const char *path;        /* "-" is standard input */
    const struct str *names; /* of the columns, or keys, that are wanted */
    size_t count;
    /* Gets each row's values, in the order of names; they last during the call. False
     * with err ends the reading. */
    bool (*take)(void *context, const struct str *values, struct err *err);
    void *context;
    bool again; /* it was read before: a pipe is empty then, which the caller tells */
    /* Set by cmd_fields_read(): */
    bool repaired; /* bytes that are no text were replaced by U+FFFD */
};

/* Reads all rows. In json a key that an object lacks, or null, is an empty value; a list
 * of strings is one string, parted by blanks. ERR_INPUT with the place for a name that
 * the file does not have, with the nearest right one, and for anything that is no csv or
 * json. */
bool cmd_fields_read(struct cmd_fields *fields, struct err *err) MUST_USE;

#endif
