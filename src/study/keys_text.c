/* The table of keys for people and for editors: help, manual, JSON schema. */
#include <stdio.h>
#include <string.h>

#include "base/roff.h"
#include "study/keys.h"

void study_keys_wanted(const struct study_keys_row *row, struct buf *out)
{
    static const struct {
        unsigned form;
        const char *words;
    } words[] = {
        {STUDY_KEYS_TEXT, "text"},
        {STUDY_KEYS_PATH, "a path"},
        {STUDY_KEYS_DATE, "a date such as 2019-12-02"},
        {STUDY_KEYS_YES_NO, "yes or no"},
        {STUDY_KEYS_QUERY, "a query"},
        {STUDY_KEYS_MEASURE, "a measure such as `median views`"},
        {STUDY_KEYS_SIZE,
         "a size such as `95% +- 5%`, 300, 20%, all or `top 50 by views`"},
        {STUDY_KEYS_GROUPING, "`created by year` or the like"},
        {STUDY_KEYS_REF, "the name of one of: "},
        {STUDY_KEYS_CHOICE, "one of "},
    };
    const char *between = "";

    if (row->forms & STUDY_KEYS_MAP)
        buf_add(out, STR("`name: value` lines, each value "));
    for (size_t i = 0; i < ROWS_OF(words); i++) {
        if (!(row->forms & words[i].form))
            continue;
        buf_add_format(out, "%s%s", between, words[i].words);
        if (words[i].form & (STUDY_KEYS_REF | STUDY_KEYS_CHOICE))
            for (const char *c = row->detail; *c != '\0'; c++)
                buf_add(out, *c == '|' ? STR(", ") : (struct str){c, 1});
        between = ", or ";
    }
    if (row->forms & (STUDY_KEYS_WHOLE | STUDY_KEYS_NUMBER)) {
        buf_add_format(out, "%sa %snumber from %g to %g", between,
                       row->forms & STUDY_KEYS_WHOLE ? "whole " : "", row->lowest,
                       row->highest);
        between = ", or ";
    }
    if (row->forms & (STUDY_KEYS_LIST | STUDY_KEYS_ONLY_LIST)) {
        buf_add_format(out, "%sa list of them",
                       row->forms & STUDY_KEYS_ONLY_LIST && *between != '\0' ? "; "
                                                                             : between);
        between = ", or ";
    }
    if (row->forms & STUDY_KEYS_SECTION)
        buf_add_format(out, "%s`key: value` lines", between);
    if (row->forms & STUDY_KEYS_NAMES)
        buf_add_format(out, "%s`name: ...` lines", between);
}

bool study_keys_is_below(const struct study_keys_row *row, const char *path)
{
    size_t len = strlen(path);
    const char *rest = row->path + len;

    if (len == 0)
        return strchr(row->path, '.') == NULL;
    return strncmp(row->path, path, len) == 0 && rest[0] == '.' && rest[1] != '*' &&
           rest[1] != '-' && strchr(rest + 1, '.') == NULL;
}

static bool stands_below(const struct study_keys_row *row, const char *path)
{
    size_t len = strlen(path);

    return strncmp(row->path, path, len) == 0 && row->path[len] == '.';
}

/* A line of the help as lines of at most 78 characters; an example stays as it is. */
static void add_wrapped(struct str text, const char *indent, struct buf *out)
{
    size_t column = 0;
    struct str rest = text, word;

    if (str_starts(text, STR("    "))) {
        buf_add_format(out, "%s%.*s\n", indent, STR_ARG(text));
        return;
    }
    for (bool more = true; more;) {
        more = str_cut(&rest, ' ', &word);
        bool begins = column == 0 || column + 1 + word.len > 78;
        if (begins && column > 0)
            buf_add_char(out, '\n');
        column = begins ? strlen(indent) + word.len : column + 1 + word.len;
        buf_add_format(out, "%s%.*s", begins ? indent : " ", STR_ARG(word));
    }
    buf_add_char(out, '\n');
}

void study_keys_help(const struct study_keys_row *row, struct buf *out)
{
    bool any = false;

    buf_add_format(out, "%s  (", row->path);
    study_keys_wanted(row, out);
    buf_add_format(out, "%s", row->required ? "; required" : "");
    if (row->fallback != NULL)
        buf_add_format(out, "; default %s", row->fallback);
    buf_add(out, STR(")\n"));
    struct str rest = str_from(row->help), line;
    for (bool more = true; more;) {
        more = str_cut(&rest, '\n', &line);
        add_wrapped(line, "  ", out);
    }
    for (size_t i = 0; i < study_keys_count; i++) {
        if (!stands_below(&study_keys_table[i], row->path))
            continue;
        buf_add_format(out, "%s  %s\n", any ? "" : "\nkeys below it:\n",
                       study_keys_table[i].path);
        any = true;
    }
}

void study_keys_help_all(struct buf *out)
{
    buf_add(out, STR("keys of the study file; `assay help study.KEY` says more:\n"));
    for (size_t i = 0; i < study_keys_count; i++) {
        buf_add_format(out, "  %-34s ", study_keys_table[i].path);
        study_keys_wanted(&study_keys_table[i], out);
        buf_add_format(out, "%s\n", study_keys_table[i].required ? "; required" : "");
    }
}

