/* Random queries on random posts: reading, compiling and both engines against an
 * evaluator that does everything the plain way, on a tree of its own. */
#include "query/query.h"

#include <regex.h>
#include <stdio.h>

#include "base/date.h"
#include "base/rng.h"
#include "tests/tap.h"
#include "tests/unit/query_post.h"

enum { QUERIES = 3000, POSTS = 40, DEPTH = 4, CHILDREN = 6, TEXT = 300 };

/* ---- a random post */

struct probe {
    struct post post;
    char tags[4][8];
    size_t tag_count;
    char tag_string[64];
    char texts[QUERY_TEXTS][TEXT];
    char level[TEXT];  /* an own field that is text */
    const char *stars; /* and one that is mostly a number */
    const char *sources;
};

static const char *const pieces[] = {
    "a",        "b",        "ab", "ba", "abc", "a b", " ",        "  ",
    "\n",       "_",        ".",  "-",  "A",   "AB",  "\xC3\xA9", "\xC3\x89",
    "\xD0\x96", "\xD0\xB6", "7",  "\t", "c ",  " c",  ", ",       "\xE4\xB8\xAD"};

static size_t make_text(struct rng *rng, char *out, size_t room)
{
    size_t len = 0, wanted = rng_below(rng, 4) == 0 ? 0 : rng_below(rng, 40);

    for (size_t i = 0; i < wanted; i++) {
        const char *piece = pieces[rng_below(rng, ROWS(pieces))];
        if (len + strlen(piece) >= room)
            break;
        memcpy(out + len, piece, strlen(piece));
        len += strlen(piece);
    }
    out[len] = '\0';
    return len;
}

static const char *const tag_names[] = {"a", "ab", "b", "b-a", "aab", "c++", "AB"};

static void make_tags(struct rng *rng, struct probe *probe)
{
    bool pipes = rng_below(rng, 2) == 0;
    struct buf out = {0};

    probe->tag_count = rng_below(rng, 5);
    for (size_t i = 0; i < probe->tag_count; i++) {
        const char *name = tag_names[rng_below(rng, ROWS(tag_names))];
        memcpy(probe->tags[i], name, strlen(name) + 1);
        buf_add_format(&out, pipes ? "%s%s|" : "%s<%s>", pipes && i == 0 ? "|" : "",
                       name);
    }
    if (out.len > 0)
        memcpy(probe->tag_string, out.ptr, out.len);
    probe->post.item.tags = (struct str){probe->tag_string, out.len};
    buf_free(&out);
}

static const char *const star_values[] = {"",    "0",   "1", "2",   "2.5", "3",
                                          "4.0", " 5 ", "a", "3 a", "-1",  "1e0"};

static struct str probe_own(void *context, struct str field)
{
    const struct probe *probe = context; /* its post is the context */

    return str_from(str_eq(field, STR("stars")) ? probe->stars : probe->level);
}

static bool probe_in_source(void *context, struct str source)
{
    const struct probe *probe = context;

    return strchr(probe->sources, source.ptr[0]) != NULL;
}

static int64_t maybe(struct rng *rng, int64_t bound)
{
    return rng_below(rng, 4) == 0 ? ITEM_NONE
                                  : (int64_t)rng_below(rng, (uint64_t)bound) - 2;
}

static int64_t random_moment(struct rng *rng)
{
    struct date date = {2014 + (int)rng_below(rng, 4), 1 + (int)rng_below(rng, 12), 1};

    /* The edges of days, months and years are what can go wrong. */
    return date_from_civil(date) + (int64_t)rng_below(rng, 32) * DATE_DAY_MS -
           (int64_t)rng_below(rng, 3);
}

