/* Every rule that a label needs is looked up once, so that none can be missing later. */
#include "synth/text_rules.h"

#include "base/compiler.h"

extern const unsigned char synth_grammar_text[];
extern const size_t synth_grammar_text_len;

struct loader {
    struct text *text;
    struct err *err;
};

/* The rule PREFIX + label + SUFFIX. */
static bool bind(const struct loader *loader, const char *prefix, struct str label,
                 const char *suffix, int *rule)
{
    struct buf name = {0};

    buf_add_format(&name, "%s%.*s%s", prefix, STR_ARG(label), suffix);
    *rule = grammar_rule(loader->text->grammar, buf_str(&name));
    bool found =
        *rule >= 0 || err_set(loader->err, ERR_INPUT, "grammar: rule [%.*s] is missing",
                              STR_ARG(buf_str(&name)));
    buf_free(&name);
    return found;
}

/* The rules of all labels of a section. */
static bool bind_all(const struct loader *loader, enum model_section section,
                     const char *prefix, const char *suffix, int *rules)
{
    for (int i = 0; i < (int)model_count(section); i++)
        if (!bind(loader, prefix, model_name(section, i), suffix, &rules[i]))
            return false;
    return true;
}

static bool bind_kinds(const struct loader *loader)
{
    struct text *text = loader->text;

    for (int i = 0; i < MODEL_KIND_COUNT; i++) {
        struct str name = model_name(MODEL_KINDS, i);
        if (i != MODEL_IMPLEMENTATION &&
            !bind(loader, "kind.", name, ".howto", &text->kind_howto[i]))
            return false;
    }
    return bind_all(loader, MODEL_KINDS, "kind.", ".title", text->kind_title) &&
           bind_all(loader, MODEL_KINDS, "kind.", ".body", text->kind_body) &&
           bind_all(loader, MODEL_KINDS, "kind.", ".ask", text->kind_ask) &&
           bind_all(loader, MODEL_KINDS, "kind.", ".answer", text->kind_answer) &&
           bind_all(loader, MODEL_ROOT_CAUSES, "root.", "", text->root);
}

static bool bind_objects(const struct loader *loader)
{
    struct text *text = loader->text;

    for (int i = 0; i < (int)model_count(MODEL_OBJECTS); i++) {
        struct str phase = str_slice(model_name(MODEL_OBJECTS, i), 0, 1);
        if (!bind(loader, "phase.", phase, ".body", &text->phase_body[i]) ||
            !bind(loader, "phase.", phase, ".answer", &text->phase_answer[i]))
            return false;
    }
    return bind_all(loader, MODEL_OBJECTS, "howto.", "", text->howto);
}

static bool bind_platforms(const struct loader *loader)
{
    struct text *text = loader->text;

    for (int i = 0; i < MODEL_PLATFORM_COUNT; i++)
        if (!bind_all(loader, model_challenges(i), "challenge.", ".title",
                      text->challenge_title[i]) ||
            !bind_all(loader, model_challenges(i), "challenge.", ".body",
                      text->challenge_body[i]))
            return false;
    return bind_all(loader, MODEL_PLATFORMS, "platform.", ".mention",
                    text->platform_mention) &&
           bind_all(loader, MODEL_PLATFORMS, "platform.", ".title",
                    text->platform_title) &&
           bind_all(loader, MODEL_PLATFORMS, "platform.", ".body", text->platform_body);
}

static bool bind_bugs(const struct loader *loader)
{
    struct text *text = loader->text;

    return bind_all(loader, MODEL_BUG_TYPES, "bug.type.", "", text->bug_type) &&
           bind_all(loader, MODEL_BUG_CAUSES, "bug.cause.", "", text->bug_cause) &&
           bind_all(loader, MODEL_BUG_CAUSES, "bug.hint.", "", text->bug_hint) &&
           bind_all(loader, MODEL_BUG_EFFECTS, "bug.effect.", "", text->bug_effect) &&
           bind_all(loader, MODEL_BUG_STAGES, "bug.stage.", "", text->bug_stage) &&
           bind_all(loader, MODEL_FRAMEWORKS, "code.", "", text->code) &&
           bind_all(loader, MODEL_FRAMEWORKS, "trace.", "", text->trace);
}

static bool bind_topics(const struct loader *loader)
{
    struct text *text = loader->text;

    for (int i = 0; i < TAGS_TOPICS; i++) {
        struct str topic = tags_topic(i);
        if (!bind(loader, "bg.", topic, ".title", &text->topic_title[i]) ||
            !bind(loader, "bg.", topic, ".body", &text->topic_body[i]) ||
            !bind(loader, "bg.", topic, ".answer", &text->topic_answer[i]) ||
            !bind(loader, "code.bg.", topic, "", &text->topic_code[i]))
            return false;
    }
    return true;
}

static bool bind_pools(const struct loader *loader)
{
    struct text *text = loader->text;
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
        {"comment.background", &text->comment_background},
    };

    for (size_t i = 0; i < ROWS_OF(pools); i++)
        if (!bind(loader, pools[i].name, STR(""), "", pools[i].rule))
            return false;
    return true;
}

bool text_load(struct arena *arena, struct text **out, struct err *err)
{
    struct text *text = arena_array(arena, struct text, 1);
    struct loader loader = {text, err};
    struct str source = {(const char *)synth_grammar_text, synth_grammar_text_len};

    *out = text;
    return grammar_compile(source, "grammar", arena, &text->grammar, err) &&
           bind_kinds(&loader) && bind_objects(&loader) && bind_platforms(&loader) &&
           bind_bugs(&loader) && bind_topics(&loader) && bind_pools(&loader);
}
