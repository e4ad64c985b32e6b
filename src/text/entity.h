/* The named characters of html: what stands between & and ; in "&eacute;". */
#ifndef TEXT_ENTITY_H
#define TEXT_ENTITY_H

#include "base/str.h"

enum { ENTITY_NAME_MAX = 31 }; /* bytes of the longest name */

/* The one or two characters that a name stands for, and their number; 0 when there is no
 * such name. Names are told apart by case: "Eacute" is not "eacute". */
size_t entity_find(struct str name, uint32_t codes[2]);

/* The character of a numeric reference such as &#233;, as html browsers read it: 128 to
 * 159 are Windows-1252, and what is no character is U+FFFD. */
uint32_t entity_number(uint32_t number);

#endif
