/* Who labelled what is not for publication; that two labels are by the same person is. So
 * everybody has one other name in all of a package: rater-1, rater-2, arbiter, lead. */
#include "package/people.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "input/csv.h"
#include "phrase/phrase.h"
#include "run/steps.h"
#include "store/acts.h"

/* Whoever is a rater somewhere is called one. */
enum package_role { RATER, ARBITER, LEAD, ROLES };

static const char *const role_words[ROLES] = {"rater", "arbiter", "lead"};

struct package_person {
    struct str name, called;
    enum package_role role;
    uint64_t rank; /* people of a role are numbered by it */
};

struct people_finding {
    struct arena *arena;
    struct map numbers; /* from names to places in the list */
    LIST(struct package_person) people;
    struct buf secret; /* nothing that is published tells it */
    enum package_role role;
};

static void add_person(struct people_finding *finding, struct str name,
                       enum package_role role)
{
    if (name.len == 0)
        return;
    size_t number = map_number(&finding->numbers, name);
    if (number == finding->people.count)
        list_add(&finding->people,
                 ((struct package_person){.name = arena_copy(finding->arena, name),
                                          .role = role}));
    else if (role < finding->people.at[number].role)
        finding->people.at[number].role = role;
}

/* Whom the study file names, its files of labels, and labels.db. */

static bool find_in_file(struct people_finding *finding, const char *path,
                         struct str named, struct err *err)
{
    struct input_csv reader = {.path = path};
    struct input_csv_row row;
    struct str text;
    size_t column = 0;
    bool head = true;

    if (!file_read(path, finding->arena, &text, err))
        return false;
    buf_add(&finding->secret, text);
    input_csv_push(&reader, text, true);
    while (input_csv_next(&reader, &row, err)) {
        if (head)
            column = input_csv_rows_find(&row, named);
        else if (column < row.count)
            add_person(finding, row.fields[column], RATER);
        head = false;
    }
    bool ok = !reader.failed;
    input_csv_free(&reader);
    return ok;
}

/* Whom decisions on phrases name. assay-phrases(1) makes their file when the first one
 * comes. */
static bool find_in_decisions(struct people_finding *finding, const char *path,
                              struct err *err)
{
    struct phrase_log log;
    struct str text, *people;

    if (!file_exists(path))
        return true;
    if (!file_read(path, finding->arena, &text, err) ||
        !phrase_log_read(text, path, finding->arena, &log, err))
        return false;
    buf_add(&finding->secret, text);
    size_t count = phrase_log_people(&log, finding->arena, &people);
    for (size_t i = 0; i < count; i++)
        add_person(finding, people[i], RATER);
    return true;
}

static bool take_act(void *context, const void *row, struct err *err)
{
    const struct store_acts_act *act = row;
    struct people_finding *finding = context;

    (void)err;
    if (act->id == 1) /* its moment, of which only the day is published */
        buf_add(&finding->secret,
                (struct str){(const char *)&act->at_ms, sizeof act->at_ms});
    add_person(finding, act->rater, RATER);
    return true;
}

static bool take_assignment(void *context, const void *row, struct err *err)
{
    (void)err;
    add_person(context, ((const struct store_acts_assignment *)row)->rater, RATER);
    return true;
}

static bool take_proposal(void *context, const void *row, struct err *err)
{
    (void)err;
    add_person(context, ((const struct store_acts_proposal *)row)->rater, RATER);
    return true;
}

static bool take_decision(void *context, const void *row, struct err *err)
{
    (void)err;
    add_person(context, ((const struct store_acts_decision *)row)->unit_of, RATER);
    add_person(context, ((const struct store_acts_decision *)row)->by, ARBITER);
    return true;
}

static bool take_round(void *context, const void *row, struct err *err)
{
    (void)err;
    add_person(context, ((const struct store_acts_round *)row)->by, LEAD);
    return true;
}

static bool take_round_end(void *context, const void *row, struct err *err)
{
    (void)err;
    add_person(context, ((const struct store_acts_round_end *)row)->by, LEAD);
    return true;
}

