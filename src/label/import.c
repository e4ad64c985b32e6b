/* Labels that were made elsewhere: rounds of their own, opened and closed at once. What
 * readers find is collected as (label, code), sorted, and stored when all of it is
 * right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "label/internal.h"
#include "text/plain.h"
#include "text/utf8.h"

enum { FILE_BYTES_MAX = 1 << 30, PROBLEMS_MAX = 50 };

static const struct str decision_word = STR_INIT("decision");

struct given { /* a code */
    int64_t round, item;
    int64_t rater; /* index in raters */
    bool again, decision;
    struct str unit;
    size_t dimension,
        code;     /* code LABEL_NONE: it is decided that there is no such unit */
    size_t order; /* in the file */
    struct label_row row;
    enum label_link_found link; /* how its place was found */
};

/* What a rater marked. */
struct given_span {
    struct given label; /* whose evidence it is; code LABEL_NONE: of the item */
    struct str place, quote;
};

bool label_import_problem(struct label_importer *importer, struct err *err)
{
    if (err->kind != ERR_INPUT)
        return false;
    if (importer->problem_count++ == 0)
        importer->problem = *err;
    if (importer->problem_count <= PROBLEMS_MAX)
        buf_add_format(&importer->problems, "%s\n", err->text);
    *err = (struct err){0};
    return true;
}

bool label_format_find(struct str word, enum label_format *out)
{
    static const char *const words[] = {
        [LABEL_FORMAT_CSV] = "csv",         [LABEL_FORMAT_WIDE] = "wide",
        [LABEL_FORMAT_JSONL] = "jsonl",     [LABEL_FORMAT_STUDIO] = "label-studio",
        [LABEL_FORMAT_DOCCANO] = "doccano", [LABEL_FORMAT_POTATO] = "potato",
        [LABEL_FORMAT_WEBANNO] = "webanno", [LABEL_FORMAT_REFI] = "refi-qda",
    };

    for (size_t i = LABEL_FORMAT_CSV; i < ROWS_OF(words); i++)
        if (str_eq(word, str_from(words[i]))) {
            *out = (enum label_format)i;
            return true;
        }
    return false;
}

/* What readers hand over. */

bool label_import_dimension(const struct label_importer *importer, struct str name,
                            const struct study_codebook_dimension **out, struct err *err)
{
    struct str wanted = importer->options->dimension;

    return study_codebook_choose(&importer->label->effective,
                                 wanted.len > 0 ? wanted : name, out, err);
}

static bool check_kind(struct str kind, struct err *err)
{
    if (str_eq(kind, decision_word))
        return true;
    for (int i = LABEL_PILOT; i <= LABEL_CHOSEN; i++)
        if (str_eq(kind, str_from(label_round_word((enum label_round_kind)i))))
            return true;
    return err_set(err, ERR_INPUT,
                   "found '%.*s' as the kind of a round, expected pilot, training, main, "
                   "chosen or decision",
                   STR_ARG(str_slice(kind, 0, 100)));
}

/* Whoever is arbiter and no rater decides, unless the file says otherwise. */
static bool is_decision(const struct label_importer *importer, struct str kind,
                        struct str rater)
{
    const struct label_person *person = label_person(importer->label, rater);

    return str_eq(kind, decision_word) ||
           (kind.len == 0 && person != NULL && person->roles & LABEL_ARBITER &&
            !(person->roles & LABEL_RATER));
}

static bool find_rater(struct label_importer *importer, struct str name, struct str *out,
                       struct err *err)
{
    const struct label_import_options *options = importer->options;

    if (options->rater.len > 0)
        name = options->rater;
    if (name.len == 0)
        return err_set(err, ERR_INPUT, "no rater is named");
    for (size_t i = 0; i < options->rename_count; i++)
        if (str_eq(options->renames[i].from, name)) {
            name = options->renames[i].to;
            break;
        }
    *out = name;
    return true;
}

/* Names of units that are rows: "1", "2", ... in the order of a rater's rows on the item.
 * Labels of one row, of several dimensions, come one after the other. */
static struct str number_row(struct label_importer *importer, const struct given *given)
{
    struct buf key = {0};
    int64_t numbers[] = {given->round, given->item, given->rater, given->again,
                         given->decision};

    buf_add(&key, (struct str){(const char *)numbers, sizeof numbers});
    int64_t *known = map_put(&importer->rows, buf_str(&key));
    buf_free(&key);
    /* The line in the upper bits, and the number in the lower ones. */
    if (*known >> 24 != given->row.place)
        *known = given->row.place << 24 | ((*known & 0xffffff) + 1);
    return arena_format(&importer->arena, "%lld", (long long)(*known & 0xffffff));
}

/* The place that a link to the item tells, counted once for each unit. */
static bool find_place(struct label_importer *importer, struct given *given,
                       struct err *err)
{
    struct label_link_place place;

    if (!label_place_of_link(importer->label, given->item, str_trim(given->row.item),
                             &importer->arena, &place, err))
        return false;
    given->row.where = place.text;
    given->link = place.found;
    return true;
}

/* A place as the name of a unit; of one that is too long the beginning, and what tells it
 * from others that begin so. */
