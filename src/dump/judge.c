/* A row costs what the query asks: most rows fail on type or tags and are never decoded.
 */
#include "dump/judge.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "dump/field.h"
#include "dump/value.h"
#include "item/key.h"

enum { ALL_FIELDS = ~0 };

/* A tag's place in the table: its ends and its length, upper and lower case alike. */
static unsigned place_of(const char *tag, size_t len)
{
    unsigned first = (unsigned char)tag[0] | 32, last = (unsigned char)tag[len - 1] | 32;

    return (first * 61 + last * 17 + (unsigned)len * 5) % DUMP_JUDGE_FILTER_BITS;
}

static bool is_ascii(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((text.ptr[i] & 0x80) != 0)
            return false;
    return text.len > 0;
}

/* Adds the tags of which a post that meets the node must have one; false when there are
 * no such tags. */
static bool require_tags(const struct query_node *node, struct dump_judge_filter *filter)
{
    struct dump_judge_filter kept = *filter;

    switch (node->kind) {
    case QUERY_TAG:
        if (node->match != QUERY_EXACT || !is_ascii(node->text))
            return false;
        filter->bits[place_of(node->text.ptr, node->text.len) / 64] |=
            UINT64_C(1) << place_of(node->text.ptr, node->text.len) % 64;
        return true;
    case QUERY_OR:
        for (const struct query_node *child = node->first; child != NULL;
             child = child->next)
            if (!require_tags(child, filter))
                return false;
        return true;
    case QUERY_AND: /* the first condition that names tags will do */
        for (const struct query_node *child = node->first; child != NULL;
             child = child->next) {
            if (require_tags(child, filter))
                return true;
            *filter = kept;
        }
        return false;
    default:
        return false;
    }
}

struct dump_judge_filter dump_judge_filter_of(const struct query_node *query)
{
    struct dump_judge_filter filter = {0};

    filter.on = require_tags(query, &filter);
    return filter;
}

bool dump_judge_filter_passes(const struct dump_judge_filter *filter, struct str raw_tags)
{
    const bool bars = raw_tags.len > 0 && raw_tags.ptr[0] == '|';
    struct str rest = str_slice(raw_tags, bars, raw_tags.len), tag;

    while (rest.len > 0) {
        if (!dump_value_cut_tag(&rest, bars, &tag))
            return true; /* it has to be decoded before anything can be told */
        if (tag.len == 0)
            continue;
        unsigned place = place_of(tag.ptr, tag.len);
        if (filter->bits[place / 64] >> place % 64 & 1)
            return true;
    }
    return false;
}

void dump_judge_compare(struct dump_judge *judge, const struct query_compiled *other)
{
    judge->other = other;
    judge->other_scratch = other != NULL ? query_scratch_open(other) : NULL;
}

void dump_judge_close(struct dump_judge *judge)
{
    query_scratch_close(judge->scratch);
    query_scratch_close(judge->other_scratch);
    text_html_parts_free(&judge->parts);
    buf_free(&judge->title);
    buf_free(&judge->tags);
    buf_free(&judge->decoded);
    *judge = (struct dump_judge){0};
}

/* What a query asks for, which attribute holds it, and where it goes. */
static const struct {
    enum query_field asked;
    enum dump_rows_attribute attribute;
    enum item_field field;
} numbers[] = {
    {QUERY_FIELD_ID, DUMP_ROWS_ID, ITEM_FIELD_ID},
    {QUERY_FIELD_PARENT, DUMP_ROWS_PARENT_ID, ITEM_FIELD_PARENT},
    {QUERY_FIELD_HASACCEPTED, DUMP_ROWS_ACCEPTED_ANSWER_ID, ITEM_FIELD_ACCEPTED},
    {QUERY_FIELD_USER, DUMP_ROWS_OWNER_USER_ID, ITEM_FIELD_OWNER},
    {QUERY_FIELD_SCORE, DUMP_ROWS_SCORE, ITEM_FIELD_SCORE},
    {QUERY_FIELD_VIEWS, DUMP_ROWS_VIEW_COUNT, ITEM_FIELD_VIEWS},
    {QUERY_FIELD_ANSWERS, DUMP_ROWS_ANSWER_COUNT, ITEM_FIELD_ANSWERS},
    {QUERY_FIELD_COMMENTS, DUMP_ROWS_COMMENT_COUNT, ITEM_FIELD_COMMENTS},
    {QUERY_FIELD_FAVORITES, DUMP_ROWS_FAVORITE_COUNT, ITEM_FIELD_FAVORITES},
    {QUERY_FIELD_CREATED, DUMP_ROWS_CREATION_DATE, ITEM_FIELD_CREATED},
    {QUERY_FIELD_CLOSED, DUMP_ROWS_CLOSED_DATE, ITEM_FIELD_CLOSED},
    {QUERY_FIELD_WIKI, DUMP_ROWS_COMMUNITY_OWNED_DATE, ITEM_FIELD_WIKI},
    {QUERY_FIELD_LASTACTIVE, DUMP_ROWS_LAST_ACTIVITY_DATE, ITEM_FIELD_LASTACTIVE},
};

