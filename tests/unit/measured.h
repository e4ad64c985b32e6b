/* For tests of measures: a small corpus of invented posts, a study about it, and what
 * frame, labels and groups make of the two. */
#ifndef TESTS_UNIT_MEASURED_H
#define TESTS_UNIT_MEASURED_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/date.h"
#include "base/file.h"
#include "measure/table.h"
#include "tests/tap.h"

enum { MEASURED_NONE = -99, MEASURED_YEAR = 365 * 24 * 60 };

/* Moments are minutes from the beginning of 2018. Of parent, accepted, owner and closed 0
 * is none; of the rest MEASURED_NONE is. */
struct measured_post {
    int64_t id, kind, parent, accepted, created, views, score, owner;
    const char *tags;
    int64_t answers, closed, accepted_at;
};

struct measured_field {
    int64_t post;
    const char *name, *value;
};

struct measured_inputs {
    const struct measured_post *posts;
    size_t post_count;
    const struct measured_field *fields;
    size_t field_count;
    const int64_t (*census)[2]; /* year, questions */
    size_t census_count;
    const int64_t (*late)[2]; /* answer of after the end, question */
    size_t late_count;
    const char *study; /* without `study` and `source` */
    const char *until; /* NULL: none */
};

struct measured {
    char folder[40];
    struct arena arena;
    struct study study;
    struct store *corpus;
    struct measure_frame frame;
    struct measure_frame_slot *slots; /* sets first, then queries of groups */
    struct measure_labels *labels;
    struct measure_groups *groups;
    struct err err;
};

static inline int64_t measured_ms(int64_t minutes)
{
    return date_from_civil((struct date){2018, 1, 1}) + minutes * DATE_MINUTE_MS;
}

static inline int64_t measured_number(int64_t value, int64_t none)
{
    return value == none || value == MEASURED_NONE ? ITEM_NONE : value;
}

static inline bool measured_add(struct store *corpus, const struct measured_post *post,
                                struct err *err)
{
    const char *tags = post->tags != NULL ? post->tags : "";
    struct item row = {
        .id = post->id,
        .kind = post->kind,
        .parent = measured_number(post->parent, 0),
        .accepted = measured_number(post->accepted, 0),
        .accepted_ms =
            post->accepted_at == 0 ? ITEM_NONE : measured_ms(post->accepted_at),
        .created_ms =
            post->created == MEASURED_NONE ? ITEM_NONE : measured_ms(post->created),
        .closed_ms = post->closed == 0 ? ITEM_NONE : measured_ms(post->closed),
        .score = measured_number(post->score, MEASURED_NONE),
        .views = measured_number(post->views, MEASURED_NONE),
        .answers = measured_number(post->answers, MEASURED_NONE),
        .comments = ITEM_NONE,
        .favorites = ITEM_NONE,
        .owner = measured_number(post->owner, 0),
        .tags = str_from(tags),
    };
    int64_t known_ms;
    bool added;

    return store_append(corpus, &row, 0, &added, &known_ms, err);
}

static inline bool measured_fill(struct store *corpus,
                                 const struct measured_inputs *inputs, struct err *err)
{
    bool ok = store_begin(corpus, err);

    for (size_t i = 0; i < inputs->post_count && ok; i++)
        ok = measured_add(corpus, &inputs->posts[i], err);
    for (size_t i = 0; i < inputs->field_count && ok; i++)
        ok = store_add_field(corpus, inputs->fields[i].post,
                             str_from(inputs->fields[i].name),
                             str_from(inputs->fields[i].value), err);
    for (size_t i = 0; i < inputs->census_count && ok; i++)
        ok = store_add(corpus, STORE_CENSUS,
                       &(struct store_census){.year = inputs->census[i][0],
                                              .questions = inputs->census[i][1]},
                       err);
    for (size_t i = 0; i < inputs->late_count && ok; i++)
        ok = store_add_late(corpus, inputs->late[i][0], inputs->late[i][1], err);
    return ok && store_commit(corpus, err);
}

static inline bool measured_find_set(void *context, struct str name,
                                     struct measure_bits *out, struct err *err)
{
    struct measured *test = context;
    size_t set = study_find_set(&test->study, name);

    if (set == STUDY_NONE)
        return err_set(err, ERR_INPUT, "there is no set '%.*s'", STR_ARG(name));
    *out = test->slots[set].bits;
    return true;
}

