/* Opening a task, its codebook, its people. */
#include "label/label.h"

#include <glib.h>
#include <string.h>
#include <sys/random.h>

#include "base/file.h"
#include "base/near.h"
#include "label/internal.h"
#include "source/patches.h"
#include "study/history.h"

enum { CODEBOOK_BYTES_MAX = 64 << 20, LINKS_BYTES_MAX = 1 << 20 };

/* The task. */

bool label_choose_task(const struct study *study, struct str name,
                       const struct study_labelling **out, struct err *err)
{
    struct arena arena = {0};
    struct str *names = arena_array(&arena, struct str, study->labelling_count + 1);

    if (study->labelling_count == 0) {
        arena_free(&arena);
        return err_set(err, ERR_INPUT, "%s: the study has no `labelling`", study->path);
    }
    *out = NULL;
    for (size_t i = 0; i < study->labelling_count; i++) {
        names[i] = study->labellings[i].name;
        if (str_eq(names[i], name) || (name.len == 0 && study->labelling_count == 1))
            *out = &study->labellings[i];
    }
    size_t near = near_find(name, names, study->labelling_count);
    if (*out == NULL && name.len == 0)
        err_set(err, ERR_USAGE,
                "the study has %zu labelling tasks; say which with --task",
                study->labelling_count);
    else if (*out == NULL && near < study->labelling_count)
        err_set(err, ERR_INPUT,
                "the study has no labelling task '%.*s'; did you mean '%.*s'?",
                STR_ARG(name), STR_ARG(names[near]));
    else if (*out == NULL)
        err_set(err, ERR_INPUT, "the study has no labelling task '%.*s'", STR_ARG(name));
    arena_free(&arena);
    return *out != NULL;
}

/* The codebook. */

/* A version that is new is stored, if it goes on from the one before. */
static bool keep_version(struct label *label, struct str text, struct err *err)
{
    const struct store_acts_codebook *known = label->log.codebooks.at;
    size_t count = label->log.codebooks.count;
    struct study_codebook older;
    struct buf problems = {0};
    bool own, ok = true;

    for (size_t i = 0; i < count; i++)
        if (str_eq(known[i].version, label->task.version))
            return true;
    if (count > 0) {
        /* It was read without errors when it was stored. */
        ok = study_codebook_parse(known[count - 1].text, "labels.db", &label->arena,
                                  &older, &problems, err) &&
             (study_history_continues(&older, &label->file, err) ||
              err_at(err, "%s: ", label->settings->codebook));
        buf_free(&problems);
    }
    struct store_acts_codebook row = {.task = label->settings->name,
                                      .version = label->task.version,
                                      .changes = (int64_t)label->file.change_count,
                                      .text = text};
    return ok && label_change_begin(label, &own, err) &&
           label_change_end(label, own,
                            store_acts_add(label->acts, STORE_ACTS_CODEBOOK, &row, err),
                            err) &&
           label_follow(label, err);
}

bool label_versions(struct label *label, struct arena *arena, struct label_version **out,
                    size_t *count, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    const struct store_acts_codebook *known = label->log.codebooks.at;
    const struct label_entry *entries = label->log.entries.at;
    *count = label->log.codebooks.count;
    *out = arena_array(arena, struct label_version, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        (*out)[i] = (struct label_version){.version = arena_copy(arena, known[i].version),
                                           .text = arena_copy(arena, known[i].text),
                                           .at_ms = known[i].at_ms};
        for (size_t e = 0; e < label->log.entries.count; e++)
            (*out)[i].acts += str_eq(entries[e].act.version, known[i].version);
    }
    return true;
}

static bool load_codebook(struct label *label, struct str *text, struct buf *problems,
                          struct err *err)
{
    if (!file_read_max(label->settings->codebook, CODEBOOK_BYTES_MAX, &label->arena, text,
                       err) ||
        !study_codebook_parse(*text, label->settings->codebook, &label->arena,
                              &label->file, problems, err))
        return false;
    label->task.version = study_history_version(*text, &label->arena);
    label->task.codebook = &label->effective;
    label->effective = label->file;
    return true;
}

