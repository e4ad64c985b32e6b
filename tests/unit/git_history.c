/* Histories of repositories and bundles that are made here, with fixed dates. */
#include "git/history.h"

#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/tap.h"

enum { FILES_MAX = 6, LARGE = 17 << 20 };

static char home[200]; /* all that is made here */

static const char *path_of(const char *name)
{
    static char paths[4][400];
    static size_t next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", home, name);
    return path;
}

static void must(int status)
{
    if (status != 0) {
        printf("Bail out! libgit2: %s\n", git_error_last()->message);
        exit(1);
    }
}

/* ---- making repositories */

struct made_file {
    const char *path, *text; /* text NULL: a commit of another repository */
    size_t len;              /* 0: a string */
    unsigned mode;           /* 0: 100644 */
};

static git_repository *make(const char *name)
{
    git_repository *repository;

    must(git_repository_init(&repository, path_of(name), 1));
    return repository;
}

static git_oid tree_of(git_repository *repository, const struct made_file *files)
{
    git_index *index;
    git_oid id;

    must(git_index_new(&index));
    for (; files->path != NULL; files++) {
        git_index_entry entry = {.path = files->path,
                                 .mode = files->mode != 0 ? files->mode : 0100644};
        if (files->text == NULL)
            git_oid_fromstr(&entry.id, "0123456789abcdef0123456789abcdef01234567");
        else
            must(git_blob_create_from_buffer(&entry.id, repository, files->text,
                                             files->len > 0 ? files->len
                                                            : strlen(files->text)));
        must(git_index_add(index, &entry));
    }
    must(git_index_write_tree_to(&id, index, repository));
    git_index_free(index);
    return id;
}

/* Writes the object as it is, with whatever is odd about it. */
static git_oid commit_raw(git_repository *repository, const char *ref, const char *object,
                          size_t len)
{
    git_reference *reference;
    git_odb *odb;
    git_oid id;

    must(git_repository_odb(&odb, repository));
    must(git_odb_write(&id, odb, object, len, GIT_OBJECT_COMMIT));
    git_odb_free(odb);
    if (ref != NULL) {
        must(git_reference_create(&reference, repository, ref, &id, 1, NULL));
        git_reference_free(reference);
    }
    return id;
}

struct made_commit {
    const char *ref, *message, *headers;
    const git_oid *parents[2];
    long seconds;
    struct made_file files[FILES_MAX];
};

static git_oid commit(git_repository *repository, const struct made_commit *made)
{
    struct buf text = {0};
    git_oid tree = tree_of(repository, made->files);

    buf_add_format(&text, "tree %s\n", git_oid_tostr_s(&tree));
    for (size_t i = 0; i < 2 && made->parents[i] != NULL; i++)
        buf_add_format(&text, "parent %s\n", git_oid_tostr_s(made->parents[i]));
    buf_add_format(&text,
                   "author Ada <ada@example.org> %ld +0130\n"
                   "committer Bob <bob@example.org> %ld -0200\n%s\n%s",
                   made->seconds, made->seconds + 1,
                   made->headers != NULL ? made->headers : "", made->message);
    git_oid id = commit_raw(repository, made->ref, text.ptr, text.len);
    buf_free(&text);
    return id;
}

/* ---- looking at them */

struct seen {
    struct buf text; /* a line a commit */
    LIST(struct git_history_hash) hashes;
};

static bool see(void *context, const struct git_history_commit *commit, struct err *err)
{
    struct seen *seen = context;

    (void)err;
    buf_add_format(&seen->text, "%.*s|%lld%+d|%lld%+d|%zu|", STR_ARG(commit->subject),
                   (long long)commit->author.ms / 1000, commit->author.zone_minutes,
                   (long long)commit->committer.ms / 1000, commit->committer.zone_minutes,
                   commit->parent_count);
    for (size_t i = 0; i < commit->ref_count; i++)
        buf_add_format(&seen->text, "%s%.*s", i > 0 ? "," : "", STR_ARG(commit->refs[i]));
    buf_add_format(&seen->text, "%s%s\n", commit->cut ? "|cut" : "",
                   commit->repaired ? "|repaired" : "");
    list_add(&seen->hashes, commit->hash);
    return true;
}

