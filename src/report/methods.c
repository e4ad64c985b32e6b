/* The facts that the draft rests on, by the names under which its text asks for them.
 * What is counted, compared and chosen is here; what is said of it is in
 * src/report/prose/. */
#include "report/methods.h"

#include <math.h>

#include "base/date.h"
#include "verify/verify.h"

/* What is at hand for all of them. */
struct draft {
    const struct report_methods_facts *facts;
    const struct study *study;
    struct report_scope *root;
};

static const struct result_numbers *step_of(const struct draft *draft, const char *kind,
                                            struct str name)
{
    return result_numbers_of(draft->facts->numbers, draft->facts->number_count, kind,
                             name);
}

/* The corpus. */

/* The study file's word on the site; a default is nobody's word. */
static bool site_is_written(const struct study *study, const struct study_source *source)
{
    const struct yaml_node *node = yaml_get(&study->root, STR("source"));

    if (source->name.len > 0)
        node = yaml_get(yaml_get(&study->root, STR("sources")), source->name);
    return node != NULL && node->type == YAML_MAPPING &&
           yaml_get(node, STR("site")) != NULL;
}

static void name_sources(const struct draft *draft)
{
    bool endless = false;

    report_list(draft->root, "open");
    for (size_t i = 0; i < draft->study->source_count; i++) {
        const struct study_source *source = &draft->study->sources[i];
        struct report_scope *one = report_one(draft->root, "sources");
        bool ends = source->until_ms != INT64_MAX;
        bool site = source->kind->census && site_is_written(draft->study, source);
        report_text(one, "site", site ? source->site : STR(""));
        report_text(one, "kind", str_from(source->kind->in_prose));
        report_day(one, "until", ends, source->until_ms - 1);
        report_list(one, "paths");
        for (size_t k = 0; k < source->path_count; k++)
            report_text(report_one(one, "paths"), "path", str_from(source->names[k]));
        endless = endless || !ends;
        if (!ends && draft->study->source_count > 1)
            report_text(report_one(draft->root, "open"), "name", source->name);
    }
    report_number(draft->root, "endless", endless);
}

/* What the sources held, and what was wrong with them. */
static void name_health(const struct draft *draft)
{
    static const struct {
        const char *name, *finding;
    } findings[] = {
        {"questions-read", "questions"},
        {"answers-read", "answers"},
        {"late", "posts after the end of the study"},
        {"planted", "planted posts dropped"},
        {"broken", "broken rows skipped"},
        {"repeated", "repeated ids"},
        {"undated", "posts without a date"},
        {"orphans", "answers without question"},
        {"accepted-missing", "accepted answers missing"},
        {"stored-accepted-missing", "stored: accepted answers missing"},
        {"negative-waits", "stored: negative waits"},
    };
    const struct result_health *health = &draft->facts->health;
    int64_t first = 0, last = 0;

    for (size_t i = 0; i < ROWS_OF(findings); i++)
        report_number(draft->root, findings[i].name,
                      result_health_sum(health, findings[i].finding));
    bool ends = result_health_moment(health, "last post", true, &last);
    bool begins = ends && result_health_moment(health, "first post", false, &first);
    report_day(draft->root, "first-post", begins, first);
    report_day(draft->root, "last-post", ends, last);
    int64_t item_first = 0, item_last = 0;
    bool item_ends = result_health_moment(health, "last item", true, &item_last);
    bool item_begins = result_health_moment(health, "first item", false, &item_first);
    if (item_ends && (!ends || item_last > last))
        last = item_last;
    if (item_begins && (!begins || item_first < first))
        first = item_first;
    report_day(draft->root, "first-item", begins || item_begins, first);
    report_day(draft->root, "last-item", ends || item_ends, last);
}

/* Commits, issues and the like of the corpus; how many kinds of them, and what the last
 * is called. */
static size_t name_others(const struct draft *draft, struct str *nouns)
{
    const struct result_numbers *corpus = draft->facts->numbers;
    const struct result_numbers *end = corpus + draft->facts->number_count;
    size_t kinds = 0;

    report_list(draft->root, "others");
    while (corpus < end && !str_eq(corpus->step, STR("corpus")))
        corpus++;
    for (size_t i = 0; corpus < end && i < corpus->count; i++) {
        struct str name = corpus->at[i].heading;
        if (name.len == 0)
            continue;
        struct report_scope *one = report_one(draft->root, "others");
        report_text(one, "kinds", name);
        report_text(one, "kind", str_slice(name, 0, name.len - 1));
        report_address(one, "count", "corpus.%.*s", STR_ARG(corpus->at[i].column));
        *nouns = name;
        kinds++;
    }
    return kinds;
}

static void name_corpus(const struct draft *draft)
{
    static const char *const also[] = {
        [ITEM_ALSO_COMMENTS] = "comments", [ITEM_ALSO_USERS] = "users",
        [ITEM_ALSO_LINKS] = "links",       [ITEM_ALSO_VOTES] = "votes",
        [ITEM_ALSO_HISTORY] = "histories", [ITEM_ALSO_BADGES] = "badges"};
    struct report_scope *root = draft->root;
    double questions = report_address(root, "corpus.questions", "corpus.questions");
    double rows = report_address(root, "corpus.rows", "corpus.rows");
    double read = result_health_sum(&draft->facts->health, "questions");
    double answers = result_health_sum(&draft->facts->health, "answers");
    struct str noun = questions > 0 ? STR("questions") : STR("rows");
    size_t others = name_others(draft, &noun);
    size_t kinds = others + (questions > 0 ? 1 : 0) + (rows > 0 ? 1 : 0);
    if (kinds != 1)
        noun = STR("items");

    report_address(root, "corpus.answers", "corpus.answers");
    report_address(root, "census.questions", "census.questions");
    report_address(root, "census.accepted", "census.accepted");
    report_text(root, "nouns", noun);
    report_text(root, "noun", str_slice(noun, 0, noun.len - 1));
    report_number(root, "posts", read + answers);
    report_number(root, "corpus",
                  draft->study->source_count > 0 &&
                      (questions + rows != 0 || others > 0));
    report_number(root, "overlap", study_sources_overlap(draft->study));
    report_number(root, "all-taken", questions > 0 && questions == read);
    report_number(root, "some-taken", questions > 0 && questions < read);
    for (size_t i = 0; i < ROWS_OF(also); i++)
        if (draft->study->also >> i & 1)
            report_text(report_one(root, "taken-along"), "name", str_from(also[i]));
}

