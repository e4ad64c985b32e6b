/* Regressions of the study file. */
#include "study/internal.h"

static const char *const models[] = {"logistic", "negative-binomial", "cox"};

/* What `on` must be for each model. */
static void check_outcome(struct study_reader *reader, const struct study_regression *one)
{
    const struct yaml_node *on = yaml_get(one->node, STR("on"));
    bool fits =
        one->model == STUDY_LOGISTIC ? one->on.kind == STUDY_MEASURE_PART
        : one->model == STUDY_COX
            ? one->on.kind == STUDY_MEASURE_EACH && study_measure_is_time(&one->on)
            : one->on.kind == STUDY_MEASURE_EACH && !study_measure_is_time(&one->on);
    static const char *const wanted[] = {
        [STUDY_LOGISTIC] = "a share of items, such as 'share accepted'",
        [STUDY_NEGATIVE_BINOMIAL] = "a count of each item, such as 'views'",
        [STUDY_COX] = "a time, such as 'days to accepted'"};

    if (!fits)
        study_keys_complain(&reader->problems, on, "'%s' needs %s; found '%.*s'",
                            models[one->model], wanted[one->model],
                            STR_ARG(one->on_text));
}

static void read_term(struct study_reader *reader, const struct yaml_node *node,
                      struct str outcome, struct study_term *term)
{
    struct err err = {0};
    struct str text = str_trim(node->text);

    term->text = text;
    term->node = node;
    term->group = study_find_group(reader->study, text);
    if (term->group != STUDY_NONE)
        return;
    if (study_find_set(reader->study, text) != STUDY_NONE ||
        study_find_sample(reader->study, text) != STUDY_NONE) {
        term->set = text;
        return;
    }
    term->log = str_starts(text, STR("log "));
    if (term->log)
        text = str_trim(str_slice(text, 4, text.len));
    if (!study_measure_parse(text, &reader->own, reader->arena, &term->measure, &err) ||
        term->measure.kind != STUDY_MEASURE_EACH)
        study_keys_complain(&reader->problems, node,
                            "'%.*s' is no group or set of this study, nor a quantity of "
                            "each item such as views or log views",
                            STR_ARG(term->text));
    else if (str_eq(text, str_trim(outcome)))
        study_keys_complain(&reader->problems, node,
                            "'%.*s' is the outcome itself, which predicts itself "
                            "whatever the data are",
                            STR_ARG(term->text));
    else
        study_read_check_measure(reader, node, &term->measure);
}

/* A word or the name of a group. */
static enum study_cluster read_cluster(struct study_reader *reader,
                                       const struct study_regression *one,
                                       const char *key, size_t *group,
                                       struct str *written)
{
    static const struct {
        const char *word;
        enum study_cluster cluster;
    } words[] = {{"plain", STUDY_UNCLUSTERED},
                 {"robust", STUDY_ROBUST},
                 {"asker", STUDY_BY_ASKER},
                 {"source", STUDY_BY_SOURCE}};
    struct str text = study_read_text(one->node, key);
    bool random = str_eq(str_from(key), STR("random"));

    *group = STUDY_NONE;
    *written = text;
    if (text.len == 0)
        return STUDY_UNCLUSTERED;
    for (size_t i = random ? 2 : 0; i < ROWS_OF(words); i++)
        if (str_eq(text, str_from(words[i].word)))
            return words[i].cluster;
    *group = study_find_group(reader->study, text);
    if (*group == STUDY_NONE)
        study_keys_complain(&reader->problems, yaml_get(one->node, str_from(key)),
                            "expected %sasker, source or a group of this study, found "
                            "'%.*s'",
                            random ? "" : "plain, robust, ", STR_ARG(text));
    return STUDY_BY_GROUP;
}

static void read_regression(struct study_reader *reader, struct study_regression *one)
{
    const struct yaml_node *node = one->node, *with = yaml_get(node, STR("with"));
    struct err err = {0};

    if (node->type != YAML_MAPPING)
        return;
    one->of = study_read_text(node, "of");
    for (size_t m = 0; m < ROWS_OF(models); m++)
        if (study_read_is(node, "model", models[m]))
            one->model = (enum study_model)m;
    one->on_text = study_read_text(node, "on");
    if (one->on_text.len > 0 &&
        study_measure_parse(one->on_text, &reader->own, reader->arena, &one->on, &err)) {
        study_read_check_measure(reader, yaml_get(node, STR("on")), &one->on);
        check_outcome(reader, one);
    }
    one->term_count = with == NULL ? 0 : with->type == YAML_SEQUENCE ? with->count : 1;
    one->terms = arena_array(reader->arena, struct study_term, one->term_count + 1);
    for (size_t i = 0; i < one->term_count; i++) {
        const struct yaml_node *item =
            with->type == YAML_SEQUENCE ? &with->items[i] : with;
        if (item->type == YAML_SCALAR)
            read_term(reader, item, one->on_text, &one->terms[i]);
    }
    if (with != NULL && one->term_count == 0)
        study_keys_complain(&reader->problems, with, "expected at least one name");
    one->against =
        study_read_texts(reader, yaml_get(node, STR("against")), &one->against_count);
    one->errors =
        read_cluster(reader, one, "errors", &one->errors_group, &one->errors_text);
    one->random =
        read_cluster(reader, one, "random", &one->random_group, &one->random_text);
    if (one->random != STUDY_UNCLUSTERED && one->errors != STUDY_UNCLUSTERED)
        study_keys_complain(&reader->problems, yaml_get(node, STR("errors")),
                            "`random` and `errors` answer the same question; choose one");
    one->level = study_read_number(node, "level", 0.05);
}

void study_read_regressions(struct study_reader *reader)
{
    struct study *study = reader->study;

    study->regressions = STUDY_READ_NAMED(reader, "regressions", struct study_regression,
                                          &study->regression_count);
    for (size_t i = 0; i < study->regression_count; i++)
        read_regression(reader, &study->regressions[i]);
}
