/* Events are those of server-sent events, as /v1/chat/completions writes them with
 * `stream`: a line "data: " and a JSON object each, the last of them "data: [DONE]". */
#include "model/mend.h"

#include <string.h>

#include "input/json.h"
#include "text/utf8.h"

/* Characters. */

/* Four hexadecimal digits; UINT32_MAX: they are none. */
static uint32_t digits_at(struct str text, size_t at)
{
    uint32_t code = 0;

    if (at + 4 > text.len)
        return UINT32_MAX;
    for (size_t i = at; i < at + 4; i++) {
        char c = text.ptr[i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : UINT32_MAX;
        if (digit == UINT32_MAX)
            return UINT32_MAX;
        code = code * 16 + digit;
    }
    return code;
}

static bool is_escape(struct str text, size_t at)
{
    return at + 1 < text.len && text.ptr[at] == '\\' && text.ptr[at + 1] == 'u';
}

/* What the escape \uXXXX at `at` becomes, and how many bytes it has. */
static struct str mend_escape(struct str text, size_t at, size_t *bytes)
{
    uint32_t code = digits_at(text, at + 2), low = UINT32_MAX;
    bool high = code >= 0xD800 && code < 0xDC00;

    *bytes = code == UINT32_MAX ? 2 : 6;
    if (high && is_escape(text, at + 6))
        low = digits_at(text, at + 8);
    if (high && low >= 0xDC00 && low < 0xE000)
        *bytes = 12;
    else if (code == 0 || (code >= 0xD800 && code < 0xE000))
        return STR("\\ufffd");
    return str_slice(text, at, at + *bytes);
}

/* Escapes of halves of characters and of U+0000. */
static void mend_escapes(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len;) {
        size_t bytes = 1;
        struct str piece = str_slice(text, i, i + 1);
        if (is_escape(text, i))
            piece = mend_escape(text, i, &bytes);
        else if (text.ptr[i] == '\\')
            piece = str_slice(text, i, i + (bytes = 2));
        buf_add(out, piece);
        i += bytes;
    }
}

/* Events. */

struct mend_pieces {
    struct buf content, refusal, tokens;
    struct str model, fingerprint, finish, usage;
    bool done;
};

static struct str text_of(const struct input_json *value, struct arena *arena)
{
    return arena_copy(arena, input_json_text(value));
}

static void add_usage(struct mend_pieces *all, const struct input_json *usage,
                      struct arena *arena)
{
    if (input_json_is(usage, INPUT_JSON_OBJECT))
        all->usage = arena_format(
            arena, "{\"prompt_tokens\":%lld,\"completion_tokens\":%lld}",
            (long long)input_json_integer(input_json_get(usage, "prompt_tokens")),
            (long long)input_json_integer(input_json_get(usage, "completion_tokens")));
}

static void add_tokens(struct mend_pieces *all, const struct input_json *tokens)
{
    INPUT_JSON_EACH(token, tokens)
    {
        const struct input_json *number = input_json_get(token, "logprob");
        const struct input_json *bytes = input_json_get(token, "bytes");
        buf_add_format(&all->tokens, "%s{\"token\":\"", all->tokens.len > 0 ? "," : "");
        buf_add_json(&all->tokens, input_json_text(input_json_get(token, "token")));
        buf_add(&all->tokens, STR("\""));
        if (input_json_is_number(number))
            buf_add_format(&all->tokens, ",\"logprob\":%.17g", input_json_number(number));
        if (input_json_is(bytes, INPUT_JSON_ARRAY)) {
            buf_add(&all->tokens, STR(",\"bytes\":["));
            INPUT_JSON_EACH(byte, bytes)
            buf_add_format(&all->tokens, "%s%lld",
                           byte == input_json_first(bytes) ? "" : ",",
                           (long long)input_json_integer(byte));
            buf_add_char(&all->tokens, ']');
        }
        buf_add_char(&all->tokens, '}');
    }
}

static void add_piece(struct mend_pieces *all, const struct input_json *piece,
                      struct arena *arena)
{
    const struct input_json *choice = input_json_first(input_json_get(piece, "choices")),
                            *delta = input_json_get(choice, "delta");
    struct str model = text_of(input_json_get(piece, "model"), arena),
               finish = text_of(input_json_get(choice, "finish_reason"), arena),
               print = text_of(input_json_get(piece, "system_fingerprint"), arena);

    if (model.len > 0)
        all->model = model;
    if (print.len > 0)
        all->fingerprint = print;
    if (finish.len > 0)
        all->finish = finish;
    add_usage(all, input_json_get(piece, "usage"), arena);
    buf_add(&all->content, input_json_text(input_json_get(delta, "content")));
    buf_add(&all->refusal, input_json_text(input_json_get(delta, "refusal")));
    add_tokens(all, input_json_get(input_json_get(choice, "logprobs"), "content"));
    all->done = all->done || finish.len > 0;
}

static void add_member(struct buf *out, const char *name, struct str value)
{
    buf_add_format(out, "\"%s\":\"", name);
    buf_add_json(out, value);
    buf_add_char(out, '"');
}

static struct str join(struct mend_pieces *all, struct arena *arena)
{
    struct buf out = {0};

    buf_add_char(&out, '{');
    add_member(&out, "model", all->model);
    buf_add_char(&out, ',');
    add_member(&out, "system_fingerprint", all->fingerprint);
    buf_add(&out, STR(",\"choices\":[{\"message\":{"));
    add_member(&out, "content", buf_str(&all->content));
    buf_add_char(&out, ',');
    add_member(&out, "refusal", buf_str(&all->refusal));
    buf_add(&out, STR("},"));
    add_member(&out, "finish_reason", all->finish);
    buf_add(&out, STR(",\"logprobs\":{\"content\":["));
    buf_add(&out, buf_str(&all->tokens));
    buf_add(&out, STR("]}}]"));
    if (all->usage.len > 0)
        buf_add_format(&out, ",\"usage\":%.*s", STR_ARG(all->usage));
    buf_add_char(&out, '}');
    return buf_keep(&out, arena);
}

/* Empty: these are no events, or not all of them. */
static struct str join_events(struct str body, struct arena *arena)
{
    struct mend_pieces all = {0};
    struct input_json_tree tree = {0};
    struct str rest = body, line, whole = {0};
    bool ok = true;

    while (ok && rest.len > 0) {
        str_cut(&rest, '\n', &line);
        line = str_trim(line);
        if (!str_starts(line, STR("data:")))
            continue;
        line = str_trim(str_slice(line, 5, line.len));
        if (str_eq(line, STR("[DONE]")))
            continue;
        const struct input_json *piece = input_json_parse(&tree, line);
        ok = input_json_is(input_json_get(piece, "choices"), INPUT_JSON_ARRAY);
        if (ok)
            add_piece(&all, piece, arena);
    }
    if (ok && all.done)
        whole = join(&all, arena);
    buf_free(&all.content);
    buf_free(&all.refusal);
    buf_free(&all.tokens);
    input_json_free(&tree);
    return whole;
}

struct str model_mend(struct str body, struct arena *arena)
{
    const struct str mark = STR("\xEF\xBB\xBF");
    struct buf valid = {0}, mended = {0};

    if (str_starts(body, mark))
        body = str_slice(body, mark.len, body.len);
    text_utf8_repair(body, &valid);
    mend_escapes(buf_str(&valid), &mended);
    buf_free(&valid);
    struct str text = buf_keep(&mended, arena), joined = join_events(text, arena);
    return joined.len > 0 ? joined : text;
}
