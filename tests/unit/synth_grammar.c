/* What the grammar says, what it refuses, and that each alternative has its share. */
#include "synth/internal.h"

#include <string.h>

#include "tests/tap.h"

static const struct synth_grammar_values values = {
    {{"TensorFlow", 10}, {"tensorflow", 10}, {"tf", 2}, {"1.13.1", 6}}};

/* Rule [r] of the text, which has one expansion. */
static const struct {
    const char *name, *text, *expansion;
} good[] = {
    {"plain text", "[r]\nplain text\n", "plain text"},
    {"no newline at the end", "[r]\nx", "x"},
    {"CR LF", "[r]\r\nx\r\n", "x"},
    {"comments and blanks", "# c\n\n[r]\n  # c\n\n  x y  \n", "x y"},
    {"a rule", "[r]\na {b} c\n[b]\nx\n", "a x c"},
    {"a rule defined before its use", "[b]\nx\n[r]\n{b}{b}\n", "xx"},
    {"names with dots, digits and dashes", "[r]\n{a.b-2}\n[a.b-2]\nx\n", "x"},
    {"variables", "[r]\n{framework} {package} {alias} {release}\n",
     "TensorFlow tensorflow tf 1.13.1"},
    {"a capital from a rule", "[r]\n{^b} {b}\n[b]\nxy\n", "Xy xy"},
    {"a capital from a variable", "[r]\n{^alias}\n", "Tf"},
    {"a capital where there is no letter", "[r]\n{^b}\n[b]\n1x\n", "1x"},
    {"a capital through two rules", "[r]\n{^b}\n[b]\n{c}\n[c]\nxy\n", "Xy"},
    {"a capital does not change an entity", "[r]\n{^b}\n[b]\n<x\n", "&lt;x"},
    {"escaped for an attribute", "[r]\na < b & \"c\"\n", "a &lt; b &amp; &quot;c&quot;"},
    {"markup stays markup", "[r]\n<p>x</p>\n", "&lt;p&gt;x&lt;/p&gt;"},
    {"code is html inside the attribute", "[r]\n{code.x}\n[code.x]\na < b && c > d\n",
     "a &amp;lt; b &amp;amp;&amp;amp; c &amp;gt; d"},
    {"so are traces", "[r]\n{trace.x}\n[trace.x]\n<module>\n", "&amp;lt;module&amp;gt;"},
    {"a rule that only begins like code", "[r]\n{codec}\n[codec]\n<\n", "&lt;"},
    {"a newline", "[r]\na\\nb\n", "a&#xA;b"},
    {"a backslash alone", "[r]\na\\tb\\\n", "a\\tb\\"},
    {"braces of code", "[r]\n{} {a b} {A} {'k': 1} { {b} }\n[b]\nx\n",
     "{} {a b} {A} {'k': 1} { x }"},
    {"an open brace", "[r]\n{b {b\n[b]\nx\n", "{b {b"},
    {"brace in brace", "[r]\n{{b}}\n[b]\nx\n", "{x}"},
    {"brackets that are no name", "[r]\n[1, 2]\n", "[1, 2]"},
    {"brackets with a capital sign are text", "[r]\n[^b]\n", "[^b]"},
    {"empty brackets", "[r]\n[]\n", "[]"},
    {"UTF-8", "[r]\n\xC3\xA4\n", "\xC3\xA4"},
    {"sixteen levels",
     "[r]\n{b}\n[b]\n{c}\n[c]\n{d}\n[d]\n{e}\n[e]\n{f}\n[f]\n{g}\n[g]\n{h}\n[h]\n{i}\n[i]"
     "\n"
     "{j}\n[j]\n{k}\n[k]\n{l}\n[l]\n{m}\n[m]\n{n}\n[n]\n{o}\n[o]\n{p}\n[p]\nx\n",
     "x"},
};

