/* Tag sets, in two steps. tagsets.NAME goes over all questions of the sources, which the
 * corpus does not hold, and finds candidates; accepted.NAME puts beside them what people
 * decided. So a decision never makes the sources be read again, and what the accepted
 * tags add is known all the same, from which candidates stand together in how many
 * questions. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "dump/tagset.h"
#include "run/needs.h"
#include "run/output.h"
#include "run/run.h"
#include "source/questions.h"

enum { QUESTIONS, SEEDED, RELEVANCE, SIGNIFICANCE, ADDS, NEW, COLUMNS };

static const struct result_column columns[COLUMNS] = {
    [QUESTIONS] = {.type = RESULT_COUNT, .name = STR_INIT("questions")},
    [SEEDED] = {.type = RESULT_COUNT, .name = STR_INIT("with a seed tag")},
    [RELEVANCE] = {.type = RESULT_REAL, .digits = 4, .name = STR_INIT("relevance")},
    [SIGNIFICANCE] = {.type = RESULT_REAL, .digits = 4, .name = STR_INIT("significance")},
    [ADDS] = {.type = RESULT_COUNT, .name = STR_INIT("adds")},
    [NEW] = {.type = RESULT_COUNT, .name = STR_INIT("new")}};

static void add_number(struct result_table *numbers, const char *name, int64_t value,
                       struct arena *arena)
{
    result_add_number(numbers, RESULT_COUNT, str_from(name), (struct str){0},
                      result_count(value), arena);
}

/* Candidates. */

static void add_candidates(const struct dump_tagset_candidate *all, size_t count,
                           struct run_output *output)
{
    struct arena *arena = &output->arena;
    struct result_table table = result_from("candidates", "tag", columns, COLUMNS, arena);

    for (size_t i = 0; i < count; i++) {
        struct result_cell *cells =
            result_add_row(&table, arena_copy(arena, all[i].name), RESULT_NONE, arena);
        cells[QUESTIONS] = result_count(all[i].questions);
        cells[SEEDED] = result_count(all[i].seeded);
        cells[RELEVANCE] = result_number(all[i].relevance);
        cells[SIGNIFICANCE] = result_number(all[i].significance);
        cells[ADDS] = result_count(all[i].adds);
        cells[NEW] = result_count(all[i].beyond);
    }
    result_add_note(&table,
                    STR("Relevance: the share of the tag's questions that have a seed "
                        "tag. Significance: the share of the questions with a seed tag "
                        "that carry it. Adds: its questions without a seed tag. New: of "
                        "these, those without any tag above it."),
                    arena);
    run_output_shown(output, &table, "tag");
}

/* The published limits with the study's own among them, ascending. */
static size_t limits_of(const double published[DUMP_TAGSET_STEPS], double own,
                        double out[DUMP_TAGSET_STEPS + 1])
{
    size_t count = 0;
    bool given = false;

    for (size_t i = 0; i < DUMP_TAGSET_STEPS; i++) {
        if (!given && own <= published[i]) {
            given = true;
            if (own < published[i])
                out[count++] = own;
        }
        out[count++] = published[i];
    }
    if (!given)
        out[count++] = own;
    return count;
}