/* Selection. */

static void name_tagsets(const struct draft *draft)
{
    static const char *const counted[] = {"questions", "with-seed", "candidates"};
    static const char *const decided[] = {"accepted", "refused", "undecided",
                                          "disputed", "outside", "people"};

    for (size_t i = 0; i < draft->study->tagset_count; i++) {
        const struct study_tagset *tagset = &draft->study->tagsets[i];
        const struct yaml_node *among = yaml_get(tagset->node, STR("among"));
        struct report_scope *one = report_one(draft->root, "tagsets");
        report_text(one, "name", tagset->name);
        report_list(one, "seeds");
        for (size_t k = 0; k < tagset->seed_count; k++)
            report_text(report_one(one, "seeds"), "tag", tagset->seeds[k]);
        report_format(one, "relevance", true, "%g", tagset->relevance);
        report_format(one, "significance", true, "%g", tagset->significance);
        report_text(one, "among", among != NULL ? among->text : (struct str){0});
        for (size_t k = 0; k < ROWS_OF(counted); k++)
            report_address(one, counted[k], "tagsets.%.*s.%s", STR_ARG(tagset->name),
                           counted[k]);
        for (size_t k = 0; k < ROWS_OF(decided); k++)
            report_address(one, decided[k], "accepted.%.*s.%s", STR_ARG(tagset->name),
                           decided[k]);
        double all =
            report_address(one, "all", "accepted.%.*s.questions", STR_ARG(tagset->name));
        report_number(one, "counted", all >= 0);
    }
}

static void name_sets(const struct draft *draft)
{
    for (size_t i = 0; i < draft->study->set_count; i++) {
        const struct study_set *set = &draft->study->sets[i];
        const struct result_numbers *numbers = step_of(draft, "sets", set->name);
        struct report_scope *one = report_one(draft->root, "sets");
        report_text(one, "name", set->name);
        report_text(one, "query", set->text);
        report_address(one, "count", "sets.%.*s.count", STR_ARG(set->name));
        report_list(one, "funnel");
        for (size_t k = 0; numbers != NULL && k < numbers->count; k++) {
            const struct result_number *number = &numbers->at[k];
            if (!str_starts(number->column, STR("funnel.")))
                continue;
            struct report_scope *step = report_one(one, "funnel");
            report_text(step, "condition", number->heading);
            report_address(step, "left", "%.*s.%.*s", STR_ARG(numbers->step),
                           STR_ARG(number->column));
        }
    }
}

static bool node_asks(const struct query_node *node, enum query_kind kind, bool substring)
{
    if (node == NULL)
        return false;
    if (node->kind == kind && (!substring || node->match == QUERY_SUBSTRING))
        return true;
    for (const struct query_node *child = node->first; child != NULL; child = child->next)
        if (node_asks(child, kind, substring))
            return true;
    return false;
}

static void name_queries(const struct draft *draft)
{
    static const struct {
        const char *name;
        enum query_kind kind;
        bool substring;
    } asked[] = {{"tags", QUERY_TAG, false},
                 {"parts-of-tags", QUERY_TAG, true},
                 {"words", QUERY_TEXT, false},
                 {"parts-of-words", QUERY_TEXT, true}};

    for (size_t i = 0; i < ROWS_OF(asked); i++) {
        bool asks = false;
        for (size_t k = 0; k < draft->study->set_count; k++)
            asks = asks || node_asks(draft->study->sets[k].query, asked[i].kind,
                                     asked[i].substring);
        report_number(draft->root, asked[i].name, asks);
    }
}

static void name_groups(const struct draft *draft)
{
    for (size_t i = 0; i < draft->study->group_count; i++) {
        const struct study_group *group = &draft->study->groups[i];
        struct report_scope *one = report_one(draft->root, "groups");
        report_text(one, "name", group->name);
        report_number(one, "first-of", group->grouping == STUDY_GROUPING_FIRST_OF);
        report_number(one, "all-of", group->grouping == STUDY_GROUPING_ALL_OF);
    }
}

/* Samples. */

static void name_size(const struct study_sample *sample,
                      const struct report_methods_sample *drawn, bool whole,
                      struct report_scope *one)
{
    static const char *const rounded[] = {
        [SAMPLE_SIZE_UP] = "up",
        [SAMPLE_SIZE_DOWN] = "down",
        [SAMPLE_SIZE_NEAREST] = "to the nearest number",
    };
    const struct sample_size_rule *rule = &sample->size.rule;
    bool ruled = sample->size.kind == SAMPLE_SIZE_BY_RULE;
    bool top = study_sample_is_chosen(sample);
    bool random = !top && !whole && !isnan(drawn->margin);
    bool worse = ruled && drawn->margin > rule->margin;
    double points = drawn->margin * 100;
    struct buf size = {0};

    sample_size_add(&size, &sample->size);
    report_format(one, "top", top, "%.*s", STR_ARG(buf_str(&size)));
    buf_free(&size);
    report_number(one, "whole", whole);
    report_format(one, "planned", ruled, "%.4g", rule->margin * 100);
    report_format(one, "planned-confidence", ruled, "%.4g", rule->confidence * 100);
    report_number(one, "several-categories", rule->categories > 2);
    report_text(one, "rounded", str_from(rounded[rule->round]));
    report_number(one, "worse", worse);
    report_format(one, "missed", random && worse, "%.4g", points);
    report_format(one, "within", random && !worse, "%.3g", points);
    report_format(one, "margin", points > 0, "%.3g", points);
    report_format(one, "confidence", true, "%.4g", drawn->confidence * 100);
}

static void name_sample(const struct draft *draft, size_t number, const char *list)
{
    static const char *const shared[] = {
        [STUDY_PROPORTIONAL] = "in proportion to their sizes",
        [STUDY_EQUAL] = "in equal parts",
        [STUDY_EACH] = "each by the same rule on its own",
    };
    const struct study *study = draft->study;
    const struct study_sample *sample = &study->samples[number];
    struct report_scope *one = report_one(draft->root, list);
    bool strata = sample->by != STUDY_NONE, keep = sample->keep != STUDY_NONE;
    struct str name = sample->name;

    report_text(one, "name", name);
    report_text(one, "of", sample->of);
    report_format(one, "seed", study_sample_is_random(sample), "%llu",
                  (unsigned long long)sample->seed);
    double count = report_address(one, "count", "samples.%.*s.count", STR_ARG(name));
    double frame = report_address(one, "frame", "samples.%.*s.frame", STR_ARG(name));
    double all = report_address(one, "all", "sets.%.*s.count", STR_ARG(sample->of));
    report_number(one, "systematic", sample->systematic);
    report_number(one, "uneven", !study_sample_is_even(sample));
    name_size(sample, &draft->facts->samples[number], count == frame, one);
    report_text(one, "strata", strata ? study->groups[sample->by].name : STR(""));
    report_text(one, "allocated", str_from(shared[sample->allocate]));
    report_number(one, "outside", strata ? all - frame : 0);
    report_text(one, "keep", keep ? study->samples[sample->keep].name : STR(""));
}

