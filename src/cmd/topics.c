/* assay topics: what posts are about, found without labels. */
#include "cmd/topics.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/progress.h"
#include "cmd/given.h"
#include "result/table_text.h"
#include "run/discovering.h"
#include "topic/topic.h"

#define AT(field) offsetof(struct cmd_topics_args, field)

static const struct cmd_operand operands[] = {
    {"SOURCE", AT(opening.study),
     "a csv or json file of posts; or a study file, or the folder that holds study.yaml",
     true},
    {0}};

static const struct cmd_option options[] = {
    {"--text", CMD_TEXT, AT(text), "COLUMNS",
     .help =
         "of a file: the columns to read, by commas; 'title' and 'tags' are what they "
         "say, all others are bodies in html or Markdown, of which prose counts"},
    {"--of", CMD_TEXT, AT(of), "SET",
     .help = "of a study: the set whose posts are read, title and prose"},
    {"--id", CMD_TEXT, AT(id), "COLUMN",
     .help = "of a file: the column that names posts; without it they are numbered"},
    {"--label", CMD_TEXT, AT(label), "COLUMN",
     .help = "of a file: codes that topics are to be crossed with"},
    {"--columns", CMD_TEXT, AT(columns), "MAPPING",
     .help = "of a file: which columns are what, as \"created=Asked, views=Seen, "
             "score=Votes, accepted=Answer, accepted-at=Solved\"; usual names, such as "
             "ViewCount, need not be said"},
    {"--k", CMD_TEXT, AT(k), "RANGE",
     .help = "number of topics, or numbers to try, as 10..40", .fallback = "20"},
    {"--step", CMD_INT, AT(step), "N", .help = "how far apart the numbers of --k are",
     .lowest = 1, .highest = TOPIC_LDA_TOPICS_MAX, .fallback = "5"},
    {"--method", CMD_CHOICE, AT(method), "HOW",
     .help =
         "latent Dirichlet allocation, or non-negative matrix factorisation of tf-idf "
         "from random beginnings; of nmf, coherence and stability of lda are shown "
         "beside its own",
     .choices = "lda|nmf", .fallback = "lda"},
    {"--choose", CMD_CHOICE, AT(choose), "BY",
     .help = "what decides between numbers of topics",
     .choices = "c_v|npmi|perplexity|stability", .fallback = "c_v"},
    {"--runs", CMD_INT, AT(runs), "N",
     .help = "models with other seeds for each number: how stable topics are",
     .lowest = 1, .highest = 1000, .fallback = "5"},
    {"--iterations", CMD_INT, AT(iterations), "N",
     .help = "of Gibbs sampling; of nmf at most so many", .lowest = 1, .highest = 1000000,
     .fallback = "200"},
    {"--alpha", CMD_REAL, AT(alpha), "X",
     .help =
         "prior of each topic in a post; without it, it is learned, one for each topic",
     .highest = 1000},
    {"--beta", CMD_REAL, AT(beta), "X",
     .help = "prior of each word in a topic; without it, it is learned", .highest = 1000},
    {"--lambda", CMD_REAL, AT(lambda), "X",
     .help = "0 lists the words that are special to a topic first, 1 the most frequent; "
             "0.6 without it",
     .highest = 1},
    {"--vectors", CMD_TEXT, AT(vectors), "FILE",
     .help = "topics are clusters of vectors that another program made, such as "
             "embeddings: csv, json lines or .npy as for assay-classify(1), by the "
             "column of --id or the keys of a study's items. Their words are those that "
             "class-based tf-idf puts first; coherence and stability of topics from "
             "words (LDA) are shown beside theirs"},
    {"--keys", CMD_TEXT, AT(keys), "FILE",
     .help = "with .npy: the id of each row, in a line of its own"},
    CMD_EMBEDDING_OPTIONS(struct cmd_topics_args, embed),
    {"--clusters", CMD_CHOICE, AT(clusters), "HOW",
     .help = "of --vectors: k-means with the numbers of --k, or density (DBSCAN by "
             "cosine), which finds the number and leaves posts out that lie alone",
     .choices = "k-means|density", .fallback = "k-means"},
    {"--radius", CMD_REAL, AT(radius), "X",
     .help = "of density: two posts are neighbours when 1 - cosine is at most this; "
             "without it the median over posts of that to the neighbour of --least, "
             "rounded up to a millionth",
     .highest = 2},
    {"--least", CMD_INT, AT(least), "N",
     .help = "of density: neighbours, itself among them, that make a post the core of a "
             "cluster",
     .lowest = 2, .highest = 1000000, .fallback = "5"},
    {"--stems", CMD_FLAG, AT(stems), NULL,
     .help = "'deploys' and 'deployed' are one word, called by the form that stands most "
             "often"},
    {"--bigrams", CMD_FLAG, AT(bigrams), NULL,
     .help = "two words that mostly stand together are one, as 'neural_network'"},
    {"--code", CMD_FLAG, AT(code), NULL, .help = "code blocks count as well"},
    {"--stop", CMD_TEXT, AT(stop), "FILE", .help = "further words to leave out"},
    {"--all-words", CMD_FLAG, AT(all_words), NULL,
     .help = "leave out no words but those of --stop"},
    {"--min-posts", CMD_INT, AT(min_posts), "N",
     .help = "posts that a word must stand in", .lowest = 1, .highest = INT64_MAX,
     .fallback = "5"},
    {"--max-share", CMD_REAL, AT(max_share), "X",
     .help = "share of the posts that it may stand in; 0.5 without it", .highest = 1},
    {"--words", CMD_FLAG, AT(words), NULL,
     .help = "only list the words that count, as csv, with their numbers of posts"},
    {"--out", CMD_TEXT, AT(out), "DIR", .help = "write all tables into this folder, too"},
    {"--json", CMD_FLAG, AT(json), NULL, .help = "print JSON"},
    {"--seed", CMD_INT, AT(seed), "N", .help = "where random numbers begin",
     .highest = INT64_MAX, .fallback = "1"},
    CMD_OPENING_DATA,
    CMD_OPENING_READING,
    CMD_OPENING_QUIET,
    {0}};

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
    struct progress *progress = context;

    (void)done;
    progress->bytes_all = (int64_t)all;
    progress_add(progress, 1, 0);
}

