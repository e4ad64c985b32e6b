/* The action and its object in a title, by rules: where an opener such as "how to"
 * stands, a verb follows; elsewhere a clause may begin with one. What follows the verb up
 * to a preposition is its object, and the last noun there the object's head.
 *
 * A tagger would be taught on newspapers, in which nobody asks "how to softmax a tensor";
 * a grammar (link-grammar) finds a verb in three quarters of such titles, and the word
 * behind "how to" is one in 97 of 100. */
#include "phrase/internal.h"

#include <glib.h>
#include <string.h>

#include "text/utf8.h"

#define NONE ((size_t)-1)

static bool among(struct str word, const char *list)
{
    size_t at = 0, len = strlen(list);

    while (at < len) {
        size_t end = at;
        while (end < len && list[end] != ' ')
            end++;
        if (end - at == word.len && memcmp(list + at, word.ptr, word.len) == 0)
            return true;
        at = end + 1;
    }
    return false;
}

static const char prepositions[] =
    "in into to from for with of on by using as at when without after before during "
    "inside "
    "within via per while if than through over under between across onto upon out up off "
    "against like because so based instead where whose which that who how what why but "
    "versus vs rather given until since except about along such";
static const char determiners[] =
    "a an the my your our its their his her this these those some any all each every "
    "both "
    "multiple several many few more most other another own new different same certain "
    "only "
    "just specific particular existing one two three 2 3 x n large big small very "
    "two-level "
    "simple custom whole entire first last second single such not than";
static const char adverbs[] = "not best just also even then please again back always "
                              "ever still already first better "
                              "i you we one easily fast faster quickly ! to never really";
static const char ends_behind[] =
    "together again correctly properly manually dynamically separately efficiently "
    "faster "
    "automatically directly locally easily twice once is are was were be been being has "
    "have "
    "had does do did can could should would will may might must am and or not it them me "
    "itself there here only instead too programmatically quickly";
static const char particles[] = "up off out down back away ahead";
/* "a list of tensors" is about tensors. */
static const char partitives[] =
    "list set lot kind type sort bunch couple pair group series number subset "
    "collection variety amount version";
/* Verbs that mean something else with their particle: "set up" is not to set. "log" and
 * "sign" do so only where no object follows: "log in to a server", "log in a file". */
static const char *const with_particle[] = {
    "back up",    "break down", "break up",  "carry out",  "check out", "clean up",
    "figure out", "find out",   "fill in",   "give up",    "hook up",   "log in",
    "log off",    "log on",     "log out",   "look up",    "make up",   "mix up",
    "opt out",    "pick up",    "plug in",   "point out",  "roll back", "roll out",
    "run out",    "scale down", "scale out", "scale up",   "set off",   "set up",
    "shut down",  "shut off",   "sign in",   "sign out",   "sign up",   "slow down",
    "speed up",   "spin up",    "start up",  "switch off", "switch on", "take over",
    "tear down",  "turn off",   "turn on",   "wind up",    "work out",  "zoom in",
    "zoom out"};
/* Programs whose first word says what they are to do: "pip install" is to install. */
static const char tools[] = "apt apt-get brew bundle cargo choco composer conda docker "
                            "gem git helm kubectl mamba mvn "
                            "npm npx pip pip3 pipenv pnpm poetry sudo uv yarn";
static const char light[] = "use utilize leverage";

/* Tokens. */

static bool in_token(unsigned char c)
{
    return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '\'' || c == '-' ||
           c == '+' || c == '#';
}

/* Quotes, dashes and pictures beyond ASCII are no words. */
static bool is_mark(uint32_t code)
{
    return code >= 0x80 && !g_unichar_isalnum(code) && !g_unichar_ismark(code);
}

/* Without the marks at its edges, but for a dot before: ".csv". */
static struct str trim_marks(struct str token)
{
    uint32_t code;
    size_t len;

    while (token.len > 0 && (len = text_utf8_read_back(token, token.len, &code)) > 0 &&
           (is_mark(code) || code == '.' || code == '\'' || code == '-'))
        token.len -= len;
    while (token.len > 0 && (len = text_utf8_read(token, 0, &code)) > 0 &&
           (is_mark(code) || code == '\'' || code == '-'))
        token = str_slice(token, len, token.len);
    return token;
}

