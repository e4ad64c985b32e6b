/* Tables of the study file: those that are computed from items. */
#include "base/near.h"
#include "result/result.h"
#include "study/internal.h"

static void slug_of(struct study_reader *reader, struct study_column *column)
{
    struct buf slug = {0};

    result_slug(column->name, &slug);
    column->slug = arena_copy(reader->arena, buf_str(&slug));
    buf_free(&slug);
}

void study_read_check_sets(struct study_reader *reader, const struct yaml_node *at,
                           const struct study_measure *measure)
{
    if (measure->condition == STUDY_MEASURE_IN_SET &&
        study_find_set(reader->study, measure->name) == STUDY_NONE &&
        study_find_sample(reader->study, measure->name) == STUDY_NONE)
        study_read_unknown_set(reader, at, measure->name);
}

static void check_measure(struct study_reader *reader, const struct yaml_node *node,
                          const struct study_measure *measure)
{
    if (measure->kind == STUDY_MEASURE_EACH)
        study_keys_complain(
            &reader->problems, node,
            "'%.*s' is a value of each item; say which of them: median, mean, max "
            "...",
            STR_ARG(node->text));
    study_read_check_sets(reader, node, measure);
    if (measure->ranked != NULL)
        check_measure(reader, node, measure->ranked);
}

static void read_column(struct study_reader *reader, const struct yaml_node *table,
                        const struct yaml_node *node, struct study_column *column)
{
    bool section = node->type == YAML_MAPPING;
    const struct yaml_node *text = section ? yaml_get(node, STR("measure")) : node;
    struct err checked = {0};

    if (text == NULL || text->type != YAML_SCALAR)
        return;
    column->text = str_trim(text->text);
    if (!study_measure_parse(column->text, &reader->own, reader->arena, &column->measure,
                             &checked))
        return;
    check_measure(reader, text, &column->measure);
    column->name = section ? study_read_text(node, "name") : (struct str){0};
    if (column->name.len == 0)
        column->name = column->text;
    slug_of(reader, column);
    column->round_first =
        (int)(section ? study_read_number(node, "round-first",
                                          study_read_number(table, "round-first", -1))
                      : study_read_number(table, "round-first", -1));
    column->minimum_age_days =
        section ? study_read_number(node, "minimum-age",
                                    study_read_number(table, "minimum-age", 0))
                : study_read_number(table, "minimum-age", 0);
    column->digits = section ? (int)study_read_number(node, "digits", -1) : -1;
}

static void read_columns(struct study_reader *reader, const struct yaml_node *table,
                         struct study_table *out)
{
    static const struct yaml_node count = {.type = YAML_SCALAR,
                                           .text = STR_INIT("count")};
    const struct yaml_node *node = yaml_get(table, STR("columns"));

    if (node == NULL)
        node = &count;
    if (node->type == YAML_SEQUENCE && node->count == 0)
        study_keys_complain(&reader->problems, node, "expected at least one column");
    out->column_count = node->type == YAML_SEQUENCE ? node->count : 1;
    out->columns = arena_array(reader->arena, struct study_column, out->column_count + 1);
    for (size_t i = 0; i < out->column_count; i++) {
        const struct yaml_node *item =
            node->type == YAML_SEQUENCE ? &node->items[i] : node;
        read_column(reader, table, item, &out->columns[i]);
        for (size_t j = 0; j < i; j++)
            if (out->columns[i].slug.len > 0 &&
                str_eq(out->columns[i].slug, out->columns[j].slug))
                study_keys_complain(
                    &reader->problems, item,
                    "two columns are called '%.*s'; give one a name: {measure: "
                    "..., name: ...}",
                    STR_ARG(out->columns[i].name));
    }
}

/* A column by its heading, its measure or its name in addresses. */
static size_t find_column(struct study_reader *reader, const struct study_table *table,
                          const struct yaml_node *at, struct str name)
{
    struct str *names = arena_array(reader->arena, struct str, table->column_count + 1);

    for (size_t i = 0; i < table->column_count; i++) {
        const struct study_column *column = &table->columns[i];
        names[i] = column->name;
        if (str_eq(column->name, name) || str_eq(column->text, name) ||
            str_eq(column->slug, name))
            return i;
    }
    size_t near = near_find(name, names, table->column_count);
    if (near < table->column_count)
        study_keys_complain(&reader->problems, at,
                            "'%.*s' is not a column of the table; did you mean '%.*s'?",
                            STR_ARG(name), STR_ARG(names[near]));
    else
        study_keys_complain(&reader->problems, at, "'%.*s' is not a column of the table",
                            STR_ARG(name));
    return STUDY_NONE;
}

