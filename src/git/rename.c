/* Renames as git finds them (diffcore-rename.c and diffcore-delta.c of git 2.39 with its
 * default settings): first equal content, then equal last names that are the only ones on
 * both sides, then the most similar pairs of all others. Similar is what share of the
 * larger file's bytes stands in lines, or pieces of 64 bytes, that both have. libgit2
 * finds renames too, but by a sample of such pieces and in another order, and so not the
 * same ones. */
#include "git/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

enum {
    SCORE_MIN = GIT_HISTORY_SCORE_MAX / 2, /* 50 percent */
    NAME_SCORE_MIN = SCORE_MIN + (GIT_HISTORY_SCORE_MAX - SCORE_MIN) / 2,
    CANDIDATES = 4,      /* that are kept for each added file */
    RENAME_LIMIT = 1000, /* its square is the most pairs that are compared */
    BINARY_BYTES = 8000, /* that are looked at */
    SAME_MAX = 100,      /* deleted files of equal content that are looked at */
    HASH_BASE = 107927,
    PIECE_MAX = 64,
};

/* How many bytes of a file stand in pieces of one hash; ascending by that. */
struct piece {
    uint32_t hash, bytes;
};

struct side {
    const struct git_history_blob *blob;
    bool used;
    bool looked;   /* pieces are those of the blob, */
    bool readable; /* if it could be read */
    bool sized;
    size_t size;
    struct piece *pieces;
    size_t piece_count;
};

struct pairing {
    struct git_history_renaming *renaming;
    struct arena *arena;
    struct side *deleted, *added;
    struct git_history_rename *found;
    size_t found_count;
    struct buf scratch; /* struct piece */
};

bool git_history_is_binary(struct str bytes)
{
    size_t len = bytes.len < BINARY_BYTES ? bytes.len : BINARY_BYTES;

    return len > 0 && memchr(bytes.ptr, '\0', len) != NULL;
}

/* ---- how similar two files are */

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Splits at line ends and after 64 bytes; what is behind the last line end and shorter
 * counts for nothing, as in git up to 2.43. */
static void add_pieces(struct str bytes, struct buf *out)
{
    bool text = !git_history_is_binary(bytes);
    uint32_t low = 0, high = 0, len = 0;

    for (size_t i = 0; i < bytes.len; i++) {
        uint32_t c = (unsigned char)bytes.ptr[i], old = low;
        if (text && c == '\r' && i + 1 < bytes.len && bytes.ptr[i + 1] == '\n')
            continue;
        low = (low << 7) ^ (high >> 25);
        high = (high << 7) ^ (old >> 25);
        low += c;
        if (++len < PIECE_MAX && c != '\n')
            continue;
        struct piece piece = {(low + high * 0x61) % HASH_BASE, len};
        buf_add(out, (struct str){(const char *)&piece, sizeof piece});
        low = high = len = 0;
    }
}

static void look(struct pairing *pairing, struct side *side)
{
    struct str bytes;

    side->looked = true;
    side->readable =
        pairing->renaming->bytes(pairing->renaming->context, &side->blob->id, &bytes);
    if (!side->readable)
        return;
    buf_clear(&pairing->scratch);
    add_pieces(bytes, &pairing->scratch);
    struct piece *pieces = (void *)pairing->scratch.ptr;
    size_t count = pairing->scratch.len / sizeof *pieces, kept = 0;
    if (count > 0)
        qsort(pieces, count, sizeof *pieces, compare_pieces);
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && pieces[kept - 1].hash == pieces[i].hash)
            pieces[kept - 1].bytes += pieces[i].bytes;
        else
            pieces[kept++] = pieces[i];
    side->pieces = arena_array(pairing->arena, struct piece, kept + 1);
    if (kept > 0)
        memcpy(side->pieces, pieces, kept * sizeof *pieces);
    side->piece_count = kept;
}

static bool measure(struct pairing *pairing, struct side *side)
{
    if (!side->sized)
        side->sized = pairing->renaming->size(pairing->renaming->context, &side->blob->id,
                                              &side->size);
    return side->sized;
}

