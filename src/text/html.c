/* How a post is taken apart. text_mark_find() finds the bytes that may mean something;
 * the pass copies the runs between them and looks at each. The frequent forms (&lt;p&gt;
 * &#xA; &quot; &amp;lt;) are known by sight; every other goes to markup.h, which knows
 * them all. So that both agree, only what markup.h would read the same is known by sight.
 *
 * Functions that take `xml` are inlined where it is constant: one source, two passes. */
#include "text/html.h"

#include <string.h>

#include "text/internal.h"
#include "text/markup.h"
#include "text/utf8.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    BLOCK = 64,
    SLACK = 16, /* places that may be written beyond the last */
};

struct mark_bytes {
    unsigned char all, least; /* all bytes or-ed, and the least of them */
};

/* Finds the places in `blocks` times 64 bytes, the first of which is at `base`, writes
 * them to `out` and returns where to go on writing. */
typedef size_t *find_blocks(const char *bytes, size_t blocks, size_t base, char third,
                            size_t *out, struct mark_bytes *kinds);

static unsigned find(struct str text, char third, struct buf *places, find_blocks *by)
{
    size_t whole = text.len / BLOCK, rest = text.len % BLOCK, *out, *begin;
    char padded[2 * BLOCK]; /* the last bytes, and then some that are none of them */
    struct mark_bytes kinds = {0, 0xFF};

    buf_clear(places);
    /* Every byte may be a place. */
    begin = (size_t *)(void *)buf_reserve(places, (text.len + SLACK) * sizeof *begin);
    out = by(text.ptr, whole, 0, third, begin, &kinds);
    if (rest > 0) {
        /* Of a fixed length where it can be: one that differs from text to text would be
         * copied by branches that nobody could foretell. */
        if (whole > 0)
            memcpy(padded, text.ptr + text.len - BLOCK, BLOCK);
        else
            memcpy(padded + BLOCK - rest, text.ptr, rest);
        memset(padded + BLOCK, third == 'x' ? 'y' : 'x', BLOCK);
        out = by(padded + BLOCK - rest, 1, whole * BLOCK, third, out, &kinds);
    }
    *out++ = text.len;
    *out++ = text.len;
    places->len = (size_t)(out - begin) * sizeof *begin;
    return ((kinds.all & 0x80) != 0 ? TEXT_MARK_HIGH : 0u) |
           (kinds.least < 0x20 ? TEXT_MARK_CONTROL : 0u) |
           (kinds.least == 0 ? TEXT_MARK_ZERO : 0u);
}

static size_t *find_blocks_portable(const char *bytes, size_t blocks, size_t base,
                                    char third, size_t *out, struct mark_bytes *kinds)
{
    for (size_t i = 0; i < blocks * BLOCK; i++) {
        char c = bytes[i];
        *out = base + i;
        out += (c == '&') | (c == '<') | (c == third);
        kinds->all |= (unsigned char)c;
        kinds->least = (unsigned char)c < kinds->least ? (unsigned char)c : kinds->least;
    }
    return out;
}

