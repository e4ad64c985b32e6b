/* Words into arguments, by a table with an option of each type. */
#include "cmd/cmd.h"

#include "tests/tap.h"

struct args {
    const char *first, *second, *out, *layout, *title;
    int64_t rows, rows_max;
    struct cmd_real share;
    bool quiet;
};

static const struct cmd_operand operands[] = {
    {"FIRST", offsetof(struct args, first), "first word", true},
    {"SECOND", offsetof(struct args, second), "second word", false},
    {0},
};

static const struct cmd_option options[] = {
    {"--out", CMD_TEXT, offsetof(struct args, out), "DIR", "where", true, 0, 0, NULL,
     NULL},
    {"--rows", CMD_INT, offsetof(struct args, rows), "N", "rows", false, 1, 100, NULL,
     "7"},
    {"--rows-max", CMD_INT, offsetof(struct args, rows_max), "N", "most", false, 0,
     INT64_MAX, NULL, NULL},
    {"--share", CMD_REAL, offsetof(struct args, share), "X", "share", false, 0, 1, NULL,
     "0.5"},
    {"--layout", CMD_CHOICE, offsetof(struct args, layout), "NAME", "layout", false, 0, 0,
     "flat|deep", "flat"},
    {"--quiet", CMD_FLAG, offsetof(struct args, quiet), NULL, "say nothing", false, 0, 0,
     NULL, NULL},
    {"--title", CMD_TEXT, offsetof(struct args, title), "TEXT", "title", false, 0, 0,
     NULL, NULL},
    {0},
};

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    (void)session, (void)arguments, (void)err;
    return true;
}

static const struct cmd command = {.name = "try",
                                   .summary = "Try",
                                   .operands = operands,
                                   .options = options,
                                   .run = run};

/* As text: first second out layout rows rows_max share quiet. */
static const struct {
    const char *name;
    const char *words[10];
    const char *got;
} good[] = {
    {"defaults", {"a", "--out", "d"}, "a - d flat 7 0 0.5 0"},
    {"everything",
     {"--out=d", "--rows=3", "--share", "0.25", "--layout=deep", "--quiet", "a", "b"},
     "a b d deep 3 0 0.25 1"},
    {"options between operands", {"a", "--out", "d", "b"}, "a b d flat 7 0 0.5 0"},
    {"the last one wins", {"a", "--out=d", "--out=e"}, "a - e flat 7 0 0.5 0"},
    {"limits", {"a", "--out=d", "--rows=1", "--share=1"}, "a - d flat 1 0 1 0"},
    {"other limits", {"a", "--out=d", "--rows=100", "--share=0"}, "a - d flat 100 0 0 0"},
    {"no upper limit",
     {"a", "--out=d", "--rows-max=9000000000"},
     "a - d flat 7 9000000000 0.5 0"},
    {"a value that begins with a dash", {"a", "--out", "-d"}, "a - -d flat 7 0 0.5 0"},
    {"a value with an equals sign", {"a", "--out=x=y"}, "a - x=y flat 7 0 0.5 0"},
    {"an empty text", {"a", "--out=d", "--title="}, "a - d flat 7 0 0.5 0"},
    {"a dash is an operand", {"-", "--out=d"}, "- - d flat 7 0 0.5 0"},
    {"after -- all are operands",
     {"--out=d", "--", "--quiet", "--"},
     "--quiet -- d flat 7 0 0.5 0"},
    {"after -- there is no help",
     {"--out=d", "--", "--help"},
     "--help - d flat 7 0 0.5 0"},
};

static const struct {
    const char *name;
    const char *words[10];
    const char *message;
} bad[] = {
    {"no operand", {"--out=d"}, "expected FIRST"},
    {"too many operands", {"a", "b", "c", "--out=d"}, "unexpected word 'c'"},
    {"a required option is missing", {"a"}, "--out DIR is required"},
    {"a required option's name as a value",
     {"a", "--layout=flat", "--", "--out"},
     "--out DIR is required"},
    {"a misspelt option",
     {"a", "--quite"},
     "unknown option --quite; did you mean --quiet?"},
    {"a misspelt option with a value",
     {"a", "--otu=d"},
     "unknown option --otu; did you mean --out?"},
    {"an unknown option", {"a", "--something"}, "unknown option --something"},
    {"a short option", {"a", "-q"}, "unknown option -q"},
    {"a value is missing", {"a", "--out"}, "--out: expected DIR after it"},
    {"a flag with a value", {"a", "--quiet=yes"}, "--quiet takes no value, found 'yes'"},
    {"an empty path", {"a", "--out="}, "--out: expected DIR, found ''"},
    {"an empty path as a word", {"a", "--out", ""}, "--out: expected DIR, found ''"},
    {"not a number",
     {"--rows=ten"},
     "--rows: expected a whole number from 1 to 100, found 'ten'"},
    {"a fraction",
     {"--rows=1.5"},
     "--rows: expected a whole number from 1 to 100, found '1.5'"},
    {"too small",
     {"--rows", "0"},
     "--rows: expected a whole number from 1 to 100, found '0'"},
    {"too large",
     {"--rows=101"},
     "--rows: expected a whole number from 1 to 100, found '101'"},
    {"an empty number",
     {"--rows="},
     "--rows: expected a whole number from 1 to 100, found ''"},
    {"below the only limit",
     {"--rows-max=-1"},
     "--rows-max: expected a whole number of 0 or more, found '-1'"},
    {"a share that is too large",
     {"--share=1.01"},
     "--share: expected a number from 0 to 1, found '1.01'"},
    {"a share that is no number",
     {"--share=nan"},
     "--share: expected a number from 0 to 1, found 'nan'"},
    {"not a choice",
     {"--layout=wide"},
     "--layout: expected one of flat, deep; found 'wide'"},
    {"part of a choice",
     {"--layout=fla"},
     "--layout: unknown 'fla'; did you mean 'flat'?"},
    {"two choices",
     {"--layout=flat|deep"},
     "--layout: expected one of flat, deep; found 'flat|deep'"},
};

