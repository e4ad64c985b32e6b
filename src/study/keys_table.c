/* The table of keys. Rows stand in the order of the manual; a section before its keys.
 * In a path, * stands for a name of the user's own, - for an element of a list. */
#include "source/source.h"
#include "study/keys.h"

#define SOURCES "sets|samples"

/* The key of a kind of sources; what it means is said where the kind is. */
#define OF_KIND(kind) \
    {.path = "source." #kind, \
     .forms = STUDY_KEYS_PATH | STUDY_KEYS_LIST, \
     .help = source_##kind##_help},

const struct study_keys_row study_keys_table[] = {
    {"study", STUDY_KEYS_TEXT, .help = "A short name for the study.", .required = true},
    {"title", STUDY_KEYS_TEXT, .help = "What the study is about, in a line."},
    {"authors", STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "Who has made the study, as `Ada Lovelace` or `Ada Lovelace "
             "0000-0002-1825-0097` with an ORCID, for CITATION.cff and .zenodo.json of a "
             "package. Without it both say anonymous, as a blind review wants it."},
    {"license", STUDY_KEYS_TEXT,
     .help = "Under which terms the authors give their package away, as SPDX calls them: "
             "CC-BY-4.0."},
    {"simulated", STUDY_KEYS_YES_NO,
     .help = "Whether the posts are simulated, as by assay-synth(1). Reports then say "
             "so, and call expected numbers planted instead of published.",
     .fallback = "no"},
    {"source", STUDY_KEYS_SECTION, .help = "Where the posts come from."},
    SOURCE_KINDS(OF_KIND){
        "source.columns", STUDY_KEYS_TEXT | STUDY_KEYS_MAP,
        .help =
            "Of a csv or json: which column holds which field of a post, as `views: "
            "ViewCount`. Fields are id, type, parent, accepted, accepted-at, owner, "
            "created, closed, score, views, answers, comments, favorites, tags, title, "
            "body, license; the usual names are recognised without being given."},
    {"source.table", STUDY_KEYS_TEXT,
     .help = "Of a server: the table of posts in the database that the address names.",
     .fallback = "posts"},
    {"source.fields", STUDY_KEYS_TEXT | STUDY_KEYS_MAP,
     .help = "Further columns to keep with each item, as `phase: level1_code`. Each is a "
             "field under that name, which no field of every item may bear: queries ask "
             "for it (`phase:design`, `stars:100..`), measures compute with it (`median "
             "stars`), groups and labels may be made of it."},
    {"source.dates", STUDY_KEYS_SECTION,
     .help =
         "Of rows without dates that speak of posts: their dates from the posts' "
         "numbers, which grow with time on a site. A row is dated between the two "
         "dated posts whose numbers are next to its own, in proportion to the numbers; "
         "it gets the fields `earliest` and `latest`, the dates of these two, between "
         "which it lies for certain. A row before the first dated post or behind the "
         "last has none of this, and is counted in out/health.md."},
    {"source.dates.of", STUDY_KEYS_TEXT,
     .help =
         "The field (see source.fields) that names the post: its number, or a link to "
         "it.",
     .required = true},
    {"source.dates.between", STUDY_KEYS_PATH | STUDY_KEYS_LIST,
     .help =
         "Tables of dated posts of the same site, csv or json as for `posts`. One that "
         "is older than a post with a lower number, as it came from another site, is "
         "passed over.",
     .required = true},
    {"source.until", STUDY_KEYS_DATE,
     .help = "The last day (or, with a time of day, the moment) of the corpus; later "
             "posts are left out and counted. Waiting times are censored then, and years "
             "that go beyond it are not complete: see assay-measure(7). Scores, "
             "views and whether an answer is accepted are as the dump has them."},
    {"source.site", STUDY_KEYS_TEXT,
     .help = "The site the posts come from. Links to them are https://SITE/q/ID, and "
             "posts of one site with the same number are one post. Without it the name "
             "of the dump tells, if it is that of a site. Of GitHub it is github.com "
             "unless another is given; of a forum none is.",
     .fallback = "stackoverflow.com"},
    {"source.also", STUDY_KEYS_CHOICE | STUDY_KEYS_LIST,
     .help = "What to take from the dump, or from the tables beside the posts on a "
             "server, besides questions and answers.",
     .detail = "comments|users|links|votes|history|badges"},
    {"store", STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "Where items and their texts are kept: the address of a database of a "
             "ClickHouse server, such as clickhouse://localhost:8123/assay, or a list of "
             "them, each of which holds a part. Without it, or with `here`, they are in "
             "corpus.db, which otherwise keeps all else. Tables there are called assay_ "
             "and a number, and go when the corpus is made anew. CLICKHOUSE_USER and "
             "CLICKHOUSE_PASSWORD say who asks; ASSAY_CLICKHOUSE_SECONDS, how long a "
             "server may "
             "say nothing until it counts as gone (600)."},
    {"sources", STUDY_KEYS_NAMES,
     .help = "Several sources, each with a name and the keys of `source`. A post of one "
             "site that stands in two of them is one post, with the score, views and "
             "text of the first that is listed; in the census it counts for each. Items "
             "of different sites are called by the name of their source, as `ai:12345`. "
             "Groups (`source`) and queries (`source:NAME`) can tell them apart; tables, "
             "tests and figures by source leave out those without any item, with a note.",
     .detail = "source"},
    {"dump", STUDY_KEYS_SECTION,
     .help = "The dump that a paper's numbers are about. Expectations that need it "
             "(`needs: dump`) are compared only when the source is that dump."},
    {"dump.site", STUDY_KEYS_TEXT, .help = "Its site, such as stackoverflow.com.",
     .required = true},
    {"dump.questions", STUDY_KEYS_WHOLE,
     .help = "How many questions it holds at the least: what tells a part of it, or a "
             "simulated one, from it.",
     .highest = 1e12},
    {"dump.newest", STUDY_KEYS_DATE,
     .help = "The day of its newest post. A dump that ends up to three days before, with "
             "hardly any posts after `until`, is taken to be that one.",
     .required = true},
    {"synonyms", STUDY_KEYS_PATH,
     .help =
         "A table of tags that mean the same: a csv with the columns synonym and tag, or "
         "as the Data Explorer (TagSynonyms) or the api give it. An exact tag in a query "
         "or a list of groups then stands for all of its class, see assay-query(7)."},
    {"tagsets", STUDY_KEYS_NAMES,
     .help =
         "Tags of a subject, gathered as studies do: from tags that surely belong to it, "
         "the seeds, candidates are found in one pass over all questions of the dump, "
         "and people say which to accept; a ClickHouse server counts those that it "
         "holds. A "
         "tag counts in any case of its letters and with its `synonyms`, as in queries. "
         "Queries ask for the tags by [tagset:NAME]: the "
         "seeds and what is accepted, so at first the seeds alone. The step tagsets.NAME "
         "gives the candidates and what thresholds would take, accepted.NAME what was "
         "decided; the questions are counted again only when they, the seeds, the "
         "synonyms or the thresholds change."},
    {"tagsets.*", STUDY_KEYS_SECTION, .help = "The tags of one subject."},
    {"tagsets.*.seeds", STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "Tags that surely belong to it, without [ ]; with a * at the end all that "
             "begin so.",
     .required = true},
    {"tagsets.*.relevance", STUDY_KEYS_NUMBER,
     .help = "The share of a candidate's questions that have a seed tag, at least.",
     .fallback = "0.05", .highest = 1},
    {"tagsets.*.significance", STUDY_KEYS_NUMBER,
     .help = "The share of the questions with a seed tag that carry the candidate, at "
             "least.",
     .fallback = "0.001", .highest = 1},
    {"tagsets.*.among", STUDY_KEYS_QUERY,
     .help = "The questions to count; without it all of the source. It may name sets, "
             "unless they ask for a tag set."},
    {"tagsets.*.decisions", STUDY_KEYS_PATH,
     .help =
         "A csv of what people decided on candidates, with the columns tag, accepted "
         "(yes, no, or nothing as long as it is open) and, if wanted, who and why; a "
         "row of each tag and person. A tag is accepted when everybody who decided on "
         "it said yes. The file may come after the first run, which writes its rows to "
         "out/accepted/NAME/to-decide.csv."},
    {"tagsets.*.accepted", STUDY_KEYS_TEXT | STUDY_KEYS_ONLY_LIST,
     .help = "Instead of `decisions`: the candidates that are accepted; all others are "
             "refused."},
    {"take", STUDY_KEYS_QUERY,
     .help =
         "The questions to take into the corpus. Without it those are taken that some "
         "set can need; with it sets can be changed without reading the dump again."},
    {"sets", STUDY_KEYS_NAMES,
     .help =
         "Sets of questions, as `name: query` in the language of assay-query(7). A "
         "query may name other sets with in:NAME, and ask for final labels and "
         "predictions with label:LABELLING/CODE, predicted:CLASSIFIER/CODE and "
         "hasunit:LABELLING. Conditions joined by `and` are counted one by one in the "
         "set's funnel, those before and with the first tag, word, id or user together: "
         "what meets only some of them is not in the corpus, unless `take` brings it. "
         "Put "
         "`[tag]` before `score:2..` to see what each leaves."},
    {"sets.*", STUDY_KEYS_QUERY, .help = "The query."},
    {"groups", STUDY_KEYS_NAMES, .help = "Ways to part a set into groups."},
    {"groups.*", STUDY_KEYS_GROUPING | STUDY_KEYS_SECTION,
     .help =
         "Either `created by year`, `created by quarter`, `created by month`, `source` "
         "or `tags`, or exactly one of first-of, all-of, sets, field, tags, labels, "
         "predicted, topics, phrases, extract. With `tags` an item stands under each of "
         "its tags, "
         "as "
         "they are written."},
    {"groups.*.first-of", STUDY_KEYS_QUERY | STUDY_KEYS_MAP | STUDY_KEYS_LIST,
     .help =
         "Queries by the name of their group, in order of precedence: an item belongs to "
         "the first that takes it. A list of tags is short for one exact tag each."},
    {"groups.*.all-of", STUDY_KEYS_QUERY | STUDY_KEYS_MAP | STUDY_KEYS_LIST,
     .help = "The same, but an item belongs to every group that takes it."},
    {"groups.*.sets", STUDY_KEYS_REF | STUDY_KEYS_ONLY_LIST,
     .help = "Each of these sets is a group.", .detail = SOURCES},
    {"groups.*.field", STUDY_KEYS_TEXT,
     .help = "The values of a field (see source.fields)."},
    {"groups.*.tags", STUDY_KEYS_WHOLE,
     .help =
         "Tags, so many of the most frequent: an item stands under each of its tags, "
         "as they are written, synonyms or not. `others` takes the items with none of "
         "them.",
     .lowest = 1, .highest = 10000},
    {"groups.*.of", STUDY_KEYS_REF,
     .help = "Of tags: in which set they are the most frequent; in all items without it.",
     .detail = SOURCES},
    {"groups.*.labels", STUDY_KEYS_REF,
     .help = "The codes that raters gave: labels made elsewhere, or the final labels of "
             "a labelling task of this study.",
     .detail = "labels|labelling"},
    {"groups.*.dimension", STUDY_KEYS_TEXT,
     .help = "Of a labelling task whose codebook has several dimensions: which of them."},
    {"groups.*.predicted", STUDY_KEYS_REF,
     .help = "What a classifier says of each item. Counts of these inherit its errors; a "
             "table that shows `shares` of the classifier corrects them.",
     .detail = "classifiers"},
    {"groups.*.topics", STUDY_KEYS_REF,
     .help = "The topic that has the largest share in each item's text.",
     .detail = "topics"},
    {"groups.*.extract", STUDY_KEYS_REF,
     .help = "The names that an extract found in each item; an item stands under each.",
     .detail = "extracts"},
    {"groups.*.phrases", STUDY_KEYS_REF,
     .help = "The action, or with `part: object` the object, of each item's verb phrase, "
             "as unified by what people decided.",
     .detail = "phrases"},
    {"groups.*.part", STUDY_KEYS_CHOICE,
     .help = "Of phrases: which of the two that a phrase has.", .detail = "action|object",
     .fallback = "action"},
    {"groups.*.level", STUDY_KEYS_WHOLE,
     .help = "Of labels: the level of the codebook's tree, 1 being its top. Without it "
             "codes stay as they were given.",
     .lowest = 1, .highest = 32},
    {"groups.*.names", STUDY_KEYS_TEXT | STUDY_KEYS_MAP,
     .help = "Of field: names to show for its values, as `d: Data processing`; values "
             "with the same name are one group. The order is that of the names."},
    {"groups.*.others", STUDY_KEYS_TEXT,
     .help = "A last group, with this name, for items that belong to none. Without it "
             "they are left out, and counted in a note. It stands last however a table "
             "is sorted, and correlations over the rows of a table leave it out."},
    {"samples", STUDY_KEYS_NAMES, .help = "Samples to draw."},
    {"samples.*", STUDY_KEYS_SECTION, .help = "How one sample is drawn."},
    {"samples.*.of", STUDY_KEYS_REF, .help = "The set it is drawn from.",
     .detail = SOURCES, .required = true},
    {"samples.*.size", STUDY_KEYS_SIZE,
     .help = "`95% +- 5%` for a confidence and a margin (finite population), a number, a "
             "share such as `20%`, `all`, or `top 50 by views`. Needed without `list`."},
    {"samples.*.seed", STUDY_KEYS_WHOLE,
     .help = "Where the random numbers begin: the same seed gives the same sample for "
             "ever, and two samples with one seed prefer the same items. Needed where "
             "items are drawn: not with `list`, `size: top ...` and `size: all`, of "
             "which it is the order that raters get (0 without it).",
     .highest = 9e15},
    {"samples.*.list", STUDY_KEYS_PATH,
     .help = "Instead of `size` and `seed`: a csv that names the items, in its order, as "
             "others published theirs. What it names and the set does not hold is told. "
             "A sample that keeps it (`keep`) is drawn around it; a list without rows "
             "keeps nothing."},
    {"samples.*.item", STUDY_KEYS_TEXT,
     .help = "Of `list`: the column that names the item, by key or link.",
     .fallback = "item"},
    {"samples.*.share", STUDY_KEYS_NUMBER,
     .help = "The share that is to be estimated; 50% is the most careful assumption.",
     .fallback = "50%", .lowest = 0.001, .highest = 0.999},
    {"samples.*.round", STUDY_KEYS_CHOICE,
     .help = "How a size with a fraction becomes whole. `down` is what published studies "
             "often do; it misses the margin by a hair.",
     .detail = "up|down|nearest", .fallback = "up"},
    {"samples.*.categories", STUDY_KEYS_WHOLE,
     .help = "Shares of so many categories are to be within the margin at the same time.",
     .lowest = 2, .highest = 1000},
    {"samples.*.method", STUDY_KEYS_CHOICE,
     .help = "`random`: without replacement; `systematic`: every k-th by id, from a "
             "random start.",
     .detail = "random|systematic", .fallback = "random"},
    {"samples.*.by", STUDY_KEYS_REF,
     .help = "Strata: a part is drawn from each group. What a classifier's shares rest "
             "on is weighed by stratum; other tables show the sample as it was drawn.",
     .detail = "groups"},
    {"samples.*.allocate", STUDY_KEYS_CHOICE,
     .help =
         "How strata share the size; `each` applies the size to every stratum by itself.",
     .detail = "proportional|equal|each", .fallback = "proportional"},
    {"samples.*.keep", STUDY_KEYS_REF,
     .help = "An earlier sample whose items are kept; only the rest is drawn.",
     .detail = "samples"},
    {"codebooks", STUDY_KEYS_PATH | STUDY_KEYS_MAP,
     .help = "Codebooks by name, each a YAML file: what raters may say. See "
             "assay-codebook(5)."},
    {"labels", STUDY_KEYS_NAMES, .help = "Labels that were made elsewhere."},
    {"labels.*", STUDY_KEYS_SECTION, .help = "Where they come from: `from` or `field`."},
    {"labels.*.from", STUDY_KEYS_PATH, .help = "A csv with a label in each row."},
    {"labels.*.field", STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "Instead of `from`: a field of the items themselves (see source.fields). "
             "The values of several fields are one code, joined by commas, as `loss,m`."},
    {"labels.*.codebook", STUDY_KEYS_REF,
     .help = "The codebook that knows the codes, their spellings and their tree. Without "
             "it codes are what the column says.",
     .detail = "codebooks"},
    {"labels.*.dimension", STUDY_KEYS_TEXT,
     .help = "Of a codebook with several dimensions: the one that is meant."},
    {"labels.*.item", STUDY_KEYS_TEXT,
     .help = "The column that names the item: an id, or a link that ends in one.",
     .fallback = "item"},
    {"labels.*.rater", STUDY_KEYS_TEXT,
     .help = "The column that names the rater. Without it the labels are those the "
             "raters agreed on."},
    {"labels.*.code", STUDY_KEYS_TEXT, .help = "The column that holds the code.",
     .fallback = "code"},
    {"labels.*.unit", STUDY_KEYS_TEXT,
     .help = "The column that names the unit in the item, where one may have several, "
             "such as each bug that a commit fixes; a column `place` says where it is. "
             "`row`, if there is no such column: each row is a unit of its own."},
    {"labels.*.separator", STUDY_KEYS_TEXT,
     .help = "What divides several codes in one cell, such as ;"},
    {"labels.*.unknown", STUDY_KEYS_CHOICE,
     .help = "What to do with items that the corpus does not hold; `skip` counts them.",
     .detail = "refuse|skip", .fallback = "refuse"},
    {"labelling", STUDY_KEYS_NAMES, .help = "What raters are to label."},
    {"labelling.*", STUDY_KEYS_SECTION, .help = "One labelling task."},
    {"labelling.*.sample", STUDY_KEYS_REF | STUDY_KEYS_LIST, .help = "The items.",
     .detail = SOURCES, .required = true},
    {"labelling.*.codebook", STUDY_KEYS_REF,
     .help = "What raters may say; without it the codebook of the same name.",
     .detail = "codebooks"},
    {"labelling.*.raters", STUDY_KEYS_TEXT | STUDY_KEYS_ONLY_LIST | STUDY_KEYS_SECTION,
     .help = "Names of the raters. One that is a model is told by its settings: `{model: "
             "NAME, url: http://localhost:8080}`; `assay label --models` asks it. What "
             "models say is never a final label.",
     .required = true},
    {"labelling.*.raters.-.model", STUDY_KEYS_TEXT,
     .help = "The model, as its server calls it.", .required = true},
    {"labelling.*.raters.-.url", STUDY_KEYS_TEXT,
     .help =
         "The address of its server, up to /v1: any that knows "
         "/v1/chat/completions, such as llama.cpp, Ollama, vLLM or a vendor's. Of one "
         "that has no /v1 the whole address, up to /chat/completions.",
     .required = true},
    {"labelling.*.raters.-.name", STUDY_KEYS_TEXT,
     .help = "What it is called among the raters; without it as the model."},
    {"labelling.*.raters.-.key", STUDY_KEYS_TEXT,
     .help = "The environment variable that holds the key of the server, as "
             "OPENAI_API_KEY. The key itself is never stored and never shown."},
    {"labelling.*.raters.-.of", STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .help = "The items it labels; without it those of the labelling. For shares "
             "(classifiers.*.rater) it labels all of the set, of which people have "
             "labelled a sample.",
     .detail = SOURCES},
    {"labelling.*.raters.-.template", STUDY_KEYS_PATH,
     .help =
         "A file with the words of the request: up to a line `---` what the model is "
         "told to be, behind it what it is asked. {codebook} stands for the codes "
         "with their definitions, {codes} for their names, {item} for the item as a "
         "rater sees it, {answer} for how to answer, {title} for the codebook's title, "
         "{dimension} for that which is asked for; {codebook} and {item} must be there. "
         "Without it a template of assay's own: `assay label --models --dry-run` shows "
         "it."},
    {"labelling.*.raters.-.temperature", STUDY_KEYS_NUMBER,
     .help = "How much chance there is in its answers.", .fallback = "0", .highest = 2},
    {"labelling.*.raters.-.seed", STUDY_KEYS_WHOLE,
     .help = "The seed that it is given; further runs count on from it.", .fallback = "0",
     .highest = 2e9},
    {"labelling.*.raters.-.runs", STUDY_KEYS_WHOLE,
     .help = "How often it is asked for each item, which tells how far it agrees with "
             "itself. What most of its runs say is what it says; of several alike, what "
             "came first.",
     .fallback = "1", .lowest = 1, .highest = 100},
    {"labelling.*.raters.-.at-most", STUDY_KEYS_WHOLE,
     .help = "Requests that may be sent to it, in all: a budget. Without it any number.",
     .lowest = 1, .highest = 1e9},
    {"labelling.*.raters.-.parallel", STUDY_KEYS_WHOLE,
     .help = "Requests on their way at once.", .fallback = "4", .lowest = 1,
     .highest = 256},
    {"labelling.*.raters.-.per-minute", STUDY_KEYS_WHOLE,
     .help =
         "Requests that may be sent to it in a minute, evenly spread, where its server "
         "has a limit that is known. Without it as many as are answered; a server that "
         "says 429 is left alone for a while either way.",
     .lowest = 1, .highest = 60000},
    {"labelling.*.raters.-.tokens", STUDY_KEYS_WHOLE,
     .help = "How long an answer may be; models that think aloud need some thousands.",
     .fallback = "200", .lowest = 1, .highest = 1e6},
    {"labelling.*.raters.-.seconds", STUDY_KEYS_WHOLE,
     .help = "How long an answer may take.", .fallback = "120", .lowest = 1,
     .highest = 86400},
    {"labelling.*.raters.-.retries", STUDY_KEYS_WHOLE,
     .help =
         "How often it is asked again, and told what was wrong, when its answer is no "
         "code of the codebook.",
     .fallback = "2", .highest = 20},
    {"labelling.*.raters.-.constrained", STUDY_KEYS_YES_NO,
     .help = "Whether a JSON schema holds answers to the codes. A server that does not "
             "know schemas is asked without; answers are read strictly either way.",
     .fallback = "yes"},
    {"labelling.*.raters.-.logprobs", STUDY_KEYS_YES_NO,
     .help = "Whether the server is asked for the log-probabilities of what it says, "
             "from which the probability of a code follows.",
     .fallback = "no"},
    {"labelling.*.raters.-.request", STUDY_KEYS_TEXT | STUDY_KEYS_MAP,
     .help = "Members that the request has besides, as `{max_completion_tokens: 2000, "
             "reasoning_effort: low}`. What reads as JSON is JSON, as "
             "`chat_template_kwargs: '{\"enable_thinking\": false}'`; else it is a text. "
             "With `constrained: no` also a `response_format` of another kind."},
    {"labelling.*.raters.-.without", STUDY_KEYS_CHOICE | STUDY_KEYS_LIST,
     .help = "Members that the request does not have, for servers that refuse them: "
             "`max_tokens` is what `tokens` limits.",
     .detail = "temperature|seed|max_tokens"},
    {"labelling.*.raters.-.open", STUDY_KEYS_YES_NO,
     .help = "Whether its weights can be had by anybody, for the checklist of the "
             "report."},
    {"labelling.*.arbiter", STUDY_KEYS_TEXT, .help = "Who decides where raters differ."},
    {"labelling.*.lead", STUDY_KEYS_TEXT,
     .help = "Who opens and closes rounds; without it the arbiter, else somebody called "
             "`lead`."},
    {"labelling.*.pilot", STUDY_KEYS_NUMBER,
     .help = "The items that are labelled first, to settle the codebook: a share of them "
             "such as 30%, or above 1 their number.",
     .highest = 1e9},
    {"labelling.*.checkpoints", STUDY_KEYS_NUMBER | STUDY_KEYS_ONLY_LIST,
     .help = "Shares of the work at which agreement is measured, ascending.",
     .highest = 1},
    {"labelling.*.raters-per-item", STUDY_KEYS_WHOLE,
     .help = "How many raters label an item; without it all of them.", .lowest = 1,
     .highest = 100},
    {"labelling.*.overlap", STUDY_KEYS_NUMBER,
     .help = "The share of the items that so many raters label; each of the others gets "
             "one rater.",
     .fallback = "100%", .highest = 1},
    {"labelling.*.retest", STUDY_KEYS_NUMBER,
     .help = "The share of a rater's items that come a second time at the end of a "
             "round, to see whether raters agree with themselves.",
     .fallback = "0%", .highest = 1},
    {"labelling.*.seed", STUDY_KEYS_WHOLE,
     .help = "Where the random numbers begin that give items to raters and each rater an "
             "own order.",
     .fallback = "0", .highest = 9e15},
    {"labelling.*.names", STUDY_KEYS_CHOICE,
     .help =
         "Whether the arbiter sees who said what. With `hidden` raters are called A, B "
         "and so on, in another order for each item, and their names are not sent to "
         "that page.",
     .detail = "shown|hidden", .fallback = "shown"},
    {"labelling.*.hide", STUDY_KEYS_CHOICE | STUDY_KEYS_LIST,
     .help = "What raters do not see of a post.",
     .detail = "answers|comments|tags|score"},
    {"labelling.*.leaves", STUDY_KEYS_YES_NO,
     .help =
         "Whether raters and the arbiter may give only codes that no other codes stand "
         "below.",
     .fallback = "no"},
    {"labelling.*.mathematics", STUDY_KEYS_CHOICE,
     .help = "Whether formulas of posts are typeset on the pages. `auto` does so for "
             "items of GitHub and of those Stack Exchange sites that have them; `yes` "
             "for all items.",
     .detail = "auto|yes|no", .fallback = "auto"},
    {"labelling.*.images", STUDY_KEYS_PATH,
     .help = "A folder with copies of the images of posts, to be shown on the pages; "
             "without it, and for those that it lacks, there is a link, and nothing is "
             "fetched from elsewhere. What https://HOST/PATH shows is the file HOST/PATH "
             "in the folder, as `wget -x` saves it."},
    {"labelling.*.units", STUDY_KEYS_YES_NO,
     .help = "Whether a rater may mark several units in an item, such as each bug that a "
             "commit fixes, and labels each of them in all dimensions. Which units of "
             "several raters are the same one, and which units come out, is said in "
             "assay-labels(7).",
     .fallback = "no"},
    {"labelling.*.spans", STUDY_KEYS_CHOICE,
     .help =
         "Whether a rater marks the words or lines by which the item was decided on, "
         "for the item or, with `per code`, for each code that was given. Where spans "
         "are counted, and how far raters mark the same ones, is said in "
         "assay-labels(7).",
     .detail = "no|yes|per code", .fallback = "no"},
    {"vectors", STUDY_KEYS_NAMES,
     .help = "Vectors of items that another program made, such as embeddings of their "
             "texts: for classifiers, for topics that are clusters of them, for `assay "
             "ask`, and to find near duplicates. Keys are those of items, with a source "
             "where the study has "
             "several, or links; vectors of items that the corpus does not have are passed over. "
             "out/vectors/NAME/ says how many these are, how many items have one, which "
             "have none, and the file's SHA-256; packages take the file along."},
    {"vectors.*", STUDY_KEYS_SECTION, .help = "The vectors of one file."},
    {"vectors.*.file", STUDY_KEYS_PATH,
     .help =
         "A csv with a column id (or key, item, url) and numbers in all others "
         "that have a name, or a list such as [0.1, -2] in one other; json lines with "
         "id and vector (or embedding), or the replies to a vendor's batch of "
         "requests; or .npy, an array of two dimensions as NumPy saves it.",
     .required = true},
    {"vectors.*.keys", STUDY_KEYS_PATH,
     .help = "Of .npy: a file with the key of each row, in a line of its own."},
    {"vectors.*.of", STUDY_KEYS_REF,
     .help = "The set or sample whose items should have a vector; without it all items.",
     .detail = SOURCES},
    {"vectors.*.embed", STUDY_KEYS_SECTION,
     .help = "A server that makes the vectors: `assay embed` asks it for those of the "
             "items and writes `file`, and `keys` if that is named. A text is title, "
             "prose and code of an item. What was asked and answered is kept beside the "
             "file, in FILE.records, from which a further call takes what it has: with "
             "the same texts it needs no server."},
    {"vectors.*.embed.model", STUDY_KEYS_TEXT,
     .help = "The model, as its server calls it.", .required = true},
    {"vectors.*.embed.url", STUDY_KEYS_TEXT,
     .help = "The address of its server, up to /v1: any that knows /v1/embeddings, such "
             "as llama.cpp, Ollama, vLLM or a vendor's. Of one that has no /v1 the whole "
             "address, up to /embeddings.",
     .required = true},
    {"vectors.*.embed.key", STUDY_KEYS_TEXT,
     .help = "The environment variable that holds the key of the server, as "
             "OPENAI_API_KEY. The key itself is never stored and never shown."},
    {"vectors.*.embed.prefix", STUDY_KEYS_TEXT,
     .help = "What some models want before each text, as `passage: `."},
    {"vectors.*.embed.question-prefix", STUDY_KEYS_TEXT,
     .help = "What they want before the question of `assay ask`, as `query: `."},
    {"vectors.*.embed.dimensions", STUDY_KEYS_WHOLE,
     .help = "How many numbers are asked for; without it as many as the model gives.",
     .lowest = 1, .highest = 65536},
    {"vectors.*.embed.characters", STUDY_KEYS_WHOLE,
     .help = "How much of a text is sent; how many are cut is told.", .fallback = "8000",
     .lowest = 1, .highest = 1e6},
    {"vectors.*.embed.batch", STUDY_KEYS_WHOLE, .help = "Texts in one request.",
     .fallback = "32", .lowest = 1, .highest = 128},
    {"vectors.*.embed.parallel", STUDY_KEYS_WHOLE,
     .help = "Requests on their way at once.", .fallback = "4", .lowest = 1,
     .highest = 256},
    {"vectors.*.embed.seconds", STUDY_KEYS_WHOLE, .help = "How long an answer may take.",
     .fallback = "120", .lowest = 1, .highest = 86400},
    {"vectors.*.embed.at-most", STUDY_KEYS_WHOLE,
     .help = "Requests that may be sent, in all: a budget. Without it any number.",
     .lowest = 1, .highest = 1e9},
    {"vectors.*.near", STUDY_KEYS_NUMBER,
     .help = "Two items are near duplicates when the cosine of their vectors is this or "
             "more; the pairs are listed. Without it none are sought.",
     .lowest = 0.01, .highest = 1},
    {"classifiers", STUDY_KEYS_NAMES,
     .help = "Classifiers to train. out/classifiers/NAME/ has what each item is taken "
             "for (predicted.csv) and, with what labelled items are, the probability of "
             "each class, of labelled items by models that have not seen them "
             "(items.csv)."},
    {"classifiers.*", STUDY_KEYS_SECTION, .help = "One classifier."},
    {"classifiers.*.train", STUDY_KEYS_REF, .help = "The labels to learn from.",
     .detail = "labels|labelling", .required = true},
    {"classifiers.*.dimension", STUDY_KEYS_TEXT,
     .help = "Of a labelling task whose codebook has several dimensions: which of them."},
    {"classifiers.*.level", STUDY_KEYS_WHOLE,
     .help = "The level of the codebook's tree to learn, 1 being its top. Without it "
             "codes stay as they were given.",
     .lowest = 1, .highest = 32},
    {"classifiers.*.method", STUDY_KEYS_CHOICE, .help = "How it learns.",
     .detail = "majority|keyword-weight|naive-bayes|complement-bayes|linear|logistic|"
               "centroid",
     .fallback = "linear"},
    {"classifiers.*.features", STUDY_KEYS_CHOICE | STUDY_KEYS_ONLY_LIST,
     .help = "The parts of a post it looks at.",
     .detail = "title|prose|code|inline-code|tags"},
    {"classifiers.*.letters", STUDY_KEYS_YES_NO,
     .help = "Whether stems and runs of three to five letters count besides words: "
             "several times as slow, a little more exact. Without it they count, but for "
             "the Bayes methods: whether these are better with them differs from corpus "
             "to corpus."},
    {"classifiers.*.runs", STUDY_KEYS_WHOLE,
     .help =
         "Words in a row that also count together: 1 none, 2 pairs, 3 triples as well.",
     .fallback = "2", .lowest = 1, .highest = 3},
    {"classifiers.*.weights", STUDY_KEYS_SECTION,
     .help =
         "How much each part of a post counts; without them those that suit the method."},
    {"classifiers.*.weights.title", STUDY_KEYS_NUMBER, .help = "The title.",
     .highest = 1e6},
    {"classifiers.*.weights.prose", STUDY_KEYS_NUMBER,
     .help = "The body without its code.", .highest = 1e6},
    {"classifiers.*.weights.code", STUDY_KEYS_NUMBER, .help = "Blocks of code.",
     .highest = 1e6},
    {"classifiers.*.weights.inline-code", STUDY_KEYS_NUMBER, .help = "Code within prose.",
     .highest = 1e6},
    {"classifiers.*.weights.tags", STUDY_KEYS_NUMBER, .help = "The tags.",
     .highest = 1e6},
    {"classifiers.*.min-items", STUDY_KEYS_WHOLE,
     .help = "Items that must have a word for it to count.", .lowest = 1, .highest = 1e6},
    {"classifiers.*.max-share", STUDY_KEYS_NUMBER,
     .help = "The share of items that may have it.", .lowest = 1e-6, .highest = 1},
    {"classifiers.*.select", STUDY_KEYS_WHOLE,
     .help =
         "Keep so many words and runs, those that tell codes apart best by chi-square.",
     .lowest = 1, .highest = 1e8},
    {"classifiers.*.idf", STUDY_KEYS_CHOICE,
     .help = "How much rare words count more: smooth is ln((1 + n) / (1 + df)) + 1, "
             "plain ln(n / df) + 1.",
     .detail = "smooth|plain|none"},
    {"classifiers.*.stop-words", STUDY_KEYS_CHOICE,
     .help = "Whether words such as 'the' count; without it they do, except with "
             "keyword-weight.",
     .detail = "keep|drop"},
    {"classifiers.*.normaliser", STUDY_KEYS_CHOICE,
     .help = "Of keyword-weight: what the counts of a code's words are divided by.",
     .detail = "sum|l2", .fallback = "sum"},
    {"classifiers.*.top", STUDY_KEYS_WHOLE,
     .help = "Of keyword-weight: only so many of a code's most frequent words count.",
     .lowest = 1, .highest = 1e6},
    {"classifiers.*.outside", STUDY_KEYS_CHOICE,
     .help =
         "Of keyword-weight: what a picked word counts that is none of the `top` words.",
     .detail = "alpha|nothing", .fallback = "alpha"},
    {"classifiers.*.title", STUDY_KEYS_CHOICE,
     .help = "Of keyword-weight: whether a word of the title counts beside the body, or "
             "the body's count replaces it.",
     .detail = "beside|replaced", .fallback = "beside"},
    {"classifiers.*.vectors", STUDY_KEYS_YES_NO,
     .help = "Of linear and logistic: whether word vectors, learned from all "
             "texts of the sets in `predict`, may count besides words. They do only "
             "where cross-validation inside the training part says that they help.",
     .fallback = "yes"},
    {"classifiers.*.item-vectors", STUDY_KEYS_REF,
     .help = "Of linear and logistic: vectors of items (see `vectors`) that may "
             "count beside words. Their weight is chosen by cross-validation inside the "
             "training part, and is 0 where they do not help; an item without a vector "
             "is told by its words.",
     .detail = "vectors"},
    {"classifiers.*.test", STUDY_KEYS_NUMBER,
     .help = "The share of the labelled items that is held out to judge it; nothing is "
             "ever tuned on them.",
     .fallback = "40%", .lowest = 0.01, .highest = 0.9},
    {"classifiers.*.folds", STUDY_KEYS_WHOLE,
     .help = "Folds of cross-validation: each labelled item is also predicted by a model "
             "that has not seen it, from which estimated shares are corrected.",
     .fallback = "5", .lowest = 2, .highest = 1000},
    {"classifiers.*.keywords", STUDY_KEYS_PATH,
     .help = "Of keyword-weight: a csv with the columns class and word, words picked by "
             "hand."},
    {"classifiers.*.predictions", STUDY_KEYS_PATH,
     .help =
         "Instead of learning: a csv of what anything else predicts, with the columns "
         "item, code and, if it has one, probability, from 0 to 1; several rows of an "
         "item are its codes with their probabilities; of several codes those with 0.5 "
         "or more are predicted. It is judged on all items that "
         "`train` has labels of, which it must not have learned from; shares and "
         "groups are those of any classifier. An item without a row is wrong in "
         "scores; shares count it for no code, and the table says how many there are "
         "and what its corrections make of them. Calibration leaves out what has no "
         "probability."},
    {"classifiers.*.rater", STUDY_KEYS_TEXT,
     .help =
         "Instead of learning: what a model says that is a rater of the labelling "
         "under `train`, by its name there; its `of` should hold what is under "
         "`predict`. As with `predictions`, but all codes that it says are predicted, "
         "however sure it is."},
    {"classifiers.*.seed", STUDY_KEYS_WHOLE, .help = "Where its random numbers begin.",
     .required = true, .highest = 9e15},
    {"classifiers.*.predict", STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .help = "The sets to classify.", .detail = SOURCES, .required = true},
    {"topics", STUDY_KEYS_NAMES, .help = "Topics to find in texts."},
    {"topics.*", STUDY_KEYS_SECTION, .help = "One topic model."},
    {"topics.*.of", STUDY_KEYS_REF, .help = "The set whose texts are read.",
     .detail = SOURCES, .required = true},
    {"topics.*.topics", STUDY_KEYS_TEXT,
     .help = "How many: `20`, or several to compare by coherence and stability, `10..40 "
             "step 5`. Only `method: density` does without, which finds how many."},
    {"topics.*.method", STUDY_KEYS_CHOICE,
     .help =
         "How they are found.\n"
         "lda: latent Dirichlet allocation, by Gibbs sampling.\n"
         "    themes: {of: errors, topics: 20, method: lda, seed: 1}\n"
         "nmf: non-negative matrix factorisation of tf-idf, from random beginnings. It "
         "tends to find its topics again from others; whose words belong together more "
         "closely depends on the texts, and coherence and stability, which are the same "
         "measures, tell. It has no perplexity.\n"
         "    themes: {of: errors, topics: 20, method: nmf, seed: 1}\n"
         "k-means: clusters of vectors of the items, such as embeddings of their texts, "
         "by "
         "cosine.\n"
         "    themes: {of: errors, topics: 9, method: k-means, vectors: minilm, seed: "
         "1}\n"
         "density: clusters of vectors wherever items lie close together (DBSCAN by "
         "cosine); items that lie alone have no topic.\n"
         "    themes: {of: errors, method: density, vectors: minilm, seed: 1}\n"
         "Clusters are named by the words that class-based tf-idf puts first. Items "
         "without a vector have no topic; how many these are is said. The table "
         "`methods` "
         "shows coherence and stability beside those of as many topics by lda.",
     .detail = "lda|nmf|k-means|density", .fallback = "lda"},
    {"topics.*.vectors", STUDY_KEYS_REF,
     .help = "Of k-means and density: the vectors of items (see `vectors`).",
     .detail = "vectors"},
    {"topics.*.radius", STUDY_KEYS_NUMBER,
     .help =
         "Of density: two items are neighbours when 1 - cosine is at most this; "
         "without it the median over items of that to their neighbour number `least`, "
         "rounded up to a millionth; the table and the draft on methods tell it.",
     .lowest = 1e-6, .highest = 2},
    {"topics.*.least", STUDY_KEYS_WHOLE,
     .help = "Of density: neighbours, itself among them, that make an item the core of a "
             "cluster.",
     .fallback = "5", .lowest = 2, .highest = 1000000},
    {"topics.*.features", STUDY_KEYS_CHOICE | STUDY_KEYS_ONLY_LIST,
     .help = "The parts of a post to read; without it title and prose.",
     .detail = "title|prose|code|tags"},
    {"topics.*.stop", STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help =
         "Further words to leave out, beside those of every text (the, and, how): what "
         "stands everywhere in this corpus and tells nothing, as `[model, error]`. See "
         "`assay topics --words`."},
    {"topics.*.stems", STUDY_KEYS_YES_NO,
     .help = "Whether words of one stem are one, called by the form that stands most "
             "often: `deploys` and `deployed`.",
     .fallback = "no"},
    {"topics.*.names", STUDY_KEYS_TEXT | STUDY_KEYS_MAP,
     .help =
         "What topics are called once somebody has read their words, by their numbers, "
         "as `1: Installation`. They hold for one model: another seed, number, set or "
         "list of words gives other topics, so read these again after a change."},
    {"topics.*.runs", STUDY_KEYS_WHOLE,
     .help = "How often it is repeated with other random numbers, to see which topics "
             "come back.",
     .fallback = "3", .lowest = 1, .highest = 100},
    {"topics.*.iterations", STUDY_KEYS_WHOLE,
     .help = "Passes over the texts; of nmf at most so many; of clusters those of lda "
             "beside them.",
     .fallback = "200", .lowest = 1, .highest = 100000},
    {"topics.*.seed", STUDY_KEYS_WHOLE, .help = "Where its random numbers begin.",
     .required = true, .highest = 9e15},
    {"phrases", STUDY_KEYS_NAMES,
     .help = "Verb phrases to find in English titles: what people want to do, and to "
             "what."},
    {"phrases.*", STUDY_KEYS_SECTION,
     .help =
         "The phrases of one set. `assay run` finds them and proposes which to unify; "
         "`assay phrases` is where people decide. An object is its last noun (of a csv "
         "file the file), in the singular unless it is a tag of an item or frequent and "
         "never there in the singular."},
    {"phrases.*.of", STUDY_KEYS_REF, .help = "The set whose titles are read.",
     .detail = SOURCES, .required = true},
    {"phrases.*.from", STUDY_KEYS_CHOICE,
     .help = "Where they are looked for: in the title (of a commit, its subject), or in "
             "the first sentence of the text.",
     .detail = "title|sentence", .fallback = "title"},
    {"phrases.*.decisions", STUDY_KEYS_PATH,
     .help =
         "A csv of what people decided on merging verbs and objects, with the columns "
         "when, who, level (action or object), from, with, item, into, verdict "
         "(accept, refuse or undo) and why; see assay-phrases(1). Rows are only ever "
         "added."},
    {"phrases.*.unifiers", STUDY_KEYS_TEXT | STUDY_KEYS_ONLY_LIST,
     .help =
         "Who decides on the pages of assay-phrases(1). Each gets proposals that rest "
         "on their own decisions alone, and does not see those of the others. Decisions "
         "of anybody else but the arbiter do not count, and are told."},
    {"phrases.*.arbiter", STUDY_KEYS_TEXT,
     .help = "Whose decision counts where people decided otherwise; without it neither "
             "does."},
    {"phrases.*.actions", STUDY_KEYS_REF,
     .help = "Labels with the actions that people wrote for some items or all: these "
             "count, and proposals for the others learn from them. They are in "
             "out/phrases/NAME/suggested.action.csv; left-out.action.csv there has, for "
             "each item with a label, what all other items propose for it, and at which "
             "place among these what was written stands (`beside`: where the item's "
             "object is known too): where the two differ, one thing may have two names.",
     .detail = "labels|labelling"},
    {"phrases.*.objects", STUDY_KEYS_REF,
     .help = "The same of objects. Where an item has one of the two, it helps to propose "
             "the other.",
     .detail = "labels|labelling"},
    {"phrases.*.seed", STUDY_KEYS_WHOLE,
     .help = "Where random numbers begin when word vectors are made.", .fallback = "0",
     .highest = 9e15},
    {"extracts", STUDY_KEYS_NAMES,
     .help = "What developers name, lack, mix up and set, found in texts and code."},
    {"extracts.*", STUDY_KEYS_SECTION, .help = "Names of one kind."},
    {"extracts.*.of", STUDY_KEYS_REF, .help = "The set whose items are read.",
     .detail = SOURCES, .required = true},
    {"extracts.*.what", STUDY_KEYS_CHOICE,
     .help =
         "What to find.\n"
         "apis: functions, layers and operators that code calls, by their whole names "
         "as far as its imports tell. Stack traces are no code of the asker's.\n"
         "    calls: {of: errors, what: apis}\n"
         "errors: kinds of error with their messages; a number is N, a path PATH. Code "
         "that raises or catches errors is none; what has no type is `error`.\n"
         "    messages: {of: errors, what: errors}\n"
         "versions: of frameworks, languages and drivers that assay knows, and of what "
         "the items have tags for, or import: geopandas 2.0.1, gdal v3.4, gdal==3.4, and "
         "gdal 3.4 where the item itself has the tag or the import.\n"
         "    versions: {of: errors, what: versions}\n"
         "misfits: two versions in a sentence, of the question or of its accepted "
         "answer, that says they do not fit. Where it names the only version that does, "
         "the pair is with any `other than` that.\n"
         "    misfits: {of: errors, what: misfits}\n"
         "settings: hyperparameters with the values that code gives them, in one "
         "spelling: 1e-3 is 0.001, adam is Adam.\n"
         "    settings: {of: errors, what: settings}\n"
         "hardware: processors, graphics cards, boards.\n"
         "    machines: {of: errors, what: hardware}\n"
         "systems: operating systems.\n"
         "    systems: {of: errors, what: systems}\n"
         "demand: what is said to be missing, not supported, not implemented, or to "
         "want an equivalent; `(not named)` where a text does not say what.\n"
         "    demand: {of: errors, what: demand}\n"
         "confused: calls of the question that the accepted answer replaces: its value "
         "goes to the same name, or its arguments are the same.\n"
         "    confused: {of: errors, what: confused}\n"
         "changes: settings to which the accepted answer gives another value.\n"
         "    changes: {of: errors, what: changes}\n"
         "rules: two calls in their order, among five, that accepted answers have at "
         "least twice as often as questions.\n"
         "    rules: {of: errors, what: rules}",
     .detail = "apis|errors|versions|misfits|settings|hardware|systems|demand|confused|"
               "changes|rules",
     .required = true},
    {"extracts.*.top", STUDY_KEYS_WHOLE,
     .help =
         "Names to show: those that most people have (deleted users do not count), of "
         "equals those in most items.",
     .fallback = "50", .lowest = 1, .highest = 2000},
    {"extracts.*.at-least", STUDY_KEYS_WHOLE, .help = "Items that a name must be in.",
     .fallback = "2", .lowest = 1, .highest = 1000000},
    {.path = "regressions",
     .forms = STUDY_KEYS_NAMES,
     .help =
         "What an outcome depends on, all else being equal. Tables show what came out "
         "(`show: terms`, `show: fit`), a forest draws the ratios; "
         "out/regressions/NAME/cases.csv has the rows for other programs. "
         "assay-measure(7) has the formulas."},
    {.path = "regressions.*", .forms = STUDY_KEYS_SECTION, .help = "One regression."},
    {.path = "regressions.*.of",
     .forms = STUDY_KEYS_REF,
     .detail = SOURCES,
     .required = true,
     .help = "The items that it is about."},
    {.path = "regressions.*.model",
     .forms = STUDY_KEYS_CHOICE,
     .detail = "logistic|negative-binomial|cox",
     .required = true,
     .help = "Its kind, and what `on` is:\n"
             "logistic: a share, of items that meet a condition; odds ratios.\n"
             "    accepted: {of: a, model: logistic, on: share accepted, with: [score]}\n"
             "negative-binomial: a count of each item, such as views or answers; rate "
             "ratios.\n"
             "    seen: {of: a, model: negative-binomial, on: views, with: [framework]}\n"
             "cox: a time, items that still wait being censored; hazard ratios.\n"
             "    waiting: {of: a, model: cox, on: days to accepted, with: [log views]}"},
    {.path = "regressions.*.on",
     .forms = STUDY_KEYS_MEASURE,
     .required = true,
     .help = "The outcome."},
    {.path = "regressions.*.with",
     .forms = STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .required = true,
     .help = "What it may depend on: groups (each value against the first, or each on "
             "its own "
             "where items can be in several), sets (in it or not), quantities such as "
             "`score`, "
             "and `log views`, the logarithm of 1 and the views; items of -1 and less "
             "have none and are left out."},
    {.path = "regressions.*.against",
     .forms = STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "Of groups: the values that the others are compared with, instead of the "
             "first of each; one of each group."},
    {.path = "regressions.*.errors",
     .forms = STUDY_KEYS_TEXT,
     .help =
         "Standard errors: `plain`, `robust` (right also where the model's variance is "
         "not), or clustered by `asker`, `source` or a group of this study.",
     .fallback = "plain"},
    {.path = "regressions.*.random",
     .forms = STUDY_KEYS_TEXT,
     .help = "An intercept that differs by `asker`, `source` or a group, at random: "
             "normally distributed, its deviation found and tested. Of `cox` a frailty, "
             "which multiplies hazards: gamma distributed with mean 1."},
    {.path = "regressions.*.level",
     .forms = STUDY_KEYS_NUMBER,
     .help = "Intervals hold the truth in all cases but this share.",
     .fallback = "5%",
     .lowest = 0.0001,
     .highest = 0.5},
    {"tables", STUDY_KEYS_NAMES, .help = "Tables to make."},
    {"tables.*", STUDY_KEYS_SECTION, .help = "One table."},
    {"tables.*.title", STUDY_KEYS_TEXT, .help = "Its caption."},
    {"tables.*.from", STUDY_KEYS_PATH,
     .help = "A csv that holds the table, such as one that was published; nothing is "
             "computed. A column of percentages (`12.5%`) is one of shares."},
    {"tables.*.printed", STUDY_KEYS_YES_NO,
     .help = "With `from`: the numbers are as a paper prints them. What `assay verify` "
             "makes of them alone is told apart from what it makes of items.",
     .fallback = "no"},
    {"tables.*.rows", STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "With `from`: the columns that name the rows; without it the first."},
    {"tables.*.correlate", STUDY_KEYS_REF,
     .help = "Instead of items: Pearson's correlation of each two columns of that table, "
             "over its rows.",
     .detail = "tables"},
    {"tables.*.labelling", STUDY_KEYS_REF,
     .help = "Instead of items: what a labelling task gave; see `show`.",
     .detail = "labelling"},
    {"tables.*.classifier", STUDY_KEYS_REF,
     .help = "Instead of items: how a classifier fared, or the shares that it estimates.",
     .detail = "classifiers"},
    {"tables.*.topics", STUDY_KEYS_REF, .help = "Instead of items: topics.",
     .detail = "topics"},
    {"tables.*.extract", STUDY_KEYS_REF,
     .help = "Instead of items: what an extract found.", .detail = "extracts"},
    {"tables.*.tagset", STUDY_KEYS_REF,
     .help = "Instead of items: candidates for a tag set.", .detail = "tagsets"},
    {"tables.*.phrases", STUDY_KEYS_REF,
     .help = "Instead of items: verb phrases and how they were unified.",
     .detail = "phrases"},
    {"tables.*.regression", STUDY_KEYS_REF,
     .help = "Instead of items: what a regression found.", .detail = "regressions"},
    {"tables.*.vectors", STUDY_KEYS_REF,
     .help = "Instead of items: how many of them have vectors.", .detail = "vectors"},
    {"tables.*.show", STUDY_KEYS_CHOICE,
     .help = "Of a `labelling`:\n"
             "agreement: of each dimension.\n"
             "    agreed: {labelling: kinds, show: agreement}\n"
             "checkpoints: how agreement went from checkpoint to checkpoint.\n"
             "    course: {labelling: kinds, show: checkpoints}\n"
             "codes: agreement on each code.\n"
             "    by-code: {labelling: kinds, show: codes}\n"
             "levels: agreement at each level of the codebook's tree.\n"
             "    by-level: {labelling: kinds, show: levels}\n"
             "raters: between each two raters.\n"
             "    pairs: {labelling: kinds, show: raters}\n"
             "confusion: what one said where another said something else; also of a "
             "classifier. Of raters a pair who agree on an item count once, in the "
             "diagonal, and a pair who differ in both of their codes' rows.\n"
             "    mixed-up: {labelling: kinds, show: confusion}\n"
             "saturation: how many codes were used after so many items.\n"
             "    new-codes: {labelling: kinds, show: saturation}\n"
             "states: how final labels came about: agreed, decided, missing.\n"
             "    final: {labelling: kinds, show: states}\n"
             "units: how far raters mark the same units, where `units: yes`.\n"
             "    marked: {labelling: kinds, show: units}\n"
             "spans: how far raters mark the same words, where `spans: yes`.\n"
             "    evidence: {labelling: kinds, show: spans}\n"
             "models: what was recorded of each rater that is a model.\n"
             "    records: {labelling: rated, show: models}\n"
             "model-agreement: between people, people and models, and models.\n"
             "    beside: {labelling: rated, show: model-agreement}\n"
             "self-agreement: between the runs of a model.\n"
             "    again: {labelling: rated, show: self-agreement}\n"
             "alternative: whether a model may take a rater's place.\n"
             "    replaced: {labelling: rated, show: alternative}\n"
             "alternative-raters: the same, rater by rater.\n"
             "    each: {labelling: rated, show: alternative-raters}\n"
             "Of a `classifier`:\n"
             "scores: of each class on items that it has not seen.\n"
             "    scores: {classifier: kinds, show: scores}\n"
             "overall: the same of all classes together.\n"
             "    overall: {classifier: kinds, show: overall}\n"
             "learning: how they grow with the number of labels.\n"
             "    curve: {classifier: kinds, show: learning}\n"
             "calibration: how often it is right where it is so sure.\n"
             "    sure: {classifier: kinds, show: calibration}\n"
             "shares: of classes in `of`, corrected for its errors, parted by `by`.\n"
             "    estimated: {classifier: kinds, show: shares, by: year}\n"
             "Of `topics`:\n"
             "topics: with their coherence and stability.\n"
             "    themes: {topics: themes, show: topics}\n"
             "words: of each topic.\n"
             "    words: {topics: themes, show: words}\n"
             "sweep: numbers of topics compared.\n"
             "    numbers: {topics: themes, show: sweep}\n"
             "methods: coherence and stability; of clusters beside those of lda.\n"
             "    fare: {topics: themes, show: methods}\n"
             "Of `phrases`:\n"
             "actions: with the verbs that were merged into each.\n"
             "    actions: {phrases: how-to, show: actions}\n"
             "objects: the same of objects.\n"
             "    objects: {phrases: how-to, show: objects}\n"
             "proposals: which might be merged, and why.\n"
             "    to-decide: {phrases: how-to, show: proposals}\n"
             "decisions: which count, and which not.\n"
             "    decided: {phrases: how-to, show: decisions}\n"
             "unifiers: how far each two people agree, whatever names they chose.\n"
             "    unifying: {phrases: how-to, show: unifiers}\n"
             "Of an `extract`:\n"
             "found: its names, by the number of people.\n"
             "    lacking: {extract: demand, show: found}\n"
             "Of a `tagset`:\n"
             "candidates: tags that may belong to it, and what each adds.\n"
             "    tags: {tagset: dl, show: candidates}\n"
             "thresholds: what limits of relevance and significance would take.\n"
             "    limits: {tagset: dl, show: thresholds}\n"
             "verdicts: which were accepted, and why.\n"
             "    chosen: {tagset: dl, show: verdicts}\n"
             "Of a `regression`:\n"
             "terms: the ratio of each with its interval, for a forest as well.\n"
             "    odds: {regression: accepted, show: terms}\n"
             "fit: how many items, how well the model fits.\n"
             "    checks: {regression: accepted, show: fit}\n"
             "Of `vectors`:\n"
             "coverage: how many items have one.\n"
             "    embedded: {vectors: minilm, show: coverage}",
     .detail = "agreement|checkpoints|codes|levels|raters|saturation|confusion|states|"
               "units|spans|models|model-agreement|self-agreement|alternative|"
               "alternative-raters|scores|overall|learning|calibration|shares|topics|"
               "words|sweep|methods|"
               "actions|objects|proposals|decisions|unifiers|found|candidates|thresholds|"
               "verdicts|terms|fit|coverage"},
    {"tables.*.dimension", STUDY_KEYS_TEXT,
     .help = "With `labelling`: of a codebook with several dimensions the one to show."},
    {"tables.*.truth", STUDY_KEYS_REF,
     .help = "With `shares` of a classifier: labels of all items, whose shares stand "
             "beside the estimated ones. Only simulated corpora have them.",
     .detail = "labels"},
    {"tables.*.of", STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .help = "The set or sample it is about; each of several is a row, or a block of "
             "rows when there is `by`. Without it: all items of the corpus.",
     .detail = SOURCES},
    {"tables.*.by", STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .help = "The groups that are its rows; of several, each further one parts the rows "
             "of the one before.",
     .detail = "groups"},
    {"tables.*.across", STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .help = "Groups beside each other: every column is given for each, and of several "
             "groups for each combination.",
     .detail = "groups"},
    {"tables.*.where", STUDY_KEYS_TEXT | STUDY_KEYS_MAP,
     .help = "Only items of these groups, as `framework: PyTorch`."},
    {"tables.*.columns", STUDY_KEYS_MEASURE | STUDY_KEYS_LIST | STUDY_KEYS_SECTION,
     .help = "What is measured; see assay-measure(7).", .fallback = "count"},
    {"tables.*.columns.-.measure", STUDY_KEYS_MEASURE, .help = "What is measured.",
     .required = true},
    {"tables.*.columns.-.name", STUDY_KEYS_TEXT, .help = "The column's heading."},
    {"tables.*.columns.-.round-first", STUDY_KEYS_WHOLE,
     .help = "Digits to which each item's value is rounded before anything is computed, "
             "as some studies did.",
     .highest = 9},
    {"tables.*.columns.-.minimum-age", STUDY_KEYS_NUMBER,
     .help = "Days that a question must be old at the end of the corpus to be counted.",
     .highest = 36500},
    {"tables.*.columns.-.digits", STUDY_KEYS_WHOLE,
     .help = "Digits to show behind the point.", .highest = 9},
    {"tables.*.round-first", STUDY_KEYS_WHOLE, .help = "The same for all its columns.",
     .highest = 9},
    {"tables.*.minimum-age", STUDY_KEYS_NUMBER, .help = "The same for all its columns.",
     .highest = 36500},
    {"tables.*.totals", STUDY_KEYS_CHOICE,
     .help = "`rows` adds a column for all groups of `across`, `columns` a last row for "
             "all rows.",
     .detail = "none|rows|columns|both", .fallback = "none"},
    {"tables.*.unit", STUDY_KEYS_CHOICE,
     .help = "What a total counts where rows overlap: each item once, or once for each "
             "row that it stands in.",
     .detail = "items|rows", .fallback = "items"},
    {"tables.*.count", STUDY_KEYS_CHOICE,
     .help = "What is counted: items, or the units that raters marked in them, as far as "
             "the labels of its groups tell units (`units` of a labelling, `unit` of "
             "labels). An item without units is then not counted.",
     .detail = "items|units", .fallback = "items"},
    {"tables.*.sort", STUDY_KEYS_TEXT,
     .help = "The column to sort rows by, or `name`; without it they stay in the groups' "
             "order."},
    {"tables.*.descending", STUDY_KEYS_YES_NO, .help = "Largest first.",
     .fallback = "yes"},
    {"tables.*.top", STUDY_KEYS_WHOLE, .help = "Only so many rows of each block.",
     .lowest = 1, .highest = 100000},
    {"tables.*.small", STUDY_KEYS_WHOLE,
     .help = "Cells that rest on fewer items are marked.", .fallback = "5",
     .highest = 1000000},
    {"tables.*.confidence", STUDY_KEYS_NUMBER, .help = "Of its intervals.",
     .fallback = "95%", .lowest = 0.5, .highest = 0.9999},
    {"tables.*.rank-correlation", STUDY_KEYS_TEXT | STUDY_KEYS_ONLY_LIST,
     .help = "Two columns whose order over the rows is compared (Spearman, Kendall): is "
             "what is popular also hard?"},
    {"handbook", STUDY_KEYS_SECTION,
     .help =
         "A site in out/handbook/ and a book, out/handbook/book.md, with a page for "
         "each category: what it is, how common, how hard, whether it grows, how "
         "people put it, the best solved questions with their answers, what accepted "
         "answers call, what they changed in the code of who asked, and popular "
         "questions that are open. assay-handbook(1) makes and prints it.\n"
         "    handbook: {of: errors, by: kind}\n"
         "A question is solved by its accepted answer; where there is none, or its post "
         "is missing, by the first answer that who asked gave thanks for in a comment "
         "(assay-query(7) has the rule; sources must take `also: comments`); an issue is "
         "solved when it is closed. `assay ask` goes by the same. "
         "Solved questions are ranked by log2(1 + score of the question) + log2(1 + "
         "score of the answer) + log2(1 + views) / 4 + 2 for an answer of today, of "
         "which half is left every 5 years. One of whose answer a comment says that it "
         "no longer holds comes after all others and says so: by wordings such as no "
         "longer works, not supported anymore, is deprecated, outdated, was removed "
         "in, outside of questions and conditions. How often they are right has not "
         "been measured; sources must take `also: comments`."},
    {"handbook.title", STUDY_KEYS_TEXT, .help = "Its title; without it the study's."},
    {"handbook.of", STUDY_KEYS_REF, .help = "The set or sample whose items it tells of.",
     .detail = SOURCES},
    {"handbook.by", STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .help = "The groups that are its categories: by labels, predictions, topics, "
             "phrases or anything else; of several, each further one parts the "
             "categories of the one before. What a codebook says of a code stands on its "
             "page.",
     .detail = "groups"},
    {"handbook.chapters", STUDY_KEYS_NAMES,
     .help = "Instead of `of` and `by`: several parts, each with categories of its own."},
    {"handbook.chapters.*", STUDY_KEYS_SECTION, .help = "A chapter."},
    {"handbook.chapters.*.title", STUDY_KEYS_TEXT,
     .help = "Its title; without it its name."},
    {"handbook.chapters.*.of", STUDY_KEYS_REF, .help = "As `handbook.of`.",
     .detail = SOURCES, .required = true},
    {"handbook.chapters.*.by", STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .help = "As `handbook.by`.", .detail = "groups", .required = true},
    {"handbook.solved", STUDY_KEYS_WHOLE, .help = "Solved questions on a page.",
     .fallback = "5", .highest = 50},
    {"handbook.open", STUDY_KEYS_WHOLE,
     .help = "Questions without any answer on a page, and as many that have answers of "
             "which none solved it; the most viewed first, closed ones left out.",
     .fallback = "5", .highest = 50},
    {"handbook.names", STUDY_KEYS_WHOLE,
     .help = "Rows of each list on a page: phrases, calls, changes, what an extract "
             "found. A name that a single item has stands there only in categories of "
             "fewer than 20 items; a change always does.",
     .fallback = "8", .highest = 100},
    {"tests", STUDY_KEYS_NAMES, .help = "Statistical tests."},
    {"tests.*", STUDY_KEYS_SECTION, .help = "One test, or one for each row of a table."},
    {"tests.*.test", STUDY_KEYS_CHOICE,
     .help =
         "Which, each with an example:\n"
         "proportion: are two shares equal? Chi-square.\n"
         "    harder: {test: proportion, compare: [a, b], on: share without accepted}\n"
         "chi-square: are several shares equal, or rows and columns of counts "
         "independent? Pearson's.\n"
         "    any-harder: {test: chi-square, of: a, by: tag, on: share without "
         "accepted}\n"
         "fisher: the same, exact, for small counts.\n"
         "    rarely: {test: fisher, compare: [a, b], on: share without accepted}\n"
         "student: are two means equal? t test for equal variances.\n"
         "    means: {test: student, compare: [a, b], on: views}\n"
         "welch: the same for unequal variances.\n"
         "    seen: {test: welch, compare: [a, b], on: views}\n"
         "paired: is the mean of the differences of a table's pairs 0? t test.\n"
         "    pairs: {test: paired, table: sides, first: left, second: right}\n"
         "mann-whitney: has one of two groups the larger values? U, by ranks.\n"
         "    slower: {test: mann-whitney, compare: [a, b], on: minutes to accepted}\n"
         "wilcoxon: have a table's pairs differences around 0? V, by signed "
         "ranks.\n"
         "    signs: {test: wilcoxon, table: sides, first: left, second: right}\n"
         "kruskal-wallis: have several groups values of the same size? H, by "
         "ranks; of more than two then Dunn's test of each pair.\n"
         "    slow: {test: kruskal-wallis, of: a, by: tag, on: minutes to accepted}\n"
         "friedman: the same of a table's columns, ranked within its rows.\n"
         "    ranked: {test: friedman, table: sides, first: [left, middle, right]}\n"
         "log-rank: do waits differ, where some still wait? Of more than two groups then "
         "of each pair.\n"
         "    waiting: {test: log-rank, compare: [a, b], on: days to accepted}\n"
         "mann-kendall: does a table's column rise or fall from row to row? S, "
         "and Sen's slope.\n"
         "    grows: {test: mann-kendall, table: years, first: count}\n"
         "scott-knott: no test but a ranking, Scott-Knott ESD: groups are split "
         "by their means until the first and the last of a rank differ by less "
         "than 0.2 (Cohen's d); there is no level of significance "
         "(Tantithamthavorn, McIntosh, Hassan and Matsumoto, IEEE TSE 43(1), "
         "2017; as version 2 of their package).\n"
         "    ranks: {test: scott-knott, of: a, by: tag, on: views}\n"
         "pearson: do two quantities go together in a line? r, by t.\n"
         "    line: {test: pearson, of: a, on: views, with: score}\n"
         "spearman: do their ranks? S = (n^3 - n)(1 - rho)/6, as in R, with ties "
         "as without.\n"
         "    order: {test: spearman, of: a, on: views, with: score}\n"
         "kendall: do their pairs stand in the same order? tau-b; exact T, or z "
         "with ties or 50 pairs and more.\n"
         "    tau: {test: kendall, of: a, on: views, with: score}",
     .detail = "proportion|chi-square|fisher|student|welch|paired|mann-whitney|wilcoxon|"
               "kruskal-wallis|friedman|log-rank|mann-kendall|scott-knott|pearson|"
               "spearman|kendall",
     .required = true},
    {"tests.*.title", STUDY_KEYS_TEXT,
     .help = "What the report calls it; without it its name and what test it is."},
    {"tests.*.compare", STUDY_KEYS_REF | STUDY_KEYS_ONLY_LIST,
     .help = "The sets to compare.", .detail = SOURCES},
    {"tests.*.of", STUDY_KEYS_REF, .help = "The set it is about, parted by `by`.",
     .detail = SOURCES},
    {"tests.*.by", STUDY_KEYS_REF, .help = "The groups to compare.", .detail = "groups"},
    {"tests.*.on", STUDY_KEYS_MEASURE, .help = "What is compared."},
    {"tests.*.with", STUDY_KEYS_MEASURE,
     .help = "Of a correlation: the second quantity."},
    {"tests.*.table", STUDY_KEYS_REF,
     .help = "Instead of items: a table whose cells are compared.", .detail = "tables"},
    {"tests.*.each", STUDY_KEYS_CHOICE,
     .help =
         "Of a table: one test for all of it, for each of its blocks, or for each row.",
     .detail = "table|block|row", .fallback = "table"},
    {"tests.*.first", STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "Of a table: columns of one side."},
    {"tests.*.second", STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "Of a table: columns of the other side."},
    {"tests.*.yates", STUDY_KEYS_YES_NO,
     .help = "Continuity correction of a two by two table.", .fallback = "yes"},
    {"tests.*.round-first", STUDY_KEYS_WHOLE,
     .help = "Digits to which each value is rounded before the test.", .highest = 9},
    {"tests.*.correct", STUDY_KEYS_CHOICE,
     .help = "How the p values of several tests at once are corrected.",
     .detail = "none|bonferroni|holm|benjamini-hochberg", .fallback = "holm"},
    {"tests.*.family", STUDY_KEYS_TEXT,
     .help = "Tests with the same family are also corrected together: "
             "out/tests/family-NAME.md has the p values, all adjusted for each other in "
             "the way of the first of them."},
    {"tests.*.level", STUDY_KEYS_NUMBER,
     .help = "The level of significance; scott-knott has none.", .fallback = "5%",
     .lowest = 0.0001, .highest = 0.5},
    {"tests.*.stars", STUDY_KEYS_YES_NO,
     .help = "Mark p values in tables: * below .05, ** below .01, *** below .001.",
     .fallback = "no"},
    {"tests.*.seed", STUDY_KEYS_WHOLE, .help = "For intervals by resampling.",
     .highest = 9e15},
    {"figures", STUDY_KEYS_NAMES, .help = "Figures to draw."},
    {"figures.*", STUDY_KEYS_SECTION, .help = "One figure."},
    {"figures.*.draw", STUDY_KEYS_CHOICE,
     .help =
         "Its kind, what each shows and needs:\n"
         "bars: a `table`, a row a bar; several `columns` stand side by side.\n"
         "    many: {draw: bars, table: years, columns: [count]}\n"
         "stacked: the same on top of each other; columns that are parts of a whole.\n"
         "    parts: {draw: stacked, table: trend}\n"
         "shares: the same, each row as 100%.\n"
         "    mix: {draw: shares, table: trend}\n"
         "lines: a `table` by year, quarter or month, a line a column.\n"
         "    course: {draw: lines, table: trend}\n"
         "box: the values of items, `on` a quantity, in several sets (`of`) or groups "
         "(`by`).\n"
         "    seen: {draw: box, of: [a, b], on: views, log: yes}\n"
         "histogram: the same of one set.\n"
         "    spread: {draw: histogram, of: a, on: views, log: yes}\n"
         "ecdf: the same as curves: how many have at most so much.\n"
         "    curves: {draw: ecdf, of: [a, b], on: views, log: yes}\n"
         "survival: `on` a time; how many still wait after it.\n"
         "    waiting: {draw: survival, of: [a, b], on: days to accepted}\n"
         "heat: a `table`, a cell darker the larger its value.\n"
         "    cells: {draw: heat, table: trend}\n"
         "funnel: a `set`, and what each condition of its query leaves.\n"
         "    selection: {draw: funnel, set: a}\n"
         "tree: a `table` by several groups, such as levels of labels: `level: 1`, "
         "`level: 2`.\n"
         "    kinds: {draw: tree, table: nested, columns: [count]}\n"
         "alluvial: a `table` of counts with `across`: what goes from rows to columns.\n"
         "    flow: {draw: alluvial, table: trend}\n"
         "scatter: a `table`, a point a row, at its two `columns`; of `show: "
         "calibration` mean-probability and share-right, beside the line on which "
         "probabilities are right.\n"
         "    both: {draw: scatter, table: years, columns: [count, median views]}\n"
         "forest: a `table` whose column has intervals: shares, agreement, estimates; "
         "without `columns` those that have some.\n"
         "    sure: {draw: forest, table: years, columns: [share without accepted]}",
     .detail = "bars|stacked|shares|lines|box|histogram|ecdf|survival|heat|funnel|tree|"
               "alluvial|scatter|forest",
     .required = true},
    {"figures.*.title", STUDY_KEYS_TEXT, .help = "Its caption."},
    {"figures.*.table", STUDY_KEYS_REF, .help = "The table it shows.",
     .detail = "tables"},
    {"figures.*.columns", STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "Columns of the table to show."},
    {"figures.*.set", STUDY_KEYS_REF, .help = "Of a funnel: the set.", .detail = "sets"},
    {"figures.*.of", STUDY_KEYS_REF | STUDY_KEYS_LIST, .help = "The sets it shows.",
     .detail = SOURCES},
    {"figures.*.by", STUDY_KEYS_REF, .help = "The groups it shows.", .detail = "groups"},
    {"figures.*.on", STUDY_KEYS_MEASURE, .help = "The quantity it shows."},
    {"figures.*.width", STUDY_KEYS_CHOICE, .help = "Columns of a page.",
     .detail = "one|two", .fallback = "one"},
    {"figures.*.height", STUDY_KEYS_NUMBER,
     .help = "Its height in centimetres; without it a suitable one. Names that need more "
             "room get it.",
     .lowest = 2, .highest = 24},
    {"figures.*.log", STUDY_KEYS_YES_NO,
     .help =
         "Logarithmic scale. Without it survival has one where every curve does three "
         "quarters of its fall in the first twentieth of the axis, unless `limits` "
         "are given, and a forest of odds, rate or hazard ratios has one.",
     .fallback = "no"},
    {.path = "figures.*.labels",
     .forms = STUDY_KEYS_TEXT | STUDY_KEYS_MAP,
     .help =
         "What to write instead of the names of rows, columns, sets and groups, as "
         "`{tf: TensorFlow, share-without-accepted: unresolved}`; a name is as the table "
         "shows it or as it stands in addresses. Where nothing is called so, `x` and `y` "
         "are the titles of the axes: x of categories, y of values, also where bars "
         "lie."},
    {.path = "figures.*.limits",
     .forms = STUDY_KEYS_NUMBER | STUDY_KEYS_ONLY_LIST,
     .help =
         "From where to where the axis of values goes, as `[0, 100%]`; of histogram, "
         "ecdf and survival that of the quantity `on`, of heat the palest and the "
         "darkest "
         "colour. What lies beyond is counted below the figure. Bars always take in 0; "
         "shares, funnel, tree and alluvial have no such axis.",
     .lowest = -1e15,
     .highest = 1e15},
    {.path = "figures.*.bins",
     .forms = STUDY_KEYS_WHOLE,
     .help = "Of a histogram: how many bars at most. Their borders are round numbers, so "
             "that there may be fewer. Without it as many as Freedman and Diaconis "
             "advise.",
     .lowest = 2,
     .highest = 200},
    {.path = "figures.*.order",
     .forms = STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help =
         "In which order rows, or the sets and groups of box, ecdf and survival, stand: "
         "`largest` or `smallest` first (by the first column; boxes by their medians), "
         "by `name`, or a list of names that come first, as `[TensorFlow, Keras]`; a "
         "list may name columns, too. Without it as the table or `of` has them. A "
         "group called others stays last under the words. Rows of `lines` have their "
         "place on the axis."},
    {.path = "figures.*.palette",
     .forms = STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help =
         "Colours of columns, or of sets and groups, in their order: blue, orange, "
         "green, vermillion, sky, purple, yellow, grey, or any as `\"#0072B2\"`. One is "
         "a scheme of its own: `greys`, from dark to pale. After the last they begin "
         "anew, hatched or dashed. Without it those eight, which the colour-blind "
         "can tell apart."},
    {"figures.*.patterns", STUDY_KEYS_YES_NO,
     .help = "Patterns besides colours, for print.", .fallback = "no"},
    {.path = "questions",
     .forms = STUDY_KEYS_NAMES,
     .help = "Research questions, in the order of the paper: the report and the draft on "
             "methods are arranged by them. What belongs to none comes last."},
    {.path = "questions.*", .forms = STUDY_KEYS_SECTION, .help = "One question."},
    {.path = "questions.*.asks",
     .forms = STUDY_KEYS_TEXT,
     .required = true,
     .help = "The question."},
    {.path = "questions.*.method",
     .forms = STUDY_KEYS_TEXT,
     .help = "How it was answered, in a sentence; without it a sentence names what "
             "answers it."},
    {.path = "questions.*.answer",
     .forms = STUDY_KEYS_TEXT,
     .help =
         "The answer in your words. {tables.kinds.crash.share} stands for that number "
         "as the report shows it, {tables.kinds.crash.share = 34.5%} also says what "
         "it was when you wrote the sentence: where the data now give another, the "
         "report and `assay run` flag it. In the braces may be any expression of "
         "`expect`. Where there is no such number the run says so and ends with "
         "status 1."},
    {.path = "questions.*.findings",
     .forms = STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "What was found, each in a box; with numbers as in `answer`."},
    {.path = "questions.*.threats",
     .forms = STUDY_KEYS_TEXT | STUDY_KEYS_LIST,
     .help = "What may be wrong with the answer."},
    {.path = "questions.*.tables",
     .forms = STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .detail = "tables",
     .help = "The tables that answer it."},
    {.path = "questions.*.figures",
     .forms = STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .detail = "figures",
     .help = "The figures that show it."},
    {.path = "questions.*.tests",
     .forms = STUDY_KEYS_REF | STUDY_KEYS_LIST,
     .detail = "tests",
     .help = "The tests that bear on it."},
    {"expect", STUDY_KEYS_NAMES,
     .help = "Published numbers, or planted ones of a simulated corpus: an expression "
             "over the study's results, and what it should be. `assay verify` compares.",
     .detail = "any"},
    {"expect.*", STUDY_KEYS_TEXT | STUDY_KEYS_SECTION, .help = "The published value."},
    {"expect.*.value", STUDY_KEYS_TEXT, .help = "The value as it was printed.",
     .required = true},
    {"expect.*.source", STUDY_KEYS_TEXT, .help = "Where it stands in the paper."},
    {"expect.*.tolerance", STUDY_KEYS_NUMBER,
     .help = "How far off may be; without it half a unit of the last printed digit.",
     .highest = 1e15},
    {"expect.*.known", STUDY_KEYS_TEXT,
     .help = "Why the published value is wrong, where that is known."},
    {"expect.*.reproduces", STUDY_KEYS_TEXT,
     .help = "With `known`: an expression that gives the published value. Only that "
             "shows the reason; without it the difference is told as unproven."},
    {"expect.*.printed", STUDY_KEYS_YES_NO,
     .help = "no: the paper does not print it; it is a number of our own.",
     .fallback = "yes"},
    {"expect.*.right", STUDY_KEYS_TEXT, .help = "With `known`: the right value."},
    {"expect.*.needs", STUDY_KEYS_CHOICE | STUDY_KEYS_LIST,
     .help = "What would have to be there to compute it: the dump that `dump` tells of, "
             "or what the authors' raters said.",
     .detail = "dump|labels"},
};

const size_t study_keys_count = ROWS_OF(study_keys_table);
