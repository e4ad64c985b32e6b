/* The walk fills batches; threads judge the commits of a batch, each with a judge and a
 * differ of its own; the calling thread takes what they made in order. */
#include "source/commits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/date.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "dump/judge.h"
#include "item/key.h"
#include "text/utf8.h"

enum {
    BATCH = 512,       /* commits */
    CHUNK = 8,         /* of them at a time by one thread */
    PERSON_DIGITS = 9, /* 36 bits: an id holds them */
};

const struct item_own source_commits_fields[SOURCE_COMMITS_FIELDS] = {
    [SOURCE_COMMITS_HASH] = {STR_INIT("hash"), ITEM_TEXT, .meaning = "its whole hash"},
    [SOURCE_COMMITS_COMMITTED] = {STR_INIT("committed"), ITEM_MOMENT,
                                  .meaning =
                                      "the committer's date; `created` is the author's"},
    [SOURCE_COMMITS_AUTHOR] = {STR_INIT("author"), ITEM_TEXT,
                               .meaning = "a pseudonym for the author's mail"},
    [SOURCE_COMMITS_COMMITTER] = {STR_INIT("committer"), ITEM_TEXT,
                                  .meaning = "the same for the committer"},
    [SOURCE_COMMITS_MERGE] = {STR_INIT("merge"), ITEM_YES_NO,
                              .meaning = "whether it has several parents"},
    [SOURCE_COMMITS_PARENTS] = {STR_INIT("parents"), ITEM_NUMBER,
                                .meaning = "how many parents it has"},
    [SOURCE_COMMITS_REPO] = {STR_INIT("repo"), ITEM_LIST,
                             .meaning = "the repositories that it stands in"},
    [SOURCE_COMMITS_REFS] = {STR_INIT("refs"), ITEM_LIST,
                             .meaning = "the branches and tags that point right at it"},
    [SOURCE_COMMITS_FORK] = {STR_INIT("fork"), ITEM_YES_NO,
                             .meaning = "whether it stands in several repositories"},
    [SOURCE_COMMITS_BOT] =
        {STR_INIT("bot"), ITEM_YES_NO,
         .meaning = "whether a program wrote it, by the author's name and mail"},
    [SOURCE_COMMITS_ODD] =
        {STR_INIT("odd"), ITEM_LIST,
         .meaning = "what is odd about it: no-date, bad-bytes, cut-off, no-subject"},
    [SOURCE_COMMITS_IMPORTS] =
        {STR_INIT("imports"), ITEM_LIST,
         .meaning = "what programs of its repository import, at the newest commit",
         .costly = true},
    [SOURCE_COMMITS_ENDINGS] =
        {STR_INIT("endings"), ITEM_LIST,
         .meaning = "what names of files of its repository end in, at the newest commit",
         .costly = true},
    [SOURCE_COMMITS_BRANCH] = {STR_INIT("branch"), ITEM_LIST,
                               .meaning = "the branches and tags that lead to it",
                               .costly = true},
    [SOURCE_COMMITS_FILES] = {STR_INIT("files"), ITEM_NUMBER,
                              .meaning = "how many files it changed", .costly = true},
    [SOURCE_COMMITS_PATH] =
        {STR_INIT("path"), ITEM_LIST,
         .meaning = "the files that it changed, renamed ones under both names",
         .costly = true},
    [SOURCE_COMMITS_LINES] = {STR_INIT("lines"), ITEM_NUMBER,
                              .meaning = "how many lines it added and deleted",
                              .costly = true},
    [SOURCE_COMMITS_ADDED_LINES] = {STR_INIT("added-lines"), ITEM_NUMBER,
                                    .meaning = "how many it added", .costly = true},
    [SOURCE_COMMITS_DELETED_LINES] = {STR_INIT("deleted-lines"), ITEM_NUMBER,
                                      .meaning = "how many it deleted", .costly = true},
    [SOURCE_COMMITS_ADDED] = {STR_INIT("added"), ITEM_TEXT,
                              .meaning = "the lines that it added", .costly = true},
    [SOURCE_COMMITS_DELETED] = {STR_INIT("deleted"), ITEM_TEXT,
                                .meaning = "the lines that it deleted", .costly = true},
    [SOURCE_COMMITS_DIFF] = {STR_INIT("diff"), ITEM_TEXT,
                             .meaning = "the patch, as `git log -p -M` shows it",
                             .patch = true, .costly = true},
    [SOURCE_COMMITS_ODD_CHANGES] = {STR_INIT("odd-changes"), ITEM_LIST,
                                    .meaning =
                                        "what is odd about what it changed: unknown, "
                                        "absent, large, binary, cut, many-renames",
                                    .costly = true},
    [SOURCE_COMMITS_PATCH_ID] = {STR_INIT("patch-id"), ITEM_TEXT,
                                 .meaning = "as `git patch-id --stable` gives it",
                                 .costly = true},
    [SOURCE_COMMITS_COPY] = {STR_INIT("copy"), ITEM_YES_NO,
                             .meaning = "whether another commit has the same patch id",
                             .costly = true},
};

enum source_commits_field source_commits_find(struct str name)
{
    size_t field = 0;

    while (field < SOURCE_COMMITS_FIELDS &&
           !str_eq(source_commits_fields[field].name, name))
        field++;
    return (enum source_commits_field)field;
}

struct query_own source_commits_own(struct arena *arena)
{
    struct str *names = arena_array(arena, struct str, SOURCE_COMMITS_FIELDS);
    enum item_type *types = arena_array(arena, enum item_type, SOURCE_COMMITS_FIELDS);
    bool *costly = arena_array(arena, bool, SOURCE_COMMITS_FIELDS);

