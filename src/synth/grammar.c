/* Lines of text become tokens: a piece of escaped text, a rule or a variable. */
#include "synth/internal.h"

#include "base/map.h"

enum { DEPTH_MAX = 16 };

enum token_type { TOKEN_TEXT, TOKEN_RULE, TOKEN_VARIABLE };

struct token {
    enum token_type type;
    bool capital;    /* make the first letter a capital */
    int index;       /* rule or variable */
    struct str text; /* escaped */
};

struct alternative {
    struct token *tokens;
    size_t count;
    int line;
};

struct rule {
    struct str name;
    struct alternative *alternatives;
    size_t count, room;
    int line;      /* of its definition; 0: only used so far */
    int used_line; /* first use */
    int levels;    /* of rules below it and itself; 0: not known yet, -1: being counted */
};

struct synth_grammar {
    struct map names; /* to rule number */
    struct rule *rules;
    size_t count, room;
};

static const char *const variable_names[SYNTH_GRAMMAR_VARIABLES] = {
    [SYNTH_GRAMMAR_FRAMEWORK] = "framework",
    [SYNTH_GRAMMAR_PACKAGE] = "package",
    [SYNTH_GRAMMAR_ALIAS] = "alias",
    [SYNTH_GRAMMAR_RELEASE] = "release",
};

struct compiler {
    struct synth_grammar *grammar;
    struct arena *arena;
    const char *path;
    int line;
};

static int rule_named(struct compiler *compiler, struct str name)
{
    struct synth_grammar *grammar = compiler->grammar;
    int64_t *number = map_get(&grammar->names, name);

    if (number != NULL)
        return (int)*number;
    if (grammar->count == grammar->room) {
        size_t room = grammar->room > 0 ? 2 * grammar->room : 64;
        struct rule *larger = arena_array(compiler->arena, struct rule, room);
        for (size_t i = 0; i < grammar->count; i++)
            larger[i] = grammar->rules[i];
        grammar->rules = larger;
        grammar->room = room;
    }
    grammar->rules[grammar->count] = (struct rule){
        .name = arena_copy(compiler->arena, name), .used_line = compiler->line};
    *map_put(&grammar->names, name) = (int64_t)grammar->count;
    return (int)grammar->count++;
}

static bool begin_rule(struct compiler *compiler, struct str name, struct rule **rule,
                       struct err *err)
{
    int number = rule_named(compiler, name);

    *rule = &compiler->grammar->rules[number];
    if ((*rule)->line > 0)
        return err_set(err, ERR_INPUT,
                       "%s:%d: rule [%.*s] is defined twice; first in line %d",
                       compiler->path, compiler->line, STR_ARG(name), (*rule)->line);
    (*rule)->line = compiler->line;
    return true;
}

/* Source code is shown by html, so it is escaped for html first; everything is then
 * escaped for the attribute that holds it. */
static struct str escaped(struct compiler *compiler, struct str text, bool code)
{
    struct buf plain = {0}, once = {0}, twice = {0};

    for (size_t i = 0; i < text.len; i++) {
        bool newline = text.ptr[i] == '\\' && i + 1 < text.len && text.ptr[i + 1] == 'n';
        buf_add_char(&plain, newline ? '\n' : text.ptr[i]);
        i += newline;
    }
    for (size_t i = 0; i < plain.len; i++) {
        char c = plain.ptr[i];
        if (code && c == '<')
            buf_add(&once, STR("&lt;"));
        else if (code && c == '>')
            buf_add(&once, STR("&gt;"));
        else if (code && c == '&')
            buf_add(&once, STR("&amp;"));
        else
            buf_add_char(&once, c);
    }
    buf_add_xml(&twice, buf_str(&once));
    struct str result = arena_copy(compiler->arena, buf_str(&twice));
    buf_free(&plain);
    buf_free(&once);
    buf_free(&twice);
    return result;
}

