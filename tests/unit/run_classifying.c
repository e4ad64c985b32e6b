/* A classifier within a run: it waits for labels, learns, and its predictions part a
 * table; the same bytes for any number of threads. */
#include "run/output.h"
#include "tests/unit/studied.h"

enum { POSTS = 120, LABELLED = 60 };

#define STUDY \
    "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\n" \
    "labels: {l: {from: l.csv, item: id}}\n" \
    "classifiers: {c: {train: l, method: complement-bayes, seed: 1, predict: x}}\n" \
    "groups: {said: {predicted: c}, year: created by year}\n" \
    "tables:\n  said: {of: x, by: said}\n" \
    "  scores: {classifier: c, show: scores}\n" \
    "  overall: {classifier: c, show: overall}\n" \
    "  confused: {classifier: c, show: confusion}\n" \
    "  sure: {classifier: c, show: calibration}\n" \
    "  shares: {classifier: c, show: shares, truth: t}\n" \
    "  years: {classifier: c, show: shares, by: year}\n"
#define TRUTH "labels: {l: {from: l.csv, item: id}, t: {from: t.csv, item: id}}\n"

static const char *kind_of(int id)
{
    return id % 3 == 0 ? "crash" : "slow";
}

/* Crashes and slow programs, which tell by a word, beside one that both have; the first
 * half has labels. */
static void write_study(struct studied *test, int labelled)
{
    struct buf posts = {0}, labels = {0}, truth = {0};

    buf_add(&posts, STR("Id,PostTypeId,Tags,CreationDate,Title,Body\n"));
    buf_add(&labels, STR("id,code\n"));
    buf_add(&truth, STR("id,code\n"));
    for (int i = 1; i <= POSTS; i++) {
        bool crash = i % 3 == 0;
        buf_add_format(&posts, "%d,1,<x>,%d-01-01,Number %d,<p>%s %s %d</p>\n", i,
                       2018 + i % 2, i, crash ? "it fails with an error" : "takes hours",
                       i % 4 < 2 ? "today" : "again", i * 7);
        buf_add_format(&truth, "%d,%s\n", i, kind_of(i));
        if (i <= labelled)
            buf_add_format(&labels, "%d,%s\n", i, kind_of(i));
    }
    buf_add_char(&posts, '\0');
    buf_add_char(&labels, '\0');
    buf_add_char(&truth, '\0');
    studied_write(test, "p.csv", posts.ptr);
    studied_write(test, "l.csv", labels.ptr);
    studied_write(test, "t.csv", truth.ptr);
    buf_free(&posts);
    buf_free(&labels);
    buf_free(&truth);
}

static const char *study_text(struct studied *test)
{
    struct str text = STR(STUDY), line;
    struct buf out = {0};

    while (str_cut(&text, '\n', &line))
        buf_add_format(
            &out, "%.*s\n",
            STR_ARG(str_starts(line, STR("labels:")) ? str_trim(str_from(TRUTH)) : line));
    const char *copy = arena_c_string(&test->arena, buf_str(&out));
    buf_free(&out);
    return copy;
}

static void check_waiting(struct studied *test)
{
    tap_case("without labels it waits, and its tables are empty");
    write_study(test, 0);
    studied_write(test, "l.csv", "id,code\n");
    studied_write(test, "study.yaml", study_text(test));
    CHECK(studied_run(test));
    CHECK_TEXT(test->err.text, "");
    CHECK_TEXT(studied_read(test, "out/classifiers/c/predicted.csv"),
               "id,code,name,probability\n");
}

