/* argv to command to exit status; nothing else. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/stop.h"
#include "cmd/cmd.h"

static int fail(const char *name, const struct err *err)
{
    switch (err->kind) {
    case ERR_NONE: /* never a success */
        fprintf(stderr, "assay %s: failed, and does not say why: a fault of assay\n",
                name);
        return ERR_SYSTEM;
    case ERR_INPUT: /* begins with its place, so that editors can jump there */
        fprintf(stderr, "%s\n", err->text);
        break;
    case ERR_USAGE:
        fprintf(stderr, "assay %s: %s\ntry: assay %s --help\n", name, err->text, name);
        break;
    default:
        fprintf(stderr, "assay: %s\n", err->text);
    }
    return (int)err->kind;
}

/* A full disk shows only now: results must not be lost in silence. */
static bool flush(struct err *err)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return err_set(err, ERR_SYSTEM, "cannot write standard output");
}

static bool run_command(const struct cmd *command, char **argv, struct err *err)
{
    union {
        max_align_t align;
        char bytes[CMD_ARGS_BYTES_MAX];
    } args = {.bytes = {0}};
    struct cmd_session session = {0};
    bool help;

    if (!cmd_parse(command, argv, &args, &help, err))
        return false;
    if (help) {
        struct buf text = {0};
        cmd_help_text(command, &text);
        cmd_print(&text);
        buf_free(&text);
        return true;
    }
    stop_install();
    bool ok = command->run(&session, &args, err);
    arena_free(&session.arena);
    return ok;
}

static int unknown_command(const char *name)
{
    const char *near = cmd_nearest(name);

    fprintf(stderr, "assay: unknown command '%s'", name);
    if (near != NULL)
        fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\ntry: assay --help\n");
    return ERR_USAGE;
}

int main(int argc, char **argv)
{
    struct err err = {0};
    const char *name = argc > 1 ? argv[1] : "--help";

    file_hold_standard();
    if (strcmp(name, "--version") == 0 && argc > 2) {
        fprintf(stderr,
                "assay: unexpected word '%s' after --version\ntry: assay --help\n",
                argv[2]);
        return ERR_USAGE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("assay %s\n", CMD_VERSION);
        return flush(&err) ? 0 : fail("", &err);
    }
    bool overview = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    const struct cmd *command = overview ? &cmd_help : cmd_find(name);
    if (command == NULL)
        return unknown_command(name);
    if (argc < 2) { /* nothing was asked: help, but not as a success */
        struct buf text = {0};
        cmd_help_overview(&text);
        fwrite(text.ptr, 1, text.len, stderr);
        buf_free(&text);
        return ERR_USAGE;
    }
    bool ok = run_command(command, argv + 2, &err) && flush(&err);
    return ok ? 0 : fail(command->name, &err);
}
