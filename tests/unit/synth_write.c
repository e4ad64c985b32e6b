/* Whole dumps: the same bytes for any number of threads, all files or none. */
#include "synth/synth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/tap.h"

static char folder[] = "/tmp/assay-test-XXXXXX";

static bool write_dump(const char *name, int threads, enum synth_layout layout,
                       struct arena *arena, struct synth_summary *summary,
                       struct err *err)
{
    struct synth_options options = {.folder = file_join(folder, name, arena),
                                    .questions = 1500,
                                    .background = 4000,
                                    .seed = 21,
                                    .confusion = -1,
                                    .layout = layout,
                                    .threads = threads};
    struct progress progress = {.style = PROGRESS_QUIET};

    return synth_write(&options, &progress, arena, summary, err);
}

static void remove_dump(const char *name, struct arena *arena)
{
    const char *path = file_join(folder, name, arena);

    for (int i = 0; i < SYNTH_FILES; i++)
        file_remove(file_join(path, synth_file_name((enum synth_file)i), arena));
    file_remove(file_join(path, "truth.json", arena));
    file_remove(path);
}

static void check_threads(struct arena *arena)
{
    static struct synth_summary first, other;
    struct err err = {0};
    static const enum synth_layout layouts[] = {SYNTH_CLASSIC, SYNTH_2025_COMMENT};

    for (size_t l = 0; l < ROWS(layouts); l++) {
        tap_case("the same bytes for 1, 2 and 5 threads, layout %zu", l);
        CHECK(write_dump("a", 1, layouts[l], arena, &first, &err));
        for (int threads = 2; threads <= 5; threads += 3) {
            CHECK(write_dump("a", threads, layouts[l], arena, &other, &err));
            CHECK(memcmp(first.files, other.files, sizeof first.files) == 0);
            CHECK(memcmp(&first.counts, &other.counts, sizeof first.counts) == 0);
        }
        remove_dump("a", arena);
    }
}

static void check_refusals(struct arena *arena)
{
    static struct synth_summary summary;
    struct err err = {0};
    const char *real = file_join(folder, "real", arena), *made;
    const char *posts = file_join(real, "Posts.xml", arena);
    struct str text;

    tap_case("a folder with a dump of somebody else is left alone");
    CHECK(file_make_folder(real, arena, &made, &err));
    CHECK(file_write(posts, STR("precious"), &err));
    CHECK(!write_dump("real", 1, SYNTH_CLASSIC, arena, &summary, &err));
    CHECK(err.kind == ERR_INPUT &&
          strstr(err.text, "holds Posts.xml, which assay synth did "
                           "not write") != NULL);
    CHECK(file_read(posts, arena, &text, &err) && str_eq(text, STR("precious")));
    CHECK(!file_exists(file_join(real, "Users.xml", arena)));

    tap_case("below a file there can be no folder");
    CHECK(!write_dump("real/Posts.xml/x/y", 1, SYNTH_CLASSIC, arena, &summary, &err));
    CHECK(err.kind == ERR_SYSTEM && strstr(err.text, "cannot make folder") != NULL);
    remove_dump("real", arena);

    tap_case("a failure takes away the folders that were made");
    struct synth_options options = {.folder = file_join(folder, "p/q", arena),
                                    .questions = 10,
                                    .confusion = -1,
                                    .settings = "/nonexistent.yaml"};
    struct progress progress = {.style = PROGRESS_QUIET};
    CHECK(!synth_write(&options, &progress, arena, &summary, &err));
    CHECK(!file_exists(file_join(folder, "p", arena)));
}

int main(void)
{
    struct arena arena = {0};

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    check_threads(&arena);
    check_refusals(&arena);
    rmdir(folder);
    arena_free(&arena);
    return tap_done();
}
