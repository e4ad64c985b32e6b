/* A measure is a short sentence of words; each function below takes the words it knows
 * off the front. */
#include "study/measure.h"

#include "base/near.h"
#include "study/keys.h"

struct words {
    struct str rest;
    struct str all; /* the whole sentence, for messages */
    const struct query_own *own;
};

static bool take(struct words *words, const char *wanted)
{
    struct str want = str_from(wanted), rest = words->rest;

    if (!str_starts(rest, want) || (rest.len > want.len && rest.ptr[want.len] != ' '))
        return false;
    words->rest = str_trim(str_slice(rest, want.len, rest.len));
    return true;
}

static struct str take_word(struct words *words)
{
    struct str word;

    if (!str_cut(&words->rest, ' ', &word))
        words->rest = (struct str){0};
    words->rest = str_trim(words->rest);
    return word;
}

static bool refuse(const struct words *words, const char *expected, struct err *err)
{
    if (words->rest.len == 0)
        return err_set(err, ERR_INPUT, "measure '%.*s': expected %s at its end",
                       STR_ARG(words->all), expected);
    return err_set(err, ERR_INPUT, "measure '%.*s': found '%.*s', expected %s",
                   STR_ARG(words->all), STR_ARG(words->rest), expected);
}

static bool is_own(const struct words *words, struct str name)
{
    return words->own != NULL &&
           str_find(name, words->own->fields, words->own->field_count) <
               words->own->field_count;
}

/* A field that a source brings, by its name alone or behind the word `field`. A name that
 * is the first word of something else counts when nothing follows it. */
static bool take_own(struct words *words, struct study_measure *out)
{
    bool named = is_own(words, words->rest);

    if (!named && (!take(words, "field") || words->rest.len == 0))
        return false;
    out->quantity = STUDY_MEASURE_FIELD;
    out->name = named ? words->rest : take_word(words);
    if (named)
        words->rest = (struct str){0};
    return true;
}

/* A name that nobody brings: with the nearest that may stand there, else all of them. */
static bool check_own(const struct words *words, struct str name, struct err *err)
{
    size_t count = words->own != NULL ? words->own->field_count : 0;
    struct buf list = {0};

    if (words->own == NULL || is_own(words, name))
        return true;
    size_t near = near_find(name, words->own->fields, count);
    if (near < count)
        return err_set(
            err, ERR_INPUT, "measure '%.*s': unknown field '%.*s'; did you mean '%.*s'?",
            STR_ARG(words->all), STR_ARG(name), STR_ARG(words->own->fields[near]));
    for (size_t i = 0; i < count; i++)
        buf_add_format(&list, "%s%.*s", i > 0 ? ", " : "",
                       STR_ARG(words->own->fields[i]));
    err_record(err, ERR_INPUT,
               "measure '%.*s': unknown field '%.*s'; the sources' `fields` name %.*s",
               STR_ARG(words->all), STR_ARG(name),
               STR_ARG(count > 0 ? buf_str(&list) : STR("none")));
    buf_free(&list);
    return false;
}

/* Fails: the next word is none of those known, nor a field; the nearest may be meant. */
static bool refuse_word(const struct words *words, const struct str *known, size_t count,
                        const char *expected, struct err *err)
{
    struct str rest = words->rest, first;

    str_cut(&rest, ' ', &first);
    size_t own = words->own != NULL ? words->own->field_count : 0;
    size_t near =
        first.len > 0 && own > 0 ? near_find(first, words->own->fields, own) : own;
    size_t other = first.len > 0 ? near_find(first, known, count) : count;
    if (near == own && other == count)
        return refuse(words, expected, err);
    struct str meant = near < own ? words->own->fields[near] : known[other];
    if (near < own && other < count &&
        near_distance(first, known[other]) < near_distance(first, meant))
        meant = known[other];
    return err_set(err, ERR_INPUT,
                   "measure '%.*s': unknown word '%.*s'; did you mean '%.*s'?",
                   STR_ARG(words->all), STR_ARG(first), STR_ARG(meant));
}

