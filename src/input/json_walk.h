/* The loop over values, written once and compiled for each instruction set by json.c, which
 * alone includes this and says before: WALK, the function's name; WALK_TARGET, its
 * instruction set; WALK_PLAIN, which finds what is not plain in a string; WALK_MATCHES,
 * which compares what comes next with the pattern of a shape.
 *
 * Objects of one making are written in the same way, so that a comma, the name and its
 * colon are one comparison with what stood there in the last one. */
WALK_TARGET static enum input_json_end WALK(struct json_reader *reader)
{
    struct input_json *to = reader->to;
    const char *p = reader->p;
    enum input_json_end end = INPUT_JSON_DONE;

    for (;;) {
        bool fresh = false; /* behind a bracket that opens */
        if (to >= reader->to_last) {
            reader->to = to;
            make_room(reader, 2);
            to = reader->to;
        }
        if (*p == '"') {
            const char *stop = WALK_PLAIN(p + 1);
            bool rough = *stop == '\\';
            while (*stop == '\\' && meant[(unsigned char)stop[1]] != '\0') {
                stop += 2;
                if (*stop != '\\')
                    stop = WALK_PLAIN(stop);
            }
            if (*stop != '"') {
                reader->p = stop;
                end = check_string(reader, &rough);
                stop = reader->p;
                if (end != INPUT_JSON_DONE)
                    return end;
            }
            *to = (struct input_json){.at = p,
                                      .text = p + 1,
                                      .len = (uint32_t)(stop - p - 1),
                                      .kind = INPUT_JSON_STRING,
                                      .span = 1};
            if (rough)
                set_rough(reader, to);
            to++;
            p = stop + 1;
        } else if (*p == '{' || *p == '[') {
            bool object = *p == '{';
            *to++ = (struct input_json){
                .at = p, .kind = object ? INPUT_JSON_OBJECT : INPUT_JSON_ARRAY};
            reader->p = p++;
            reader->to = to;
            end = begin_nested(reader, object);
            if (end != INPUT_JSON_DONE)
                return end;
            fresh = true;
        } else {
            reader->p = p;
            reader->to = to;
            end = read_scalar(reader);
            if (end != INPUT_JSON_DONE)
                return end;
            p = reader->p;
            to = reader->to;
        }
        struct input_json_shape *likely = reader->top->shape->likely;
        if (WALK_MATCHES(likely, p) && reader->member < reader->member_end) {
            const char *name = p + likely->name_at;
            *reader->member++ = (uint32_t)(to - reader->top->object);
            *to++ = (struct input_json){.at = name - 1,
                                        .text = name,
                                        .len = likely->len,
                                        .kind = INPUT_JSON_STRING,
                                        .span = likely->hash & 0xFFFFFFF};
            p = skip_space(p + likely->pattern_len); /* of which there may be more */
            reader->top->shape = likely;
            continue;
        }
        reader->p = p;
        reader->to = to;
        end = read_between(reader, fresh);
        if (end != INPUT_JSON_DONE || reader->depth == 0)
            return end;
        p = reader->p;
        to = reader->to;
    }
}

#undef WALK
#undef WALK_TARGET
#undef WALK_PLAIN
#undef WALK_MATCHES
