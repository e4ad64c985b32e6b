/* What explains the package to its reader: how to rerun the study, what it needs, and
 * whose posts it is about. */
#include <string.h>

#include "base/date.h"
#include "package/internal.h"
#include "package/stage.h"
#include "store/corpus.h"

/* Paths. */

static bool ends_path(struct str text, size_t at)
{
    return at >= text.len || strchr("/ \n|`", text.ptr[at]) != NULL;
}

/* The longest path of a source that text has at this place, and what it becomes. */
static size_t path_at(const struct study *study, struct str text, size_t at,
                      struct str *instead)
{
    size_t longest = 0;

    for (size_t s = 0; s < study->source_count; s++) {
        const struct study_source *source = &study->sources[s];
        const struct yaml_node *paths = package_source_paths(study, s);
        for (size_t p = 0; p < 2 * source->path_count; p++) {
            struct str path =
                str_from(p % 2 == 0 ? source->paths[p / 2] : source->names[p / 2]);
            if (path.len > longest && str_starts(str_slice(text, at, text.len), path) &&
                ends_path(text, at + path.len)) {
                longest = path.len;
                *instead = package_source_path(paths, p / 2)->text;
            }
        }
    }
    return longest;
}

void package_hide_paths(const struct study *study, struct str text, struct buf *out)
{
    bool begins = true; /* a path may begin here */

    for (size_t i = 0; i < text.len;) {
        struct str instead;
        size_t len = begins ? path_at(study, text, i, &instead) : 0;
        if (len > 0)
            buf_add(out, instead);
        else
            buf_add_char(out, text.ptr[i]);
        i += len > 0 ? len : 1;
        begins = strchr(" \n|`", text.ptr[i - 1]) != NULL;
    }
}

/* The sources. */

static void add_source(const struct study *study, size_t source, struct buf *out)
{
    const struct study_source *one = &study->sources[source];
    const struct yaml_node *paths = package_source_paths(study, source);

    for (size_t p = 0; p < one->path_count; p++) {
        buf_add_format(out, "- `%.*s`: %s", STR_ARG(package_source_path(paths, p)->text),
                       one->kind->packaged);
        if (one->kind->site)
            buf_add_format(out, " (%.*s)", STR_ARG(one->site));
        if (one->until_ms != INT64_MAX) {
            buf_add(out, STR(", posts before "));
            date_add(out, one->until_ms);
        }
        buf_add_char(out, '\n');
    }
}

struct texts_listing {
    const struct study *study;
    struct buf *out;
};

static bool add_source_file(void *context, const struct store_file *file, struct err *err)
{
    struct texts_listing *listing = context;

    (void)err;
    buf_add(listing->out, STR("| `"));
    package_hide_paths(listing->study, file->path, listing->out);
    buf_add_format(listing->out, "` | `%.*s` |\n", STR_ARG(file->hash));
    return true;
}

/* Findings that tell from when the posts are. */
static void add_dates(const struct result_health *health, struct buf *out)
{
    bool any = false;

    for (size_t i = 0; i < health->count; i++) {
        const struct result_health_finding *it = &health->at[i];
        if (it->type != RESULT_MOMENT)
            continue;
        buf_add_format(out, "%s| %.*s | %.*s |\n", any ? "" : "\n| | |\n|---|---|\n",
                       STR_ARG(it->name), STR_ARG(it->text));
        any = true;
    }
}

/* Where results are, as a prefix: "" or "rows/". */
static void add_home(const struct package_readme *inputs, struct buf *out)
{
    if (inputs->home[0] != '\0')
        buf_add_format(out, "%s/", inputs->home);
}

static bool add_sources(const struct package_readme *inputs, struct buf *out,
                        struct err *err)
{
    struct texts_listing listing = {inputs->study, out};

