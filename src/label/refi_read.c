/* REFI-QDA: what other programs of qualitative analysis write. A project (.qdpx) is a zip
 * of project.qde, XML, and texts. Codings of a whole source are labels of the item that
 * the source is called by, those of a selection spans; whose they are the XML tells. Of a
 * codebook (.qdc, or that of a project) a codebook of ours is made. Offsets count
 * characters. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "input/xml.h"
#include "input/zipfile.h"
#include "label/internal.h"
#include "label/refi.h"
#include "text/plain.h"

/* Codes, as both kinds of files have them. */

enum { CODE_DEPTH_MAX = 14 };

struct refi_code {
    struct str guid, name;
    size_t parent; /* LABEL_NONE: at the top */
    size_t depth;  /* from 0 */
    bool codable, leaf;
    struct buf description;
};

struct refi_codes {
    struct arena *arena;
    LIST(struct refi_code) list;
    struct map by_guid;
    size_t now; /* the code that is open; LABEL_NONE: none */
    bool describing;
};

static struct str lower_guid(struct str guid, struct arena *arena)
{
    char *out = arena_array(arena, char, guid.len + 1);

    for (size_t i = 0; i < guid.len; i++)
        out[i] = (char)tolower((unsigned char)guid.ptr[i]);
    return (struct str){out, guid.len};
}

static bool begin_code(struct refi_codes *codes, const char *const *attributes,
                       struct err *err)
{
    struct refi_code code = {
        .guid = lower_guid(input_xml_attribute(attributes, "guid"), codes->arena),
        .name =
            arena_copy(codes->arena, str_trim(input_xml_attribute(attributes, "name"))),
        .parent = codes->now,
        .codable = !str_eq(input_xml_attribute(attributes, "isCodable"), STR("false")),
        .leaf = true};

    if (code.name.len == 0)
        return err_set(err, ERR_INPUT, "a code without a name");
    if (codes->list.count == STUDY_CODEBOOK_CODES_MAX)
        return err_set(err, ERR_INPUT, "more than %d codes", STUDY_CODEBOOK_CODES_MAX);
    if (codes->now != LABEL_NONE) {
        codes->list.at[codes->now].leaf = false;
        code.depth = codes->list.at[codes->now].depth + 1;
    }
    if (code.depth >= CODE_DEPTH_MAX)
        return err_set(err, ERR_INPUT, "codes are more than %d levels deep",
                       CODE_DEPTH_MAX);
    codes->now = codes->list.count;
    list_add(&codes->list, code);
    if (code.guid.len > 0)
        *map_put(&codes->by_guid, code.guid) = (int64_t)codes->now + 1;
    return true;
}

static void free_codes(struct refi_codes *codes)
{
    for (size_t i = 0; i < codes->list.count; i++)
        buf_free(&codes->list.at[i].description);
    list_free(&codes->list);
}

/* A project. */

struct refi_coding { /* of a source, or of a selection in it */
    struct str user, code;
    bool selected;
    size_t begin, end;
    struct str quote;
};

struct refi_source {
    struct str name, path; /* path: of its text in the zip */
    struct buf content;    /* where the XML has it itself */
    size_t first, count;   /* of its codings */
};

struct refi_reader {
    struct label_importer *importer;
    struct arena arena;
    struct refi_codes codes;
    struct map users; /* from guid to the number of a name plus 1 */
    LIST(struct str) names;
    LIST(struct refi_source) sources;
    LIST(struct refi_coding) codings;
    bool in_source, in_content;
    bool in_selection;
    struct refi_coding selection;
    struct str coder; /* of the coding that is open */
};

static struct str copy(struct refi_reader *reader, const char *const *attributes,
                       const char *name)
{
    return arena_copy(&reader->arena, input_xml_attribute(attributes, name));
}

static bool read_position(const char *const *attributes, const char *name, size_t *out,
                          struct err *err)
{
    struct str text = input_xml_attribute(attributes, name);
    int64_t number;

    if (!str_to_int(text, &number) || number < 0 || number > INT32_MAX)
        return err_set(err, ERR_INPUT, "found '%.*s' as %s, expected a number",
                       STR_ARG(str_slice(text, 0, 40)), name);
    *out = (size_t)number;
    return true;
}