static void name_samples(const struct draft *draft)
{
    size_t stratified = 0, by_rank = 0;

    for (size_t i = 0; i < draft->study->sample_count; i++) {
        name_sample(draft, i, "samples");
        if (!isnan(draft->facts->samples[i].margin))
            name_sample(draft, i, "representing");
        stratified += draft->study->samples[i].by != STUDY_NONE;
        by_rank += study_sample_is_chosen(&draft->study->samples[i]);
    }
    report_count(draft->root, "stratified", stratified);
    report_count(draft->root, "by-rank", by_rank);
}

/* Agreement. */

/* How its final labels came about; of a file nothing is known. */
static void name_outcomes(const struct report_methods_agreement *agreement,
                          struct report_scope *one)
{
    static const char *const states[] = {"unanimous", "single", "adjudicated",
                                         "unresolved", "pending"};

    report_list(one, "outcomes");
    for (size_t i = 0; i < ROWS_OF(states); i++)
        if (report_address(one, states[i], "%.*s.%s", STR_ARG(agreement->address),
                           states[i]) > 0) {
            struct report_scope *state = report_one(one, "outcomes");
            report_text(state, "state", str_from(states[i]));
            report_address(state, "count", "%.*s.%s", STR_ARG(agreement->address),
                           states[i]);
        }
    report_address(one, "labelled", "%.*s.items", STR_ARG(agreement->address));
    report_address(one, "outside", "%.*s.outside", STR_ARG(agreement->address));
    double f1 = report_address(one, "same-units", "%.*s.f1", STR_ARG(agreement->address));
    report_format(one, "f1", f1 >= 0, "%.2f", f1);
}

/* Whether a coefficient is there, and so its items. */
static bool is_agreed(const struct report_methods_agreement *agreement)
{
    return agreement->items > 0 && agreement->value.undefined == NULL;
}

static struct report_scope *
name_agreement(const struct report_methods_agreement *agreement,
               struct report_scope *scope, const char *list)
{
    const double tentative = 0.667; /* Krippendorff, "Content Analysis", 12.4.3 */
    const struct stats_agreement *value = &agreement->value;
    struct report_scope *one = report_one(scope, list);
    bool defined = value->undefined == NULL;

    report_text(one, "name", agreement->name);
    report_count(one, "raters", agreement->raters);
    report_count(one, "items", agreement->items);
    report_format(one, "observed", true, "%.3g", agreement->observed * 100);
    report_text(one, "coefficient", str_from(agreement->coefficient));
    report_text(one, "undefined", defined ? STR("") : str_from(value->undefined));
    report_format(one, "value", defined, "%.2f", value->value);
    report_format(one, "interval", defined && value->interval_undefined == NULL,
                  "%.2f to %.2f", value->low, value->high);
    report_text(one, "word",
                defined ? str_from(stats_agree_word(value->value)) : STR(""));
    report_format(one, "poor",
                  is_agreed(agreement) && round(value->value * 1000) < tentative * 1000,
                  "%.3f", value->value);
    name_outcomes(agreement, one);
    return one;
}

/* Those of a labelling or of labels, the other being STUDY_NONE; how many there are. */
static size_t name_agreements_of(const struct draft *draft, size_t labelling,
                                 size_t labels, struct report_scope *scope)
{
    size_t count = 0;

    report_list(scope, "agreements");
    for (size_t i = 0; i < draft->facts->agreement_count; i++) {
        const struct report_methods_agreement *agreement = &draft->facts->agreements[i];
        if (agreement->labelling == labelling && agreement->labels == labels) {
            name_agreement(agreement, scope, "agreements");
            count++;
        }
    }
    return count;
}

static void name_agreements(const struct draft *draft)
{
    /* Feinstein and Cicchetti, "High agreement but low kappa", 1990. */
    const double high = 0.8, low = 0.6;
    struct report_scope *root = draft->root;
    double decided = 0, undecided = 0, most = 0;

    for (size_t i = 0; i < draft->facts->agreement_count; i++) {
        const struct report_methods_agreement *agreement = &draft->facts->agreements[i];
        struct report_scope *one = name_agreement(agreement, root, "agreements");
        if (is_agreed(agreement))
            name_agreement(agreement, root, "agreed");
        if (is_agreed(agreement) && agreement->observed >= high &&
            agreement->value.value < low)
            name_agreement(agreement, root, "anomalies");
        decided += fmax(0, report_find(one, STR("adjudicated"))->number);
        undecided += fmax(0, report_find(one, STR("unresolved"))->number);
        most = fmax(most, (double)agreement->raters);
    }
    report_number(root, "decided", decided);
    report_number(root, "undecided", undecided);
    report_number(root, "disputes", decided + undecided);
    report_number(root, "most-raters", most);
}

/* Labels. */

/* Over all labellings. */
struct tally {
    size_t rounds, imported, codes;
};

static void name_rounds(const struct report_methods_labelling *labelling,
                        struct report_scope *one, struct tally *tally)
{
    size_t open = 0, imported = 0, chosen = 0;

    report_list(one, "rounds");
    for (size_t i = 0; i < labelling->round_count; i++) {
        const struct report_methods_round *round = &labelling->rounds[i];
        struct report_scope *scope = report_one(one, "rounds");
        report_format(scope, "number", true, "%zu", i + 1);
        report_text(scope, "kind", str_from(round->kind));
        report_text(scope, "source", round->source);
        report_count(scope, "items", round->items);
        report_count(scope, "done", round->done);
        report_count(scope, "assigned", round->assigned);
        report_day(scope, "opened", true, round->opened_ms);
        report_day(scope, "closed", round->closed_ms != 0, round->closed_ms);
        open += round->closed_ms == 0;
        imported += round->source.len > 0;
        chosen += round->chosen;
    }
    report_count(one, "open", open);
    report_count(one, "imported", imported);
    report_count(one, "chosen", chosen);
    report_number(one, "alone",
                  labelling->round_count > imported &&
                      labelling->settings->rater_count > 1);
    tally->rounds += labelling->round_count;
    tally->imported += imported;
}

