/* Tests as text: csv for programs, Markdown and HTML for people, numbers for references.
 */
#include <math.h>

#include "measure/internal.h"
#include "measure/testing.h"

/* Stars only if the study asks for them. */
static void add_starred(const struct measure_testing *testing, double p, struct buf *out)
{
    result_numbers_add_p(p, out);
    if (testing->test->stars && p < 0.05)
        buf_add_format(out, " %s", p < 0.001 ? "***" : p < 0.01 ? "**" : "*");
}

static void add_number(double value, struct buf *out)
{
    if (isnan(value))
        buf_add(out, STR("–"));
    else if (fabs(value) >= 1e4 && fabs(value) < 1e15)
        buf_add_thousands(out, value, 0);
    else
        buf_add_format(out, "%.4g", value);
}

void measure_testing_csv(const struct measure_testing *testing, struct buf *out)
{
    buf_add(out, STR("name,statistic,df,p,adjusted,effect,low,high,word,undefined\n"));
    for (size_t i = 0; i < testing->count; i++) {
        const struct measure_testing_result *result = &testing->results[i];
        const double numbers[] = {result->statistic, result->df,     result->p,
                                  result->adjusted,  result->effect, result->low,
                                  result->high};
        buf_add_csv(out, result->name);
        for (size_t n = 0; n < ROWS_OF(numbers); n++) {
            buf_add_char(out, ',');
            if (!isnan(numbers[n]))
                result_numbers_print(numbers[n], out);
        }
        buf_add_format(out, ",%s,",
                       result->effect_word != NULL ? result->effect_word : "");
        if (result->undefined != NULL)
            buf_add_csv(out, str_from(result->undefined));
        buf_add_char(out, '\n');
    }
}

static void add_sentence(const struct measure_testing *testing,
                         const struct measure_testing_result *result, struct buf *out)
{
    double level = testing->test->level;

    if (result->undefined != NULL) {
        buf_add_format(out, "undefined: %s", result->undefined);
        return;
    }
    if (isnan(result->adjusted))
        return;
    bool shown = result->adjusted < level;
    const char *words = testing->test->kind >= STUDY_PEARSON
                            ? shown ? "go together" : "no correlation shown"
                        : testing->test->kind == STUDY_MANN_KENDALL
                            ? shown ? "a trend" : "no trend shown"
                        : shown ? "differ"
                                : "no difference shown";
    buf_add_format(out, "%s at the %.4g%% level%s", words, level * 100,
                   result->simulated ? " (p of random tables: too many to count out)"
                                     : "");
}

static void add_effect(const struct measure_testing_result *result, struct buf *out)
{
    if (result->effect_name == NULL ||
        (isnan(result->effect) &&
         (result->undefined != NULL || result->no_interval == NULL)))
        return;
    buf_add_format(out, "%s ", result->effect_name);
    if (isnan(result->effect)) {
        buf_add_format(out, "undefined: %s", result->no_interval);
        return;
    }
    add_number(result->effect, out);
    if (!isnan(result->low) && !isnan(result->high)) {
        buf_add(out, STR(" ["));
        add_number(result->low, out);
        buf_add(out, STR(", "));
        add_number(result->high, out);
        buf_add_char(out, ']');
    }
    if (result->effect_word != NULL)
        buf_add_format(out, ", %s", result->effect_word);
    if (result->no_interval != NULL && result->undefined == NULL)
        buf_add_format(out, " (no interval: %s)", result->no_interval);
}

enum { COLUMNS = 6 };

/* What stands in a column of the test's table, behind the name. */
static void add_column(const struct measure_testing *testing,
                       const struct measure_testing_result *result, int column,
                       struct buf *out)
{
    switch (column) {
    case 0:
        add_number(result->statistic, out);
        break;
    case 1:
        add_number(result->df, out);
        break;
    case 2:
        add_starred(testing, result->p, out);
        break;
    case 3:
        add_starred(testing, result->adjusted, out);
        break;
    case 4:
        add_effect(result, out);
        break;
    default:
        add_sentence(testing, result, out);
    }
}

/* What test it is, on what. */

