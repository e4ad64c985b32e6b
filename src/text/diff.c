/* One reader of patches; the page and json are written from its parts. */
#include "text/diff.h"

#include "text/utf8.h"

const struct text_diff_limits text_diff_page = {.files = 200,
                                                .lines = 5000,
                                                .file_lines = 1000,
                                                .line_bytes = 1000,
                                                .bytes = 4 << 20};

enum { PLACE_BYTES_MAX = 960, NAME_BYTES_MAX = 200 }; /* of paths in attributes */

/* ---- reading */

static struct str next_line(struct str *rest)
{
    struct str line;

    str_cut(rest, '\n', &line);
    return line;
}

static struct str peek_line(struct str rest)
{
    return next_line(&rest);
}

static bool take_prefix(struct str *text, struct str prefix)
{
    if (!str_starts(*text, prefix))
        return false;
    *text = str_slice(*text, prefix.len, text->len);
    return true;
}

/* A path in quotes, as git writes one with odd bytes; *text stands behind it then. */
static void read_quoted(struct str *text, struct buf *path)
{
    static const char letters[] = "abtnvfr", bytes[] = "\a\b\t\n\v\f\r";
    size_t at = 1;

    for (; at < text->len && text->ptr[at] != '"'; at++) {
        char c = text->ptr[at];
        if (c != '\\' || at + 1 == text->len) {
            buf_add_char(path, c);
            continue;
        }
        c = text->ptr[++at];
        const char *letter = c != '\0' ? strchr(letters, c) : NULL;
        int value = 0, digits = 0;
        for (;
             digits < 3 && at < text->len && text->ptr[at] >= '0' && text->ptr[at] <= '7';
             digits++)
            value = value * 8 + (text->ptr[at++] - '0');
        at -= digits > 0;
        buf_add_char(path, digits > 0       ? (char)value
                           : letter != NULL ? bytes[letter - letters]
                                            : c);
    }
    *text = str_slice(*text, at + 1, text->len);
}

/* The path that a line ends in, without the a/ or b/ before it; empty for /dev/null. */
static void read_path(struct str text, bool prefixed, struct buf *path)
{
    size_t begin;

    if (str_eq(text, STR("/dev/null")))
        return;
    buf_clear(path);
    if (str_starts(text, STR("\"")))
        read_quoted(&text, path);
    else
        buf_add(path,
                str_ends(text, STR("\t")) ? str_slice(text, 0, text.len - 1) : text);
    begin = prefixed && path->len > 2 && path->ptr[1] == '/' ? 2 : 0;
    if (begin > 0)
        memmove(path->ptr, path->ptr + begin, path->len - begin);
    path->len -= begin;
}

/* "a/PATH b/PATH": where both are the same there is but one way to part them; where they
 * are not, lines that follow have them. */
static void read_both(struct text_diff *diff, struct str names)
{
    struct str first = str_slice(names, 0, names.len / 2);

    buf_clear(&diff->path);
    buf_clear(&diff->old_path);
    if (str_starts(names, STR("\""))) {
        struct buf ignored = {0};
        struct str rest = names;
        read_quoted(&rest, &ignored);
        first = str_slice(names, 0, names.len - rest.len);
        buf_free(&ignored);
    }
    read_path(first, true, &diff->old_path);
    read_path(first, true, &diff->path);
}

/* Lines between "diff --git" and the first hunk. */
static void read_heading(struct text_diff *diff)
{
    while (diff->rest.len > 0) {
        struct str line = peek_line(diff->rest);
        if (str_starts(line, STR("diff --git ")) || str_starts(line, STR("@@ -")))
            return;
        next_line(&diff->rest);
        if (str_starts(line, STR("new file mode ")))
            diff->status = "added";
        else if (str_starts(line, STR("deleted file mode ")))
            diff->status = "deleted";
        else if (str_starts(line, STR("Binary files ")) ||
                 str_starts(line, STR("GIT binary patch")))
            diff->binary = true;
        else if (take_prefix(&line, STR("rename from "))) {
            diff->status = "renamed";
            read_path(line, false, &diff->old_path);
        } else if (take_prefix(&line, STR("rename to ")))
            read_path(line, false, &diff->path);
        else if (take_prefix(&line, STR("--- ")))
            read_path(line, true, &diff->old_path);
        else if (take_prefix(&line, STR("+++ "))) {
            read_path(line, true, &diff->path);
            return;
        }
    }
}

static enum text_diff_part begin_file(struct text_diff *diff)
{
    struct str line = peek_line(diff->rest);

