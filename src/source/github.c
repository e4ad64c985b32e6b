/* Issues, pull requests and discussions of GitHub as people save them: what its REST api,
 * its GraphQL api, `gh ... --json`, Perceval and archives of events give, in any mixture.
 * assay-source(7) says what of them becomes what. */
#include <stdio.h>
#include <string.h>

#include "item/key.h"
#include "source/intake.h"
#include "source/saved.h"

enum { DEPTH_MAX = 8 }; /* of what objects are wrapped in */

enum github_field {
    REPO,
    STATE,
    REASON,
    MERGED,
    MERGED_AT,
    UPDATED,
    DRAFT,
    LOCKED,
    BOT,
    ASSOCIATION,
    MILESTONE,
    CATEGORY,
    ASSIGNEES,
    COMMITS,
    FILES,
    ADDITIONS,
    DELETIONS,
    FIELDS,
};

static const struct item_own fields[FIELDS] = {
    [REPO] = {STR_INIT("repo"), ITEM_TEXT, .meaning = "owner/name of the repository"},
    [STATE] = {STR_INIT("state"), ITEM_TEXT, .meaning = "open or closed"},
    [REASON] = {STR_INIT("reason"), ITEM_TEXT,
                .meaning = "why it is closed, or open again: completed, not_planned, "
                           "duplicate, reopened"},
    [MERGED] = {STR_INIT("merged"), ITEM_YES_NO,
                .meaning = "of a pull request: whether it was"},
    [MERGED_AT] = {STR_INIT("merged-at"), ITEM_MOMENT,
                   .meaning = "of a pull request: when"},
    [UPDATED] = {STR_INIT("updated"), ITEM_MOMENT, .meaning = "when it was last changed"},
    [DRAFT] = {STR_INIT("draft"), ITEM_YES_NO,
               .meaning = "of a pull request: whether it is one"},
    [LOCKED] = {STR_INIT("locked"), ITEM_YES_NO,
                .meaning = "whether only members may comment"},
    [BOT] = {STR_INIT("bot"), ITEM_YES_NO, .meaning = "whether a bot wrote it"},
    [ASSOCIATION] = {STR_INIT("association"), ITEM_TEXT,
                     .meaning = "what its author is to the repository: none, "
                                "contributor, collaborator, member, owner ..."},
    [MILESTONE] = {STR_INIT("milestone"), ITEM_TEXT, .meaning = "the milestone's title"},
    [CATEGORY] = {STR_INIT("category"), ITEM_TEXT, .meaning = "of a discussion"},
    [ASSIGNEES] = {STR_INIT("assignees"), ITEM_NUMBER,
                   .meaning = "how many it is assigned to"},
    [COMMITS] = {STR_INIT("commits"), ITEM_NUMBER, .meaning = "of a pull request"},
    [FILES] = {STR_INIT("files"), ITEM_NUMBER,
               .meaning = "of a pull request: how many it changes"},
    [ADDITIONS] = {STR_INIT("additions"), ITEM_NUMBER,
                   .meaning = "of a pull request: lines added"},
    [DELETIONS] = {STR_INIT("deletions"), ITEM_NUMBER,
                   .meaning = "of a pull request: lines taken away"},
};

/* --- addresses --- */

struct address {
    struct str repo; /* "owner/name"; empty: it is no address of a repository */
    struct str word; /* "issues", "pull" ... behind it */
    int64_t number;  /* behind that; ITEM_NONE: none */
    struct str mark; /* behind '#': "issuecomment-1" */
};

/* Of a page or of the api: https://github.com/o/n/issues/17#issuecomment-1,
 * https://api.github.com/repos/o/n, https://host/api/v3/repos/o/n/pulls/17. */
static struct address read_address(struct str url)
{
    enum { WAYS = 8 };
    struct address address = {.number = ITEM_NONE};
    const char *p = url.ptr, *end = url.ptr + url.len;
    struct str parts[WAYS]; /* between slashes, behind the host */
    size_t count = 0;

