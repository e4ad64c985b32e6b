/* Any bytes are a log of decisions or an error with its place; one that is read can be
 * judged, applied and written, and reads back as it was. The same bytes as a title have a
 * phrase whose words are a part of it. */
#include "phrase/phrase.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_title(struct str text, struct arena *arena)
{
    struct phrase phrase = phrase_extract(text, NULL, arena);

    assert(phrase.object.len == 0 || phrase.verb.len > 0);
    if (phrase.words.len > 0)
        assert(phrase.words.ptr >= text.ptr &&
               phrase.words.ptr + phrase.words.len <= text.ptr + text.len);
}

static void check_log(struct str text, struct arena *arena)
{
    struct phrase_log log, again;
    struct err err = {0};
    struct buf written = {0};

    if (!phrase_log_read(text, "f", arena, &log, &err)) {
        assert(strncmp(err.text, "f:", 2) == 0);
        return;
    }
    phrase_log_judge(&log, (struct str){0}, STR("cy"), arena);
    struct phrase_unifier unifier = phrase_unify(&log, arena);
    buf_add_format(&written, "%s", phrase_log_head);
    for (size_t i = 0; i < log.count; i++) {
        struct phrase about = {.verb = log.at[i].from, .object = log.at[i].with};
        (void)phrase_unified(&unifier, log.at[i].level, &about, log.at[i].item);
        phrase_log_add(&log.at[i], &written);
    }
    assert(phrase_log_read(buf_str(&written), "f", arena, &again, &err));
    assert(again.count == log.count);
    for (size_t i = 0; i < log.count; i++)
        assert(str_eq(again.at[i].into, log.at[i].into) &&
               str_eq(again.at[i].why, log.at[i].why));
    buf_free(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct str text = {(const char *)data, size};

    check_title(text, &arena);
    check_log(text, &arena);
    arena_free(&arena);
    return 0;
}
