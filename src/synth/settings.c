/* The settings file: any number of the model, replaced by the user's. What is wrong with
 * it is told together, in the order of the file. */
#include "synth/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/date.h"
#include "base/file.h"
#include "base/near.h"

bool synth_problems_add(struct synth_problems *problems, const struct yaml_node *at,
                        const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (problems->count < SYNTH_PROBLEMS_KEPT_MAX)
        problems->list[problems->count] = (struct synth_problems_problem){
            at->line, at->column,
            arena_format_arguments(problems->arena, format, args).ptr};
    va_end(args);
    problems->count++;
    return false;
}

/* As a message shows it. */
static struct str problems_shown(const struct yaml_node *node)
{
    struct str text = node->type == YAML_SCALAR    ? node->text
                      : node->type == YAML_MAPPING ? STR("a mapping")
                                                   : STR("a list");

    return str_slice(text, 0, text.len < 80 ? text.len : 80);
}

bool synth_problems_wrong(struct synth_problems *problems, const struct yaml_node *at,
                          const char *what)
{
    return synth_problems_add(problems, at, "%s, found '%.*s'", what,
                              STR_ARG(problems_shown(at)));
}

bool synth_problems_key(struct synth_problems *problems, const struct yaml_node *key,
                        const struct str *names, size_t count)
{
    size_t near = near_find(key->text, names, count);

    if (near < count)
        return synth_problems_add(problems, key,
                                  "unknown key '%.*s'; did you mean '%.*s'?",
                                  STR_ARG(problems_shown(key)), STR_ARG(names[near]));
    return synth_problems_add(problems, key,
                              "unknown key '%.*s'; assay-synth(5) lists the keys",
                              STR_ARG(problems_shown(key)));
}

static int by_place(const void *a, const void *b)
{
    const struct synth_problems_problem *x = a, *y = b;

    return x->line != y->line ? x->line - y->line : x->column - y->column;
}

