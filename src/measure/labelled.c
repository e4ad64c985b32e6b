/* A query is walked twice in the same order: to name its parts, and to put them together.
 */
#include "measure/labelled.h"

#include "base/near.h"

static void add_parts(const struct study *study, const struct query_node *node,
                      struct measure_frame_slot *out, size_t *count)
{
    if (!study_asks_labels(study, node)) {
        if (out != NULL)
            out[*count] = (struct measure_frame_slot){.query = node};
        ++*count;
        return;
    }
    for (const struct query_node *child = node->first; child; child = child->next)
        add_parts(study, child, out, count);
}

size_t measure_labelled_parts(const struct study *study, const struct query_node *query,
                              struct measure_frame_slot *out)
{
    size_t count = 0;

    add_parts(study, query, out, &count);
    return count;
}

struct finder {
    const struct measure_labelled_inputs *inputs;
    size_t part; /* the next */
    struct arena *arena;
};

/* A code by its path, else by its id, else by its name. */
static bool find_code(const struct measure_labels *labels, struct str text, size_t *out,
                      struct err *err)
{
    struct arena arena = {0};
    struct str *names = arena_array(&arena, struct str, labels->code_count + 1);
    size_t near;

    for (int by = 0; by < 3; by++) {
        size_t found = labels->code_count;
        for (size_t c = 0; c < labels->code_count; c++) {
            const struct measure_labels_code *code = &labels->codes[c];
            names[c] = by == 0   ? code->id
                       : by == 1 ? str_last(code->id, '/')
                                 : code->name;
            if (!str_eq(names[c], text))
                continue;
            if (found < labels->code_count) {
                err_set(err, ERR_INPUT,
                        "'%.*s' may be '%.*s' or '%.*s'; expected the whole of it",
                        STR_ARG(text), STR_ARG(labels->codes[found].id),
                        STR_ARG(code->id));
                arena_free(&arena);
                return false;
            }
            found = c;
        }
        if (found < labels->code_count) {
            *out = found;
            arena_free(&arena);
            return true;
        }
    }
    near = near_find(text, names, labels->code_count);
    if (near < labels->code_count)
        err_set(err, ERR_INPUT, "there is no code '%.*s'; did you mean '%.*s'?",
                STR_ARG(text), STR_ARG(names[near]));
    else
        err_set(err, ERR_INPUT, "there is no code '%.*s'", STR_ARG(text));
    arena_free(&arena);
    return false;
}

static bool is_below(const struct measure_labels *labels, size_t code, size_t above)
{
    while (code != above && code != STUDY_NONE)
        code = labels->codes[code].parent;
    return code == above;
}

static bool find_labelled(struct finder *finder, const struct query_node *node,
                          struct measure_bits out, struct err *err)
{
    const struct study_condition *asked =
        study_find_condition(finder->inputs->study, node);
    const struct measure_labels *labels;
    size_t code = STUDY_NONE;

    if (!finder->inputs->find_labels(finder->inputs->context, asked->labels, &labels,
                                     err))
        return false;
    if (asked->code.len > 0 && !find_code(labels, asked->code, &code, err))
        return err_at(err, "%.*s:%.*s: ", STR_ARG(query_field_name(node->field)),
                      STR_ARG(node->text));
    if (node->field != QUERY_FIELD_HASUNIT) {
        for (size_t e = 0; e < labels->count; e++)
            if (code == STUDY_NONE || is_below(labels, labels->entries[e].code, code))
                measure_bits_set(out, labels->entries[e].item);
        return true;
    }
    for (size_t u = 0; u < labels->unit_count && code == STUDY_NONE; u++)
        measure_bits_set(out, labels->units[u].item);
    for (size_t e = 0; e < labels->unit_entry_count; e++)
        if (is_below(labels, labels->unit_entries[e].code, code))
            measure_bits_set(out, labels->units[labels->unit_entries[e].unit].item);
    return true;
}

static bool find(struct finder *finder, const struct query_node *node,
                 struct measure_bits *out, struct err *err)
{
    const struct measure_labelled_inputs *inputs = finder->inputs;
    struct measure_bits child;

    if (!study_asks_labels(inputs->study, node)) {
        *out = inputs->parts[finder->part++].bits;
        return true;
    }
    *out = node->kind == QUERY_AND
               ? measure_bits_all(inputs->frame->count, finder->arena)
               : measure_bits_make(inputs->frame->count, finder->arena);
    if (node->kind == QUERY_LABEL)
        return find_labelled(finder, node, *out, err);
    if (node->kind == QUERY_SET)
        return inputs->find_set(inputs->context, node->text, out, err);
    for (const struct query_node *at = node->first; at != NULL; at = at->next) {
        if (!find(finder, at, &child, err))
            return false;
        if (node->kind == QUERY_AND)
            *out = measure_bits_and(*out, child, finder->arena);
        else if (node->kind == QUERY_OR)
            measure_bits_add(*out, child);
        else
            for (size_t i = 0; i < child.count; i++)
                if (!measure_bits_has(child, i))
                    measure_bits_set(*out, i);
    }
    return true;
}

bool measure_labelled_find(const struct query_node *query,
                           const struct measure_labelled_inputs *inputs,
                           struct measure_frame_slot *out, struct err *err)
{
    struct finder finder = {inputs, 0, inputs->frame->arena};
    size_t count = inputs->frame->count;
    uint8_t *passed = arena_array(finder.arena, uint8_t, count + 1);
    bool joined = query->kind == QUERY_AND;
    struct measure_bits met;
    struct buf text = {0};

    *out = (struct measure_frame_slot){.name = out->name,
                                       .bits = measure_bits_all(count, finder.arena),
                                       .passed = passed};
    for (const struct query_node *at = joined ? query->first : query; at != NULL;
         at = joined ? at->next : NULL)
        out->funnel.count++;
    out->funnel.rows =
        arena_array(finder.arena, struct query_funnel_row, out->funnel.count);
    out->funnel.posts = (int64_t)count;
    const struct query_node *at = joined ? query->first : query;
    bool ok = true;
    for (size_t row = 0; row < out->funnel.count; row++, at = at->next) {
        ok = find(&finder, at, &met, err);
        if (!ok)
            break;
        out->bits = measure_bits_and(out->bits, met, finder.arena);
        buf_clear(&text);
        query_print(at, &text);
        out->funnel.rows[row] = (struct query_funnel_row){
            arena_copy(finder.arena, buf_str(&text)), measure_bits_count(out->bits)};
        MEASURE_BITS_EACH (i, out->bits)
            passed[i] =
                (uint8_t)(row + 1 < MEASURE_FRAME_PASSED_MAX ? row + 1
                                                             : MEASURE_FRAME_PASSED_MAX);
    }
    buf_free(&text);
    return ok;
}
