/* Decisions on merges, as a log: rows are added, none is changed; which of them count is
 * a fold over all. */
#include <string.h>
#include <xxhash.h>

#include "base/date.h"
#include "base/list.h"
#include "base/map.h"
#include "input/csv.h"
#include "phrase/internal.h"

const char *const phrase_levels[] = {"action", "object"};
const char *const phrase_verdicts[] = {"accept", "refuse", "undo"};
const char *const phrase_states[] = {"counts",          "counts, by one alone",
                                     "refused",         "undone",
                                     "replaced",        "disputed",
                                     "overruled",       "circle",
                                     "another name",    "in no title",
                                     "not of the study"};
const char phrase_log_head[] = "when,who,level,from,with,item,into,verdict,why\n";

enum { PROBLEMS_MAX = 8 }; /* rows that are told: what one message has room for */
enum { WHEN, WHO, LEVEL, FROM, WITH, ITEM, INTO, VERDICT, WHY, COLUMNS };
static const char *const columns[COLUMNS] = {"when", "who",  "level",   "from", "with",
                                             "item", "into", "verdict", "why"};

struct str phrase_log_key(const struct phrase_decision *it, bool with_into,
                          struct arena *arena)
{
    const struct str parts[] = {it->from, it->with, it->item,
                                with_into ? it->into : (struct str){0}};
    struct buf key = {0};

    buf_add_char(&key, (char)('0' + it->level));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        buf_add_char(&key, '\t');
        buf_add(&key, parts[i]);
    }
    return buf_keep(&key, arena);
}

/* Reading. */

struct reading {
    struct arena *arena;
    size_t column[COLUMNS];
    struct map decided; /* person and merge: 1 when there is something to undo */
    LIST(struct phrase_decision) list;
    const char *path;
    struct buf problems; /* rows that are wrong, a line each */
    size_t problem_count;
};

static bool read_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct reading *reading = context;

    for (size_t i = 0; i < COLUMNS; i++)
        if (!input_csv_rows_need(head, str_from(columns[i]), &reading->column[i], err))
            return false;
    return true;
}

static bool read_word(struct str found, const char *column, const char *const *words,
                      size_t count, size_t *out, struct err *err)
{
    struct buf all = {0};

    for (*out = 0; *out < count; ++*out)
        if (str_eq(found, str_from(words[*out])))
            return true;
    for (size_t i = 0; i < count; i++)
        buf_add_format(&all, "%s%s", i == 0 ? "" : ", ", words[i]);
    err_record(err, ERR_INPUT, "%s: found '%.*s', expected one of %.*s", column,
               STR_ARG(found), STR_ARG(buf_str(&all)));
    buf_free(&all);
    return false;
}

static bool check(const struct phrase_decision *it, struct err *err)
{
    int64_t moment;

    if (!date_parse(it->when, &moment))
        return err_set(
            err, ERR_INPUT,
            "when: found '%.*s', expected a moment such as 2023-05-01T09:30:00",
            STR_ARG(it->when));
    if (it->who.len == 0)
        return err_set(err, ERR_INPUT, "who: expected who decided, found nothing");
    if (it->from.len == 0 && it->item.len == 0)
        return err_set(err, ERR_INPUT, "expected `from`, `item` or both, found neither");
    if (it->into.len == 0)
        return err_set(err, ERR_INPUT,
                       "into: expected what '%.*s' becomes, found nothing",
                       STR_ARG(it->from));
    if (str_eq(it->from, it->into) && it->item.len == 0)
        return err_set(err, ERR_INPUT, "'%.*s' cannot be merged into itself",
                       STR_ARG(it->from));
    return true;
}

static bool read_decision(struct reading *reading, const struct input_csv_row *row,
                          struct err *err)
{
    struct str field[COLUMNS];
    size_t level, verdict;

