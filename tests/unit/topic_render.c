/* Topics as page, csv and json. */
#include "topic/topic.h"

#include <jansson.h>
#include <string.h>

#include "tests/unit/topic_shown.h"

/* The page that people read. */

static const char whole[] =
    "  topics  perplexity    UMass    NPMI     c_v  stability\n"
    "       1           -   -1.500   0.250   0.500          -\n"
    "*      2        12.5   -1.000   0.125   0.750       0.50\n"
    "\n"
    "2 topics, chosen by c_v; run 2 of 3, the most like the others\n"
    "\n"
    "topic   share   posts     c_v  stability  words\n"
    "    1   75.0%       1   0.500       1.00  gpu loss\n"
    "    2   25.0%       1       -       0.25  loss gpu\n"
    "\n"
    "topic  typical post\n"
    "    1  7 No gpu\n"
    "    2  8 A \"loss\"\n"
    "\n"
    "topic   posts       views    score  no accepted  hours to it\n"
    "    1       1       100.0     2.00        50.0%          3.2\n"
    "    2       1        50.0        -           -             -\n"
    "means over posts, the median of hours; over topics:\n"
    "  views and without accepted:  Spearman 0.500 (p = 0.250)  Kendall 0.250 (p = "
    "0.750)\n"
    "  views and hours to accepted:  Spearman undefined: too few  Kendall undefined: too "
    "few\n"
    "  score and without accepted:  Spearman -0.500 (p = 0.500)  Kendall -1.000 (p = "
    "0.125)\n"
    "  score and hours to accepted:  Spearman 0.000 (p = 1.000)  Kendall 0.000 (p = "
    "1.000)\n"
    "\n"
    "topic    2019    2020\n"
    "    1       1       0\n"
    "    2       0       1\n"
    "\n"
    "topic  training, slow\n"
    "    1               1\n"
    "    2               0\n";

static void test_render(void)
{
    struct topic_render_data plain = shown_all;
    struct topic_set one_step = shown_topics;
    struct buf out = {0};

    topic_render_page(&shown_all, &out);
    buf_add_char(&out, '\0');
    tap_case("everything is known");
    CHECK_TEXT(out.ptr, whole);
    buf_clear(&out);
    one_step.steps = shown_steps + 1;
    one_step.step_count = 1;
    one_step.chosen = 0;
    plain.topics = &one_step;
    plain.titles = NULL;
    plain.relations = NULL;
    plain.years.count = plain.codes.count = 0;
    plain.runs = 1;
    topic_render_page(&plain, &out);
    buf_add_char(&out, '\0');
    tap_case("texts alone, one number of topics, one run");
    CHECK(strstr(out.ptr, "\n2 topics\n\ntopic") != NULL);
    CHECK(strstr(out.ptr, "typical") == NULL && strstr(out.ptr, "views") == NULL &&
          strstr(out.ptr, "2019") == NULL);
    buf_free(&out);
}

/* The files: each whole, undefined numbers empty, and json that can be read. */

static const struct {
    const char *name, *text;
} rows[] = {
    {"topics.csv",
     "topic,label,share,posts,umass,npmi,c_v,stability,alpha,mean_views,mean_score,"
     "share_without_accepted,median_hours_to_accepted\n"
     "1,\"gpu, loss\",0.75,1,-1,0.25,0.5,1,0.5,100,2,0.5,3.25\n"
     "2,\"loss, gpu\",0.25,1,-2,0.5,,0.25,0.25,50,,,\n"},
    {"words.csv", "topic,rank,word,relevance,probability,posts\n"
                  "1,1,gpu,-0.5,0.75,1\n1,2,loss,-1.5,0.25,2\n"
                  "2,1,loss,-0.25,0.75,2\n2,2,gpu,-2,0.25,1\n"},
    {"documents.csv", "id,words,topic,share_1,share_2\n"
                      "7,2,1,0.7500,0.2500\n8,1,2,0.2500,0.7500\n\"a,b\",0,,,\n"},
    {"sweep.csv", "topics,perplexity,umass,npmi,c_v,stability,typical_run,chosen\n"
                  "1,,-1.5,0.25,0.5,,1,no\n2,12.5,-1,0.125,0.75,0.5,2,yes\n"},
    {"typical.csv", "topic,rank,id,share,title\n"
                    "1,1,7,0.7500,No gpu\n2,1,8,0.7500,\"A \"\"loss\"\"\"\n"},
    {"years.csv", "topic,year,posts\n1,2019,1\n1,2020,0\n2,2019,0\n2,2020,1\n"},
    {"codes.csv", "topic,code,posts\n1,\"training, slow\",1\n2,\"training, slow\",0\n"},
    {"relations.csv", "popularity,difficulty,spearman,spearman_p,kendall,kendall_p\n"
                      "views,without accepted,0.5,0.25,0.25,0.75\n"
                      "views,hours to accepted,,,,\n"
                      "score,without accepted,-0.5,0.5,-1,0.125\n"
                      "score,hours to accepted,0,1,0,1\n"},
};

static const struct topic_render_file *find(const char *name)
{
    const struct topic_render_file *file = topic_render_files;

    while (strcmp(file->name, name) != 0)
        file++;
    return file;
}

static void check_json(void)
{
    struct buf out = {0};

    topic_render_json(&shown_all, &out);
    json_t *root = json_loadb(out.ptr, out.len, 0, NULL);
    json_t *topics = json_object_get(root, "topics"), *first = json_array_get(topics, 0);
    tap_case("json can be read");
    CHECK(root != NULL && json_array_size(topics) == 2);
    tap_case("json: numbers");
    CHECK(json_integer_value(json_object_get(root, "tokens")) == 3);
    CHECK_NEAR(json_number_value(json_object_get(first, "c_v")), 0.5, 0);
    tap_case("json: undefined is null");
    CHECK(json_is_null(json_object_get(json_array_get(topics, 1), "c_v")));
    tap_case("json: words, years and codes");
    CHECK_TEXT(json_string_value(json_array_get(json_object_get(first, "words"), 1)),
               "loss");
    CHECK(json_integer_value(json_object_get(json_object_get(first, "years"), "2019")) ==
          1);
    CHECK(json_object_get(json_object_get(first, "codes"), "training, slow") != NULL);
    tap_case("json: sweep and relations");
    CHECK(json_array_size(json_object_get(root, "sweep")) == 2);
    CHECK(json_array_size(json_object_get(root, "relations")) == TOPIC_TABLES_RELATIONS);
    json_decref(root);
    buf_free(&out);
}

static void test_render_files(void)
{
    struct topic_render_data plain = shown_all;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf out = {0};
        find(rows[i].name)->add(&shown_all, &out);
        buf_add_char(&out, '\0');
        tap_case("%s", rows[i].name);
        CHECK_TEXT(out.ptr, rows[i].text);
        buf_free(&out);
    }
    plain.years.count = plain.codes.count = 0;
    plain.relations = NULL;
    tap_case("files of what is not known are left out");
    CHECK(!find("years.csv")->has(&plain) && !find("codes.csv")->has(&plain) &&
          !find("relations.csv")->has(&plain));
    CHECK(find("years.csv")->has(&shown_all));
    check_json();
}

int main(void)
{
    test_render();
    test_render_files();
    return tap_done();
}
