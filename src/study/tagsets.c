/* Tag sets of the study file: seeds, and what people decided on candidates. They are read
 * before any query, for queries name them. */
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/near.h"
#include "source/questions.h"
#include "study/internal.h"

/* A star is for the end alone: candidates are counted by how tags begin. */
static void check_tags(struct study_reader *reader, const struct yaml_node *node,
                       bool stars)
{
    size_t count;
    struct str *tags = study_read_texts(reader, node, &count);

    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *at = node->type == YAML_SEQUENCE ? &node->items[i] : node;
        struct str inner = stars && str_ends(tags[i], STR("*"))
                               ? str_slice(tags[i], 0, tags[i].len - 1)
                               : tags[i];
        bool bare = inner.len > 0;
        for (size_t k = 0; k < inner.len; k++)
            bare = bare && strchr("*?[]<>|,: ", inner.ptr[k]) == NULL;
        if (!bare && tags[i].len > 0) /* of nothing has been said */
            study_keys_complain(&reader->problems, at, "expected a tag%s; found '%.*s'",
                                stars ? ", such as tensorflow or keras*"
                                      : ", such as tensorflow",
                                STR_ARG(tags[i]));
    }
}

/* The seeds as questions have them: with their synonyms. */
static void read_counted(struct study_reader *reader, struct study_tagset *tagset)
{
    LIST(struct str) counted = {0};

    for (size_t i = 0; i < tagset->seed_count; i++) {
        struct query_node seed = {
            .kind = QUERY_TAG,
            .field = QUERY_FIELD_TAG,
            .match = str_ends(tagset->seeds[i], STR("*")) ? QUERY_GLOB : QUERY_EXACT,
            .text = tagset->seeds[i]};
        const struct query_node *query = study_read_synonyms_in(reader, &seed);
        if (query->kind != QUERY_OR)
            list_add(&counted, query->text);
        for (const struct query_node *one = query->first; one != NULL; one = one->next)
            list_add(&counted, one->text);
    }
    tagset->counted = list_copy(&counted, reader->arena);
    tagset->counted_count = counted.count;
    list_free(&counted);
}

static void read_decisions(struct study_reader *reader, struct study_tagset *tagset)
{
    const struct yaml_node *node = yaml_get(tagset->node, STR("decisions"));
    struct err err = {0};

    if (node == NULL || node->type != YAML_SCALAR)
        return;
    tagset->decisions = study_read_path(reader, node, node->text);
    /* It comes into being when somebody decides, after a first run. */
    if (file_exists(tagset->decisions) &&
        !source_decided_read(tagset->decisions, reader->arena, &tagset->decided,
                             &tagset->decided_count, &err))
        study_keys_complain(&reader->problems, node, "%s", err.text);
}

/* What a list accepts is decided, and all else refused. */
static void read_accepted(struct study_reader *reader, struct study_tagset *tagset)
{
    const struct yaml_node *node = yaml_get(tagset->node, STR("accepted"));

    if (node == NULL)
        return;
    if (yaml_get(tagset->node, STR("decisions")) != NULL)
        study_keys_complain(&reader->problems, node,
                            "expected one of accepted and decisions, found both");
    check_tags(reader, node, false);
    tagset->listed = true;
    struct str *tags = study_read_texts(reader, node, &tagset->decided_count);
    tagset->decided =
        arena_array(reader->arena, struct source_decided, tagset->decided_count + 1);
    for (size_t i = 0; i < tagset->decided_count; i++) {
        char *folded = arena_array(reader->arena, char, tags[i].len + 1);
        query_fold(tags[i], folded);
        tagset->decided[i] = (struct source_decided){.tag = {folded, tags[i].len},
                                                     .verdict = SOURCE_ACCEPTED};
    }
}

enum study_verdict study_tagset_verdict(const struct study_tagset *tagset, struct str tag)
{
    bool accepted = false, refused = tagset->listed;

    for (size_t i = 0; i < tagset->decided_count; i++)
        if (str_eq(tagset->decided[i].tag, tag)) {
            accepted = accepted || tagset->decided[i].verdict == SOURCE_ACCEPTED;
            refused = (refused && !tagset->listed) ||
                      tagset->decided[i].verdict == SOURCE_REFUSED;
        }
    return accepted && refused ? STUDY_DISPUTED
           : accepted          ? STUDY_ACCEPTED
           : refused           ? STUDY_REFUSED
                               : STUDY_UNDECIDED;
}

/* What [tagset:NAME] stands for. */
static void read_tags(struct study_reader *reader, struct study_tagset *tagset)
{
    struct query_tagset *of = &reader->tagsets[reader->tagset_count++];
    struct str *tags = arena_array(reader->arena, struct str,
                                   tagset->seed_count + tagset->decided_count + 1);

    for (size_t i = 0; i < tagset->seed_count; i++)
        tags[i] = tagset->seeds[i];
    of->name = tagset->name;
    of->tags = tags;
    of->count = tagset->seed_count;
    for (size_t i = 0; i < tagset->decided_count; i++) {
        struct str tag = tagset->decided[i].tag;
        if (str_find(tag, tags, of->count) == of->count &&
            study_tagset_verdict(tagset, tag) == STUDY_ACCEPTED)
            tags[of->count++] = tag;
    }
}

/* Other sources than these have no questions. */
static void check_sources(struct study_reader *reader, const struct yaml_node *at)
{
    const struct study *study = reader->study;
    bool any = study->source_count == 0; /* as has been said */

    for (size_t i = 0; i < study->source_count; i++)
        any = any || source_questions_has(study->sources[i].kind);
    if (!any)
        study_keys_complain(&reader->problems, at,
                            "candidates are counted over all questions of a dump "
                            "(stackexchange), of posts or of a server (clickhouse), and "
                            "the study has no such source");
}

