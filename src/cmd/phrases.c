/* assay phrases: the pages on which people unify verbs and objects. */
#include "base/file.h"
#include "base/near.h"
#include "cmd/opening.h"
#include "cmd/serving.h"

struct phrases_args {
    struct cmd_opening_args opening;
    struct cmd_serving_args serving;
    const char *name;
};

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    {"--name", CMD_TEXT, offsetof(struct phrases_args, name), "NAME",
     .help = "which `phrases` of the study; may be left out when one has unifiers"},
    CMD_SERVING_OPTIONS(struct phrases_args, serving),
    CMD_OPENING_DATA,
    {0},
};

/* The one of that name, or without a name the only one that has unifiers. */
static bool choose(const struct study *study, const char *name, struct arena *arena,
                   const struct study_phrases **out, struct err *err)
{
    struct str *names = arena_array(arena, struct str, study->phrases_count + 1);
    size_t ready = 0;

    *out = NULL;
    for (size_t i = 0; i < study->phrases_count; i++) {
        const struct study_phrases *one = &study->phrases[i];
        names[i] = one->name;
        ready += one->unifier_count > 0;
        if (name != NULL ? str_eq(one->name, str_from(name)) : one->unifier_count > 0)
            *out = one;
    }
    if (study->phrases_count == 0)
        return err_set(err, ERR_INPUT, "%s: the study has no `phrases`", study->path);
    if (*out == NULL && name != NULL) {
        size_t near = near_find(str_from(name), names, study->phrases_count);
        return err_set(err, ERR_USAGE, "--name: there are no phrases '%s'%s%.*s%s", name,
                       near < study->phrases_count ? "; did you mean '" : "",
                       STR_ARG(near < study->phrases_count ? names[near] : STR("")),
                       near < study->phrases_count ? "'?" : "");
    }
    if (name == NULL && ready > 1)
        return err_set(err, ERR_USAGE, "--name: several `phrases` have unifiers; which?");
    if (*out == NULL || (*out)->unifier_count == 0) {
        const struct yaml_node *node = (*out != NULL ? *out : study->phrases)->node;
        return err_set(err, ERR_INPUT,
                       "%s:%d:%d: expected `unifiers`, who decides, and `decisions`, the "
                       "csv that is written to; found no unifiers",
                       study->path, node->line, node->column);
    }
    return true;
}

static const char *role_of(const struct label_person *person)
{
    return serve_merges_settles(person) ? "arbiter" : "unifier";
}

static void tell_trouble(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "assay: nothing can be saved: %s\n", text);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct phrases_args *args = arguments;
    struct serve_options wanted = {.tell = tell_trouble};
    const struct study_phrases *phrases;
    const struct label_person *people;
    struct serve *serve = NULL;
    struct lock lock = {-1};
    struct study study;

    if (!cmd_serving_wanted(&args->serving, &wanted, err) ||
        !cmd_opening_study(session, &args->opening, &study, err) ||
        !choose(&study, args->name, &session->arena, &phrases, err))
        return false;
    /* One server writes to the csv: two would give two links to everybody. */
    struct str name =
        arena_format(&session->arena, ".assay-phrases-%.*s-lock", STR_ARG(phrases->name));
    bool ok = lock_take(file_join(study.home, name.ptr, &session->arena), "assay phrases",
                        &lock, err) &&
              serve_merges_open(&study, phrases, &wanted.merges, err) &&
              serve_open(&wanted, &serve, err);
    if (ok) {
        size_t count = serve_merges_people(wanted.merges, &people);
        cmd_serving_links(session, &args->serving, serve, people, count, role_of);
        ok = serve_run(serve, err);
    }
    serve_close(serve);
    serve_merges_close(wanted.merges);
    lock_release(&lock);
    return ok;
}

const struct cmd cmd_phrases = {
    .name = "phrases",
    .summary = "Show the pages on which people unify verb phrases",
    .see_also = "assay-run(1),assay-label(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
