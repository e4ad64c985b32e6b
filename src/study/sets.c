/* Sets of the study file: their queries, as written and with sets inside written out. */
#include "base/near.h"
#include "source/synonyms.h"
#include "study/internal.h"

void study_read_unknown_set(struct study_reader *reader, const struct yaml_node *at,
                            struct str name)
{
    struct study *study = reader->study;
    struct str *names = arena_array(reader->arena, struct str, study->set_count + 1);

    for (size_t i = 0; i < study->set_count; i++)
        names[i] = study->sets[i].name;
    size_t near = near_find(name, names, study->set_count);
    if (near < study->set_count)
        study_keys_complain(&reader->problems, at,
                            "in:%.*s is not a set; did you mean '%.*s'?", STR_ARG(name),
                            STR_ARG(names[near]));
    else
        study_keys_complain(&reader->problems, at, "in:%.*s is not a set", STR_ARG(name));
}

/* Sets inside sets: each is written out once and then shared, for written anew in every
 * place a few lines could name more conditions than fit into memory. How many there would
 * be is counted and limited, since whoever walks the query meets them all. */
enum { WRITTEN_MAX = 100000 };
#define BEING_WRITTEN STUDY_NONE

static struct query_node *write_out(struct study_reader *reader,
                                    const struct yaml_node *at,
                                    const struct query_node *node, size_t *size);

/* False: the set is being written, so that it leads back to itself. */
static bool write_set(struct study_reader *reader, size_t index)
{
    struct study_set *set = &reader->study->sets[index];
    size_t size = 0;

    if (reader->written[index] == 0) {
        reader->written[index] = BEING_WRITTEN;
        set->written = write_out(reader, set->node, set->query, &size);
        reader->written[index] = size;
    }
    return reader->written[index] != BEING_WRITTEN;
}

/* The set's query in the place of in:NAME; everything, after a complaint. */
static struct query_node write_in(struct study_reader *reader, const struct yaml_node *at,
                                  struct str name, size_t *size)
{
    size_t other = study_find_set(reader->study, name);
    struct query_node copy = {.kind = QUERY_ALL};

    if (other == STUDY_NONE) {
        study_read_unknown_set(reader, at, name);
    } else if (!write_set(reader, other)) {
        study_keys_complain(&reader->problems, at, "in:%.*s leads back to itself",
                            STR_ARG(name));
    } else if (*size <= WRITTEN_MAX) {
        *size += reader->written[other];
        copy = *reader->study->sets[other].written;
        copy.next = NULL;
        if (*size > WRITTEN_MAX)
            study_keys_complain(
                &reader->problems, at,
                "in:%.*s: with all its sets written out the query has more "
                "than %d conditions",
                STR_ARG(name), WRITTEN_MAX);
    }
    return copy;
}

/* A copy of the query with every in:SET written out; *size counts its conditions. */
static struct query_node *write_out(struct study_reader *reader,
                                    const struct yaml_node *at,
                                    const struct query_node *node, size_t *size)
{
    struct query_node *copy = arena_array(reader->arena, struct query_node, 1);
    struct query_node **tail = &copy->first;

    ++*size;
    if (node == NULL) /* not readable, as has been said */
        return copy;
    if (node->kind == QUERY_SET) {
        *copy = write_in(reader, at, node->text, size);
        return copy;
    }
    *copy = *node;
    copy->next = NULL;
    copy->first = NULL;
    for (const struct query_node *child = node->first; child != NULL;
         child = child->next) {
        *tail = write_out(reader, at, child, size);
        tail = &(*tail)->next;
    }
    return copy;
}

/* Whether some source can have the field: a table of rows has only columns that the study
 * names. */
static bool any_has(const struct study *study, enum item_field field)
{
    bool any = study->source_count == 0; /* as has been said */

    for (size_t i = 0; i < study->source_count; i++) {
        const struct study_source *source = &study->sources[i];
        any = any || !source->kind->only_columns;
        for (size_t c = 0; c < source->column_count; c++)
            any = any || item_field_find(source->columns[c].key) == field;
    }
    return any;
}

/* Texts that no item has would be looked for in vain, in silence. */
static void check_texts(struct study_reader *reader, const struct yaml_node *at,
                        const struct query_node *query)
{
    const struct study *study = reader->study;
    struct query_needs needs = query_needs(query);
    bool title = any_has(study, ITEM_FIELD_TITLE), body = any_has(study, ITEM_FIELD_BODY);

    if (needs.text[QUERY_TITLE] && !title)
        study_keys_complain(
            &reader->problems, at,
            "rows have no title; say which column it is: columns: {title: ...}");
    if ((needs.text[QUERY_BODY] || needs.text[QUERY_CODE] || needs.has_code) && !body)
        study_keys_complain(
            &reader->problems, at,
            "rows have no body; say which column it is: columns: {body: ...}");
    else if (needs.text[QUERY_PROSE] && !title && !body)
        study_keys_complain(
            &reader->problems, at,
            "rows have no prose, which is title and body; say which columns "
            "they are: columns: {title: ..., body: ...}");
}

/* What hangs on items is no item of a study, and would be looked for in vain, in silence.
 * Within answer:(...) and comment:(...) it is what is asked. */
