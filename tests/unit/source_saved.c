/* Saved json of GitHub and Discourse: every shape of the same object is the same item;
 * what hangs on what, who answered, and what is put up with. */
#include "source/saved.h"

#include <string.h>

#include "base/date.h"
#include "query/query.h"
#include "tests/tap.h"

/* What is given, a line each: kind, key or number, above it, by whom, when (minutes of
 * the day), score, comments, accepted, tags, title, fields that are not empty. */
struct listing {
    struct source_saved *saved;
    const char *json;
    struct buf out;
};

static void add_known(struct buf *out, const char *name, int64_t value)
{
    if (value != ITEM_NONE)
        buf_add_format(
            out, " %s=%lld", name,
            (long long)(value >= INT64_C(1) << 38 ? value - (INT64_C(1) << 38) : value));
}

static bool list_item(void *context, const struct item *item, struct err *err)
{
    struct listing *listing = context;
    struct buf *out = &listing->out;
    const struct source_kind *kind = listing->saved->kind;

    (void)err;
    buf_add(out, item_kind_name((enum item_kind)item->kind));
    buf_add_format(out, " %.*s", STR_ARG(item->key));
    add_known(out, "id", item->id);
    if (item->alias.len > 0)
        buf_add_format(out, " alias=%.*s", STR_ARG(item->alias));
    add_known(out, "parent", item->parent);
    add_known(out, "owner", item->owner);
    if (item->created_ms != ITEM_NONE)
        add_known(out, "created", item->created_ms / DATE_MINUTE_MS % 1440);
    add_known(out, "closed",
              item->closed_ms == ITEM_NONE ? ITEM_NONE
                                           : item->closed_ms / DATE_MINUTE_MS % 1440);
    add_known(out, "score", item->score);
    add_known(out, "views", item->views);
    add_known(out, "answers", item->answers);
    add_known(out, "comments", item->comments);
    add_known(out, "accepted", item->accepted);
    if (item->tags.len > 0)
        buf_add_format(out, " %.*s", STR_ARG(item->tags));
    if (item->title.len > 0)
        buf_add_format(out, " '%.*s'", STR_ARG(item->title));
    if (item->body.len > 0)
        buf_add_format(out, " %s'%.*s'", item->form == ITEM_HTML ? "html" : "markdown",
                       STR_ARG(item->body));
    for (size_t i = 0; item->extra != NULL && i < kind->field_count; i++)
        if (item->extra[i].len > 0)
            buf_add_format(out, " %.*s:%.*s", STR_ARG(kind->fields[i].name),
                           STR_ARG(item->extra[i]));
    buf_add_char(out, '\n');
    return true;
}

#define AT(time) "\"2020-01-01T" time ":00Z\""

