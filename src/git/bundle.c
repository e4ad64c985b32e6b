/* Bundles: a head of lines, an empty line, and a pack. libgit2 reads packs but not
 * bundles. The pack goes into a folder of its own in TMPDIR, where libgit2 makes an index
 * of it, computing every object's hash on the way: a damaged bundle is refused. */
#include "git/internal.h"

#include <string.h>

#include "base/file.h"
#include "base/stop.h"
#include "input/input.h"

enum { HEAD_MAX = 64 << 20, CHUNK = 1 << 20 };

static const struct str SIGNATURES[] = {STR_INIT("# v2 git bundle\n"),
                                        STR_INIT("# v3 git bundle\n")};

bool git_history_bundle_begins(struct str bytes)
{
    return str_starts(bytes, SIGNATURES[0]) || str_starts(bytes, SIGNATURES[1]);
}

void git_history_bundle_free(struct git_history_bundle_head *head)
{
    list_free(&head->refs);
    list_free(&head->prerequisites);
}

static bool read_hash(struct str *line, struct git_history_hash *hash)
{
    char digits[GIT_HISTORY_HASH_DIGITS + 1] = {0};
    git_oid id;

    if (line->len < GIT_HISTORY_HASH_DIGITS)
        return false;
    memcpy(digits, line->ptr, GIT_HISTORY_HASH_DIGITS);
    if (git_oid_fromstr(&id, digits) != 0)
        return false;
    memcpy(hash->bytes, id.id, sizeof hash->bytes);
    *line = str_slice(*line, GIT_HISTORY_HASH_DIGITS, line->len);
    return true;
}

static bool read_capability(struct git_history_bundle_head *head, struct str line,
                            struct err *err)
{
    struct str name;

    str_cut(&line, '=', &name);
    if (str_eq(name, STR("filter"))) {
        head->filtered = true;
        return true;
    }
    if (str_eq(name, STR("object-format")) && str_eq(line, STR("sha1")))
        return true;
    return err_set(err, ERR_INPUT,
                   "the bundle needs '%.*s%s%.*s'; expected object-format=sha1 or a "
                   "filter",
                   (int)(name.len < 40 ? name.len : 40), name.ptr,
                   line.len > 0 ? "=" : "", (int)(line.len < 40 ? line.len : 40),
                   line.ptr);
}

static bool read_line(struct git_history_bundle_head *head, struct str line, int number,
                      struct err *err)
{
    struct str rest = line;
    struct git_history_bundle_ref ref;
    bool prerequisite = str_starts(line, STR("-"));

    if (head->version == 3 && str_starts(line, STR("@")))
        return read_capability(head, str_slice(line, 1, line.len), err);
    if (prerequisite)
        rest = str_slice(rest, 1, rest.len);
    bool ok = read_hash(&rest, &ref.hash) &&
              (prerequisite ? rest.len == 0 || rest.ptr[0] == ' '
                            : rest.len > 1 && rest.ptr[0] == ' ');
    if (!ok)
        return err_set(err, ERR_INPUT,
                       "line %d of the bundle's head is '%.*s', expected a hash and the "
                       "name of a ref",
                       number, (int)(line.len < 80 ? line.len : 80), line.ptr);
    ref.name = str_slice(rest, 1, rest.len);
    if (prerequisite)
        list_add(&head->prerequisites, ref);
    else
        list_add(&head->refs, ref);
    return true;
}

enum git_history_bundle_state
git_history_bundle_read(struct str bytes, struct git_history_bundle_head *head,
                        struct err *err)
{
    struct str rest = bytes, line;

    list_clear(&head->refs);
    list_clear(&head->prerequisites);
    head->filtered = false;
    if (bytes.len < SIGNATURES[0].len)
        return GIT_HISTORY_BUNDLE_MORE;
    if (!git_history_bundle_begins(bytes)) {
        err_record(err, ERR_INPUT,
                   "does not begin as a bundle does: '# v2 git bundle' or v3");
        return GIT_HISTORY_BUNDLE_WRONG;
    }
    head->version = str_starts(bytes, SIGNATURES[1]) ? 3 : 2;
    str_cut(&rest, '\n', &line);
    for (int number = 2;; number++) {
        if (!str_cut(&rest, '\n', &line))
            return GIT_HISTORY_BUNDLE_MORE;
        if (line.len == 0)
            break;
        if (!read_line(head, line, number, err))
            return GIT_HISTORY_BUNDLE_WRONG;
    }
    head->len = bytes.len - rest.len;
    return GIT_HISTORY_BUNDLE_WHOLE;
}

/* Reads until the head is there; what lies behind it stays in bytes too. */
static bool read_head(struct input_stream *stream, struct buf *bytes,
                      struct git_history_bundle_head *head, struct err *err)
{
    size_t got = 1;

    while (got > 0 && bytes->len < HEAD_MAX) {
        if (!input_stream_read(stream, buf_reserve(bytes, CHUNK), CHUNK, &got, err))
            return false;
        bytes->len += got;
        enum git_history_bundle_state state =
            git_history_bundle_read(buf_str(bytes), head, err);
        if (state != GIT_HISTORY_BUNDLE_MORE)
            return state == GIT_HISTORY_BUNDLE_WHOLE;
    }
    return err_set(err, ERR_INPUT, "the bundle ends in its head, after %zu bytes",
                   bytes->len);
}

