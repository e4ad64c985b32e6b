/* What was planted is found again in the files, by a parser that is not ours: counts
 * exactly, shares within sampling error. Every layout, every table. */
#include "synth/synth.h"

#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/date.h"
#include "base/file.h"
#include "base/map.h"
#include "tests/tap.h"

enum { QUESTIONS = 6000, BACKGROUND = 2000 };

static char folder[] = "/tmp/assay-test-XXXXXX";

/* What one table's rows say. */
struct found {
    struct arena arena;
    int64_t rows, types[9], accepted, accepted_there, closed, tagged[8], bodies_with_code;
    int64_t comments_counted, answers_counted, votes[4], duplicates, tag_counts;
    int64_t up_minus_down, score_sum, planted;
    struct map posts;          /* id to type: to see that references lead somewhere */
    struct map created, asked; /* id to moment; question to accepted answer */
};

static const char *attribute(const char **pairs, const char *name)
{
    for (; *pairs != NULL; pairs += 2)
        if (strcmp(pairs[0], name) == 0)
            return pairs[1];
    return NULL;
}

static int64_t number(const char **pairs, const char *name)
{
    const char *text = attribute(pairs, name);
    int64_t value = 0;

    CHECK(text == NULL || str_to_int(str_from(text), &value));
    return value;
}

static int64_t moment(const char **pairs, const char *name)
{
    const char *text = attribute(pairs, name);
    int64_t ms = INT64_MIN;

    CHECK(text != NULL && date_parse(str_from(text), &ms));
    return ms;
}

static const char *const tag_names[8] = {"tensorflow",     "keras", "pytorch",
                                         "theano",         "caffe", "torch",
                                         "deeplearning4j", "python"};

static bool has_tag(const char *tags, const char *tag)
{
    char angles[80], bars[80];

    snprintf(angles, sizeof angles, "<%s>", tag);
    snprintf(bars, sizeof bars, "|%s|", tag);
    return strstr(tags, angles) != NULL || strstr(tags, bars) != NULL;
}

static void post(struct found *found, const char **pairs)
{
    int64_t type = number(pairs, "PostTypeId");
    const char *id = attribute(pairs, "Id"), *tags = attribute(pairs, "Tags");

    if (strcmp(id, "1000000001") == 0 || strcmp(id, "1000000010") == 0) {
        found->planted++;
        return;
    }
    CHECK(map_get(&found->posts, str_from(id)) == NULL); /* ids are used once */
    *map_put(&found->posts, str_from(id)) = type;
    *map_put(&found->created, str_from(id)) = moment(pairs, "CreationDate");
    CHECK(type > 0 && type < 9);
    found->types[type]++;
    found->comments_counted += number(pairs, "CommentCount");
    found->score_sum += number(pairs, "Score");
    if (type != 1)
        return;
    found->answers_counted += number(pairs, "AnswerCount");
    found->closed += attribute(pairs, "ClosedDate") != NULL;
    found->bodies_with_code += strstr(attribute(pairs, "Body"), "<pre") != NULL;
    if (attribute(pairs, "AcceptedAnswerId") != NULL) {
        found->accepted++;
        *map_put(&found->asked, str_from(id)) = number(pairs, "AcceptedAnswerId");
    }
    for (size_t i = 0; i < ROWS(tag_names); i++)
        found->tagged[i] += has_tag(tags, tag_names[i]);
}

static void row(void *user, const char *name, const char **pairs)
{
    struct found *found = user;

    if (strcmp(name, "row") != 0)
        return;
    found->rows++;
    if (attribute(pairs, "PostTypeId") != NULL)
        post(found, pairs);
    if (attribute(pairs, "VoteTypeId") != NULL)
        found->votes[number(pairs, "VoteTypeId")]++;
    if (attribute(pairs, "LinkTypeId") != NULL)
        found->duplicates += number(pairs, "LinkTypeId") == 3;
    if (attribute(pairs, "TagName") != NULL)
        found->tag_counts += number(pairs, "Count");
    const char *of_post = attribute(pairs, "PostId");
    if (of_post != NULL && found->posts.count > 0)
        CHECK(map_get(&found->posts, str_from(of_post)) != NULL);
}

