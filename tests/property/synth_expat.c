/* What was planted is found again in the files, by a parser that is not ours: counts
 * exactly, shares within sampling error. Every layout, every table. */
#include "synth/internal.h"

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
#include "tests/unit/simulated.h"

enum { QUESTIONS = 6000, BACKGROUND = 2000, COLUMNS = 28 };

static char folder[] = "/tmp/assay-test-XXXXXX";

/* What one table's rows say. */
struct found {
    struct arena arena;
    int64_t rows, types[9], accepted, accepted_there, closed, tagged[8], bodies_with_code;
    int64_t comments_counted, answers_counted, votes[16], duplicates, tag_counts;
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
        struct str cells[COLUMNS];
        int count = 0;
        str_cut(&text, '\n', &line);
        for (bool more = true; more && count < COLUMNS; cells[count++] = cell)
            more = str_cut(&line, ',', &cell);
        if (!CHECK(count == COLUMNS))
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

/* Every section of truth.json's marginals: how often each label came, and how often it
 * was to come. */
static void check_sections(const struct synth_summary *summary)
{
    const struct synth_counts *counts = &summary->counts;

    for (int section = 0; section < SYNTH_MODEL_ACCEPTED; section++) {
        tap_case("planted shares of %s are met within sampling error",
                 synth_model_section_name((enum synth_model_section)section).ptr);
        for (size_t i = 0; i < synth_model_count((enum synth_model_section)section);
             i++) {
            double planted = (double)counts->chances[section][i] / (double)SYNTH_ONE;
            CHECK_NEAR((double)counts->labels[section][i], planted,
                       4.5 * sqrt(planted) + 1);
        }
    }
}

/* Shares by year, from the settings and not from the draws. */
static void check_years(const struct synth_summary *summary)
{
    const struct synth_counts *counts = &summary->counts;

    tap_case("shares of each year are those of the settings");
    for (int year = 2016; year <= 2021; year++) {
        int r = year - summary->model.first_year;
        double all = 0;
        for (int k = 0; k < SYNTH_MODEL_KIND_COUNT; k++)
            all += synth_model_value(&summary->model, SYNTH_MODEL_KINDS, k, year);
        for (int k = 0; k < SYNTH_MODEL_KIND_COUNT; k++)
            check_near_share(
                (double)counts->kind_by_year[r][k], (double)counts->by_year[r],
                synth_model_value(&summary->model, SYNTH_MODEL_KINDS, k, year) / all);
        for (int p = 0; p < SYNTH_MODEL_PLATFORM_COUNT; p++)
            check_near_share(
                (double)counts->platform_by_year[r][p], (double)counts->by_year[r],
                synth_model_value(&summary->model, SYNTH_MODEL_PLATFORMS, p, year) / 100);
        all = 0;
        double framed = 0;
        for (int f = 0; f < SYNTH_MODEL_FRAMEWORK_COUNT; f++) {
            all += synth_model_value(&summary->model, SYNTH_MODEL_FRAMEWORKS, f, year);
            framed += (double)counts->framework_by_year[r][f];
        }
        for (int f = 0; f < SYNTH_MODEL_FRAMEWORK_COUNT; f++)
            check_near_share(
                (double)counts->framework_by_year[r][f], framed,
                synth_model_value(&summary->model, SYNTH_MODEL_FRAMEWORKS, f, year) /
                    all);
    }
}

struct truth {
    bool background, accepted, answered, closed, endorsed, code, deployed, unclear, phase;
    bool asker;
    int kind; /* -1: background */
    int64_t wait_ms, created_ms;
};

/* The rows of truth.csv; how many. */
static size_t read_truth(const char *path, struct arena *arena, struct truth **out)
{
    struct err err = {0};
    struct str text, line, cell, names[COLUMNS] = {{0}};
    size_t count = 0;

    CHECK(file_read(path, arena, &text, &err));
    str_cut(&text, '\n', &line);
    for (int c = 0; c < COLUMNS; c++)
        str_cut(&line, ',', &names[c]);
    CHECK(str_eq(names[COLUMNS - 1], STR("damage")));
    *out = arena_array(arena, struct truth, QUESTIONS + BACKGROUND);
    while (text.len > 0 && count < QUESTIONS + BACKGROUND) {
        struct truth *truth = &(*out)[count++];
        truth->kind = -1;
        str_cut(&text, '\n', &line);
        for (int c = 0; c < COLUMNS; c++) {
            struct str name = names[c];
            str_cut(&line, ',', &cell);
            bool yes = str_eq(cell, STR("yes"));
            if (str_eq(name, STR("kind")))
                for (int k = 0; k < SYNTH_MODEL_KIND_COUNT; k++)
                    truth->kind = str_eq(cell, synth_model_name(SYNTH_MODEL_KINDS, k))
                                      ? k
                                      : truth->kind;
            truth->accepted |= str_eq(name, STR("accepted_answer_id")) && cell.len > 0;
            truth->answered |= str_eq(name, STR("answers")) && !str_eq(cell, STR("0"));
            truth->closed |= str_eq(name, STR("closed")) && yes;
            truth->endorsed |= str_eq(name, STR("endorsed")) && yes;
            truth->code |= str_eq(name, STR("code")) && yes;
            truth->phase |= str_eq(name, STR("phase")) && cell.len > 0;
            truth->asker |= str_eq(name, STR("asker")) && cell.len > 0;
            truth->deployed |=
                str_eq(name, STR("challenge")) && cell.len > 2 && cell.ptr[2] == '.';
            truth->unclear |=
                str_eq(name, STR("challenge")) && str_eq(cell, STR("unclear"));
            if (str_eq(name, STR("wait_ms")) && cell.len > 0)
                CHECK(str_to_int(cell, &truth->wait_ms));
            if (str_eq(name, STR("created")))
                CHECK(date_parse(cell, &truth->created_ms));
        }
        truth->background = truth->kind < 0;
    }
    return count;
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Name of SYNTH_MODEL_ACCEPTED and SYNTH_MODEL_WAIT_HOURS that a question follows; -1:
 * another. */
static int follows(const struct truth *truth)
{
    return truth->background ? SYNTH_MODEL_BACKGROUND
           : truth->unclear  ? -1
           : truth->deployed ? SYNTH_MODEL_DEPLOYMENT
                             : truth->kind;
}

/* What hangs on no label: acceptance, waiting, closing, endorsing. Questions of the last
 * weeks are left out, for answers to them are yet to come. */
static void check_outcomes(const struct synth_summary *summary, const char *path,
                           struct arena *arena)
{
    const struct synth_model *model = &summary->model;
    struct truth *truths;
    size_t count = read_truth(path, arena, &truths);
    double *waits = arena_array(arena, double, count + 1);
    double own = 0, closed = 0, code = 0, open = 0, answered = 0, open_asker = 0,
           endorsed = 0;

    for (int name = 0; name <= SYNTH_MODEL_BACKGROUND; name++) {
        double all = 0, accepted = 0;
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            const struct truth *truth = &truths[i];
            if (follows(truth) != name ||
                truth->created_ms > model->until_ms - 100 * DATE_DAY_MS)
                continue;
            all++;
            accepted += truth->accepted;
            if (truth->accepted && !truth->phase)
                waits[n++] = (double)truth->wait_ms / (double)DATE_HOUR_MS;
        }
        tap_case("accepted and waiting: %s",
                 synth_model_name(SYNTH_MODEL_ACCEPTED, name).ptr);
        double share = synth_model_value(model, SYNTH_MODEL_ACCEPTED, name, 2018);
        CHECK(all > 100);
        /* Some answers come even later than a hundred days. */
        CHECK_NEAR(accepted / all, share,
                   4.5 * sqrt(share * (1 - share) / all) + 0.02 * share);
        qsort(waits, n, sizeof *waits, by_number);
        /* The logarithm of a median has the error 1.2533 sigma / sqrt(n). */
        CHECK(n > 20);
        CHECK_NEAR(log(waits[n / 2] /
                       synth_model_value(model, SYNTH_MODEL_WAIT_HOURS, name, 2018)),
                   0, 4 * 1.2533 * 2.4 / sqrt((double)n) + 0.05);
    }
    for (size_t i = 0; i < count; i++) {
        const struct truth *truth = &truths[i];
        CHECK(!truth->unclear || !truth->accepted);
        if (truth->background || truth->created_ms > model->until_ms - 100 * DATE_DAY_MS)
            continue;
        own++;
        closed += truth->closed;
        code += truth->code;
        open += !truth->accepted;
        answered += !truth->accepted && truth->answered;
        open_asker += !truth->accepted && truth->answered && truth->asker;
        endorsed += truth->endorsed;
    }
    tap_case("closed, code, answered and endorsed are met within sampling error");
    check_near_share(closed, own, 0.06);
    check_near_share(code, own, 0.78);
    CHECK_NEAR(answered / open, 0.5, 4.5 * 0.5 / sqrt(open) + 0.02);
    check_near_share(endorsed, open_asker, 0.15);
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
        for (int t = 0; t < synth_tags_count(); t++)
            if (str_eq(synth_tags_name(t), str_from(tag_names[i])))
                planted += counts->tags[t];
        CHECK(found.tagged[i] == planted);
    }
    tap_case("layout %d: waiting times are those of truth.csv", (int)layout);
    check_waits(&found, file_join(folder, "truth.csv", arena), arena);
    if (layout == SYNTH_CLASSIC) { /* the others hold the same */
        check_sections(&summary);
        check_years(&summary);
        check_outcomes(&summary, file_join(folder, "truth.csv", arena), arena);
    }
    arena_free(&found.arena);
}

int main(void)
{
    struct arena arena = {0};

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    for (int layout = 0; layout <= SYNTH_2025_COMMENT; layout++)
        check_layout((enum synth_layout)layout, &arena);
    simulated_remove(folder, &arena);
    rmdir(folder);
    arena_free(&arena);
    return tap_done();
}
