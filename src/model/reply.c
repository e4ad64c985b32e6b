/* The reply is read by input/json.h; so is the text that the model gave as its answer. */
#include "model/reply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/json.h"
#include "text/utf8.h"

const char *model_reply_word(enum model_reply_state state)
{
    static const char *const names[] = {"answered", "unreadable", "refused", "cut",
                                        "broken"};

    return names[state];
}

static void fail(struct model_reply *out, enum model_reply_state state,
                 struct arena *arena, const char *why, struct str detail)
{
    out->state = state;
    out->code_count = 0;
    out->says = arena_format(arena, "%s%.*s", why, STR_ARG(text_utf8_cut(detail, 200)));
}

/* Codes. */

static int compare_codes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

static bool take_code(const struct input_json *value, const struct model_prompt *prompt,
                      struct arena *arena, struct model_reply *out)
{
    struct str code = input_json_text(value);
    size_t known = str_find(code, prompt->codes, prompt->code_count);

    if (!input_json_is(value, INPUT_JSON_STRING)) {
        fail(out, MODEL_REPLY_UNREADABLE, arena, "a code is a string, found ",
             str_from(input_json_called(value)));
        return false;
    }
    if (known == prompt->code_count) {
        fail(out, MODEL_REPLY_UNREADABLE, arena, "it is no code of the codebook: ", code);
        return false;
    }
    if (str_find(prompt->codes[known], out->codes, out->code_count) == out->code_count)
        out->codes[out->code_count++] = prompt->codes[known];
    return true;
}

static void take_codes(const struct input_json *answer, const struct model_prompt *prompt,
                       struct arena *arena, struct model_reply *out)
{
    const char *name = prompt->several ? "codes" : "code";
    const struct input_json *value = input_json_get(answer, name);

    if (!input_json_is(answer, INPUT_JSON_OBJECT) || value == NULL || answer->len != 1) {
        fail(out, MODEL_REPLY_UNREADABLE, arena, "expected an object with one member, ",
             str_from(name));
        return;
    }
    out->codes = arena_array(arena, struct str, prompt->code_count + 1);
    if (!prompt->several) {
        if (take_code(value, prompt, arena, out))
            out->state = MODEL_REPLY_ANSWERED;
        return;
    }
    INPUT_JSON_EACH(item, value)
    if (!take_code(item, prompt, arena, out))
        return;
    if (out->code_count == 0) {
        fail(out, MODEL_REPLY_UNREADABLE, arena, "expected a list of codes in ",
             str_from(name));
        return;
    }
    qsort(out->codes, out->code_count, sizeof *out->codes, compare_codes);
    out->state = MODEL_REPLY_ANSWERED;
}

/* What models of some servers put around their answer: thoughts before it, a fence. */
static struct str bare(struct str content)
{
    const struct str end = STR("</think>");

    content = str_trim(content);
    if (str_starts(content, STR("<think>")))
        for (size_t i = 0; i + end.len <= content.len; i++)
            if (memcmp(content.ptr + i, end.ptr, end.len) == 0) {
                content = str_trim(str_slice(content, i + end.len, content.len));
                break;
            }
    if (str_starts(content, STR("```")) && str_ends(content, STR("```")) &&
        content.len >= 6) {
        struct str first;
        content = str_slice(content, 0, content.len - 3);
        str_cut(&content, '\n', &first);
        content = str_trim(content);
    }
    return content;
}

/* Log-probabilities: of the tokens that the codes are written with. */

struct reply_span {
    size_t begin, end; /* in the content */
};

/* Where a code stands that begins with a quote at `at`. */
static struct reply_span span_of(struct str content, size_t at)
{
    struct reply_span span = {at + 1, at + 1};

    while (span.end < content.len && content.ptr[span.end] != '"')
        span.end += content.ptr[span.end] == '\\' ? 2 : 1;
    return span;
}

/* Those of the answer, one behind the other; not what was thought before it. */
static size_t find_spans(const struct model_reply *out, const struct input_json *answer,
                         const struct model_prompt *prompt, struct reply_span *spans)
{
    size_t begin = (size_t)(bare(out->content).ptr - out->content.ptr), count = 0;
    const struct input_json *value =
        input_json_get(answer, prompt->several ? "codes" : "code");

    if (!prompt->several)
        spans[count++] = span_of(out->content, begin + (size_t)(value->at - answer->at));
    INPUT_JSON_EACH(item, value)
    spans[count++] = span_of(out->content, begin + (size_t)(item->at - answer->at));
    return count;
}