void dump_judge_open(struct dump_judge *judge, const struct query_compiled *query,
                     const struct query_needs *needs)
{
    *judge = (struct dump_judge){.query = query,
                                 .fields = needs->fields,
                                 .needs_text = needs->any_text,
                                 .newest_ms = ITEM_NONE};
    memcpy(judge->none, item_empty().numbers, sizeof judge->none);
    for (size_t i = 0; i < ITEM_NUMBERS; i++)
        judge->types[i] = (uint8_t)item_field((enum item_field)i)->type;
    if (needs->any_text || needs->own) /* an error about a text names the post */
        judge->fields |= 1u << QUERY_FIELD_ID;
    for (size_t i = 0; i < ROWS_OF(numbers); i++) {
        uint64_t bit = UINT64_C(1) << numbers[i].attribute;
        judge->all_numbers |= bit;
        judge->numbers |= (judge->fields >> numbers[i].asked & 1) != 0 ? bit : 0;
        judge->field_of[numbers[i].attribute] = (uint8_t)numbers[i].field;
        if (judge->types[numbers[i].field] == ITEM_MOMENT)
            judge->moments |= bit;
    }
    judge->scratch = query_scratch_open(query);
    judge->want = query_parts(needs);
}

/* An id or a link has to fit into those of a corpus (item/key.h). */
static bool read_number(struct dump_judge *judge, struct str raw, enum item_field field,
                        int64_t *out)
{
    enum item_type type = judge->types[field];
    int64_t value;

    if (type == ITEM_MOMENT)
        return dump_value_date_near(raw, &judge->day, out);
    if (!dump_value_row_int(raw, &value) || value == ITEM_NONE ||
        (type == ITEM_LINK && (value <= -ITEM_NUMBER_MAX || value >= ITEM_NUMBER_MAX)))
        return false;
    *out = value;
    return true;
}

bool dump_judge_read_id(const struct dump_rows_row *row, int64_t *id)
{
    struct str raw = dump_rows_raw(row, DUMP_ROWS_ID);

    return dump_value_few_digits(raw, id) ||
           (dump_value_int(raw, id) && *id >= 0 && *id < ITEM_NUMBER_MAX);
}

void dump_judge_doubt(struct dump_judge_doubts *doubts, const struct dump_rows_row *row,
                      enum dump_rows_attribute attribute, const char *what)
{
    struct str raw = row->raw[attribute], name = dump_rows_attribute_name(attribute);
    char shown[DUMP_FIELD_SHOWN_MAX];
    struct buf text = {0};
    int64_t id = 0;

    if (raw.len == 0 || doubts->unreadable++ > 0) /* an empty one says nothing */
        return;
    (void)!dump_judge_read_id(row, &id);
    dump_value_decode(str_slice(raw, 0, DUMP_FIELD_SHOWN_MAX), &text, NULL);
    dump_field_show(buf_str(&text), shown);
    snprintf(doubts->first, sizeof doubts->first, "%.*s=\"%.*s\" of %s %lld",
             STR_ARG(name), (int)strlen(shown) - 2, shown + 1, what, (long long)id);
    buf_free(&text);
}

static struct str decode(struct dump_judge *judge, struct str raw, struct buf *out)
{
    size_t begin = out->len;

