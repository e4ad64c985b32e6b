/* Topic models of documents: words to tokens, models with several numbers of topics, what
 * speaks for each, the topics of the one that is kept, and their tables and files. */
#ifndef TOPIC_TOPIC_H
#define TOPIC_TOPIC_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/list.h"
#include "learn/features.h"
#include "stats/correlation.h"

/* Documents as a topic model sees them: the words that count, by number, in their order.
 *
 * Words are those of text/words.h with names of code whole, but without underscores at
 * their ends. Left out are stop words,
 * words of one character, and what has no letter (numbers, versions); then words in too
 * few or too many documents. */

/* Words and their numbers, which count from 0 in the order of their first appearance. A
 * zeroed table is empty. */
struct topic_tokens_table {
    size_t count;
    struct arena arena;
    struct buf names; /* struct str */
    struct buf
        slots; /* struct topic_tokens_slot; a power of two, half full at the most */
};

struct topic_tokens_options {
    bool stems;       /* words of one stem (text/words.h) are one, called by the form that
                         stands most often in the texts */
    bool bigrams;     /* two words that mostly stand together become one: a_b */
    bool all_words;   /* the built-in stop words stay */
    const char *stop; /* further words to leave out, by blanks or lines; NULL: none */
    int64_t documents_min; /* in which a word must stand */
    double share_max;      /* of the documents that it may stand in */
};

struct topic_tokens {
    size_t documents;
    const size_t *begin; /* of each document in `at`; documents + 1 of them */
    const uint32_t *at;
    size_t words;
    const struct str *names;
    const uint32_t *frequency; /* of each word: documents that it stands in */
    size_t empty;              /* documents without any word */
};

static inline size_t topic_tokens_length(const struct topic_tokens *tokens,
                                         size_t document)
{
    return tokens->begin[document + 1] - tokens->begin[document];
}

enum {
    TOPIC_TOKENS_WORD_MAX = 120
}; /* bytes; longer ones, such as encoded pictures, go */

/* Texts on their way in; nothing but their words is kept. A zeroed reader is ready. */
struct topic_tokens_reader {
    struct topic_tokens_table table; /* words as they stand in texts, in lower case */
    LIST(uint32_t) at;
    LIST(size_t) ends;
    struct buf lower, found; /* of the text in work */
    struct buf plain;
};

/* Adds the words of a part, as learn_parts_words() has them, to the document. */
void topic_tokens_add(struct topic_tokens_reader *reader, const struct learn_parts *parts,
                      enum learn_parts_name part);
void topic_tokens_end_document(struct topic_tokens_reader *reader);
void topic_tokens_reader_free(struct topic_tokens_reader *reader);

/* Everything lives in arena; the reader's words are used up. */
void topic_tokens_finish(struct topic_tokens_reader *reader,
                         const struct topic_tokens_options *options, struct arena *arena,
                         struct topic_tokens *out);

/* Of the documents with keep[d] == value those same tokens, as documents of their own. */
struct topic_tokens topic_tokens_some(const struct topic_tokens *tokens, const bool *keep,
                                      bool value, struct arena *arena);

/* Latent Dirichlet allocation (Blei, Ng and Jordan, JMLR 3, 2003) by collapsed Gibbs
 * sampling.
 *
 * Documents are cut into blocks, whose number depends on the tokens and topics alone. In
 * each iteration every block draws against the counts from before the iteration and its
 * own changes; then the changes of all blocks are added up in order (Newman et al.,
 * "Distributed algorithms for topic models", JMLR 10, 2009). So the same seed gives the
 * same bytes for any number of threads, and, since every operation is one that IEEE 754
 * defines to the last bit, on any machine. */

enum { TOPIC_LDA_TOPICS_MAX = 1000 };

struct topic_lda_settings {
    size_t topics;      /* 1 .. TOPIC_LDA_TOPICS_MAX */
    int64_t iterations; /* at least 1 */
    double alpha;       /* of each topic in a document; 0: learned, one for each topic */
    double beta;        /* of each word in a topic; 0: learned */
    uint64_t seed;
    int threads;
    bool shares;   /* the shares of topics in each document are wanted */
    bool portable; /* without the processor's vectors: the same topics, slower */
};

/* Means over up to ten samples from the last quarter of the iterations. The topic with
 * the most tokens is the first. */
struct topic_lda_model {
    size_t topics, words, documents;
    const float *words_given_topic; /* of word w in topic k: [w * topics + k] */
    const float
        *shares; /* of topic k in document d: [d * topics + k]; NULL: not wanted */
    const int64_t *tokens; /* of each topic, in the last sample */
    const double *alpha;   /* by topic, as given or learned */
    double beta;
    const double *nearness; /* clusters: cosine of each document and the centre of its
                               own; NULL: of other topics */
};

