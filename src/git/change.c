/* What a commit changed: its tree compared with its parent's, renames, lines, the patch.
 * Lines are compared by libgit2's xdiff, which is git's, with git's default settings; it
 * gets bare buffers, so that no attribute and no configuration plays a part. */
#include "git/internal.h"

#include <git2/sys/odb_backend.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

enum {
    FILE_BYTES_MAX = 16 << 20,  /* a larger file is left out */
    PATCH_BYTES_MAX = 32 << 20, /* a longer patch is cut */
    CHANGES_MAX = 500000,       /* files and folders that a commit changes */
    CONTEXT_LINES = 3,
    TREE_DEPTH_MAX = 1000,
    MODE_TYPE = 0170000,
    MODE_TREE = 0040000,
    MODE_FILE = 0100000,
    MODE_SYMLINK = 0120000,
    MODE_LINK = 0160000, /* to a commit of another repository */
};

/* A file while it is compared. */
struct content {
    struct git_history_object object;
    struct str bytes;
    char link[80]; /* what stands for a commit of another repository */
    bool there, large;
};

/* libgit2 computes the hash of bare bytes before it compares them, which takes half as
 * long again. It does not of blobs: so it gets the two sides as the only objects of a
 * database. Its repository has neither files nor configuration nor attributes. */
struct lender {
    git_odb_backend backend; /* the first member: libgit2 hands it back */
    git_repository *repository;
    struct str bytes[2];
};

struct git_history_differ {
    const struct git_history *history;
    const struct git_history_place *place; /* of the last commit; NULL: none */
    struct git_history_findings findings;
    struct git_history_objects *objects;
    struct arena arena;
    struct arena_mark begun; /* what is kept from commit to commit */
    struct git_history_reading reading;
    struct content held[2]; /* for rename.c */
    size_t held_next;
    LIST(struct git_history_file) files;
    struct buf patch, added, deleted, path;
    /* The file that is being compared: */
    unsigned want;
    bool cut;
    unsigned full; /* a bit for each of patch, added, deleted */
    size_t met;    /* files and folders that are not the same */
    struct git_history_file *file;
    bool headed; /* --- and +++ are written */
    char commit[GIT_HISTORY_HASH_DIGITS + 1];
    struct lender lender;
    GChecksum *hash; /* for patch ids */
    char patch_id[GIT_HISTORY_HASH_DIGITS];
};

enum {
    NEEDS_LINES = GIT_HISTORY_LINES | GIT_HISTORY_PATCH | GIT_HISTORY_ADDED |
                  GIT_HISTORY_DELETED | GIT_HISTORY_PATCH_ID,
    NEEDS_PATCH = GIT_HISTORY_PATCH | GIT_HISTORY_PATCH_ID,
};

/* ---- trees */

struct tree_entry {
    unsigned mode;
    struct str name;
    git_oid id;
};

/* As git reads it: old trees have files that the group may write (100664). */
static unsigned canonical(unsigned mode)
{
    switch (mode & MODE_TYPE) {
    case MODE_FILE:
        return MODE_FILE | ((mode & 0100) != 0 ? 0755u : 0644u);
    case MODE_SYMLINK:
    case MODE_TREE:
        return mode & MODE_TYPE;
    default:
        return MODE_LINK;
    }
}

/* The next "MODE NAME\0HASH" of a tree; false at its end or where it is broken. */
static bool next_entry(struct str *tree, struct tree_entry *entry)
{
    size_t at = 0;

    entry->mode = 0;
    while (at < tree->len && tree->ptr[at] >= '0' && tree->ptr[at] <= '7')
        entry->mode = entry->mode * 8 + (unsigned)(tree->ptr[at++] - '0');
    entry->mode = canonical(entry->mode);
    if (at >= tree->len || tree->ptr[at++] != ' ')
        return false;
    const char *end = memchr(tree->ptr + at, '\0', tree->len - at);
    if (end == NULL || (size_t)(tree->ptr + tree->len - end) < GIT_OID_RAWSZ + 1)
        return false;
    entry->name = (struct str){tree->ptr + at, (size_t)(end - tree->ptr) - at};
    git_oid_fromraw(&entry->id, (const unsigned char *)end + 1);
    end += GIT_OID_RAWSZ + 1;
    *tree = (struct str){end, (size_t)(tree->ptr + tree->len - end)};
    return true;
}

static bool is_tree(const struct tree_entry *entry)
{
    return (entry->mode & MODE_TYPE) == MODE_TREE;
}

