/* assay demo: a simulated corpus, and four studies that find in it what was planted. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parallel.h"
#include "cmd/init.h"
#include "cmd/opening.h"
#include "cmd/raters.h"
#include "report/overview.h"
#include "report/page.h"
#include "synth/synth.h"
#include "verify/verify.h"

/* The expectations of studies/NAME/demo.yaml hold for these numbers alone. */
enum { QUESTIONS = 5000, BACKGROUND = 20000, REPOSITORIES = 25, COMMITS = 60, SEED = 7 };

static const char *const studies[] = {"zhang2019", "liu2023", "chen2020", "islam2019"};

struct demo_args {
    const char *out;
    bool quiet;
};

static const struct cmd_operand operands[] = {{0}};

static const struct cmd_option options[] = {
    {"--out", CMD_TEXT, offsetof(struct demo_args, out), "DIR", .help = "folder to write",
     .fallback = "assay-demo"},
    {"--quiet", CMD_FLAG, offsetof(struct demo_args, quiet), NULL, .help = "no progress"},
    {0},
};

/* The fields of a line of csv that has no quotes, by the names in its head. */
static struct str field_of(struct str head, struct str line, const char *name)
{
    struct str heading, field = {0};

    for (bool more = true; more;) {
        more = str_cut(&head, ',', &heading);
        str_cut(&line, ',', &field);
        if (str_eq(heading, str_from(name)))
            return field;
    }
    return (struct str){0};
}

/* Adds the bugs of a file of truth, if an item has any, by the key of its source. */
static bool add_bugs(struct cmd_session *session, const char *path, const char *source,
                     const char *item, struct buf *out, struct err *err)
{
    static const char *const labels[] = {"bug_type", "bug_cause", "bug_effect",
                                         "bug_stage"};
    struct str text, head, line;

    if (!file_read(path, &session->arena, &text, err))
        return false;
    str_cut(&text, '\n', &head);
    while (text.len > 0) {
        str_cut(&text, '\n', &line);
        if (field_of(head, line, "bug_type").len == 0)
            continue;
        buf_add_format(out, "%s:%.*s", source, STR_ARG(field_of(head, line, item)));
        for (size_t i = 0; i < ROWS_OF(labels); i++)
            buf_add_format(out, ",%.*s", STR_ARG(field_of(head, line, labels[i])));
        buf_add_char(out, '\n');
    }
    return true;
}

/* The truth about bugs in questions and in commits as one table, as Islam's authors have
 * published theirs. */
static bool write_bugs(struct cmd_session *session, const char *folder, struct err *err)
{
    struct arena *arena = &session->arena;
    struct buf text = {0};

    buf_add(&text, STR("item,bug_type,bug_cause,bug_effect,bug_stage\n"));
    bool ok = add_bugs(session, file_join(folder, "truth.csv", arena), "stackoverflow",
                       "id", &text, err) &&
              add_bugs(session, file_join(folder, "bugs.csv", arena), "github", "commit",
                       &text, err) &&
              file_write(file_join(folder, "bugs_all.csv", arena), buf_str(&text), err);
    buf_free(&text);
    return ok;
}

static bool simulate_repositories(struct cmd_session *session, const char *folder,
                                  struct err *err)
{
    struct synth_repositories_options wanted = {.folder = folder,
                                                .repositories = REPOSITORIES,
                                                .commits = COMMITS,
                                                .seed = SEED,
                                                .version = CMD_VERSION};
    struct synth_repositories_summary summary;
    struct buf text = {0};

    if (!synth_repositories_write(&wanted, &session->arena, &summary, err))
        return false;
    buf_add_char(&text, '\n');
    synth_repositories_text(&wanted, &summary, &text);
    cmd_print(&text);
    return write_bugs(session, folder, err);
}

