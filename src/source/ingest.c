/* Goes from source to source, and knows what a corpus rests on: whether it has to be made
 * anew, and what its content is called. */
#include "source/ingest.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "source/commits.h"
#include "source/intake.h"

enum { ENGINE = 8 }; /* changes when the same sources would give another corpus */

/* --- what the corpus rests on --- */

/* How all sources are read. */
static void add_rules(struct buf *out, const struct source_ingest_options *options)
{
    buf_add_format(out, "engine %d\nbroken rows %s\n", ENGINE,
                   options->skip_broken ? "skipped" : "refused");
}

/* How this one is read. */
static void add_settings(struct buf *out, const struct source_ingest_source *source)
{
    if (source->site.len > 0)
        buf_add_format(out, "site %.*s\n", STR_ARG(source->site));
    if (source->also != 0) {
        buf_add(out, STR("also"));
        for (unsigned i = 0; i < ITEM_ALSO; i++)
            if (source->also >> i & 1)
                buf_add_format(out, " %.*s", STR_ARG(item_also_name((enum item_also)i)));
        buf_add_char(out, '\n');
    }
    if (source->until_ms != INT64_MAX)
        buf_add_format(out, "until %lld\n", (long long)source->until_ms);
    if (source->mapping != NULL)
        buf_add_format(out, "mapping %s\n", source->mapping);
    if (source->dates_count > 0)
        buf_add_format(out, "dates of %.*s\n", STR_ARG(source->dates_of));
    for (size_t i = 0; i < source->field_count; i++)
        buf_add_format(out, "field %.*s=%.*s\n", STR_ARG(source->fields[i].name),
                       STR_ARG(source->fields[i].column));
}

static const char *name_of(const struct source_ingest_source *source, size_t number)
{
    return source->names != NULL ? source->names[number] : source->paths[number];
}

/* The members that the recorded key has for the path at the end of this one; none when it
 * does not have it. */
static void add_recorded(struct buf *key, size_t path_begin, struct str recorded)
{
    struct str path = str_slice(buf_str(key), path_begin, key->len), line;

    while (recorded.len > 0 && !str_starts(recorded, path))
        str_cut(&recorded, '\n', &line);
    recorded = str_slice(recorded, path.len, recorded.len);
    while (str_starts(recorded, STR("  "))) {
        str_cut(&recorded, '\n', &line);
        buf_add(key, line);
        buf_add_char(key, '\n');
    }
}

static bool is_there(const struct source_ingest_source *source, const char *path)
{
    return source->kind->is_there != NULL ? source->kind->is_there(path)
                                          : file_exists(path);
}

/* What is not there is taken to be as it was. */
static bool add_path(struct buf *key, const struct source_ingest_source *source,
                     const char *path, const char *name, struct str recorded,
                     struct err *err)
{
    struct input *input;
    size_t begin = key->len;

    if (strcmp(path, "-") == 0)
        return err_set(err, ERR_INPUT,
                       "standard input cannot be a source: it can be read but once");
    buf_add_format(key, "path %s\n", name);
    if (!is_there(source, path)) {
        add_recorded(key, begin, recorded);
        return true;
    }
    if (source->kind->add_state != NULL)
        return source->kind->add_state(path, key, err);
    if (!input_open(path, &input, err))
        return false;
    source->kind->add_members(input, key);
    input_close(input);
    return true;
}

static bool make_key(const struct source_ingest_options *options, struct str recorded,
                     struct buf *key, struct err *err)
{
    add_rules(key, options);
    if (options->servers.len > 0)
        buf_add_format(key, "store %.*s\n", STR_ARG(options->servers));
    buf_add(key, STR("questions "));
    query_print(options->query, key);
    buf_add_char(key, '\n');
    for (size_t i = 0; i < options->source_count; i++) {
        const struct source_ingest_source *source = &options->sources[i];
        buf_add_format(key, "source %.*s\nkind %s\n", STR_ARG(source->name),
                       source->kind->stored);
        add_settings(key, source);
        for (size_t p = 0; p < source->path_count; p++)
            if (!add_path(key, source, source->paths[p], name_of(source, p), recorded,
                          err))
                return false;
        for (size_t p = 0; p < source->dates_count; p++)
            if (!add_path(key, source, source->dates[p], source->dates_names[p], recorded,
                          err))
                return false;
    }
    return true;
}

