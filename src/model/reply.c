/* The reply is read by input/json.h; so is the text that the model gave as its answer. */
#define _GNU_SOURCE /* memmem() */
#include "model/reply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "input/json.h"
#include "model/mend.h"
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

/* Where `part` stands last; NULL: it does not. */
static const char *find_last(struct str text, struct str part)
{
    const char *last = NULL, *end = text.ptr + text.len;

    for (const char *at = text.ptr; part.len > 0 && at != NULL && at < end; at++) {
        at = memmem(at, (size_t)(end - at), part.ptr, part.len);
        if (at == NULL)
            break;
        last = at;
    }
    return last;
}

/* What models of some servers put around their answer: thoughts before it, whose
 * beginning stands in the prompt of some, and a fence. */
static struct str bare(struct str content)
{
    const struct str end = STR("</think>");

    content = str_trim(content);
    const char *last = str_starts(content, STR("{")) ? NULL : find_last(content, end);
    if (last != NULL)
        content = str_trim(
            str_slice(content, (size_t)(last - content.ptr) + end.len, content.len));
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

struct reply_token {
    size_t begin, end; /* in what tokens spell */
    double logprob;    /* NAN: not told */
};

struct reply_tokens {
    LIST(struct reply_token) all;
    struct buf spelled;
};

static void add_token(struct reply_tokens *tokens, struct str text,
                      const struct input_json *bytes, const struct input_json *logprob)
{
    struct reply_token token = {
        .begin = tokens->spelled.len,
        .logprob = input_json_is_number(logprob) ? input_json_number(logprob) : NAN};

    /* A character may be parted among tokens, whose texts cannot tell it. */
    INPUT_JSON_EACH(byte, bytes)
    buf_add_char(&tokens->spelled, (char)input_json_integer(byte));
    if (input_json_count(bytes) == 0)
        buf_add(&tokens->spelled, text);
    token.end = tokens->spelled.len;
    list_add(&tokens->all, token);
}

/* In the form of chat completions, and in that of the completions before them, which some
 * servers kept. */
static void read_tokens(const struct input_json *logprobs, struct reply_tokens *out)
{
    const struct input_json *texts = input_json_get(logprobs, "tokens"),
                            *values = input_json_get(logprobs, "token_logprobs"),
                            *value = input_json_first(values);

    INPUT_JSON_EACH(token, input_json_get(logprobs, "content"))
    add_token(out, input_json_text(input_json_get(token, "token")),
              input_json_get(token, "bytes"), input_json_get(token, "logprob"));
    if (out->all.count > 0 || input_json_count(texts) != input_json_count(values))
        return;
    INPUT_JSON_EACH(text, texts)
    {
        add_token(out, input_json_text(text), NULL, value);
        value = input_json_next(values, value);
    }
}

/* Tokens may stand before the content, such as those of thoughts that a server takes out
 * of it, and behind it, such as that which ends it. */
static double probability_of(const struct input_json *choice, struct str content,
                             const struct reply_span *spans, size_t count)
{
    struct reply_tokens tokens = {0};
    double sum = 0;
    bool any = false;

    read_tokens(input_json_get(choice, "logprobs"), &tokens);
    const char *last = find_last(buf_str(&tokens.spelled), content);
    size_t begin = last != NULL ? (size_t)(last - tokens.spelled.ptr) : 0, next = 0;
    for (size_t i = 0; last != NULL && i < tokens.all.count; i++) {
        struct reply_token token = tokens.all.at[i];
        while (next < count && begin + spans[next].end <= token.begin)
            next++;
        if (token.end > token.begin && next < count &&
            begin + spans[next].begin < token.end) {
            sum += token.logprob;
            any = true;
        }
    }
    list_free(&tokens.all);
    buf_free(&tokens.spelled);
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

/* A text, or a list of parts, of which those are the answer that are text. */
static struct str content_of(const struct input_json *message, struct arena *arena)
{
    const struct input_json *content = input_json_get(message, "content");
    struct buf all = {0};

    if (!input_json_is(content, INPUT_JSON_ARRAY))
        return arena_copy(arena, input_json_text(content));
    INPUT_JSON_EACH(part, content)
    if (str_eq(input_json_text(input_json_get(part, "type")), STR("text")))
        buf_add(&all, input_json_text(input_json_get(part, "text")));
    return buf_keep(&all, arena);
}

static const char *nothing_said(const struct input_json *message)
{
    return input_json_count(input_json_get(message, "tool_calls")) > 0
               ? "it calls a tool and says nothing"
           : input_json_text(input_json_get(message, "reasoning_content")).len > 0 ||
                   input_json_text(input_json_get(message, "reasoning")).len > 0
               ? "it has thoughts and no answer"
               : "the reply has no content";
}

static void read_content(const struct input_json *choice,
                         const struct model_prompt *prompt, struct arena *arena,
                         struct model_reply *out)
{
    struct input_json_tree tree = {0};
    const struct input_json *answer = input_json_parse(&tree, bare(out->content));

    if (answer == NULL)
        fail(out, MODEL_REPLY_UNREADABLE, arena, "it is no JSON: ", bare(out->content));
    else
        take_codes(answer, prompt, arena, out);
    if (out->state == MODEL_REPLY_ANSWERED) {
        size_t room = 1 + input_json_count(input_json_get(answer, "codes"));
        struct reply_span *spans = arena_array(arena, struct reply_span, room);
        size_t count = find_spans(out, answer, prompt, spans);
        out->probability = probability_of(choice, out->content, spans, count);
    }
    input_json_free(&tree);
}

static void read_choice(const struct input_json *choice,
                        const struct model_prompt *prompt, struct arena *arena,
                        struct model_reply *out)
{
    const struct input_json *message = input_json_get(choice, "message");
    struct str finish = input_json_text(input_json_get(choice, "finish_reason"));
    struct str refusal = input_json_text(input_json_get(message, "refusal"));

    out->content = content_of(message, arena);
    if (refusal.len > 0)
        fail(out, MODEL_REPLY_REFUSED, arena, "", refusal);
    else if (str_eq(finish, STR("content_filter")))
        fail(out, MODEL_REPLY_REFUSED, arena, "a filter of the server", (struct str){0});
    else if (str_eq(finish, STR("length")))
        fail(out, MODEL_REPLY_CUT, arena, "it met the limit of tokens", (struct str){0});
    else if (out->content.len == 0)
        fail(out, MODEL_REPLY_UNREADABLE, arena, nothing_said(message), (struct str){0});
    else
        read_content(choice, prompt, arena, out);
}

bool model_reply_is_filtered(struct str body)
{
    static const struct str codes[] = {STR_INIT("content_filter"),
                                       STR_INIT("content_policy_violation"),
                                       STR_INIT("invalid_prompt")};
    struct input_json_tree tree = {0};
    const struct input_json *error =
        input_json_get(input_json_parse(&tree, body), "error");
    struct str code = input_json_text(input_json_get(error, "code"));
    bool filtered = str_find(code, codes, ROWS_OF(codes)) < ROWS_OF(codes);

    input_json_free(&tree);
    return filtered;
}

static bool is_completion(const struct input_json *root)
{
    const struct input_json *choices = input_json_get(root, "choices");

    return input_json_is(input_json_get(input_json_first(choices), "message"),
                         INPUT_JSON_OBJECT);
}

void model_reply_read(struct str body, const struct model_prompt *prompt,
                      struct arena *arena, struct model_reply *out)
{
    struct input_json_tree tree = {0};
    const struct input_json *root = input_json_parse(&tree, body);

    if (root == NULL)
        root = input_json_parse(&tree, model_mend(body, arena));
    const struct input_json *usage = input_json_get(root, "usage");
    *out = (struct model_reply){.state = MODEL_REPLY_UNREADABLE, .probability = NAN};
    out->model = text_of(root, "model", arena);
    out->fingerprint = text_of(root, "system_fingerprint", arena);
    out->tokens_in = count_of(usage, "prompt_tokens");
    out->tokens_out = count_of(usage, "completion_tokens");
    if (!is_completion(root))
        fail(out, MODEL_REPLY_BROKEN, arena, "the reply is no chat completion: ", body);
    else
        read_choice(input_json_first(input_json_get(root, "choices")), prompt, arena,
                    out);
    input_json_free(&tree);
}
