/* The handbook of a study: of each category what is known of it, and what helped. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/map.h"
#include "base/order.h"
#include "base/real.h"
#include "base/stop.h"
#include "extract/extract.h"
#include "learn/quantify.h"
#include "measure/solved.h"
#include "measure/table.h"
#include "measure/trend.h"
#include "report/handbook.h"
#include "run/needs.h"
#include "run/output.h"
#include "run/tabulating.h"
#include "run/texts.h"
#include "study/keys.h"
#include "text/thanks.h"
#include "text/utf8.h"

#define YEAR_MS (INT64_C(365) * DATE_DAY_MS)

/* The ranking of solved questions, as assay-study(5) has it. */
#define FRESH_WEIGHT    2.0
#define FRESH_YEARS     5.0
#define VIEWS_WEIGHT    0.25
#define RATIO_ITEMS_MIN 5 /* with code elsewhere, for a ratio to be told */

enum {
    FILE_BYTES_MAX = 80, /* of the name of a page's file */
    FEW = 20, /* items of a category in which a name counts that only one has */
    EXAMPLES = 3,
};

/* Lists that every handbook has; those of the study's steps follow. */
enum { CALLS, CONFUSED, CHANGES };

/* That an item has a name of a list. */
struct handbook_fact {
    uint32_t list, name, item;
};

struct handbook_list {
    const char *title, *note;
    struct str step;
    bool pitfall, once; /* once: names count that a single item has */
    int64_t items;      /* that have any of its names */
};

/* A name in the items of all pages, and of one. */
struct handbook_tally {
    uint32_t list;
    int64_t everywhere, here;
    uint32_t best[EXAMPLES];   /* items of the page, the most seen first */
    uint32_t spread[EXAMPLES]; /* the same, but one of each source */
    size_t best_count, spread_count;
};

/* The items of a chapter in time. */
struct handbook_span {
    struct measure_bits of;
    int64_t last_ms; /* ITEM_NONE: no item has a date */
    bool partial;    /* the source ends within the last year */
    int from;        /* the first year */
    int64_t *years;  /* items of each */
    size_t year_count;
    struct measure_trend_counts *recent; /* of each space */
};

struct handbook_answer {
    int64_t id; /* of an answer that solves */
    size_t item;
    bool accepted; /* or else who asked gave thanks for it */
    int64_t score, created_ms;
    struct str outdated; /* the comment that says so; empty: none does */
    int64_t outdated_by, outdated_ms;
};

struct handbook_work {
    const struct study_handbook *of;
    struct run_needs *needs;
    const struct measure_frame *frame;
    struct run_output *output;
    struct arena arena;
    struct arena page; /* what is needed for one page alone */
    struct report_handbook book;
    LIST(struct report_handbook_page) pages;
    LIST(struct measure_table_items) rows; /* of each page; set: its chapter */
    struct measure_bits all;               /* items of any page */
    struct map files;                      /* names of files that are taken */
    const struct study_codebook_dimension **codebooks; /* of labels; NULL: not read */
    LIST(struct handbook_list) lists;
    LIST(struct handbook_fact) facts; /* by item once read, then list, then name */
    size_t *first_fact;               /* of each item of the frame, and behind the last */
    LIST(struct str) names;
    struct map name_places;         /* "LIST name" */
    struct handbook_tally *tallies; /* of each name */
    uint32_t *found;                /* names of a page; room for all */
    struct measure_ends ends;
    struct handbook_span span; /* of the chapter that is being told of */
    size_t list;               /* that is being read */
    size_t item;
    struct extract_reader *reader;
    struct measure_solved solved;
    struct handbook_answer *answers; /* ascending by id */
    size_t answer_count;
    LIST(struct report_handbook_post) posts; /* quoted; ascending by id once read */
    bool comments;
};

/* Categories. */

static struct str file_of(struct handbook_work *work, struct str path)
{
    struct buf name = {0};

    path = text_utf8_cut(path, FILE_BYTES_MAX);
    if (path.len > 0 && path.ptr[0] == '.') /* a name with a dot first is a hidden file's */
        buf_add_char(&name, '_');
    for (size_t i = 0; i < path.len; i++)
        buf_add_char(&name, str_lower(path.ptr[i]));
    int64_t number = ++*map_put(&work->files, buf_str(&name));
    if (number > 1)
        buf_add_format(&name, "~%lld", (long long)number);
    struct str file =
        arena_format(&work->arena, "pages/%.*s.html", STR_ARG(buf_str(&name)));
    buf_free(&name);
    return file;
}

/* The codebook of a group's labels, which is read once. */
static bool read_codebook(struct handbook_work *work, const struct study_labels *labels,
                          const struct study_codebook_dimension **out, struct err *err)
{
    struct study_codebook *codebook = arena_array(&work->arena, struct study_codebook, 1);
    struct buf problems = {0};
    size_t place = (size_t)(labels - work->needs->study->labels);

    if (work->codebooks[place] == NULL && labels->codebook != NULL &&
        (!study_codebook_load(labels->codebook, &work->arena, codebook, &problems, err) ||
         !study_codebook_choose(codebook, labels->dimension, &work->codebooks[place],
                                err))) {
        buf_free(&problems);
        return false;
    }
    buf_free(&problems);
    *out = work->codebooks[place];
    return true;
}

static bool find_code(struct handbook_work *work, const struct study_labels *labels,
                      const struct measure_groups_value *value,
                      const struct study_codebook_code **out, struct err *err)
{
    const struct study_codebook_dimension *dimension;

    if (!read_codebook(work, labels, &dimension, err))
        return false;
    for (size_t i = 0; dimension != NULL && value->labels != NULL && i < dimension->count;
         i++)
        if (str_eq(dimension->codes[i].path, value->labels->codes[value->code].id))
            *out = &dimension->codes[i];
    return true;
}

/* What a page's items are called. */
static void set_kinds(const struct measure_frame *frame, struct measure_bits items,
                      struct report_handbook_page *out)
{
    bool questions = true, issues = true;

    MEASURE_BITS_EACH (i, items) {
        questions = questions && measure_column_at(frame->kind, i) == ITEM_QUESTION;
        issues = issues && measure_column_at(frame->kind, i) == ITEM_ISSUE;
        if (!measure_solved_by_closing(frame, i))
            continue;
        out->tracked++;
        out->tracked_closed += measure_column_at(frame->closed_ms, i) != ITEM_NONE;
    }
    out->items = questions ? "questions" : issues ? "issues" : "items";
}

