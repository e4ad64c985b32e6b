/* Whether a comment on an answer says that the answer helped. A rule of thumb, made from
 * comments of small public sites; assay-query(7) has it in words, with how often it is
 * right. */
#ifndef TEXT_THANKS_H
#define TEXT_THANKS_H

#include "base/buf.h"

/* Plain text. `work` is used and emptied: whoever asks often keeps it. */
bool text_thanks(struct str comment, struct buf *work);

#endif
