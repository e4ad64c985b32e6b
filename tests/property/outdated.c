/* Which of 200 real comments on answers say that the answer no longer holds, beside one
 * reader's labels (tests/vectors/extracts.csv, samples comments and comments-old). Labels
 * name comments; their texts are read from ASSAY_DATA. */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "tests/tap.h"
#include "text/thanks.h"

enum { UNLABELLED = 0, HOLDS, OUTDATED };

struct scores {
    int64_t read, found, right, wanted;
};

struct reading {
    struct arena arena;
    struct map labels; /* "site:comment" to what the reader said */
    const char *site;
    struct buf words;
    struct scores scores;
};

static void XMLCALL take_row(void *user, const XML_Char *element, const XML_Char **given)
{
    struct reading *reading = user;
    const char *id = "", *text = "";

    (void)element;
    for (size_t i = 0; given[i] != NULL; i += 2) {
        id = strcmp(given[i], "Id") == 0 ? given[i + 1] : id;
        text = strcmp(given[i], "Text") == 0 ? given[i + 1] : text;
    }
    struct str key = arena_format(&reading->arena, "%s:%s", reading->site, id);
    const int64_t *label = map_get(&reading->labels, key);
    if (label == NULL)
        return;
    bool found = text_outdated(str_from(text), &reading->words);
    reading->scores.read++;
    reading->scores.found += found;
    reading->scores.wanted += *label == OUTDATED;
    reading->scores.right += found && *label == OUTDATED;
    if (found != (*label == OUTDATED))
        printf("# %.*s is %s\n", STR_ARG(key), found ? "found, wrongly" : "missed");
}

static void read_labels(struct reading *reading)
{
    struct str text, line, sample, key, what;
    struct err err = {0};

    if (!file_read("tests/vectors/extracts.csv", &reading->arena, &text, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(2);
    }
    while (str_cut(&text, '\n', &line)) {
        str_cut(&line, ',', &sample);
        str_cut(&line, ',', &key);
        str_cut(&line, ',', &what);
        int64_t says = str_eq(what, STR("outdated")) ? OUTDATED : HOLDS;
        if (str_starts(sample, STR("comments")))
            *map_put(&reading->labels, key) = says;
    }
}

static bool read_site(struct reading *reading, const char *data, const char *site)
{
    struct str path =
        arena_format(&reading->arena, "%s/dumps/%s/Comments.xml", data, site);
    struct str text;
    struct err err = {0};

    if (!file_read(arena_c_string(&reading->arena, path), &reading->arena, &text, &err))
        return false;
    XML_Parser parser = XML_ParserCreate(NULL);
    reading->site = site;
    XML_SetUserData(parser, reading);
    XML_SetStartElementHandler(parser, take_row);
    bool ok = XML_Parse(parser, text.ptr, (int)text.len, 1) == XML_STATUS_OK;
    XML_ParserFree(parser);
    return ok;
}

int main(void)
{
    static const char *const sites[] = {"ai.stackexchange-sasiddiqui", "1123-metabeer",
                                        "krh66", "nikolaevalex3-meta"};
    const char *data = getenv("ASSAY_DATA");
    struct reading reading = {.labels = {.arena = &reading.arena}};
    bool there = data != NULL;

    read_labels(&reading);
    for (size_t i = 0; i < ROWS(sites) && there; i++)
        there = read_site(&reading, data, sites[i]);
    if (!there) {
        tap_skip("comments that say it no longer works: ASSAY_DATA names no such dumps");
    } else {
        struct scores scores = reading.scores;
        printf("# of %lld comments %lld are found, %lld rightly, of %lld\n",
               (long long)scores.read, (long long)scores.found, (long long)scores.right,
               (long long)scores.wanted);
        tap_case("comments that say it no longer works");
        CHECK(scores.read >= 180); /* some stand in both samples */
        CHECK(scores.right >= 2);
        CHECK(scores.found - scores.right <= 2);
    }
    buf_free(&reading.words);
    arena_free(&reading.arena);
    return tap_done();
}
