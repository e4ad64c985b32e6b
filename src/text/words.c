/* Words, their letters and their stems. The masks say where words of ASCII, which are
 * nearly all, begin and end. What they are not sure of is decided byte by byte; other
 * characters are looked up in tables of Unicode. */
#include "text/words.h"

#include <libstemmer.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "text/internal.h"
#include "text/utf8.h"

/* From 128 on: the ranges of what parts words (general categories P, S, Z, Cc, Cf), with
 * unassigned characters wherever that joins two ranges. */
static const struct words_range {
    uint32_t first, last;
} separators[] = {
    {0x80, 0xA9},       {0xAB, 0xB1},       {0xB4, 0xB4},       {0xB6, 0xB8},
    {0xBB, 0xBB},       {0xBF, 0xBF},       {0xD7, 0xD7},       {0xF7, 0xF7},
    {0x2C2, 0x2C5},     {0x2D2, 0x2DF},     {0x2E5, 0x2EB},     {0x2ED, 0x2ED},
    {0x2EF, 0x2FF},     {0x375, 0x375},     {0x37E, 0x37E},     {0x384, 0x385},
    {0x387, 0x387},     {0x3F6, 0x3F6},     {0x482, 0x482},     {0x55A, 0x55F},
    {0x589, 0x58F},     {0x5BE, 0x5BE},     {0x5C0, 0x5C0},     {0x5C3, 0x5C3},
    {0x5C6, 0x5C6},     {0x5F3, 0x60F},     {0x61B, 0x61F},     {0x66A, 0x66D},
    {0x6D4, 0x6D4},     {0x6DD, 0x6DE},     {0x6E9, 0x6E9},     {0x6FD, 0x6FE},
    {0x700, 0x70F},     {0x7F6, 0x7F9},     {0x7FE, 0x7FF},     {0x830, 0x83E},
    {0x85E, 0x85E},     {0x888, 0x888},     {0x890, 0x891},     {0x8E2, 0x8E2},
    {0x964, 0x965},     {0x970, 0x970},     {0x9F2, 0x9F3},     {0x9FA, 0x9FB},
    {0x9FD, 0x9FD},     {0xA76, 0xA76},     {0xAF0, 0xAF1},     {0xB70, 0xB70},
    {0xBF3, 0xBFA},     {0xC77, 0xC77},     {0xC7F, 0xC7F},     {0xC84, 0xC84},
    {0xD4F, 0xD4F},     {0xD79, 0xD79},     {0xDF4, 0xDF4},     {0xE3F, 0xE3F},
    {0xE4F, 0xE4F},     {0xE5A, 0xE5B},     {0xF01, 0xF17},     {0xF1A, 0xF1F},
    {0xF34, 0xF34},     {0xF36, 0xF36},     {0xF38, 0xF38},     {0xF3A, 0xF3D},
    {0xF85, 0xF85},     {0xFBE, 0xFC5},     {0xFC7, 0xFDA},     {0x104A, 0x104F},
    {0x109E, 0x109F},   {0x10FB, 0x10FB},   {0x1360, 0x1368},   {0x1390, 0x1399},
    {0x1400, 0x1400},   {0x166D, 0x166E},   {0x1680, 0x1680},   {0x169B, 0x169C},
    {0x16EB, 0x16ED},   {0x1735, 0x1736},   {0x17D4, 0x17D6},   {0x17D8, 0x17DB},
    {0x1800, 0x180A},   {0x180E, 0x180E},   {0x1940, 0x1945},   {0x19DE, 0x19FF},
    {0x1A1E, 0x1A1F},   {0x1AA0, 0x1AA6},   {0x1AA8, 0x1AAD},   {0x1B5A, 0x1B6A},
    {0x1B74, 0x1B7E},   {0x1BFC, 0x1BFF},   {0x1C3B, 0x1C3F},   {0x1C7E, 0x1C7F},
    {0x1CC0, 0x1CC7},   {0x1CD3, 0x1CD3},   {0x1FBD, 0x1FBD},   {0x1FBF, 0x1FC1},
    {0x1FCD, 0x1FCF},   {0x1FDD, 0x1FDF},   {0x1FED, 0x1FEF},   {0x1FFD, 0x206F},
    {0x207A, 0x207E},   {0x208A, 0x208E},   {0x20A0, 0x20C0},   {0x20E3, 0x20E3},
    {0x2100, 0x2101},   {0x2103, 0x2106},   {0x2108, 0x2109},   {0x2114, 0x2114},
    {0x2116, 0x2118},   {0x211E, 0x2123},   {0x2125, 0x2125},   {0x2127, 0x2127},
    {0x2129, 0x2129},   {0x212E, 0x212E},   {0x213A, 0x213B},   {0x2140, 0x2144},
    {0x214A, 0x214D},   {0x214F, 0x214F},   {0x218A, 0x244A},   {0x249C, 0x24E9},
    {0x2500, 0x2775},   {0x2794, 0x2BFF},   {0x2CE5, 0x2CEA},   {0x2CF9, 0x2CFC},
    {0x2CFE, 0x2CFF},   {0x2D70, 0x2D70},   {0x2E00, 0x2E2E},   {0x2E30, 0x3004},
    {0x3008, 0x3020},   {0x3030, 0x3030},   {0x3036, 0x3037},   {0x303D, 0x303F},
    {0x309B, 0x309C},   {0x30A0, 0x30A0},   {0x30FB, 0x30FB},   {0x3190, 0x3191},
    {0x3196, 0x319F},   {0x31C0, 0x31E3},   {0x3200, 0x321E},   {0x322A, 0x3247},
    {0x3250, 0x3250},   {0x3260, 0x327F},   {0x328A, 0x32B0},   {0x32C0, 0x33FF},
    {0x4DC0, 0x4DFF},   {0xA490, 0xA4C6},   {0xA4FE, 0xA4FF},   {0xA60D, 0xA60F},
    {0xA673, 0xA673},   {0xA67E, 0xA67E},   {0xA6F2, 0xA716},   {0xA720, 0xA721},
    {0xA789, 0xA78A},   {0xA828, 0xA82B},   {0xA836, 0xA839},   {0xA874, 0xA877},
    {0xA8CE, 0xA8CF},   {0xA8F8, 0xA8FA},   {0xA8FC, 0xA8FC},   {0xA92E, 0xA92F},
    {0xA95F, 0xA95F},   {0xA9C1, 0xA9CD},   {0xA9DE, 0xA9DF},   {0xAA5C, 0xAA5F},
    {0xAA77, 0xAA79},   {0xAADE, 0xAADF},   {0xAAF0, 0xAAF1},   {0xAB5B, 0xAB5B},
    {0xAB6A, 0xAB6B},   {0xABEB, 0xABEB},   {0xFB29, 0xFB29},   {0xFBB2, 0xFBC2},
    {0xFD3E, 0xFD4F},   {0xFDCF, 0xFDCF},   {0xFDFC, 0xFE19},   {0xFE30, 0xFE6B},
    {0xFEFF, 0xFF0F},   {0xFF1A, 0xFF20},   {0xFF3B, 0xFF40},   {0xFF5B, 0xFF65},
    {0xFFE0, 0xFFFD},   {0x10100, 0x10102}, {0x10137, 0x1013F}, {0x10179, 0x10189},
    {0x1018C, 0x101FC}, {0x1039F, 0x1039F}, {0x103D0, 0x103D0}, {0x1056F, 0x1056F},
    {0x10857, 0x10857}, {0x10877, 0x10878}, {0x1091F, 0x1091F}, {0x1093F, 0x1093F},
    {0x10A50, 0x10A58}, {0x10A7F, 0x10A7F}, {0x10AC8, 0x10AC8}, {0x10AF0, 0x10AF6},
    {0x10B39, 0x10B3F}, {0x10B99, 0x10B9C}, {0x10EAD, 0x10EAD}, {0x10F55, 0x10F59},
    {0x10F86, 0x10F89}, {0x11047, 0x1104D}, {0x110BB, 0x110C1}, {0x110CD, 0x110CD},
    {0x11140, 0x11143}, {0x11174, 0x11175}, {0x111C5, 0x111C8}, {0x111CD, 0x111CD},
    {0x111DB, 0x111DB}, {0x111DD, 0x111DF}, {0x11238, 0x1123D}, {0x112A9, 0x112A9},
    {0x1144B, 0x1144F}, {0x1145A, 0x1145D}, {0x114C6, 0x114C6}, {0x115C1, 0x115D7},
    {0x11641, 0x11643}, {0x11660, 0x1166C}, {0x116B9, 0x116B9}, {0x1173C, 0x1173F},
    {0x1183B, 0x1183B}, {0x11944, 0x11946}, {0x119E2, 0x119E2}, {0x11A3F, 0x11A46},
    {0x11A9A, 0x11A9C}, {0x11A9E, 0x11AA2}, {0x11C41, 0x11C45}, {0x11C70, 0x11C71},
    {0x11EF7, 0x11EF8}, {0x11FD5, 0x11FFF}, {0x12470, 0x12474}, {0x12FF1, 0x12FF2},
    {0x13430, 0x13438}, {0x16A6E, 0x16A6F}, {0x16AF5, 0x16AF5}, {0x16B37, 0x16B3F},
    {0x16B44, 0x16B45}, {0x16E97, 0x16E9A}, {0x16FE2, 0x16FE2}, {0x1BC9C, 0x1BC9C},
    {0x1BC9F, 0x1BCA3}, {0x1CF50, 0x1D164}, {0x1D16A, 0x1D16C}, {0x1D173, 0x1D17A},
    {0x1D183, 0x1D184}, {0x1D18C, 0x1D1A9}, {0x1D1AE, 0x1D241}, {0x1D245, 0x1D245},
    {0x1D300, 0x1D356}, {0x1D6C1, 0x1D6C1}, {0x1D6DB, 0x1D6DB}, {0x1D6FB, 0x1D6FB},
    {0x1D715, 0x1D715}, {0x1D735, 0x1D735}, {0x1D74F, 0x1D74F}, {0x1D76F, 0x1D76F},
    {0x1D789, 0x1D789}, {0x1D7A9, 0x1D7A9}, {0x1D7C3, 0x1D7C3}, {0x1D800, 0x1D9FF},
    {0x1DA37, 0x1DA3A}, {0x1DA6D, 0x1DA74}, {0x1DA76, 0x1DA83}, {0x1DA85, 0x1DA8B},
    {0x1E14F, 0x1E14F}, {0x1E2FF, 0x1E2FF}, {0x1E95E, 0x1E95F}, {0x1ECAC, 0x1ECAC},
    {0x1ECB0, 0x1ECB0}, {0x1ED2E, 0x1ED2E}, {0x1EEF0, 0x1FBCA}, {0xE0001, 0xE01EF}};