static const char *const kind_words[] = {
    [STUDY_PROPORTION] = "Chi-square test of proportions",
    [STUDY_CHI_SQUARE] = "Pearson's chi-square test",
    [STUDY_FISHER] = "Fisher's exact test",
    [STUDY_STUDENT] = "Student's t test",
    [STUDY_WELCH] = "Welch's t test",
    [STUDY_PAIRED] = "Paired t test",
    [STUDY_MANN_WHITNEY] = "Mann-Whitney U test",
    [STUDY_WILCOXON] = "Wilcoxon signed-rank test",
    [STUDY_KRUSKAL_WALLIS] = "Kruskal-Wallis test",
    [STUDY_FRIEDMAN] = "Friedman test",
    [STUDY_LOG_RANK] = "Log-rank test",
    [STUDY_MANN_KENDALL] = "Mann-Kendall test of a trend",
    [STUDY_SCOTT_KNOTT] = "Scott-Knott ESD ranking",
    [STUDY_PEARSON] = "Pearson's correlation",
    [STUDY_SPEARMAN] = "Spearman's rank correlation",
    [STUDY_KENDALL] = "Kendall's rank correlation (tau-b)",
};

static struct str said(const struct study_test *test, const char *key)
{
    const struct yaml_node *node = yaml_get(test->node, str_from(key));

    return node != NULL && node->type == YAML_SCALAR ? node->text : (struct str){0};
}

static void add_names(const struct str *names, size_t count, struct buf *out)
{
    for (size_t i = 0; i < count; i++)
        buf_add_format(out, "%s%.*s", i > 0 ? ", " : "", STR_ARG(names[i]));
}

/* "Welch's t test of minutes to accepted, by phase" */
static void add_what(const struct study_test *test, struct buf *out)
{
    buf_add_format(out, "%s", kind_words[test->kind]);
    if ((test->kind == STUDY_PROPORTION || test->kind == STUDY_CHI_SQUARE) && test->yates)
        buf_add(out, STR(" (with Yates' correction where it is two by two)"));
    if (test->table != STUDY_NONE) {
        buf_add_format(out, " on the table %.*s: ", STR_ARG(said(test, "table")));
        add_names(test->first, test->first_count, out);
        if (test->second_count > 0)
            buf_add(out, STR(" v "));
        add_names(test->second, test->second_count, out);
        if (test->each != STUDY_EACH_TABLE)
            buf_add_format(out, ", for each %s",
                           test->each == STUDY_EACH_ROW ? "row" : "block");
        return;
    }
    if (test->on_text.len > 0)
        buf_add_format(out, " of %.*s", STR_ARG(test->on_text));
    if (said(test, "with").len > 0)
        buf_add_format(out, " with %.*s", STR_ARG(said(test, "with")));
    if (test->of.len > 0)
        buf_add_format(out, ", of %.*s", STR_ARG(test->of));
    if (said(test, "by").len > 0)
        buf_add_format(out, ", by %.*s", STR_ARG(said(test, "by")));
}

/* For what p values were corrected, and how: the rest of a sentence. */
static void add_correction(const struct measure_testing *testing, const char *before,
                           struct buf *out)
{
    static const char *const words[] = {[STUDY_BONFERRONI] = "Bonferroni",
                                        [STUDY_HOLM] = "Holm",
                                        [STUDY_BENJAMINI] = "Benjamini and Hochberg"};
    struct str family = said(testing->test, "family");

    if (testing->test->kind == STUDY_SCOTT_KNOTT) {
        buf_add_char(out, '.');
        return;
    }
    buf_add(out, str_from(before));
    size_t count = testing->count - measure_test_results_before(testing);
    if (testing->test->correct == STUDY_NO_CORRECTION)
        buf_add(out, STR("p values are not corrected for other tests"));
    else if (count > 1)
        buf_add_format(out, "p values are adjusted for the %zu %s after %s", count,
                       count < testing->count ? "pairs" : "results",
                       words[testing->test->correct]);
    else
        buf_add(out, STR("p of this one result is not corrected"));
    if (family.len > 0)
        buf_add_format(out, "; for the family %.*s see there", STR_ARG(family));
    buf_add_char(out, '.');
}

