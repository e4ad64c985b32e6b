/* Rows of each layout and of each kind of damage. */
#include "synth/render.h"

#include <string.h>

#include "tests/tap.h"

static struct arena arena;
static struct model model;
static struct text *text;

static int count_of(const char *text_in, const char *what)
{
    int count = 0;

    for (const char *at = text_in; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* Block 0 of a small dump; the posts end with a NUL. */
static const char *posts_of(enum synth_layout layout, enum synth_damage damage,
                            struct render *rows)
{
    struct plan plan = plan_make(&model, 5, 400, 0);
    struct synth_options options = {.layout = layout, .damage = damage, .seed = 5};
    struct plan_ids first = {1, 1, 1, 1};
    struct render_context context = {
        .options = &options, .plan = &plan, .text = text, .first = &first};

    render_make(&context, 0, rows);
    buf_add_char(&rows->tables[SYNTH_POSTS], '\0');
    return rows->tables[SYNTH_POSTS].ptr;
}

static void check_layouts(struct render *rows)
{
    const char *posts = posts_of(SYNTH_CLASSIC, SYNTH_WHOLE, rows);

    tap_case("classic: tags in angle brackets, no licence, ids ascend");
    CHECK(count_of(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(count_of(posts, " Tags=\"&lt;") == 400 &&
          count_of(posts, "ContentLicense") == 0);
    CHECK(strstr(posts, "  <row Id=\"1\" PostTypeId=\"1\"") == posts);
    CHECK(rows->counts_of[SYNTH_TRUTH] == 400 && rows->counts.questions == 400);

    tap_case("2024-pipe: tags between bars, a licence on every row");
    posts = posts_of(SYNTH_2024_PIPE, SYNTH_WHOLE, rows);
    CHECK(count_of(posts, " Tags=\"|") == 400);
    CHECK(count_of(posts, "ContentLicense=\"CC BY-SA ") == rows->counts_of[SYNTH_POSTS]);

    tap_case("2025-comment: the same rows in another order");
    posts = posts_of(SYNTH_2025_COMMENT, SYNTH_WHOLE, rows);
    CHECK(count_of(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(count_of(posts, " Tags=\"&lt;") == 400);
    CHECK(strstr(posts, "  <row Id=\"1\" ") != posts);
}

static void check_damage(struct render *rows)
{
    static const struct {
        const char *name;
        enum synth_damage damage;
        const char *sign;
    } kinds[] = {
        {"bad entity", SYNTH_BAD_ENTITY, "&bogus;"},
        {"control characters", SYNTH_CONTROL_CHARACTERS, "\x01"},
        {"orphan answers", SYNTH_ORPHAN_ANSWERS, "ParentId=\"9000"},
        {"missing accepted answers", SYNTH_MISSING_ACCEPTED, "AcceptedAnswerId=\"9000"},
        {"huge body", SYNTH_HUGE_BODY, "All of my log"},
    };

    for (size_t i = 0; i < ROWS(kinds); i++) {
        const char *posts = posts_of(SYNTH_CLASSIC, SYNTH_WHOLE, rows);
        int64_t rows_before = rows->counts_of[SYNTH_POSTS];
        tap_case("damage: %s", kinds[i].name);
        CHECK(strstr(posts, kinds[i].sign) == NULL && rows->counts.damaged == 0);
        posts = posts_of(SYNTH_CLASSIC, kinds[i].damage, rows);
        CHECK(strstr(posts, kinds[i].sign) != NULL && rows->counts.damaged > 0);
        CHECK(rows->counts_of[SYNTH_POSTS] == rows_before);
    }
    tap_case("damage: a body of 16 MB");
    CHECK(rows->tables[SYNTH_POSTS].len > 16 * 1024 * 1024);

    tap_case("damage: missing attributes");
    const char *posts = posts_of(SYNTH_CLASSIC, SYNTH_MISSING_ATTRIBUTES, rows);
    CHECK(count_of(posts, " CreationDate=\"") + rows->counts.damaged ==
          rows->counts_of[SYNTH_POSTS]);

    tap_case("damage: duplicate ids");
    posts = posts_of(SYNTH_CLASSIC, SYNTH_DUPLICATE_IDS, rows);
    CHECK(rows->counts.damaged > 0 &&
          count_of(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(rows->counts_of[SYNTH_POSTS] ==
          rows->counts.questions + rows->counts.answers + rows->counts.damaged);
}

int main(void)
{
    struct err err = {0};
    struct render rows = {0};

    CHECK(model_load(NULL, &arena, &model, &err) && text_load(&arena, &text, &err));
    check_layouts(&rows);
    check_damage(&rows);
    render_free(&rows);
    arena_free(&arena);
    return tap_done();
}
