/* assay ingest: the posts that a study needs, into its corpus. */
#include <unistd.h>

#include "base/file.h"
#include "base/lock.h"
#include "base/parallel.h"
#include "cmd/cmd.h"
#include "dump/ingest.h"
#include "study/study.h"

struct args {
    const char *study;
    bool skip_broken, quiet;
    int64_t threads, checkpoint;
};

static const struct cmd_operand operands[] = {
    {"STUDY", offsetof(struct args, study),
     "the study file, or the folder that holds study.yaml; the current folder when it is "
     "left "
     "out",
     false},
    {0},
};

static const struct cmd_option options[] = {
    {"--skip-broken", CMD_FLAG, offsetof(struct args, skip_broken), NULL,
     "go on after a row that cannot be read, and count them", false, 0, 0, NULL, NULL},
    {"--checkpoint", CMD_INT, offsetof(struct args, checkpoint), "MB",
     "megabytes that are at most read again after an interruption", false, 1, 1000000,
     NULL, "256"},
    {"--threads", CMD_INT, offsetof(struct args, threads), "N",
     "threads; 0 is one a core, and no number changes the result", false, 0, 256, NULL,
     "0"},
    {"--quiet", CMD_FLAG, offsetof(struct args, quiet), NULL,
     "no progress and no summary", false, 0, 0, NULL, NULL},
    {0},
};

static void print_summary(const struct study *study, const char *corpus,
                          const struct ingest_result *result, const char *health)
{
    if (result->up_to_date) {
        printf("%s is up to date: the sources, the sets and the options are those it was "
               "made "
               "from\n",
               corpus);
        return;
    }
    printf("%s: %lld questions and %lld answers", corpus, (long long)result->questions,
           (long long)result->answers);
    if (study->comments)
        printf(", %lld comments", (long long)result->comments);
    if (study->users)
        printf(", %lld users", (long long)result->users);
    if (study->links)
        printf(", %lld links", (long long)result->links);
    printf("%s\n", result->resumed ? " (an interrupted ingest was gone on with)" : "");
    if (result->census_questions > 0)
        printf("of all %lld questions of the dump %.2f%% have an accepted answer\n",
               (long long)result->census_questions,
               100 * (double)result->census_accepted / (double)result->census_questions);
    printf("health of the dump: %s\n", health);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct args *args = arguments;
    struct arena *arena = &session->arena;
    struct study study;
    struct buf problems = {0};
    struct ingest_result result = {0};
    struct lock lock = {-1};
    const char *made;
    bool ok = false;

    if (!study_load(args->study != NULL ? args->study : ".", arena, &study, &problems,
                    err)) {
        if (problems.len > 0)
            fwrite(problems.ptr, 1, problems.len, stderr);
        goto done;
    }
    const char *folder = study.folder[0] != '\0' ? study.folder : ".";
    const char *corpus = file_join(study.folder, "corpus.db", arena);
    const char *out = file_join(folder, "out", arena);
    const char *health = file_join(out, "health.md", arena);
    struct ingest_options wanted = {
        .corpus = corpus,
        .sources = (const char *const *)study.sources,
        .source_count = study.source_count,
        .query = study_needed(&study, arena),
        .until_ms = study.until_ms,
        .comments = study.comments,
        .users = study.users,
        .links = study.links,
        .skip_broken = args->skip_broken,
        .rest_bytes = args->checkpoint * 1000000,
        .threads = args->threads > 0 ? (int)args->threads : parallel_cores(),
        .quiet = args->quiet,
        .descriptor = STDERR_FILENO,
    };
    ok = lock_take(file_join(folder, ".assay-lock", arena), "assay ingest", &lock, err) &&
         ingest_run(&wanted, &result, err) &&
         (result.up_to_date || (file_make_folder(out, arena, &made, err) &&
                                file_write(health, buf_str(&result.health), err)));
    if (ok && !args->quiet)
        print_summary(&study, corpus, &result, health);
done:
    lock_release(&lock);
    buf_free(&result.health);
    buf_free(&problems);
    return ok;
}

const struct command cmd_ingest = {
    .name = "ingest",
    .summary = "Take the posts that a study needs into its corpus",
    .description =
        "Reads the sources of the study once and stores in corpus.db the questions that "
        "any of "
        "its sets can take, with their answers, and on request comments, users and links "
        "(`also:` in the study file). On the way it counts all questions of the dump by "
        "year "
        "and tag, and looks at the dump's health: broken rows, planted posts, answers "
        "without "
        "question and the like go to out/health.md.\n"
        "\n"
        "corpus.db is replaced when the new one is complete. An ingest that was "
        "interrupted, "
        "even by kill -9, is gone on with by the same command. When sources, sets and "
        "options "
        "are as they were, nothing is done.",
    .examples = "  assay ingest my-study\n",
    .operands = operands,
    .options = options,
    .run = run,
};
