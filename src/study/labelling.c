/* The section `labelling` of the study file. */

#include <string.h>

#include "study/internal.h"

static unsigned read_hide(struct study_reader *reader, const struct yaml_node *node)
{
    static const char *const words[] = {"answers", "comments", "tags", "score"};
    unsigned hide = 0;
    size_t count;
    struct str *texts = study_read_texts(reader, yaml_get(node, STR("hide")), &count);

    for (size_t i = 0; i < count; i++)
        for (unsigned w = 0; w < ROWS_OF(words); w++)
            if (str_eq(texts[i], str_from(words[w])))
                hide |= 1U << w;
    return hide;
}

static void read_checkpoints(struct study_reader *reader, const struct yaml_node *node,
                             struct study_labelling *one)
{
    const struct yaml_node *list = yaml_get(node, STR("checkpoints"));
    struct str *texts = study_read_texts(reader, list, &one->checkpoint_count);

    one->checkpoints = arena_array(reader->arena, double, one->checkpoint_count + 1);
    for (size_t i = 0; i < one->checkpoint_count; i++) {
        study_keys_number(texts[i], &one->checkpoints[i]);
        if (i > 0 && one->checkpoints[i] <= one->checkpoints[i - 1])
            study_keys_complain(&reader->problems, &list->items[i],
                                "checkpoints must ascend; '%.*s' comes after '%.*s'",
                                STR_ARG(texts[i]), STR_ARG(texts[i - 1]));
    }
}

static void read_images(struct study_reader *reader, const struct yaml_node *node,
                        struct study_labelling *one)
{
    const struct yaml_node *folder = yaml_get(node, STR("images"));

    if (folder != NULL && folder->type == YAML_SCALAR)
        one->images = study_read_path(reader, folder, folder->text);
}

static void read_codebook(struct study_reader *reader, const struct yaml_node *node,
                          struct study_labelling *one)
{
    const struct yaml_node *codebooks = study_read_section(reader, "codebooks");
    struct str name = study_read_text(node, "codebook");
    const struct yaml_node *codebook =
        yaml_get(codebooks, name.len > 0 ? name : one->name);

    if (codebook != NULL)
        one->codebook = study_read_path(reader, codebook, codebook->text);
    else if (name.len == 0) /* an unknown name has been complained of */
        study_keys_complain(
            &reader->problems, node,
            "expected `codebook`, or a codebook that is called '%.*s' as well",
            STR_ARG(one->name));
}

bool study_is_server(struct str url)
{
    bool secure = str_starts(url, STR("https://"));
    struct str rest = str_slice(url, secure ? 8 : 7, url.len), host;

    str_cut(&rest, '/', &host);
    for (size_t i = 0; i < url.len; i++) /* what is behind them may be a key */
        if (url.ptr[i] == '?' || url.ptr[i] == '#' || (unsigned char)url.ptr[i] <= ' ')
            return false;
    return (secure || str_starts(url, STR("http://"))) && host.len > 0 &&
           memchr(host.ptr, '@', host.len) == NULL;
}

bool study_is_variable(struct str name)
{
    bool ok = name.len > 0 && !(name.ptr[0] >= '0' && name.ptr[0] <= '9');

    for (size_t i = 0; i < name.len; i++)
        ok = ok && ((name.ptr[i] >= 'A' && name.ptr[i] <= 'Z') || name.ptr[i] == '_' ||
                    (name.ptr[i] >= '0' && name.ptr[i] <= '9'));
    return ok;
}

/* A key is a secret: what stands in its place is not repeated. */
void study_read_server(struct study_reader *reader, const struct yaml_node *node,
                       struct str *url, struct str *key)
{
    *url = study_server(study_read_text(node, "url"));
    *key = study_read_text(node, "key");
    if (url->len > 0 && !study_is_server(*url))
        study_keys_complain(&reader->problems, yaml_get(node, STR("url")),
                            "expected the address of a server, as http://localhost:8080, "
                            "without a name, a password or a query in it");
    if (yaml_get(node, STR("key")) != NULL && !study_is_variable(*key))
        study_keys_complain(
            &reader->problems, yaml_get(node, STR("key")),
            "expected the name of an environment variable that holds the key, in "
            "capitals, as OPENAI_API_KEY; never the key itself");
}