static void name_codebook(const struct report_methods_labelling *labelling,
                          struct report_scope *one, struct tally *tally)
{
    const struct study_codebook *codebook = labelling->codebook;

    report_list(one, "dimensions");
    for (size_t i = 0; codebook != NULL && i < codebook->count; i++) {
        const struct study_codebook_dimension *dimension = &codebook->dimensions[i];
        struct report_scope *scope = report_one(one, "dimensions");
        report_text(scope, "name", dimension->name);
        report_count(scope, "codes", dimension->count);
        report_number(scope, "several", dimension->several);
        tally->codes += dimension->count;
    }
    report_count(one, "versions", labelling->versions);
    report_number(one, "changes", (double)labelling->versions - 1);
    report_count(one, "accepted", labelling->accepted_codes);
    report_count(one, "reviews", labelling->reviews);
}

static void name_labellings(const struct draft *draft)
{
    struct tally tally = {0};

    for (size_t i = 0; i < draft->study->labelling_count; i++) {
        const struct report_methods_labelling *labelling = &draft->facts->labellings[i];
        const struct study_labelling *settings = labelling->settings;
        struct report_scope *one = report_one(draft->root, "labellings");
        size_t raters = settings->rater_count, each = (size_t)settings->raters_per_item;
        bool some = each > 0 && each < raters;
        bool overlap = raters > 1 && settings->overlap > 0 && settings->overlap < 1;
        report_text(one, "name", settings->name);
        report_count(one, "items", labelling->items);
        report_count(one, "units", settings->units);
        report_count(one, "raters", raters);
        report_count(one, "some-raters", some ? each : 0);
        report_count(one, "raters-each", some ? each : raters);
        report_format(one, "overlap", overlap, "%.4g", settings->overlap * 100);
        name_codebook(labelling, one, &tally);
        name_rounds(labelling, one, &tally);
        name_agreements_of(draft, i, STUDY_NONE, one);
    }
    report_count(draft->root, "all-rounds", tally.rounds);
    report_count(draft->root, "own-rounds", tally.rounds - tally.imported);
    report_count(draft->root, "imported-rounds", tally.imported);
    report_count(draft->root, "all-codes", tally.codes);
}

/* Raters that are models. */

static void name_record(const struct report_methods_model *record,
                        struct report_scope *one)
{
    report_count(one, "requests", (size_t)record->requests);
    report_count(one, "answered", (size_t)record->answered);
    report_count(one, "refused", (size_t)record->refused);
    report_count(one, "cut", (size_t)record->cut);
    report_count(one, "unreadable", (size_t)record->unreadable);
    report_text(one, "seeds", record->seeds);
    report_text(one, "settings", record->settings);
    report_day(one, "first", record->first_ms > 0, record->first_ms);
    report_day(one, "last", record->last_ms > 0, record->last_ms);
    report_count(one, "one-day",
                 record->first_ms / DATE_DAY_MS == record->last_ms / DATE_DAY_MS);
    report_text(one, "answered-as", record->answered_as);
    report_text(one, "digests", record->digests);
    report_count(one, "told", record->servers.len > 0);
    report_count(one, "constrained", record->constrained);
    report_count(one, "plain", record->plain);
}

/* Some of what people label was drawn at random, or is all of a set. */
static bool is_random(const struct study *study, const struct study_labelling *settings)
{
    bool random = false;

    for (size_t i = 0; i < settings->of_count; i++) {
        size_t sample = study_find_sample(study, settings->of[i]);
        random |=
            sample == STUDY_NONE || !study_sample_is_chosen(&study->samples[sample]);
    }
    return random;
}

static void name_models(const struct draft *draft)
{
    static const struct report_methods_model never = {0};
    size_t open = 0, repeated = 0, judged = 0, asked = 0, random = 0;

    for (size_t i = 0; i < draft->study->labelling_count; i++) {
        const struct study_labelling *settings = &draft->study->labellings[i];
        const struct report_methods_model *records = draft->facts->labellings[i].models;
        random += settings->model_count > 0 && is_random(draft->study, settings);
        for (size_t m = 0; m < settings->model_count; m++) {
            const struct study_model_rater *model = &settings->models[m];
            struct report_scope *one = report_one(draft->root, "models");
            report_text(one, "name", model->name);
            report_text(one, "model", model->model);
            report_text(one, "labelling", settings->name);
            report_text(one, "url", model->url);
            report_count(one, "runs", (size_t)model->runs);
            report_count(one, "own-template", model->template != NULL);
            bool known = records != NULL && records[m].requests > 0;
            name_record(known ? &records[m] : &never, one);
            if (known)
                report_text(one, "temperature", records[m].temperatures);
            else
                report_format(one, "temperature", !model->without_temperature, "%g",
                              model->temperature);
            asked += known;
            open += known && str_eq(model->open, STR("yes"));
            repeated += known && model->runs > 1;
        }
    }
    for (size_t i = 0; i < draft->study->classifier_count; i++)
        judged += draft->study->classifiers[i].rater.len > 0;
    report_count(draft->root, "asked-models", asked);
    report_count(draft->root, "open-models", open);
    report_count(draft->root, "repeated-models", repeated);
    report_count(draft->root, "judged-models", judged);
    report_count(draft->root, "random-models", random);
}

/* What follows a part of a text; empty when it does not have it. */
static struct str after(struct str text, struct str part)
{
    for (; text.len > 0; text = str_slice(text, 1, text.len))
        if (str_starts(text, part))
            return str_slice(text, part.len, text.len);
    return text;
}

/* Those made elsewhere. */
static void name_labels(const struct draft *draft)
{
    for (size_t i = 0; i < draft->study->label_count; i++) {
        const struct study_labels *labels = &draft->study->labels[i];
        const struct yaml_node *from = yaml_get(labels->node, STR("from"));
        struct report_scope *one = report_one(draft->root, "labels");
        struct str says = draft->facts->label_says[i];
        report_text(one, "name", labels->name);
        report_text(one, "file",
                    labels->from == NULL ? STR("")
                    : from != NULL       ? from->text
                                         : str_from(labels->from));
        report_text(one, "code", labels->code);
        report_list(one, "fields");
        for (size_t k = 0; k < labels->field_count; k++)
            report_text(report_one(one, "fields"), "field", labels->fields[k]);
        report_address(one, "count", "labels.%.*s.count", STR_ARG(labels->name));
        report_text(one, "more", after(says, STR("codes of items, ")));
        if (name_agreements_of(draft, STUDY_NONE, i, one) == 0)
            report_text(report_one(draft->root, "unrated"), "name", labels->name);
    }
}