static struct str name_place(struct str place, struct arena *arena)
{
    enum { DIGEST_LEN = 17 }; /* with what parts it from the beginning */
    struct str begin = text_utf8_cut(place, LABEL_UNIT_NAME_MAX - DIGEST_LEN);

    if (place.len <= LABEL_UNIT_NAME_MAX)
        return place;
    return arena_format(arena, "%.*s~%016llx", STR_ARG(begin),
                        (unsigned long long)XXH3_64bits(place.ptr, place.len));
}

/* Which unit of the item a row is about. */
static bool find_unit(struct label_importer *importer, struct given *given,
                      struct err *err)
{
    const struct study_labelling *settings = importer->label->settings;
    struct label_row *row = &given->row;
    struct label_unit_place ignored;

    if (!settings->units)
        return (row->unit.len == 0 && row->where.len == 0) ||
               err_set(
                   err, ERR_INPUT,
                   "found the unit '%.*s', but labelling.%.*s has no `units: yes`: "
                   "there an item is labelled as a whole",
                   STR_ARG(str_slice(row->unit.len > 0 ? row->unit : row->where, 0, 100)),
                   STR_ARG(settings->name));
    if (row->where.len == 0 && !find_place(importer, given, err))
        return false;
    if (!label_unit_place_read(row->where, &ignored, err))
        return false;
    given->unit = importer->by_row     ? number_row(importer, given)
                  : row->unit.len > 0  ? row->unit
                  : row->where.len > 0 ? name_place(row->where, &importer->arena)
                                       : label_first_unit;
    return label_unit_check(given->unit, err) && label_unit_check(row->called, err);
}

static bool take_question(void *context, const struct item *post, struct err *err)
{
    (void)err;
    if (post->kind == ITEM_ANSWER)
        *(int64_t *)context = post->parent;
    return true;
}

/* When it fails, *unknown says that the task has no such item. */
static bool find_item(struct label_importer *importer, const struct label_row *row,
                      int64_t *item, bool *unknown, struct err *err)
{
    struct label *label = importer->label;
    int64_t named;

    *unknown = true;
    if (!item_key_read(&label->study->spaces, row->item, &named, err))
        return false;
    *item = named;
    /* A link to an answer means its question. */
    if (label_order(label, *item) == LABEL_NONE &&
        str_starts(str_trim(row->item), STR("http")) && label_has_corpus(label) &&
        (!label_open_corpus(label, err) ||
         !store_fetch(label->corpus, &named, 1, take_question, item, err))) {
        *unknown = false;
        return false;
    }
    /* What was chosen need not have been drawn. */
    return label_order(importer->label, *item) != LABEL_NONE ||
           str_eq(row->kind, str_from(label_round_word(LABEL_CHOSEN))) ||
           label_no_item(importer->label, *item, err);
}

static bool check_reason(struct str reason, enum label_reason *out, struct err *err)
{
    return reason.len == 0 || label_reason_find(reason, out) ||
           err_set(err, ERR_INPUT,
                   "found '%.*s' as the reason of a decision, expected slip, ambiguous, "
                   "gap or other",
                   STR_ARG(str_slice(reason, 0, 100)));
}

/* Whose row it is, and of what; *taken is false where its item is passed over. */
static bool begin_row(struct label_importer *importer, const struct label_row *row,
                      struct given *given, bool *taken, struct err *err)
{
    enum label_reason ignored;
    struct str rater;
    bool unknown;

    *given = (struct given){.round = row->round, .again = row->again, .row = *row};
    *taken = find_item(importer, row, &given->item, &unknown, err);
    if (!*taken) {
        if (!importer->options->skip_unknown || !unknown)
            return false;
        *err = (struct err){0};
        importer->unknown += importer->passed != row->place;
        importer->passed = row->place;
        return true;
    }
    if (!find_rater(importer, str_trim(row->rater), &rater, err))
        return false;
    given->rater = (int64_t)map_number(&importer->raters, rater);
    given->decision = is_decision(importer, row->kind, rater);
    if (given->decision)
        given->round = 0;
    else if (given->row.kind.len == 0)
        given->row.kind = STR("main");
    return check_kind(given->decision ? decision_word : given->row.kind, err) &&
           (!given->decision || check_reason(row->reason, &ignored, err)) &&
           find_unit(importer, given, err);
}

bool label_import_row(struct label_importer *importer, const struct label_row *row,
                      const struct str *codes, size_t count, struct err *err)
{
    struct given given;
    const struct study_codebook_dimension *dimension;
    bool taken;

    if (!begin_row(importer, row, &given, &taken, err) || !taken)
        return !taken && err->kind == ERR_NONE;
    if (str_eq(row->kind, decision_word) && row->dimension.len == 0 &&
        row->unit.len > 0 && count == 0) {
        given.code = LABEL_NONE; /* it is no unit */
        given.order = importer->given.count;
        list_add(&importer->given, given);
        return true;
    }
    if (!label_import_dimension(importer, row->dimension, &dimension, err))
        return false;
    given.dimension = (size_t)(dimension - importer->label->effective.dimensions);
    for (size_t i = 0; i < count; i++) {
        given.code = label_code(dimension, codes[i]);
        given.order = importer->given.count;
        if (given.code == LABEL_NONE &&
            !study_codebook_find(dimension, codes[i], &given.code, err))
            return false;
        list_add(&importer->given, given);
    }
    return true;
}