/* Trees are sorted as if the names of folders ended in '/'. */
static int compare_entries(const struct tree_entry *a, const struct tree_entry *b)
{
    size_t common = a->name.len < b->name.len ? a->name.len : b->name.len;
    int order = memcmp(a->name.ptr, b->name.ptr, common);

    if (order != 0)
        return order;
    unsigned char x = a->name.len > common ? (unsigned char)a->name.ptr[common]
                      : is_tree(a)         ? '/'
                                           : 0;
    unsigned char y = b->name.len > common ? (unsigned char)b->name.ptr[common]
                      : is_tree(b)         ? '/'
                                           : 0;
    return x != y ? (x < y ? -1 : 1) : 0;
}

static bool compare_trees(struct git_history_differ *differ, const git_oid *old,
                          const git_oid *new, int depth);

static void set_side(const struct tree_entry *entry, unsigned *mode,
                     struct git_history_hash *hash)
{
    *mode = entry != NULL ? entry->mode : 0;
    if (entry != NULL)
        memcpy(hash->bytes, entry->id.id, sizeof hash->bytes);
}

/* One name that is not the same in both; old or new is NULL where it is not there. */
static bool add_change(struct git_history_differ *differ, const struct tree_entry *old,
                       const struct tree_entry *new, int depth)
{
    const struct tree_entry *any = new != NULL ? new : old;
    size_t before = differ->path.len;
    bool ok = true;

    /* A few trees that name each other many times are more files than there is memory. */
    if (differ->met++ == CHANGES_MAX) {
        git_history_note(&differ->findings, GIT_HISTORY_MANY_CHANGES, "commit %s",
                         differ->commit);
        return false;
    }

    buf_add(&differ->path, any->name);
    if (is_tree(any)) { /* then both are */
        buf_add_char(&differ->path, '/');
        ok = compare_trees(differ, old != NULL ? &old->id : NULL,
                           new != NULL ? &new->id : NULL, depth + 1);
    } else {
        struct str path = arena_copy(&differ->arena, buf_str(&differ->path));
        struct git_history_file file = {
            .path = path, .old_path = path, .added = ITEM_NONE, .deleted = ITEM_NONE};
        set_side(old, &file.old_mode, &file.old_hash);
        set_side(new, &file.new_mode, &file.new_hash);
        file.status = old == NULL                                         ? 'A'
                      : new == NULL                                       ? 'D'
                      : (old->mode & MODE_TYPE) != (new->mode &MODE_TYPE) ? 'T'
                                                                          : 'M';
        list_add(&differ->files, file);
    }
    differ->path.len = before;
    return ok;
}

static bool read_tree(struct git_history_differ *differ, const git_oid *id,
                      struct git_history_object *object)
{
    if (id == NULL)
        return true;
    if (git_history_object_read(differ->objects, id, SIZE_MAX, object) &&
        object->type == GIT_OBJECT_TREE)
        return true;
    git_history_note(&differ->findings, GIT_HISTORY_ABSENT_OBJECTS,
                     "tree %s of commit %s", git_oid_tostr_s(id), differ->commit);
    return false;
}

static bool compare_trees(struct git_history_differ *differ, const git_oid *old,
                          const git_oid *new, int depth)
{
    struct git_history_object objects[2] = {0};
    struct tree_entry a, b;
    bool ok = depth < TREE_DEPTH_MAX && read_tree(differ, old, &objects[0]) &&
              read_tree(differ, new, &objects[1]);
    struct str left = objects[0].bytes, right = objects[1].bytes;
    bool has_a = ok && next_entry(&left, &a), has_b = ok && next_entry(&right, &b);

    while (ok && (has_a || has_b)) {
        int order = !has_a ? 1 : !has_b ? -1 : compare_entries(&a, &b);
        if (order != 0 || a.mode != b.mode || !git_oid_equal(&a.id, &b.id))
            ok =
                add_change(differ, order <= 0 ? &a : NULL, order >= 0 ? &b : NULL, depth);
        has_a = order <= 0 ? next_entry(&left, &a) : has_a;
        has_b = order >= 0 ? next_entry(&right, &b) : has_b;
    }
    git_history_object_free(differ->objects, &objects[0]);
    git_history_object_free(differ->objects, &objects[1]);
    return ok;
}

/* ---- contents */

static git_oid id_of(const struct git_history_hash *hash)
{
    git_oid id;

    git_oid_fromraw(&id, hash->bytes);
    return id;
}

