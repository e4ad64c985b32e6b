/* argv into the args struct, by the command's tables. */
#include "cmd/cmd.h"

#include <assert.h>
#include <string.h>

#include "base/near.h"

static bool check_choice(const struct cmd_option *option, struct str value,
                         struct err *err)
{
    struct str rest = str_from(option->choices), names[32];
    struct buf list = {0};
    size_t count = 0;

    for (bool more = true; more && count < ROWS_OF(names); count++) {
        more = str_cut(&rest, '|', &names[count]);
        if (str_eq(names[count], value))
            return true;
    }
    size_t near = near_find(value, names, count);
    cmd_add_choices(&list, option->choices, ", ");
    if (near < count)
        err_set(err, ERR_USAGE, "%s: unknown '%.*s'; did you mean '%.*s'?", option->name,
                STR_ARG(value), STR_ARG(names[near]));
    else
        err_set(err, ERR_USAGE, "%s: expected one of %.*s; found '%.*s'", option->name,
                STR_ARG(buf_str(&list)), STR_ARG(value));
    buf_free(&list);
    return false;
}

static bool set_number(const struct cmd_option *option, struct str value, void *field,
                       struct err *err)
{
    int64_t whole;
    double real;

    if (option->type == CMD_INT && str_to_int(value, &whole) && whole >= option->lowest &&
        whole <= option->highest) {
        *(int64_t *)field = whole;
        return true;
    }
    if (option->type == CMD_REAL && str_to_real(value, &real) &&
        real >= (double)option->lowest && real <= (double)option->highest) {
        *(struct cmd_real *)field = (struct cmd_real){true, real};
        return true;
    }
    const char *kind = option->type == CMD_INT ? "whole number" : "number";
    if (option->highest == INT64_MAX)
        return err_set(err, ERR_USAGE, "%s: expected a %s of %lld or more, found '%.*s'",
                       option->name, kind, (long long)option->lowest, STR_ARG(value));
    return err_set(err, ERR_USAGE, "%s: expected a %s from %lld to %lld, found '%.*s'",
                   option->name, kind, (long long)option->lowest,
                   (long long)option->highest, STR_ARG(value));
}

static bool set(const struct cmd_option *option, const char *value, void *args,
                struct err *err)
{
    void *field = (char *)args + option->offset;

    switch (option->type) {
    case CMD_FLAG:
        *(bool *)field = true;
        return true;
    case CMD_INT:
    case CMD_REAL:
        return set_number(option, str_from(value), field, err);
    case CMD_CHOICE:
        if (!check_choice(option, str_from(value), err))
            return false;
        break;
    case CMD_TEXT:
        if (value[0] == '\0' && cmd_names_a_path(option))
            return err_set(err, ERR_USAGE, "%s: expected %s, found ''", option->name,
                           option->argument);
        break;
    }
    *(const char **)field = value;
    return true;
}

/* A query may begin with '-', which no option of one letter does here. */
static bool takes_query(const struct cmd *command)
{
    const struct cmd_operand *operand = command->operands;

    while (operand->name != NULL && strcmp(operand->name, "QUERY") != 0)
        operand++;
    return operand->name != NULL;
}

static bool unknown(const struct cmd *command, const char *word, struct str name,
                    struct err *err)
{
    struct str names[CMD_OPTIONS_MAX] = {{0}};
    size_t count = 0;

    for (const struct cmd_option *o = command->options; o->name != NULL; o++)
        names[count++] = str_from(o->name);
    size_t found = near_find(name, names, count);
    if (found < count)
        return err_set(err, ERR_USAGE, "unknown option %.*s; did you mean %.*s?",
                       STR_ARG(name), STR_ARG(names[found]));
    if (word[1] != '-' && takes_query(command))
        return err_set(err, ERR_USAGE,
                       "unknown option %s; if it is the query, put -- before it and all "
                       "options before that: -- '%s', or write 'not %s'",
                       word, word, word + 1);
    return err_set(err, ERR_USAGE, "unknown option %.*s", STR_ARG(name));
}

