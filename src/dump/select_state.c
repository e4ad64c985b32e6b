/* Where a pass stands, as bytes: pieces of known length, one after the other. */
#include <string.h>

#include "dump/select.h"

enum { SETS = 6 };

static void sets_of(struct dump_select_state *state, struct idset *sets[SETS])
{
    sets[0] = &state->seen;
    sets[1] = &state->matched;
    sets[2] = &state->early;
    sets[3] = &state->given;
    sets[4] = &state->ids;
    sets[5] = &state->accepted;
}

void dump_select_state_free(struct dump_select_state *state)
{
    struct idset *sets[SETS];

    sets_of(state, sets);
    for (int i = 0; i < SETS; i++)
        idset_free(sets[i]);
    buf_free(&state->early_answers);
    dump_tally_free(&state->tally);
    *state = (struct dump_select_state){0};
}

/* The plain numbers of a state, as they are packed. */
struct numbers {
    int64_t taken, taken_answers, start, start_line, rows, broken, again;
    struct dump_rows_problem first_broken;
    int64_t first_broken_line;
    struct dump_select_health health;
};

static void add_piece(struct buf *out, struct str bytes)
{
    uint64_t len = bytes.len;

    buf_add(out, (struct str){(const char *)&len, sizeof len});
    buf_add(out, bytes);
}

static bool take_piece(struct str *rest, struct str *piece)
{
    uint64_t len;

    if (rest->len < sizeof len)
        return false;
    memcpy(&len, rest->ptr, sizeof len);
    *rest = str_slice(*rest, sizeof len, rest->len);
    if (len > rest->len)
        return false;
    *piece = str_slice(*rest, 0, len);
    *rest = str_slice(*rest, len, rest->len);
    return true;
}

void dump_select_save(const struct dump_select_state *state, struct buf *out)
{
    struct dump_select_state copy = *state; /* only to name its sets */
    struct idset *sets[SETS];
    struct buf piece = {0};
    struct numbers numbers = {.taken = state->taken,
                              .taken_answers = state->taken_answers,
                              .start = state->start,
                              .start_line = state->start_line,
                              .rows = state->scan.rows,
                              .broken = state->scan.broken,
                              .again = state->again,
                              .first_broken = state->scan.first_broken,
                              .first_broken_line = state->scan.first_broken_line,
                              .health = state->health};

    add_piece(out, (struct str){(const char *)&numbers, sizeof numbers});
    sets_of(&copy, sets);
    for (int i = 0; i < SETS; i++) {
        buf_clear(&piece);
        idset_save(sets[i], &piece);
        add_piece(out, buf_str(&piece));
    }
    buf_clear(&piece);
    dump_tally_save(&state->tally, &piece);
    add_piece(out, buf_str(&piece));
    add_piece(out, buf_str(&state->early_answers));
    buf_free(&piece);
}

bool dump_select_load(struct dump_select_state *state, struct str bytes)
{
    struct idset *sets[SETS];
    struct numbers numbers;
    struct str piece;

    if (!take_piece(&bytes, &piece) || piece.len != sizeof numbers)
        return false;
    memcpy(&numbers, piece.ptr, sizeof numbers);
    sets_of(state, sets);
    for (int i = 0; i < SETS; i++)
        if (!take_piece(&bytes, &piece) || !idset_load(sets[i], piece))
            return false;
    if (!take_piece(&bytes, &piece) || !dump_tally_load(&state->tally, piece) ||
        !take_piece(&bytes, &piece))
        return false;
    buf_clear(&state->early_answers);
    buf_add(&state->early_answers, piece);
    state->taken = numbers.taken;
    state->taken_answers = numbers.taken_answers;
    state->start = numbers.start;
    state->start_line = numbers.start_line;
    state->scan.rows = numbers.rows;
    state->scan.broken = numbers.broken;
    state->scan.first_broken = numbers.first_broken;
    state->scan.first_broken_line = numbers.first_broken_line;
    state->again = numbers.again != 0;
    state->health = numbers.health;
    return bytes.len == 0;
}
