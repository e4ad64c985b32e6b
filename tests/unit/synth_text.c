/* Titles, bodies and comments from the grammar. */
#include "synth/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

/* The embedded grammar has a rule for every label, and posts say what they must and never
 * what they must not. */

static const char *const platform_words[SYNTH_MODEL_PLATFORM_COUNT][4] = {
    {"cloud", "server", "serving", NULL},
    {"mobile", "android", "ios", NULL},
    {"browser", NULL}};

/* Whether the text has the word, or a word that begins with it, in any case. */
static bool has_word(const char *text, const char *word, bool prefix)
{
    size_t len = strlen(word);

    for (const char *at = text; *at != '\0'; at++) {
        bool begins = at == text || !isalnum((unsigned char)at[-1]);
        size_t i = 0;
        while (i < len && tolower((unsigned char)at[i]) == word[i])
            i++;
        if (begins && i == len && (prefix || !isalnum((unsigned char)at[len])))
            return true;
    }
    return false;
}

static bool mentions(const char *prose, int platform)
{
    bool any = false;

    for (int i = 0; platform_words[platform][i] != NULL; i++)
        any = any || has_word(prose, platform_words[platform][i], false);
    return any && (platform != SYNTH_MODEL_SERVER || has_word(prose, "deploy", true));
}

/* Blanks out <pre> ... </pre>, as it stands escaped in the attribute. */
static void drop_code(char *text)
{
    for (char *from; (from = strstr(text, "&lt;pre")) != NULL;) {
        char *to = strstr(from, "&lt;/pre&gt;");
        if (!CHECK(to != NULL))
            return;
        memmove(from, to + 12, strlen(to + 12) + 1);
    }
}

static void check_question(struct synth_text_writer *writer,
                           const struct synth_plan_question *question)
{
    struct buf out = {0};
    struct str verb;

    writer->out = &out;
    synth_text_title(writer, question, &verb);
    buf_add_char(&out, '\0');
    CHECK(strlen(out.ptr) > 5 && strchr(out.ptr, '"') == NULL &&
          strchr(out.ptr, '<') == NULL);
    CHECK((strstr(out.ptr, "How to ") == out.ptr) == question->truth.howto);
    CHECK((verb.len > 0) == question->truth.howto);
    out.len--;
    buf_add_char(&out, ' ');
    synth_text_body(writer, question);
    buf_add_char(&out, '\0');
    CHECK(strlen(out.ptr) + 1 == out.len); /* no NUL inside */
    CHECK(strchr(out.ptr, '"') == NULL && strchr(out.ptr, '<') == NULL &&
          strchr(out.ptr, '\n') == NULL);
    CHECK((strstr(out.ptr, "&lt;pre") != NULL) == question->truth.code);
    drop_code(out.ptr);
    for (int platform = 0; platform < SYNTH_MODEL_PLATFORM_COUNT; platform++) {
        bool told = mentions(out.ptr, platform);
        if (platform != question->truth.platform)
            CHECK(!told);
        else if (question->by_words)
            CHECK(told);
    }
    buf_free(&out);
}

/* Languages are named since 2019, and the right ones. */
static const struct {
    const char *name;
    struct synth_plan_question question;
    const char *language; /* NULL: never any */
} languages[] = {
    {"TensorFlow in 2018",
     {.truth = {.framework = SYNTH_MODEL_TENSORFLOW}, .year = 2018},
     NULL},
    {"TensorFlow in 2019",
     {.truth = {.framework = SYNTH_MODEL_TENSORFLOW}, .year = 2019},
     "py"},
    {"Torch in 2020", {.truth = {.framework = SYNTH_MODEL_TORCH}, .year = 2020}, "lua"},
    {"DL4J in 2020",
     {.truth = {.framework = SYNTH_MODEL_DEEPLEARNING4J}, .year = 2020},
     "java"},
    {"SQL in 2020", {.background = true, .topic = 2, .year = 2020}, "sql"},
    {"C in 2020", {.background = true, .topic = 4, .year = 2020}, "c"},
    {"regex in 2020", {.background = true, .topic = 7, .year = 2020}, NULL},
};

