/* A path is followed through the changes one by one. */
#include "study/history.h"

#include <inttypes.h>
#include <xxhash.h>

const char *const study_history_words[STUDY_HISTORY_KINDS] = {"rename", "move", "merge",
                                                              "split", "retire"};

static bool is_or_is_below(struct str path, struct str above)
{
    return str_starts(path, above) &&
           (path.len == above.len || path.ptr[above.len] == '/');
}

/* The code among those that the change is about that is path or stands above it. */
static const struct str *touched(const struct study_codebook_change *change,
                                 struct str path)
{
    for (size_t i = 0; i < change->from.count; i++)
        if (is_or_is_below(path, change->from.at[i]))
            return &change->from.at[i];
    return NULL;
}

/* The path that a move gives to a code at or below `from`. */
static struct str moved_path(const struct study_codebook_change *change, struct str from,
                             struct str path, struct arena *arena)
{
    struct str into = change->into.at[0], rest = str_slice(path, from.len, path.len);
    struct str above = str_eq(into, STR("/")) ? STR("") : into;

    return arena_format(arena, "%.*s%s%.*s%.*s", STR_ARG(above), above.len > 0 ? "/" : "",
                        STR_ARG(str_last(from, '/')), STR_ARG(rest));
}

static struct str why_review(const struct study_codebook_change *change,
                             struct arena *arena)
{
    struct buf out = {0};

    study_history_describe(change, &out);
    return buf_keep(&out, arena);
}

static void follow(const struct study_codebook_change *change, struct arena *arena,
                   struct study_history_place *place)
{
    const struct str *from = touched(change, place->path);

    if (from == NULL || change->kind == STUDY_HISTORY_RENAME)
        return;
    bool itself = from->len == place->path.len;
    if (change->kind == STUDY_HISTORY_SPLIT && !itself)
        return; /* codes below it have not been touched */
    if (change->review || change->kind == STUDY_HISTORY_SPLIT ||
        (change->kind == STUDY_HISTORY_RETIRE && change->into.count == 0))
        place->review = why_review(change, arena);
    else if (change->kind == STUDY_HISTORY_MOVE)
        place->path = moved_path(change, *from, place->path, arena);
    else if (change->kind == STUDY_HISTORY_MERGE)
        place->path =
            arena_format(arena, "%.*s%.*s", STR_ARG(change->into.at[0]),
                         STR_ARG(str_slice(place->path, from->len, place->path.len)));
    else
        place->path = change->into.at[0];
}

static bool history_has(const struct study_codebook_dimension *dimension, struct str path)
{
    for (size_t i = 0; i < dimension->count; i++)
        if (str_eq(dimension->codes[i].path, path))
            return true;
    return false;
}

struct study_history_place
study_history_carry(const struct study_codebook *codebook,
                    const struct study_codebook_dimension *dimension, size_t known,
                    struct str path, struct arena *arena)
{
    struct study_history_place place = {path, STR("")};

    for (size_t i = known; i < codebook->change_count && place.review.len == 0; i++)
        if (str_eq(codebook->changes[i].dimension, dimension->id))
            follow(&codebook->changes[i], arena, &place);
    if (place.review.len == 0 && !history_has(dimension, place.path))
        place.review = STR("the code is no longer in the codebook");
    return place;
}

static void add_texts(const struct study_codebook_texts *texts, struct buf *out)
{
    for (size_t i = 0; i < texts->count; i++)
        buf_add_format(out, "%s%.*s", i > 0 ? ", " : "", STR_ARG(texts->at[i]));
}

void study_history_describe(const struct study_codebook_change *change, struct buf *out)
{
    buf_add_format(out, "%s ", study_history_words[change->kind]);
    add_texts(&change->from, out);
    if (change->into.count > 0)
        buf_add(out, STR(" into "));
    add_texts(&change->into, out);
    buf_add_format(out, ": %.*s", STR_ARG(change->reason));
}

struct str study_history_version(struct str text, struct arena *arena)
{
    return arena_format(arena, "%016" PRIx64, (uint64_t)XXH3_64bits(text.ptr, text.len));
}

/* Two versions of a codebook: whether the one goes on from the other, and what differs.
 */
