/* Line by line, since a message ends with its line. Nothing here needs a regular
 * expression, and no text is too long. */
#include "extract/errors.h"

#include "extract/internal.h"

enum {
    SAID_MAX = 4 * EXTRACT_MESSAGE_MAX, /* bytes: what comes later says nothing of it */
    TRIES_MAX = 64, /* of a line: with more that tell nothing it is no message */
};

/* What is read of a message, however long its line is. */
static struct str said_from(struct str line, size_t begin)
{
    return str_slice(line, begin, begin + SAID_MAX);
}

static bool is_hex(char c)
{
    return extract_is_digit(c) || (str_lower(c) >= 'a' && str_lower(c) <= 'f');
}

/* The end of the digits behind an underline and before another one or the name's end,
 * with which programs count what they name ("dense_12", "layer_3_bias"); else `at`. */
static size_t counter_end(struct str text, size_t at)
{
    size_t end = at;

    while (end < text.len && extract_is_digit(text.ptr[end]))
        end++;
    return end < text.len && extract_is_name(text.ptr[end]) && text.ptr[end] != '_' ? at
                                                                                    : end;
}

/* The end of a number that begins at `at`, or `at`: digits with points, commas and an
 * exponent between them, or 0x and hexadecimal digits. Other digits inside a name do not
 * count. */
static size_t number_end(struct str text, size_t at)
{
    size_t end = at;

    if (!extract_is_digit(text.ptr[at]))
        return at;
    if (at > 1 && text.ptr[at - 1] == '_' && extract_is_name(text.ptr[at - 2]))
        return counter_end(text, at);
    if (at > 0 && extract_is_name(text.ptr[at - 1]))
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

    if (name.len > 1 && name.ptr[0] == '_')
        name = str_slice(name, 1, name.len);
    /* "theError" may be a variable, "some_error" is. */
    if (name.len == 0 || name.ptr[0] < 'A' || name.ptr[0] > 'Z')
        return false;
    for (size_t i = 0; i < ROWS_OF(endings); i++)
        if (str_ends(name, endings[i]) && name.len > endings[i].len)
            return true;
    return str_eq(name, STR("KeyboardInterrupt")) || str_eq(name, STR("StopIteration")) ||
           str_eq(name, STR("Rendezvous")); /* of gRPC */
}

/* The colon of "error 500: ", "error TS2345: ", "error[E0382]: "; 0: it is none. */
static size_t numbered_error(struct str line, size_t at)
{
    static const struct str word = STR_INIT("error "), bracket = STR_INIT("error[");
    size_t digits = 0;
    bool within = str_starts(str_slice(line, at, line.len), bracket);

    if (!within && (at + word.len > line.len ||
                    !str_eq_letters(str_slice(line, at, at + word.len), word)))
        return 0;
    for (at += word.len; at < line.len && line.ptr[at] >= 'A' && line.ptr[at] <= 'Z';)
        at++;
    for (; at < line.len && extract_is_digit(line.ptr[at]); at++)
        digits++;
    if (within && (at == line.len || line.ptr[at++] != ']'))
        return 0;
    return digits > 0 && at + 1 < line.len && line.ptr[at] == ':' ? at : 0;
}

/* What stands behind the colon of "error:" or "fatal error:" in a compiler's line, or
 * behind the state in which a program says that it failed. */
static bool compiler_error(struct str line, size_t at, struct str *message)
{
    static const struct str words[] = {STR_INIT("error: "),
                                       STR_INIT("ERROR: "),
                                       STR_INIT("Error: "),
                                       STR_INIT("Not found: "),
                                       STR_INIT("Check failed: "),
                                       STR_INIT("Invalid argument: "),
                                       STR_INIT("Unimplemented: "),
                                       STR_INIT("Failed precondition: "),
                                       STR_INIT("Error response from daemon: ")};

    if (at > 0 && (extract_is_name(line.ptr[at - 1]) || line.ptr[at - 1] == '.'))
        return false;
    size_t colon = numbered_error(line, at);
    if (colon > 0) {
        *message = said_from(line, colon + 1);
        return true;
    }
    for (size_t i = 0; i < ROWS_OF(words); i++)
        if (line.ptr[at] == words[i].ptr[0] &&
            str_starts(str_slice(line, at, line.len), words[i])) {
            *message = said_from(line, at + words[i].len);
            return !str_ends(str_trim(line), STR("{")); /* a line of Swift */
        }
    return false;
}

