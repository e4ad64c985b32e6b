/* Files that no model was written to: what is broken is told with its place. */
#include "learn/model_file.h"
#include "tests/tap.h"

#define ONE \
    "assay model 2\ntraining 0000000000000000 3\ntext a\nclasses 1 0\na\nfeatures 1 2 " \
    "3 5 " \
    "0 0 0\nnames 0\n"

#define SEVERAL \
    "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 2 1\na\nb\nfeatures " \
    "1 2 3 5 0 " \
    "0 0\n" \
    "names 0\nvectors 0 0\nmembers 1\n"

static const struct {
    const char *name, *text, *message;
} rows[] = {
    {"nothing", "", "m:1: the model ends too early"},
    {"something else", "hello\n", "m:1: found 'hello', expected assay"},
    {"another version", "assay model 1\n", "m:1: the model has version 1, expected 2"},
    {"no training", "assay model 2\nfoo\n", "m:2: found 'foo', expected training"},
    {"no hash", "assay model 2\ntraining 12 3\n",
     "m:2: found '12 3', expected 16 hexadecimal digits"},
    {"too many classes",
     "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 99 0\n",
     "m:4: found '99 0', expected a whole number that fits"},
    {"cut off", "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 1 0\na\n",
     "m:6: the model ends too early"},
    {"a feature twice",
     "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 1 0\na\nfeatures 1 2 "
     "3 5 0 0 "
     "0\n"
     "names 2\ntitle word x\ntitle word x\n",
     "m:9: found 'x', expected a feature that was not there before"},
    {"an unknown part",
     "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 1 0\na\nfeatures 1 2 "
     "3 5 0 0 "
     "0\n"
     "names 1\nbody word x\n",
     "m:8: found 'body word x', expected a known name"},
    {"more vectors than the file has room for", ONE "vectors 9 9\nx 1 2 3 4 5 6 7 8 9\n",
     "m:8: the model ends too early"},
    {"a word twice", ONE "vectors 2 1\nx 1\nx 2\nmembers 1\n",
     "m:10: found '2', expected a word that was not there before"},
    {"a number of a vector missing", ONE "vectors 1 2\nx 1\nmembers 1\n",
     "m:9: found '', expected a number"},
    {"a number that no model has", ONE "vectors 1 1\nx 1e10\nmembers 1\n",
     "m:9: found '1e10', expected a number"},
    {"a weight below 0",
     ONE "vectors 0 0\nmembers 1\nmember linear 1\nweigh 1 1 -1 1 1 1 0.5 1 1\n",
     "m:11: found '-1 1 1 1 0.5 1 1', expected a number that is not below 0"},
    {"vectors used that are not there",
     ONE "vectors 0 0\nmembers 1\nmember linear 1\nweigh 1 1 1 1 1 1 0.5 1 1\n"
         "thresholds 0\nconstants 0\ncolumns 0\n",
     "m:14: a member uses vectors, and the file has none"},
    {"more sets than the file has room for", SEVERAL "powerset 9\n01\n",
     "m:11: found '9', expected a whole number that fits"},
    {"a set that is too short", SEVERAL "powerset 1\n0\n",
     "m:12: found '0', expected a 0 or 1 for each class"},
    {"a set of something else", SEVERAL "powerset 1\n0x\nmember\n",
     "m:12: found '0x', expected a 0 or 1 for each class"},
};

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct model_file file;
        struct err err = {0};
        tap_case("broken: %s", rows[i].name);
        CHECK(!model_file_read(str_from(rows[i].text), "m", &arena, &file, &err));
        CHECK_TEXT(err.text, rows[i].message);
    }
    arena_free(&arena);
    return tap_done();
}
