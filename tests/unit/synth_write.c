/* Dumps written by threads, and the folder they go to. */
#include "synth/synth.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lock.h"
#include "tests/tap.h"
#include "tests/unit/simulated.h"
#include "tests/unit/studied.h"

/* Whole dumps: the same bytes for any number of threads, all files or none. */

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

    simulated_remove(path, arena);
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
        for (int threads = TAP_RACES ? 5 : 2; threads <= 5; threads += 3) {
            CHECK(write_dump("a", threads, layouts[l], arena, &other, &err));
            CHECK(memcmp(first.files, other.files, sizeof first.files) == 0);
            CHECK(memcmp(&first.counts, &other.counts, sizeof first.counts) == 0);
        }
        remove_dump("a", arena);
    }
}

/* Nothing of a dump is there, whole or partial, and no lock. */
static void check_nothing_of(const char *name, struct arena *arena)
{
    static const char *const others[] = {"truth.json", "truth.json.part", ".assay-lock"};
    const char *path = file_join(folder, name, arena);
    char part[40];

    for (int i = 0; i < SYNTH_FILES; i++) {
        const char *file = synth_file_name((enum synth_file)i);
        snprintf(part, sizeof part, "%s.part", file);
        CHECK(!file_exists(file_join(path, part, arena)));
        CHECK(!file_exists(file_join(path, file, arena)) ||
              file_is_folder(file_join(path, file, arena)));
    }
    for (size_t i = 0; i < ROWS(others); i++)
        CHECK(!file_exists(file_join(path, others[i], arena)) ||
              file_is_folder(file_join(path, others[i], arena)));
}

/* A child that puts a folder in the way as soon as writing has begun. */
static pid_t obstruct(const char *name, struct arena *arena)
{
    const char *path = file_join(folder, name, arena);
    const char *part = file_join(path, "Votes.xml.part", arena);
    const char *votes = file_join(path, "Votes.xml", arena);

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        while (!file_exists(part))
            continue;
        file_remove(votes); /* that of an earlier run */
        _exit(mkdir(votes, 0777) == 0 ? 0 : 1);
    }
    return child;
}

/* A name that cannot be given at the very end: nothing stays, and the folder is still
 * ours. */
static void check_obstruction(struct arena *arena)
{
    static struct synth_summary summary;
    static const char *const names[] = {"a new folder", "over an older dump"};
    struct err err = {0};
    int status = 0;

    for (int older = 0; older < 2; older++) {
        tap_case("a file cannot get its name: %s", names[older]);
        if (older)
            CHECK(write_dump("n", 1, SYNTH_CLASSIC, arena, &summary, &err));
        pid_t child = obstruct("n", arena);
        CHECK(!write_dump("n", 1, SYNTH_CLASSIC, arena, &summary, &err));
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        CHECK(err.kind == ERR_SYSTEM &&
              strstr(err.text, "/n/Votes.xml: Is a dir") != NULL);
        check_nothing_of("n", arena);
        file_remove(file_join(folder, "n/Votes.xml", arena));
        CHECK(write_dump("n", 1, SYNTH_CLASSIC, arena, &summary, &err));
        remove_dump("n", arena);
        CHECK(!file_exists(file_join(folder, "n", arena)));
    }
}

/* A table cannot be written: its partial file leads to a full disk. */
static void check_full_disk(struct arena *arena)
{
    static struct synth_summary summary;
    struct err err = {0};
    const char *path = file_join(folder, "full", arena), *made;

    tap_case("a disk that is full for one of the files: nothing stays");
    if (!file_exists("/dev/full")) {
        tap_skip("there is no /dev/full here");
        return;
    }
    CHECK(file_make_folder(path, arena, &made, &err));
    CHECK(symlink("/dev/full", file_join(path, "truth.csv.part", arena)) == 0);
    CHECK(!write_dump("full", 1, SYNTH_CLASSIC, arena, &summary, &err));
    CHECK(err.kind == ERR_SYSTEM && strstr(err.text, "No space left") != NULL);
    check_nothing_of("full", arena);
    CHECK(write_dump("full", 1, SYNTH_CLASSIC, arena, &summary, &err));
    remove_dump("full", arena);
}

/* Files that somebody may have in the folder, and whether that keeps us out. */
static const struct {
    const char *name, *file, *text; /* text NULL: a folder */
    const char *message;            /* NULL: written all the same */
} held[] = {
    {"Posts.xml", "Posts.xml", "x", "holds Posts.xml, which assay synth did not write"},
    {"lower case", "posts.xml", "x", "holds posts.xml, which assay synth did not write"},
    {"a truth of another program", "truth.json", "{}",
     "holds truth.json, which assay synth did not write"},
    {"a folder truth.json", "truth.json", NULL, "holds a folder truth.json"},
    {"a folder Votes.xml", "Votes.xml", NULL, "holds a folder Votes.xml"},
    {"anything else", "notes.txt", "x", NULL},
};

