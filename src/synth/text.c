/* A body is a few paragraphs of sentences, each from the rule of one of the question's
 * labels or from a pool that fits any question, with code, lists and quotes between. */
#include "synth/internal.h"

#include <string.h>

#include "base/compiler.h"

extern const unsigned char synth_grammar_text[];
extern const size_t synth_grammar_text_len;

struct synth_text_loader {
    struct synth_text *text;
    struct err *err;
};

/* The rule PREFIX + label + SUFFIX. */
static bool bind(const struct synth_text_loader *loader, const char *prefix,
                 struct str label, const char *suffix, int *rule)
{
    struct buf name = {0};

    buf_add_format(&name, "%s%.*s%s", prefix, STR_ARG(label), suffix);
    *rule = synth_grammar_rule(loader->text->grammar, buf_str(&name));
    bool found =
        *rule >= 0 || err_set(loader->err, ERR_INPUT, "grammar: rule [%.*s] is missing",
                              STR_ARG(buf_str(&name)));
    buf_free(&name);
    return found;
}

/* The rules of all labels of a section. */
static bool bind_all(const struct synth_text_loader *loader,
                     enum synth_model_section section, const char *prefix,
                     const char *suffix, int *rules)
{
    for (int i = 0; i < (int)synth_model_count(section); i++)
        if (!bind(loader, prefix, synth_model_name(section, i), suffix, &rules[i]))
            return false;
    return true;
}

static bool bind_kinds(const struct synth_text_loader *loader)
{
    struct synth_text *text = loader->text;

    for (int i = 0; i < SYNTH_MODEL_KIND_COUNT; i++) {
        struct str name = synth_model_name(SYNTH_MODEL_KINDS, i);
        if (i != SYNTH_MODEL_IMPLEMENTATION &&
            !bind(loader, "kind.", name, ".howto", &text->kind_howto[i]))
            return false;
    }
    return bind_all(loader, SYNTH_MODEL_KINDS, "kind.", ".title", text->kind_title) &&
           bind_all(loader, SYNTH_MODEL_KINDS, "kind.", ".body", text->kind_body) &&
           bind_all(loader, SYNTH_MODEL_KINDS, "kind.", ".ask", text->kind_ask) &&
           bind_all(loader, SYNTH_MODEL_KINDS, "kind.", ".answer", text->kind_answer) &&
           bind_all(loader, SYNTH_MODEL_ROOT_CAUSES, "root.", "", text->root);
}

static bool bind_objects(const struct synth_text_loader *loader)
{
    struct synth_text *text = loader->text;

    for (int i = 0; i < (int)synth_model_count(SYNTH_MODEL_OBJECTS); i++) {
        struct str phase = str_slice(synth_model_name(SYNTH_MODEL_OBJECTS, i), 0, 1);
        if (!bind(loader, "phase.", phase, ".body", &text->phase_body[i]) ||
            !bind(loader, "phase.", phase, ".answer", &text->phase_answer[i]))
            return false;
    }
    return bind_all(loader, SYNTH_MODEL_OBJECTS, "howto.", "", text->howto);
}

static bool bind_platforms(const struct synth_text_loader *loader)
{
    struct synth_text *text = loader->text;

    for (int i = 0; i < SYNTH_MODEL_PLATFORM_COUNT; i++)
        if (!bind_all(loader, synth_model_challenges(i), "challenge.", ".title",
                      text->challenge_title[i]) ||
            !bind_all(loader, synth_model_challenges(i), "challenge.", ".body",
                      text->challenge_body[i]))
            return false;
    return bind_all(loader, SYNTH_MODEL_PLATFORMS, "platform.", ".mention",
                    text->platform_mention) &&
           bind_all(loader, SYNTH_MODEL_PLATFORMS, "platform.", ".title",
                    text->platform_title) &&
           bind_all(loader, SYNTH_MODEL_PLATFORMS, "platform.", ".body",
                    text->platform_body);
}

