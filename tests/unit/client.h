/* For tests of servers: a client in the same thread, which gives the server its turns
 * while it waits. */
#ifndef TESTS_UNIT_CLIENT_H
#define TESTS_UNIT_CLIENT_H

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "tests/tap.h"

enum { CLIENT_TURNS_MAX = 400 };

struct client {
    int port;
    void (*turn)(void *server); /* answers what has come in, waiting a little */
    void *server;
};

static inline int client_connect(const struct client *client)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)client->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    CHECK(connect(fd, (struct sockaddr *)(void *)&address, sizeof address) == 0);
    return fd;
}

static inline void client_write(int fd, struct str text)
{
    CHECK(send(fd, text.ptr, text.len, MSG_NOSIGNAL) == (ssize_t)text.len);
}

/* All that the server says until it closes the connection, as a C string in *out. */
static inline void client_read(const struct client *client, int fd, struct buf *out)
{
    bool ended = false;

    buf_clear(out);
    for (int turns = 0; turns < CLIENT_TURNS_MAX && !ended; turns++) {
        client->turn(client->server);
        for (;;) {
            ssize_t got = recv(fd, buf_reserve(out, 4096), 4096, MSG_DONTWAIT);
            ended = got == 0 || (got < 0 && errno != EAGAIN);
            if (got <= 0)
                break;
            out->len += (size_t)got;
        }
    }
    CHECK(ended);
    buf_add_char(out, '\0');
    close(fd);
}

/* A request whose headers say "Connection: close", and its answer. */
static inline void client_ask(const struct client *client, struct str request,
                              struct buf *out)
{
    int fd = client_connect(client);

    client_write(fd, request);
    client_read(client, fd, out);
}

/* The status of an answer; 0 when there is none. */
static inline int client_status(const struct buf *answer)
{
    return strncmp(answer->ptr, "HTTP/1.1 ", 9) == 0
               ? (int)strtol(answer->ptr + 9, NULL, 10)
               : 0;
}

#endif