static bool take_verdict(void *context, const void *row, struct err *err)
{
    (void)err;
    add_person(context, ((const struct store_acts_verdict *)row)->by, LEAD);
    return true;
}

static bool find_in_acts(struct people_finding *finding, struct store_acts *acts,
                         struct err *err)
{
    static store_acts_take *const takes[STORE_ACTS_TABLES] = {
        [STORE_ACTS_ACT] = take_act,           [STORE_ACTS_ASSIGNMENT] = take_assignment,
        [STORE_ACTS_PROPOSAL] = take_proposal, [STORE_ACTS_DECISION] = take_decision,
        [STORE_ACTS_ROUND] = take_round,       [STORE_ACTS_ROUND_END] = take_round_end,
        [STORE_ACTS_VERDICT] = take_verdict,
    };
    bool ok = true;

    for (enum store_acts_table table = 0; table < STORE_ACTS_TABLES && ok; table++)
        ok = takes[table] == NULL ||
             store_acts_each(acts, table, 0, takes[table], finding, err);
    return ok;
}

static bool find_people(struct people_finding *finding, const struct study *study,
                        struct err *err)
{
    const char *path = file_join(study->home, "labels.db", finding->arena);
    struct store_acts *acts = NULL;
    bool ok = true;

    for (size_t i = 0; i < study->labelling_count; i++) {
        const struct study_labelling *task = &study->labellings[i];
        for (size_t r = 0; r < task->rater_count; r++)
            add_person(finding, task->raters[r], RATER);
        add_person(finding, task->arbiter, ARBITER);
        add_person(finding, task->lead, LEAD);
    }
    if (study->labelling_count > 0 && file_exists(path))
        ok = store_acts_open(path, study->name, &acts, err) &&
             find_in_acts(finding, acts, err);
    store_acts_close(acts);
    for (size_t i = 0; i < study->label_count && ok; i++)
        ok = study->labels[i].from == NULL || study->labels[i].rater.len == 0 ||
             find_in_file(finding, study->labels[i].from, study->labels[i].rater, err);
    for (size_t i = 0; i < study->tagset_count; i++)
        for (size_t d = 0; d < study->tagsets[i].decided_count; d++)
            add_person(finding, study->tagsets[i].decided[d].who, RATER);
    for (size_t i = 0; i < study->phrases_count && ok; i++) {
        const struct study_phrases *phrases = &study->phrases[i];
        add_person(finding, phrases->arbiter, ARBITER);
        for (size_t u = 0; u < phrases->unifier_count; u++)
            add_person(finding, phrases->unifiers[u], RATER);
        ok = phrases->decisions == NULL ||
             find_in_decisions(finding, phrases->decisions, err);
    }
    return ok;
}

/* What they are called. */

/* Whether a name is one that we give, so that the package of a package is the same. */
static bool is_ours(const struct package_person *person)
{
    struct str rest = person->name, word = str_from(role_words[person->role]);
    int64_t number;

    if (!str_starts(rest, word))
        return false;
    rest = str_slice(rest, word.len, rest.len);
    return rest.len == 0 || (str_starts(rest, STR("-")) &&
                             str_to_int(str_slice(rest, 1, rest.len), &number));
}

static int by_rank(const void *a, const void *b)
{
    const struct package_person *one = a, *two = b;

    if (one->role != two->role)
        return one->role < two->role ? -1 : 1;
    if (one->rank != two->rank)
        return one->rank < two->rank ? -1 : 1;
    return str_compare(one->name, two->name);
}