    for (size_t i = 0; i < SOURCE_COMMITS_FIELDS; i++) {
        names[i] = source_commits_fields[i].name;
        types[i] = source_commits_fields[i].type;
        costly[i] = source_commits_fields[i].costly;
    }
    return (struct query_own){.fields = names,
                              .types = types,
                              .costly = costly,
                              .field_count = SOURCE_COMMITS_FIELDS};
}

/* ---- the pass */

/* A repository of some history. */
struct standing_place {
    const struct git_history_repository *repository;
    const struct git_history *history;
    size_t same; /* the first place with its objects: this one, or an earlier one */
};

/* Where a commit stands, beginning with the first place. */
struct standing {
    size_t place, next; /* plus 1; 0: no more */
    size_t last;        /* of the first one: the last of them, plus 1 */
    int64_t number;     /* of the first one: how many commits were met before */
};

/* A commit of a history, and its patch. */
struct standing_patch {
    const struct git_history *history;
    size_t patch; /* its place in patch_counts */
};

struct source_commits_histories {
    struct arena arena; /* holds the struct itself */
    LIST(struct git_history *) all;
    LIST(struct standing_place) places; /* of all histories */
    bool walked;
    struct map known; /* hash -> standings' place plus 1, if there are several places */
    LIST(struct standing) standings;
    int64_t numbered;    /* commits, in all places */
    size_t walked_place; /* the first of the history that is walked */
    bool compared;
    struct map patches;        /* patch id -> its place in patch_counts plus 1 */
    struct map patched;        /* hashes of commits that are counted */
    LIST(size_t) patch_counts; /* how many commits have it */
    LIST(struct standing_patch) patch_standings;
};

struct waiting_commit {
    struct git_history_commit commit; /* its strings are in the batch's arena */
    int64_t id;
};

/* Which refs lead to the commits of a repository: lists of them, of which there are few.
 */
struct leading {
    struct map nodes;        /* hash -> the commit's place in lists plus 1 */
    const size_t *lists;     /* of each commit, */
    const struct str *texts; /* and what a list says */
};

struct pass {
    const struct source_commits_job *job;
    struct source_commits_counts *counts;
    struct arena arena; /* of the whole pass */
    struct source_commits_histories *histories;
    size_t own_place;                         /* the first of the history that is taken */
    const struct git_history_survey *surveys; /* of each repository, if asked */
    struct leading *leading;                  /* the same */
    unsigned want_files;                      /* GIT_HISTORY_...: for files and path */
    unsigned want;                            /* for all that is asked or to be made */
    struct arena batch;
    LIST(struct waiting_commit) waiting;
    void **slots;
    int threads;
    int64_t met;
    int64_t newest_ms; /* see struct query_item */
    bool enough;
};

/* What a thread made of one commit. */
struct made_commit {
    bool taken;
    struct item item;
    struct str extra[SOURCE_COMMITS_FIELDS];
    bool compared; /* then there are findings */
    struct git_history_findings findings;
};

struct slot {
    struct dump_judge judge;
    struct git_history_differ *differ;
    struct arena arena; /* of the chunk */
    const struct pass *pass;
    const struct waiting_commit *waiting; /* the one at hand, */
    struct made_commit *at;               /* what is made of it, */
    unsigned made;                        /* and which fields have been */
    unsigned compared;                    /* GIT_HISTORY_...: with what */
    struct git_history_changes changes;
    bool failed;
    struct err err;
    struct made_commit chunk[CHUNK];
};

/* ---- values of fields */

/* A number for a person, the same in every repository; people see its digits. */
static int64_t person_number(const struct git_history_person *person)
{
    struct str who = person->mail.len > 0 ? person->mail : person->name;
    char folded[200];
    size_t len = who.len < sizeof folded ? who.len : sizeof folded;

    if (who.len == 0)
        return ITEM_NONE;
    query_fold(str_slice(who, 0, len), folded);
    return (int64_t)(XXH3_64bits(folded, len) >> (64 - 4 * PERSON_DIGITS));
}

static struct str person_text(const struct git_history_person *person,
                              struct arena *arena)
{
    int64_t number = person_number(person);

    return number == ITEM_NONE
               ? (struct str){0}
               : arena_format(arena, "%0*llx", PERSON_DIGITS, (long long)number);
}

static bool contains(struct str text, struct str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (text.ptr[i] == part.ptr[0] && memcmp(text.ptr + i, part.ptr, part.len) == 0)
            return true;
    return false;
}

/* By name or by the part of the mail before the @. */
static bool is_bot(const struct git_history_person *author)
{
    static const struct str known[] = {
        STR_INIT("[bot]"),          STR_INIT("dependabot"), STR_INIT("renovate"),
        STR_INIT("greenkeeper"),    STR_INIT("snyk"),       STR_INIT("github-actions"),
        STR_INIT("pre-commit-ci"),  STR_INIT("mergify"),    STR_INIT("travis-ci"),
        STR_INIT("allcontributors")};
    static const struct str endings[] = {STR_INIT("-bot"), STR_INIT(" bot"),
                                         STR_INIT("_bot")};
    struct str rest = author->mail, local;
    char folded[200];

    str_cut(&rest, '@', &local);
    const struct str names[] = {author->name, local};
    for (size_t n = 0; n < ROWS_OF(names); n++) {
        struct str name = str_slice(names[n], 0, sizeof folded);
        query_fold(name, folded);
        name.ptr = folded;
        for (size_t i = 0; i < ROWS_OF(known); i++)
            if (contains(name, known[i]))
                return true;
        for (size_t i = 0; i < ROWS_OF(endings); i++)
            if (str_ends(name, endings[i]))
                return true;
        if (str_eq(name, STR("bot")))
            return true;
    }
    return false;
}

