/* Tests and expectations of the study file. */
#include <math.h>

#include "base/date.h"
#include "result/numbers.h"
#include "result/result.h"
#include "study/internal.h"

struct str *study_read_slugs(struct study_reader *reader, const struct yaml_node *node,
                             size_t *count)
{
    struct str *texts = study_read_texts(reader, node, count);

    for (size_t i = 0; i < *count; i++) {
        struct buf slug = {0};
        result_slug(texts[i], &slug);
        texts[i] = buf_keep(&slug, reader->arena);
    }
    return texts;
}

void study_read_check_columns(struct study_reader *reader,
                              const struct yaml_node *section, const char *key,
                              size_t table)
{
    const struct yaml_node *node = yaml_get(section, str_from(key));
    size_t count;
    struct str *names = study_read_slugs(reader, node, &count);
    const struct study_table *of =
        table != STUDY_NONE ? &reader->study->tables[table] : NULL;
    struct buf all = {0};

    if (of == NULL || of->from != NULL || of->across_count > 0 || of->column_count == 0)
        return;
    for (size_t c = 0; c < of->column_count; c++)
        buf_add_format(&all, "%s%.*s", c > 0 ? ", " : "", STR_ARG(of->columns[c].slug));
    for (size_t i = 0; i < count; i++) {
        size_t c = 0;
        while (c < of->column_count &&
               !result_numbers_column_is(of->columns[c].slug, names[i]))
            c++;
        if (c == of->column_count)
            study_keys_complain(
                &reader->problems, node->type == YAML_SEQUENCE ? &node->items[i] : node,
                "table '%.*s' has no column '%.*s'; it has %.*s", STR_ARG(of->name),
                STR_ARG(names[i]), STR_ARG(buf_str(&all)));
    }
    buf_free(&all);
}

/* In the order of enum study_test_kind. */
static const char *const kinds[] = {
    "proportion",     "chi-square", "fisher",       "student",
    "welch",          "paired",     "mann-whitney", "wilcoxon",
    "kruskal-wallis", "friedman",   "log-rank",     "mann-kendall",
    "scott-knott",    "pearson",    "spearman",     "kendall"};

static bool compares_counts(enum study_test_kind kind)
{
    return kind <= STUDY_FISHER;
}

static bool compares_two(enum study_test_kind kind)
{
    return kind == STUDY_PROPORTION || kind == STUDY_STUDENT || kind == STUDY_WELCH ||
           kind == STUDY_MANN_WHITNEY;
}

static bool correlates(enum study_test_kind kind)
{
    return kind >= STUDY_PEARSON;
}

static void read_measure(struct study_reader *reader, const struct yaml_node *node,
                         const char *key, struct study_measure *out)
{
    struct str text = study_read_text(node, key);
    struct err checked = {0};

    if (text.len > 0 &&
        study_measure_parse(text, &reader->own, reader->arena, out, &checked))
        study_read_check_measure(reader, yaml_get(node, str_from(key)), out);
}

static void check_table_test(struct study_reader *reader, const struct study_test *test)
{
    study_read_check_columns(reader, test->node, "first", test->table);
    study_read_check_columns(reader, test->node, "second", test->table);
    if (test->first_count == 0)
        study_keys_complain(&reader->problems, test->node,
                            "a test on a table needs `first`: the columns of one side");
    if (test->second_count == 0 && test->kind != STUDY_MANN_KENDALL &&
        test->kind != STUDY_KRUSKAL_WALLIS && test->kind != STUDY_FRIEDMAN &&
        test->kind != STUDY_CHI_SQUARE && test->kind != STUDY_FISHER)
        study_keys_complain(
            &reader->problems, test->node,
            "this test on a table needs `second`: the columns of the other side");
    if (test->second_count == 0 && compares_counts(test->kind) &&
        test->each == STUDY_EACH_ROW)
        study_keys_complain(
            &reader->problems, test->node,
            "`each: row` needs `second`: a row's counts on both sides are "
            "compared with those of all other rows");
    if (test->first_count == 1 &&
        (test->kind == STUDY_KRUSKAL_WALLIS || test->kind == STUDY_FRIEDMAN))
        study_keys_complain(&reader->problems, test->node,
                            "'%s' on a table needs two columns or more in `first`",
                            kinds[test->kind]);
    if (test->kind == STUDY_LOG_RANK || test->kind == STUDY_SCOTT_KNOTT ||
        test->kind == STUDY_PROPORTION)
        study_keys_complain(&reader->problems, test->node,
                            "'%s' compares items, not the cells of a table",
                            kinds[test->kind]);
}

