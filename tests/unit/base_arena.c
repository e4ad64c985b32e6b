/* Property: whatever the sizes, blocks are aligned, zeroed and do not overlap. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "tests/tap.h"

enum { BLOCKS = 500 };

static void check_blocks(struct arena *arena)
{
    struct rng rng = rng_seeded(1);
    unsigned char *block[BLOCKS];
    size_t size[BLOCKS];
    bool zeroed = true, apart = true, aligned = true;

    for (size_t i = 0; i < BLOCKS; i++) {
        size[i] = (size_t)rng_below(&rng, i % 50 == 0 ? 200000 : 300);
        block[i] = arena_array(arena, unsigned char, size[i]);
        aligned = aligned && (uintptr_t)block[i] % _Alignof(max_align_t) == 0;
        for (size_t b = 0; b < size[i]; b++)
            zeroed = zeroed && block[i][b] == 0;
        memset(block[i], (int)(i % 255) + 1, size[i]);
    }
    for (size_t i = 0; i < BLOCKS; i++)
        for (size_t b = 0; b < size[i]; b++)
            apart = apart && block[i][b] == i % 255 + 1;
    CHECK(aligned);
    CHECK(zeroed);
    CHECK(apart);
}

/* The exit status of a child that asks for too much. */
static int status_of_asking(size_t count, size_t size)
{
    int status = 0;

    fflush(stdout); /* or the child's exit prints it again */
    pid_t child = fork();
    if (child == 0) {
        struct arena arena = {0};
        close(STDERR_FILENO);
        arena_alloc(&arena, count, size);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    struct arena arena = {0};

    tap_case("blocks are aligned, zeroed and apart");
    check_blocks(&arena);

    tap_case("what is printed, short and longer than a chunk");
    CHECK_TEXT(arena_format(&arena, "%d of %s", 3, "ten").ptr, "3 of ten");
    CHECK(arena_format(&arena, "%0200000d", 7).len == 200000);
    CHECK(arena_format(&arena, "%s", "").len == 0);

    tap_case("rewinding keeps what came before the mark");
    struct str kept = arena_copy(&arena, STR("kept"));
    struct arena_mark mark = arena_mark(&arena);
    char *lost = arena_array(&arena, char, 100);
    arena_array(&arena, char, 1000000);
    arena_rewind(&arena, mark);
    CHECK(str_eq(kept, STR("kept")));
    tap_case("memory given back is used again, zeroed");
    char *again = arena_array(&arena, char, 100);
    CHECK(again == lost);
    for (size_t i = 0; i < 100; i++)
        if (!CHECK(again[i] == 0))
            break;
    tap_case("memory given back does not keep its old bytes");
    memset(again, 'x', 100);
    arena_rewind(&arena, mark);
    CHECK(*(volatile char *)again != 'x');

    tap_case("freeing leaves an empty arena that can be used again");
    arena_free(&arena);
    CHECK(arena.newest == NULL);
    arena_free(&arena);
    CHECK(arena.newest == NULL);
    mark = arena_mark(&arena);
    arena_array(&arena, int64_t, 3);
    arena_rewind(&arena, mark); /* to before the first chunk */
    CHECK(arena.newest == NULL);

    tap_case("copies are terminated and apart from their source");
    char text[] = "abc";
    struct str copy = arena_copy(&arena, (struct str){text, 2});
    char *c_string = arena_c_string(&arena, (struct str){text, 3});
    text[0] = 'x';
    CHECK_TEXT(copy.ptr, "ab");
    CHECK(copy.len == 2);
    CHECK_TEXT(c_string, "abc");
    tap_case("a copy of nothing is an empty text, not NULL");
    copy = arena_copy(&arena, (struct str){0});
    CHECK(copy.ptr != NULL && copy.len == 0);
    CHECK_TEXT(arena_c_string(&arena, (struct str){0}), "");
    tap_case("no items are allowed");
    CHECK(arena_alloc(&arena, 0, 8) != NULL);
    CHECK(arena_alloc(&arena, 8, 0) != NULL);

    tap_case("a size that overflows ends the program with status 3");
    CHECK(status_of_asking(SIZE_MAX, 2) == 3);
    CHECK(status_of_asking(SIZE_MAX / 2 + 2, 1) == 3);
    CHECK(status_of_asking(10, 10) == 0);
    arena_free(&arena);
    return tap_done();
}