static void make_probe(struct rng *rng, struct probe *probe)
{
    static const char *const sets[] = {"", " S ", " T ", " S T "};
    static const char *const source_sets[] = {"", "p", "q", "pq"};
    struct item *item = &probe->post.item;

    *probe = (struct probe){.post = post_empty()};
    make_tags(rng, probe);
    for (int i = 0; i < QUERY_TEXTS; i++)
        probe->post.texts[i] =
            (struct str){probe->texts[i], make_text(rng, probe->texts[i], TEXT)};
    int64_t *values[] = {&item->id,       &item->parent,    &item->owner,
                         &item->score,    &item->views,     &item->answers,
                         &item->comments, &item->favorites, &item->accepted};
    for (size_t i = 0; i < ROWS(values); i++)
        *values[i] = maybe(rng, 8);
    item->kind = rng_below(rng, 5) == 0 ? ITEM_NONE : (int64_t)rng_below(rng, 10);
    item->created_ms = rng_below(rng, 5) == 0 ? ITEM_NONE : random_moment(rng);
    item->closed_ms = rng_below(rng, 2) == 0 ? ITEM_NONE : random_moment(rng);
    probe->post.has_code = rng_below(rng, 2) == 0;
    probe->post.sets = sets[rng_below(rng, ROWS(sets))];
    make_text(rng, probe->level, TEXT);
    probe->stars = star_values[rng_below(rng, ROWS(star_values))];
    probe->sources = source_sets[rng_below(rng, ROWS(source_sets))];
    post_ready(&probe->post);
    probe->post.asked.own = probe_own;
    probe->post.asked.in_source = probe_in_source;
}

/* ---- what a query means */

enum what {
    ALL,
    AND,
    OR,
    NOT, /* joined */
    TAG,
    GLOB,
    TAG_PART,
    WORDS,
    PREFIX,
    PART,
    REGEX,
    RANGE,
    DATE,
    CLOSED,
    CODE,
    ACCEPTED,
    TYPE,
    SET,
    SOURCE,
    KEY,       /* of a source: yes, min */
    OWN_RANGE, /* stars: min and max in halves, of which bounds are left out */
    OWN_TEXT,  /* level: as_text says how */
    WHATS,
};

struct meaning {
    enum what what;
    struct meaning *children[CHILDREN];
    size_t count;
    enum query_text which;
    const char *text;
    size_t field; /* RANGE and DATE: the row of the tables below */
    int64_t min, max;
    bool yes;
    bool above, below; /* OWN_RANGE: the bound does not belong to it */
    enum what as_text; /* OWN_TEXT */
};

static const struct {
    const char *name;
    size_t offset;
} number_fields[] =
    {
        {"score", offsetof(struct item, score)},
        {"views", offsetof(struct item, views)},
        {"answers", offsetof(struct item, answers)},
        {"comments", offsetof(struct item, comments)},
        {"favorites", offsetof(struct item, favorites)},
        {"id", offsetof(struct item, id)},
        {"user", offsetof(struct item, owner)},
        {"parent", offsetof(struct item, parent)},
},
  date_fields[] = {
      {"created", offsetof(struct item, created_ms)},
      {"closed", offsetof(struct item, closed_ms)},
};

/* In small letters, for the letters that the texts are made of. */
static size_t make_small(const char *text, char *out)
{
    static const char *const letters[][2] = {{"A", "a"},
                                             {"B", "b"},
                                             {"C", "c"},
                                             {"\xC3\x89", "\xC3\xA9"},
                                             {"\xD0\x96", "\xD0\xB6"}};
    size_t len = strlen(text);

    memcpy(out, text, len + 1);
    for (size_t k = 0; k < ROWS(letters); k++)
        for (char *at = out; (at = strstr(at, letters[k][0])) != NULL;)
            memcpy(at, letters[k][1], strlen(letters[k][1]));
    return len;
}