static bool simulate(struct cmd_session *session, const struct demo_args *args,
                     struct err *err)
{
    struct synth_options wanted = {
        .folder = file_join(args->out, "dump", &session->arena),
        .questions = QUESTIONS,
        .background = BACKGROUND,
        .seed = SEED,
        .confusion = -1,
        .plant = true,
        .version = CMD_VERSION,
        .threads = parallel_cores(),
    };
    struct synth_summary *summary = arena_array(&session->arena, struct synth_summary, 1);
    struct progress progress =
        progress_begin("simulating", 0, STDERR_FILENO, args->quiet);
    struct buf text = {0};

    if (!synth_write(&wanted, &progress, &session->arena, summary, err))
        return false;
    synth_census_text(&wanted, summary, &text);
    cmd_print(&text);
    return simulate_repositories(session, wanted.folder, err);
}

/* With as many digits as what was planted is given with. */
static void add_found(struct buf *out, double found, struct str planted)
{
    bool percent = str_ends(planted, STR("%"));
    struct str whole, fraction = str_slice(planted, 0, planted.len - percent);
    int digits = str_cut(&fraction, '.', &whole) ? (int)fraction.len : 0;

    if (isnan(found))
        buf_add(out, STR("undefined"));
    else
        buf_add_format(out, "%.*f%s", digits, percent ? 100 * found : found,
                       percent ? "%" : "");
}

/* Why lines differ; those with the same reason share a note. */
struct notes {
    struct str *at;
    size_t count;
};

static size_t note_number(struct notes *notes, struct str reason)
{
    size_t i = 0;

    while (i < notes->count && !str_eq(notes->at[i], reason))
        i++;
    if (i == notes->count)
        notes->at[notes->count++] = reason;
    return i + 1;
}

static void add_line(struct buf *out, const struct verify_line *line, struct notes *notes)
{
    const struct study_expectation *expectation = line->expectation;
    struct buf found = {0};

    add_found(&found, line->ours, expectation->value);
    buf_add_format(out, "  %-46.*s %10.*s %10.*s  ", STR_ARG(expectation->source),
                   STR_ARG(expectation->value), STR_ARG(buf_str(&found)));
    buf_free(&found);
    if (line->verdict == VERIFY_AS_PUBLISHED)
        buf_add(out, STR("as planted\n"));
    else if (line->verdict == VERIFY_KNOWN)
        buf_add_format(out, "differs, note %zu\n",
                       note_number(notes, expectation->known));
    else
        buf_add_format(out, "%.*s\n", STR_ARG(line->text));
}

static void print_found(struct cmd_session *session, const char *name,
                        const struct study *study, const struct verify *verify)
{
    struct notes notes = {arena_array(&session->arena, struct str, verify->count + 1), 0};
    struct buf text = {0};

    buf_add_format(&text, "\n%s: %.*s\n  %-46s %10s %10s\n", name, STR_ARG(study->title),
                   "", "planted", "found");
    for (size_t i = 0; i < verify->count; i++)
        add_line(&text, &verify->lines[i], &notes);
    for (size_t i = 0; i < notes.count; i++)
        buf_add_format(&text, "  note %zu: %.*s\n", i + 1, STR_ARG(notes.at[i]));
    cmd_print(&text);
}

/* Slips of raters are planted as well: 12% of their labels. A model that rates gives one
 * code three times as often as it is true. */
static const struct {
    const char *study;
    struct cmd_raters_options raters;
} raters[] = {
    {"zhang2019", {"kinds", {{"", "planted"}}, NULL, 0.12, SEED, "migration", 3}},
    {"islam2019",
     {"bugs",
      {{"type", "type"}, {"cause", "cause"}, {"effect", "effect"}},
      "no-bug",
      0.12,
      SEED,
      NULL,
      0}},
};

static bool simulate_raters(const char *name, const struct study *study, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; i < ROWS_OF(raters) && ok; i++)
        if (strcmp(raters[i].study, name) == 0)
            ok = cmd_raters_label(study, &raters[i].raters, err);
    return ok;
}

