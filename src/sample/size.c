/* The arithmetic of sample sizes, and the text in which studies give them. */
#include "sample/size.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base/compiler.h"
#include "base/near.h"
#include "base/real.h"
#include "sample/internal.h"

struct ratio {
    double over[8], under[8]; /* coefficients, constant term first */
};

static const struct ratio middle = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
     1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
     2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3},
};

static const struct ratio near_tail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9},
};

static const struct ratio far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15},
};

static double at(const struct ratio *ratio, double x)
{
    double over = 0, under = 0;

    for (size_t i = ROWS_OF(ratio->over); i-- > 0;) {
        over = over * x + ratio->over[i];
        under = under * x + ratio->under[i];
    }
    return over / under;
}

double sample_normal_quantile(double p)
{
    double q = p - 0.5;

    if (isnan(p) || p < 0 || p > 1)
        return NAN;
    if (p == 0 || p == 1)
        return p == 0 ? -INFINITY : INFINITY;
    if (fabs(q) <= 0.425)
        return q * at(&middle, 0.180625 - q * q);
    double r = sqrt(-real_log(q < 0 ? p : 1 - p));
    double z = r <= 5 ? at(&near_tail, r - 1.6) : at(&far_tail, r - 5);
    return q < 0 ? -z : z;
}

double sample_normal_upper_quantile(double p)
{
    return -sample_normal_quantile(p);
}

/* Of a percentage. So few digits survive the way to a share and back exactly. */
enum { DECIMALS_MAX = 9 };

/* A single share's variance times the square of its z; sizes are this over margin^2. */
static double spread_of_one(const struct sample_size_rule *rule)
{
    double share = rule->share > 0 ? rule->share : 0.5;
    double z = sample_normal_upper_quantile((1 - rule->confidence) / 2);

    return z * z * share * (1 - share);
}

/* The largest term is among the first: z(m)^2 is at most 2 ln(m / (1 - confidence)), so
 * from m = 100 on every term is below that of m = 2. */
static double spread_of_many(const struct sample_size_rule *rule)
{
    double largest = 0;

    for (int m = 2; m <= rule->categories && m < 100; m++) {
        double z = sample_normal_upper_quantile((1 - rule->confidence) / (2.0 * m));
        largest = fmax(largest, z * z * (m - 1) / ((double)m * m));
    }
    return largest;
}

static double spread(const struct sample_size_rule *rule)
{
    assert(rule->confidence >= 0.5 && rule->confidence < 1);
    assert(rule->share >= 0 && rule->share < 1);

    return rule->categories > 2 ? spread_of_many(rule) : spread_of_one(rule);
}

double sample_size_unlimited(const struct sample_size_rule *rule)
{
    assert(rule->margin >= 1e-12 && rule->margin < 1);

    return spread(rule) / (rule->margin * rule->margin);
}

/* To a whole number from 1 to the frame. What is a whole number but for the rounding of
 * its computation, such as 20% of 15, counts as whole. */
static int64_t rounded(double size, enum sample_size_round round, int64_t frame)
{
    double nearest = floor(size + 0.5);

    if (fabs(size - nearest) > 1e-9 * nearest)
        nearest = round == SAMPLE_SIZE_UP     ? ceil(size)
                  : round == SAMPLE_SIZE_DOWN ? floor(size)
                                              : nearest;
    if (nearest >= (double)frame)
        return frame;
    return nearest < 1 ? 1 : (int64_t)nearest;
}

int64_t sample_size_needed(const struct sample_size_rule *rule, int64_t frame)
{
    double unlimited = sample_size_unlimited(rule);

    if (frame <= 0)
        return 0;
    return rounded(unlimited / (1 + (unlimited - 1) / (double)frame), rule->round, frame);
}

double sample_size_margin(const struct sample_size_rule *rule, int64_t size,
                          int64_t frame)
{
    assert(size >= 0 && size <= frame);

    if (size == 0)
        return NAN;
    if (size == frame)
        return 0;
    return sqrt(spread(rule) * (double)(frame - size) /
                ((double)size * (double)(frame - 1)));
}

