/* Each table is described once, column by column; writing and reading follow from that.
 */
#include "store/acts_layout.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

#define AT(type, field, form) \
    { \
#field, STORE_ACTS_LAYOUT_##form, offsetof(struct store_##type, field) \
    }

static const struct store_acts_layout layouts[STORE_ACTS_TABLES] = {
    [STORE_ACTS_CODEBOOK] = {"codebook",
                             sizeof(struct store_acts_codebook),
                             true,
                             {AT(acts_codebook, at_ms, NUMBER),
                              AT(acts_codebook, task, TEXT),
                              AT(acts_codebook, version, TEXT),
                              AT(acts_codebook, changes, NUMBER),
                              AT(acts_codebook, text, TEXT)},
                             .since = 0},
    [STORE_ACTS_ROUND] = {"round",
                          sizeof(struct store_acts_round),
                          true,
                          {AT(acts_round, at_ms, NUMBER), AT(acts_round, task, TEXT),
                           AT(acts_round, kind, TEXT), AT(acts_round, by, TEXT),
                           AT(acts_round, source, TEXT)},
                          .since = 0},
    [STORE_ACTS_ROUND_END] = {"round_end",
                              sizeof(struct store_acts_round_end),
                              true,
                              {AT(acts_round_end, at_ms, NUMBER),
                               AT(acts_round_end, round, NUMBER),
                               AT(acts_round_end, by, TEXT)},
                              .since = 0},
    [STORE_ACTS_ASSIGNMENT] =
        {"assignment",
         sizeof(struct store_acts_assignment),
         false,
         {AT(acts_assignment, round, NUMBER), AT(acts_assignment, rater, TEXT),
          AT(acts_assignment, position, NUMBER), AT(acts_assignment, item, NUMBER),
          AT(acts_assignment, again, FLAG), AT(acts_assignment, score, REAL)},
         .since = 0},
    [STORE_ACTS_ACT] = {"act",
                        sizeof(struct store_acts_act),
                        true,
                        {AT(acts_act, at_ms, NUMBER), AT(acts_act, kind, TEXT),
                         AT(acts_act, round, NUMBER), AT(acts_act, rater, TEXT),
                         AT(acts_act, item, NUMBER), AT(acts_act, again, FLAG),
                         AT(acts_act, dimension, TEXT), AT(acts_act, codes, CODES),
                         AT(acts_act, memo, TEXT), AT(acts_act, unsure, FLAG),
                         AT(acts_act, seconds, REAL), AT(acts_act, version, TEXT),
                         AT(acts_act, supersedes, NUMBER_OR_NONE),
                         AT(acts_act, client_key, TEXT_OR_NONE),
                         AT(acts_act, source, TEXT), AT(acts_act, unit, TEXT_LATER),
                         AT(acts_act, place, TEXT_LATER), AT(acts_act, seen, TEXT_LATER)},
                        .since = 0},
    [STORE_ACTS_DECISION] =
        {"decision",
         sizeof(struct store_acts_decision),
         true,
         {AT(acts_decision, at_ms, NUMBER), AT(acts_decision, task, TEXT),
          AT(acts_decision, item, NUMBER), AT(acts_decision, dimension, TEXT),
          AT(acts_decision, codes, CODES), AT(acts_decision, version, TEXT),
          AT(acts_decision, by, TEXT), AT(acts_decision, reason, TEXT),
          AT(acts_decision, text, TEXT), AT(acts_decision, unit, TEXT_LATER),
          AT(acts_decision, unit_of, TEXT_LATER)},
         .since = 0},
    [STORE_ACTS_PROPOSAL] =
        {"proposal",
         sizeof(struct store_acts_proposal),
         true,
         {AT(acts_proposal, at_ms, NUMBER), AT(acts_proposal, task, TEXT),
          AT(acts_proposal, rater, TEXT), AT(acts_proposal, dimension, TEXT),
          AT(acts_proposal, parent, TEXT), AT(acts_proposal, code, TEXT),
          AT(acts_proposal, name, TEXT), AT(acts_proposal, text, TEXT),
          AT(acts_proposal, item, NUMBER)},
         .since = 0},
    [STORE_ACTS_VERDICT] = {"verdict",
                            sizeof(struct store_acts_verdict),
                            true,
                            {AT(acts_verdict, at_ms, NUMBER),
                             AT(acts_verdict, proposal, NUMBER),
                             AT(acts_verdict, accepted, FLAG), AT(acts_verdict, by, TEXT),
                             AT(acts_verdict, reason, TEXT)},
                            .since = 0},
    [STORE_ACTS_TOKEN] = {"token",
                          sizeof(struct store_acts_token),
                          true,
                          {AT(acts_token, at_ms, NUMBER), AT(acts_token, task, TEXT),
                           AT(acts_token, person, TEXT), AT(acts_token, token, TEXT)},
                          .since = 0},
    [STORE_ACTS_IMPORT] = {"import",
                           sizeof(struct store_acts_import),
                           true,
                           {AT(acts_import, at_ms, NUMBER), AT(acts_import, task, TEXT),
                            AT(acts_import, by, TEXT), AT(acts_import, source, TEXT),
                            AT(acts_import, hash, TEXT)},
                           .since = 6},
    [STORE_ACTS_MESSAGE] = {"message",
                            sizeof(struct store_acts_message),
                            false,
                            {AT(acts_message, hash, TEXT), AT(acts_message, before, TEXT),
                             AT(acts_message, text, TEXT)},
                            .since = 7},
    [STORE_ACTS_ANSWER] =
        {"answer",
         sizeof(struct store_acts_answer),
         true,
         {AT(acts_answer, at_ms, NUMBER),      AT(acts_answer, task, TEXT),
          AT(acts_answer, rater, TEXT),        AT(acts_answer, item, NUMBER),
          AT(acts_answer, dimension, TEXT),    AT(acts_answer, run, NUMBER),
          AT(acts_answer, try, NUMBER),        AT(acts_answer, state, TEXT),
          AT(acts_answer, codes, CODES),       AT(acts_answer, probability, REAL),
          AT(acts_answer, asked, TEXT),        AT(acts_answer, answered, TEXT),
          AT(acts_answer, url, TEXT),          AT(acts_answer, server, TEXT),
          AT(acts_answer, fingerprint, TEXT),  AT(acts_answer, digest, TEXT),
          AT(acts_answer, version, TEXT),      AT(acts_answer, prompt, TEXT),
          AT(acts_answer, request, TEXT),      AT(acts_answer, reply, TEXT),
          AT(acts_answer, constrained, FLAG),  AT(acts_answer, temperature, REAL),
          AT(acts_answer, seed, NUMBER),       AT(acts_answer, tokens_in, NUMBER),
          AT(acts_answer, tokens_out, NUMBER), AT(acts_answer, seconds, REAL),
          AT(acts_answer, sent, NUMBER),       AT(acts_answer, says, TEXT),
          AT(acts_answer, unit, TEXT_LATER),   AT(acts_answer, place, TEXT_LATER),
          AT(acts_answer, called, TEXT_LATER)},
         .since = 7},
};