static void add_thresholds(const struct dump_tagset *tagset,
                           const struct study_tagset *one, struct run_output *output)
{
    static const struct result_column heads[] = {
        {.type = RESULT_REAL, .digits = -1, .name = STR_INIT("relevance at least")},
        {.type = RESULT_REAL, .digits = -1, .name = STR_INIT("significance at least")},
        {.type = RESULT_COUNT, .name = STR_INIT("tags taken")},
        {.type = RESULT_COUNT, .name = STR_INIT("adds")},
        {.type = RESULT_COUNT, .name = STR_INIT("questions")}};
    struct arena *arena = &output->arena;
    struct result_table table =
        result_from("thresholds", "limits", heads, ROWS_OF(heads), arena);
    double relevances[DUMP_TAGSET_STEPS + 1], significances[DUMP_TAGSET_STEPS + 1];
    size_t rows = limits_of(dump_tagset_relevances, one->relevance, relevances),
           each = limits_of(dump_tagset_significances, one->significance, significances);

    for (size_t r = 0; r < rows; r++)
        for (size_t s = 0; s < each; s++) {
            struct dump_tagset_limits limits = {relevances[r], significances[s]};
            struct dump_tagset_taken taken = dump_tagset_taken(tagset, limits);
            struct result_cell *cells = result_add_row(
                &table,
                arena_format(arena, "%g and %g", limits.relevance, limits.significance),
                RESULT_NONE, arena);
            cells[0] = result_number(limits.relevance);
            cells[1] = result_number(limits.significance);
            cells[2] = result_count(taken.tags);
            cells[3] = result_count(taken.adds);
            cells[4] = result_count(tagset->seeded + taken.adds);
        }
    run_output_shown(output, &table, "limits");
}

/* For the next step: which candidates stand together where no seed tag does. */
static void add_together(const struct dump_tagset *tagset,
                         const struct dump_tagset_candidate *all, size_t count,
                         struct run_output *output)
{
    static const struct result_column heads[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("tags")},
        {.type = RESULT_COUNT, .name = STR_INIT("questions")}};
    struct run_output_list list =
        run_output_list(output, STR("together"), heads, ROWS_OF(heads),
                        run_output_add_own(output, STR("together"), ".csv"));
    struct buf tags = {0};
    size_t found;
    const struct dump_tagset_together *together =
        dump_tagset_together(tagset, all, count, &output->arena, &found);

    for (size_t i = 0; i < found; i++) {
        buf_clear(&tags);
        for (size_t k = 0; k < together[i].count; k++)
            buf_add_format(&tags, "%s%.*s", k > 0 ? " " : "",
                           STR_ARG(all[together[i].candidates[k]].name));
        run_output_list_add(&list,
                            (struct result_cell[]){result_text(buf_str(&tags)),
                                                   result_count(together[i].questions)});
    }
    run_output_list_end(&list);
    buf_free(&tags);
}

static void add_found(const struct dump_tagset *tagset, const struct study_tagset *one,
                      struct run_output *output)
{
    struct arena *arena = &output->arena;
    struct result_table numbers = {.name = STR("numbers")};
    struct dump_tagset_limits limits = {one->relevance, one->significance};
    size_t count;
    const struct dump_tagset_candidate *all =
        dump_tagset_candidates(tagset, limits, arena, &count);

    add_number(&numbers, "questions", tagset->questions, arena);
    add_number(&numbers, "with-seed", tagset->seeded, arena);
    add_number(&numbers, "seeds", (int64_t)one->seed_count, arena);
    add_number(&numbers, "candidates", (int64_t)count, arena);
    run_output_result(output, &numbers);
    add_candidates(all, count, output);
    add_thresholds(tagset, one, output);
    add_together(tagset, all, count, output);
    buf_add_format(&output->says,
                   "%zu candidate%s beside %zu seed%s, which %lld of %lld "
                   "questions have",
                   count, str_plural((int64_t)count), one->seed_count,
                   str_plural((int64_t)one->seed_count), (long long)tagset->seeded,
                   (long long)tagset->questions);
}

/* Questions, and what the study asks of them. */
static const struct query_node *query_of(const struct study_tagset *one,
                                         struct arena *arena)
{
    struct query_node *question = arena_array(arena, struct query_node, 1);
    struct query_node *both = arena_array(arena, struct query_node, 1);

    *question = (struct query_node){.kind = QUERY_TYPE,
                                    .field = QUERY_FIELD_IS,
                                    .types = 1u << ITEM_QUESTION,
                                    .text = STR("question")};
    if (one->among == NULL)
        return question;
    *both = (struct query_node){.kind = QUERY_AND, .first = question};
    question->next = arena_array(arena, struct query_node, 1);
    *question->next = *one->among;
    question->next->next = NULL;
    if (one->among->kind == QUERY_AND) /* none of its children may be one */
        question->next = one->among->first;
    return both;
}

