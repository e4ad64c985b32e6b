/* Queues of items: columns, scores, items that come twice, and what is wrong where. */
#include <math.h>

#include "tests/unit/labelled.h"

static const struct {
    const char *name, *text, *items; /* items: or the message, behind the path */
} rows[] = {
    {"item and score", "item,score\n7,0.5\n3,0.25\n", "7:0.5 3:0.25 "},
    {"without scores", "item\n7\n3\n", "7:- 3:- "},
    {"some scores", "item,score\n7,\n3,1\n", "7:- 3:1 "},
    {"other columns, another order", "why;score;item\nx;2;7\n", "7:2 "},
    {"an item that comes again", "item\n7\n3\n7\n", "7:- 3:- "},
    {"no such column", "id,score\n7,1\n",
     ":1: there is no column 'item'; there are id, score"},
    {"no number", "item\n7\nx\n",
     ":3: found 'x', expected an item's id, or a link to it"},
    {"no score", "item,score\n7,high\n", ":2: found 'high', expected a score"},
    {"heads alone", "item,score\n", ": there are no items in it"},
    {"nothing", "", ": there are no items in it"},
    {"a row that is too long", "item\n7,8\n",
     ":2:1: found 2 fields, expected 1 as in the header"},
};

int main(void)
{
    struct study study = {0};
    struct studied in;

    if (!studied_begin(&in))
        return tap_done();
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct label_picked *picked;
        struct buf got = {0};
        struct err err = {0};
        size_t count = 0;
        const char *path = studied_path(&in, "queue.csv");
        tap_case("%s", rows[i].name);
        studied_write(&in, "queue.csv", rows[i].text);
        if (label_read_queue(&study, path, &in.arena, &picked, &count, &err))
            for (size_t k = 0; k < count; k++) {
                buf_add_format(&got, "%lld:", (long long)picked[k].item);
                if (isnan(picked[k].score))
                    buf_add(&got, STR("- "));
                else
                    buf_add_format(&got, "%g ", picked[k].score);
            }
        else
            buf_add(&got, str_slice(str_from(err.text), strlen(path), SIZE_MAX));
        buf_add_char(&got, '\0');
        CHECK_TEXT(got.ptr, rows[i].items);
        CHECK(err.kind == ERR_NONE || err.kind == ERR_INPUT);
        buf_free(&got);
    }
    tap_case("a file that is not there");
    struct label_picked *picked;
    struct err err = {0};
    size_t count;
    CHECK(!label_read_queue(&study, studied_path(&in, "absent.csv"), &in.arena, &picked,
                            &count, &err) &&
          err.kind == ERR_SYSTEM);
    studied_end(&in);
    return tap_done();
}
