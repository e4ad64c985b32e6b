/* What every source has: posts to be stored, findings, files, and a place to go on from.
 */
#include "source/intake.h"

#include <stdio.h>
#include <string.h>

#include "base/date.h"

/* --- steps --- */

static size_t steps_of(const struct source_ingest_source *source)
{
    return source->kind->each ? source->path_count : 1;
}

size_t source_intake_steps(const struct source_ingest_options *options)
{
    size_t count = 0;

    for (size_t i = 0; i < options->source_count; i++)
        count += steps_of(&options->sources[i]);
    return count;
}

static const char *name_of(const struct source_ingest_source *source, size_t path)
{
    return source->names != NULL ? source->names[path] : source->paths[path];
}

struct str source_intake_shown(const struct source_ingest_source *source, size_t path,
                               const char *place, struct arena *arena)
{
    struct str whole = str_from(place), begin = str_from(source->paths[path]);
    struct buf shown = {0};

    if (!str_starts(whole, begin))
        return arena_copy(arena, whole);
    buf_add_format(&shown, "%s%.*s", name_of(source, path),
                   STR_ARG(str_slice(whole, begin.len, whole.len)));
    return buf_keep(&shown, arena);
}

static const char *prefix_of(const struct source_intake *intake, struct arena *arena)
{
    const struct source_ingest_source *source = intake->source;
    struct buf text = {0};

    if (source_intake_steps(intake->options) > 1) {
        if (source->name.len > 0)
            buf_add_format(&text, "%.*s: ", STR_ARG(source->name));
        if (source->name.len == 0 || steps_of(source) > 1)
            buf_add_format(&text, "%s: ", name_of(source, intake->path_number));
    }
    return buf_keep(&text, arena).ptr;
}

void source_intake_turn_to(struct source_intake *intake, size_t step, struct arena *arena)
{
    const struct source_ingest_source *sources = intake->options->sources;
    size_t number = 0;

    while (step >= steps_of(&sources[number]))
        step -= steps_of(&sources[number++]);
    intake->source = &sources[number];
    intake->source_number = number;
    intake->path_number = step;
    intake->prefix = prefix_of(intake, arena);
    struct str *fields = arena_array(arena, struct str, intake->source->field_count + 1);
    for (size_t i = 0; i < intake->source->field_count; i++)
        fields[i] = intake->source->fields[i].name;
    intake->judge.origin =
        (struct dump_judge_origin){.source = intake->source->name,
                                   .fields = fields,
                                   .field_count = intake->source->field_count};
}

bool source_intake_save_place(struct source_intake *intake, struct err *err)
{
    buf_clear(&intake->packed);
    buf_add(&intake->packed,
            (struct str){(const char *)&intake->step, sizeof intake->step});
    dump_select_save(&intake->state, &intake->packed);
    return store_set_state(intake->corpus, STR("place"), buf_str(&intake->packed), err);
}

bool source_intake_step_done(struct source_intake *intake, struct err *err)
{
    dump_select_state_free(&intake->state);
    intake->step++;
    return source_intake_save_place(intake, err) && store_commit(intake->corpus, err);
}

/* --- posts --- */

int64_t source_intake_code_blocks(struct dump_judge *judge, const struct item *item)
{
    judge->post = item;
    judge->split = judge->titled = false;
    return (int64_t)dump_judge_code_blocks(judge);
}

