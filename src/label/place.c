/* Places in the diff of a commit: which file and line a link means, and whether the diff
 * shows such lines. */
#include <ctype.h>
#include <glib.h>

#include "label/internal.h"
#include "label/span.h"
#include "text/diff.h"
#include "text/form.h"
#include "text/plain.h"
#include "text/sanitise.h"

/* Diffs. */

static void read_patch(struct label_diff *diff, struct str patch)
{
    struct text_diff reader = {.rest = patch};
    struct label_diff_line line = {0};
    struct buf shown = {0};

    for (enum text_diff_part part; (part = text_diff_next(&reader)) != TEXT_DIFF_END;) {
        if (part == TEXT_DIFF_FILE) {
            buf_clear(&shown);
            text_diff_place(buf_str(&reader.path), &shown);
            line = (struct label_diff_line){
                .path = arena_copy(&diff->arena, buf_str(&reader.path)),
                .old_path = arena_copy(&diff->arena, buf_str(&reader.old_path)),
                .shown = arena_copy(&diff->arena, buf_str(&shown))};
            list_add(&diff->lines, line);
        } else if (part == TEXT_DIFF_LINE) {
            line.old = reader.sign != '+' ? reader.old : 0;
            line.new = reader.sign != '-' ? reader.new : 0;
            list_add(&diff->lines, line);
        }
    }
    text_diff_free(&reader);
    buf_free(&shown);
}

/* The diff of an item, which stays until another one's is asked for. */
static bool open_diff(struct label *label, int64_t item, struct err *err)
{
    struct label_diff *diff = &label->diff;
    struct label_item read;

    if (diff->item == item && diff->read)
        return true;
    label_diff_free(diff);
    diff->item = item;
    diff->read = !label_has_corpus(label); /* then nothing is known of the item */
    if (!diff->read && label_item(label, item, &diff->arena, &read, err)) {
        diff->read = true;
        diff->known = read.patch.len > 0;
        diff->no_commit = !diff->known && read.no_patch.len == 0;
        read_patch(diff, read.patch);
    }
    return diff->read;
}

void label_diff_free(struct label_diff *diff)
{
    list_free(&diff->lines);
    arena_free(&diff->arena);
    *diff = (struct label_diff){0};
}

/* How far the diff has the place: all of its lines, the file alone, nothing. */
enum place_found { PLACE_LINES, PLACE_FILE, PLACE_NOTHING };

static bool is_of(const struct label_diff_line *line,
                  const struct label_unit_place *place)
{
    return str_eq(line->path, place->part) || str_eq(line->shown, place->part);
}

static enum place_found find(const struct label_diff *diff,
                             const struct label_unit_place *place)
{
    const struct label_diff_line *lines = diff->lines.at;
    bool file = false;
    int64_t shown = 0;

    for (size_t i = 0; i < diff->lines.count; i++) {
        if (!is_of(&lines[i], place))
            continue;
        int64_t number = place->side == 'L' ? lines[i].old : lines[i].new;
        file = true;
        shown += number >= place->first && number <= place->last && number > 0;
    }
    return !file                                     ? PLACE_NOTHING
           : place->first == 0                       ? PLACE_LINES
           : shown == place->last - place->first + 1 ? PLACE_LINES
                                                     : PLACE_FILE;
}

/* A line that stayed has the place that it has after the change. */
static void move_right(const struct label_diff *diff, struct label_unit_place *place)
{
    const struct label_diff_line *lines = diff->lines.at;

    for (size_t i = 0; i < diff->lines.count; i++)
        if (place->side == 'L' && place->first == place->last &&
            is_of(&lines[i], place) && lines[i].old == place->first && lines[i].new > 0) {
            place->side = 'R';
            place->first = place->last = lines[i].new;
        }
}

/* Paragraphs, lists and blocks of code of a text are what pages number: the elements at
 * the top of its html, which is well-formed. Returns how many there are; the html from
 * the first to the last of some is in `some`, unless that is NULL. */