static void check_item_test(struct study_reader *reader, const struct study_test *test)
{
    struct study_keys_problems *problems = &reader->problems;
    bool quantity = test->on.kind == STUDY_MEASURE_EACH;

    if (test->on_text.len == 0) {
        study_keys_complain(problems, test->node,
                            "the key 'on' is missing: what is compared");
        return;
    }
    if (test->kind == STUDY_MANN_KENDALL || test->kind == STUDY_FRIEDMAN ||
        test->kind == STUDY_PAIRED || test->kind == STUDY_WILCOXON)
        study_keys_complain(
            problems, test->node,
            "'%s' compares the cells of a table: give `table` and `first`",
            kinds[test->kind]);
    else if (compares_counts(test->kind) && test->on.kind != STUDY_MEASURE_PART)
        study_keys_complain(
            problems, test->node,
            "'%s' compares shares: `on` must be such as 'share without accepted'",
            kinds[test->kind]);
    else if (!compares_counts(test->kind) && !quantity)
        study_keys_complain(
            problems, test->node,
            "'%s' compares the items' values: `on` must be such as 'minutes to "
            "accepted', without median or share",
            kinds[test->kind]);
    else if (test->kind == STUDY_LOG_RANK && !study_measure_is_time(&test->on))
        study_keys_complain(problems, yaml_get(test->node, STR("on")),
                            "'log-rank' compares waiting times such as 'days to "
                            "accepted', not '%.*s'",
                            STR_ARG(test->on_text));
    if (test->compare_count > 2 && compares_two(test->kind))
        study_keys_complain(problems, yaml_get(test->node, STR("compare")),
                            "'%s' compares two groups, but there are %zu; kruskal-wallis "
                            "or chi-square compare more",
                            kinds[test->kind], test->compare_count);
    if (test->compare_count > 0 && (test->by != STUDY_NONE || test->of.len > 0))
        study_keys_complain(
            problems, test->node,
            "`compare` names the sides itself: it goes with neither `of` nor `by`");
    if (correlates(test->kind) ? study_read_text(test->node, "with").len == 0
                               : test->compare_count < 2 && test->by == STUDY_NONE)
        study_keys_complain(
            problems, test->node,
            correlates(test->kind)
                ? "a correlation needs `with`: the second quantity"
                : "expected `compare` with two sets or more, or `by` with a group");
}

static void check_sides(struct study_reader *reader, const struct study_test *test)
{
    for (size_t i = 0; i < test->compare_count; i++)
        for (size_t k = 0; k < i; k++)
            if (str_eq(test->compare[i], test->compare[k])) {
                study_keys_complain(&reader->problems,
                                    &yaml_get(test->node, STR("compare"))->items[i],
                                    "'%.*s' is there already: a set is not compared "
                                    "with itself",
                                    STR_ARG(test->compare[i]));
                break;
            }
}

static void read_test(struct study_reader *reader, const struct yaml_node *node,
                      struct study_test *test)
{
    struct str kind = study_read_text(node, "test"),
               correct = study_read_text(node, "correct");
    int64_t seed = 0;
    size_t k = 0;

    if (node->type != YAML_MAPPING)
        return;
    while (k < ROWS_OF(kinds) && !str_eq(kind, str_from(kinds[k])))
        k++;
    if (k < ROWS_OF(kinds))
        test->kind = (enum study_test_kind)k;
    test->compare =
        study_read_texts(reader, yaml_get(node, STR("compare")), &test->compare_count);
    check_sides(reader, test);
    test->title = study_read_text(node, "title");
    test->of = study_read_text(node, "of");
    test->by = study_find_group(reader->study, study_read_text(node, "by"));
    test->on_text = study_read_text(node, "on");
    read_measure(reader, node, "on", &test->on);
    read_measure(reader, node, "with", &test->with);
    test->table = study_find_table(reader->study, study_read_text(node, "table"));
    test->each = study_read_is(node, "each", "row")     ? STUDY_EACH_ROW
                 : study_read_is(node, "each", "block") ? STUDY_EACH_BLOCK
                                                        : STUDY_EACH_TABLE;
    test->first =
        study_read_slugs(reader, yaml_get(node, STR("first")), &test->first_count);
    test->second =
        study_read_slugs(reader, yaml_get(node, STR("second")), &test->second_count);
    test->yates = !study_read_is(node, "yates", "no");
    test->stars = study_read_is(node, "stars", "yes");
    test->round_first = (int)study_read_number(node, "round-first", -1);
    test->correct = str_eq(correct, STR("none"))                 ? STUDY_NO_CORRECTION
                    : str_eq(correct, STR("bonferroni"))         ? STUDY_BONFERRONI
                    : str_eq(correct, STR("benjamini-hochberg")) ? STUDY_BENJAMINI
                                                                 : STUDY_HOLM;
    test->level = study_read_number(node, "level", 0.05);
    str_to_int(study_read_text(node, "seed"), &seed);
    test->seed = (uint64_t)seed;
    if (k == ROWS_OF(kinds))
        return; /* as has been said */
    if (yaml_get(node, STR("table")) != NULL)
        check_table_test(reader, test);
    else
        check_item_test(reader, test);
}