/* Where `part` stands in the line; the line's length if it does not. */
static size_t find(struct str line, struct str part)
{
    for (size_t at = 0; at + part.len <= line.len; at++)
        if (str_eq(str_slice(line, at, at + part.len), part))
            return at;
    return line.len;
}

/* Whether `part` begins at `at`, in small letters or in capitals. */
static bool stands_at(struct str line, size_t at, struct str part)
{
    return at + part.len <= line.len &&
           str_eq_letters(str_slice(line, at, at + part.len), part);
}

/* The text between quotes that begin at `at`; empty: there are none. */
static struct str quoted_at(struct str line, size_t at)
{
    static const struct {
        struct str open, close;
    } quotes[] = {{STR_INIT("\""), STR_INIT("\"")},
                  {STR_INIT("'"), STR_INIT("'")},
                  {STR_INIT("`"), STR_INIT("`")},
                  {STR_INIT("\xe2\x80\x9c"), STR_INIT("\xe2\x80\x9d")},
                  {STR_INIT("\xe2\x80\x98"), STR_INIT("\xe2\x80\x99")}};

    for (size_t i = 0; i < ROWS_OF(quotes); i++) {
        size_t begin = at + quotes[i].open.len;
        if (!stands_at(line, at, quotes[i].open))
            continue;
        for (size_t end = begin; end < line.len && end < begin + SAID_MAX; end++)
            if (stands_at(line, end, quotes[i].close) &&
                (end + quotes[i].close.len == line.len ||
                 !extract_is_name(line.ptr[end + quotes[i].close.len])))
                return str_slice(line, begin, end);
        return said_from(line, begin);
    }
    return (struct str){0};
}

struct errors {
    struct buf *scratch;
    extract_take_error *take;
    void *context;
    enum extract_place place;
    size_t base;  /* of the line in the text */
    bool expects; /* the line before ended with "this error:" */
};

static void give(const struct errors *errors, struct str type, struct str message,
                 size_t at)
{
    struct extract_error error = {.type = type, .begin = errors->base + at};

    message = str_trim(message);
    if (errors->place != EXTRACT_ANYWHERE && str_eq(type, STR("error")) &&
        message.len > 0 && (message.ptr[0] == '"' || message.ptr[0] == '`'))
        message = quoted_at(message, 0);
    buf_clear(errors->scratch);
    extract_message(message, errors->scratch);
    error.message = buf_str(errors->scratch);
    errors->take(errors->context, &error);
}

static bool starts_with_one_of(struct str line, const struct str *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_starts(line, words[i]))
            return true;
    return false;
}

/* A line of code that raises, catches or brings in errors: none of them happened. */
static bool handles_errors(struct str line)
{
    static const struct str words[] = {
        STR_INIT("except "),  STR_INIT("except("),  STR_INIT("raise "),
        STR_INIT("throw "),   STR_INIT("catch"),    STR_INIT("} catch"),
        STR_INIT("}catch"),   STR_INIT("import "),  STR_INIT("from "),
        STR_INIT("class "),   STR_INIT("public "),  STR_INIT("private "),
        STR_INIT("if "),      STR_INIT("elif "),    STR_INIT("assert "),
        STR_INIT("return "),  STR_INIT("warnings"), STR_INIT("else if"),
        STR_INIT("} else if")};

    return starts_with_one_of(str_trim(line), words, ROWS_OF(words));
}

/* What stands before a type where it is not one that happened: "except", "raise". */
static bool is_handled(struct str line, size_t begin, size_t end)
{
    static const struct str words[] = {STR_INIT("except"), STR_INIT("raise"),
                                       STR_INIT("catch"),  STR_INIT("throw"),
                                       STR_INIT("new"),    STR_INIT("import"),
                                       STR_INIT("("),      STR_INIT("instanceof")};
    struct str before = str_trim(str_slice(line, 0, begin));
    bool called = end < line.len && line.ptr[end] == '(';

    for (size_t i = 0; i < ROWS_OF(words); i++)
        if (str_ends(before, words[i]))
            return called || i == 0 || i > 5 || end == line.len || line.ptr[end] == ':';
    return false;
}

