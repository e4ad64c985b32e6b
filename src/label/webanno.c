/* WebAnno TSV 3, of WebAnno and INCEpTION: a file for each item and rater, with a line
 * for each token and columns for layers of annotations. We write two layers: Evidence,
 * spans with their code, and Label, which on the first token says what the item is
 * labelled as. Offsets count UTF-16. A zip has them as INCEpTION does:
 * annotation/ITEM.txt/RATER.tsv; what CURATION_USER says are decisions. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "input/zipfile.h"
#include "label/export.h"
#include "text/plain.h"
#include "text/utf8.h"

#define LAYER_EVIDENCE "webanno.custom.Evidence"
#define LAYER_LABEL    "webanno.custom.Label"

static const struct str curator = STR_INIT("CURATION_USER");

/* Names of files: what is no letter, digit or one of - _ . is %41 and the like. */

static struct str encode_name(struct str name, struct arena *arena)
{
    struct buf out = {0};

    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        if (isalnum(c) || strchr("-_.", c) != NULL)
            buf_add_char(&out, name.ptr[i]);
        else
            buf_add_format(&out, "%%%02X", c);
    }
    return buf_keep(&out, arena);
}

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : (tolower((unsigned char)c) - 'a' + 10);
}

static struct str decode_name(struct str name, struct arena *arena)
{
    struct buf out = {0};

    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] == '%' && i + 2 < name.len &&
            isxdigit((unsigned char)name.ptr[i + 1]) &&
            isxdigit((unsigned char)name.ptr[i + 2])) {
            buf_add_char(&out, (char)(hex_digit(name.ptr[i + 1]) * 16 +
                                      hex_digit(name.ptr[i + 2])));
            i += 2;
        } else {
            buf_add_char(&out, name.ptr[i]);
        }
    return buf_keep(&out, arena);
}

static struct str without(struct str name, const char *suffix)
{
    return str_ends(name, str_from(suffix))
               ? str_slice(name, 0, name.len - strlen(suffix))
               : name;
}

/* Reading. */

enum { LAYERS_MAX = 100, VALUE_BYTES_MAX = 1000 };

struct webanno_layer {
    struct str name;
    struct str *features;
    size_t first, count; /* columns, from 0 behind the token */
    bool spans;          /* no relation and no chain */
};

/* An annotation, over one token or more. */
struct webanno_mark {
    size_t layer;
    int64_t number; /* that tells it from others; 0: of one token alone */
    size_t begin, end;
    struct str *values; /* of its features; empty: none */
    int64_t line;
};

struct webanno_reader {
    struct label_importer *importer;
    const char *path;
    struct arena arena;
    struct webanno_layer layers[LAYERS_MAX];
    size_t layer_count, columns;
    LIST(struct webanno_mark) marks;
    size_t token_first;  /* of the token at hand */
    struct map numbered; /* from layer and number to a mark's index plus 1 */
    struct buf text;     /* of the document, as far as sentences were read */
    size_t units;        /* UTF-16 in it */
    struct buf sentence;
    bool placed; /* the sentence is in the text */
    int64_t line;
    struct label_row row;
};

/* Backslashes before reserved characters, and \n, \t, \r. */
static struct str unescape(struct str text, struct arena *arena)
{
    char *out = arena_array(arena, char, text.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\\' && i + 1 < text.len) {
            c = text.ptr[++i];
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
        }
        out[len++] = c;
    }
    return (struct str){out, len};
}

/* Cuts at a character that no backslash stands before. */
static bool cut_escaped(struct str *rest, char at, struct str *head)
{
    for (size_t i = 0; i < rest->len; i++) {
        if (rest->ptr[i] == '\\') {
            i++;
        } else if (rest->ptr[i] == at) {
            *head = str_slice(*rest, 0, i);
            *rest = str_slice(*rest, i + 1, rest->len);
            return true;
        }
    }
    *head = *rest;
    *rest = (struct str){0};
    return false;
}

/* "#T_SP=webanno.custom.Evidence|code|dimension" */
static bool read_layer(struct webanno_reader *reader, struct str rest, bool spans,
                       struct err *err)
{
    struct webanno_layer *layer = &reader->layers[reader->layer_count];
    struct str name;

