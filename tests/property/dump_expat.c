/* Our reader of rows against expat: for documents of every odd kind, and for every table
 * of the real dumps at hand, both give the same rows, attribute by attribute. */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdio.h>

#include "base/rng.h"
#include "dump/scan.h"
#include "tests/property/expat_rows.h"
#include "tests/tap.h"
#include "tests/unit/packed.h"

static const struct {
    const char *name;
    const char *document;
    bool is_table; /* else it must be refused */
} documents[] = {
    {"as a dump",
     "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<posts>\r\n"
     "  <row Id=\"1\" PostTypeId=\"1\" Body=\"&lt;p&gt;x&#xA;&lt;/p&gt;\" />\r\n"
     "  <row Id=\"2\" PostTypeId=\"2\" ParentId=\"1\" />\r\n</posts>",
     true},
    {"no row", "<posts></posts>", true},
    {"no row, one tag", "<posts/>", true},
    {"root with attributes", "<posts a='1' Id=\"&lt;\"><row Id=\"1\"/></posts>", true},
    {"no attributes", "<a><row/><row /><row></row></a>", true},
    {"single quotes", "<a><row Id='1' Body='say \"hi\"' Title=\"it's\" /></a>", true},
    {"any order", "<a><row Body=\"b\" Id=\"1\"/><row Id=\"2\" Body=\"c\"/></a>", true},
    {"blanks everywhere", "<a ><row  Id\n=\t\"1\"\r\nBody\r=\r\"x\"\n/ ></a >", false},
    {"blanks where XML allows", "<a ><row  Id\n=\t\"1\"\r\nBody\r=\r\"x\"\n/></a >",
     true},
    {"end tag with blanks", "<a><row Id=\"1\">\r\n\t </row\n></a\t>", true},
    {"comment in a row", "<a><row Id=\"1\"><!-- <row Id=\"2\"/> --></row></a>", true},
    {"comment with a row",
     "<!-- <row Id=\"0\"/> --><a><!-- <row Id=\"1\"/> --><row Id=\"2\"/></a><!-- x -->",
     true},
    {"instructions", "<?a b?><a><?row Id=\"1\"?><row Id=\"2\"><?x?></row></a><?c?>",
     true},
    {"numeric entities",
     "<a><row Id=\"&#49;&#x32;\" Text=\"&#x1F600;&#10;&#13;&#9;\"/></a>", true},
    {"named entities", "<a><row Text=\"&lt;&gt;&amp;&quot;&apos;&amp;lt;\"/></a>", true},
    {"raw line ends and tabs", "<a><row Text=\"a\nb\r\nc\rd\te\r\n\r\nf\n\rg\"/></a>",
     true},
    {"UTF-8", "<a><row Text=\"\xC3\xA9 \xE6\x9D\xB1 \xF0\x9F\x98\x80\"/></a>", true},
    {"greater-than in a value", "<a><row Text=\"a>b/>\" Id=\"1\"/></a>", true},
    {"unknown attributes", "<a><row Zz=\"1\" Id=\"2\" xml:lang=\"en\" _=\"3\"/></a>",
     true},
    {"names that begin as ours", "<a><row Idx=\"1\" I=\"2\" Id=\"3\" Bodyy=\"4\"/></a>",
     true},
    {"lower case", "<a><row id=\"1\" body=\"x\"/></a>", true},
    {"a value with our pattern", "<a><row Text=' Id=\"1\"' Id=\"2\"/></a>", true},
    {"empty values", "<a><row Id=\"\" Text=''/></a>", true},
    {"many unknown attributes",
     "<a><row a=\"1\" b=\"1\" c=\"1\" d=\"1\" e=\"1\" f=\"1\" g=\"1\" h=\"1\" i=\"1\" "
     "j=\"1\" k=\"1\" l=\"1\" m=\"1\" n=\"1\" o=\"1\" p=\"1\" q=\"1\" r=\"1\"/></a>",
     true},
    {"declaration with everything",
     "<?xml version='1.0' encoding='UTF-8' standalone='no' ?><a></a>", true},
    {"blanks behind the root", "<a></a>\r\n\t \n", true},
    {"a root named as a row begins", "<rows><row Id=\"1\"/></rows>", true},
    {"nothing", "", false},
    {"only blanks", " \n", false},
    {"rows without a root", "<row Id=\"1\"/><row Id=\"2\"/>", false},
    {"one row as the root", "<row Id=\"1\"/>", false},
    {"elements instead of attributes",
     "<posts><row><Id>1</Id><Body>x</Body></row></posts>", false},
    {"another element", "<posts><post Id=\"1\"/></posts>", false},
    {"text in a row", "<a><row Id=\"1\">x</row></a>", false},
    {"text between rows", "<a><row Id=\"1\"/>x<row Id=\"2\"/></a>", false},
    {"CDATA", "<a><![CDATA[ ]]></a>", false},
    {"a document type", "<!DOCTYPE a [<!ENTITY e \"x\">]><a><row Id=\"&e;\"/></a>",
     false},
    {"another encoding", "<?xml version=\"1.0\" encoding=\"latin1\"?><a></a>", false},
    {"UTF-16", "\xFF\xFE<", false},
    {"a declaration too late", "\n<?xml version=\"1.0\"?><a></a>", false},
    {"a blank too few", "<a><row Id=\"1\"Body=\"x\"/></a>", false},
    {"no quotes", "<a><row Id=1 /></a>", false},
    {"no value", "<a><row Id /></a>", false},
    {"an attribute twice", "<a><row Id=\"1\" Id=\"1\"/></a>", false},
    {"an unknown attribute twice", "<a><row z=\"1\" Id=\"1\" z=\"2\"/></a>", false},
    {"less-than in a value", "<a><row Text=\"a<b\"/></a>", false},
    {"an open quote", "<a><row Id=\"1\" Body=\"x /><row Id=\"2\" /></a>", false},
    {"an unknown entity", "<a><row Text=\"&nbsp;\"/></a>", false},
    {"an entity without end", "<a><row Text=\"a & b\"/></a>", false},
    {"a character that is none", "<a><row Text=\"&#0;\"/></a>", false},
    {"a surrogate", "<a><row Text=\"&#xD800;\"/></a>", false},
    {"a raw control", "<a><row Text=\"\x01\"/></a>", false},
    {"overlong UTF-8", "<a><row Text=\"\xC0\x80\"/></a>", false},
    {"cut UTF-8", "<a><row Text=\"\xE6\x9D\"/></a>", false},
    {"cut in a row", "<a><row Id=\"1\"/><row Id=\"2\" Bo", false},
    {"cut behind a row", "<a><row Id=\"1\"/>\n", false},
    {"the wrong end", "<a><row Id=\"1\"/></b>", false},
    {"a second root", "<a></a><a></a>", false},
    {"two dashes in a comment", "<a><!-- a -- b --></a>", false},
    {"a row's end without a row", "<a></row></a>", false},
};