static bool blob_size(void *context, const git_oid *id, size_t *size)
{
    struct git_history_differ *differ = context;

    return git_history_object_size(differ->objects, id, size);
}

static void free_content(struct git_history_differ *differ, struct content *content)
{
    if (differ->objects != NULL)
        git_history_object_free(differ->objects, &content->object);
    *content = (struct content){0};
}

static void read_blob(struct git_history_differ *differ, const git_oid *id,
                      struct content *content)
{
    bool read =
        git_history_object_read(differ->objects, id, FILE_BYTES_MAX, &content->object);

    content->large = content->object.large;
    content->there = read || content->large;
    content->bytes = content->object.bytes;
}

static bool blob_bytes(void *context, const git_oid *id, struct str *bytes)
{
    struct git_history_differ *differ = context;
    struct content *content = &differ->held[differ->held_next++ % 2];

    free_content(differ, content);
    read_blob(differ, id, content);
    *bytes = content->bytes;
    return content->there && !content->large;
}

/* One side of the file that is being compared; a mode of 0 is no file, of no bytes. */
static void read_side(struct git_history_differ *differ, unsigned mode,
                      const struct git_history_hash *hash, struct content *content)
{
    git_oid id = id_of(hash);

    *content = (struct content){.there = mode == 0};
    if (mode == 0)
        return;
    if ((mode & MODE_TYPE) == MODE_LINK) {
        int len = snprintf(content->link, sizeof content->link, "Subproject commit %s\n",
                           git_oid_tostr_s(&id));
        content->bytes = (struct str){content->link, (size_t)len};
        content->there = true;
        return;
    }
    read_blob(differ, &id, content);
    if (!content->there)
        git_history_note(&differ->findings, GIT_HISTORY_ABSENT_OBJECTS,
                         "%.*s of commit %s", STR_ARG(differ->file->path),
                         differ->commit);
    else if (content->large)
        git_history_note(&differ->findings, GIT_HISTORY_LARGE_FILES, "%.*s of commit %s",
                         STR_ARG(differ->file->path), differ->commit);
}

/* ---- renames */

static void find_renames(struct git_history_differ *differ)
{
    struct arena *arena = &differ->arena;
    size_t count = differ->files.count, renames, deleted = 0, added = 0, kept = 0;
    struct git_history_file *files = differ->files.at;
    struct git_history_blob *from = arena_array(arena, struct git_history_blob, count);
    struct git_history_blob *to = arena_array(arena, struct git_history_blob, count);
    size_t *from_at = arena_array(arena, size_t, count);
    size_t *to_at = arena_array(arena, size_t, count);

    for (size_t i = 0; i < count; i++)
        if (files[i].status == 'D') {
            from_at[deleted] = i;
            from[deleted++] = (struct git_history_blob){files[i].path, files[i].old_mode,
                                                        id_of(&files[i].old_hash)};
        } else if (files[i].status == 'A') {
            to_at[added] = i;
            to[added++] = (struct git_history_blob){files[i].path, files[i].new_mode,
                                                    id_of(&files[i].new_hash)};
        }
    if (deleted == 0 || added == 0)
        return;
    struct git_history_renaming renaming = {.deleted = from,
                                            .added = to,
                                            .deleted_count = deleted,
                                            .added_count = added,
                                            .context = differ,
                                            .size = blob_size,
                                            .bytes = blob_bytes};
    struct git_history_rename *found =
        arena_array(arena, struct git_history_rename, deleted < added ? deleted : added);
    git_history_find_renames(&renaming, arena, found, &renames);
    if (renaming.too_many)
        git_history_note(&differ->findings, GIT_HISTORY_MANY_RENAMES, "%s",
                         differ->commit);
    for (size_t i = 0; i < renames; i++) {
        struct git_history_file *old = &files[from_at[found[i].from]];
        struct git_history_file *new = &files[to_at[found[i].to]];
        new->status = 'R';
        new->similarity = (int)((int64_t)found[i].score * 100 / GIT_HISTORY_SCORE_MAX);
        new->old_path = old->path;
        new->old_mode = old->old_mode;
        new->old_hash = old->old_hash;
        old->status = 0; /* is gone */
    }
    for (size_t i = 0; i < count; i++)
        if (files[i].status != 0)
            files[kept++] = files[i];
    differ->files.count = kept;
}

/* ---- the patch */

/* A path as git writes it: in quotes where it has bytes that a terminal should not get.
 */
