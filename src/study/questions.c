/* Research questions of the study file: what the report is arranged by. */
#include "study/internal.h"

/* Where the names of a list are among the keys of a section; the others were complained
 * of. */
static size_t *read_places(struct study_reader *reader, const struct yaml_node *node,
                           const char *section, size_t *count)
{
    const struct yaml_node *all = study_read_section(reader, section);
    size_t named;
    struct str *names =
        study_read_texts(reader, yaml_get(node, str_from(section)), &named);
    size_t *places = arena_array(reader->arena, size_t, named + 1);

    *count = 0;
    for (size_t i = 0; i < named; i++)
        for (size_t k = 0; k < all->count; k++)
            if (str_eq(all->keys[k].text, names[i]))
                places[(*count)++] = k;
    return places;
}

/* A brace that is not closed would swallow the rest of the text. */
static void check_braces(struct study_reader *reader, const struct yaml_node *node)
{
    struct str rest = node->text, before;

    for (size_t i = 0; i < node->count && node->type == YAML_SEQUENCE; i++)
        check_braces(reader, &node->items[i]);
    while (node->type == YAML_SCALAR && str_cut(&rest, '{', &before))
        if (!str_cut(&rest, '}', &before))
            study_keys_complain(&reader->problems, node,
                                "'{%.*s': a number stands in braces, as "
                                "{tables.kinds.crash.share}; the second is missing",
                                (int)(before.len < 40 ? before.len : 40), before.ptr);
}

static void read_question(struct study_reader *reader, const struct yaml_node *node,
                          struct study_question *out)
{
    static const char *const texts[] = {"answer", "findings", "threats", "method"};

    if (node->type != YAML_MAPPING)
        return;
    out->asks = study_read_text(node, "asks");
    out->method = study_read_text(node, "method");
    out->answer = study_read_text(node, "answer");
    out->findings =
        study_read_texts(reader, yaml_get(node, STR("findings")), &out->finding_count);
    out->threats =
        study_read_texts(reader, yaml_get(node, STR("threats")), &out->threat_count);
    out->tables = read_places(reader, node, "tables", &out->table_count);
    out->figures = read_places(reader, node, "figures", &out->figure_count);
    out->tests = read_places(reader, node, "tests", &out->test_count);
    for (size_t i = 0; i < ROWS_OF(texts); i++) {
        const struct yaml_node *text = yaml_get(node, str_from(texts[i]));
        if (text != NULL)
            check_braces(reader, text);
    }
}

void study_read_questions(struct study_reader *reader)
{
    const struct yaml_node *questions = study_read_section(reader, "questions");
    struct study *study = reader->study;

    study->questions =
        arena_array(reader->arena, struct study_question, questions->count + 1);
    study->question_count = questions->count;
    for (size_t i = 0; i < questions->count; i++) {
        study->questions[i].name = questions->keys[i].text;
        study->questions[i].node = &questions->items[i];
        read_question(reader, &questions->items[i], &study->questions[i]);
    }
}
