/* The pages on which people accept or refuse merges of verbs and objects. What they may
 * decide on is the result of the step, read again when `assay run` has made it anew; what
 * they decided is the csv of the study, to which each decision adds a row. A unifier sees
 * their own decisions alone, the arbiter where those of several differ. */
#include "serve/merges.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/date.h"
#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "phrase/phrase.h"
#include "result/result_file.h"
#include "serve/internal.h"
#include "store/corpus.h"

enum { TERM_BYTES_MAX = 200, WHY_BYTES_MAX = 2000 };

struct merges_term {
    struct str name, some; /* some: keys of items, with blanks between */
    enum phrase_level level;
    int64_t items;
};

/* A merge that somebody is asked about. */
struct merges_entry {
    struct phrase_decision about; /* level, from, with, item, into; and the verdict, when
                                     and why, unless it is PHRASE_VERDICTS: still open */
    int64_t items;
    double score;
    struct str reason;     /* why it is proposed */
    double evidence[4];    /* synonyms, shared, near, before */
    const size_t *said_at; /* for the arbiter: what was said, places in the log */
    size_t said;
};

struct merges_entries {
    struct merges_entry *at;
    size_t count, room;
};

struct serve_merges {
    struct arena arena; /* holds the struct itself */
    const struct study *study;
    const struct study_phrases *of;
    struct label_person *people;
    size_t count;
    const char *result_path;
    uint64_t result_stamp, log_stamp;
    struct arena results;
    LIST(struct merges_term) terms;
    struct map term_places;        /* level and name: place in terms + 1 */
    struct merges_entries *opened; /* of each person: what the step proposes */
    struct arena decided;
    struct phrase_log log;
    struct store *corpus;
};

static struct str term_key(enum phrase_level level, struct str name, struct arena *arena)
{
    return arena_format(arena, "%d\t%.*s", (int)level, STR_ARG(name));
}

static const struct merges_term *find_term(struct serve_merges *merges,
                                           enum phrase_level level, struct str name,
                                           struct arena *arena)
{
    const int64_t *place = map_get(&merges->term_places, term_key(level, name, arena));

    return place != NULL ? &merges->terms.at[*place - 1] : NULL;
}

/* Reading what the step gave. */

struct merges_reading {
    struct serve_merges *merges;
    struct merges_entries *entries;
};

static bool take_head(void *context, const struct result_table *table, struct err *err)
{
    (void)context;
    (void)table;
    (void)err;
    return true; /* the step's own tables, of the engine's number that is in its key */
}

static bool refuse_unmade(const struct serve_merges *merges, struct err *err)
{
    return err_set(err, ERR_INPUT,
                   "there are no proposals yet for phrases.%.*s as the study has it: run "
                   "`assay run` first",
                   STR_ARG(merges->of->name));
}

/* The study may have the unifiers in another order since. */
static bool take_own_head(void *context, const struct result_table *table,
                          struct err *err)
{
    const struct merges_reading *reading = context;
    struct serve_merges *merges = reading->merges;
    size_t person = (size_t)(reading->entries - merges->opened);

    return str_eq(table->title,
                  phrase_log_whose(merges->of->unifiers[person], &merges->results)) ||
           refuse_unmade(merges, err);
}

static enum phrase_level level_of(struct str word)
{
    return str_eq(word, str_from(phrase_levels[PHRASE_OBJECT])) ? PHRASE_OBJECT
                                                                : PHRASE_ACTION;
}

static bool take_term(void *context, const struct result_row *row,
                      const struct result_cell *cells, struct err *err)
{
    struct serve_merges *merges = ((struct merges_reading *)context)->merges;
    struct arena *arena = &merges->results;
    struct merges_term term = {.level = level_of(cells[0].text),
                               .name = arena_copy(arena, cells[1].text),
                               .items = (int64_t)cells[2].value,
                               .some = arena_copy(arena, cells[3].text)};

    (void)row;
    (void)err;
    list_add(&merges->terms, term);
    *map_put(&merges->term_places, term_key(term.level, term.name, arena)) =
        (int64_t)merges->terms.count;
    return true;
}