/* "seconds", "hour" ...; false: it is no such word. */
static bool take_unit(struct words *words, int64_t *ms)
{
    static const struct {
        const char *one, *several;
        int64_t ms;
    } units[] = {{"second", "seconds", 1000},
                 {"minute", "minutes", 60000},
                 {"hour", "hours", 3600000},
                 {"day", "days", 86400000}};

    for (size_t i = 0; i < ROWS_OF(units); i++)
        if (take(words, units[i].several) || take(words, units[i].one)) {
            *ms = units[i].ms;
            return true;
        }
    return false;
}

static bool parse_time(struct words *words, int64_t unit_ms, struct study_measure *out,
                       struct err *err)
{
    out->unit_ms = unit_ms;
    if (!take(words, "to"))
        return refuse(words, "'to accepted', 'to endorsed' or 'to first answer'", err);
    if (take(words, "accepted answer") || take(words, "accepted"))
        out->quantity = STUDY_MEASURE_TO_ACCEPTED;
    else if (take(words, "endorsed answer") || take(words, "endorsed"))
        out->quantity = STUDY_MEASURE_TO_ENDORSED;
    else if (take(words, "first answer"))
        out->quantity = STUDY_MEASURE_TO_FIRST;
    else
        return refuse(words, "'accepted', 'endorsed' or 'first answer'", err);
    return true;
}

static bool parse_quantity(struct words *words, struct study_measure *out,
                           struct err *err)
{
    int64_t unit_ms;
    static const struct str known[] = {
        STR_INIT("views"),     STR_INIT("score"),   STR_INIT("answers"),
        STR_INIT("comments"),  STR_INIT("seconds"), STR_INIT("minutes"),
        STR_INIT("favorites"), STR_INIT("hours"),   STR_INIT("days")};

    if (take_own(words, out))
        return check_own(words, out->name, err);
    for (size_t i = 0; i < ITEM_NUMBERS; i++)
        if (item_field((enum item_field)i)->type == ITEM_NUMBER &&
            take(words, item_field((enum item_field)i)->name.ptr)) {
            out->quantity = STUDY_MEASURE_NUMBER;
            out->field = (enum item_field)i;
            return true;
        }
    if (take(words, "favourites")) {
        out->quantity = STUDY_MEASURE_NUMBER;
        out->field = ITEM_FIELD_FAVORITES;
        return true;
    }
    if (take_unit(words, &unit_ms))
        return parse_time(words, unit_ms, out, err);
    return refuse_word(
        words, known, ROWS_OF(known),
        "views, score, answers, comments, favorites, a field of the sources, or a time "
        "such as 'minutes to accepted'",
        err);
}

/* "with accepted", "without answer", "closed", "in SET"; false without err: none of it.
 */
static bool parse_condition(struct words *words, struct study_measure *out)
{
    struct words before = *words;

    if (take(words, "in") && words->rest.len > 0) {
        out->condition = STUDY_MEASURE_IN_SET;
        out->name = take_word(words);
        return true;
    }
    out->negated = take(words, "without") || take(words, "not");
    if (!out->negated)
        take(words, "with");
    if (take(words, "accepted answer") || take(words, "accepted"))
        out->condition = STUDY_MEASURE_ACCEPTED;
    else if (take(words, "endorsed answer") || take(words, "endorsed"))
        out->condition = STUDY_MEASURE_ENDORSED;
    else if (take(words, "any answer") || take(words, "first answer") ||
             take(words, "answered") || take(words, "answers") || take(words, "answer"))
        out->condition = STUDY_MEASURE_ANSWERED;
    else if (take(words, "closed"))
        out->condition = STUDY_MEASURE_CLOSED;
    else
        *words = before;
    return out->condition != STUDY_MEASURE_ALL;
}

