/* What a table says of what it left out. */
#include "measure/internal.h"

#include "tests/unit/tabled.h"

/* Seventeen columns. */
#define EACH(m, between) \
    m("11") between m("12") between m("13") between m("14") between m("15") \
        between m("16") between m("17") between m("18") between m("19") between m("21") \
            between m("22") between m("23") between m("24") between m("25") \
                between m("26") between m("27") between m("28")
#define COLUMN(q) "quantile 0." q " minutes to accepted"
#define NOTE(q)   COLUMN(q) ": 1 question is left out: its answer is older than itself."
#define SIXTY(q)  "60"
#define TWICE(q)  "120"

static const struct tabled_row rows[] = {
    {"negative waits are left out and counted once",
     "{by: kind, totals: columns, columns: [median minutes to accepted], small: 0}",
     "group1,median minutes to accepted\nx,60\ny,120\ntotal,90\n",
     "median minutes to accepted: 1 question is left out: its answer is older than "
     "itself."
     "1 item belongs to no group of kind."},
    {"every column has its note, however many there are",
     "{by: kind, columns: [" EACH(COLUMN, ", ") "], small: 0}",
     "group1," EACH(COLUMN, ",") "\nx," EACH(SIXTY, ",") "\ny," EACH(TWICE, ",") "\n",
     EACH(NOTE, "") "1 item belongs to no group of kind."},
    {"the order of two columns is compared",
     "{by: four, columns: [count, median views], rank-correlation: [count, median "
     "views], "
     "small: 0}",
     "group1,count,median views\nA,3,10\nB,3,25\nC,1,50\nZ,0,\n",
     "Rank correlation of count and median views over 3 rows: Spearman -0.8660 "},
    {"an empty set", "{of: none, columns: [count, share, median views]}",
     "group1,count,share,median views\nnone,0,,\n",
     "– undefined: the whole is empty.– undefined: the group is empty."},
};

int main(void)
{
    tabled_check(rows, ROWS(rows));
    return tap_done();
}
