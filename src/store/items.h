/* Reading a corpus fast, each table in one pass: what measures, tables and samples are
 * made of. Strings last only during the call of take(), whose false, with err, ends the
 * pass. */
#ifndef STORE_ITEMS_H
#define STORE_ITEMS_H

#include "store/corpus.h"

/* CORPUS_NONE: NULL. */
struct items_row {
    int64_t id, type, parent, accepted, accepted_ms, created_ms, closed_ms;
    int64_t score, views, answers, comments, favorites, owner;
    struct str tags; /* "<a><b>" */
};

/* Every question and every row of a table, ascending by id. `item` is the same for the
 * query engine: its texts are fetched when they are asked for, in_set is NULL and for the
 * caller to set in a copy. */
typedef bool items_take(void *context, const struct query_item *item,
                        const struct items_row *row, struct err *err);
bool items_each(struct corpus *corpus, items_take *take, void *context,
                struct err *err) MUST_USE;

struct items_answer {
    int64_t question, id, created_ms, owner, score;
};

/* Every answer, ascending by question, then moment (without one first), then id. */
typedef bool items_take_answer(void *context, const struct items_answer *answer,
                               struct err *err);
bool items_answers(struct corpus *corpus, items_take_answer *take, void *context,
                   struct err *err) MUST_USE;

/* A text of an item. Each source that an item stands in, by its name, ascending by item
 * and within it in the order of the study file; the values of one extra column. */
typedef bool items_take_text(void *context, int64_t id, struct str text, struct err *err);
bool items_origins(struct corpus *corpus, items_take_text *take, void *context,
                   struct err *err) MUST_USE;
bool items_fields(struct corpus *corpus, struct str name, items_take_text *take,
                  void *context, struct err *err) MUST_USE;

/* The given posts, in the order given, leaving out those that are not there. */
typedef bool items_take_post(void *context, const struct corpus_post *post,
                             struct err *err);
bool items_posts(struct corpus *corpus, const int64_t *ids, size_t count,
                 items_take_post *take, void *context, struct err *err) MUST_USE;

/* What hangs together with one post: the answers to a question, by score (without one
 * last), then id; the comments on a post, by moment, then id; its extra columns by name.
 */
bool items_answers_to(struct corpus *corpus, int64_t question, items_take_post *take,
                      void *context, struct err *err) MUST_USE;
typedef bool items_take_comment(void *context, const struct corpus_comment *comment,
                                struct err *err);
bool items_comments_on(struct corpus *corpus, int64_t post, items_take_comment *take,
                       void *context, struct err *err) MUST_USE;
typedef bool items_take_field(void *context, struct str name, struct str value,
                              struct err *err);
bool items_fields_of(struct corpus *corpus, int64_t post, items_take_field *take,
                     void *context, struct err *err) MUST_USE;

/* The files that were read for sources, in the order of the study file. */
typedef bool items_take_file(void *context, const struct corpus_file *file,
                             struct err *err);
bool items_files(struct corpus *corpus, items_take_file *take, void *context,
                 struct err *err) MUST_USE;

/* The newest of all posts of a source, taken into the corpus or not; CORPUS_NONE: not
 * known. The name is empty for the only source. */
bool items_last_post(struct corpus *corpus, struct str source, int64_t *out,
                     struct err *err) MUST_USE;

/* The census by year, within it by tag; tag empty: all questions. */
typedef bool items_take_census(void *context, const struct corpus_census *census,
                               struct err *err);
bool items_census(struct corpus *corpus, items_take_census *take, void *context,
                  struct err *err) MUST_USE;

#endif