static bool tell_no_seed(const struct run_needs *needs, const struct study_tagset *one,
                         const struct dump_tagset *tagset, struct err *err)
{
    struct str near = dump_tagset_near(tagset);

    err_record(
        err, ERR_INPUT, "none of %lld questions has a seed tag, such as '%.*s'%s%.*s%s",
        (long long)tagset->questions, STR_ARG(tagset->seeds[0]),
        near.len > 0 ? "; did you mean '" : "", STR_ARG(near), near.len > 0 ? "'?" : "");
    return run_needs_at(needs, one->node, "seeds", err);
}

static void list_tagset(struct run_listing *listing, struct run_step *step)
{
    const struct study_tagset *one = &listing->study->tagsets[step->index];
    struct buf section = {0};

    step->corpus = true; /* which stands for the sources, whatever it holds of them */
    for (size_t i = 0; i < one->counted_count; i++)
        buf_add_format(&section, "seed %.*s\n", STR_ARG(one->counted[i]));
    buf_add_format(&section, "relevance %.17g\nsignificance %.17g\n", one->relevance,
                   one->significance);
    size_t count;
    const struct query_synonym *same =
        query_synonyms_all(listing->study->synonyms, &count);
    for (size_t i = 0; i < count; i++)
        buf_add_format(&section, "synonym %.*s of %.*s\n", STR_ARG(same[i].tag),
                       STR_ARG(same[i].of));
    if (one->among != NULL)
        query_print(one->among, &section);
    run_steps_name_text(listing, step, one->name, buf_str(&section));
    buf_free(&section);
}

static bool make_tagset(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    const struct study_tagset *one = &needs->study->tagsets[step->index];
    struct arena arena = {0};
    struct dump_tagset tagset;
    struct source_ingest_options options =
        run_ingest_options(needs->study, needs->options, &arena);

    options.query = query_of(one, &arena);
    struct dump_tagset_limits lowest = {
        fmin(one->relevance, dump_tagset_relevances[0]),
        fmin(one->significance, dump_tagset_significances[0])};
    dump_tagset_open(&tagset, one->counted, one->counted_count, needs->study->synonyms,
                     &arena);
    bool ok = source_questions_count(&options, lowest, &tagset, err) ||
              err_at(err, "tagsets.%.*s: ", STR_ARG(one->name));
    if (ok && tagset.seeded == 0)
        ok = tell_no_seed(needs, one, &tagset, err);
    if (ok)
        add_found(&tagset, one, output);
    dump_tagset_free(&tagset);
    arena_free(&arena);
    return ok;
}

const struct run_kind run_kind_tagset = {
    .name = "tagsets",
    .counted = offsetof(struct study, tagset_count),
    .engine = 2,
    .list = list_tagset,
    .make = make_tagset,
};

/* Decisions. */

struct tagging_work {
    const struct study_tagset *one;
    struct run_output *output;
    const struct result_table *candidates, *together;
    size_t places[COLUMNS]; /* of columns among the candidates' */
    size_t tags, questions; /* of columns of `together` */
    double seeded;
    int64_t verdicts[STUDY_DISPUTED + 1]; /* of candidates, how many */
    int64_t outside;                      /* accepted, and no candidates */
    int64_t adds;
    int64_t *beyond; /* of each candidate that is accepted: what only it adds to those
                        above */
};

static const char *const verdict_words[] = {[STUDY_UNDECIDED] = "undecided",
                                            [STUDY_ACCEPTED] = "accepted",
                                            [STUDY_REFUSED] = "refused",
                                            [STUDY_DISPUTED] = "disputed"};

static size_t candidate_of(const struct result_table *candidates, struct str tag)
{
    size_t i = 0;

    while (i < candidates->row_count && !str_eq(candidates->rows[i].name, tag))
        i++;
    return i;
}

