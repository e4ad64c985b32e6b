/* Which items a package speaks of. */
#include <stdlib.h>
#include <string.h>

#include "package/internal.h"
#include "run/output.h"

static bool add_ids(const struct study *study, const char *kind, struct str name,
                    struct arena *arena, struct buf *all, struct err *err)
{
    int64_t *ids;
    size_t count;

    if (!run_output_read_ids(study->home, kind, name, arena, &ids, &count, err))
        return false;
    buf_add(all, (struct str){(const char *)ids, count * sizeof *ids});
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

bool package_find_items(const struct study *study, struct arena *arena,
                        struct package_items *out, struct err *err)
{
    struct buf all = {0};
    bool ok = true;

    for (size_t i = 0; i < study->sample_count && ok; i++)
        ok = add_ids(study, "samples", study->samples[i].name, arena, &all, err);
    for (size_t i = 0; i < study->label_count && ok; i++)
        ok = add_ids(study, "labels", study->labels[i].name, arena, &all, err);
    size_t count = all.len / sizeof *out->ids;
    int64_t *ids = arena_array(arena, int64_t, count + 1);
    if (count > 0) {
        memcpy(ids, all.ptr, all.len);
        qsort(ids, count, sizeof *ids, compare_ids);
    }
    *out = (struct package_items){ids, 0};
    for (size_t i = 0; i < count; i++)
        if (i == 0 || ids[i] != ids[i - 1])
            ids[out->count++] = ids[i];
    buf_free(&all);
    return ok;
}
