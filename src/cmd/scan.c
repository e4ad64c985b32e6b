/* assay scan: answers straight from the dump. */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/map.h"
#include "base/stop.h"
#include "cmd/cmd.h"
#include "cmd/scan_show.h"
#include "cmd/scan_tags.h"
#include "dump/format.h"
#include "dump/related.h"
#include "dump/select.h"
#include "dump/table.h"
#include "dump/value.h"
#include "engine/engine.h"
#include "git/history.h"
#include "source/commits.h"
#include "source/saved.h"
#include "source/synonyms.h"

#define BY_CHOICES \
    "year|quarter|month|tag|type|user|score|views|answers|comments|favorites"

#define AT(field) offsetof(struct cmd_scan_args, field)

static const struct cmd_operand operands[] = {
    {"SOURCE", AT(source),
     "a dump: Posts.xml, plain or packed, a .7z or .zip archive, or a folder; a csv or "
     "json file of posts; saved json of GitHub or of a Discourse forum, a file or a "
     "folder; a git repository, a bundle or a folder of them; a table of posts that a "
     "ClickHouse server holds, as http://localhost:8123/stackoverflow/posts; or - for "
     "standard input, which may give any of the files",
     true},
    {"QUERY", AT(query), "which posts, see assay-query(7); all when it is left out",
     false},
    {0},
};

static const struct cmd_option options[] = {
    {"--count", CMD_FLAG, AT(count), NULL, .help = "print only their number"},
    {"--ids", CMD_FLAG, AT(ids), NULL, .help = "print their ids, one a line"},
    {"--json", CMD_FLAG, AT(json), NULL, .help = "print them as JSON, one a line"},
    {"--csv", CMD_FLAG, AT(csv), NULL, .help = "print them as CSV"},
    {"--by", CMD_TEXT, AT(by), "FIELD",
     .help = "count them by this field, or by one that the source brings; label is "
             "another word for tag, kind for type, author for user",
     .choices = BY_CHOICES},
    {"--seeds", CMD_TEXT, AT(seeds), "TAGS",
     .help =
         "tags by commas, as 'tensorflow,keras*': which other tags belong to them, by "
         "relevance (the share of a tag's questions that have a seed tag) and "
         "significance (the share of the questions with a seed tag that have it), "
         "what each adds, and what thresholds of both take. QUERY narrows the "
         "questions"},
    {"--answers", CMD_FLAG, AT(answers), NULL,
     .help = "the query is for questions; give their answers as well"},
    {"--diff", CMD_FLAG, AT(diff), NULL,
     .help = "with --json, for commits: also the patch of each, as text (diff) and taken "
             "apart (changes)"},
    {"--columns", CMD_TEXT, AT(columns), "MAPPING",
     .help = "for a csv: which column is which field, as 'id=post_id, created=asked'; "
             "the usual names are known"},
    {"--synonyms", CMD_TEXT, AT(synonyms), "FILE",
     .help = "tags that mean the same: a csv with the columns synonym and tag, or as "
             "Stack Exchange gives them, see assay-query(7)"},
    {"--limit", CMD_INT, AT(limit), "N", .help = "stop after N posts", .lowest = 1,
     .highest = INT64_MAX},
    {"--skip-broken", CMD_FLAG, AT(skip_broken), NULL,
     .help = "go on after a row that cannot be read, and count them"},
    {"--threads", CMD_INT, AT(threads), "N",
     .help = "threads; 0 is one a core, and no number changes the result", .highest = 256,
     .fallback = "0"},
    {"--stats", CMD_FLAG, AT(stats), NULL,
     .help =
         "say on standard error how much was read, how fast, and with how much memory"},
    {"--quiet", CMD_FLAG, AT(quiet), NULL, .help = "no progress"},
    {0},
};

struct scanning {
    const struct cmd_scan_args *args;
    struct arena *arena;
    const struct query_node *query;
    struct query_needs needs; /* of the query */
    struct query_relations *relations;
    struct query_compiled *compiled;
    const struct query_node *bare; /* the first score:3; NULL: there is none */
    struct query_node *or_more;    /* the query as Stack Overflow reads that */
    struct query_compiled *other;  /* the same */
    int64_t newest_ms;             /* where the query asks for it */
    int64_t printed;
    struct map counts;          /* --by */
    struct dump_tagset tags;    /* --seeds */
    struct dump_format_own own; /* fields that the source brings */
};

/* The query with the synonyms that were given. */
static bool add_synonyms(const struct scanning *scan, struct query_node **query,
                         struct err *err)
{
    struct query_synonyms *synonyms;
    int64_t left_out;

    if (scan->args->synonyms == NULL)
        return true;
    if (!source_synonyms_read(scan->args->synonyms, scan->arena, &synonyms, &left_out,
                              err))
        return false;
    if (left_out > 0)
        fprintf(stderr, "%s: %lld synonym%s left out: not approved\n",
                scan->args->synonyms, (long long)left_out, str_plural(left_out));
    *query = query_with_synonyms(*query, synonyms, scan->arena);
    return true;
}

static bool prepare(struct scanning *scan, const struct query_node *query,
                    struct err *err)
{
    struct query_node *or_more = query_or_more(query, scan->arena, &scan->bare);
    const struct query_node *both[] = {query, or_more};
    struct query_options how = {0};

