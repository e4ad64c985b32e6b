/* Any bytes as the entries of a pack: each is an object or none, whatever it builds on;
 * an object is the same the second time, and as long as it was said to be. The first
 * byte tells how many entries there are, then two bytes for each where it begins. The
 * same bytes as an index, and as a pack, are taken or refused. */
#include <assert.h>

#include "tests/made_pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_objects(struct str entries, const size_t *places, size_t count)
{
    struct git_history_packed *packed = git_history_packed_open();
    struct buf index = {0}, pack = {0};

    made_pack(entries, places, count, &index, &pack);
    bool taken = git_history_packed_add(packed, buf_str(&index), buf_str(&pack), false);
    assert(taken);
    for (int turn = 0; turn < 4; turn++) {
        struct git_history_packed_reader *reader =
            git_history_packed_reader_open(packed, turn == 0);
        for (size_t i = 0; i < count; i++) {
            struct git_history_hash hash = made_pack_hash(i);
            const struct git_history_packed_object *one =
                git_history_packed_read(reader, &hash);
            const struct git_history_packed_object *two =
                git_history_packed_read(reader, &hash);
            size_t len = 0;
            assert((one == NULL) == (two == NULL));
            if (one != NULL) {
                bool sized = git_history_packed_size(reader, &hash, &len);
                assert(sized && len == one->bytes.len);
                assert(one->type >= GIT_HISTORY_PACKED_COMMIT &&
                       one->type <= GIT_HISTORY_PACKED_TAG && one->type == two->type);
                assert(str_eq(one->bytes, two->bytes));
            }
            git_history_packed_free(reader, one);
            git_history_packed_free(reader, two);
        }
        git_history_packed_reader_close(reader);
    }
    git_history_packed_close(packed);
    buf_free(&index);
    buf_free(&pack);
}

static void check_any(struct str bytes)
{
    struct git_history_packed *packed = git_history_packed_open();
    struct git_history_hash hash = made_pack_hash(1);

    for (size_t cut = 0; cut <= bytes.len; cut += bytes.len / 4 + 1)
        (void)git_history_packed_add(packed, str_slice(bytes, 0, cut),
                                     str_slice(bytes, cut, bytes.len), false);
    struct git_history_packed_reader *reader =
        git_history_packed_reader_open(packed, false);
    git_history_packed_free(reader, git_history_packed_read(reader, &hash));
    git_history_packed_reader_close(reader);
    git_history_packed_close(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t places[32] = {0}, count = size > 0 ? data[0] % 32u : 0;
    size_t begin = 1 + 2 * count;

    if (size > begin) {
        for (size_t i = 0; i < count; i++)
            places[i] = ((size_t)data[1 + 2 * i] << 8 | data[2 + 2 * i]) % (size - begin);
        check_objects((struct str){(const char *)data + begin, size - begin}, places,
                      count);
    }
    check_any((struct str){(const char *)data, size});
    return 0;
}
