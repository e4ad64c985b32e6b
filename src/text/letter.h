/* What Unicode says about a character, as far as words care. Unicode 14.0. */
#ifndef TEXT_LETTER_H
#define TEXT_LETTER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether words are made of it: letters, digits and other numbers, and marks such as a
 * combining accent. Not the underscore, not emoji and their variation selectors, not
 * U+FFFD. Characters that are not assigned yet go with their neighbours. */
bool letter_in_word(uint32_t code);

/* Its lower case, or itself: simple case folding (CaseFolding.txt, C and S), so that
 * a final sigma is a sigma and a Kelvin sign is a k. U+0130, which has only a longer
 * folding, becomes i. */
uint32_t letter_fold(uint32_t code);

#endif
