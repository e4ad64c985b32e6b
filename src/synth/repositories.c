/* A repository grows step by step: somebody adds a function, often with a bug in it,
 * somebody later puts bugs right, and around that is what histories are full of: decoys,
 * merges, renames, bots, cherry-picks, forks. A step draws from the repository's own
 * generator alone; a fork takes the first steps of another with that one's generator, so
 * that the commits are the same. */
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "git/pack.h"
#include "synth/internal.h"

enum {
    FILES_MAX = 40,
    BUGS_AT_ONCE_MAX = 4,
    FORK_EVERY = 6,  /* the last of so many is one of the first of them */
    NUMBERS = 10000, /* of its own for each repository: no two make the same patch */
    STREAM = 0x67697473,
};

struct repository_file {
    struct str path, text;
};

/* A worktree, by value: branches are copies. */
struct repository_tree {
    struct repository_file at[FILES_MAX];
    size_t count;
    struct git_history_hash head;
};

/* A bug in a program. */
struct repository_bug {
    struct synth_model_truth truth;
    const struct synth_program_bug *made_from;
    struct str function, wrong, right;
    int64_t step; /* that brought it */
    bool fixed;
};

struct repository {
    const struct synth_program_library *library;
    struct str name;
    struct rng rng;
    struct git_history_pack pack;
    struct repository_tree main, release;
    bool has_release;
    int64_t release_step;
    LIST(struct repository_bug) bugs;
    int64_t step, number; /* number: of functions, files, ... so far */
    int64_t ms;           /* when the last commit was made */
    int people[3];
};

struct repository_job {
    const struct synth_repositories_options *options;
    struct synth_repositories_summary *summary;
    struct synth_model model;
    struct arena *arena; /* of the repository */
    struct map known;    /* hash -> 1: commits that stand in an earlier repository */
    struct buf commits, bugs;
};

/* ---- texts */

struct repository_words {
    const struct synth_program_library *library;
    int64_t number, random;
    struct str function;
};

static void add_word(struct buf *out, struct str name,
                     const struct repository_words *words)
{
    if (str_eq(name, STR("n")))
        buf_add_int(out, words->number);
    else if (str_eq(name, STR("k")))
        buf_add_int(out, words->random);
    else if (str_eq(name, STR("f")))
        buf_add(out, words->function);
    else
        buf_add(out, str_from(str_eq(name, STR("a"))       ? words->library->alias
                              : str_eq(name, STR("dense")) ? words->library->dense
                                                           : words->library->optimizer));
}

static struct str expand(const char *template, const struct repository_words *words,
                         struct arena *arena)
{
    struct str rest = str_from(template), text, name;
    struct buf out = {0};

    while (str_cut(&rest, '{', &text)) {
        buf_add(&out, text);
        str_cut(&rest, '}', &name);
        add_word(&out, name, words);
    }
    buf_add(&out, text);
    return buf_keep(&out, arena);
}