/* In code a type without a message is an error where nothing else stands in its line, but
 * what programs print before it. */
static bool stands_alone(struct str line, size_t begin, size_t end)
{
    struct str before = str_trim(str_slice(line, 0, begin)),
               after = str_trim(str_slice(line, end, line.len));
    char last = before.len > 0 ? before.ptr[before.len - 1] : ':';

    return (last == ':' || last == '"' || last == ']' || last == '>' || last == '<') &&
           (after.len == 0 || str_eq(after, STR(":")) || str_eq(after, STR(">")) ||
            str_starts(after, STR("Traceback")) || str_starts(after, STR("(code=")));
}

/* Words of a message, up to three. */
static size_t count_words(struct str text)
{
    size_t count = 0;

    for (size_t at = 0; at < text.len && count < 3; at++)
        count += extract_is_letter(text.ptr[at]) &&
                 (at == 0 || text.ptr[at - 1] == ' ' || text.ptr[at - 1] == '\'' ||
                  text.ptr[at - 1] == '"' || text.ptr[at - 1] == '`');
    return count;
}

/* Code and not a sentence: it ends or goes on as only code does. */
static bool looks_coded(struct str text)
{
    static const struct str parts[] = {STR_INIT(" = "),       STR_INIT("=>"),
                                       STR_INIT("();"),       STR_INIT("++"),
                                       STR_INIT("function("), STR_INIT(" == ")};
    char last = text.len > 0 ? text.ptr[text.len - 1] : ' ';

    if (last == ';' || last == '{' || last == '}' || last == '(')
        return true;
    for (size_t at = 0; at < text.len; at++)
        for (size_t i = 0; i < ROWS_OF(parts); i++)
            if (stands_at(text, at, parts[i]))
                return true;
    return false;
}

/* Words of which every failure that is told has one. */
static bool tells_failure(struct str text)
{
    static const struct str words[] = {
        STR_INIT("not "),         STR_INIT("n't "),       STR_INIT("cannot"),
        STR_INIT("fail"),         STR_INIT("unable"),     STR_INIT("invalid"),
        STR_INIT("no such"),      STR_INIT("missing"),    STR_INIT("unexpected"),
        STR_INIT("expected"),     STR_INIT("must "),      STR_INIT("unknown"),
        STR_INIT("unsupported"),  STR_INIT("denied"),     STR_INIT("exceed"),
        STR_INIT("exhaust"),      STR_INIT("out of "),    STR_INIT("refused"),
        STR_INIT("undefined"),    STR_INIT("undeclared"), STR_INIT("unresolved"),
        STR_INIT("incompatible"), STR_INIT("mismatch"),   STR_INIT("no module"),
        STR_INIT("timed out"),    STR_INIT("too "),       STR_INIT("bad "),
        STR_INIT("crash"),        STR_INIT("no op"),      STR_INIT("unrecognized"),
        STR_INIT("corrupt"),      STR_INIT("abort")};

    if (str_starts(text, STR("No ")))
        return true;
    for (size_t at = 0; at < text.len; at++)
        for (size_t i = 0; i < ROWS_OF(words); i++)
            if (stands_at(text, at, words[i]) && (at == 0 || words[i].ptr[0] == 'n' ||
                                                  !extract_is_letter(text.ptr[at - 1])))
                return true;
    return false;
}

/* The first sentence of a message that prose goes on behind. */
static struct str first_sentence(struct str text)
{
    for (size_t at = 0; at + 1 < text.len; at++)
        if ((text.ptr[at] == '.' || text.ptr[at] == '?' || text.ptr[at] == '!') &&
            text.ptr[at + 1] == ' ')
            return str_slice(text, 0, at);
    return text;
}