static bool in_word(const char *text, size_t at)
{
    unsigned char c = (unsigned char)text[at];

    return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

/* Where the term ends when it stands at this place, or NULL. A blank of a phrase stands
 * for one or more of the text. */
static const char *stands_at(const char *term, bool phrase, const char *text)
{
    for (; *term != '\0'; term++) {
        size_t blanks = phrase && *term == ' ' ? strspn(text, " \t\n") : 0;
        if (blanks == 0 && ((phrase && *term == ' ') || *text != *term))
            return NULL;
        text += blanks > 0 ? blanks : 1;
    }
    return text;
}

static bool has_term(const struct meaning *m, const char *given)
{
    char text[TEXT], term[TEXT];
    size_t len = make_small(given, text);

    make_small(m->text, term);
    for (size_t at = 0; at < len; at++) {
        const char *end = stands_at(term, m->what != PART, text + at);
        if (end == NULL)
            continue;
        size_t after = (size_t)(end - text);
        bool cut = at > 0 && in_word(text, at) && in_word(text, at - 1);
        bool goes_on = in_word(text, after - 1) && in_word(text, after);
        if (m->what == PART || (!cut && (m->what == PREFIX || !goes_on)))
            return true;
    }
    return false;
}

static bool has_regex(const struct meaning *m, const char *text)
{
    regex_t regex;

    CHECK(regcomp(&regex, m->text, REG_EXTENDED | REG_NOSUB) == 0);
    bool has = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return has;
}

static bool has_glob(const char *pattern, const char *tag)
{
    if (*pattern == '\0')
        return *tag == '\0';
    if (*pattern == '*')
        return has_glob(pattern + 1, tag) || (*tag != '\0' && has_glob(pattern, tag + 1));
    return *tag != '\0' && (*pattern == '?' || *pattern == *tag) &&
           has_glob(pattern + 1, tag + 1);
}

static bool has_tag(const struct meaning *m, const struct probe *probe)
{
    char pattern[TEXT], tag[TEXT], all[TEXT] = "";

    make_small(m->text, pattern);
    for (size_t i = 0; i < probe->tag_count; i++) {
        make_small(probe->tags[i], tag);
        if ((m->what == TAG && strcmp(tag, pattern) == 0) ||
            (m->what == GLOB && has_glob(pattern, tag)))
            return true;
        size_t len = strlen(all);
        all[len] = '<';
        memcpy(all + len + 1, tag, strlen(tag));
        memcpy(all + len + 1 + strlen(tag), ">", 2);
    }
    return m->what == TAG_PART && strstr(all, pattern) != NULL;
}

static bool in_range(const struct meaning *m, const struct item *item, size_t offset)
{
    int64_t value;

    memcpy(&value, (const char *)item + offset, sizeof value);
    return value != ITEM_NONE && value >= m->min && value <= m->max;
}

/* Values are few: each stands here beside what it is worth, in halves. */
static bool has_stars(const struct meaning *m, const char *value)
{
    static const struct {
        const char *text;
        int64_t halves;
    } worth[] = {{"0", 0},   {"1", 2},    {"2", 4},   {"2.5", 5}, {"3", 6},
                 {"4.0", 8}, {" 5 ", 10}, {"-1", -2}, {"1e0", 2}};

    for (size_t i = 0; i < ROWS(worth); i++)
        if (strcmp(worth[i].text, value) == 0)
            return worth[i].halves >= m->min + m->above &&
                   worth[i].halves <= m->max - m->below;
    return false;
}

static bool has_level(const struct meaning *m, const struct probe *probe)
{
    struct meaning as_text = *m;

    as_text.what = m->as_text;
    return probe->level[0] != '\0' &&
           (m->as_text == REGEX ? has_regex(&as_text, probe->level)
                                : has_term(&as_text, probe->level));
}

static bool means(const struct meaning *m, const struct probe *probe)
{
    const struct item *item = &probe->post.item;

    switch (m->what) {
    case AND:
        for (size_t i = 0; i < m->count; i++)
            if (!means(m->children[i], probe))
                return false;
        return true;
    case OR:
        for (size_t i = 0; i < m->count; i++)
            if (means(m->children[i], probe))
                return true;
        return false;
    case NOT:
        return !means(m->children[0], probe);
    case TAG:
    case GLOB:
    case TAG_PART:
        return has_tag(m, probe);
    case WORDS:
    case PREFIX:
    case PART:
        return has_term(m, probe->texts[m->which]);
    case REGEX:
        return has_regex(m, probe->texts[m->which]);
    case RANGE:
        return in_range(m, item, number_fields[m->field].offset);
    case DATE:
        return in_range(m, item, date_fields[m->field].offset);
    case CLOSED:
        return (item->closed_ms != ITEM_NONE) == m->yes;
    case CODE:
        return probe->post.has_code == m->yes;
    case ACCEPTED:
        return (item->accepted != ITEM_NONE) == m->yes;
    case TYPE:
        return item->kind == (m->yes ? 1 : 2);
    case SET:
        return strstr(probe->post.sets, m->text) != NULL;
    case SOURCE:
        return strchr(probe->sources, m->yes ? 'p' : 'q') != NULL;
    case KEY:
        return strchr(probe->sources, m->yes ? 'p' : 'q') != NULL && item->id == m->min;
    case OWN_RANGE:
        return has_stars(m, probe->stars);
    case OWN_TEXT:
        return has_level(m, probe);
    default:
        return true;
    }
}

/* ---- a random query: its meaning, and one way to write it */

static const char *const text_names[] = {"title", "prose", "code", "body"};
static const char *const words[] = {
    "a",        "b",        "ab",        "abc",          "A",   "aB",  "c",   "_", "7",
    "\xC3\xA9", "\xD0\x96", "a\xC3\x89", "\xE4\xB8\xAD", "a.b", "a-b", "AND", "."};
static const char *const phrases[] = {"a b",        "ab a",       "b ab abc",
                                      "a \xD0\xB6", "\xC3\xA9 a", "c a",
                                      ". b",        "a b a b",    "c c"};
static const char *const parts[] = {"a",         " ",  "b a", "a  b", "c,", "\xC3\x89",
                                    "b\xD0\x96", "\n", "aba", ".",    "\\", "\""};
/* What PCRE2 and POSIX read alike: no dot or $, which differ at line breaks. */
static const char *const regexes[] = {"a+b",     "^a", "(ab|ba)c", "[abc]{3}",
                                      "a[ .]?b", "_",  "a b|b a"};
static const char *const globs[] = {"a*", "*a", "?", "*", "a?b", "*b*", "??", "C+*"};
static const char *const tag_parts[] = {"a", "b", "ab", "<a", "a>", "><", "|", "+", "-"};

static void add_quoted(struct buf *out, const char *text)
{
    buf_add_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, *text);
    }
    buf_add_char(out, '"');
}

