/* Spans: the text that they count in, marking and taking back, agreement, and the way out
 * and in again through every format. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "label/internal.h"
#include "label/span_agree.h"
#include "tests/unit/labelled.h"
#include "tests/unit/stored.h"

#define STUDY_OF(spans) \
    LABELLED_HEAD \
    "labelling: {bugs: {sample: all, raters: [ann, bob], arbiter: eve, seed: 5, " \
    "spans: " spans "}}\n"

/* What raters read: html with code, a list, characters beyond 16 bits. */
static const struct item posts[] = {
    {.id = 11,
     .kind = ITEM_QUESTION,
     .title = STR_INIT("A & B"),
     .body = STR_INIT(
         "<p>The <em>model</em> is \xF0\x9F\x98\x80 slow.<br>Why?</p>\n"
         "<pre><code>x = 1\n  y\n</code></pre><ul><li>one</li><li>two</li></ul>")},
    {.id = 1,
     .kind = ITEM_ANSWER,
     .parent = 11,
     .score = 2,
     .body = STR_INIT("<p>It is slow.</p>")},
    {.id = 5,
     .kind = ITEM_QUESTION,
     .title = STR_INIT("Second [one] | a_b"),
     .body = STR_INIT("<p>slow slow slow; a \\ back* -> z</p>")},
    {.id = 9,
     .kind = ITEM_QUESTION,
     .title = STR_INIT(""),
     .form = ITEM_PLAIN,
     .body = STR_INIT("plain < text\nof lines\n")},
    {.id = 25,
     .kind = ITEM_QUESTION,
     .title = STR_INIT("Marks"),
     .form = ITEM_MARKDOWN,
     .body = STR_INIT("# Head\n\nsome **bold** `code`\n")},
};

static bool fill(struct labelled *test)
{
    struct store *corpus;
    bool resumed;
    bool ok = store_build(studied_path(&test->in, "corpus.db"), STR("k"), &corpus,
                          &resumed, &test->in.err) &&
              store_begin(corpus, &test->in.err);

    for (size_t i = 0; ok && i < ROWS(posts); i++) {
        struct item post = posts[i];
        if (post.parent == 0)
            post.parent = ITEM_NONE;
        ok = stored_append(corpus, &post, &test->in.err);
    }
    return ok && store_commit(corpus, &test->in.err) &&
           store_finish(corpus, &test->in.err);
}

static bool begin(struct labelled *test, const char *study)
{
    return labelled_begin(test, study, LABELLED_CODEBOOK) && CHECK(fill(test));
}

/* The parts of an item, "name=text" each. */
static const struct {
    int64_t item;
    const char *parts;
} texts[] = {
    {11, "title=A & B|body=The model is \xF0\x9F\x98\x80 slow.\nWhy?\n\nx = 1\n  "
         "y\none\ntwo\n|"
         "answer-1=It is slow.\n|"},
    {5, "title=Second [one] | a_b|body=slow slow slow; a \\ back* -> z\n|"},
    {9, "body=plain < text\nof lines\n|"},
    {25, "title=Marks|body=Head\n\nsome bold code\n\n|"},
};

static void check_texts(struct labelled *test)
{
    for (size_t i = 0; i < ROWS(texts); i++) {
        struct label_parts parts;
        struct buf found = {0};
        tap_case("the text of %lld", (long long)texts[i].item);
        if (!CHECK(label_item_parts(test->label, texts[i].item, &test->in.arena, &parts,
                                    &test->in.err)))
            continue;
        for (size_t p = 0; p < parts.count; p++)
            buf_add_format(&found, "%.*s=%.*s|", STR_ARG(parts.at[p].name),
                           STR_ARG(parts.at[p].text));
        CHECK_TEXT(arena_c_string(&test->in.arena, buf_str(&found)), texts[i].parts);
        buf_free(&found);
    }
}

static const struct {
    const char *place, *quote; /* NULL: there is no such place */
} places[] = {
    {"title@0-5", "A & B"}, {"body@4-9", "model"},  {"body@13-14", "\xF0\x9F\x98\x80"},
    {"body@15-19", "slow"}, {"answer-1@0-2", "It"}, {"body@0-9999", NULL},
    {"answer-2@0-2", NULL}, {"body@4-4", NULL},     {"body@9-4", NULL},
    {"body", NULL},         {"body:1", NULL},       {"@1-2", NULL},
    {"body@-2", NULL},      {"body@1-", NULL},      {"body@1-99999999999999", NULL},
};

