/* An item as raters see it, from the corpus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/order.h"
#include "label/internal.h"
#include "source/patches.h"
#include "store/corpus.h"

/* What is being gathered. */
struct item_reader {
    struct arena *arena;
    struct label_item *item;
    bool found, is_commit;
    int64_t accepted;
    struct source_patches_commit commit;
    LIST(struct label_post) posts;
    LIST(struct label_comment) comments;
    LIST(struct label_field) fields;
};

static const char *corpus_path(struct label *label)
{
    if (label->corpus_path == NULL)
        label->corpus_path = file_join(label->study->home, "corpus.db", &label->arena);
    return label->corpus_path;
}

uint64_t label_corpus_stamp(struct label *label)
{
    return file_stamp(corpus_path(label));
}

bool label_has_corpus(struct label *label)
{
    return label->corpus != NULL || file_exists(corpus_path(label));
}

bool label_open_corpus(struct label *label, struct err *err)
{
    const char *path = corpus_path(label);

    if (label->corpus != NULL && file_exists(path) &&
        file_stamp(path) != label->corpus_stamp) {
        store_close(label->corpus);
        label->corpus = NULL;
        label_diff_free(&label->diff);
        label_forget_texts(label);
    }
    if (label->corpus != NULL)
        return true;
    bool ok = store_open(path, label->study->servers, &label->corpus, err);
    label->corpus_stamp = file_stamp(path);
    return ok;
}

/* Title, text and tags, each behind its length; never 0. */
static uint64_t hash_of(const struct item *item)
{
    struct str parts[] = {item->title, item->body, item->tags};
    XXH3_state_t *state = XXH3_createState();

    XXH3_64bits_reset(state);
    for (size_t i = 0; i < ROWS_OF(parts); i++) {
        uint64_t len = parts[i].len;
        XXH3_64bits_update(state, &len, sizeof len);
        if (len > 0)
            XXH3_64bits_update(state, parts[i].ptr, parts[i].len);
    }
    uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return hash != 0 ? hash : 1;
}

static struct label_text text_of(uint64_t hash)
{
    struct label_text text = {0};

    if (hash != 0)
        snprintf(text.seen, sizeof text.seen, "%016llx", (unsigned long long)hash);
    return text;
}

static bool take_hash(void *context, const struct item *item, struct err *err)
{
    (void)err;
    if (item->kind != ITEM_ANSWER)
        *(uint64_t *)context = hash_of(item);
    return true;
}

/* Each is read once, as long as the corpus is the same. */
bool label_text_of(struct label *label, int64_t item, struct label_text *out,
                   struct err *err)
{
    struct str key = {(const char *)&item, sizeof item};
    uint64_t hash = 0;

    if (!label_open_corpus(label, err))
        return false;
    label->texts.arena = &label->texts_arena;
    const int64_t *known = map_get(&label->texts, key);
    if (known != NULL)
        hash = (uint64_t)*known;
    else if (store_fetch(label->corpus, &item, 1, take_hash, &hash, err))
        *map_put(&label->texts, key) = (int64_t)hash;
    else
        return false;
    *out = text_of(hash);
    return true;
}

bool label_text_check(struct label *label, int64_t item, struct str seen, struct err *err)
{
    char shown[ITEM_KEY_SHOWN_MAX];
    struct label_text text;

    if (seen.len == 0)
        return true;
    if (!label_text_of(label, item, &text, err))
        return false;
    item_key_show(&label->study->spaces, item, shown);
    return str_eq(seen, str_from(text.seen)) ||
           err_set(err, ERR_INPUT,
                   text.seen[0] == '\0'
                       ? "item %s is no longer in the corpus"
                       : "item %s has another text than the one that was shown: please "
                         "look at it again",
                   shown);
}

void label_forget_texts(struct label *label)
{
    arena_free(&label->texts_arena);
    label->texts = (struct map){0};
}

/* "<a><b>" as a list. */
static void split_tags(struct item_reader *reader, struct str tags)
{
    struct label_item *item = reader->item;
    struct str before, tag;

    item->tags = arena_array(reader->arena, struct str, tags.len / 3 + 1);
    while (str_cut(&tags, '<', &before) && str_cut(&tags, '>', &tag))
        item->tags[item->tag_count++] = arena_copy(reader->arena, tag);
}

static struct label_post post_of(struct item_reader *reader, const struct item *post)
{
    return (struct label_post){.id = post->id,
                               .created_ms = post->created_ms,
                               .score = post->score,
                               .form = post->form,
                               .body = arena_copy(reader->arena, post->body)};
}

