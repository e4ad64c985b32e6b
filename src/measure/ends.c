/* Of each number of a table that is of a period: the sites whose items stand in its line,
 * which is its row and its column without the period, and where each of them began and
 * ended. */
#include "measure/ends.h"

#include "base/date.h"
#include "base/map.h"

bool measure_ends_of_sources(const struct study *study, struct store *corpus,
                             struct arena *arena, int64_t **begins, int64_t **out,
                             struct err *err)
{
    struct store_span span;

    *out = arena_array(arena, int64_t, study->source_count + 1);
    if (begins != NULL)
        *begins = arena_array(arena, int64_t, study->source_count + 1);
    for (size_t s = 0; s < study->source_count; s++) {
        if (!store_source_span(corpus, s, &span, err))
            return false;
        (*out)[s] = study->sources[s].until_ms;
        if ((*out)[s] == INT64_MAX)
            (*out)[s] = span.last_ms;
        if (begins != NULL)
            (*begins)[s] = span.first_ms;
    }
    (*out)[study->source_count] = ITEM_NONE;
    return true;
}

bool measure_ends_of_spaces(const struct study *study, struct store *corpus,
                            struct arena *arena, struct measure_ends *out,
                            struct err *err)
{
    size_t room = study->source_count + 1;
    int64_t *sources, *begins;

    *out = (struct measure_ends){.spaces = &study->spaces,
                                 .ms = arena_array(arena, int64_t, room),
                                 .name = arena_array(arena, struct str, room),
                                 .begin_ms = arena_array(arena, int64_t, room),
                                 .begin_name = arena_array(arena, struct str, room)};
    if (!measure_ends_of_sources(study, corpus, arena, &begins, &sources, err))
        return false;
    for (size_t s = 0; s < study->source_count; s++)
        out->ms[s] = out->begin_ms[s] = ITEM_NONE;
    for (size_t s = 0; s < study->source_count; s++) {
        size_t space = study->spaces.at[s].space;
        int64_t last = sources[s] - (study->sources[s].until_ms != INT64_MAX);
        out->sites += space == s;
        if (begins[s] != ITEM_NONE &&
            (out->begin_ms[space] == ITEM_NONE || begins[s] < out->begin_ms[space])) {
            out->begin_ms[space] = begins[s];
            out->begin_name[space] = study->spaces.at[s].name;
        }
        if (out->name[space].len > 0 &&
            (sources[s] == ITEM_NONE || last <= out->ms[space]))
            continue;
        out->name[space] = study->spaces.at[s].name;
        if (sources[s] != ITEM_NONE)
            out->ms[space] = last;
    }
    return true;
}

int64_t measure_ends_last(const struct measure_ends *ends)
{
    int64_t last = ITEM_NONE;

    for (size_t s = 0; s < ends->spaces->count; s++)
        if (ends->ms[s] != ITEM_NONE && (last == ITEM_NONE || ends->ms[s] > last))
            last = ends->ms[s];
    return last;
}

static struct str period_at(enum study_grouping period, int64_t ms, struct arena *arena)
{
    struct buf text = {0};

    study_grouping_period(period, ms, &text);
    return buf_keep(&text, arena);
}

/* A twentieth of the period in which a moment lies: one that lacks no more is as good as
 * whole. */
static int64_t little_ms(enum study_grouping period, int64_t ms)
{
    struct date date = date_to_civil(ms);
    int months = period == STUDY_GROUPING_YEAR      ? 12
                 : period == STUDY_GROUPING_QUARTER ? 3
                                                    : 1;
    int first = (date.month - 1) / months * months + 1, next = first + months;
    struct date begin = {date.year, first, 1},
                end = {date.year + next / 13, (next - 1) % 12 + 1, 1};

    return (date_from_civil(end) - date_from_civil(begin)) / 20;
}

struct str measure_ends_cut(enum study_grouping period, int64_t end, struct arena *arena)
{
    if (end == ITEM_NONE)
        return (struct str){0};
    struct str own = period_at(period, end, arena),
               later = period_at(period, end + 1 + little_ms(period, end), arena);
    return str_eq(own, later) ? own : (struct str){0};
}