static void add_accepted(struct label *label, struct study_codebook_dimension *dimension,
                         const struct label_proposal *proposal)
{
    size_t parent = label_code(dimension, proposal->parent);
    struct buf path = {0};

    if (parent != LABEL_NONE)
        buf_add_format(&path, "%.*s/", STR_ARG(proposal->parent));
    buf_add(&path, proposal->code);
    if (label_code(dimension, buf_str(&path)) == LABEL_NONE &&
        (parent != LABEL_NONE || proposal->parent.len == 0)) {
        struct arena *arena = &label->arena;
        dimension->codes[dimension->count] = (struct study_codebook_code){
            .id = arena_copy(arena, proposal->code),
            .path = arena_copy(arena, buf_str(&path)),
            .name = arena_copy(arena, proposal->name),
            .definition = arena_copy(arena, proposal->text),
            .parent = parent == LABEL_NONE ? STUDY_CODEBOOK_NONE : parent,
            .level = parent == LABEL_NONE ? 1 : dimension->codes[parent].level + 1,
            .leaf = true,
        };
        if (parent != LABEL_NONE)
            dimension->codes[parent].leaf = false;
        dimension->count++;
    }
    buf_free(&path);
}

void label_extend_codebook(struct label *label)
{
    const struct label_proposal *proposals = label->log.proposals.at;
    size_t count = label->log.proposals.count;
    struct arena *arena = &label->arena;

    label->effective = label->file;
    label->effective.dimensions =
        arena_array(arena, struct study_codebook_dimension, label->file.count);
    for (size_t d = 0; d < label->file.count; d++) {
        struct study_codebook_dimension *dimension = &label->effective.dimensions[d];
        *dimension = label->file.dimensions[d];
        struct study_codebook_code *codes =
            arena_array(arena, struct study_codebook_code, dimension->count + count + 1);
        if (dimension->count > 0)
            memcpy(codes, dimension->codes, dimension->count * sizeof *codes);
        dimension->codes = codes;
        for (size_t i = 0; i < count; i++)
            if (proposals[i].verdict == LABEL_ACCEPTED &&
                str_eq(proposals[i].dimension, dimension->id))
                add_accepted(label, dimension, &proposals[i]);
    }
}

bool label_dimension(const struct label *label, struct str id,
                     const struct study_codebook_dimension **out, struct err *err)
{
    return study_codebook_choose(&label->effective, id, out, err);
}

size_t label_code(const struct study_codebook_dimension *dimension, struct str path)
{
    for (size_t i = 0; i < dimension->count; i++)
        if (str_eq(dimension->codes[i].path, path))
            return i;
    return LABEL_NONE;
}

/* People. */

static void add_person(struct label *label, struct str name, unsigned role)
{
    for (size_t i = 0; i < label->person_count; i++)
        if (str_eq(label->people[i].name, name)) {
            label->people[i].roles |= role;
            return;
        }
    label->people[label->person_count++] = (struct label_person){name, role};
}

static void list_people(struct label *label)
{
    const struct study_labelling *settings = label->settings;

    label->people =
        arena_array(&label->arena, struct label_person, settings->rater_count + 2);
    for (size_t i = 0; i < settings->rater_count; i++)
        add_person(label, settings->raters[i], LABEL_RATER);
    if (settings->arbiter.len > 0)
        add_person(label, settings->arbiter, LABEL_ARBITER);
    add_person(label, settings->lead, LABEL_LEAD);
}

size_t label_people(const struct label *label, const struct label_person **out)
{
    *out = label->people;
    return label->person_count;
}

const struct label_person *label_person(const struct label *label, struct str name)
{
    for (size_t i = 0; i < label->person_count; i++)
        if (str_eq(label->people[i].name, name))
            return &label->people[i];
    return NULL;
}

size_t label_rater(const struct label *label, struct str name)
{
    size_t i = 0;

    while (i < label->settings->rater_count && !str_eq(label->settings->raters[i], name))
        i++;
    return i;
}

/* Links. Their tokens are in a file of their own, a line each with task, person and token
 * by tabs; labels.db is copied and given away, and has only what they are recognised by.
 */

struct label_links {
    struct arena arena;
    LIST(struct store_acts_token) list;
};

static const char *links_path(const char *home, struct label_links *links)
{
    return file_join(home, ".assay-links", &links->arena);
}

static void links_free(struct label_links *links)
{
    list_free(&links->list);
    arena_free(&links->arena);
}

static bool links_read(const char *home, struct label_links *links, struct err *err)
{
    const char *path = links_path(home, links);
    struct str text, line;

    if (!file_exists(path))
        return true;
    if (!file_read_max(path, LINKS_BYTES_MAX, &links->arena, &text, err))
        return false;
    while (text.len > 0) {
        struct store_acts_token link = {0};
        str_cut(&text, '\n', &line);
        if (str_cut(&line, '\t', &link.task) && str_cut(&line, '\t', &link.person)) {
            link.token = line;
            list_add(&links->list, link);
        }
    }
    return true;
}