static bool take_proposal(void *context, const struct result_row *row,
                          const struct result_cell *cells, struct err *err)
{
    struct merges_reading *reading = context;
    struct arena *arena = &reading->merges->results;
    struct merges_entry entry = {.about = {.level = level_of(cells[0].text),
                                           .from = arena_copy(arena, cells[1].text),
                                           .into = arena_copy(arena, cells[2].text),
                                           .verdict = PHRASE_VERDICTS},
                                 .items = (int64_t)cells[3].value,
                                 .score = cells[4].value,
                                 .reason = arena_copy(arena, cells[5].text)};

    (void)row;
    (void)err;
    for (size_t i = 0; i < ROWS_OF(entry.evidence); i++)
        entry.evidence[i] = cells[6 + i].value;
    list_add(reading->entries, entry);
    return true;
}

static void forget_results(struct serve_merges *merges)
{
    for (size_t i = 0; i < merges->count; i++)
        list_free(&merges->opened[i]);
    list_free(&merges->terms);
    arena_free(&merges->results);
    merges->term_places = (struct map){.arena = &merges->results};
    merges->result_stamp = 0;
}

static bool read_results(struct serve_merges *merges, struct err *err)
{
    uint64_t stamp = file_stamp(merges->result_path);
    struct merges_reading reading = {.merges = merges};
    struct result_file_rows rows = {STR("found"), take_head, take_term, &reading};
    struct str text;

    if (stamp == 0)
        return refuse_unmade(merges, err);
    if (stamp == merges->result_stamp)
        return true;
    forget_results(merges);
    store_close(merges->corpus); /* it may be another by now */
    merges->corpus = NULL;
    if (!file_read(merges->result_path, &merges->results, &text, err))
        return false;
    if (!result_file_each(text, merges->result_path, &rows, err)) {
        /* Made when the study had no unifiers yet, or damaged? */
        struct result whole;
        struct err damaged = {0};
        return result_file_read(text, merges->result_path, &merges->results, &whole,
                                &damaged) &&
               refuse_unmade(merges, err);
    }
    rows.head = take_own_head;
    rows.row = take_proposal;
    for (size_t i = 0; i < merges->of->unifier_count; i++) {
        rows.table = arena_format(&merges->results, "own.%zu", i + 1);
        reading.entries = &merges->opened[i];
        if (!result_file_each(text, merges->result_path, &rows, err))
            return refuse_unmade(merges, err);
    }
    merges->result_stamp = stamp;
    return true;
}

/* Reading what people decided; somebody may write into the file by hand meanwhile. */
static bool read_log(struct serve_merges *merges, struct err *err)
{
    uint64_t stamp = file_stamp(merges->of->decisions);
    struct phrase_log log = {0};
    struct arena arena = {0};
    struct str text;

    if (stamp == merges->log_stamp && stamp != 0)
        return true;
    if (stamp != 0 &&
        (!file_read(merges->of->decisions, &arena, &text, err) ||
         !phrase_log_read(text, merges->of->decisions, &arena, &log, err))) {
        arena_free(&arena);
        return false;
    }
    phrase_log_admit(&log, merges->of->unifiers, merges->of->unifier_count,
                     merges->of->arbiter);
    arena_free(&merges->decided);
    merges->decided = arena;
    merges->log = log;
    merges->log_stamp = stamp;
    return true;
}

static bool refresh(const struct serve_call *call, struct err *err)
{
    return read_results(call->merges, err) && read_log(call->merges, err);
}

/* What one person has decided, or all (who empty), with what each of it counts for. */
static struct phrase_log judged(const struct serve_call *call, struct str who)
{
    const struct phrase_log *all = &call->merges->log;
    struct phrase_log own = {
        arena_array(call->arena, struct phrase_decision, all->count + 1), 0, 0};

    for (size_t i = 0; i < all->count; i++)
        if (who.len == 0 || str_eq(all->at[i].who, who))
            own.at[own.count++] = all->at[i];
    phrase_log_judge(&own, who, call->merges->of->arbiter, call->arena);
    return own;
}

static bool stands(const struct phrase_decision *it)
{
    return it->verdict != PHRASE_UNDO && it->state != PHRASE_UNDONE &&
           it->state != PHRASE_REPLACED;
}

