/* Case folding for comparisons: simple folding of Unicode 14.0 (CaseFolding.txt, status C
 * and S), kept to the letters whose folded form takes as many bytes in UTF-8. So a text
 * and its folded form have the same places, ASCII stays among itself, and a search needs
 * no table of offsets. What that leaves out: the Kelvin, Ohm and Angstrom signs, long s,
 * capital sharp s, and some thirty letters of phonetic and historic alphabets. */
#include "query/internal.h"

#include <string.h>

/* Every stride-th number from first to last folds to itself plus delta. */
static const struct fold_range {
    uint32_t first, last;
    int32_t stride, delta;
} ranges[] = {
    {0x00B5, 0x00B5, 1, 775},    {0x00C0, 0x00D6, 1, 32},     {0x00D8, 0x00DE, 1, 32},
    {0x0100, 0x012E, 2, 1},      {0x0132, 0x0136, 2, 1},      {0x0139, 0x0147, 2, 1},
    {0x014A, 0x0176, 2, 1},      {0x0178, 0x0178, 1, -121},   {0x0179, 0x017D, 2, 1},
    {0x0181, 0x0181, 1, 210},    {0x0182, 0x0184, 2, 1},      {0x0186, 0x0186, 1, 206},
    {0x0187, 0x0187, 1, 1},      {0x0189, 0x018A, 1, 205},    {0x018B, 0x018B, 1, 1},
    {0x018E, 0x018E, 1, 79},     {0x018F, 0x018F, 1, 202},    {0x0190, 0x0190, 1, 203},
    {0x0191, 0x0191, 1, 1},      {0x0193, 0x0193, 1, 205},    {0x0194, 0x0194, 1, 207},
    {0x0196, 0x0196, 1, 211},    {0x0197, 0x0197, 1, 209},    {0x0198, 0x0198, 1, 1},
    {0x019C, 0x019C, 1, 211},    {0x019D, 0x019D, 1, 213},    {0x019F, 0x019F, 1, 214},
    {0x01A0, 0x01A4, 2, 1},      {0x01A6, 0x01A6, 1, 218},    {0x01A7, 0x01A7, 1, 1},
    {0x01A9, 0x01A9, 1, 218},    {0x01AC, 0x01AC, 1, 1},      {0x01AE, 0x01AE, 1, 218},
    {0x01AF, 0x01AF, 1, 1},      {0x01B1, 0x01B2, 1, 217},    {0x01B3, 0x01B5, 2, 1},
    {0x01B7, 0x01B7, 1, 219},    {0x01B8, 0x01B8, 1, 1},      {0x01BC, 0x01BC, 1, 1},
    {0x01C4, 0x01C4, 1, 2},      {0x01C5, 0x01C5, 1, 1},      {0x01C7, 0x01C7, 1, 2},
    {0x01C8, 0x01C8, 1, 1},      {0x01CA, 0x01CA, 1, 2},      {0x01CB, 0x01DB, 2, 1},
    {0x01DE, 0x01EE, 2, 1},      {0x01F1, 0x01F1, 1, 2},      {0x01F2, 0x01F4, 2, 1},
    {0x01F6, 0x01F6, 1, -97},    {0x01F7, 0x01F7, 1, -56},    {0x01F8, 0x021E, 2, 1},
    {0x0220, 0x0220, 1, -130},   {0x0222, 0x0232, 2, 1},      {0x023B, 0x023B, 1, 1},
    {0x023D, 0x023D, 1, -163},   {0x0241, 0x0241, 1, 1},      {0x0243, 0x0243, 1, -195},
    {0x0244, 0x0244, 1, 69},     {0x0245, 0x0245, 1, 71},     {0x0246, 0x024E, 2, 1},
    {0x0345, 0x0345, 1, 116},    {0x0370, 0x0372, 2, 1},      {0x0376, 0x0376, 1, 1},
    {0x037F, 0x037F, 1, 116},    {0x0386, 0x0386, 1, 38},     {0x0388, 0x038A, 1, 37},
    {0x038C, 0x038C, 1, 64},     {0x038E, 0x038F, 1, 63},     {0x0391, 0x03A1, 1, 32},
    {0x03A3, 0x03AB, 1, 32},     {0x03C2, 0x03C2, 1, 1},      {0x03CF, 0x03CF, 1, 8},
    {0x03D0, 0x03D0, 1, -30},    {0x03D1, 0x03D1, 1, -25},    {0x03D5, 0x03D5, 1, -15},
    {0x03D6, 0x03D6, 1, -22},    {0x03D8, 0x03EE, 2, 1},      {0x03F0, 0x03F0, 1, -54},
    {0x03F1, 0x03F1, 1, -48},    {0x03F4, 0x03F4, 1, -60},    {0x03F5, 0x03F5, 1, -64},
    {0x03F7, 0x03F7, 1, 1},      {0x03F9, 0x03F9, 1, -7},     {0x03FA, 0x03FA, 1, 1},
    {0x03FD, 0x03FF, 1, -130},   {0x0400, 0x040F, 1, 80},     {0x0410, 0x042F, 1, 32},
    {0x0460, 0x0480, 2, 1},      {0x048A, 0x04BE, 2, 1},      {0x04C0, 0x04C0, 1, 15},
    {0x04C1, 0x04CD, 2, 1},      {0x04D0, 0x052E, 2, 1},      {0x0531, 0x0556, 1, 48},
    {0x10A0, 0x10C5, 1, 7264},   {0x10C7, 0x10C7, 1, 7264},   {0x10CD, 0x10CD, 1, 7264},
    {0x13F8, 0x13FD, 1, -8},     {0x1C88, 0x1C88, 1, 35267},  {0x1C90, 0x1CBA, 1, -3008},
    {0x1CBD, 0x1CBF, 1, -3008},  {0x1E00, 0x1E94, 2, 1},      {0x1E9B, 0x1E9B, 1, -58},
    {0x1EA0, 0x1EFE, 2, 1},      {0x1F08, 0x1F0F, 1, -8},     {0x1F18, 0x1F1D, 1, -8},
    {0x1F28, 0x1F2F, 1, -8},     {0x1F38, 0x1F3F, 1, -8},     {0x1F48, 0x1F4D, 1, -8},
    {0x1F59, 0x1F5F, 2, -8},     {0x1F68, 0x1F6F, 1, -8},     {0x1F88, 0x1F8F, 1, -8},
    {0x1F98, 0x1F9F, 1, -8},     {0x1FA8, 0x1FAF, 1, -8},     {0x1FB8, 0x1FB9, 1, -8},
    {0x1FBA, 0x1FBB, 1, -74},    {0x1FBC, 0x1FBC, 1, -9},     {0x1FC8, 0x1FCB, 1, -86},
    {0x1FCC, 0x1FCC, 1, -9},     {0x1FD8, 0x1FD9, 1, -8},     {0x1FDA, 0x1FDB, 1, -100},
    {0x1FE8, 0x1FE9, 1, -8},     {0x1FEA, 0x1FEB, 1, -112},   {0x1FEC, 0x1FEC, 1, -7},
    {0x1FF8, 0x1FF9, 1, -128},   {0x1FFA, 0x1FFB, 1, -126},   {0x1FFC, 0x1FFC, 1, -9},
    {0x2132, 0x2132, 1, 28},     {0x2160, 0x216F, 1, 16},     {0x2183, 0x2183, 1, 1},
    {0x24B6, 0x24CF, 1, 26},     {0x2C00, 0x2C2F, 1, 48},     {0x2C60, 0x2C60, 1, 1},
    {0x2C63, 0x2C63, 1, -3814},  {0x2C67, 0x2C6B, 2, 1},      {0x2C72, 0x2C72, 1, 1},
    {0x2C75, 0x2C75, 1, 1},      {0x2C80, 0x2CE2, 2, 1},      {0x2CEB, 0x2CED, 2, 1},
    {0x2CF2, 0x2CF2, 1, 1},      {0xA640, 0xA66C, 2, 1},      {0xA680, 0xA69A, 2, 1},
    {0xA722, 0xA72E, 2, 1},      {0xA732, 0xA76E, 2, 1},      {0xA779, 0xA77B, 2, 1},
    {0xA77D, 0xA77D, 1, -35332}, {0xA77E, 0xA786, 2, 1},      {0xA78B, 0xA78B, 1, 1},
    {0xA790, 0xA792, 2, 1},      {0xA796, 0xA7A8, 2, 1},      {0xA7B3, 0xA7B3, 1, 928},
    {0xA7B4, 0xA7C2, 2, 1},      {0xA7C4, 0xA7C4, 1, -48},    {0xA7C6, 0xA7C6, 1, -35384},
    {0xA7C7, 0xA7C9, 2, 1},      {0xA7D0, 0xA7D0, 1, 1},      {0xA7D6, 0xA7D8, 2, 1},
    {0xA7F5, 0xA7F5, 1, 1},      {0xAB70, 0xABBF, 1, -38864}, {0xFF21, 0xFF3A, 1, 32},
    {0x10400, 0x10427, 1, 40},   {0x104B0, 0x104D3, 1, 40},   {0x10570, 0x1057A, 1, 39},
    {0x1057C, 0x1058A, 1, 39},   {0x1058C, 0x10592, 1, 39},   {0x10594, 0x10595, 1, 39},
    {0x10C80, 0x10CB2, 1, 64},   {0x118A0, 0x118BF, 1, 32},   {0x16E40, 0x16E5F, 1, 32},
    {0x1E900, 0x1E921, 1, 34},
};

