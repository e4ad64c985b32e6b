/* Codes that raters ask for while they label, and what the lead says to them. */
#include <string.h>

#include "label/internal.h"

enum { TEXT_BYTES_MAX = 20000, ID_BYTES_MAX = 100 };

static bool is_id(struct str text)
{
    bool fine = text.len > 0 && text.len <= ID_BYTES_MAX;

    for (size_t i = 0; fine && i < text.len; i++) {
        char c = text.ptr[i];
        fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    }
    return fine;
}

static bool is_there(const struct study_codebook_dimension *dimension,
                     const struct label_proposal *proposal)
{
    struct buf path = {0};

    if (proposal->parent.len > 0)
        buf_add_format(&path, "%.*s/", STR_ARG(proposal->parent));
    buf_add(&path, proposal->code);
    bool there = label_code(dimension, buf_str(&path)) != LABEL_NONE;
    buf_free(&path);
    return there;
}

static bool propose(struct label *label, struct label_proposal *proposal, struct err *err)
{
    const struct study_codebook_dimension *dimension;

    if (!label_dimension(label, proposal->dimension, &dimension, err))
        return false;
    if (!is_id(proposal->code))
        return err_set(err, ERR_INPUT,
                       "found '%.*s', expected an id of letters, digits, - _ .",
                       STR_ARG(str_slice(proposal->code, 0, 100)));
    if (proposal->name.len > TEXT_BYTES_MAX || proposal->text.len > TEXT_BYTES_MAX)
        return err_set(err, ERR_INPUT, "the text is longer than %d bytes",
                       TEXT_BYTES_MAX);
    size_t parent = label_code(dimension, proposal->parent);
    if (proposal->parent.len > 0 && parent == LABEL_NONE)
        return err_set(err, ERR_INPUT, "the codebook has no code '%.*s'",
                       STR_ARG(str_slice(proposal->parent, 0, 100)));
    if (parent != LABEL_NONE && dimension->codes[parent].special)
        return err_set(err, ERR_INPUT, "a special code has no codes below it");
    if (is_there(dimension, proposal))
        return err_set(err, ERR_INPUT, "the codebook has the code '%.*s' already",
                       STR_ARG(proposal->code));
    struct store_acts_proposal row = {.task = label->settings->name,
                                      .rater = proposal->rater,
                                      .dimension = dimension->id,
                                      .parent = proposal->parent,
                                      .code = proposal->code,
                                      .name = proposal->name.len > 0 ? proposal->name
                                                                     : proposal->code,
                                      .text = proposal->text,
                                      .item = proposal->item};
    if (!store_acts_add(label->acts, STORE_ACTS_PROPOSAL, &row, err))
        return false;
    proposal->id = row.id;
    proposal->at_ms = row.at_ms;
    return true;
}

bool label_propose(struct label *label, struct label_proposal *proposal, struct err *err)
{
    bool own;

    if (label_person(label, proposal->rater) == NULL)
        return err_set(err, ERR_INPUT, "nobody of the task is called '%.*s'",
                       STR_ARG(proposal->rater));
    return label_change_begin(label, &own, err) &&
           label_change_end(label, own, propose(label, proposal, err), err);
}

static const struct label_proposal *find(const struct label *label, int64_t id)
{
    const struct label_proposal *proposals = label->log.proposals.at;

    for (size_t i = 0; i < label->log.proposals.count; i++)
        if (proposals[i].id == id)
            return &proposals[i];
    return NULL;
}

static bool judge(struct label *label, struct store_acts_verdict *row, struct err *err)
{
    const struct label_proposal *proposal = find(label, row->proposal);
    const struct label_person *person = label_person(label, row->by);

    if (person == NULL || (person->roles & LABEL_LEAD) == 0)
        return err_set(err, ERR_INPUT, "'%.*s' is not the lead", STR_ARG(row->by));
    if (proposal == NULL)
        return err_set(err, ERR_INPUT, "there is no proposal %lld",
                       (long long)row->proposal);
    if (proposal->verdict != LABEL_WAITING)
        return err_set(err, ERR_INPUT, "proposal %lld has been answered already",
                       (long long)row->proposal);
    return store_acts_add(label->acts, STORE_ACTS_VERDICT, row, err) &&
           label_follow(label, err);
}

bool label_judge_proposal(struct label *label, int64_t id, bool accept, struct str by,
                          struct str reason, struct err *err)
{
    struct store_acts_verdict row = {
        .proposal = id, .accepted = accept, .by = by, .reason = reason};
    bool own;

    return label_change_begin(label, &own, err) &&
           label_change_end(label, own, judge(label, &row, err), err);
}

bool label_proposals(struct label *label, struct arena *arena,
                     struct label_proposal **out, size_t *count, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    *count = label->log.proposals.count;
    *out = arena_array(arena, struct label_proposal, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        struct label_proposal *one = &(*out)[i];
        *one = label->log.proposals.at[i];
        struct str *texts[] = {&one->rater, &one->dimension, &one->parent, &one->code,
                               &one->name,  &one->text,      &one->by,     &one->reason};
        for (size_t t = 0; t < ROWS_OF(texts); t++)
            *texts[t] = arena_copy(arena, *texts[t]);
    }
    return true;
}