/* "within 600 minutes" behind a condition, if it is there. */
static bool parse_within(struct words *words, struct study_measure *out, struct err *err)
{
    static const enum study_measure_quantity waits[] = {
        [STUDY_MEASURE_ACCEPTED] = STUDY_MEASURE_TO_ACCEPTED,
        [STUDY_MEASURE_ENDORSED] = STUDY_MEASURE_TO_ENDORSED,
        [STUDY_MEASURE_ANSWERED] = STUDY_MEASURE_TO_FIRST};
    struct words before = *words;

    if (!take(words, "within"))
        return true;
    if (out->condition >= ROWS_OF(waits) ||
        waits[out->condition] == STUDY_MEASURE_NUMBER) {
        *words = before;
        return refuse(words,
                      "its end: 'within' goes with accepted, endorsed and answered", err);
    }
    before = *words;
    if (!study_keys_number(take_word(words), &out->within) || !(out->within > 0) ||
        !take_unit(words, &out->unit_ms)) {
        *words = before;
        return refuse(words, "a time such as '600 minutes' or '2 days'", err);
    }
    out->quantity = waits[out->condition];
    return true;
}

static bool parse_share(struct words *words, struct study_measure *out, struct err *err)
{
    static const struct {
        const char *name;
        enum study_measure_whole whole;
    } wholes[] = {
        {"of whole", STUDY_MEASURE_OF_SET},     {"of set", STUDY_MEASURE_OF_SET},
        {"of group", STUDY_MEASURE_OF_PARENT},  {"of root", STUDY_MEASURE_OF_ROOT},
        {"of row", STUDY_MEASURE_OF_ROW},       {"of column", STUDY_MEASURE_OF_COLUMN},
        {"of census", STUDY_MEASURE_OF_CENSUS},
    };

    out->kind = STUDY_MEASURE_SHARE;
    if (words->rest.len == 0)
        return true;
    for (size_t i = 0; i < ROWS_OF(wholes); i++)
        if (take(words, wholes[i].name)) {
            out->whole = wholes[i].whole;
            return true;
        }
    if (parse_condition(words, out)) {
        out->kind = STUDY_MEASURE_PART;
        return parse_within(words, out, err);
    }
    return refuse(
        words,
        "'of set', 'of group', 'of root', 'of row', 'of column', 'of census', 'with "
        "accepted', 'without accepted', 'with endorsed', 'with answer', 'without "
        "answer', 'accepted within 600 minutes', 'closed' or 'in SET'",
        err);
}

static bool parse_distinct(struct words *words, struct study_measure *out,
                           struct err *err)
{
    static const struct str known[] = {STR_INIT("askers"), STR_INIT("answerers")};

    out->kind = STUDY_MEASURE_DISTINCT;
    if (take_own(words, out))
        return check_own(words, out->name, err);
    if (take(words, "asker") || take(words, "askers"))
        out->quantity = STUDY_MEASURE_ASKER;
    else if (take(words, "answerer") || take(words, "answerers"))
        out->quantity = STUDY_MEASURE_ANSWERER;
    else
        return refuse_word(words, known, ROWS_OF(known),
                           "askers, answerers or a field of the sources", err);
    return true;
}

static bool parse_quantile(struct words *words, struct study_measure *out,
                           struct err *err)
{
    struct words before = *words;

    out->kind = STUDY_MEASURE_QUANTILE;
    if (!study_keys_number(take_word(words), &out->level) ||
        !(out->level >= 0 && out->level <= 1)) {
        *words = before;
        return refuse(words, "a share such as 90%", err);
    }
    return parse_quantity(words, out, err);
}

static bool parse_rank(struct words *words, struct arena *arena,
                       struct study_measure *out, struct err *err)
{
    struct str inner = words->rest;

    out->kind = STUDY_MEASURE_RANK;
    out->ascending = str_ends(inner, STR(" ascending"));
    if (out->ascending)
        inner = str_trim(str_slice(inner, 0, inner.len - STR(" ascending").len));
    out->ranked = arena_array(arena, struct study_measure, 1);
    words->rest = (struct str){0};
    if (!study_measure_parse(inner, words->own, arena, out->ranked, err))
        return false;
    return out->ranked->kind != STUDY_MEASURE_RANK ||
           err_set(err, ERR_INPUT, "measure '%.*s': a rank of a rank",
                   STR_ARG(words->all));
}

