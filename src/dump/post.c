/* Missing is not zero. */
#include "dump/post.h"

struct post post_empty(void)
{
    return (struct post){.id = POST_NONE,
                         .type = POST_NONE,
                         .parent = POST_NONE,
                         .accepted = POST_NONE,
                         .accepted_ms = POST_NONE,
                         .owner = POST_NONE,
                         .created_ms = POST_NONE,
                         .closed_ms = POST_NONE,
                         .score = POST_NONE,
                         .views = POST_NONE,
                         .answers = POST_NONE,
                         .comments = POST_NONE,
                         .favorites = POST_NONE};
}
