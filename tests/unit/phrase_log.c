/* Decisions: what counts of them, what is refused, what they make of a phrase. */
#include "phrase/phrase.h"

#include "tests/tap.h"

#define HEAD "when,who,level,from,with,item,into,verdict,why\n"
#define AT   "2023-05-01T09:00:00,"

static const struct {
    const char *name, *rows, *states;
} states[] = {
    {"one person", AT "ann,action,load,,,restore,accept,why\n", "counts"},
    {"undone",
     AT "ann,action,load,,,restore,accept,\n" AT "ann,action,load,,,restore,undo,\n",
     "undone; undone"},
    {"decided again after undoing",
     AT "ann,action,load,,,restore,accept,\n" AT "ann,action,load,,,restore,undo,\n" AT
        "ann,action,load,,,restore,refuse,\n",
     "undone; undone; refused"},
    {"another merge of the same words replaces the first",
     AT "ann,action,load,,,restore,accept,\n" AT "ann,action,load,,,read,accept,\n",
     "replaced; counts"},
    {"a refusal of another merge does not",
     AT "ann,action,load,,,restore,accept,\n" AT "ann,action,load,,,read,refuse,\n",
     "counts; refused"},
    {"two agree",
     AT "ann,action,load,,,restore,accept,\n" AT "bob,action,load,,,restore,accept,\n",
     "counts; counts"},
    {"two do not",
     AT "ann,action,load,,,restore,accept,\n" AT "bob,action,load,,,restore,refuse,\n",
     "disputed; disputed"},
    {"two merge into different actions",
     AT "ann,action,load,,,restore,accept,\n" AT "bob,action,load,,,read,accept,\n",
     "disputed; disputed"},
    {"the arbiter settles it",
     AT "ann,action,load,,,restore,accept,\n" AT "bob,action,load,,,restore,refuse,\n" AT
        "cy,action,load,,,restore,accept,\n",
     "counts; overruled; counts"},
    {"the arbiter refuses both of two",
     AT "ann,action,load,,,restore,accept,\n" AT "bob,action,load,,,read,accept,\n" AT
        "cy,action,load,,,restore,refuse,\n" AT "cy,action,load,,,read,refuse,\n",
     "overruled; overruled; refused; refused"},
    {"the arbiter refuses a third, which settles nothing",
     AT "ann,action,load,,,restore,accept,\n" AT "bob,action,load,,,read,accept,\n" AT
        "cy,action,load,,,open,refuse,\n",
     "disputed; disputed; refused"},
    {"a circle beside one word, closed by a merge beside any",
     AT "ann,action,restore,model,,load,accept,\n" AT
        "ann,action,load,,,restore,accept,\n",
     "counts; circle"},
    {"no circle where the word has a merge of its own",
     AT "ann,action,restore,model,,load,accept,\n" AT
        "ann,action,load,model,,open,accept,\n" AT "ann,action,load,,,restore,accept,\n",
     "counts; counts; counts"},
    {"a circle",
     AT "ann,action,load,,,restore,accept,\n" AT "ann,action,restore,,,read,accept,\n" AT
        "ann,action,read,,,load,accept,\n",
     "counts; counts; circle"},
    {"two merge the same, each into the other: the first name counts",
     AT "ann,action,join,,,merge,accept,\n" AT "bob,action,merge,,,join,accept,\n",
     "counts; another name"},
    {"the arbiter chooses the name, though last",
     AT "ann,action,join,,,merge,accept,\n" AT "bob,action,merge,,,join,accept,\n" AT
        "cy,action,merge,,,join,accept,\n",
     "overruled; counts; counts"},
    {"the arbiter refuses a name",
     AT "ann,action,join,,,merge,accept,\n" AT "bob,action,merge,,,join,accept,\n" AT
        "cy,action,join,,,merge,refuse,\n",
     "overruled; counts; refused"},
    {"a third word of a class with two names",
     AT "ann,action,join,,,merge,accept,\n" AT "ann,action,combine,,,merge,accept,\n" AT
        "bob,action,combine,,,join,accept,\n" AT "bob,action,merge,,,join,accept,\n",
     "counts; counts; counts; another name"},
    {"two names of what is not together",
     AT "ann,action,join,,,merge,accept,\n" AT "ann,action,combine,,,merge,accept,\n" AT
        "bob,action,combine,,,join,accept,\n" AT "bob,action,join,,,merge,refuse,\n",
     "disputed; disputed; disputed; disputed"},
    {"one has decided of two",
     AT "ann,action,load,,,restore,accept,\n" AT "ann,action,sum,,,add,accept,\n" AT
        "bob,action,sum,,,add,accept,\n" AT "bob,action,a,,3,add,accept,\n",
     "counts, by one alone; counts; counts; counts, by one alone"},
    {"the other has put them together in another way",
     AT "ann,action,load,,,restore,accept,\n" AT "bob,action,load,,,read,accept,\n" AT
        "bob,action,restore,,,read,accept,\n",
     "counts; counts, by one alone; counts, by one alone"},
    {"the other has said the same, and closed a circle",
     AT "ann,action,join,,,merge,accept,\n" AT "bob,action,join,,,merge,accept,\n" AT
        "bob,action,merge,,,join,accept,\n",
     "counts; counts; circle"},
    {"the other has said the same, later, and the first closed a circle",
     AT "ann,action,join,,,merge,accept,\n" AT "bob,action,join,,,merge,accept,\n" AT
        "ann,action,merge,,,join,accept,\n",
     "counts; counts; circle"},
    {"one closes a circle of their own, of which the other made a part",
     AT "ann,action,join,,,merge,accept,\n" AT "ann,action,merge,,,sum,accept,\n" AT
        "bob,action,join,,,merge,accept,\n" AT "ann,action,sum,,,join,accept,\n",
     "counts; counts, by one alone; counts; circle"},
    {"objects and actions are apart",
     AT "ann,action,load,,,restore,accept,\n" AT "ann,object,restore,,,load,accept,\n",
     "counts; counts"},
};

