/* Posts on their way into a topic model. */
#include "cmd/topics.h"

#include "base/file.h"
#include "base/near.h"
#include "dump/columns.h"
#include "dump/table.h"
#include "input/csv.h"
#include "learn/features.h"
#include "measure/frame.h"
#include "store/corpus.h"
#include "text/utf8.h"

enum { TEXT_COLUMNS_MAX = 32 };

#define APPEND(buf, value) \
    buf_add((buf), (struct str){(const char *)&(value), sizeof(value)})

/* What a post brings besides its texts. */
struct facts {
    int64_t number; /* its id, unless a column is to be that */
    bool has_id;
    struct str id, title, label;
    int64_t created_ms, views, score, accepted, accepted_ms;
};

/* Posts of a file and of a corpus call these alike. */
#define FACTS_OF(post) \
    ((struct facts){.number = (post)->id, \
                    .created_ms = (post)->created_ms, \
                    .views = (post)->views, \
                    .score = (post)->score, \
                    .accepted = (post)->accepted, \
                    .accepted_ms = (post)->accepted_ms})

struct topics_read_reading {
    const struct cmd_topics_args *args;
    struct cmd_topics_posts *out;
    struct learn_parts_splitter splitter;
    struct str extra[TEXT_COLUMNS_MAX + 2]; /* columns: texts, then id, then label */
    size_t texts, id, label;                /* how many; where; 0: none */
};

void cmd_topics_posts_free(struct cmd_topics_posts *posts)
{
    struct buf *all[] = {&posts->ids,        &posts->titles,     &posts->labels,
                         &posts->created_ms, &posts->views,      &posts->score,
                         &posts->accepted,   &posts->accepted_ms};

    for (size_t i = 0; i < ROWS_OF(all); i++)
        buf_free(all[i]);
    topic_tokens_reader_free(&posts->tokens);
}

static void add_parts(struct topics_read_reading *reading,
                      const struct learn_parts *parts)
{
    struct topic_tokens_reader *tokens = &reading->out->tokens;

    topic_tokens_add(tokens, parts->at[LEARN_PARTS_PROSE]);
    if (reading->args->code)
        topic_tokens_add(tokens, parts->at[LEARN_PARTS_CODE]);
}

static void add_body(struct topics_read_reading *reading, struct str body)
{
    struct learn_parts parts = {0};

    learn_parts_split(body, &reading->splitter, &parts);
    add_parts(reading, &parts);
}

/* After its texts. */
static void end_post(struct cmd_topics_posts *posts, const struct facts *facts)
{
    struct buf digits = {0};

    buf_add_int(&digits, facts->number);
    struct str id =
        arena_copy(posts->arena, facts->has_id ? facts->id : buf_str(&digits));
    struct str title = arena_copy(posts->arena, facts->title);
    struct str label = arena_copy(posts->arena, facts->label);

    topic_tokens_end_document(&posts->tokens);
    APPEND(&posts->ids, id);
    APPEND(&posts->titles, title);
    APPEND(&posts->labels, label);
    APPEND(&posts->created_ms, facts->created_ms);
    APPEND(&posts->views, facts->views);
    APPEND(&posts->score, facts->score);
    APPEND(&posts->accepted, facts->accepted);
    APPEND(&posts->accepted_ms, facts->accepted_ms);
    posts->has_titles |= title.len > 0;
    posts->count++;
    buf_free(&digits);
}

static bool take_row(void *context, const struct item *post, struct err *err)
{
    struct topics_read_reading *reading = context;
    struct facts facts = FACTS_OF(post);

    (void)err;
    if (post->kind == ITEM_ANSWER)
        return true;
    for (size_t i = 0; i < reading->texts; i++) {
        bool title = dump_field_rank(ITEM_FIELD_TITLE, reading->extra[i]) >= 0;
        if (title || dump_field_rank(ITEM_FIELD_TAGS, reading->extra[i]) >= 0)
            topic_tokens_add(&reading->out->tokens, post->extra[i]);
        else
            add_body(reading, post->extra[i]);
        if (title)
            facts.title = post->extra[i];
    }
    facts.has_id = reading->id > 0;
    if (facts.has_id)
        facts.id = str_trim(post->extra[reading->id]);
    if (reading->label > 0)
        facts.label = str_trim(post->extra[reading->label]);
    end_post(reading->out, &facts);
    return true;
}

static bool read_columns(struct topics_read_reading *reading, struct err *err)
{
    const struct cmd_topics_args *args = reading->args;
    struct str rest, column;
    size_t count = 0;

    if (args->text == NULL)
        return err_set(err, ERR_USAGE,
                       "a table needs --text COLUMNS, such as --text title,body");
    rest = str_from(args->text);
    for (bool more = true; more;) {
        more = str_cut(&rest, ',', &column);
        if (count == TEXT_COLUMNS_MAX)
            return err_set(err, ERR_USAGE, "--text has more than %d columns",
                           TEXT_COLUMNS_MAX);
        reading->extra[count++] = str_trim(column);
    }
    reading->texts = count;
    if (args->id != NULL)
        reading->extra[reading->id = count++] = str_from(args->id);
    if (args->label != NULL)
        reading->extra[reading->label = count++] = str_from(args->label);
    return true;
}

/* The column that a field usually has, or the number of columns. */
static size_t usual_column(const struct input_csv_row *header, enum item_field field)
{
    size_t best = header->count;
    int best_rank = -1;

    for (size_t i = 0; i < header->count; i++) {
        int rank = dump_field_rank(field, header->fields[i]);
        if (rank >= 0 && (best_rank < 0 || rank < best_rank)) {
            best_rank = rank;
            best = i;
        }
    }
    return best;
}

