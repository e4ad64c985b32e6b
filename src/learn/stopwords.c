/* One sorted list, searched by halving. */
#include "learn/stopwords.h"

#include "base/compiler.h"

enum { LONGEST = 7 };

static const struct str list[] = {
    STR_INIT("a"),     STR_INIT("about"), STR_INIT("after"),   STR_INIT("all"),
    STR_INIT("also"),  STR_INIT("am"),    STR_INIT("an"),      STR_INIT("and"),
    STR_INIT("any"),   STR_INIT("are"),   STR_INIT("as"),      STR_INIT("at"),
    STR_INIT("be"),    STR_INIT("been"),  STR_INIT("before"),  STR_INIT("being"),
    STR_INIT("both"),  STR_INIT("but"),   STR_INIT("by"),      STR_INIT("d"),
    STR_INIT("did"),   STR_INIT("do"),    STR_INIT("does"),    STR_INIT("doing"),
    STR_INIT("each"),  STR_INIT("for"),   STR_INIT("from"),    STR_INIT("had"),
    STR_INIT("has"),   STR_INIT("have"),  STR_INIT("he"),      STR_INIT("her"),
    STR_INIT("here"),  STR_INIT("him"),   STR_INIT("his"),     STR_INIT("i"),
    STR_INIT("if"),    STR_INIT("in"),    STR_INIT("into"),    STR_INIT("is"),
    STR_INIT("it"),    STR_INIT("its"),   STR_INIT("just"),    STR_INIT("ll"),
    STR_INIT("m"),     STR_INIT("me"),    STR_INIT("my"),      STR_INIT("myself"),
    STR_INIT("of"),    STR_INIT("on"),    STR_INIT("or"),      STR_INIT("our"),
    STR_INIT("re"),    STR_INIT("s"),     STR_INIT("she"),     STR_INIT("so"),
    STR_INIT("some"),  STR_INIT("such"),  STR_INIT("t"),       STR_INIT("than"),
    STR_INIT("that"),  STR_INIT("the"),   STR_INIT("their"),   STR_INIT("them"),
    STR_INIT("then"),  STR_INIT("there"), STR_INIT("these"),   STR_INIT("they"),
    STR_INIT("this"),  STR_INIT("those"), STR_INIT("through"), STR_INIT("to"),
    STR_INIT("too"),   STR_INIT("us"),    STR_INIT("ve"),      STR_INIT("very"),
    STR_INIT("was"),   STR_INIT("we"),    STR_INIT("were"),    STR_INIT("which"),
    STR_INIT("while"), STR_INIT("who"),   STR_INIT("will"),    STR_INIT("with"),
    STR_INIT("you"),   STR_INIT("your"),
};

bool stopwords_has(struct str word)
{
    size_t low = 0, high = ROWS_OF(list);

    if (word.len > LONGEST)
        return false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_compare(word, list[middle]);
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}