static void check_few(struct studied *test)
{
    tap_case("with a few labels it still waits, and nothing stops");
    for (int labelled = 1; labelled <= 9; labelled += 4) {
        write_study(test, labelled);
        CHECK(studied_run(test));
        CHECK_TEXT(test->err.text, "");
        CHECK_TEXT(studied_read(test, "out/classifiers/c/predicted.csv"),
                   "id,code,name,probability\n");
    }
    tap_case("with ten it begins");
    write_study(test, 10);
    CHECK(studied_run(test));
    CHECK_TEXT(test->err.text, "");
    CHECK(strstr(studied_read(test, "out/classifiers/c/predicted.csv"), "\n120,") !=
          NULL);
    tap_case("shares that are undefined say why, but those above others");
    const char *shares = studied_read(test, "out/tables/years.md");
    CHECK(strstr(shares, "\n| 2018 | – | – | – | – | – | – | – |\n") != NULL);
    CHECK(strstr(shares, " | – (a) | – (a) | – (a) |\n") != NULL);
    CHECK(strstr(shares,
                 "\n(a) Undefined: fewer than 5 labelled items of the class.\n") != NULL);
    shares = studied_read(test, "out/tables/years.csv");
    CHECK(strstr(shares, ",EM high,undefined\n") != NULL);
    CHECK(strstr(shares, "adjusted count: fewer than 5 labelled items of the class; ") !=
          NULL);
    CHECK(strstr(shares, "; EM: fewer than 5 labelled items of the class\n") != NULL);
}

static void check_learned(struct studied *test)
{
    tap_case("words that tell are learned, and all of the set is classified");
    write_study(test, LABELLED);
    CHECK(studied_run(test));
    CHECK_TEXT(test->err.text, "");
    CHECK_TEXT(studied_read(test, "out/tables/said.csv"),
               "group1,count\ncrash,40\nslow,80\n");
    CHECK(strstr(studied_read(test, "out/tables/scores.md"), "| crash | 8 | 8 | 1.000") !=
          NULL);
    tap_case("shares stand beside the truth, by group as well");
    const char *shares = studied_read(test, "out/tables/shares.csv");
    CHECK(strstr(shares, "crash,20,0.33") != NULL);
    CHECK(strstr(shares, ",0.3333333333333333,\n") != NULL);
    CHECK(strstr(studied_read(test, "out/tables/years.csv"), "2018,crash,10,") != NULL);
}

/* Every seventh label is not what the words tell. */
static bool is_odd_crash(int64_t id)
{
    return (id % 3 == 0) != (id % 7 == 0);
}

static size_t behind(const struct result_table *table, size_t row, size_t column)
{
    const struct result_list *list =
        table->cells[row * table->column_count + column].list;

    return list != NULL ? list->shown : 0;
}

static void check_confusion(const struct result_table *table)
{
    tap_case("confusion: what was taken for what, each item by its label");
    CHECK(behind(table, 0, 1) + behind(table, 1, 0) > 0);
    for (size_t i = 0; i < 4; i++) {
        const struct result_list *list = table->cells[i].list;
        CHECK(table->cells[i].value == (double)behind(table, i / 2, i % 2));
        for (size_t k = 0; list != NULL && k < list->shown; k++)
            CHECK(is_odd_crash(list->ids[k]) == (i / 2 == 0));
        if (list != NULL && i == 1)
            CHECK(str_eq(list->what,
                         STR("items that are truly 'crash' and were taken for 'slow'")));
    }
}

static void check_scores(const struct result_table *table,
                         const struct result_table *confusion)
{
    tap_case("scores: those of the class, those taken for it, and both together");
    for (size_t k = 0; k < 2; k++) {
        size_t both = behind(confusion, k, k), truly = both + behind(confusion, k, 1 - k),
               said = both + behind(confusion, 1 - k, k);
        const size_t want[] = {truly, said, said, truly, truly + said - both};
        for (size_t s = 0; s < ROWS(want); s++)
            CHECK(behind(table, k, s) == want[s]);
        CHECK(table->cells[k * 7].value == (double)truly &&
              table->cells[k * 7 + 1].value == (double)said);
    }
    CHECK(str_eq(table->cells[4].list->what,
                 STR("items that are or were taken for 'crash'")));
}