/* Spans. */

/* The text of the item at hand. */
static bool open_parts(struct label_importer *importer, int64_t item, struct err *err)
{
    if (importer->parts_read && importer->parts_of == item)
        return true;
    arena_free(&importer->parts_arena);
    importer->parts_of = item;
    importer->parts_read = label_item_parts(importer->label, item, &importer->parts_arena,
                                            &importer->parts, err);
    if (importer->parts_read)
        importer->document =
            label_parts_document(&importer->parts, &importer->parts_arena);
    return importer->parts_read;
}

/* From UTF-16 to characters. */
static size_t from_utf16(struct str text, size_t units)
{
    size_t characters = 0, at = 0;

    for (size_t i = 0; i < text.len && at < units; characters++) {
        uint32_t code;
        i += text_utf8_read(text, i, &code);
        at += code > 0xFFFF ? 2 : 1;
    }
    return characters + (units > at ? units - at : 0);
}

/* How often words stand in a text before a byte. */
static size_t count_before(struct str text, struct str words, size_t end)
{
    size_t count = 0;

    for (size_t i = 0; i < end && i + words.len <= text.len; i++)
        count += memcmp(text.ptr + i, words.ptr, words.len) == 0;
    return count;
}

/* Words of a text that is not quite ours: the same words, as often before them. */
static bool find_words(struct label_importer *importer, const struct label_row_span *span,
                       struct label_span_range *out)
{
    struct str document = importer->document, words = span->quote;
    size_t nth = 0, all = count_before(document, words, document.len);

    if (words.len == 0 || all == 0)
        return false;
    if (span->text.len > 0) {
        nth = count_before(span->text, words, text_plain_byte(span->text, span->begin));
        if (all > 1 && count_before(span->text, words, span->text.len) != all)
            return false;
    } else if (all > 1) {
        return false;
    }
    for (size_t i = 0; i + words.len <= document.len; i++)
        if (memcmp(document.ptr + i, words.ptr, words.len) == 0 && nth-- == 0) {
            size_t begin = text_utf8_count(str_slice(document, 0, i));
            return label_parts_from_document(&importer->parts, begin,
                                             begin + text_utf8_count(words), out);
        }
    return false;
}

static struct str cut(struct str text, size_t begin, size_t end)
{
    size_t first = text_plain_byte(text, begin);

    return str_slice(text, first, text_plain_byte(text, end));
}

/* Where a span of another program is in the item's text. */
static bool find_range(struct label_importer *importer, struct label_row_span *span,
                       struct label_span_range *range)
{
    struct str text = span->text.len > 0 ? span->text : importer->document;
    struct str trimmed = span->text;

    if (span->utf16) {
        span->begin = from_utf16(text, span->begin);
        span->end = from_utf16(text, span->end);
    }
    if (span->begin >= span->end || span->end > text_utf8_count(text))
        return false;
    struct str words = cut(text, span->begin, span->end);
    if (span->quote.len > 0 && !str_eq(words, span->quote) && span->text.len > 0)
        return false;
    if (span->quote.len == 0)
        span->quote = words;
    while (str_ends(trimmed, STR("\n")))
        trimmed.len--;
    bool ours =
        span->text.len == 0 ||
        (str_starts(importer->document, trimmed) &&
         str_trim(str_slice(importer->document, trimmed.len, importer->document.len))
                 .len == 0);
    if (ours &&
        label_parts_from_document(&importer->parts, span->begin, span->end, range))
        return str_eq(words, span->quote) || find_words(importer, span, range);
    return find_words(importer, span, range);
}

static bool resolve_span(struct label_importer *importer, const struct given *given,
                         const struct label_row_span *from, struct given_span *out,
                         struct err *err)
{
    struct label_row_span span = *from;
    struct label_span_range range;
    char shown[ITEM_KEY_SHOWN_MAX];

    if (span.place.len > 0 && !label_span_check(span.place, err))
        return false;
    if (!label_has_corpus(importer->label)) {
        out->place = span.place;
        out->quote = span.quote;
        return span.place.len > 0 ||
               err_set(err, ERR_INPUT,
                       "where the span is cannot be found out without the corpus");
    }
    if (!open_parts(importer, given->item, err))
        return false;
    item_key_show(&importer->label->study->spaces, given->item, shown);
    bool found = span.place.len > 0
                     ? label_span_find(&importer->parts, span.place, &range)
                     : find_range(importer, &span, &range);
    if (!found && span.place.len > 0)
        return err_set(err, ERR_INPUT, "the text of %s has no place '%.*s'", shown,
                       STR_ARG(str_slice(span.place, 0, 100)));
    if (!found)
        return err_set(err, ERR_INPUT,
                       "the text of %s has no such words at %zu to %zu: '%.*s'", shown,
                       span.begin, span.end, STR_ARG(str_slice(span.quote, 0, 100)));
    struct str words = label_span_quote(&importer->parts, &range);
    if (span.place.len > 0 && span.quote.len > 0 && !str_eq(words, span.quote))
        return err_set(err, ERR_INPUT,
                       "at '%.*s' of %s stands something else than '%.*s'",
                       STR_ARG(str_slice(span.place, 0, 100)), shown,
                       STR_ARG(str_slice(span.quote, 0, 100)));
    if (words.len > LABEL_SPAN_QUOTE_MAX)
        return err_set(err, ERR_INPUT, "the span has %zu bytes; at most %d are allowed",
                       words.len, LABEL_SPAN_QUOTE_MAX);
    out->place = span.place.len > 0
                     ? span.place
                     : label_span_place(&importer->parts, &range, &importer->arena);
    out->quote = arena_copy(&importer->arena, words);
    return true;
}

