/* What the files of synth/ share only with each other. */
#ifndef SYNTH_INTERNAL_H
#define SYNTH_INTERNAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"
#include "synth/synth.h"
#include "yaml/yaml.h"

enum { SYNTH_MODEL_POINTS_MAX = 9 };

struct synth_model_point {
    int year; /* 0: the same in every year */
    double value;
};

/* A number, or its course over the years: straight lines between the points, level before
 * the first and after the last. */
struct synth_model_setting {
    const char *name;
    struct synth_model_point points[SYNTH_MODEL_POINTS_MAX];
    const char *title; /* of an object */
};

struct synth_model_table {
    const char *name;
    const struct synth_model_setting *settings;
    size_t count;
    double highest;            /* that a value may be */
    const double *highest_own; /* the same for each setting; NULL: highest for all */
};

enum {
    SYNTH_MODEL_LIBRARIES =
        5, /* of Islam's study: caffe, keras, tensorflow, theano, torch */
    SYNTH_MODEL_BUG_TYPE_COUNT = 11,
    SYNTH_MODEL_BUG_CAUSE_COUNT = 9,
    SYNTH_MODEL_BUG_EFFECT_COUNT = 7,
    SYNTH_MODEL_DEFAULT_FIRST_YEAR = 2014,
    SYNTH_MODEL_DEFAULT_YEARS = 8,
};

extern const struct synth_model_table synth_model_tables[SYNTH_MODEL_SECTIONS];
extern const double synth_model_types_by_library[SYNTH_MODEL_LIBRARIES]
                                                [SYNTH_MODEL_BUG_TYPE_COUNT];
extern const double synth_model_causes_by_type[SYNTH_MODEL_BUG_TYPE_COUNT]
                                              [SYNTH_MODEL_BUG_CAUSE_COUNT];
extern const double synth_model_default_years[SYNTH_MODEL_DEFAULT_YEARS];

/* Values lie by year, within it by section, within that by setting. */
size_t synth_model_first_value(enum synth_model_section section);
size_t synth_model_values_in_all(void);

/* The weights that a question's label of the section is drawn by, given the labels in
 * truth that it depends on. */
double synth_model_at_year(const struct synth_model_point *points, size_t count,
                           int year);

/* The phrase grammar: rules of alternatives, expanded at random. The text files in
 * src/synth/grammar/ hold it; it is compiled once, already escaped for an XML attribute,
 * so that expanding is little more than copying. */

/* What the program, not the grammar, says. */
enum synth_grammar_variable {
    SYNTH_GRAMMAR_FRAMEWORK, /* TensorFlow */
    SYNTH_GRAMMAR_PACKAGE,   /* tensorflow */
    SYNTH_GRAMMAR_ALIAS,     /* tf */
    SYNTH_GRAMMAR_RELEASE,   /* 1.13.1 */
    SYNTH_GRAMMAR_VARIABLES,
};

struct synth_grammar_values {
    struct str text[SYNTH_GRAMMAR_VARIABLES];
};

struct synth_grammar;

/* Compiles text; path names it in messages. A rule that is used but not defined, defined
 * twice, empty, more than 16 levels deep or that leads back to itself is ERR_INPUT. Lives
 * in arena. */
bool synth_grammar_compile(struct str text, const char *path, struct arena *arena,
                           struct synth_grammar **out, struct err *err) MUST_USE;

/* The rule of that name, or -1. */
int synth_grammar_rule(const struct synth_grammar *grammar, struct str name);
size_t synth_grammar_alternatives(const struct synth_grammar *grammar, int rule);

/* Appends one random expansion of the rule. */
void synth_grammar_expand(const struct synth_grammar *grammar, int rule,
                          const struct synth_grammar_values *values, struct rng *rng,
                          struct buf *out);

/* The same for one of its alternatives, 0 .. synth_grammar_alternatives() - 1. */
void synth_grammar_expand_one(const struct synth_grammar *grammar, int rule,
                              size_t alternative,
                              const struct synth_grammar_values *values, struct rng *rng,
                              struct buf *out);

/* The simulated site's tags: their names, and which ones stand together on a question. */

