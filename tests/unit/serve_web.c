/* The embedded pages: all there, none refers to anything outside or runs script inline.
 */
#include "serve/internal.h"

#include <string.h>

#include "base/arena.h"
#include "tests/tap.h"

static const char *const names[] = {
    "arbiter.html", "arbiter.js", "code.js",   "enter.html", "enter.js",
    "icon.svg",     "label.css",  "lead.html", "lead.js",    "page.js",
    "queue.js",     "rater.html", "rater.js"};

static void test_there(const char *name, struct arena *arena)
{
    const struct serve_web_asset *asset = serve_web_find(str_from(name));

    tap_case("%s is there and needs nothing from elsewhere", name);
    if (!CHECK(asset != NULL))
        return;
    char *text = arena_c_string(arena, serve_web_text(asset));
    CHECK(strlen(text) == serve_web_text(asset).len && strlen(text) > 100);
    for (char *at = text; (at = strstr(at, "http")) != NULL; at++)
        CHECK(strncmp(at, "http://www.w3.org/2000/svg", 26) == 0);
    CHECK(strstr(text, "url(") == NULL);
    CHECK(strstr(text, "@import") == NULL);
}

/* The policy would block these; the page would be broken in silence. */
static void test_no_inline(const char *name, struct arena *arena)
{
    const struct serve_web_asset *asset = serve_web_find(str_from(name));
    char *text = arena_c_string(arena, serve_web_text(asset));

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
    tap_case("other names are none");
    CHECK(serve_web_find(STR("rater")) == NULL);
    CHECK(serve_web_find(STR("")) == NULL);
    CHECK(serve_web_find(STR("../serve/web.c")) == NULL);
    arena_free(&arena);
    return tap_done();
}
