/* Opening a task: what can be wrong; people and their tokens; versions of the codebook;
 * transactions. */
#include "label/label.h"

#include <string.h>
#include <sys/stat.h>

#include "store/acts.h"
#include "tests/unit/labelled.h"

static const struct {
    const char *name, *study, *message;
} wrong[] = {
    {"no labelling", LABELLED_HEAD, "the study has no `labelling`"},
    {"two tasks",
     LABELLED_HEAD "labelling: {bugs: {sample: all, raters: [a]}, "
                   "more: {sample: all, raters: [a], codebook: bugs}}\n",
     "say which with --task"},
};

static void test_wrong(void)
{
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct labelled test;
        tap_case("wrong: %s", wrong[i].name);
        if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
            continue;
        studied_write(&test.in, "study.yaml", wrong[i].study);
        CHECK(!labelled_open(&test) && test.in.err.kind != ERR_NONE);
        if (!CHECK(strstr(test.in.err.text, wrong[i].message) != NULL))
            CHECK_TEXT(test.in.err.text, wrong[i].message);
        labelled_end(&test);
    }
}

static void test_missing(struct labelled *test)
{
    struct label *label;

    tap_case("an unknown task, with the nearest");
    CHECK(!label_open(&test->study, STR("bug"), &label, &test->in.told, &test->in.err));
    CHECK_TEXT(test->in.err.text,
               "the study has no labelling task 'bug'; did you mean 'bugs'?");

    tap_case("items that are not there yet");
    file_remove(studied_path(&test->in, "out/results/samples.all.result"));
    CHECK(!labelled_open(test) && test->in.err.kind == ERR_INPUT);
    CHECK(strstr(test->in.err.text, "make them with 'assay run'") != NULL);

    tap_case("items that are not as they were written");
    studied_write(&test->in, "out/results/samples.all.result", "id\n11\n");
    CHECK(!labelled_open(test) && test->in.err.kind == ERR_INPUT);
    CHECK(strstr(test->in.err.text, "out/results/samples.all.result:1: found 'id'") !=
          NULL);
    labelled_items(test, "samples.all", LABELLED_ITEMS);

    tap_case("labels of another study");
    studied_write(
        &test->in, "study.yaml",
        "study: t\nsource: {posts: p.csv}\nsets: {x: '[x]'}\n"
        "samples: {all: {of: x, size: 12, seed: 1}}\ncodebooks: {bugs: k.yaml}\n"
        "labelling: {bugs: {sample: all, raters: [ann, bob]}}\n");
    CHECK(!labelled_open(test) && test->in.err.kind == ERR_INPUT);
    CHECK(strstr(test->in.err.text, "not those of 't'") != NULL);
    studied_write(&test->in, "study.yaml", LABELLED_STUDY);
    CHECK(labelled_open(test));
}

static void test_people(struct labelled *test)
{
    const struct label_person *people, *found;
    struct str ann, again, bob;

    tap_case("people and their roles");
    if (CHECK(label_people(test->label, &people) == 3)) {
        CHECK(str_eq(people[0].name, STR("ann")) && people[0].roles == LABEL_RATER);
        CHECK(str_eq(people[2].name, STR("eve")) &&
              people[2].roles == (LABEL_ARBITER | LABEL_LEAD));
    }

    tap_case("a token is long, the person's own, and stays");
    CHECK(label_token(test->label, STR("ann"), &test->in.arena, &ann, &test->in.err));
    CHECK(label_token(test->label, STR("bob"), &test->in.arena, &bob, &test->in.err));
    CHECK(labelled_open(test));
    CHECK(label_token(test->label, STR("ann"), &test->in.arena, &again, &test->in.err));
    CHECK(ann.len == 32 && str_eq(ann, again) && !str_eq(ann, bob));
    CHECK(label_find_token(test->label, bob, &found, &test->in.err));
    CHECK(found != NULL && str_eq(found->name, STR("bob")));

    tap_case("nobody has a wrong token");
    CHECK(label_find_token(test->label, STR(""), &found, &test->in.err) && found == NULL);
    CHECK(label_find_token(test->label, str_slice(bob, 0, 31), &found, &test->in.err) &&
          found == NULL);
    CHECK(label_find_token(test->label, STR("00000000000000000000000000000000"), &found,
                           &test->in.err) &&
          found == NULL);
    CHECK(
        !label_token(test->label, STR("mallory"), &test->in.arena, &ann, &test->in.err) &&
        test->in.err.kind == ERR_INPUT);
}

