/* assay pack: a slow archive, once, into a fast one. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/cmd.h"
#include "input/input.h"

struct pack_args {
    const char *source, *out, *as;
    int64_t threads;
    bool quiet;
};

#define AT(field) offsetof(struct pack_args, field)

static const struct cmd_operand operands[] = {
    {"SOURCE", AT(source), "a dump in any form that assay scan reads", true},
    {0},
};

static const struct cmd_option options[] = {
    {"--out", CMD_TEXT, AT(out), "FILE",
     .help = "where to; for a source of several tables a folder. By default the source's "
             "name with .zst or .lz4, or -packed for a folder"},
    {"--as", CMD_CHOICE, AT(as), "KIND",
     .help =
         "lz4 is read 1.7 times as fast as zstd; packing takes four times as long, and "
         "real posts need a tenth more room. By default lz4 where FILE ends with "
         ".lz4, else zstd",
     .choices = "zstd|lz4"},
    {"--threads", CMD_INT, AT(threads), "N", .help = "threads; 0 is one a core",
     .highest = 256, .fallback = "0"},
    {"--quiet", CMD_FLAG, AT(quiet), NULL, .help = "no progress and no summary"},
    {0},
};

static const char *const endings[] = {
    [INPUT_PACK_ZSTD] = ".zst", [INPUT_PACK_LZ4] = ".lz4"};

/* What is asked for and what the name says must not be two things. */
static bool choose_kind(const struct pack_args *args, enum input_pack_kind *kind,
                        struct err *err)
{
    enum input_pack_kind other;
    struct str out = str_from(args->out != NULL ? args->out : "");
    bool named = str_ends(out, str_from(endings[INPUT_PACK_LZ4]));

    *kind = (args->as != NULL ? strcmp(args->as, "lz4") == 0 : named) ? INPUT_PACK_LZ4
                                                                      : INPUT_PACK_ZSTD;
    other = *kind == INPUT_PACK_LZ4 ? INPUT_PACK_ZSTD : INPUT_PACK_LZ4;
    return !str_ends(out, str_from(endings[other])) ||
           err_set(err, ERR_USAGE, "--as %s does not fit the name %s; it would be %s",
                   args->as, args->out, endings[*kind]);
}

/* The name without folder and packers' suffixes: "a/Posts.xml.gz" is "Posts.xml". */
static const char *bare_name(struct str name, struct arena *arena)
{
    static const char *const suffixes[] = {".gz",  ".bz2", ".xz", ".zst",
                                           ".lz4", ".7z",  ".zip"};
    struct str head = str_last(name, '/');

    for (size_t i = 0; i < ROWS_OF(suffixes); i++)
        if (str_ends(head, str_from(suffixes[i])))
            head = str_slice(head, 0, head.len - strlen(suffixes[i]));
    return arena_c_string(arena, head);
}

static const char *with_ending(const char *name, const char *ending, struct arena *arena)
{
    return arena_format(arena, "%s%s", name, ending).ptr;
}

static bool pack_one(struct input *input, size_t member, const char *path,
                     const struct pack_args *args, enum input_pack_kind kind,
                     struct err *err)
{
    int threads = cmd_threads(args->threads);
    struct progress progress = progress_begin(
        "packing", input_member(input, member)->size, STDERR_FILENO, args->quiet);
    struct input_pack_options how = {
        .kind = kind, .threads = threads, .progress = &progress};
    struct input_pack_result result;
    bool ok = input_pack_member(input, member, path, &how, &result, err);

    progress_end(&progress);
    if (ok && !args->quiet)
        printf("%s: %lld byte%s in %lld frame%s, packed to %.1f%%\n", path,
               (long long)result.bytes, str_plural(result.bytes),
               (long long)result.frames, str_plural(result.frames),
               result.bytes > 0 ? 100 * (double)result.packed / (double)result.bytes : 0);
    return ok;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct pack_args *args = arguments;
    struct arena *arena = &session->arena;
    struct input *input;
    const char *made;
    enum input_pack_kind kind;

    if (!choose_kind(args, &kind, err))
        return false;
    if (!input_open(args->source, &input, err))
        return false;
    bool single = input_count(input) == 1, ok = true;
    const char *out = args->out;
    if (out == NULL && strcmp(args->source, "-") == 0)
        ok =
            err_set(err, ERR_USAGE, "--out FILE is required when reading standard input");
    else if (out == NULL && single)
        out = with_ending(bare_name(str_from(args->source), arena), endings[kind], arena);
    else if (out == NULL)
        out = with_ending(bare_name(str_from(args->source), arena), "-packed", arena);
    if (ok && single)
        ok = pack_one(input, 0, out, args, kind, err);
    else if (ok)
        ok = file_make_folder(out, arena, &made, err);
    for (size_t i = 0; ok && !single && i < input_count(input); i++) {
        const char *name = bare_name(input_member(input, i)->name, arena);
        if (!str_ends(str_from(name), STR(".xml")))
            continue; /* beside the tables there may be anything */
        ok = pack_one(input, i,
                      file_join(out, with_ending(name, endings[kind], arena), arena),
                      args, kind, err);
    }
    input_close(input);
    return ok;
}

const struct cmd cmd_pack = {
    .name = "pack",
    .summary = "Turn a slow archive into one that every core can read",
    .operands = operands,
    .options = options,
    .run = run,
};