/* Adds `field="Column"` for what topics are told by, where the user has not said it. */
static void add_usual(const struct input_csv_row *header,
                      const struct dump_columns_mapping *given, struct buf *mapping)
{
    static const enum item_field wanted[] = {ITEM_FIELD_CREATED, ITEM_FIELD_VIEWS,
                                             ITEM_FIELD_SCORE, ITEM_FIELD_ACCEPTED,
                                             ITEM_FIELD_ACCEPTED_AT};

    for (size_t i = 0; i < ROWS_OF(wanted); i++) {
        size_t column = usual_column(header, wanted[i]);
        if (given->question[wanted[i]].given || column == header->count)
            continue;
        buf_add_format(mapping, "%s%.*s=\"", mapping->len > 0 ? ", " : "",
                       STR_ARG(item_field(wanted[i])->name));
        for (size_t c = 0; c < header->fields[column].len; c++) {
            char byte = header->fields[column].ptr[c];
            buf_add(mapping, byte == '"' ? STR("\"\"") : (struct str){&byte, 1});
        }
        buf_add_char(mapping, '"');
    }
}

/* The mapping of a csv: what the user says, and usual names. */
static bool map_csv(const struct cmd_topics_args *args, struct str bytes,
                    struct arena *arena, const char **out, struct err *err)
{
    const char *said = args->columns != NULL ? args->columns : "";
    struct input_csv csv = {.path = args->opening.study};
    struct dump_columns_mapping given;
    struct input_csv_row header;
    struct buf mapping = {0};
    bool ok = dump_columns_parse(str_from(said), arena, &given, err) ||
              err_at(err, "--columns: ");

    if (!ok)
        err->kind = ERR_USAGE;
    input_csv_push(&csv, bytes, true);
    if (ok && input_csv_next(&csv, &header, err)) {
        buf_add(&mapping, str_from(said));
        add_usual(&header, &given, &mapping);
        *out = arena_c_string(arena, buf_str(&mapping));
    }
    ok = ok && !csv.failed;
    input_csv_free(&csv);
    buf_free(&mapping);
    return ok;
}

bool cmd_topics_read_file(const struct cmd_topics_args *args,
                          struct cmd_topics_posts *out, struct err *err)
{
    const char *path = args->opening.study;
    struct topics_read_reading reading = {.args = args, .out = out};
    struct dump_table_options options = {.mapping = args->columns, .first_id = 1};
    struct buf repaired = {0};
    struct str bytes;

    if (!read_columns(&reading, err) || !file_read(path, out->arena, &bytes, err))
        return false;
    if (!text_utf8_valid(bytes)) {
        text_utf8_repair(bytes, &repaired);
        out->repaired = true;
        bytes = buf_str(&repaired);
    }
    options.extra = reading.extra;
    options.extra_count = reading.texts + (reading.id > 0) + (reading.label > 0);
    options.rows = dump_table_kind(bytes) == DUMP_TABLE_CSV;
    bool ok =
        (!options.rows || map_csv(args, bytes, out->arena, &options.mapping, err)) &&
        dump_table_read(bytes, path, &options, take_row, &reading, err);
    if (ok && out->count == 0)
        ok = err_set(err, ERR_INPUT, "%s: there are no posts", path);
    learn_parts_splitter_free(&reading.splitter);
    buf_free(&repaired);
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
    struct cmd_topics_posts *out = set->reading->out;
    struct facts facts = FACTS_OF(post);
    struct learn_parts parts = {0};

    (void)err;
    topic_tokens_add(&out->tokens, post->title);
    learn_parts_split_form(post->form, post->body, &set->reading->splitter, &parts);
    add_parts(set->reading, &parts);
    facts.title = post->title;
    facts.accepted_ms = set->frame->accepted_ms[measure_frame_find(set->frame, post->id)];
    facts.id = item_key(&set->study->spaces, post->id, out->arena);
    facts.has_id = true;
    end_post(out, &facts);
    return true;
}

/* "; its sets are: a, b" */
static struct str list_sets(const struct study *study, struct arena *arena)
{
    struct buf list = {0};

    buf_add(&list, study->set_count > 0 ? STR("; its sets are: ") : STR("; it has none"));
    for (size_t i = 0; i < study->set_count; i++)
        buf_add_format(&list, "%s%.*s", i > 0 ? ", " : "", STR_ARG(study->sets[i].name));
    struct str text = arena_copy(arena, buf_str(&list));
    buf_free(&list);
    return text;
}

static const struct study_set *find_set(const struct study *study,
                                        const struct cmd_topics_args *args,
                                        struct arena *arena, struct err *err)
{
    struct str *names = arena_array(arena, struct str, study->set_count + 1);
    struct str wanted = str_from(args->of != NULL ? args->of : "");

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

static bool read_set(const struct study *study, const struct study_set *set,
                     struct topics_read_reading *reading, struct err *err)
{
    struct arena *arena = reading->out->arena;
    struct measure_frame_slot slot = {.query = set->written};
    struct measure_frame frame;
    struct set_reading taking = {reading, study, &frame};
    struct store *corpus = NULL;
    size_t count = 0;
    bool ok = store_open(file_join(study->home, "corpus.db", arena), &corpus, err) &&
              measure_frame_load(corpus, &slot, 1, study, arena, &frame, err);

    if (ok) {
        int64_t *ids = arena_array(arena, int64_t, frame.count + 1);
        for (size_t i = measure_bits_next(slot.bits, 0); i < frame.count;
             i = measure_bits_next(slot.bits, i + 1))
            ids[count++] = frame.ids[i];
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