static bool links_write(const char *home, struct label_links *links, struct err *err)
{
    struct buf out = {0};

    for (size_t i = 0; i < links->list.count; i++)
        buf_add_format(&out, "%.*s\t%.*s\t%.*s\n", STR_ARG(links->list.at[i].task),
                       STR_ARG(links->list.at[i].person),
                       STR_ARG(links->list.at[i].token));
    bool ok = file_write_private(links_path(home, links), buf_str(&out), err);
    buf_free(&out);
    return ok;
}

static struct str links_find(const struct label_links *links, struct str task,
                             struct str person)
{
    for (size_t i = 0; i < links->list.count; i++)
        if (str_eq(links->list.at[i].task, task) &&
            str_eq(links->list.at[i].person, person))
            return links->list.at[i].token;
    return (struct str){0};
}

static struct str digest_of(struct str token, struct arena *arena)
{
    char *hex = g_compute_checksum_for_data(G_CHECKSUM_SHA256,
                                            (const unsigned char *)token.ptr, token.len);
    struct str digest = arena_copy(arena, str_from(hex));

    g_free(hex);
    return digest;
}

static bool take_plain(void *context, const void *row, struct err *err)
{
    struct label_links *links = context;
    struct store_acts_token token = *(const struct store_acts_token *)row;

    (void)err;
    if (token.token.len != LABEL_TOKEN_LEN ||
        links_find(links, token.task, token.person).len > 0)
        return true;
    token.task = arena_copy(&links->arena, token.task);
    token.person = arena_copy(&links->arena, token.person);
    token.token = arena_copy(&links->arena, token.token);
    list_add(&links->list, token);
    return true;
}

static struct str hide_plain(void *context, const struct store_acts_token *token)
{
    struct label_links *links = context;

    return token->token.len == LABEL_TOKEN_LEN ? digest_of(token->token, &links->arena)
                                               : token->token;
}

/* Tokens that an older assay left in labels.db move to where they belong. */
static bool move_tokens(struct label *label, struct err *err)
{
    struct label_links links = {0};

    if (!label->log.plain_token)
        return true;
    bool ok =
        links_read(label->study->home, &links, err) &&
        store_acts_each(label->acts, STORE_ACTS_TOKEN, 0, take_plain, &links, err) &&
        links_write(label->study->home, &links, err) &&
        store_acts_hide_tokens(label->acts, hide_plain, &links, err);
    links_free(&links);
    label->stale = true;
    return ok && label_follow(label, err);
}

/* The last that was made for the person. */
static struct str known_token(const struct label *label, struct str name)
{
    for (size_t i = label->log.tokens.count; i > 0; i--)
        if (str_eq(label->log.tokens.at[i - 1].person, name))
            return label->log.tokens.at[i - 1].token;
    return (struct str){0};
}

static bool make_link(const char *home, struct str task, struct str name,
                      struct label_links *links, struct err *err)
{
    unsigned char bytes[LABEL_TOKEN_LEN / 2];
    struct buf hex = {0};

    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return err_set(err, ERR_SYSTEM, "the machine gives no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        buf_add_format(&hex, "%02x", bytes[i]);
    struct store_acts_token link = {
        .task = task, .person = name, .token = arena_copy(&links->arena, buf_str(&hex))};
    list_add(&links->list, link);
    buf_free(&hex);
    return links_write(home, links, err);
}

/* Made when it is not there yet. */
static bool take_link(const char *home, struct str task, struct str name,
                      struct label_links *links, struct str *token, struct err *err)
{
    if (!links_read(home, links, err) || (links_find(links, task, name).len == 0 &&
                                          !make_link(home, task, name, links, err)))
        return false;
    *token = links_find(links, task, name);
    return true;
}

bool label_link_token(const char *home, struct str task, struct str name,
                      struct arena *arena, struct str *token, struct err *err)
{
    struct label_links links = {0};
    bool ok = take_link(home, task, name, &links, token, err);

    if (ok)
        *token = arena_copy(arena, *token);
    links_free(&links);
    return ok;
}

static bool find_link(struct label *label, struct str name, struct label_links *links,
                      struct str *token, struct err *err)
{
    struct str task = label->settings->name;

