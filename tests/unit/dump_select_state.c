/* Where a pass stands, packed and unpacked, and bytes that are no such thing. */
#include "dump/select.h"

#include "tests/tap.h"

int main(void)
{
    struct dump_select_state state = {.taken = 3,
                                      .taken_answers = 4,
                                      .start = 500,
                                      .start_line = 6,
                                      .again = true,
                                      .health = {.questions = 9, .first_ms = ITEM_NONE}};
    struct buf packed = {0};
    int64_t parent = 8;
    struct dump_select_late late = {9, 8};

    idset_add(&state.seen, 1);
    idset_add(&state.seen, 70000);
    idset_add(&state.accepted, 2);
    idset_add(&state.split, 3);
    buf_add(&state.early_answers, (struct str){(const char *)&parent, sizeof parent});
    buf_add(&state.late_answers, (struct str){(const char *)&late, sizeof late});
    dump_select_save(&state, &packed);
    tap_case("comes back as it was");
    struct dump_select_state back = {0};
    CHECK(dump_select_load(&back, buf_str(&packed)));
    CHECK(back.taken == 3 && back.taken_answers == 4 && back.again);
    CHECK(back.start == 500 && back.start_line == 6);
    CHECK(back.health.questions == 9 && back.health.first_ms == ITEM_NONE);
    CHECK(idset_has(&back.seen, 70000) && !idset_has(&back.seen, 2));
    CHECK(idset_has(&back.accepted, 2) && !idset_has(&back.ids, 2));
    CHECK(idset_has(&back.split, 3) && !idset_has(&back.split, 2));
    CHECK(str_eq(buf_str(&back.early_answers), buf_str(&state.early_answers)));
    CHECK(str_eq(buf_str(&back.late_answers), buf_str(&state.late_answers)));
    dump_select_state_free(&back);
    CHECK(back.taken == 0);
    tap_case("cut anywhere, or longer, it is refused");
    for (size_t len = 0; len < packed.len; len++) {
        CHECK(!dump_select_load(&back, str_slice(buf_str(&packed), 0, len)));
        dump_select_state_free(&back);
    }
    buf_add_char(&packed, 'x');
    CHECK(!dump_select_load(&back, buf_str(&packed)));
    dump_select_state_free(&back);
    dump_select_state_free(&state);
    buf_free(&packed);
    return tap_done();
}
