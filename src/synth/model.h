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
enum model_section {
    MODEL_FRAMEWORKS,        /* weight, by year */
    MODEL_KINDS,             /* weight, by year */
    MODEL_PLATFORMS,         /* share of all questions, by year */
    MODEL_SERVER_CHALLENGES, /* weights */
    MODEL_MOBILE_CHALLENGES,
    MODEL_BROWSER_CHALLENGES,
    MODEL_OBJECTS, /* of the how-to questions: phase and object at once */
    MODEL_ROOT_CAUSES,
    MODEL_BUG_TYPES,
    MODEL_BUG_CAUSES,
    MODEL_BUG_EFFECTS,
    MODEL_BUG_STAGES,
    MODEL_ACCEPTED,   /* share with an accepted answer: kinds, then the two below */
    MODEL_WAIT_HOURS, /* median until the accepted answer: the same names, then phases */
    MODEL_SHARES,     /* probabilities, see enum model_share */
    MODEL_SHAPES,     /* parameters of the heavy tails, see enum model_shape */
    MODEL_SECTIONS,
};

enum model_framework {
    MODEL_TENSORFLOW,
    MODEL_KERAS,
    MODEL_PYTORCH,
    MODEL_THEANO,
    MODEL_CAFFE,
    MODEL_TORCH,
    MODEL_DEEPLEARNING4J,
    MODEL_FRAMEWORK_COUNT,
};

enum model_kind {
    MODEL_IMPLEMENTATION,
    MODEL_CRASH,
    MODEL_ANOMALY,
    MODEL_MIGRATION,
    MODEL_PERFORMANCE,
    MODEL_COMPREHENSION,
    MODEL_INSTALLATION,
    MODEL_KIND_COUNT,
    /* Only in MODEL_ACCEPTED and MODEL_WAIT_HOURS: */
    MODEL_DEPLOYMENT = MODEL_KIND_COUNT,
    MODEL_BACKGROUND,
    MODEL_FIRST_PHASE, /* only in MODEL_WAIT_HOURS */
};

enum model_platform { MODEL_SERVER, MODEL_MOBILE, MODEL_BROWSER, MODEL_PLATFORM_COUNT };

enum model_share {
    MODEL_SECOND_KIND,
    MODEL_HOWTO_IMPLEMENTATION,
    MODEL_HOWTO_OTHER,
    MODEL_CODE,
    MODEL_CLOSED,
    MODEL_ENDORSED,
    MODEL_ANSWERED, /* of those without an accepted answer */
    MODEL_CONFUSION,
    MODEL_NEGATIVE, /* scores below 0 */
};

enum model_shape {
    MODEL_WAIT_SIGMA,
    MODEL_VIEWS_MEDIAN,
    MODEL_VIEWS_SIGMA,
    MODEL_SCORE_MEDIAN,
    MODEL_SCORE_SIGMA,
    MODEL_SCORE_VIEWS, /* correlation of the logarithms */
};

/* The longest section has 63 labels, the longest list of challenges 12. */
enum {
    MODEL_YEARS_MAX = 64,
    MODEL_LABELS_MAX = 64,
    MODEL_CHALLENGES_MAX = 16,
    MODEL_NONE = -1,
};

struct model {
    int first_year, years; /* consecutive years with questions */
    double year_weight[MODEL_YEARS_MAX];
    int64_t begin_ms, until_ms;     /* of the corpus */
    const double *values;           /* by year and setting */
    bool types_given, causes_given; /* replaced by the user: same for every library */
};

/* What is true of one question. Labels are indexes into their section, or MODEL_NONE. */
struct model_truth {
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
bool model_load(const char *path, struct arena *arena, struct model *out,
                struct err *err) MUST_USE;
bool model_parse(struct str text, const char *path, struct arena *arena,
                 struct model *out, struct err *err) MUST_USE;

size_t model_count(enum model_section section);
struct str model_name(enum model_section section, int index);
double model_value(const struct model *model, enum model_section section, int index,
                   int year);
enum model_section model_challenges(int platform);
struct str model_section_name(enum model_section section);

/* 'd', 'm', ...: the phase that an object of MODEL_OBJECTS belongs to. */
char model_phase(int object);
struct str model_object_name(int object); /* "Tensor" */

/* The moment below which a share of all questions falls; 0 <= share < 1. */
int64_t model_moment(const struct model *model, double share);

/* Whether the question is about deployment, as its platform alone does not tell: some
 * were judged to be false positives or about something else. */
bool model_is_deployment(const struct model_truth *truth);

/* The chance of each label of a section to be drawn for this question, given the labels
 * that it depends on; false when the question has no label of the section. Chances add up
 * to 1, those of MODEL_PLATFORMS to the share of questions with a platform. */
bool model_chances(const struct model *model, enum model_section section, int year,
                   const struct model_truth *truth, double *chances);

struct model_truth model_draw(const struct model *model, int year, struct rng *rng);

/* The same for a question that is not about deep learning: only the numbers. */
struct model_truth model_draw_background(const struct model *model, int year,
                                         struct rng *rng);

#endif
