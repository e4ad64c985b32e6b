/* Tables of words, in small letters and without what only parts them. */
#include "extract/spelling.h"

#include <math.h>

#include "base/compiler.h"
#include "extract/internal.h"

struct spelling {
    struct str letters, spelled;
};

static struct str find_spelling(const struct spelling *rows, size_t count,
                                struct str letters)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq_letters(rows[i].letters, letters))
            return rows[i].spelled;
    return (struct str){0};
}

/* Words of a model that stand by themselves; others belong to the number beside them. */
static const struct spelling model_words[] = {
    {STR_INIT("ti"), STR_INIT("Ti")},       {STR_INIT("super"), STR_INIT("Super")},
    {STR_INIT("pro"), STR_INIT("Pro")},     {STR_INIT("max"), STR_INIT("Max")},
    {STR_INIT("ultra"), STR_INIT("Ultra")}, {STR_INIT("plus"), STR_INIT("Plus")},
    {STR_INIT("mini"), STR_INIT("Mini")},   {STR_INIT("air"), STR_INIT("Air")},
    {STR_INIT("xl"), STR_INIT("XL")},       {STR_INIT("note"), STR_INIT("Note")},
    {STR_INIT("tab"), STR_INIT("Tab")},     {STR_INIT("rtx"), STR_INIT("RTX")},
    {STR_INIT("nano"), STR_INIT("Nano")},   {STR_INIT("xavier"), STR_INIT("Xavier")},
    {STR_INIT("orin"), STR_INIT("Orin")},   {STR_INIT("agx"), STR_INIT("AGX")},
    {STR_INIT("nx"), STR_INIT("NX")},       {STR_INIT("black"), STR_INIT("Black")},
    {STR_INIT("xp"), STR_INIT("Xp")},       {STR_INIT("zero"), STR_INIT("Zero")},
    {STR_INIT("vega"), STR_INIT("Vega")},   {STR_INIT("rx"), STR_INIT("RX")},
    {STR_INIT("hd"), STR_INIT("HD")},       {STR_INIT("edge"), STR_INIT("Edge")},
    {STR_INIT("mi"), STR_INIT("Mi")},       {STR_INIT("redmi"), STR_INIT("Redmi")},
    {STR_INIT("mate"), STR_INIT("Mate")},   {STR_INIT("nova"), STR_INIT("Nova")},
    {STR_INIT("honor"), STR_INIT("Honor")}, {STR_INIT("lite"), STR_INIT("Lite")},
    {STR_INIT("book"), STR_INIT("Book")},   {STR_INIT("laptop"), STR_INIT("Laptop")},
    {STR_INIT("go"), STR_INIT("Go")},       {STR_INIT("mix"), STR_INIT("Mix")},
};

/* The end of a run of letters, of digits, or of one other character. */
static size_t run_end(struct str text, size_t at)
{
    bool digit = extract_is_digit(text.ptr[at]);
    size_t end = at + 1;

    if (!digit && !extract_is_letter(text.ptr[at]))
        return end;
    while (end < text.len &&
           (digit ? extract_is_digit(text.ptr[end]) : extract_is_letter(text.ptr[end])))
        end++;
    return end;
}

static void add_upper(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out, text.ptr[i] >= 'a' && text.ptr[i] <= 'z'
                              ? (char)(text.ptr[i] - 'a' + 'A')
                              : text.ptr[i]);
}

void extract_spell_model(struct str model, struct buf *out)
{
    size_t begin = out->len, end;
    bool apart = false, number = false; /* what stands before: by itself, digits */

    for (size_t at = 0; at < model.len; at = end) {
        end = run_end(model, at);
        struct str part = str_slice(model, at, end);
        bool digits = extract_is_digit(part.ptr[0]);
        if (str_eq(part, STR("+")))
            part = STR("plus");
        if (!digits && !extract_is_letter(part.ptr[0]))
            continue;
        struct str word = find_spelling(model_words, ROWS_OF(model_words), part);
        if (out->len > begin && (apart || word.len > 0 || (number && digits)))
            buf_add_char(out, ' ');
        if (word.len > 0)
            buf_add(out, word);
        else if (number && str_eq_letters(part, STR("s")))
            buf_add_char(out, 's'); /* iPhone 6s */
        else
            add_upper(out, part);
        apart = word.len > 0;
        number = digits;
    }
}