static bool take_item(void *context, const struct item *post, struct err *err)
{
    struct item_reader *reader = context;

    (void)err;
    if (post->kind == ITEM_ANSWER)
        return true;
    reader->found = true;
    reader->is_commit = post->kind == ITEM_COMMIT;
    reader->accepted = post->accepted;
    reader->item->question = post_of(reader, post);
    reader->item->row = post->kind == ITEM_ROW;
    reader->item->title = arena_copy(reader->arena, post->title);
    reader->item->seen = arena_copy(reader->arena, str_from(text_of(hash_of(post)).seen));
    split_tags(reader, post->tags);
    return true;
}

static bool take_answer(void *context, const struct item *post, struct err *err)
{
    struct item_reader *reader = context;
    struct label_post answer = post_of(reader, post);

    (void)err;
    answer.accepted = post->id == reader->accepted;
    list_add(&reader->posts, answer);
    return true;
}

static bool take_comment(void *context, const struct store_comment *comment,
                         struct err *err)
{
    struct item_reader *reader = context;
    struct label_comment one = {comment->id, comment->created_ms, comment->score,
                                arena_copy(reader->arena, comment->text)};

    (void)err;
    list_add(&reader->comments, one);
    return true;
}

static bool take_field(void *context, struct str name, struct str value, struct err *err)
{
    struct item_reader *reader = context;
    struct label_field field = {arena_copy(reader->arena, name),
                                arena_copy(reader->arena, value)};

    (void)err;
    if (!reader->is_commit ||
        source_patches_note(&reader->commit, field.name, field.value))
        list_add(&reader->fields, field);
    return true;
}

static void add_patch(struct label *label, struct item_reader *reader)
{
    size_t number = item_space(reader->item->question.id);

    if (!reader->is_commit)
        return;
    reader->commit.source = number;
    reader->commit.paths = study_space_paths(label->study, number, reader->arena,
                                             &reader->commit.path_count);
    if (label->patches == NULL)
        label->patches = source_patches_open();
    reader->item->patch = source_patches_make(label->patches, &reader->commit,
                                              reader->arena, &reader->item->no_patch);
}

static bool add_comments(struct label *label, struct item_reader *reader,
                         struct label_post *post, struct err *err)
{
    if (!store_comments_on(label->corpus, post->id, take_comment, reader, err))
        return false;
    post->comments = list_copy(&reader->comments, reader->arena);
    post->comment_count = reader->comments.count;
    list_clear(&reader->comments);
    return true;
}

/* They come by score; the accepted one goes first. */
static void accepted_first(struct label_item *item)
{
    for (size_t i = 1; i < item->answer_count; i++)
        if (item->answers[i].accepted) {
            struct label_post accepted = item->answers[i];
            memmove(item->answers + 1, item->answers, i * sizeof *item->answers);
            item->answers[0] = accepted;
        }
}

static bool add_answers(struct label *label, struct item_reader *reader, struct err *err)
{
    struct label_item *item = reader->item;
    bool ok =
        store_answers_to(label->corpus, item->question.id, take_answer, reader, err);

    if (!ok)
        return false;
    item->answers = list_copy(&reader->posts, reader->arena);
    item->answer_count = reader->posts.count;
    accepted_first(item);
    for (size_t i = 0; ok && i < item->answer_count; i++)
        ok = (label->settings->hide & STUDY_HIDE_COMMENTS) != 0 ||
             add_comments(label, reader, &item->answers[i], err);
    return ok;
}

static void add_link(const struct label *label, struct item_reader *reader)
{
    const struct item_spaces *spaces = &label->study->spaces;
    struct buf link = {0};

    item_link_add(&link, spaces, reader->item->question.id);
    reader->item->key = item_key(spaces, reader->item->question.id, reader->arena);
    reader->item->link = buf_keep(&link, reader->arena);
}

static void hide_score(struct label_item *item)
{
    item->question.score = ITEM_NONE;
    for (size_t i = 0; i < item->answer_count; i++)
        item->answers[i].score = ITEM_NONE;
}

bool label_item(struct label *label, int64_t id, struct arena *arena,
                struct label_item *out, struct err *err)
{
    unsigned hide = label->settings->hide;
    struct item_reader reader = {.arena = arena, .item = out};
    char shown[ITEM_KEY_SHOWN_MAX];

    *out = (struct label_item){0};
    if (!label_open_corpus(label, err))
        return false;
    bool ok =
        store_fetch(label->corpus, &id, 1, take_item, &reader, err) &&
        (reader.found || err_set(err, ERR_INPUT, "the corpus has no item %s",
                                 item_key_show(&label->study->spaces, id, shown))) &&
        store_fields_of(label->corpus, id, take_field, &reader, err) &&
        ((hide & STUDY_HIDE_COMMENTS) != 0 ||
         add_comments(label, &reader, &out->question, err)) &&
        ((hide & STUDY_HIDE_ANSWERS) != 0 || add_answers(label, &reader, err));
    if (ok) {
        out->fields = list_copy(&reader.fields, arena);
        out->field_count = reader.fields.count;
        add_link(label, &reader);
        add_patch(label, &reader);
    }
    if ((hide & STUDY_HIDE_TAGS) != 0)
        out->tag_count = 0;
    if ((hide & STUDY_HIDE_SCORE) != 0)
        hide_score(out);
    list_free(&reader.posts);
    list_free(&reader.comments);
    list_free(&reader.fields);
    return ok;
}

