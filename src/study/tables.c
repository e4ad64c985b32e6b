/* Tables of the study file: those that are computed from items. */
#include "base/file.h"
#include "base/near.h"
#include "result/result.h"
#include "study/internal.h"

/* Tables that are not computed from items: a file of others, what a step has left, the
 * correlations of another table. Keys that compute do not go with them. */
static void read_table_from(struct study_reader *reader, const struct yaml_node *node,
                            struct study_table *table)
{
    static const char *const computing[] = {"of",   "by",  "across", "where", "columns",
                                            "sort", "top", "totals", "unit",  "count"};
    const struct yaml_node *from = yaml_get(node, STR("from"));

    table->row_names =
        study_read_texts(reader, yaml_get(node, STR("rows")), &table->row_name_count);
    table->printed = study_read_is(node, "printed", "yes");
    if (from == NULL) {
        if (table->row_name_count > 0)
            study_keys_complain(&reader->problems, yaml_get(node, STR("rows")),
                                "`rows` names columns of a csv: it needs `from`");
        if (table->printed)
            study_keys_complain(&reader->problems, yaml_get(node, STR("printed")),
                                "`printed` is said of a csv: it needs `from`");
        return;
    }
    table->from = study_read_path(reader, from, study_read_text(node, "from"));
    for (size_t i = 0; i < ROWS_OF(computing); i++) {
        const struct yaml_node *other = yaml_get(node, str_from(computing[i]));
        if (other != NULL)
            study_keys_complain(
                &reader->problems, other,
                "a table `from` a file is as it is: `%s` does not go with it",
                computing[i]);
    }
}

/* What each kind of step has to show. Shares are computed; all else is read from what the
 * step has written. */
static const struct {
    const char *key, *section, *shows;
} makers[] = {
    [STUDY_BY_LABELLING] = {"labelling", "labelling",
                            "agreement|checkpoints|codes|levels|raters|saturation|"
                            "confusion|states|units|spans|models|model-agreement|"
                            "self-agreement|alternative|alternative-raters"},
    [STUDY_BY_CLASSIFIER] = {"classifier", "classifiers",
                             "scores|overall|confusion|learning|calibration|shares"},
    [STUDY_BY_TOPICS] = {"topics", "topics", "topics|words|sweep|methods"},
    [STUDY_BY_PHRASES] = {"phrases", "phrases",
                          "actions|objects|proposals|decisions|unifiers"},
    [STUDY_BY_EXTRACT] = {"extract", "extracts", "found"},
    [STUDY_BY_TAGSET] = {"tagset", "tagsets", "candidates|thresholds|verdicts"},
    [STUDY_BY_REGRESSION] = {"regression", "regressions", "terms|fit"},
    [STUDY_BY_VECTORS] = {"vectors", "vectors", "coverage"},
};

static bool is_one_of(const char *choices, struct str word)
{
    struct str rest = str_from(choices), one;
    bool more, found = false;

    do {
        more = str_cut(&rest, '|', &one);
        found = found || str_eq(one, word);
    } while (more && !found);
    return found;
}

static size_t index_in(const struct yaml_node *section, struct str name)
{
    for (size_t i = 0; i < section->count; i++)
        if (str_eq(section->keys[i].text, name))
            return i;
    return STUDY_NONE;
}

bool study_shows_shares(const struct study_table *table)
{
    return table->maker == STUDY_BY_CLASSIFIER && str_eq(table->show, STR("shares"));
}

bool study_shows_verdicts(const struct study_table *table)
{
    return table->maker == STUDY_BY_TAGSET && str_eq(table->show, STR("verdicts"));
}

bool study_shows_dimension(const struct study_table *table)
{
    return table->maker == STUDY_BY_LABELLING && !str_eq(table->show, STR("agreement")) &&
           !str_eq(table->show, STR("spans")) && !str_eq(table->show, STR("models"));
}

/* Keys that compute a table do not go with one that shows what a step gave; but shares
 * may be asked for of any sets and groups. */