    if (str_starts(url, STR("https://")))
        p += strlen("https://");
    else if (str_starts(url, STR("http://")))
        p += strlen("http://");
    else
        return address;
    const char *from = NULL; /* of a part; NULL: it is the host */
    for (;; p++) {
        if (p < end && *p != '/' && *p != '#')
            continue;
        if (from != NULL && count < WAYS)
            parts[count++] = (struct str){from, (size_t)(p - from)};
        if (p == end)
            break;
        from = p + 1;
        if (*p == '#') {
            address.mark = (struct str){from, (size_t)(end - from)};
            break;
        }
    }
    size_t at = 0;
    if (count > 2 && str_eq(parts[0], STR("api")) && str_eq(parts[1], STR("v3")))
        at = 2;
    if (count > at + 1 && str_eq(parts[at], STR("repos")))
        at++;
    if (count < at + 2 || parts[at].len == 0 || parts[at + 1].len == 0)
        return address;
    address.repo = (struct str){parts[at].ptr, parts[at].len + 1 + parts[at + 1].len};
    if (count > at + 2)
        address.word = parts[at + 2];
    if (count <= at + 3 || !str_to_int(parts[at + 3], &address.number) ||
        address.number <= 0)
        address.number = ITEM_NONE;
    return address;
}

static struct address address_of(const struct input_json *object, const char *name)
{
    return read_address(input_json_text(input_json_fixed(object, name)));
}

/* What an object is called itself. */
struct addresses {
    struct address page, api;
};

static struct addresses addresses_of(const struct input_json *object)
{
    return (struct addresses){address_of(object, "html_url"), address_of(object, "url")};
}

/* --- what an object stands in --- */

static const struct source_saved_wrapping wrappings[] = {
    {.name = "data"},
    {.name = "items"},
    {.name = "nodes"},
    {.name = "edges"},
    {.name = "node"},
    {.name = "search"},
    {.name = "repository"},
    {.name = "organization"},
    {.name = "repositories"},
    {.name = "viewer"},
    {.name = "issue", .kind = ITEM_ISSUE},
    {.name = "issues", .kind = ITEM_ISSUE},
    {.name = "pullRequest", .kind = ITEM_PULL_REQUEST},
    {.name = "pullRequests", .kind = ITEM_PULL_REQUEST},
    {.name = "discussion", .kind = ITEM_DISCUSSION},
    {.name = "discussions", .kind = ITEM_DISCUSSION},
    {0},
};

/* A milestone has a number and a title too. */
static bool is_item(const struct input_json *object, const struct addresses *at)
{
    return input_json_is(input_json_fixed(object, "number"), INPUT_JSON_INTEGER) &&
           input_json_fixed(object, "title") != NULL &&
           input_json_fixed(object, "open_issues") == NULL &&
           !str_starts(at->page.word, STR("milestone")) &&
           !str_starts(at->api.word, STR("milestone"));
}

static bool is_comment(const struct input_json *object)
{
    const struct input_json *above =
        SOURCE_SAVED_GET(object, "issue_url", "pull_request_url", "discussion_url");

    return input_json_fixed(object, "body") != NULL &&
           input_json_is(above, INPUT_JSON_STRING) &&
           read_address(input_json_text(above)).number != ITEM_NONE;
}

/* --- parts of objects --- */

/* The members of a list, be it an array, or nodes or edges of GraphQL. */
static const struct input_json *list_of(const struct input_json *value)
{
    return input_json_is(value, INPUT_JSON_ARRAY)
               ? value
               : SOURCE_SAVED_GET(value, "nodes", "edges");
}

/* What an edge of GraphQL leads to; anything else is itself. */
static const struct input_json *at_edge(const struct input_json *at)
{
    const struct input_json *node = input_json_fixed(at, "node");

    return node != NULL ? node : at;
}

/* How many there are of what a member tells of: a number, a list, or a totalCount. */
static int64_t count_of(struct source_saved *saved, const struct input_json *value,
                        const char *name)
{
    const struct input_json *total = SOURCE_SAVED_GET(value, "totalCount", "total_count");

    if (total != NULL)
        return source_saved_number(saved, total, name);
    if (input_json_is(list_of(value), INPUT_JSON_ARRAY))
        return (int64_t)input_json_count(list_of(value));
    return source_saved_number(saved, value, name);
}

