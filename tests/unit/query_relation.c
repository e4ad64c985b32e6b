/* Conditions on what is around an item: how they are read, printed, gathered, and what
 * they mean once somebody has found out for which ids they hold. */
#include "query/query.h"

#include "tests/tap.h"
#include "tests/unit/query_parsed.h"
#include "tests/unit/query_post.h"

static const struct {
    const char *name, *query, *canonical;
} good[] = {
    {"a text in an answer", "answer:thanks", "answer:(prose:thanks)"},
    {"forms of texts", "answer:deploy* comment:\"a  b\" comment:~par answer:/x+/i",
     "answer:(prose:deploy*) and comment:(prose:\"a b\") and comment:(prose:~\"par\") "
     "and "
     "answer:(prose:/x+/i)"},
    {"a query", "answer:(score:5.. and hascode:yes)",
     "answer:(score:5.. and hascode:yes)"},
    {"side by side is and, of one answer", "answer: (score:5.. code:fit)",
     "answer:(score:5.. and code:fit)"},
    {"any", "answer:(*) or not comment:(*)", "answer:(*) or not comment:(*)"},
    {"comments of an answer", "answer:(comment:(reputation:100.. or thanks) -wiki:yes)",
     "answer:(comment:(reputation:100.. or prose:thanks) and not wiki:yes)"},
    {"a group does not reach inside", "title:(a or answer:(b or body:(c d)) or e)",
     "title:a or answer:(prose:b or body:c and body:d) or title:e"},
    {"behind it all is as before", "answer:(b) [c] title:d",
     "answer:(prose:b) and [c] and title:d"},
    {"a number in quotes", "answer:\"5\" comment:\"yes\"",
     "answer:(prose:5) and comment:(prose:yes)"},
    {"people, links, wikis", "reputation:1000.. duplicate:yes wiki:no reputation<5",
     "reputation:1000.. and duplicate:yes and wiki:no and reputation:..4"},
    {"thanks", "hasendorsed:yes or HASENDORSED:no", "hasendorsed:yes or hasendorsed:no"},
    {"dates", "lastactive:2017 created:30D.. lastactive:2y..1y",
     "lastactive:2017 and created:30d.. and lastactive:2y..1y"},
    {"in any case", "Answer:(SCORE>5)", "answer:(score:6..)"},
};

static const struct {
    const char *name, *query, *message;
    int caret;
} bad[] = {
    {"a number", "answer:5..",
     "found '5..': answers:1.. asks how many there are; to find this in what one of them "
     "says, put it in double quotes",
     8},
    {"a yes", "comment:yes",
     "found 'yes': comments:1.. asks how many there are; to find this in what one of "
     "them "
     "says, put it in double quotes",
     9},
    {"compared", "answer>5",
     "'answer' cannot be compared; write answer: and a query in brackets, a word, word*, "
     "\"a phrase\", ~\"a part\" or /a regex/",
     7},
    {"nothing", "answer:",
     "expected a query in brackets, a word, word*, \"a phrase\", ~\"a part\" or /a "
     "regex/ "
     "after 'answer:', found the end of the query",
     8},
    {"tags", "answer:([a])", "answers have no tags", 9},
    {"what answers do not have", "answer:(views:5..)",
     "'views' cannot be asked of answers; what can be is prose, code, body, score, "
     "comments, created, hascode, id, user, wiki, lastactive, reputation, comment",
     9},
    {"answers of answers", "answer:(answer:a)",
     "'answer' cannot be asked of answers; what can be is prose, code, body, score, "
     "comments, created, hascode, id, user, wiki, lastactive, reputation, comment",
     9},
    {"sets", "comment:(in:A)",
     "'in' cannot be asked of comments; what can be is prose, code, body, score, "
     "created, hascode, user, reputation",
     10},
    {"keys of sources", "answer:(id:ai:5)",
     "expected a number or a range such as 5, 5.., ..5 or 3..8 after 'id:', found 'ai:5'",
     12},
    {"not closed", "answer:(a", "expected ')' for this '(', found the end of the query",
     8},
    {"a day alone", "created:30d",
     "what counts back needs a range, such as 30d.. or 2y..1y: '30d'", 9},
};

/* ---- which there are, and in which order they have to be found */

static void check_gathered(void)
{
    static const char *const queries[] = {
        "answer:(comment:(a reputation:5..) score:2..) duplicate:no",
        "(duplicate:yes or not answer:(score:2.. comment:b)) comment:b reputation:5..",
    };
    static const char *const want[] = {
        "reputation:5..",
        "duplicate:yes",
        "comment:(prose:a and reputation:5..)",
        "comment:(prose:b)",
        "answer:(comment:(prose:a and reputation:5..) and score:2..)",
        "answer:(score:2.. and comment:(prose:b))",
    };
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *nodes[ROWS(queries)];
    struct query_relations *relations;

    tap_case("each once, those first that others ask for");
    for (size_t i = 0; i < ROWS(queries); i++)
        CHECK(query_parse(str_from(queries[i]), &arena, &nodes[i], &err));
    if (CHECK(query_relations_open((const struct query_node *const *)nodes, ROWS(queries),
                                   &relations, &err))) {
        CHECK(relations->count == ROWS(want));
        for (size_t i = 0; i < relations->count && i < ROWS(want); i++)
            CHECK(str_eq(relations->at[i].text, str_from(want[i])));
        CHECK(relations->at[0].min == 5 && relations->at[0].max == INT64_MAX);
        CHECK(relations->at[2].asked != NULL && relations->at[2].needs.any_text);
        CHECK(
            relations->at[5].needs.fields ==
            (1u << QUERY_FIELD_SCORE | 1u << QUERY_FIELD_COMMENT | 1u << QUERY_FIELD_ID));
        CHECK(query_relations_ask(relations, QUERY_FIELD_DUPLICATE));
        query_relations_close(relations);
    }
    tap_case("none");
    CHECK(query_parse(STR("[a] score:5.. wiki:yes"), &arena, &nodes[0], &err));
    if (CHECK(query_relations_open((const struct query_node *const *)nodes, 1, &relations,
                                   &err))) {
        CHECK(relations->count == 0 &&
              !query_relations_ask(relations, QUERY_FIELD_ANSWER));
        query_relations_close(relations);
    }
    arena_free(&arena);
}

