/* Random packs, with deltas as libgit2 writes them: every object has the bytes that
 * libgit2 itself finds, whichever of several threads asks for it, and whatever is kept or
 * has been forgotten. Then with one byte changed: an object is what it was or none,
 * unless the byte says where it begins or what it builds on, and nothing breaks. */
#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "git/packed.h"
#include "tests/tap.h"

enum { PACKS = 3, FILES = 10, VERSIONS = 20, CHANGES = 100, THREADS = 3 };

static void must(int status)
{
    if (status != 0) {
        printf("Bail out! libgit2: %s\n", git_error_last()->message);
        exit(1);
    }
}

static void draw_line(struct rng *rng, struct buf *out)
{
    buf_add_format(out, "line %llu of %llu\n", (unsigned long long)rng_below(rng, 50),
                   (unsigned long long)rng_below(rng, 1000000));
}

/* The next version of a file: some lines are others, some are gone, some came. */
static void revise(struct rng *rng, struct buf *text)
{
    struct buf next = {0};
    struct str rest = buf_str(text), line;
    uint64_t rare = 3 + rng_below(rng, 40);

    while (rest.len > 0) {
        str_cut(&rest, '\n', &line);
        uint64_t fate = rng_below(rng, rare);
        if (fate > 0) {
            buf_add(&next, line);
            buf_add_char(&next, '\n');
        }
        if (fate < 2)
            draw_line(rng, &next);
    }
    buf_free(text);
    *text = next;
}

struct made {
    git_odb *odb;
    git_oid *ids;
    size_t count;
    struct str index, pack;
};

/* Blobs, each version of which is like the one before, with trees and a long commit. */
static void fill(struct rng *rng, const char *folder, struct arena *arena,
                 struct made *made)
{
    git_repository *repository;
    git_packbuilder *builder;
    struct buf texts[FILES] = {0};
    struct err err = {0};

