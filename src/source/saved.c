/* Values come one at a time; what is remembered of them is a number for each key. */
#include "source/saved.h"

#include <limits.h>
#include <string.h>

#include "base/date.h"
#include "base/order.h"
#include "base/stop.h"
#include "item/key.h"
#include "source/intake.h"
#include "text/utf8.h"

enum {
    HEAD_BYTES = 1 << 16,  /* of a file: so many tell whether it is json */
    PIECE_BYTES = 1 << 18, /* read at once: a part of the processor's memory */
    SHOWN_MAX = 60,        /* bytes of a value in a finding */
    FILES_SHOWN = 10,
    ITEM_BYTES = 300, /* about what an item takes besides its texts */
};

/* --- values --- */

const struct input_json *source_saved_get(const struct input_json *object,
                                          const char *const *names)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        const struct input_json *value = input_json_fixed(object, names[i]);
        if (value != NULL && !input_json_is(value, INPUT_JSON_NULL))
            return value;
    }
    return NULL;
}

static struct str shown(struct source_saved *saved, const struct input_json *value)
{
    struct str all = input_document_raw(&saved->document, value),
               cut = text_utf8_cut(all, SHOWN_MAX);

    char *copy = arena_c_string(&saved->arena, cut);
    for (size_t i = 0; i < cut.len; i++)
        if ((unsigned char)copy[i] < 0x20)
            copy[i] = ' ';
    return arena_format(&saved->arena, "%s%s", copy, cut.len < all.len ? "..." : "");
}

void source_saved_doubt(struct source_saved *saved, const char *name,
                        const struct input_json *value)
{
    if (saved->silent || saved->doubts.unreadable++ > 0)
        return;
    struct err at = {0};
    (void)input_document_fail(&saved->document, value->at, &at);
    saved->doubts.first_unreadable = arena_format(&saved->arena, "%s%s is %.*s", at.text,
                                                  name, STR_ARG(shown(saved, value)));
}

void source_saved_strange(struct source_saved *saved, const struct input_json *object)
{
    if (saved->silent || saved->doubts.strange++ > 0)
        return;
    struct err at = {0};
    (void)input_document_fail(&saved->document, object->at, &at);
    saved->doubts.first_strange =
        arena_format(&saved->arena, "%s%.*s", at.text, STR_ARG(shown(saved, object)));
}

struct str source_saved_text(struct source_saved *saved, const struct input_json *value,
                             const char *name)
{
    if (input_json_is(value, INPUT_JSON_STRING))
        return input_json_text(value);
    if (value != NULL)
        source_saved_doubt(saved, name, value);
    return (struct str){0};
}

struct str source_saved_body(struct source_saved *saved, const struct input_json *value,
                             const char *name)
{
    return saved->no_bodies && input_json_is(value, INPUT_JSON_STRING)
               ? (struct str){0}
               : source_saved_text(saved, value, name);
}

int64_t source_saved_number(struct source_saved *saved, const struct input_json *value,
                            const char *name)
{
    if (input_json_is(value, INPUT_JSON_INTEGER) &&
        input_json_integer(value) != ITEM_NONE)
        return input_json_integer(value);
    if (value != NULL)
        source_saved_doubt(saved, name, value);
    return ITEM_NONE;
}

int64_t source_saved_moment(struct source_saved *saved, const struct input_json *value,
                            const char *name)
{
    int64_t ms = ITEM_NONE;

    if (value != NULL && !(input_json_is(value, INPUT_JSON_STRING) &&
                           date_parse(input_json_text(value), &ms)))
        source_saved_doubt(saved, name, value);
    return ms;
}

struct str source_saved_yes_no(const struct input_json *value)
{
    return input_json_is(value, INPUT_JSON_TRUE)    ? STR("yes")
           : input_json_is(value, INPUT_JSON_FALSE) ? STR("no")
                                                    : (struct str){0};
}

