/* Kinds of names, one function each; what is told by wording is a table of patterns. */
#include "extract/extract.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <assert.h>
#include <pcre2.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/map.h"
#include "extract/code.h"
#include "extract/errors.h"

const struct extract_kind extract_kinds[EXTRACT_WHATS] = {
    [EXTRACT_APIS] = {"apis", "functions, layers and operators that code calls", false},
    [EXTRACT_ERRORS] = {"errors", "errors with their messages, without numbers", false},
    [EXTRACT_VERSIONS] = {"versions", "versions, and of what they are", false},
    [EXTRACT_MISFITS] = {"misfits", "two versions that are said not to fit", true},
    [EXTRACT_SETTINGS] = {"settings", "hyperparameters with their values", false},
    [EXTRACT_HARDWARE] = {"hardware", "processors, graphics cards, boards", false},
    [EXTRACT_SYSTEMS] = {"systems", "operating systems", false},
    [EXTRACT_DEMAND] = {"demand", "what is said to be missing or not supported", false},
    [EXTRACT_CONFUSED] = {"confused", "calls that accepted answers replace by another",
                          true},
    [EXTRACT_CHANGES] = {"changes", "settings that accepted answers change", true},
    [EXTRACT_RULES] = {"rules", "calls that go together, in their order, in answers",
                       true},
};

/* Patterns. The first group that matched is the name, with `as` before it; without
 * groups `as` is the name. */
enum where { IN_TITLE = 1, IN_PROSE = 2, IN_CODE = 4, IN_TEXT = 3, ANYWHERE = 7 };

struct pattern {
    enum extract_what what;
    enum where where;
    const char *regex, *as;
};

#define OPS  "(?:ops?|operations?|operators?|layers?|kernels?|nodes?)"
#define NAME "([A-Za-z_][\\w.:]*\\w)"
/* A name as only code has it: with dots, underscores, digits or capitals inside. */
#define OPERATOR \
    "(?-i:\\b((?:[A-Za-z_]\\w*\\.)+[A-Za-z]\\w+|[a-z]+_\\w+|[a-z]+\\d+\\w*|[A-Z]" \
    "[a-z]+[A-Z0-9]\\w*))"
#define NUMBER \
    "\\s*(?:==|>=|<=|~=|=|:|-|version|ver\\.?|v\\.?|is)*\\s*v?(\\d+(?:\\.\\d+){1,3}(?:[" \
    ".-]?(?:rc|alpha|beta|a|b)\\d*)?)\\b"

