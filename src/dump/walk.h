/* The loop over the attributes of a row, written once and compiled for each instruction
 * set by rows.c, which alone includes this and says before: WALK, the function's name;
 * WALK_TARGET, its instruction set; WALK_MATCHES, which compares a pattern; WALK_SEE and
 * WALK_FAR, which look for stops, see struct dump_stops_seen.
 *
 * The attributes of a table come in nearly the same order in every row, so the one that
 * followed last time is tried first, as one comparison of ` Name="`. What can be said of
 * the row as a whole is not asked for each attribute. */
WALK_TARGET static enum dump_step WALK(struct dump_rows *rows, struct dump_rows_row *row,
                                       struct dump_cursor *cursor, bool *empty)
{
    const char *p = cursor->at, *const limit = cursor->end;
    size_t at = STEP_START, odd = 0, count = 0;
    uint64_t present = 0;
    /* The row mostly begins in the stretch in which the one before it ended. */
    struct dump_stops_seen seen = rows->seen;
    const char *ahead = ask_from(rows, p);

    if (seen.from == NULL || (uintptr_t)p - (uintptr_t)seen.from >= DUMP_STOPS_SEEN)
        seen = WALK_SEE(p, limit);
    seen = dump_stops_since(seen, p);
    *empty = true;
    row->unknown_count = 0;
    buf_clear(&rows->unknown);
    for (;;) {
        size_t next = step_at(rows, at)->next[odd];
        if (!WALK_MATCHES(pattern_at(rows, next), p)) {
            struct miss miss = {p, &step_at(rows, at)->next[odd], present, MISS_KNOWN};
            enum dump_step done = read_other(rows, row, cursor, &miss, empty);
            if (done != DUMP_STEP_DONE)
                return done;
            p = miss.p;
            count += miss.present != present;
            present = miss.present;
            next = *miss.next;
            if (miss.found == MISS_END)
                break;
            if (miss.found != MISS_KNOWN)
                seen = WALK_SEE(p - (miss.found == MISS_OPEN), limit);
            if (miss.found == MISS_TAKEN)
                continue;
            if (miss.found == MISS_OPEN) /* as if it were written as usual */
                p -= step_at(rows, next)->len;
        }
        at = next;
        const struct dump_rows_step *step = step_at(rows, at);
        p += step->len;
        if (step->special && at >= STEP_END)
            break;
        seen.stops &= seen.stops - 1; /* the quote that opens the value */
        if (seen.stops == 0) {
            const char *from = seen.from + DUMP_STOPS_SEEN;
            if (from >= limit)
                return DUMP_STEP_CUT;
            seen = dump_stops_since(WALK_SEE(from, limit), p);
            if (seen.stops == 0) {
                seen = WALK_FAR(from + DUMP_STOPS_SEEN, limit, ahead);
                if (seen.stops == 0)
                    return DUMP_STEP_CUT;
                ahead += (seen.from - from) / 2;
            }
        }
        const char *end = seen.from + __builtin_ctzll(seen.stops);
        seen.stops &= seen.stops - 1;
        if (*end != '"') {
            cursor->at = end;
            cursor->expected = "a closing quote before '<'";
            return DUMP_STEP_WRONG;
        }
        *raw_at(row, at) = (struct str){p, (size_t)(end - p)};
        present |= step->bit;
        count++;
        __builtin_prefetch(ahead);
        ahead += DUMP_STOPS_SEEN;
        if (step->special) /* the type of a post: questions and answers differ */
            odd = *p & 1;
        p = end + 1;
    }
    if (p > limit) /* the pattern matched what stands behind the block */
        return DUMP_STEP_CUT;
    rows->seen = seen;
    rows->asked = ahead;
    row->present = present;
    cursor->at = p;
    return count == (size_t)__builtin_popcountll(present) ? DUMP_STEP_DONE
                                                          : DUMP_STEP_WRONG;
}

#undef WALK
#undef WALK_TARGET
#undef WALK_MATCHES
#undef WALK_SEE
#undef WALK_FAR
