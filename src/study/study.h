/* The study file: everything a study does, declared in one place and checked before
 * anything runs. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "item/key.h"
#include "query/query.h"
#include "sample/size.h"
#include "source/decided.h"
#include "source/source.h"
#include "study/measure.h"
#include "yaml/yaml.h"

/* Groupings that need no further words: "created by year", "source", "tags". */
enum study_grouping {
    STUDY_GROUPING_YEAR,
    STUDY_GROUPING_QUARTER,
    STUDY_GROUPING_MONTH,
    STUDY_GROUPING_SOURCE,
    STUDY_GROUPING_TAGS,
    STUDY_GROUPING_FIRST_OF, /* from here on with keys of their own */
    STUDY_GROUPING_ALL_OF,
    STUDY_GROUPING_SETS,
    STUDY_GROUPING_FIELD,
    STUDY_GROUPING_LABELS,
};

bool study_grouping_parse(struct str text, enum study_grouping *out,
                          struct err *err) MUST_USE;

/* The name of the period that a moment belongs to: 2018, 2018-Q3, 2018-09. */
void study_grouping_period(enum study_grouping grouping, int64_t ms, struct buf *out);

#define STUDY_NONE SIZE_MAX /* an index that leads nowhere */

struct study_pair {
    struct str key, value;
};

struct study_source {
    struct str name; /* empty: the only one */
    const struct source_kind *kind;
    const char **paths; /* from here */
    const char **names; /* as written */
    size_t path_count;
    struct study_pair *columns, *fields; /* field: column; name: column */
    size_t column_count, field_count;
    struct str dates_of;               /* a field of rows: the number of a post */
    const char **dates, **dates_names; /* tables to date it by */
    size_t dates_count;
    int64_t until_ms; /* posts from then on are left out; INT64_MAX: none */
    struct str site;  /* where links to posts lead; empty: nowhere */
    bool site_told;   /* by the study or by a path: it is not the usual one */
    unsigned also;    /* bit 1u << ITEM_ALSO_...: what is taken besides items */
};

struct study_set {
    struct str name;
    struct str text;            /* the query as written */
    struct query_node *query;   /* as written, in: not resolved */
    struct query_node *written; /* every in:SET replaced by what the set says */
    const struct yaml_node *node;
};

struct study_group {
    struct str name;
    enum study_grouping grouping;
    struct str *names;           /* of FIRST_OF, ALL_OF, SETS: of the values */
    struct query_node **queries; /* of FIRST_OF, ALL_OF, in:SET written out */
    size_t count;
    int64_t top;              /* TAGS: the most frequent; 0: all */
    struct str of;            /* TAGS: most frequent in this set; empty: of all items */
    struct str field;         /* FIELD */
    bool list;                /* FIELD: an item stands under each line of its value */
    size_t labels;            /* LABELS: index */
    int level;                /* LABELS: 0: as given */
    struct study_pair *shown; /* FIELD: value, name */
    size_t shown_count;
    struct str others; /* empty: none */
    const struct yaml_node *node;
};

enum study_allocate { STUDY_PROPORTIONAL, STUDY_EQUAL, STUDY_EACH };

struct study_sample {
    struct str name, of;
    struct sample_size_spec size;
    uint64_t seed;
    bool systematic;
    enum study_allocate allocate;
    size_t by;            /* group or STUDY_NONE */
    size_t keep;          /* sample or STUDY_NONE */
    const char *list;     /* SAMPLE_SIZE_LIST: a csv; else NULL */
    struct str list_item; /* the column that names the item */
    const struct yaml_node *node;
};

/* Whether somebody chose its items: no chance has brought them in. */
static inline bool study_sample_is_chosen(const struct study_sample *sample)
{
    return sample->size.kind == SAMPLE_SIZE_TOP || sample->size.kind == SAMPLE_SIZE_LIST;
}