static bool add_row(struct handbook_work *work, const struct study_table *chapter,
                    const struct measure_table *made, size_t row, size_t parent,
                    struct err *err)
{
    const struct result_row *shown = &made->shown.rows[row];
    const struct measure_groups_value *value = made->items[row].value;
    const struct study_group *group = NULL;
    struct report_handbook_page page = {
        .name = shown->name,
        .parent = parent,
        .level = parent == RESULT_NONE ? 0 : work->pages.at[parent].level + 1,
        .adjusted = {.value = NAN, .n = -1}};

    for (size_t i = 0; i < chapter->by_count && value != NULL; i++) {
        const struct measure_groups *groups = &work->needs->groups[chapter->by[i]];
        if (value >= groups->values && value < groups->values + groups->count)
            group = &work->needs->study->groups[chapter->by[i]];
    }
    if (group != NULL && group->grouping == STUDY_GROUPING_LABELS) {
        size_t by = work->needs->study->labels[group->labels].classifier;
        if (by != STUDY_NONE)
            page.classifier = &work->needs->study->classifiers[by];
        if (!find_code(work, &work->needs->study->labels[group->labels], value,
                       &page.code, err))
            return false;
    }
    page.file =
        file_of(work, chapter->name.len > 0
                          ? arena_format(&work->arena, "%.*s.%.*s",
                                         STR_ARG(chapter->name), STR_ARG(shown->path))
                          : shown->path);
    for (size_t c = 0; c < STUDY_HANDBOOK_COLUMNS; c++)
        page.cells[c] = made->shown.cells[row * STUDY_HANDBOOK_COLUMNS + c];
    set_kinds(work->frame, made->items[row].bits, &page);
    list_add(&work->pages, page);
    list_add(&work->rows, made->items[row]);
    measure_bits_add(work->all, made->items[row].bits);
    return true;
}

/* A code that has none below it stands below itself where a table asks for both levels.
 */
static bool is_itself(const struct measure_table *made, size_t row)
{
    size_t parent = made->shown.rows[row].parent;
    const struct measure_groups_value *value = made->items[row].value, *above;

    if (parent == RESULT_NONE || value == NULL || value->labels == NULL)
        return false;
    above = made->items[parent].value;
    return above != NULL && above->labels == value->labels && above->code == value->code;
}

/* Which row of the shares tells of a page; the count: none. Codes of other branches may
 * have the same name: then none can be told from the others. */
static size_t share_of(const struct handbook_work *work, size_t page,
                       const struct measure_labels *labels, int level,
                       const struct result_table *shares)
{
    const struct measure_groups_value *value = work->rows.at[page].value;
    size_t found = shares->row_count, count = 0;

    if (value == NULL || value->labels != labels ||
        measure_labels_at_level(labels, value->code, level) != value->code)
        return found;
    for (size_t r = 0; r < shares->row_count; r++)
        if (str_eq(shares->rows[r].name, work->pages.at[page].name)) {
            found = r;
            count++;
        }
    return count == 1 ? found : shares->row_count;
}

/* Of predictions: a share that a classifier gives is corrected for its errors. The first
 * group of a chapter parts the set as a whole. */
static bool adjust(struct handbook_work *work, const struct study_table *chapter,
                   size_t first, struct err *err)
{
    const struct study *study = work->needs->study;
    const struct study_group *group = &study->groups[chapter->by[0]];
    const struct measure_groups *values = &work->needs->groups[chapter->by[0]];
    struct study_table wanted = {.name = STR("handbook"),
                                 .of = chapter->of,
                                 .of_count = 1,
                                 .truth = STUDY_NONE,
                                 .confidence = chapter->confidence};
    struct result_table shares;
    size_t column;

    if (group->grouping != STUDY_GROUPING_LABELS || values->count == 0 ||
        study->labels[group->labels].classifier == STUDY_NONE)
        return true;
    wanted.made_by = study->labels[group->labels].classifier;
    if (!run_tabulating_shares(work->needs, &wanted, &work->arena, &shares, err) ||
        !result_column(&shares, learn_quantify_names[LEARN_QUANTIFY_POWERED],
                       RESULT_SHARE, &column, err))
        return false;
    for (size_t i = first; i < work->pages.count; i++) {
        size_t row = share_of(work, i, values->values[0].labels,
                              study->classifiers[wanted.made_by].level, &shares);
        if (row == shares.row_count)
            continue;
        const struct result_cell *cell =
            &shares.cells[row * shares.column_count + column];
        if (isnan(cell->value))
            continue;
        work->pages.at[i].adjusted = *cell;
        work->pages.at[i].adjusted.n = cell->n < 0 ? 0 : cell->n;
    }
    return true;
}

/* Whether somebody ordered the categories: a codebook, the study file or the calendar.
 * What was found has no order but that of its names. */
static bool has_order(const struct study *study, const struct study_table *chapter)
{
    for (size_t i = 0; i < chapter->by_count; i++) {
        const struct study_group *group = &study->groups[chapter->by[i]];
        if (group->grouping != STUDY_GROUPING_FIELD &&
            (group->grouping != STUDY_GROUPING_LABELS ||
             study->labels[group->labels].codebook != NULL))
            return true;
    }
    return chapter->by_count == 0;
}

static bool add_chapter(struct handbook_work *work, const struct study_table *chapter,
                        struct err *err)
{
    struct measure_table_inputs inputs = {.study = work->needs->study,
                                          .frame = work->frame,
                                          .find_set = run_needs_set,
                                          .context = work->needs,
                                          .groups = work->needs->groups};
    struct study_table whole = *chapter, ordered = *chapter;
    struct measure_table made, all;
    size_t top = RESULT_NONE, first = work->pages.count;