/* Every `step`th character from first to last, plus `plus`, is its lower case. */
static const struct folding {
    uint32_t first, last;
    uint32_t step;
    int32_t plus;
} foldings[] = {
    {0xB5, 0xB5, 1, 775},        {0xC0, 0xD6, 1, 32},         {0xD8, 0xDE, 1, 32},
    {0x100, 0x12E, 2, 1},        {0x130, 0x130, 1, -199},     {0x132, 0x136, 2, 1},
    {0x139, 0x147, 2, 1},        {0x14A, 0x176, 2, 1},        {0x178, 0x178, 1, -121},
    {0x179, 0x17D, 2, 1},        {0x17F, 0x17F, 1, -268},     {0x181, 0x181, 1, 210},
    {0x182, 0x184, 2, 1},        {0x186, 0x186, 1, 206},      {0x187, 0x187, 1, 1},
    {0x189, 0x18A, 1, 205},      {0x18B, 0x18B, 1, 1},        {0x18E, 0x18E, 1, 79},
    {0x18F, 0x18F, 1, 202},      {0x190, 0x190, 1, 203},      {0x191, 0x191, 1, 1},
    {0x193, 0x193, 1, 205},      {0x194, 0x194, 1, 207},      {0x196, 0x196, 1, 211},
    {0x197, 0x197, 1, 209},      {0x198, 0x198, 1, 1},        {0x19C, 0x19C, 1, 211},
    {0x19D, 0x19D, 1, 213},      {0x19F, 0x19F, 1, 214},      {0x1A0, 0x1A4, 2, 1},
    {0x1A6, 0x1A6, 1, 218},      {0x1A7, 0x1A7, 1, 1},        {0x1A9, 0x1A9, 1, 218},
    {0x1AC, 0x1AC, 1, 1},        {0x1AE, 0x1AE, 1, 218},      {0x1AF, 0x1AF, 1, 1},
    {0x1B1, 0x1B2, 1, 217},      {0x1B3, 0x1B5, 2, 1},        {0x1B7, 0x1B7, 1, 219},
    {0x1B8, 0x1B8, 1, 1},        {0x1BC, 0x1BC, 1, 1},        {0x1C4, 0x1C4, 1, 2},
    {0x1C5, 0x1C5, 1, 1},        {0x1C7, 0x1C7, 1, 2},        {0x1C8, 0x1C8, 1, 1},
    {0x1CA, 0x1CA, 1, 2},        {0x1CB, 0x1DB, 2, 1},        {0x1DE, 0x1EE, 2, 1},
    {0x1F1, 0x1F1, 1, 2},        {0x1F2, 0x1F4, 2, 1},        {0x1F6, 0x1F6, 1, -97},
    {0x1F7, 0x1F7, 1, -56},      {0x1F8, 0x21E, 2, 1},        {0x220, 0x220, 1, -130},
    {0x222, 0x232, 2, 1},        {0x23A, 0x23A, 1, 10795},    {0x23B, 0x23B, 1, 1},
    {0x23D, 0x23D, 1, -163},     {0x23E, 0x23E, 1, 10792},    {0x241, 0x241, 1, 1},
    {0x243, 0x243, 1, -195},     {0x244, 0x244, 1, 69},       {0x245, 0x245, 1, 71},
    {0x246, 0x24E, 2, 1},        {0x345, 0x345, 1, 116},      {0x370, 0x372, 2, 1},
    {0x376, 0x376, 1, 1},        {0x37F, 0x37F, 1, 116},      {0x386, 0x386, 1, 38},
    {0x388, 0x38A, 1, 37},       {0x38C, 0x38C, 1, 64},       {0x38E, 0x38F, 1, 63},
    {0x391, 0x3A1, 1, 32},       {0x3A3, 0x3AB, 1, 32},       {0x3C2, 0x3C2, 1, 1},
    {0x3CF, 0x3CF, 1, 8},        {0x3D0, 0x3D0, 1, -30},      {0x3D1, 0x3D1, 1, -25},
    {0x3D5, 0x3D5, 1, -15},      {0x3D6, 0x3D6, 1, -22},      {0x3D8, 0x3EE, 2, 1},
    {0x3F0, 0x3F0, 1, -54},      {0x3F1, 0x3F1, 1, -48},      {0x3F4, 0x3F4, 1, -60},
    {0x3F5, 0x3F5, 1, -64},      {0x3F7, 0x3F7, 1, 1},        {0x3F9, 0x3F9, 1, -7},
    {0x3FA, 0x3FA, 1, 1},        {0x3FD, 0x3FF, 1, -130},     {0x400, 0x40F, 1, 80},
    {0x410, 0x42F, 1, 32},       {0x460, 0x480, 2, 1},        {0x48A, 0x4BE, 2, 1},
    {0x4C0, 0x4C0, 1, 15},       {0x4C1, 0x4CD, 2, 1},        {0x4D0, 0x52E, 2, 1},
    {0x531, 0x556, 1, 48},       {0x10A0, 0x10C5, 1, 7264},   {0x10C7, 0x10C7, 1, 7264},
    {0x10CD, 0x10CD, 1, 7264},   {0x13F8, 0x13FD, 1, -8},     {0x1C80, 0x1C80, 1, -6222},
    {0x1C81, 0x1C81, 1, -6221},  {0x1C82, 0x1C82, 1, -6212},  {0x1C83, 0x1C84, 1, -6210},
    {0x1C85, 0x1C85, 1, -6211},  {0x1C86, 0x1C86, 1, -6204},  {0x1C87, 0x1C87, 1, -6180},
    {0x1C88, 0x1C88, 1, 35267},  {0x1C90, 0x1CBA, 1, -3008},  {0x1CBD, 0x1CBF, 1, -3008},
    {0x1E00, 0x1E94, 2, 1},      {0x1E9B, 0x1E9B, 1, -58},    {0x1E9E, 0x1E9E, 1, -7615},
    {0x1EA0, 0x1EFE, 2, 1},      {0x1F08, 0x1F0F, 1, -8},     {0x1F18, 0x1F1D, 1, -8},
    {0x1F28, 0x1F2F, 1, -8},     {0x1F38, 0x1F3F, 1, -8},     {0x1F48, 0x1F4D, 1, -8},
    {0x1F59, 0x1F5F, 2, -8},     {0x1F68, 0x1F6F, 1, -8},     {0x1F88, 0x1F8F, 1, -8},
    {0x1F98, 0x1F9F, 1, -8},     {0x1FA8, 0x1FAF, 1, -8},     {0x1FB8, 0x1FB9, 1, -8},
    {0x1FBA, 0x1FBB, 1, -74},    {0x1FBC, 0x1FBC, 1, -9},     {0x1FBE, 0x1FBE, 1, -7173},
    {0x1FC8, 0x1FCB, 1, -86},    {0x1FCC, 0x1FCC, 1, -9},     {0x1FD8, 0x1FD9, 1, -8},
    {0x1FDA, 0x1FDB, 1, -100},   {0x1FE8, 0x1FE9, 1, -8},     {0x1FEA, 0x1FEB, 1, -112},
    {0x1FEC, 0x1FEC, 1, -7},     {0x1FF8, 0x1FF9, 1, -128},   {0x1FFA, 0x1FFB, 1, -126},
    {0x1FFC, 0x1FFC, 1, -9},     {0x2126, 0x2126, 1, -7517},  {0x212A, 0x212A, 1, -8383},
    {0x212B, 0x212B, 1, -8262},  {0x2132, 0x2132, 1, 28},     {0x2160, 0x216F, 1, 16},
    {0x2183, 0x2183, 1, 1},      {0x24B6, 0x24CF, 1, 26},     {0x2C00, 0x2C2F, 1, 48},
    {0x2C60, 0x2C60, 1, 1},      {0x2C62, 0x2C62, 1, -10743}, {0x2C63, 0x2C63, 1, -3814},
    {0x2C64, 0x2C64, 1, -10727}, {0x2C67, 0x2C6B, 2, 1},      {0x2C6D, 0x2C6D, 1, -10780},
    {0x2C6E, 0x2C6E, 1, -10749}, {0x2C6F, 0x2C6F, 1, -10783}, {0x2C70, 0x2C70, 1, -10782},
    {0x2C72, 0x2C72, 1, 1},      {0x2C75, 0x2C75, 1, 1},      {0x2C7E, 0x2C7F, 1, -10815},
    {0x2C80, 0x2CE2, 2, 1},      {0x2CEB, 0x2CED, 2, 1},      {0x2CF2, 0x2CF2, 1, 1},
    {0xA640, 0xA66C, 2, 1},      {0xA680, 0xA69A, 2, 1},      {0xA722, 0xA72E, 2, 1},
    {0xA732, 0xA76E, 2, 1},      {0xA779, 0xA77B, 2, 1},      {0xA77D, 0xA77D, 1, -35332},
    {0xA77E, 0xA786, 2, 1},      {0xA78B, 0xA78B, 1, 1},      {0xA78D, 0xA78D, 1, -42280},
    {0xA790, 0xA792, 2, 1},      {0xA796, 0xA7A8, 2, 1},      {0xA7AA, 0xA7AA, 1, -42308},
    {0xA7AB, 0xA7AB, 1, -42319}, {0xA7AC, 0xA7AC, 1, -42315}, {0xA7AD, 0xA7AD, 1, -42305},
    {0xA7AE, 0xA7AE, 1, -42308}, {0xA7B0, 0xA7B0, 1, -42258}, {0xA7B1, 0xA7B1, 1, -42282},
    {0xA7B2, 0xA7B2, 1, -42261}, {0xA7B3, 0xA7B3, 1, 928},    {0xA7B4, 0xA7C2, 2, 1},
    {0xA7C4, 0xA7C4, 1, -48},    {0xA7C5, 0xA7C5, 1, -42307}, {0xA7C6, 0xA7C6, 1, -35384},
    {0xA7C7, 0xA7C9, 2, 1},      {0xA7D0, 0xA7D0, 1, 1},      {0xA7D6, 0xA7D8, 2, 1},
    {0xA7F5, 0xA7F5, 1, 1},      {0xAB70, 0xABBF, 1, -38864}, {0xFF21, 0xFF3A, 1, 32},
    {0x10400, 0x10427, 1, 40},   {0x104B0, 0x104D3, 1, 40},   {0x10570, 0x1057A, 1, 39},
    {0x1057C, 0x1058A, 1, 39},   {0x1058C, 0x10592, 1, 39},   {0x10594, 0x10595, 1, 39},
    {0x10C80, 0x10CB2, 1, 64},   {0x118A0, 0x118BF, 1, 32},   {0x16E40, 0x16E5F, 1, 32},
    {0x1E900, 0x1E921, 1, 34}};

