/* Parts of posts, as the site marks them up. */
#include "synth/text_parts.h"

#include "synth/text_rules.h"

enum { BODY_BYTES_MAX = 30000 };

/* What the frameworks are called, and which release was current from 2014 on. */
static const struct {
    struct str display, package, alias;
    const char *releases[8];
} spellings[MODEL_FRAMEWORK_COUNT] = {
    {STR_INIT("TensorFlow"),
     STR_INIT("tensorflow"),
     STR_INIT("tf"),
     {"0.5.0", "0.6.0", "0.11.0", "1.4.0", "1.12.0", "1.14.0", "2.3.0", "2.5.0"}},
    {STR_INIT("Keras"),
     STR_INIT("keras"),
     STR_INIT("keras"),
     {"0.1.0", "0.3.0", "1.1.1", "2.0.8", "2.2.4", "2.3.1", "2.4.3", "2.4.3"}},
    {STR_INIT("PyTorch"),
     STR_INIT("torch"),
     STR_INIT("torch"),
     {"0.1.1", "0.1.1", "0.1.6", "0.2.0", "0.4.1", "1.2.0", "1.6.0", "1.9.0"}},
    {STR_INIT("Theano"),
     STR_INIT("theano"),
     STR_INIT("theano"),
     {"0.6.0", "0.7.0", "0.8.2", "0.9.0", "1.0.2", "1.0.4", "1.0.5", "1.0.5"}},
    {STR_INIT("Caffe"),
     STR_INIT("caffe"),
     STR_INIT("caffe"),
     {"0.9", "1.0rc2", "1.0rc3", "1.0", "1.0", "1.0", "1.0", "1.0"}},
    {STR_INIT("Torch"),
     STR_INIT("torch"),
     STR_INIT("torch"),
     {"7", "7", "7", "7", "7", "7", "7", "7"}},
    {STR_INIT("Deeplearning4j"),
     STR_INIT("org.deeplearning4j"),
     STR_INIT("dl4j"),
     {"0.0.3", "0.4-rc3", "0.7.2", "0.9.1", "1.0.0-beta3", "1.0.0-beta5", "1.0.0-beta7",
      "1.0.0-M1"}},
};

static int text_parts_framework(const struct plan_question *question)
{
    return question->truth.framework >= 0 ? question->truth.framework : MODEL_TENSORFLOW;
}

struct grammar_values text_parts_values(const struct plan_question *question)
{
    int framework = text_parts_framework(question), row = question->year - 2014;
    struct grammar_values values;

    row = row < 0 ? 0 : row > 7 ? 7 : row;
    values.text[GRAMMAR_FRAMEWORK] = spellings[framework].display;
    values.text[GRAMMAR_PACKAGE] = spellings[framework].package;
    values.text[GRAMMAR_ALIAS] = spellings[framework].alias;
    values.text[GRAMMAR_RELEASE] = str_from(spellings[framework].releases[row]);
    return values;
}

bool text_parts_chance(struct text_writer *writer, unsigned percent)
{
    return rng_below(writer->rng, 100) < percent;
}

void text_parts_expand(struct text_writer *writer, int rule,
                       const struct grammar_values *values)
{
    grammar_expand(writer->text->grammar, rule, values, writer->rng, writer->out);
}

static bool was_said(const struct text_writer *writer, int rule, size_t alternative)
{
    for (size_t i = 0; i < writer->said_count; i++)
        if (writer->said[i].rule == rule && writer->said[i].alternative == alternative)
            return true;
    return false;
}

