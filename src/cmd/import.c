/* assay import: labels that were made elsewhere, and codebooks. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/near.h"
#include "cmd/opening.h"
#include "label/refi.h"

struct import_args {
    struct cmd_opening_args opening;
    const char *what, *file, *task, *format;
    const char *item_column, *code_column, *rater_column, *dimension_column;
    const char *unit_column, *kind_column, *unknown;
    const char *rater, *dimension, *rename, *separator;
    bool again;
};

enum { CODEBOOK_BYTES_MAX = 1 << 28 };

#define AT(field) offsetof(struct import_args, field)

static const struct cmd_operand operands[] = {
    {"WHAT", AT(what), "labels, or codebook: that of a .qdc or .qdpx, printed as YAML",
     true},
    {"FILE", AT(file), "csv, JSON, tsv or zip; see --format", true},
    CMD_OPENING_OPERAND,
    {0}};

static const struct cmd_option options[] = {
    CMD_TASK_OPTION(struct import_args, task),
    {"--format", CMD_CHOICE, AT(format), "FORMAT",
     .help = "what the file is; without it, it is found out",
     .choices = "csv|wide|jsonl|label-studio|doccano|potato|webanno|refi-qda"},
    {"--rater", CMD_TEXT, AT(rater), "NAME",
     .help = "the rater of all labels, such as a model"},
    {"--dimension", CMD_TEXT, AT(dimension), "NAME",
     .help = "the dimension of all labels"},
    {"--rename", CMD_TEXT, AT(rename), "OLD=NEW,...",
     .help = "what raters of the file are called in the study"},
    {"--item-column", CMD_TEXT, AT(item_column), "NAME",
     .help = "the column or key of the item, an id or a link that holds one; without it "
             "'item', in JSON of others also 'id'"},
    {"--code-column", CMD_TEXT, AT(code_column), "NAME",
     .help = "that of the code, a path, an id or a name of the codebook; without it "
             "'code', in JSON 'codes', of doccano 'label'"},
    {"--rater-column", CMD_TEXT, AT(rater_column), "NAME",
     .help = "that of the rater; without it 'rater'. Of a wide csv a list of columns, by "
             "commas; without it all but the item's"},
    {"--dimension-column", CMD_TEXT, AT(dimension_column), "NAME",
     .help = "that of the dimension; without it 'dimension'. Of a wide csv with --rater "
             "'COLUMN=DIMENSION,...', where columns are not called as dimensions are"},
    {"--kind-column", CMD_TEXT, AT(kind_column), "NAME",
     .help = "that of the kind of a round; without it 'kind'. '-': 'kind' means "
             "something else"},
    {"--unknown", CMD_CHOICE, AT(unknown), "WHAT",
     .help = "what to do with items that the task does not have",
     .choices = "refuse|skip", .fallback = "refuse"},
    {"--unit-column", CMD_TEXT, AT(unit_column), "NAME",
     .help = "that of the unit in the item, where the task has units; without it 'unit'. "
             "'row', if there is no such column: each row is a unit of its own"},
    {"--separator", CMD_TEXT, AT(separator), "CHAR",
     .help = "what parts several codes in a cell of a csv; in a wide one ';'"},
    {"--again", CMD_FLAG, AT(again), NULL,
     .help = "take a file once more whose content had been imported before"},
    CMD_OPENING_DATA,
    CMD_OPENING_QUIET,
    {0}};

/* "10=ann,11=bob" */
static bool read_renames(const char *text, struct arena *arena,
                         struct label_import_options *how, struct err *err)
{
    struct str rest = str_from(text), one;
    struct label_rename *renames =
        arena_array(arena, struct label_rename, rest.len / 2 + 1);