static bool is_ascii_upper(uint32_t code)
{
    return code >= 'A' && code <= 'Z';
}

bool text_letter_in_word(uint32_t code)
{
    size_t low = 0, high = ROWS_OF(separators);

    if (code < 0x80)
        return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') ||
               is_ascii_upper(code);
    while (low < high) { /* all rows before low end before code; none from high on do */
        size_t middle = (low + high) / 2;
        if (separators[middle].last < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low == ROWS_OF(separators) || code < separators[low].first;
}

bool text_letter_unspaced(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } scripts[] = {{0x0E00, 0x0EFF},   /* Thai, Lao */
                   {0x1000, 0x109F},   /* Burmese */
                   {0x1780, 0x17FF},   /* Khmer */
                   {0x3005, 0x3007},   /* marks among Han */
                   {0x3040, 0x30FF},   /* kana */
                   {0x31F0, 0x31FF},   /* small kana */
                   {0x3400, 0x9FFF},   /* Han */
                   {0xF900, 0xFAFF},   /* Han, for old encodings */
                   {0xFF66, 0xFF9F},   /* narrow kana */
                   {0x1AFF0, 0x1B16F}, /* further kana */
                   {0x20000, 0x3FFFF}};

    for (size_t i = 0; i < ROWS_OF(scripts) && code >= scripts[i].first; i++)
        if (code <= scripts[i].last)
            return true;
    return false;
}

uint32_t text_letter_fold(uint32_t code)
{
    size_t low = 0, high = ROWS_OF(foldings);

    if (code < 0x80)
        return is_ascii_upper(code) ? code + ('a' - 'A') : code;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (foldings[middle].last < code)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == ROWS_OF(foldings) || code < foldings[low].first ||
        (code - foldings[low].first) % foldings[low].step != 0)
        return code;
    return (uint32_t)((int32_t)code + foldings[low].plus);
}

