/* Each expectation gets a verdict and a line that says all that is needed. */
#include "verify/verify.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/near.h"
#include "study/keys.h"
#include "verify/expression.h"

struct verifier {
    const struct study *study;
    const struct result_numbers *numbers;
    size_t count;
    struct arena *arena;
    const char *word;     /* what expected numbers are */
    bool waits;           /* something was asked for that waits for labels, */
    bool undefined;       /* or that is undefined */
    bool computed;        /* something else than printed numbers was asked for */
    struct str elsewhere; /* how the source is another dump than the study is about */
};

/* The number without the commas that part thousands; false when it is too long. */
static bool strip(struct str text, char plain[64], size_t *len)
{
    *len = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == ',')
            continue;
        if (*len == 64)
            return false;
        plain[(*len)++] = text.ptr[i];
    }
    return true;
}

/* The power of ten of its last digit: -3 for 0.018, -6 for 1.2e-5. */
static double last_digit(struct str number)
{
    struct str mantissa, digits;
    int64_t exponent = 0;

    for (size_t i = 0; i < number.len; i++)
        if (number.ptr[i] == 'e' || number.ptr[i] == 'E') {
            size_t sign = i + 1 < number.len && number.ptr[i + 1] == '+';
            (void)!str_to_int(str_slice(number, i + 1 + sign, number.len), &exponent);
            number = str_slice(number, 0, i);
        }
    digits = number;
    return (double)exponent - (str_cut(&digits, '.', &mantissa) ? (double)digits.len : 0);
}

bool verify_published(struct str text, double *value, double *tolerance, int *side)
{
    char plain[64];
    size_t len;

    text = str_trim(text);
    *side = text.len > 0 && text.ptr[0] == '<' ? -1 : text.len > 0 && text.ptr[0] == '>';
    if (*side != 0)
        text = str_trim(str_slice(text, 1, text.len));
    bool percent = str_ends(text, STR("%"));
    if (!strip(str_slice(text, 0, text.len - percent), plain, &len) ||
        !str_to_real((struct str){plain, len}, value))
        return false;
    *tolerance = 0.5 * pow(10, last_digit((struct str){plain, len}));
    if (percent) {
        *value /= 100;
        *tolerance /= 100;
    }
    return true;
}

/* "low", "high" and "n" behind a number's name ask for these. */
static struct str without_part(struct str name, const char **part)
{
    static const char *const parts[] = {".low", ".high", ".n"};

    *part = "";
    for (size_t i = 0; i < ROWS_OF(parts); i++)
        if (str_ends(name, str_from(parts[i]))) {
            *part = parts[i] + 1;
            return str_slice(name, 0, name.len - strlen(parts[i]));
        }
    return name;
}

static double part_of(const struct result_number *number, const char *part)
{
    return strcmp(part, "low") == 0    ? number->low
           : strcmp(part, "high") == 0 ? number->high
           : strcmp(part, "n") != 0    ? number->value
           : number->n < 0             ? NAN
                                       : (double)number->n;
}

/* The step whose name the address begins with; the longest, for names may hold dots. */
static const struct result_numbers *step_of(const struct verifier *verifier,
                                            struct str name)
{
    const struct result_numbers *found = NULL;

    for (size_t i = 0; i < verifier->count; i++) {
        struct str step = verifier->numbers[i].step;
        bool begins = str_starts(name, step) &&
                      (name.len == step.len || name.ptr[step.len] == '.' ||
                       name.ptr[step.len] == '[');
        if (begins && (found == NULL || step.len > found->step.len))
            found = &verifier->numbers[i];
    }
    return found;
}

/* "tables.bgus" of "tables.bgus.crash.count". */
static struct str step_part(struct str name)
{
    size_t dots = 0, len = 0;

    for (; len < name.len; len++) {
        dots += name.ptr[len] == '.';
        if (dots == 2 || name.ptr[len] == '[')
            break;
    }
    return str_slice(name, 0, len);
}

static bool no_such_step(const struct verifier *verifier, struct str name,
                         struct err *err)
{
    struct str *names = arena_array(verifier->arena, struct str, verifier->count + 1);

    for (size_t i = 0; i < verifier->count; i++)
        names[i] = verifier->numbers[i].step;
    size_t near = near_find(step_part(name), names, verifier->count);
    return err_set(err, ERR_INPUT, "there is no '%.*s'%s%.*s%s", STR_ARG(name),
                   near < verifier->count ? "; did you mean '" : "",
                   near < verifier->count ? (int)names[near].len : 0,
                   near < verifier->count ? names[near].ptr : "",
                   near < verifier->count ? "'?" : "");
}

