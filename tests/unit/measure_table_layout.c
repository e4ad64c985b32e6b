/* Rows and columns of a table: sets, groups below groups, groups across, totals. */
#include "measure/internal.h"

#include "tests/unit/tabled.h"

static const struct tabled_row rows[] = {
    {"overlapping groups with a total of items",
     "{of: ab, by: tag, totals: columns, small: 0, columns: [count, share, share of "
     "column, "
     "median views, share without accepted]}",
     "group1,count,share,share of column,median views,share without accepted\n"
     "A,3,0.6,0.5,10,0.3333333333333333\n"
     "B,3,0.6,0.5,25,0.6666666666666666\n"
     "total,5,1,,15,0.6\n",
     "Rows overlap: their counts add up to 6, the total counts each of its 5 items "
     "once.– undefined: items stand in several of the rows."},
    {"the same with rows as the unit",
     "{of: ab, by: tag, totals: columns, unit: rows, small: 0, columns: [count, share, "
     "share of column, median views, share without accepted]}",
     "group1,count,share,share of column,median views,share without accepted\n"
     "A,3,0.6,0.5,10,0.3333333333333333\n"
     "B,3,0.6,0.5,25,0.6666666666666666\n"
     "total,6,1.2,1,20,0.5\n",
     "Rows overlap: the total counts 6, of which 5 are different items."},
    {"nested: below others only what occurs",
     "{of: ab, by: [year, tag], small: 0, columns: [count, share of group, share]}",
     "group1,group2,count,share of group,share\n"
     "2018,,2,0.4,0.4\n2018,A,2,1,0.4\n2018,B,1,0.5,0.2\n"
     "2019,,2,0.4,0.4\n2019,B,2,1,0.4\n",
     "Rows overlap: 1 item stands in several, and each counts."
     "1 item belongs to no group of year."},
    {"across, with totals of both kinds",
     "{by: year, across: tag, totals: both, columns: count}",
     "group1,A: count,B: count,total: count\n2018,2,1,2\n2019,0,2,2\n2020,0,0,0\n"
     "total,2,3,4\n",
     "1 item belongs to no group of year.1 item belongs to no group of tag."},
    {"across two groups", "{across: [one, kind], columns: count}",
     "group1,\"A, x: count\",\"A, y: count\",\"B, x: count\",\"B, y: count\","
     "\"rest, x: count\",\"rest, y: count\"\nall,1,1,1,1,1,0\n",
     "1 item belongs to no group of kind."},
    {"empty periods at both ends are no rows", "{of: c, by: quarter, columns: count}",
     "group1,count\n2020-Q1,1\n", ""},
};

int main(void)
{
    tabled_check(rows, ROWS(rows));
    return tap_done();
}
