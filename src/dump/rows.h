/* The rows of one table of a Stack Exchange dump: <posts><row Id="1" .../>...</posts>. A
 * block of bytes in, one row after another out, its attributes as slices of the block,
 * still escaped (value.h decodes them). What is accepted is XML 1.0 in UTF-8 of exactly
 * that shape; anything else is a problem with its place, what was found and what was
 * expected. Values are looked into only for '<' and their closing quote: characters,
 * entities and UTF-8 that are wrong are replaced by whoever decodes them. */
#ifndef DUMP_ROWS_H
#define DUMP_ROWS_H

#include "base/buf.h"

/* The attributes of the eight tables, under the names the dumps give them. */
#define DUMP_ROWS_ATTRIBUTE_LIST(X) \
    X(ID, Id) \
    X(POST_TYPE_ID, PostTypeId) \
    X(PARENT_ID, ParentId) \
    X(ACCEPTED_ANSWER_ID, AcceptedAnswerId) \
    X(CREATION_DATE, CreationDate) \
    X(DELETION_DATE, DeletionDate) \
    X(SCORE, Score) \
    X(VIEW_COUNT, ViewCount) \
    X(BODY, Body) \
    X(OWNER_USER_ID, OwnerUserId) \
    X(OWNER_DISPLAY_NAME, OwnerDisplayName) \
    X(LAST_EDITOR_USER_ID, LastEditorUserId) \
    X(LAST_EDITOR_DISPLAY_NAME, LastEditorDisplayName) \
    X(LAST_EDIT_DATE, LastEditDate) \
    X(LAST_ACTIVITY_DATE, LastActivityDate) \
    X(TITLE, Title) \
    X(TAGS, Tags) \
    X(ANSWER_COUNT, AnswerCount) \
    X(COMMENT_COUNT, CommentCount) \
    X(FAVORITE_COUNT, FavoriteCount) \
    X(CLOSED_DATE, ClosedDate) \
    X(COMMUNITY_OWNED_DATE, CommunityOwnedDate) \
    X(CONTENT_LICENSE, ContentLicense) \
    X(POST_ID, PostId) \
    X(TEXT, Text) \
    X(USER_DISPLAY_NAME, UserDisplayName) \
    X(USER_ID, UserId) \
    X(REPUTATION, Reputation) \
    X(DISPLAY_NAME, DisplayName) \
    X(LAST_ACCESS_DATE, LastAccessDate) \
    X(WEBSITE_URL, WebsiteUrl) \
    X(LOCATION, Location) \
    X(ABOUT_ME, AboutMe) \
    X(VIEWS, Views) \
    X(UP_VOTES, UpVotes) \
    X(DOWN_VOTES, DownVotes) \
    X(PROFILE_IMAGE_URL, ProfileImageUrl) \
    X(EMAIL_HASH, EmailHash) \
    X(ACCOUNT_ID, AccountId) \
    X(AGE, Age) \
    X(VOTE_TYPE_ID, VoteTypeId) \
    X(BOUNTY_AMOUNT, BountyAmount) \
    X(NAME, Name) \
    X(DATE, Date) \
    X(CLASS, Class) \
    X(TAG_BASED, TagBased) \
    X(RELATED_POST_ID, RelatedPostId) \
    X(LINK_TYPE_ID, LinkTypeId) \
    X(TAG_NAME, TagName) \
    X(COUNT, Count) \
    X(EXCERPT_POST_ID, ExcerptPostId) \
    X(WIKI_POST_ID, WikiPostId) \
    X(IS_MODERATOR_ONLY, IsModeratorOnly) \
    X(IS_REQUIRED, IsRequired) \
    X(POST_HISTORY_TYPE_ID, PostHistoryTypeId) \
    X(REVISION_GUID, RevisionGUID) \
    X(COMMENT, Comment) \
    X(CLOSE_REASON_ID, CloseReasonId)

enum dump_rows_attribute {
#define DUMP_ROWS_ENUM(constant, name) DUMP_ROWS_##constant,
    DUMP_ROWS_ATTRIBUTE_LIST(DUMP_ROWS_ENUM)
#undef DUMP_ROWS_ENUM
        DUMP_ROWS_ATTRIBUTES /* how many there are: at most 64 */
};

struct str dump_rows_attribute_name(enum dump_rows_attribute attribute);

struct dump_rows_pair {
    struct str name, value;
};

/* One row. Every slice points into the block and lasts as long as it does. */
struct dump_rows_row {
    uint64_t present;                     /* bit a is set: raw[a] holds attribute a */
    struct str raw[DUMP_ROWS_ATTRIBUTES]; /* as written between the quotes */
    const struct dump_rows_pair *unknown; /* attributes of other names, in their order */
    size_t unknown_count;
    struct str bytes; /* the whole row, from "<row" to its last '>' */
    int64_t offset;   /* of its '<', counted from where the block's offset counts */
};