/* What a unifier is asked: what the step proposes and they have not decided on. A verb
 * that they merged into another is no longer asked about. */
static void list_open(const struct serve_call *call, const struct phrase_log *own,
                      struct merges_entries *out)
{
    const struct merges_entries *proposed = &call->merges->opened[call->person_number];
    struct map decided = {.arena = call->arena}, merged = {.arena = call->arena};

    for (size_t i = 0; i < own->count; i++)
        if (stands(&own->at[i])) {
            map_put(&decided, phrase_log_key(&own->at[i], true, call->arena));
            if (own->at[i].verdict == PHRASE_ACCEPT)
                map_put(&merged, phrase_log_key(&own->at[i], false, call->arena));
        }
    for (size_t i = 0; i < proposed->count; i++) {
        const struct phrase_decision *about = &proposed->at[i].about;
        if (map_get(&decided, phrase_log_key(about, true, call->arena)) == NULL &&
            map_get(&merged, phrase_log_key(about, false, call->arena)) == NULL)
            list_add(out, proposed->at[i]);
    }
}

static void add_decided(const struct serve_call *call, const struct phrase_decision *it,
                        struct merges_entries *out)
{
    const struct merges_term *term =
        find_term(call->merges, it->level, it->from, call->arena);
    struct merges_entry entry = {.about = *it, .items = term != NULL ? term->items : 0};

    list_add(out, entry);
}

/* Newest first. */
static void list_decided(const struct serve_call *call, const struct phrase_log *own,
                         struct merges_entries *out)
{
    for (size_t i = own->count; i > 0; i--)
        if (stands(&own->at[i - 1]))
            add_decided(call, &own->at[i - 1], out);
}

static bool to_settle(const struct phrase_decision *it)
{
    return it->state == PHRASE_DISPUTED || it->state == PHRASE_OTHER_NAME;
}

/* Of a merge that is to be settled: what was decided on the same words and, where others
 * go by another name, on what it is merged into. Chains of places + 1, the newest first.
 */
struct spoken {
    struct map newest; /* key without into */
    size_t *before;
};

/* Adds to `said` what is on these words; all that stands, so that both sides show. */
static size_t add_said(const struct serve_call *call, const struct spoken *spoken,
                       const struct phrase_decision *on, size_t *said)
{
    const int64_t *last =
        map_get(&spoken->newest, phrase_log_key(on, false, call->arena));
    size_t count = 0;

    for (size_t j = last != NULL ? (size_t)*last : 0; j > 0; j = spoken->before[j - 1]) {
        if (said != NULL)
            said[count] = j - 1;
        count++;
    }
    return count;
}

static int by_place(const void *a, const void *b)
{
    size_t one = *(const size_t *)a, other = *(const size_t *)b;

    return one < other ? -1 : one > other;
}

static void list_said(const struct serve_call *call, const struct spoken *spoken,
                      const struct phrase_decision *it, struct merges_entry *entry)
{
    struct phrase_decision back = *it;

    back.from = it->into;
    bool both = it->state == PHRASE_OTHER_NAME;
    size_t own = add_said(call, spoken, it, NULL),
           all = own + (both ? add_said(call, spoken, &back, NULL) : 0);
    size_t *said = arena_array(call->arena, size_t, all + 1);
    add_said(call, spoken, it, said);
    if (both)
        add_said(call, spoken, &back, said + own);
    qsort(said, all, sizeof *said, by_place);
    entry->said = all;
    entry->said_at = said;
}

/* What the arbiter is asked: merges that some accept and others do not, or otherwise, or
 * under another name. */
static void list_disputed(const struct serve_call *call, struct merges_entries *out)
{
    struct phrase_log all = judged(call, (struct str){0});
    struct map listed = {.arena = call->arena};
    struct spoken spoken = {{.arena = call->arena},
                            arena_array(call->arena, size_t, all.count + 1)};

    for (size_t i = 0; i < all.count; i++)
        if (stands(&all.at[i]) && all.at[i].state != PHRASE_STRANGER) {
            int64_t *last =
                map_put(&spoken.newest, phrase_log_key(&all.at[i], false, call->arena));
            spoken.before[i] = (size_t)*last;
            *last = (int64_t)i + 1;
        }
    for (size_t i = 0; i < all.count; i++) {
        const struct phrase_decision *it = &all.at[i];
        if (!to_settle(it))
            continue;
        int64_t *known = map_put(&listed, phrase_log_key(it, true, call->arena));
        if (++*known > 1)
            continue;
        add_decided(call, it, out);
        struct merges_entry *entry = &out->at[out->count - 1];
        list_said(call, &spoken, it, entry);
        entry->about.verdict = PHRASE_VERDICTS;
    }
}