/* Signals and failures that people know by one name. */
static const struct {
    struct str said, type;
} crashes[] = {
    {STR_INIT("segmentation fault"), STR_INIT("Segmentation fault")},
    {STR_INIT("segfault"), STR_INIT("Segmentation fault")},
    {STR_INIT("seg fault"), STR_INIT("Segmentation fault")},
    {STR_INIT("SIGSEGV"), STR_INIT("Segmentation fault")},
    {STR_INIT("SIGSEV"), STR_INIT("Segmentation fault")},
    {STR_INIT("SIGABRT"), STR_INIT("Aborted")},
    {STR_INIT("Aborted (core dumped)"), STR_INIT("Aborted")},
    {STR_INIT("SIGILL"), STR_INIT("Illegal instruction")},
    {STR_INIT("illegal instruction"), STR_INIT("Illegal instruction")},
    {STR_INIT("SIGKILL"), STR_INIT("Killed")},
    {STR_INIT("SIGBUS"), STR_INIT("Bus error")},
    {STR_INIT("bus error"), STR_INIT("Bus error")},
    {STR_INIT("SIGFPE"), STR_INIT("Floating point exception")},
    {STR_INIT("floating point exception"), STR_INIT("Floating point exception")},
    {STR_INIT("double free or corruption"), STR_INIT("Double free or corruption")},
    {STR_INIT("stack smashing detected"), STR_INIT("Stack smashing detected")},
    {STR_INIT("std::bad_alloc"), STR_INIT("std::bad_alloc")},
    {STR_INIT("EXC_BAD_ACCESS"), STR_INIT("EXC_BAD_ACCESS")},
    {STR_INIT("EXC_BAD_INSTRUCTION"), STR_INIT("EXC_BAD_INSTRUCTION")},
};

/* Words in capitals with which libraries name what failed. */
static const struct str state_words[] = {
    STR_INIT("CUBLAS_STATUS_"),   STR_INIT("CUDNN_STATUS_"),
    STR_INIT("CUSOLVER_STATUS_"), STR_INIT("CUFFT_"),
    STR_INIT("CURAND_STATUS_"),   STR_INIT("CUDA_ERROR_"),
    STR_INIT("INSTALL_FAILED_"),  STR_INIT("ERR_")};

/* A signal or a state that begins at `at`. */
static bool crash_at(struct str line, size_t at, struct str *type, size_t *end)
{
    if (at > 0 && extract_is_name(line.ptr[at - 1]))
        return false;
    for (size_t i = 0; i < ROWS_OF(crashes); i++)
        if (stands_at(line, at, crashes[i].said)) {
            *type = crashes[i].type;
            *end = at + crashes[i].said.len;
            return *end == line.len || line.ptr[*end] != ',';
        }
    for (*end = at;
         *end < line.len && (line.ptr[*end] == '_' || extract_is_digit(line.ptr[*end]) ||
                             (line.ptr[*end] >= 'A' && line.ptr[*end] <= 'Z'));)
        (*end)++;
    *type = str_slice(line, at, *end);
    return starts_with_one_of(*type, state_words, ROWS_OF(state_words)) &&
           !str_ends(*type, STR("_SUCCESS")) && type->ptr[type->len - 1] != '_';
}

enum log_level { LOG_NONE, LOG_INFORMS, LOG_FAILS };

/* Of " E " and the like, at a line's beginning without the first blank. */
static enum log_level level_at(struct str line, size_t at)
{
    char letter = line.ptr[at], behind = at + 1 < line.len ? line.ptr[at + 1] : '\0';

    if ((at > 0 && line.ptr[at - 1] != ' ') ||
        (behind != ' ' && !(at == 0 && behind == '/')))
        return LOG_NONE;
    return letter == 'E' || letter == 'F'   ? LOG_FAILS
           : letter == 'I' || letter == 'W' ? LOG_INFORMS
                                            : LOG_NONE;
}

/* What is printed where nobody names a type. Of a log the message behind the place:
 * "2019-01-02 E core/load.cc:3] Could not load it". */
static struct str logged(struct str line, enum log_level *level)
{
    size_t begin = 0;

    *level = LOG_NONE;
    for (size_t at = 0; at + 1 < line.len; at++) {
        enum log_level here = level_at(line, at);
        if (here > *level)
            *level = here;
        if (line.ptr[at] == ']' && line.ptr[at + 1] == ' ' && at > 0 &&
            extract_is_digit(line.ptr[at - 1])) {
            begin = at + 2;
            break;
        }
    }
    if (begin == 0)
        *level = LOG_NONE;
    if (begin == 0 && line.len > 0 && line.ptr[0] == '[') /* [coreml] Cannot do it */
        begin = find(line, STR("] ")) + 1;
    return str_trim(str_slice(line, begin, line.len));
}

