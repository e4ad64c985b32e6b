/* Tables of what moved between two runs. Tests take the two for independent samples;
 * where they share items, as a newer dump does with an older one, they find too little
 * rather than too much, which a note says. */
#include "run/comparing.h"

#include <math.h>
#include <stdlib.h>

#include "base/date.h"
#include "base/file.h"
#include "base/map.h"
#include "base/order.h"
#include "learn/model.h"
#include "measure/frame.h"
#include "run/labelling.h"
#include "run/output.h"
#include "run/texts.h"
#include "sample/size.h"
#include "stats/adjust.h"
#include "stats/contingency.h"
#include "verify/verify.h"

enum { WORDS_SHOWN = 15, WORD_POSTS_MIN = 5 };
#define PRIOR_WORDS 500.0

/* What is known of one run. */
struct comparing_run {
    const struct run_comparing_side *side;
    struct store *corpus; /* NULL: it has none */
    struct measure_frame frame;
};

enum { THEN, NOW };

struct compared_runs {
    struct comparing_run runs[2];
    bool corpora;              /* both have one */
    int64_t shared, moved;     /* items of one key, and those of another moment */
    bool strangers;            /* one key is not one item: these are two sites */
    struct measure_bits fresh; /* items of the newer run that the older one has not */
    struct arena *arena;
    struct result_table *out;
    size_t count;
};

static bool open_run(struct comparing_run *run, struct arena *arena, struct err *err)
{
    const char *path = file_join(run->side->study->home, "corpus.db", arena);

    return !file_exists(path) ||
           (store_open(path, run->side->study->servers, &run->corpus, err) &&
            measure_frame_load(run->corpus, NULL, 0, run->side->study, arena, &run->frame,
                               err));
}

/* The id that an item of the older run has in the newer one; ITEM_NONE: it is not called
 * anything there. */
static int64_t id_now(const struct compared_runs *comparing, int64_t id)
{
    const struct comparing_run *runs = comparing->runs;

    return comparing->strangers ? ITEM_NONE
                                : item_key_elsewhere(&runs[THEN].side->study->spaces, id,
                                                     &runs[NOW].side->study->spaces);
}

/* Where the item is in the newer run's frame; its count: nowhere. */
static size_t item_now(const struct compared_runs *comparing, int64_t id)
{
    return measure_frame_find(&comparing->runs[NOW].frame, id_now(comparing, id));
}

/* Where no site is named, two studies of different ones have the same numbers; but a
 * post keeps the moment at which it was written. */
static void find_strangers(struct compared_runs *comparing)
{
    const struct measure_frame *then = &comparing->runs[THEN].frame,
                               *now = &comparing->runs[NOW].frame;

    for (size_t i = 0; i < then->count; i++) {
        size_t item = item_now(comparing, then->ids[i]);
        if (item == now->count || then->created_ms[i] == ITEM_NONE ||
            now->created_ms[item] == ITEM_NONE)
            continue;
        comparing->shared++;
        comparing->moved += then->created_ms[i] != now->created_ms[item];
    }
    comparing->strangers = 2 * comparing->moved > comparing->shared;
}

static void find_fresh(struct compared_runs *comparing)
{
    const struct measure_frame *then = &comparing->runs[THEN].frame;
    size_t count = comparing->runs[NOW].frame.count;
    struct measure_bits known = measure_bits_make(count, comparing->arena);

    for (size_t i = 0; i < then->count; i++) {
        size_t item = item_now(comparing, then->ids[i]);
        if (item < count)
            measure_bits_set(known, item);
    }
    comparing->fresh = measure_bits_make(count, comparing->arena);
    for (size_t i = 0; i < count; i++)
        if (!measure_bits_has(known, i))
            measure_bits_set(comparing->fresh, i);
}

static void keep(struct compared_runs *comparing, struct result_table table)
{
    if (table.row_count > 0)
        comparing->out[comparing->count++] = table;
}

/* Sets. */

static bool has_id(const int64_t *ids, size_t count, int64_t id)
{
    size_t place;

    ORDER_SEEK(place, count, ids[place] < id);
    return place < count && ids[place] == id;
}

/* Of a set's items: those whose answer may be accepted, without one, and half the time
 * that the others took. */
struct difficulty {
    int64_t known, without;
    double median; /* hours; NAN: none */
};

static struct difficulty difficulty_of(const struct comparing_run *run,
                                       const int64_t *ids, size_t count,
                                       struct arena *arena)
{
    const struct measure_frame *frame = &run->frame;
    double *hours = arena_array(arena, double, count + 1);
    struct difficulty out = {.median = NAN};
    size_t took = 0;