static bool is_nmf(const struct cmd_topics_args *args)
{
    return strcmp(args->method, "nmf") == 0;
}

/* What belongs to another method. */
static bool check_method(const struct cmd_topics_args *args, struct err *err)
{
    const char *other = args->alpha.given       ? "--alpha"
                        : args->beta.given      ? "--beta"
                        : args->lambda.given    ? "--lambda"
                        : args->vectors != NULL ? "--vectors"
                                                : NULL;

    if (!is_nmf(args))
        return true;
    if (other != NULL)
        return err_set(err, ERR_USAGE, "%s does not go with --method nmf", other);
    return strcmp(args->choose, "perplexity") != 0 ||
           err_set(err, ERR_USAGE,
                   "nmf has no perplexity to choose by; expected --choose c_v, npmi or "
                   "stability");
}

static bool read_settings(const struct cmd_topics_args *args, struct arena *arena,
                          struct progress *progress, struct topic_settings *out,
                          struct err *err)
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
                  .tell = tell,
                  .context = progress},
        .lambda = args->lambda.given ? args->lambda.value : TOPIC_RELEVANCE_LAMBDA,
    };
    for (size_t i = 0; i < ROWS_OF(choices); i++)
        if (strcmp(args->choose, choices[i].name) == 0)
            out->choose = choices[i].choice;
    if ((args->alpha.given && args->alpha.value <= 0) ||
        (args->beta.given && args->beta.value <= 0))
        return err_set(err, ERR_USAGE, "--alpha and --beta must be above 0");
    return check_method(args, err) && read_range(args, arena, &out->sweep, err);
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

/* What --vectors gave, and LDA's topics, as many. */
struct topics_given {
    struct input_vectors vectors;
    struct learn_given of;
    struct topic_set words;
};

static bool
find_clusters(const struct cmd_topics_args *args, struct cmd_topics_posts *posts,
              const struct topic_tokens *tokens, const struct topic_settings *settings,
              struct topics_given *given, struct topic_set *out, struct err *err)
{
    struct arena *arena = posts->arena;
    struct topic_settings other = *settings;

    if (!input_vectors_read(args->vectors, args->keys, arena, &given->vectors, err))
        return false;
    given->of = cmd_given_of(&given->vectors, posts->ids.at, posts->count, arena);
    if (!cmd_given_check(&given->vectors, args->vectors, &given->of, posts->ids.at,
                         posts->count, err))
        return false;
    struct topic_clusters how = {
        .vectors = given->of.at,
        .dimensions = given->of.dimensions,
        .density = strcmp(args->clusters, "density") == 0,
        .radius = args->radius.given ? args->radius.value : NAN,
        .least = (size_t)args->least,
    };
    if (!topic_find_clusters(tokens, settings, &how, arena, out, err))
        return err_at(err, "%s: ", args->vectors);
    other.sweep.topics = &out->model.topics;
    other.sweep.count = 1;
    return topic_find(tokens, &other, arena, &given->words, err) ||
           err_at(err, "%s: ", args->opening.study);
}

static bool find_nmf(const struct cmd_topics_args *args, struct cmd_topics_posts *posts,
                     const struct topic_tokens *tokens,
                     const struct topic_settings *settings, struct topics_given *given,
                     struct topic_set *out, struct err *err)
{
    struct topic_settings other = *settings;