static const struct {
    const char *name, *text, *message;
} bad[] = {
    {"text before any rule", "\nx\n", "g:2: expected [rule.name], found 'x'"},
    {"not a name", "[A]\nx\n", "g:1: expected [rule.name], found '[A]'"},
    {"a rule that is not defined", "[r]\nx\n{b}\n{b}\n", "g:3: rule {b} is not defined"},
    {"a capital rule that is not defined", "[r]\n{^b}\n", "g:2: rule {b} is not defined"},
    {"a rule defined twice", "[r]\nx\n[b]\ny\n[r]\nz\n",
     "g:5: rule [r] is defined twice; first in line 1"},
    {"a rule without alternatives", "[r]\nx\n[b]\n# none\n",
     "g:3: rule [b] has no alternatives"},
    {"a last rule without alternatives", "[r]\n", "g:1: rule [r] has no alternatives"},
    {"a rule in itself", "[r]\nx\n{r}\n", "g:1: rule [r] leads back to itself"},
    {"two rules in each other", "[r]\n{b}\n[b]\n{r}\n",
     "g:1: rule [r] leads back to itself"},
    {"a circle not at the first rule", "[r]\n{b}\n[b]\n{c}\n[c]\n{b}\n",
     "g:3: rule [b] leads back to itself"},
    {"seventeen levels",
     "[r]\n{b}\n[b]\n{c}\n[c]\n{d}\n[d]\n{e}\n[e]\n{f}\n[f]\n{g}\n[g]\n{h}\n[h]\n{i}\n[i]"
     "\n"
     "{j}\n[j]\n{k}\n[k]\n{l}\n[l]\n{m}\n[m]\n{n}\n[n]\n{o}\n[o]\n{p}\n[p]\n{q}\n[q]"
     "\nx\n",
     "g:33: rule [q] lies too deep; expected at most 16 levels"},
    {"seventeen levels, the lower ones first",
     "[h]\n{i}\n[i]\n{j}\n[j]\n{k}\n[k]\n{l}\n[l]\n{m}\n[m]\n{n}\n[n]\n{o}\n[o]\n{p}\n[p]"
     "\n"
     "{q}\n[q]\nx\n[r]\n{b}\n[b]\n{c}\n[c]\n{d}\n[d]\n{e}\n[e]\n{f}\n[f]\n{g}\n[g]\n{h}"
     "\n",
     "g:1: rule [h] lies too deep; expected at most 16 levels"},
};

static void check_expansion(const struct synth_grammar *grammar, const char *want)
{
    struct rng rng = rng_seeded(1);
    struct buf out = {0};
    int rule = synth_grammar_rule(grammar, STR("r"));

    if (CHECK(rule >= 0)) {
        buf_add(&out, STR(">"));
        synth_grammar_expand(grammar, rule, &values, &rng, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr + 1, want); /* appended */
    }
    buf_free(&out);
}

static void check_shares(struct arena *arena)
{
    enum { DRAWS = 90000 };
    struct synth_grammar *grammar;
    struct err err = {0};
    struct rng rng = rng_seeded(2), again = rng_seeded(2);
    struct buf out = {0}, repeated = {0};
    int seen[3] = {0};

    tap_case("each alternative comes equally often");
    CHECK(synth_grammar_compile(STR("[r]\na\nb\n{x}\n[x]\nc\n"), "g", arena, &grammar,
                                &err));
    int rule = synth_grammar_rule(grammar, STR("r"));
    CHECK(synth_grammar_alternatives(grammar, rule) == 3);
    CHECK(synth_grammar_alternatives(grammar, synth_grammar_rule(grammar, STR("x"))) ==
          1);
    CHECK(synth_grammar_rule(grammar, STR("y")) == -1);
    for (int i = 0; i < DRAWS; i++) {
        buf_clear(&out);
        synth_grammar_expand(grammar, rule, &values, &rng, &out);
        if (CHECK(out.len == 1 && out.ptr[0] >= 'a' && out.ptr[0] <= 'c'))
            seen[out.ptr[0] - 'a']++;
    }
    for (int i = 0; i < 3; i++) /* 6 standard errors */
        CHECK_NEAR(seen[i] / (double)DRAWS, 1 / 3.0, 0.0095);
    tap_case("the same seed says the same");
    rng = rng_seeded(2);
    buf_clear(&out);
    for (int i = 0; i < 1000; i++) {
        synth_grammar_expand(grammar, rule, &values, &rng, &out);
        synth_grammar_expand(grammar, rule, &values, &again, &repeated);
    }
    CHECK(str_eq(buf_str(&out), buf_str(&repeated)));
    buf_free(&out);
    buf_free(&repeated);
}