    for (size_t i = 0; i < count && run->corpus != NULL; i++) {
        size_t item = measure_frame_find(frame, ids[i]);
        if (item == frame->count || !measure_bits_has(frame->accepted_known, item))
            continue;
        out.known++;
        out.without += !measure_bits_has(frame->accepted, item);
        if (measure_bits_has(frame->accepted, item) &&
            frame->accepted_ms[item] != ITEM_NONE &&
            frame->accepted_ms[item] >= frame->created_ms[item])
            hours[took++] =
                (double)(frame->accepted_ms[item] - frame->created_ms[item]) / 3600000;
    }
    order_reals(hours, took);
    if (took > 0)
        out.median = (hours[(took - 1) / 2] + hours[took / 2]) / 2;
    return out;
}

/* Whether a run has made a step; one that waits for labels has nothing to show. */
static bool is_made(const struct compared_runs *comparing, size_t run, const char *kind,
                    struct str name)
{
    return run_output_there(
        comparing->runs[run].side->study->home,
        arena_format(comparing->arena, "%s.%.*s", kind, STR_ARG(name)), comparing->arena);
}

static bool read_set(const struct comparing_run *run, struct str name,
                     struct arena *arena, int64_t **ids, size_t *count, struct err *err)
{
    if (!run_output_read_ids(run->side->study->home, "sets", name, arena, ids, count,
                             err))
        return false;
    order_ints(*ids, *count);
    return true;
}

static struct result_cell share_cell(int64_t x, int64_t n)
{
    return result_number(n > 0 ? (double)x / (double)n : NAN);
}

static bool compare_sets(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items then")},
        {.type = RESULT_COUNT, .name = STR_INIT("now")},
        {.type = RESULT_COUNT, .name = STR_INIT("in both")},
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("without accepted then")},
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("without accepted now")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p")},
        {.type = RESULT_REAL, .digits = 1, .name = STR_INIT("median hours then")},
        {.type = RESULT_REAL, .digits = 1, .name = STR_INIT("median hours now")}};
    const struct study *old = comparing->runs[THEN].side->study,
                       *new = comparing->runs[NOW].side->study;
    struct arena *arena = comparing->arena;
    struct result_table table =
        result_from("sets", "set", columns, ROWS_OF(columns), arena);

    for (size_t s = 0; s < old->set_count; s++) {
        struct str name = old->sets[s].name;
        int64_t *ids[2], both = 0;
        size_t counts[2];
        if (study_find_set(new, name) == STUDY_NONE ||
            !is_made(comparing, THEN, "sets", name) ||
            !is_made(comparing, NOW, "sets", name))
            continue;
        for (size_t r = 0; r < 2; r++)
            if (!read_set(&comparing->runs[r], name, arena, &ids[r], &counts[r], err))
                return false;
        for (size_t i = 0; i < counts[0]; i++)
            both += has_id(ids[NOW], counts[NOW], id_now(comparing, ids[THEN][i]));
        struct difficulty then = difficulty_of(&comparing->runs[THEN], ids[THEN],
                                               counts[THEN], arena),
                          now = difficulty_of(&comparing->runs[NOW], ids[NOW],
                                              counts[NOW], arena);
        struct stats_contingency_shares test =
            stats_contingency_two_shares((int64_t[]){then.without, now.without},
                                         (int64_t[]){then.known, now.known}, false, 0.95);
        struct result_cell *cells = result_add_row(&table, name, RESULT_NONE, arena);
        cells[0] = result_count((int64_t)counts[0]);
        cells[1] = result_count((int64_t)counts[1]);
        cells[2] = result_count(both);
        cells[3] = share_cell(then.without, then.known);
        cells[4] = share_cell(now.without, now.known);
        cells[5] = result_number(test.undefined == NULL ? test.test.p : NAN);
        cells[6] = result_number(then.median);
        cells[7] = result_number(now.median);
    }
    result_add_note(
        &table,
        STR("Tests take the two runs for independent samples; items in both make "
            "them find too little rather than too much."),
        arena);
    if (comparing->strangers)
        result_add_note(
            &table,
            arena_format(arena,
                         "%lld of %lld items with one key were not written at one "
                         "moment: the runs are of different sites, so no item is taken "
                         "for the same. The key site of a source says which it is.",
                         (long long)comparing->moved, (long long)comparing->shared),
            arena);
    keep(comparing, table);
    return true;
}