bool label_import_span(struct label_importer *importer, const struct label_row *row,
                       const struct label_row_span *span, struct err *err)
{
    enum study_spans asked = importer->label->settings->spans;
    const struct study_codebook *codebook = &importer->label->effective;
    const struct study_codebook_dimension *dimension;
    struct given_span given;
    bool taken;

    if (!begin_row(importer, row, &given.label, &taken, err) || !taken)
        return !taken && err->kind == ERR_NONE;
    if (asked == STUDY_SPANS_NO) {
        importer->unasked++;
        return true;
    }
    if (given.label.decision)
        return err_set(err, ERR_INPUT, "found a span of a decision: raters mark them");
    given.label.code = LABEL_NONE;
    given.label.order = importer->given.count + importer->spans.count;
    if (asked == STUDY_SPANS_PER_CODE ||
        (span->code.len > 0 && (row->dimension.len > 0 || codebook->count == 1))) {
        if (span->code.len == 0)
            return err_set(err, ERR_INPUT,
                           "the span has no code, but labelling.%.*s has `spans: per "
                           "code`",
                           STR_ARG(importer->label->settings->name));
        if (!label_import_dimension(importer, row->dimension, &dimension, err))
            return false;
        given.label.dimension =
            (size_t)(dimension - importer->label->effective.dimensions);
        given.label.code = label_code(dimension, span->code);
        if (given.label.code == LABEL_NONE &&
            !study_codebook_find(dimension, span->code, &given.label.code, err)) {
            if (asked == STUDY_SPANS_PER_CODE || err->kind != ERR_INPUT)
                return false;
            *err = (struct err){0}; /* it may be called anything, such as evidence */
            given.label.code = LABEL_NONE;
        }
    }
    if (!resolve_span(importer, &given.label, span, &given, err))
        return false;
    list_add(&importer->spans, given);
    return true;
}

/* What tells the labels of one rater, item and unit apart. */
static struct str key_of(const struct given *given, bool code, struct buf *key)
{
    int64_t numbers[] = {given->round, given->item, given->rater, given->again,
                         code ? (int64_t)given->dimension : -1};

    buf_clear(key);
    buf_add(key, (struct str){(const char *)numbers, sizeof numbers});
    buf_add(key, given->unit);
    return buf_str(key);
}

/* A span is evidence for a label. One that names its code gives that label where its
 * rater has none of the item in that dimension. */
static void lean_on_labels(struct label_importer *importer)
{
    struct map known = {.arena = &importer->arena};
    struct buf key = {0};
    size_t labels = importer->given.count;
    bool per_code = importer->label->settings->spans == STUDY_SPANS_PER_CODE;

    for (size_t i = 0; i < labels; i++) {
        *map_put(&known, key_of(&importer->given.at[i], true, &key)) = 1;
        *map_put(&known, key_of(&importer->given.at[i], false, &key)) = 1;
    }
    for (size_t i = 0; i < importer->spans.count; i++) {
        struct given *label = &importer->spans.at[i].label;
        struct err err = {0};
        if (map_get(&known, key_of(label, label->code != LABEL_NONE, &key)) != NULL) {
            if (!per_code)
                label->code = LABEL_NONE;
            continue;
        }
        if (label->code != LABEL_NONE) {
            buf_add_format(&key, "\n%zu", label->code);
            if (++*map_put(&known, buf_str(&key)) == 1)
                list_add(&importer->given, *label);
            if (!per_code)
                label->code = LABEL_NONE;
            continue;
        }
        err_record(&err, ERR_INPUT,
                   "the span has no label beside it: expected one of the same rater, "
                   "item and round");
        err_locate(&err, "%s%s%lld: ", importer->path, importer->place,
                   (long long)label->row.place);
        label_import_problem(importer, &err);
    }
    buf_free(&key);
}

/* From codes to labels. */

/* Codes of one label stand together, in the order of the file. */
static int compare_given(const void *a, const void *b)
{
    const struct given *one = a, *two = b;

    if (one->decision != two->decision)
        return one->decision ? 1 : -1;
    if (one->round != two->round)
        return one->round < two->round ? -1 : 1;
    if (one->rater != two->rater)
        return one->rater < two->rater ? -1 : 1;
    if (one->item != two->item)
        return one->item < two->item ? -1 : 1;
    if (one->again != two->again)
        return one->again ? 1 : -1;
    int units = str_compare(one->unit, two->unit);
    if (units != 0)
        return units;
    if (one->dimension != two->dimension)
        return one->dimension < two->dimension ? -1 : 1;
    return one->order < two->order ? -1 : one->order > two->order;
}