struct str study_server(struct str url)
{
    static const struct str usual[] = {STR_INIT("/v1/chat/completions"),
                                       STR_INIT("/v1/embeddings"), STR_INIT("/v1")};

    url = str_trim(url);
    while (str_ends(url, STR("/")))
        url.len--;
    for (size_t i = 0; i < ROWS_OF(usual); i++)
        if (str_ends(url, usual[i])) {
            url.len -= usual[i].len;
            break;
        }
    return url;
}

/* What a request has of its own accord. */
static void check_request(struct study_reader *reader, const struct yaml_node *node,
                          const struct study_model_rater *one)
{
    static const struct {
        struct str name;
        const char *why;
    } taken[] = {
        {STR_INIT("model"), "it is the key `model`"},
        {STR_INIT("messages"), "it is made of codebook, template and item"},
        {STR_INIT("temperature"), "it is the key `temperature`"},
        {STR_INIT("seed"), "it is the key `seed`"},
        {STR_INIT("max_tokens"), "it is the key `tokens`"},
        {STR_INIT("logprobs"), "it is the key `logprobs`"},
        {STR_INIT("stream"), "replies are read whole"},
        {STR_INIT("n"), "several answers are `runs`"},
        {STR_INIT("response_format"),
         "it holds answers to the codes; with `constrained: no` it may be given"}};

    for (size_t i = 0; i < one->request_count; i++)
        for (size_t k = 0; k < ROWS_OF(taken) - !one->constrained; k++)
            if (str_eq(one->request[i].key, taken[k].name))
                study_keys_complain(
                    &reader->problems,
                    yaml_get(yaml_get(node, STR("request")), one->request[i].key),
                    "a request has '%.*s' already: %s", STR_ARG(taken[k].name),
                    taken[k].why);
}

static void read_model(struct study_reader *reader, const struct yaml_node *node,
                       struct study_model_rater *one)
{
    const struct yaml_node *template = yaml_get(node, STR("template"));

    *one = (struct study_model_rater){
        .name = study_read_text(node, "name"),
        .model = study_read_text(node, "model"),
        .temperature = study_read_number(node, "temperature", 0),
        .seed = (uint64_t)study_read_number(node, "seed", 0),
        .runs = (int64_t)study_read_number(node, "runs", 1),
        .at_most = (int64_t)study_read_number(node, "at-most", 0),
        .per_minute = (int64_t)study_read_number(node, "per-minute", 0),
        .parallel = (int64_t)study_read_number(node, "parallel", 4),
        .tokens = (int64_t)study_read_number(node, "tokens", 200),
        .seconds = (int64_t)study_read_number(node, "seconds", 120),
        .retries = (int64_t)study_read_number(node, "retries", 2),
        .constrained = !study_read_is(node, "constrained", "no"),
        .logprobs = study_read_is(node, "logprobs", "yes"),
        .open = study_read_text(node, "open"),
        .node = node};
    one->of = study_read_texts(reader, yaml_get(node, STR("of")), &one->of_count);
    one->request =
        study_read_pairs(reader, yaml_get(node, STR("request")), &one->request_count);
    check_request(reader, node, one);
    size_t without_count;
    struct str *without =
        study_read_texts(reader, yaml_get(node, STR("without")), &without_count);
    for (size_t i = 0; i < without_count; i++) {
        one->without_temperature |= str_eq(without[i], STR("temperature"));
        one->without_seed |= str_eq(without[i], STR("seed"));
        one->without_tokens |= str_eq(without[i], STR("max_tokens"));
    }
    if (one->name.len == 0)
        one->name = one->model;
    if (template != NULL && template->type == YAML_SCALAR)
        one->template = study_read_path(reader, template, template->text);
    study_read_server(reader, node, &one->url, &one->key);
}

/* People by their names, models by their settings. */
static void read_raters(struct study_reader *reader, const struct yaml_node *node,
                        struct study_labelling *one)
{
    const struct yaml_node *list = yaml_get(node, STR("raters"));
    size_t count = list != NULL && list->type == YAML_SEQUENCE ? list->count : 0;

    one->raters = arena_array(reader->arena, struct str, count + 1);
    one->models = arena_array(reader->arena, struct study_model_rater, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *item = &list->items[i];
        if (item->type == YAML_SCALAR)
            one->raters[one->rater_count++] = item->text;
        else if (item->type == YAML_MAPPING)
            read_model(reader, item, &one->models[one->model_count++]);
    }
}