struct str source_saved_digits(struct source_saved *saved, int64_t number)
{
    return number == ITEM_NONE ? (struct str){0}
                               : arena_format(&saved->row, "%lld", (long long)number);
}

struct str source_saved_dated(struct source_saved *saved, int64_t ms)
{
    struct buf text = {0};

    if (ms == ITEM_NONE)
        return (struct str){0};
    date_add(&text, ms);
    return buf_keep(&text, &saved->row);
}

static void add_tag(struct buf *out, struct str tag)
{
    static const bool parts[256] = {
        ['['] = true, [']'] = true, ['<'] = true, ['>'] = true, ['|'] = true,
        [','] = true, [';'] = true, ['"'] = true, ['('] = true, [')'] = true};
    size_t begin = out->len;

    buf_reserve(out, tag.len + 2);
    buf_add_char(out, '<');
    for (size_t i = 0; i < tag.len; i++) {
        unsigned char c = (unsigned char)tag.ptr[i];
        bool plain = c > ' ' && !parts[c];
        if (plain || (out->ptr[out->len - 1] != '-' && out->len > begin + 1))
            buf_add_char(out, plain ? tag.ptr[i] : '-');
    }
    while (out->len > begin + 1 && out->ptr[out->len - 1] == '-')
        out->len--;
    if (out->len == begin + 1)
        out->len = begin;
    else
        buf_add_char(out, '>');
}

struct str source_saved_tags(struct source_saved *saved, const struct input_json *array,
                             const char *name)
{
    buf_clear(&saved->tags);
    if (array != NULL && !input_json_is(array, INPUT_JSON_ARRAY))
        source_saved_doubt(saved, name, array);
    INPUT_JSON_EACH(tag, array)
    {
        const struct input_json *node = input_json_fixed(tag, "node"); /* of GraphQL */
        const struct input_json *at = input_json_is(node, INPUT_JSON_OBJECT) ? node : tag;
        const struct input_json *text =
            input_json_is(at, INPUT_JSON_OBJECT) ? input_json_fixed(at, "name") : at;
        if (input_json_is(text, INPUT_JSON_STRING))
            add_tag(&saved->tags, input_json_text(text));
        else
            source_saved_doubt(saved, name, tag);
    }
    return arena_copy(&saved->row, buf_str(&saved->tags));
}

/* --- who is who --- */

int64_t source_saved_number_of(struct source_saved *saved, struct str key)
{
    size_t known = saved->numbers.count;
    int64_t *number = map_put(&saved->numbers, key);

    if (saved->numbers.count > known)
        *number = ITEM_NUMBER_MAX + ++saved->numbered;
    return *number;
}

struct str source_saved_key(struct source_saved *saved, struct str repo, int64_t number)
{
    enum { DIGITS = 21 };
    struct buf key = {.capacity = repo.len + 1 + DIGITS};

    key.ptr = arena_array(&saved->row, char, key.capacity);
    buf_add(&key, repo);
    buf_add_char(&key, '#');
    buf_add_int(&key, number);
    return buf_str(&key);
}

void source_saved_same(struct source_saved *saved, struct str key, struct str other)
{
    const int64_t *known = map_get(&saved->numbers, key);
    const int64_t *named = map_get(&saved->numbers, other);

    if (known != NULL && named != NULL)
        return;
    /* Found before anything is put, for that may move what the map holds. */
    int64_t number = known != NULL   ? *known
                     : named != NULL ? *named
                                     : source_saved_number_of(saved, key);
    *map_put(&saved->numbers, known != NULL   ? other
                              : named != NULL ? key
                                              : other) = number;
}