/* Whether the step is a table of numbers as the paper has them, or a test of one. */
static bool is_printed(const struct verifier *verifier, struct str step)
{
    const struct study *study = verifier->study;

    for (size_t i = 0; i < study->table_count; i++)
        if (study->tables[i].printed && str_starts(step, STR("tables.")) &&
            str_eq(str_slice(step, strlen("tables."), step.len), study->tables[i].name))
            return true;
    for (size_t i = 0; i < study->test_count; i++)
        if (study->tests[i].table < study->table_count &&
            study->tables[study->tests[i].table].printed &&
            str_starts(step, STR("tests.")) &&
            str_eq(str_slice(step, strlen("tests."), step.len), study->tests[i].name))
            return true;
    return false;
}

/* The numbers of a name; *part is "low", "high" or "n" of them, if not empty. */
static bool match(struct verifier *verifier, struct str name, struct arena *arena,
                  const struct result_number ***found, size_t *count, const char **part,
                  struct err *err)
{
    const struct result_numbers *step = step_of(verifier, name);

    *part = "";
    if (step == NULL)
        return no_such_step(verifier, name, err);
    if (step->at == NULL) {
        verifier->waits = true;
        return err_set(err, ERR_INPUT, "%.*s waits for labels", STR_ARG(step->step));
    }
    verifier->computed = verifier->computed || !is_printed(verifier, step->step);
    struct str pattern = str_slice(name, step->step.len, name.len);
    *found = result_numbers_find(step, pattern, arena, count);
    if (*count == 0) {
        pattern = without_part(pattern, part);
        if (**part != '\0')
            *found = result_numbers_find(step, pattern, arena, count);
    }
    /* A set or sample alone is its size. */
    if (*count == 0 && pattern.len == 0)
        *found = result_numbers_find(step, STR("count"), arena, count);
    return *count > 0 ||
           err_set(err, ERR_INPUT, "%.*s has no '%.*s'", STR_ARG(step->step),
                   STR_ARG(str_slice(pattern, pattern.len > 0, pattern.len)));
}

static bool find_numbers(void *context, struct str name, struct arena *arena,
                         struct stats_values *out, struct err *err)
{
    const struct result_number **found;
    const char *part;
    size_t count;

    if (!match(context, name, arena, &found, &count, &part, err))
        return false;
    double *values = arena_array(arena, double, count + 1);
    for (size_t i = 0; i < count; i++) {
        values[i] = part_of(found[i], part);
        if (!isnan(values[i]))
            continue;
        ((struct verifier *)context)->undefined = true;
        return err_set(err, ERR_INPUT, "%.*s is undefined%s%.*s", STR_ARG(name),
                       found[i]->undefined.len > 0 ? ": " : "",
                       STR_ARG(found[i]->undefined));
    }
    *out = (struct stats_values){values, count};
    return true;
}

/* The number of the census; NAN: it is not known. */
static double census(const struct verifier *verifier, const char *name)
{
    for (size_t i = 0; i < verifier->count; i++)
        for (size_t n = 0; n < verifier->numbers[i].count; n++)
            if (str_eq(verifier->numbers[i].step, STR("census")) &&
                str_eq(verifier->numbers[i].at[n].column, str_from(name)))
                return verifier->numbers[i].at[n].value;
    return NAN;
}

/* A dump is known by its site, size and newest post: one that ends a little earlier is
 * the same, one with more than a few later posts was made later, when others had been
 * deleted, viewed and voted on. */
static struct str other_dump(const struct verifier *verifier)
{
    const struct study *study = verifier->study;
    double newest = census(verifier, "newest"), questions = census(verifier, "questions");
    double late = census(verifier, "late");
    bool right_site = study->dump_site.len == 0;
    struct buf text = {0};

    for (size_t i = 0; i < study->source_count; i++)
        right_site = right_site || str_eq(study->sources[i].site, study->dump_site);
    if (study->dump_site.len == 0)
        return (struct str){0};
    if (!right_site)
        buf_add(&text, STR("is not said to be of that site (`site:`)"));
    else if (isnan(newest))
        buf_add(&text, STR("has no posts with a date"));
    else if (questions < study->dump_questions)
        buf_add_format(&text, "has %.0f question%s only", questions,
                       str_plural((int64_t)questions));
    else if (newest < (double)(study->dump_newest_ms - 3 * DATE_DAY_MS)) {
        buf_add(&text, STR("ends on "));
        date_add_day(&text, (int64_t)newest);
    } else if (late > 0.01 * questions)
        buf_add_format(&text, "has %.0f later posts", late);
    return buf_keep(&text, verifier->arena);
}

