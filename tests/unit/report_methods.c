/* The draft as a whole, and what its parts ask the facts. */
#include "tests/unit/drafted.h"

static void check_nouns(void)
{
    static const struct {
        const char *name;
        double questions, rows;
        const char *says;
    } rows[] = {{"questions", 2, 0, "`x`, – questions: `[x]`"},
                {"rows of tables", 0, 2, "`x`, – rows: `[x]`"},
                {"both", 2, 2, "`x`, – items: `[x]`"},
                {"nothing", 0, 0, "`x`, – items: `[x]`"}};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct result_number corpus[] = {DRAFTED_NUMBER("questions", rows[i].questions),
                                         DRAFTED_NUMBER("rows", rows[i].rows)};
        struct result_numbers numbers = {STR("corpus"), corpus, 2};
        struct drafted test;
        tap_case("a corpus of %s", rows[i].name);
        drafted_begin(&test, "");
        test.facts.numbers = &numbers;
        test.facts.number_count = 1;
        drafted_write(&test, "data");
        CHECK(drafted_says(&test, rows[i].says));
        drafted_end(&test);
    }
}

/* Questions of a dump beside commits and issues. */
static void check_mixed(void)
{
    struct result_number corpus[] = {
        DRAFTED_NUMBER("questions", 5), DRAFTED_NUMBER("rows", 0),
        DRAFTED_FUNNEL("commits", 3, "commits"), DRAFTED_FUNNEL("issues", 1, "issues")};
    struct result_number census[] = {DRAFTED_NUMBER("questions", 5)};
    struct result_numbers numbers[] = {DRAFTED_STEP("corpus", corpus),
                                       DRAFTED_STEP("census", census)};
    struct drafted test;

    tap_case("a corpus of several kinds");
    drafted_begin(&test, "");
    test.facts.numbers = numbers;
    test.facts.number_count = ROWS(numbers);
    drafted_write(&test, "data");
    CHECK(drafted_says(&test, "The corpus holds 3 commits and 1 issue."));
    CHECK(drafted_says(&test, "`x`, – items: `[x]`"));
    CHECK(!drafted_says(&test, "from the 5 questions"));
    drafted_end(&test);

    tap_case("a corpus of commits alone");
    drafted_begin(&test, "");
    corpus[0].value = 0;
    numbers[0].count = 3;
    test.facts.numbers = numbers;
    test.facts.number_count = 1;
    drafted_write(&test, "data");
    CHECK(drafted_says(&test, "`x`, – commits: `[x]`"));
    drafted_end(&test);
}

static void check_whole(void)
{
    struct buf again = {0}, again_latex = {0};
    struct drafted test;

    drafted_begin(&test, "title: A_b\n");
    report_methods_write(&test.facts, &test.markdown, &test.latex);
    report_methods_write(&test.facts, &again, &again_latex);
    tap_case("the same facts give the same bytes");
    CHECK(str_eq(buf_str(&test.markdown), buf_str(&again)));
    CHECK(str_eq(buf_str(&test.latex), buf_str(&again_latex)));
    tap_case("each ends with one line break");
    CHECK(str_ends(buf_str(&again), STR(".\n")) &&
          !str_ends(buf_str(&again), STR("\n\n")));
    CHECK(!str_ends(buf_str(&again_latex), STR("\n\n")));
    buf_add_char(&again, '\0');
    buf_add_char(&again_latex, '\0');
    tap_case("Markdown has the title and the checklist, LaTeX has the paragraphs alone");
    CHECK(strstr(again.ptr, "Study `s`: A\\_b\n\n") != NULL);
    CHECK(strstr(again.ptr, "## Checklist\n") != NULL);
    CHECK(strstr(again_latex.ptr, "\\subsection{Threats to validity}\n") != NULL);
    CHECK(strstr(again_latex.ptr, "Checklist") == NULL);
    buf_free(&again);
    buf_free(&again_latex);
    drafted_end(&test);
}

/* A study that has one of everything that the draft can speak of. */
#define EVERYTHING \
    "study: s\nsources: {a: {stackexchange: d, also: [comments]}, " \
    "b: {rows: r.csv, fields: {kind: Kind}}}\nsets: {x: '[x]'}\n" \
    "tagsets: {g: {seeds: [x]}}\n" \
    "groups: {year: created by year}\nsamples: {p: {of: x, size: 10, seed: 7}}\n" \
    "codebooks: {k: k.yaml}\n" \
    "labelling: {k: {sample: p, codebook: k, raters: [a, b, {model: m, " \
    "url: 'http://localhost:1'}]}}\n" \
    "labels: {l: {from: l.csv}, m: {field: kind}}\n" \
    "classifiers: {c: {train: l, predict: x, seed: 3}}\n" \
    "topics: {t: {of: x, topics: 5, seed: 3}}\n" \
    "phrases: {v: {of: x, decisions: d.csv, unifiers: [a, b], arbiter: c}}\n" \
    "regressions: {r: {of: x, model: cox, on: days to accepted, with: score, " \
    "errors: asker}}\n" \
    "tables: {t: {of: x, columns: [share]}}\n" \
    "tests: {h: {test: pearson, of: x, on: views, with: score, family: f}}\n" \
    "questions: {q: {asks: Why?, method: By hand., answer: Because., findings: It is " \
    "so., " \
    "threats: It may not be.}}\n"

extern const unsigned char report_prose_parts[];
extern const size_t report_prose_parts_len;

/* Goes through the text as the writer does, but into every branch. */
struct walk {
    bool seen[1 << 16]; /* which lists had something in them, by place */
    struct str problem; /* the first name that is unknown */
};

