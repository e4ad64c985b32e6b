/* Line by line, since a message ends with its line. Nothing here needs a regular
 * expression, and no text is too long. */
#include "extract/errors.h"

#include "extract/internal.h"

static bool is_hex(char c)
{
    return extract_is_digit(c) || (str_lower(c) >= 'a' && str_lower(c) <= 'f');
}

/* The end of a number that begins at `at`, or `at`: digits with points, commas and an
 * exponent between them, or 0x and hexadecimal digits. Digits inside a name do not
 * count. */
static size_t number_end(struct str text, size_t at)
{
    size_t end = at;

    if (!extract_is_digit(text.ptr[at]) || (at > 0 && extract_is_name(text.ptr[at - 1])))
        return at;
    if (text.ptr[at] == '0' && at + 2 < text.len && str_lower(text.ptr[at + 1]) == 'x' &&
        is_hex(text.ptr[at + 2])) {
        for (end = at + 2; end < text.len && is_hex(text.ptr[end]);)
            end++;
        return end;
    }
    while (end < text.len &&
           (extract_is_digit(text.ptr[end]) ||
            ((text.ptr[end] == '.' || text.ptr[end] == ',') && end + 1 < text.len &&
             extract_is_digit(text.ptr[end + 1]))))
        end++;
    return end < text.len && extract_is_name(text.ptr[end]) ? at : end; /* "2d", "3x3" */
}

static bool in_path(char c)
{
    return extract_is_name(c) || c == '.' || c == '-' || c == '+' || c == '~' || c == '@';
}

/* The end of a path that begins at `at`, or `at`. */
static size_t path_end(struct str text, size_t at)
{
    size_t end = at, parts = 0;

    if (at > 0 && (in_path(text.ptr[at - 1]) || text.ptr[at - 1] == '/' ||
                   text.ptr[at - 1] == '\\'))
        return at;
    if (at + 2 < text.len && extract_is_letter(text.ptr[at]) && text.ptr[at + 1] == ':' &&
        (text.ptr[at + 2] == '\\' || text.ptr[at + 2] == '/'))
        end += 2;
    for (; end < text.len; end++) {
        if (text.ptr[end] == '/' || text.ptr[end] == '\\')
            parts++;
        else if (!in_path(text.ptr[end]))
            break;
    }
    while (end > at && text.ptr[end - 1] == '.')
        end--;
    return parts >= 2 ? end : at;
}

void extract_message(struct str text, struct buf *out)
{
    size_t begin = out->len;

    text = str_trim(text);
    for (size_t i = 0; i < text.len && out->len - begin < EXTRACT_MESSAGE_MAX;) {
        size_t end = path_end(text, i);
        if (end > i) {
            buf_add(out, STR("PATH"));
        } else if ((end = number_end(text, i)) > i) {
            buf_add_char(out, 'N');
        } else {
            char c = text.ptr[i];
            bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
            if (!blank)
                buf_add_char(out, c);
            else if (out->len > begin && out->ptr[out->len - 1] != ' ')
                buf_add_char(out, ' ');
            end = i + 1;
        }
        i = end;
    }
    if (out->len - begin >= EXTRACT_MESSAGE_MAX) {
        size_t cut = out->len;
        while (cut > begin && out->ptr[cut - 1] != ' ')
            cut--;
        out->len = cut > begin ? cut : begin + EXTRACT_MESSAGE_MAX;
        while (out->len > begin && ((unsigned char)out->ptr[out->len - 1] & 0xC0) == 0x80)
            out->len--; /* no half letter */
        if (out->len > begin && (unsigned char)out->ptr[out->len - 1] >= 0xC0)
            out->len--;
    }
    while (out->len > begin &&
           (out->ptr[out->len - 1] == ' ' || out->ptr[out->len - 1] == '.' ||
            out->ptr[out->len - 1] == '`'))
        out->len--;
}

/* A name with dots and colons between its parts, as java.io.IOException. */
static size_t dotted_end(struct str line, size_t at)
{
    while (at < line.len &&
           (extract_is_name(line.ptr[at]) || (line.ptr[at] == '.' && at + 1 < line.len &&
                                              extract_is_letter(line.ptr[at + 1]))))
        at++;
    return at;
}