/* Numbers of tables. */

static const struct result_numbers *same_step(const struct run_comparing_side *side,
                                              struct str step)
{
    for (size_t i = 0; i < side->count; i++)
        if (str_eq(side->numbers[i].step, step))
            return &side->numbers[i];
    return NULL;
}

static struct str shown(const struct result_number *number, struct arena *arena)
{
    struct buf out = {0};

    if (number == NULL)
        return STR("-");
    result_numbers_show(number, number->value, &out);
    if (!isnan(number->low)) {
        buf_add(&out, STR(" ("));
        result_numbers_show(number, number->low, &out);
        buf_add(&out, STR(" to "));
        result_numbers_show(number, number->high, &out);
        buf_add_char(&out, ')');
    }
    return buf_keep(&out, arena);
}

/* Of how many items a share is; -1: it is weighted or corrected, and not of any. */
static int64_t items_counted(const struct result_number *share)
{
    double items = share->value * (double)share->n;

    return share->n > 0 && fabs(items - round(items)) < 1e-6 ? llround(items) : -1;
}

/* Two shares of counted items are tested. */
static double p_of(const struct result_number *then, const struct result_number *now)
{
    if (then->type != RESULT_SHARE || isnan(then->value) || isnan(now->value))
        return NAN;
    int64_t counts[] = {items_counted(then), items_counted(now)};
    if (counts[0] < 0 || counts[1] < 0)
        return NAN;
    struct stats_contingency_shares test =
        stats_contingency_two_shares(counts, (int64_t[]){then->n, now->n}, false, 0.95);
    return test.undefined == NULL ? test.test.p : NAN;
}

static bool looks_the_same(const struct result_number *then,
                           const struct result_number *now)
{
    struct buf values[2] = {0};

    result_numbers_show(then, then->value, &values[0]);
    result_numbers_show(now, now->value, &values[1]);
    bool same = str_eq(buf_str(&values[0]), buf_str(&values[1]));
    buf_free(&values[0]);
    buf_free(&values[1]);
    return same;
}

/* Numbers that look the same in both are not told. NULL: a run does not have it. */
static void add_number(struct compared_runs *comparing, struct result_table *table,
                       struct str step, const struct result_number *then,
                       const struct result_number *now)
{
    struct buf address = {0};

    if (then != NULL && now != NULL && looks_the_same(then, now))
        return;
    result_numbers_address(step, then != NULL ? then : now, &address);
    struct result_cell *cells = result_add_row(
        table, buf_keep(&address, comparing->arena), RESULT_NONE, comparing->arena);
    cells[0] = result_text(shown(then, comparing->arena));
    cells[1] = result_text(shown(now, comparing->arena));
    if (then != NULL && now != NULL) {
        cells[2] = result_number(then->value != 0 ? now->value / then->value : NAN);
        cells[3] = result_number(p_of(then, now));
    }
}

static void adjust(struct result_table *table, struct arena *arena)
{
    double *p = arena_array(arena, double, table->row_count + 1);
    size_t *rows = arena_array(arena, size_t, table->row_count + 1), count = 0;

    for (size_t r = 0; r < table->row_count; r++) {
        double value = table->cells[r * table->column_count + 3].value;
        if (isnan(value))
            continue;
        rows[count] = r;
        p[count++] = value;
    }
    double *adjusted = stats_adjust_holm((struct stats_values){p, count}, arena);
    for (size_t i = 0; i < count; i++)
        table->cells[rows[i] * table->column_count + 4] = result_number(adjusted[i]);
}

static void compare_step(struct compared_runs *comparing, struct result_table *table,
                         const struct result_numbers *then,
                         const struct result_numbers *now)
{
    struct arena work = {0};
    struct map places = {.arena = &work}, seen[2] = {places, places};
    bool *met = arena_array(&work, bool, now->count + 1);

    for (size_t i = 0; i < now->count; i++)
        map_number(&places, result_numbers_key(now->step, &now->at[i], &seen[NOW]));
    for (size_t i = 0; i < then->count; i++) {
        const int64_t *place =
            map_get(&places, result_numbers_key(then->step, &then->at[i], &seen[THEN]));
        if (place != NULL)
            met[*place] = true;
        add_number(comparing, table, then->step, &then->at[i],
                   place != NULL ? &now->at[*place] : NULL);
    }
    for (size_t i = 0; i < now->count; i++)
        if (!met[i])
            add_number(comparing, table, now->step, NULL, &now->at[i]);
    arena_free(&work);
}