enum { SYNTH_TAGS_PER_QUESTION = 5, SYNTH_TAGS_TOPICS = 10 };

struct synth_tags {
    int at[SYNTH_TAGS_PER_QUESTION]; /* numbers of tags */
    int count;
};

int synth_tags_count(void);
struct str synth_tags_name(int tag);

/* The name of a background topic, as in the grammar: "web", "sql", ... */
struct str synth_tags_topic(int topic);

/* For a question about deep learning. Sets truth->framework to SYNTH_MODEL_NONE when the
 * question stands only under its platform's tag. *by_words is set when no tag tells the
 * platform, so that the text has to. */
struct synth_tags synth_tags_draw(struct synth_model_truth *truth, int year,
                                  struct rng *rng, bool *by_words);

/* The chances of the frameworks after synth_tags_draw(), from those before it, for a
 * question with this platform (SYNTH_MODEL_NONE: none); the rest to 1 is no framework. */
void synth_tags_frameworks(int platform, double *chances);
struct synth_tags synth_tags_draw_background(int topic, struct rng *rng);

/* The skeleton of a simulated dump: who asks and answers what and when, with ids, but
 * without text. A dump is planned in blocks that do not depend on each other, so that
 * they can be made in any order and by any number of threads. */

struct synth_plan {
    const struct synth_model *model;
    uint64_t seed;
    int64_t questions;  /* about deep learning */
    int64_t background; /* other posts */
    int64_t users;
    size_t blocks;
};

/* How many ids of each table a block uses: where the next one begins. */
struct synth_plan_ids {
    int64_t posts, comments, votes, links;
};

struct synth_plan_question {
    struct synth_model_truth truth;
    bool background;
    int topic;     /* of a background question */
    bool by_words; /* the text must tell the platform */
    int year;
    double share; /* of the corpus that came before */
    int64_t id, created_ms, closed_ms, active_ms;
    int64_t accepted_id;   /* 0: none */
    int64_t asker;         /* 0: a deleted user */
    int64_t first_wait_ms; /* until the first answer; -1: none */
    struct synth_tags tags;
    int64_t link_to; /* the id of an earlier question; 0: none */
    bool duplicate;
    int64_t favorites; /* people who keep the question */
    int bounty;        /* given for the accepted answer; 0: none */
};

struct synth_plan_post {
    int64_t id, created_ms;
    size_t question; /* in the block */
    int answer;      /* 0: the question itself; 1: its accepted or first planned answer */
    int64_t owner;   /* 0: a deleted user */
    int64_t score;
    int down_votes; /* what the score hides */
    int comments;
    bool endorsed; /* the asker's comment says that it helped */
};

struct synth_plan_block {
    struct synth_plan_question *questions;
    size_t question_count;
    struct synth_plan_post *posts; /* by time */
    size_t post_count;
    struct synth_plan_ids first; /* ids that this block begins with */
    struct synth_plan_ids used;
};

struct synth_plan synth_plan_make(const struct synth_model *model, uint64_t seed,
                                  int64_t questions, int64_t background);

/* Plans block number `block`, whose ids begin at first; lives in arena. */
struct synth_plan_block synth_plan_block(const struct synth_plan *plan, size_t block,
                                         struct synth_plan_ids first,
                                         struct arena *arena);

/* The moment user 1 .. users came. */
int64_t synth_plan_user_created(const struct synth_plan *plan, int64_t user);

/* Anybody who had come by then. */
int64_t synth_plan_any_user(const struct synth_plan *plan, double share, struct rng *rng);

int64_t synth_plan_up_votes(const struct synth_plan_post *post);

/* The moment moved within its week to where the site is busy: few write at night and at
 * the weekend. Keeps the order of moments and, at the ends of a year, the year. */
int64_t synth_plan_busy_moment(const struct synth_model *model, int64_t ms);

/* What simulated programs and their commits are made of. */

struct synth_program_library {
    enum synth_model_framework framework;
    const char *name, *alias, *import, *dense, *optimizer;
};

extern const struct synth_program_library synth_program_libraries[SYNTH_MODEL_LIBRARIES];