    if (reader->layer_count == LAYERS_MAX)
        return err_set(err, ERR_INPUT, "more than %d layers", LAYERS_MAX);
    reader->layer_count++;
    bool more = str_cut(&rest, '|', &name);
    *layer = (struct webanno_layer){.name = arena_copy(&reader->arena, str_trim(name)),
                                    .first = reader->columns,
                                    .spans = spans};
    layer->features = arena_array(&reader->arena, struct str, rest.len + 1);
    while (more) {
        struct str feature;
        more = str_cut(&rest, '|', &feature);
        layer->features[layer->count++] = arena_copy(&reader->arena, str_trim(feature));
    }
    layer->count = layer->count == 0 ? 1 : layer->count;
    reader->columns += layer->count;
    return true;
}

/* The mark that a value belongs to: the one of its number or, without a number, the nth
 * of the layer on this token; a new one where there is none. */
static struct webanno_mark *mark_of(struct webanno_reader *reader, size_t layer,
                                    int64_t number, size_t nth, size_t begin, size_t end)
{
    int64_t key[2] = {(int64_t)layer, number}, *known = NULL;

    if (number != 0) {
        known = map_put(&reader->numbered, (struct str){(const char *)key, sizeof key});
        if (*known > 0)
            return &reader->marks.at[*known - 1];
    }
    for (size_t i = reader->token_first; number == 0 && i < reader->marks.count; i++)
        if (reader->marks.at[i].layer == layer && reader->marks.at[i].number == 0 &&
            nth-- == 0)
            return &reader->marks.at[i];
    struct webanno_mark mark = {
        .layer = layer,
        .number = number,
        .begin = begin,
        .end = end,
        .values = arena_array(&reader->arena, struct str, reader->layers[layer].count),
        .line = reader->line};
    list_add(&reader->marks, mark);
    if (known != NULL)
        *known = (int64_t)reader->marks.count;
    return &reader->marks.at[reader->marks.count - 1];
}

/* "crash[3]|_" : values of a feature, each with the number of its annotation. */
static bool read_cell(struct webanno_reader *reader, size_t layer, size_t feature,
                      struct str cell, size_t begin, size_t end, struct err *err)
{
    size_t nth = 0;

    for (bool more = true; more; nth++) {
        struct str value, text, rest;
        int64_t number = 0;
        more = cut_escaped(&cell, '|', &value);
        rest = value;
        if (str_eq(value, STR("_")) || value.len == 0)
            continue;
        if (value.len > VALUE_BYTES_MAX)
            return err_set(err, ERR_INPUT,
                           "the value has %zu bytes; at most %d are allowed", value.len,
                           VALUE_BYTES_MAX);
        if (cut_escaped(&rest, '[', &text)) {
            struct str digits;
            if (!str_cut(&rest, ']', &digits) || rest.len > 0 ||
                !str_to_int(digits, &number) || number < 1)
                return err_set(err, ERR_INPUT,
                               "found the value '%.*s', expected one such as 'crash[3]'",
                               STR_ARG(str_slice(value, 0, 100)));
        }
        struct webanno_mark *mark = mark_of(reader, layer, number, nth, begin, end);
        mark->begin = begin < mark->begin ? begin : mark->begin;
        mark->end = end > mark->end ? end : mark->end;
        if (!str_eq(text, STR("*")))
            mark->values[feature] = unescape(text, &reader->arena);
    }
    return true;
}

/* The sentence goes into the text where its first token begins. */
static void place_sentence(struct webanno_reader *reader, size_t begin)
{
    if (reader->placed)
        return;
    for (; reader->units < begin; reader->units++)
        buf_add_char(&reader->text, '\n');
    buf_add(&reader->text, buf_str(&reader->sentence));
    reader->units += text_utf8_units(buf_str(&reader->sentence));
    reader->placed = true;
}

static bool read_token(struct webanno_reader *reader, struct str line, struct err *err)
{
    struct str number, offsets, token, cell, first;
    int64_t begin, end;
    size_t column = 0;

    bool ok = str_cut(&line, '\t', &number) && str_cut(&line, '\t', &offsets);
    bool more = ok && str_cut(&line, '\t', &token);
    ok = ok && str_cut(&offsets, '-', &first) && str_to_int(first, &begin) &&
         str_to_int(offsets, &end) && begin >= 0 && end >= begin && end <= INT32_MAX;
    if (!ok)
        return err_set(err, ERR_INPUT,
                       "expected a token with its characters, such as '1-1\t0-4\tWord'");
    if ((size_t)begin > reader->text.len + reader->importer->document.len +
                            reader->sentence.len + (1 << 20))
        return err_set(err, ERR_INPUT, "the token begins at %lld, far behind the text",
                       (long long)begin);
    place_sentence(reader, (size_t)begin);
    reader->token_first = reader->marks.count;
    for (size_t l = 0; l < reader->layer_count && more; l++)
        for (size_t f = 0; f < reader->layers[l].count && more; f++, column++) {
            more = str_cut(&line, '\t', &cell);
            if (reader->layers[l].spans &&
                !read_cell(reader, l, f, str_trim(cell), (size_t)begin, (size_t)end, err))
                return false;
        }
    return column == reader->columns ||
           err_set(err, ERR_INPUT, "the token has %zu columns of %zu", column,
                   reader->columns);
}

