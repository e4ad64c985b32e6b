/* Sorted lists that are searched in halves: thanks by post and person, questions by id.
 */
#include "query/endorsed.h"

#include <stdlib.h>

#include "base/order.h"

void query_endorsed_free(struct query_endorsed *endorsed)
{
    idset_free(&endorsed->posts);
    idset_free(&endorsed->people);
    list_free(&endorsed->thanks);
    list_free(&endorsed->questions);
    list_free(&endorsed->answers);
}

static int compare(const void *a, const void *b)
{
    const struct query_endorsed_note *x = a, *y = b;

    return order_then(ORDER_BY(x->post, y->post), ORDER_BY(x->owner, y->owner));
}

static int compare_posts(const void *a, const void *b)
{
    const struct query_endorsed_note *x = a, *y = b;

    return ORDER_BY(x->post, y->post);
}

void query_endorsed_thank(struct query_endorsed *endorsed, int64_t post, int64_t user)
{
    struct query_endorsed_note note = {.post = post, .owner = user};

    if (post == ITEM_NONE || user == ITEM_NONE)
        return;
    idset_add(&endorsed->posts, post);
    idset_add(&endorsed->people, user);
    list_add(&endorsed->thanks, note);
}

void query_endorsed_sort(struct query_endorsed *endorsed)
{
    if (endorsed->thanks.count > 1)
        qsort(endorsed->thanks.at, endorsed->thanks.count, sizeof *endorsed->thanks.at,
              compare);
}

bool query_endorsed_wants(const struct query_endorsed *endorsed, enum item_kind kind,
                          int64_t post, int64_t owner)
{
    return kind == ITEM_QUESTION
               ? idset_has(&endorsed->people, owner)
               : kind == ITEM_ANSWER && idset_has(&endorsed->posts, post);
}

void query_endorsed_post(struct query_endorsed *endorsed, enum item_kind kind,
                         struct query_endorsed_note post)
{
    if (kind == ITEM_QUESTION)
        list_add(&endorsed->questions, post);
    else
        list_add(&endorsed->answers, post);
}

bool query_endorsed_is(const struct query_endorsed *endorsed, int64_t answer,
                       int64_t owner, int64_t asker)
{
    struct query_endorsed_note wanted = {.post = answer, .owner = asker};

    return asker != ITEM_NONE && owner != asker && endorsed->thanks.count > 0 &&
           bsearch(&wanted, endorsed->thanks.at, endorsed->thanks.count, sizeof wanted,
                   compare) != NULL;
}

static void tell(struct query_relations *relations, int64_t question)
{
    for (size_t i = 0; i < relations->count; i++)
        if (relations->at[i].field == QUERY_FIELD_HASENDORSED)
            query_relation_add(&relations->at[i], question);
}

void query_endorsed_tell(struct query_endorsed *endorsed,
                         struct query_relations *relations)
{
    const struct query_endorsed_note *questions = endorsed->questions.at;
    size_t count = endorsed->questions.count;

    if (count == 0)
        return;
    qsort(endorsed->questions.at, count, sizeof *questions, compare_posts);
    for (size_t i = 0; i < endorsed->answers.count; i++) {
        const struct query_endorsed_note *answer = &endorsed->answers.at[i];
        struct query_endorsed_note wanted = {.post = answer->question};
        const struct query_endorsed_note *question =
            bsearch(&wanted, questions, count, sizeof wanted, compare_posts);
        if (question != NULL &&
            query_endorsed_is(endorsed, answer->post, answer->owner, question->owner))
            tell(relations, question->post);
    }
}
