/* --embed of commands that read vectors: a server makes the file of --vectors first. */
#ifndef CMD_EMBEDDING_H
#define CMD_EMBEDDING_H

#include "cmd/cmd.h"
#include "learn/features.h"
#include "model/embed.h"

struct cmd_embedding_args {
    const char *url, *model, *key;
    int64_t at_most;
};

/* Rows for the table of options of a command. */
#define CMD_EMBEDDING_OPTIONS(type, field) \
    {"--embed", CMD_TEXT, offsetof(type, field.url), "URL", \
     .help = "make the file of --vectors first: a server that knows /v1/embeddings is " \
             "asked for those of the posts that FILE.records does not have yet"}, \
        {"--embed-model", CMD_TEXT, offsetof(type, field.model), "NAME", \
         .help = "with --embed: the model, as its server calls it"}, \
        {"--embed-key", CMD_TEXT, offsetof(type, field.key), "VARIABLE", \
         .help = "with --embed: the environment variable that holds the server's key"}, \
    { \
        "--embed-at-most", CMD_INT, offsetof(type, field.at_most), "N", \
            .help = "with --embed: requests that may be sent, in all; 0 is any number", \
            .highest = 1000000000, .fallback = "0" \
    }

/* ERR_USAGE for what does not go together; vectors: that of --vectors, or NULL. */
bool cmd_embedding_check(const struct cmd_embedding_args *args, const char *vectors,
                         struct err *err) MUST_USE;

/* What the options say; --embed is among them. */
struct study_embed cmd_embedding_how(const struct cmd_embedding_args *args);

/* What a server gets of a post: title, prose and code, an empty line between them. */
struct str cmd_embedding_text(const struct learn_parts *parts, struct arena *arena);

/* Tables whose posts are to have vectors, by the column of --id. */
struct cmd_embedding_tables {
    const char *paths[3]; /* NULL: none */
    const char *text, *id;
};

/* Where vectors go. */
struct cmd_embedding_to {
    const char *file, *keys; /* keys NULL: json lines */
    bool dry, quiet;
};

/* Asks for vectors, tells on standard error what came of it and writes them. ERR_INPUT
 * when the file is there and no records are beside it: somebody else made it. */
bool cmd_embedding_make(const struct study_embed *how,
                        const struct model_embed_texts *texts,
                        const struct cmd_embedding_to *to, struct arena *arena,
                        struct err *err) MUST_USE;

/* The same of tables. */
bool cmd_embedding_make_tables(const struct study_embed *how,
                               const struct cmd_embedding_tables *tables,
                               const struct cmd_embedding_to *to, struct arena *arena,
                               struct err *err) MUST_USE;

#endif
