/* Lines are compared as bags of their names, numbers and texts: answers leave out, add
 * and indent, so that an alignment by order would find less. */
#include "extract/pairs.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "extract/internal.h"
#include "extract/tokens.h"

enum {
    PAIRS_MAX = 300, /* calls or settings of each code */
    BAG_MAX = 40,    /* words of a line */
};

struct bag {
    struct str at[BAG_MAX]; /* in order */
    size_t count;
};

static int by_text(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* Words that any two lines may have. */
static bool is_idle(struct str word)
{
    static const struct str words[] = {
        STR_INIT("console"), STR_INIT("log"),   STR_INIT("print"), STR_INIT("this"),
        STR_INIT("self"),    STR_INIT("const"), STR_INIT("let"),   STR_INIT("var"),
        STR_INIT("return"),  STR_INIT("new"),   STR_INIT("await")};

    return word.len < 2 || str_find(word, words, ROWS_OF(words)) < ROWS_OF(words);
}

static void bag_add(struct bag *bag, struct str line)
{
    struct extract_scanner scanner = {line, EXTRACT_BRACES, 0};
    struct extract_token token;

    while (bag->count < BAG_MAX && extract_token(&scanner, &token))
        if ((token.kind == EXTRACT_NAME && !is_idle(token.text)) ||
            token.kind == EXTRACT_NUMBER || token.kind == EXTRACT_STRING)
            bag->at[bag->count++] = token.text;
}

static void bag_sort(struct bag *bag)
{
    qsort(bag->at, bag->count, sizeof(struct str), by_text);
}

static size_t bag_common(const struct bag *one, const struct bag *two)
{
    size_t a = 0, b = 0, common = 0;

    while (a < one->count && b < two->count) {
        int order = str_compare(one->at[a], two->at[b]);
        common += order == 0;
        a += order <= 0;
        b += order >= 0;
    }
    return common;
}

static bool bag_has(const struct bag *bag, struct str word)
{
    for (size_t i = 0; i < bag->count; i++)
        if (str_eq(bag->at[i], word))
            return true;
    return false;
}

/* Twice what is common by what both have; 0 of two empty ones. */
static double bag_alike(const struct bag *one, const struct bag *two)
{
    size_t all = one->count + two->count;

    return all > 0 ? 2 * (double)bag_common(one, two) / (double)all : 0;
}

/* Names. */

static bool calls(const struct extract_code *code, struct str name)
{
    for (size_t i = 0; i < code->calls.count; i++)
        if (str_eq(code->calls.at[i].name, name))
            return true;
    return false;
}

/* A class and what stands before its method; the name without its last part. */
static struct str holder(struct str name)
{
    struct str last = str_last(name, '.');

    return last.len < name.len ? str_slice(name, 0, name.len - last.len - 1)
                               : (struct str){0};
}

/* One name, perhaps less or more qualified. */
static bool is_within(struct str one, struct str two)
{
    return str_ends(one, two) &&
           (one.len == two.len || one.ptr[one.len - two.len - 1] == '.');
}

/* A path of modules: a class has capitals, what is unknown is empty. */
static bool is_module(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] >= 'A' && name.ptr[i] <= 'Z')
            return false;
    return name.len > 0;
}

/* One name, less or more qualified, or one method of two things; torch.load and np.load
 * are two. */
static bool is_same(const struct extract_code *asked, struct str one, struct str two)
{
    if (is_within(one, two) || is_within(two, one))
        return true;
    return str_eq(str_last(one, '.'), str_last(two, '.')) &&
           (!is_module(holder(one)) || !is_module(holder(two)) ||
            calls(asked, holder(one)));
}

/* The next word of a name: "load", "Model" of loadModel and load_model. */
static bool cut_word(struct str *rest, struct str *word)
{
    size_t begin = 0, end;

    while (begin < rest->len && !extract_is_letter(rest->ptr[begin]))
        begin++;
    for (end = begin; end < rest->len && extract_is_letter(rest->ptr[end]); end++)
        if (end > begin && rest->ptr[end] >= 'A' && rest->ptr[end] <= 'Z' &&
            rest->ptr[end - 1] >= 'a' && rest->ptr[end - 1] <= 'z')
            break;
    *word = str_slice(*rest, begin, end);
    *rest = str_slice(*rest, end, rest->len);
    return word->len > 0;
}

