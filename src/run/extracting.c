/* Extracts of a study: what developers name, lack, mix up and set, by how many people,
 * with the items behind each number. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/order.h"
#include "extract/extract.h"
#include "measure/trend.h"
#include "run/needs.h"
#include "run/output.h"
#include "run/texts.h"

/* A rule is one when answers have it so many times as often as questions. */
#define RULE_RATIO 2.0

struct extracting_name {
    struct str text;
    LIST(uint32_t) items; /* in the frame */
    int64_t asked;        /* questions that have it, of rules */
    int64_t people;
    double trend; /* NAN: undefined */
};

struct extracting_work {
    const struct study_extract *of;
    enum extract_what what;
    const struct measure_frame *frame;
    struct run_output *output;
    struct arena arena;
    struct extract_reader *reader;
    struct map names;
    LIST(struct extracting_name) found;
    size_t item;      /* in work */
    int64_t read;     /* items */
    int64_t answered; /* with an accepted answer that is there */
    struct measure_ends ends;
    struct measure_trend_counts *years; /* of each space: what was read */
};

static void take_name(void *context, struct str name, bool asked)
{
    struct extracting_work *work = context;
    size_t before = work->names.count, place = map_number(&work->names, name);

    if (place == before)
        list_add(&work->found,
                 ((struct extracting_name){.text = arena_copy(&work->arena, name)}));
    if (asked)
        work->found.at[place].asked++;
    else
        list_add(&work->found.at[place].items, (uint32_t)work->item);
}

static struct extract_text text_of(const struct learn_parts *parts)
{
    return (struct extract_text){
        parts->at[LEARN_PARTS_TITLE], parts->at[LEARN_PARTS_PROSE],
        parts->at[LEARN_PARTS_CODE], parts->at[LEARN_PARTS_TAGS]};
}

static const unsigned tags_read = 1u << LEARN_PARTS_TAGS,
                      parts_read = 1u << LEARN_PARTS_TITLE | 1u << LEARN_PARTS_PROSE |
                                   1u << LEARN_PARTS_CODE | 1u << LEARN_PARTS_TAGS;

static bool take_tags(void *context, const struct run_texts_block *block, struct err *err)
{
    struct extracting_work *work = context;

    (void)err;
    for (size_t i = 0; i < block->count; i++)
        extract_know(work->reader, block->posts[i].at[LEARN_PARTS_TAGS]);
    return true;
}

static void count_year(const struct extracting_work *work, size_t item,
                       struct measure_trend_counts *years)
{
    measure_trend_add(&work->ends, measure_column_at(work->frame->ids, item),
                      measure_column_at(work->frame->created_ms, item), years);
}

static bool take_block(void *context, const struct run_texts_block *block,
                       struct err *err)
{
    struct extracting_work *work = context;
    bool wanted = extract_kinds[work->what].answers;
    int64_t *ids = arena_array(block->arena, int64_t, block->count + 1);
    struct learn_parts *answers =
        arena_array(block->arena, struct learn_parts, block->count + 1);

    for (size_t i = 0; i < block->count; i++)
        ids[i] = measure_column_at(work->frame->accepted_id, block->items[i]);
    /* Those that the corpus lacks have empty texts. */
    if (wanted && !run_texts_read(work->frame->corpus, ids, block->count, parts_read,
                                  block->arena, answers, err))
        return false;
    for (size_t i = 0; i < block->count; i++) {
        struct extract_text question = text_of(&block->posts[i]),
                            answer = text_of(&answers[i]);
        work->item = block->items[i];
        work->read++;
        work->answered += answer.prose.len + answer.code.len > 0;
        count_year(work, work->item, work->years);
        extract_find(work->reader, work->what, &question, wanted ? &answer : NULL,
                     take_name, work);
    }
    return true;
}

/* How often rules stand in answers, for each time that they stand in questions. */
static double ratio_of(const struct extracting_work *work,
                       const struct extracting_name *name)
{
    double answers = (double)name->items.count / (double)work->answered,
           questions = ((double)name->asked + 0.5) / ((double)work->read + 1);

    return work->answered > 0 ? answers / questions : NAN;
}