    diff->status = "changed";
    diff->binary = false;
    if (take_prefix(&line, STR("diff --git "))) {
        next_line(&diff->rest);
        read_both(diff, line);
    } else {
        buf_clear(&diff->path);
        buf_clear(&diff->old_path);
    }
    read_heading(diff);
    if (diff->path.len == 0)
        buf_add(&diff->path, buf_str(&diff->old_path));
    if (diff->old_path.len == 0 || strcmp(diff->status, "renamed") != 0) {
        buf_clear(&diff->old_path);
        buf_add(&diff->old_path, buf_str(&diff->path));
    }
    return TEXT_DIFF_FILE;
}

/* "12,3": from which line on, and how many. */
static bool read_range(struct str text, int64_t *first, int64_t *count)
{
    struct str from;

    *count = 1;
    return (str_cut(&text, ',', &from) ? str_to_int(text, count) : true) &&
           str_to_int(from, first) && *first >= 0 && *count >= 0 && *first < INT32_MAX &&
           *count < INT32_MAX;
}

/* "@@ -12,3 +12,4 @@ heading" */
static bool begin_hunk(struct text_diff *diff, struct str line)
{
    struct str old, new;

    if (!take_prefix(&line, STR("@@ -")) || !str_cut(&line, ' ', &old) ||
        !take_prefix(&line, STR("+")) || !str_cut(&line, ' ', &new) ||
        !take_prefix(&line, STR("@@")) || !read_range(old, &diff->old, &diff->old_left) ||
        !read_range(new, &diff->new, &diff->new_left))
        return false;
    diff->next_old = diff->old;
    diff->next_new = diff->new;
    diff->text = str_trim(line);
    return true;
}

static bool take_line(struct text_diff *diff, struct str line)
{
    diff->sign = line.len > 0 ? line.ptr[0] : ' ';
    bool is_old = diff->sign != '+', is_new = diff->sign != '-';

    if ((is_old && is_new && diff->sign != ' ') || diff->old_left < is_old ||
        diff->new_left < is_new)
        return false;
    diff->old = diff->next_old;
    diff->new = diff->next_new;
    diff->next_old += is_old;
    diff->next_new += is_new;
    diff->old_left -= is_old;
    diff->new_left -= is_new;
    diff->text = str_slice(line, 1, line.len);
    return true;
}

enum text_diff_part text_diff_next(struct text_diff *diff)
{
    bool in_hunk = diff->old_left > 0 || diff->new_left > 0;
    struct str line, after = diff->rest;

    if (diff->rest.len == 0)
        return TEXT_DIFF_END;
    line = next_line(&after);
    if (in_hunk && str_starts(line, STR("diff --git "))) { /* no line of a hunk */
        diff->old_left = diff->new_left = 0;
        in_hunk = false;
    }
    if (!in_hunk && (str_starts(line, STR("diff --git ")) ||
                     (str_starts(line, STR("--- ")) && str_starts(after, STR("+++ ")))))
        return begin_file(diff);
    diff->rest = after;
    if (in_hunk && take_line(diff, line))
        return TEXT_DIFF_LINE;
    diff->text = line;
    if (str_starts(line, STR("\\")))
        return TEXT_DIFF_NOTE;
    if (begin_hunk(diff, line))
        return TEXT_DIFF_HUNK;
    diff->old_left = diff->new_left = 0;
    return TEXT_DIFF_NOTE;
}

void text_diff_free(struct text_diff *diff)
{
    buf_free(&diff->path);
    buf_free(&diff->old_path);
}

/* ---- html */