/* --name VALUE or --name=VALUE; *used is how many words that took. Bit i of *given is set
 * for row i of the table. */
static bool take_option(const struct cmd *command, char **argv, void *args, size_t *used,
                        uint64_t *given, struct err *err)
{
    struct str rest = str_from(argv[0]), name;
    bool joined = str_cut(&rest, '=', &name);
    const struct cmd_option *option = command->options;
    const char *value = joined ? rest.ptr : argv[1];

    while (option->name != NULL && !str_eq(str_from(option->name), name))
        option++;
    if (option->name == NULL)
        return unknown(command, argv[0], name, err);
    if (option->type == CMD_FLAG && joined)
        return err_set(err, ERR_USAGE, "%s takes no value, found '%s'", option->name,
                       value);
    if (option->type != CMD_FLAG && value == NULL)
        return err_set(err, ERR_USAGE, "%s: expected %s after it", option->name,
                       option->argument);
    *used = joined || option->type == CMD_FLAG ? 1 : 2;
    *given |= (uint64_t)1 << (option - command->options);
    return set(option, value, args, err);
}

static bool take_operand(const struct cmd *command, size_t position, const char *word,
                         void *args, struct err *err)
{
    const struct cmd_operand *operand = command->operands;

    for (size_t i = 0; operand->name != NULL && i < position; i++)
        operand++;
    if (operand->name == NULL)
        return err_set(err, ERR_USAGE, "unexpected word '%s'", word);
    *(const char **)((char *)args + operand->offset) = word;
    return true;
}

/* Defaults first, through the same checks, so that a wrong one cannot hide. */
static bool set_defaults(const struct cmd *command, void *args, struct err *err)
{
    for (const struct cmd_option *o = command->options; o->name != NULL; o++)
        if (o->fallback != NULL && !set(o, o->fallback, args, err))
            return false;
    return true;
}

static bool all_given(const struct cmd *command, size_t operands, uint64_t given,
                      struct err *err)
{
    size_t position = 0;

    for (const struct cmd_operand *o = command->operands; o->name != NULL; o++)
        if (position++ >= operands && o->required)
            return err_set(err, ERR_USAGE, "expected %s", o->name);
    for (const struct cmd_option *o = command->options; o->name != NULL; o++)
        if (o->required && !(given >> (o - command->options) & 1))
            return err_set(err, ERR_USAGE, "%s %s is required", o->name, o->argument);
    return true;
}

/* An option is a bit of `given`, and its field lies inside the struct of the caller. */
static void check_tables(const struct cmd *command)
{
    const struct cmd_option *option = command->options;

    for (; option->name != NULL; option++)
        assert(option->offset <= CMD_ARGS_BYTES_MAX - sizeof(struct cmd_real));
    assert(option - command->options <= CMD_OPTIONS_MAX);
    for (const struct cmd_operand *o = command->operands; o->name != NULL; o++)
        assert(o->offset <= CMD_ARGS_BYTES_MAX - sizeof(const char *));
}

bool cmd_parse(const struct cmd *command, char **argv, void *args, bool *help,
               struct err *err)
{
    size_t operands = 0, used;
    uint64_t given = 0;
    bool only_operands = false;

    check_tables(command);
    *help = false;
    for (char **word = argv; *word != NULL && strcmp(*word, "--") != 0; word++)
        if (strcmp(*word, "--help") == 0 || strcmp(*word, "-h") == 0) {
            *help = true;
            return true;
        }
    if (!set_defaults(command, args, err))
        return false;
    for (char **word = argv; *word != NULL; word += used) {
        used = 1;
        if (!only_operands && strcmp(*word, "--") == 0) {
            only_operands = true;
        } else if (!only_operands && (*word)[0] == '-' && (*word)[1] != '\0') {
            if (!take_option(command, word, args, &used, &given, err))
                return false;
        } else if (!take_operand(command, operands++, *word, args, err)) {
            return false;
        }
    }
    return all_given(command, operands, given, err);
}
