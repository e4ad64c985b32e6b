/* Folders that a simulated dump may go to, and those it may not. Whole runs are in
 * synth_write. */
#include "synth/write_folder.h"

#include "tests/unit/studied.h"

static const struct {
    const char *name, *file, *text; /* text NULL: a folder of that name */
    const char *error;              /* NULL: it may */
} rows[] = {
    {"an empty one", NULL, "", NULL},
    {"with other files", "notes.txt", "mine", NULL},
    {"with a dump", "Posts.xml", "<posts>",
     "holds Posts.xml, which assay synth did not write"},
    {"with a dump in lower case", "posts.xml", "<posts>", "holds posts.xml"},
    {"with a truth of others", "truth.json", "{}", "holds truth.json"},
    {"with a truth of ours", "truth.json", "{\n  \"made_by\": \"assay synth 0\"", NULL},
    {"with a folder where a file must be", "Tags.xml", NULL, "holds a folder Tags.xml"},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct studied test;
        const char *made;
        tap_case("%s", rows[i].name);
        if (!studied_begin(&test))
            break;
        if (rows[i].file != NULL && rows[i].text != NULL)
            studied_write(&test, rows[i].file, rows[i].text);
        if (rows[i].text == NULL)
            CHECK(file_make_folder(studied_path(&test, rows[i].file), &test.arena, &made,
                                   &test.err));
        CHECK(write_folder_check(test.folder, &test.arena, &test.err) ==
              (rows[i].error == NULL));
        CHECK(rows[i].error == NULL || strstr(test.err.text, rows[i].error) != NULL);
        bool simulated, ours = strcmp(rows[i].name, "with a truth of ours") == 0;
        CHECK(
            write_folder_is_simulated(test.folder, &test.arena, &simulated, &test.err) &&
            simulated == ours);
        struct lock lock;
        CHECK(write_folder_lock(studied_path(&test, ".assay-lock"), &lock, &test.err));
        lock_release(&lock);
        studied_end(&test);
    }
    return tap_done();
}