static void check_behind(struct studied *test)
{
    struct buf labels = {0};
    struct result result;

    tap_case("the items behind scores");
    buf_add(&labels, STR("id,code\n"));
    for (int i = 1; i <= LABELLED; i++)
        buf_add_format(&labels, "%d,%s\n", i, is_odd_crash(i) ? "crash" : "slow");
    buf_add_char(&labels, '\0');
    studied_write(test, "l.csv", labels.ptr);
    buf_free(&labels);
    if (!CHECK(studied_run(test)) ||
        !CHECK(run_output_read(test->folder, "classifiers", STR("c"), &test->arena,
                               &result, &test->err)))
        return;
    const struct result_table *confusion = result_find(&result, STR("confusion"));
    const struct result_table *overall = result_find(&result, STR("overall"));
    check_confusion(confusion);
    check_scores(result_find(&result, STR("scores")), confusion);
    tap_case("overall: all that were held out");
    CHECK(behind(overall, 1, 0) == behind(confusion, 0, 0) + behind(confusion, 0, 1) +
                                       behind(confusion, 1, 0) + behind(confusion, 1, 1));
}

static void check_threads(struct studied *test)
{
    struct run_options options = studied_options(test);
    const char *before = studied_read(test, "out/results/classifiers.c.result");
    const char *model = studied_read(test, "out/classifiers/c/model");
    struct study study;
    int64_t made;

    tap_case("one thread gives the same bytes");
    file_remove(studied_path(test, "out/results/classifiers.c.result"));
    options.threads = 1;
    CHECK(studied_load(test, &study) && run_study(&study, &options, &made, &test->err));
    CHECK_TEXT(studied_read(test, "out/results/classifiers.c.result"), before);
    CHECK_TEXT(studied_read(test, "out/classifiers/c/model"), model);
    CHECK(strlen(before) > 100);
}

static void check_keywords(struct studied *test)
{
    struct buf text = {0};
    const char *study = study_text(test), *method = strstr(study, "complement-bayes");

    tap_case("a keyword of an unknown class is told with its place");
    buf_add_format(&text, "%.*skeyword-weight, keywords: w.csv%s", (int)(method - study),
                   study, method + strlen("complement-bayes"));
    buf_add_char(&text, '\0');
    studied_write(test, "study.yaml", text.ptr);
    studied_write(test, "w.csv", "class,word\ncrash,error\nfast,hours\n");
    CHECK(!studied_run(test));
    CHECK(strstr(test->err.text, "w.csv:3: 'fast' is no code of the labels") != NULL);
    studied_write(test, "w.csv", "class,word\ncrash,error\nslow,hours\n");
    CHECK(studied_run(test));
    CHECK_TEXT(test->err.text, "");
    buf_free(&text);
}

/* Something that takes every second slow program for a crash, and says nothing of two. */
static void write_predictions(struct studied *test, const char *more)
{
    struct buf text = {0};

    buf_add(&text, STR("code,item,probability\n"));
    for (int i = 1; i <= POSTS; i++)
        if (i % 50 != 0)
            buf_add_format(&text, "%s,%d,0.75\n%s,%d,0.25\n",
                           i % 3 == 0 || i % 2 == 0 ? "crash" : "slow", i,
                           i % 3 == 0 || i % 2 == 0 ? "slow" : "crash", i);
    buf_add_format(&text, "%s", more);
    buf_add_char(&text, '\0');
    studied_write(test, "p2.csv", text.ptr);
    buf_free(&text);
}

static void write_plain_predictions(struct studied *test)
{
    struct buf text = {0};

    buf_add(&text, STR("code,item\n"));
    for (int i = 1; i <= POSTS; i++)
        buf_add_format(&text, "%s,%d\n", kind_of(i), i);
    buf_add_char(&text, '\0');
    studied_write(test, "p2.csv", text.ptr);
    buf_free(&text);
}

