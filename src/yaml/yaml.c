/* libfyaml finds the structure; we read the scalars and copy all of it into plain nodes,
 * so that nothing above needs to know the library or free its objects. */
#include "yaml/yaml.h"

#include <libfyaml.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/file.h"

enum { DEPTH_MAX = 32 }; /* below libfyaml's own limit, so that the message is ours */

struct yaml_reader {
    struct str text; /* the whole document */
    const char *path;
    struct arena *arena;
    struct err *err;
};

static bool copy_node(const struct yaml_reader *reader, struct fy_node *from, int depth,
                      struct yaml_node *to);

/* Where the node's first token stands. Block collections have none of their own: their
 * place is that of their first child. */
static void place_of(struct fy_node *from, struct yaml_node *to)
{
    struct fy_token *token = NULL;
    void *iterator = NULL;

    if (fy_node_is_scalar(from))
        token = fy_node_get_scalar_token(from);
    const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
    if (mark != NULL) {
        to->line = mark->line + 1;
        to->column = mark->column + 1;
    } else if (fy_node_is_mapping(from)) {
        struct fy_node_pair *pair = fy_node_mapping_iterate(from, &iterator);
        if (pair != NULL && fy_node_pair_key(pair) != NULL)
            place_of(fy_node_pair_key(pair), to);
    } else if (fy_node_is_sequence(from)) {
        struct fy_node *first = fy_node_sequence_iterate(from, &iterator);
        if (first != NULL)
            place_of(first, to);
    }
}

static bool wrong(const struct yaml_reader *reader, const struct yaml_node *at,
                  const char *what)
{
    return err_set(reader->err, ERR_INPUT, "%s:%d:%d: %s", reader->path, at->line,
                   at->column, what);
}

/* ---- scalars as they are written. libfyaml 0.7 finds where they begin and end, but
 * misreads some: quotes within quotes side by side, escapes at the end of a line, empty
 * lines in folded blocks, empty blocks. Raw is what stands between the quotes, or the
 * lines of a block. */

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

/* Takes a line break off the front: LF, CR LF or CR. */
static void skip_break(struct str *raw)
{
    size_t len = raw->len > 1 && raw->ptr[0] == '\r' && raw->ptr[1] == '\n' ? 2 : 1;

    *raw = str_slice(*raw, len, raw->len);
}

static void skip_blanks(struct str *raw)
{
    while (raw->len > 0 && raw->ptr[0] == ' ')
        *raw = str_slice(*raw, 1, raw->len);
}

/* A line ends: raw begins with the break, and goes on with the next line that is not
 * empty. A single break is the blank `alone`, unless that is empty; of several the first
 * does not count. */
static void fold_lines(struct str *raw, struct str alone, struct buf *out)
{
    size_t empty = 0;

    skip_break(raw);
    for (skip_blanks(raw); raw->len > 0 && is_break(raw->ptr[0]); skip_blanks(raw)) {
        skip_break(raw);
        empty++;
    }
    if (empty == 0)
        buf_add(out, alone);
    for (size_t i = 0; i < empty; i++)
        buf_add_char(out, '\n');
}