/* The family of that name, which the first test of it makes. */
static struct study_family *family_of(struct study *study, struct str name,
                                      const struct study_test *first)
{
    for (size_t i = 0; i < study->family_count; i++)
        if (str_eq(study->families[i].name, name))
            return &study->families[i];
    struct study_family *family = &study->families[study->family_count++];
    family->name = name;
    family->correct = first->correct;
    family->level = first->level;
    return family;
}

static void read_families(struct study_reader *reader, const struct yaml_node *tests)
{
    struct study *study = reader->study;

    study->families = arena_array(reader->arena, struct study_family, tests->count + 1);
    for (size_t i = 0; i < tests->count; i++) {
        struct str name = study_read_text(&tests->items[i], "family");
        if (name.len == 0)
            continue;
        if (!study_keys_is_name(name)) {
            study_keys_complain(
                &reader->problems, yaml_get(&tests->items[i], STR("family")),
                "expected a name of letters a to z, digits, - _ . that begins with a "
                "letter, found '%.*s'",
                STR_ARG(name));
            continue;
        }
        struct study_family *family = family_of(study, name, &study->tests[i]);
        if (family->tests == NULL)
            family->tests = arena_array(reader->arena, size_t, tests->count + 1);
        family->tests[family->count++] = i;
    }
}

void study_read_tests(struct study_reader *reader)
{
    const struct yaml_node *tests = study_read_section(reader, "tests");
    struct study *study = reader->study;

    study->tests =
        STUDY_READ_NAMED(reader, "tests", struct study_test, &study->test_count);
    for (size_t i = 0; i < tests->count; i++)
        read_test(reader, &tests->items[i], &study->tests[i]);
    read_families(reader, tests);
}

/* An expression that is expected twice has "#2" behind it, since keys are there once. */
static struct str without_number(struct str expression)
{
    struct str rest = expression, head;

    str_cut(&rest, '#', &head);
    return str_trim(head);
}

const char *study_expected_word(const struct study *study)
{
    return study->simulated ? "planted" : "published";
}

static void read_needs(struct study_reader *reader, const struct yaml_node *node,
                       struct study_expectation *out)
{
    size_t count = 0;
    struct str *needs = study_read_texts(reader, node, &count);
    struct buf text = {0};

    for (size_t i = 0; i < count; i++) {
        buf_add_format(&text, "%s%.*s", i > 0 ? " and the " : "", STR_ARG(needs[i]));
        out->needs_dump = out->needs_dump || str_eq(needs[i], STR("dump"));
    }
    out->needs = buf_keep(&text, reader->arena);
}

void study_read_expectations(struct study_reader *reader)
{
    const struct yaml_node *expect = study_read_section(reader, "expect");
    const struct yaml_node *dump = study_read_section(reader, "dump");
    struct study *study = reader->study;

    study->dump_site = study_read_text(dump, "site");
    (void)date_parse(study_read_text(dump, "newest"), &study->dump_newest_ms);
    study->dump_questions = study_read_number(dump, "questions", 0);

    study->expectations =
        arena_array(reader->arena, struct study_expectation, expect->count + 1);
    study->expectation_count = expect->count;
    for (size_t i = 0; i < expect->count; i++) {
        const struct yaml_node *node = &expect->items[i];
        struct study_expectation *one = &study->expectations[i];
        *one = (struct study_expectation){
            .expression = without_number(expect->keys[i].text),
            .value =
                node->type == YAML_SCALAR ? node->text : study_read_text(node, "value"),
            .source = study_read_text(node, "source"),
            .known = study_read_text(node, "known"),
            .reproduces = study_read_text(node, "reproduces"),
            .own = study_read_is(node, "printed", "no"),
            .right = study_read_text(node, "right"),
            .tolerance = study_read_number(node, "tolerance", NAN),
            .line = expect->keys[i].line};
        read_needs(reader, yaml_get(node, STR("needs")), one);
        if (one->right.len > 0 && one->known.len == 0)
            study_keys_complain(
                &reader->problems, node,
                "`right` needs `known`: why the published value is wrong");
        if (one->reproduces.len > 0 && one->known.len == 0)
            study_keys_complain(
                &reader->problems, node,
                "`reproduces` needs `known`: what it shows to be the reason");
    }
}