/* Reactions of every kind. */
static int64_t reactions_of(struct source_saved *saved, const struct input_json *object)
{
    const struct input_json *reactions = input_json_fixed(object, "reactions");
    const struct input_json *groups = input_json_fixed(object, "reactionGroups");
    int64_t count = 0;

    if (input_json_is(reactions, INPUT_JSON_OBJECT) ||
        input_json_is(reactions, INPUT_JSON_ARRAY))
        return count_of(saved, reactions, "reactions");
    if (!input_json_is(groups, INPUT_JSON_ARRAY))
        return ITEM_NONE;
    INPUT_JSON_EACH(group, groups)
    {
        const struct input_json *who = SOURCE_SAVED_GET(group, "users", "reactors");
        int64_t some = who != NULL ? count_of(saved, who, "reactionGroups") : ITEM_NONE;
        if (some != ITEM_NONE && __builtin_add_overflow(count, some, &count)) {
            source_saved_doubt(saved, "reactionGroups", groups);
            return ITEM_NONE;
        }
    }
    return count;
}

struct author {
    int64_t number;
    bool bot;
    struct str association;
};

static struct author author_of(struct source_saved *saved,
                               const struct input_json *object)
{
    const struct input_json *user = SOURCE_SAVED_GET(object, "user", "author");
    const struct input_json *id = SOURCE_SAVED_GET(user, "databaseId", "id");
    const struct input_json *login = SOURCE_SAVED_GET(user, "login", "username");
    const struct input_json *type = SOURCE_SAVED_GET(user, "type", "__typename");
    struct author author = {ITEM_NONE, false, {0}};

    if (user == NULL)
        return author;
    struct str name = input_json_is(user, INPUT_JSON_STRING)
                          ? input_json_text(user)
                          : source_saved_text(saved, login, "login");
    author.number = source_saved_person(
        saved, name,
        input_json_is(id, INPUT_JSON_INTEGER) ? input_json_integer(id) : ITEM_NONE);
    author.bot = (input_json_is(type, INPUT_JSON_STRING) &&
                  str_eq(input_json_text(type), STR("Bot"))) ||
                 input_json_is(input_json_fixed(user, "is_bot"), INPUT_JSON_TRUE) ||
                 str_ends(name, STR("[bot]")) || str_starts(name, STR("app/"));
    const struct input_json *association =
        SOURCE_SAVED_GET(object, "author_association", "authorAssociation");
    author.association = source_saved_text(
        saved,
        association != NULL ? association : SOURCE_SAVED_GET(user, "author_association"),
        "author_association");
    return author;
}

/* In small letters: GraphQL writes CLOSED what others write closed. */
static struct str small(struct source_saved *saved, struct str text)
{
    char *copy = arena_c_string(&saved->row, text);
    for (size_t i = 0; i < text.len; i++)
        if (copy[i] >= 'A' && copy[i] <= 'Z')
            copy[i] = (char)(copy[i] + ('a' - 'A'));
    return (struct str){copy, text.len};
}

static struct str name_of(struct source_saved *saved, const struct input_json *value,
                          const char *member)
{
    const struct input_json *named =
        input_json_is(value, INPUT_JSON_OBJECT)
            ? SOURCE_SAVED_GET(value, "title", "name", "login")
            : value;

    return source_saved_text(saved, named, member);
}

/* --- comments --- */

struct above {
    int64_t item;
    struct str key;
    struct str accepted;    /* key of the answer that was chosen; empty: none is known */
    struct str accepted_id; /* the same as GraphQL names it */
    const char *mark;       /* of comments that do not say what they are called */
};