static void compare_numbers(struct compared_runs *comparing)
{
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("then")},
        {.type = RESULT_TEXT, .name = STR_INIT("now")},
        {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("times")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p (Holm)")}};
    const struct run_comparing_side *old = comparing->runs[THEN].side;
    struct result_table table =
        result_from("numbers", "number", columns, ROWS_OF(columns), comparing->arena);

    for (size_t s = 0; s < old->count; s++) {
        const struct result_numbers *then = &old->numbers[s],
                                    *now =
                                        same_step(comparing->runs[NOW].side, then->step);
        if (str_starts(then->step, STR("tables.")) && now != NULL)
            compare_step(comparing, &table, then, now);
    }
    adjust(&table, comparing->arena);
    keep(comparing, table);
}

/* Findings: each as it was written, with the numbers of the newer run. */

/* Whether it says what a number was: {address = 34.5%}. */
static bool says_value(struct str text)
{
    bool inside = false;

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '{' || text.ptr[i] == '}')
            inside = text.ptr[i] == '{';
        else if (inside && text.ptr[i] == '=')
            return true;
    }
    return false;
}

static void add_finding(struct compared_runs *comparing, struct result_table *table,
                        struct str question, struct str text)
{
    const struct run_comparing_side *now = comparing->runs[NOW].side;
    size_t count, changed = 0, wrong = 0;
    const struct verify_piece *pieces =
        verify_fill(now->study, now->numbers, now->count, text, comparing->arena, &count);
    struct buf filled = {0};

    for (size_t i = 0; i < count; i++) {
        changed += pieces[i].was.len > 0;
        wrong += pieces[i].wrong.len > 0;
        buf_add(&filled, pieces[i].wrong.len > 0 ? STR("?") : pieces[i].text);
        if (pieces[i].was.len > 0)
            buf_add_format(&filled, " (was %.*s)", STR_ARG(pieces[i].was));
    }
    struct result_cell *cells =
        result_add_row(table, question, RESULT_NONE, comparing->arena);
    cells[0] = result_text(wrong > 0           ? STR("cannot be told")
                           : changed > 0       ? STR("its numbers changed")
                           : !says_value(text) ? STR("says no value")
                                               : STR("holds"));
    cells[1] = result_text(buf_keep(&filled, comparing->arena));
}

static void compare_findings(struct compared_runs *comparing)
{
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("now")},
        {.type = RESULT_TEXT, .name = STR_INIT("finding")}};
    const struct study *old = comparing->runs[THEN].side->study;
    struct result_table table =
        result_from("findings", "question", columns, ROWS_OF(columns), comparing->arena);

    for (size_t q = 0; q < old->question_count; q++) {
        const struct study_question *question = &old->questions[q];
        if (question->answer.len > 0)
            add_finding(comparing, &table, question->name, question->answer);
        for (size_t f = 0; f < question->finding_count; f++)
            add_finding(comparing, &table, question->name, question->findings[f]);
    }
    keep(comparing, table);
}

/* Topics: each with the one of the newer run that shares most of the words it is named
 * by. */

static size_t shared_words(struct str a, struct str b)
{
    struct buf first = {0}, second = {0};
    struct text_words_reader words = text_words_open(a, 0, &first);
    struct str one, two;
    size_t shared = 0;

    while (text_words_next(&words, &one)) {
        struct text_words_reader others = text_words_open(b, 0, &second);
        bool found = one.len < 3; /* a topic's number */
        while (!found && text_words_next(&others, &two))
            if (str_eq(one, two)) {
                shared++;
                found = true;
            }
    }
    buf_free(&first);
    buf_free(&second);
    return shared;
}

static bool topics_of(const struct comparing_run *run, struct str name,
                      struct arena *arena, const struct result_table **out,
                      struct err *err)
{
    struct result *result = arena_array(arena, struct result, 1);

    if (!run_output_read(run->side->study->home, "topics", name, arena, result, err))
        return false;
    *out = result_find(result, STR("topics"));
    return true;
}

