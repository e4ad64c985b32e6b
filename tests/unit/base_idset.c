/* Ids against a plain list, near and far ones; packing and unpacking. */
#include "base/idset.h"

#include "base/rng.h"
#include "tests/tap.h"

enum { DRAWS = 20000, SPAN = 300000 };

int main(void)
{
    static bool listed[SPAN];
    struct idset set = {0}, copy = {0};
    struct rng rng = rng_seeded(4);
    struct buf packed = {0};
    int64_t distinct = 0;

    tap_case("what was added is there, and nothing else");
    for (int i = 0; i < DRAWS; i++) {
        int64_t id = (int64_t)rng_below(&rng, SPAN);
        CHECK(idset_add(&set, id) == !listed[id]);
        distinct += !listed[id];
        listed[id] = true;
    }
    for (int64_t id = 0; id < SPAN; id++)
        CHECK(idset_has(&set, id) == listed[id]);
    CHECK(set.ids == distinct);

    tap_case("far ids cost a page each");
    CHECK(idset_add(&set, 1000000001) && idset_add(&set, INT64_MAX));
    CHECK(idset_has(&set, INT64_MAX) && !idset_has(&set, INT64_MAX - 1));
    CHECK(idset_has(&set, 1000000001) && set.count < 10);

    tap_case("negative ids are left out");
    CHECK(!idset_add(&set, -1) && !idset_has(&set, -1) && !idset_has(&set, INT64_MIN));

    tap_case("what one set has and another has not");
    CHECK(idset_missing(&set, &copy) == set.ids && idset_missing(&copy, &set) == 0);
    CHECK(idset_missing(&set, &set) == 0);
    CHECK(idset_add(&copy, INT64_MAX) && idset_add(&copy, 5000000));
    CHECK(idset_missing(&set, &copy) == set.ids - 1 && idset_missing(&copy, &set) == 1);

    tap_case("packed and unpacked it is the same");
    idset_save(&set, &packed);
    CHECK(idset_load(&copy, buf_str(&packed)) && copy.ids == set.ids);
    for (int64_t id = 0; id < SPAN; id++)
        CHECK(idset_has(&copy, id) == listed[id]);
    CHECK(idset_has(&copy, INT64_MAX));

    tap_case("other bytes are refused");
    CHECK(!idset_load(&copy, str_slice(buf_str(&packed), 0, packed.len - 1)));
    CHECK(idset_load(&copy, STR("")) && copy.ids == 0);
    memset(packed.ptr, 0xFF, 8);
    CHECK(!idset_load(&copy, buf_str(&packed)));
    buf_free(&packed);
    idset_free(&set);
    idset_free(&copy);
    return tap_done();
}
