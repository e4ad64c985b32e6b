/* Counts the words of posts as assay classify does, one sparse row for each post, and
 * says what that takes. usage: words FILE.CSV   the posts are the file's first column
 * Prints processor seconds of reading the csv, of reading and counting, both in the same
 * pieces, and how many words and cells there are. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "input/csv.h"
#include "learn/features.h"

enum { PIECE_BYTES = 1 << 20 };

struct counting {
    struct learn_features_table table;
    struct learn_features_reader reader;
    struct learn_rows_builder rows;
};

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As in learn_examples_make(), but all cells of a row at once. */
static void count(struct counting *counting, struct str text)
{
    struct learn_parts post = {.at[LEARN_PARTS_PROSE] = text};
    struct learn_rows_row row = learn_features_read(&counting->reader, &post);

    list_reserve(&counting->rows.cells, row.count);
    memcpy(counting->rows.cells.at + counting->rows.cells.count, row.cells,
           row.count * sizeof *row.cells);
    counting->rows.cells.count += row.count;
    learn_rows_end_row(&counting->rows);
}

/* About as many bytes as its posts' cells will have: room for those is taken at once. */
static size_t bytes_of(const char *path)
{
    struct stat file;

    return stat(path, &file) == 0 ? (size_t)file.st_size * 3 / 2 : 0;
}

/* counting: NULL when posts are only to be read. */
static bool read_posts(const char *path, struct buf *piece, struct counting *counting,
                       struct err *err)
{
    struct input_csv csv = {.path = path};
    struct input_csv_row row;
    ssize_t got = 1;
    int file = open(path, O_RDONLY);
    bool header = true;

    while (file >= 0 && got > 0 && !csv.failed) {
        got = read(file, piece->ptr, PIECE_BYTES);
        input_csv_push(&csv, (struct str){piece->ptr, got > 0 ? (size_t)got : 0},
                       got <= 0);
        while (input_csv_next(&csv, &row, err)) {
            if (!header && counting != NULL)
                count(counting, row.fields[0]);
            header = false;
        }
    }
    bool ok = file >= 0 && got == 0 && !csv.failed;
    input_csv_free(&csv);
    if (file >= 0)
        close(file);
    return ok;
}

int main(int argc, char **argv)
{
    struct learn_features_options words = {.kinds = 1u << LEARN_FEATURES_WORD,
                                           .one_part = true};
    struct counting counting = {0};
    struct buf piece = {0};
    struct err err = {0};
    double begun, read_only, both, sum = 0;

    if (argc != 2)
        return 2;
    buf_reserve(&piece, PIECE_BYTES);
    begun = seconds();
    bool ok = read_posts(argv[1], &piece, NULL, &err);
    read_only = seconds() - begun;
    begun = seconds();
    learn_features_open(&counting.reader, words, &counting.table, NULL);
    list_reserve(&counting.rows.cells,
                 bytes_of(argv[1]) / sizeof *counting.rows.cells.at);
    ok = ok && read_posts(argv[1], &piece, &counting, &err);
    both = seconds() - begun;
    if (!ok) {
        fprintf(stderr, "%s: cannot be read: %s\n", argv[1], err.text);
        return 1;
    }
    struct learn_rows rows = learn_rows_of(&counting.rows, counting.table.count);
    for (size_t i = 0; i < rows.begin[rows.count]; i++)
        sum += (double)rows.cells[i].value;
    printf("%.3f %.3f %zu %.0f %zu\n", read_only, both, rows.count, sum,
           rows.begin[rows.count]);
    learn_features_close(&counting.reader);
    learn_features_table_free(&counting.table);
    learn_rows_builder_free(&counting.rows);
    buf_free(&piece);
    return 0;
}