static bool run_one(struct cmd_session *session, const struct demo_args *args,
                    const char *name, struct report_overview_study *shown,
                    struct err *err)
{
    struct study *study = arena_array(&session->arena, struct study, 1);
    struct verify *verify = arena_array(&session->arena, struct verify, 1);
    const char *folder = file_join(args->out, name, &session->arena);
    struct cmd_init_template template = {
        .name = name, .study = "demo.yaml", .folder = folder};
    struct cmd_opening_args opening = {.study = folder, .quiet = args->quiet};
    struct run_options wanted = cmd_opening_options(&opening);
    struct lock lock = {-1};
    struct result_numbers *numbers;
    size_t count;
    int64_t made;

    wanted.warn = NULL; /* what a simulated corpus lacks is no slip of these studies */
    if (!cmd_init_write(session, &template, err) ||
        !cmd_opening_study(session, &opening, study, err))
        return false;
    bool ok = cmd_opening_lock(session, study, "assay demo", &lock, err) &&
              run_study(study, &wanted, &made, err) &&
              /* Only now are the names of all items known. */
              cmd_opening_study(session, &opening, study, err) &&
              simulate_raters(name, study, err) &&
              run_study(study, &wanted, &made, err) &&
              run_numbers(study, &session->arena, &numbers, &count, err);
    lock_release(&lock);
    if (!ok)
        return false;
    verify_study(study, numbers, count, &session->arena, verify);
    print_found(session, name, study, verify);
    *shown = (struct report_overview_study){study, verify, name};
    return true;
}

/* One page over all of it. */
static bool write_overview(struct cmd_session *session, const char *out,
                           const struct report_overview_study *shown, struct err *err)
{
    struct report_overview overview = {
        STR("Four studies on a simulated corpus"),
        STR("Everything here was computed from questions and commits that assay synth "
            "made up; none of it says anything about real ones. What was planted in them "
            "is known, so that it can be seen whether the studies find it."),
        shown, ROWS_OF(studies)};
    struct buf page = {0};

    report_overview_page(&overview, &page);
    bool ok =
        file_write(file_join(out, "index.html", &session->arena), buf_str(&page), err) &&
        file_write(file_join(out, "report.css", &session->arena), report_page_style(),
                   err) &&
        file_write(file_join(out, "report.js", &session->arena), report_page_script(),
                   err);
    buf_free(&page);
    return ok;
}

static void print_where(const char *out, size_t numbers, size_t planted, size_t known)
{
    printf("\n%zu numbers: %zu as planted, %zu differ for a reason that is known, %zu "
           "otherwise\n"
           "\nwhere to look:\n"
           "  %s/dump/Posts.xml   the simulated dump, beside its five other tables\n"
           "  %s/dump/truth.csv   what is true of each question\n"
           "  %s/dump/truth.json  what was planted, and how much of it there is\n"
           "  %s/dump/repositories simulated repositories; commits.csv and bugs.csv "
           "beside them are their truth\n",
           numbers, planted, known, numbers - planted - known, out, out, out, out);
    for (size_t i = 0; i < ROWS_OF(studies); i++)
        printf("  %s/%s/out/report/index.html\n", out, studies[i]);
    printf("  %s/zhang2019/out/handbook/index.html  what was found, for those who ask\n"
           "  %s/index.html        all four on one page\n",
           out, out);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct demo_args *args = arguments;
    size_t numbers = 0, planted = 0, known = 0;

    if (!simulate(session, args, err))
        return false;
    struct report_overview_study shown[ROWS_OF(studies)];
    for (size_t i = 0; i < ROWS_OF(studies); i++) {
        if (!run_one(session, args, studies[i], &shown[i], err))
            return false;
        numbers += shown[i].verify->count;
        planted += shown[i].verify->counts[VERIFY_AS_PUBLISHED];
        known += shown[i].verify->counts[VERIFY_KNOWN];
    }
    if (!write_overview(session, args->out, shown, err))
        return false;
    print_where(args->out, numbers, planted, known);
    return planted + known == numbers ||
           err_set(err, ERR_INPUT, "%zu of %zu numbers are not as they were planted",
                   numbers - planted - known, numbers);
}

const struct cmd cmd_demo = {
    .name = "demo",
    .summary = "Simulate a corpus and find in it what was planted",
    .see_also = "assay-run(1),assay-verify(1),assay-synth(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
