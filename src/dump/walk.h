/* The loop over the attributes of a row, written once and compiled for each instruction
 * set by rows.c, which alone includes this and says before: WALK, the function's name;
 * WALK_TARGET, its instruction set; WALK_MATCHES, which compares a pattern.
 *
 * Where an attribute begins and ends is known before; a few of its letters tell which one
 * it has to be, and one comparison of ` Name="` that it is. So nothing waits for the
 * attribute before it, and nothing has to be guessed. What can be said of the row as a
 * whole is not asked for each attribute. */
WALK_TARGET static NOINLINE enum dump_step WALK(struct dump_rows *rows,
                                                struct dump_rows_row *row,
                                                struct dump_cursor *cursor, bool *empty)
{
    const char *p = cursor->at, *const limit = cursor->end;
    struct dump_stops *stops = &rows->stops;
    const uint16_t *stop = find_row_stop(rows, p, limit);
    uint64_t present = 0;
    size_t count = 0;

    *empty = true;
    row->unknown_count = 0;
    buf_clear(&rows->unknown);
    for (;;) {
        const char *const from = stops->from;
        const uint16_t *const last = stops->list + stops->count;
        for (; stop + 1 < last; stop += 2) {
            const char *open = from + stop[0], *close = from + stop[1];
            size_t a = rows->by_hash[pattern_hash(p, open)];
            if (*open != '"' || !WALK_MATCHES(&rows->patterns[a], p))
                break;
            if (*close != '"') {
                cursor->at = close;
                cursor->expected = "a closing quote before '<'";
                return DUMP_STEP_WRONG;
            }
            row->raw[a] = (struct str){open + 1, (size_t)(close - open) - 1};
            present |= UINT64_C(1) << a;
            count++;
            p = close + 1;
        }
        if (stop + 1 >= last && stops->to < limit && p > stops->from) {
            stop = list_stops(rows, p, limit);
            continue;
        }
        if (limit - p >= 3 && memcmp(p, " />", 3) == 0) {
            p += 3;
            break;
        }
        struct miss miss = {p, present, false};
        enum dump_step done = read_other(rows, row, cursor, &miss, empty);
        if (done != DUMP_STEP_DONE)
            return done;
        p = miss.p;
        count += miss.present != present;
        present = miss.present;
        if (miss.end)
            break;
        stop = find_stop(rows, p, limit);
    }
    stops->at = (size_t)(stop - stops->list);
    row->present = present;
    cursor->at = p;
    return count == (size_t)__builtin_popcountll(present) ? DUMP_STEP_DONE
                                                          : DUMP_STEP_WRONG;
}

#undef WALK
#undef WALK_TARGET
#undef WALK_MATCHES