static const struct {
    const char *name;
    const struct source_kind *kind;
    const char *json, *want;
} rows[] = {
    {"an issue of the REST api", &source_github,
     "{\"url\": \"https://api.github.com/repos/o/n/issues/7\", \"html_url\": "
     "\"https://github.com/o/n/issues/7\", \"number\": 7, \"title\": \"T\", \"user\": "
     "{\"login\": \"ann\", \"id\": 11, \"type\": \"User\"}, \"labels\": [{\"name\": "
     "\"good "
     "first issue\"}, {\"name\": \"type:bug\"}, \"(\"], \"state\": \"closed\", "
     "\"state_reason\": \"not_planned\", \"locked\": false, \"milestone\": {\"title\": "
     "\"1.0\"}, \"assignees\": [{}, {}], \"comments\": 3, \"created_at\": " AT(
         "00:10") ", \"updated_at\": " AT("00:30") ", \"closed_at\": " AT("00:20") ", "
                                                                                   "\"aut"
                                                                                   "hor_"
                                                                                   "assoc"
                                                                                   "iatio"
                                                                                   "n\": "
                                                                                   "\"MEM"
                                                                                   "BER\""
                                                                                   ", "
                                                                                   "\"rea"
                                                                                   "ction"
                                                                                   "s\": "
                                                                                   "{\"to"
                                                                                   "tal_"
                                                                                   "count"
                                                                                   "\": "
                                                                                   "4, "
                                                                                   "\"+"
                                                                                   "1\": "
                                                                                   "3}, "
                                                                                   "\"bod"
                                                                                   "y\": "
                                                                                   "\"`b`"
                                                                                   "\"}",
     "issue o/n#7 id=1 owner=11 created=10 closed=20 score=4 comments=3 "
     "<good-first-issue><type:bug> 'T' markdown'`b`' repo:o/n state:closed "
     "reason:not_planned updated:2020-01-01T00:30:00.000 locked:no bot:no "
     "association:member milestone:1.0 assignees:2\n"},
    {"as gh gives it", &source_github,
     "[{\"number\": 7, \"title\": \"T\", \"url\": \"https://github.com/o/n/issues/7\", "
     "\"author\": {\"login\": \"ann\", \"is_bot\": false}, \"state\": \"CLOSED\", "
     "\"stateReason\": \"NOT_PLANNED\", \"createdAt\": " AT(
         "00:10") ", \"closedAt\": " AT("00:20") ", \"labels\": [{\"name\": \"a\"}], "
                                                 "\"reactionGroups\": [{\"content\": "
                                                 "\"HEART\", \"users\": {\"totalCount\": "
                                                 "2}}], \"comments\": [{\"author\": "
                                                 "{\"login\": "
                                                 "\"bob\"}, \"body\": \"x\", "
                                                 "\"createdAt\": " AT(
                                                     "00:15") ", \"url\": "
                                                              "\"https://github.com/o/n/"
                                                              "issues/"
                                                              "7#issuecomment-5\"}], "
                                                              "\"body\": \"\"}]",
     "issue o/n#7 id=1 owner=1 created=10 closed=20 score=2 comments=1 <a> 'T' repo:o/n "
     "state:closed reason:not_planned bot:no\n"
     "answer o/n#7/issuecomment-5 id=2 parent=1 owner=2 created=15 markdown'x'\n"},
    {"nodes of GraphQL", &source_github,
     "{\"data\": {\"repository\": {\"nameWithOwner\": \"o/n\", \"pullRequests\": "
     "{\"nodes\": [{\"number\": 8, \"title\": \"P\", \"state\": \"MERGED\", "
     "\"mergedAt\": " AT(
         "01:00") ", \"additions\": 5, \"commits\": {\"totalCount\": 2}, \"comments\": "
                  "{\"totalCount\": 9, \"edges\": [{\"node\": {\"databaseId\": 3, "
                  "\"author\": "
                  "{\"__typename\": \"Bot\", \"login\": \"ci\"}, \"body\": "
                  "\"y\"}}]}}]}}}}",
     "pull request o/n#8 id=1 comments=9 'P' repo:o/n state:closed merged:yes "
     "merged-at:2020-01-01T01:00:00.000 commits:2 additions:5\n"
     "comment o/n#8/issuecomment-3 id=2 parent=1 owner=1 markdown'y'\n"},
    {"Perceval's envelope, and a comment that came before", &source_github,
     "{\"id\": 9, \"issue_url\": \"https://api.github.com/repos/o/n/issues/7\", "
     "\"body\": "
     "\"early\", \"user\": {\"login\": \"x[bot]\", \"id\": 4}}\n"
     "{\"origin\": \"https://github.com/o/n\", \"data\": {\"number\": 7, \"title\": "
     "\"T\", "
     "\"pull_request\": {\"url\": \"u\", \"merged_at\": null}, \"state\": \"open\", "
     "\"user\": {\"login\": \"ann\", \"id\": 11}, \"comments_data\": [{\"id\": 10, "
     "\"body\": \"own\", \"user\": {\"login\": \"ann\", \"id\": 11}}]}}",
     "pull request o/n#7 id=1 owner=11 'T' repo:o/n state:open merged:no bot:no\n"
     "comment o/n#7/issuecomment-10 id=3 parent=1 owner=11 markdown'own'\n"
     "comment o/n#7/issuecomment-9 id=2 parent=1 owner=4 markdown'early'\n"},
    {"a repository that moved", &source_github,
     "{\"owner\": \"old\", \"repo\": \"n\", \"html_url\": "
     "\"https://github.com/new/n/issues/7\", \"number\": 7, \"title\": \"T\"}\n"
     "{\"id\": 9, \"issue_url\": \"https://api.github.com/repos/old/n/issues/7\", "
     "\"body\": \"z\", \"user\": {\"login\": \"bob\", \"id\": 4}}",
     "issue new/n#7 id=1 alias=old/n#7 'T' repo:new/n\n"
     "answer old/n#7/issuecomment-9 id=2 parent=1 owner=4 markdown'z'\n"},
    {"a discussion and the answer that was chosen", &source_github,
     "{\"number\": 3, \"title\": \"D\", \"url\": "
     "\"https://github.com/o/n/discussions/3\", "
     "\"author\": {\"login\": \"ann\"}, \"category\": {\"name\": \"Q&A\"}, "
     "\"isAnswered\": "
     "true, \"upvoteCount\": 6, \"answer\": {\"id\": \"DC_2\"}, \"comments\": "
     "{\"nodes\": "
     "[{\"id\": \"DC_1\", \"author\": {\"login\": \"ann\"}, \"body\": \"a\"}, {\"id\": "
     "\"DC_2\", \"author\": {\"login\": \"ann\"}, \"body\": \"b\", \"replies\": "
     "{\"nodes\": [{\"id\": \"DC_3\", \"author\": null, \"body\": \"c\"}]}}]}}",
     "discussion o/n#3 id=1 owner=1 score=6 comments=2 accepted=2 'D' repo:o/n bot:no "
     "category:Q&A\n"
     "comment o/n#3/DC_1 id=3 parent=1 owner=1 markdown'a'\n"
     "answer o/n#3/DC_2 id=2 parent=1 owner=1 markdown'b'\n"
     "answer o/n#3/DC_3 id=4 parent=1 markdown'c'\n"},
    {"what is wrong or strange is put up with", &source_github,
     "{\"number\": 1, \"title\": null, \"html_url\": \"https://github.com/o/n/pull/1\", "
     "\"state\": 5, \"created_at\": \"soon\", \"comments\": \"many\", \"labels\": [3, "
     "\"a\"]}\n{\"event\": \"labeled\"}\n{\"number\": 1, \"title\": \"again\", "
     "\"html_url\": \"https://github.com/o/n/pull/1\"}\n{\"id\": 9, \"issue_url\": "
     "\"https://api.github.com/repos/o/n/issues/99\", \"body\": \"lost\"}",
     "pull request o/n#1 id=1 <a> repo:o/n\n"},
    {"a page of a topic", &source_discourse,
     "{\"id\": 40, \"title\": \"T\", \"slug\": \"t\", \"posts_count\": 4, \"views\": 9, "
     "\"like_count\": 2, \"reply_count\": 1, \"created_at\": " AT(
         "00:10") ", \"closed\": false, \"tags\": [\"a b\", {\"id\": 1, \"name\": "
                  "\"c\"}], "
                  "\"category_id\": 6, \"accepted_answer\": {\"post_number\": 3}, "
                  "\"post_stream\": "
                  "{\"posts\": [{\"id\": 71, \"post_number\": 1, \"post_type\": 1, "
                  "\"user_id\": 5, "
                  "\"username\": \"ann\", \"cooked\": \"<p>q</p>\"}, {\"id\": 72, "
                  "\"post_number\": 2, "
                  "\"post_type\": 1, \"user_id\": -1, \"username\": \"system\", "
                  "\"cooked\": \"s\", "
                  "\"created_at\": " AT(
                      "00:11") "}, {\"id\": 73, \"post_number\": 3, \"post_type\": 1, "
                               "\"user_id\": 6, \"username\": \"bob\", \"raw\": \"*r*\", "
                               "\"actions_summary\": "
                               "[{\"id\": 2, \"count\": 3}]}, {\"id\": 74, "
                               "\"post_number\": 4, \"post_type\": 3, "
                               "\"user_id\": 6, \"cooked\": \"closed\"}]}}",
     "topic  id=40 owner=5 created=10 score=2 views=9 answers=3 accepted=73 <a-b><c> 'T' "
     "html'<p>q</p>' category:6 solved:yes replies:1 likes:2 posts:4 locked:no slug:t\n"
     "comment 40/2 id=72 parent=40 owner=-1 created=11 html's'\n"
     "answer 40/3 id=73 parent=40 owner=6 score=3 markdown'*r*'\n"},
    {"a list of topics, and the page of one of them", &source_discourse,
     "{\"topic_list\": {\"topics\": [{\"id\": 40, \"title\": \"listed\", "
     "\"posts_count\": "
     "1}, {\"id\": 41, \"title\": \"L\", \"posts_count\": 2, \"has_accepted_answer\": "
     "true, \"posters\": [{\"user_id\": 8}]}]}}\n{\"data\": {\"id\": 40, \"title\": "
     "\"paged\", \"posts_count\": 1, \"post_stream\": {\"posts\": []}}}",
     "topic  id=40 answers=0 'paged' posts:1\n"
     "topic  id=41 owner=8 answers=1 accepted=0 'L' solved:yes posts:2\n"},
    {"closed topics: by a post that says when, and without one", &source_discourse,
     "{\"id\": 40, \"title\": \"T\", \"posts_count\": 1, \"closed\": true, "
     "\"last_posted_at\": " AT("00:12") ", \"post_stream\": {\"posts\": [{\"id\": 7, "
     "\"post_number\": 2, \"post_type\": 3, \"action_code\": \"autoclosed.enabled\", "
     "\"created_at\": " AT("00:20") ", \"cooked\": \"\"}]}}\n"
     "{\"id\": 41, \"title\": \"L\", \"posts_count\": 1, \"closed\": true, "
     "\"last_posted_at\": " AT("00:12") "}",
     "topic  id=40 closed=20 answers=0 'T' posts:1 last-post:2020-01-01T00:12:00.000 "
     "locked:yes\n"
     "topic  id=41 closed=12 answers=0 'L' posts:1 last-post:2020-01-01T00:12:00.000 "
     "locked:yes\n"},
    {"posts before the list of their topic", &source_discourse,
     "{\"latest_posts\": [{\"id\": 9, \"topic_id\": 41, \"post_number\": 2, \"raw\": "
     "\"r\", \"user_id\": 3}]}\n{\"topic_list\": {\"topics\": [{\"id\": 41, "
     "\"title\": \"L\", \"posts_count\": 2}]}}",
     "topic  id=41 answers=1 'L' posts:2\n"
     "answer 41/2 id=9 parent=41 owner=3 markdown'r'\n"},
    {"the second page of a topic before its first, and before both a list",
     &source_discourse,
     "{\"topic_list\": {\"topics\": [{\"id\": 40, \"title\": \"listed\", "
     "\"posts_count\": 3}]}}\n"
     "{\"id\": 40, \"title\": \"T\", \"posts_count\": 3, \"post_stream\": {\"posts\": "
     "[{\"id\": 3, \"post_number\": 3, \"user_id\": 6, \"raw\": \"c\"}]}}\n"
     "{\"id\": 40, \"title\": \"T\", \"posts_count\": 3, \"post_stream\": {\"posts\": "
     "[{\"id\": 1, \"post_number\": 1, \"user_id\": 5, \"raw\": \"a\"}, {\"id\": 2, "
     "\"post_number\": 2, \"user_id\": 6, \"raw\": \"b\"}]}}",
     "topic  id=40 owner=5 answers=2 'T' markdown'a' posts:3\n"
     "answer 40/2 id=2 parent=40 owner=6 markdown'b'\n"
     "answer 40/3 id=3 parent=40 owner=6 markdown'c'\n"},
    {"only the second page of a topic, which a list names", &source_discourse,
     "[{\"id\": 40, \"title\": \"listed\", \"posts_count\": 3}, "
     "{\"id\": 40, \"title\": \"T\", \"posts_count\": 3, \"post_stream\": {\"posts\": "
     "[{\"id\": 3, \"post_number\": 3, \"user_id\": 6, \"raw\": \"c\"}]}}]",
     "topic  id=40 answers=2 'T' posts:3\n"
     "answer 40/3 id=3 parent=40 owner=6 markdown'c'\n"},
    {"put up with in lists and pages: each value counts once", &source_discourse,
     "[{\"id\": 41, \"title\": \"L\", \"posts_count\": 2, \"views\": \"many\"}, "
     "{\"id\": 9, \"topic_id\": 41, \"post_number\": 2, \"raw\": \"r\", \"created_at\": "
     "\"soon\"}, {\"id\": 10, \"topic_id\": 77, \"post_number\": 2, \"raw\": \"lost\", "
     "\"created_at\": 5}, {\"id\": 40, \"title\": \"T\", \"posts_count\": 1, "
     "\"views\": [], \"post_stream\": {\"posts\": [{\"id\": 1, \"post_number\": 1, "
     "\"raw\": \"a\"}]}}, {\"id\": 40, \"title\": \"T\", \"posts_count\": 1, "
     "\"post_stream\": {\"posts\": [{\"id\": 1, \"post_number\": 1, \"raw\": "
     "\"a\"}]}}, {\"event\": \"labeled\"}]",
     "topic  id=40 answers=0 'T' markdown'a' posts:1\n"
     "topic  id=41 answers=1 'L' posts:2\n"
     "answer 41/2 id=9 parent=41 markdown'r'\n"},
    {"labels as edges, with more beside their nodes", &source_github,
     "{\"number\": 2, \"title\": \"T\", \"labels\": {\"edges\": [{\"node\": {\"name\": "
     "\"bug\"}, \"cursor\": \"x\"}, {\"node\": {\"name\": \"ui\"}, \"cursor\": \"y\"}]}}",
     "issue #2 id=1 <bug><ui> 'T'\n"},
    {"a milestone is no issue: put up with", &source_github,
     "[{\"number\": 1, \"title\": \"1.0\", \"open_issues\": 3, \"state\": \"open\"}, "
     "{\"number\": 2, \"title\": \"T\", \"reactionGroups\": [{\"users\": "
     "{\"totalCount\": 9223372036854775807}}, {\"users\": {\"totalCount\": 2}}]}]",
     "issue #2 id=1 'T'\n"},
};

