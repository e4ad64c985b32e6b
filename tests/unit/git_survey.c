/* What a repository is made of: imports of several languages, endings, and files that
 * hold anything. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "git/pack.h"
#include "tests/tap.h"

static struct git_history_pack pack;

struct made_file {
    const char *name, *text;
};

static struct git_history_hash add_commit(const struct made_file *files,
                                          long long seconds)
{
    struct buf tree = {0}, commit = {0};
    char digits[GIT_HISTORY_HASH_DIGITS];

    for (; files->name != NULL; files++) {
        struct git_history_hash blob =
            git_history_pack_add(&pack, GIT_HISTORY_PACK_BLOB, str_from(files->text));
        buf_add_format(&tree, "100644 %s", files->name);
        buf_add_char(&tree, '\0');
        buf_add(&tree, (struct str){(const char *)blob.bytes, sizeof blob.bytes});
    }
    struct git_history_hash top =
        git_history_pack_add(&pack, GIT_HISTORY_PACK_TREE, buf_str(&tree));
    git_history_hash_text(&top, digits);
    buf_add_format(&commit,
                   "tree %.*s\nauthor A <a@b> %lld +0000\ncommitter A <a@b> %lld "
                   "+0000\n\nx\n",
                   GIT_HISTORY_HASH_DIGITS, digits, seconds, seconds);
    struct git_history_hash hash =
        git_history_pack_add(&pack, GIT_HISTORY_PACK_COMMIT, buf_str(&commit));
    buf_free(&tree);
    buf_free(&commit);
    return hash;
}

int main(void)
{
    /* In the order of git's trees. */
    static const struct made_file new_files[] = {
        {".hidden", "import hidden\n"},
        {"a.py",
         "import numpy as np, os.path,torch.nn\n  from keras.layers import Dense\n"
         "x = 'import nothing'\nfrom . import sibling\nimport \xFF\xFE\n"
         "important = 1\nimport\nfrom\n"},
        {"b.ipynb", "{\"source\": [\n   \"import tensorflow as tf\\n\",\n"},
        {"c.lua", "require 'nn'\nlocal t = require(\"cunn.x\")\n"},
        {"d.cpp", "#include <caffe/net.hpp>\n # include\n#include \"own.h\"\n"},
        {"e.txt", "import text\n"},
        {"net.prototxt", "name: \"net\"\n"},
        {NULL, NULL}};
    static const struct made_file old_files[] = {{"old.py", "import theano\n"},
                                                 {NULL, NULL}};
    struct git_history_pack_ref refs[] = {
        {"refs/heads/dev", add_commit(new_files, 1500000000)},
        {"refs/heads/main", add_commit(old_files, 1400000000)}};
    char path[] = "/tmp/assay-survey-XXXXXX";
    const char *paths[] = {path};
    struct arena arena = {0};
    struct git_history *history = NULL;
    struct git_history_survey survey = {0};
    struct err err = {0};
    struct buf bundle = {0};

    close(mkstemp(path));
    git_history_pack_bundle(&pack, refs, 2, &bundle);
    bool ok = file_write(path, buf_str(&bundle), &err) &&
              git_history_open(paths, 1, &history, &err) &&
              git_history_survey(history, 0, &arena, &survey, &err);
    CHECK_TEXT(err.text, "");
    CHECK(ok);
    tap_case("imports, of the newest commit alone");
    CHECK_TEXT(arena_c_string(&arena, survey.imports),
               "caffe\ncunn\nkeras\nnn\nnumpy\nos\nown\ntensorflow\ntorch");
    tap_case("endings");
    CHECK_TEXT(arena_c_string(&arena, survey.endings),
               "cpp\nipynb\nlua\nprototxt\npy\ntxt");
    git_history_close(history);
    git_history_pack_free(&pack);
    arena_free(&arena);
    buf_free(&bundle);
    unlink(path);
    return tap_done();
}
