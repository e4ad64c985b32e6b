/* Talk about an item: only when its round is closed, by people of the task, each act
 * once, in order, and in no label. */
#include "tests/unit/labelled.h"

static bool say(struct labelled *test, const char *by, int64_t item, struct str text,
                const char *key, int64_t *id)
{
    struct label_remark remark = {
        .by = str_from(by), .item = item, .text = text, .client_key = str_from(key)};

    test->in.err = (struct err){0};
    bool ok = label_remark(test->label, &remark, &test->in.err);
    *id = remark.id;
    return ok;
}

static void check_refusals(struct labelled *test)
{
    static char long_text[20001];
    int64_t id;

    memset(long_text, 'x', sizeof long_text);
    tap_case("refused: by nobody, empty, too long, an item of no round");
    CHECK(!say(test, "mallory", 11, STR("hello"), "", &id));
    CHECK_TEXT(test->in.err.text, "there is nobody called 'mallory' in this task");
    CHECK(!say(test, "ann", 11, STR(" \n"), "", &id));
    CHECK_TEXT(test->in.err.text, "a remark has from 1 to 20000 bytes; found 2");
    CHECK(!say(test, "ann", 11, (struct str){long_text, sizeof long_text}, "", &id));
    CHECK_TEXT(test->in.err.text, "a remark has from 1 to 20000 bytes; found 20001");
    CHECK(!say(test, "ann", 999, STR("hello"), "", &id));
}

int main(void)
{
    struct labelled test;
    struct label_remark *remarks;
    int64_t first, again, second;
    size_t count;
    bool over;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    int64_t round = labelled_round(&test);
    CHECK(labelled_give(&test, "ann", 11, "model", "k1"));
    tap_case("not while the round is open");
    CHECK(label_is_over(test.label, 11, &over, &test.in.err) && !over);
    CHECK(!say(&test, "ann", 11, STR("Why?"), "", &first));
    CHECK_TEXT(test.in.err.text, "an item can be talked about when its round is closed");
    CHECK(labelled_end_round(&test, round));
    check_refusals(&test);

    tap_case("then by whoever belongs to the task; what is sent twice is there once");
    CHECK(label_is_over(test.label, 11, &over, &test.in.err) && over);
    CHECK(say(&test, "ann", 11, STR("Why not data?"), "r1", &first) && first > 0);
    CHECK(say(&test, "ann", 11, STR("Why not data?"), "r1", &again) && again == first);
    CHECK(say(&test, "eve", 11,
              STR("\xd0\x9f\xd0\xbe\xd1\x82\xd0\xbe\xd0\xbc\xd1\x83 \xe5\xbf\x98"), "r2",
              &second) &&
          second > first);
    CHECK(label_remarks(test.label, 11, &test.in.arena, &remarks, &count, &test.in.err) &&
          count == 2);
    if (count == 2) {
        CHECK(str_eq(remarks[0].by, STR("ann")) && remarks[0].round == round &&
              remarks[0].item == 11 && remarks[0].at_ms > 0);
        CHECK(str_eq(remarks[1].text,
                     STR("\xd0\x9f\xd0\xbe\xd1\x82\xd0\xbe\xd0\xbc\xd1\x83 "
                         "\xe5\xbf\x98")));
    }
    CHECK(label_remarks(test.label, 5, &test.in.arena, &remarks, &count, &test.in.err) &&
          count == 0);

    tap_case("a label stays what it was, also when read anew");
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "model");
    CHECK(labelled_open(&test));
    CHECK(label_remarks(test.label, 11, &test.in.arena, &remarks, &count, &test.in.err) &&
          count == 2);
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "model");
    labelled_end(&test);
    return tap_done();
}
