/* Written as YAML, so that the study file's reader reads it as well. */
#include "run/ledger.h"

#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "yaml/yaml.h"

enum { FORMAT = 1, SIZE_MAX_BYTES = 64 << 20 };

static bool damaged(const char *path, const struct yaml_node *node, struct err *err)
{
    return err_set(
        err, ERR_INPUT,
        "%s:%d:%d: not as assay writes it; take the file away to have everything "
        "made anew",
        path, node->line, node->column);
}

static bool read_hash(const struct yaml_node *node, uint64_t *out)
{
    *out = 0;
    if (node == NULL || node->type != YAML_SCALAR || node->text.len != 16)
        return false;
    for (size_t i = 0; i < 16; i++) {
        char c = node->text.ptr[i];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : 16;
        if (digit == 16)
            return false;
        *out = *out << 4 | digit;
    }
    return true;
}

/* Names and words as they are written here: in '...' and on one line. */
static bool is_plain(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] < ' ')
            return false;
    return true;
}

/* Files are taken away when their step is no more: none may lie elsewhere. */
static bool is_below_out(struct str path)
{
    struct str name;

    if (!str_starts(path, STR("out/")))
        return false;
    for (bool more = true; more;) {
        more = str_cut(&path, '/', &name);
        if (name.len == 0 || str_eq(name, STR(".")) || str_eq(name, STR("..")))
            return false;
    }
    return true;
}

static bool read_pairs(const struct yaml_node *node, struct arena *arena,
                       struct run_ledger_pair **pairs, size_t *count)
{
    *count = node != NULL ? node->count : 0;
    *pairs = arena_array(arena, struct run_ledger_pair, *count + 1);
    if (node != NULL && node->type != YAML_MAPPING)
        return false;
    for (size_t i = 0; i < *count; i++) {
        (*pairs)[i].name = node->keys[i].text;
        if (!is_plain((*pairs)[i].name) || !read_hash(&node->items[i], &(*pairs)[i].hash))
            return false;
    }
    return true;
}

static bool read_step(const struct yaml_node *node, struct arena *arena,
                      struct run_ledger_step *step)
{
    const struct yaml_node *engine = yaml_get(node, STR("engine"));
    const struct yaml_node *says = yaml_get(node, STR("says"));
    int64_t number;

    if (node->type != YAML_MAPPING || engine == NULL ||
        !str_to_int(engine->text, &number) || says == NULL || !is_plain(says->text) ||
        !read_hash(yaml_get(node, STR("section")), &step->section) ||
        !read_pairs(yaml_get(node, STR("inputs")), arena, &step->inputs,
                    &step->input_count) ||
        !read_pairs(yaml_get(node, STR("files")), arena, &step->files, &step->file_count))
        return false;
    for (size_t i = 0; i < step->file_count; i++)
        if (!is_below_out(step->files[i].name))
            return false;
    step->engine = (int)number;
    step->says = says->text;
    return true;
}

bool run_ledger_parse(struct str text, const char *path, struct arena *arena,
                      struct run_ledger *out, struct err *err)
{
    struct yaml_node root;
    int64_t format;

    *out = (struct run_ledger){0};
    if (!yaml_parse(text, path, arena, &root, err))
        return false;
    const struct yaml_node *number = yaml_get(&root, STR("lock"));
    const struct yaml_node *steps = yaml_get(&root, STR("steps"));
    if (root.type != YAML_MAPPING || number == NULL ||
        !str_to_int(number->text, &format) || format != FORMAT ||
        (steps != NULL && steps->type != YAML_MAPPING))
        return damaged(path, &root, err);
    out->count = steps != NULL ? steps->count : 0;
    out->steps = arena_array(arena, struct run_ledger_step, out->count + 1);
    for (size_t i = 0; i < out->count; i++) {
        out->steps[i].name = steps->keys[i].text;
        if (!is_plain(out->steps[i].name) ||
            !read_step(&steps->items[i], arena, &out->steps[i]))
            return damaged(path, &steps->items[i], err);
    }
    return true;
}

bool run_ledger_load(const char *path, struct arena *arena, struct run_ledger *out,
                     struct err *err)
{
    struct str text;

    *out = (struct run_ledger){0};
    if (!file_exists(path))
        return true;
    return file_read_max(path, SIZE_MAX_BYTES, arena, &text, err) &&
           run_ledger_parse(text, path, arena, out, err);
}

/* A scalar of YAML in single quotes: a quote within is doubled. */
static void add_quoted(struct str text, struct buf *out)
{
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'')
            buf_add_char(out, '\'');
        buf_add_char(out, text.ptr[i]);
    }
    buf_add_char(out, '\'');
}

static void print_pairs(const char *key, const struct run_ledger_pair *pairs,
                        size_t count, struct buf *out)
{
    if (count == 0)
        return;
    buf_add_format(out, "    %s:\n", key);
    for (size_t i = 0; i < count; i++) {
        buf_add(out, STR("      "));
        add_quoted(pairs[i].name, out);
        buf_add_format(out, ": '%016llx'\n", (unsigned long long)pairs[i].hash);
    }
}

void run_ledger_print(const struct run_ledger *ledger, struct buf *out)
{
    buf_add_format(
        out,
        "# What every result rests on: written by assay, kept with the study.\n"
        "lock: %d\n%s",
        FORMAT, ledger->count > 0 ? "steps:\n" : "");
    for (size_t i = 0; i < ledger->count; i++) {
        const struct run_ledger_step *step = &ledger->steps[i];
        buf_add(out, STR("  "));
        add_quoted(step->name, out);
        buf_add_format(out, ":\n    section: '%016llx'\n    engine: %d\n",
                       (unsigned long long)step->section, step->engine);
        print_pairs("inputs", step->inputs, step->input_count, out);
        print_pairs("files", step->files, step->file_count, out);
        buf_add(out, STR("    says: "));
        add_quoted(step->says, out);
        buf_add_char(out, '\n');
    }
}

const struct run_ledger_step *run_ledger_find(const struct run_ledger *ledger,
                                              struct str name)
{
    for (size_t i = 0; i < ledger->count; i++)
        if (str_eq(ledger->steps[i].name, name))
            return &ledger->steps[i];
    return NULL;
}

uint64_t run_ledger_output(const struct run_ledger_step *step)
{
    uint64_t hash = step->file_count;

    for (size_t i = 0; i < step->file_count; i++) {
        hash =
            XXH3_64bits_withSeed(step->files[i].name.ptr, step->files[i].name.len, hash);
        hash =
            XXH3_64bits_withSeed(&step->files[i].hash, sizeof step->files[i].hash, hash);
    }
    return hash;
}