unsigned text_mark_find_portable(struct str text, char third, struct buf *places)
{
    return find(text, third, places, find_blocks_portable);
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

/* One bit for each of 32 bytes, which go into what is known of all. */
AVX2 static inline uint64_t see_32(const char *bytes, __m256i third, __m256i *all,
                                   __m256i *least)
{
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
    __m256i hit = _mm256_or_si256(_mm256_cmpeq_epi8(b, _mm256_set1_epi8('&')),
                                  _mm256_cmpeq_epi8(b, _mm256_set1_epi8('<')));

    hit = _mm256_or_si256(hit, _mm256_cmpeq_epi8(b, third));
    *all = _mm256_or_si256(*all, b);
    *least = _mm256_min_epu8(*least, b);
    return (uint32_t)_mm256_movemask_epi8(hit);
}

/* Writes the place of the lowest bit and returns the others. */
AVX2 static inline uint64_t put_place(size_t **out, size_t base, uint64_t bits)
{
    *(*out)++ = base + _tzcnt_u64(bits);
    return _blsr_u64(bits);
}

AVX2 static size_t *find_blocks_avx2(const char *bytes, size_t blocks, size_t base,
                                     char third, size_t *out, struct mark_bytes *kinds)
{
    __m256i thirds = _mm256_set1_epi8(third), all = _mm256_setzero_si256();
    __m256i least = _mm256_set1_epi8((char)0xFF), blank = _mm256_set1_epi8(0x20);

    for (; blocks > 0; blocks--, bytes += BLOCK, base += BLOCK) {
        uint64_t low = see_32(bytes, thirds, &all, &least);
        uint64_t bits = low | see_32(bytes + 32, thirds, &all, &least) << 32;
        size_t *next = out + _mm_popcnt_u64(bits);
        /* Six at a time, wanted or not: most blocks have no more, and so no branch here
         * is hard to foretell. */
        do {
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
        } while (bits != 0);
        out = next;
    }
    /* Whether there is one is enough: 0x80, 0x1F and 0 stand for the kinds. */
    if (_mm256_movemask_epi8(all) != 0)
        kinds->all = 0x80;
    if (_mm256_movemask_epi8(_mm256_cmpeq_epi8(least, _mm256_setzero_si256())) != 0)
        kinds->least = 0;
    else if (kinds->least > 0x1F && _mm256_movemask_epi8(_mm256_cmpeq_epi8(
                                        _mm256_max_epu8(least, blank), least)) != -1)
        kinds->least = 0x1F;
    return out;
}

unsigned text_mark_find_avx2(struct str text, char third, struct buf *places)
{
    return find(text, third, places, find_blocks_avx2);
}

bool text_mark_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}

#else

unsigned text_mark_find_avx2(struct str text, char third, struct buf *places)
{
    return text_mark_find_portable(text, third, places);
}

bool text_mark_has_avx2(void)
{
    return false;
}

#endif

unsigned text_mark_find(struct str text, char third, struct buf *places)
{
    return text_mark_has_avx2() ? text_mark_find_avx2(text, third, places)
                                : text_mark_find_portable(text, third, places);
}

#define FORCE_INLINE static inline __attribute__((always_inline))

enum {
    STEP = 64,  /* bytes of a run that are copied at once, if need be beyond its end */
    SIGHT = 32, /* bytes that must be readable where a form is to be known by sight */
};

struct html_pass {
    struct text_markup_source source;
    const size_t *marks; /* the next place that matters, and those behind it */
    struct text_html_parts *parts;
    unsigned want;
    unsigned simple; /* bit by enum text_tag: at most a line begins */
    /* Text goes to a stream: from `start` to `out`, with room for all that may come. It
     * is the body's when the caller wants the body; prose and code are then copied from
     * it, piece by piece. NULL: nobody wants this text. */
    struct buf *stream;
    char *start, *out;
    size_t piece;       /* where the piece of the body that is not yet copied begins */
    size_t inline_from; /* where the open inline code, or its part here, begins */
    size_t pre_depth, code_depth;
    char tail[2 * SIGHT]; /* the text's last bytes, at most SIGHT, and then zeros */
};

static void begin_line(struct buf *buf)
{
    if (buf->len > 0 && buf->ptr[buf->len - 1] != '\n')
        buf_add_char(buf, '\n');
}

/* The same for the stream. */
static void break_line(struct html_pass *s)
{
    if (s->stream != NULL && s->out > s->start && s->out[-1] != '\n')
        *s->out++ = '\n';
}

/* Text goes to buf from now on. */
static void open_stream(struct html_pass *s, struct buf *buf)
{
    s->stream = buf;
    if (buf == NULL)
        return;
    s->start = buf->ptr;
    s->out = buf->ptr + buf->len;
}

static struct str stream_since(const struct html_pass *s, size_t from)
{
    return (struct str){s->start + from, (size_t)(s->out - s->start) - from};
}

/* The text of a code block, or that between two, is over. */
static void end_piece(struct html_pass *s, unsigned kind)
{
    struct buf *part = kind == TEXT_HTML_CODE ? &s->parts->code : &s->parts->prose;

    if (s->stream == NULL)
        return;
    s->stream->len = (size_t)(s->out - s->start);
    if (s->stream != &s->parts->body)
        return;
    if ((s->want & kind) != 0) {
        if (kind == TEXT_HTML_CODE)
            begin_line(part);
        buf_add(part, stream_since(s, s->piece));
    }
    s->piece = s->stream->len;
}

