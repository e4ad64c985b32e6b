/* The limit: read() and memchr() for line ends, nothing else. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char bytes[1 << 18];

int main(int argc, char **argv)
{
    int file = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    long lines = 0;

    for (ssize_t got; file >= 0 && (got = read(file, bytes, sizeof bytes)) > 0;)
        for (char *p = bytes; (p = memchr(p, '\n', (size_t)(bytes + got - p))) != NULL; p++)
            lines++;
    printf("%ld\n", lines);
    return file < 0;
}