static bool same_label(const struct given *a, const struct given *b)
{
    return a->round == b->round && a->rater == b->rater && a->item == b->item &&
           a->again == b->again && a->dimension == b->dimension &&
           a->decision == b->decision && str_eq(a->unit, b->unit) &&
           (a->code == LABEL_NONE) == (b->code == LABEL_NONE);
}

/* A label, with its first code: acts keep the order of the file. */
struct imported {
    struct store_acts_act act;
    const struct given *given;
};

static int compare_imported(const void *a, const void *b)
{
    const struct given *one = ((const struct imported *)a)->given,
                       *two = ((const struct imported *)b)->given;

    if (one->decision != two->decision)
        return one->decision ? 1 : -1;
    if (one->round != two->round)
        return one->round < two->round ? -1 : 1;
    return one->order < two->order ? -1 : one->order > two->order;
}

static bool make_label(struct label_importer *importer, const struct given *given,
                       size_t count, const struct str *raters, struct imported *out,
                       struct err *err)
{
    const struct study_codebook_dimension *dimension =
        &importer->label->effective.dimensions[given->dimension];
    struct str *codes = arena_array(&importer->arena, struct str, count);

    *out = (struct imported){.given = given};
    out->act = (struct store_acts_act){.kind = STR("label"),
                                       .rater = raters[given->rater],
                                       .item = given->item,
                                       .again = given->again,
                                       .unit = given->unit,
                                       .dimension = dimension->id,
                                       .memo = given->row.memo,
                                       .unsure = given->row.unsure,
                                       .seconds = given->row.seconds,
                                       .version = importer->label->task.version};
    if (given->code == LABEL_NONE)
        return true;
    for (size_t i = 0; i < count; i++)
        codes[i] = dimension->codes[given[i].code].path;
    return label_check_codes(dimension, codes, count, &importer->arena, &out->act.codes,
                             err) ||
           err_at(err, "%s%s%lld: ", importer->path, importer->place,
                  (long long)given[count - 1].row.place);
}

/* Names of raters by their numbers. */
static const struct str *list_raters(struct label_importer *importer)
{
    struct str *raters =
        arena_array(&importer->arena, struct str, importer->raters.count + 1);

    for (size_t i = 0; i < importer->raters.capacity; i++)
        if (importer->raters.entries[i].key.ptr != NULL)
            raters[importer->raters.entries[i].value] = importer->raters.entries[i].key;
    return raters;
}

static struct imported *make_labels(struct label_importer *importer, size_t *count,
                                    struct err *err)
{
    size_t given_count = importer->given.count, next;
    struct given *given = importer->given.at;
    struct imported *labels =
        arena_array(&importer->arena, struct imported, given_count + 1);
    const struct str *raters = list_raters(importer);

    if (given_count > 0)
        qsort(given, given_count, sizeof *given, compare_given);
    *count = 0;
    for (size_t i = 0; i < given_count; i = next) {
        for (next = i + 1; next < given_count && same_label(&given[i], &given[next]);)
            next++;
        if (make_label(importer, &given[i], next - i, raters, &labels[*count], err))
            ++*count;
        else if (!label_import_problem(importer, err))
            return NULL;
    }
    qsort(labels, *count, sizeof *labels, compare_imported);
    return labels;
}

/* Storing. */

/* Places that the item does not have are taken as they are: what others published may
 * be about another version of a diff. */
static void check_place(struct label_importer *importer, const struct given *given)
{
    struct label *label = importer->label;
    struct label_unit_place place;
    struct err why = {0};

    if (!label_unit_place_read(given->row.where, &place, &why))
        return;
    if (label_place_check(label, given->item, &place, &why)) {
        if (place.side == '\0' || !label->diff.no_commit)
            return;
        err_record(&why, ERR_INPUT, "found the place '%.*s' in an item that is no commit",
                   STR_ARG(str_slice(given->row.where, 0, 200)));
    }
    if (importer->missing++ > 0)
        return;
    importer->missed = why;
    err_locate(&importer->missed, "%s%s%lld: ", importer->path, importer->place,
               (long long)given->row.place);
}

/* Marks the unit of a label, unless it has no place and no words or has been marked. */
static bool store_mark(struct label_importer *importer, struct map *marked,
                       const struct imported *label, struct err *err)
{
    const struct given *given = label->given;
    const struct label_row *row = &given->row;
    struct store_acts_act mark = label->act;
    struct buf key = {0};
    int64_t numbers[] = {given->item, given->rater, given->again};

    if (given->unit.len == 0)
        return true;
    buf_add(&key, (struct str){(const char *)numbers, sizeof numbers});
    buf_add(&key, given->unit);
    bool known = ++*map_put(marked, buf_str(&key)) > 1;
    buf_free(&key);
    if (known)
        return true;
    struct label_import_places *places = &importer->places;
    int64_t *counts[] = {[LABEL_LINK_FOUND] = &places->found,
                         [LABEL_LINK_OUTSIDE] = &places->outside,
                         [LABEL_LINK_NO_FILE] = &places->no_file,
                         [LABEL_LINK_NO_DIFF] = &places->no_diff};
    importer->units++;
    if (given->link != LABEL_LINK_NONE)
        ++*counts[given->link];
    else
        check_place(importer, given);
    if (row->where.len == 0 && row->called.len == 0)
        return true;
    mark.kind = STR("unit");
    mark.place = row->where;
    mark.memo = row->called;
    mark.dimension = STR("");
    mark.codes = (struct store_acts_codes){0};
    mark.unsure = false;
    mark.seconds = NAN;
    return store_acts_add(importer->label->acts, STORE_ACTS_ACT, &mark, err);
}

