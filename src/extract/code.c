/* One pass over the tokens: imports and assignments are remembered as they come. */
#include "extract/code.h"

#include "base/buf.h"
#include "base/compiler.h"
#include "base/map.h"
#include "extract/internal.h"

static char first(struct str s)
{
    return s.len > 0 ? s.ptr[0] : '\0';
}

/* What stands before a line of code in a session. */
static void skip_prompt(struct str *code)
{
    static const struct str prompts[] = {STR_INIT(">>> "), STR_INIT("... "),
                                         STR_INIT("$ ")};

    for (size_t i = 0; i < ROWS_OF(prompts); i++)
        if (str_starts(*code, prompts[i])) {
            *code = str_slice(*code, prompts[i].len, code->len);
            return;
        }
    if (str_starts(*code, STR("In [")) || str_starts(*code, STR("Out["))) {
        size_t at = 0;
        while (at < code->len && at < 12 && code->ptr[at] != ':' && code->ptr[at] != '\n')
            at++;
        if (at < code->len && code->ptr[at] == ':')
            *code = str_slice(*code, at + 1, code->len);
    }
}

static size_t string_end(struct str code)
{
    char quote = code.ptr[0];
    bool triple = code.len > 2 && code.ptr[1] == quote && code.ptr[2] == quote;
    size_t at = triple ? 3 : 1;

    for (; at < code.len; at++) {
        if (code.ptr[at] == '\\' && at + 1 < code.len)
            at++;
        else if (!triple && code.ptr[at] == '\n')
            return at;
        else if (code.ptr[at] == quote &&
                 (!triple || (at + 2 < code.len && code.ptr[at + 1] == quote &&
                              code.ptr[at + 2] == quote)))
            return at + (triple ? 3 : 1);
    }
    return at < code.len ? at : code.len;
}

static size_t number_end(struct str code)
{
    size_t at = 0;

    while (at < code.len && (extract_is_name(code.ptr[at]) || code.ptr[at] == '.' ||
                             ((code.ptr[at] == '-' || code.ptr[at] == '+') && at > 0 &&
                              str_lower(code.ptr[at - 1]) == 'e' && at + 1 < code.len &&
                              extract_is_digit(code.ptr[at + 1]))))
        at++;
    return at;
}

static bool cut(struct str *code, size_t len, enum extract_token_kind kind,
                struct extract_token *out)
{
    *out = (struct extract_token){kind, str_slice(*code, 0, len)};
    *code = str_slice(*code, len, code->len);
    return true;
}

