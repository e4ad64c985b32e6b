/* Random json, and what a slip of the hand makes of it: taken or refused as jansson does,
 * with the same values; and a text that is cut anywhere is cut, never wrong. */
#include "base/rng.h"
#include "tests/same_json.h"
#include "tests/tap.h"

enum { TEXTS = 30000, DEPTH_MAX = 5 };

static const char *const pieces[] = {
    "a",
    "Z",
    "0",
    " ",
    "url",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\u00e9",
    "\\uD83D\\uDE00",
    "\xC3\xA9",
    "\xE6\x9D\xB1",
    "\xF0\x9F\x98\x80",
    "\x7F",
    "\xEF\xBF\xBD",
    "a run of letters that is longer than a block of sixteen bytes",
};

/* What a slip puts in, besides bytes of any kind. */
static const char slips[] = "{}[]:,\"\\ \n0-.eEu+tfn\xC3\x80\x01\xED\xA0";

static void draw_string(struct rng *rng, struct buf *out)
{
    buf_add_char(out, '"');
    for (uint64_t i = rng_below(rng, 4); i > 0; i--)
        buf_add(out, str_from(pieces[rng_below(rng, ROWS(pieces))]));
    buf_add_char(out, '"');
}

static void draw_blanks(struct rng *rng, struct buf *out)
{
    for (uint64_t i = rng_below(rng, 3); i > 1; i--)
        buf_add_char(out, " \n\t\r"[rng_below(rng, 4)]);
}

static void draw_value(struct rng *rng, int depth, struct buf *out)
{
    static const char *const scalars[] = {
        "0",
        "-0",
        "7",
        "-12",
        "9223372036854775807",
        "-9223372036854775808",
        "0.5",
        "1e3",
        "-2.5E-7",
        "true",
        "false",
        "null",
    };
    bool object = rng_below(rng, 2) == 0;

    draw_blanks(rng, out);
    if (depth == 0 || rng_below(rng, 3) == 0) {
        if (object)
            draw_string(rng, out);
        else
            buf_add(out, str_from(scalars[rng_below(rng, ROWS(scalars))]));
    } else {
        uint64_t many = rng_below(rng, 150) == 0 ? 120 : 0;
        uint64_t count = rng_below(rng, 5) + many;
        buf_add_char(out, object ? '{' : '[');
        for (uint64_t i = 0; i < count; i++) {
            if (i > 0)
                buf_add_char(out, ',');
            draw_blanks(rng, out);
            if (object && many > 0 && rng_below(rng, 200) > 0)
                buf_add_format(out, "\"%d\"", (int)i);
            else if (object)
                draw_string(rng, out);
            draw_blanks(rng, out);
            if (object)
                buf_add_char(out, ':');
            draw_value(rng, many > 0 ? 0 : depth - 1, out);
        }
        draw_blanks(rng, out);
        buf_add_char(out, object ? '}' : ']');
    }
    draw_blanks(rng, out);
}

static void slip(struct rng *rng, struct buf *text)
{
    size_t at = (size_t)rng_below(rng, text->len);
    char byte = rng_below(rng, 4) == 0 ? (char)rng_below(rng, 256)
                                       : slips[rng_below(rng, sizeof slips)];

    if (rng_below(rng, 2) == 0)
        text->ptr[at] = byte;
    else {
        memmove(text->ptr + at, text->ptr + at + 1, text->len - at - 1);
        text->len--;
    }
}

/* Every beginning of a value ends too early, or is a value. */
static bool is_cut_everywhere(struct input_json_tree *tree, struct str text)
{
    struct buf part = {0};
    bool right = true;

    for (size_t len = 1; len < text.len && right; len++) {
        buf_clear(&part);
        buf_add(&part, str_slice(text, 0, len));
        memset(buf_reserve(&part, INPUT_JSON_PADDING), 0, INPUT_JSON_PADDING);
        const char *at = part.ptr;
        right = input_json_read(tree, &at, part.ptr + len) != INPUT_JSON_WRONG;
    }
    buf_free(&part);
    return right;
}

int main(void)
{
    struct input_json_tree tree = {0};
    struct buf text = {0};
    struct rng rng = rng_seeded(20);
    int taken = 0, refused = 0, cut = 0;

    for (int i = 0; i < TEXTS; i++) {
        buf_clear(&text);
        if (i % 200 == 0) /* or it would soon have learned as much as it may */
            input_json_free(&tree);
        draw_value(&rng, (int)rng_below(&rng, DEPTH_MAX + 1), &text);
        /* What is learned from a sound text meets one with a slip in it. */
        tree.narrow = rng_below(&rng, 2) == 0;
        bool sound = same_json(&tree, buf_str(&text));
        for (uint64_t slips_made = rng_below(&rng, 3); slips_made > 0 && text.len > 1;
             slips_made--)
            slip(&rng, &text);
        if (!sound || !same_json(&tree, buf_str(&text))) {
            tap_case("text %d", i);
            buf_add_char(&text, 0);
            CHECK_TEXT(text.ptr, "as jansson has it");
            text.len--;
        }
        bool ours = input_json_parse(&tree, buf_str(&text)) != NULL;
        taken += ours;
        refused += !ours;
        struct str value = str_trim(buf_str(&text));
        if (ours && text.len < 200 && i % 10 == 0) {
            cut += !is_cut_everywhere(&tree, value);
        }
    }
    tap_case("texts are taken and refused as jansson does");
    CHECK(taken > TEXTS / 4 && refused > TEXTS / 4);
    tap_case("a beginning of json is never wrong");
    CHECK(cut == 0);
    input_json_free(&tree);
    buf_free(&text);
    return tap_done();
}
