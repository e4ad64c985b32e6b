/* labels.db with bytes flipped, zeroed or cut off and pages swapped or repeated, in many
 * seeded ways: each is refused with a message, or says what it said before. */
#include "base/rng.h"
#include "tests/unit/labelled.h"

enum { TRIALS = 300, WORDS_MAX = 40 };

/* All that is read from the labels: what raters did, what counts, and how far they agree.
 * NULL, with a message in in.err, when it is refused. */
static const char *results(struct labelled *test)
{
    static const enum label_layer layers[] = {LABEL_ACTS, LABEL_SAID, LABEL_FINAL};
    struct label_agreement_options options = {.resamples = 50};
    struct arena *arena = &test->in.arena;
    struct err *err = &test->in.err;
    struct label_agree_report report;
    struct buf out = {0};
    bool ok = labelled_open(test);

    for (size_t i = 0; i < ROWS(layers) && ok; i++) {
        struct label_export_options how = {.layer = layers[i]};
        ok = label_export(test->label, &how, &out, err);
    }
    ok = ok && label_agreement(test->label, &options, arena, &report, err);
    if (ok)
        buf_add_format(&out, "%.17g %.17g %.17g %.17g %zu", report.all.observed,
                       report.all.alpha.value, report.all.alpha.low,
                       report.all.alpha.high, report.disputed_count);
    const char *copy = ok ? arena_c_string(arena, buf_str(&out)) : NULL;
    buf_free(&out);
    labelled_close(test);
    return copy;
}

/* Three rounds with corrections and memos, decisions, a proposal: some dozens of pages.
 */
static void fill(struct labelled *test, struct rng *rng)
{
    static const char *const codes[] = {"data/parse", "data/load", "model", "unclear"};
    static const char *const raters[] = {"ann", "bob"};
    const struct label_task *task = label_task(test->label);

    int64_t round = labelled_round(test);
    for (int i = 0; i < 400; i++) {
        struct str code[] = {str_from(codes[rng_below(rng, ROWS(codes))])};
        struct buf memo = {0};
        for (uint64_t w = rng_below(rng, WORDS_MAX); w > 0; w--)
            buf_add(&memo, STR("because "));
        struct label_given given = {.rater = str_from(raters[i % 2]),
                                    .item = task->items[rng_below(rng, task->item_count)],
                                    .codes = code,
                                    .code_count = 1,
                                    .memo = buf_str(&memo),
                                    .seconds = rng_unit(rng)};
        CHECK(label_give(test->label, &given, &test->saved, &test->in.err));
        buf_free(&memo);
    }
    CHECK(labelled_end_round(test, round));
    for (size_t i = 0; i < 3; i++) {
        struct str code = STR("model");
        struct label_decision decision = {.item = task->items[i],
                                          .by = STR("eve"),
                                          .codes = &code,
                                          .code_count = 1,
                                          .reason = LABEL_SLIP};
        CHECK(label_decide(test->label, &decision, &test->in.err));
    }
}

enum way { FLIP, ZERO, SWAP, REPEAT, CUT, WAYS };

/* Damages bytes behind the first page, whose head SQLite itself looks at. */
static void damage(char *bytes, size_t *len, size_t page, enum way way, struct rng *rng)
{
    size_t pages = *len / page, at = page + rng_below(rng, *len - page);
    size_t one = 1 + rng_below(rng, pages - 1), other = 1 + rng_below(rng, pages - 1);

    switch (way) {
    case FLIP:
        bytes[at] = (char)(bytes[at] ^ (1 << rng_below(rng, 8)));
        break;
    case ZERO:
        for (size_t n = 1 + rng_below(rng, 100); n > 0 && at < *len; n--)
            bytes[at++] = 0;
        break;
    case SWAP:
        for (size_t i = 0; i < page; i++) {
            char byte = bytes[one * page + i];
            bytes[one * page + i] = bytes[other * page + i];
            bytes[other * page + i] = byte;
        }
        break;
    case REPEAT:
        memmove(bytes + one * page, bytes + other * page, page);
        break;
    case CUT:
    default:
        *len = at;
        break;
    }
}

int main(void)
{
    struct labelled test;
    struct rng rng = rng_seeded(17);
    struct str whole;
    size_t refused[WAYS] = {0}, same = 0;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    fill(&test, &rng);
    const char *expected = results(&test);
    const char *path = studied_path(&test.in, "labels.db");
    CHECK(expected != NULL);
    if (!CHECK(file_read(path, &test.in.arena, &whole, &test.in.err)))
        return tap_done();
    size_t page =
        (size_t)(unsigned char)whole.ptr[16] << 8 | (unsigned char)whole.ptr[17];
    CHECK(page >= 512 && whole.len > 20 * page);
    for (int i = 0; i < TRIALS; i++) {
        struct arena_mark mark = arena_mark(&test.in.arena);
        char *bytes = arena_array(&test.in.arena, char, whole.len);
        size_t len = whole.len;
        memcpy(bytes, whole.ptr, len);
        damage(bytes, &len, page, (enum way)(i % WAYS), &rng);
        CHECK(file_write(path, (struct str){bytes, len}, &test.in.err));
        tap_case("damage %d is refused, or changes nothing", i);
        const char *got = results(&test);
        if (got == NULL)
            CHECK(test.in.err.text[0] != '\0' && ++refused[i % WAYS] > 0);
        else
            CHECK(strcmp(got, expected) == 0 && ++same > 0);
        remove(studied_path(&test.in, "labels.db-wal"));
        remove(studied_path(&test.in, "labels.db-shm"));
        arena_rewind(&test.in.arena, mark);
    }
    tap_case("some of each kind are refused, and some do not matter");
    for (int way = 0; way < WAYS; way++)
        CHECK(refused[way] > 0);
    CHECK(same > 0);
    labelled_end(&test);
    return tap_done();
}