/* A thin coat over libstemmer. */

void text_stem_open(struct text_stem *stem)
{
    stem->snowball = sb_stemmer_new("english", "UTF_8");
    if (stem->snowball == NULL) /* the language is always there, so it is memory */
        arena_exhausted();
}

void text_stem_close(struct text_stem *stem)
{
    sb_stemmer_delete(stem->snowball);
    *stem = (struct text_stem){0};
}

struct str text_stem_word(struct text_stem *stem, struct str word)
{
    const sb_symbol *result;

    if (word.len == 0 || word.len > TEXT_STEM_WORD_MAX)
        return word;
    result = sb_stemmer_stem(stem->snowball, (const sb_symbol *)word.ptr, (int)word.len);
    if (result == NULL)
        arena_exhausted();
    return (struct str){(const char *)result, (size_t)sb_stemmer_length(stem->snowball)};
}

/* Each block becomes a mask for every kind of byte, in a way that differs by processor;
 * how kinds make words is said once. What is left at the end is put into a padded block
 * first, so that nothing beyond the text is read. */

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* What the bytes of a block are. */
struct kinds {
    uint64_t plain;       /* letters and digits of ASCII */
    uint64_t underscores; /* the other masks are of bytes that words.c must look at: */
    uint64_t dots;
    uint64_t signs; /* # and + */
    uint64_t wide;  /* part of a character of several bytes, or of none */
};

