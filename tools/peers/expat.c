/* Questions with one of five tags, counted with expat. */
#include <expat.h>
#include <stdio.h>
#include <string.h>

static char bytes[1 << 18];
static long count;

static void row(void *user, const char *name, const char **pairs)
{
    static const char *const tags[] = {"<tensorflow>", "<keras>", "<pytorch>", "<theano>",
                                       "<caffe>"};

    (void)user, (void)name;
    for (; *pairs != NULL; pairs += 2)
        if (strcmp(pairs[0], "Tags") == 0)
            for (int i = 0; i < 5; i++)
                if (strstr(pairs[1], tags[i]) != NULL) {
                    count++;
                    return;
                }
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    XML_Parser parser = XML_ParserCreate(NULL);
    size_t got;

    XML_SetStartElementHandler(parser, row);
    while (file != NULL && (got = fread(bytes, 1, sizeof bytes, file)) > 0)
        if (XML_Parse(parser, bytes, (int)got, 0) != XML_STATUS_OK)
            return 1;
    printf("%ld\n", count);
    return file == NULL;
}