/* By the first line in which the keys differ. */
static struct str difference(struct str old, struct str new)
{
    static const struct {
        struct str begin, reason;
    } kinds[] = {
        {STR_INIT("engine "), STR_INIT("this assay reads sources in another way")},
        {STR_INIT("broken rows "), STR_INIT("broken rows are treated in another way")},
        {STR_INIT("store "), STR_INIT("it is to be kept elsewhere")},
        {STR_INIT("also"), STR_INIT("other tables are to be taken")},
        {STR_INIT("questions "), STR_INIT("other questions are needed")},
    };
    struct str old_line, line;

    do {
        str_cut(&old, '\n', &old_line);
        str_cut(&new, '\n', &line);
    } while (str_eq(old_line, line) && new.len > 0);
    for (size_t i = 0; i < ROWS_OF(kinds); i++)
        if (str_starts(line, kinds[i].begin))
            return kinds[i].reason;
    return STR("the sources have changed");
}

static const struct source_ingest_source *
find_absent(const struct source_ingest_options *options, size_t *path)
{
    for (size_t i = 0; i < options->source_count; i++)
        for (size_t p = 0; p < options->sources[i].path_count; p++)
            if (!is_there(&options->sources[i], options->sources[i].paths[p])) {
                *path = p;
                return &options->sources[i];
            }
    return NULL;
}

/* The key of the corpus that is there, or why it is of no use. */
static struct str recorded_key(const struct source_ingest_options *options,
                               struct arena *arena, struct str *reason)
{
    struct err ignored = {0};
    struct str key = {0};

    *reason = STR("there is none yet");
    if (!file_exists(options->corpus))
        return key;
    /* To bring it to this schema is of use only where it cannot be made anew. */
    size_t path;
    *reason = STR("it was made by an older assay");
    if (store_is_old(options->corpus) && find_absent(options, &path) == NULL)
        return key;
    *reason = STR("it cannot be read");
    if (store_recorded_key(options->corpus, arena, &key, &ignored))
        *reason = STR("");
    return key;
}

const char *source_ingest_absent(const struct source_ingest_options *options)
{
    size_t path;
    const struct source_ingest_source *source = find_absent(options, &path);

    return source != NULL ? name_of(source, path) : NULL;
}

/* What has to be read must be there. */
static bool check_there(const struct source_ingest_options *options, struct err *err)
{
    size_t path;
    const struct source_ingest_source *source = find_absent(options, &path);
    struct input *input;

    if (source == NULL)
        return true;
    if (options->tell_absent != NULL)
        return options->tell_absent(options->context, source->paths[path], err);
    if (!input_open(source->paths[path], &input, err))
        return false;
    input_close(input); /* it has come just now */
    return true;
}

/* The next line that says which items a corpus holds, not how it was made; empty: none.
 */
static struct str next_held(struct str *key)
{
    static const struct str begins[] = {STR_INIT("questions "), STR_INIT("source "),
                                        STR_INIT("kind "),      STR_INIT("until "),
                                        STR_INIT("mapping "),   STR_INIT("field "),
                                        STR_INIT("path "),      STR_INIT("  ")};
    struct str line;

    while (key->len > 0) {
        str_cut(key, '\n', &line);
        for (size_t i = 0; i < ROWS_OF(begins); i++)
            if (str_starts(line, begins[i]))
                return line;
    }
    return (struct str){0};
}

/* A corpus that an older assay made of the same sources, which are not there any more, is
 * taken as it is; unless it holds several sites, which older ones mixed up. */
