/* Single conditions: how each is read, and what is said about a wrong one. */
#include "query/query.h"

#include <string.h>

#include "tests/tap.h"
#include "tests/unit/query_parsed.h"

static const struct {
    const char *name, *query, *canonical;
} good[] = {
    {"word", "word", "prose:word"},
    {"word keeps its case", "TensorFlow", "prose:TensorFlow"},
    {"prefix", "deploy*", "prose:deploy*"},
    {"phrase", "title:\"how to\"", "title:\"how to\""},
    {"blanks of a phrase are one", "title:\" how \n\t to \"", "title:\"how to\""},
    {"phrase of one word", "\"word\"", "prose:word"},
    {"prefix of a phrase", "\"machine learn\"*", "prose:\"machine learn\"*"},
    {"a star in quotes is a star", "\"a*b\"", "prose:\"a*b\""},
    {"quote and backslash in quotes", "\"a\\\"b\\\\c\\d\"", "prose:\"a\\\"b\\\\c\\\\d\""},
    {"backslash before the end", "\"a\\\\\"", "prose:\"a\\\\\""},
    {"part", "~net", "prose:~\"net\""},
    {"part keeps its blanks", "title:~\" how  to\"", "title:~\" how  to\""},
    {"part of blanks", "~\" \"", "prose:~\" \""},
    {"part with signs", "~a:b=c", "prose:~\"a:b=c\""},
    {"texts", "title:a prose:b code:c body:d",
     "title:a and prose:b and code:c and body:d"},
    {"words with signs", "c++ c# tf.data don't why?",
     "prose:\"c++\" and prose:\"c#\" and prose:tf.data and prose:\"don't\" and "
     "prose:\"why?\""},
    {"signs in a value", "code:std::vector code:<div> code:a=b code:-x",
     "code:\"std::vector\" and code:\"<div>\" and code:\"a=b\" and code:\"-x\""},
    {"slash within a word", "tcp/ip", "prose:\"tcp/ip\""},
    {"ampersand within a word", "AT&T", "prose:\"AT&T\""},
    {"regex", "/a+b/", "prose:/a+b/"},
    {"regex in any case", "title:/a+b/i", "title:/a+b/i"},
    {"regex with slash, blank, quote and brackets", "code:/a\\/b \"[(]\\)/",
     "code:/a\\/b \"[(]\\)/"},
    {"regex before a bracket", "(/a/)", "prose:/a/"},
    {"regex in its own right", "/\\bdeploy(?:ed|ment)?\\b/i",
     "prose:/\\bdeploy(?:ed|ment)?\\b/i"},
    {"tag", "[tensorflow]", "[tensorflow]"},
    {"tags with signs", "[c++] [c#] [.net] [node.js] [tensorflow2.0]",
     "[c++] and [c#] and [.net] and [node.js] and [tensorflow2.0]"},
    {"tag with blanks around", "[ a ]", "[a]"},
    {"glob", "[tensor*] [?] [*-lite]", "[tensor*] and [?] and [*-lite]"},
    {"tag by its field", "tag:a tags:b* tag:\"c\" tag:[d]",
     "[a] and [b*] and [c] and [d]"},
    {"part of tags", "tag:~tensorflow tag:~\"<torch\"",
     "tag:~\"tensorflow\" and tag:~\"<torch\""},
    {"ranges", "score:5.. score:..5 score:5 score:3..8",
     "score:5.. and score:..5 and score:5 and score:3..8"},
    {"negative", "score:-5..-1 score:..-1 score:-3",
     "score:-5..-1 and score:..-1 and score:-3"},
    {"comparisons", "score>5 score>=5 score<5 score<=5 score=5",
     "score:6.. and score:5.. and score:..4 and score:..5 and score:5"},
    {"comparisons with blanks", "score > 5 score  <=  -5", "score:6.. and score:..-5"},
    {"comparisons after a colon", "score:>5 score:<= 5", "score:6.. and score:..5"},
    {"numbers",
     "views:1 answers:0 comments:2.. favorites:3 favourites:4 id:5 user:-1 parent:7",
     "views:1 and answers:0 and comments:2.. and favorites:3 and favorites:4 and id:5 "
     "and "
     "user:-1 and parent:7"},
    {"largest numbers", "score>999999999999999999 score<-999999999999999999",
     "score:1000000000000000000.. and score:..-1000000000000000000"},
    {"dates", "created:2015..2018 created:2015-03..2016-07-15 created:2017",
     "created:2015..2018 and created:2015-03..2016-07-15 and created:2017"},
    {"open dates", "created:2015-03.. created:..2016-02-28",
     "created:2015-03.. and created:..2016-02-28"},
    {"the last day of a month ends the month", "created:..2016-02-29",
     "created:..2016-02"},
    {"dates compared", "created>2016 created>=2016-03 created<2016-03-01 created<=2016",
     "created:2017.. and created:2016-03.. and created:..2016-02 and created:..2016"},
    {"dates in their shortest form",
     "created:2015-01..2015-12 created:2015-01-01..2015-01-31 "
     "created:2015-02-01..2015-02-01",
     "created:2015 and created:2015-01 and created:2015-02-01"},
    {"first and last year", "created:0000..9999 created>=9999 created<=0000",
     "created:0000..9999 and created:9999.. and created:..0000"},
    {"closed", "closed:yes closed:No closed:2015.. closed<2016",
     "closed:yes and closed:no and closed:2015.. and closed:..2015"},
    {"yes and no", "hascode:yes hascode:no hasaccepted:YES",
     "hascode:yes and hascode:no and hasaccepted:yes"},
    {"types", "is:question is:Answer is:wiki is:tagwiki is:excerpt is:nomination",
     "is:question and is:answer and is:wiki and is:tagwiki and is:excerpt and "
     "is:nomination"},
    {"sets", "in:B in:server-sample in:\"my set\" in:\"and\"",
     "in:B and in:server-sample and in:\"my set\" and in:\"and\""},
};

