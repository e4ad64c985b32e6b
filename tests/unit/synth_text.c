/* The embedded grammar has a rule for every label, and posts say what they must and never
 * what they must not. */
#include "synth/text.h"

#include <ctype.h>
#include <string.h>

#include "tests/tap.h"

static const char *const platform_words[MODEL_PLATFORM_COUNT][4] = {
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
    return any && (platform != MODEL_SERVER || has_word(prose, "deploy", true));
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

static void check_question(struct text_writer *writer,
                           const struct plan_question *question)
{
    struct buf out = {0};
    struct str verb;

    writer->out = &out;
    text_title(writer, question, &verb);
    buf_add_char(&out, '\0');
    CHECK(strlen(out.ptr) > 5 && strchr(out.ptr, '"') == NULL &&
          strchr(out.ptr, '<') == NULL);
    CHECK((strstr(out.ptr, "How to ") == out.ptr) == question->truth.howto);
    CHECK((verb.len > 0) == question->truth.howto);
    out.len--;
    buf_add_char(&out, ' ');
    text_body(writer, question);
    buf_add_char(&out, '\0');
    CHECK(strlen(out.ptr) + 1 == out.len); /* no NUL inside */
    CHECK(strchr(out.ptr, '"') == NULL && strchr(out.ptr, '<') == NULL &&
          strchr(out.ptr, '\n') == NULL);
    CHECK((strstr(out.ptr, "&lt;pre") != NULL) == question->truth.code);
    drop_code(out.ptr);
    for (int platform = 0; platform < MODEL_PLATFORM_COUNT; platform++) {
        bool told = mentions(out.ptr, platform);
        if (platform != question->truth.platform)
            CHECK(!told);
        else if (question->by_words)
            CHECK(told);
    }
    buf_free(&out);
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct model model;
    struct text *text;
    struct rng rng = rng_seeded(9);
    struct buf out = {0};

    tap_case("the grammar compiles and has all rules");
    if (!CHECK(text_load(&arena, &text, &err))) {
        CHECK_TEXT(err.text, "");
        return tap_done();
    }
    CHECK(model_load(NULL, &arena, &model, &err));
    struct plan plan = plan_make(&model, 5, 6000, 2000);
    tap_case("platforms show in the prose of their questions and of no other");
    struct text_writer writer = {.text = text, .confusion = 0.3, .rng = &rng};
    for (size_t b = 0; b < plan.blocks; b++) {
        struct arena block_arena = {0};
        struct plan_block block =
            plan_block(&plan, b, (struct plan_ids){0}, &block_arena);
        for (size_t i = 0; i < block.question_count; i++)
            check_question(&writer, &block.questions[i]);
        arena_free(&block_arena);
    }
    tap_case("comments are Markdown");
    writer.out = &out;
    struct plan_question question = {.truth = {.framework = 0, .kind = 1}, .year = 2018};
    for (int i = 0; i < 2000; i++) {
        buf_clear(&out);
        text_comment(&writer, &question, i % 2, i % 5 == 0);
        buf_add_char(&out, '\0');
        CHECK(strlen(out.ptr) > 3 && strstr(out.ptr, "&lt;") == NULL);
    }
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