    if (!take_link(label->study->home, task, name, links, token, err))
        return false;
    struct store_acts_token row = {
        .task = task, .person = name, .token = digest_of(*token, &links->arena)};
    return str_eq(known_token(label, name), row.token) ||
           (store_acts_add(label->acts, STORE_ACTS_TOKEN, &row, err) &&
            label_follow(label, err));
}

bool label_token(struct label *label, struct str name, struct arena *arena,
                 struct str *token, struct err *err)
{
    struct label_links links = {0};
    bool own;

    if (label_person(label, name) == NULL)
        return err_set(err, ERR_INPUT, "nobody of the task is called '%.*s'",
                       STR_ARG(name));
    if (!label_change_begin(label, &own, err))
        return false;
    bool ok = find_link(label, name, &links, token, err);
    if (ok)
        *token = arena_copy(arena, *token);
    links_free(&links);
    return label_change_end(label, own, ok, err);
}

bool label_find_token(struct label *label, struct str token,
                      const struct label_person **out, struct err *err)
{
    struct arena arena = {0};

    *out = NULL;
    if (!label_follow(label, err))
        return false;
    struct str digest = digest_of(token, &arena);
    for (size_t i = 0; i < label->person_count; i++)
        if (str_eq(known_token(label, label->people[i].name), digest))
            *out = &label->people[i];
    arena_free(&arena);
    return true;
}

/* Copies. */

bool label_copy(struct label *label, struct buf *out, struct err *err)
{
    return store_acts_copy(label->acts, out, err);
}

void label_settle(struct label *label)
{
    store_acts_settle(label->acts);
}

/* Transactions. */

bool label_begin(struct label *label, struct err *err)
{
    label->within = store_acts_begin(label->acts, err);
    return label->within;
}

bool label_commit(struct label *label, struct err *err)
{
    if (!store_acts_commit(label->acts, err))
        return false;
    label->within = false;
    return true;
}

void label_rollback(struct label *label)
{
    if (!label->within)
        return;
    store_acts_rollback(label->acts);
    label->within = false;
    label->stale = true;
    label->left_as_of = -1;
}

bool label_change_begin(struct label *label, bool *own, struct err *err)
{
    *own = !label->within;
    if (*own && !label_begin(label, err))
        return false;
    if (label_follow(label, err))
        return true;
    if (*own)
        label_rollback(label);
    return false;
}

bool label_change_end(struct label *label, bool own, bool ok, struct err *err)
{
    ok = ok && (!own || label_commit(label, err));
    if (!ok && own)
        label_rollback(label);
    return ok;
}

/* Opening. */

const struct label_task *label_task(const struct label *label)
{
    return &label->task;
}

/* Posts of several sites were mixed up by an assay that gave them all plain numbers. */
static bool check_corpus(struct label *label, struct err *err)
{
    const struct study *study = label->study;
    struct arena arena = {0};
    struct str older;
    bool sites = false;

    if (!label_open_corpus(label, err) ||
        !store_get_state(label->corpus, STORE_OLDER_IDS, &arena, &older, err))
        return false;
    for (size_t i = 0; i < study->source_count; i++)
        sites |= study->sources[i].kind->site && study->spaces.at[i].space > 0;
    bool ok = older.len == 0 || !sites;
    arena_free(&arena);
    return ok || err_set(err, ERR_INPUT,
                         "an older assay had plain numbers for items, and the corpus, "
                         "which it made, does not tell sites apart: 'assay ingest' "
                         "makes it anew");
}

struct label_found_items {
    LIST(int64_t) ids;
};

static bool find_item(void *context, const struct item *item, struct err *err)
{
    struct label_found_items *found = context;

    (void)err;
    if (item_kind_is_studied(item->kind))
        list_add(&found->ids, item->id);
    return true;
}

/* What plain numbers of older labels mean. */
struct label_naming {
    struct label *label;
    struct buf doubts; /* those of which several sources have the item */
    size_t doubt_count;
    int64_t doubt; /* one of them, and what it may be */
    int64_t candidate;
};

enum { DOUBTS_SHOWN_MAX = 8 };

static void add_doubt(struct label_naming *naming, int64_t item, const int64_t *ids,
                      size_t count)
{
    char shown[ITEM_KEY_SHOWN_MAX];

    naming->doubt = item;
    naming->candidate = ids[0];
    if (naming->doubt_count++ >= DOUBTS_SHOWN_MAX)
        return;
    buf_add_format(&naming->doubts, "%s%lld (", naming->doubts.len > 0 ? ", " : "",
                   (long long)item);
    for (size_t i = 0; i < count; i++)
        buf_add_format(&naming->doubts, "%s%s", i > 0 ? " or " : "",
                       item_key_show(&naming->label->study->spaces, ids[i], shown));
    buf_add_char(&naming->doubts, ')');
}

/* The item of the first source where that has it, for it was read first; else that of the
 * only one that has it. What is not there stays, to be told when it is asked for. */
static bool name_item(void *context, int64_t *item, struct str told, struct err *err)
{
    struct label_naming *naming = context;
    const struct item_spaces *spaces = &naming->label->study->spaces;
    struct label_found_items found = {0};

    if (told.len > 0)
        return item_key_read(spaces, told, item, err);
    if (item_space(*item) > 0)
        return true;
    bool ok = check_corpus(naming->label, err);
    for (size_t i = 0; i < spaces->count && ok; i++) {
        int64_t id = item_id(i, *item);
        if (spaces->at[i].space == i)
            ok = store_fetch(naming->label->corpus, &id, 1, find_item, &found, err);
        if (i == 0 && found.ids.count > 0)
            break;
    }
    const int64_t *ids = found.ids.at;
    size_t count = found.ids.count;
    if (ok && count > 1)
        add_doubt(naming, *item, ids, count);
    else if (ok && count == 1)
        *item = ids[0];
    list_free(&found.ids);
    return ok;
}

static bool name_items(struct label *label, struct err *err)
{
    struct label_naming naming = {.label = label};
    char shown[ITEM_KEY_SHOWN_MAX];
    bool ok = store_acts_name_items(label->acts, name_item, &naming, err);

    if (ok && naming.doubt_count > 0)
        ok = err_set(err, ERR_INPUT,
                     "an older assay had plain numbers for items, and %zu of them may be "
                     "of several sources: %.*s%s; say of each which it "
                     "is: " STORE_ACTS_TELL,
                     naming.doubt_count, STR_ARG(buf_str(&naming.doubts)),
                     naming.doubt_count > DOUBTS_SHOWN_MAX ? ", ..." : "",
                     (long long)naming.doubt,
                     item_key_show(&label->study->spaces, naming.candidate, shown));
    buf_free(&naming.doubts);
    return ok;
}

/* Items have the numbers of their sources: these must be what they were. */
static bool check_sources(struct label *label, const char *path, struct err *err)
{
    const struct study *study = label->study;

    if (study->spaces.several && !name_items(label, err))
        return err_at(err, "%s: ", path);
    for (size_t i = 0; i < study->source_count; i++) {
        const struct item_space *space = &study->spaces.at[i];
        if (space->space == i &&
            !store_acts_check_source(label->acts, i,
                                     space->site.len > 0 ? space->site : space->name,
                                     !study->spaces.several, err))
            return false;
    }
    return true;
}

static bool open_log(struct label *label, struct err *err)
{
    const char *home = label->study->home, *made;

    if (home[0] != '\0' && !file_make_folder(home, &label->arena, &made, err))
        return false;
    const char *path = file_join(home, "labels.db", &label->arena);
    label->stale = true;
    return store_acts_open(path, label->study->name, &label->acts, err) &&
           check_sources(label, path, err);
}

bool label_open(const struct study *study, struct str task, struct label **out,
                struct buf *problems, struct err *err)
{
    const struct study_labelling *settings;
    struct arena arena = {0};
    struct str text;

    if (!label_choose_task(study, task, &settings, err))
        return false;
    struct label *label = arena_array(&arena, struct label, 1);
    label->arena = arena;
    label->study = study;
    label->settings = settings;
    label->item_order.arena = &label->arena;
    label->left_as_of = -1;
    label->task.name = settings->name;
    label->task.study = study;
    label->task.settings = settings;
    list_people(label);
    if (load_codebook(label, &text, problems, err) && label_load_items(label, err) &&
        open_log(label, err) && label_follow(label, err) && move_tokens(label, err) &&
        keep_version(label, text, err)) {
        *out = label;
        return true;
    }
    label_close(label);
    return false;
}

void label_close(struct label *label)
{
    if (label == NULL)
        return;
    label_log_free(&label->log);
    store_acts_close(label->acts);
    label_diff_free(&label->diff);
    label_forget_texts(label);
    store_close(label->corpus);
    source_patches_close(label->patches);
    struct arena arena = label->arena; /* it holds *label itself */
    arena_free(&arena);
}
