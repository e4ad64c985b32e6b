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
    {"study", STUDY_KEYS_TEXT, NULL, NULL, "A short name for the study.", true, 0, 0},
    {"title", STUDY_KEYS_TEXT, NULL, NULL, "What the study is about, in a line.", false,
     0, 0},
    {"authors", STUDY_KEYS_TEXT | STUDY_KEYS_LIST, NULL, NULL,
     "Who has made the study, as `Ada Lovelace` or `Ada Lovelace 0000-0002-1825-0097` "
     "with an ORCID, for CITATION.cff and .zenodo.json of a package. Without it both "
     "say anonymous, as a blind review wants it.",
     false, 0, 0},
    {"license", STUDY_KEYS_TEXT, NULL, NULL,
     "Under which terms the authors give their package away, as SPDX calls them: "
     "CC-BY-4.0.",
     false, 0, 0},
    {"simulated", STUDY_KEYS_YES_NO, NULL, "no",
     "Whether the posts are simulated, as by assay-synth(1). Reports then say so, and "
     "call expected numbers planted instead of published.",
     false, 0, 0},
    {"source", STUDY_KEYS_SECTION, NULL, NULL, "Where the posts come from.", false, 0, 0},
    SOURCE_KINDS(OF_KIND){
        "source.columns", STUDY_KEYS_TEXT | STUDY_KEYS_MAP, NULL, NULL,
        "Of a csv or json: which column holds which field of a post, as `views: "
        "ViewCount`. Fields are id, type, parent, accepted, accepted-at, owner, created, "
        "closed, score, views, answers, comments, favorites, tags, title, body, license; "
        "the usual names are recognised without being given.",
        false, 0, 0},
    {"source.fields", STUDY_KEYS_TEXT | STUDY_KEYS_MAP, NULL, NULL,
     "Further columns to keep with each item, as `phase: level1_code`. Each is a field "
     "under that name, which no field of every item may bear: queries ask for it "
     "(`phase:design`, `stars:100..`), measures compute with it (`median stars`), groups "
     "and labels may be made of it.",
     false, 0, 0},
    {"source.until", STUDY_KEYS_DATE, NULL, NULL,
     "The last day (or, with a time of day, the moment) of the corpus; later posts are "
     "left out and counted. Waiting times are censored then. Scores, views and whether "
     "an answer is accepted are as the dump has them.",
     false, 0, 0},
    {"source.site", STUDY_KEYS_TEXT, NULL, "stackoverflow.com",
     "The site the posts come from. Links to them are https://SITE/q/ID, and posts of "
     "one site with the same number are one post. Without it the name of the dump tells, "
     "if it is that of a site. Of GitHub it is github.com unless another is given; of a "
     "forum none is.",
     false, 0, 0},
    {"source.also", STUDY_KEYS_CHOICE | STUDY_KEYS_LIST,
     "comments|users|links|votes|history|badges", NULL,
     "What to take from the dump besides questions and answers.", false, 0, 0},
    {"sources", STUDY_KEYS_NAMES, "source", NULL,
     "Several sources, each with a name and the keys of `source`. A post of one site "
     "that stands in two of them is one post, with the score, views and text of the "
     "first that is listed; in the census it counts for each. Items of different sites "
     "are called by the name of their source, as `ai:12345`. Groups (`source`) and "
     "queries (`source:NAME`) can tell them apart.",
     false, 0, 0},
    {"synonyms", STUDY_KEYS_PATH, NULL, NULL,
     "A table of tags that mean the same: a csv with the columns synonym and tag, or as "
     "the Data Explorer (TagSynonyms) or the api give it. An exact tag in a query or a "
     "list of groups then stands for all of its class, see assay-query(7).",
     false, 0, 0},
    {"take", STUDY_KEYS_QUERY, NULL, NULL,
     "The questions to take into the corpus. Without it those are taken that some set "
     "can need; with it sets can be changed without reading the dump again.",
     false, 0, 0},
    {"sets", STUDY_KEYS_NAMES, NULL, NULL,
     "Sets of questions, as `name: query` in the language of assay-query(7). A query may "
     "name other sets with in:NAME. Conditions joined by `and` are counted one by one in "
     "the set's funnel.",
     false, 0, 0},
    {"sets.*", STUDY_KEYS_QUERY, NULL, NULL, "The query.", false, 0, 0},
    {"groups", STUDY_KEYS_NAMES, NULL, NULL, "Ways to part a set into groups.", false, 0,
     0},
    {"groups.*", STUDY_KEYS_GROUPING | STUDY_KEYS_SECTION, NULL, NULL,
     "Either `created by year`, `created by quarter`, `created by month` or `source`, or "
     "exactly one of first-of, all-of, sets, field, labels, predicted, topics.",
     false, 0, 0},
    {"groups.*.first-of", STUDY_KEYS_QUERY | STUDY_KEYS_MAP | STUDY_KEYS_LIST, NULL, NULL,
     "Queries by the name of their group, in order of precedence: an item belongs to the "
     "first that takes it. A list of tags is short for one exact tag each.",
     false, 0, 0},
    {"groups.*.all-of", STUDY_KEYS_QUERY | STUDY_KEYS_MAP | STUDY_KEYS_LIST, NULL, NULL,
     "The same, but an item belongs to every group that takes it.", false, 0, 0},
    {"groups.*.sets", STUDY_KEYS_REF | STUDY_KEYS_ONLY_LIST, SOURCES, NULL,
     "Each of these sets is a group.", false, 0, 0},
    {"groups.*.field", STUDY_KEYS_TEXT, NULL, NULL,
     "The values of a field (see source.fields).", false, 0, 0},
    {"groups.*.labels", STUDY_KEYS_REF, "labels|labelling", NULL,
     "The codes that raters gave: labels made elsewhere, or the final labels of a "
     "labelling task of this study.",
     false, 0, 0},
    {"groups.*.dimension", STUDY_KEYS_TEXT, NULL, NULL,
     "Of a labelling task whose codebook has several dimensions: which of them.", false,
     0, 0},
    {"groups.*.predicted", STUDY_KEYS_REF, "classifiers", NULL,
     "What a classifier says of each item. Counts of these inherit its errors; a table "
     "that shows `shares` of the classifier corrects them.",
     false, 0, 0},
    {"groups.*.topics", STUDY_KEYS_REF, "topics", NULL,
     "The topic that has the largest share in each item's text.", false, 0, 0},
    {"groups.*.level", STUDY_KEYS_WHOLE, NULL, NULL,
     "Of labels: the level of the codebook's tree, 1 being its top. Without it codes "
     "stay as they were given.",
     false, 1, 32},
    {"groups.*.names", STUDY_KEYS_TEXT | STUDY_KEYS_MAP, NULL, NULL,
     "Of field: names to show for its values, as `d: Data processing`; values with the "
     "same name are one group. The order is that of the names.",
     false, 0, 0},
    {"groups.*.others", STUDY_KEYS_TEXT, NULL, NULL,
     "A last group, with this name, for items that belong to none. Without it they are "
     "left out, and counted in a note.",
     false, 0, 0},
    {"samples", STUDY_KEYS_NAMES, NULL, NULL, "Samples to draw.", false, 0, 0},
    {"samples.*", STUDY_KEYS_SECTION, NULL, NULL, "How one sample is drawn.", false, 0,
     0},
    {"samples.*.of", STUDY_KEYS_REF, SOURCES, NULL, "The set it is drawn from.", true, 0,
     0},
    {"samples.*.size", STUDY_KEYS_SIZE, NULL, NULL,
     "`95% +- 5%` for a confidence and a margin (finite population), a number, a share "
     "such as `20%`, `all`, or `top 50 by views`.",
     true, 0, 0},
    {"samples.*.seed", STUDY_KEYS_WHOLE, NULL, NULL,
     "Where the random numbers begin: the same seed gives the same sample for ever, and "
     "two samples with one seed prefer the same items.",
     true, 0, 9e15},
    {"samples.*.share", STUDY_KEYS_NUMBER, NULL, "50%",
     "The share that is to be estimated; 50% is the most careful assumption.", false,
     0.001, 0.999},
    {"samples.*.round", STUDY_KEYS_CHOICE, "up|down|nearest", "up",
     "How a size with a fraction becomes whole. `down` is what published studies often "
     "do; it misses the margin by a hair.",
     false, 0, 0},
    {"samples.*.categories", STUDY_KEYS_WHOLE, NULL, NULL,
     "Shares of so many categories are to be within the margin at the same time.", false,
     2, 1000},
    {"samples.*.method", STUDY_KEYS_CHOICE, "random|systematic", "random",
     "`random`: without replacement; `systematic`: every k-th by id, from a random "
     "start.",
     false, 0, 0},
    {"samples.*.by", STUDY_KEYS_REF, "groups", NULL,
     "Strata: a part is drawn from each group. What a classifier's shares rest on is "
     "weighed by stratum; other tables show the sample as it was drawn.",
     false, 0, 0},
    {"samples.*.allocate", STUDY_KEYS_CHOICE, "proportional|equal|each", "proportional",
     "How strata share the size; `each` applies the size to every stratum by itself.",
     false, 0, 0},
    {"samples.*.keep", STUDY_KEYS_REF, "samples", NULL,
     "An earlier sample whose items are kept; only the rest is drawn.", false, 0, 0},
    {"codebooks", STUDY_KEYS_PATH | STUDY_KEYS_MAP, NULL, NULL,
     "Codebooks by name, each a YAML file: what raters may say. See assay-codebook(5).",
     false, 0, 0},
    {"labels", STUDY_KEYS_NAMES, NULL, NULL, "Labels that were made elsewhere.", false, 0,
     0},
    {"labels.*", STUDY_KEYS_SECTION, NULL, NULL,
     "Where they come from: `from` or `field`.", false, 0, 0},
    {"labels.*.from", STUDY_KEYS_PATH, NULL, NULL, "A csv with a label in each row.",
     false, 0, 0},
    {"labels.*.field", STUDY_KEYS_TEXT | STUDY_KEYS_LIST, NULL, NULL,
     "Instead of `from`: a field of the items themselves (see source.fields). The values "
     "of several fields are one code, joined by commas, as `loss,m`.",
     false, 0, 0},
    {"labels.*.codebook", STUDY_KEYS_REF, "codebooks", NULL,
     "The codebook that knows the codes, their spellings and their tree. Without it "
     "codes are what the column says.",
     false, 0, 0},
    {"labels.*.dimension", STUDY_KEYS_TEXT, NULL, NULL,
     "Of a codebook with several dimensions: the one that is meant.", false, 0, 0},
    {"labels.*.item", STUDY_KEYS_TEXT, NULL, "item",
     "The column that names the item: an id, or a link that ends in one.", false, 0, 0},
    {"labels.*.rater", STUDY_KEYS_TEXT, NULL, NULL,
     "The column that names the rater. Without it the labels are those the raters agreed "
     "on.",
     false, 0, 0},
    {"labels.*.code", STUDY_KEYS_TEXT, NULL, "code", "The column that holds the code.",
     false, 0, 0},
    {"labels.*.unit", STUDY_KEYS_TEXT, NULL, NULL,
     "The column that names the unit in the item, where one may have several, such as "
     "each bug that a commit fixes; a column `place` says where it is. `row`, if there "
     "is no "
     "such column: each row is a unit of its own.",
     false, 0, 0},
    {"labels.*.separator", STUDY_KEYS_TEXT, NULL, NULL,
     "What divides several codes in one cell, such as ;", false, 0, 0},
    {"labels.*.unknown", STUDY_KEYS_CHOICE, "refuse|skip", "refuse",
     "What to do with items that the corpus does not hold; `skip` counts them.", false, 0,
     0},
    {"labelling", STUDY_KEYS_NAMES, NULL, NULL, "What raters are to label.", false, 0, 0},
    {"labelling.*", STUDY_KEYS_SECTION, NULL, NULL, "One labelling task.", false, 0, 0},
    {"labelling.*.sample", STUDY_KEYS_REF | STUDY_KEYS_LIST, SOURCES, NULL, "The items.",
     true, 0, 0},
    {"labelling.*.codebook", STUDY_KEYS_REF, "codebooks", NULL,
     "What raters may say; without it the codebook of the same name.", false, 0, 0},
    {"labelling.*.raters", STUDY_KEYS_TEXT | STUDY_KEYS_ONLY_LIST, NULL, NULL,
     "Names of the raters.", true, 0, 0},
    {"labelling.*.arbiter", STUDY_KEYS_TEXT, NULL, NULL,
     "Who decides where raters differ.", false, 0, 0},
    {"labelling.*.lead", STUDY_KEYS_TEXT, NULL, NULL,
     "Who opens and closes rounds; without it the arbiter, else somebody called `lead`.",
     false, 0, 0},
    {"labelling.*.pilot", STUDY_KEYS_NUMBER, NULL, NULL,
     "The items that are labelled first, to settle the codebook: a share of them such as "
     "30%, or above 1 their number.",
     false, 0, 1e9},
    {"labelling.*.checkpoints", STUDY_KEYS_NUMBER | STUDY_KEYS_ONLY_LIST, NULL, NULL,
     "Shares of the work at which agreement is measured, ascending.", false, 0, 1},
    {"labelling.*.raters-per-item", STUDY_KEYS_WHOLE, NULL, NULL,
     "How many raters label an item; without it all of them.", false, 1, 100},
    {"labelling.*.overlap", STUDY_KEYS_NUMBER, NULL, "100%",
     "The share of the items that so many raters label; each of the others gets one "
     "rater.",
     false, 0, 1},
    {"labelling.*.retest", STUDY_KEYS_NUMBER, NULL, "0%",
     "The share of a rater's items that come a second time at the end of a round, to see "
     "whether raters agree with themselves.",
     false, 0, 1},
    {"labelling.*.seed", STUDY_KEYS_WHOLE, NULL, "0",
     "Where the random numbers begin that give items to raters and each rater an own "
     "order.",
     false, 0, 9e15},
    {"labelling.*.hide", STUDY_KEYS_CHOICE | STUDY_KEYS_LIST,
     "answers|comments|tags|score", NULL, "What raters do not see of a post.", false, 0,
     0},
    {"labelling.*.units", STUDY_KEYS_YES_NO, NULL, "no",
     "Whether a rater may mark several units in an item, such as each bug that a commit "
     "fixes, and labels each of them in all dimensions. Which units of several raters "
     "are the same one, and which units come out, is said in assay-labels(7).",
     false, 0, 0},
    {"classifiers", STUDY_KEYS_NAMES, NULL, NULL, "Classifiers to train.", false, 0, 0},
    {"classifiers.*", STUDY_KEYS_SECTION, NULL, NULL, "One classifier.", false, 0, 0},
    {"classifiers.*.train", STUDY_KEYS_REF, "labels|labelling", NULL,
     "The labels to learn from.", true, 0, 0},
    {"classifiers.*.dimension", STUDY_KEYS_TEXT, NULL, NULL,
     "Of a labelling task whose codebook has several dimensions: which of them.", false,
     0, 0},
    {"classifiers.*.level", STUDY_KEYS_WHOLE, NULL, NULL,
     "The level of the codebook's tree to learn, 1 being its top. Without it codes stay "
     "as they were given.",
     false, 1, 32},
    {"classifiers.*.method", STUDY_KEYS_CHOICE,
     "majority|keyword-weight|naive-bayes|complement-bayes|linear|logistic|centroid|"
     "average",
     "linear", "How it learns.", false, 0, 0},
    {"classifiers.*.features", STUDY_KEYS_CHOICE | STUDY_KEYS_ONLY_LIST,
     "title|prose|code|inline-code|tags", NULL, "The parts of a post it looks at.", false,
     0, 0},
    {"classifiers.*.letters", STUDY_KEYS_YES_NO, NULL, "yes",
     "Whether stems and runs of three to five letters count besides words: several times "
     "as slow, a little more exact.",
     false, 0, 0},
    {"classifiers.*.runs", STUDY_KEYS_WHOLE, NULL, "2",
     "Words in a row that also count together: 1 none, 2 pairs, 3 triples as well.",
     false, 1, 3},
    {"classifiers.*.weights", STUDY_KEYS_SECTION, NULL, NULL,
     "How much each part of a post counts; without them those that suit the method.",
     false, 0, 0},
    {"classifiers.*.weights.title", STUDY_KEYS_NUMBER, NULL, NULL, "The title.", false, 0,
     1e6},
    {"classifiers.*.weights.prose", STUDY_KEYS_NUMBER, NULL, NULL,
     "The body without its code.", false, 0, 1e6},
    {"classifiers.*.weights.code", STUDY_KEYS_NUMBER, NULL, NULL, "Blocks of code.",
     false, 0, 1e6},
    {"classifiers.*.weights.inline-code", STUDY_KEYS_NUMBER, NULL, NULL,
     "Code within prose.", false, 0, 1e6},
    {"classifiers.*.weights.tags", STUDY_KEYS_NUMBER, NULL, NULL, "The tags.", false, 0,
     1e6},
    {"classifiers.*.min-items", STUDY_KEYS_WHOLE, NULL, NULL,
     "Items that must have a word for it to count.", false, 1, 1e6},
    {"classifiers.*.max-share", STUDY_KEYS_NUMBER, NULL, NULL,
     "The share of items that may have it.", false, 1e-6, 1},
    {"classifiers.*.select", STUDY_KEYS_WHOLE, NULL, NULL,
     "Keep so many words and runs, those that tell codes apart best by chi-square.",
     false, 1, 1e8},
    {"classifiers.*.idf", STUDY_KEYS_CHOICE, "smooth|plain|none", NULL,
     "How much rare words count more: smooth is ln((1 + n) / (1 + df)) + 1, plain "
     "ln(n / df) + 1.",
     false, 0, 0},
    {"classifiers.*.stop-words", STUDY_KEYS_CHOICE, "keep|drop", NULL,
     "Whether words such as 'the' count; without it they do, except with keyword-weight.",
     false, 0, 0},
    {"classifiers.*.normaliser", STUDY_KEYS_CHOICE, "sum|l2", "sum",
     "Of keyword-weight: what the counts of a code's words are divided by.", false, 0, 0},
    {"classifiers.*.top", STUDY_KEYS_WHOLE, NULL, NULL,
     "Of keyword-weight: only so many of a code's most frequent words count.", false, 1,
     1e6},
    {"classifiers.*.outside", STUDY_KEYS_CHOICE, "alpha|nothing", "alpha",
     "Of keyword-weight: what a picked word counts that is none of the `top` words.",
     false, 0, 0},
    {"classifiers.*.title", STUDY_KEYS_CHOICE, "beside|replaced", "beside",
     "Of keyword-weight: whether a word of the title counts beside the body, or the "
     "body's count replaces it.",
     false, 0, 0},
    {"classifiers.*.vectors", STUDY_KEYS_YES_NO, NULL, "yes",
     "Of linear, logistic and average: whether word vectors, learned from all texts of "
     "the sets in `predict`, may count besides words. They do only where "
     "cross-validation inside the training part says that they help.",
     false, 0, 0},
    {"classifiers.*.test", STUDY_KEYS_NUMBER, NULL, "40%",
     "The share of the labelled items that is held out to judge it; nothing is ever "
     "tuned on them.",
     false, 0.01, 0.9},
    {"classifiers.*.folds", STUDY_KEYS_WHOLE, NULL, "5",
     "Folds of cross-validation: each labelled item is also predicted by a model that "
     "has not seen it, from which estimated shares are corrected.",
     false, 2, 1000},
    {"classifiers.*.keywords", STUDY_KEYS_PATH, NULL, NULL,
     "Of keyword-weight: a csv with the columns class and word, words picked by hand.",
     false, 0, 0},
    {"classifiers.*.seed", STUDY_KEYS_WHOLE, NULL, NULL,
     "Where its random numbers begin.", true, 0, 9e15},
    {"classifiers.*.predict", STUDY_KEYS_REF | STUDY_KEYS_LIST, SOURCES, NULL,
     "The sets to classify.", true, 0, 0},
    {"topics", STUDY_KEYS_NAMES, NULL, NULL, "Topics to find in texts.", false, 0, 0},
    {"topics.*", STUDY_KEYS_SECTION, NULL, NULL, "One topic model.", false, 0, 0},
    {"topics.*.of", STUDY_KEYS_REF, SOURCES, NULL, "The set whose texts are read.", true,
     0, 0},
    {"topics.*.topics", STUDY_KEYS_TEXT, NULL, NULL,
     "How many: `20`, or several to compare by coherence and stability, `10..40 step "
     "5`.",
     true, 0, 0},
    {"topics.*.features", STUDY_KEYS_CHOICE | STUDY_KEYS_ONLY_LIST,
     "title|prose|code|tags", NULL,
     "The parts of a post to read; without it title and prose.", false, 0, 0},
    {"topics.*.runs", STUDY_KEYS_WHOLE, NULL, "3",
     "How often it is repeated with other random numbers, to see which topics come back.",
     false, 1, 100},
    {"topics.*.iterations", STUDY_KEYS_WHOLE, NULL, "200", "Passes over the texts.",
     false, 1, 100000},
    {"topics.*.seed", STUDY_KEYS_WHOLE, NULL, NULL, "Where its random numbers begin.",
     true, 0, 9e15},
    {"tables", STUDY_KEYS_NAMES, NULL, NULL, "Tables to make.", false, 0, 0},
    {"tables.*", STUDY_KEYS_SECTION, NULL, NULL, "One table.", false, 0, 0},
    {"tables.*.title", STUDY_KEYS_TEXT, NULL, NULL, "Its caption.", false, 0, 0},
    {"tables.*.from", STUDY_KEYS_PATH, NULL, NULL,
     "A csv that holds the table, such as one that was published; nothing is computed.",
     false, 0, 0},
    {"tables.*.printed", STUDY_KEYS_YES_NO, NULL, "no",
     "With `from`: the numbers are as a paper prints them. What `assay verify` makes of "
     "them alone is told apart from what it makes of items.",
     false, 0, 0},
    {"tables.*.rows", STUDY_KEYS_TEXT | STUDY_KEYS_LIST, NULL, NULL,
     "With `from`: the columns that name the rows; without it the first.", false, 0, 0},
    {"tables.*.correlate", STUDY_KEYS_REF, "tables", NULL,
     "Instead of items: Pearson's correlation of each two columns of that table, over "
     "its rows.",
     false, 0, 0},
    {"tables.*.labelling", STUDY_KEYS_REF, "labelling", NULL,
     "Instead of items: what a labelling task gave; see `show`.", false, 0, 0},
    {"tables.*.classifier", STUDY_KEYS_REF, "classifiers", NULL,
     "Instead of items: how a classifier fared, or the shares that it estimates.", false,
     0, 0},
    {"tables.*.topics", STUDY_KEYS_REF, "topics", NULL, "Instead of items: topics.",
     false, 0, 0},
    {"tables.*.show", STUDY_KEYS_CHOICE,
     "agreement|checkpoints|codes|levels|raters|saturation|confusion|states|units|scores|"
     "overall|learning|calibration|shares|topics|words|sweep",
     NULL,
     "Of a labelling: `agreement` of each dimension, at the `checkpoints`, by `codes`, "
     "by `levels` of the tree and between `raters`, the `confusion` of codes, "
     "`saturation` (codes used after so many items), `states` of final labels, and how "
     "far raters mark the same `units`. Of a "
     "classifier: `scores` of each class on held-out items, `overall` scores, "
     "`confusion`, `learning` curve, `calibration`, and the `shares` of classes in `of`, "
     "parted by `by`, corrected for its errors. Of topics: `topics` with their coherence "
     "and stability, their `words`, the `sweep` over their number.",
     false, 0, 0},
    {"tables.*.dimension", STUDY_KEYS_TEXT, NULL, NULL,
     "With `labelling`: of a codebook with several dimensions the one to show.", false, 0,
     0},
    {"tables.*.truth", STUDY_KEYS_REF, "labels", NULL,
     "With `shares` of a classifier: labels of all items, whose shares stand beside the "
     "estimated ones. Only simulated corpora have them.",
     false, 0, 0},
    {"tables.*.of", STUDY_KEYS_REF | STUDY_KEYS_LIST, SOURCES, NULL,
     "The set or sample it is about; each of several is a row, or a block of rows when "
     "there is `by`. Without it: all items of the corpus.",
     false, 0, 0},
    {"tables.*.by", STUDY_KEYS_REF | STUDY_KEYS_LIST, "groups", NULL,
     "The groups that are its rows; of several, each further one parts the rows of the "
     "one before.",
     false, 0, 0},
    {"tables.*.across", STUDY_KEYS_REF | STUDY_KEYS_LIST, "groups", NULL,
     "Groups beside each other: every column is given for each, and of several groups "
     "for each combination.",
     false, 0, 0},
    {"tables.*.where", STUDY_KEYS_TEXT | STUDY_KEYS_MAP, NULL, NULL,
     "Only items of these groups, as `framework: PyTorch`.", false, 0, 0},
    {"tables.*.columns", STUDY_KEYS_MEASURE | STUDY_KEYS_LIST | STUDY_KEYS_SECTION, NULL,
     "count", "What is measured; see assay-measure(7).", false, 0, 0},
    {"tables.*.columns.-.measure", STUDY_KEYS_MEASURE, NULL, NULL, "What is measured.",
     true, 0, 0},
    {"tables.*.columns.-.name", STUDY_KEYS_TEXT, NULL, NULL, "The column's heading.",
     false, 0, 0},
    {"tables.*.columns.-.round-first", STUDY_KEYS_WHOLE, NULL, NULL,
     "Digits to which each item's value is rounded before anything is computed, as some "
     "studies did.",
     false, 0, 9},
    {"tables.*.columns.-.minimum-age", STUDY_KEYS_NUMBER, NULL, NULL,
     "Days that a question must be old at the end of the corpus to be counted.", false, 0,
     36500},
    {"tables.*.columns.-.digits", STUDY_KEYS_WHOLE, NULL, NULL,
     "Digits to show behind the point.", false, 0, 9},
    {"tables.*.round-first", STUDY_KEYS_WHOLE, NULL, NULL,
     "The same for all its columns.", false, 0, 9},
    {"tables.*.minimum-age", STUDY_KEYS_NUMBER, NULL, NULL,
     "The same for all its columns.", false, 0, 36500},
    {"tables.*.totals", STUDY_KEYS_CHOICE, "none|rows|columns|both", "none",
     "`rows` adds a column for all groups of `across`, `columns` a last row for all "
     "rows.",
     false, 0, 0},
    {"tables.*.unit", STUDY_KEYS_CHOICE, "items|rows", "items",
     "What a total counts where rows overlap: each item once, or once for each row that "
     "it stands in.",
     false, 0, 0},
    {"tables.*.count", STUDY_KEYS_CHOICE, "items|units", "items",
     "What is counted: items, or the units that raters marked in them, as far as the "
     "labels of its groups tell units (`units` of a labelling, `unit` of labels). An "
     "item without units is then not counted.",
     false, 0, 0},
    {"tables.*.sort", STUDY_KEYS_TEXT, NULL, NULL,
     "The column to sort rows by, or `name`; without it they stay in the groups' order.",
     false, 0, 0},
    {"tables.*.descending", STUDY_KEYS_YES_NO, NULL, "yes", "Largest first.", false, 0,
     0},
    {"tables.*.top", STUDY_KEYS_WHOLE, NULL, NULL, "Only so many rows of each block.",
     false, 1, 100000},
    {"tables.*.small", STUDY_KEYS_WHOLE, NULL, "5",
     "Cells that rest on fewer items are marked.", false, 0, 1000000},
    {"tables.*.confidence", STUDY_KEYS_NUMBER, NULL, "95%", "Of its intervals.", false,
     0.5, 0.9999},
    {"tables.*.rank-correlation", STUDY_KEYS_TEXT | STUDY_KEYS_ONLY_LIST, NULL, NULL,
     "Two columns whose order over the rows is compared (Spearman, Kendall): is what is "
     "popular also hard?",
     false, 0, 0},
    {"tests", STUDY_KEYS_NAMES, NULL, NULL, "Statistical tests.", false, 0, 0},
    {"tests.*", STUDY_KEYS_SECTION, NULL, NULL,
     "One test, or one for each row of a table.", false, 0, 0},
    {"tests.*.test", STUDY_KEYS_CHOICE,
     "proportion|chi-square|fisher|student|welch|paired|mann-whitney|wilcoxon|"
     "kruskal-wallis|friedman|log-rank|mann-kendall|scott-knott|pearson|spearman|kendall",
     NULL,
     "Which:\n"
     "proportion: are two shares equal? Chi-square.\n"
     "chi-square: are several shares equal, or rows and columns of counts "
     "independent? Pearson's.\n"
     "fisher: the same, exact, for small counts.\n"
     "student: are two means equal? t test for equal variances.\n"
     "welch: the same for unequal variances.\n"
     "paired: is the mean of the differences of a table's pairs 0? t test.\n"
     "mann-whitney: has one of two groups the larger values? U, by ranks.\n"
     "wilcoxon: have a table's pairs differences around 0? V, by signed ranks.\n"
     "kruskal-wallis: have several groups values of the same size? H, by ranks; "
     "then Dunn's test of each pair.\n"
     "friedman: the same of a table's columns, ranked within its rows.\n"
     "log-rank: do waits differ, where some still wait?\n"
     "mann-kendall: does a table's column rise or fall from row to row? S, and "
     "Sen's slope.\n"
     "scott-knott: no test but a ranking, Scott-Knott ESD: groups are split by "
     "their means until the first and the last of a rank differ by less than 0.2"
     " (Cohen's d); there is no level of significance (Tantithamthavorn, "
     "McIntosh, Hassan and Matsumoto, IEEE TSE 43(1), 2017; as version 2 of "
     "their package).\n"
     "pearson: do two quantities go together in a line? r, by t.\n"
     "spearman: do their ranks? S = (n^3 - n)(1 - rho)/6, as in R, with ties as "
     "without.\n"
     "kendall: do their pairs stand in the same order? tau-b; exact T, or z with"
     " ties or 50 pairs and more.",
     true, 0, 0},
    {"tests.*.title", STUDY_KEYS_TEXT, NULL, NULL,
     "What the report calls it; without it its name and what test it is.", false, 0, 0},
    {"tests.*.compare", STUDY_KEYS_REF | STUDY_KEYS_ONLY_LIST, SOURCES, NULL,
     "The sets to compare.", false, 0, 0},
    {"tests.*.of", STUDY_KEYS_REF, SOURCES, NULL, "The set it is about, parted by `by`.",
     false, 0, 0},
    {"tests.*.by", STUDY_KEYS_REF, "groups", NULL, "The groups to compare.", false, 0, 0},
    {"tests.*.on", STUDY_KEYS_MEASURE, NULL, NULL, "What is compared.", false, 0, 0},
    {"tests.*.with", STUDY_KEYS_MEASURE, NULL, NULL,
     "Of a correlation: the second quantity.", false, 0, 0},
    {"tests.*.table", STUDY_KEYS_REF, "tables", NULL,
     "Instead of items: a table whose cells are compared.", false, 0, 0},
    {"tests.*.each", STUDY_KEYS_CHOICE, "table|block|row", "table",
     "Of a table: one test for all of it, for each of its blocks, or for each row.",
     false, 0, 0},
    {"tests.*.first", STUDY_KEYS_TEXT | STUDY_KEYS_LIST, NULL, NULL,
     "Of a table: columns of one side.", false, 0, 0},
    {"tests.*.second", STUDY_KEYS_TEXT | STUDY_KEYS_LIST, NULL, NULL,
     "Of a table: columns of the other side.", false, 0, 0},
    {"tests.*.yates", STUDY_KEYS_YES_NO, NULL, "yes",
     "Continuity correction of a two by two table.", false, 0, 0},
    {"tests.*.round-first", STUDY_KEYS_WHOLE, NULL, NULL,
     "Digits to which each value is rounded before the test.", false, 0, 9},
    {"tests.*.correct", STUDY_KEYS_CHOICE, "none|bonferroni|holm|benjamini-hochberg",
     "holm", "How the p values of several tests at once are corrected.", false, 0, 0},
    {"tests.*.family", STUDY_KEYS_TEXT, NULL, NULL,
     "Tests with the same family are also corrected together: out/tests/family-NAME.md "
     "has the p values, all adjusted for each other in the way of the first of them.",
     false, 0, 0},
    {"tests.*.level", STUDY_KEYS_NUMBER, NULL, "5%",
     "The level of significance; scott-knott has none.", false, 0, 0.5},
    {"tests.*.stars", STUDY_KEYS_YES_NO, NULL, "no",
     "Mark p values in tables: * below .05, ** below .01, *** below .001.", false, 0, 0},
    {"tests.*.seed", STUDY_KEYS_WHOLE, NULL, NULL, "For intervals by resampling.", false,
     0, 9e15},
    {"figures", STUDY_KEYS_NAMES, NULL, NULL, "Figures to draw.", false, 0, 0},
    {"figures.*", STUDY_KEYS_SECTION, NULL, NULL, "One figure.", false, 0, 0},
    {"figures.*.draw", STUDY_KEYS_CHOICE,
     "bars|stacked|shares|lines|box|histogram|ecdf|survival|heat|funnel|tree|alluvial|"
     "scatter|forest",
     NULL, "Its kind.", true, 0, 0},
    {"figures.*.title", STUDY_KEYS_TEXT, NULL, NULL, "Its caption.", false, 0, 0},
    {"figures.*.table", STUDY_KEYS_REF, "tables", NULL, "The table it shows.", false, 0,
     0},
    {"figures.*.columns", STUDY_KEYS_TEXT | STUDY_KEYS_LIST, NULL, NULL,
     "Columns of the table to show.", false, 0, 0},
    {"figures.*.set", STUDY_KEYS_REF, "sets", NULL, "Of a funnel: the set.", false, 0, 0},
    {"figures.*.of", STUDY_KEYS_REF | STUDY_KEYS_LIST, SOURCES, NULL,
     "The sets it shows.", false, 0, 0},
    {"figures.*.by", STUDY_KEYS_REF, "groups", NULL, "The groups it shows.", false, 0, 0},
    {"figures.*.on", STUDY_KEYS_MEASURE, NULL, NULL, "The quantity it shows.", false, 0,
     0},
    {"figures.*.width", STUDY_KEYS_CHOICE, "one|two", "one", "Columns of a page.", false,
     0, 0},
    {"figures.*.log", STUDY_KEYS_YES_NO, NULL, "no", "Logarithmic scale.", false, 0, 0},
    {"figures.*.patterns", STUDY_KEYS_YES_NO, NULL, "no",
     "Patterns besides colours, for print.", false, 0, 0},
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
    {"expect", STUDY_KEYS_NAMES, "any", NULL,
     "Published numbers, or planted ones of a simulated corpus: an expression over the "
     "study's results, and what it should be. `assay verify` compares.",
     false, 0, 0},
    {"expect.*", STUDY_KEYS_TEXT | STUDY_KEYS_SECTION, NULL, NULL, "The published value.",
     false, 0, 0},
    {"expect.*.value", STUDY_KEYS_TEXT, NULL, NULL, "The value as it was printed.", true,
     0, 0},
    {"expect.*.source", STUDY_KEYS_TEXT, NULL, NULL, "Where it stands in the paper.",
     false, 0, 0},
    {"expect.*.tolerance", STUDY_KEYS_NUMBER, NULL, NULL,
     "How far off may be; without it half a unit of the last printed digit.", false, 0,
     1e15},
    {"expect.*.known", STUDY_KEYS_TEXT, NULL, NULL,
     "Why the published value is wrong, where that is known.", false, 0, 0},
    {"expect.*.reproduces", STUDY_KEYS_TEXT, NULL, NULL,
     "With `known`: an expression that gives the published value. Only that shows the "
     "reason; without it the difference is told as unproven.",
     false, 0, 0},
    {"expect.*.printed", STUDY_KEYS_YES_NO, NULL, "yes",
     "no: the paper does not print it; it is a number of our own.", false, 0, 0},
    {"expect.*.right", STUDY_KEYS_TEXT, NULL, NULL, "With `known`: the right value.",
     false, 0, 0},
    {"expect.*.needs", STUDY_KEYS_CHOICE, "dump|labels", NULL,
     "What would have to be there to compute it.", false, 0, 0},
};

const size_t study_keys_count = ROWS_OF(study_keys_table);