    whole.by_count = 0;
    if (!has_order(work->needs->study, chapter)) {
        ordered.sort = STUDY_HANDBOOK_COUNT;
        ordered.descending = true;
    }
    if (!measure_table_make(&ordered, &inputs, &work->arena, &made, err) ||
        !measure_table_make(&whole, &inputs, &work->arena, &all, err))
        return false;
    size_t *pages = arena_array(&work->arena, size_t, made.shown.row_count + 1);
    if (work->of->named) {
        all.shown.rows[0].name = chapter->title.len > 0 ? chapter->title : chapter->name;
        all.shown.rows[0].path = STR("chapter");
        if (!add_row(work, chapter, &all, 0, RESULT_NONE, err))
            return false;
        top = work->pages.count - 1;
        work->pages.at[top].chapter = true;
    }
    for (size_t r = 0; r < made.shown.row_count; r++) {
        const struct result_row *row = &made.shown.rows[r];
        size_t above = row->parent == RESULT_NONE ? top : pages[row->parent];
        pages[r] = above;
        if (row->total || row->n == 0 || is_itself(&made, r))
            continue;
        if (!add_row(work, chapter, &made, r, above, err))
            return false;
        pages[r] = work->pages.count - 1;
    }
    if (top != RESULT_NONE) {
        struct measure_bits within = measure_bits_make(work->frame->count, &work->arena);
        for (size_t i = top + 1; i < work->pages.count; i++)
            measure_bits_add(within, work->rows.at[i].bits);
        MEASURE_BITS_EACH (i, all.items[0].bits)
            work->pages.at[top].apart += !measure_bits_has(within, i);
    }
    return adjust(work, chapter, first, err);
}

/* What items have. */

static size_t add_list(struct handbook_work *work, struct handbook_list list)
{
    list_add(&work->lists, list);
    return work->lists.count - 1;
}

static void take_name(void *context, struct str name, bool asked)
{
    struct handbook_work *work = context;
    size_t before = work->name_places.count;
    struct buf key = {0};

    (void)asked;
    buf_add_format(&key, "%zu %.*s", work->list, STR_ARG(name));
    size_t place = map_number(&work->name_places, buf_str(&key));
    buf_free(&key);
    if (place == before)
        list_add(&work->names, arena_copy(&work->arena, name));
    list_add(&work->facts, ((struct handbook_fact){(uint32_t)work->list, (uint32_t)place,
                                                   (uint32_t)work->item}));
}

static void find_in(struct handbook_work *work, size_t list, enum extract_what what,
                    const struct extract_text *question,
                    const struct extract_text *answer)
{
    work->list = list;
    extract_find(work->reader, what, question, answer, take_name, work);
}

static const unsigned parts_read =
    1u << LEARN_PARTS_TITLE | 1u << LEARN_PARTS_PROSE | 1u << LEARN_PARTS_CODE;

static struct extract_text text_of(const struct learn_parts *parts)
{
    return (struct extract_text){.title = parts->at[LEARN_PARTS_TITLE],
                                 .prose = parts->at[LEARN_PARTS_PROSE],
                                 .code = parts->at[LEARN_PARTS_CODE]};
}

static bool take_block(void *context, const struct run_texts_block *block,
                       struct err *err)
{
    struct handbook_work *work = context;
    int64_t *ids = arena_array(block->arena, int64_t, block->count + 1);
    struct learn_parts *answers =
        arena_array(block->arena, struct learn_parts, block->count + 1);

    for (size_t i = 0; i < block->count; i++)
        ids[i] = measure_column_at(work->frame->accepted_id, block->items[i]);
    if (!run_texts_read(work->frame->corpus, ids, block->count, parts_read, block->arena,
                        answers, err))
        return false;
    for (size_t i = 0; i < block->count; i++) {
        struct extract_text question = text_of(&block->posts[i]),
                            answer = text_of(&answers[i]);
        work->item = block->items[i];
        find_in(work, CALLS, EXTRACT_APIS, &answer, NULL);
        find_in(work, CONFUSED, EXTRACT_CONFUSED, &question, &answer);
        find_in(work, CHANGES, EXTRACT_CHANGES, &question, &answer);
    }
    return true;
}

/* Rows of what another step found: an item, and one or two columns of text. */
struct handbook_rows {
    struct handbook_work *work;
    const char *columns[2]; /* the second may be NULL */
    size_t id, places[2];
    struct buf name;
};

static bool take_rows_head(void *context, const struct result_table *table,
                           struct err *err)
{
    struct handbook_rows *rows = context;

    if (!result_column(table, "id", RESULT_ITEM, &rows->id, err))
        return false;
    for (size_t i = 0; i < 2 && rows->columns[i] != NULL; i++)
        if (!result_column(table, rows->columns[i], RESULT_TEXT, &rows->places[i], err))
            return false;
    return true;
}

static bool take_row(void *context, const struct result_row *row,
                     const struct result_cell *cells, struct err *err)
{
    struct handbook_rows *rows = context;
    struct handbook_work *work = rows->work;

    (void)row, (void)err;
    work->item = measure_frame_find(work->frame, cells[rows->id].item);
    if (work->item == work->frame->count || !measure_bits_has(work->all, work->item))
        return true;
    buf_clear(&rows->name);
    for (size_t i = 0; i < 2 && rows->columns[i] != NULL; i++) {
        struct str text = cells[rows->places[i]].text;
        if (text.len == 0)
            return true;
        buf_add_format(&rows->name, "%s%.*s", i > 0 ? " " : "", STR_ARG(text));
    }
    if (!extract_nameless(buf_str(&rows->name))) /* a page tells what, or nothing */
        take_name(work, buf_str(&rows->name), false);
    return true;
}

static bool read_step(struct handbook_work *work, const char *kind, struct str name,
                      const char *table, struct handbook_rows rows, struct err *err)
{
    struct result_file_rows wanted = {str_from(table), take_rows_head, take_row, &rows};

    rows.work = work;
    bool ok = run_output_read_rows(work->needs->study->home, kind, name, &wanted, err);
    buf_free(&rows.name);
    return ok;
}

/* What is said of an extract; NULL: the handbook finds the same itself. */
static const char *const extract_titles[EXTRACT_WHATS] = {
    [EXTRACT_APIS] = "Calls in questions",
    [EXTRACT_ERRORS] = "Error messages",
    [EXTRACT_VERSIONS] = "Versions",
    [EXTRACT_MISFITS] = "Versions that do not fit",
    [EXTRACT_SETTINGS] = "Settings",
    [EXTRACT_HARDWARE] = "Hardware",
    [EXTRACT_SYSTEMS] = "Operating systems",
    [EXTRACT_DEMAND] = "What is said to be missing",
    [EXTRACT_RULES] = "Calls that go together",
};