/* "o/n#17/issuecomment-1": its own address says it, or its number does. */
static struct str comment_key(struct source_saved *saved,
                              const struct input_json *comment, const struct above *above)
{
    struct address address = address_of(comment, "html_url");
    const struct input_json *id = SOURCE_SAVED_GET(comment, "databaseId", "id");

    if (address.mark.len == 0)
        address = address_of(comment, "url");
    if (address.mark.len > 0)
        return arena_format(&saved->row, "%.*s/%.*s", STR_ARG(above->key),
                            STR_ARG(address.mark));
    if (input_json_is(id, INPUT_JSON_INTEGER))
        return arena_format(&saved->row, "%.*s/%s%lld", STR_ARG(above->key), above->mark,
                            (long long)input_json_integer(id));
    return input_json_is(id, INPUT_JSON_STRING)
               ? arena_format(&saved->row, "%.*s/%.*s", STR_ARG(above->key),
                              STR_ARG(input_json_text(id)))
               : arena_format(&saved->row, "%.*s/%s/%.*s", STR_ARG(above->key),
                              above->mark,
                              STR_ARG(input_json_text(SOURCE_SAVED_GET(
                                  comment, "created_at", "createdAt", "submittedAt"))));
}

static bool is_accepted(const struct input_json *comment, struct str key,
                        const struct above *above)
{
    return input_json_is(input_json_fixed(comment, "isAnswer"), INPUT_JSON_TRUE) ||
           (above->accepted.len > 0 && str_eq(key, above->accepted)) ||
           (above->accepted_id.len > 0 &&
            str_eq(input_json_text(input_json_fixed(comment, "id")), above->accepted_id));
}

static bool read_comment(struct source_saved *saved, const struct input_json *comment,
                         const struct above *above, struct err *err)
{
    struct item item = item_empty();
    struct author author = author_of(saved, comment);
    struct str key = comment_key(saved, comment, above);

    item.key = key;
    item.id = source_saved_number_of(saved, key);
    item.parent = above->item;
    item.parent_key = above->key;
    item.owner = author.number;
    item.created_ms =
        source_saved_moment(saved,
                            SOURCE_SAVED_GET(comment, "created_at", "createdAt",
                                             "submitted_at", "submittedAt"),
                            "created_at");
    item.score = reactions_of(saved, comment);
    item.body =
        source_saved_body(saved, SOURCE_SAVED_GET(comment, "body", "bodyText"), "body");
    item.form = ITEM_MARKDOWN;
    return source_saved_give_below(saved, &item, author.bot,
                                   is_accepted(comment, key, above), err);
}

static bool read_comments(struct source_saved *saved, const struct input_json *list,
                          const struct above *above, struct err *err)
{
    INPUT_JSON_EACH(at, list)
    {
        const struct input_json *comment = at_edge(at);
        if (!input_json_is(comment, INPUT_JSON_OBJECT)) {
            source_saved_strange(saved, comment);
            continue;
        }
        if (!read_comment(saved, comment, above, err) ||
            !read_comments(saved, list_of(input_json_fixed(comment, "replies")), above,
                           err))
            return false;
    }
    return true;
}

/* What is nested in an item, and what it is called where it does not say so. */
static const struct {
    const char *name, *mark;
} nested[] = {
    {"comments", "issuecomment-"},
    {"comments_data", "issuecomment-"},
    {"review_comments_data", "discussion_r"},
    {"reviews", "pullrequestreview-"},
    {"reviews_data", "pullrequestreview-"},
};

/* The answer of a discussion: which comment it is, as far as is said. */
static void find_accepted(struct source_saved *saved, const struct input_json *object,
                          struct item *item, struct above *above)
{
    const struct input_json *answer = input_json_fixed(object, "answer");
    struct address address = address_of(object, "answer_html_url");
    const struct input_json *comments = list_of(input_json_fixed(object, "comments"));

