/* Rows out of blocks: what is given out, where it goes wrong, how it goes on, and that
 * neither the cut of the blocks nor the processor makes a difference. (That the rows are
 * those of XML is tests/property/dump_expat.) */
#include "dump/rows.h"

#include <stdio.h>

#include "dump/internal.h"
#include "tests/tap.h"

/* The ids of a document's rows, each with a comma; *end as the walk left it. */
static struct buf walk(struct str document, size_t step, struct dump_rows *end)
{
    struct dump_rows_row row;
    struct buf ids = {0}, block = {0};
    size_t done = 0;
    int64_t offset = 0;

    do {
        size_t some =
            step == 0 || step > document.len - done ? document.len - done : step;
        buf_add(&block, str_slice(document, done, done + some));
        buf_reserve(&block, DUMP_ROWS_PADDING);
        done += some;
        dump_rows_block(end, buf_str(&block), offset, done == document.len);
        while (dump_rows_next(end, &row)) {
            buf_add(&ids, dump_rows_raw(&row, DUMP_ROWS_ID));
            buf_add_char(&ids, ',');
            CHECK(str_starts(row.bytes, STR("<row")) && str_ends(row.bytes, STR(">")));
            CHECK(str_eq(row.bytes, str_slice(document, (size_t)row.offset,
                                              (size_t)row.offset + row.bytes.len)));
        }
        CHECK(!dump_rows_next(end, &row)); /* as often as one asks */
        CHECK(end->incomplete == (end->at < end->end && !end->failed));
        offset += end->at - end->begin;
        block.len = (size_t)(end->end - end->at);
        memmove(block.ptr, end->at, block.len);
    } while (done < document.len && !end->failed);
    buf_add_char(&ids, '\0');
    buf_free(&block);
    return ids;
}