/* Whether chance decides what is in it, and not only in which order that stands. */
static inline bool study_sample_is_random(const struct study_sample *sample)
{
    return !study_sample_is_chosen(sample) && sample->size.kind != SAMPLE_SIZE_ALL;
}

/* Whether each item of the set is drawn with the same chance, but for rounding. */
static inline bool study_sample_is_even(const struct study_sample *sample)
{
    return sample->by == STUDY_NONE || sample->allocate == STUDY_PROPORTIONAL;
}

struct study_labels {
    struct str name;
    const char *from;   /* NULL: from fields */
    struct str table;   /* of the result that `from` is; empty: it is a csv */
    struct str *fields; /* of the items */
    size_t field_count;
    const char *codebook; /* path; NULL: none */
    struct str dimension;
    struct str item, rater, code; /* columns */
    struct str unit;              /* column of the unit in the item; empty: none */
    char separator;               /* of several codes in a cell; 0: none */
    bool skip_unknown;
    size_t labelling, classifier, topics, phrases,
        extract; /* of this study that make them, or STUDY_NONE */
    const struct yaml_node *node;
};

/* What a condition on labels, such as label:kinds/crash, asks for. */
struct study_condition {
    enum query_field field;
    struct str text; /* as the query has it: with the field it names the condition */
    size_t labels;   /* STUDY_NONE: there are none, as has been said */
    struct str code; /* empty: any; a path where the codebook has it */
    const struct yaml_node *node;
};

/* What a labelling page does not show. */
enum study_hide {
    STUDY_HIDE_ANSWERS = 1,
    STUDY_HIDE_COMMENTS = 2,
    STUDY_HIDE_TAGS = 4,
    STUDY_HIDE_SCORE = 8,
};

/* A rater that is a model, asked over HTTP as OpenAI's chat completions are. What it says
 * is never a final label. */
struct study_model_rater {
    struct str name;  /* among the raters */
    struct str model; /* as its server calls it */
    struct str url;   /* up to, not including, /v1 */
    struct str key;   /* the environment variable that holds the key; empty: none */
    double temperature;
    uint64_t seed; /* of the first run; further ones count on */
    int64_t runs, parallel, tokens, seconds, retries;
    int64_t at_most, per_minute; /* requests; 0: any number */
    bool constrained;            /* answers are held to the codes by a schema */
    bool logprobs;               /* log-probabilities are asked for */
    const char *template;        /* path; NULL: that of assay */
    struct str *of;              /* sets and samples; none: those of the labelling */
    size_t of_count;
    struct str open; /* whether its weights are: "yes", "no"; empty: not said */
    struct study_pair *request; /* further members of requests */
    size_t request_count;
    bool without_temperature, without_seed, without_tokens; /* they are not sent */
    const struct yaml_node *node;
};

struct study_labelling {
    struct str name;
    struct str *of; /* sets and samples */
    size_t of_count;
    const char *codebook; /* path */
    struct str *raters;   /* people */
    size_t rater_count;
    struct study_model_rater *models;
    size_t model_count;
    struct str arbiter, lead; /* arbiter empty: nobody; lead: the arbiter, or "lead" */
    double pilot;             /* share of the items, above 1 their number; 0: no pilot */
    double *checkpoints;      /* shares of the work, ascending */
    size_t checkpoint_count;
    int64_t raters_per_item; /* 0: all */
    double overlap;          /* share of items for so many raters, the rest get one */
    double retest;           /* share of a rater's items that come again */
    uint64_t seed;
    unsigned hide;
    bool names_hidden;      /* from the arbiter */
    bool units;             /* raters mark units in an item, and label each of them */
    bool leaves;            /* only codes without others below may be given */
    struct str mathematics; /* "auto", "yes" or "no" */
    const char *images;     /* folder of copies; NULL: none */
    enum study_spans { STUDY_SPANS_NO, STUDY_SPANS_YES, STUDY_SPANS_PER_CODE } spans;
    const struct yaml_node *node;
};

