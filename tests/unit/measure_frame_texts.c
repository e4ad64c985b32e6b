/* Fields of items, and their sources. */
#include "measure/frame.h"

#include "tests/unit/measured.h"

static const struct measured_post posts[] = {{.id = 10, .kind = 1, .tags = "<a>"},
                                             {.id = 20, .kind = 1, .tags = "<b>"},
                                             {.id = 30, .kind = 1, .tags = "<a>"},
                                             {.id = 40, .kind = 1, .tags = "<b>"}};

static const struct measured_field fields[] = {
    {10, "kind", "z"}, {30, "kind", "b"}, {40, "kind", "z"}};

static const struct measured_inputs inputs = {.posts = posts,
                                              .post_count = ROWS(posts),
                                              .fields = fields,
                                              .field_count = ROWS(fields),
                                              .study = "sets: {x: '[a]'}\n"};

static void check_texts(struct measured *test, struct buf *out)
{
    struct measure_frame_texts texts = {0};
    struct measure_frame_source *sources;
    size_t count;

    tap_case("fields: distinct texts in the order of bytes");
    CHECK(measure_frame_field(&test->frame, STR("kind"), &texts, &test->err));
    CHECK(texts.name_count == 2);
    for (size_t i = 0; i < test->frame.count; i++)
        buf_add_format(out, "%.*s,",
                       STR_ARG(texts.of[i] > 0 ? texts.names[texts.of[i] - 1] : STR("")));
    measured_expect(out, "z,,b,z,");
    tap_case("fields: one that nobody has");
    CHECK(measure_frame_field(&test->frame, STR("none"), &texts, &test->err));
    CHECK(texts.name_count == 0 && texts.of[0] == 0);
    tap_case("sources: none when there is only one");
    CHECK(measure_frame_sources(&test->frame, &sources, &count, &test->err) &&
          count == 0);
}

int main(void)
{
    struct measured test;
    struct buf out = {0};

    if (measured_open(&test, &inputs))
        check_texts(&test, &out);
    measured_close(&test);
    buf_free(&out);
    return tap_done();
}
