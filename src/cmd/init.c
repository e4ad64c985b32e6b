/* assay init: a new study from a template. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/bundle.h"
#include "cmd/init.h"
#include "study/keys.h"
#include "synth/synth.h"

/* The folder studies/ of the project. */
extern const unsigned char cmd_templates[];
extern const size_t cmd_templates_len;

struct init_args {
    const char *folder, *template, *source;
};

static const struct cmd_operand operands[] = {
    {"DIR", offsetof(struct init_args, folder), "the folder to make", true},
    {0},
};

static const struct cmd_option options[] = {
    {"--template", CMD_CHOICE, offsetof(struct init_args, template), "NAME",
     .help = "what to begin with: one of the published studies, or little",
     .choices = "minimal|zhang2019|liu2023|chen2020|islam2019", .fallback = "minimal"},
    {"--source", CMD_TEXT, offsetof(struct init_args, source), "PATH",
     .help = "the dump, for source.stackexchange in the study file"},
    {0},
};

/* A value as YAML reads it back, whatever is in it. */
static void add_value(struct buf *out, const char *value)
{
    if (study_keys_is_name(str_from(value))) {
        buf_add(out, str_from(value));
        return;
    }
    buf_add_char(out, '\'');
    for (const char *c = value; *c != '\0'; c++)
        buf_add(out, *c == '\'' ? STR("''") : (struct str){c, 1});
    buf_add_char(out, '\'');
}

/* A line of a template, in which the user's values stand for the template's. */
static void add_line(struct buf *out, struct str line,
                     const struct cmd_init_template *template)
{
    const struct {
        struct str line;
        size_t key_len;
        const char *value; /* NULL: as it is */
    } blanks[] = {{STR("study: my-study"), 7, template->called},
                  {STR("  stackexchange: dump"), 17, template->source},
                  {STR("    stackexchange: dump"), 19, template->source}};

    for (size_t i = 0; i < ROWS_OF(blanks); i++)
        if (blanks[i].value != NULL && str_eq(line, blanks[i].line)) {
            buf_add(out, str_slice(line, 0, blanks[i].key_len));
            add_value(out, blanks[i].value);
            return;
        }
    buf_add(out, line);
}

static bool write_file(struct cmd_session *session,
                       const struct cmd_init_template *template, const char *path,
                       struct str text, struct err *err)
{
    struct buf filled = {0};
    char *parent = arena_c_string(&session->arena, str_from(path));
    const char *made;
    struct str line;

    *strrchr(parent, '/') = '\0';
    for (bool more = true; more;) {
        more = str_cut(&text, '\n', &line);
        add_line(&filled, line, template);
        if (more)
            buf_add_char(&filled, '\n');
        if (template->simulated && str_ends(str_from(path), STR("/study.yaml")) &&
            str_starts(line, STR("title: ")))
            buf_add(&filled, STR("simulated: yes\n"));
    }
    bool ok = file_make_folder(parent, &session->arena, &made, err) &&
              file_write(path, buf_str(&filled), err);
    buf_free(&filled);
    return ok;
}

/* The last part of the folder's path, also where that is "." or ends in "/". */
static const char *name_of(struct cmd_session *session, const char *folder)
{
    char here[4096];
    struct str path = str_from(folder);

    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    if (str_eq(path, STR(".")) && getcwd(here, sizeof here) != NULL)
        path = str_from(here);
    for (size_t i = path.len; i-- > 0;)
        if (path.ptr[i] == '/') {
            path = str_slice(path, i + 1, path.len);
            break;
        }
    return path.len > 0 && !str_eq(path, STR(".."))
               ? arena_c_string(&session->arena, path)
               : NULL;
}

/* A relative path is meant from here, but the study takes it from its own folder. Where
 * that is not below here, the whole path is written. */
static const char *source_from(struct cmd_session *session, const char *folder,
                               const char *source)
{
    char here[4096];
    struct buf path = {0};
    struct str rest = str_from(folder), name;
    bool below = folder[0] != '/';

    if (source == NULL || source[0] == '/')
        return source;
    for (bool more = true; more;) {
        more = str_cut(&rest, '/', &name);
        if (name.len > 0 && !str_eq(name, STR(".")))
            buf_add(&path, STR("../"));
        below = below && !str_eq(name, STR(".."));
    }
    buf_add(&path, str_from(source));
    if (below)
        source = arena_c_string(&session->arena, buf_str(&path));
    else if (getcwd(here, sizeof here) != NULL)
        source = file_join(here, source, &session->arena);
    buf_free(&path);
    return source;
}