static struct token token_for(struct compiler *compiler, struct str name)
{
    struct token token = {.type = TOKEN_RULE};

    if (name.len > 0 && name.ptr[0] == '^') {
        token.capital = true;
        name = str_slice(name, 1, name.len);
    }
    for (int i = 0; i < SYNTH_GRAMMAR_VARIABLES; i++)
        if (str_eq(name, str_from(variable_names[i]))) {
            token.type = TOKEN_VARIABLE;
            token.index = i;
            return token;
        }
    token.index = rule_named(compiler, name);
    return token;
}

static bool is_name(struct str text)
{
    if (text.len > 0 && text.ptr[0] == '^')
        text = str_slice(text, 1, text.len);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'))
            return false;
    }
    return text.len > 0;
}

/* The next {name} in text from `from` on; braces that hold no name are plain text, as
 * code is full of them. */
static bool find_slot(struct str text, size_t from, size_t *open, size_t *close)
{
    for (*open = from; *open < text.len; (*open)++) {
        if (text.ptr[*open] != '{')
            continue;
        for (*close = *open + 1; *close < text.len && text.ptr[*close] != '}'; (*close)++)
            continue;
        if (*close < text.len && is_name(str_slice(text, *open + 1, *close)))
            return true;
    }
    return false;
}

static struct alternative compile_line(struct compiler *compiler, struct str text,
                                       bool code)
{
    struct alternative alternative = {.line = compiler->line};
    size_t slots = 0, at = 0, open, close;

    for (size_t i = 0; i < text.len; i++)
        slots += text.ptr[i] == '{';
    alternative.tokens = arena_array(compiler->arena, struct token, 2 * slots + 1);
    while (find_slot(text, at, &open, &close)) {
        if (open > at)
            alternative.tokens[alternative.count++] = (struct token){
                .text = escaped(compiler, str_slice(text, at, open), code)};
        alternative.tokens[alternative.count++] =
            token_for(compiler, str_slice(text, open + 1, close));
        at = close + 1;
    }
    if (at < text.len)
        alternative.tokens[alternative.count++] = (struct token){
            .text = escaped(compiler, str_slice(text, at, text.len), code)};
    return alternative;
}

static void add_alternative(struct compiler *compiler, int number,
                            struct alternative alternative)
{
    struct rule *rule = &compiler->grammar->rules[number];

    if (rule->count == rule->room) {
        size_t room = rule->room > 0 ? 2 * rule->room : 8;
        struct alternative *larger =
            arena_array(compiler->arena, struct alternative, room);
        for (size_t i = 0; i < rule->count; i++)
            larger[i] = rule->alternatives[i];
        rule->alternatives = larger;
        rule->room = room;
    }
    rule->alternatives[rule->count++] = alternative;
}

/* Every rule is defined, has alternatives, does not lead back to itself and is not deeper
 * than expanding may go. Each is counted once: expansions are too many to follow. */
static bool check_rule(const struct compiler *compiler, size_t number, int depth,
                       struct err *err)
{
    struct rule *rule = &compiler->grammar->rules[number];
    int levels = 1;

    if (rule->levels > 0 && depth + rule->levels <= DEPTH_MAX)
        return true;
    if (rule->line == 0)
        return err_set(err, ERR_INPUT, "%s:%d: rule {%.*s} is not defined",
                       compiler->path, rule->used_line, STR_ARG(rule->name));
    if (rule->count == 0)
        return err_set(err, ERR_INPUT, "%s:%d: rule [%.*s] has no alternatives",
                       compiler->path, rule->line, STR_ARG(rule->name));
    if (rule->levels < 0)
        return err_set(err, ERR_INPUT, "%s:%d: rule [%.*s] leads back to itself",
                       compiler->path, rule->line, STR_ARG(rule->name));
    if (rule->levels > 0 || depth == DEPTH_MAX)
        return err_set(err, ERR_INPUT,
                       "%s:%d: rule [%.*s] lies too deep; expected at most %d levels",
                       compiler->path, rule->line, STR_ARG(rule->name), DEPTH_MAX);
    rule->levels = -1;
    for (size_t i = 0; i < rule->count; i++)
        for (size_t t = 0; t < rule->alternatives[i].count; t++) {
            const struct token *token = &rule->alternatives[i].tokens[t];
            if (token->type != TOKEN_RULE)
                continue;
            if (!check_rule(compiler, (size_t)token->index, depth + 1, err))
                return false;
            int below = compiler->grammar->rules[token->index].levels;
            levels = below >= levels ? below + 1 : levels;
        }
    rule->levels = levels;
    return true;
}

