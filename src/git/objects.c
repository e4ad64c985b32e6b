/* Objects of a repository: those of its packs by packed.c, everything else by libgit2:
 * loose ones, those of other repositories that it borrows from, indexes of other
 * versions, what is very large, and whatever packed.c finds wrong, so that libgit2 alone
 * decides what cannot be read. */
#include "base/file.h"
#include "git/internal.h"
#include "git/packed.h"

struct git_history_objects {
    struct arena arena; /* holds the struct itself */
    struct git_history_shared *shared;
    struct git_history_packed_reader *reader;
    git_odb *odb;
};

static void add_pack(struct git_history_packed *packed, const char *index,
                     struct arena *arena)
{
    struct str name = str_from(index), bytes = {0}, pack = {0};
    const char *path =
        arena_format(arena, "%.*s.pack", (int)name.len - (int)strlen(".idx"), index).ptr;
    struct err ignored = {0};

    if (file_map(index, &bytes, &ignored) && file_map(path, &pack, &ignored) &&
        git_history_packed_add(packed, bytes, pack, true))
        return;
    file_unmap(bytes);
    file_unmap(pack);
}

static struct git_history_packed *open_packs(const struct git_history_place *place)
{
    struct git_history_packed *packed = git_history_packed_open();
    struct arena arena = {0};
    const char *const *names;
    struct err ignored = {0};
    size_t count;

    if (place->shown.objects == NULL) {
        add_pack(packed, place->index, &arena);
    } else {
        const char *folder = file_join(place->shown.objects, "pack", &arena);
        if (file_list(folder, &arena, &names, &count, &ignored))
            for (size_t i = 0; i < count; i++)
                if (str_ends(str_from(names[i]), STR(".idx")))
                    add_pack(packed, file_join(folder, names[i], &arena), &arena);
    }
    arena_free(&arena);
    return packed;
}

bool git_history_objects_open(const struct git_history_place *place, bool once,
                              struct git_history_objects **out, struct err *err)
{
    struct arena arena = {0};
    struct git_history_objects *objects =
        arena_array(&arena, struct git_history_objects, 1);

    if (!git_history_objects_of(place, &objects->odb, err)) {
        arena_free(&arena);
        return false;
    }
    objects->shared = place->shared;
    pthread_mutex_lock(&objects->shared->mutex);
    if (objects->shared->users++ == 0)
        objects->shared->packed = open_packs(place);
    pthread_mutex_unlock(&objects->shared->mutex);
    objects->reader = git_history_packed_reader_open(objects->shared->packed, once);
    objects->arena = arena;
    *out = objects;
    return true;
}

void git_history_objects_close(struct git_history_objects *objects)
{
    if (objects == NULL)
        return;
    git_history_packed_reader_close(objects->reader);
    pthread_mutex_lock(&objects->shared->mutex);
    if (--objects->shared->users == 0)
        git_history_packed_close(objects->shared->packed);
    pthread_mutex_unlock(&objects->shared->mutex);
    git_odb_free(objects->odb);
    struct arena arena = objects->arena;
    arena_free(&arena);
}

bool git_history_object_read(struct git_history_objects *objects, const git_oid *id,
                             size_t size_max, struct git_history_object *out)
{
    struct git_history_hash hash;
    git_object_t type;
    size_t size;

    memcpy(hash.bytes, id->id, sizeof hash.bytes);
    *out = (struct git_history_object){0};
    out->packed = git_history_packed_read(objects->reader, &hash);
    if (out->packed != NULL && out->packed->bytes.len <= size_max) {
        out->type = (git_object_t)out->packed->type;
        out->bytes = out->packed->bytes;
        return true;
    }
    git_history_object_free(objects, out);
    if (size_max < SIZE_MAX) {
        if (git_odb_read_header(&size, &type, objects->odb, id) != 0)
            return false;
        out->large = size > size_max;
        if (out->large)
            return false;
    }
    if (git_odb_read(&out->other, objects->odb, id) != 0)
        return false;
    out->type = git_odb_object_type(out->other);
    out->bytes =
        (struct str){git_odb_object_data(out->other), git_odb_object_size(out->other)};
    return true;
}

void git_history_object_free(struct git_history_objects *objects,
                             struct git_history_object *object)
{
    git_history_packed_free(objects->reader, object->packed);
    git_odb_object_free(object->other);
    *object = (struct git_history_object){0};
}

bool git_history_object_size(struct git_history_objects *objects, const git_oid *id,
                             size_t *size)
{
    struct git_history_hash hash;
    git_object_t type;

    memcpy(hash.bytes, id->id, sizeof hash.bytes);
    return git_history_packed_size(objects->reader, &hash, size) ||
           git_odb_read_header(size, &type, objects->odb, id) == 0;
}