static bool bind_bugs(const struct synth_text_loader *loader)
{
    struct synth_text *text = loader->text;

    return bind_all(loader, SYNTH_MODEL_BUG_TYPES, "bug.type.", "", text->bug_type) &&
           bind_all(loader, SYNTH_MODEL_BUG_CAUSES, "bug.cause.", "", text->bug_cause) &&
           bind_all(loader, SYNTH_MODEL_BUG_CAUSES, "bug.hint.", "", text->bug_hint) &&
           bind_all(loader, SYNTH_MODEL_BUG_EFFECTS, "bug.effect.", "",
                    text->bug_effect) &&
           bind_all(loader, SYNTH_MODEL_BUG_STAGES, "bug.stage.", "", text->bug_stage) &&
           bind_all(loader, SYNTH_MODEL_FRAMEWORKS, "code.", "", text->code) &&
           bind_all(loader, SYNTH_MODEL_FRAMEWORKS, "trace.", "", text->trace);
}

static bool bind_topics(const struct synth_text_loader *loader)
{
    struct synth_text *text = loader->text;

    for (int i = 0; i < SYNTH_TAGS_TOPICS; i++) {
        struct str topic = synth_tags_topic(i);
        if (!bind(loader, "bg.", topic, ".title", &text->topic_title[i]) ||
            !bind(loader, "bg.", topic, ".body", &text->topic_body[i]) ||
            !bind(loader, "bg.", topic, ".answer", &text->topic_answer[i]) ||
            !bind(loader, "code.bg.", topic, "", &text->topic_code[i]))
            return false;
    }
    return true;
}

static bool bind_pools(const struct synth_text_loader *loader)
{
    struct synth_text *text = loader->text;
    const struct {
        const char *name;
        int *rule;
    } pools[] = {
        {"opening", &text->opening},
        {"filler", &text->filler},
        {"environment", &text->environment},
        {"thanks", &text->thanks},
        {"list.item", &text->list_item},
        {"quote", &text->quote},
        {"link", &text->link},
        {"heading", &text->heading},
        {"emphasis", &text->emphasis},
        {"answer.opening", &text->answer_opening},
        {"answer.filler", &text->answer_filler},
        {"answer.closing", &text->answer_closing},
        {"comment.question", &text->comment_question},
        {"comment.answer", &text->comment_answer},
        {"comment.endorse", &text->comment_endorse},
        {"comment.doubt", &text->comment_doubt},
        {"comment.background", &text->comment_background},
    };

    for (size_t i = 0; i < ROWS_OF(pools); i++)
        if (!bind(loader, pools[i].name, STR(""), "", pools[i].rule))
            return false;
    return true;
}

bool synth_text_load(struct arena *arena, struct synth_text **out, struct err *err)
{
    struct synth_text *text = arena_array(arena, struct synth_text, 1);
    struct synth_text_loader loader = {text, err};
    struct str source = {(const char *)synth_grammar_text, synth_grammar_text_len};

    *out = text;
    return synth_grammar_compile(source, "grammar", arena, &text->grammar, err) &&
           bind_kinds(&loader) && bind_objects(&loader) && bind_platforms(&loader) &&
           bind_bugs(&loader) && bind_topics(&loader) && bind_pools(&loader);
}

/* Parts of posts, as the site marks them up. */

enum { BODY_BYTES_MAX = 30000 };

