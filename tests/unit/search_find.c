/* An index of a few items: what is near to what, and by how much. */
#include "search/search.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/rng.h"
#include "item/item.h"
#include "tests/tap.h"

static const struct {
    const char *title, *prose, *code, *tags;
    bool solved;
} posts[] = {
    {"cats and dogs", "my cat purrs", "", "<animals>", true},
    {"dogs", "a dog barks at a cat", "", "<animals>", false},
    {"loading a model fails", "it fails", "ValueError: bad magic number 3", "<keras>",
     true},
    {"what is this", "no idea", "ValueError: bad magic number 77", "", true},
    {"slow training", "slow",
     "File \"/a/b/train.py\", line 3, in fit\nFile \"/c/net.py\", line 4, in forward", "",
     true},
    {"birds", "a bird sings", "", "", false},
    {"QGISで地図に画像を読み込めない",
     "プロジェクトを開いたときに"
     "座標系の設定が消えてしまい"
     "毎回あらためて指定します",
     "", "", true},
    {"地図の色", "塗りつぶし", "", "", true},
    {"tf.nn.conv2dを使うとエラー", "画像_arrayを読む", "", "", true},
};

static struct learn_parts parts_of(const char *title, const char *prose, const char *code,
                                   const char *tags)
{
    return (struct learn_parts){{[LEARN_PARTS_TITLE] = str_from(title),
                                 [LEARN_PARTS_PROSE] = str_from(prose),
                                 [LEARN_PARTS_CODE] = str_from(code),
                                 [LEARN_PARTS_TAGS] = str_from(tags)}};
}

static bool build(const char *path, struct err *err)
{
    struct learn_vectors none = {0};
    struct search_builder *builder = search_builder_new(&none, 1);
    bool ok = true;

    for (size_t i = 0; i < ROWS(posts) && ok; i++) {
        struct learn_parts parts =
            parts_of(posts[i].title, posts[i].prose, posts[i].code, posts[i].tags);
        struct search_item item = {
            .id = 100 + (int64_t)i, .resolved = posts[i].solved, .wait_ms = ITEM_NONE};
        ok = search_builder_add(builder, &item, &parts, 1, err);
    }
    ok = ok && search_builder_write(builder, 42, path, err);
    search_builder_free(builder);
    return ok;
}

/* Texts of changing lengths over a few hundred words, in blocks of so many. */
static bool build_many(const char *path, int threads, size_t block, struct err *err)
{
    enum { MANY = 3000 };
    struct arena arena = {0};
    struct rng rng = rng_seeded(5);
    struct learn_vectors none = {0};
    struct search_builder *builder = search_builder_new(&none, threads);
    struct search_item *items = arena_array(&arena, struct search_item, MANY);
    struct learn_parts *texts = arena_array(&arena, struct learn_parts, MANY);
    bool ok = true;

    for (size_t i = 0; i < MANY; i++) {
        struct buf prose = {0};
        for (uint64_t w = rng_below(&rng, 40); w > 0; w--)
            buf_add_format(&prose, "word%d ", (int)rng_below(&rng, 300));
        items[i] = (struct search_item){.id = (int64_t)i, .wait_ms = ITEM_NONE};
        texts[i].at[LEARN_PARTS_PROSE] = buf_keep(&prose, &arena);
    }
    for (size_t i = 0; i < MANY && ok; i += block)
        ok = search_builder_add(builder, items + i, texts + i,
                                block < MANY - i ? block : MANY - i, err);
    ok = ok && search_builder_write(builder, 42, path, err);
    search_builder_free(builder);
    arena_free(&arena);
    return ok;
}

static const struct {
    const char *name;
    const char *title, *prose, *code, *tags;
    int64_t without, nearest, solved; /* 0: none */
} asked[] = {
    {"a stem", "barking", "", "", "", ITEM_NONE, 101, 0},
    {"only what is solved", "dog", "", "", "", ITEM_NONE, 101, 100},
    {"a message without its number", "", "", "ValueError: bad magic number 9", "",
     ITEM_NONE, 103, 103},
    {"the item itself is left out", "", "", "ValueError: bad magic number 9", "", 103,
     102, 102},
    {"a frame", "", "", "File \"/elsewhere/net.py\", line 99, in forward", "", ITEM_NONE,
     104, 104},
    {"a tag is no word", "", "", "", "<keras>", ITEM_NONE, 102, 102},
    {"nothing known", "zebra", "", "", "", ITEM_NONE, 0, 0},
    {"letters of a clause without blanks", "画像の読み込み", "", "", "", ITEM_NONE, 106,
     106},
    {"a name among them", "qgis 3", "", "", "", ITEM_NONE, 106, 106},
    {"a part of a name among them", "conv2d", "", "", "", ITEM_NONE, 108, 108},
    {"a name joined to a clause", "array", "", "", "", ITEM_NONE, 108, 108},
    {"of a clause longer than a word may be", "座標系", "", "", "", ITEM_NONE, 106, 106},
    {"one letter alone", "色", "", "", "", ITEM_NONE, 0, 0},
    {"other letters", "音楽", "", "", "", ITEM_NONE, 0, 0},
    {"stop words", "this is the", "", "", "", ITEM_NONE, 0, 0},
    {"nothing", "", "", "", "", ITEM_NONE, 0, 0},
};

/* Packed in bytes, components of a vector are rounded: 145 alike of 1/sqrt(145) are 10.55
 * of 127, and packed 11, so that the sum of their squares is 1.088 times that of 127. */