/* A byte that follows the block may be anything. */
static uint64_t wordmask_before(uint64_t bits)
{
    return bits >> 1 | UINT64_C(1) << (TEXT_WORDMASK_BLOCK - 1);
}

/* Of dots only those are looked at that have something of a word behind them: most end a
 * sentence. */
static struct text_wordmask mask_of(const struct kinds *kinds, bool code)
{
    if (!code)
        return (struct text_wordmask){kinds->plain | kinds->wide, ~kinds->plain,
                                      kinds->wide};
    uint64_t inside = kinds->plain | kinds->underscores;
    uint64_t dots = kinds->dots & wordmask_before(inside | kinds->wide);
    uint64_t unsure = kinds->underscores | kinds->wide | dots;
    return (struct text_wordmask){kinds->plain | unsure, ~kinds->plain,
                                  unsure | kinds->signs};
}

/* Finds the masks of `blocks` times 64 bytes. */
typedef void find_blocks(const char *bytes, size_t blocks, bool code,
                         struct text_wordmask *masks, char *lower);

static void find(struct str text, bool code, struct text_wordmask *masks, char *lower,
                 find_blocks *by)
{
    size_t whole = text.len / TEXT_WORDMASK_BLOCK, rest = text.len % TEXT_WORDMASK_BLOCK;
    char padded[TEXT_WORDMASK_BLOCK];

    memset(padded, ' ', sizeof padded);
    if (rest > 0)
        memcpy(padded, text.ptr + whole * TEXT_WORDMASK_BLOCK, rest);
    by(text.ptr, whole, code, masks, lower);
    by(padded, 1, code, masks + whole, lower + whole * TEXT_WORDMASK_BLOCK);
}