/* What the frameworks are called, and which release was current from 2014 on. */
static const struct {
    struct str display, package, alias;
    const char *releases[8];
} spellings[SYNTH_MODEL_FRAMEWORK_COUNT] = {
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

static int text_parts_framework(const struct synth_plan_question *question)
{
    return question->truth.framework >= 0 ? question->truth.framework
                                          : SYNTH_MODEL_TENSORFLOW;
}

struct synth_grammar_values
synth_text_parts_values(const struct synth_plan_question *question)
{
    int framework = text_parts_framework(question), row = question->year - 2014;
    struct synth_grammar_values values;

    row = row < 0 ? 0 : row > 7 ? 7 : row;
    values.text[SYNTH_GRAMMAR_FRAMEWORK] = spellings[framework].display;
    values.text[SYNTH_GRAMMAR_PACKAGE] = spellings[framework].package;
    values.text[SYNTH_GRAMMAR_ALIAS] = spellings[framework].alias;
    values.text[SYNTH_GRAMMAR_RELEASE] = str_from(spellings[framework].releases[row]);
    return values;
}

static bool text_parts_chance(struct synth_text_writer *writer, unsigned percent)
{
    return rng_below(writer->rng, 100) < percent;
}

static void text_parts_expand(struct synth_text_writer *writer, int rule,
                              const struct synth_grammar_values *values)
{
    synth_grammar_expand(writer->text->grammar, rule, values, writer->rng, writer->out);
}

static bool was_said(const struct synth_text_writer *writer, int rule, size_t alternative)
{
    for (size_t i = 0; i < writer->said_count; i++)
        if (writer->said[i].rule == rule && writer->said[i].alternative == alternative)
            return true;
    return false;
}

void synth_text_parts_sentence(struct synth_text_writer *writer, int rule,
                               const struct synth_grammar_values *values)
{
    size_t count = synth_grammar_alternatives(writer->text->grammar, rule);
    size_t chosen = rng_below(writer->rng, count);

    if (was_said(writer, rule, chosen)) /* its neighbour; both being said is rare */
        chosen = (chosen + 1) % count;
    if (writer->said_count < SYNTH_TEXT_SENTENCES_MAX) {
        writer->said[writer->said_count].rule = rule;
        writer->said[writer->said_count++].alternative = chosen;
    }
    if (!str_ends(buf_str(writer->out), SYNTH_TEXT_PARTS_BEGIN))
        buf_add_char(writer->out, ' ');
    synth_grammar_expand_one(writer->text->grammar, rule, chosen, values, writer->rng,
                             writer->out);
}

/* Since 2019 the site says the language on the <pre>. NULL: mixed, so that none is said.
 */
static const char *language_of(const struct synth_plan_question *question)
{
    static const char *const by_framework[SYNTH_MODEL_FRAMEWORK_COUNT] = {
        [SYNTH_MODEL_TENSORFLOW] = "py",
        [SYNTH_MODEL_KERAS] = "py",
        [SYNTH_MODEL_PYTORCH] = "py",
        [SYNTH_MODEL_THEANO] = "py",
        [SYNTH_MODEL_CAFFE] = NULL,
        [SYNTH_MODEL_TORCH] = "lua",
        [SYNTH_MODEL_DEEPLEARNING4J] = "java",
    };
    static const char *const by_topic[SYNTH_TAGS_TOPICS] = {
        "js", "java", "sql", "css", "c", "java", "bash", NULL, "vb", "bash"};

    if (question->year < 2019)
        return NULL;
    return question->background ? by_topic[question->topic]
                                : by_framework[text_parts_framework(question)];
}

/* The site takes 30,000 characters; longer posts come to their end. */
bool synth_text_parts_has_room(const struct synth_text_writer *writer)
{
    return writer->out->len - writer->begun < BODY_BYTES_MAX;
}

/* `pieces` expansions of the rule, one after the other. */
static void pre_block(struct synth_text_writer *writer, int rule, const char *language,
                      uint64_t pieces, const struct synth_grammar_values *values)
{
    if (language != NULL) {
        buf_add(writer->out, STR("&lt;pre class=&quot;lang-"));
        buf_add(writer->out, str_from(language));
        buf_add(writer->out, STR(" prettyprint-override&quot;&gt;&lt;code&gt;"));
    } else {
        buf_add(writer->out, STR("&lt;pre&gt;&lt;code&gt;"));
    }
    for (uint64_t i = 0; i == 0 || (i < pieces && synth_text_parts_has_room(writer));
         i++) {
        if (i > 0)
            buf_add(writer->out, STR("&#xA;"));
        text_parts_expand(writer, rule, values);
        buf_add(writer->out, STR("&#xA;"));
    }
    buf_add(writer->out, STR("&lt;/code&gt;&lt;/pre&gt;&#xA;&#xA;"));
}

/* How much a person has to say: 1 is usual, a few say ten times as much. */
static double text_parts_talkativeness(struct synth_text_writer *writer)
{
    return rng_log_normal(writer->rng, 1, 1.05);
}

/* `mean` times something, as a whole number that is right on average. */
static uint64_t text_parts_about(struct synth_text_writer *writer, double mean)
{
    double many = mean + rng_unit(writer->rng);

    return many < 200 ? (uint64_t)many : 200;
}

void synth_text_parts_code(struct synth_text_writer *writer,
                           const struct synth_plan_question *question, double size,
                           const struct synth_grammar_values *values)
{
    int rule = question->background ? writer->text->topic_code[question->topic]
                                    : writer->text->code[text_parts_framework(question)];
    const char *language = language_of(question);

    pre_block(writer, rule,
              language != NULL && text_parts_chance(writer, 30) ? language : NULL,
              1 + text_parts_about(writer, 0.55 * size), values);
}

static void text_parts_trace(struct synth_text_writer *writer,
                             const struct synth_plan_question *question, double size,
                             const struct synth_grammar_values *values)
{
    if (question->background)
        synth_text_parts_code(writer, question, size, values);
    else
        pre_block(writer, writer->text->trace[text_parts_framework(question)], NULL,
                  1 + text_parts_about(writer, 0.55 * size), values);
}

/* All of a log, because the asker does not know which part matters. */
static void text_parts_log(struct synth_text_writer *writer,
                           const struct synth_plan_question *question,
                           const struct synth_grammar_values *values)
{
    text_parts_trace(writer, question, rng_log_normal(writer->rng, 25, 0.8), values);
}

void synth_text_add_name(struct buf *out, struct rng *rng)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    uint64_t bits = rng_next(rng);

    for (int i = 0; i < 5; i++, bits >>= 8)
        buf_add_char(out, letters[(bits & 0xFF) % (sizeof letters - 1)]);
}