/* Numbers next to each other are printed alike: with the digits of the published one. */
static void add_like(struct buf *out, double ours, struct str published)
{
    double value, tolerance;
    int side;
    bool percent = str_ends(str_trim(published), STR("%"));

    if (!verify_published(published, &value, &tolerance, &side))
        return;
    int digits = (int)lround(-log10(tolerance * 2 * (percent ? 100 : 1)));
    double shown = ours * (percent ? 100 : 1);
    /* One digit more shows on which side of a half it lies; whole numbers need none. */
    digits = (digits > 0 ? digits : 0) + (shown != floor(shown));
    /* What is not 0 is never shown as such. */
    bool vanishes = shown != 0 && fabs(shown) < 0.5 * pow(10, -digits);
    buf_add_format(out, vanishes ? "%.*g%s" : "%.*f%s", vanishes ? 2 : digits, shown,
                   percent ? "%" : "");
}

static bool agrees(double ours, double published, double tolerance, int side)
{
    /* A hair more, for decimal fractions that have no exact binary form. */
    if (side != 0)
        return side < 0 ? ours < published : ours > published;
    return fabs(ours - published) <=
           tolerance * (1 + 1e-9) + 4 * DBL_EPSILON * fabs(published);
}

static bool is_number(struct str text)
{
    double value, tolerance;
    int side;

    return verify_published(text, &value, &tolerance, &side);
}

/* Whether a number is what a text says, within half a unit of its last digit. */
static bool is_as(struct str text, double number)
{
    double value, tolerance;
    int side;

    return verify_published(text, &value, &tolerance, &side) &&
           agrees(number, value, tolerance, side);
}

/* A cell of a table or a number, and nothing done with it. */
static bool is_bare(struct str expression)
{
    for (size_t i = 0; i < expression.len; i++)
        if (strchr(" +/(),\n", expression.ptr[i]) != NULL)
            return false;
    return !str_starts(expression, STR("tests."));
}

/* Whether the study's reason for a difference holds: then the study's way to the
 * published value leads there. *why_not gets what is against it. */
static enum verify_verdict judge_reason(struct verifier *verifier,
                                        const struct study_expectation *expectation,
                                        double ours, struct arena *arena,
                                        struct buf *why_not)
{
    double reproduced = NAN;
    struct err err = {0};

    if (expectation->known.len == 0)
        return VERIFY_DIFFERS;
    if (expectation->right.len > 0 && !is_as(expectation->right, ours)) {
        buf_add_format(why_not, ", expected %.*s", STR_ARG(expectation->right));
        return VERIFY_DIFFERS;
    }
    if (expectation->reproduces.len == 0) /* what was planted needs no more */
        return verifier->study->simulated ? VERIFY_KNOWN : VERIFY_UNPROVEN;
    verifier->computed = false;
    bool ok = verify_expression_evaluate(expectation->reproduces, find_numbers, verifier,
                                         arena, &reproduced, &err);
    if (ok && !verifier->computed && is_bare(expectation->reproduces))
        ok = err_set(&err, ERR_INPUT, "a printed number is compared with itself");
    if (!ok) {
        buf_add_format(why_not, ", `reproduces` cannot be computed: %s", err.text);
        return VERIFY_DIFFERS;
    }
    if (is_as(expectation->value, reproduced))
        return VERIFY_KNOWN;
    buf_add(why_not, STR(", `reproduces` gives "));
    add_like(why_not, reproduced, expectation->value);
    return VERIFY_DIFFERS;
}

static const char *const differs[VERIFY_VERDICTS] = {
    [VERIFY_KNOWN] = "differs: known slip",
    [VERIFY_UNPROVEN] = "differs for an unproven reason",
    [VERIFY_DIFFERS] = "DIFFERS",
};

static const char *const made_from[VERIFY_BASES] = {
    [VERIFY_ROWS] = "",
    [VERIFY_PRINTED] = ", from printed numbers alone",
    [VERIFY_OWN] = ", a number of our own",
};

static void compare(struct verifier *verifier, struct verify_line *line,
                    struct arena *arena, struct buf *text)
{
    const struct study_expectation *expectation = line->expectation;
    double published, tolerance;
    struct buf why_not = {0};
    int side;

