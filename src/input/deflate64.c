/* Deflate64, which Windows and 7-Zip write into large zips. It is deflate (RFC 1951) with
 * a window of 64 KB: two more codes of distances, and the last code of lengths takes 16
 * more bits. Neither zlib nor libarchive unpacks it. */
#include <string.h>

#include "input/internal.h"

enum {
    BITS_MAX = 15,  /* of a code */
    FAST_BITS = 10, /* found in one look */
    LITERALS = 288,
    DISTANCES = 32,
    ORDER = 19, /* codes of lengths of codes */
    WINDOW = 1 << 16,
    END_OF_BLOCK = 256,
    NO_CODE = -1,
};

/* A canonical code: how many codes of each length there are, and what they stand for, in
 * order; the short ones, with what may follow them, by their bits. */
struct codes {
    uint16_t counts[BITS_MAX + 1];
    uint16_t symbols[LITERALS];
    uint16_t fast[1 << FAST_BITS]; /* symbol * 16 + length; 0: a longer one */
};

struct deflate64 {
    struct input_feed feed;
    size_t at; /* in the feed's buffer */
    bool fed;  /* all of it: zeros follow */
    uint64_t bits;
    unsigned held; /* bits */
    unsigned past; /* of them, zeros behind the end */
    enum { BETWEEN, STORED, CODED, ENDED } in;
    bool last;       /* block */
    size_t left;     /* bytes of a stored block, or of a match, still to come */
    size_t distance; /* of the match */
    uint64_t made;   /* bytes so far */
    struct codes literals, distances;
    unsigned char window[WINDOW];
};

static bool damaged(const struct input_stream *stream, struct err *err)
{
    return input_wrong(stream, err, "is damaged: expected Deflate64 data");
}

/* Enough bits for a code and what follows it, or zeros where the data end. */
static bool fill(struct input_stream *stream, struct deflate64 *it, struct err *err)
{
    while (it->held <= 56) {
        if (it->at == it->feed.len && !it->fed) {
            if (!input_feed_fill(&it->feed, err))
                return false;
            stream->used += (int64_t)it->feed.len;
            it->at = 0;
            it->fed = it->feed.len == 0;
        }
        if (it->fed)
            it->past += 8;
        else
            it->bits |= (uint64_t)(unsigned char)it->feed.buffer[it->at++] << it->held;
        it->held += 8;
    }
    return true;
}

/* At most 16, which fill() has brought. */
static unsigned take(struct deflate64 *it, unsigned count)
{
    unsigned value = (unsigned)(it->bits & ((UINT64_C(1) << count) - 1));

    it->bits >>= count;
    it->held -= count;
    return value;
}

static bool is_cut(const struct deflate64 *it)
{
    return it->held < it->past;
}

static unsigned reversed(unsigned code, unsigned length)
{
    unsigned out = 0;

    for (unsigned i = 0; i < length; i++)
        out |= (code >> i & 1) << (length - 1 - i);
    return out;
}

/* False where more codes of some lengths are given than there can be, or fewer; one code
 * alone may have a bit, and its other value stand for nothing. */
static bool make_codes(const uint8_t *lengths, size_t count, struct codes *out)
{
    unsigned first[BITS_MAX + 2] = {0}, places[BITS_MAX + 2] = {0};
    int left = 1;

    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count; i++)
        out->counts[lengths[i]]++;
    size_t used = count - out->counts[0];
    out->counts[0] = 0;
    for (unsigned length = 1; length <= BITS_MAX; length++) {
        left = left * 2 - out->counts[length];
        if (left < 0)
            return false;
        first[length + 1] = (first[length] + out->counts[length]) * 2;
        places[length + 1] = places[length] + out->counts[length];
    }
    if (left > 0 && !(used == 0 || (used == 1 && out->counts[1] == 1)))
        return false;
    for (size_t i = 0; i < count; i++) {
        unsigned length = lengths[i];
        if (length == 0)
            continue;
        unsigned code = reversed(first[length]++, length);
        out->symbols[places[length]++] = (uint16_t)i;
        for (; length <= FAST_BITS && code < 1u << FAST_BITS; code += 1u << length)
            out->fast[code] = (uint16_t)(i << 4 | length);
    }
    return true;
}

