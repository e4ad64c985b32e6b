/* Tables that do not come from a block of the plan: users, tags with their wikis, and the
 * posts that Stack Exchange plants. */
#include "base/date.h"
#include "synth/render_row.h"

enum { STREAM_USERS = 3, WIKI_TAGS = 20 };

static void add_name(struct buf *out, struct rng *rng)
{
    static const char *const syllables[] = {
        "an", "be", "chi", "do", "el", "fa", "gu", "ha", "in", "jo",  "ka", "li",
        "mo", "na", "o",   "pe", "ri", "sa", "te", "um", "va", "wen", "yu", "zo"};
    size_t begin = out->len;

    if (rng_below(rng, 4) == 0) {
        buf_add(out, STR("user"));
        buf_add_int(out, 100000 + (int64_t)rng_below(rng, 9000000));
        return;
    }
    for (uint64_t i = 2 + rng_below(rng, 2); i > 0; i--)
        buf_add(out, str_from(syllables[rng_below(rng, ROWS_OF(syllables))]));
    out->ptr[begin] = (char)(out->ptr[begin] - 'a' + 'A');
}

/* Attributes that only some people fill in, and some layouts have. */
static void add_about(struct buf *out, struct rng *rng)
{
    static const char *const abouts[] = {
        "I like graphs that go down.",
        "Student, coffee drinker, part-time plumber of data.",
        "Been writing software since the floppy disk; still looking for the any key.",
        "Mostly here to learn. Ask me about bees.",
    };

    buf_add_format(out, " AboutMe=\"&lt;p&gt;%s&lt;/p&gt;&#xA;\"",
                   abouts[rng_below(rng, ROWS_OF(abouts))]);
}

static void add_picture(struct buf *out, struct rng *rng)
{
    buf_add(out, STR(" ProfileImageUrl=\"https://i.stack.imgur.com/"));
    text_add_name(out, rng);
    buf_add(out, STR(".jpg?s=256\""));
}

void render_make_users(const struct render_context *context, int64_t first, int64_t end,
                       struct render *rows)
{
    struct buf *out = &rows->tables[SYNTH_USERS];
    struct rng rng = rng_stream(context->options->seed, STREAM_USERS, (uint64_t)first);
    static const char *const places[] = {
        "", " Location=\"Lyon, France\"", " Location=\"Pune\"",
        " Location=\"K\xc3\xb6ln\"", " Location=\"Austin, TX\""};

    render_row_clear(context, rows);
    for (int64_t user = first; user < end; user++) {
        int64_t created_ms = plan_user_created(context->plan, user);
        render_row_number(out, "  <row Id=\"", user);
        render_row_number(out, " Reputation=\"",
                          1 + (int64_t)rng_log_normal(&rng, 40, 2));
        render_row_date(out, " CreationDate=\"", created_ms);
        buf_add(out, STR(" DisplayName=\""));
        add_name(out, &rng);
        buf_add_char(out, '"');
        render_row_date(out, " LastAccessDate=\"",
                        created_ms + (int64_t)(rng_unit(&rng) *
                                               (double)(context->plan->model->until_ms -
                                                        created_ms)));
        if (rng_below(&rng, 8) == 0)
            render_row_number(out, " WebsiteUrl=\"https://example.org/people/", user);
        buf_add(out, str_from(places[rng_below(&rng, ROWS_OF(places))]));
        if (rng_below(&rng, 6) == 0)
            add_about(out, &rng);
        render_row_number(out, " Views=\"", (int64_t)rng_log_normal(&rng, 8, 1.5));
        render_row_number(out, " UpVotes=\"", (int64_t)rng_log_normal(&rng, 5, 1.8));
        render_row_number(out, " DownVotes=\"", (int64_t)rng_below(&rng, 3));
        if (context->options->layout == SYNTH_CLASSIC && rng_below(&rng, 6) == 0)
            render_row_number(out, " Age=\"", 17 + (int64_t)rng_below(&rng, 45));
        if (context->options->layout != SYNTH_CLASSIC && rng_below(&rng, 3) == 0)
            add_picture(out, &rng);
        render_row_number(out, " AccountId=\"", user + 1000000);
        render_row_end(rows, SYNTH_USERS);
    }
}

