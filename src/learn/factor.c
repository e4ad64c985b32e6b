/* Dense tables are row by row, so that every inner loop runs over neighbours. */
#include "learn/factor.h"

#include <math.h>
#include <string.h>

enum {
    SPARE = 10,  /* directions beyond those asked for, which makes these exact */
    ROUNDS = 4,  /* of multiplying by the matrix and back */
    SWEEPS = 60, /* of rotations; a dozen are enough */
};

/* rows x wide = matrix * (columns x wide) */
static void multiply(const struct rows *matrix, const double *by, size_t wide,
                     double *out)
{
    memset(out, 0, matrix->count * wide * sizeof *out);
    for (size_t i = 0; i < matrix->count; i++) {
        struct rows_row row = rows_at(matrix, i);
        for (size_t c = 0; c < row.count; c++) {
            const double *from = by + row.cells[c].column * wide;
            double value = (double)row.cells[c].value;
            for (size_t k = 0; k < wide; k++)
                out[i * wide + k] += value * from[k];
        }
    }
}

/* columns x wide = matrix transposed * (rows x wide) */
static void multiply_back(const struct rows *matrix, const double *by, size_t wide,
                          double *out)
{
    memset(out, 0, matrix->columns * wide * sizeof *out);
    for (size_t i = 0; i < matrix->count; i++) {
        struct rows_row row = rows_at(matrix, i);
        for (size_t c = 0; c < row.count; c++) {
            double *to = out + row.cells[c].column * wide;
            double value = (double)row.cells[c].value;
            for (size_t k = 0; k < wide; k++)
                to[k] += value * by[i * wide + k];
        }
    }
}

/* The products of all pairs of columns. */
static void products(const double *table, size_t count, size_t wide, double *out)
{
    memset(out, 0, wide * wide * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        const double *row = table + i * wide;
        for (size_t a = 0; a < wide; a++)
            for (size_t b = 0; b < wide; b++)
                out[a * wide + b] += row[a] * row[b];
    }
}

/* In place, the lower triangle L of L L' = square. A direction that adds nothing to those
 * before it has 0 on the diagonal. */
static void cholesky(double *square, size_t wide)
{
    double largest = 0;

    for (size_t a = 0; a < wide; a++)
        largest = fmax(largest, square[a * wide + a]);
    for (size_t a = 0; a < wide; a++)
        for (size_t b = 0; b <= a; b++) {
            double sum = square[a * wide + b];
            for (size_t k = 0; k < b; k++)
                sum -= square[a * wide + k] * square[b * wide + k];
            double pivot = square[b * wide + b];
            if (a == b)
                square[a * wide + a] = sum > 1e-14 * largest ? sqrt(sum) : 0;
            else
                square[a * wide + b] = pivot > 0 ? sum / pivot : 0;
        }
}

/* Makes the columns orthonormal, twice, because once leaves the rounding of nearly
 * parallel ones; a column that depends on those before it becomes 0. */
static void orthonormalise(double *table, size_t count, size_t wide, double *square)
{
    for (int round = 0; round < 2; round++) {
        products(table, count, wide, square);
        cholesky(square, wide);
        for (size_t i = 0; i < count; i++)
            for (size_t a = 0; a < wide; a++) {
                double *row = table + i * wide, sum = row[a];
                double pivot = square[a * wide + a];
                for (size_t k = 0; k < a; k++)
                    sum -= square[a * wide + k] * row[k];
                row[a] = pivot > 0 ? sum / pivot : 0;
            }
    }
}

/* Turns rows and columns a and b of the square so that their product becomes 0, and
 * collects the turns in vectors. */