static bool read_all(struct source_saved *saved, struct str bytes, struct err *err)
{
    source_saved_begin(saved, "f.json");
    return source_saved_push(saved, bytes, true, err);
}

static bool read_json(void *context, struct err *err)
{
    const struct listing *listing = context;

    return read_all(listing->saved, str_from(listing->json), err);
}

static void read_row(size_t i, struct source_saved *saved, struct listing *listing)
{
    struct err err = {0};

    source_saved_open(saved, rows[i].kind, list_item, listing);
    listing->saved = saved;
    listing->json = rows[i].json;
    CHECK(source_saved_readings(saved, read_json, listing, &err));
    CHECK_TEXT(err.text, "");
}

static void check_rows(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct source_saved saved;
        struct listing listing = {0};
        tap_case("%s", rows[i].name);
        read_row(i, &saved, &listing);
        buf_add_char(&listing.out, '\0');
        CHECK_TEXT(listing.out.ptr, rows[i].want);
        if (strncmp(rows[i].name, "what is wrong", 13) == 0) {
            CHECK(saved.doubts.unreadable == 4 && saved.doubts.strange == 1);
            CHECK(saved.repeated == 1 && saved.orphans == 1);
            CHECK(str_eq(saved.doubts.first_unreadable,
                         STR("f.json:1:101: created_at is \"soon\"")));
            CHECK(str_eq(saved.doubts.first_strange,
                         STR("f.json:2:1: {\"event\": \"labeled\"}")));
        } else if (strstr(rows[i].name, "each value counts once") != NULL) {
            CHECK(saved.doubts.unreadable == 4 && saved.doubts.strange == 1);
            CHECK(saved.repeated == 1 && saved.orphans == 1);
        } else if (strstr(rows[i].name, "milestone") != NULL) {
            CHECK(saved.doubts.unreadable == 1 && saved.doubts.strange == 1);
        } else {
            CHECK(saved.doubts.unreadable == 0 && saved.doubts.strange == 0 &&
                  saved.repeated == 0 && saved.orphans == 0);
        }
        source_saved_close(&saved);
        buf_free(&listing.out);
    }
}

