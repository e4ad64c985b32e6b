/* Parts of posts: what they are marked up with, and that nobody repeats himself. */
#include "synth/text_parts.h"

#include <string.h>

#include "synth/text_rules.h"
#include "tests/tap.h"

static void check_marks(struct text_writer *writer, const struct plan_question *question)
{
    struct grammar_values values = text_parts_values(question);
    struct buf *out = writer->out;

    tap_case("code, a list, a quote, a picture");
    text_parts_code(writer, question, 1, &values);
    text_parts_list(writer, &values);
    text_parts_quote(writer, &values);
    text_parts_picture(writer, question);
    buf_add_char(out, '\0');
    CHECK(strstr(out->ptr, "&lt;pre") == out->ptr);
    CHECK(strstr(out->ptr, "&lt;/code&gt;&lt;/pre&gt;&#xA;&#xA;") != NULL);
    CHECK(strstr(out->ptr, "&lt;li&gt;") != NULL);
    CHECK(strstr(out->ptr, "&lt;blockquote&gt;") != NULL);
    CHECK(strstr(out->ptr, "https://i.stack.imgur.com/") != NULL);
    CHECK(strchr(out->ptr, '<') == NULL && strchr(out->ptr, '"') == NULL);
    buf_clear(out);
}

static void check_sentences(struct text_writer *writer,
                            const struct plan_question *question)
{
    struct grammar_values values = text_parts_values(question);
    struct buf *out = writer->out;
    int rule = writer->text->kind_body[MODEL_CRASH];

    tap_case("two sentences of a rule are not the same, and stand apart");
    for (int i = 0; i < 200; i++) {
        buf_clear(out);
        writer->said_count = 0;
        buf_add(out, TEXT_PARTS_BEGIN);
        text_parts_sentence(writer, rule, &values);
        text_parts_sentence(writer, rule, &values);
        CHECK(writer->said_count == 2 &&
              writer->said[0].alternative != writer->said[1].alternative);
    }
    CHECK(!str_ends(TEXT_PARTS_BEGIN, STR(" ")));
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct text *text;
    struct rng rng = rng_seeded(3);
    struct buf out = {0};
    struct plan_question question = {.truth = {.framework = MODEL_KERAS}, .year = 2018};

    if (CHECK(text_load(&arena, &text, &err))) {
        struct text_writer writer = {.text = text, .rng = &rng, .out = &out};
        tap_case("a framework's names and the release of the year");
        CHECK(str_eq(text_parts_values(&question).text[GRAMMAR_FRAMEWORK], STR("Keras")));
        CHECK(str_eq(text_parts_values(&question).text[GRAMMAR_RELEASE], STR("2.2.4")));
        check_marks(&writer, &question);
        check_sentences(&writer, &question);
        tap_case("a post has an end");
        buf_clear(&out);
        CHECK(text_parts_has_room(&writer));
        buf_reserve(&out, 40000);
        out.len = 40000;
        CHECK(!text_parts_has_room(&writer));
    }
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