static void check_held(struct arena *arena)
{
    static struct synth_summary summary;
    const char *path = file_join(folder, "held", arena), *made;

    for (size_t i = 0; i < ROWS(held); i++) {
        struct err err = {0};
        const char *file = file_join(path, held[i].file, arena);
        tap_case("a folder that holds %s", held[i].name);
        CHECK(file_make_folder(held[i].text != NULL ? path : file, arena, &made, &err));
        if (held[i].text != NULL)
            CHECK(file_write(file, str_from(held[i].text), &err));
        bool ok = write_dump("held", 1, SYNTH_CLASSIC, arena, &summary, &err);
        CHECK(ok == (held[i].message == NULL));
        CHECK(ok || (err.kind == ERR_INPUT && strstr(err.text, held[i].message) != NULL));
        CHECK(file_exists(file));
        file_remove(file);
        if (!ok)
            check_nothing_of("held", arena);
        remove_dump("held", arena);
        CHECK(!file_exists(path));
    }
    tap_case("a run that was killed while it gave names leaves a folder that is ours");
    struct err err = {0};
    CHECK(file_make_folder(path, arena, &made, &err));
    CHECK(file_write(file_join(path, "Posts.xml", arena), STR("half"), &err));
    CHECK(file_write(file_join(path, "truth.json.part", arena),
                     STR("{\n  \"made_by\": \"assay synth\",\n"), &err));
    CHECK(write_dump("held", 1, SYNTH_CLASSIC, arena, &summary, &err));
    remove_dump("held", arena);
    CHECK(!file_exists(path));
}

/* The lock is held by a child: a process does not lock itself out. */
static void check_lock(struct arena *arena)
{
    static struct synth_summary summary;
    struct err err = {0};
    const char *path = file_join(folder, "locked", arena), *made;
    int ready[2], done[2], status;
    char byte = 0;

    tap_case("two runs in one folder: the second is refused");
    CHECK(file_make_folder(path, arena, &made, &err));
    CHECK(pipe(ready) == 0 && pipe(done) == 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct lock lock;
        if (!lock_take(file_join(path, ".assay-lock", arena), "assay synth", &lock, &err))
            _exit(1);
        _exit(write(ready[1], &byte, 1) == 1 && read(done[0], &byte, 1) == 1 ? 0 : 1);
    }
    CHECK(read(ready[0], &byte, 1) == 1);
    CHECK(!write_dump("locked", 1, SYNTH_CLASSIC, arena, &summary, &err));
    CHECK(err.kind == ERR_SYSTEM && strstr(err.text, "held by process") != NULL);
    CHECK(file_exists(file_join(path, ".assay-lock", arena)));
    CHECK(!file_exists(file_join(path, "Posts.xml.part", arena)));
    CHECK(write(done[1], &byte, 1) == 1);
    waitpid(child, &status, 0);
    tap_case("a lock that a killed run left behind is no obstacle and goes");
    CHECK(write_dump("locked", 1, SYNTH_CLASSIC, arena, &summary, &err));
    CHECK(!file_exists(file_join(path, ".assay-lock", arena)));
    remove_dump("locked", arena);
    for (int i = 0; i < 2; i++)
        close(ready[i]), close(done[i]);
}

/* Planning has a line of its own, and writing its own clock and rows. */
static void check_progress(struct arena *arena)
{
    static struct synth_summary summary;
    struct synth_options options = {.folder = file_join(folder, "p", arena),
                                    .questions = 3000,
                                    .confusion = -1,
                                    .threads = 1};
    const char *log = file_join(folder, "log", arena);
    struct progress progress = {.style = PROGRESS_TERMINAL, .what = "writing"};
    struct err err = {0};
    struct str text = {0};
    int64_t rows = -1; /* that of the Community user is not counted */

    tap_case("progress of planning and of writing");
    progress.descriptor = open(log, O_RDWR | O_CREAT, 0600);
    CHECK(synth_write(&options, &progress, arena, &summary, &err));
    close(progress.descriptor);
    CHECK(file_read(log, arena, &text, &err));
    CHECK(str_starts(text, STR("\rplanning: 0 B, ")));
    CHECK(strcmp(progress.what, "writing") == 0);
    for (int i = 0; i < SYNTH_FILES; i++)
        rows += summary.files[i].rows;
    CHECK(progress.rows == rows);
    file_remove(log);
    remove_dump("p", arena);
}

