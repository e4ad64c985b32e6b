/* Items of a package: sampled or labelled, each once. */
#include "package/internal.h"

#include "tests/unit/packaged.h"

int main(void)
{
    struct packaged test;
    struct package_items items;

    if (!packaged_open(&test, packaged_study))
        return tap_done();
    tap_case("items of samples and labels, ascending, each once");
    CHECK(package_find_items(&test.study, &test.arena, &items, &test.err));
    CHECK(items.count >= 2);
    for (size_t i = 1; i < items.count; i++)
        CHECK(items.ids[i] > items.ids[i - 1]);
    tap_case("a sample that waits for labels, and was not drawn, has none");
    size_t all = items.count;
    file_remove(packaged_path(&test, "out/results/samples.two.result"));
    CHECK(package_find_items(&test.study, &test.arena, &items, &test.err));
    CHECK(items.count < all);
    packaged_close(&test);
    return tap_done();
}
