/* The end of a program that calls a function of a library which is not there; see tools/late. */
#ifndef BASE_LATE_H
#define BASE_LATE_H

/* Ends the program with a message, in the way of arena_exhausted(): callers expect it as little. */
_Noreturn void late_give_up(const char *message);

#endif