static size_t place_of(const char *at)
{
    return (size_t)(at - (const char *)report_prose_parts);
}

static bool is_word(struct str token, const char *word)
{
    struct str first;

    str_cut(&token, ' ', &first);
    return str_eq(first, str_from(word));
}

static void need(struct walk *walk, const struct report_scope *scope, struct str name)
{
    if (walk->problem.len == 0 && report_find(scope, name) == NULL)
        walk->problem = name;
}

/* The name in a condition, or in what is filled in. */
static void check_token(struct walk *walk, const struct report_scope *scope,
                        struct str token)
{
    static const char *const words[] = {"else", "if", "not"};
    struct str name;

    for (size_t i = 0; i < ROWS(words); i++)
        if (is_word(token, words[i]))
            str_cut(&token, ' ', &name);
    for (size_t i = 0; i < token.len; i++)
        if (memchr(" |:", token.ptr[i], 3) != NULL)
            token.len = i;
    if (token.len > 0 && !is_word(token, "and") && !is_word(token, "recorded"))
        need(walk, scope, token);
}

static void walk_text(struct walk *walk, struct str *rest,
                      const struct report_scope *scope);

static void walk_each(struct walk *walk, struct str name, struct str *rest,
                      const struct report_scope *scope)
{
    const struct report_fact *list = report_find(scope, name);
    const struct report_scope *one = list != NULL ? list->first : NULL;
    struct str body = *rest;

    need(walk, scope, name);
    if (one == NULL) { /* what is in it cannot be looked up here */
        struct walk *blind = arena_array(scope->arena, struct walk, 1);
        blind->problem = name;
        walk_text(blind, rest, scope);
    }
    walk->seen[place_of(name.ptr)] |= one != NULL;
    for (; one != NULL; one = one->next) {
        *rest = body;
        walk_text(walk, rest, one);
    }
}

/* Up to the {end} of a list, or the end of a part. */
static void walk_text(struct walk *walk, struct str *rest,
                      const struct report_scope *scope)
{
    struct str token, word;
    int conditions = 0;

    while (str_cut(rest, '{', &token)) {
        size_t end = 0;
        while (end < rest->len && rest->ptr[end] != '}' && rest->ptr[end] != '{')
            end++;
        token = str_slice(*rest, 0, end);
        *rest = str_slice(*rest, end, rest->len);
        if (is_word(token, "end") && conditions-- == 0)
            return;
        if (is_word(token, "end") || is_word(token, "between"))
            continue;
        if (is_word(token, "part")) {
            str_cut(&token, ' ', &word);
            struct str part = report_prose_part(token);
            walk_text(walk, &part, scope);
            CHECK(part.len == 0); /* no {end} too many */
        } else if (is_word(token, "each")) {
            str_cut(&token, ' ', &word);
            walk_each(walk, token, rest, scope);
        } else {
            conditions += is_word(token, "if");
            check_token(walk, scope, token);
        }
    }
    CHECK(conditions == 0); /* none too few */
}

static void check_names(void)
{
    static const char *const parts[] = {"preface", "method", "checklist"};
    struct str all = {(const char *)report_prose_parts, report_prose_parts_len}, token;
    struct result_number corpus[] = {DRAFTED_NUMBER("questions", 5),
                                     DRAFTED_FUNNEL("commits", 3, "commits")};
    struct result_numbers numbers[ROWS(drafted_numbers)];
    struct report_prose prose = {.numbers = numbers, .number_count = ROWS(numbers)};
    struct str says[2] = {STR(""), STR("")};
    struct report_methods_agreement agreements[2];
    struct report_scope scope = {.prose = &prose};
    struct drafted test;

    drafted_begin(&test, EVERYTHING);
    drafted_label(&test);
    memcpy(numbers, drafted_numbers, sizeof numbers);
    numbers[0] = (struct result_numbers)DRAFTED_STEP("corpus", corpus);
    test.facts.numbers = numbers;
    agreements[0] = agreements[1] = test.agreements[0];
    agreements[0].observed = 0.95; /* high agreement, low kappa */
    agreements[0].value.value = 0.3;
    agreements[1].labelling = STUDY_NONE;
    agreements[1].labels = 0;
    test.facts.agreements = agreements;
    test.facts.agreement_count = 2;
    test.facts.label_says = says;
    scope.arena = &test.arena;
    report_methods_name(&test.facts, &scope);
    struct walk *walk = arena_array(&test.arena, struct walk, 1);
    for (size_t i = 0; i < ROWS(parts); i++) {
        struct str part = report_prose_part(str_from(parts[i]));
        tap_case("every name in the part %s, and in those inside, is known", parts[i]);
        walk_text(walk, &part, &scope);
        CHECK(part.len == 0);
        CHECK_TEXT(arena_c_string(&test.arena, walk->problem), "");
    }
    tap_case("none was left out");
    while (str_cut(&all, '{', &token))
        if (str_starts(all, STR("each ")) && !walk->seen[place_of(all.ptr + 5)])
            CHECK_TEXT(arena_c_string(&test.arena, str_slice(all, 0, 24)), "seen");
    tap_case("one that nobody gives is found");
    token = STR("{if not sources}{if version}{nam}{end}{end}");
    walk_text(walk, &token, &scope);
    CHECK_TEXT(arena_c_string(&test.arena, walk->problem), "nam");
    drafted_end(&test);
}

int main(void)
{
    check_names();
    check_nouns();
    check_mixed();
    check_whole();
    return tap_done();
}
