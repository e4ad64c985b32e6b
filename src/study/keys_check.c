/* A document against the table of keys: known keys, right forms, names that exist. */
#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/list.h"
#include "base/near.h"
#include "query/query.h"
#include "sample/size.h"
#include "source/source.h"
#include "study/internal.h"
#include "study/keys.h"
#include "study/measure.h"

enum { NAMES_MAX = 60 };

struct checker {
    const struct yaml_node *root;
    struct arena *arena;
    struct study_keys_problems *problems;
    struct query_own own;
};

/* What YAML took for a list or a mapping, as the query that was meant; nothing if it is
 * none. */
static void add_query(struct checker *checker, struct buf *out,
                      const struct yaml_node *node)
{
    struct buf meant = {0};
    struct query_node *query;
    struct err ignored = {0};

    for (size_t i = 0; i < node->count; i++) {
        const struct yaml_node *item = &node->items[i];
        if (i > 0)
            buf_add(&meant, node->type == YAML_MAPPING ? STR(" and ") : STR(" or "));
        if (node->type == YAML_MAPPING)
            buf_add_format(&meant, "%.*s:%.*s", STR_ARG(node->keys[i].text),
                           STR_ARG(item->text));
        else
            buf_add_format(&meant, "[%.*s]", STR_ARG(item->text));
    }
    if (query_parse_with(buf_str(&meant), &checker->own, checker->arena, &query,
                         &ignored))
        buf_add_format(out, "; quote the query: '%.*s'", STR_ARG(buf_str(&meant)));
    buf_free(&meant);
}

static void wrong_form(struct checker *checker, const struct yaml_node *node,
                       const struct study_keys_row *row)
{
    struct buf wanted = {0}, query = {0};
    struct str found = node->type == YAML_MAPPING    ? STR("a mapping")
                       : node->type == YAML_SEQUENCE ? STR("a list")
                       : node->text.len == 0         ? STR("nothing")
                                                     : node->text;

    study_keys_wanted(row, &wanted);
    if (row->forms & STUDY_KEYS_QUERY && node->count > 0 &&
        node->items[0].type == YAML_SCALAR)
        add_query(checker, &query, node);
    study_keys_complain(checker->problems, node, "expected %.*s, found %s%.*s%s%.*s",
                        STR_ARG(buf_str(&wanted)), node->type == YAML_SCALAR ? "'" : "",
                        STR_ARG(str_slice(found, 0, 100)),
                        node->type == YAML_SCALAR ? "'" : "", STR_ARG(buf_str(&query)));
    buf_free(&wanted);
    buf_free(&query);
}

static void unknown_name(struct checker *checker, const struct yaml_node *at,
                         const char *before, const char *behind, const struct str *names,
                         size_t count)
{
    size_t near = near_find(at->text, names, count);

    if (near < count) {
        study_keys_complain(checker->problems, at, "%s'%.*s'%s; did you mean '%.*s'?",
                            before, STR_ARG(at->text), behind, STR_ARG(names[near]));
        return;
    }
    struct buf list = {0};
    for (size_t i = 0; i < count && i < NAMES_MAX; i++)
        buf_add_format(&list, "%s%.*s", i > 0 ? ", " : "", STR_ARG(names[i]));
    if (count > 0)
        study_keys_complain(checker->problems, at, "%s'%.*s'%s; expected one of %.*s",
                            before, STR_ARG(at->text), behind, STR_ARG(buf_str(&list)));
    else
        study_keys_complain(checker->problems, at, "%s'%.*s'%s; there is none", before,
                            STR_ARG(at->text), behind);
    buf_free(&list);
}