/* Neither the order of the study file nor that of the alphabet: both would tell. */
static void call_people(struct people_finding *finding)
{
    struct package_person *people = finding->people.at;
    size_t count = finding->people.count, of_role[ROLES] = {0}, seen[ROLES] = {0};
    size_t secret = finding->secret.len, ours = 0;

    for (size_t i = 0; i < count; i++) {
        finding->secret.len = secret;
        buf_add(&finding->secret, people[i].name);
        people[i].rank = run_steps_hash(buf_str(&finding->secret));
        of_role[people[i].role]++;
        ours += is_ours(&people[i]);
    }
    if (count > 0)
        qsort(people, count, sizeof *people, by_rank);
    for (size_t i = 0; i < count; i++) {
        enum package_role role = people[i].role;
        if (ours == count)
            people[i].called = people[i].name;
        else if (role == RATER || of_role[role] > 1)
            people[i].called =
                arena_format(finding->arena, "%s-%zu", role_words[role], ++seen[role]);
        else
            people[i].called = str_from(role_words[role]);
    }
}

bool package_find_people(const struct study *study, struct arena *arena,
                         struct package_people *out, struct err *err)
{
    struct people_finding finding = {.arena = arena, .numbers = {.arena = arena}};
    bool ok = find_people(&finding, study, err);

    call_people(&finding);
    out->at = list_copy(&finding.people, arena);
    out->count = finding.people.count;
    list_free(&finding.people);
    buf_free(&finding.secret);
    return ok;
}

struct str package_called(const struct package_people *people, struct str name)
{
    for (size_t i = 0; i < people->count; i++)
        if (str_eq(people->at[i].name, name))
            return people->at[i].called;
    return name;
}

struct str package_person_name(const struct package_people *people, size_t i)
{
    const struct package_person *one = &people->at[i];

    return str_eq(one->name, one->called) ? (struct str){0} : one->name;
}

static int by_text(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

struct str *package_call_all(const struct package_people *people, const struct str *names,
                             size_t count, struct arena *arena)
{
    struct str *called = arena_array(arena, struct str, count + 1);

    for (size_t i = 0; i < count; i++)
        called[i] = package_called(people, names[i]);
    if (count > 0)
        qsort(called, count, sizeof *called, by_text);
    return called;
}

/* "Zoe and Ann" is a row of some tables, in the order of the names; so are "Ann and qwen"
 * and "qwen for Ann", where one of them is a model and keeps its name. */
static bool call_pair(const struct package_people *people, struct result_number *number,
                      struct str word, struct arena *arena)
{
    struct str row = number->label;

    for (size_t i = 1; i + word.len < row.len; i++) {
        struct str pair[] = {str_slice(row, 0, i), str_slice(row, i + word.len, row.len)};
        if (!str_starts(str_slice(row, i, row.len), word))
            continue;
        struct str called[] = {package_called(people, pair[0]),
                               package_called(people, pair[1])};
        bool first = !str_eq(called[0], pair[0]), second = !str_eq(called[1], pair[1]);
        if (!first && !second)
            continue;
        bool turned = first && second && str_compare(called[0], called[1]) > 0;
        struct str label = arena_format(arena, "%.*s%.*s%.*s", STR_ARG(called[turned]),
                                        STR_ARG(word), STR_ARG(called[!turned]));
        struct buf slug = {0};
        result_slug(label, &slug);
        number->row = buf_keep(&slug, arena);
        return true;
    }
    return false;
}

static void call_row(const struct package_people *people, struct result_number *number,
                     struct arena *arena)
{
    if (!call_pair(people, number, STR(" and "), arena))
        call_pair(people, number, STR(" for "), arena);
}

void package_call_numbers(const struct package_people *people,
                          struct result_numbers *numbers, size_t count,
                          struct arena *arena)
{
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < numbers[s].count; i++)
            call_row(people, &numbers[s].at[i], arena);
}

/* labels.db. */

enum { DAY_MS = 86400000 };

struct copying {
    const struct package_people *people;
    struct arena *arena;
    struct store_acts *to;
    struct map sources; /* files that labels were imported from */
    LIST(struct store_acts_assignment) assignments;
};

static struct str called(const struct copying *copying, struct str name)
{
    return package_called(copying->people, name);
}

static int64_t day_of(int64_t at_ms)
{
    return at_ms - at_ms % DAY_MS;
}