int64_t sample_size_of(const struct sample_size_spec *spec, int64_t frame)
{
    if (frame <= 0)
        return 0;
    switch (spec->kind) {
    case SAMPLE_SIZE_BY_RULE:
        return sample_size_needed(&spec->rule, frame);
    case SAMPLE_SIZE_BY_SHARE:
        return rounded(spec->share * (double)frame, spec->rule.round, frame);
    case SAMPLE_SIZE_BY_COUNT:
    case SAMPLE_SIZE_TOP:
        return spec->count < frame ? spec->count : frame;
    case SAMPLE_SIZE_ALL:
    case SAMPLE_SIZE_LIST:
        break;
    }
    return frame;
}

static const struct str key_names[] = {
    [SAMPLE_SIZE_VIEWS] = STR_INIT("views"),
    [SAMPLE_SIZE_SCORE] = STR_INIT("score"),
    [SAMPLE_SIZE_ANSWERS] = STR_INIT("answers"),
    [SAMPLE_SIZE_COMMENTS] = STR_INIT("comments"),
    [SAMPLE_SIZE_FAVORITES] = STR_INIT("favorites"),
    [SAMPLE_SIZE_CREATED] = STR_INIT("created"),
};

/* The next word of *rest, up to a blank. */
static struct str cut_word(struct str *rest)
{
    struct str word;

    *rest = str_trim(*rest);
    str_cut(rest, ' ', &word);
    *rest = str_trim(*rest);
    return str_trim(word);
}

static bool is_plain_decimal(struct str s)
{
    struct str decimals = s, whole;

    for (size_t i = 0; i < s.len; i++)
        if ((s.ptr[i] < '0' || s.ptr[i] > '9') && s.ptr[i] != '.')
            return false;
    return !str_cut(&decimals, '.', &whole) || decimals.len <= DECIMALS_MAX;
}

static bool parse_percent(struct str text, double *share)
{
    struct str number = str_trim(str_slice(text, 0, text.len - (text.len > 0)));
    double percent;

    if (!str_ends(text, STR("%")) || !is_plain_decimal(number) ||
        !str_to_real(number, &percent))
        return false;
    *share = percent / 100;
    return true;
}

/* Splits at the sign for plus-minus. */
static bool cut_sign(struct str text, struct str *before, struct str *after)
{
    static const struct str signs[] = {STR_INIT("+-"), STR_INIT("+/-"),
                                       STR_INIT("\xC2\xB1")};

    for (size_t i = 0; i < text.len; i++)
        for (size_t s = 0; s < ROWS_OF(signs); s++)
            if (str_starts(str_slice(text, i, text.len), signs[s])) {
                *before = str_slice(text, 0, i);
                *after = str_slice(text, i + signs[s].len, text.len);
                return true;
            }
    return false;
}

static bool parse_rule(struct str confidence, struct str margin,
                       struct sample_size_rule *rule, struct err *err)
{
    confidence = str_trim(confidence);
    margin = str_trim(margin);
    if (!parse_percent(confidence, &rule->confidence) || !(rule->confidence >= 0.5) ||
        !(rule->confidence < 1))
        return err_set(err, ERR_INPUT,
                       "found '%.*s' as the confidence; expected 50%% or more and less "
                       "than 100%%, as in 95%% +- 5%%",
                       STR_ARG(confidence));
    if (!parse_percent(margin, &rule->margin) || !(rule->margin > 0) ||
        !(rule->margin < 0.5))
        return err_set(err, ERR_INPUT,
                       "found '%.*s' as the margin; expected more than 0%% and less than "
                       "50%%, as in 95%% +- 5%%",
                       STR_ARG(margin));
    return true;
}

static bool parse_key(struct str name, enum sample_size_key *key, struct err *err)
{
    for (size_t k = 0; k < ROWS_OF(key_names); k++)
        if (str_eq(name, key_names[k])) {
            *key = (enum sample_size_key)k;
            return true;
        }
    size_t near = near_find(name, key_names, ROWS_OF(key_names));
    struct str hint = near < ROWS_OF(key_names) ? key_names[near] : STR("");
    return err_set(
        err, ERR_INPUT,
        "cannot take the top by '%.*s'%s%.*s%s expected views, score, answers, "
        "comments, favorites or created",
        STR_ARG(name), hint.len > 0 ? "; did you mean '" : ";", STR_ARG(hint),
        hint.len > 0 ? "'?" : "");
}

