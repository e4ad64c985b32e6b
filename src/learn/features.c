/* What is found in a part is looked up after all of it was hashed, so that the processor
 * can fetch the table's slots ahead. */
#include "learn/features.h"

#include "learn/features_find.h"
#include "learn/features_table.h"

const char *const features_kinds[FEATURES_KINDS] = {"word", "stem", "run", "letters",
                                                    "error"};

/* Lookups between fetching a slot and reading it; halfway, what was seen of the feature
 * is fetched. */
enum { AHEAD = 16 };

struct seen {
    uint32_t row, place;
};

void features_open(struct features_reader *reader, struct features_options options,
                   struct features_table *grown, const struct features_table *fixed)
{
    *reader = (struct features_reader){
        .options = options, .grown = grown, .table = grown != NULL ? grown : fixed};
    if (options.kinds & 1u << FEATURES_STEM)
        stem_open(&reader->stem);
}

void features_close(struct features_reader *reader)
{
    stem_close(&reader->stem);
    buf_free(&reader->lower);
    buf_free(&reader->text);
    buf_free(&reader->words);
    buf_free(&reader->found);
    buf_free(&reader->seen);
    buf_free(&reader->row);
}

/* Room for all features of the table. */
static struct seen *seen_of(struct features_reader *reader)
{
    size_t bytes = reader->table->count * sizeof(struct seen), len = reader->seen.len;

    if (len < bytes) {
        bytes = 2 * bytes;
        memset(buf_reserve(&reader->seen, bytes - len), 0, bytes - len);
        reader->seen.len = bytes;
    }
    return (struct seen *)(void *)reader->seen.ptr;
}

/* The row in work. */
struct counting {
    struct rows_cell *cells;
    size_t count;
    size_t from_title; /* so many of them came from the title and give way */
    uint32_t row;
};

/* There is room for one cell more. Whether a feature is new to the row is anyone's guess,
 * so there is no branch: the cell behind the last is made ready for it in any case. */
static inline void count_one(struct counting *counting, struct seen *seen, size_t feature)
{
    size_t old = seen->place, fresh = counting->count;
    bool here = seen->row == counting->row, known = here & (old >= counting->from_title);
    size_t place = fresh ^ ((old ^ fresh) & -(size_t)known);

    if (counting->from_title > 0 && here && !known)
        counting->cells[old].value = 0; /* from now on it is a body's word */
    counting->cells[fresh] = (struct rows_cell){(uint32_t)feature, 0};
    counting->cells[place].value += 1;
    seen->row = counting->row;
    seen->place = (uint32_t)place;
    counting->count += !known;
}

static size_t enter(struct features_reader *reader, const struct features_found *found,
                    unsigned part)
{
    struct str name = {reader->text.ptr + found->at, found->len};
    struct features_entry entry = {
        .hash = found->hash, .part = (uint8_t)part, .kind = (uint8_t)found->kind};
    bool fresh;

    return features_table_enter(reader->grown, entry, name, &fresh);
}

/* Where the table's slots are, until one more feature is entered. */
struct slots {
    struct features_slot *at; /* NULL: there are none */
    size_t mask;
};

static struct slots slots_of(const struct features_table *table)
{
    return (struct slots){features_table_slots(table),
                          features_table_capacity(table) - 1};
}

/* The feature's number, or SIZE_MAX when it is not in the table. */
static inline size_t number_of(struct slots slots, uint64_t hash)
{
    if (slots.at == NULL)
        return SIZE_MAX;
    return features_table_find(slots.at, slots.mask, hash)->next - 1;
}

/* Asks the processor for the slot of one feature and for what was seen of another, whose
 * slot is there by now. That it may have moved on from its place costs only time. */
static inline void fetch(struct slots slots, const struct seen *seen, uint64_t far,
                         uint64_t near)
{
    __builtin_prefetch(slots.at + (far & slots.mask));
    __builtin_prefetch(seen + slots.at[near & slots.mask].next);
}

static void count_found(struct features_reader *reader, unsigned part, size_t from_title)
{
    const struct features_found *found =
        (const struct features_found *)(const void *)reader->found.ptr;
    size_t count = reader->found.len / sizeof *found;
    struct slots slots = slots_of(reader->table);
    struct seen *seen = seen_of(reader);
    struct counting counting = {.count = reader->row.len / sizeof(struct rows_cell),
                                .from_title = from_title,
                                .row = reader->rows};

    buf_reserve(&reader->row, (count + 1) * sizeof(struct rows_cell));
    counting.cells = (struct rows_cell *)(void *)reader->row.ptr;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count && slots.at != NULL)
            fetch(slots, seen, found[i + AHEAD].hash, found[i + AHEAD / 2].hash);
        size_t feature = number_of(slots, found[i].hash);
        if (feature == SIZE_MAX && reader->grown == NULL)
            continue;
        if (feature == SIZE_MAX) {
            feature = enter(reader, found + i, part);
            slots = slots_of(reader->table);
            seen = seen_of(reader);
        }
        count_one(&counting, seen + feature, feature);
    }
    reader->row.len = counting.count * sizeof(struct rows_cell);
}

struct rows_row features_read(struct features_reader *reader, const struct parts *parts)
{
    const struct features_options *options = &reader->options;
    size_t from_title = 0;

    reader->rows++;
    buf_clear(&reader->row);
    for (unsigned part = 0; part < PARTS_COUNT; part++) {
        unsigned as = options->one_part ? 0 : part;
        if (parts->at[part].len == 0)
            continue;
        features_find(reader, parts->at[part], as);
        count_found(reader, as, from_title);
        if (options->one_part && options->body_wins && part == PARTS_TITLE)
            from_title = reader->row.len / sizeof(struct rows_cell);
    }
    return (struct rows_row){(const struct rows_cell *)(const void *)reader->row.ptr,
                             reader->row.len / sizeof(struct rows_cell)};
}