static void check_made(struct study_reader *reader, const struct yaml_node *node,
                       const struct study_table *table)
{
    static const char *const computing[] = {"where",  "columns", "sort", "top",
                                            "totals", "across",  "of",   "by"};
    size_t count = ROWS_OF(computing) - (study_shows_shares(table) ? 2 : 0);

    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *other = yaml_get(node, str_from(computing[i]));
        if (other != NULL)
            study_keys_complain(
                &reader->problems, other,
                "a table that shows '%.*s' is as it is: `%s` does not go with "
                "it",
                STR_ARG(table->show), computing[i]);
    }
    if (study_shows_shares(table) && table->by_count > 1)
        study_keys_complain(&reader->problems, yaml_get(node, STR("by")),
                            "expected one group, found %zu", table->by_count);
}

static void check_models_shown(struct study_reader *reader, const struct yaml_node *show,
                               const struct study_table *table)
{
    const char *const of_models =
        "models|model-agreement|self-agreement|alternative|alternative-raters";

    if (table->maker == STUDY_BY_LABELLING && table->made_by != STUDY_NONE &&
        is_one_of(of_models, table->show) &&
        reader->study->labellings[table->made_by].model_count == 0)
        study_keys_complain(&reader->problems, show,
                            "labelling.%.*s has no models among its raters: there is "
                            "nothing to show",
                            STR_ARG(reader->study->labellings[table->made_by].name));
}

/* Spans and units are there where raters mark some. */
static void check_marked_shown(struct study_reader *reader, const struct yaml_node *show,
                               const struct study_table *table)
{
    if (table->maker != STUDY_BY_LABELLING || table->made_by == STUDY_NONE)
        return;
    const struct study_labelling *labelling = &reader->study->labellings[table->made_by];
    bool spans = str_eq(table->show, STR("spans")) && labelling->spans == STUDY_SPANS_NO;
    bool units = str_eq(table->show, STR("units")) && !labelling->units;
    if (spans || units)
        study_keys_complain(&reader->problems, show,
                            "labelling.%.*s has no %s: there is nothing to show",
                            STR_ARG(labelling->name),
                            spans ? "`spans: yes` or `per code`" : "`units: yes`");
}

static void read_table_made(struct study_reader *reader, const struct yaml_node *node,
                            struct study_table *table)
{
    const struct yaml_node *show = yaml_get(node, STR("show"));
    struct str name = {0}, dimension = study_read_text(node, "dimension");
    size_t given = yaml_get(node, STR("from")) != NULL;

    for (size_t m = 1; m < ROWS_OF(makers); m++) {
        const struct yaml_node *by = yaml_get(node, str_from(makers[m].key));
        if (by == NULL)
            continue;
        given++;
        name = study_read_text(node, makers[m].key);
        table->maker = (enum study_maker)m;
        table->made_by = index_in(study_read_section(reader, makers[m].section), name);
    }
    table->show = study_read_text(node, "show");
    table->truth = study_read_labels_of(reader, node, "truth");
    if (given > 1)
        study_keys_complain(
            &reader->problems, node,
            "expected at most one of from, labelling, classifier, topics, phrases"
            ", extract, tagset, regression and vectors");
    else if (table->maker == STUDY_NO_MAKER && show != NULL)
        study_keys_complain(
            &reader->problems, show,
            "`show` needs labelling, classifier, topics, phrases, extract, "
            "tagset, regression or vectors");
    else if (table->maker != STUDY_NO_MAKER && show == NULL)
        study_keys_complain(&reader->problems, node, "expected `show`: one of %s",
                            makers[table->maker].shows);
    else if (show != NULL && !is_one_of(makers[table->maker].shows, table->show))
        study_keys_complain(
            &reader->problems, show, "%s has no '%.*s' to show; it has %s",
            makers[table->maker].key, STR_ARG(table->show), makers[table->maker].shows);
    else if (table->maker != STUDY_NO_MAKER) {
        check_made(reader, node, table);
        if (dimension.len > 0 && !study_shows_dimension(table))
            study_keys_complain(
                &reader->problems, yaml_get(node, STR("dimension")),
                "'%.*s' is not of one dimension: `dimension` does not go with "
                "it",
                STR_ARG(table->show));
        check_models_shown(reader, show, table);
        check_marked_shown(reader, show, table);
        table->from = study_read_result(
            reader,
            study_shows_verdicts(table) ? "accepted" : makers[table->maker].section,
            name);
        if (!study_shows_shares(table))
            table->part = study_read_part(reader, table->show, dimension);
    }
}