static void check_cosines(const char *path, struct search_found *found,
                          struct arena *arena, struct err *err)
{
    enum { WIDE = 145 };
    static float at[2 * WIDE];
    struct learn_vectors vectors = {.dimensions = WIDE, .at = at};
    struct search_reader reader = {.arena = arena};
    struct search_index index;

    for (size_t d = 0; d < WIDE; d++) {
        at[d] = 0.1F;
        at[WIDE + d] = d % 3 == 0 ? -0.07F : 0.12F;
    }
    learn_features_put(&vectors.words, LEARN_PARTS_TITLE, LEARN_FEATURES_WORD,
                       STR("alpha"), NULL);
    learn_features_put(&vectors.words, LEARN_PARTS_TITLE, LEARN_FEATURES_WORD,
                       STR("beta"), NULL);
    struct search_builder *builder = search_builder_new(&vectors, 1);
    struct search_item items[] = {{.id = 1, .wait_ms = ITEM_NONE},
                                  {.id = 2, .wait_ms = ITEM_NONE}};
    struct learn_parts texts[] = {parts_of("alpha", "", "", ""),
                                  parts_of("beta", "alpha", "", "")};
    tap_case("cosines of packed vectors");
    CHECK(search_builder_add(builder, items, texts, 2, err) &&
          search_builder_write(builder, 43, path, err) && search_open(path, &index, err));
    search_builder_free(builder);
    CHECK(search_find(&index, &reader, &texts[0], ITEM_NONE, found, err));
    CHECK(found->all.count == 2 && found->all.at[0].item.id == 1);
    tap_case("of a text with itself it is 1, and so is the score");
    CHECK_NEAR(found->all.at[0].cosine, 1, 1e-12);
    CHECK(found->all.at[0].cosine <= 1 && found->all.at[0].score <= 1);
    tap_case("of others it is that of the vectors, as near as bytes have it");
    CHECK(found->all.at[1].cosine > 0.5 && found->all.at[1].cosine < 1);
    search_close(&index);
    search_reader_free(&reader);
    learn_features_table_free(&vectors.words);
}

int main(void)
{
    struct arena arena = {0};
    struct search_reader reader = {.arena = &arena};
    struct search_index index;
    struct search_found *found = arena_array(&arena, struct search_found, 1);
    struct err err = {0};
    const char *folder, *path, *second;
    struct str one, two;

    if (!file_make_temporary(&arena, &folder, &err))
        return 1;
    path = file_join(folder, "a.index", &arena);
    second = file_join(folder, "b.index", &arena);
    tap_case("an index is written and read");
    CHECK(build(path, &err) && build(second, &err) && search_open(path, &index, &err));
    CHECK(search_key(&index) == 42);
    tap_case("the same items give the same bytes");
    CHECK(file_read(path, &arena, &one, &err) && file_read(second, &arena, &two, &err) &&
          str_eq(one, two));
    tap_case("threads and blocks change nothing");
    CHECK(build_many(second, 1, 1, &err) && file_read(second, &arena, &one, &err) &&
          build_many(second, 3, 1000, &err) && file_read(second, &arena, &two, &err) &&
          str_eq(one, two) && one.len > 50000);
    CHECK(file_read(path, &arena, &one, &err));
    for (size_t i = 0; i < ROWS(asked); i++) {
        tap_case("%s", asked[i].name);
        struct learn_parts parts =
            parts_of(asked[i].title, asked[i].prose, asked[i].code, asked[i].tags);
        CHECK(search_find(&index, &reader, &parts, asked[i].without, found, &err));
        CHECK((found->all.count > 0 ? found->all.at[0].item.id : 0) == asked[i].nearest);
        CHECK((found->resolved.count > 0 ? found->resolved.at[0].item.id : 0) ==
              asked[i].solved);
    }
    tap_case("nearness by hand");
    /* "bird" stands in one item of 6: title 3 and prose 1 of its length 5 ("sings" is the
     * rest). The mean length of the six is what the index has. The question has it once
     * in its title, and is as long: 3. Weights: 3 + 1 = 4; BM25 with 1.2 and 0.75. A byte
     * holds the item's share: hence 1/255. */
    {
        struct learn_parts parts = parts_of("bird", "", "", "");
        double lengths = 0;
        CHECK(search_find(&index, &reader, &parts, ITEM_NONE, found, &err));
        const struct search_item *items =
            (const struct search_item *)(const void *)(index.bytes.ptr + 96);
        for (size_t i = 0; i < ROWS(posts); i++)
            lengths += (double)items[i].length;
        double mean = lengths / (double)ROWS(posts);
        double item = 4 / (4 + 1.2 * (0.25 + 0.75 * 5 / mean)),
               own = 3 / (3 + 1.2 * (0.25 + 0.75 * 3 / mean));
        CHECK_NEAR((double)items[5].length, 5, 0);
        CHECK_NEAR(found->all.at[0].words, item / own > 1 ? 1 : item / own, 1.0 / 255);
        CHECK(isnan(found->all.at[0].cosine));
    }
    search_close(&index);
    check_cosines(second, found, &arena, &err);
    tap_case("a cut file is damaged");
    CHECK(file_write(second, str_slice(one, 0, one.len - 8), &err) &&
          !search_open(second, &index, &err) && err.kind == ERR_INPUT);
    tap_case("another file is none");
    CHECK(file_write(second, STR("hello"), &err) && !search_open(second, &index, &err) &&
          err.kind == ERR_INPUT);
    tap_case("an absent file");
    CHECK(!search_open("/dev/null/x", &index, &err) && err.kind == ERR_SYSTEM);
    file_remove_temporary(folder);
    search_reader_free(&reader);
    arena_free(&arena);
    return tap_done();
}