/* Fields that a kind brings must not hide behind those that every item has. */
static void check_fields(void)
{
    for (size_t k = 0; source_kinds[k] != NULL; k++)
        for (size_t i = 0; i < source_kinds[k]->field_count; i++) {
            struct str name = source_kinds[k]->fields[i].name;
            tap_case("%s: %.*s is a name of its own", source_kinds[k]->key,
                     STR_ARG(name));
            CHECK(!query_field_known(name));
            CHECK(source_kinds[k]->fields[i].meaning != NULL);
        }
}

static void check_wrong(void)
{
    struct source_saved saved;
    struct listing listing = {0};
    struct err err = {0};
    struct dump_field_broken broken = {0};
    const struct str json = STR("{\"number\": 1, \"number\": 2}\n{\"number\": 3, "
                                "\"title\": \"T\"}\n");

    tap_case("what is no json is an error with its place, or is left out");
    source_saved_open(&saved, &source_github, list_item, &listing);
    listing.saved = &saved;
    CHECK(!read_all(&saved, json, &err));
    CHECK(strncmp(err.text, "f.json:1:", 9) == 0);
    err = (struct err){0};
    saved.broken = &broken;
    CHECK(read_all(&saved, json, &err));
    CHECK(broken.count == 1);
    buf_add_char(&listing.out, '\0');
    CHECK_TEXT(listing.out.ptr, "issue #3 id=1 'T'\n");
    source_saved_close(&saved);
    buf_free(&listing.out);
}

int main(void)
{
    check_rows();
    check_fields();
    check_wrong();
    return tap_done();
}