void synth_text_parts_picture(struct synth_text_writer *writer,
                              const struct synth_plan_question *question)
{
    struct rng name = *writer->rng; /* the same name twice */
    bool noreferrer = question->year >= 2017;

    buf_add(writer->out, STR("&lt;p&gt;&lt;a href=&quot;https://i.stack.imgur.com/"));
    synth_text_add_name(writer->out, &name);
    buf_add(writer->out, noreferrer ? STR(".png&quot; rel=&quot;nofollow noreferrer"
                                          "&quot;&gt;&lt;img src=&quot;"
                                          "https://i.stack.imgur.com/")
                                    : STR(".png&quot; rel=&quot;nofollow&quot;&gt;&lt;"
                                          "img src=&quot;https://i.stack.imgur.com/"));
    synth_text_add_name(writer->out, writer->rng);
    buf_add(writer->out, STR(".png&quot; alt=&quot;enter image description here&quot;"
                             "&gt;&lt;/a&gt;&lt;/p&gt;&#xA;&#xA;"));
}

/* Something between two parts of a post. */
static void text_parts_heading(struct synth_text_writer *writer,
                               const struct synth_grammar_values *values)
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

void synth_text_parts_list(struct synth_text_writer *writer,
                           const struct synth_grammar_values *values)
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

void synth_text_parts_quote(struct synth_text_writer *writer,
                            const struct synth_grammar_values *values)
{
    buf_add(writer->out, STR("&lt;blockquote&gt;&#xA;  &lt;p&gt;"));
    text_parts_expand(writer, writer->text->quote, values);
    buf_add(writer->out, STR("&lt;/p&gt;&#xA;&lt;/blockquote&gt;&#xA;&#xA;"));
}

/* The kind a sentence speaks for: mostly the question's own. */
static int voice(struct synth_text_writer *writer, const struct synth_model_truth *truth)
{
    if (rng_unit(writer->rng) < writer->confusion)
        return (int)rng_below(writer->rng, SYNTH_MODEL_KIND_COUNT);
    if (truth->second_kind >= 0 && text_parts_chance(writer, 35))
        return truth->second_kind;
    return truth->kind;
}

void synth_text_title(struct synth_text_writer *writer,
                      const struct synth_plan_question *question, struct str *verb)
{
    const struct synth_text *text = writer->text;
    const struct synth_model_truth *truth = &question->truth;
    struct synth_grammar_values values = synth_text_parts_values(question);
    size_t begin = writer->out->len;

    *verb = STR("");
    if (question->background) {
        text_parts_expand(writer, text->topic_title[question->topic], &values);
        return;
    }
    if (truth->howto) {
        buf_add(writer->out, STR("How to "));
        text_parts_expand(writer,
                          truth->object >= 0 ? text->howto[truth->object]
                                             : text->kind_howto[truth->kind],
                          &values);
        if (text_parts_chance(writer, 40))
            buf_add(writer->out, STR("?"));
        struct str rest = str_slice(buf_str(writer->out), begin + 7, writer->out->len);
        str_cut(&rest, ' ', verb);
        return;
    }
    if (truth->platform >= 0 && text_parts_chance(writer, 75))
        text_parts_expand(
            writer, text->challenge_title[truth->platform][truth->challenge], &values);
    else if (truth->platform >= 0)
        text_parts_expand(writer, text->platform_title[truth->platform], &values);
    else
        text_parts_expand(writer, text->kind_title[voice(writer, truth)], &values);
}