/* A line of output that says by its first words that something failed. */
static bool begins_as_failure(struct str line)
{
    static const struct str words[] = {STR_INIT("Could not "),
                                       STR_INIT("Couldn't "),
                                       STR_INIT("Cannot "),
                                       STR_INIT("Can't "),
                                       STR_INIT("Can not "),
                                       STR_INIT("could not "),
                                       STR_INIT("cannot "),
                                       STR_INIT("Failed "),
                                       STR_INIT("failed to "),
                                       STR_INIT("Unable to "),
                                       STR_INIT("No such "),
                                       STR_INIT("No module named"),
                                       STR_INIT("No matching "),
                                       STR_INIT("undefined reference to"),
                                       STR_INIT("Undefined symbol"),
                                       STR_INIT("undefined symbol"),
                                       STR_INIT("Execution failed "),
                                       STR_INIT("Unexpected "),
                                       STR_INIT("Unsupported "),
                                       STR_INIT("Unrecognized "),
                                       STR_INIT("Invalid "),
                                       STR_INIT("Permission denied"),
                                       STR_INIT("Out of memory"),
                                       STR_INIT("OOM when "),
                                       STR_INIT("Unknown "),
                                       STR_INIT("Uncaught "),
                                       STR_INIT("Unhandled "),
                                       STR_INIT("Expected "),
                                       STR_INIT("ld: "),
                                       STR_INIT("fatal: "),
                                       STR_INIT("npm ERR! "),
                                       STR_INIT("E: "),
                                       STR_INIT("Resource exhausted: "),
                                       STR_INIT("Internal: "),
                                       STR_INIT("Out of range: "),
                                       STR_INIT("Unavailable: "),
                                       STR_INIT("Data loss: "),
                                       STR_INIT("Aborted: "),
                                       STR_INIT("FAILURE: "),
                                       STR_INIT("Error "),
                                       STR_INIT("Operation failed")};

    return starts_with_one_of(line, words, ROWS_OF(words)) && count_words(line) >= 3 &&
           !looks_coded(line) && !str_starts(line, STR("ld: warning"));
}

/* {"error": "no such model"}, details: 'no such model', as servers answer. */
static struct str answered(struct str line)
{
    static const struct str keys[] = {STR_INIT("error\""), STR_INIT("message\""),
                                      STR_INIT("details"), STR_INIT("message")};

    for (size_t at = 0, tries = 0; at < line.len && tries < TRIES_MAX; at++)
        for (size_t i = 0; i < ROWS_OF(keys); i++) {
            size_t behind = at + keys[i].len;
            if (!stands_at(line, at, keys[i]) ||
                (at > 0 && extract_is_name(line.ptr[at - 1])))
                continue;
            while (behind < line.len &&
                   (line.ptr[behind] == ' ' || line.ptr[behind] == ':' ||
                    line.ptr[behind] == '='))
                behind++;
            struct str said = quoted_at(line, behind);
            tries += said.len > 0;
            if (behind > at + keys[i].len && count_words(said) >= 3 &&
                tells_failure(said))
                return said;
        }
    return (struct str){0};
}

/* A sentence: it begins with a capital letter, and most of its words are words. */
static bool is_sentence(struct str text)
{
    size_t words = 0, plain = 0;
    struct str word;

    if (text.len == 0 ||
        !((text.ptr[0] >= 'A' && text.ptr[0] <= 'Z') || text.ptr[0] == '\''))
        return false;
    while (text.len > 0) {
        str_cut(&text, ' ', &word);
        size_t letters = 0;
        while (letters < word.len && extract_is_letter(word.ptr[letters]))
            letters++;
        words += word.len > 0;
        plain += letters > 0 && (letters == word.len || letters + 1 == word.len);
    }
    return words >= 5 && 10 * plain >= 7 * words;
}