/* A function with a bug: lines that are wrong, and those that put it right. */
struct synth_program_bug {
    const char *type; /* a name of SYNTH_MODEL_BUG_TYPES */
    const char *path, *function, *wrong, *right;
};

extern const struct synth_program_bug synth_program_bugs[];
extern const size_t synth_program_bug_count;

/* What a commit is. */
enum synth_program_kind {
    SYNTH_PROGRAM_START,
    SYNTH_PROGRAM_FEATURE,
    SYNTH_PROGRAM_FIX,    /* puts bugs right, and its subject says so */
    SYNTH_PROGRAM_SILENT, /* the same without a word that begins with fix */
    SYNTH_PROGRAM_DECOY,  /* says fix, and puts no bug right */
    SYNTH_PROGRAM_DOCS,
    SYNTH_PROGRAM_TIDY,
    SYNTH_PROGRAM_RENAME,
    SYNTH_PROGRAM_BOT,
    SYNTH_PROGRAM_MERGE,
    SYNTH_PROGRAM_COPY, /* of a fix, on another branch */
    SYNTH_PROGRAM_KINDS
};

struct synth_program_subjects {
    const char *name; /* of the kind */
    const char *const *at;
    size_t count;
};

enum { SYNTH_PROGRAM_PEOPLE = 12, SYNTH_PROGRAM_PROJECTS = 14 };

extern const struct synth_program_subjects synth_program_subjects[SYNTH_PROGRAM_KINDS];
extern const char *const synth_program_people[SYNTH_PROGRAM_PEOPLE];
extern const char *const synth_program_projects[SYNTH_PROGRAM_PROJECTS];

/* Titles, bodies and comments of simulated posts, as html escaped for an XML attribute.
 */

enum { SYNTH_TEXT_SENTENCES_MAX = 64 };

struct synth_text; /* the grammar, with the rules that each label speaks through */

/* The grammar that is part of the program. ERR_INPUT, naming the rule, when it lacks one
 * that a label needs. Lives in arena. */
bool synth_text_load(struct arena *arena, struct synth_text **out,
                     struct err *err) MUST_USE;

/* confusion: how often a sentence speaks for another kind than the question's; 0 .. 1. */
struct synth_text_writer {
    const struct synth_text *text;
    double confusion;
    struct rng *rng;
    struct buf *out;
    struct {
        int rule;
        size_t alternative;
    } said[SYNTH_TEXT_SENTENCES_MAX]; /* in this post: nobody repeats himself */
    size_t said_count;
    size_t begun; /* where the post begins in out */
};

/* Five letters and digits, as uploaded pictures are called. */
void synth_text_add_name(struct buf *out, struct rng *rng);

/* *verb gets the verb of a how-to title, inside out (empty otherwise). */
void synth_text_title(struct synth_text_writer *writer,
                      const struct synth_plan_question *question, struct str *verb);
void synth_text_body(struct synth_text_writer *writer,
                     const struct synth_plan_question *question);
void synth_text_answer(struct synth_text_writer *writer,
                       const struct synth_plan_question *question, int answer);

/* A comment on the question (answer 0) or an answer. */
void synth_text_comment(struct synth_text_writer *writer,
                        const struct synth_plan_question *question, int answer,
                        bool endorses);

/* What an asker writes whom an answer did not help, or not yet. */
void synth_text_doubt(struct synth_text_writer *writer,
                      const struct synth_plan_question *question);

/* The grammar's rules, by the labels that speak through them. */

