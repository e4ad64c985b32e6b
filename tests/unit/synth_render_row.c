/* Attributes of rows. */
#include "synth/render_row.h"

#include "base/date.h"
#include "tests/tap.h"

static void check(struct buf *out, const char *want)
{
    buf_add_char(out, '\0');
    CHECK_TEXT(out->ptr, want);
    buf_clear(out);
}

static const struct {
    const char *name;
    enum synth_layout layout;
    struct date date;
    const char *license;
} licenses[] = {
    {"none in the classic layout", SYNTH_CLASSIC, {2019, 1, 1}, ""},
    {"2.5", SYNTH_2024_PIPE, {2011, 4, 7}, " ContentLicense=\"CC BY-SA 2.5\""},
    {"3.0 from 2011-04-08 on",
     SYNTH_2024_PIPE,
     {2011, 4, 8},
     " ContentLicense=\"CC BY-SA 3.0\""},
    {"4.0 from 2018-05-02 on",
     SYNTH_2024_PIPE,
     {2018, 5, 2},
     " ContentLicense=\"CC BY-SA 4.0\""},
};

int main(void)
{
    struct tags tags = {.at = {MODEL_TENSORFLOW}, .count = 1};
    struct synth_options options = {.layout = SYNTH_CLASSIC};
    struct render_context context = {.options = &options};
    struct render rows = {0};
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(licenses); i++) {
        struct synth_options of = {.layout = licenses[i].layout};
        tap_case("licence: %s", licenses[i].name);
        render_row_license(&out, &of, date_from_civil(licenses[i].date));
        check(&out, licenses[i].license);
    }
    tap_case("a number, a user and one who is gone");
    render_row_number(&out, " Score=\"", -3);
    check(&out, " Score=\"-3\"");
    render_row_user(&out, " UserId=\"", " Name=\"", 7, 5);
    check(&out, " UserId=\"7\"");
    render_row_user(&out, " UserId=\"", " Name=\"", 0, 5);
    check(&out, " Name=\"user1000005\"");
    tap_case("tags");
    render_row_tags(&out, &options, &tags);
    check(&out, " Tags=\"&lt;tensorflow&gt;\"");
    options.layout = SYNTH_2024_PIPE;
    render_row_tags(&out, &options, &tags);
    check(&out, " Tags=\"|tensorflow|\"");
    tap_case("the end of a row, and beginning anew");
    render_row_clear(&context, &rows);
    render_row_end(&rows, SYNTH_TAGS);
    CHECK(rows.counts_of[SYNTH_TAGS] == 1);
    CHECK(str_eq(buf_str(&rows.tables[SYNTH_TAGS]), STR(" />\r\n")));
    render_row_clear(&context, &rows);
    CHECK(rows.counts_of[SYNTH_TAGS] == 0 && rows.tables[SYNTH_TAGS].len == 0);
    render_free(&rows);
    buf_free(&out);
    return tap_done();
}