static bool is_kept(const struct extracting_work *work,
                    const struct extracting_name *name)
{
    return (int64_t)name->items.count >= work->of->at_least &&
           (work->what != EXTRACT_RULES || ratio_of(work, name) >= RULE_RATIO);
}

/* Askers, as far as they are known: of deleted users nobody can tell whether they are
 * one. And when they asked. */
static void count_people(struct extracting_work *work, struct extracting_name *name)
{
    int64_t *owners = arena_array(&work->arena, int64_t, name->items.count + 1);
    struct measure_trend_counts *years = arena_array(
        &work->arena, struct measure_trend_counts, work->ends.spaces->count + 1);
    size_t known = 0;

    for (size_t i = 0; i < name->items.count; i++) {
        size_t item = name->items.at[i];
        count_year(work, item, years);
        if (measure_column_at(work->frame->owner, item) != ITEM_NONE)
            owners[known++] = measure_column_at(work->frame->owner, item);
    }
    order_ints(owners, known);
    for (size_t i = 0; i < known; i++)
        name->people += i == 0 || owners[i] != owners[i - 1];
    name->trend = measure_trend_ratio(&work->ends, years, work->years);
}

static int by_people(const void *a, const void *b)
{
    const struct extracting_name *left = *(struct extracting_name *const *)a,
                                 *right = *(struct extracting_name *const *)b;

    /* What has no name, nobody can add: it comes last. */
    return order_then(
        ORDER_BY(extract_nameless(left->text), extract_nameless(right->text)),
        order_then(order_then(ORDER_BY(right->people, left->people),
                              ORDER_BY(right->items.count, left->items.count)),
                   str_compare(left->text, right->text)));
}

/* What a table leaves out, so that nobody takes it for all there is. */
struct extracting_rest {
    size_t rare, more; /* names in too few items, and behind the last that is shown */
};

static struct extracting_name **rank(struct extracting_work *work, size_t *count,
                                     struct extracting_rest *rest)
{
    struct extracting_name **kept =
        arena_array(&work->arena, struct extracting_name *, work->found.count + 1);

    *count = 0;
    for (size_t i = 0; i < work->found.count; i++)
        if (is_kept(work, &work->found.at[i])) {
            count_people(work, &work->found.at[i]);
            kept[(*count)++] = &work->found.at[i];
        }
    qsort(kept, *count, sizeof(struct extracting_name *), by_people);
    *rest = (struct extracting_rest){.rare = work->found.count - *count};
    if (*count > (size_t)work->of->top) {
        rest->more = *count - (size_t)work->of->top;
        *count = (size_t)work->of->top;
    }
    return kept;
}

/* Tables. */

enum { ITEMS, PEOPLE, VIEWS, WITHOUT, TREND, RATIO, COLUMNS };

static const struct result_column columns[COLUMNS] = {
    [ITEMS] = {.type = RESULT_COUNT, .name = STR_INIT("items")},
    [PEOPLE] = {.type = RESULT_COUNT, .name = STR_INIT("people")},
    [VIEWS] = {.type = RESULT_COUNT, .name = STR_INIT("views")},
    [WITHOUT] = {.type = RESULT_SHARE,
                 .digits = 1,
                 .name = STR_INIT("share without accepted")},
    [TREND] = {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("trend")},
    [RATIO] = {.type = RESULT_REAL,
               .digits = 1,
               .name = STR_INIT("times as often as in questions")},
};

static void fill_row(struct extracting_work *work, const struct extracting_name *name,
                     struct result_cell *cells)
{
    const struct measure_frame *frame = work->frame;
    int64_t views = 0, known = 0, without = 0, seen = 0;

