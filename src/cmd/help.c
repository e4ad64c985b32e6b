/* assay help: what --help prints, and the manual pages, from the commands' tables. */
#include "cmd/cmd.h"

#include <string.h>

#include "base/roff.h"
#include "cmd/page.h"
#include "source/source.h"
#include "study/keys.h"

static void add_usage(const struct cmd *command, struct buf *out)
{
    buf_add_format(out, "assay %s", command->name);
    if (command->options->name != NULL)
        buf_add(out, STR(" [options]"));
    for (const struct cmd_operand *o = command->operands; o->name != NULL; o++)
        buf_add_format(out, o->required ? " %s" : " [%s]", o->name);
}

/* "--layout LAYOUT" */
static void add_option_head(const struct cmd_option *option, struct buf *out)
{
    buf_add_format(out, "%s", option->name);
    if (option->argument != NULL)
        buf_add_format(out, " %s", option->argument);
}

/* What the table knows besides the sentence: choices, default, required. */
static void add_option_facts(const struct cmd_option *option, struct buf *out)
{
    if (option->choices != NULL) {
        buf_add(out, STR("; one of "));
        cmd_add_choices(out, option->choices, ", ");
    }
    if (option->required)
        buf_add(out, STR(" (required)"));
    else if (option->fallback != NULL)
        buf_add_format(out, " (default %s)", option->fallback);
}

static void add_row(struct buf *out, struct str head, struct str text, size_t indent)
{
    buf_add_format(out, "  %-*.*s", (int)(indent - 2), STR_ARG(head));
    if (head.len + 4 > indent)
        buf_add_format(out, "\n%*s", (int)indent, "");
    cmd_page_fold(out, text, indent, indent);
}

static void add_paragraphs(struct buf *out, struct str rest)
{
    struct str line;

    for (bool more = true; more;) {
        more = str_cut(&rest, '\n', &line);
        cmd_page_fold(out, line, 0, 0);
    }
}

void cmd_help_text(const struct cmd *command, struct buf *out)
{
    struct buf head = {0}, text = {0}, prose = {0};
    struct str examples;

    cmd_page_prose(command->name, &prose, &examples);
    buf_add(out, STR("usage: "));
    add_usage(command, out);
    buf_add_format(out, "\n%s.\n\n", command->summary);
    for (const struct cmd_operand *o = command->operands; o->name != NULL; o++)
        add_row(out, str_from(o->name), str_from(o->help), 24);
    for (const struct cmd_option *o = command->options; o->name != NULL; o++) {
        buf_clear(&head);
        buf_clear(&text);
        add_option_head(o, &head);
        buf_add_format(&text, "%s", o->help);
        add_option_facts(o, &text);
        add_row(out, buf_str(&head), buf_str(&text), 24);
    }
    add_row(out, STR("--help"), STR("show this text"), 24);
    if (prose.len > 0) {
        buf_add_char(out, '\n');
        add_paragraphs(out, buf_str(&prose));
    }
    if (examples.len > 0)
        buf_add_format(out, "\nexamples:\n%.*s", STR_ARG(examples));
    buf_free(&prose);
    buf_free(&head);
    buf_free(&text);
}

void cmd_help_overview(struct buf *out)
{
    buf_add(out, STR("usage: assay COMMAND [options]\n"
                     "Turns a corpus of developer questions into a finished empirical "
                     "study.\n\ncommands:\n"));
    for (size_t i = 0; cmd_all[i] != NULL; i++)
        add_row(out, str_from(cmd_all[i]->name), str_from(cmd_all[i]->summary), 16);
    buf_add(out, STR("\n  assay help COMMAND   everything about one command\n"
                     "  assay help study     the study file; likewise query, measure, "
                     "codebook, labels\n"
                     "  assay --version      the version\n"
                     "\nA first look: assay demo\n"));
}

static void add_roff_paragraphs(struct buf *out, struct str rest)
{
    struct str line;

    for (bool more = true; more;) {
        more = str_cut(&rest, '\n', &line);
        if (line.len == 0)
            buf_add(out, STR(".PP\n"));
        else
            roff_add(line, out), buf_add_char(out, '\n');
    }
}

static void add_roff_tail(struct buf *out)
{
    buf_add(out, STR(".SH EXIT STATUS\n"
                     "0 fine; 1 a file that was given is wrong; 2 the command line is "
                     "wrong; 3 the machine refused (disk, permission, memory).\n"));
}

