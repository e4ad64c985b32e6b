/* Vectors, classifiers, topics, phrases and extracts of the study file. */
#include <math.h>

#include "base/near.h"
#include "study/internal.h"

const char *const study_parts[STUDY_PARTS] = {"title", "prose", "code", "inline-code",
                                              "tags"};

static void read_features(const struct yaml_node *node, struct study_classifier *one)
{
    const struct yaml_node *weights = yaml_get(node, STR("weights"));

    one->runs = (int64_t)study_read_number(node, "runs", 0);
    one->min_items = (int64_t)study_read_number(node, "min-items", 0);
    one->max_share = study_read_number(node, "max-share", 0);
    one->select = (int64_t)study_read_number(node, "select", 0);
    one->idf = study_read_text(node, "idf");
    one->stop_words = study_read_text(node, "stop-words");
    for (size_t i = 0; i < STUDY_PARTS; i++)
        one->weights[i] = weights != NULL && weights->type == YAML_MAPPING
                              ? study_read_number(weights, study_parts[i], NAN)
                              : NAN;
}

/* What is for one method only, and given for another, is told. */
static void read_keyword_weight(struct study_reader *reader, const struct yaml_node *node,
                                struct study_classifier *one)
{
    static const char *const only[] = {"keywords", "normaliser", "top", "outside",
                                       "title"};

    one->normaliser = study_read_text(node, "normaliser");
    one->top = (int64_t)study_read_number(node, "top", 0);
    one->outside = study_read_text(node, "outside");
    one->title = study_read_text(node, "title");
    for (size_t i = 0; i < ROWS_OF(only); i++) {
        const struct yaml_node *given = yaml_get(node, str_from(only[i]));
        if (given != NULL && !str_eq(one->method, STR("keyword-weight")))
            study_keys_complain(&reader->problems, given,
                                "`%s` is for the method keyword-weight, not for '%.*s'",
                                only[i], STR_ARG(one->method));
    }
}

/* The model must be one of the labelling that it is judged by. */
static void check_rater(struct study_reader *reader, const struct yaml_node *node,
                        const struct study_classifier *one)
{
    const struct study *study = reader->study;
    const struct yaml_node *at = yaml_get(node, STR("rater"));
    size_t labelling =
        one->train != STUDY_NONE ? study->labels[one->train].labelling : STUDY_NONE;
    size_t count = labelling != STUDY_NONE ? study->labellings[labelling].model_count : 0;
    struct str *names = arena_array(reader->arena, struct str, count + 1);

    for (size_t i = 0; i < count; i++)
        names[i] = study->labellings[labelling].models[i].name;
    if (one->predictions != NULL)
        study_keys_complain(&reader->problems, at,
                            "expected `rater` or `predictions`, found both");
    if (labelling == STUDY_NONE)
        study_keys_complain(&reader->problems, at,
                            "`rater` needs a labelling under `train`, whose rater it is");
    else if (study->labellings[labelling].units)
        study_keys_complain(
            &reader->problems, at,
            "labelling.%.*s has units, and its models are asked about units that people "
            "marked: they say nothing of items that nobody has read, which `rater` is "
            "for",
            STR_ARG(study->labellings[labelling].name));
    else if (str_find(one->rater, names, count) == count) {
        size_t near = near_find(one->rater, names, count);
        study_keys_complain(
            &reader->problems, at,
            "'%.*s' is no model among the raters of labelling.%.*s%s%.*s%s",
            STR_ARG(one->rater), STR_ARG(study->labellings[labelling].name),
            near < count ? "; did you mean '" : "",
            near < count ? (int)names[near].len : 0, near < count ? names[near].ptr : "",
            near < count ? "'?" : "");
    }
}

/* What says how to learn is not for what learned elsewhere. */
static void read_predictions(struct study_reader *reader, const struct yaml_node *node,
                             struct study_classifier *one)
{
    static const char *const allowed[] = {"train", "dimension", "level", "predictions",
                                          "rater", "predict",   "seed"};
    const struct yaml_node *from = yaml_get(node, STR("predictions"));

    if (from != NULL && from->type == YAML_SCALAR)
        one->predictions = study_read_path(reader, from, from->text);
    one->rater = study_read_text(node, "rater");
    if (one->rater.len > 0)
        check_rater(reader, node, one);
    if (one->predictions == NULL && one->rater.len == 0)
        return;
    for (size_t i = 0; i < node->count; i++) {
        bool fits = false;
        for (size_t a = 0; a < ROWS_OF(allowed); a++)
            fits = fits || str_eq(node->keys[i].text, str_from(allowed[a]));
        if (!fits)
            study_keys_complain(
                &reader->problems, &node->keys[i],
                "`%.*s` is for a classifier that learns; this one has its "
                "predictions from elsewhere",
                STR_ARG(node->keys[i].text));
    }
}

