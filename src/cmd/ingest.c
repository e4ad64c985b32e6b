/* assay ingest: the posts that a study needs, into its corpus. */
#include "base/file.h"
#include "cmd/opening.h"

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    CMD_OPENING_DATA, CMD_OPENING_READING, CMD_OPENING_QUIET, {0}};

static void print_also(bool wanted, int64_t count, const char *what)
{
    if (wanted)
        printf(", %lld %s%s", (long long)count, what, str_plural(count));
}

static void print_summary(const struct study *study, const char *corpus,
                          const struct source_ingest_result *result, const char *absent,
                          const char *health)
{
    const struct store_counts *stored = &result->stored;
    struct buf others = {0};

    if (result->up_to_date) {
        printf("%s is up to date: the sources, the sets and the options are those it was "
               "made from\n",
               corpus);
        if (absent != NULL)
            printf("%s is not there: taken to be unchanged\n", absent);
        return;
    }
    store_counts_add(stored, &others);
    bool none = stored->questions + stored->answers + stored->rows == 0;
    if (none && others.len > 0) {
        printf("%s:%.*s", corpus, (int)others.len - 1, others.ptr + 1); /* without ',' */
    } else {
        printf("%s: %lld question%s and %lld answer%s", corpus,
               (long long)stored->questions, str_plural(stored->questions),
               (long long)stored->answers, str_plural(stored->answers));
        print_also(stored->rows > 0, stored->rows, "row");
        printf("%.*s", (int)others.len, others.len > 0 ? others.ptr : "");
    }
    buf_free(&others);
    print_also(study->also >> ITEM_ALSO_COMMENTS & 1, stored->comments, "comment");
    print_also(study->also >> ITEM_ALSO_USERS & 1, stored->users, "user");
    print_also(study->also >> ITEM_ALSO_LINKS & 1, stored->links, "link");
    print_also(study->also >> ITEM_ALSO_VOTES & 1, stored->votes, "vote");
    print_also(study->also >> ITEM_ALSO_HISTORY & 1, stored->history, "change");
    print_also(study->also >> ITEM_ALSO_BADGES & 1, stored->badges, "badge");
    printf("%s\n", result->resumed ? " (an interrupted ingest was gone on with)" : "");
    if (stored->census_questions > 0)
        printf("of %s%lld question%s of the dump %.2f%% have an accepted answer\n",
               stored->census_questions == 1 ? "" : "all ",
               (long long)stored->census_questions, str_plural(stored->census_questions),
               100 * (double)stored->census_accepted / (double)stored->census_questions);
    printf("health of the dump: %s\n", health);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct cmd_opening_args *args = arguments;
    struct run_options wanted = cmd_opening_options(args);
    struct arena *arena = &session->arena;
    struct study study;
    struct source_ingest_result result = {0};
    struct lock lock = {-1};

    if (!cmd_opening_study(session, args, &study, err))
        return false;
    bool ok = cmd_opening_lock(session, &study, "assay ingest", &lock, err) &&
              run_ingest(&study, &wanted, &result, err);
    struct source_ingest_options sources = run_ingest_options(&study, &wanted, arena);
    if (ok && !args->quiet)
        print_summary(&study, sources.corpus, &result, source_ingest_absent(&sources),
                      file_join(study.home, "out/health.md", arena));
    lock_release(&lock);
    return ok;
}

const struct cmd cmd_ingest = {
    .name = "ingest",
    .summary = "Take the posts that a study needs into its corpus",
    .see_also = "assay-study(5),assay-run(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
