/* What assay topics reads: posts of a table or of a study, their words and what else is
 * known of them. */
#ifndef CMD_TOPICS_H
#define CMD_TOPICS_H

#include "base/list.h"
#include "cmd/embedding.h"
#include "cmd/opening.h"
#include "topic/topic.h"

struct cmd_topics_args {
    struct cmd_opening_args opening; /* its `study` is the source: a study or a file */
    const char *of, *text, *id, *label, *columns;
    const char *k, *method, *choose, *stop, *out, *vectors, *keys, *clusters;
    struct cmd_embedding_args embed;
    struct cmd_real radius;
    int64_t step, runs, iterations, seed, min_posts, least;
    struct cmd_real alpha, beta, max_share, lambda;
    bool stems, bigrams, code, all_words, words, json;
};

/* Posts in their order. Everything but the reader's words lives in the arena. */
struct cmd_topics_posts {
    struct arena *arena;
    struct topic_tokens_reader tokens;
    size_t count;
    LIST(struct str) ids, titles, labels;
    struct cmd_topics_ints {
        int64_t *at;
        size_t count, room;
    } created_ms, views, score, accepted, accepted_ms; /* ITEM_NONE: unknown */
    bool has_titles;
    bool repaired; /* bytes that are no text were replaced by U+FFFD */
};

void cmd_topics_posts_free(struct cmd_topics_posts *posts);

/* A table: csv or json. */
bool cmd_topics_read_file(const struct cmd_topics_args *args,
                          struct cmd_topics_posts *out, struct err *err) MUST_USE;

/* The questions and rows of a set of the study, which is brought up to date first. */
bool cmd_topics_read_study(struct cmd_session *session,
                           const struct cmd_topics_args *args,
                           struct cmd_topics_posts *out, struct err *err) MUST_USE;

/* --- what it shows --- */

/* The words that count, as csv. */
void cmd_topics_show_words(const struct topic_tokens *tokens, struct buf *out);

/* Tables for people; the same as one object of json, with all words; and as csv, into a
 * folder that is made, with the topics of each post. */
void cmd_topics_show_page(const struct cmd_topics_args *args,
                          const struct cmd_topics_posts *posts,
                          const struct topic_tokens *tokens,
                          const struct topic_set *topics, struct buf *out);
void cmd_topics_show_json(const struct cmd_topics_posts *posts,
                          const struct topic_tokens *tokens,
                          const struct topic_set *topics, struct buf *out);
bool cmd_topics_show_write(const char *folder, const struct cmd_topics_posts *posts,
                           const struct topic_tokens *tokens,
                           const struct topic_set *topics, struct err *err) MUST_USE;

#endif
