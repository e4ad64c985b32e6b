/* A section of the study file as it is shown in the report: YAML on few lines. */
#include "report/internal.h"

/* A scalar as YAML wants it: in quotes where it could be read as something else. */
static void add_scalar(struct str text, struct buf *out)
{
    bool plain = text.len > 0;

    for (size_t i = 0; i < text.len && plain; i++) {
        char c = text.ptr[i];
        plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '/' || c == '$' ||
                c == '%' || c == '+' || (i > 0 && (c == '-' || c == ' '));
    }
    if (plain) {
        buf_add(out, text);
        return;
    }
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++)
        buf_add(out, text.ptr[i] == '\'' ? STR("''") : (struct str){text.ptr + i, 1});
    buf_add_char(out, '\'');
}

static void add_node(const struct yaml_node *node, int indent, struct buf *out)
{
    if (node->type == YAML_SCALAR) {
        add_scalar(node->text, out);
        return;
    }
    if (node->type == YAML_SEQUENCE) {
        buf_add_char(out, '[');
        for (size_t i = 0; i < node->count; i++) {
            if (i > 0)
                buf_add(out, STR(", "));
            if (node->items[i].type == YAML_SCALAR) {
                add_scalar(node->items[i].text, out);
                continue;
            }
            buf_add_char(out, '{');
            for (size_t k = 0; k < node->items[i].count; k++) {
                buf_add_format(out, "%s%.*s: ", k > 0 ? ", " : "",
                               STR_ARG(node->items[i].keys[k].text));
                add_node(&node->items[i].items[k], indent, out);
            }
            buf_add_char(out, '}');
        }
        buf_add_char(out, ']');
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        buf_add_format(out, "\n%*s", indent, "");
        add_scalar(node->keys[i].text, out);
        buf_add(out, node->items[i].type == YAML_MAPPING ? STR(":") : STR(": "));
        add_node(&node->items[i], indent + 2, out);
    }
}

void report_page_section(const struct yaml_node *node, struct buf *out)
{
    struct buf text = {0};

    add_node(node, 0, &text);
    buf_add(out, str_trim(buf_str(&text)));
    buf_free(&text);
}

void report_page_add_made_by(const char *section, struct str name,
                             const struct yaml_node *node, struct buf *out)
{
    struct buf text = {0};

    report_page_section(node, &text);
    buf_add_format(out, "<details><summary>made by <code>%s.", section);
    buf_add_xml(out, name);
    buf_add(out, STR("</code></summary><pre>"));
    buf_add_xml(out, buf_str(&text));
    buf_add(out, STR("</pre></details>\n"));
    buf_free(&text);
}