/* A decision on a tag is one on all that mean the same, as in queries. */
static void decide_meant(const struct study_reader *reader, struct study_tagset *tagset)
{
    for (size_t i = 0; i < tagset->decided_count; i++) {
        size_t count;
        const struct query_synonym *same =
            query_synonyms_of(reader->study->synonyms, tagset->decided[i].tag, &count);
        if (count > 0)
            tagset->decided[i].tag = same->of;
    }
}

void study_read_tagsets(struct study_reader *reader)
{
    struct study *study = reader->study;

    study->tagsets =
        STUDY_READ_NAMED(reader, "tagsets", struct study_tagset, &study->tagset_count);
    reader->tagsets =
        arena_array(reader->arena, struct query_tagset, study->tagset_count + 1);
    for (size_t i = 0; i < study->tagset_count; i++) {
        struct study_tagset *one = &study->tagsets[i];
        if (one->node->type != YAML_MAPPING)
            continue;
        one->seeds =
            study_read_texts(reader, yaml_get(one->node, STR("seeds")), &one->seed_count);
        one->relevance = study_read_number(one->node, "relevance", 0.05);
        one->significance = study_read_number(one->node, "significance", 0.001);
        if (one->seed_count == 0) /* as has been said */
            continue;
        check_tags(reader, yaml_get(one->node, STR("seeds")), true);
        check_sources(reader, one->node);
        read_counted(reader, one);
        read_decisions(reader, one);
        read_accepted(reader, one);
        decide_meant(reader, one);
        read_tags(reader, one);
    }
}

struct query_node *study_read_tagsets_in(struct study_reader *reader,
                                         const struct yaml_node *at,
                                         struct query_node *query)
{
    const struct study *study = reader->study;
    struct query_node *made =
        query_with_tagsets(query, reader->tagsets, reader->tagset_count, reader->arena);
    struct str unknown = query_tagset(made);
    struct str *names = arena_array(reader->arena, struct str, study->tagset_count + 1);

    if (unknown.len == 0)
        return made;
    for (size_t i = 0; i < study->tagset_count; i++)
        names[i] = study->tagsets[i].name;
    size_t near = near_find(unknown, names, study->tagset_count);
    if (str_find(unknown, names, study->tagset_count) == study->tagset_count)
        study_keys_complain(
            &reader->problems, at, "[tagset:%.*s] is not among `tagsets`%s%.*s%s",
            STR_ARG(unknown), near < study->tagset_count ? "; did you mean '" : "",
            near < study->tagset_count ? (int)names[near].len : 0,
            near < study->tagset_count ? names[near].ptr : "",
            near < study->tagset_count ? "'?" : "");
    return made;
}

struct query_node *study_with_tagsets(const struct study *study,
                                      const struct query_node *query, struct arena *arena)
{
    return query_with_tagsets(query, study->tagset_queries, study->tagset_query_count,
                              arena);
}

/* Whether the query, or a set that it names, asks for a tag set. Each set is looked into
 * once: one that was seen before asks for none, or all would be over. */
static bool asks_tagset(struct study_reader *reader, struct str text, bool *seen)
{
    const struct study *study = reader->study;
    struct query_node *query;
    struct err ignored = {0};
    size_t count;

    if (!query_parse_with(text, &reader->own, reader->arena, &query, &ignored))
        return false;
    bool asks = query_tagset(query).len > 0;
    struct str *names = query_sets(query, reader->arena, &count);
    for (size_t i = 0; i < count && !asks; i++) {
        size_t set = study_find_set(study, names[i]);
        if (set == STUDY_NONE || seen[set])
            continue;
        seen[set] = true;
        asks = asks_tagset(reader, study->sets[set].text, seen);
    }
    return asks;
}

static void check_among(struct study_reader *reader, const struct yaml_node *at,
                        const struct query_node *query)
{
    struct query_needs needs = query_needs(query);
    static const enum query_field around[] = {
        QUERY_FIELD_REPUTATION, QUERY_FIELD_DUPLICATE, QUERY_FIELD_HASENDORSED,
        QUERY_FIELD_COMMENT, QUERY_FIELD_ANSWER};
    bool alone = !needs.labels && !needs.own && !needs.newest;

    for (size_t i = 0; i < ROWS_OF(around); i++)
        alone = alone && !query_asks(query, around[i]);
    if (!alone)
        study_keys_complain(&reader->problems, at,
                            "`among` is asked of each question of the source alone: it "
                            "cannot ask for labels, for fields of a source, for what is "
                            "around a question, nor for dates that count back");
}

void study_read_tagsets_among(struct study_reader *reader)
{
    struct study *study = reader->study;

    study->tagset_queries = reader->tagsets;
    study->tagset_query_count = reader->tagset_count;
    for (size_t i = 0; i < study->tagset_count; i++) {
        struct study_tagset *one = &study->tagsets[i];
        const struct yaml_node *at =
            one->node->type == YAML_MAPPING ? yaml_get(one->node, STR("among")) : NULL;
        if (at == NULL || at->type != YAML_SCALAR)
            continue;
        bool *seen = arena_array(reader->arena, bool, study->set_count + 1);
        if (asks_tagset(reader, at->text, seen)) {
            study_keys_complain(&reader->problems, at,
                                "`among` cannot ask for a tag set: candidates would be "
                                "counted among what was accepted of them");
            continue;
        }
        struct query_node *query = study_read_query(reader, at, at->text);
        if (query == NULL)
            continue;
        one->among = study_read_written(reader, at, query);
        check_among(reader, at, one->among);
    }
}