static bool is_kept(const struct source_ingest_options *options, struct str recorded,
                    struct str wanted)
{
    size_t ignored;

    if (find_absent(options, &ignored) == NULL)
        return false;
    for (size_t i = 0; i < options->source_count; i++)
        if (options->sources[i].kind->site && options->sources[i].space > 0)
            return false;
    for (;;) {
        struct str old = next_held(&recorded), new = next_held(&wanted);
        if (!str_eq(old, new))
            return false;
        if (old.len == 0)
            return true;
    }
}

/* The key that the corpus is to have, and why the one that is there has not. */
static bool compare_keys(const struct source_ingest_options *options, struct buf *key,
                         struct str *reason, struct err *err)
{
    struct arena arena = {0};
    struct str recorded = recorded_key(options, &arena, reason);
    bool ok = make_key(options, recorded, key, err);

    if (ok && reason->len == 0 && !str_eq(recorded, buf_str(key)) &&
        !is_kept(options, recorded, buf_str(key)))
        *reason = difference(recorded, buf_str(key));
    arena_free(&arena);
    return ok && (reason->len == 0 || check_there(options, err));
}

bool source_ingest_reason(const struct source_ingest_options *options, struct str *reason,
                          struct err *err)
{
    struct buf key = {0};
    bool ok = compare_keys(options, &key, reason, err);

    buf_free(&key);
    return ok;
}

static bool store_sources(struct source_intake *intake, struct err *err)
{
    const struct source_ingest_options *options = intake->options;
    struct buf settings = {0};
    bool ok = store_begin(intake->corpus, err);

    for (size_t i = 0; i < options->source_count && ok; i++) {
        const struct source_ingest_source *source = &options->sources[i];
        buf_clear(&settings);
        add_settings(&settings, source);
        struct store_source stored = {(int64_t)i, source->name,
                                      str_from(source->kind->stored), buf_str(&settings)};
        ok = store_add(intake->corpus, STORE_SOURCE, &stored, err);
    }
    buf_free(&settings);
    return ok && store_commit(intake->corpus, err);
}

/* What the corpus is called, however it came about. */
static bool store_identity(struct source_intake *intake, struct err *err)
{
    struct buf rules = {0};
    uint64_t hash;
    char digits[17];

    add_rules(&rules, intake->options);
    bool ok = store_sources_hash(intake->corpus, buf_str(&rules), &hash, err);
    buf_free(&rules);
    if (!ok)
        return false;
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    return store_set_state(intake->corpus, STR("dump-id"), str_from(digits), err);
}

/* --- the reading --- */

/* Where an interrupted ingest had come to. */
static bool load_place(struct source_intake *intake, struct err *err)
{
    struct arena arena = {0};
    struct str packed;
    bool ok = store_get_state(intake->corpus, STR("place"), &arena, &packed, err);

    if (ok && packed.len > sizeof intake->step) {
        memcpy(&intake->step, packed.ptr, sizeof intake->step);
        ok = dump_select_load(&intake->state,
                              str_slice(packed, sizeof intake->step, packed.len)) ||
             err_set(err, ERR_INPUT, "%s.part: cannot be gone on with; remove it",
                     intake->options->corpus);
    }
    arena_free(&arena);
    return ok;
}

/* Those of the source's site, as the site numbers them. */
static bool fill_ids(struct source_intake *intake, struct err *err)
{
    idset_free(&intake->posts);
    idset_free(&intake->users);
    return intake->source->also == 0 ||
           store_post_ids(intake->corpus, intake->source->space, &intake->posts,
                          &intake->users, err);
}

