/* The codes come parent before child, so that the tree can be written in one pass. */
#include "label/refi.h"

#include <xxhash.h>

static void add_attribute(struct buf *out, const char *name, struct str value)
{
    buf_add_format(out, " %s=\"", name);
    buf_add_xml(out, value);
    buf_add_char(out, '"');
}

/* A UUID of version 8 (RFC 9562): 122 bits of a hash. */
void label_refi_guid(struct str of, struct buf *out)
{
    XXH128_hash_t hash = XXH3_128bits(of.ptr, of.len);
    uint64_t high = (hash.high64 & ~UINT64_C(0xF000)) | UINT64_C(0x8000);
    uint64_t low = (hash.low64 & ~(UINT64_C(3) << 62)) | UINT64_C(1) << 63;

    buf_add_format(out, "%08llx-%04llx-%04llx-%04llx-%012llx",
                   (unsigned long long)(high >> 32),
                   (unsigned long long)(high >> 16 & 0xFFFF),
                   (unsigned long long)(high & 0xFFFF), (unsigned long long)(low >> 48),
                   (unsigned long long)(low & UINT64_C(0xFFFFFFFFFFFF)));
}

void label_refi_code_guid(const struct study_codebook *codebook, struct str dimension,
                          struct str path, struct buf *out)
{
    struct buf name = {0};

    buf_add_format(&name, "%.*s\n%.*s\n%.*s", STR_ARG(codebook->id), STR_ARG(dimension),
                   STR_ARG(path));
    label_refi_guid(buf_str(&name), out);
    buf_free(&name);
}

static void add_guid(const struct study_codebook *codebook, struct str dimension,
                     struct str path, struct buf *out)
{
    buf_add(out, STR(" guid=\""));
    label_refi_code_guid(codebook, dimension, path, out);
    buf_add_char(out, '"');
}

static void add_part(struct buf *text, const char *head, struct str part)
{
    if (part.len == 0)
        return;
    if (text->len > 0)
        buf_add_char(text, '\n');
    buf_add(text, str_from(head));
    buf_add(text, part);
}

static void add_description(const struct study_codebook_code *code, struct buf *out)
{
    struct buf text = {0};

    add_part(&text, "", code->definition);
    add_part(&text, "Use when: ", code->use_when);
    add_part(&text, "Not when: ", code->not_when);
    for (size_t i = 0; i < code->examples.count; i++)
        add_part(&text, "Example: ", code->examples.at[i]);
    for (size_t i = 0; i < code->counter_examples.count; i++)
        add_part(&text, "Counter-example: ", code->counter_examples.at[i]);
    if (text.len > 0) {
        buf_add(out, STR("<Description>"));
        buf_add_xml(out, buf_str(&text));
        buf_add(out, STR("</Description>"));
    }
    buf_free(&text);
}

static void close_codes(struct buf *out, int levels)
{
    for (; levels > 0; levels--)
        buf_add(out, STR("</Code>\n"));
}

static void add_dimension(const struct study_codebook *codebook,
                          const struct study_codebook_dimension *dimension,
                          struct buf *out)
{
    int open = 0;

    for (size_t i = 0; i < dimension->count; i++) {
        const struct study_codebook_code *code = &dimension->codes[i];
        close_codes(out, open - code->level + 1);
        open = code->level;
        buf_add(out, STR("<Code"));
        add_guid(codebook, dimension->id, code->path, out);
        add_attribute(out, "name", code->name);
        buf_add(out, STR(" isCodable=\"true\">"));
        add_description(code, out);
        if (!code->leaf)
            buf_add_char(out, '\n');
    }
    close_codes(out, open);
}

static void add_special(const struct study_codebook *codebook, struct buf *out)
{
    bool any = false;

    for (size_t d = 0; d < codebook->count; d++) {
        const struct study_codebook_dimension *dimension = &codebook->dimensions[d];
        for (size_t i = 0; i < dimension->count; i++) {
            if (!dimension->codes[i].special)
                continue;
            if (!any) {
                buf_add(out, STR("<Sets>\n<Set"));
                add_guid(codebook, STR(""), STR("special"), out);
                buf_add(out, STR(" name=\"special\">\n"));
            }
            any = true;
            buf_add(out, STR("<MemberCode"));
            add_guid(codebook, dimension->id, dimension->codes[i].path, out);
            buf_add(out, STR("/>\n"));
        }
    }
    if (any)
        buf_add(out, STR("</Set>\n</Sets>\n"));
}

void label_refi_codes(const struct study_codebook *codebook, struct buf *out)
{
    buf_add(out, STR("<Codes>\n"));
    for (size_t d = 0; d < codebook->count; d++) {
        const struct study_codebook_dimension *dimension = &codebook->dimensions[d];
        if (codebook->count > 1) {
            buf_add(out, STR("<Code"));
            add_guid(codebook, dimension->id, STR(""), out);
            add_attribute(out, "name", dimension->name);
            buf_add(out, STR(" isCodable=\"false\">\n"));
        }
        add_dimension(codebook, dimension, out);
        if (codebook->count > 1)
            buf_add(out, STR("</Code>\n"));
    }
    buf_add(out, STR("</Codes>\n"));
}

void label_refi_codebook(const struct study_codebook *codebook, struct buf *out)
{
    buf_add(out, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<CodeBook xmlns=\"urn:QDA-XML:codebook:1.0\" origin=\"assay\">\n"));
    label_refi_codes(codebook, out);
    add_special(codebook, out);
    buf_add(out, STR("</CodeBook>\n"));
}
