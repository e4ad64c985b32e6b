/* The settings file: any number of the model, replaced by the user's. */
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/near.h"
#include "synth/internal.h"
#include "yaml/yaml.h"

static size_t points_in(const struct model_setting *setting)
{
    size_t count = 1;

    while (count < MODEL_POINTS_MAX && setting->points[count].year != 0)
        count++;
    return count;
}

struct loader {
    const char *path;
    struct model *model;
    double *values;
    struct err *err;
};

static bool wrong(const struct loader *loader, const struct yaml_node *at,
                  const char *what, struct str found)
{
    return err_set(loader->err, ERR_INPUT, "%s:%d:%d: %s, found '%.*s'", loader->path,
                   at->line, at->column, what, STR_ARG(found));
}

static bool wrong_key(const struct loader *loader, const struct yaml_node *key,
                      const struct str *names, size_t count)
{
    size_t near = near_find(key->text, names, count);

    if (near < count)
        return err_set(loader->err, ERR_INPUT,
                       "%s:%d:%d: unknown key '%.*s'; did you mean '%.*s'?", loader->path,
                       key->line, key->column, STR_ARG(key->text), STR_ARG(names[near]));
    return err_set(loader->err, ERR_INPUT,
                   "%s:%d:%d: unknown key '%.*s'; assay-synth(5) lists the keys",
                   loader->path, key->line, key->column, STR_ARG(key->text));
}

static bool read_number(const struct loader *loader, const struct yaml_node *node,
                        double highest, double *out)
{
    char expected[80];
    struct str text = node->text;
    bool percent = node->type == YAML_SCALAR && str_ends(text, STR("%"));

    if (percent)
        text = str_slice(text, 0, text.len - 1);
    if (node->type == YAML_SCALAR && str_to_real(text, out)) {
        *out /= percent && highest <= 1 ? 100 : 1;
        if (*out >= 0 && *out <= highest)
            return true;
    }
    struct buf limit = {0};
    buf_add_format(&limit, "expected a number from 0 to %g", highest);
    struct str message = str_slice(buf_str(&limit), 0, sizeof expected - 1);
    memcpy(expected, message.ptr, message.len);
    expected[message.len] = '\0';
    buf_free(&limit);
    return wrong(loader, node, expected,
                 node->type == YAML_SCALAR ? node->text : STR("a collection"));
}

static bool read_year(const struct loader *loader, const struct yaml_node *key, int *year)
{
    int64_t value;

    if (!str_to_int(key->text, &value) || value < 1970 || value > 2100)
        return wrong(loader, key, "expected a year from 1970 to 2100", key->text);
    *year = (int)value;
    return true;
}

/* A number, or {year: number, ...} in ascending order. */
static bool read_course(const struct loader *loader, const struct yaml_node *node,
                        double highest, size_t value)
{
    struct model_point points[MODEL_YEARS_MAX];
    size_t count = node->type == YAML_MAPPING ? node->count : 1;

    if (count == 0 || count > MODEL_YEARS_MAX)
        return wrong(loader, node, "expected 1 to 64 years", STR(""));
    for (size_t i = 0; i < count; i++) {
        points[i].year = 0;
        if (!read_number(loader, node->type == YAML_MAPPING ? &node->items[i] : node,
                         highest, &points[i].value))
            return false;
        if (node->type == YAML_MAPPING &&
            !read_year(loader, &node->keys[i], &points[i].year))
            return false;
        if (i > 0 && points[i].year <= points[i - 1].year)
            return wrong(loader, &node->keys[i], "expected years in ascending order",
                         node->keys[i].text);
    }
    for (int row = 0; row < loader->model->years; row++)
        loader->values[(size_t)row * model_values_in_all() + value] =
            model_at_year(points, count, loader->model->first_year + row);
    return true;
}

static bool read_section(const struct loader *loader, const struct yaml_node *node,
                         enum model_section section)
{
    struct str names[80] = {{0}};

    if (node->type != YAML_MAPPING)
        return wrong(loader, node, "expected 'name: number' lines", node->text);
    for (size_t n = 0; n < model_tables[section].count; n++)
        names[n] = model_name(section, (int)n);
    for (size_t i = 0; i < node->count; i++) {
        size_t n = 0;
        while (n < model_tables[section].count && !str_eq(node->keys[i].text, names[n]))
            n++;
        if (n == model_tables[section].count)
            return wrong_key(loader, &node->keys[i], names, model_tables[section].count);
        if (!read_course(loader, &node->items[i], model_tables[section].highest,
                         model_first_value(section) + n))
            return false;
    }
    if (section == MODEL_BUG_TYPES)
        loader->model->types_given = true;
    if (section == MODEL_BUG_CAUSES)
        loader->model->causes_given = true;
    return true;
}

/* {year: weight, ...}: consecutive years from the first to the last that is named. */
static bool read_years(const struct loader *loader, const struct yaml_node *node)
{
    struct model *model = loader->model;
    double sum = 0;
    int year;

    if (node->type != YAML_MAPPING || node->count == 0)
        return wrong(loader, node, "expected 'year: weight' lines", node->text);
    for (size_t i = 0; i < node->count; i++) {
        double weight;
        if (!read_year(loader, &node->keys[i], &year) ||
            !read_number(loader, &node->items[i], 1e9, &weight))
            return false;
        if (i == 0)
            model->first_year = year;
        if (i == 0)
            memset(model->year_weight, 0, sizeof model->year_weight);
        if (year < model->first_year + (int)i ||
            year - model->first_year >= MODEL_YEARS_MAX)
            return wrong(loader, &node->keys[i],
                         "expected years in ascending order, at most 64",
                         node->keys[i].text);
        model->year_weight[year - model->first_year] = weight;
        model->years = year - model->first_year + 1;
        sum += weight;
    }
    if (sum <= 0)
        return wrong(loader, node, "expected at least one weight above 0", STR("0"));
    return true;
}

