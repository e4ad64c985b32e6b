/* Sources of the study file: where posts come from. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/date.h"
#include "study/internal.h"

/* Addresses of a server lead to a table of it. */
static const char *address_of(struct study_reader *reader, struct str address,
                              struct str table)
{
    while (table.len > 0 && address.len > 0 && address.ptr[address.len - 1] == '/')
        address.len--;
    return arena_format(reader->arena, "%.*s%s%.*s", STR_ARG(address),
                        table.len > 0 ? "/" : "", STR_ARG(table))
        .ptr;
}

static void read_paths(struct study_reader *reader, const struct yaml_node *node,
                       const char ***paths, const char ***names, size_t *count)
{
    struct str *texts = study_read_texts(reader, node, count);

    *paths = arena_array(reader->arena, const char *, *count + 1);
    *names = arena_array(reader->arena, const char *, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        (*names)[i] = arena_c_string(reader->arena, texts[i]);
        (*paths)[i] = study_read_path(reader, node, texts[i]);
    }
}

static unsigned read_also(struct study_reader *reader, const struct yaml_node *node)
{
    size_t count;
    struct str *texts = study_read_texts(reader, node, &count);
    unsigned also = 0;

    for (size_t i = 0; i < count; i++)
        for (unsigned a = 0; a < ITEM_ALSO; a++)
            also |= (unsigned)str_eq(texts[i], item_also_name((enum item_also)a)) << a;
    return also;
}

struct str study_site_in_path(struct str path)
{
    static const struct str ends[] = {
        STR_INIT("stackexchange.com"), STR_INIT("stackoverflow.com"),
        STR_INIT("serverfault.com"),   STR_INIT("superuser.com"),
        STR_INIT("askubuntu.com"),     STR_INIT("mathoverflow.net"),
        STR_INIT("stackapps.com")};
    struct str part;

    for (bool more = true; more;) {
        more = str_cut(&path, '/', &part);
        for (size_t i = 0; i < ROWS_OF(ends); i++)
            for (size_t at = 0; at + ends[i].len <= part.len; at++)
                if (str_starts(str_slice(part, at, part.len), ends[i]) &&
                    (at == 0 || part.ptr[at - 1] == '.'))
                    return str_slice(part, 0, at + ends[i].len);
    }
    return (struct str){0};
}

static void read_site(struct study_reader *reader, const struct yaml_node *node,
                      struct study_source *source)
{
    struct str site = study_read_text(node, "site");
    bool plain = true;

    for (size_t i = 0; i < site.len; i++)
        plain = plain && strchr("/: ", site.ptr[i]) == NULL;
    if (!plain)
        study_keys_complain(&reader->problems, yaml_get(node, STR("site")),
                            "found '%.*s', expected the name of a site such as "
                            "stackoverflow.com",
                            STR_ARG(site));
    for (size_t i = 0; i < source->path_count && site.len == 0; i++)
        if (source->kind->census)
            site = study_site_in_path(str_from(source->names[i]));
    source->site_told = site.len > 0;
    source->site = site.len > 0                 ? site
                   : source->kind->host != NULL ? str_from(source->kind->host)
                                                : (struct str){0};
}

static void refuse_kinds(struct study_reader *reader, const struct yaml_node *node,
                         size_t given)
{
    struct buf keys = {0};

    source_add_keys(&keys);
    study_keys_complain(&reader->problems, node,
                        "expected exactly one of %.*s, found %zu",
                        STR_ARG(buf_str(&keys)), given);
    buf_free(&keys);
}

/* A field under a name that queries know would never be found by it. */
static void check_fields(struct study_reader *reader, const struct yaml_node *fields)
{
    for (size_t i = 0;
         fields != NULL && fields->type == YAML_MAPPING && i < fields->count; i++)
        if (query_field_known(fields->keys[i].text))
            study_keys_complain(
                &reader->problems, &fields->keys[i],
                "'%.*s' is a field of every item already; choose another name",
                STR_ARG(fields->keys[i].text));
}

/* In any case, as queries have it. */
static bool names_word(struct str text, struct str word)
{
    for (size_t i = 0; i + word.len <= text.len; i++) {
        char before = i > 0 ? text.ptr[i - 1] : ' ';
        char behind = i + word.len < text.len ? text.ptr[i + word.len] : ' ';
        if (strncasecmp(text.ptr + i, word.ptr, word.len) == 0 && before != '-' &&
            behind != '-' && !isalpha((unsigned char)before) &&
            !isalpha((unsigned char)behind))
            return true;
    }
    return false;
}

/* Whether the word stands anywhere in the study: in a query, as a group's field, in a
 * measure. Where it means something else, more is made than is needed. */
