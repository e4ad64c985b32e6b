/* The page behind a number: what it is made of, where its items come from, which they
 * are; nothing that posts hold gets out of its place. */
#include "tests/unit/paged.h"

static const struct report_page_span spans[] = {
    {.rater = STR_INIT("ann"),
     .code = STR_INIT("model"),
     .place = STR_INIT("body@3-9"),
     .quote = STR_INIT("<slow>\n")},
    {.rater = STR_INIT("bob"), .place = STR_INIT("title@0-4")},
};

static const struct report_page_item items[] = {
    {.id = 7,
     .value = 12.5,
     .title = STR_INIT("<script>x</script>"),
     .license = STR_INIT("CC BY-SA 4.0"),
     .spans = spans,
     .span_count = ROWS(spans)},
    {.id = (INT64_C(1) << ITEM_SPACE_BITS) + 8,
     .value = 1300,
     .title = STR_INIT("another site"),
     .license = STR_INIT("CC BY-SA 3.0")},
    {.id = (INT64_C(2) << ITEM_SPACE_BITS) + 9, .value = NAN, .title = STR_INIT("a row")},
    {.id = 10, .value = NAN, .title = STR_INIT("a commit"), .paged = true},
};

static const struct item_space spaces[] = {
    {STR_INIT("so"), STR_INIT("stackoverflow.com"), 0, NULL},
    {STR_INIT("ai"), STR_INIT("ai.stackexchange.com"), 1, NULL},
    {STR_INIT("bugs"), STR_INIT(""), 2, NULL},
};

static void check_share(const struct study *study, struct buf *out)
{
    struct study several = *study;
    struct result_list list = {.row = STR("x"),
                               .what = STR("items without an accepted answer"),
                               .csv = STR("items/t/4.csv"),
                               .count = 200,
                               .number = 4};
    struct result_list whole = {.number = 2}, other = {.number = 3};
    struct result_column columns[] = {
        {.type = RESULT_SHARE, .digits = 2, .name = STR("share <without>")},
        {.type = RESULT_COUNT, .name = STR("elsewhere")}};
    struct result_row names[] = {{.name = STR("a")}, {.name = STR("b")}};
    struct result_cell cells[4] = {{.value = NAN},
                                   {.value = NAN},
                                   {.value = 200.0 / 3000,
                                    .low = 0.06,
                                    .high = 0.072,
                                    .n = 3000,
                                    .count = 200,
                                    .counted = true,
                                    .mark = 'a',
                                    .list = &list,
                                    .whole = &whole,
                                    .words = "items of the group"},
                                   {.value = 1, .list = &other}};
    struct result_table table = {.columns = columns,
                                 .column_count = 2,
                                 .rows = names,
                                 .row_count = 2,
                                 .cells = cells};
    struct report_page_rows rows = {.study = &several,
                                    .table = &study->tables[0],
                                    .step = STR("tables.t"),
                                    .section = "tables",
                                    .name = study->tables[0].name,
                                    .node = study->tables[0].node,
                                    .root = "../../",
                                    .anchor = STR("table-t"),
                                    .list = &list,
                                    .result = &table,
                                    .items = items,
                                    .count = ROWS(items)};

    several.spaces =
        (struct item_spaces){.at = spaces, .count = ROWS(spaces), .several = true};
    report_page_rows(&rows, out);
    tap_case("a share names numerator and denominator, and leads to the latter");
    CHECK(paged_holds(out,
                      "<tr id=\"c2\"><th scope=\"row\">share &lt;without&gt;</th><td>"
                      "6.67% [6.00, 7.20]</td><td class=\"words\">200 of <a "
                      "href=\"2.html\">3,000</a> items of the group</td>"));
    CHECK(!paged_holds(out, "elsewhere"));
    tap_case("how many there are, and where all of them stand");
    CHECK(paged_holds(out, "200 items without an accepted answer</p>"));
    CHECK(paged_holds(out, "Number 1 to 4 of 200, in the order of ids. <a "
                           "href=\"../../../items/t/4.csv\">All as csv</a>"));
    tap_case("the set with its query, the step and its section");
    CHECK(paged_holds(out,
                      "in the set <a href=\"../../sets/x.html\"><strong>x</strong></a>: "
                      "<code>[x] score:5..</code>"));
    CHECK(paged_holds(out, "step <code>tables.t</code>") &&
          paged_holds(out, "made by <code>tables.t</code>"));
    tap_case("titles are escaped, posts lead to their own site and bear a licence");
    CHECK(paged_holds(out, "<a href=\"https://stackoverflow.com/q/7\">so:7</a></td><td "
                           "class=\"words\">&lt;script&gt;x"));
    CHECK(!paged_holds(out, "<script>x") && paged_holds(out, "CC BY-SA 4.0"));
    CHECK(paged_holds(out, "https://ai.stackexchange.com/q/8"));
    tap_case("what raters marked stands with it");
    CHECK(paged_holds(out,
                      "<ul class=\"evidence\">\n<li>ann, model, <span class=\"soft\">"
                      "body@3-9</span>: <q>&lt;slow&gt;</q></li>\n<li>bob, <span "
                      "class=\"soft\">title@0-4</span></li>\n</ul>"));
    tap_case("what is no post has no link");
    CHECK(paged_holds(out,
                      "<td class=\"words\">bugs:9</td><td class=\"words\">a row</td>"));
    tap_case("an item with a page of its own leads there");
    CHECK(paged_holds(out, "<a href=\"../../items/10.html\">so:10</a>"));
    buf_clear(out);
    table.apart = true;
    report_page_rows(&rows, out);
    tap_case("where several rows rest on one list, the row is named");
    CHECK(paged_holds(out, "<th scope=\"row\">b: share &lt;without&gt;</th>"));
    buf_clear(out);
}