static bool count_row(void *context, const void *row, struct err *err)
{
    (void)row, (void)err;
    ++*(int64_t *)context;
    return true;
}

static bool is_private(struct labelled *test, const char *name)
{
    struct stat status;

    return CHECK(stat(studied_path(&test->in, name), &status) == 0) &&
           (status.st_mode & 0777) == 0600;
}

/* Whether the bytes of the file, or of the log beside it, hold a text. */
static bool file_holds(struct labelled *test, const char *name, struct str text)
{
    struct str bytes;
    bool found = false;

    if (!file_exists(studied_path(&test->in, name)) ||
        !CHECK(file_read(studied_path(&test->in, name), &test->in.arena, &bytes,
                         &test->in.err)))
        return false;
    for (size_t i = 0; !found && i + text.len <= bytes.len; i++)
        found = memcmp(bytes.ptr + i, text.ptr, text.len) == 0;
    return found;
}

static void test_tokens(void)
{
    static const struct str plain = STR_INIT("00112233445566778899aabbccddeeff");
    const struct label_person *found;
    struct store_acts *acts;
    struct labelled test;
    struct str token, other;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    tap_case("labels.db and links are for their owner; no token is in labels.db");
    CHECK(label_token(test.label, STR("bob"), &test.in.arena, &token, &test.in.err));
    labelled_close(&test);
    CHECK(is_private(&test, "labels.db") && is_private(&test, ".assay-links"));
    CHECK(!file_holds(&test, "labels.db", token) &&
          file_holds(&test, ".assay-links", token));

    tap_case("a token that an older assay left there is moved, and stays valid");
    struct store_acts_token row = {
        .task = STR("bugs"), .person = STR("ann"), .token = plain};
    if (CHECK(store_acts_open(studied_path(&test.in, "labels.db"), STR("s"), &acts,
                              &test.in.err))) {
        CHECK(store_acts_add(acts, STORE_ACTS_TOKEN, &row, &test.in.err));
        store_acts_close(acts);
    }
    CHECK(file_holds(&test, "labels.db", plain) && labelled_open(&test));
    CHECK(!file_holds(&test, "labels.db", plain) &&
          !file_holds(&test, "labels.db-wal", plain));
    CHECK(label_find_token(test.label, plain, &found, &test.in.err) && found != NULL &&
          str_eq(found->name, STR("ann")));
    CHECK(label_token(test.label, STR("ann"), &test.in.arena, &other, &test.in.err) &&
          str_eq(other, plain));

    tap_case("without the file of links there are new ones, and old ones are worth "
             "nothing");
    file_remove(studied_path(&test.in, ".assay-links"));
    CHECK(label_token(test.label, STR("ann"), &test.in.arena, &other, &test.in.err) &&
          !str_eq(other, plain));
    CHECK(label_find_token(test.label, plain, &found, &test.in.err) && found == NULL);
    CHECK(label_find_token(test.label, other, &found, &test.in.err) && found != NULL);
    labelled_end(&test);
}

/* What a copy of labels.db, which is elsewhere, has of acts. */
static int64_t copied_acts(struct labelled *test, const char *name, struct str bytes)
{
    struct store_acts *acts;
    int64_t count = 0;

    CHECK(file_write(studied_path(&test->in, name), bytes, &test->in.err));
    if (CHECK(store_acts_open(studied_path(&test->in, name), STR("s"), &acts,
                              &test->in.err))) {
        CHECK(store_acts_each(acts, STORE_ACTS_ACT, 0, count_row, &count, &test->in.err));
        store_acts_close(acts);
    }
    return count;
}

static void test_copies(void)
{
    struct labelled test;
    struct buf copy = {0};
    struct str bytes;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    CHECK(labelled_round(&test) != 0);
    for (size_t i = 0; i < 3; i++)
        CHECK(labelled_give(&test, "ann", 11, i % 2 == 0 ? "model" : "unclear", ""));
    tap_case("a copy has what was said a moment ago");
    CHECK(label_copy(test.label, &copy, &test.in.err));
    CHECK(copied_acts(&test, "copy.db", buf_str(&copy)) == 3);
    tap_case("so has the file alone, once the log has been settled");
    label_settle(test.label);
    CHECK(file_read(studied_path(&test.in, "labels.db"), &test.in.arena, &bytes,
                    &test.in.err));
    CHECK(copied_acts(&test, "alone.db", bytes) == 3);
    buf_free(&copy);
    labelled_end(&test);
}