/* One site and one period, whose names ascend by time. */
static enum measure_ends_state judge_end(const struct measure_table_period *period,
                                         int64_t end, struct arena *arena)
{
    if (period == NULL || period->name.len == 0 || end == ITEM_NONE)
        return MEASURE_ENDS_WHOLE;
    int order = str_compare(period->name, period_at(period->grouping, end, arena));
    if (order != 0)
        return order < 0 ? MEASURE_ENDS_WHOLE : MEASURE_ENDS_NONE;
    return measure_ends_cut(period->grouping, end, arena).len > 0 ? MEASURE_ENDS_CUT
                                                                  : MEASURE_ENDS_WHOLE;
}

/* first: when the first of the sites beside it began, which alone can show that something
 * is missing in the period in which this one begins. */
static enum measure_ends_state judge_begin(const struct measure_table_period *period,
                                           int64_t begin, int64_t first,
                                           struct arena *arena)
{
    if (period == NULL || period->name.len == 0 || begin == ITEM_NONE)
        return MEASURE_ENDS_WHOLE;
    int order = str_compare(period->name, period_at(period->grouping, begin, arena));
    if (order != 0)
        return order > 0 ? MEASURE_ENDS_WHOLE : MEASURE_ENDS_NONE;
    int64_t earlier = begin - 1 - little_ms(period->grouping, begin);
    return first < earlier &&
                   str_eq(period->name, period_at(period->grouping, earlier, arena))
               ? MEASURE_ENDS_CUT
               : MEASURE_ENDS_WHOLE;
}

struct teller {
    const struct measure_table *table;
    const struct measure_ends *ends;
    struct measure_bits *of; /* items of each space */
    struct map lines;
    bool **in; /* of each line: which spaces its items are of */
    size_t line_count;
    struct arena *arena;
};

static bool *line_of(struct teller *teller, size_t row, size_t column)
{
    const struct measure_table *table = teller->table;
    struct buf key = {0};

    buf_add_format(&key, "%.*s\n%.*s", STR_ARG(table->items[row].period.line),
                   STR_ARG(table->heads[column].line));
    size_t place = map_number(&teller->lines, buf_str(&key));
    buf_free(&key);
    if (place == teller->line_count)
        teller->in[teller->line_count++] =
            arena_array(teller->arena, bool, teller->ends->spaces->count + 1);
    return teller->in[place];
}

static bool has_period(const struct measure_table *table, size_t row, size_t column)
{
    return table->items[row].period.name.len + table->heads[column].name.len > 0;
}

static void open_teller(struct teller *teller)
{
    const struct measure_table *table = teller->table;
    size_t spaces = teller->ends->spaces->count, items = table->ids.count;

    teller->lines.arena = teller->arena;
    teller->of = arena_array(teller->arena, struct measure_bits, spaces + 1);
    for (size_t s = 0; s < spaces; s++)
        teller->of[s] = measure_bits_make(items, teller->arena);
    for (size_t i = 0; i < items; i++)
        if (item_space(measure_column_at(table->ids, i)) < spaces)
            measure_bits_set(teller->of[item_space(measure_column_at(table->ids, i))], i);
    teller->in = arena_array(teller->arena, bool *,
                             table->shown.row_count * table->shown.column_count + 1);
    for (size_t r = 0; r < table->shown.row_count; r++)
        for (size_t c = 0; c < table->shown.column_count; c += table->column_count) {
            if (!has_period(table, r, c))
                continue;
            bool *in = line_of(teller, r, c);
            for (size_t s = 0; s < spaces; s++)
                in[s] = in[s] || measure_bits_meet_all(table->items[r].bits,
                                                       table->across[c], teller->of[s]);
        }
}

/* The beginnings and ends that something is lacking beyond stand one behind the other in
 * one text. */
enum { BETWEEN = ';' };

/* Adds to those that are known. */
static void gather(struct str one, struct buf *known)
{
    struct str part;
    bool more = one.len > 0;

    while (more) {
        more = str_cut(&one, BETWEEN, &part);
        if (!str_has_part(buf_str(known), BETWEEN, part))
            buf_add_format(known, "%s%.*s", known->len > 0 ? ";" : "", STR_ARG(part));
    }
}

static void add_end(struct str name, const char *word, int64_t ms, struct buf *out)
{
    struct buf part = {0};

    buf_add_format(&part, "%.*s %s ", STR_ARG(name), word);
    date_add_day(&part, ms);
    gather(buf_str(&part), out);
    buf_free(&part);
}