static void rotate(double *square, double *vectors, size_t wide, size_t a, size_t b)
{
    double off = square[a * wide + b];

    if (off == 0)
        return;
    double theta = (square[b * wide + b] - square[a * wide + a]) / (2 * off);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double cosine = 1 / sqrt(t * t + 1), sine = t * cosine;

    for (size_t k = 0; k < wide; k++) {
        double x = square[k * wide + a], y = square[k * wide + b];
        square[k * wide + a] = cosine * x - sine * y;
        square[k * wide + b] = sine * x + cosine * y;
    }
    for (size_t k = 0; k < wide; k++) {
        double x = square[a * wide + k], y = square[b * wide + k];
        square[a * wide + k] = cosine * x - sine * y;
        square[b * wide + k] = sine * x + cosine * y;
        x = vectors[k * wide + a], y = vectors[k * wide + b];
        vectors[k * wide + a] = cosine * x - sine * y;
        vectors[k * wide + b] = sine * x + cosine * y;
    }
}

/* Eigenvectors of a symmetric square, as columns, by Jacobi's rotations; its diagonal
 * becomes the eigenvalues. */
static void diagonalise(double *square, double *vectors, size_t wide)
{
    memset(vectors, 0, wide * wide * sizeof *vectors);
    for (size_t a = 0; a < wide; a++)
        vectors[a * wide + a] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0, all = 0;
        for (size_t a = 0; a < wide; a++)
            for (size_t b = 0; b < wide; b++) {
                double value = square[a * wide + b] * square[a * wide + b];
                all += value;
                off += a != b ? value : 0;
            }
        if (off <= 1e-28 * all)
            return;
        for (size_t a = 0; a < wide; a++)
            for (size_t b = a + 1; b < wide; b++)
                rotate(square, vectors, wide, a, b);
    }
}

/* The directions in the order of their values, largest first. */
static size_t *by_value(const double *square, size_t wide, struct arena *arena)
{
    size_t *order = arena_array(arena, size_t, wide);

    for (size_t a = 0; a < wide; a++) {
        size_t place = a;
        for (;
             place > 0 && square[order[place - 1] * (wide + 1)] < square[a * (wide + 1)];
             place--)
            order[place] = order[place - 1];
        order[place] = a;
    }
    return order;
}

/* basis (rows x wide) turned into the strongest directions. */
static void take_strongest(const double *basis, size_t count, double *square, size_t wide,
                           struct arena *arena, struct factor *out)
{
    double *vectors = arena_array(arena, double, wide *wide);

    diagonalise(square, vectors, wide);
    const size_t *order = by_value(square, wide, arena);
    for (size_t k = 0; k < out->rank; k++) {
        size_t from = order[k];
        out->values[k] = sqrt(fmax(square[from * (wide + 1)], 0));
        for (size_t i = 0; i < count; i++) {
            double sum = 0;
            for (size_t a = 0; a < wide; a++)
                sum += basis[i * wide + a] * vectors[a * wide + from];
            out->left[i * out->rank + k] = sum;
        }
    }
}

struct factor factor_make(const struct rows *matrix, size_t rank, struct rng *rng,
                          struct arena *arena)
{
    size_t most = matrix->count < matrix->columns ? matrix->count : matrix->columns;
    struct factor out = {.rank = rank < most ? rank : most};
    size_t wide = out.rank + SPARE < most ? out.rank + SPARE : most;

    out.left = arena_array(arena, double, matrix->count *out.rank + 1);
    out.values = arena_array(arena, double, out.rank + 1);
    struct arena_mark mark = arena_mark(arena);
    double *basis = arena_array(arena, double, matrix->count *wide + 1);
    double *back = arena_array(arena, double, matrix->columns *wide + 1);
    double *square = arena_array(arena, double, wide *wide + 1);

    for (size_t i = 0; i < matrix->columns * wide; i++)
        back[i] = rng_normal(rng);
    for (int round = 0; round < ROUNDS; round++) {
        multiply(matrix, back, wide, basis);
        orthonormalise(basis, matrix->count, wide, square);
        multiply_back(matrix, basis, wide, back);
        if (round + 1 < ROUNDS)
            orthonormalise(back, matrix->columns, wide, square);
    }
    products(back, matrix->columns, wide, square);
    take_strongest(basis, matrix->count, square, wide, arena, &out);
    arena_rewind(arena, mark);
    return out;
}
