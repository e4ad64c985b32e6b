/* Parts of long lists: where one begins, words that are looked for, how much is read. */
#include "tests/unit/served.h"

/* Which of the texts are taken, as "1011"; "error" when the request is refused. */
static const char *taken(struct arena *arena, const char *rest, const char *const *texts,
                         size_t count)
{
    struct serve_call call = {.rest = str_from(rest), .arena = arena};
    struct serve_list list;
    struct buf out = {0}, marks = {0};
    struct err err = {0};

    if (serve_list_begin(&call, &out, &list, &err)) {
        for (size_t i = 0; i < count; i++) {
            serve_list_word(&list, str_from(texts[i]));
            buf_add_char(&marks, serve_list_takes(&list) ? '1' : '0');
        }
        serve_list_end(&list, true, (int64_t)count);
    } else {
        buf_add(&marks, STR("error"));
        CHECK(err.kind == ERR_INPUT && strstr(err.text, "is no part of a list") != NULL);
    }
    const char *copy = arena_c_string(arena, buf_str(&marks));
    buf_free(&marks);
    buf_free(&out);
    return copy;
}

static void check_limits(struct arena *arena)
{
    struct serve_call call = {.rest = STR("7/x"), .arena = arena};
    struct serve_list list;
    struct buf out = {0};
    struct err err = {0};
    size_t read = 0, found = 0;

    tap_case("a part has at most 200 of 1,000 that were read, and says where it goes on");
    CHECK(serve_list_begin(&call, &out, &list, &err) && list.at == 7);
    for (; serve_list_goes_on(&list); read++) {
        serve_list_word(&list, read % 3 == 0 ? STR("x") : STR("y"));
        found += serve_list_takes(&list);
    }
    CHECK(found == 200 && read == 598);
    list.at += read;
    serve_list_end(&list, false, 5000);
    CHECK(strstr((buf_add_char(&out, '\0'), out.ptr), "\"count\":5000,\"next\":605") !=
          NULL);
    buf_clear(&out);
    CHECK(serve_list_begin(&call, &out, &list, &err));
    for (read = 0; serve_list_goes_on(&list); read++) {
        serve_list_word(&list, STR("y"));
        CHECK(!serve_list_takes(&list));
    }
    CHECK(read == 1000);
    serve_list_end(&list, false, 5000);
    buf_free(&out);
}

int main(void)
{
    static const char *const texts[] = {
        "The Model is slow",
        "stra\xc3\x9f"
        "e und Gr\xc3\x96\xc3\x9f"
        "e",
        "\xd0\x9f\xd0\xb0\xd0\xbc\xd1\x8f\xd1\x82\xd1\x8c", "a/b c"};
    static const struct {
        const char *name, *rest, *want;
    } rows[] = {
        {"no words: all", "0", "1111"},
        {"in any case", "0/MODEL", "1000"},
        {"all words must be there", "0/slow%20model", "1000"},
        {"and not one of them", "0/slow%20fast", "0000"},
        {"blanks alone are no word", "0/%20%20", "1111"},
        {"letters that fold to two", "0/STRASSE", "0100"},
        {"of another script, in any case", "0/%D0%9F%D0%90%D0%9C%D0%AF%D0%A2%D0%AC",
         "0010"},
        {"an escaped slash is a letter", "0/a%2Fb", "0001"},
        {"bytes that are no text", "0/%FF", "error"},
        {"an escape that is cut", "0/%2", "error"},
        {"no number", "x/model", "error"},
        {"below 0", "-1", "error"},
        {"nothing", "", "error"},
    };
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        CHECK_TEXT(taken(&arena, rows[i].rest, texts, ROWS(texts)), rows[i].want);
    }
    check_limits(&arena);
    arena_free(&arena);
    return tap_done();
}
