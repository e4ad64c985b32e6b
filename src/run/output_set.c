/* The files of a set: its ids, and the funnel that led to them. */
#include <stdio.h>
#include <string.h>

#include "result/numbers.h"
#include "run/funnelling.h"

/* What each condition left, from all questions down. */
struct output_set_funnel {
    struct arena arena;
    struct str *conditions;
    double *left;
    size_t count;
    size_t before; /* of them those of the set that this one begins with */
    size_t begun;  /* own conditions that are among them or one row */
};

static void add_condition(struct output_set_funnel *funnel, struct str condition,
                          double left)
{
    funnel->conditions[funnel->count] = arena_copy(&funnel->arena, condition);
    funnel->left[funnel->count++] = left;
}

/* The first conditions as one. */
static void add_joined(struct output_set_funnel *funnel, const struct query_funnel *own,
                       size_t count)
{
    struct buf text = {0};

    for (size_t i = 0; i < count; i++) {
        struct str condition = own->rows[i].condition;
        bool brackets = count > 1 && memchr(condition.ptr, ' ', condition.len) != NULL;
        buf_add_format(&text, "%s%s%.*s%s", i > 0 ? " and " : "", brackets ? "(" : "",
                       STR_ARG(condition), brackets ? ")" : "");
    }
    add_condition(funnel, buf_str(&text), (double)own->rows[count - 1].together);
    buf_free(&text);
}

/* A set that begins with another one goes on with that one's funnel. */
static struct output_set_funnel funnel_of(const struct query_funnel *own,
                                          struct run_output_funnel from)
{
    size_t room = own->count + 1 + (from.before != NULL ? from.before->count : 0);
    struct output_set_funnel funnel = {0};

    funnel.conditions = arena_array(&funnel.arena, struct str, room);
    funnel.left = arena_array(&funnel.arena, double, room);
    for (size_t i = 0; from.before != NULL && i < from.before->count; i++)
        if (str_starts(from.before->at[i].column, STR("funnel.")))
            add_condition(&funnel, from.before->at[i].heading, from.before->at[i].value);
    funnel.before = funnel.count;
    funnel.begun = from.before != NULL || own->count == 0 ? 1 : from.together;
    if (from.before == NULL && own->count > 0)
        add_joined(&funnel, own, funnel.begun);
    for (size_t i = funnel.begun; i < own->count; i++)
        add_condition(&funnel, own->rows[i].condition, (double)own->rows[i].together);
    return funnel;
}

/* The number of items with all of them, and what each condition left. */
static void add_numbers(const struct output_set_funnel *funnel, struct measure_bits bits,
                        const struct measure_frame *frame, struct run_output *output)
{
    struct arena *arena = &output->arena;
    struct result_table numbers = {.name = STR("numbers")};
    size_t count = (size_t)measure_bits_count(bits), found = 0;
    int64_t *ids = arena_array(arena, int64_t, count + 1);

    for (size_t i = measure_bits_next(bits, 0); i < bits.count;
         i = measure_bits_next(bits, i + 1))
        ids[found++] = frame->ids[i];
    result_add_number(&numbers, RESULT_COUNT, STR("count"), STR(""),
                      result_count((int64_t)count), arena);
    result_add_evidence(
        &numbers, &(struct result_evidence){0, 0, STR("items of the set"), ids, count},
        arena);
    for (size_t i = 0; i < funnel->count; i++) {
        char column[40];
        snprintf(column, sizeof column, "funnel.%zu", i + 1);
        result_add_number(&numbers, RESULT_COUNT, str_from(column), funnel->conditions[i],
                          result_number(funnel->left[i]), arena);
    }
    run_output_result(output, &numbers);
}

static void add_funnel_texts(struct run_output *output, struct str name,
                             const struct output_set_funnel *funnel, int64_t all)
{
    struct buf *csv = run_output_add_named(output, "funnels", name, ".csv");
    struct buf *markdown = run_output_add_named(output, "funnels", name, ".md");
    struct buf *latex = run_output_add_named(output, "funnels", name, ".tex");

    buf_add(csv, STR("condition,questions\n"));
    buf_add_format(markdown,
                   "# Funnel of %.*s\n\n| condition | questions left |\n|---|---:|\n",
                   STR_ARG(name));
    buf_add(latex, STR("% needs booktabs\n\\begin{tabular}{lr}\n\\toprule\ncondition & "
                       "questions left \\\\\n\\midrule\n"));
    if (all > 0) {
        buf_add_format(csv, "all questions of the sources,%lld\n", (long long)all);
        buf_add_format(markdown, "| all questions of the sources | %lld |\n",
                       (long long)all);
        buf_add_format(latex, "all questions of the sources & %lld \\\\\n",
                       (long long)all);
    }
    for (size_t i = 0; i < funnel->count; i++) {
        buf_add_csv(csv, funnel->conditions[i]);
        buf_add_format(csv, ",%.0f\n", funnel->left[i]);
        buf_add(markdown, STR("| `"));
        buf_add_markdown(markdown, funnel->conditions[i]);
        buf_add_format(markdown, "` | %.0f |\n", funnel->left[i]);
        buf_add(latex, STR("{}")); /* a condition that begins with [ belongs to no \\ */
        buf_add_latex(latex, funnel->conditions[i]);
        buf_add_format(latex, " & %.0f \\\\\n", funnel->left[i]);
    }
    buf_add(latex, STR("\\bottomrule\n\\end{tabular}\n"));
}

void run_output_set(struct run_output *output, const struct study_set *set,
                    const struct measure_frame_slot *slot,
                    const struct measure_frame *frame, struct run_output_funnel from)
{
    struct buf *csv = run_output_add_named(output, "sets", set->name, ".csv");
    struct measure_bits bits = slot->bits;

    buf_add(csv, STR("id\n"));
    for (size_t i = measure_bits_next(bits, 0); i < bits.count;
         i = measure_bits_next(bits, i + 1)) {
        item_key_add_csv(csv, frame->spaces, frame->ids[i]);
        buf_add_char(csv, '\n');
    }
    struct output_set_funnel funnel = funnel_of(&slot->funnel, from);
    add_numbers(&funnel, bits, frame, output);
    add_funnel_texts(output, set->name, &funnel, from.all);
    run_funnelling_make(&(struct run_funnelling){.set = set->name,
                                                 .slot = slot,
                                                 .frame = frame,
                                                 .conditions = funnel.conditions,
                                                 .count = funnel.count,
                                                 .before = funnel.before,
                                                 .begun = funnel.begun},
                        output);
    arena_free(&funnel.arena);
    int64_t count = measure_bits_count(bits);
    buf_add_format(&output->says, "%lld item%s", (long long)count, count == 1 ? "" : "s");
}