static const struct {
    const char *name;
    const char *document;
    int offset; /* of the problem */
    const char *found, *expected;
    const char *before; /* rows given out before it */
    const char *all;    /* rows with broken ones skipped */
    int broken;         /* then */
} wrong[] = {
    {"nothing", "", 0, "the end of the file",
     "<?xml or a root element such as <posts>, in UTF-8", "", "", 1},
    {"not XML", "PK\x03\x04", 0, "'PK'",
     "<?xml or a root element such as <posts>, in UTF-8", "", "", 1},
    {"UTF-16", "\xFF\xFE<", 0, "byte 0xFF",
     "<?xml or a root element such as <posts>, in UTF-8", "", "", 1},
    {"no root", "<row Id=\"1\"/>\n<row Id=\"2\"/>", 0, "'<row Id=\"1\"/>'",
     "a root element such as <posts> around the rows", "", "2,", 2},
    {"elements instead of attributes", "<posts>\n <row>\n  <Id>1</Id></row></posts>", 17,
     "'<Id>1</Id></row></posts>'",
     "'</row>': a row that has attributes, not elements or text", "", "", 1},
    {"another element", "<a><row Id=\"1\"/><post Id=\"2\"/><row Id=\"3\"/></a>", 16,
     "'<post Id=\"2\"/><row Id=\"3\"/></a...'", "<row or the root element's end", "1,",
     "1,3,", 1},
    {"text", "<a>x<row Id=\"3\"/></a>", 3, "'x<row Id=\"3\"/></a>'",
     "<row or the root element's end", "", "3,", 1},
    {"less-than in a value",
     "<a><row Id=\"1\"/><row Id=\"2\" Body=\"a<b\"/><row Id=\"3\"/></a>", 35,
     "'<b\"/><row Id=\"3\"/></a>'", "a closing quote before '<'", "1,", "1,3,", 1},
    {"open quote", "<a><row Id=\"1\" Body=\"x /><row Id=\"2\" /><row Id=\"3\"/></a>", 25,
     "'<row Id=\"2\" /><row Id=\"3\"/></a...'", "a closing quote before '<'", "", "2,3,",
     1},
    {"attribute twice", "<a><row Id=\"1\" Score=\"2\" Id=\"3\"/><row Id=\"4\"/></a>", 25,
     "'Id=\"3\"/><row Id=\"4\"/></a>'", "each attribute once in a row", "", "4,", 1},
    {"unknown attribute twice", "<a><row Zz=\"1\" Zz='3'/><row Id=\"4\"/></a>", 15,
     "'Zz='3'/><row Id=\"4\"/></a>'", "each attribute once in a row", "", "4,", 1},
    {"attribute twice before what is wrong, too",
     "<a><row Id=\"1\" Id=\"2\" Body=\"a<b\"/><row Id=\"4\"/></a>", 15,
     "'Id=\"2\" Body=\"a<b\"/><row Id=\"4\"...'", "each attribute once in a row", "",
     "4,", 1},
    {"attribute twice in a row that is cut", "<a><row Id='1' Score=\"2\" Id=\"3\" Bo", 25,
     "'Id=\"3\" Bo'", "each attribute once in a row", "", "", 1},
    {"attribute twice behind what is wrong",
     "<a><row Id=\"1\" Body=\"a<b\" Id=\"2\"/><row Id=\"4\"/></a>", 22,
     "'<b\" Id=\"2\"/><row Id=\"4\"/></a>'", "a closing quote before '<'", "", "4,", 1},
    {"no quote", "<a><row Id=1 /><row Id=\"2\"/></a>", 11, "'1 /><row Id=\"2\"/></a>'",
     "a quote that opens the attribute's value", "", "2,", 1},
    {"two broken rows", "<a><row Id=1 /><row Id='2'/><row Id=3 /><row Id='4'/></a>", 11,
     "'1 /><row Id='2'/><row Id=3 /><...'", "a quote that opens the attribute's value",
     "", "2,4,", 2},
    {"the first row cannot be found in its own text", "<a><row <row Id='2'/></a>", 8,
     "'<row Id='2'/></a>'", "an attribute, '/>' or '>'", "", "2,", 1},
    {"cut in a row", "<a><row Id=\"1\"/>\n<row Id=\"2\" Bo", 31, "the end of the file",
     "the rest of what begins at byte 17", "1,", "1,", 1},
    {"cut behind a row", "<a><row Id=\"1\"/>\n", 17, "the end of the file",
     "<row or the root element's end: the file is cut", "1,", "1,", 1},
    {"cut in a comment", "<a><!-- <row Id=\"1\"/>", 21, "the end of the file",
     "the rest of what begins at byte 3", "", "", 1},
    {"another end", "<a><row Id=\"1\"/></b>", 16, "'</b>'",
     "<row or the root element's end", "1,", "1,", 1},
    {"a second root", "<a></a>\n<a><row Id=\"1\"/></a>", 8, "'<a><row Id=\"1\"/></a>'",
     "nothing behind the root element", "", "1,", 1},
    {"a document type", "<!DOCTYPE a><a><row Id=\"1\"/></a>", 0,
     "'<!DOCTYPE a><a><row Id=\"1\"/></...'",
     "<?xml or a root element such as <posts>, in UTF-8", "", "1,", 1},
    {"a line's end", "<a><row Id=\"1\" \nBody\n/></a>", 21, "'/></a>'",
     "'=' after the attribute's name", "", "", 1},
};

static void check_wrong(size_t i, size_t step, int way)
{
    struct str document = str_from(wrong[i].document);
    struct dump_rows strict = {.way = (enum dump_rows_way)way};
    struct dump_rows lenient = {.way = (enum dump_rows_way)way, .skip_broken = true};
    struct buf before = walk(document, step, &strict),
               all = walk(document, step, &lenient);

    CHECK_TEXT(before.ptr, wrong[i].before);
    CHECK(strict.failed && strict.broken == 0);
    CHECK(strict.problem.offset == wrong[i].offset);
    CHECK_TEXT(strict.problem.expected, wrong[i].expected);
    if (step == 0)
        CHECK_TEXT(strict.problem.found, wrong[i].found);
    CHECK_TEXT(all.ptr, wrong[i].all);
    CHECK(!lenient.failed && lenient.broken == wrong[i].broken);
    CHECK(lenient.problem.offset == wrong[i].offset);
    buf_free(&before);
    buf_free(&all);
    dump_rows_free(&strict);
    dump_rows_free(&lenient);
}

