/* Numbers, bits and checksums as 7z headers have them. */
#include "input/seven_header.h"

uint64_t seven_header_give_up(struct seven_header *header)
{
    header->wrong = true;
    header->at = header->end;
    return 0;
}

size_t seven_header_left(const struct seven_header *header)
{
    return (size_t)(header->end - header->at);
}

unsigned seven_header_byte(struct seven_header *header)
{
    return header->at < header->end ? *header->at++
                                    : (unsigned)seven_header_give_up(header);
}

/* The leading ones of the first byte tell how many bytes follow, lowest first. */
uint64_t seven_header_number(struct seven_header *header)
{
    unsigned first = seven_header_byte(header), mask = 0x80;
    uint64_t value = 0;

    for (int i = 0; i < 8; i++, mask >>= 1) {
        if (!(first & mask))
            return value | (uint64_t)(first & (mask - 1)) << 8 * i;
        value |= (uint64_t)seven_header_byte(header) << 8 * i;
    }
    return value;
}

/* A number of things each of which takes at least one byte of the header, or, with
 * `extra`, of so many more. */
size_t seven_header_count(struct seven_header *header, size_t extra)
{
    uint64_t count = seven_header_number(header);

    return count > seven_header_left(header) + extra
               ? (size_t)seven_header_give_up(header)
               : (size_t)count;
}

int64_t seven_header_size(struct seven_header *header)
{
    uint64_t size = seven_header_number(header);

    return size > INT64_MAX / 4 ? (int64_t)seven_header_give_up(header) : (int64_t)size;
}

uint32_t seven_header_crc(struct seven_header *header)
{
    uint32_t crc = 0;

    for (int i = 0; i < 4; i++)
        crc |= (uint32_t)seven_header_byte(header) << 8 * i;
    return crc;
}

void seven_header_skip(struct seven_header *header, uint64_t count)
{
    if (count > seven_header_left(header))
        seven_header_give_up(header);
    else
        header->at += count;
}

/* One bit each, highest first. */
bool *seven_header_bits(struct seven_header *header, size_t count, struct arena *arena)
{
    bool *bits = arena_array(arena, bool, count + 1);
    unsigned byte = 0;

    for (size_t i = 0; i < count; i++) {
        if (i % 8 == 0)
            byte = seven_header_byte(header);
        bits[i] = byte >> (7 - i % 8) & 1;
    }
    return bits;
}

/* The same, preceded by a byte that is 1 when all are set. */
bool *seven_header_defined(struct seven_header *header, size_t count, struct arena *arena)
{
    if (seven_header_byte(header) == 0)
        return seven_header_bits(header, count, arena);
    bool *bits = arena_array(arena, bool, count + 1);
    for (size_t i = 0; i < count; i++)
        bits[i] = true;
    return bits;
}

void seven_header_expect(struct seven_header *header, enum seven_header_property property)
{
    if (seven_header_number(header) != (uint64_t)property)
        seven_header_give_up(header);
}