/* Whether both last parts have a word of three letters or more. */
static bool share_word(struct str one, struct str two)
{
    enum { WORD_MIN = 3 };
    struct str a = str_last(one, '.'), word, other;

    while (cut_word(&a, &word))
        for (struct str b = str_last(two, '.'); cut_word(&b, &other);)
            if (word.len >= WORD_MIN && str_eq_letters(word, other))
                return true;
    return false;
}

enum { WORDS_MAX = 12 };

/* Words of the last part of a name, WORDS_MAX at most. */
static size_t list_words(struct str name, struct str *words)
{
    struct str rest = str_last(name, '.');
    size_t count = 0;

    while (count < WORDS_MAX && cut_word(&rest, &words[count]))
        count++;
    return count;
}

static size_t same_words(const struct str *one, const struct str *two, size_t count)
{
    size_t same = 0;

    for (size_t i = 0; i < count; i++)
        same += str_eq_letters(one[i], two[i]);
    return same;
}

/* retry and retryWhen: one begins with all words of the other. */
static bool goes_on(struct str one, struct str two)
{
    struct str a[WORDS_MAX], b[WORDS_MAX];
    size_t first = list_words(one, a), second = list_words(two, b);

    return first > 0 && first < second && str_last(one, '.').len > 3 &&
           same_words(a, b, first) == first;
}

/* create_training_graph and create_eval_graph. */
static bool has_word_exchanged(struct str one, struct str two)
{
    struct str a[WORDS_MAX], b[WORDS_MAX];
    size_t first = list_words(one, a), second = list_words(two, b);

    return first == second && first >= 3 && same_words(a, b, first) == first - 1;
}

/* Functions of one module, methods of one class: in a name of one part nothing says so.
 */
static bool are_related(const struct extract_call *one, const struct extract_call *two)
{
    struct str module = holder(one->name);

    return (module.len > 0 && str_eq(module, holder(two->name))) ||
           share_word(one->name, two->name);
}

/* Calls that the other code has not, with what is around them. */
struct lone {
    const struct extract_call *call;
    struct bag before, after; /* its name, in the line */
    struct bag arguments;
    bool alone;  /* no other call of its module is there */
    bool quoted; /* an answer of a few lines has it, too: "change this to that" */
};

struct lones {
    struct lone *at;
    size_t count;
};

static size_t at_most(size_t count)
{
    return count < PAIRS_MAX ? count : PAIRS_MAX;
}

/* The one function of a module a.b that is not in the other code. */
static void find_alone(struct lones *lones)
{
    for (size_t a = 0; a < lones->count; a++) {
        struct lone *one = &lones->at[a];
        struct str module = holder(one->call->name);
        one->alone = !one->quoted && holder(module).len > 0;
        for (size_t b = 0; b < lones->count && one->alone; b++)
            one->alone = !str_eq(holder(lones->at[b].call->name), module) ||
                         str_eq(lones->at[b].call->name, one->call->name);
    }
}

static struct lones list_lones(struct extract_code *code,
                               const struct extract_code *other, bool quotes)
{
    enum { FEW_CALLS = 6 };
    size_t most = at_most(code->calls.count);
    struct lones lones = {arena_array(&code->arena, struct lone, most + 1), 0};

    for (size_t i = 0; i < code->calls.count && lones.count < most; i++) {
        const struct extract_call *call = &code->calls.at[i];
        bool quoted = calls(other, call->name);
        if (quoted && (!quotes || other->calls.count > FEW_CALLS))
            continue;
        struct lone *lone = &lones.at[lones.count++];
        lone->call = call;
        lone->quoted = quoted;
        bag_add(&lone->before, call->before);
        bag_add(&lone->after, call->after);
        bag_add(&lone->arguments, call->arguments);
        bag_sort(&lone->before);
        bag_sort(&lone->after);
        bag_sort(&lone->arguments);
    }
    find_alone(&lones);
    return lones;
}

/* What is common to the lines of two calls, before the name of each and behind it. */
struct likeness {
    size_t common, least; /* words, and words of the shorter one */
    double alike;
};

static struct likeness compare_lines(const struct lone *one, const struct lone *two)
{
    size_t first = one->before.count + one->after.count,
           second = two->before.count + two->after.count;
    struct likeness like = {.common = bag_common(&one->before, &two->before) +
                                      bag_common(&one->after, &two->after),
                            .least = first < second ? first : second};