    if (input_json_is(answer, INPUT_JSON_OBJECT) && address.mark.len == 0)
        address = address_of(answer, "url");
    if (input_json_is(answer, INPUT_JSON_OBJECT))
        above->accepted_id = input_json_text(input_json_fixed(answer, "id"));
    if (address.mark.len > 0)
        above->accepted = arena_format(&saved->row, "%.*s/%.*s", STR_ARG(above->key),
                                       STR_ARG(address.mark));
    INPUT_JSON_EACH(at, above->accepted.len == 0 ? comments : NULL)
    {
        const struct input_json *comment = at_edge(at);
        struct str key = comment_key(saved, comment, above);
        if (is_accepted(comment, key, above)) {
            above->accepted = key;
            break;
        }
    }
    item->accepted_key = above->accepted;
    if (above->accepted.len > 0)
        item->accepted = source_saved_number_of(saved, above->accepted);
    else if (input_json_is(answer, INPUT_JSON_OBJECT) ||
             input_json_is(input_json_fixed(object, "isAnswered"), INPUT_JSON_TRUE) ||
             SOURCE_SAVED_GET(object, "answer_chosen_at", "answerChosenAt") != NULL)
        item->accepted = 0; /* unknown which */
}

/* --- items --- */

/* The repository by the name that it has now, and by another that is given. */
static struct str repo_of(const struct input_json *object, const struct addresses *at,
                          const struct source_saved_place *place,
                          struct source_saved *saved, struct str *other)
{
    const struct input_json *repository = SOURCE_SAVED_GET(object, "repository");
    const struct input_json *full =
        SOURCE_SAVED_GET(repository, "nameWithOwner", "full_name");
    const struct input_json *owner = input_json_fixed(object, "owner");
    const struct input_json *name = input_json_fixed(object, "repo");
    struct str said[] = {
        at->page.repo,
        at->api.repo,
        address_of(object, "repository_url").repo,
        input_json_text(full),
        input_json_is(owner, INPUT_JSON_STRING) && input_json_is(name, INPUT_JSON_STRING)
            ? arena_format(&saved->row, "%.*s/%.*s", STR_ARG(input_json_text(owner)),
                           STR_ARG(input_json_text(name)))
            : (struct str){0},
        place->repo,
    };
    struct str repo = {0};

    *other = (struct str){0};
    for (size_t i = 0; i < ROWS_OF(said); i++) {
        if (said[i].len > 0 && repo.len == 0)
            repo = said[i];
        else if (said[i].len > 0 && other->len == 0 && !str_eq(said[i], repo))
            *other = said[i];
    }
    return repo;
}

static enum item_kind kind_of(const struct input_json *object, const struct addresses *at,
                              const struct source_saved_place *place)
{
    const struct input_json *typename = input_json_fixed(object, "__typename");
    struct str type = input_json_text(typename);
    struct str word = at->page.word.len > 0 ? at->page.word : at->api.word;

    if (SOURCE_SAVED_GET(object, "pull_request") != NULL ||
        str_eq(type, STR("PullRequest")) || str_eq(word, STR("pull")) ||
        str_eq(word, STR("pulls")) ||
        SOURCE_SAVED_GET(object, "headRefName", "merge_commit_sha", "diff_url",
                         "mergeable", "isDraft") != NULL)
        return ITEM_PULL_REQUEST;
    if (str_eq(type, STR("Discussion")) || str_eq(word, STR("discussions")) ||
        SOURCE_SAVED_GET(object, "answerChosenAt", "answer_chosen_at", "isAnswered") !=
            NULL)
        return ITEM_DISCUSSION;
    return place->kind != 0 ? place->kind : ITEM_ISSUE;
}