static bool read_line(struct webanno_reader *reader, struct str line, struct err *err)
{
    const struct str text = STR("#Text=");

    if (str_ends(line, STR("\r")))
        line.len--;
    if (str_starts(line, STR("#T_SP=")) || str_starts(line, STR("#T_RL=")) ||
        str_starts(line, STR("#T_CH=")))
        return read_layer(reader, str_slice(line, 6, line.len),
                          str_starts(line, STR("#T_SP=")), err);
    if (str_starts(line, text)) {
        /* A sentence of several lines has one for each. */
        if (reader->placed)
            buf_clear(&reader->sentence);
        else if (reader->sentence.len > 0)
            buf_add_char(&reader->sentence, '\n');
        reader->placed = false;
        buf_add(&reader->sentence,
                unescape(str_slice(line, text.len, line.len), &reader->arena));
        return true;
    }
    if (str_trim(line).len == 0 || line.ptr[0] == '#')
        return true;
    return read_token(reader, line, err);
}

/* From annotations to labels. */

static bool is_custom(const struct webanno_layer *layer)
{
    return layer->spans && (str_starts(layer->name, STR("webanno.custom.")) ||
                            str_starts(layer->name, STR("custom.")));
}

static struct str value_of(const struct webanno_reader *reader,
                           const struct webanno_mark *mark, const char *feature)
{
    const struct webanno_layer *layer = &reader->layers[mark->layer];

    for (size_t i = 0; i < layer->count; i++)
        if (str_eq(layer->features[i], str_from(feature)))
            return mark->values[i];
    return (struct str){0};
}

/* The dimension and code of an annotation: as we write them, or the first value that is a
 * code of the dimension that the feature or the layer is called by, or of any. */
static bool find_code(const struct webanno_reader *reader,
                      const struct webanno_mark *mark, struct str *dimension,
                      struct str *code)
{
    const struct study_codebook *codebook = &reader->importer->label->effective;
    const struct webanno_layer *layer = &reader->layers[mark->layer];
    struct err ignored = {0};
    size_t found;

    *dimension = value_of(reader, mark, "dimension");
    *code = value_of(reader, mark, "code");
    for (size_t f = 0; f < layer->count && code->len == 0; f++)
        for (size_t d = 0; d < codebook->count && code->len == 0; d++) {
            const struct study_codebook_dimension *one = &codebook->dimensions[d];
            bool called = str_eq(layer->features[f], one->id) ||
                          str_ends(layer->name, one->id) || codebook->count == 1;
            if (mark->values[f].len > 0 &&
                (called || study_codebook_find(one, mark->values[f], &found, &ignored))) {
                *dimension = codebook->count > 1 ? one->id : (struct str){0};
                *code = mark->values[f];
            }
        }
    return code->len > 0;
}

static bool take_mark(struct webanno_reader *reader, const struct webanno_mark *mark,
                      struct err *err)
{
    const struct webanno_layer *layer = &reader->layers[mark->layer];
    struct label_importer *importer = reader->importer;
    struct label_row row = reader->row;
    struct str code;
    bool coded = find_code(reader, mark, &row.dimension, &code);

    row.place = mark->line;
    row.memo = arena_copy(&importer->arena, value_of(reader, mark, "memo"));
    row.dimension = arena_copy(&importer->arena, row.dimension);
    code = arena_copy(&importer->arena, code);
    if (str_eq(layer->name, STR(LAYER_LABEL)) || str_eq(row.kind, STR("decision")))
        return !coded || label_import_row(importer, &row, &code, 1, err);
    struct label_row_span span = {.text = buf_str(&reader->text),
                                  .begin = mark->begin,
                                  .end = mark->end,
                                  .utf16 = true,
                                  .code = code};
    return label_import_span(importer, &row, &span, err);
}

