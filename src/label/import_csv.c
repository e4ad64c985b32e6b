/* Labels from a csv. Long: a row for each code, with columns that say whose it is. Wide:
 * a row for each item, a column for each rater, or rater and dimension. Of Label Studio a
 * row for each annotation, in which lists are JSON: such a row is read as an object. */
#include <math.h>

#include "input/csv.h"
#include "label/import_json.h"

struct import_csv_column {       /* of a wide csv */
    struct str rater, dimension; /* no rater: it holds no labels */
    char separator;
};

struct import_csv_reader {
    struct label_importer *importer;
    bool wide, studio;
    struct str *heads; /* of Label Studio */
    /* Long; LABEL_NONE: there is no such column. */
    size_t item, code, rater, dimension, memo, round, kind, again, unsure, seconds;
    size_t unit, where, called; /* of units */
    size_t reason;              /* of a decision */
    size_t span, quote;         /* of evidence */
    size_t state; /* of a final label, which says what was decided and not by whom */
    struct import_csv_column *columns; /* wide */
    LIST(struct str) codes;            /* those of a cell */
};

static size_t column_at(const struct input_csv_row *head, struct str name)
{
    size_t column = input_csv_rows_find(head, name);

    return column < head->count ? column : LABEL_NONE;
}

static struct str or_usual(struct str name, struct str usual)
{
    return name.len > 0 ? name : usual;
}

/* Heads of a long csv. */

static bool find_columns(struct import_csv_reader *reader,
                         const struct input_csv_row *head, struct err *err)
{
    const struct label_import_options *options = reader->importer->options;
    struct str dimension = or_usual(options->dimension_column, STR("dimension"));
    struct str rater = or_usual(options->rater_column, STR("rater"));
    const struct {
        size_t *column;
        const char *name;
    } others[] = {
        {&reader->memo, "memo"},     {&reader->round, "round"},
        {&reader->kind, "kind"},     {&reader->again, "again"},
        {&reader->unsure, "unsure"}, {&reader->seconds, "seconds"},
        {&reader->reason, "reason"}, {&reader->state, "state"},
        {&reader->span, "span"},     {&reader->quote, "quote"},
    };

    for (size_t i = 0; i < ROWS_OF(others); i++)
        *others[i].column = column_at(head, str_from(others[i].name));
    if (reader->importer->label->settings->spans == STUDY_SPANS_NO &&
        reader->quote == LABEL_NONE)
        reader->span = LABEL_NONE; /* it is whatever the file means by it */
    if (str_eq(options->kind_column, STR("-")))
        reader->kind = LABEL_NONE;
    else if (options->kind_column.len > 0 &&
             !input_csv_rows_need(head, options->kind_column, &reader->kind, err))
        return false;
    reader->rater = column_at(head, rater);
    reader->dimension = column_at(head, dimension);
    if (reader->rater != LABEL_NONE || options->rater.len > 0)
        reader->state = LABEL_NONE; /* it is whatever the file means by it */
    if (!input_csv_rows_need(head, or_usual(options->code_column, STR("code")),
                             &reader->code, err) ||
        (options->rater.len == 0 && reader->state == LABEL_NONE &&
         !input_csv_rows_need(head, rater, &reader->rater, err)))
        return false;
    return reader->dimension != LABEL_NONE || options->dimension.len > 0 ||
           (options->dimension_column.len == 0 &&
            reader->importer->label->file.count == 1) ||
           input_csv_rows_need(head, dimension, &reader->dimension, err);
}

/* Columns that tell units apart: without `units: yes` they are like any other. */
static bool find_unit_columns(struct import_csv_reader *reader,
                              const struct input_csv_row *head, struct err *err)
{
    struct label_importer *importer = reader->importer;
    struct str named = importer->options->unit_column;

    reader->unit = reader->where = reader->called = LABEL_NONE;
    if (!importer->label->settings->units)
        return named.len == 0 ||
               err_set(err, ERR_INPUT,
                       "found the column '%.*s' of units, but labelling.%.*s has no "
                       "`units: yes`: there an item is labelled as a whole",
                       STR_ARG(named), STR_ARG(importer->label->settings->name));
    reader->where = column_at(head, STR("place"));
    reader->called = column_at(head, STR("name"));
    reader->unit = column_at(head, or_usual(named, STR("unit")));
    importer->by_row = reader->unit == LABEL_NONE && str_eq(named, STR("row"));
    return reader->unit != LABEL_NONE || named.len == 0 || importer->by_row ||
           input_csv_rows_need(head, named, &reader->unit, err);
}

/* Heads of a wide csv. */

