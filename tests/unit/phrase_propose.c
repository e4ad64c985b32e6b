/* Proposals: leaving one out by formula is the same as learning without it. */
#include "phrase/phrase.h"

#include <time.h>

#include "base/buf.h"
#include "base/rng.h"
#include "tests/tap.h"

static const struct {
    const char *title;
    size_t class; /* 0 save, 1 load, 2 convert, 3 said once */
} known[] = {
    {"How to save a model", 0},
    {"How to store weights of a model", 0},
    {"How to save weights", 0},
    {"How to write a checkpoint to disk", 0},
    {"How to store a checkpoint", 0},
    {"How to load a model", 1},
    {"How to restore weights", 1},
    {"How to restore a checkpoint", 1},
    {"How to read weights", 1},
    {"How to load weights of a model", 1},
    {"How to convert a tensor", 2},
    {"How to turn a tensor into an array", 2},
    {"How to cast a tensor to int", 2},
    {"How to convert an image to a tensor", 2},
    {"How to turn an image into a tensor", 2},
    {"How to freeze a layer", 3},
};

enum { COUNT = sizeof known / sizeof *known };

static size_t place_of(size_t class, const struct phrase_proposal *best, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (best[i].class == class)
            return i;
    return PHRASE_NONE;
}

/* Two texts a class: one has its name, the other nothing that the first has. So only the
 * name can tell what the first is, and nothing the second. */
static void check_names(void)
{
    enum { CLASSES = 12 };
    struct arena arena = {0};
    struct str texts[2 * CLASSES], names[CLASSES];
    struct phrase phrases[2 * CLASSES];
    size_t classes[2 * CLASSES], first[2] = {0};
    struct phrase_learned learned;
    struct phrase_proposal best[PHRASE_PROPOSALS];

    for (size_t i = 0; i < 2 * CLASSES; i++) {
        char letter = (char)('a' + i / 2);
        names[i / 2] = arena_format(&arena, "merge z%cx", letter);
        texts[i] = arena_format(&arena, "How to %s", i % 2 == 0 ? "handle " : "do q");
        texts[i] = arena_format(&arena, "%.*s%c%cx", STR_ARG(texts[i]),
                                i % 2 == 0 ? 'z' : 'y', letter);
        phrases[i] = phrase_extract(texts[i], NULL, &arena);
        classes[i] = i / 2;
    }
    struct phrase_known known_texts = {texts,   phrases, classes, 2 * CLASSES,
                                       CLASSES, NULL,    NULL};
    for (int named = 0; named < 2; named++) {
        known_texts.names = named ? names : NULL;
        phrase_learn(&known_texts, &arena, &learned);
        for (size_t i = 0; i < 2 * CLASSES; i += 2)
            first[named] += learned.ranks[i] == 0;
    }
    tap_case("a class whose name is in a text, when nothing else tells");
    CHECK(first[0] < CLASSES / 2 && first[1] == CLASSES);
    struct str title = STR("How to look for a zcx");
    struct phrase phrase = phrase_extract(title, NULL, &arena);
    size_t count = phrase_propose(&learned, title, &phrase, STR(""), best);
    CHECK(count > 0 && best[0].class == 2);
    arena_free(&arena);
}

/* No word of one text is in another, and stems differ; parts of words tell. */
static void check_runs(void)
{
    static const char *const titles[] = {
        "How to handle ZipFoldReader",  "How to handle MyZipFolder",
        "How to handle QuartzWaveNet",  "How to handle BigQuartzWaver",
        "How to handle PlumTreeParser", "How to handle OurPlumTreeing",
    };
    enum { TITLES = sizeof titles / sizeof *titles };
    struct arena arena = {0};
    struct str texts[TITLES];
    struct phrase phrases[TITLES];
    size_t classes[TITLES];
    struct phrase_learned learned;
    struct phrase_proposal best[PHRASE_PROPOSALS];

    for (size_t i = 0; i < TITLES; i++) {
        texts[i] = str_from(titles[i]);
        phrases[i] = phrase_extract(texts[i], NULL, &arena);
        classes[i] = i / 2;
    }
    phrase_learn(&(struct phrase_known){texts, phrases, classes, TITLES, 3, NULL, NULL},
                 &arena, &learned);
    tap_case("words that share a part of theirs");
    for (size_t i = 0; i < TITLES; i++)
        CHECK(learned.ranks[i] == 0);
    struct str title = STR("How to handle a quartzwaved x");
    struct phrase phrase = phrase_extract(title, NULL, &arena);
    CHECK(phrase_propose(&learned, title, &phrase, STR(""), best) > 0 &&
          best[0].class == 1);
    arena_free(&arena);
}

/* Processor time of learning from two texts of so many words that nobody knows. */
static double seconds_of(size_t words)
{
    struct arena arena = {0};
    struct buf long_ones[2] = {0};
    struct str texts[2];
    struct phrase phrases[2] = {0};
    size_t classes[2] = {0, 1};
    struct rng rng = rng_seeded(words);
    struct phrase_learned learned;

    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < 8 * words; i++)
            buf_add_char(&long_ones[t],
                         i % 8 == 7 ? ' ' : (char)('a' + rng_below(&rng, 26)));
        texts[t] = buf_str(&long_ones[t]);
    }
    clock_t begin = clock();
    phrase_learn(&(struct phrase_known){texts, phrases, classes, 2, 2, NULL, NULL},
                 &arena, &learned);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    for (size_t t = 0; t < 2; t++)
        buf_free(&long_ones[t]);
    arena_free(&arena);
    return seconds;
}

