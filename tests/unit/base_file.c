/* Reading whole files, and writing them whole or not at all, whatever the disk does. */
#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include "tests/tap.h"

static const size_t sizes[] = {0,      1,      16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1,
                               100000, 1 << 20};

static struct arena arena;

static struct str pattern(size_t size)
{
    char *bytes = arena_array(&arena, char, size);

    for (size_t b = 0; b < size; b++)
        bytes[b] = (char)(b % 251);
    return (struct str){bytes, size};
}

/* The file's bytes are these, and no PATH.part lies beside it. */
static void check_holds(const char *path, struct str want)
{
    struct err err = {0};
    struct str text = {0};
    char part[100];

    CHECK(file_read(path, &arena, &text, &err));
    CHECK(str_eq(text, want));
    CHECK(file_size(path) == (int64_t)want.len);
    snprintf(part, sizeof part, "%s.part", path);
    CHECK(!file_exists(part));
}

static void check_reading(void)
{
    struct err err = {0};
    struct str text = {0};
    uint64_t hash;

    for (size_t i = 0; i < ROWS(sizes); i++) {
        tap_case("write and read %zu bytes", sizes[i]);
        struct str bytes = pattern(sizes[i]);
        CHECK(file_write("whole", bytes, &err));
        check_holds("whole", bytes);
        CHECK(file_hash("whole", &hash, &err) &&
              hash == XXH3_64bits(bytes.ptr, bytes.len));
    }
    CHECK(file_write("whole", pattern(700001), &err) && file_hash("whole", &hash, &err) &&
          hash == XXH3_64bits(pattern(700001).ptr, 700001));
    file_remove("whole");
    tap_case("a folder is not a file");
    CHECK(!file_read(".", &arena, &text, &err));
    CHECK_TEXT(err.text, "cannot read .: Is a directory");
    err = (struct err){0};
    CHECK(!file_hash(".", &hash, &err));
    CHECK_TEXT(err.text, "cannot read .: Is a directory");
    CHECK(err.kind == ERR_SYSTEM);
    tap_case("a file that is not there");
    CHECK(!file_read("absent", &arena, &text, &err));
    CHECK_TEXT(err.text, "cannot read absent: No such file or directory");
    err = (struct err){0};
    CHECK(!file_hash("absent", &hash, &err));
    CHECK_TEXT(err.text, "cannot read absent: No such file or directory");
    CHECK(!file_exists("absent") && file_size("absent") == -1);
    tap_case("removing what is not there is silent");
    file_remove("absent");
    tap_case("a file that may not be larger");
    CHECK(file_write("large", pattern(20000), &err));
    CHECK(file_read_max("large", 20000, &arena, &text, &err) && text.len == 20000);
    CHECK(!file_read_max("large", 19999, &arena, &text, &err));
    CHECK_TEXT(err.text, "large: expected at most 19999 bytes, found more");
    CHECK(err.kind == ERR_INPUT);
    CHECK(!file_read_max("/dev/zero", 1 << 20, &arena, &text, &err));
    file_remove("large");
}

static void check_rename(void)
{
    struct err err = {0};
    const char *made;

    tap_case("a folder gets its name with all that is in it");
    CHECK(file_make_folder("p.part", &arena, &made, &err) &&
          file_write("p.part/x", STR("x"), &err));
    CHECK(file_rename("p.part", "p", &err));
    CHECK(!file_exists("p.part") && file_exists("p/x"));
    tap_case("it takes the place of no other folder");
    CHECK(file_make_folder("q", &arena, &made, &err) &&
          file_write("q/y", STR("y"), &err));
    CHECK(!file_rename("p", "q", &err) && err.kind == ERR_SYSTEM);
    CHECK(file_exists("p/x") && file_exists("q/y"));
    tap_case("renaming what is not there");
    CHECK(!file_rename("absent", "r", &err));
    CHECK_TEXT(err.text, "cannot write r: No such file or directory");
    file_remove("p/x");
    file_remove("q/y");
    file_remove("p");
    file_remove("q");
}

/* A child whose memory ends while it writes two files. */
static void check_exhaustion(void)
{
    int status = 0;

    tap_case("no partial file stays when memory ends");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct err err = {0};
        struct file_out *first, *second, *done;
        fclose(stderr);
        if (!file_out_open("one", &first, &err) || !file_out_open("done", &done, &err) ||
            !file_out_open("two", &second, &err) || !file_out_commit(done, &err) ||
            !file_out_finish(second, &err) || !file_exists("two.part"))
            _exit(9);
        arena_alloc(&arena, SIZE_MAX, 2);
    }
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    CHECK(!file_exists("one.part") && !file_exists("two.part"));
    CHECK(file_exists("done"));
    file_remove("done");
}

