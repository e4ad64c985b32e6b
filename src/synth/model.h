/* What is planted: every share, median and weight that the simulated questions follow,
 * and the draw of one question's truth from them. The defaults are the marginals that the
 * four model studies published; a settings file replaces any of them. */
#ifndef SYNTH_MODEL_H
#define SYNTH_MODEL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"

/* Lists of named numbers, in the order of the settings file's manual. */
enum synth_model_section {
    SYNTH_MODEL_FRAMEWORKS,        /* weight, by year */
    SYNTH_MODEL_KINDS,             /* weight, by year */
    SYNTH_MODEL_PLATFORMS,         /* share of all questions, by year */
    SYNTH_MODEL_SERVER_CHALLENGES, /* weights */
    SYNTH_MODEL_MOBILE_CHALLENGES,
    SYNTH_MODEL_BROWSER_CHALLENGES,
    SYNTH_MODEL_OBJECTS, /* of the how-to questions: phase and object at once */
    SYNTH_MODEL_ROOT_CAUSES,
    SYNTH_MODEL_BUG_TYPES,
    SYNTH_MODEL_BUG_CAUSES,
    SYNTH_MODEL_BUG_EFFECTS,
    SYNTH_MODEL_BUG_STAGES,
    SYNTH_MODEL_ACCEPTED,   /* share with an accepted answer: kinds, then the two below */
    SYNTH_MODEL_WAIT_HOURS, /* median until the accepted answer: the same names, then
                               phases */
    SYNTH_MODEL_SHARES,     /* probabilities, see enum synth_model_share */
    SYNTH_MODEL_SHAPES, /* parameters of the heavy tails, see enum synth_model_shape */
    SYNTH_MODEL_SECTIONS,
};

enum synth_model_framework {
    SYNTH_MODEL_TENSORFLOW,
    SYNTH_MODEL_KERAS,
    SYNTH_MODEL_PYTORCH,
    SYNTH_MODEL_THEANO,
    SYNTH_MODEL_CAFFE,
    SYNTH_MODEL_TORCH,
    SYNTH_MODEL_DEEPLEARNING4J,
    SYNTH_MODEL_FRAMEWORK_COUNT,
};

enum synth_model_kind {
    SYNTH_MODEL_IMPLEMENTATION,
    SYNTH_MODEL_CRASH,
    SYNTH_MODEL_ANOMALY,
    SYNTH_MODEL_MIGRATION,
    SYNTH_MODEL_PERFORMANCE,
    SYNTH_MODEL_COMPREHENSION,
    SYNTH_MODEL_INSTALLATION,
    SYNTH_MODEL_KIND_COUNT,
    /* Only in SYNTH_MODEL_ACCEPTED and SYNTH_MODEL_WAIT_HOURS: */
    SYNTH_MODEL_DEPLOYMENT = SYNTH_MODEL_KIND_COUNT,
    SYNTH_MODEL_BACKGROUND,
    SYNTH_MODEL_FIRST_PHASE, /* only in SYNTH_MODEL_WAIT_HOURS */
};

enum synth_model_platform {
    SYNTH_MODEL_SERVER,
    SYNTH_MODEL_MOBILE,
    SYNTH_MODEL_BROWSER,
    SYNTH_MODEL_PLATFORM_COUNT
};

enum synth_model_share {
    SYNTH_MODEL_SECOND_KIND,
    SYNTH_MODEL_HOWTO_IMPLEMENTATION,
    SYNTH_MODEL_HOWTO_OTHER,
    SYNTH_MODEL_CODE,
    SYNTH_MODEL_CLOSED,
    SYNTH_MODEL_ENDORSED,
    SYNTH_MODEL_ANSWERED, /* of those without an accepted answer */
    SYNTH_MODEL_CONFUSION,
    SYNTH_MODEL_NEGATIVE, /* scores below 0 */
};

enum synth_model_shape {
    SYNTH_MODEL_WAIT_SIGMA,
    SYNTH_MODEL_VIEWS_MEDIAN,
    SYNTH_MODEL_VIEWS_SIGMA,
    SYNTH_MODEL_SCORE_MEDIAN,
    SYNTH_MODEL_SCORE_SIGMA,
    SYNTH_MODEL_SCORE_VIEWS, /* correlation of the logarithms */
};

/* The longest section has 63 labels, the longest list of challenges 12. */
enum {
    SYNTH_MODEL_YEARS_MAX = 64,
    SYNTH_MODEL_LABELS_MAX = 64,
    SYNTH_MODEL_CHALLENGES_MAX = 16,
    SYNTH_MODEL_NONE = -1,
};

struct synth_model {
    int first_year, years; /* consecutive years with questions */
    double year_weight[SYNTH_MODEL_YEARS_MAX];
    int64_t begin_ms, until_ms;     /* of the corpus */
    const double *values;           /* by year and setting */
    bool types_given, causes_given; /* replaced by the user: same for every library */
};

/* What is true of one question. Labels are indexes into their section, or
 * SYNTH_MODEL_NONE. */
struct synth_model_truth {
    int framework, kind, second_kind, root_cause;
    bool howto;
    int object;
    int platform, challenge; /* challenge counts within the platform's own section */
    int bug_type, bug_cause, bug_effect, bug_stage;
    bool code, accepted, closed, endorsed;
    int answers;
    int64_t wait_ms; /* until the accepted answer */
    int64_t views, score;
};

/* The defaults, then the settings file at path (NULL: none). All that is wrong with the
 * file is reported at once, a line each. Lives in arena. */
bool synth_model_load(const char *path, struct arena *arena, struct synth_model *out,
                      struct err *err) MUST_USE;
bool synth_model_parse(struct str text, const char *path, struct arena *arena,
                       struct synth_model *out, struct err *err) MUST_USE;

size_t synth_model_count(enum synth_model_section section);
struct str synth_model_name(enum synth_model_section section, int index);
double synth_model_value(const struct synth_model *model,
                         enum synth_model_section section, int index, int year);
enum synth_model_section synth_model_challenges(int platform);
struct str synth_model_section_name(enum synth_model_section section);

/* 'd', 'm', ...: the phase that an object of SYNTH_MODEL_OBJECTS belongs to. */
char synth_model_phase(int object);
struct str synth_model_object_name(int object); /* "Tensor" */

/* The moment below which a share of all questions falls; 0 <= share < 1. */
int64_t synth_model_moment(const struct synth_model *model, double share);

/* Whether the question is about deployment, as its platform alone does not tell: some
 * were judged to be false positives or about something else. */
bool synth_model_is_deployment(const struct synth_model_truth *truth);

/* The chance of each label of a section to be drawn for this question, given the labels
 * that it depends on; false when the question has no label of the section. Chances add up
 * to 1, those of SYNTH_MODEL_PLATFORMS to the share of questions with a platform. */
bool synth_model_chances(const struct synth_model *model,
                         enum synth_model_section section, int year,
                         const struct synth_model_truth *truth, double *chances);

struct synth_model_truth synth_model_draw(const struct synth_model *model, int year,
                                          struct rng *rng);

/* A bug in a program that uses the framework: its labels alone. */
struct synth_model_truth synth_model_draw_bug(const struct synth_model *model,
                                              enum synth_model_framework framework,
                                              int year, struct rng *rng);

/* The same for a question that is not about deep learning: only the numbers. */
struct synth_model_truth synth_model_draw_background(const struct synth_model *model,
                                                     int year, struct rng *rng);

#endif