static struct git_history *open_history(const char *name)
{
    const char *path = path_of(name);
    struct git_history *history = NULL;
    struct err err = {0};

    if (!CHECK(git_history_open(&path, 1, &history, &err)))
        printf("# %s\n", err.text);
    return history;
}

/* Adds the findings as "name: count (first)" lines. */
static void add_findings(const struct git_history *history, struct buf *out)
{
    struct git_history_findings all = git_history_findings(history);

    for (int i = 0; i < GIT_HISTORY_ODDITIES; i++)
        if (all.count[i] > 0)
            buf_add_format(out, "%s: %lld\n",
                           git_history_oddity_name((enum git_history_oddity)i),
                           (long long)all.count[i]);
}

static void check_walk(const char *name, const char *want)
{
    struct seen seen = {0};
    struct err err = {0};
    struct git_history *history = open_history(name);

    if (history == NULL)
        return;
    for (size_t i = 0; i < git_history_count(history); i++)
        CHECK(git_history_walk(history, i, see, &seen, &err));
    add_findings(history, &seen.text);
    buf_add_char(&seen.text, '\0');
    CHECK_TEXT(seen.text.ptr, want);
    git_history_close(history);
    buf_free(&seen.text);
    list_free(&seen.hashes);
}

static void check_refused(const char *name, const char *want)
{
    const char *path = path_of(name);
    struct git_history *history = NULL;
    struct err err = {0};

    CHECK(!git_history_open(&path, 1, &history, &err));
    CHECK(strncmp(err.text, path, strlen(path)) == 0);
    CHECK_TEXT(err.text + strlen(path), want);
}

/* ---- cases */

static void test_walk(void)
{
    git_repository *repository = make("walk.git");
    git_oid a = commit(repository, &(struct made_commit){.message = "\n first\n\nmore\n",
                                                         .seconds = 1000,
                                                         .files = {{"a", "1\n"}}});
    git_oid b = commit(repository, &(struct made_commit){.ref = "refs/heads/dev",
                                                         .message = "two\nlines \n\nx",
                                                         .parents = {&a},
                                                         .seconds = 3000,
                                                         .files = {{"a", "2\n"}}});
    git_oid c = commit(repository, &(struct made_commit){.message = "third",
                                                         .parents = {&a},
                                                         .seconds = 2000,
                                                         .files = {{"a", "3\n"}}});
    git_oid d = commit(repository, &(struct made_commit){.ref = "refs/heads/main",
                                                         .message = "merge",
                                                         .parents = {&c, &b},
                                                         .seconds = 2500,
                                                         .files = {{"a", "2\n"}}});
    git_reference *tag;

    must(git_reference_create(&tag, repository, "refs/tags/v1", &c, 1, NULL));
    git_reference_free(tag);
    tap_case("walk: latest committer's date first, parents behind what names them");
    check_walk("walk.git", "two lines|3000+90|3001-120|1|dev\n"
                           "merge|2500+90|2501-120|2|main\n"
                           "third|2000+90|2001-120|1|v1\n"
                           " first|1000+90|1001-120|0|\n");
    tap_case("walk: a detached HEAD counts, and is told of");
    must(git_repository_set_head_detached(repository, &d));
    must(git_reference_remove(repository, "refs/heads/main"));
    check_walk("walk.git", "two lines|3000+90|3001-120|1|dev\n"
                           "merge|2500+90|2501-120|2|HEAD\n"
                           "third|2000+90|2001-120|1|v1\n"
                           " first|1000+90|1001-120|0|\n"
                           "repositories whose HEAD is on no branch: 1\n");
    git_repository_free(repository);
}

