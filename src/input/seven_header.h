/* The bytes of a 7z header, taken from the front (7-Zip's DOC/7zFormat.txt). What is
 * wrong is found out at the end: from then on nothing but zeros comes. */
#ifndef INPUT_SEVEN_HEADER_H
#define INPUT_SEVEN_HEADER_H

#include "base/arena.h"

enum { SEVEN_SIGNATURE_BYTES = 32 }; /* before everything else in the archive */

enum seven_header_property {
    SEVEN_HEADER_END = 0x00,
    SEVEN_HEADER_HEADER = 0x01,
    SEVEN_HEADER_ARCHIVE_PROPERTIES = 0x02,
    SEVEN_HEADER_ADDITIONAL_STREAMS = 0x03,
    SEVEN_HEADER_MAIN_STREAMS = 0x04,
    SEVEN_HEADER_FILES = 0x05,
    SEVEN_HEADER_PACK_INFO = 0x06,
    SEVEN_HEADER_UNPACK_INFO = 0x07,
    SEVEN_HEADER_SUBSTREAMS_INFO = 0x08,
    SEVEN_HEADER_SIZE = 0x09,
    SEVEN_HEADER_CRC = 0x0A,
    SEVEN_HEADER_FOLDER = 0x0B,
    SEVEN_HEADER_UNPACK_SIZES = 0x0C,
    SEVEN_HEADER_COUNT = 0x0D,
    SEVEN_HEADER_EMPTY_STREAM = 0x0E,
    SEVEN_HEADER_EMPTY_FILE = 0x0F,
    SEVEN_HEADER_ANTI = 0x10,
    SEVEN_HEADER_NAMES = 0x11,
    SEVEN_HEADER_ENCODED_HEADER = 0x17,
};

/* Once wrong, always wrong. */
struct seven_header {
    const unsigned char *at, *end;
    bool wrong;
};

uint64_t seven_header_give_up(struct seven_header *header); /* is 0 */
size_t seven_header_left(const struct seven_header *header);

unsigned seven_header_byte(struct seven_header *header);
uint64_t seven_header_number(struct seven_header *header);
int64_t seven_header_size(struct seven_header *header); /* a number of bytes */
uint32_t seven_header_crc(struct seven_header *header);
void seven_header_skip(struct seven_header *header, uint64_t count);

/* A number of things each of which takes at least one byte of the header, or, with
 * `extra`, of so many more. */
size_t seven_header_count(struct seven_header *header, size_t extra);

/* `count` bits; with `defined` they may be left out when all are set. */
bool *seven_header_bits(struct seven_header *header, size_t count, struct arena *arena);
bool *seven_header_defined(struct seven_header *header, size_t count,
                           struct arena *arena);

/* This property and no other comes next. */
void seven_header_expect(struct seven_header *header,
                         enum seven_header_property property);

#endif