/* Whose file it is: "annotation/12345.txt/ann.tsv", or "12345.tsv" with --rater. */
static bool read_path(struct webanno_reader *reader, struct str path, struct err *err)
{
    const struct label_importer *importer = reader->importer;
    struct arena *arena = &reader->importer->arena;
    struct str rest = path, folder = {0}, part, name;

    while (str_cut(&rest, '/', &part))
        folder = part;
    name = without(part, ".tsv");
    bool of_folder = importer->options->rater.len == 0 && folder.len > 0;
    struct str item = of_folder ? folder : name;
    reader->row = (struct label_row){
        .item = decode_name(without(without(item, ".txt"), ".tsv"), arena),
        .rater = of_folder ? decode_name(name, arena) : (struct str){0},
        .seconds = NAN};
    if (str_eq(reader->row.rater, curator)) {
        reader->row.kind = STR("decision");
        reader->row.rater = importer->label->settings->arbiter;
    }
    return of_folder || importer->options->rater.len > 0 ||
           err_set(err, ERR_INPUT,
                   "%s: no rater is named: expected --rater, or a file ITEM/RATER.tsv",
                   reader->path);
}

static bool keep(struct webanno_reader *reader, int64_t line, struct err *err)
{
    if (err->kind == ERR_INPUT)
        err_locate(err, "%s:%lld: ", reader->path, (long long)line);
    return label_import_problem(reader->importer, err);
}

static bool read_tsv(struct label_importer *importer, const char *path, struct str name,
                     struct str text, struct err *err)
{
    struct webanno_reader reader = {.importer = importer, .path = path};
    bool ok = read_path(&reader, name, err);

    reader.numbered.arena = &reader.arena;
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_slice(text, 3, text.len);
    for (struct str line; ok && text.len > 0;) {
        str_cut(&text, '\n', &line);
        reader.line++;
        if (reader.line == 1 && !str_starts(line, STR("#FORMAT=WebAnno TSV 3")))
            ok = err_set(err, ERR_INPUT,
                         "%s:1: found '%.*s', expected '#FORMAT=WebAnno TSV 3.3'", path,
                         STR_ARG(str_slice(line, 0, 40)));
        ok = ok && (read_line(&reader, line, err) || keep(&reader, reader.line, err));
    }
    for (size_t i = 0; ok && i < reader.marks.count; i++) {
        const struct webanno_mark *mark = &reader.marks.at[i];
        if (!is_custom(&reader.layers[mark->layer]))
            importer->others++;
        else
            ok = take_mark(&reader, mark, err) || keep(&reader, mark->line, err);
    }
    list_free(&reader.marks);
    buf_free(&reader.text);
    buf_free(&reader.sentence);
    arena_free(&reader.arena);
    return ok;
}

bool label_import_webanno(struct label_importer *importer, struct str text,
                          struct err *err)
{
    if (str_starts(text, STR("PK\3\4")))
        return label_import_zip(importer, text, err);
    return read_tsv(importer, importer->path, str_from(importer->path), text, err);
}

bool label_webanno_member(struct label_importer *importer, struct str name,
                          struct str text, struct err *err)
{
    const char *path =
        arena_format(&importer->arena, "%s/%.*s", importer->path, STR_ARG(name)).ptr;

    return read_tsv(importer, path, name, text, err);
}

/* Writing. */

struct webanno_span {
    size_t begin, end; /* characters of the document */
    const struct label_span_said *said;
};

struct webanno_document {
    struct str text;
    size_t *cuts; /* characters at which a token must end: borders of spans; ascending */
    size_t cut_count;
};

static void add_escaped(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\n' || c == '\t' || c == '\r') {
            buf_add(out, c == '\n' ? STR("\\n") : c == '\t' ? STR("\\t") : STR("\\r"));
            continue;
        }
        if (strchr("\\[]|_;*", c) != NULL ||
            (c == '-' && i + 1 < text.len && text.ptr[i + 1] == '>'))
            buf_add_char(out, '\\');
        buf_add_char(out, c);
    }
}

static void add_text(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\\')
            buf_add(out, STR("\\\\"));
        else if (c == '\t' || c == '\r')
            buf_add(out, c == '\t' ? STR("\\t") : STR("\\r"));
        else
            buf_add_char(out, c);
    }
}

enum webanno_class { CLASS_BLANK, CLASS_WORD, CLASS_MARK };