void measure_testing_markdown(const struct measure_testing *testing, struct buf *out)
{
    struct buf text = {0};

    buf_add_format(out, "# Test %.*s\n\n",
                   STR_ARG(testing->test->title.len > 0 ? testing->test->title
                                                        : testing->test->name));
    add_what(testing->test, &text);
    if (testing->count > 0 && testing->results[0].sides.len > 0) {
        buf_add(&text, STR(": "));
        buf_add(&text, testing->results[0].sides);
    }
    buf_add_markdown(out, buf_str(&text));
    add_correction(testing, ". ", out);
    buf_add(out, STR("\n\n"));
    buf_free(&text);
    buf_add_format(
        out,
        "|  | %s | df | p | adjusted p | effect | result |\n|---|---:|---:|---:|"
        "---:|---|---|\n",
        testing->statistic_name[0] != '\0' ? testing->statistic_name : "statistic");
    for (size_t i = 0; i < testing->count; i++) {
        buf_add(out, STR("| "));
        buf_add_markdown(out, testing->results[i].name);
        buf_add(out, STR(" |"));
        for (int column = 0; column < COLUMNS; column++) {
            buf_add_char(out, ' ');
            add_column(testing, &testing->results[i], column, out);
            buf_add(out, STR(" |"));
        }
        buf_add_char(out, '\n');
    }
    if (testing->warning.len > 0)
        buf_add_format(out, "\nWarning: %.*s\n", STR_ARG(testing->warning));
}

/* A paragraph. */

static void add_equal(const char *name, double value, struct buf *out)
{
    if (isnan(value))
        return;
    buf_add_format(out, "%s = ", name);
    add_number(value, out);
    buf_add(out, STR(", "));
}

/* "chi-square = 16.57, df = 1, p < .001, odds ratio 1.747 [1.337, 2.282], small: differ
 * at the 5% level" */
static void add_result(const struct measure_testing *testing,
                       const struct measure_testing_result *result, struct buf *out)
{
    struct buf p = {0};

    if (result->name.len > 0)
        buf_add_format(out, "%.*s: ", STR_ARG(result->name));
    if (result->undefined == NULL) {
        add_equal(testing->statistic_name[0] != '\0' ? testing->statistic_name
                                                     : "statistic",
                  result->statistic, out);
        add_equal("df", result->df, out);
        if (!isnan(result->adjusted)) {
            result_numbers_add_p(result->adjusted, &p);
            buf_add_format(out, "p %s%.*s%s", p.ptr[0] == '<' ? "" : "= ",
                           STR_ARG(buf_str(&p)), result->effect_name != NULL ? ", " : "");
        }
        add_effect(result, out);
        buf_add(out, isnan(result->adjusted) ? STR("") : STR(": "));
    }
    add_sentence(testing, result, out);
    buf_free(&p);
}

void measure_testing_latex(const struct measure_testing *testing, struct buf *out)
{
    struct buf text = {0};

    add_what(testing->test, &text);
    if (testing->count > 0 && testing->results[0].sides.len > 0)
        buf_add_format(&text, ": %.*s", STR_ARG(testing->results[0].sides));
    if (testing->count == 1) {
        buf_add(&text, STR(". "));
        add_result(testing, &testing->results[0], &text);
    }
    add_correction(testing, testing->count == 1 ? "; " : ". ", &text);
    buf_add_char(&text, '\n');
    buf_add_latex(out, buf_str(&text));
    if (testing->count > 1)
        buf_add(out, STR("\\begin{itemize}\n"));
    for (size_t i = 0; i < testing->count && testing->count > 1; i++) {
        buf_clear(&text);
        add_result(testing, &testing->results[i], &text);
        buf_add(out, STR("\\item "));
        buf_add_latex(out, buf_str(&text));
        buf_add_char(out, '\n');
    }
    if (testing->count > 1)
        buf_add(out, STR("\\end{itemize}\n"));
    buf_free(&text);
}

/* What was compared; of items each side is a link to them. */
static void add_sides(const struct measure_testing *testing,
                      const struct result_table *sides, struct buf *out)
{
    if (testing->count == 0 || testing->results[0].sides.len == 0)
        return;
    buf_add(out, STR(": "));
    for (size_t i = 0; i < testing->side_count; i++) {
        const struct result_list *list = sides->cells[i].list;
        buf_add(out, i > 0 ? STR(" v ") : STR(""));
        if (list != NULL)
            buf_add_format(out, "<a href=\"tests/%.*s/%zu.html#c%zu\">",
                           STR_ARG(testing->test->name), list->number, i);
        buf_add_xml(out, testing->sides[i].text);
        buf_add(out, list != NULL ? STR("</a>") : STR(""));
    }
    if (testing->side_count == 0)
        buf_add_xml(out, testing->results[0].sides);
}