static void add_member(struct buf *list, struct str member)
{
    if (list->len > 0)
        buf_add_char(list, '\n');
    size_t begin = list->len;
    text_utf8_repair(member, list);
    for (size_t i = begin; i < list->len; i++) /* a file's name may have any byte */
        if (list->ptr[i] == '\n')
            list->ptr[i] = ' ';
}

static struct str hash_bytes(const struct git_history_hash *hash)
{
    return (struct str){(const char *)hash->bytes, sizeof hash->bytes};
}

static const struct standing *standing_of(const struct pass *pass,
                                          const struct git_history_hash *hash)
{
    const struct source_commits_histories *histories = pass->histories;
    const int64_t *place = histories->standings.count > 0
                               ? map_get(&histories->known, hash_bytes(hash))
                               : NULL;

    return place != NULL ? &histories->standings.at[*place - 1] : NULL;
}

static const struct standing *next_standing(const struct pass *pass,
                                            const struct standing *at)
{
    return at->next > 0 ? &pass->histories->standings.at[at->next - 1] : NULL;
}

static const struct standing_place *place_of(const struct pass *pass,
                                             const struct standing *at)
{
    return &pass->histories->places.at[at->place];
}

static bool is_own(const struct pass *pass, const struct standing *at)
{
    return place_of(pass, at)->history == pass->job->history;
}

static struct str repositories(struct slot *slot)
{
    const struct pass *pass = slot->pass;
    const struct git_history_commit *commit = &slot->waiting->commit;
    const struct standing *at = standing_of(pass, &commit->hash);
    struct buf list = {0};

    if (at == NULL)
        return git_history_at(pass->job->history, commit->repository)->name;
    for (; at != NULL; at = next_standing(pass, at))
        if (place_of(pass, at)->same == at->place)
            add_member(&list, place_of(pass, at)->repository->name);
    return buf_keep(&list, &slot->arena);
}

static void add_branches(const struct leading *leading,
                         const struct git_history_hash *hash, struct buf *list)
{
    const int64_t *node = map_get(&leading->nodes, hash_bytes(hash));
    struct str rest =
        node != NULL ? leading->texts[leading->lists[*node - 1]] : (struct str){0};
    struct buf first = {0}; /* those of the repositories before */

    buf_add(&first, buf_str(list));
    while (rest.len > 0) {
        struct str name, known, others = buf_str(&first);
        bool there = false;
        str_cut(&rest, '\n', &name);
        while (others.len > 0 && !there) {
            str_cut(&others, '\n', &known);
            there = str_eq(known, name);
        }
        if (!there)
            add_member(list, name);
    }
    buf_free(&first);
}

/* In all repositories of the source that have it. */
static struct str branches(struct slot *slot)
{
    const struct pass *pass = slot->pass;
    const struct git_history_commit *commit = &slot->waiting->commit;
    struct buf list = {0};

    for (size_t i = 0; i < git_history_count(pass->job->history); i++)
        add_branches(&pass->leading[i], &commit->hash, &list);
    return buf_keep(&list, &slot->arena);
}

/* In several repositories, which are not one that was given twice. */
static bool is_fork(const struct pass *pass, const struct git_history_hash *hash)
{
    const struct standing *at = standing_of(pass, hash);
    size_t first = at != NULL ? place_of(pass, at)->same : 0;

    while (at != NULL && place_of(pass, at)->same == first)
        at = next_standing(pass, at);
    return at != NULL;
}

static bool is_shared(const struct pass *pass, const struct git_history_hash *hash)
{
    const struct standing *at = standing_of(pass, hash);

    while (at != NULL && is_own(pass, at))
        at = next_standing(pass, at);
    return at != NULL;
}

static struct str odd_things(struct slot *slot)
{
    const struct git_history_commit *commit = &slot->waiting->commit;
    struct buf list = {0};

    if (commit->author.ms == ITEM_NONE || commit->committer.ms == ITEM_NONE)
        add_member(&list, STR("no-date"));
    if (commit->repaired)
        add_member(&list, STR("bad-bytes"));
    if (commit->cut)
        add_member(&list, STR("cut-off"));
    if (commit->subject.len == 0)
        add_member(&list, STR("no-subject"));
    return buf_keep(&list, &slot->arena);
}

static struct str yes_no(bool yes)
{
    return yes ? STR("yes") : STR("no");
}

static struct str cheap_value(struct slot *slot, enum source_commits_field field)
{
    const struct git_history_commit *commit = &slot->waiting->commit;
    struct buf text = {0};

    switch (field) {
    case SOURCE_COMMITS_HASH:
        return commit->key;
    case SOURCE_COMMITS_COMMITTED:
        if (commit->committer.ms != ITEM_NONE)
            date_add(&text, commit->committer.ms);
        return buf_keep(&text, &slot->arena);
    case SOURCE_COMMITS_AUTHOR:
        return person_text(&commit->author, &slot->arena);
    case SOURCE_COMMITS_COMMITTER:
        return person_text(&commit->committer, &slot->arena);
    case SOURCE_COMMITS_MERGE:
        return yes_no(commit->parent_count > 1);
    case SOURCE_COMMITS_PARENTS:
        return arena_format(&slot->arena, "%zu", commit->parent_count);
    case SOURCE_COMMITS_REPO:
        return repositories(slot);
    case SOURCE_COMMITS_REFS:
        for (size_t i = 0; i < commit->ref_count; i++)
            add_member(&text, commit->refs[i]);
        return buf_keep(&text, &slot->arena);
    case SOURCE_COMMITS_FORK:
        return yes_no(is_fork(slot->pass, &commit->hash));
    case SOURCE_COMMITS_BOT:
        return yes_no(is_bot(&commit->author));
    case SOURCE_COMMITS_IMPORTS:
        return slot->pass->surveys[commit->repository].imports;
    case SOURCE_COMMITS_ENDINGS:
        return slot->pass->surveys[commit->repository].endings;
    case SOURCE_COMMITS_BRANCH:
        return branches(slot);
    default:
        return odd_things(slot);
    }
}