void text_parts_sentence(struct text_writer *writer, int rule,
                         const struct grammar_values *values)
{
    size_t count = grammar_alternatives(writer->text->grammar, rule);
    size_t chosen = rng_below(writer->rng, count);

    if (was_said(writer, rule, chosen)) /* its neighbour; both being said is rare */
        chosen = (chosen + 1) % count;
    if (writer->said_count < TEXT_SENTENCES_MAX) {
        writer->said[writer->said_count].rule = rule;
        writer->said[writer->said_count++].alternative = chosen;
    }
    if (!str_ends(buf_str(writer->out), TEXT_PARTS_BEGIN))
        buf_add_char(writer->out, ' ');
    grammar_expand_one(writer->text->grammar, rule, chosen, values, writer->rng,
                       writer->out);
}

/* Since 2019 the site says the language on the <pre>. NULL: mixed, so that none is said.
 */
static const char *language_of(const struct plan_question *question)
{
    static const char *const by_framework[MODEL_FRAMEWORK_COUNT] = {
        [MODEL_TENSORFLOW] = "py",       [MODEL_KERAS] = "py", [MODEL_PYTORCH] = "py",
        [MODEL_THEANO] = "py",           [MODEL_CAFFE] = NULL, [MODEL_TORCH] = "lua",
        [MODEL_DEEPLEARNING4J] = "java",
    };
    static const char *const by_topic[TAGS_TOPICS] = {
        "js", "java", "sql", "css", "c", "java", "bash", NULL, "vb", "bash"};

    if (question->year < 2019)
        return NULL;
    return question->background ? by_topic[question->topic]
                                : by_framework[text_parts_framework(question)];
}

/* The site takes 30,000 characters; longer posts come to their end. */
bool text_parts_has_room(const struct text_writer *writer)
{
    return writer->out->len - writer->begun < BODY_BYTES_MAX;
}

/* `pieces` expansions of the rule, one after the other. */
static void pre_block(struct text_writer *writer, int rule, const char *language,
                      uint64_t pieces, const struct grammar_values *values)
{
    if (language != NULL) {
        buf_add(writer->out, STR("&lt;pre class=&quot;lang-"));
        buf_add(writer->out, str_from(language));
        buf_add(writer->out, STR(" prettyprint-override&quot;&gt;&lt;code&gt;"));
    } else {
        buf_add(writer->out, STR("&lt;pre&gt;&lt;code&gt;"));
    }
    for (uint64_t i = 0; i == 0 || (i < pieces && text_parts_has_room(writer)); i++) {
        if (i > 0)
            buf_add(writer->out, STR("&#xA;"));
        text_parts_expand(writer, rule, values);
        buf_add(writer->out, STR("&#xA;"));
    }
    buf_add(writer->out, STR("&lt;/code&gt;&lt;/pre&gt;&#xA;&#xA;"));
}

/* How much a person has to say: 1 is usual, a few say ten times as much. */
double text_parts_talkativeness(struct text_writer *writer)
{
    return rng_log_normal(writer->rng, 1, 1.05);
}

/* `mean` times something, as a whole number that is right on average. */
uint64_t text_parts_about(struct text_writer *writer, double mean)
{
    double many = mean + rng_unit(writer->rng);

    return many < 200 ? (uint64_t)many : 200;
}

void text_parts_code(struct text_writer *writer, const struct plan_question *question,
                     double size, const struct grammar_values *values)
{
    int rule = question->background ? writer->text->topic_code[question->topic]
                                    : writer->text->code[text_parts_framework(question)];
    const char *language = language_of(question);

    pre_block(writer, rule,
              language != NULL && text_parts_chance(writer, 30) ? language : NULL,
              1 + text_parts_about(writer, 0.55 * size), values);
}

void text_parts_trace(struct text_writer *writer, const struct plan_question *question,
                      double size, const struct grammar_values *values)
{
    if (question->background)
        text_parts_code(writer, question, size, values);
    else
        pre_block(writer, writer->text->trace[text_parts_framework(question)], NULL,
                  1 + text_parts_about(writer, 0.55 * size), values);
}

/* All of a log, because the asker does not know which part matters. */
void text_parts_log(struct text_writer *writer, const struct plan_question *question,
                    const struct grammar_values *values)
{
    text_parts_trace(writer, question, rng_log_normal(writer->rng, 25, 0.8), values);
}

