/* Places in the diff of a commit: what links mean, and which places there are. */
#include <string.h>

#include "label/internal.h"
#include "tests/unit/labelled.h"
#include "tests/unit/stored.h"

#define UNITS_STUDY \
    LABELLED_HEAD \
    "labelling: {bugs: {sample: all, raters: [ann, bob], seed: 5, units: yes}}\n"

static const char patch[] =
    "diff --git a/net.py b/net.py\nindex 1..2 100644\n--- a/net.py\n+++ b/net.py\n"
    "@@ -3,4 +3,5 @@ head\n c\n-old\n+new\n+more\n d\n e\n"
    "diff --git a/was.py b/a b.py\nsimilarity index 90%\nrename from was.py\n"
    "rename to a b.py\n--- a/was.py\n+++ b/a b.py\n@@ -1 +1 @@\n-x\n+y\n"
    "diff --git \"a/o\\rdd.py\" \"b/o\\rdd.py\"\n--- \"a/o\\rdd.py\"\n"
    "+++ \"b/o\\rdd.py\"\n@@ -1 +1 @@\n-x\n+y\n"
    "diff --git a/%1z.py b/%1z.py\n--- a/%1z.py\n+++ b/%1z.py\n@@ -1 +1 @@\n-x\n+y\n";

static bool fill(struct store *corpus, struct err *err)
{
    struct item commit = {
        .id = 11, .kind = ITEM_COMMIT, .title = STR("fix"), .body = STR("")};
    struct item question = {.id = 5,
                            .kind = ITEM_QUESTION,
                            .body = STR("<p>q<br>r</p>\n<hr><pre><code>x</code></pre>")};

    commit.parent = question.parent = ITEM_NONE;
    return store_begin(corpus, err) && stored_append(corpus, &question, err) &&
           stored_append(corpus, &commit, err) &&
           store_add_field(corpus, 11, STR("diff"), str_from(patch), err) &&
           store_commit(corpus, err);
}

#define LINK    "https://github.com/o/r/commit/0123"
#define NET_MD5 "71af61b4827644a255d0aa530dda54a2"
#define NET_SHA "9e64092d7778bc35d3f11146076635aac20956e6b4f300bc1462e1e4b4b48534"
#define WAS_MD5 "835a013e2976dbe80bed555352f3067a"

static const struct {
    const char *name, *link, *text;
    enum label_link_found found;
    int64_t item;
} links[] = {
    {"no anchor", LINK, "", LABEL_LINK_NONE, 11},
    {"of a comment", LINK "#commitcomment-5", "", LABEL_LINK_NONE, 11},
    {"a line after the change", LINK "#diff-" NET_MD5 "R5", "net.py:R5", LABEL_LINK_FOUND,
     11},
    {"by SHA-256", LINK "#diff-" NET_SHA "R4", "net.py:R4", LABEL_LINK_FOUND, 11},
    {"a line before it", LINK "#diff-" NET_MD5 "L4", "net.py:L4", LABEL_LINK_FOUND, 11},
    {"a line that stayed", LINK "#diff-" NET_MD5 "L5", "net.py:R6", LABEL_LINK_FOUND, 11},
    {"several lines", LINK "#diff-" NET_MD5 "R4-R5", "net.py:R4-R5", LABEL_LINK_FOUND,
     11},
    {"a file", LINK "#diff-" NET_MD5, "net.py", LABEL_LINK_FOUND, 11},
    {"a line that is not shown", LINK "#diff-" NET_MD5 "R50", "net.py:R50",
     LABEL_LINK_OUTSIDE, 11},
    {"a file under its old name", LINK "#diff-" WAS_MD5 "L1", "a b.py:L1",
     LABEL_LINK_FOUND, 11},
    {"another file", LINK "#diff-00000000000000000000000000000000R5",
     "diff-00000000000000000000000000000000R5", LABEL_LINK_NO_FILE, 11},
    {"no digest", LINK "#diff-12R5", "diff-12R5", LABEL_LINK_NO_FILE, 11},
    {"a line of no file", LINK "#L5", "L5", LABEL_LINK_NO_FILE, 11},
    {"a file as it was", "https://github.com/o/r/blob/0123/net.py#L5", "net.py:R5",
     LABEL_LINK_FOUND, 11},
    {"a path with a space", "https://github.com/o/r/blob/0123/a%20b.py#L1", "a b.py:R1",
     LABEL_LINK_FOUND, 11},
    {"a path with what is no escape", "https://github.com/o/r/blob/0123/%1z.py#L1",
     "%1z.py:R1", LABEL_LINK_FOUND, 11},
    {"a file that was not changed", "https://github.com/o/r/blob/0123/x.py#L5", "x.py:R5",
     LABEL_LINK_NO_FILE, 11},
    {"an item without a diff", LINK "#diff-" NET_MD5 "R5", "diff-" NET_MD5 "R5",
     LABEL_LINK_NO_DIFF, 5},
};

