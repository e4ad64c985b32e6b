/* Figures of the study file. */
#include "chart/chart.h"
#include "result/numbers.h"
#include "study/internal.h"

/* In the order of enum study_figure_kind; what each of them shows, and whether all of its
 * columns are on one axis. */
static const struct {
    const char *name;
    enum { OF_TABLE, OF_ITEMS, OF_SET } shows;
    bool one_axis;
} kinds[] = {
    {"bars", OF_TABLE, true},     {"stacked", OF_TABLE, true},
    {"shares", OF_TABLE, true},   {"lines", OF_TABLE, true},
    {"box", OF_ITEMS, false},     {"histogram", OF_ITEMS, false},
    {"ecdf", OF_ITEMS, false},    {"survival", OF_ITEMS, false},
    {"heat", OF_TABLE, true},     {"funnel", OF_SET, false},
    {"tree", OF_TABLE, false},    {"alluvial", OF_TABLE, true},
    {"scatter", OF_TABLE, false}, {"forest", OF_TABLE, false},
};

static bool is_shown(const struct study_figure *figure, const struct study_column *column)
{
    size_t i = 0;

    while (i < figure->column_count &&
           !result_numbers_column_is(column->slug, figure->columns[i]))
        i++;
    return figure->column_count == 0 || i < figure->column_count;
}

static void check_units(struct study_keys_problems *problems,
                        const struct study_figure *figure,
                        const struct study_table *table)
{
    const struct study_column *first = NULL;

    for (size_t c = 0; c < table->column_count; c++) {
        const struct study_column *column = &table->columns[c];
        if (!is_shown(figure, column))
            continue;
        first = first != NULL ? first : column;
        if (!str_eq(study_measure_unit(&first->measure),
                    study_measure_unit(&column->measure))) {
            study_keys_complain(problems, figure->node,
                                "the columns '%.*s' and '%.*s' have different units and "
                                "cannot share an axis; choose with `columns:`",
                                STR_ARG(first->slug), STR_ARG(column->slug));
            return;
        }
    }
}

/* What does not depend on how many items there are, which labels may decide. Of tables
 * that another step makes it is not known before. */
static void check_shown(struct study_keys_problems *problems,
                        const struct study_figure *figure,
                        const struct study_table *table)
{
    if (table->from != NULL || table->show.len > 0)
        return;
    if (kinds[figure->kind].one_axis)
        check_units(problems, figure, table);
    if (figure->kind == STUDY_TREE && (table->of_count > 1) + table->by_count == 1)
        study_keys_complain(problems, figure->node,
                            "'tree' shows a table by several groups, such as labels with "
                            "`level: 1` and with `level: 2`; '%.*s' is by one, which "
                            "'bars' shows",
                            STR_ARG(table->name));
}

static void check_figure(struct study_reader *reader, const struct study_figure *figure)
{
    struct study_keys_problems *problems = &reader->problems;

    study_read_check_columns(reader, figure->node, "columns", figure->table);
    const char *name = kinds[figure->kind].name;

    switch (kinds[figure->kind].shows) {
    case OF_TABLE:
        if (yaml_get(figure->node, STR("table")) == NULL)
            study_keys_complain(problems, figure->node,
                                "'%s' shows a table: the key 'table' is missing", name);
        break;
    case OF_SET:
        if (yaml_get(figure->node, STR("set")) == NULL)
            study_keys_complain(problems, figure->node,
                                "'%s' shows a set: the key 'set' is missing", name);
        break;
    case OF_ITEMS:
        if (figure->on_text.len == 0)
            study_keys_complain(problems, figure->node,
                                "'%s' shows a quantity of items: the key 'on' is missing",
                                name);
        else if (figure->on.kind != STUDY_MEASURE_EACH)
            study_keys_complain(
                problems, yaml_get(figure->node, STR("on")),
                "'%s' shows each item's value: `on` must be such as 'minutes to "
                "accepted', without median or share",
                name);
        else if (figure->kind == STUDY_SURVIVAL && !study_measure_is_time(&figure->on))
            study_keys_complain(problems, yaml_get(figure->node, STR("on")),
                                "'survival' shows a time such as 'days to accepted'");
        break;
    }
    if (figure->by != STUDY_NONE && figure->of_count > 1)
        study_keys_complain(problems, figure->node, "`by` parts one set; `of` names %zu",
                            figure->of_count);
    if (figure->kind == STUDY_HISTOGRAM &&
        (figure->by != STUDY_NONE || figure->of_count > 1))
        study_keys_complain(
            problems, figure->node,
            "a histogram shows one set; 'ecdf' or 'box' show several side by side");
    if (figure->kind == STUDY_SCATTER && figure->column_count != 2)
        study_keys_complain(problems, figure->node,
                            "'scatter' needs `columns` with two columns");
    if (figure->table != STUDY_NONE)
        check_shown(problems, figure, &reader->study->tables[figure->table]);
}