    scan->or_more = or_more;
    scan->query = query;
    scan->needs = query_needs(query);
    scan->newest_ms = ITEM_NONE;
    if (!query_relations_open(both, or_more != NULL ? 2 : 1, &scan->relations, err))
        return false;
    how.relations = scan->relations;
    return query_compile(query, how, &scan->compiled, err) &&
           (or_more == NULL || query_compile(or_more, how, &scan->other, err));
}

static void release(struct scanning *scan)
{
    query_free(scan->compiled);
    query_free(scan->other);
    query_relations_close(scan->relations);
}

/* The language is Stack Overflow's but for this. */
static void tell_or_more(const struct scanning *scan, int64_t met, int64_t other)
{
    struct buf text = {0};

    if (scan->bare == NULL)
        return;
    long long number = (long long)scan->bare->min;
    struct str name = query_field_name(scan->bare->field);
    buf_add_format(&text, "%.*s:%lld is exactly %lld here", STR_ARG(name), number,
                   number);
    if (scan->args->limit == 0)
        buf_add_format(&text, ": %lld post%s", (long long)met, str_plural(met));
    buf_add(&text, STR("; Stack Overflow's own search reads it as that or more"));
    if (scan->args->limit == 0)
        buf_add_format(&text, ": %lld", (long long)other);
    fprintf(stderr, "%.*s; write %.*s=%lld or %.*s:%lld.. to say which is meant\n",
            STR_ARG(buf_str(&text)), STR_ARG(name), number, STR_ARG(name), number);
    buf_free(&text);
}

static void make(void *context, struct dump_judge *judge, const struct dump_rows_row *row,
                 struct buf *out)
{
    const struct cmd_scan_args *args = ((const struct scanning *)context)->args;
    struct item post;

    if (args->ids && !judge->needs_text) { /* no need to decode anything */
        buf_add(out, dump_rows_raw(row, DUMP_ROWS_ID));
        buf_add(out, STR("\n\0"));
        return;
    }
    dump_judge_read_all(judge, row, &post);
    cmd_scan_show_post(args, (struct dump_format_own){0}, &post, out);
}

static enum dump_scan_next take(void *context, struct str bytes, struct err *err)
{
    struct scanning *scan = context;
    struct str record;

    (void)err;
    while (bytes.len > 0) {
        str_cut(&bytes, '\0', &record);
        if (scan->args->by != NULL)
            ++*map_put(&scan->counts, record);
        else if (scan->args->seeds != NULL)
            dump_tagset_add(&scan->tags, record);
        else if (fwrite(record.ptr, 1, record.len, stdout) != record.len)
            return DUMP_SCAN_ENOUGH; /* main() tells of it */
        if (scan->args->limit > 0 && ++scan->printed == scan->args->limit)
            return DUMP_SCAN_ENOUGH;
    }
    return DUMP_SCAN_GO_ON;
}

static void print_stats(const struct dump_select_state *state, int threads,
                        int64_t elapsed_ms)
{
    struct rusage usage;
    double seconds = (double)(elapsed_ms > 0 ? elapsed_ms : 1) / 1000;

    getrusage(RUSAGE_SELF, &usage);
    fprintf(stderr,
            "%lld row%s, %lld bytes in %.2f s: %.0f MB/s, %.0f rows/s, %d thread%s, %.0f "
            "MB of memory\n",
            (long long)state->scan.rows, str_plural(state->scan.rows),
            (long long)state->scan.bytes, seconds,
            (double)state->scan.bytes / seconds / 1e6, (double)state->scan.rows / seconds,
            threads, str_plural(threads), (double)usage.ru_maxrss / 1000);
}

static void tell_broken(const char *path, const struct dump_scan_result *scan)
{
    if (scan->broken > 0)
        fprintf(stderr,
                "%s: %lld broken row%s skipped; the first at byte %lld: found %s; "
                "expected %s\n",
                path, (long long)scan->broken, str_plural(scan->broken),
                (long long)scan->first_broken.offset, scan->first_broken.found,
                scan->first_broken.expected);
}

static void tell_planted(int64_t planted)
{
    if (planted > 0)
        fprintf(stderr,
                "%lld planted post%s left out (1000000001 and 1000000010, which Stack "
                "Exchange puts into its dumps)\n",
                (long long)planted, str_plural(planted));
}

static void tell_doubts(const char *path, const struct dump_judge_doubts *doubts)
{
    if (doubts->replaced > 0)
        fprintf(stderr, "%s: %lld %s that XML forbids; U+FFFD stands for %s\n", path,
                (long long)doubts->replaced,
                doubts->replaced == 1 ? "character" : "characters",
                doubts->replaced == 1 ? "it" : "them");
    if (doubts->unreadable > 0)
        fprintf(stderr, "%s: %lld %s could not be read%s %s; %s as missing\n", path,
                (long long)doubts->unreadable,
                doubts->unreadable == 1 ? "value" : "values",
                doubts->unreadable == 1 ? ":" : ", the first:", doubts->first,
                doubts->unreadable == 1 ? "it counts" : "they count");
}

static bool check_modes(const struct cmd_scan_args *args, struct err *err)
{
    int modes = args->count + args->ids + args->json + args->csv + (args->by != NULL) +
                (args->seeds != NULL);

    if (modes > 1)
        return err_set(
            err, ERR_USAGE,
            "expected at most one of --count, --ids, --json, --csv, --by and --seeds");
    if (args->seeds != NULL && args->answers)
        return err_set(err, ERR_USAGE,
                       "--seeds is about questions; --answers does not go with it");
    if (args->count && args->limit > 0)
        return err_set(err, ERR_USAGE, "--count and --limit do not go together");
    return true;
}