/* When the first of these sites began. */
static int64_t first_of(const struct measure_ends *ends, const bool *spaces)
{
    int64_t first = INT64_MAX;

    for (size_t s = 0; s < ends->spaces->count; s++)
        if (spaces[s] && ends->begin_ms[s] != ITEM_NONE && ends->begin_ms[s] < first)
            first = ends->begin_ms[s];
    return first;
}

static void at_least(enum measure_ends_state to, enum measure_ends_state *state)
{
    *state = to > *state ? to : *state;
}

enum measure_ends_state measure_ends_judge(const struct measure_ends *ends,
                                           const bool *spaces,
                                           const struct measure_table_period *periods[2],
                                           struct arena *arena, struct buf *lacking)
{
    size_t sites = 0, without = 0, cut = 0;
    int64_t first = first_of(ends, spaces);

    for (size_t s = 0; s < ends->spaces->count; s++) {
        enum measure_ends_state begin = MEASURE_ENDS_WHOLE, end = MEASURE_ENDS_WHOLE;
        if (!spaces[s] || ends->spaces->at[s].space != s)
            continue;
        for (size_t p = 0; p < 2; p++) {
            at_least(judge_begin(periods[p], ends->begin_ms[s], first, arena), &begin);
            at_least(judge_end(periods[p], ends->ms[s], arena), &end);
        }
        if (begin != MEASURE_ENDS_WHOLE)
            add_end(ends->begin_name[s], "from", ends->begin_ms[s], lacking);
        if (end != MEASURE_ENDS_WHOLE)
            add_end(ends->name[s], "until", ends->ms[s], lacking);
        at_least(begin, &end);
        sites++;
        without += end == MEASURE_ENDS_NONE;
        cut += end == MEASURE_ENDS_CUT;
    }
    return without == sites && sites > 0 ? MEASURE_ENDS_NONE
           : without > 0                 ? MEASURE_ENDS_LACKS
           : cut > 0                     ? MEASURE_ENDS_CUT
                                         : MEASURE_ENDS_WHOLE;
}

static enum measure_ends_state state_of(struct teller *teller, size_t row, size_t column,
                                        struct buf *ends)
{
    const struct measure_table *table = teller->table;
    const struct measure_table_period *periods[] = {&table->items[row].period,
                                                    &table->heads[column]};
    struct measure_bits bits = table->items[row].bits;
    enum measure_ends_state state = measure_ends_judge(
        teller->ends, line_of(teller, row, column), periods, teller->arena, ends);

    /* What there is all the same is not nothing. */
    return state == MEASURE_ENDS_NONE && measure_bits_meet(bits, table->across[column])
               ? MEASURE_ENDS_LACKS
               : state;
}

/* What stands behind the name: "until 2021-06-30". */
static struct str moment_of(struct str end)
{
    struct str day = str_last(end, ' '),
               word = str_last(str_slice(end, 0, end.len - day.len - 1), ' ');

    return str_slice(end, end.len - day.len - 1 - word.len, end.len);
}

static struct str name_of(struct str end)
{
    return str_slice(end, 0, end.len - moment_of(end).len - 1);
}

/* Sources that begin or end on the same day are named together. */
struct str measure_ends_show(struct str ends, struct arena *arena)
{
    struct str *parts = arena_array(arena, struct str, ends.len + 1), same;
    size_t count = 0, left;
    struct buf out = {0};

    for (bool more = ends.len > 0; more;)
        more = str_cut(&ends, BETWEEN, &parts[count++]);
    for (; count > 0; count = left) {
        same = moment_of(parts[0]);
        left = 0;
        size_t named = 0, last = 0;
        for (size_t i = 0; i < count; i++)
            if (str_eq(moment_of(parts[i]), same))
                last = i;
        for (size_t i = 0; i < count; i++) {
            if (!str_eq(moment_of(parts[i]), same)) {
                parts[left++] = parts[i];
                continue;
            }
            buf_add_format(&out, "%s%.*s",
                           out.len == 0                ? ""
                           : named > 0 && i == last ? " and "
                                                    : ", ",
                           STR_ARG(name_of(parts[i])));
            named++;
        }
        buf_add_format(&out, " %.*s", STR_ARG(same));
    }
    return buf_keep(&out, arena);
}

static const char *missing(struct str ends)
{
    bool earlier = false, later = false, more = true;
    struct str part;

    while (more) {
        more = str_cut(&ends, BETWEEN, &part);
        bool from = str_starts(moment_of(part), STR("from "));
        earlier |= from;
        later |= !from;
    }
    return earlier && later ? "earlier or later" : earlier ? "earlier" : "later";
}