static inline double topic_lda_word(const struct topic_lda_model *model, size_t topic,
                                    size_t word)
{
    return (double)model->words_given_topic[word * model->topics + topic];
}

static inline double topic_lda_share(const struct topic_lda_model *model, size_t document,
                                     size_t topic)
{
    return (double)model->shares[document * model->topics + topic];
}

/* What makes a model of these documents impossible, NULL when nothing does: no words at
 * all, or more topics than words. */
const char *topic_lda_problem(const struct topic_tokens *tokens, size_t topics);

/* Everything lives in arena. False when the user asked to stop. */
bool topic_lda_fit(const struct topic_tokens *tokens,
                   const struct topic_lda_settings *settings, struct arena *arena,
                   struct topic_lda_model *out, struct err *err) MUST_USE;

/* Do the top words of a topic belong together? All measures count in how many documents
 * or windows words occur, alone and in pairs; a window is a run of tokens that slides
 * over a document by one token at a time, and a document shorter than it is one window.
 *
 * - umass: mean over pairs of log((D(w, v) + 1) / D(v)), v the more likely word, over
 *   documents. Mimno et al., "Optimizing semantic coherence in topic models", EMNLP 2011.
 * - npmi: mean over pairs of normalised pointwise mutual information over windows of 10.
 *   Bouma, GSCL 2009; Aletras and Stevenson, IWCS 2013.
 * - c_v: windows of 110; each word is the vector of its npmi with all top words; mean
 *   cosine between a word's vector and the sum of all. Roeder, Both and Hinneburg,
 *   "Exploring the space of topic coherence measures", WSDM 2015.
 *
 * Documents are those that the model was made from, after the same preparation. The
 * constants are gensim's; npmi of two words that are in every window, which that formula
 * leaves to chance, is 0 here. */

struct topic_coherence {
    double umass, npmi, c_v;
};

/* Of each topic, whose words stand at words[topic * count .. + count), the most likely
 * first. The words of a topic are different ones and occur in the documents; count is at
 * least 2. */
void topic_coherence_topics(const struct topic_tokens *tokens, const uint32_t *words,
                            size_t topics, size_t count, struct arena *arena,
                            struct topic_coherence *out);

/* The mean of each measure. */
struct topic_coherence topic_coherence_mean(const struct topic_coherence *topics,
                                            size_t count);

/* Would another seed find the same topics? The topics of two runs are matched one to one
 * so that their top words overlap most in all (Hungarian method: Kuhn, Naval Research
 * Logistics Quarterly 2, 1955); overlap is rank-biased (Webber, Moffat and Zobel, "A
 * similarity measure for indefinite rankings", ACM TOIS 28, 2010, extrapolated, p = 0.9):
 * 1 for the same words in the same order, 0 for none in common. */

/* Of two lists of `count` different words each. */
double topic_stability_overlap(const uint32_t *a, const uint32_t *b, size_t count);

/* to[i] is the partner of i, such that the sum of likeness[i * count + to[i]] is the
 * largest possible. */
void topic_stability_match(const double *likeness, size_t count, struct arena *arena,
                           size_t *to);

struct topic_stability {
    double mean;          /* over all pairs of runs and their topics; NAN with one run */
    size_t typical;       /* the run most like the others */
    const double *topics; /* of that run: mean overlap with their partners; or NAN */
};

struct topic_stability_runs {
    const uint32_t *const
        *words;   /* of each run, by topic and rank: [topic * top + rank] */
    size_t count; /* runs */
    size_t topics, top;
};

struct topic_stability topic_stability_of(const struct topic_stability_runs *runs,
                                          struct arena *arena);

/* How many topics? Models with several numbers of topics, several runs of each with
 * seeds of their own, compared: how well they foresee documents held out, how coherent
 * their topics are, and whether the runs find the same ones. */

/* Top words of a topic, by probability, that coherence and stability look at. */
enum { TOPIC_SWEEP_TOP = 10 };

struct topic_sweep_settings {
    struct topic_lda_settings lda; /* `topics` and `shares` are set here; run r has the
                                seed lda.seed + r; the models share lda.threads */
    const size_t *topics;          /* the numbers to try */
    size_t count;
    size_t runs;
    /* Called on the calling thread after each model. May be NULL. */
    void (*tell)(void *context, size_t done, size_t all);
    void *context;
};

