/* What assay topics shows: the words that count, the topics with all that is known of
 * them, and the files that it writes. */
#ifndef CMD_TOPICS_SHOW_H
#define CMD_TOPICS_SHOW_H

#include "cmd/topics.h"
#include "topic/topic.h"

/* The words that count, as csv. */
void cmd_topics_show_words(const struct topic_tokens *tokens, struct buf *out);

/* How much was read. */
void cmd_topics_show_head(const struct cmd_topics_posts *posts,
                          const struct topic_tokens *tokens, struct buf *out);

/* Everything that the topics are shown with; it lives in the arena of the posts. */
void cmd_topics_show_fill(const struct cmd_topics_args *args,
                          const struct cmd_topics_posts *posts,
                          const struct topic_tokens *tokens,
                          const struct topic_set *topics, struct topic_render_data *out);

/* All tables, into a folder that is made. */
bool cmd_topics_show_write(const struct topic_render_data *data, const char *folder,
                           struct arena *arena, struct err *err) MUST_USE;

#endif
