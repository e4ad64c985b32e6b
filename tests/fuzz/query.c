/* Any bytes are a query or an error: printing gives the same tree, both engines agree,
 * and what is said without texts holds with them. The first line is the query, the second
 * the post's tags, the rest its texts. Of two sizes of input one has a study with a few
 * own fields and sources, the other one whose names are not known. */
#include <assert.h>
#include <string.h>

#include "query/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct post {
    struct str texts[QUERY_TEXTS];
    bool has_code;
};

static struct str text(void *context, enum query_text which)
{
    return ((struct post *)context)->texts[which];
}

static bool has_code(void *context)
{
    return ((struct post *)context)->has_code;
}

static bool in_set(void *context, struct str set)
{
    (void)context;
    return set.len % 2 == 0;
}

static bool in_source(void *context, struct str source)
{
    (void)context;
    return source.len % 2 == 0;
}

/* The beginning of a text, or nothing. */
static struct str own(void *context, struct str field)
{
    struct str title = ((struct post *)context)->texts[QUERY_TITLE];

    return str_slice(title, 0, title.len < field.len - 1 ? title.len : field.len - 1);
}

static const struct str fields[] = {STR_INIT("stars"), STR_INIT("level")};
static const struct str sources[] = {STR_INIT("a"), STR_INIT("so")};
static const struct query_own names[] = {
    {.fields = fields, .field_count = 2, .sources = sources, .source_count = 2},
    {.any = true}};

static void check_error(const struct err *err)
{
    assert(err->kind == ERR_INPUT);
    assert(strncmp(err->text, "column ", 7) == 0);
    const char *first = strchr(err->text, '\n');
    assert(first != NULL);
    const char *second = strchr(first + 1, '\n');
    assert(second != NULL && strchr(second + 1, '\n') == NULL);
    assert(second[strlen(second) - 1] == '^');
}

static void check_printing(const struct query_node *node, const struct query_own *known,
                           struct arena *arena)
{
    struct buf out = {0};
    struct query_node *again;
    struct err err = {0};

    query_print(node, &out);
    if (out.len <= QUERY_SIZE_MAX) {
        bool read = query_parse_with(buf_str(&out), known, arena, &again, &err);
        assert(read);
        assert(query_same(node, again));
    }
    buf_free(&out);
}

static void check_testing(const struct query_node *node, const struct query_item *item,
                          struct arena *arena)
{
    struct query_compiled *compiled[2];
    struct query_scratch *scratch[2];
    struct err err = {0};
    bool answers[2], known[2];
    struct query_relations *relations;

    bool opened = query_relations_open(&node, 1, &relations, &err);
    assert(opened);
    for (size_t i = 0; i < relations->count; i += 2)
        query_relation_add(&relations->at[i], item->item->id);
    for (int portable = 0; portable < 2; portable++) {
        bool ok = query_compile(
            node, (struct query_options){.portable = portable, .relations = relations},
            &compiled[portable], &err);
        assert(ok);
        scratch[portable] = query_scratch_open(compiled[portable]);
        known[portable] = query_test(compiled[portable], scratch[portable], item,
                                     &answers[portable], &err);
    }
    assert(known[0] == known[1] && (!known[0] || answers[0] == answers[1]));
    struct query_funnel funnel = query_funnel_begin(compiled[0], arena);
    bool passed;
    if (query_funnel_add(&funnel, compiled[0], scratch[0], item, &passed, &err)) {
        assert(known[0] && passed == answers[0]);
        assert(funnel.rows[funnel.count - 1].together == passed);
    }
    for (int portable = 0; portable < 2; portable++) {
        query_scratch_close(scratch[portable]);
        query_free(compiled[portable]);
    }
    query_relations_close(relations);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct err err = {0};
    struct str rest = {(const char *)data, size}, query;
    struct query_node *node;
    struct post post = {.has_code = size % 2 == 0};
    struct item item = item_empty();

    str_cut(&rest, '\n', &query);
    str_cut(&rest, '\n', &item.tags);
    for (int i = 0; i < QUERY_TEXTS; i++)
        post.texts[i] = str_slice(rest, rest.len * (size_t)i / 8, rest.len);
    item.id = item.score = (int64_t)size;
    item.kind = 1 + (int64_t)size % 8;
    item.created_ms = INT64_C(1500000000000);
    struct query_item asked = {.item = &item,
                               .context = &post,
                               .text = text,
                               .has_code = has_code,
                               .in_set = in_set,
                               .in_source = in_source,
                               .own = own,
                               .newest_ms = INT64_C(1510000000000)};
    const struct query_own *known = &names[size % 2];
    if (query_parse_with(query, known, &arena, &node, &err)) {
        check_printing(node, known, &arena);
        check_testing(node, &asked, &arena);
    } else {
        check_error(&err);
    }
    arena_free(&arena);
    return 0;
}