/* Those that the key names. */
static size_t find_vectors(const struct study *study, const struct yaml_node *node,
                           const char *key)
{
    return STUDY_FIND(study->vectors, study->vectors_count, study_read_text(node, key));
}

struct study_embed study_embed_usual(void)
{
    return (struct study_embed){
        .characters = 8000, .batch = 32, .parallel = 4, .seconds = 120};
}

static void read_embed(struct study_reader *reader, const struct yaml_node *node,
                       struct study_vectors *one)
{
    struct study_embed *embed = arena_array(reader->arena, struct study_embed, 1);

    *embed = study_embed_usual();
    embed->model = study_read_text(node, "model");
    embed->prefix = study_read_text(node, "prefix");
    embed->question_prefix = study_read_text(node, "question-prefix");
    const struct {
        const char *name;
        int64_t *to;
    } numbers[] = {{"dimensions", &embed->dimensions}, {"characters", &embed->characters},
                   {"batch", &embed->batch},           {"parallel", &embed->parallel},
                   {"seconds", &embed->seconds},       {"at-most", &embed->at_most}};
    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        *numbers[i].to =
            (int64_t)study_read_number(node, numbers[i].name, (double)*numbers[i].to);
    study_read_server(reader, node, &embed->url, &embed->key);
    if (one->file != NULL && one->keys == NULL &&
        str_ends(str_from(one->file), STR(".npy")))
        study_keys_complain(&reader->problems, yaml_get(one->node, STR("file")),
                            "an array of NumPy has no keys: name a file for them with "
                            "`keys`, or a file .jsonl");
    one->embed = embed;
}

static void read_vectors(struct study_reader *reader, const struct yaml_node *node,
                         struct study_vectors *one)
{
    const struct yaml_node *keys = yaml_get(node, STR("keys"));
    const struct yaml_node *file = yaml_get(node, STR("file"));

    one->near = NAN;
    if (node->type != YAML_MAPPING)
        return;
    if (file != NULL && file->type == YAML_SCALAR)
        one->file = study_read_path(reader, file, file->text);
    if (keys != NULL && keys->type == YAML_SCALAR)
        one->keys = study_read_path(reader, keys, keys->text);
    one->of = study_read_text(node, "of");
    one->near = study_read_number(node, "near", NAN);
    const struct yaml_node *embed = yaml_get(node, STR("embed"));
    if (embed != NULL && embed->type == YAML_MAPPING)
        read_embed(reader, embed, one);
}

static void read_classifier(struct study_reader *reader, const struct yaml_node *node,
                            struct study_classifier *one)
{
    const struct yaml_node *keywords = yaml_get(node, STR("keywords"));

    one->train = one->item_vectors = STUDY_NONE;
    if (node->type != YAML_MAPPING)
        return;
    one->train = study_read_labels_of(reader, node, "train");
    one->level = (int)study_read_number(node, "level", 0);
    one->method = study_read_text(node, "method");
    if (one->method.len == 0)
        one->method = STR("linear");
    one->features =
        study_read_texts(reader, yaml_get(node, STR("features")), &one->feature_count);
    one->words_alone = study_read_is(node, "letters", "no");
    one->letters = study_read_is(node, "letters", "yes");
    one->vectors = !study_read_is(node, "vectors", "no");
    one->item_vectors = find_vectors(reader->study, node, "item-vectors");
    if (one->item_vectors != STUDY_NONE && !str_eq(one->method, STR("linear")) &&
        !str_eq(one->method, STR("logistic")))
        study_keys_complain(&reader->problems, yaml_get(node, STR("item-vectors")),
                            "`item-vectors` are for the methods linear and "
                            "logistic, not for '%.*s'",
                            STR_ARG(one->method));
    one->test = study_read_number(node, "test", 0.4);
    one->folds = (int64_t)study_read_number(node, "folds", 5);
    one->predict =
        study_read_texts(reader, yaml_get(node, STR("predict")), &one->predict_count);
    one->seed = (uint64_t)study_read_number(node, "seed", 0);
    if (keywords != NULL)
        one->keywords =
            study_read_path(reader, keywords, study_read_text(node, "keywords"));
    read_features(node, one);
    read_keyword_weight(reader, node, one);
    read_predictions(reader, node, one);
}