    for (size_t i = 0; i < COLUMNS; i++)
        field[i] = arena_copy(reading->arena, str_trim(row->fields[reading->column[i]]));
    if (!read_word(field[LEVEL], "level", phrase_levels, PHRASE_LEVELS, &level, err) ||
        !read_word(field[VERDICT], "verdict", phrase_verdicts, PHRASE_VERDICTS, &verdict,
                   err))
        return false;
    struct phrase_decision it = {.when = field[WHEN],
                                 .who = field[WHO],
                                 .why = field[WHY],
                                 .level = (enum phrase_level)level,
                                 .from = field[FROM],
                                 .with = field[WITH],
                                 .item = field[ITEM],
                                 .into = field[INTO],
                                 .verdict = (enum phrase_verdict)verdict,
                                 .line = row->line};
    if (!check(&it, err))
        return false;
    int64_t *there =
        map_put(&reading->decided,
                arena_format(reading->arena, "%.*s\t%.*s", STR_ARG(it.who),
                             STR_ARG(phrase_log_key(&it, true, reading->arena))));
    if (it.verdict == PHRASE_UNDO && *there == 0)
        return err_set(err, ERR_INPUT,
                       "undo: %.*s has not decided on '%.*s' into '%.*s' before",
                       STR_ARG(it.who), STR_ARG(it.from), STR_ARG(it.into));
    *there = it.verdict != PHRASE_UNDO;
    list_add(&reading->list, it);
    return true;
}

static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct reading *reading = context;
    struct err wrong = {0};

    (void)err;
    if (!read_decision(reading, row, &wrong) && ++reading->problem_count <= PROBLEMS_MAX)
        buf_add_format(&reading->problems, "%s%s:%lld: %.100s",
                       reading->problem_count > 1 ? "\n" : "", reading->path,
                       (long long)row->line, wrong.text);
    return true;
}

bool phrase_log_read(struct str text, const char *path, struct arena *arena,
                     struct phrase_log *out, struct err *err)
{
    struct reading reading = {.arena = arena, .decided.arena = arena, .path = path};
    struct input_csv_rows rows = {read_head, read_row, &reading};
    bool ok = input_csv_rows_read(text, path, &rows, err);

    *out = (struct phrase_log){list_copy(&reading.list, arena), reading.list.count, 0};
    list_free(&reading.list);
    if (ok && reading.problem_count == 1)
        ok = err_set(err, ERR_INPUT, "%.*s", STR_ARG(buf_str(&reading.problems)));
    else if (ok && reading.problem_count > 1)
        ok = err_set(err, ERR_INPUT, "%.*s\n%s: %zu rows are wrong%s",
                     STR_ARG(buf_str(&reading.problems)), path, reading.problem_count,
                     reading.problem_count > PROBLEMS_MAX ? ", the first of them shown"
                                                          : "");
    buf_free(&reading.problems);
    return ok;
}

void phrase_log_admit(struct phrase_log *log, const struct str *people, size_t count,
                      struct str arbiter)
{
    for (size_t i = 0; i < log->count; i++)
        log->at[i].stranger = count > 0 && !str_eq(log->at[i].who, arbiter) &&
                              str_find(log->at[i].who, people, count) == count;
    log->unifiers = count;
}

void phrase_log_add(const struct phrase_decision *it, struct buf *out)
{
    bool open = it->verdict == PHRASE_VERDICTS; /* yet to be decided */
    const struct str fields[COLUMNS] = {it->when,
                                        it->who,
                                        str_from(phrase_levels[it->level]),
                                        it->from,
                                        it->with,
                                        it->item,
                                        it->into,
                                        open ? (struct str){0}
                                             : str_from(phrase_verdicts[it->verdict]),
                                        it->why};

    for (size_t i = 0; i < COLUMNS; i++) {
        if (i > 0)
            buf_add_char(out, ',');
        buf_add_csv(out, fields[i]);
    }
    buf_add_char(out, '\n');
}

/* Judging. */

