/* Markup piece by piece: whole, cut at every byte, or wrong at a known byte. */
#include <stdio.h>
#include <string.h>

#include "dump/internal.h"
#include "tests/tap.h"

enum reader { NAME, NEXT, COMMENT, INSTRUCTION, DECLARATION };

static const struct {
    const char *name;
    enum reader reader;
    const char *text;
    int end;              /* where the cursor stands: behind it, or at what is wrong */
    const char *expected; /* NULL: it is right */
} rows[] = {
    {"name", NAME, "Id=", 2, NULL},
    {"name with everything", NAME, "_a:B-9.x ", 8, NULL},
    {"name, wrong begin", NAME, "9a ", 0, "a name"},
    {"name, other letters", NAME, "a\xC3\xA9 ", 1, "a name of ASCII letters"},
    {"next: attribute", NEXT, " Id=\"x", 5, NULL},
    {"next: attribute with blanks", NEXT, "\r\n\tId\n= 'x", 9, NULL},
    {"next: close", NEXT, ">", 1, NULL},
    {"next: close after blanks", NEXT, " \n>", 3, NULL},
    {"next: empty", NEXT, "/>", 2, NULL},
    {"next: blank missing", NEXT, "Id=\"x", 0, "a blank, '/>' or '>'"},
    {"next: no name", NEXT, " =", 1, "an attribute, '/>' or '>'"},
    {"next: no equals", NEXT, " Id \"", 4, "'=' after the attribute's name"},
    {"next: no quote", NEXT, " Id=5", 4, "a quote that opens the attribute's value"},
    {"next: slash alone", NEXT, " / >", 1, "'/>'"},
    {"comment", COMMENT, "<!-- a - b > \xC3\xA9 -->", 19, NULL},
    {"comment, empty", COMMENT, "<!---->", 7, NULL},
    {"comment, two dashes", COMMENT, "<!-- a -- b -->", 9, "'>' after '--' in a comment"},
    {"comment, control", COMMENT, "<!-- \x01 -->", 5, "a character of XML in UTF-8"},
    {"comment, wrong UTF-8", COMMENT, "<!-- \xC3( -->", 5, "a character of XML in UTF-8"},
    {"comment, none", COMMENT, "<!DOC", 0, "'<!--'"},
    {"instruction", INSTRUCTION, "<?a b ? > c?>", 13, NULL},
    {"instruction, only a target", INSTRUCTION, "<?a?>", 5, NULL},
    {"instruction, no target", INSTRUCTION, "<? a?>", 2, "a name"},
    {"instruction, no blank", INSTRUCTION, "<?a!?>", 3, "a blank or '?>'"},
    {"instruction, reserved", INSTRUCTION, "<?XmL x?>", 0,
     "an XML declaration only at the very beginning"},
    {"declaration", DECLARATION, "<?xml version=\"1.0\"?>", 21, NULL},
    {"declaration, whole", DECLARATION,
     "<?xml version='1.0' encoding='uTf-8' standalone='yes' ?>", 56, NULL},
    {"declaration, no version", DECLARATION, "<?xml encoding='utf-8'?>", 6,
     "version, encoding or standalone, in that order"},
    {"declaration, empty", DECLARATION, "<?xml ?>", 6, "a name"},
    {"declaration, wrong order", DECLARATION,
     "<?xml version='1.0' standalone='no' encoding='utf-8'?>", 36,
     "version, encoding or standalone, in that order"},
    {"declaration, another encoding", DECLARATION,
     "<?xml version='1.0' encoding='utf-16'?>", 30, "the encoding utf-8"},
    {"declaration, standalone maybe", DECLARATION,
     "<?xml version='1.0' standalone='maybe'?>", 32, "yes or no"},
    {"declaration, version", DECLARATION, "<?xml version='1 0'?>", 15,
     "a version such as 1.0"},
};

static enum dump_step read_it(enum reader reader, struct dump_cursor *cursor)
{
    struct str name;
    enum dump_markup_next next;
    char quote;

    switch (reader) {
    case NAME:
        return dump_markup_name(cursor, &name);
    case NEXT:
        return dump_markup_next(cursor, &next, &name, &quote);
    case COMMENT:
        return dump_markup_comment(cursor);
    case INSTRUCTION:
        return dump_markup_instruction(cursor);
    case DECLARATION:
        return dump_markup_declaration(cursor);
    }
    return DUMP_STEP_WRONG;
}

static const struct {
    const char *name;
    const char *bytes;
    int len;
} characters[] = {
    {"ASCII", "a", 1},
    {"tab", "\t", 1},
    {"control", "\x1F", 0},
    {"delete", "\x7F", 1},
    {"two bytes", "\xC2\x80", 2},
    {"three bytes", "\xE0\xA0\x80", 3},
    {"four bytes", "\xF4\x8F\xBF\xBF", 4},
    {"beyond", "\xF4\x90\x80\x80", 0},
    {"cut", "\xE2\x82", -1},
    {"cut after one", "\xF0", -1},
    {"surrogate", "\xED\xA0\x80", 0},
    {"last before surrogates", "\xED\x9F\xBF", 3},
    {"U+FFFD", "\xEF\xBF\xBD", 3},
    {"U+FFFE", "\xEF\xBF\xBE", 0},
    {"overlong", "\xF0\x8F\xBF\xBF", 0},
    {"lone continuation", "\xBF", 0},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *text = rows[i].text;
        size_t len = strlen(text);
        struct dump_cursor cursor = {text, text + len, NULL};
        tap_case("markup: %s", rows[i].name);
        CHECK(read_it(rows[i].reader, &cursor) ==
              (rows[i].expected == NULL ? DUMP_STEP_DONE : DUMP_STEP_WRONG));
        CHECK(cursor.at == text + rows[i].end);
        if (rows[i].expected != NULL)
            CHECK_TEXT(cursor.expected, rows[i].expected);
        /* Cut before its end, or before what is wrong, it is only cut. A declaration is
         * known to be one before it is read. */
        size_t known = rows[i].reader == DECLARATION ? strlen("<?xml") : 1;
        for (size_t cut = known; cut < (size_t)rows[i].end; cut++) {
            cursor = (struct dump_cursor){text, text + cut, NULL};
            CHECK(read_it(rows[i].reader, &cursor) == DUMP_STEP_CUT);
        }
    }
    for (size_t i = 0; i < ROWS(characters); i++) {
        const char *bytes = characters[i].bytes;
        tap_case("character: %s", characters[i].name);
        CHECK(dump_markup_character(bytes, bytes + strlen(bytes)) == characters[i].len);
    }
    return tap_done();
}