static void add_path(struct buf *out, const char *prefix, struct str path)
{
    static const char escapes[] = "\a\b\t\n\v\f\r\"\\", letters[] = "abtnvfr\"\\";
    bool quoted = false;

    for (size_t i = 0; i < path.len; i++)
        quoted |= (unsigned char)path.ptr[i] < 0x20 ||
                  (unsigned char)path.ptr[i] >= 0x7F || path.ptr[i] == '"' ||
                  path.ptr[i] == '\\';
    if (quoted)
        buf_add_char(out, '"');
    buf_add(out, str_from(prefix));
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        const char *escape = c != 0 ? strchr(escapes, c) : NULL;
        if (escape != NULL)
            buf_add_format(out, "\\%c", letters[escape - escapes]);
        else if (c < 0x20 || c >= 0x7F)
            buf_add_format(out, "\\%03o", c);
        else
            buf_add_char(out, (char)c);
    }
    if (quoted)
        buf_add_char(out, '"');
}

static void add_hash(struct buf *out, unsigned mode, const struct git_history_hash *hash)
{
    static const struct git_history_hash none;

    git_history_hash_text(mode != 0 ? hash : &none,
                          buf_reserve(out, GIT_HISTORY_HASH_DIGITS));
    out->len += GIT_HISTORY_HASH_DIGITS;
}

static void add_side_path(struct buf *out, const char *prefix, unsigned mode,
                          struct str path)
{
    if (mode == 0)
        buf_add(out, STR("/dev/null"));
    else
        add_path(out, prefix, path);
}

static void add_heading(struct buf *out, const struct git_history_file *file)
{
    bool same = memcmp(&file->old_hash, &file->new_hash, sizeof file->old_hash) == 0 &&
                file->old_mode != 0 && file->new_mode != 0;

    buf_add(out, STR("diff --git "));
    add_path(out, "a/", file->old_path);
    buf_add_char(out, ' ');
    add_path(out, "b/", file->path);
    buf_add_char(out, '\n');
    if (file->old_mode == 0)
        buf_add_format(out, "new file mode %06o\n", file->new_mode);
    else if (file->new_mode == 0)
        buf_add_format(out, "deleted file mode %06o\n", file->old_mode);
    else if (file->old_mode != file->new_mode)
        buf_add_format(out, "old mode %06o\nnew mode %06o\n", file->old_mode,
                       file->new_mode);
    if (file->status == 'R') {
        buf_add_format(out, "similarity index %d%%\nrename from ", file->similarity);
        add_path(out, "", file->old_path);
        buf_add(out, STR("\nrename to "));
        add_path(out, "", file->path);
        buf_add_char(out, '\n');
    }
    if (same)
        return;
    buf_add(out, STR("index "));
    add_hash(out, file->old_mode, &file->old_hash);
    buf_add(out, STR(".."));
    add_hash(out, file->new_mode, &file->new_hash);
    if (file->old_mode == file->new_mode)
        buf_add_format(out, " %06o", file->new_mode);
    buf_add_char(out, '\n');
}

/* ---- lines */

/* Whether there is still room; a patch that is cut is told of once. */
static bool has_room(struct git_history_differ *differ, const struct buf *out, size_t len)
{
    unsigned bit = out == &differ->patch ? 1u : out == &differ->added ? 2u : 4u;

    /* What is cut has no holes: nothing comes behind the first that found no room. */
    if (!(differ->full & bit) && out->len + len <= PATCH_BYTES_MAX)
        return true;
    differ->full |= bit;
    if (!differ->cut)
        git_history_note(&differ->findings, GIT_HISTORY_LARGE_PATCHES, "commit %s",
                         differ->commit);
    differ->cut = true;
    return false;
}

static void add_to(struct git_history_differ *differ, struct buf *out, struct str text)
{
    if (has_room(differ, out, text.len))
        buf_add(out, text);
}

static void begin_hunk(struct git_history_differ *differ, struct str header)
{
    const struct git_history_file *file = differ->file;
    struct buf *out = &differ->patch;

    if (!(differ->want & NEEDS_PATCH))
        return;
    if (!differ->headed && has_room(differ, out, 0)) {
        buf_add(out, STR("--- "));
        add_side_path(out, "a/", file->old_mode, file->old_path);
        buf_add(out, file->old_mode != 0 &&
                             memchr(file->old_path.ptr, ' ', file->old_path.len) != NULL
                         ? STR("\t\n+++ ")
                         : STR("\n+++ "));
        add_side_path(out, "b/", file->new_mode, file->path);
        buf_add(out,
                file->new_mode != 0 && memchr(file->path.ptr, ' ', file->path.len) != NULL
                    ? STR("\t\n")
                    : STR("\n"));
    }
    differ->headed = true;
    while (header.len > 0 && strchr(" \t\r\n", header.ptr[header.len - 1]) != NULL)
        header.len--;
    add_to(differ, out, header);
    add_to(differ, out, STR("\n"));
}