/* What many take for a group that is there: how to make it one. */
static bool tell_grouping(struct checker *checker, const struct yaml_node *node)
{
    static const struct {
        struct str name;
        const char *made;
    } known[] = {
        {STR_INIT("tag"), "tags"},
        {STR_INIT("tags"), "tags"},
        {STR_INIT("year"), "created by year"},
        {STR_INIT("quarter"), "created by quarter"},
        {STR_INIT("month"), "created by month"},
        {STR_INIT("source"), "source"},
    };
    struct str name = node->text;
    const char *made = NULL;
    struct str field = {0};

    for (size_t i = 0; i < ROWS_OF(known); i++)
        if (str_eq(known[i].name, name))
            made = known[i].made;
    if (str_find(name, checker->own.fields, checker->own.field_count) <
        checker->own.field_count)
        field = name;
    if (made == NULL && field.len == 0)
        return false;
    study_keys_complain(checker->problems, node,
                        "'%.*s' is not a name under groups; make it one: `groups: {%.*s: "
                        "%s%.*s%s}`",
                        STR_ARG(name), STR_ARG(name), made != NULL ? made : "{field: ",
                        made != NULL ? 0 : (int)field.len, field.ptr,
                        made != NULL ? "" : "}");
    return true;
}

/* The name of something under one of the keys in `where`, "sets|samples". */
static void check_reference(struct checker *checker, const struct yaml_node *node,
                            const char *where)
{
    struct str sections = str_from(where), section, names[NAMES_MAX * 4];
    size_t count = 0;
    char what[100];

    for (bool more = true; more;) {
        more = str_cut(&sections, '|', &section);
        const struct yaml_node *named = yaml_get(checker->root, section);
        for (size_t i = 0;
             named != NULL && named->type == YAML_MAPPING && i < named->count; i++) {
            if (str_eq(named->keys[i].text, node->text))
                return;
            if (count < ROWS_OF(names))
                names[count++] = named->keys[i].text;
        }
    }
    if (strcmp(where, "groups") == 0 && tell_grouping(checker, node))
        return;
    snprintf(what, sizeof what, " is not a name under %s", where);
    for (char *bar = strchr(what, '|'); bar != NULL; bar = strchr(bar, '|'))
        *bar = '/';
    unknown_name(checker, node, "", what, names, count);
}

static void check_choice(struct checker *checker, const struct yaml_node *node,
                         const struct study_keys_row *row)
{
    struct str rest = str_from(row->detail), names[64];
    const char *meant = study_keys_choice(row, node->text);
    size_t count = 0;

    for (bool more = true; more && count < ROWS_OF(names);) {
        more = str_cut(&rest, '|', &names[count]);
        if (str_eq(names[count++], node->text))
            return;
    }
    if (meant != NULL)
        study_keys_complain(checker->problems, node,
                            "unknown value '%.*s'; did you mean %s?", STR_ARG(node->text),
                            meant);
    else
        unknown_name(checker, node, "unknown value ", "", names, count);
}

/* Queries, measures, sizes and groupings are read by those who know them. */
static bool check_language(struct checker *checker, const struct yaml_node *node,
                           unsigned forms, struct err *err)
{
    struct query_node *query;
    struct study_measure measure;
    struct sample_size_spec size;
    enum study_grouping grouping;

    if (forms & STUDY_KEYS_QUERY)
        return query_parse_with(node->text, &checker->own, checker->arena, &query, err) ||
               source_explain(node->text, checker->arena, err);
    if (forms & STUDY_KEYS_MEASURE)
        return study_measure_parse(node->text, &checker->own, checker->arena, &measure,
                                   err);
    if (forms & STUDY_KEYS_SIZE)
        return sample_size_parse(node->text, &size, err);
    return !(forms & STUDY_KEYS_GROUPING) ||
           study_grouping_parse(node->text, &grouping, err);
}

static void check_scalar(struct checker *checker, const struct yaml_node *node,
                         const struct study_keys_row *row)
{
    unsigned forms = row->forms & STUDY_KEYS_SCALARS;
    struct err err = {0};
    int64_t ms;
    double number;
    bool is_number = study_keys_number(node->text, &number) && number >= row->lowest &&
                     number <= row->highest;

    if (forms == 0 || node->text.len == 0)
        wrong_form(checker, node, row);
    else if (forms & STUDY_KEYS_REF)
        check_reference(checker, node, row->detail);
    else if (forms & STUDY_KEYS_CHOICE)
        check_choice(checker, node, row);
    else if ((forms & STUDY_KEYS_DATE && !date_parse(node->text, &ms)) ||
             (forms & STUDY_KEYS_YES_NO && !str_eq(node->text, STR("yes")) &&
              !str_eq(node->text, STR("no"))) ||
             (forms & STUDY_KEYS_NUMBER && !is_number) ||
             (forms & STUDY_KEYS_WHOLE && (!is_number || !str_to_int(node->text, &ms))))
        wrong_form(checker, node, row);
    else if (!check_language(checker, node, forms, &err))
        study_keys_complain(checker->problems, node, "%s", err.text);
}