/* An option whose name begins with that of a required one does not stand for it. */
static void check_prefix(void)
{
    static const struct cmd_operand none[] = {{0}};
    static const struct cmd_option two[] = {
        {"--rows", CMD_INT, offsetof(struct args, rows), "N", "", true, 0, 9, NULL, NULL},
        {"--rows-max", CMD_INT, offsetof(struct args, rows_max), "N", "", false, 0, 9,
         NULL, NULL},
        {"--out", CMD_TEXT, offsetof(struct args, out), "DIR", "", false, 0, 0, NULL,
         NULL},
        {0},
    };
    const struct cmd prefix = {.name = "p", .operands = none, .options = two};
    char longer[] = "--rows-max=3", out[] = "--out", rows[] = "--rows",
         given[] = "--rows=2";
    struct args args = {0};
    struct err err = {0};
    bool help;

    tap_case("a longer name does not stand for a required option");
    CHECK(!cmd_parse(&prefix, (char *[]){longer, NULL}, &args, &help, &err));
    CHECK_TEXT(err.text, "--rows N is required");
    tap_case("the value of another option does not stand for a required option");
    CHECK(!cmd_parse(&prefix, (char *[]){out, rows, NULL}, &args, &help, &err));
    CHECK_TEXT(err.text, "--rows N is required");
    CHECK(cmd_parse(&prefix, (char *[]){longer, given, NULL}, &args, &help, &err));
    CHECK(args.rows == 2 && args.rows_max == 3);
}

static void check_help(void)
{
    static const char *const words[][4] = {
        {"--help"}, {"-h"}, {"a", "--rows=bad", "--help"}, {"--unknown", "-h"}};

    for (size_t i = 0; i < ROWS(words); i++) {
        struct args args = {0};
        struct err err = {0};
        bool help = false;
        tap_case("help, whatever else is there: %zu", i);
        CHECK(cmd_parse(&command, (char **)words[i], &args, &help, &err));
        CHECK(help && err.kind == ERR_NONE);
    }
}

/* What cmd_parse() asserts holds for every command. */
static void check_tables(void)
{
    for (size_t i = 0; cmd_all[i] != NULL; i++) {
        char help_word[] = "--help";
        union {
            max_align_t align;
            char bytes[CMD_ARGS_BYTES_MAX];
        } args = {.bytes = {0}};
        struct err err = {0};
        bool help = false;
        size_t count = 0;
        tap_case("tables of assay %s", cmd_all[i]->name);
        CHECK(cmd_parse(cmd_all[i], (char *[]){help_word, NULL}, &args, &help, &err));
        CHECK(help && cmd_all[i]->run != NULL);
        for (const struct cmd_option *o = cmd_all[i]->options; o->name != NULL; o++) {
            count++;
            CHECK((o->type == CMD_FLAG) == (o->argument == NULL));
            CHECK(o->choices != NULL ? o->type == CMD_CHOICE || o->type == CMD_TEXT
                                     : o->type != CMD_CHOICE);
            CHECK(o->offset + sizeof(struct cmd_real) <= CMD_ARGS_BYTES_MAX);
        }
        CHECK(count <= CMD_OPTIONS_MAX);
    }
}

int main(void)
{
    for (size_t i = 0; i < ROWS(good); i++) {
        struct args args = {0};
        struct err err = {0};
        struct buf got = {0};
        bool help = true;
        tap_case("parse: %s", good[i].name);
        CHECK(cmd_parse(&command, (char **)good[i].words, &args, &help, &err));
        CHECK_TEXT(err.text, "");
        CHECK(!help);
        buf_add_format(&got, "%s %s %s %s %lld %lld %g %d", args.first,
                       args.second != NULL ? args.second : "-", args.out, args.layout,
                       (long long)args.rows, (long long)args.rows_max, args.share.value,
                       args.quiet);
        buf_add_char(&got, '\0');
        CHECK_TEXT(got.ptr, good[i].got);
        buf_free(&got);
    }
    for (size_t i = 0; i < ROWS(bad); i++) {
        struct args args = {0};
        struct err err = {0};
        bool help;
        tap_case("refuse: %s", bad[i].name);
        CHECK(!cmd_parse(&command, (char **)bad[i].words, &args, &help, &err));
        CHECK(err.kind == ERR_USAGE);
        CHECK_TEXT(err.text, bad[i].message);
    }
    check_prefix();
    check_help();
    check_tables();
    return tap_done();
}
