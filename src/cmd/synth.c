/* assay synth: a simulated Stack Exchange dump, and simulated repositories, whose truth
 * is known. */
#include "synth/synth.h"

#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"

struct synth_args {
    const char *out;
    int64_t questions, background, repositories, commits, seed, threads;
    const char *layout, *damage, *settings;
    struct cmd_real difficulty;
    bool plant, quiet;
};

#define AT(field) offsetof(struct synth_args, field)

static const struct cmd_operand operands[] = {{0}};

static const struct cmd_option options[] = {
    {"--out", CMD_TEXT, AT(out), "DIR", .help = "folder to write; made if need be",
     .required = true},
    {"--questions", CMD_INT, AT(questions), "N",
     .help = "questions about deep learning; without it no dump is written", .lowest = 1,
     .highest = 1000000000},
    {"--repositories", CMD_INT, AT(repositories), "N",
     .help = "git repositories of programs that use deep learning, with bugs that "
             "commits put right",
     .lowest = 1, .highest = 100000},
    {"--commits", CMD_INT, AT(commits), "N",
     .help = "steps in the history of each repository; a step is one commit, or three "
             "with a merge",
     .lowest = 2, .highest = 500, .fallback = "60"},
    {"--seed", CMD_INT, AT(seed), "S",
     .help = "of every random choice: the same seed gives the same bytes",
     .required = true, .highest = INT64_MAX},
    {"--background", CMD_INT, AT(background), "N",
     .help = "further posts that have nothing to do with deep learning",
     .highest = 10000000000, .fallback = "0"},
    {"--layout", CMD_CHOICE, AT(layout), "LAYOUT",
     .help = "which of the real dumps' forms to write", .choices = SYNTH_LAYOUTS,
     .fallback = "classic"},
    {"--settings", CMD_TEXT, AT(settings), "FILE",
     .help =
         "YAML file with shares, medians and weights of your own, see assay-synth(5)"},
    {"--difficulty", CMD_REAL, AT(difficulty), "D",
     .help = "how often a sentence speaks for another kind of question, from 0 (easy to "
             "classify) to 1 (hopeless); replaces shares.confusion",
     .highest = 1},
    {"--plant", CMD_FLAG, AT(plant), NULL,
     .help = "also plant what extracts, phrases and assay ask are to find: missing "
             "operators, settings that answers change, questions asked twice, synonyms, "
             "errors, versions, hardware, systems, calls; "
             "planted.csv has their truth"},
    {"--damage", CMD_CHOICE, AT(damage), "KIND",
     .help = "break Posts.xml in one way, for tests of readers",
     .choices = SYNTH_DAMAGES},
    {"--threads", CMD_INT, AT(threads), "N",
     .help = "threads; 0 is one a core, and no number changes the result", .highest = 256,
     .fallback = "0"},
    {"--quiet", CMD_FLAG, AT(quiet), NULL, .help = "no progress and no summary"},
    {0},
};

/* The place of a word in "a|b|c"; -1 for NULL. */
static int choice(const char *choices, const char *word)
{
    struct str rest = str_from(choices), one;
    int place = 0;

    if (word == NULL)
        return -1;
    for (; str_cut(&rest, '|', &one) && !str_eq(one, str_from(word)); place++)
        continue;
    return place;
}

static bool write_repositories(struct cmd_session *session, const struct synth_args *args,
                               struct err *err)
{
    struct synth_repositories_options wanted = {.folder = args->out,
                                                .repositories = args->repositories,
                                                .commits = args->commits,
                                                .seed = (uint64_t)args->seed,
                                                .settings = args->settings,
                                                .version = CMD_VERSION};
    struct synth_repositories_summary summary;
    struct buf text = {0};

    if (!synth_repositories_write(&wanted, &session->arena, &summary, err))
        return false;
    if (!args->quiet)
        synth_repositories_text(&wanted, &summary, &text);
    cmd_print(&text);
    return true;
}

static bool write_dump(struct cmd_session *session, const struct synth_args *args,
                       struct err *err)
{
    struct synth_options wanted = {
        .folder = args->out,
        .questions = args->questions,
        .background = args->background,
        .seed = (uint64_t)args->seed,
        .layout = (enum synth_layout)choice(SYNTH_LAYOUTS, args->layout),
        .damage = (enum synth_damage)(choice(SYNTH_DAMAGES, args->damage) + 1),
        .settings = args->settings,
        .version = CMD_VERSION,
        .confusion = args->difficulty.given ? args->difficulty.value : -1,
        .plant = args->plant,
        .threads = cmd_threads(args->threads),
    };
    struct synth_summary *summary = arena_array(&session->arena, struct synth_summary, 1);
    struct progress progress = progress_begin("writing", 0, STDERR_FILENO, args->quiet);
    struct buf text = {0};

    if (!synth_write(&wanted, &progress, &session->arena, summary, err))
        return false;
    if (!args->quiet)
        synth_census_text(&wanted, summary, &text);
    cmd_print(&text);
    return true;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct synth_args *args = arguments;

    if (args->questions == 0 && args->repositories == 0)
        return err_set(err, ERR_USAGE, "expected --questions, --repositories or both");
    return (args->questions == 0 || write_dump(session, args, err)) &&
           (args->repositories == 0 || write_repositories(session, args, err));
}

const struct cmd cmd_synth = {
    .name = "synth",
    .summary = "Simulate a dump or git repositories whose truth is known",
    .see_also = "assay-synth(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