static void check_places(struct labelled *test)
{
    struct label_parts parts;

    CHECK(label_item_parts(test->label, 11, &test->in.arena, &parts, &test->in.err));
    for (size_t i = 0; i < ROWS(places); i++) {
        struct label_span_range range;
        tap_case("the place '%s'", places[i].place);
        bool found = label_span_find(&parts, str_from(places[i].place), &range);
        CHECK(found == (places[i].quote != NULL));
        if (!found)
            continue;
        CHECK(str_eq(label_span_quote(&parts, &range), str_from(places[i].quote)));
        CHECK(str_eq(label_span_place(&parts, &range, &test->in.arena),
                     str_from(places[i].place)));
        size_t at = label_parts_to_document(&parts, &range);
        struct label_span_range back;
        CHECK(
            label_parts_from_document(&parts, at, at + range.end - range.begin, &back) &&
            back.part == range.part && back.begin == range.begin &&
            back.end == range.end);
    }
    tap_case("a span over two parts is none, line ends between them are left out");
    struct label_span_range range;
    CHECK(!label_parts_from_document(&parts, 2, 12, &range));
    CHECK(label_parts_from_document(&parts, 2, 6, &range) && range.part == 0 &&
          range.begin == 2 && range.end == 5);
    CHECK(label_parts_from_document(&parts, 5, 10, &range) && range.part == 1 &&
          range.begin == 0 && range.end == 3);
}

/* Marking. */

static bool span(struct labelled *test, const char *rater, int64_t item,
                 const char *place, const char *quote, const char *code, bool remove)
{
    struct label_span span = {.rater = str_from(rater),
                              .item = item,
                              .place = str_from(place),
                              .quote = str_from(quote),
                              .code = str_from(code),
                              .remove = remove};

    test->in.err = (struct err){0};
    return label_span(test->label, &span, &test->saved, &test->in.err);
}

