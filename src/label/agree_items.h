/* What labels tell about single items, and about the work as it went on. */
#ifndef LABEL_AGREE_ITEMS_H
#define LABEL_AGREE_ITEMS_H

#include "label/agree_table.h"

/* Saturation, and the `top` slowest and most disputed items of the report. */
void agree_items_add(const struct agree_table_view *whole, size_t top,
                     struct arena *arena, struct agree_report *report);

#endif