/* ---- what they mean: post 1 of user 7 is in every set of ids, post 2 of user 8 in none,
 * post 3 is of the site's own account */

static const struct {
    const char *query;
    bool first, second, third;
} rows[] = {
    {"answer:a", true, false, false},
    {"not answer:a", false, true, true},
    {"comment:(score:2..)", true, false, false},
    {"reputation:5..", true, false, false},
    {"not reputation:5..", false, true, true},
    {"duplicate:yes", true, false, false},
    {"duplicate:no", false, true, true},
    {"answer:a or id:2", true, true, false},
    {"wiki:yes", false, true, false},
    {"wiki:no", true, false, true},
    {"lastactive:2020", true, false, false},
    {"created:1y..", false, true, false},
    {"created:..1d", true, false, false},
};

static bool holds(const struct query_compiled *compiled, int64_t id)
{
    struct item item = item_empty();
    struct query_item asked = {.item = &item};
    struct query_scratch *scratch = query_scratch_open(compiled);

    item.id = id;
    item.owner = id == 3 ? -1 : 6 + id;
    if (id == 1)
        item.lastactive_ms = INT64_C(1600000000000); /* September 2020 */
    if (id == 2)
        item.wiki_ms = 0;
    if (id < 3) /* 2014 and 2017 */
        item.created_ms = id == 1 ? INT64_C(1400000000000) : INT64_C(1500000000000);
    asked.newest_ms = id == 3 ? ITEM_NONE : INT64_C(1500000000000);
    bool result = post_holds(compiled, scratch, &asked);
    query_scratch_close(scratch);
    return result;
}

static void check_row(size_t i)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    struct query_relations *relations;
    struct query_compiled *compiled;

    tap_case("holds: %s", rows[i].query);
    if (!CHECK(query_parse(str_from(rows[i].query), &arena, &node, &err)) ||
        !CHECK(query_relations_open((const struct query_node *const *)&node, 1,
                                    &relations, &err)) ||
        !CHECK(query_compile(node, (struct query_options){.relations = relations},
                             &compiled, &err)))
        return;
    arena_free(&arena); /* the tree is not needed any more */
    for (size_t r = 0; r < relations->count; r++) {
        bool people = relations->at[r].field == QUERY_FIELD_REPUTATION;
        query_relation_add(&relations->at[r], people ? 7 : 1);
        query_relation_add(&relations->at[r], -1);
    }
    CHECK(holds(compiled, 1) == rows[i].first);
    CHECK(holds(compiled, 2) == rows[i].second);
    CHECK(holds(compiled, 3) == rows[i].third);
    query_relations_forget(relations);
    if (relations->count > 0)
        CHECK(holds(compiled, 1) == rows[i].third);
    query_free(compiled);
    query_relations_close(relations);
}

/* ---- score:3 */

static const struct {
    const char *query, *or_more; /* NULL: Stack Overflow reads it the same */
} bare[] = {
    {"score:3", "score:3.."},
    {"[a] not score:-1", "[a] and not score:-1.."},
    {"score:(0 or 5..)", "score:0.. or score:5.."},
    {"answer:(score:3) views:10 answers:2",
     "answer:(score:3..) and views:10.. and answers:2.."},
    {"score=3 score:3.. score:3..3 score>3", NULL},
    {"views:0 answers:0", NULL},
    {"id:3 user:3 comments:3 favorites:3 reputation:3 created:2015", NULL},
};

static void check_bare(size_t i)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    const struct query_node *first;
    struct buf out = {0};

    tap_case("or more: %s", bare[i].query);
    if (CHECK(query_parse(str_from(bare[i].query), &arena, &node, &err))) {
        struct query_node *more = query_or_more(node, &arena, &first);
        CHECK((more != NULL) == (bare[i].or_more != NULL) &&
              (more != NULL) == (first != NULL));
        if (more != NULL)
            query_print(more, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, bare[i].or_more != NULL ? bare[i].or_more : "");
    }
    buf_free(&out);
    arena_free(&arena);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(good); i++) {
        tap_case("good: %s", good[i].name);
        parsed_good(good[i].query, good[i].canonical);
    }
    for (size_t i = 0; i < ROWS(bad); i++) {
        tap_case("bad: %s", bad[i].name);
        parsed_bad(bad[i].query, bad[i].message, bad[i].caret);
    }
    check_gathered();
    for (size_t i = 0; i < ROWS(rows); i++)
        check_row(i);
    for (size_t i = 0; i < ROWS(bare); i++)
        check_bare(i);
    return tap_done();
}
