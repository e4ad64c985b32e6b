/* Finds repositories and where their histories begin: refs, shallow commits, HEAD. */
#include "git/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/file.h"
#include "input/input.h"
#include "text/utf8.h"

enum {
    DEPTH_MAX = 4, /* of folders below the one that is given */
    TAGS_MAX = 20, /* that name one another */
    CACHE_BYTES = 48 << 20,
    CACHED_BYTES = 64 << 10, /* a larger tree or file is not cached */
    WINDOW_BYTES = 32 << 20,
    MAPPED_BYTES = 96 << 20,
};

/* ---- findings */

const char *git_history_oddity_name(enum git_history_oddity oddity)
{
    static const char *const names[GIT_HISTORY_ODDITIES] = {
        [GIT_HISTORY_UNREADABLE] = "repositories that cannot be read",
        [GIT_HISTORY_EMPTY] = "repositories without commits",
        [GIT_HISTORY_DETACHED] = "repositories whose HEAD is on no branch",
        [GIT_HISTORY_SHALLOW] = "commits at which a shallow history is cut off",
        [GIT_HISTORY_ABSENT_COMMITS] = "commits that are named but not there",
        [GIT_HISTORY_PREREQUISITES] = "commits that a bundle builds on without them",
        [GIT_HISTORY_FILTERED] = "bundles made with a filter",
        [GIT_HISTORY_BROKEN_REFS] = "refs that cannot be read",
        [GIT_HISTORY_REPLACEMENTS] = "refs that replace objects, not followed",
        [GIT_HISTORY_BROKEN_COMMITS] = "commits that cannot be read",
        [GIT_HISTORY_UNDATED] = "commits without a usable date",
        [GIT_HISTORY_RECODED] = "commits in an encoding other than UTF-8",
        [GIT_HISTORY_STRANGE_CODES] = "commits in an encoding that is not known",
        [GIT_HISTORY_REPAIRED] = "commits with bytes that are no characters",
        [GIT_HISTORY_ABSENT_OBJECTS] = "changed files or trees that are not there",
        [GIT_HISTORY_LARGE_FILES] = "changed files left out as too large",
        [GIT_HISTORY_LARGE_PATCHES] = "patches cut as too large",
        [GIT_HISTORY_MANY_RENAMES] = "commits with too many files for all renames",
        [GIT_HISTORY_MANY_CHANGES] = "commits that change too many files to be compared",
    };

    return names[oddity];
}

/* Names of files are any bytes; what is told of them is text. It is cut where it is full,
 * not within a character. */
static void make_text(char *text, size_t size)
{
    struct str rest = str_from(text), line;
    struct buf repaired = {0};
    uint32_t code;
    size_t len = 0;

    if (text_utf8_valid(rest) && memchr(text, '\n', rest.len) == NULL)
        return;
    while (rest.len > 0) { /* a line end would begin another finding */
        bool more = str_cut(&rest, '\n', &line);
        text_utf8_repair(line, &repaired);
        if (more)
            buf_add_char(&repaired, ' ');
    }
    for (struct str all = buf_str(&repaired); len < all.len;) {
        size_t step = text_utf8_read(all, len, &code);
        if (step == 0 || len + step >= size)
            break;
        len += step;
    }
    memcpy(text, repaired.ptr, len);
    text[len] = '\0';
    buf_free(&repaired);
}

void git_history_note(struct git_history_findings *findings,
                      enum git_history_oddity oddity, const char *format, ...)
{
    va_list arguments;

    if (findings->count[oddity]++ > 0)
        return;
    va_start(arguments, format);
    vsnprintf(findings->first[oddity], sizeof findings->first[oddity], format, arguments);
    va_end(arguments);
    make_text(findings->first[oddity], sizeof findings->first[oddity]);
}

void git_history_keep_findings(struct git_history *history, size_t repository,
                               const struct git_history_findings *findings)
{
    struct git_history_findings *into = &history->places.at[repository].shown.findings;

    for (size_t i = 0; i < GIT_HISTORY_ODDITIES; i++) {
        if (into->count[i] == 0)
            memcpy(into->first[i], findings->first[i], sizeof into->first[i]);
        into->count[i] += findings->count[i];
    }
}