static void add_coding(struct refi_reader *reader, struct str code)
{
    struct refi_coding coding =
        reader->in_selection ? reader->selection : (struct refi_coding){0};

    coding.code = lower_guid(code, &reader->arena);
    if (reader->coder.len > 0)
        coding.user = reader->coder;
    list_add(&reader->codings, coding);
    reader->sources.at[reader->sources.count - 1].count++;
}

static bool begin_element(void *context, struct str name, const char *const *attributes,
                          struct err *err)
{
    struct refi_reader *reader = context;

    if (str_eq(name, STR("User"))) {
        list_add(&reader->names, copy(reader, attributes, "name"));
        *map_put(&reader->users,
                 lower_guid(input_xml_attribute(attributes, "guid"), &reader->arena)) =
            (int64_t)reader->names.count;
    } else if (str_eq(name, STR("Code"))) {
        return begin_code(&reader->codes, attributes, err);
    } else if (str_eq(name, STR("Description"))) {
        reader->codes.describing = reader->codes.now != LABEL_NONE;
    } else if (str_eq(name, STR("TextSource"))) {
        struct refi_source source = {.name = copy(reader, attributes, "name"),
                                     .path = copy(reader, attributes, "plainTextPath"),
                                     .first = reader->codings.count};
        list_add(&reader->sources, source);
        reader->in_source = true;
    } else if (str_ends(name, STR("Selection")) &&
               !str_eq(name, STR("PlainTextSelection"))) {
        reader->importer->others++; /* of pictures, sounds and the like */
    } else if (!reader->in_source) {
        return true;
    } else if (str_eq(name, STR("PlainTextContent"))) {
        reader->in_content = true;
    } else if (str_eq(name, STR("PlainTextSelection"))) {
        reader->in_selection = true;
        reader->selection = (struct refi_coding){
            .selected = true,
            .user = lower_guid(input_xml_attribute(attributes, "creatingUser"),
                               &reader->arena),
            .quote = copy(reader, attributes, "name")};
        return read_position(attributes, "startPosition", &reader->selection.begin,
                             err) &&
               read_position(attributes, "endPosition", &reader->selection.end, err);
    } else if (str_eq(name, STR("Coding"))) {
        reader->coder =
            lower_guid(input_xml_attribute(attributes, "creatingUser"), &reader->arena);
    } else if (str_eq(name, STR("CodeRef"))) {
        add_coding(reader, input_xml_attribute(attributes, "targetGUID"));
    }
    return true;
}

static bool end_element(void *context, struct str name, struct err *err)
{
    struct refi_reader *reader = context;

    (void)err;
    if (str_eq(name, STR("Code")))
        reader->codes.now = reader->codes.list.at[reader->codes.now].parent;
    else if (str_eq(name, STR("Description")))
        reader->codes.describing = false;
    else if (str_eq(name, STR("TextSource")))
        reader->in_source = false;
    else if (str_eq(name, STR("PlainTextContent")))
        reader->in_content = false;
    else if (str_eq(name, STR("PlainTextSelection")))
        reader->in_selection = false;
    else if (str_eq(name, STR("Coding")))
        reader->coder = (struct str){0};
    return true;
}

static void take_text(void *context, struct str text)
{
    struct refi_reader *reader = context;

    if (reader->codes.describing)
        buf_add(&reader->codes.list.at[reader->codes.now].description, text);
    else if (reader->in_content)
        buf_add(&reader->sources.at[reader->sources.count - 1].content, text);
}

static bool read_xml(struct refi_reader *reader, struct str text, const char *path,
                     struct err *err)
{
    struct input_xml to = {begin_element, end_element, take_text, reader};

    reader->codes.arena = &reader->arena;
    reader->codes.by_guid.arena = &reader->arena;
    reader->codes.now = LABEL_NONE;
    reader->users.arena = &reader->arena;
    return input_xml_read(text, path, &to, err);
}

static void free_reader(struct refi_reader *reader)
{
    for (size_t i = 0; i < reader->sources.count; i++)
        buf_free(&reader->sources.at[i].content);
    free_codes(&reader->codes);
    list_free(&reader->names);
    list_free(&reader->sources);
    list_free(&reader->codings);
    arena_free(&reader->arena);
}

/* Names of the code and those above it, from the top on. */
static const struct str *way_to(const struct refi_codes *codes, size_t at,
                                struct arena *arena, size_t *depth)
{
    size_t count = 0;

