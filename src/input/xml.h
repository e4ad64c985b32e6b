/* XML, element by element: for small trees that other programs wrote, in any encoding
 * that expat knows. Names come without their namespace. */
#ifndef INPUT_XML_H
#define INPUT_XML_H

#include "base/err.h"
#include "base/str.h"

struct input_xml {
    /* An element begins, with its attributes as name, value, ..., NULL; ends; text within
     * it. What is passed lasts during the call. False, with an error, ends the reading.
     */
    bool (*begin)(void *context, struct str name, const char *const *attributes,
                  struct err *err);
    bool (*end)(void *context, struct str name, struct err *err);
    void (*text)(void *context, struct str text); /* NULL: it does not matter */
    void *context;
};

/* The value of an attribute; empty: there is none. */
struct str input_xml_attribute(const char *const *attributes, const char *name);

/* Errors begin with "path:line:column: ". */
bool input_xml_read(struct str text, const char *path, const struct input_xml *to,
                    struct err *err) MUST_USE;

#endif