static enum webanno_class class_of(uint32_t code)
{
    if (code == ' ' || code == '\t' || code == '\r' || code == '\n' || code == 0xA0)
        return CLASS_BLANK;
    return code >= 0x80 || isalnum((int)code) || code == '_' ? CLASS_WORD : CLASS_MARK;
}

/* The columns of a token: what spans it is in, by their numbers, and on the first token
 * what the item is labelled as. */
static void add_columns(struct label_export_writer *writer,
                        const struct webanno_span *spans, size_t span_count, size_t begin,
                        size_t end, const struct label_said *labels, size_t label_count,
                        size_t first_number, struct buf *out)
{
    for (size_t feature = 0; feature < 2; feature++) {
        bool any = false;
        for (size_t i = 0; i < span_count; i++) {
            struct str value =
                feature == 0 ? spans[i].said->code : spans[i].said->dimension;
            if (spans[i].begin > begin || spans[i].end < end)
                continue;
            buf_add(out, any ? STR("|") : STR(""));
            any = true;
            if (value.len == 0)
                buf_add_char(out, '*');
            add_escaped(out, value);
            buf_add_format(out, "[%zu]", i + 1);
        }
        buf_add(out, any ? STR("\t") : STR("_\t"));
    }
    for (size_t feature = 0; feature < 3; feature++) {
        bool any = false;
        for (size_t i = 0, number = first_number; i < label_count; i++)
            for (size_t c = 0; c < labels[i].code_count; c++, number++) {
                struct str value = feature == 0   ? labels[i].codes[c]
                                   : feature == 1 ? labels[i].dimension
                                   : c == 0 ? label_export_memo(writer, labels[i].memo)
                                            : (struct str){0};
                buf_add(out, any ? STR("|") : STR(""));
                any = true;
                if (value.len == 0)
                    buf_add_char(out, '*');
                add_escaped(out, value);
                buf_add_format(out, "[%zu]", number);
            }
        buf_add(out, any ? STR("\t") : STR("_\t"));
    }
    buf_add_char(out, '\n');
}

/* A token ends where the class of characters changes, before each mark, and at borders of
 * spans, so that no span ends within one. */
static size_t token_end(const struct webanno_document *document, struct str line,
                        size_t at, size_t character)
{
    uint32_t first, code;
    size_t end = at + text_utf8_read(line, at, &first), cut = 0;

    while (cut < document->cut_count && document->cuts[cut] <= character)
        cut++;
    for (character++; end < line.len && class_of(first) == CLASS_WORD; character++) {
        size_t len = text_utf8_read(line, end, &code);
        if (class_of(code) != CLASS_WORD ||
            (cut < document->cut_count && document->cuts[cut] == character))
            break;
        end += len;
    }
    return end;
}

static void write_tsv(struct label_export_writer *writer,
                      const struct webanno_document *document,
                      const struct webanno_span *spans, size_t span_count,
                      const struct label_said *labels, size_t label_count,
                      struct buf *out)
{
    struct str rest = document->text, line;
    size_t sentence = 0, character = 0, units = 0;
    bool first = true;

    buf_add(out, STR("#FORMAT=WebAnno TSV 3.3\n#T_SP=" LAYER_EVIDENCE
                     "|code|dimension\n#T_SP=" LAYER_LABEL "|code|dimension|memo\n\n"));
    while (rest.len > 0) {
        size_t token = 0, at = 0, last = 0;
        uint32_t code;
        str_cut(&rest, '\n', &line);
        while (at < line.len) { /* blanks before and behind are in no sentence */
            size_t len = text_utf8_read(line, at, &code);
            if (class_of(code) != CLASS_BLANK)
                break;
            at += len;
            character++;
            units++;
        }
        for (size_t i = at; i < line.len;) {
            i += text_utf8_read(line, i, &code);
            last = class_of(code) != CLASS_BLANK ? i : last;
        }
        if (at < last) {
            sentence++;
            buf_add(out, STR("\n#Text="));
            add_text(out, str_slice(line, at, last));
            buf_add_char(out, '\n');
        }
        while (at < line.len) {
            size_t len = text_utf8_read(line, at, &code);
            if (class_of(code) == CLASS_BLANK) {
                at += len;
                character++;
                units++;
                continue;
            }
            size_t end = token_end(document, line, at, character);
            struct str word = str_slice(line, at, end);
            size_t length = text_utf8_count(word), wide = text_utf8_units(word);
            buf_add_format(out, "%zu-%zu\t%zu-%zu\t", sentence, ++token, units,
                           units + wide);
            add_text(out, word);
            buf_add_char(out, '\t');
            add_columns(writer, spans, span_count, character, character + length, labels,
                        first ? label_count : 0, span_count + 1, out);
            first = false;
            at = end;
            character += length;
            units += wide;
        }
        character++;
        units++;
    }
}

