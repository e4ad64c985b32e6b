/* Finds out what kind of table it is and leaves the reading to others. */
#include "dump/table.h"

#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/stop.h"
#include "dump/columns.h"
#include "dump/jsonl.h"
#include "input/csv.h"
#include "item/key.h"
#include "text/utf8.h"

enum {
    PIECE_BYTES = 1 << 20, /* of bytes that are all there already */
    HEAD_BYTES = 512,      /* that are looked at, however they come */
};

struct dump_table {
    struct arena arena; /* holds this struct too; names, and ids of questions */
    const char *path;
    const struct dump_table_options *options;
    dump_table_take *take;
    void *context;
    struct dump_columns_mapping mapping;

    struct buf head; /* the first bytes, until they tell what it is */
    struct buf cut;  /* the begin of a character, whose rest comes with the next piece */
    struct buf joined, repaired; /* a piece with that before it; with replacements */
    bool known;
    enum dump_table_kind kind;
    struct dump_jsonl_options json_options;
    struct dump_jsonl *json;

    struct input_csv csv;
    struct dump_columns columns; /* names are NULL before the header */
    struct arena row;
    struct map given; /* of joined rows: the questions that were given */
    int64_t number;   /* of the next row */
};

enum dump_table_kind dump_table_kind(struct str bytes)
{
    struct str text =
        str_starts(bytes, STR("\xEF\xBB\xBF")) ? str_slice(bytes, 3, bytes.len) : bytes;

    text = str_trim(text);
    if (text.len > 0 && (text.ptr[0] == '{' || text.ptr[0] == '['))
        return DUMP_TABLE_JSON;
    return text.len > 0 && text.ptr[0] == '<' ? DUMP_TABLE_XML : DUMP_TABLE_CSV;
}

/* In joined rows a question counts only the first time. */
static bool is_new(struct dump_table *table, int64_t id)
{
    char bytes[sizeof id];

    if (!table->columns.joined)
        return true;
    memcpy(bytes, &id, sizeof id);
    int64_t *times = map_put(&table->given, (struct str){bytes, sizeof bytes});
    return (*times)++ == 0;
}

static void number_row(struct dump_table *table, struct item *post)
{
    int64_t place = table->options->first_id + table->number++;

    post->kind = ITEM_ROW;
    if (post->id == ITEM_NONE)
        post->id = post->key.len > 0 ? ITEM_NUMBER_MAX + place : place;
}

static bool read_row(struct dump_table *table, const struct input_csv_row *row,
                     struct err *err)
{
    struct item post, answer;
    long long line = row->line;

    if (!dump_columns_post(&table->columns, row->fields, &table->row, &post, err)) {
        err_locate(err, "%s:%lld: ", table->path, line);
        return dump_field_skip(table->options->broken, err);
    }
    if (table->options->rows)
        number_row(table, &post);
    if (is_new(table, post.id) && !table->take(table->context, &post, err))
        return false;
    if (!table->columns.joined)
        return true;
    if (!dump_columns_answer(&table->columns, row->fields, &post, &table->row, &answer,
                             err)) {
        err_locate(err, "%s:%lld: ", table->path, line);
        return dump_field_skip(table->options->broken, err);
    }
    return answer.id == ITEM_NONE || table->take(table->context, &answer, err);
}

/* Controls other than blanks: stray bytes in an export do not have them at its head. */
static bool is_text(struct str bytes)
{
    for (size_t i = 0; i < bytes.len && i < HEAD_BYTES; i++)
        if ((unsigned char)bytes.ptr[i] < ' ' &&
            (bytes.ptr[i] < '\t' || bytes.ptr[i] > '\r'))
            return false;
    return true;
}

static bool read_header(struct dump_table *table, const struct input_csv_row *row,
                        struct err *err)
{
    if (dump_columns_find(&table->mapping, row->fields, row->count, &table->arena,
                          &table->columns, err))
        return true;
    if (!is_text(buf_str(&table->head)))
        return err_set(err, ERR_INPUT,
                       "%s:1: found bytes that are no text, expected csv or json",
                       table->path);
    return err_at(err, "%s:%lld: ", table->path, (long long)row->line);
}