#define TEXT "a word, word*, \"a phrase\", ~\"a part\" or /a regex/"
#define NUM  "a number or a range such as 5, 5.., ..5 or 3..8"
#define DAY  "a date or a range such as 2017, 2015..2018, 2015-03..2016-07-15 or 30d.."

static const struct {
    const char *name, *query, *message; /* the query follows by itself */
    int caret;
} bad[] = {
    {"no value", "title:", "expected " TEXT " after 'title:', found the end of the query",
     7},
    {"no value in brackets", "title:()", "expected a condition after '(', found ')'", 8},
    {"star alone in a field", "title:*", "expected " TEXT " after 'title:', found '*'",
     7},
    {"star at the beginning", "*net",
     "a '*' may stand only at the end of a word; ~ finds parts of words, as in ~\"net\"",
     1},
    {"star within", "a*b",
     "a '*' may stand only at the end of a word; ~ finds parts of words, as in ~\"net\"",
     2},
    {"two stars", "a**",
     "a '*' may stand only at the end of a word; ~ finds parts of words, as in ~\"net\"",
     2},
    {"star after a part", "~\"a\"*",
     "a text after '~' is found anywhere and takes no '*'", 5},
    {"nothing after ~", "~ a", "expected a word or \"a text\" after '~', found ' '", 2},
    {"empty phrase", "a \"\"", "found an empty text", 3},
    {"phrase of blanks", "title:\"  \"", "found an empty text", 7},
    {"empty part", "~\"\"", "found an empty text", 2},
    {"phrase without an end", "a \"b c", "no '\"' ends the text that begins here", 3},
    {"escaped end", "\"a\\\"", "no '\"' ends the text that begins here", 1},
    {"comma", "a, b", "found ','; put text with ',' in it in double quotes", 2},
    {"semicolon", "a;b", "found ';'; put text with ';' in it in double quotes", 2},
    {"another language's and", "a && b", "found '&&', expected 'and'", 3},
    {"another language's or", "a || b", "found '||', expected 'or'", 3},
    {"another language's or, single", "a | b", "found '|', expected 'or'", 3},
    {"another language's not", "!a", "found '!', expected 'not' or '-'", 1},
    {"single quotes", "title:'how to'",
     "found a single quote, expected a double one: \"...\"", 7},
    {"curly quotes", "title:\xE2\x80\x9Chow to\xE2\x80\x9D",
     "found a curly quote, expected a straight one: \"...\"", 7},
    {"regex without an end", "/abc",
     "no '/' ends the regex that begins here; put text that begins with '/' in double "
     "quotes",
     1},
    {"regex whose end is escaped", "/abc\\/",
     "no '/' ends the regex that begins here; put text that begins with '/' in double "
     "quotes",
     1},
    {"path taken for a regex", "/usr/lib",
     "after a regex expected 'i' or a blank, found 'lib'; within it a slash is written "
     "\\/",
     6},
    {"wrong regex", "title:/a(b/ c", "in the regex: missing closing parenthesis", 11},
    {"regex that breaks UTF-8", "/a\\Cb/",
     "in the regex: using \\C is disabled by the application", 5},
    {"empty regex", "//", "found an empty regex", 1},
    {"empty tag", "[]", "found an empty tag", 2},
    {"tag without an end", "a [b", "no ']' ends the tag that begins here", 3},
    {"blank in a tag", "[a or b]",
     "found a blank in a tag; write [a] or [b] for several tags", 3},
    {"border in a tag", "[<a>]", "found '<' in a tag", 2},
    {"tag in a tag", "[a[b]", "found '[' in a tag", 3},
    {"comma in a tag", "tag:a,b", "found ',' in a tag", 6},
    {"no tag",
     "tag:", "expected a tag, tag* or ~part after 'tag:', found the end of the query", 5},
    {"not a number", "score:abc", "expected " NUM " after 'score:', found 'abc'", 7},
    {"no number", "score:", "expected " NUM " after 'score:', found the end of the query",
     7},
    {"no number compared", "score > x", "expected " NUM " after 'score >', found 'x'", 9},
    {"no number in a group", "score:(1 or x)", "expected " NUM " after 'or', found 'x'",
     13},
    {"a fraction", "score:1.5", "expected " NUM " after 'score:', found '1.5'", 7},
    {"only dots", "score:..", "expected " NUM " after 'score:', found '..'", 7},
    {"three dots", "score:1...5", "expected " NUM " after 'score:', found '1...5'", 7},
    {"compared and a range", "score>1..5",
     "expected " NUM " after 'score>', found '1..5'", 7},
    {"backwards", "score:8..3", "the range runs backwards: '8..3'", 7},
    {"too large", "score:9999999999999999999",
     "the number is too large: '9999999999999999999'", 7},
    {"larger than the largest", "score>1000000000000000000",
     "the number is too large: '1000000000000000000'", 7},
    {"no such month", "created:2015-13", "there is no such date: '2015-13'", 9},
    {"no such day", "created:2015-02-29", "there is no such date: '2015-02-29'", 9},
    {"short year", "created:15", "expected " DAY " after 'created:', found '15'", 9},
    {"day first", "created:01.02.2015",
     "expected " DAY " after 'created:', found '01.02.2015'", 9},
    {"dates backwards", "created:2016..2015-12-31",
     "the range runs backwards: '2016..2015-12-31'", 9},
    {"after the last year", "created>9999", "years go from 0000 to 9999: '9999'", 9},
    {"before the first", "created<0000", "years go from 0000 to 9999: '0000'", 9},
    {"neither closed nor a date", "closed:maybe",
     "expected yes, no, " DAY " after 'closed:', found 'maybe'", 8},
    {"neither yes nor no", "hascode:true",
     "expected yes or no after 'hascode:', found 'true'", 9},
    {"misspelt type", "is:questoin",
     "unknown kind of post 'questoin'; did you mean 'question'?", 4},
    {"unknown type", "is:foo",
     "expected question, answer, issue, pull-request, discussion, topic, commit, row, "
     "comment, wiki, tagwiki, excerpt or nomination after 'is:', found "
     "'foo'",
     4},
    {"no set",
     "in: ", "expected the name of a set after 'in:', found the end of the query", 5},
    {"empty set", "in:\"\"", "found nothing, expected the name of a set", 4},
};