int64_t source_saved_person(struct source_saved *saved, struct str name, int64_t id)
{
    bool usable = id > -ITEM_NUMBER_MAX && id < ITEM_NUMBER_MAX;

    if (name.len == 0)
        return usable ? id : ITEM_NONE;
    size_t before = saved->people.count;
    int64_t *known = map_put(&saved->people, name);
    bool first = saved->people.count > before;
    if (usable && (first || *known <= ITEM_NUMBER_MAX))
        *known = id;
    else if (first)
        *known = ITEM_NUMBER_MAX + ++saved->strangers;
    return *known;
}

/* --- items --- */

/* Where the author of an item is kept. */
static int64_t *author_of(struct source_saved *saved, int64_t id)
{
    if (id <= ITEM_NUMBER_MAX)
        return map_put(&saved->others, (struct str){(const char *)&id, sizeof id});
    size_t at = (size_t)(id - ITEM_NUMBER_MAX - 1);
    while (saved->authors.count <= at)
        list_add(&saved->authors, ITEM_NONE);
    return &saved->authors.at[at];
}

static int compare_versions(const struct source_saved_version *a,
                            const struct source_saved_version *b)
{
    return order_then(order_then(ORDER_BY(a->rank, b->rank), ORDER_BY(a->ms, b->ms)),
                      ORDER_BY(a->met, b->met));
}

bool source_saved_newest(struct source_saved *saved, int64_t item,
                         struct source_saved_version version)
{
    const struct source_saved_version none = {.rank = INT_MIN};
    size_t at = (size_t)(item - ITEM_NUMBER_MAX - 1);

    version.met = saved->versions++;
    if (saved->reading > 0)
        return at < saved->newest.count && saved->newest.at[at].met == version.met &&
               saved->newest.at[at].rank != INT_MIN;
    while (saved->newest.count <= at)
        list_add(&saved->newest, none);
    if (compare_versions(&version, &saved->newest.at[at]) > 0)
        saved->newest.at[at] = version;
    saved->later++;
    return false;
}

bool source_saved_give(struct source_saved *saved, struct item *item, struct err *err)
{
    if (!idset_add(&saved->read, item->id)) {
        saved->repeated += saved->reading == 0;
        return true;
    }
    saved->came++;
    *author_of(saved, item->id) = item->owner;
    return saved->take(saved->context, item, err);
}

bool source_saved_give_below(struct source_saved *saved, struct item *item, bool bot,
                             bool accepted, struct err *err)
{
    if (!idset_has(&saved->read, item->parent)) {
        saved->orphans++;
        return true;
    }
    if (!idset_add(&saved->given, item->id))
        return true;
    bool own = item->owner != ITEM_NONE && item->owner == *author_of(saved, item->parent);
    item->kind = accepted || !(bot || own) ? ITEM_ANSWER : ITEM_COMMENT;
    return saved->take(saved->context, item, err);
}

/* --- bytes --- */

void source_saved_open(struct source_saved *saved, const struct source_kind *kind,
                       source_saved_take *take, void *context)
{
    *saved = (struct source_saved){.kind = kind, .take = take, .context = context};
    saved->numbers.arena = saved->people.arena = saved->others.arena = &saved->arena;
    arena_array(&saved->row, char, 1); /* a chunk that rewinding does not give back */
}

void source_saved_close(struct source_saved *saved)
{
    arena_free(&saved->arena);
    arena_free(&saved->row);
    idset_free(&saved->read);
    idset_free(&saved->given);
    list_free(&saved->authors);
    list_free(&saved->newest);
    buf_free(&saved->tags);
    input_document_free(&saved->document);
}

void source_saved_begin(struct source_saved *saved, const char *place)
{
    input_document_restart(&saved->document, place);
}

/* The values that have come whole. */
static bool read_values(struct source_saved *saved, struct err *err)
{
    enum input_document_part part;
    struct str bytes;

    while (input_document_next(&saved->document, &bytes, &part, err)) {
        if (part == INPUT_DOCUMENT_REST)
            continue;
        const struct input_json *value = input_document_decode(&saved->document, err);
        struct arena_mark mark = arena_mark(&saved->row);
        saved->silent = saved->reading > 0;
        bool ok = value != NULL ? stop_check(err) && saved->kind->read(saved, value, err)
                                : dump_field_skip(saved->broken, err);
        arena_rewind(&saved->row, mark);
        if (!ok)
            return false;
    }
    if (saved->document.failed && saved->broken != NULL)
        return dump_field_cannot_skip(err, "object");
    return !saved->document.failed;
}