/* Output in which no type is named. */
static void give_output(const struct errors *errors, struct str line)
{
    enum log_level level;
    struct str message = logged(str_trim(line), &level), said = answered(line);

    if (said.len > 0) {
        give(errors, STR("error"), said, (size_t)(said.ptr - line.ptr));
        return;
    }
    if (message.len > 0 && message.ptr < line.ptr + line.len &&
        (begins_as_failure(message) ||
         (level == LOG_FAILS && count_words(message) >= 3) ||
         (level != LOG_INFORMS && is_sentence(message) && tells_failure(message) &&
          !looks_coded(message))))
        give(errors, STR("error"), message, (size_t)(message.ptr - line.ptr));
}

/* Prose that announces what a program said: where the words behind it begin. */
static bool announces(struct str line, size_t at, size_t *behind)
{
    static const struct str words[] = {
        STR_INIT("error"),         STR_INIT("errors"),       STR_INIT("exception"),
        STR_INIT("error message"), STR_INIT("message"),      STR_INIT("error messages"),
        STR_INIT("complains"),     STR_INIT("complaining"),  STR_INIT("failed with"),
        STR_INIT("fails with"),    STR_INIT("crashes with"), STR_INIT("crashed with")};
    static const struct str more[] = {
        STR_INIT(" that says"), STR_INIT(" which says"),   STR_INIT(" saying that"),
        STR_INIT(" saying"),    STR_INIT(" states that"),  STR_INIT(" stating that"),
        STR_INIT(" stating"),   STR_INIT(" says that"),    STR_INIT(" says"),
        STR_INIT(" is"),        STR_INIT(" was"),          STR_INIT(" like this"),
        STR_INIT(" like"),      STR_INIT(" as follows"),   STR_INIT(" below"),
        STR_INIT(" as"),        STR_INIT(" log"),          STR_INIT(" i get"),
        STR_INIT(" i got"),     STR_INIT(" i am getting"), STR_INIT(" of"),
        STR_INIT(" code")};
    size_t longest = 0;

    if (at > 0 && extract_is_name(line.ptr[at - 1]))
        return false;
    for (size_t i = 0; i < ROWS_OF(words); i++)
        if (stands_at(line, at, words[i]) && words[i].len > longest)
            longest = words[i].len;
    if (longest == 0)
        return false;
    at += longest;
    for (size_t i = 0; i < ROWS_OF(more); i++)
        if (stands_at(line, at, more[i])) {
            at += more[i].len;
            break;
        }
    *behind = at;
    return at == line.len || !extract_is_name(line.ptr[at]);
}

/* The text between quotes that end before a place: "no such file" error. */
static struct str quoted_before(struct str line, size_t at)
{
    while (at > 0 && line.ptr[at - 1] == ' ')
        at--;
    char quote = at > 0 ? line.ptr[at - 1] : ' ';
    size_t begin = at > 0 ? at - 1 : 0;

    if (quote != '"' && quote != '\'' && quote != '`')
        return (struct str){0};
    while (begin > 0 && at - begin < SAID_MAX && line.ptr[begin - 1] != quote)
        begin--;
    return begin > 0 && line.ptr[begin - 1] == quote ? str_slice(line, begin, at - 1)
                                                     : (struct str){0};
}

/* A sentence of the one who asks, not one that a program said. */
static bool speaks(struct str text)
{
    static const struct str words[] = {
        STR_INIT("I "),      STR_INIT("I'"),       STR_INIT("My "),
        STR_INIT("How "),    STR_INIT("What "),    STR_INIT("Why "),
        STR_INIT("When "),   STR_INIT("Here"),     STR_INIT("This "),
        STR_INIT("So "),     STR_INIT("But "),     STR_INIT("And "),
        STR_INIT("Any "),    STR_INIT("Please"),   STR_INIT("Thank"),
        STR_INIT("Does "),   STR_INIT("Do "),      STR_INIT("Is "),
        STR_INIT("Can you"), STR_INIT("We "),      STR_INIT("Also"),
        STR_INIT("After "),  STR_INIT("It "),      STR_INIT("If "),
        STR_INIT("You "),    STR_INIT("Now "),     STR_INIT("However"),
        STR_INIT("Note"),    STR_INIT("In "),      STR_INIT("For "),
        STR_INIT("As "),     STR_INIT("Edit"),     STR_INIT("EDIT"),
        STR_INIT("Update"),  STR_INIT("UPDATE"),   STR_INIT("Then "),
        STR_INIT("Since "),  STR_INIT("The code"), STR_INIT("Using "),
        STR_INIT("While ")};

    return starts_with_one_of(text, words, ROWS_OF(words)) ||
           (text.len > 0 && text.ptr[text.len - 1] == '?');
}

