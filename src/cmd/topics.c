/* assay topics: what posts are about, found without labels. */
#include "cmd/topics.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/topics_show.h"
#include "topic/topic.h"

static const struct cmd_operand operands[] = {
    {"SOURCE", offsetof(struct cmd_topics_args, opening.study),
     "a csv or json file of posts; or a study file, or the folder that holds study.yaml",
     true},
    {0}};

static const struct cmd_option options[] = {
    {"--text", CMD_TEXT, offsetof(struct cmd_topics_args, text), "COLUMNS",
     "of a file: the columns to read, by commas; 'title' and 'tags' are what they say, "
     "all others are bodies in html or Markdown, of which prose counts",
     false, 0, 0, NULL, NULL},
    {"--of", CMD_TEXT, offsetof(struct cmd_topics_args, of), "SET",
     "of a study: the set whose posts are read, title and prose", false, 0, 0, NULL,
     NULL},
    {"--id", CMD_TEXT, offsetof(struct cmd_topics_args, id), "COLUMN",
     "of a file: the column that names posts; without it they are numbered", false, 0, 0,
     NULL, NULL},
    {"--label", CMD_TEXT, offsetof(struct cmd_topics_args, label), "COLUMN",
     "of a file: codes that topics are to be crossed with", false, 0, 0, NULL, NULL},
    {"--columns", CMD_TEXT, offsetof(struct cmd_topics_args, columns), "MAPPING",
     "of a file: which columns are what, as \"created=Asked, views=Seen, score=Votes, "
     "accepted=Answer, accepted-at=Solved\"; usual names, such as ViewCount, need not be "
     "said",
     false, 0, 0, NULL, NULL},
    {"--k", CMD_TEXT, offsetof(struct cmd_topics_args, k), "RANGE",
     "number of topics, or numbers to try, as 10..40", false, 0, 0, NULL, "20"},
    {"--step", CMD_INT, offsetof(struct cmd_topics_args, step), "N",
     "how far apart the numbers of --k are", false, 1, TOPIC_LDA_TOPICS_MAX, NULL, "5"},
    {"--choose", CMD_CHOICE, offsetof(struct cmd_topics_args, choose), "BY",
     "what decides between numbers of topics", false, 0, 0,
     "c_v|npmi|perplexity|stability", "c_v"},
    {"--runs", CMD_INT, offsetof(struct cmd_topics_args, runs), "N",
     "models with other seeds for each number: how stable topics are", false, 1, 1000,
     NULL, "5"},
    {"--iterations", CMD_INT, offsetof(struct cmd_topics_args, iterations), "N",
     "of Gibbs sampling", false, 1, 1000000, NULL, "200"},
    {"--alpha", CMD_REAL, offsetof(struct cmd_topics_args, alpha), "X",
     "prior of each topic in a post; without it, it is learned, one for each topic",
     false, 0, 1000, NULL, NULL},
    {"--beta", CMD_REAL, offsetof(struct cmd_topics_args, beta), "X",
     "prior of each word in a topic; without it, it is learned", false, 0, 1000, NULL,
     NULL},
    {"--lambda", CMD_REAL, offsetof(struct cmd_topics_args, lambda), "X",
     "0 lists the words that are special to a topic first, 1 the most frequent; 0.6 "
     "without it",
     false, 0, 1, NULL, NULL},
    {"--stems", CMD_FLAG, offsetof(struct cmd_topics_args, stems), NULL,
     "'deploys' and 'deployed' are one word, 'deploy'", false, 0, 0, NULL, NULL},
    {"--bigrams", CMD_FLAG, offsetof(struct cmd_topics_args, bigrams), NULL,
     "two words that mostly stand together are one, as 'neural_network'", false, 0, 0,
     NULL, NULL},
    {"--code", CMD_FLAG, offsetof(struct cmd_topics_args, code), NULL,
     "code blocks count as well", false, 0, 0, NULL, NULL},
    {"--stop", CMD_TEXT, offsetof(struct cmd_topics_args, stop), "FILE",
     "further words to leave out", false, 0, 0, NULL, NULL},
    {"--all-words", CMD_FLAG, offsetof(struct cmd_topics_args, all_words), NULL,
     "leave out no words but those of --stop", false, 0, 0, NULL, NULL},
    {"--min-posts", CMD_INT, offsetof(struct cmd_topics_args, min_posts), "N",
     "posts that a word must stand in", false, 1, INT64_MAX, NULL, "5"},
    {"--max-share", CMD_REAL, offsetof(struct cmd_topics_args, max_share), "X",
     "share of the posts that it may stand in; 0.5 without it", false, 0, 1, NULL, NULL},
    {"--words", CMD_FLAG, offsetof(struct cmd_topics_args, words), NULL,
     "only list the words that count, as csv, with their numbers of posts", false, 0, 0,
     NULL, NULL},
    {"--out", CMD_TEXT, offsetof(struct cmd_topics_args, out), "DIR",
     "write all tables into this folder, too", false, 0, 0, NULL, NULL},
    {"--json", CMD_FLAG, offsetof(struct cmd_topics_args, json), NULL, "print JSON",
     false, 0, 0, NULL, NULL},
    {"--seed", CMD_INT, offsetof(struct cmd_topics_args, seed), "N",
     "where random numbers begin", false, 0, INT64_MAX, NULL, "1"},
    CMD_OPENING_DATA,
    CMD_OPENING_READING,
    CMD_OPENING_QUIET,
    {0}};

