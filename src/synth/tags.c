/* Popularity and company are ours, shaped like the real site: one tag says the framework,
 * python comes with most, the rest by kind and a long tail. */
#include "synth/tags.h"

#include "base/compiler.h"

/* Which questions a tag goes with: bits of frameworks and kinds; ANY for all. */
#define ANY  0xFFu
#define F(x) (1u << MODEL_##x)

struct tag {
    const char *name;
    double share; /* of the questions it goes with */
    unsigned frameworks, kinds;
    int from_year;
    enum { ITSELF, SAME_AS_TENSORFLOW, SAME_AS_KERAS, SAME_AS_JAVA } number;
};

/* The framework tags come first, in the order of MODEL_FRAMEWORKS; then the platforms';
 * then the company. */
static const struct tag tags[] = {
    {"tensorflow", 0, 0, 0, 0, ITSELF},
    {"keras", 0, 0, 0, 0, ITSELF},
    {"pytorch", 0, 0, 0, 0, ITSELF},
    {"theano", 0, 0, 0, 0, ITSELF},
    {"caffe", 0, 0, 0, 0, ITSELF},
    {"torch", 0, 0, 0, 0, ITSELF},
    {"deeplearning4j", 0, 0, 0, 0, ITSELF},
    {"tensorflow-serving", 0, 0, 0, 0, ITSELF},
    {"google-cloud-ml", 0, 0, 0, 0, ITSELF},
    {"amazon-sagemaker", 0, 0, 0, 0, ITSELF},
    {"tensorflow-lite", 0, 0, 0, 0, ITSELF},
    {"coreml", 0, 0, 0, 0, ITSELF},
    {"tensorflow.js", 0, 0, 0, 0, ITSELF},
    {"python", .62, ANY ^ F(TORCH) ^ F(DEEPLEARNING4J), ANY, 0, ITSELF},
    {"tensorflow", .45, F(KERAS), ANY, 2015, SAME_AS_TENSORFLOW},
    {"keras", .12, F(TENSORFLOW), ANY, 2016, SAME_AS_KERAS},
    {"deep-learning", .24, ANY, ANY, 0, ITSELF},
    {"machine-learning", .19, ANY, ANY, 0, ITSELF},
    {"neural-network", .13, ANY, ANY, 0, ITSELF},
    {"conv-neural-network", .11, ANY, ANY, 2016, ITSELF},
    {"python-3.x", .09, ANY ^ F(TORCH) ^ F(DEEPLEARNING4J), ANY, 2015, ITSELF},
    {"numpy", .07, ANY ^ F(TORCH) ^ F(DEEPLEARNING4J), ANY, 0, ITSELF},
    {"lstm", .06, ANY, ANY, 2015, ITSELF},
    {"computer-vision", .05, ANY, ANY, 0, ITSELF},
    {"tensorflow2.0", .16, F(TENSORFLOW) | F(KERAS), ANY, 2019, ITSELF},
    {"tf.keras", .06, F(TENSORFLOW) | F(KERAS), ANY, 2018, ITSELF},
    {"tensorboard", .03, F(TENSORFLOW) | F(KERAS), ANY, 2016, ITSELF},
    {"tensorflow-datasets", .03, F(TENSORFLOW), ANY, 2018, ITSELF},
    {"object-detection", .05, F(TENSORFLOW) | F(CAFFE), ANY, 2017, ITSELF},
    {"keras-layer", .05, F(KERAS), ANY, 2017, ITSELF},
    {"torchvision", .06, F(PYTORCH), ANY, 2018, ITSELF},
    {"autograd", .03, F(PYTORCH), ANY, 2017, ITSELF},
    {"gpytorch", .004, F(PYTORCH), ANY, 2018, ITSELF},
    {"tensorflowsharp", .003, F(TENSORFLOW), ANY, 2017, ITSELF},
    {"lasagne", .08, F(THEANO), ANY, 0, ITSELF},
    {"pycaffe", .12, F(CAFFE), ANY, 0, ITSELF},
    {"matcaffe", .05, F(CAFFE), ANY, 0, ITSELF},
    {"lua", .55, F(TORCH), ANY, 0, ITSELF},
    {"java", .80, F(DEEPLEARNING4J), ANY, 0, SAME_AS_JAVA},
    {"nd4j", .25, F(DEEPLEARNING4J), ANY, 0, ITSELF},
    {"pip", .11, ANY, F(INSTALLATION), 0, ITSELF},
    {"anaconda", .10, ANY, F(INSTALLATION), 0, ITSELF},
    {"ubuntu", .07, ANY, F(INSTALLATION), 0, ITSELF},
    {"windows", .05, ANY, F(INSTALLATION), 0, ITSELF},
    {"cuda", .12, ANY, F(INSTALLATION) | F(PERFORMANCE), 0, ITSELF},
    {"cudnn", .05, ANY, F(INSTALLATION), 0, ITSELF},
    {"gpu", .14, ANY, F(PERFORMANCE) | F(INSTALLATION) | F(CRASH), 0, ITSELF},
    {"multi-gpu", .05, ANY, F(PERFORMANCE) | F(IMPLEMENTATION), 0, ITSELF},
    {"distributed-computing", .03, ANY, F(PERFORMANCE) | F(IMPLEMENTATION), 0, ITSELF},
    {"loss-function", .07, ANY, F(ANOMALY) | F(COMPREHENSION) | F(IMPLEMENTATION), 0,
     ITSELF},
    {"gradient-descent", .05, ANY, F(ANOMALY) | F(COMPREHENSION), 0, ITSELF},
    {"overfitting-underfitting", .03, ANY, F(ANOMALY), 0, ITSELF},
    {"onnx", .05, F(PYTORCH) | F(KERAS) | F(TENSORFLOW), F(MIGRATION), 2018, ITSELF},
    {"transfer-learning", .04, ANY, F(MIGRATION) | F(IMPLEMENTATION), 2017, ITSELF},
    {"exception", .02, ANY, F(CRASH), 0, ITSELF},
    {"tensor", .04, ANY, F(CRASH) | F(IMPLEMENTATION), 0, ITSELF},
    {"image-processing", .05, ANY, ANY, 0, ITSELF},
    {"nlp", .05, ANY, ANY, 0, ITSELF},
    {"recurrent-neural-network", .04, ANY, ANY, 0, ITSELF},
    {"reinforcement-learning", .02, ANY, ANY, 2016, ITSELF},
    {"time-series", .015, ANY, ANY, 0, ITSELF},
    {"jupyter-notebook", .02, ANY, ANY, 2016, ITSELF},
    {"google-colaboratory", .04, ANY, ANY, 2019, ITSELF},
};

