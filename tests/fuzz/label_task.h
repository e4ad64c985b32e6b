/* A labelling task of three items that is not in any database, for readers of labels. */
#ifndef TESTS_FUZZ_LABEL_TASK_H
#define TESTS_FUZZ_LABEL_TASK_H

#include <assert.h>

#include "label/internal.h"

static struct str raters[] = {STR_INIT("ann"), STR_INIT("bob")};

static void task_begin(struct label *label, const struct study_labelling *settings)
{
    static const struct study study = {.home = "/nowhere"};
    struct buf problems = {0};
    struct err err = {0};

    bool ok = study_codebook_parse(
        STR("codebook: b\ndimensions:\n  cause: {codes: {data: Data, model: {name: The "
            "model, codes: {layer: Layer}}}}\n  effect: {several: yes, codes: {crash: "
            "Crash, 1: One}}\n"),
        "k.yaml", &label->arena, &label->file, &problems, &err);
    assert(ok);
    label->study = &study;
    label->settings = settings;
    label->effective = label->file;
    label->item_order.arena = &label->arena;
    for (int64_t id = 1; id <= 3; id++)
        *map_put(&label->item_order, (struct str){(const char *)&id, sizeof id}) = id;
    buf_free(&problems);
}

static void task_open(struct label_importer *importer)
{
    importer->raters.arena = importer->rows.arena = &importer->arena;
}

static void task_close(struct label_importer *importer)
{
    list_free(&importer->given);
    list_free(&importer->spans);
    buf_free(&importer->problems);
    arena_free(&importer->parts_arena);
    arena_free(&importer->arena);
}

#endif