/* Ids of simulated posts are those of unrelated questions. */
static void check_simulated(const struct study *study, struct buf *out)
{
    struct study simulated = *study;
    struct result_list list = {
        .row = STR("p"), .what = STR("items"), .csv = STR("samples/p.csv"), .count = 4};
    struct report_page_rows rows = {.study = &simulated,
                                    .section = "samples",
                                    .name = STR("p"),
                                    .node = study->samples[0].node,
                                    .root = "../",
                                    .list = &list,
                                    .items = items,
                                    .count = ROWS(items)};

    simulated.simulated = true;
    report_page_rows(&rows, out);
    tap_case("simulated posts have neither link nor licence, and are said to be made up");
    CHECK(paged_holds(out, "<td class=\"words\">7</td>"));
    CHECK(!paged_holds(out, "https://") && !paged_holds(out, "CC BY-SA"));
    CHECK(paged_holds(out, "The posts are simulated"));
    buf_clear(out);
}

static void check_values(const struct study *study, struct buf *out)
{
    const struct study_table *table = &study->tables[1];
    struct result_list list = {.row = STR("y\n2018"),
                               .across = STR("B"),
                               .what = STR("items with a value of minutes"),
                               .value = STR("minutes"),
                               .count = 3000,
                               .from = 450};
    struct report_page_rows rows = {.study = study,
                                    .table = table,
                                    .section = "tables",
                                    .name = table->name,
                                    .node = table->node,
                                    .root = "../../",
                                    .list = &list,
                                    .items = items,
                                    .count = ROWS(items)};

    report_page_rows(&rows, out);
    tap_case("the groups of a row, the group across");
    CHECK(paged_holds(out, "<h1>n: y, 2018, B</h1>"));
    CHECK(paged_holds(out,
                      "<strong>y</strong></a>: <code>[y]</code></li>\n<li><code>year"
                      "</code> is <strong>2018</strong></li>\n<li><code>tag</code> is "
                      "<strong>B</strong></li>"));
    CHECK(paged_holds(out, "made by <code>groups.tag</code>"));
    tap_case("values stand in their order, beside their places");
    CHECK(paged_holds(out, "Number 451 to 454 of 3,000, in the order of minutes"));
    CHECK(paged_holds(out, "<tr><td>451</td>") &&
          paged_holds(out, "<td data-value=\"12.5\">12.50</td>") &&
          paged_holds(out, "<td data-value=\"1300\">1,300</td>") &&
          paged_holds(out, "<td>still waits</td>"));
    tap_case("a list without a csv says why");
    CHECK(paged_holds(out,
                      "There is no csv of all: this and the other lists of <code></code> "
                      "are too long together."));
    buf_clear(out);
}