static struct str odd_changes(struct slot *slot)
{
    const struct git_history_changes *changes = &slot->changes;
    bool binary = false;
    struct buf list = {0};
    static const struct {
        enum git_history_oddity oddity;
        struct str name;
    } oddities[] = {
        {GIT_HISTORY_ABSENT_OBJECTS, STR_INIT("absent")},
        {GIT_HISTORY_LARGE_FILES, STR_INIT("large")},
        {GIT_HISTORY_LARGE_PATCHES, STR_INIT("cut")},
        {GIT_HISTORY_MANY_RENAMES, STR_INIT("many-renames")},
    };

    if (!changes->known && slot->waiting->commit.parent_count < 2)
        add_member(&list, STR("unknown"));
    for (size_t i = 0; i < ROWS_OF(oddities); i++)
        if (changes->findings->count[oddities[i].oddity] > 0)
            add_member(&list, oddities[i].name);
    for (size_t i = 0; i < changes->file_count; i++)
        binary |= changes->files[i].added == ITEM_NONE && !changes->files[i].large &&
                  !changes->files[i].absent;
    if (binary)
        add_member(&list, STR("binary"));
    return buf_keep(&list, &slot->arena);
}

static struct str paths(struct slot *slot)
{
    struct buf list = {0};

    for (size_t i = 0; i < slot->changes.file_count; i++) {
        const struct git_history_file *file = &slot->changes.files[i];
        add_member(&list, file->path);
        if (file->status == 'R')
            add_member(&list, file->old_path);
    }
    return buf_keep(&list, &slot->arena);
}

static struct str text_value(struct slot *slot, struct str text)
{
    struct buf repaired = {0};

    if (text_utf8_valid(text))
        return arena_copy(&slot->arena, text);
    text_utf8_repair(text, &repaired);
    return buf_keep(&repaired, &slot->arena);
}

/* What a commit that changed nothing of its own, such as a merge, does not have. */
static struct str costly_value(struct slot *slot, enum source_commits_field field)
{
    const struct git_history_changes *changes = &slot->changes;
    const int64_t *same;

    if (field == SOURCE_COMMITS_ODD_CHANGES)
        return odd_changes(slot);
    if (!changes->known)
        return (struct str){0};
    switch (field) {
    case SOURCE_COMMITS_FILES:
        return arena_format(&slot->arena, "%zu", changes->file_count);
    case SOURCE_COMMITS_PATH:
        return paths(slot);
    case SOURCE_COMMITS_LINES:
        return arena_format(&slot->arena, "%lld",
                            (long long)(changes->added + changes->deleted));
    case SOURCE_COMMITS_ADDED_LINES:
        return arena_format(&slot->arena, "%lld", (long long)changes->added);
    case SOURCE_COMMITS_DELETED_LINES:
        return arena_format(&slot->arena, "%lld", (long long)changes->deleted);
    case SOURCE_COMMITS_ADDED:
        return text_value(slot, changes->added_lines);
    case SOURCE_COMMITS_DELETED:
        return text_value(slot, changes->deleted_lines);
    case SOURCE_COMMITS_DIFF:
        return text_value(slot, changes->patch);
    case SOURCE_COMMITS_PATCH_ID:
        return arena_copy(&slot->arena, changes->patch_id);
    default:
        if (changes->patch_id.len == 0)
            return (struct str){0};
        same = map_get(&slot->pass->histories->patches, changes->patch_id);
        return yes_no(same != NULL &&
                      slot->pass->histories->patch_counts.at[*same - 1] > 1);
    }
}

/* Names of files need trees alone; what needs more is made in one go. */
static bool compare(struct slot *slot, enum source_commits_field field)
{
    const struct pass *pass = slot->pass;
    const struct git_history_commit *commit = &slot->waiting->commit;
    unsigned want = field == SOURCE_COMMITS_FILES || field == SOURCE_COMMITS_PATH
                        ? pass->want_files
                        : pass->want;

    if (slot->failed)
        return false;
    if ((slot->compared & want) == want)
        return true;
    if (!git_history_compare(slot->differ, commit->repository, &commit->hash, want,
                             &slot->changes, &slot->err)) {
        slot->failed = true;
        return false;
    }
    slot->compared = want;
    slot->at->compared = true;
    slot->at->findings = *slot->changes.findings;
    return true;
}

static struct str value_of(struct slot *slot, enum source_commits_field field)
{
    struct made_commit *at = slot->at;

    if (slot->made >> field & 1)
        return at->extra[field];
    if (field < SOURCE_COMMITS_FILES)
        at->extra[field] = cheap_value(slot, field);
    else if (compare(slot, field))
        at->extra[field] = costly_value(slot, field);
    slot->made |= 1u << field;
    return at->extra[field];
}

static bool note_patch(void *context, const struct item *item, struct err *err);

/* ---- judging */

static struct str own_of(void *context, struct str name)
{
    enum source_commits_field field = source_commits_find(name);

    return field < SOURCE_COMMITS_FIELDS ? value_of(context, field) : (struct str){0};
}

static struct str text_of(void *context, enum query_text which)
{
    return dump_judge_text(&((struct slot *)context)->judge, which);
}

static bool has_code(void *context)
{
    return dump_judge_code_blocks(&((struct slot *)context)->judge) > 0;
}

static bool in_source(void *context, struct str name)
{
    return str_eq(((const struct slot *)context)->pass->job->source, name);
}

static struct item item_of(const struct waiting_commit *waiting)
{
    const struct git_history_commit *commit = &waiting->commit;
    struct item item = item_empty();

