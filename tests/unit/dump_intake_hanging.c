/* What hangs on posts: of the stored ones and their writers alone, up to the end of the
 * study; against a real dump too. */
#include "tests/unit/ingested.h"

#define HEAD "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"

static const struct {
    const char *name, *text;
} files[] = {
    {"Posts.xml",
     HEAD "<posts><row Id=\"1\" PostTypeId=\"1\" Title=\"how\" Tags=\"&lt;a&gt;\" "
          "OwnerUserId=\"7\" CreationDate=\"2014-01-01\"/>"
          "<row Id=\"2\" PostTypeId=\"2\" ParentId=\"1\" OwnerUserId=\"8\"/>"
          "<row Id=\"3\" PostTypeId=\"1\" Title=\"why\" Tags=\"&lt;a&gt;\" "
          "OwnerUserId=\"9\"/></posts>"},
    {"Comments.xml",
     HEAD "<comments><row Id=\"1\" PostId=\"2\" Score=\"4\" Text=\"a &amp; b\" "
          "CreationDate=\"2014-02-01\" UserId=\"10\"/>"
          "<row Id=\"2\" PostId=\"3\" Text=\"x\" UserId=\"11\"/>"
          "<row Id=\"3\" PostId=\"1\" Text=\"late\" CreationDate=\"2015-01-01\" "
          "UserId=\"12\"/></comments>"},
    {"PostHistory.xml", HEAD
     "<posthistory><row Id=\"1\" PostHistoryTypeId=\"10\" PostId=\"1\" UserId=\"13\" "
     "CreationDate=\"2014-03-01\" Text=\"not kept\"/>"
     "<row Id=\"2\" PostHistoryTypeId=\"2\" PostId=\"3\" UserId=\"14\"/>"
     "<row Id=\"3\" PostHistoryTypeId=\"2\" PostId=\"2\" CreationDate=\"2015-03-01\" "
     "UserId=\"14\"/></posthistory>"},
    {"Users.xml",
     HEAD "<users><row Id=\"7\" Reputation=\"5\" DisplayName=\"A&amp;B\" "
          "CreationDate=\"2013-01-01\"/><row Id=\"8\"/><row Id=\"9\"/><row Id=\"10\"/>"
          "<row Id=\"11\"/><row Id=\"12\"/><row Id=\"13\"/><row Id=\"14\"/></users>"},
    {"PostLinks.xml", HEAD
     "<postlinks><row Id=\"1\" PostId=\"3\" RelatedPostId=\"1\" LinkTypeId=\"3\"/>"
     "<row Id=\"2\" PostId=\"3\" RelatedPostId=\"4\" LinkTypeId=\"1\"/></postlinks>"},
    {"Votes.xml", HEAD
     "<votes><row Id=\"1\" PostId=\"1\" VoteTypeId=\"2\" CreationDate=\"2014-01-02\"/>"
     "<row Id=\"2\" PostId=\"3\" VoteTypeId=\"2\"/>"
     "<row Id=\"3\" PostId=\"2\" VoteTypeId=\"3\" CreationDate=\"2016-01-02\"/></votes>"},
    {"Badges.xml", HEAD
     "<badges><row Id=\"1\" UserId=\"8\" Name=\"Stu&quot;dent\" Date=\"2014-01-02\"/>"
     "<row Id=\"2\" UserId=\"9\" Name=\"x\"/>"
     "<row Id=\"3\" UserId=\"10\" Name=\"late\" Date=\"2016-01-02\"/></badges>"},
    {"Tags.xml", HEAD "<tags><row Id=\"1\" TagName=\"a\" Count=\"2\"/>"
                      "<row Id=\"2\" TagName=\"b\" Count=\"1\"/></tags>"},
};