static const char *const topic_names[TAGS_TOPICS] = {
    "web", "java", "sql", "css", "c", "phone", "git", "regex", "excel", "linux"};

/* The first is on nearly every question of the topic, the others ever more rarely. */
static const char *const topic_tags[TAGS_TOPICS][6] = {
    {"javascript", "html", "jquery", "reactjs", "node.js", "ajax"},
    {"java", "spring", "maven", "hibernate", "junit", "swing"},
    {"sql", "mysql", "postgresql", "sql-server", "join", "oracle"},
    {"css", "html5", "twitter-bootstrap", "flexbox", "sass", "svg"},
    {"c", "pointers", "arrays", "gcc", "memory-management", "struct"},
    {"android", "kotlin", "android-studio", "android-layout", "gradle", "firebase"},
    {"git", "github", "merge", "rebase", "version-control", "gitlab"},
    {"regex", "string", "perl", "replace", "grep", "parsing"},
    {"excel", "vba", "excel-formula", "pivot-table", "csv", "charts"},
    {"linux", "bash", "shell", "debian", "awk", "ssh"},
};

enum {
    FIRST_PLATFORM_TAG = MODEL_FRAMEWORK_COUNT,
    PLATFORM_TAGS = 6,
    FIRST_COMPANY = FIRST_PLATFORM_TAG + PLATFORM_TAGS,
    TOPIC_TAG_COUNT = 6,
    ALONE_OF_TEN = 4, /* platform tags without a framework's */
};

/* A name that stands in two places has the number of one of them. */
static int number_of(int place)
{
    switch (tags[place].number) {
    case SAME_AS_TENSORFLOW:
        return MODEL_TENSORFLOW;
    case SAME_AS_KERAS:
        return MODEL_KERAS;
    case SAME_AS_JAVA: /* first tag of the second topic */
        return (int)ROWS_OF(tags) + TOPIC_TAG_COUNT;
    case ITSELF:
        break;
    }
    return place;
}