static bool compile_text(struct compiler *compiler, struct str text, struct err *err)
{
    struct str line;
    struct rule *rule = NULL;
    int current = -1;

    for (compiler->line = 1; text.len > 0; compiler->line++) {
        str_cut(&text, '\n', &line);
        line = str_trim(line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        struct str name = str_slice(line, 1, line.len - 1);
        if (line.len > 2 && line.ptr[0] == '[' && line.ptr[line.len - 1] == ']' &&
            is_name(name) && name.ptr[0] != '^') {
            if (!begin_rule(compiler, name, &rule, err))
                return false;
            current = rule_named(compiler, name);
            continue;
        }
        if (current < 0)
            return err_set(err, ERR_INPUT, "%s:%d: expected [rule.name], found '%.*s'",
                           compiler->path, compiler->line, STR_ARG(line));
        struct str owner = compiler->grammar->rules[current].name;
        bool code = str_starts(owner, STR("code.")) || str_starts(owner, STR("trace."));
        add_alternative(compiler, current, compile_line(compiler, line, code));
    }
    return true;
}

bool synth_grammar_compile(struct str text, const char *path, struct arena *arena,
                           struct synth_grammar **out, struct err *err)
{
    struct compiler compiler = {.arena = arena, .path = path};

    compiler.grammar = arena_array(arena, struct synth_grammar, 1);
    compiler.grammar->names.arena = arena;
    if (!compile_text(&compiler, text, err))
        return false;
    for (size_t i = 0; i < compiler.grammar->count; i++)
        if (!check_rule(&compiler, i, 0, err))
            return false;
    *out = compiler.grammar;
    return true;
}

int synth_grammar_rule(const struct synth_grammar *grammar, struct str name)
{
    const int64_t *number = map_get(&grammar->names, name);

    return number != NULL ? (int)*number : -1;
}

size_t synth_grammar_alternatives(const struct synth_grammar *grammar, int rule)
{
    return grammar->rules[rule].count;
}

static void make_capital(struct buf *out, size_t at)
{
    if (at < out->len && out->ptr[at] >= 'a' && out->ptr[at] <= 'z')
        out->ptr[at] = (char)(out->ptr[at] - 'a' + 'A');
}

void synth_grammar_expand_one(const struct synth_grammar *grammar, int rule,
                              size_t alternative,
                              const struct synth_grammar_values *values, struct rng *rng,
                              struct buf *out)
{
    const struct alternative *chosen = &grammar->rules[rule].alternatives[alternative];

    for (size_t i = 0; i < chosen->count; i++) {
        const struct token *token = &chosen->tokens[i];
        size_t begin = out->len;
        switch (token->type) {
        case TOKEN_TEXT:
            buf_add(out, token->text);
            break;
        case TOKEN_RULE:
            synth_grammar_expand(grammar, token->index, values, rng, out);
            break;
        case TOKEN_VARIABLE:
            buf_add(out, values->text[token->index]);
            break;
        }
        if (token->capital)
            make_capital(out, begin);
    }
}

void synth_grammar_expand(const struct synth_grammar *grammar, int rule,
                          const struct synth_grammar_values *values, struct rng *rng,
                          struct buf *out)
{
    synth_grammar_expand_one(grammar, rule, rng_below(rng, grammar->rules[rule].count),
                             values, rng, out);
}