static bool read_steps(struct handbook_work *work, struct err *err)
{
    const struct study *study = work->needs->study;
    bool ok = true;

    for (size_t i = 0; i < study->phrases_count && ok; i++) {
        work->list =
            add_list(work, (struct handbook_list){
                               .title = "What people want to do",
                               .note = "questions",
                               .step = arena_format(&work->arena, "phrases.%.*s",
                                                    STR_ARG(study->phrases[i].name))});
        ok = read_step(work, "phrases", study->phrases[i].name, "main",
                       (struct handbook_rows){.columns = {"action", "object"}}, err);
    }
    for (size_t i = 0; i < study->extract_count && ok; i++) {
        const struct study_extract *extract = &study->extracts[i];
        size_t what = 0;
        while (what < EXTRACT_WHATS &&
               !str_eq(extract->what, str_from(extract_kinds[what].name)))
            what++;
        if (what == EXTRACT_WHATS || extract_titles[what] == NULL)
            continue;
        work->list = add_list(
            work,
            (struct handbook_list){.title = extract_titles[what],
                                   .note = "questions",
                                   .step = arena_format(&work->arena, "extracts.%.*s",
                                                        STR_ARG(extract->name))});
        ok = read_step(work, "extracts", extract->name, "items",
                       (struct handbook_rows){.columns = {"code"}}, err);
    }
    return ok;
}

static bool read_names(struct handbook_work *work, struct err *err)
{
    add_list(work, (struct handbook_list){.title = "What accepted answers call",
                                          .note = "answers"});
    add_list(work, (struct handbook_list){.title = "Calls that answers replace",
                                          .note = "questions",
                                          .pitfall = true,
                                          .once = true});
    add_list(work, (struct handbook_list){.title = "Settings that answers change",
                                          .note = "questions",
                                          .pitfall = true,
                                          .once = true});
    work->reader = extract_open();
    bool ok = run_texts_each(work->frame, work->all, parts_read, take_block, work, err) &&
              read_steps(work, err);
    extract_close(work->reader);
    return ok;
}

/* Answers that solve: what ranks them. */

static int by_answer(const void *a, const void *b)
{
    const struct handbook_answer *one = a, *two = b;

    return ORDER_BY(one->id, two->id);
}

static struct handbook_answer *find_answer(const struct handbook_work *work, int64_t id)
{
    struct handbook_answer wanted = {.id = id};

    return id == ITEM_NONE || work->answer_count == 0
               ? NULL
               : bsearch(&wanted, work->answers, work->answer_count, sizeof wanted,
                         by_answer);
}

static bool take_answer(void *context, const struct store_row *row, struct err *err)
{
    struct handbook_answer *answer = find_answer(context, row->item.id);

    (void)err;
    if (answer != NULL) {
        answer->created_ms = row->item.created_ms;
        answer->score = row->item.score;
    }
    return true;
}

/* The last of several that say so. */
static bool take_comment(void *context, const struct store_comment *comment,
                         struct err *err)
{
    struct handbook_work *work = context;
    struct handbook_answer *answer = find_answer(work, comment->item);
    struct buf words = {0};

    (void)err;
    work->comments = true;
    if (answer != NULL && text_outdated(comment->text, &words)) {
        answer->outdated = arena_copy(&work->arena, comment->text);
        answer->outdated_by = comment->user;
        answer->outdated_ms = comment->created_ms;
    }
    buf_free(&words);
    return true;
}

static bool read_answers(struct handbook_work *work, struct err *err)
{
    const struct measure_frame *frame = work->frame;

    if (!measure_solved_open(frame, &work->solved, err))
        return false;
    work->answers = arena_array(&work->arena, struct handbook_answer,
                                (size_t)measure_bits_count(work->all) + 1);
    MEASURE_BITS_EACH (i, work->all) {
        int64_t answer = measure_solved_answer(&work->solved, i);
        if (answer != ITEM_NONE && answer != 0)
            work->answers[work->answer_count++] = (struct handbook_answer){
                .id = answer,
                .item = i,
                .accepted = answer == measure_column_at(frame->accepted_id, i),
                .score = ITEM_NONE,
                .created_ms = ITEM_NONE};
    }
    qsort(work->answers, work->answer_count, sizeof *work->answers, by_answer);
    return store_scan(frame->corpus, 1u << ITEM_ANSWER, take_answer, work, err) &&
           store_comments(frame->corpus, take_comment, work, err);
}

/* Pages. */

static double log2_of(int64_t value)
{
    return value == ITEM_NONE || value <= 0 ? 0
                                            : real_log(1 + (double)value) / real_log(2);
}

static double worth_of(const struct handbook_work *work,
                       const struct handbook_answer *answer)
{
    const struct measure_frame *frame = work->frame;
    double fresh = 0;

    if (answer->created_ms != ITEM_NONE) {
        double years = (double)(measure_column_at(frame->end_ms, answer->item) -
                                answer->created_ms) /
                       (double)YEAR_MS;
        fresh = real_exp(-real_log(2) * (years > 0 ? years : 0) / FRESH_YEARS);
    }
    return log2_of(measure_column_at(frame->score, answer->item)) +
           log2_of(answer->score) +
           VIEWS_WEIGHT * log2_of(measure_column_at(frame->views, answer->item)) +
           FRESH_WEIGHT * fresh;
}

struct handbook_ranked {
    const struct handbook_answer *answer; /* NULL: an open question */
    size_t item;
    bool last;
    double worth;
};

static int by_worth(const void *a, const void *b)
{
    const struct handbook_ranked *one = a, *two = b;

    return order_then(
        order_then(ORDER_BY(one->last, two->last), ORDER_BY(two->worth, one->worth)),
        ORDER_BY(one->item, two->item));
}

static struct str author_of(struct handbook_work *work, int64_t post, int64_t user)
{
    struct buf link = {0};

    if (!work->needs->study->simulated)
        item_author_link_add(&link, &work->needs->study->spaces, post, user);
    return buf_keep(&link, &work->arena);
}

static void quote(struct handbook_work *work, int64_t id)
{
    list_add(&work->posts, (struct report_handbook_post){.id = id});
}

/* The best of them. */
static size_t cut_ranked(struct handbook_work *work, struct handbook_ranked *ranked,
                         size_t count, int64_t most)
{
    qsort(ranked, count, sizeof *ranked, by_worth);
    count = count < (size_t)most ? count : (size_t)most;
    for (size_t i = 0; i < count; i++) {
        quote(work, measure_column_at(work->frame->ids, ranked[i].item));
        if (ranked[i].answer != NULL)
            quote(work, ranked[i].answer->id);
    }
    return count;
}

