/* What posts are put together from: sentences, code, logs, pictures, headings, lists. */
#ifndef SYNTH_TEXT_PARTS_H
#define SYNTH_TEXT_PARTS_H

#include "synth/text.h"

/* Around the sentences of a paragraph. */
#define TEXT_PARTS_BEGIN STR("&lt;p&gt;")
#define TEXT_PARTS_END   STR("&lt;/p&gt;&#xA;&#xA;")

/* The names and the release of the framework that the question speaks of. */
struct grammar_values text_parts_values(const struct plan_question *question);

bool text_parts_chance(struct text_writer *writer, unsigned percent);
void text_parts_expand(struct text_writer *writer, int rule,
                       const struct grammar_values *values);

/* The same as a sentence of a paragraph, which says nothing that was said before. */
void text_parts_sentence(struct text_writer *writer, int rule,
                         const struct grammar_values *values);

/* The site takes 30,000 characters; longer posts come to their end. */
bool text_parts_has_room(const struct text_writer *writer);

/* How much a person has to say: 1 is usual, a few say ten times as much. */
double text_parts_talkativeness(struct text_writer *writer);

/* `mean` as a whole number that is right on average. */
uint64_t text_parts_about(struct text_writer *writer, double mean);

void text_parts_code(struct text_writer *writer, const struct plan_question *question,
                     double size, const struct grammar_values *values);
void text_parts_trace(struct text_writer *writer, const struct plan_question *question,
                      double size, const struct grammar_values *values);
void text_parts_log(struct text_writer *writer, const struct plan_question *question,
                    const struct grammar_values *values);
void text_parts_picture(struct text_writer *writer, const struct plan_question *question);
void text_parts_heading(struct text_writer *writer, const struct grammar_values *values);
void text_parts_list(struct text_writer *writer, const struct grammar_values *values);
void text_parts_quote(struct text_writer *writer, const struct grammar_values *values);

#endif
