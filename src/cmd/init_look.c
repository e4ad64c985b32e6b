/* What a source holds, as far as a first study of it wants to know: what kind of source
 * it is, its site, its items, its dates and the tags that are used most. */
#define _GNU_SOURCE /* memmem() */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/idset.h"
#include "base/order.h"
#include "base/parallel.h"
#include "cmd/init.h"
#include "cmd/scan_show.h"
#include "dump/select.h"
#include "dump/table.h"
#include "engine/engine.h"
#include "source/commits.h"
#include "source/saved.h"
#include "study/study.h"
#include "text/markup.h"

enum { LINKS_MAX = 100000, LINKS_FEW = 3 };

struct init_looking {
    const char *path;
    struct arena *arena;
    struct cmd_init_look *look;
    struct map tags;
    struct buf links; /* to sites of Stack Exchange, as "HOST ID\n" */
    int64_t link_count;
    struct buf lacking; /* columns */
};

/* --- the site: a dump does not say it, but its posts link to each other --- */

static size_t host_len(struct str text)
{
    size_t len = 0;

    while (len < text.len && ((text.ptr[len] >= 'a' && text.ptr[len] <= 'z') ||
                              (text.ptr[len] >= '0' && text.ptr[len] <= '9') ||
                              text.ptr[len] == '.' || text.ptr[len] == '-'))
        len++;
    return len;
}

/* Behind the :// of a link: ai.stackexchange.com/questions/12/title. */
static void add_link(struct str text, struct buf *out)
{
    static const struct str ways[] = {STR_INIT("/questions/"), STR_INIT("/q/"),
                                      STR_INIT("/a/")};
    struct str host = str_slice(text, 0, host_len(text));
    struct str rest = str_slice(text, host.len, text.len);
    size_t digits = 0;

    for (size_t i = 0; i < ROWS_OF(ways); i++)
        if (str_starts(rest, ways[i])) {
            rest = str_slice(rest, ways[i].len, rest.len);
            while (digits < rest.len && rest.ptr[digits] >= '0' &&
                   rest.ptr[digits] <= '9')
                digits++;
            break;
        }
    if (digits > 0 && host.len > 0 && str_eq(study_site_in_path(host), host))
        buf_add_format(out, "%.*s %.*s\n", STR_ARG(host),
                       STR_ARG(str_slice(rest, 0, digits)));
}

static void add_links(struct str text, struct buf *out)
{
    const char *at = text.ptr, *end = text.ptr + text.len;

    while (at < end && (at = memmem(at, (size_t)(end - at), "://", 3)) != NULL) {
        at += 3;
        add_link((struct str){at, (size_t)(end - at)}, out);
    }
}

/* The site that is linked to most, if the links lead to posts that are here: those of a
 * meta site mostly lead to its brother, and those of a part of a dump anywhere. */
static struct str find_site(const struct init_looking *looking, const struct idset *ids)
{
    struct map all = {.arena = looking->arena}, here = {.arena = looking->arena};
    struct str links = buf_str(&looking->links), line, host, best = {0};
    int64_t id, most = LINKS_FEW - 1;

    while (links.len > 0) {
        str_cut(&links, '\n', &line);
        str_cut(&line, ' ', &host);
        ++*map_put(&all, host);
        *map_put(&here, host) += str_to_int(line, &id) && idset_has(ids, id);
    }
    const struct map_entry *hosts = map_sorted(&here, looking->arena);
    for (size_t i = 0; i < here.count; i++)
        if (hosts[i].value > most &&
            hosts[i].value * 5 >= *map_get(&all, hosts[i].key) * 4) {
            most = hosts[i].value;
            best = hosts[i].key;
        }
    return best;
}

/* --- its items, one by one --- */

static void note_date(struct cmd_init_look *look, int64_t ms)
{
    if (ms == ITEM_NONE)
        return;
    look->first_ms =
        look->first_ms == ITEM_NONE || ms < look->first_ms ? ms : look->first_ms;
    look->last_ms = look->last_ms == ITEM_NONE || ms > look->last_ms ? ms : look->last_ms;
}

static bool note_item(void *context, const struct item *item, struct err *err)
{
    struct init_looking *looking = context;
    struct str tags = item->tags, tag;

    (void)err;
    note_date(looking->look, item->created_ms);
    if (!item_kind_is_studied(item->kind))
        return true;
    looking->look->items++;
    while (text_taglist_next(&tags, &tag))
        ++*map_put(&looking->tags, tag);
    return true;
}

/* --- each kind in its way --- */