static int64_t *ids_of(struct handbook_work *work, const struct handbook_ranked *ranked,
                       size_t count)
{
    int64_t *ids = arena_array(&work->arena, int64_t, count + 1);

    for (size_t i = 0; i < count; i++)
        ids[i] = measure_column_at(work->frame->ids, ranked[i].item);
    return ids;
}

static void set_solved(struct handbook_work *work, const struct handbook_ranked *ranked,
                       struct report_handbook_page *page)
{
    page->solved =
        arena_array(&work->arena, struct report_handbook_solved, page->solved_count + 1);
    for (size_t i = 0; i < page->solved_count; i++) {
        const struct handbook_answer *answer = ranked[i].answer;
        page->solved[i] = (struct report_handbook_solved){
            .question = measure_column_at(work->frame->ids, ranked[i].item),
            .answer = answer->id,
            .accepted = answer->accepted,
            .outdated = answer->outdated,
            .outdated_by = author_of(work, answer->id, answer->outdated_by),
            .outdated_ms = answer->outdated_ms};
    }
}

static void choose(struct handbook_work *work, size_t page)
{
    const struct measure_frame *frame = work->frame;
    struct report_handbook_page *out = &work->pages.at[page];
    struct measure_bits items = work->rows.at[page].bits;
    enum { SOLVED, OPEN, UNACCEPTED, CLOSED, KINDS };
    struct handbook_ranked *ranked[KINDS];
    size_t counts[KINDS] = {0};

    for (size_t i = 0; i < KINDS; i++)
        ranked[i] = arena_array(&work->page, struct handbook_ranked,
                                (size_t)measure_bits_count(items) + 1);
    MEASURE_BITS_EACH (i, items) {
        const struct handbook_answer *answer =
            find_answer(work, measure_solved_answer(&work->solved, i));
        bool answered = measure_bits_has(frame->answered, i);
        if (answer != NULL && answer->created_ms != ITEM_NONE)
            ranked[SOLVED][counts[SOLVED]++] = (struct handbook_ranked){
                answer, i, answer->outdated.len > 0, worth_of(work, answer)};
        else if (measure_solved_by_closing(frame, i)) {
            /* The source may count comments without bringing them. */
            int64_t comments = measure_column_at(frame->comments, i);
            bool closed = measure_column_at(frame->closed_ms, i) != ITEM_NONE,
                 commented = answered || (comments != ITEM_NONE && comments > 0);
            size_t kind = closed ? CLOSED : commented ? UNACCEPTED : OPEN;
            ranked[kind][counts[kind]++] = (struct handbook_ranked){
                NULL, i, false, comments == ITEM_NONE ? -1 : (double)comments};
        } else if (!measure_bits_has(frame->closed, i) &&
                   measure_solved_ms(&work->solved, i) == ITEM_NONE &&
                   measure_bits_has(frame->accepted_known, i) &&
                   measure_bits_has(frame->answered_known, i))
            ranked[OPEN + answered][counts[OPEN + answered]++] = (struct handbook_ranked){
                NULL, i, false,
                measure_column_at(frame->views, i) == ITEM_NONE
                    ? -1
                    : (double)measure_column_at(frame->views, i)};
    }
    out->solved_count =
        cut_ranked(work, ranked[SOLVED], counts[SOLVED], work->of->solved);
    set_solved(work, ranked[SOLVED], out);
    out->open_count = cut_ranked(work, ranked[OPEN], counts[OPEN], work->of->open);
    out->open = ids_of(work, ranked[OPEN], out->open_count);
    out->unaccepted_count =
        cut_ranked(work, ranked[UNACCEPTED], counts[UNACCEPTED], work->of->open);
    out->unaccepted = ids_of(work, ranked[UNACCEPTED], out->unaccepted_count);
    out->closed_count =
        cut_ranked(work, ranked[CLOSED], counts[CLOSED], work->of->solved);
    out->closed = ids_of(work, ranked[CLOSED], out->closed_count);
}

/* The years of a chapter, of whose pages each asks for them. */
static void find_span(struct handbook_work *work, struct measure_bits whole)
{
    const struct measure_frame *frame = work->frame;
    struct handbook_span *span = &work->span;
    int64_t first = INT64_MAX, end = ITEM_NONE;

    if (span->of.words == whole.words && whole.words != NULL)
        return;
    *span = (struct handbook_span){.of = whole, .last_ms = ITEM_NONE};
    MEASURE_BITS_EACH (i, whole) {
        int64_t at = measure_column_at(frame->created_ms, i);
        if (at == ITEM_NONE)
            continue;
        span->last_ms = at > span->last_ms ? at : span->last_ms;
        first = at < first ? at : first;
        end = measure_column_at(frame->end_ms, i) > end
                  ? measure_column_at(frame->end_ms, i)
                  : end;
    }
    if (span->last_ms == ITEM_NONE)
        return;
    int to = date_year(span->last_ms);
    span->from = date_year(first);
    span->year_count = (size_t)(to - span->from + 1);
    span->years = arena_array(&work->arena, int64_t, span->year_count);
    span->recent = arena_array(&work->arena, struct measure_trend_counts,
                               work->ends.spaces->count + 1);
    span->partial =
        date_year(end) == to && date_year(end + DATE_DAY_MS) == date_year(end);
    MEASURE_BITS_EACH (i, whole) {
        int64_t at = measure_column_at(frame->created_ms, i);
        if (at == ITEM_NONE)
            continue;
        span->years[date_year(at) - span->from]++;
        measure_trend_add(&work->ends, measure_column_at(frame->ids, i), at,
                          span->recent);
    }
}

/* Years that lack what a page's sources would have had; of one site the last alone. */
static void mark_years(struct handbook_work *work, struct measure_bits items,
                       struct report_handbook_page *out)
{
    const struct handbook_span *span = &work->span;
    size_t spaces = work->ends.spaces->count;
    bool *in = arena_array(&work->page, bool, spaces + 1);
    struct buf lacking = {0};

    if (work->ends.sites < 2) {
        out->years[span->year_count - 1].partial = span->partial;
        return;
    }
    MEASURE_BITS_EACH (i, items) {
        size_t space = item_space(measure_column_at(work->frame->ids, i));
        if (space < spaces)
            in[space] = true;
    }
    for (size_t y = 0; y < span->year_count; y++) {
        struct report_handbook_year *year = &out->years[y];
        struct measure_table_period period = {
            arena_format(&work->page, "%d", year->year), STUDY_GROUPING_YEAR, {0}};
        const struct measure_table_period *periods[] = {&period, NULL};
        enum measure_ends_state state =
            measure_ends_judge(&work->ends, in, periods, &work->page, &lacking);
        year->missing = state == MEASURE_ENDS_NONE && year->count == 0;
        year->partial = state != MEASURE_ENDS_WHOLE && !year->missing;
    }
    out->lacking = measure_ends_show(buf_str(&lacking), &work->arena);
    buf_free(&lacking);
}