    like.alike =
        first + second > 0 ? 2 * (double)like.common / (double)(first + second) : 0;
    return like;
}

/* Whether the line of one has the other as well: what is put around a call does not
 * replace it. */
static bool is_around(const struct lone *one, const struct lone *two)
{
    struct str name = str_last(two->call->name, '.');

    return bag_has(&one->before, name) || bag_has(&one->after, name);
}

/* How surely the second stands in the place of the first; 0: it does not. */
static double replaces(const struct extract_code *asked, const struct lone *one,
                       const struct lone *two)
{
    const struct extract_call *a = one->call, *b = two->call;
    struct likeness line = compare_lines(one, two);
    double arguments = bag_alike(&one->arguments, &two->arguments);
    bool told = a->tells && b->tells, related = are_related(a, b);

    if (is_same(asked, a->name, b->name) || is_around(one, two) || is_around(two, one))
        return 0;
    if (line.alike >= (one->quoted ? 0.9 : 0.8) && line.common >= 2)
        return 3 + line.alike;
    if (told && a->arguments.len > 3 && str_eq(a->arguments, b->arguments) &&
        (related || (one->arguments.count >= 2 && !one->quoted)))
        return 2 + line.alike;
    if (one->quoted || !told)
        return 0;
    if (a->target.len > 0 && str_eq(a->target, b->target) &&
        (related || arguments >= 0.5))
        return 1 + line.alike;
    if (related && arguments >= 0.5 && bag_common(&one->arguments, &two->arguments) >= 2)
        return 0.75 + line.alike / 4;
    /* A line that goes on where the other ends. */
    if (related && line.common >= 3 && 10 * line.common >= 8 * line.least)
        return 0.5 + line.alike / 2;
    return one->alone && two->alone && share_word(a->name, b->name) &&
                   str_eq(holder(a->name), holder(b->name))
               ? 0.25
               : 0;
}

static const struct lone *best_of(const struct extract_code *asked,
                                  const struct lones *lones, const struct lone *other,
                                  bool before)
{
    const struct lone *best = NULL;
    double most = 0;

    for (size_t i = 0; i < lones->count; i++) {
        double sure = before ? replaces(asked, &lones->at[i], other)
                             : replaces(asked, other, &lones->at[i]);
        if (sure > most) {
            most = sure;
            best = &lones->at[i];
        }
    }
    return best;
}

/* Methods of something unknown by their names alone. */
static struct str bare(struct str name)
{
    return name.len > 0 && name.ptr[0] == '.' ? str_slice(name, 1, name.len) : name;
}

void extract_replaced(struct extract_code *asked, struct extract_code *answered,
                      extract_take_replaced *take, void *context)
{
    struct lones before = list_lones(asked, answered, true),
                 after = list_lones(answered, asked, false);

    for (size_t a = 0; a < before.count; a++) {
        const struct lone *two = best_of(asked, &after, &before.at[a], false);
        if (two == NULL || !str_eq(best_of(asked, &before, two, true)->call->name,
                                   before.at[a].call->name))
            continue;
        take(context, bare(before.at[a].call->name), bare(two->call->name));
    }
}

struct str extract_variant(const struct extract_code *asked, struct str name)
{
    struct str found = {0};

    for (size_t i = 0; i < asked->calls.count; i++) {
        struct str one = bare(asked->calls.at[i].name);
        if (!goes_on(one, name) && !has_word_exchanged(one, name))
            continue;
        if (found.len > 0 && !str_eq(found, one))
            return (struct str){0};
        found = one;
    }
    return found;
}

/* A name up to the part that a text says, "a.b" of a.b.c; empty: it has no such part. */
static struct str up_to(struct str name, struct str said)
{
    for (size_t end = said.len; end <= name.len; end++)
        if ((end == name.len || name.ptr[end] == '.') &&
            is_within(str_slice(name, 0, end), said))
            return str_slice(name, 0, end);
    return (struct str){0};
}

struct str extract_called(const struct extract_code *code, struct str said)
{
    struct str part = {0};

    for (size_t i = 0; i < code->calls.count; i++) {
        struct str name = bare(code->calls.at[i].name);
        if (is_within(name, said) || is_within(said, name))
            return name;
        part = part.len > 0 ? part : up_to(name, said);
    }
    return part;
}