static bool is_listed(struct str list, struct str name)
{
    struct str one;

    for (bool more = true; more;) {
        more = str_cut(&list, ',', &one);
        if (str_eq(str_trim(one), name))
            return true;
    }
    return false;
}

/* What may stand between rater and dimension in a head such as "ann:cause". */
static bool is_between(char c)
{
    return c == ':' || c == '.' || c == '/' || c == '_' || c == '-' || c == ' ';
}

static bool ends_with_dimension(struct str head, struct str dimension, struct str *rater)
{
    if (head.len < dimension.len + 2 || !str_ends(head, dimension) ||
        !is_between(head.ptr[head.len - dimension.len - 1]))
        return false;
    *rater = str_trim(str_slice(head, 0, head.len - dimension.len - 1));
    return rater->len > 0;
}

static char usual_separator(const struct label_import_options *options,
                            const struct study_codebook_dimension *dimension)
{
    return options->separator != '\0' ? options->separator
           : dimension->several       ? ';'
                                      : '\0';
}

static bool read_head(const struct import_csv_reader *reader, struct str head,
                      struct import_csv_column *out, struct err *err)
{
    const struct study_codebook *codebook = &reader->importer->label->effective;
    const struct label_import_options *options = reader->importer->options;
    const struct study_codebook_dimension *dimension = NULL;
    struct str longest = {0}, rater;

    out->rater = head;
    for (size_t i = 0; options->dimension.len == 0 && i < codebook->count; i++)
        if (codebook->dimensions[i].id.len > longest.len &&
            ends_with_dimension(head, codebook->dimensions[i].id, &rater)) {
            longest = out->dimension = codebook->dimensions[i].id;
            out->rater = rater;
        }
    if (longest.len == 0 && options->dimension.len == 0 && codebook->count > 1)
        return err_set(err, ERR_INPUT,
                       "the column '%.*s' does not end in a dimension; expected a name "
                       "such as '%.*s:%.*s'",
                       STR_ARG(head), STR_ARG(head), STR_ARG(codebook->dimensions[0].id));
    if (!label_import_dimension(reader->importer, out->dimension, &dimension, err))
        return false;
    out->separator = usual_separator(options, dimension);
    return true;
}

/* Where all labels are one rater's, columns are dimensions; others are passed over. */
static bool find_dimension(const struct import_csv_reader *reader, struct str head,
                           struct import_csv_column *out)
{
    const struct study_codebook *codebook = &reader->importer->label->effective;
    struct str listed = reader->importer->options->dimension_column, one, column;

    for (bool more = listed.len > 0; more;) {
        more = str_cut(&listed, ',', &one);
        if (str_cut(&one, '=', &column) && str_eq(str_trim(column), head)) {
            head = str_trim(one);
            break;
        }
        if (!more)
            return false; /* it is not listed */
    }
    for (size_t i = 0; i < codebook->count; i++)
        if (str_eq(codebook->dimensions[i].id, head)) {
            out->rater = reader->importer->options->rater;
            out->dimension = codebook->dimensions[i].id;
            out->separator =
                usual_separator(reader->importer->options, &codebook->dimensions[i]);
            return true;
        }
    return false;
}

static bool find_raters(struct import_csv_reader *reader,
                        const struct input_csv_row *head, struct err *err)
{
    struct arena *arena = &reader->importer->arena;
    struct str listed = reader->importer->options->rater_column;

    reader->columns = arena_array(arena, struct import_csv_column, head->count);
    for (size_t i = 0; i < head->count; i++) {
        struct str name = arena_copy(arena, str_trim(head->fields[i]));
        if (i == reader->item || i == reader->unit || i == reader->where ||
            i == reader->called || (listed.len > 0 && !is_listed(listed, name)) ||
            (reader->importer->options->rater.len > 0 &&
             !find_dimension(reader, name, &reader->columns[i])))
            continue;
        if (name.len == 0)
            return err_set(err, ERR_INPUT, "column %zu has no head", i + 1);
        if (reader->columns[i].rater.len == 0 &&
            !read_head(reader, name, &reader->columns[i], err))
            return false;
    }
    for (size_t i = 0; i < head->count; i++)
        if (reader->columns[i].rater.len > 0)
            return true;
    return err_set(err, ERR_INPUT,
                   reader->importer->options->rater.len > 0
                       ? "there is no column that is called as a dimension"
                       : "there is no column of a rater");
}