static bool read_until(const struct loader *loader, const struct yaml_node *node)
{
    struct model *model = loader->model;
    int last = model->first_year + model->years - 1;

    if (node->type != YAML_SCALAR || !date_parse(node->text, &model->until_ms))
        return wrong(loader, node, "expected a date such as 2021-09-05",
                     node->type == YAML_SCALAR ? node->text : STR("a collection"));
    model->until_ms += DATE_DAY_MS; /* the day itself belongs to the corpus */
    if (date_year(model->until_ms - 1) != last)
        return wrong(loader, node, "expected a date in the last of the years",
                     node->text);
    return true;
}

/* Weights that are all 0 in some year leave nothing to draw. */
static bool check_weights(const struct loader *loader, const struct yaml_node *root,
                          enum model_section section)
{
    const struct yaml_node *node = yaml_get(root, model_section_name(section));
    struct model *model = loader->model;

    for (int row = 0; row < model->years && node != NULL; row++) {
        double sum = 0;
        for (size_t i = 0; i < model_tables[section].count; i++)
            sum += loader->values[(size_t)row * model_values_in_all() +
                                  model_first_value(section) + i];
        if (model->year_weight[row] > 0 && sum <= 0)
            return err_set(loader->err, ERR_INPUT,
                           "%s:%d:%d: %s: expected a weight above 0 in every year, found "
                           "none in %d",
                           loader->path, node->line, node->column,
                           model_tables[section].name, model->first_year + row);
    }
    return true;
}

static bool is_weights(enum model_section section)
{
    return section != MODEL_PLATFORMS && section < MODEL_ACCEPTED;
}

static bool read_all(const struct loader *loader, const struct yaml_node *root)
{
    struct str names[MODEL_SECTIONS + 2];
    int section;

    for (section = 0; section < MODEL_SECTIONS; section++)
        names[section] = model_section_name((enum model_section)section);
    names[MODEL_SECTIONS] = STR("years");
    names[MODEL_SECTIONS + 1] = STR("until");
    for (size_t i = 0; i < root->count; i++) {
        for (section = 0; section < MODEL_SECTIONS + 2; section++)
            if (str_eq(root->keys[i].text, names[section]))
                break;
        if (section == MODEL_SECTIONS + 2)
            return wrong_key(loader, &root->keys[i], names, ROWS_OF(names));
        if (section < MODEL_SECTIONS &&
            !read_section(loader, &root->items[i], (enum model_section)section))
            return false;
    }
    for (section = 0; section < MODEL_SECTIONS; section++)
        if (is_weights((enum model_section)section) &&
            !check_weights(loader, root, (enum model_section)section))
            return false;
    return true;
}

static void set_defaults(struct model *model)
{
    model->first_year = MODEL_DEFAULT_FIRST_YEAR;
    model->years = ROWS_OF(model_default_years);
    memcpy(model->year_weight, model_default_years, sizeof model_default_years);
}

static void set_default_values(const struct loader *loader)
{
    for (int row = 0; row < loader->model->years; row++) {
        double *value = loader->values + (size_t)row * model_values_in_all();
        for (int section = 0; section < MODEL_SECTIONS; section++)
            for (size_t i = 0; i < model_tables[section].count; i++) {
                const struct model_setting *setting = &model_tables[section].settings[i];
                *value++ = model_at_year(setting->points, points_in(setting),
                                         loader->model->first_year + row);
            }
    }
}

bool model_parse(struct str text, const char *path, struct arena *arena,
                 struct model *out, struct err *err)
{
    struct loader loader = {.path = path, .model = out, .err = err};
    struct yaml_node root;

    *out = (struct model){0};
    set_defaults(out);
    if (!yaml_parse(text, path, arena, &root, err))
        return false;
    if (root.type != YAML_MAPPING)
        return wrong(&loader, &root, "expected 'key: value' lines", root.text);
    /* Years first: everything else is laid out by them. */
    const struct yaml_node *years = yaml_get(&root, STR("years"));
    const struct yaml_node *until = yaml_get(&root, STR("until"));
    if (years != NULL && !read_years(&loader, years))
        return false;
    int last = out->first_year + out->years - 1;
    out->begin_ms = date_from_civil((struct date){out->first_year, 1, 1});
    /* Liu's corpus ends on 5 September 2021; other years are whole ones. */
    out->until_ms = years == NULL ? date_from_civil((struct date){2021, 9, 6})
                                  : date_from_civil((struct date){last + 1, 1, 1});
    if (until != NULL && !read_until(&loader, until))
        return false;
    loader.values = arena_array(arena, double, (size_t)out->years *model_values_in_all());
    out->values = loader.values;
    set_default_values(&loader);
    return read_all(&loader, &root);
}

bool model_load(const char *path, struct arena *arena, struct model *out, struct err *err)
{
    struct str text = STR("");

    if (path != NULL && !file_read(path, arena, &text, err))
        return false;
    return model_parse(text, path, arena, out, err);
}