/* 1 or 0, a number: what is made of it needs no branch. */
static unsigned is_among(unsigned char byte, char first, unsigned count)
{
    return (unsigned)byte - (unsigned char)first < count;
}

/* What is neither plain nor a blank is rare enough for a branch. */
static void find_blocks_portable(const char *bytes, size_t blocks, bool code,
                                 struct text_wordmask *masks, char *lower)
{
    for (size_t b = 0; b < blocks; b++) {
        struct kinds kinds = {0};
        for (int i = 0; i < TEXT_WORDMASK_BLOCK; i++) {
            unsigned char byte = (unsigned char)*bytes++;
            unsigned upper = is_among(byte, 'A', 26);
            unsigned plain = upper | is_among(byte, 'a', 26) | is_among(byte, '0', 10);
            kinds.plain |= (uint64_t)plain << i;
            *lower++ = (char)(byte | upper << 5); /* 32 is between A and a */
            if (plain != 0 || byte == ' ')
                continue;
            kinds.underscores |= (uint64_t)(byte == '_') << i;
            kinds.dots |= (uint64_t)(byte == '.') << i;
            kinds.signs |= (uint64_t)(byte == '#' || byte == '+') << i;
            kinds.wide |= (uint64_t)(byte >> 7) << i;
        }
        masks[b] = mask_of(&kinds, code);
    }
}

void text_wordmask_find_portable(struct str text, bool code, struct text_wordmask *masks,
                                 char *lower)
{
    find(text, code, masks, lower, find_blocks_portable);
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline uint64_t bits_of(__m256i bytes)
{
    return (uint32_t)_mm256_movemask_epi8(bytes);
}

AVX2 static inline uint64_t bits_equal(__m256i bytes, char c)
{
    return bits_of(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c)));
}

/* 0xFF in the bytes that are one of the `count` up to `last`: moved so far up that `last`
 * is the largest signed byte, these are the only ones above 127 - count. */
AVX2 static inline __m256i among(__m256i bytes, char last, int count)
{
    __m256i moved = _mm256_add_epi8(bytes, _mm256_set1_epi8((char)(127 - last)));

    return _mm256_cmpgt_epi8(moved, _mm256_set1_epi8((char)(127 - count)));
}

/* Adds the kinds of 32 bytes, the first of which has bit `shift`. */
AVX2 static inline void see_32(const char *bytes, int shift, struct kinds *kinds,
                               char *lower)
{
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
    __m256i blank = _mm256_set1_epi8(' '); /* the bit that small letters have more */
    __m256i upper = among(b, 'Z', 26), digits = among(b, '9', 10);
    __m256i small = _mm256_or_si256(b, _mm256_and_si256(upper, blank));
    __m256i plain = _mm256_or_si256(among(small, 'z', 26), digits);

    _mm256_storeu_si256((__m256i *)(void *)lower, small);
    kinds->plain |= bits_of(plain) << shift;
    kinds->underscores |= bits_equal(b, '_') << shift;
    kinds->dots |= bits_equal(b, '.') << shift;
    kinds->signs |= (bits_equal(b, '#') | bits_equal(b, '+')) << shift;
    kinds->wide |= bits_of(b) << shift;
}

AVX2 static void find_blocks_avx2(const char *bytes, size_t blocks, bool code,
                                  struct text_wordmask *masks, char *lower)
{
    for (size_t b = 0; b < blocks; b++) {
        struct kinds kinds = {0};
        see_32(bytes, 0, &kinds, lower);
        see_32(bytes + 32, 32, &kinds, lower + 32);
        masks[b] = mask_of(&kinds, code);
        bytes += TEXT_WORDMASK_BLOCK;
        lower += TEXT_WORDMASK_BLOCK;
    }
}

void text_wordmask_find_avx2(struct str text, bool code, struct text_wordmask *masks,
                             char *lower)
{
    find(text, code, masks, lower, find_blocks_avx2);
}

bool text_wordmask_has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

void text_wordmask_find_avx2(struct str text, bool code, struct text_wordmask *masks,
                             char *lower)
{
    text_wordmask_find_portable(text, code, masks, lower);
}

bool text_wordmask_has_avx2(void)
{
    return false;
}

#endif

void text_wordmask_find(struct str text, bool code, struct text_wordmask *masks,
                        char *lower)
{
    if (text_wordmask_has_avx2())
        text_wordmask_find_avx2(text, code, masks, lower);
    else
        text_wordmask_find_portable(text, code, masks, lower);
}

/* What a byte is to a word: what parts words, a lower-case letter or digit, an upper-case
 * letter, and what takes more than one byte to know. */