static void check_node(struct checker *checker, const struct yaml_node *node,
                       const char *path);

static void check_names(struct checker *checker, const struct yaml_node *node,
                        const struct study_keys_row *row)
{
    bool any = row->detail != NULL && strcmp(row->detail, "any") == 0;
    char below[STUDY_KEYS_PATH_BYTES];

    snprintf(below, sizeof below, "%s.*", row->path);
    for (size_t i = 0; i < node->count; i++) {
        if (!any && !study_keys_is_name(node->keys[i].text))
            study_keys_complain(checker->problems, &node->keys[i],
                                "expected a name of letters a to z, digits, - _ . that "
                                "begins with a letter, "
                                "found '%.*s'",
                                STR_ARG(node->keys[i].text));
        check_node(checker, &node->items[i],
                   row->detail != NULL && !any ? row->detail : below);
    }
}

/* Whether some key of the section is so near that it is meant: one complaint is enough.
 */
static bool is_misspelt(const struct yaml_node *node, struct str name)
{
    for (size_t i = 0; i < node->count; i++)
        if (near_find(node->keys[i].text, &name, 1) == 0)
            return true;
    return false;
}

static void check_section(struct checker *checker, const struct yaml_node *node,
                          const char *path)
{
    struct str names[NAMES_MAX];
    size_t count = 0, skip = path[0] == '\0' ? 0 : strlen(path) + 1;

    for (size_t k = 0; k < study_keys_count; k++) {
        if (!study_keys_is_below(&study_keys_table[k], path))
            continue;
        names[count] = str_from(study_keys_table[k].path + skip);
        if (study_keys_table[k].required && yaml_get(node, names[count]) == NULL &&
            !is_misspelt(node, names[count]))
            study_keys_complain(checker->problems, node,
                                "the key '%.*s' is missing: %.*s", STR_ARG(names[count]),
                                (int)strcspn(study_keys_table[k].help, "\n"),
                                study_keys_table[k].help);
        count++;
    }
    for (size_t i = 0; i < node->count; i++) {
        size_t k = str_find(node->keys[i].text, names, count);
        if (k == count) {
            unknown_name(checker, &node->keys[i], "unknown key ", "", names, count);
            continue;
        }
        char below[STUDY_KEYS_PATH_BYTES];
        snprintf(below, sizeof below, "%s%s%.*s", path, skip > 0 ? "." : "",
                 STR_ARG(names[k]));
        check_node(checker, &node->items[i], below);
    }
}

static void check_list(struct checker *checker, const struct yaml_node *node,
                       const struct study_keys_row *row)
{
    char below[STUDY_KEYS_PATH_BYTES];

    snprintf(below, sizeof below, "%s.-", row->path);
    for (size_t i = 0; i < node->count; i++) {
        const struct yaml_node *item = &node->items[i];
        if (item->type == YAML_SCALAR)
            check_scalar(checker, item, row);
        else if (item->type == YAML_MAPPING && row->forms & STUDY_KEYS_SECTION)
            check_section(checker, item, below);
        else
            wrong_form(checker, item, row);
    }
}

