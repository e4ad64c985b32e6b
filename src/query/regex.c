/* Regular expressions: PCRE2 with its just-in-time compiler where that is there, in UTF-8
 * with Unicode's classes. Texts may hold broken UTF-8: a match never spans it.
 *
 * PCRE2 goes back and tries another way, so a pattern such as (.|\s)*x, which can take
 * every blank in two ways, needs steps without end on a text without an x. Then its other
 * matcher has a turn, which goes over the text once and keeps all ways at a time; it
 * cannot do everything (no references to groups), and a few patterns are too much for it
 * as well. These get many more steps, and what is left is given up: never a yes or no. */
#include "query/internal.h"

#include <stdio.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* PCRE2 counts steps for each place of the text where a match may begin. The limit of the
 * last attempt is what the whole text may cost, shared among its places, so that no
 * pattern takes for ever. The size of the workspace limits the time of the other matcher:
 * it compares all ways with each other at every character. */
enum {
    STEPS_FIRST = 100 * 1000,
    STEPS_MIN = 1000 * 1000,
    STEPS_MAX = 50 * 1000 * 1000,
    WORKSPACE = 10 * 1000,
    JIT_STACK_MIN = 32 * 1024,
    JIT_STACK_MAX = 32 * 1024 * 1024,
    HEAP_MAX_KIB = 128 * 1024,
};
#define STEPS_OF_TEXT      UINT64_C(40000000000)
#define STEPS_OF_TEXT_SLOW UINT64_C(4000000000) /* without just-in-time code */
#define STEPS_AT_ONCE      UINT64_C(2000000000) /* in the other matcher */

struct query_regex {
    pcre2_code *code;
    pcre2_code *at_once; /* for the other matcher; NULL: it would not say the same */
    bool fast;
};

struct query_regex_room {
    struct arena arena; /* holds this struct too */
    pcre2_match_context *context;
    pcre2_match_data *data;
    pcre2_jit_stack *stack;
    int workspace[WORKSPACE];
};

/* The other matcher takes the longest way through an atomic group, not the first one, and
 * does not know what a recursion or a condition has done before. Signs that only look
 * like one of these, such as [*+], do no harm. */
static bool has_atoms(struct str pattern)
{
    static const char *const signs[] = {"(*",   "(?>", "(?(", "(?R",  "(?&",
                                        "(?P>", "(?+", "(?*", "(?<*", "\\g",
                                        "\\K",  "*+",  "++",  "?+",   "}+"};

    for (size_t at = 0; at < pattern.len; at++) {
        struct str rest = str_slice(pattern, at, pattern.len);
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (str_starts(rest, str_from(signs[i])))
                return true;
        if (str_starts(rest, STR("(?")) && rest.len > 3) {
            char next = rest.ptr[rest.ptr[2] == '-' ? 3 : 2];
            if (next >= '0' && next <= '9')
                return true;
        }
    }
    return false;
}

/* The pattern behind anything at all, anchored: all places where a match may begin are
 * gone through together. NULL when it cannot be had so. */
static pcre2_code *compile_at_once(struct str pattern, uint32_t options)
{
    struct buf whole = {0};
    PCRE2_SIZE at;
    int code;

    if (has_atoms(pattern))
        return NULL;
    buf_add(&whole, STR("(?s:.*?)(?:"));
    buf_add(&whole, pattern);
    buf_add_char(&whole, ')');
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)whole.ptr, whole.len,
                                         options | PCRE2_ANCHORED, &code, &at, NULL);
    buf_free(&whole);
    return compiled;
}

bool query_regex_compile(struct str pattern, bool any_case, struct query_regex **out,
                         struct arena *arena, struct query_regex_error *error)
{
    uint32_t options =
        PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | (any_case ? PCRE2_CASELESS : 0);
    PCRE2_SIZE at;
    int code;
    pcre2_code *compiled =
        pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len,
                      options | PCRE2_MATCH_INVALID_UTF, &code, &at, NULL);

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
    (*out)->at_once = compile_at_once(pattern, options);
    (*out)->fast = pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE) == 0;
    return true;
}

void query_regex_free(struct query_regex *regex)
{
    if (regex == NULL)
        return;
    pcre2_code_free(regex->code);
    pcre2_code_free(regex->at_once);
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

static int match(const struct query_regex *regex, struct query_regex_room *room,
                 struct str text, uint32_t steps)
{
    pcre2_set_match_limit(room->context, steps);
    return pcre2_match(regex->code, (PCRE2_SPTR)text.ptr, text.len, 0, 0, room->data,
                       room->context);
}

/* Its steps are assertions such as (?=x), each of which may go to the end of the text. */
static int match_at_once(const struct query_regex *regex, struct query_regex_room *room,
                         struct str text)
{
    uint64_t steps = STEPS_AT_ONCE / (text.len + 1) + 1;

    pcre2_set_match_limit(room->context,
                          (uint32_t)(steps < STEPS_MIN ? steps : STEPS_MIN));
    return pcre2_dfa_match(regex->at_once, (PCRE2_SPTR)text.ptr, text.len, 0,
                           PCRE2_DFA_SHORTEST, room->data, room->context, room->workspace,
                           WORKSPACE);
}

/* What the last attempt stumbled over; the other results are mistakes of ours. */
static void tell_limit(int result, uint32_t steps, char *limit, size_t size)
{
    PCRE2_UCHAR text[120];

    if (result == PCRE2_ERROR_MATCHLIMIT) {
        snprintf(limit, size, "more than %lu steps from one place", (unsigned long)steps);
    } else if (result == PCRE2_ERROR_HEAPLIMIT) {
        snprintf(limit, size, "more than %d MiB of memory", HEAP_MAX_KIB / 1024);
    } else if (result == PCRE2_ERROR_JIT_STACKLIMIT) {
        snprintf(limit, size, "more than %d MiB of stack", JIT_STACK_MAX >> 20);
    } else {
        pcre2_get_error_message(result, text, sizeof text);
        snprintf(limit, size, "an error of PCRE2 (%s)", (const char *)text);
    }
}

enum query_regex_result query_regex_test(const struct query_regex *regex,
                                         struct query_regex_room *room, struct str text,
                                         char *limit, size_t limit_size)
{
    uint32_t steps = steps_for(regex, text.len);

    if (text.len == 0)
        text = STR("");
    int result = match(regex, room, text, STEPS_FIRST);
    if (result < 0 && result != PCRE2_ERROR_NOMATCH && regex->at_once != NULL)
        result = match_at_once(regex, room, text);
    if (result < 0 && result != PCRE2_ERROR_NOMATCH)
        result = match(regex, room, text, steps);
    if (result >= 0)
        return QUERY_REGEX_YES;
    if (result == PCRE2_ERROR_NOMATCH)
        return QUERY_REGEX_NO;
    tell_limit(result, steps, limit, limit_size);
    return QUERY_REGEX_GAVE_UP;
}
