/* Labels from long and wide csv. */
#include "tests/unit/imported.h"

#define MAIN ",\"round\":1,\"kind\":\"main\""

static const struct imported_row rows[] = {
    {.name = "long, with all that the export has",
     .text = "item,rater,dimension,code,round,kind,again,unsure,seconds,memo\n"
             "11,ann,bugs,model,3,pilot,0,1,1.5,\"so, so\"\n"
             "11,ann,bugs,unclear,3,pilot,1,0,,\n11,ann,bugs,model,4,main,0,0,2,\n",
     .want =
         "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":[\"model\"],"
         "\"round\":1,\"kind\":\"pilot\",\"unsure\":true,\"seconds\":1.500,"
         "\"memo\":\"so, so\"}\n"
         "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":[\"unclear\"],"
         "\"round\":1,\"kind\":\"pilot\",\"again\":true}\n"
         "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":[\"model\"],"
         "\"round\":2,\"kind\":\"main\",\"seconds\":2.000}\n"},
    {.name = "wide: a column a rater, empty cells are nothing",
     .text = "item,ann,bob\n11,model,\n5,,Loading\n",
     .want = "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":["
             "\"model\"]" MAIN "}\n"
             "{\"item\":5,\"rater\":\"bob\",\"dimension\":\"bugs\",\"codes\":"
             "[\"data/load\"]" MAIN "}\n"},
    {.name = "wide: rater and dimension, several codes in a cell",
     .codebook = IMPORTED_TWO,
     .text = "item,ann:cause,ann_effect\n11,layer,crash;slow\n",
     .want = "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"cause\",\"codes\":"
             "[\"model/layer\"]" MAIN "}\n"
             "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"effect\",\"codes\":"
             "[\"crash\",\"slow\"]" MAIN "}\n"},
    {.name = "wide: only some columns, of one dimension, with other names",
     .codebook = IMPORTED_TWO,
     .text = "id,title,A,B\n11,x y,crash|slow,\n",
     .how = {.format = LABEL_FORMAT_WIDE,
             .item_column = STR_INIT("id"),
             .rater_column = STR_INIT("A, B"),
             .dimension = STR_INIT("effect"),
             .separator = '|',
             .renames = &(struct label_rename){STR_INIT("A"), STR_INIT("ann")},
             .rename_count = 1},
     .want = "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"effect\",\"codes\":"
             "[\"crash\",\"slow\"]" MAIN "}\n"},
    {.name = "what was chosen need not be drawn",
     .text = "item,rater,code,round,kind\n99,ann,model,1,chosen\n",
     .want =
         "{\"item\":99,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":[\"model\"],"
         "\"round\":1,\"kind\":\"chosen\"}\n"},

    {.name = "wide: an unknown code",
     .text = "item,ann\n5,model\n11,modl\n",
     .error = "l.csv:3: "},
    {.name = "wide: two codes where one is allowed",
     .text = "item,ann\n5,model|unclear\n",
     .how = {.separator = '|'},
     .error = "l.csv:2: 'bugs' takes one code; found 2"},
    {.name = "wide: a head without a dimension",
     .codebook = IMPORTED_TWO,
     .text = "item,ann\n11,data\n",
     .error =
         "l.csv:1: the column 'ann' does not end in a dimension; expected a name such "
         "as 'ann:cause'"},
    {.name = "wide: no rater",
     .text = "item\n11\n",
     .how = {.format = LABEL_FORMAT_WIDE},
     .error = "l.csv:1: there is no column of a rater"},
    {.name = "wide: an empty head",
     .text = "item,ann,\n11,model,\n",
     .error = "l.csv:1: column 3 has no head"},
    {.name = "columns that are nobody",
     .text = "item,carl\n11,model\n",
     .error = "l.csv:1: there is no column 'code'"},
    {.name = "a round that is none",
     .text = "item,rater,code,round\n11,ann,model,x\n",
     .error = "l.csv:2: found 'x' as the round, expected a number"},
    {.name = "a kind that is none",
     .text = "item,rater,code,kind\n11,ann,model,x\n",
     .error = "l.csv:2: found 'x' as the kind of a round"},
    {.name = "a flag that is none",
     .text = "item,rater,code,unsure\n11,ann,model,x\n",
     .error = "l.csv:2: found 'x' as 'unsure', expected 1 or 0"},
    {.name = "seconds that are none",
     .text = "item,rater,code,seconds\n11,ann,model,-1\n",
     .error = "l.csv:2: found '-1' as seconds, expected a number"},
    {.name = "an unknown dimension",
     .codebook = IMPORTED_TWO,
     .text = "item,rater,code,dimension\n11,ann,data,caus\n",
     .error = "l.csv:2: "},
    {.name = "no dimension",
     .codebook = IMPORTED_TWO,
     .text = "item,rater,code\n11,a,data\n",
     .error = "l.csv:1: there is no column 'dimension'"},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++)
        imported_check(&rows[i]);
    return tap_done();
}