static void add_wiki(const struct render_context *context, struct render *rows,
                     int64_t id, int type, struct str tag)
{
    struct buf *out = &rows->tables[SYNTH_POSTS];

    render_row_number(out, "  <row Id=\"", id);
    render_row_number(out, " PostTypeId=\"", type);
    render_row_date(out, " CreationDate=\"", context->plan->model->begin_ms);
    buf_add(out, STR(" Score=\"0\" Body=\""));
    buf_add_format(out,
                   type == 4
                       ? "Use this tag for questions about %.*s."
                       : "&lt;p&gt;Questions about %.*s and its use.&lt;/p&gt;&#xA;",
                   STR_ARG(tag));
    buf_add(out, STR("\" OwnerUserId=\"-1\""));
    render_row_date(out, " LastActivityDate=\"", context->plan->model->begin_ms);
    buf_add(out, STR(" CommentCount=\"0\""));
    render_row_license(out, context->options, context->plan->model->begin_ms);
    render_row_end(rows, SYNTH_POSTS);
    rows->counts.wikis++;
}

void render_make_tags(const struct render_context *context,
                      const struct synth_counts *counts, int64_t *next_post,
                      struct render *rows)
{
    struct buf *out = &rows->tables[SYNTH_TAGS];
    int64_t id = 1;

    render_row_clear(context, rows);
    for (int tag = 0; tag < tags_count(); tag++) {
        if (counts->tags[tag] == 0)
            continue;
        render_row_number(out, "  <row Id=\"", id++);
        buf_add(out, STR(" TagName=\""));
        buf_add(out, tags_name(tag));
        buf_add_char(out, '"');
        render_row_number(out, " Count=\"", counts->tags[tag]);
        if (tag < WIKI_TAGS) {
            render_row_number(out, " ExcerptPostId=\"", *next_post);
            render_row_number(out, " WikiPostId=\"", *next_post + 1);
            add_wiki(context, rows, (*next_post)++, 4, tags_name(tag));
            add_wiki(context, rows, (*next_post)++, 5, tags_name(tag));
        }
        if (context->options->layout != SYNTH_CLASSIC)
            buf_add(out, STR(" IsModeratorOnly=\"False\" IsRequired=\"False\""));
        render_row_end(rows, SYNTH_TAGS);
    }
}

void render_make_planted(const struct render_context *context, struct render *rows)
{
    struct buf *out = &rows->tables[SYNTH_POSTS];
    int64_t created_ms = context->plan->model->until_ms - DATE_DAY_MS;

    render_row_clear(context, rows);
    buf_add(out, STR("  <row Id=\"1000000001\" PostTypeId=\"1\""));
    render_row_date(out, " CreationDate=\"", created_ms);
    buf_add(out,
            STR(" Score=\"0\" ViewCount=\"1\" Body=\"&lt;p&gt;Which gradient tastes of "
                "copper when the tensor is folded twice?&lt;/p&gt;&#xA;\" "
                "OwnerUserId=\"-1\""));
    render_row_date(out, " LastActivityDate=\"", created_ms);
    buf_add(out, STR(" Title=\"Copper taste of a twice folded tensor\""));
    render_row_tags(out, context->options,
                    &(struct tags){.at = {MODEL_TENSORFLOW}, .count = 1});
    buf_add(out, STR(" AnswerCount=\"1\" CommentCount=\"0\""));
    render_row_license(out, context->options, created_ms);
    render_row_end(rows, SYNTH_POSTS);
    buf_add(out,
            STR("  <row Id=\"1000000010\" PostTypeId=\"2\" ParentId=\"1000000001\""));
    render_row_date(out, " CreationDate=\"", created_ms + DATE_MINUTE_MS);
    buf_add(out,
            STR(" Score=\"0\" Body=\"&lt;p&gt;The ninth one, on Tuesdays.&lt;/p&gt;&#xA;"
                "\" OwnerUserId=\"-1\""));
    render_row_date(out, " LastActivityDate=\"", created_ms + DATE_MINUTE_MS);
    buf_add(out, STR(" CommentCount=\"0\""));
    render_row_license(out, context->options, created_ms);
    render_row_end(rows, SYNTH_POSTS);
    rows->counts.planted = 2;
}
