/* What a comment says of the answer that it stands below: that it helped, or that it no
 * longer holds. Rules of thumb; assay-query(7) has the first in words, with how often it
 * is right, assay-study(5) the second. */
#ifndef TEXT_THANKS_H
#define TEXT_THANKS_H

#include "base/buf.h"

/* Plain text. `work` is used and emptied: whoever asks often keeps it. */
bool text_thanks(struct str comment, struct buf *work);

/* "This is deprecated", "does not work any more in 2.0"; no question and no condition. */
bool text_outdated(struct str comment, struct buf *work);

#endif