static void check_node(struct checker *checker, const struct yaml_node *node,
                       const char *path)
{
    const struct study_keys_row *row = study_keys_at(path);

    if (node->type == YAML_SCALAR && node->text.len > 0 &&
        row->forms & STUDY_KEYS_ONLY_LIST) {
        struct str found = str_slice(node->text, 0, 100);
        study_keys_complain(checker->problems, node,
                            "expected a list, as [%.*s], found '%.*s'", STR_ARG(found),
                            STR_ARG(found));
    } else if (node->type == YAML_SCALAR &&
               !(row->forms & (STUDY_KEYS_ONLY_LIST | STUDY_KEYS_MAP))) {
        check_scalar(checker, node, row);
    } else if (node->type == YAML_SEQUENCE &&
               row->forms & (STUDY_KEYS_LIST | STUDY_KEYS_ONLY_LIST)) {
        check_list(checker, node, row);
    } else if (node->type == YAML_MAPPING && row->forms & STUDY_KEYS_NAMES) {
        check_names(checker, node, row);
    } else if (node->type == YAML_MAPPING && row->forms & STUDY_KEYS_MAP) {
        for (size_t i = 0; i < node->count; i++)
            if (node->items[i].type == YAML_SCALAR)
                check_scalar(checker, &node->items[i], row);
            else
                wrong_form(checker, &node->items[i], row);
    } else if (node->type == YAML_MAPPING && row->forms & STUDY_KEYS_SECTION &&
               !(row->forms & STUDY_KEYS_LIST)) {
        check_section(checker, node, path);
    } else {
        wrong_form(checker, node, row);
    }
}

/* The fields of sources, each once. */
struct keys_check_own {
    LIST(struct str) names;
    LIST(enum item_type) types;
    LIST(bool) costly;
};

static void add_own(struct keys_check_own *own, struct str name, enum item_type type,
                    bool costly)
{
    size_t known = str_find(name, own->names.at, own->names.count);

    if (known < own->names.count) { /* what sources do not agree on is as it is written */
        if (own->types.at[known] != type)
            own->types.at[known] = ITEM_ANY;
        own->costly.at[known] |= costly;
        return;
    }
    list_add(&own->names, name);
    list_add(&own->types, type);
    list_add(&own->costly, costly);
}

static void add_own_of(struct keys_check_own *own, const struct yaml_node *source)
{
    const struct yaml_node *fields = yaml_get(source, STR("fields"));

    for (size_t i = 0;
         fields != NULL && fields->type == YAML_MAPPING && i < fields->count; i++)
        add_own(own, fields->keys[i].text, ITEM_ANY, false);
    if (yaml_get(source, STR("dates")) != NULL) {
        add_own(own, STR("earliest"), ITEM_MOMENT, false);
        add_own(own, STR("latest"), ITEM_MOMENT, false);
    }
    for (size_t k = 0; source_kinds[k] != NULL; k++)
        for (size_t i = 0; yaml_get(source, str_from(source_kinds[k]->key)) != NULL &&
                           i < source_kinds[k]->field_count;
             i++)
            add_own(own, source_kinds[k]->fields[i].name, source_kinds[k]->fields[i].type,
                    source_kinds[k]->fields[i].costly);
}

struct query_own study_keys_own(const struct yaml_node *root, struct arena *arena)
{
    const struct yaml_node *one = yaml_get(root, STR("source"));
    const struct yaml_node *several = yaml_get(root, STR("sources"));
    size_t sources =
        several != NULL && several->type == YAML_MAPPING ? several->count : 0;
    struct str *names = arena_array(arena, struct str, sources + 1);
    struct keys_check_own own = {0};

    if (one != NULL)
        add_own_of(&own, one);
    for (size_t i = 0; i < sources; i++) {
        names[i] = several->keys[i].text;
        add_own_of(&own, &several->items[i]);
    }
    struct query_own all = {.fields = list_copy(&own.names, arena),
                            .types = list_copy(&own.types, arena),
                            .costly = list_copy(&own.costly, arena),
                            .field_count = own.names.count,
                            .sources = names,
                            .source_count = sources};
    list_free(&own.names);
    list_free(&own.types);
    list_free(&own.costly);
    return all;
}

void study_keys_check(const struct yaml_node *root, struct arena *arena,
                      struct study_keys_problems *problems)
{
    struct checker checker = {root, arena, problems, study_keys_own(root, arena)};

    if (root->type == YAML_MAPPING)
        check_section(&checker, root, "");
    else
        study_keys_complain(problems, root, "expected 'key: value' lines");
}