/* The next row of those that can be read. */
static bool next_row(struct dump_table *table, struct input_csv_row *row, struct err *err)
{
    struct dump_field_broken *broken = table->options->broken;

    for (;;) {
        if (input_csv_next(&table->csv, row, err))
            return true;
        if (!table->csv.failed || broken == NULL)
            return false;
        if (!input_csv_skip(&table->csv)) {
            return table->columns.names != NULL && dump_field_cannot_skip(err, "row");
        }
        if (!dump_field_skip(broken, err))
            return false;
    }
}

static bool push_csv(struct dump_table *table, struct str piece, bool last,
                     struct err *err)
{
    struct input_csv_row row;
    bool ok = true;

    input_csv_push(&table->csv, piece, last);
    while (ok && next_row(table, &row, err)) {
        struct arena_mark mark = arena_mark(&table->row);
        ok = table->columns.names != NULL ? read_row(table, &row, err)
                                          : read_header(table, &row, err);
        arena_rewind(&table->row, mark);
    }
    if (last && table->options->latin != NULL)
        *table->options->latin += table->csv.latin_rows;
    if (ok && last && !table->csv.failed && table->columns.names == NULL)
        return err_set(
            err, ERR_INPUT,
            "%s:1: found nothing, expected a line with the names of the columns",
            table->path);
    return ok && !table->csv.failed;
}

/* What kind of table it is, once that can be told. */
static bool begin(struct dump_table *table, struct err *err)
{
    struct str head = buf_str(&table->head);

    table->known = true;
    table->kind = dump_table_kind(head);
    if (str_starts(head, STR("\xFF\xFE")) || str_starts(head, STR("\xFE\xFF")))
        return err_set(err, ERR_INPUT,
                       "%s:1: found text as UTF-16, expected csv or json as UTF-8",
                       table->path);
    if (table->kind == DUMP_TABLE_XML)
        return err_set(err, ERR_INPUT, "%s:1: found XML, expected csv or json",
                       table->path);
    if (table->kind == DUMP_TABLE_JSON && table->options->rows &&
        !table->options->objects)
        return err_set(err, ERR_INPUT, "%s:1: found json, expected csv", table->path);
    if (table->kind == DUMP_TABLE_JSON)
        table->json = dump_jsonl_open(&table->json_options);
    return true;
}

/* How many bytes at the end begin a character whose rest comes with the next piece. */
static size_t cut_off(struct str text)
{
    size_t back = 1;

    while (back < 4 && back < text.len &&
           ((unsigned char)text.ptr[text.len - back] & 0xC0) == 0x80)
        back++;
    if (text.len == 0 || back > text.len)
        return 0;
    unsigned char lead = (unsigned char)text.ptr[text.len - back];
    size_t whole = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    return whole > back ? back : 0;
}

/* The piece as text: behind what was cut off before, with replacements. */
static struct str repair(struct dump_table *table, struct str piece, bool last)
{
    if (table->cut.len > 0) {
        buf_add(&table->cut, piece);
        struct buf whole = table->cut;
        table->cut = table->joined;
        table->joined = whole;
        piece = buf_str(&table->joined);
    }
    size_t cut = last ? 0 : cut_off(piece);
    buf_clear(&table->cut);
    buf_add(&table->cut, str_slice(piece, piece.len - cut, piece.len));
    piece = str_slice(piece, 0, piece.len - cut);
    if (text_utf8_valid(piece))
        return piece;
    buf_clear(&table->repaired);
    text_utf8_repair(piece, &table->repaired);
    *table->options->repaired = true;
    return buf_str(&table->repaired);
}

static bool push(struct dump_table *table, struct str piece, bool last, struct err *err)
{
    if (table->options->repaired != NULL)
        piece = repair(table, piece, last);
    return table->kind == DUMP_TABLE_JSON ? dump_jsonl_push(table->json, piece, last, err)
                                          : push_csv(table, piece, last, err);
}

bool dump_table_push(struct dump_table *table, struct str piece, bool last,
                     struct err *err)
{
    if (table->known)
        return push(table, piece, last, err);
    buf_add(&table->head, piece);
    struct str head = str_trim(buf_str(&table->head));
    if (!last && (table->head.len < HEAD_BYTES || head.len < 3 ||
                  str_eq(head, STR("\xEF\xBB\xBF"))))
        return true;
    return begin(table, err) && push(table, buf_str(&table->head), last, err);
}

/* An object that is a row. */
static bool take_object(void *context, const struct item *object, struct err *err)
{
    struct dump_table *table = context;
    struct item row = *object;

    number_row(table, &row);
    return table->take(table->context, &row, err);
}