/* "30", "10..40" or "10..40 step 5". */
static bool read_range(struct str text, struct study_topics *one)
{
    struct str word, last, step = {0};

    text = str_trim(text);
    one->step = 1;
    if (str_cut(&text, ' ', &word)) {
        step = str_trim(text);
        if (!str_starts(step, STR("step ")) ||
            !str_to_int(str_trim(str_slice(step, 5, step.len)), &one->step))
            return false;
    }
    last = word;
    for (size_t i = 0; i + 1 < word.len; i++)
        if (word.ptr[i] == '.' && word.ptr[i + 1] == '.') {
            last = str_slice(word, i + 2, word.len);
            word = str_slice(word, 0, i);
        }
    return str_to_int(word, &one->first) && str_to_int(last, &one->last) &&
           one->first >= 2 && one->last >= one->first && one->last <= 1000 &&
           one->step >= 1;
}

/* "3: Installation" */
static void read_names(struct study_reader *reader, const struct yaml_node *node,
                       struct study_topics *one)
{
    size_t count;
    struct study_pair *pairs = study_read_pairs(reader, node, &count);
    int64_t number;

    if (one->last > one->first) {
        study_keys_complain(&reader->problems, node,
                            "`names` need one number of topics, not several to compare");
        return;
    }
    one->names = arena_array(reader->arena, struct str, (size_t)one->first + 1);
    for (size_t i = 0; i < count; i++)
        if (!str_to_int(pairs[i].key, &number) || number < 1 || number > one->first)
            study_keys_complain(
                &reader->problems, &node->items[i],
                "found '%.*s', expected the number of a topic, from 1 to %lld",
                STR_ARG(pairs[i].key), (long long)one->first);
        else
            one->names[number - 1] = pairs[i].value;
}

/* What clusters of vectors need, and what only they have. */
static void read_clusters(struct study_reader *reader, const struct yaml_node *node,
                          struct study_topics *one)
{
    static const char *const own[] = {"radius", "least"};
    struct study_keys_problems *problems = &reader->problems;
    const struct yaml_node *vectors = yaml_get(node, STR("vectors"));
    bool clusters = study_read_is(node, "method", "k-means");

    one->density = study_read_is(node, "method", "density");
    clusters = clusters || one->density;
    one->item_vectors =
        clusters ? find_vectors(reader->study, node, "vectors") : STUDY_NONE;
    one->radius = study_read_number(node, "radius", NAN);
    one->least = (int64_t)study_read_number(node, "least", 5);
    if (clusters && vectors == NULL)
        study_keys_complain(problems, yaml_get(node, STR("method")),
                            "clusters need `vectors`, the name of vectors of items");
    if (!clusters && vectors != NULL)
        study_keys_complain(
            problems, vectors,
            "`vectors` are for the methods k-means and density, not for '%s'",
            one->nmf ? "nmf" : "lda");
    for (size_t i = 0; i < ROWS_OF(own); i++)
        if (!one->density && yaml_get(node, str_from(own[i])) != NULL)
            study_keys_complain(problems, yaml_get(node, str_from(own[i])),
                                "`%s` is for the method density", own[i]);
}

/* Density finds how many topics there are, and cannot be told their names. */
static void check_density(struct study_reader *reader, const struct yaml_node *node)
{
    static const char *const not_its[] = {"topics", "names"};

    for (size_t i = 0; i < ROWS_OF(not_its); i++)
        if (yaml_get(node, str_from(not_its[i])) != NULL)
            study_keys_complain(&reader->problems, yaml_get(node, str_from(not_its[i])),
                                "the method density finds how many topics there are; "
                                "expected no `%s`",
                                not_its[i]);
}

static void read_topics(struct study_reader *reader, const struct yaml_node *node,
                        struct study_topics *one)
{
    const struct yaml_node *count = yaml_get(node, STR("topics"));
    const struct yaml_node *names = yaml_get(node, STR("names"));

