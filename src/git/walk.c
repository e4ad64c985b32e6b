/* The walk from refs to the first commits. Commits that are known but not yet given wait
 * in a heap; each object is read once, when its commit becomes known, since its date
 * decides when it comes. */
#include "base/order.h"
#include "git/internal.h"

#include <string.h>

#include "base/stop.h"

enum {
    STOP_EVERY = 1024,
    HELD_BYTES = 32 << 20, /* of objects that wait; beyond it they are read again */
};

struct waiting {
    git_oid id;
    int64_t committed_s;
    bool held; /* its object is; else it is read again */
    struct git_history_object object;
};

struct walk {
    struct git_history *history;
    struct git_history_place *place;
    struct git_history_objects *objects;
    struct git_history_findings *findings;
    struct git_history_reading reading; /* of the commit that is given, */
    struct git_history_reading links;   /* and of those that it names */
    LIST(struct waiting) heap;          /* the next at its top */
    LIST(git_oid) known;
    uint32_t *slots; /* a hash table of places in known, plus 1 */
    size_t slot_count;
    size_t held;
    size_t given;
    struct buf refs; /* struct str: of the current commit */
};

/* ---- which commits are known */

static size_t slot_of(const struct walk *walk, const git_oid *id)
{
    uint64_t hash;

    memcpy(&hash, id->id, sizeof hash); /* is random already */
    size_t slot = (size_t)hash & (walk->slot_count - 1);
    while (walk->slots[slot] != 0 &&
           !git_oid_equal(&walk->known.at[walk->slots[slot] - 1], id))
        slot = (slot + 1) & (walk->slot_count - 1);
    return slot;
}

static void grow_slots(struct walk *walk)
{
    size_t ignored = 0;

    list_release(walk->slots);
    walk->slot_count = walk->slot_count == 0 ? 1 << 12 : 2 * walk->slot_count;
    walk->slots = list_grown(NULL, walk->slot_count, sizeof *walk->slots, &ignored);
    memset(walk->slots, 0, walk->slot_count * sizeof *walk->slots);
    for (size_t i = 0; i < walk->known.count; i++)
        walk->slots[slot_of(walk, &walk->known.at[i])] = (uint32_t)i + 1;
}

/* Whether the commit is new. */
static bool learn(struct walk *walk, const git_oid *id)
{
    if (2 * walk->known.count >= walk->slot_count)
        grow_slots(walk);
    size_t slot = slot_of(walk, id);
    if (walk->slots[slot] != 0)
        return false;
    list_add(&walk->known, *id);
    walk->slots[slot] = (uint32_t)walk->known.count;
    return true;
}

/* ---- the heap */

static bool comes_before(const struct waiting *a, const struct waiting *b)
{
    return a->committed_s != b->committed_s ? a->committed_s > b->committed_s
                                            : git_oid_cmp(&a->id, &b->id) < 0;
}