/* Models. */

static void name_item_vectors(const struct study *study,
                              const struct study_classifier *classifier,
                              struct report_scope *one)
{
    const struct study_vectors none = {0};
    const struct study_vectors *vectors = classifier->item_vectors != STUDY_NONE
                                              ? &study->vectors[classifier->item_vectors]
                                              : &none;
    const struct yaml_node *file =
        vectors->node != NULL ? yaml_get(vectors->node, STR("file")) : NULL;

    report_text(one, "item-vectors", vectors->name);
    report_text(one, "embedding",
                vectors->embed != NULL ? vectors->embed->model : STR(""));
    report_text(one, "embedded-at",
                vectors->embed != NULL ? vectors->embed->url : STR(""));
    report_text(one, "vectors-file", file != NULL ? file->text : STR(""));
}

static void name_classifiers(const struct draft *draft)
{
    for (size_t i = 0; i < draft->study->classifier_count; i++) {
        const struct study_classifier *classifier = &draft->study->classifiers[i];
        struct str name = classifier->name;
        struct report_scope *one = report_one(draft->root, "classifiers");
        report_text(one, "name", name);
        report_text(one, "method", classifier->method);
        report_text(one, "file",
                    classifier->predictions != NULL
                        ? yaml_get(classifier->node, STR("predictions"))->text
                        : STR(""));
        report_text(one, "rater", classifier->rater);
        name_item_vectors(draft->study, classifier, one);
        report_text(one, "train", draft->study->labels[classifier->train].name);
        report_address(one, "labelled", "classifiers.%.*s.labelled", STR_ARG(name));
        report_address(one, "held-out", "classifiers.%.*s.held-out", STR_ARG(name));
        report_address(one, "with-vectors", "classifiers.%.*s.folds-with-vectors",
                       STR_ARG(name));
        report_number(one, "folds", (double)classifier->folds);
        report_format(one, "seed", true, "%llu", (unsigned long long)classifier->seed);
        report_list(one, "predict");
        for (size_t k = 0; k < classifier->predict_count; k++)
            report_text(report_one(one, "predict"), "set", classifier->predict[k]);
    }
}

static void name_topics(const struct draft *draft)
{
    for (size_t i = 0; i < draft->study->topics_count; i++) {
        const struct study_topics *topics = &draft->study->topics[i];
        struct report_scope *one = report_one(draft->root, "topics");
        report_text(one, "name", topics->name);
        report_text(one, "of", topics->of);
        report_number(one, "first", (double)topics->first);
        report_number(one, "last", (double)topics->last);
        report_number(one, "further", (double)(topics->last - topics->first));
        report_number(one, "step", (double)topics->step);
        report_number(one, "runs", (double)topics->runs);
        report_number(one, "iterations", (double)topics->iterations);
        report_format(one, "seed", true, "%llu", (unsigned long long)topics->seed);
        report_number(one, "stop", (double)topics->stop_count);
        report_number(one, "stems", topics->stems);
        report_number(one, "nmf", topics->nmf);
        bool clusters = topics->item_vectors != STUDY_NONE;
        report_text(one, "clusters",
                    clusters ? draft->study->vectors[topics->item_vectors].name
                             : STR(""));
        report_number(one, "density", topics->density);
        report_number(one, "least", (double)topics->least);
        report_number(one, "given", !isnan(topics->radius));
        report_address(one, "radius", "topics.%.*s.radius", STR_ARG(topics->name));
        report_address(one, "without", "topics.%.*s.without-vector",
                       STR_ARG(topics->name));
        report_address(one, "alone", "topics.%.*s.in-no-cluster", STR_ARG(topics->name));
    }
}

static void name_phrases(const struct draft *draft)
{
    static const char *const numbers[] = {
        "items",   "with-verb", "with-object", "actions",        "objects", "decisions",
        "refused", "disputed",  "people",      "merges-of-both", "merges"};
    static const struct {
        const char *on, *same, *kappa;
    } levels[] = {{"verdict", "same-verdict", "kappa-of-verdicts"},
                  {"action", "same-action", "kappa-of-actions"},
                  {"object", "same-object", "kappa-of-objects"}};

    for (size_t i = 0; i < draft->study->phrases_count; i++) {
        const struct study_phrases *phrases = &draft->study->phrases[i];
        struct report_scope *one = report_one(draft->root, "phrases");
        report_text(one, "name", phrases->name);
        report_text(one, "of", phrases->of);
        report_number(one, "sentences", phrases->sentences);
        report_number(one, "apart", (double)phrases->unifier_count);
        report_text(one, "arbiter", phrases->arbiter);
        report_number(one, "written",
                      phrases->actions != STUDY_NONE || phrases->objects != STUDY_NONE);
        for (size_t k = 0; k < ROWS_OF(numbers); k++)
            report_address(one, numbers[k], "phrases.%.*s.%s", STR_ARG(phrases->name),
                           numbers[k]);
        report_list(one, "agreements");
        for (size_t k = 0; k < ROWS_OF(levels); k++) {
            double same = report_address(one, levels[k].same, "phrases.%.*s.%s",
                                         STR_ARG(phrases->name), levels[k].same),
                   kappa = report_address(one, levels[k].kappa, "phrases.%.*s.%s",
                                          STR_ARG(phrases->name), levels[k].kappa);
            if (!(same >= 0))
                continue;
            struct report_scope *agreed = report_one(one, "agreements");
            report_text(agreed, "on", str_from(levels[k].on));
            report_format(agreed, "observed", true, "%.3g", same * 100);
            report_format(agreed, "kappa", kappa >= -1, "%.2f", kappa);
        }
    }
}

/* Measures. */

static bool is_share(const struct study_measure *measure)
{
    return measure->kind == STUDY_MEASURE_SHARE || measure->kind == STUDY_MEASURE_PART;
}

