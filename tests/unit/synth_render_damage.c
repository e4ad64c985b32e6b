/* Every kind of damage: there when it is asked for, and told of. */
#include "synth/render_damage.h"

#include <stdio.h>

#include "tests/unit/rendered.h"

static void check_damage(struct render *rows)
{
    static const struct {
        const char *name;
        enum synth_damage damage;
        const char *sign;
    } kinds[] = {
        {"bad entity", SYNTH_BAD_ENTITY, "&bogus;"},
        {"control characters", SYNTH_CONTROL_CHARACTERS, "\x01"},
        {"orphan answers", SYNTH_ORPHAN_ANSWERS, "ParentId=\"10995116"},
        {"missing accepted answers", SYNTH_MISSING_ACCEPTED,
         "AcceptedAnswerId=\"10995116"},
        {"huge body", SYNTH_HUGE_BODY, "All of my log"},
    };

    for (size_t i = 0; i < ROWS(kinds); i++) {
        const char *posts = rendered_posts(SYNTH_CLASSIC, SYNTH_WHOLE, rows);
        int64_t rows_before = rows->counts_of[SYNTH_POSTS];
        tap_case("damage: %s", kinds[i].name);
        CHECK(strstr(posts, kinds[i].sign) == NULL && rows->counts.damaged == 0);
        posts = rendered_posts(SYNTH_CLASSIC, kinds[i].damage, rows);
        CHECK(strstr(posts, kinds[i].sign) != NULL && rows->counts.damaged > 0);
        CHECK(rows->counts_of[SYNTH_POSTS] == rows_before);
    }
    tap_case("damage: a body of 16 MB");
    CHECK(rows->tables[SYNTH_POSTS].len > 16 * 1024 * 1024);

    tap_case("damage: missing attributes");
    const char *posts = rendered_posts(SYNTH_CLASSIC, SYNTH_MISSING_ATTRIBUTES, rows);
    CHECK(rendered_count(posts, " CreationDate=\"") + rows->counts.damaged ==
          rows->counts_of[SYNTH_POSTS]);

    tap_case("damage: duplicate ids");
    posts = rendered_posts(SYNTH_CLASSIC, SYNTH_DUPLICATE_IDS, rows);
    CHECK(rows->counts.damaged > 0 &&
          rendered_count(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(rows->counts_of[SYNTH_POSTS] ==
          rows->counts.questions + rows->counts.answers + rows->counts.damaged);
}

/* Even ten questions are damaged in every way that needs no answer, and the truth says
 * so. */
static void check_small(struct render *rows)
{
    for (int d = SYNTH_BAD_ENTITY; d <= SYNTH_HUGE_BODY; d++) {
        struct str name = synth_damage_name((enum synth_damage)d);
        char cell[40];
        rendered_some(10, SYNTH_CLASSIC, (enum synth_damage)d, rows);
        tap_case("damage of ten questions: %.*s", STR_ARG(name));
        CHECK(rows->counts.damaged > 0);
        snprintf(cell, sizeof cell, ",%.*s\n", STR_ARG(name));
        bool answers = d == SYNTH_ORPHAN_ANSWERS || d == SYNTH_NEGATIVE_WAIT;
        int told = rendered_count(rows->tables[SYNTH_TRUTH].ptr, cell);
        CHECK(answers ? told <= rows->counts.damaged : told > 0);
    }
    tap_case("the truth tells of a negative wait for an accepted answer");
    rendered_some(900, SYNTH_CLASSIC, SYNTH_NEGATIVE_WAIT, rows);
    CHECK(rendered_count(rows->tables[SYNTH_TRUTH].ptr, ",negative-wait\n") > 0);
    CHECK(rendered_count(rows->tables[SYNTH_TRUTH].ptr, ",negative-wait\n") <
          rows->counts.damaged);
}

static void check_bodies(struct render *rows)
{
    struct buf out = {0};

    (void)rows;
    tap_case("what damage puts into a body");
    render_damage_body(&out, SYNTH_WHOLE);
    CHECK(out.len == 0);
    render_damage_body(&out, SYNTH_BAD_ENTITY);
    CHECK(str_eq(buf_str(&out), STR(" &bogus; ")));
    buf_free(&out);
}

int main(void)
{
    struct render rows = {0};

    rendered_begin();
    check_damage(&rows);
    check_small(&rows);
    check_bodies(&rows);
    rendered_end(&rows);
    return tap_done();
}