static const struct {
    const char *name, *all, *one;
} kept[] = {
    {"comments", "SELECT count(*) FROM comment",
     "SELECT count(*) FROM comment WHERE (id, item, score, user, text) = (1, 2, 4, 10, "
     "'a & "
     "b') AND created_ms = 1391212800000"},
    {"history", "SELECT count(*) FROM history",
     "SELECT count(*) FROM history WHERE (id, item, type, user, created_ms) = (1, 1, 10, "
     "13, "
     "1393632000000)"},
    {"links", "SELECT count(*) FROM link",
     "SELECT count(*) FROM link WHERE (id, item, related, type) = (1, 3, 1, 3)"},
    {"votes", "SELECT count(*) FROM vote",
     "SELECT count(*) FROM vote WHERE (id, item, type, created_ms) = (1, 1, 2, "
     "1388620800000)"},
    {"badges", "SELECT count(*) FROM badge",
     "SELECT count(*) FROM badge WHERE (id, user, name, created_ms) = (1, 8, "
     "'Stu\"dent', "
     "1388620800000)"},
};

enum { ALL = (1u << ITEM_ALSO) - 1 };

static void check_small(void)
{
    struct ingested test = ingested_begin();
    const char *folder = test.folder.path;
    struct source_ingest_source source = {.kind = &source_stackexchange,
                                          .paths = &folder,
                                          .path_count = 1,
                                          .until_ms = 1420070400000}; /* 2015-01-01 */

    for (size_t i = 0; i < ROWS(files); i++)
        ingested_file(&test, files[i].name, files[i].text);
    tap_case("nothing is asked for: nothing is taken");
    CHECK(ingested_run(&test, &source, 1, "title:how"));
    CHECK_TEXT(test.err.text, "");
    for (size_t i = 0; i < ROWS(kept); i++)
        CHECK(ingested_count(&test, kept[i].all) == 0);
    CHECK(ingested_count(&test, "SELECT count(*) FROM source_file") == 1);

    tap_case("all is asked for");
    source.also = ALL;
    CHECK(ingested_run(&test, &source, 1, "title:how"));
    CHECK_TEXT(test.err.text, "");
    for (size_t i = 0; i < ROWS(kept); i++) {
        tap_case("of stored posts up to the end of the study: %s", kept[i].name);
        CHECK(ingested_count(&test, kept[i].all) == 1);
        CHECK(ingested_count(&test, kept[i].one) == 1);
    }
    tap_case("users who wrote posts, comments or changes");
    CHECK(test.result.stored.users == 4);
    CHECK(ingested_count(&test, "SELECT count(*) FROM user WHERE id IN (7, 8, 10, 13)") ==
          4);
    CHECK(ingested_count(&test,
                         "SELECT count(*) FROM user WHERE (id, reputation, name) = "
                         "(7, 5, 'A&B')") == 1);
    tap_case("the hash of each file that was needed");
    CHECK(ingested_count(&test, "SELECT count(*) FROM source_file") == 7);
    tap_case("tags are counted against Tags.xml");
    CHECK(test.result.tags_checked == 2 && test.result.tags_differ == 1);

    tap_case("a table that is asked for must be there");
    file_remove(file_join(folder, "Votes.xml", &test.arena));
    CHECK(!ingested_run(&test, &source, 1, "title:how") && test.err.kind == ERR_INPUT);
    CHECK(strstr(test.err.text, "has no Votes.xml") != NULL);
    ingested_end(&test);
}

/* The numbers were computed from the same files with Python's ElementTree. */
static void check_real(void)
{
    struct ingested test = ingested_begin();

    tap_case("real: a site with all eight tables");
    const char *path = ingested_real(&test, "dumps/krh66");
    struct source_ingest_source source = {.kind = &source_stackexchange,
                                          .paths = &path,
                                          .path_count = 1,
                                          .until_ms = INT64_MAX,
                                          .also = ALL};
    if (path == NULL)
        goto done;
    CHECK(ingested_run(&test, &source, 1, "[discussion]"));
    CHECK_TEXT(test.err.text, "");
    CHECK(test.result.stored.questions == 72 && test.result.stored.answers == 138);
    CHECK(test.result.stored.comments == 308 && test.result.stored.users == 83);
    CHECK(test.result.stored.links == 25 && test.result.stored.votes == 1048);
    CHECK(test.result.stored.history == 553 && test.result.stored.badges == 546);
    CHECK(ingested_count(&test, "SELECT sum(type) FROM vote") == 2310);
    CHECK(ingested_count(&test, "SELECT sum(type) FROM history") == 2961);
done:
    ingested_end(&test);
}

int main(void)
{
    check_small();
    check_real();
    return tap_done();
}
