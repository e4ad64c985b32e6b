/* What the files of synth/ share only with each other. */
#ifndef SYNTH_INTERNAL_H
#define SYNTH_INTERNAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"
#include "synth/synth.h"
#include "yaml/yaml.h"

enum { MODEL_POINTS_MAX = 9 };

struct model_point {
    int year; /* 0: the same in every year */
    double value;
};

/* A number, or its course over the years: straight lines between the points, level before
 * the first and after the last. */
struct model_setting {
    const char *name;
    struct model_point points[MODEL_POINTS_MAX];
    const char *title; /* of an object */
};

struct model_table {
    const char *name;
    const struct model_setting *settings;
    size_t count;
    double highest;            /* that a value may be */
    const double *highest_own; /* the same for each setting; NULL: highest for all */
};

enum {
    MODEL_LIBRARIES = 5, /* of Islam's study: caffe, keras, tensorflow, theano, torch */
    MODEL_BUG_TYPE_COUNT = 11,
    MODEL_BUG_CAUSE_COUNT = 9,
    MODEL_BUG_EFFECT_COUNT = 7,
    MODEL_DEFAULT_FIRST_YEAR = 2014,
    MODEL_DEFAULT_YEARS = 8,
};

extern const struct model_table model_tables[MODEL_SECTIONS];
extern const double model_types_by_library[MODEL_LIBRARIES][MODEL_BUG_TYPE_COUNT];
extern const double model_causes_by_type[MODEL_BUG_TYPE_COUNT][MODEL_BUG_CAUSE_COUNT];
extern const double model_default_years[MODEL_DEFAULT_YEARS];

/* Values lie by year, within it by section, within that by setting. */
size_t model_first_value(enum model_section section);
size_t model_values_in_all(void);

/* The weights that a question's label of the section is drawn by, given the labels in
 * truth that it depends on. */
double model_at_year(const struct model_point *points, size_t count, int year);

/* The phrase grammar: rules of alternatives, expanded at random. The text files in
 * src/synth/grammar/ hold it; it is compiled once, already escaped for an XML attribute,
 * so that expanding is little more than copying. */

/* What the program, not the grammar, says. */
enum grammar_variable {
    GRAMMAR_FRAMEWORK, /* TensorFlow */
    GRAMMAR_PACKAGE,   /* tensorflow */
    GRAMMAR_ALIAS,     /* tf */
    GRAMMAR_RELEASE,   /* 1.13.1 */
    GRAMMAR_VARIABLES,
};

struct grammar_values {
    struct str text[GRAMMAR_VARIABLES];
};

struct grammar;

/* Compiles text; path names it in messages. A rule that is used but not defined, defined
 * twice, empty, more than 16 levels deep or that leads back to itself is ERR_INPUT. Lives
 * in arena. */
bool grammar_compile(struct str text, const char *path, struct arena *arena,
                     struct grammar **out, struct err *err) MUST_USE;

/* The rule of that name, or -1. */
int grammar_rule(const struct grammar *grammar, struct str name);
size_t grammar_alternatives(const struct grammar *grammar, int rule);

/* Appends one random expansion of the rule. */
void grammar_expand(const struct grammar *grammar, int rule,
                    const struct grammar_values *values, struct rng *rng,
                    struct buf *out);

/* The same for one of its alternatives, 0 .. grammar_alternatives() - 1. */
void grammar_expand_one(const struct grammar *grammar, int rule, size_t alternative,
                        const struct grammar_values *values, struct rng *rng,
                        struct buf *out);

/* The simulated site's tags: their names, and which ones stand together on a question. */

enum { TAGS_PER_QUESTION = 5, TAGS_TOPICS = 10 };

struct tags {
    int at[TAGS_PER_QUESTION]; /* numbers of tags */
    int count;
};

int tags_count(void);
struct str tags_name(int tag);

/* The name of a background topic, as in the grammar: "web", "sql", ... */
struct str tags_topic(int topic);

/* For a question about deep learning. Sets truth->framework to MODEL_NONE when the
 * question stands only under its platform's tag. *by_words is set when no tag tells the
 * platform, so that the text has to. */
struct tags tags_draw(struct model_truth *truth, int year, struct rng *rng,
                      bool *by_words);

/* The chances of the frameworks after tags_draw(), from those before it, for a question
 * with this platform (MODEL_NONE: none); the rest to 1 is no framework. */
void tags_frameworks(int platform, double *chances);
struct tags tags_draw_background(int topic, struct rng *rng);

/* The skeleton of a simulated dump: who asks and answers what and when, with ids, but
 * without text. A dump is planned in blocks that do not depend on each other, so that
 * they can be made in any order and by any number of threads. */

struct plan {
    const struct model *model;
    uint64_t seed;
    int64_t questions;  /* about deep learning */
    int64_t background; /* other posts */
    int64_t users;
    size_t blocks;
};

/* How many ids of each table a block uses: where the next one begins. */
struct plan_ids {
    int64_t posts, comments, votes, links;
};