    for (size_t i = at; i != LABEL_NONE; i = codes->list.at[i].parent)
        count++;
    struct str *names = arena_array(arena, struct str, count);
    *depth = count;
    for (size_t i = at; i != LABEL_NONE; i = codes->list.at[i].parent)
        names[--count] = codes->list.at[i].name;
    return names;
}

/* From the codes of the project to those of the study: the names from the top on, of
 * which the first may be the dimension. */
static bool find_code(const struct refi_reader *reader, size_t at, struct str *dimension,
                      struct str *code, struct err *err)
{
    const struct study_codebook *codebook = &reader->importer->label->effective;
    const struct refi_codes *codes = &reader->codes;
    size_t depth, found;
    struct err ignored = {0};

    const struct str *way = way_to(codes, at, &reader->importer->arena, &depth);
    for (size_t d = 0; d < codebook->count; d++) {
        const struct study_codebook_dimension *one = &codebook->dimensions[d];
        bool headed = depth > 1 && (str_eq(way[0], one->id) || str_eq(way[0], one->name));
        for (size_t c = 0; c < one->count; c++)
            if (label_import_is_way(one, c, way, depth) ||
                (headed && label_import_is_way(one, c, way + 1, depth - 1))) {
                *dimension = one->id;
                *code = one->codes[c].path;
                return true;
            }
    }
    for (size_t d = 0; d < codebook->count; d++)
        if (study_codebook_find(&codebook->dimensions[d], codes->list.at[at].name, &found,
                                codebook->count == 1 ? err : &ignored)) {
            *dimension = codebook->dimensions[d].id;
            *code = codebook->dimensions[d].codes[found].path;
            return true;
        }
    return codebook->count == 1
               ? false
               : err_set(err, ERR_INPUT, "the codebook has no code '%.*s'",
                         STR_ARG(str_slice(codes->list.at[at].name, 0, 100)));
}

static bool take_coding(struct refi_reader *reader, const struct refi_source *source,
                        struct str text, const struct refi_coding *coding,
                        struct err *err)
{
    struct label_importer *importer = reader->importer;
    const int64_t *user = map_get(&reader->users, coding->user),
                  *code = map_get(&reader->codes.by_guid, coding->code);
    struct label_row row = {.item = source->name, .seconds = NAN};
    struct label_row_span span = {
        .text = text, .begin = coding->begin, .end = coding->end};

    if (str_ends(row.item, STR(".txt")))
        row.item.len -= 4;
    row.item = arena_copy(&importer->arena, row.item);
    if (code == NULL || *code == 0)
        return err_set(err, ERR_INPUT, "a coding names a code that the codebook lacks");
    if (user != NULL && *user > 0)
        row.rater = arena_copy(&importer->arena, reader->names.at[*user - 1]);
    if (!find_code(reader, (size_t)*code - 1, &row.dimension, &span.code, err))
        return false;
    if (!coding->selected)
        return label_import_row(importer, &row, &span.code, 1, err);
    /* Programs differ in whether the last character is the end or before it. */
    size_t first = text_plain_byte(text, span.begin);
    struct str one_more = str_slice(text, first, text_plain_byte(text, span.end + 1));
    if (coding->quote.len > 0 && str_eq(one_more, coding->quote))
        span.end++;
    return label_import_span(importer, &row, &span, err);
}

/* The zip. */

struct refi_zip {
    struct label_importer *importer;
    struct arena arena;
    struct str project;
    struct map texts; /* from the last part of a name to its text's number plus 1 */
    LIST(struct str) list;
    size_t webanno; /* members that are such */
};

static struct str last_part(struct str path)
{
    struct str part = path;

    while (str_cut(&path, '/', &part))
        continue;
    return part;
}

static bool take_member(void *context, struct str name, struct str bytes, struct err *err)
{
    struct refi_zip *zip = context;

    if (str_ends(name, STR(".tsv"))) {
        zip->webanno++;
        return label_webanno_member(zip->importer, name, bytes, err);
    }
    if (str_ends(name, STR(".qde"))) {
        zip->project = arena_copy(&zip->arena, bytes);
    } else if (str_ends(name, STR(".txt"))) {
        if (str_starts(bytes, STR("\xEF\xBB\xBF")))
            bytes = str_slice(bytes, 3, bytes.len);
        list_add(&zip->list, arena_copy(&zip->arena, bytes));
        *map_put(&zip->texts, last_part(name)) = (int64_t)zip->list.count;
    }
    return true;
}