bool source_saved_push(struct source_saved *saved, struct str piece, bool last,
                       struct err *err)
{
    input_document_push(&saved->document, piece, last);
    return read_values(saved, err);
}

bool source_saved_readings(struct source_saved *saved,
                           bool (*read)(void *context, struct err *err), void *context,
                           struct err *err)
{
    struct dump_field_broken again = {0}; /* those that are counted already */
    bool more = true;

    for (saved->reading = 0; more; saved->reading++) {
        saved->later = saved->came = saved->orphans = saved->versions = 0;
        if (saved->reading > 0 && saved->broken != NULL)
            saved->broken = &again;
        if (!read(context, err))
            return false;
        more = saved->later > 0 ||
               (saved->orphans > 0 && (saved->reading == 0 || saved->came > 0));
    }
    return true;
}

/* A plain file, on this thread: its bytes go where they are read. */
static bool read_here(struct source_saved *saved, struct input_stream *stream,
                      struct err *err)
{
    bool ok = true;

    for (size_t got = 1; ok && got > 0;) {
        char *room = input_document_room(&saved->document, PIECE_BYTES);
        ok = input_stream_read(stream, room, PIECE_BYTES, &got, err);
        input_document_filled(&saved->document, ok ? got : 0, got == 0);
        ok = ok && read_values(saved, err);
    }
    return ok;
}

/* One that takes work to unpack, or where another thread may well wait for the disk. */
static bool read_ahead(struct source_saved *saved, struct input_stream *stream,
                       int threads, struct err *err)
{
    struct input_ahead *ahead = NULL;
    struct str bytes = {NULL, 1};
    bool ok = input_ahead_open(stream, threads, &ahead, err);

    while (ok && bytes.len > 0)
        ok = input_ahead_read(ahead, &bytes, err) &&
             source_saved_push(saved, bytes, bytes.len == 0, err);
    input_ahead_close(ahead);
    return ok;
}

bool source_saved_read_member(struct source_saved *saved, struct input *input,
                              size_t member, const char *place, int threads,
                              uint64_t hash[2], struct err *err)
{
    struct input_stream_options how = {.hash = hash != NULL};
    struct input_stream *stream = NULL;

    source_saved_begin(saved, place);
    bool ok = input_stream_open(input, member, &how, &stream, err) &&
              (threads <= 1 && input_stream_plain(stream)
                   ? read_here(saved, stream, err)
                   : read_ahead(saved, stream, threads, err)) &&
              input_stream_finish(stream, err) &&
              (hash == NULL || input_stream_hash(stream, hash, err));
    input_stream_close(stream);
    return ok;
}

/* The kind that knows the first value of a member; NULL: none does, or it is no json. */
static const struct source_kind *kind_of_member(struct input *input, size_t member)
{
    struct input_document document = {.path = input_member(input, member)->place};
    struct input_stream_options how = {0};
    struct input_stream *stream = NULL;
    enum input_document_part part;
    struct err ignored = {0};
    struct buf bytes = {0};
    struct str value;
    const struct input_json *first = NULL;
    const struct source_kind *known = NULL;
    size_t got = 1, size = HEAD_BYTES;
    bool ok = input_stream_open(input, member, &how, &stream, &ignored);

    /* Each piece is twice the one before: a value that is cut is read from its begin. */
    for (; ok && got > 0 && !document.failed; size *= 2) {
        buf_clear(&bytes);
        ok = input_stream_read(stream, buf_reserve(&bytes, size), size, &got, &ignored);
        bytes.len = ok ? got : 0;
        input_document_push(&document, buf_str(&bytes), got == 0);
        if (input_document_next(&document, &value, &part, &ignored)) {
            first = input_document_decode(&document, &ignored);
            break;
        }
    }
    for (size_t k = 0; first != NULL && known == NULL && source_kinds[k] != NULL; k++)
        if (source_kinds[k]->knows != NULL && source_kinds[k]->knows(first))
            known = source_kinds[k];
    input_stream_close(stream);
    input_document_free(&document);
    buf_free(&bytes);
    return known;
}