/* What optimizers, losses, activations and paddings are called elsewhere. */
static const struct spelling values[] = {
    {STR_INIT("adam"), STR_INIT("Adam")},
    {STR_INIT("adamw"), STR_INIT("AdamW")},
    {STR_INIT("adamax"), STR_INIT("Adamax")},
    {STR_INIT("nadam"), STR_INIT("Nadam")},
    {STR_INIT("sgd"), STR_INIT("SGD")},
    {STR_INIT("gradientdescent"), STR_INIT("SGD")},
    {STR_INIT("rmsprop"), STR_INIT("RMSprop")},
    {STR_INIT("adagrad"), STR_INIT("Adagrad")},
    {STR_INIT("adadelta"), STR_INIT("Adadelta")},
    {STR_INIT("momentum"), STR_INIT("Momentum")},
    {STR_INIT("ftrl"), STR_INIT("Ftrl")},
    {STR_INIT("relu"), STR_INIT("relu")},
    {STR_INIT("relu6"), STR_INIT("relu6")},
    {STR_INIT("leakyrelu"), STR_INIT("leaky_relu")},
    {STR_INIT("prelu"), STR_INIT("prelu")},
    {STR_INIT("elu"), STR_INIT("elu")},
    {STR_INIT("selu"), STR_INIT("selu")},
    {STR_INIT("gelu"), STR_INIT("gelu")},
    {STR_INIT("sigmoid"), STR_INIT("sigmoid")},
    {STR_INIT("hardsigmoid"), STR_INIT("hard_sigmoid")},
    {STR_INIT("tanh"), STR_INIT("tanh")},
    {STR_INIT("softmax"), STR_INIT("softmax")},
    {STR_INIT("logsoftmax"), STR_INIT("log_softmax")},
    {STR_INIT("softplus"), STR_INIT("softplus")},
    {STR_INIT("softsign"), STR_INIT("softsign")},
    {STR_INIT("linear"), STR_INIT("linear")},
    {STR_INIT("mse"), STR_INIT("mse")},
    {STR_INIT("mseloss"), STR_INIT("mse")},
    {STR_INIT("meansquarederror"), STR_INIT("mse")},
    {STR_INIT("mae"), STR_INIT("mae")},
    {STR_INIT("l1loss"), STR_INIT("mae")},
    {STR_INIT("meanabsoluteerror"), STR_INIT("mae")},
    {STR_INIT("categoricalcrossentropy"), STR_INIT("categorical_crossentropy")},
    {STR_INIT("sparsecategoricalcrossentropy"),
     STR_INIT("sparse_categorical_crossentropy")},
    {STR_INIT("binarycrossentropy"), STR_INIT("binary_crossentropy")},
    {STR_INIT("valid"), STR_INIT("valid")},
    {STR_INIT("same"), STR_INIT("same")},
};

/* Letters and digits alone, without an "Optimizer" that only says what it is. */
static struct str known_value(struct str value)
{
    static const struct str idle = STR_INIT("optimizer");
    char letters[40];
    size_t len = 0;

    for (size_t i = 0; i < value.len; i++)
        if (extract_is_letter(value.ptr[i]) || extract_is_digit(value.ptr[i])) {
            if (len == sizeof letters)
                return (struct str){0};
            letters[len++] = str_lower(value.ptr[i]);
        } else if (value.ptr[i] != '_' && value.ptr[i] != '-' && value.ptr[i] != ' ') {
            return (struct str){0};
        }
    struct str word = {letters, len};
    if (str_ends(word, idle))
        word.len -= idle.len;
    return find_spelling(values, ROWS_OF(values), word);
}

bool extract_knows_value(struct str value)
{
    return known_value(value).len > 0;
}

/* Digits of code that say of which type a number is (0.1f, 10L) or part it (10_000). */
static struct str bare_number(struct str value, struct arena *arena)
{
    struct buf digits = {0};

    for (size_t i = 0; i < value.len; i++) {
        bool last = i + 1 == value.len && i > 0;
        char c = str_lower(value.ptr[i]);
        if (value.ptr[i] != '_' && !(last && (c == 'f' || c == 'l' || c == 'd')))
            buf_add_char(&digits, value.ptr[i]);
    }
    if (digits.len > 0 && digits.ptr[digits.len - 1] == '.')
        buf_add_char(&digits, '0');
    return buf_keep(&digits, arena);
}

/* People write 0.00001 and 1e-5: the shorter is hard to tell from 1e-4. */
static void add_number(struct buf *out, double value)
{
    bool whole = value == floor(value) && fabs(value) < 1e15;

    if (whole || fabs(value) < 1e-7 || fabs(value) >= 1e15) {
        buf_add_format(out, whole ? "%.0f" : "%.10g", value);
        return;
    }
    buf_add_format(out, "%.12f", value);
    while (out->ptr[out->len - 1] == '0')
        out->len--;
}

struct str extract_spell_value(struct str value, struct arena *arena)
{
    struct str known = known_value(value);
    struct buf number = {0};
    double is;

    if (known.len > 0)
        return known;
    if (value.len == 0 ||
        !(extract_is_digit(value.ptr[0]) || value.ptr[0] == '.' || value.ptr[0] == '-'))
        return value;
    struct str bare = bare_number(value, arena);
    if (bare.len > 0 && bare.ptr[0] == '.')
        bare = arena_format(arena, "0%.*s", STR_ARG(bare));
    if (!str_to_real(bare, &is))
        return value;
    add_number(&number, is);
    return buf_keep(&number, arena);
}