size_t phrase_tokens(struct str text, struct arena *arena, struct phrase_token **out)
{
    struct phrase_token *tokens =
        arena_array(arena, struct phrase_token, text.len / 2 + 2);
    size_t count = 0;

    for (size_t i = 0; i < text.len;) {
        size_t begin = i;
        while (i < text.len && in_token((unsigned char)text.ptr[i]))
            i++;
        struct str token = trim_marks(str_slice(text, begin, i));
        const char *end = token.ptr + token.len;
        if (token.len > 0) {
            char *copy = arena_c_string(arena, token);
            for (size_t c = 0; c < token.len; c++)
                copy[c] = str_lower(copy[c]);
            tokens[count++] = (struct phrase_token){token, {copy, token.len}, false};
        }
        /* "Keras: how" and "model, then" part; a dash does with blanks around it, which
         * is an empty token. */
        if (count > 0 && i > begin &&
            (token.len == 0 || (end < text.ptr + i && *end == '.')))
            tokens[count - 1].ends = true;
        while (i < text.len && !in_token((unsigned char)text.ptr[i])) {
            if (count > 0 && strchr(":;,?!()[]|", text.ptr[i]) != NULL)
                tokens[count - 1].ends = true;
            i++;
        }
    }
    *out = tokens;
    return count;
}

/* The verb. */

/* What opens a verb phrase; "*" stands for any of the pronouns. */
static const char *const openers[] = {
    "how to",         "howto",
    "how do *",       "how can *",
    "how could *",    "how should *",
    "how would *",    "way to",
    "ways to",        "possible to",
    "trying to",      "tried to",
    "try to",         "want to",
    "need to",        "able to",
    "unable to",      "fails to",
    "failed to",      "failing to",
    "fail to",        "can *",
    "should *",       "could *",
    "cannot",         "can't",
    "can not",        "couldn't",
    "don't",          "method to",
    "have to",        "like to",
    "going to",       "attempting to",
    "when trying to", "difficult to",
    "impossible to",  "best practice to",
    "approach to",    "solution to",
    "how does *",
};

/* How many tokens the opener takes at this place; 0: it does not stand there. */
static size_t opener_at(const struct phrase_token *tokens, size_t count,
                        const char *words)
{
    struct str rest = str_from(words), word;
    size_t taken = 0;

    while (rest.len > 0) {
        str_cut(&rest, ' ', &word);
        if (taken == count ||
            (str_eq(word, STR("*")) ? !among(tokens[taken].word, "i you we one people")
                                    : !str_eq(word, tokens[taken].word)))
            return 0;
        if (tokens[taken++].ends && rest.len > 0)
            return 0;
    }
    return taken;
}

/* The token behind an opener, "how to" before all others; NONE: there is none. */
static size_t behind_opener(const struct phrase_token *tokens, size_t count)
{
    for (size_t o = 0; o < sizeof openers / sizeof *openers; o++)
        for (size_t i = 0; i < count; i++) {
            size_t taken = opener_at(tokens + i, count - i, openers[o]);
            if (taken > 0 && i + taken < count && !tokens[i + taken - 1].ends)
                return i + taken;
        }
    return NONE;
}

static bool is_adverb(struct str word)
{
    return among(word, adverbs) || (str_ends(word, STR("ly")) && word.len > 4 &&
                                    !among(word, "apply multiply supply"));
}

/* "requests fail", "model trains": what follows is the verb of a sentence. */
static bool is_told(struct str word, struct arena *arena)
{
    struct str lemma = phrase_wordnet_verb(word, arena);

    return lemma.len > 0 && !str_eq(lemma, word) && !str_ends(word, STR("ing")) &&
           !phrase_wordnet_is_noun(phrase_wordnet_noun(word, arena));
}

/* Whether a clause begins with a verb here, as the subject of a commit ("Fix crash") or a
 * gerund ("Loading weights") does. */