static bool is_popularity(const struct study_measure *measure)
{
    return measure->kind != STUDY_MEASURE_COUNT && !is_share(measure) &&
           !study_measure_is_time(measure) && measure->kind != STUDY_MEASURE_DISTINCT &&
           measure->kind != STUDY_MEASURE_RANK &&
           measure->quantity == STUDY_MEASURE_NUMBER &&
           (measure->field == ITEM_FIELD_VIEWS || measure->field == ITEM_FIELD_SCORE ||
            measure->field == ITEM_FIELD_FAVORITES);
}

/* What is true of some measure of the study. */
static void note(const struct draft *draft, const char *trait, bool holds)
{
    if (holds)
        report_number(draft->root, trait, true);
}

static void note_traits(const struct draft *draft, const struct study_measure *measure)
{
    bool share = measure->kind == STUDY_MEASURE_SHARE;
    bool time = study_measure_is_time(measure);

    note(draft, "shares", is_share(measure));
    note(draft, "shares-of-census", share && measure->whole == STUDY_MEASURE_OF_CENSUS);
    note(draft, "shares-of-column", share && measure->whole == STUDY_MEASURE_OF_COLUMN);
    note(draft, "medians", measure->kind == STUDY_MEASURE_MEDIAN);
    note(draft, "quantiles", measure->kind == STUDY_MEASURE_QUANTILE);
    note(draft, "waits", time);
    note(draft, "survival", measure->kind == STUDY_MEASURE_SURVIVAL);
    note(draft, "rests-on-accepted",
         (time && measure->quantity == STUDY_MEASURE_TO_ACCEPTED) ||
             measure->condition == STUDY_MEASURE_ACCEPTED);
    note(draft, "rests-on-endorsed", study_measure_asks_endorsed(measure));
    note(draft, "popularity", is_popularity(measure));
}

static void name_regressions(const struct draft *draft)
{
    static const char *const models[] = {[STUDY_LOGISTIC] = "logistic",
                                         [STUDY_NEGATIVE_BINOMIAL] = "negative binomial",
                                         [STUDY_COX] = "Cox"};

    for (size_t r = 0; r < draft->study->regression_count; r++) {
        const struct study_regression *one = &draft->study->regressions[r];
        struct report_scope *scope = report_one(draft->root, "regressions");
        struct buf terms = {0};
        for (size_t t = 0; t < one->term_count; t++)
            buf_add_format(&terms, "%s%.*s", t > 0 ? ", " : "",
                           STR_ARG(one->terms[t].text));
        report_text(scope, "name", one->name);
        report_text(scope, "of", one->of);
        report_text(scope, "on", one->on_text);
        report_text(scope, "model", str_from(models[one->model]));
        report_format(scope, "terms", true, "%.*s", STR_ARG(buf_str(&terms)));
        report_text(scope, "errors",
                    one->errors == STUDY_UNCLUSTERED ? STR("")
                    : one->errors == STUDY_ROBUST
                        ? STR("robust")
                        : arena_format(draft->root->arena, "clustered (by %.*s)",
                                       STR_ARG(one->errors_text)));
        report_text(scope, "random", one->random_text);
        report_text(scope, "frailty",
                    one->random != STUDY_UNCLUSTERED && one->model == STUDY_COX
                        ? STR("yes")
                        : STR(""));
        buf_free(&terms);
    }
}

/* What is right whether questions are old or young. */
static void name_allowing(const struct draft *draft)
{
    const struct study *study = draft->study;
    enum { MEDIANS, WITHIN, AGED, CURVES, TESTS, MODELS, WAYS };
    static const char *const ways[] = {[MEDIANS] = "Kaplan-Meier medians",
                                       [WITHIN] = "shares within a time",
                                       [AGED] = "columns with a minimum age",
                                       [CURVES] = "survival curves",
                                       [TESTS] = "log-rank tests",
                                       [MODELS] = "Cox regressions"};
    bool used[WAYS] = {false};

    for (size_t t = 0; t < study->table_count; t++)
        for (size_t c = 0; c < study->tables[t].column_count; c++) {
            const struct study_column *column = &study->tables[t].columns[c];
            if (study->tables[t].from != NULL)
                continue;
            used[MEDIANS] |= column->measure.kind == STUDY_MEASURE_SURVIVAL;
            used[WITHIN] |= column->measure.within > 0;
            used[AGED] |= column->minimum_age_days > 0;
        }
    for (size_t f = 0; f < study->figure_count; f++)
        used[CURVES] |= study->figures[f].kind == STUDY_SURVIVAL;
    for (size_t t = 0; t < study->test_count; t++)
        used[TESTS] |= study->tests[t].kind == STUDY_LOG_RANK;
    for (size_t r = 0; r < study->regression_count; r++)
        used[MODELS] |= study->regressions[r].model == STUDY_COX;
    for (size_t w = 0; w < WAYS; w++)
        if (used[w])
            report_text(report_one(draft->root, "allowing"), "what", str_from(ways[w]));
}

/* The columns of computed tables, each once; tests and figures also measure. */
static void name_measures(const struct draft *draft)
{
    const struct study *study = draft->study;
    const struct report_fact *list = report_find(draft->root, STR("measures"));
    size_t computed = 0;

    for (size_t t = 0; t < study->table_count; t++) {
        const struct study_table *table = &study->tables[t];
        for (size_t c = 0; c < table->column_count; c++) {
            const struct study_column *column = &table->columns[c];
            const struct report_scope *known = list->first;
            note(draft, "rounded-first", column->round_first >= 0);
            if (table->from != NULL)
                continue;
            note_traits(draft, &column->measure);
            while (known != NULL && !str_eq(known->facts->text, column->text))
                known = known->next;
            if (known == NULL)
                report_text(report_one(draft->root, "measures"), "measure", column->text);
        }
        computed += table->from == NULL;
    }
    for (size_t t = 0; t < study->test_count; t++)
        if (study->tests[t].table == STUDY_NONE) {
            note_traits(draft, &study->tests[t].on);
            note_traits(draft, &study->tests[t].with);
        }
    for (size_t f = 0; f < study->figure_count; f++)
        if (study->figures[f].on_text.len > 0)
            note_traits(draft, &study->figures[f].on);
    report_count(draft->root, "computed", computed);
    name_allowing(draft);
    name_regressions(draft);
}

/* Tables. */

static bool is_cell(const struct study_column *column, const struct result_number *number)
{
    return column->measure.kind != STUDY_MEASURE_COUNT &&
           column->measure.kind != STUDY_MEASURE_DISTINCT && !isnan(number->value) &&
           result_numbers_column_is(number->column, column->slug);
}

static struct str parent_of(struct str row)
{
    size_t end = row.len;