/* What follows `top`. */
static bool parse_top(struct str rest, struct sample_size_spec *spec, struct err *err)
{
    struct str count = cut_word(&rest), by = cut_word(&rest);

    if (!str_to_int(count, &spec->count) || spec->count < 1)
        return err_set(err, ERR_INPUT,
                       "found '%.*s' after 'top'; expected a number from 1 up, as in "
                       "'top 50 by views'",
                       STR_ARG(count));
    if (!str_eq(by, STR("by")))
        return err_set(err, ERR_INPUT,
                       "found '%.*s' after 'top %.*s'; expected 'by', as in "
                       "'top 50 by views'",
                       STR_ARG(by), STR_ARG(count));
    return parse_key(rest, &spec->key, err);
}

static bool parse_plain(struct str text, struct sample_size_spec *spec, struct err *err)
{
    if (parse_percent(text, &spec->share)) {
        spec->kind = SAMPLE_SIZE_BY_SHARE;
        if (spec->share > 0 && spec->share <= 1)
            return true;
        return err_set(err, ERR_INPUT,
                       "found '%.*s' as the share of the frame; expected more than 0%% "
                       "and at most 100%%",
                       STR_ARG(text));
    }
    if (str_to_int(text, &spec->count)) {
        spec->kind = SAMPLE_SIZE_BY_COUNT;
        if (spec->count >= 1)
            return true;
        return err_set(err, ERR_INPUT,
                       "found '%.*s' as the size; expected a number from 1 up",
                       STR_ARG(text));
    }
    return err_set(err, ERR_INPUT,
                   "found '%.*s' as the size; expected one like 95%% +- 5%%, 300, 20%%, "
                   "all or 'top 50 by views'",
                   STR_ARG(text));
}

bool sample_size_parse(struct str text, struct sample_size_spec *out, struct err *err)
{
    struct sample_size_spec spec = {.kind = SAMPLE_SIZE_ALL};
    struct str rest = text, before, after;
    bool ok = true;

    text = str_trim(text);
    if (cut_sign(text, &before, &after)) {
        spec.kind = SAMPLE_SIZE_BY_RULE;
        ok = parse_rule(before, after, &spec.rule, err);
    } else if (str_eq(cut_word(&rest), STR("top"))) {
        spec.kind = SAMPLE_SIZE_TOP;
        ok = parse_top(rest, &spec, err);
    } else if (!str_eq(text, STR("all"))) {
        ok = parse_plain(text, &spec, err);
    }
    if (ok)
        *out = spec;
    return ok;
}

/* With as few digits as give the same share when read again. */
static void add_percent(struct buf *buf, double share)
{
    char text[40];
    double again = NAN;

    for (int digits = 0; digits <= DECIMALS_MAX && again != share; digits++) {
        snprintf(text, sizeof text, "%.*f", digits, share * 100);
        if (str_to_real(str_from(text), &again))
            again /= 100;
    }
    buf_add(buf, str_from(text));
    buf_add_char(buf, '%');
}

void sample_size_add(struct buf *buf, const struct sample_size_spec *spec)
{
    switch (spec->kind) {
    case SAMPLE_SIZE_BY_RULE:
        add_percent(buf, spec->rule.confidence);
        buf_add(buf, STR(" +- "));
        add_percent(buf, spec->rule.margin);
        break;
    case SAMPLE_SIZE_BY_COUNT:
        buf_add_int(buf, spec->count);
        break;
    case SAMPLE_SIZE_BY_SHARE:
        add_percent(buf, spec->share);
        break;
    case SAMPLE_SIZE_ALL:
        buf_add(buf, STR("all"));
        break;
    case SAMPLE_SIZE_TOP:
        buf_add(buf, STR("top "));
        buf_add_int(buf, spec->count);
        buf_add(buf, STR(" by "));
        buf_add(buf, key_names[spec->key]);
        break;
    case SAMPLE_SIZE_LIST:
        buf_add(buf, STR("items of a list"));
        break;
    }
}
