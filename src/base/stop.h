/* ^C and kill: long work asks now and then whether it should end, cleans up and ends. A
 * second ^C ends the program at once. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include "base/err.h"

/* From now on SIGINT, SIGTERM and SIGHUP are requests, except one that was ignored:
 * nohup(1) wants that of SIGHUP, a shell that starts work in the background that of
 * SIGINT. */
void stop_install(void);
bool stop_requested(void);

/* False, with err saying so, when the user asked to stop: "return stop_check(err);" */
bool stop_check(struct err *err) MUST_USE;

#endif