/* It can be read but once. */
static bool is_pipe(const struct input *input)
{
    return input_member(input, 0)->file_size < 0;
}

/* What the query asks of other posts, of users, comments and links. */
static bool find_related(struct scanning *scan, struct input *input,
                         struct progress *progress, struct err *err)
{
    const struct cmd_scan_args *args = scan->args;
    struct dump_related_job job = {.also = ~0u,
                                   .newest = scan->needs.newest,
                                   .until_ms = INT64_MAX,
                                   .threads = cmd_threads(args->threads),
                                   .skip_broken = args->skip_broken,
                                   .progress = progress};

    if (scan->relations->count == 0 && !job.newest)
        return true;
    if (is_pipe(input))
        return err_set(err, ERR_USAGE,
                       "%.*s needs the posts to be read twice, and %s can be read but "
                       "once; give a file",
                       STR_ARG(scan->relations->count > 0
                                   ? scan->relations->at[0].text
                                   : STR("a date that counts back")),
                       input_member(input, 0)->place);
    return dump_related_find(input, scan->relations, &job, &scan->newest_ms, err);
}

static bool scan_xml(struct scanning *scan, struct input *input, struct err *err)
{
    const struct cmd_scan_args *args = scan->args;
    int threads = cmd_threads(args->threads);
    struct progress progress = progress_begin("scanning", 0, STDERR_FILENO, args->quiet);
    struct dump_select_job job = {.node = scan->query,
                                  .query = scan->compiled,
                                  .other = scan->other,
                                  .answers = args->answers,
                                  .until_ms = INT64_MAX,
                                  .threads = threads,
                                  .skip_broken = args->skip_broken,
                                  .progress = &progress,
                                  .context = scan,
                                  .make = args->count ? NULL : make,
                                  .take = take};
    struct dump_select_state state = {0};
    size_t member;
    bool ok = false;

    if (!dump_scan_find(input, DUMP_SCAN_POSTS, &member, err) ||
        !find_related(scan, input, &progress, err))
        goto done;
    job.newest_ms = scan->newest_ms;
    struct buf aside = {0};
    dump_scan_left_aside(input, DUMP_SCAN_POSTS, member, &aside);
    if (aside.len > 0)
        fprintf(stderr, "%s: is read; left aside: %.*s\n",
                input_member(input, member)->place, STR_ARG(buf_str(&aside)));
    buf_free(&aside);
    cmd_scan_show_head(args, scan->own);
    ok = dump_select_posts(input, member, &job, &state, err);
    progress_end(&progress);
    if (!ok)
        goto done;
    cmd_scan_show_end(args, state.taken + state.taken_answers, &scan->counts,
                      scan->arena);
    tell_broken(args->source, &state.scan);
    tell_doubts(args->source, &state.health.doubts);
    tell_planted(state.health.planted);
    tell_or_more(scan, state.taken, state.other);
    if (args->stats)
        print_stats(&state, threads, progress_clock_ms() - progress.begun_ms);
done:
    dump_select_state_free(&state);
    return ok;
}

/* A csv or json file: all of it is read, then gone over once, or twice for answers. */
struct cmd_scan_table {
    struct scanning *scan;
    struct dump_judge judge;
    struct dump_judge *related; /* of each relation */
    struct idset questions;     /* that meet the query */
    bool answers_too;           /* second time: questions are known */
    struct buf out;
    int64_t count, met; /* met: without what hangs on them */
    bool enough;
    struct dump_field_broken broken;
    struct str bytes;               /* of a table, */
    const char *place;              /* what it is called in messages, */
    int64_t latin;                  /* and its rows that are not UTF-8 */
    struct input *input;            /* of saved json, */
    const struct source_kind *kind; /* whose it is, */
    struct source_saved *saved;     /* and how it is read; NULL: it is a table */
    /* Of items that tell of comments, and of those that have some here: */
    LIST(int64_t) told;
    struct idset talked;
};

static bool show(struct cmd_scan_table *table, const struct item *item, struct err *err)
{
    table->count++;
    buf_clear(&table->out);
    cmd_scan_show_post(table->scan->args, table->scan->own, item, &table->out);
    table->enough = take(table->scan, buf_str(&table->out), err) != DUMP_SCAN_GO_ON;
    return true;
}

static bool take_post(void *context, const struct item *post, struct err *err)
{
    struct cmd_scan_table *table = context;
    const struct cmd_scan_args *args = table->scan->args;
    bool answer = post->kind == ITEM_ANSWER, taken = false;

    if (table->enough)
        return true;
    if (table->answers_too)
        taken = idset_has(&table->questions, answer ? post->parent : post->id);
    else if ((!args->answers || !answer) &&
             !dump_judge_post(&table->judge, post, &taken, err))
        return err_at(err, "%s: ", args->source);
    if (!taken)
        return true;
    table->met += !table->answers_too;
    if (args->answers && !table->answers_too) {
        idset_add(&table->questions, post->id);
        return true;
    }
    return show(table, post, err);
}

/* --- what is asked of other items, in sources that are read one after the other --- */

/* Before them: what they count back from. */
static bool note_newest(void *context, const struct item *item, struct err *err)
{
    struct cmd_scan_table *table = context;

    (void)err;
    if (item->created_ms > table->scan->newest_ms)
        table->scan->newest_ms = item->created_ms;
    return true;
}