static const struct {
    const char *name, *rows, *says;
} wrong[] = {
    {"no column", "", "d.csv:1: "},
    {"verdict", AT "ann,action,load,,,restore,yes,\n",
     "d.csv:2: verdict: found 'yes', expected one of accept, refuse, undo"},
    {"level", AT "ann,verb,load,,,restore,accept,\n",
     "d.csv:2: level: found 'verb', expected one of action, object"},
    {"moment", "yesterday,ann,action,load,,,restore,accept,\n",
     "d.csv:2: when: found 'yesterday', expected a moment such as 2023-05-01T09:30:00"},
    {"nobody", AT ",action,load,,,restore,accept,\n",
     "d.csv:2: who: expected who decided, found nothing"},
    {"into nothing", AT "ann,action,load,,,,accept,\n",
     "d.csv:2: into: expected what 'load' becomes, found nothing"},
    {"of nothing", AT "ann,action,,,,load,accept,\n",
     "d.csv:2: expected `from`, `item` or both, found neither"},
    {"into itself", AT "ann,action,load,,,load,accept,\n",
     "d.csv:2: 'load' cannot be merged into itself"},
    {"several rows", AT "ann,verb,a,,,b,accept,\n" AT "ann,action,a,,,b,no,\n",
     "d.csv:2: level: found 'verb', expected one of action, object\n"
     "d.csv:3: verdict: found 'no', expected one of accept, refuse, undo\n"
     "d.csv: 2 rows are wrong"},
    {"nothing to undo", AT "ann,action,load,,,restore,undo,\n",
     "d.csv:2: undo: ann has not decided on 'load' into 'restore' before"},
};

static void check_strangers(struct arena *arena)
{
    static const char decided[] = AT
        "ann,action,load,,,restore,accept,\n" AT "ben,action,load,,,restore,accept,\n" AT
        "zoe,action,load,,,restore,refuse,\n" AT "cy,object,a,,,b,accept,\n";
    const struct str people[] = {STR("ann"), STR("ben")};
    struct err err = {0};
    struct phrase_log log;

    tap_case("somebody whom nobody named does not count, and disputes nothing");
    CHECK(phrase_log_read(arena_format(arena, "%s%s", HEAD, decided), "d.csv", arena,
                          &log, &err));
    phrase_log_admit(&log, people, 2, STR("cy"));
    phrase_log_judge(&log, (struct str){0}, STR("cy"), arena);
    CHECK(log.at[0].state == PHRASE_COUNTS && log.at[1].state == PHRASE_COUNTS &&
          log.at[2].state == PHRASE_STRANGER && log.at[3].state == PHRASE_COUNTS);
    tap_case("whoever else may decide has not: one alone");
    phrase_log_admit(&log, (const struct str[]){STR("ann"), STR("eve")}, 2, STR("cy"));
    phrase_log_judge(&log, (struct str){0}, STR("cy"), arena);
    CHECK(log.at[0].state == PHRASE_ALONE && log.at[1].state == PHRASE_STRANGER);
    tap_case("where nobody is named, everybody counts");
    phrase_log_admit(&log, people, 0, STR("cy"));
    phrase_log_judge(&log, (struct str){0}, (struct str){0}, arena);
    CHECK(log.at[2].state != PHRASE_STRANGER);
}