    item.id = waiting->id;
    item.kind = ITEM_COMMIT;
    item.created_ms = commit->author.ms;
    item.owner = person_number(&commit->author);
    item.title = commit->subject;
    item.body = commit->message;
    item.key = commit->key;
    item.form = ITEM_PLAIN;
    return item;
}

/* Its fields keep what they need of the changes, which the next commit overwrites. */
static void judge_commit(struct slot *slot, const struct waiting_commit *waiting,
                         struct made_commit *at)
{
    const struct pass *pass = slot->pass;
    struct query_item asked = {.item = &at->item,
                               .context = slot,
                               .text = text_of,
                               .has_code = has_code,
                               .in_source = in_source,
                               .own = own_of,
                               .newest_ms = pass->newest_ms};

    at->item = item_of(waiting);
    at->item.extra = at->extra;
    at->taken = at->compared = false;
    memset(at->extra, 0, sizeof at->extra);
    slot->waiting = waiting;
    slot->at = at;
    slot->made = slot->compared = 0;
    slot->judge.post = &at->item;
    slot->judge.split = slot->judge.titled = false;
    if (!query_test(pass->job->query, slot->judge.scratch, &asked, &at->taken,
                    &slot->err))
        slot->failed = true;
    for (unsigned i = 0; i < SOURCE_COMMITS_FIELDS && at->taken && !slot->failed; i++)
        if (pass->job->fields >> i & 1)
            (void)value_of(slot, (enum source_commits_field)i);
}

static void make_chunk(void *context, size_t piece, void *its_slot)
{
    const struct pass *pass = context;
    struct slot *slot = its_slot;

    arena_free(&slot->arena);
    slot->arena = (struct arena){0};
    slot->failed = false;
    for (size_t i = 0; i < CHUNK && !slot->failed; i++)
        if (piece * CHUNK + i < pass->waiting.count)
            judge_commit(slot, &pass->waiting.at[piece * CHUNK + i], &slot->chunk[i]);
}

static bool take_chunk(void *context, size_t piece, void *its_slot, struct err *err)
{
    struct pass *pass = context;
    const struct source_commits_job *job = pass->job;
    struct slot *slot = its_slot;

    if (slot->failed) {
        *err = slot->err;
        return false;
    }
    if (!stop_check(err))
        return false;
    for (size_t i = 0; i < CHUNK && piece * CHUNK + i < pass->waiting.count; i++) {
        const struct made_commit *made = &slot->chunk[i];
        const struct git_history_commit *commit =
            &pass->waiting.at[piece * CHUNK + i].commit;
        /* What the first pass finds is told when the commit is taken. */
        if (made->compared && job->take != note_patch)
            git_history_keep_findings(job->history, commit->repository, &made->findings);
        if (!made->taken)
            continue;
        pass->counts->taken++;
        if (!job->take(job->context, &made->item, err))
            return false;
        pass->enough = job->count_max > 0 && pass->counts->taken == job->count_max;
        if (pass->enough)
            return false; /* which is no failure */
    }
    return true;
}

static bool judge_batch(struct pass *pass, struct err *err)
{
    struct parallel_job job = {.pieces = (pass->waiting.count + CHUNK - 1) / CHUNK,
                               .threads = pass->threads,
                               .context = pass,
                               .slots = pass->slots,
                               .make = make_chunk,
                               .take = take_chunk};
    bool ok = parallel_run(&job, err) || pass->enough;

    list_clear(&pass->waiting);
    arena_free(&pass->batch);
    pass->batch = (struct arena){0};
    return ok;
}

/* ---- walking */

static void keep_person(struct git_history_person *person, struct arena *arena)
{
    person->name = arena_copy(arena, person->name);
    person->mail = arena_copy(arena, person->mail);
}

static void count_commit(struct pass *pass, const struct git_history_commit *commit)
{
    struct source_commits_counts *counts = pass->counts;
    int64_t ms = commit->author.ms;
    bool late = ms != ITEM_NONE && ms >= pass->job->until_ms;

    counts->commits++;
    counts->late += late;
    counts->merges += commit->parent_count > 1;
    counts->bots += is_bot(&commit->author);
    counts->forks += is_fork(pass, &commit->hash);
    counts->shared += is_shared(pass, &commit->hash);
    if (ms == ITEM_NONE || late)
        return;
    if (counts->first_ms == ITEM_NONE || ms < counts->first_ms)
        counts->first_ms = ms;
    if (counts->last_ms == ITEM_NONE || ms > counts->last_ms)
        counts->last_ms = ms;
}

static bool take_commit(void *context, const struct git_history_commit *commit,
                        struct err *err)
{
    struct pass *pass = context;
    const struct source_commits_job *job = pass->job;
    const struct standing *first = standing_of(pass, &commit->hash), *at = first;
    struct arena *arena = &pass->batch;

    while (at != NULL && !is_own(pass, at))
        at = next_standing(pass, at);
    if (at != NULL && at->place != pass->own_place + commit->repository)
        return true;
    count_commit(pass, commit);
    progress_add(job->progress, 0, 1);
    int64_t id = job->first_id + (first != NULL ? first->number : pass->met++);
    if (commit->author.ms != ITEM_NONE && commit->author.ms >= job->until_ms)
        return true;
    struct waiting_commit waiting = {*commit, id};
    waiting.commit.key = arena_copy(arena, commit->key);
    waiting.commit.message = arena_copy(arena, commit->message);
    waiting.commit.subject = arena_copy(arena, commit->subject);
    keep_person(&waiting.commit.author, arena);
    keep_person(&waiting.commit.committer, arena);
    struct str *refs = arena_array(arena, struct str, commit->ref_count + 1);
    if (commit->ref_count > 0)
        memcpy(refs, commit->refs, commit->ref_count * sizeof *refs);
    waiting.commit.refs = refs;
    list_add(&pass->waiting, waiting);
    return pass->waiting.count < BATCH || (judge_batch(pass, err) && !pass->enough);
}