static bool refuse_kind(const struct words *words, struct err *err)
{
    static const struct str known[] = {
        STR_INIT("count"),    STR_INIT("share"),        STR_INIT("distinct"),
        STR_INIT("sum"),      STR_INIT("mean"),         STR_INIT("median"),
        STR_INIT("quantile"), STR_INIT("kaplan-meier"), STR_INIT("rank")};

    return refuse_word(
        words, known, ROWS_OF(known),
        "count, share, distinct, sum, mean, median, 'first quartile', 'third "
        "quartile', quantile, min, max, sd, 'kaplan-meier median' or 'rank of'",
        err);
}

static bool parse_kind(struct words *words, struct arena *arena,
                       struct study_measure *out, struct err *err)
{
    static const struct {
        const char *name;
        enum study_measure_kind kind;
        double level;
    } aggregates[] = {
        {"sum", STUDY_MEASURE_SUM, 0},
        {"mean", STUDY_MEASURE_MEAN, 0},
        {"median", STUDY_MEASURE_MEDIAN, 0},
        {"min", STUDY_MEASURE_MIN, 0},
        {"max", STUDY_MEASURE_MAX, 0},
        {"sd", STUDY_MEASURE_SD, 0},
        {"first quartile", STUDY_MEASURE_QUANTILE, 0.25},
        {"third quartile", STUDY_MEASURE_QUANTILE, 0.75},
        {"kaplan-meier median", STUDY_MEASURE_SURVIVAL, 0.5},
    };

    if (take(words, "count")) {
        out->kind = STUDY_MEASURE_COUNT;
        parse_condition(words, out);
        return parse_within(words, out, err);
    }
    if (take(words, "share"))
        return parse_share(words, out, err);
    if (take(words, "distinct"))
        return parse_distinct(words, out, err);
    if (take(words, "quantile"))
        return parse_quantile(words, out, err);
    if (take(words, "rank of"))
        return parse_rank(words, arena, out, err);
    for (size_t i = 0; i < ROWS_OF(aggregates); i++)
        if (take(words, aggregates[i].name)) {
            out->kind = aggregates[i].kind;
            out->level = aggregates[i].level;
            return parse_quantity(words, out, err);
        }
    out->kind = STUDY_MEASURE_EACH;
    struct str before = words->rest;
    if (parse_quantity(words, out, err))
        return true;
    /* It began as a quantity, and is one that cannot be read; or it did not. */
    return words->rest.len == before.len ? refuse_kind(words, err) : false;
}

bool study_measure_parse(struct str text, const struct query_own *own,
                         struct arena *arena, struct study_measure *out, struct err *err)
{
    struct words words = {str_trim(text), str_trim(text), own};

    *out = (struct study_measure){0};
    if (!parse_kind(&words, arena, out, err))
        return false;
    if (words.rest.len > 0)
        return refuse(&words, "its end", err);
    if (out->kind == STUDY_MEASURE_SURVIVAL && !study_measure_is_time(out))
        return err_set(err, ERR_INPUT,
                       "measure '%.*s': expected a time such as 'minutes to accepted'",
                       STR_ARG(words.all));
    return true;
}

bool study_measure_is_time(const struct study_measure *measure)
{
    return measure->quantity == STUDY_MEASURE_TO_FIRST ||
           measure->quantity == STUDY_MEASURE_TO_ACCEPTED ||
           measure->quantity == STUDY_MEASURE_TO_ENDORSED;
}

bool study_measure_asks_endorsed(const struct study_measure *measure)
{
    return measure->condition == STUDY_MEASURE_ENDORSED ||
           measure->quantity == STUDY_MEASURE_TO_ENDORSED;
}

struct str study_measure_unit(const struct study_measure *measure)
{
    if (measure->kind == STUDY_MEASURE_SHARE || measure->kind == STUDY_MEASURE_PART)
        return STR("%");
    if (measure->kind < STUDY_MEASURE_SUM || measure->kind == STUDY_MEASURE_RANK ||
        !study_measure_is_time(measure))
        return (struct str){0};
    return measure->unit_ms == 1000      ? STR("seconds")
           : measure->unit_ms == 60000   ? STR("minutes")
           : measure->unit_ms == 3600000 ? STR("hours")
                                         : STR("days");
}