static bool read_rows(const char *rows, struct arena *arena, struct phrase_log *out,
                      struct err *err)
{
    struct str text =
        arena_format(arena, "%s%s", rows[0] == '\0' ? "when,who\n" : HEAD, rows);

    return phrase_log_read(text, "d.csv", arena, out, err);
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct phrase_log log;

    for (size_t i = 0; i < ROWS(states); i++) {
        struct buf found = {0};
        tap_case("%s", states[i].name);
        CHECK(read_rows(states[i].rows, &arena, &log, &err));
        phrase_log_judge(&log, (struct str){0}, STR("cy"), &arena);
        for (size_t d = 0; d < log.count; d++)
            buf_add_format(&found, "%s%s", d == 0 ? "" : "; ",
                           phrase_states[log.at[d].state]);
        CHECK(str_eq(buf_str(&found), str_from(states[i].states)));
        buf_free(&found);

        struct buf again = {0};
        buf_add_format(&again, "%s", phrase_log_head);
        for (size_t d = 0; d < log.count; d++)
            phrase_log_add(&log.at[d], &again);
        CHECK(
            str_eq(buf_str(&again), arena_format(&arena, "%s%s", HEAD, states[i].rows)));
        buf_free(&again);
    }
    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("wrong: %s", wrong[i].name);
        CHECK(!read_rows(wrong[i].rows, &arena, &log, &err));
        CHECK(str_starts(str_from(err.text), str_from(wrong[i].says)));
    }

    check_strangers(&arena);

    static const char decided[] = AT
        "ann,action,load,,,restore,accept,\n" AT "ann,action,load,csv,,read,accept,\n" AT
        "ann,action,restore,,,recover,accept,\n" AT
        "ann,object,picture,,,image,accept,\n" AT "ann,action,,,17,save,accept,\n" AT
        "ann,action,load,csv,18,parse,accept,\n";
    CHECK(read_rows(decided, &arena, &log, &err));
    phrase_log_judge(&log, (struct str){0}, (struct str){0}, &arena);
    struct phrase_unifier unifier = phrase_unify(&log, &arena);
    struct phrase model = {.verb = STR("load"), .object = STR("model")},
                  csv = {.verb = STR("load"), .object = STR("csv")},
                  picture = {.verb = STR("crop"), .object = STR("picture")}, none = {0};
    tap_case("merges follow each other");
    CHECK(str_eq(phrase_unified(&unifier, PHRASE_ACTION, &model, STR("1")),
                 STR("recover")));
    tap_case("with this object alone");
    CHECK(str_eq(phrase_unified(&unifier, PHRASE_ACTION, &csv, STR("1")), STR("read")));
    tap_case("in this item alone");
    CHECK(str_eq(phrase_unified(&unifier, PHRASE_ACTION, &csv, STR("17")), STR("save")));
    CHECK(str_eq(phrase_unified(&unifier, PHRASE_ACTION, &none, STR("17")), STR("save")));
    tap_case("in this item, with this object alone");
    CHECK(str_eq(phrase_unified(&unifier, PHRASE_ACTION, &csv, STR("18")), STR("parse")));
    CHECK(str_eq(phrase_unified(&unifier, PHRASE_ACTION, &model, STR("18")),
                 STR("recover")));
    tap_case("objects");
    CHECK(str_eq(phrase_unified(&unifier, PHRASE_OBJECT, &picture, STR("1")),
                 STR("image")));
    CHECK(
        str_eq(phrase_unified(&unifier, PHRASE_ACTION, &picture, STR("1")), STR("crop")));
    CHECK(str_eq(phrase_unified(&unifier, PHRASE_ACTION, &none, STR("1")), STR("")));
    arena_free(&arena);
    return tap_done();
}