/* Orders. Equal ones stay by level and name, so that a list is always the same. */

static int by_names(const struct merges_entry *a, const struct merges_entry *b)
{
    int from = str_compare(a->about.from, b->about.from);

    return a->about.level != b->about.level ? (a->about.level < b->about.level ? -1 : 1)
           : from != 0                      ? from
                                            : str_compare(a->about.into, b->about.into);
}

static int by_value(double a, double b, const void *x, const void *y)
{
    return a > b ? -1 : a < b ? 1 : by_names(x, y);
}

static int order_name(const void *a, const void *b)
{
    return by_names(a, b);
}

/* How many titles it may be expected to bring together; a dispute has no score. */
static double gain_of(const void *entry)
{
    const struct merges_entry *it = entry;

    return (double)it->items * (it->said > 0 ? 1 : it->score);
}

static int order_gain(const void *a, const void *b)
{
    return by_value(gain_of(a), gain_of(b), a, b);
}

static int order_score(const void *a, const void *b)
{
    const struct merges_entry *one = a, *other = b;

    return by_value(one->score, other->score, a, b);
}

static int order_items(const void *a, const void *b)
{
    const struct merges_entry *one = a, *other = b;

    return by_value((double)one->items, (double)other->items, a, b);
}

static const struct {
    struct str name;
    int (*compare)(const void *a, const void *b);
} orders[] = {{STR_INIT("gain"), order_gain},
              {STR_INIT("score"), order_score},
              {STR_INIT("items"), order_items},
              {STR_INIT("name"), order_name}};

/* Answers. */

static void add_entry(const struct serve_call *call, const struct merges_entry *entry,
                      struct buf *out)
{
    static const char *const evidence[] = {"synonyms", "shared", "near", "before"};
    const struct phrase_decision *about = &entry->about;
    const struct merges_term *into =
        find_term(call->merges, about->level, about->into, call->arena);

    serve_writer_text(out, "level", str_from(phrase_levels[about->level]));
    serve_writer_text(out, "from", about->from);
    serve_writer_text(out, "with", about->with);
    serve_writer_text(out, "item", about->item);
    serve_writer_text(out, "into", about->into);
    serve_writer_int(out, "items", entry->items);
    serve_writer_int(out, "into_items", into != NULL ? into->items : 0);
    serve_writer_real(out, "score", entry->score);
    serve_writer_text(out, "reason", entry->reason);
    for (size_t i = 0; i < ROWS_OF(evidence); i++)
        serve_writer_real(out, evidence[i], entry->evidence[i]);
    bool open = about->verdict == PHRASE_VERDICTS;
    serve_writer_text(out, "verdict",
                      open ? STR("") : str_from(phrase_verdicts[about->verdict]));
    serve_writer_text(out, "when", open ? STR("") : about->when);
    serve_writer_text(out, "why", open ? STR("") : about->why);
    serve_writer_bool(out, "circle", about->state == PHRASE_CIRCLE);
    serve_writer_open(out, "said", '[');
    for (size_t i = 0; i < entry->said; i++) {
        const struct phrase_decision *said = &call->merges->log.at[entry->said_at[i]];
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "who", said->who);
        serve_writer_text(out, "from", said->from);
        serve_writer_text(out, "into", said->into);
        serve_writer_text(out, "verdict", str_from(phrase_verdicts[said->verdict]));
        serve_writer_text(out, "why", said->why);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
}

/* "gain/action/open" off the front: an order; a level or "all"; open or decided. */
static bool read_wanted(struct str *rest, size_t *order, int *level, bool *open,
                        struct err *err)
{
    struct str part[3] = {{0}};

