/* The census: counting, merging, packing. */
#include "dump/tally.h"

#include "base/date.h"
#include "tests/tap.h"

static struct item question(int year, const char *tags, bool accepted, int64_t views)
{
    struct item post = item_empty();

    post.kind = ITEM_QUESTION;
    post.created_ms = year > 0 ? date_from_civil((struct date){year, 6, 1}) : ITEM_NONE;
    post.tags = str_from(tags);
    post.accepted = accepted ? 5 : ITEM_NONE;
    post.views = views;
    return post;
}

static const struct dump_tally_cell *find(const struct dump_tally *tally, int year,
                                          const char *tag)
{
    for (size_t i = 0; i < tally->count; i++)
        if (tally->cells[i].year == year && str_eq(tally->cells[i].tag, str_from(tag)))
            return &tally->cells[i];
    return NULL;
}

static void check(const struct dump_tally *tally)
{
    const struct dump_tally_cell *all = find(tally, 2018, ""),
                                 *a = find(tally, 2018, "a");

    CHECK(all != NULL && all->questions == 3 && all->accepted == 1 && all->views == 30);
    CHECK(a != NULL && a->questions == 2 && a->accepted == 1 && a->views == 30);
    CHECK(find(tally, 2019, "a")->questions == 1 &&
          find(tally, 2018, "b")->questions == 1);
    CHECK(find(tally, 0, "")->questions == 1);
    CHECK(find(tally, 2019, "b") == NULL);
}

int main(void)
{
    struct dump_tally one = {0}, other = {0}, copy = {0};
    struct buf packed = {0}, again = {0};
    const struct item posts[] = {
        question(2018, "<a><b>", true, 10), question(2018, "|a|", false, 20),
        question(2018, "", false, ITEM_NONE), question(2019, "<a>", false, 1),
        question(0, "<c>", false, 1)};

    tap_case("every question counts once, and once for each tag");
    for (size_t i = 0; i < ROWS(posts); i++)
        dump_tally_add(&one, &posts[i]);
    check(&one);
    tap_case("the order does not matter");
    dump_tally_free(&one);
    for (size_t i = ROWS(posts); i-- > 0;)
        dump_tally_add(&one, &posts[i]);
    check(&one);
    tap_case("a year ends with its last millisecond");
    const int64_t new_year = date_from_civil((struct date){2019, 1, 1});
    const int64_t moments[] = {new_year - 1, new_year, new_year - 1};
    for (size_t i = 0; i < ROWS(moments); i++) {
        struct item post = question(2018, "<d>", false, 1);
        post.created_ms = moments[i];
        dump_tally_add(&other, &post);
    }
    CHECK(find(&other, 2018, "d")->questions == 2);
    CHECK(find(&other, 2019, "d")->questions == 1);
    tap_case("sorted, packed and unpacked it is the same, and can go on counting");
    dump_tally_sort(&one);
    for (size_t i = 1; i < one.count; i++)
        CHECK(one.cells[i - 1].year <= one.cells[i].year);
    dump_tally_save(&one, &packed);
    CHECK(dump_tally_load(&copy, buf_str(&packed)));
    check(&copy);
    dump_tally_save(&copy, &again);
    CHECK(str_eq(buf_str(&packed), buf_str(&again)));
    dump_tally_add(&one, &posts[0]);
    CHECK(find(&one, 2018, "b")->questions == 2);
    tap_case("other bytes are refused");
    CHECK(!dump_tally_load(&copy, str_slice(buf_str(&packed), 0, packed.len - 1)));
    buf_free(&packed);
    buf_free(&again);
    dump_tally_free(&one);
    dump_tally_free(&other);
    dump_tally_free(&copy);
    return tap_done();
}