static int compare_cuts(const void *a, const void *b)
{
    return *(const size_t *)a < *(const size_t *)b
               ? -1
               : *(const size_t *)a > *(const size_t *)b;
}

static int compare_spans(const void *a, const void *b)
{
    const struct webanno_span *one = a, *two = b;
    int order =
        order_then(ORDER_BY(one->begin, two->begin), ORDER_BY(one->end, two->end));

    order = order_then(order, str_compare(one->said->dimension, two->said->dimension));
    return order_then(order, str_compare(one->said->code, two->said->code));
}

/* The document of an item, cut for the spans of all raters alike. */
static struct webanno_document make_document(const struct label_export_evidence *evidence,
                                             struct arena *arena)
{
    struct webanno_document document = {
        .text = evidence->document,
        .cuts = arena_array(arena, size_t, 2 * evidence->count + 1)};

    for (size_t i = 0; i < evidence->count; i++) {
        size_t begin = evidence->at[i].begin;
        document.cuts[document.cut_count++] = begin;
        document.cuts[document.cut_count++] = evidence->at[i].end;
    }
    qsort(document.cuts, document.cut_count, sizeof *document.cuts, compare_cuts);
    return document;
}

static bool write_item(struct label_export_writer *writer, struct input_zipfile *zip,
                       const struct label_export_labels *labels, size_t at, size_t count,
                       struct err *err)
{
    struct arena arena = {0};
    struct label_export_evidence evidence;
    struct buf tsv = {0};
    int64_t item = labels->at[at].item;
    struct str name =
        encode_name(item_key(&writer->label->study->spaces, item, &arena), &arena);
    bool ok = label_export_evidence(writer, item, &arena, &evidence, err);

    if (ok) {
        struct webanno_document document = make_document(&evidence, &arena);
        ok =
            input_zipfile_add(zip, arena_format(&arena, "source/%.*s.txt", STR_ARG(name)),
                              document.text, err);
        for (size_t i = at, next; ok && i < at + count; i = next) {
            struct str rater = labels->at[i].rater;
            struct webanno_span *spans =
                arena_array(&arena, struct webanno_span, evidence.count + 1);
            size_t span_count = 0;
            for (next = i; next < at + count && str_eq(labels->at[next].rater, rater);)
                next++;
            for (size_t s = 0; s < evidence.count; s++)
                if (str_eq(evidence.at[s].said.rater, rater))
                    spans[span_count++] = (struct webanno_span){
                        evidence.at[s].begin, evidence.at[s].end, &evidence.at[s].said};
            /* In the order of the text, in which they are read again. */
            qsort(spans, span_count, sizeof *spans, compare_spans);
            buf_clear(&tsv);
            write_tsv(writer, &document, spans, span_count, &labels->at[i], next - i,
                      &tsv);
            struct str file = encode_name(label_export_person(writer, rater), &arena);
            ok = input_zipfile_add(zip,
                                   arena_format(&arena, "annotation/%.*s.txt/%.*s.tsv",
                                                STR_ARG(name), STR_ARG(file)),
                                   buf_str(&tsv), err);
        }
    }
    buf_free(&tsv);
    arena_free(&arena);
    return ok;
}

static bool add_bytes(void *context, struct str bytes, struct err *err)
{
    (void)err;
    buf_add(context, bytes);
    return true;
}

bool label_export_webanno(struct label_export_writer *writer, struct err *err)
{
    struct label_export_labels labels = label_export_newest(writer);
    struct input_zipfile *zip = NULL;
    bool ok = input_zipfile_open(add_bytes, writer->out, &zip, err);

    progress_count(writer->options->progress, "writing labels", (int64_t)labels.count);
    for (size_t i = 0, next; ok && i < labels.count; i = next) {
        for (next = i; next < labels.count && labels.at[next].item == labels.at[i].item;
             next++)
            progress_piece(writer->options->progress);
        ok = write_item(writer, zip, &labels, i, next - i, err);
    }
    ok = ok && input_zipfile_finish(zip, err);
    input_zipfile_close(zip);
    return ok;
}