/* Settings. */

/* Of which code has one for each layer. */
static bool is_of_layers(struct str name)
{
    static const struct str names[] = {
        STR_INIT("activation"),  STR_INIT("units"),   STR_INIT("filters"),
        STR_INIT("kernel_size"), STR_INIT("strides"), STR_INIT("padding"),
        STR_INIT("pool_size"),   STR_INIT("dropout"), STR_INIT("return_sequences"),
        STR_INIT("input_shape"), STR_INIT("stddev")};

    return str_find(name, names, ROWS_OF(names)) < ROWS_OF(names);
}

/* A setting of one code whose value the other does not give to it. */
struct lone_value {
    const struct extract_setting *setting;
    struct bag line;
};

struct lone_values {
    struct lone_value *at;
    size_t count;
};

static bool has_value(const struct extract_code *code,
                      const struct extract_setting *setting)
{
    for (size_t i = 0; i < code->settings.count; i++)
        if (str_eq(code->settings.at[i].name, setting->name) &&
            str_eq_letters(code->settings.at[i].value, setting->value))
            return true;
    return false;
}

/* Its line without the value itself. */
static void bag_add_line(struct bag *bag, const struct extract_setting *setting)
{
    struct str line = setting->line, value = setting->said;

    bag_add(bag, str_slice(line, 0, (size_t)(value.ptr - line.ptr)));
    bag_add(bag, str_slice(line, (size_t)(value.ptr + value.len - line.ptr), line.len));
}

static struct lone_values list_own_values(struct extract_code *code,
                                          const struct extract_code *other)
{
    size_t most = at_most(code->settings.count);
    struct lone_values own = {arena_array(&code->arena, struct lone_value, most + 1), 0};

    for (size_t i = 0; i < code->settings.count && own.count < most; i++) {
        const struct extract_setting *setting = &code->settings.at[i];
        if (has_value(other, setting))
            continue;
        own.at[own.count].setting = setting;
        bag_add_line(&own.at[own.count].line, setting);
        bag_sort(&own.at[own.count].line);
        own.count++;
    }
    return own;
}

/* The one in the line that is most alike; of one value whatever its line, unless each
 * layer has its own. */
static const struct lone_value *most_alike(const struct lone_values *own,
                                           const struct lone_value *other)
{
    const struct lone_value *best = NULL, *first = NULL;
    double most = 0.5;
    bool several = false, tied = false;

    for (size_t i = 0; i < own->count; i++) {
        const struct lone_value *one = &own->at[i];
        if (!str_eq(one->setting->name, other->setting->name))
            continue;
        first = first == NULL ? one : first;
        several = several || !str_eq(first->setting->value, one->setting->value);
        double alike = bag_alike(&one->line, &other->line);
        if (alike > most) {
            most = alike;
            best = one;
            tied = false;
        } else if (best != NULL && alike == most) {
            tied = tied || !str_eq(best->setting->value, one->setting->value);
        }
    }
    if (best != NULL || first == NULL)
        return tied ? NULL : best;
    return several || !first->setting->known || is_of_layers(first->setting->name)
               ? NULL
               : first;
}

static void take_change(struct str name, struct str before, struct str after,
                        struct arena *arena, extract_take_pair *take, void *context)
{
    double low, high;
    bool number = str_to_real(before, &low), still = str_to_real(after, &high);

    if (number && still && low != high)
        take(context, arena_format(arena, "%.*s %s", STR_ARG(name),
                                   high > low ? "raised" : "lowered"));
    else if (!number && !still) /* "loss = 0.7" and "loss = mse" are two things */
        take(context, arena_format(arena, "%.*s: %.*s -> %.*s", STR_ARG(name),
                                   STR_ARG(before), STR_ARG(after)));
}

void extract_changed(struct extract_code *asked, struct extract_code *answered,
                     extract_take_pair *take, void *context)
{
    struct lone_values before = list_own_values(asked, answered),
                       after = list_own_values(answered, asked);

    for (size_t i = 0; i < after.count; i++) {
        const struct lone_value *old = most_alike(&before, &after.at[i]),
                                *back = old != NULL ? most_alike(&after, old) : NULL;
        if (back != NULL && str_eq(back->setting->value, after.at[i].setting->value))
            take_change(old->setting->name, old->setting->value, back->setting->value,
                        &asked->arena, take, context);
    }
}
