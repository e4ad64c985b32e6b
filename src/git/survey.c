/* What the files of a repository are, and what its programs import: a look at the tree of
 * its newest commit. Imports are read line by line, without a grammar of any language:
 * what stands in a text of several lines may be taken for one, which does little harm
 * where all that is asked is whether a repository uses a library. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "git/internal.h"
#include "text/utf8.h"

enum {
    FILES_MAX = 20000, /* and folders */
    DEPTH_MAX = 100,
    FILE_BYTES_MAX = 1 << 20,
    ALL_BYTES_MAX = 256 << 20,
    NAMES_MAX = 500, /* of each list */
    NAME_BYTES_MAX = 60,
};

struct survey {
    git_odb *odb;
    git_repository *repository;
    struct arena arena;
    struct map imports, endings;
    size_t files, bytes; /* looked at */
};

static void note(struct map *names, struct str name)
{
    if (name.len > 0 && name.len <= NAME_BYTES_MAX && names->count < NAMES_MAX &&
        text_utf8_valid(name))
        *map_put(names, name) = 1;
}

/* ---- lines */

static bool take_word(struct str *line, const char *word)
{
    struct str wanted = str_from(word);

    if (!str_starts(*line, wanted))
        return false;
    *line = str_trim(str_slice(*line, wanted.len, line->len));
    return true;
}

/* The first name in it: letters, digits and _. */
static struct str first_name(struct str text)
{
    size_t len = 0;

    while (len < text.len &&
           (isalnum((unsigned char)text.ptr[len]) || text.ptr[len] == '_'))
        len++;
    return str_slice(text, 0, len);
}

static struct str without_quotes(struct str text)
{
    while (text.len > 0 && strchr("\"'(<", text.ptr[0]) != NULL && text.ptr[0] != '\0')
        text = str_slice(text, 1, text.len);
    return text;
}

/* import a.b as c, d; from a.b import c. In a notebook lines are texts of json. */
static void read_python(struct survey *survey, struct str line)
{
    struct str module;

    line = without_quotes(str_trim(line));
    if (take_word(&line, "from ")) {
        note(&survey->imports, first_name(line));
    } else if (take_word(&line, "import ")) {
        for (bool more = true; more;) {
            more = str_cut(&line, ',', &module);
            note(&survey->imports, first_name(str_trim(module)));
        }
    }
}

/* require 'a', x = require("a.b") */
static void read_lua(struct survey *survey, struct str line)
{
    static const struct str word = STR_INIT("require");

    for (size_t i = 0; i + word.len <= line.len; i++)
        if (str_starts(str_slice(line, i, line.len), word)) {
            struct str rest = str_slice(line, i + word.len, line.len);
            note(&survey->imports, first_name(without_quotes(str_trim(rest))));
            return;
        }
}

/* #include <a/b.h> */
static void read_c(struct survey *survey, struct str line)
{
    line = str_trim(line);
    if (take_word(&line, "#include"))
        note(&survey->imports, first_name(without_quotes(line)));
}

static const struct {
    struct str ending;
    void (*read)(struct survey *survey, struct str line);
} languages[] = {
    {STR_INIT("py"), read_python}, {STR_INIT("ipynb"), read_python},
    {STR_INIT("lua"), read_lua},   {STR_INIT("c"), read_c},
    {STR_INIT("cc"), read_c},      {STR_INIT("cpp"), read_c},
    {STR_INIT("cu"), read_c},      {STR_INIT("h"), read_c},
    {STR_INIT("hpp"), read_c},
};

/* ---- files */

static void read_program(struct survey *survey, const git_oid *id,
                         void (*read)(struct survey *survey, struct str line))
{
    git_odb_object *object = NULL;
    git_object_t type;
    size_t size;
    struct str line;

    if (git_odb_read_header(&size, &type, survey->odb, id) != 0 ||
        size > FILE_BYTES_MAX || survey->bytes + size > ALL_BYTES_MAX ||
        git_odb_read(&object, survey->odb, id) != 0)
        return;
    survey->bytes += size;
    struct str text = {git_odb_object_data(object), git_odb_object_size(object)};
    while (text.len > 0) {
        str_cut(&text, '\n', &line);
        read(survey, line);
    }
    git_odb_object_free(object);
}