/* The first pass over several repositories: where each commit stands. */
static bool note_standing(void *context, const struct git_history_commit *commit,
                          struct err *err)
{
    struct source_commits_histories *histories = ((struct pass *)context)->histories;
    int64_t *place = map_put(&histories->known, hash_bytes(&commit->hash));
    size_t at = histories->standings.count + 1;
    struct standing standing = {histories->walked_place + commit->repository, 0, at, 0};

    (void)err;
    if (*place == 0) {
        *place = (int64_t)at;
        standing.number = histories->numbered++;
    } else {
        struct standing *first = &histories->standings.at[*place - 1];
        histories->standings.at[first->last - 1].next = at;
        first->last = at;
    }
    list_add(&histories->standings, standing);
    return true;
}

struct noting {
    struct source_commits_histories *histories;
    const struct git_history *history;
};

/* The first pass where copies are asked for: how often each patch is there. A commit of
 * several histories has it once. */
static bool note_patch(void *context, const struct item *item, struct err *err)
{
    const struct noting *noting = context;
    struct source_commits_histories *histories = noting->histories;
    struct str patch_id = item->extra[SOURCE_COMMITS_PATCH_ID];

    (void)err;
    if (patch_id.len == 0)
        return true;
    int64_t *patch = map_put(&histories->patches, patch_id);
    if (*patch == 0) {
        list_add(&histories->patch_counts, (size_t)0);
        *patch = (int64_t)histories->patch_counts.count;
    }
    struct standing_patch standing = {noting->history, (size_t)*patch - 1};
    list_add(&histories->patch_standings, standing);
    int64_t *counted = map_put(&histories->patched, item->key);
    histories->patch_counts.at[standing.patch] += *counted == 0;
    *counted = 1;
    return true;
}

static bool walk_all(struct pass *pass, struct git_history *history,
                     bool (*take)(void *context, const struct git_history_commit *commit,
                                  struct err *err),
                     struct err *err)
{
    for (size_t i = 0; i < git_history_count(history) && !pass->enough; i++)
        if (!git_history_walk(history, i, take, pass, err))
            return pass->enough;
    return true;
}

/* What tells a repository from others: two that share their objects are one. */
static const char *where(const struct git_history_repository *repository)
{
    return repository->objects != NULL ? repository->objects : repository->path;
}

struct source_commits_histories *source_commits_histories_open(void)
{
    struct arena arena = {0};
    struct source_commits_histories *histories =
        arena_array(&arena, struct source_commits_histories, 1);

    histories->arena = arena;
    histories->known.arena = histories->patches.arena = histories->patched.arena =
        &histories->arena;
    return histories;
}

static void free_histories(struct source_commits_histories *histories)
{
    list_free(&histories->all);
    list_free(&histories->places);
    list_free(&histories->standings);
    list_free(&histories->patch_counts);
    list_free(&histories->patch_standings);
    struct arena arena = histories->arena;
    arena_free(&arena);
}

void source_commits_histories_close(struct source_commits_histories *histories)
{
    if (histories == NULL)
        return;
    for (size_t i = 0; i < histories->all.count; i++)
        git_history_close(histories->all.at[i]);
    free_histories(histories);
}

void source_commits_histories_add(struct source_commits_histories *histories,
                                  struct git_history *history)
{
    list_add(&histories->all, history);
    for (size_t i = 0; i < git_history_count(history); i++) {
        struct standing_place place = {git_history_at(history, i), history, 0};
        while (place.same < histories->places.count &&
               strcmp(where(histories->places.at[place.same].repository),
                      where(place.repository)) != 0)
            place.same++;
        list_add(&histories->places, place);
    }
}

struct git_history *
source_commits_histories_at(const struct source_commits_histories *histories,
                            size_t number)
{
    return histories->all.at[number];
}

/* Where all commits stand, which only matters where there are several places. */
static bool find_standings(struct pass *pass, struct err *err)
{
    struct source_commits_histories *histories = pass->histories;
    bool ok = true;

    while (pass->own_place < histories->places.count &&
           histories->places.at[pass->own_place].history != pass->job->history)
        pass->own_place++;
    if (histories->walked || histories->places.count < 2)
        return true;
    for (size_t h = 0; ok && h < histories->all.count; h++) {
        ok = walk_all(pass, histories->all.at[h], note_standing, err);
        histories->walked_place += git_history_count(histories->all.at[h]);
    }
    histories->walked = true;
    return ok;
}

/* Goes over all commits before the others are judged. */
static bool
run_before(struct pass *pass, struct git_history *history, unsigned fields,
           int64_t until_ms,
           bool (*take)(void *context, const struct item *item, struct err *err),
           void *context, struct source_commits_counts *counts, struct err *err)
{
    struct query_node all = {.kind = QUERY_ALL};
    struct query_compiled *query;
    struct source_commits_job job = *pass->job;

    if (!query_compile(&all, (struct query_options){0}, &query, err))
        return false;
    job.history = history;
    job.histories = pass->histories;
    job.node = &all;
    job.query = query;
    job.fields = fields;
    job.count_max = 0;
    job.until_ms = until_ms;
    job.context = context;
    job.take = take;
    bool ok = source_commits_run(&job, counts, err);
    query_free(query);
    return ok;
}

static bool survey_all(struct pass *pass, struct err *err)
{
    struct git_history *history = pass->job->history;
    struct git_history_survey *surveys = arena_array(
        &pass->arena, struct git_history_survey, git_history_count(history) + 1);

    pass->surveys = surveys;
    for (size_t i = 0; i < git_history_count(history); i++)
        if (!git_history_survey(history, i, &pass->arena, &surveys[i], err))
            return false;
    return true;
}