void measure_testing_html(const struct measure_testing *testing,
                          const struct result_table *sides, struct buf *out)
{
    struct buf text = {0};
    bool named = testing->count > 1;

    add_what(testing->test, &text);
    buf_add_html(out, "<p>%", buf_str(&text));
    add_sides(testing, sides, out);
    buf_clear(&text);
    add_correction(testing, ". ", &text);
    buf_add_html(out, "%</p>\n", buf_str(&text));
    buf_add_format(out,
                   "<table class=\"numbers\"><thead><tr><th>%s</th><th>%s</th><th>df</th>"
                   "<th>p</th><th>adjusted p</th><th class=\"words\">effect</th>"
                   "<th class=\"words\">result</th></tr></thead><tbody>\n",
                   !named                               ? ""
                   : testing->test->table != STUDY_NONE ? "row"
                                                        : "compared",
                   testing->statistic_name[0] != '\0' ? testing->statistic_name
                                                      : "statistic");
    for (size_t i = 0; i < testing->count; i++) {
        const struct measure_testing_result *result = &testing->results[i];
        buf_add_html(out, "<tr><th scope=\"row\">%</th>", result->name);
        for (int column = 0; column < COLUMNS; column++) {
            buf_clear(&text);
            add_column(testing, result, column, &text);
            buf_add_html(out, column < 4 ? "<td>%</td>" : "<td class=\"words\">%</td>",
                         buf_str(&text));
        }
        buf_add(out, STR("</tr>\n"));
    }
    buf_add(out, STR("</tbody></table>\n"));
    if (testing->warning.len > 0)
        buf_add_html(out, "<p class=\"note\">Warning: %</p>\n", testing->warning);
    buf_free(&text);
}

struct result_table measure_testing_table(const struct measure_testing *testing,
                                          struct arena *arena)
{
    static const char *const names[] = {"statistic", "df",  "p",   "adjusted",
                                        "effect",    "low", "high"};
    struct result_column *columns =
        arena_array(arena, struct result_column, ROWS_OF(names));

    for (size_t n = 0; n < ROWS_OF(names); n++)
        columns[n] =
            (struct result_column){.type = n == 2 || n == 3 ? RESULT_P : RESULT_REAL,
                                   .digits = -1,
                                   .path = str_from(names[n])};
    struct result_table table =
        result_new(testing->test->name, columns, ROWS_OF(names), arena);
    table.numbers = true;
    for (size_t i = 0; i < testing->count; i++) {
        const struct measure_testing_result *it = &testing->results[i];
        const double values[] = {it->statistic, it->df,  it->p,   it->adjusted,
                                 it->effect,    it->low, it->high};
        struct result_cell *cells = result_add_row(&table, it->name, RESULT_NONE, arena);
        if (testing->test->table != STUDY_NONE)
            table.rows[i].slug = it->slug;
        table.rows[i].name = (struct str){0};
        for (size_t n = 0; n < ROWS_OF(names); n++) {
            cells[n] = result_number(values[n]);
            if (isnan(values[n]) && it->undefined != NULL)
                cells[n].undefined = it->undefined;
        }
    }
    return table;
}

static void add_side_items(const struct measure_testing *testing, size_t side,
                           struct result_table *out, struct arena *arena)
{
    struct measure_bits bits = testing->sides[side].items;
    int64_t *ids = arena_array(arena, int64_t, (size_t)measure_bits_count(bits) + 1);
    struct result_evidence evidence = {side, RESULT_NONE,
                                       STR("items that count on this side"), ids, 0};

    MEASURE_BITS_EACH (i, bits)
        ids[evidence.count++] = measure_column_at(testing->ids, i);
    *result_add_row(out, testing->sides[side].name, RESULT_NONE, arena) =
        result_count((int64_t)evidence.count);
    result_add_evidence(out, &evidence, arena);
}

struct result_table measure_testing_sides(const struct measure_testing *testing,
                                          struct arena *arena)
{
    struct result_column *items = arena_array(arena, struct result_column, 1);

    *items = (struct result_column){.type = RESULT_COUNT, .name = STR("items")};
    struct result_table table = result_new(testing->test->name, items, 1, arena);
    for (size_t i = 0; i < testing->side_count; i++)
        add_side_items(testing, i, &table, arena);
    table.apart = true;
    return table;
}