/* One sentence that carries some of the question's truth. */
static int telling_rule(struct synth_text_writer *writer,
                        const struct synth_plan_question *question)
{
    const struct synth_text *text = writer->text;
    const struct synth_model_truth *truth = &question->truth;
    uint64_t dice = rng_below(writer->rng, 100);

    if (truth->platform >= 0 && dice < 55)
        return text->challenge_body[truth->platform][truth->challenge];
    if (truth->platform >= 0 && dice < 75)
        return text->platform_body[truth->platform];
    if (truth->object >= 0 && dice < 55)
        return text->phase_body[truth->object];
    if (truth->bug_type >= 0 && dice < 15)
        return text->bug_type[truth->bug_type];
    if (truth->bug_type >= 0 && dice < 30)
        return text->bug_hint[truth->bug_cause];
    if (truth->bug_type >= 0 && dice < 40)
        return text->bug_effect[truth->bug_effect];
    if (truth->bug_type >= 0 && dice < 48)
        return text->bug_stage[truth->bug_stage];
    return text->kind_body[voice(writer, truth)];
}

/* A sentence that would fit the question, but says little of its truth. */
static int beside_rule(struct synth_text_writer *writer,
                       const struct synth_plan_question *question)
{
    const struct synth_text *text = writer->text;
    uint64_t dice = rng_below(writer->rng, 100);

    if (dice < 6)
        return text->link;
    if (dice < 11)
        return text->emphasis;
    if (question->background)
        return text->topic_body[question->topic];
    return text->filler;
}

/* What longer questions have besides: more prose, code, logs, lists, pictures. */
static void further_parts(struct synth_text_writer *writer,
                          const struct synth_plan_question *question, double size,
                          const struct synth_grammar_values *values)
{
    bool code = question->truth.code;

    for (uint64_t parts = text_parts_about(writer, 0.9 * size);
         parts > 0 && synth_text_parts_has_room(writer); parts--) {
        if (text_parts_chance(writer, 8))
            text_parts_heading(writer, values);
        buf_add(writer->out, SYNTH_TEXT_PARTS_BEGIN);
        for (uint64_t sentences = 1 + rng_below(writer->rng, 4); sentences > 0;
             sentences--)
            synth_text_parts_sentence(writer,
                                      !question->background &&
                                              text_parts_chance(writer, 12)
                                          ? telling_rule(writer, question)
                                          : beside_rule(writer, question),
                                      values);
        buf_add(writer->out, SYNTH_TEXT_PARTS_END);
        if (text_parts_chance(writer, 7))
            synth_text_parts_picture(writer, question);
        if (code && text_parts_chance(writer, 40))
            synth_text_parts_code(writer, question, size, values);
        else if (code && text_parts_chance(writer, 22))
            text_parts_trace(writer, question, size, values);
        else if (text_parts_chance(writer, 8) && !question->background)
            synth_text_parts_list(writer, values);
    }
}

static void background_body(struct synth_text_writer *writer,
                            const struct synth_plan_question *question,
                            const struct synth_grammar_values *values)
{
    int body = writer->text->topic_body[question->topic];
    double size = text_parts_talkativeness(writer);

    for (uint64_t paragraphs = 1 + rng_below(writer->rng, 2); paragraphs > 0;
         paragraphs--) {
        buf_add(writer->out, SYNTH_TEXT_PARTS_BEGIN);
        for (uint64_t sentences = 1 + rng_below(writer->rng, 4); sentences > 0;
             sentences--)
            synth_text_parts_sentence(writer, body, values);
        buf_add(writer->out, SYNTH_TEXT_PARTS_END);
    }
    if (question->truth.code)
        synth_text_parts_code(writer, question, size, values);
    further_parts(writer, question, size, values);
    if (text_parts_chance(writer, 33)) {
        buf_add(writer->out, SYNTH_TEXT_PARTS_BEGIN);
        synth_text_parts_sentence(writer, writer->text->link, values);
        buf_add(writer->out, SYNTH_TEXT_PARTS_END);
    }
    if (question->truth.code && rng_below(writer->rng, 80) == 0)
        text_parts_log(writer, question, values);
}

