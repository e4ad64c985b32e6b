/* Words to be found in posts: what the sets of a task ask for, in the order of the study
 * file, each once, and the study's keywords. */
#include "tests/unit/labelled.h"

#define STUDY \
    "study: s\nsource: {posts: p.csv}\n" \
    "sets:\n" \
    "  x: '[x] and (title:\"how to\" or prose:deploy*) and not body:never and " \
    "title:/re.*x/'\n" \
    "  other: 'prose:elsewhere'\n" \
    "samples: {all: {of: x, size: 12, seed: 1}}\ncodebooks: {bugs: k.yaml}\n" \
    "labelling: {bugs: {sample: all, raters: [ann, bob], seed: 5}}\n" \
    "classifiers:\n" \
    "  kinds: {train: bugs, method: keyword-weight, keywords: w.csv, seed: 1, " \
    "predict: x}\n"

int main(void)
{
    static const struct {
        const char *text;
        enum query_match match;
    } want[] = {{"how to", QUERY_WORDS},
                {"deploy", QUERY_PREFIX},
                {"tensor", QUERY_PREFIX},
                {"gr\xc3\xb6\xc3\x9f"
                 "e",
                 QUERY_PREFIX}};
    struct labelled test;
    struct label_word *words;
    size_t count;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    studied_write(&test.in, "w.csv",
                  "class,word\nmodel,tensor\ndata, deploy \nmodel,tensor\n"
                  "model,gr\xc3\xb6\xc3\x9f"
                  "e\n");
    studied_write(&test.in, "study.yaml", STUDY);
    tap_case("of the sample's set and of the keywords; what is ruled out and expressions "
             "are left out");
    if (CHECK(labelled_open(&test))) {
        label_words(test.label, &test.in.arena, &words, &count);
        CHECK(count == ROWS(want));
        for (size_t i = 0; i < count && i < ROWS(want); i++) {
            CHECK(str_eq(words[i].text, str_from(want[i].text)));
            CHECK(words[i].match == want[i].match);
        }
    }
    tap_case("a list without its column keeps nobody from labelling");
    studied_write(&test.in, "w.csv", "class,term\nmodel,tensor\n");
    if (CHECK(labelled_open(&test))) {
        label_words(test.label, &test.in.arena, &words, &count);
        CHECK(count == 2);
    }
    labelled_end(&test);
    return tap_done();
}
