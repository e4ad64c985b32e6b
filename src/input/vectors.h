/* Vectors that other programs made, such as embeddings of texts: a key and numbers for
 * each. Three kinds of files, told apart by how they begin:
 *
 * - csv: a column of keys, called id, key, item or url, or else the first; in all other
 *   columns that have a name numbers, or in one other column a list such as [0.1, -2].
 * - json lines, or an array of objects: the key under id, key, item, url or custom_id,
 *   the list of numbers under vector or embedding; or replies to a vendor's batch of
 *   requests, one text each.
 * - .npy, as NumPy writes an array of two dimensions: real numbers of 16, 32 or 64 bits
 *   in either order; a second file has the key of each row in a line of its own. */
#ifndef INPUT_VECTORS_H
#define INPUT_VECTORS_H

#include "base/err.h"
#include "base/map.h"

enum { INPUT_VECTORS_DIMENSIONS_MAX = 65536 };

struct input_vectors {
    size_t count, dimensions;
    const struct str *keys; /* each once, as the file writes it, without blanks around */
    const float *at;        /* count x dimensions, all finite */
    struct str hash;        /* SHA-256 of the vectors' file, in hexadecimal */
    struct map by_key;      /* the number of a key's row + 1 */
};

/* keys: the second file, NULL: none. All lives in arena. ERR_INPUT with the place for
 * what is none of the three, numbers that are missing, infinite or no numbers, rows of
 * another length than the first, and a key that is empty or there twice. */
bool input_vectors_read(const char *path, const char *keys, struct arena *arena,
                        struct input_vectors *out, struct err *err) MUST_USE;

/* The same of bytes that were read; paths are for messages. */
bool input_vectors_parse(struct str bytes, const char *path, struct str listed,
                         const char *keys, struct arena *arena, struct input_vectors *out,
                         struct err *err) MUST_USE;

/* The vector of a key; NULL: it has none. */
const float *input_vectors_find(const struct input_vectors *vectors, struct str key);

#endif