static struct str *fields_of(struct source_saved *saved, const struct input_json *object,
                             const struct author *author, struct str repo,
                             const struct item *item)
{
    struct str *values = arena_array(&saved->row, struct str, FIELDS);
    const struct input_json *pull = SOURCE_SAVED_GET(object, "pull_request");
    struct str state = small(
        saved, source_saved_text(saved, input_json_fixed(object, "state"), "state"));
    const struct input_json *merged_at =
        SOURCE_SAVED_GET(object, "merged_at", "mergedAt");
    const struct input_json *merged = SOURCE_SAVED_GET(object, "merged");
    bool is_merged =
        str_eq(state, STR("merged")) || input_json_is(merged, INPUT_JSON_TRUE);
    const struct {
        enum github_field field;
        const struct input_json *value;
        const char *name;
    } counts[] = {
        {ASSIGNEES, input_json_fixed(object, "assignees"), "assignees"},
        {COMMITS, SOURCE_SAVED_GET(object, "commits"), "commits"},
        {FILES, SOURCE_SAVED_GET(object, "changed_files", "changedFiles"),
         "changed_files"},
        {ADDITIONS, SOURCE_SAVED_GET(object, "additions"), "additions"},
        {DELETIONS, SOURCE_SAVED_GET(object, "deletions"), "deletions"},
    };

    if (state.len == 0 && input_json_is_boolean(input_json_fixed(object, "closed")))
        state = input_json_is(input_json_fixed(object, "closed"), INPUT_JSON_TRUE)
                    ? STR("closed")
                    : STR("open");
    if (merged_at == NULL)
        merged_at = SOURCE_SAVED_GET(pull, "merged_at");
    values[REPO] = repo;
    values[STATE] = str_eq(state, STR("merged")) ? STR("closed") : state;
    values[REASON] = small(
        saved,
        source_saved_text(saved, SOURCE_SAVED_GET(object, "state_reason", "stateReason"),
                          "state_reason"));
    if (item->kind == ITEM_PULL_REQUEST)
        values[MERGED] = is_merged || merged_at != NULL    ? STR("yes")
                         : merged != NULL || state.len > 0 ? STR("no")
                                                           : (struct str){0};
    values[MERGED_AT] =
        source_saved_dated(saved, source_saved_moment(saved, merged_at, "merged_at"));
    values[UPDATED] = source_saved_dated(saved, item->lastactive_ms);
    values[DRAFT] = source_saved_yes_no(SOURCE_SAVED_GET(object, "draft", "isDraft"));
    values[LOCKED] = source_saved_yes_no(input_json_fixed(object, "locked"));
    values[BOT] = author->number == ITEM_NONE ? (struct str){0}
                  : author->bot               ? STR("yes")
                                              : STR("no");
    values[ASSOCIATION] = small(saved, author->association);
    values[MILESTONE] =
        name_of(saved, SOURCE_SAVED_GET(object, "milestone"), "milestone");
    values[CATEGORY] = name_of(saved, SOURCE_SAVED_GET(object, "category"), "category");
    for (size_t i = 0; i < ROWS_OF(counts); i++)
        if (counts[i].value != NULL && !input_json_is(counts[i].value, INPUT_JSON_NULL))
            values[counts[i].field] = source_saved_digits(
                saved, count_of(saved, counts[i].value, counts[i].name));
    return values;
}

static void name_item(struct source_saved *saved, const struct input_json *object,
                      const struct addresses *at, const struct source_saved_place *place,
                      struct item *item, struct str *repo)
{
    int64_t number = input_json_integer(input_json_fixed(object, "number"));
    struct str other;

    *repo = repo_of(object, at, place, saved, &other);
    item->key = source_saved_key(saved, *repo, number);
    if (other.len > 0) {
        item->alias = source_saved_key(saved, other, number);
        source_saved_same(saved, item->key, item->alias);
    }
    item->id = source_saved_number_of(saved, item->key);
}

static void read_numbers(struct source_saved *saved, const struct input_json *object,
                         struct item *item)
{
    const struct input_json *comments =
        SOURCE_SAVED_GET(object, "comments_count", "comments", "commentsCount");
    const struct input_json *upvotes = SOURCE_SAVED_GET(object, "upvoteCount");

    item->created_ms = source_saved_moment(
        saved, SOURCE_SAVED_GET(object, "created_at", "createdAt"), "created_at");
    item->closed_ms = source_saved_moment(
        saved, SOURCE_SAVED_GET(object, "closed_at", "closedAt"), "closed_at");
    item->lastactive_ms = source_saved_moment(
        saved, SOURCE_SAVED_GET(object, "updated_at", "updatedAt"), "updated_at");
    item->score = upvotes != NULL ? source_saved_number(saved, upvotes, "upvoteCount")
                                  : reactions_of(saved, object);
    if (comments != NULL)
        item->comments = count_of(saved, comments, "comments");
}

