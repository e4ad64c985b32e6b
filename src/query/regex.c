/* Regular expressions: PCRE2 with its just-in-time compiler where that is there, in UTF-8
 * with Unicode's classes. Texts may hold broken UTF-8: a match never spans it. */
#include "query/internal.h"

#include <stdio.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* PCRE2 counts steps for each place where a match may begin, so the limit for one place
 * is what the whole text may cost, shared among its places: no pattern can take more than
 * a few seconds on one text. A Stack Overflow post has at most 30,000 characters, which
 * is below TEXT_MAX in any script. */
enum {
    TEXT_MAX = 128 * 1024,
    STEPS_MIN = 10 * 1000,
    STEPS_MAX = 1000 * 1000,
    JIT_STACK_MIN = 32 * 1024,
    JIT_STACK_MAX = 1024 * 1024,
    HEAP_MAX_KIB = 16 * 1024,
};
#define STEPS_OF_TEXT      UINT64_C(4000000000)
#define STEPS_OF_TEXT_SLOW UINT64_C(400000000) /* without just-in-time code */

struct query_regex {
    pcre2_code *code;
    bool fast;
};

struct query_regex_room {
    struct arena arena; /* holds this struct too */
    pcre2_match_context *context;
    pcre2_match_data *data;
    pcre2_jit_stack *stack;
};

bool query_regex_compile(struct str pattern, bool any_case, struct query_regex **out,
                         struct arena *arena, struct query_regex_error *error)
{
    uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF |
                       PCRE2_NEVER_BACKSLASH_C | (any_case ? PCRE2_CASELESS : 0);
    PCRE2_SIZE at;
    int code;
    pcre2_code *compiled =
        pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len, options, &code, &at, NULL);

    if (compiled == NULL) {
        error->at = at < pattern.len ? at : pattern.len;
        pcre2_get_error_message(code, (PCRE2_UCHAR *)error->text, sizeof error->text);
        return false;
    }
    if (out == NULL) {
        pcre2_code_free(compiled);
        return true;
    }
    *out = arena_array(arena, struct query_regex, 1);
    (*out)->code = compiled;
    (*out)->fast = pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE) == 0;
    return true;
}

void query_regex_free(struct query_regex *regex)
{
    if (regex != NULL)
        pcre2_code_free(regex->code);
}

struct query_regex_room *query_regex_room_open(void)
{
    struct arena arena = {0};
    struct query_regex_room *room = arena_array(&arena, struct query_regex_room, 1);

    room->arena = arena;
    room->context = pcre2_match_context_create(NULL);
    room->data = pcre2_match_data_create(1, NULL);
    if (room->context == NULL || room->data == NULL)
        arena_exhausted();
    pcre2_set_heap_limit(room->context, HEAP_MAX_KIB);
    /* Without a stack of its own, just-in-time code makes do with 32 KiB of ours. */
    room->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, NULL);
    if (room->stack != NULL)
        pcre2_jit_stack_assign(room->context, NULL, room->stack);
    return room;
}

void query_regex_room_close(struct query_regex_room *room)
{
    if (room == NULL)
        return;
    pcre2_jit_stack_free(room->stack);
    pcre2_match_data_free(room->data);
    pcre2_match_context_free(room->context);
    struct arena arena = room->arena;
    arena_free(&arena);
}

static uint32_t steps_for(const struct query_regex *regex, size_t len)
{
    uint64_t steps = (regex->fast ? STEPS_OF_TEXT : STEPS_OF_TEXT_SLOW) / (len + 1);

    return (uint32_t)(steps < STEPS_MIN   ? STEPS_MIN
                      : steps > STEPS_MAX ? STEPS_MAX
                                          : steps);
}

enum query_regex_result query_regex_test(const struct query_regex *regex,
                                         struct query_regex_room *room, struct str text)
{
    if (text.len > TEXT_MAX)
        return QUERY_REGEX_OVERRUN;
    pcre2_set_match_limit(room->context, steps_for(regex, text.len));
    int result = pcre2_match(regex->code, (PCRE2_SPTR)(text.len > 0 ? text.ptr : ""),
                             text.len, 0, 0, room->data, room->context);
    if (result >= 0)
        return QUERY_REGEX_YES;
    return result == PCRE2_ERROR_NOMATCH ? QUERY_REGEX_NO : QUERY_REGEX_OVERRUN;
}