/* Parts of a post that may have weights: title, prose, code, inline-code, tags. */
enum { STUDY_PARTS = 5 };
extern const char *const study_parts[STUDY_PARTS];

/* A server that makes vectors of texts. */
struct study_embed {
    struct str model, url; /* url: up to, not including, /v1 */
    struct str key;        /* the environment variable that holds the key; empty: none */
    struct str prefix, question_prefix;        /* before each text; before a question's */
    int64_t dimensions;                        /* asked for; 0: as many as it gives */
    int64_t characters;                        /* that are sent of a text */
    int64_t batch, parallel, seconds, at_most; /* at_most 0: any number */
};

/* With what is not said as `vectors.*.embed` has it; model and url are still to be set.
 */
struct study_embed study_embed_usual(void);

/* Whether it is the address of a server, without what may be a secret; and without what
 * people write behind it: "http://host:1234/v1/" is meant as "http://host:1234". */
bool study_is_server(struct str url);
struct str study_server(struct str url);

/* Whether it can be the name of an environment variable. */
bool study_is_variable(struct str name);

/* Vectors of items that another program made. */
struct study_vectors {
    struct str name, of;     /* the set whose items should have one; empty: all items */
    const char *file, *keys; /* keys NULL: the file has them */
    const struct study_embed *embed; /* assay makes the file; NULL: somebody else does */
    double near; /* cosine of two items that are near duplicates; NAN: none are sought */
    const struct yaml_node *node;
};

struct study_classifier {
    struct str name;
    size_t train; /* labels to learn from */
    int level;    /* of their tree; 0: as given */
    struct str method;
    struct str *features; /* parts of a post; none: all */
    size_t feature_count;
    bool letters, words_alone; /* whether runs of letters count besides words; neither:
                                  as it suits the method */
    bool vectors;              /* so may word vectors of the texts to predict */
    size_t item_vectors;       /* and vectors of the items; STUDY_NONE: none */
    int64_t runs, min_items, select, top; /* 0: not said */
    double max_share;                     /* 0: not said */
    double weights[STUDY_PARTS];          /* in the order of study_parts; NAN: not said */
    struct str idf, stop_words, normaliser, outside, title;
    double test;         /* share held out to judge it */
    int64_t folds;       /* of cross-validation */
    struct str *predict; /* sets and samples */
    size_t predict_count;
    const char *keywords;    /* a csv of words picked by hand; NULL: none */
    const char *predictions; /* a csv of what something else says; NULL: none */
    struct str rater;        /* a model of the labelling that says it; empty: none */
    uint64_t seed;
    const struct yaml_node *node;
};

struct study_topics {
    struct str name, of;
    int64_t first, last, step; /* numbers of topics to try */
    int64_t runs, iterations;
    uint64_t seed;
    struct str *features; /* parts of a post; none: title and prose */
    size_t feature_count;
    struct str *stop; /* further words to leave out */
    size_t stop_count;
    bool stems;
    bool nmf;            /* by matrix factorisation; else LDA, or */
    size_t item_vectors; /* clusters of these vectors of items; STUDY_NONE: no clusters */
    bool density;        /* of which this finds how many: first is 0; else k-means */
    double radius;       /* of density; NAN: it follows from the vectors */
    int64_t least;
    struct str *names; /* of topics 1 .. first; empty: its words. NULL: of none */
    const struct yaml_node *node;
};

enum study_verdict { STUDY_UNDECIDED, STUDY_ACCEPTED, STUDY_REFUSED, STUDY_DISPUTED };

/* Tags of a subject: seeds, and those that people accepted beside them. */
struct study_tagset {
    struct str name;
    struct str *seeds; /* as written */
    size_t seed_count;
    struct str *counted; /* the same with their synonyms */
    size_t counted_count;
    double relevance, significance; /* that a candidate has at least */
    struct query_node *among;       /* questions to count; NULL: all */
    const char *decisions;          /* csv; NULL: none. It may not be there yet */
    bool listed;                    /* the study file says which are accepted */
    struct source_decided *decided;
    size_t decided_count;
    const struct yaml_node *node;
};