static bool refuse_pack(const struct git_history_bundle_head *head, struct err *err)
{
    char digits[GIT_HISTORY_HASH_DIGITS];

    const git_error *last = git_error_last();

    if (last != NULL &&
        (last->klass == GIT_ERROR_OS || last->klass == GIT_ERROR_FILESYSTEM ||
         last->klass == GIT_ERROR_NOMEMORY))
        return err_set(err, ERR_SYSTEM, "the bundle's pack cannot be unpacked: %s",
                       git_history_said());
    if (head->prerequisites.count == 0)
        return err_set(err, ERR_INPUT, "the bundle's pack cannot be read: %s",
                       git_history_said());
    git_history_hash_text(&head->prerequisites.at[0].hash, digits);
    return err_set(err, ERR_INPUT,
                   "the bundle cannot be read alone: it builds on %zu commits that it "
                   "does not hold, the first %.*s (%s)",
                   head->prerequisites.count, GIT_HISTORY_HASH_DIGITS, digits,
                   git_history_said());
}

/* The pack behind the head, in folder; *index is the path of its index. */
static bool index_pack(struct input_stream *stream, struct buf *bytes,
                       const struct git_history_bundle_head *head, const char *folder,
                       struct arena *arena, const char **index, struct err *err)
{
    git_indexer_progress progress = {0};
    git_indexer *indexer;
    struct str piece = str_slice(buf_str(bytes), head->len, bytes->len);
    size_t got = 1;
    bool ok = true;

    if (git_indexer_new(&indexer, folder, 0600, NULL, NULL) != 0)
        return err_set(err, ERR_SYSTEM, "cannot write to %s (TMPDIR): %s", folder,
                       git_history_said());
    while (ok && got > 0) {
        ok = stop_check(err) &&
             (piece.len == 0 ||
              git_indexer_append(indexer, piece.ptr, piece.len, &progress) == 0 ||
              refuse_pack(head, err));
        buf_clear(bytes);
        ok = ok && input_stream_read(stream, buf_reserve(bytes, CHUNK), CHUNK, &got, err);
        piece = (struct str){bytes->ptr, got};
    }
    ok = ok && (git_indexer_commit(indexer, &progress) == 0 || refuse_pack(head, err));
    if (ok)
        *index =
            arena_format(arena, "%s/pack-%s.idx", folder, git_indexer_name(indexer)).ptr;
    git_indexer_free(indexer);
    return ok;
}

static void add_refs(struct git_history_place *place,
                     const struct git_history_bundle_head *head, git_odb *odb)
{
    /* A bundle does not say where its HEAD was: on a branch if one is at the same. */
    for (size_t i = 0; i < head->refs.count; i++) {
        const struct git_history_bundle_ref *ref = &head->refs.at[i];
        bool on_branch = false;
        git_oid id;
        for (size_t j = 0; j < head->refs.count && str_eq(ref->name, STR("HEAD")); j++)
            on_branch |= i != j && memcmp(&ref->hash, &head->refs.at[j].hash,
                                          sizeof ref->hash) == 0;
        if (on_branch)
            continue;
        if (str_eq(ref->name, STR("HEAD")))
            git_history_note(&place->shown.findings, GIT_HISTORY_DETACHED, "HEAD");
        git_oid_fromraw(&id, ref->hash.bytes);
        git_history_add_tip(place, odb, id, ref->name);
    }
}

static void note_prerequisites(struct git_history_place *place,
                               const struct git_history_bundle_head *head, git_odb *odb)
{
    char digits[GIT_HISTORY_HASH_DIGITS];

    for (size_t i = 0; i < head->prerequisites.count; i++) {
        git_oid id;
        git_oid_fromraw(&id, head->prerequisites.at[i].hash.bytes);
        if (git_odb_exists(odb, &id))
            continue;
        git_history_hash_text(&head->prerequisites.at[i].hash, digits);
        git_history_note(&place->shown.findings, GIT_HISTORY_PREREQUISITES, "%.*s",
                         GIT_HISTORY_HASH_DIGITS, digits);
    }
}

bool git_history_bundle_open(struct git_history_place *place, struct arena *arena,
                             struct err *err)
{
    struct git_history_bundle_head head = {0};
    struct input_stream_options options = {0};
    struct input_stream *stream = NULL;
    struct input *input = NULL;
    struct buf bytes = {0};
    git_odb *odb = NULL;

    bool ok =
        input_open(place->shown.path, &input, err) &&
        input_stream_open(input, 0, &options, &stream, err) &&
        (read_head(stream, &bytes, &head, err) || err_at(err, "%s: ", place->shown.path));
    if (!ok)
        goto done;
    /* Its names are slices of bytes, which the pack will run through. */
    for (size_t i = 0; i < head.refs.count; i++)
        head.refs.at[i].name = arena_copy(arena, head.refs.at[i].name);
    ok =
        file_make_temporary(arena, &place->temporary, err) &&
        (index_pack(stream, &bytes, &head, place->temporary, arena, &place->index, err) ||
         err_at(err, "%s: ", place->shown.path)) &&
        git_history_objects_of(place, &odb, err);
    if (!ok)
        goto done;
    add_refs(place, &head, odb);
    note_prerequisites(place, &head, odb);
    if (head.filtered)
        git_history_note(&place->shown.findings, GIT_HISTORY_FILTERED,
                         "some of its files are left out");
done:
    git_odb_free(odb);
    input_stream_close(stream);
    input_close(input);
    buf_free(&bytes);
    git_history_bundle_free(&head);
    return ok;
}