enum { P, L, U, W = 4 };

/* clang-format off */
static const unsigned char words_kinds[256] = {
    P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    L, L, L, L, L, L, L, L, L, L, P, P, P, P, P, P,
    P, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, P, P, P, P, P,
    P, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
    L, L, L, L, L, L, L, L, L, L, L, P, P, P, P, P,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
};
/* clang-format on */

static bool is_ascii_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_ascii_inside(unsigned char byte)
{
    return words_kinds[byte] == L || words_kinds[byte] == U;
}

static bool is_ascii_letter(unsigned char byte)
{
    return is_ascii_inside(byte) && !is_ascii_digit(byte);
}

static bool is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* The byte at a place, 0 beyond the text. */
static unsigned char byte_at(struct str text, size_t at)
{
    return at < text.len ? (unsigned char)text.ptr[at] : 0;
}

/* How many bytes the character at `at` has (at < text.len), and its code. */
static size_t read_one(struct str text, size_t at, uint32_t *code)
{
    *code = (unsigned char)text.ptr[at];
    return *code < 0x80 ? 1 : text_utf8_read(text, at, code);
}

/* Whether words are made of what stands at `at`. */
static bool in_word(struct str text, size_t at)
{
    unsigned char byte = byte_at(text, at);
    uint32_t code;

    if (words_kinds[byte] != W)
        return words_kinds[byte] != P;
    text_utf8_read(text, at, &code);
    return text_letter_in_word(code);
}

static size_t skip_underscores(struct str text, size_t at)
{
    while (byte_at(text, at) == '_')
        at++;
    return at;
}

/* With TEXT_WORDS_CODE: how many bytes at `at`, behind a character of a word, belong to
 * the word although words are not made of them. */
static size_t joint(struct str text, size_t at)
{
    unsigned char byte = byte_at(text, at), next = byte_at(text, at + 1);
    bool letter = is_ascii_letter(byte_at(text, at - 1));

    if (byte == '_')
        return 1;
    if (byte == '.')
        return in_word(text, skip_underscores(text, at + 1));
    if (byte == '#' && letter)
        return next != '#' && next != '_' && !in_word(text, at + 1);
    if (byte == '+' && letter && next == '+') {
        next = byte_at(text, at + 2);
        if (is_ascii_digit(next) ||
            (next != '+' && next != '_' && !in_word(text, at + 2)))
            return 2;
    }
    return 0;
}

/* With TEXT_WORDS_CODE: whether the dot at `at` begins a word. */
static bool dot_begins(struct str text, size_t at)
{
    unsigned char before = at > 0 ? byte_at(text, at - 1) : ' ';

    return (is_space(before) || before == '(' || before == '"' || before == '\'') &&
           is_ascii_letter(byte_at(text, at + 1));
}

/* With TEXT_WORDS_CODE: the same as find_word. */
static size_t find_name(struct str text, size_t at)
{
    while (at < text.len && !in_word(text, at)) {
        size_t underscores;
        uint32_t code;
        if (words_kinds[(unsigned char)text.ptr[at]] == P && text.ptr[at] != '_' &&
            text.ptr[at] != '.') {
            at++; /* nearly always */
            continue;
        }
        underscores = skip_underscores(text, at);
        if (underscores > at) {
            if (in_word(text, underscores))
                break;
            at = underscores;
            continue;
        }
        if (text.ptr[at] == '.' && dot_begins(text, at))
            break;
        at += read_one(text, at, &code);
    }
    return at;
}

/* The place at or after `at` where a word begins; text.len when none does. */
static size_t find_word(struct str text, size_t at)
{
    while (at < text.len) {
        unsigned char kind = words_kinds[(unsigned char)text.ptr[at]];
        uint32_t code;
        size_t len;
        if (kind == P) {
            at++;
            continue;
        }
        if (kind != W)
            break;
        len = text_utf8_read(text, at, &code);
        if (text_letter_in_word(code))
            break;
        at += len;
    }
    return at;
}

/* Where a word ends that goes on up to `at` at least. *folds becomes true when it has
 * characters beyond ASCII from there on whose lower case is another. */
static size_t end_word(struct str text, size_t at, bool code_names, bool *folds)
{
    for (;;) {
        unsigned kind = P;
        uint32_t code;
        size_t more;
        for (; at < text.len; at++) {
            kind = words_kinds[(unsigned char)text.ptr[at]];
            if (kind == P || kind == W)
                break;
        }
        if (at == text.len)
            return at;
        if (kind == W) {
            more = text_utf8_read(text, at, &code);
            if (!text_letter_in_word(code))
                return at;
            *folds |= text_letter_fold(code) != code;
        } else {
            more = code_names ? joint(text, at) : 0;
            if (more == 0)
                return at;
        }
        at += more;
    }
}

/* The reader's buffer holds the masks, then the text in lower case as far as ASCII goes,
 * then TEXT_WORDS_PAD blanks. Words with other letters are lowered behind all that, one
 * behind the other. */
struct text_words_reader text_words_open(struct str text, unsigned how, struct buf *lower)
{
    struct text_words_reader reader = {
        .text = text, .how = how, .lower = lower, .left = ~UINT64_C(0)};
    size_t count = text_wordmask_count(text);
    size_t lowered = count * TEXT_WORDMASK_BLOCK;