static void check_kinds(struct study_reader *reader, const struct yaml_node *at,
                        const struct query_node *query)
{
    if (query->kind == QUERY_TYPE && (query->types & item_studied_kinds()) == 0)
        study_keys_complain(
            &reader->problems, at,
            "a study's items are questions, rows, commits, issues and the "
            "like, and none of them is what `is:` asks for here; "
            "answer:(...) and comment:(...) ask for items by what hangs on "
            "them");
    for (const struct query_node *child = query->first;
         child != NULL && query->kind != QUERY_BELOW; child = child->next)
        check_kinds(reader, at, child);
}

/* Whether some source has what is around its items: a dump where the study takes it. */
static bool any_takes(const struct study *study, enum query_field field,
                      enum item_also also)
{
    bool any = study->source_count == 0; /* as has been said */

    for (size_t i = 0; i < study->source_count; i++) {
        const struct source_kind *kind = study->sources[i].kind;
        bool talk = kind->knows != NULL; /* trackers and forums: what hangs on items */
        any = any || (study->sources[i].also >> also & 1) ||
              (field == QUERY_FIELD_COMMENT && talk) ||
              (field == QUERY_FIELD_ANSWER && (talk || kind->site));
    }
    return any;
}

static void check_around(struct study_reader *reader, const struct yaml_node *at,
                         const struct query_node *query)
{
    static const struct {
        enum query_field field;
        enum item_also also;
    } asked[] = {
        {QUERY_FIELD_REPUTATION, ITEM_ALSO_USERS},
        {QUERY_FIELD_DUPLICATE, ITEM_ALSO_LINKS},
        {QUERY_FIELD_COMMENT, ITEM_ALSO_COMMENTS},
        {QUERY_FIELD_HASENDORSED, ITEM_ALSO_COMMENTS},
    };

    for (size_t i = 0; i < ROWS_OF(asked); i++)
        if (query_asks(query, asked[i].field) &&
            !any_takes(reader->study, asked[i].field, asked[i].also))
            study_keys_complain(
                &reader->problems, at,
                "%.*s: asks for %.*s, which no source takes; a dump does with `also: "
                "%.*s`",
                STR_ARG(query_field_name(asked[i].field)),
                STR_ARG(item_also_name(asked[i].also)),
                STR_ARG(item_also_name(asked[i].also)));
    if (query_asks(query, QUERY_FIELD_ANSWER) &&
        !any_takes(reader->study, QUERY_FIELD_ANSWER, ITEM_ALSO))
        study_keys_complain(&reader->problems, at,
                            "answer: asks for answers, which no source has");
}

struct query_node *study_read_query(struct study_reader *reader,
                                    const struct yaml_node *at, struct str text)
{
    struct query_node *query = NULL;
    struct err checked = {0};

    if (!query_parse_with(text, &reader->own, reader->arena, &query, &checked))
        return NULL;
    check_texts(reader, at, query);
    check_kinds(reader, at, query);
    check_around(reader, at, query);
    return study_read_synonyms_in(reader, study_read_tagsets_in(reader, at, query));
}

void study_read_synonyms(struct study_reader *reader)
{
    const struct yaml_node *node = yaml_get(&reader->study->root, STR("synonyms"));
    struct err err = {0};

    if (node == NULL || node->type != YAML_SCALAR)
        return;
    const char *path = study_read_path(reader, node, node->text);
    if (!source_synonyms_read(path, reader->arena, &reader->study->synonyms,
                              &reader->study->synonyms_left_out, &err))
        study_keys_complain(&reader->problems, node, "%s", err.text);
}

struct query_node *study_read_synonyms_in(struct study_reader *reader,
                                          struct query_node *query)
{
    const struct query_synonyms *synonyms = reader->study->synonyms;

    return synonyms != NULL ? query_with_synonyms(query, synonyms, reader->arena) : query;
}

struct query_node *study_read_written(struct study_reader *reader,
                                      const struct yaml_node *at,
                                      const struct query_node *query)
{
    return write_out(reader, at, query, &(size_t){0});
}

void study_read_sets(struct study_reader *reader)
{
    const struct yaml_node *sets = study_read_section(reader, "sets");
    struct study *study = reader->study;
    struct str take = study_read_text(&study->root, "take");

    study->sets = STUDY_READ_NAMED(reader, "sets", struct study_set, &study->set_count);
    for (size_t i = 0; i < sets->count; i++) {
        study->sets[i].text = study_read_item(sets, i);
        study->sets[i].query =
            study_read_query(reader, &sets->items[i], study->sets[i].text);
    }
    reader->written = arena_array(reader->arena, size_t, sets->count + 1);
    for (size_t i = 0; i < sets->count; i++)
        (void)!write_set(reader, i);
    if (take.len > 0) {
        const struct yaml_node *at = yaml_get(&study->root, STR("take"));
        study->take = study_read_written(reader, at, study_read_query(reader, at, take));
        if (query_needs(study->take).labels)
            study_keys_complain(
                &reader->problems, at,
                "`take` cannot ask for labels: a post is taken before anything is "
                "labelled; ask for them in a set");
        if (study_asks_elsewhere(study, study->take))
            study_keys_complain(
                &reader->problems, at,
                "`take` cannot ask for sources of one site, nor for fields that they "
                "bring, nor for what is around a post of theirs: a post is taken before "
                "all places are known where it stands; ask for them in a set");
    }
}