static void parse(const char *path, struct found *found)
{
    XML_Parser parser = XML_ParserCreate(NULL);
    struct arena arena = {0};
    struct err err = {0};
    struct str text = {0};

    XML_SetUserData(parser, found);
    XML_SetStartElementHandler(parser, row);
    CHECK(file_read(path, &arena, &text, &err));
    if (!CHECK(XML_Parse(parser, text.ptr, (int)text.len, 1) == XML_STATUS_OK))
        printf("# %s:%lu: %s\n", path, XML_GetCurrentLineNumber(parser),
               XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
    arena_free(&arena);
}

static void check_near_share(double count, double all, double planted)
{
    double error = sqrt(planted * (1 - planted) / all);

    CHECK_NEAR(count / all, planted, 4.5 * error + 1 / all);
}

/* Waiting times of truth.csv equal the dates in Posts.xml. */
static void check_waits(const struct found *found, const char *path, struct arena *arena)
{
    struct err err = {0};
    struct str text, line, cell;
    int64_t waits = 0;

    CHECK(file_read(path, arena, &text, &err));
    str_cut(&text, '\n', &line);
    while (text.len > 0) {
        struct str cells[27];
        int count = 0;
        str_cut(&text, '\n', &line);
        for (bool more = true; more && count < 27; cells[count++] = cell)
            more = str_cut(&line, ',', &cell);
        if (!CHECK(count == 27))
            return;
        const int64_t *created = map_get(&found->created, cells[0]);
        const int64_t *answered = map_get(&found->created, cells[21]);
        int64_t wait_ms;
        if (!CHECK(created != NULL) || cells[21].len == 0)
            continue;
        CHECK(answered != NULL && str_to_int(cells[22], &wait_ms) &&
              *answered - *created == wait_ms);
        waits++;
    }
    CHECK(waits == found->accepted);
}

static void check_shares(const struct synth_summary *summary)
{
    const struct synth_counts *counts = &summary->counts;

    tap_case("planted shares are met within sampling error");
    for (int year = 2016; year <= 2021; year++) {
        int r = year - summary->model.first_year;
        double all = 0;
        for (int k = 0; k < MODEL_KIND_COUNT; k++)
            all += model_value(&summary->model, MODEL_KINDS, k, year);
        for (int k = 0; k < MODEL_KIND_COUNT; k++)
            check_near_share((double)counts->kind_by_year[r][k],
                             (double)counts->by_year[r],
                             model_value(&summary->model, MODEL_KINDS, k, year) / all);
        for (int p = 0; p < MODEL_PLATFORM_COUNT; p++)
            check_near_share(
                (double)counts->platform_by_year[r][p], (double)counts->by_year[r],
                model_value(&summary->model, MODEL_PLATFORMS, p, year) / 100);
    }
    for (int k = 0; k < MODEL_KIND_COUNT; k++)
        if (k != MODEL_MIGRATION) /* whose platforms have a share of their own */
            check_near_share((double)counts->accepted_by_kind[k],
                             (double)counts->labels[MODEL_KINDS][k],
                             model_value(&summary->model, MODEL_ACCEPTED, k, 2018));
    check_near_share((double)counts->with_code, QUESTIONS, 0.78);
}

static void check_layout(enum synth_layout layout, struct arena *arena)
{
    static struct synth_summary summary;
    struct synth_options options = {.folder = folder,
                                    .questions = QUESTIONS,
                                    .background = BACKGROUND,
                                    .seed = 77,
                                    .layout = layout,
                                    .confusion = -1,
                                    .threads = 2};
    struct progress progress = {.style = PROGRESS_QUIET};
    struct err err = {0};
    struct found found = {0};
    const struct synth_counts *counts = &summary.counts;

    found.posts.arena = found.created.arena = found.asked.arena = &found.arena;
    tap_case("layout %d: expat reads every table", (int)layout);
    if (!CHECK(synth_write(&options, &progress, arena, &summary, &err)))
        return;
    for (int i = 0; i < SYNTH_TRUTH; i++) {
        found.rows = 0;
        parse(file_join(folder, synth_file_name((enum synth_file)i), arena), &found);
        CHECK(found.rows == summary.files[i].rows);
    }
    tap_case("layout %d: counts are those of the summary", (int)layout);
    CHECK(counts->questions == QUESTIONS);
    CHECK(found.types[1] == counts->questions + counts->background_questions);
    CHECK(found.types[2] == counts->answers && found.answers_counted == counts->answers);
    CHECK(found.types[4] + found.types[5] == counts->wikis);
    CHECK(found.planted == counts->planted && (found.planted == 2) == (layout == 2));
    CHECK(found.comments_counted == summary.files[SYNTH_COMMENTS].rows);
    CHECK(found.votes[1] == found.accepted && found.accepted >= counts->accepted);
    CHECK(found.votes[2] - found.votes[3] == found.score_sum);
    for (size_t i = 0; i < ROWS(tag_names); i++) {
        int64_t planted = 0;
        for (int t = 0; t < tags_count(); t++)
            if (str_eq(tags_name(t), str_from(tag_names[i])))
                planted += counts->tags[t];
        CHECK(found.tagged[i] == planted);
    }
    tap_case("layout %d: waiting times are those of truth.csv", (int)layout);
    check_waits(&found, file_join(folder, "truth.csv", arena), arena);
    check_shares(&summary);
    arena_free(&found.arena);
}

int main(void)
{
    struct arena arena = {0};

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    for (int layout = 0; layout <= SYNTH_2025_COMMENT; layout++)
        check_layout((enum synth_layout)layout, &arena);
    for (int i = 0; i < SYNTH_FILES; i++)
        file_remove(file_join(folder, synth_file_name((enum synth_file)i), &arena));
    file_remove(file_join(folder, "truth.json", &arena));
    rmdir(folder);
    arena_free(&arena);
    return tap_done();
}
