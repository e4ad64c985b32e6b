/* What assay topics shows: the words that count, the topics with all that is known of
 * them, and the files that it writes. */
#ifndef CMD_TOPICS_SHOW_H
#define CMD_TOPICS_SHOW_H

#include "cmd/topics.h"
#include "topic/topic.h"

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