    one->item_vectors = STUDY_NONE;
    if (node->type != YAML_MAPPING)
        return;
    one->of = study_read_text(node, "of");
    one->runs = (int64_t)study_read_number(node, "runs", 3);
    one->iterations = (int64_t)study_read_number(node, "iterations", 200);
    one->seed = (uint64_t)study_read_number(node, "seed", 0);
    one->features =
        study_read_texts(reader, yaml_get(node, STR("features")), &one->feature_count);
    one->stop = study_read_texts(reader, yaml_get(node, STR("stop")), &one->stop_count);
    one->stems = study_read_is(node, "stems", "yes");
    one->nmf = study_read_is(node, "method", "nmf");
    read_clusters(reader, node, one);
    if (one->density)
        check_density(reader, node);
    else if (count == NULL)
        study_keys_complain(&reader->problems, node,
                            "the key 'topics' is missing: how many, such as '20', or "
                            "several to compare, '10..40 step 5'");
    else if (!read_range(study_read_text(node, "topics"), one))
        study_keys_complain(
            &reader->problems, count,
            "found '%.*s', expected how many topics, from 2 to 1000: '20', "
            "'10..40' or '10..40 step 5'",
            STR_ARG(count->text));
    else if (names != NULL && names->type == YAML_MAPPING)
        read_names(reader, names, one);
}

static void read_unifiers(struct study_reader *reader, const struct yaml_node *node,
                          struct study_phrases *one)
{
    const struct yaml_node *list = yaml_get(node, STR("unifiers"));

    if (list == NULL || list->type != YAML_SEQUENCE)
        return;
    one->unifiers = arena_array(reader->arena, struct str, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        struct str name = list->items[i].text;
        if (str_find(name, one->unifiers, one->unifier_count) < one->unifier_count)
            study_keys_complain(&reader->problems, &list->items[i],
                                "'%.*s' is named twice", STR_ARG(name));
        else if (str_eq(name, one->arbiter))
            study_keys_complain(&reader->problems, &list->items[i],
                                "'%.*s' is the arbiter, who sees what all others decide",
                                STR_ARG(name));
        else
            one->unifiers[one->unifier_count++] = name;
    }
    if (one->decisions == NULL)
        study_keys_complain(&reader->problems, list,
                            "`unifiers` goes with `decisions`: the file that theirs are "
                            "written to");
}

static void read_phrases(struct study_reader *reader, const struct yaml_node *node,
                         struct study_phrases *one)
{
    const struct yaml_node *decisions = yaml_get(node, STR("decisions"));

    one->actions = one->objects = STUDY_NONE;
    if (node->type != YAML_MAPPING)
        return;
    one->of = study_read_text(node, "of");
    one->sentences = study_read_is(node, "from", "sentence");
    one->arbiter = study_read_text(node, "arbiter");
    one->seed = (uint64_t)study_read_number(node, "seed", 0);
    one->actions = study_read_labels_of(reader, node, "actions");
    one->objects = study_read_labels_of(reader, node, "objects");
    if (decisions != NULL)
        one->decisions =
            study_read_path(reader, decisions, study_read_text(node, "decisions"));
    if (decisions == NULL && one->arbiter.len > 0)
        study_keys_complain(&reader->problems, yaml_get(node, STR("arbiter")),
                            "`arbiter` goes with `decisions`: there are none to settle");
    read_unifiers(reader, node, one);
}

static void read_extract(const struct yaml_node *node, struct study_extract *one)
{
    if (node->type != YAML_MAPPING)
        return;
    one->of = study_read_text(node, "of");
    one->what = study_read_text(node, "what");
    one->top = (int64_t)study_read_number(node, "top", 50);
    one->at_least = (int64_t)study_read_number(node, "at-least", 2);
}

void study_read_learning(struct study_reader *reader)
{
    struct study *study = reader->study;

    study->vectors =
        STUDY_READ_NAMED(reader, "vectors", struct study_vectors, &study->vectors_count);
    for (size_t i = 0; i < study->vectors_count; i++)
        read_vectors(reader, study->vectors[i].node, &study->vectors[i]);
    study->classifiers = STUDY_READ_NAMED(reader, "classifiers", struct study_classifier,
                                          &study->classifier_count);
    for (size_t i = 0; i < study->classifier_count; i++)
        read_classifier(reader, study->classifiers[i].node, &study->classifiers[i]);
    study->topics =
        STUDY_READ_NAMED(reader, "topics", struct study_topics, &study->topics_count);
    for (size_t i = 0; i < study->topics_count; i++)
        read_topics(reader, study->topics[i].node, &study->topics[i]);
    study->phrases =
        STUDY_READ_NAMED(reader, "phrases", struct study_phrases, &study->phrases_count);
    for (size_t i = 0; i < study->phrases_count; i++)
        read_phrases(reader, study->phrases[i].node, &study->phrases[i]);
    study->extracts =
        STUDY_READ_NAMED(reader, "extracts", struct study_extract, &study->extract_count);
    for (size_t i = 0; i < study->extract_count; i++)
        read_extract(study->extracts[i].node, &study->extracts[i]);
}