    for (size_t i = 0; i < ROWS_OF(part); i++)
        str_cut(rest, '/', &part[i]);
    for (*order = 0; *order < ROWS_OF(orders); ++*order)
        if (str_eq(part[0], orders[*order].name))
            break;
    *level = 0;
    while (*level < PHRASE_LEVELS && !str_eq(part[1], str_from(phrase_levels[*level])))
        ++*level;
    *open = str_eq(part[2], STR("open"));
    if (*order == ROWS_OF(orders) ||
        (*level == PHRASE_LEVELS && !str_eq(part[1], STR("all"))) ||
        (!*open && !str_eq(part[2], STR("decided"))))
        return err_set(err, ERR_INPUT, "there is no such list of merges");
    return true;
}

bool serve_merges(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct serve_call rest = *call;
    struct merges_entries entries = {0}, decided = {0};
    struct serve_list list;
    size_t order;
    int level;
    bool open, arbiter = (call->roles & SERVE_SETTLER) != 0;

    if (!read_wanted(&rest.rest, &order, &level, &open, err) || !refresh(call, err) ||
        !serve_list_begin(&rest, out, &list, err))
        return false;
    struct phrase_log own = judged(call, call->person);
    if (arbiter)
        list_disputed(call, &entries);
    else
        list_open(call, &own, &entries);
    list_decided(call, &own, &decided);
    size_t left = entries.count, done = decided.count;
    struct merges_entries *shown = open ? &entries : &decided;
    if (open && shown->count > 0)
        qsort(shown->at, shown->count, sizeof *shown->at, orders[order].compare);
    for (; list.at < shown->count && serve_list_goes_on(&list); list.at++) {
        const struct merges_entry *entry = &shown->at[list.at];
        serve_list_word(&list, entry->about.from);
        serve_list_word(&list, entry->about.into);
        serve_list_word(&list, entry->reason);
        if (level < PHRASE_LEVELS && (int)entry->about.level != level) {
            list.read++;
            buf_clear(&list.text);
        } else if (serve_list_takes(&list)) {
            serve_writer_open(out, NULL, '{');
            add_entry(call, entry, out);
            serve_writer_close(out, '}');
        }
    }
    serve_list_end(&list, list.at >= shown->count, (int64_t)shown->count);
    serve_writer_int(out, "left", (int64_t)left);
    serve_writer_int(out, "done", (int64_t)done);
    list_free(&entries);
    list_free(&decided);
    return true;
}

bool serve_merging(const struct serve_call *call, struct buf *out, struct err *err)
{
    const struct serve_merges *merges = call->merges;

    (void)err;
    serve_writer_text(out, "title",
                      merges->study->title.len > 0 ? merges->study->title
                                                   : merges->study->name);
    serve_writer_text(out, "name", merges->of->name);
    serve_writer_text(out, "person", call->person);
    serve_writer_bool(out, "arbiter", (call->roles & SERVE_SETTLER) != 0);
    return true;
}

/* Titles. */

struct merges_titles {
    const struct serve_call *call;
    struct buf *out;
};

static bool take_title(void *context, const struct item *item, struct err *err)
{
    const struct merges_titles *titles = context;
    char shown[ITEM_KEY_SHOWN_MAX];

    (void)err;
    serve_writer_open(titles->out, NULL, '{');
    serve_writer_text(
        titles->out, "key",
        str_from(item_key_show(&titles->call->merges->study->spaces, item->id, shown)));
    serve_writer_text(titles->out, "title", item->title);
    serve_writer_close(titles->out, '}');
    return true;
}

