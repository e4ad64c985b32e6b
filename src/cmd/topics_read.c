/* Posts on their way into a topic model. */
#include "cmd/topics.h"

#include "base/file.h"
#include "base/near.h"
#include "cmd/posts.h"
#include "dump/columns.h"
#include "measure/frame.h"
#include "run/output.h"
#include "store/corpus.h"

/* What a post brings besides its texts. */
struct facts {
    struct str id, title, label;
    const struct item *item;
    int64_t accepted_ms;
};

struct topics_read_reading {
    const struct cmd_topics_args *args;
    struct cmd_topics_posts *out;
    struct learn_parts_splitter splitter;
};

void cmd_topics_posts_free(struct cmd_topics_posts *posts)
{
    list_free(&posts->ids);
    list_free(&posts->titles);
    list_free(&posts->labels);
    list_free(&posts->created_ms);
    list_free(&posts->views);
    list_free(&posts->score);
    list_free(&posts->accepted);
    list_free(&posts->accepted_ms);
    topic_tokens_reader_free(&posts->tokens);
}

static void add_post(struct topics_read_reading *reading, const struct learn_parts *own,
                     const struct learn_parts *parts, const struct facts *facts)
{
    struct cmd_topics_posts *posts = reading->out;

    for (unsigned i = 0; i < LEARN_PARTS_COUNT; i++)
        topic_tokens_add(&posts->tokens, own, i);
    topic_tokens_add(&posts->tokens, parts, LEARN_PARTS_PROSE);
    if (reading->args->code)
        topic_tokens_add(&posts->tokens, parts, LEARN_PARTS_CODE);
    topic_tokens_end_document(&posts->tokens);
    list_add(&posts->ids, arena_copy(posts->arena, facts->id));
    list_add(&posts->titles, arena_copy(posts->arena, facts->title));
    list_add(&posts->labels, arena_copy(posts->arena, facts->label));
    list_add(&posts->created_ms, facts->item->created_ms);
    list_add(&posts->views, facts->item->views);
    list_add(&posts->score, facts->item->score);
    list_add(&posts->accepted, facts->item->accepted);
    list_add(&posts->accepted_ms, facts->accepted_ms);
    posts->has_titles |= facts->title.len > 0;
    posts->count++;
}

static bool take_row(void *context, const struct cmd_posts_row *row, struct err *err)
{
    struct facts facts = {.id = row->values[CMD_POSTS_ID],
                          .title = row->parts.at[LEARN_PARTS_TITLE],
                          .label = row->values[CMD_POSTS_LABEL],
                          .item = row->item,
                          .accepted_ms = row->item->accepted_ms};
    struct topics_read_reading *reading = context;
    struct learn_parts parts = {0};

    (void)err;
    learn_parts_split(row->body, &reading->splitter, &parts);
    add_post(reading, &row->parts, &parts, &facts);
    return true;
}

static bool check_mapping(const struct cmd_topics_args *args, struct arena *arena,
                          struct err *err)
{
    struct dump_columns_mapping mapping;

    if (args->columns == NULL ||
        dump_columns_parse(str_from(args->columns), arena, &mapping, err))
        return true;
    err->kind = ERR_USAGE;
    return err_at(err, "--columns: ");
}

bool cmd_topics_read_file(const struct cmd_topics_args *args,
                          struct cmd_topics_posts *out, struct err *err)
{
    struct topics_read_reading reading = {.args = args, .out = out};
    struct cmd_posts posts = {
        .path = args->opening.study,
        .text = args->text,
        .columns = {[CMD_POSTS_ID] = args->id, [CMD_POSTS_LABEL] = args->label},
        .mapping = args->columns,
        .usual = 1U << ITEM_FIELD_CREATED | 1U << ITEM_FIELD_VIEWS |
                 1U << ITEM_FIELD_SCORE | 1U << ITEM_FIELD_ACCEPTED |
                 1U << ITEM_FIELD_ACCEPTED_AT,
        .take = take_row,
        .context = &reading};

    if (args->text == NULL)
        return err_set(err, ERR_USAGE,
                       "a table needs --text COLUMNS, such as --text title,body");
    bool ok = check_mapping(args, out->arena, err) && cmd_posts_read(&posts, err);
    if (ok && out->count == 0)
        ok = err_set(err, ERR_INPUT, "%s: there are no posts", posts.path);
    out->repaired = posts.repaired;
    learn_parts_splitter_free(&reading.splitter);
    return ok;
}

/* Items of a set, with what the frame knows of their accepted answers. */
struct set_reading {
    struct topics_read_reading *reading;
    const struct study *study;
    const struct measure_frame *frame;
};