static bool names_an_error(struct str name)
{
    static const struct str endings[] = {STR_INIT("Error"), STR_INIT("Exception"),
                                         STR_INIT("Warning")};

    /* "theError" may be a variable, "some_error" is. */
    if (name.len == 0 || name.ptr[0] < 'A' || name.ptr[0] > 'Z')
        return false;
    for (size_t i = 0; i < ROWS_OF(endings); i++)
        if (str_ends(name, endings[i]) && name.len > endings[i].len)
            return true;
    return str_eq(name, STR("KeyboardInterrupt")) || str_eq(name, STR("StopIteration"));
}

/* What stands behind the colon of "error:" or "fatal error:" in a compiler's line, or
 * behind the state in which a program says that it failed. */
static bool compiler_error(struct str line, size_t at, struct str *message)
{
    static const struct str words[] = {
        STR_INIT("error: "),         STR_INIT("ERROR: "),
        STR_INIT("Error: "),         STR_INIT("Not found: "),
        STR_INIT("Check failed: "),  STR_INIT("Invalid argument: "),
        STR_INIT("Unimplemented: "), STR_INIT("Failed precondition: ")};

    if (at > 0 && (extract_is_name(line.ptr[at - 1]) || line.ptr[at - 1] == '.'))
        return false;
    for (size_t i = 0; i < ROWS_OF(words); i++)
        if (line.ptr[at] == words[i].ptr[0] &&
            str_starts(str_slice(line, at, line.len), words[i])) {
            *message = str_slice(line, at + words[i].len, line.len);
            return !str_ends(str_trim(line), STR("{")); /* a line of Swift */
        }
    return false;
}

struct errors {
    struct buf *scratch;
    extract_take_error *take;
    void *context;
    size_t base; /* of the line in the text */
};

static void give(const struct errors *errors, struct str type, struct str message,
                 size_t at)
{
    struct extract_error error = {.type = type, .begin = errors->base + at};

    buf_clear(errors->scratch);
    extract_message(message, errors->scratch);
    error.message = buf_str(errors->scratch);
    errors->take(errors->context, &error);
}

static void line_errors(const struct errors *errors, struct str line)
{
    for (size_t at = 0; at < line.len;) {
        struct str message;
        if (!extract_is_name(line.ptr[at])) {
            at++;
            continue;
        }
        if (compiler_error(line, at, &message)) {
            give(errors, STR("error"), message, at);
            return;
        }
        size_t end = dotted_end(line, at);
        struct str name = str_last(str_slice(line, at, end), '.');
        if (names_an_error(name)) {
            bool says =
                end + 1 < line.len && line.ptr[end] == ':' && line.ptr[end + 1] == ' ';
            message = says ? str_slice(line, end + 1, line.len) : (struct str){0};
            give(errors, name, message, end - name.len);
            if (says)
                return; /* what its message names is not the error */
        }
        at = end > at ? end : at + 1;
    }
}

void extract_errors(struct str text, struct buf *scratch, extract_take_error *take,
                    void *context)
{
    struct errors errors = {scratch, take, context, 0};
    const char *begin = text.ptr;
    struct str line;

    while (text.len > 0) {
        errors.base = (size_t)(text.ptr - begin);
        str_cut(&text, '\n', &line);
        line_errors(&errors, line);
    }
}

/* Frames. */

static struct str base_name(struct str path)
{
    return str_last(str_last(path, '/'), '\\');
}

/* Where `part` stands in the line; the line's length if it does not. */
static size_t find(struct str line, struct str part)
{
    for (size_t at = 0; at + part.len <= line.len; at++)
        if (str_eq(str_slice(line, at, at + part.len), part))
            return at;
    return line.len;
}

/* File "train.py", line 12, in fit */
static bool python_frame(struct str line, struct extract_frame *out)
{
    if (!str_starts(line, STR("File \"")))
        return false;
    struct str rest = str_slice(line, 6, line.len), path;
    if (!str_cut(&rest, '"', &path) || !str_starts(rest, STR(", line ")))
        return false;
    size_t in = find(rest, STR(", in "));
    out->file = base_name(path);
    out->function = str_trim(str_slice(rest, in + 5, rest.len));
    return out->file.len > 0;
}

