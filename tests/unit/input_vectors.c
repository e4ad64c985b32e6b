/* Vectors from csv, json lines and .npy: keys and numbers, or the one error. */
#include "input/vectors.h"

#include <string.h>

#include "base/buf.h"
#include "tests/tap.h"

#define BYTES(literal) STR_INIT(literal) /* with NUL */

/* Heads as NumPy 1.24 wrote them, but for the blanks that fill them up. */
#define NPY_HEAD(kind, order, shape) \
    "\x93NUMPY\x01\x00\x3c\x00{'descr': '" kind "', 'fortran_order': " order \
    ", 'shape': " shape ", }"

/* Vectors are shown as key:number number, parted by blanks and semicolons. */
static const struct {
    const char *name;
    struct str input;
    const char *keys; /* of a second file; NULL: none */
    const char *shown, *error;
} rows[] = {
    {"csv", BYTES("id,a,b\n1,0.5,-2\n2,1e1,3\n"), NULL, "1:0.5 -2;2:10 3;", NULL},
    {"csv, the key elsewhere", BYTES("a,url,b\n0.5,http://x/1,2\n"), NULL,
     "http://x/1:0.5 2;", NULL},
    {"csv, lists", BYTES("key,vector\nai:1,\"[0.5, 2]\"\nai:2,\"[1,1]\"\n"), NULL,
     "ai:1:0.5 2;ai:2:1 1;", NULL},
    {"csv, one number", BYTES("id,a\n1,7\n"), NULL, "1:7;", NULL},
    {"csv, NaN", BYTES("id,a\n1,7\n2,nan\n"), NULL, NULL,
     "f:3: found 'nan' as number 1 of the vector of '2', expected a finite number"},
    {"csv, no float is so large", BYTES("id,a,b\n1,7,1e39\n"), NULL, NULL,
     "f:2: found '1e39' as number 2 of the vector of '1', expected a finite number"},
    {"csv, twice", BYTES("id,a\n1,7\n 1,8\n"), NULL, NULL,
     "f:3: '1' is there a second time; the first is vector 1"},
    {"csv, no key", BYTES("id,a\n,7\n"), NULL, NULL,
     "f:2: there is no key, expected that of an item"},
    {"csv, a column without a name is an index, as pandas writes it",
     BYTES(",0,1,id\n7,0.5,2,a\n8,1,3,b\n"), NULL, "a:0.5 2;b:1 3;", NULL},
    {"csv, an index and a list", BYTES(",id,v\n0,a,\"[0.5, 2]\"\n1,b,\"[1,3]\"\n"), NULL,
     "a:0.5 2;b:1 3;", NULL},
    {"csv, the index is the key", BYTES(",0,1\n7,0.5,2\n8,1,3\n"), NULL, "7:0.5 2;8:1 3;",
     NULL},
    {"csv, no line of names", BYTES("7,0.5,2\n8,1,3\n"), NULL, NULL,
     "f:1: found '0.5' where the first line names columns, expected a line such as "
     "id,a,b"},
    {"csv, no line of names, lists", BYTES("7,\"[5,2]\"\n8,\"[1,3]\"\n"), NULL, NULL,
     "f:1: found '[5,2]' where the first line names columns, expected a line such as "
     "id,a,b"},
    {"csv, keys alone", BYTES("id\n1\n"), NULL, NULL,
     "f:1: there is one column, expected keys and numbers beside them"},
    {"csv, lists of two lengths", BYTES("id,v\n1,[1]\n2,\"[1,2]\"\n"), NULL, NULL,
     "f:3: found 2 numbers, expected 1 as in the first row"},
    {"csv, without rows", BYTES("id,a\n"), NULL, NULL, "f: there are no vectors"},
    {"json lines",
     BYTES("{\"id\": 1, \"vector\": [0.5, 2]}\n"
           "{\"key\": \"q\", \"embedding\": [1, -1]}\n"),
     NULL, "1:0.5 2;q:1 -1;", NULL},
    {"json, an array", BYTES("[{\"custom_id\": \"a\", \"vector\": [1]}]"), NULL, "a:1;",
     NULL},
    {"json, replies to a batch of requests",
     BYTES("{\"custom_id\": \"a\", \"response\": {\"body\": {\"data\": [{\"index\": 0, "
           "\"embedding\": [1, 2]}]}}}\n"),
     NULL, "a:1 2;", NULL},
    {"json, a reply with two vectors",
     BYTES("{\"custom_id\": \"a\", \"response\": {\"body\": {\"data\": [{\"embedding\": "
           "[1]}, "
           "{\"embedding\": [2]}]}}}\n"),
     NULL, NULL,
     "f:1:1: found none, expected a list of numbers under vector or embedding"},
    {"json, null", BYTES("{\"id\": 1, \"vector\": [0.5, null]}"), NULL, NULL,
     "f:1:1: found 'null' as number 2 of the vector of '1', expected a finite number"},
    {"json, no key", BYTES("{\"vector\": [0.5]}"), NULL, NULL,
     "f:1:1: found none, expected an object with a key under id, key, item, url or "
     "custom_id"},
    {"json, no list", BYTES("{\"id\": 1, \"vector\": 3}"), NULL, NULL,
     "f:1:1: found a number, expected a list of numbers under vector or embedding"},
    {"npy",
     BYTES(NPY_HEAD(
         "<f4", "False",
         "(2, 2)") "\x00\x00\x00\x3f\x00\x00\x00\xc0\x00\x00\x80\x3f\x00\x00\x40\x40"),
     "1\n2\n", "1:0.5 -2;2:1 3;", NULL},
    {"npy, columns first",
     BYTES(NPY_HEAD(
         "<f4", "True ",
         "(2, 2)") "\x00\x00\x00\x3f\x00\x00\x00\xc0\x00\x00\x80\x3f\x00\x00\x40\x40"),
     "1\n2", "1:0.5 1;2:-2 3;", NULL},
    {"npy, other byte order and size",
     BYTES(NPY_HEAD(">f8", "False", "(1, 1)") "\xc0\x00\x00\x00\x00\x00\x00\x00"), "x\n",
     "x:-2;", NULL},
    {"npy, 16 bits", BYTES(NPY_HEAD("<f2", "False", "(1, 3)") "\x00\x38\x00\xc0\x01\x00"),
     "x\r\n", "x:0.5 -2 5.96046e-08;", NULL},
    {"npy, keys with a byte order mark",
     BYTES(NPY_HEAD("<f4", "False", "(1, 1)") "\x00\x00\x80\x3f"), "\xEF\xBB\xBFx\r\n",
     "x:1;", NULL},
    {"npy, keys of a pickle",
     BYTES(NPY_HEAD("<f4", "False", "(1, 1)") "\x00\x00\x80\x3f"), "\x80\x04x", NULL,
     "k: is a pickle of Python, which is not read; save what is in it as csv or, an "
     "array, "
     "by numpy.save()"},
    {"npz", BYTES("PK\3\4...V.npy"), "x\n", NULL,
     "f: is an archive of NumPy (.npz); save one of its arrays by numpy.save()"},
    {"Parquet", BYTES("PAR1..."), NULL, NULL,
     "f: is Parquet, which is not read; save its rows as csv"},
    {"npy, infinite", BYTES(NPY_HEAD("<f4", "False", "(1, 1)") "\x00\x00\x80\x7f"), "x\n",
     NULL,
     "f: row 1, that of 'x', has an infinite number as number 1, expected a finite "
     "number"},
    {"npy, NaN", BYTES(NPY_HEAD("<f4", "False", "(1, 1)") "\x00\x00\xc0\x7f"), "x\n",
     NULL, "f: row 1, that of 'x', has NaN as number 1, expected a finite number"},
    {"npy, cut", BYTES(NPY_HEAD("<f4", "False", "(1, 2)") "\x00\x00\xc0\x7f"), "x\n",
     NULL, "f: found 4 bytes of numbers, expected 1 rows of 2 numbers of 4 bytes"},
    {"npy, objects", BYTES(NPY_HEAD("|O", "False", "(1, 1) ") "\x00\x00\x00\x00"), "x\n",
     NULL, "f: the array is of type '|O', expected real numbers: f2, f4 or f8"},
    {"npy, whole numbers", BYTES(NPY_HEAD("<i4", "False", "(1, 1)") "\x00\x00\x00\x00"),
     "x\n", NULL, "f: the array is of type '<i4', expected real numbers: f2, f4 or f8"},
    {"npy, one dimension", BYTES(NPY_HEAD("<f4", "False", "(1,)  ") "\x00\x00\x00\x00"),
     "x\n", NULL, "f: the array has no two dimensions, expected a row for each item"},
    {"npy, three dimensions",
     BYTES(NPY_HEAD("<f4", "False", "(1, 1, 1)") "\x00\x00\x00\x00"), "x\n", NULL,
     "f: the array has no two dimensions, expected a row for each item"},
    {"npy, no keys", BYTES(NPY_HEAD("<f4", "False", "(1, 1)") "\x00\x00\x80\x3f"), NULL,
     NULL,
     "f: an array has no keys, expected a second file with the key of each of its 1 rows "
     "in a line of its own"},
    {"npy, too few keys",
     BYTES(NPY_HEAD("<f4", "False", "(2, 1)") "\x00\x00\x80\x3f\x00\x00\x80\x3f"), "x\n",
     NULL, "k: there are 1 keys, expected 2: one for each row of f"},
    {"npy, a key twice",
     BYTES(NPY_HEAD("<f4", "False", "(2, 1)") "\x00\x00\x80\x3f\x00\x00\x80\x3f"),
     "x\nx\n", NULL, "k:2: 'x' is there a second time; the first is vector 1"},
    {"npy, only a sign", BYTES("\x93NUMPY"), "x\n", NULL,
     "f: the file ends within its head"},
    {"keys of a csv", BYTES("id,a\n1,7\n"), "1\n", NULL,
     "f: this is no array of NumPy, so that there is nothing that the keys of k belong "
     "to"},
};