/* Without columns for codes and raters, columns may be raters: if one of them is. */
static bool looks_wide(const struct import_csv_reader *reader,
                       const struct input_csv_row *head)
{
    const struct label_import_options *options = reader->importer->options;
    const struct study_labelling *settings = reader->importer->label->settings;

    if (options->rater.len > 0 || options->code_column.len > 0 ||
        column_at(head, STR("code")) != LABEL_NONE ||
        column_at(head, STR("rater")) != LABEL_NONE)
        return false;
    for (size_t i = 0; i < head->count; i++)
        for (size_t r = 0; r < settings->rater_count; r++) {
            struct str name = str_trim(head->fields[i]), rater = settings->raters[r];
            if (str_starts(name, rater) &&
                (name.len == rater.len || is_between(name.ptr[rater.len])))
                return true;
        }
    return false;
}

static bool read_heads(void *context, const struct input_csv_row *head, struct err *err)
{
    struct import_csv_reader *reader = context;
    const struct label_import_options *options = reader->importer->options;
    struct arena *arena = &reader->importer->arena;

    reader->studio = column_at(head, STR("annotation_id")) != LABEL_NONE &&
                     column_at(head, STR("annotator")) != LABEL_NONE &&
                     options->format == LABEL_FORMAT_ANY;
    if (reader->studio) {
        reader->heads = arena_array(arena, struct str, head->count + 1);
        for (size_t i = 0; i < head->count; i++)
            reader->heads[i] = arena_copy(arena, str_trim(head->fields[i]));
        return true;
    }
    if (!input_csv_rows_need(head, or_usual(options->item_column, STR("item")),
                             &reader->item, err) ||
        !find_unit_columns(reader, head, err))
        return false;
    reader->wide = options->format == LABEL_FORMAT_WIDE ||
                   (options->format == LABEL_FORMAT_ANY && looks_wide(reader, head));
    return reader->wide ? find_raters(reader, head, err)
                        : find_columns(reader, head, err);
}

/* Rows. */

/* The codes of a cell, which borrow from the row; how many. */
static size_t split(struct import_csv_reader *reader, struct str cell, char separator)
{
    list_clear(&reader->codes);
    for (bool more = true; more;) {
        struct str code = cell;
        more = separator != '\0' && str_cut(&cell, separator, &code);
        code = str_trim(code);
        if (code.len > 0)
            list_add(&reader->codes, code);
    }
    return reader->codes.count;
}

static struct str cell(const struct input_csv_row *row, size_t column)
{
    return column != LABEL_NONE ? str_trim(row->fields[column]) : (struct str){0};
}

static void read_unit(const struct import_csv_reader *reader,
                      const struct input_csv_row *row, struct label_row *out)
{
    struct arena *arena = &reader->importer->arena;

    out->unit = arena_copy(arena, cell(row, reader->unit));
    out->where = arena_copy(arena, cell(row, reader->where));
    out->called = arena_copy(arena, cell(row, reader->called));
}

static bool read_wide(struct import_csv_reader *reader, const struct input_csv_row *row,
                      struct err *err)
{
    for (size_t i = 0; i < row->count; i++) {
        const struct import_csv_column *column = &reader->columns[i];
        struct label_row label = {.place = row->line,
                                  .item = row->fields[reader->item],
                                  .rater = column->rater,
                                  .dimension = column->dimension,
                                  .seconds = NAN};
        if (column->rater.len == 0)
            continue;
        size_t count = split(reader, row->fields[i], column->separator);
        read_unit(reader, row, &label);
        if (!label_import_row(reader->importer, &label, reader->codes.at, count, err))
            return false;
    }
    return true;
}

static bool read_flag(struct str text, const char *column, bool *out, struct err *err)
{
    *out =
        str_eq(text, STR("1")) || str_eq(text, STR("true")) || str_eq(text, STR("yes"));
    return *out || text.len == 0 || str_eq(text, STR("0")) ||
           str_eq(text, STR("false")) || str_eq(text, STR("no")) ||
           err_set(err, ERR_INPUT, "found '%.*s' as '%s', expected 1 or 0",
                   STR_ARG(str_slice(text, 0, 100)), column);
}

/* What goes with a label. */
static bool read_details(struct import_csv_reader *reader,
                         const struct input_csv_row *row, struct label_row *out,
                         struct err *err)
{
    struct str round = cell(row, reader->round), seconds = cell(row, reader->seconds);
    struct arena *arena = &reader->importer->arena;

