/* Which member is which table, for the names that dumps have had. */
#include "dump/scan.h"
#include "tests/tap.h"
#include "tests/unit/packed.h"

static const struct {
    const char *name;
    const char *files[4];
    enum dump_scan_table table;
    const char *found; /* NULL: */
    const char *error; /* behind the path of the first file */
} rows[] = {
    {"as downloaded", {"Badges.xml", "Posts.xml"}, DUMP_SCAN_POSTS, "Posts.xml", NULL},
    {"lower case", {"badges.xml", "posts.xml"}, DUMP_SCAN_POSTS, "posts.xml", NULL},
    {"packed", {"Posts.xml.gz", "Tags.xml.zst"}, DUMP_SCAN_TAGS, "Tags.xml.zst", NULL},
    {"packed by lz4", {"Posts.xml.lz4", "a.txt"}, DUMP_SCAN_POSTS, "Posts.xml.lz4", NULL},
    {"one archive a table",
     {"stackoverflow.com-PostLinks.7z", "stackoverflow.com-Posts.7z"},
     DUMP_SCAN_POSTS,
     "stackoverflow.com-Posts.7z",
     NULL},
    {"two words",
     {"PostHistory.xml", "PostLinks.xml"},
     DUMP_SCAN_POST_LINKS,
     "PostLinks.xml",
     NULL},
    {"an older copy beside it",
     {"Posts.old.xml", "Posts.xml"},
     DUMP_SCAN_POSTS,
     "Posts.xml",
     NULL},
    {"only one, by another name",
     {"questions.xml"},
     DUMP_SCAN_POSTS,
     "questions.xml",
     NULL},
    {"only one, of another table",
     {"Tags.xml"},
     DUMP_SCAN_POSTS,
     NULL,
     "has no Posts.xml; it has Tags.xml"},
    {"only one, by another name, asked for users",
     {"questions.xml"},
     DUMP_SCAN_USERS,
     NULL,
     "has no Users.xml; it has questions.xml"},
    {"none",
     {"a.xml", "b.xml"},
     DUMP_SCAN_VOTES,
     NULL,
     "has no Votes.xml; it has a.xml, b.xml"},
    {"two",
     {"Posts.xml", "posts.xml.gz", "x.txt"},
     DUMP_SCAN_POSTS,
     NULL,
     "has more than one Posts.xml: Posts.xml, posts.xml.gz"},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct packed_folder folder = packed_folder();
        struct input *input;
        struct err err = {0};
        size_t member = 99;
        for (size_t f = 0; f < ROWS(rows[i].files) && rows[i].files[f] != NULL; f++)
            packed_write(&folder, rows[i].files[f], STR("<a/>"));
        tap_case("members: %s", rows[i].name);
        if (CHECK(input_open(folder.path, &input, &err))) {
            bool found = dump_scan_find(input, rows[i].table, &member, &err);
            CHECK(found == (rows[i].found != NULL));
            CHECK(dump_scan_has(input, rows[i].table, &member) == found);
            if (found)
                CHECK(str_eq(input_member(input, member)->name, str_from(rows[i].found)));
            else
                CHECK(err.kind == ERR_INPUT && strstr(err.text, rows[i].error) != NULL);
            input_close(input);
        }
        packed_clean(&folder);
    }
    tap_case("members: names of the tables");
    CHECK_TEXT(dump_scan_table_name(DUMP_SCAN_POSTS), "Posts");
    CHECK_TEXT(dump_scan_table_name(DUMP_SCAN_POST_HISTORY), "PostHistory");
    return tap_done();
}
