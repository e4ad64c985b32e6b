/* The order of rows, and which are shown. */
#include "measure/internal.h"

#include "tests/unit/tabled.h"

#define OVERLAP "Rows overlap: 1 item stands in several, and each counts."

static const struct tabled_row rows[] = {
    {"sorted: largest first, undefined last",
     "{by: four, columns: [median views], sort: median views, small: 0}",
     "group1,median views\nC,50\nB,25\nA,10\nZ,\n",
     OVERLAP "– undefined: the group is empty."},
    {"sorted: smallest first, undefined last as well",
     "{by: four, columns: [median views], sort: median views, descending: no, small: 0}",
     "group1,median views\nA,10\nB,25\nC,50\nZ,\n",
     OVERLAP "– undefined: the group is empty."},
    {"sorted by name, whatever `descending` is by default",
     "{by: four, columns: count, sort: name}", "group1,count\nA,3\nB,3\nC,1\nZ,0\n",
     OVERLAP},
    {"sorted: equal ones stay in their order", "{by: four, columns: count, sort: count}",
     "group1,count\nA,3\nB,3\nC,1\nZ,0\n", OVERLAP},
    {"sorted by the total beside",
     "{by: year, across: tag, columns: count, sort: count, "
     "descending: no, totals: rows}",
     "group1,A: count,B: count,total: count\n2020,0,0,0\n2018,2,1,2\n2019,0,2,2\n",
     "1 item belongs to no group of year.1 item belongs to no group of tag."},
    {"only the top rows of each block; the total is of all",
     "{of: [ab, c], by: four, columns: count, sort: count, top: 1, totals: columns}",
     "group1,group2,count\nab,,5\nab,A,3\nc,,1\nc,C,1\ntotal,,6\n",
     "Rows overlap: their counts add up to 7, the total counts each of its 6 items "
     "once."},
};

int main(void)
{
    tabled_check(rows, ROWS(rows));
    return tap_done();
}