static inline bool dump_rows_has(const struct dump_rows_row *row,
                                 enum dump_rows_attribute attribute)
{
    return row->present >> attribute & 1;
}

/* The raw value; ptr is NULL when the row has no such attribute. */
static inline struct str dump_rows_raw(const struct dump_rows_row *row,
                                       enum dump_rows_attribute attribute)
{
    return dump_rows_has(row, attribute) ? row->raw[attribute] : (struct str){NULL, 0};
}

/* Where in the document a block begins or has come to. */
enum dump_rows_where {
    DUMP_ROWS_PROLOG,  /* before the root element */
    DUMP_ROWS_CONTENT, /* inside it, between two rows */
    DUMP_ROWS_AFTER,   /* behind its end tag */
};

struct dump_rows_problem {
    int64_t offset; /* -1: there is none */
    char found[80];
    char expected[80];
};

enum {
    DUMP_ROWS_PADDING = 128,  /* bytes behind a block that must be readable; any value */
    DUMP_ROWS_ROOT_MAX = 100, /* bytes in the root element's name */
    DUMP_ROWS_STOPS = 16384 + 64, /* the most that are listed at once, and room */
};

/* What of the processor is used; all ways give the same. */
enum dump_rows_way {
    DUMP_ROWS_BEST,     /* whatever it has */
    DUMP_ROWS_NARROW,   /* vectors of at most 32 bytes */
    DUMP_ROWS_PORTABLE, /* no vectors */
    DUMP_ROWS_WAYS
};

/* The walk over a table, block by block. A zeroed struct dump_rows stands before the
 * first byte; dump_rows_free() gives its memory back. */
struct dump_rows {
    /* Set before dump_rows_block(), if other than zero: */
    bool skip_broken; /* count a row that is wrong and go on with the next "<row" */
    enum dump_rows_way way;

    /* To be read at any time: */
    int64_t count;                    /* rows given out since the start */
    int64_t broken;                   /* rows skipped since the start */
    struct dump_rows_problem problem; /* the first one, or the one that ended the walk */
    bool failed;                      /* the walk has ended with that problem */
    enum dump_rows_where where;
    /* The root's name: that of the start tag, or, when the walk began behind it, that of
     * the end tag. len 0: neither was seen. */
    char root[DUMP_ROWS_ROOT_MAX];
    size_t root_len;
    int64_t root_end; /* the end tag's offset; -1: not seen */

    /* The block: */
    const char *begin, *at, *end;
    int64_t offset; /* of begin */
    bool last;
    bool incomplete; /* the block's end cuts what begins at `at` */

    bool skipping; /* what follows belongs to a broken row, up to the next "<row" */

    /* Private. */
    bool ready;
    enum dump_rows_way best; /* that can be had */
    uint8_t by_hash[256];    /* attributes */
    struct dump_rows_pattern {
        uint64_t text[4], mask[4]; /* ` Name="` and which of its bytes count */
    } patterns[DUMP_ROWS_ATTRIBUTES];
    struct dump_stops {                 /* see dump/internal.h */
        const char *from, *to;          /* what of the block is listed */
        size_t at, count;               /* of the list: the next one, and all */
        uint16_t list[DUMP_ROWS_STOPS]; /* how far they are from `from` */
    } stops;
    uint64_t gap; /* the blanks that last stood between two rows, and what followed */
    size_t gap_len;
    struct buf unknown;
};

void dump_rows_free(struct dump_rows *rows);

/* Begins another walk with the same settings: at the document's beginning, or, with
 * DUMP_ROWS_CONTENT, somewhere between two rows. */
void dump_rows_restart(struct dump_rows *rows, enum dump_rows_where where);

/* Hands over the next block: `offset` is its first byte's place in the document, and
 * `last` says that the document ends with it. The block begins at a row's '<' or where
 * the walk stopped in the block before; DUMP_ROWS_PADDING bytes behind it must be
 * readable. */
void dump_rows_block(struct dump_rows *rows, struct str block, int64_t offset, bool last);

/* The next whole row of the block. False at the block's end, as often as one asks: then,
 * unless rows->failed, all bytes before rows->at are dealt with, and those from there on
 * (rows->incomplete) must stand again at the beginning of the next block. */
bool dump_rows_next(struct dump_rows *rows, struct dump_rows_row *row) MUST_USE;

/* For the caller who finds a value of this row wrong: counts the row as broken, or, when
 * broken rows are not to be skipped, ends the walk. `value` is a slice of the row. */
void dump_rows_reject(struct dump_rows *rows, const struct dump_rows_row *row,
                      struct str value, const char *expected);

/* The first place in bytes where "<row" and a delimiter stand, or NULL. In a well-formed
 * table this is a row's beginning, unless it stands in a comment. A "<row" that the end
 * of bytes cuts is not found. */
const char *dump_rows_find(struct str bytes);

/* Shows bytes in a message, at most about 30 of them: 'abc' or byte 0x00. */
void dump_rows_show(struct str bytes, char *out, size_t size);

#endif
