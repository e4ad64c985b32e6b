/* All items with who said what of them, and what people say to each other about one. Both
 * open when an item's round is closed; a rater has the items that were theirs. */
#include "serve/internal.h"

static bool said_by(const struct serve_told *told, struct str person)
{
    for (size_t d = 0; d < told->count; d++)
        for (size_t i = 0; i < told->disputes[d]->said_count; i++)
            if (str_eq(told->disputes[d]->said[i].rater, person))
                return true;
    return false;
}

/* Whether somebody may see what others said of the item. */
static bool may_see(const struct serve_call *call, const struct serve_told *told,
                    bool *out, struct err *err)
{
    bool others = (call->roles & (LABEL_ARBITER | LABEL_LEAD)) != 0;

    *out = false;
    if (told->count == 0 || (!others && !said_by(told, call->person)))
        return true;
    return label_is_over(call->label, told->item, out, err);
}

static bool agree_on(const struct label_dispute *dispute, const struct serve_digest *all)
{
    return dispute < all->disputes || dispute >= all->disputes + all->dispute_count;
}

static struct str state_of(const struct serve_call *call,
                           const struct label_dispute *dispute,
                           const struct label_decision *decision)
{
    return decision->id != 0                  ? STR("decided")
           : !agree_on(dispute, call->digest) ? STR("differ")
           : dispute->said_count < 2          ? STR("one rater")
                                              : STR("agree");
}

static bool add_dispute(const struct serve_call *call,
                        const struct label_dispute *dispute, struct serve_list *list,
                        struct buf *out, struct err *err)
{
    struct label_decision decision;

    if (!label_decided(call->label, dispute->item, dispute->unit, dispute->dimension,
                       call->arena, &decision, err))
        return false;
    struct str state = state_of(call, dispute, &decision);
    serve_writer_open(out, NULL, '{');
    serve_writer_text(out, "dimension", dispute->dimension);
    serve_writer_text(out, "unit", dispute->unit);
    serve_writer_text(out, "state", state);
    serve_list_word(list, dispute->dimension);
    serve_list_word(list, state);
    serve_writer_open(out, "said", '[');
    for (size_t i = 0; i < dispute->said_count; i++) {
        const struct label_said *said = &dispute->said[i];
        struct str name = serve_name_of(call, dispute->item, said->rater);
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "rater", name);
        serve_writer_texts(out, "codes", said->codes, said->code_count);
        serve_writer_bool(out, "unsure", said->unsure);
        serve_writer_text(out, "memo", said->memo);
        serve_writer_close(out, '}');
        serve_list_word(list, name);
        serve_list_word(list, said->unsure ? STR("unsure") : STR(""));
        serve_list_word(list, said->memo);
        for (size_t c = 0; c < said->code_count; c++)
            serve_list_word(list, said->codes[c]);
    }
    serve_writer_close(out, ']');
    serve_writer_texts(out, "decision", decision.codes, decision.code_count);
    serve_writer_close(out, '}');
    return true;
}

/* One item: what it is called, and where that may be seen what was said of it. */
static bool add_told(const struct serve_call *call, const struct serve_told *told,
                     bool seen, struct serve_list *list, struct buf *out, struct err *err)
{
    char shown[ITEM_KEY_SHOWN_MAX];
    struct label_remark *remarks;
    size_t count;

    if (!label_remarks(call->label, told->item, call->arena, &remarks, &count, err))
        return false;
    item_key_show(&label_task(call->label)->study->spaces, told->item, shown);
    serve_list_word(list, str_from(shown));
    serve_list_word(list, !seen ? STR("open") : count > 0 ? STR("discussed") : STR(""));
    serve_writer_open(out, NULL, '{');
    serve_writer_int(out, "id", told->item);
    serve_writer_text(out, "key", str_from(shown));
    serve_writer_bool(out, "over", seen);
    serve_writer_int(out, "remarks", seen ? (int64_t)count : 0);
    serve_writer_open(out, "labels", '[');
    bool ok = true;
    for (size_t d = 0; ok && seen && d < told->count; d++)
        ok = add_dispute(call, told->disputes[d], list, out, err);
    serve_writer_close(out, ']');
    serve_writer_close(out, '}');
    return ok;
}

