/* The first step: the corpus. */
#include <string.h>

#include "base/file.h"
#include "run/run.h"
#include "store/corpus.h"

/* A name with a comma or quote stands in quotes, doubled inside. */
static void add_column(struct buf *out, struct str name)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, name.ptr[i]);
    }
    buf_add_char(out, '"');
}

static const char *mapping_of(const struct study_source *source, struct arena *arena)
{
    struct buf text = {0};

    if (source->column_count == 0)
        return NULL;
    for (size_t i = 0; i < source->column_count; i++) {
        buf_add_format(&text, "%s%.*s=", i > 0 ? ", " : "",
                       STR_ARG(source->columns[i].key));
        add_column(&text, source->columns[i].value);
    }
    return buf_keep(&text, arena).ptr;
}

static struct source_ingest_source source_of(const struct study *study, size_t number,
                                             struct arena *arena)
{
    const struct study_source *source = &study->sources[number];
    struct source_ingest_field *fields =
        arena_array(arena, struct source_ingest_field, source->field_count + 1);

    for (size_t i = 0; i < source->field_count; i++)
        fields[i] =
            (struct source_ingest_field){source->fields[i].key, source->fields[i].value};
    return (struct source_ingest_source){
        .site = source->site,
        .space = study->spaces.at[number].space,
        .also = source->also,
        .name = source->name,
        .kind = source->kind,
        .paths = (const char *const *)source->paths,
        .names = (const char *const *)source->names,
        .path_count = source->path_count,
        .mapping = mapping_of(source, arena),
        .fields = fields,
        .field_count = source->field_count,
        .dates_of = source->dates_of,
        .dates = (const char *const *)source->dates,
        .dates_names = (const char *const *)source->dates_names,
        .dates_count = source->dates_count,
        .until_ms = source->until_ms,
    };
}

static bool tell_absent(const void *study, const char *path, struct err *err)
{
    return study_tell_absent(study, path, err);
}

struct source_ingest_options run_ingest_options(const struct study *study,
                                                const struct run_options *options,
                                                struct arena *arena)
{
    struct source_ingest_source *sources =
        arena_array(arena, struct source_ingest_source, study->source_count + 1);

    for (size_t i = 0; i < study->source_count; i++)
        sources[i] = source_of(study, i, arena);
    return (struct source_ingest_options){
        .corpus = file_join(study->home, "corpus.db", arena),
        .servers = study->servers,
        .sources = sources,
        .source_count = study->source_count,
        .query = study_needed(study, arena),
        .skip_broken = options->skip_broken,
        .rest_bytes = options->rest_bytes,
        .threads = options->threads,
        .quiet = options->quiet,
        .descriptor = options->descriptor,
        .tell_absent = tell_absent,
        .context = study,
    };
}

/* From the corpus, which holds the findings: after an interruption, too, or when the file
 * is not as it was left. */
static bool write_health(const struct study *study, const char *path,
                         struct buf *troubles, struct err *err)
{
    struct arena arena = {0};
    const char *out = file_join(study->home, "out", &arena), *made;
    const char *health = file_join(out, "health.md", &arena);
    struct store *corpus = NULL;
    struct buf text = {0};
    struct err ignored = {0};
    struct str there = {0};
    struct result_health found;
    bool ok = store_open(path, study->servers, &corpus, err) &&
              store_findings(corpus, &arena, &found, err);

    if (ok) {
        result_health_markdown(&found, &text);
        result_health_troubles(&found, troubles);
    }
    if (ok && !(file_exists(health) && file_read(health, &arena, &there, &ignored) &&
                str_eq(there, buf_str(&text))))
        ok = file_make_folder(out, &arena, &made, err) &&
             file_write(health, buf_str(&text), err);
    store_close(corpus);
    buf_free(&text);
    arena_free(&arena);
    return ok;
}

/* What queries may not mean. Stack Overflow's search, whose language it is, reads a
 * number alone in another way. */
static void tell_queries(const struct study *study, const struct run_options *options,
                         struct arena *arena)
{
    const struct query_node *bare;
    struct buf says = {0};

    if (study->synonyms_left_out > 0) {
        buf_add_format(&says, "synonyms: %lld left out: not approved",
                       (long long)study->synonyms_left_out);
        options->warn(options->context, buf_str(&says));
    }
    for (size_t i = 0; i < study->set_count; i++) {
        if (query_or_more(study->sets[i].query, arena, &bare) == NULL)
            continue;
        struct str name = query_field_name(bare->field);
        long long number = (long long)bare->min;
        buf_clear(&says);
        buf_add_format(&says,
                       "set %.*s: %.*s:%lld is exactly %lld; Stack Overflow's own search "
                       "reads it as that or more: write %.*s=%lld or %.*s:%lld.. to say "
                       "which is meant",
                       STR_ARG(study->sets[i].name), STR_ARG(name), number, number,
                       STR_ARG(name), number, STR_ARG(name), number);
        options->warn(options->context, buf_str(&says));
    }
    buf_free(&says);
}

bool run_ingest(const struct study *study, const struct run_options *options,
                struct source_ingest_result *result, struct err *err)
{
    struct arena arena = {0};
    struct source_ingest_options wanted = run_ingest_options(study, options, &arena);
    struct buf troubles = {0};
    bool ok = source_ingest_run(&wanted, result, err) &&
              write_health(study, wanted.corpus, &troubles, err);
    const char *absent = ok ? source_ingest_absent(&wanted) : NULL;
    struct buf says = {0};

    if (absent != NULL) {
        buf_add_format(&says, "%s is not there: taken to be unchanged", absent);
        options->tell(options->context, STR("corpus"), "kept", buf_str(&says));
        buf_clear(&says);
    }
    if (ok && !result->up_to_date && troubles.len > 0 && options->warn != NULL) {
        buf_add_format(&says, "see %s: %.*s",
                       file_join(study->home, "out/health.md", &arena),
                       STR_ARG(buf_str(&troubles)));
        options->warn(options->context, buf_str(&says));
    }
    if (ok && !result->up_to_date && options->warn != NULL)
        tell_queries(study, options, &arena);
    buf_free(&says);
    buf_free(&troubles);
    buf_free(&result->health);
    arena_free(&arena);
    return ok;
}