static bool same_texts(const struct study_codebook_texts *a,
                       const struct study_codebook_texts *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = str_eq(a->at[i], b->at[i]);
    return same;
}

static bool same_change(const struct study_codebook_change *a,
                        const struct study_codebook_change *b)
{
    return a->kind == b->kind && str_eq(a->dimension, b->dimension) &&
           a->review == b->review && same_texts(&a->from, &b->from) &&
           same_texts(&a->into, &b->into);
}

bool study_history_continues(const struct study_codebook *older,
                             const struct study_codebook *newer, struct err *err)
{
    for (size_t i = 0; i < older->change_count; i++) {
        if (i < newer->change_count &&
            same_change(&older->changes[i], &newer->changes[i]))
            continue;
        struct buf text = {0};
        study_history_describe(&older->changes[i], &text);
        err_set(err, ERR_INPUT,
                "the codebook's changes must go on from those that labels rest on; "
                "change %zu was '%.*s'",
                i + 1, STR_ARG(buf_str(&text)));
        buf_free(&text);
        return false;
    }
    return true;
}

static const struct study_codebook_code *
code_at(const struct study_codebook_dimension *dimension, struct str path)
{
    for (size_t i = 0; i < dimension->count; i++)
        if (str_eq(dimension->codes[i].path, path))
            return &dimension->codes[i];
    return NULL;
}

static void describe_code(const struct study_codebook_code *was,
                          const struct study_codebook_code *is, struct buf *out)
{
    bool words = !str_eq(was->definition, is->definition) ||
                 !str_eq(was->use_when, is->use_when) ||
                 !str_eq(was->not_when, is->not_when);

    if (!str_eq(was->name, is->name))
        buf_add_format(out, "~ %.*s: called '%.*s', was '%.*s'\n", STR_ARG(is->path),
                       STR_ARG(is->name), STR_ARG(was->name));
    if (words)
        buf_add_format(out, "~ %.*s: defined in other words\n", STR_ARG(is->path));
}

/* What became of the older one's codes; marks in `met` those of the newer one that an
 * older code leads to. */
static void describe_old(const struct study_codebook *older,
                         const struct study_codebook *newer,
                         const struct study_codebook_dimension *was,
                         const struct study_codebook_dimension *is, bool *met,
                         struct arena *arena, struct buf *out)
{
    for (size_t i = 0; i < was->count; i++) {
        const struct study_codebook_code *code = &was->codes[i];
        struct study_history_place now =
            study_history_carry(newer, is, older->change_count, code->path, arena);
        const struct study_codebook_code *there = code_at(is, now.path);
        if (now.review.len > 0)
            buf_add_format(out, "- %.*s: needs review (%.*s)\n", STR_ARG(code->path),
                           STR_ARG(now.review));
        else if (!str_eq(now.path, code->path))
            buf_add_format(out, "- %.*s: now %.*s\n", STR_ARG(code->path),
                           STR_ARG(now.path));
        else
            describe_code(code, there, out);
        if (there != NULL && now.review.len == 0)
            met[there - is->codes] = true;
    }
}

void study_history_difference(const struct study_codebook *older,
                              const struct study_codebook *newer, struct arena *arena,
                              struct buf *out)
{
    for (size_t d = 0; d < newer->count; d++) {
        const struct study_codebook_dimension *is = &newer->dimensions[d], *was = NULL;
        for (size_t i = 0; i < older->count; i++)
            if (str_eq(older->dimensions[i].id, is->id))
                was = &older->dimensions[i];
        if (was == NULL) {
            buf_add_format(out, "+ dimension %.*s\n", STR_ARG(is->id));
            continue;
        }
        bool *met = arena_array(arena, bool, is->count + 1);
        describe_old(older, newer, was, is, met, arena, out);
        for (size_t i = 0; i < is->count; i++)
            if (!met[i] && code_at(was, is->codes[i].path) == NULL)
                buf_add_format(out, "+ %.*s: %.*s\n", STR_ARG(is->codes[i].path),
                               STR_ARG(is->codes[i].name));
    }
    for (size_t i = 0; i < older->count; i++) {
        bool there = false;
        for (size_t d = 0; d < newer->count; d++)
            there = there || str_eq(older->dimensions[i].id, newer->dimensions[d].id);
        if (!there)
            buf_add_format(out, "- dimension %.*s\n", STR_ARG(older->dimensions[i].id));
    }
}

