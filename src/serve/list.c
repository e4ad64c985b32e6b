/* Long lists in parts, searched here so that a page need not have all of it. */
#include <glib.h>
#include <string.h>

#include "serve/internal.h"

enum { LIST_SHOWN = 200, LIST_READ = 1000, WORDS_MAX = 20 };

/* The words as a browser sends them, in lower case. */
static bool read_words(const struct serve_call *call, struct str escaped,
                       struct serve_list *list)
{
    char *plain = g_uri_unescape_segment(escaped.ptr, escaped.ptr + escaped.len, NULL);

    if (plain == NULL || !g_utf8_validate(plain, -1, NULL)) {
        g_free(plain);
        return false;
    }
    char *folded = g_utf8_casefold(plain, -1);
    struct str rest = arena_copy(call->arena, str_from(folded)), word;
    bool more = true;
    while (more && list->word_count < WORDS_MAX) {
        more = str_cut(&rest, ' ', &word);
        if (word.len > 0)
            list->words[list->word_count++] = arena_copy(call->arena, word);
    }
    g_free(folded);
    g_free(plain);
    return true;
}

bool serve_list_begin(const struct serve_call *call, struct buf *out,
                      struct serve_list *list, struct err *err)
{
    struct str rest = call->rest, from = rest;
    int64_t at;

    *list = (struct serve_list){.out = out,
                                .words = arena_array(call->arena, struct str, WORDS_MAX)};
    bool words = str_cut(&rest, '/', &from);
    if (!str_to_int(from, &at) || at < 0 || (words && !read_words(call, rest, list)))
        return err_set(err, ERR_INPUT, "'%.*s' is no part of a list",
                       STR_ARG(str_slice(call->rest, 0, 100)));
    list->at = (size_t)at;
    serve_writer_open(out, "items", '[');
    return true;
}

bool serve_list_goes_on(const struct serve_list *list)
{
    return list->found < LIST_SHOWN && list->read < LIST_READ;
}

void serve_list_word(struct serve_list *list, struct str text)
{
    buf_add_char(&list->text, ' ');
    buf_add(&list->text, text);
}

bool serve_list_takes(struct serve_list *list)
{
    bool takes = true;

    list->read++;
    if (list->word_count > 0) {
        buf_add_char(&list->text, '\0');
        char *folded = g_utf8_casefold(list->text.ptr, -1);
        for (size_t i = 0; i < list->word_count && takes; i++)
            takes = g_strstr_len(folded, -1, list->words[i].ptr) != NULL;
        g_free(folded);
    }
    buf_clear(&list->text);
    list->found += takes;
    return takes;
}

void serve_list_end(struct serve_list *list, bool whole, int64_t count)
{
    serve_writer_close(list->out, ']');
    serve_writer_int(list->out, "count", count);
    if (whole)
        serve_writer_null(list->out, "next");
    else
        serve_writer_int(list->out, "next", (int64_t)list->at);
    buf_free(&list->text);
}