static void take_text(struct git_history_differ *differ, char sign, struct str text)
{
    struct git_history_file *file = differ->file;

    if (sign == '+') {
        file->added++;
        if (differ->want & GIT_HISTORY_ADDED)
            add_to(differ, &differ->added, text);
    } else if (sign == '-') {
        file->deleted++;
        if (differ->want & GIT_HISTORY_DELETED)
            add_to(differ, &differ->deleted, text);
    }
    if ((differ->want & NEEDS_PATCH) && has_room(differ, &differ->patch, text.len + 1)) {
        buf_add_char(&differ->patch, sign);
        buf_add(&differ->patch, text);
    }
}

/* The end of a side that has no line end: libgit2 gives it as "\n\ No newline ...". */
static void take_end(struct git_history_differ *differ, char sign, struct str text)
{
    if (sign == '+' && (differ->want & GIT_HISTORY_ADDED))
        add_to(differ, &differ->added, STR("\n"));
    if (sign == '-' && (differ->want & GIT_HISTORY_DELETED))
        add_to(differ, &differ->deleted, STR("\n"));
    if (differ->want & NEEDS_PATCH)
        add_to(differ, &differ->patch, text);
}

static int take_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk,
                     void *payload)
{
    (void)delta;
    begin_hunk(payload, (struct str){hunk->header, hunk->header_len});
    return 0;
}

static int take_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
                     const git_diff_line *line, void *payload)
{
    struct str text = {line->content, line->content_len};

    (void)delta;
    (void)hunk;
    switch (line->origin) {
    case GIT_DIFF_LINE_CONTEXT:
    case GIT_DIFF_LINE_ADDITION:
    case GIT_DIFF_LINE_DELETION:
        take_text(payload, line->origin, text);
        break;
    case GIT_DIFF_LINE_ADD_EOFNL: /* the old side has none */
        take_end(payload, '-', text);
        break;
    case GIT_DIFF_LINE_DEL_EOFNL:
        take_end(payload, '+', text);
        break;
    default:
        take_end(payload, ' ', text);
    }
    return 0;
}

/* A file that came or went whole: all of its lines, without a comparison. */
static void take_whole(struct git_history_differ *differ, char sign, struct str bytes)
{
    int64_t lines = 0;
    char range[32] = "1", header[64];
    const char *at = bytes.ptr;
    size_t left = bytes.len;

    for (const char *end; left > 0 && (end = memchr(at, '\n', left)) != NULL; lines++) {
        left -= (size_t)(end + 1 - at);
        at = end + 1;
    }
    lines += left > 0;
    if (lines == 0)
        return;
    if (!(differ->want & ~(unsigned)(GIT_HISTORY_FILES | GIT_HISTORY_LINES))) {
        *(sign == '+' ? &differ->file->added : &differ->file->deleted) += lines;
        return;
    }
    if (lines > 1)
        snprintf(range, sizeof range, "1,%lld", (long long)lines);
    int len = snprintf(header, sizeof header, "@@ -%s +%s @@",
                       sign == '+' ? "0,0" : range, sign == '+' ? range : "0,0");
    begin_hunk(differ, (struct str){header, (size_t)len});
    while (bytes.len > 0) {
        const char *end = memchr(bytes.ptr, '\n', bytes.len);
        size_t length = end != NULL ? (size_t)(end + 1 - bytes.ptr) : bytes.len;
        take_text(differ, sign, str_slice(bytes, 0, length));
        bytes = str_slice(bytes, length, bytes.len);
        if (end == NULL)
            take_end(differ, sign == '+' ? '+' : '-',
                     STR("\n\\ No newline at end of file\n"));
    }
}

/* Not their own: what stands for a commit of another repository has none, and no object
 * may have that of nothing but zeros. */
static const git_oid lent[2] = {{{1}}, {{2}}};

