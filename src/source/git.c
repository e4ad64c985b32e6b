/* Commits of git repositories: one item each, however many repositories it stands in, of
 * this source and of others. */
#include <string.h>
#include <xxhash.h>

#include "source/commits.h"
#include "source/intake.h"

struct git_taking {
    struct source_intake *intake;
    enum source_commits_field *fields; /* of each field of the source */
    struct str *extra;                 /* the same in the source's order */
};

static bool take_commit(void *context, const struct item *given, struct err *err)
{
    struct git_taking *taking = context;
    struct item item = *given;

    for (size_t i = 0; i < taking->intake->source->field_count; i++)
        taking->extra[i] = given->extra[taking->fields[i]];
    item.extra = taking->extra;
    return source_intake_store(taking->intake, &item, 0, err);
}

/* A repository's path as the user wrote it. */
static struct str shown_path(const struct source_ingest_source *source, const char *path,
                             struct arena *arena)
{
    struct str whole = str_from(path);
    size_t number = 0, longest = 0;

    for (size_t i = 0; i < source->path_count; i++) {
        struct str begin = str_from(source->paths[i]);
        bool within = str_starts(whole, begin) &&
                      (whole.len == begin.len || whole.ptr[begin.len] == '/' ||
                       str_ends(begin, STR("/")));
        if (within && begin.len > longest) {
            number = i;
            longest = begin.len;
        }
    }
    return source_intake_shown(source, number, path, arena);
}

/* What stands for a repository's content: its refs. */
static bool note_repository(struct source_intake *intake,
                            const struct git_history *history, size_t number,
                            struct arena *arena, struct err *err)
{
    char digits[SOURCE_INTAKE_HASH_DIGITS + 1];
    struct buf tips = {0};

    git_history_add_tips(history, number, &tips);
    XXH128_hash_t hash = XXH3_128bits(tips.ptr, tips.len);
    uint64_t halves[2] = {hash.high64, hash.low64};
    buf_free(&tips);
    struct store_file file = {
        (int64_t)intake->source_number, (int64_t)number,
        shown_path(intake->source, git_history_at(history, number)->path, arena),
        source_intake_hash_text(halves, digits)};
    return store_add(intake->corpus, STORE_FILE, &file, err);
}

static bool keep_oddities(struct source_intake *intake, const struct git_history *history,
                          struct arena *arena, struct err *err)
{
    struct git_history_findings all = git_history_findings(history);
    bool ok = true;

    for (int i = 0; i < GIT_HISTORY_ODDITIES && ok; i++) {
        const char *name = git_history_oddity_name((enum git_history_oddity)i);
        ok = all.count[i] == 0 ||
             (source_intake_number(intake, name, all.count[i], err) &&
              source_intake_text(intake, arena_format(arena, "%s: first", name).ptr,
                                 str_from(all.first[i]), err));
    }
    return ok;
}

static bool keep_findings(struct source_intake *intake, const struct git_history *history,
                          const struct source_commits_counts *counts, struct err *err)
{
    const struct {
        const char *finding;
        int64_t value;
    } numbers[] = {
        {"repositories", (int64_t)git_history_count(history)},
        {"commits", counts->commits},
        {"merges", counts->merges},
        {"commits of bots", counts->bots},
        {"commits in several repositories, counted once", counts->forks},
        {"commits of other sources as well, counted once", counts->shared},
        {"commits after the end of the study", counts->late},
        {"commits taken", counts->taken},
    };
    struct arena arena = {0};
    bool ok = true;

    for (size_t i = 0; i < ROWS_OF(numbers) && ok; i++)
        ok = source_intake_number(intake, numbers[i].finding, numbers[i].value, err);
    if (counts->copies > 0)
        ok = ok && source_intake_number(intake, "commits whose patch another one has",
                                        counts->copies, err);
    for (size_t i = 0; i < git_history_count(history) && ok; i++)
        ok = note_repository(intake, history, i, &arena, err);
    ok = ok && keep_oddities(intake, history, &arena, err) &&
         source_intake_span(intake, counts->first_ms, counts->last_ms, err);
    arena_free(&arena);
    return ok;
}

/* The fields that the study takes, as bits. */
static unsigned wanted_fields(struct git_taking *taking, struct arena *arena)
{
    const struct source_ingest_source *source = taking->intake->source;
    unsigned fields = 0;

    taking->fields = arena_array(arena, enum source_commits_field, source->field_count);
    taking->extra = arena_array(arena, struct str, source->field_count);
    for (size_t i = 0; i < source->field_count; i++) {
        taking->fields[i] = source_commits_find(source->fields[i].column);
        fields |= 1u << taking->fields[i];
    }
    return fields;
}

/* The histories of all sources of commits, which are opened and walked but once, and the
 * source's own. */
static bool open_histories(struct source_intake *intake, struct git_history **own,
                           struct err *err)
{
    const struct source_ingest_options *options = intake->options;
    size_t number = 0;

    if (intake->histories == NULL) {
        intake->histories = source_commits_histories_open();
        for (size_t i = 0; i < options->source_count; i++) {
            const struct source_ingest_source *source = &options->sources[i];
            struct git_history *history;
            if (source->kind != intake->source->kind)
                continue;
            if (!git_history_open(source->paths, source->path_count, &history, err))
                return false;
            source_commits_histories_add(intake->histories, history);
        }
    }
    for (const struct source_ingest_source *source = options->sources;
         source != intake->source; source++)
        number += source->kind == intake->source->kind;
    *own = source_commits_histories_at(intake->histories, number);
    return true;
}

static bool take_git(struct source_intake *intake, struct err *err)
{
    const struct source_ingest_options *options = intake->options;
    const struct source_ingest_source *source = intake->source;
    struct progress progress =
        progress_begin("reading commits", 0, options->descriptor, options->quiet);
    struct arena arena = {0};
    struct git_taking taking = {.intake = intake};
    struct source_commits_counts counts;
    struct git_history *history = NULL;
    struct source_commits_job job = {.node = options->query,
                                     .query = intake->query,
                                     .source = source->name,
                                     .fields = wanted_fields(&taking, &arena),
                                     .first_id = 1,
                                     .until_ms = source->until_ms,
                                     .threads = options->threads,
                                     .progress = &progress,
                                     .context = &taking,
                                     .take = take_commit};

    bool ok = open_histories(intake, &history, err) && store_begin(intake->corpus, err);
    job.history = history;
    job.histories = intake->histories;
    ok = ok && source_commits_run(&job, &counts, err);
    progress_end(&progress);
    ok = ok && keep_findings(intake, history, &counts, err) &&
         source_intake_step_done(intake, err);
    arena_free(&arena);
    return ok;
}

const char source_git_help[] =
    "A git repository (a worktree or a bare one), a bundle, or a folder of them, or a "
    "list of such: every commit that a ref leads to is an item. Its fields are in "
    "assay-query(7); those that need a comparison of files are made only if the study "
    "names them.";

const struct source_kind source_git = {
    .key = "git",
    .stored = "git",
    .called = "git history",
    .in_prose = "the commits of",
    .packaged = "a git repository, a bundle or a folder of them",
    .path_is = "repository, bundle or folder",
    .expected = "a git repository, a bundle or a folder of them",
    .text_keys = true,
    .one_space = true,
    .fields = source_commits_fields,
    .field_count = SOURCE_COMMITS_FIELDS,
    .add_state = git_history_add_state,
    .take = take_git,
};