void study_keys_manual(struct buf *out)
{
    struct buf form = {0};

    for (size_t i = 0; i < study_keys_count; i++) {
        const struct study_keys_row *row = &study_keys_table[i];
        buf_add(out, STR(".TP\n.BR "));
        roff_add(str_from(row->path), out);
        buf_add(out, STR(" \" \\ (\" \""));
        buf_clear(&form);
        study_keys_wanted(row, &form);
        roff_add(buf_str(&form), out);
        if (row->required)
            buf_add(out, STR("; required"));
        if (row->fallback != NULL) {
            buf_add(out, STR("; default "));
            roff_add(str_from(row->fallback), out);
        }
        buf_add(out, STR("\" )\n"));
        struct str rest = str_from(row->help), line;
        for (bool more = true; more;) {
            more = str_cut(&rest, '\n', &line);
            roff_add(line, out);
            /* What is indented breaks the line by itself. */
            bool breaks = more && !str_starts(rest, STR(" "));
            buf_add(out, breaks ? STR("\n.br\n") : STR("\n"));
        }
    }
    buf_free(&form);
}

static void add_section(const char *path, struct buf *out);

static void add_scalar_schema(const struct study_keys_row *row, struct buf *out)
{
    if (row->forms & STUDY_KEYS_CHOICE) {
        struct str rest = str_from(row->detail), name;
        buf_add(out, STR("{\"enum\":["));
        for (bool more = true, first = true; more; first = false) {
            more = str_cut(&rest, '|', &name);
            buf_add_format(out, "%s\"%.*s\"", first ? "" : ",", STR_ARG(name));
        }
        buf_add(out, STR("]}"));
    } else if (row->forms & STUDY_KEYS_YES_NO) {
        buf_add(out, STR("{\"enum\":[\"yes\",\"no\"]}"));
    } else if (row->forms & STUDY_KEYS_WHOLE) {
        buf_add_format(out, "{\"type\":\"integer\",\"minimum\":%.0f,\"maximum\":%.0f}",
                       row->lowest, row->highest);
    } else {
        buf_add(out, STR("{\"type\":[\"string\",\"number\"]}"));
    }
}

static void add_value(const struct study_keys_row *row, struct buf *out)
{
    const char *between = "";
    bool any = row->detail != NULL && strcmp(row->detail, "any") == 0;
    char below[200];

    buf_add(out, STR("{\"description\":\""));
    buf_add_json(out, str_from(row->help));
    buf_add(out, STR("\",\"anyOf\":["));
    if (row->forms & STUDY_KEYS_SCALARS &&
        !(row->forms & (STUDY_KEYS_ONLY_LIST | STUDY_KEYS_MAP))) {
        add_scalar_schema(row, out);
        between = ",";
    }
    if (row->forms & (STUDY_KEYS_LIST | STUDY_KEYS_ONLY_LIST)) {
        buf_add_format(out, "%s{\"type\":\"array\",\"items\":{\"anyOf\":[", between);
        add_scalar_schema(row, out);
        if (row->forms & STUDY_KEYS_SECTION) {
            snprintf(below, sizeof below, "%s.-", row->path);
            buf_add_char(out, ',');
            add_section(below, out);
        }
        buf_add(out, STR("]}}"));
        between = ",";
    }
    if (row->forms & STUDY_KEYS_MAP) {
        buf_add_format(out, "%s{\"type\":\"object\",\"additionalProperties\":", between);
        add_scalar_schema(row, out);
        buf_add_char(out, '}');
        between = ",";
    }
    if (row->forms & STUDY_KEYS_NAMES) {
        struct buf name = {0};
        buf_add_format(out, "%s{\"type\":\"object\",\"additionalProperties\":", between);
        if (row->detail != NULL && !any)
            buf_add_format(&name, "%s", row->detail);
        else
            buf_add_format(&name, "%s.*", row->path);
        add_value(study_keys_find(buf_str(&name)), out);
        buf_add_char(out, '}');
        buf_free(&name);
        between = ",";
    }
    if (row->forms & STUDY_KEYS_SECTION && !(row->forms & STUDY_KEYS_LIST)) {
        buf_add_format(out, "%s", between);
        add_section(row->path, out);
    }
    buf_add(out, STR("]}"));
}

static void add_section(const char *path, struct buf *out)
{
    size_t len = strlen(path);
    const char *between = "";
    struct buf required = {0};

    buf_add(out,
            STR("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"));
    for (size_t i = 0; i < study_keys_count; i++) {
        const struct study_keys_row *row = &study_keys_table[i];
        const char *name = len == 0 ? row->path : row->path + len + 1;
        if (!study_keys_is_below(row, path))
            continue;
        buf_add_format(out, "%s\"%s\":", between, name);
        add_value(row, out);
        between = ",";
        if (row->required)
            buf_add_format(&required, "%s\"%s\"", required.len > 0 ? "," : "", name);
    }
    buf_add_format(out, "},\"required\":[%.*s]}", STR_ARG(buf_str(&required)));
    buf_free(&required);
}

void study_keys_schema(struct buf *out)
{
    struct buf body = {0};

    add_section("", &body);
    buf_add(out, STR("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
                     "\"title\":\"study file of assay\","));
    buf_add(out, str_slice(buf_str(&body), 1, body.len));
    buf_add_char(out, '\n');
    buf_free(&body);
}
