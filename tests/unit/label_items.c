/* The items of a task: draw order of samples, a random one for sets, several sources in
 * proportion, each item once. */
#include "tests/unit/labelled.h"

static const char *order(struct labelled *test)
{
    const struct label_task *task = label_task(test->label);
    struct buf text = {0};

    for (size_t i = 0; i < task->item_count; i++)
        buf_add_format(&text, "%lld ", (long long)task->items[i]);
    const char *copy = arena_c_string(&test->in.arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

static void relabel(struct labelled *test, const char *sample)
{
    struct buf text = {0};

    buf_add_format(&text,
                   "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\nsamples: {all: "
                   "{of: x, size: 12, seed: 1}, few: {of: x, size: 3, seed: 1}}\n"
                   "codebooks: {bugs: k.yaml}\nlabelling: {bugs: {sample: %s, raters: "
                   "[ann, bob], seed: 5}}\n",
                   sample);
    buf_add_char(&text, '\0');
    studied_write(&test->in, "study.yaml", text.ptr);
    buf_free(&text);
    CHECK(labelled_open(test));
}

int main(void)
{
    struct labelled test;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    tap_case("a sample keeps its draw order");
    CHECK_TEXT(order(&test), "11 5 9 25 3 20 21 32 34 38 2 7 ");

    tap_case("of two samples, any front part has each in its proportion");
    labelled_items(&test, "samples.few", "101 102 103");
    relabel(&test, "[all, few]");
    CHECK_TEXT(order(&test), "11 5 101 9 25 3 20 102 21 32 34 38 103 2 7 ");

    tap_case("an item of both is there once");
    labelled_items(&test, "samples.few", "11 5 103");
    relabel(&test, "[all, few]");
    CHECK_TEXT(order(&test), "11 5 9 25 3 20 21 32 34 38 103 2 7 ");

    tap_case("a set is shuffled by the seed, and keeps its order when it grows");
    labelled_items(&test, "sets.x", "1 2 3 4 5 6");
    relabel(&test, "x");
    CHECK(label_task(test.label)->item_count == 6);
    const char *before = order(&test);
    CHECK(strcmp(before, "1 2 3 4 5 6 ") != 0);
    labelled_items(&test, "sets.x", "1 2 3 4 5 6 7");
    relabel(&test, "x");
    struct buf without = {0};
    const struct label_task *task = label_task(test.label);
    for (size_t i = 0; i < task->item_count; i++)
        if (task->items[i] != 7)
            buf_add_format(&without, "%lld ", (long long)task->items[i]);
    buf_add_char(&without, '\0');
    CHECK_TEXT(without.ptr, before);
    buf_free(&without);
    labelled_end(&test);
    return tap_done();
}