/* "action/load" or, as a browser sends it, "object/trained%20model". */
bool serve_titles(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct serve_merges *merges = call->merges;
    struct str rest = call->rest, level, key;
    struct merges_titles titles = {call, out};
    LIST(int64_t) ids = {0};

    str_cut(&rest, '/', &level);
    char *plain = g_uri_unescape_segment(rest.ptr, rest.ptr + rest.len, NULL);
    struct str name = arena_copy(call->arena, str_from(plain != NULL ? plain : ""));
    g_free(plain);
    if (!refresh(call, err))
        return false;
    const struct merges_term *term =
        find_term(merges, level_of(level), name, call->arena);
    serve_writer_text(out, "name", name);
    serve_writer_int(out, "items", term != NULL ? term->items : 0);
    serve_writer_open(out, "titles", '[');
    struct str some = term != NULL ? term->some : (struct str){0};
    while (some.len > 0) {
        int64_t id;
        str_cut(&some, ' ', &key);
        if (result_read_key(key, &id))
            list_add(&ids, id);
    }
    bool ok = ids.count == 0 || merges->corpus != NULL ||
              store_open(file_join(merges->study->home, "corpus.db", call->arena),
                         merges->study->servers, &merges->corpus, err);
    ok = ok && (ids.count == 0 ||
                store_fetch(merges->corpus, ids.at, ids.count, take_title, &titles, err));
    list_free(&ids);
    serve_writer_close(out, ']');
    return ok;
}

/* Deciding. */

/* One line, without what a csv in a spreadsheet or a terminal would stumble over. */
static bool read_member(const struct serve_call *call, const char *name, int required,
                        size_t bytes_max, struct str *out, struct err *err)
{
    struct str text;

    if (!serve_ask_text(call->body, name, required, &text, err))
        return false;
    if (text.len > bytes_max)
        return err_set(err, ERR_INPUT, "'%s' is longer than %zu bytes", name, bytes_max);
    char *line = arena_c_string(call->arena, text);
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
            line[i] = ' ';
    *out = str_trim((struct str){line, text.len});
    return true;
}

static bool read_decision(const struct serve_call *call, struct phrase_decision *it,
                          struct err *err)
{
    struct str level, verdict;
    size_t v = 0;

    if (!serve_ask_text(call->body, "level", SERVE_REQUIRED, &level, err) ||
        !serve_ask_text(call->body, "verdict", SERVE_REQUIRED, &verdict, err) ||
        !read_member(call, "from", SERVE_REQUIRED, TERM_BYTES_MAX, &it->from, err) ||
        !read_member(call, "with", SERVE_OPTIONAL, TERM_BYTES_MAX, &it->with, err) ||
        !read_member(call, "item", SERVE_OPTIONAL, TERM_BYTES_MAX, &it->item, err) ||
        !read_member(call, "into", SERVE_REQUIRED, TERM_BYTES_MAX, &it->into, err) ||
        !read_member(call, "why", SERVE_OPTIONAL, WHY_BYTES_MAX, &it->why, err))
        return false;
    it->level = level_of(level);
    while (v < PHRASE_VERDICTS && !str_eq(verdict, str_from(phrase_verdicts[v])))
        v++;
    if (v == PHRASE_VERDICTS || !str_eq(level, str_from(phrase_levels[it->level])))
        return err_set(err, ERR_INPUT,
                       "expected the level action or object, and the verdict accept, "
                       "refuse or undo");
    it->verdict = (enum phrase_verdict)v;
    it->who = call->person;
    return true;
}

/* The log with a row more must be one that can be read again, and the merge must lead
 * somewhere. */
static bool check_row(const struct serve_call *call, struct str row, struct err *err)
{
    struct str text = {0};
    struct phrase_log log;
    const char *path = call->merges->of->decisions;

    if (!file_read(path, call->arena, &text, err))
        return false;
    struct str whole = arena_format(call->arena, "%.*s%.*s", STR_ARG(text), STR_ARG(row));
    if (!phrase_log_read(whole, path, call->arena, &log, err))
        return false;
    phrase_log_judge(&log, call->person, (struct str){0}, call->arena);
    if (log.at[log.count - 1].state == PHRASE_CIRCLE)
        return err_set(err, ERR_INPUT,
                       "this would lead back to '%.*s': what it is to go into has been "
                       "merged into it",
                       STR_ARG(log.at[log.count - 1].from));
    return true;
}

/* What was sent twice, because no answer came, is written once. */
static bool is_there(const struct serve_call *call, const struct phrase_decision *it)
{
    struct phrase_log own = judged(call, it->who);
    struct str key = phrase_log_key(it, true, call->arena);
    const struct phrase_decision *last = NULL;

    for (size_t i = 0; i < own.count; i++)
        if (str_eq(phrase_log_key(&own.at[i], true, call->arena), key))
            last = &own.at[i];
    return last != NULL && last->verdict == it->verdict && str_eq(last->why, it->why) &&
           (it->verdict == PHRASE_UNDO || stands(last));
}

