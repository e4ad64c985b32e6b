/* Types are declared here by id; what is not declared is a text. */
#include "result/health.h"

#include <math.h>
#include <string.h>

#include "base/date.h"

static const struct {
    const char *id;
    enum result_type type;
} known[] = {
    {"questions", RESULT_COUNT},
    {"answers", RESULT_COUNT},
    {"other posts", RESULT_COUNT},
    {"rows", RESULT_COUNT},
    {"rows dated by the numbers of their posts", RESULT_COUNT},
    {"rows outside of the dated posts", RESULT_COUNT},
    {"dated posts passed over, older than one with a lower number", RESULT_COUNT},
    {"broken rows skipped", RESULT_COUNT},
    {"planted posts dropped", RESULT_COUNT},
    {"repeated ids", RESULT_COUNT},
    {"posts after the end of the study", RESULT_COUNT},
    {"rows after the end of the study", RESULT_COUNT},
    {"posts without a date", RESULT_COUNT},
    {"rows that are not UTF-8, taken for Windows-1252", RESULT_COUNT},
    {"answers without question", RESULT_COUNT},
    {"questions with an accepted answer", RESULT_COUNT},
    {"accepted answers missing", RESULT_COUNT},
    {"questions without tags", RESULT_COUNT},
    {"characters that XML forbids, replaced", RESULT_COUNT},
    {"values that are not what their attribute says", RESULT_COUNT},
    {"values that are not what their member says", RESULT_COUNT},
    {"tags in Tags.xml", RESULT_COUNT},
    {"tags whose number of questions differs from Tags.xml", RESULT_COUNT},
    {"stored: questions", RESULT_COUNT},
    {"stored: answers", RESULT_COUNT},
    {"stored: rows of tables", RESULT_COUNT},
    {"stored: items that several sources hold", RESULT_COUNT},
    {"stored: negative waits", RESULT_COUNT},
    {"stored: accepted answers missing", RESULT_COUNT},
    {"first post", RESULT_MOMENT},
    {"last post", RESULT_MOMENT},
    {"first item", RESULT_MOMENT},
    {"last item", RESULT_MOMENT},
};

/* With several sources names begin with the source's and a colon; those of what was
 * stored begin with "stored: ", which is part of their id. */
static bool is_named(struct str name, struct str id)
{
    if (str_eq(name, id))
        return true;
    size_t before = name.len - id.len;
    return name.len > id.len + 2 && str_ends(name, id) &&
           str_eq(str_slice(name, before - 2, before), STR(": ")) &&
           !str_starts(name, STR("stored: "));
}

static void set_value(struct result_health_finding *finding)
{
    int64_t count, ms;

    if (finding->type == RESULT_COUNT && str_to_int(finding->text, &count))
        finding->value = (double)count;
    if (finding->type == RESULT_MOMENT && date_parse(finding->text, &ms))
        finding->value = (double)ms;
}

void result_health_add(struct result_health *health, struct str name, struct str text,
                       struct arena *arena)
{
    if (health->count == health->room) {
        size_t room = health->room * 2 + 32;
        struct result_health_finding *at =
            arena_array(arena, struct result_health_finding, room);
        if (health->count > 0)
            memcpy(at, health->at, health->count * sizeof *at);
        health->at = at;
        health->room = room;
    }
    struct result_health_finding *finding = &health->at[health->count++];
    *finding = (struct result_health_finding){.name = arena_copy(arena, name),
                                              .type = RESULT_TEXT,
                                              .value = NAN,
                                              .text = arena_copy(arena, text)};
    finding->id = finding->name;
    for (size_t i = 0; i < ROWS_OF(known); i++)
        if (is_named(name, str_from(known[i].id))) {
            finding->id = str_from(known[i].id);
            finding->type = known[i].type;
            break;
        }
    set_value(finding);
}

double result_health_sum(const struct result_health *health, const char *id)
{
    double sum = 0;

    for (size_t i = 0; i < health->count; i++)
        if (str_eq(health->at[i].id, str_from(id)) && !isnan(health->at[i].value))
            sum += health->at[i].value;
    return sum;
}

void result_health_troubles(const struct result_health *health, struct buf *out)
{
    static const struct {
        const char *id, *one, *many;
    } troubles[] = {
        {"broken rows skipped", "broken row skipped", "broken rows skipped"},
        {"repeated ids", "row left out whose id was there before",
         "rows left out whose id was there before"},
        {"values that are not what their attribute says", "value unreadable",
         "values unreadable"},
        {"values that are not what their member says", "value of json unreadable",
         "values of json unreadable"},
        {"characters that XML forbids, replaced", "forbidden character replaced",
         "forbidden characters replaced"},
        {"rows that are not UTF-8, taken for Windows-1252",
         "row that is not UTF-8, taken for Windows-1252",
         "rows that are not UTF-8, taken for Windows-1252"},
    };

    for (size_t i = 0; i < ROWS_OF(troubles); i++) {
        double count = result_health_sum(health, troubles[i].id);
        if (count > 0)
            buf_add_format(out, "%s%.0f %s", out->len > 0 ? ", " : "", count,
                           count == 1 ? troubles[i].one : troubles[i].many);
    }
}

bool result_health_moment(const struct result_health *health, const char *id, bool last,
                          int64_t *ms)
{
    bool found = false;

    for (size_t i = 0; i < health->count; i++) {
        const struct result_health_finding *it = &health->at[i];
        if (!str_eq(it->id, str_from(id)) || isnan(it->value))
            continue;
        int64_t one = (int64_t)it->value;
        if (!found || (last ? one > *ms : one < *ms))
            *ms = one;
        found = true;
    }
    return found;
}

/* A cell of a Markdown table. */
static void add_cell(struct str text, struct buf *out)
{
    buf_add(out, STR("| "));
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '|')
            buf_add_char(out, '\\');
        buf_add_char(out, text.ptr[i]);
    }
    buf_add_char(out, ' ');
}

void result_health_markdown(const struct result_health *health, struct buf *out)
{
    buf_add(out, STR("# Health of the sources\n\n| finding | value |\n|---|---|\n"));
    for (size_t i = 0; i < health->count; i++) {
        add_cell(health->at[i].name, out);
        add_cell(health->at[i].text, out);
        buf_add(out, STR("|\n"));
    }
}