static bool begins_with_verb(const struct phrase_token *tokens, struct arena *arena)
{
    struct str word = tokens[0].word, next = tokens[1].word;
    struct str lemma = phrase_wordnet_verb(word, arena);

    if (lemma.len == 0 || among(word, "is are was does do did has have can"))
        return false;
    if (str_ends(word, STR("ing")))
        return !str_eq(lemma, word);
    return phrase_wordnet_mostly_verb(lemma) && !is_told(next, arena) &&
           !among(next, "is are was does do not in of for when") &&
           (str_eq(lemma, word) || str_ends(word, STR("ed")) || str_ends(word, STR("s")));
}

static bool is_verb(struct str word, struct arena *arena)
{
    return phrase_wordnet_verb(word, arena).len > 0;
}

/* Whether a program's name stands before what it is to do. */
static bool is_told_tool(const struct phrase_token *tokens, struct arena *arena)
{
    struct str word = tokens[1].word;

    return str_eq(phrase_wordnet_verb(word, arena), word) &&
           phrase_wordnet_mostly_verb(word);
}

/* Without an opener: the first clause that begins with a verb; else what somebody was
 * doing when something happened, "error when loading weights". */
static size_t first_verb(const struct phrase_token *tokens, size_t count,
                         struct arena *arena)
{
    for (size_t i = 0; i + 1 < count; i++)
        if ((i == 0 || tokens[i - 1].ends) && !tokens[i].ends &&
            (among(tokens[i].word, tools) ? is_told_tool(tokens + i, arena)
                                          : begins_with_verb(tokens + i, arena)))
            return i;
    for (size_t i = 1; i + 1 < count; i++)
        if (among(tokens[i - 1].word, "when while after before by with problem problems "
                                      "error errors trouble issue issues") &&
            !tokens[i - 1].ends && !tokens[i].ends &&
            str_ends(tokens[i].word, STR("ing")) && begins_with_verb(tokens + i, arena))
            return i;
    return NONE;
}

/* "use X to convert Y" is about converting: the token of that verb, or NONE. */
static size_t purpose_of(const struct phrase_token *tokens, size_t count, size_t verb,
                         struct arena *arena)
{
    for (size_t i = verb + 1; i + 1 < count && !tokens[i - 1].ends; i++)
        if (str_eq(tokens[i].word, STR("to")) && !tokens[i].ends &&
            is_verb(tokens[i + 1].word, arena) && i + 2 < count && !tokens[i + 1].ends)
            return i + 1;
    return NONE;
}

/* "set up" of a verb and what follows it, also where it is written as one word; empty: no
 * such verb. *end is set to the token behind it. */
static struct str particle_verb(const struct phrase_token *tokens, size_t count,
                                size_t verb, struct str lemma, size_t *end)
{
    struct str word = tokens[verb].word;

    for (size_t i = 0; i < sizeof with_particle / sizeof *with_particle; i++) {
        struct str both = str_from(with_particle[i]), particle = both, first;
        str_cut(&particle, ' ', &first);
        *end = verb + 1;
        if (word.len + 1 == both.len && str_starts(word, first) &&
            str_ends(word, particle))
            return both;
        if (!str_eq(lemma, first) || verb + 1 == count || tokens[verb].ends ||
            !str_eq(tokens[verb + 1].word, particle))
            continue;
        *end = verb + 2;
        bool alone = *end == count || tokens[verb + 1].ends ||
                     among(tokens[*end].word, prepositions);
        return alone || !among(first, "log sign") ? both : (struct str){0};
    }
    return (struct str){0};
}

/* The object. */

/* How often a word must be met for it to matter that its singular never was. */
enum { NAME_MIN = 3 };

/* In the singular, unless it is a name. */
static struct str singular(struct str word, const struct phrase_words *words,
                           struct arena *arena)
{
    if (str_ends(word, STR("'s")))
        word.len -= 2;
    struct str lemma = phrase_wordnet_noun(word, arena);

