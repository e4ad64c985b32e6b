/* Tables that are not computed from items: a file of others, what a step has left, the
 * correlations of another table. Keys that compute do not go with them. */
#include "base/file.h"
#include "study/internal.h"

void study_read_table_from(struct study_reader *reader, const struct yaml_node *node,
                           struct study_table *table)
{
    static const char *const computing[] = {"of",   "by",  "across", "where", "columns",
                                            "sort", "top", "totals", "unit"};
    const struct yaml_node *from = yaml_get(node, STR("from"));

    table->row_names =
        study_read_texts(reader, yaml_get(node, STR("rows")), &table->row_name_count);
    if (from == NULL) {
        if (table->row_name_count > 0)
            study_keys_complain(&reader->problems, yaml_get(node, STR("rows")),
                                "`rows` names columns of a csv: it needs `from`");
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
                            "confusion|states"},
    [STUDY_BY_CLASSIFIER] = {"classifier", "classifiers",
                             "scores|overall|confusion|learning|calibration|shares"},
    [STUDY_BY_TOPICS] = {"topics", "topics", "topics|words|sweep"},
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

bool study_shows_dimension(const struct study_table *table)
{
    return table->maker == STUDY_BY_LABELLING && !str_eq(table->show, STR("agreement"));
}

/* out/results/SECTION.NAME.result */
static const char *result_path(struct study_reader *reader, const char *section,
                               struct str name)
{
    struct buf path = {0};

    buf_add_format(&path, "out/results/%s.%.*s.result", section, STR_ARG(name));
    const char *made =
        file_join(reader->study->home, arena_c_string(reader->arena, buf_str(&path)),
                  reader->arena);
    buf_free(&path);
    return made;
}

/* "states", or "states.DIMENSION" of a task with several. */
static struct str part_of(struct study_reader *reader, struct str show,
                          struct str dimension)
{
    struct buf part = {0};

    buf_add_format(&part, "%.*s%s%.*s", STR_ARG(show), dimension.len > 0 ? "." : "",
                   STR_ARG(dimension));
    struct str copy = arena_copy(reader->arena, buf_str(&part));
    buf_free(&part);
    return copy;
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

void study_read_table_made(struct study_reader *reader, const struct yaml_node *node,
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
            "expected at most one of from, labelling, classifier and topics");
    else if (table->maker == STUDY_NO_MAKER && show != NULL)
        study_keys_complain(&reader->problems, show,
                            "`show` needs labelling, classifier or topics");
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
        table->from = result_path(reader, makers[table->maker].section, name);
        if (!study_shows_shares(table))
            table->part = part_of(reader, table->show, dimension);
    }
}

/* The tables are in the order of their section. */
void study_read_table_correlate(struct study_reader *reader, const struct yaml_node *node,
                                struct study_table *table)
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
    table->from = result_path(reader, "tables", tables->keys[other].text);
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
