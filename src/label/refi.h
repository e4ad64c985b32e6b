/* A codebook as REFI-QDA has it (.qdc), for other programs of qualitative analysis: the
 * Rotterdam Exchange Format Initiative's "REFI-QDA Standard" 1.5, namespace
 * urn:QDA-XML:codebook:1.0. */
#ifndef LABEL_REFI_H
#define LABEL_REFI_H

#include "base/buf.h"
#include "study/codebook.h"

/* Adds the XML. A code's guid depends on the codebook's id, the dimension and the code's
 * path alone. Of several dimensions each is a code that cannot be given; special codes
 * are members of a set of that name. What the format has no place for is in the
 * description, under its own head: when to use a code and when not, examples. */
void label_refi_codebook(const struct study_codebook *codebook, struct buf *out);

/* What stands within <CodeBook> of a project; a guid of any bytes, and that of a code. */
void label_refi_codes(const struct study_codebook *codebook, struct buf *out);
void label_refi_guid(struct str of, struct buf *out);
void label_refi_code_guid(const struct study_codebook *codebook, struct str dimension,
                          struct str path, struct buf *out);

/* A codebook of ours, YAML, from that of a .qdc or a project (.qdpx); path names it in
 * messages, and the codebook. */
bool label_refi_read_codebook(struct str text, const char *path, struct buf *out,
                              struct err *err) MUST_USE;

#endif
