/* What a person might say of a text, from what was said of others: ridge regression of
 * one class against the rest, in its dual form, since texts are fewer than their
 * features.
 *
 * With K the products of all pairs of texts and G = (K + lambda I)^-1, the coefficients
 * of class c are G y_c, and what all texts but i say of i is exactly y_ic - (G y_c)_i /
 * G_ii (Rifkin and Lippert, "Notes on regularized least squares", MIT-CSAIL-TR-2007-025,
 * section 3): so how good the proposals are is known without learning again for each
 * text.
 *
 * A product is that of the words, and what is made of them, plus that of the runs of
 * letters: "preprocessing" is like "process", and a name of an API like its parts. Where
 * the other level of a text is known, texts of which the same was said are alike by that.
 *
 * To this comes the share of the words of a class's name that stand in the text, with a
 * weight that is chosen by what others but the text say; where ranks are told, by the
 * texts of other tenths, so that no text has a say in how it is judged itself. */
#include <math.h>
#include <string.h>

#include "base/idset.h"
#include "base/list.h"
#include "base/map.h"
#include "base/real.h"
#include "phrase/internal.h"
#include "text/words.h"

#define LAMBDA 0.8 /* scores hardly differ between 0.4 and 1 */

#define NAME_WEIGHT_STEP 0.05

enum { NAME_WEIGHTS = 9 }; /* from 0 on, in such steps */
enum { FOLDS = 10 };
enum { SENSES_LEARNED = 2 };       /* of a verb: rarer ones would say little */
enum { RUN_MIN = 3, RUN_MAX = 5 }; /* letters, blanks between words among them */
enum { OFTEN = 8 }; /* texts that have a feature: then what it says is added up once */

/* Kinds of features and their weights. */
enum kind {
    VERB,
    SENSE,
    WORD,
    VERB_WORD,
    PAIR,
    NEXT,
    VERB_NEXT,
    OBJECT,
    VERB_OBJECT,
    RUN,
    OTHER
};
static const struct {
    char letter;
    double weight;
} kinds[] = {
    [VERB] = {'v', 1.5},      [SENSE] = {'s', 0.3},  [WORD] = {'w', 1},
    [VERB_WORD] = {'x', 0.3}, [PAIR] = {'p', 0.5},   [NEXT] = {'n', 0.5},
    [VERB_NEXT] = {'y', 0.3}, [OBJECT] = {'o', 0.7}, [VERB_OBJECT] = {'z', 0.5},
    [RUN] = {'r', 1},         [OTHER] = {'l', 0.7},
};

struct phrase_cell {
    size_t feature;
    double value;
};

/* One text as a sparse row: words, of length 1, then runs of letters, of length 1, then
 * what the other level is, if that is known. */
struct phrase_row {
    struct phrase_cell *cells;
    size_t count, words, runs;
    size_t *stems; /* those that are in the name of some class */
    size_t stem_count;
};

struct model {
    struct map features;
    double *idf; /* of each feature that some text had */
    size_t known_features;
    struct phrase_row *rows;
    double *coefficients; /* rows x classes */
    size_t count, class_count;
    /* Of each feature the texts that have it, as cells of their numbers, from begin[f] to
     * begin[f + 1]; and what they say together, of each class; NULL: they are few. */
    struct phrase_cell *with;
    size_t *begin;
    double **said;
    /* Of each class the stems of its name, by number, from name_begin[c] on. */
    struct map stems;
    size_t *name_stems, *name_begin;
    double name_weight;
};

struct reader {
    struct model *model;
    bool enter; /* new features get a number; else they are left out */
    struct text_stem stem;
    struct buf key;
    LIST(struct phrase_cell) cells; /* of the row at hand */
    struct idset seen;              /* their features */
    struct arena *arena;
};

static void add(struct reader *reader, enum kind kind, struct str a, struct str b)
{
    struct map *features = &reader->model->features;

    buf_clear(&reader->key);
    buf_add_char(&reader->key, kinds[kind].letter);
    buf_add(&reader->key, a);
    buf_add_char(&reader->key, ' ');
    buf_add(&reader->key, b);
    const int64_t *place = map_get(features, buf_str(&reader->key));
    if (place == NULL && !reader->enter)
        return;
    size_t feature =
        place != NULL ? (size_t)*place : map_number(features, buf_str(&reader->key));
    if (idset_add(&reader->seen, (int64_t)feature))
        list_add(&reader->cells, ((struct phrase_cell){feature, kinds[kind].weight}));
}