static void check_removal(void)
{
    static const char *const paths[] = {"o4/x/", "o4/x", "o4//x//", "./o4/x/"};
    struct err err = {0};
    const char *made;

    for (size_t i = 0; i < ROWS(paths); i++) {
        tap_case("folders that were made are taken away: %s", paths[i]);
        CHECK(file_make_folder(paths[i], &arena, &made, &err) && file_is_folder("o4/x"));
        file_remove_folders(paths[i], made);
        CHECK(!file_exists("o4"));
    }
}

static void check_steps(void)
{
    struct err err = {0};
    struct file_out *out;

    tap_case("the name appears with the commit, not before");
    CHECK(file_out_open("slow", &out, &err));
    CHECK(file_out_write(out, STR("one "), &err));
    CHECK(!file_exists("slow") && file_exists("slow.part"));
    CHECK(file_out_write(out, STR(""), &err));
    CHECK(file_out_write(out, STR("two"), &err));
    CHECK(file_out_commit(out, &err));
    check_holds("slow", STR("one two"));
    tap_case("an older file stands until the commit and is replaced by it");
    CHECK(file_out_open("slow", &out, &err) && file_out_write(out, STR("new"), &err));
    CHECK(file_size("slow") == 7);
    CHECK(file_out_commit(out, &err));
    check_holds("slow", STR("new"));
    tap_case("discarding leaves the older file and nothing else");
    CHECK(file_out_open("slow", &out, &err) && file_out_write(out, STR("lost"), &err));
    file_out_discard(out);
    check_holds("slow", STR("new"));
    file_out_discard(NULL);
    tap_case("finished: on the disk, but without its name");
    CHECK(file_out_open("slow", &out, &err) && file_out_write(out, STR("newer"), &err));
    CHECK(file_out_finish(out, &err) && file_out_finish(out, &err));
    CHECK(file_size("slow.part") == 5 && file_size("slow") == 3);
    CHECK(file_out_commit(out, &err));
    check_holds("slow", STR("newer"));
    tap_case("finished and discarded");
    CHECK(file_out_open("slow", &out, &err) && file_out_finish(out, &err));
    file_out_discard(out);
    check_holds("slow", STR("newer"));
    tap_case("what an earlier crash left behind is not kept");
    CHECK(file_write("slow.part", STR("a long rest of an earlier run"), &err));
    CHECK(file_write("slow", STR("short"), &err));
    check_holds("slow", STR("short"));
    file_remove("slow");
}

/* Root may write everywhere, so that these cases are tried as somebody else; false when
 * that is not possible. */
static bool become_ordinary(void)
{
    return geteuid() != 0 || (chmod(".", 0755) == 0 && seteuid(65534) == 0);
}

static void become_ourselves(void)
{
    if (geteuid() != getuid() && seteuid(getuid()) != 0)
        abort();
}

static void check_refused(const char *path, const char *message)
{
    struct err err = {0};
    struct file_out *out = NULL;

    CHECK(!file_write(path, STR("x"), &err));
    CHECK_TEXT(err.text, message);
    CHECK(err.kind == ERR_SYSTEM);
    CHECK(!file_out_open(path, &out, &err));
}

