/* Patches of commits that somebody reads, and what is said where there is none. */
#include "source/patches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "git/pack.h"
#include "tests/tap.h"

static struct git_history_pack pack;
static char digits[3][GIT_HISTORY_HASH_DIGITS + 1];

static void add_commit(size_t number, const char *text, const char *parents)
{
    struct git_history_hash blob =
        git_history_pack_add(&pack, GIT_HISTORY_PACK_BLOB, str_from(text));
    struct buf tree = {0}, commit = {0};
    char top[GIT_HISTORY_HASH_DIGITS + 1] = "";

    buf_add(&tree, STR("100644 a.txt\0"));
    buf_add(&tree, (struct str){(const char *)blob.bytes, sizeof blob.bytes});
    struct git_history_hash hash =
        git_history_pack_add(&pack, GIT_HISTORY_PACK_TREE, buf_str(&tree));
    git_history_hash_text(&hash, top);
    buf_add_format(&commit, "tree %s\n%sauthor A <a@b> %zu +0000\n", top, parents,
                   1500000000 + number);
    buf_add_format(&commit, "committer A <a@b> %zu +0000\n\nx\n", 1500000000 + number);
    hash = git_history_pack_add(&pack, GIT_HISTORY_PACK_COMMIT, buf_str(&commit));
    git_history_hash_text(&hash, digits[number]);
    buf_free(&tree);
    buf_free(&commit);
}

int main(void)
{
    char folder[] = "/tmp/assay-patches-XXXXXX", parents[200];
    struct arena arena = {0};
    struct buf bundle = {0};
    struct err err = {0};
    struct str why;

    if (mkdtemp(folder) == NULL)
        return 1;
    const char *path = file_join(folder, "one.bundle", &arena);
    const char *paths[] = {path}, *gone[] = {"/tmp/assay-no-such-folder"};
    add_commit(0, "a\n", "");
    snprintf(parents, sizeof parents, "parent %s\n", digits[0]);
    add_commit(1, "b\n", parents);
    snprintf(parents, sizeof parents, "parent %s\nparent %s\n", digits[1], digits[0]);
    add_commit(2, "b\n", parents);
    struct git_history_pack_ref ref = {"refs/heads/main", {{0}}};
    for (size_t i = 0; i < 2 * sizeof ref.hash.bytes; i++) {
        char c = digits[2][i];
        ref.hash.bytes[i / 2] = (unsigned char)(ref.hash.bytes[i / 2] * 16 +
                                                (c <= '9' ? c - '0' : c - 'a' + 10));
    }
    git_history_pack_bundle(&pack, &ref, 1, &bundle);
    CHECK(file_write(path, buf_str(&bundle), &err));

    struct source_patches *patches = source_patches_open();
    struct source_patches_commit commit = {.paths = paths, .path_count = 1};
    tap_case("fields that the patch says better are not shown");
    CHECK(source_patches_note(&commit, STR("repo"), STR("one")));
    CHECK(!source_patches_note(&commit, STR("hash"), str_from(digits[1])));
    CHECK(!source_patches_note(&commit, STR("added"), STR("x")));
    CHECK(source_patches_note(&commit, STR("bot"), STR("no")));
    tap_case("a patch is made from the repository");
    struct str patch = source_patches_make(patches, &commit, &arena, &why);
    CHECK(strstr(arena_c_string(&arena, patch), "@@ -1 +1 @@\n-a\n+b\n") != NULL);
    CHECK(why.len == 0);
    tap_case("a merge has none");
    commit.hash = str_from(digits[2]);
    patch = source_patches_make(patches, &commit, &arena, &why);
    CHECK(patch.len == 0 && str_starts(why, STR("it is a merge")));
    tap_case("nor has a repository that is not there any more");
    commit.repositories = STR("two");
    patch = source_patches_make(patches, &commit, &arena, &why);
    CHECK_TEXT(arena_c_string(&arena, why), "its repository is not there any more");
    struct source_patches_commit other = {
        .source = 1, .paths = gone, .path_count = 1, .repositories = STR("one")};
    for (int turn = 0; turn < 2; turn++) {
        patch = source_patches_make(patches, &other, &arena, &why);
        CHECK(patch.len == 0 &&
              strstr(arena_c_string(&arena, why), "assay-no-such-folder") != NULL);
    }
    tap_case("what the corpus has is taken");
    other.patch = STR("a patch");
    CHECK(str_eq(source_patches_make(patches, &other, &arena, &why), STR("a patch")));
    source_patches_close(patches);
    git_history_pack_free(&pack);
    buf_free(&bundle);
    file_remove(path);
    file_remove(folder);
    arena_free(&arena);
    return tap_done();
}