/* Words that say nothing of what is done. */
static bool is_empty(struct str word)
{
    static const char *const words[] = {
        "how",  "to",  "in", "the", "a",   "an", "of",   "for",  "with",
        "from", "and", "on", "is",  "it",  "i",  "my",   "into", "by",
        "as",   "or",  "at", "be",  "can", "do", "that", "this", "when"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(word, str_from(words[i])))
            return true;
    return false;
}

/* The stems of a text's words but empty ones. */
static size_t stems_of(struct reader *reader, struct str text, struct str **out)
{
    struct buf lower = {0};
    struct text_words_reader words = text_words_open(text, 0, &lower);
    struct str word;
    LIST(struct str) stems = {0};

    while (text_words_next(&words, &word))
        if (!is_empty(word))
            list_add(&stems,
                     arena_copy(reader->arena, text_stem_word(&reader->stem, word)));
    size_t count = stems.count;
    *out = list_copy(&stems, reader->arena);
    list_free(&stems);
    buf_free(&lower);
    return count;
}

static void add_senses(struct reader *reader, struct str verb)
{
    struct phrase_wordnet_sense senses[PHRASE_WORDNET_SENSES];
    size_t count = phrase_wordnet_senses('v', verb, senses);

    for (size_t i = 0; i < 2 * count && i < 2 * SENSES_LEARNED; i++) {
        uint32_t synset = i % 2 == 0 ? senses[i / 2].synset : senses[i / 2].above;
        if (synset != 0)
            add(reader, SENSE, arena_format(reader->arena, "%x", (unsigned)synset),
                STR(""));
    }
}

/* Runs of the text in lower case, with one blank for whatever is no letter or digit. */
static void add_runs(struct reader *reader, struct str text)
{
    struct buf plain = {0};

    buf_add_char(&plain, ' ');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        bool upper = byte >= 'A' && byte <= 'Z';
        if (upper || byte >= 0x80 || (byte >= 'a' && byte <= 'z') ||
            (byte >= '0' && byte <= '9'))
            buf_add_char(&plain, (char)(upper ? byte - 'A' + 'a' : byte));
        else if (plain.ptr[plain.len - 1] != ' ')
            buf_add_char(&plain, ' ');
    }
    if (plain.ptr[plain.len - 1] != ' ')
        buf_add_char(&plain, ' ');
    for (size_t len = RUN_MIN; len <= RUN_MAX; len++)
        for (size_t i = 0; i + len <= plain.len; i++)
            add(reader, RUN, str_slice(buf_str(&plain), i, i + len), STR(""));
    buf_free(&plain);
}

static struct phrase_row read_row(struct reader *reader, struct str text,
                                  const struct phrase *phrase, struct str other)
{
    struct str *stems;
    size_t count = stems_of(reader, text, &stems);
    struct str behind = {0};
    struct phrase_row row = {.stems = arena_array(reader->arena, size_t, count + 1)};

    list_clear(&reader->cells);
    for (size_t i = 0; i < count; i++) {
        const int64_t *stem = map_get(&reader->model->stems, stems[i]);
        if (stem != NULL)
            row.stems[row.stem_count++] = (size_t)*stem;
    }
    if (phrase->verb.len > 0) {
        const char *end = phrase->words.ptr;
        while (end < text.ptr + text.len && *end != ' ')
            end++;
        behind = (struct str){end, (size_t)(text.ptr + text.len - end)};
        add(reader, VERB, phrase->verb, STR(""));
        add_senses(reader, phrase->verb);
    }
    for (size_t i = 0; i < count; i++) {
        add(reader, WORD, stems[i], STR(""));
        add(reader, VERB_WORD, phrase->verb, stems[i]);
        if (i > 0)
            add(reader, PAIR, stems[i - 1], stems[i]);
    }
    count = stems_of(reader, behind, &stems);
    for (size_t i = 0; i < count && i < 2; i++) {
        add(reader, NEXT, stems[i], STR(""));
        add(reader, VERB_NEXT, phrase->verb, stems[i]);
    }
    if (phrase->object.len > 0) {
        add(reader, OBJECT, phrase->object, STR(""));
        add(reader, VERB_OBJECT, phrase->verb, phrase->object);
    }
    row.words = reader->cells.count;
    add_runs(reader, text);
    row.runs = reader->cells.count - row.words;
    if (other.len > 0)
        add(reader, OTHER, other, STR(""));
    row.cells = list_copy(&reader->cells, reader->arena);
    row.count = reader->cells.count;
    idset_free(&reader->seen);
    return row;
}