static void take_file(struct survey *survey, const git_tree_entry *entry)
{
    const char *name = git_tree_entry_name(entry), *dot = strrchr(name, '.');

    survey->files++;
    if (dot == NULL || dot == name)
        return;
    struct str ending = str_from(dot + 1);
    note(&survey->endings, ending);
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (str_eq(languages[i].ending, ending))
            read_program(survey, git_tree_entry_id(entry), languages[i].read);
}

/* Trees may be deep, and have few bytes and very many files: both are limited. */
static void take_tree(struct survey *survey, const git_oid *id, int depth)
{
    git_tree *tree;

    if (depth == DEPTH_MAX || git_tree_lookup(&tree, survey->repository, id) != 0)
        return;
    for (size_t i = 0; i < git_tree_entrycount(tree) && survey->files < FILES_MAX; i++) {
        const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
        if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB) {
            take_file(survey, entry);
        } else if (git_tree_entry_type(entry) == GIT_OBJECT_TREE) {
            survey->files++;
            take_tree(survey, git_tree_entry_id(entry), depth + 1);
        }
    }
    git_tree_free(tree);
}

/* The tree of the newest commit that a ref leads to; of equal dates that with the smaller
 * hash. */
static bool newest_tree(struct survey *survey, const struct git_history_place *place,
                        git_oid *tree)
{
    struct git_history_reading reading = {0};
    int64_t newest = INT64_MIN;

    for (size_t i = 0; i < place->tips.count; i++) {
        git_odb_object *object = NULL;
        git_oid own;
        int64_t committed_s;
        if (git_odb_read(&object, survey->odb, &place->tips.at[i].id) == 0 &&
            git_history_read_links(
                (struct str){git_odb_object_data(object), git_odb_object_size(object)},
                &reading, &own, &committed_s) &&
            committed_s > newest) {
            newest = committed_s;
            *tree = own;
        }
        git_odb_object_free(object);
    }
    git_history_reading_free(&reading);
    return newest > INT64_MIN;
}

static int compare_names(const void *a, const void *b)
{
    const struct str *one = a, *two = b;
    size_t common = one->len < two->len ? one->len : two->len;
    int order = memcmp(one->ptr, two->ptr, common);

    return order != 0 ? order : one->len < two->len ? -1 : one->len > two->len;
}

/* Sorted, a line each. */
static struct str listed(const struct map *names, struct arena *arena)
{
    struct str *all = arena_array(arena, struct str, names->count + 1);
    struct buf out = {0};
    size_t count = 0;

    for (size_t i = 0; i < names->capacity; i++)
        if (names->entries[i].key.ptr != NULL)
            all[count++] = names->entries[i].key;
    qsort(all, count, sizeof *all, compare_names);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(&out, '\n');
        buf_add(&out, all[i]);
    }
    return buf_keep(&out, arena);
}

bool git_history_survey(const struct git_history *history, size_t repository,
                        struct arena *arena, struct git_history_survey *out,
                        struct err *err)
{
    const struct git_history_place *place = &history->places.at[repository];
    struct survey survey = {0};
    git_oid id;

    survey.imports.arena = survey.endings.arena = &survey.arena;
    *out = (struct git_history_survey){0};
    if (!git_history_objects_of(place, &survey.odb, err))
        return false;
    if (newest_tree(&survey, place, &id) &&
        git_repository_wrap_odb(&survey.repository, survey.odb) == 0)
        take_tree(&survey, &id, 0);
    out->imports = listed(&survey.imports, arena);
    out->endings = listed(&survey.endings, arena);
    git_repository_free(survey.repository);
    git_odb_free(survey.odb);
    arena_free(&survey.arena);
    return true;
}
