/* An object of git as a commit: its lines of links, persons and dates, its message in
 * UTF-8. The parser is ours, since libgit2's gives up on what git itself puts up with. */
#include "git/internal.h"

#include <iconv.h>
#include <string.h>

#include "base/date.h"
#include "text/utf8.h"

void git_history_reading_free(struct git_history_reading *reading)
{
    buf_free(&reading->text);
    buf_free(&reading->subject);
    list_free(&reading->parents);
}

/* The rest of the next line if it begins so. */
static bool take_line(struct str *rest, struct str begins, struct str *value)
{
    struct str line;

    if (!str_starts(*rest, begins))
        return false;
    str_cut(rest, '\n', &line);
    *value = str_slice(line, begins.len, line.len);
    return true;
}

static bool take_hash(struct str *rest, struct str begins, git_oid *id)
{
    char digits[GIT_HISTORY_HASH_DIGITS + 1] = {0};
    struct str value;

    if (!take_line(rest, begins, &value) || value.len != GIT_HISTORY_HASH_DIGITS)
        return false;
    memcpy(digits, value.ptr, value.len);
    return git_oid_fromstr(id, digits) == 0;
}

/* ---- persons */

/* The first number of digits in s, which is cut off it; false when there is none or it is
 * too large. */
static bool take_number(struct str *s, int64_t *number)
{
    size_t len = 0;

    while (len < s->len && s->ptr[len] >= '0' && s->ptr[len] <= '9')
        len++;
    bool ok = str_to_int(str_slice(*s, 0, len), number);
    *s = str_slice(*s, len, s->len);
    return ok;
}

/* " 1400000000 +0200" behind the mail. */
static bool read_date(struct str s, int64_t *seconds, int *zone_minutes)
{
    int64_t zone;

    *zone_minutes = 0;
    s = str_trim(s);
    bool negative = str_starts(s, STR("-"));
    s = str_slice(s, negative, s.len);
    if (!take_number(&s, seconds))
        return false;
    *seconds = negative ? -*seconds : *seconds;
    s = str_trim(s);
    bool west = str_starts(s, STR("-"));
    if (!west && !str_starts(s, STR("+")))
        return true;
    s = str_slice(s, 1, s.len);
    if (take_number(&s, &zone) && zone < 2400)
        *zone_minutes = (int)(zone / 100 * 60 + zone % 100) * (west ? -1 : 1);
    return true;
}

/* "Name <mail> date": what git itself makes of broken ones too. */
static bool read_person(struct str line, struct git_history_person *person,
                        int64_t *seconds)
{
    struct str rest = line, name, mail;
    size_t last = line.len;

    *person = (struct git_history_person){.ms = ITEM_NONE};
    bool has_mail = str_cut(&rest, '<', &name);
    person->name = str_trim(name);
    if (has_mail) {
        str_cut(&rest, '>', &mail);
        person->mail = mail;
    }
    while (last > 0 && line.ptr[last - 1] != '>')
        last--;
    return last > 0 &&
           read_date(str_slice(line, last, line.len), seconds, &person->zone_minutes);
}

bool git_history_read_links(struct str object, struct git_history_reading *reading,
                            git_oid *tree, int64_t *committed_s)
{
    struct git_history_person person;
    struct git_history_hash parent;
    struct str value;
    git_oid id;

    list_clear(&reading->parents);
    if (!take_hash(&object, STR("tree "), tree))
        return false;
    while (take_hash(&object, STR("parent "), &id)) {
        memcpy(parent.bytes, id.id, sizeof parent.bytes);
        list_add(&reading->parents, parent);
    }
    if (committed_s == NULL)
        return true;
    *committed_s = 0;
    while (object.len > 0 && object.ptr[0] != '\n') {
        if (take_line(&object, STR("committer "), &value)) {
            if (!read_person(value, &person, committed_s))
                *committed_s = 0;
            return true;
        }
        str_cut(&object, '\n', &value);
    }
    return true;
}

/* ---- characters */

static bool is_utf8_name(struct str name)
{
    char folded[8];
    size_t len = 0;

    for (size_t i = 0; i < name.len && len < sizeof folded; i++)
        if (name.ptr[i] != '-')
            folded[len++] = (char)(name.ptr[i] | 0x20);
    return str_eq((struct str){folded, len}, STR("utf8"));
}

/* The value of the header, or nothing. */
static struct str encoding_of(struct str object)
{
    struct str value;

    while (object.len > 0 && object.ptr[0] != '\n') {
        if (take_line(&object, STR("encoding "), &value))
            return str_trim(value);
        str_cut(&object, '\n', &value);
    }
    return (struct str){0};
}

