/* ^C and kill: long work asks now and then whether it should end, cleans up and ends. A
 * second ^C ends the program at once. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include "base/err.h"

/* From now on SIGINT, SIGTERM and SIGHUP are requests; SIGHUP not if it was ignored, as
 * nohup(1) wants it. */
void stop_install(void);
bool stop_requested(void);

/* False, with err saying so, when the user asked to stop: "return stop_check(err);" */
bool stop_check(struct err *err) MUST_USE;

#endif