/* The last word of each person on each merge; an accepted one also replaces what the same
 * person accepted for the same words before. */
static void judge_persons(struct phrase_log *log, struct arena *arena)
{
    struct map merges = {.arena = arena}, accepted = {.arena = arena};

    for (size_t i = 0; i < log->count; i++) {
        struct phrase_decision *it = &log->at[i];
        struct str who = it->who;
        if (it->stranger) {
            it->state = PHRASE_STRANGER;
            continue;
        }
        int64_t *merge =
            map_put(&merges, arena_format(arena, "%.*s\t%.*s", STR_ARG(who),
                                          STR_ARG(phrase_log_key(it, true, arena))));
        if (*merge > 0)
            log->at[*merge - 1].state =
                it->verdict == PHRASE_UNDO ? PHRASE_UNDONE : PHRASE_REPLACED;
        *merge = it->verdict == PHRASE_UNDO ? 0 : (int64_t)i + 1;
        it->state = it->verdict == PHRASE_ACCEPT   ? PHRASE_COUNTS
                    : it->verdict == PHRASE_REFUSE ? PHRASE_REFUSED
                                                   : PHRASE_UNDONE;
        if (it->verdict != PHRASE_ACCEPT)
            continue;
        int64_t *before =
            map_put(&accepted, arena_format(arena, "%.*s\t%.*s", STR_ARG(who),
                                            STR_ARG(phrase_log_key(it, false, arena))));
        if (*before > 0 && log->at[*before - 1].state == PHRASE_COUNTS &&
            *before - 1 != (int64_t)i)
            log->at[*before - 1].state = PHRASE_REPLACED;
        *before = (int64_t)i + 1;
    }
}

static bool stands(const struct phrase_decision *it)
{
    return it->state == PHRASE_COUNTS || it->state == PHRASE_REFUSED;
}

bool phrase_log_counts(const struct phrase_decision *it)
{
    return it->state == PHRASE_COUNTS || it->state == PHRASE_ALONE;
}

/* Whether two standing decisions about the same words cannot both hold. Of two merges
 * into different ones that shows when it is known what all merges lead to. */
static bool conflict(const struct phrase_decision *a, const struct phrase_decision *b)
{
    return a->verdict != b->verdict && str_eq(a->into, b->into);
}

static bool differ(const struct phrase_decision *a, const struct phrase_decision *b)
{
    return a->verdict == PHRASE_ACCEPT && b->verdict == PHRASE_ACCEPT &&
           !str_eq(a->into, b->into);
}

/* Decisions about the same words, one list for each: what the arbiter is against is
 * overruled, and what is left must not be in conflict. */
static void judge_together(struct phrase_log *log, struct str arbiter,
                           struct arena *arena)
{
    struct map words = {.arena = arena};
    size_t *next = arena_array(arena, size_t, log->count + 1); /* of the same words + 1 */
    size_t *first = arena_array(arena, size_t, log->count + 1);
    bool *disputed = arena_array(arena, bool, log->count + 1);

    for (size_t i = 0; i < log->count; i++)
        if (stands(&log->at[i])) {
            int64_t *newest = map_put(&words, phrase_log_key(&log->at[i], false, arena));
            next[i] = (size_t)*newest;
            *newest = (int64_t)i + 1;
        }
    for (size_t i = 0; i < log->count; i++)
        if (stands(&log->at[i]))
            first[i] =
                (size_t)*map_get(&words, phrase_log_key(&log->at[i], false, arena));
    for (size_t i = 0; i < log->count; i++)
        for (size_t j = first[i]; j > 0; j = next[j - 1])
            if (str_eq(log->at[j - 1].who, arbiter) && !str_eq(log->at[i].who, arbiter) &&
                (conflict(&log->at[i], &log->at[j - 1]) ||
                 differ(&log->at[i], &log->at[j - 1])))
                log->at[i].state = PHRASE_OVERRULED;
    for (size_t i = 0; i < log->count; i++)
        for (size_t j = first[i]; j > 0 && stands(&log->at[i]); j = next[j - 1])
            disputed[i] = disputed[i] || (stands(&log->at[j - 1]) &&
                                          !str_eq(log->at[i].who, log->at[j - 1].who) &&
                                          conflict(&log->at[i], &log->at[j - 1]));
    for (size_t i = 0; i < log->count; i++)
        if (disputed[i])
            log->at[i].state = PHRASE_DISPUTED;
}

