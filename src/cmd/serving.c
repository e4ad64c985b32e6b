/* See serving.h. */
#include "cmd/serving.h"

#include <string.h>

#include "serve/guard.h"

bool cmd_serving_wanted(const struct cmd_serving_args *args, struct serve_options *wanted,
                        struct err *err)
{
    wanted->listen = args->listen;
    wanted->port = (int)args->port;
    wanted->url = args->url;
    if (args->url == NULL || serve_guard_is_url(str_from(args->url)))
        return true;
    return err_set(err, ERR_USAGE,
                   "--url '%s' is no such address; expected https://NAME or "
                   "http://NAME:PORT/PATH, the name in lower case, without a slash at "
                   "the end",
                   args->url);
}

static bool is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static bool is_every_address(const char *address)
{
    return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

static void warn(const struct cmd_serving_args *args)
{
    if (is_loopback(args->listen))
        return;
    fprintf(stderr, "assay: listening on %s: other machines can reach the pages",
            args->listen);
    if (args->url != NULL) {
        fprintf(stderr, ". Let only the proxy through to this port.\n");
        return;
    }
    fprintf(stderr,
            ", and what they send can be read on the way. assay does not encrypt; "
            "put a reverse proxy with TLS before it and give its address by "
            "--url.\n");
    if (is_every_address(args->listen))
        fprintf(stderr, "In the links, put this machine's address in place of %s.\n",
                args->listen);
}

void cmd_serving_links(struct cmd_session *session, const struct cmd_serving_args *args,
                       const struct serve *serve, const struct label_person *people,
                       size_t count,
                       const char *(*role_of)(const struct label_person *person))
{
    warn(args);
    for (size_t i = 0; i < count; i++) {
        struct str link = serve_link(serve, i, &session->arena);
        printf("%-8s %-16.*s %.*s\n", role_of(&people[i]), STR_ARG(people[i].name),
               STR_ARG(link));
    }
    fflush(stdout); /* whoever reads a pipe waits for the links */
    fprintf(stderr, "Each link is for one person and opens the study to whoever has it. "
                    "^C ends.\n");
}