static void push(struct walk *walk, struct waiting new)
{
    list_add(&walk->heap, new);
    struct waiting *heap = walk->heap.at;
    size_t at = walk->heap.count - 1;
    for (; at > 0 && comes_before(&new, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = new;
}

static struct waiting pop(struct walk *walk)
{
    struct waiting *heap = walk->heap.at;
    struct waiting top = heap[0], last = heap[--walk->heap.count];
    size_t count = walk->heap.count, at = 0, child;

    while ((child = 2 * at + 1) < count) {
        child += child + 1 < count && comes_before(&heap[child + 1], &heap[child]);
        if (!comes_before(&heap[child], &last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* ---- commits */

/* Makes a commit wait, unless it is known; `from` is what names it, for findings. */
static void meet(struct walk *walk, const git_oid *id, const char *from)
{
    struct git_history_findings *findings = walk->findings;
    struct waiting new = {.id = *id};
    git_oid tree;

    if (!learn(walk, id))
        return;
    bool read = git_history_object_read(walk->objects, id, SIZE_MAX, &new.object);
    if (!read) {
        git_history_note(findings, GIT_HISTORY_ABSENT_COMMITS, "%s, which %s names",
                         git_oid_tostr_s(id), from);
    } else if (new.object.type != GIT_OBJECT_COMMIT ||
               !git_history_read_links(new.object.bytes, &walk->links, &tree,
                                       &new.committed_s)) {
        git_history_note(findings, GIT_HISTORY_BROKEN_COMMITS, "%s", git_oid_tostr_s(id));
        read = false;
    }
    new.held = read && walk->held + new.object.bytes.len <= HELD_BYTES;
    if (new.held)
        walk->held += new.object.bytes.len;
    else
        git_history_object_free(walk->objects, &new.object);
    if (read)
        push(walk, new);
}

static void find_refs(struct walk *walk, const git_oid *id,
                      struct git_history_commit *commit)
{
    const struct git_history_tip *tips = walk->place->tips.at;
    size_t low;

    buf_clear(&walk->refs);
    ORDER_SEEK(low, walk->place->tips.count, git_oid_cmp(&tips[low].id, id) < 0);
    for (; low < walk->place->tips.count && git_oid_equal(&tips[low].id, id); low++)
        buf_add(&walk->refs,
                (struct str){(const char *)&tips[low].name, sizeof tips[low].name});
    commit->refs = (const void *)walk->refs.ptr;
    commit->ref_count = walk->refs.len / sizeof *commit->refs;
}

/* Gives the commit and makes its parents wait. */
static bool give(struct walk *walk, const struct waiting *next,
                 bool (*take)(void *context, const struct git_history_commit *commit,
                              struct err *err),
                 void *context, struct err *err)
{
    struct git_history_place *place = walk->place;
    char digits[GIT_HISTORY_HASH_DIGITS + 1] = {0};
    struct git_history_commit commit = {.key = {digits, GIT_HISTORY_HASH_DIGITS},
                                        .repository =
                                            (size_t)(place - walk->history->places.at)};
    git_oid tree;

    memcpy(commit.hash.bytes, next->id.id, sizeof commit.hash.bytes);
    git_history_hash_text(&commit.hash, digits);
    git_history_read_links(next->object.bytes, &walk->reading, &tree, NULL);
    git_history_read_commit(next->object.bytes, &walk->reading, &commit, walk->findings);
    commit.parents = walk->reading.parents.at;
    commit.parent_count = walk->reading.parents.count;
    commit.cut = git_history_has(place->shallow.at, place->shallow.count, &next->id);
    if (commit.cut)
        git_history_note(walk->findings, GIT_HISTORY_SHALLOW, "%s", digits);
    find_refs(walk, &next->id, &commit);
    if (!take(context, &commit, err))
        return false;
    for (size_t i = 0; i < commit.parent_count && !commit.cut; i++) {
        git_oid id;
        git_oid_fromraw(&id, commit.parents[i].bytes);
        meet(walk, &id, digits);
    }
    return true;
}

static bool give_all(struct walk *walk,
                     bool (*take)(void *context, const struct git_history_commit *commit,
                                  struct err *err),
                     void *context, struct err *err)
{
    bool ok = true;

    while (ok && walk->heap.count > 0) {
        struct waiting next = pop(walk);
        if (next.held)
            walk->held -= next.object.bytes.len;
        else if (!git_history_object_read(walk->objects, &next.id, SIZE_MAX,
                                          &next.object))
            return err_set(err, ERR_INPUT, "%s: %s cannot be read any more: %s",
                           walk->place->shown.path, git_oid_tostr_s(&next.id),
                           git_history_said());
        ok = (walk->given++ % STOP_EVERY != 0 || stop_check(err)) &&
             give(walk, &next, take, context, err);
        git_history_object_free(walk->objects, &next.object);
    }
    return ok;
}

bool git_history_walk(struct git_history *history, size_t repository,
                      bool (*take)(void *context, const struct git_history_commit *commit,
                                   struct err *err),
                      void *context, struct err *err)
{
    struct git_history_place *place = &history->places.at[repository];
    /* What is odd is counted but once. */
    struct git_history_findings again = {0};
    struct walk walk = {.history = history,
                        .place = place,
                        .findings = place->walked ? &again : &place->shown.findings};
    bool ok = true;

    if (place->tips.count > 0) {
        ok = git_history_objects_open(place, true, &walk.objects, err);
        for (size_t i = 0; i < place->tips.count && ok; i++)
            meet(&walk, &place->tips.at[i].id, "a ref");
        ok = ok && give_all(&walk, take, context, err);
    }
    place->walked = true;
    for (size_t i = 0; i < walk.heap.count; i++)
        git_history_object_free(walk.objects, &walk.heap.at[i].object);
    git_history_objects_close(walk.objects);
    git_history_reading_free(&walk.reading);
    git_history_reading_free(&walk.links);
    list_free(&walk.heap);
    list_free(&walk.known);
    list_release(walk.slots);
    buf_free(&walk.refs);
    return ok;
}