const struct store_acts_layout *store_acts_layout_of(enum store_acts_table table)
{
    return &layouts[table];
}

size_t store_acts_layout_columns(const struct store_acts_layout *table)
{
    size_t count = 0;

    while (count < STORE_ACTS_LAYOUT_COLUMNS_MAX && table->columns[count].name != NULL)
        count++;
    return count;
}

void store_acts_layout_names(const struct store_acts_layout *table, struct buf *sql)
{
    for (size_t i = 0; i < store_acts_layout_columns(table); i++)
        buf_add_format(sql, "%s%s", i > 0 ? ", " : "", table->columns[i].name);
}

/* Paths have no quotes and no backslashes, so that JSON needs no escapes. */
static struct str codes_text(const struct store_acts_codes *codes, struct buf *out)
{
    buf_clear(out);
    buf_add_char(out, '[');
    for (size_t i = 0; i < codes->count; i++)
        buf_add_format(out, "%s\"%.*s\"", i > 0 ? "," : "", STR_ARG(codes->at[i]));
    buf_add_char(out, ']');
    return buf_str(out);
}

static struct store_acts_codes codes_from(struct str text, struct arena *arena)
{
    struct store_acts_codes codes = {arena_array(arena, struct str, text.len / 2 + 1), 0};
    struct str between;

    while (str_cut(&text, '"', &between) && str_cut(&text, '"', &codes.at[codes.count]))
        codes.count++;
    return codes;
}

void store_acts_layout_bind_text(sqlite3_stmt *statement, int at, struct str text)
{
    sqlite3_bind_text(statement, at, text.len > 0 ? text.ptr : "", (int)text.len,
                      SQLITE_TRANSIENT);
}

static void bind(sqlite3_stmt *statement, int at, enum store_acts_layout_form form,
                 const void *field)
{
    struct buf codes = {0};

    switch (form) {
    case STORE_ACTS_LAYOUT_NUMBER_OR_NONE:
        if (*(const int64_t *)field == 0)
            break;
        sqlite3_bind_int64(statement, at, *(const int64_t *)field);
        break;
    case STORE_ACTS_LAYOUT_NUMBER:
        sqlite3_bind_int64(statement, at, *(const int64_t *)field);
        break;
    case STORE_ACTS_LAYOUT_FLAG:
        sqlite3_bind_int64(statement, at, *(const bool *)field);
        break;
    case STORE_ACTS_LAYOUT_REAL:
        sqlite3_bind_double(statement, at, *(const double *)field); /* NAN: NULL */
        break;
    case STORE_ACTS_LAYOUT_TEXT_OR_NONE:
    case STORE_ACTS_LAYOUT_TEXT_LATER:
        if (((const struct str *)field)->len > 0)
            store_acts_layout_bind_text(statement, at, *(const struct str *)field);
        break;
    case STORE_ACTS_LAYOUT_TEXT:
        store_acts_layout_bind_text(statement, at, *(const struct str *)field);
        break;
    case STORE_ACTS_LAYOUT_CODES:
        store_acts_layout_bind_text(statement, at, codes_text(field, &codes));
        break;
    }
    buf_free(&codes);
}