/* The spans of a round; one that is there twice is stored once. */
static bool store_spans(struct label_importer *importer, const struct given *first,
                        const struct store_acts_round *round, const struct str *raters,
                        struct err *err)
{
    struct map known = {.arena = &importer->arena};
    struct buf key = {0};
    bool ok = true;

    for (size_t i = 0; ok && i < importer->spans.count; i++) {
        const struct given_span *span = &importer->spans.at[i];
        const struct given *label = &span->label;
        const struct study_codebook_dimension *dimension =
            &importer->label->effective.dimensions[label->dimension];
        struct str code[1];
        struct store_acts_act act = {.kind = STR("span"),
                                     .round = round->id,
                                     .rater = raters[label->rater],
                                     .item = label->item,
                                     .again = label->again,
                                     .unit = label->unit,
                                     .dimension = STR(""),
                                     .place = span->place,
                                     .memo = span->quote,
                                     .seconds = NAN,
                                     .version = importer->label->task.version,
                                     .source = round->source};
        if (label->round != first->round)
            continue;
        if (label->code != LABEL_NONE) {
            code[0] = dimension->codes[label->code].path;
            act.dimension = dimension->id;
            act.codes = (struct store_acts_codes){code, 1};
        }
        key_of(label, label->code != LABEL_NONE, &key);
        buf_add_format(&key, "\n%zu\n%.*s", label->code, STR_ARG(span->place));
        if (++*map_put(&known, buf_str(&key)) > 1)
            continue;
        importer->span_count++;
        ok = store_acts_add(importer->label->acts, STORE_ACTS_ACT, &act, err);
    }
    buf_free(&key);
    return ok;
}

/* The labels of one round, which come first in the list; *count says how many. */
static bool store_round(struct label_importer *importer, struct imported *labels,
                        size_t *count, const struct str *raters, struct str by,
                        struct err *err)
{
    struct store_acts *acts = importer->label->acts;
    const struct given *first = labels[0].given;
    struct store_acts_round round = {.task = importer->label->settings->name,
                                     .kind = first->row.kind,
                                     .by = by,
                                     .source = str_from(importer->path)};
    size_t total = *count;
    struct map marked = {.arena = &importer->arena};

    if (!store_acts_add(acts, STORE_ACTS_ROUND, &round, err))
        return false;
    for (*count = 0; *count < total && labels[*count].given->round == first->round &&
                     !labels[*count].given->decision;
         ++*count) {
        struct store_acts_act *act = &labels[*count].act;
        act->round = round.id;
        act->source = round.source;
        if (!store_mark(importer, &marked, &labels[*count], err) ||
            !store_acts_add(acts, STORE_ACTS_ACT, act, err))
            return false;
        progress_piece(importer->options->progress);
    }
    struct store_acts_round_end end = {.round = round.id, .by = by};
    return store_spans(importer, first, &round, raters, err) &&
           store_acts_add(acts, STORE_ACTS_ROUND_END, &end, err);
}

static bool store_decision(struct label_importer *importer, struct imported *imported,
                           struct err *err)
{
    const struct label_row *row = &imported->given->row;
    struct label_decision decision = {.item = imported->act.item,
                                      .unit = imported->act.unit,
                                      .no_unit = imported->given->code == LABEL_NONE,
                                      .dimension = imported->act.dimension,
                                      .by = imported->act.rater,
                                      .codes = imported->act.codes.at,
                                      .code_count = imported->act.codes.count,
                                      .reason = LABEL_OTHER,
                                      .text = row->memo};

    return (check_reason(row->reason, &decision.reason, err) &&
            label_store_decision(importer->label, &decision, &importer->arena, err)) ||
           err_at(err, "%s%s%lld: ", importer->path, importer->place,
                  (long long)row->place);
}

/* Labels round by round, then what was decided on them. */
static bool store_labels(struct label_importer *importer, struct imported *labels,
                         size_t count, struct str by, struct err *err)
{
    bool follow = importer->label->settings->units;
    const struct str *raters = list_raters(importer);

    progress_count(importer->options->progress, "storing labels", (int64_t)count);
    for (size_t stored = 0, now; stored < count; stored += now) {
        bool decision = labels[stored].given->decision;
        /* A decision names units that have just come in. */
        if (decision && follow && !label_follow(importer->label, err))
            return false;
        follow = follow && !decision;
        now = decision ? 1 : count - stored;
        if (!(decision ? store_decision(importer, &labels[stored], err)
                       : store_round(importer, labels + stored, &now, raters, by, err)))
            return false;
    }
    return true;
}