    buf_add(out, STR("\n## Sources\n\n"));
    if (inputs->corpus == NULL) {
        buf_add(out, STR("The study has no posts of its own.\n"));
        return true;
    }
    buf_add(out, STR("They are not part of the package. The study reads:\n\n"));
    for (size_t s = 0; s < inputs->study->source_count; s++)
        add_source(inputs->study, s, out);
    buf_add(out, STR("\nThe files that were read, with their hashes (XXH3, 128 bits, as "
                     "`xxhsum -H2` prints\nthem):\n\n| file | hash |\n|---|---|\n"));
    if (!store_files(inputs->corpus, add_source_file, &listing, err))
        return false;
    add_dates(&inputs->health, out);
    buf_add(out, STR("\n`"));
    add_home(inputs, out);
    buf_add(out, STR("out/health.md` tells more about them. Paths that begin with "
                     "`$data/` are looked up in\nthe folder that `--data` gives.\n"));
    return true;
}

/* What is in the package. */

static const struct {
    const char *name, *what;
    bool result; /* made by assay run */
} explained[] = {
    {"LICENSE-NOTE.md", "whose posts the study is about, and under which terms", false},
    {"assay.lock", "what every result rests on, by content", true},
    {"attribution.csv", "id, link and licence of every item that was sampled or labelled",
     false},
    {"out/numbers.tex", "the numbers as LaTeX macros", true},
    {"out/numbers.csv", "the numbers of all steps in one file", true},
    {"out/numbers", "every number of the study under its address", true},
    {"out/results", "what each step gave, as assay reads it", true},
    {"out/sets", "ids of the items of each set", true},
    {"out/samples", "ids of each sample in the order drawn, and how it was drawn", true},
    {"out/labels", "the codes of the items", true},
    {"labels.db", "what raters said and decided, as assay reads it (SQLite)", true},
    {"labelling", "the same as csv: what each rater said, decisions, final labels", true},
    {"out/tables", "tables, with every digit and for reading", true},
    {"out/tests", "statistical tests", true},
    {"out/figures", "figures", true},
    {"out/funnels", "what each condition of a set lets through", true},
    {"out/health.md", "what the sources were like", true},
    {"codebooks", "what the codes mean, with the changes that were made", false},
    {"inputs", "files that the study reads", false},
    {"CITATION.cff", "how to cite the package", false},
    {"posts.jsonl", "the posts that were sampled or labelled", false},
};

/* A file, or a folder with files; of results wherever they are. */
static bool has_file(const struct package *package, struct str name)
{
    for (size_t i = 0; i < package->count; i++)
        for (struct str at = package->files[i].name, skipped;;) {
            if (str_eq(at, name) || (str_starts(at, name) && at.ptr[name.len] == '/'))
                return true;
            if (!str_cut(&at, '/', &skipped))
                break;
        }
    return false;
}

static bool names_people(const struct study *study)
{
    bool decided = false;

    for (size_t i = 0; i < study->phrases_count; i++)
        decided = decided || study->phrases[i].decisions != NULL;
    for (size_t i = 0; i < study->tagset_count; i++)
        for (size_t d = 0; d < study->tagsets[i].decided_count; d++)
            decided = decided || study->tagsets[i].decided[d].who.len > 0;
    return study->label_count + study->labelling_count > 0 || decided;
}

static void add_contents(const struct package_readme *inputs, struct str study_file,
                         struct buf *out)
{
    buf_add_format(out,
                   "\n## What is here\n\n| file | what it holds |\n|---|---|\n"
                   "| `%.*s` | the study: everything it does, declared |\n",
                   STR_ARG(study_file));
    for (size_t i = 0; i < ROWS_OF(explained); i++)
        if (has_file(inputs->package, str_from(explained[i].name))) {
            buf_add(out, STR("| `"));
            if (explained[i].result)
                add_home(inputs, out);
            buf_add_format(out, "%s` | %s |\n", explained[i].name, explained[i].what);
        }
    if (names_people(inputs->study))
        buf_add(out,
                STR("\nPeople are called rater-1, rater-2, arbiter and lead; whoever "
                    "bears the same name in two\nplaces is the same. Their memos "
                    "and remarks, and when in the day they worked, are left out.\n"));
    if (inputs->outside_count == 0)
        return;
    buf_add(
        out,
        STR("\nFiles that the study reads and that are not part of the package:\n\n"));
    for (size_t i = 0; i < inputs->outside_count; i++)
        buf_add_format(out, "- `%.*s`\n", STR_ARG(inputs->outside[i]));
}