/* The length of a head counts its blanks, which the rows above leave out. */
static struct str with_length(struct str input, struct buf *room)
{
    const char *end = input.len > 10 ? memchr(input.ptr, '}', input.len) : NULL;

    if (!str_starts(input, STR("\x93NUMPY")) || end == NULL)
        return input;
    buf_add(room, input);
    room->ptr[8] = (char)(end - input.ptr - 9);
    return buf_str(room);
}

static void show(const struct input_vectors *vectors, struct buf *out)
{
    for (size_t i = 0; i < vectors->count; i++) {
        buf_add_format(out, "%.*s", STR_ARG(vectors->keys[i]));
        for (size_t k = 0; k < vectors->dimensions; k++)
            buf_add_format(out, "%c%g", k == 0 ? ':' : ' ',
                           (double)vectors->at[i * vectors->dimensions + k]);
        buf_add_char(out, ';');
    }
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct arena arena = {0};
        struct input_vectors vectors;
        struct err err = {0};
        struct buf room = {0}, shown = {0};
        bool ok = input_vectors_parse(
            with_length(rows[i].input, &room), "f", str_from(rows[i].keys),
            rows[i].keys != NULL ? "k" : NULL, &arena, &vectors, &err);

        tap_case("%s", rows[i].name);
        CHECK(ok == (rows[i].error == NULL));
        if (ok) {
            show(&vectors, &shown);
            buf_add_char(&shown, '\0');
            CHECK_TEXT(shown.ptr, rows[i].shown);
            CHECK(vectors.hash.len == 64);
            CHECK(input_vectors_find(&vectors, vectors.keys[vectors.count - 1]) ==
                  vectors.at + (vectors.count - 1) * vectors.dimensions);
            CHECK(input_vectors_find(&vectors, STR("absent")) == NULL);
        } else if (rows[i].error != NULL) {
            CHECK_TEXT(err.text, rows[i].error);
        }
        buf_free(&room);
        buf_free(&shown);
        arena_free(&arena);
    }
    return tap_done();
}
