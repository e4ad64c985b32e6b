/* Tokens of code that need not parse, in the language that it looks like. */
#ifndef EXTRACT_TOKENS_H
#define EXTRACT_TOKENS_H

#include "base/str.h"

enum extract_language {
    EXTRACT_PYTHON,
    EXTRACT_BRACES, /* C++, C#, Java, JavaScript, Kotlin, Objective-C, Swift */
    EXTRACT_R,
    EXTRACT_SQL,
    EXTRACT_LANGUAGES,
};

enum extract_token_kind {
    EXTRACT_NAME, /* without dots, except in R */
    EXTRACT_NUMBER,
    EXTRACT_STRING,  /* with its quotes; one that does not end, ends with its line */
    EXTRACT_SIGN,    /* one character, or = = as two */
    EXTRACT_NEWLINE, /* the end of a statement */
};

struct extract_token {
    enum extract_token_kind kind;
    struct str text;
};

struct extract_scanner {
    struct str code; /* what is left */
    enum extract_language language;
    int depth; /* of brackets; braces count where they hold no statements */
};

/* The next token; false at the end. Comments and prompts (>>>, ..., In [3]:, $ at the
 * beginning of a line) are left out. */
bool extract_token(struct extract_scanner *scanner, struct extract_token *out);
void extract_skip_prompt(struct str *code);

/* Cuts the next paragraph off the front of *code, with the empty line behind it, and says
 * which language it looks like; without any sign it is as before. */
bool extract_paragraph(struct str *code, struct str *out,
                       enum extract_language *language);

#endif