    if (!topic_find_nmf(tokens, settings, posts->arena, out, err))
        return err_at(err, "%s: ", args->opening.study);
    other.sweep.topics = &out->model.topics;
    other.sweep.count = 1;
    return topic_find(tokens, &other, posts->arena, &given->words, err) ||
           err_at(err, "%s: ", args->opening.study);
}

/* How topics that were found otherwise fare beside those of LDA. */
static void add_methods(const struct topic_set *topics, const char *name,
                        const struct topic_set *words, struct arena *arena,
                        struct buf *out)
{
    struct result_table table = run_discovering_methods(topics, name, words, arena);

    result_table_text_markdown(&table, out);
    buf_add_char(out, '\n');
}

/* What was read, and how clusters fare beside topics from words. */
static void add_given(const struct cmd_topics_args *args,
                      const struct cmd_topics_posts *posts,
                      const struct topics_given *given, const struct topic_set *clusters,
                      struct buf *out)
{
    const struct topic_lda_model *model = &clusters->model;
    size_t alone = 0, missing = 0;

    for (size_t d = 0; d < model->documents; d++) {
        bool any = false;
        missing += given->of.at[d] == NULL;
        for (size_t k = 0; k < model->topics; k++)
            any = any || topic_lda_share(model, d, k) > 0;
        alone += !any;
    }
    cmd_given_tell(&given->vectors, args->vectors, &given->of, posts->ids.at,
                   posts->count, out);
    if (posts->count > missing + clusters->vectors)
        buf_add_format(out, "posts with a vector that has no length: %zu\n",
                       posts->count - missing - clusters->vectors);
    buf_add_format(out, "posts in no cluster: %zu\n",
                   alone - (posts->count - clusters->vectors));
    if (!isnan(clusters->radius))
        buf_add_format(out, "radius: %.7g\n", clusters->radius);
    buf_add_char(out, '\n');
    add_methods(clusters, args->clusters, &given->words, posts->arena, out);
}

static bool find_topics(const struct cmd_topics_args *args,
                        struct cmd_topics_posts *posts, struct buf *out, struct err *err)
{
    struct topic_settings settings;
    struct topic_tokens tokens;
    struct topic_set topics;

    struct progress progress =
        progress_begin("topic models", 0, STDERR_FILENO, args->opening.quiet);

    progress.pieces = true;
    if (!read_settings(args, posts->arena, &progress, &settings, err) ||
        !read_tokens(args, posts, &tokens, err))
        return false;
    if (args->words) {
        cmd_topics_show_words(&tokens, out);
        return true;
    }
    progress_turn_to(&progress, progress.what);
    struct topics_given given = {0};
    bool found =
        args->vectors != NULL
            ? find_clusters(args, posts, &tokens, &settings, &given, &topics, err)
        : is_nmf(args) ? find_nmf(args, posts, &tokens, &settings, &given, &topics, err)
                       : topic_find(&tokens, &settings, posts->arena, &topics, err) ||
                             err_at(err, "%s: ", args->opening.study);
    progress_end(&progress);
    if (!found)
        return false;
    if (args->vectors != NULL && !args->json)
        add_given(args, posts, &given, &topics, out);
    else if (is_nmf(args) && !args->json)
        add_methods(&topics, "words (NMF)", &given.words, posts->arena, out);
    if (args->json)
        cmd_topics_show_json(posts, &tokens, &topics, out);
    else
        cmd_topics_show_page(args, posts, &tokens, &topics, out);
    return args->out == NULL ||
           cmd_topics_show_write(args->out, posts, &tokens, &topics, err);
}

/* Vectors that a server is to make first. */
static bool embed(struct cmd_session *session, const struct cmd_topics_args *args,
                  struct err *err)
{
    struct cmd_embedding_tables tables = {{args->opening.study}, args->text, args->id};
    struct cmd_embedding_to to = {
        .file = args->vectors, .keys = args->keys, .quiet = args->opening.quiet};

    if (!cmd_embedding_check(&args->embed, args->vectors, err))
        return false;
    if (args->embed.url == NULL)
        return true;
    if (cmd_opening_is_study(args->opening.study))
        return err_set(
            err, ERR_USAGE,
            "--embed is for a table; of a study `assay embed` makes the vectors "
            "that its section `vectors` names");
    if (args->text == NULL)
        return err_set(err, ERR_USAGE,
                       "a table needs --text COLUMNS, such as --text title,body");
    struct study_embed how = cmd_embedding_how(&args->embed);
    return cmd_embedding_make_tables(&how, &tables, &to, &session->arena, err);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct cmd_topics_args *args = arguments;
    struct cmd_topics_posts posts = {.arena = &session->arena};
    struct buf out = {0};
    bool ok = embed(session, args, err) &&
              (cmd_opening_is_study(args->opening.study)
                   ? cmd_topics_read_study(session, args, &posts, err)
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
    .see_also = "assay-classify(1),assay-keywords(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