static void match_topics(struct compared_runs *comparing, struct result_table *table,
                         const struct result_table *then, const struct result_table *now)
{
    bool *taken = arena_array(comparing->arena, bool, now->row_count + 1);

    for (size_t t = 0; t < then->row_count; t++) {
        size_t best = now->row_count, most = 0;
        for (size_t n = 0; n < now->row_count; n++) {
            size_t shared = shared_words(then->rows[t].name, now->rows[n].name);
            if (!taken[n] && shared > most) {
                most = shared;
                best = n;
            }
        }
        struct result_cell *cells =
            result_add_row(table, then->rows[t].name, RESULT_NONE, comparing->arena);
        cells[0] =
            result_text(best < now->row_count ? now->rows[best].name : STR("gone"));
        cells[1] = result_count((int64_t)most);
        if (best < now->row_count)
            taken[best] = true;
    }
    for (size_t n = 0; n < now->row_count; n++)
        if (!taken[n]) {
            struct result_cell *cells =
                result_add_row(table, STR("new"), RESULT_NONE, comparing->arena);
            cells[0] = result_text(now->rows[n].name);
            cells[1] = result_count(0);
        }
}

static bool compare_topics(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("now")},
        {.type = RESULT_COUNT, .name = STR_INIT("shared words")}};
    const struct study *old = comparing->runs[THEN].side->study,
                       *new = comparing->runs[NOW].side->study;
    struct result_table table =
        result_from("topics", "topic then", columns, ROWS_OF(columns), comparing->arena);

    for (size_t i = 0; i < old->topics_count; i++) {
        const struct result_table *then, *now;
        struct str name = old->topics[i].name;
        if (STUDY_FIND(new->topics, new->topics_count, name) == STUDY_NONE ||
            !is_made(comparing, THEN, "topics", name) ||
            !is_made(comparing, NOW, "topics", name))
            continue;
        if (!topics_of(&comparing->runs[THEN], name, comparing->arena, &then, err) ||
            !topics_of(&comparing->runs[NOW], name, comparing->arena, &now, err))
            return false;
        if (then != NULL && now != NULL)
            match_topics(comparing, &table, then, now);
    }
    keep(comparing, table);
    return true;
}

/* Words that became typical: log-odds ratios with an informative prior (Monroe, Colaresi
 * and Quinn, "Fightin' words", Political Analysis 16, 2008), over the posts that have a
 * word; those of the older run against those that only the newer one has. */

struct counted {
    struct map names;
    struct arena arena;
    LIST(int64_t) posts[2];
    LIST(size_t) last; /* the post that counted it last */
    struct buf lower;
    size_t post, side;
    int64_t totals[2];
};

static bool count_words(void *context, const struct run_texts_block *block,
                        struct err *err)
{
    struct counted *counted = context;
    static const unsigned parts[] = {LEARN_PARTS_TITLE, LEARN_PARTS_PROSE};

    (void)err;
    for (size_t i = 0; i < block->count; i++) {
        counted->post++;
        for (size_t p = 0; p < ROWS_OF(parts); p++) {
            struct text_words_reader words = text_words_open(
                block->posts[i].at[parts[p]], TEXT_WORDS_CODE, &counted->lower);
            struct str word;
            while (text_words_next(&words, &word)) {
                if (word.len < 2 || word.len > 40 || learn_stopwords_has(word))
                    continue;
                size_t before = counted->names.count,
                       place = map_number(&counted->names, word);
                if (place == before) {
                    list_add(&counted->posts[0], 0);
                    list_add(&counted->posts[1], 0);
                    list_add(&counted->last, 0);
                }
                if (counted->last.at[place] == counted->post)
                    continue;
                counted->last.at[place] = counted->post;
                counted->posts[counted->side].at[place]++;
                counted->totals[counted->side]++;
            }
        }
    }
    return true;
}

static double odds_of(const struct counted *counted, size_t word)
{
    double all = (double)(counted->totals[0] + counted->totals[1]),
           prior = PRIOR_WORDS *
                   (double)(counted->posts[0].at[word] + counted->posts[1].at[word]) /
                   all,
           odds[2], variance = 0;

    for (size_t r = 0; r < 2; r++) {
        double count = (double)counted->posts[r].at[word] + prior,
               total = (double)counted->totals[r] + PRIOR_WORDS;
        odds[r] = log(count / (total - count));
        variance += 1 / count;
    }
    return (odds[1] - odds[0]) / sqrt(variance);
}