/* An answer is one to a question; elsewhere whatever hangs on an item is a comment too.
 */
static bool note_related(void *context, const struct item *item, struct err *err)
{
    struct cmd_scan_table *table = context;
    struct query_relations *relations = table->scan->relations;
    bool meets;

    if (item_kind_is_studied(item->kind) &&
        (item->comments > 0 || (item->kind == ITEM_TOPIC && item->answers > 0)))
        list_add(&table->told, item->id);
    if (item_kind_is_studied(item->kind) || item->parent == ITEM_NONE)
        return true;
    idset_add(&table->talked, item->parent);
    for (size_t i = 0; i < relations->count; i++) {
        struct query_relation *relation = &relations->at[i];
        if (relation->asked == NULL ||
            (relation->field == QUERY_FIELD_ANSWER && item->kind != ITEM_ANSWER))
            continue;
        if (!dump_judge_post(&table->related[i], item, &meets, err))
            return err_at(err, "%s: ", table->scan->args->source);
        if (meets)
            query_relation_add(relation, item->parent);
    }
    return true;
}

/* What such a source does not have is asked in vain. */
static bool check_related(const struct scanning *scan, bool comments, struct err *err)
{
    static const struct {
        enum query_field field;
        const char *what;
    } absent[] = {{QUERY_FIELD_REPUTATION, "users"},
                  {QUERY_FIELD_DUPLICATE, "links between posts"},
                  {QUERY_FIELD_HASENDORSED, "comments on answers"},
                  {QUERY_FIELD_COMMENT, "comments"}};

    for (size_t i = 0; i < ROWS_OF(absent) - comments; i++)
        if (query_relations_ask(scan->relations, absent[i].field))
            return err_set(err, ERR_INPUT,
                           "%s: %.*s: asks for %s, which this source does not have",
                           scan->args->source, STR_ARG(query_field_name(absent[i].field)),
                           absent[i].what);
    return true;
}

/* Whether such an item meets the query is not known, and it counts as if it did not. */
static void tell_unsaved(const struct cmd_scan_table *table)
{
    const struct query_relations *relations = table->scan->relations;
    long long count = 0;

    for (size_t i = 0; i < table->told.count; i++)
        count += !idset_has(&table->talked, table->told.at[i]);
    if (count > 0 && table->saved != NULL &&
        (query_relations_ask(relations, QUERY_FIELD_COMMENT) ||
         query_relations_ask(relations, QUERY_FIELD_ANSWER)))
        fprintf(stderr,
                "%s: %lld item%s comments that were not saved: to comment: and answer: "
                "%s without any\n",
                table->scan->args->source, count, count == 1 ? " has" : "s have",
                count == 1 ? "it is one" : "they are");
}

/* Goes over the source as often as that takes. */
static bool find_among(struct cmd_scan_table *table, bool comments,
                       bool (*read)(struct cmd_scan_table *table, source_saved_take *take,
                                    struct err *err),
                       struct err *err)
{
    struct scanning *scan = table->scan;
    const struct query_relations *relations = scan->relations;

    if (!check_related(scan, comments, err) ||
        (scan->needs.newest && !read(table, note_newest, err)))
        return false;
    if (relations->count == 0)
        return true;
    table->related = arena_array(scan->arena, struct dump_judge, relations->count);
    for (size_t i = 0; i < relations->count; i++) {
        dump_judge_open(&table->related[i], relations->at[i].asked,
                        &relations->at[i].needs);
        table->related[i].newest_ms = scan->newest_ms;
    }
    bool ok = read(table, note_related, err);
    for (size_t i = 0; i < relations->count; i++)
        dump_judge_close(&table->related[i]);
    if (ok)
        tell_unsaved(table);
    list_free(&table->told);
    idset_free(&table->talked);
    return ok;
}

static void begin_table(struct cmd_scan_table *table)
{
    const struct scanning *scan = table->scan;

    dump_judge_open(&table->judge, scan->compiled, &scan->needs);
    dump_judge_compare(&table->judge, scan->other);
    table->judge.newest_ms = scan->newest_ms;
    cmd_scan_show_head(scan->args, scan->own);
}

static void tell_broken_rows(const char *path, const struct dump_field_broken *broken)
{
    if (broken->count > 0)
        fprintf(stderr, "%s: %lld broken row%s skipped; the first: %s\n", path,
                (long long)broken->count, str_plural(broken->count), broken->first.text);
}

static void tell_saved(const char *path, const struct source_saved *saved)
{
    const struct source_saved_doubts *doubts = &saved->doubts;

    if (saved->repeated > 0)
        fprintf(stderr, "%s: %lld item%s left out that had come before\n", path,
                (long long)saved->repeated, str_plural(saved->repeated));
    if (saved->orphans > 0)
        fprintf(stderr, "%s: %lld comment%s left out whose item is not there\n", path,
                (long long)saved->orphans, str_plural(saved->orphans));
    if (doubts->strange > 0)
        fprintf(stderr, "%s: %lld object%s of another kind left out; the first: %.*s\n",
                path, (long long)doubts->strange, str_plural(doubts->strange),
                STR_ARG(doubts->first_strange));
    if (doubts->unreadable > 0)
        fprintf(stderr, "%s: %lld value%s taken as missing; the first: %.*s\n", path,
                (long long)doubts->unreadable, str_plural(doubts->unreadable),
                STR_ARG(doubts->first_unreadable));
}