static bool open_query(struct arena *arena, struct query_node **query,
                       struct query_compiled **compiled, struct err *err)
{
    return query_parse(STR("*"), arena, query, err) &&
           query_compile(*query, (struct query_options){0}, compiled, err);
}

static void make_links(void *context, struct dump_judge *judge,
                       const struct dump_rows_row *row, struct buf *out)
{
    (void)context;
    (void)judge;
    add_links(dump_rows_raw(row, DUMP_ROWS_BODY), out);
}

static enum dump_scan_next take_links(void *context, struct str bytes, struct err *err)
{
    struct init_looking *looking = context;

    (void)err;
    if (looking->link_count < LINKS_MAX)
        buf_add(&looking->links, bytes);
    for (size_t i = 0; i < bytes.len; i++)
        looking->link_count += bytes.ptr[i] == '\n';
    return DUMP_SCAN_GO_ON;
}

static bool look_at_dump(struct init_looking *looking, struct input *input,
                         struct progress *progress, struct err *err)
{
    struct dump_select_job job = {.census = true,
                                  .until_ms = INT64_MAX,
                                  .threads = parallel_cores(),
                                  .skip_broken = true,
                                  .progress = progress,
                                  .context = looking,
                                  .make = make_links,
                                  .take = take_links};
    struct dump_select_state state = {0};
    struct query_compiled *compiled = NULL;
    struct query_node *query = NULL;
    size_t member;
    bool ok = dump_scan_find(input, DUMP_SCAN_POSTS, &member, err) &&
              open_query(looking->arena, &query, &compiled, err);

    job.node = query;
    job.query = compiled;
    ok = ok && dump_select_posts(input, member, &job, &state, err);
    looking->look->items = state.health.questions;
    looking->look->first_ms = state.health.first_ms;
    looking->look->last_ms = state.health.last_ms;
    if (state.scan.broken > 0)
        looking->look->broken = arena_format(
            looking->arena,
            "%lld broken row%s, the first at byte %lld: found %s; expected %s",
            (long long)state.scan.broken, str_plural(state.scan.broken),
            (long long)state.scan.first_broken.offset, state.scan.first_broken.found,
            state.scan.first_broken.expected);
    for (size_t i = 0; i < state.tally.count; i++)
        if (state.tally.cells[i].tag.len > 0)
            *map_put(&looking->tags, state.tally.cells[i].tag) +=
                state.tally.cells[i].questions;
    looking->look->site = find_site(looking, &state.ids);
    dump_select_state_free(&state);
    query_free(compiled);
    return ok;
}

struct init_saved {
    struct source_saved saved;
    struct input *input;
    struct progress *progress;
};

static bool read_saved(void *context, struct err *err)
{
    struct init_saved *reading = context;

    for (size_t i = 0; i < input_count(reading->input); i++) {
        if (!source_saved_read_member(&reading->saved, reading->input, i,
                                      input_member(reading->input, i)->place,
                                      parallel_cores(), NULL, err))
            return false;
        progress_add(reading->progress, 1, 0);
    }
    return true;
}

static bool look_at_saved(struct init_looking *looking, struct input *input,
                          struct progress *progress, struct err *err)
{
    struct init_saved reading = {.input = input, .progress = progress};

    source_saved_open(&reading.saved, looking->look->kind, note_item, looking);
    progress->pieces = true;
    bool ok = source_saved_readings(&reading.saved, read_saved, &reading, err);
    source_saved_close(&reading.saved);
    return ok;
}

static bool look_at_commits(struct init_looking *looking, struct progress *progress,
                            struct err *err)
{
    struct query_compiled *compiled = NULL;
    struct git_history *history = NULL;
    struct source_commits_counts counts = {0};
    struct query_node *query = NULL;
    bool ok = open_query(looking->arena, &query, &compiled, err) &&
              git_history_open(&looking->path, 1, &history, err);
    struct source_commits_job job = {.history = history,
                                     .node = query,
                                     .query = compiled,
                                     .first_id = 1,
                                     .until_ms = INT64_MAX,
                                     .threads = parallel_cores(),
                                     .progress = progress,
                                     .context = looking,
                                     .take = note_item};

    ok = ok && source_commits_run(&job, &counts, err);
    git_history_close(history);
    query_free(compiled);
    return ok;
}

struct init_table {
    struct init_looking *looking;
    struct idset ids;
};

static bool note_post(void *context, const struct item *item, struct err *err)
{
    struct init_table *table = context;

    idset_add(&table->ids, item->id);
    if (table->looking->link_count < LINKS_MAX)
        add_links(item->body, &table->looking->links);
    return note_item(table->looking, item, err);
}

