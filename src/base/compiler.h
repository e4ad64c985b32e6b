/* The compiler attributes we rely on. */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#define MUST_USE             __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, args) __attribute__((format(printf, f, args)))
#define ROWS_OF(table)       (sizeof(table) / sizeof *(table))

#endif