    while (end > 0 && row.ptr[end - 1] != '/')
        end--;
    return str_slice(row, 0, end);
}

/* The row of the same block that comes next by size: larger, or equal and later. */
static const struct result_number *next_larger(const struct result_numbers *numbers,
                                               const struct study_column *column,
                                               size_t from)
{
    const struct result_number *one = &numbers->at[from], *next = NULL;

    for (size_t i = 0; i < numbers->count; i++) {
        const struct result_number *other = &numbers->at[i];
        if (i == from || other->total_row || isnan(other->low) ||
            !is_cell(column, other) ||
            !str_eq(parent_of(other->row), parent_of(one->row)))
            continue;
        bool above =
            other->value > one->value || (other->value == one->value && i > from);
        if (above && (next == NULL || other->value < next->value))
            next = other;
    }
    return next;
}

/* Shares whose order may be chance. */
static void name_overlaps(const struct draft *draft, const struct study_table *table,
                          const struct result_numbers *numbers)
{
    for (size_t c = 0; c < table->column_count; c++) {
        const struct study_column *column = &table->columns[c];
        size_t pairs = 0, overlapping = 0;
        for (size_t i = 0; is_share(&column->measure) && i < numbers->count; i++) {
            const struct result_number *one = &numbers->at[i];
            if (one->total_row || isnan(one->high) || !is_cell(column, one))
                continue;
            const struct result_number *next = next_larger(numbers, column, i);
            pairs += next != NULL;
            overlapping += next != NULL && next->low <= one->high;
        }
        if (overlapping > 0) {
            struct report_scope *one = report_one(draft->root, "overlaps");
            report_text(one, "table", table->name);
            report_text(one, "column", column->text);
            report_count(one, "pairs", pairs);
            report_count(one, "overlapping", overlapping);
        }
    }
}

static void name_tables(const struct draft *draft)
{
    for (size_t t = 0; t < draft->study->table_count; t++) {
        const struct study_table *table = &draft->study->tables[t];
        const struct result_numbers *numbers = step_of(draft, "tables", table->name);
        struct report_scope *one = report_one(draft->root, "tables");
        size_t cells = 0, small = 0;
        for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
            for (size_t c = 0; table->from == NULL && c < table->column_count; c++)
                if (is_cell(&table->columns[c], &numbers->at[i])) {
                    cells++;
                    small += numbers->at[i].n >= 0 && numbers->at[i].n < table->small;
                    break;
                }
        report_text(one, "name", table->name);
        report_count(one, "cells", cells);
        report_count(one, "small", small);
        report_number(one, "few", (double)table->small);
        if (numbers != NULL && table->from == NULL && table->across_count == 0)
            name_overlaps(draft, table, numbers);
    }
}

/* Tests. */

/* Results of a test that have a p value. */
static size_t p_values(const struct draft *draft, const struct study_test *test)
{
    const struct result_numbers *numbers = step_of(draft, "tests", test->name);
    size_t count = 0;

    for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
        count += str_eq(numbers->at[i].column, STR("p")) && !isnan(numbers->at[i].value);
    return count;
}

static const char *correction(enum study_correct correct)
{
    static const char *const names[] = {[STUDY_NO_CORRECTION] = "not corrected",
                                        [STUDY_BONFERRONI] = "corrected by Bonferroni",
                                        [STUDY_HOLM] = "corrected by Holm",
                                        [STUDY_BENJAMINI] =
                                            "corrected by Benjamini and Hochberg"};

    return names[correct];
}

static void name_test(const struct draft *draft, const struct study_test *test,
                      size_t count)
{
    static const struct {
        const char *name, *effect;
    } kinds[] = {
        [STUDY_PROPORTION] = {"a chi-square test of equal proportions", "the odds ratio"},
        [STUDY_CHI_SQUARE] = {"Pearson's chi-square test",
                              "the odds ratio or Cramer's V"},
        [STUDY_FISHER] = {"Fisher's exact test", "the odds ratio or Cramer's V"},
        [STUDY_STUDENT] = {"Student's t test", "Hedges' g"},
        [STUDY_WELCH] = {"Welch's t test", "Hedges' g"},
        [STUDY_PAIRED] = {"a paired t test", "Hedges' g of pairs"},
        [STUDY_MANN_WHITNEY] = {"the Mann-Whitney U test", "Cliff's delta"},
        [STUDY_WILCOXON] = {"Wilcoxon's signed-rank test",
                            "the rank-biserial correlation"},
        [STUDY_KRUSKAL_WALLIS] =
            {"the Kruskal-Wallis test, of more than two groups then Dunn's test of each "
             "pair",
             "epsilon squared, and Cliff's delta of each pair"},
        [STUDY_FRIEDMAN] = {"Friedman's test", "Kendall's W"},
        [STUDY_LOG_RANK] =
            {"the log-rank test, of more than two groups then of each pair",
             "the hazard ratio of two groups"},
        [STUDY_MANN_KENDALL] = {"the Mann-Kendall test of a trend", "Sen's slope"},
        [STUDY_SCOTT_KNOTT] = {"Scott-Knott ESD ranking, which splits groups by their "
                               "means until those of a rank differ by less than Cohen's "
                               "d = 0.2 and has no level of significance "
                               "(Tantithamthavorn et al., IEEE TSE 43(1), 2017),",
                               ""},
        [STUDY_PEARSON] = {"Pearson's correlation", "r"},
        [STUDY_SPEARMAN] = {"Spearman's rank correlation", "rho"},
        [STUDY_KENDALL] = {"Kendall's rank correlation", "tau-b"},
    };
    const struct yaml_node *with = yaml_get(test->node, STR("with"));
    struct report_scope *one = report_one(draft->root, "tests");
    bool two_by_two = test->kind == STUDY_PROPORTION || test->kind == STUDY_CHI_SQUARE;
    bool cells = test->table != STUDY_NONE;
    /* That of all groups together stands apart from those of pairs. */
    size_t pairs =
        (test->kind == STUDY_KRUSKAL_WALLIS || test->kind == STUDY_LOG_RANK) && count > 1
            ? count - 1
            : 0;

    report_text(one, "name", test->name);
    report_text(one, "method", str_from(kinds[test->kind].name));
    report_text(one, "effect", str_from(kinds[test->kind].effect));
    report_text(one, "table", cells ? draft->study->tables[test->table].name : STR(""));
    report_text(one, "on", test->on_text);
    report_text(one, "with", with != NULL ? with->text : STR(""));
    report_number(one, "yates", two_by_two && test->yates);
    report_count(one, "pairs", pairs);
    report_count(one, "own-p-values", pairs == 0 ? count : 0);
    report_text(one, "corrected", str_from(correction(test->correct)));
    report_format(one, "level", test->kind != STUDY_SCOTT_KNOTT, "%.4g", test->level);
}

