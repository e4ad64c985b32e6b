/* The files: each whole, undefined numbers empty, and json that can be read. */
#include <jansson.h>
#include <string.h>

#include "tests/unit/topic_shown.h"

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

static const struct render_file *find(const char *name)
{
    const struct render_file *file = render_files;

    while (strcmp(file->name, name) != 0)
        file++;
    return file;
}

static void check_json(void)
{
    struct buf out = {0};

    render_json(&shown_all, &out);
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
    CHECK(json_array_size(json_object_get(root, "relations")) == TABLES_RELATIONS);
    json_decref(root);
    buf_free(&out);
}

int main(void)
{
    struct render_data plain = shown_all;

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
    return tap_done();
}
