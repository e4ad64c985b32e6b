/* For tests of decoders: bytes that must be refused, and what is said of them. */
#ifndef TESTS_UNIT_SAID_H
#define TESTS_UNIT_SAID_H

#include "tests/tap.h"
#include "tests/unit/packed.h"
#include "tests/unit/reading.h"

/* The text may end with a star: then what follows does not matter. */
static inline void said(struct packed_folder *folder, struct str bytes, const char *text)
{
    const char *path = packed_write(folder, "said", bytes);
    size_t len = strlen(text);
    bool star = len > 0 && text[len - 1] == '*';

    for (int threads = 0; threads <= 2; threads++) {
        struct buf out = {0};
        struct err err = {0};
        char want[1000];
        CHECK(!reading_member(path, 0, 0, threads, 50000, &out, &err));
        CHECK(err.kind == ERR_INPUT);
        snprintf(want, sizeof want, "%s%s", path, text);
        if (star)
            want[strlen(want) - 1] = err.text[strlen(want) - 1] = '\0';
        CHECK_TEXT(err.text, want);
        buf_free(&out);
    }
}

/* The bytes give the text. */
static inline void gives(struct packed_folder *folder, struct str bytes, struct str text)
{
    const char *path = packed_write(folder, "gives", bytes);

    for (int threads = 0; threads <= 2; threads++) {
        struct buf out = {0};
        struct err err = {0};
        CHECK(reading_member(path, 0, 0, threads, 50000, &out, &err));
        CHECK_TEXT(err.text, "");
        CHECK(str_eq(buf_str(&out), text));
        buf_free(&out);
    }
}

/* Bytes that do not pack well. */
static inline void noise(struct buf *out, size_t len)
{
    uint64_t state = len;

    for (size_t i = 0; i < len; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407U;
        buf_add_char(out, (char)(state >> 56));
    }
}

#endif