bool source_saved_holds(const struct input_json *value,
                        const struct source_saved_wrapping *wrappings, int depth,
                        bool (*is)(const struct input_json *object))
{
    if (input_json_is(value, INPUT_JSON_ARRAY)) {
        INPUT_JSON_EACH(item, depth > 0 ? value : NULL)
        if (source_saved_holds(item, wrappings, depth - 1, is))
            return true;
        return false;
    }
    if (!input_json_is(value, INPUT_JSON_OBJECT))
        return false;
    if (is(value))
        return true;
    for (size_t i = 0; wrappings[i].name != NULL && depth > 0; i++)
        if (source_saved_holds(input_json_fixed(value, wrappings[i].name), wrappings,
                               depth - 1, is))
            return true;
    return false;
}

bool source_saved_walk(struct source_saved *saved, const struct input_json *value,
                       const struct source_saved_walk *walk,
                       struct source_saved_place place, struct err *err)
{
    const struct source_saved_wrapping *wrapping = walk->wrappings;
    bool known = false;

    if (input_json_is(value, INPUT_JSON_ARRAY)) {
        INPUT_JSON_EACH(item, value)
        if (!source_saved_walk(saved, item, walk, place, err))
            return false;
        return true;
    }
    if (!walk->read(saved, value, &place, &known, err))
        return false;
    if (known)
        return true;
    if (walk->enter != NULL)
        walk->enter(value, &place);
    for (; wrapping->name != NULL && place.depth < walk->depth_max; wrapping++) {
        const struct input_json *inner = input_json_fixed(value, wrapping->name);
        struct source_saved_place below = {
            place.repo, wrapping->kind != 0 ? wrapping->kind : place.kind,
            place.depth + 1};
        if (!input_json_is(inner, INPUT_JSON_OBJECT) &&
            !input_json_is(inner, INPUT_JSON_ARRAY))
            continue;
        known = true;
        if (!source_saved_walk(saved, inner, walk, below, err))
            return false;
    }
    if (!known)
        source_saved_strange(saved, value);
    return true;
}

const struct source_kind *source_saved_recognise(struct input *input)
{
    size_t posts;

    if (input_count(input) > 1 && dump_scan_has(input, DUMP_SCAN_POSTS, &posts))
        return NULL; /* and to look into every member of an archive takes long */
    for (size_t i = 0; i < input_count(input); i++) {
        const struct source_kind *kind = kind_of_member(input, i);
        if (kind != NULL)
            return kind;
    }
    return NULL;
}

/* --- the ingest --- */

struct saved_file {
    size_t path_number;
    const char *path;
    uint64_t hash[2];
};

/* Items come in the same order whenever the same files are read: an ingest that goes on
 * reads them from the beginning, to know them, and stores those behind the place that was
 * written down last. */
struct saved_intake {
    struct source_intake *intake;
    struct source_saved saved;
    struct idset stored; /* items */
    struct progress progress;
    int64_t kinds[ITEM_KINDS];
    int64_t seen, late, no_date, first_ms, last_ms;
    int64_t stored_before; /* of those that are seen: by an ingest that was interrupted */
    int64_t waiting_bytes; /* that the open transaction stored */
    struct dump_field_broken broken;
    struct buf places, hashes;
    LIST(struct saved_file) files;
};