static uint64_t common_bytes(const struct side *a, const struct side *b)
{
    uint64_t sum = 0;
    size_t j = 0;

    for (size_t i = 0; i < a->piece_count; i++) {
        while (j < b->piece_count && b->pieces[j].hash < a->pieces[i].hash)
            j++;
        if (j < b->piece_count && b->pieces[j].hash == a->pieces[i].hash)
            sum += a->pieces[i].bytes < b->pieces[j].bytes ? a->pieces[i].bytes
                                                           : b->pieces[j].bytes;
    }
    return sum;
}

static bool is_regular(const struct side *side)
{
    return (side->blob->mode & 0170000) == 0100000;
}

static int similarity(struct pairing *pairing, struct side *from, struct side *to,
                      int score_min)
{
    if (!is_regular(from) || !is_regular(to) || !measure(pairing, from) ||
        !measure(pairing, to))
        return 0;
    size_t larger = from->size > to->size ? from->size : to->size;
    size_t smaller = from->size > to->size ? to->size : from->size;
    if ((double)larger * (GIT_HISTORY_SCORE_MAX - score_min) <
        (double)(larger - smaller) * GIT_HISTORY_SCORE_MAX)
        return 0;
    if (!from->looked)
        look(pairing, from);
    if (!to->looked)
        look(pairing, to);
    if (!from->readable || !to->readable || to->size == 0)
        return 0;
    return (int)((double)common_bytes(from, to) * GIT_HISTORY_SCORE_MAX / (double)larger);
}

/* ---- pairs */

static bool same_last_name(const struct side *a, const struct side *b)
{
    return str_eq(str_last(a->blob->path, '/'), str_last(b->blob->path, '/'));
}

static void record(struct pairing *pairing, size_t from, size_t to, int score)
{
    pairing->deleted[from].used = pairing->added[to].used = true;
    pairing->found[pairing->found_count++] = (struct git_history_rename){from, to, score};
}

static struct str id_of(const struct git_history_blob *blob)
{
    return (struct str){(const char *)blob->id.id, sizeof blob->id.id};
}

/* Equal content: of several the first that has the same last name, or else the first. */
static void pair_equal(struct pairing *pairing)
{
    const struct git_history_renaming *renaming = pairing->renaming;
    struct map first = {.arena = pairing->arena};
    size_t *next = arena_array(pairing->arena, size_t, renaming->deleted_count + 1);

    for (size_t i = renaming->deleted_count; i > 0; i--) {
        int64_t *head = map_put(&first, id_of(&renaming->deleted[i - 1]));
        next[i] = (size_t)*head;
        *head = (int64_t)i;
    }
    for (size_t t = 0; t < renaming->added_count; t++) {
        const int64_t *head = map_get(&first, id_of(&renaming->added[t]));
        size_t best = 0;
        int left = SAME_MAX;
        for (size_t i = head != NULL ? (size_t)*head : 0; i > 0; i = next[i]) {
            const struct side *from = &pairing->deleted[i - 1], *to = &pairing->added[t];
            if ((!is_regular(from) || !is_regular(to)) &&
                from->blob->mode != to->blob->mode)
                continue;
            if (from->used)
                continue;
            bool same = same_last_name(from, to);
            if (best == 0 || same)
                best = i;
            if (same || left-- < 0)
                break;
        }
        if (best > 0)
            record(pairing, best - 1, t, GIT_HISTORY_SCORE_MAX);
    }
}

/* Last names as keys, with the place plus 1 of the only file that bears it; -1: there are
 * several. */
static void put_names(struct map *names, const struct side *sides, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!sides[i].used) {
            int64_t *place = map_put(names, str_last(sides[i].blob->path, '/'));
            *place = *place == 0 ? (int64_t)i + 1 : -1;
        }
}