static bool take_post(void *context, const struct item *post, struct err *err)
{
    const struct set_reading *set = context;
    size_t place = measure_frame_find(set->frame, post->id);
    struct learn_parts own = {.at = {[LEARN_PARTS_TITLE] = post->title}};
    struct facts facts = {
        .id = item_key(&set->study->spaces, post->id, set->reading->out->arena),
        .title = post->title,
        .item = post,
        .accepted_ms = measure_column_at(set->frame->accepted_ms, place)};

    struct learn_parts parts = {0};

    (void)err;
    learn_parts_split_form(post->form, post->body, &set->reading->splitter, &parts);
    add_post(set->reading, &own, &parts, &facts);
    return true;
}

/* "; its sets are: a, b" */
static struct str list_sets(const struct study *study, struct arena *arena)
{
    struct buf list = {0};

    buf_add(&list, study->set_count > 0 ? STR("; its sets are: ") : STR("; it has none"));
    for (size_t i = 0; i < study->set_count; i++)
        buf_add_format(&list, "%s%.*s", i > 0 ? ", " : "", STR_ARG(study->sets[i].name));
    return buf_keep(&list, arena);
}

static const struct study_set *find_set(const struct study *study,
                                        const struct cmd_topics_args *args,
                                        struct arena *arena, struct err *err)
{
    struct str *names = arena_array(arena, struct str, study->set_count + 1);
    struct str wanted = str_from(args->of);

    for (size_t i = 0; i < study->set_count; i++)
        if (str_eq(names[i] = study->sets[i].name, wanted))
            return &study->sets[i];
    size_t near = near_find(wanted, names, study->set_count);
    if (args->of == NULL)
        (void)err_set(err, ERR_USAGE, "a study needs --of SET%.*s",
                      STR_ARG(list_sets(study, arena)));
    else if (near < study->set_count)
        (void)err_set(err, ERR_USAGE, "the study has no set '%s'; did you mean '%.*s'?",
                      args->of, STR_ARG(names[near]));
    else
        (void)err_set(err, ERR_USAGE, "the study has no set '%s'%.*s", args->of,
                      STR_ARG(list_sets(study, arena)));
    return NULL;
}

/* What asks for labels is taken as the last run left it. */
static bool find_labelled(const struct study *study, const struct study_set *set,
                          struct measure_frame_slot *slot, struct arena *arena,
                          struct err *err)
{
    struct str step = arena_format(arena, "sets.%.*s", STR_ARG(set->name));

    if (!study_asks_labels(study, set->query))
        return true;
    if (!run_output_there(study->home, step, arena))
        return err_set(err, ERR_INPUT,
                       "%s: the set '%.*s' asks for labels and has not been made; see "
                       "assay run",
                       study->path, STR_ARG(set->name));
    slot->query = NULL;
    return run_output_read_ids(study->home, "sets", set->name, arena,
                               (int64_t **)(void *)&slot->ids, &slot->id_count, err);
}

static bool read_set(const struct study *study, const struct study_set *set,
                     struct topics_read_reading *reading, struct err *err)
{
    struct arena *arena = reading->out->arena;
    struct measure_frame_slot slot = {.query = set->written};
    struct measure_frame frame;
    struct set_reading taking = {reading, study, &frame};
    struct store *corpus = NULL;
    size_t count = 0;
    bool ok = find_labelled(study, set, &slot, arena, err) &&
              store_open(file_join(study->home, "corpus.db", arena), study->servers,
                         &corpus, err) &&
              measure_frame_load(corpus, &slot, 1, study, arena, &frame, err);

    if (ok) {
        int64_t *ids = arena_array(arena, int64_t, frame.count + 1);
        for (size_t i = measure_bits_next(slot.bits, 0); i < frame.count;
             i = measure_bits_next(slot.bits, i + 1))
            ids[count++] = measure_column_at(frame.ids, i);
        ok = store_fetch(corpus, ids, count, take_post, &taking, err);
    }
    store_close(corpus);
    if (ok && reading->out->count == 0)
        ok = err_set(err, ERR_INPUT, "%s: the set '%.*s' has no posts", study->path,
                     STR_ARG(set->name));
    return ok;
}

bool cmd_topics_read_study(struct cmd_session *session,
                           const struct cmd_topics_args *args,
                           struct cmd_topics_posts *out, struct err *err)
{
    struct run_options wanted = cmd_opening_options(&args->opening);
    struct topics_read_reading reading = {.args = args, .out = out};
    const struct study_set *set;
    struct source_ingest_result result = {0};
    struct lock lock = {-1};
    struct study study;

    if (!cmd_opening_study(session, &args->opening, &study, err) ||
        (set = find_set(&study, args, &session->arena, err)) == NULL)
        return false;
    bool ok = cmd_opening_lock(session, &study, "assay topics", &lock, err) &&
              run_ingest(&study, &wanted, &result, err);
    lock_release(&lock);
    ok = ok && read_set(&study, set, &reading, err);
    learn_parts_splitter_free(&reading.splitter);
    return ok;
}
