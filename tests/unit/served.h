/* For tests of the labelling pages: a study with its corpus, its task open, and the
 * answers of the api to whoever asks. */
#ifndef TESTS_UNIT_SERVED_H
#define TESTS_UNIT_SERVED_H

#include <jansson.h>

#include "serve/internal.h"
#include "tests/unit/labelled.h"

/* Posts for LABELLED_ITEMS; the first has a body that is not to be trusted. */
static inline bool served_begin(struct labelled *test)
{
    static const int ids[] = {11, 5, 9, 25, 3, 20, 21, 32, 34, 38, 2, 7};
    struct buf posts = {0};

    if (!labelled_begin(test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return false;
    buf_add(&posts, STR("Id,PostTypeId,CreationDate,Score,Title,Tags,Body\n"));
    for (size_t i = 0; i < ROWS(ids); i++)
        buf_add_format(&posts,
                       "%d,1,2018-05-01 10:00:00,%d,Title %d,<x><y>,"
                       "<p onclick=alert(1)>Body %d</p><script>alert(1)</script>\n",
                       ids[i], ids[i] - 5, ids[i], ids[i]);
    buf_add_char(&posts, '\0');
    studied_write(&test->in, "p.csv", posts.ptr);
    buf_free(&posts);
    return CHECK(studied_run(&test->in)) && CHECK(labelled_open(test));
}

/* What a server would have made aside is made anew for each question, and is thus
 * current. What the api answers, as json; "error: TEXT" when it refuses. body NULL: none.
 */
static inline const char *served_ask(struct labelled *test, serve_answer *answer,
                                     const char *person, const char *rest,
                                     const char *body)
{
    struct input_json_tree tree = {0};
    const struct input_json *sent =
        body == NULL ? NULL : input_json_parse(&tree, str_from(body));
    struct serve_call call = {.label = test->label,
                              .person = str_from(person),
                              .roles = LABEL_RATER,
                              .rest = str_from(rest),
                              .body = sent,
                              .trouble = "",
                              .arena = &test->in.arena};
    struct serve_digest *digest = serve_digest_make(test->label);
    struct buf out = {0};
    struct err err = {0};

    call.digest = digest;

    CHECK(body == NULL || sent != NULL);
    buf_add_char(&out, '{');
    if (answer(&call, &out, &err)) {
        buf_add_char(&out, '}');
        json_t *read = json_loadb(out.ptr, out.len, JSON_REJECT_DUPLICATES, NULL);
        CHECK(read != NULL);
        json_decref(read);
    } else {
        buf_clear(&out);
        buf_add_format(&out, "error: %s", err.text);
    }
    const char *copy = arena_c_string(&test->in.arena, buf_str(&out));
    buf_free(&out);
    input_json_free(&tree);
    serve_digest_free(digest);
    return copy;
}

/* Whether the answer holds a text. */
static inline bool served_has(const char *answer, const char *part)
{
    return strstr(answer, part) != NULL;
}

#endif
