/* Posts and labels as json: made harmless, and null where something is not known. */
#include <string.h>

#include "serve/internal.h"
#include "store/corpus.h"
#include "tests/tap.h"

static void check(struct buf *out, const char *want)
{
    buf_add_char(out, '\0');
    CHECK_TEXT(out->ptr, want);
    buf_free(out);
}

static void test_item(void)
{
    struct label_comment comment = {1, ITEM_NONE, 2, STR("<b>*a*</b>")};
    struct label_post answer = {8,    5,    -1, STR("*b* <p onclick=x>"),
                                true, NULL, 0,  ITEM_MARKDOWN};
    struct str tag = STR("a<b>");
    struct label_field field = {STR("phase"), STR("\"x\"")};
    struct label_item item = {
        .question = {7, ITEM_NONE, ITEM_NONE, STR("<script>c</script>d"), false, &comment,
                     1, ITEM_HTML},
        .title = STR("<i>t"),
        .tags = &tag,
        .tag_count = 1,
        .answers = &answer,
        .answer_count = 1,
        .fields = &field,
        .field_count = 1,
        .link = STR("https://e.example/q/7"),
    };
    struct buf out = {0};

    tap_case("an item with everything");
    serve_add_item(&item, NULL, NULL, &out);
    check(
        &out,
        "\"item\":{\"id\":7,\"created\":null,\"score\":null,\"accepted\":false,"
        "\"html\":\"d\",\"images\":[],\"comments\":[{\"created\":null,\"score\":2,"
        "\"text\":\"<b>*a*</"
        "b>\"}],\"diff\":\"\",\"no_diff\":\"\",\"key\":\"\",\"seen\":\"\",\"row\":false,"
        "\"title\":\"<i>"
        "t\",\"tags\":[\"a<b>\"],"
        "\"link\":\"https://e.example/q/7\",\"fields\":[{\"name\":\"phase\","
        "\"value\":\"\\\"x\\\"\"}],\"answers\":[{\"id\":8,\"created\":5,\"score\":-1,"
        "\"accepted\":true,\"html\":\"<p><em>b</em> "
        "</p><p></p>\\n\",\"images\":[],\"comments\":[]}]}");
}

static void test_commit(void)
{
    struct label_item item = {.question = {.id = 7,
                                           .created_ms = ITEM_NONE,
                                           .score = ITEM_NONE,
                                           .body = STR("Fix\n\nIt <was> wrong.\n"),
                                           .form = ITEM_PLAIN},
                              .title = STR("Fix"),
                              .patch = STR("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+<b>\n")};
    struct buf out = {0};

    tap_case("a commit: its message below the subject, and what it changed");
    serve_add_item(&item, NULL, NULL, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "\"html\":\"<pre>It &lt;was&gt; wrong.") != NULL);
    CHECK(strstr(out.ptr, "data-place=\\\"x:L1\\\"") != NULL);
    CHECK(strstr(out.ptr, "data-place=\\\"x:R1\\\"") != NULL);
    CHECK(strstr(out.ptr, "&lt;b&gt;") != NULL && strstr(out.ptr, "<b>") == NULL);
    tap_case("or why there is nothing to show");
    item.patch = (struct str){0};
    item.no_patch = STR("it is a merge");
    buf_clear(&out);
    serve_add_item(&item, NULL, NULL, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "\"diff\":\"\",\"no_diff\":\"it is a merge\"") != NULL);
    buf_free(&out);
}

static void test_said(void)
{
    struct str codes[] = {STR("a"), STR("b/c")};
    struct label_said said = {.act = 3,
                              .item = 7,
                              .rater = STR("ann"),
                              .dimension = STR("d"),
                              .codes = codes,
                              .code_count = 2,
                              .memo = STR("m\n"),
                              .unsure = true,
                              .seconds = 1.5};
    struct buf out = {0};

    tap_case("a label, with its rater for an arbiter");
    serve_add_said(&said, said.rater, &out);
    check(&out, "{\"act\":3,\"item\":7,\"dimension\":\"d\",\"rater\":\"ann\",\"codes\":"
                "[\"a\",\"b/c\"],\"memo\":\"m\\n\",\"unsure\":true,\"seconds\":1.5,"
                "\"review\":\"\"}");
    tap_case("and without");
    serve_add_said(&said, (struct str){0}, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "ann") == NULL);
    buf_free(&out);
}

int main(void)
{
    test_item();
    test_commit();
    test_said();
    return tap_done();
}