static bool read_item(struct source_saved *saved, const struct input_json *object,
                      const struct addresses *at, const struct source_saved_place *place,
                      struct err *err)
{
    struct item item = item_empty();
    struct author author = author_of(saved, object);
    const struct input_json *labels = SOURCE_SAVED_GET(object, "labels");
    const struct input_json *title = input_json_fixed(object, "title");
    struct str repo;

    name_item(saved, object, at, place, &item, &repo);
    item.kind = kind_of(object, at, place);
    item.owner = author.number;
    read_numbers(saved, object, &item);
    item.title = source_saved_text(
        saved, input_json_is(title, INPUT_JSON_NULL) ? NULL : title, "title");
    item.body =
        source_saved_body(saved, SOURCE_SAVED_GET(object, "body", "bodyText"), "body");
    item.form = ITEM_MARKDOWN;
    item.tags = source_saved_tags(
        saved, input_json_is(labels, INPUT_JSON_ARRAY) ? labels : list_of(labels),
        "labels");
    if (!saved->no_own)
        item.extra = fields_of(saved, object, &author, repo, &item);
    struct above above = {.item = item.id,
                          .key = item.key,
                          .mark = item.kind == ITEM_DISCUSSION ? "discussioncomment-"
                                                               : nested[0].mark};
    if (item.kind == ITEM_DISCUSSION)
        find_accepted(saved, object, &item, &above);
    if (!source_saved_give(saved, &item, err))
        return false;
    for (size_t i = 0; i < ROWS_OF(nested); i++) {
        if (item.kind != ITEM_DISCUSSION)
            above.mark = nested[i].mark;
        if (!read_comments(saved, list_of(input_json_fixed(object, nested[i].name)),
                           &above, err))
            return false;
    }
    return true;
}

/* A comment by itself: its issue has an address. */
static bool read_single(struct source_saved *saved, const struct input_json *object,
                        struct err *err)
{
    const struct input_json *url =
        SOURCE_SAVED_GET(object, "issue_url", "pull_request_url", "discussion_url");
    struct address issue = read_address(input_json_text(url));
    struct above above = {.key = source_saved_key(saved, issue.repo, issue.number),
                          .mark = input_json_fixed(object, "pull_request_url") != NULL
                                      ? "discussion_r"
                                      : nested[0].mark};

    above.item = source_saved_number_of(saved, above.key);
    return read_comment(saved, object, &above, err);
}

/* --- events --- */

/* As an archive of what happened has them: who did what to an item, and the item as it
 * was then, with the comment that it was about. */
static bool is_event(const struct input_json *object)
{
    return input_json_is(input_json_fixed(object, "payload"), INPUT_JSON_OBJECT) &&
           input_json_is(input_json_fixed(object, "repo"), INPUT_JSON_OBJECT) &&
           str_ends(input_json_text(input_json_fixed(object, "type")), STR("Event"));
}

/* Of a pull request its own object tells more than what an issue tells of it; else the
 * newest is taken. */
static bool read_version(struct source_saved *saved, const struct input_json *event,
                         const struct input_json *object, const struct addresses *at,
                         const struct source_saved_place *place, int64_t number,
                         struct err *err)
{
    const struct input_json *when = SOURCE_SAVED_GET(object, "updated_at");
    struct source_saved_version version = {.rank =
                                               input_json_fixed(object, "head") != NULL};
    bool silent = saved->silent, ok = true;

    saved->silent = true; /* what is wrong with it is told when it is read */
    version.ms = source_saved_moment(
        saved, when != NULL ? when : input_json_fixed(event, "created_at"), "updated_at");
    if (source_saved_newest(saved, number, version)) {
        saved->silent = saved->reading > 1;
        ok = read_item(saved, object, at, place, err);
    }
    saved->silent = silent;
    return ok;
}

static bool read_event(struct source_saved *saved, const struct input_json *event,
                       struct err *err)
{
    const struct input_json *payload = input_json_fixed(event, "payload");
    const struct input_json *object =
        SOURCE_SAVED_GET(payload, "issue", "pull_request", "discussion");
    const struct input_json *comment = SOURCE_SAVED_GET(payload, "comment", "review");
    const struct source_saved_place place = {
        .repo =
            input_json_text(input_json_fixed(input_json_fixed(event, "repo"), "name")),
        .kind = input_json_fixed(payload, "discussion") != NULL ? ITEM_DISCUSSION : 0};
    struct addresses at = addresses_of(object);
    struct item named = item_empty();
    struct str repo;