    if (reader->memo != LABEL_NONE)
        out->memo = arena_copy(arena, row->fields[reader->memo]);
    out->kind = arena_copy(arena, cell(row, reader->kind));
    out->reason = arena_copy(arena, cell(row, reader->reason));
    out->seconds = NAN;
    if (round.len > 0 && (!str_to_int(round, &out->round) || out->round < 1))
        return err_set(err, ERR_INPUT, "found '%.*s' as the round, expected a number",
                       STR_ARG(str_slice(round, 0, 100)));
    if (seconds.len > 0 && (!str_to_real(seconds, &out->seconds) || out->seconds < 0))
        return err_set(err, ERR_INPUT, "found '%.*s' as seconds, expected a number",
                       STR_ARG(str_slice(seconds, 0, 100)));
    return read_flag(cell(row, reader->again), "again", &out->again, err) &&
           read_flag(cell(row, reader->unsure), "unsure", &out->unsure, err);
}

static bool read_long(struct import_csv_reader *reader, const struct input_csv_row *row,
                      struct err *err)
{
    struct label_row label = {.place = row->line,
                              .item = row->fields[reader->item],
                              .rater = cell(row, reader->rater),
                              .dimension = cell(row, reader->dimension)};
    size_t count =
        split(reader, row->fields[reader->code], reader->importer->options->separator);

    if (!read_details(reader, row, &label, err))
        return false;
    read_unit(reader, row, &label);
    if (cell(row, reader->span).len > 0) {
        struct label_row_span span = {
            .place = arena_copy(&reader->importer->arena, cell(row, reader->span)),
            .quote = reader->quote != LABEL_NONE ? row->fields[reader->quote]
                                                 : (struct str){0},
            .code = count > 0 ? reader->codes.at[0] : (struct str){0}};
        return label_import_span(reader->importer, &label, &span, err);
    }
    if (reader->state != LABEL_NONE) {
        if (!str_eq(cell(row, reader->state), STR("adjudicated")))
            return true; /* it follows from what raters said */
        label.kind = STR("decision");
        label.rater = reader->importer->label->settings->arbiter;
    }
    if (!label_import_row(reader->importer, &label, reader->codes.at, count, err))
        return false;
    return count > 0 ||
           (str_eq(label.kind, STR("decision")) && label.unit.len > 0 &&
            label.dimension.len == 0) || /* it is no unit */
           err_set(err, ERR_INPUT, "the row has no code");
}

/* A row of Label Studio as the object that its JSON would have. */
static bool read_studio(struct import_csv_reader *reader, const struct input_csv_row *row,
                        struct err *err)
{
    struct label_import_json json = {
        .importer = reader->importer, .number = row->line, .row = true};
    struct input_json_tree tree = {0}, cells = {0};
    struct buf text = {0};

    buf_add_char(&text, '{');
    for (size_t i = 0; i < row->count; i++) {
        struct str one = str_trim(row->fields[i]);
        double number;
        bool plain = one.len == 0 || ((one.ptr[0] != '{' && one.ptr[0] != '[') ||
                                      input_json_parse(&cells, one) == NULL);
        buf_add_format(&text, "%s\"", i > 0 ? "," : "");
        buf_add_json(&text, reader->heads[i]);
        buf_add(&text, STR("\":"));
        if (plain && str_eq(reader->heads[i], STR("lead_time")) &&
            str_to_real(one, &number)) {
            buf_add(&text, one);
        } else if (plain) {
            int64_t whole;
            bool id = str_eq(reader->heads[i], STR("id")) && str_to_int(one, &whole);
            buf_add(&text, id ? STR("") : STR("\""));
            buf_add_json(&text, id ? one : row->fields[i]);
            buf_add(&text, id ? STR("") : STR("\""));
        } else {
            buf_add(&text, one);
        }
    }
    buf_add_char(&text, '}');
    json.object = input_json_parse(&tree, buf_str(&text));
    bool ok =
        json.object != NULL
            ? label_import_json_small(&json, json.object, err)
            : err_set(err, ERR_INPUT, "the row cannot be read as JSON of Label Studio");
    list_free(&json.codes);
    input_json_free(&tree);
    input_json_free(&cells);
    buf_free(&text);
    return ok;
}

/* A mistake is kept, and the next row read. */
static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct import_csv_reader *reader = context;

    if (reader->studio ? read_studio(reader, row, err)
        : reader->wide ? read_wide(reader, row, err)
                       : read_long(reader, row, err))
        return true;
    err_locate(err, "%s:%lld: ", reader->importer->path, (long long)row->line);
    return label_import_problem(reader->importer, err);
}

bool label_import_csv(struct label_importer *importer, struct str text, struct err *err)
{
    struct import_csv_reader reader = {.importer = importer};
    struct input_csv_rows to = {read_heads, read_row, &reader};
    bool ok = input_csv_rows_read(text, importer->path, &to, err);

    list_free(&reader.codes);
    return ok;
}