struct plan_question {
    struct model_truth truth;
    bool background;
    int topic;     /* of a background question */
    bool by_words; /* the text must tell the platform */
    int year;
    double share; /* of the corpus that came before */
    int64_t id, created_ms, closed_ms, active_ms;
    int64_t accepted_id;   /* 0: none */
    int64_t asker;         /* 0: a deleted user */
    int64_t first_wait_ms; /* until the first answer; -1: none */
    struct tags tags;
    int64_t link_to; /* the id of an earlier question; 0: none */
    bool duplicate;
    int64_t favorites; /* people who keep the question */
    int bounty;        /* given for the accepted answer; 0: none */
};

struct plan_post {
    int64_t id, created_ms;
    size_t question; /* in the block */
    int answer;      /* 0: the question itself; 1: its accepted or first planned answer */
    int64_t owner;   /* 0: a deleted user */
    int64_t score;
    int down_votes; /* what the score hides */
    int comments;
    bool endorsed; /* the asker's comment says that it helped */
};

struct plan_block {
    struct plan_question *questions;
    size_t question_count;
    struct plan_post *posts; /* by time */
    size_t post_count;
    struct plan_ids first; /* ids that this block begins with */
    struct plan_ids used;
};

struct plan plan_make(const struct model *model, uint64_t seed, int64_t questions,
                      int64_t background);

/* Plans block number `block`, whose ids begin at first; lives in arena. */
struct plan_block plan_block(const struct plan *plan, size_t block, struct plan_ids first,
                             struct arena *arena);

/* The moment user 1 .. users came. */
int64_t plan_user_created(const struct plan *plan, int64_t user);

/* Anybody who had come by then. */
int64_t plan_any_user(const struct plan *plan, double share, struct rng *rng);

int64_t plan_up_votes(const struct plan_post *post);

/* The moment moved within its week to where the site is busy: few write at night and at
 * the weekend. Keeps the order of moments and, at the ends of a year, the year. */
int64_t plan_busy_moment(const struct model *model, int64_t ms);

/* Titles, bodies and comments of simulated posts, as html escaped for an XML attribute.
 */

enum { TEXT_SENTENCES_MAX = 64 };

struct text; /* the grammar, with the rules that each label speaks through */

/* The grammar that is part of the program. ERR_INPUT, naming the rule, when it lacks one
 * that a label needs. Lives in arena. */
bool text_load(struct arena *arena, struct text **out, struct err *err) MUST_USE;

/* confusion: how often a sentence speaks for another kind than the question's; 0 .. 1. */
struct text_writer {
    const struct text *text;
    double confusion;
    struct rng *rng;
    struct buf *out;
    struct {
        int rule;
        size_t alternative;
    } said[TEXT_SENTENCES_MAX]; /* in this post: nobody repeats himself */
    size_t said_count;
    size_t begun; /* where the post begins in out */
};

/* Five letters and digits, as uploaded pictures are called. */
void text_add_name(struct buf *out, struct rng *rng);

/* *verb gets the verb of a how-to title, inside out (empty otherwise). */
void text_title(struct text_writer *writer, const struct plan_question *question,
                struct str *verb);
void text_body(struct text_writer *writer, const struct plan_question *question);
void text_answer(struct text_writer *writer, const struct plan_question *question,
                 int answer);

/* A comment on the question (answer 0) or an answer. */
void text_comment(struct text_writer *writer, const struct plan_question *question,
                  int answer, bool endorses);

/* The grammar's rules, by the labels that speak through them. */

/* Rules by label: "kind.crash.body" stands in body[MODEL_CRASH]. */
struct text {
    struct grammar *grammar;
    int kind_title[MODEL_KIND_COUNT], kind_howto[MODEL_KIND_COUNT];
    int kind_body[MODEL_KIND_COUNT], kind_ask[MODEL_KIND_COUNT];
    int kind_answer[MODEL_KIND_COUNT];
    int howto[MODEL_LABELS_MAX], phase_body[MODEL_LABELS_MAX],
        phase_answer[MODEL_LABELS_MAX]; /* by object */
    int platform_mention[MODEL_PLATFORM_COUNT], platform_title[MODEL_PLATFORM_COUNT];
    int platform_body[MODEL_PLATFORM_COUNT];
    int challenge_title[MODEL_PLATFORM_COUNT][MODEL_CHALLENGES_MAX],
        challenge_body[MODEL_PLATFORM_COUNT][MODEL_CHALLENGES_MAX];
    int root[MODEL_LABELS_MAX];
    int bug_type[MODEL_LABELS_MAX], bug_cause[MODEL_LABELS_MAX],
        bug_hint[MODEL_LABELS_MAX];
    int bug_effect[MODEL_LABELS_MAX], bug_stage[MODEL_LABELS_MAX];
    int code[MODEL_FRAMEWORK_COUNT], trace[MODEL_FRAMEWORK_COUNT];
    int topic_title[TAGS_TOPICS], topic_body[TAGS_TOPICS], topic_answer[TAGS_TOPICS];
    int topic_code[TAGS_TOPICS];
    int opening, filler, environment, thanks, list_item, quote;
    int link, heading, emphasis; /* fit any subject */
    int answer_opening, answer_filler, answer_closing;
    int comment_question, comment_answer, comment_endorse, comment_background;
};

