/* Scans of a table: the same rows in the same order whatever the number of threads and
 * wherever the parts are cut, also through comments and broken rows; places in messages;
 * stopping and going on. Tables are cut into parts as small as one byte by packing them
 * into zstd frames that do not tell their size. */
#include "dump/scan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/rng.h"
#include "dump/value.h"
#include "tests/tap.h"
#include "tests/unit/packed.h"

struct outcome {
    struct buf ids; /* each with a comma */
    int64_t rows;
};

struct run {
    struct buf ids;
    int64_t merges, rows;
    struct dump_scan_part last;
    int64_t enough_after; /* merges; 0: never */
    bool fail;
    const char *shortened; /* a file that becomes shorter when the first rows come */
    int64_t shortened_to;
    const char *overwritten; /* one that gets other bytes then */
};

static void clear(void *context, void *slot)
{
    (void)context;
    buf_clear(&((struct outcome *)slot)->ids);
    ((struct outcome *)slot)->rows = 0;
}

static void work(void *context, void *slot, struct dump_rows *rows)
{
    struct outcome *outcome = slot;
    struct run *run = context;
    struct dump_rows_row row;
    int64_t id;

    if (run->shortened != NULL) { /* only ever with one thread */
        CHECK(truncate(run->shortened, (off_t)run->shortened_to) == 0);
        run->shortened = NULL;
    }
    if (run->overwritten != NULL) {
        int file = open(run->overwritten, O_WRONLY);
        CHECK(file >= 0 && pwrite(file, "<!--", 4, 9 << 19) == 4 && close(file) == 0);
        run->overwritten = NULL;
    }
    while (dump_rows_next(rows, &row)) {
        if (!dump_value_int(dump_rows_raw(&row, DUMP_ROWS_ID), &id)) {
            dump_rows_reject(rows, &row, dump_rows_raw(&row, DUMP_ROWS_ID), "a number");
            continue;
        }
        buf_add_format(&outcome->ids, "%lld,", (long long)id);
        outcome->rows++;
    }
}

static enum dump_scan_next merge(void *context, void *slot,
                                 const struct dump_scan_part *part, struct err *err)
{
    struct run *run = context;
    struct outcome *outcome = slot;

    CHECK(part->rows == outcome->rows);
    CHECK(part->bytes >= run->last.bytes);
    buf_add(&run->ids, buf_str(&outcome->ids));
    run->rows += part->rows;
    run->last = *part;
    run->merges++;
    if (run->fail)
        return err_record(err, ERR_SYSTEM, "no more"), DUMP_SCAN_FAIL;
    return run->merges == run->enough_after ? DUMP_SCAN_ENOUGH : DUMP_SCAN_GO_ON;
}

static bool scan_file(const char *path, struct dump_scan_job job, struct run *run,
                      struct dump_scan_result *result, struct err *err)
{
    struct outcome outcomes[20] = {0};
    void *slots[20];
    struct input *input;
    size_t member;
    bool ok = false;

    for (size_t i = 0; i < ROWS(slots); i++)
        slots[i] = &outcomes[i];
    job.slots = slots;
    job.context = run;
    job.clear = clear;
    job.work = work;
    job.merge = merge;
    if (CHECK(input_open(path, &input, err))) {
        if (CHECK(dump_scan_find(input, DUMP_SCAN_POSTS, &member, err)))
            ok = dump_scan_table(input, member, &job, result, err);
        input_close(input);
    }
    for (size_t i = 0; i < ROWS(slots); i++)
        buf_free(&outcomes[i].ids);
    buf_add_char(&run->ids, '\0');
    return ok;
}

/* The document as zstd frames of at most so many bytes each. */
static void cut(struct str document, size_t most, struct rng *rng, struct buf *out)
{
    buf_clear(out);
    for (size_t done = 0; done < document.len;) {
        size_t some = 1 + (size_t)rng_below(rng, most);
        packed_zstd(str_slice(document, done, done + some), false, out);
        done += some;
    }
}