static void read_names(struct reader *reader, const struct phrase_known *known)
{
    struct model *model = reader->model;
    LIST(size_t) all = {0};

    model->stems.arena = reader->arena;
    model->name_begin = arena_array(reader->arena, size_t, known->class_count + 1);
    for (size_t c = 0; c < known->class_count; c++) {
        struct str *stems;
        size_t count =
            known->names != NULL ? stems_of(reader, known->names[c], &stems) : 0;
        for (size_t i = 0; i < count; i++)
            list_add(&all, map_number(&model->stems, stems[i]));
        model->name_begin[c + 1] = all.count;
    }
    model->name_stems = list_copy(&all, reader->arena);
    list_free(&all);
}

/* The share of the words of each class's name that the text has. `has` is all false
 * before and after. */
static void find_named(const struct model *model, const struct phrase_row *row, bool *has,
                       double *named)
{
    for (size_t i = 0; i < row->stem_count; i++)
        has[row->stems[i]] = true;
    for (size_t c = 0; c < model->class_count; c++) {
        size_t begin = model->name_begin[c], count = model->name_begin[c + 1] - begin;
        size_t there = 0;
        for (size_t i = 0; i < count; i++)
            there += has[model->name_stems[begin + i]];
        named[c] = count > 0 ? (double)there / (double)count : 0;
    }
    for (size_t i = 0; i < row->stem_count; i++)
        has[row->stems[i]] = false;
}

/* Makes the length of some cells 1. */
static void scale(struct phrase_cell *cells, size_t count)
{
    double squares = 0;

    for (size_t i = 0; i < count; i++)
        squares += cells[i].value * cells[i].value;
    for (size_t i = 0; i < count && squares > 0; i++)
        cells[i].value /= sqrt(squares);
}

static void weigh(const struct model *model, struct phrase_row *row)
{
    for (size_t i = 0; i < row->words + row->runs; i++)
        row->cells[i].value *= model->idf[row->cells[i].feature];
    scale(row->cells, row->words);
    scale(row->cells + row->words, row->runs);
}

static void find_idf(struct model *model, struct arena *arena)
{
    model->known_features = model->features.count;
    model->idf = arena_array(arena, double, model->known_features + 1);
    for (size_t i = 0; i < model->count; i++)
        for (size_t c = 0; c < model->rows[i].count; c++)
            model->idf[model->rows[i].cells[c].feature]++;
    for (size_t f = 0; f < model->known_features; f++)
        model->idf[f] = real_log(((double)model->count + 1) / (model->idf[f] + 0.5));
}

/* K + lambda I below the diagonal and on it, row by row. */
static double *products(const struct model *model, struct arena *arena)
{
    size_t n = model->count;
    double *k = arena_array(arena, double, n *n + 1);

    for (size_t i = 0; i < n; i++) {
        double *row = k + i * n;
        for (size_t c = 0; c < model->rows[i].count; c++) {
            const struct phrase_cell *cell = &model->rows[i].cells[c];
            /* Texts ascend. */
            for (size_t w = model->begin[cell->feature]; model->with[w].feature < i; w++)
                row[model->with[w].feature] += cell->value * model->with[w].value;
            row[i] += cell->value * cell->value;
        }
        row[i] += LAMBDA;
    }
    return k;
}

/* Four sums at a time, in one order whatever the machine: additions that do not wait for
 * one another. */
static double dot(const double *a, const double *b, size_t count)
{
    double sums[4] = {0};
    size_t i = 0;

    for (; i + 4 <= count; i += 4)
        for (size_t s = 0; s < 4; s++)
            sums[s] += a[i + s] * b[i + s];
    for (; i < count; i++)
        sums[0] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* K = L L', in place (Cholesky). K is positive definite, since lambda is above 0. */
static void factor(double *k, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double rest = k[i * n + j] - dot(k + i * n, k + j * n, j);
            k[i * n + j] = i == j ? sqrt(rest) : rest / k[j * n + j];
        }
}

/* The transposed inverse of L: row j has column j of it from place j on. */
static double *invert(const double *l, size_t n, struct arena *arena)
{
    double *inverse = arena_array(arena, double, n *n + 1);

    for (size_t j = 0; j < n; j++) {
        double *column = inverse + j * n;
        column[j] = 1 / l[j * n + j];
        for (size_t i = j + 1; i < n; i++)
            column[i] = -dot(l + i * n + j, column + j, i - j) / l[i * n + i];
    }
    return inverse;
}

/* What all others but a text say of it: where its own class stands, and which is first.
 */
struct left_out {
    size_t rank, first;
};

/* From its coefficients, the part that classes have by their names and how many texts
 * have each class. Among equals its own comes last. */