/* Files are somebody's own; which labels came together is not. */
static struct str source_called(struct copying *copying, struct str source)
{
    if (source.len == 0)
        return source;
    return arena_format(copying->arena, "import %zu",
                        map_number(&copying->sources, source) + 1);
}

static bool copy_codebook(void *context, const void *from, struct err *err)
{
    const struct copying *copying = context;
    struct store_acts_codebook row = *(const struct store_acts_codebook *)from;

    row.at_ms = day_of(row.at_ms);
    return store_acts_add(copying->to, STORE_ACTS_CODEBOOK, &row, err);
}

static bool copy_round(void *context, const void *from, struct err *err)
{
    struct copying *copying = context;
    struct store_acts_round row = *(const struct store_acts_round *)from;

    row.at_ms = day_of(row.at_ms);
    row.by = called(copying, row.by);
    row.source = source_called(copying, row.source);
    return store_acts_add(copying->to, STORE_ACTS_ROUND, &row, err);
}

static bool copy_round_end(void *context, const void *from, struct err *err)
{
    const struct copying *copying = context;
    struct store_acts_round_end row = *(const struct store_acts_round_end *)from;

    row.at_ms = day_of(row.at_ms);
    row.by = called(copying, row.by);
    return store_acts_add(copying->to, STORE_ACTS_ROUND_END, &row, err);
}

static bool copy_act(void *context, const void *from, struct err *err)
{
    struct copying *copying = context;
    struct store_acts_act row = *(const struct store_acts_act *)from;

    row.at_ms = day_of(row.at_ms);
    row.rater = called(copying, row.rater);
    row.source = source_called(copying, row.source);
    row.memo = row.client_key = (struct str){0};
    row.seconds = NAN;
    return store_acts_add(copying->to, STORE_ACTS_ACT, &row, err);
}

static bool copy_decision(void *context, const void *from, struct err *err)
{
    const struct copying *copying = context;
    struct store_acts_decision row = *(const struct store_acts_decision *)from;

    row.at_ms = day_of(row.at_ms);
    row.by = called(copying, row.by);
    row.unit_of = called(copying, row.unit_of);
    row.text = (struct str){0};
    return store_acts_add(copying->to, STORE_ACTS_DECISION, &row, err);
}

static bool copy_proposal(void *context, const void *from, struct err *err)
{
    const struct copying *copying = context;
    struct store_acts_proposal row = *(const struct store_acts_proposal *)from;

    row.at_ms = day_of(row.at_ms);
    row.rater = called(copying, row.rater);
    return store_acts_add(copying->to, STORE_ACTS_PROPOSAL, &row, err);
}

static bool copy_verdict(void *context, const void *from, struct err *err)
{
    const struct copying *copying = context;
    struct store_acts_verdict row = *(const struct store_acts_verdict *)from;

    row.at_ms = day_of(row.at_ms);
    row.by = called(copying, row.by);
    row.reason = (struct str){0};
    return store_acts_add(copying->to, STORE_ACTS_VERDICT, &row, err);
}

/* What models were asked begins with the prompt, which goes along; the rest is the text
 * of posts, which stays. Replies go along. */
static bool copy_message(void *context, const void *from, struct err *err)
{
    const struct copying *copying = context;
    struct store_acts_message row = *(const struct store_acts_message *)from;

    return row.before.len > 0 ||
           store_acts_add(copying->to, STORE_ACTS_MESSAGE, &row, err);
}

static bool copy_answer(void *context, const void *from, struct err *err)
{
    const struct copying *copying = context;
    struct store_acts_answer row = *(const struct store_acts_answer *)from;

    return store_acts_add(copying->to, STORE_ACTS_ANSWER, &row, err);
}

/* They are written rater by rater, in the order of the study file. */
static bool keep_assignment(void *context, const void *from, struct err *err)
{
    struct copying *copying = context;
    struct store_acts_assignment row = *(const struct store_acts_assignment *)from;

    (void)err;
    row.rater = arena_copy(copying->arena, called(copying, row.rater));
    list_add(&copying->assignments, row);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct store_acts_assignment *one = a, *two = b;

    if (one->round != two->round)
        return one->round < two->round ? -1 : 1;
    if (!str_eq(one->rater, two->rater))
        return str_compare(one->rater, two->rater);
    return one->position < two->position ? -1 : one->position > two->position;
}