/* What follows the field. */
static void write_words(struct rng *rng, struct meaning *m, enum what what,
                        struct buf *out)
{
    bool phrase = rng_below(rng, 3) == 0;

    if (what == REGEX) {
        m->text = regexes[rng_below(rng, ROWS(regexes))];
        buf_add_format(out, "/%s/", m->text);
        return;
    }
    if (what == PART) {
        m->text = parts[rng_below(rng, ROWS(parts))];
        buf_add_char(out, '~');
        add_quoted(out, m->text);
        return;
    }
    m->text = phrase ? phrases[rng_below(rng, ROWS(phrases))]
                     : words[rng_below(rng, ROWS(words))];
    bool number = m->what == OWN_TEXT && what == WORDS && strcmp(m->text, "7") == 0;
    if (phrase || number || strcmp(m->text, "AND") == 0 || rng_below(rng, 3) == 0)
        add_quoted(out, m->text);
    else
        buf_add(out, str_from(m->text));
    if (what == PREFIX)
        buf_add_char(out, '*');
}

/* stars:2.5.., stars>1 and so on, in halves. */
static void write_stars(struct rng *rng, struct meaning *m, struct buf *out)
{
    int64_t a = (int64_t)rng_below(rng, 12) - 2, b = a + (int64_t)rng_below(rng, 6);
    char first[16], last[16];
    static const char *const signs[] = {">", "<", ">=", "<=", "="};
    uint64_t form = rng_below(rng, 9);

    snprintf(first, sizeof first, "%.1f", (double)a / 2);
    snprintf(last, sizeof last, "%g", (double)b / 2);
    m->min = form == 1 || form == 3 || form == 6 ? -1000 : a;
    m->max = form == 0 || form == 2 || form == 5 ? 1000 : form < 5 || form == 8 ? a : b;
    m->max = form == 6 ? b : m->max;
    m->above = form == 0;
    m->below = form == 1;
    if (form < 5)
        buf_add_format(out, "Stars %s %s", signs[form], first);
    else
        buf_add_format(out, "stars:%s%s%s", form == 6 ? "" : first, form == 8 ? "" : "..",
                       form == 5 || form == 8 ? "" : last);
}

