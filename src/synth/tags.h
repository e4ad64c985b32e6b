/* The simulated site's tags: their names, and which ones stand together on a question. */
#ifndef SYNTH_TAGS_H
#define SYNTH_TAGS_H

#include "synth/model.h"

enum { TAGS_PER_QUESTION = 5, TAGS_TOPICS = 10 };

struct tags {
    int at[TAGS_PER_QUESTION]; /* numbers of tags */
    int count;
};

int tags_count(void);
struct str tags_name(int tag);

/* The name of a background topic, as in the grammar: "web", "sql", ... */
struct str tags_topic(int topic);

/* For a question about deep learning. Sets truth->framework to MODEL_NONE when the
 * question stands only under its platform's tag. *by_words is set when no tag tells the
 * platform, so that the text has to. */
struct tags tags_draw(struct model_truth *truth, int year, struct rng *rng,
                      bool *by_words);

/* The chances of the frameworks after tags_draw(), from those before it, for a question
 * with this platform (MODEL_NONE: none); the rest to 1 is no framework. */
void tags_frameworks(int platform, double *chances);
struct tags tags_draw_background(int topic, struct rng *rng);

#endif