/* assay-NAME.1 */
static void cmd_manual(const struct cmd *command, struct buf *out)
{
    struct buf text = {0}, prose = {0};
    struct str examples;

    cmd_page_prose(command->name, &prose, &examples);
    buf_add_format(out, ".TH ASSAY-");
    for (const char *c = command->name; *c != '\0'; c++)
        buf_add_char(out, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
    buf_add_format(out, " 1 \"%s\" \"assay %s\" \"assay manual\"\n.SH NAME\n", CMD_DATE,
                   CMD_VERSION);
    buf_add_format(out, "assay\\-%s \\- ", command->name);
    roff_add(str_from(command->summary), out);
    buf_add(out, STR("\n.SH SYNOPSIS\n"));
    add_usage(command, &text);
    roff_add(buf_str(&text), out);
    buf_add(out, STR("\n.SH DESCRIPTION\n"));
    add_roff_paragraphs(out, buf_str(&prose));
    buf_add(out, STR(".SH OPTIONS\n"));
    for (const struct cmd_operand *o = command->operands; o->name != NULL; o++) {
        buf_add_format(out, ".TP\n.I %s\n", o->name);
        roff_add(str_from(o->help), out);
        buf_add_char(out, '\n');
    }
    for (const struct cmd_option *o = command->options; o->name != NULL; o++) {
        buf_clear(&text);
        add_option_head(o, &text);
        buf_add(out, STR(".TP\n.B "));
        roff_add(buf_str(&text), out);
        buf_clear(&text);
        buf_add_format(&text, "%s", o->help);
        add_option_facts(o, &text);
        buf_add_char(out, '\n');
        roff_add(buf_str(&text), out);
        buf_add_char(out, '\n');
    }
    buf_add(out, STR(".TP\n.B \\-\\-help\nshow a summary of this page\n"));
    add_roff_tail(out);
    if (examples.len > 0) {
        buf_add(out, STR(".SH EXAMPLES\n.nf\n"));
        roff_add(examples, out);
        buf_add(out, STR(".fi\n"));
    }
    buf_add(out, STR(".SH SEE ALSO\n.BR assay (1)"));
    struct str pages = str_from(command->see_also), page;
    while (pages.len > 0) {
        str_cut(&pages, ',', &page);
        struct str name;
        str_cut(&page, '(', &name); /* page keeps "5)" */
        buf_add(out, STR(",\n.BR "));
        roff_add(name, out);
        buf_add_format(out, " (%.*s", STR_ARG(page));
    }
    buf_add_char(out, '\n');
    buf_free(&prose);
    buf_free(&text);
}

/* assay.1 */
static void manual_overview(struct buf *out)
{
    buf_add_format(out, ".TH ASSAY 1 \"%s\" \"assay %s\" \"assay manual\"\n", CMD_DATE,
                   CMD_VERSION);
    buf_add(out, STR(".SH NAME\nassay \\- empirical studies of developer questions\n"
                     ".SH SYNOPSIS\n.B assay\nCOMMAND [options]\n.SH DESCRIPTION\n"
                     "assay turns a corpus of developer questions (a Stack Exchange "
                     "dump, Git commits, issues) into a finished empirical study.\n"
                     "Nothing is random without a seed: the same command gives the same "
                     "bytes, whatever the machine and the number of threads.\n"
                     ".SH COMMANDS\n"));
    for (size_t i = 0; cmd_all[i] != NULL; i++) {
        buf_add_format(out, ".TP\n.BR assay\\-%s (1)\n", cmd_all[i]->name);
        roff_add(str_from(cmd_all[i]->summary), out);
        buf_add_char(out, '\n');
    }
    buf_add(out,
            STR(".SH ENVIRONMENT\n"
                ".TP\n.B ASSAY_DATA\nWhat $data/ stands for in the paths of a "
                "study, where no \\-\\-data says it.\n"
                ".TP\n.B ASSAY_FONTS\nThe folder of LiberationSans\\-Regular.ttf "
                "and LiberationSans\\-Bold.ttf, the only fonts of figures. Without "
                "it they are looked for where systems install them (Debian: the "
                "package fonts\\-liberation). Letters that they lack, such as "
                "Chinese ones or emoji, are drawn as boxes with the letter's number, "
                "unless files of further fonts (.ttf, .otf, .ttc) are named besides, "
                "parted by colons: "
                "/usr/share/fonts/truetype/wqy/wqy\\-microhei.ttc of Debian's "
                "fonts\\-wqy\\-microhei has Chinese, Japanese and Korean letters, "
                "FreeSerif.ttf of fonts\\-freefont\\-ttf Arabic, Thai and most of "
                "India's, Symbola_hint.ttf of fonts\\-symbola emoji; the step that "
                "draws a figure says which it needs. No font is taken "
                "because it happens to be installed: figures have the same bytes "
                "wherever the variable and the fonts are the same.\n"));
    add_roff_tail(out);
}

struct help_args {
    const char *name;
    bool manual;
};

static const struct cmd_operand operands[] = {
    {"NAME", offsetof(struct help_args, name),
     "a command; study, source, query, measure, codebook or labels for that page of the "
     "manual; study.KEY for a key of the study file, or a word that may stand there, "
     "such "
     "as t-test; study.schema for a JSON schema that editors understand",
     false},
    {0},
};

static const struct cmd_option options[] = {
    {"--man", CMD_FLAG, offsetof(struct help_args, manual), NULL,
     .help = "print the manual page's source"},
    {0},
};

/* "study", "study.KEY" and "study.schema". */
static bool help_study(const struct help_args *args, struct err *err)
{
    struct str path = str_from(args->name);
    struct buf text = {0};
    bool ok = true;

    path = str_slice(path, STR("study.").len, path.len);
    const struct study_keys_row *row = study_keys_find(path);
    if (path.len == 0 && args->manual) {
        study_keys_manual(&text);
    } else if (path.len == 0) {
        struct buf keys = {0};
        study_keys_help_all(&keys);
        cmd_page_add(&text, cmd_page_source("study"), buf_str(&keys));
        buf_free(&keys);
    } else if (str_eq(path, STR("schema"))) {
        study_keys_schema(&text);
    } else if (row != NULL) {
        study_keys_help(row, &text);
    } else {
        const char *near = study_keys_nearest(path);
        ok = err_set(err, ERR_USAGE, "the study file has no key '%.*s'%s%s%s",
                     STR_ARG(path), near != NULL ? "; did you mean '" : "",
                     near != NULL ? near : "", near != NULL ? "'?" : "");
    }
    cmd_print(&text);
    return ok;
}

/* The page on sources with the fields that they bring in the place of the comment KEYS.
 */
static struct str with_fields(struct str page, struct arena *arena)
{
    struct buf whole = {0};
    struct str line;

    while (page.len > 0) {
        str_cut(&page, '\n', &line);
        if (str_eq(line, STR(".\\\" KEYS")))
            source_add_manual(&whole);
        else
            buf_add_format(&whole, "%.*s\n", STR_ARG(line));
    }
    return buf_keep(&whole, arena);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct help_args *args = arguments;
    const struct cmd *command = args->name != NULL ? cmd_find(args->name) : NULL;
    struct buf text = {0};

    if (args->name != NULL && (strcmp(args->name, "study") == 0 ||
                               strncmp(args->name, "study.", STR("study.").len) == 0))
        return help_study(args, err);
    struct str page = args->name != NULL ? cmd_page_source(args->name) : (struct str){0};
    if (page.len > 0 && strcmp(args->name, "source") == 0)
        page = with_fields(page, &session->arena);
    if (args->name != NULL && command == NULL && page.len == 0) {
        const struct study_keys_row *row = study_keys_meant(str_from(args->name));
        if (row != NULL && !args->manual) {
            study_keys_help(row, &text);
            cmd_print(&text);
            buf_free(&text);
            return true;
        }
        const char *near = cmd_nearest(args->name);
        return err_set(err, ERR_USAGE, "unknown command '%s'%s%s%s", args->name,
                       near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'?" : "");
    }
    if (command != NULL)
        (args->manual ? cmd_manual : cmd_help_text)(command, &text);
    else if (page.len == 0)
        (args->manual ? manual_overview : cmd_help_overview)(&text);
    if (!args->manual)
        cmd_page_add(&text, page,
                     (struct str){0}); /* the file format behind the command */
    else if (command == NULL)
        buf_add(&text, page);
    cmd_print(&text);
    return true;
}

const struct cmd cmd_help = {
    .name = "help",
    .summary = "Explain a command, a key of the study file or a format",
    .operands = operands,
    .options = options,
    .run = run,
};