/* Whether the dump, a folder or a file in one, was made up by assay synth. Templates of
 * published studies compare with what was published, whatever the dump. */
static bool find_simulated(struct cmd_session *session, const char *source,
                           bool *simulated, struct err *err)
{
    struct str folder = str_from(source != NULL ? source : "");

    *simulated = false;
    if (source == NULL)
        return true;
    while (!file_is_folder(source) && folder.len > 0 && folder.ptr[folder.len - 1] != '/')
        folder.len--;
    return synth_folder_is_simulated(
        folder.len > 0 ? arena_c_string(&session->arena, folder) : ".", &session->arena,
        simulated, err);
}

/* The path of a template's file in the study's folder; NULL when it has no place there:
 * of the study files one is taken. */
static const char *place_of(struct str name, const struct cmd_init_template *template,
                            struct arena *arena)
{
    struct str rest = name, folder;
    bool below = str_cut(&rest, '/', &folder);

    if (!below && str_ends(name, STR(".yaml")) &&
        !str_eq(name, str_from(template->study)))
        return NULL;
    /* What simulations gave belongs to the demo alone. */
    if (str_eq(folder, STR("simulated")) && strcmp(template->study, "demo.yaml") != 0)
        return NULL;
    bool study = str_eq(name, str_from(template->study));
    return file_join(template->folder, study ? "study.yaml" : arena_c_string(arena, name),
                     arena);
}

/* Calls take() for each file of the template, with its path in the study's folder. */
static bool each_file(struct cmd_session *session,
                      const struct cmd_init_template *template,
                      bool (*take)(struct cmd_session *session,
                                   const struct cmd_init_template *template,
                                   const char *path, struct str text, struct err *err),
                      struct err *err)
{
    struct str bundle = {(const char *)cmd_templates, cmd_templates_len}, path, text;

    while (cmd_bundle_next(&bundle, &path, &text)) {
        struct str name = path, folder;
        str_cut(&name, '/', &folder);
        const char *to = str_eq(folder, str_from(template->name))
                             ? place_of(name, template, &session->arena)
                             : NULL;
        if (to != NULL && !take(session, template, to, text, err))
            return false;
    }
    return true;
}

bool cmd_init_write(struct cmd_session *session, const struct cmd_init_template *template,
                    struct err *err)
{
    return each_file(session, template, write_file, err);
}

static bool refuse_existing(struct cmd_session *session,
                            const struct cmd_init_template *template, const char *path,
                            struct str text, struct err *err)
{
    (void)session;
    (void)template;
    (void)text;
    return !file_exists(path) || err_set(err, ERR_USAGE, "%s is there already", path);
}

/* What need not be kept beside the study; a file that is there already stays. */
static bool write_ignored(struct cmd_session *session, const char *folder,
                          struct err *err)
{
    const char *path = file_join(folder, ".gitignore", &session->arena);

    return file_exists(path) ||
           file_write(path,
                      STR("# assay makes these again. What is to be kept: study.yaml, "
                          "codebooks/, labels.db, assay.lock.\n"
                          "/corpus.db*\n/out/\n/dump/\n*.db-wal\n*.db-shm\n"),
                      err);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct init_args *args = arguments;
    const char *source = source_from(session, args->folder, args->source);
    const char *study = file_join(args->folder, "study.yaml", &session->arena);
    struct cmd_init_template template = {args->template,
                                         "study.yaml",
                                         args->folder,
                                         source,
                                         name_of(session, args->folder),
                                         false};

    if (args->folder[0] == '\0')
        return err_set(err, ERR_USAGE, "expected a folder, found ''");
    if (!each_file(session, &template, refuse_existing, err) ||
        (strcmp(args->template, "minimal") == 0 &&
         !find_simulated(session, args->source, &template.simulated, err)) ||
        !cmd_init_write(session, &template, err) ||
        !write_ignored(session, args->folder, err))
        return false;
    printf("%s: a study to begin with\n", study);
    if (template.simulated)
        printf(
            "its posts were made up by assay synth: the study says `simulated: yes`\n");
    if (source == NULL)
        printf("put the dump into %s/dump, or say in study.yaml where it is; a simulated "
               "one comes from\n  assay synth --out %s/dump --questions 5000 --seed 1\n",
               args->folder, args->folder);
    printf("then: assay run %s\n", args->folder);
    return true;
}

const struct cmd cmd_init = {
    .name = "init",
    .summary = "Make a new study from a template",
    .see_also = "assay-study(5),assay-run(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