/* A text condition; `group` is the field of the brackets around, or NULL. */
static void write_text(struct rng *rng, struct meaning *m, const char *group,
                       struct buf *out)
{
    m->which = (enum query_text)rng_below(rng, QUERY_TEXTS);
    if (group != NULL && rng_below(rng, 2) == 0) /* the group's own */
        while (strcmp(text_names[m->which], group) != 0)
            m->which = (enum query_text)rng_below(rng, QUERY_TEXTS);
    if (strcmp(text_names[m->which], group != NULL ? group : "prose") != 0 ||
        rng_below(rng, 2) == 0)
        buf_add_format(out, "%s:", text_names[m->which]);
    write_words(rng, m, m->what, out);
}

static void write_number(struct rng *rng, struct meaning *m, struct buf *out)
{
    int64_t a = (int64_t)rng_below(rng, 8) - 2, b = a + (int64_t)rng_below(rng, 4);
    const char *name = number_fields[m->field = rng_below(rng, ROWS(number_fields))].name;
    const char *blank = rng_below(rng, 2) == 0 ? " " : "";

    *m = (struct meaning){m->what, .field = m->field, .min = INT64_MIN, .max = INT64_MAX};
    buf_add(out, str_from(name));
    switch (rng_below(rng, 8)) {
    case 0:
        m->min = m->max = a;
        buf_add_format(out, ":%lld", (long long)a);
        return;
    case 1:
        m->min = a;
        buf_add_format(out, ":%lld..", (long long)a);
        return;
    case 2:
        m->max = a;
        buf_add_format(out, ":..%lld", (long long)a);
        return;
    case 3:
        m->min = a;
        m->max = b;
        buf_add_format(out, ":%lld..%lld", (long long)a, (long long)b);
        return;
    case 4:
        m->min = a + 1;
        buf_add_format(out, "%s>%s%lld", blank, blank, (long long)a);
        return;
    case 5:
        m->min = a;
        buf_add_format(out, "%s>=%s%lld", blank, blank, (long long)a);
        return;
    case 6:
        m->max = a - 1;
        buf_add_format(out, "%s<%s%lld", blank, blank, (long long)a);
        return;
    default:
        m->max = a;
        buf_add_format(out, "%s<=%s%lld", blank, blank, (long long)a);
        return;
    }
}

/* A year, month or day with its first and last millisecond. */
static void write_day(struct rng *rng, int64_t *first, int64_t *last, struct buf *out)
{
    struct date date = {2014 + (int)rng_below(rng, 4), 1 + (int)rng_below(rng, 12),
                        1 + (int)rng_below(rng, 28)};
    struct date next = date;

    buf_add_format(out, "%04d", date.year);
    switch (rng_below(rng, 3)) {
    case 0:
        date.month = next.month = date.day = next.day = 1;
        next.year++;
        break;
    case 1:
        buf_add_format(out, "-%02d", date.month);
        date.day = next.day = 1;
        next.year += next.month == 12;
        next.month = next.month % 12 + 1;
        break;
    default:
        buf_add_format(out, "-%02d-%02d", date.month, date.day);
        next.day++;
        break;
    }
    *first = date_from_civil(date);
    *last = date_from_civil(next) - 1; /* the 29th to be of a short month is the 1st */
}