/* What developers name, lack or set, to be found in texts and code. */
struct study_extract {
    struct str name, of;
    struct str what; /* a word of extract_kinds */
    int64_t top, at_least;
    const struct yaml_node *node;
};

/* Verb phrases of titles, and what people decided on them. */
struct study_phrases {
    struct str name, of;
    bool sentences;        /* of the text's first sentence; else of the title */
    const char *decisions; /* csv; NULL: none */
    struct str *unifiers;  /* who may decide on the pages; each for themselves */
    size_t unifier_count;
    struct str arbiter;
    size_t actions, objects; /* labels that tell those of some items, or STUDY_NONE */
    uint64_t seed;
    const struct yaml_node *node;
};

struct study_column {
    struct str text; /* the measure as written */
    struct str name; /* heading */
    struct str slug; /* in addresses */
    struct study_measure measure;
    int round_first; /* digits; -1: not */
    int digits;      /* to show; -1: as suits the measure */
    double minimum_age_days;
};

/* Only items that belong to this value of the group. */
struct study_where {
    size_t group;
    struct str value;
};

enum { STUDY_TOTAL_ROWS = 1, STUDY_TOTAL_COLUMNS = 2 };

/* A step of the study whose results a table shows. */
enum study_maker {
    STUDY_NO_MAKER,
    STUDY_BY_LABELLING,
    STUDY_BY_CLASSIFIER,
    STUDY_BY_TOPICS,
    STUDY_BY_PHRASES,
    STUDY_BY_EXTRACT,
    STUDY_BY_TAGSET,
    STUDY_BY_REGRESSION,
    STUDY_BY_VECTORS,
    STUDY_BY_TABLE, /* whose columns are correlated */
};

/* What an outcome depends on. */
enum study_model { STUDY_LOGISTIC, STUDY_NEGATIVE_BINOMIAL, STUDY_COX };

struct study_term {
    struct str text;              /* as it was written */
    size_t group;                 /* its values against the first; or STUDY_NONE */
    struct str set;               /* in it or not; or empty */
    struct study_measure measure; /* else a quantity of each item */
    bool log;                     /* the logarithm of 1 and it */
    const struct yaml_node *node;
};

/* What items are clustered by. */
enum study_cluster {
    STUDY_UNCLUSTERED,
    STUDY_ROBUST, /* each item by itself */
    STUDY_BY_ASKER,
    STUDY_BY_SOURCE,
    STUDY_BY_GROUP,
};

struct study_regression {
    struct str name, of;
    enum study_model model;
    struct study_measure on;
    struct str on_text;
    struct study_term *terms;
    size_t term_count;
    struct str *against; /* values of groups that the others are compared with */
    size_t against_count;
    enum study_cluster errors, random;
    size_t errors_group, random_group;
    struct str errors_text, random_text; /* as they were written; or empty */
    double level;
    const struct yaml_node *node;
};

struct study_table {
    struct str name, title;
    const char *from; /* a csv that holds it, or the result of the step that it is made
                         from; NULL: it is computed from items */
    bool printed;     /* that csv has numbers as a paper prints them */
    struct str part;  /* of that result: the table to show; empty: none as it is */
    enum study_maker maker;
    size_t made_by;  /* the labelling, classifier or topics */
    struct str show; /* of its results; not empty with a maker */
    size_t truth;    /* labels whose shares stand beside estimated ones; STUDY_NONE */
    struct str *row_names;
    size_t row_name_count; /* of these columns; 0: the first */
    struct str *of;        /* sets and samples; none: all items */
    size_t of_count;
    size_t *by; /* groups */
    size_t by_count;
    size_t *across; /* groups */
    size_t across_count;
    struct study_where *where;
    size_t where_count;
    struct study_column *columns;
    size_t column_count;
    unsigned totals;
    bool count_units; /* what raters marked in items is counted, not items */
    bool unit_rows;   /* totals count an item once for each row it stands in */
    size_t sort;      /* column, STUDY_NONE: as they come */
    bool sort_by_name, descending;
    int64_t top;   /* rows of a block; 0: all */
    int64_t small; /* cells of fewer items are marked */
    double confidence;
    size_t ranked[2]; /* columns whose ranks are correlated; STUDY_NONE: none */
    const struct yaml_node *node;
};

