/* Blocks are made by threads and written in order; all files come into being together. */
#include "synth/internal.h"

#include "base/file.h"
#include "base/parallel.h"
#include "base/stop.h"

enum { MARGINALS_BYTES_MAX = 16 * 1024 * 1024 };

/* Whether the file is a truth.json of ours; one that cannot be read is not. */
static bool is_ours(const char *path, struct arena *arena, bool *ours, struct err *err)
{
    struct str text = {0};

    *ours = false;
    if (!file_exists(path) || file_size(path) > MARGINALS_BYTES_MAX)
        return true;
    if (!file_read_max(path, MARGINALS_BYTES_MAX, arena, &text, err))
        return false;
    *ours = str_starts(text, STR("{\n  \"made_by\": \"assay synth"));
    return true;
}

/* Some dumps are unpacked with names in lower case. */
static const char *lower(const char *name, struct arena *arena)
{
    char *copy = arena_c_string(arena, str_from(name));

    for (char *c = copy; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    return copy;
}

bool synth_folder_is_simulated(const char *folder, struct arena *arena, bool *simulated,
                               struct err *err)
{
    return is_ours(file_join(folder, SYNTH_FOLDER_MARGINALS, arena), arena, simulated,
                   err);
}

bool synth_folder_check(const char *folder, struct arena *arena, struct err *err)
{
    const char *marginals = file_join(folder, SYNTH_FOLDER_MARGINALS, arena);
    bool ours, begun;

    for (int i = 0; i <= SYNTH_FILES; i++) {
        const char *name = i < SYNTH_FILES ? synth_file_name((enum synth_file)i)
                                           : SYNTH_FOLDER_MARGINALS;
        if (file_is_folder(file_join(folder, name, arena)))
            return err_set(err, ERR_INPUT,
                           "%s: holds a folder %s; expected a new or "
                           "empty folder",
                           folder, name);
    }
    if (!is_ours(marginals, arena, &ours, err) ||
        !is_ours(file_join(folder, "truth.json.part", arena), arena, &begun, err))
        return false;
    for (int i = 0; i <= SYNTH_FILES && !ours; i++) {
        const char *name = i < SYNTH_FILES ? synth_file_name((enum synth_file)i)
                                           : SYNTH_FOLDER_MARGINALS;
        if (begun && i < SYNTH_FILES)
            continue;
        if (!file_exists(file_join(folder, name, arena)))
            name = lower(name, arena);
        if (file_exists(file_join(folder, name, arena)))
            return err_set(
                err, ERR_INPUT,
                "%s: holds %s, which assay synth did not write; expected a new "
                "or empty folder",
                folder, name);
    }
    return true;
}

bool synth_folder_lock(const char *path, struct lock *lock, struct err *err)
{
    for (int tries = 0; tries < 10; tries++) {
        if (!lock_take(path, "assay synth", lock, err))
            return false;
        if (file_exists(path))
            return true;
        lock_release(lock);
    }
    return err_set(err, ERR_SYSTEM, "cannot lock %s: others come and go", path);
}

/* Blocks are made by threads and written in order; all files come into being together. */

enum { USERS_PER_PIECE = 4096 };

static const struct {
    const char *name, *root;
} files[SYNTH_FILES] = {
    [SYNTH_POSTS] = {"Posts.xml", "posts"},
    [SYNTH_USERS] = {"Users.xml", "users"},
    [SYNTH_TAGS] = {"Tags.xml", "tags"},
    [SYNTH_COMMENTS] = {"Comments.xml", "comments"},
    [SYNTH_VOTES] = {"Votes.xml", "votes"},
    [SYNTH_POST_LINKS] = {"PostLinks.xml", "postlinks"},
    [SYNTH_TRUTH] = {"truth.csv", NULL},
};

static const char lock_name[] = ".assay-lock";

const char *synth_file_name(enum synth_file file)
{
    return files[file].name;
}

/* The word at a place of "a|b|c". */
static struct str word_at(const char *words, int place)
{
    struct str rest = str_from(words), word = STR("");

    for (int i = 0; i <= place; i++)
        str_cut(&rest, '|', &word);
    return word;
}

struct str synth_layout_name(enum synth_layout layout)
{
    return word_at(SYNTH_LAYOUTS, (int)layout);
}

struct str synth_damage_name(enum synth_damage damage)
{
    return damage == SYNTH_WHOLE ? STR("none") : word_at(SYNTH_DAMAGES, (int)damage - 1);
}

struct write_job {
    const struct synth_options *options;
    struct synth_render_context context;
    struct synth_plan_ids *first; /* by block, and one more for the end */
    struct synth_summary *summary;
    struct progress *progress;
    struct file_out *out[SYNTH_FILES];
    struct file_out *marginals;
    struct buf planted; /* rows of planted.csv */
    size_t pieces;
};

static bool put(struct write_job *job, enum synth_file file, struct str text,
                struct err *err)
{
    return file_out_write(job->out[file], text, err);
}

static bool begin_files(struct write_job *job, const char *folder, struct arena *arena,
                        struct err *err)
{
    static const char comment[] =
        "<!--\n  ContentLicense\n\n"
        "  CC BY-SA 2.5 - Url: https://creativecommons.org/licenses/by-sa/2.5/\n"
        "  CC BY-SA 3.0 - Url: https://creativecommons.org/licenses/by-sa/3.0/\n"
        "  CC BY-SA 4.0 - Url: https://creativecommons.org/licenses/by-sa/4.0/\n"
        "  -->\n";
    bool commented = job->options->layout == SYNTH_2025_COMMENT;
    const char *newline = synth_render_newline(job->options->layout);
    struct buf head = {0};
    bool ok = true;

    for (int i = 0; i < SYNTH_FILES && ok; i++) {
        const char *path = file_join(folder, files[i].name, arena);
        buf_clear(&head);
        if (files[i].root == NULL)
            buf_add(&head,
                    STR("id,created,year,framework,kind,second_kind,root_cause,how_to,"
                        "phase,object,verb,platform,challenge,bug_type,bug_cause,"
                        "bug_effect,bug_stage,code,endorsed,closed,answers,"
                        "accepted_answer_id,wait_ms,first_wait_ms,views,score,asker,"
                        "damage\n"));
        else
            buf_add_format(&head,
                           "%s<?xml version=\"1.0\" encoding=\"utf-8\"?>%s%s<%s>%s",
                           commented ? "" : "\xEF\xBB\xBF", newline,
                           commented ? comment : "", files[i].root, newline);
        if (i == SYNTH_USERS)
            buf_add_format(&head,
                           "  <row Id=\"-1\" Reputation=\"1\" "
                           "CreationDate=\"2008-07-31T00:00:00.000\" "
                           "DisplayName=\"Community\" "
                           "LastAccessDate=\"2008-08-26T00:16:53.810\" "
                           "Location=\"on the server farm\" Views=\"649\" "
                           "UpVotes=\"0\" DownVotes=\"0\" AccountId=\"-1\" />%s",
                           newline);
        ok = file_out_open(path, &job->out[i], err) &&
             put(job, (enum synth_file)i, buf_str(&head), err);
    }
    job->summary->files[SYNTH_USERS].rows = 1;
    buf_free(&head);
    return ok;
}

/* A file that was cut is closed by nothing. */
static bool end_files(struct write_job *job, struct err *err)
{
    struct buf tail = {0};
    bool ok = true;

    for (int i = 0; i < SYNTH_FILES && ok; i++) {
        buf_clear(&tail);
        bool cut = i == SYNTH_POSTS && job->options->damage == SYNTH_CUT_FILE;
        if (!cut && files[i].root != NULL)
            buf_add_format(&tail, "</%s>%s", files[i].root,
                           synth_render_newline(job->options->layout));
        ok = put(job, (enum synth_file)i, buf_str(&tail), err);
    }
    buf_free(&tail);
    return ok;
}

_Static_assert(sizeof(struct synth_counts) % sizeof(int64_t) == 0, "only counts");

static void add_counts(struct synth_counts *to, const struct synth_counts *from)
{
    int64_t *sum = (int64_t *)(void *)to;
    const int64_t *more = (const int64_t *)(const void *)from;

    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += more[i];
}

/* Writes all tables that rows holds. */
static bool put_rows(struct write_job *job, const struct synth_render *rows,
                     struct err *err)
{
    int64_t bytes = 0, count = 0;

    if (!stop_check(err))
        return false;
    for (int i = 0; i < SYNTH_FILES; i++) {
        if (!put(job, (enum synth_file)i, buf_str(&rows->tables[i]), err))
            return false;
        bytes += (int64_t)rows->tables[i].len;
        count += rows->counts_of[i];
        job->summary->files[i].rows += rows->counts_of[i];
    }
    add_counts(&job->summary->counts, &rows->counts);
    buf_add(&job->planted, buf_str(&rows->planted));
    progress_add(job->progress, bytes, count);
    return true;
}

static void count_piece(void *context, size_t block, void *slot)
{
    struct write_job *job = context;

    synth_render_count(&job->context, block, slot);
}

static bool take_count(void *context, size_t block, void *slot, struct err *err)
{
    struct write_job *job = context;
    const struct synth_plan_ids *used = &((const struct synth_render *)slot)->used;
    const struct synth_plan_ids *at = &job->first[block];

    job->first[block + 1] =
        (struct synth_plan_ids){.posts = at->posts + used->posts,
                                .comments = at->comments + used->comments,
                                .votes = at->votes + used->votes,
                                .links = at->links + used->links};
    progress_add(job->progress, 0, used->posts);
    return stop_check(err);
}

static void make_piece(void *context, size_t block, void *slot)
{
    struct write_job *job = context;

    synth_render_make(&job->context, block, slot);
}

static bool take_piece(void *context, size_t block, void *slot, struct err *err)
{
    struct write_job *job = context;

    if (!put_rows(job, slot, err))
        return false;
    /* All blocks are about equally large: that is what the time left rests on. */
    job->progress->bytes_all = (int64_t)((double)job->progress->bytes /
                                         (double)(block + 1) * (double)job->pieces);
    return true;
}

static void make_users(void *context, size_t piece, void *slot)
{
    struct write_job *job = context;
    int64_t first = 1 + (int64_t)piece * USERS_PER_PIECE, end = first + USERS_PER_PIECE;

    if (end > job->context.plan->users + 1)
        end = job->context.plan->users + 1;
    synth_render_make_users(&job->context, first, end, slot);
}

static bool take_users(void *context, size_t piece, void *slot, struct err *err)
{
    (void)piece;
    return put_rows(context, slot, err);
}

/* Tags are known when all questions are, and their wikis are posts. */
static bool put_last_rows(struct write_job *job, struct synth_render *rows,
                          struct err *err)
{
    int64_t next_post = job->first[job->context.plan->blocks].posts;
    bool planted = job->options->layout == SYNTH_2025_COMMENT;
    bool cut = job->options->damage == SYNTH_CUT_FILE;

    synth_render_make_tags(&job->context, &job->summary->counts, &next_post, rows);
    if (cut && !planted)
        synth_render_cut(rows);
    if (!put_rows(job, rows, err))
        return false;
    if (!planted)
        return true;
    synth_render_make_planted(&job->context, rows);
    if (cut)
        synth_render_cut(rows);
    return put_rows(job, rows, err);
}

/* Another clock for another kind of work. */
static void begin_progress(struct progress *progress, const char *what)
{
    progress_end(progress);
    progress->what = what;
    progress->bytes = progress->bytes_all = progress->rows = 0;
    progress->begun_ms = progress_clock_ms();
}

static bool put_all(struct write_job *job, struct arena *arena, struct err *err)
{
    int threads = job->options->threads;
    size_t count = parallel_slots(threads), blocks = job->context.plan->blocks;
    struct synth_render *slots = arena_array(arena, struct synth_render, count);
    void **pointers = arena_array(arena, void *, count);
    struct parallel_job work = {
        .threads = threads, .context = job, .slots = pointers, .pieces = blocks};
    bool ok;

    for (size_t i = 0; i < count; i++)
        pointers[i] = &slots[i];
    job->first[0] =
        (struct synth_plan_ids){.posts = 1, .comments = 1, .votes = 1, .links = 1};
    const char *what = job->progress->what;
    begin_progress(job->progress, "planning");
    work.make = count_piece;
    work.take = take_count;
    ok = parallel_run(&work, err);
    begin_progress(job->progress, what);
    work.make = make_piece;
    work.take = take_piece;
    job->pieces = blocks;
    ok = ok && parallel_run(&work, err);
    work.make = make_users;
    work.take = take_users;
    work.pieces =
        (size_t)((job->context.plan->users + USERS_PER_PIECE - 1) / USERS_PER_PIECE);
    ok = ok && parallel_run(&work, err) && put_last_rows(job, &slots[0], err) &&
         end_files(job, err);
    for (size_t i = 0; i < count; i++)
        synth_render_free(&slots[i]);
    return ok;
}

/* What a full disk could refuse: everything is there, but under no name. */
static bool finish_files(struct write_job *job, const char *folder, struct arena *arena,
                         struct err *err)
{
    struct buf text = {0};
    bool ok = true;

    for (int i = 0; i < SYNTH_FILES && ok; i++) {
        job->summary->files[i].bytes = file_out_size(job->out[i]);
        job->summary->files[i].hash = file_out_hash(job->out[i]);
        ok = file_out_finish(job->out[i], err);
    }
    synth_census_json(job->options, job->summary, &text);
    ok = ok &&
         file_out_open(file_join(folder, SYNTH_FOLDER_MARGINALS, arena), &job->marginals,
                       err) &&
         file_out_write(job->marginals, buf_str(&text), err) &&
         file_out_finish(job->marginals, err);
    buf_free(&text);
    return ok;
}

static bool commit(struct file_out **out, struct err *err)
{
    struct file_out *file = *out;

    *out = NULL;
    return file_out_commit(file, err);
}

/* Gives every file its name; truth.json last, for it says that the others are whole. An
 * older one is taken away first, so that it never stands beside files that it does not
 * speak of; until the end truth.json.part says whose folder it is. When a name cannot be
 * given, what is left of the older dump is worth nothing and goes, too. */
static bool commit_files(struct write_job *job, const char *folder, struct arena *arena,
                         struct err *err)
{
    const char *marginals = file_join(folder, SYNTH_FOLDER_MARGINALS, arena);
    bool replaces = file_exists(marginals), ok = true;

    if (replaces)
        file_remove(marginals);
    for (int i = 0; i < SYNTH_FILES && ok; i++)
        ok = commit(&job->out[i], err);
    ok = ok && commit(&job->marginals, err);
    for (int i = 0; i < SYNTH_FILES && !ok; i++) {
        const char *path = file_join(folder, files[i].name, arena);
        if ((replaces || job->out[i] == NULL) && !file_is_folder(path))
            file_remove(path);
    }
    return ok;
}

/* One of an older dump is no truth of this one. */
static bool put_planted(struct write_job *job, const char *folder, struct arena *arena,
                        struct err *err)
{
    const char *path = file_join(folder, SYNTH_FOLDER_PLANTED, arena);
    struct buf text = {0};

    if (!job->options->plant) {
        file_remove(path);
        return true;
    }
    buf_add(&text, STR("id,what,planted,as\n"));
    buf_add(&text, buf_str(&job->planted));
    bool ok = file_write(path, buf_str(&text), err);
    buf_free(&text);
    return ok;
}

static bool write_locked(struct write_job *job, const char *folder, struct arena *arena,
                         struct err *err)
{
    bool ok =
        synth_folder_check(folder, arena, err) && begin_files(job, folder, arena, err) &&
        put_all(job, arena, err) && put_planted(job, folder, arena, err) &&
        finish_files(job, folder, arena, err) && commit_files(job, folder, arena, err);

    progress_end(job->progress);
    for (int i = 0; i < SYNTH_FILES; i++)
        file_out_discard(job->out[i]);
    file_out_discard(job->marginals);
    buf_free(&job->planted);
    return ok;
}

bool synth_write(const struct synth_options *options, struct progress *progress,
                 struct arena *arena, struct synth_summary *summary, struct err *err)
{
    struct write_job job = {.options = options, .summary = summary, .progress = progress};
    const char *made = NULL, *lock_path = file_join(options->folder, lock_name, arena);
    struct lock lock;
    struct synth_text *text;
    struct synth_plan plan;

    *summary = (struct synth_summary){0};
    if (!synth_model_load(options->settings, arena, &summary->model, err) ||
        !synth_text_load(arena, &text, err) ||
        !synth_folder_check(options->folder, arena, err) ||
        !file_make_folder(options->folder, arena, &made, err))
        return false;
    plan = synth_plan_make(&summary->model, options->seed, options->questions,
                           options->background);
    job.first = arena_array(arena, struct synth_plan_ids, plan.blocks + 1);
    job.context = (struct synth_render_context){
        .options = options, .plan = &plan, .text = text, .first = job.first};
    bool ok = synth_folder_lock(lock_path, &lock, err);
    if (ok) {
        ok = write_locked(&job, options->folder, arena, err);
        file_remove(lock_path); /* before it is released, so that none finds it free */
        lock_release(&lock);
    }
    if (!ok && made != NULL) /* no folder that we made */
        file_remove_folders(options->folder, made);
    return ok;
}