static void name_tests(const struct draft *draft)
{
    const struct study *study = draft->study;
    size_t values = 0, bare = 0, alone = study->test_count;

    for (size_t i = 0; i < study->test_count; i++) {
        size_t count = p_values(draft, &study->tests[i]);
        name_test(draft, &study->tests[i], count);
        values += count;
        bare += study->tests[i].correct == STUDY_NO_CORRECTION && count > 1;
    }
    for (size_t i = 0; i < study->family_count; i++) {
        const struct study_family *family = &study->families[i];
        struct report_scope *one = report_one(draft->root, "families");
        report_text(one, "name", family->name);
        report_text(one, "corrected", str_from(correction(family->correct)));
        report_list(one, "tests");
        for (size_t k = 0; k < family->count; k++)
            report_text(report_one(one, "tests"), "test",
                        study->tests[family->tests[k]].name);
        alone -= family->count;
    }
    report_count(draft->root, "p-values", values);
    report_count(draft->root, "bare", bare);
    report_count(draft->root, "in-no-family", alone);
}

/* Words and numbers of a text of the study file, in their order. */
static void name_filled(const struct draft *draft, struct report_scope *scope,
                        const char *list, struct str text)
{
    const struct report_methods_facts *facts = draft->facts;
    size_t count;
    const struct verify_piece *pieces = verify_fill(
        facts->study, facts->numbers, facts->number_count, text, scope->arena, &count);

    report_list(scope, list);
    for (size_t i = 0; i < count; i++) {
        struct report_scope *one = report_one(scope, list);
        double number = NAN;
        report_number(one, "number", number);
        if (pieces[i].expression.len > 0 && pieces[i].wrong.len == 0)
            number = report_address(one, "number", "%.*s", STR_ARG(pieces[i].expression));
        report_text(one, "words", isnan(number) ? pieces[i].text : STR(""));
        if (pieces[i].was.len == 0 || pieces[i].wrong.len > 0)
            continue;
        one = report_one(scope, list); /* marked, as the report marks it */
        report_number(one, "number", NAN);
        report_text(one, "words",
                    arena_format(scope->arena, " (%.*s when this was written)",
                                 STR_ARG(pieces[i].was)));
    }
}

static void name_questions(const struct draft *draft)
{
    const struct study *study = draft->study;

    for (size_t q = 0; q < study->question_count; q++) {
        const struct study_question *question = &study->questions[q];
        struct report_scope *one = report_one(draft->root, "questions");
        report_text(one, "name", question->name);
        report_text(one, "asks", question->asks);
        name_filled(draft, one, "method", question->method);
        name_filled(draft, one, "answer", question->answer);
        report_list(one, "findings");
        for (size_t i = 0; i < question->finding_count; i++)
            name_filled(draft, report_one(one, "findings"), "finding",
                        question->findings[i]);
        report_list(one, "threats");
        for (size_t i = 0; i < question->threat_count; i++)
            name_filled(draft, report_one(one, "threats"), "threat",
                        question->threats[i]);
    }
}

void report_methods_name(const struct report_methods_facts *facts,
                         struct report_scope *scope)
{
    static const char *const lists[] = {
        "sources",      "taken-along", "sets",        "groups",    "samples",
        "representing", "agreements",  "agreed",      "anomalies", "labellings",
        "labels",       "unrated",     "classifiers", "topics",    "phrases",
        "measures",     "tables",      "overlaps",    "tests",     "families",
        "questions",    "allowing",    "regressions", "models",    "tagsets"};
    static const char *const traits[] = {
        "shares",     "shares-of-census",  "shares-of-column",
        "medians",    "quantiles",         "waits",
        "survival",   "rests-on-accepted", "rests-on-endorsed",
        "popularity", "rounded-first"};
    static void (*const parts[])(const struct draft *draft) = {
        name_sources,  name_health, name_corpus,      name_tagsets,    name_sets,
        name_queries,  name_groups, name_samples,     name_agreements, name_labellings,
        name_models,   name_labels, name_classifiers, name_topics,     name_phrases,
        name_measures, name_tables, name_tests,       name_questions};
    const struct study *study = facts->study;
    const struct draft draft = {facts, study, scope};

    for (size_t i = 0; i < ROWS_OF(lists); i++)
        report_list(scope, lists[i]);
    for (size_t i = 0; i < ROWS_OF(traits); i++)
        report_number(scope, traits[i], false);
    for (size_t i = 0; i < ROWS_OF(parts); i++)
        parts[i](&draft);
    report_text(scope, "study", study->name);
    report_text(scope, "title", study->title);
    report_text(scope, "version", str_from(facts->version));
    report_number(scope, "simulated", study->simulated);
    report_count(scope, "expectations", study->expectation_count);
    report_count(scope, "annotated", facts->agreement_count + study->label_count);
    report_count(scope, "measuring", study->table_count + study->test_count);
}

void report_methods_part(const struct report_methods_facts *facts, const char *part,
                         struct report_prose *prose)
{
    struct arena arena = {0};
    struct report_scope scope = {.arena = &arena, .prose = prose};

    report_methods_name(facts, &scope);
    report_prose_write(prose, report_prose_part(str_from(part)), &scope);
    arena_free(&arena);
}

void report_methods_write(const struct report_methods_facts *facts, struct buf *markdown,
                          struct buf *latex)
{
    struct report_prose both = {markdown, latex, facts->numbers, facts->number_count};
    struct report_prose alone = {markdown, NULL, facts->numbers, facts->number_count};

    buf_add_format(latex,
                   "%% A draft by assay %s from what the study recorded: edit it.\n"
                   "%% \\input{out/numbers.tex} in the preamble, then "
                   "\\input{out/methods.tex}.\n",
                   facts->version);
    report_methods_part(facts, "preface", &alone);
    report_methods_part(facts, "method", &both);
    report_methods_part(facts, "checklist", &alone);
    while (str_ends(buf_str(markdown), STR("\n\n")))
        markdown->len--;
    while (str_ends(buf_str(latex), STR("\n\n")))
        latex->len--;
}