/* at org.tensorflow.Graph.run(Graph.java:12) and at run (lib/graph.js:1:2) */
static bool call_frame(struct str line, struct extract_frame *out)
{
    if (!str_starts(line, STR("at ")))
        return false;
    struct str rest = str_slice(line, 3, line.len), name, place;
    if (!str_cut(&rest, '(', &name) || !str_cut(&rest, ')', &place))
        return false;
    str_cut(&place, ':', &out->file);
    out->file = base_name(str_trim(out->file));
    out->function = str_trim(name);
    return out->function.len > 0 && out->file.len > 0 &&
           find(out->function, STR(" ")) == out->function.len;
}

/* #3  0x00007f in std::vector::at (this=...) at vector.h:12 */
static bool native_frame(struct str line, struct extract_frame *out)
{
    size_t at = 1;

    if (line.len < 3 || line.ptr[0] != '#' || !extract_is_digit(line.ptr[1]))
        return false;
    while (at < line.len && extract_is_digit(line.ptr[at]))
        at++;
    struct str rest = str_trim(str_slice(line, at, line.len));
    if (str_starts(rest, STR("0x"))) {
        size_t in = find(rest, STR(" in "));
        rest = str_slice(rest, in + 4, rest.len);
    }
    out->file = (struct str){0};
    str_cut(&rest, '(', &out->function);
    out->function = str_trim(out->function);
    return out->function.len > 0 && find(out->function, STR(" ")) == out->function.len;
}

static bool is_frame(struct str line, struct extract_frame *out)
{
    return python_frame(line, out) || call_frame(line, out) || native_frame(line, out);
}

void extract_frames(struct str text, extract_take_frame *take, void *context)
{
    struct str line;

    while (text.len > 0) {
        struct extract_frame frame = {0};
        str_cut(&text, '\n', &line);
        if (is_frame(str_trim(line), &frame))
            take(context, &frame);
    }
}

/* What a program printed. */

/* "keras.errors.LoadError: no such layer", or the name alone: a sentence goes on behind
 * it. */
static bool begins_with_error(struct str line)
{
    size_t end = dotted_end(line, 0);

    return names_an_error(str_last(str_slice(line, 0, end), '.')) &&
           (end == line.len || line.ptr[end] == ':');
}

/* "error: no such file", "x.c:3:5: error: no such file": a sentence has blanks before. */
static bool begins_with_place(struct str line)
{
    struct str message;

    for (size_t at = 0; at < line.len; at++) {
        if (compiler_error(line, at, &message))
            return true;
        if (line.ptr[at] == ' ' && at > 0 && line.ptr[at - 1] != ':')
            return str_ends(str_slice(line, 0, at), STR(": fatal")) &&
                   compiler_error(line, at + 1, &message);
    }
    return false;
}

static bool is_printed(struct str line)
{
    static const struct str beginnings[] = {
        STR_INIT("Traceback (most recent call last)"), STR_INIT("Exception in thread \""),
        STR_INIT("Caused by: "),
        STR_INIT("During handling of the above exception, another"),
        STR_INIT("The above exception was the direct cause")};
    struct extract_frame frame = {0};

    for (size_t i = 0; i < ROWS_OF(beginnings); i++)
        if (str_starts(line, beginnings[i]))
            return true;
    return is_frame(line, &frame) || begins_with_error(line) || begins_with_place(line);
}

void extract_fence(struct str text, struct buf *out)
{
    static const struct str fence = STR_INIT("```\n");
    bool fenced = false, printed = false;
    struct str line;

    while (text.len > 0) {
        bool ended = str_cut(&text, '\n', &line);
        struct str words = str_trim(line);
        bool mark = str_starts(words, STR("```")) || str_starts(words, STR("~~~"));
        bool deeper = printed && words.len > 0 && words.ptr > line.ptr;
        bool now = !fenced && !mark && (deeper || is_printed(words));
        if (now != printed)
            buf_add(out, fence);
        printed = now;
        fenced = fenced != mark;
        buf_add(out, line);
        if (ended || printed)
            buf_add_char(out, '\n');
    }
    if (printed)
        buf_add(out, fence);
}
