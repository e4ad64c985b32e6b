/* One history and one differ for each source of commits. */
#include "source/patches.h"

#include "git/history.h"

struct patches_source {
    size_t number;
    struct git_history *history; /* NULL: it could not be opened */
    struct git_history_differ *differ;
    struct err err;
};

struct source_patches {
    struct arena arena; /* holds the struct itself */
    LIST(struct patches_source) sources;
};

struct source_patches *source_patches_open(void)
{
    struct arena arena = {0};
    struct source_patches *patches = arena_array(&arena, struct source_patches, 1);

    patches->arena = arena;
    return patches;
}

void source_patches_close(struct source_patches *patches)
{
    if (patches == NULL)
        return;
    for (size_t i = 0; i < patches->sources.count; i++) {
        git_history_differ_close(patches->sources.at[i].differ);
        git_history_close(patches->sources.at[i].history);
    }
    list_free(&patches->sources);
    struct arena arena = patches->arena;
    arena_free(&arena);
}

static struct patches_source *find_source(struct source_patches *patches,
                                          const struct source_patches_commit *commit)
{
    for (size_t i = 0; i < patches->sources.count; i++)
        if (patches->sources.at[i].number == commit->source)
            return &patches->sources.at[i];
    struct patches_source source = {.number = commit->source};
    if (git_history_open(commit->paths, commit->path_count, &source.history, &source.err))
        source.differ = git_history_differ_open(source.history);
    list_add(&patches->sources, source);
    return &patches->sources.at[patches->sources.count - 1];
}

static bool find_repository(const struct git_history *history, struct str name,
                            size_t *number)
{
    for (*number = 0; *number < git_history_count(history); ++*number)
        if (str_eq(git_history_at(history, *number)->name, name))
            return true;
    return false;
}

static bool read_hash(struct str digits, struct git_history_hash *hash)
{
    if (digits.len != GIT_HISTORY_HASH_DIGITS)
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.ptr[i];
        unsigned value = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : 16;
        if (value > 15)
            return false;
        hash->bytes[i / 2] = (unsigned char)((unsigned)hash->bytes[i / 2] << 4 | value);
    }
    return true;
}

bool source_patches_note(struct source_patches_commit *commit, struct str name,
                         struct str value)
{
    if (str_eq(name, STR("repo")))
        commit->repositories = value;
    else if (str_eq(name, STR("hash")))
        commit->hash = value;
    else if (str_eq(name, STR("diff")))
        commit->patch = value;
    return !str_eq(name, STR("hash")) && !str_eq(name, STR("diff")) &&
           !str_eq(name, STR("added")) && !str_eq(name, STR("deleted"));
}

struct str source_patches_make(struct source_patches *patches,
                               const struct source_patches_commit *commit,
                               struct arena *arena, struct str *why)
{
    struct str rest = commit->repositories, name;
    struct git_history_hash hash = {0};
    struct git_history_changes changes;
    size_t number;

    *why = (struct str){0};
    if (commit->patch.len > 0)
        return commit->patch;
    struct patches_source *source = find_source(patches, commit);
    str_cut(&rest, '\n', &name);
    if (source->history == NULL) {
        *why = str_from(source->err.text);
    } else if (!find_repository(source->history, name, &number) ||
               !read_hash(commit->hash, &hash)) {
        *why = STR("its repository is not there any more");
    } else if (!git_history_compare(source->differ, number, &hash, GIT_HISTORY_PATCH,
                                    &changes, &source->err)) {
        *why = str_from(source->err.text);
    } else if (!changes.known) {
        *why = STR("it is a merge, which changes nothing of its own, or what it rests on "
                   "is not there");
    } else if (changes.patch.len == 0) {
        *why = STR("it changed no file");
    } else {
        return arena_copy(arena, changes.patch);
    }
    *why = arena_copy(arena, *why);
    return (struct str){0};
}
