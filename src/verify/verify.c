/* Each expectation gets a verdict and a line that says all that is needed. */
#include "verify/verify.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "study/keys.h"
#include "verify/expression.h"

struct verifier {
    const struct result_numbers *numbers;
    size_t count;
    struct arena *arena;
    const char *word; /* what expected numbers are */
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

static bool find_numbers(void *context, struct str name, struct arena *arena,
                         struct stats_values *out, struct err *err)
{
    const struct verifier *verifier = context;
    const struct result_numbers *step = step_of(verifier, name);
    const char *part = "";
    size_t count = 0;

    if (step == NULL)
        return no_such_step(verifier, name, err);
    struct str pattern = str_slice(name, step->step.len, name.len);
    const struct result_number **found =
        result_numbers_find(step, pattern, arena, &count);
    if (count == 0) {
        pattern = without_part(pattern, &part);
        if (part[0] != '\0')
            found = result_numbers_find(step, pattern, arena, &count);
    }
    /* A set or sample alone is its size. */
    if (count == 0 && pattern.len == 0)
        found = result_numbers_find(step, STR("count"), arena, &count);
    if (count == 0)
        return err_set(err, ERR_INPUT, "%.*s has no '%.*s'", STR_ARG(step->step),
                       STR_ARG(str_slice(pattern, pattern.len > 0, pattern.len)));
    double *values = arena_array(arena, double, count + 1);
    for (size_t i = 0; i < count; i++) {
        values[i] = part_of(found[i], part);
        if (isnan(values[i]))
            return err_set(err, ERR_INPUT, "%.*s is undefined%s%.*s", STR_ARG(name),
                           found[i]->undefined.len > 0 ? ": " : "",
                           STR_ARG(found[i]->undefined));
    }
    *out = (struct stats_values){values, count};
    return true;
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

/* Whether ours is the value that the study says is right; without one anything is. */
static bool is_right(const struct study_expectation *expectation, double ours)
{
    double value, tolerance;
    int side;

    return expectation->right.len == 0 ||
           (verify_published(expectation->right, &value, &tolerance, &side) &&
            agrees(ours, value, tolerance, side));
}

/* word: "published", or what else it is. */
static void compare(struct verify_line *line, const char *word, struct buf *text)
{
    const struct study_expectation *expectation = line->expectation;
    double published, tolerance;
    int side;

    if (!verify_published(expectation->value, &published, &tolerance, &side)) {
        line->verdict = VERIFY_FAILED;
        buf_add_format(text, "cannot be computed: '%.*s' is not a number",
                       STR_ARG(expectation->value));
        return;
    }
    if (!isnan(expectation->tolerance))
        tolerance = expectation->tolerance;
    bool same = agrees(line->ours, published, tolerance, side);
    bool known = expectation->known.len > 0;
    /* What is as published is no slip: a `known` that no longer holds is unexplained. */
    line->verdict = same && !known ? VERIFY_AS_PUBLISHED
                    : !same && known && is_right(expectation, line->ours)
                        ? VERIFY_KNOWN
                        : VERIFY_DIFFERS;
    if (line->verdict == VERIFY_AS_PUBLISHED) {
        buf_add_format(text, "as %s: %.*s", word, STR_ARG(expectation->value));
        return;
    }
    buf_add_format(text, "%s: %s %.*s, ours ",
                   line->verdict == VERIFY_KNOWN ? "differs: known slip" : "DIFFERS",
                   word, STR_ARG(expectation->value));
    add_like(text, line->ours, expectation->value);
    if (line->verdict == VERIFY_DIFFERS && expectation->right.len > 0)
        buf_add_format(text, ", expected %.*s", STR_ARG(expectation->right));
    if (line->verdict == VERIFY_DIFFERS && same)
        buf_add_format(text, ": as %s, although a slip is declared", word);
    else if (known)
        buf_add_format(text, ": %.*s", STR_ARG(expectation->known));
}

static void verify_one(const struct verifier *verifier, struct verify_line *line)
{
    const struct study_expectation *expectation = line->expectation;
    struct arena scratch = {0};
    struct buf text = {0};
    struct err err = {0};
    struct verifier *context = arena_array(&scratch, struct verifier, 1);

    *context = *verifier;
    line->ours = NAN;
    if (verify_expression_evaluate(expectation->expression, find_numbers, context,
                                   &scratch, &line->ours, &err)) {
        compare(line, verifier->word, &text);
    } else {
        line->verdict = expectation->needs.len > 0 ? VERIFY_CANNOT : VERIFY_FAILED;
        if (expectation->needs.len > 0)
            buf_add_format(&text, "cannot be computed: needs the %.*s",
                           STR_ARG(expectation->needs));
        else
            buf_add_format(&text, "cannot be computed: %s", err.text);
    }
    line->text = buf_keep(&text, verifier->arena);
    arena_free(&scratch);
}

void verify_study(const struct study *study, const struct result_numbers *numbers,
                  size_t count, struct arena *arena, struct verify *out)
{
    struct verifier verifier = {numbers, count, arena, study_expected_word(study)};

    *out = (struct verify){.count = study->expectation_count};
    out->lines = arena_array(arena, struct verify_line, out->count + 1);
    for (size_t i = 0; i < out->count; i++) {
        out->lines[i].expectation = &study->expectations[i];
        verify_one(&verifier, &out->lines[i]);
        out->counts[out->lines[i].verdict]++;
    }
}