    for (size_t i = 0; i < name->items.count; i++) {
        size_t item = name->items.at[i];
        if (measure_column_at(frame->views, item) != ITEM_NONE) {
            views += measure_column_at(frame->views, item);
            seen++;
        }
        if (measure_bits_has(frame->accepted_known, item)) {
            known++;
            without += !measure_bits_has(frame->accepted, item);
        }
    }
    cells[ITEMS] = result_count((int64_t)name->items.count);
    cells[PEOPLE] = name->people > 0 ? result_count(name->people) : result_number(NAN);
    cells[VIEWS] = seen > 0 ? result_count(views) : result_number(NAN);
    cells[WITHOUT] = result_number(known > 0 ? (double)without / (double)known : NAN);
    cells[WITHOUT].n = known;
    cells[WITHOUT].count = without;
    cells[WITHOUT].counted = known > 0;
    cells[TREND] = result_number(name->trend);
    if (work->what == EXTRACT_RULES)
        cells[RATIO] = result_number(ratio_of(work, name));
}

static void note_rest(const struct extracting_work *work,
                      const struct extracting_rest *rest, struct result_table *table,
                      struct arena *arena)
{
    if (rest->rare > 0)
        result_add_note(
            table,
            arena_format(arena, "%zu name%s in fewer than %lld items%s %s left out.",
                         rest->rare, str_plural((int64_t)rest->rare),
                         (long long)work->of->at_least,
                         work->what == EXTRACT_RULES
                             ? ", or hardly more often in answers than in questions,"
                             : "",
                         rest->rare == 1 ? "is" : "are"),
            arena);
    if (rest->more > 0)
        result_add_note(table,
                        arena_format(arena,
                                     "%zu more name%s of fewer people %s not shown.",
                                     rest->more, str_plural((int64_t)rest->more),
                                     rest->more == 1 ? "is" : "are"),
                        arena);
}

/* The items that the share is of, and those of them without an accepted answer. */
static void add_without(const struct extracting_work *work, size_t row,
                        const struct extracting_name *name, struct result_table *table,
                        struct arena *arena)
{
    const struct measure_frame *frame = work->frame;
    struct result_evidence known = {row, WITHOUT, STR("items that may have one"), NULL,
                                    0},
                           without = {row, WITHOUT, STR("items without accepted answer"),
                                      NULL, 0};
    int64_t *ids[2];

    for (size_t k = 0; k < 2; k++)
        ids[k] = arena_array(arena, int64_t, name->items.count + 1);
    for (size_t i = 0; i < name->items.count; i++) {
        size_t item = name->items.at[i];
        int64_t id = measure_column_at(frame->ids, item);
        if (!measure_bits_has(frame->accepted_known, item))
            continue;
        ids[0][known.count++] = id;
        if (!measure_bits_has(frame->accepted, item))
            ids[1][without.count++] = id;
    }
    known.ids = ids[0];
    without.ids = ids[1];
    if (known.count == 0)
        return;
    struct result_cell *cell = &table->cells[row * table->column_count + WITHOUT];
    result_add_evidence(table, &known, arena);
    cell->whole = cell->list;
    if (without.count > 0)
        result_add_evidence(table, &without, arena);
}

static void add_found(struct extracting_work *work, struct extracting_name **names,
                      size_t count, const struct extracting_rest *rest)
{
    struct arena *arena = &work->output->arena;
    size_t column_count = work->what == EXTRACT_RULES ? COLUMNS : COLUMNS - 1;
    struct result_table table = result_from("found", extract_kinds[work->what].name,
                                            columns, column_count, arena);

    for (size_t i = 0; i < count; i++) {
        int64_t *ids = arena_array(arena, int64_t, names[i]->items.count + 1);
        struct result_cell *cells =
            result_add_row(&table, arena_copy(arena, names[i]->text), RESULT_NONE, arena);
        struct result_evidence behind = {i, RESULT_NONE, STR("items that have it"), ids,
                                         names[i]->items.count};
        fill_row(work, names[i], cells);
        for (size_t k = 0; k < names[i]->items.count; k++)
            ids[k] = measure_column_at(work->frame->ids, names[i]->items.at[k]);
        result_add_evidence(&table, &behind, arena);
        add_without(work, i, names[i], &table, arena);
    }
    if (measure_trend_sum(&work->ends, work->years).before > 0)
        result_add_note(&table,
                        work->ends.sites < 2
                            ? STR("Trend: how many times as frequent in the last 365 "
                                  "days as before, among the items that were read; none "
                                  "for what is in no item before.")
                            : STR("Trend: how many times as frequent in the last 365 "
                                  "days as before, among the items that were read; of "
                                  "each source before its own end, and beside that "
                                  "source alone; none for what is in no item before."),
                        arena);
    if (work->what == EXTRACT_RULES)
        result_add_note(
            &table,
            STR("Times as often as in questions: the share of accepted answers in which "
                "the "
                "two calls follow one another, for one of questions. Half a question is "
                "added to theirs, so that what no question has is finite: thousands say "
                "that there is none, not how many times."),
            arena);
    if (work->what == EXTRACT_VERSIONS)
        result_add_note(&table,
                        STR("Versions of products that assay knows, and of what the "
                            "items have tags for "
                            "or import: of these with two points, `v`, `version` or "
                            "`==`, and with one "
                            "point where the item itself has the tag or the import."),
                        arena);
    note_rest(work, rest, &table, arena);
    table.numbers = true;
    run_output_shown(work->output, &table, extract_kinds[work->what].name);
}