static void list_words(struct compared_runs *comparing, const struct counted *counted)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("posts then")},
        {.type = RESULT_COUNT, .name = STR_INIT("new posts")},
        {.type = RESULT_REAL, .digits = 1, .name = STR_INIT("z")}};
    struct arena *arena = comparing->arena;
    size_t words = counted->names.count;
    const struct map_entry *sorted = map_sorted(&counted->names, arena);
    double *z = arena_array(arena, double, words + 1);
    struct result_table table =
        result_from("words", "word", columns, ROWS_OF(columns), arena);

    for (size_t i = 0; i < words; i++) {
        size_t place = (size_t)sorted[i].value;
        z[i] = counted->posts[0].at[place] + counted->posts[1].at[place] < WORD_POSTS_MIN
                   ? NAN
                   : odds_of(counted, place);
    }
    for (int way = 0; way < 2; way++) {
        const size_t *order = order_places(z, words, way == 0, arena);
        for (size_t i = 0; i < words && i < WORDS_SHOWN && !isnan(z[order[i]]); i++) {
            size_t place = (size_t)sorted[order[i]].value;
            if ((way == 0) != (z[order[i]] > 0))
                break;
            struct result_cell *cells = result_add_row(
                &table, arena_copy(arena, sorted[order[i]].key), RESULT_NONE, arena);
            cells[0] = result_count(counted->posts[0].at[place]);
            cells[1] = result_count(counted->posts[1].at[place]);
            cells[2] = result_number(z[order[i]]);
        }
    }
    result_add_note(
        &table,
        STR("Words of titles and prose; z above 0: typical of items that only "
            "the newer run has, below 0: of the older run."),
        arena);
    keep(comparing, table);
}

static bool compare_words(struct compared_runs *comparing, struct err *err)
{
    struct counted counted = {.post = 0};
    unsigned parts = 1u << LEARN_PARTS_TITLE | 1u << LEARN_PARTS_PROSE;
    const struct comparing_run *runs = comparing->runs;

    if (!comparing->corpora)
        return true;
    counted.names.arena = &counted.arena;
    bool ok = run_texts_each(&runs[THEN].frame,
                             measure_bits_all(runs[THEN].frame.count, comparing->arena),
                             parts, count_words, &counted, err);
    counted.side = NOW;
    ok = ok && run_texts_each(&runs[NOW].frame, comparing->fresh, parts, count_words,
                              &counted, err);
    if (ok && counted.totals[0] > 0 && counted.totals[1] > 0)
        list_words(comparing, &counted);
    list_free(&counted.posts[0]);
    list_free(&counted.posts[1]);
    list_free(&counted.last);
    buf_free(&counted.lower);
    arena_free(&counted.arena);
    return ok;
}

/* Labels that still name an item, and what it takes to see whether a classifier still
 * fits. */

static void add_labels(struct compared_runs *comparing, struct result_table *table,
                       struct str name, const int64_t *ids, size_t count)
{
    struct result_cell *cells =
        result_add_row(table, name, RESULT_NONE, comparing->arena);
    int64_t there = 0;

    for (size_t i = 0; i < count && comparing->corpora; i++)
        there += item_now(comparing, ids[i]) < comparing->runs[NOW].frame.count;
    cells[0] = result_count((int64_t)count);
    cells[1] = result_count(there);
}

/* What raters of the study said, as far as it is final. */
static bool compare_labelling(struct compared_runs *comparing, struct result_table *table,
                              size_t index, struct err *err)
{
    const struct study *old = comparing->runs[THEN].side->study;
    struct run_labelling_final *finals;
    size_t all, count = 0;

    if (!run_labelling_first(old, index, comparing->arena, &finals, &all, err))
        return false;
    int64_t *ids = arena_array(comparing->arena, int64_t, all + 1);
    for (size_t i = 0; i < all; i++)
        if (finals[i].coded)
            ids[count++] = finals[i].item;
    add_labels(comparing, table, old->labellings[index].name, ids, count);
    return true;
}

static bool compare_labels(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("labelled then")},
        {.type = RESULT_COUNT, .name = STR_INIT("still there")}};
    const struct study *old = comparing->runs[THEN].side->study;
    struct arena *arena = comparing->arena;
    struct result_table table =
        result_from("labels", "labels", columns, ROWS_OF(columns), arena);

    for (size_t i = 0; i < old->label_count; i++) {
        struct str name = old->labels[i].name;
        int64_t *ids;
        size_t count;
        if (!is_made(comparing, THEN, "labels", name))
            continue;
        if (!run_output_read_ids(old->home, "labels", name, arena, &ids, &count, err))
            return false;
        add_labels(comparing, &table, name, ids, count);
    }
    for (size_t i = 0; i < old->labelling_count; i++)
        if (is_made(comparing, THEN, "labelling", old->labellings[i].name) &&
            !compare_labelling(comparing, &table, i, err))
            return false;
    keep(comparing, table);
    return true;
}

/* How many words of a post a classifier has never seen is what it drifts by: words as it
 * reads them. */
struct unknown {
    const struct learn_model_file *file;
    unsigned parts;
    struct buf plain, lower;
    int64_t words, unknown;
};

