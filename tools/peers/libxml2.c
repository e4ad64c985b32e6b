/* Questions with one of five tags, counted with libxml2's SAX2 interface. */
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

static long count;

static void row(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                int namespaces, const xmlChar **declared, int number, int defaulted,
                const xmlChar **attributes)
{
    static const char *const tags[] = {"<tensorflow>", "<keras>", "<pytorch>", "<theano>",
                                       "<caffe>"};
    char text[400];

    (void)user, (void)name, (void)prefix, (void)uri, (void)namespaces, (void)declared;
    (void)defaulted;
    for (int i = 0; i < number; i++, attributes += 5) {
        if (strcmp((const char *)attributes[0], "Tags") != 0)
            continue;
        size_t len = (size_t)(attributes[4] - attributes[3]);
        len = len < sizeof text ? len : sizeof text - 1;
        memcpy(text, attributes[3], len);
        text[len] = '\0';
        for (int t = 0; t < 5; t++)
            if (strstr(text, tags[t]) != NULL) {
                count++;
                return;
            }
    }
}

int main(int argc, char **argv)
{
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC, .startElementNs = row};
    int status = argc > 1 ? xmlSAXUserParseFile(&handler, NULL, argv[1]) : 1;

    printf("%ld\n", count);
    return status != 0;
}