static void check_predictions(struct studied *test)
{
    const char *study = study_text(test),
               *method = strstr(study, "method: complement-bayes");
    struct buf text = {0};

    buf_add_format(&text, "%.*spredictions: p2.csv%s", (int)(method - study), study,
                   method + strlen("method: complement-bayes"));
    buf_add_char(&text, '\0');
    studied_write(test, "study.yaml", text.ptr);
    write_study(test, LABELLED);
    write_predictions(test, "");
    tap_case("predictions from elsewhere are judged on all labels");
    CHECK(studied_run(test));
    CHECK_TEXT(test->err.text, "");
    /* Of 60: 20 crash, all found; 40 slow, 20 taken for crashes but for the one that
     * nothing is said of. */
    CHECK(strstr(studied_read(test, "out/tables/scores.csv"), "crash,20,39,") != NULL);
    CHECK(strstr(studied_read(test, "out/tables/scores.csv"), "slow,40,20,") != NULL);
    CHECK(strstr(studied_read(test, "out/classifiers/c/confusion.csv"),
                 "\ncrash,20,0\nslow,19,20\n") != NULL);
    tap_case("groups are what was predicted, without what nothing was said of");
    CHECK_TEXT(studied_read(test, "out/tables/said.csv"),
               "group1,count\ncrash,78\nslow,40\n");
    tap_case("the plain count is wrong, the corrected shares are not");
    const char *shares = studied_read(test, "out/tables/shares.csv");
    CHECK(strstr(shares, "crash,20,0.333") != NULL);
    CHECK(strstr(shares, ",0.6610169491525424,") != NULL); /* 78 of 118 */
    tap_case("items that nothing was said of are told, and count for no class");
    CHECK(strstr(studied_read(test, "out/tables/shares.md"),
                 "Items without a prediction: x (2 of 120, 1 of them labelled)") != NULL);
    CHECK(strstr(studied_read(test, "out/tables/shares.json"), "\"n\":118") != NULL);
    const char *silent = "1 of 60 labelled items have no prediction";
    CHECK(strstr(studied_read(test, "out/tables/scores.md"), silent) != NULL);
    CHECK(strstr(studied_read(test, "out/tables/overall.md"), silent) != NULL);
    CHECK(strstr(studied_read(test, "out/tables/confused.md"), silent) != NULL);
    CHECK(strstr(studied_read(test, "out/tables/sure.md"), silent) != NULL);
    tap_case("calibration has those with a probability alone: 40 of 59 are right");
    CHECK(strstr(studied_read(test, "out/classifiers/c/calibration.csv"),
                 "\n0.0 to 0.1,0,,\n") != NULL);
    CHECK(strstr(studied_read(test, "out/classifiers/c/calibration.csv"),
                 "\n0.7 to 0.8,59,0.75,0.6779661016949152\n") != NULL);
    tap_case("predictions that tell no probability have no calibration");
    write_plain_predictions(test);
    CHECK(studied_run(test));
    CHECK(strstr(studied_read(test, "out/classifiers/c/calibration.csv"),
                 "\n0.9 to 1.0,,,\n") != NULL);
    CHECK(strstr(studied_read(test, "out/tables/sure.json"),
                 "no probability was told") != NULL);
    tap_case("what the file gets wrong is told with its place");
    write_predictions(test, "crush,7,1\n");
    CHECK(!studied_run(test));
    CHECK(strstr(test->err.text, "p2.csv:238: 'crush' is no code of the labels; did you "
                                 "mean 'crash'?") != NULL);
    write_predictions(test, "crash,7,1.5\n");
    CHECK(!studied_run(test));
    CHECK(strstr(test->err.text, "p2.csv:238: found the probability '1.5', expected a "
                                 "number from 0 to 1") != NULL);
    buf_free(&text);
}

int main(void)
{
    struct studied test;

    if (!studied_begin(&test))
        return tap_done();
    check_waiting(&test);
    check_few(&test);
    check_learned(&test);
    check_threads(&test);
    check_keywords(&test);
    check_behind(&test);
    check_predictions(&test);
    studied_end(&test);
    return tap_done();
}