static const struct {
    const char *name;
    const char *document;
    const char *ids;   /* with broken rows skipped */
    const char *error; /* without; behind "PATH:"; NULL: none */
    int broken;
    int line; /* of the first broken row */
} tables[] = {
    {"three rows",
     "<posts>\n<row Id=\"1\"/>\n<row Id=\"22\" />\n<row Id=\"333\"></row></posts>\n",
     "1,22,333,", NULL, 0, 0},
    {"comments with rows",
     "<!--<row Id=\"9\"/>--><a><row Id=\"1\"/><!-- <row Id=\"8\"/> <row Id=\"7\"/> -->"
     "<row Id=\"2\"/><!-- <row Id=\"6\"/><row Id=\"5\"/><row Id=\"4\"/>--></a>",
     "1,2,", NULL, 0, 0},
    {"instruction with a row", "<a><row Id='1'/><?x <row Id='2'/> <row Id='3'/> ?></a>",
     "1,", NULL, 0, 0},
    {"value with what looks like a row", "<a><row Id='1' Title=' /> row Id=\"5\"'/></a>",
     "1,", NULL, 0, 0},
    {"no row", "<posts>\n</posts>", "", NULL, 0, 0},
    {"no row, one tag", " <posts/> ", "", NULL, 0, 0},
    {"broken in the middle", "<a>\n<row Id=\"1\"/>\n<row Id=\"2/>\n<row Id=\"3\"/>\n</a>",
     "1,3,", "4: byte 31: found '<row Id=\"3\"/>'; expected a closing quote before '<'",
     1, 4},
    {"several broken",
     "<a><row Id=1 />\n<row Id='2'/>\n<row Id=3 />\n<row/ ><row Id='4'/></a>", "2,4,",
     "1: byte 11: found '1 />'; expected a quote that opens the attribute's value", 3, 1},
    {"rejected by the worker", "<a>\n<row Id='1'/>\n<row Id='x'/>\n<row Id='2'/>\n</a>",
     "1,2,", "3: byte 27: found 'x'/>'; expected a number", 1, 3},
    {"broken, then a comment with a row",
     "<a><row Id=1 /><!-- <row Id='2'/> --><row Id='3'/></a>", "2,3,",
     "1: byte 11: found '1 /><!-- <row Id='2'/> --><row...'; expected a quote that opens "
     "the "
     "attribute's value",
     2, 1},
    {"cut in a row", "<a>\n<row Id=\"1\"/>\n<row Id=\"2\"", "1,",
     "3: byte 29: found the end of the file; expected the rest of what begins at byte 18",
     1, 3},
    {"no end", "<a>\n<row Id=\"1\"/>\n", "1,",
     "3: byte 18: found the end of the file; expected <row or the root element's end: "
     "the "
     "file is cut",
     1, 3},
    {"two tables", "<a>\n<row Id=\"1\"/>\n</a>\n<a>\n<row Id=\"2\"/></a>", "1,2,",
     "4: byte 23: found '<a>'; expected nothing behind the root element", 1, 4},
};

/* Where the parts are cut decides how much of what was found is at hand to be shown. */
static void check_error(const char *got, const char *path, const char *want, bool whole)
{
    char text[1000];
    const char *semicolon = strchr(want, ';');

    snprintf(text, sizeof text, "%s:%s", path, want);
    if (whole)
        CHECK_TEXT(got, text);
    size_t place = strlen(path) + 1 + (size_t)(strchr(want, 'f') - want);
    CHECK(strncmp(got, text, place) == 0);
    CHECK(strlen(got) > strlen(semicolon) &&
          strcmp(got + strlen(got) - strlen(semicolon), semicolon) == 0);
}

static void check_table(size_t i, const char *path, int threads, bool whole)
{
    struct run skipping = {0}, strict = {0};
    struct dump_scan_result result;
    struct err err = {0};
    int64_t len = (int64_t)strlen(tables[i].document);

    bool ok =
        scan_file(path, (struct dump_scan_job){.threads = threads, .skip_broken = true},
                  &skipping, &result, &err);
    if (CHECK(ok)) {
        CHECK_TEXT(skipping.ids.ptr, tables[i].ids);
        CHECK(result.rows == skipping.rows && result.broken == tables[i].broken);
        CHECK(result.bytes == len && !result.enough);
        CHECK((result.first_broken.offset >= 0) == (tables[i].broken > 0));
        CHECK(result.first_broken_line == tables[i].line);
    }
    ok = scan_file(path, (struct dump_scan_job){.threads = threads}, &strict, &result,
                   &err);
    CHECK(ok == (tables[i].error == NULL));
    if (!ok && tables[i].error != NULL) {
        CHECK(err.kind == ERR_INPUT);
        check_error(err.text, path, tables[i].error, whole);
    }
    buf_free(&skipping.ids);
    buf_free(&strict.ids);
}