void synth_text_body(struct synth_text_writer *writer,
                     const struct synth_plan_question *question)
{
    const struct synth_text *text = writer->text;
    const struct synth_model_truth *truth = &question->truth;
    struct synth_grammar_values values = synth_text_parts_values(question);

    writer->said_count = 0;
    writer->begun = writer->out->len;
    if (question->background) {
        background_body(writer, question, &values);
        return;
    }
    double size = text_parts_talkativeness(writer);
    buf_add(writer->out, SYNTH_TEXT_PARTS_BEGIN);
    if (text_parts_chance(writer, 70))
        synth_text_parts_sentence(writer, text->opening, &values);
    if (truth->platform >= 0 && (question->by_words || text_parts_chance(writer, 60)))
        synth_text_parts_sentence(writer, text->platform_mention[truth->platform],
                                  &values);
    for (uint64_t sentences = 1 + rng_below(writer->rng, 2); sentences > 0; sentences--)
        synth_text_parts_sentence(writer, telling_rule(writer, question), &values);
    buf_add(writer->out, SYNTH_TEXT_PARTS_END);
    if (truth->code)
        synth_text_parts_code(writer, question, size, &values);
    buf_add(writer->out, SYNTH_TEXT_PARTS_BEGIN);
    synth_text_parts_sentence(writer, telling_rule(writer, question), &values);
    for (uint64_t sentences = rng_below(writer->rng, 3); sentences > 0; sentences--)
        synth_text_parts_sentence(
            writer,
            text_parts_chance(writer, 60) ? text->filler : telling_rule(writer, question),
            &values);
    if (text_parts_chance(writer, 35))
        synth_text_parts_sentence(writer, text->environment, &values);
    if (text_parts_chance(writer, 20))
        synth_text_parts_sentence(writer, text->link, &values);
    if (text_parts_chance(writer, 8))
        synth_text_parts_sentence(writer, text->emphasis, &values);
    buf_add(writer->out, SYNTH_TEXT_PARTS_END);
    further_parts(writer, question, size, &values);
    if (truth->code &&
        text_parts_chance(writer, truth->kind == SYNTH_MODEL_CRASH ? 60 : 15))
        text_parts_trace(writer, question, size, &values);
    if (text_parts_chance(writer, 12))
        synth_text_parts_list(writer, &values);
    if (text_parts_chance(writer, 6))
        synth_text_parts_quote(writer, &values);
    if (truth->code && synth_text_parts_has_room(writer) &&
        rng_below(writer->rng, 80) == 0)
        text_parts_log(writer, question, &values);
    buf_add(writer->out, SYNTH_TEXT_PARTS_BEGIN);
    synth_text_parts_sentence(writer, text->kind_ask[voice(writer, truth)], &values);
    if (text_parts_chance(writer, 40))
        synth_text_parts_sentence(writer, text->thanks, &values);
    buf_add(writer->out, STR("&lt;/p&gt;&#xA;"));
}

/* What an answer says: the cause if it is the one that solved it. */
static int answering_rule(struct synth_text_writer *writer,
                          const struct synth_plan_question *question, int answer)
{
    const struct synth_text *text = writer->text;
    const struct synth_model_truth *truth = &question->truth;
    uint64_t dice = rng_below(writer->rng, 100);

    if (answer == 1 && truth->bug_cause >= 0 && dice < 40)
        return text->bug_cause[truth->bug_cause];
    if (answer == 1 && dice < 60)
        return text->root[truth->root_cause];
    if (truth->object >= 0 && dice < 80)
        return text->phase_answer[truth->object];
    return text->kind_answer[truth->kind];
}