static struct label_imported count_labels(const struct label_importer *importer,
                                          const struct imported *labels, size_t count)
{
    struct label_imported told = {.repeated = (int64_t)importer->given.count,
                                  .unknown = importer->unknown,
                                  .units = importer->units,
                                  .spans = importer->span_count,
                                  .unasked = importer->unasked,
                                  .others = importer->others,
                                  .places = importer->places,
                                  .missing = importer->missing,
                                  .missed = importer->missed};

    for (size_t i = 0; i < count; i++) {
        told.labels += !labels[i].given->decision;
        told.decisions += labels[i].given->decision;
        told.repeated -=
            labels[i].given->code == LABEL_NONE ? 1 : (int64_t)labels[i].act.codes.count;
    }
    return told;
}

bool label_import_is_way(const struct study_codebook_dimension *dimension, size_t code,
                         const struct str *names, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        struct str text = str_trim(names[i]);
        if (code == STUDY_CODEBOOK_NONE || (!str_eq(text, dimension->codes[code].id) &&
                                            !str_eq(text, dimension->codes[code].name)))
            return false;
        code = dimension->codes[code].parent;
    }
    return code == STUDY_CODEBOOK_NONE;
}

/* Raters whom the study does not name, unless they were told by --rater. */
static void tell_strangers(struct label_importer *importer, const struct imported *labels,
                           size_t count)
{
    const struct label *label = importer->label;
    const struct str *raters = list_raters(importer);
    bool *told = arena_array(&importer->arena, bool, importer->raters.count + 1);

    if (importer->options->strangers == NULL || importer->options->rater.len > 0)
        return;
    for (size_t i = 0; i < count; i++) {
        int64_t rater = labels[i].given->rater;
        if (labels[i].given->decision || told[rater] ||
            label_rater(label, raters[rater]) < label->settings->rater_count)
            continue;
        told[rater] = true;
        buf_add(importer->options->strangers, raters[rater]);
        buf_add_char(importer->options->strangers, '\n');
    }
}

/* What a file is by how it begins; a csv where nothing else fits. */
static enum label_format recognise(struct str text)
{
    if (str_starts(text, STR("PK\3\4")))
        return LABEL_FORMAT_REFI; /* or the other zip: its members tell */
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_slice(text, 3, text.len);
    text = str_trim(text);
    if (str_starts(text, STR("#FORMAT=WebAnno TSV 3")))
        return LABEL_FORMAT_WEBANNO;
    return text.len > 0 && (text.ptr[0] == '{' || text.ptr[0] == '[') ? LABEL_FORMAT_JSONL
                                                                      : LABEL_FORMAT_CSV;
}

/* That the same bytes were imported before. */
struct import_before {
    const struct label *label;
    struct str hash;
    struct buf told; /* as what */
};

static bool take_import(void *context, const void *row, struct err *err)
{
    struct import_before *before = context;
    const struct store_acts_import *import = row;

    (void)err;
    if (!str_eq(import->task, before->label->settings->name) ||
        !str_eq(import->hash, before->hash))
        return true;
    buf_clear(&before->told);
    buf_add(&before->told, import->source);
    return true;
}

/* Refuses what had been imported, and remembers what is. */
static bool check_before(struct label_importer *importer, struct str text, struct str by,
                         struct err *err)
{
    XXH128_hash_t hash = XXH3_128bits(text.ptr, text.len);
    struct store_acts_import row = {.task = importer->label->settings->name,
                                    .by = by,
                                    .source = str_from(importer->path),
                                    .hash =
                                        arena_format(&importer->arena, "%016llx%016llx",
                                                     (unsigned long long)hash.high64,
                                                     (unsigned long long)hash.low64)};
    struct import_before before = {.label = importer->label, .hash = row.hash};
    bool ok = importer->options->again ||
              store_acts_each(importer->label->acts, STORE_ACTS_IMPORT, 0, take_import,
                              &before, err);

    if (ok && before.told.len > 0)
        ok = err_set(err, ERR_INPUT,
                     "%s: the same had been imported before, as %.*s; --again takes it "
                     "once more",
                     importer->path, STR_ARG(buf_str(&before.told)));
    buf_free(&before.told);
    return ok && store_acts_add(importer->label->acts, STORE_ACTS_IMPORT, &row, err);
}

static bool read_file(struct label_importer *importer, struct str by, struct err *err)
{
    enum label_format format = importer->options->format;
    struct str text;

    if (!file_read_max(importer->path, FILE_BYTES_MAX, &importer->arena, &text, err) ||
        !check_before(importer, text, by, err))
        return false;
    if (format == LABEL_FORMAT_ANY)
        format = recognise(text);
    importer->place =
        format < LABEL_FORMAT_JSONL || format == LABEL_FORMAT_WEBANNO ? ":" : ": object ";
    return format < LABEL_FORMAT_JSONL      ? label_import_csv(importer, text, err)
           : format == LABEL_FORMAT_WEBANNO ? label_import_webanno(importer, text, err)
           : format == LABEL_FORMAT_REFI    ? label_import_zip(importer, text, err)
                                            : label_import_json(importer, text, err);
}