/* Ends the transaction with the place that has been reached, and begins the next. */
static bool rest(struct saved_intake *taking, const struct item *item, struct err *err)
{
    struct source_intake *intake = taking->intake;

    taking->waiting_bytes += (int64_t)item->body.len + ITEM_BYTES;
    if (taking->waiting_bytes < intake->options->rest_bytes)
        return true;
    taking->waiting_bytes = 0;
    intake->state.start = taking->seen;
    return source_intake_save_place(intake, err) && store_commit(intake->corpus, err) &&
           store_begin(intake->corpus, err);
}

static bool take_item(void *context, const struct item *item, struct err *err)
{
    struct saved_intake *taking = context;
    struct source_intake *intake = taking->intake;

    progress_add(&taking->progress, 0, 1);
    taking->seen++;
    if (item->created_ms != ITEM_NONE && item->created_ms >= intake->source->until_ms) {
        taking->late++;
        /* It was awaited when the study ended. */
        return item->kind != ITEM_ANSWER || !idset_has(&taking->stored, item->parent) ||
               taking->seen <= taking->stored_before ||
               store_add_late(intake->corpus, item_id(intake->source->space, item->id),
                              item_id(intake->source->space, item->parent), err);
    }
    if (item_kind_is_studied(item->kind))
        idset_add(&taking->stored, item->id);
    else if (!idset_has(&taking->stored, item->parent))
        return true;
    taking->kinds[item->kind]++;
    taking->no_date += item->created_ms == ITEM_NONE;
    if (item->created_ms != ITEM_NONE) {
        if (taking->first_ms == ITEM_NONE || item->created_ms < taking->first_ms)
            taking->first_ms = item->created_ms;
        if (taking->last_ms == ITEM_NONE || item->created_ms > taking->last_ms)
            taking->last_ms = item->created_ms;
    }
    return taking->seen <= taking->stored_before ||
           (source_intake_store(intake, item,
                                source_intake_code_blocks(&intake->judge, item), err) &&
            rest(taking, item, err));
}

/* A file counts once, however many members of it are read. */
static bool read_member(struct saved_intake *taking, struct input *input, size_t number,
                        struct err *err)
{
    struct source_intake *intake = taking->intake;
    const struct input_member *member = input_member(input, number);
    bool noted =
        taking->saved.reading > 0 ||
        (number > 0 && strcmp(member->path, input_member(input, number - 1)->path) == 0);
    char digits[SOURCE_INTAKE_HASH_DIGITS + 1];
    uint64_t hash[2];
    struct str place = source_intake_shown(intake->source, intake->path_number,
                                           member->place, &taking->saved.arena);

    if (!source_saved_read_member(&taking->saved, input, number,
                                  arena_c_string(&taking->saved.arena, place),
                                  intake->options->threads, noted ? NULL : hash, err))
        return false;
    if (noted)
        return true;
    const char *comma = taking->files.count > 0 ? ", " : "";
    buf_add_format(&taking->places, "%s%.*s", comma, STR_ARG(place));
    buf_add_format(&taking->hashes, "%s%s", comma,
                   source_intake_hash_text(hash, digits).ptr);
    struct saved_file file = {
        intake->path_number,
        arena_c_string(&taking->saved.arena, str_from(member->path)),
        {hash[0], hash[1]}};
    list_add(&taking->files, file);
    return true;
}

static bool read_paths(void *context, struct err *err)
{
    struct saved_intake *taking = context;
    struct source_intake *intake = taking->intake;
    const struct source_ingest_source *source = intake->source;
    bool ok = true;

    for (size_t i = 0; i < source->path_count && ok; i++) {
        struct input *input = NULL;
        intake->path_number = i;
        ok = input_open(source->paths[i], &input, err);
        for (size_t m = 0; ok && m < input_count(input); m++)
            ok = read_member(taking, input, m, err);
        input_close(input);
    }
    intake->path_number = 0;
    return ok;
}

