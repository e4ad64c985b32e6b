/* From posts to rows of counts: splitting a body, finding features in its parts, and the
 * table that gives them numbers. */
#include "learn/features.h"

#include <assert.h>

#include "base/compiler.h"
#include "learn/internal.h"
#include "text/words.h"

void learn_rows_builder_free(struct learn_rows_builder *builder)
{
    list_free(&builder->begins);
    list_free(&builder->cells);
}

void learn_rows_add_cell(struct learn_rows_builder *builder, uint32_t column, float value)
{
    list_add(&builder->cells, ((struct learn_rows_cell){column, value}));
}

void learn_rows_add_given(struct learn_rows_builder *builder, const float *vector,
                          size_t dimensions)
{
    for (uint32_t k = 0; k < dimensions && vector != NULL; k++)
        learn_rows_add_cell(builder, LEARN_ROWS_GIVEN + k, vector[k]);
}

void learn_rows_end_row(struct learn_rows_builder *builder)
{
    if (builder->begins.count == 0)
        list_add(&builder->begins, 0);
    list_add(&builder->begins, builder->cells.count);
}

struct learn_rows learn_rows_of(struct learn_rows_builder *builder, size_t columns)
{
    if (builder->begins.count == 0)
        list_add(&builder->begins, 0);
    return (struct learn_rows){builder->begins.count - 1, columns, builder->begins.at,
                               builder->cells.at};
}