/* All that is wrong, and nothing is taken. A mistake that ended the reading comes last.
 */
static bool tell_problems(struct label_importer *importer, bool ok, struct err *err)
{
    struct buf *out = importer->options->problems;

    if (!ok && !label_import_problem(importer, err))
        return false;
    if (importer->problem_count == 0)
        return true;
    if (importer->problem_count > 1 && out != NULL)
        buf_add_format(
            out, "%.*s%s: %lld mistakes%s; nothing was imported\n",
            STR_ARG(buf_str(&importer->problems)), importer->path,
            (long long)importer->problem_count,
            importer->problem_count > PROBLEMS_MAX ? ", the first of them shown" : "");
    *err = importer->problem;
    return false;
}

/* Of two lists that are sorted. */
static bool same_codes(const struct store_acts_codes *one, const struct label_said *two)
{
    for (size_t i = 0; one->count == two->code_count && i < one->count; i++)
        if (!str_eq(one->at[i], two->codes[i]))
            return false;
    return one->count == two->code_count;
}

/* Whether the rater says the same in a round. */
static bool says_so(struct label_importer *importer, int64_t round,
                    const struct store_acts_act *act)
{
    struct label *label = importer->label;
    const struct label_slot *slot = label_slot_find(
        label, round, act->rater, act->item, act->again, act->unit, act->dimension);
    struct label_said said;

    if (slot == NULL || !label_slot_speaks(label, slot))
        return false;
    label_carry(label, &label->log.entries.at[slot->top], &importer->arena, &said);
    return same_codes(&act->codes, &said);
}

static bool has_span(struct label *label, int64_t round, const struct given_span *span,
                     struct str rater)
{
    const struct given *given = &span->label;
    const struct study_codebook_dimension *dimension =
        &label->effective.dimensions[given->dimension];
    struct str code = {0};
    struct store_acts_act act = {.round = round,
                                 .rater = rater,
                                 .item = given->item,
                                 .again = given->again,
                                 .unit = given->unit,
                                 .place = span->place};

    if (given->code != LABEL_NONE) {
        code = dimension->codes[given->code].path;
        act.dimension = dimension->id;
        act.codes = (struct store_acts_codes){&code, 1};
    }
    const struct label_spanned *spanned = label_spanned_find(label, &act);
    return spanned != NULL && label_spanned_lives(label, spanned);
}

/* Whether raters have said all of it here, be it on pages or by another file: an export
 * that comes back would be a round that nobody held. Decisions are a layer above. */
static bool is_there(struct label_importer *importer, const struct imported *labels,
                     size_t count)
{
    struct label *label = importer->label;
    const struct label_known_round *rounds = label->log.rounds.at;
    const struct str *raters = list_raters(importer);

    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t r = 0; r < label->log.rounds.count && !found; r++)
            found = rounds[r].ours && !labels[i].given->decision &&
                    says_so(importer, rounds[r].row.id, &labels[i].act);
        if (!found)
            return false;
    }
    for (size_t i = 0; i < importer->spans.count; i++) {
        const struct given_span *span = &importer->spans.at[i];
        bool found = false;
        for (size_t r = 0; r < label->log.rounds.count && !found; r++)
            found = rounds[r].ours &&
                    has_span(label, rounds[r].row.id, span, raters[span->label.rater]);
        if (!found)
            return false;
    }
    return count > 0;
}

static struct imported *read_labels(struct label_importer *importer, struct str by,
                                    size_t *count, struct err *err)
{
    struct imported *labels = NULL;
    bool ok = read_file(importer, by, err);

    if (ok) {
        lean_on_labels(importer);
        labels = make_labels(importer, count, err);
        ok = labels != NULL;
    }
    if (ok && importer->given.count == 0 && importer->problem_count == 0)
        ok = err_set(err, ERR_INPUT, "%s: there are no labels in it", importer->path);
    else if (ok && importer->problem_count == 0 && !importer->options->again &&
             is_there(importer, labels, *count))
        ok = err_set(err, ERR_INPUT,
                     "%s: the same labels are there: raters have said all %zu of it in "
                     "%.*s; --again takes them once more",
                     importer->path, *count, STR_ARG(importer->label->settings->name));
    return tell_problems(importer, ok, err) ? labels : NULL;
}

bool label_import(struct label *label, const char *path,
                  const struct label_import_options *options, struct str by,
                  struct label_imported *imported, struct err *err)
{
    struct label_importer importer = {.label = label, .options = options, .path = path};
    struct imported *labels;
    size_t count = 0;
    bool own;

    importer.raters.arena = &importer.arena;
    importer.rows.arena = &importer.arena;
    if (!label_change_begin(label, &own, err))
        return false;
    labels = read_labels(&importer, by, &count, err);
    bool ok = labels != NULL && store_labels(&importer, labels, count, by, err);
    if (ok) {
        *imported = count_labels(&importer, labels, count);
        tell_strangers(&importer, labels, count);
    }
    list_free(&importer.given);
    list_free(&importer.spans);
    buf_free(&importer.problems);
    arena_free(&importer.parts_arena);
    arena_free(&importer.arena);
    return label_change_end(label, own, ok, err);
}