/* The tables are in the order of their section. */
static void read_table_correlate(struct study_reader *reader,
                                 const struct yaml_node *node, struct study_table *table)
{
    static const char *const others[] = {"of",      "by",   "across", "where",
                                         "columns", "from", "rows",   "show",
                                         "sort",    "top",  "totals"};
    const struct yaml_node *tables = study_read_section(reader, "tables");
    const struct yaml_node *key = yaml_get(node, STR("correlate"));

    size_t other = index_in(tables, study_read_text(node, "correlate"));
    if (key == NULL || other == STUDY_NONE)
        return;
    table->maker = STUDY_BY_TABLE;
    table->made_by = other;
    table->from = study_read_result(reader, "tables", tables->keys[other].text);
    if (yaml_get(&tables->items[other], STR("correlate")) != NULL)
        study_keys_complain(&reader->problems, key,
                            "'%.*s' is itself a table of correlations",
                            STR_ARG(study_read_text(node, "correlate")));
    for (size_t i = 0; i < ROWS_OF(others); i++)
        if (yaml_get(node, str_from(others[i])) != NULL)
            study_keys_complain(
                &reader->problems, yaml_get(node, str_from(others[i])),
                "a table of correlations is as it is: `%s` does not go with it",
                others[i]);
}

static void slug_of(struct study_reader *reader, struct study_column *column)
{
    struct buf slug = {0};

    result_slug(column->name, &slug);
    column->slug = buf_keep(&slug, reader->arena);
}

void study_read_check_measure(struct study_reader *reader, const struct yaml_node *at,
                              const struct study_measure *measure)
{
    const struct study *study = reader->study;
    bool comments = study->source_count == 0; /* as has been said */

    for (size_t i = 0; i < study->source_count; i++)
        comments = comments || (study->sources[i].also >> ITEM_ALSO_COMMENTS & 1);
    if (study_measure_asks_endorsed(measure) && !comments)
        study_keys_complain(&reader->problems, at,
                            "endorsed answers are known from comments, which no source "
                            "takes; a dump does with `also: comments`");
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
    study_read_check_measure(reader, node, measure);
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

/* Whether labels that it is grouped by are those of units. */
static bool by_units(const struct study *study, const size_t *groups, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct study_group *group = &study->groups[groups[i]];
        if (group->grouping == STUDY_GROUPING_LABELS &&
            study->labels[group->labels].unit.len > 0)
            return true;
    }
    return false;
}

static bool tells_units(const struct study *study, const struct study_table *table)
{
    for (size_t i = 0; i < table->where_count; i++)
        if (by_units(study, &table->where[i].group, 1))
            return true;
    return by_units(study, table->by, table->by_count) ||
           by_units(study, table->across, table->across_count);
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
    read_table_from(reader, node, table);
    read_table_made(reader, node, table);
    read_table_correlate(reader, node, table);
    table->totals = str_eq(totals, STR("rows"))      ? STUDY_TOTAL_ROWS
                    : str_eq(totals, STR("columns")) ? STUDY_TOTAL_COLUMNS
                    : str_eq(totals, STR("both")) ? STUDY_TOTAL_ROWS | STUDY_TOTAL_COLUMNS
                                                  : 0;
    table->unit_rows = study_read_is(node, "unit", "rows");
    table->count_units = study_read_is(node, "count", "units");
    if (table->count_units && !tells_units(reader->study, table))
        study_keys_complain(
            &reader->problems, yaml_get(node, STR("count")),
            "no group of the table tells units: expected one by labels of "
            "a labelling with `units: yes`, or by labels with `unit`");
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
    struct study *study = reader->study;

    study->tables =
        STUDY_READ_NAMED(reader, "tables", struct study_table, &study->table_count);
    for (size_t i = 0; i < study->table_count; i++)
        read_table(reader, study->tables[i].node, &study->tables[i]);
}