/* The blocks are small enough to cut everywhere, or whole. */
static const size_t steps[] = {0, 1, 2, 3, 5, 8, 13, 64, 65, 1000};

static void check_document(struct str document, bool is_table, size_t step, int way,
                           const struct expat_rows_result *theirs)
{
    struct dump_rows end;
    struct expat_rows_result ours = expat_rows_ours(document, step, way, false, &end);

    CHECK(ours.accepted == is_table);
    if (is_table) {
        CHECK(ours.rows == theirs->rows && ours.rows == end.count);
        CHECK(str_eq(buf_str(&ours.text), buf_str(&theirs->text)));
        CHECK(end.where == DUMP_ROWS_AFTER && end.problem.offset == -1);
    } else {
        CHECK(end.problem.offset >= 0 && end.problem.offset <= (int64_t)document.len);
        CHECK(end.problem.found[0] != '\0' && end.problem.expected[0] != '\0');
    }
    buf_free(&ours.text);
    dump_rows_free(&end);
}

static struct packed_folder folder;

enum { LARGE_BYTES = 1000000 };

static void clear(void *context, void *slot)
{
    struct expat_rows_result *result = slot;

    (void)context;
    buf_clear(&result->text);
    result->rows = 0;
}

static void work(void *context, void *slot, struct dump_rows *rows)
{
    struct dump_rows_row row;

    (void)context;
    while (dump_rows_next(rows, &row))
        expat_rows_take(rows, &row, slot);
}

static enum dump_scan_next merge(void *context, void *slot,
                                 const struct dump_scan_part *part, struct err *err)
{
    struct expat_rows_result *all = context, *some = slot;

    (void)part, (void)err;
    buf_add(&all->text, buf_str(&some->text));
    all->rows += some->rows;
    return DUMP_SCAN_GO_ON;
}

