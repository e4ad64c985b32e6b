/* Reading a codebook, with all its errors at once. */
#include "study/codebook.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/near.h"
#include "base/order.h"
#include "study/history.h"
#include "study/internal.h"
#include "study/keys.h"
#include "yaml/yaml.h"

/* Texts are compared as they stand; no folded copies are made. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Takes the next character of a trimmed text; a run of blanks is one. -1 at the end. */
static int take_folded(struct str *rest)
{
    if (rest->len == 0)
        return -1;
    char c = rest->ptr[0];
    bool blank = is_blank(c);
    do {
        rest->ptr++;
        rest->len--;
    } while (blank && rest->len > 0 && is_blank(rest->ptr[0]));
    return blank ? ' ' : c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int study_spelling_compare(struct str a, struct str b)
{
    int x, y;

    a = str_trim(a);
    b = str_trim(b);
    do {
        x = take_folded(&a);
        y = take_folded(&b);
    } while (x == y && x >= 0);
    return x - y;
}

static int by_text(const void *a, const void *b)
{
    const struct study_spelling *x = a, *y = b;

    return order_then(
        order_then(study_spelling_compare(x->text, y->text), ORDER_BY(x->kind, y->kind)),
        ORDER_BY(x->code, y->code));
}

void study_spelling_sort(struct study_spelling *spellings, size_t count)
{
    if (count > 0)
        qsort(spellings, count, sizeof *spellings, by_text);
}

/* The first spelling that is not before the text. */
static size_t place_of(const struct study_spelling *spellings, size_t count,
                       struct str text)
{
    size_t place;

    ORDER_SEEK(place, count, study_spelling_compare(spellings[place].text, text) < 0);
    return place;
}

struct study_spelling_run study_spelling_find(const struct study_spelling *spellings,
                                              size_t count, struct str text)
{
    size_t from = place_of(spellings, count, text), to = from;

    while (to < count && spellings[to].kind == spellings[from].kind &&
           study_spelling_compare(spellings[to].text, text) == 0)
        to++;
    return (struct study_spelling_run){from, to};
}

/* Finding codes and dimensions by what people write. */
enum { SHOWN_BYTES_MAX = 100, SHOWN_CODES_MAX = 5 };

static struct str shown(struct str text)
{
    return str_slice(text, 0, SHOWN_BYTES_MAX);
}

/* Adds "; did you mean 'x'?"; false when no name is near. */
static bool add_hint(struct buf *buf, struct str text, const struct str *names,
                     size_t count)
{
    size_t near = near_find(text, names, count);

    if (near < count)
        buf_add_format(buf, "; did you mean '%.*s'?", STR_ARG(names[near]));
    return near < count;
}

/* Records the message in *buf, which it frees, and is false. */
static bool refuse(struct buf *buf, struct err *err)
{
    err_record(err, ERR_INPUT, "%.*s", STR_ARG(buf_str(buf)));
    buf_free(buf);
    return false;
}

static bool no_dimension(const struct study_codebook *codebook, struct str id,
                         struct err *err)
{
    struct arena arena = {0};
    struct str *ids = arena_array(&arena, struct str, codebook->count + 1);
    struct buf message = {0};

    for (size_t i = 0; i < codebook->count; i++)
        ids[i] = codebook->dimensions[i].id;
    buf_add_format(&message, "codebook %.*s has no dimension '%.*s'",
                   STR_ARG(codebook->id), STR_ARG(shown(id)));
    if (!add_hint(&message, id, ids, codebook->count))
        for (size_t i = 0; i < codebook->count; i++)
            buf_add_format(&message, "%s%.*s", i == 0 ? "; it has " : ", ",
                           STR_ARG(ids[i]));
    arena_free(&arena);
    return refuse(&message, err);
}

bool study_codebook_choose(const struct study_codebook *codebook, struct str id,
                           const struct study_codebook_dimension **out, struct err *err)
{
    *out = NULL;
    for (size_t i = 0; i < codebook->count; i++)
        if (str_eq(codebook->dimensions[i].id, id) ||
            (id.len == 0 && codebook->count == 1))
            *out = &codebook->dimensions[i];
    return *out != NULL || no_dimension(codebook, id, err);
}

static bool unknown(const struct study_codebook_dimension *dimension, struct str text,
                    struct err *err)
{
    struct arena arena = {0};
    struct str *names = arena_array(&arena, struct str, dimension->spelling_count + 1);
    struct buf message = {0};

    for (size_t i = 0; i < dimension->spelling_count; i++)
        names[i] = dimension->spellings[i].text;
    buf_add_format(&message, "unknown code '%.*s'", STR_ARG(shown(text)));
    (void)add_hint(&message, text, names, dimension->spelling_count);
    arena_free(&arena);
    return refuse(&message, err);
}

static bool ambiguous(const struct study_codebook_dimension *dimension,
                      struct study_spelling_run run, struct str text, struct err *err)
{
    struct buf message = {0};
    size_t listed = run.from;

    buf_add_format(&message, "'%.*s' may mean ", STR_ARG(shown(text)));
    for (; listed < run.to && listed < run.from + SHOWN_CODES_MAX; listed++)
        buf_add_format(&message, "%s'%.*s'", listed == run.from ? "" : " or ",
                       STR_ARG(dimension->codes[dimension->spellings[listed].code].path));
    if (listed < run.to)
        buf_add_format(&message, " or %zu more", run.to - listed);
    buf_add(&message, STR("; write which"));
    return refuse(&message, err);
}

/* Codes that were added after the file was read, as those accepted while labelling, have
 * no spelling but their path. */
static bool find_path(const struct study_codebook_dimension *dimension, struct str path,
                      size_t *code)
{
    for (size_t i = 0; i < dimension->count; i++)
        if (str_eq(dimension->codes[i].path, path)) {
            *code = i;
            return true;
        }
    return false;
}

bool study_codebook_find(const struct study_codebook_dimension *dimension,
                         struct str text, size_t *code, struct err *err)
{
    const struct study_spelling *spellings = dimension->spellings;
    struct study_spelling_run run =
        study_spelling_find(spellings, dimension->spelling_count, text);

    text = str_trim(text);
    if (run.from == run.to)
        return find_path(dimension, text, code) || unknown(dimension, text, err);
    if (spellings[run.to - 1].code != spellings[run.from].code)
        return ambiguous(dimension, run, text, err);
    *code = spellings[run.from].code;
    return true;
}

enum { FILE_BYTES_MAX = 64 << 20 };

struct codebook_reader {
    struct arena *arena;
    struct study_keys_problems problems;
    struct study_codebook *codebook;
    struct study_codebook_dimension *dimension; /* being read */
    size_t spelling_room;
    size_t code_count; /* of all dimensions */
};

/* Values of any key. */

static void expected(struct codebook_reader *reader, const struct yaml_node *node,
                     const char *what)
{
    const char *found = node->type == YAML_SCALAR    ? "nothing"
                        : node->count == 0           ? "an empty collection"
                        : node->type == YAML_MAPPING ? "a mapping"
                                                     : "a list";

    if (node->type == YAML_SCALAR && node->text.len > 0)
        study_keys_complain(&reader->problems, node, "expected %s; found '%.*s'", what,
                            STR_ARG(shown(node->text)));
    else
        study_keys_complain(&reader->problems, node, "expected %s; found %s", what,
                            found);
}

/* Complains of keys that are not among the names, a list ended by NULL. */
static void check_keys(struct codebook_reader *reader, const struct yaml_node *mapping,
                       const char *const *names)
{
    struct str known[8];
    struct buf all = {0};
    size_t count = 0;

    for (; names[count] != NULL; count++) {
        assert(count < ROWS_OF(known));
        known[count] = str_from(names[count]);
        buf_add_format(&all, "%s%s", count > 0 ? ", " : "", names[count]);
    }
    for (size_t i = 0; i < mapping->count; i++) {
        struct str key = mapping->keys[i].text;
        if (str_find(key, known, count) < count)
            continue;
        size_t near = near_find(key, known, count);
        if (near < count)
            study_keys_complain(&reader->problems, &mapping->keys[i],
                                "unknown key '%.*s'; did you mean '%s'?",
                                STR_ARG(shown(key)), names[near]);
        else
            study_keys_complain(&reader->problems, &mapping->keys[i],
                                "unknown key '%.*s'; allowed are %.*s",
                                STR_ARG(shown(key)), STR_ARG(buf_str(&all)));
    }
    buf_free(&all);
}

/* The mapping under the key, which must not be empty; NULL when there is none. */
static const struct yaml_node *mapping_of(struct codebook_reader *reader,
                                          const struct yaml_node *node, struct str key)
{
    const struct yaml_node *value = yaml_get(node, key);

    if (value == NULL || (value->type == YAML_MAPPING && value->count > 0))
        return value;
    expected(reader, value, "'id: name' lines");
    return NULL;
}

static struct str text_of(struct codebook_reader *reader, const struct yaml_node *node,
                          struct str key)
{
    const struct yaml_node *value = yaml_get(node, key);

    if (value != NULL && value->type == YAML_SCALAR && str_trim(value->text).len > 0)
        return str_trim(value->text);
    if (value != NULL)
        expected(reader, value, "text");
    return STR("");
}

static bool yes_no_of(struct codebook_reader *reader, const struct yaml_node *node,
                      struct str key, bool fallback)
{
    const struct yaml_node *value = yaml_get(node, key);

    if (value == NULL)
        return fallback;
    bool yes = str_eq(value->text, STR("yes"));
    if (!yes && !str_eq(value->text, STR("no")))
        expected(reader, value, "yes or no");
    return yes;
}

static struct study_codebook_texts texts_of(struct codebook_reader *reader,
                                            const struct yaml_node *node, struct str key)
{
    const struct yaml_node *value = yaml_get(node, key);
    struct study_codebook_texts texts = {NULL, 0};

    if (value == NULL)
        return texts;
    if (value->type != YAML_SEQUENCE) {
        expected(reader, value, "a list of texts, as in [one, two]");
        return texts;
    }
    texts.at = arena_array(reader->arena, struct str, value->count + 1);
    for (size_t i = 0; i < value->count; i++) {
        struct str text = str_trim(value->items[i].text);
        if (text.len > 0)
            texts.at[texts.count++] = text;
        else
            expected(reader, &value->items[i], "text");
    }
    return texts;
}

static void check_id(struct codebook_reader *reader, const struct yaml_node *key)
{
    bool fine = key->text.len > 0;

    for (size_t i = 0; i < key->text.len; i++) {
        char c = key->text.ptr[i];
        fine = fine && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.');
    }
    if (!fine)
        expected(reader, key, "an id of letters, digits, - _ .");
}

/* Codes. */

static void add_spelling(struct codebook_reader *reader, struct str text,
                         enum study_spelling_kind kind, size_t code,
                         const struct yaml_node *node)
{
    struct study_codebook_dimension *dimension = reader->dimension;

    assert(dimension->spelling_count < reader->spelling_room);
    dimension->spellings[dimension->spelling_count++] =
        (struct study_spelling){text, kind, code, node->line, node->column};
}

static void read_also(struct codebook_reader *reader, const struct yaml_node *node,
                      size_t number)
{
    const struct yaml_node *also = yaml_get(node, STR("also"));

    reader->dimension->codes[number].also = texts_of(reader, node, STR("also"));
    for (size_t i = 0; also != NULL && i < also->count; i++)
        if (also->type == YAML_SEQUENCE && str_trim(also->items[i].text).len > 0)
            add_spelling(reader, str_trim(also->items[i].text), STUDY_SPELLING_ALSO,
                         number, &also->items[i]);
}

static void read_code_keys(struct codebook_reader *reader, const struct yaml_node *node,
                           size_t number)
{
    static const char *const keys[] = {"name",     "definition", "use-when",
                                       "not-when", "examples",   "counter-examples",
                                       "also",     "codes",      NULL};
    struct study_codebook_code *code = &reader->dimension->codes[number];

    check_keys(reader, node, keys);
    if (yaml_get(node, STR("name")) != NULL)
        code->name = text_of(reader, node, STR("name"));
    code->definition = text_of(reader, node, STR("definition"));
    code->use_when = text_of(reader, node, STR("use-when"));
    code->not_when = text_of(reader, node, STR("not-when"));
    code->examples = texts_of(reader, node, STR("examples"));
    code->counter_examples = texts_of(reader, node, STR("counter-examples"));
    read_also(reader, node, number);
}

static struct str path_below(struct codebook_reader *reader, size_t parent, struct str id)
{
    if (parent == STUDY_CODEBOOK_NONE)
        return id;
    return arena_format(reader->arena, "%.*s/%.*s",
                        STR_ARG(reader->dimension->codes[parent].path), STR_ARG(id));
}

static size_t add_code(struct codebook_reader *reader, const struct yaml_node *key,
                       size_t parent, bool special)
{
    struct study_codebook_dimension *dimension = reader->dimension;
    size_t number = dimension->count++;

    check_id(reader, key);
    dimension->codes[number] = (struct study_codebook_code){
        .id = key->text,
        .path = path_below(reader, parent, key->text),
        .name = key->text,
        .parent = parent,
        .level = parent == STUDY_CODEBOOK_NONE ? 1 : dimension->codes[parent].level + 1,
        .leaf = true,
        .special = special,
    };
    if (parent != STUDY_CODEBOOK_NONE)
        dimension->codes[parent].leaf = false;
    return number;
}

static void read_codes(struct codebook_reader *reader, const struct yaml_node *codes,
                       size_t parent, bool special)
{
    for (size_t i = 0; codes != NULL && i < codes->count; i++) {
        const struct yaml_node *key = &codes->keys[i], *node = &codes->items[i];
        size_t number = add_code(reader, key, parent, special);
        struct study_codebook_code *code = &reader->dimension->codes[number];
        if (node->type == YAML_MAPPING)
            read_code_keys(reader, node, number);
        else if (node->type == YAML_SEQUENCE)
            expected(reader, node, "a code's name or its 'key: value' lines");
        else if (str_trim(node->text).len > 0)
            code->name = str_trim(node->text);
        add_spelling(reader, code->path, STUDY_SPELLING_PATH, number, key);
        add_spelling(reader, code->id, STUDY_SPELLING_ID, number, key);
        add_spelling(reader, code->name, STUDY_SPELLING_NAME, number, key);
        if (special && yaml_get(node, STR("codes")) != NULL)
            study_keys_complain(&reader->problems, yaml_get(node, STR("codes")),
                                "a special code has no codes below it");
        else if (node->type == YAML_MAPPING)
            read_codes(reader, mapping_of(reader, node, STR("codes")), number, false);
    }
}

/* How much room the codes below a node take; the shape is checked later. */
struct room {
    size_t codes, spellings;
};

static void add_room(const struct yaml_node *codes, struct room *room)
{
    for (size_t i = 0; codes != NULL && i < codes->count; i++) {
        const struct yaml_node *also = yaml_get(&codes->items[i], STR("also"));
        room->codes++;
        room->spellings += 3 + (also != NULL ? also->count : 0);
        add_room(yaml_get(&codes->items[i], STR("codes")), room);
    }
}

/* Spellings. */

/* Of two codes with one spelling: two paths must differ, and a further spelling has no
 * business to be anything else's. Equal ids and names are normal in different branches;
 * whoever uses one is told. */
static void check_spellings(struct codebook_reader *reader)
{
    const struct study_codebook_dimension *dimension = reader->dimension;
    const struct study_spelling *first = dimension->spellings;

    for (size_t i = 1; i < dimension->spelling_count; i++) {
        const struct study_spelling *here = &dimension->spellings[i];
        if (study_spelling_compare(first->text, here->text) != 0)
            first = here;
        if (first->code == here->code ||
            (here->kind != STUDY_SPELLING_PATH && here->kind != STUDY_SPELLING_ALSO))
            continue;
        struct yaml_node at = {.line = here->line, .column = here->column};
        study_keys_complain(&reader->problems, &at,
                            "'%.*s' already stands for the code '%.*s' in line %d",
                            STR_ARG(shown(here->text)),
                            STR_ARG(dimension->codes[first->code].path), first->line);
    }
}

/* Dimensions. */

/* Room for the codes of a dimension; false when the file has too many. */
static bool make_room(struct codebook_reader *reader, const struct yaml_node *at,
                      struct room room)
{
    struct study_codebook_dimension *dimension = reader->dimension;

    reader->code_count += room.codes;
    if (reader->code_count > STUDY_CODEBOOK_CODES_MAX) {
        study_keys_complain(&reader->problems, at,
                            "found %zu codes up to here; at most %d are allowed",
                            reader->code_count, STUDY_CODEBOOK_CODES_MAX);
        return false;
    }
    reader->spelling_room = room.spellings;
    dimension->codes =
        arena_array(reader->arena, struct study_codebook_code, room.codes + 1);
    dimension->spellings =
        arena_array(reader->arena, struct study_spelling, room.spellings + 1);
    return true;
}

/* The codes of the tree and the special ones, of the dimension and of the whole file. The
 * errors of the latter are reported by the first dimension for all. */
static bool read_dimension(struct codebook_reader *reader, const struct yaml_node *node,
                           const struct yaml_node *own, const struct yaml_node *shared)
{
    struct study_codebook_dimension *dimension = reader->dimension;
    const struct yaml_node *codes = mapping_of(reader, node, STR("codes"));
    struct room room = {0, 0};

    if (yaml_get(node, STR("codes")) == NULL)
        study_keys_complain(&reader->problems, node,
                            "expected 'codes:' with 'id: name' lines");
    add_room(codes, &room);
    add_room(own, &room);
    add_room(shared, &room);
    if (!make_room(reader, node, room))
        return false;
    read_codes(reader, codes, STUDY_CODEBOOK_NONE, false);
    read_codes(reader, own, STUDY_CODEBOOK_NONE, true);
    size_t reported = reader->problems.count;
    read_codes(reader, shared, STUDY_CODEBOOK_NONE, true);
    if (dimension != reader->codebook->dimensions)
        reader->problems.count = reported;
    study_spelling_sort(dimension->spellings, dimension->spelling_count);
    check_spellings(reader);
    return true;
}

static void read_dimensions(struct codebook_reader *reader,
                            const struct yaml_node *dimensions,
                            const struct yaml_node *shared, bool several)
{
    static const char *const keys[] = {"name", "several", "codes", "special", NULL};
    struct study_codebook *codebook = reader->codebook;

    codebook->dimensions =
        arena_array(reader->arena, struct study_codebook_dimension, dimensions->count);
    for (size_t i = 0; i < dimensions->count; i++) {
        const struct yaml_node *node = &dimensions->items[i];
        struct study_codebook_dimension *dimension =
            &codebook->dimensions[codebook->count++];
        check_id(reader, &dimensions->keys[i]);
        *dimension = (struct study_codebook_dimension){.id = dimensions->keys[i].text};
        dimension->name = dimension->id;
        if (node->type != YAML_MAPPING) {
            expected(reader, node, "a dimension's 'key: value' lines");
            continue;
        }
        check_keys(reader, node, keys);
        if (yaml_get(node, STR("name")) != NULL)
            dimension->name = text_of(reader, node, STR("name"));
        dimension->several = yes_no_of(reader, node, STR("several"), several);
        reader->dimension = dimension;
        if (!read_dimension(reader, node, mapping_of(reader, node, STR("special")),
                            shared))
            return;
    }
}

static void read_only_dimension(struct codebook_reader *reader,
                                const struct yaml_node *root,
                                const struct yaml_node *special, bool several)
{
    struct study_codebook *codebook = reader->codebook;

    codebook->dimensions = arena_array(reader->arena, struct study_codebook_dimension, 1);
    codebook->count = 1;
    codebook->dimensions[0] = (struct study_codebook_dimension){
        .id = codebook->id, .name = codebook->title, .several = several};
    reader->dimension = codebook->dimensions;
    (void)read_dimension(reader, root, NULL, special);
}

/* The whole. */

static void read_root(struct codebook_reader *reader, const struct yaml_node *root)
{
    static const char *const keys[] = {"codebook", "title",   "several", "dimensions",
                                       "codes",    "special", "changes", NULL};
    struct study_codebook *codebook = reader->codebook;
    const struct yaml_node *id = yaml_get(root, STR("codebook"));

    if (root->type != YAML_MAPPING) {
        expected(reader, root, "'key: value' lines");
        return;
    }
    check_keys(reader, root, keys);
    if (id == NULL)
        study_keys_complain(&reader->problems, root,
                            "expected 'codebook:' with the book's id");
    else
        check_id(reader, id);
    codebook->id = id != NULL ? id->text : STR("");
    codebook->title = codebook->id;
    if (yaml_get(root, STR("title")) != NULL)
        codebook->title = text_of(reader, root, STR("title"));
    bool several = yes_no_of(reader, root, STR("several"), false);
    const struct yaml_node *special = mapping_of(reader, root, STR("special"));
    const struct yaml_node *dimensions = mapping_of(reader, root, STR("dimensions"));
    if (yaml_get(root, STR("dimensions")) == NULL)
        read_only_dimension(reader, root, special, several);
    else if (yaml_get(root, STR("codes")) != NULL)
        study_keys_complain(&reader->problems, yaml_get(root, STR("codes")),
                            "found 'codes' beside 'dimensions'; expected one of them");
    else if (dimensions != NULL)
        read_dimensions(reader, dimensions, special, several);
    study_history_read(yaml_get(root, STR("changes")), reader->arena, &reader->problems,
                       codebook);
}

bool study_codebook_parse(struct str text, const char *path, struct arena *arena,
                          struct study_codebook *out, struct buf *problems,
                          struct err *err)
{
    struct codebook_reader reader = {
        .arena = arena, .problems = {.path = path, .arena = arena}, .codebook = out};
    struct yaml_node *root = arena_array(arena, struct yaml_node, 1);

    *out = (struct study_codebook){0};
    if (!yaml_parse(text, path, arena, root, err)) {
        buf_add_format(problems, "%s\n", err->text);
        return err_set(err, ERR_INPUT, "%s: 1 error", path);
    }
    read_root(&reader, root);
    study_keys_report(&reader.problems, problems);
    size_t count = reader.problems.count;
    return count == 0 ||
           err_set(err, ERR_INPUT, "%s: %zu error%s", path, count, count == 1 ? "" : "s");
}

bool study_codebook_load(const char *path, struct arena *arena,
                         struct study_codebook *out, struct buf *problems,
                         struct err *err)
{
    struct str text;

    return file_read_max(path, FILE_BYTES_MAX, arena, &text, err) &&
           study_codebook_parse(text, path, arena, out, problems, err);
}