static void end_table(struct cmd_scan_table *table, bool ok)
{
    struct scanning *scan = table->scan;

    if (ok) {
        cmd_scan_show_end(scan->args, table->count, &scan->counts, scan->arena);
        tell_broken_rows(scan->args->source, &table->broken);
        if (table->latin > 0)
            fprintf(stderr,
                    "%s: rows that are not UTF-8 and were taken for Windows-1252: %lld\n",
                    scan->args->source, (long long)table->latin);
        if (table->saved != NULL)
            tell_saved(scan->args->source, table->saved);
        tell_or_more(scan, table->met, table->judge.other_meets);
    }
    dump_judge_close(&table->judge);
    idset_free(&table->questions);
    buf_free(&table->out);
}

static bool read_bytes(struct cmd_scan_table *table, source_saved_take *take_row,
                       struct err *err)
{
    const struct cmd_scan_args *args = table->scan->args;
    struct dump_field_broken broken = {0}; /* is counted later */
    struct dump_table_options how = {.mapping = args->columns,
                                     .broken = args->skip_broken ? &broken : NULL};

    return dump_table_read(table->bytes, table->place, &how, take_row, table, err);
}

static bool scan_table_file(struct scanning *scan, struct str bytes, const char *place,
                            struct err *err)
{
    const struct cmd_scan_args *args = scan->args;
    struct dump_field_broken again = {0}; /* is counted already */
    struct cmd_scan_table table = {.scan = scan, .bytes = bytes, .place = place};
    struct dump_table_options how = {.mapping = args->columns,
                                     .broken = args->skip_broken ? &table.broken : NULL,
                                     .latin = &table.latin};

    if (!find_among(&table, false, read_bytes, err))
        return false;
    begin_table(&table);
    bool ok = dump_table_read(bytes, place, &how, take_post, &table, err);
    if (ok && args->answers) {
        table.answers_too = true;
        how.broken = args->skip_broken ? &again : NULL;
        how.latin = NULL;
        ok = dump_table_read(bytes, place, &how, take_post, &table, err);
    }
    end_table(&table, ok);
    return ok;
}

/* Saved json: what hangs on an item comes after it, so that one reading tells. */
static bool take_saved(void *context, const struct item *item, struct err *err)
{
    struct cmd_scan_table *table = context;
    const struct cmd_scan_args *args = table->scan->args;
    bool taken = false, studied = item_kind_is_studied(item->kind);

    if (table->enough)
        return true;
    if (args->answers && !studied)
        taken = idset_has(&table->questions, item->parent);
    else if (!dump_judge_post(&table->judge, item, &taken, err))
        return err_at(err, "%s: ", args->source);
    if (!taken)
        return true;
    if (args->answers && studied)
        idset_add(&table->questions, item->id);
    table->met += !args->answers || studied;
    return show(table, item, err);
}

struct scan_saved_reading {
    struct source_saved *saved;
    struct input *input;
    int threads;
};

static bool read_once(void *context, struct err *err)
{
    const struct scan_saved_reading *reading = context;
    struct input *input = reading->input;

    for (size_t i = 0; i < input_count(input); i++)
        if (!source_saved_read_member(reading->saved, input, i,
                                      input_member(input, i)->place, reading->threads,
                                      NULL, err))
            return false;
    return true;
}

static bool read_saved(struct source_saved *saved, struct input *input, int64_t threads,
                       struct err *err)
{
    struct scan_saved_reading reading = {saved, input, cmd_threads(threads)};

    return source_saved_readings(saved, read_once, &reading, err);
}

static bool read_input(struct cmd_scan_table *table, source_saved_take *take_item,
                       struct err *err)
{
    const struct cmd_scan_args *args = table->scan->args;
    struct dump_field_broken broken = {0}; /* is counted later */
    struct source_saved saved;

    source_saved_open(&saved, table->kind, take_item, table);
    saved.broken = args->skip_broken ? &broken : NULL;
    bool ok = read_saved(&saved, table->input, args->threads, err);
    source_saved_close(&saved);
    return ok;
}

static bool scan_saved(struct scanning *scan, struct input *input,
                       const struct source_kind *kind, const struct query_own *own,
                       struct err *err)
{
    const struct cmd_scan_args *args = scan->args;
    struct source_saved saved;
    struct cmd_scan_table table = {
        .scan = scan, .input = input, .kind = kind, .saved = &saved};

    if (!find_among(&table, true, read_input, err))
        return false;
    begin_table(&table);
    table.judge.origin = (struct dump_judge_origin){.fields = own->fields,
                                                    .field_count = own->field_count};
    source_saved_open(&saved, kind, take_saved, &table);
    saved.broken = args->skip_broken ? &table.broken : NULL;
    const struct query_needs *needs = &scan->needs;
    bool rows = args->json || args->csv;
    saved.no_bodies = !rows && !needs->any_text && !needs->has_code;
    saved.no_own = !rows && !needs->own &&
                   (args->by == NULL || str_find(str_from(args->by), own->fields,
                                                 own->field_count) == own->field_count);
    bool ok = read_saved(&saved, input, args->threads, err);
    end_table(&table, ok);
    source_saved_close(&saved);
    return ok;
}

/* --- a table that a server holds --- */

enum {
    SERVER_BLOCK = 100000,  /* posts asked for at once */
    SERVER_ANSWERS = 20000, /* questions whose answers are */
};