static int64_t count_blocks(enum item_form form, struct str body, int64_t first,
                            int64_t last, struct buf *some)
{
    struct buf shown = {0}, html = {0};
    struct str rest, before, tag;
    int64_t count = 0, depth = 0;
    const char *begin = NULL, *behind = NULL;

    if (body.len > 0)
        text_form_show(form, body, &shown);
    text_sanitise_html(buf_str(&shown), &html);
    rest = buf_str(&html);
    while (str_cut(&rest, '<', &before) && str_cut(&rest, '>', &tag)) {
        bool end = str_starts(tag, STR("/"));
        bool empty = str_eq(tag, STR("br")) || str_eq(tag, STR("hr"));
        count += !end && depth == 0;
        if (begin == NULL && count == first)
            begin = before.ptr + before.len;
        depth += end ? -1 : empty ? 0 : 1;
        if (count <= last)
            behind = rest.ptr;
    }
    if (some != NULL && begin != NULL && behind > begin)
        buf_add(some, (struct str){begin, (size_t)(behind - begin)});
    buf_free(&shown);
    buf_free(&html);
    return count;
}

/* "body" and "answer-2" are parts of the item, by the number of the answer or 0; what
 * else somebody calls a part is not known here. */
static bool is_text(struct str part, int64_t *answer)
{
    struct str head = STR("answer-");

    *answer = 0;
    return str_eq(part, STR("body")) ||
           (str_starts(part, head) &&
            str_to_int(str_slice(part, head.len, part.len), answer) && *answer > 0);
}

static int64_t blocks_of(const struct label_item *item, int64_t answer, int64_t first,
                         int64_t last, struct buf *some)
{
    if (answer == 0)
        return count_blocks(
            item->question.form,
            text_form_below(item->question.form, item->question.body, item->title), first,
            last, some);
    if ((size_t)answer > item->answer_count)
        return 0;
    return count_blocks(item->answers[answer - 1].form, item->answers[answer - 1].body,
                        first, last, some);
}

bool label_place_text(struct label *label, int64_t item, struct str place,
                      struct arena *arena, struct str *out, struct err *err)
{
    struct label_item read;
    struct label_parts parts;
    struct label_span_range range;
    struct label_unit_place lines;
    struct err ignored = {0};
    struct buf html = {0}, text = {0};
    int64_t answer;

    *out = (struct str){0};
    if (!label_unit_place_read(place, &lines, &ignored) || lines.first == 0)
        return true;
    if (!label_item(label, item, arena, &read, err) ||
        !label_item_parts(label, item, arena, &parts, err))
        return false;
    if (lines.side == '\0' && is_text(lines.part, &answer)) {
        (void)blocks_of(&read, answer, lines.first, lines.last, &html);
        text_plain(buf_str(&html), &text);
    } else if (label_span_find(&parts, place, &range)) {
        buf_add(&text, label_span_quote(&parts, &range));
    }
    buf_free(&html);
    *out = str_trim(buf_keep(&text, arena));
    return true;
}

static bool check_text(struct label *label, int64_t item,
                       const struct label_unit_place *place, struct err *err)
{
    struct str part = place->part;
    struct arena arena = {0};
    struct label_item read;
    char shown[ITEM_KEY_SHOWN_MAX];
    int64_t answer, blocks;

    if (place->first == 0 || !label_has_corpus(label) || !is_text(part, &answer))
        return true;
    if (!label_item(label, item, &arena, &read, err)) {
        arena_free(&arena);
        return false;
    }
    blocks = blocks_of(&read, answer, 0, 0, NULL);
    arena_free(&arena);
    return place->last <= blocks ||
           err_set(err, ERR_INPUT, "'%.*s' of %s has %lld part%s; found %lld",
                   STR_ARG(part), item_key_show(&label->study->spaces, item, shown),
                   (long long)blocks, str_plural(blocks), (long long)place->last);
}

bool label_place_check(struct label *label, int64_t item,
                       const struct label_unit_place *place, struct err *err)
{
    char shown[ITEM_KEY_SHOWN_MAX];

    if (place->side == '\0')
        return check_text(label, item, place, err);
    if (!open_diff(label, item, err))
        return false;
    if (!label->diff.known)
        return true;
    enum place_found found = find(&label->diff, place);
    const char *key = item_key_show(&label->study->spaces, item, shown);
    return found == PLACE_LINES ||
           (found == PLACE_FILE
                ? err_set(err, ERR_INPUT,
                          "the diff of %s does not show lines %c%lld to %c%lld of "
                          "'%.*s'",
                          key, place->side, (long long)place->first, place->side,
                          (long long)place->last, STR_ARG(str_slice(place->part, 0, 200)))
                : err_set(err, ERR_INPUT, "%s does not change a file '%.*s'", key,
                          STR_ARG(str_slice(place->part, 0, 200))));
}

/* Links. */