/* Each question without a seed tag counts for the first of its tags that is accepted. */
static void count_adds(struct tagging_work *work)
{
    const struct result_table *table = work->together;
    size_t count = work->candidates->row_count;

    work->beyond = arena_array(&work->output->arena, int64_t, count + 1);
    for (size_t r = 0; r < table->row_count; r++) {
        const struct result_cell *cells = table->cells + r * table->column_count;
        struct str rest = cells[work->tags].text, tag;
        size_t first = count;
        for (bool more = true; more && first == count;) {
            more = str_cut(&rest, ' ', &tag);
            if (study_tagset_verdict(work->one, tag) == STUDY_ACCEPTED)
                first = candidate_of(work->candidates, tag);
        }
        if (first == count)
            continue;
        work->beyond[first] += (int64_t)cells[work->questions].value;
        work->adds += (int64_t)cells[work->questions].value;
    }
}

/* What people gave as reasons, each once. */
static struct str reasons(const struct study_tagset *one, struct str tag,
                          struct arena *arena)
{
    struct buf text = {0};

    for (size_t i = 0; i < one->decided_count; i++)
        if (str_eq(one->decided[i].tag, tag) && one->decided[i].why.len > 0)
            buf_add_format(&text, "%s%.*s", text.len > 0 ? "; " : "",
                           STR_ARG(one->decided[i].why));
    return buf_keep(&text, arena);
}

enum { VERDICT, WHY = VERDICT + COLUMNS + 1, VERDICT_COLUMNS };

static void add_row(const struct tagging_work *work, struct result_table *table,
                    struct str tag, enum study_verdict verdict, size_t candidate)
{
    struct arena *arena = &work->output->arena;
    const struct result_table *from = work->candidates;
    struct result_cell *cells = result_add_row(table, tag, RESULT_NONE, arena);

    cells[VERDICT] = result_text(str_from(verdict_words[verdict]));
    cells[WHY] = result_text(reasons(work->one, tag, arena));
    for (size_t c = 0; c < COLUMNS; c++) {
        struct result_cell *cell = &cells[VERDICT + 1 + c];
        if (candidate == from->row_count)
            cell->undefined = "it is not a candidate";
        else if (c == NEW && verdict != STUDY_ACCEPTED)
            cell->undefined = "it is not accepted";
        else
            *cell = from->cells[candidate * from->column_count + work->places[c]];
    }
    if (verdict == STUDY_ACCEPTED && candidate < from->row_count)
        cells[VERDICT + 1 + NEW] = result_count(work->beyond[candidate]);
}

/* Candidates, then what was accepted though it is none. */
static void add_verdicts(struct tagging_work *work)
{
    struct result_column heads[VERDICT_COLUMNS] = {
        [VERDICT] = {.type = RESULT_TEXT, .name = STR_INIT("verdict")},
        [WHY] = {.type = RESULT_TEXT, .name = STR_INIT("why")}};
    struct arena *arena = &work->output->arena;
    const struct study_tagset *one = work->one;

    for (size_t c = 0; c < COLUMNS; c++)
        heads[VERDICT + 1 + c] = columns[c];
    struct result_table table =
        result_from("verdicts", "tag", heads, VERDICT_COLUMNS, arena);
    for (size_t i = 0; i < work->candidates->row_count; i++) {
        struct str tag = work->candidates->rows[i].name;
        enum study_verdict verdict = study_tagset_verdict(one, tag);
        work->verdicts[verdict]++;
        add_row(work, &table, tag, verdict, i);
    }
    for (size_t i = 0; i < one->decided_count; i++) {
        struct str tag = one->decided[i].tag;
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first = first && !str_eq(one->decided[k].tag, tag);
        /* Lists of accepted tags, as papers print them, hold the seeds too. */
        if (!first || dump_tagset_has(one->counted, one->counted_count, tag) ||
            study_tagset_verdict(one, tag) != STUDY_ACCEPTED ||
            candidate_of(work->candidates, tag) < work->candidates->row_count)
            continue;
        work->outside++;
        add_row(work, &table, tag, STUDY_ACCEPTED, work->candidates->row_count);
    }
    result_add_note(&table,
                    STR("New: questions without a seed tag and without any accepted tag "
                        "above it."),
                    arena);
    run_output_shown(work->output, &table, "tag");
}