/* What people quote: behind "error:" in the line or in the next one, or in quotes. */
static void give_quoted(struct errors *errors, struct str line)
{
    struct str words = str_trim(line);
    bool expected = errors->expects;

    if (words.len == 0)
        return;
    errors->expects = false;
    if (answered(line).len > 0) {
        give(errors, STR("error"), answered(line), 0);
        return;
    }
    struct str said = quoted_at(words, 0),
               next = first_sentence(said.len > 0 ? said : said_from(words, 0));
    if (expected && !speaks(next) && tells_failure(next) && count_words(next) >= 2) {
        give(errors, STR("error"), next, (size_t)(words.ptr - line.ptr));
        return;
    }
    for (size_t at = 0, tries = 0; at < line.len && tries < TRIES_MAX; at++) {
        size_t behind;
        if (!announces(line, at, &behind))
            continue;
        tries++;
        bool colon =
            behind < line.len && (line.ptr[behind] == ':' || line.ptr[behind] == '-');
        size_t begin = behind + colon;
        while (begin < line.len && (line.ptr[begin] == ' ' || line.ptr[begin] == '-'))
            begin++;
        said = quoted_at(line, begin);
        next = first_sentence(said_from(line, begin));
        if (begin == line.len) {
            errors->expects = true;
            return;
        }
        if (said.len == 0)
            said = quoted_before(line, at);
        if (said.len > 0 && count_words(said) >= 2 && tells_failure(said)) {
            give(errors, STR("error"), said, (size_t)(said.ptr - line.ptr));
            return;
        }
        if (colon && !speaks(next) && tells_failure(next) && count_words(next) >= 2) {
            give(errors, STR("error"), next, begin);
            return;
        }
    }
}

/* A type that is named in the line, with its message or without. */
static bool give_type(const struct errors *errors, struct str line, size_t begin,
                      size_t end)
{
    struct str name = str_last(str_slice(line, begin, end), '.');
    bool says = end + 1 < line.len && line.ptr[end] == ':' && line.ptr[end + 1] == ' ';
    struct str message = says ? said_from(line, end + 1) : (struct str){0};

    if (errors->place != EXTRACT_ANYWHERE && is_handled(line, begin, end))
        return false;
    if (errors->place == EXTRACT_IN_CODE && !says && !stands_alone(line, begin, end))
        return false;
    give(errors, name, message, end - name.len);
    return says; /* what its message names is not the error */
}

/* Whether a message names a type with a message of its own: "Error: ValueError: no". */
static bool has_type(struct str message)
{
    for (size_t at = 0; at < message.len;) {
        size_t end = dotted_end(message, at);
        if (end > at && end < message.len && message.ptr[end] == ':' &&
            names_an_error(str_last(str_slice(message, at, end), '.')))
            return true;
        at = end > at ? end : at + 1;
    }
    return false;
}

/* "An error occurred (Throttling) when calling the operation: no", as AWS has it. */
static bool give_occurred(const struct errors *errors, struct str line)
{
    static const struct str words = STR_INIT("n error occurred (");
    size_t at = find(line, words);
    struct str rest = str_slice(line, at + words.len, line.len), type;

    if (at == line.len || !str_cut(&rest, ')', &type) ||
        dotted_end(type, 0) != type.len || type.len == 0)
        return false;
    give(errors, type, rest, at + words.len);
    return true;
}