static bool read_digits(struct str *raw, size_t count, uint32_t *code)
{
    *code = 0;
    if (raw->len < count)
        return false;
    for (size_t i = 0; i < count; i++) {
        char c = raw->ptr[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return false;
        *code = *code << 4 | (uint32_t)digit;
    }
    *raw = str_slice(*raw, count, raw->len);
    return *code <= 0x10FFFF && (*code < 0xD800 || *code > 0xDFFF);
}

static void add_utf8(struct buf *out, uint32_t code)
{
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    int len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    buf_add_char(out, (char)(lead[len] | code >> 6 * (len - 1)));
    while (--len > 0)
        buf_add_char(out, (char)(0x80 | (code >> 6 * (len - 1) & 0x3F)));
}

static const struct {
    char name;
    uint32_t code;
} escapes[] = {
    {'0', 0},     {'a', 7},    {'b', 8},    {'t', '\t'},   {'n', '\n'},   {'v', 11},
    {'f', 12},    {'r', '\r'}, {'e', 27},   {' ', ' '},    {'"', '"'},    {'/', '/'},
    {'\\', '\\'}, {'N', 0x85}, {'_', 0xA0}, {'L', 0x2028}, {'P', 0x2029},
};

/* What follows a backslash; false when YAML knows no such escape. */
static bool read_escape(struct str *raw, struct buf *out)
{
    char name = raw->len > 0 ? raw->ptr[0] : '\0';
    size_t digits = name == 'x' ? 2 : name == 'u' ? 4 : name == 'U' ? 8 : 0;
    uint32_t code;

    if (raw->len > 0 && is_break(name)) {
        fold_lines(raw, STR(""), out);
        return true;
    }
    *raw = str_slice(*raw, 1, raw->len);
    if (digits > 0) {
        if (!read_digits(raw, digits, &code))
            return false;
        add_utf8(out, code);
        return true;
    }
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (escapes[i].name == name) {
            add_utf8(out, escapes[i].code);
            return true;
        }
    return false;
}

/* Plain and quoted text; `quote` is the sign around it, or '\0'. */
static bool read_flow(struct str raw, char quote, struct buf *out)
{
    size_t kept = 0; /* blanks up to here stay, also at the end of a line */

    while (raw.len > 0) {
        char c = raw.ptr[0];
        if (is_break(c)) {
            while (out->len > kept && out->ptr[out->len - 1] == ' ')
                out->len--;
            fold_lines(&raw, STR(" "), out);
            kept = out->len;
            continue;
        }
        raw = str_slice(raw, 1, raw.len);
        if (quote == '"' && c == '\\') {
            if (!read_escape(&raw, out))
                return false;
            kept = out->len;
            continue;
        }
        if (quote == '\'' && c == '\'') {
            if (raw.len == 0 || raw.ptr[0] != '\'')
                return false;
            raw = str_slice(raw, 1, raw.len);
        }
        buf_add_char(out, c);
    }
    return true;
}

/* The line that announces a block: its sign and how it ends. The sign is the first that
 * nothing but a comment follows; only a key in quotes could have one before that. */
struct announced {
    char chomping; /* '-', '+' or '\0' */
    bool digit;    /* the indentation is given */
    bool alone;    /* nothing stands before the sign */
    size_t holder; /* blanks before the key that holds the block, or before its dash */
};

/* Takes a key in quotes off the front, if there is one. */
static void skip_quoted(struct str *line)
{
    char quote = line->len > 0 ? line->ptr[0] : '\0';
    size_t i = 1;

    if (quote != '"' && quote != '\'')
        return;
    for (; i < line->len; i++) {
        char next = i + 1 < line->len ? line->ptr[i + 1] : '\0';
        bool pair =
            quote == '"' ? line->ptr[i] == '\\' : line->ptr[i] == quote && next == quote;
        if (line->ptr[i] == quote && !pair)
            break;
        i += pair;
    }
    *line = str_slice(*line, i < line->len ? i + 1 : line->len, line->len);
}

static bool is_announced(struct str at, char sign, struct announced *out)
{
    *out = (struct announced){0};
    if (at.len == 0 || at.ptr[0] != sign)
        return false;
    at = str_slice(at, 1, at.len);
    for (; at.len > 0 && at.ptr[0] != ' '; at = str_slice(at, 1, at.len)) {
        bool digit = at.ptr[0] >= '1' && at.ptr[0] <= '9';
        bool chomping = at.ptr[0] == '-' || at.ptr[0] == '+';
        if ((!digit || out->digit) && (!chomping || out->chomping != '\0'))
            return false;
        out->digit = out->digit || digit;
        out->chomping = chomping ? at.ptr[0] : out->chomping;
    }
    skip_blanks(&at);
    return at.len == 0 || at.ptr[0] == '#';
}

static bool find_announced(struct str line, char sign, struct announced *out)
{
    bool blank = false; /* before the place */
    size_t len = line.len, dash = 0;

    skip_blanks(&line);
    bool alone = is_announced(line, sign, out);
    while (str_starts(line, STR("- "))) {
        dash = len - line.len;
        line = str_slice(line, 1, line.len);
        skip_blanks(&line);
    }
    if (is_announced(line, sign, out)) {
        out->alone = alone;
        out->holder = dash;
        return true;
    }
    size_t key = len - line.len;
    skip_quoted(&line);
    while (line.len > 0) {
        if (blank && is_announced(line, sign, out)) {
            out->holder = key;
            return true;
        }
        blank = line.ptr[0] == ' ';
        line = str_slice(line, 1, line.len);
    }
    return false;
}

/* The line that ends before byte `end`, without its break. */
static struct str line_before(struct str text, size_t end)
{
    if (end > 0 && text.ptr[end - 1] == '\n')
        end--;
    if (end > 0 && text.ptr[end - 1] == '\r')
        end--;
    size_t begin = end;
    while (begin > 0 && !is_break(text.ptr[begin - 1]))
        begin--;
    return str_slice(text, begin, end);
}

static struct str take_line(struct str *raw, bool *broken)
{
    size_t len = 0;

    while (len < raw->len && !is_break(raw->ptr[len]))
        len++;
    struct str line = str_slice(*raw, 0, len);
    *raw = str_slice(*raw, len, raw->len);
    *broken = raw->len > 0;
    if (*broken)
        skip_break(raw);
    return line;
}

/* That of the first line with text in it; false when a line of blanks before it has more
 * of them, which YAML forbids. */
static bool find_indentation(struct str raw, size_t *indentation)
{
    size_t longest = 0;
    bool broken;

    *indentation = SIZE_MAX;
    while (raw.len > 0 && *indentation == SIZE_MAX) {
        struct str line = take_line(&raw, &broken), rest = line;
        skip_blanks(&rest);
        if (rest.len > 0)
            *indentation = line.len - rest.len;
        else if (line.len > longest)
            longest = line.len;
    }
    return longest <= *indentation;
}

/* Between two lines of a folded block is a blank, unless one of them is indented further:
 * then, as in a literal one, a line break. Empty lines are breaks. */
static void read_block(struct str raw, size_t indentation, bool folded, char chomping,
                       struct buf *out)
{
    size_t empty = 0;
    bool any = false, deeper = false, broken, last_broken = false;

    while (raw.len > 0) {
        struct str line = take_line(&raw, &broken);
        size_t blanks = 0;
        while (blanks < line.len && blanks < indentation && line.ptr[blanks] == ' ')
            blanks++;
        line = str_slice(line, blanks, line.len);
        if (line.len == 0) {
            empty += broken;
            continue;
        }
        bool folds = folded && !deeper && line.ptr[0] != ' ';
        if (any && folds && empty == 0)
            buf_add_char(out, ' ');
        for (size_t i = any && !folds ? 0 : 1; i <= empty; i++)
            buf_add_char(out, '\n');
        buf_add(out, line);
        any = true;
        deeper = line.ptr[0] == ' ';
        last_broken = broken;
        empty = 0;
    }
    if (last_broken && chomping != '-')
        buf_add_char(out, '\n');
    for (size_t i = 0; i < empty && chomping == '+'; i++)
        buf_add_char(out, '\n');
}

static bool copy_block(const struct yaml_reader *reader, struct str raw, size_t begin,
                       bool folded, const struct yaml_node *at, struct buf *out)
{
    struct announced announced;
    size_t indentation;

    if (!find_announced(line_before(reader->text, begin), folded ? '>' : '|', &announced))
        return wrong(reader, at, "not readable as YAML: where does this block begin?");
    if (announced.digit)
        return wrong(reader, at,
                     "a number behind | or > is not allowed here; expected a block whose "
                     "first line is indented as the others");
    if (announced.alone)
        return wrong(reader, at,
                     "expected | or > in the line of the key or dash that it belongs to");
    if (!find_indentation(raw, &indentation))
        return wrong(reader, at,
                     "not readable as YAML: a line of blanks is longer than the "
                     "indentation of this block");
    if (indentation <= announced.holder) /* libfyaml takes what follows for the block */
        return wrong(reader, at,
                     "a block without text; expected lines that are indented further");
    read_block(raw, indentation, folded, announced.chomping, out);
    return true;
}

static bool copy_scalar(const struct yaml_reader *reader, struct fy_node *from,
                        struct yaml_node *to)
{
    struct fy_token *token = fy_node_get_scalar_token(from);
    const struct fy_mark *begin = token != NULL ? fy_token_start_mark(token) : NULL;
    const struct fy_mark *end = token != NULL ? fy_token_end_mark(token) : NULL;
    struct buf out = {0};
    bool ok = true;

    to->type = YAML_SCALAR;
    to->text = STR("");
    if (begin == NULL || end == NULL)
        return true; /* nothing is written */
    struct str raw = str_slice(reader->text, begin->input_pos, end->input_pos);
    enum fy_scalar_style style = fy_token_scalar_style(token);
    if (style == FYSS_LITERAL || style == FYSS_FOLDED)
        ok = copy_block(reader, raw, begin->input_pos, style == FYSS_FOLDED, to, &out);
    else if (!read_flow(raw,
                        style == FYSS_SINGLE_QUOTED   ? '\''
                        : style == FYSS_DOUBLE_QUOTED ? '"'
                                                      : '\0',
                        &out))
        ok = wrong(reader, to, "not readable as YAML: an escape in it is wrong");
    to->text = buf_keep(&out, reader->arena);
    return ok;
}

static bool copy_sequence(const struct yaml_reader *reader, struct fy_node *from,
                          int depth, struct yaml_node *to)
{
    void *iterator = NULL;
    int count = fy_node_sequence_item_count(from);

    to->type = YAML_SEQUENCE;
    to->items =
        arena_array(reader->arena, struct yaml_node, count > 0 ? (size_t)count : 1);
    for (struct fy_node *item;
         (item = fy_node_sequence_iterate(from, &iterator)) != NULL;) {
        struct yaml_node *copy = &to->items[to->count++];
        copy->line = to->line; /* an empty item has no place of its own */
        copy->column = to->column;
        if (!copy_node(reader, item, depth + 1, copy))
            return false;
    }
    return true;
}

/* Whoever adds to a section may begin it again at the end of the file. */
static bool given_twice(const struct yaml_reader *reader, const struct yaml_node *key,
                        int first_line, struct fy_node *value)
{
    char advice[60] = "";

    if (fy_node_is_mapping(value) || fy_node_is_sequence(value))
        snprintf(advice, sizeof advice, "; put what is below it under line %d",
                 first_line);
    return err_set(
        reader->err, ERR_INPUT, "%s:%d:%d: key '%.*s' is given twice; first in line %d%s",
        reader->path, key->line, key->column, STR_ARG(key->text), first_line, advice);
}

static bool copy_mapping(const struct yaml_reader *reader, struct fy_node *from,
                         int depth, struct yaml_node *to)
{
    void *iterator = NULL;
    int count = fy_node_mapping_item_count(from);
    size_t room = count > 0 ? (size_t)count : 1;

    to->type = YAML_MAPPING;
    to->items = arena_array(reader->arena, struct yaml_node, room);
    to->keys = arena_array(reader->arena, struct yaml_node, room);
    for (struct fy_node_pair *pair;
         (pair = fy_node_mapping_iterate(from, &iterator)) != NULL; to->count++) {
        struct yaml_node *key = &to->keys[to->count], *value = &to->items[to->count];
        key->line = to->line;
        key->column = to->column;
        if (!copy_node(reader, fy_node_pair_key(pair), depth + 1, key))
            return false;
        if (key->type != YAML_SCALAR)
            return wrong(reader, key, "expected a plain key, found a collection");
        for (size_t i = 0; i < to->count; i++)
            if (str_eq(to->keys[i].text, key->text))
                return given_twice(reader, key, to->keys[i].line,
                                   fy_node_pair_value(pair));
        value->line = key->line; /* an empty value has no place of its own */
        value->column = key->column;
        if (!copy_node(reader, fy_node_pair_value(pair), depth + 1, value))
            return false;
    }
    return true;
}

static bool copy_node(const struct yaml_reader *reader, struct fy_node *from, int depth,
                      struct yaml_node *to)
{
    if (from == NULL) { /* "key:" with nothing after it */
        to->type = YAML_SCALAR;
        to->text = STR("");
        return true;
    }
    place_of(from, to);
    if (depth > DEPTH_MAX)
        return wrong(reader, to, "nested too deeply; expected at most 32 levels");
    if (fy_node_is_alias(from))
        return wrong(reader, to, "an alias (*name) is not allowed here; write it out");
    if (fy_node_is_mapping(from))
        return copy_mapping(reader, from, depth, to);
    if (fy_node_is_sequence(from))
        return copy_sequence(reader, from, depth, to);
    return copy_scalar(reader, from, to);
}

static bool check_syntax(struct fy_diag *diag, const char *path, struct yaml_node *at,
                         struct err *err)
{
    void *iterator = NULL;
    struct fy_diag_error *first = fy_diag_errors_iterate(diag, &iterator);

    if (first == NULL) /* nothing but comments: no document, and no error either */
        return true;
    at->line = first->line;
    at->column = first->column;
    return err_set(err, ERR_INPUT, "%s:%d:%d: not readable as YAML: %s", path,
                   first->line, first->column, first->msg);
}

/* How many bytes the character at the front has, or 0 when YAML knows no such character:
 * controls other than tab and newline, and what is not UTF-8. libfyaml would take either
 * for the end of the text and say nothing. */
static size_t char_len(struct str text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text.ptr[0];
    size_t len = first < 0x80   ? 1
                 : first < 0xC0 ? 0
                 : first < 0xE0 ? 2
                 : first < 0xF0 ? 3
                                : 4;
    uint32_t code = len == 1 ? first : first & (0x7Fu >> len);

    if (len == 0 || len > text.len || first >= 0xF8)
        return 0;
    for (size_t i = 1; i < len; i++) {
        unsigned char next = (unsigned char)text.ptr[i];
        if ((next & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (next & 0x3F);
    }
    if (code < least[len] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    bool control = (code < 32 && code != '\t' && code != '\n' && code != '\r') ||
                   (code >= 0x7F && code < 0xA0 && code != 0x85) || code == 0xFFFE ||
                   code == 0xFFFF;
    return control ? 0 : len;
}

static bool check_characters(struct str text, const char *path, struct err *err)
{
    const char *instead = file_no_text(text);
    int line = 1, column = 1;

    if (instead != NULL)
        return err_set(err, ERR_INPUT, "%s: is %s", path, instead);
    while (text.len > 0) {
        size_t len = char_len(text);
        if (text.ptr[0] == '\t') /* libfyaml 0.7 crashes on some that are out of place */
            return err_set(
                err, ERR_INPUT,
                "%s:%d:%d: found a tab; expected blanks (or \\t in \"quotes\")", path,
                line, column);
        if (len == 0)
            return err_set(
                err, ERR_INPUT,
                "%s:%d:%d: not readable as YAML: byte 0x%02X is not text in UTF-8", path,
                line, column, (unsigned)(unsigned char)text.ptr[0]);
        column = text.ptr[0] == '\n' ? 1 : column + 1;
        line += text.ptr[0] == '\n';
        text = str_slice(text, len, text.len);
    }
    return true;
}

/* What follows the first document must be nothing. */
static bool check_end(const struct yaml_reader *reader, struct fy_parser *parser,
                      struct fy_diag *diag)
{
    struct yaml_node at = {.line = 1, .column = 1};
    struct fy_document *second = fy_parse_load_document(parser);

    if (second == NULL)
        return check_syntax(diag, reader->path, &at, reader->err);
    if (fy_document_root(second) != NULL)
        place_of(fy_document_root(second), &at);
    fy_parse_document_destroy(parser, second);
    return wrong(reader, &at, "a second document begins here; expected only one");
}

bool yaml_parse(struct str text, const char *path, struct arena *arena,
                struct yaml_node *root, struct err *err)
{
    struct fy_diag_cfg diag_cfg = {.level = FYET_ERROR, .module_mask = ~0u};
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG |
                                        FYPCF_ALLOW_DUPLICATE_KEYS,
                               .diag = diag};
    struct yaml_reader reader = {text, path, arena, err};
    struct fy_parser *parser = NULL;
    struct fy_document *document = NULL;
    bool ok = false;

    *root = (struct yaml_node){.type = YAML_MAPPING, .line = 1, .column = 1};
    if (diag == NULL)
        arena_exhausted();
    if (!check_characters(text, path, err))
        goto done;
    fy_diag_set_collect_errors(diag, true);
    parser = fy_parser_create(&cfg);
    if (parser == NULL ||
        fy_parser_set_string(parser, text.len > 0 ? text.ptr : "", text.len))
        arena_exhausted();
    document = fy_parse_load_document(parser);
    if (document == NULL) {
        ok = check_syntax(diag, path, root, err);
        goto done;
    }
    struct fy_node *top = fy_document_root(document);
    ok = (top == NULL || copy_node(&reader, top, 1, root)) &&
         check_end(&reader, parser, diag);
    if (ok && root->type == YAML_SCALAR && root->text.len == 0)
        root->type = YAML_MAPPING;
done:
    if (parser != NULL)
        fy_parse_document_destroy(parser, document);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return ok;
}

const struct yaml_node *yaml_get(const struct yaml_node *mapping, struct str key)
{
    if (mapping->type == YAML_MAPPING)
        for (size_t i = 0; i < mapping->count; i++)
            if (str_eq(mapping->keys[i].text, key))
                return &mapping->items[i];
    return NULL;
}