/* Rows to copy into the decisions. */
static void add_to_decide(const struct tagging_work *work)
{
    const struct result_table *from = work->candidates;
    struct buf *csv = run_output_add_own(work->output, STR("to-decide"), ".csv");

    buf_add(csv, STR("tag,accepted,who,why,questions,relevance,significance,adds\n"));
    for (size_t i = 0; i < from->row_count; i++) {
        const struct result_cell *cells = from->cells + i * from->column_count;
        enum study_verdict verdict = study_tagset_verdict(work->one, from->rows[i].name);
        if (verdict != STUDY_UNDECIDED && verdict != STUDY_DISPUTED)
            continue;
        buf_add_csv(csv, from->rows[i].name);
        buf_add_format(
            csv, ",,,,%.0f,%.4f,%.4f,%.0f\n", cells[work->places[QUESTIONS]].value,
            cells[work->places[RELEVANCE]].value, cells[work->places[SIGNIFICANCE]].value,
            cells[work->places[ADDS]].value);
    }
}

/* Who decided it, by number in the order of rows: names are nobody's business. */
static size_t person_of(const struct study_tagset *one, size_t decided)
{
    size_t number = 0;

    for (size_t i = 0; !str_eq(one->decided[i].who, one->decided[decided].who); i++) {
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first = first && !str_eq(one->decided[k].who, one->decided[i].who);
        number += first;
    }
    return number;
}

static int64_t count_people(const struct study_tagset *one)
{
    int64_t people = 0;

    for (size_t i = 0; i < one->decided_count; i++) {
        bool first = one->decided[i].verdict != SOURCE_UNDECIDED;
        for (size_t k = 0; k < i; k++)
            first = first && (one->decided[k].verdict == SOURCE_UNDECIDED ||
                              !str_eq(one->decided[k].who, one->decided[i].who));
        people += first && !one->listed;
    }
    return people;
}

static void add_counts(const struct tagging_work *work)
{
    struct arena *arena = &work->output->arena;
    struct result_table numbers = {.name = STR("numbers")};
    struct result_cell questions = result_number(work->seeded + (double)work->adds),
                       adds = result_count(work->adds);

    for (int v = STUDY_UNDECIDED; v <= STUDY_DISPUTED; v++)
        add_number(&numbers, verdict_words[v], work->verdicts[v], arena);
    add_number(&numbers, "outside", work->outside, arena);
    add_number(&numbers, "people", count_people(work->one), arena);
    add_number(&numbers, "tags",
               (int64_t)work->one->seed_count + work->verdicts[STUDY_ACCEPTED] +
                   work->outside,
               arena);
    if (work->outside > 0) {
        questions = adds = result_number(NAN);
        questions.undefined = adds.undefined =
            "tags were accepted that are not candidates, and were not counted";
    }
    result_add_number(&numbers, RESULT_COUNT, STR("adds"), (struct str){0}, adds, arena);
    result_add_number(&numbers, RESULT_COUNT, STR("questions"), (struct str){0},
                      questions, arena);
    run_output_result(work->output, &numbers);
}

