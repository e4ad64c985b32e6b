/* The embedded pages: all there, none refers to anything outside or runs script inline.
 */
#include "serve/internal.h"

#include <string.h>

#include "base/arena.h"
#include "tests/tap.h"

static const char *const names[] = {
    "arbiter.html", "arbiter.js", "code.js",    "enter.html", "enter.js",
    "icon.svg",     "label.css",  "lead.html",  "lead.js",    "math.js",
    "page.js",      "queue.js",   "rater.html", "rater.js"};

static void test_there(const char *name, struct arena *arena)
{
    struct serve_web_asset asset;

    tap_case("%s is there and needs nothing from elsewhere", name);
    if (!CHECK(serve_web_find(str_from(name), &asset)))
        return;
    char *text = arena_c_string(arena, asset.bytes);
    CHECK(strlen(text) == asset.bytes.len && strlen(text) > 100);
    for (char *at = text; (at = strstr(at, "http")) != NULL; at++)
        CHECK(strncmp(at, "http://www.w3.org/2000/svg", 26) == 0);
    CHECK(strstr(text, "url(") == NULL);
    CHECK(strstr(text, "@import") == NULL);
}

/* The policy would block these; the page would be broken in silence. */
static void test_no_inline(const char *name, struct arena *arena)
{
    struct serve_web_asset asset;

    if (!CHECK(serve_web_find(str_from(name), &asset)))
        return;
    char *text = arena_c_string(arena, asset.bytes);

    tap_case("%s has no inline script, style or handler", name);
    for (char *at = text; (at = strstr(at, "<script")) != NULL; at++)
        CHECK(strncmp(at, "<script type=\"module\" src=\"../../web/", 37) == 0 ||
              strncmp(at, "<script type=\"module\" src=\"web/", 31) == 0);
    CHECK(strstr(text, "<style") == NULL);
    CHECK(strstr(text, " style=") == NULL);
    CHECK(strstr(text, " onclick=") == NULL);
}

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(names); i++) {
        test_there(names[i], &arena);
        if (strstr(names[i], ".html") != NULL)
            test_no_inline(names[i], &arena);
    }
    struct serve_web_asset asset;
    tap_case("what sets mathematics is there, with its fonts");
    CHECK(serve_web_find(STR("katex.min.js"), &asset) && asset.bytes.len > 200000);
    CHECK(serve_web_find(STR("fonts/KaTeX_Main-Regular.woff2"), &asset) &&
          strcmp(asset.type, "font/woff2") == 0 && asset.bytes.len > 10000);
    CHECK(serve_web_find(STR("katex.min.css"), &asset));
    char *style = arena_c_string(&arena, asset.bytes);
    for (char *at = style; (at = strstr(at, "url(")) != NULL; at++)
        CHECK(strncmp(at, "url(fonts/KaTeX_", 16) == 0);
    tap_case("other names are none");
    CHECK(!serve_web_find(STR("rater"), &asset));
    CHECK(!serve_web_find(STR(""), &asset));
    CHECK(!serve_web_find(STR("../serve/web.c"), &asset));
    arena_free(&arena);
    return tap_done();
}