/* ---- what leads to a commit */

struct leading_node {
    size_t first_parent, parent_count; /* in parents */
    size_t children;                   /* whose list is not known yet */
    size_t list;
};

struct leading_ref {
    struct str name;
    size_t node;
};

struct leading_graph {
    struct arena *arena;
    struct map nodes_by_hash, lists_by_bits;
    LIST(struct leading_node) nodes;
    LIST(size_t) parents;
    LIST(struct leading_ref) refs;
    LIST(struct str) lists; /* a bit for each of refs */
    LIST(size_t) ready;     /* nodes whose children are all done */
};

static size_t node_of(struct leading_graph *graph, const struct git_history_hash *hash)
{
    int64_t *node = map_put(&graph->nodes_by_hash, hash_bytes(hash));

    if (*node == 0) {
        list_add(&graph->nodes, (struct leading_node){0});
        *node = (int64_t)graph->nodes.count;
    }
    return (size_t)*node - 1;
}

static bool note_node(void *context, const struct git_history_commit *commit,
                      struct err *err)
{
    struct leading_graph *graph = context;
    size_t node = node_of(graph, &commit->hash), first = graph->parents.count;

    (void)err;
    for (size_t i = 0; i < commit->parent_count && !commit->cut; i++) {
        size_t parent = node_of(graph, &commit->parents[i]);
        list_add(&graph->parents, parent);
        graph->nodes.at[parent].children++;
    }
    graph->nodes.at[node].first_parent = first;
    graph->nodes.at[node].parent_count = graph->parents.count - first;
    for (size_t i = 0; i < commit->ref_count; i++)
        list_add(&graph->refs,
                 ((struct leading_ref){arena_copy(graph->arena, commit->refs[i]), node}));
    return true;
}

static int compare_refs(const void *a, const void *b)
{
    const struct leading_ref *x = a, *y = b;

    return str_compare(x->name, y->name);
}

/* The list of all that stand in either. */
static size_t join_lists(struct leading_graph *graph, struct str a, struct str b)
{
    struct arena_mark mark = arena_mark(graph->arena);
    char *bits = arena_array(graph->arena, char, a.len + 1);

    for (size_t i = 0; i < a.len; i++)
        bits[i] = (char)(a.ptr[i] | b.ptr[i]);
    const int64_t *list = map_get(&graph->lists_by_bits, (struct str){bits, a.len});
    if (list != NULL) {
        arena_rewind(graph->arena, mark);
        return (size_t)*list - 1;
    }
    list_add(&graph->lists, ((struct str){bits, a.len}));
    *map_put(&graph->lists_by_bits, (struct str){bits, a.len}) =
        (int64_t)graph->lists.count;
    return graph->lists.count - 1;
}

/* Each commit hands what leads to it on to its parents, children first. */
static void hand_on(struct leading_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.at[i].children == 0)
            list_add(&graph->ready, i);
    for (size_t r = 0; r < graph->ready.count; r++) {
        struct leading_node node = graph->nodes.at[graph->ready.at[r]];
        for (size_t i = 0; i < node.parent_count; i++) {
            size_t at = graph->parents.at[node.first_parent + i];
            struct leading_node *parent = &graph->nodes.at[at];
            if (parent->list != node.list)
                parent->list = join_lists(graph, graph->lists.at[parent->list],
                                          graph->lists.at[node.list]);
            if (--parent->children == 0)
                list_add(&graph->ready, at);
        }
    }
}

static struct leading leading_of(const struct leading_graph *graph)
{
    size_t *lists = arena_array(graph->arena, size_t, graph->nodes.count + 1);
    struct str *texts = arena_array(graph->arena, struct str, graph->lists.count + 1);

    for (size_t i = 0; i < graph->nodes.count; i++)
        lists[i] = graph->nodes.at[i].list;
    for (size_t i = 0; i < graph->lists.count; i++) {
        struct buf text = {0};
        for (size_t k = 0; k < graph->refs.count; k++)
            if (graph->lists.at[i].ptr[k / 8] >> k % 8 & 1)
                add_member(&text, graph->refs.at[k].name);
        texts[i] = buf_keep(&text, graph->arena);
    }
    return (struct leading){graph->nodes_by_hash, lists, texts};
}

static bool find_leading(struct pass *pass, struct err *err)
{
    struct git_history *history = pass->job->history;
    bool ok = true;

    pass->leading =
        arena_array(&pass->arena, struct leading, git_history_count(history) + 1);
    for (size_t i = 0; i < git_history_count(history) && ok; i++) {
        struct leading_graph graph = {.arena = &pass->arena};
        graph.nodes_by_hash.arena = graph.lists_by_bits.arena = &pass->arena;
        ok = git_history_walk(history, i, note_node, &graph, err);
        if (graph.refs.count > 0)
            qsort(graph.refs.at, graph.refs.count, sizeof *graph.refs.at, compare_refs);
        size_t len = graph.refs.count / 8 + 1;
        struct str none = {arena_array(&pass->arena, char, len), len};
        join_lists(&graph, none, none); /* the first: nothing leads there */
        for (size_t k = 0; k < graph.refs.count; k++) {
            char *bits = arena_array(&pass->arena, char, len);
            size_t *list = &graph.nodes.at[graph.refs.at[k].node].list;
            bits[k / 8] = (char)(1 << k % 8);
            *list = join_lists(&graph, graph.lists.at[*list], (struct str){bits, len});
        }
        hand_on(&graph);
        pass->leading[i] = leading_of(&graph);
        list_free(&graph.nodes);
        list_free(&graph.parents);
        list_free(&graph.refs);
        list_free(&graph.lists);
        list_free(&graph.ready);
    }
    return ok;
}