    judge->doubts.replaced += dump_value_decode(raw, out, NULL);
    return str_slice(buf_str(out), begin, out->len);
}

static void read_kind(struct dump_judge *judge, const struct dump_rows_row *row,
                      struct item *post)
{
    post->kind = dump_value_post_type(row);
    if (post->kind == 0 && dump_rows_has(row, DUMP_ROWS_POST_TYPE_ID))
        dump_judge_doubt(&judge->doubts, row, DUMP_ROWS_POST_TYPE_ID, "post");
}

/* `wanted` has a bit for each attribute of the table. */
static void read_numbers(struct dump_judge *judge, const struct dump_rows_row *row,
                         uint64_t wanted, struct item *post)
{
    bool all = true;

    wanted &= row->present;
    if ((wanted >> DUMP_ROWS_CREATION_DATE & 1) != 0) /* as good as always */
        all = dump_value_date_near(row->raw[DUMP_ROWS_CREATION_DATE], &judge->day,
                                   &post->created_ms);
    for (uint64_t left = wanted & ~(UINT64_C(1) << DUMP_ROWS_CREATION_DATE); left != 0;
         left &= left - 1) {
        int attribute = __builtin_ctzll(left);
        enum item_field field = judge->field_of[attribute];
        int64_t *to = &post->numbers[field];
        struct str raw = row->raw[attribute];
        if ((judge->moments >> attribute & 1) != 0)
            all &= dump_value_date_near(raw, &judge->day, to);
        else if (!dump_value_few_digits(raw, to)) /* which fit into any field */
            all &= read_number(judge, raw, field, to);
    }
    for (size_t i = 0; !all && i < ROWS_OF(numbers); i++) { /* which are they? */
        enum dump_rows_attribute attribute = numbers[i].attribute;
        int64_t value;
        if ((wanted >> attribute & 1) != 0 &&
            !read_number(judge, row->raw[attribute], numbers[i].field, &value))
            dump_judge_doubt(&judge->doubts, row, attribute, "post");
    }
}

static void read_tags(struct dump_judge *judge, const struct dump_rows_row *row,
                      struct item *post)
{
    struct str raw = dump_rows_raw(row, DUMP_ROWS_TAGS);

    if (raw.len == 0)
        return;
    buf_clear(&judge->tags);
    judge->doubts.replaced += dump_value_decode_tags(raw, &judge->tags);
    post->tags = buf_str(&judge->tags);
}

static void read_fields(struct dump_judge *judge, const struct dump_rows_row *row,
                        unsigned fields, uint64_t wanted, struct item *post)
{
    /* item_empty() in two pieces, which compilers make plain stores of. */
    memcpy(post->numbers, judge->none, sizeof post->numbers);
    memset(post->texts, 0, sizeof *post - offsetof(struct item, texts));
    post->escaped = true;
    judge->doubts.replaced = judge->doubts.unreadable = 0;
    if (fields >> QUERY_FIELD_IS & 1)
        read_kind(judge, row, post);
    read_numbers(judge, row, wanted, post);
    if (fields >> QUERY_FIELD_TAG & 1)
        read_tags(judge, row, post);
    post->title = dump_rows_raw(row, DUMP_ROWS_TITLE);
    post->body = dump_rows_raw(row, DUMP_ROWS_BODY);
    post->license = dump_rows_raw(row, DUMP_ROWS_CONTENT_LICENSE);
}

void dump_judge_read(struct dump_judge *judge, const struct dump_rows_row *row,
                     struct item *post)
{
    read_fields(judge, row, judge->fields, judge->numbers, post);
}

void dump_judge_read_ids(struct dump_judge *judge, const struct dump_rows_row *row,
                         int64_t id, struct item *post)
{
    judge->doubts.replaced = judge->doubts.unreadable = 0;
    post->id = id;
    post->parent = post->accepted = ITEM_NONE;
    read_kind(judge, row, post);
    read_numbers(judge, row, UINT64_C(1) << DUMP_ROWS_PARENT_ID, post);
}