/* The folder for --data, where some path begins with $data/. */
static const char *data_option(const struct package_readme *inputs)
{
    const struct study *study = inputs->study;

    for (size_t s = 0; s < study->source_count; s++) {
        const struct yaml_node *paths = package_source_paths(study, s);
        for (size_t p = 0; p < study->sources[s].path_count; p++)
            if (str_starts(package_source_path(paths, p)->text, STR("$data/")))
                return " --data DIR";
    }
    return inputs->outside_count > 0 ? " --data DIR" : "";
}

static void add_steps(const struct package_readme *inputs, struct str file,
                      struct buf *out)
{
    struct str below = str_from(inputs->home); /* where results lie */
    const char *slash = below.len > 0 ? "/" : "", *data = data_option(inputs);
    bool labels = has_file(inputs->package, STR("labels.db"));

    buf_add_format(out,
                   "\n## Rerunning the study\n\nIt takes assay %s or newer%s. Work on a "
                   "copy, so that the package stays what it is to compare with:\n\n"
                   "    cp -r PACKAGE rerun\n"
                   "    rm -rf rerun/%.*s%sout rerun/%.*s%sassay.lock   # everything is "
                   "made anew\n"
                   "    assay run rerun/%.*s%s\n"
                   "    assay verify rerun/%.*s%s --against PACKAGE\n\n",
                   inputs->version,
                   inputs->corpus != NULL ? " and the sources below" : "", STR_ARG(below),
                   slash, STR_ARG(below), slash, STR_ARG(file), data, STR_ARG(file),
                   data);
    if (data[0] != '\0')
        buf_add(out, STR("DIR is a folder of yours that holds what the study calls "
                         "`$data/...`.\n"));
    buf_add(out, STR("The last command should end with `0 differences`; it lists every "
                     "number that came out\ndifferently, and takes the package as a "
                     "folder or as a zip. The report, which shows titles\nof posts, is "
                     "not part of the package: the first command makes it below "
                     "`out/report/`.\n"));
    if (labels)
        buf_add(out, STR("Labels are not made anew: `labels.db` holds what raters said "
                         "and decided, in the order\nin which they did.\n"));
}

bool package_add_readme(const struct package_readme *inputs, struct buf *out,
                        struct err *err)
{
    const struct study *study = inputs->study;
    struct str file = str_last(str_from(study->path), '/');

    buf_add_format(out, "# Replication package of %.*s\n\n", STR_ARG(study->name));
    if (study->title.len > 0)
        buf_add_format(out, "%.*s\n\n", STR_ARG(study->title));
    for (size_t i = 0; i < study->question_count; i++)
        buf_add_format(out, "- **%.*s** %.*s\n", STR_ARG(study->questions[i].name),
                       STR_ARG(study->questions[i].asks));
    if (study->question_count > 0)
        buf_add_char(out, '\n');
    buf_add_format(out, "Made with assay %s.\n", inputs->version);
    add_steps(inputs, file, out);
    add_contents(inputs, file, out);
    return add_sources(inputs, out, err);
}

/* Who has made it. */

struct texts_author {
    struct str given, family, orcid; /* family empty: a single name */
};

static struct texts_author author_of(const struct study *study, size_t i)
{
    enum { ORCID = 19 }; /* characters */
    struct str name = str_trim(study->authors[i]);
    struct texts_author author = {0};

    if (name.len > ORCID && name.ptr[name.len - ORCID - 1] == ' ' &&
        name.ptr[name.len - ORCID + 4] == '-') {
        author.orcid = str_slice(name, name.len - ORCID, name.len);
        name = str_trim(str_slice(name, 0, name.len - ORCID));
    }
    size_t blank = name.len;
    while (blank > 0 && name.ptr[blank - 1] != ' ')
        blank--;
    author.given = str_trim(str_slice(name, 0, blank > 0 ? blank : name.len));
    if (blank > 0)
        author.family = str_slice(name, blank, name.len);
    return author;
}