/* Which names each item has, for groups. */
static void add_items(struct extracting_work *work, struct extracting_name **names,
                      size_t count)
{
    static const struct result_column coded[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("code")}};
    struct run_output_list list =
        run_output_list(work->output, STR("items"), coded, ROWS_OF(coded),
                        run_output_add_own(work->output, STR("items"), ".csv"));

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < names[i]->items.count; k++)
            run_output_list_add(&list, (struct result_cell[]){
                                           result_item(measure_column_at(
                                               work->frame->ids, names[i]->items.at[k])),
                                           result_text(names[i]->text)});
    run_output_list_end(&list);
}

static enum extract_what what_of(struct str word)
{
    enum extract_what what = 0;

    while (what + 1 < EXTRACT_WHATS && !str_eq(word, str_from(extract_kinds[what].name)))
        what++;
    return what;
}

static void add_tables(struct extracting_work *work)
{
    size_t count;
    struct extracting_rest rest;
    struct extracting_name **names = rank(work, &count, &rest);

    add_found(work, names, count, &rest);
    add_items(work, names, count);
    buf_add_format(&work->output->says, "%zu name%s in %lld item%s", count,
                   str_plural((int64_t)count), (long long)work->read,
                   str_plural(work->read));
}

static void list_extract(struct run_listing *listing, struct run_step *step)
{
    const struct study_extract *extract = &listing->study->extracts[step->index];

    step->corpus = true;
    run_steps_need_source(listing, step, extract->of);
    run_steps_name(listing, step, extract->name, extract->node);
}

/* Fills output with out/extracts/NAME/: found.csv, the names; items.csv, who has them. */
static bool make_extract(struct run_needs *needs, const struct run_step *step,
                         struct run_output *output, struct err *err)
{
    struct extracting_work work = {.of = &needs->study->extracts[step->index],
                                   .frame = &needs->frame,
                                   .output = output};
    struct measure_bits items;

    if (!run_needs_frame(needs, err) ||
        !measure_ends_of_spaces(needs->study, needs->corpus, &output->arena, &work.ends,
                                err))
        return false;
    work.years = arena_array(&output->arena, struct measure_trend_counts,
                             work.ends.spaces->count + 1);
    if (!run_needs_set(needs, work.of->of, &items, err))
        return err_at(err, "extracts.%.*s: ", STR_ARG(work.of->name));
    work.what = what_of(work.of->what);
    work.names.arena = &work.arena;
    work.reader = extract_open();
    bool ok = (work.what != EXTRACT_VERSIONS ||
               run_texts_each(&needs->frame, items, tags_read, take_tags, &work, err)) &&
              run_texts_each(&needs->frame, items, parts_read, take_block, &work, err);
    if (ok)
        add_tables(&work);
    for (size_t i = 0; i < work.found.count; i++)
        list_free(&work.found.at[i].items);
    list_free(&work.found);
    extract_close(work.reader);
    arena_free(&work.arena);
    return ok || err_at(err, "extracts.%.*s: ", STR_ARG(work.of->name));
}

const struct run_kind run_kind_extract = {
    .name = "extracts",
    .counted = offsetof(struct study, extract_count),
    .engine = 10,
    .list = list_extract,
    .make = make_extract,
};