static void read_order(struct study_reader *reader, const struct yaml_node *node,
                       struct study_table *table)
{
    const struct yaml_node *sort = yaml_get(node, STR("sort"));
    const struct yaml_node *ranked = yaml_get(node, STR("rank-correlation"));

    table->sort = table->ranked[0] = table->ranked[1] = STUDY_NONE;
    table->descending = !study_read_is(node, "descending", "no");
    if (sort != NULL && sort->type == YAML_SCALAR) {
        table->sort_by_name = str_eq(sort->text, STR("name"));
        if (!table->sort_by_name)
            table->sort = find_column(reader, table, sort, sort->text);
    }
    if (ranked == NULL || ranked->type != YAML_SEQUENCE)
        return;
    if (ranked->count != 2) {
        study_keys_complain(&reader->problems, ranked, "expected two columns, found %zu",
                            ranked->count);
        return;
    }
    for (size_t i = 0; i < 2; i++)
        table->ranked[i] =
            find_column(reader, table, &ranked->items[i], study_read_item(ranked, i));
}

static size_t *groups_of(struct study_reader *reader, const struct yaml_node *node,
                         size_t *count)
{
    struct str *names = study_read_texts(reader, node, count);
    size_t *groups = arena_array(reader->arena, size_t, *count + 1);

    for (size_t i = 0; i < *count; i++)
        groups[i] = study_find_group(reader->study, names[i]);
    return groups;
}

static void read_where(struct study_reader *reader, const struct yaml_node *node,
                       struct study_table *table)
{
    size_t count = node != NULL && node->type == YAML_MAPPING ? node->count : 0;

    table->where = arena_array(reader->arena, struct study_where, count + 1);
    for (size_t i = 0; i < count; i++) {
        size_t group = study_find_group(reader->study, node->keys[i].text);
        if (group == STUDY_NONE)
            study_keys_complain(
                &reader->problems, &node->keys[i],
                "'%.*s' is not a name under groups:", STR_ARG(node->keys[i].text));
        else
            table->where[table->where_count++] =
                (struct study_where){group, study_read_item(node, i)};
    }
}

static void read_table(struct study_reader *reader, const struct yaml_node *node,
                       struct study_table *table)
{
    struct str totals = study_read_text(node, "totals");

    table->title = study_read_text(node, "title");
    table->of = study_read_texts(reader, yaml_get(node, STR("of")), &table->of_count);
    table->by = groups_of(reader, yaml_get(node, STR("by")), &table->by_count);
    table->across =
        groups_of(reader, yaml_get(node, STR("across")), &table->across_count);
    read_where(reader, yaml_get(node, STR("where")), table);
    read_columns(reader, node, table);
    study_read_table_from(reader, node, table);
    study_read_table_made(reader, node, table);
    study_read_table_correlate(reader, node, table);
    table->totals = str_eq(totals, STR("rows"))      ? STUDY_TOTAL_ROWS
                    : str_eq(totals, STR("columns")) ? STUDY_TOTAL_COLUMNS
                    : str_eq(totals, STR("both")) ? STUDY_TOTAL_ROWS | STUDY_TOTAL_COLUMNS
                                                  : 0;
    table->unit_rows = study_read_is(node, "unit", "rows");
    table->top = (int64_t)study_read_number(node, "top", 0);
    table->small = (int64_t)study_read_number(node, "small", 5);
    table->confidence = study_read_number(node, "confidence", 0.95);
    read_order(reader, node, table);
    if (table->across_count > 0 && table->ranked[0] != STUDY_NONE)
        study_keys_complain(
            &reader->problems, yaml_get(node, STR("rank-correlation")),
            "`rank-correlation` does not go with `across`: which of the groups?");
    if (table->totals & STUDY_TOTAL_ROWS && table->across_count == 0)
        study_keys_complain(&reader->problems, node,
                            "totals of rows need `across`: there is nothing to add up");
}

void study_read_tables(struct study_reader *reader)
{
    const struct yaml_node *tables = study_read_section(reader, "tables");
    struct study *study = reader->study;

    study->tables = arena_array(reader->arena, struct study_table, tables->count + 1);
    study->table_count = tables->count;
    for (size_t i = 0; i < tables->count; i++) {
        study->tables[i].name = tables->keys[i].text;
        study->tables[i].node = &tables->items[i];
        read_table(reader, &tables->items[i], &study->tables[i]);
    }
}