static struct str text_of(const struct refi_zip *zip, const struct refi_source *source)
{
    const int64_t *found = map_get(&zip->texts, last_part(source->path));

    if (source->content.len > 0)
        return buf_str(&source->content);
    return found != NULL && *found > 0 ? zip->list.at[*found - 1] : (struct str){0};
}

static bool take_project(struct refi_zip *zip, struct err *err)
{
    struct refi_reader reader = {.importer = zip->importer};
    const char *path =
        arena_format(&zip->importer->arena, "%s/project.qde", zip->importer->path).ptr;
    bool ok = read_xml(&reader, zip->project, path, err);

    for (size_t s = 0; s < reader.sources.count && ok; s++) {
        const struct refi_source *source = &reader.sources.at[s];
        struct str text = text_of(zip, source);
        for (size_t c = source->first; c < source->first + source->count && ok; c++) {
            ok = take_coding(&reader, source, text, &reader.codings.at[c], err);
            if (!ok && err->kind == ERR_INPUT)
                err_locate(err, "%s: source '%.*s': ", path,
                           STR_ARG(str_slice(source->name, 0, 100)));
            ok = ok || label_import_problem(zip->importer, err);
        }
    }
    free_reader(&reader);
    return ok;
}

bool label_import_zip(struct label_importer *importer, struct str text, struct err *err)
{
    struct refi_zip zip = {.importer = importer};

    zip.texts.arena = &zip.arena;
    importer->place = ":";
    bool ok = input_zipfile_read(text, importer->path, take_member, &zip, err);
    if (ok && zip.project.len > 0)
        ok = take_project(&zip, err);
    else if (ok && zip.webanno == 0)
        ok = err_set(err, ERR_INPUT,
                     "%s: expected a zip with project.qde (REFI-QDA), or with files "
                     "ITEM/RATER.tsv (WebAnno)",
                     importer->path);
    list_free(&zip.list);
    arena_free(&zip.arena);
    return ok;
}

/* A codebook of ours. */

/* An id of a name: letters, digits, - _ . */
static struct str make_id(const struct refi_codes *codes, size_t at, struct str *ids,
                          struct arena *arena)
{
    struct str name = codes->list.at[at].name;
    struct buf id = {0};
    size_t same = 1;

    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        if (isalnum(c) || c == '_' || c == '.')
            buf_add_char(&id, (char)tolower(c));
        else if (id.len > 0 && id.ptr[id.len - 1] != '-')
            buf_add_char(&id, '-');
    }
    while (id.len > 0 && id.ptr[id.len - 1] == '-')
        id.len--;
    if (id.len == 0)
        buf_add(&id, STR("code"));
    struct str made = buf_keep(&id, arena), wanted = made;
    for (size_t i = 0; i < at;)
        if (codes->list.at[i].parent == codes->list.at[at].parent &&
            str_eq(ids[i], made)) {
            made = arena_format(arena, "%.*s-%zu", STR_ARG(wanted), ++same);
            i = 0;
        } else {
            i++;
        }
    return made;
}

static void add_quoted(struct buf *out, struct str text)
{
    buf_add_char(out, '"');
    buf_add_json(out, text);
    buf_add_char(out, '"');
}