struct git_history_findings git_history_findings(const struct git_history *history)
{
    struct git_history_findings all = {0};

    for (size_t p = 0; p < history->places.count; p++) {
        const struct git_history_repository *shown = &history->places.at[p].shown;
        for (size_t i = 0; i < GIT_HISTORY_ODDITIES; i++) {
            if (all.count[i] == 0 && shown->findings.count[i] > 0)
                snprintf(all.first[i], sizeof all.first[i], "%.*s: %s",
                         STR_ARG(shown->name), shown->findings.first[i]);
            all.count[i] += shown->findings.count[i];
        }
    }
    return all;
}

/* ---- libgit2 */

const char *git_history_said(void)
{
    const git_error *error = git_error_last();

    return error != NULL && error->message != NULL ? error->message : "no reason given";
}

/* All of these are for the whole process. Hashes of objects are not computed once more
 * when they are read, as git does not either: zlib's checksum is in every object, and a
 * bundle's hashes are computed when it is unpacked. Commits are read once each, so that
 * only trees are worth keeping. */
static void set_up(void)
{
    static const char *extensions[] = {"partialclone", "preciousobjects",
                                       "worktreeconfig"};

    git_libgit2_init();
    for (int level = GIT_CONFIG_LEVEL_PROGRAMDATA; level <= GIT_CONFIG_LEVEL_GLOBAL;
         level++)
        git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, ROWS_OF(extensions));
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHE_BYTES);
    git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_COMMIT, (size_t)0);
    git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE,
                     (size_t)CACHED_BYTES);
    git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_BLOB, (size_t)0);
    git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)WINDOW_BYTES);
    git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)MAPPED_BYTES);
}

bool git_history_objects_of(const struct git_history_place *place, git_odb **out,
                            struct err *err)
{
    git_odb_backend *pack = NULL;
    git_odb *odb = NULL;
    int failed;

    if (place->shown.objects != NULL) {
        failed = git_odb_open(&odb, place->shown.objects);
    } else {
        failed = git_odb_new(&odb) || git_odb_backend_one_pack(&pack, place->index);
        failed = failed || git_odb_add_backend(odb, pack, 1);
    }
    if (failed) {
        git_odb_free(odb);
        return err_set(err, ERR_INPUT, "%s: its objects cannot be read: %s",
                       place->shown.path, git_history_said());
    }
    *out = odb;
    return true;
}

/* ---- refs */

static int compare_tips(const void *a, const void *b)
{
    const struct git_history_tip *x = a, *y = b;
    int order = git_oid_cmp(&x->id, &y->id);

    return order != 0 ? order : str_compare(x->name, y->name);
}

static int compare_ids(const void *a, const void *b)
{
    return git_oid_cmp(a, b);
}

bool git_history_has(const git_oid *sorted, size_t count, const git_oid *id)
{
    return count > 0 && bsearch(id, sorted, count, sizeof *sorted, compare_ids) != NULL;
}

static struct str short_name(struct str name)
{
    static const struct str prefixes[] = {STR_INIT("refs/heads/"), STR_INIT("refs/tags/"),
                                          STR_INIT("refs/remotes/"), STR_INIT("refs/")};

    for (size_t i = 0; i < ROWS_OF(prefixes); i++)
        if (str_starts(name, prefixes[i]))
            return str_slice(name, prefixes[i].len, name.len);
    return name;
}

/* What a tag names: "object <hash>" is the first line of its object. */
static bool read_tag(git_odb_object *object, git_oid *id)
{
    struct str text = {git_odb_object_data(object), git_odb_object_size(object)};
    char digits[GIT_HISTORY_HASH_DIGITS + 1] = {0};
    const size_t begin = sizeof "object " - 1;

    if (!str_starts(text, STR("object ")) || text.len < begin + GIT_HISTORY_HASH_DIGITS)
        return false;
    memcpy(digits, text.ptr + begin, GIT_HISTORY_HASH_DIGITS);
    return git_oid_fromstr(id, digits) == 0;
}