/* The same id at another time is another post: then these are two sites. */
static bool refuse_twin(const struct source_intake *intake, const struct item *item,
                        int64_t known_ms, struct err *err)
{
    struct buf text = {0};

    buf_add_format(&text, "post %lld", (long long)item_number(item->id));
    if (intake->source->name.len > 0)
        buf_add_format(&text, " of source '%.*s'", STR_ARG(intake->source->name));
    buf_add(&text, STR(" was written on "));
    date_add(&text, item->created_ms);
    buf_add(&text, intake->source_number > 0
                       ? STR(", and that of an earlier source on ")
                       : STR(", and, by an earlier row of it, on "));
    date_add(&text, known_ms);
    if (intake->source_number > 0)
        buf_add_format(
            &text, ": both count as %.*s; if they are different sites, say so by 'site:'",
            STR_ARG(intake->source->site));
    else
        buf_add(&text, STR("; expected an id to be that of one post"));
    err_record(err, ERR_INPUT, "%.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
    return false;
}

bool source_intake_store(struct source_intake *intake, const struct item *given,
                         int64_t code_blocks, struct err *err)
{
    const struct source_ingest_source *source = intake->source;
    struct item item = *given;
    int64_t known_ms = ITEM_NONE;
    bool added;

    if (source->kind->site) /* licences by date are those of Stack Exchange */
        item.license = item_license(given);
    item.id = item_id(source->space, given->id);
    item.parent = item_id(source->space, given->parent);
    item.owner = item_id(source->space, given->owner);
    if (given->accepted != 0) /* it has one, unknown which */
        item.accepted = item_id(source->space, given->accepted);
    if (!store_append(intake->corpus, &item, code_blocks, &added, &known_ms, err))
        return false;
    if (!added && known_ms != ITEM_NONE && item.created_ms != ITEM_NONE &&
        known_ms != item.created_ms)
        return refuse_twin(intake, &item, known_ms, err);
    if (!item_kind_is_studied(item.kind))
        return true;
    if (item.key.len > 0 && !store_add_key(intake->corpus, item.id, item.key, err))
        return false;
    if (item.alias.len > 0 && !store_add_alias(intake->corpus, item.id, item.alias, err))
        return false;
    if (intake->origins &&
        !store_add_origin(intake->corpus, item.id, (int64_t)intake->source_number, err))
        return false;
    for (size_t i = 0; i < source->field_count && item.extra != NULL; i++)
        if (!store_add_field(intake->corpus, item.id, source->fields[i].name,
                             item.extra[i], err))
            return false;
    return true;
}

void source_intake_pack(const struct item *item, int64_t code_blocks, struct buf *out)
{
    buf_add(out, (struct str){(const char *)item, sizeof *item});
    buf_add(out, (struct str){(const char *)&code_blocks, sizeof code_blocks});
    for (size_t i = 0; i < ITEM_TEXTS; i++)
        buf_add(out, item->texts[i]);
}

bool source_intake_unpack(struct str *bytes, struct item *item, int64_t *code_blocks)
{
    if (bytes->len == 0)
        return false;
    memcpy(item, bytes->ptr, sizeof *item);
    memcpy(code_blocks, bytes->ptr + sizeof *item, sizeof *code_blocks);
    *bytes = str_slice(*bytes, sizeof *item + sizeof *code_blocks, bytes->len);
    item->extra = NULL;
    for (size_t i = 0; i < ITEM_TEXTS; i++) {
        item->texts[i] = str_slice(*bytes, 0, item->texts[i].len);
        *bytes = str_slice(*bytes, item->texts[i].len, bytes->len);
    }
    return true;
}

bool source_intake_late(struct source_intake *intake, struct str late,
                        const struct idset *questions, struct err *err)
{
    const struct dump_select_late *answers = (const void *)late.ptr;
    size_t space = intake->source->space, count = late.len / sizeof *answers;

    for (size_t i = 0; i < count; i++)
        if (idset_has(questions, answers[i].question) &&
            !store_add_late(intake->corpus, item_id(space, answers[i].answer),
                            item_id(space, answers[i].question), err))
            return false;
    return true;
}

bool source_intake_census(struct source_intake *intake, struct dump_tally *tally,
                          struct err *err)
{
    dump_tally_sort(tally);
    for (size_t i = 0; i < tally->count; i++) {
        const struct dump_tally_cell *cell = &tally->cells[i];
        struct store_census census = {.source = (int64_t)intake->source_number,
                                      .year = cell->year,
                                      .tag = cell->tag,
                                      .questions = cell->questions,
                                      .accepted = cell->accepted,
                                      .answered = cell->answered,
                                      .closed = cell->closed,
                                      .views = cell->views,
                                      .score = cell->score};
        if (!store_add(intake->corpus, STORE_CENSUS, &census, err))
            return false;
    }
    return true;
}

/* --- findings --- */

bool source_intake_text(struct source_intake *intake, const char *finding,
                        struct str value, struct err *err)
{
    struct buf name = {0};

    buf_add_format(&name, "%s%s", intake->prefix, finding);
    bool ok = store_set_health(intake->corpus, buf_str(&name), value, err);
    buf_free(&name);
    return ok;
}

bool source_intake_number(struct source_intake *intake, const char *finding,
                          int64_t value, struct err *err)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)value);

    return source_intake_text(intake, finding, (struct str){digits, (size_t)len}, err);
}

static bool set_moment(struct source_intake *intake, const char *finding, int64_t ms,
                       struct err *err)
{
    struct buf text = {0};

    if (ms == ITEM_NONE)
        buf_add(&text, STR("none"));
    else
        date_add(&text, ms);
    bool ok = source_intake_text(intake, finding, buf_str(&text), err);
    buf_free(&text);
    return ok;
}

