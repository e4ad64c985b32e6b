/* Whether runs find the same topics: each pair of runs is matched topic by topic. */
#include "topic/topic.h"

#include <math.h>

static const double P = 0.9;

static bool has(const uint32_t *words, size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] == word)
            return true;
    return false;
}

double topic_stability_overlap(const uint32_t *a, const uint32_t *b, size_t count)
{
    double sum = 0, power = 1;
    size_t common = 0;

    for (size_t d = 1; d <= count; d++) {
        common += has(b, d, a[d - 1]);
        common += has(a, d - 1, b[d - 1]);
        power *= P;
        sum += (double)common / (double)d * power;
    }
    return (double)common / (double)count * power + (1 - P) / P * sum;
}

/* The Hungarian method with potentials, in cubic time, for the least cost: rows are
 * entered one by one, each by the cheapest path that sets others aside. Places count from
 * 1; 0 stands for none. */
struct matching {
    size_t count;
    const double *likeness;
    double *row_price, *column_price, *slack;
    size_t *row_of, *came_from; /* by column */
    bool *seen;
};

static double cost(const struct matching *m, size_t row, size_t column)
{
    return -m->likeness[(row - 1) * m->count + column - 1] - m->row_price[row] -
           m->column_price[column];
}

/* Looks from `column`'s row at all columns not seen; the cheapest is the result. */
static size_t look(struct matching *m, size_t column)
{
    size_t next = 0;
    double least = INFINITY;

    for (size_t j = 1; j <= m->count; j++) {
        if (m->seen[j])
            continue;
        double here = cost(m, m->row_of[column], j);
        if (here < m->slack[j]) {
            m->slack[j] = here;
            m->came_from[j] = column;
        }
        if (m->slack[j] < least) {
            least = m->slack[j];
            next = j;
        }
    }
    for (size_t j = 0; j <= m->count; j++)
        if (m->seen[j]) {
            m->row_price[m->row_of[j]] += least;
            m->column_price[j] -= least;
        } else {
            m->slack[j] -= least;
        }
    return next;
}

static void enter_row(struct matching *m, size_t row)
{
    size_t column = 0;

    for (size_t j = 0; j <= m->count; j++) {
        m->slack[j] = INFINITY;
        m->seen[j] = false;
    }
    m->row_of[0] = row;
    do {
        m->seen[column] = true;
        column = look(m, column);
    } while (m->row_of[column] != 0);
    for (size_t before; column != 0; column = before) {
        before = m->came_from[column];
        m->row_of[column] = m->row_of[before];
    }
}

void topic_stability_match(const double *likeness, size_t count, struct arena *arena,
                           size_t *to)
{
    struct arena_mark mark = arena_mark(arena);
    struct matching m = {.count = count,
                         .likeness = likeness,
                         .row_price = arena_array(arena, double, count + 1),
                         .column_price = arena_array(arena, double, count + 1),
                         .slack = arena_array(arena, double, count + 1),
                         .row_of = arena_array(arena, size_t, count + 1),
                         .came_from = arena_array(arena, size_t, count + 1),
                         .seen = arena_array(arena, bool, count + 1)};

    for (size_t row = 1; row <= count; row++)
        enter_row(&m, row);
    for (size_t j = 1; j <= count; j++)
        to[m.row_of[j] - 1] = j - 1;
    arena_rewind(arena, mark);
}

/* sums[k] += the overlap of topic k of one run with its partner in another. */
static void compare(const struct topic_stability_runs *runs, size_t run, size_t other,
                    struct arena *arena, double *sums)
{
    struct arena_mark mark = arena_mark(arena);
    size_t topics = runs->topics, top = runs->top;
    double *likeness = arena_array(arena, double, topics *topics);
    size_t *to = arena_array(arena, size_t, topics);

    for (size_t i = 0; i < topics; i++)
        for (size_t j = 0; j < topics; j++)
            likeness[i * topics + j] = topic_stability_overlap(
                runs->words[run] + i * top, runs->words[other] + j * top, top);
    topic_stability_match(likeness, topics, arena, to);
    for (size_t i = 0; i < topics; i++)
        sums[i] += likeness[i * topics + to[i]];
    arena_rewind(arena, mark);
}

/* Of each topic of the run the mean overlap with its partners in the others. */
static double *compare_with_others(const struct topic_stability_runs *runs, size_t run,
                                   struct arena *arena)
{
    double *means = arena_array(arena, double, runs->topics);

    for (size_t other = 0; other < runs->count; other++)
        if (other != run)
            compare(runs, run, other, arena, means);
    for (size_t k = 0; k < runs->topics; k++)
        means[k] = runs->count > 1 ? means[k] / (double)(runs->count - 1) : NAN;
    return means;
}

struct topic_stability topic_stability_of(const struct topic_stability_runs *runs,
                                          struct arena *arena)
{
    struct topic_stability out = {0};
    double best = 0;

    for (size_t run = 0; run < runs->count; run++) {
        const double *topics = compare_with_others(runs, run, arena);
        double mean = 0;
        for (size_t k = 0; k < runs->topics; k++)
            mean += topics[k] / (double)runs->topics;
        out.mean += mean / (double)runs->count;
        if (run == 0 || mean > best) {
            best = mean;
            out.typical = run;
            out.topics = topics;
        }
    }
    return out;
}
