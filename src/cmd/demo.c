/* assay demo: the embedded default, end to end. */
#include <unistd.h>

#include "base/parallel.h"
#include "cmd/cmd.h"
#include "synth/census.h"
#include "synth/synth.h"

enum { QUESTIONS = 5000, BACKGROUND = 20000, SEED = 7 };

struct args {
    const char *out;
    bool quiet;
};

static const struct cmd_operand operands[] = {{0}};

static const struct cmd_option options[] = {
    {"--out", CMD_TEXT, offsetof(struct args, out), "DIR", "folder to write", false, 0, 0,
     NULL, "assay-demo"},
    {"--quiet", CMD_FLAG, offsetof(struct args, quiet), NULL, "no progress", false, 0, 0,
     NULL, NULL},
    {0},
};

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct args *args = arguments;
    struct synth_options wanted = {
        .folder = args->out,
        .questions = QUESTIONS,
        .background = BACKGROUND,
        .seed = SEED,
        .confusion = -1,
        .version = CMD_VERSION,
        .threads = parallel_cores(),
    };
    struct synth_summary *summary = arena_array(&session->arena, struct synth_summary, 1);
    struct progress progress =
        progress_begin("simulating", 0, STDERR_FILENO, args->quiet);
    struct buf text = {0};

    if (!synth_write(&wanted, &progress, &session->arena, summary, err))
        return false;
    census_text(&wanted, summary, &text);
    buf_add_format(&text,
                   "\nwhere to look:\n"
                   "  %s/Posts.xml   the simulated dump, beside its five other tables\n"
                   "  %s/truth.csv   what is true of each question\n"
                   "  %s/truth.json  what was planted, and how much of it there is\n",
                   args->out, args->out, args->out);
    cmd_print(&text);
    buf_free(&text);
    return true;
}

const struct command cmd_demo = {
    .name = "demo",
    .summary = "Simulate a corpus and show what is in it",
    .description =
        "Writes a small simulated dump with known truth and prints its census: "
        "files, questions by year and framework, and for every kind of question, "
        "framework and platform what was planted and what came out.",
    .operands = operands,
    .options = options,
    .run = run,
};