void dump_judge_read_counts(struct dump_judge *judge, const struct dump_rows_row *row,
                            int64_t id, struct item *post)
{
    memcpy(post->numbers, judge->none, sizeof post->numbers);
    judge->doubts.replaced = judge->doubts.unreadable = 0;
    read_kind(judge, row, post);
    read_numbers(judge, row, judge->numbers & ~(UINT64_C(1) << DUMP_ROWS_ID), post);
    post->id = id;
    if (post->kind != ITEM_QUESTION)
        read_tags(judge, row, post); /* if only for what has to be replaced there */
}

void dump_judge_read_all(struct dump_judge *judge, const struct dump_rows_row *row,
                         struct item *post)
{
    read_fields(judge, row, (unsigned)ALL_FIELDS, judge->all_numbers, post);
    buf_clear(&judge->decoded);
    /* All of them at once: a buffer that grows moves what is in it. */
    size_t title_len = decode(judge, post->title, &judge->decoded).len;
    size_t body_len = decode(judge, post->body, &judge->decoded).len;
    decode(judge, post->license, &judge->decoded);
    struct str decoded = buf_str(&judge->decoded);
    post->title = str_slice(decoded, 0, title_len);
    post->body = str_slice(decoded, title_len, title_len + body_len);
    post->license = str_slice(decoded, title_len + body_len, decoded.len);
    post->escaped = false;
}

static struct str title_of(struct dump_judge *judge)
{
    const struct item *post = judge->post;

    if (!post->escaped)
        return post->title;
    if (!judge->titled) {
        buf_clear(&judge->title);
        dump_value_decode(post->title, &judge->title, NULL);
        judge->titled = true;
    }
    return buf_str(&judge->title);
}

static void split(struct dump_judge *judge, unsigned want)
{
    if (judge->split && (judge->made & want) == want)
        return;
    judge->made = (judge->split ? judge->made : judge->want) | want;
    judge->parts.lead =
        (judge->made & TEXT_HTML_PROSE) != 0 ? title_of(judge) : (struct str){0};
    if (judge->post->escaped)
        text_html_split_xml(judge->post->body, judge->made, &judge->parts);
    else
        text_form_split(judge->post->form, judge->post->body, judge->made, &judge->parts);
    judge->split = true;
}

struct str dump_judge_text(struct dump_judge *judge, enum query_text which)
{
    switch (which) {
    case QUERY_TITLE:
        return title_of(judge);
    case QUERY_CODE:
        split(judge, TEXT_HTML_CODE);
        return buf_str(&judge->parts.code);
    case QUERY_BODY:
        split(judge, TEXT_HTML_BODY);
        return buf_str(&judge->parts.body);
    default:
        split(judge, TEXT_HTML_PROSE); /* the title and the body's prose */
        return buf_str(&judge->parts.prose);
    }
}

size_t dump_judge_code_blocks(struct dump_judge *judge)
{
    split(judge, 0);
    return judge->parts.code_count;
}

static struct str text_of(void *context, enum query_text which)
{
    return dump_judge_text(context, which);
}

static bool has_code(void *context)
{
    return dump_judge_code_blocks(context) > 0;
}

static bool in_source(void *context, struct str source)
{
    return str_eq(((const struct dump_judge *)context)->origin.source, source);
}

static struct str own_of(void *context, struct str field)
{
    const struct dump_judge *judge = context;
    const struct dump_judge_origin *origin = &judge->origin;

    for (size_t i = 0; judge->post->extra != NULL && i < origin->field_count; i++)
        if (str_eq(origin->fields[i], field))
            return judge->post->extra[i];
    return (struct str){0};
}

bool dump_judge_post(struct dump_judge *judge, const struct item *post, bool *meets,
                     struct err *err)
{
    struct query_item item = {.item = post,
                              .context = judge,
                              .text = text_of,
                              .has_code = has_code,
                              .in_source = in_source,
                              .own = own_of,
                              .newest_ms = judge->newest_ms};

    judge->post = post;
    judge->split = judge->titled = false;
    if (!query_test(judge->query, judge->scratch, &item, meets, err))
        return false;
    if (judge->other == NULL)
        return true;
    bool other;
    bool ok = query_test(judge->other, judge->other_scratch, &item, &other, err);
    judge->other_meets += ok && other;
    return ok;
}