uint32_t query_fold_character(uint32_t character)
{
    size_t low = 0, high = ROWS_OF(ranges);

    if (character < 0x80)
        return (uint32_t)(unsigned char)query_lower((char)character);
    while (low < high) { /* the last range that begins at or before the character */
        size_t middle = (low + high) / 2;
        if (ranges[middle].first <= character)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return character;
    const struct fold_range *range = &ranges[low - 1];
    uint32_t offset = character - range->first;
    if (character > range->last || offset % (uint32_t)range->stride != 0)
        return character;
    return (uint32_t)((int32_t)character + range->delta);
}

size_t query_decode(struct str s, uint32_t *character)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)s.ptr;

    if (s.len == 0)
        return 0;
    if (p[0] < 0x80) {
        *character = p[0];
        return 1;
    }
    size_t len = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || s.len < len)
        return 0;
    uint32_t value = p[0] & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (p[i] & 0x3Fu);
    }
    if (value < least[len] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 0;
    *character = value;
    return len;
}

static void encode(uint32_t character, size_t len, char *out)
{
    static const unsigned char lead[5] = {0, 0, 0xC0, 0xE0, 0xF0};

    for (size_t i = len - 1; i > 0; i--, character >>= 6)
        out[i] = (char)(0x80 | (character & 0x3F));
    out[0] = (char)(lead[len] | character);
}

