/* A REFI-QDA project (.qdpx): the codebook, raters as users, and each item as a source
 * with its text; labels are codings of the source, evidence codings of a selection.
 * Guids follow from what they name, so that the same labels give the same bytes. */
#include <stdio.h>

#include "input/zipfile.h"
#include "label/export.h"
#include "label/refi.h"

struct refi_writer {
    struct label_export_writer *writer;
    struct input_zipfile *zip;
    struct buf users, sources;
    struct map known; /* users who are there */
    int64_t number;   /* of guids that nothing else names */
};

static void add_guid(struct refi_writer *refi, const char *kind, struct str name,
                     struct buf *out)
{
    struct buf of = {0};

    buf_add_format(&of, "%s\n%.*s\n%.*s", kind, STR_ARG(refi->writer->label->study->name),
                   STR_ARG(name));
    label_refi_guid(buf_str(&of), out);
    buf_free(&of);
}

static void add_attribute(struct buf *out, const char *name, struct str value)
{
    buf_add_format(out, " %s=\"", name);
    buf_add_xml(out, value);
    buf_add_char(out, '"');
}

static void add_user(struct refi_writer *refi, struct str rater)
{
    struct str name = label_export_person(refi->writer, rater);

    if (++*map_put(&refi->known, name) > 1)
        return;
    buf_add(&refi->users, STR("<User guid=\""));
    add_guid(refi, "user", name, &refi->users);
    buf_add_char(&refi->users, '"');
    add_attribute(&refi->users, "name", name);
    buf_add(&refi->users, STR("/>\n"));
}

static void add_creator(struct refi_writer *refi, struct str rater)
{
    buf_add(&refi->sources, STR(" creatingUser=\""));
    add_guid(refi, "user", label_export_person(refi->writer, rater), &refi->sources);
    buf_add_char(&refi->sources, '"');
}

/* An element that nothing else refers to. */
static void add_element(struct refi_writer *refi, const char *name)
{
    char number[24];

    snprintf(number, sizeof number, "%lld", (long long)++refi->number);
    buf_add_format(&refi->sources, "<%s guid=\"", name);
    add_guid(refi, name, str_from(number), &refi->sources);
    buf_add_char(&refi->sources, '"');
}

static void add_coding(struct refi_writer *refi, struct str rater, struct str dimension,
                       struct str code)
{
    add_element(refi, "Coding");
    add_creator(refi, rater);
    buf_add(&refi->sources, STR("><CodeRef targetGUID=\""));
    label_refi_code_guid(&refi->writer->label->effective, dimension, code,
                         &refi->sources);
    buf_add(&refi->sources, STR("\"/></Coding>\n"));
}

/* Without a code it is for each that the rater gave the item. */
static void add_selection(struct refi_writer *refi, const struct label_export_mark *mark,
                          const struct label_said *labels, size_t count)
{
    add_element(refi, "PlainTextSelection");
    add_attribute(&refi->sources, "name", mark->said.quote);
    buf_add_format(&refi->sources, " startPosition=\"%zu\" endPosition=\"%zu\"",
                   mark->begin, mark->end);
    add_creator(refi, mark->said.rater);
    buf_add(&refi->sources, STR(">\n"));
    if (mark->said.code.len > 0)
        add_coding(refi, mark->said.rater, mark->said.dimension, mark->said.code);
    for (size_t i = 0; mark->said.code.len == 0 && i < count; i++)
        for (size_t c = 0; c < labels[i].code_count; c++)
            if (str_eq(labels[i].rater, mark->said.rater))
                add_coding(refi, mark->said.rater, labels[i].dimension,
                           labels[i].codes[c]);
    buf_add(&refi->sources, STR("</PlainTextSelection>\n"));
}

/* An item and the labels of all its raters. */
static bool add_source(struct refi_writer *refi, const struct label_said *labels,
                       size_t count, struct err *err)
{
    struct label_export_writer *writer = refi->writer;
    struct arena arena = {0};
    struct label_export_evidence evidence;
    struct buf guid = {0}, *out = &refi->sources;
    struct str key = item_key(&writer->label->study->spaces, labels->item, &arena);
    bool ok = label_export_evidence(writer, labels->item, &arena, &evidence, err);

    if (ok) {
        add_guid(refi, "source", key, &guid);
        buf_add_format(out, "<TextSource guid=\"%.*s\"", STR_ARG(buf_str(&guid)));
        add_attribute(out, "name", key);
        buf_add_format(out, " plainTextPath=\"internal://%.*s.txt\">\n",
                       STR_ARG(buf_str(&guid)));
        for (size_t i = 0; i < evidence.count; i++)
            add_selection(refi, &evidence.at[i], labels, count);
        for (size_t i = 0; i < count; i++) {
            add_user(refi, labels[i].rater);
            for (size_t c = 0; c < labels[i].code_count; c++)
                add_coding(refi, labels[i].rater, labels[i].dimension,
                           labels[i].codes[c]);
        }
        buf_add(out, STR("</TextSource>\n"));
        ok = input_zipfile_add(
            refi->zip, arena_format(&arena, "sources/%.*s.txt", STR_ARG(buf_str(&guid))),
            evidence.document, err);
    }
    buf_free(&guid);
    arena_free(&arena);
    return ok;
}

static bool add_project(struct refi_writer *refi, struct err *err)
{
    struct label *label = refi->writer->label;
    struct buf xml = {0};

    buf_add(&xml, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Project"));
    add_attribute(&xml, "name", label->study->name);
    buf_add(&xml, STR(" origin=\"assay\" xmlns=\"urn:QDA-XML:project:1.0\">\n<Users>\n"));
    buf_add(&xml, buf_str(&refi->users));
    buf_add(&xml, STR("</Users>\n<CodeBook>\n"));
    label_refi_codes(&label->effective, &xml);
    buf_add(&xml, STR("</CodeBook>\n<Sources>\n"));
    buf_add(&xml, buf_str(&refi->sources));
    buf_add(&xml, STR("</Sources>\n</Project>\n"));
    bool ok = input_zipfile_add(refi->zip, STR("project.qde"), buf_str(&xml), err);
    buf_free(&xml);
    return ok;
}

static bool add_bytes(void *context, struct str bytes, struct err *err)
{
    (void)err;
    buf_add(context, bytes);
    return true;
}

bool label_export_refi(struct label_export_writer *writer, struct err *err)
{
    struct label_export_labels labels = label_export_newest(writer);
    struct refi_writer refi = {.writer = writer, .known = {.arena = &writer->arena}};
    bool ok = input_zipfile_open(add_bytes, writer->out, &refi.zip, err);

    progress_count(writer->options->progress, "writing labels", (int64_t)labels.count);
    for (size_t i = 0, next; ok && i < labels.count; i = next) {
        for (next = i; next < labels.count && labels.at[next].item == labels.at[i].item;
             next++)
            progress_piece(writer->options->progress);
        ok = add_source(&refi, &labels.at[i], next - i, err);
    }
    ok = ok && add_project(&refi, err) && input_zipfile_finish(refi.zip, err);
    input_zipfile_close(refi.zip);
    buf_free(&refi.users);
    buf_free(&refi.sources);
    return ok;
}
