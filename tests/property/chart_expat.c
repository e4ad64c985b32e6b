/* Every SVG is well-formed XML as expat reads it, each part that it uses is in it, and no
 * two parts share a name. */
#include <expat.h>

#include "base/map.h"
#include "tests/property/chart_random.h"
#include "tests/tap.h"

enum { ROUNDS = 150 };

struct seen {
    struct map ids, uses;
    size_t twice;
};

/* #NAME, or url(#NAME) */
static bool take_reference(struct str value, struct str *name)
{
    struct str before;

    if (!str_cut(&value, '#', &before))
        return false;
    *name = value;
    (void)str_cut(&value, ')', name);
    return true;
}

static void XMLCALL begin(void *context, const XML_Char *element, const XML_Char **pairs)
{
    struct seen *seen = context;
    struct str name;

    (void)element;
    for (; pairs[0] != NULL; pairs += 2) {
        if (str_eq(str_from(pairs[0]), STR("id")))
            seen->twice += ++*map_put(&seen->ids, str_from(pairs[1])) > 1;
        else if (take_reference(str_from(pairs[1]), &name))
            ++*map_put(&seen->uses, name);
    }
}

static size_t missing(const struct seen *seen)
{
    size_t count = 0;

    for (size_t i = 0; i < seen->uses.capacity; i++)
        count += seen->uses.entries[i].key.ptr != NULL &&
                 map_get(&seen->ids, seen->uses.entries[i].key) == NULL;
    return count;
}

static void check_svg(struct str svg, struct arena *arena, size_t *broken, size_t *lost,
                      size_t *uses)
{
    XML_Parser parser = XML_ParserCreate(NULL);
    struct seen seen = {.ids = {.arena = arena}, .uses = {.arena = arena}};

    XML_SetUserData(parser, &seen);
    XML_SetStartElementHandler(parser, begin);
    *broken += XML_Parse(parser, svg.ptr, (int)svg.len, 1) != XML_STATUS_OK;
    *lost += seen.twice + missing(&seen);
    *uses += seen.uses.count;
    XML_ParserFree(parser);
}

int main(void)
{
    struct rng rng = rng_seeded(2024);
    struct buf out = {0};
    size_t failed = 0, broken = 0, lost = 0, uses = 0;

    for (int i = 0; i < ROUNDS; i++) {
        struct arena arena = {0};
        struct chart chart =
            random_chart(&rng, (enum chart_kind)(i % (CHART_FOREST + 1)), &arena);
        struct err err;
        buf_clear(&out);
        failed += !chart_draw(&chart, CHART_SVG, &out, &err);
        check_svg(buf_str(&out), &arena, &broken, &lost, &uses);
        arena_free(&arena);
    }
    tap_case("any chart is drawn");
    CHECK(failed == 0);
    tap_case("any SVG is well-formed");
    CHECK(broken == 0);
    tap_case("any part that is used is there, once");
    CHECK(lost == 0 && uses > ROUNDS);
    buf_free(&out);
    return tap_done();
}
