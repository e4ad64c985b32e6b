/* The rows of a document as expat reads them and as we do, both written down in one
 * canonical form: for each row its attributes by name, decoded. Used by the differential
 * test and by the fuzz target. */
#ifndef TESTS_PROPERTY_EXPAT_ROWS_H
#define TESTS_PROPERTY_EXPAT_ROWS_H

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "dump/rows.h"
#include "dump/value.h"

struct expat_rows_result {
    bool accepted;
    bool is_table; /* by expat: the shape of a dump's table, in ASCII names and UTF-8 */
    int64_t rows;
    struct buf text; /* canonical; the caller frees it */
};

enum { EXPAT_ROWS_PAIRS = 2048 };

static int expat_rows_by_name(const void *a, const void *b)
{
    return str_compare(((const struct dump_rows_pair *)a)->name,
                       ((const struct dump_rows_pair *)b)->name);
}

static void expat_rows_write(struct expat_rows_result *result,
                             struct dump_rows_pair *pairs, size_t count)
{
    result->rows++;
    qsort(pairs, count, sizeof *pairs, expat_rows_by_name);
    for (size_t i = 0; i < count; i++) {
        buf_add(&result->text, pairs[i].name);
        buf_add_format(&result->text, "=%zu:", pairs[i].value.len);
        buf_add(&result->text, pairs[i].value);
        buf_add_char(&result->text, '\n');
    }
    buf_add(&result->text, STR("--\n"));
}

struct expat_rows_state {
    struct expat_rows_result *result;
    int depth;
};

static void expat_rows_name(struct expat_rows_result *result, const char *name)
{
    for (const char *p = name; *p != '\0'; p++)
        if ((unsigned char)*p >= 0x80)
            result->is_table = false;
}

static void XMLCALL expat_rows_start(void *user, const XML_Char *name,
                                     const XML_Char **attributes)
{
    static struct dump_rows_pair pairs[EXPAT_ROWS_PAIRS];
    struct expat_rows_state *state = user;
    struct expat_rows_result *result = state->result;
    bool is_row = strcmp(name, "row") == 0;
    size_t count = 0;

    expat_rows_name(result, name);
    for (size_t i = 0; attributes[i] != NULL; i += 2) {
        expat_rows_name(result, attributes[i]);
        if (count < EXPAT_ROWS_PAIRS)
            pairs[count++] = (struct dump_rows_pair){str_from(attributes[i]),
                                                     str_from(attributes[i + 1])};
    }
    if (is_row != (state->depth == 1) || strlen(name) > DUMP_ROWS_ROOT_MAX)
        result->is_table = false;
    if (is_row && state->depth == 1)
        expat_rows_write(result, pairs, count);
    state->depth++;
}

static void XMLCALL expat_rows_end(void *user, const XML_Char *name)
{
    struct expat_rows_state *state = user;

    (void)name;
    state->depth--;
}

static void XMLCALL expat_rows_text(void *user, const XML_Char *text, int len)
{
    struct expat_rows_state *state = user;

    for (int i = 0; i < len; i++)
        if (text[i] != ' ' && text[i] != '\n' && text[i] != '\t')
            state->result->is_table = false;
}

static void XMLCALL expat_rows_cdata(void *user)
{
    ((struct expat_rows_state *)user)->result->is_table = false;
}

static void XMLCALL expat_rows_doctype(void *user, const XML_Char *name,
                                       const XML_Char *sysid, const XML_Char *pubid,
                                       int has_internal)
{
    (void)name, (void)sysid, (void)pubid, (void)has_internal;
    ((struct expat_rows_state *)user)->result->is_table = false;
}

static void XMLCALL expat_rows_instruction(void *user, const XML_Char *target,
                                           const XML_Char *data)
{
    (void)data;
    expat_rows_name(((struct expat_rows_state *)user)->result, target);
}

static void XMLCALL expat_rows_declaration(void *user, const XML_Char *version,
                                           const XML_Char *encoding, int standalone)
{
    (void)version, (void)standalone;
    if (encoding != NULL && !(strlen(encoding) == 5 && (encoding[0] | 32) == 'u' &&
                              (encoding[1] | 32) == 't' && (encoding[2] | 32) == 'f' &&
                              strcmp(encoding + 3, "-8") == 0))
        ((struct expat_rows_state *)user)->result->is_table = false;
}