struct scan_server {
    struct cmd_scan_table table;
    struct engine *engine;
    struct engine_posts posts;
    struct arena arena; /* of posts, which is rewound while they come */
    struct engine_counts counts;
    int64_t other; /* posts that meet the query as Stack Overflow reads it */
};

static struct engine_by server_by(const char *by)
{
    static const struct {
        const char *name;
        struct engine_by by;
    } rows[] = {
        {"year", {ENGINE_BY_DAY, ITEM_FIELD_CREATED}},
        {"quarter", {ENGINE_BY_DAY, ITEM_FIELD_CREATED}},
        {"month", {ENGINE_BY_DAY, ITEM_FIELD_CREATED}},
        {"tag", {.is = ENGINE_BY_TAG}},
        {"type", {ENGINE_BY_NUMBER, ITEM_FIELD_KIND}},
        {"user", {ENGINE_BY_NUMBER, ITEM_FIELD_OWNER}},
        {"score", {ENGINE_BY_NUMBER, ITEM_FIELD_SCORE}},
        {"views", {ENGINE_BY_NUMBER, ITEM_FIELD_VIEWS}},
        {"answers", {ENGINE_BY_NUMBER, ITEM_FIELD_ANSWERS}},
        {"comments", {ENGINE_BY_NUMBER, ITEM_FIELD_COMMENTS}},
        {"favorites", {ENGINE_BY_NUMBER, ITEM_FIELD_FAVORITES}},
    };

    for (size_t i = 0; i < ROWS_OF(rows) && by != NULL; i++)
        if (strcmp(by, rows[i].name) == 0)
            return rows[i].by;
    return (struct engine_by){.is = ENGINE_BY_ALL};
}

static bool take_tally(void *context, struct str key, int64_t posts, struct err *err)
{
    struct scan_server *server = context;
    struct scanning *scan = server->table.scan;
    struct buf *text = &server->table.out;

    (void)err;
    server->table.count += posts;
    if (scan->args->by == NULL)
        return true;
    buf_clear(text);
    cmd_scan_show_key(scan->args->by, key, text);
    *map_put(&scan->counts, buf_str(text)) += posts;
    return true;
}

static bool add_tally(void *context, struct str key, int64_t posts, struct err *err)
{
    (void)key, (void)err;
    *(int64_t *)context += posts;
    return true;
}

/* What is only counted the server counts, if it can say what the query means. */
static bool count_there(struct scan_server *server, bool *said, struct err *err)
{
    const struct scanning *scan = server->table.scan;
    const struct cmd_scan_args *args = scan->args;
    struct engine_by all = {.is = ENGINE_BY_ALL};
    int64_t *met = &server->table.met;

    *said = (args->count || args->by != NULL) && !args->answers && args->limit == 0;
    if (!*said)
        return true;
    if (scan->or_more != NULL &&
        !(engine_posts_tally(&server->posts, scan->or_more, all, said, add_tally,
                             &server->other, err) &&
          (!*said || engine_posts_tally(&server->posts, scan->query, all, said, add_tally,
                                        met, err))))
        return false;
    return !*said || engine_posts_tally(&server->posts, scan->query, server_by(args->by),
                                        said, take_tally, server, err);
}

static bool take_from_server(void *context, const struct item *post, struct err *err)
{
    struct scan_server *server = context;
    struct cmd_scan_table *table = &server->table;
    bool answers = table->scan->args->answers, taken = false;

    if (table->enough || post->id == ITEM_NONE)
        return true;
    if (table->answers_too)
        taken = idset_has(&table->questions, post->parent);
    else if (!dump_judge_post(&table->judge, post, &taken, err))
        return err_at(err, "%s: ", table->scan->args->source);
    if (!taken)
        return true;
    table->met += !table->answers_too;
    if (answers && !table->answers_too)
        idset_add(&table->questions, post->id);
    return show(table, post, err);
}

/* Each post that may meet the query, in either reading. */
static bool read_there(struct scan_server *server, struct err *err)
{
    struct cmd_scan_table *table = &server->table;
    const struct scanning *scan = table->scan;
    struct query_node either = {.kind = QUERY_OR}, one = *scan->query, other;
    enum item_kind kind = scan->args->answers ? ITEM_QUESTION : 0;
    struct engine_blocks blocks = {0};

    one.next = NULL;
    either.first = &one;
    if (scan->or_more != NULL) {
        other = *scan->or_more;
        other.next = NULL;
        one.next = &other;
    }
    bool ok =
        engine_posts_blocks(&server->posts, kind, &either, 0, SERVER_BLOCK, &blocks, err);
    for (size_t i = 0; i < blocks.at.count && ok && !table->enough; i++)
        ok = stop_check(err) &&
             engine_posts_block(&server->posts, kind, &either, blocks.at.at[i],
                                take_from_server, server, err);
    engine_blocks_free(&blocks);
    table->answers_too = true;
    int64_t highest = idset_highest(&table->questions);
    for (int64_t from = 0, end;
         scan->args->answers && from <= highest && ok && !table->enough; from = end)
        ok = stop_check(err) &&
             engine_posts_answers(&server->posts, &table->questions, from, highest,
                                  SERVER_ANSWERS, &end, take_from_server, server, err);
    server->other = table->judge.other_meets;
    return ok;
}