void measure_ends_tell(struct measure_table *table, const struct measure_ends *ends,
                       struct arena *arena, struct result_table *out)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("number")},
        {.type = RESULT_COUNT, .name = STR_INIT("state")},
        {.type = RESULT_TEXT, .name = STR_INIT("ends")}};
    struct result_table *shown = &table->shown;
    struct teller teller = {.table = table, .ends = ends, .arena = arena};
    struct buf lacking = {0};

    *out = (struct result_table){.row_count = 0};
    if (ends->sites < 2)
        return;
    *out = result_from(MEASURE_ENDS_TABLE, "", columns, ROWS_OF(columns), arena);
    open_teller(&teller);
    for (size_t r = 0; r < shown->row_count; r++)
        for (size_t c = 0; c < shown->column_count; c++) {
            struct buf text = {0};
            enum measure_ends_state state = has_period(table, r, c)
                                                ? state_of(&teller, r, c, &text)
                                                : MEASURE_ENDS_WHOLE;
            if (state != MEASURE_ENDS_WHOLE) {
                struct result_cell *cells =
                    result_add_row(out, (struct str){0}, RESULT_NONE, arena);
                cells[0] = result_count((int64_t)(r * shown->column_count + c));
                cells[1] = result_count((int64_t)state);
                cells[2] = result_text(arena_copy(arena, buf_str(&text)));
            }
            if (state == MEASURE_ENDS_LACKS || state == MEASURE_ENDS_NONE)
                gather(buf_str(&text), &lacking);
            buf_free(&text);
        }
    if (lacking.len > 0)
        result_add_note(
            shown,
            arena_format(arena,
                         "The data have %.*s: what is %s is missing, and "
                         "0 there says nothing.",
                         STR_ARG(measure_ends_show(buf_str(&lacking), arena)),
                         missing(buf_str(&lacking))),
            arena);
    buf_free(&lacking);
}

static enum measure_ends_state *open_states(const struct result_numbers *numbers,
                                            struct arena *arena, struct str **ends)
{
    *ends = arena_array(arena, struct str, numbers->count + 1);
    return arena_array(arena, enum measure_ends_state, numbers->count + 1);
}

void measure_ends_read(const struct result_table *told,
                       const struct result_numbers *numbers, struct arena *arena,
                       struct measure_unfinished *out)
{
    struct str *ends;
    enum measure_ends_state *states = open_states(numbers, arena, &ends);

    *out = (struct measure_unfinished){.states = states, .ends = ends};
    for (size_t r = 0; told != NULL && r < told->row_count; r++) {
        const struct result_cell *cells = &told->cells[r * told->column_count];
        size_t number = (size_t)cells[0].value;
        if (number >= numbers->count)
            continue;
        states[number] = (enum measure_ends_state)cells[1].value;
        ends[number] = cells[2].text;
    }
}

void measure_ends_mark(enum study_grouping period, int64_t end,
                       const struct result_numbers *numbers, struct arena *arena,
                       struct measure_unfinished *out)
{
    struct str *ends, last = measure_ends_cut(period, end, arena);
    struct buf day = {0};

    *out = (struct measure_unfinished){.states = NULL};
    if (last.len == 0)
        return;
    date_add_day(&day, end);
    enum measure_ends_state *states = open_states(numbers, arena, &ends);
    *out = (struct measure_unfinished){
        .states = states, .ends = ends, .last = last, .ended = buf_keep(&day, arena)};
    for (size_t i = 0; i < numbers->count; i++)
        if (str_has_part(numbers->at[i].row, '/', last) ||
            str_has_part(numbers->at[i].column, '.', last)) {
            states[i] = MEASURE_ENDS_CUT;
            ends[i] = out->ended;
        }
}

enum measure_ends_state measure_ends_state(const struct measure_unfinished *unfinished,
                                           size_t number)
{
    return unfinished->states != NULL ? unfinished->states[number] : MEASURE_ENDS_WHOLE;
}

void measure_ends_gather(const struct measure_unfinished *unfinished, size_t number,
                         struct buf *ends)
{
    if (measure_ends_state(unfinished, number) != MEASURE_ENDS_WHOLE)
        gather(unfinished->ends[number], ends);
}
