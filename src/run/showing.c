/* Beside out/labelling/TASK/states.csv stands behind/states.csv: its items. Topics have
 * theirs in main.csv, which says of each post what it is mainly about. */
#include "run/showing.h"

#include <string.h>

#include "base/file.h"
#include "input/csv.h"
#include "measure/evidence.h"
#include "measure/table_file.h"

static const char *beside(const char *from, const char *folder, const char *name,
                          struct arena *arena)
{
    const char *slash = strrchr(from, '/');
    size_t length = slash != NULL ? (size_t)(slash - from) + 1 : 0;
    struct buf path = {0};

    buf_add(&path, (struct str){from, length});
    buf_add_format(&path, "%s%s", folder, name != NULL ? name : from + length);
    const char *copy = arena_c_string(arena, buf_str(&path));
    buf_free(&path);
    return copy;
}

static bool read_evidence(const struct study_table *table, struct arena *arena,
                          struct table *out, struct err *err)
{
    const char *path = beside(table->from, "behind/", NULL, arena);
    struct str text;

    if (!file_exists(path)) /* such as that of a learning curve */
        return true;
    return file_read(path, arena, &text, err) &&
           evidence_read(text, path, arena, out, err);
}

/* Topics. */

static size_t find_row(const struct table *table, struct str name)
{
    size_t r = 0;

    while (r < table->row_count && !str_eq(table->rows[r].name, name))
        r++;
    return r;
}

struct topics {
    const struct table *table;
    const struct item_spaces *spaces;
    struct buf *posts; /* of each row */
};

static bool is_head(void *context, const struct csv_row *head, struct err *err)
{
    (void)context, (void)head, (void)err;
    return true;
}

static bool read_post(void *context, const struct csv_row *line, struct err *err)
{
    const struct topics *topics = context;
    int64_t id;

    if (line->count < 2 ||
        !item_key_read(topics->spaces, line->fields[0], &id, &(struct err){0}))
        return err_set(err, ERR_INPUT, "not as assay writes it");
    size_t row = find_row(topics->table, line->fields[1]);
    if (row < topics->table->row_count)
        buf_add(&topics->posts[row], (struct str){(const char *)&id, sizeof id});
    return true;
}

static void set_posts(struct table *out, struct buf *posts, struct arena *arena)
{
    struct table_evidence *evidence =
        arena_array(arena, struct table_evidence, out->row_count + 1);

    for (size_t r = 0; r < out->row_count; r++) {
        size_t count = posts[r].len / sizeof(int64_t);
        int64_t *ids = arena_array(arena, int64_t, count + 1);
        if (count > 0)
            memcpy(ids, posts[r].ptr, posts[r].len);
        evidence[r] = (struct table_evidence){
            r, 0, STR("items that are mainly about this topic"), ids, count};
        buf_free(&posts[r]);
    }
    out->evidence = evidence;
    out->evidence_count = out->row_count;
}

static bool read_posts(const struct study *study, const struct study_table *table,
                       struct arena *arena, struct table *out, struct err *err)
{
    const char *path = beside(table->from, "", "main.csv", arena);
    struct topics topics = {out, &study->spaces, arena_array(arena, struct buf, out->row_count + 1)};
    struct str text;
    bool ok =
        file_read(path, arena, &text, err) &&
        csv_rows_read(text, path, &(struct csv_rows){is_head, read_post, &topics}, err);

    set_posts(out, topics.posts, arena);
    return ok;
}

bool showing_table(const struct study *study, const struct study_table *table,
                   struct arena *arena, struct table *out, struct err *err)
{
    if (!table_file_read(table, arena, out, err))
        return false;
    if (table->maker != STUDY_NO_MAKER) /* there may be no items, but it is known which */
        out->evidence = arena_array(arena, struct table_evidence, 1);
    if (table->maker == STUDY_BY_TOPICS && str_eq(table->show, STR("topics")))
        return read_posts(study, table, arena, out, err);
    return table->maker == STUDY_NO_MAKER || read_evidence(table, arena, out, err);
}