bool serve_merge(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct phrase_decision it = {0};
    struct buf when = {0}, row = {0};

    if (!read_decision(call, &it, err) || !refresh(call, err))
        return false;
    bool ok = true;
    if (!is_there(call, &it)) {
        date_add(&when, (int64_t)time(NULL) * 1000);
        it.when = buf_keep(&when, call->arena);
        phrase_log_add(&it, &row);
        ok = check_row(call, buf_str(&row), err) &&
             file_append(call->merges->of->decisions, buf_str(&row), err);
        buf_free(&row);
    }
    if (ok)
        serve_writer_text(out, "verdict", str_from(phrase_verdicts[it.verdict]));
    return ok;
}

/* Opening. */

/* A csv with its head, whose last row is whole. A row without its end, which a power cut
 * may leave, was never confirmed to anybody; it is taken out if it alone cannot be read.
 */
static bool mend_log(struct serve_merges *merges, struct err *err)
{
    const char *path = merges->of->decisions;
    struct arena arena = {0};
    struct phrase_log log;
    struct str text;

    if (!file_exists(path))
        return file_append(path, str_from(phrase_log_head), err);
    bool ok = file_read(path, &arena, &text, err);
    if (ok && text.len == 0) {
        ok = file_append(path, str_from(phrase_log_head), err);
    } else if (ok && text.ptr[text.len - 1] != '\n') {
        size_t end = text.len;
        while (end > 0 && text.ptr[end - 1] != '\n')
            end--;
        struct str whole = {text.ptr, end};
        if (phrase_log_read(text, path, &arena, &log, &(struct err){0}))
            ok = file_append(path, STR("\n"), err);
        else
            ok = phrase_log_read(whole, path, &arena, &log, err) &&
                 file_write(path, whole, err);
    } else if (ok) {
        ok = phrase_log_read(text, path, &arena, &log, err);
    }
    arena_free(&arena);
    return ok;
}

bool serve_merges_open(const struct study *study, const struct study_phrases *of,
                       struct serve_merges **out, struct err *err)
{
    struct arena arena = {0};
    struct serve_merges *merges = arena_array(&arena, struct serve_merges, 1);
    size_t count = of->unifier_count + (of->arbiter.len > 0);

    merges->arena = arena;
    merges->study = study;
    merges->of = of;
    merges->count = count;
    merges->people = arena_array(&merges->arena, struct label_person, count + 1);
    merges->opened = arena_array(&merges->arena, struct merges_entries, count + 1);
    for (size_t i = 0; i < count; i++)
        merges->people[i] = i < of->unifier_count
                                ? (struct label_person){of->unifiers[i], SERVE_UNIFIER}
                                : (struct label_person){of->arbiter, SERVE_SETTLER};
    merges->term_places.arena = &merges->results;
    struct str name = arena_format(&merges->arena, "out/results/phrases.%.*s.result",
                                   STR_ARG(of->name));
    merges->result_path = file_join(study->home, name.ptr, &merges->arena);
    if (!mend_log(merges, err) || !read_results(merges, err)) {
        serve_merges_close(merges);
        return false;
    }
    *out = merges;
    return true;
}

size_t serve_merges_people(const struct serve_merges *merges,
                           const struct label_person **out)
{
    *out = merges->people;
    return merges->count;
}

bool serve_merges_settles(const struct label_person *person)
{
    return (person->roles & SERVE_SETTLER) != 0;
}

bool serve_merges_token(const struct serve_merges *merges, struct str name,
                        struct arena *arena, struct str *token, struct err *err)
{
    struct str task = arena_format(arena, "phrases.%.*s", STR_ARG(merges->of->name));

    return label_link_token(merges->study->home, task, name, arena, token, err);
}

void serve_merges_close(struct serve_merges *merges)
{
    if (merges == NULL)
        return;
    forget_results(merges);
    arena_free(&merges->decided);
    store_close(merges->corpus);
    struct arena arena = merges->arena;
    arena_free(&arena);
}