static void check_places(void)
{
    struct err err = {0};

    CHECK(file_write("plain", STR("x"), &err));
    tap_case("a path below a file");
    check_refused("plain/below", "cannot write plain/below: Not a directory");
    tap_case("a path below a missing folder");
    check_refused("no/where", "cannot write no/where: No such file or directory");
    tap_case("a name that is too long");
    char longer[300];
    memset(longer, 'n', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    CHECK(!file_write(longer, STR("x"), &err));
    CHECK(strstr(err.text, "File name too long") != NULL);
    tap_case("a folder of that name: the rename fails, nothing is left behind");
    mkdir("folder", 0777);
    CHECK(!file_write("folder", STR("x"), &err));
    CHECK_TEXT(err.text, "cannot write folder: Is a directory");
    CHECK(file_exists("folder") && !file_exists("folder.part"));
    file_remove("folder");
    tap_case("a folder without permission to write");
    mkdir("closed", 0555);
    if (become_ordinary()) {
        check_refused("closed/file", "cannot write closed/file: Permission denied");
        become_ourselves();
    } else {
        tap_skip("root may write everywhere");
    }
    CHECK(!file_exists("closed/file.part"));
    file_remove("closed");
    file_remove("plain");
}

/* /dev/full refuses every byte as a full disk does; a PATH.part that leads there puts it
 * in the way. */
static void check_full_disk(void)
{
    struct err err = {0};

    tap_case("a full disk: the older file stands, nothing is left behind");
    if (!file_exists("/dev/full")) {
        tap_skip("there is no /dev/full here");
        return;
    }
    CHECK(file_write("kept", STR("old"), &err));
    CHECK(symlink("/dev/full", "kept.part") == 0);
    CHECK(!file_write("kept", STR("new bytes"), &err));
    CHECK_TEXT(err.text, "cannot write kept: No space left on device");
    CHECK(err.kind == ERR_SYSTEM);
    check_holds("kept", STR("old"));
    CHECK(file_exists("/dev/full"));
    file_remove("kept");
}

/* With a limit to the size of files the disk takes a first part of the bytes and refuses
 * the rest. */
static void check_disk_fills(void)
{
    struct rlimit before, small;
    struct err err = {0};
    struct file_out *out;

    tap_case("a disk that fills halfway: the older file stands");
    CHECK(file_write("kept", STR("old"), &err));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 10000;
    fflush(stdout); /* the limit holds for the log as well */
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    struct str bytes = pattern(30000);
    bool first = file_out_open("kept", &out, &err) &&
                 file_out_write(out, str_slice(bytes, 0, 9000), &err);
    bool second = first && file_out_write(out, str_slice(bytes, 9000, 30000), &err);
    int64_t on_disk = file_size("kept.part");
    if (first)
        file_out_discard(out);
    struct err whole = {0};
    bool at_once = file_write("kept", bytes, &whole);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    CHECK(first);
    CHECK(!second);
    CHECK(on_disk == 10000); /* it was a write cut short and then a refusal */
    CHECK_TEXT(err.text, "cannot write kept: File too large");
    CHECK(!at_once);
    CHECK_TEXT(whole.text, "cannot write kept: File too large");
    check_holds("kept", STR("old"));
    file_remove("kept");
}

static const struct {
    const char *path, *made; /* NULL: nothing was new */
} folders[] = {
    {"a", "a"},          {"a", NULL},      {"a/b/c", "a/b"},
    {"a/b/d/", "a/b/d"}, {"a//e", "a//e"}, {"./f/g", "./f"},
    {".", NULL},         {"/", NULL},      {"f/../h", "f/../h"},
};

static void check_folders(void)
{
    struct err err = {0};
    const char *made;

    for (size_t i = 0; i < ROWS(folders); i++) {
        tap_case("make folder %s", folders[i].path);
        made = "unset";
        CHECK(file_make_folder(folders[i].path, &arena, &made, &err));
        CHECK(file_exists(folders[i].path));
        CHECK_TEXT(made != NULL ? made : "nothing",
                   folders[i].made != NULL ? folders[i].made : "nothing");
    }
    tap_case("make an absolute folder");
    const char *root = getcwd(arena_array(&arena, char, 1000), 1000);
    const char *path = file_join(root, "deep/er", &arena);
    CHECK(file_make_folder(path, &arena, &made, &err));
    CHECK_TEXT(made, file_join(root, "deep", &arena));
    tap_case("a folder below a file");
    CHECK(file_write("plain", STR("x"), &err));
    CHECK(!file_make_folder("plain/below", &arena, &made, &err));
    CHECK_TEXT(err.text, "cannot make folder plain: Not a directory");
    CHECK(made == NULL);
    tap_case("a folder in place of a link that leads nowhere");
    CHECK(symlink("nowhere", "link") == 0);
    CHECK(!file_make_folder("link/below", &arena, &made, &err));
    CHECK_TEXT(err.text, "cannot make folder link: Not a directory");
    tap_case("a folder without a name");
    CHECK(!file_make_folder("", &arena, &made, &err));
    CHECK_TEXT(err.text, "cannot make folder : No such file or directory");
    tap_case("the system's own reason is told");
    char longer[300] = "a/";
    memset(longer + 2, 'n', sizeof longer - 3);
    CHECK(!file_make_folder(longer, &arena, &made, &err));
    CHECK(strstr(err.text, ": File name too long") != NULL);
    tap_case("the reason is not that of the look that follows");
    mkdir("closed", 0555);
    if (become_ordinary()) {
        CHECK(!file_make_folder("closed/in", &arena, &made, &err));
        CHECK_TEXT(err.text, "cannot make folder closed/in: Permission denied");
        become_ourselves();
    } else {
        tap_skip("root may write everywhere");
    }
    file_remove("closed");
    tap_case("a folder that is not empty is not removed");
    file_remove("a");
    CHECK(file_exists("a/b/c"));
    static const char *const rest[] = {"a/b/c",   "a/b/d", "a/b",  "a/e",
                                       "a",       "f/g",   "f",    "h",
                                       "deep/er", "deep",  "link", "plain"};
    for (size_t i = 0; i < ROWS(rest); i++)
        file_remove(rest[i]);
    CHECK(!file_exists("a"));
}

static const struct {
    const char *folder, *name, *path;
} joins[] = {
    {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"/", "b", "/b"},
    {"", "b", "b"},    {"a", "", "a/"},
};

static void check_checked(void)
{
    struct err err = {0};
    struct str text;

    tap_case("a file that is checked later is whole or not there as well");
    CHECK(file_write_checked("c", STR("one"), &err));
    CHECK(file_write_checked("c", STR("two"), &err));
    CHECK(file_read("c", &arena, &text, &err) && str_eq(text, STR("two")));
    CHECK(!file_exists("c.part"));
    tap_case("and refused where there is no folder");
    CHECK(!file_write_checked("nowhere/c", STR("x"), &err) && err.kind == ERR_SYSTEM);
    file_remove("c");
}

/* In a child with that descriptor closed: 0 when the next file gets another one, and what
 * is meant for the user is lost as before. */
static int try_closed(int descriptor)
{
    close(descriptor);
    file_hold_standard();
    int next = open("/dev/null", O_RDWR);
    if (next <= 2)
        return 1;
    char byte = 'x';
    return (descriptor == 0 ? read(descriptor, &byte, 1) : write(descriptor, &byte, 1)) <
                   0
               ? 0
               : 2;
}

static void check_standard(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        int status = -1;
        tap_case("descriptor %d, closed, is no other file's", descriptor);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            _exit(try_closed(descriptor));
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
}

static void check_lists(void)
{
    const char *const *names;
    const char *made, *path;
    struct err err = {0};
    size_t count;

    tap_case("list: names by their bytes, without those that begin with a dot");
    CHECK(file_make_folder("l/b", &arena, &made, &err) &&
          file_write("l/a", STR(""), &err) && file_write("l/C", STR(""), &err) &&
          file_write("l/.d", STR(""), &err));
    CHECK(file_list("l", &arena, &names, &count, &err) && count == 3);
    CHECK(count == 3 && strcmp(names[0], "C") == 0 && strcmp(names[1], "a") == 0 &&
          strcmp(names[2], "b") == 0);
    CHECK(!file_list("absent", &arena, &names, &count, &err) && err.kind == ERR_SYSTEM);
    file_remove("l/a");
    file_remove("l/C");
    file_remove("l/.d");
    file_remove_folders("l/b", "l");
    tap_case("temporary: a new folder each time, gone with the files in it");
    const char *first;
    CHECK(file_make_temporary(&arena, &first, &err) &&
          file_make_temporary(&arena, &path, &err) && strcmp(first, path) != 0);
    CHECK(file_write(file_join(path, ".x", &arena), STR("x"), &err));
    file_remove_temporary(first);
    file_remove_temporary(path);
    file_remove_temporary(NULL);
    CHECK(!file_exists(first) && !file_exists(path));
}

static void check_append(void)
{
    struct err err = {0};
    struct str text;

    tap_case("what is appended to comes into being, and keeps what it has");
    CHECK(file_append("log", STR("one\n"), &err));
    CHECK(file_append("log", STR("two\n"), &err));
    CHECK(file_read("log", &arena, &text, &err) && str_eq(text, STR("one\ntwo\n")));
    file_remove("log");
    tap_case("nothing can be appended on a full disk");
    CHECK(!file_append("/dev/full", STR("x"), &err) && err.kind == ERR_SYSTEM);
    tap_case("nor to a folder");
    CHECK(!file_append(".", STR("x"), &err) && err.kind == ERR_SYSTEM);
}

int main(void)
{
    char folder[200];
    const char *base = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/base_file.XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return printf("Bail out! no folder to write in\n"), 1;
    check_reading();
    check_steps();
    check_places();
    check_full_disk();
    check_disk_fills();
    check_folders();
    check_removal();
    check_rename();
    check_checked();
    check_append();
    check_standard();
    check_lists();
    check_exhaustion();
    for (size_t i = 0; i < ROWS(joins); i++) {
        tap_case("join '%s' and '%s'", joins[i].folder, joins[i].name);
        CHECK_TEXT(file_join(joins[i].folder, joins[i].name, &arena), joins[i].path);
    }
    tap_case("the folder is empty again: nothing was left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
