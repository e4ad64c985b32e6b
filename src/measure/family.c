/* Collecting p values, adjusting them, and the texts about them. */
#include "measure/family.h"

#include <math.h>

#include "measure/internal.h"
#include "measure/testing.h"

static void adjust(struct measure_family *family, struct arena *arena)
{
    double *p = arena_array(arena, double, family->count + 1);

    for (size_t i = 0; i < family->count; i++)
        p[i] = family->members[i].p;
    const double *adjusted = measure_test_results_adjust(
        family->study->correct, (struct stats_values){p, family->count}, arena);
    for (size_t i = 0; i < family->count; i++)
        family->members[i].adjusted = adjusted[i];
}

struct measure_family measure_family_make(const struct study_family *study,
                                          const struct result_numbers *tests,
                                          struct arena *arena)
{
    struct measure_family family = {.study = study};
    struct str prefix = STR("tests.");
    size_t room = 1;

    for (size_t t = 0; t < study->count; t++)
        room += tests[t].count;
    family.members = arena_array(arena, struct measure_family_member, room);
    for (size_t t = 0; t < study->count; t++)
        for (size_t i = 0; i < tests[t].count; i++)
            if (str_eq(tests[t].at[i].column, STR("p")))
                family.members[family.count++] = (struct measure_family_member){
                    str_slice(tests[t].step, prefix.len, tests[t].step.len),
                    tests[t].at[i].row, tests[t].at[i].value, NAN};
    adjust(&family, arena);
    return family;
}

/* "harder" or "types/Data-bug". */
static void add_name(const struct measure_family_member *member, struct buf *out)
{
    buf_add(out, member->test);
    if (member->row.len > 0)
        buf_add_char(out, '/');
    buf_add(out, member->row);
}

void measure_family_csv(const struct measure_family *family, struct buf *out)
{
    struct buf name = {0};

    buf_add(out, STR("test,p,adjusted\n"));
    for (size_t i = 0; i < family->count; i++) {
        const double numbers[] = {family->members[i].p, family->members[i].adjusted};
        buf_clear(&name);
        add_name(&family->members[i], &name);
        buf_add_csv(out, buf_str(&name));
        for (size_t n = 0; n < ROWS_OF(numbers); n++) {
            buf_add_char(out, ',');
            if (!isnan(numbers[n]))
                result_numbers_print(numbers[n], out);
        }
        buf_add_char(out, '\n');
    }
    buf_free(&name);
}

static const char *verdict(const struct measure_family *family, double adjusted)
{
    return isnan(adjusted)                   ? "undefined"
           : adjusted < family->study->level ? "significant"
                                             : "not significant";
}

void measure_family_markdown(const struct measure_family *family, struct buf *out)
{
    buf_add_format(out,
                   "# Family %.*s\n\n| test | p | adjusted p | at the %.4g%% level |\n"
                   "|---|---:|---:|---|\n",
                   STR_ARG(family->study->name), family->study->level * 100);
    for (size_t i = 0; i < family->count; i++) {
        const struct measure_family_member *member = &family->members[i];
        buf_add(out, STR("| "));
        add_name(member, out);
        buf_add(out, STR(" | "));
        result_numbers_add_p(member->p, out);
        buf_add(out, STR(" | "));
        result_numbers_add_p(member->adjusted, out);
        buf_add_format(out, " | %s |\n", verdict(family, member->adjusted));
    }
}

void measure_family_html(const struct measure_family *family, struct buf *out)
{
    struct buf name = {0}, p = {0}, adjusted = {0};

    buf_add(out, STR("<table class=\"numbers\"><thead><tr><th>test</th><th>p</th>"
                     "<th>adjusted p</th><th>result</th></tr></thead><tbody>\n"));
    for (size_t i = 0; i < family->count; i++) {
        const struct measure_family_member *member = &family->members[i];
        add_name(member, &name);
        result_numbers_add_p(member->p, &p);
        result_numbers_add_p(member->adjusted, &adjusted);
        buf_add_html(out,
                     "<tr><th scope=\"row\">%</th><td>%</td><td>%</td>"
                     "<td class=\"words\">%</td></tr>\n",
                     buf_str(&name), buf_str(&p), buf_str(&adjusted),
                     str_from(verdict(family, member->adjusted)));
        buf_clear(&name);
        buf_clear(&p);
        buf_clear(&adjusted);
    }
    buf_add(out, STR("</tbody></table>\n"));
    buf_free(&name);
    buf_free(&p);
    buf_free(&adjusted);
}

struct result_table measure_family_table(const struct measure_family *family,
                                         struct arena *arena)
{
    static const struct result_column adjusted = {
        .type = RESULT_P, .digits = -1, .path = STR_INIT("adjusted")};
    struct result_column *column = arena_array(arena, struct result_column, 1);
    struct result_table table = (struct result_table){0};

    *column = adjusted;
    table = result_new(family->study->name, column, 1, arena);
    table.numbers = true;
    for (size_t i = 0; i < family->count; i++) {
        struct buf name = {0};
        struct result_cell *cell =
            result_add_row(&table, (struct str){0}, RESULT_NONE, arena);
        *cell = result_number(family->members[i].adjusted);
        add_name(&family->members[i], &name);
        table.rows[i].slug = buf_keep(&name, arena);
    }
    return table;
}