int tags_count(void)
{
    return (int)ROWS_OF(tags) + TAGS_TOPICS * TOPIC_TAG_COUNT;
}

struct str tags_name(int tag)
{
    int topic = tag - (int)ROWS_OF(tags);

    return topic < 0
               ? str_from(tags[tag].name)
               : str_from(topic_tags[topic / TOPIC_TAG_COUNT][topic % TOPIC_TAG_COUNT]);
}

struct str tags_topic(int topic)
{
    return str_from(topic_names[topic]);
}

static void add(struct tags *to, int tag)
{
    for (int i = 0; i < to->count; i++)
        if (to->at[i] == tag)
            return;
    if (to->count < TAGS_PER_QUESTION)
        to->at[to->count++] = tag;
}

/* Shares of Chen's selection: the platform's own tags, then only words. */
static const double platform_chances[MODEL_PLATFORM_COUNT][4] = {
    {.74, .04, .04, .18}, /* serving, cloud-ml, sagemaker, words */
    {.45, .25, .30, 0},   /* lite, coreml, words */
    {.90, .10, 0, 0},     /* js, words */
};
static const int platform_tags[MODEL_PLATFORM_COUNT] = {3, 2, 1};

/* The platform's own tag, or -1 when only words tell it. */
static int platform_tag(int platform, struct rng *rng)
{
    static const int first[MODEL_PLATFORM_COUNT] = {0, 3, 5};
    int chosen = (int)rng_weighted(rng, platform_chances[platform], 4);

    return chosen < platform_tags[platform]
               ? FIRST_PLATFORM_TAG + first[platform] + chosen
               : -1;
}

void tags_frameworks(int platform, double *chances)
{
    if (platform < 0)
        return;
    double words = platform_chances[platform][platform_tags[platform]];
    for (int i = 0; i < MODEL_FRAMEWORK_COUNT; i++) {
        bool moved = i == MODEL_TORCH || i == MODEL_DEEPLEARNING4J;
        if (moved)
            chances[MODEL_TENSORFLOW] += words * chances[i];
        chances[i] *= (1 - words) * (1 - ALONE_OF_TEN / 10.0) + (moved ? 0 : words);
    }
}

struct tags tags_draw(struct model_truth *truth, int year, struct rng *rng,
                      bool *by_words)
{
    struct tags result = {0};
    int platform = truth->platform >= 0 ? platform_tag(truth->platform, rng) : -1;

    *by_words = truth->platform >= 0 && platform < 0;
    /* Words are looked for among the five frameworks of Chen's study only. */
    if (*by_words &&
        (truth->framework == MODEL_TORCH || truth->framework == MODEL_DEEPLEARNING4J))
        truth->framework = MODEL_TENSORFLOW;
    unsigned framework_bit = 1u << truth->framework, kind_bits = 1u << truth->kind;
    if (truth->second_kind >= 0)
        kind_bits |= 1u << truth->second_kind;
    if (platform >= 0 && rng_below(rng, 10) < ALONE_OF_TEN)
        truth->framework = MODEL_NONE;
    if (truth->framework >= 0)
        add(&result, truth->framework);
    if (platform >= 0)
        add(&result, platform);
    /* These two are taken only with a word that begins with "deploy". */
    if (platform == FIRST_PLATFORM_TAG + 1 || platform == FIRST_PLATFORM_TAG + 2)
        *by_words = true;
    for (int i = FIRST_COMPANY; i < (int)ROWS_OF(tags); i++) {
        const struct tag *tag = &tags[i];
        if ((tag->frameworks & framework_bit) == 0 || (tag->kinds & kind_bits) == 0 ||
            year < tag->from_year || rng_unit(rng) >= tag->share)
            continue;
        int number = number_of(i);
        if (number >= MODEL_FRAMEWORK_COUNT || truth->framework >= 0)
            add(&result, number);
    }
    return result;
}

struct tags tags_draw_background(int topic, struct rng *rng)
{
    static const double chances[TOPIC_TAG_COUNT] = {.92, .30, .15, .10, .08, .06};
    struct tags result = {0};
    int first = (int)ROWS_OF(tags) + topic * TOPIC_TAG_COUNT;

    for (int i = 0; i < TOPIC_TAG_COUNT; i++)
        if (rng_unit(rng) < chances[i])
            add(&result, first + i);
    if (result.count == 0)
        add(&result, first);
    return result;
}