/* Tokens are taken as far as they spell the content. */
static double probability_of(const struct input_json *choice, struct str content,
                             const struct reply_span *spans, size_t count)
{
    const struct input_json *tokens =
        input_json_get(input_json_get(choice, "logprobs"), "content");
    double sum = 0;
    size_t at = 0, next = 0;
    bool any = false;

    INPUT_JSON_EACH(token, tokens)
    {
        struct str text = input_json_text(input_json_get(token, "token"));
        const struct input_json *value = input_json_get(token, "logprob");
        if (!input_json_is_number(value) ||
            !str_starts(str_slice(content, at, content.len), text))
            return NAN;
        while (next < count && spans[next].end <= at)
            next++;
        at += text.len;
        if (text.len > 0 && next < count && spans[next].begin < at) {
            sum += input_json_number(value);
            any = true;
        }
    }
    return any && sum <= 0 ? exp(sum) : NAN;
}

/* The reply. */

static struct str text_of(const struct input_json *object, const char *name,
                          struct arena *arena)
{
    return arena_copy(arena, input_json_text(input_json_get(object, name)));
}

static int64_t count_of(const struct input_json *object, const char *name)
{
    int64_t count = input_json_integer(input_json_get(object, name));

    return count > 0 ? count : 0;
}

static void read_choice(const struct input_json *choice,
                        const struct model_prompt *prompt, struct arena *arena,
                        struct model_reply *out)
{
    const struct input_json *message = input_json_get(choice, "message");
    struct str finish = input_json_text(input_json_get(choice, "finish_reason"));
    struct str refusal = input_json_text(input_json_get(message, "refusal"));
    struct input_json_tree tree = {0};

    out->content = text_of(message, "content", arena);
    if (refusal.len > 0) {
        fail(out, MODEL_REPLY_REFUSED, arena, "", refusal);
    } else if (str_eq(finish, STR("content_filter"))) {
        fail(out, MODEL_REPLY_REFUSED, arena, "a filter of the server", (struct str){0});
    } else if (str_eq(finish, STR("length"))) {
        fail(out, MODEL_REPLY_CUT, arena, "it met the limit of tokens", (struct str){0});
    } else if (!input_json_is(input_json_get(message, "content"), INPUT_JSON_STRING)) {
        fail(out, MODEL_REPLY_UNREADABLE, arena, "the reply has no content",
             (struct str){0});
    } else {
        const struct input_json *answer = input_json_parse(&tree, bare(out->content));
        if (answer == NULL)
            fail(out, MODEL_REPLY_UNREADABLE, arena,
                 "it is no JSON: ", bare(out->content));
        else
            take_codes(answer, prompt, arena, out);
        if (out->state == MODEL_REPLY_ANSWERED) {
            size_t room = 1 + input_json_count(input_json_get(answer, "codes"));
            struct reply_span *spans = arena_array(arena, struct reply_span, room);
            size_t count = find_spans(out, answer, prompt, spans);
            out->probability = probability_of(choice, out->content, spans, count);
        }
    }
    input_json_free(&tree);
}

void model_reply_read(struct str body, const struct model_prompt *prompt,
                      struct arena *arena, struct model_reply *out)
{
    struct input_json_tree tree = {0};
    const struct input_json *root = input_json_parse(&tree, body),
                            *choices = input_json_get(root, "choices"),
                            *usage = input_json_get(root, "usage");

    *out = (struct model_reply){.state = MODEL_REPLY_UNREADABLE, .probability = NAN};
    out->model = text_of(root, "model", arena);
    out->fingerprint = text_of(root, "system_fingerprint", arena);
    out->tokens_in = count_of(usage, "prompt_tokens");
    out->tokens_out = count_of(usage, "completion_tokens");
    if (!input_json_is(choices, INPUT_JSON_ARRAY) ||
        !input_json_is(input_json_get(input_json_first(choices), "message"),
                       INPUT_JSON_OBJECT))
        fail(out, MODEL_REPLY_BROKEN, arena, "the reply is no chat completion: ", body);
    else
        read_choice(input_json_first(choices), prompt, arena, out);
    input_json_free(&tree);
}