    if (object == NULL || !is_item(object, &at)) { /* a push, a star ... */
        source_saved_strange(saved, event);
        return true;
    }
    name_item(saved, object, &at, &place, &named, &repo);
    if (!read_version(saved, event, object, &at, &place, named.id, err))
        return false;
    struct above above = {
        .item = named.id,
        .key = named.key,
        .mark = input_json_fixed(payload, "review") != NULL  ? "pullrequestreview-"
                : place.kind == ITEM_DISCUSSION              ? "discussioncomment-"
                : input_json_fixed(payload, "issue") != NULL ? nested[0].mark
                                                             : "discussion_r"};
    if (!input_json_is(comment, INPUT_JSON_OBJECT))
        return true;
    if (saved->reading == 1) { /* items come now: of an edited comment the first counts */
        saved->later++;
        return true;
    }
    return read_comment(saved, comment, &above, err);
}

static bool read_object(struct source_saved *saved, const struct input_json *object,
                        const struct source_saved_place *place, bool *known,
                        struct err *err)
{
    if (is_event(object)) {
        *known = true;
        return read_event(saved, object, err);
    }
    struct addresses at = addresses_of(object);
    bool item = is_item(object, &at);

    *known = item || is_comment(object);
    return item ? read_item(saved, object, &at, place, err)
                : !*known || read_single(saved, object, err);
}

/* The repository that what is in the object belongs to. */
static void enter(const struct input_json *object, struct source_saved_place *place)
{
    struct str origin = address_of(object, "origin").repo;
    const struct input_json *full =
        SOURCE_SAVED_GET(object, "nameWithOwner", "full_name");

    place->repo = input_json_is(full, INPUT_JSON_STRING) ? input_json_text(full)
                  : origin.len > 0                       ? origin
                                                         : place->repo;
}

static bool read_github(struct source_saved *saved, const struct input_json *value,
                        struct err *err)
{
    static const struct source_saved_walk walk = {.wrappings = wrappings,
                                                  .depth_max = DEPTH_MAX,
                                                  .read = read_object,
                                                  .enter = enter};

    return source_saved_walk(saved, value, &walk, (struct source_saved_place){0}, err);
}

/* By what only GitHub says; a table of posts may well have numbers and titles. */
static bool knows_item(const struct input_json *object)
{
    struct addresses at = addresses_of(object);

    return is_item(object, &at) &&
           (at.page.number != ITEM_NONE || at.api.number != ITEM_NONE ||
            address_of(object, "repository_url").repo.len > 0 ||
            (input_json_is(input_json_fixed(object, "state"), INPUT_JSON_STRING) &&
             SOURCE_SAVED_GET(object, "createdAt", "author", "labels") != NULL));
}

static bool knows_object(const struct input_json *object)
{
    return knows_item(object) || is_comment(object) || is_event(object);
}

static bool knows_github(const struct input_json *value)
{
    return source_saved_holds(value, wrappings, DEPTH_MAX, knows_object);
}

const char source_github_help[] =
    "Issues, pull requests and discussions of GitHub, with their comments, as json "
    "that somebody saved, or events of an archive such as GH Archive: a file, an "
    "archive, a folder of files, or a list of them; "
    "see assay-source(7).";

const struct source_kind source_github = {
    .key = "github",
    .stored = "github",
    .called = "issues and discussions of GitHub",
    .in_prose = "the issues and discussions of",
    .packaged = "issues, pull requests and discussions of GitHub",
    .path_is = "file or folder",
    .expected = "json of issues, pull requests or discussions",
    .host = "github.com",
    .way = "/",
    .text_keys = true,
    .all = true,
    .fields = fields,
    .field_count = FIELDS,
    .add_members = source_intake_add_members,
    .take = source_saved_intake,
    .knows = knows_github,
    .read = read_github,
};