    must(git_repository_init(&repository, folder, 1));
    must(git_repository_odb(&made->odb, repository));
    must(git_packbuilder_new(&builder, repository));
    made->ids = arena_array(arena, git_oid, FILES * VERSIONS + VERSIONS);
    for (size_t f = 0; f < FILES; f++)
        for (uint64_t i = rng_below(rng, f == 0 ? 6000 : 300); i > 0; i--)
            draw_line(rng, &texts[f]);
    for (size_t v = 0; v < VERSIONS; v++) {
        git_treebuilder *tree;
        must(git_treebuilder_new(&tree, repository, NULL));
        for (size_t f = 0; f < FILES; f++) {
            char name[20];
            git_oid *id = &made->ids[made->count++];
            snprintf(name, sizeof name, "f%zu", f);
            must(git_odb_write(id, made->odb, texts[f].ptr, texts[f].len,
                               GIT_OBJECT_BLOB));
            must(git_treebuilder_insert(NULL, tree, name, id, 0100644));
            must(git_packbuilder_insert(builder, id, name));
            if (rng_below(rng, 3) == 0)
                revise(rng, &texts[f]);
        }
        must(git_treebuilder_write(&made->ids[made->count], tree));
        must(git_packbuilder_insert(builder, &made->ids[made->count++], ""));
        git_treebuilder_free(tree);
    }
    must(git_packbuilder_write(builder, folder, 0600, NULL, NULL));
    const char *name = git_packbuilder_name(builder);
    if (!file_map(arena_format(arena, "%s/pack-%s.idx", folder, name).ptr, &made->index,
                  &err) ||
        !file_map(arena_format(arena, "%s/pack-%s.pack", folder, name).ptr, &made->pack,
                  &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    for (size_t f = 0; f < FILES; f++)
        buf_free(&texts[f]);
    git_packbuilder_free(builder);
    git_repository_free(repository);
}

/* Whether the object is the one that libgit2 has: 0 none, 1 the same, 2 another. */
static int look(struct git_history_packed_reader *reader, git_odb *odb, const git_oid *id)
{
    struct git_history_hash hash;
    git_odb_object *theirs;
    size_t size;

    memcpy(hash.bytes, id->id, sizeof hash.bytes);
    const struct git_history_packed_object *ours = git_history_packed_read(reader, &hash);
    if (ours == NULL)
        return 0;
    must(git_odb_read(&theirs, odb, id));
    bool same = (int)ours->type == (int)git_odb_object_type(theirs) &&
                str_eq(ours->bytes, (struct str){git_odb_object_data(theirs),
                                                 git_odb_object_size(theirs)}) &&
                git_history_packed_size(reader, &hash, &size) && size == ours->bytes.len;
    git_odb_object_free(theirs);
    git_history_packed_free(reader, ours);
    return same ? 1 : 2;
}

struct asking {
    const struct made *made;
    uint64_t seed;
    size_t wrong;
};

struct asker {
    struct git_history_packed_reader *reader;
    size_t wrong;
};

static void ask(void *context, size_t piece, void *slot)
{
    const struct asking *asking = context;
    struct asker *asker = slot;
    struct rng rng = rng_stream(asking->seed, 1, piece);

    asker->wrong = 0;
    for (size_t i = 0; i < asking->made->count / 4; i++)
        asker->wrong +=
            look(asker->reader, asking->made->odb,
                 &asking->made->ids[rng_below(&rng, asking->made->count)]) != 1;
}

static bool sum(void *context, size_t piece, void *slot, struct err *err)
{
    (void)piece;
    (void)err;
    ((struct asking *)context)->wrong += ((struct asker *)slot)->wrong;
    return true;
}

static void check_whole(const struct made *made, uint64_t seed)
{
    struct git_history_packed *packed = git_history_packed_open();
    struct asking asking = {made, seed, 0};
    struct asker askers[16] = {0};
    void *slots[16];
    struct err err = {0};

    CHECK(git_history_packed_add(packed, made->index, made->pack, true));
    for (size_t i = 0; i < parallel_slots(THREADS); i++) {
        askers[i].reader = git_history_packed_reader_open(packed, i % 2 == 1);
        slots[i] = &askers[i];
    }
    struct parallel_job job = {.pieces = 16,
                               .threads = THREADS,
                               .context = &asking,
                               .slots = slots,
                               .make = ask,
                               .take = sum};
    CHECK(parallel_run(&job, &err) && asking.wrong == 0);
    for (size_t i = 0; i < parallel_slots(THREADS); i++)
        git_history_packed_reader_close(askers[i].reader);
    git_history_packed_close(packed);
}

/* Half of the changes hit the pack, half the index. */
static void check_changed(struct rng *rng, const struct made *made, size_t found[3])
{
    struct buf index = {0}, pack = {0};

    buf_add(&index, made->index);
    buf_add(&pack, made->pack);
    for (size_t i = 0; i < CHANGES; i++) {
        struct git_history_packed *packed = git_history_packed_open();
        struct git_history_packed_reader *reader =
            git_history_packed_reader_open(packed, false);
        struct buf *hit = i % 2 == 0 ? &pack : &index;
        char *byte = &hit->ptr[rng_below(rng, hit->len)], was = *byte;
        *byte = (char)(*byte ^ (1 << rng_below(rng, 8)));
        if (git_history_packed_add(packed, buf_str(&index), buf_str(&pack), false))
            for (size_t k = 0; k < 20; k++)
                found[look(reader, made->odb, &made->ids[rng_below(rng, made->count)])]++;
        *byte = was;
        git_history_packed_reader_close(reader);
        git_history_packed_close(packed);
    }
    buf_free(&index);
    buf_free(&pack);
}

int main(void)
{
    struct rng rng = rng_seeded(20150801);
    size_t found[3] = {0};

    git_libgit2_init();
    for (uint64_t i = 0; i < PACKS; i++) {
        struct arena arena = {0};
        struct made made = {0};
        const char *folder;
        struct err err = {0};
        if (!file_make_temporary(&arena, &folder, &err))
            return printf("Bail out! %s\n", err.text), 1;
        fill(&rng, folder, &arena, &made);
        tap_case("pack %d: with a byte changed it does no harm", (int)i + 1);
        check_changed(&rng, &made, found);
        CHECK(found[1] > 0);
        tap_case("pack %d: all objects are libgit2's, asked for by %d threads",
                 (int)i + 1, THREADS);
        check_whole(&made, i); /* the files become its own */
        git_odb_free(made.odb);
        file_remove_temporary(folder);
        arena_free(&arena);
    }
    tap_case("changed packs: some objects are none, hardly any is another");
    CHECK(found[0] > 0 && found[2] * 1000 < found[1]);
    printf("# none %zu, the same %zu, another %zu\n", found[0], found[1], found[2]);
    git_libgit2_shutdown();
    return tap_done();
}