/* What merges make of words. */

struct merges {
    struct arena *arena;
    struct map at; /* key without into: place in the log + 1 */
    struct map by; /* person and key: 1 */
    const struct phrase_log *log;
    struct str arbiter;
};

static struct str personal_key(const struct phrase_decision *it, struct str who,
                               struct arena *arena)
{
    return arena_format(arena, "%.*s\t%.*s", STR_ARG(who),
                        STR_ARG(phrase_log_key(it, true, arena)));
}

static void enter(struct merges *merges, size_t place)
{
    const struct phrase_decision *it = &merges->log->at[place];

    *map_put(&merges->at, phrase_log_key(it, false, merges->arena)) = (int64_t)place + 1;
    *map_put(&merges->by, personal_key(it, it->who, merges->arena)) = 1;
}

/* Whether this person has made the merge, whoever else has. */
static bool has_made(struct merges *merges, struct str who,
                     const struct phrase_decision *it)
{
    struct arena_mark mark = arena_mark(merges->arena);
    bool made = map_get(&merges->by, personal_key(it, who, merges->arena)) != NULL;

    arena_rewind(merges->arena, mark);
    return made;
}

static const struct phrase_decision *find(struct merges *merges, enum phrase_level level,
                                          struct str from, struct str with,
                                          struct str item)
{
    struct arena_mark mark = arena_mark(merges->arena);
    struct phrase_decision about = {
        .level = level, .from = from, .with = with, .item = item};
    const int64_t *place =
        map_get(&merges->at, phrase_log_key(&about, false, merges->arena));

    arena_rewind(merges->arena, mark);
    return place != NULL ? &merges->log->at[*place - 1] : NULL;
}

/* The merge of these words: beside that one, else beside any. */
static const struct phrase_decision *find_beside(struct merges *merges,
                                                 enum phrase_level level, struct str from,
                                                 struct str beside, struct str item)
{
    const struct phrase_decision *found =
        beside.len > 0 ? find(merges, level, from, beside, item) : NULL;

    return found != NULL ? found : find(merges, level, from, (struct str){0}, item);
}

/* Where merges lead from here; a person's own may go round. */
static struct str lead(struct merges *merges, enum phrase_level level, struct str now,
                       struct str beside)
{
    for (size_t steps = 0; steps < merges->log->count && now.len > 0; steps++) {
        const struct phrase_decision *next =
            find_beside(merges, level, now, beside, (struct str){0});
        if (next == NULL)
            break;
        now = next->into;
    }
    return now;
}

/* Circles. */

/* PHRASE_COUNTS, or what a merge is that would lead back to where it begins, beside this
 * word. All are together already, by other people's merges too: then it is the name on
 * which they differ, which the arbiter may have settled. */
static enum phrase_state leads_back(struct merges *merges,
                                    const struct phrase_decision *it, struct str beside)
{
    struct str now = it->into;
    enum phrase_state state = PHRASE_CIRCLE;

    while (!str_eq(now, it->from)) {
        const struct phrase_decision *next =
            find_beside(merges, it->level, now, beside, (struct str){0});
        if (next == NULL)
            return PHRASE_COUNTS;
        if (!has_made(merges, it->who, next) && state != PHRASE_OVERRULED)
            state =
                str_eq(next->who, merges->arbiter) ? PHRASE_OVERRULED : PHRASE_OTHER_NAME;
        now = next->into;
    }
    return state;
}