/* What longer answers have besides. */
static void further_answer(struct synth_text_writer *writer,
                           const struct synth_plan_question *question, double size,
                           const struct synth_grammar_values *values)
{
    const struct synth_text *text = writer->text;

    for (uint64_t parts = text_parts_about(writer, 0.55 * size);
         parts > 0 && synth_text_parts_has_room(writer); parts--) {
        if (text_parts_chance(writer, 8))
            text_parts_heading(writer, values);
        buf_add(writer->out, SYNTH_TEXT_PARTS_BEGIN);
        for (uint64_t sentences = 1 + rng_below(writer->rng, 3); sentences > 0;
             sentences--)
            synth_text_parts_sentence(writer,
                                      text_parts_chance(writer, 12)  ? text->link
                                      : text_parts_chance(writer, 8) ? text->emphasis
                                      : question->background
                                          ? text->topic_answer[question->topic]
                                          : text->answer_filler,
                                      values);
        buf_add(writer->out, SYNTH_TEXT_PARTS_END);
        if (text_parts_chance(writer, 5))
            synth_text_parts_picture(writer, question);
        if (text_parts_chance(writer, 45))
            synth_text_parts_code(writer, question, size, values);
    }
}

void synth_text_answer(struct synth_text_writer *writer,
                       const struct synth_plan_question *question, int answer)
{
    const struct synth_text *text = writer->text;
    struct synth_grammar_values values = synth_text_parts_values(question);
    double size = text_parts_talkativeness(writer);

    writer->said_count = 0;
    writer->begun = writer->out->len;
    buf_add(writer->out, SYNTH_TEXT_PARTS_BEGIN);
    if (!question->background && text_parts_chance(writer, 60))
        synth_text_parts_sentence(writer, text->answer_opening, &values);
    for (uint64_t sentences = 1 + rng_below(writer->rng, 3); sentences > 0; sentences--)
        synth_text_parts_sentence(writer,
                                  question->background
                                      ? text->topic_answer[question->topic]
                                      : answering_rule(writer, question, answer),
                                  &values);
    buf_add(writer->out, SYNTH_TEXT_PARTS_END);
    if (text_parts_chance(writer, 55))
        synth_text_parts_code(writer, question, size, &values);
    further_answer(writer, question, size, &values);
    if (!question->background && text_parts_chance(writer, 50)) {
        buf_add(writer->out, SYNTH_TEXT_PARTS_BEGIN);
        synth_text_parts_sentence(writer, text->answer_filler, &values);
        if (text_parts_chance(writer, 40))
            synth_text_parts_sentence(writer, text->answer_closing, &values);
        buf_add(writer->out, STR("&lt;/p&gt;&#xA;"));
    }
}

/* Comments are Markdown: code stands between backquotes. Other tags do not occur in the
 * rules that comments use, except in slots, and are taken out. */
static void html_to_markdown(struct buf *out, size_t begin)
{
    struct str rest = str_slice(buf_str(out), begin, out->len), plain;

    out->len = begin; /* the text only becomes shorter, so it can be moved in place */
    while (rest.len > 0) {
        bool more = str_cut(&rest, '&', &plain);
        memmove(out->ptr + out->len, plain.ptr, plain.len);
        out->len += plain.len;
        if (!more)
            return;
        if (!str_starts(rest, STR("lt;"))) {
            out->ptr[out->len++] = '&';
            continue;
        }
        bool code = str_starts(rest, STR("lt;code")) || str_starts(rest, STR("lt;/code"));
        while (str_cut(&rest, '&', &plain) && !str_starts(rest, STR("gt;")))
            continue;
        rest = str_slice(rest, sizeof "gt;" - 1, rest.len);
        if (code)
            out->ptr[out->len++] = '`';
    }
}

void synth_text_comment(struct synth_text_writer *writer,
                        const struct synth_plan_question *question, int answer,
                        bool endorses)
{
    const struct synth_text *text = writer->text;
    struct synth_grammar_values values = synth_text_parts_values(question);
    size_t begin = writer->out->len;

    text_parts_expand(writer,
                      endorses               ? text->comment_endorse
                      : question->background ? text->comment_background
                      : answer == 0          ? text->comment_question
                                             : text->comment_answer,
                      &values);
    html_to_markdown(writer->out, begin);
}

void synth_text_doubt(struct synth_text_writer *writer,
                      const struct synth_plan_question *question)
{
    struct synth_grammar_values values = synth_text_parts_values(question);
    size_t begin = writer->out->len;

    text_parts_expand(writer, writer->text->comment_doubt, &values);
    html_to_markdown(writer->out, begin);
}