/* The fields of queries that --by counts by. */
static unsigned fields_of_by(const char *by)
{
    struct engine_by is = server_by(by);

    if (is.is == ENGINE_BY_ALL)
        return 0;
    for (unsigned field = 0; field < QUERY_FIELDS; field++)
        if (str_eq(query_field_name((enum query_field)field), str_from(by)))
            return 1u << field;
    return is.is == ENGINE_BY_DAY ? 1u << QUERY_FIELD_CREATED : 0;
}

/* What is asked of a column that is not there is missing with every post. */
static void tell_lacking(const struct scan_server *server)
{
    const struct scanning *scan = server->table.scan;
    const struct cmd_scan_args *args = scan->args;
    struct buf names = {0};

    engine_posts_lacks(
        &server->posts,
        args->json || args->csv ? ~0u : scan->needs.fields | fields_of_by(args->by),
        &names);
    if (names.len > 0)
        fprintf(stderr,
                "%s: the table has no %.*s; what is not there counts as missing\n",
                args->source, STR_ARG(buf_str(&names)));
    buf_free(&names);
}

static bool ask_server(struct scan_server *server, struct err *err)
{
    struct scanning *scan = server->table.scan;
    const struct cmd_scan_args *args = scan->args;
    struct engine_posts *posts = &server->posts;
    bool said;

    if (!engine_posts_open(server->engine, INT64_MAX, &server->arena, posts, err) ||
        !(scan->needs.newest ? engine_posts_counts(posts, &server->counts, err)
                             : engine_posts_extent(posts, &server->counts, err)) ||
        !engine_posts_check(posts, &server->counts, err))
        return false;
    posts->kind = 0;
    posts->ascending = true;
    posts->brief =
        !args->json && !args->csv && !scan->needs.any_text && !scan->needs.has_code;
    scan->newest_ms = scan->needs.newest ? server->counts.last_ms : ITEM_NONE;
    begin_table(&server->table);
    bool ok = count_there(server, &said, err) && (said || read_there(server, err));
    if (ok && posts->unreadable > 0)
        fprintf(stderr, "%s: %lld value%s could not be read and count as missing\n",
                args->source, (long long)posts->unreadable,
                str_plural(posts->unreadable));
    if (ok)
        tell_doubts(args->source,
                    &(struct dump_judge_doubts){.replaced = posts->replaced});
    if (ok)
        tell_lacking(server);
    if (ok)
        tell_planted(server->counts.planted);
    server->table.judge.other_meets = server->other;
    end_table(&server->table, ok);
    return ok;
}

static bool scan_server(struct scanning *scan, struct err *err)
{
    struct scan_server server = {.table.scan = scan};

    if (scan->args->columns != NULL)
        return err_set(err, ERR_USAGE, "--columns is for a csv; %s is a server's table",
                       scan->args->source);
    if (scan->relations->count > 0)
        return err_set(err, ERR_USAGE,
                       "%.*s asks for what is around a post, which only a study asks a "
                       "server for: see assay-source(7)",
                       STR_ARG(scan->relations->at[0].text));
    bool ok =
        engine_open(scan->args->source, &server.engine, err) && ask_server(&server, err);
    engine_close(server.engine);
    arena_free(&server.arena);
    return ok || err->kind != ERR_INPUT ||
                   str_starts(str_from(err->text), str_from(scan->args->source))
               ? ok
               : err_at(err, "%s: ", scan->args->source);
}

/* The fields of a kind of source; of all of them for NULL. */
static struct query_own own_of(const struct source_kind *wanted, struct arena *arena)
{
    size_t count = 0;

    for (size_t k = 0; source_kinds[k] != NULL; k++)
        count += source_kinds[k]->field_count;
    struct str *names = arena_array(arena, struct str, count + 1);
    enum item_type *types = arena_array(arena, enum item_type, count + 1);
    count = 0;
    for (size_t k = 0; source_kinds[k] != NULL; k++)
        for (size_t i = 0; (wanted == NULL || wanted == source_kinds[k]) &&
                           i < source_kinds[k]->field_count;
             i++, count++) {
            names[count] = source_kinds[k]->fields[i].name;
            types[count] = source_kinds[k]->fields[i].type;
        }
    return (struct query_own){.fields = names, .types = types, .field_count = count};
}

/* Other words for the same: what trackers call them. */
static const struct {
    const char *word, *field;
} by_words[] = {{"label", "tag"}, {"kind", "type"}, {"author", "user"}};

static bool check_by(struct cmd_scan_args *args, const struct query_own *own,
                     struct err *err)
{
    struct str by = str_from(args->by != NULL ? args->by : "year");
    struct str rest = STR(BY_CHOICES), name;
    struct buf names = {0};

    while (rest.len > 0) {
        str_cut(&rest, '|', &name);
        if (str_eq(name, by))
            return true;
    }
    for (size_t i = 0; i < own->field_count; i++)
        if (str_eq(own->fields[i], by))
            return true;
    for (size_t i = 0; i < ROWS_OF(by_words); i++)
        if (str_eq(str_from(by_words[i].word), by)) {
            args->by = by_words[i].field;
            return true;
        }
    cmd_add_choices(&names, BY_CHOICES, ", ");
    for (size_t i = 0; i < own->field_count; i++)
        buf_add_format(&names, ", %.*s", STR_ARG(own->fields[i]));
    err_record(err, ERR_USAGE, "--by: expected one of %.*s; found '%s'",
               STR_ARG(buf_str(&names)), args->by);
    buf_free(&names);
    return false;
}