/* What was found out with one number of topics. */
struct topic_sweep_step {
    size_t topics;
    double perplexity;                /* of documents held out (heldout_perplexity()) */
    struct topic_coherence coherence; /* means over topics and runs */
    struct topic_stability stability;
    uint64_t seed; /* of the typical run: fits it again */
};

/* ERR_INPUT when topic_lda_problem() says so; the message has no place. */
bool topic_sweep_run(const struct topic_tokens *tokens,
                     const struct topic_sweep_settings *settings, struct arena *arena,
                     struct topic_sweep_step *out, struct err *err) MUST_USE;

enum topic_sweep_choice {
    TOPIC_SWEEP_BY_CV,
    TOPIC_SWEEP_BY_NPMI,
    TOPIC_SWEEP_BY_PERPLEXITY,
    TOPIC_SWEEP_BY_STABILITY
};

/* The step with the best value; the first of equals, and the first step of all when the
 * value is undefined. */
size_t topic_sweep_choose(const struct topic_sweep_step *steps, size_t count,
                          enum topic_sweep_choice by);

/* The words that stand for a topic, by relevance: lambda log phi + (1 - lambda) log lift,
 * where lift is the word's share in the topic over its share in all tokens (Sievert and
 * Shirley, "LDAvis", 2014, who found lambda 0.6 to serve readers best; 1 is the order by
 * probability). */

#define TOPIC_RELEVANCE_LAMBDA 0.6

struct topic_relevance {
    uint32_t word;
    double relevance;
    double probability; /* in the topic */
};

/* Of each topic the first `count` words, which must be at most as many as there are; the
 * lower number wins among equals. out has topics x count places. */
void topic_relevance_words(const struct topic_lda_model *model,
                           const struct topic_tokens *tokens, double lambda, size_t count,
                           struct arena *arena, struct topic_relevance *out);

/* The same for lambda 1, numbers alone. */
uint32_t *topic_relevance_likely(const struct topic_lda_model *model, size_t count,
                                 struct arena *arena);

/* The topics of documents, from tokens to everything that is told about them: the numbers
 * of topics that were tried, the model kept, its topics with words, coherence and
 * stability. What needs more than texts follows below. */

enum { TOPIC_WORDS = 20, TOPIC_LABEL_WORDS = 4 };

struct topic_settings {
    struct topic_sweep_settings sweep;
    enum topic_sweep_choice choose; /* which number of topics is kept */
    double lambda;                  /* of relevance */
};

struct topic_set {
    const struct topic_sweep_step *steps;
    size_t step_count, chosen;
    struct topic_lda_model model; /* the typical run of the chosen step, with shares */
    size_t top;                   /* words listed of each topic: TOPIC_WORDS, or all */
    const struct topic_relevance *words;     /* by relevance: [topic * top + rank] */
    const struct topic_coherence *coherence; /* of each topic; NAN with a single word */
    const double *stability;                 /* of each topic; NAN with one run */
    size_t vectors; /* clusters: documents with a vector that has a length */
    double radius;  /* clusters by density: the one that was used */
};

/* How many of the words listed stand in the topic. Those behind them have no probability:
 * they only fill the place of words that a cluster does not have. */
size_t topic_words_of(const struct topic_set *topics, size_t topic);

/* ERR_INPUT, without a place, when a number of topics cannot be. */
bool topic_find(const struct topic_tokens *tokens, const struct topic_settings *settings,
                struct arena *arena, struct topic_set *out, struct err *err) MUST_USE;

/* Topics that are clusters of vectors which another program made of the documents. */
struct topic_clusters {
    const float *const *vectors; /* of each document; NULL: it has none, and no topic */
    size_t dimensions;
    bool
        density; /* DBSCAN, which finds how many; else k-means, as many as settings say */
    double radius; /* of density; NAN: see stats_cluster_radius(), rounded up to a
                    * millionth so that who reads it has the same clusters from it */
    size_t least;  /* neighbours that make a core */
};

/* The same of them: words by class-based tf-idf, no perplexity; with density one step and
 * no stability, since no seed plays a part. A document is in its cluster by its vector,
 * with words or without. ERR_INPUT, without a place, when there are not enough vectors;
 * out->vectors tells how many there are. */
bool topic_find_clusters(const struct topic_tokens *tokens,
                         const struct topic_settings *settings,
                         const struct topic_clusters *clusters, struct arena *arena,
                         struct topic_set *out, struct err *err) MUST_USE;