static int times(const char *text, const char *what)
{
    int count = 0;

    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

static void check_languages(struct synth_text_writer *writer)
{
    for (size_t i = 0; i < ROWS(languages); i++) {
        struct synth_plan_question question = languages[i].question;
        struct buf out = {0};
        char sign[80];
        tap_case("language: %s", languages[i].name);
        question.truth.code = true;
        question.truth.second_kind = question.truth.object = question.truth.platform =
            question.truth.bug_type = SYNTH_MODEL_NONE;
        writer->out = &out;
        for (int n = 0; n < 300; n++)
            synth_text_body(writer, &question);
        buf_add_char(&out, '\0');
        snprintf(sign, sizeof sign,
                 "&lt;pre class=&quot;lang-%s prettyprint-override&quot;",
                 languages[i].language != NULL ? languages[i].language : "");
        CHECK(times(out.ptr, "&lt;pre class=") ==
              (languages[i].language != NULL ? times(out.ptr, sign) : 0));
        CHECK((times(out.ptr, sign) > 30) == (languages[i].language != NULL));
        CHECK(times(out.ptr, sign) < times(out.ptr, "&lt;pre"));
        buf_free(&out);
    }
}

static int by_length(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* Bodies are as long and as marked up as real ones: a long tail, links in half of them.
 */
static void check_bodies(struct synth_text_writer *writer,
                         const struct synth_model *model)
{
    enum { COUNT = 6000 };
    static const struct {
        const char *sign;
        double least, most;
    } marks[] = {
        {"&lt;a href=", .38, .56}, {"&lt;strong&gt;", .10, .24},
        {"&lt;em&gt;", .07, .2},   {"&lt;img src=", .04, .14},
        {"&lt;h1&gt;", .01, .06},  {"&lt;h2&gt;", .01, .06},
        {"&lt;hr&gt;", .01, .06},  {"&lt;br&gt;", .01, .06},
        {"&lt;ul&gt;", .05, .2},   {"&lt;blockquote&gt;", .03, .1},
    };
    static size_t lengths[COUNT];
    static double found[ROWS(marks)];
    struct rng rng = rng_seeded(4);
    struct buf out = {0};
    double sum = 0;

    for (int i = 0; i < COUNT; i++) {
        struct synth_plan_question question = {.year = 2019};
        question.truth = synth_model_draw(model, 2019, &rng);
        buf_clear(&out);
        writer->out = &out;
        synth_text_body(writer, &question);
        buf_add_char(&out, '\0');
        lengths[i] = out.len;
        sum += (double)out.len;
        for (size_t m = 0; m < ROWS(marks); m++)
            found[m] += strstr(out.ptr, marks[m].sign) != NULL;
    }
    qsort(lengths, COUNT, sizeof *lengths, by_length);
    tap_case("bodies have a long tail");
    CHECK(sum / COUNT > 1600 && sum / COUNT < 3600);
    CHECK(lengths[COUNT / 2] < 2200 && lengths[COUNT * 9 / 10] > 3600 &&
          lengths[COUNT * 9 / 10] < 7000);
    CHECK(lengths[COUNT - 1] > 20000 && lengths[COUNT - 1] < 40000);
    tap_case("bodies are marked up");
    for (size_t m = 0; m < ROWS(marks); m++)
        if (!CHECK(found[m] / COUNT > marks[m].least && found[m] / COUNT < marks[m].most))
            printf("# %s %.3f\n", marks[m].sign, found[m] / COUNT);
    buf_free(&out);
}

static void test_text(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct synth_model model;
    struct synth_text *text;
    struct rng rng = rng_seeded(9);
    struct buf out = {0};

    tap_case("the grammar compiles and has all rules");
    if (!CHECK(synth_text_load(&arena, &text, &err))) {
        CHECK_TEXT(err.text, "");
        return;
    }
    CHECK(synth_model_load(NULL, &arena, &model, &err));
    struct synth_plan plan = synth_plan_make(&model, 5, 6000, 2000);
    tap_case("platforms show in the prose of their questions and of no other");
    struct synth_text_writer writer = {.text = text, .confusion = 0.3, .rng = &rng};
    for (size_t b = 0; b < plan.blocks; b++) {
        struct arena block_arena = {0};
        struct synth_plan_block block =
            synth_plan_block(&plan, b, (struct synth_plan_ids){0}, &block_arena);
        for (size_t i = 0; i < block.question_count; i++)
            check_question(&writer, &block.questions[i]);
        arena_free(&block_arena);
    }
    check_languages(&writer);
    check_bodies(&writer, &model);
    tap_case("comments are Markdown");
    writer.out = &out;
    struct synth_plan_question question = {.truth = {.framework = 0, .kind = 1},
                                           .year = 2018};
    for (int i = 0; i < 2000; i++) {
        buf_clear(&out);
        synth_text_comment(&writer, &question, i % 2, i % 5 == 0);
        buf_add_char(&out, '\0');
        CHECK(strlen(out.ptr) > 3 && strstr(out.ptr, "&lt;") == NULL);
    }
    buf_free(&out);
    arena_free(&arena);
}

/* The embedded grammar has a rule for every label. */

static void test_text_rules(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct synth_text *text;

    tap_case("the grammar compiles and has all rules");
    if (CHECK(synth_text_load(&arena, &text, &err))) {
        for (int k = 0; k < SYNTH_MODEL_KIND_COUNT; k++) {
            CHECK(synth_grammar_alternatives(text->grammar, text->kind_title[k]) > 1);
            CHECK(synth_grammar_alternatives(text->grammar, text->kind_body[k]) > 1);
        }
        tap_case("rules of different labels are different");
        for (int k = 1; k < SYNTH_MODEL_KIND_COUNT; k++)
            CHECK(text->kind_body[k] != text->kind_body[k - 1]);
        CHECK(text->filler != text->opening);
    }
    CHECK_TEXT(err.text, "");
    arena_free(&arena);
}

/* Parts of posts: what they are marked up with, and that nobody repeats himself. */

static void check_marks(struct synth_text_writer *writer,
                        const struct synth_plan_question *question)
{
    struct synth_grammar_values values = synth_text_parts_values(question);
    struct buf *out = writer->out;

    tap_case("code, a list, a quote, a picture");
    synth_text_parts_code(writer, question, 1, &values);
    synth_text_parts_list(writer, &values);
    synth_text_parts_quote(writer, &values);
    synth_text_parts_picture(writer, question);
    buf_add_char(out, '\0');
    CHECK(strstr(out->ptr, "&lt;pre") == out->ptr);
    CHECK(strstr(out->ptr, "&lt;/code&gt;&lt;/pre&gt;&#xA;&#xA;") != NULL);
    CHECK(strstr(out->ptr, "&lt;li&gt;") != NULL);
    CHECK(strstr(out->ptr, "&lt;blockquote&gt;") != NULL);
    CHECK(strstr(out->ptr, "https://i.stack.imgur.com/") != NULL);
    CHECK(strchr(out->ptr, '<') == NULL && strchr(out->ptr, '"') == NULL);
    buf_clear(out);
}

static void check_sentences(struct synth_text_writer *writer,
                            const struct synth_plan_question *question)
{
    struct synth_grammar_values values = synth_text_parts_values(question);
    struct buf *out = writer->out;
    int rule = writer->text->kind_body[SYNTH_MODEL_CRASH];

    tap_case("two sentences of a rule are not the same, and stand apart");
    for (int i = 0; i < 200; i++) {
        buf_clear(out);
        writer->said_count = 0;
        buf_add(out, SYNTH_TEXT_PARTS_BEGIN);
        synth_text_parts_sentence(writer, rule, &values);
        synth_text_parts_sentence(writer, rule, &values);
        CHECK(writer->said_count == 2 &&
              writer->said[0].alternative != writer->said[1].alternative);
    }
    CHECK(!str_ends(SYNTH_TEXT_PARTS_BEGIN, STR(" ")));
}

static void test_text_parts(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct synth_text *text;
    struct rng rng = rng_seeded(3);
    struct buf out = {0};
    struct synth_plan_question question = {.truth = {.framework = SYNTH_MODEL_KERAS},
                                           .year = 2018};

    if (CHECK(synth_text_load(&arena, &text, &err))) {
        struct synth_text_writer writer = {.text = text, .rng = &rng, .out = &out};
        tap_case("a framework's names and the release of the year");
        CHECK(str_eq(synth_text_parts_values(&question).text[SYNTH_GRAMMAR_FRAMEWORK],
                     STR("Keras")));
        CHECK(str_eq(synth_text_parts_values(&question).text[SYNTH_GRAMMAR_RELEASE],
                     STR("2.2.4")));
        check_marks(&writer, &question);
        check_sentences(&writer, &question);
        tap_case("a post has an end");
        buf_clear(&out);
        CHECK(synth_text_parts_has_room(&writer));
        buf_reserve(&out, 40000);
        out.len = 40000;
        CHECK(!synth_text_parts_has_room(&writer));
    }
    buf_free(&out);
    arena_free(&arena);
}

int main(void)
{
    test_text();
    test_text_rules();
    test_text_parts();
    return tap_done();
}