/* Characters that turn the direction of what follows, or that cannot be seen. */
static bool is_hidden(uint32_t code)
{
    return (code >= 0x80 && code < 0xA0) || code == 0xAD || code == 0x61C ||
           (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF;
}

/* Escaped for html or not, at most so many bytes of it; control characters are written
 * ^M, as git shows them. The number of bytes is the result. */
static size_t add_escaped(struct buf *out, struct str text, size_t bytes_max, bool html)
{
    size_t at = 0, len;

    for (uint32_t code; at < text.len && at < bytes_max; at += len) {
        len = text_utf8_read(text, at, &code);
        if (html && (code == '&' || code == '<' || code == '>' || code == '"'))
            buf_add_xml(out, str_slice(text, at, at + 1));
        else if (is_hidden(code))
            buf_add_format(out, html ? "&lt;U+%04X&gt;" : "<U+%04X>", (unsigned)code);
        else if ((code < 0x20 && code != '\t') || code == 0x7F)
            buf_add_format(out, "^%c", (int)code ^ 0x40);
        else
            out->len += text_utf8_write(code, buf_reserve(out, 4));
    }
    return at;
}

void text_diff_place(struct str path, struct buf *out)
{
    (void)add_escaped(out, path, PLACE_BYTES_MAX, false);
}

static void add_shown(struct buf *out, struct str text, size_t bytes_max)
{
    size_t at = add_escaped(out, text, bytes_max, true);

    if (at < text.len) {
        buf_add(out, STR("<span class=\"diff-cut\"> ... "));
        buf_add_thousands(out, (double)(text.len - at), 0);
        buf_add(out, STR(" more bytes</span>"));
    }
}

static void add_note(struct buf *out, struct str text, size_t bytes_max)
{
    buf_add(out, STR("<div class=\"diff-note\">"));
    add_shown(out, text, bytes_max);
    buf_add(out, STR("</div>\n"));
}

struct diff_page {
    const struct text_diff_limits *limits;
    struct buf *out;
    size_t begin;                    /* in out */
    size_t files, lines, file_lines; /* shown so far; the last of the file */
    bool open;                       /* a block is */
    size_t files_left, lines_left;   /* not shown; the lines of the file */
};

static bool is_full(const struct diff_page *page)
{
    return page->lines == page->limits->lines ||
           page->out->len - page->begin > page->limits->bytes;
}

/* "1,234 lines" */
static void add_count(struct buf *out, size_t count, const char *what)
{
    buf_add_thousands(out, (double)count, 0);
    buf_add_format(out, " %s%s", what, count == 1 ? "" : "s");
}

static void add_left(struct diff_page *page, size_t count, const char *what,
                     const char *where)
{
    if (count == 0)
        return;
    buf_add(page->out, STR("<div class=\"diff-note diff-cut\">"));
    add_count(page->out, count, what);
    buf_add_format(page->out, " more%s: too much for a page</div>\n", where);
}

static void end_file(struct diff_page *page)
{
    if (!page->open)
        return;
    add_left(page, page->lines_left, "line", " in this file");
    buf_add(page->out, STR("</div></div></details>\n"));
    page->lines_left = page->file_lines = 0;
    page->open = false;
}

/* How many lines the file that begins here got and lost. */
static void count_lines(const struct text_diff *diff, int64_t *added, int64_t *deleted)
{
    struct text_diff ahead = {.rest = diff->rest};
    enum text_diff_part part;

    *added = *deleted = 0;
    while ((part = text_diff_next(&ahead)) != TEXT_DIFF_END && part != TEXT_DIFF_FILE)
        if (part == TEXT_DIFF_LINE) {
            *added += ahead.sign == '+';
            *deleted += ahead.sign == '-';
        }
    text_diff_free(&ahead);
}

static void open_block(struct diff_page *page, struct str path)
{
    buf_add(page->out, STR("<div class=\"diff-scroll\" tabindex=\"0\" role=\"group\" "
                           "aria-label=\"Lines of "));
    add_escaped(page->out, path, NAME_BYTES_MAX, true);
    buf_add(page->out, STR("\"><div class=\"diff-lines\">\n"));
    page->open = true;
}

static void add_file(struct diff_page *page, const struct text_diff *diff)
{
    struct buf *out = page->out;
    int64_t added, deleted;

    end_file(page);
    if (page->files == page->limits->files || is_full(page)) {
        page->files_left++;
        return;
    }
    page->files++;
    count_lines(diff, &added, &deleted);
    buf_add(out, STR("<details class=\"diff-file\" open><summary><bdi "
                     "class=\"diff-path\">"));
    add_shown(out, buf_str(&diff->path), page->limits->line_bytes);
    buf_add_format(out, "</bdi> <span class=\"diff-status\">%s", diff->status);
    if (strcmp(diff->status, "renamed") == 0) {
        buf_add(out, STR(" from <bdi>"));
        add_shown(out, buf_str(&diff->old_path), page->limits->line_bytes);
        buf_add(out, STR("</bdi>"));
    }
    buf_add_format(out,
                   "</span> <span class=\"diff-plus\">+%lld</span> "
                   "<span class=\"diff-minus\">\xE2\x88\x92%lld</span></summary>\n",
                   (long long)added, (long long)deleted);
    open_block(page, buf_str(&diff->path));
    if (diff->binary)
        add_note(out, STR("Not text, too large or not there: its lines are not shown"),
                 page->limits->line_bytes);
}

static void add_number(struct buf *out, bool there, int64_t number)
{
    buf_add(out, STR("<span>"));
    if (there)
        buf_add_int(out, number);
    buf_add(out, STR("</span>"));
}

static void add_line(struct diff_page *page, const struct text_diff *diff)
{
    struct buf *out = page->out;
    bool is_new = diff->sign != '-';

    buf_add_format(out, "<div class=\"diff-line%s\"",
                   diff->sign == '+'   ? " diff-added"
                   : diff->sign == '-' ? " diff-deleted"
                                       : "");
    if (diff->path.len > 0) {
        buf_add(out, STR(" data-place=\""));
        add_escaped(out, buf_str(&diff->path), PLACE_BYTES_MAX, true);
        buf_add_format(out, ":%c%lld\"", is_new ? 'R' : 'L',
                       (long long)(is_new ? diff->new : diff->old));
    }
    buf_add(out, STR("><span class=\"diff-numbers\">"));
    add_number(out, diff->sign != '+', diff->old);
    add_number(out, is_new, diff->new);
    buf_add_format(out, "</span><code><span class=\"diff-sign\">%c</span>", diff->sign);
    add_shown(out, diff->text, page->limits->line_bytes);
    buf_add(out, STR("</code></div>\n"));
}

static void add_hunk(struct diff_page *page, const struct text_diff *diff)
{
    buf_add_format(page->out, "<div class=\"diff-hunk\">@@ \xE2\x88\x92%lld +%lld @@ ",
                   (long long)diff->old, (long long)diff->new);
    add_shown(page->out, diff->text, page->limits->line_bytes);
    buf_add(page->out, STR("</div>\n"));
}

static void add_part(struct diff_page *page, const struct text_diff *diff,
                     enum text_diff_part part)
{
    if (page->files_left > 0)
        return;
    if (!page->open) { /* before the first file */
        buf_add(page->out, STR("<details class=\"diff-file\" open><summary>text"
                               "</summary>\n"));
        open_block(page, STR("text"));
    }
    if (is_full(page) || page->file_lines == page->limits->file_lines) {
        page->lines_left += part != TEXT_DIFF_HUNK;
    } else if (part == TEXT_DIFF_HUNK) {
        add_hunk(page, diff);
    } else {
        page->lines++;
        page->file_lines++;
        if (part == TEXT_DIFF_LINE)
            add_line(page, diff);
        else
            add_note(page->out, diff->text, page->limits->line_bytes);
    }
}

void text_diff_html(struct str patch, const struct text_diff_limits *limits,
                    struct buf *out)
{
    struct diff_page page = {.limits = limits, .out = out, .begin = out->len};
    struct text_diff diff = {.rest = patch};

    buf_add(out, STR("<div class=\"diff\">\n"));
    for (enum text_diff_part part; (part = text_diff_next(&diff)) != TEXT_DIFF_END;)
        if (part == TEXT_DIFF_FILE)
            add_file(&page, &diff);
        else
            add_part(&page, &diff, part);
    end_file(&page);
    add_left(&page, page.files_left, "file", "");
    buf_add(out, STR("</div>\n"));
    text_diff_free(&diff);
}

/* ---- json */

static void add_text(struct buf *out, const char *before, struct str text)
{
    struct buf repaired = {0};

    text_utf8_repair(text, &repaired);
    buf_add(out, str_from(before));
    buf_add_json(out, buf_str(&repaired));
    buf_add_char(out, '"');
    buf_free(&repaired);
}

/* From what is open to what is to be: 0 nothing, 1 a file, 2 a hunk in it. */
static void close_json(struct buf *out, int *open, int to)
{
    static const char *const closing[] = {"", "]}", "]}"};

    for (; *open > to; --*open)
        buf_add(out, str_from(closing[*open]));
}

void text_diff_json(struct str patch, struct buf *out)
{
    struct text_diff diff = {.rest = patch};
    size_t files = 0, hunks = 0, lines = 0;
    int open = 0;

    buf_add_char(out, '[');
    for (enum text_diff_part part; (part = text_diff_next(&diff)) != TEXT_DIFF_END;) {
        if (part == TEXT_DIFF_FILE) {
            close_json(out, &open, 0);
            add_text(out, files++ > 0 ? ",{\"path\":\"" : "{\"path\":\"",
                     buf_str(&diff.path));
            if (!str_eq(buf_str(&diff.path), buf_str(&diff.old_path)))
                add_text(out, ",\"old-path\":\"", buf_str(&diff.old_path));
            buf_add_format(out, ",\"status\":\"%s\"%s,\"hunks\":[", diff.status,
                           diff.binary ? ",\"binary\":true" : "");
            hunks = 0;
            open = 1;
        } else if (part == TEXT_DIFF_HUNK && open > 0) {
            close_json(out, &open, 1);
            buf_add_format(out, "%s{\"old\":%lld,\"new\":%lld", hunks++ > 0 ? "," : "",
                           (long long)diff.old, (long long)diff.new);
            add_text(out, ",\"heading\":\"", diff.text);
            buf_add(out, STR(",\"lines\":["));
            lines = 0;
            open = 2;
        } else if (part == TEXT_DIFF_LINE && open == 2) {
            buf_add(out, lines++ > 0 ? STR(",\"") : STR("\""));
            buf_add_char(out, diff.sign);
            add_text(out, "", diff.text);
        }
    }
    close_json(out, &open, 0);
    buf_add_char(out, ']');
    text_diff_free(&diff);
}
