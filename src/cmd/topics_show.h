/* What assay topics shows: the words that count, the topics with all that is known of
 * them, and the files that it writes. */
#ifndef CMD_TOPICS_SHOW_H
#define CMD_TOPICS_SHOW_H

#include "cmd/topics.h"
#include "topic/topic.h"

/* The words that count, as csv. */
void topics_show_words(const struct tokens *tokens, struct buf *out);

/* How much was read. */
void topics_show_head(const struct topics_posts *posts, const struct tokens *tokens,
                      struct buf *out);

/* Everything that the topics are shown with; it lives in the arena of the posts. */
void topics_show_fill(const struct topics_args *args, const struct topics_posts *posts,
                      const struct tokens *tokens, const struct topics *topics,
                      struct render_data *out);

/* All tables, into a folder that is made. */
bool topics_show_write(const struct render_data *data, const char *folder,
                       struct arena *arena, struct err *err) MUST_USE;

#endif