void git_history_add_tip(struct git_history_place *place, git_odb *odb, git_oid id,
                         struct str name)
{
    struct git_history_findings *findings = &place->shown.findings;
    git_odb_object *object;
    size_t len;
    git_object_t type = GIT_OBJECT_TAG;

    if (str_starts(name, STR("refs/replace/")))
        git_history_note(findings, GIT_HISTORY_REPLACEMENTS, "%.*s", STR_ARG(name));
    for (int tags = 0; type == GIT_OBJECT_TAG && tags < TAGS_MAX; tags++) {
        if (git_odb_read_header(&len, &type, odb, &id) != 0) {
            git_history_note(findings, GIT_HISTORY_ABSENT_COMMITS, "%.*s names %s",
                             STR_ARG(name), git_oid_tostr_s(&id));
            return;
        }
        if (type != GIT_OBJECT_TAG)
            break;
        bool read = git_odb_read(&object, odb, &id) == 0;
        if (!read || !read_tag(object, &id)) {
            git_history_note(findings, GIT_HISTORY_BROKEN_REFS, "%.*s", STR_ARG(name));
            type = GIT_OBJECT_INVALID;
        }
        if (read)
            git_odb_object_free(object);
    }
    if (type == GIT_OBJECT_COMMIT) /* a tag of a file or a tree is no mistake */
        list_add(&place->tips, ((struct git_history_tip){id, short_name(name)}));
}

static void add_ref(struct git_history_place *place, git_repository *repository,
                    git_odb *odb, const char *name, struct arena *arena)
{
    git_reference *found = NULL, *resolved = NULL;

    if (git_reference_lookup(&found, repository, name) == 0 &&
        git_reference_resolve(&resolved, found) == 0)
        git_history_add_tip(place, odb, *git_reference_target(resolved),
                            arena_copy(arena, str_from(name)));
    else
        git_history_note(&place->shown.findings, GIT_HISTORY_BROKEN_REFS, "%s", name);
    git_reference_free(found);
    git_reference_free(resolved);
}

/* Files below refs/ that are no refs: libgit2 leaves them out without a word. */
static void note_broken(struct git_history_place *place, git_repository *repository,
                        const char *folder, const char *name, int depth,
                        struct arena *arena)
{
    const char *path = file_join(folder, name, arena);
    const char *const *names;
    struct err ignored = {0};
    size_t count;

    if (!file_is_folder(path)) {
        git_reference *found = NULL;
        if (!str_ends(str_from(name), STR(".lock")) &&
            git_reference_lookup(&found, repository, name) != 0)
            git_history_note(&place->shown.findings, GIT_HISTORY_BROKEN_REFS, "%s", name);
        git_reference_free(found);
    } else if (depth < DEPTH_MAX && file_list(path, arena, &names, &count, &ignored)) {
        for (size_t i = 0; i < count; i++)
            note_broken(place, repository, folder, file_join(name, names[i], arena),
                        depth + 1, arena);
    }
}

static bool add_refs(struct git_history_place *place, git_repository *repository,
                     git_odb *odb, struct arena *arena, struct err *err)
{
    git_reference_iterator *iterator;
    git_reference *head = NULL;
    const char *name;
    int status;

    if (git_reference_iterator_new(&iterator, repository) != 0)
        return err_set(err, ERR_INPUT, "%s: its refs cannot be read: %s",
                       place->shown.path, git_history_said());
    while ((status = git_reference_next_name(&name, iterator)) == 0)
        add_ref(place, repository, odb, name, arena);
    git_reference_iterator_free(iterator);
    if (status != GIT_ITEROVER)
        git_history_note(&place->shown.findings, GIT_HISTORY_BROKEN_REFS, "%s",
                         git_history_said());
    note_broken(place, repository, git_repository_commondir(repository), "refs",
                -DEPTH_MAX, arena);
    if (git_repository_head_detached(repository) == 1) {
        git_history_note(&place->shown.findings, GIT_HISTORY_DETACHED, "HEAD");
        if (git_repository_head(&head, repository) == 0)
            git_history_add_tip(place, odb, *git_reference_target(head), STR("HEAD"));
        git_reference_free(head);
    }
    return true;
}