/* Adds all of text in UTF-8; a byte that means nothing in the encoding becomes U+FFFD. */
static bool recode(struct str text, struct str encoding, struct buf *out, bool *repaired)
{
    char name[40] = {0};
    char *in = (char *)(uintptr_t)text.ptr;
    size_t left = text.len;

    if (encoding.len >= sizeof name)
        return false;
    memcpy(name, encoding.ptr, encoding.len);
    iconv_t code = iconv_open("UTF-8", name);
    if (code == (iconv_t)-1)
        return false;
    while (left > 0) {
        size_t room = 4 * left + 16;
        char *to = buf_reserve(out, room);
        size_t status = iconv(code, &in, &left, &to, &room);
        out->len = (size_t)(to - out->ptr);
        if (status == (size_t)-1 && left > 0) {
            buf_add(out, STR("\xEF\xBF\xBD"));
            *repaired = true;
            in++;
            left--;
        }
    }
    iconv_close(code);
    return true;
}

/* The object in UTF-8: itself where it is so already. */
static struct str decode(struct str object, struct git_history_reading *reading,
                         struct git_history_commit *commit,
                         struct git_history_findings *findings)
{
    struct str encoding = encoding_of(object);
    struct buf recoded = {0};

    if (encoding.len > 0 && !is_utf8_name(encoding)) {
        git_history_note(findings, GIT_HISTORY_RECODED, "%.*s: %.*s",
                         STR_ARG(commit->key),
                         (int)(encoding.len < 40 ? encoding.len : 40), encoding.ptr);
        if (recode(object, encoding, &recoded, &commit->repaired))
            object = buf_str(&recoded);
        else
            git_history_note(findings, GIT_HISTORY_STRANGE_CODES, "%.*s: %.*s",
                             STR_ARG(commit->key),
                             (int)(encoding.len < 40 ? encoding.len : 40), encoding.ptr);
    }
    if (recoded.len > 0 || !text_utf8_valid(object)) {
        commit->repaired |= !text_utf8_valid(object);
        buf_clear(&reading->text);
        text_utf8_repair(object, &reading->text);
        object = buf_str(&reading->text);
    }
    buf_free(&recoded);
    if (commit->repaired)
        git_history_note(findings, GIT_HISTORY_REPAIRED, "%.*s", STR_ARG(commit->key));
    return object;
}

/* ---- the message */

static struct str without_blanks(struct str line)
{
    while (line.len > 0 && strchr(" \t\r", line.ptr[line.len - 1]) != NULL)
        line.len--;
    return line;
}

/* The first paragraph, its lines joined by a blank. */
static struct str subject_of(struct str message, struct buf *joined)
{
    struct str line = {0}, next;
    bool several = false;

    buf_clear(joined);
    while (line.len == 0 && message.len > 0) {
        str_cut(&message, '\n', &line);
        line = without_blanks(line);
    }
    for (;;) {
        str_cut(&message, '\n', &next);
        next = without_blanks(next);
        if (next.len == 0)
            return several ? buf_str(joined) : line;
        if (!several)
            buf_add(joined, line);
        several = true;
        buf_add_char(joined, ' ');
        buf_add(joined, next);
    }
}

static struct str message_of(struct str object)
{
    struct str line;

    while (object.len > 0) {
        str_cut(&object, '\n', &line);
        if (line.len == 0)
            return object;
    }
    return object;
}

/* With a date in milliseconds, if it is one that can be written down. */
static void take_person(struct str line, struct git_history_person *person)
{
    const int64_t first = date_from_civil((struct date){0, 1, 1}) / DATE_SECOND_MS;
    const int64_t end = date_from_civil((struct date){10000, 1, 1}) / DATE_SECOND_MS;
    int64_t seconds;

    if (read_person(line, person, &seconds) && seconds >= first && seconds < end)
        person->ms = seconds * DATE_SECOND_MS;
}

void git_history_read_commit(struct str object, struct git_history_reading *reading,
                             struct git_history_commit *commit,
                             struct git_history_findings *findings)
{
    struct str rest = decode(object, reading, commit, findings), value;

    commit->author = commit->committer = (struct git_history_person){.ms = ITEM_NONE};
    commit->message = message_of(rest);
    while (rest.len > 0 && rest.ptr[0] != '\n') {
        if (take_line(&rest, STR("author "), &value))
            take_person(value, &commit->author);
        else if (take_line(&rest, STR("committer "), &value))
            take_person(value, &commit->committer);
        else
            str_cut(&rest, '\n', &value);
    }
    commit->subject = subject_of(commit->message, &reading->subject);
    if (commit->author.ms == ITEM_NONE || commit->committer.ms == ITEM_NONE)
        git_history_note(findings, GIT_HISTORY_UNDATED, "%.*s", STR_ARG(commit->key));
}
