/* The words of a class, by count and by log-odds. */
#include "learn/keywords.h"

#include "tests/unit/learn_toy.h"

static void check_word(const struct learn_examples *examples,
                       const struct learn_keywords_word *word, const char *name,
                       double count, double posts)
{
    CHECK(str_eq(learn_features_name(&examples->table, word->feature), str_from(name)));
    CHECK_NEAR(word->count, count, 0);
    CHECK_NEAR(word->posts, posts, 0);
}

int main(void)
{
    struct arena arena = {0};
    struct learn_parts posts[4] = {0};
    const char *const texts[] = {"crash use use", "crash crash use use", "use install",
                                 "use use use"};
    const size_t classes[] = {0, 0, 1, 1};
    struct learn_keywords_word words[10];
    struct learn_examples examples;

    for (size_t i = 0; i < 4; i++)
        posts[i].at[LEARN_PARTS_PROSE] = str_from(texts[i]);
    learn_examples_make(
        &(struct learn_posts){.parts = posts,
                              .truth = toy_membership(classes, 4, 2, &arena)},
        (struct learn_features_options){.kinds = 1u << LEARN_FEATURES_WORD}, &arena,
        &examples);
    tap_case("by count");
    CHECK(learn_keywords_of(&examples, 0, LEARN_KEYWORDS_BY_COUNT, 10, words, &arena) ==
          2);
    check_word(&examples, words, "use", 4, 2);
    check_word(&examples, words + 1, "crash", 3, 2);
    tap_case("by z: the word that others do not use");
    CHECK(learn_keywords_of(&examples, 0, LEARN_KEYWORDS_BY_Z, 1, words, &arena) == 1);
    check_word(&examples, words, "crash", 3, 2);
    CHECK(words[0].log_odds > 0 && words[0].z > 0);
    tap_case("a word that is rarer in the class has negative log-odds");
    learn_keywords_of(&examples, 0, LEARN_KEYWORDS_BY_COUNT, 10, words, &arena);
    CHECK(words[0].log_odds < 0);
    learn_examples_free(&examples);
    arena_free(&arena);
    return tap_done();
}
