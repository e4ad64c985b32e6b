/* Aho and Corasick, "Efficient string matching", CACM 1975, as a complete table: one
 * look-up a byte, whatever the number of literals. Bytes that no literal has share a
 * column. */
#include "query/internal.h"

#include <string.h>

enum { ROOT = 0 };
#define NO_LITERAL UINT32_MAX

/* An entry of the finished table is the place where the next state's row begins, with
 * this bit when a literal ends in that state. */
#define ENDS (UINT32_C(1) << 31)

struct query_automaton {
    uint8_t column[256]; /* of a byte; both cases of an ASCII letter share one */
    size_t columns;
    uint32_t *table;   /* states * columns */
    uint32_t *literal; /* of a state: the literal that ends there, or NO_LITERAL */
    uint32_t *shorter; /* of a state: one where a shorter literal ends too, or ROOT */
    bool stays[256];   /* the byte leads from the root to the root */
};

static void assign_columns(struct query_automaton *automaton,
                           const struct query_finder *finder)
{
    automaton->columns = 1;
    for (size_t i = 0; i < finder->literal_count; i++) {
        struct str text = finder->literals[i].text;
        for (size_t k = 0; k < text.len; k++) {
            uint8_t *column = &automaton->column[(unsigned char)text.ptr[k]];
            if (*column == 0)
                *column =
                    (uint8_t)automaton->columns++; /* at most 230 bytes are folded */
        }
    }
    for (int c = 'A'; c <= 'Z'; c++)
        automaton->column[c] = automaton->column[c + ('a' - 'A')];
}

/* The tree of all literals; 0 stands for no child, since nothing leads back to the root.
 */
static size_t build_tree(struct query_automaton *automaton,
                         const struct query_finder *finder)
{
    size_t states = 1;

    for (size_t i = 0; i < finder->literal_count; i++) {
        struct str text = finder->literals[i].text;
        size_t state = ROOT;
        for (size_t k = 0; k < text.len; k++) {
            uint32_t *next =
                &automaton->table[state * automaton->columns +
                                  automaton->column[(unsigned char)text.ptr[k]]];
            if (*next == ROOT) {
                automaton->literal[states] = NO_LITERAL;
                *next = (uint32_t)states++;
            }
            state = *next;
        }
        automaton->literal[state] = (uint32_t)i;
    }
    return states;
}

/* Turns the tree into the complete table, level by level: where a state has no child, it
 * goes where the state of its longest proper suffix goes. */
static void complete(struct query_automaton *automaton, size_t states,
                     struct arena *local)
{
    uint32_t *suffix = arena_array(local, uint32_t, states);
    uint32_t *queue = arena_array(local, uint32_t, states);
    size_t columns = automaton->columns, taken = 0, queued = 1;

    while (taken < queued) {
        uint32_t state = queue[taken++];
        uint32_t *row = automaton->table + state * columns;
        const uint32_t *fallback = automaton->table + suffix[state] * columns;
        automaton->shorter[state] = automaton->literal[suffix[state]] != NO_LITERAL
                                        ? suffix[state]
                                        : automaton->shorter[suffix[state]];
        for (size_t c = 0; c < columns; c++) {
            if (row[c] == ROOT) {
                row[c] = state == ROOT ? ROOT : fallback[c];
            } else {
                suffix[row[c]] = state == ROOT ? ROOT : fallback[c];
                queue[queued++] = row[c];
            }
        }
    }
}

/* From numbers of states to places of rows: a multiplication less for each byte. */
static void finish(struct query_automaton *automaton, size_t states)
{
    for (size_t i = 0; i < states * automaton->columns; i++) {
        uint32_t state = automaton->table[i];
        bool ends =
            automaton->literal[state] != NO_LITERAL || automaton->shorter[state] != ROOT;
        automaton->table[i] = (uint32_t)(state * automaton->columns) | (ends ? ENDS : 0);
    }
    for (int c = 0; c < 256; c++)
        automaton->stays[c] = automaton->table[automaton->column[c]] == ROOT;
}

struct query_automaton *query_automaton_build(const struct query_finder *finder,
                                              struct arena *arena)
{
    struct query_automaton *automaton = arena_array(arena, struct query_automaton, 1);
    struct arena local = {0};
    size_t states = 1;

    assign_columns(automaton, finder);
    for (size_t i = 0; i < finder->literal_count; i++)
        states += finder->literals[i].text.len;
    automaton->table = arena_array(arena, uint32_t, states * automaton->columns);
    automaton->literal = arena_array(arena, uint32_t, states);
    automaton->shorter = arena_array(arena, uint32_t, states);
    automaton->literal[ROOT] = NO_LITERAL;
    states = build_tree(automaton, finder);
    complete(automaton, states, &local);
    finish(automaton, states);
    arena_free(&local);
    return automaton;
}

/* Tells of every literal that ends in the state; false when nothing is left to find. */
static bool report(const struct query_automaton *automaton, uint32_t state, size_t end,
                   struct query_found *found)
{
    if (automaton->literal[state] == NO_LITERAL)
        state = automaton->shorter[state];
    for (; state != ROOT; state = automaton->shorter[state]) {
        size_t literal = automaton->literal[state];
        if (!query_finder_hit(found, literal,
                              end - found->finder->literals[literal].text.len))
            return false;
    }
    return true;
}

void query_automaton_run(const struct query_automaton *automaton,
                         struct query_found *found)
{
    const unsigned char *bytes = (const unsigned char *)found->text.ptr;
    size_t len = found->text.len;
    uint32_t row = ROOT;

    for (size_t i = 0; i < len; i++) {
        if (row == ROOT) {
            while (i < len && automaton->stays[bytes[i]])
                i++;
            if (i == len)
                return;
        }
        row = automaton->table[row + automaton->column[bytes[i]]];
        if ((row & ENDS) != 0) {
            row &= ~ENDS;
            if (!report(automaton, row / (uint32_t)automaton->columns, i + 1, found))
                return;
        }
    }
}