static int lend(void **bytes, size_t *len, git_object_t *type, git_odb_backend *backend,
                const git_oid *id)
{
    const struct lender *lender = (const void *)backend;
    size_t side = git_oid_equal(id, &lent[0]) ? 0 : 1;

    *len = lender->bytes[side].len;
    *type = GIT_OBJECT_BLOB;
    *bytes = git_odb_backend_data_alloc(backend, *len);
    if (*bytes == NULL)
        return GIT_ERROR;
    memcpy(*bytes, lender->bytes[side].ptr, *len);
    return 0;
}

static void stay(git_odb_backend *backend)
{
    (void)backend; /* is a part of the differ */
}

static bool open_lender(struct lender *lender)
{
    git_odb *odb = NULL;

    git_odb_init_backend(&lender->backend, GIT_ODB_BACKEND_VERSION);
    lender->backend.read = lend;
    lender->backend.free = stay;
    bool ok = git_odb_new(&odb) == 0 &&
              git_odb_add_backend(odb, &lender->backend, 1) == 0 &&
              git_repository_wrap_odb(&lender->repository, odb) == 0;
    git_odb_free(odb);
    return ok;
}

static bool compare_text(struct git_history_differ *differ, struct str old,
                         struct str new, struct err *err)
{
    struct lender *lender = &differ->lender;
    git_blob *sides[2] = {NULL, NULL};
    git_diff_options options;

    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
    options.context_lines = CONTEXT_LINES;
    lender->bytes[0] = old;
    lender->bytes[1] = new;
    bool ok = (lender->repository != NULL || open_lender(lender)) &&
              git_blob_lookup(&sides[0], lender->repository, &lent[0]) == 0 &&
              git_blob_lookup(&sides[1], lender->repository, &lent[1]) == 0 &&
              git_diff_blobs(sides[0], "", sides[1], "", &options, NULL, NULL, take_hunk,
                             take_line, differ) == 0;
    git_blob_free(sides[0]);
    git_blob_free(sides[1]);
    return ok || err_set(err, ERR_SYSTEM, "commit %s: %.*s cannot be compared: %s",
                         differ->commit, STR_ARG(differ->file->path), git_history_said());
}

static void add_binary(struct git_history_differ *differ)
{
    struct buf *out = &differ->patch;

    if (!has_room(differ, out, 0))
        return;
    buf_add(out, STR("Binary files "));
    add_side_path(out, "a/", differ->file->old_mode, differ->file->old_path);
    buf_add(out, STR(" and "));
    add_side_path(out, "b/", differ->file->new_mode, differ->file->path);
    buf_add(out, STR(" differ\n"));
}

static bool compare_sides(struct git_history_differ *differ, struct err *err)
{
    struct git_history_file *file = differ->file;
    struct content old, new;
    bool ok = true;

    differ->headed = false;
    if ((differ->want & NEEDS_PATCH) && has_room(differ, &differ->patch, 0))
        add_heading(&differ->patch, file);
    file->added = file->deleted = 0;
    if (file->old_mode != 0 && file->new_mode != 0 &&
        memcmp(&file->old_hash, &file->new_hash, sizeof file->old_hash) == 0)
        return true;
    read_side(differ, file->old_mode, &file->old_hash, &old);
    read_side(differ, file->new_mode, &file->new_hash, &new);
    file->large = old.large || new.large;
    file->absent = !old.there || !new.there;
    if (file->large || file->absent || git_history_is_binary(old.bytes) ||
        git_history_is_binary(new.bytes)) {
        file->added = file->deleted = ITEM_NONE;
        if (differ->want & NEEDS_PATCH)
            add_binary(differ);
    } else if (old.bytes.len == 0) {
        take_whole(differ, '+', new.bytes);
    } else if (new.bytes.len == 0) {
        take_whole(differ, '-', old.bytes);
    } else {
        ok = compare_text(differ, old.bytes, new.bytes, err);
    }
    free_content(differ, &old);
    free_content(differ, &new);
    return ok;
}

/* A file that became a link, or the like, is in a patch one that went and one that came;
 * its lines are counted as those of one file. */
static bool compare_file(struct git_history_differ *differ, struct git_history_file *file,
                         struct err *err)
{
    unsigned want = differ->want;

    differ->file = file;
    if (file->status != 'T' || !(want & NEEDS_PATCH))
        return compare_sides(differ, err);
    struct git_history_file went = *file, came = *file;
    went.new_mode = came.old_mode = 0;
    differ->want = NEEDS_PATCH;
    differ->file = &went;
    bool ok = compare_sides(differ, err);
    differ->file = &came;
    ok = ok && compare_sides(differ, err);
    differ->want = want & ~(unsigned)NEEDS_PATCH;
    differ->file = file;
    ok = ok && compare_sides(differ, err);
    differ->want = want;
    return ok;
}