static struct left_out leave_out(const double *own, double diagonal, size_t class,
                                 const double *named, double weight,
                                 const int64_t *members, size_t all)
{
    double right = 1 - own[class] / diagonal + weight * named[class], highest = -INFINITY;
    struct left_out left = {.first = class};

    for (size_t c = 0; c < all; c++) {
        double score = weight * named[c] - own[c] / diagonal;
        if (c == class || members[c] == 0)
            continue;
        left.rank += score >= right;
        if (score > highest) {
            highest = score;
            left.first = c;
        }
    }
    if (members[class] < 2)
        left.rank = PHRASE_NONE; /* nobody else ever said it */
    else if (left.rank == 0)
        left.first = class;
    return left;
}

/* G y_c for all classes, and what is said of each text when it is left out, with each
 * weight of names. With M the inverse of L, G = M'M. */
static void solve(struct model *model, const size_t *classes, const double *inverse,
                  struct arena *arena, struct left_out *left)
{
    size_t n = model->count, all = model->class_count;
    double *half = arena_array(arena, double, n *all + 1); /* M y_c */
    int64_t *members = arena_array(arena, int64_t, all + 1);
    double *named = arena_array(arena, double, all + 1);
    bool *has = arena_array(arena, bool, model->stems.count + 1);

    for (size_t j = 0; j < n; j++) {
        members[classes[j]]++;
        for (size_t i = j; i < n; i++)
            half[i * all + classes[j]] += inverse[j * n + i];
    }
    for (size_t i = 0; i < n; i++) {
        double *own = model->coefficients + i * all;
        double diagonal = dot(inverse + i * n + i, inverse + i * n + i, n - i);
        for (size_t j = i; j < n; j++) {
            double m = inverse[i * n + j];
            for (size_t c = 0; c < all; c++)
                own[c] += m * half[j * all + c];
        }
        find_named(model, &model->rows[i], has, named);
        for (size_t w = 0; w < NAME_WEIGHTS; w++)
            left[i * NAME_WEIGHTS + w] =
                leave_out(own, diagonal, classes[i], named, NAME_WEIGHT_STEP * (double)w,
                          members, all);
    }
}

/* The weight with which most texts but those of one fold have their class first; the
 * smallest of several. */
static size_t best_weight(const struct left_out *left, size_t count, size_t without)
{
    int64_t right[NAME_WEIGHTS] = {0};
    size_t best = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; i % FOLDS != without && w < NAME_WEIGHTS; w++)
            right[w] += left[i * NAME_WEIGHTS + w].rank == 0;
    for (size_t w = 1; w < NAME_WEIGHTS; w++)
        if (right[w] > right[best])
            best = w;
    return best;
}

static void choose_weight(struct model *model, const struct left_out *by_weight,
                          struct phrase_learned *out)
{
    for (size_t fold = 0; fold < FOLDS; fold++) {
        size_t weight = best_weight(by_weight, model->count, fold);
        for (size_t i = fold; i < model->count; i += FOLDS) {
            out->ranks[i] = by_weight[i * NAME_WEIGHTS + weight].rank;
            out->firsts[i] = by_weight[i * NAME_WEIGHTS + weight].first;
        }
    }
    model->name_weight =
        NAME_WEIGHT_STEP * (double)best_weight(by_weight, model->count, FOLDS);
}

/* sums += factor * values, class by class. */
static void add_scaled(double *sums, const double *values, double factor, size_t count)
{
    for (size_t c = 0; c < count; c++)
        sums[c] += factor * values[c];
}

/* What the texts that have a feature say of a text in which it weighs so much. */
static void add_said(const struct model *model, struct phrase_cell cell, double *scores)
{
    for (size_t i = model->begin[cell.feature]; i < model->begin[cell.feature + 1]; i++)
        add_scaled(scores,
                   model->coefficients + model->with[i].feature * model->class_count,
                   cell.value * model->with[i].value, model->class_count);
}

static void turn_to_features(struct model *model, struct arena *arena)
{
    size_t features = model->known_features, cells = 0;

    model->begin = arena_array(arena, size_t, features + 2);
    for (size_t i = 0; i < model->count; i++) {
        cells += model->rows[i].count;
        for (size_t c = 0; c < model->rows[i].count; c++)
            model->begin[model->rows[i].cells[c].feature + 1]++;
    }
    for (size_t f = 1; f <= features; f++)
        model->begin[f] += model->begin[f - 1];
    size_t *next = arena_array(arena, size_t, features + 1);
    memcpy(next, model->begin, features * sizeof *next);
    model->with = arena_array(arena, struct phrase_cell, cells + 1);
    for (size_t i = 0; i < model->count; i++)
        for (size_t c = 0; c < model->rows[i].count; c++) {
            const struct phrase_cell *cell = &model->rows[i].cells[c];
            model->with[next[cell->feature]++] = (struct phrase_cell){i, cell->value};
        }
}