/* Rules 0 .. 15, each using the next `width` times in `width` alternatives: to follow
 * every expansion would take longer than the world will last. */
static void check_wide(struct arena *arena)
{
    enum { WIDTH = 40, LEVELS = 15 };
    struct synth_grammar *grammar;
    struct err err = {0};
    struct buf text = {0};

    tap_case("many expansions are checked without following each");
    for (int level = 0; level < LEVELS; level++) {
        buf_add_format(&text, "[rule-%d]\n", level);
        for (int i = 0; i < WIDTH * WIDTH; i++)
            buf_add_format(&text, "{rule-%d}%s", level + 1, i % WIDTH == 0 ? "\n" : "");
        buf_add(&text, STR("\n"));
    }
    buf_add_format(&text, "[rule-%d]\nx\n", LEVELS);
    CHECK(synth_grammar_compile(buf_str(&text), "g", arena, &grammar, &err));
    CHECK_TEXT(err.text, "");
    buf_free(&text);
}

/* A grammar of many rules, so that its tables grow. */
static void check_many(struct arena *arena)
{
    enum { RULES = 500 };
    struct synth_grammar *grammar;
    struct err err = {0};
    struct buf text = {0}, out = {0};
    struct rng rng = rng_seeded(3);
    bool same = true;

    for (int i = 0; i < RULES; i++)
        buf_add_format(&text, "[rule-%d]\n%s{leaf-%d}\n[leaf-%d]\nleaf %d\n", i,
                       i % 2 == 0 ? "" : "{framework} ", i, i, i);
    tap_case("%d rules", 2 * RULES);
    CHECK(synth_grammar_compile(buf_str(&text), "g", arena, &grammar, &err));
    for (int i = 0; i < RULES; i++) {
        struct buf name = {0}, want = {0};
        buf_add_format(&name, "rule-%d", i);
        buf_add_format(&want, "%sleaf %d", i % 2 == 0 ? "" : "TensorFlow ", i);
        buf_clear(&out);
        synth_grammar_expand(grammar, synth_grammar_rule(grammar, buf_str(&name)),
                             &values, &rng, &out);
        same = same && str_eq(buf_str(&out), buf_str(&want));
        buf_free(&name);
        buf_free(&want);
    }
    CHECK(same);
    buf_free(&text);
    buf_free(&out);
}

int main(void)
{
    struct arena arena = {0};
    struct synth_grammar *grammar;

    for (size_t i = 0; i < ROWS(good); i++) {
        struct err err = {0};
        tap_case("expand: %s", good[i].name);
        if (CHECK(synth_grammar_compile(str_from(good[i].text), "g", &arena, &grammar,
                                        &err)))
            check_expansion(grammar, good[i].expansion);
        CHECK_TEXT(err.text, "");
    }
    for (size_t i = 0; i < ROWS(bad); i++) {
        struct err err = {0};
        tap_case("refuse: %s", bad[i].name);
        CHECK(!synth_grammar_compile(str_from(bad[i].text), "g", &arena, &grammar, &err));
        CHECK(err.kind == ERR_INPUT);
        CHECK_TEXT(err.text, bad[i].message);
    }
    struct err err = {0};
    tap_case("no text has no rules");
    CHECK(synth_grammar_compile(STR(""), "g", &arena, &grammar, &err));
    CHECK(synth_grammar_rule(grammar, STR("r")) == -1);
    check_shares(&arena);
    check_wide(&arena);
    check_many(&arena);
    arena_free(&arena);
    return tap_done();
}