static bool read_sources(struct source_intake *intake, struct err *err)
{
    size_t steps = source_intake_steps(intake->options);
    struct arena arena = {0};
    bool ok = true;

    while (ok && intake->step < steps) {
        source_intake_turn_to(intake, intake->step, &arena);
        query_relations_forget(intake->relations); /* those of another source */
        ok = intake->source->kind->take(intake, err);
    }
    for (size_t i = 0; i < steps && ok; i++) {
        source_intake_turn_to(intake, i, &arena);
        if (intake->source->kind->take_more != NULL)
            ok = fill_ids(intake, err) && intake->source->kind->take_more(intake, err);
    }
    intake->prefix = "";
    arena_free(&arena);
    return ok;
}

/* What only the stored posts tell. */
static bool keep_findings(struct source_intake *intake, struct err *err)
{
    const struct source_ingest_result *result = intake->result;
    const struct store_counts *stored = &result->stored;
    int64_t negative, unpaired, several;

    return store_doubts(intake->corpus, &negative, &unpaired, &several, err) &&
           source_intake_number(intake, "stored: questions", stored->questions, err) &&
           source_intake_number(intake, "stored: answers", stored->answers, err) &&
           (stored->rows == 0 ||
            source_intake_number(intake, "stored: rows of tables", stored->rows, err)) &&
           (several == 0 ||
            source_intake_number(intake, "stored: items that several sources hold",
                                 several, err)) &&
           source_intake_number(intake, "stored: negative waits", negative, err) &&
           source_intake_number(intake, "stored: accepted answers missing", unpaired,
                                err) &&
           (intake->count_tables ||
            (source_intake_number(intake, "tags in Tags.xml", result->tags_checked,
                                  err) &&
             source_intake_number(intake,
                                  "tags whose number of questions differs from Tags.xml",
                                  result->tags_differ, err)));
}

static bool finish(struct source_intake *intake, struct err *err)
{
    return store_counts(intake->corpus, &intake->result->stored, err) &&
           store_begin(intake->corpus, err) && keep_findings(intake, err) &&
           store_identity(intake, err) && store_commit(intake->corpus, err) &&
           store_health(intake->corpus, &intake->result->health, err);
}

static void look_at_sources(struct source_intake *intake)
{
    const struct source_ingest_options *options = intake->options;

    intake->origins = options->source_count > 1;
    intake->count_tables = true;
    for (size_t i = 0; i < options->source_count; i++) {
        intake->origins |= options->sources[i].name.len > 0;
        intake->count_tables &= !options->sources[i].kind->census;
    }
}

static void release(struct source_intake *intake)
{
    dump_select_state_free(&intake->state);
    dump_judge_close(&intake->judge);
    buf_free(&intake->packed);
    idset_free(&intake->posts);
    idset_free(&intake->users);
    query_free(intake->query);
    query_relations_close(intake->relations);
    source_commits_histories_close(intake->histories);
}

bool source_ingest_run(const struct source_ingest_options *options,
                       struct source_ingest_result *result, struct err *err)
{
    struct source_intake intake = {.options = options, .result = result, .prefix = ""};
    struct buf key = {0};
    struct str reason;
    bool ok = false;

    *result = (struct source_ingest_result){0};
    if (!compare_keys(options, &key, &reason, err))
        goto done;
    if (reason.len == 0) {
        result->up_to_date = true;
        ok = true;
        goto done;
    }
    struct query_options how = {0};
    if (!query_relations_open(&options->query, 1, &intake.relations, err))
        goto done;
    how.relations = intake.relations;
    if (!query_compile(options->query, how, &intake.query, err))
        goto done;
    struct query_needs needs = query_needs(options->query);
    dump_judge_open(&intake.judge, intake.query, &needs);
    look_at_sources(&intake);
    if (!store_build_on(options->corpus, buf_str(&key), options->servers, &intake.corpus,
                        &result->resumed, err))
        goto done;
    ok = load_place(&intake, err) && store_sources(&intake, err) &&
         read_sources(&intake, err) && finish(&intake, err);
    if (ok)
        ok = store_finish(intake.corpus, err);
    else
        store_close(intake.corpus);
done:
    release(&intake);
    buf_free(&key);
    return ok;
}