/* A category that holds all of its sites, as those of a chapter by source do, can only be
 * compared with itself. */
static bool is_all_of_its_sites(const struct handbook_work *work,
                                const struct measure_trend_counts *of)
{
    bool all = work->ends.sites > 1;

    for (size_t s = 0; s < work->ends.spaces->count; s++)
        all = all && (of[s].recent + of[s].before == 0 ||
                      of[s].recent + of[s].before ==
                          work->span.recent[s].recent + work->span.recent[s].before);
    return all;
}

static void add_trend(struct handbook_work *work, size_t page)
{
    const struct handbook_span *span = &work->span;
    struct report_handbook_page *out = &work->pages.at[page];
    struct report_handbook_trend *trend = &out->trend;

    find_span(work, work->rows.at[page].set);
    *trend = (struct report_handbook_trend){.ratio = NAN};
    if (span->year_count == 0)
        return;
    out->years = arena_array(&work->arena, struct report_handbook_year, span->year_count);
    out->year_count = span->year_count;
    for (size_t y = 0; y < span->year_count; y++)
        out->years[y] = (struct report_handbook_year){.year = span->from + (int)y,
                                                      .whole = span->years[y]};
    struct measure_trend_counts *recent = arena_array(
        &work->page, struct measure_trend_counts, work->ends.spaces->count + 1);
    MEASURE_BITS_EACH (i, work->rows.at[page].bits) {
        int64_t at = measure_column_at(work->frame->created_ms, i);
        if (at == ITEM_NONE)
            continue;
        out->years[date_year(at) - span->from].count++;
        measure_trend_add(&work->ends, measure_column_at(work->frame->ids, i), at,
                          recent);
    }
    mark_years(work, work->rows.at[page].bits, out);
    struct measure_trend_counts here = measure_trend_sum(&work->ends, recent),
                                all = measure_trend_sum(&work->ends, span->recent);
    *trend = (struct report_handbook_trend){
        .recent = here.recent,
        .before = here.before,
        .recent_whole = all.recent,
        .before_whole = all.before,
        .sources = work->ends.sites > 1,
        .ratio = is_all_of_its_sites(work, recent)
                     ? NAN
                     : measure_trend_ratio(&work->ends, recent, span->recent)};
}

/* Names. */

static int by_item(const void *a, const void *b)
{
    const struct handbook_fact *one = a, *two = b;

    return order_then(
        order_then(ORDER_BY(one->item, two->item), ORDER_BY(one->list, two->list)),
        ORDER_BY(one->name, two->name));
}

/* Facts by item, each once; and of each name and list the items of all pages. */
static void sort_facts(struct handbook_work *work)
{
    size_t kept = 0, items = work->frame->count;

    if (work->facts.count > 0)
        qsort(work->facts.at, work->facts.count, sizeof *work->facts.at, by_item);
    for (size_t f = 0; f < work->facts.count; f++)
        if (kept == 0 || by_item(&work->facts.at[f], &work->facts.at[kept - 1]) != 0)
            work->facts.at[kept++] = work->facts.at[f];
    work->facts.count = kept;
    work->first_fact = arena_array(&work->arena, size_t, items + 1);
    work->tallies =
        arena_array(&work->arena, struct handbook_tally, work->names.count + 1);
    work->found = arena_array(&work->arena, uint32_t, work->names.count + 1);
    for (size_t i = 0, f = 0; i <= items; i++) {
        work->first_fact[i] = f;
        for (uint32_t last = UINT32_MAX; f < kept && work->facts.at[f].item == i; f++) {
            const struct handbook_fact *fact = &work->facts.at[f];
            work->tallies[fact->name].list = fact->list;
            work->tallies[fact->name].everywhere++;
            work->lists.at[fact->list].items += fact->list != last;
            last = fact->list;
        }
    }
}

/* Of calls: a name of everybody, such as print, tells nothing of a category. */
static double ratio_of(const struct handbook_tally *tally, int64_t here,
                       int64_t everywhere)
{
    double elsewhere = (double)(everywhere - here),
           with = (double)(tally->everywhere - tally->here);

    return here == 0 || everywhere - here < RATIO_ITEMS_MIN
               ? NAN
               : (double)tally->here / (double)here / ((with + 0.5) / (elsewhere + 1));
}

/* An answer that changes much would fill the list alone. */
static bool is_told(const struct report_handbook_list *list,
                    const struct report_handbook_name *name)
{
    for (size_t i = 0; i < list->count && name->count == 1; i++)
        if (list->names[i].count == 1 && list->names[i].examples[0] == name->examples[0])
            return true;
    return false;
}

/* Whether an item is the better example: it was seen more often, or is liked more. */
static bool is_better(const struct measure_frame *frame, uint32_t one, uint32_t other)
{
    int order = order_then(ORDER_BY(measure_column_at(frame->views, other),
                                    measure_column_at(frame->views, one)),
                           ORDER_BY(measure_column_at(frame->score, other),
                                    measure_column_at(frame->score, one)));

    return order_then(order, ORDER_BY(one, other)) < 0;
}

/* Puts an item in its place among the best; the last of too many falls out. */
static void keep_best(const struct measure_frame *frame, uint32_t item, uint32_t *best,
                      size_t *count)
{
    size_t at = *count;

    while (at > 0 && is_better(frame, item, best[at - 1]))
        at--;
    if (at == EXAMPLES)
        return;
    *count += *count < EXAMPLES;
    for (size_t i = *count - 1; i > at; i--)
        best[i] = best[i - 1];
    best[at] = item;
}

static size_t source_of(const struct measure_frame *frame, uint32_t item)
{
    return item_space(measure_column_at(frame->ids, item));
}

/* The same where each source has but one. */
static void keep_spread(const struct measure_frame *frame, uint32_t item,
                        struct handbook_tally *tally)
{
    size_t at = 0;

    while (at < tally->spread_count &&
           source_of(frame, tally->spread[at]) != source_of(frame, item))
        at++;
    if (at < tally->spread_count) {
        if (!is_better(frame, item, tally->spread[at]))
            return;
        for (tally->spread_count--; at < tally->spread_count; at++)
            tally->spread[at] = tally->spread[at + 1];
    }
    keep_best(frame, item, tally->spread, &tally->spread_count);
}