static struct expat_rows_result expat_rows_theirs(struct str document)
{
    struct expat_rows_result result = {.is_table = true};
    struct expat_rows_state state = {&result, 0};
    XML_Parser parser = XML_ParserCreate("UTF-8");

    XML_SetUserData(parser, &state);
    XML_SetElementHandler(parser, expat_rows_start, expat_rows_end);
    /* Text that is a character reference is no blank to us, so a CR is not either. */
    XML_SetCharacterDataHandler(parser, expat_rows_text);
    XML_SetStartCdataSectionHandler(parser, expat_rows_cdata);
    XML_SetStartDoctypeDeclHandler(parser, expat_rows_doctype);
    XML_SetProcessingInstructionHandler(parser, expat_rows_instruction);
    XML_SetXmlDeclHandler(parser, expat_rows_declaration);
    result.accepted =
        XML_Parse(parser, document.ptr, (int)document.len, 1) == XML_STATUS_OK;
    XML_ParserFree(parser);
    return result;
}

static bool expat_rows_take(struct dump_rows *rows, const struct dump_rows_row *row,
                            struct expat_rows_result *result)
{
    struct dump_rows_pair
        pairs[EXPAT_ROWS_PAIRS]; /* on the stack: there may be threads */
    size_t places[EXPAT_ROWS_PAIRS + 1];
    struct buf decoded = {0};
    struct dump_value_fault fault;
    size_t count = 0;
    bool ok = true;

    for (size_t a = 0; a < DUMP_ROWS_ATTRIBUTES; a++)
        if (dump_rows_has(row, (enum dump_rows_attribute)a))
            pairs[count++] = (struct dump_rows_pair){
                dump_rows_attribute_name((enum dump_rows_attribute)a), row->raw[a]};
    for (size_t i = 0; i < row->unknown_count && count < EXPAT_ROWS_PAIRS; i++)
        pairs[count++] = row->unknown[i];
    for (size_t i = 0; i < count && ok; i++) {
        places[i] = decoded.len;
        ok = dump_value_decode(pairs[i].value, &decoded, &fault) == 0;
    }
    places[count] = decoded.len;
    if (!ok)
        dump_rows_reject(rows, row, fault.at, fault.expected);
    for (size_t i = 0; i < count && ok; i++)
        pairs[i].value = str_slice(buf_str(&decoded), places[i], places[i + 1]);
    if (ok)
        expat_rows_write(result, pairs, count);
    buf_free(&decoded);
    return ok;
}

/* Ours, the document handed over in pieces of `step` bytes (0: whole). *end is what the
 * walk came to; the caller frees it. */
static struct expat_rows_result expat_rows_ours(struct str document, size_t step, int way,
                                                bool skip_broken, struct dump_rows *end)
{
    struct expat_rows_result result = {.is_table = true};
    struct dump_rows rows = {.way = (enum dump_rows_way)way, .skip_broken = skip_broken};
    struct dump_rows_row row;
    struct buf block = {0};
    size_t done = 0;
    int64_t offset = 0;

    do {
        size_t some =
            step == 0 || step > document.len - done ? document.len - done : step;
        buf_add(&block, str_slice(document, done, done + some));
        buf_reserve(&block, DUMP_ROWS_PADDING);
        memset(block.ptr + block.len, '"', DUMP_ROWS_PADDING);
        done += some;
        dump_rows_block(&rows, buf_str(&block), offset, done == document.len);
        while (dump_rows_next(&rows, &row) &&
               (expat_rows_take(&rows, &row, &result) || true))
            ;
        size_t left = (size_t)(rows.end - rows.at);
        offset += rows.at - rows.begin;
        memmove(block.ptr, rows.at, left);
        block.len = left;
    } while (done < document.len && !rows.failed);
    result.accepted = !rows.failed;
    buf_free(&block);
    *end = rows;
    return result;
}

#endif
