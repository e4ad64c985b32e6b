/* What the commands that show pages share: where to listen, and links for people. */
#ifndef CMD_SERVING_H
#define CMD_SERVING_H

#include "cmd/cmd.h"
#include "serve/serve.h"

struct cmd_serving_args {
    const char *listen, *url;
    int64_t port;
};

/* Rows for the table of options of a command whose args have the member. */
#define CMD_SERVING_OPTIONS(type, member) \
    {"--listen", \
     CMD_TEXT, \
     offsetof(type, member.listen), \
     "ADDR", \
     .help = "the address to listen on, such as 0.0.0.0 for every machine that can " \
             "reach this one", \
     .fallback = "127.0.0.1"}, \
        {"--port", \
         CMD_INT, \
         offsetof(type, member.port), \
         "N", \
         .help = "the port; 0 is a free one. With a fixed port links stay the same", \
         .highest = 65535, \
         .fallback = "0"}, \
    { \
        "--url", CMD_TEXT, offsetof(type, member.url), "URL", \
            .help = "the address that raters use when a reverse proxy stands between, " \
                    "as https://label.example.org or https://example.org/label" \
    }

/* Into what is wanted of the server. ERR_USAGE for a url that is none. */
bool cmd_serving_wanted(const struct cmd_serving_args *args, struct serve_options *wanted,
                        struct err *err) MUST_USE;

/* Prints each person's link, and a warning when other machines can reach the pages. */
void cmd_serving_links(struct cmd_session *session, const struct cmd_serving_args *args,
                       const struct serve *serve, const struct label_person *people,
                       size_t count,
                       const char *(*role_of)(const struct label_person *person));

#endif