static void add_inline(struct html_pass *s)
{
    buf_add(&s->parts->inline_code, stream_since(s, s->inline_from));
}

/* Where text of this kind goes. */
static struct buf *stream_for(const struct html_pass *s, unsigned kind)
{
    if ((s->want & TEXT_HTML_BODY) != 0)
        return &s->parts->body;
    if ((s->want & kind) == 0)
        return NULL;
    return kind == TEXT_HTML_CODE ? &s->parts->code : &s->parts->prose;
}

static void enter_pre(struct html_pass *s)
{
    if (s->pre_depth++ > 0)
        return;
    s->parts->code_count++;
    if (s->code_depth > 0)
        add_inline(s);
    break_line(s);
    end_piece(s, TEXT_HTML_PROSE);
    open_stream(s, stream_for(s, TEXT_HTML_CODE));
    break_line(s);
}

static void leave_pre(struct html_pass *s)
{
    if (s->pre_depth > 1) {
        s->pre_depth--;
        return;
    }
    if (s->pre_depth == 0) {
        break_line(s);
        return;
    }
    s->pre_depth = 0;
    end_piece(s, TEXT_HTML_CODE);
    open_stream(s, stream_for(s, TEXT_HTML_PROSE));
    break_line(s);
    if (s->stream != NULL)
        s->piece = s->inline_from = (size_t)(s->out - s->start);
}

static void enter_code(struct html_pass *s)
{
    if (s->code_depth++ > 0)
        return;
    s->parts->inline_count++;
    begin_line(&s->parts->inline_code);
    s->inline_from = (size_t)(s->out - s->start);
}

static void leave_code(struct html_pass *s)
{
    if (s->code_depth > 0 && --s->code_depth == 0)
        add_inline(s);
}

static void add_link(struct html_pass *s, struct str href)
{
    if ((s->want & TEXT_HTML_LINKS) == 0 || href.len == 0)
        return;
    s->parts->link_count++;
    begin_line(&s->parts->links);
    text_markup_decode(href, s->source.xml, &s->parts->links);
}

/* Does what a tag asks for. */
static void do_tag(struct html_pass *s, const struct text_markup *tag)
{
    if (tag->tag == TEXT_TAG_BLOCK) {
        break_line(s);
    } else if (tag->tag == TEXT_TAG_PRE) {
        if (tag->closing)
            leave_pre(s);
        else
            enter_pre(s);
    } else if (tag->tag == TEXT_TAG_CODE && (s->want & TEXT_HTML_INLINE) != 0 &&
               s->pre_depth == 0) {
        if (tag->closing)
            leave_code(s);
        else
            enter_code(s);
    } else if (tag->tag == TEXT_TAG_A && !tag->closing) {
        add_link(s, tag->href);
    }
}

/* Reads whatever stands at the next mark, moves the marks on and returns where it ends.
 */
static size_t read_mark(struct html_pass *s)
{
    struct text_markup markup = text_markup_read(&s->source, *s->marks);

    for (size_t i = 0; i < markup.count && s->stream != NULL; i++)
        s->out += text_utf8_write(markup.codes[i], s->out);
    do_tag(s, &markup);
    while (*s->marks < markup.end)
        s->marks++;
    return markup.end;
}