    bool number = verify_published(expectation->value, &published, &tolerance, &side);
    assert(number);
    (void)number;
    if (!isnan(expectation->tolerance))
        tolerance = expectation->tolerance;
    bool same = agrees(line->ours, published, tolerance, side);
    if (same && expectation->known.len == 0) {
        line->verdict = VERIFY_AS_PUBLISHED;
        buf_add_format(text, "as %s: %.*s%s",
                       line->basis == VERIFY_OWN ? "before" : verifier->word,
                       STR_ARG(expectation->value), made_from[line->basis]);
        return;
    }
    /* What is as published is no slip: a `known` that no longer holds is unexplained. */
    line->verdict =
        same ? VERIFY_DIFFERS
             : judge_reason(verifier, expectation, line->ours, arena, &why_not);
    buf_add_format(text, "%s: %s %.*s, ours ", differs[line->verdict],
                   line->basis == VERIFY_OWN ? "before" : verifier->word,
                   STR_ARG(expectation->value));
    add_like(text, line->ours, expectation->value);
    buf_add(text, buf_str(&why_not));
    if (same)
        buf_add_format(text, ": as %s, although a slip is declared", verifier->word);
    else if (expectation->known.len > 0)
        buf_add_format(text, ": %.*s", STR_ARG(expectation->known));
    buf_free(&why_not);
}

static void verify_one(struct verifier *verifier, struct verify_line *line)
{
    const struct study_expectation *expectation = line->expectation;
    struct arena scratch = {0};
    struct buf text = {0};
    struct err err = {0};

    line->ours = NAN;
    if (!is_number(expectation->value)) {
        line->verdict = VERIFY_FAILED;
        line->text = arena_format(verifier->arena,
                                  "cannot be compared: the value '%.*s' is not a number "
                                  "as printed, such as 1,301, 70.7%% or < .05",
                                  STR_ARG(expectation->value));
        return;
    }
    verifier->computed = verifier->waits = false;
    bool ok = verify_expression_evaluate(expectation->expression, find_numbers, verifier,
                                         &scratch, &line->ours, &err);
    line->basis = expectation->own     ? VERIFY_OWN
                  : verifier->computed ? VERIFY_ROWS
                                       : VERIFY_PRINTED;
    if (ok && line->basis == VERIFY_PRINTED && is_bare(expectation->expression))
        ok = err_set(&err, ERR_INPUT, "a printed number is compared with itself");
    if (ok && expectation->needs_dump && verifier->elsewhere.len > 0) {
        line->verdict = VERIFY_ELSEWHERE;
        buf_add_format(&text, "not compared: %s %.*s, ours ", verifier->word,
                       STR_ARG(expectation->value));
        add_like(&text, line->ours, expectation->value);
        buf_add_format(&text, ": needs the dump of %.*s of ",
                       STR_ARG(verifier->study->dump_site));
        date_add_day(&text, verifier->study->dump_newest_ms);
    } else if (ok)
        compare(verifier, line, &scratch, &text);
    else {
        line->verdict =
            expectation->needs.len > 0 || verifier->waits ? VERIFY_CANNOT : VERIFY_FAILED;
        if (expectation->needs.len > 0)
            buf_add_format(&text, "cannot be computed: needs the %.*s",
                           STR_ARG(expectation->needs));
        else
            buf_add_format(&text, "cannot be computed: %s", err.text);
    }
    line->text = buf_keep(&text, verifier->arena);
    arena_free(&scratch);
}

void verify_add_counts(const struct verify *verify, const char *word, struct buf *out)
{
    const struct {
        size_t count;
        const char *one, *many; /* many is NULL: it is the same */
        bool always;
    } parts[] = {
        {verify->as_published[VERIFY_PRINTED], "from printed numbers alone", NULL, false},
        {verify->as_published[VERIFY_OWN], "number of our own as before",
         "numbers of our own as before", false},
        {verify->counts[VERIFY_KNOWN], "known slip", "known slips", true},
        {verify->counts[VERIFY_UNPROVEN], "differs for an unproven reason",
         "differ for an unproven reason", false},
        {verify->counts[VERIFY_ELSEWHERE], "needs another dump", "need another dump",
         false},
        {verify->counts[VERIFY_CANNOT] + verify->counts[VERIFY_FAILED],
         "cannot be computed", NULL, true},
        {verify->counts[VERIFY_FAILED], "of these for no reason that is given", NULL,
         false},
        {verify->counts[VERIFY_DIFFERS], "unexplained", NULL, true},
    };

    buf_add_format(out, "%zu expectation%s: %zu as %s", verify->count,
                   str_plural((int64_t)verify->count), verify->as_published[VERIFY_ROWS],
                   word);
    for (size_t i = 0; i < ROWS_OF(parts); i++)
        if (parts[i].count > 0 || parts[i].always)
            buf_add_format(out, ", %zu %s", parts[i].count,
                           parts[i].count == 1 || parts[i].many == NULL ? parts[i].one
                                                                        : parts[i].many);
}