/* The list `changes` of a codebook. Where changes lead must be there today. */
static struct study_codebook_texts texts_of(const struct yaml_node *node,
                                            struct arena *arena)
{
    struct study_codebook_texts texts = {NULL, 0};
    size_t count = node == NULL ? 0 : node->type == YAML_SEQUENCE ? node->count : 1;

    texts.at = arena_array(arena, struct str, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *item =
            node->type == YAML_SEQUENCE ? &node->items[i] : node;
        if (item->type == YAML_SCALAR && str_trim(item->text).len > 0)
            texts.at[texts.count++] = str_trim(item->text);
    }
    return texts;
}

static bool is_key_known(struct str key)
{
    static const char *const others[] = {"into", "reason", "review", "dimension"};

    for (size_t i = 0; i < ROWS_OF(others); i++)
        if (str_eq(key, str_from(others[i])))
            return true;
    for (size_t i = 0; i < STUDY_HISTORY_KINDS; i++)
        if (str_eq(key, str_from(study_history_words[i])))
            return true;
    return false;
}

/* The one key that says what was done; false, with a complaint, when it is not one. */
static bool read_kind(const struct yaml_node *node, struct arena *arena,
                      struct study_keys_problems *problems,
                      struct study_codebook_change *change)
{
    size_t found = 0;

    for (size_t i = 0; i < node->count; i++)
        if (!is_key_known(node->keys[i].text))
            study_keys_complain(
                problems, &node->keys[i],
                "unknown key '%.*s'; allowed are rename, move, merge, split, "
                "retire, into, reason, review, dimension",
                STR_ARG(str_slice(node->keys[i].text, 0, 100)));
    for (size_t i = 0; i < STUDY_HISTORY_KINDS; i++) {
        const struct yaml_node *from = yaml_get(node, str_from(study_history_words[i]));
        if (from == NULL)
            continue;
        found++;
        change->kind = (enum study_history_kind)i;
        change->from = texts_of(from, arena);
    }
    if (found != 1)
        study_keys_complain(
            problems, node,
            "expected one of rename, move, merge, split, retire; found %zu", found);
    return found == 1;
}

static void check_counts(const struct yaml_node *node,
                         const struct study_codebook_change *change,
                         struct study_keys_problems *problems)
{
    static const struct {
        size_t from_min, from_max, into_min, into_max;
        const char *wanted;
    } rules[] = {
        [STUDY_HISTORY_RENAME] = {1, 1, 1, 1, "{rename: CODE, into: NAME}"},
        [STUDY_HISTORY_MOVE] = {1, 1, 1, 1, "{move: CODE, into: CODE}"},
        [STUDY_HISTORY_MERGE] = {1, SIZE_MAX, 1, 1, "{merge: [CODE, CODE], into: CODE}"},
        [STUDY_HISTORY_SPLIT] = {1, 1, 2, SIZE_MAX, "{split: CODE, into: [CODE, CODE]}"},
        [STUDY_HISTORY_RETIRE] = {1, SIZE_MAX, 0, 1,
                                  "{retire: CODE} or {retire: CODE, into: "
                                  "CODE}"},
    };
    size_t from = change->from.count, into = change->into.count;

    if (from < rules[change->kind].from_min || from > rules[change->kind].from_max ||
        into < rules[change->kind].into_min || into > rules[change->kind].into_max)
        study_keys_complain(problems, node, "expected %s", rules[change->kind].wanted);
    if (change->reason.len == 0)
        study_keys_complain(problems, node, "expected a `reason`");
}

static void read_change(const struct yaml_node *node, struct arena *arena,
                        struct study_keys_problems *problems,
                        struct study_codebook *codebook)
{
    struct study_codebook_change *change = &codebook->changes[codebook->change_count];
    const struct yaml_node *reason = yaml_get(node, STR("reason"));
    const struct yaml_node *review = yaml_get(node, STR("review"));
    const struct yaml_node *name = yaml_get(node, STR("dimension"));
    const struct study_codebook_dimension *dimension;
    struct err err = {0};