static void check_tables(struct packed_folder *folder)
{
    static const size_t cuts[] = {1, 2, 5, 20};
    struct rng rng = rng_seeded(3);
    struct buf frames = {0};

    for (size_t i = 0; i < ROWS(tables); i++) {
        struct str document = str_from(tables[i].document);
        tap_case("scan: %s", tables[i].name);
        for (int threads = 1 + TAP_RACES; threads <= 3; threads++)
            check_table(i, packed_write(folder, "Posts.xml", document), threads, true);
        for (size_t c = 0; c < ROWS(cuts); c++) {
            cut(document, cuts[c], &rng, &frames);
            packed_write(folder, "Posts.xml", buf_str(&frames));
            for (int threads = 1 + TAP_RACES; threads <= 3; threads++)
                check_table(i, folder->last, threads, false);
        }
    }
    buf_free(&frames);
}

/* A table of several megabytes with rows and comments of every length. */
static void make_large(struct buf *document, struct buf *ids)
{
    struct rng rng = rng_seeded(5);

    buf_add(document,
            STR("\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<posts>"));
    for (int id = 1; document->len < 9000000; id++) {
        buf_add_format(document, "\r\n  <row Id=\"%d\" Body=\"", id);
        size_t len = (size_t)rng_log_normal(&rng, 800, 2);
        for (size_t k = 0; k < len / 8; k++)
            buf_add(document, STR("&lt;p&gt;"));
        buf_add(document, STR("\" />"));
        buf_add_format(ids, "%d,", id);
        if (rng_below(&rng, 50) == 0) {
            buf_add(document, STR("<!--"));
            for (uint64_t k = rng_below(&rng, 2000); k > 0; k--)
                buf_add_format(document, "\n<row Id=\"-%llu\"/>", (unsigned long long)k);
            buf_add(document, STR("-->"));
        }
        if (id == 300) { /* longer than a part */
            buf_add(document, STR("<row Id=\"-300\" Body='"));
            for (size_t k = 0; k < 4500000; k++)
                buf_add_char(document, '"');
            buf_add(document, STR("'/>"));
            buf_add(ids, STR("-300,"));
        }
    }
    buf_add(document, STR("\r\n</posts>\r\n"));
    buf_add_char(ids, '\0');
}

static void check_large_file(const char *path, const char *ids, int64_t len, int threads,
                             bool map)
{
    struct run run = {0};
    struct dump_scan_result result;
    struct err err = {0};

    bool ok = scan_file(path, (struct dump_scan_job){.threads = threads, .map = map},
                        &run, &result, &err);
    CHECK_TEXT(err.text, "");
    CHECK(ok && strcmp(run.ids.ptr, ids) == 0 && result.bytes == len);
    buf_free(&run.ids);
}

static void check_large(struct packed_folder *folder)
{
    struct buf document = {0}, ids = {0}, packed = {0};
    struct rng rng = rng_seeded(9);

    make_large(&document, &ids);
    for (int threads = TAP_RACES ? 3 : 1; threads <= 4; threads++) {
        tap_case("scan: a large table with %d threads", threads);
        int64_t len = (int64_t)document.len;
        packed_write(folder, "Posts.xml", buf_str(&document));
        check_large_file(folder->last, ids.ptr, len, threads, true);
        check_large_file(folder->last, ids.ptr, len, threads, false);
        cut(buf_str(&document), 300000, &rng, &packed);
        packed_write(folder, "Posts.xml", buf_str(&packed));
        check_large_file(folder->last, ids.ptr, len, threads, true);
        buf_clear(&packed);
        packed_gzip(buf_str(&document), &packed);
        packed_write(folder, "Posts.xml", buf_str(&packed));
        check_large_file(folder->last, ids.ptr, len, threads, true);
    }
    buf_free(&document);
    buf_free(&ids);
    buf_free(&packed);
}

