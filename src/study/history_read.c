/* The list `changes` of a codebook. Where changes lead must be there today. */
#include "study/history.h"

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
            target = study_history_moved(change, change->from.at[0], change->from.at[0],
                                         arena);
        struct study_history_place now =
            study_history_carry(codebook, dimension, at + 1, target, arena);
        if (now.review.len > 0 && !study_history_has(dimension, now.path) &&
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
        if (!target && study_history_has(dimension, change->from.at[i]))
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