static bool list_item(const struct serve_call *call, const struct serve_told *told,
                      struct serve_list *list, struct err *err)
{
    struct buf one = {0};
    bool seen, ok = may_see(call, told, &seen, err);
    bool mine = (call->roles & (LABEL_ARBITER | LABEL_LEAD)) != 0 || seen;

    if (ok && mine)
        ok = add_told(call, told, seen, list, &one, err);
    if (ok && mine && serve_list_takes(list)) {
        if (list->found > 1)
            buf_add_char(list->out, ',');
        buf_add(list->out, buf_str(&one));
    } else if (!mine) {
        list->read++;
    }
    buf_free(&one);
    return ok;
}

bool serve_all(const struct serve_call *call, struct buf *out, struct err *err)
{
    const struct serve_digest *digest = call->digest;
    struct serve_list list;
    bool ok = true;

    if (digest == NULL || digest->failure.len > 0)
        return err_set(err, ERR_SYSTEM, "%.*s",
                       STR_ARG(digest != NULL ? digest->failure
                                              : STR("the labels are still being read")));
    if (!serve_list_begin(call, out, &list, err) || !label_hold(call->label, err))
        return false;
    for (; ok && list.at < digest->told_count && serve_list_goes_on(&list); list.at++) {
        struct arena_mark mark = arena_mark(call->arena);
        ok = list_item(call, &digest->told[list.at], &list, err);
        arena_rewind(call->arena, mark);
    }
    label_release(call->label);
    serve_list_end(&list, list.at >= digest->told_count, (int64_t)digest->told_count);
    return ok;
}

/* Talking. */

static const struct serve_told *find_told(const struct serve_digest *digest, int64_t item)
{
    for (size_t i = 0; digest != NULL && i < digest->told_count; i++)
        if (digest->told[i].item == item)
            return &digest->told[i];
    return NULL;
}

/* *out is the item if this person may talk about it. */
static bool find_open(const struct serve_call *call, int64_t item,
                      const struct serve_told **out, struct err *err)
{
    bool seen = false;

    *out = find_told(call->digest, item);
    if (*out != NULL && !may_see(call, *out, &seen, err))
        return false;
    return seen ||
           err_set(err, ERR_INPUT,
                   "an item can be talked about when its round is closed, by those who "
                   "had it");
}

/* Raters by name or letter; the others, where names are hidden, by what they do. */
static struct str author_of(const struct serve_call *call, int64_t item, struct str by)
{
    const struct study_labelling *settings = label_task(call->label)->settings;

    if (!settings->names_hidden ||
        str_find(by, settings->raters, settings->rater_count) < settings->rater_count)
        return serve_name_of(call, item, by);
    return str_eq(by, settings->arbiter) ? STR("arbiter") : STR("lead");
}

bool serve_thread(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct serve_list unused = {0};
    const struct serve_told *told;
    struct label_remark *remarks;
    size_t count;
    int64_t item;

    if (!str_to_int(call->rest, &item))
        return err_set(err, ERR_INPUT, "'%.*s' is no item",
                       STR_ARG(str_slice(call->rest, 0, 100)));
    if (!find_open(call, item, &told, err) ||
        !label_remarks(call->label, item, call->arena, &remarks, &count, err) ||
        !serve_add_item_of(call, item, out, err))
        return false;
    serve_writer_open(out, "told", '[');
    bool ok = add_told(call, told, true, &unused, out, err);
    serve_writer_close(out, ']');
    serve_writer_open(out, "remarks", '[');
    for (size_t i = 0; i < count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "by", author_of(call, item, remarks[i].by));
        serve_writer_bool(out, "own", str_eq(remarks[i].by, call->person));
        serve_writer_int(out, "at", remarks[i].at_ms);
        serve_writer_text(out, "text", remarks[i].text);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    buf_free(&unused.text);
    return ok;
}

bool serve_remark(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_remark remark = {.by = call->person};
    const struct serve_told *told;

    if (!serve_ask_int(call->body, "item", SERVE_REQUIRED, &remark.item, err) ||
        !serve_ask_text(call->body, "text", SERVE_REQUIRED, &remark.text, err) ||
        !serve_ask_text(call->body, "key", SERVE_REQUIRED, &remark.client_key, err) ||
        !find_open(call, remark.item, &told, err) ||
        !label_remark(call->label, &remark, err))
        return false;
    serve_writer_int(out, "id", remark.id);
    serve_writer_int(out, "at", remark.at_ms);
    return true;
}
