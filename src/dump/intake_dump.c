/* Posts of a dump. Threads make of each post that is taken what will be stored; the
 * calling thread only stores, in transactions that also say how far the reading has come,
 * so that a killed ingest goes on where the last of them ended. */
#include "base/stop.h"
#include "dump/intake.h"

static const int64_t REST_MS =
    5000; /* between two resting places, however slow it goes */

static void make_post(void *context, struct judge *judge, const struct rows_row *row,
                      struct buf *out)
{
    struct item post;

    (void)context;
    judge_read_all(judge, row, &post);
    intake_pack(&post, intake_code_blocks(judge, &post), out);
}

static enum scan_next take_posts(void *context, struct str bytes, struct err *err)
{
    struct intake *intake = context;
    struct item post;
    int64_t code_blocks;

    while (intake_unpack(&bytes, &post, &code_blocks))
        if (!intake_store(intake, &post, code_blocks, err))
            return SCAN_FAIL;
    return SCAN_GO_ON;
}

/* Ends the transaction with the place that has been reached, and begins the next. */
static bool rest(void *context, const struct scan_part *place, struct err *err)
{
    struct intake *intake = context;
    int64_t now = progress_clock_ms();

    if (!stop_check(err))
        return false;
    if (place->bytes - intake->rested_bytes < intake->options->rest_bytes &&
        now - intake->rested_ms < REST_MS)
        return true;
    intake->rested_bytes = place->bytes;
    intake->rested_ms = now;
    intake->state.start = place->bytes;
    intake->state.start_line = place->line;
    return intake_save_place(intake, err) && corpus_commit(intake->corpus, err) &&
           corpus_begin(intake->corpus, err);
}

static bool note_file(struct intake *intake, const struct input_member *member,
                      struct err *err)
{
    const uint64_t *hash = intake->state.scan.hash;
    char digits[INTAKE_HASH_DIGITS + 1];
    struct arena arena = {0};
    struct str place =
        intake_shown(intake->source, intake->path_number, member->place, &arena);
    bool ok = intake_text(intake, "file", place, err) &&
              intake_text(intake, "format", str_from(member->format), err) &&
              intake_text(intake, "file's hash (XXH3, 128 bits)",
                          intake_hash_text(hash, digits), err) &&
              intake_file(intake, member->path, SCAN_POSTS, hash, err);

    arena_free(&arena);
    return ok;
}

/* Rows that were skipped, and where the first of them stands. */
static bool note_broken(struct intake *intake, const struct input_member *member,
                        struct err *err)
{
    const struct scan_result *scan = &intake->state.scan;
    struct arena arena = {0};
    struct buf first = {0};

    if (scan->broken > 0) {
        struct str place =
            intake_shown(intake->source, intake->path_number, member->place, &arena);
        buf_add_format(&first, "%.*s:", STR_ARG(place));
        if (scan->first_broken_line > 0)
            buf_add_format(&first, "%lld:", (long long)scan->first_broken_line);
        buf_add_format(&first, " byte %lld: found %s; expected %s",
                       (long long)scan->first_broken.offset, scan->first_broken.found,
                       scan->first_broken.expected);
    }
    bool ok = intake_broken(intake, scan->broken, buf_str(&first), err);
    buf_free(&first);
    arena_free(&arena);
    return ok;
}

static bool read_posts(struct intake *intake, struct input *input, struct err *err)
{
    const struct ingest_options *options = intake->options;
    struct progress progress =
        progress_begin("reading posts", 0, options->descriptor, options->quiet);
    struct select_job job = {.query = intake->query,
                             .node = options->query,
                             .answers = true,
                             .census = true,
                             .until_ms = intake->source->until_ms,
                             .threads = options->threads,
                             .skip_broken = options->skip_broken,
                             .hash = true,
                             .progress = &progress,
                             .context = intake,
                             .make = make_post,
                             .take = take_posts,
                             .rest = rest};
    struct select_state *state = &intake->state;
    size_t member;

    if (!scan_find(input, SCAN_POSTS, &member, err) || !corpus_begin(intake->corpus, err))
        return false;
    intake->rested_ms = progress_clock_ms();
    intake->rested_bytes = state->start;
    bool ok = select_posts(input, member, &job, state, err);
    progress_end(&progress);
    if (ok && state->scan.rows == 0)
        return err_set(err, ERR_INPUT, "%s: has no posts",
                       input_member(input, member)->place);
    return ok && intake_census(intake, &state->tally, err) &&
           intake_health(intake, &state->health, err) &&
           note_broken(intake, input_member(input, member), err) &&
           note_file(intake, input_member(input, member), err) &&
           intake_step_done(intake, err);
}

bool intake_dump(struct intake *intake, struct err *err)
{
    struct input *input;

    if (!input_open(intake->source->paths[intake->path_number], &input, err))
        return false;
    bool ok = read_posts(intake, input, err);
    input_close(input);
    return ok;
}
