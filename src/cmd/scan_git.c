/* assay scan over commits. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/scan_show.h"
#include "source/commits.h"

/* What every commit shows, without a comparison; and what more one that was asked for
 * shows. Texts of whole files' lines are to be queried, not printed. */
static const unsigned ALWAYS =
    (1u << SOURCE_COMMITS_IMPORTS) - 2; /* the hash is the id */
static const unsigned ON_DEMAND =
    1u << SOURCE_COMMITS_IMPORTS | 1u << SOURCE_COMMITS_ENDINGS |
    1u << SOURCE_COMMITS_FILES | 1u << SOURCE_COMMITS_PATH | 1u << SOURCE_COMMITS_LINES |
    1u << SOURCE_COMMITS_ADDED_LINES | 1u << SOURCE_COMMITS_DELETED_LINES |
    1u << SOURCE_COMMITS_ODD_CHANGES | 1u << SOURCE_COMMITS_PATCH_ID |
    1u << SOURCE_COMMITS_COPY;

struct scanning_commits {
    const struct cmd_scan_args *args;
    unsigned fields; /* bit 1u << SOURCE_COMMITS_...: those that are shown, */
    struct item_own own[SOURCE_COMMITS_FIELDS]; /* and the same one after the other */
    size_t own_count;
    struct map counts;
    struct buf out;
};

static struct dump_format_own own_of(const struct scanning_commits *scan)
{
    return (struct dump_format_own){scan->own, scan->own_count};
}

static bool take(void *context, const struct item *given, struct err *err)
{
    struct scanning_commits *scan = context;
    struct str extra[SOURCE_COMMITS_FIELDS], rest, record;
    struct item item = *given;
    size_t count = 0;

    (void)err;
    for (unsigned i = 0; i < SOURCE_COMMITS_FIELDS; i++)
        if (scan->fields >> i & 1)
            extra[count++] = given->extra[i];
    item.extra = extra;
    buf_clear(&scan->out);
    cmd_scan_show_post(scan->args, own_of(scan), &item, &scan->out);
    for (rest = buf_str(&scan->out); rest.len > 0;) {
        str_cut(&rest, '\0', &record);
        if (scan->args->by != NULL)
            ++*map_put(&scan->counts, record);
        else
            fwrite(record.ptr, 1, record.len, stdout); /* main() tells of a failure */
    }
    return true;
}

static void tell(const struct cmd_scan_args *args, const struct git_history *history,
                 const struct source_commits_counts *counts, int64_t elapsed_ms)
{
    struct git_history_findings all = git_history_findings(history);

    if (counts->forks > 0)
        fprintf(stderr,
                "%s: %lld commits stand in several repositories; each counts once\n",
                args->source, (long long)counts->forks);
    for (int i = 0; i < GIT_HISTORY_ODDITIES; i++)
        if (all.count[i] > 0)
            fprintf(stderr, "%s: %s: %lld; the first: %s\n", args->source,
                    git_history_oddity_name((enum git_history_oddity)i),
                    (long long)all.count[i], all.first[i]);
    if (args->stats)
        fprintf(stderr, "%lld commits in %.2f s\n", (long long)counts->commits,
                (double)elapsed_ms / 1000);
}

static bool check(const struct cmd_scan_args *args, const struct query_node *query,
                  struct err *err)
{
    struct query_needs needs = query_needs(query);

    if (needs.sets)
        return err_set(err, ERR_USAGE, "in:SET needs a study; scan knows no sets");
    if (needs.sources)
        return err_set(err, ERR_USAGE,
                       "source:NAME needs a study; what scan reads has no name");
    if (needs.labels)
        return err_set(err, ERR_USAGE,
                       "label:, predicted: and hasunit: need a study, whose labels they "
                       "ask for");
    for (unsigned field = QUERY_FIELD_REPUTATION; field <= QUERY_FIELD_ANSWER; field++)
        if (needs.fields >> field & 1)
            return err_set(err, ERR_USAGE, "%.*s: is for posts; %s holds commits",
                           STR_ARG(query_field_name((enum query_field)field)),
                           args->source);
    if (args->answers || args->columns != NULL || args->synonyms != NULL)
        return err_set(err, ERR_USAGE, "%s is for posts; %s holds commits",
                       args->answers           ? "--answers"
                       : args->columns != NULL ? "--columns"
                                               : "--synonyms",
                       args->source);
    return !args->diff || args->json ||
           err_set(err, ERR_USAGE, "--diff shows patches in JSON: add --json");
}

/* Of the fields that the query names, those that can be shown; --diff and --by. */
static void choose_fields(struct scanning_commits *scan, const struct query_node *query,
                          struct arena *arena)
{
    const struct cmd_scan_args *args = scan->args;
    unsigned asked = 0;
    size_t count;
    const struct str *names = query_own_fields(query, arena, &count);