static void check_cut(struct arena *arena)
{
    static struct synth_summary summary;
    struct progress progress = {.style = PROGRESS_QUIET};

    for (int layout = 0; layout <= SYNTH_2025_COMMENT; layout++) {
        struct synth_options options = {.folder = file_join(folder, "c", arena),
                                        .questions = 50,
                                        .confusion = -1,
                                        .layout = (enum synth_layout)layout,
                                        .damage = SYNTH_CUT_FILE,
                                        .threads = 1};
        struct err err = {0};
        struct str text = {0};
        tap_case("layout %d: the last row is cut, the others are whole", layout);
        CHECK(synth_write(&options, &progress, arena, &summary, &err));
        CHECK(summary.counts.damaged == 1);
        CHECK(file_read(file_join(folder, "c/Posts.xml", arena), arena, &text, &err));
        int64_t begun = 0, whole = 0;
        struct str line;
        for (bool more = true; more;) {
            more = str_cut(&text, '\n', &line);
            begun += str_starts(line, STR("  <row "));
            whole += str_starts(line, STR("  <row ")) && more;
        }
        CHECK(begun == whole + 1 && whole == summary.files[SYNTH_POSTS].rows);
        remove_dump("c", arena);
    }
}

static void check_names(void)
{
    tap_case("every layout and damage has a name");
    CHECK(str_eq(synth_layout_name(SYNTH_CLASSIC), STR("classic")));
    CHECK(str_eq(synth_layout_name(SYNTH_2025_COMMENT), STR("2025-comment")));
    CHECK(str_eq(synth_damage_name(SYNTH_WHOLE), STR("none")));
    CHECK(str_eq(synth_damage_name(SYNTH_CUT_FILE), STR("cut-file")));
    CHECK(str_eq(synth_damage_name(SYNTH_NEGATIVE_WAIT), STR("negative-wait")));
    CHECK(str_eq(synth_damage_name(SYNTH_HUGE_BODY), STR("huge-body")));
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
    tap_case("also when the folder's name ends with a slash and the disk refuses");
    options.settings = NULL;
    options.folder = file_join(folder, "p/q/", arena);
    options.threads = 1;
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 2000;
    fflush(stdout);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    bool written = synth_write(&options, &progress, arena, &summary, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(!written && strstr(err.text, "File too large") != NULL);
    CHECK(!file_exists(file_join(folder, "p", arena)));
}

static void test_write(void)
{
    struct arena arena = {0};

    if (mkdtemp(folder) == NULL) {
        puts("Bail out! no temporary folder");
        exit(1);
    }
    check_threads(&arena);
    check_refusals(&arena);
    check_obstruction(&arena);
    check_full_disk(&arena);
    check_held(&arena);
    check_lock(&arena);
    if (!TAP_RACES) {
        check_progress(&arena);
        check_cut(&arena);
    }
    check_names();
    tap_case("nothing was left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
}

/* Folders that a simulated dump may go to, and those it may not. Whole runs are in
 * synth_write. */

static const struct {
    const char *name, *file, *text; /* text NULL: a folder of that name */
    const char *error;              /* NULL: it may */
} folder_rows[] = {
    {"an empty one", NULL, "", NULL},
    {"with other files", "notes.txt", "mine", NULL},
    {"with a dump", "Posts.xml", "<posts>",
     "holds Posts.xml, which assay synth did not write"},
    {"with a dump in lower case", "posts.xml", "<posts>", "holds posts.xml"},
    {"with a truth of others", "truth.json", "{}", "holds truth.json"},
    {"with a truth of ours", "truth.json", "{\n  \"made_by\": \"assay synth 0\"", NULL},
    {"with a folder where a file must be", "Tags.xml", NULL, "holds a folder Tags.xml"},
};

static void test_write_folder(void)
{
    for (size_t i = 0; i < ROWS(folder_rows); i++) {
        struct studied test;
        const char *made;
        tap_case("%s", folder_rows[i].name);
        if (!studied_begin(&test))
            break;
        if (folder_rows[i].file != NULL && folder_rows[i].text != NULL)
            studied_write(&test, folder_rows[i].file, folder_rows[i].text);
        if (folder_rows[i].text == NULL)
            CHECK(file_make_folder(studied_path(&test, folder_rows[i].file), &test.arena,
                                   &made, &test.err));
        CHECK(synth_folder_check(test.folder, &test.arena, &test.err) ==
              (folder_rows[i].error == NULL));
        CHECK(folder_rows[i].error == NULL ||
              strstr(test.err.text, folder_rows[i].error) != NULL);
        bool simulated, ours = strcmp(folder_rows[i].name, "with a truth of ours") == 0;
        CHECK(
            synth_folder_is_simulated(test.folder, &test.arena, &simulated, &test.err) &&
            simulated == ours);
        struct lock lock;
        CHECK(synth_folder_lock(studied_path(&test, ".assay-lock"), &lock, &test.err));
        lock_release(&lock);
        studied_end(&test);
    }
}

int main(void)
{
    test_write();
    test_write_folder();
    return tap_done();
}