/* What the package is called. */
static void add_title(const struct study *study, struct buf *out)
{
    struct str title = study->title.len > 0 ? study->title : study->name;

    buf_add(out, STR("\"Replication package: "));
    buf_add_json(out, title);
    buf_add_char(out, '"');
}

static void add_quoted(struct buf *out, const char *before, struct str text)
{
    buf_add_format(out, "%s\"", before);
    buf_add_json(out, text);
    buf_add(out, STR("\"\n"));
}

void package_add_citation(const struct study *study, struct buf *out)
{
    buf_add(out, STR("cff-version: 1.2.0\n"
                     "message: If you use this package, please cite it.\n"
                     "type: dataset\ntitle: "));
    add_title(study, out);
    buf_add(out, STR("\nauthors:\n"));
    for (size_t i = 0; i < study->author_count; i++) {
        struct texts_author author = author_of(study, i);
        if (author.family.len > 0) {
            add_quoted(out, "  - given-names: ", author.given);
            add_quoted(out, "    family-names: ", author.family);
        } else
            add_quoted(out, "  - name: ", author.given);
        if (author.orcid.len > 0)
            buf_add_format(out, "    orcid: https://orcid.org/%.*s\n",
                           STR_ARG(author.orcid));
    }
    if (study->author_count == 0)
        buf_add(out, STR("  - name: anonymous\n"));
    if (study->license.len > 0)
        buf_add_format(out, "license: %.*s\n", STR_ARG(study->license));
}

static void add_creator(const struct texts_author *author, struct buf *out)
{
    buf_add(out, STR("    {\"name\": \""));
    if (author->family.len > 0) {
        buf_add_json(out, author->family);
        buf_add(out, STR(", "));
    }
    buf_add_json(out, author->given);
    buf_add_char(out, '"');
    if (author->orcid.len > 0)
        buf_add_format(out, ", \"orcid\": \"%.*s\"", STR_ARG(author->orcid));
    buf_add_char(out, '}');
}

void package_add_zenodo(const struct study *study, struct buf *out)
{
    struct texts_author nobody = {.given = STR("anonymous")};

    buf_add(out, STR("{\n  \"title\": "));
    add_title(study, out);
    buf_add(out,
            STR(",\n  \"upload_type\": \"dataset\",\n  \"description\": \"<p>All that "
                "is needed to rerun the study and to compare its numbers: see "
                "README.md.</p>\",\n  \"creators\": [\n"));
    for (size_t i = 0; i < study->author_count; i++) {
        struct texts_author author = author_of(study, i);
        add_creator(&author, out);
        buf_add(out, i + 1 < study->author_count ? STR(",\n") : STR("\n"));
    }
    if (study->author_count == 0) {
        add_creator(&nobody, out);
        buf_add_char(out, '\n');
    }
    buf_add(out, STR("  ],\n"));
    if (study->license.len > 0) {
        buf_add(out, STR("  \"license\": \""));
        buf_add_json(out, study->license);
        buf_add(out, STR("\",\n"));
    }
    buf_add(out, STR("  \"keywords\": [\"replication package\", \"empirical software "
                     "engineering\"]\n}\n"));
}

void package_add_license_note(bool with_posts, struct buf *out)
{
    buf_add(out,
            STR("# Whose posts these are\n\n"
                "Posts, issues and commits belong to those who wrote them; each has "
                "the licence of where it\nwas published. Posts on Stack Exchange "
                "sites are licensed under CC BY-SA 2.5, 3.0\nor 4.0, depending on "
                "when they were written. `attribution.csv` lists every\nitem that was "
                "sampled or labelled with its link, which names its author, and its "
                "licence.\n\n"));
    if (with_posts)
        buf_add(out, STR("`posts.jsonl` holds posts, without the names of users: whoever "
                         "passes it on has to keep\nthe links and the licences of "
                         "`attribution.csv` with it, and share changed posts alike.\n"));
    else
        buf_add(out, STR("No post is part of this package, and no name of a user.\n"));
}
