/* Any bytes are a lock or an error with its place. What was read is printed and read
 * again as the same; no file lies outside of out/. */
#include "run/ledger.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* libfyaml 0.7 itself loses memory when a long quoted scalar is wrong. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml.so";
}

static void check_files(const struct run_ledger_step *step)
{
    for (size_t i = 0; i < step->file_count; i++) {
        struct str rest = step->files[i].name, name;
        assert(str_starts(rest, STR("out/")));
        for (bool more = true; more;) {
            more = str_cut(&rest, '/', &name);
            assert(name.len > 0 && !str_eq(name, STR("..")));
        }
    }
    (void)run_ledger_output(step);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct buf first = {0}, second = {0};
    struct run_ledger ledger, again;
    struct err err = {0};

    if (run_ledger_parse((struct str){(const char *)data, size}, "f", &arena, &ledger,
                         &err)) {
        for (size_t i = 0; i < ledger.count; i++)
            check_files(&ledger.steps[i]);
        run_ledger_print(&ledger, &first);
        bool read = run_ledger_parse(buf_str(&first), "f", &arena, &again, &err);
        assert(read && again.count == ledger.count);
        run_ledger_print(&again, &second);
        assert(str_eq(buf_str(&first), buf_str(&second)));
    } else {
        assert(err.kind == ERR_INPUT && strncmp(err.text, "f:", 2) == 0);
    }
    buf_free(&first);
    buf_free(&second);
    arena_free(&arena);
    return 0;
}
