/* Numbers and bits of 7z headers, as 7zFormat.txt has them, and their end. */
#include "input/seven_header.h"

#include "tests/tap.h"

static const struct {
    const char *name, *bytes;
    size_t len;
    uint64_t number;
    bool wrong;
} numbers[] = {
    {"one byte", "\x7F", 1, 127, false},
    {"two bytes: the lower one follows", "\x81\x02", 2, 0x102, false},
    {"three", "\xC1\x02\x03", 3, 0x10302, false},
    {"nine", "\xFF\x01\x00\x00\x00\x00\x00\x00\x80", 9, 0x8000000000000001, false},
    {"cut", "\xC1\x02", 2, 0, true},
    {"nothing", "", 0, 0, true},
};

static struct seven_header header_of(const char *bytes, size_t len)
{
    return (struct seven_header){(const unsigned char *)bytes,
                                 (const unsigned char *)bytes + len, false};
}

int main(void)
{
    struct arena arena = {0};
    struct seven_header header;

    for (size_t i = 0; i < ROWS(numbers); i++) {
        header = header_of(numbers[i].bytes, numbers[i].len);
        uint64_t number = seven_header_number(&header);
        tap_case("number: %s", numbers[i].name);
        CHECK(header.wrong == numbers[i].wrong);
        CHECK(numbers[i].wrong || number == numbers[i].number);
        CHECK(seven_header_left(&header) == 0);
    }
    tap_case("bits, highest first, and all of them at once");
    header = header_of("\xA0\x01", 2);
    const bool *bits = seven_header_bits(&header, 3, &arena);
    CHECK(bits[0] && !bits[1] && bits[2]);
    bits = seven_header_defined(&header, 9, &arena);
    CHECK(bits[0] && bits[8] && !header.wrong);
    tap_case("a count that cannot be, and a property that is another");
    header = header_of("\x05\x00", 2);
    CHECK(seven_header_count(&header, 0) == 0 && header.wrong);
    header = header_of("\x05\x00", 2);
    CHECK(seven_header_count(&header, 4) == 5 && !header.wrong);
    header = header_of("\x09", 1);
    seven_header_expect(&header, SEVEN_HEADER_SIZE);
    CHECK(!header.wrong);
    seven_header_expect(&header, SEVEN_HEADER_CRC);
    CHECK(header.wrong);
    tap_case("once wrong, always wrong");
    CHECK(seven_header_byte(&header) == 0 && seven_header_crc(&header) == 0);
    CHECK(seven_header_size(&header) == 0 && header.wrong);
    arena_free(&arena);
    return tap_done();
}