/* The two ends of the axis of values. */
static void read_limits(struct study_reader *reader, struct study_figure *figure)
{
    const struct yaml_node *node = yaml_get(figure->node, STR("limits"));
    bool zero = figure->kind == STUDY_BARS || figure->kind == STUDY_STACKED;

    if (node == NULL || node->type != YAML_SEQUENCE)
        return;
    if (figure->kind == STUDY_SHARES || figure->kind == STUDY_FUNNEL ||
        figure->kind == STUDY_TREE || figure->kind == STUDY_ALLUVIAL) {
        study_keys_complain(&reader->problems, node,
                            "'%s' has no axis that could have `limits`",
                            kinds[figure->kind].name);
        return;
    }
    if (node->count != 2) {
        study_keys_complain(&reader->problems, node,
                            "`limits` are two numbers, as [0, 100]; found %zu",
                            node->count);
        return;
    }
    figure->limited = study_keys_number(study_read_item(node, 0), &figure->low) &&
                      study_keys_number(study_read_item(node, 1), &figure->high);
    if (!figure->limited)
        return; /* as has been said */
    if (figure->low >= figure->high)
        study_keys_complain(&reader->problems, node,
                            "`limits` go from a lower number to a higher one; found %g "
                            "and %g",
                            figure->low, figure->high);
    else if (zero && (figure->low > 0 || figure->high < 0))
        study_keys_complain(&reader->problems, node,
                            "bars begin at 0, which the limits %g and %g leave out; "
                            "'lines' or 'forest' need no 0",
                            figure->low, figure->high);
    else if (figure->log_scale && figure->low <= 0)
        study_keys_complain(&reader->problems, node,
                            "a logarithmic scale begins above 0; found %g", figure->low);
}

static void read_order(struct study_reader *reader, struct study_figure *figure)
{
    static const char *const words[] = {"largest", "smallest", "name"};
    const struct yaml_node *node = yaml_get(figure->node, STR("order"));

    if (node == NULL)
        return;
    if (figure->kind == STUDY_FUNNEL || figure->kind == STUDY_HISTOGRAM) {
        study_keys_complain(&reader->problems, node, "'%s' has no `order` of its own",
                            kinds[figure->kind].name);
        return;
    }
    if (node->type == YAML_SEQUENCE) {
        figure->order = STUDY_ORDER_LIST;
        figure->first = study_read_texts(reader, node, &figure->first_count);
        return;
    }
    for (size_t i = 0; i < ROWS_OF(words); i++)
        if (str_eq(node->text, str_from(words[i])))
            figure->order = (enum study_order)(STUDY_ORDER_LARGEST + i);
    if (figure->order == STUDY_ORDER_GIVEN)
        study_keys_complain(&reader->problems, node,
                            "expected largest, smallest, name, or a list of names as "
                            "[a, b], found '%.*s'",
                            STR_ARG(node->text));
    else if (figure->order != STUDY_ORDER_NAME &&
             (figure->kind == STUDY_ECDF || figure->kind == STUDY_SURVIVAL))
        study_keys_complain(&reader->problems, node,
                            "a curve has no size to order by; `order` of '%s' is name "
                            "or a list",
                            kinds[figure->kind].name);
}