/* Rules by label: "kind.crash.body" stands in body[SYNTH_MODEL_CRASH]. */
struct synth_text {
    struct synth_grammar *grammar;
    int kind_title[SYNTH_MODEL_KIND_COUNT], kind_howto[SYNTH_MODEL_KIND_COUNT];
    int kind_body[SYNTH_MODEL_KIND_COUNT], kind_ask[SYNTH_MODEL_KIND_COUNT];
    int kind_answer[SYNTH_MODEL_KIND_COUNT];
    int howto[SYNTH_MODEL_LABELS_MAX], phase_body[SYNTH_MODEL_LABELS_MAX],
        phase_answer[SYNTH_MODEL_LABELS_MAX]; /* by object */
    int platform_mention[SYNTH_MODEL_PLATFORM_COUNT],
        platform_title[SYNTH_MODEL_PLATFORM_COUNT];
    int platform_body[SYNTH_MODEL_PLATFORM_COUNT];
    int challenge_title[SYNTH_MODEL_PLATFORM_COUNT][SYNTH_MODEL_CHALLENGES_MAX],
        challenge_body[SYNTH_MODEL_PLATFORM_COUNT][SYNTH_MODEL_CHALLENGES_MAX];
    int root[SYNTH_MODEL_LABELS_MAX];
    int bug_type[SYNTH_MODEL_LABELS_MAX], bug_cause[SYNTH_MODEL_LABELS_MAX],
        bug_hint[SYNTH_MODEL_LABELS_MAX];
    int bug_effect[SYNTH_MODEL_LABELS_MAX], bug_stage[SYNTH_MODEL_LABELS_MAX];
    int code[SYNTH_MODEL_FRAMEWORK_COUNT], trace[SYNTH_MODEL_FRAMEWORK_COUNT];
    int topic_title[SYNTH_TAGS_TOPICS], topic_body[SYNTH_TAGS_TOPICS],
        topic_answer[SYNTH_TAGS_TOPICS];
    int topic_code[SYNTH_TAGS_TOPICS];
    int opening, filler, environment, thanks, list_item, quote;
    int link, heading, emphasis; /* fit any subject */
    int answer_opening, answer_filler, answer_closing;
    int comment_question, comment_answer, comment_endorse, comment_doubt,
        comment_background;
};

/* What posts are put together from: sentences, code, logs, pictures, headings, lists. */

/* Around the sentences of a paragraph. */
#define SYNTH_TEXT_PARTS_BEGIN STR("&lt;p&gt;")
#define SYNTH_TEXT_PARTS_END   STR("&lt;/p&gt;&#xA;&#xA;")

/* The names and the release of the framework that the question speaks of. */
struct synth_grammar_values
synth_text_parts_values(const struct synth_plan_question *question);

/* The same as a sentence of a paragraph, which says nothing that was said before. */
void synth_text_parts_sentence(struct synth_text_writer *writer, int rule,
                               const struct synth_grammar_values *values);

/* The site takes 30,000 characters; longer posts come to their end. */
bool synth_text_parts_has_room(const struct synth_text_writer *writer);

void synth_text_parts_code(struct synth_text_writer *writer,
                           const struct synth_plan_question *question, double size,
                           const struct synth_grammar_values *values);
void synth_text_parts_picture(struct synth_text_writer *writer,
                              const struct synth_plan_question *question);
void synth_text_parts_list(struct synth_text_writer *writer,
                           const struct synth_grammar_values *values);
void synth_text_parts_quote(struct synth_text_writer *writer,
                            const struct synth_grammar_values *values);

/* One block of the plan as rows of the dump's tables. */

struct synth_render {
    struct arena arena; /* of the plan */
    struct buf tables[SYNTH_FILES];
    int64_t counts_of[SYNTH_FILES]; /* rows */
    struct synth_counts counts;
    struct synth_plan_ids used;
    struct buf scratch;
    struct buf planted; /* rows of planted.csv */
    struct str row_end;
};

struct synth_render_context {
    const struct synth_options *options;
    const struct synth_plan *plan;
    const struct synth_text *text;
    const struct synth_plan_ids *first; /* by block; filled before rows are made */
};

void synth_render_free(struct synth_render *rows);

/* Where lines of the tables end: "\r\n" in the older layouts. */
const char *synth_render_newline(enum synth_layout layout);

/* Only how many ids the block uses. */
void synth_render_count(const struct synth_render_context *context, size_t block,
                        struct synth_render *rows);

/* All tables of the block; what rows held before is gone. */
void synth_render_make(const struct synth_render_context *context, size_t block,
                       struct synth_render *rows);

/* What is planted on request: see synth_options.plant. */
enum synth_planted_what {
    SYNTH_PLANTED_NOTHING,
    SYNTH_PLANTED_LACKING,  /* an operator is missing */
    SYNTH_PLANTED_SETTING,  /* the accepted answer changes it */
    SYNTH_PLANTED_REPEATED, /* asked twice; `of` is the first one, 0 of that itself */
    SYNTH_PLANTED_FACT,     /* an error, a version, a call ...: what `group` says */
};