static bool is_study(const char *path)
{
    struct str name = str_from(path);

    return file_is_folder(path) || str_ends(name, STR(".yaml")) ||
           str_ends(name, STR(".yml"));
}

/* "20" or "10..40". */
static bool read_range(const struct cmd_topics_args *args, struct arena *arena,
                       struct topic_sweep_settings *out, struct err *err)
{
    struct str rest = str_from(args->k), low;
    int64_t first, last;
    bool range = str_cut(&rest, '.', &low) && str_starts(rest, STR("."));

    if (!str_to_int(low, &first) || (!range && low.len < strlen(args->k)) ||
        (range && !str_to_int(str_slice(rest, 1, rest.len), &last)))
        return err_set(err, ERR_USAGE,
                       "--k is '%s', expected a number or a range, 10..40", args->k);
    last = range ? last : first;
    if (first > last)
        return err_set(
            err, ERR_USAGE,
            "--k is '%s', expected a first number that is not above the second", args->k);
    if (first < 2 || last > TOPIC_LDA_TOPICS_MAX)
        return err_set(err, ERR_USAGE, "--k is '%s', expected numbers from 2 to %d",
                       args->k, TOPIC_LDA_TOPICS_MAX);
    size_t *topics =
        arena_array(arena, size_t, (size_t)((last - first) / args->step) + 1);
    for (int64_t k = first; k <= last; k += args->step)
        topics[out->count++] = (size_t)k;
    out->topics = topics;
    return true;
}

static void tell(void *context, size_t done, size_t all)
{
    (void)context;
    fprintf(stderr, "\rmodel %zu of %zu%s", done, all, done == all ? "\n" : "");
}

static bool read_settings(const struct cmd_topics_args *args, struct arena *arena,
                          struct topic_settings *out, struct err *err)
{
    static const struct {
        const char *name;
        enum topic_sweep_choice choice;
    } choices[] = {{"c_v", TOPIC_SWEEP_BY_CV},
                   {"npmi", TOPIC_SWEEP_BY_NPMI},
                   {"perplexity", TOPIC_SWEEP_BY_PERPLEXITY},
                   {"stability", TOPIC_SWEEP_BY_STABILITY}};
    struct run_options opening = cmd_opening_options(&args->opening);

    *out = (struct topic_settings){
        .sweep = {.lda = {.iterations = args->iterations,
                          .alpha = args->alpha.value,
                          .beta = args->beta.value,
                          .seed = (uint64_t)args->seed,
                          .threads = opening.threads},
                  .runs = (size_t)args->runs,
                  .tell = !args->opening.quiet && isatty(STDERR_FILENO) ? tell : NULL},
        .lambda = args->lambda.given ? args->lambda.value : TOPIC_RELEVANCE_LAMBDA,
    };
    for (size_t i = 0; i < ROWS_OF(choices); i++)
        if (strcmp(args->choose, choices[i].name) == 0)
            out->choose = choices[i].choice;
    if ((args->alpha.given && args->alpha.value <= 0) ||
        (args->beta.given && args->beta.value <= 0))
        return err_set(err, ERR_USAGE, "--alpha and --beta must be above 0");
    return read_range(args, arena, &out->sweep, err);
}