/* The file through the whole of input and scan. */
static void check_scan(const char *path, bool is_table, int threads,
                       const struct expat_rows_result *theirs)
{
    struct expat_rows_result outcomes[5] = {0}, all = {0};
    void *slots[5];
    struct dump_scan_result result;
    struct input *input;
    struct err err = {0};

    for (size_t i = 0; i < ROWS(slots); i++)
        slots[i] = &outcomes[i];
    struct dump_scan_job job = {.threads = threads,
                                .context = &all,
                                .slots = slots,
                                .clear = clear,
                                .work = work,
                                .merge = merge};
    if (CHECK(input_open(path, &input, &err))) {
        CHECK(dump_scan_table(input, 0, &job, &result, &err) == is_table);
        if (is_table) {
            CHECK_TEXT(err.text, "");
            CHECK(result.rows == theirs->rows && all.rows == theirs->rows);
            CHECK(str_eq(buf_str(&all.text), buf_str(&theirs->text)));
        }
        input_close(input);
    }
    for (size_t i = 0; i < ROWS(slots); i++)
        buf_free(&outcomes[i].text);
    buf_free(&all.text);
}

/* Packed in every way; among them zstd frames so small that they cut everything. */
static void check_packed(struct str document, bool is_table, size_t frame,
                         const struct expat_rows_result *theirs)
{
    static const char *const ways[] = {"frames", "gzip", "bzip2", "xz", "7z"};
    struct rng rng = rng_seeded(document.len);
    struct packed_member member = {"Posts.xml", document};
    struct buf packed = {0};

    for (size_t w = 0; w < ROWS(ways); w++) {
        if (w > 1 && document.len > LARGE_BYTES)
            continue; /* these take their time */
        buf_clear(&packed);
        for (size_t done = 0; w == 0 && done < document.len;) {
            size_t some = 1 + (size_t)rng_below(&rng, frame);
            packed_zstd(str_slice(document, done, done + some), false, &packed);
            done += some;
        }
        if (w == 1)
            packed_gzip(document, &packed);
        if (w == 2)
            packed_bzip2(document, 1, &packed);
        if (w == 3)
            packed_xz(document, frame, &packed);
        if (w == 4 && document.len > 0)
            packed_seven(PACKED_LZMA2, frame * 10, &member, 1, &packed);
        if (packed.len == 0)
            continue;
        const char *path = packed_write(&folder, ways[w], buf_str(&packed));
        for (int threads = 1; threads <= 2; threads++)
            check_scan(path, is_table, threads, theirs);
    }
    buf_free(&packed);
}

static void check_built_in(void)
{
    for (size_t i = 0; i < ROWS(documents); i++) {
        struct str document = str_from(documents[i].document);
        struct expat_rows_result theirs = expat_rows_theirs(document);
        tap_case("expat: %s", documents[i].name);
        CHECK((theirs.accepted && theirs.is_table) == documents[i].is_table);
        for (size_t s = 0; s < ROWS(steps); s++)
            for (int way = 0; way < DUMP_ROWS_WAYS; way++)
                check_document(document, documents[i].is_table, steps[s], way, &theirs);
        check_packed(document, documents[i].is_table, 4, &theirs);
        buf_free(&theirs.text);
    }
}

static int real_files;

static int check_file(const char *path, const struct stat *status, int kind,
                      struct FTW *place)
{
    static const size_t real_steps[] = {0, 4096, 50000};
    struct arena arena = {0};
    struct err err;
    struct str document;

    (void)status, (void)place;
    if (kind != FTW_F || !str_ends(str_from(path), STR(".xml")))
        return 0;
    tap_case("expat: %s", path + strlen(getenv("ASSAY_DATA")) + 1);
    if (!file_read(path, &arena, &document, &err)) {
        CHECK_TEXT(err.text, "");
        return 0;
    }
    real_files++;
    struct expat_rows_result theirs = expat_rows_theirs(document);
    CHECK(theirs.accepted);
    for (size_t s = 0; s < ROWS(real_steps); s++)
        for (int way = 0; way < DUMP_ROWS_WAYS; way++)
            check_document(document, theirs.is_table, real_steps[s], way, &theirs);
    check_scan(path, theirs.is_table, 2, &theirs);
    check_packed(document, theirs.is_table, 100000, &theirs);
    buf_free(&theirs.text);
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const char *data = getenv("ASSAY_DATA");
    char dumps[1000];

    folder = packed_folder();
    check_built_in();
    if (data == NULL || *data == '\0') {
        tap_case("expat: real dumps");
        tap_skip("ASSAY_DATA is not set");
        packed_clean(&folder);
        return tap_done();
    }
    snprintf(dumps, sizeof dumps, "%s/dumps", data);
    CHECK(nftw(dumps, check_file, 16, FTW_PHYS) == 0);
    tap_case("expat: there are real dumps");
    CHECK(real_files > 0);
    packed_clean(&folder);
    return tap_done();
}