static void check_sample(const struct study *study, struct buf *out)
{
    struct result_list list = {
        .row = STR("p"), .what = STR("items"), .csv = STR("samples/p.csv"), .count = 4};
    struct report_page_rows rows = {.study = study,
                                    .section = "samples",
                                    .name = STR("p"),
                                    .node = study->samples[0].node,
                                    .root = "../",
                                    .list = &list,
                                    .items = items,
                                    .count = ROWS(items)};

    report_page_rows(&rows, out);
    tap_case("a sample: all of it, in the order of the draw");
    CHECK(paged_holds(out, "All of them, in the order of the draw. <a "
                           "href=\"../../samples/p.csv\">"));
    CHECK(paged_holds(out, "in the sample <strong>p</strong> of x"));
    CHECK(!paged_holds(out, "Numbers that rest"));
}

static void check_funnel(const struct study *study, struct buf *out)
{
    struct result_list list = {.row = STR("score:5.."),
                               .across = STR("taken out"),
                               .what = STR("items that do not"),
                               .count = 3};
    struct report_page_rows rows = {.study = study,
                                    .section = "sets",
                                    .name = STR("x"),
                                    .node = study->sets[0].node,
                                    .root = "../../",
                                    .list = &list,
                                    .items = items,
                                    .count = ROWS(items)};

    buf_clear(out);
    report_page_rows(&rows, out);
    tap_case("what a condition took out leads to its set");
    CHECK(paged_holds(out, "<h1>x: score:5.., taken out</h1>"));
    CHECK(paged_holds(out, "on the way to what is in the set <a "
                           "href=\"../../sets/x.html\"><strong>x</strong></a>"));
}

static void check_side(const struct study *study, struct buf *out)
{
    struct result_list list = {.row = STR("y"), .what = STR("items"), .count = 3};
    struct str compare[] = {STR("x"), STR("y")};
    struct study_test test = study->tests[0];
    struct report_page_rows rows = {.study = study,
                                    .test = &test,
                                    .section = "tests",
                                    .name = test.name,
                                    .node = test.node,
                                    .root = "../../",
                                    .list = &list,
                                    .items = items,
                                    .count = ROWS(items)};

    test.compare = compare;
    test.compare_count = 2;
    buf_clear(out);
    report_page_rows(&rows, out);
    tap_case("a side of a test is a set");
    CHECK(paged_holds(out, "in the set <a href=\"../../sets/y.html\">"));
    test.compare_count = 0;
    test.of = STR("x");
    test.by = 1;
    list.row = STR("B");
    buf_clear(out);
    report_page_rows(&rows, out);
    tap_case("or a group of one");
    CHECK(paged_holds(out, "in the set <a href=\"../../sets/x.html\">"));
    CHECK(paged_holds(out, "<code>tag</code> is <strong>B</strong>"));
}

static void check_shown(const struct study *study, struct buf *out)
{
    struct study_labelling labelling = {.name = STR("bugs"),
                                        .node = study->tables[0].node};
    struct study with = *study;
    struct study_table table = study->tables[0];
    struct result_list list = {
        .row = STR("crash"), .across = STR("slow"), .what = STR("items"), .count = 3};
    struct report_page_rows rows = {.study = &with,
                                    .table = &table,
                                    .section = "tables",
                                    .name = table.name,
                                    .node = table.node,
                                    .root = "../../",
                                    .list = &list,
                                    .items = items,
                                    .count = ROWS(items)};

    with.labellings = &labelling;
    table.maker = STUDY_BY_LABELLING;
    table.show = STR("confusion");
    buf_clear(out);
    report_page_rows(&rows, out);
    tap_case("a table that shows a step names what it shows, and the step");
    CHECK(paged_holds(out, "<strong>crash, slow</strong> in <code>confusion</code>"));
    CHECK(paged_holds(out, "made by <code>labelling.bugs</code>"));
}

int main(void)
{
    struct arena arena = {0};
    struct buf out = {0};
    struct study study;

    if (paged_study(PAGED_STUDY, &arena, &study)) {
        check_share(&study, &out);
        check_simulated(&study, &out);
        check_values(&study, &out);
        check_sample(&study, &out);
        check_funnel(&study, &out);
        check_side(&study, &out);
        check_shown(&study, &out);
    }
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