/* The best of each source, then what else is best. */
static void set_examples(const struct measure_frame *frame,
                         const struct handbook_tally *tally,
                         struct report_handbook_name *out)
{
    uint32_t chosen[EXAMPLES];
    size_t count = 0;

    for (size_t i = 0; i < tally->spread_count; i++)
        keep_best(frame, tally->spread[i], chosen, &count);
    for (size_t i = 0; i < tally->best_count && count < out->example_count; i++) {
        bool taken = false;
        for (size_t s = 0; s < tally->spread_count; s++)
            taken = taken || tally->spread[s] == tally->best[i];
        if (!taken)
            keep_best(frame, tally->best[i], chosen, &count);
    }
    for (size_t i = 0; i < out->example_count; i++)
        out->examples[i] = measure_column_at(frame->ids, chosen[i]);
}

static void set_name(struct handbook_work *work, uint32_t place, double ratio,
                     struct report_handbook_name *out)
{
    const struct handbook_tally *tally = &work->tallies[place];

    *out = (struct report_handbook_name){
        .text = work->names.at[place],
        .count = tally->here,
        .ratio = ratio,
        .examples = arena_array(&work->arena, int64_t, EXAMPLES),
        .example_count = tally->here < EXAMPLES ? (size_t)tally->here : EXAMPLES};
    set_examples(work->frame, tally, out);
}

/* here: items of the page that have any name of the list. */
static void add_names(struct handbook_work *work, size_t page, size_t list,
                      const uint32_t *found, size_t count, int64_t here)
{
    struct report_handbook_page *it = &work->pages.at[page];
    struct report_handbook_list *out = &it->lists[it->list_count];
    const struct handbook_list *from = &work->lists.at[list];
    bool few = from->once || it->cells[STUDY_HANDBOOK_COUNT].value < FEW;
    size_t most = (size_t)work->of->names;

    *out = (struct report_handbook_list){
        .title = from->title,
        .note = strcmp(from->note, "questions") == 0 ? it->items : from->note,
        .step = from->step,
        .pitfall = from->pitfall,
        .names = arena_array(&work->arena, struct report_handbook_name,
                             count < most ? count + 1 : most + 1)};
    for (size_t i = 0;
         i < count && out->count < most && (few || work->tallies[found[i]].here > 1);
         i++) {
        const struct handbook_tally *tally = &work->tallies[found[i]];
        struct report_handbook_name *name = &out->names[out->count];
        set_name(work, found[i], list == CALLS ? ratio_of(tally, here, from->items) : NAN,
                 name);
        if (from->pitfall && is_told(out, name))
            continue;
        out->count++;
        for (size_t e = 0; e < name->example_count; e++)
            quote(work, name->examples[e]);
    }
    it->list_count += out->count > 0;
}

/* Counts the names of a page's items: which there are, and of each list how many items
 * have any. */
static size_t count_names(struct handbook_work *work, struct measure_bits items,
                          int64_t *having)
{
    size_t count = 0;

    MEASURE_BITS_EACH (i, items) {
        uint32_t last = UINT32_MAX;
        for (size_t f = work->first_fact[i]; f < work->first_fact[i + 1]; f++) {
            const struct handbook_fact *fact = &work->facts.at[f];
            struct handbook_tally *tally = &work->tallies[fact->name];
            if (tally->here == 0)
                work->found[count++] = fact->name;
            keep_best(work->frame, (uint32_t)i, tally->best, &tally->best_count);
            keep_spread(work->frame, (uint32_t)i, tally);
            tally->here++;
            having[fact->list] += fact->list != last;
            last = fact->list;
        }
    }
    return count;
}

/* For sorting, which passes nothing on. */
struct handbook_count {
    uint32_t name, list;
    int64_t count;
    struct str text;
};

static int by_count(const void *a, const void *b)
{
    const struct handbook_count *one = a, *two = b;

    return order_then(
        order_then(ORDER_BY(one->list, two->list), ORDER_BY(two->count, one->count)),
        str_compare(one->text, two->text));
}

/* By list; the most frequent first. */
static void sort_names(struct handbook_work *work, size_t count)
{
    uint32_t *found = work->found;
    struct handbook_count *sorted =
        arena_array(&work->page, struct handbook_count, count + 1);

    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct handbook_count){found[i], work->tallies[found[i]].list,
                                            work->tallies[found[i]].here,
                                            work->names.at[found[i]]};
    qsort(sorted, count, sizeof *sorted, by_count);
    for (size_t i = 0; i < count; i++)
        found[i] = sorted[i].name;
}

/* The names of each list that items of the page have. */
static void add_lists(struct handbook_work *work, size_t page)
{
    const uint32_t *found = work->found;
    int64_t *having = arena_array(&work->page, int64_t, work->lists.count + 1);
    size_t count = count_names(work, work->rows.at[page].bits, having);

    work->pages.at[page].lists =
        arena_array(&work->arena, struct report_handbook_list, work->lists.count + 1);
    sort_names(work, count);
    for (size_t from = 0, to; from < count; from = to) {
        uint32_t list = work->tallies[found[from]].list;
        for (to = from; to < count && work->tallies[found[to]].list == list;)
            to++;
        add_names(work, page, list, found + from, to - from, having[list]);
    }
    for (size_t i = 0; i < count; i++)
        work->tallies[found[i]].here =
            (int64_t)(work->tallies[found[i]].best_count =
                          work->tallies[found[i]].spread_count = 0);
}

/* Posts. */

static int by_post(const void *a, const void *b)
{
    const struct report_handbook_post *one = a, *two = b;

    return ORDER_BY(one->id, two->id);
}

static bool take_post(void *context, const struct item *post, struct err *err)
{
    struct handbook_work *work = context;
    struct report_handbook_post wanted = {.id = post->id},
                                *out = bsearch(&wanted, work->posts.at, work->posts.count,
                                               sizeof wanted, by_post);
    const struct item_spaces *spaces = &work->needs->study->spaces;
    struct buf link = {0};

    if (!work->needs->study->simulated)
        item_link_add(&link, spaces, post->id);
    *out =
        (struct report_handbook_post){.id = post->id,
                                      .key = item_key(spaces, post->id, &work->arena),
                                      .link = buf_keep(&link, &work->arena),
                                      .title = arena_copy(&work->arena, post->title),
                                      .body = arena_copy(&work->arena, post->body),
                                      .form = post->form,
                                      .license = arena_copy(&work->arena, post->license),
                                      .author = author_of(work, post->id, post->owner),
                                      .created_ms = post->created_ms,
                                      .score = post->score,
                                      .views = post->views,
                                      .answers = post->answers};
    return stop_check(err);
}

