/* expat underneath. A document type is refused: nobody needs one here, and entities that
 * it declares may grow without end. */
#include "input/xml.h"

#include <expat.h>
#include <string.h>

#include "base/arena.h"

struct xml_reader {
    const struct input_xml *to;
    XML_Parser parser;
    struct err failure;
};

struct str input_xml_attribute(const char *const *attributes, const char *name)
{
    for (size_t i = 0; attributes[i] != NULL; i += 2)
        if (strcmp(attributes[i], name) == 0)
            return str_from(attributes[i + 1]);
    return (struct str){0};
}

static struct str local_name(const char *name)
{
    const char *colon = strrchr(name, ':');

    return str_from(colon != NULL ? colon + 1 : name);
}

static void check(struct xml_reader *reader, bool ok)
{
    if (!ok)
        XML_StopParser(reader->parser, XML_FALSE);
}

static void on_begin(void *data, const char *name, const char **attributes)
{
    struct xml_reader *reader = data;

    check(reader, reader->to->begin(reader->to->context, local_name(name),
                                    (const char *const *)attributes, &reader->failure));
}

/* An element that is empty ends even if the parser was stopped when it began. */
static void on_end(void *data, const char *name)
{
    struct xml_reader *reader = data;

    if (reader->failure.kind == ERR_NONE)
        check(reader,
              reader->to->end(reader->to->context, local_name(name), &reader->failure));
}

static void on_text(void *data, const char *text, int len)
{
    struct xml_reader *reader = data;

    reader->to->text(reader->to->context, (struct str){text, (size_t)len});
}

static void on_doctype(void *data, const char *name, const char *system,
                       const char *public, int internal)
{
    struct xml_reader *reader = data;

    (void)name, (void)system, (void)public, (void)internal;
    check(reader,
          err_set(&reader->failure, ERR_INPUT, "found a document type, expected none"));
}

static bool refuse(struct xml_reader *reader, const char *path, struct err *err)
{
    if (reader->failure.kind == ERR_NONE)
        err_record(&reader->failure, ERR_INPUT, "not XML: %s",
                   XML_ErrorString(XML_GetErrorCode(reader->parser)));
    *err = reader->failure;
    if (err->kind != ERR_INPUT)
        return false;
    return err_at(err, "%s:%lu:%lu: ", path,
                  (unsigned long)XML_GetCurrentLineNumber(reader->parser),
                  (unsigned long)XML_GetCurrentColumnNumber(reader->parser) + 1);
}

bool input_xml_read(struct str text, const char *path, const struct input_xml *to,
                    struct err *err)
{
    enum { PART_BYTES = 1 << 20 };
    struct xml_reader reader = {.to = to, .parser = XML_ParserCreate(NULL)};
    bool ok = true;

    if (reader.parser == NULL)
        arena_exhausted();
    XML_SetUserData(reader.parser, &reader);
    XML_SetElementHandler(reader.parser, on_begin, on_end);
    XML_SetStartDoctypeDeclHandler(reader.parser, on_doctype);
    if (to->text != NULL)
        XML_SetCharacterDataHandler(reader.parser, on_text);
    do {
        struct str part = str_slice(text, 0, PART_BYTES);
        text = str_slice(text, part.len, text.len);
        ok = XML_Parse(reader.parser, part.ptr != NULL ? part.ptr : "", (int)part.len,
                       text.len == 0) == XML_STATUS_OK;
    } while (ok && text.len > 0);
    if (!ok)
        refuse(&reader, path, err);
    XML_ParserFree(reader.parser);
    return ok;
}