static struct str tag_spelling(const struct dump_select_health *health)
{
    if (health->tags_in_angles > 0 && health->tags_in_bars > 0)
        return STR("both <a><b> and |a|b|");
    return health->tags_in_bars > 0     ? STR("|a|b|")
           : health->tags_in_angles > 0 ? STR("<a><b>")
                                        : STR("none");
}

bool source_intake_broken(struct source_intake *intake, int64_t count, struct str first,
                          struct err *err)
{
    return source_intake_number(intake, "broken rows skipped", count, err) &&
           (count == 0 || source_intake_text(intake, "first broken row", first, err));
}

/* What had to be put up with in the rows of a dump. */
static bool set_doubts(struct source_intake *intake,
                       const struct dump_judge_doubts *doubts, struct err *err)
{
    return source_intake_number(intake, "characters that XML forbids, replaced",
                                doubts->replaced, err) &&
           source_intake_number(intake, "values that are not what their attribute says",
                                doubts->unreadable, err) &&
           (doubts->first[0] == '\0' || /* rows of an engine have no order */
            source_intake_text(intake, "first value that is not what its attribute says",
                               str_from(doubts->first), err));
}

bool source_intake_health(struct source_intake *intake,
                          const struct dump_select_health *health, struct err *err)
{
    const struct {
        const char *finding;
        int64_t value;
        bool dump; /* tables have none */
    } numbers[] = {
        {"questions", health->questions, false},
        {"answers", health->answers, false},
        {"other posts", health->others, false},
        {"planted posts dropped", health->planted, true},
        {"repeated ids", health->duplicates, false},
        {"posts after the end of the study", health->late, false},
        {"posts without a date", health->no_date, false},
        {"answers without question", health->orphans, false},
        {"questions with an accepted answer", health->accepted, false},
        {"accepted answers missing", health->accepted_missing, false},
        {"questions without tags", health->tags_missing, false},
    };
    bool dump = intake->source->kind->census;

    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        if ((dump || !numbers[i].dump) &&
            !source_intake_number(intake, numbers[i].finding, numbers[i].value, err))
            return false;
    return store_note_span(intake->corpus, intake->source_number,
                           (struct store_span){health->first_ms, health->last_ms}, err) &&
           (!dump || set_doubts(intake, &health->doubts, err)) &&
           set_moment(intake, "first post", health->first_ms, err) &&
           set_moment(intake, "last post", health->last_ms, err) &&
           (!dump ||
            source_intake_text(intake, "tags are written", tag_spelling(health), err));
}

bool source_intake_span(struct source_intake *intake, int64_t first_ms, int64_t last_ms,
                        struct err *err)
{
    return store_note_span(intake->corpus, intake->source_number,
                           (struct store_span){first_ms, last_ms}, err) &&
           set_moment(intake, "first item", first_ms, err) &&
           set_moment(intake, "last item", last_ms, err);
}

/* --- files --- */

struct str source_intake_hash_text(const uint64_t hash[2],
                                   char out[SOURCE_INTAKE_HASH_DIGITS + 1])
{
    snprintf(out, SOURCE_INTAKE_HASH_DIGITS + 1, "%016llx%016llx",
             (unsigned long long)hash[0], (unsigned long long)hash[1]);
    return (struct str){out, SOURCE_INTAKE_HASH_DIGITS};
}

bool source_intake_file(struct source_intake *intake, const char *path,
                        enum dump_scan_table table, const uint64_t hash[2],
                        struct err *err)
{
    return source_intake_file_numbered(
        intake, path, (int64_t)(intake->path_number * DUMP_SCAN_TABLES + table), hash,
        err);
}

bool source_intake_file_numbered(struct source_intake *intake, const char *path,
                                 int64_t number, const uint64_t hash[2], struct err *err)
{
    char digits[SOURCE_INTAKE_HASH_DIGITS + 1];
    struct arena arena = {0};
    struct store_file file = {
        (int64_t)intake->source_number, number,
        source_intake_shown(intake->source, intake->path_number, path, &arena),
        source_intake_hash_text(hash, digits)};
    bool ok = store_add(intake->corpus, STORE_FILE, &file, err);

    arena_free(&arena);
    return ok;
}

void source_intake_add_member(struct buf *key, const struct input_member *member)
{
    buf_add_format(key, "  %.*s %s %lld %lld\n", STR_ARG(member->name), member->format,
                   (long long)member->file_size, (long long)member->modified_ms);
}

void source_intake_add_members(const struct input *input, struct buf *key)
{
    for (size_t i = 0; i < input_count(input); i++)
        source_intake_add_member(key, input_member(input, i));
}