/* ---- the patch id */

/* Adds the hash of what was seen since the last time to the sum, and begins anew. */
static void flush_hash(GChecksum *hash, unsigned char sum[GIT_HISTORY_HASH_BYTES])
{
    unsigned char digest[GIT_HISTORY_HASH_BYTES];
    gsize len = sizeof digest;
    unsigned carry = 0;

    g_checksum_get_digest(hash, digest, &len);
    g_checksum_reset(hash);
    for (size_t i = 0; i < sizeof digest; i++) {
        carry += (unsigned)sum[i] + digest[i];
        sum[i] = (unsigned char)carry;
        carry >>= 8;
    }
}

static void hash_line(GChecksum *hash, struct str line, struct buf *scratch)
{
    buf_clear(scratch);
    for (size_t i = 0; i < line.len && line.ptr[i] != '\0'; i++)
        if (strchr(" \t\r\n", line.ptr[i]) == NULL)
            buf_add_char(scratch, line.ptr[i]);
    if (scratch->len > 0)
        g_checksum_update(hash, (const guchar *)scratch->ptr, (gssize)scratch->len);
}

/* "-1,3" or "+1": how many lines. */
static int64_t hunk_lines(struct str range)
{
    struct str first;
    int64_t count = 1;

    if (str_cut(&range, ',', &first))
        str_to_int(range, &count);
    return count;
}

/* The two hashes of "index OLD..NEW MODE" stand for a file that is not text. */
static void hash_index(GChecksum *hash, struct str index)
{
    struct str old = str_slice(index, 0, GIT_HISTORY_HASH_DIGITS);
    struct str new =
        str_slice(index, GIT_HISTORY_HASH_DIGITS + 2, 2 * GIT_HISTORY_HASH_DIGITS + 2);

    g_checksum_update(hash, (const guchar *)old.ptr, (gssize)old.len);
    g_checksum_update(hash, (const guchar *)new.ptr, (gssize) new.len);
}

/* As `git patch-id --stable` reads a patch (builtin/patch-id.c of git 2.39): blanks and
 * line numbers do not count, and neither does the order of files. */
static void make_patch_id(struct str patch, GChecksum *hash,
                          char out[GIT_HISTORY_HASH_DIGITS])
{
    struct git_history_hash sum = {0};
    struct buf scratch = {0};
    struct str line, rest, index = {0};
    int64_t before = -1, after = -1;
    bool binary = false;

    while (patch.len > 0) {
        str_cut(&patch, '\n', &line);
        if (str_starts(line, STR("\\ ")))
            continue;
        if (before == -1) {
            if (str_starts(line, STR("Binary files"))) {
                binary = true;
                before = 0;
                hash_index(hash, index);
                flush_hash(hash, sum.bytes);
                continue;
            }
            if (str_starts(line, STR("index "))) {
                index = str_slice(line, sizeof "index " - 1, line.len);
                continue;
            }
            if (str_starts(line, STR("--- ")))
                before = after = 1;
        }
        if (binary) {
            if (str_starts(line, STR("diff "))) {
                binary = false;
                before = -1;
            }
            continue;
        }
        if (before == 0 && after == 0) {
            if (str_starts(line, STR("@@ -"))) {
                rest = str_slice(line, 3, line.len);
                struct str range;
                str_cut(&rest, ' ', &range);
                before = hunk_lines(range);
                str_cut(&rest, ' ', &range);
                after = hunk_lines(range);
                continue;
            }
            flush_hash(hash, sum.bytes); /* another file */
            before = after = -1;
        }
        before -= str_starts(line, STR("-")) || str_starts(line, STR(" "));
        after -= str_starts(line, STR("+")) || str_starts(line, STR(" "));
        hash_line(hash, line, &scratch);
    }
    flush_hash(hash, sum.bytes);
    git_history_hash_text(&sum, out);
    buf_free(&scratch);
}

/* ---- all together */

/* The trees of a commit and of its only parent; false when it has several, or something
 * is missing. */