/* Those of many files stand in the corpus. */
static bool keep_files(struct saved_intake *taking, struct err *err)
{
    struct source_intake *intake = taking->intake;
    bool ok = true;

    for (size_t i = 0; i < taking->files.count && ok; i++) {
        const struct saved_file *file = &taking->files.at[i];
        intake->path_number = file->path_number;
        ok = source_intake_file_numbered(intake, file->path, (int64_t)i, file->hash, err);
    }
    intake->path_number = 0;
    if (!ok)
        return false;
    if (taking->files.count > FILES_SHOWN)
        return source_intake_number(intake, "files", (int64_t)taking->files.count, err);
    return source_intake_text(intake, "file", buf_str(&taking->places), err) &&
           source_intake_text(intake, "file's hash (XXH3, 128 bits)",
                              buf_str(&taking->hashes), err);
}

static bool keep_counts(struct saved_intake *taking, struct err *err)
{
    struct source_intake *intake = taking->intake;
    struct arena arena = {0};
    bool ok = true;

    for (int kind = 0; kind < ITEM_KINDS && ok; kind++)
        if (taking->kinds[kind] > 0)
            ok = source_intake_number(
                intake,
                arena_c_string(
                    &arena, arena_format(&arena, "%.*ss",
                                         STR_ARG(item_kind_name((enum item_kind)kind)))),
                taking->kinds[kind], err);
    arena_free(&arena);
    return ok;
}

static bool keep_findings(struct saved_intake *taking, struct err *err)
{
    struct source_intake *intake = taking->intake;
    const struct source_saved *saved = &taking->saved;
    const struct source_saved_doubts *doubts = &saved->doubts;

    return keep_counts(taking, err) &&
           source_intake_broken(intake, taking->broken.count,
                                str_from(taking->broken.first.text), err) &&
           source_intake_number(intake, "repeated items", saved->repeated, err) &&
           source_intake_number(intake, "items after the end of the study", taking->late,
                                err) &&
           source_intake_number(intake, "items without a date", taking->no_date, err) &&
           source_intake_number(intake, "comments without their item", saved->orphans,
                                err) &&
           source_intake_number(intake, "objects of another kind", doubts->strange,
                                err) &&
           (doubts->strange == 0 ||
            source_intake_text(intake, "first object of another kind",
                               doubts->first_strange, err)) &&
           source_intake_number(intake, "values that are not what their member says",
                                doubts->unreadable, err) &&
           (doubts->unreadable == 0 ||
            source_intake_text(intake, "first value that is not what its member says",
                               doubts->first_unreadable, err)) &&
           source_intake_span(intake, taking->first_ms, taking->last_ms, err);
}

bool source_saved_intake(struct source_intake *intake, struct err *err)
{
    const struct source_ingest_options *options = intake->options;
    struct saved_intake taking = {
        .intake = intake,
        .first_ms = ITEM_NONE,
        .last_ms = ITEM_NONE,
        .stored_before = intake->state.start,
        .progress =
            progress_begin("reading items", 0, options->descriptor, options->quiet)};

    source_saved_open(&taking.saved, intake->source->kind, take_item, &taking);
    taking.saved.broken = options->skip_broken ? &taking.broken : NULL;
    bool ok = store_begin(intake->corpus, err) &&
              source_saved_readings(&taking.saved, read_paths, &taking, err);
    progress_end(&taking.progress);
    ok = ok &&
         (taking.seen > 0 ||
          err_set(err, ERR_INPUT, "%s: holds nothing that is known: expected %s",
                  intake->source->paths[0], intake->source->kind->expected)) &&
         keep_findings(&taking, err) && keep_files(&taking, err) &&
         source_intake_step_done(intake, err);
    source_saved_close(&taking.saved);
    idset_free(&taking.stored);
    buf_free(&taking.places);
    buf_free(&taking.hashes);
    list_free(&taking.files);
    return ok;
}
