/* assay completion: shell completion from the commands' tables. */
#include "cmd/cmd.h"

#include <string.h>

/* Words that a command takes besides its options. */
static void add_words(const struct cmd *command, struct buf *out)
{
    if (command == &cmd_help)
        for (size_t i = 0; cmd_all[i] != NULL; i++)
            buf_add_format(out, " %s", cmd_all[i]->name);
    if (command == &cmd_completion)
        buf_add(out, STR(" bash zsh"));
}

static void add_bash_command(const struct cmd *command, struct buf *out)
{
    buf_add_format(out, "    %s)\n        case $previous in\n", command->name);
    for (const struct cmd_option *o = command->options; o->name != NULL; o++) {
        if (o->choices != NULL) {
            buf_add_format(out, "        %s) words='", o->name);
            cmd_add_choices(out, o->choices, " ");
            buf_add(out, STR("' ;;\n"));
        } else if (cmd_names_a_path(o)) {
            buf_add_format(out, "        %s) _assay_files; return ;;\n", o->name);
        } else if (o->type != CMD_FLAG) {
            buf_add_format(out, "        %s) return ;;\n", o->name);
        }
    }
    buf_add(out, STR("        *) words='--help"));
    for (const struct cmd_option *o = command->options; o->name != NULL; o++)
        buf_add_format(out, " %s", o->name);
    add_words(command, out);
    buf_add(out, STR("' ;;\n        esac ;;\n"));
}

/* Readline takes --option=value for three words, of which the last is completed; names
 * are read a line each, for they may hold blanks. */
static void completion_bash(struct buf *out)
{
    buf_add(out, STR("# bash completion for assay\n"
                     "_assay_files() {\n"
                     "    local name\n"
                     "    COMPREPLY=()\n"
                     "    while IFS= read -r name; do COMPREPLY+=(\"$name\"); done < "
                     "<(compgen -f -- \"$word\")\n"
                     "    compopt -o filenames 2>/dev/null\n"
                     "}\n"
                     "_assay() {\n"
                     "    local word=${COMP_WORDS[COMP_CWORD]} "
                     "previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
                     "    if [ \"$word\" = = ]; then word=\n"
                     "    elif [ \"$previous\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then "
                     "previous=${COMP_WORDS[COMP_CWORD-2]}\n"
                     "    fi\n"
                     "    COMPREPLY=()\n"
                     "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                     "        words='--help --version"));
    for (size_t i = 0; cmd_all[i] != NULL; i++)
        buf_add_format(out, " %s", cmd_all[i]->name);
    buf_add(out, STR("'\n    else case ${COMP_WORDS[1]} in\n"));
    for (size_t i = 0; cmd_all[i] != NULL; i++)
        add_bash_command(cmd_all[i], out);
    buf_add(out, STR("    esac; fi\n"
                     "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                     "    [ ${#COMPREPLY[@]} -gt 0 ] || [ \"${word#-}\" != \"$word\" ] "
                     "|| _assay_files\n"
                     "}\n"
                     "complete -F _assay assay\n"));
}

/* Inside zsh's '...[...]' a quote, a bracket or a colon would end the text early. */
static void add_zsh_text(struct buf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            buf_add(out, STR("'\\''"));
        else if (strchr("[]:", *text) != NULL)
            buf_add_format(out, "\\%c", *text);
        else
            buf_add_char(out, *text);
    }
}

static void add_zsh_command(const struct cmd *command, struct buf *out)
{
    buf_add_format(out, "    %s)\n        _arguments '--help[show help]'", command->name);
    for (const struct cmd_option *o = command->options; o->name != NULL; o++) {
        buf_add_format(out, " \\\n            '%s[", o->name);
        add_zsh_text(out, o->help);
        buf_add_char(out, ']');
        if (o->argument != NULL)
            buf_add_format(out, ":%s:", o->argument);
        if (o->choices != NULL) {
            buf_add_char(out, '(');
            cmd_add_choices(out, o->choices, " ");
            buf_add_char(out, ')');
        } else if (cmd_names_a_path(o)) {
            buf_add(out, STR("_files"));
        }
        buf_add_char(out, '\'');
    }
    if (command == &cmd_help || command == &cmd_completion) {
        buf_add(out, STR(" \\\n            '1:word:("));
        add_words(command, out);
        buf_add(out, STR(")' ;;\n"));
    } else {
        buf_add(out, STR(" \\\n            '*:file:_files' ;;\n"));
    }
}

static void completion_zsh(struct buf *out)
{
    buf_add(out, STR("#compdef assay\n"
                     "_assay() {\n"
                     "    local -a commands\n"
                     "    commands=(\n"));
    for (size_t i = 0; cmd_all[i] != NULL; i++) {
        buf_add_format(out, "        '%s:", cmd_all[i]->name);
        add_zsh_text(out, cmd_all[i]->summary);
        buf_add(out, STR("'\n"));
    }
    buf_add(out,
            STR("    )\n"
                "    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
                "    local command=$words[2]\n"
                "    shift words; (( CURRENT-- ))\n"
                "    case $command in\n"));
    for (size_t i = 0; cmd_all[i] != NULL; i++)
        add_zsh_command(cmd_all[i], out);
    buf_add(out, STR("    esac\n}\n_assay \"$@\"\n"));
}

struct completion_args {
    const char *shell;
};

static const struct cmd_operand operands[] = {
    {"SHELL", offsetof(struct completion_args, shell), "bash or zsh", true},
    {0},
};

static const struct cmd_option options[] = {{0}};

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct completion_args *args = arguments;
    struct buf text = {0};

    (void)session;
    if (strcmp(args->shell, "bash") == 0)
        completion_bash(&text);
    else if (strcmp(args->shell, "zsh") == 0)
        completion_zsh(&text);
    else
        return err_set(err, ERR_USAGE, "expected bash or zsh, found '%s'", args->shell);
    cmd_print(&text);
    return true;
}

const struct cmd cmd_completion = {
    .name = "completion",
    .summary = "Print completion for a shell, bash or zsh",
    .operands = operands,
    .options = options,
    .run = run,
};