/* The commits at which a shallow clone was cut off, a hash a line. */
static bool read_shallow(struct git_history_place *place, const char *folder,
                         struct arena *arena, struct err *err)
{
    const char *path = file_join(folder, "shallow", arena);
    struct str text, line;
    char digits[GIT_HISTORY_HASH_DIGITS + 1] = {0};
    git_oid id;

    if (!file_exists(path))
        return true;
    if (!file_read(path, arena, &text, err))
        return false;
    while (text.len > 0) {
        str_cut(&text, '\n', &line);
        line = str_trim(line);
        if (line.len != GIT_HISTORY_HASH_DIGITS)
            continue;
        memcpy(digits, line.ptr, line.len);
        if (git_oid_fromstr(&id, digits) == 0)
            list_add(&place->shallow, id);
    }
    if (place->shallow.count > 0)
        qsort(place->shallow.at, place->shallow.count, sizeof id, compare_ids);
    return true;
}

/* ---- repositories */

static bool read_repository(struct git_history_place *place, struct arena *arena,
                            struct err *err)
{
    git_repository *repository = NULL;
    git_odb *odb = NULL;

    if (git_repository_open_ext(&repository, place->shown.path,
                                GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) != 0)
        return err_set(err, ERR_INPUT, "%s: cannot be read as a git repository: %s",
                       place->shown.path, git_history_said());
    const char *folder =
        arena_c_string(arena, str_from(git_repository_commondir(repository)));
    place->shown.form =
        git_repository_is_bare(repository) ? GIT_HISTORY_BARE : GIT_HISTORY_WORKTREE;
    place->shown.objects = file_join(folder, "objects", arena);
    bool ok = git_history_objects_of(place, &odb, err) &&
              add_refs(place, repository, odb, arena, err) &&
              read_shallow(place, folder, arena, err);
    git_odb_free(odb);
    git_repository_free(repository);
    return ok;
}

static bool read_place(struct git_history_place *place, struct arena *arena,
                       struct err *err)
{
    bool ok = place->shown.form == GIT_HISTORY_BUNDLE
                  ? git_history_bundle_open(place, arena, err)
                  : read_repository(place, arena, err);

    if (place->tips.count > 1)
        qsort(place->tips.at, place->tips.count, sizeof *place->tips.at, compare_tips);
    if (ok && place->tips.count == 0)
        git_history_note(&place->shown.findings, GIT_HISTORY_EMPTY,
                         "no ref leads to a commit");
    return ok;
}

static bool has(const char *folder, const char *name)
{
    struct arena arena = {0};
    bool there = file_exists(file_join(folder, name, &arena));

    arena_free(&arena);
    return there;
}

bool git_history_is_one(const char *folder)
{
    return has(folder, ".git") || (has(folder, "HEAD") && has(folder, "objects"));
}

static bool is_bundle(const char *path)
{
    struct stat status;

    struct input_stream_options options = {0};
    struct input_stream *stream = NULL;
    struct input *input = NULL;
    struct err ignored = {0};
    char first[16];
    size_t got = 0;

    bool is = stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
              input_open(path, &input, &ignored) && input_count(input) == 1 &&
              input_stream_open(input, 0, &options, &stream, &ignored) &&
              input_stream_read(stream, first, sizeof first, &got, &ignored) &&
              git_history_bundle_begins((struct str){first, got});
    input_stream_close(stream);
    input_close(input);
    return is;
}

/* "a/b.bundle" is called a/b; "." has no better name than that. */
static struct str name_of(const char *path)
{
    static const struct str endings[] = {STR_INIT("/"), STR_INIT(".git"),
                                         STR_INIT(".bundle")};
    struct str name = str_from(path);

    for (size_t i = 0; i < ROWS_OF(endings); i++)
        while (name.len > endings[i].len && str_ends(name, endings[i]))
            name = str_slice(name, 0, name.len - endings[i].len);
    while (str_ends(name, STR("/")) && name.len > 1) /* "repository/.git" */
        name = str_slice(name, 0, name.len - 1);
    return name;
}