static bool names(const struct yaml_node *node, struct str word)
{
    if (node->type == YAML_SCALAR)
        return names_word(node->text, word);
    for (size_t i = 0; i < node->count; i++)
        if (names(&node->items[i], word))
            return true;
    return false;
}

/* Those that the kind brings of itself stand behind those that the study names. What is
 * costly to make is left out unless it is asked for. */
static void add_kind_fields(struct study_reader *reader, struct study_source *source)
{
    const struct source_kind *kind = source->kind;
    size_t count = source->field_count;
    struct study_pair *all = arena_array(reader->arena, struct study_pair,
                                         source->field_count + kind->field_count + 1);

    for (size_t i = 0; i < source->field_count; i++)
        all[i] = source->fields[i];
    for (size_t i = 0; i < kind->field_count; i++)
        if (!kind->fields[i].costly || names(&reader->study->root, kind->fields[i].name))
            all[count++] =
                (struct study_pair){kind->fields[i].name, kind->fields[i].name};
    source->fields = all;
    source->field_count = count;
}

/* The fields that it gives rows stand behind all others. */
static void read_dates(struct study_reader *reader, const struct yaml_node *node,
                       struct study_source *source)
{
    static const struct str bounds[] = {STR_INIT("earliest"), STR_INIT("latest")};
    bool known = false;

    if (node == NULL || node->type != YAML_MAPPING)
        return;
    const struct yaml_node *of = yaml_get(node, STR("of"));
    if (of == NULL)
        return; /* as has been said */
    source->dates_of = study_read_text(node, "of");
    read_paths(reader, yaml_get(node, STR("between")), &source->dates,
               &source->dates_names, &source->dates_count);
    if (!source->kind->only_columns) {
        study_keys_complain(&reader->problems, node,
                            "`dates` is for rows; other sources have dates");
        return;
    }
    struct study_pair *all =
        arena_array(reader->arena, struct study_pair, source->field_count + 3);
    for (size_t i = 0; i < source->field_count; i++) {
        all[i] = source->fields[i];
        known = known || str_eq(all[i].key, source->dates_of);
        for (size_t b = 0; b < ROWS_OF(bounds); b++)
            if (str_eq(all[i].key, bounds[b]))
                study_keys_complain(&reader->problems, node,
                                    "`dates` gives rows the field '%.*s'; choose another "
                                    "name under `fields`",
                                    STR_ARG(bounds[b]));
    }
    if (!known)
        study_keys_complain(&reader->problems, of,
                            "there is no field '%.*s'; name the column under `fields`",
                            STR_ARG(source->dates_of));
    for (size_t b = 0; b < ROWS_OF(bounds); b++)
        all[source->field_count++] = (struct study_pair){bounds[b], STR("")};
    source->fields = all;
}

static void read_source(struct study_reader *reader, struct str name,
                        const struct yaml_node *node)
{
    struct study_source *source = &reader->study->sources[reader->study->source_count];
    struct str until = study_read_text(node, "until");
    size_t given = 0;

    if (node->type != YAML_MAPPING)
        return;
    reader->study->source_count++;

    *source = (struct study_source){
        .name = name, .kind = source_kinds[0], .until_ms = INT64_MAX};
    for (size_t kind = 0; source_kinds[kind] != NULL; kind++) {
        const struct yaml_node *paths = yaml_get(node, str_from(source_kinds[kind]->key));
        if (paths == NULL)
            continue;
        given++;
        source->kind = source_kinds[kind];
        read_paths(reader, paths, &source->paths, &source->names, &source->path_count);
        for (size_t i = 0; i < source->path_count && source->kind->is_there != NULL; i++)
            source->paths[i] = source->names[i] = address_of(
                reader, str_from(source->names[i]), study_read_text(node, "table"));
    }
    if (source->kind->is_there == NULL && yaml_get(node, STR("table")) != NULL)
        study_keys_complain(&reader->problems, yaml_get(node, STR("table")),
                            "`table` is for servers (clickhouse)");
    source->columns =
        study_read_pairs(reader, yaml_get(node, STR("columns")), &source->column_count);
    source->fields =
        study_read_pairs(reader, yaml_get(node, STR("fields")), &source->field_count);
    check_fields(reader, yaml_get(node, STR("fields")));
    source->also = read_also(reader, yaml_get(node, STR("also")));
    reader->study->also |= source->also;
    if (given != 1)
        refuse_kinds(reader, node, given);
    else if (!source->kind->columns && source->column_count + source->field_count > 0)
        study_keys_complain(
            &reader->problems, node,
            "a %s has no columns to choose from: `columns` and `fields` are for "
            "posts and rows",
            source->kind->called);
    add_kind_fields(reader, source);
    read_dates(reader, yaml_get(node, STR("dates")), source);
    /* A day belongs to the corpus as a whole; a moment is meant exactly. */
    if (until.len > 0 && date_parse(until, &source->until_ms) && until.len <= 10)
        source->until_ms += DATE_DAY_MS;
    read_site(reader, node, source);
}