static void count_unknown_in(struct unknown *unknown, const struct learn_parts *post,
                             unsigned part)
{
    const struct learn_features_options *options = &unknown->file->features;
    struct text_words_reader words = text_words_open(
        learn_parts_words(post, part, &unknown->plain), TEXT_WORDS_CODE, &unknown->lower);
    struct str word;

    while (text_words_next(&words, &word)) {
        if (word.len > LEARN_FEATURES_NAME_MAX ||
            (options->no_stop_words && learn_stopwords_has(word)))
            continue;
        unknown->words++;
        unknown->unknown +=
            learn_features_look_up(&unknown->file->table, options->one_part ? 0 : part,
                                   LEARN_FEATURES_WORD,
                                   learn_features_word(word)) == SIZE_MAX;
    }
}

static bool count_unknown(void *context, const struct run_texts_block *block,
                          struct err *err)
{
    struct unknown *unknown = context;

    (void)err;
    for (size_t i = 0; i < block->count; i++)
        for (unsigned part = 0; part < LEARN_PARTS_COUNT; part++)
            if (unknown->parts >> part & 1)
                count_unknown_in(unknown, &block->posts[i], part);
    return true;
}

/* NAN where it does not go by words. */
static bool unknown_share(const struct comparing_run *run, struct measure_bits items,
                          const struct learn_model_file *file, unsigned parts,
                          double *out, struct err *err)
{
    struct unknown unknown = {.file = file, .parts = parts};
    bool ok = (file->features.kinds >> LEARN_FEATURES_WORD & 1) == 0 ||
              run_texts_each(&run->frame, items, parts, count_unknown, &unknown, err);

    *out = unknown.words > 0 ? (double)unknown.unknown / (double)unknown.words : NAN;
    buf_free(&unknown.plain);
    buf_free(&unknown.lower);
    return ok;
}

static bool add_classifier(struct compared_runs *comparing, struct result_table *table,
                           const struct study_classifier *classifier, struct err *err)
{
    struct arena *arena = comparing->arena;
    const char *path = file_join(
        comparing->runs[THEN].side->study->home,
        arena_format(arena, "out/classifiers/%.*s/model", STR_ARG(classifier->name)).ptr,
        arena);
    const struct sample_size_rule rule = {.confidence = 0.95, .margin = 0.05};
    unsigned parts = run_texts_parts(classifier->features, classifier->feature_count,
                                     (1u << LEARN_PARTS_COUNT) - 1);
    struct learn_model_file file;
    struct str text;
    double then, now;

    if (!file_exists(path))
        return true;
    if (!file_read(path, arena, &text, err) ||
        !learn_model_file_read(text, path, arena, &file, err))
        return false;
    bool ok =
        unknown_share(&comparing->runs[THEN],
                      measure_bits_all(comparing->runs[THEN].frame.count, arena), &file,
                      parts, &then, err) &&
        unknown_share(&comparing->runs[NOW], comparing->fresh, &file, parts, &now, err);
    if (ok) {
        int64_t count = measure_bits_count(comparing->fresh);
        struct result_cell *cells =
            result_add_row(table, classifier->name, RESULT_NONE, arena);
        cells[0] = result_number(then);
        cells[1] = result_number(now);
        cells[2] = result_count(count);
        cells[3] = result_count(sample_size_needed(&rule, count));
    }
    learn_model_file_free(&file);
    return ok;
}

static bool compare_classifiers(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("words unknown to it then")},
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("in new items")},
        {.type = RESULT_COUNT, .name = STR_INIT("new items")},
        {.type = RESULT_COUNT, .name = STR_INIT("to label")}};
    const struct study *old = comparing->runs[THEN].side->study;
    struct result_table table = result_from("classifiers", "classifier", columns,
                                            ROWS_OF(columns), comparing->arena);

    if (!comparing->corpora)
        return true;
    for (size_t i = 0; i < old->classifier_count; i++)
        if (!add_classifier(comparing, &table, &old->classifiers[i], err))
            return false;
    result_add_note(
        &table,
        STR("To label: a random sample of the new items that tells the share on which "
            "the classifier is right to 5 percentage points, with 95% confidence."),
        comparing->arena);
    keep(comparing, table);
    return true;
}

/* Trends: a set that grows less than its site loses ground. */

enum { TREND_YEARS = 10000 };

static bool take_year(void *context, const struct store_census *census, struct err *err)
{
    int64_t *years = context;

    (void)err;
    if (census->tag.len == 0 && census->year >= 0 && census->year < TREND_YEARS)
        years[census->year] += census->questions;
    return true;
}