FORCE_INLINE uint64_t eight(const char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Whether the first bytes of `word`, eight as they stand in the text, are `form`, which
 * is constant and has at most eight: one comparison. */
#define SEES(word, form) \
    ((((word) ^ eight(form "\0\0\0\0\0\0\0")) & \
      eight(&"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0\0\0\0\0\0"[9 - sizeof(form)])) == 0)

/* Characters of XML known by sight, in a table: asked for one after the other, most of
 * the branches would be foretold wrongly. The first eight bytes and the last tell a form.
 */
static const struct sight {
    char form[9], mask[9];
    unsigned char last; /* where its ';' is; 0 in an empty slot, which so never fits */
    char c;
} sights[64] = {
/* What tells the forms apart: the byte behind "&#x" or "&amp;", or else behind "&". */
#define SLOT(is_amp, byte) ((size_t)(is_amp) << 5 | ((unsigned char)(byte)&31))
#define FIVE               "\xFF\xFF\xFF\xFF\xFF"
    [SLOT(false, 'A')] = {"&#xA;", FIVE, 4, '\n'},
    [SLOT(false, '9')] = {"&#x9;", FIVE, 4, '\t'},
    [SLOT(false, 'q')] = {"&quot;", FIVE "\xFF", 5, '"'},
    [SLOT(true, 'l')] = {"&amp;lt;", FIVE "\xFF\xFF\xFF", 7, '<'},
    [SLOT(true, 'g')] = {"&amp;gt;", FIVE "\xFF\xFF\xFF", 7, '>'},
    [SLOT(true, '#')] = {"&amp;#39", FIVE "\xFF\xFF\xFF", 8, '\''},
    [SLOT(true, 'a')] = {"&amp;amp", FIVE "\xFF\xFF\xFF", 8, '&'},
#undef FIVE
};

/* Reads a character of XML known by sight: its spelling's length, or 0. */
FORCE_INLINE size_t see_character(const char *form, char *out)
{
    bool is_amp = form[1] == 'a';
    size_t told = 1 + 2 * (size_t)(form[1] == '#') + 4 * (size_t)is_amp;
    const struct sight *sight = &sights[SLOT(is_amp, form[told])];

    if (((eight(form) ^ eight(sight->form)) & eight(sight->mask)) != 0 ||
        form[sight->last] != ';')
        return 0;
    *out = sight->c;
    return sight->last + 1U;
}

/* Reads attributes of XML known by sight, such as " href=&quot;u&quot;", from `at` on.
 * The mark of the "&gt;" behind them, or NULL. */
static const size_t *see_attributes(struct str text, size_t at, const size_t *mark,
                                    struct str *href)
{
    const char *const ptr = text.ptr;

    while (at < *mark) {
        size_t name = at + 1, equals = *mark - 1;
        bool is_href = equals - name == 4 && memcmp(ptr + name, "href", 4) == 0;
        if (text.len - *mark < SIGHT || ptr[at] != ' ' || equals <= name ||
            ptr[equals] != '=' || !SEES(eight(ptr + *mark), "&quot;"))
            return NULL;
        for (; name < equals; name++)
            if ((ptr[name] < 'a' || ptr[name] > 'z') && ptr[name] != '-')
                return NULL;
        at = *mark++ + 6;
        for (;; mark++) {
            if (text.len - *mark < SIGHT)
                return NULL;
            if (SEES(eight(ptr + *mark), "&quot;"))
                break;
            if (!SEES(eight(ptr + *mark), "&amp;"))
                return NULL;
        }
        if (is_href && href->ptr == NULL)
            *href = str_slice(text, at, *mark);
        at = *mark++ + 6;
    }
    return text.len - at >= SIGHT && SEES(eight(ptr + at), "&gt;") ? mark : NULL;
}

/* The bytes from `at` on, SIGHT of them readable: zeros are behind the text's end. */
FORCE_INLINE const char *form_at(const struct html_pass *s, size_t at)
{
    size_t left = s->source.text.len - at;

    if (left >= SIGHT)
        return s->source.text.ptr + at;
    return s->tail + (s->source.text.len < SIGHT ? at : SIGHT - left);
}

/* Where the name of a tag ends that something follows: in XML attributes, in html, where
 * marks are only at '<', anything. */
FORCE_INLINE size_t name_end(const char *form, size_t name, const bool xml)
{
    size_t end = name;

    while (end <= name + TEXT_TAG_NAME_MAX && form[end] != (xml ? ' ' : '>'))
        end++;
    return end;
}

/* Reads the tag at the next mark if it is known by sight, moves the marks on and returns
 * where it ends; 0 when it is not. */
FORCE_INLINE size_t see_tag(const struct html_pass *s, const char *form,
                            const size_t **marks, const bool xml, struct text_markup *tag)
{
    const size_t *mark = *marks, begin = *mark++;
    size_t name = xml ? 4 : 1, end = *mark - begin;

    if (xml ? !SEES(eight(form), "&lt;") : form[0] != '<')
        return 0;
    tag->closing = form[name] == '/';
    tag->href = (struct str){0};
    name += tag->closing;
    if (!xml || end > name + TEXT_TAG_NAME_MAX || !SEES(eight(form + end), "&gt;"))
        end = name_end(form, name, xml);
    if (end - name - 1 >= TEXT_TAG_NAME_MAX)
        return 0;
    tag->tag = text_tag_find(form + name, end - name);
    if (tag->tag == TEXT_TAG_UNKNOWN)
        return 0;
    end += begin;
    if (xml && end < *mark) {
        mark = see_attributes(s->source.text, end, mark, &tag->href);
        if (mark == NULL)
            return 0;
    }
    if (xml)
        end = *mark++;
    *marks = mark;
    return end + (xml ? 4 : 1);
}

/* Copies a run; up to STEP bytes may be written beyond its end. `readable` bytes may be
 * read from its beginning on. */
FORCE_INLINE char *copy_run(char *out, const char *run, size_t len, size_t readable)
{
    if (readable < STEP) {
        memcpy(out, run, len);
    } else {
        memcpy(out, run, STEP);
        if (len > STEP)
            memcpy(out + STEP, run + STEP, len - STEP);
    }
    return out + len;
}

/* Reads on from `at` and writes to the stream, until that changes or the text ends. */
FORCE_INLINE size_t read_text(struct html_pass *s, size_t at, const bool xml)
{
    const struct str text = s->source.text;
    const struct buf *const stream = s->stream;
    const size_t *mark = s->marks;
    char *out = s->out;

    while (s->stream == stream) {
        struct text_markup tag;
        const char *form;
        size_t len, end;
        out = copy_run(out, text.ptr + at, *mark - at, text.len - at);
        at = *mark;
        form = form_at(s, at);
        len = xml && !SEES(eight(form), "&lt;") ? see_character(form, out) : 0;
        if (len > 0) {
            at += len;
            out++;
            mark++;
            continue;
        }
        end = see_tag(s, form, &mark, xml, &tag);
        if (end > 0 && (s->simple >> tag.tag & 1) != 0) {
            at = end;
            /* Sums instead of branches, which nobody could foretell. */
            *out = '\n';
            out += (tag.tag == TEXT_TAG_BLOCK) & (out > s->start && out[-1] != '\n');
            continue;
        }
        s->out = out;
        s->marks = mark;
        if (at == text.len)
            break;
        if (end > 0)
            do_tag(s, &tag);
        at = end > 0 ? end : read_mark(s);
        mark = s->marks;
        out = s->out;
    }
    return at;
}

/* Whether the mark at `form` surely begins no tag. In XML, "&#60;" may begin one. */
FORCE_INLINE bool is_text(const char *form, const bool xml)
{
    if (!xml)
        return form[0] == '&';
    return (form[0] == '&') & (form[1] != 'l') &
           ((form[1] != '#') | SEES(eight(form), "&#xA;"));
}

/* Reads on, where nobody wants the text, until a stream opens; where it does. */
FORCE_INLINE size_t skip_text(struct html_pass *s, const bool xml)
{
    const size_t *mark = s->marks;
    size_t end = 0;

    while (s->stream == NULL && *mark < s->source.text.len) {
        const char *form = form_at(s, *mark);
        struct text_markup tag;
        if (is_text(form, xml)) {
            mark++;
            continue;
        }
        end = see_tag(s, form, &mark, xml, &tag);
        s->marks = mark;
        if (end > 0)
            do_tag(s, &tag);
        else
            end = read_mark(s);
        mark = s->marks;
    }
    return s->stream == NULL ? s->source.text.len : end;
}

FORCE_INLINE void read_all(struct html_pass *s, const bool xml)
{
    for (size_t at = 0; at < s->source.text.len;)
        at = s->stream != NULL ? read_text(s, at, xml) : skip_text(s, xml);
}

/* U+FFFE and U+FFFF are UTF-8, but no characters of XML. */
static bool has_noncharacter(struct str text)
{
    const char *p = text.ptr, *end = text.ptr + text.len;

    for (; end - p >= 3 && (p = memchr(p, 0xEF, (size_t)(end - p) - 2)) != NULL; p++)
        if (memcmp(p, "\xEF\xBF\xBE", 3) == 0 || memcmp(p, "\xEF\xBF\xBF", 3) == 0)
            return true;
    return false;
}

/* Makes the text UTF-8, and, in XML, characters of it, where it is not; and marks it. */
static struct str prepare(struct str text, bool xml, bool portable,
                          struct text_html_parts *parts)
{
    unsigned (*const mark)(struct str, char, struct buf *) =
        portable ? text_mark_find_portable : text_mark_find;
    const char third = xml ? '"' : '<';
    unsigned kinds = mark(text, third, &parts->marks);

    if ((kinds & (xml ? TEXT_MARK_CONTROL | TEXT_MARK_HIGH
                      : TEXT_MARK_ZERO | TEXT_MARK_HIGH)) == 0)
        return text;
    if ((xml && (kinds & TEXT_MARK_CONTROL) != 0) || !text_utf8_valid(text) ||
        (xml && has_noncharacter(text))) {
        buf_clear(&parts->repaired);
        if (xml)
            text_markup_xml_repair(text, &parts->repaired);
        else
            text_utf8_repair(text, &parts->repaired);
        text = buf_str(&parts->repaired);
        (void)!mark(text, third, &parts->marks);
    }
    return text;
}

static void split(struct str text, unsigned want, struct text_html_parts *parts, bool xml)
{
    struct buf *const all[] = {&parts->prose, &parts->code, &parts->body,
                               &parts->inline_code, &parts->links};
    struct html_pass s;

    for (size_t i = 0; i < ROWS_OF(all); i++)
        buf_clear(all[i]);
    parts->code_count = parts->inline_count = parts->link_count = 0;
    if (parts->lead.len > 0) {
        buf_add(&parts->prose, parts->lead);
        buf_add_char(&parts->prose, '\n');
    }
    if (text.len == 0)
        return;
    s.parts = parts;
    s.stream = NULL;
    s.piece = s.inline_from = s.pre_depth = s.code_depth = 0;
    s.want = (want & TEXT_HTML_INLINE) != 0 ? want | TEXT_HTML_PROSE : want;
    s.simple = 1u << TEXT_TAG_INLINE | 1u << TEXT_TAG_BLOCK;
    if ((want & TEXT_HTML_INLINE) == 0)
        s.simple |= 1u << TEXT_TAG_CODE;
    if ((want & TEXT_HTML_LINKS) == 0)
        s.simple |= 1u << TEXT_TAG_A;
    text = prepare(text, xml, (want & TEXT_HTML_PORTABLE) != 0, parts);
    s.source = (struct text_markup_source){.text = text, .xml = xml};
    memset(s.tail, 0, sizeof s.tail);
    if (text.len >= SIGHT)
        memcpy(s.tail, text.ptr + text.len - SIGHT, SIGHT);
    else
        memcpy(s.tail, text.ptr, text.len);
    s.marks = (const size_t *)(const void *)parts->marks.ptr;
    /* Of html no form grows but "&nGt;" and "&nLt;", five bytes that become six; of XML
     * a '&' alone, for which the three bytes of U+FFFD stand. */
    size_t room = xml ? 3 * text.len : text.len + text.len / 5;
    for (size_t i = 0; i < 3; i++)
        buf_reserve(all[i], room + 2 * STEP);
    open_stream(&s, stream_for(&s, TEXT_HTML_PROSE));
    if (xml)
        read_all(&s, true);
    else
        read_all(&s, false);
    if (s.code_depth > 0 && s.pre_depth == 0)
        add_inline(&s);
    end_piece(&s, s.pre_depth > 0 ? TEXT_HTML_CODE : TEXT_HTML_PROSE);
}

void text_html_split(struct str html, unsigned want, struct text_html_parts *parts)
{
    split(html, want, parts, false);
}

void text_html_split_xml(struct str value, unsigned want, struct text_html_parts *parts)
{
    split(value, want, parts, true);
}

void text_html_parts_free(struct text_html_parts *parts)
{
    buf_free(&parts->prose);
    buf_free(&parts->code);
    buf_free(&parts->inline_code);
    buf_free(&parts->links);
    buf_free(&parts->body);
    buf_free(&parts->marks);
    buf_free(&parts->repaired);
    buf_free(&parts->rendered);
    *parts = (struct text_html_parts){0};
}