/* What posts are put together from: sentences, code, logs, pictures, headings, lists. */

/* Around the sentences of a paragraph. */
#define TEXT_PARTS_BEGIN STR("&lt;p&gt;")
#define TEXT_PARTS_END   STR("&lt;/p&gt;&#xA;&#xA;")

/* The names and the release of the framework that the question speaks of. */
struct grammar_values text_parts_values(const struct plan_question *question);

/* The same as a sentence of a paragraph, which says nothing that was said before. */
void text_parts_sentence(struct text_writer *writer, int rule,
                         const struct grammar_values *values);

/* The site takes 30,000 characters; longer posts come to their end. */
bool text_parts_has_room(const struct text_writer *writer);

void text_parts_code(struct text_writer *writer, const struct plan_question *question,
                     double size, const struct grammar_values *values);
void text_parts_picture(struct text_writer *writer, const struct plan_question *question);
void text_parts_list(struct text_writer *writer, const struct grammar_values *values);
void text_parts_quote(struct text_writer *writer, const struct grammar_values *values);

/* One block of the plan as rows of the dump's tables. */

struct render {
    struct arena arena; /* of the plan */
    struct buf tables[SYNTH_FILES];
    int64_t counts_of[SYNTH_FILES]; /* rows */
    struct synth_counts counts;
    struct plan_ids used;
    struct buf scratch;
    struct str row_end;
};

struct render_context {
    const struct synth_options *options;
    const struct plan *plan;
    const struct text *text;
    const struct plan_ids *first; /* by block; filled before rows are made */
};

void render_free(struct render *rows);

/* Where lines of the tables end: "\r\n" in the older layouts. */
const char *render_newline(enum synth_layout layout);

/* Only how many ids the block uses. */
void render_count(const struct render_context *context, size_t block,
                  struct render *rows);

/* All tables of the block; what rows held before is gone. */
void render_make(const struct render_context *context, size_t block, struct render *rows);

/* The users from `first` to below `end`. */
void render_make_users(const struct render_context *context, int64_t first, int64_t end,
                       struct render *rows);

/* The tags, and their wikis, which are posts; ids from *next_post on. */
void render_make_tags(const struct render_context *context,
                      const struct synth_counts *counts, int64_t *next_post,
                      struct render *rows);

/* The two posts that Stack Exchange plants in its dumps of 2025. */
void render_make_planted(const struct render_context *context, struct render *rows);

/* Takes away the second half of the last post: what a broken transfer leaves. */
void render_cut(struct render *rows);

/* A row of a dump's table, attribute by attribute. `before` is what stands before a
 * value: " Score=\"". */

/* No rows yet. */
void render_row_clear(const struct render_context *context, struct render *rows);

void render_row_number(struct buf *out, const char *before, int64_t value);

/* Rows carry a licence since 2020; which one follows from the date. */
void render_row_license(struct buf *out, const struct synth_options *options, int64_t ms);
void render_row_tags(struct buf *out, const struct synth_options *options,
                     const struct tags *tags);

/* A deleted user, 0, leaves a name behind. */
void render_row_user(struct buf *out, const char *id_name, const char *display_name,
                     int64_t user, int64_t trace);

void render_row_end(struct render *rows, enum synth_file file);

/* Which rows of a block are damaged, where that is asked for. */

/* What the damage puts into a body. */
void render_damage_body(struct buf *out, enum synth_damage damage);

/* What is known of a simulated question: what was planted, and how often. */

/* `verb` of a how-to title; `damage` that its row or its accepted answer's has. */
void render_truth_add(struct render *rows, const struct plan_question *question,
                      struct str verb, struct str damage);

void render_truth_count(struct synth_counts *counts, const struct model *model,
                        const struct plan_question *question);

/* What is wrong with a settings file. */

enum { PROBLEMS_KEPT_MAX = 50 };

struct problems {
    const char *path;
    struct arena *arena;
    struct problems_problem {
        int line, column;
        const char *text;
    } list[PROBLEMS_KEPT_MAX]; /* the first of them */
    int count;                 /* of all */
};

/* These note a problem and are false. */
bool problems_add(struct problems *problems, const struct yaml_node *at,
                  const char *format, ...) PRINTF_LIKE(3, 4);
bool problems_wrong(struct problems *problems, const struct yaml_node *at,
                    const char *what); /* "what, found '...'" */
bool problems_key(struct problems *problems, const struct yaml_node *key,
                  const struct str *names, size_t count); /* none of these */

/* As many of them as a message holds, in the order of the file, and how many more; is
 * false. */
bool problems_tell(struct problems *problems, struct err *err);

#endif