/* A text of len bytes between two strings. */
static bool parses_long(const char *before, size_t len, const char *after,
                        struct err *err)
{
    struct arena arena = {0};
    struct buf query = {0};
    struct query_node *node;

    buf_add(&query, str_from(before));
    for (size_t i = 0; i < len; i++)
        buf_add_char(&query, 'x');
    buf_add(&query, str_from(after));
    bool ok = query_parse(buf_str(&query), &arena, &node, err);
    buf_free(&query);
    arena_free(&arena);
    return ok;
}

static void check_long(void)
{
    static const char *const around[][2] = {{"", ""},   {"", "*"},  {"\"", "\""},
                                            {"~", ""},  {"[", "]"}, {"tag:~", ""},
                                            {"in:", ""}};
    struct err err = {0};

    for (size_t i = 0; i < ROWS(around); i++) {
        tap_case("limit: %s...%s", around[i][0], around[i][1]);
        CHECK(parses_long(around[i][0], QUERY_TEXT_MAX, around[i][1], &err));
        CHECK(!parses_long(around[i][0], QUERY_TEXT_MAX + 1, around[i][1], &err));
        CHECK(strstr(err.text, "found 1001 bytes of text, expected at most 1000\n") !=
              NULL);
    }
}

int main(void)
{
    for (size_t i = 0; i < ROWS(good); i++) {
        tap_case("good: %s", good[i].name);
        parsed_good(good[i].query, good[i].canonical);
    }
    for (size_t i = 0; i < ROWS(bad); i++) {
        tap_case("bad: %s", bad[i].name);
        parsed_bad(bad[i].query, bad[i].message, bad[i].caret);
    }
    check_long();
    return tap_done();
}