static void check_long_values(void)
{
    struct buf document = {0};

    tap_case("rows: values longer than every window and block");
    buf_add(&document, STR("<posts>"));
    for (int i = 1; i <= 6; i++) {
        buf_add_format(&document, "\n <row Id=\"%d\" Body=\"", i);
        for (int k = 0; k < i * 5000; k++)
            buf_add(&document, i % 2 ? STR("&lt;") : STR("'x>"));
        buf_add(&document, STR("\" Title='"));
        for (int k = 0; k < i * 3000; k++)
            buf_add_char(&document, '"');
        buf_add(&document, STR("' Score=\"1\" />"));
    }
    buf_add(&document, STR("</posts>"));
    static const size_t steps[] = {0, 100, 4096, 4097, 30000};
    for (size_t s = 0; s < ROWS(steps); s++) {
        for (int way = 0; way < DUMP_ROWS_WAYS; way++) {
            struct dump_rows rows = {.way = (enum dump_rows_way)way};
            struct buf ids = walk(buf_str(&document), steps[s], &rows);
            CHECK_TEXT(ids.ptr, "1,2,3,4,5,6,");
            CHECK(rows.where == DUMP_ROWS_AFTER && rows.count == 6 && !rows.failed);
            buf_free(&ids);
            dump_rows_free(&rows);
        }
    }
    buf_free(&document);
}

static struct str padded(struct buf *buf, struct str text)
{
    buf_clear(buf);
    buf_add(buf, text);
    buf_reserve(buf, DUMP_ROWS_PADDING);
    return buf_str(buf);
}

static void check_a_row(void)
{
    struct dump_rows rows = {.where = DUMP_ROWS_CONTENT};
    struct dump_rows_row row;
    struct buf buf = {0};
    struct str block = padded(
        &buf, STR("<row Id=\"7\" Zeta='&lt;' Tags=\"|a|\" Beta=\"\">\n</row></posts>"));

    tap_case("rows: what a row holds, in a block from the middle of a table");
    dump_rows_block(&rows, block, 5000, false);
    CHECK(dump_rows_next(&rows, &row));
    CHECK(row.present == (UINT64_C(1) << DUMP_ROWS_ID | UINT64_C(1) << DUMP_ROWS_TAGS));
    CHECK(dump_rows_has(&row, DUMP_ROWS_ID) && !dump_rows_has(&row, DUMP_ROWS_BODY));
    CHECK(str_eq(dump_rows_raw(&row, DUMP_ROWS_ID), STR("7")));
    CHECK(str_eq(dump_rows_raw(&row, DUMP_ROWS_TAGS), STR("|a|")));
    CHECK(dump_rows_raw(&row, DUMP_ROWS_BODY).ptr == NULL);
    CHECK(row.unknown_count == 2 && str_eq(row.unknown[0].name, STR("Zeta")) &&
          str_eq(row.unknown[0].value, STR("&lt;")) &&
          str_eq(row.unknown[1].name, STR("Beta")) && row.unknown[1].value.len == 0);
    CHECK(row.offset == 5000);
    CHECK(str_eq(row.bytes, str_slice(block, 0, block.len - 8)));
    CHECK(!dump_rows_next(&rows, &row) && !rows.failed && !rows.incomplete);
    CHECK(rows.where == DUMP_ROWS_AFTER);
    CHECK(str_eq((struct str){rows.root, rows.root_len}, STR("posts")));
    dump_rows_free(&rows);
    buf_free(&buf);
}