static void write_date(struct rng *rng, struct meaning *m, struct buf *out)
{
    int64_t first, last, ignored;
    struct buf a = {0};

    m->field = rng_below(rng, ROWS(date_fields));
    m->min = INT64_MIN;
    m->max = INT64_MAX;
    write_day(rng, &first, &last, &a);
    buf_add(out, str_from(date_fields[m->field].name));
    switch (rng_below(rng, 6)) {
    case 0:
        m->min = first;
        m->max = last;
        buf_add_format(out, ":%.*s", STR_ARG(buf_str(&a)));
        break;
    case 1:
        m->min = first;
        buf_add_format(out, ":%.*s..", STR_ARG(buf_str(&a)));
        break;
    case 2:
        m->max = last;
        buf_add_format(out, ":..%.*s", STR_ARG(buf_str(&a)));
        break;
    case 3:
        m->min = last + 1;
        buf_add_format(out, ">%.*s", STR_ARG(buf_str(&a)));
        break;
    case 4:
        m->max = first - 1;
        buf_add_format(out, "<%.*s", STR_ARG(buf_str(&a)));
        break;
    default:
        m->min = first;
        buf_add_format(out, ":%.*s..", STR_ARG(buf_str(&a)));
        buf_clear(&a);
        do { /* a later one */
            buf_clear(&a);
            write_day(rng, &ignored, &m->max, &a);
        } while (m->max < m->min && rng_below(rng, 50) != 0);
        if (m->max < m->min)
            m->max = INT64_MAX;
        else
            buf_add(out, buf_str(&a));
        break;
    }
    buf_free(&a);
}

static void write_condition(struct rng *rng, struct meaning *m, const char *group,
                            struct buf *out)
{
    m->what = (enum what)(TAG + rng_below(rng, WHATS - TAG));
    if (group != NULL && rng_below(rng, 2) == 0)
        m->what = WORDS; /* groups are for texts mostly */
    m->yes = rng_below(rng, 2) == 0;
    const char *yes = m->yes ? "yes" : "no";
    switch (m->what) {
    case TAG:
        m->text = tag_names[rng_below(rng, ROWS(tag_names))];
        buf_add_format(out, rng_below(rng, 2) == 0 ? "[%s]" : "tag:%s", m->text);
        break;
    case GLOB:
        m->text = globs[rng_below(rng, ROWS(globs))];
        buf_add_format(out, rng_below(rng, 2) == 0 ? "[%s]" : "tag:%s", m->text);
        break;
    case TAG_PART:
        m->text = tag_parts[rng_below(rng, ROWS(tag_parts))];
        buf_add_format(out, "tag:~\"%s\"", m->text);
        break;
    case RANGE:
        write_number(rng, m, out);
        break;
    case DATE:
        write_date(rng, m, out);
        break;
    case CLOSED:
        buf_add_format(out, "closed:%s", yes);
        break;
    case CODE:
        buf_add_format(out, "hascode:%s", yes);
        break;
    case ACCEPTED:
        buf_add_format(out, "hasaccepted:%s", yes);
        break;
    case TYPE:
        buf_add(out, m->yes ? STR("is:question") : STR("is:answer"));
        break;
    case SET:
        m->text = m->yes ? " S " : " T ";
        buf_add(out, m->yes ? STR("in:S") : STR("in:T"));
        break;
    case SOURCE:
        buf_add(out, m->yes ? STR("source:p") : STR("source:\"q\""));
        break;
    case KEY:
        m->min = (int64_t)rng_below(rng, 5);
        buf_add_format(out, "id:%s:%lld", m->yes ? "p" : "q", (long long)m->min);
        break;
    case OWN_RANGE:
        write_stars(rng, m, out);
        break;
    case OWN_TEXT:
        m->as_text = (enum what)(WORDS + rng_below(rng, 4));
        buf_add(out, STR("level:"));
        write_words(rng, m, m->as_text, out);
        break;
    default:
        write_text(rng, m, group, out);
        break;
    }
}