/* Parts of a description as we write them; the rest is the definition. */
static void add_description(struct str text, size_t indent, struct buf *out)
{
    static const struct {
        const char *head, *key;
        bool list;
    } parts[] = {{"Use when: ", "use-when", false},
                 {"Not when: ", "not-when", false},
                 {"Example: ", "examples", true},
                 {"Counter-example: ", "counter-examples", true}};
    struct buf definition = {0}, lists[ROWS_OF(parts)] = {{0}};
    struct str line;

    while (text.len > 0) {
        bool own = false;
        str_cut(&text, '\n', &line);
        for (size_t i = 0; i < ROWS_OF(parts); i++) {
            if (!str_starts(line, str_from(parts[i].head)))
                continue;
            struct str part = str_slice(line, strlen(parts[i].head), line.len);
            own = true;
            if (parts[i].list) {
                buf_add(&lists[i], lists[i].len > 0 ? STR(", ") : STR(""));
                add_quoted(&lists[i], part);
                continue;
            }
            buf_add_format(out, "%*s%s: ", (int)indent, "", parts[i].key);
            add_quoted(out, part);
            buf_add_char(out, '\n');
        }
        if (!own) {
            buf_add(&definition, definition.len > 0 ? STR("\n") : STR(""));
            buf_add(&definition, line);
        }
    }
    struct str told = str_trim(buf_str(&definition));
    if (told.len > 0) {
        buf_add_format(out, "%*sdefinition: ", (int)indent, "");
        add_quoted(out, told);
        buf_add_char(out, '\n');
    }
    for (size_t i = 0; i < ROWS_OF(parts); i++) {
        if (lists[i].len > 0)
            buf_add_format(out, "%*s%s: [%.*s]\n", (int)indent, "", parts[i].key,
                           STR_ARG(buf_str(&lists[i])));
        buf_free(&lists[i]);
    }
    buf_free(&definition);
}

static void add_code(const struct refi_codes *codes, size_t at, const struct str *ids,
                     size_t indent, struct buf *out)
{
    const struct refi_code *code = &codes->list.at[at];

    buf_add_format(out, "%*s%.*s:\n%*sname: ", (int)indent, "", STR_ARG(ids[at]),
                   (int)indent + 2, "");
    add_quoted(out, code->name);
    buf_add_char(out, '\n');
    add_description(str_trim(buf_str(&code->description)), indent + 2, out);
    if (!code->leaf)
        buf_add_format(out, "%*scodes:\n", (int)indent + 2, "");
    for (size_t i = at + 1; i < codes->list.count; i++)
        if (codes->list.at[i].parent == at)
            add_code(codes, i, ids, indent + 4, out);
}

/* Whether the top is dimensions: nothing there can be given, and all has codes below. */
static bool has_dimensions(const struct refi_codes *codes)
{
    size_t tops = 0;

    for (size_t i = 0; i < codes->list.count; i++) {
        const struct refi_code *code = &codes->list.at[i];
        if (code->parent != LABEL_NONE)
            continue;
        tops++;
        if (code->codable || code->leaf)
            return false;
    }
    return tops > 1;
}

static void add_codebook(const struct refi_codes *codes, struct str name,
                         struct arena *arena, struct buf *out)
{
    struct str *ids = arena_array(arena, struct str, codes->list.count + 1);

    for (size_t i = 0; i < codes->list.count; i++)
        ids[i] = make_id(codes, i, ids, arena);
    buf_add(out, STR("codebook: "));
    add_quoted(out, name);
    buf_add(out, has_dimensions(codes) ? STR("\ndimensions:\n") : STR("\ncodes:\n"));
    for (size_t i = 0; i < codes->list.count; i++)
        if (codes->list.at[i].parent == LABEL_NONE)
            add_code(codes, i, ids, 2, out);
}

static bool take_codebook_member(void *context, struct str name, struct str bytes,
                                 struct err *err)
{
    struct refi_zip *zip = context;

    (void)err;
    if (str_ends(name, STR(".qde")))
        zip->project = arena_copy(&zip->arena, bytes);
    return true;
}

bool label_refi_read_codebook(struct str text, const char *path, struct buf *out,
                              struct err *err)
{
    struct label_importer nobody = {.path = path};
    struct refi_reader reader = {.importer = &nobody};
    struct refi_zip zip = {.project = text};
    struct str name = last_part(str_from(path)), stem;
    bool ok = true;

    if (str_starts(text, STR("PK\3\4"))) {
        zip.project = (struct str){0};
        ok = input_zipfile_read(text, path, take_codebook_member, &zip, err) &&
             (zip.project.len > 0 ||
              err_set(err, ERR_INPUT, "%s: expected a zip with project.qde", path));
    }
    str_cut(&name, '.', &stem);
    ok = ok && read_xml(&reader, zip.project, path, err) &&
         (reader.codes.list.count > 0 ||
          err_set(err, ERR_INPUT, "%s: there are no codes in it", path));
    if (ok)
        add_codebook(&reader.codes, stem, &reader.arena, out);
    free_reader(&reader);
    arena_free(&zip.arena);
    return ok;
}