/* A site and a book that tell of each category what is known, and what helped. */
struct study_handbook {
    struct str title;             /* empty: the study's */
    struct study_table *chapters; /* their rows are the categories; the columns of each
                                     are in the order of enum study_handbook_column */
    size_t chapter_count;
    bool named;                  /* chapters have names: else there is one without */
    int64_t solved, open, names; /* how many of them a page shows */
    const struct yaml_node *node;
};

enum study_handbook_column {
    STUDY_HANDBOOK_COUNT,
    STUDY_HANDBOOK_SHARE,
    STUDY_HANDBOOK_WITHOUT,
    STUDY_HANDBOOK_WAIT,
    STUDY_HANDBOOK_SURVIVAL,
    STUDY_HANDBOOK_COLUMNS
};

enum study_test_kind {
    STUDY_PROPORTION,
    STUDY_CHI_SQUARE,
    STUDY_FISHER,
    STUDY_STUDENT,
    STUDY_WELCH,
    STUDY_PAIRED,
    STUDY_MANN_WHITNEY,
    STUDY_WILCOXON,
    STUDY_KRUSKAL_WALLIS,
    STUDY_FRIEDMAN,
    STUDY_LOG_RANK,
    STUDY_MANN_KENDALL,
    STUDY_SCOTT_KNOTT,
    STUDY_PEARSON,
    STUDY_SPEARMAN,
    STUDY_KENDALL,
};

enum study_each { STUDY_EACH_TABLE, STUDY_EACH_BLOCK, STUDY_EACH_ROW };

enum study_correct { STUDY_NO_CORRECTION, STUDY_BONFERRONI, STUDY_HOLM, STUDY_BENJAMINI };

struct study_test {
    struct str name, title;
    enum study_test_kind kind;
    struct str *compare; /* sets */
    size_t compare_count;
    struct str of; /* set, parted by `by` */
    size_t by;     /* group or STUDY_NONE */
    struct study_measure on, with;
    struct str on_text;
    size_t table; /* whose cells are compared; STUDY_NONE: items are */
    enum study_each each;
    struct str *first, *second; /* columns of the table */
    size_t first_count, second_count;
    bool yates;
    bool stars;      /* p values in tables bear * ** *** */
    int round_first; /* digits; -1: not */
    enum study_correct correct;
    double level;
    uint64_t seed;
    const struct yaml_node *node;
};

/* Tests that are corrected together. */
struct study_family {
    struct str name;
    size_t *tests; /* in the order of the study file */
    size_t count;
    enum study_correct correct; /* as the first of them has it */
    double level;
};

enum study_figure_kind {
    STUDY_BARS,
    STUDY_STACKED,
    STUDY_SHARES, /* stacked to 100% */
    STUDY_LINES,
    STUDY_BOX,
    STUDY_HISTOGRAM,
    STUDY_ECDF,
    STUDY_SURVIVAL,
    STUDY_HEAT,
    STUDY_FUNNEL,
    STUDY_TREE,
    STUDY_ALLUVIAL,
    STUDY_SCATTER,
    STUDY_FOREST,
};

enum study_order {
    STUDY_ORDER_GIVEN,
    STUDY_ORDER_LARGEST,
    STUDY_ORDER_SMALLEST,
    STUDY_ORDER_NAME,
    STUDY_ORDER_LIST,
};