void text_add_name(struct buf *out, struct rng *rng)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    uint64_t bits = rng_next(rng);

    for (int i = 0; i < 5; i++, bits >>= 8)
        buf_add_char(out, letters[(bits & 0xFF) % (sizeof letters - 1)]);
}

void text_parts_picture(struct text_writer *writer, const struct plan_question *question)
{
    struct rng name = *writer->rng; /* the same name twice */
    bool noreferrer = question->year >= 2017;

    buf_add(writer->out, STR("&lt;p&gt;&lt;a href=&quot;https://i.stack.imgur.com/"));
    text_add_name(writer->out, &name);
    buf_add(writer->out, noreferrer ? STR(".png&quot; rel=&quot;nofollow noreferrer"
                                          "&quot;&gt;&lt;img src=&quot;"
                                          "https://i.stack.imgur.com/")
                                    : STR(".png&quot; rel=&quot;nofollow&quot;&gt;&lt;"
                                          "img src=&quot;https://i.stack.imgur.com/"));
    text_add_name(writer->out, writer->rng);
    buf_add(writer->out, STR(".png&quot; alt=&quot;enter image description here&quot;"
                             "&gt;&lt;/a&gt;&lt;/p&gt;&#xA;&#xA;"));
}

/* Something between two parts of a post. */
void text_parts_heading(struct text_writer *writer, const struct grammar_values *values)
{
    static const struct {
        struct str begin, end;
    } forms[] = {
        {STR_INIT("&lt;h1&gt;"), STR_INIT("&lt;/h1&gt;&#xA;&#xA;")},
        {STR_INIT("&lt;h2&gt;"), STR_INIT("&lt;/h2&gt;&#xA;&#xA;")},
        {STR_INIT("&lt;p&gt;&lt;strong&gt;"),
         STR_INIT("&lt;/strong&gt;&lt;/p&gt;&#xA;&#xA;")},
        {STR_INIT("&lt;p&gt;&lt;strong&gt;"),
         STR_INIT(":&lt;/strong&gt;&lt;br&gt;&lt;/p&gt;&#xA;&#xA;")},
        {STR_INIT("&lt;hr&gt;&#xA;&#xA;&lt;p&gt;&lt;em&gt;"),
         STR_INIT("&lt;/em&gt;&lt;/p&gt;&#xA;&#xA;")},
    };
    size_t form = rng_below(writer->rng, ROWS_OF(forms));

    buf_add(writer->out, forms[form].begin);
    text_parts_expand(writer, writer->text->heading, values);
    buf_add(writer->out, forms[form].end);
}

void text_parts_list(struct text_writer *writer, const struct grammar_values *values)
{
    bool ordered = text_parts_chance(writer, 30);

    buf_add(writer->out, ordered ? STR("&lt;ol&gt;&#xA;") : STR("&lt;ul&gt;&#xA;"));
    for (uint64_t items = 2 + rng_below(writer->rng, 3); items > 0; items--) {
        buf_add(writer->out, STR("&lt;li&gt;"));
        text_parts_expand(writer, writer->text->list_item, values);
        buf_add(writer->out, STR("&lt;/li&gt;&#xA;"));
    }
    buf_add(writer->out,
            ordered ? STR("&lt;/ol&gt;&#xA;&#xA;") : STR("&lt;/ul&gt;&#xA;&#xA;"));
}

void text_parts_quote(struct text_writer *writer, const struct grammar_values *values)
{
    buf_add(writer->out, STR("&lt;blockquote&gt;&#xA;  &lt;p&gt;"));
    text_parts_expand(writer, writer->text->quote, values);
    buf_add(writer->out, STR("&lt;/p&gt;&#xA;&lt;/blockquote&gt;&#xA;&#xA;"));
}