/* "place=quote code", of a rater. */
static const char *marked(struct labelled *test, const char *rater, int64_t round,
                          int64_t item)
{
    struct label_place place = {.round = round, .item = item};
    struct label_span_said *said;
    struct buf text = {0};
    size_t count;

    if (!CHECK(label_spans_said(test->label, str_from(rater), &place, &test->in.arena,
                                &said, &count, &test->in.err)))
        return "";
    for (size_t i = 0; i < count; i++)
        buf_add_format(&text, "%s%.*s=%.*s%s%.*s", i > 0 ? " " : "",
                       STR_ARG(said[i].place), STR_ARG(said[i].quote),
                       said[i].code.len > 0 ? ":" : "", STR_ARG(said[i].code));
    const char *copy = arena_c_string(&test->in.arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

static void check_marking(struct labelled *test)
{
    int64_t round = labelled_round(test);

    tap_case("marked, marked twice, taken away, taken back");
    CHECK(labelled_give(test, "ann", 11, "model", ""));
    CHECK(span(test, "ann", 11, "body@4-9", "model", "", false));
    CHECK(!span(test, "ann", 11, "body@4-9", "model", "", false));
    CHECK_TEXT(test->in.err.text, "there is a span at 'body@4-9' already");
    CHECK(span(test, "ann", 11, "body@15-19", "", "", false));
    CHECK_TEXT(marked(test, "ann", round, 11), "body@4-9=model body@15-19=slow");
    CHECK_TEXT(marked(test, "bob", round, 11), "");
    CHECK(span(test, "ann", 11, "body@4-9", "", "", true));
    CHECK_TEXT(marked(test, "ann", round, 11), "body@15-19=slow");
    CHECK(!span(test, "ann", 11, "body@4-9", "", "", true));
    CHECK_TEXT(test->in.err.text, "there is no span at 'body@4-9' to take away");
    CHECK(labelled_undo(test, "ann"));
    CHECK_TEXT(marked(test, "ann", round, 11), "body@4-9=model body@15-19=slow");
    CHECK(labelled_undo(test, "ann"));
    CHECK_TEXT(marked(test, "ann", round, 11), "body@4-9=model");
    CHECK(labelled_undo(test, "ann"));
    CHECK_TEXT(marked(test, "ann", round, 11), "");
    CHECK_TEXT(labelled_says(test, "ann", round, 11), "model");
    CHECK(span(test, "ann", 11, "body@4-9", "model", "", false));

    tap_case("another process reads the same");
    CHECK(labelled_open(test));
    CHECK_TEXT(marked(test, "ann", round, 11), "body@4-9=model");

    tap_case("what is not there is refused");
    CHECK(!span(test, "ann", 11, "body@4-9999", "", "", false));
    CHECK_TEXT(test->in.err.text, "the text of 11 has no place 'body@4-9999'");
    CHECK(!span(test, "ann", 11, "body@0-3", "the", "", false));
    CHECK_TEXT(test->in.err.text,
               "at 'body@0-3' of 11 stands something else than was marked");
    CHECK(!span(test, "ann", 11, "body", "", "", false));
    CHECK(strstr(test->in.err.text, "expected characters of a part of the text such as "
                                    "'body@120-135'") != NULL);
    CHECK(!span(test, "ann", 11, "body@0-3", "", "model", false));
    CHECK_TEXT(test->in.err.text, "found the code 'model' of a span, but labelling.bugs "
                                  "has no `spans: per code`");
    CHECK(!span(test, "ann", 999, "body@0-3", "", "", false));

    tap_case("after the round it is kept apart");
    CHECK(labelled_end_round(test, round));
    struct label_late *late;
    size_t count;
    struct label_span tardy = {
        .rater = STR("ann"), .item = 11, .place = STR("body@0-3"), .round = round};
    test->in.err = (struct err){0};
    CHECK(label_span(test->label, &tardy, &test->saved, &test->in.err) &&
          test->saved.late);
    CHECK_TEXT(marked(test, "ann", round, 11), "body@4-9=model");
    CHECK(label_late(test->label, &test->in.arena, &late, &count, &test->in.err) &&
          count == 1 && str_eq(late[0].what, STR("span")));
}

/* Agreement: numbers by hand. */
static void check_agreement(void)
{
    struct labelled test;
    struct label_span_report report;

    if (!begin(&test, STUDY_OF("yes")))
        return;
    tap_case("agreement on spans");
    int64_t round = labelled_fill(&test);
    /* ann: 4-9 and 15-19; bob: 4-14 and 0-2 of the answer. */
    CHECK(span(&test, "ann", 11, "body@4-9", "", "", false) &&
          span(&test, "ann", 11, "body@15-19", "", "", false) &&
          span(&test, "bob", 11, "body@4-14", "", "", false) &&
          span(&test, "bob", 11, "answer-1@0-2", "", "", false) &&
          span(&test, "ann", 5, "body@0-4", "", "", false) &&
          span(&test, "bob", 5, "body@0-4", "", "", false));
    CHECK(labelled_end_round(&test, round));
    if (CHECK(label_span_agree(test.label, &test.in.arena, &report, &test.in.err)) &&
        CHECK(report.count == 2)) {
        const struct label_span_pair *pair = &report.pairs[0];
        CHECK(str_eq(pair->first, STR("ann")) && str_eq(pair->second, STR("bob")));
        CHECK(pair->items == 4 && pair->first_spans == 3 && pair->second_spans == 3);
        CHECK(pair->matched == 2 && pair->exact == 1);
        CHECK(pair->first_characters == 13 && pair->second_characters == 16 &&
              pair->common == 9);
        CHECK_NEAR(pair->f1, 4. / 6, 1e-12);
        CHECK_NEAR(pair->f1_characters, 18. / 29, 1e-12);
        CHECK_NEAR(pair->jaccard, 9. / 20, 1e-12);
        CHECK_NEAR(report.pairs[1].alpha, pair->alpha, 1e-12);
        CHECK(report.lost == 0 && report.spans == 6 && report.item_count == 4);
        /* By tests/vectors/make_unitize.py, disagreement() of the parts' lengths. */
        CHECK_NEAR(pair->alpha, 0.603754319281272, 1e-10);
    }
    labelled_end(&test);
}

/* Per code: what holds of each rater, "rater place code" each. */
static const char *holding(struct labelled *test, int64_t item)
{
    struct label_span_said *said;
    struct buf text = {0};
    size_t count;

    if (!CHECK(label_spans_of(test->label, item, &test->in.arena, &said, &count,
                              &test->in.err)))
        return "";
    for (size_t i = 0; i < count; i++)
        buf_add_format(&text, "%s%.*s %.*s %.*s", i > 0 ? ", " : "",
                       STR_ARG(said[i].rater), STR_ARG(said[i].place),
                       STR_ARG(said[i].code));
    const char *copy = arena_c_string(&test->in.arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

static void check_code_taken_back(void)
{
    struct labelled test;
    struct label_span_report report;
    const struct label_export_options csv = {.layer = LABEL_SAID},
                                      doccano = {.layer = LABEL_SAID,
                                                 .format = LABEL_FORMAT_DOCCANO,
                                                 .rater = STR("ann")};

    if (!begin(&test, STUDY_OF("per code")))
        return;
    tap_case("evidence for a code that is no longer said is kept, and does not count");
    int64_t round = labelled_round(&test);
    CHECK(labelled_give(&test, "ann", 11, "model", "") &&
          span(&test, "ann", 11, "body@4-9", "", "model", false) &&
          span(&test, "ann", 11, "body@15-19", "", "model", false));
    CHECK(labelled_give(&test, "bob", 11, "data/parse", "") &&
          span(&test, "bob", 11, "body@4-9", "", "data/parse", false));
    CHECK(strstr(labelled_write(&test, csv), "body@15-19") != NULL);
    CHECK(strstr(labelled_write(&test, doccano), ",\"model\"]") != NULL);
    CHECK(labelled_give(&test, "ann", 11, "data/parse", ""));
    CHECK_TEXT(marked(&test, "ann", round, 11),
               "body@4-9=model:model body@15-19=slow:model");
    CHECK(strstr(labelled_write(&test, csv), "body@15-19") == NULL);
    CHECK(strstr(labelled_write(&test, doccano), ",\"model\"]") == NULL);
    tap_case("what takes the code back is undone: it counts again");
    CHECK(labelled_undo(&test, "ann"));
    CHECK(strstr(labelled_write(&test, csv), "body@15-19") != NULL);
    CHECK(labelled_give(&test, "ann", 11, "data/parse", "") &&
          span(&test, "ann", 11, "body@4-9", "", "data/parse", false));
    CHECK(labelled_end_round(&test, round));
    tap_case("agreement and the arbiter see what is said");
    CHECK_TEXT(holding(&test, 11), "ann body@4-9 data/parse, bob body@4-9 data/parse");
    if (CHECK(label_span_agree(test.label, &test.in.arena, &report, &test.in.err)) &&
        CHECK(report.count > 0)) {
        CHECK(report.spans == 2 && report.pairs[0].first_spans == 1 &&
              report.pairs[0].second_spans == 1 && report.pairs[0].matched == 1);
        CHECK_NEAR(report.pairs[0].f1, 1, 1e-12);
    }
    labelled_end(&test);
}

/* Out and in again. */

static const struct {
    const char *name;
    enum label_format format;
    const char *rater; /* of a format that knows one alone */
} formats[] = {
    {"csv", LABEL_FORMAT_CSV, ""},
    {"jsonl", LABEL_FORMAT_JSONL, ""},
    {"label-studio", LABEL_FORMAT_STUDIO, ""},
    {"doccano", LABEL_FORMAT_DOCCANO, "ann"},
    {"webanno", LABEL_FORMAT_WEBANNO, ""},
    {"refi-qda", LABEL_FORMAT_REFI, ""},
};

/* Random spans of a rater on an item: within one part, not blank at their ends. Per code
 * most are for the one that was given. */
static void mark_some(struct labelled *test, struct rng *rng, const char *rater,
                      int64_t item, const char *given)
{
    struct label_parts parts;

    CHECK(label_item_parts(test->label, item, &test->in.arena, &parts, &test->in.err));
    for (uint64_t n = rng_below(rng, 5); n > 0; n--) {
        struct label_span_range range = {.part = rng_below(rng, parts.count)};
        size_t length = parts.at[range.part].characters;
        range.begin = rng_below(rng, length);
        range.end = range.begin + 1 + rng_below(rng, length - range.begin);
        struct str quote = label_span_quote(&parts, &range);
        if (str_trim(quote).len != quote.len)
            continue;
        (void)span(test, rater, item,
                   arena_c_string(&test->in.arena,
                                  label_span_place(&parts, &range, &test->in.arena)),
                   "", rng_below(rng, 4) > 0 || given[0] == '\0' ? given : "data/load",
                   false);
    }
}

/* What counts of each rater, without numbers of rounds: sorted lines. */
static int compare_lines(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

static const char *said_lines(struct labelled *test)
{
    struct str rest = str_from(labelled_write(
                   test, (struct label_export_options){.layer = LABEL_SAID,
                                                       .format = LABEL_FORMAT_JSONL})),
               line, *lines = arena_array(&test->in.arena, struct str, rest.len + 1);
    struct buf all = {0};
    size_t count = 0;

    while (rest.len > 0) {
        str_cut(&rest, '\n', &line);
        char *one = arena_c_string(&test->in.arena, line);
        char *seconds = strstr(one, ",\"seconds\":");
        if (seconds != NULL)
            *seconds = '\0';
        lines[count++] = str_slice(str_from(one), 0, strlen(one) - (seconds == NULL));
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++)
        buf_add_format(&all, "%.*s\n", STR_ARG(lines[i]));
    const char *copy = arena_c_string(&test->in.arena, buf_str(&all));
    buf_free(&all);
    return copy;
}

static void check_round_trip(size_t which, const char *study, bool per_code,
                             uint64_t seed)
{
    static const int64_t items[] = {11, 5, 9, 25};
    struct labelled from, to;
    struct rng rng = rng_stream(7, which, seed);
    struct label_export_options how = {.layer = LABEL_SAID,
                                       .format = formats[which].format,
                                       .rater = str_from(formats[which].rater)};
    struct label_import_options back = {.format = formats[which].format,
                                        .rater = str_from(formats[which].rater)};
    struct label_imported imported;
    struct buf out = {0};

    tap_case("round trip: %s, %s, %d", formats[which].name, per_code ? "per code" : "yes",
             (int)seed);
    if (!begin(&from, study) || !begin(&to, study))
        return;
    int64_t round = labelled_round(&from);
    for (size_t i = 0; i < ROWS(items); i++)
        for (int rater = 0; rater < (formats[which].rater[0] != '\0' ? 1 : 2); rater++) {
            const char *name = rater == 0 ? "ann" : "bob";
            const char *code = rng_below(&rng, 2) == 0 ? "model" : "data/parse";
            CHECK(labelled_give(&from, name, items[i], code, ""));
            mark_some(&from, &rng, name, items[i], per_code ? code : "");
        }
    CHECK(labelled_end_round(&from, round));
    from.in.err = (struct err){0};
    CHECK(label_export(from.label, &how, &out, &from.in.err));
    CHECK_TEXT(from.in.err.text, "");
    struct err err = {0};
    CHECK(file_write(studied_path(&to.in, "l.bin"), buf_str(&out), &err));
    CHECK(label_import(to.label, studied_path(&to.in, "l.bin"), &back, STR("x"),
                       &imported, &err));
    CHECK_TEXT(err.text, "");
    CHECK_TEXT(said_lines(&to), said_lines(&from));
    tap_case("what was said here and comes back is refused: %s", formats[which].name);
    CHECK(!label_import(from.label, studied_path(&to.in, "l.bin"), &back, STR("x"),
                        &imported, &err) &&
          strstr(err.text, "the same labels are there") != NULL);
    err = (struct err){0};
    tap_case("the same again is refused: %s", formats[which].name);
    CHECK(!label_import(to.label, studied_path(&to.in, "l.bin"), &back, STR("x"),
                        &imported, &err) &&
          strstr(err.text, "the same had been imported before") != NULL);
    back.again = true;
    err = (struct err){0};
    CHECK(label_import(to.label, studied_path(&to.in, "l.bin"), &back, STR("x"),
                       &imported, &err));
    buf_free(&out);
    labelled_end(&from);
    labelled_end(&to);
}

int main(void)
{
    struct labelled test;

    if (!begin(&test, STUDY_OF("yes")))
        return tap_done();
    check_texts(&test);
    check_places(&test);
    check_marking(&test);
    labelled_end(&test);
    check_agreement();
    check_code_taken_back();
    for (size_t i = 0; i < ROWS(formats); i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            check_round_trip(i, STUDY_OF("yes"), false, seed);
            check_round_trip(i, STUDY_OF("per code"), true, seed);
        }
    return tap_done();
}