static bool count_patches(struct pass *pass, struct err *err)
{
    struct source_commits_histories *histories = pass->histories;
    struct source_commits_counts ignored;
    bool ok = true;

    for (size_t h = 0; ok && !histories->compared && h < histories->all.count; h++) {
        struct noting noting = {histories, histories->all.at[h]};
        ok = run_before(pass, histories->all.at[h], 1u << SOURCE_COMMITS_PATCH_ID,
                        INT64_MAX, note_patch, &noting, &ignored, err);
    }
    histories->compared = true;
    for (size_t i = 0; i < histories->patch_standings.count; i++) {
        const struct standing_patch *at = &histories->patch_standings.at[i];
        pass->counts->copies += at->history == pass->job->history &&
                                histories->patch_counts.at[at->patch] > 1;
    }
    return ok;
}

static bool pass_over(void *context, const struct item *item, struct err *err)
{
    (void)context;
    (void)item;
    (void)err;
    return true;
}

/* The newest commit, which relative dates count from. */
static bool find_newest(struct pass *pass, struct err *err)
{
    struct source_commits_counts counts;

    if (!run_before(pass, pass->job->history, 0, pass->job->until_ms, pass_over, NULL,
                    &counts, err))
        return false;
    pass->newest_ms = counts.last_ms;
    return true;
}

/* ---- all together */

static unsigned wanted_of(unsigned fields)
{
    static const unsigned want[SOURCE_COMMITS_FIELDS] = {
        [SOURCE_COMMITS_LINES] = GIT_HISTORY_LINES,
        [SOURCE_COMMITS_ADDED_LINES] = GIT_HISTORY_LINES,
        [SOURCE_COMMITS_DELETED_LINES] = GIT_HISTORY_LINES,
        [SOURCE_COMMITS_ADDED] = GIT_HISTORY_ADDED,
        [SOURCE_COMMITS_DELETED] = GIT_HISTORY_DELETED,
        [SOURCE_COMMITS_DIFF] = GIT_HISTORY_PATCH,
        [SOURCE_COMMITS_ODD_CHANGES] = GIT_HISTORY_LINES,
        [SOURCE_COMMITS_PATCH_ID] = GIT_HISTORY_PATCH_ID,
        [SOURCE_COMMITS_COPY] = GIT_HISTORY_PATCH_ID,
    };
    unsigned all = GIT_HISTORY_FILES;

    for (unsigned i = 0; i < SOURCE_COMMITS_FIELDS; i++)
        if (fields >> i & 1)
            all |= want[i];
    return all;
}

/* Bits of the fields that the query names. */
static unsigned asked_of(const struct query_node *node)
{
    struct arena arena = {0};
    unsigned fields = 0;
    size_t count;
    const struct str *names = query_own_fields(node, &arena, &count);

    for (size_t i = 0; i < count; i++) {
        enum source_commits_field field = source_commits_find(names[i]);
        if (field < SOURCE_COMMITS_FIELDS)
            fields |= 1u << field;
    }
    arena_free(&arena);
    return fields;
}

static void open_slots(struct pass *pass)
{
    size_t count = parallel_slots(pass->threads);
    struct query_needs needs = query_needs(pass->job->node);

    pass->slots = arena_array(&pass->arena, void *, count);
    for (size_t i = 0; i < count; i++) {
        struct slot *slot = arena_array(&pass->arena, struct slot, 1);
        dump_judge_open(&slot->judge, pass->job->query, &needs);
        slot->differ = git_history_differ_open(pass->job->history);
        slot->pass = pass;
        pass->slots[i] = slot;
    }
}

static void close_slots(struct pass *pass)
{
    for (size_t i = 0; i < parallel_slots(pass->threads); i++) {
        struct slot *slot = pass->slots[i];
        dump_judge_close(&slot->judge);
        git_history_differ_close(slot->differ);
        arena_free(&slot->arena);
    }
}

bool source_commits_run(const struct source_commits_job *job,
                        struct source_commits_counts *counts, struct err *err)
{
    unsigned asked = asked_of(job->node) | job->fields;
    unsigned costly = asked >> SOURCE_COMMITS_FILES;
    struct pass pass = {.job = job,
                        .counts = counts,
                        .want_files = GIT_HISTORY_FILES,
                        .want = wanted_of(asked),
                        /* What is read in the walk alone is quick enough. */
                        .threads = costly != 0 ? job->threads : 1};

    *counts = (struct source_commits_counts){.first_ms = ITEM_NONE, .last_ms = ITEM_NONE};
    pass.histories = job->histories;
    if (job->histories == NULL) {
        pass.histories = source_commits_histories_open();
        source_commits_histories_add(pass.histories, job->history);
    }
    bool ok =
        find_standings(&pass, err) &&
        (!((asked >> SOURCE_COMMITS_IMPORTS | asked >> SOURCE_COMMITS_ENDINGS) & 1) ||
         survey_all(&pass, err)) &&
        (!(asked >> SOURCE_COMMITS_BRANCH & 1) || find_leading(&pass, err)) &&
        (!(asked >> SOURCE_COMMITS_COPY & 1) || count_patches(&pass, err)) &&
        (!query_needs(job->node).newest || find_newest(&pass, err));
    open_slots(&pass);
    ok = ok && walk_all(&pass, job->history, take_commit, err) && judge_batch(&pass, err);
    close_slots(&pass);
    list_free(&pass.waiting);
    if (job->histories == NULL)
        free_histories(pass.histories); /* whose one history is the caller's */
    arena_free(&pass.batch);
    arena_free(&pass.arena);
    return ok;
}