static void test_odd(void)
{
    static const char undated[] = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
                                  "author  <> 99999999999999 +0000\n"
                                  "committer nobody\n\nundated";
    struct err err = {0};
    git_repository *repository = make("empty.git");

    git_repository_free(repository);
    tap_case("odd: a repository without commits");
    check_walk("empty.git", "repositories without commits: 1\n");
    tap_case("odd: encodings, bad bytes, dates, objects that are not there");
    repository = make("odd.git");
    git_oid absent,
        id = commit(repository, &(struct made_commit){.ref = "refs/heads/a",
                                                      .message = "caf\xE9 \xA4",
                                                      .headers = "encoding ISO-8859-15\n",
                                                      .seconds = 5000});
    git_oid_fromstr(&absent, "0123456789abcdef0123456789abcdef01234567");
    commit(repository, &(struct made_commit){.ref = "refs/heads/b",
                                             .message = "bad \xFF byte",
                                             .parents = {&id},
                                             .seconds = 4000});
    commit(repository, &(struct made_commit){.ref = "refs/heads/c",
                                             .message = "strange",
                                             .headers = "encoding klingon\n",
                                             .seconds = 3000});
    commit(repository, &(struct made_commit){.ref = "refs/heads/d",
                                             .message = "orphan",
                                             .parents = {&absent},
                                             .seconds = 2000});
    commit_raw(repository, "refs/heads/e", undated, sizeof undated - 1);
    CHECK(file_write(path_of("odd.git/refs/heads/broken"), STR("nonsense\n"), &err));
    check_walk("odd.git", "caf\xC3\xA9 \xE2\x82\xAC|5000+90|5001-120|0|a\n"
                          "bad \xEF\xBF\xBD byte|4000+90|4001-120|1|b|repaired\n"
                          "strange|3000+90|3001-120|0|c\n"
                          "orphan|2000+90|2001-120|1|d\n"
                          "undated|-9223372036854775+0|-9223372036854775+0|0|e\n"
                          "commits that are named but not there: 1\n"
                          "refs that cannot be read: 1\n"
                          "commits without a usable date: 1\n"
                          "commits in an encoding other than UTF-8: 2\n"
                          "commits in an encoding that is not known: 1\n"
                          "commits with bytes that are no characters: 1\n");
    tap_case("odd: a shallow repository ends where it says");
    char line[GIT_HISTORY_HASH_DIGITS + 2];
    git_repository_free(repository);
    repository = make("shallow.git");
    id = commit(repository, &(struct made_commit){.ref = "refs/heads/a",
                                                  .message = "cut",
                                                  .parents = {&absent},
                                                  .seconds = 2000});
    snprintf(line, sizeof line, "%s\n", git_oid_tostr_s(&id));
    CHECK(file_write(path_of("shallow.git/shallow"), str_from(line), &err));
    check_walk("shallow.git", "cut|2000+90|2001-120|1|a|cut\n"
                              "commits at which a shallow history is cut off: 1\n");
    git_repository_free(repository);
}

