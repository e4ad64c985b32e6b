/* Figures of the study file. */
#include "study/internal.h"

/* In the order of enum study_figure_kind; what each of them shows. */
static const struct {
    const char *name;
    enum { OF_TABLE, OF_ITEMS, OF_SET } shows;
} kinds[] = {
    {"bars", OF_TABLE},    {"stacked", OF_TABLE},  {"shares", OF_TABLE},
    {"lines", OF_TABLE},   {"box", OF_ITEMS},      {"histogram", OF_ITEMS},
    {"ecdf", OF_ITEMS},    {"survival", OF_ITEMS}, {"heat", OF_TABLE},
    {"funnel", OF_SET},    {"tree", OF_TABLE},     {"alluvial", OF_TABLE},
    {"scatter", OF_TABLE}, {"forest", OF_TABLE},
};

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
    figure->two_columns = study_read_is(node, "width", "two");
    figure->log_scale = study_read_is(node, "log", "yes");
    figure->patterns = study_read_is(node, "patterns", "yes");
    size_t k = 0;
    while (k < ROWS_OF(kinds) && !str_eq(draw, str_from(kinds[k].name)))
        k++;
    if (k == ROWS_OF(kinds))
        return; /* as has been said */
    figure->kind = (enum study_figure_kind)k;
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
