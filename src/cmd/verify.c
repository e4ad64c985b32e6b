/* assay verify: published numbers against what the data give. */
#include "verify/verify.h"
#include <math.h>

#include "base/date.h"
#include "cmd/opening.h"
#include "package/compare.h"
#include "package/package.h"
#include "package/people.h"

struct verify_args {
    struct cmd_opening_args opening;
    const char *against;
    bool strict;
};

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    {"--against", CMD_TEXT, offsetof(struct verify_args, against), "FILE",
     .help =
         "compare with the numbers of a replication package, a folder or a zip, instead"},
    {"--strict", CMD_FLAG, offsetof(struct verify_args, strict), NULL,
     .help = "fail unless everything is as published"},
    CMD_OPENING_DATA,
    CMD_OPENING_READING,
    CMD_OPENING_QUIET,
    {0}};

/* What is not worth a line when the user wants to see only what is wrong. */
static bool is_fine(const struct verify_line *line, bool strict)
{
    return line->verdict == VERIFY_AS_PUBLISHED ||
           ((line->verdict == VERIFY_CANNOT || line->verdict == VERIFY_ELSEWHERE) &&
            !strict);
}

static void print_lines(const struct verify *verify, bool quiet, bool strict)
{
    for (size_t i = 0; i < verify->count; i++) {
        const struct verify_line *line = &verify->lines[i];
        if (quiet && is_fine(line, strict))
            continue;
        printf("%.*s: %.*s", STR_ARG(line->expectation->expression), STR_ARG(line->text));
        if (line->expectation->source.len > 0)
            printf(" (%.*s)", STR_ARG(line->expectation->source));
        printf("\n");
    }
}

static bool judge(const struct study *study, const struct verify *verify, bool strict,
                  struct err *err)
{
    size_t unexplained = verify->counts[VERIFY_DIFFERS] + verify->counts[VERIFY_FAILED];
    size_t not_as_published = verify->count - verify->counts[VERIFY_AS_PUBLISHED];

    const char *word = study_expected_word(study);
    struct buf counts = {0};

    if (verify->counts[VERIFY_ELSEWHERE] > 0) {
        buf_add_format(&counts, "another dump is that of %.*s whose newest post is of ",
                       STR_ARG(study->dump_site));
        date_add_day(&counts, study->dump_newest_ms);
        buf_add_format(&counts, "; the source %.*s\n", STR_ARG(verify->elsewhere));
    }
    verify_add_counts(verify, word, &counts);
    buf_add_char(&counts, '\n');
    cmd_print(&counts);
    if (unexplained > 0)
        return err_set(err, ERR_INPUT, "%s: %zu of %zu expectations are not met",
                       study->path, unexplained, verify->count);
    if (strict && not_as_published > 0)
        return err_set(err, ERR_INPUT, "%s: %zu of %zu expectations are not as %s",
                       study->path, not_as_published, verify->count, word);
    return true;
}

static void print_value(double value)
{
    struct buf text = {0};

    if (isnan(value))
        buf_add(&text, STR("undefined"));
    else
        result_numbers_print(value, &text);
    cmd_print(&text);
}

static void print_difference(const struct package_compare_difference *difference)
{
    printf("%.*s: ", STR_ARG(difference->address));
    if (difference->side != PACKAGE_COMPARE_ONLY_OURS) {
        printf("package ");
        print_value(difference->theirs);
    }
    if (difference->side == PACKAGE_COMPARE_BOTH)
        printf(", ");
    if (difference->side != PACKAGE_COMPARE_ONLY_THEIRS) {
        printf("ours ");
        print_value(difference->ours);
    }
    printf(difference->side == PACKAGE_COMPARE_ONLY_THEIRS ? "; we have no such number\n"
           : difference->side == PACKAGE_COMPARE_ONLY_OURS
               ? "; the package has no such number\n"
               : "\n");
}

/* The package's numbers, read before ours were made: it may be the study's own folder. */
struct package_numbers {
    struct result_numbers *at;
    size_t count;
};

static bool compare_with(const char *package, struct package_numbers theirs,
                         const struct result_numbers *ours, size_t count,
                         struct arena *arena, struct err *err)
{
    struct package_compare compare;

    /* The first two, corpus and census, have no files and so are in no package. */
    package_compare_numbers(theirs.at, theirs.count, ours + 2, count - 2, arena,
                            &compare);
    for (size_t i = 0; i < compare.count; i++)
        print_difference(&compare.differences[i]);
    const char *plural = str_plural((int64_t)compare.count);
    printf("%zu number%s compared, %zu difference%s\n", compare.numbers,
           str_plural((int64_t)compare.numbers), compare.count, plural);
    return compare.count == 0 || err_set(err, ERR_INPUT, "%s: %zu difference%s", package,
                                         compare.count, plural);
}

/* Sources that are not there, so that numbers rest on what was read of them earlier: whoever
 * compares must know. What was made tells nothing here. */
static void tell_kept(void *context, struct str step, const char *what, struct str text)
{
    (void)context;
    if (strcmp(what, "kept") == 0)
        fprintf(stderr, "%.*s: %.*s\n", STR_ARG(step), STR_ARG(text));
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct verify_args *args = arguments;
    struct run_options wanted = cmd_opening_options(&args->opening);
    struct study study;
    struct lock lock = {-1};
    struct result_numbers *numbers;
    struct verify verify;
    struct package_numbers theirs = {0};
    size_t count;
    int64_t made;

    if (!args->opening.quiet)
        wanted.tell = tell_kept;
    if (!cmd_opening_study(session, &args->opening, &study, err))
        return false;
    if (args->against != NULL &&
        !package_read_numbers(args->against, package_home(&study, &session->arena),
                              &session->arena, &theirs.at, &theirs.count, err))
        return false;
    bool ok = cmd_opening_lock(session, &study, "assay verify", &lock, err) &&
              run_study(&study, &wanted, &made, err) &&
              run_numbers(&study, &session->arena, &numbers, &count, err);
    lock_release(&lock);
    if (!ok)
        return false;
    if (args->against != NULL) {
        struct package_people people;
        if (!package_find_people(&study, &session->arena, &people, err))
            return false;
        package_call_numbers(&people, numbers, count, &session->arena);
        return compare_with(args->against, theirs, numbers, count, &session->arena, err);
    }
    verify_study(&study, numbers, count, &session->arena, &verify);
    print_lines(&verify, args->opening.quiet, args->strict);
    return judge(&study, &verify, args->strict, err);
}

const struct cmd cmd_verify = {
    .name = "verify",
    .summary = "Compare published numbers with what the data give",
    .see_also = "assay-study(5),assay-run(1),assay-export(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
