/* What people say to each other about an item, when its round is over. */
#include <math.h>

#include "label/internal.h"

enum { REMARK_BYTES_MAX = 20000 };

/* The last round of the task that had the item; of those that are closed, or of all. */
static int64_t last_round(struct label *label, int64_t item, bool closed)
{
    const struct label_known_round *rounds = label->log.rounds.at;
    int64_t found = 0;

    for (size_t i = 0; i < label->log.rounds.count; i++) {
        int64_t key[2] = {rounds[i].row.id, item};
        struct str bytes = {(const char *)key, sizeof key};
        if (rounds[i].ours && (!closed || rounds[i].closed_ms != 0) &&
            map_get(&label->log.item_of, bytes) != NULL)
            found = rounds[i].row.id;
    }
    return found;
}

/* In which round it was, if it may be talked about; 0: it may not. */
static int64_t round_of(struct label *label, int64_t item)
{
    int64_t round = last_round(label, item, true);

    return round == last_round(label, item, false) ? round : 0;
}

bool label_is_over(struct label *label, int64_t item, bool *out, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    *out = round_of(label, item) != 0;
    return true;
}

/* Inside a transaction. */
static bool store_remark(struct label *label, struct label_remark *remark,
                         struct arena *arena, struct err *err)
{
    struct store_acts_act act, known;
    bool repeated = false;
    int64_t round = round_of(label, remark->item);

    if (label_person(label, remark->by) == NULL)
        return err_set(err, ERR_INPUT, "there is nobody called '%.*s' in this task",
                       STR_ARG(str_slice(remark->by, 0, 100)));
    if (str_trim(remark->text).len == 0 || remark->text.len > REMARK_BYTES_MAX)
        return err_set(err, ERR_INPUT, "a remark has from 1 to %d bytes; found %zu",
                       REMARK_BYTES_MAX, remark->text.len);
    if (round == 0)
        return err_set(err, ERR_INPUT,
                       "an item can be talked about when its round is closed");
    if (remark->client_key.len > 0 &&
        !store_acts_find_act(label->acts, remark->client_key, arena, &known, &repeated,
                             err))
        return false;
    act = (struct store_acts_act){.kind = label_remark_kind,
                                  .round = round,
                                  .rater = remark->by,
                                  .item = remark->item,
                                  .memo = remark->text,
                                  .seconds = NAN,
                                  .version = label->task.version,
                                  .client_key = remark->client_key};
    if (!repeated && !store_acts_add(label->acts, STORE_ACTS_ACT, &act, err))
        return false;
    remark->id = repeated ? known.id : act.id;
    remark->at_ms = repeated ? known.at_ms : act.at_ms;
    return true;
}

bool label_remark(struct label *label, struct label_remark *remark, struct err *err)
{
    struct arena arena = {0};
    bool own;

    if (!label_change_begin(label, &own, err))
        return false;
    bool ok = store_remark(label, remark, &arena, err);
    arena_free(&arena);
    return label_change_end(label, own, ok, err);
}

bool label_remarks(struct label *label, int64_t item, struct arena *arena,
                   struct label_remark **out, size_t *count, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    const struct label_remark *all = label->log.remarks.at;
    *count = 0;
    for (size_t i = 0; i < label->log.remarks.count; i++)
        *count += all[i].item == item;
    *out = arena_array(arena, struct label_remark, *count + 1);
    *count = 0;
    for (size_t i = 0; i < label->log.remarks.count; i++)
        if (all[i].item == item) {
            struct label_remark *one = &(*out)[(*count)++];
            *one = all[i];
            one->by = arena_copy(arena, one->by);
            one->text = arena_copy(arena, one->text);
        }
    return true;
}

void label_remark_keep(struct label_log *log, const struct store_acts_act *act)
{
    struct label_remark remark = {.id = act->id,
                                  .at_ms = act->at_ms,
                                  .item = act->item,
                                  .round = act->round,
                                  .by = arena_copy(&log->arena, act->rater),
                                  .text = arena_copy(&log->arena, act->memo)};

    list_add(&log->remarks, remark);
}