struct str store_acts_layout_text(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);

    return (struct str){(const char *)text,
                        text != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0};
}

static void fetch(sqlite3_stmt *row, int column, enum store_acts_layout_form form,
                  struct arena *arena, void *field)
{
    switch (form) {
    case STORE_ACTS_LAYOUT_NUMBER:
    case STORE_ACTS_LAYOUT_NUMBER_OR_NONE:
        *(int64_t *)field = sqlite3_column_int64(row, column);
        break;
    case STORE_ACTS_LAYOUT_FLAG:
        *(bool *)field = sqlite3_column_int64(row, column) != 0;
        break;
    case STORE_ACTS_LAYOUT_REAL:
        *(double *)field = sqlite3_column_type(row, column) == SQLITE_NULL
                               ? NAN
                               : sqlite3_column_double(row, column);
        break;
    case STORE_ACTS_LAYOUT_TEXT:
    case STORE_ACTS_LAYOUT_TEXT_OR_NONE:
    case STORE_ACTS_LAYOUT_TEXT_LATER:
        *(struct str *)field = store_acts_layout_text(row, column);
        break;
    case STORE_ACTS_LAYOUT_CODES:
        *(struct store_acts_codes *)field =
            codes_from(store_acts_layout_text(row, column), arena);
        break;
    }
}

void store_acts_layout_fetch(sqlite3_stmt *row, const struct store_acts_layout *table,
                             struct arena *arena, void *out)
{
    *(int64_t *)out = sqlite3_column_int64(row, 0);
    for (size_t i = 0; i < store_acts_layout_columns(table); i++)
        fetch(row, (int)i + 1, table->columns[i].form, arena,
              (char *)out + table->columns[i].offset);
}

void store_acts_layout_bind(sqlite3_stmt *statement,
                            const struct store_acts_layout *table, const void *row)
{
    for (size_t i = 0; i < store_acts_layout_columns(table); i++)
        bind(statement, (int)i + 1, table->columns[i].form,
             (const char *)row + table->columns[i].offset);
}

/* Numbers as eight bytes, the lowest first; texts behind their lengths. */
static void add_number(struct buf *out, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        buf_add_char(out, (char)(number >> 8 * i & 0xff));
}

static void add_text(struct buf *out, struct str text)
{
    add_number(out, text.len);
    buf_add(out, text);
}

static void add_real(struct buf *out, double value)
{
    uint64_t bits = UINT64_MAX; /* of what is not known */

    if (!isnan(value))
        memcpy(&bits, &value, sizeof bits);
    add_number(out, bits);
}

static void add_field(struct buf *out, enum store_acts_layout_form form,
                      const void *field)
{
    struct buf codes = {0};

    switch (form) {
    case STORE_ACTS_LAYOUT_NUMBER:
    case STORE_ACTS_LAYOUT_NUMBER_OR_NONE:
        add_number(out, (uint64_t) * (const int64_t *)field);
        break;
    case STORE_ACTS_LAYOUT_FLAG:
        add_number(out, *(const bool *)field);
        break;
    case STORE_ACTS_LAYOUT_REAL:
        add_real(out, *(const double *)field);
        break;
    case STORE_ACTS_LAYOUT_TEXT:
    case STORE_ACTS_LAYOUT_TEXT_OR_NONE:
    case STORE_ACTS_LAYOUT_TEXT_LATER:
        add_text(out, *(const struct str *)field);
        break;
    case STORE_ACTS_LAYOUT_CODES:
        add_text(out, codes_text(field, &codes));
        break;
    }
    buf_free(&codes);
}

uint64_t store_acts_layout_start(const struct store_acts_layout *table)
{
    return XXH3_64bits(table->name, strlen(table->name));
}

uint64_t store_acts_layout_checksum(const struct store_acts_layout *table,
                                    const void *row, uint64_t before, struct buf *scratch)
{
    buf_clear(scratch);
    add_number(scratch, before);
    add_number(scratch, (uint64_t) * (const int64_t *)row);
    for (size_t i = 0; i < store_acts_layout_columns(table); i++) {
        const struct store_acts_layout_column *column = &table->columns[i];
        const void *field = (const char *)row + column->offset;
        if (column->form == STORE_ACTS_LAYOUT_TEXT_LATER) {
            if (((const struct str *)field)->len == 0)
                continue; /* rows that were there before keep their checksums */
            add_text(scratch, str_from(column->name));
        }
        add_field(scratch, column->form, field);
    }
    return XXH3_64bits(scratch->ptr, scratch->len);
}