static void test_versions(struct labelled *test)
{
    struct label_version *versions;
    struct label_said *reviews;
    size_t count;
    int64_t round = labelled_fill(test);

    tap_case("a new version carries labels over, and asks for those it cannot");
    CHECK(labelled_end_round(test, round));
    studied_write(
        &test->in, "k.yaml",
        "codebook: bugs\ncodes: {data: {codes: {load: Loading, read: Reading}}, "
        "net: Net, fit: Fit}\nspecial: {unclear: Unclear}\nchanges:\n"
        "  - {merge: data/parse, into: data/read, reason: same}\n"
        "  - {split: model, into: [net, fit], reason: two}\n");
    CHECK(labelled_open(test));
    CHECK_TEXT(test->in.err.text, "");
    CHECK_TEXT(labelled_says(test, "ann", round, 11), "data/read");
    CHECK_TEXT(labelled_says(test, "ann", round, 5), "model");
    CHECK(label_reviews(test->label, STR("bob"), &test->in.arena, &reviews, &count,
                        &test->in.err) &&
          count == 3);
    CHECK(label_reviews(test->label, STR(""), &test->in.arena, &reviews, &count,
                        &test->in.err));
    if (CHECK(count == 9)) { /* 6 of ann, 3 of bob, who said unclear to the others */
        CHECK(str_eq(reviews[0].review, STR("split model into net, fit: two")));
        struct str codes[] = {STR("net")};
        struct label_given given = {
            .rater = reviews[0].rater, .codes = codes, .code_count = 1, .seconds = 1};
        CHECK(label_review(test->label, reviews[0].act, &given, &test->saved,
                           &test->in.err));
        CHECK_TEXT(labelled_says(test, "ann", round, reviews[0].item), "net");
        CHECK(!label_review(test->label, reviews[0].act, &given, &test->saved,
                            &test->in.err));
        CHECK(label_reviews(test->label, STR(""), &test->in.arena, &reviews, &count,
                            &test->in.err) &&
              count == 8);
    }

    tap_case("both versions are known, with what was made under them");
    CHECK(label_versions(test->label, &test->in.arena, &versions, &count, &test->in.err));
    CHECK(count == 2 && versions[0].acts == 24 && versions[1].acts == 1);
    CHECK(str_eq(versions[0].text, STR(LABELLED_CODEBOOK)));

    tap_case("changes that labels rest on cannot be dropped");
    studied_write(&test->in, "k.yaml", "codebook: bugs\ncodes: {a: A}\n");
    CHECK(!labelled_open(test) && test->in.err.kind == ERR_INPUT);
    CHECK(strstr(test->in.err.text, "k.yaml: the codebook's changes must go on") != NULL);
    studied_write(&test->in, "k.yaml", LABELLED_CODEBOOK);
    CHECK(labelled_open(test)); /* a version known already may come back */
}

static void test_transactions(void)
{
    struct labelled test;

    tap_case("several acts at once, or none");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    int64_t round = labelled_round(&test);
    CHECK(label_begin(test.label, &test.in.err));
    CHECK(labelled_give(&test, "ann", 11, "model", "k"));
    CHECK(labelled_give(&test, "ann", 5, "model", ""));
    CHECK_TEXT(labelled_says(&test, "ann", round, 5), "model");
    label_rollback(test.label);
    CHECK_TEXT(labelled_says(&test, "ann", round, 5), "-");
    CHECK(label_begin(test.label, &test.in.err));
    CHECK(labelled_give(&test, "ann", 11, "model", "k") && !test.saved.repeated);
    CHECK(!labelled_give(&test, "ann", 11, "modl", "") && test.in.err.kind == ERR_INPUT);
    CHECK(label_commit(test.label, &test.in.err));
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "model");
    CHECK(labelled_open(&test));
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "model");
    labelled_end(&test);
}

int main(void)
{
    struct labelled test;

    test_wrong();
    if (labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK)) {
        test_missing(&test);
        test_people(&test);
        test_versions(&test);
        labelled_end(&test);
    }
    test_transactions();
    test_tokens();
    test_copies();
    return tap_done();
}