static struct meaning *write_query(struct rng *rng, int depth, const char *group,
                                   struct arena *arena, struct buf *out);

/* Two or more joined, in brackets; sometimes with a field before them. */
static void write_joined(struct rng *rng, struct meaning *m, int depth, const char *group,
                         struct arena *arena, struct buf *out)
{
    static const char *const ands[] = {" ", " and ", "\nAND\t"};

    if (rng_below(rng, 3) == 0) {
        group = text_names[rng_below(rng, ROWS(text_names))];
        buf_add_format(out, "%s:", group);
    }
    buf_add_char(out, '(');
    m->count = 1 + rng_below(rng, CHILDREN);
    for (size_t i = 0; i < m->count; i++) {
        if (i > 0)
            buf_add(out, m->what == OR ? STR(" or ") : str_from(ands[rng_below(rng, 3)]));
        m->children[i] = write_query(rng, depth - 1, group, arena, out);
    }
    buf_add_char(out, ')');
}

static struct meaning *write_query(struct rng *rng, int depth, const char *group,
                                   struct arena *arena, struct buf *out)
{
    struct meaning *m = arena_array(arena, struct meaning, 1);
    uint64_t kind = depth > 0 ? rng_below(rng, 8) : 7;

    if (kind < 4) {
        m->what = kind < 2 ? AND : OR;
        write_joined(rng, m, depth, group, arena, out);
    } else if (kind == 4) {
        m->what = NOT;
        buf_add(out, rng_below(rng, 2) == 0 ? STR("-") : STR("not "));
        m->children[m->count++] = write_query(rng, depth - 1, group, arena, out);
    } else if (kind == 5 && group == NULL && rng_below(rng, 4) == 0) {
        m->what = ALL;
        buf_add_char(out, '*');
    } else {
        write_condition(rng, m, group, out);
    }
    return m;
}

/* ---- one against the other */

struct tally {
    size_t tests, selected, wrong, wrong_portable, wrong_funnel;
};

static void check_post(const struct query_compiled *fast,
                       struct query_scratch *fast_scratch,
                       const struct query_compiled *own,
                       struct query_scratch *own_scratch, const struct probe *probe,
                       bool want, struct tally *tally)
{
    const struct query_item *item = &probe->post.asked;

    tally->tests++;
    tally->selected += want;
    tally->wrong += post_holds(fast, fast_scratch, item) != want;
    tally->wrong_portable += post_holds(own, own_scratch, item) != want;
}

/* The conditions of the funnel, in the same order: those that `and` joins, however they
 * are nested. */
static size_t list_conditions(const struct meaning *m, const struct meaning **out)
{
    size_t count = 0;

    if (m->what == AND || (m->what == OR && m->count == 1)) {
        for (size_t i = 0; i < m->count; i++)
            count += list_conditions(m->children[i], out + count);
        return count;
    }
    if (m->what == KEY) { /* it is written out: a source and a number */
        static struct meaning halves[10000];
        static size_t used;
        struct meaning *half = &halves[used = (used + 2) % ROWS(halves)];
        half[0] = (struct meaning){.what = SOURCE, .yes = m->yes};
        half[1] =
            (struct meaning){.what = RANGE, .field = 5, .min = m->min, .max = m->min};
        out[0] = &half[0];
        out[1] = &half[1];
        return 2;
    }
    out[0] = m;
    return 1;
}

static void check_funnel(const struct meaning *m, const struct query_compiled *compiled,
                         struct query_scratch *scratch, const struct probe *probes,
                         struct tally *tally)
{
    struct arena arena = {0};
    struct query_funnel funnel = query_funnel_begin(compiled, &arena);
    static const struct meaning *conditions[10000];
    size_t count = list_conditions(m, conditions);