/* A row of a table, or a body without a full stop, may be long. */
static void check_long(void)
{
    double once = seconds_of(2000);

    tap_case("eight times as long a text takes about eight times as long");
    CHECK(seconds_of(16000) < 30 * once);
}

/* Titles tell nothing; what was said at the other level does. */
static void check_others(void)
{
    static const struct {
        const char *title, *other;
        size_t class;
    } rows[] = {
        {"How to restore alpha", "model", 0}, {"How to restore beta", "model", 0},
        {"How to restore gamma", "model", 0}, {"How to restore delta", "weight", 1},
        {"How to restore eps", "weight", 1},  {"How to restore zeta", "weight", 1}};
    enum { ROWS = sizeof rows / sizeof *rows };
    struct arena arena = {0};
    struct str texts[ROWS], others[ROWS];
    struct phrase phrases[ROWS];
    size_t classes[ROWS], right = 0;
    struct phrase_learned alone, beside;
    struct phrase_proposal best[PHRASE_PROPOSALS];

    for (size_t i = 0; i < ROWS; i++) {
        texts[i] = str_from(rows[i].title);
        others[i] = str_from(rows[i].other);
        phrases[i] = phrase_extract(texts[i], NULL, &arena);
        classes[i] = rows[i].class;
    }
    struct phrase_known told = {texts, phrases, classes, ROWS, 2, NULL, NULL};
    phrase_learn(&told, &arena, &alone);
    told.others = others;
    phrase_learn(&told, &arena, &beside);
    for (size_t i = 0; i < ROWS; i++)
        right += alone.ranks[i] == 0;
    tap_case("the other level tells what titles do not");
    CHECK(right < ROWS);
    for (size_t i = 0; i < ROWS; i++)
        CHECK(beside.ranks[i] == 0);
    struct str title = STR("How to restore omega");
    struct phrase phrase = phrase_extract(title, NULL, &arena);
    CHECK(phrase_propose(&beside, title, &phrase, STR("weight"), best) > 0 &&
          best[0].class == 1);
    CHECK(phrase_propose(&beside, title, &phrase, STR("model"), best) > 0 &&
          best[0].class == 0);
    arena_free(&arena);
}

int main(void)
{
    struct arena arena = {0};
    struct str texts[COUNT], rest[COUNT];
    struct phrase phrases[COUNT], others[COUNT];
    size_t classes[COUNT], left[COUNT];
    struct phrase_learned all;
    struct phrase_proposal best[PHRASE_PROPOSALS];

    check_names();
    check_runs();
    check_others();
    check_long();
    for (size_t i = 0; i < COUNT; i++) {
        texts[i] = str_from(known[i].title);
        phrases[i] = phrase_extract(texts[i], NULL, &arena);
        classes[i] = known[i].class;
    }
    phrase_learn(&(struct phrase_known){texts, phrases, classes, COUNT, 4, NULL, NULL},
                 &arena, &all);
    CHECK(all.count == COUNT);

    tap_case("a class that nobody else has is proposed by nobody");
    CHECK(all.ranks[COUNT - 1] == PHRASE_NONE);
    CHECK(all.firsts[COUNT - 1] != known[COUNT - 1].class);

    /* Weights of rare words are those of all texts in the formula and of the rest alone
     * when learning anew, so places near the end may differ; the first must not. */
    size_t same = 0, firsts = 0;
    for (size_t i = 0; i + 1 < COUNT; i++) {
        struct phrase_learned without;
        size_t count = 0;
        for (size_t j = 0; j < COUNT; j++)
            if (j != i) {
                rest[count] = texts[j];
                others[count] = phrases[j];
                left[count++] = classes[j];
            }
        phrase_learn(&(struct phrase_known){rest, others, left, count, 4, NULL, NULL},
                     &arena, &without);
        size_t found = phrase_propose(&without, texts[i], &phrases[i], STR(""), best);
        same += (place_of(classes[i], best, found) == 0) == (all.ranks[i] == 0);
        firsts += found > 0 && best[0].class == all.firsts[i];
        CHECK((all.ranks[i] == 0) == (all.firsts[i] == classes[i]));
    }
    tap_case("left out by formula as by learning anew");
    CHECK(same == COUNT - 1);
    CHECK(firsts == COUNT - 1);

    tap_case("a title like others");
    struct str title = STR("How to load a checkpoint of weights");
    struct phrase phrase = phrase_extract(title, NULL, &arena);
    CHECK(phrase_propose(&all, title, &phrase, STR(""), best) > 0);
    CHECK(best[0].class == 1);
    CHECK(best[0].score > 0.3 && best[0].score < 1.5);

    tap_case("nothing is proposed from nothing");
    phrase_learn(&(struct phrase_known){0}, &arena, &all);
    CHECK(phrase_propose(&all, title, &phrase, STR(""), best) == 0);

    tap_case("synonyms are merged into the more frequent");
    const size_t beside[4] = {0, 1, 2, 3};
    struct phrase_term terms[] = {
        {.name = STR("calculate"), .count = 4, .beside = beside},
        {.name = STR("freeze"), .count = 2, .beside = beside},
        {.name = STR("compute"), .count = 1, .beside = beside}};
    struct phrase_merge *merges;
    size_t merge_count =
        phrase_merges(&(struct phrase_terms){terms, 3, 'v', 4, 0}, &arena, &merges);
    CHECK(merge_count > 0);
    bool found = false;
    for (size_t i = 0; i < merge_count; i++)
        found |= merges[i].from == 2 && merges[i].into == 0 && merges[i].synonyms == 1;
    CHECK(found);
    arena_free(&arena);
    return tap_done();
}