struct study_figure {
    struct str name, title;
    enum study_figure_kind kind;
    size_t table;        /* that it shows; STUDY_NONE: items or a funnel */
    struct str *columns; /* of the table; none: all */
    size_t column_count;
    size_t set;     /* FUNNEL: of this set */
    struct str *of; /* sets of items */
    size_t of_count;
    size_t by; /* group or STUDY_NONE */
    struct study_measure on;
    struct str on_text;
    bool two_columns, log_scale, patterns;
    double height_cm;          /* 0: suitable */
    struct study_pair *labels; /* name: what is shown */
    size_t label_count;
    bool limited; /* the axis of values, to these: */
    double low, high;
    size_t bins; /* 0: suitable */
    enum study_order order;
    struct str *first; /* ORDER_LIST: what comes first */
    size_t first_count;
    struct chart_colour *palette; /* NULL: the usual one */
    size_t palette_count;
    const struct yaml_node *node;
};

/* A research question, and what of the study answers it. */
struct study_question {
    struct str name, asks, method, answer;
    struct str *findings, *threats;
    size_t finding_count, threat_count;
    size_t *tables, *figures, *tests; /* by index */
    size_t table_count, figure_count, test_count;
    const struct yaml_node *node;
};

/* A published number. */
struct study_expectation {
    struct str expression; /* without "#2" */
    struct str value, source, known, reproduces, right;
    struct str needs; /* "dump", "labels", "dump and the labels" */
    bool needs_dump;
    bool own;         /* the paper does not print it */
    double tolerance; /* NAN: by the digits of value */
    int line;
};

struct study {
    const char *path, *folder; /* of the study file; "" is the current one */
    /* Where corpus.db, assay.lock and out/ are: the same folder, but for a study file
     * that is not called study.yaml one below it that bears its name. */
    const char *home;
    struct yaml_node root; /* all of it, checked */
    struct str name, title;
    struct str *authors; /* each with or without an ORCID behind the name */
    size_t author_count;
    struct str license;   /* of the package; empty: not said */
    bool simulated;       /* what is expected was planted, not published */
    struct str dump_site; /* of the dump that published numbers need; empty: not told */
    int64_t dump_newest_ms;
    double dump_questions; /* at least */
    struct study_source *sources;
    size_t source_count;
    struct item_spaces spaces; /* of the sources: what items are called */
    unsigned also;             /* what any source takes besides items */
    struct str servers;        /* that hold the items, with blanks between; empty: none */
    struct query_node *take;   /* questions for the corpus; NULL: what the sets need */
    struct query_synonyms *synonyms; /* NULL: none are given */
    int64_t synonyms_left_out;       /* of the table of tag synonyms: not approved */
    struct study_tagset *tagsets;
    size_t tagset_count;
    struct query_tagset *tagset_queries; /* what [tagset:NAME] stands for */
    size_t tagset_query_count;
    struct study_set *sets;
    size_t set_count;
    struct study_group *groups;
    size_t group_count;
    struct study_sample *samples;
    size_t sample_count;
    struct study_labels *labels; /* those of the section `labels`, then those that */
    size_t label_count;          /* labellings and classifiers make */
    size_t all_label_count;
    struct study_condition *conditions; /* on labels, of sets and groups, each once */
    size_t condition_count;
    struct study_labelling *labellings;
    size_t labelling_count;
    struct study_classifier *classifiers;
    size_t classifier_count;
    struct study_topics *topics;
    size_t topics_count;
    struct study_phrases *phrases;
    size_t phrases_count;
    struct study_vectors *vectors;
    size_t vectors_count;
    struct study_extract *extracts;
    size_t extract_count;
    struct study_regression *regressions;
    size_t regression_count;
    struct study_table *tables;
    size_t table_count;
    struct study_handbook handbook;
    size_t handbook_count; /* 1: the study has one; 0 */
    struct study_test *tests;
    size_t test_count;
    struct study_family *families;
    size_t family_count;
    struct study_figure *figures;
    size_t figure_count;
    struct study_question *questions;
    size_t question_count;
    struct study_expectation *expectations;
    size_t expectation_count;
};

struct study_options {
    const char *data; /* what $data/ in paths stands for; NULL: nothing */
};