/* A merge beside any word may close a circle beside a single one: all that earlier merges
 * name are tried, but for those beside which the words have a merge of their own. */
static enum phrase_state makes_circle(struct merges *merges,
                                      const struct phrase_decision *it,
                                      const struct str *words, size_t count)
{
    const struct str none = {0};
    enum phrase_state state = leads_back(merges, it, it->with);

    for (size_t i = 0; it->with.len == 0 && i < count && state == PHRASE_COUNTS; i++)
        if (find(merges, it->level, it->from, words[i], none) == NULL)
            state = leads_back(merges, it, words[i]);
    return state;
}

/* Two persons who say the same: the first row counts, which is enough. A merge that leads
 * back to where it begins does not, the later one of the circle, but for the arbiter's,
 * who comes first. */
static void judge_circles(struct phrase_log *log, struct merges *merges)
{
    struct map known = {.arena = merges->arena};
    LIST(struct str) words = {0}; /* that merges so far are beside */

    for (int others = 0; others < 2; others++)
        for (size_t i = 0; i < log->count; i++) {
            struct phrase_decision *it = &log->at[i];
            if (it->state != PHRASE_COUNTS || it->item.len > 0 ||
                str_eq(it->who, merges->arbiter) == (others == 1))
                continue;
            it->state = makes_circle(merges, it, words.at, words.count);
            if (it->state != PHRASE_COUNTS)
                continue;
            enter(merges, i);
            if (it->with.len > 0 && map_number(&known, it->with) == words.count)
                list_add(&words, it->with);
        }
    list_free(&words);
}

/* Merges of the same words that do not lead to the same are disputed, all of them. Of an
 * item they are the last word. */
static bool judge_ends(struct phrase_log *log, struct merges *merges)
{
    struct map first = {.arena = merges->arena}, apart = {.arena = merges->arena};
    bool found = false;

    for (size_t i = 0; i < log->count; i++) {
        struct phrase_decision *it = &log->at[i];
        if (it->state != PHRASE_COUNTS)
            continue;
        struct str key = phrase_log_key(it, false, merges->arena);
        int64_t *place = map_put(&first, key);
        if (*place == 0)
            *place = (int64_t)i + 1;
        const struct phrase_decision *other = &log->at[*place - 1];
        bool same =
            str_eq(it->into, other->into) ||
            (it->item.len == 0 && str_eq(lead(merges, it->level, it->into, it->with),
                                         lead(merges, it->level, other->into, it->with)));
        if (!same)
            *map_put(&apart, key) = 1;
    }
    for (size_t i = 0; i < log->count && apart.count > 0; i++)
        if (log->at[i].state == PHRASE_COUNTS &&
            map_get(&apart, phrase_log_key(&log->at[i], false, merges->arena)) != NULL) {
            log->at[i].state = PHRASE_DISPUTED;
            found = true;
        }
    return found;
}

/* Who agrees that the words of a merge belong together may have got there otherwise. */
static bool is_with(struct merges *own, const struct phrase_decision *it)
{
    if (it->item.len == 0)
        return str_eq(lead(own, it->level, it->from, it->with),
                      lead(own, it->level, it->into, it->with));
    const struct phrase_decision *found =
        find(own, it->level, it->from, it->with, it->item);
    return found != NULL && str_eq(found->into, it->into);
}

