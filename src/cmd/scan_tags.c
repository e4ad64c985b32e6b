/* The seeds as they are given, and what was found as Markdown. */
#include "cmd/scan_tags.h"

bool cmd_scan_tags_open(const char *seeds, struct arena *arena, struct dump_tagset *out,
                        struct err *err)
{
    LIST(struct str) all = {0};
    struct str rest = str_from(seeds), one;
    bool empty = false;

    for (bool more = true; more;) {
        more = str_cut(&rest, ',', &one);
        one = str_trim(one);
        empty = empty || one.len == 0;
        list_add(&all, one);
    }
    dump_tagset_open(out, all.at, all.count, NULL, arena);
    list_free(&all);
    return !empty || err_set(err, ERR_USAGE,
                             "--seeds is '%s', expected tags by commas, such as "
                             "tensorflow,keras*",
                             seeds);
}

static void show_candidates(const struct dump_tagset *tags, struct buf *out)
{
    struct dump_tagset_limits lowest = {dump_tagset_relevances[0],
                                        dump_tagset_significances[0]};
    size_t count;
    const struct dump_tagset_candidate *all =
        dump_tagset_candidates(tags, lowest, tags->arena, &count);

    buf_add(out, STR("| tag | questions | with a seed tag | relevance | significance | "
                     "adds | new |\n|---|---:|---:|---:|---:|---:|---:|\n"));
    for (size_t i = 0; i < count; i++)
        buf_add_format(out, "| %.*s | %lld | %lld | %.4f | %.4f | %lld | %lld |\n",
                       STR_ARG(all[i].name), (long long)all[i].questions,
                       (long long)all[i].seeded, all[i].relevance, all[i].significance,
                       (long long)all[i].adds, (long long)all[i].beyond);
}

static void show_thresholds(const struct dump_tagset *tags, struct buf *out)
{
    buf_add(out, STR("| relevance at least | significance at least | tags taken | adds | "
                     "questions |\n|---:|---:|---:|---:|---:|\n"));
    for (size_t r = 0; r < DUMP_TAGSET_STEPS; r++)
        for (size_t s = 0; s < DUMP_TAGSET_STEPS; s++) {
            struct dump_tagset_limits limits = {dump_tagset_relevances[r],
                                                dump_tagset_significances[s]};
            struct dump_tagset_taken taken = dump_tagset_taken(tags, limits);
            buf_add_format(out, "| %g | %g | %lld | %lld | %lld |\n", limits.relevance,
                           limits.significance, (long long)taken.tags,
                           (long long)taken.adds, (long long)(tags->seeded + taken.adds));
        }
}

static bool tell_none(const struct dump_tagset *tags, struct err *err)
{
    struct str near = dump_tagset_near(tags);

    return err_set(
        err, ERR_INPUT, "none of %lld questions has a seed tag, such as '%.*s'%s%.*s%s",
        (long long)tags->questions, STR_ARG(tags->seeds[0]),
        near.len > 0 ? "; did you mean '" : "", STR_ARG(near), near.len > 0 ? "'?" : "");
}

bool cmd_scan_tags_show(const struct dump_tagset *tags, struct buf *out, struct err *err)
{
    if (tags->seeded == 0)
        return tell_none(tags, err);
    buf_add_format(out, "%lld of %lld questions have a seed tag\n\n",
                   (long long)tags->seeded, (long long)tags->questions);
    show_candidates(tags, out);
    buf_add_char(out, '\n');
    show_thresholds(tags, out);
    return true;
}