/* Eight ASCII bytes at once: the high bit of each byte of `upper` is set where a letter
 * from A to Z stands. */
static uint64_t lower_eight(uint64_t bytes)
{
    const uint64_t every = UINT64_C(0x0101010101010101);
    uint64_t from_a = bytes + every * (0x80 - 'A'),
             above_z = bytes + every * (0x7F - 'Z');
    uint64_t upper = (from_a & ~above_z) & every * 0x80;

    return bytes | upper >> 2; /* 0x80 >> 2 is the bit that makes it lower case */
}

void query_fold(struct str s, char *out)
{
    size_t i = 0;

    while (i < s.len) {
        uint64_t bytes;
        uint32_t character;
        if (s.len - i >= sizeof bytes) {
            memcpy(&bytes, s.ptr + i, sizeof bytes);
            if ((bytes & UINT64_C(0x8080808080808080)) == 0) {
                bytes = lower_eight(bytes);
                memcpy(out + i, &bytes, sizeof bytes);
                i += sizeof bytes;
                continue;
            }
        }
        size_t len = query_decode(str_slice(s, i, s.len), &character);
        if (len > 1)
            encode(query_fold_character(character), len, out + i);
        else
            out[i] = query_lower(s.ptr[i]);
        i += len > 0 ? len : 1;
    }
}