static bool copy_assignments(struct copying *copying, struct err *err)
{
    bool ok = true;

    if (copying->assignments.count > 0)
        qsort(copying->assignments.at, copying->assignments.count,
              sizeof *copying->assignments.at, by_place);
    for (size_t i = 0; i < copying->assignments.count && ok; i++)
        ok = store_acts_add(copying->to, STORE_ACTS_ASSIGNMENT,
                            &copying->assignments.at[i], err);
    return ok;
}

/* Links of people, which let one speak for them, stay here. */
static bool copy_rows(struct copying *copying, struct store_acts *from, struct err *err)
{
    static store_acts_take *const takes[STORE_ACTS_TABLES] = {
        [STORE_ACTS_CODEBOOK] = copy_codebook,
        [STORE_ACTS_ROUND] = copy_round,
        [STORE_ACTS_ROUND_END] = copy_round_end,
        [STORE_ACTS_ASSIGNMENT] = keep_assignment,
        [STORE_ACTS_ACT] = copy_act,
        [STORE_ACTS_DECISION] = copy_decision,
        [STORE_ACTS_PROPOSAL] = copy_proposal,
        [STORE_ACTS_VERDICT] = copy_verdict,
        [STORE_ACTS_MESSAGE] = copy_message,
        [STORE_ACTS_ANSWER] = copy_answer,
    };
    bool ok = store_acts_begin(copying->to, err);

    for (enum store_acts_table table = 0; table < STORE_ACTS_TABLES && ok; table++)
        ok = takes[table] == NULL ||
             store_acts_each(from, table, 0, takes[table], copying, err);
    ok = ok && copy_assignments(copying, err) && store_acts_commit(copying->to, err);
    if (!ok)
        store_acts_rollback(copying->to);
    list_free(&copying->assignments);
    return ok;
}

static bool copy_sources(const struct study *study, struct store_acts *to,
                         struct err *err)
{
    bool ok = true;

    for (size_t i = 0; i < study->source_count && ok; i++) {
        const struct item_space *space = &study->spaces.at[i];
        ok = space->space != i ||
             store_acts_check_source(to, i,
                                     space->site.len > 0 ? space->site : space->name,
                                     !study->spaces.several, err);
    }
    return ok;
}

bool package_copy_labels(const struct study *study, const struct package_people *people,
                         const char *to, struct arena *arena, struct err *err)
{
    const char *path = file_join(study->home, "labels.db", arena);
    struct copying copying = {
        .people = people, .arena = arena, .sources = {.arena = arena}};
    struct store_acts *from = NULL;
    bool ok = store_acts_open(path, study->name, &from, err) &&
              store_acts_open(to, study->name, &copying.to, err) &&
              copy_sources(study, copying.to, err) && copy_rows(&copying, from, err);

    store_acts_close(from);
    store_acts_close(copying.to);
    return ok;
}

/* A file of labels. */

struct renaming {
    const struct package_columns *columns;
    bool *kept, *names; /* of each column of the csv: it stays; it names raters */
    const struct package_people *people;
};

static void find_columns(struct renaming *renaming, const struct input_csv_row *head,
                         struct arena *arena)
{
    const struct package_columns *columns = renaming->columns;

    renaming->kept = arena_array(arena, bool, head->count + 1);
    renaming->names = arena_array(arena, bool, head->count + 1);
    for (size_t c = 0; c < head->count; c++) {
        struct str name = str_trim(head->fields[c]);
        renaming->names[c] =
            str_find(name, columns->raters, columns->rater_count) < columns->rater_count;
        renaming->kept[c] =
            renaming->names[c] || columns->all ||
            str_find(name, columns->others, columns->other_count) < columns->other_count;
    }
}

