/* For tests with a simulated dump: what synth_write() leaves in a folder is taken away.
 */
#ifndef TESTS_UNIT_SIMULATED_H
#define TESTS_UNIT_SIMULATED_H

#include "base/file.h"
#include "synth/synth.h"

static inline void simulated_remove(const char *folder, struct arena *arena)
{
    for (int i = 0; i < SYNTH_FILES; i++)
        file_remove(file_join(folder, synth_file_name((enum synth_file)i), arena));
    file_remove(file_join(folder, "truth.json", arena));
}

#endif