static void read_palette(struct study_reader *reader, struct study_figure *figure)
{
    static const struct chart_colour greys[] = {{0.20, 0.20, 0.20, 1},
                                                {0.50, 0.50, 0.50, 1},
                                                {0.72, 0.72, 0.72, 1},
                                                {0.87, 0.87, 0.87, 1}};
    const struct yaml_node *node = yaml_get(figure->node, STR("palette"));
    bool scheme = study_read_is(figure->node, "palette", "greys");
    size_t count;
    struct str *texts = study_read_texts(reader, node, &count);

    figure->palette_count = scheme ? ROWS_OF(greys) : count;
    figure->palette =
        arena_array(reader->arena, struct chart_colour, figure->palette_count + 1);
    for (size_t i = 0; i < figure->palette_count; i++)
        if (scheme)
            figure->palette[i] = greys[i];
        else if (!chart_colour_parse(texts[i], &figure->palette[i]))
            study_keys_complain(
                &reader->problems, node->type == YAML_SEQUENCE ? &node->items[i] : node,
                "expected a colour as \"#0072B2\", or blue, orange, green, vermillion, "
                "sky, purple, yellow, grey, or greys alone; found '%.*s'",
                STR_ARG(texts[i]));
}

/* How it looks, beside what it shows. */
static void read_looks(struct study_reader *reader, struct study_figure *figure)
{
    const struct yaml_node *node = figure->node, *bins = yaml_get(node, STR("bins"));

    figure->two_columns = study_read_is(node, "width", "two");
    figure->log_scale = study_read_is(node, "log", "yes");
    figure->patterns = study_read_is(node, "patterns", "yes");
    figure->height_cm = study_read_number(node, "height", 0);
    figure->labels =
        study_read_pairs(reader, yaml_get(node, STR("labels")), &figure->label_count);
    figure->bins = (size_t)study_read_number(node, "bins", 0);
    if (bins != NULL && figure->kind != STUDY_HISTOGRAM)
        study_keys_complain(&reader->problems, bins,
                            "`bins` are those of a histogram, not of '%s'",
                            kinds[figure->kind].name);
    if (figure->log_scale &&
        (figure->kind == STUDY_BARS || figure->kind == STUDY_STACKED ||
         figure->kind == STUDY_SHARES))
        study_keys_complain(&reader->problems, yaml_get(node, STR("log")),
                            "a logarithmic scale has no 0 for bars to begin at; 'lines', "
                            "'box' or 'forest' can have one");
    read_limits(reader, figure);
    read_order(reader, figure);
    read_palette(reader, figure);
}

static void read_figure(struct study_reader *reader, const struct yaml_node *node,
                        struct study_figure *figure)
{
    struct str draw = study_read_text(node, "draw");
    struct err checked = {0};

    if (node->type != YAML_MAPPING)
        return;
    figure->title = study_read_text(node, "title");
    figure->table = study_find_table(reader->study, study_read_text(node, "table"));
    figure->columns =
        study_read_slugs(reader, yaml_get(node, STR("columns")), &figure->column_count);
    figure->set = study_find_set(reader->study, study_read_text(node, "set"));
    figure->of = study_read_texts(reader, yaml_get(node, STR("of")), &figure->of_count);
    figure->by = study_find_group(reader->study, study_read_text(node, "by"));
    figure->on_text = study_read_text(node, "on");
    if (figure->on_text.len > 0 &&
        study_measure_parse(figure->on_text, &reader->own, reader->arena, &figure->on,
                            &checked))
        study_read_check_measure(reader, yaml_get(node, STR("on")), &figure->on);
    size_t k = 0;
    while (k < ROWS_OF(kinds) && !str_eq(draw, str_from(kinds[k].name)))
        k++;
    if (k == ROWS_OF(kinds))
        return; /* as has been said */
    figure->kind = (enum study_figure_kind)k;
    read_looks(reader, figure);
    check_figure(reader, figure);
}

void study_read_figures(struct study_reader *reader)
{
    struct study *study = reader->study;

    study->figures =
        STUDY_READ_NAMED(reader, "figures", struct study_figure, &study->figure_count);
    for (size_t i = 0; i < study->figure_count; i++)
        read_figure(reader, study->figures[i].node, &study->figures[i]);
}