static const struct {
    const char *place, *told; /* told empty: it is there */
    int64_t item;
} places[] = {
    {"net.py:R4-R5", "", 11},
    {"net.py:L4", "", 11},
    {"net.py:R3-R7", "", 11},
    {"net.py:R3-R8", "does not show lines R3 to R8 of 'net.py'", 11},
    {"net.py:L9", "does not show lines L9 to L9 of 'net.py'", 11},
    {"no.py:R1", "does not change a file 'no.py'", 11},
    {"o\rdd.py:R1", "", 11},
    {"o^Mdd.py:R1", "", 11}, /* as pages show it */
    {"body:7", "'body' of 11 has 0 parts; found 7", 11},
    {"body:1-3", "", 5},
    {"body:3-4", "'body' of 5 has 3 parts; found 4", 5},
    {"answer-1:1", "'answer-1' of 5 has 0 parts; found 1", 5},
    {"title:9", "", 5},
    {"net.py", "", 11},
    {"net.py:R9", "", 5},
};

int main(void)
{
    struct labelled test;
    struct store *corpus;
    bool resumed;

    if (!labelled_begin(&test, UNITS_STUDY, LABELLED_CODEBOOK) ||
        !CHECK(store_build(studied_path(&test.in, "corpus.db"), STR("k"), &corpus,
                           &resumed, &test.in.err)) ||
        !CHECK(fill(corpus, &test.in.err)) || !CHECK(store_finish(corpus, &test.in.err)))
        return tap_done();
    for (size_t i = 0; i < ROWS(links); i++) {
        struct label_link_place place;
        tap_case("link: %s", links[i].name);
        if (!CHECK(label_place_of_link(test.label, links[i].item, str_from(links[i].link),
                                       &test.in.arena, &place, &test.in.err)))
            continue;
        CHECK_TEXT(arena_c_string(&test.in.arena, place.text), links[i].text);
        CHECK(place.found == links[i].found);
    }
    for (size_t i = 0; i < ROWS(places); i++) {
        struct label_unit_place place;
        tap_case("place: %s", places[i].place);
        test.in.err = (struct err){0};
        CHECK(label_unit_place_read(str_from(places[i].place), &place, &test.in.err));
        bool there = label_place_check(test.label, places[i].item, &place, &test.in.err);
        CHECK(there == (places[i].told[0] == '\0'));
        CHECK(strstr(test.in.err.text, places[i].told) != NULL);
    }
    tap_case("places that items do not have are taken and counted");
    struct label_import_options how = {.rater = STR("ann")};
    struct label_imported imported = {0};
    studied_write(&test.in, "l.csv",
                  "item,unit,place,code\n11,1,net.py:R4,model\n11,2,net.py:R50,model\n"
                  "11,3,no.py:R1,model\n5,1,net.py:R9,model\n"
                  "5,2,body:1,model\n");
    test.in.err = (struct err){0};
    CHECK(label_import(test.label, studied_path(&test.in, "l.csv"), &how, STR("x"),
                       &imported, &test.in.err));
    CHECK_TEXT(test.in.err.text, "");
    CHECK(imported.units == 5 && imported.missing == 3);
    CHECK(strstr(imported.missed.text,
                 "l.csv:3: the diff of 11 does not show lines R50 to "
                 "R50 of 'net.py'") != NULL);

    tap_case("places too long for a name are still told apart");
    struct buf rows = {0};
    buf_add(&rows, STR("item,place,code\n"));
    for (int i = 0; i < 2; i++) {
        buf_add(&rows, STR("5,"));
        for (int c = 0; c < 250; c++)
            buf_add_char(&rows, 'd');
        buf_add_format(&rows, "/%d.py,model\n", i);
    }
    buf_add_char(&rows, '\0');
    studied_write(&test.in, "l.csv", rows.ptr);
    buf_free(&rows);
    CHECK(label_import(test.label, studied_path(&test.in, "l.csv"), &how, STR("x"),
                       &imported, &test.in.err));
    CHECK(imported.units == 2);
    labelled_end(&test);
    return tap_done();
}
