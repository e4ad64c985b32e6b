/* Bundles that are made here: hashes are git's, and the reader finds what was put in. */
#include "git/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/tap.h"

static const char *text_of(struct git_history_hash hash)
{
    static char digits[GIT_HISTORY_HASH_DIGITS + 1];

    git_history_hash_text(&hash, digits);
    return digits;
}

static bool count_commit(void *context, const struct git_history_commit *commit,
                         struct err *err)
{
    char(*seen)[100] = context;

    (void)err;
    snprintf(*seen, sizeof *seen, "%.*s %lld", STR_ARG(commit->subject),
             (long long)commit->author.ms);
    return true;
}

int main(void)
{
    char path[] = "/tmp/assay-pack-XXXXXX", seen[100] = "";
    int file = mkstemp(path);
    struct git_history_pack pack = {0};
    struct buf large = {0}, tree = {0}, commit = {0}, bundle = {0};
    struct git_history *history = NULL;
    struct git_history_changes changes;
    struct err err = {0};

    close(file);
    tap_case("hashes are git's");
    CHECK_TEXT(text_of(git_history_pack_add(&pack, GIT_HISTORY_PACK_BLOB, STR("hello\n"))),
               "ce013625030ba8dba906f756967f9e9ca394464a");
    CHECK_TEXT(text_of(git_history_pack_add(&pack, GIT_HISTORY_PACK_TREE, STR(""))),
               "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    CHECK(pack.count == 2);
    git_history_pack_add(&pack, GIT_HISTORY_PACK_BLOB, STR("hello\n"));
    CHECK(pack.count == 2);

    tap_case("objects of all lengths are read back");
    for (int i = 0; i < 70000; i++)
        buf_add_format(&large, "%c\n", 'a' + i % 26);
    struct git_history_hash blob =
        git_history_pack_add(&pack, GIT_HISTORY_PACK_BLOB, buf_str(&large));
    buf_add(&tree, STR("100644 a.txt\0"));
    buf_add(&tree, (struct str){(const char *)blob.bytes, sizeof blob.bytes});
    struct git_history_hash top =
        git_history_pack_add(&pack, GIT_HISTORY_PACK_TREE, buf_str(&tree));
    buf_add_format(&commit,
                   "tree %s\nauthor A <a@b> 1500000000 +0000\n"
                   "committer A <a@b> 1500000000 +0000\n\nFirst\n",
                   text_of(top));
    struct git_history_hash head =
        git_history_pack_add(&pack, GIT_HISTORY_PACK_COMMIT, buf_str(&commit));
    git_history_pack_bundle(
        &pack, (struct git_history_pack_ref[]){{"refs/heads/main", head}}, 1, &bundle);
    const char *paths[] = {path};
    bool ok = file_write(path, buf_str(&bundle), &err) &&
              git_history_open(paths, 1, &history, &err) &&
              git_history_walk(history, 0, count_commit, &seen, &err);
    CHECK_TEXT(err.text, "");
    CHECK(ok);
    CHECK_TEXT(seen, "First 1500000000000");
    struct git_history_differ *differ = git_history_differ_open(history);
    ok = git_history_compare(differ, 0, &head, GIT_HISTORY_LINES, &changes, &err);
    CHECK(ok && changes.known && changes.added == 70000);
    git_history_differ_close(differ);
    git_history_close(history);
    git_history_pack_free(&pack);
    buf_free(&large);
    buf_free(&tree);
    buf_free(&commit);
    buf_free(&bundle);
    unlink(path);
    return tap_done();
}