/* A chapter is a table with columns of our own. */
static void read_chapter(struct study_reader *reader, const struct yaml_node *node,
                         struct study_table *chapter)
{
    static const char *const columns[STUDY_HANDBOOK_COLUMNS] = {
        [STUDY_HANDBOOK_COUNT] = "count",
        [STUDY_HANDBOOK_SHARE] = "share of set",
        [STUDY_HANDBOOK_WITHOUT] = "share without accepted",
        [STUDY_HANDBOOK_WAIT] = "median minutes to accepted",
        [STUDY_HANDBOOK_SURVIVAL] = "kaplan-meier median minutes to accepted",
    };

    if (node->type != YAML_MAPPING)
        return;
    chapter->node = node;
    chapter->title = study_read_text(node, "title");
    chapter->of = study_read_texts(reader, yaml_get(node, STR("of")), &chapter->of_count);
    chapter->by = groups_of(reader, yaml_get(node, STR("by")), &chapter->by_count);
    chapter->columns =
        arena_array(reader->arena, struct study_column, STUDY_HANDBOOK_COLUMNS);
    chapter->column_count = STUDY_HANDBOOK_COLUMNS;
    for (size_t i = 0; i < STUDY_HANDBOOK_COLUMNS; i++)
        read_column(
            reader, node,
            &(struct yaml_node){.type = YAML_SCALAR, .text = str_from(columns[i])},
            &chapter->columns[i]);
    chapter->small = 5;
    chapter->confidence = 0.95;
    chapter->truth = STUDY_NONE;
    read_order(reader, node, chapter);
}

void study_read_handbook(struct study_reader *reader)
{
    struct study *study = reader->study;
    struct study_handbook *handbook = &study->handbook;
    const struct yaml_node *node = yaml_get(&study->root, STR("handbook"));
    const struct yaml_node *chapters =
        node != NULL ? yaml_get(node, STR("chapters")) : NULL;

    if (node == NULL || node->type != YAML_MAPPING)
        return;
    study->handbook_count = 1;
    handbook->node = node;
    handbook->title = study_read_text(node, "title");
    handbook->solved = (int64_t)study_read_number(node, "solved", 5);
    handbook->open = (int64_t)study_read_number(node, "open", 5);
    handbook->names = (int64_t)study_read_number(node, "names", 8);
    if (chapters == NULL) {
        static const char *const needed[] = {"of", "by"};
        for (size_t i = 0; i < ROWS_OF(needed); i++)
            if (yaml_get(node, str_from(needed[i])) == NULL)
                study_keys_complain(&reader->problems, node,
                                    "expected `%s`, or `chapters` of which each has it",
                                    needed[i]);
        handbook->chapters = arena_array(reader->arena, struct study_table, 1);
        handbook->chapter_count = 1;
        read_chapter(reader, node, &handbook->chapters[0]);
        return;
    }
    if (yaml_get(node, STR("of")) != NULL || yaml_get(node, STR("by")) != NULL)
        study_keys_complain(&reader->problems, chapters,
                            "`of` and `by` stand in each of the chapters, not beside "
                            "them");
    if (chapters->type == YAML_MAPPING && chapters->count == 0)
        study_keys_complain(&reader->problems, chapters,
                            "expected a chapter, found none");
    handbook->named = true;
    handbook->chapter_count = chapters->type == YAML_MAPPING ? chapters->count : 0;
    handbook->chapters =
        arena_array(reader->arena, struct study_table, handbook->chapter_count + 1);
    for (size_t i = 0; i < handbook->chapter_count; i++) {
        handbook->chapters[i].name = chapters->keys[i].text;
        read_chapter(reader, &chapters->items[i], &handbook->chapters[i]);
    }
}