/* Ends after some parts and goes on from there: together the rows of one scan. */
static void check_resume(struct packed_folder *folder)
{
    struct buf document = {0}, ids = {0}, packed = {0};
    struct dump_scan_result result;
    struct err err = {0};

    tap_case("scan: stop and go on");
    make_large(&document, &ids);
    for (int packing = 0; packing < 2; packing++) {
        buf_clear(&packed);
        if (packing == 0)
            buf_add(&packed, buf_str(&document));
        else
            packed_xz(buf_str(&document), 700000, &packed);
        packed_write(folder, "Posts.xml", buf_str(&packed));
        for (int parts = 1; parts < (packing == 0 ? 4 : 6); parts += 2) {
            struct run first = {.enough_after = parts}, rest = {0};
            CHECK(scan_file(folder->last, (struct dump_scan_job){.threads = 2}, &first,
                            &result, &err));
            CHECK(result.enough && first.merges == parts);
            struct dump_scan_job job = {
                .threads = 2, .start = first.last.bytes, .start_line = first.last.line};
            CHECK(scan_file(folder->last, job, &rest, &result, &err));
            CHECK_TEXT(err.text, "");
            first.ids.len--;
            buf_add(&first.ids, buf_str(&rest.ids));
            CHECK(strcmp(first.ids.ptr, ids.ptr) == 0);
            buf_free(&first.ids);
            buf_free(&rest.ids);
        }
    }
    buf_free(&document);
    buf_free(&ids);
    buf_free(&packed);
}

static void check_hash(struct packed_folder *folder)
{
    struct buf document = {0}, ids = {0}, packed = {0};
    struct err err = {0};

    tap_case("scan: the hash is that of the file");
    make_large(&document, &ids);
    for (int packing = 0; packing < 3; packing++) {
        buf_clear(&packed);
        if (packing == 0)
            buf_add(&packed, buf_str(&document));
        else if (packing == 1)
            packed_gzip(buf_str(&document), &packed);
        else
            packed_xz(buf_str(&document), 900000, &packed);
        packed_write(folder, "Posts.xml", buf_str(&packed));
        XXH128_hash_t want = XXH3_128bits(packed.ptr, packed.len);
        for (int threads = 1 + TAP_RACES; threads <= 2; threads++) {
            struct run run = {0};
            struct dump_scan_result result;
            CHECK(scan_file(
                folder->last,
                (struct dump_scan_job){.threads = threads, .hash = true, .map = true},
                &run, &result, &err));
            CHECK(result.hash[0] == want.high64 && result.hash[1] == want.low64);
            buf_free(&run.ids);
        }
    }
    buf_free(&document);
    buf_free(&ids);
    buf_free(&packed);
}

static void check_endings(struct packed_folder *folder)
{
    struct dump_scan_result result;
    struct run run = {.fail = true}, other = {0};
    struct err err = {0};

    tap_case("scan: the merge fails");
    packed_write(folder, "Posts.xml", STR("<a><row Id=\"1\"/></a>"));
    CHECK(!scan_file(folder->last, (struct dump_scan_job){.threads = 2}, &run, &result,
                     &err));
    CHECK(err.kind == ERR_SYSTEM);
    CHECK_TEXT(err.text, "no more");

    tap_case("scan: nothing can be read, though broken rows are skipped");
    packed_write(folder, "Posts.xml", STR("<posts>\n<row><Id>1</Id></row></posts>"));
    CHECK(!scan_file(folder->last,
                     (struct dump_scan_job){.threads = 1, .skip_broken = true}, &other,
                     &result, &err));
    CHECK(strstr(err.text,
                 "Posts.xml:2: no row can be read: byte 13: found "
                 "'<Id>1</Id></row></posts>'; expected '</row>': a row that has "
                 "attributes, not elements or text") != NULL);
    buf_free(&run.ids);
    buf_free(&other.ids);
}