/* Merges that nobody else has made. */
static void judge_alone(struct phrase_log *log, struct str arbiter, struct arena *arena)
{
    struct str *people;
    size_t count = phrase_log_people(log, arena, &people), unifiers = log->unifiers;
    bool *together = arena_array(arena, bool, log->count + 1);

    for (size_t p = 0; p < count && log->unifiers == 0; p++)
        unifiers += !str_eq(people[p], arbiter);
    for (size_t p = 0; p < count && unifiers > 1; p++) {
        struct merges own = {arena, {.arena = arena}, {.arena = arena}, log, arbiter};
        for (size_t i = 0; i < log->count; i++)
            if (str_eq(log->at[i].who, people[p]) &&
                log->at[i].verdict == PHRASE_ACCEPT &&
                log->at[i].state != PHRASE_UNDONE &&
                log->at[i].state != PHRASE_REPLACED &&
                log->at[i].state != PHRASE_CIRCLE && !log->at[i].stranger)
                enter(&own, i);
        for (size_t i = 0; i < log->count; i++)
            together[i] = together[i] || (!str_eq(log->at[i].who, people[p]) &&
                                          is_with(&own, &log->at[i]));
    }
    for (size_t i = 0; i < log->count && unifiers > 1; i++)
        if (log->at[i].state == PHRASE_COUNTS && !together[i] &&
            !str_eq(log->at[i].who, arbiter))
            log->at[i].state = PHRASE_ALONE;
}

void phrase_log_judge(struct phrase_log *log, struct str who, struct str arbiter,
                      struct arena *arena)
{
    bool again = true;

    judge_persons(log, arena);
    for (size_t i = 0; i < log->count && who.len > 0; i++)
        if (!str_eq(log->at[i].who, who) && stands(&log->at[i]))
            log->at[i].state = PHRASE_OVERRULED;
    if (who.len == 0)
        judge_together(log, arbiter, arena);
    while (again) {
        struct merges merges = {arena, {.arena = arena}, {.arena = arena}, log, arbiter};
        struct phrase_decision *before =
            arena_array(arena, struct phrase_decision, log->count + 1);
        for (size_t i = 0; i < log->count; i++)
            before[i] = log->at[i];
        judge_circles(log, &merges);
        again = who.len == 0 && judge_ends(log, &merges);
        /* Without those that were disputed now, others may lead elsewhere. */
        for (size_t i = 0; i < log->count && again; i++)
            if (log->at[i].state != PHRASE_DISPUTED)
                log->at[i].state = before[i].state;
    }
    if (who.len == 0)
        judge_alone(log, arbiter, arena);
}

size_t phrase_log_people(const struct phrase_log *log, struct arena *arena,
                         struct str **out)
{
    struct map seen = {.arena = arena};
    LIST(struct str) people = {0};

    for (size_t i = 0; i < log->count; i++)
        if (map_number(&seen, log->at[i].who) == people.count)
            list_add(&people, log->at[i].who);
    size_t count = people.count;
    *out = list_copy(&people, arena);
    list_free(&people);
    return count;
}

/* Applying. */

struct phrase_unifier phrase_unify(const struct phrase_log *log, struct arena *arena)
{
    struct merges *merges = arena_array(arena, struct merges, 1);

    merges->arena = arena;
    merges->at.arena = arena;
    merges->by.arena = arena;
    merges->log = log;
    for (size_t i = 0; i < log->count; i++)
        if (phrase_log_counts(&log->at[i]))
            enter(merges, i);
    return (struct phrase_unifier){merges};
}

struct str phrase_unified(const struct phrase_unifier *unifier, enum phrase_level level,
                          const struct phrase *phrase, struct str item)
{
    struct merges *merges = unifier->merges;
    struct str now = level == PHRASE_ACTION ? phrase->verb : phrase->object;
    struct str beside = level == PHRASE_ACTION ? phrase->object : phrase->verb;
    const struct phrase_decision *found = NULL;

    if (merges == NULL)
        return now;
    if (item.len > 0) {
        found = find_beside(merges, level, now, beside, item);
        if (found == NULL)
            found = find_beside(merges, level, (struct str){0}, beside, item);
        if (found != NULL)
            return found->into;
    }
    return lead(merges, level, now, beside);
}

struct str phrase_log_whose(struct str person, struct arena *arena)
{
    return arena_format(arena, "%016llx",
                        (unsigned long long)XXH3_64bits(person.ptr, person.len));
}
