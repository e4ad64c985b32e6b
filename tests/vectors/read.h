/* Vectors from other statistics programs: rows of method,case,field,values below a line
 * that names the programs. A test takes one case after the other and asks for its fields.
 */
#ifndef TESTS_VECTORS_READ_H
#define TESTS_VECTORS_READ_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "stats/values.h"
#include "tests/tap.h"

#define CHECK_CLOSE(got, want, relative) \
    CHECK_NEAR((got), (want), (relative)*vectors_size(want))

struct vectors_file {
    struct arena arena;
    struct str rest;         /* rows that are still to come */
    struct str method, name; /* of the case at hand */
    struct str rows;         /* its fields */
};

/* Relative to the value wanted, but not finer than what a double near 0 can mean. */
static inline double vectors_size(double want)
{
    return isnan(want) ? 1 : fmax(fabs(want), 1e-300);
}

/* Ends the program when the file is not there: without it nothing would be tested. */
static inline struct vectors_file vectors_open_file(const char *path)
{
    struct vectors_file vectors = {0};
    struct err err = {0};
    struct str line;

    if (!file_read(path, &vectors.arena, &vectors.rest, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(EXIT_FAILURE);
    }
    str_cut(&vectors.rest, '\n', &line); /* the programs */
    str_cut(&vectors.rest, '\n', &line); /* the names of the columns */
    return vectors;
}

static inline struct vectors_file vectors_open(const char *topic)
{
    char path[200];

    snprintf(path, sizeof path, "tests/vectors/stats_%s.csv", topic);
    return vectors_open_file(path);
}

static inline void vectors_close(struct vectors_file *vectors)
{
    arena_free(&vectors->arena);
}

/* method,case of the row that `rows` begins with. */
static inline struct str vectors_head(struct str rows)
{
    struct str rest = rows, method, name;

    str_cut(&rest, ',', &method);
    str_cut(&rest, ',', &name);
    return (struct str){rows.ptr, method.len + 1 + name.len};
}

static inline bool vectors_is(const struct vectors_file *vectors, const char *method)
{
    return str_eq(vectors->method, str_from(method));
}

/* Moves on by one case, whatever its method; false at the end. */
static inline bool vectors_step(struct vectors_file *vectors)
{
    struct str head = vectors_head(vectors->rest), line, rest = head;

    if (vectors->rest.len == 0)
        return false;
    str_cut(&rest, ',', &vectors->method);
    vectors->name = rest;
    vectors->rows = vectors->rest;
    while (vectors->rest.len > 0 && str_eq(vectors_head(vectors->rest), head))
        str_cut(&vectors->rest, '\n', &line);
    vectors->rows.len -= vectors->rest.len;
    return true;
}

/* The next case of one of the methods, given with blanks between, becomes the test's;
 * false at the end. */
static inline bool vectors_next(struct vectors_file *vectors, const char *methods)
{
    while (vectors_step(vectors)) {
        struct str rest = str_from(methods), method;
        while (rest.len > 0) {
            str_cut(&rest, ' ', &method);
            if (!str_eq(method, vectors->method))
                continue;
            tap_case("%.*s: %.*s", STR_ARG(vectors->method), STR_ARG(vectors->name));
            return true;
        }
    }
    return false;
}

/* The field's values; none when the case has no such field. */
static inline struct stats_values vectors_values(struct vectors_file *vectors,
                                                 const char *field)
{
    struct str rows = vectors->rows, line, part;
    double *values;
    size_t count = 0;

    while (rows.len > 0) {
        str_cut(&rows, '\n', &line);
        str_cut(&line, ',', &part);
        str_cut(&line, ',', &part);
        str_cut(&line, ',', &part);
        if (!str_eq(part, str_from(field)))
            continue;
        values = arena_array(&vectors->arena, double, line.len / 2 + 1);
        while (line.len > 0) {
            str_cut(&line, ' ', &part);
            if (str_eq(part, STR("Inf")))
                values[count++] = INFINITY;
            else if (!str_to_real(part, &values[count++]))
                values[count - 1] = NAN;
        }
        return (struct stats_values){values, count};
    }
    return (struct stats_values){0};
}

static inline double vectors_number(struct vectors_file *vectors, const char *field)
{
    struct stats_values values = vectors_values(vectors, field);

    tap_check(values.count == 1, __FILE__, __LINE__, field);
    return values.count == 1 ? values.at[0] : NAN;
}

static inline int64_t *vectors_ints(struct vectors_file *vectors, const char *field)
{
    struct stats_values values = vectors_values(vectors, field);
    int64_t *ints = arena_array(&vectors->arena, int64_t, values.count);

    for (size_t i = 0; i < values.count; i++)
        ints[i] = (int64_t)values.at[i];
    return ints;
}

#endif