/* Topics by non-negative matrix factorisation (Lee and Seung, Nature 401, 1999): the
 * matrix of documents and words is taken apart into documents by topics times topics by
 * words, none of them below 0, with the least squared error. By coordinate descent
 * (Cichocki and Phan, IEICE Transactions E92-A, 2009), as scikit-learn does it; the same
 * beginning gives the same bytes for any number of threads. */

/* Cells that are not 0, row by row. */
struct topic_nmf_matrix {
    size_t rows, columns;
    const size_t *begin; /* of each row in `at` and `values`; rows + 1 of them */
    const uint32_t *at;
    const double *values;
};

struct topic_nmf_settings {
    size_t topics;
    int64_t iterations; /* at most */
    double tolerance;   /* it ends when the slopes are this share of the first ones */
    int threads;
};

struct topic_nmf_result {
    int64_t iterations; /* that were made */
    double distance;    /* Frobenius norm of the matrix without the product */
};

/* The factors hold where it begins and get where it ends: [row * topics + topic] and
 * [column * topics + topic]. False when the user asked to stop. */
bool topic_nmf_factorise(const struct topic_nmf_matrix *matrix,
                         const struct topic_nmf_settings *settings, double *documents,
                         double *words, struct topic_nmf_result *out,
                         struct err *err) MUST_USE;

/* The documents' words by tf-idf; it lives in arena. */
struct topic_nmf_matrix topic_nmf_weights(const struct topic_tokens *tokens,
                                          struct arena *arena);

/* The same as topic_find() of them: run r begins with random factors of the seed
 * lda.seed + r, and takes lda.iterations at most; words are by weight, and there is no
 * perplexity, for nothing is said of how likely words are. */
bool topic_find_nmf(const struct topic_tokens *tokens,
                    const struct topic_settings *settings, struct arena *arena,
                    struct topic_set *out, struct err *err) MUST_USE;

/* "gpu, memory, cuda, allocate": its most relevant words; "(no words)". */
void topic_add_label(const struct topic_set *topics, const struct topic_tokens *tokens,
                     size_t topic, struct buf *out);

/* What studies print about topics: how many posts each has, how they fall over years and
 * codes, how popular and how difficult they are. A document counts for the topic that has
 * the largest share in it. */

#define TOPIC_TABLES_NONE SIZE_MAX

/* Of each document its main topic, the first of equals; TOPIC_TABLES_NONE for one without
 * words, and for one that no topic has a share in. */
size_t *topic_tables_main_topics(const struct topic_lda_model *model,
                                 const struct topic_tokens *tokens, struct arena *arena);

/* The documents with the largest shares of a topic, of a cluster, where all shares are 1,
 * those nearest to its centre; the longer one of equals first, then the earlier one; only
 * those whose main topic it is. The result is how many there are, up to `count`. */
size_t topic_tables_typical(const struct topic_lda_model *model,
                            const struct topic_tokens *tokens, const size_t *main_topics,
                            size_t topic, size_t count, size_t *out);

/* By what they are ordered: the share, of a cluster the cosine with its centre. */
double topic_tables_typicality(const struct topic_lda_model *model, size_t document,
                               size_t topic);

/* Documents of each topic and group: out[topic * groups + group]. A document's group is
 * group_of[d], TOPIC_TABLES_NONE: none. */
void topic_tables_cross(const size_t *main_topics, const size_t *group_of,
                        size_t documents, size_t topics, size_t groups, int64_t *out);

/* What is known of each document; NULL: nothing of that kind, NAN: not of this one. */
struct topic_tables_measures {
    const double *views, *score;
    const double *accepted; /* 1 or 0: has an accepted answer */
    const double *hours;    /* until that was written */
};

struct topic_tables_topic {
    int64_t posts;           /* whose main topic it is */
    double share;            /* of all tokens */
    double views, score;     /* means over its posts */
    double without_accepted; /* share of its posts */
    double hours;            /* median */
};

/* A value that no post has is NAN. */
void topic_tables_topics(const struct topic_lda_model *model, const size_t *main_topics,
                         const struct topic_tables_measures *measures,
                         struct arena *arena, struct topic_tables_topic *out);

/* Are popular topics difficult ones? Each measure of popularity (views, score) with each
 * of difficulty (share without accepted answer, hours), over topics. */
struct topic_tables_relation {
    const char *popularity, *difficulty;
    struct stats_correlation spearman, kendall;
};

enum { TOPIC_TABLES_RELATIONS = 4 };
void topic_tables_relations(const struct topic_tables_topic *topics, size_t count,
                            struct arena *arena,
                            struct topic_tables_relation out[TOPIC_TABLES_RELATIONS]);

#endif
