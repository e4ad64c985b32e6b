/* The loop over the attributes of a row, written once and compiled for each instruction
 * set by rows.c, which alone includes this and says before: WALK, the function's name;
 * WALK_TARGET, its instruction set; WALK_NEXT and WALK_FAR, which find the end of a short
 * and of a long value, see stops_find.
 *
 * The attributes of a table come in nearly the same order in every row, so the one that
 * followed last time is tried first, as one comparison of ` Name="`. */
WALK_TARGET static enum dump_step WALK(struct dump_rows *rows, struct dump_rows_row *row,
                                       struct dump_cursor *cursor, bool *empty)
{
    const char *p = cursor->at, *const limit = cursor->end;
    uint8_t *next_of = rows->next_of[0], *next = next_of + PATTERN_START;
    uint64_t present = 0;

    row->unknown_count = 0;
    buf_clear(&rows->unknown);
    for (;;) {
        size_t k = *next;
        if (matches(&rows->patterns[k], p)) {
            p += rows->patterns[k].len;
            if (k >= PATTERN_END)
                break;
        } else if ((k = look_up(rows, p, WALK_FAR(p, limit))) < DUMP_ROWS_ATTRIBUTES) {
            p += pattern_len[k];
            *next = (uint8_t)k;
        } else {
            enum other found;
            cursor->at = p;
            row->present = present;
            enum dump_step step = other(rows, row, cursor, &found, &k);
            if (step != DUMP_STEP_DONE)
                return step;
            if (found == OTHER_CLOSE || found == OTHER_END) {
                *next = (uint8_t)k;
                *empty = found == OTHER_END;
                return DUMP_STEP_DONE;
            }
            present = row->present;
            p = cursor->at;
            if (found == OTHER_TAKEN)
                continue;
        }
        const char *end = k == DUMP_ROWS_BODY ? WALK_FAR(p, limit)
                                         : WALK_NEXT(p, limit, rows->patterns[k].usual);
        uint64_t bit = UINT64_C(1) << k;
        if (end >= limit)
            return DUMP_STEP_CUT;
        if (*end != '"' || present & bit)
            return refuse_value(cursor, k, present & bit, p, end);
        present |= bit;
        row->raw[k] = (struct str){p, (size_t)(end - p)};
        /* Questions and answers have different attributes. */
        next_of = k == DUMP_ROWS_POST_TYPE_ID ? rows->next_of[*p & 1] : next_of;
        next = next_of + k;
        p = end + 1;
    }
    if (p > limit) /* the pattern matched what stands behind the block */
        return DUMP_STEP_CUT;
    row->present = present;
    cursor->at = p;
    *empty = true;
    return DUMP_STEP_DONE;
}

#undef WALK
#undef WALK_TARGET
#undef WALK_NEXT
#undef WALK_FAR