/* What was decided on a tag, in lower case; and a query with the tags of tag sets. */
enum study_verdict study_tagset_verdict(const struct study_tagset *tagset,
                                        struct str tag);
struct query_node *study_with_tagsets(const struct study *study,
                                      const struct query_node *query,
                                      struct arena *arena);

#define STUDY_STORE_HERE STR("here") /* of `store`: items are in corpus.db */

/* Reads and checks the study file; path may also be the folder that holds study.yaml.
 * All that is wrong is added to *problems, a line or more each, with file:line:column;
 * then the result is ERR_INPUT and counts them. *out lives in arena. */
bool study_load(const char *path, const struct study_options *options,
                struct arena *arena, struct study *out, struct buf *problems,
                struct err *err) MUST_USE;

/* The same for text already in memory; path names it in messages. */
bool study_parse(struct str text, const char *path, const struct study_options *options,
                 struct arena *arena, struct study *out, struct buf *problems,
                 struct err *err) MUST_USE;

/* The site in whose name a path is, as dumps mostly are: "ai.stackexchange.com" of
 * "dumps/ai.stackexchange.com.7z"; empty when it is none of Stack Exchange's. */
struct str study_site_in_path(struct str path);

/* The paths of all sources that share a space, in arena. */
const char *const *study_space_paths(const struct study *study, size_t space,
                                     struct arena *arena, size_t *count);

/* Whether sources are of one site, so that an item may stand in several of them. */
bool study_sources_overlap(const struct study *study);

/* The place of a name among structs of `size` bytes that begin with theirs; STUDY_NONE:
 * there is none. */
size_t study_find(const void *list, size_t count, size_t size, struct str name);
#define STUDY_FIND(list, count, name) study_find((list), (count), sizeof *(list), (name))
#define study_find_set(study, name)   STUDY_FIND((study)->sets, (study)->set_count, name)
#define study_find_sample(study, name) \
    STUDY_FIND((study)->samples, (study)->sample_count, name)
#define study_find_group(study, name) \
    STUDY_FIND((study)->groups, (study)->group_count, name)
#define study_find_table(study, name) \
    STUDY_FIND((study)->tables, (study)->table_count, name)

/* What a QUERY_LABEL of one of its queries asks for. */
const struct study_condition *study_find_condition(const struct study *study,
                                                   const struct query_node *node);

/* Whether the query asks for labels, also by a set that it names. */
bool study_asks_labels(const struct study *study, const struct query_node *query);

/* Whether it shows shares that a classifier estimates: `from` holds what they are
 * computed from. */
bool study_shows_shares(const struct study_table *table);
bool study_shows_verdicts(const struct study_table *table); /* of a tag set */

/* Whether it shows what raters said in one dimension of a codebook. */
bool study_shows_dimension(const struct study_table *table);

/* The latest `until` of all sources, when waiting times are censored; INT64_MAX: none. */
int64_t study_end_ms(const struct study *study);

/* Questions for the corpus: what `take` says; else, of tables of posts, all; of a dump
 * whatever a set's funnel counts. That is, of each set, the questions that pass its
 * conditions up to the first that names a tag, a word, a user or an id: the rest of the
 * conditions can then be counted one by one. */
struct query_node *study_needed(const struct study *study, struct arena *arena);

/* What expected numbers are: "published" or "planted". */
const char *study_expected_word(const struct study *study);

/* Tells that a file is not there which a key of the study names, with the key's place and
 * what it should hold. Is false. */
bool study_tell_absent(const struct study *study, const char *path,
                       struct err *err) MUST_USE;

/* The set that a query begins with, as in `in:B and ...`; STUDY_NONE: none. */
size_t study_first_set(const struct study *study, const struct study_set *set);

/* So many of a set's first conditions can only be counted together: what passes one of
 * them and not the next may not be in the corpus. At least 1. */
size_t study_together(const struct study *study, const struct study_set *set);

#endif