/* Items that are not as they were. */

static int compare_ids(const void *a, const void *b)
{
    return ORDER_BY(*(const int64_t *)a, *(const int64_t *)b);
}

/* Items of the open round, and of labels with the text that they were given by; an item
 * comes as often as it has labels. */
struct lost_item {
    int64_t item;
    struct str seen; /* empty: not known */
};

static int compare_lost(const void *a, const void *b)
{
    return compare_ids(&((const struct lost_item *)a)->item,
                       &((const struct lost_item *)b)->item);
}

static struct lost_item *list_lost(const struct label *label, struct arena *arena,
                                   size_t *count)
{
    const struct label_log *log = &label->log;
    struct lost_item *out =
        arena_array(arena, struct lost_item, log->assigned.count + log->slots.count + 1);
    int64_t open = label_open_round(label);

    *count = 0;
    for (size_t i = 0; i < log->assigned.count; i++)
        if (log->assigned.at[i].round == open)
            out[(*count)++] = (struct lost_item){.item = log->assigned.at[i].item};
    for (size_t i = 0; i < log->slots.count; i++)
        if (label_slot_speaks(label, &log->slots.at[i]))
            out[(*count)++] = (struct lost_item){
                log->slots.at[i].item, log->entries.at[log->slots.at[i].top].act.seen};
    qsort(out, *count, sizeof *out, compare_lost);
    return out;
}

static bool keep_hash(void *context, const struct item *item, struct err *err)
{
    (void)err;
    if (item->kind != ITEM_ANSWER)
        *map_put(context, (struct str){(const char *)&item->id, sizeof item->id}) =
            (int64_t)hash_of(item);
    return true;
}

/* Has those that label_text_of() would have to ask for one by one. */
static bool read_texts(struct label *label, const struct lost_item *items, size_t count,
                       struct arena *arena, struct err *err)
{
    int64_t *ids = arena_array(arena, int64_t, count + 1);
    size_t unknown = 0;

    if (!label_open_corpus(label, err))
        return false;
    label->texts.arena = &label->texts_arena;
    for (size_t i = 0; i < count; i++) {
        struct str key = {(const char *)&items[i].item, sizeof items[i].item};
        if (map_get(&label->texts, key) != NULL)
            continue;
        *map_put(&label->texts, key) = 0; /* not in the corpus, unless it comes */
        ids[unknown++] = items[i].item;
    }
    if (unknown == 0 ||
        store_fetch(label->corpus, ids, unknown, keep_hash, &label->texts, err))
        return true;
    label_forget_texts(label);
    return false;
}

bool label_lost(struct label *label, struct arena *arena, struct label_lost *out,
                struct err *err)
{
    struct label_text text;
    size_t count, end;

    *out = (struct label_lost){0};
    if (!label_follow(label, err))
        return false;
    if (!label_has_corpus(label))
        return true;
    struct lost_item *items = list_lost(label, arena, &count);
    if (!read_texts(label, items, count, arena, err))
        return false;
    out->gone = arena_array(arena, int64_t, count + 1);
    out->changed = arena_array(arena, int64_t, count + 1);
    for (size_t i = 0; i < count; i = end) {
        bool changed = false;
        if (!label_text_of(label, items[i].item, &text, err))
            return false;
        for (end = i; end < count && items[end].item == items[i].item; end++)
            changed |=
                items[end].seen.len > 0 && !str_eq(items[end].seen, str_from(text.seen));
        if (text.seen[0] == '\0')
            out->gone[out->gone_count++] = items[i].item;
        else if (changed)
            out->changed[out->changed_count++] = items[i].item;
    }
    return true;
}

enum { LOST_SHOWN_MAX = 5 };

static void tell_some(const struct label *label, const int64_t *items, size_t count,
                      const char *what, struct buf *out)
{
    char shown[ITEM_KEY_SHOWN_MAX];

    if (count == 0)
        return;
    buf_add_format(out, ", %zu labelled item%s %s (", count, str_plural((int64_t)count),
                   what);
    for (size_t i = 0; i < count && i < LOST_SHOWN_MAX; i++)
        buf_add_format(out, "%s%s", i > 0 ? ", " : "",
                       item_key_show(&label->study->spaces, items[i], shown));
    buf_add_format(out, "%s)", count > LOST_SHOWN_MAX ? ", ..." : "");
}

void label_tell_lost(const struct label *label, const struct label_lost *lost,
                     struct buf *out)
{
    tell_some(label, lost->gone, lost->gone_count, "no longer in the corpus", out);
    tell_some(label, lost->changed, lost->changed_count,
              "with another text than raters saw", out);
}