    if (words == NULL || str_eq(lemma, word) || phrase_wordnet_is_noun(lemma))
        return lemma;
    const int64_t *met = map_get(&words->seen, word);
    bool never = map_get(&words->seen, lemma) == NULL && met != NULL && *met >= NAME_MIN;
    return never || map_get(&words->tags, word) != NULL ? word : lemma;
}

/* What names of files end with, if it is longer than two letters. */
static const char file_ends[] =
    "aac apk avi avro bash bat bin bmp bz2 caffemodel cfg ckpt cmake conf cpp css csv "
    "cxx dat dcm deb dll dmg doc docx dylib env exe flac flv geojson gguf gif gradle "
    "hdf5 heic hpp htm html ini ipynb iso jar java jpeg jpg json jsonl jsx lock log mat "
    "mdb mkv mlmodel mov mp3 mp4 mpeg mpg nii npy npz ogg onnx parquet pbtxt pdf pem pgm "
    "php pickle pkl png ppm ppt pptx properties proto prototxt psd pth pyc pyx rar rdata "
    "rds rpm rst safetensors sass scss sql sqlite srt svg tar tex tflite tfrecord "
    "tgz tif tiff toml tsv tsx ttf txt vtt wasm wav webm webp whl wma wmv xls xlsx xml "
    "yaml yml zip";

/* The last name of a path in code, "dataset" of "tf.data.dataset"; a file's name is
 * whole. */
static struct str last_name(struct str word)
{
    struct str last = str_last(word, '.');

    return last.len > 2 && last.len < word.len && word.ptr[0] != '.' &&
                   !among(last, file_ends)
               ? last
               : word;
}

/* "3", "1.2.1", "2.x", "v2.0": which of them, not what. */
static bool is_number(struct str word)
{
    size_t at = word.len > 1 && word.ptr[0] == 'v';

    if (at == 1 && !(word.ptr[1] >= '0' && word.ptr[1] <= '9'))
        return false;
    if (str_ends(word, STR(".x")))
        word.len -= 2;
    for (; at < word.len; at++)
        if (!((word.ptr[at] >= '0' && word.ptr[at] <= '9') || word.ptr[at] == '.'))
            return false;
    return word.len > 0;
}

/* Whether a noun phrase that has begun ends before this token. */
static bool ends_before(const struct phrase_token *tokens, size_t count, size_t at,
                        struct arena *arena)
{
    struct str word = tokens[at].word;

    if (among(word, prepositions) || among(word, ends_behind) || is_adverb(word) ||
        str_ends(word, STR("-wise")))
        return true;
    if (!str_ends(word, STR("ed")) && !str_ends(word, STR("ing")))
        return false;
    /* "weights learned by", "tensors containing zeros", but "a max pooling layer". */
    bool last = at + 1 == count || tokens[at].ends;
    if (among(word,
              "containing having holding including consisting being made used returned"))
        return true;
    return is_verb(word, arena) && !last && !phrase_wordnet_is_noun(word) &&
           (among(tokens[at + 1].word, prepositions) ||
            among(tokens[at + 1].word, determiners));
}

/* "Loading a model fails": what a gerund's object is said to do. */
static bool is_happening(const struct phrase_token *tokens, size_t count, size_t at,
                         struct arena *arena)
{
    struct str word = tokens[at].word;

    if (!str_ends(word, STR("s")) || str_ends(word, STR("ss")))
        return false;
    if (among(word, "crashes hangs freezes stops works breaks returns results leaks"))
        return at + 1 == count || tokens[at].ends ||
               among(tokens[at + 1].word, prepositions) ||
               among(tokens[at + 1].word, determiners) || is_adverb(tokens[at + 1].word);
    struct str lemma = phrase_wordnet_verb(word, arena);
    return lemma.len > 0 && !str_eq(lemma, word) && phrase_wordnet_mostly_verb(lemma);
}

/* Whether the clause ends with the token, other than by a parenthesis. */
static bool stops(const struct phrase_token *tokens, size_t count, size_t at)
{
    if (!tokens[at].ends || at + 1 == count)
        return tokens[at].ends;
    const char *next = tokens[at + 1].text.ptr;
    for (const char *c = tokens[at].text.ptr + tokens[at].text.len; c < next; c++)
        if (strchr(" ()", *c) == NULL)
            return true;
    return false;
}

