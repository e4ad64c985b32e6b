/* Posts become counts, classes and groups. */
#include "learn/examples.h"

#include "tests/unit/learn_toy.h"

int main(void)
{
    struct arena arena = {0};
    struct examples examples;
    const char *const texts[] = {"a b a", "how to train a model on many cards", "",
                                 "How to train a model on many cards!"};
    struct parts posts[4] = {0};
    const size_t classes[4] = {0, 1, 0, 1};

    for (size_t i = 0; i < 4; i++)
        posts[i].at[PARTS_PROSE] = str_from(texts[i]);
    examples_make(posts, toy_membership(classes, 4, 2, &arena),
                  (struct features_options){.kinds = 1u << FEATURES_WORD}, NULL,
                  &arena, &examples);
    tap_case("a row a post, a column a feature");
    CHECK(examples.counts.count == 4 && examples.counts.columns == examples.table.count);
    CHECK(rows_at(&examples.counts, 0).count == 2 &&
          rows_at(&examples.counts, 0).cells[0].value == 2);
    tap_case("a post without text has an empty row");
    CHECK(rows_at(&examples.counts, 2).count == 0);
    tap_case("near duplicates share a group");
    CHECK(examples.groups[3] == 1 && examples.groups[1] == 1 && examples.groups[2] == 2);
    examples_free(&examples);
    arena_free(&arena);
    return tap_done();
}
