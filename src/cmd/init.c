/* assay init: a new study from a template. */
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/date.h"
#include "base/file.h"
#include "cmd/init.h"
#include "cmd/page.h"
#include "engine/engine.h"
#include "study/keys.h"
#include "study/study.h"
#include "synth/synth.h"

/* The folder studies/ of the project. */
extern const unsigned char cmd_templates[];
extern const size_t cmd_templates_len;

struct init_args {
    const char *folder, *template, *source, *site;
};

static const struct cmd_operand operands[] = {
    {"DIR", offsetof(struct init_args, folder), "the folder to make", true},
    {0},
};

static const struct cmd_option options[] = {
    {"--template", CMD_CHOICE, offsetof(struct init_args, template), "NAME",
     .help = "what to begin with: one of the published studies, or what suits the source",
     .choices = "minimal|zhang2019|liu2023|chen2020|islam2019", .fallback = "minimal"},
    {"--source", CMD_TEXT, offsetof(struct init_args, source), "PATH",
     .help =
         "what the study is about: a dump, a csv of posts, saved json of GitHub or of "
         "a Discourse forum, a git repository, a bundle, or a folder of them; or a table "
         "of posts that a ClickHouse server holds, as "
         "http://localhost:8123/stackoverflow/posts"},
    {"--site", CMD_TEXT, offsetof(struct init_args, site), "NAME",
     .help =
         "the site that the posts are of, such as ai.stackexchange.com, where neither "
         "the source's name nor its links tell"},
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

/* A line with blanks filled in; false: one of them has no value. */
static bool fill_blanks(struct buf *out, struct str line,
                        const struct cmd_init_blank *blank)
{
    size_t from = out->len;

    while (line.len > 0) {
        const struct cmd_init_blank *found = NULL;
        size_t len = 0;
        for (const struct cmd_init_blank *b = blank; b->name != NULL; b++) {
            len = strlen(b->name);
            if (line.len >= len + 4 && memcmp(line.ptr, "{{", 2) == 0 &&
                memcmp(line.ptr + 2, b->name, len) == 0 &&
                memcmp(line.ptr + 2 + len, "}}", 2) == 0) {
                found = b;
                break;
            }
        }
        if (found == NULL) {
            buf_add_char(out, line.ptr[0]);
        } else if (found->value == NULL) {
            out->len = from;
            return false;
        } else {
            buf_add(out, str_from(found->value));
        }
        line = str_slice(line, found == NULL ? 1 : len + 4, line.len);
    }
    return true;
}

/* A line of a template, in which the user's values stand for the template's; false: the
 * line is left out. */
static bool add_line(struct buf *out, struct str line,
                     const struct cmd_init_template *template)
{
    const struct {
        struct str line;
        size_t key_len;
        const char *value; /* NULL: as it is */
    } known[] = {{STR("study: my-study"), 7, template->called},
                 {STR("  stackexchange: dump"), 17, template->source},
                 {STR("    stackexchange: dump"), 19, template->source}};

    for (size_t i = 0; i < ROWS_OF(known); i++)
        if (known[i].value != NULL && str_eq(line, known[i].line)) {
            struct str key = str_slice(line, 0, known[i].key_len);
            if (i > 0 && engine_is_address(known[i].value))
                buf_add_format(out, "%*s%s: ", (int)(key.len - strlen("stackexchange: ")),
                               "", source_clickhouse.key);
            else
                buf_add(out, key);
            add_value(out, known[i].value);
            return true;
        }
    if (template->blanks != NULL)
        return fill_blanks(out, line, template->blanks);
    buf_add(out, line);
    return true;
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
        if (add_line(&filled, line, template) && more)
            buf_add_char(&filled, '\n');
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
    path = str_last(path, '/');
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

    if (source == NULL || source[0] == '/' || engine_is_address(source))
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
    struct str folder = str_from(source);

    *simulated = false;
    if (source == NULL || engine_is_address(source))
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

    while (file_bundled(&bundle, &path, &text)) {
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
                          "/corpus.db*\n/out/\n/dump/\n*.db-wal\n*.db-shm\n"
                          "# Links are keys to the labelling pages: for nobody else.\n"
                          ".assay-links\nlabels-copy.db\n"),
                      err);
}

/* --- a study that suits the source --- */

enum { TAGS_SHOWN = 5 };