static void test_changes(void)
{
    static const char body[] = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";
    static const char edited[] = "one\ntwo\nthree\nFOUR\nfive\nsix\nseven\neight";
    static char large[LARGE];
    git_repository *repository = make("changes.git");
    git_oid a =
        commit(repository, &(struct made_commit){.message = "a",
                                                 .seconds = 1,
                                                 .files = {{"old name", body},
                                                           {"dir/sub", NULL, 0, 0160000},
                                                           {"link", "target", 0, 0120000},
                                                           {"bin", "a\0b", 3},
                                                           {"run", "#!\n"}}});
    memset(large, 'x', sizeof large);
    git_oid b = commit(repository,
                       &(struct made_commit){.message = "b",
                                             .seconds = 2,
                                             .parents = {&a},
                                             .files = {{"new\tname", edited},
                                                       {"link", "target\n"},
                                                       {"bin", "a\0c", 3},
                                                       {"run", "#!\n", 0, 0100755},
                                                       {"large", large, sizeof large}}});
    commit(repository, &(struct made_commit){.ref = "refs/heads/a",
                                             .message = "m",
                                             .seconds = 3,
                                             .parents = {&b, &a},
                                             .files = {{"x", "y"}}});
    git_repository_free(repository);

    struct git_history *history = open_history("changes.git");
    struct git_history_differ *differ = git_history_differ_open(history);
    struct git_history_changes changes;
    struct seen seen = {0};
    struct buf files = {0};
    struct err err = {0};
    CHECK(git_history_walk(history, 0, see, &seen, &err));
    tap_case("changes: of a merge there are none");
    CHECK(git_history_compare(differ, 0, &seen.hashes.at[0], GIT_HISTORY_LINES, &changes,
                              &err));
    CHECK(!changes.known && changes.file_count == 0);
    tap_case("changes: status, renames, lines, what is left out");
    CHECK(git_history_compare(differ, 0, &seen.hashes.at[1],
                              GIT_HISTORY_LINES | GIT_HISTORY_PATCH | GIT_HISTORY_ADDED |
                                  GIT_HISTORY_DELETED,
                              &changes, &err));
    for (size_t i = 0; i < changes.file_count; i++)
        buf_add_format(&files, "%c%d %.*s>%.*s %lld %lld\n", changes.files[i].status,
                       changes.files[i].similarity, STR_ARG(changes.files[i].old_path),
                       STR_ARG(changes.files[i].path),
                       (long long)(changes.files[i].added == ITEM_NONE
                                       ? -1
                                       : changes.files[i].added),
                       (long long)(changes.files[i].deleted == ITEM_NONE
                                       ? -1
                                       : changes.files[i].deleted));
    buf_add_char(&files, '\0');
    CHECK_TEXT(files.ptr, "M0 bin>bin -1 -1\n"
                          "D0 dir/sub>dir/sub 0 1\n"
                          "A0 large>large -1 -1\n"
                          "T0 link>link 1 1\n"
                          "R72 old name>new\tname 2 2\n"
                          "M0 run>run 0 0\n");
    CHECK(changes.known && changes.added == 3 && changes.deleted == 4);
    CHECK(changes.findings->count[GIT_HISTORY_LARGE_FILES] >= 1);
    tap_case("changes: the lines themselves");
    buf_clear(&files);
    buf_add_format(&files, "+%.*s-%.*s", STR_ARG(changes.added_lines),
                   STR_ARG(changes.deleted_lines));
    buf_add_char(&files, '\0');
    CHECK_TEXT(files.ptr, "+target\nFOUR\neight\n"
                          "-Subproject commit 0123456789abcdef0123456789abcdef01234567\n"
                          "target\nfour\neight\n");
    tap_case("changes: the patch as git writes it");
    struct str patch = changes.patch, line;
    buf_clear(&files);
    while (patch.len > 0) {
        str_cut(&patch, '\n', &line);
        if (!str_starts(line, STR("index ")))
            buf_add_format(&files, "%.*s\n", STR_ARG(line));
    }
    buf_add_char(&files, '\0');
    CHECK_TEXT(
        files.ptr,
        "diff --git a/bin b/bin\nBinary files a/bin and b/bin differ\n"
        "diff --git a/dir/sub b/dir/sub\ndeleted file mode 160000\n"
        "--- a/dir/sub\n+++ /dev/null\n@@ -1 +0,0 @@\n"
        "-Subproject commit 0123456789abcdef0123456789abcdef01234567\n"
        "diff --git a/large b/large\nnew file mode 100644\n"
        "Binary files /dev/null and b/large differ\n"
        "diff --git a/link b/link\ndeleted file mode 120000\n--- a/link\n+++ /dev/null\n"
        "@@ -1 +0,0 @@\n-target\n\\ No newline at end of file\n"
        "diff --git a/link b/link\nnew file mode 100644\n--- /dev/null\n+++ b/link\n"
        "@@ -0,0 +1 @@\n+target\n"
        "diff --git a/old name \"b/new\\tname\"\nsimilarity index 72%\n"
        "rename from old name\nrename to \"new\\tname\"\n"
        "--- a/old name\t\n+++ \"b/new\\tname\"\n@@ -1,8 +1,8 @@\n one\n two\n three\n"
        "-four\n+FOUR\n five\n six\n seven\n-eight\n+eight\n"
        "\\ No newline at end of file\n"
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n");
    tap_case("changes: what is not there is told, and nothing is made up");
    struct git_history_hash absent = {{1}};
    CHECK(git_history_compare(differ, 0, &absent, GIT_HISTORY_FILES, &changes, &err));
    CHECK(!changes.known && changes.findings->count[GIT_HISTORY_ABSENT_OBJECTS] == 1);
    git_history_differ_close(differ);
    git_history_close(history);
    buf_free(&files);
    buf_free(&seen.text);
    list_free(&seen.hashes);
}

/* All objects of a repository as a bundle. */
static struct buf bundle_of(const char *name, const char *head)
{
    git_repository *repository;
    git_packbuilder *builder;
    git_revwalk *walk;
    git_buf pack = {0};
    struct buf bytes = {0};

    must(git_repository_open(&repository, path_of(name)));
    must(git_packbuilder_new(&builder, repository));
    must(git_revwalk_new(&walk, repository));
    must(git_revwalk_push_glob(walk, "*"));
    must(git_packbuilder_insert_walk(builder, walk));
    must(git_packbuilder_write_buf(&pack, builder));
    buf_add(&bytes, str_from(head));
    buf_add(&bytes, (struct str){pack.ptr, pack.size});
    git_buf_dispose(&pack);
    git_revwalk_free(walk);
    git_packbuilder_free(builder);
    git_repository_free(repository);
    return bytes;
}

static void put(const char *name, struct str bytes)
{
    struct err err = {0};

    CHECK(file_write(path_of(name), bytes, &err));
}

static void test_bundles(void)
{
    git_repository *repository = make("packed.git");
    char head[400];
    git_oid a = commit(
        repository,
        &(struct made_commit){.message = "a", .seconds = 1, .files = {{"a", "1\n"}}});
    git_oid b = commit(repository, &(struct made_commit){.ref = "refs/heads/main",
                                                         .message = "b",
                                                         .parents = {&a},
                                                         .seconds = 2,
                                                         .files = {{"a", "2\n"}}});
    git_repository_free(repository);
    int len = snprintf(head, sizeof head, "# v2 git bundle\n%s refs/heads/main\n",
                       git_oid_tostr_s(&b));
    snprintf(head + len, sizeof head - (size_t)len, "%s HEAD\n\n", git_oid_tostr_s(&b));
    struct buf bundle = bundle_of("packed.git", head);
    tap_case("bundle: read as the repository it came from");
    put("good.bundle", buf_str(&bundle));
    check_walk("good.bundle", "b|2+90|3-120|1|main\na|1+90|2-120|0|\n");
    tap_case("bundle: cut off anywhere it is refused, and leaves nothing behind");
    for (size_t end = 0; end < bundle.len; end += 37) {
        struct git_history *history = NULL;
        struct err err = {0};
        const char *path = path_of("cut.bundle");
        put("cut.bundle", str_slice(buf_str(&bundle), 0, end));
        CHECK(!git_history_open(&path, 1, &history, &err));
    }
    tap_case("bundle: a byte that is not as it was");
    for (size_t i = strlen(head) + 12; i < bundle.len; i += 29) {
        struct git_history *history = NULL;
        struct err err = {0};
        const char *path = path_of("wrong.bundle");
        bundle.ptr[i] = (char)(bundle.ptr[i] ^ 0x10);
        put("wrong.bundle", buf_str(&bundle));
        CHECK(!git_history_open(&path, 1, &history, &err));
        git_history_close(history);
        bundle.ptr[i] = (char)(bundle.ptr[i] ^ 0x10);
    }
    tap_case("bundle: what it builds on is told");
    buf_free(&bundle);
    snprintf(head, sizeof head,
             "# v3 git bundle\n@object-format=sha1\n@filter=blob:none\n"
             "-0123456789abcdef0123456789abcdef01234567 earlier\n%s refs/heads/x\n"
             "0123456789abcdef0123456789abcdef01234567 refs/heads/gone\n\n",
             git_oid_tostr_s(&b));
    bundle = bundle_of("packed.git", head);
    put("thin.bundle", buf_str(&bundle));
    check_walk("thin.bundle", "b|2+90|3-120|1|x\na|1+90|2-120|0|\n"
                              "commits that are named but not there: 1\n"
                              "commits that a bundle builds on without them: 1\n"
                              "bundles made with a filter: 1\n");
    buf_free(&bundle);
    tap_case("bundle: no bundle at all");
    put("text", STR("# v1 git bundle\n"));
    check_refused("text", ": is no git bundle; expected one, or the folder of a git "
                          "repository");
    tap_case("folder: without a repository in it");
    check_refused("packed.git/info",
                  ": is no git repository and has none in it; expected a repository, a "
                  "bundle or a folder of them");
}

/* A commit whose tree is written as it is: one file. */
static git_oid commit_tree(git_repository *repository, const git_oid *parent,
                           const char *mode, const char *name, const git_oid *blob)
{
    struct buf object = {0};
    git_odb *odb;
    git_oid tree;

    buf_add_format(&object, "%s %s", mode, name);
    buf_add_char(&object, '\0');
    buf_add(&object, (struct str){(const char *)blob->id, sizeof blob->id});
    must(git_repository_odb(&odb, repository));
    must(git_odb_write(&tree, odb, object.ptr, object.len, GIT_OBJECT_TREE));
    git_odb_free(odb);
    buf_clear(&object);
    buf_add_format(&object, "tree %s\n", git_oid_tostr_s(&tree));
    if (parent != NULL)
        buf_add_format(&object, "parent %s\n", git_oid_tostr_s(parent));
    buf_add(&object, STR("author A <a@example.org> 1 +0000\n"
                         "committer A <a@example.org> 1 +0000\n\nm\n"));
    git_oid id = commit_raw(repository, "refs/heads/master", object.ptr, object.len);
    buf_free(&object);
    return id;
}

static struct git_history_hash hash_of(const git_oid *id)
{
    struct git_history_hash hash;

    memcpy(hash.bytes, id->id, sizeof hash.bytes);
    return hash;
}

static void test_modes(void)
{
    git_repository *repository = make("modes");
    git_oid blob, absent = {{1}}, old, same, odd;
    struct git_history *history;
    struct git_history_changes changes;
    struct err err = {0};

    must(git_blob_create_from_buffer(&blob, repository, "x\n", 2));
    old = commit_tree(repository, NULL, "100664", "a", &blob);
    same = commit_tree(repository, &old, "100644", "a", &blob);
    odd = commit_tree(repository, &same, "100644", "a\xFF\nb", &absent);
    git_repository_free(repository);
    const char *path = path_of("modes");
    if (!CHECK(git_history_open(&path, 1, &history, &err)))
        return;
    struct git_history_differ *differ = git_history_differ_open(history);

    tap_case("modes: what the group may write is a file like others");
    struct git_history_hash hash = hash_of(&old);
    CHECK(git_history_compare(differ, 0, &hash, GIT_HISTORY_PATCH, &changes, &err));
    CHECK(strstr(changes.patch.ptr, "new file mode 100644\n") != NULL);
    hash = hash_of(&same);
    CHECK(git_history_compare(differ, 0, &hash, GIT_HISTORY_PATCH, &changes, &err));
    CHECK(changes.known && changes.file_count == 0);

    tap_case("findings: bytes that are no characters");
    hash = hash_of(&odd);
    CHECK(git_history_compare(differ, 0, &hash, GIT_HISTORY_LINES, &changes, &err));
    const char *first = changes.findings->first[GIT_HISTORY_ABSENT_OBJECTS];
    CHECK(strstr(first, "a\xEF\xBF\xBD b") != NULL);
    git_history_differ_close(differ);
    git_history_close(history);
}

static size_t count_at(const char *const *paths, size_t count)
{
    struct git_history *history;
    struct err err = {0};
    size_t found = 0;

    if (CHECK(git_history_open(paths, count, &history, &err)))
        found = git_history_count(history);
    git_history_close(history);
    return found;
}

static void test_same(void)
{
    git_repository *repository = make("twice.git"), *other = make("other.git");
    const struct made_commit made = {.ref = "refs/heads/master",
                                     .message = "m",
                                     .seconds = 1,
                                     .files = {{"a", "1", 0, 0}}};
    git_worktree *tree;

    commit(repository, &made);
    commit(other, &made);
    must(git_worktree_add(&tree, repository, "linked", path_of("linked"), NULL));
    git_worktree_free(tree);
    git_repository_free(repository);
    git_repository_free(other);
    char first[300], linked[300], second[300];
    snprintf(first, sizeof first, "%s", path_of("twice.git"));
    snprintf(linked, sizeof linked, "%s", path_of("linked"));
    snprintf(second, sizeof second, "%s", path_of("other.git"));
    tap_case("same: a repository that is given twice is one");
    CHECK(count_at((const char *const[]){first, first}, 2) == 1);
    tap_case("same: so is a worktree of it elsewhere");
    CHECK(count_at((const char *const[]){linked, first}, 2) == 1);
    tap_case("same: another one with the same commit is not");
    CHECK(count_at((const char *const[]){first, second}, 2) == 2);
}

/* Ten names for the same object. */
static git_oid tenfold(git_repository *repository, const char *mode, const git_oid *id)
{
    struct buf object = {0};
    git_odb *odb;
    git_oid tree;

    for (int i = 0; i < 10; i++) {
        buf_add_format(&object, "%s %d", mode, i);
        buf_add_char(&object, '\0');
        buf_add(&object, (struct str){(const char *)id->id, sizeof id->id});
    }
    must(git_repository_odb(&odb, repository));
    must(git_odb_write(&tree, odb, object.ptr, object.len, GIT_OBJECT_TREE));
    git_odb_free(odb);
    buf_free(&object);
    return tree;
}

static void test_bomb(void)
{
    git_repository *repository = make("bomb");
    struct git_history *history;
    struct git_history_changes changes;
    struct err err = {0};
    git_oid id;

    must(git_blob_create_from_buffer(&id, repository, "x", 1));
    id = tenfold(repository, "100644", &id);
    for (int i = 0; i < 12; i++)
        id = tenfold(repository, "40000", &id);
    git_oid made = commit_tree(repository, NULL, "40000", "all", &id);
    struct git_history_hash hash = hash_of(&made);
    git_repository_free(repository);
    const char *path = path_of("bomb");
    tap_case("changes: more files than there is memory are told, not counted");
    if (CHECK(git_history_open(&path, 1, &history, &err))) {
        struct git_history_differ *differ = git_history_differ_open(history);
        CHECK(git_history_compare(differ, 0, &hash, GIT_HISTORY_FILES, &changes, &err));
        CHECK(!changes.known && changes.findings->count[GIT_HISTORY_MANY_CHANGES] == 1);
        git_history_differ_close(differ);
        git_history_close(history);
    }
}

/* So many bytes in long lines. */
static char *long_text(size_t len)
{
    char *text = malloc(len + 1);

    memset(text, 'x', len);
    for (size_t i = 99999; i < len; i += 100000)
        text[i] = '\n';
    text[len] = '\0';
    return text;
}

static void test_cut(void)
{
    enum { BYTES = 15000000 };
    git_repository *repository = make("cut");
    char *text = long_text(BYTES);
    const struct made_commit made = {.ref = "refs/heads/master",
                                     .message = "m",
                                     .seconds = 1,
                                     .files = {{"a", text, 0, 0},
                                               {"b", text, 0, 0},
                                               {"c", text, 0, 0},
                                               {"d", "last\n", 0, 0}}};
    struct git_history *history;
    struct git_history_changes changes;
    struct err err = {0};

    git_oid id = commit(repository, &made);
    struct git_history_hash hash = hash_of(&id);
    git_repository_free(repository);
    const char *path = path_of("cut");
    tap_case("changes: a patch that is cut has no holes");
    if (CHECK(git_history_open(&path, 1, &history, &err))) {
        struct git_history_differ *differ = git_history_differ_open(history);
        CHECK(git_history_compare(differ, 0, &hash, GIT_HISTORY_PATCH | GIT_HISTORY_ADDED,
                                  &changes, &err));
        CHECK(changes.findings->count[GIT_HISTORY_LARGE_PATCHES] == 1);
        CHECK(changes.patch.len > 2 * BYTES && !str_ends(changes.patch, STR("+last\n")));
        CHECK(changes.added_lines.len > 2 * BYTES &&
              !str_ends(changes.added_lines, STR("last\n")));
        git_history_differ_close(differ);
        git_history_close(history);
    }
    free(text);
}

int main(void)
{
    char command[300];

    snprintf(home, sizeof home, "%s/assay-git-XXXXXX",
             getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    if (mkdtemp(home) == NULL)
        return 1;
    git_libgit2_init();
    /* What is odd on purpose has to be written without a check. */
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
    test_walk();
    test_odd();
    test_changes();
    test_modes();
    test_same();
    test_cut();
    test_bomb();
    test_bundles();
    git_libgit2_shutdown();
    snprintf(command, sizeof command, "rm -r '%s'", home);
    tap_case("all is taken away again");
    CHECK(system(command) == 0);
    return tap_done();
}