/* Each once, in the order of ids. */
static bool read_posts(struct handbook_work *work, struct err *err)
{
    size_t kept = 0;

    if (work->posts.count > 0)
        qsort(work->posts.at, work->posts.count, sizeof *work->posts.at, by_post);
    for (size_t i = 0; i < work->posts.count; i++)
        if (kept == 0 || work->posts.at[i].id != work->posts.at[kept - 1].id)
            work->posts.at[kept++] = work->posts.at[i];
    work->posts.count = kept;
    int64_t *ids = arena_array(&work->arena, int64_t, kept + 1);
    for (size_t i = 0; i < kept; i++)
        ids[i] = work->posts.at[i].id;
    return store_fetch(work->frame->corpus, ids, kept, take_post, work, err);
}

/* The step. */

static void write_files(struct handbook_work *work)
{
    struct run_output *output = work->output;
    struct report_handbook *book = &work->book;

    report_handbook_index(book, run_output_add(output, "out/handbook/index.html"));
    for (size_t i = 0; i < book->page_count; i++)
        report_handbook_page(
            book, i,
            run_output_add(output, arena_format(&work->arena, "out/handbook/%.*s",
                                                STR_ARG(book->pages[i].file))
                                       .ptr));
    report_handbook_whole(book, run_output_add(output, "out/handbook/book.html"));
    report_handbook_markdown(book, run_output_add(output, "out/handbook/book.md"));
    report_handbook_search(book, run_output_add(output, "out/handbook/search.js"));
    report_handbook_attribution(book,
                                run_output_add(output, "out/handbook/attribution.csv"));
    buf_add(run_output_add(output, "out/handbook/handbook.css"), report_handbook_style());
    buf_add(run_output_add(output, "out/handbook/handbook.js"), report_handbook_script());
    buf_add_format(&output->says, "%zu page%s, %zu post%s quoted", book->page_count + 1,
                   book->page_count == 0 ? "" : "s", book->post_count,
                   str_plural((int64_t)book->post_count));
}

static bool fill_book(struct handbook_work *work, struct err *err)
{
    const struct study *study = work->needs->study;

    work->all = measure_bits_make(work->frame->count, &work->arena);
    work->codebooks = arena_array(&work->arena, const struct study_codebook_dimension *,
                                  study->all_label_count + 1);
    for (size_t i = 0; i < work->of->chapter_count; i++)
        if (!add_chapter(work, &work->of->chapters[i], err))
            return false;
    if (!read_answers(work, err) || !read_names(work, err))
        return false;
    sort_facts(work);
    for (size_t i = 0; i < work->pages.count; i++) {
        struct arena_mark mark = arena_mark(&work->page);
        add_trend(work, i);
        choose(work, i);
        add_lists(work, i);
        arena_rewind(&work->page, mark);
    }
    if (!read_posts(work, err))
        return false;
    work->book =
        (struct report_handbook){.study = study,
                                 .title = work->of->title.len > 0 ? work->of->title
                                          : study->title.len > 0  ? study->title
                                                                  : study->name,
                                 .version = work->needs->options->version,
                                 .pages = work->pages.at,
                                 .page_count = work->pages.count,
                                 .posts = work->posts.at,
                                 .post_count = work->posts.count,
                                 .comments = work->comments};
    write_files(work);
    return true;
}

static void list_handbook(struct run_listing *listing, struct run_step *step)
{
    const struct study *study = listing->study;
    const struct study_handbook *handbook = &study->handbook;
    struct buf section = {0};

    step->name = str_from(step->kind->name);
    step->corpus = true;
    study_keys_canonical(handbook->node, step->kind->name, &section);
    buf_add_format(&section, "%.*s\n%.*s", STR_ARG(study->title), STR_ARG(study->name));
    step->section = run_steps_hash(buf_str(&section));
    buf_free(&section);
    for (size_t c = 0; c < handbook->chapter_count; c++) {
        const struct study_table *chapter = &handbook->chapters[c];
        run_steps_need_source(listing, step, chapter->of[0]);
        for (size_t i = 0; i < chapter->by_count; i++) {
            const struct study_group *group = &study->groups[chapter->by[i]];
            run_steps_need_group(listing, step, chapter->by[i]);
            if (group->grouping == STUDY_GROUPING_LABELS &&
                study->labels[group->labels].codebook != NULL)
                run_steps_add_file(listing, step, study->labels[group->labels].codebook);
        }
        for (size_t i = 0; i < chapter->column_count; i++)
            run_steps_need_measure(listing, step, &chapter->columns[i].measure);
    }
    for (size_t i = 0; i < study->phrases_count; i++)
        run_steps_need(listing, step, &run_kind_phrases, i);
    for (size_t i = 0; i < study->extract_count; i++)
        run_steps_need(listing, step, &run_kind_extract, i);
}

/* Fills output with out/handbook/. */
static bool make_handbook(struct run_needs *needs, const struct run_step *step,
                          struct run_output *output, struct err *err)
{
    struct handbook_work work = {.of = &needs->study->handbook,
                                 .needs = needs,
                                 .frame = &needs->frame,
                                 .output = output};

    if (!run_needs_frame(needs, err) || !run_needs_groups(needs, step, err) ||
        !measure_ends_of_spaces(needs->study, needs->corpus, &work.arena, &work.ends,
                                err)) {
        arena_free(&work.arena);
        return err_at(err, "handbook: ");
    }
    work.files.arena = work.name_places.arena = &work.arena;
    bool ok = fill_book(&work, err);
    list_free(&work.pages);
    list_free(&work.rows);
    list_free(&work.lists);
    list_free(&work.facts);
    list_free(&work.names);
    list_free(&work.posts);
    arena_free(&work.page);
    arena_free(&work.arena);
    return ok || err_at(err, "handbook: ");
}

const struct run_kind run_kind_handbook = {
    .name = "handbook",
    .counted = offsetof(struct study, handbook_count),
    .engine = 16,
    .no_result = true,
    .list = list_handbook,
    .make = make_handbook,
};