    for (size_t i = 0; i < count; i++)
        asked |= 1u << source_commits_find(names[i]);
    if (args->by != NULL) {
        enum source_commits_field field = source_commits_find(str_from(args->by));
        scan->fields = field < SOURCE_COMMITS_FIELDS ? 1u << field : 0;
    } else if (args->json || args->csv) {
        scan->fields =
            ALWAYS | (asked & ON_DEMAND) |
            (args->diff ? 1u << SOURCE_COMMITS_DIFF | 1u << SOURCE_COMMITS_FILES |
                              1u << SOURCE_COMMITS_LINES | 1u << SOURCE_COMMITS_PATH
                        : 0);
    }
    for (unsigned i = 0; i < SOURCE_COMMITS_FIELDS; i++)
        if (scan->fields >> i & 1)
            scan->own[scan->own_count++] = source_commits_fields[i];
}

/* Names that can hold items, by how they end; packed ones as well. */
static bool holds_items(struct str name)
{
    static const struct str parts[] = {STR_INIT(".json"), STR_INIT(".csv"),
                                       STR_INIT(".tsv"),  STR_INIT(".xml"),
                                       STR_INIT(".7z"),   STR_INIT(".zip")};

    for (size_t i = 0; i < ROWS_OF(parts); i++)
        for (size_t at = 0; at + parts[i].len <= name.len; at++)
            if (str_starts(str_slice(name, at, name.len), parts[i]))
                return true;
    return false;
}

/* The file with the posts of a dump, Posts.xml or what it is packed in; NULL: none. */
static const char *find_posts(const char *folder, struct arena *arena)
{
    const char *const *names;
    struct err ignored = {0};
    size_t count;

    if (!file_is_folder(folder) || !file_list(folder, arena, &names, &count, &ignored))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (str_starts(str_from(names[i]), STR("Posts.")))
            return names[i];
    return NULL;
}

/* What lies beside the repositories of a folder and is not read with them. */
static void tell_beside(const char *folder, struct arena *arena)
{
    enum { SHOWN_MAX = 5 };
    const char *const *names;
    struct buf list = {0};
    struct err ignored = {0};
    size_t count, found = 0;

    if (!file_list(folder, arena, &names, &count, &ignored))
        return;
    for (size_t i = 0; i < count; i++) {
        const char *path = file_join(folder, names[i], arena);
        bool beside = file_is_folder(path) ? find_posts(path, arena) != NULL
                                           : holds_items(str_from(names[i]));
        if (beside && ++found <= SHOWN_MAX)
            buf_add_format(&list, "%s%s", found > 1 ? ", " : "", names[i]);
    }
    if (found > 0)
        fprintf(stderr,
                "%s: the repositories in it are read, and not what lies beside them: "
                "%.*s%s; give the path of what is meant\n",
                folder, STR_ARG(buf_str(&list)), found > SHOWN_MAX ? ", ..." : "");
    buf_free(&list);
}

bool cmd_scan_is_git(const char *path, bool quiet)
{
    struct arena arena = {0};
    bool is = git_history_is(path);
    const char *posts = is ? find_posts(path, &arena) : NULL;

    if (posts != NULL && !quiet)
        fprintf(stderr,
                "%s: %s is read, and no commits of the repositories there; give their "
                "path if these are meant\n",
                path, posts);
    if (posts != NULL) {
        is = false;
    } else if (is && !quiet && file_is_folder(path) && !git_history_is_one(path)) {
        tell_beside(path, &arena);
    }
    arena_free(&arena);
    return is;
}

bool cmd_scan_git(const struct cmd_scan_args *args, const struct query_own *own,
                  struct arena *arena, struct err *err)
{
    struct scanning_commits scan = {.args = args, .counts = {.arena = arena}};
    struct progress progress =
        progress_begin("reading commits", 0, STDERR_FILENO, args->quiet);
    struct query_compiled *compiled = NULL;
    struct git_history *history = NULL;
    struct source_commits_counts counts;
    struct query_node *query;

    if (!query_parse_with(str_from(args->query != NULL ? args->query : "*"), own, arena,
                          &query, err) ||
        !check(args, query, err))
        return false;
    choose_fields(&scan, query, arena);
    bool ok = query_compile(query, (struct query_options){0}, &compiled, err) &&
              git_history_open(&args->source, 1, &history, err);
    if (ok)
        cmd_scan_show_head(args, own_of(&scan));
    struct source_commits_job job = {.history = history,
                                     .node = query,
                                     .query = compiled,
                                     .fields = scan.fields,
                                     .first_id = 1,
                                     .until_ms = INT64_MAX,
                                     .count_max = args->limit,
                                     .threads = cmd_threads(args->threads),
                                     .progress = &progress,
                                     .context = &scan,
                                     .take = take};
    ok = ok && source_commits_run(&job, &counts, err);
    progress_end(&progress);
    if (ok) {
        cmd_scan_show_end(args, counts.taken, &scan.counts, arena);
        tell(args, history, &counts, progress_clock_ms() - progress.begun_ms);
    }
    git_history_close(history);
    query_free(compiled);
    buf_free(&scan.out);
    return ok;
}