/* Sets *head and *end, the token behind the object; *head is NONE where there is none. */
static void find_object(const struct phrase_token *tokens, size_t count, size_t at,
                        bool gerund, struct arena *arena, size_t *head, size_t *end)
{
    size_t behind = at - 1;

    *head = NONE;
    *end = at;
    if (at + 1 < count && among(tokens[at].word, particles))
        at++;
    while (at + 1 < count && is_adverb(tokens[at].word))
        at++;
    /* "save and restore a model" */
    if (at + 1 < count && among(tokens[at].word, "and or then") &&
        is_verb(tokens[at + 1].word, arena) && !tokens[at + 1].ends)
        at += 2;
    /* "iterate over a tensor" */
    if (at < count && among(tokens[at].word, prepositions) && !tokens[at].ends)
        at++;
    while (at + 1 < count &&
           (among(tokens[at].word, determiners) || is_adverb(tokens[at].word)))
        at++;
    /* "set up? Docker fails" */
    for (; behind < at; behind++)
        if (stops(tokens, count, behind))
            return;
    while (at < count) {
        if (*head != NONE && str_eq(tokens[at].word, STR("of")) && at + 1 < count &&
            among(phrase_wordnet_noun(tokens[*head].word, arena), partitives)) {
            *head = NONE;
            at++;
            while (at + 1 < count && !tokens[at].ends &&
                   among(tokens[at].word, determiners))
                at++;
            continue;
        }
        if (*head == NONE
                ? among(tokens[at].word, prepositions) ||
                      (gerund && among(tokens[at].word, "fails crashes hangs stuck"))
                : ends_before(tokens, count, at, arena) ||
                      (gerund && is_happening(tokens, count, at, arena)))
            break;
        if (*head == NONE || !is_number(tokens[at].word))
            *head = at;
        *end = at + 1;
        if (tokens[at++].ends)
            break;
    }
}

void phrase_words_add(struct phrase_words *words, struct str text)
{
    struct arena scratch = {0};
    struct phrase_token *tokens;
    size_t count = phrase_tokens(text, &scratch, &tokens);

    for (size_t i = 0; i < count; i++)
        ++*map_put(&words->seen, last_name(tokens[i].word));
    arena_free(&scratch);
}

struct phrase phrase_extract(struct str text, const struct phrase_words *words,
                             struct arena *arena)
{
    struct phrase_token *tokens;
    size_t count = phrase_tokens(text, arena, &tokens);
    size_t verb = behind_opener(tokens, count), head, end;

    while (verb != NONE && verb + 1 < count && is_adverb(tokens[verb].word))
        verb++;
    bool opened = verb != NONE;
    if (!opened)
        verb = first_verb(tokens, count, arena);
    if (verb == NONE)
        return (struct phrase){0};
    bool tool = verb + 1 < count && !tokens[verb].ends &&
                among(tokens[verb].word, tools) && is_told_tool(tokens + verb, arena);
    verb += tool;
    struct str lemma = phrase_wordnet_verb(tokens[verb].word, arena);
    if (among(lemma, light)) {
        size_t purpose = purpose_of(tokens, count, verb, arena);
        if (purpose != NONE) {
            verb = purpose;
            lemma = phrase_wordnet_verb(tokens[verb].word, arena);
        }
    }
    struct phrase found = {.verb = lemma.len > 0 ? lemma : tokens[verb].word};
    struct str both = particle_verb(tokens, count, verb, found.verb, &end);
    if (both.len > 0)
        found.verb = both;
    else
        end = verb + 1;
    head = NONE;
    if (!tokens[verb].ends)
        find_object(tokens, count, end,
                    !opened && (tool || str_ends(tokens[verb].word, STR("ing"))), arena,
                    &head, &end);
    if (head != NONE)
        found.object = singular(last_name(tokens[head].word), words, arena);
    struct str last = tokens[end - 1].text;
    found.words = (struct str){tokens[verb].text.ptr,
                               (size_t)(last.ptr + last.len - tokens[verb].text.ptr)};
    return found;
}