static const char *quoted(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

static const char *quoted(struct arena *arena, const char *format, ...)
{
    struct buf value = {0};
    va_list args;

    va_start(args, format);
    add_value(&value, arena_c_string(arena, arena_format_arguments(arena, format, args)));
    va_end(args);
    return arena_c_string(arena, buf_keep(&value, arena));
}

/* The set of a tag goes by its name, where that can be one. */
static const char *set_of(struct arena *arena, struct str tag, const char *otherwise)
{
    static const struct str taken[] = {STR_INIT("items"), STR_INIT("to-read")};

    return study_keys_is_name(tag) &&
                   str_find(tag, taken, ROWS_OF(taken)) == ROWS_OF(taken)
               ? arena_c_string(arena, tag)
               : otherwise;
}

struct init_tags {
    const char *most, *each, *one, *other, *one_is, *other_is;
};

/* Queries for the most used tags; nothing when there is not even one. */
static struct init_tags tags_of(const struct cmd_init_look *look, struct arena *arena)
{
    struct init_tags tags = {0};
    struct buf most = {0}, each = {0};

    for (size_t i = 0; i < look->tag_count && i < TAGS_SHOWN; i++) {
        struct str tag = look->tags[i].key;
        const char *between = i > 0 ? ", " : "";
        buf_add_format(&most, "%s%.*s (%lld)", between, STR_ARG(tag),
                       (long long)look->tags[i].value);
        buf_add_format(&each, "%s%s: %s", between, quoted(arena, "%.*s", STR_ARG(tag)),
                       quoted(arena, "[%.*s]", STR_ARG(tag)));
    }
    /* Two to compare: not one that nearly all have. */
    size_t one = 0;
    while (one < look->tag_count && look->tags[one].value * 2 > look->items)
        one++;
    if (one + 1 < look->tag_count) {
        struct str first = look->tags[one].key, second = look->tags[one + 1].key;
        tags.one = set_of(arena, first, "first-tag");
        tags.one_is = quoted(arena, "[%.*s]", STR_ARG(first));
        tags.other = set_of(arena, second, "second-tag");
        tags.other_is =
            quoted(arena, "[%.*s] and not [%.*s]", STR_ARG(second), STR_ARG(first));
    }
    if (look->tag_count > 0) {
        tags.most = arena_c_string(arena, buf_str(&most));
        tags.each = arena_c_string(arena, buf_str(&each));
    }
    buf_free(&most);
    buf_free(&each);
    return tags;
}

static const char *period_of(const struct cmd_init_look *look)
{
    int64_t days =
        look->first_ms == ITEM_NONE ? 0 : (look->last_ms - look->first_ms) / DATE_DAY_MS;

    return days > 3 * 365 ? "year" : days > 365 ? "quarter" : "month";
}

static const char *day_of(int64_t ms, struct arena *arena)
{
    struct buf day = {0};

    if (ms == ITEM_NONE)
        return NULL;
    date_add_day(&day, ms);
    return arena_c_string(arena, buf_keep(&day, arena));
}

/* The site: as was said, as the path is called, as the links tell, never a guess. */
static bool find_site(const struct init_args *args, bool simulated, struct arena *arena,
                      const struct cmd_init_look *look, const char **site,
                      struct err *err)
{
    bool exchange = look->kind == &source_stackexchange || look->kind == &source_posts ||
                    look->kind == &source_clickhouse;
    struct str found = study_site_in_path(str_from(args->source));

    *site = args->site;
    if (*site != NULL || !exchange || simulated)
        return true;
    if (found.len == 0)
        found = look->site;
    if (found.len == 0 && look->kind == &source_clickhouse)
        return err_set(err, ERR_USAGE,
                       "%s: the address does not tell which site these posts are of; say "
                       "it, as in --site stackoverflow.com",
                       args->source);
    if (found.len == 0)
        return err_set(
            err, ERR_USAGE,
            "%s: neither its name nor its links tell which site these posts are "
            "of; say it, as in --site ai.stackexchange.com",
            args->source);
    *site = arena_c_string(arena, found);
    return true;
}

/* "1813 questions, 2016-08-02 to 2016-12-11" */
static const char *found_in(const struct cmd_init_look *look, struct arena *arena)
{
    const char *first = day_of(look->first_ms, arena),
               *last = day_of(look->last_ms, arena);
    const char *what = look->kind == &source_git         ? "commit"
                       : look->kind == &source_discourse ? "topic"
                       : look->kind == &source_github    ? "item"
                                                         : "question";

    return arena_c_string(
        arena, arena_format(arena, "%lld %s%s%s%s%s%s", (long long)look->items, what,
                            str_plural(look->items), first != NULL ? ", " : "",
                            first != NULL ? first : "", first != NULL ? " to " : "",
                            first != NULL ? last : ""));
}

/* Looks at the source and writes a study that shows something of it. */
static bool write_suited(struct cmd_session *session, const struct init_args *args,
                         struct cmd_init_template *template, struct err *err)
{
    struct arena *arena = &session->arena;
    struct cmd_init_look look;
    const char *site;
    bool simulated;

    if (!find_simulated(session, args->source, &simulated, err) ||
        !cmd_init_look(args->source, arena, &look, err) ||
        !find_site(args, simulated, arena, &look, &site, err))
        return false;
    if (look.items == 0)
        return err_set(err, ERR_INPUT, "%s: there is nothing in it to study",
                       args->source);
    struct init_tags tags = tags_of(&look, arena);
    const char *found = found_in(&look, arena);
    const struct cmd_init_blank blanks[] = {
        {"study",
         quoted(arena, "%s", template->called != NULL ? template->called : "my-study")},
        {"simulated", simulated ? "yes" : NULL},
        {"kind", look.kind->key},
        {"source", quoted(arena, "%s", template->source)},
        {"site", site != NULL ? quoted(arena, "%s", site) : NULL},
        {"unnamed", site == NULL ? "" : NULL},
        {"found", found},
        {"period", period_of(&look)},
        {"last", day_of(look.last_ms, arena)},
        {"tags", tags.most},
        {"each", tags.each},
        {"one", tags.one},
        {"one-is", tags.one_is},
        {"other", tags.other},
        {"other-is", tags.other_is},
        {"any-tag", tags.each != NULL ? "" : NULL}, /* say that a line needs them */
        {"two-tags", tags.other != NULL ? "" : NULL},
        {0}};
    template->blanks = blanks;
    template->study =
        look.kind == &source_posts || look.kind == &source_clickhouse
            ? "stackexchange.yaml"
            : arena_c_string(arena, arena_format(arena, "%s.yaml", look.kind->key));
    if (!cmd_init_write(session, template, err))
        return false;
    printf("%s: %s\n", args->source, found);
    if (look.lacking.len > 0)
        fprintf(stderr,
                "%s: the table has no %.*s; what is not there counts as missing\n",
                args->source, STR_ARG(look.lacking));
    if (look.broken.len > 0)
        fprintf(stderr, "%s: %.*s; assay run ends there: is the file whole?\n",
                args->source, STR_ARG(look.broken));
    if (site != NULL)
        printf("its site: %s\n", site);
    if (tags.most != NULL)
        printf("the tags used most: %s\n", tags.most);
    if (simulated)
        printf("it was made up by assay synth: the study says `simulated: yes`\n");
    return true;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct init_args *args = arguments;
    const char *source = source_from(session, args->folder, args->source);
    struct cmd_init_template template = {.name = args->template,
                                         .study = "study.yaml",
                                         .folder = args->folder,
                                         .source = source,
                                         .called = name_of(session, args->folder)};
    bool suited = source != NULL && strcmp(args->template, "minimal") == 0;

    if (args->folder[0] == '\0')
        return err_set(err, ERR_USAGE, "expected a folder, found ''");
    if (args->site != NULL && !suited)
        return err_set(err, ERR_USAGE, "--site says what --source is about: give both");
    if (!each_file(session, &template, refuse_existing, err) ||
        !(suited ? write_suited(session, args, &template, err)
                 : cmd_init_write(session, &template, err)) ||
        !write_ignored(session, args->folder, err))
        return false;
    printf("%s: a study to begin with\n",
           file_join(args->folder, "study.yaml", &session->arena));
    if (source == NULL)
        printf("put the dump into %s/dump, or say in study.yaml where it is; a simulated "
               "one comes from\n  assay synth --out %s/dump --questions 5000 --seed 1\n",
               args->folder, args->folder);
    bool odd = strpbrk(args->folder, " \t'\"$&;()<>|*?[]#~`\\!") != NULL;
    printf(odd ? "then: assay run '%s'\n" : "then: assay run %s\n", args->folder);
    return true;
}

const struct cmd cmd_init = {
    .name = "init",
    .summary = "Make a new study",
    .see_also = "assay-study(5),assay-run(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