double learn_rows_dot(struct learn_rows_row row, const double *weights)
{
    const struct learn_rows_cell *cells = row.cells;
    double sums[4] = {0}; /* four at once: an addition need not wait for the last one */
    size_t i = 0;

    for (; i + 4 <= row.count; i += 4)
        for (size_t s = 0; s < 4; s++)
            sums[s] += (double)cells[i + s].value * weights[cells[i + s].column];
    for (; i < row.count; i++)
        sums[0] += (double)cells[i].value * weights[cells[i].column];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* Bodies into parts, through text/form.h. */

const char *const learn_parts_names[LEARN_PARTS_COUNT] = {"title", "prose", "code",
                                                          "inline-code", "tags"};

void learn_parts_splitter_free(struct learn_parts_splitter *splitter)
{
    text_html_parts_free(&splitter->html);
}

enum item_form learn_parts_form(struct str body)
{
    static const struct str signs[] = {STR_INIT("<p>"), STR_INIT("<pre"),
                                       STR_INIT("<code>")};

    for (const char *at = body.ptr, *end = at + body.len;
         body.len > 0 && at != end && (at = memchr(at, '<', (size_t)(end - at))) != NULL;
         at++)
        for (size_t i = 0; i < ROWS_OF(signs); i++)
            if (str_starts((struct str){at, (size_t)(end - at)}, signs[i]))
                return ITEM_HTML;
    return ITEM_MARKDOWN;
}

void learn_parts_split_form(enum item_form form, struct str body,
                            struct learn_parts_splitter *splitter,
                            struct learn_parts *parts)
{
    text_form_split(form, body, TEXT_HTML_PROSE | TEXT_HTML_CODE | TEXT_HTML_INLINE,
                    &splitter->html);
    parts->at[LEARN_PARTS_PROSE] = buf_str(&splitter->html.prose);
    parts->at[LEARN_PARTS_CODE] = buf_str(&splitter->html.code);
    parts->at[LEARN_PARTS_INLINE] = buf_str(&splitter->html.inline_code);
}

void learn_parts_split(struct str body, struct learn_parts_splitter *splitter,
                       struct learn_parts *parts)
{
    learn_parts_split_form(learn_parts_form(body), body, splitter, parts);
}

bool learn_parts_empty(const struct learn_parts *parts)
{
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        if (str_trim(parts->at[i]).len > 0)
            return false;
    return true;
}

void learn_parts_complete(struct str body, struct learn_parts_splitter *splitter,
                          struct learn_parts *parts)
{
    struct learn_parts split = {0};

    learn_parts_split(body, splitter, &split);
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        if (parts->at[i].len == 0)
            parts->at[i] = split.at[i];
}

struct str learn_parts_words(const struct learn_parts *parts, enum learn_parts_name part,
                             struct buf *room)
{
    bool prose = part == LEARN_PARTS_TITLE || part == LEARN_PARTS_PROSE;

    return prose ? text_math_blank(parts->at[part], room) : parts->at[part];
}

/* One sorted list, searched by halving. */

enum { LONGEST = 7 };

static const struct str list[] = {
    STR_INIT("a"),     STR_INIT("about"), STR_INIT("after"),   STR_INIT("all"),
    STR_INIT("also"),  STR_INIT("am"),    STR_INIT("an"),      STR_INIT("and"),
    STR_INIT("any"),   STR_INIT("are"),   STR_INIT("as"),      STR_INIT("at"),
    STR_INIT("be"),    STR_INIT("been"),  STR_INIT("before"),  STR_INIT("being"),
    STR_INIT("both"),  STR_INIT("but"),   STR_INIT("by"),      STR_INIT("d"),
    STR_INIT("did"),   STR_INIT("do"),    STR_INIT("does"),    STR_INIT("doing"),
    STR_INIT("each"),  STR_INIT("for"),   STR_INIT("from"),    STR_INIT("had"),
    STR_INIT("has"),   STR_INIT("have"),  STR_INIT("he"),      STR_INIT("her"),
    STR_INIT("here"),  STR_INIT("him"),   STR_INIT("his"),     STR_INIT("i"),
    STR_INIT("if"),    STR_INIT("in"),    STR_INIT("into"),    STR_INIT("is"),
    STR_INIT("it"),    STR_INIT("its"),   STR_INIT("just"),    STR_INIT("ll"),
    STR_INIT("m"),     STR_INIT("me"),    STR_INIT("my"),      STR_INIT("myself"),
    STR_INIT("of"),    STR_INIT("on"),    STR_INIT("or"),      STR_INIT("our"),
    STR_INIT("re"),    STR_INIT("s"),     STR_INIT("she"),     STR_INIT("so"),
    STR_INIT("some"),  STR_INIT("such"),  STR_INIT("t"),       STR_INIT("than"),
    STR_INIT("that"),  STR_INIT("the"),   STR_INIT("their"),   STR_INIT("them"),
    STR_INIT("then"),  STR_INIT("there"), STR_INIT("these"),   STR_INIT("they"),
    STR_INIT("this"),  STR_INIT("those"), STR_INIT("through"), STR_INIT("to"),
    STR_INIT("too"),   STR_INIT("us"),    STR_INIT("ve"),      STR_INIT("very"),
    STR_INIT("was"),   STR_INIT("we"),    STR_INIT("were"),    STR_INIT("which"),
    STR_INIT("while"), STR_INIT("who"),   STR_INIT("will"),    STR_INIT("with"),
    STR_INIT("you"),   STR_INIT("your"),
};

bool learn_stopwords_has(struct str word)
{
    size_t low = 0, high = ROWS_OF(list);

    if (word.len > LONGEST)
        return false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_compare(word, list[middle]);
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* Open addressing with linear steps, half full at the most. */

void learn_features_table_free(struct learn_features_table *table)
{
    buf_free(&table->entries);
    buf_free(&table->names);
    buf_free(&table->slots);
    table->count = 0;
}

const struct learn_features_entry *
learn_features_entry(const struct learn_features_table *table, size_t feature)
{
    return (const struct learn_features_entry *)(const void *)table->entries.ptr +
           feature;
}

struct str learn_features_name(const struct learn_features_table *table, size_t feature)
{
    const struct learn_features_entry *entry = learn_features_entry(table, feature);

    return (struct str){table->names.ptr + entry->name, entry->name_len};
}

static void grow_slots(struct learn_features_table *table)
{
    size_t old = learn_features_table_capacity(table),
           capacity = old == 0 ? 1024 : 2 * old;
    size_t bytes = capacity * sizeof(struct learn_features_slot);

    buf_clear(&table->slots);
    memset(buf_reserve(&table->slots, bytes), 0, bytes);
    table->slots.len = bytes;
    for (size_t i = 0; i < table->count; i++) {
        uint64_t hash = learn_features_entry(table, i)->hash;
        *learn_features_table_find(learn_features_table_slots(table), capacity - 1,
                                   hash) = (struct learn_features_slot){hash, i + 1};
    }
}

/* The number of the feature with this entry's hash, which is entered if it is new. The
 * entry's name is set here. */
static size_t features_table_enter(struct learn_features_table *table,
                                   struct learn_features_entry entry, struct str name,
                                   bool *fresh)
{
    if (2 * (table->count + 1) > learn_features_table_capacity(table))
        grow_slots(table);
    struct learn_features_slot *slot =
        learn_features_table_find(learn_features_table_slots(table),
                                  learn_features_table_capacity(table) - 1, entry.hash);
    *fresh = slot->next == 0;
    if (slot->next != 0)
        return slot->next - 1;
    *slot = (struct learn_features_slot){entry.hash, table->count + 1};
    entry.name = table->names.len;
    entry.name_len = (uint32_t)name.len;
    buf_add(&table->names, name);
    buf_add(&table->entries, (struct str){(const char *)&entry, sizeof entry});
    return table->count++;
}

/* The same as the reader finds: a run's from those of its words. */
static uint64_t base_of_feature(enum learn_features_kind kind, struct str name)
{
    char padded[LEARN_FEATURES_NAME_MAX + LEARN_FEATURES_TABLE_PAD] = {0};
    uint64_t base = 0;
    size_t begin = 0;

    memcpy(padded, name.ptr, name.len);
    if (kind != LEARN_FEATURES_RUN)
        return learn_features_table_base(padded, name.len);
    for (size_t at = 0; at <= name.len; at++)
        if (at == name.len || padded[at] == ' ') {
            uint64_t word =
                at > begin ? learn_features_table_base(padded + begin, at - begin) : 0;
            base = begin == 0 ? word : learn_features_table_joined(base, word);
            begin = at + 1;
        }
    return base;
}

size_t learn_features_put(struct learn_features_table *table, enum learn_parts_name part,
                          enum learn_features_kind kind, struct str name, bool *fresh)
{
    struct learn_features_entry entry = {.part = (uint8_t)part, .kind = (uint8_t)kind};
    bool ignored;

    assert(name.len > 0 && name.len <= LEARN_FEATURES_NAME_MAX);
    entry.hash = learn_features_table_hash(base_of_feature(kind, name), part, kind);
    return features_table_enter(table, entry, name, fresh != NULL ? fresh : &ignored);
}

size_t learn_features_look_up(const struct learn_features_table *table,
                              enum learn_parts_name part, enum learn_features_kind kind,
                              struct str name)
{
    uint64_t hash = learn_features_table_hash(base_of_feature(kind, name), part, kind);

    if (table->count == 0)
        return SIZE_MAX;
    return learn_features_table_find(learn_features_table_slots(table),
                                     learn_features_table_capacity(table) - 1, hash)
               ->next -
           1;
}

/* Each part is cut into words and runs of letters; a word is hashed where it stands. */

enum {
    PAD = LEARN_FEATURES_TABLE_PAD,
    SHORT =
        TEXT_WORDS_PAD, /* bytes of a word that are copied whether it has them or not */
};

/* A word in the reader's text. */
struct span {
    uint32_t begin, end;
    uint64_t base;
    bool plain; /* it has neither dots nor underscores */
};

static bool wants(const struct learn_features_reader *reader,
                  enum learn_features_kind kind)
{
    return (reader->options.kinds & 1u << kind) != 0;
}

static inline void find_based(struct learn_features_reader *reader, size_t begin,
                              size_t end, unsigned part, enum learn_features_kind kind,
                              uint64_t base)
{
    struct learn_features_found *found =
        (struct learn_features_found *)(void *)buf_reserve(&reader->found, sizeof *found);

    found->hash = learn_features_table_hash(base, part, kind);
    found->at = (uint32_t)begin;
    found->len = (uint16_t)(end - begin);
    found->kind = (uint16_t)kind;
    reader->found.len += sizeof *found;
}

static inline void find(struct learn_features_reader *reader, size_t begin, size_t end,
                        unsigned part, enum learn_features_kind kind)
{
    size_t len = end - begin;

    if (len > 0 && len <= LEARN_FEATURES_NAME_MAX)
        find_based(reader, begin, end, part, kind,
                   learn_features_table_base(reader->text.ptr + begin, len));
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

struct str learn_features_word(struct str word)
{
    static const char version[3 + TEXT_WORDS_PAD] = "<v>",
                                  number[3 + TEXT_WORDS_PAD] = "<n>";
    size_t digits = 0, dots = 0, at = word.ptr[0] == 'v' && word.len > 1;
    size_t from = at;

    for (; at < word.len && (is_digit(word.ptr[at]) || word.ptr[at] == '.'); at++) {
        digits += is_digit(word.ptr[at]);
        dots += word.ptr[at] == '.';
    }
    if (at < word.len || digits == 0)
        return word;
    return (struct str){dots >= 2 || from == 1 ? version : number, 3};
}

static bool is_number(const char *text, uint32_t begin, uint32_t end)
{
    while (begin < end && is_digit(text[begin]))
        begin++;
    return begin == end;
}

/* Where the first dot or underscore is, or `end`. Eight bytes at once: a byte of x is 0
 * where the text has the character, and of (x - 1) & ~x the lowest highest bit of a byte
 * that is set is that of the first such byte. Reads up to PAD bytes behind the end. */
static uint32_t find_joint(const char *text, uint32_t at, uint32_t end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;

    for (; at < end; at += 8) {
        uint64_t bytes = str_word(text + at);
        uint64_t dots = bytes ^ ones * '.', lines = bytes ^ ones * '_';
        uint64_t hits = (((dots - ones) & ~dots) | ((lines - ones) & ~lines)) & high;
        if (hits != 0) {
            at += (uint32_t)__builtin_ctzll(hits) / 8;
            break;
        }
    }
    return at < end ? at : end;
}

/* tf.nn.conv2d also as tf, nn and conv2d; the numbers in 18.3.0.canary say nothing. */
static void find_pieces(struct learn_features_reader *reader, struct span word,
                        unsigned part)
{
    const char *text = reader->text.ptr;

    for (uint32_t begin = word.begin, end; begin < word.end; begin = end + 1) {
        end = find_joint(text, begin, word.end);
        if (end > begin && end - begin < word.end - word.begin &&
            !is_number(text, begin, end))
            find(reader, begin, end, part, LEARN_FEATURES_WORD);
    }
}

static bool names_an_error(struct str word)
{
    char last = word.ptr[word.len - 1]; /* rules out nearly all at once */

    if (last != 'r' && last != 'n' && last != 'g')
        return false;
    return (word.len > 5 && str_ends(word, STR("error"))) ||
           (word.len > 9 && str_ends(word, STR("exception"))) ||
           (word.len > 7 && str_ends(word, STR("warning")));
}

static inline void find_word(struct learn_features_reader *reader, struct span word,
                             unsigned part)
{
    struct str name = {reader->text.ptr + word.begin, word.end - word.begin};

    if (wants(reader, LEARN_FEATURES_WORD)) {
        find_based(reader, word.begin, word.end, part, LEARN_FEATURES_WORD, word.base);
        if (!word.plain)
            find_pieces(reader, word, part);
    }
    if (wants(reader, LEARN_FEATURES_ERROR) && names_an_error(name))
        find_based(reader, word.begin, word.end, part, LEARN_FEATURES_ERROR, word.base);
}

/* The word, with a blank behind it, goes into the reader's text. */
static inline struct span copy_word(struct learn_features_reader *reader, struct str word,
                                    bool plain)
{
    struct buf *text = &reader->text;
    char *to = buf_reserve(text, LEARN_FEATURES_NAME_MAX + SHORT + PAD);
    struct span span = {.begin = (uint32_t)text->len,
                        .end = (uint32_t)(text->len + word.len),
                        .base = learn_features_table_base(word.ptr, word.len),
                        .plain = plain};

    memcpy(to, word.ptr, SHORT); /* at once, as compilers know the length */
    if (word.len > SHORT)
        memcpy(to + SHORT, word.ptr + SHORT, word.len - SHORT);
    memset(to + word.len, ' ', PAD); /* find_joint() reads behind the last word */
    text->len += word.len + 1;
    return span;
}

/* Runs of words are found later, when the words behind are known; with them, so are
 * words, since features come in the order of the words that they begin with. */
static void collect_words(struct learn_features_reader *reader, struct str part,
                          unsigned as)
{
    struct text_words_reader words =
        text_words_open(part, TEXT_WORDS_CODE, &reader->lower);
    bool runs = wants(reader, LEARN_FEATURES_RUN),
         kept = runs || wants(reader, LEARN_FEATURES_STEM);
    struct str word;

    buf_clear(&reader->words);
    while (text_words_next(&words, &word)) {
        if (word.len > LEARN_FEATURES_NAME_MAX ||
            (reader->options.no_stop_words && learn_stopwords_has(word)))
            continue;
        if (word.ptr[0] <= '9' || word.ptr[0] == 'v') /* hardly ever */
            word = learn_features_word(word);
        struct span span = copy_word(reader, word, words.plain);
        if (!runs)
            find_word(reader, span, as);
        if (kept)
            buf_add(&reader->words, (struct str){(const char *)&span, sizeof span});
    }
}

static void find_words_and_runs(struct learn_features_reader *reader, unsigned part)
{
    const struct span *words = (const struct span *)(const void *)reader->words.ptr;
    size_t count = reader->words.len / sizeof *words;

    for (size_t i = 0; i < count; i++) {
        uint64_t base = words[i].base;
        find_word(reader, words[i], part);
        for (size_t run = 2; run <= (size_t)reader->options.run_max && i + run <= count;
             run++) {
            size_t begin = words[i].begin, end = words[i + run - 1].end;
            base = learn_features_table_joined(base, words[i + run - 1].base);
            if (end - begin <= LEARN_FEATURES_NAME_MAX)
                find_based(reader, begin, end, part, LEARN_FEATURES_RUN, base);
        }
    }
}

static void find_stems(struct learn_features_reader *reader, unsigned part)
{
    size_t count = reader->words.len / sizeof(struct span);

    for (size_t i = 0; i < count; i++) {
        struct span word = ((const struct span *)(const void *)reader->words.ptr)[i];
        struct str stem =
            text_stem_word(&reader->stem, (struct str){reader->text.ptr + word.begin,
                                                       word.end - word.begin});
        size_t begin = reader->text.len;
        /* Reserving may move the text, and with it a stem that is the word itself. */
        bool itself = stem.ptr == reader->text.ptr + word.begin;
        buf_reserve(&reader->text, stem.len + PAD);
        if (itself)
            stem.ptr = reader->text.ptr + word.begin;
        buf_add(&reader->text, stem);
        find(reader, begin, reader->text.len, part, LEARN_FEATURES_STEM);
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The part in lower case, every run of blanks one blank, one at both ends. */
static size_t collect_letters(struct learn_features_reader *reader, struct str part)
{
    size_t begin = reader->text.len;
    struct buf *text = &reader->text;

    buf_clear(&reader->lower);
    text_words_lower(part, &reader->lower);
    buf_reserve(text, reader->lower.len + 2 + PAD);
    text->ptr[text->len++] = ' ';
    for (size_t i = 0; i < reader->lower.len; i++) {
        char c = reader->lower.ptr[i];
        if (!is_blank(c))
            text->ptr[text->len++] = c;
        else if (text->ptr[text->len - 1] != ' ')
            text->ptr[text->len++] = ' ';
    }
    if (text->ptr[text->len - 1] != ' ')
        text->ptr[text->len++] = ' ';
    return begin;
}

static size_t next_letter(const char *text, size_t at, size_t end)
{
    for (at++; at < end && ((unsigned char)text[at] & 0xC0) == 0x80;)
        at++;
    return at;
}

/* All runs within one word from its blank before to its blank behind. */
static void find_runs(struct learn_features_reader *reader, struct span word,
                      unsigned part)
{
    const char *text = reader->text.ptr;
    int min = reader->options.letters_min, max = reader->options.letters_max;

    for (size_t at = word.begin; at < word.end; at = next_letter(text, at, word.end)) {
        size_t end = at;
        for (int letters = 1; letters <= max && end < word.end; letters++) {
            end = next_letter(text, end, word.end);
            if (letters >= min)
                find(reader, at, end, part, LEARN_FEATURES_LETTERS);
        }
    }
}

static void find_letters(struct learn_features_reader *reader, struct str part,
                         unsigned number)
{
    size_t begin = collect_letters(reader, part), end = reader->text.len;

    for (size_t at = begin; at + 1 < end;) {
        const char *blank = memchr(reader->text.ptr + at + 1, ' ', end - at - 1);
        size_t next = (size_t)(blank - reader->text.ptr);
        /* What is longer is no word: a key, a picture, a line of dashes. */
        if (next - at <= LEARN_FEATURES_NAME_MAX)
            find_runs(reader,
                      (struct span){.begin = (uint32_t)at, .end = (uint32_t)next + 1},
                      number);
        at = next;
    }
}

void learn_features_find(struct learn_features_reader *reader, struct str part,
                         unsigned as)
{
    buf_clear(&reader->text);
    buf_clear(&reader->found);
    collect_words(reader, part, as);
    if (wants(reader, LEARN_FEATURES_RUN))
        find_words_and_runs(reader, as);
    if (wants(reader, LEARN_FEATURES_STEM))
        find_stems(reader, as);
    if (wants(reader, LEARN_FEATURES_LETTERS))
        find_letters(reader, part, as);
}

/* What is found in a part is looked up after all of it was hashed, so that the processor
 * can fetch the table's slots ahead. */

const char *const learn_features_kinds[LEARN_FEATURES_KINDS] = {"word", "stem", "run",
                                                                "letters", "error"};

/* Lookups between fetching a slot and reading it; halfway, what was seen of the feature
 * is fetched. */
enum { AHEAD = 16 };

struct seen {
    uint32_t row, place;
};

void learn_features_open(struct learn_features_reader *reader,
                         struct learn_features_options options,
                         struct learn_features_table *grown,
                         const struct learn_features_table *fixed)
{
    *reader = (struct learn_features_reader){
        .options = options, .grown = grown, .table = grown != NULL ? grown : fixed};
    if (options.kinds & 1u << LEARN_FEATURES_STEM)
        text_stem_open(&reader->stem);
}

void learn_features_close(struct learn_features_reader *reader)
{
    text_stem_close(&reader->stem);
    buf_free(&reader->lower);
    buf_free(&reader->plain);
    buf_free(&reader->text);
    buf_free(&reader->words);
    buf_free(&reader->found);
    buf_free(&reader->seen);
    buf_free(&reader->row);
}

/* Room for all features of the table. */
static struct seen *seen_of(struct learn_features_reader *reader)
{
    size_t bytes = reader->table->count * sizeof(struct seen), len = reader->seen.len;

    if (len < bytes) {
        bytes = 2 * bytes;
        memset(buf_reserve(&reader->seen, bytes - len), 0, bytes - len);
        reader->seen.len = bytes;
    }
    return (struct seen *)(void *)reader->seen.ptr;
}

/* The row in work. */
struct features_counting {
    struct learn_rows_cell *cells;
    size_t count;
    size_t from_title; /* so many of them came from the title and give way */
    uint32_t row;
};

/* There is room for one cell more. Whether a feature is new to the row is anyone's guess,
 * so there is no branch: the cell behind the last is made ready for it in any case. */
static inline void count_one(struct features_counting *counting, struct seen *seen,
                             size_t feature)
{
    size_t old = seen->place, fresh = counting->count;
    bool here = seen->row == counting->row, known = here & (old >= counting->from_title);
    size_t place = fresh ^ ((old ^ fresh) & -(size_t)known);

    if (counting->from_title > 0 && here && !known)
        counting->cells[old].value = 0; /* from now on it is a body's word */
    counting->cells[fresh] = (struct learn_rows_cell){(uint32_t)feature, 0};
    counting->cells[place].value += 1;
    seen->row = counting->row;
    seen->place = (uint32_t)place;
    counting->count += !known;
}

static size_t enter(struct learn_features_reader *reader,
                    const struct learn_features_found *found, unsigned part)
{
    struct str name = {reader->text.ptr + found->at, found->len};
    struct learn_features_entry entry = {
        .hash = found->hash, .part = (uint8_t)part, .kind = (uint8_t)found->kind};
    bool fresh;

    return features_table_enter(reader->grown, entry, name, &fresh);
}

/* Where the table's slots are, until one more feature is entered. */
struct slots {
    struct learn_features_slot *at; /* NULL: there are none */
    size_t mask;
};

static struct slots slots_of(const struct learn_features_table *table)
{
    return (struct slots){learn_features_table_slots(table),
                          learn_features_table_capacity(table) - 1};
}

/* The feature's number, or SIZE_MAX when it is not in the table. */
static inline size_t number_of(struct slots slots, uint64_t hash)
{
    if (slots.at == NULL)
        return SIZE_MAX;
    return learn_features_table_find(slots.at, slots.mask, hash)->next - 1;
}

/* Asks the processor for the slot of one feature and for what was seen of another, whose
 * slot is there by now. That it may have moved on from its place costs only time. */
static inline void fetch(struct slots slots, const struct seen *seen, uint64_t far,
                         uint64_t near)
{
    __builtin_prefetch(slots.at + (far & slots.mask));
    __builtin_prefetch(seen + slots.at[near & slots.mask].next);
}

static void count_found(struct learn_features_reader *reader, unsigned part,
                        size_t from_title)
{
    const struct learn_features_found *found =
        (const struct learn_features_found *)(const void *)reader->found.ptr;
    size_t count = reader->found.len / sizeof *found;
    struct slots slots = slots_of(reader->table);
    struct seen *seen = seen_of(reader);
    struct features_counting counting = {.count = reader->row.len /
                                                  sizeof(struct learn_rows_cell),
                                         .from_title = from_title,
                                         .row = reader->rows};

    buf_reserve(&reader->row, (count + 1) * sizeof(struct learn_rows_cell));
    counting.cells = (struct learn_rows_cell *)(void *)reader->row.ptr;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count && slots.at != NULL)
            fetch(slots, seen, found[i + AHEAD].hash, found[i + AHEAD / 2].hash);
        size_t feature = number_of(slots, found[i].hash);
        if (feature == SIZE_MAX && reader->grown == NULL)
            continue;
        if (feature == SIZE_MAX) {
            feature = enter(reader, found + i, part);
            slots = slots_of(reader->table);
            seen = seen_of(reader);
        }
        count_one(&counting, seen + feature, feature);
    }
    reader->row.len = counting.count * sizeof(struct learn_rows_cell);
}

struct learn_rows_row learn_features_read(struct learn_features_reader *reader,
                                          const struct learn_parts *parts)
{
    const struct learn_features_options *options = &reader->options;
    size_t from_title = 0;

    reader->rows++;
    buf_clear(&reader->row);
    for (unsigned part = 0; part < LEARN_PARTS_COUNT; part++) {
        unsigned as = options->one_part ? 0 : part;
        if (parts->at[part].len == 0)
            continue;
        learn_features_find(reader, learn_parts_words(parts, part, &reader->plain), as);
        count_found(reader, as, from_title);
        if (options->one_part && options->body_wins && part == LEARN_PARTS_TITLE)
            from_title = reader->row.len / sizeof(struct learn_rows_cell);
    }
    return (struct learn_rows_row){
        (const struct learn_rows_cell *)(const void *)reader->row.ptr,
        reader->row.len / sizeof(struct learn_rows_cell)};
}