bool extract_token(struct str *code, int *depth, struct extract_token *out)
{
    while (code->len > 0) {
        char c = first(*code);
        if (c == '\n') {
            struct extract_token line;
            cut(code, 1, EXTRACT_NEWLINE, &line);
            skip_prompt(code);
            if (*depth <= 0) {
                *out = line;
                *depth = 0;
                return true;
            }
        } else if (c == '#') {
            struct str comment = *code;
            size_t len = 0;
            while (len < comment.len && comment.ptr[len] != '\n')
                len++;
            *code = str_slice(*code, len, code->len);
        } else if (c == '"' || c == '\'') {
            return cut(code, string_end(*code), EXTRACT_STRING, out);
        } else if (extract_is_digit(c) ||
                   (c == '.' && code->len > 1 && extract_is_digit(code->ptr[1]))) {
            return cut(code, number_end(*code), EXTRACT_NUMBER, out);
        } else if (extract_is_name(c)) {
            size_t len = 1;
            while (len < code->len && extract_is_name(code->ptr[len]))
                len++;
            return cut(code, len, EXTRACT_NAME, out);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\\' || c == '\0') {
            *code = str_slice(*code, 1, code->len);
        } else {
            *depth +=
                (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
            return cut(code, 1, EXTRACT_SIGN, out);
        }
    }
    return false;
}

/* What everybody imports in the same way. */
static const struct {
    struct str alias, name;
} usual[] = {
    {STR_INIT("tf"), STR_INIT("tensorflow")},
    {STR_INIT("np"), STR_INIT("numpy")},
    {STR_INIT("pd"), STR_INIT("pandas")},
    {STR_INIT("plt"), STR_INIT("matplotlib.pyplot")},
    {STR_INIT("K"), STR_INIT("keras.backend")},
    {STR_INIT("nn"), STR_INIT("torch.nn")},
    {STR_INIT("F"), STR_INIT("torch.nn.functional")},
    {STR_INIT("cv2"), STR_INIT("cv2")},
    {STR_INIT("os"), STR_INIT("os")},
    {STR_INIT("keras"), STR_INIT("keras")},
    {STR_INIT("torch"), STR_INIT("torch")},
    {STR_INIT("theano"), STR_INIT("theano")},
    {STR_INIT("caffe"), STR_INIT("caffe")},
    {STR_INIT("tensorflow"), STR_INIT("tensorflow")},
    {STR_INIT("numpy"), STR_INIT("numpy")},
};

/* Words that stand before a bracket and are no call. */
static const struct str not_called[] = {
    STR_INIT("if"),    STR_INIT("while"),  STR_INIT("for"),    STR_INIT("elif"),
    STR_INIT("in"),    STR_INIT("and"),    STR_INIT("or"),     STR_INIT("not"),
    STR_INIT("print"), STR_INIT("return"), STR_INIT("lambda"), STR_INIT("with"),
    STR_INIT("yield"), STR_INIT("assert"), STR_INIT("range"),  STR_INIT("len"),
    STR_INIT("str"),   STR_INIT("int"),    STR_INIT("float"),  STR_INIT("list"),
    STR_INIT("dict"),  STR_INIT("super"),  STR_INIT("zip"),    STR_INIT("enumerate"),
    STR_INIT("open"),  STR_INIT("type"),   STR_INIT("set"),    STR_INIT("tuple"),
    STR_INIT("is"),    STR_INIT("except"), STR_INIT("del"),    STR_INIT("switch"),
};

/* Settings that training and models have, by all their spellings. */
static const struct {
    struct str spelling, name;
} settings[] = {
    {STR_INIT("lr"), STR_INIT("learning_rate")},
    {STR_INIT("learning_rate"), STR_INIT("learning_rate")},
    {STR_INIT("base_lr"), STR_INIT("learning_rate")},
    {STR_INIT("batch_size"), STR_INIT("batch_size")},
    {STR_INIT("batchsize"), STR_INIT("batch_size")},
    {STR_INIT("epochs"), STR_INIT("epochs")},
    {STR_INIT("nb_epoch"), STR_INIT("epochs")},
    {STR_INIT("num_epochs"), STR_INIT("epochs")},
    {STR_INIT("n_epochs"), STR_INIT("epochs")},
    {STR_INIT("training_epochs"), STR_INIT("epochs")},
    {STR_INIT("dropout"), STR_INIT("dropout")},
    {STR_INIT("keep_prob"), STR_INIT("keep_prob")},
    {STR_INIT("momentum"), STR_INIT("momentum")},
    {STR_INIT("decay"), STR_INIT("decay")},
    {STR_INIT("weight_decay"), STR_INIT("weight_decay")},
    {STR_INIT("optimizer"), STR_INIT("optimizer")},
    {STR_INIT("loss"), STR_INIT("loss")},
    {STR_INIT("activation"), STR_INIT("activation")},
    {STR_INIT("metrics"), STR_INIT("metrics")},
    {STR_INIT("validation_split"), STR_INIT("validation_split")},
    {STR_INIT("steps_per_epoch"), STR_INIT("steps_per_epoch")},
    {STR_INIT("num_layers"), STR_INIT("num_layers")},
    {STR_INIT("hidden_size"), STR_INIT("hidden_size")},
    {STR_INIT("hidden_units"), STR_INIT("hidden_units")},
    {STR_INIT("filters"), STR_INIT("filters")},
    {STR_INIT("kernel_size"), STR_INIT("kernel_size")},
    {STR_INIT("strides"), STR_INIT("strides")},
    {STR_INIT("stride"), STR_INIT("strides")},
    {STR_INIT("padding"), STR_INIT("padding")},
    {STR_INIT("pool_size"), STR_INIT("pool_size")},
    {STR_INIT("return_sequences"), STR_INIT("return_sequences")},
    {STR_INIT("input_shape"), STR_INIT("input_shape")},
    {STR_INIT("stddev"), STR_INIT("stddev")},
    {STR_INIT("n_estimators"), STR_INIT("n_estimators")},
    {STR_INIT("max_depth"), STR_INIT("max_depth")},
};

struct code_reading {
    struct extract_code *out;
    struct map names;                /* of imports and variables, to places in known */
    LIST(struct str) known;          /* what they stand for */
    LIST(struct extract_token) line; /* tokens of a statement */
};

static void learn(struct code_reading *reading, struct str name, struct str means)
{
    size_t before = reading->names.count, place = map_number(&reading->names, name);

    if (place == before)
        list_add(&reading->known, means);
    else
        reading->known.at[place] = means;
}

static struct str meaning(const struct code_reading *reading, struct str name)
{
    const int64_t *place = map_get(&reading->names, name);

    if (place != NULL)
        return reading->known.at[*place];
    for (size_t i = 0; i < ROWS_OF(usual); i++)
        if (str_eq(usual[i].alias, name))
            return usual[i].name;
    return (struct str){0};
}

static bool is_sign(const struct code_reading *reading, size_t at, char sign)
{
    return at < reading->line.count && reading->line.at[at].kind == EXTRACT_SIGN &&
           first(reading->line.at[at].text) == sign;
}

static bool is_word(const struct code_reading *reading, size_t at, const char *word)
{
    return at < reading->line.count && reading->line.at[at].kind == EXTRACT_NAME &&
           str_eq(reading->line.at[at].text, str_from(word));
}

/* a.b.c from `at` on; where it ends. */
static size_t dotted(const struct code_reading *reading, size_t at, struct str *out)
{
    const struct extract_token *tokens = reading->line.at;
    size_t begin = at;

    *out = (struct str){0};
    if (at >= reading->line.count || tokens[at].kind != EXTRACT_NAME)
        return at;
    for (at++; is_sign(reading, at, '.') && at + 1 < reading->line.count &&
               tokens[at + 1].kind == EXTRACT_NAME;)
        at += 2;
    struct buf name = {0};
    for (size_t i = begin; i < at; i += 2) {
        if (i > begin)
            buf_add_char(&name, '.');
        buf_add(&name, tokens[i].text);
    }
    *out = buf_keep(&name, &reading->out->arena);
    return at;
}

/* import a.b as c, d; from a.b import c as d, e */
static void read_import(struct code_reading *reading)
{
    bool from = is_word(reading, 0, "from");
    struct str module = {0}, name;
    size_t at = 1;

    if (from) {
        at = dotted(reading, 1, &module);
        if (!is_word(reading, at, "import"))
            return;
        at++;
    }
    while (at < reading->line.count) {
        while (is_sign(reading, at, '(') || is_sign(reading, at, ','))
            at++;
        size_t end = dotted(reading, at, &name);
        if (end == at)
            return;
        struct str means = name, called = name;
        if (from)
            means = arena_format(&reading->out->arena, "%.*s.%.*s", STR_ARG(module),
                                 STR_ARG(name));
        else
            str_cut(&name, '.', &called); /* import a.b makes a known */
        at = end;
        if (is_word(reading, at, "as") && at + 1 < reading->line.count) {
            called = reading->line.at[at + 1].text;
            at += 2;
        } else if (!from) {
            means = called;
        }
        learn(reading, arena_copy(&reading->out->arena, called), means);
    }
}

/* The whole name of what is called by this one. */
static struct str qualify(struct code_reading *reading, struct str name)
{
    struct str rest = name, head;
    bool more = str_cut(&rest, '.', &head);
    struct str means = meaning(reading, head);

    if (means.len > 0)
        return more ? arena_format(&reading->out->arena, "%.*s.%.*s", STR_ARG(means),
                                   STR_ARG(rest))
                    : means;
    if (!more)
        return head;
    return arena_format(&reading->out->arena, ".%.*s", STR_ARG(str_last(rest, '.')));
}

/* The text between the brackets that begin at token `open`. */
static struct str arguments_of(const struct code_reading *reading, size_t open)
{
    int depth = 0;
    size_t at = open;

    for (; at < reading->line.count; at++) {
        depth += is_sign(reading, at, '(') - is_sign(reading, at, ')');
        if (depth == 0)
            break;
    }
    const char *begin = reading->line.at[open].text.ptr + 1;
    const struct extract_token *last =
        &reading->line.at[at < reading->line.count ? at : reading->line.count - 1];
    const char *end =
        at < reading->line.count ? last->text.ptr : last->text.ptr + last->text.len;
    return str_trim((struct str){begin, end > begin ? (size_t)(end - begin) : 0});
}

/* Code that people write has no blank between a name and its bracket; sentences do. */
static bool touches(const struct code_reading *reading, size_t at)
{
    struct str before = reading->line.at[at - 1].text;

    return before.ptr + before.len == reading->line.at[at].text.ptr;
}

static void read_calls(struct code_reading *reading, struct str target, size_t value)
{
    for (size_t at = 0; at < reading->line.count;) {
        struct str name;
        size_t begin = at;
        bool method = at > 0 && is_sign(reading, at - 1, '.');
        at = dotted(reading, at, &name);
        if (at == begin) {
            at++;
            continue;
        }
        if (!is_sign(reading, at, '(') || !touches(reading, at) ||
            str_find(name, not_called, ROWS_OF(not_called)) < ROWS_OF(not_called) ||
            (begin > 0 && (is_word(reading, begin - 1, "def") ||
                           is_word(reading, begin - 1, "class"))))
            continue;
        struct str whole = method ? arena_format(&reading->out->arena, ".%.*s",
                                                 STR_ARG(str_last(name, '.')))
                                  : qualify(reading, name);
        bool assigned = target.len > 0 && begin == value;
        list_add(&reading->out->calls,
                 ((struct extract_call){whole, assigned ? target : (struct str){0},
                                        arguments_of(reading, at)}));
        if (assigned)
            learn(reading, target, whole);
    }
}

/* Its one spelling; empty: it is no setting. */
static struct str setting_name(struct str name)
{
    for (size_t i = 0; i < ROWS_OF(settings); i++)
        if (str_eq_letters(settings[i].spelling, name))
            return settings[i].name;
    return (struct str){0};
}

/* A number, a text without its quotes, True or None, a tuple of numbers: what can be
 * compared. Names are not, except classes such as Adam(lr=...). */
static struct str setting_value(struct code_reading *reading, size_t at)
{
    const struct extract_token *token = &reading->line.at[at];
    struct buf text = {0};

    if (token->kind == EXTRACT_STRING) {
        struct str said = token->text;
        bool whole = said.len > 2 && said.ptr[1] != said.ptr[0] &&
                     said.ptr[said.len - 1] == said.ptr[0];
        return whole ? str_slice(said, 1, said.len - 1) : (struct str){0};
    }
    if (token->kind == EXTRACT_NUMBER)
        return token->text;
    if (token->kind == EXTRACT_NAME) {
        struct str name;
        size_t end = dotted(reading, at, &name);
        if (is_word(reading, at, "True") || is_word(reading, at, "False") ||
            is_word(reading, at, "None") || is_sign(reading, end, '('))
            return str_last(name, '.');
        return (struct str){0};
    }
    if (!is_sign(reading, at, '(') && !is_sign(reading, at, '['))
        return (struct str){0};
    for (size_t i = at; i < reading->line.count && i < at + 16; i++) {
        struct str part = reading->line.at[i].text;
        if (reading->line.at[i].kind == EXTRACT_NAME && !is_word(reading, i, "None"))
            break;
        buf_add(&text, part);
        if (is_sign(reading, i, ')') || is_sign(reading, i, ']'))
            return buf_keep(&text, &reading->out->arena);
    }
    buf_free(&text);
    return (struct str){0};
}

static void read_settings(struct code_reading *reading)
{
    for (size_t at = 0; at + 2 < reading->line.count; at++) {
        if (reading->line.at[at].kind != EXTRACT_NAME || !is_sign(reading, at + 1, '=') ||
            is_sign(reading, at + 2, '='))
            continue;
        struct str name = setting_name(reading->line.at[at].text);
        struct str value = name.len > 0 ? setting_value(reading, at + 2) : name;
        if (value.len > 0 && value.len < 60)
            list_add(&reading->out->settings, ((struct extract_setting){name, value}));
    }
}

/* A statement: what it imports, or what it calls and assigns. */
static void end_line(struct code_reading *reading)
{
    struct str target = {0};
    size_t value = 0;

    if (reading->line.count == 0)
        return;
    if (is_word(reading, 0, "import") || is_word(reading, 0, "from")) {
        read_import(reading);
    } else {
        size_t end = dotted(reading, 0, &target);
        if (is_sign(reading, end, '=') && !is_sign(reading, end + 1, '='))
            value = end + 1;
        else
            target = (struct str){0};
        read_calls(reading, target, value);
        read_settings(reading);
    }
    list_clear(&reading->line);
}

enum { STATEMENT_MAX = 4000 }; /* tokens; brackets that never close end there */

void extract_code_read(struct str code, struct extract_code *out)
{
    struct code_reading reading = {.out = out, .names = {.arena = &out->arena}};
    struct extract_token token;
    int depth = 0;

    skip_prompt(&code);
    while (extract_token(&code, &depth, &token)) {
        /* What only begins a statement does so whatever brackets are still open. */
        bool begins = token.kind == EXTRACT_NAME && depth > 0 &&
                    (str_eq(token.text, STR("import")) || str_eq(token.text, STR("def")));
        if (token.kind == EXTRACT_NEWLINE || begins ||
            reading.line.count == STATEMENT_MAX) {
            end_line(&reading);
            depth = 0;
        }
        if (token.kind != EXTRACT_NEWLINE)
            list_add(&reading.line, token);
    }
    end_line(&reading);
    list_free(&reading.known);
    list_free(&reading.line);
}

void extract_code_free(struct extract_code *code)
{
    list_free(&code->calls);
    list_free(&code->settings);
    arena_free(&code->arena);
    code->arena = (struct arena){0};
}
