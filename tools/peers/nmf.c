/* Times topic_nmf_factorise() on a matrix and a beginning that topics.py wrote: prints the
 * seconds of processor time and the distance. usage: nmf FILE ITERATIONS
 * FILE: rows, columns, cells, topics; begins of rows (all 8 bytes each); columns of cells (4 bytes
 * each); values, first factors of rows and of columns (doubles). */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "topic/topic.h"

static void *take(FILE *file, size_t count, size_t size)
{
    void *out = malloc((count + 1) * size);

    if (out == NULL || fread(out, size, count, file) != count)
        exit(2);
    return out;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    struct topic_nmf_result result;
    struct err err = {0};

    if (file == NULL)
        return 2;
    const size_t *head = take(file, 4, sizeof *head);
    struct topic_nmf_settings how = {
        .topics = head[3], .iterations = strtol(argv[2], NULL, 10), .threads = 1};
    struct topic_nmf_matrix matrix = {.rows = head[0], .columns = head[1]};
    matrix.begin = take(file, head[0] + 1, sizeof *matrix.begin);
    matrix.at = take(file, head[2], sizeof *matrix.at);
    matrix.values = take(file, head[2], sizeof *matrix.values);
    double *documents = take(file, head[0] * head[3], sizeof *documents);
    double *words = take(file, head[1] * head[3], sizeof *words);
    clock_t begun = clock();
    if (!topic_nmf_factorise(&matrix, &how, documents, words, &result, &err))
        return 1;
    printf("%.3f %.9g\n", (double)(clock() - begun) / CLOCKS_PER_SEC, result.distance);
    return 0;
}