static void check_reject(void)
{
    struct dump_rows rows = {.where = DUMP_ROWS_CONTENT, .skip_broken = true};
    struct dump_rows strict = {.where = DUMP_ROWS_CONTENT};
    struct dump_rows_row row;
    struct buf buf = {0};
    struct str block = padded(&buf, STR("<row Id=\"x\"/><row Id=\"2\"/>"));

    tap_case("rows: a row that the caller finds wrong");
    dump_rows_block(&rows, block, 100, false);
    CHECK(dump_rows_next(&rows, &row));
    dump_rows_reject(&rows, &row, dump_rows_raw(&row, DUMP_ROWS_ID), "a number");
    CHECK(rows.broken == 1 && rows.count == 0 && rows.problem.offset == 109);
    CHECK_TEXT(rows.problem.expected, "a number");
    CHECK_TEXT(rows.problem.found, "'x\"/><row Id=\"2\"/>'");
    CHECK(dump_rows_next(&rows, &row) &&
          str_eq(dump_rows_raw(&row, DUMP_ROWS_ID), STR("2")));
    CHECK(!dump_rows_next(&rows, &row) && rows.count == 1);
    dump_rows_block(&strict, block, 100, false);
    CHECK(dump_rows_next(&strict, &row));
    dump_rows_reject(&strict, &row, dump_rows_raw(&row, DUMP_ROWS_ID), "a number");
    CHECK(strict.failed && !dump_rows_next(&strict, &row));
    dump_rows_free(&rows);
    dump_rows_free(&strict);
    buf_free(&buf);
}

static const struct {
    const char *name;
    const char *bytes;
    int at; /* -1: not found */
} finds[] = {
    {"at the beginning", "<row Id", 0},
    {"later", "xx<rows><row/>", 8},
    {"behind the longer name", "<rowx ", -1},
    {"with a line end", "a<row\n", 1},
    {"closed", "<row>", 0},
    {"cut", "<posts><row", -1},
    {"none", "", -1},
    {"upper case", "<Row Id", -1},
};

static const struct {
    const char *name;
    const char *bytes;
    const char *shown;
} shows[] = {
    {"text", "abc", "'abc'"},
    {"nothing", "", "the end of the file"},
    {"control", "\x01z", "byte 0x01"},
    {"beyond ASCII", "\xE2\x82", "byte 0xE2"},
    {"line end", "\nabc", "a line's end"},
    {"text up to a control", "ab\ncd", "'ab'"},
    {"long text", "0123456789012345678901234567890123456789",
     "'012345678901234567890123456789...'"},
};

int main(void)
{
    static const size_t steps[] = {0, 1, 2, 3, 4, 5, 9, 17};

    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("rows: %s", wrong[i].name);
        for (size_t s = 0; s < ROWS(steps); s++)
            for (int way = 0; way < DUMP_ROWS_WAYS; way++)
                check_wrong(i, steps[s], way);
    }
    check_long_values();
    check_a_row();
    check_reject();
    for (size_t i = 0; i < ROWS(finds); i++) {
        struct str bytes = str_from(finds[i].bytes);
        const char *found = dump_rows_find(bytes);
        tap_case("find: %s", finds[i].name);
        CHECK(finds[i].at < 0 ? found == NULL : found == bytes.ptr + finds[i].at);
    }
    for (size_t i = 0; i < ROWS(shows); i++) {
        char shown[80];
        tap_case("show: %s", shows[i].name);
        dump_rows_show(str_from(shows[i].bytes), shown, sizeof shown);
        CHECK_TEXT(shown, shows[i].shown);
    }
    tap_case("attributes: a name");
    CHECK(str_eq(dump_rows_attribute_name(DUMP_ROWS_REVISION_GUID), STR("RevisionGUID")));
    return tap_done();
}