static void check_shortened(struct packed_folder *folder)
{
    enum { PART_BYTES = 4 << 20 };
    static const struct {
        const char *name;
        int64_t to;
    } rows[] = {
        {"within the part that is read", 1000000},
        {"within a later part", 5000000},
        {"at a part's end", 2 * PART_BYTES},
    };
    struct buf document = {0}, ids = {0};

    make_large(&document, &ids);
    for (size_t i = 0; i < 2 * ROWS(rows); i++) {
        bool map = i >= ROWS(rows);
        int64_t to = rows[i % ROWS(rows)].to;
        struct dump_scan_result result;
        struct err err = {0};
        char want[400];
        tap_case("scan: a file becomes shorter %s%s", rows[i % ROWS(rows)].name,
                 map ? ", which is mapped" : "");
        packed_write(folder, "Posts.xml", buf_str(&document));
        struct run run = {.shortened = folder->last, .shortened_to = to};
        int64_t end = (to / PART_BYTES + 1) * PART_BYTES;
        if (end > (int64_t)document.len)
            end = (int64_t)document.len;
        snprintf(want, sizeof want, "%s: is cut: %lld bytes more were to come out of it",
                 folder->last, (long long)(end - to));
        struct dump_scan_job job = {.threads = 1, .skip_broken = true, .map = map};
        CHECK(!scan_file(folder->last, job, &run, &result, &err));
        CHECK_TEXT(err.text, want);
        buf_free(&run.ids);
    }
    buf_free(&document);
    buf_free(&ids);
}

/* Reading takes what it finds; rows that are mapped may have been looked at before. */
static void check_overwritten(struct packed_folder *folder)
{
    const struct timespec before[2] = {{1000000000, 0}, {1000000000, 0}};
    struct buf document = {0}, ids = {0};

    make_large(&document, &ids);
    for (int map = 0; map < 2; map++) {
        struct dump_scan_result result;
        struct err err = {0};
        tap_case("scan: a file is overwritten%s", map ? ", which is mapped" : "");
        packed_write(folder, "Posts.xml", buf_str(&document));
        CHECK(utimensat(AT_FDCWD, folder->last, before, 0) == 0);
        struct run run = {.overwritten = folder->last};
        struct dump_scan_job job = {.threads = 1, .skip_broken = true, .map = map};
        CHECK(scan_file(folder->last, job, &run, &result, &err) == !map);
        CHECK(!map ||
              strstr(err.text, "Posts.xml: has changed while it was read") != NULL);
        buf_free(&run.ids);
    }
    buf_free(&document);
    buf_free(&ids);
}

static void check_row_limit(struct packed_folder *folder)
{
    struct buf document = {0}, packed = {0};
    struct dump_scan_result result;
    struct err err = {0};

    tap_case("scan: a row without end");
    buf_add(&document, STR("<a>\n<row Id=\"1\"/>\n<row Body=\""));
    for (size_t k = 0; k < (66 << 20) / 64; k++)
        buf_add(&document,
                STR("0123456789012345678901234567890123456789012345678901234567891234"));
    for (int sized = TAP_RACES; sized < 2; sized++) {
        struct run run = {0};
        buf_clear(&packed);
        packed_zstd(str_slice(buf_str(&document), 0, 5), false, &packed);
        packed_zstd(str_slice(buf_str(&document), 5, document.len), sized, &packed);
        packed_write(folder, "Posts.xml", buf_str(&packed));
        CHECK(!scan_file(folder->last, (struct dump_scan_job){.threads = 2}, &run,
                         &result, &err));
        CHECK(strstr(err.text, "Posts.xml:3: byte 18: found '<row Body=\"") != NULL);
        CHECK(strstr(err.text, "expected its end within 64 MB") != NULL);
        buf_free(&run.ids);
    }
    buf_free(&document);
    buf_free(&packed);
}

int main(void)
{
    struct packed_folder folder = packed_folder();

    check_tables(&folder);
    check_large(&folder);
    check_resume(&folder);
    check_hash(&folder);
    check_endings(&folder);
    check_shortened(&folder);
    check_overwritten(&folder);
    check_row_limit(&folder);
    packed_clean(&folder);
    return tap_done();
}