static bool is_digest_of(struct str digest, struct str path)
{
    GChecksumType type = digest.len == 32 ? G_CHECKSUM_MD5 : G_CHECKSUM_SHA256;
    char *hex =
        g_compute_checksum_for_data(type, (const unsigned char *)path.ptr, path.len);
    bool same = str_eq(str_from(hex), digest);

    g_free(hex);
    return same;
}

/* "L12-L15" as lines of a file, on the side that it says, or on the right one. */
static bool read_anchor(struct str text, bool sided, struct label_unit_place *out)
{
    struct buf whole = {0};
    struct err ignored = {0};

    buf_add_format(&whole, "x:%.*s", STR_ARG(text));
    bool ok = label_unit_place_read(buf_str(&whole), out, &ignored) && out->first > 0;
    buf_free(&whole);
    if (!sided)
        out->side = 'R';
    return ok;
}

static struct str decoded(struct str text, struct arena *arena)
{
    char *out = arena_array(arena, char, text.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        bool escape = text.ptr[i] == '%' && i + 2 < text.len &&
                      isxdigit((unsigned char)text.ptr[i + 1]) &&
                      isxdigit((unsigned char)text.ptr[i + 2]);
        out[len++] = escape ? (char)(g_ascii_xdigit_value(text.ptr[i + 1]) * 16 +
                                     g_ascii_xdigit_value(text.ptr[i + 2]))
                            : text.ptr[i];
        i += escape ? 2 : 0;
    }
    return (struct str){out, len};
}

/* .../blob/HASH/PATH: a file as it was after the commit. */
static struct str blob_path(struct str link, struct arena *arena)
{
    struct str part;

    while (str_cut(&link, '/', &part))
        if (str_eq(part, STR("blob")) && str_cut(&link, '/', &part))
            return decoded(link, arena);
    return (struct str){0};
}

/* #diff-DIGESTR42: the file whose path has that digest. */
static bool find_digest(const struct label_diff *diff, struct str anchor,
                        struct str *path, struct str *lines)
{
    const struct label_diff_line *files = diff->lines.at;
    size_t digits = 0;

    while (digits < anchor.len && isxdigit((unsigned char)anchor.ptr[digits]))
        digits++;
    struct str digest = str_slice(anchor, 0, digits);
    *lines = str_slice(anchor, digits, anchor.len);
    for (size_t i = 0; i < diff->lines.count; i++)
        if ((digits == 32 || digits == 64) && files[i].old == 0 && files[i].new == 0 &&
            (is_digest_of(digest, files[i].path) ||
             is_digest_of(digest, files[i].old_path))) {
            *path = files[i].path;
            return true;
        }
    return false;
}

bool label_place_of_link(struct label *label, int64_t item, struct str link,
                         struct arena *arena, struct label_link_place *out,
                         struct err *err)
{
    struct str anchor = link, address, lines;
    struct label_unit_place place = {0};

    *out = (struct label_link_place){.found = LABEL_LINK_NONE};
    bool anchored = str_cut(&anchor, '#', &address);
    struct str path = blob_path(address, arena);
    if (!anchored && path.len == 0)
        return true;
    bool diff = str_starts(anchor, STR("diff-"));
    if (path.len == 0 && !diff && !(anchor.len > 1 && anchor.ptr[0] == 'L'))
        return true; /* such as the anchor of a comment */
    out->text = anchored ? arena_copy(arena, anchor) : path;
    out->found = LABEL_LINK_NO_FILE;
    if (!open_diff(label, item, err))
        return false;
    if (!label->diff.known)
        out->found = LABEL_LINK_NO_DIFF;
    lines = anchor;
    if (diff &&
        !find_digest(&label->diff, str_slice(anchor, 5, anchor.len), &path, &lines))
        return true;
    if (path.len == 0)
        return true;
    bool sided = diff;
    if (!anchored || !read_anchor(lines, sided, &place))
        place = (struct label_unit_place){0};
    place.part = path;
    enum place_found found = find(&label->diff, &place);
    move_right(&label->diff, &place);
    if (place.first == 0)
        out->text = arena_copy(arena, path);
    else
        out->text =
            place.first == place.last
                ? arena_format(arena, "%.*s:%c%lld", STR_ARG(path), place.side,
                               (long long)place.first)
                : arena_format(arena, "%.*s:%c%lld-%c%lld", STR_ARG(path), place.side,
                               (long long)place.first, place.side, (long long)place.last);
    if (label->diff.known)
        out->found = found == PLACE_LINES  ? LABEL_LINK_FOUND
                     : found == PLACE_FILE ? LABEL_LINK_OUTSIDE
                                           : LABEL_LINK_NO_FILE;
    return true;
}