    buf_clear(lower);
    reader.lowered = count * sizeof(struct text_wordmask);
    buf_reserve(lower, reader.lowered + lowered + TEXT_WORDS_PAD);
    text_wordmask_find(text, (how & TEXT_WORDS_CODE) != 0,
                       (struct text_wordmask *)(void *)lower->ptr,
                       lower->ptr + reader.lowered);
    memset(lower->ptr + reader.lowered + lowered, ' ', TEXT_WORDS_PAD);
    lower->len = reader.lowered + lowered + TEXT_WORDS_PAD;
    return reader;
}

/* Writes text in lower case to out, which has room for half as much again: no character
 * but U+023A and U+023E has a longer one, three bytes for two. */
static size_t write_lower(struct str text, char *out)
{
    size_t len = 0;

    for (size_t at = 0; at < text.len;) {
        unsigned char byte = (unsigned char)text.ptr[at];
        uint32_t code, folded;
        size_t more;
        if (byte < 0x80) {
            out[len++] = (char)(words_kinds[byte] == U ? byte + ('a' - 'A') : byte);
            at++;
            continue;
        }
        more = text_utf8_read(text, at, &code);
        folded = text_letter_fold(code);
        if (folded != code) {
            len += text_utf8_write(folded, out + len);
        } else {
            memcpy(out + len, text.ptr + at, more);
            len += more;
        }
        at += more;
    }
    return len;
}

/* Gives the word out. `folds`: it has letters beyond ASCII that change. */
static bool give_word(struct text_words_reader *reader, size_t begin, size_t end,
                      bool folds, struct str *word)
{
    struct buf *lower = reader->lower;

    reader->begin = begin;
    reader->end = end;
    reader->block = end / TEXT_WORDMASK_BLOCK;
    reader->left = ~UINT64_C(0) << end % TEXT_WORDMASK_BLOCK;
    *word = (struct str){lower->ptr + reader->lowered + begin, end - begin};
    if (folds) {
        struct str raw = str_slice(reader->text, begin, end);
        char *out = buf_reserve(lower, raw.len + raw.len / 2 + TEXT_WORDS_PAD);
        *word = (struct str){out, write_lower(raw, out)};
        memset(out + word->len, ' ', TEXT_WORDS_PAD);
        lower->len += word->len;
    }
    return true;
}

static bool is_code(const struct text_words_reader *reader)
{
    return (reader->how & TEXT_WORDS_CODE) != 0;
}

bool text_words_look_closer(struct text_words_reader *reader, size_t at, struct str *word)
{
    struct str text = reader->text;
    size_t begin = is_code(reader) ? find_name(text, at) : find_word(text, at), end;
    bool folds = false;

    if (begin == text.len) {
        give_word(reader, begin, begin, false, word);
        return false;
    }
    reader->plain = false;
    end = end_word(text, begin + (text.ptr[begin] == '.'), is_code(reader), &folds);
    return give_word(reader, begin, end, folds, word);
}

/* The first place from `at` on where the masks have a stop; *sure is whether they are. */
static size_t next_stop(const struct text_words_reader *reader, size_t at, bool *sure)
{
    const struct text_wordmask *mask =
        (const struct text_wordmask *)(const void *)reader->lower->ptr;
    size_t block = at / TEXT_WORDMASK_BLOCK;
    uint64_t stops = mask[block].stops & ~UINT64_C(0) << at % TEXT_WORDMASK_BLOCK;

    while (stops == 0)
        stops = mask[++block].stops;
    *sure = (mask[block].unsure & stops & -stops) == 0;
    return block * TEXT_WORDMASK_BLOCK + (size_t)__builtin_ctzll(stops);
}

/* Names of code with ASCII around their joints, which most are, go from stop to stop. */
bool text_words_go_on(struct text_words_reader *reader, size_t begin, size_t at,
                      struct str *word)
{
    struct str text = reader->text;
    bool folds = false, sure = false;
    size_t end = at;

    while (!sure && is_code(reader) && end + 1 < text.len &&
           (text.ptr[end] == '_' ||
            (text.ptr[end] == '.' && is_ascii_inside((unsigned char)text.ptr[end + 1]))))
        end = next_stop(reader, end + 1, &sure);
    if (!sure)
        end = end_word(text, end, is_code(reader), &folds);
    reader->plain = end == at;
    return give_word(reader, begin, end, folds, word);
}

void text_words_show(struct str word, struct buf *out)
{
    static const char sigma[] = "\xCF\x83", final[] = "\xCF\x82";
    size_t len = sizeof sigma - 1;

    /* By itself, or behind a digit or a Latin letter, it is the letter sigma. */
    bool ends = word.len > len && str_ends(word, str_from(sigma)) &&
                (word.ptr[word.len - len - 1] & 0x80) != 0;
    buf_add(out, str_slice(word, 0, word.len - (ends ? len : 0)));
    buf_add(out, str_from(ends ? final : ""));
}

void text_words_lower(struct str text, struct buf *out)
{
    if (text.len > 0)
        out->len += write_lower(text, buf_reserve(out, text.len + text.len / 2));
}
