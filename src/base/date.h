/* Moments as integer milliseconds since 1970-01-01T00:00:00 UTC. The calendar is the
 * Gregorian one for all years (proleptic); the machine's time zone plays no part. */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include "base/buf.h"

#define DATE_SECOND_MS INT64_C(1000)
#define DATE_MINUTE_MS (60 * DATE_SECOND_MS)
#define DATE_HOUR_MS   (60 * DATE_MINUTE_MS)
#define DATE_DAY_MS    (24 * DATE_HOUR_MS)

struct date {
    int year; /* 0 .. 9999 in text; any in arithmetic */
    int month, day;
};

/* Reads ISO 8601: 2014-01-21, 2014-01-21T20:58, 2014-01-21T20:58:43.5 (any number of
 * digits; what is below a millisecond is cut off), a blank for the T, and at the end
 * nothing, Z or +hh:mm. Without a zone it is UTC, as in Stack Exchange's dumps. False,
 * with *ms untouched, for anything else, such as 2015-02-29 or 24:00, and for a moment
 * whose year in UTC is not 0 .. 9999. */
bool date_parse(struct str text, int64_t *ms);

int64_t date_from_civil(struct date date); /* its first millisecond */
struct date date_to_civil(int64_t ms);
int date_year(int64_t ms);

/* 2014-01-21T20:58:43.500, as in the dumps. The year must be 0 .. 9999. */
void date_add(struct buf *buf, int64_t ms);
void date_add_day(struct buf *buf, int64_t ms); /* 2014-01-21 */

/* "35 minutes", "3.5 hours", "4 days", "2.5 years": from two of a unit on, in that unit;
 * with a decimal below ten, unless it would be 0. */
void date_add_duration(struct buf *buf, double minutes);

#endif