void verify_study(const struct study *study, const struct result_numbers *numbers,
                  size_t count, struct arena *arena, struct verify *out)
{
    struct verifier verifier = {.study = study,
                                .numbers = numbers,
                                .count = count,
                                .arena = arena,
                                .word = study_expected_word(study)};

    verifier.elsewhere = other_dump(&verifier);
    *out = (struct verify){.count = study->expectation_count,
                           .elsewhere = verifier.elsewhere};
    out->lines = arena_array(arena, struct verify_line, out->count + 1);
    for (size_t i = 0; i < out->count; i++) {
        out->lines[i].expectation = &study->expectations[i];
        verify_one(&verifier, &out->lines[i]);
        out->counts[out->lines[i].verdict]++;
        if (out->lines[i].verdict == VERIFY_AS_PUBLISHED)
            out->as_published[out->lines[i].basis]++;
    }
}

/* A number in a text. What it was when the text was written says how it is printed; else
 * a number by its address is printed as its table does, and what is computed with 4
 * digits. */
static void print_number(struct verifier *verifier, double value,
                         struct verify_piece *piece, struct buf *out)
{
    struct result_number plain = {.type = RESULT_REAL, .digits = -1};
    const struct result_number **found = NULL;
    size_t count = 0;
    const char *part = "";
    struct err err;
    double was, tolerance;
    int side;

    if (piece->was.len > 0 && verify_published(piece->was, &was, &tolerance, &side)) {
        bool percent = str_ends(piece->was, STR("%"));
        int digits = (int)lround(-log10(tolerance * 2 * (percent ? 100 : 1)));
        if (agrees(value, was, tolerance, side)) {
            buf_add(out, piece->was);
            piece->was = (struct str){0};
            return;
        }
        plain.type = side != 0 ? RESULT_P : percent ? RESULT_SHARE : RESULT_REAL;
        plain.digits = digits > 0 ? digits : 0;
    } else if (!match(verifier, piece->expression, verifier->arena, &found, &count, &part,
                      &err) ||
               count != 1) {
        count = 0;
    }
    if (count == 1 && strcmp(part, "n") != 0)
        plain = *found[0];
    result_numbers_show(&plain, value, out);
}

static void fill_in(struct verifier *verifier, struct verify_piece *piece)
{
    struct str rest = piece->expression, expression;
    struct buf text = {0};
    struct err err = {0};
    double value, was, tolerance;
    int side;

    verifier->waits = verifier->undefined = false;
    if (str_cut(&rest, '=', &expression))
        piece->was = str_trim(rest);
    piece->expression = str_trim(expression);
    if (piece->was.len > 0 && !verify_published(piece->was, &was, &tolerance, &side))
        (void)err_set(&err, ERR_INPUT, "'%.*s' is not a number", STR_ARG(piece->was));
    else if (verify_expression_evaluate(piece->expression, find_numbers, verifier,
                                        verifier->arena, &value, &err))
        print_number(verifier, value, piece, &text);
    piece->unknown = verifier->waits || verifier->undefined;
    if (text.len == 0) {
        piece->wrong = arena_copy(verifier->arena, str_from(err.text));
        buf_add(&text, STR("??"));
    }
    piece->text = buf_keep(&text, verifier->arena);
}

struct verify_piece *verify_fill(const struct study *study,
                                 const struct result_numbers *numbers,
                                 size_t number_count, struct str text,
                                 struct arena *arena, size_t *count)
{
    struct verifier verifier = {
        .study = study, .numbers = numbers, .count = number_count, .arena = arena};
    struct verify_piece *pieces = arena_array(arena, struct verify_piece, text.len + 1);
    struct str words;

    *count = 0;
    while (text.len > 0) {
        bool open = str_cut(&text, '{', &words);
        if (words.len > 0)
            pieces[(*count)++].text = words;
        if (!open)
            break;
        struct verify_piece *piece = &pieces[(*count)++];
        if (!str_cut(&text, '}', &piece->expression))
            text = (struct str){0};
        fill_in(&verifier, piece);
    }
    return pieces;
}