static void pair_names(struct pairing *pairing)
{
    const struct git_history_renaming *renaming = pairing->renaming;
    struct map deleted = {.arena = pairing->arena}, added = {.arena = pairing->arena};

    put_names(&deleted, pairing->deleted, renaming->deleted_count);
    put_names(&added, pairing->added, renaming->added_count);
    for (size_t i = 0; i < renaming->deleted_count; i++) {
        struct side *from = &pairing->deleted[i];
        if (from->used)
            continue;
        struct str name = str_last(from->blob->path, '/');
        const int64_t *to = map_get(&added, name);
        if (*map_get(&deleted, name) < 0 || to == NULL || *to < 0)
            continue;
        int score = similarity(pairing, from, &pairing->added[*to - 1], NAME_SCORE_MIN);
        if (score >= NAME_SCORE_MIN)
            record(pairing, i, (size_t)*to - 1, score);
    }
}

struct candidate {
    size_t from, to, order;
    int score;
    bool same_name, there;
};

/* The better first; those that are not there last. */
static int compare_candidates(const struct candidate *a, const struct candidate *b)
{
    if (!a->there || !b->there)
        return !a->there ? b->there : -1;
    return a->score != b->score ? b->score - a->score : b->same_name - a->same_name;
}

/* Sorting keeps the order of equal ones. */
static int order_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = compare_candidates(x, y);

    return order != 0 ? order : x->order < y->order ? -1 : x->order > y->order;
}

static void keep_better(struct candidate *kept, const struct candidate *new)
{
    size_t worst = 0;

    for (size_t i = 1; i < CANDIDATES; i++)
        if (compare_candidates(&kept[i], &kept[worst]) > 0)
            worst = i;
    if (compare_candidates(&kept[worst], new) > 0)
        kept[worst] = *new;
}

static size_t count_unused(const struct side *sides, size_t count)
{
    size_t unused = 0;

    for (size_t i = 0; i < count; i++)
        unused += !sides[i].used;
    return unused;
}

static void pair_similar(struct pairing *pairing)
{
    struct git_history_renaming *renaming = pairing->renaming;
    size_t from_count = count_unused(pairing->deleted, renaming->deleted_count);
    size_t to_count = count_unused(pairing->added, renaming->added_count);
    size_t count = 0;

    if (from_count == 0 || to_count == 0)
        return;
    renaming->too_many = from_count > (size_t)RENAME_LIMIT * RENAME_LIMIT / to_count;
    if (renaming->too_many)
        return;
    struct candidate *all =
        arena_array(pairing->arena, struct candidate, to_count * CANDIDATES);
    for (size_t t = 0; t < renaming->added_count; t++) {
        if (pairing->added[t].used)
            continue;
        for (size_t f = 0; f < renaming->deleted_count; f++) {
            struct side *from = &pairing->deleted[f], *to = &pairing->added[t];
            if (from->used)
                continue;
            struct candidate new = {.from = f,
                                    .to = t,
                                    .score = similarity(pairing, from, to, SCORE_MIN),
                                    .same_name = same_last_name(from, to),
                                    .there = true};
            keep_better(&all[count], &new);
        }
        count += CANDIDATES;
    }
    for (size_t i = 0; i < count; i++)
        all[i].order = i;
    qsort(all, count, sizeof *all, order_candidates);
    for (size_t i = 0; i < count && all[i].there && all[i].score >= SCORE_MIN; i++)
        if (!pairing->added[all[i].to].used && !pairing->deleted[all[i].from].used)
            record(pairing, all[i].from, all[i].to, all[i].score);
}

static struct side *sides_of(const struct git_history_blob *blobs, size_t count,
                             struct arena *arena)
{
    struct side *sides = arena_array(arena, struct side, count);

    for (size_t i = 0; i < count; i++)
        sides[i].blob = &blobs[i];
    return sides;
}

void git_history_find_renames(struct git_history_renaming *renaming, struct arena *arena,
                              struct git_history_rename *found, size_t *count)
{
    struct pairing pairing = {
        .renaming = renaming,
        .arena = arena,
        .deleted = sides_of(renaming->deleted, renaming->deleted_count, arena),
        .added = sides_of(renaming->added, renaming->added_count, arena),
        .found = found,
    };

    renaming->too_many = false;
    pair_equal(&pairing);
    pair_names(&pairing);
    pair_similar(&pairing);
    buf_free(&pairing.scratch);
    *count = pairing.found_count;
}