static const struct pattern patterns[] = {
    /* Errors of tools that lack something say so in their own words. */
    {EXTRACT_DEMAND, ANYWHERE, "No OpKernel was regist(?:e?)red to\\s+support Op '?" NAME,
     ""},
    {EXTRACT_DEMAND, ANYWHERE, "Op type not registered:?\\s+[^A-Za-z_]*" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE, "Converting unsupported operation: " NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "\\b(?:unknown|unsupported|unrecognized|unimplemented) (?:layer(?: "
     "type)?|op|operation|"
     "operator)s?: ?'?" NAME,
     ""},
    {EXTRACT_DEMAND, ANYWHERE, "for unknown op: '?" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE, "need custom implementations: " NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE, "Op is not supported: '?" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE, "unsupported ops? (?:in the model|found): '?" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "\\b" OPS " (?:in the model |used )?(?:is|are) not supported[^.:\\n]{0,40}: '?" NAME,
     ""},
    {EXTRACT_DEMAND, IN_CODE, "NotImplementedError: '?" NAME "'? is not implemented", ""},
    {EXTRACT_DEMAND, ANYWHERE, "unsupported ops? (?:in the model|found)(?!:)",
     "some operator"},
    {EXTRACT_DEMAND, ANYWHERE, "\\bNo ops? registered\\b", "some operator"},
    {EXTRACT_DEMAND, ANYWHERE, "\\bunsupported " OPS "\\b(?!:)", "some operator"},
    /* People. */
    {EXTRACT_DEMAND, ANYWHERE,
     "\\b" OPS "\\s+(?:in the model |used )?(?:is|are|was|were) (?:still |currently )?(?:"
     "not (?:yet |currently )?|un)(?:supported|implemented|registered|available)",
     "some operator"},
    {EXTRACT_DEMAND, ANYWHERE,
     "\\b" OPS " (?:that|which) (?:is|are) (?:missing|unsupported)", "some operator"},
    {EXTRACT_DEMAND, IN_TEXT,
     "(?:does not|doesn't|do not|don't|cannot|can't|not) support (?:the |these |those "
     "|this "
     "|all |some )?(?:[\\w.]+ ){0,2}" OPS "\\b",
     "some operator"},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b" OPS "\\b[^.\\n]{0,30}(?:does not|doesn't|do not|don't) support (?:it|them)\\b",
     "some operator"},
    {EXTRACT_DEMAND, IN_TEXT,
     "(?:don't|doesn't|do not|does not) have (?:the|these|those|this) " OPS
     " implemented",
     "some operator"},
    {EXTRACT_DEMAND, IN_TITLE, "\\bcustom (?:\\w+ )?(?:layer|op|operation|operator)s?\\b",
     "custom operator"},
    {EXTRACT_DEMAND, IN_TITLE, "\\bIs " OPERATOR " supported", ""},
    {EXTRACT_DEMAND, IN_TITLE, OPERATOR " (?:is )?not (?:yet )?(?:supported|implemented)",
     ""},
    {EXTRACT_DEMAND, IN_PROSE,
     OPERATOR
     " is (?:still |currently )?not (?:yet |currently )?(?:supported|implemented)",
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\bthe (?:op|operation|operator|layer) (?-i:([A-Z]\\w+)) is (?:missing|not "
     "(?:yet )?(?:supported|implemented|available))",
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b(?:equivalents?|counterparts?|alternatives?|analog(?:ue)?s?|replacements?) "
     "(?:of|for|"
     "to) (?:the )?(?:function |method |layer |op )?[`'\"]?" OPERATOR,
     ""},
    /* Versions. */
    {EXTRACT_VERSIONS, ANYWHERE, "\\b(?:tensorflow|tf)(?:[-_]gpu)?" NUMBER,
     "TensorFlow "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bkeras" NUMBER, "Keras "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\b(?:py)?torch" NUMBER, "PyTorch "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\btheano" NUMBER, "Theano "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bcuda(?:[- ]?toolkit)?" NUMBER, "CUDA "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bcudnn" NUMBER, "cuDNN "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bpython" NUMBER, "Python "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bnumpy" NUMBER, "NumPy "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bopencv" NUMBER, "OpenCV "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\b(?:sklearn|scikit-learn)" NUMBER, "scikit-learn "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bprotobuf" NUMBER, "protobuf "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bbazel" NUMBER, "Bazel "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bgcc" NUMBER, "GCC "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\b(?:tfjs|tensorflow\\.?js)" NUMBER, "TensorFlow.js "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bcoremltools" NUMBER, "coremltools "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bonnx" NUMBER, "ONNX "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bdjango" NUMBER, "Django "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bjava" NUMBER, "Java "},
    {EXTRACT_VERSIONS, ANYWHERE, "\\bnode(?:\\.?js)?" NUMBER, "Node.js "},
    /* Hardware. */
    {EXTRACT_HARDWARE, ANYWHERE, "\\bGTX ?-?(\\d{3,4}(?: ?Ti)?)\\b", "GTX "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bRTX ?-?(\\d{4}(?: ?Ti)?)\\b", "RTX "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bTitan ?(X[pP]?|V|RTX|Black)\\b", "Titan "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:Tesla |NVIDIA )([KPVMT]\\d{1,3}c?)\\b", "Tesla "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(K80|P100|V100|A100|H100|K40|M60)\\b", "Tesla "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bQuadro ([A-Z]?\\d{3,4}M?)\\b", "Quadro "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bGeForce (\\d{3,4}M[X]?)\\b", "GeForce "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bJetson (TX[12]|Nano|Xavier|TK1)\\b", "Jetson "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\braspberry ?pi(?: (\\d))?\\b", "Raspberry Pi "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bTPUs?\\b", "TPU"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bi([3579])-\\d{4,5}[A-Z]{0,2}\\b", "Intel Core i"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bxeon\\b", "Xeon"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bryzen\\b", "Ryzen"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bradeon\\b", "Radeon"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bmovidius\\b", "Movidius"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bsnapdragon\\b", "Snapdragon"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\badreno\\b", "Adreno"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:apple )(M[12])\\b", "Apple "},
    /* Operating systems. */
    {EXTRACT_SYSTEMS, ANYWHERE,
     "\\bubuntu[- ]?(?:linux )?(?:v|version )?(\\d\\d\\.\\d\\d)", "Ubuntu "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bubuntu\\b(?![- ]?(?:linux )?(?:v|version )?\\d)",
     "Ubuntu"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bwin(?:dows)? ?(10|11|7|8(?:\\.1)?)\\b", "Windows "},
    {EXTRACT_SYSTEMS, ANYWHERE,
     "(?-i:\\bWindows\\b(?! ?(?:10|11|7|8|\\.|size|of|to|and (?:stride|step))))",
     "Windows"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\b(?:mac ?os ?x?|os ?x)\\b(?: ?v?(1[0-5]\\.\\d+))?",
     "macOS "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bcentos ?-?(\\d(?:\\.\\d)?)?\\b", "CentOS "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bdebian ?(\\d+)?\\b", "Debian "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bandroid\\b", "Android"},
    {EXTRACT_SYSTEMS, ANYWHERE, "(?-i:\\b(?:iOS|IOS|iPhone|iPad)\\b)", "iOS"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bfedora\\b", "Fedora"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\braspbian\\b", "Raspbian"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\b(?:red ?hat|rhel)\\b", "Red Hat"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\barch linux\\b", "Arch Linux"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\blinux\\b(?!_)", "Linux"},
    /* Where two versions of a sentence are said not to fit. */
    {EXTRACT_MISFITS, IN_TEXT,
     "\\b(?:incompatib\\w+|not compatible|mismatch\\w*|(?:does not|doesn't|do "
     "not|don't|not|"
     "won't|cannot|can't) (?:yet )?(?:work|support|run|fit|match)\\w*|no longer "
     "supported|"
     "requires?|only (?:works|supports)|conflicts?|downgrad\\w+|upgrad\\w+)\\b",
     ""},
};

struct extract_reader {
    struct arena arena; /* holds the struct itself */
    pcre2_code *compiled[ROWS_OF(patterns)];
    pcre2_match_data *data;
    pcre2_match_context *context;
    struct buf scratch, name;
    struct map seen; /* names that were told of the item in work */
    struct arena names;
    extract_take *take;
    void *taker;
    bool asked;
};

enum { STEPS_MAX = 200 * 1000, RULES_REACH = 4, NAMES_MAX = 300 };

struct extract_reader *extract_open(void)
{
    struct arena arena = {0};
    struct extract_reader *reader = arena_array(&arena, struct extract_reader, 1);
    PCRE2_SIZE at;
    int code;

    reader->arena = arena;
    for (size_t i = 0; i < ROWS_OF(patterns); i++) {
        reader->compiled[i] = pcre2_compile(
            (PCRE2_SPTR)patterns[i].regex, PCRE2_ZERO_TERMINATED,
            PCRE2_CASELESS | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &at, NULL);
        assert(reader->compiled[i] != NULL); /* the table is ours */
        pcre2_jit_compile(reader->compiled[i], PCRE2_JIT_COMPLETE);
    }
    reader->data = pcre2_match_data_create(4, NULL);
    reader->context = pcre2_match_context_create(NULL);
    pcre2_set_match_limit(reader->context, STEPS_MAX);
    return reader;
}

void extract_close(struct extract_reader *reader)
{
    if (reader == NULL)
        return;
    struct arena arena = reader->arena;
    for (size_t i = 0; i < ROWS_OF(patterns); i++)
        pcre2_code_free(reader->compiled[i]);
    pcre2_match_data_free(reader->data);
    pcre2_match_context_free(reader->context);
    buf_free(&reader->scratch);
    buf_free(&reader->name);
    arena_free(&reader->names);
    arena_free(&arena);
}

/* Each name of an item once; the same as question and as answer are two. */
static void give(struct extract_reader *reader, struct str name)
{
    name = str_trim(name);
    if (name.len == 0 || name.len > 2 * EXTRACT_MESSAGE_MAX)
        return;
    struct str key =
        arena_format(&reader->names, "%c%.*s", reader->asked ? '?' : '!', STR_ARG(name));
    int64_t *seen = map_put(&reader->seen, key);
    if (*seen == 0)
        reader->take(reader->taker, name, reader->asked);
    *seen = 1;
}

/* The next match of a pattern from *at on; sets the group, or an empty one. */
static bool match(struct extract_reader *reader, size_t pattern, struct str text,
                  size_t *at, struct str *group)
{
    if (*at >= text.len)
        return false;
    int count = pcre2_match(reader->compiled[pattern], (PCRE2_SPTR)text.ptr, text.len,
                            *at, 0, reader->data, reader->context);
    if (count < 1)
        return false;
    const PCRE2_SIZE *found = pcre2_get_ovector_pointer(reader->data);
    *group = count > 1 && found[2] != PCRE2_UNSET ? str_slice(text, found[2], found[3])
                                                  : (struct str){0};
    *at = found[1] > *at ? found[1] : *at + 1;
    return true;
}

static void find_patterns(struct extract_reader *reader, enum extract_what what,
                          const struct extract_text *text)
{
    const struct str parts[] = {text->title, text->prose, text->code};

    for (size_t i = 0; i < ROWS_OF(patterns); i++)
        for (size_t p = 0; p < ROWS_OF(parts) && patterns[i].what == what; p++) {
            size_t at = 0;
            struct str group;
            while ((patterns[i].where >> p & 1) != 0 &&
                   match(reader, i, parts[p], &at, &group)) {
                buf_clear(&reader->name);
                buf_add(&reader->name, str_from(patterns[i].as));
                buf_add(&reader->name, group);
                give(reader, buf_str(&reader->name));
            }
        }
}

static void take_error(void *context, const struct extract_error *error)
{
    struct extract_reader *reader = context;

    buf_clear(&reader->name);
    buf_add(&reader->name, error->type);
    if (error->message.len > 0)
        buf_add_format(&reader->name, ": %.*s", STR_ARG(error->message));
    else if (str_eq(error->type, STR("error")))
        return;
    give(reader, buf_str(&reader->name));
}

static void find_errors(struct extract_reader *reader, const struct extract_text *text)
{
    extract_errors(text->title, &reader->scratch, take_error, reader);
    extract_errors(text->prose, &reader->scratch, take_error, reader);
    extract_errors(text->code, &reader->scratch, take_error, reader);
}

/* Calls whose module is known, or that begin with a capital letter as layers do. */
static bool tells(struct str name)
{
    return name.len > 2 && name.ptr[0] != '.' &&
           (str_last(name, '.').len < name.len ||
            (name.ptr[0] >= 'A' && name.ptr[0] <= 'Z'));
}

static void find_apis(struct extract_reader *reader, const struct extract_text *text)
{
    struct extract_code code = {0};

    extract_code_read(text->code, &code);
    for (size_t i = 0; i < code.calls.count; i++)
        if (tells(code.calls.at[i].name))
            give(reader, code.calls.at[i].name);
    extract_code_free(&code);
}

static void find_settings(struct extract_reader *reader, const struct extract_text *text)
{
    struct extract_code code = {0};

    extract_code_read(text->code, &code);
    for (size_t i = 0; i < code.settings.count; i++) {
        struct extract_setting one = code.settings.at[i];
        buf_clear(&reader->name);
        buf_add_format(&reader->name, "%.*s = %.*s", STR_ARG(one.name),
                       STR_ARG(one.value));
        give(reader, buf_str(&reader->name));
    }
    extract_code_free(&code);
}

/* The end of a sentence: a full stop, ? or ! before a blank, or an empty line. */
static bool ends_sentence(struct str text, size_t at)
{
    char c = text.ptr[at], next = at + 1 < text.len ? text.ptr[at + 1] : ' ';

    return ((c == '.' || c == '?' || c == '!') && (next == ' ' || next == '\n')) ||
           (c == '\n' && next == '\n');
}

struct versions {
    struct str at[8];
    size_t count;
};

static void list_versions(struct extract_reader *reader, struct str sentence,
                          struct versions *out)
{
    for (size_t i = 0; i < ROWS_OF(patterns); i++) {
        size_t at = 0;
        struct str group;
        while (patterns[i].what == EXTRACT_VERSIONS &&
               match(reader, i, sentence, &at, &group) && out->count < ROWS_OF(out->at))
            out->at[out->count++] =
                arena_format(&reader->names, "%s%.*s", patterns[i].as, STR_ARG(group));
    }
}

static void find_misfits_in(struct extract_reader *reader, struct str sentence)
{
    size_t at = 0, cue = ROWS_OF(patterns) - 1; /* the pattern of misfits is the last */
    struct versions versions = {.count = 0};
    struct str group;

    if (!match(reader, cue, sentence, &at, &group))
        return;
    list_versions(reader, sentence, &versions);
    for (size_t a = 0; a < versions.count; a++)
        for (size_t b = 0; b < versions.count; b++) {
            struct str one = versions.at[a], two = versions.at[b], head, other;
            struct str rest = one, more = two;
            str_cut(&rest, ' ', &head);
            str_cut(&more, ' ', &other);
            if (str_compare(head, other) >= 0)
                continue; /* of one thing two versions are a change, no pair */
            buf_clear(&reader->name);
            buf_add_format(&reader->name, "%.*s with %.*s", STR_ARG(one), STR_ARG(two));
            give(reader, buf_str(&reader->name));
        }
}

static void find_misfits(struct extract_reader *reader, const struct extract_text *text)
{
    struct str prose = text->prose;
    size_t begin = 0;

    find_misfits_in(reader, text->title);
    for (size_t at = 0; at < prose.len; at++)
        if (ends_sentence(prose, at) || at + 1 == prose.len) {
            find_misfits_in(reader, str_slice(prose, begin, at + 1));
            begin = at + 1;
        }
}

/* Pairs of code. */

static bool calls(const struct extract_code *code, struct str name)
{
    for (size_t i = 0; i < code->calls.count; i++)
        if (str_eq(code->calls.at[i].name, name))
            return true;
    return false;
}

/* A class and what stands before its method; the name without its last part. */
static struct str holder(struct str name)
{
    struct str last = str_last(name, '.');

    return last.len < name.len ? str_slice(name, 0, name.len - last.len - 1)
                               : (struct str){0};
}

/* One name without its module, or a method of what is itself replaced. */
static bool is_same(const struct extract_code *asked, struct str one, struct str two)
{
    return str_eq(str_last(one, '.'), str_last(two, '.')) &&
           (str_eq(one, two) || holder(one).len == 0 || holder(two).len == 0 ||
            calls(asked, holder(one)));
}

/* The same place in both: the value goes to the same name, or it is called with the same
 * arguments. */
static bool same_place(const struct extract_call *a, const struct extract_call *b)
{
    return (a->target.len > 0 && str_eq(a->target, b->target)) ||
           (a->arguments.len > 3 && str_eq(a->arguments, b->arguments));
}

static void find_confused(struct extract_reader *reader, const struct extract_code *asked,
                          const struct extract_code *answered)
{
    for (size_t a = 0; a < asked->calls.count; a++)
        for (size_t b = 0; b < answered->calls.count; b++) {
            const struct extract_call *one = &asked->calls.at[a],
                                      *two = &answered->calls.at[b];
            if (!tells(one->name) || !tells(two->name) ||
                is_same(asked, one->name, two->name) || !same_place(one, two) ||
                calls(answered, one->name) || calls(asked, two->name))
                continue;
            buf_clear(&reader->name);
            buf_add_format(&reader->name, "%.*s -> %.*s", STR_ARG(one->name),
                           STR_ARG(two->name));
            give(reader, buf_str(&reader->name));
        }
}

/* The only value that code gives a setting; empty: it has none, or several. */
static struct str only_value(const struct extract_code *code, struct str name)
{
    struct str value = {0};

    for (size_t i = 0; i < code->settings.count; i++) {
        if (!str_eq(code->settings.at[i].name, name))
            continue;
        if (value.len > 0 && !str_eq(value, code->settings.at[i].value))
            return (struct str){0};
        value = code->settings.at[i].value;
    }
    return value;
}

static void find_changes(struct extract_reader *reader, const struct extract_code *asked,
                         const struct extract_code *answered)
{
    for (size_t i = 0; i < answered->settings.count; i++) {
        struct str name = answered->settings.at[i].name, before = only_value(asked, name),
                   after = only_value(answered, name);
        double low, high;
        if (before.len == 0 || after.len == 0 || str_eq_letters(before, after))
            continue;
        buf_clear(&reader->name);
        if (str_to_real(before, &low) && str_to_real(after, &high)) {
            if (low == high)
                continue;
            buf_add_format(&reader->name, "%.*s %s", STR_ARG(name),
                           high > low ? "raised" : "lowered");
        } else {
            buf_add_format(&reader->name, "%.*s: %.*s -> %.*s", STR_ARG(name),
                           STR_ARG(before), STR_ARG(after));
        }
        give(reader, buf_str(&reader->name));
    }
}

static void find_rules(struct extract_reader *reader, const struct extract_code *code)
{
    for (size_t a = 0; a < code->calls.count && a < NAMES_MAX; a++)
        for (size_t b = a + 1; b < code->calls.count && b <= a + RULES_REACH; b++) {
            struct str one = code->calls.at[a].name, two = code->calls.at[b].name;
            if (!tells(one) || !tells(two) || str_eq(one, two))
                continue;
            buf_clear(&reader->name);
            buf_add_format(&reader->name, "%.*s, then %.*s", STR_ARG(one), STR_ARG(two));
            give(reader, buf_str(&reader->name));
        }
}

static void find_in_pair(struct extract_reader *reader, enum extract_what what,
                         const struct extract_text *question,
                         const struct extract_text *answer)
{
    struct extract_code asked = {0}, answered = {0};

    extract_code_read(question->code, &asked);
    if (answer != NULL)
        extract_code_read(answer->code, &answered);
    if (what == EXTRACT_RULES) {
        find_rules(reader, &answered);
        reader->asked = true;
        find_rules(reader, &asked);
    } else if (what == EXTRACT_CONFUSED) {
        find_confused(reader, &asked, &answered);
    } else {
        find_changes(reader, &asked, &answered);
    }
    extract_code_free(&asked);
    extract_code_free(&answered);
}

void extract_find(struct extract_reader *reader, enum extract_what what,
                  const struct extract_text *question, const struct extract_text *answer,
                  extract_take *take, void *context)
{
    arena_free(&reader->names);
    reader->names = (struct arena){0};
    reader->seen = (struct map){.arena = &reader->names};
    reader->take = take;
    reader->taker = context;
    reader->asked = false;
    if (what == EXTRACT_MISFITS) {
        find_misfits(reader, question);
        if (answer != NULL)
            find_misfits(reader, answer);
    } else if (extract_kinds[what].answers) {
        find_in_pair(reader, what, question, answer);
    } else if (what == EXTRACT_ERRORS)
        find_errors(reader, question);
    else if (what == EXTRACT_APIS)
        find_apis(reader, question);
    else if (what == EXTRACT_SETTINGS)
        find_settings(reader, question);
    else
        find_patterns(reader, what, question);
}