/* Reads all of the member when it is no XML; *bytes stays empty when it is. */
static bool read_table_file(struct input *input, struct buf *bytes, struct err *err)
{
    struct input_stream_options options_of_stream = {0};
    struct input_stream *stream;
    size_t got = 1, step = 1 << 20;

    if (!input_stream_open(input, 0, &options_of_stream, &stream, err))
        return false;
    bool ok = true;
    while (ok && got > 0) {
        ok = input_stream_read(stream, buf_reserve(bytes, step), step, &got, err);
        bytes->len += ok ? got : 0;
        if (bytes->len == got && dump_table_kind(buf_str(bytes)) == DUMP_TABLE_XML)
            break; /* as the first bytes show */
    }
    if (dump_table_kind(buf_str(bytes)) == DUMP_TABLE_XML)
        buf_clear(bytes);
    input_stream_close(stream);
    return ok;
}

static bool scan_input(struct scanning *scan, struct input *input, struct err *err)
{
    struct buf bytes = {0};

    if (is_pipe(input) || input_count(input) != 1)
        return scan_xml(scan, input, err);
    bool ok = read_table_file(input, &bytes, err) &&
              (bytes.len > 0 ? scan_table_file(scan, buf_str(&bytes),
                                               input_member(input, 0)->place, err)
                             : scan_xml(scan, input, err));
    buf_free(&bytes);
    return ok;
}

/* What is wrong with the query whatever the source is. */
static bool check_query(struct str text, const struct query_own *own, struct arena *arena,
                        struct err *err)
{
    struct query_node *query;
    struct err ignored = {0};

    if (!query_parse(text, arena, &query, &ignored) &&
        !query_parse_with(text, own, arena, &query, err))
        return false;
    struct query_needs needs = query_needs(query);
    if (needs.sets)
        return err_set(err, ERR_USAGE, "in:SET needs a study; scan knows no sets");
    if (needs.sources)
        return err_set(err, ERR_USAGE,
                       "source:NAME needs a study; what scan reads has no name");
    if (query_tagset(query).len > 0)
        return err_set(err, ERR_USAGE,
                       "[tagset:NAME] needs a study, which says what its tags are; scan "
                       "knows no tag sets");
    if (needs.labels)
        return err_set(err, ERR_USAGE,
                       "label:, predicted: and hasunit: need a study, whose labels they "
                       "ask for");
    return true;
}

static bool show_tags(struct scanning *scan, struct err *err)
{
    struct buf out = {0};
    bool ok = cmd_scan_tags_show(&scan->tags, &out, err) ||
              err_at(err, "%s: ", scan->args->source);

    if (ok)
        cmd_print(&out);
    buf_free(&out);
    return ok;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    struct cmd_scan_args asked = *(const struct cmd_scan_args *)arguments, *args = &asked;
    struct scanning scan = {.args = args, .arena = &session->arena};
    struct str text =
        args->seeds != NULL && args->query != NULL
            ? arena_format(&session->arena, "is:question and (%s)", args->query)
            : str_from(args->query != NULL   ? args->query
                       : args->seeds != NULL ? "is:question"
                                             : "*");
    struct query_own own = own_of(NULL, &session->arena);
    struct query_node *query;
    struct input *input = NULL;

    scan.counts.arena = &session->arena;
    if (!check_modes(args, err) ||
        (args->seeds != NULL &&
         !cmd_scan_tags_open(args->seeds, &session->arena, &scan.tags, err)))
        return false;
    if (args->seeds != NULL && cmd_scan_is_git(args->source, true))
        return err_set(err, ERR_USAGE, "--seeds is for questions; commits have no tags");
    if (cmd_scan_is_git(args->source, args->quiet)) {
        own = source_commits_own(&session->arena);
        return check_by(args, &own, err) &&
               cmd_scan_git(args, &own, &session->arena, err);
    }
    if (args->diff)
        return err_set(err, ERR_USAGE, "--diff is for commits; %s is no git repository",
                       args->source);
    bool server = engine_is_address(args->source);
    if (!check_query(text, &own, &session->arena, err) ||
        (!server && !input_open(args->source, &input, err)))
        return false;
    if (!server && !input_keep(input, err)) {
        input_close(input);
        return false;
    }
    bool table = server || is_pipe(input) || args->columns != NULL;
    const struct source_kind *saved = table ? NULL : source_saved_recognise(input);
    own = (struct query_own){0};
    if (saved != NULL) {
        own = own_of(saved, &session->arena);
        scan.own = (struct dump_format_own){saved->fields, saved->field_count};
    }
    bool ok = check_by(args, &own, err) &&
              (query_parse_with(text, saved != NULL ? &own : NULL, &session->arena,
                                &query, err) ||
               source_explain(text, &session->arena, err)) &&
              add_synonyms(&scan, &query, err) && prepare(&scan, query, err);
    if (ok)
        ok = server          ? scan_server(&scan, err)
             : saved != NULL ? scan_saved(&scan, input, saved, &own, err)
                             : scan_input(&scan, input, err);
    if (ok && args->seeds != NULL)
        ok = show_tags(&scan, err);
    release(&scan);
    dump_tagset_free(&scan.tags);
    input_close(input);
    return ok;
}

const struct cmd cmd_scan = {
    .name = "scan",
    .summary = "Answer a query straight from a dump",
    .operands = operands,
    .options = options,
    .run = run,
};
