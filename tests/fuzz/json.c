/* Any text: what jansson takes for json is json, with the same values. */
#include <stdint.h>
#include <stdlib.h>

#include "tests/same_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input_json_tree tree = {0};

    for (int time = 0; time < 2;
         time++, tree.narrow = true) /* with what it has learned */
        if (!same_json(&tree, (struct str){(const char *)data, size}))
            abort();
    input_json_free(&tree);
    return 0;
}
