/* Topics as text: the page that people read, csv files, json. Numbers that are undefined
 * are "-" on the page, empty in csv, null in json. Topics count from 1. */
#ifndef TOPIC_RENDER_H
#define TOPIC_RENDER_H

#include "topic/tables.h"
#include "topic/topics.h"

/* Documents by years or codes: of each topic, then group, a count. */
struct render_groups {
    const struct str *names;
    size_t count; /* 0: nothing is known */
    const int64_t *cells;
};

struct render_data {
    const struct tokens *tokens;
    const struct topics *topics;
    const size_t *main_topics;               /* of documents; tables_main_topics() */
    const struct str *ids;                   /* of documents */
    const struct str *titles;                /* NULL: none */
    const struct tables_topic *measured;     /* of topics */
    const struct tables_relation *relations; /* TABLES_RELATIONS; NULL: nothing known */
    struct render_groups years, codes;
    int64_t runs;
    const char *chosen_by; /* "c_v" */
};

/* The page: the sweep, the topics, what is known of their posts. */
void render_page(const struct render_data *data, struct buf *out);

/* The files of a report, each with all its rows. */
struct render_file {
    const char *name;                            /* "topics.csv"; NULL ends the table */
    bool (*has)(const struct render_data *data); /* NULL: always */
    void (*add)(const struct render_data *data, struct buf *out);
};

extern const struct render_file render_files[];

/* All but the documents, as one object. */
void render_json(const struct render_data *data, struct buf *out);

#endif
