/* What stands under a key: in which form it is given, and nothing of another form. */
#include "study/internal.h"

#include "tests/unit/refused.h"

static const struct refused_row rows[] = {
    {"$data without a folder for it", "study: s\nsource: {stackexchange: $data/d}\n",
     "s.yaml:2:25: '$data/d' needs a folder for $data: give --data DIR, or set "
     "ASSAY_DATA\n"},
};

static const char text[] = REFUSED_HEAD "title: T\nsets: {a: '[x]', b: '[y]'}\n";

static void check_values(struct study_reader *reader, const struct yaml_node *root)
{
    const struct yaml_node *sets = study_read_section(reader, "sets");
    struct study_pair *pairs;
    struct str *texts;
    size_t count;

    tap_case("a text, and nothing of a mapping");
    CHECK(str_eq(study_read_text(root, "title"), STR("T")) &&
          study_read_is(root, "title", "T"));
    CHECK(study_read_text(root, "sets").len == 0 &&
          study_read_text(root, "none").len == 0);
    CHECK(study_read_number(root, "title", 7) == 7);
    tap_case("one text or several");
    texts = study_read_texts(reader, yaml_get(root, STR("title")), &count);
    CHECK(count == 1 && str_eq(texts[0], STR("T")));
    study_read_texts(reader, NULL, &count);
    CHECK(count == 0);
    tap_case("a section, and an empty one");
    CHECK(sets->count == 2 && str_eq(study_read_item(sets, 1), STR("[y]")));
    CHECK(study_read_section(reader, "tables")->count == 0);
    pairs = study_read_pairs(reader, sets, &count);
    CHECK(count == 2 && str_eq(pairs[0].key, STR("a")));
    CHECK(str_eq(pairs[0].value, STR("[x]")));
}

int main(void)
{
    struct arena arena = {0};
    struct study_options options = {"/data"};
    struct study study;

    refused_check(rows, ROWS(rows));
    if (refused_not(text, &arena, &study)) {
        struct study_reader reader = {.study = &study,
                                      .options = &options,
                                      .arena = &arena,
                                      .problems = {.path = "s.yaml", .arena = &arena}};
        struct buf problems = {0};
        struct err err = {0};
        check_values(&reader, &study.root);
        tap_case("paths");
        CHECK_TEXT(study_read_path(&reader, &study.root, STR("d")), "x/d");
        CHECK_TEXT(study_read_path(&reader, &study.root, STR("/d")), "/d");
        CHECK_TEXT(study_read_path(&reader, &study.root, STR("$data/d")), "/data/d");
        tap_case("complaints are counted");
        CHECK(study_read_report(&reader, &problems, &err) && problems.len == 0);
        study_keys_complain(&reader.problems, &study.root, "no");
        CHECK(!study_read_report(&reader, &problems, &err));
        CHECK_TEXT(err.text, "s.yaml: 1 error; nothing was run");
        buf_free(&problems);
    }
    arena_free(&arena);
    return tap_done();
}