static struct str last_name(struct str path)
{
    for (size_t i = path.len; i > 0; i--)
        if (path.ptr[i - 1] == '/' && i < path.len)
            return str_slice(path, i, path.len);
    return path;
}

static void add_place(struct git_history *history, const char *path, struct str name,
                      bool bundle)
{
    struct git_history_place place = {
        .shown = {.name = name,
                  .path = path,
                  .form = bundle ? GIT_HISTORY_BUNDLE : GIT_HISTORY_WORKTREE},
        .shared = arena_array(&history->arena, struct git_history_shared, 1)};

    pthread_mutex_init(&place.shared->mutex, NULL);
    list_add(&history->places, place);
}

/* In a folder only what is called so is looked into: there may be archives of any size.
 */
static bool is_called_bundle(const char *name)
{
    return strstr(name, ".bundle") != NULL;
}

/* All that is below a folder; nothing within a repository. */
static bool search_folder(struct git_history *history, const char *root,
                          const char *folder, int depth, struct err *err)
{
    const char *const *names;
    size_t count;

    if (!file_list(folder, &history->arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *path = file_join(folder, names[i], &history->arena);
        struct str name = name_of(path);
        bool is_folder = file_is_folder(path);
        name = str_slice(name, strlen(root), name.len);
        while (str_starts(name, STR("/")))
            name = str_slice(name, 1, name.len);
        if (is_folder ? git_history_is_one(path)
                      : is_called_bundle(names[i]) && is_bundle(path))
            add_place(history, path, name, !is_folder);
        else if (is_folder && depth < DEPTH_MAX &&
                 !search_folder(history, root, path, depth + 1, err))
            return false;
    }
    return true;
}

static bool search(struct git_history *history, const char *path, struct err *err)
{
    bool folder = file_is_folder(path);
    size_t before = history->places.count;

    if (!file_exists(path))
        return err_set(err, ERR_SYSTEM, "cannot read %s: No such file or directory",
                       path);
    if (folder ? git_history_is_one(path) : is_bundle(path))
        add_place(history, path, last_name(name_of(path)), !folder);
    else if (folder && !search_folder(history, path, path, 0, err))
        return false;
    return history->places.count > before ||
           err_set(err, ERR_INPUT,
                   folder ? "%s: is no git repository and has none in it; expected a "
                            "repository, a bundle or a folder of them"
                          : "%s: is no git bundle; expected one, or the folder of a git "
                            "repository",
                   path);
}

static void free_places(struct git_history *history)
{
    for (size_t i = 0; i < history->places.count; i++) {
        file_remove_temporary(history->places.at[i].temporary);
        list_free(&history->places.at[i].tips);
        list_free(&history->places.at[i].shallow);
        pthread_mutex_destroy(&history->places.at[i].shared->mutex);
    }
    list_free(&history->places);
}

bool git_history_is(const char *path)
{
    struct git_history history = {0};
    struct err ignored = {0};
    bool is = search(&history, path, &ignored);

    list_free(&history.places);
    arena_free(&history.arena);
    return is;
}

static void add_tips(const struct git_history_place *place, struct buf *out)
{
    for (size_t i = 0; i < place->tips.count; i++)
        buf_add_format(out, "%s %.*s\n", git_oid_tostr_s(&place->tips.at[i].id),
                       STR_ARG(place->tips.at[i].name));
    for (size_t i = 0; i < place->shallow.count; i++)
        buf_add_format(out, "%s shallow\n", git_oid_tostr_s(&place->shallow.at[i]));
}

void git_history_add_tips(const struct git_history *history, size_t repository,
                          struct buf *out)
{
    add_tips(&history->places.at[repository], out);
}

/* What is not a bundle is as its refs are. */
static void add_state(struct git_history_place *place, struct arena *arena,
                      struct buf *out)
{
    struct err why = {0};
    struct input *input = NULL;

    buf_add_format(out, "  %.*s", STR_ARG(place->shown.name));
    if (place->shown.form == GIT_HISTORY_BUNDLE) {
        if (input_open(place->shown.path, &input, &why))
            buf_add_format(out, " %lld %lld",
                           (long long)input_member(input, 0)->file_size,
                           (long long)input_member(input, 0)->modified_ms);
        input_close(input);
    } else if (read_place(place, arena, &why)) {
        struct buf tips = {0};
        add_tips(place, &tips);
        buf_add_format(out, " %016llx",
                       (unsigned long long)XXH3_64bits(tips.ptr, tips.len));
        buf_free(&tips);
    }
    buf_add_char(out, '\n');
}

bool git_history_add_state(const char *path, struct buf *out, struct err *err)
{
    struct git_history history = {0};

    set_up();
    bool ok = search(&history, path, err);
    for (size_t i = 0; i < history.places.count && ok; i++)
        add_state(&history.places.at[i], &history.arena, out);
    free_places(&history);
    arena_free(&history.arena);
    git_libgit2_shutdown();
    return ok;
}

/* A repository that is given twice, or has worktrees elsewhere, is one: what the others
 * lead to is the first one's. */
static void join_same(struct git_history *history)
{
    size_t kept = 0;

    for (size_t i = 0; i < history->places.count; i++) {
        struct git_history_place *place = &history->places.at[i], *same = NULL;
        for (size_t j = 0; j < kept && place->shown.objects != NULL && same == NULL; j++)
            if (history->places.at[j].shown.objects != NULL &&
                strcmp(history->places.at[j].shown.objects, place->shown.objects) == 0)
                same = &history->places.at[j];
        if (same == NULL) {
            history->places.at[kept++] = *place;
            continue;
        }
        for (size_t t = 0; t < place->tips.count; t++)
            if (same->tips.count == 0 ||
                bsearch(&place->tips.at[t], same->tips.at, same->tips.count,
                        sizeof *same->tips.at, compare_tips) == NULL) {
                list_add(&same->tips, place->tips.at[t]);
                qsort(same->tips.at, same->tips.count, sizeof *same->tips.at,
                      compare_tips);
            }
        list_free(&place->tips);
        list_free(&place->shallow);
    }
    history->places.count = kept;
}

bool git_history_open(const char *const *paths, size_t count, struct git_history **out,
                      struct err *err)
{
    struct arena arena = {0};
    struct git_history *history = arena_array(&arena, struct git_history, 1);
    bool ok = true;

    history->arena = arena;
    set_up();
    for (size_t i = 0; i < count && ok; i++)
        ok = search(history, arena_c_string(&history->arena, str_from(paths[i])), err);
    for (size_t i = 0; i < history->places.count && ok; i++) {
        struct git_history_place *place = &history->places.at[i];
        struct err why = {0};
        if (read_place(place, &history->arena, &why))
            continue;
        /* What the machine or the user refuses ends it; a broken one of many does not. */
        if (why.kind != ERR_INPUT || history->places.count == 1) {
            *err = why;
            ok = false;
        }
        list_clear(&place->tips);
        /* A finding goes into results, which do not depend on where the files lie. */
        struct str text = str_from(why.text), begin = str_from(place->shown.path);
        if (str_starts(text, begin))
            text = str_slice(text, begin.len + 2, text.len);
        git_history_note(&place->shown.findings, GIT_HISTORY_UNREADABLE, "%.*s",
                         STR_ARG(text));
    }
    if (!ok) {
        git_history_close(history);
        return false;
    }
    join_same(history);
    *out = history;
    return true;
}

void git_history_close(struct git_history *history)
{
    if (history == NULL)
        return;
    free_places(history);
    struct arena arena = history->arena;
    arena_free(&arena);
    git_libgit2_shutdown();
}

size_t git_history_count(const struct git_history *history)
{
    return history->places.count;
}

const struct git_history_repository *git_history_at(const struct git_history *history,
                                                    size_t repository)
{
    return &history->places.at[repository].shown;
}

void git_history_hash_text(const struct git_history_hash *hash,
                           char out[GIT_HISTORY_HASH_DIGITS])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < GIT_HISTORY_HASH_BYTES; i++) {
        out[2 * i] = digits[hash->bytes[i] >> 4];
        out[2 * i + 1] = digits[hash->bytes[i] & 15];
    }
}
