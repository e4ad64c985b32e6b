/* What the files of the model share: the tables of defaults and the layout of values. */
#ifndef SYNTH_INTERNAL_H
#define SYNTH_INTERNAL_H

#include "synth/model.h"

enum { MODEL_POINTS_MAX = 9 };

struct model_point {
    int year; /* 0: the same in every year */
    double value;
};

/* A number, or its course over the years: straight lines between the points, level before
 * the first and after the last. */
struct model_setting {
    const char *name;
    struct model_point points[MODEL_POINTS_MAX];
    const char *title; /* of an object */
};

struct model_table {
    const char *name;
    const struct model_setting *settings;
    size_t count;
    double highest;            /* that a value may be */
    const double *highest_own; /* the same for each setting; NULL: highest for all */
};

enum {
    MODEL_LIBRARIES = 5, /* of Islam's study: caffe, keras, tensorflow, theano, torch */
    MODEL_BUG_TYPE_COUNT = 11,
    MODEL_BUG_CAUSE_COUNT = 9,
    MODEL_BUG_EFFECT_COUNT = 7,
    MODEL_DEFAULT_FIRST_YEAR = 2014,
    MODEL_DEFAULT_YEARS = 8,
};

extern const struct model_table model_tables[MODEL_SECTIONS];
extern const double model_types_by_library[MODEL_LIBRARIES][MODEL_BUG_TYPE_COUNT];
extern const double model_causes_by_type[MODEL_BUG_TYPE_COUNT][MODEL_BUG_CAUSE_COUNT];
extern const double model_default_years[MODEL_DEFAULT_YEARS];

/* Values lie by year, within it by section, within that by setting. */
size_t model_first_value(enum model_section section);
size_t model_values_in_all(void);
const double *model_values_of(const struct model *model, enum model_section section,
                              int year);

/* The weights that a question's label of the section is drawn by, given the labels in
 * truth that it depends on. */
void model_weigh(const struct model *model, enum model_section section, int year,
                 const struct model_truth *truth, double *weights);
bool model_is_crash(int bug_effect);
double model_at_year(const struct model_point *points, size_t count, int year);

#endif