/* Whether two sources hold the same items: those of one site, and commits, whose hash is
 * their key wherever they stand. A table of rows is a space of its own. */
static bool share_space(const struct study_source *one, const struct study_source *two)
{
    return (one->kind->site && two->kind->site && str_eq(one->site, two->site)) ||
           (one->kind->one_space && one->kind == two->kind);
}

static size_t space_of(const struct study *study, size_t number)
{
    size_t space = 0;

    while (space < number &&
           !share_space(&study->sources[number], &study->sources[space]))
        space++;
    return space;
}

static void find_spaces(struct study_reader *reader)
{
    struct study *study = reader->study;
    struct item_space *spaces =
        arena_array(reader->arena, struct item_space, study->source_count + 1);

    study->spaces = (struct item_spaces){.at = spaces, .count = study->source_count};
    for (size_t i = 0; i < study->source_count; i++) {
        const struct study_source *source = &study->sources[i];
        spaces[i] = (struct item_space){
            .name = source->name,
            .site = source->kind->way != NULL ? source->site : (struct str){0},
            .way = source->kind->way,
            .space = space_of(study, i)};
        study->spaces.several |= spaces[i].space > 0;
        study->spaces.texts |= source->kind->text_keys;
    }
}

static void read_store(struct study_reader *reader)
{
    const struct yaml_node *node = yaml_get(&reader->study->root, STR("store"));
    size_t count;
    struct str *addresses = study_read_texts(reader, node, &count);
    struct buf servers = {0};

    for (size_t i = 0; i < count; i++) {
        if (str_eq(addresses[i], STUDY_STORE_HERE))
            continue;
        if (!str_starts(addresses[i], STR("clickhouse://")))
            study_keys_complain(&reader->problems, node,
                                "found '%.*s', expected the address of a database of a "
                                "server, such as clickhouse://localhost:8123/assay, or "
                                "here",
                                STR_ARG(addresses[i]));
        buf_add_format(&servers, "%s%.*s", servers.len > 0 ? " " : "",
                       STR_ARG(addresses[i]));
    }
    reader->study->servers = buf_keep(&servers, reader->arena);
}

void study_read_sources(struct study_reader *reader)
{
    const struct yaml_node *one = yaml_get(&reader->study->root, STR("source"));
    const struct yaml_node *several = study_read_section(reader, "sources");

    reader->study->sources =
        arena_array(reader->arena, struct study_source, several->count + 1);
    if (one != NULL && several->count > 0)
        study_keys_complain(&reader->problems, one,
                            "expected either 'source:' or 'sources:'");
    if (one != NULL)
        read_source(reader, (struct str){0}, one);
    else
        for (size_t i = 0; i < several->count; i++)
            read_source(reader, several->keys[i].text, &several->items[i]);
    find_spaces(reader);
    read_store(reader);
}

/* Without a source there are only tables that others made. */
void study_read_check_sources(struct study_reader *reader)
{
    const struct study *study = reader->study;
    bool needed = study->set_count + study->sample_count + study->label_count > 0;

    for (size_t i = 0; i < study->table_count; i++)
        needed = needed || study->tables[i].from == NULL;
    if (needed && yaml_get(&study->root, STR("source")) == NULL &&
        yaml_get(&study->root, STR("sources")) == NULL)
        study_keys_complain(
            &reader->problems, &study->root,
            "expected 'source:' or 'sources:': where the posts come from");
}

int64_t study_end_ms(const struct study *study)
{
    int64_t end = INT64_MIN;

    for (size_t i = 0; i < study->source_count; i++)
        if (study->sources[i].until_ms > end)
            end = study->sources[i].until_ms;
    return end;
}

const char *const *study_space_paths(const struct study *study, size_t space,
                                     struct arena *arena, size_t *count)
{
    const char **paths;

    *count = 0;
    for (size_t i = 0; i < study->source_count; i++)
        *count += study->spaces.at[i].space == space ? study->sources[i].path_count : 0;
    paths = arena_array(arena, const char *, *count + 1);
    *count = 0;
    for (size_t i = 0; i < study->source_count; i++)
        for (size_t p = 0;
             study->spaces.at[i].space == space && p < study->sources[i].path_count; p++)
            paths[(*count)++] = study->sources[i].paths[p];
    return paths;
}

bool study_sources_overlap(const struct study *study)
{
    for (size_t i = 0; i < study->source_count; i++)
        if (study->spaces.at[i].space != i)
            return true;
    return false;
}