static bool find_trees(struct git_history_differ *differ, const git_oid *id, git_oid *old,
                       git_oid *new, bool *root)
{
    const struct git_history_place *place = differ->place;
    struct git_history_object object;
    git_oid parent;
    bool ok = !git_history_has(place->shallow.at, place->shallow.count, id);

    for (int turn = 0; ok && turn < 2; turn++) {
        const git_oid *wanted = turn == 0 ? id : &parent;
        ok = git_history_object_read(differ->objects, wanted, SIZE_MAX, &object) &&
             git_history_read_links(object.bytes, &differ->reading, turn == 0 ? new : old,
                                    NULL);
        git_history_object_free(differ->objects, &object);
        if (!ok) {
            git_history_note(&differ->findings, GIT_HISTORY_ABSENT_OBJECTS,
                             "commit %s, for the changes of %s", git_oid_tostr_s(wanted),
                             differ->commit);
            return false;
        }
        if (turn == 0) {
            ok = differ->reading.parents.count <= 1;
            *root = differ->reading.parents.count == 0;
            if (*root)
                return true;
            if (ok)
                git_oid_fromraw(&parent, differ->reading.parents.at[0].bytes);
        }
    }
    return ok;
}

struct git_history_differ *git_history_differ_open(const struct git_history *history)
{
    struct arena arena = {0};
    struct git_history_differ *differ = arena_array(&arena, struct git_history_differ, 1);

    differ->history = history;
    differ->hash = g_checksum_new(G_CHECKSUM_SHA1);
    differ->arena = arena;
    differ->begun = arena_mark(&differ->arena);
    return differ;
}

void git_history_differ_close(struct git_history_differ *differ)
{
    if (differ == NULL)
        return;
    free_content(differ, &differ->held[0]);
    free_content(differ, &differ->held[1]);
    git_history_objects_close(differ->objects);
    git_repository_free(differ->lender.repository);
    g_checksum_free(differ->hash);
    git_history_reading_free(&differ->reading);
    list_free(&differ->files);
    buf_free(&differ->patch);
    buf_free(&differ->added);
    buf_free(&differ->deleted);
    buf_free(&differ->path);
    struct arena arena = differ->arena;
    arena_free(&arena);
}

static bool turn_to(struct git_history_differ *differ, size_t repository, struct err *err)
{
    const struct git_history_place *place = &differ->history->places.at[repository];

    if (differ->place == place)
        return true;
    free_content(differ, &differ->held[0]);
    free_content(differ, &differ->held[1]);
    git_history_objects_close(differ->objects);
    differ->objects = NULL;
    differ->place = NULL;
    if (!git_history_objects_open(place, false, &differ->objects, err))
        return false;
    differ->place = place;
    return true;
}

bool git_history_compare(struct git_history_differ *differ, size_t repository,
                         const struct git_history_hash *commit, unsigned want,
                         struct git_history_changes *out, struct err *err)
{
    git_oid id = id_of(commit), old, new;
    bool root = false;

    differ->findings = (struct git_history_findings){0};
    *out = (struct git_history_changes){.findings = &differ->findings};
    if (!turn_to(differ, repository, err))
        return false;
    arena_rewind(&differ->arena, differ->begun);
    git_oid_tostr(differ->commit, sizeof differ->commit, &id);
    list_clear(&differ->files);
    buf_clear(&differ->patch);
    buf_clear(&differ->added);
    buf_clear(&differ->deleted);
    buf_clear(&differ->path);
    differ->want = want;
    differ->cut = false;
    differ->full = 0;
    differ->met = 0;
    if (!find_trees(differ, &id, &old, &new, &root) ||
        !compare_trees(differ, root ? NULL : &old, &new, 0))
        return true;
    find_renames(differ);
    for (size_t i = 0; i < differ->files.count && (want & NEEDS_LINES); i++) {
        struct git_history_file *file = &differ->files.at[i];
        if (!compare_file(differ, file, err))
            return false;
        out->added += file->added != ITEM_NONE ? file->added : 0;
        out->deleted += file->deleted != ITEM_NONE ? file->deleted : 0;
    }
    out->known = true;
    out->files = differ->files.at;
    out->file_count = differ->files.count;
    out->patch = buf_str(&differ->patch);
    out->added_lines = buf_str(&differ->added);
    out->deleted_lines = buf_str(&differ->deleted);
    if ((want & GIT_HISTORY_PATCH_ID) && differ->patch.len > 0 && !differ->cut) {
        make_patch_id(out->patch, differ->hash, differ->patch_id);
        out->patch_id = (struct str){differ->patch_id, sizeof differ->patch_id};
    }
    return true;
}
