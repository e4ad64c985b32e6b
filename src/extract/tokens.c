/* A scanner that never gives up; languages are told by signs that are counted. */
#include "extract/tokens.h"

#include "base/compiler.h"
#include "extract/internal.h"

static char first(struct str s)
{
    return s.len > 0 ? s.ptr[0] : '\0';
}

/* What stands before a line of code in a session. */
void extract_skip_prompt(struct str *code)
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

static bool cut(struct extract_scanner *scanner, size_t len, enum extract_token_kind kind,
                struct extract_token *out)
{
    *out = (struct extract_token){kind, str_slice(scanner->code, 0, len)};
    scanner->code = str_slice(scanner->code, len, scanner->code.len);
    return true;
}

/* How long a comment at the front is; 0: there is none. */
static size_t comment_length(const struct extract_scanner *scanner)
{
    struct str code = scanner->code;
    bool block = str_starts(code, STR("/*"));
    bool line = first(code) == '#' ||
                (scanner->language == EXTRACT_BRACES && str_starts(code, STR("//"))) ||
                (scanner->language == EXTRACT_SQL && str_starts(code, STR("--")));
    size_t len = 0;

    if (scanner->language != EXTRACT_PYTHON && scanner->language != EXTRACT_R && block)
        for (len = 2; len < code.len; len++)
            if (code.ptr[len - 1] == '*' && code.ptr[len] == '/' && len > 2)
                return len + 1;
    while (line && len < code.len && code.ptr[len] != '\n')
        len++;
    return len;
}

/* Whether the next line goes on with this statement, as ".map(x)" does. */
static bool goes_on(const struct extract_scanner *scanner)
{
    struct str rest = scanner->code;
    size_t at = 0;

    while (at < rest.len && (rest.ptr[at] == ' ' || rest.ptr[at] == '\t'))
        at++;
    rest = str_slice(rest, at, rest.len);
    return scanner->language == EXTRACT_BRACES && rest.len > 1 && rest.ptr[0] == '.' &&
           extract_is_letter(rest.ptr[1]);
}

static bool in_name(const struct extract_scanner *scanner, size_t at)
{
    char c = scanner->code.ptr[at];

    return extract_is_name(c) || (c == '.' && scanner->language == EXTRACT_R && at > 0);
}

static int bracket(const struct extract_scanner *scanner, char c)
{
    bool braces = scanner->language != EXTRACT_BRACES;

    return (c == '(' || c == '[' || (braces && c == '{')) -
           (c == ')' || c == ']' || (braces && c == '}'));
}

bool extract_token(struct extract_scanner *scanner, struct extract_token *out)
{
    while (scanner->code.len > 0) {
        char c = first(scanner->code);
        size_t comment = comment_length(scanner);
        if (comment > 0) {
            scanner->code = str_slice(scanner->code, comment, scanner->code.len);
        } else if (c == '\n' || (c == ';' && scanner->language != EXTRACT_R)) {
            struct extract_token line;
            cut(scanner, 1, EXTRACT_NEWLINE, &line);
            if (c == '\n')
                extract_skip_prompt(&scanner->code);
            if ((scanner->depth <= 0 && !goes_on(scanner)) ||
                (c == ';' && scanner->language == EXTRACT_BRACES)) {
                *out = line;
                scanner->depth = 0;
                return true;
            }
        } else if (c == '"' || c == '\'' ||
                   (c == '`' && scanner->language == EXTRACT_BRACES)) {
            return cut(scanner, string_end(scanner->code), EXTRACT_STRING, out);
        } else if (extract_is_digit(c) || (c == '.' && scanner->code.len > 1 &&
                                           extract_is_digit(scanner->code.ptr[1]))) {
            return cut(scanner, number_end(scanner->code), EXTRACT_NUMBER, out);
        } else if (extract_is_name(c)) {
            size_t len = 1;
            while (len < scanner->code.len && in_name(scanner, len))
                len++;
            return cut(scanner, len, EXTRACT_NAME, out);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\\' || c == '\0') {
            scanner->code = str_slice(scanner->code, 1, scanner->code.len);
        } else {
            scanner->depth += bracket(scanner, c);
            return cut(scanner, 1, EXTRACT_SIGN, out);
        }
    }
    return false;
}

/* Which language a paragraph looks like: signs of each are counted line by line. */

static bool begins(struct str line, const struct str *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (line.len >= words[i].len &&
            str_eq_letters(str_slice(line, 0, words[i].len), words[i]))
            return true;
    return false;
}

static bool holds(struct str line, struct str part)
{
    for (size_t at = 0; at + part.len <= line.len; at++)
        if (str_eq(str_slice(line, at, at + part.len), part))
            return true;
    return false;
}

static enum extract_language line_language(struct str line)
{
    static const struct str sql[] = {
        STR_INIT("select "),       STR_INIT("insert into "), STR_INIT("delete from "),
        STR_INIT("declare @"),     STR_INIT("exec "),        STR_INIT("execute "),
        STR_INIT("create table "), STR_INIT("where "),       STR_INIT("order by "),
        STR_INIT("group by "),     STR_INIT("left join "),   STR_INIT("inner join ")};
    static const struct str braces[] = {
        STR_INIT("//"),       STR_INIT("/*"),      STR_INIT("const "),
        STR_INIT("let "),     STR_INIT("var "),    STR_INIT("val "),
        STR_INIT("func "),    STR_INIT("public "), STR_INIT("private "),
        STR_INIT("@"),        STR_INIT("using "),  STR_INIT("import {"),
        STR_INIT("#include"), STR_INIT("guard "),  STR_INIT("export ")};
    static const struct str python[] = {STR_INIT("def "),   STR_INIT("import "),
                                        STR_INIT("from "),  STR_INIT(">>> "),
                                        STR_INIT("print "), STR_INIT("with ")};
    char last = line.len > 0 ? line.ptr[line.len - 1] : ' ';

    if (begins(line, sql, ROWS_OF(sql)))
        return EXTRACT_SQL;
    if (holds(line, STR(" <- ")) || holds(line, STR("%>%")) ||
        str_starts(line, STR("library(")))
        return EXTRACT_R;
    if (last == ';' || last == '{' || last == '}' ||
        begins(line, braces, ROWS_OF(braces)))
        return EXTRACT_BRACES;
    return last == ':' || begins(line, python, ROWS_OF(python)) ? EXTRACT_PYTHON
                                                                : EXTRACT_LANGUAGES;
}

/* Signs that none has leave it as it was. */
static enum extract_language language_of(struct str paragraph,
                                         enum extract_language before)
{
    int signs[EXTRACT_LANGUAGES + 1] = {0};
    enum extract_language best = before;
    struct str line;

    while (paragraph.len > 0) {
        str_cut(&paragraph, '\n', &line);
        signs[line_language(str_trim(line))]++;
    }
    for (enum extract_language i = 0; i < EXTRACT_LANGUAGES; i++)
        if (signs[i] > signs[best])
            best = i;
    return best;
}

bool extract_paragraph(struct str *code, struct str *out, enum extract_language *language)
{
    struct str rest = *code, line;
    size_t len = 0;
    bool any = false;

    while (rest.len > 0) {
        str_cut(&rest, '\n', &line);
        len = code->len - rest.len;
        if (str_trim(line).len == 0 && any)
            break;
        any = any || str_trim(line).len > 0;
    }
    *out = str_slice(*code, 0, len);
    *code = str_slice(*code, len, code->len);
    *language = language_of(*out, *language);
    return len > 0;
}