/* Whether the line told of an error. */
static bool line_errors(const struct errors *errors, struct str line)
{
    bool told = false, strict = errors->place != EXTRACT_ANYWHERE;

    if (strict && give_occurred(errors, line))
        return true;
    for (size_t at = 0; at < line.len;) {
        struct str message, type;
        size_t end;
        if (!extract_is_name(line.ptr[at])) {
            at++;
            continue;
        }
        if (compiler_error(line, at, &message) &&
            (!strict || (count_words(message) >= 2 && !looks_coded(str_trim(message)) &&
                         !has_type(message)))) {
            give(errors, STR("error"), message, at);
            return true;
        }
        if (strict && crash_at(line, at, &type, &end)) {
            give(errors, type, (struct str){0}, at);
            told = true;
            at = end;
            continue;
        }
        end = dotted_end(line, at);
        struct str name = str_last(str_slice(line, at, end), '.');
        if (names_an_error(name)) {
            told = true;
            if (give_type(errors, line, at, end))
                return true;
        }
        at = end > at ? end : at + 1;
    }
    return told;
}

void extract_errors(struct str text, enum extract_place place, struct buf *scratch,
                    extract_take_error *take, void *context)
{
    struct errors errors = {scratch, take, context, place, 0, false};
    const char *begin = text.ptr;
    struct str line;

    while (text.len > 0) {
        errors.base = (size_t)(text.ptr - begin);
        str_cut(&text, '\n', &line);
        if (place == EXTRACT_IN_CODE && handles_errors(line))
            continue;
        if (line_errors(&errors, line))
            errors.expects = false;
        else if (place == EXTRACT_IN_CODE)
            give_output(&errors, line);
        else if (place == EXTRACT_IN_PROSE)
            give_quoted(&errors, line);
    }
}

/* Frames. */

static struct str base_name(struct str path)
{
    return str_last(str_last(path, '/'), '\\');
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

/* "~~~~^^^^" below the source of a frame. */
static bool is_underlined(struct str line)
{
    size_t marks = 0;

    while (marks < line.len && (line.ptr[marks] == '~' || line.ptr[marks] == '^'))
        marks++;
    return marks == line.len;
}

/* "----> 3 model.fit(x)", "      4 x = 2": what IPython prints around a frame. */
static bool is_numbered(struct str line, bool *arrow)
{
    size_t at = 0, digits;

    while (at < line.len && line.ptr[at] == '-')
        at++;
    *arrow = at > 1 && at < line.len && line.ptr[at] == '>';
    if (at > 0 && !*arrow)
        return false;
    struct str rest = str_trim(str_slice(line, at + *arrow, line.len));
    for (digits = 0; digits < rest.len && extract_is_digit(rest.ptr[digits]);)
        digits++;
    return digits > 0 && (digits == rest.len || rest.ptr[digits] == ' ');
}

/* "<ipython-input-3-8a> in <module>()", "~/lib/keras/engine.py in fit(self, x)" */
static bool is_ipython_frame(struct str line)
{
    size_t in = find(line, STR(" in "));
    struct str file = str_slice(line, 0, in);

    return in < line.len &&
           (str_starts(file, STR("<ipython-input-")) || str_ends(file, STR(".py")) ||
            str_ends(file, STR(".pyc"))) &&
           find(file, STR(" ")) == file.len;
}

struct str extract_without_traces(struct str code, struct arena *arena)
{
    struct buf kept = {0};
    struct str line, rest = code;
    bool source = false, numbered = false, any = false;

    while (rest.len > 0) {
        struct extract_frame frame = {0};
        struct str begin = rest;
        bool arrow = false, out;
        str_cut(&rest, '\n', &line);
        struct str words = str_trim(line);
        if (words.len == 0) {
            out = source = numbered = false;
        } else if (is_frame(words, &frame) || is_ipython_frame(words)) {
            out = true;
            source = str_starts(words, STR("File \""));
            numbered = is_ipython_frame(words);
        } else if (is_numbered(words, &arrow) && (arrow || numbered)) {
            out = numbered = true;
        } else {
            /* One line of source behind each frame, unless the error comes at once; "in
             * fit" belongs to a frame that somebody broke in two. */
            out = (source && !begins_with_error(words)) || is_underlined(words) ||
                  str_starts(words, STR("Traceback (most recent call last)"));
            source = source && str_starts(words, STR("in "));
            numbered = false;
        }
        any = any || out;
        if (!out)
            buf_add(&kept, str_slice(begin, 0, begin.len - rest.len));
    }
    struct str result = any ? arena_copy(arena, buf_str(&kept)) : code;
    buf_free(&kept);
    return result;
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