static void check_models(struct study_reader *reader, const struct study_labelling *one)
{
    for (size_t i = 0; i < one->model_count; i++) {
        struct str name = one->models[i].name;
        bool twice = str_find(name, one->raters, one->rater_count) < one->rater_count;
        for (size_t k = 0; k < i; k++)
            twice = twice || str_eq(name, one->models[k].name);
        if (twice && name.len > 0)
            study_keys_complain(&reader->problems, one->models[i].node,
                                "the rater '%.*s' is there twice; give one of them "
                                "another `name`",
                                STR_ARG(name));
    }
}

/* Models decide nothing. */
static void check_office(struct study_reader *reader, const struct yaml_node *node,
                         const struct study_labelling *one, const char *office,
                         struct str name)
{
    const struct yaml_node *at = yaml_get(node, str_from(office));

    for (size_t m = 0; at != NULL && m < one->model_count; m++)
        if (str_eq(one->models[m].name, name))
            study_keys_complain(&reader->problems, at,
                                "'%.*s' is a model: the %s is a person, as a final label "
                                "is never a model's; give one of them another name",
                                STR_ARG(name), office);
}

static void check_people(struct study_reader *reader, const struct yaml_node *node,
                         const struct study_labelling *one)
{
    const struct yaml_node *raters = yaml_get(node, STR("raters"));

    for (size_t i = 0, person = 0; person < one->rater_count; i++) {
        if (raters->items[i].type != YAML_SCALAR)
            continue;
        if (str_find(one->raters[person], one->raters, person) < person)
            study_keys_complain(&reader->problems, &raters->items[i],
                                "the rater '%.*s' is there twice",
                                STR_ARG(one->raters[person]));
        person++;
    }
    check_models(reader, one);
    check_office(reader, node, one, "arbiter", one->arbiter);
    check_office(reader, node, one, "lead", one->lead);
    if ((size_t)one->raters_per_item > one->rater_count)
        study_keys_complain(&reader->problems, yaml_get(node, STR("raters-per-item")),
                            "found %lld, but there are %zu raters",
                            (long long)one->raters_per_item, one->rater_count);
}

void study_read_labellings(struct study_reader *reader)
{
    const struct yaml_node *section = study_read_section(reader, "labelling");
    struct study *study = reader->study;

    study->labellings =
        arena_array(reader->arena, struct study_labelling, section->count + 1);
    study->labelling_count = section->count;
    for (size_t i = 0; i < section->count; i++) {
        const struct yaml_node *node = &section->items[i];
        struct study_labelling *one = &study->labellings[i];
        *one = (struct study_labelling){
            .name = section->keys[i].text,
            .arbiter = study_read_text(node, "arbiter"),
            .lead = study_read_text(node, "lead"),
            .pilot = study_read_number(node, "pilot", 0),
            .raters_per_item = (int64_t)study_read_number(node, "raters-per-item", 0),
            .overlap = study_read_number(node, "overlap", 1),
            .retest = study_read_number(node, "retest", 0),
            .seed = (uint64_t)study_read_number(node, "seed", 0),
            .hide = read_hide(reader, node),
            .names_hidden = study_read_is(node, "names", "hidden"),
            .units = study_read_is(node, "units", "yes"),
            .leaves = study_read_is(node, "leaves", "yes"),
            .mathematics = study_read_text(node, "mathematics"),
            .spans = study_read_is(node, "spans", "yes")        ? STUDY_SPANS_YES
                     : study_read_is(node, "spans", "per code") ? STUDY_SPANS_PER_CODE
                                                                : STUDY_SPANS_NO,
            .node = node};
        if (node->type != YAML_MAPPING)
            continue;
        one->of = study_read_texts(reader, yaml_get(node, STR("sample")), &one->of_count);
        read_raters(reader, node, one);
        if (one->lead.len == 0)
            one->lead = one->arbiter.len > 0 ? one->arbiter : STR("lead");
        if (one->mathematics.len == 0)
            one->mathematics = STR("auto");
        read_images(reader, node, one);
        read_checkpoints(reader, node, one);
        read_codebook(reader, node, one);
        check_people(reader, node, one);
    }
}