static inline bool measured_read_study(struct measured *test,
                                       const struct measured_inputs *inputs)
{
    struct buf text = {0}, problems = {0};
    struct study_options options = {0};

    buf_add_format(&text,
                   "study: s\nsource: {posts: p.csv, fields: {kind: kind, kimd: kimd, "
                   "files: files}%s%s}\n%s",
                   inputs->until != NULL ? ", until: " : "",
                   inputs->until != NULL ? inputs->until : "",
                   inputs->study != NULL ? inputs->study : "");
    const char *path = file_join(test->folder, "s.yaml", &test->arena);
    bool ok = study_parse(buf_str(&text), path, &options, &test->arena, &test->study,
                          &problems, &test->err);
    buf_add_char(&problems, '\0');
    CHECK_TEXT(problems.ptr, "");
    buf_free(&text);
    buf_free(&problems);
    return ok;
}

static inline bool measured_make_groups(struct measured *test)
{
    const struct study *study = &test->study;
    size_t slot = study->set_count;

    test->labels =
        arena_array(&test->arena, struct measure_labels, study->label_count + 1);
    test->groups =
        arena_array(&test->arena, struct measure_groups, study->group_count + 1);
    for (size_t i = 0; i < study->label_count; i++)
        if (!measure_labels_load(&study->labels[i], NULL, &test->frame, &test->labels[i],
                                 &test->err))
            return false;
    for (size_t g = 0; g < study->group_count; g++) {
        const struct study_group *group = &study->groups[g];
        struct measure_groups_inputs inputs = {.study = study,
                                               .frame = &test->frame,
                                               .find_set = measured_find_set,
                                               .context = test,
                                               .slots = &test->slots[slot]};
        if (group->grouping == STUDY_GROUPING_LABELS)
            inputs.labels = &test->labels[group->labels];
        if (!measure_groups_make(group, &inputs, &test->groups[g], &test->err))
            return false;
        slot += group->queries != NULL ? group->count : 0;
    }
    return true;
}

/* The corpus and the frame; labels and groups are for measured_make_groups(). */
static inline bool measured_open(struct measured *test,
                                 const struct measured_inputs *inputs)
{
    size_t room = 1, slot = 0;
    bool resumed;

    *test = (struct measured){.folder = "/tmp/assay-test-XXXXXX"};
    if (!CHECK(mkdtemp(test->folder) != NULL) ||
        !CHECK(measured_read_study(test, inputs)))
        return false;
    const struct study *study = &test->study;
    const char *path = file_join(test->folder, "c.db", &test->arena);
    if (!CHECK(store_build(path, STR("k"), &test->corpus, &resumed, &test->err)) ||
        !CHECK(measured_fill(test->corpus, inputs, &test->err)) ||
        !CHECK(store_finish(test->corpus, &test->err)) ||
        !CHECK(store_open(path, (struct str){0}, &test->corpus, &test->err)))
        return false;
    for (size_t g = 0; g < study->group_count; g++)
        room += study->groups[g].count;
    test->slots =
        arena_array(&test->arena, struct measure_frame_slot, study->set_count + room);
    for (size_t s = 0; s < study->set_count; s++)
        test->slots[slot++] = (struct measure_frame_slot){
            .name = study->sets[s].name, .query = study->sets[s].written};
    for (size_t g = 0; g < study->group_count; g++)
        for (size_t q = 0; study->groups[g].queries != NULL && q < study->groups[g].count;
             q++)
            test->slots[slot++].query = study->groups[g].queries[q];
    return CHECK(measure_frame_load(test->corpus, test->slots, slot, study, &test->arena,
                                    &test->frame, &test->err));
}

static inline void measured_close(struct measured *test)
{
    static const char *const files[] = {"c.db", "c.db-wal", "c.db-shm", "l.csv",
                                        "b.yaml"};

    store_close(test->corpus);
    for (size_t i = 0; i < ROWS(files); i++)
        file_remove(file_join(test->folder, files[i], &test->arena));
    CHECK(rmdir(test->folder) == 0);
    arena_free(&test->arena);
}

/* "1 5 9": the ids of the items. */
static inline void measured_ids(const struct measured *test, struct measure_bits bits,
                                struct buf *out)
{
    for (size_t i = measure_bits_next(bits, 0); i < bits.count;
         i = measure_bits_next(bits, i + 1))
        buf_add_format(out, " %lld", (long long)measure_column_at(test->frame.ids, i));
}

/* Compares what has been collected, and empties it. */
static inline void measured_expect(struct buf *got, const char *want)
{
    buf_add_char(got, '\0');
    CHECK_TEXT(got->ptr, want);
    buf_clear(got);
}

#endif