    how->renames = renames;
    for (bool more = rest.len > 0; more;) {
        struct label_rename *rename = &renames[how->rename_count];
        more = str_cut(&rest, ',', &one);
        rename->to = one;
        bool both = str_cut(&rename->to, '=', &rename->from);
        rename->from = str_trim(rename->from);
        rename->to = str_trim(rename->to);
        if (!both || rename->from.len == 0 || rename->to.len == 0)
            return err_set(err, ERR_USAGE, "expected OLD=NEW for --rename, found '%.*s'",
                           STR_ARG(one));
        how->rename_count++;
    }
    return true;
}

static bool read_options(const struct import_args *args, struct arena *arena,
                         struct label_import_options *how, struct err *err)
{
    *how = (struct label_import_options){
        .item_column = str_from(args->item_column),
        .code_column = str_from(args->code_column),
        .rater_column = str_from(args->rater_column),
        .dimension_column = str_from(args->dimension_column),
        .unit_column = str_from(args->unit_column),
        .kind_column = str_from(args->kind_column),
        .skip_unknown = strcmp(args->unknown, "skip") == 0,
        .again = args->again,
        .rater = str_from(args->rater),
        .dimension = str_from(args->dimension)};
    if (args->format != NULL)
        (void)label_format_find(str_from(args->format), &how->format);
    if (args->separator != NULL && strlen(args->separator) != 1)
        return err_set(err, ERR_USAGE,
                       "expected one character for --separator, found '%s'",
                       args->separator);
    how->separator = args->separator != NULL ? args->separator[0] : '\0';
    return read_renames(args->rename, arena, how, err);
}

/* Labels are never taken away again, so what may be a slip is said. before: rounds that
 * were there. */
static bool tell_doubts(struct cmd_session *session, struct label *label,
                        const struct import_args *args, size_t before,
                        struct str strangers, struct err *err)
{
    const struct study_labelling *settings = label_task(label)->settings;
    struct label_round *rounds;
    struct str name;
    size_t count;

    if (!label_rounds(label, &session->arena, &rounds, &count, err) || count == 0)
        return count == 0;
    for (size_t i = 0; i < before; i++)
        if (str_eq(rounds[i].source, rounds[count - 1].source))
            fprintf(stderr, "note: %s had been imported before, as round %lld\n",
                    args->file, (long long)rounds[i].id);
    while (str_cut(&strangers, '\n', &name)) {
        size_t near = near_find(name, settings->raters, settings->rater_count);
        fprintf(stderr, "note: the study does not name a rater '%.*s'", STR_ARG(name));
        if (near < settings->rater_count)
            fprintf(stderr, " (did you mean '%.*s'?)", STR_ARG(settings->raters[near]));
        fprintf(stderr,
                ": these labels count only with --all-raters of assay agree; a misspelt "
                "name is put right with --rename\n");
    }
    return true;
}

/* What became of places that links to items tell, such as #diff-0123...R42. */
static void tell_places(const struct label_import_places *places)
{
    const struct {
        int64_t count;
        const char *what;
    } others[] = {
        {places->outside, "are lines that the diff of their commit does not show"},
        {places->no_file, "are in no file that their commit changed"},
        {places->no_diff, "are in items without a diff"},
    };
    int64_t all = places->found + places->outside + places->no_file + places->no_diff;

    if (all > 0)
        printf("places in links: %lld, of which %lld are in the diff\n", (long long)all,
               (long long)places->found);
    for (size_t i = 0; i < ROWS_OF(others); i++)
        if (others[i].count > 0)
            printf("  %lld %s\n", (long long)others[i].count, others[i].what);
}

