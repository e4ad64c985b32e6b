/* Labels that were made elsewhere: rounds of their own, opened and closed at once. What
 * readers find is collected as (label, code), sorted, and stored when all of it is
 * right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "label/internal.h"

enum { FILE_BYTES_MAX = 1 << 30 };

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

bool label_format_find(struct str word, enum label_format *out)
{
    static const char *const words[] = {
        [LABEL_FORMAT_CSV] = "csv",         [LABEL_FORMAT_WIDE] = "wide",
        [LABEL_FORMAT_JSONL] = "jsonl",     [LABEL_FORMAT_STUDIO] = "label-studio",
        [LABEL_FORMAT_DOCCANO] = "doccano",
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

    if (place.len <= LABEL_UNIT_NAME_MAX)
        return place;
    return arena_format(arena, "%.*s~%016llx", LABEL_UNIT_NAME_MAX - DIGEST_LEN,
                        place.ptr, (unsigned long long)XXH3_64bits(place.ptr, place.len));
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

static bool find_item(struct label_importer *importer, const struct label_row *row,
                      int64_t *item, struct err *err)
{
    struct label *label = importer->label;
    int64_t named;

    if (!item_key_read(&label->study->spaces, row->item, &named, err))
        return false;
    *item = named;
    /* A link to an answer means its question. */
    if (label_order(label, *item) == LABEL_NONE &&
        str_starts(str_trim(row->item), STR("http")) && label_has_corpus(label) &&
        (!label_open_corpus(label, err) ||
         !store_fetch(label->corpus, &named, 1, take_question, item, err)))
        return false;
    /* What was chosen need not have been drawn. */
    return label_order(importer->label, *item) != LABEL_NONE ||
           str_eq(row->kind, str_from(label_round_word(LABEL_CHOSEN))) ||
           label_no_item(importer->label, *item, err);
}

bool label_import_row(struct label_importer *importer, const struct label_row *row,
                      const struct str *codes, size_t count, struct err *err)
{
    struct given given = {.round = row->round, .again = row->again, .row = *row};
    const struct study_codebook_dimension *dimension;
    struct str rater;

    if (!find_item(importer, row, &given.item, err)) {
        if (!importer->options->skip_unknown || err->kind != ERR_INPUT)
            return false;
        *err = (struct err){0};
        importer->unknown += importer->passed != row->place;
        importer->passed = row->place;
        return true;
    }
    if (!find_rater(importer, str_trim(row->rater), &rater, err))
        return false;
    given.rater = (int64_t)map_number(&importer->raters, rater);
    given.decision = is_decision(importer, row->kind, rater);
    if (given.decision)
        given.round = 0;
    else if (given.row.kind.len == 0)
        given.row.kind = STR("main");
    if (!check_kind(given.decision ? decision_word : given.row.kind, err) ||
        !find_unit(importer, &given, err))
        return false;
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

static struct imported *make_labels(struct label_importer *importer, size_t *count,
                                    struct err *err)
{
    size_t given_count = importer->given.count, next;
    struct given *given = importer->given.at;
    struct imported *labels =
        arena_array(&importer->arena, struct imported, given_count + 1);
    struct str *raters =
        arena_array(&importer->arena, struct str, importer->raters.count + 1);

    for (size_t i = 0; i < importer->raters.capacity; i++)
        if (importer->raters.entries[i].key.ptr != NULL)
            raters[importer->raters.entries[i].value] = importer->raters.entries[i].key;
    qsort(given, given_count, sizeof *given, compare_given);
    *count = 0;
    for (size_t i = 0; i < given_count; i = next) {
        for (next = i + 1; next < given_count && same_label(&given[i], &given[next]);)
            next++;
        if (!make_label(importer, &given[i], next - i, raters, &labels[*count], err))
            return NULL;
        ++*count;
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

/* The labels of one round, which come first in the list; *count says how many. */
static bool store_round(struct label_importer *importer, struct imported *labels,
                        size_t *count, struct str by, struct err *err)
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
    }
    struct store_acts_round_end end = {.round = round.id, .by = by};
    return store_acts_add(acts, STORE_ACTS_ROUND_END, &end, err);
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
    bool ok = row->reason.len == 0 || label_reason_find(row->reason, &decision.reason) ||
              err_set(err, ERR_INPUT,
                      "found '%.*s' as the reason of a decision, expected slip, "
                      "ambiguous, gap or other",
                      STR_ARG(str_slice(row->reason, 0, 100)));

    return (ok &&
            label_store_decision(importer->label, &decision, &importer->arena, err)) ||
           err_at(err, "%s%s%lld: ", importer->path, importer->place,
                  (long long)row->place);
}

/* Labels round by round, then what was decided on them. */
static bool store_labels(struct label_importer *importer, struct imported *labels,
                         size_t count, struct str by, struct err *err)
{
    bool follow = importer->label->settings->units;

    for (size_t stored = 0, now; stored < count; stored += now) {
        bool decision = labels[stored].given->decision;
        /* A decision names units that have just come in. */
        if (decision && follow && !label_follow(importer->label, err))
            return false;
        follow = follow && !decision;
        now = decision ? 1 : count - stored;
        if (!(decision ? store_decision(importer, &labels[stored], err)
                       : store_round(importer, labels + stored, &now, by, err)))
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

/* JSON begins with a bracket; anything else is taken for a csv. */
static bool is_json(struct str text)
{
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_slice(text, 3, text.len);
    text = str_trim(text);
    return text.len > 0 && (text.ptr[0] == '{' || text.ptr[0] == '[');
}

static bool read_file(struct label_importer *importer, struct err *err)
{
    enum label_format format = importer->options->format;
    struct str text;

    if (!file_read_max(importer->path, FILE_BYTES_MAX, &importer->arena, &text, err))
        return false;
    bool json = format == LABEL_FORMAT_ANY ? is_json(text) : format > LABEL_FORMAT_WIDE;
    importer->place = json ? ": object " : ":";
    if (!(json ? label_import_json(importer, text, err)
               : label_import_csv(importer, text, err)))
        return false;
    return importer->given.count > 0 ||
           err_set(err, ERR_INPUT, "%s: there are no labels in it", importer->path);
}

bool label_import(struct label *label, const char *path,
                  const struct label_import_options *options, struct str by,
                  struct label_imported *imported, struct err *err)
{
    struct label_importer importer = {.label = label, .options = options, .path = path};
    struct imported *labels = NULL;
    size_t count = 0;
    bool own;

    importer.raters.arena = &importer.arena;
    importer.rows.arena = &importer.arena;
    if (!label_change_begin(label, &own, err))
        return false;
    if (read_file(&importer, err))
        labels = make_labels(&importer, &count, err);
    bool ok = labels != NULL && store_labels(&importer, labels, count, by, err);
    if (ok)
        *imported = count_labels(&importer, labels, count);
    list_free(&importer.given);
    arena_free(&importer.arena);
    return label_change_end(label, own, ok, err);
}