static bool look_at_table(struct init_looking *looking, struct err *err)
{
    struct dump_table_options how = {0};
    struct init_table table = {.looking = looking};
    bool ok = dump_table_read_path(looking->path, &how, note_post, &table, err);

    looking->look->site = find_site(looking, &table.ids);
    idset_free(&table.ids);
    return ok;
}

/* Whether the only member of the input is no XML. */
static bool is_table(struct input *input)
{
    struct input_stream_options how = {0};
    struct input_stream *stream;
    struct err ignored = {0};
    char bytes[256];
    size_t got = 0;

    if (input_count(input) != 1 || !input_stream_open(input, 0, &how, &stream, &ignored))
        return false;
    bool ok = input_stream_read(stream, bytes, sizeof bytes, &got, &ignored);
    input_stream_close(stream);
    return ok && got > 0 && dump_table_kind((struct str){bytes, got}) != DUMP_TABLE_XML;
}

/* The server counts; its posts stay where they are. */
static bool note_census(void *context, const struct engine_census *census,
                        struct err *err)
{
    struct init_looking *looking = context;

    (void)err;
    if (census->tag.len > 0)
        *map_put(&looking->tags, census->tag) += census->questions;
    else
        looking->look->items += census->questions;
    return true;
}

static bool ask_server(struct init_looking *looking, struct engine *engine,
                       struct err *err)
{
    struct engine_posts posts;
    struct engine_counts counts;

    if (!engine_posts_open(engine, INT64_MAX, looking->arena, &posts, err) ||
        !engine_posts_counts(&posts, &counts, err) ||
        !engine_posts_check(&posts, &counts, err) ||
        !engine_posts_census(&posts, note_census, looking, err))
        return false;
    looking->look->first_ms = counts.first_ms;
    looking->look->last_ms = counts.last_ms;
    engine_posts_lacks(&posts, ~0u, &looking->lacking);
    looking->look->lacking = arena_copy(looking->arena, buf_str(&looking->lacking));
    return true;
}

static bool look_at_server(struct init_looking *looking, struct err *err)
{
    struct engine *engine = NULL;
    bool ok =
        engine_open(looking->path, &engine, err) && ask_server(looking, engine, err);

    engine_close(engine);
    return ok || err->kind != ERR_INPUT ? ok : err_at(err, "%s: ", looking->path);
}

/* --- tags --- */

static int compare_tags(const void *a, const void *b)
{
    const struct map_entry *one = a, *two = b;

    return order_then(ORDER_BY(two->value, one->value), str_compare(one->key, two->key));
}

/* Those that queries can ask for. */
static void sort_tags(struct init_looking *looking)
{
    struct cmd_init_look *look = looking->look;
    struct map_entry *tags =
        arena_array(looking->arena, struct map_entry, looking->tags.count + 1);
    struct query_node *ignored;
    struct err none = {0};

    if (looking->tags.count > 0) {
        memcpy(tags, map_sorted(&looking->tags, looking->arena),
               looking->tags.count * sizeof *tags);
        qsort(tags, looking->tags.count, sizeof *tags, compare_tags);
    }
    look->tags = tags;
    for (size_t i = 0; i < looking->tags.count; i++)
        if (query_parse(arena_format(looking->arena, "[%.*s]", STR_ARG(tags[i].key)),
                        looking->arena, &ignored, &none))
            tags[look->tag_count++] = tags[i];
}

bool cmd_init_look(const char *path, struct arena *arena, struct cmd_init_look *out,
                   struct err *err)
{
    struct progress progress = progress_begin("looking at it", 0, STDERR_FILENO, false);
    struct init_looking looking = {
        .path = path, .arena = arena, .look = out, .tags = {.arena = arena}};
    struct input *input = NULL;
    bool ok;

    *out = (struct cmd_init_look){.first_ms = ITEM_NONE, .last_ms = ITEM_NONE};
    if (engine_is_address(path)) {
        out->kind = &source_clickhouse;
        ok = look_at_server(&looking, err);
    } else if (cmd_scan_is_git(path, false)) {
        out->kind = &source_git;
        ok = look_at_commits(&looking, &progress, err);
    } else if ((ok = input_open(path, &input, err))) {
        out->kind = source_saved_recognise(input);
        if (out->kind != NULL) {
            ok = look_at_saved(&looking, input, &progress, err);
        } else if (is_table(input)) {
            out->kind = &source_posts;
            ok = look_at_table(&looking, err);
        } else {
            out->kind = &source_stackexchange;
            ok = look_at_dump(&looking, input, &progress, err);
        }
    }
    progress_end(&progress);
    sort_tags(&looking);
    input_close(input);
    buf_free(&looking.links);
    buf_free(&looking.lacking);
    return ok;
}