static int decode(struct deflate64 *it, const struct codes *codes)
{
    unsigned entry = codes->fast[it->bits & ((1u << FAST_BITS) - 1)];
    unsigned code = 0, first = 0, index = 0;

    if (entry != 0) {
        take(it, entry & 15);
        return (int)(entry >> 4);
    }
    for (unsigned length = 1; length <= BITS_MAX; length++) {
        unsigned count = codes->counts[length];
        code |= (unsigned)(it->bits >> (length - 1) & 1);
        if (code < first + count) {
            take(it, length);
            return codes->symbols[index + (code - first)];
        }
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    return NO_CODE;
}

static void fixed_codes(struct deflate64 *it)
{
    uint8_t lengths[LITERALS];

    for (size_t i = 0; i < LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    (void)!make_codes(lengths, LITERALS, &it->literals);
    memset(lengths, 5, DISTANCES);
    (void)!make_codes(lengths, DISTANCES, &it->distances);
}

/* Lengths of both codes, which are packed by a code of their own. */
static bool own_codes(struct input_stream *stream, struct deflate64 *it, struct err *err)
{
    static const uint8_t order[ORDER] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                         11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[LITERALS + DISTANCES + 138] = {0}, packing[ORDER] = {0};
    size_t literals = take(it, 5) + 257, distances = take(it, 5) + 1,
           packed = take(it, 4) + 4, count = 0;

    if (literals > LITERALS)
        return damaged(stream, err);
    for (size_t i = 0; i < packed; i++) {
        if (!fill(stream, it, err))
            return false;
        packing[order[i]] = (uint8_t)take(it, 3);
    }
    if (!make_codes(packing, ORDER, &it->literals))
        return damaged(stream, err);
    while (count < literals + distances) {
        if (!fill(stream, it, err))
            return false;
        int symbol = decode(it, &it->literals);
        if (symbol == NO_CODE || is_cut(it) || (symbol == 16 && count == 0))
            return damaged(stream, err);
        if (symbol < 16) {
            lengths[count++] = (uint8_t)symbol;
            continue;
        }
        size_t times = symbol == 16   ? 3 + take(it, 2)
                       : symbol == 17 ? 3 + take(it, 3)
                                      : 11 + take(it, 7);
        memset(lengths + count, symbol == 16 ? lengths[count - 1] : 0, times);
        count += times;
    }
    return (count == literals + distances && lengths[END_OF_BLOCK] > 0 &&
            make_codes(lengths, literals, &it->literals) &&
            make_codes(lengths + literals, distances, &it->distances)) ||
           damaged(stream, err);
}

static bool begin_block(struct input_stream *stream, struct deflate64 *it,
                        struct err *err)
{
    if (it->last) {
        it->in = ENDED;
        return true;
    }
    if (!fill(stream, it, err))
        return false;
    it->last = take(it, 1);
    unsigned kind = take(it, 2);
    it->in = kind == 0 ? STORED : CODED;
    it->left = 0;
    if (kind == 1)
        fixed_codes(it);
    if (kind == 2 && !own_codes(stream, it, err))
        return false;
    if (kind == 0) {
        take(it, it->held % 8);
        if (!fill(stream, it, err))
            return false;
        it->left = take(it, 16);
        if (it->left != (take(it, 16) ^ 0xffff))
            return damaged(stream, err);
    }
    if (is_cut(it))
        return input_wrong(stream, err, "is cut: the Deflate64 data end in the middle");
    return kind < 3 || damaged(stream, err);
}

/* The length and distance of a match, from the code of its length. */
static bool begin_match(struct input_stream *stream, struct deflate64 *it, int symbol,
                        struct err *err)
{
    static const uint16_t lengths[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                       67, 83, 99, 115, 131, 163, 195, 227, 3};
    static const uint8_t more[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                   2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 16};
    size_t at = (size_t)symbol - END_OF_BLOCK - 1;

    if (at >= ROWS_OF(lengths))
        return damaged(stream, err);
    it->left = lengths[at] + take(it, more[at]);
    if (!fill(stream, it, err))
        return false;
    int code = decode(it, &it->distances);
    if (code == NO_CODE)
        return damaged(stream, err);
    /* 1, 2, 3, 4, then two to each number of further bits. */
    unsigned further = code < 4 ? 0 : (unsigned)code / 2 - 1;
    size_t from = code < 4 ? (size_t)code : (size_t)(2 + code % 2) << further;
    it->distance = from + 1 + take(it, further);
    return it->distance <= it->made || damaged(stream, err);
}

static void put(struct deflate64 *it, char *to, size_t *got, unsigned char byte)
{
    it->window[it->made++ % WINDOW] = byte;
    to[(*got)++] = (char)byte;
}

static bool read_coded(struct input_stream *stream, struct deflate64 *it, char *to,
                       size_t room, size_t *got, struct err *err)
{
    while (*got < room) {
        if (it->left > 0) {
            put(it, to, got, it->window[(it->made - it->distance) % WINDOW]);
            it->left--;
            continue;
        }
        if (!fill(stream, it, err))
            return false;
        int symbol = decode(it, &it->literals);
        if (symbol == NO_CODE)
            return damaged(stream, err);
        if (symbol < END_OF_BLOCK)
            put(it, to, got, (unsigned char)symbol);
        else if (symbol > END_OF_BLOCK && !begin_match(stream, it, symbol, err))
            return false;
        if (is_cut(it))
            return input_wrong(stream, err,
                               "is cut: the Deflate64 data end in the middle");
        if (symbol == END_OF_BLOCK) {
            it->in = BETWEEN;
            return true;
        }
    }
    return true;
}

static bool read_stored(struct input_stream *stream, struct deflate64 *it, char *to,
                        size_t room, size_t *got, struct err *err)
{
    while (it->left > 0 && *got < room) {
        if (!fill(stream, it, err))
            return false;
        put(it, to, got, (unsigned char)take(it, 8));
        it->left--;
        if (is_cut(it))
            return input_wrong(stream, err,
                               "is cut: the Deflate64 data end in the middle");
    }
    if (it->left == 0)
        it->in = BETWEEN;
    return true;
}

static bool open_deflate64(struct input_stream *stream, struct err *err)
{
    struct deflate64 *it = arena_array(&stream->arena, struct deflate64, 1);

    (void)err;
    stream->state = it;
    it->feed = input_feed_of(stream);
    return true;
}

static bool read_deflate64(struct input_stream *stream, char *to, size_t room,
                           size_t *got, struct err *err)
{
    struct deflate64 *it = stream->state;
    bool ok = true;

    for (*got = 0; ok && *got < room && it->in != ENDED;)
        ok = it->in == BETWEEN  ? begin_block(stream, it, err)
             : it->in == STORED ? read_stored(stream, it, to, room, got, err)
                                : read_coded(stream, it, to, room, got, err);
    return ok;
}

const struct input_codec codec_deflate64 = {.open = open_deflate64,
                                            .read = read_deflate64};