/* Of both runs, by year. */
struct trend_years {
    int64_t *site[2], *items[2];
};

static void add_year(struct result_table *table, const struct trend_years *years,
                     size_t year, size_t parent, struct arena *arena)
{
    struct result_cell *cells =
        result_add_row(table, arena_format(arena, "%zu", year), parent, arena);

    for (size_t r = 0; r < 2; r++) {
        int64_t items = years->items[r][year], all = years->site[r][year];
        cells[r] = result_count(items);
        cells[2 + r] = all > 0 ? result_count(all) : result_number(NAN);
        cells[4 + r] = result_number(all > 0 ? 1000 * (double)items / (double)all : NAN);
    }
}

static bool add_trend(struct compared_runs *comparing, struct result_table *table,
                      struct str name, struct trend_years *years, struct err *err)
{
    struct arena *arena = comparing->arena;

    for (size_t r = 0; r < 2; r++) {
        const struct measure_frame *frame = &comparing->runs[r].frame;
        int64_t *ids;
        size_t count;
        if (!read_set(&comparing->runs[r], name, arena, &ids, &count, err))
            return false;
        years->items[r] = arena_array(arena, int64_t, TREND_YEARS);
        for (size_t i = 0; i < count; i++) {
            size_t item = measure_frame_find(frame, ids[i]);
            if (item < frame->count && frame->created_ms[item] != ITEM_NONE)
                years->items[r][date_year(frame->created_ms[item])]++;
        }
    }
    size_t parent = table->row_count;
    result_add_row(table, name, RESULT_NONE, arena);
    for (size_t y = 0; y < TREND_YEARS; y++)
        if (years->items[THEN][y] + years->items[NOW][y] > 0)
            add_year(table, years, y, parent, arena);
    return true;
}

static bool compare_trends(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items then")},
        {.type = RESULT_COUNT, .name = STR_INIT("items now")},
        {.type = RESULT_COUNT, .name = STR_INIT("questions of the site then")},
        {.type = RESULT_COUNT, .name = STR_INIT("questions of the site now")},
        {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("per 1,000 then")},
        {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("per 1,000 now")}};
    const struct study *old = comparing->runs[THEN].side->study;
    struct arena *arena = comparing->arena;
    struct result_table table =
        result_from("trends", "set", columns, ROWS_OF(columns), arena);
    struct trend_years years;

    if (!comparing->corpora)
        return true;
    for (size_t r = 0; r < 2; r++) {
        years.site[r] = arena_array(arena, int64_t, TREND_YEARS);
        if (!store_census(comparing->runs[r].corpus, STORE_ALL, take_year, years.site[r],
                          err))
            return false;
    }
    for (size_t s = 0; s < old->set_count; s++) {
        struct str name = old->sets[s].name;
        if (study_find_set(comparing->runs[NOW].side->study, name) != STUDY_NONE &&
            is_made(comparing, THEN, "sets", name) &&
            is_made(comparing, NOW, "sets", name) &&
            !add_trend(comparing, &table, name, &years, err))
            return false;
    }
    result_add_note(&table,
                    STR("Per 1,000: items among all questions that the sources have of "
                        "the year, whatever they are about."),
                    arena);
    keep(comparing, table);
    return true;
}

bool run_comparing(const struct run_comparing_side *old,
                   const struct run_comparing_side *new, struct arena *arena,
                   struct result_table *out, size_t *count, struct err *err)
{
    struct compared_runs comparing = {
        .runs = {{.side = old}, {.side = new}}, .arena = arena, .out = out};
    bool ok = open_run(&comparing.runs[THEN], arena, err) &&
              open_run(&comparing.runs[NOW], arena, err);

    comparing.corpora =
        comparing.runs[THEN].corpus != NULL && comparing.runs[NOW].corpus != NULL;
    if (ok && comparing.corpora) {
        find_strangers(&comparing);
        find_fresh(&comparing);
    }
    ok = ok && compare_sets(&comparing, err) && compare_trends(&comparing, err);
    if (ok) {
        compare_numbers(&comparing);
        compare_findings(&comparing);
    }
    ok = ok && compare_topics(&comparing, err) && compare_words(&comparing, err) &&
         compare_labels(&comparing, err) && compare_classifiers(&comparing, err);
    store_close(comparing.runs[THEN].corpus);
    store_close(comparing.runs[NOW].corpus);
    *count = comparing.count;
    return ok;
}