struct synth_planted {
    enum synth_planted_what what;
    uint64_t choice; /* of names and words */
    size_t group;    /* of facts */
    int64_t of;
    bool synonym; /* another verb for that of a how-to title, if one is known */
};

/* Of each question of the block. */
struct synth_planted *synth_planted_choose(const struct synth_render_context *context,
                                           size_t block,
                                           const struct synth_plan_block *plan,
                                           struct arena *arena);

/* Add it to a body or an accepted answer, or replace the body or title that begins there;
 * rows gets the truth. */
void synth_planted_body(const struct synth_planted *planted,
                        const struct synth_plan_question *question, size_t begin,
                        struct buf *out, struct buf *rows);
void synth_planted_answer(const struct synth_planted *planted, struct buf *out);
void synth_planted_title(const struct synth_planted *planted,
                         const struct synth_plan_question *question, size_t begin,
                         struct str verb, struct buf *out, struct buf *rows);

/* The users from `first` to below `end`. */
void synth_render_make_users(const struct synth_render_context *context, int64_t first,
                             int64_t end, struct synth_render *rows);

/* The tags, and their wikis, which are posts; ids from *next_post on. */
void synth_render_make_tags(const struct synth_render_context *context,
                            const struct synth_counts *counts, int64_t *next_post,
                            struct synth_render *rows);

/* The two posts that Stack Exchange plants in its dumps of 2025. */
void synth_render_make_planted(const struct synth_render_context *context,
                               struct synth_render *rows);

/* Takes away the second half of the last post: what a broken transfer leaves. */
void synth_render_cut(struct synth_render *rows);

/* A row of a dump's table, attribute by attribute. `before` is what stands before a
 * value: " Score=\"". */

/* No rows yet. */
void synth_render_row_clear(const struct synth_render_context *context,
                            struct synth_render *rows);

void synth_render_row_number(struct buf *out, const char *before, int64_t value);

/* Rows carry a licence since 2020; which one follows from the date. */
void synth_render_row_license(struct buf *out, const struct synth_options *options,
                              int64_t ms);
void synth_render_row_tags(struct buf *out, const struct synth_options *options,
                           const struct synth_tags *tags);

/* A deleted user, 0, leaves a name behind. */
void synth_render_row_user(struct buf *out, const char *id_name, const char *display_name,
                           int64_t user, int64_t trace);

void synth_render_row_end(struct synth_render *rows, enum synth_file file);

/* Which rows of a block are damaged, where that is asked for. */

/* What the damage puts into a body. */
void synth_render_damage_body(struct buf *out, enum synth_damage damage);

/* What is known of a simulated question: what was planted, and how often. */

/* `verb` of a how-to title; `damage` that its row or its accepted answer's has. */
void synth_render_truth_add(struct synth_render *rows,
                            const struct synth_plan_question *question, struct str verb,
                            struct str damage);

void synth_render_truth_count(struct synth_counts *counts,
                              const struct synth_model *model,
                              const struct synth_plan_question *question);

/* What is wrong with a settings file. */

enum { SYNTH_PROBLEMS_KEPT_MAX = 50 };

struct synth_problems {
    const char *path;
    struct arena *arena;
    struct synth_problems_problem {
        int line, column;
        const char *text;
    } list[SYNTH_PROBLEMS_KEPT_MAX]; /* the first of them */
    int count;                       /* of all */
};

/* These note a problem and are false. */
bool synth_problems_add(struct synth_problems *problems, const struct yaml_node *at,
                        const char *format, ...) PRINTF_LIKE(3, 4);
bool synth_problems_wrong(struct synth_problems *problems, const struct yaml_node *at,
                          const char *what); /* "what, found '...'" */
bool synth_problems_key(struct synth_problems *problems, const struct yaml_node *key,
                        const struct str *names, size_t count); /* none of these */

/* As many of them as a message holds, in the order of the file, and how many more; is
 * false. */
bool synth_problems_tell(struct synth_problems *problems, struct err *err);

#endif