    *change = (struct study_codebook_change){.reason = STR("")};
    if (node->type != YAML_MAPPING) {
        study_keys_complain(problems, node,
                            "expected a change such as {merge: [a, b], into: c, "
                            "reason: ...}");
        return;
    }
    if (!read_kind(node, arena, problems, change))
        return;
    change->into = texts_of(yaml_get(node, STR("into")), arena);
    if (reason != NULL && reason->type == YAML_SCALAR)
        change->reason = str_trim(reason->text);
    change->review = review != NULL && str_eq(review->text, STR("yes"));
    if (review != NULL && !change->review && !str_eq(review->text, STR("no")))
        study_keys_complain(problems, review, "expected yes or no");
    size_t before = problems->count;
    check_counts(node, change, problems);
    if (!study_codebook_choose(codebook, name != NULL ? name->text : STR(""), &dimension,
                               &err))
        study_keys_complain(problems, name != NULL ? name : node, "%s", err.text);
    if (problems->count > before)
        return;
    change->dimension = dimension->id;
    codebook->change_count++;
}

/* Where changes lead must be there today, or a later change says what became of it. */
static void check_targets(const struct study_codebook *codebook, size_t at,
                          const struct study_codebook_dimension *dimension,
                          const struct yaml_node *node, struct arena *arena,
                          struct study_keys_problems *problems)
{
    const struct study_codebook_change *change = &codebook->changes[at];
    const struct study_codebook_texts *targets =
        change->kind == STUDY_HISTORY_RENAME ? &change->from : &change->into;

    for (size_t i = 0; i < targets->count; i++) {
        struct str target = targets->at[i];
        if (change->kind == STUDY_HISTORY_MOVE)
            target = moved_path(change, change->from.at[0], change->from.at[0], arena);
        struct study_history_place now =
            study_history_carry(codebook, dimension, at + 1, target, arena);
        if (now.review.len > 0 && !history_has(dimension, now.path) &&
            str_eq(now.review, STR("the code is no longer in the codebook")))
            study_keys_complain(
                problems, node,
                "there is no code '%.*s', and no later change says what became "
                "of it",
                STR_ARG(str_slice(now.path, 0, 100)));
    }
}

static void check_gone(const struct study_codebook_change *change,
                       const struct study_codebook_dimension *dimension,
                       const struct yaml_node *node, struct study_keys_problems *problems)
{
    if (change->kind == STUDY_HISTORY_RENAME || change->kind == STUDY_HISTORY_SPLIT)
        return;
    for (size_t i = 0; i < change->from.count; i++) {
        bool target = change->into.count > 0 && change->kind == STUDY_HISTORY_MERGE &&
                      str_eq(change->from.at[i], change->into.at[0]);
        if (!target && history_has(dimension, change->from.at[i]))
            study_keys_complain(problems, node, "the code '%.*s' is still there",
                                STR_ARG(str_slice(change->from.at[i], 0, 100)));
    }
}

static const struct study_codebook_dimension *
dimension_of(const struct study_codebook *codebook, struct str id)
{
    size_t d = 0;

    while (!str_eq(codebook->dimensions[d].id, id))
        d++;
    return &codebook->dimensions[d];
}

void study_history_read(const struct yaml_node *list, struct arena *arena,
                        struct study_keys_problems *problems,
                        struct study_codebook *codebook)
{
    if (list == NULL)
        return;
    if (list->type != YAML_SEQUENCE) {
        study_keys_complain(problems, list, "expected a list of changes, oldest first");
        return;
    }
    if (problems->count > 0)
        return; /* of the codes: what changes lead to would be unknown */
    codebook->changes = arena_array(arena, struct study_codebook_change, list->count + 1);
    const struct yaml_node **nodes =
        arena_array(arena, const struct yaml_node *, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        nodes[codebook->change_count] = &list->items[i];
        read_change(&list->items[i], arena, problems, codebook);
    }
    for (size_t i = 0; i < codebook->change_count; i++) {
        const struct study_codebook_dimension *dimension =
            dimension_of(codebook, codebook->changes[i].dimension);
        check_targets(codebook, i, dimension, nodes[i], arena, problems);
        check_gone(&codebook->changes[i], dimension, nodes[i], problems);
    }
}
