/* The table of assets. Each is embedded under its name by tools/embed. */
#include "serve/web.h"

#include "base/compiler.h"

#define HTML    "text/html; charset=utf-8"
#define SCRIPT  "text/javascript; charset=utf-8"
#define STYLE   "text/css; charset=utf-8"
#define PICTURE "image/svg+xml"
#define EMBEDDED(name) \
    extern const unsigned char web_##name[]; \
    extern const size_t web_##name##_len

EMBEDDED(arbiter_html);
EMBEDDED(arbiter_js);
EMBEDDED(code_js);
EMBEDDED(enter_html);
EMBEDDED(enter_js);
EMBEDDED(icon_svg);
EMBEDDED(label_css);
EMBEDDED(lead_html);
EMBEDDED(lead_js);
EMBEDDED(page_js);
EMBEDDED(queue_js);
EMBEDDED(rater_html);
EMBEDDED(rater_js);

static const struct serve_web_asset assets[] = {
    {STR_INIT("arbiter.html"), HTML, web_arbiter_html, &web_arbiter_html_len},
    {STR_INIT("arbiter.js"), SCRIPT, web_arbiter_js, &web_arbiter_js_len},
    {STR_INIT("code.js"), SCRIPT, web_code_js, &web_code_js_len},
    {STR_INIT("enter.html"), HTML, web_enter_html, &web_enter_html_len},
    {STR_INIT("enter.js"), SCRIPT, web_enter_js, &web_enter_js_len},
    {STR_INIT("icon.svg"), PICTURE, web_icon_svg, &web_icon_svg_len},
    {STR_INIT("label.css"), STYLE, web_label_css, &web_label_css_len},
    {STR_INIT("lead.html"), HTML, web_lead_html, &web_lead_html_len},
    {STR_INIT("lead.js"), SCRIPT, web_lead_js, &web_lead_js_len},
    {STR_INIT("page.js"), SCRIPT, web_page_js, &web_page_js_len},
    {STR_INIT("queue.js"), SCRIPT, web_queue_js, &web_queue_js_len},
    {STR_INIT("rater.html"), HTML, web_rater_html, &web_rater_html_len},
    {STR_INIT("rater.js"), SCRIPT, web_rater_js, &web_rater_js_len},
};

const struct serve_web_asset *serve_web_find(struct str name)
{
    for (size_t i = 0; i < ROWS_OF(assets); i++)
        if (str_eq(assets[i].name, name))
            return &assets[i];
    return NULL;
}

struct str serve_web_text(const struct serve_web_asset *asset)
{
    return (struct str){(const char *)asset->bytes, *asset->len};
}