/* "l.csv: 12 labels and 3 decisions". */
static void tell_imported(const char *file, const struct label_imported *it)
{
    printf("%s: ", file);
    if (it->labels > 0 || it->decisions == 0)
        printf("%lld label%s", (long long)it->labels, str_plural(it->labels));
    if (it->decisions > 0)
        printf("%s%lld decision%s", it->labels > 0 ? " and " : "",
               (long long)it->decisions, str_plural(it->decisions));
    if (it->units > 0)
        printf(" of %lld unit%s", (long long)it->units, str_plural(it->units));
    if (it->spans > 0)
        printf(", %lld span%s", (long long)it->spans, str_plural(it->spans));
    putchar('\n');
    tell_places(&it->places);
    if (it->unknown > 0)
        printf("passed over: %lld row%s of items that the task does not have\n",
               (long long)it->unknown, str_plural(it->unknown));
    if (it->unasked > 0)
        printf("passed over: %lld span%s, as the task has no `spans`\n",
               (long long)it->unasked, str_plural(it->unasked));
    if (it->others > 0)
        printf("passed over: %lld annotation%s of other kinds, such as rectangles or "
               "layers\n",
               (long long)it->others, str_plural(it->others));
    if (it->missing > 0)
        fprintf(stderr,
                "note: places that their items do not have: %lld, kept as they are; the "
                "first: %s\n",
                (long long)it->missing, it->missed.text);
    if (it->repeated > 0)
        fprintf(stderr,
                "note: %lld row%s of %s say%s what another of the same rater and item "
                "had said: they count once\n",
                (long long)it->repeated, str_plural(it->repeated), file,
                it->repeated == 1 ? "s" : "");
}

/* A codebook has no study yet: it is printed, to be kept where the study wants it. */
static bool print_codebook(struct cmd_session *session, const char *path, struct err *err)
{
    struct str text;
    struct buf out = {0};
    bool ok = file_read_max(path, CODEBOOK_BYTES_MAX, &session->arena, &text, err) &&
              label_refi_read_codebook(text, path, &out, err);

    if (ok)
        printf("%.*s", STR_ARG(buf_str(&out)));
    buf_free(&out);
    return ok;
}

/* Several mistakes are told one a line; the last line, which counts them, is the error.
 */
static void tell_problems(struct str problems, struct err *err)
{
    struct str line;

    while (str_cut(&problems, '\n', &line) && problems.len > 0)
        fprintf(stderr, "%.*s\n", STR_ARG(line));
    if (line.len > 0)
        err_record(err, ERR_INPUT, "%.*s", STR_ARG(line));
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct import_args *args = arguments;
    struct buf problems = {0}, strangers = {0};
    struct label_import_options how;
    struct label *label = NULL;
    struct study study;
    struct label_imported imported;

    if (strcmp(args->what, "codebook") == 0)
        return print_codebook(session, args->file, err);
    if (strcmp(args->what, "labels") != 0)
        return err_set(err, ERR_USAGE, "expected labels or codebook, found '%s'",
                       args->what);
    if (!read_options(args, &session->arena, &how, err))
        return false;
    struct label_round *rounds;
    size_t before = 0;
    struct progress progress =
        progress_begin("reading", 0, STDERR_FILENO, args->opening.quiet);
    how.problems = &problems;
    how.strangers = &strangers;
    how.progress = &progress;
    progress_count(&progress, arena_format(&session->arena, "reading %s", args->file).ptr,
                   0);
    bool ok =
        cmd_task_open(session, &args->opening, args->task, false, &study, &label, err) &&
        label_rounds(label, &session->arena, &rounds, &before, err) &&
        label_import(label, args->file, &how, STR("assay import"), &imported, err);
    progress_end(&progress);
    ok = ok && (args->opening.quiet || imported.labels == 0 ||
                tell_doubts(session, label, args, before, buf_str(&strangers), err));
    label_close(label);
    if (ok && !args->opening.quiet)
        tell_imported(args->file, &imported);
    if (!ok)
        tell_problems(buf_str(&problems), err);
    buf_free(&problems);
    buf_free(&strangers);
    return ok;
}

const struct cmd cmd_import = {
    .name = "import",
    .summary = "Take labels made elsewhere into a study",
    .see_also = "assay-export(1),assay-agree(1),assay-labels(7)",
    .operands = operands,
    .options = options,
    .run = run,
};