static void add_up(struct model *model, struct arena *arena)
{
    size_t features = model->known_features;

    model->said = arena_array(arena, double *, features + 1);
    for (size_t f = 0; f < features; f++)
        if (model->begin[f + 1] - model->begin[f] >= OFTEN) {
            double *said = arena_array(arena, double, model->class_count + 1);
            add_said(model, (struct phrase_cell){f, 1}, said);
            model->said[f] = said;
        }
}

void phrase_learn(const struct phrase_known *known, struct arena *arena,
                  struct phrase_learned *out)
{
    size_t every =
        known->count / PHRASE_LEARN_MAX + (known->count % PHRASE_LEARN_MAX > 0);
    struct model *model = arena_array(arena, struct model, 1);
    struct arena scratch = {0};
    struct reader reader = {.model = model, .enter = true, .arena = arena};

    *out = (struct phrase_learned){.model = model, .arena = arena};
    if (known->count < 2)
        return;
    size_t *classes = arena_array(arena, size_t, known->count + 1);
    out->places = arena_array(arena, size_t, known->count + 1);
    model->features.arena = arena;
    model->class_count = known->class_count;
    model->rows = arena_array(arena, struct phrase_row, known->count + 1);
    text_stem_open(&reader.stem);
    read_names(&reader, known);
    for (size_t i = 0; i < known->count; i += every) {
        model->rows[model->count] =
            read_row(&reader, known->texts[i], &known->phrases[i],
                     known->others != NULL ? known->others[i] : STR(""));
        classes[model->count] = known->classes[i];
        out->places[model->count++] = i;
    }
    text_stem_close(&reader.stem);
    list_free(&reader.cells);
    buf_free(&reader.key);
    find_idf(model, arena);
    for (size_t i = 0; i < model->count; i++)
        weigh(model, &model->rows[i]);
    out->count = model->count;
    out->ranks = arena_array(arena, size_t, model->count + 1);
    out->firsts = arena_array(arena, size_t, model->count + 1);
    model->coefficients =
        arena_array(arena, double, model->count * model->class_count + 1);
    turn_to_features(model, arena);
    double *k = products(model, &scratch);
    factor(k, model->count);
    struct left_out *by_weight =
        arena_array(&scratch, struct left_out, model->count * NAME_WEIGHTS + 1);
    solve(model, classes, invert(k, model->count, &scratch), &scratch, by_weight);
    choose_weight(model, by_weight, out);
    arena_free(&scratch);
    add_up(model, arena);
}

/* Keeps the best so far, earlier classes first among equals. */
static size_t keep_best(struct phrase_proposal *best, size_t count, size_t class,
                        double score)
{
    size_t at = count;

    while (at > 0 && best[at - 1].score < score)
        at--;
    if (at >= PHRASE_PROPOSALS)
        return count;
    if (count < PHRASE_PROPOSALS)
        count++;
    memmove(best + at + 1, best + at, (count - at - 1) * sizeof *best);
    best[at] = (struct phrase_proposal){class, score};
    return count;
}

size_t phrase_propose(const struct phrase_learned *learned, struct str text,
                      const struct phrase *phrase, struct str other,
                      struct phrase_proposal out[PHRASE_PROPOSALS])
{
    struct model *model = learned->model;
    struct arena arena = {0};
    struct reader reader = {.model = model, .arena = &arena};
    size_t count = 0;

    if (model->count < 2)
        return 0;
    double *scores = arena_array(&arena, double, model->class_count + 1);
    text_stem_open(&reader.stem);
    struct phrase_row row = read_row(&reader, text, phrase, other);
    text_stem_close(&reader.stem);
    list_free(&reader.cells);
    buf_free(&reader.key);
    weigh(model, &row);
    for (size_t i = 0; i < row.count; i++) {
        const double *said = model->said[row.cells[i].feature];
        if (said != NULL)
            add_scaled(scores, said, row.cells[i].value, model->class_count);
        else
            add_said(model, row.cells[i], scores);
    }
    double *named = arena_array(&arena, double, model->class_count + 1);
    find_named(model, &row, arena_array(&arena, bool, model->stems.count + 1), named);
    add_scaled(scores, named, model->name_weight, model->class_count);
    for (size_t c = 0; c < model->class_count; c++)
        if (scores[c] > 0)
            count = keep_best(out, count, c, scores[c]);
    arena_free(&arena);
    return count;
}