    for (size_t i = 0; i < POSTS; i++)
        tally->wrong_funnel += post_passes(&funnel, compiled, scratch,
                                           &probes[i].post.asked) != means(m, &probes[i]);
    tally->wrong_funnel += funnel.count != count;
    for (size_t k = 0; k < count && k < funnel.count; k++) {
        int64_t together = 0;
        for (size_t i = 0; i < POSTS; i++) {
            bool all = true;
            for (size_t j = 0; j <= k; j++)
                all = all && means(conditions[j], &probes[i]);
            together += all;
        }
        tally->wrong_funnel += funnel.rows[k].together != together;
    }
    arena_free(&arena);
}

static const struct str own_fields[] = {STR_INIT("stars"), STR_INIT("level")};
static const struct str own_sources[] = {STR_INIT("p"), STR_INIT("q")};
static const struct query_own names = {.fields = own_fields,
                                       .field_count = ROWS(own_fields),
                                       .sources = own_sources,
                                       .source_count = ROWS(own_sources)};

static bool survives_printing(const struct query_node *node, struct arena *arena)
{
    struct buf out = {0}, twice = {0};
    struct query_node *again;
    struct err err = {0};

    query_print(node, &out);
    bool same = query_parse_with(buf_str(&out), &names, arena, &again, &err) &&
                query_same(node, again);
    if (same)
        query_print(again, &twice);
    same = same && str_eq(buf_str(&out), buf_str(&twice));
    buf_free(&out);
    buf_free(&twice);
    return same;
}

/* One random query on all posts; shows the first that goes wrong. */
static void check_query(uint64_t number, const struct probe *probes, struct tally *tally)
{
    struct rng rng = rng_stream(2019, 1, number);
    struct arena arena = {0};
    struct buf text = {0};
    struct err err = {0};
    struct meaning *m = write_query(&rng, DEPTH, NULL, &arena, &text);
    struct query_node *node;
    struct query_compiled *fast, *own;
    size_t wrong = tally->wrong + tally->wrong_portable;

    if (!CHECK(query_parse_with(buf_str(&text), &names, &arena, &node, &err))) {
        CHECK_TEXT(err.text, "");
        goto done;
    }
    CHECK(survives_printing(node, &arena));
    if (!CHECK(
            query_compile(node, (struct query_options){.portable = false}, &fast, &err) &&
            query_compile(node, (struct query_options){.portable = true}, &own, &err)))
        goto done;
    struct query_scratch *fast_scratch = query_scratch_open(fast);
    struct query_scratch *own_scratch = query_scratch_open(own);
    for (size_t i = 0; i < POSTS; i++)
        check_post(fast, fast_scratch, own, own_scratch, &probes[i], means(m, &probes[i]),
                   tally);
    if (number % 10 == 0)
        check_funnel(m, fast, fast_scratch, probes, tally);
    query_scratch_close(fast_scratch);
    query_scratch_close(own_scratch);
    query_free(fast);
    query_free(own);
    if (wrong == 0 && tally->wrong + tally->wrong_portable > 0) {
        buf_add_char(&text, '\0');
        CHECK_TEXT(text.ptr, "a query that is tested right");
    }
done:
    buf_free(&text);
    arena_free(&arena);
}

int main(void)
{
    static struct probe probes[POSTS];
    struct tally tally = {0};

    tap_case("%d random queries are read, and the same after printing", QUERIES);
    for (uint64_t number = 0; number < QUERIES; number++) {
        struct rng rng = rng_stream(2019, 2, number);
        for (size_t i = 0; i < POSTS; i++)
            make_probe(&rng, &probes[i]);
        check_query(number, probes, &tally);
    }
    tap_case("the default engine against the plain evaluator");
    CHECK(tally.tests == (size_t)QUERIES * POSTS);
    CHECK(tally.wrong == 0);
    tap_case("our own engine against the plain evaluator");
    CHECK(tally.wrong_portable == 0);
    tap_case("funnels");
    CHECK(tally.wrong_funnel == 0);
    tap_case("the random queries are worth something");
    CHECK(tally.selected > tally.tests / 5 && tally.selected < tally.tests * 4 / 5);
    return tap_done();
}