/* Until all is decided the tag set is smaller than it may become. */
static void tell_open(const struct run_needs *needs, const struct tagging_work *work)
{
    const struct run_options *options = needs->options;
    const struct study_tagset *one = work->one;
    long long open = work->verdicts[STUDY_UNDECIDED] + work->verdicts[STUDY_DISPUTED],
              taken = work->verdicts[STUDY_ACCEPTED] + work->outside;
    struct buf text = {0};

    if (open == 0 || options->warn == NULL)
        return;
    buf_add_format(
        &text,
        "%s:%d:%d: %lld of %zu candidates %s decided on: [tagset:%.*s] is the "
        "%zu seed%s and %lld accepted tag%s; say yes or no of each in %s, "
        "out/accepted/%.*s/to-decide.csv has the rows",
        needs->study->path, one->node->line, one->node->column, open,
        work->candidates->row_count, open == 1 ? "is not" : "are not", STR_ARG(one->name),
        one->seed_count, str_plural((int64_t)one->seed_count), taken, str_plural(taken),
        one->decisions != NULL ? one->decisions : "a csv that `decisions` names",
        STR_ARG(one->name));
    options->warn(options->context, buf_str(&text));
    buf_free(&text);
}

static void list_accepted(struct run_listing *listing, struct run_step *step)
{
    const struct study_tagset *one = &listing->study->tagsets[step->index];
    struct buf section = {0};

    run_steps_need(listing, step, &run_kind_tagset, step->index);
    buf_add_format(&section, "%s\n", one->listed ? "listed" : "decided");
    for (size_t i = 0; i < one->decided_count; i++)
        buf_add_format(&section, "%.*s\n%s\n%zu\n%.*s\n", STR_ARG(one->decided[i].tag),
                       verdict_words[one->decided[i].verdict], person_of(one, i),
                       STR_ARG(one->decided[i].why));
    run_steps_name_text(listing, step, one->name, buf_str(&section));
    buf_free(&section);
}

static bool find_tables(struct tagging_work *work, const struct result *result,
                        struct err *err)
{
    work->candidates = result_find(result, STR("candidates"));
    work->together = result_find(result, STR("together"));
    if (work->candidates == NULL || work->together == NULL)
        return err_set(err, ERR_INPUT, "out/results/tagsets.%.*s.result: is cut",
                       STR_ARG(work->one->name));
    for (size_t c = 0; c < COLUMNS; c++)
        if (!result_column(work->candidates,
                           arena_c_string(&work->output->arena, columns[c].name),
                           columns[c].type, &work->places[c], err))
            return false;
    return result_column(work->together, "tags", RESULT_TEXT, &work->tags, err) &&
           result_column(work->together, "questions", RESULT_COUNT, &work->questions,
                         err);
}

static double number_of(const struct result_numbers *numbers, const char *name)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (str_eq(numbers->at[i].column, str_from(name)))
            return numbers->at[i].value;
    return NAN;
}

static bool make_accepted(struct run_needs *needs, const struct run_step *step,
                          struct run_output *output, struct err *err)
{
    const struct study_tagset *one = &needs->study->tagsets[step->index];
    struct tagging_work work = {.one = one, .output = output};
    struct result_numbers numbers;
    struct result result;

    if (!run_output_read(needs->study->home, "tagsets", one->name, &output->arena,
                         &result, err) ||
        !run_needs_numbers(needs, &run_kind_tagset, step->index, &output->arena, &numbers,
                           err) ||
        !find_tables(&work, &result, err))
        return false;
    work.seeded = number_of(&numbers, "with-seed");
    count_adds(&work);
    add_verdicts(&work);
    add_to_decide(&work);
    add_counts(&work);
    tell_open(needs, &work);
    buf_add_format(
        &output->says, "%lld accepted, %lld refused, %lld to decide",
        (long long)(work.verdicts[STUDY_ACCEPTED] + work.outside),
        (long long)work.verdicts[STUDY_REFUSED],
        (long long)(work.verdicts[STUDY_UNDECIDED] + work.verdicts[STUDY_DISPUTED]));
    return true;
}

const struct run_kind run_kind_accepted = {
    .name = "accepted",
    .counted = offsetof(struct study, tagset_count),
    .engine = 1,
    .list = list_accepted,
    .make = make_accepted,
};