/* Whether a word begins with fix, in any case. */
static bool says_fix(struct str subject)
{
    for (size_t i = 0; i + 3 <= subject.len; i++) {
        char before = i > 0 ? subject.ptr[i - 1] : ' ';
        bool inside =
            (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z');
        if (!inside && (subject.ptr[i] | 32) == 'f' && (subject.ptr[i + 1] | 32) == 'i' &&
            (subject.ptr[i + 2] | 32) == 'x')
            return true;
    }
    return false;
}

/* ---- files */

static struct repository_file *find_file(struct repository_tree *tree, const char *path)
{
    for (size_t i = 0; i < tree->count; i++)
        if (str_eq(tree->at[i].path, str_from(path)))
            return &tree->at[i];
    return NULL;
}

static void add_file(struct repository_tree *tree, const char *path, struct str text)
{
    if (tree->count < FILES_MAX)
        tree->at[tree->count++] = (struct repository_file){str_from(path), text};
}

static void append(struct repository_file *file, struct str text, struct arena *arena)
{
    file->text = arena_format(arena, "%.*s%.*s", STR_ARG(file->text), STR_ARG(text));
}

static size_t find(struct str text, struct str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (memcmp(text.ptr + i, part.ptr, part.len) == 0)
            return i;
    return SIZE_MAX;
}

/* The line that it begins in; 0: the file has no such text. */
static int64_t replace(struct repository_file *file, struct str old, struct str new,
                       struct arena *arena)
{
    size_t at = find(file->text, old);
    int64_t line = 1;

    if (at == SIZE_MAX)
        return 0;
    for (size_t i = 0; i < at; i++)
        line += file->text.ptr[i] == '\n';
    struct str after = str_slice(file->text, at + old.len, file->text.len);
    file->text = arena_format(arena, "%.*s%.*s%.*s", (int)at, file->text.ptr,
                              STR_ARG(new), STR_ARG(after));
    return line;
}

/* ---- objects */

static void add_entry(struct buf *out, const char *mode, struct str name,
                      struct git_history_hash hash)
{
    buf_add_format(out, "%s %.*s", mode, STR_ARG(name));
    buf_add_char(out, '\0');
    buf_add(out, (struct str){(const char *)hash.bytes, sizeof hash.bytes});
}

static int compare_files(const void *a, const void *b)
{
    const struct repository_file *one = a, *two = b;
    size_t common = one->path.len < two->path.len ? one->path.len : two->path.len;
    int order = memcmp(one->path.ptr, two->path.ptr, common);

    return order != 0 ? order : one->path.len < two->path.len ? -1 : 1;
}

/* Whole paths in the order of their bytes are in that of git's trees, in which a folder's
 * name ends in a slash. Folders lie one deep. */
static struct git_history_hash add_tree(struct git_history_pack *pack,
                                        struct repository_file *files, size_t count,
                                        size_t skip)
{
    struct buf tree = {0};

    for (size_t i = 0; i < count;) {
        struct str rest = str_slice(files[i].path, skip, files[i].path.len), name;
        size_t last = i + 1;
        if (!str_cut(&rest, '/', &name)) {
            add_entry(&tree, "100644", name,
                      git_history_pack_add(pack, GIT_HISTORY_PACK_BLOB, files[i].text));
        } else {
            struct str folder = str_slice(files[i].path, 0, skip + name.len + 1);
            while (last < count && str_starts(files[last].path, folder))
                last++;
            add_entry(&tree, "40000", name,
                      add_tree(pack, files + i, last - i, folder.len));
        }
        i = last;
    }
    struct git_history_hash hash =
        git_history_pack_add(pack, GIT_HISTORY_PACK_TREE, buf_str(&tree));
    buf_free(&tree);
    return hash;
}

static void add_hash_text(struct buf *out, struct git_history_hash hash)
{
    git_history_hash_text(&hash, buf_reserve(out, GIT_HISTORY_HASH_DIGITS));
    out->len += GIT_HISTORY_HASH_DIGITS;
}

static void add_person(struct buf *out, const char *role, const char *name,
                       const char *mail, int64_t ms, int zone)
{
    buf_add_format(out, "%s %s <%s> %lld %+05d\n", role, name, mail,
                   (long long)(ms / DATE_SECOND_MS), zone);
}

/* A commit in the making. */
struct repository_commit {
    enum synth_program_kind kind;
    struct str subject, body;
    struct git_history_hash parents[2];
    size_t parent_count;
    const char *name, *mail;
    int64_t created_ms, committed_ms;
    int zone;
    struct git_history_hash copy_of; /* of a copy */
    const struct repository_bug *bugs[BUGS_AT_ONCE_MAX];
    struct str places[BUGS_AT_ONCE_MAX];
    size_t bug_count;
};

static void add_bug_rows(struct repository_job *job, const struct repository *repository,
                         const struct repository_commit *commit,
                         struct git_history_hash hash)
{
    for (size_t i = 0; i < commit->bug_count; i++) {
        const struct synth_model_truth *truth = &commit->bugs[i]->truth;
        add_hash_text(&job->bugs, hash);
        buf_add_format(
            &job->bugs, ",%.*s,%s,%.*s,%.*s,%.*s,%.*s,%.*s,%s,%s\n",
            STR_ARG(repository->name), repository->library->name,
            STR_ARG(commit->places[i]),
            STR_ARG(synth_model_name(SYNTH_MODEL_BUG_TYPES, truth->bug_type)),
            STR_ARG(synth_model_name(SYNTH_MODEL_BUG_CAUSES, truth->bug_cause)),
            STR_ARG(synth_model_name(SYNTH_MODEL_BUG_EFFECTS, truth->bug_effect)),
            STR_ARG(synth_model_name(SYNTH_MODEL_BUG_STAGES, truth->bug_stage)),
            says_fix(commit->subject) ? "yes" : "no",
            commit->kind == SYNTH_PROGRAM_COPY ? "yes" : "no");
    }
}

/* Of a commit that no earlier repository has. */
static void add_truth(struct repository_job *job, const struct repository *repository,
                      const struct repository_commit *commit,
                      struct git_history_hash hash)
{
    struct synth_repositories_summary *summary = job->summary;
    struct buf *out = &job->commits;
    bool fixes = says_fix(commit->subject);
    bool mends = commit->bug_count > 0 && commit->kind != SYNTH_PROGRAM_COPY;

    add_hash_text(out, hash);
    buf_add_format(out, ",%.*s,%s,%s,%s,%zu,", STR_ARG(repository->name),
                   repository->library->name, synth_program_subjects[commit->kind].name,
                   fixes ? "yes" : "no", commit->bug_count);
    date_add(out, commit->created_ms);
    buf_add_char(out, ',');
    date_add(out, commit->committed_ms);
    buf_add_format(out, ",%zu,", commit->parent_count);
    if (commit->kind == SYNTH_PROGRAM_COPY)
        add_hash_text(out, commit->copy_of);
    buf_add_char(out, ',');
    buf_add_csv(out, commit->subject);
    buf_add_char(out, '\n');
    add_bug_rows(job, repository, commit, hash);
    summary->commits++;
    summary->merges += commit->parent_count > 1;
    summary->says_fix += fixes;
    summary->bots += commit->kind == SYNTH_PROGRAM_BOT;
    summary->copies += commit->kind == SYNTH_PROGRAM_COPY;
    summary->renames += commit->kind == SYNTH_PROGRAM_RENAME;
    summary->fixing += mends;
    summary->fixing_says += mends && fixes;
    summary->bugs += mends ? (int64_t)commit->bug_count : 0;
}

/* Makes the tree's head. */
static void commit_tree(struct repository_job *job, struct repository *repository,
                        struct repository_tree *tree, struct repository_commit *commit)
{
    struct buf text = {0};

    qsort(tree->at, tree->count, sizeof *tree->at, compare_files);
    buf_add(&text, STR("tree "));
    add_hash_text(&text, add_tree(&repository->pack, tree->at, tree->count, 0));
    for (size_t i = 0; i < commit->parent_count; i++) {
        buf_add(&text, STR("\nparent "));
        add_hash_text(&text, commit->parents[i]);
    }
    buf_add_char(&text, '\n');
    add_person(&text, "author", commit->name, commit->mail, commit->created_ms,
               commit->zone);
    add_person(&text, "committer", commit->name, commit->mail, commit->committed_ms,
               commit->zone);
    buf_add_format(&text, "\n%.*s\n", STR_ARG(commit->subject));
    if (commit->body.len > 0)
        buf_add_format(&text, "\n%.*s\n", STR_ARG(commit->body));
    tree->head =
        git_history_pack_add(&repository->pack, GIT_HISTORY_PACK_COMMIT, buf_str(&text));
    buf_free(&text);
    int64_t *known = map_put(&job->known, (struct str){(const char *)tree->head.bytes,
                                                       sizeof tree->head.bytes});
    if (*known == 0)
        add_truth(job, repository, commit, tree->head);
    else
        job->summary->shared += *known == 1;
    ++*known;
}

/* ---- steps */

static const char *mail_of(int person, struct arena *arena)
{
    struct str name = str_from(synth_program_people[person]), first;

    str_cut(&name, ' ', &first);
    char *mail =
        arena_c_string(arena, arena_format(arena, "%.*s@example.org", STR_ARG(first)));
    mail[0] |= 32;
    return mail;
}

/* By one of the repository's people, some hours or days after the last one. */
static struct repository_commit begin(struct repository_job *job,
                                      struct repository *repository,
                                      const struct repository_tree *tree,
                                      enum synth_program_kind kind)
{
    static const int zones[] = {0, 100, 200, -500, -800, 530};
    struct rng *rng = &repository->rng;
    int person = repository->people[rng_below(rng, 3)];
    struct git_history_hash none = {0};
    struct repository_commit commit = {.kind = kind,
                                       .name = synth_program_people[person],
                                       .mail = mail_of(person, job->arena),
                                       .zone = zones[person % 6]};

    repository->ms += (int64_t)(rng_log_normal(rng, 30, 1.2) * (double)DATE_HOUR_MS) /
                          DATE_SECOND_MS * DATE_SECOND_MS +
                      DATE_MINUTE_MS;
    if (repository->ms >= job->model.until_ms)
        repository->ms = job->model.until_ms - DATE_SECOND_MS;
    commit.created_ms = commit.committed_ms = repository->ms;
    if (memcmp(&tree->head, &none, sizeof none) != 0)
        commit.parents[commit.parent_count++] = tree->head;
    return commit;
}

static struct str subject_of(struct repository_job *job, struct repository *repository,
                             enum synth_program_kind kind, struct str function)
{
    const struct synth_program_subjects *subjects = &synth_program_subjects[kind];
    struct repository_words words = {.library = repository->library,
                                     .function = function};

    return expand(subjects->at[rng_below(&repository->rng, subjects->count)], &words,
                  job->arena);
}

/* The bug types are in the order of the model's; of one there are several. */
static const struct synth_program_bug *bug_of_type(int type, struct rng *rng)
{
    struct str name = synth_model_name(SYNTH_MODEL_BUG_TYPES, type);
    size_t first = 0, count = 0;

    for (size_t i = 0; i < synth_program_bug_count; i++)
        if (str_eq(str_from(synth_program_bugs[i].type), name)) {
            first = count == 0 ? i : first;
            count++;
        }
    return &synth_program_bugs[first + rng_below(rng, count)];
}

/* A function with lines enough around those that are wrong that a patch of them does not
 * show others. */
static void add_function(struct repository_job *job, struct repository *repository,
                         struct repository_bug *bug, bool right)
{
    struct repository_words words = {.library = repository->library,
                                     .number = ++repository->number,
                                     .random =
                                         2 + (int64_t)rng_below(&repository->rng, 97)};
    const struct synth_program_bug *from = bug->made_from;
    struct repository_file *file = find_file(&repository->main, from->path);

    bug->function =
        arena_format(job->arena, "%s_%lld", from->function, (long long)words.number);
    bug->wrong = arena_format(job->arena, "%.*s\n",
                              STR_ARG(expand(from->wrong, &words, job->arena)));
    bug->right = arena_format(job->arena, "%.*s\n",
                              STR_ARG(expand(from->right, &words, job->arena)));
    /* So that they stand in the file once. */
    bug->wrong = arena_format(job->arena, "    name = \"%.*s\"\n%.*s",
                              STR_ARG(bug->function), STR_ARG(bug->wrong));
    bug->right = arena_format(job->arena, "    name = \"%.*s\"\n%.*s",
                              STR_ARG(bug->function), STR_ARG(bug->right));
    append(file,
           arena_format(job->arena,
                        "\n\ndef %.*s(x, config):\n    size = config[\"size\"]\n"
                        "    steps = config[\"steps\"]\n%.*s    if config[\"verbose\"]:\n"
                        "        print(name, size, steps)\n    return x\n",
                        STR_ARG(bug->function), STR_ARG(right ? bug->right : bug->wrong)),
           job->arena);
}

static void add_feature(struct repository_job *job, struct repository *repository)
{
    struct rng *rng = &repository->rng;
    struct repository_commit commit =
        begin(job, repository, &repository->main, SYNTH_PROGRAM_FEATURE);
    size_t count = 1 + rng_below(rng, 2);
    struct str function = {0};

    for (size_t i = 0; i < count; i++) {
        struct repository_bug bug = {
            .truth = synth_model_draw_bug(&job->model, repository->library->framework,
                                          date_year(repository->ms), rng),
            .step = repository->step};
        bug.made_from = bug_of_type(bug.truth.bug_type, rng);
        bool right = rng_below(rng, 5) == 0;
        add_function(job, repository, &bug, right);
        function = bug.function;
        if (!right)
            list_add(&repository->bugs, bug);
    }
    commit.subject = subject_of(job, repository, SYNTH_PROGRAM_FEATURE, function);
    commit_tree(job, repository, &repository->main, &commit);
}

/* Puts the commit's bugs right in a tree, and notes where; false: not all of them are in
 * it. */
static bool mend(struct repository_job *job, struct repository_tree *tree,
                 struct repository_commit *commit)
{
    struct repository_tree before = *tree;

    for (size_t i = 0; i < commit->bug_count; i++) {
        const struct repository_bug *bug = commit->bugs[i];
        struct repository_file *file = find_file(tree, bug->made_from->path);
        int64_t line =
            file != NULL ? replace(file, bug->wrong, bug->right, job->arena) : 0;
        if (line == 0) {
            *tree = before;
            return false;
        }
        /* Behind the line with the name, which stays. */
        commit->places[i] = arena_format(job->arena, "%s:R%lld", bug->made_from->path,
                                         (long long)line + 1);
    }
    return true;
}

/* The same on the branch of the release, by whoever looks after that, later. */
static void copy_fix(struct repository_job *job, struct repository *repository,
                     const struct repository_commit *fix)
{
    struct repository_commit copy = *fix;

    if (!mend(job, &repository->release, &copy))
        return;
    copy.kind = SYNTH_PROGRAM_COPY;
    copy.copy_of = repository->main.head;
    copy.parents[0] = repository->release.head;
    copy.committed_ms += DATE_HOUR_MS;
    copy.body = arena_format(job->arena, "(for the release)");
    commit_tree(job, repository, &repository->release, &copy);
}

static void add_fix(struct repository_job *job, struct repository *repository)
{
    static const double counts[BUGS_AT_ONCE_MAX] = {72, 16, 8, 4};
    struct rng *rng = &repository->rng;
    size_t wanted = 1 + rng_weighted(rng, counts, BUGS_AT_ONCE_MAX);
    bool silent = rng_below(rng, 4) == 0, body = rng_below(rng, 5) < 2;
    struct repository_commit commit =
        begin(job, repository, &repository->main,
              silent ? SYNTH_PROGRAM_SILENT : SYNTH_PROGRAM_FIX);

    for (size_t i = 0; i < repository->bugs.count && commit.bug_count < wanted; i++)
        if (!repository->bugs.at[i].fixed) {
            repository->bugs.at[i].fixed = true;
            commit.bugs[commit.bug_count++] = &repository->bugs.at[i];
        }
    const struct repository_bug *first = commit.bugs[0];
    commit.subject = subject_of(job, repository, commit.kind, first->function);
    if (body)
        commit.body = arena_format(
            job->arena, "What it did: %.*s. Why: %.*s.",
            STR_ARG(synth_model_name(SYNTH_MODEL_BUG_EFFECTS, first->truth.bug_effect)),
            STR_ARG(synth_model_name(SYNTH_MODEL_BUG_CAUSES, first->truth.bug_cause)));
    mend(job, &repository->main, &commit);
    commit_tree(job, repository, &repository->main, &commit);
    if (repository->has_release && rng_below(rng, 2) == 0)
        copy_fix(job, repository, &commit);
}

static void add_text_change(struct repository_job *job, struct repository *repository,
                            enum synth_program_kind kind)
{
    struct repository_commit commit = begin(job, repository, &repository->main, kind);
    const char *path = kind == SYNTH_PROGRAM_TIDY ? "train.py" : "README.md";
    struct str function =
        arena_format(job->arena, "part %lld", (long long)++repository->number);

    commit.subject = subject_of(job, repository, kind, function);
    append(find_file(&repository->main, path),
           arena_format(job->arena, "%s %.*s\n",
                        kind == SYNTH_PROGRAM_TIDY ? "#" : "\nOn", STR_ARG(function)),
           job->arena);
    commit_tree(job, repository, &repository->main, &commit);
}

static void add_bump(struct repository_job *job, struct repository *repository)
{
    struct repository_commit commit =
        begin(job, repository, &repository->main, SYNTH_PROGRAM_BOT);
    long long from = (long long)repository->number++;

    commit.name = "dependabot[bot]";
    commit.mail = "49699333+dependabot[bot]@users.noreply.example.org";
    commit.zone = 0;
    commit.subject = arena_format(job->arena, "Bump numpy from 1.%lld to 1.%lld", from,
                                  (long long)repository->number);
    find_file(&repository->main, "requirements.txt")->text =
        arena_format(job->arena, "numpy==1.%lld\n%s\n", (long long)repository->number,
                     repository->library->alias);
    commit_tree(job, repository, &repository->main, &commit);
}

/* A file of experiments gets another name; the program's own files keep theirs. */
static void add_rename(struct repository_job *job, struct repository *repository)
{
    struct repository_commit commit =
        begin(job, repository, &repository->main, SYNTH_PROGRAM_RENAME);

    for (size_t i = 0; i < repository->main.count; i++) {
        struct repository_file *file = &repository->main.at[i];
        if (!str_starts(file->path, STR("experiments/")))
            continue;
        struct str path = arena_format(job->arena, "archive/run_%lld.py",
                                       (long long)++repository->number);
        commit.subject = arena_format(job->arena, "Move %.*s to %.*s",
                                      STR_ARG(file->path), STR_ARG(path));
        file->path = path;
        commit_tree(job, repository, &repository->main, &commit);
        return;
    }
}

/* A branch with one commit; one on the main branch beside it; the merge. */
static void add_merge(struct repository_job *job, struct repository *repository)
{
    struct repository_tree side = repository->main;
    struct repository_commit work = begin(job, repository, &side, SYNTH_PROGRAM_FEATURE);
    long long number = (long long)++repository->number;
    const char *path = arena_format(job->arena, "experiments/run_%lld.py", number).ptr;
    struct str text = arena_format(
        job->arena, "%s\n\nfrom model import *\n\nruns = %lld\nprint(\"run\", runs)\n",
        repository->library->import, number);

    work.subject = arena_format(job->arena, "Experiment %lld", number);
    add_file(&side, path, text);
    commit_tree(job, repository, &side, &work);
    add_text_change(job, repository, SYNTH_PROGRAM_DOCS);
    struct repository_commit merge =
        begin(job, repository, &repository->main, SYNTH_PROGRAM_MERGE);
    merge.subject = arena_format(job->arena,
                                 number % 3 == 0 ? "Merge branch 'fix-%lld'"
                                                 : "Merge branch 'experiment-%lld'",
                                 number);
    merge.parents[merge.parent_count++] = side.head;
    add_file(&repository->main, path, text);
    commit_tree(job, repository, &repository->main, &merge);
}

static void add_release(struct repository_job *job, struct repository *repository)
{
    struct repository_commit commit =
        begin(job, repository, &repository->main, SYNTH_PROGRAM_DOCS);

    repository->release = repository->main;
    repository->has_release = true;
    commit.subject = STR("Prepare release 1.0");
    add_file(
        &repository->release, "CHANGES.md",
        arena_format(job->arena, "%.*s 1.0: first release\n", STR_ARG(repository->name)));
    commit_tree(job, repository, &repository->release, &commit);
}

static void add_start(struct repository_job *job, struct repository *repository)
{
    struct arena *arena = job->arena;
    const char *import = repository->library->import;
    struct repository_tree *tree = &repository->main;
    struct repository_commit commit = begin(job, repository, tree, SYNTH_PROGRAM_START);

    commit.subject = STR("First commit");
    add_file(tree, "README.md",
             arena_format(arena, "# %.*s\n\nMade with %s.\n", STR_ARG(repository->name),
                          repository->library->name));
    add_file(tree, "requirements.txt",
             arena_format(arena, "numpy==1.%lld\n%s\n", (long long)repository->number,
                          repository->library->alias));
    add_file(tree, "data.py", STR("import numpy as np\n"));
    add_file(tree, "model.py", arena_format(arena, "import numpy as np\n%s\n", import));
    add_file(
        tree, "train.py",
        arena_format(arena, "%s\n\nfrom data import *\nfrom model import *\n", import));
    add_file(tree, "utils/files.py", STR("import os\n"));
    if (repository->library->framework == SYNTH_MODEL_CAFFE)
        add_file(
            tree, "net.prototxt",
            STR("name: \"net\"\nlayer { name: \"data\" type: \"Data\" top: \"data\" "
                "}\nlayer { name: \"ip\" type: \"InnerProduct\" bottom: \"data\" }\n"));
    commit_tree(job, repository, tree, &commit);
}

static bool has_open_bug(const struct repository *repository)
{
    for (size_t i = 0; i < repository->bugs.count; i++)
        if (!repository->bugs.at[i].fixed)
            return true;
    return false;
}

static void take_step(struct repository_job *job, struct repository *repository)
{
    static const double weights[SYNTH_PROGRAM_KINDS] = {
        [SYNTH_PROGRAM_FEATURE] = 34, [SYNTH_PROGRAM_FIX] = 30,
        [SYNTH_PROGRAM_DECOY] = 8,    [SYNTH_PROGRAM_DOCS] = 8,
        [SYNTH_PROGRAM_TIDY] = 6,     [SYNTH_PROGRAM_RENAME] = 3,
        [SYNTH_PROGRAM_BOT] = 5,      [SYNTH_PROGRAM_MERGE] = 6};
    enum synth_program_kind kind = (enum synth_program_kind)rng_weighted(
        &repository->rng, weights, SYNTH_PROGRAM_KINDS);

    if (repository->step++ == 0)
        add_start(job, repository);
    else if (!repository->has_release && repository->step > job->options->commits / 3 &&
             has_open_bug(repository))
        add_release(job, repository);
    else if (kind == SYNTH_PROGRAM_FIX && has_open_bug(repository))
        add_fix(job, repository);
    else if (kind == SYNTH_PROGRAM_FIX || kind == SYNTH_PROGRAM_FEATURE)
        add_feature(job, repository);
    else if (kind == SYNTH_PROGRAM_BOT)
        add_bump(job, repository);
    else if (kind == SYNTH_PROGRAM_RENAME)
        add_rename(job, repository);
    else if (kind == SYNTH_PROGRAM_MERGE && repository->main.count + 3 < FILES_MAX)
        add_merge(job, repository);
    else
        add_text_change(job, repository,
                        kind == SYNTH_PROGRAM_MERGE ? SYNTH_PROGRAM_DOCS : kind);
}

/* ---- all of them */

static void draw_people(struct repository *repository)
{
    for (int i = 0; i < 3; i++)
        repository->people[i] = (int)rng_below(&repository->rng, SYNTH_PROGRAM_PEOPLE);
}

/* As repository number i would be. */
static void begin_repository(struct repository_job *job, int64_t i,
                             struct repository *repository)
{
    int64_t day = date_from_civil((struct date){2015, 1, 5});

    repository->library = &synth_program_libraries[i % SYNTH_MODEL_LIBRARIES];
    repository->rng = rng_stream(job->options->seed, STREAM, (uint64_t)i);
    repository->name = arena_format(
        job->arena, "%s-%s-%03lld", repository->library->alias,
        synth_program_projects[i % SYNTH_PROGRAM_PROJECTS], (long long)i + 1);
    repository->ms = day + (int64_t)rng_below(&repository->rng, 900) * DATE_DAY_MS +
                     (int64_t)rng_below(&repository->rng, 86400) * DATE_SECOND_MS;
    repository->number = (i + 1) * NUMBERS;
    draw_people(repository);
}

static void grow(struct repository_job *job, int64_t i, struct repository *repository)
{
    int64_t steps = job->options->commits, shared = 0;

    if (i % FORK_EVERY == FORK_EVERY - 1) {
        begin_repository(job, i - SYNTH_MODEL_LIBRARIES, repository);
        for (shared = steps / 2 + 1; repository->step < shared;)
            take_step(job, repository);
        repository->rng = rng_stream(job->options->seed, STREAM, (uint64_t)i);
        repository->name = arena_format(job->arena, "%s-fork-%03lld",
                                        repository->library->alias, (long long)i + 1);
        draw_people(repository);
        repository->number += NUMBERS / 2;
        /* Bugs that both have are left to the first: no two fix one in the same way. */
        for (size_t b = 0; b < repository->bugs.count; b++)
            repository->bugs.at[b].fixed = true;
        job->summary->forks++;
    } else {
        begin_repository(job, i, repository);
    }
    while (repository->step < steps)
        take_step(job, repository);
}

static bool write_repository(struct repository_job *job, int64_t i, struct err *err)
{
    struct repository repository = {0};
    struct arena_mark mark = arena_mark(job->arena);
    struct buf bundle = {0};

    grow(job, i, &repository);
    struct git_history_pack_ref refs[] = {
        {"HEAD", repository.main.head},
        {"refs/heads/main", repository.main.head},
        {"refs/heads/release-1.0", repository.release.head},
    };
    git_history_pack_bundle(&repository.pack, refs, repository.has_release ? 3 : 2,
                            &bundle);
    struct str path = arena_format(job->arena, "%s/repositories/%.*s.bundle",
                                   job->options->folder, STR_ARG(repository.name));
    bool ok = file_write(path.ptr, buf_str(&bundle), err);
    git_history_pack_free(&repository.pack);
    list_free(&repository.bugs);
    buf_free(&bundle);
    arena_rewind(job->arena, mark);
    job->summary->repositories++;
    return ok;
}

/* Bundles of an older run go; a folder that is not ours is left alone. */
static bool clear_folder(const struct synth_repositories_options *options,
                         const char *folder, const char *json, struct arena *arena,
                         struct err *err)
{
    const char *const *names;
    struct str text = {0};
    size_t count;

    if (!file_exists(folder))
        return true;
    if (file_exists(json) && !file_read_max(json, 1 << 20, arena, &text, err))
        return false;
    if (!file_list(folder, arena, &names, &count, err))
        return false;
    if (count > 0 && !str_starts(text, STR("{\n  \"made_by\": \"assay synth")))
        return err_set(err, ERR_INPUT,
                       "%s: holds repositories/%s, which assay synth did not write; "
                       "expected a new or empty folder",
                       options->folder, names[0]);
    for (size_t i = 0; i < count; i++)
        if (str_ends(str_from(names[i]), STR(".bundle")))
            file_remove(file_join(folder, names[i], arena));
    return true;
}

static void add_json(const struct synth_repositories_options *options,
                     const struct synth_repositories_summary *summary, struct buf *out)
{
    const struct {
        const char *name;
        int64_t count;
    } counts[] = {
        {"repositories", summary->repositories},
        {"forks", summary->forks},
        {"commits", summary->commits},
        {"shared_commits", summary->shared},
        {"merges", summary->merges},
        {"renames", summary->renames},
        {"bots", summary->bots},
        {"copies", summary->copies},
        {"says_fix", summary->says_fix},
        {"fixing", summary->fixing},
        {"fixing_and_says_fix", summary->fixing_says},
        {"bugs", summary->bugs},
    };

    buf_add_format(out, "{\n  \"made_by\": \"assay synth %s\",\n  \"seed\": %llu",
                   options->version, (unsigned long long)options->seed);
    for (size_t i = 0; i < ROWS_OF(counts); i++)
        buf_add_format(out, ",\n  \"%s\": %lld", counts[i].name,
                       (long long)counts[i].count);
    buf_add(out, STR("\n}\n"));
}

bool synth_repositories_write(const struct synth_repositories_options *options,
                              struct arena *arena,
                              struct synth_repositories_summary *summary, struct err *err)
{
    struct arena own = {0};
    struct repository_job job = {
        .options = options, .summary = summary, .arena = &own, .known = {.arena = arena}};
    const char *folder = file_join(options->folder, "repositories", arena), *made;
    const char *json = file_join(options->folder, "repositories.json", arena);
    struct buf text = {0};

    *summary = (struct synth_repositories_summary){0};
    if (!synth_model_load(options->settings, arena, &job.model, err) ||
        !clear_folder(options, folder, json, arena, err) ||
        !file_make_folder(folder, arena, &made, err))
        return false;
    buf_add(&job.commits, STR("commit,repository,library,kind,says_fix,bugs,created,"
                              "committed,parents,copy_of,subject\n"));
    buf_add(&job.bugs, STR("commit,repository,library,place,bug_type,bug_cause,"
                           "bug_effect,bug_stage,says_fix,copy\n"));
    /* First, so that a run which is interrupted can be repeated. */
    buf_add_format(&text, "{\n  \"made_by\": \"assay synth %s\"\n}\n", options->version);
    bool ok = file_write(json, buf_str(&text), err);
    for (int64_t i = 0; i < options->repositories && ok; i++)
        ok = write_repository(&job, i, err);
    buf_clear(&text);
    add_json(options, summary, &text);
    ok = ok &&
         file_write(file_join(options->folder, "commits.csv", arena),
                    buf_str(&job.commits), err) &&
         file_write(file_join(options->folder, "bugs.csv", arena), buf_str(&job.bugs),
                    err) &&
         file_write(json, buf_str(&text), err);
    arena_free(&own);
    buf_free(&text);
    buf_free(&job.commits);
    buf_free(&job.bugs);
    return ok;
}

void synth_repositories_text(const struct synth_repositories_options *options,
                             const struct synth_repositories_summary *summary,
                             struct buf *out)
{
    buf_add_format(
        out,
        "simulated repositories in %s/repositories (seed %llu)\n\n"
        "  repositories %lld, of them forks %lld\n"
        "  commits %lld, of them in several repositories %lld, merges %lld, renames "
        "%lld, bots %lld, copies %lld\n"
        "  commits that say fix %lld; that put bugs right %lld, of them saying so %lld\n"
        "  bugs %lld\n",
        options->folder, (unsigned long long)options->seed,
        (long long)summary->repositories, (long long)summary->forks,
        (long long)summary->commits, (long long)summary->shared,
        (long long)summary->merges, (long long)summary->renames, (long long)summary->bots,
        (long long)summary->copies, (long long)summary->says_fix,
        (long long)summary->fixing, (long long)summary->fixing_says,
        (long long)summary->bugs);
}