/* Readers find out the separator: what could be taken for one stands in quotes. */
static void add_field(struct str field, struct buf *out)
{
    bool mistakable = false;

    for (size_t i = 0; i < field.len; i++)
        mistakable = mistakable || field.ptr[i] == ';' || field.ptr[i] == '\t';
    if (!mistakable) {
        buf_add_csv(out, field);
        return;
    }
    buf_add_char(out, '"');
    for (size_t i = 0; i < field.len; i++) {
        if (field.ptr[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, field.ptr[i]);
    }
    buf_add_char(out, '"');
}

static void add_row(const struct renaming *renaming, const struct input_csv_row *row,
                    bool head, struct buf *out)
{
    bool first = true;

    for (size_t c = 0; c < row->count; c++) {
        if (!renaming->kept[c])
            continue;
        if (!first)
            buf_add_char(out, ',');
        first = false;
        add_field(!head && renaming->names[c]
                      ? package_called(renaming->people, row->fields[c])
                      : row->fields[c],
                  out);
    }
    buf_add_char(out, '\n');
}

/* Rows in an order that does not tell whose stood first. */
bool package_rename_raters(struct str csv, const char *path,
                           const struct package_columns *columns,
                           const struct package_people *people, struct arena *arena,
                           struct str *out, struct err *err)
{
    struct renaming renaming = {.columns = columns, .people = people};
    struct input_csv reader = {.path = path};
    LIST(struct str) rows = {0};
    struct input_csv_row row;
    struct buf text = {0};

    input_csv_push(&reader, csv, true);
    while (input_csv_next(&reader, &row, err)) {
        bool head = rows.count == 0;
        if (head)
            find_columns(&renaming, &row, arena);
        add_row(&renaming, &row, head, &text);
        list_add(&rows, buf_keep(&text, arena));
    }
    bool ok = !reader.failed;
    if (rows.count > 1 && columns->rater_count > 0)
        qsort(rows.at + 1, rows.count - 1, sizeof *rows.at, by_text);
    for (size_t i = 0; i < rows.count; i++)
        buf_add(&text, rows.at[i]);
    *out = buf_keep(&text, arena);
    list_free(&rows);
    input_csv_free(&reader);
    return ok;
}

/* Decisions on phrases. */

bool package_rename_deciders(struct str csv, const char *path,
                             const struct package_people *people, struct arena *arena,
                             struct str *out, struct err *err)
{
    struct phrase_log log;
    struct buf text = {0}, day = {0};

    if (!phrase_log_read(csv, path, arena, &log, err))
        return false;
    buf_add(&text, str_from(phrase_log_head));
    for (size_t i = 0; i < log.count; i++) {
        struct phrase_decision one = log.at[i];
        int64_t moment = 0;
        if (date_parse(one.when, &moment)) /* or it could not have been read */
            date_add_day(&day, moment);
        one.when = buf_keep(&day, arena);
        one.who = package_called(people, one.who);
        one.why = (struct str){0};
        phrase_log_add(&one, &text);
    }
    *out = buf_keep(&text, arena);
    return true;
}

/* Decisions on tags. */

struct str package_tag_decisions(const struct study_tagset *tagset,
                                 const struct package_people *people, struct arena *arena)
{
    static const char *const words[] = {
        [SOURCE_UNDECIDED] = "", [SOURCE_ACCEPTED] = "yes", [SOURCE_REFUSED] = "no"};
    struct buf text = {0};

    buf_add(&text, STR("tag,accepted,who,why\n"));
    for (size_t i = 0; i < tagset->decided_count; i++) {
        const struct source_decided *one = &tagset->decided[i];
        buf_add_csv(&text, one->tag);
        buf_add_format(&text, ",%s,", words[one->verdict]);
        if (one->who.len > 0)
            buf_add_csv(&text, package_called(people, one->who));
        buf_add_char(&text, ',');
        buf_add_csv(&text, one->why);
        buf_add_char(&text, '\n');
    }
    return buf_keep(&text, arena);
}
