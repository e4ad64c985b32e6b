/* Error texts. */
#include "base/err.h"

#include <string.h>

#include "tests/tap.h"

int main(void)
{
    struct err err = {0};
    char longer[2000], *long_place = longer + 1050; /* 949 bytes: some text still fits */

    tap_case("a failure is false and carries its kind");
    CHECK(!err_set(&err, ERR_INPUT, "expected %d, found '%s'", 1, "x"));
    CHECK(err.kind == ERR_INPUT);
    CHECK_TEXT(err.text, "expected 1, found 'x'");
    tap_case("a place goes before the text and keeps the kind");
    CHECK(!err_at(&err, "%s:%d: ", "a.csv", 3));
    CHECK_TEXT(err.text, "a.csv:3: expected 1, found 'x'");
    CHECK(err.kind == ERR_INPUT);
    tap_case("places nest");
    CHECK(!err_at(&err, "%s", "while importing: "));
    CHECK_TEXT(err.text, "while importing: a.csv:3: expected 1, found 'x'");
    tap_case("a later failure replaces an earlier one");
    CHECK(!err_set(&err, ERR_USAGE, "other"));
    CHECK(err.kind == ERR_USAGE);
    CHECK_TEXT(err.text, "other");
    tap_case("kinds are the exit statuses");
    CHECK(ERR_NONE == 0 && ERR_INPUT == 1 && ERR_USAGE == 2 && ERR_SYSTEM == 3);
    tap_case("texts that are too long are cut, not overrun");
    memset(longer, 'y', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    CHECK(!err_set(&err, ERR_SYSTEM, "%s", longer));
    CHECK(strlen(err.text) == sizeof err.text - 1);
    CHECK(!err_at(&err, "%s", longer));
    CHECK(strlen(err.text) == sizeof err.text - 1);
    tap_case("a long place leaves room for the beginning of the text");
    CHECK(!err_set(&err, ERR_INPUT, "%0100d", 1));
    CHECK(!err_at(&err, "%s", long_place));
    CHECK(strlen(err.text) == sizeof err.text - 1);
    CHECK(err.text[948] == 'y' && err.text[949] == '0' && err.text[998] == '0');
    tap_case("a text given as argument is no format");
    CHECK(!err_set(&err, ERR_INPUT, "%s", "100%s%n"));
    CHECK(!err_at(&err, "%s:", "%d"));
    CHECK_TEXT(err.text, "%d:100%s%n");
    return tap_done();
}