static bool read_tokens(const struct cmd_topics_args *args,
                        struct cmd_topics_posts *posts, struct topic_tokens *out,
                        struct err *err)
{
    struct topic_tokens_options how = {
        .stems = args->stems,
        .bigrams = args->bigrams,
        .all_words = args->all_words,
        .documents_min = args->min_posts,
        .share_max = args->max_share.given ? args->max_share.value : 0.5};
    struct str stop;

    if (args->stop != NULL) {
        if (!file_read(args->stop, posts->arena, &stop, err))
            return false;
        how.stop = arena_c_string(posts->arena, stop);
    }
    topic_tokens_finish(&posts->tokens, &how, posts->arena, out);
    if (out->words == 0)
        return err_set(err, ERR_INPUT,
                       "%s: no word stands in at least %lld and at most %g %% of the %zu "
                       "posts; see --min-posts and --max-share",
                       args->opening.study, (long long)args->min_posts,
                       100 * how.share_max, posts->count);
    return true;
}

static bool find_topics(const struct cmd_topics_args *args,
                        struct cmd_topics_posts *posts, struct buf *out, struct err *err)
{
    struct topic_settings settings;
    struct topic_tokens tokens;
    struct topic_set topics;

    if (!read_settings(args, posts->arena, &settings, err) ||
        !read_tokens(args, posts, &tokens, err))
        return false;
    if (args->words) {
        cmd_topics_show_words(&tokens, out);
        return true;
    }
    if (!topic_find(&tokens, &settings, posts->arena, &topics, err))
        return err_at(err, "%s: ", args->opening.study);
    if (args->json)
        cmd_topics_show_json(posts, &tokens, &topics, out);
    else
        cmd_topics_show_page(args, posts, &tokens, &topics, out);
    return args->out == NULL ||
           cmd_topics_show_write(args->out, posts, &tokens, &topics, err);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct cmd_topics_args *args = arguments;
    struct cmd_topics_posts posts = {.arena = &session->arena};
    struct buf out = {0};
    bool ok =
        (is_study(args->opening.study) ? cmd_topics_read_study(session, args, &posts, err)
                                       : cmd_topics_read_file(args, &posts, err)) &&
        find_topics(args, &posts, &out, err);

    if (ok)
        cmd_print(&out);
    if (ok && posts.repaired && !args->opening.quiet)
        fprintf(stderr, "%s: bytes that are no text were replaced\n",
                args->opening.study);
    buf_free(&out);
    cmd_topics_posts_free(&posts);
    return ok;
}

const struct cmd cmd_topics = {
    .name = "topics",
    .summary = "Find what posts are about, without labels",
    .description =
        "Finds topics by latent Dirichlet allocation (collapsed Gibbs sampling) and says "
        "how good they are: coherence (UMass over posts, NPMI over windows of 10 words, "
        "c_v over windows of 110; the ten most likely words of each topic), stability "
        "(how much the words of matched topics overlap between runs with other seeds, 0 "
        "to 1, by rank) and the perplexity of a tenth of the posts that a further model "
        "has not seen (the words at odd places of a post are shown, the others must be "
        "foreseen).\n\n"
        "With a range of --k several numbers of topics are compared, and one is kept. Of "
        "its runs the one most like the others is shown: each topic's share of all "
        "words, the posts whose main topic it is, its words by relevance (Sievert and "
        "Shirley 2014), a typical post.\n\n"
        "Where dates, views, scores and accepted answers are known, there are also "
        "topics by year, and how popular and how difficult each topic is, with rank "
        "correlations over topics. --label crosses topics with codes.\n\n"
        "The same seed gives the same result on any machine and with any number of "
        "threads. Html and Markdown are read as prose; stop words, numbers and words of "
        "one letter are left out.",
    .examples =
        "assay topics posts.csv --text title,body\n"
        "  20 topics of the posts in a csv\n"
        "assay topics posts.csv --text title,body --k 10..40 --step 5 --out topics\n"
        "  tries 7 numbers of topics, writes tables\n"
        "assay topics posts.csv --text title,body --words\n"
        "  which words count, to choose further stop words by\n"
        "assay topics my-study --of mobile --k 15\n"
        "  topics of a set of a study\n",
    .see_also = "assay-classify(1),assay-keywords(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
