/* Replies of a server of models: never a crash, and an answer has nothing but codes of
 * the codebook, each once, and no answer has any. */
#include "model/reply.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct model_reply *reply, const struct model_prompt *prompt)
{
    if ((reply->state == MODEL_REPLY_ANSWERED) != (reply->code_count > 0) ||
        (reply->code_count > 1 && !prompt->several) || reply->tokens_in < 0 ||
        reply->tokens_out < 0 || reply->probability < 0 || reply->probability > 1)
        abort();
    for (size_t i = 0; i < reply->code_count; i++)
        if (str_find(reply->codes[i], prompt->codes, prompt->code_count) ==
                prompt->code_count ||
            (i > 0 && str_compare(reply->codes[i - 1], reply->codes[i]) >= 0))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str codes[] = {STR("crash"), STR("data/parsing"), STR("slow"), STR("a")};
    struct model_prompt prompt = {.codes = codes, .code_count = 4};
    struct str body = {(const char *)data, size};
    struct arena arena = {0};
    struct model_reply reply;

    for (int several = 0; several < 2; several++) {
        prompt.several = several;
        model_reply_read(body, &prompt, &arena, &reply);
        check(&reply, &prompt);
    }
    arena_free(&arena);
    return 0;
}