bool synth_problems_tell(struct synth_problems *problems, struct err *err)
{
    int kept = problems->count < SYNTH_PROBLEMS_KEPT_MAX ? problems->count
                                                         : SYNTH_PROBLEMS_KEPT_MAX,
        told = 0;
    struct buf text = {0}, line = {0};

    qsort(problems->list, (size_t)kept, sizeof *problems->list, by_place);
    for (; told < kept; told++) {
        const struct synth_problems_problem *problem = &problems->list[told];
        buf_clear(&line);
        buf_add_format(&line, "%s%s:%d:%d: %s", told > 0 ? "\n" : "", problems->path,
                       problem->line, problem->column, problem->text);
        if (told > 0 && text.len + line.len > sizeof err->text - 30)
            break;
        buf_add(&text, buf_str(&line));
    }
    if (told < problems->count)
        buf_add_format(&text, "\nand %d more", problems->count - told);
    err_record(err, ERR_INPUT, "%.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
    buf_free(&line);
    return false;
}

/* The settings file: any number of the model, replaced by the user's. */

enum { SETTINGS_BYTES_MAX = 1024 * 1024 };

static size_t points_in(const struct synth_model_setting *setting)
{
    size_t count = 1;

    while (count < SYNTH_MODEL_POINTS_MAX && setting->points[count].year != 0)
        count++;
    return count;
}

struct settings_loader {
    struct synth_model *model;
    double *values;
    struct arena *arena;
    struct synth_problems problems;
};

/* What a value may be: its limit, and what a percent sign does to it. */
struct settings_range {
    double highest;
    enum { NO_PERCENT, PERCENT_OF_ONE, PERCENT_ITSELF } percent;
};

static struct settings_range range_of(enum synth_model_section section, size_t setting)
{
    const struct synth_model_table *table = &synth_model_tables[section];
    struct settings_range range = {.highest = table->highest_own != NULL
                                                  ? table->highest_own[setting]
                                                  : table->highest};

    range.percent = range.highest <= 1               ? PERCENT_OF_ONE
                    : section < SYNTH_MODEL_ACCEPTED ? PERCENT_ITSELF
                                                     : NO_PERCENT;
    return range;
}

static bool read_number(struct settings_loader *loader, const struct yaml_node *node,
                        struct settings_range range, double *out)
{
    struct str text = node->text;
    bool percent = node->type == YAML_SCALAR && range.percent != NO_PERCENT &&
                   str_ends(text, STR("%"));

    if (percent)
        text = str_slice(text, 0, text.len - 1);
    if (node->type == YAML_SCALAR && str_to_real(text, out)) {
        *out /= percent && range.percent == PERCENT_OF_ONE ? 100 : 1;
        if (*out >= 0 && *out <= range.highest)
            return true;
    }
    return synth_problems_add(&loader->problems, node,
                              "expected a number from 0 to %.0f, found '%.*s'",
                              range.highest, STR_ARG(problems_shown(node)));
}

static bool read_year(struct settings_loader *loader, const struct yaml_node *key,
                      int *year)
{
    int64_t value;

    if (!str_to_int(key->text, &value) || value < 1970 || value > 2100)
        return synth_problems_wrong(&loader->problems, key,
                                    "expected a year from 1970 to 2100");
    *year = (int)value;
    return true;
}

/* A number, or {year: number, ...} in ascending order. */
static void read_course(struct settings_loader *loader, const struct yaml_node *node,
                        struct settings_range range, size_t value)
{
    struct synth_model_point points[SYNTH_MODEL_YEARS_MAX];
    bool mapping = node->type == YAML_MAPPING, ok = true;
    size_t count = mapping ? node->count : 1;

    if (count == 0 || count > SYNTH_MODEL_YEARS_MAX) {
        synth_problems_add(&loader->problems, node, "expected 1 to %d years, found %zu",
                           (int)SYNTH_MODEL_YEARS_MAX, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        points[i].year = 0;
        ok = read_number(loader, mapping ? &node->items[i] : node, range,
                         &points[i].value) &&
             ok;
        ok = (!mapping || read_year(loader, &node->keys[i], &points[i].year)) && ok;
        if (ok && i > 0 && points[i].year <= points[i - 1].year)
            ok = synth_problems_wrong(&loader->problems, &node->keys[i],
                                      "expected years in ascending order");
    }
    for (int row = 0; ok && row < loader->model->years; row++)
        loader->values[(size_t)row * synth_model_values_in_all() + value] =
            synth_model_at_year(points, count, loader->model->first_year + row);
}

static void read_section(struct settings_loader *loader, const struct yaml_node *node,
                         enum synth_model_section section)
{
    struct str names[SYNTH_MODEL_LABELS_MAX] = {{0}};
    size_t count = synth_model_tables[section].count;

    if (node->type != YAML_MAPPING) {
        synth_problems_wrong(&loader->problems, node, "expected 'name: number' lines");
        return;
    }
    for (size_t n = 0; n < count; n++)
        names[n] = synth_model_name(section, (int)n);
    for (size_t i = 0; i < node->count; i++) {
        size_t n = 0;
        while (n < count && !str_eq(node->keys[i].text, names[n]))
            n++;
        if (n == count)
            synth_problems_key(&loader->problems, &node->keys[i], names, count);
        else
            read_course(loader, &node->items[i], range_of(section, n),
                        synth_model_first_value(section) + n);
    }
    if (section == SYNTH_MODEL_BUG_TYPES)
        loader->model->types_given = true;
    if (section == SYNTH_MODEL_BUG_CAUSES)
        loader->model->causes_given = true;
}

/* {year: weight, ...}: consecutive years from the first to the last that is named. */
static void read_years(struct settings_loader *loader, const struct yaml_node *node)
{
    const struct settings_range weights = {.highest = 1e9, .percent = PERCENT_ITSELF};
    struct synth_model given = {0};
    double sum = 0, weight;
    int before = loader->problems.count, year = 0;

    if (node->type != YAML_MAPPING || node->count == 0) {
        synth_problems_wrong(&loader->problems, node, "expected 'year: weight' lines");
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        bool known = read_year(loader, &node->keys[i], &year);
        if (!read_number(loader, &node->items[i], weights, &weight) || !known)
            continue;
        if (given.years == 0)
            given.first_year = year;
        if (year < given.first_year + given.years ||
            year - given.first_year >= SYNTH_MODEL_YEARS_MAX) {
            synth_problems_wrong(&loader->problems, &node->keys[i],
                                 "expected years in ascending order, at most 64");
            continue;
        }
        given.year_weight[year - given.first_year] = weight;
        given.years = year - given.first_year + 1;
        sum += weight;
    }
    if (loader->problems.count > before)
        return;
    if (sum <= 0) {
        synth_problems_add(&loader->problems, node,
                           "expected at least one weight above 0, found none");
        return;
    }
    *loader->model = given;
}

static void read_until(struct settings_loader *loader, const struct yaml_node *node)
{
    struct synth_model *model = loader->model;
    int last = model->first_year + model->years - 1;
    int64_t until_ms;

    if (node->type != YAML_SCALAR || node->text.len != sizeof "2021-09-05" - 1 ||
        !date_parse(node->text, &until_ms)) {
        synth_problems_wrong(&loader->problems, node,
                             "expected a date such as 2021-09-05");
        return;
    }
    model->until_ms = until_ms + DATE_DAY_MS; /* the day itself belongs to the corpus */
    if (date_year(model->until_ms - 1) != last)
        synth_problems_add(&loader->problems, node,
                           "expected a date in %d, the last year, found '%.*s'", last,
                           STR_ARG(node->text));
}

static double sum_of(const struct settings_loader *loader,
                     enum synth_model_section section, int row)
{
    const double *values = loader->values + (size_t)row * synth_model_values_in_all() +
                           synth_model_first_value(section);
    double sum = 0;

    for (size_t i = 0; i < synth_model_tables[section].count; i++)
        sum += values[i];
    return sum;
}

/* Weights that are all 0 in some year leave nothing to draw. */
static void check_weights(struct settings_loader *loader, const struct yaml_node *root,
                          enum synth_model_section section)
{
    const struct yaml_node *node = yaml_get(root, synth_model_section_name(section));

    for (int row = 0; row < loader->model->years && node != NULL; row++)
        if (loader->model->year_weight[row] > 0 && sum_of(loader, section, row) <= 0) {
            synth_problems_add(
                &loader->problems, node,
                "%s: expected a weight above 0 in every year, found none in %d",
                synth_model_tables[section].name, loader->model->first_year + row);
            return;
        }
}

/* Only migration questions have a platform, so there must be enough of them. */
static void check_platforms(struct settings_loader *loader, const struct yaml_node *root)
{
    const struct yaml_node *platforms = yaml_get(root, STR("platforms"));
    const struct yaml_node *kinds = yaml_get(root, STR("kinds"));

    for (int row = 0; row < loader->model->years; row++) {
        int year = loader->model->first_year + row;
        double all = sum_of(loader, SYNTH_MODEL_KINDS, row);
        double wanted = sum_of(loader, SYNTH_MODEL_PLATFORMS, row);
        double migration = all > 0
                               ? 100 *
                                     synth_model_value(loader->model, SYNTH_MODEL_KINDS,
                                                       SYNTH_MODEL_MIGRATION, year) /
                                     all
                               : 100;
        /* Shares that are meant to be equal may differ in their last digits. */
        if (loader->model->year_weight[row] > 0 && wanted > migration + 1e-9) {
            synth_problems_add(
                &loader->problems,
                platforms != NULL ? platforms
                : kinds != NULL   ? kinds
                                  : root,
                "platforms: %.2f%% of the questions of %d, but only %.2f%% are "
                "migration questions, the only ones with a platform",
                wanted, year, migration);
            return;
        }
    }
}

static bool is_weights(enum synth_model_section section)
{
    return section != SYNTH_MODEL_PLATFORMS && section < SYNTH_MODEL_ACCEPTED;
}

static void read_all(struct settings_loader *loader, const struct yaml_node *root)
{
    struct str names[SYNTH_MODEL_SECTIONS + 2];
    int section;

    for (section = 0; section < SYNTH_MODEL_SECTIONS; section++)
        names[section] = synth_model_section_name((enum synth_model_section)section);
    names[SYNTH_MODEL_SECTIONS] = STR("years");
    names[SYNTH_MODEL_SECTIONS + 1] = STR("until");
    for (size_t i = 0; i < root->count; i++) {
        for (section = 0; section < SYNTH_MODEL_SECTIONS + 2; section++)
            if (str_eq(root->keys[i].text, names[section]))
                break;
        if (section == SYNTH_MODEL_SECTIONS + 2)
            synth_problems_key(&loader->problems, &root->keys[i], names, ROWS_OF(names));
        else if (section < SYNTH_MODEL_SECTIONS)
            read_section(loader, &root->items[i], (enum synth_model_section)section);
    }
    if (loader->problems.count > 0)
        return;
    for (section = 0; section < SYNTH_MODEL_SECTIONS; section++)
        if (is_weights((enum synth_model_section)section))
            check_weights(loader, root, (enum synth_model_section)section);
    check_platforms(loader, root);
}

static void set_defaults(struct synth_model *model)
{
    model->first_year = SYNTH_MODEL_DEFAULT_FIRST_YEAR;
    model->years = ROWS_OF(synth_model_default_years);
    memcpy(model->year_weight, synth_model_default_years,
           sizeof synth_model_default_years);
}

static void set_default_values(const struct settings_loader *loader)
{
    for (int row = 0; row < loader->model->years; row++) {
        double *value = loader->values + (size_t)row * synth_model_values_in_all();
        for (int section = 0; section < SYNTH_MODEL_SECTIONS; section++)
            for (size_t i = 0; i < synth_model_tables[section].count; i++) {
                const struct synth_model_setting *setting =
                    &synth_model_tables[section].settings[i];
                *value++ = synth_model_at_year(setting->points, points_in(setting),
                                               loader->model->first_year + row);
            }
    }
}

static bool parse(struct settings_loader *loader, const struct yaml_node *root)
{
    struct synth_model *model = loader->model;

    if (root->type != YAML_MAPPING)
        return synth_problems_wrong(&loader->problems, root,
                                    "expected 'key: value' lines");
    /* Years first: everything else is laid out by them. */
    const struct yaml_node *years = yaml_get(root, STR("years"));
    const struct yaml_node *until = yaml_get(root, STR("until"));
    if (years != NULL)
        read_years(loader, years);
    int last = model->first_year + model->years - 1;
    model->begin_ms = date_from_civil((struct date){model->first_year, 1, 1});
    /* Liu's corpus ends on 5 September 2021; other years are whole ones. */
    model->until_ms = years == NULL ? date_from_civil((struct date){2021, 9, 6})
                                    : date_from_civil((struct date){last + 1, 1, 1});
    if (until != NULL)
        read_until(loader, until);
    loader->values = arena_array(loader->arena, double,
                                 (size_t)model->years *synth_model_values_in_all());
    model->values = loader->values;
    set_default_values(loader);
    read_all(loader, root);
    return loader->problems.count == 0;
}

bool synth_model_parse(struct str text, const char *path, struct arena *arena,
                       struct synth_model *out, struct err *err)
{
    struct settings_loader loader = {
        .model = out, .arena = arena, .problems = {.path = path, .arena = arena}};
    struct yaml_node root;

    *out = (struct synth_model){0};
    set_defaults(out);
    if (!yaml_parse(text, path, arena, &root, err))
        return false;
    return parse(&loader, &root) || synth_problems_tell(&loader.problems, err);
}

bool synth_model_load(const char *path, struct arena *arena, struct synth_model *out,
                      struct err *err)
{
    struct str text = STR("");

    if (path != NULL && !file_read_max(path, SETTINGS_BYTES_MAX, arena, &text, err))
        return false;
    return synth_model_parse(text, path, arena, out, err);
}