static bool read_mapping(struct dump_table *table, struct err *err)
{
    const struct dump_table_options *options = table->options;
    const char *text = options->mapping != NULL ? options->mapping : "";

    if (!dump_columns_parse(str_from(text), &table->arena, &table->mapping, err))
        return err_at(err, "mapping: ");
    struct dump_columns_choice *extra =
        arena_array(&table->arena, struct dump_columns_choice, options->extra_count);
    for (size_t i = 0; i < options->extra_count; i++)
        extra[i] = dump_columns_choose(options->extra[i]);
    table->mapping.extra = extra;
    table->mapping.extra_count = options->extra_count;
    table->mapping.only = options->rows;
    table->mapping.usual = options->usual;
    table->json_options = (struct dump_jsonl_options){
        table->path,
        options->mapping != NULL || options->extra_count > 0 || options->rows
            ? &table->mapping
            : NULL,
        options->rows ? take_object : table->take, options->rows ? table : table->context,
        options->broken};
    return true;
}

bool dump_table_open(const char *path, const struct dump_table_options *options,
                     dump_table_take *take, void *context, struct dump_table **out,
                     struct err *err)
{
    static const struct dump_table_options none;
    struct arena arena = {0};
    struct dump_table *table = arena_array(&arena, struct dump_table, 1);

    table->arena = arena;
    table->path = arena_c_string(&table->arena, str_from(path));
    table->options = options != NULL ? options : &none;
    table->take = take;
    table->context = context;
    table->csv.path = table->path;
    table->csv.latin = true;
    table->given.arena = &table->arena;
    arena_array(&table->row, char, 1); /* a chunk that rewinding does not give back */
    if (!read_mapping(table, err)) {
        dump_table_close(table);
        return false;
    }
    *out = table;
    return true;
}

void dump_table_close(struct dump_table *table)
{
    if (table == NULL)
        return;
    struct arena arena = table->arena;
    dump_jsonl_close(table->json);
    input_csv_free(&table->csv);
    buf_free(&table->head);
    buf_free(&table->cut);
    buf_free(&table->joined);
    buf_free(&table->repaired);
    arena_free(&table->row);
    arena_free(&arena);
}

bool dump_table_read(struct str bytes, const char *path,
                     const struct dump_table_options *options, dump_table_take *take,
                     void *context, struct err *err)
{
    struct dump_table *table;
    bool last = false, ok = dump_table_open(path, options, take, context, &table, err);

    if (!ok)
        return false;
    while (ok && !last) {
        last = bytes.len <= PIECE_BYTES;
        ok = dump_table_push(table, str_slice(bytes, 0, PIECE_BYTES), last, err);
        bytes = str_slice(bytes, PIECE_BYTES, bytes.len);
    }
    dump_table_close(table);
    return ok;
}

bool dump_table_read_member(struct dump_table *table, struct input *input, size_t member,
                            int threads, uint64_t hash[2], struct err *err)
{
    struct input_stream_options how = {.hash = hash != NULL};
    struct input_stream *stream = NULL;
    struct input_ahead *ahead = NULL;
    struct str bytes = {NULL, 1};
    bool ok = input_stream_open(input, member, &how, &stream, err) &&
              input_ahead_open(stream, threads, &ahead, err);

    while (ok && bytes.len > 0)
        ok = stop_check(err) && input_ahead_read(ahead, &bytes, err) &&
             dump_table_push(table, bytes, bytes.len == 0, err);
    input_ahead_close(ahead);
    ok = ok && input_stream_finish(stream, err) &&
         (hash == NULL || input_stream_hash(stream, hash, err));
    input_stream_close(stream);
    return ok;
}

bool dump_table_read_path(const char *path, const struct dump_table_options *options,
                          dump_table_take *take, void *context, struct err *err)
{
    struct input *input = NULL;
    struct dump_table *table = NULL;

    if (file_is_folder(path))
        return err_set(err, ERR_INPUT, "%s: is a folder, expected a csv or json file",
                       path);
    bool ok = input_open(path, &input, err) &&
              (input_count(input) == 1 ||
               err_set(err, ERR_INPUT, "%s: has %zu files, expected one table", path,
                       input_count(input))) &&
              dump_table_open(path, options, take, context, &table, err) &&
              dump_table_read_member(table, input, 0, 1, NULL, err);
    dump_table_close(table);
    input_close(input);
    return ok;
}
