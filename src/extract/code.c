/* One pass over the tokens: imports and assignments are remembered as they come. A post
 * may hold several languages, so each paragraph is read as what it looks like. */
#include "extract/code.h"

#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/map.h"
#include "extract/errors.h"
#include "extract/internal.h"
#include "extract/spelling.h"
#include "extract/tokens.h"

/* What everybody imports in the same way. */
static const struct {
    struct str alias, name;
} usual[] = {
    {STR_INIT("tf"), STR_INIT("tensorflow")},
    {STR_INIT("np"), STR_INIT("numpy")},
    {STR_INIT("pd"), STR_INIT("pandas")},
    {STR_INIT("plt"), STR_INIT("matplotlib.pyplot")},
    {STR_INIT("K"), STR_INIT("keras.backend")},
    {STR_INIT("nn"), STR_INIT("torch.nn")},
    {STR_INIT("F"), STR_INIT("torch.nn.functional")},
    {STR_INIT("cv2"), STR_INIT("cv2")},
    {STR_INIT("os"), STR_INIT("os")},
    {STR_INIT("keras"), STR_INIT("keras")},
    {STR_INIT("torch"), STR_INIT("torch")},
    {STR_INIT("theano"), STR_INIT("theano")},
    {STR_INIT("caffe"), STR_INIT("caffe")},
    {STR_INIT("tensorflow"), STR_INIT("tensorflow")},
    {STR_INIT("numpy"), STR_INIT("numpy")},
    {STR_INIT("sns"), STR_INIT("seaborn")},
    {STR_INIT("hub"), STR_INIT("tensorflow_hub")},
};

/* What is a module and hardly ever a variable, also where its import is left out. */
static const struct str modules[] = {
    STR_INIT("argparse"),    STR_INIT("base64"),      STR_INIT("boto3"),
    STR_INIT("collections"), STR_INIT("coremltools"), STR_INIT("csv"),
    STR_INIT("cv"),          STR_INIT("datetime"),    STR_INIT("document"),
    STR_INIT("functools"),   STR_INIT("gensim"),      STR_INIT("glob"),
    STR_INIT("grpc"),        STR_INIT("h5py"),        STR_INIT("io"),
    STR_INIT("itertools"),   STR_INIT("json"),        STR_INIT("logging"),
    STR_INIT("math"),        STR_INIT("matplotlib"),  STR_INIT("nltk"),
    STR_INIT("onnx"),        STR_INIT("pandas"),      STR_INIT("pickle"),
    STR_INIT("random"),      STR_INIT("re"),          STR_INIT("requests"),
    STR_INIT("scipy"),       STR_INIT("shutil"),      STR_INIT("sklearn"),
    STR_INIT("skimage"),     STR_INIT("std"),         STR_INIT("subprocess"),
    STR_INIT("sys"),         STR_INIT("tfjs"),        STR_INIT("tflite"),
    STR_INIT("tflearn"),     STR_INIT("time"),        STR_INIT("threading"),
    STR_INIT("torchvision"), STR_INIT("urllib"),      STR_INIT("window"),
};

/* Words that stand before a bracket and are no call. */
static const struct str not_called[] = {
    STR_INIT("if"),
    STR_INIT("while"),
    STR_INIT("for"),
    STR_INIT("elif"),
    STR_INIT("in"),
    STR_INIT("and"),
    STR_INIT("or"),
    STR_INIT("not"),
    STR_INIT("print"),
    STR_INIT("return"),
    STR_INIT("lambda"),
    STR_INIT("with"),
    STR_INIT("yield"),
    STR_INIT("assert"),
    STR_INIT("range"),
    STR_INIT("len"),
    STR_INIT("str"),
    STR_INIT("int"),
    STR_INIT("float"),
    STR_INIT("list"),
    STR_INIT("dict"),
    STR_INIT("super"),
    STR_INIT("zip"),
    STR_INIT("enumerate"),
    STR_INIT("open"),
    STR_INIT("type"),
    STR_INIT("set"),
    STR_INIT("tuple"),
    STR_INIT("is"),
    STR_INIT("except"),
    STR_INIT("del"),
    STR_INIT("switch"),
    STR_INIT("catch"),
    STR_INIT("sizeof"),
    STR_INIT("typeof"),
    STR_INIT("function"),
    STR_INIT("func"),
    STR_INIT("foreach"),
    STR_INIT("Number"),
    STR_INIT("String"),
    STR_INIT("Int"),
    STR_INIT("Double"),
    STR_INIT("Float"),
    STR_INIT("Boolean"),
    STR_INIT("Object"),
    STR_INIT("Error"),
    STR_INIT("Exception"),
    STR_INIT("require"),
    STR_INIT("console.log"),
    STR_INIT("console.error"),
    STR_INIT("System.out.println"),
    STR_INIT("System.out.print"),
    STR_INIT("Console.WriteLine"),
    STR_INIT("std.cout"),
};

/* Of R and SQL, which have no modules before their functions. */
static const struct str not_told[] = {
    STR_INIT("c"),       STR_INIT("list"),       STR_INIT("library"),
    STR_INIT("require"), STR_INIT("paste"),      STR_INIT("paste0"),
    STR_INIT("cat"),     STR_INIT("length"),     STR_INIT("IN"),
    STR_INIT("AND"),     STR_INIT("OR"),         STR_INIT("NOT"),
    STR_INIT("ON"),      STR_INIT("AS"),         STR_INIT("VALUES"),
    STR_INIT("EXISTS"),  STR_INIT("INTO"),       STR_INIT("FROM"),
    STR_INIT("WHERE"),   STR_INIT("VARCHAR"),    STR_INIT("NVARCHAR"),
    STR_INIT("CHAR"),    STR_INIT("DECIMAL"),    STR_INIT("NUMERIC"),
    STR_INIT("KEY"),     STR_INIT("REFERENCES"), STR_INIT("UNION"),
    STR_INIT("THEN"),    STR_INIT("SELECT"),     STR_INIT("EXEC"),
    STR_INIT("EXECUTE"), STR_INIT("BY"),
};

/* Words before a value, or before a call that is no definition. */
static const struct str before_value[] = {
    STR_INIT("new"),    STR_INIT("await"), STR_INIT("try"),    STR_INIT("return"),
    STR_INIT("throw"),  STR_INIT("raise"), STR_INIT("yield"),  STR_INIT("else"),
    STR_INIT("case"),   STR_INIT("in"),    STR_INIT("of"),     STR_INIT("not"),
    STR_INIT("and"),    STR_INIT("or"),    STR_INIT("is"),     STR_INIT("if"),
    STR_INIT("as"),     STR_INIT("print"), STR_INIT("assert"), STR_INIT("typeof"),
    STR_INIT("while"),  STR_INIT("elif"),  STR_INIT("do"),     STR_INIT("delete"),
    STR_INIT("lambda"), STR_INIT("with"),
};

/* Words before a name that the code defines. */
static const struct str definers[] = {
    STR_INIT("def"),    STR_INIT("class"),     STR_INIT("function"), STR_INIT("func"),
    STR_INIT("struct"), STR_INIT("interface"), STR_INIT("fun"),      STR_INIT("enum"),
};

/* Settings that training and models have, by all their spellings. */
static const struct {
    struct str spelling, name;
} settings[] = {
    {STR_INIT("lr"), STR_INIT("learning_rate")},
    {STR_INIT("learning_rate"), STR_INIT("learning_rate")},
    {STR_INIT("base_lr"), STR_INIT("learning_rate")},
    {STR_INIT("batch_size"), STR_INIT("batch_size")},
    {STR_INIT("batchsize"), STR_INIT("batch_size")},
    {STR_INIT("epochs"), STR_INIT("epochs")},
    {STR_INIT("nb_epoch"), STR_INIT("epochs")},
    {STR_INIT("num_epochs"), STR_INIT("epochs")},
    {STR_INIT("n_epochs"), STR_INIT("epochs")},
    {STR_INIT("training_epochs"), STR_INIT("epochs")},
    {STR_INIT("dropout"), STR_INIT("dropout")},
    {STR_INIT("keep_prob"), STR_INIT("keep_prob")},
    {STR_INIT("momentum"), STR_INIT("momentum")},
    {STR_INIT("decay"), STR_INIT("decay")},
    {STR_INIT("weight_decay"), STR_INIT("weight_decay")},
    {STR_INIT("optimizer"), STR_INIT("optimizer")},
    {STR_INIT("loss"), STR_INIT("loss")},
    {STR_INIT("activation"), STR_INIT("activation")},
    {STR_INIT("metrics"), STR_INIT("metrics")},
    {STR_INIT("validation_split"), STR_INIT("validation_split")},
    {STR_INIT("steps_per_epoch"), STR_INIT("steps_per_epoch")},
    {STR_INIT("num_layers"), STR_INIT("num_layers")},
    {STR_INIT("hidden_size"), STR_INIT("hidden_size")},
    {STR_INIT("hidden_units"), STR_INIT("hidden_units")},
    {STR_INIT("filters"), STR_INIT("filters")},
    {STR_INIT("kernel_size"), STR_INIT("kernel_size")},
    {STR_INIT("strides"), STR_INIT("strides")},
    {STR_INIT("stride"), STR_INIT("strides")},
    {STR_INIT("padding"), STR_INIT("padding")},
    {STR_INIT("pool_size"), STR_INIT("pool_size")},
    {STR_INIT("return_sequences"), STR_INIT("return_sequences")},
    {STR_INIT("input_shape"), STR_INIT("input_shape")},
    {STR_INIT("stddev"), STR_INIT("stddev")},
    {STR_INIT("n_estimators"), STR_INIT("n_estimators")},
    {STR_INIT("max_depth"), STR_INIT("max_depth")},
    {STR_INIT("border_mode"), STR_INIT("padding")},
    {STR_INIT("units"), STR_INIT("units")},
    {STR_INIT("steps"), STR_INIT("steps")},
    {STR_INIT("train_steps"), STR_INIT("steps")},
    {STR_INIT("num_steps"), STR_INIT("steps")},
    {STR_INIT("max_steps"), STR_INIT("steps")},
    {STR_INIT("max_iterations"), STR_INIT("max_iterations")},
    {STR_INIT("max_iter"), STR_INIT("max_iterations")},
    {STR_INIT("dropout_rate"), STR_INIT("dropout")},
    {STR_INIT("l1_regularization_strength"), STR_INIT("l1_regularization_strength")},
    {STR_INIT("l2_regularization_strength"), STR_INIT("l2_regularization_strength")},
    {STR_INIT("n_neighbors"), STR_INIT("n_neighbors")},
    {STR_INIT("n_clusters"), STR_INIT("n_clusters")},
    {STR_INIT("n_components"), STR_INIT("n_components")},
    {STR_INIT("hidden_layer_sizes"), STR_INIT("hidden_layer_sizes")},
    {STR_INIT("embedding_dim"), STR_INIT("embedding_dim")},
    {STR_INIT("num_filters"), STR_INIT("filters")},
    {STR_INIT("beta_1"), STR_INIT("beta_1")},
    {STR_INIT("beta_2"), STR_INIT("beta_2")},
    {STR_INIT("epsilon"), STR_INIT("epsilon")},
};

struct code_reading {
    struct extract_code *out;
    struct str code; /* all of it: every token is a part of it */
    enum extract_language language;
    struct map names;                /* of imports and variables, to places in known */
    LIST(struct str) known;          /* what they stand for */
    struct map own;                  /* what the code defines */
    LIST(struct extract_token) line; /* tokens of a statement */
    int depth;                       /* of brackets that a paragraph left open */
};

static char first(struct str s)
{
    return s.len > 0 ? s.ptr[0] : '\0';
}

static bool is_capital(struct str name)
{
    return first(name) >= 'A' && first(name) <= 'Z';
}

static bool is_one_of(struct str word, const struct str *words, size_t count)
{
    return str_find(word, words, count) < count;
}

/* self.model and this.model are model. */
static struct str without_self(struct str name)
{
    static const struct str selves[] = {STR_INIT("self."), STR_INIT("this.")};

    for (size_t i = 0; i < ROWS_OF(selves); i++)
        if (str_starts(name, selves[i]))
            return str_slice(name, selves[i].len, name.len);
    return name;
}

static void learn(struct code_reading *reading, struct str name, struct str means)
{
    size_t before = reading->names.count;
    size_t place = map_number(&reading->names, without_self(name));

    if (place == before)
        list_add(&reading->known, means);
    else
        reading->known.at[place] = means;
}

static struct str meaning(const struct code_reading *reading, struct str name)
{
    const int64_t *place = map_get(&reading->names, name);

    if (place != NULL)
        return reading->known.at[*place];
    for (size_t i = 0; i < ROWS_OF(usual); i++)
        if (str_eq(usual[i].alias, name))
            return usual[i].name;
    return is_one_of(name, modules, ROWS_OF(modules)) ? name : (struct str){0};
}

static bool is_sign(const struct code_reading *reading, size_t at, char sign)
{
    return at < reading->line.count && reading->line.at[at].kind == EXTRACT_SIGN &&
           first(reading->line.at[at].text) == sign;
}

static bool is_word(const struct code_reading *reading, size_t at, const char *word)
{
    return at < reading->line.count && reading->line.at[at].kind == EXTRACT_NAME &&
           str_eq(reading->line.at[at].text, str_from(word));
}

static struct str name_at(const struct code_reading *reading, size_t at)
{
    bool is = at < reading->line.count && reading->line.at[at].kind == EXTRACT_NAME;

    return is ? reading->line.at[at].text : (struct str){0};
}

/* Tokens that join two names: . and, where they do, :: -> ?. !. $ */
static size_t joint(const struct code_reading *reading, size_t at)
{
    static const char *pairs[] = {"::", "->", "?.", "!."};

    if (is_sign(reading, at, '.') ||
        (reading->language == EXTRACT_R && is_sign(reading, at, '$')))
        return 1;
    for (size_t i = 0; i < ROWS_OF(pairs) && reading->language != EXTRACT_PYTHON; i++)
        if (is_sign(reading, at, pairs[i][0]) && is_sign(reading, at + 1, pairs[i][1]))
            return 2;
    return 0;
}

/* a.b.c from `at` on; where it ends. */
static size_t dotted(const struct code_reading *reading, size_t at, struct str *out)
{
    struct buf name = {0};
    size_t between;

    *out = (struct str){0};
    if (name_at(reading, at).len == 0)
        return at;
    buf_add(&name, name_at(reading, at++));
    while ((between = joint(reading, at)) > 0 && name_at(reading, at + between).len > 0) {
        buf_add_char(&name, '.');
        buf_add(&name, name_at(reading, at + between));
        at += between + 1;
    }
    *out = buf_keep(&name, &reading->out->arena);
    return at;
}

/* Where <A, B<C>> ends that begins at `at`; `at` if it is none. */
static size_t generic_end(const struct code_reading *reading, size_t at)
{
    enum { GENERIC_MAX = 24 };
    int depth = 0;

    if (reading->language != EXTRACT_BRACES)
        return at;
    for (size_t i = at; i < reading->line.count && i < at + GENERIC_MAX; i++) {
        depth += is_sign(reading, i, '<') - is_sign(reading, i, '>');
        if (depth == 0)
            return i > at ? i + 1 : at;
        if (is_sign(reading, i, '(') || is_sign(reading, i, '=') ||
            reading->line.at[i].kind == EXTRACT_STRING)
            break;
    }
    return at;
}

/* Slashes of a path as dots, without what stands before the first letter. */
static struct str module_of(struct code_reading *reading, struct str quoted)
{
    struct buf name = {0};

    for (size_t i = 1; i + 1 < quoted.len; i++)
        if (quoted.ptr[i] == '/' && name.len > 0)
            buf_add_char(&name, '.');
        else if (name.len > 0 || extract_is_letter(quoted.ptr[i]))
            buf_add_char(&name, quoted.ptr[i]);
    return buf_keep(&name, &reading->out->arena);
}

/* import {a, b as c} from 'module'; import d, * as e from 'module' */
static void read_module(struct code_reading *reading)
{
    struct extract_token last = reading->line.at[reading->line.count - 1];
    struct str module = {0};
    bool inside = false;

    if (last.kind == EXTRACT_STRING)
        module = module_of(reading, last.text);
    for (size_t at = 1;
         at < reading->line.count && (inside || !is_word(reading, at, "from")); at++) {
        struct str name = name_at(reading, at), called = name;
        inside = (inside || is_sign(reading, at, '{')) && !is_sign(reading, at, '}');
        if (name.len == 0)
            continue;
        if (is_word(reading, at + 1, "as")) {
            called = name_at(reading, at + 2);
            at += 2;
        }
        if (inside && module.len > 0)
            learn(reading, called,
                  arena_format(&reading->out->arena, "%.*s.%.*s", STR_ARG(module),
                               STR_ARG(name)));
        else if (meaning(reading, called).len == 0)
            learn(reading, called, called);
    }
}

/* import [static] a.b.C, where languages have braces */
static void read_class(struct code_reading *reading)
{
    struct str name;
    size_t at = is_word(reading, 1, "static") ? 2 : 1;

    if (dotted(reading, at, &name) > at && !str_eq(str_last(name, '.'), name))
        learn(reading, arena_copy(&reading->out->arena, str_last(name, '.')), name);
}

/* import a.b as c, d; from a.b import c as d, e */
static void read_import(struct code_reading *reading)
{
    bool from = is_word(reading, 0, "from");
    struct str module = {0}, name;
    size_t at = 1;

    if (from) {
        at = dotted(reading, 1, &module);
        if (!is_word(reading, at, "import"))
            return;
        at++;
    }
    while (at < reading->line.count) {
        while (is_sign(reading, at, '(') || is_sign(reading, at, ','))
            at++;
        size_t end = dotted(reading, at, &name);
        if (end == at)
            return;
        struct str means = name, called = name;
        if (from)
            means = arena_format(&reading->out->arena, "%.*s.%.*s", STR_ARG(module),
                                 STR_ARG(name));
        else
            str_cut(&name, '.', &called); /* import a.b makes a known */
        at = end;
        if (is_word(reading, at, "as") && at + 1 < reading->line.count) {
            called = reading->line.at[at + 1].text;
            at += 2;
        } else if (!from) {
            means = called;
        }
        learn(reading, arena_copy(&reading->out->arena, called), means);
    }
}

/* The whole name of what is called by this one. An unknown module stays as it stands
 * where the name says enough: io.Reader, Bitmap.create. */
static struct str qualify(struct code_reading *reading, struct str name)
{
    struct str rest = without_self(name), whole = rest, head;
    bool more = str_cut(&rest, '.', &head);
    struct str means = meaning(reading, head);

    if (means.len > 0)
        return more ? arena_format(&reading->out->arena, "%.*s.%.*s", STR_ARG(means),
                                   STR_ARG(rest))
                    : means;
    if (!more)
        return head;
    if (is_capital(head) || reading->language == EXTRACT_R ||
        (reading->language == EXTRACT_PYTHON && is_capital(str_last(rest, '.'))))
        return whole; /* elsewhere methods have capitals, too */
    return arena_format(&reading->out->arena, ".%.*s", STR_ARG(str_last(rest, '.')));
}

/* The text between the brackets that begin at token `open`. */
static struct str arguments_of(const struct code_reading *reading, size_t open)
{
    int depth = 0;
    size_t at = open;

    for (; at < reading->line.count; at++) {
        depth += is_sign(reading, at, '(') - is_sign(reading, at, ')');
        if (depth == 0)
            break;
    }
    const char *begin = reading->line.at[open].text.ptr + 1;
    const struct extract_token *last =
        &reading->line.at[at < reading->line.count ? at : reading->line.count - 1];
    const char *end =
        at < reading->line.count ? last->text.ptr : last->text.ptr + last->text.len;
    return str_trim((struct str){begin, end > begin ? (size_t)(end - begin) : 0});
}

/* Code that people write has no blank between a name and its bracket; sentences do. */
static bool touches(const struct code_reading *reading, size_t at)
{
    struct str before = reading->line.at[at - 1].text;

    return before.ptr + before.len == reading->line.at[at].text.ptr;
}

static bool tells(const struct code_reading *reading, struct str name)
{
    if (reading->language == EXTRACT_R || reading->language == EXTRACT_SQL)
        return first(name) != '.' && !is_one_of(name, not_told, ROWS_OF(not_told));
    return name.len > 2 && first(name) != '.' &&
           (str_last(name, '.').len < name.len || is_capital(name));
}

enum { AROUND_MAX = 200 }; /* bytes: of a very long line only what is near counts */

/* The line before a place and behind another. */
static void line_around(const struct code_reading *reading, const char *from,
                        const char *to, struct str *before, struct str *after)
{
    const char *begin = from, *end = to, *last = reading->code.ptr + reading->code.len;

    while (begin > reading->code.ptr && begin[-1] != '\n' && from - begin < AROUND_MAX)
        begin--;
    while (end < last && *end != '\n' && end - to < AROUND_MAX)
        end++;
    *before = (struct str){begin, (size_t)(from - begin)};
    *after = (struct str){to, (size_t)(end - to)};
}

static void add_call(struct code_reading *reading, struct extract_call call)
{
    struct str rest = call.name, head;

    str_cut(&rest, '.', &head);
    call.tells = tells(reading, call.name);
    if (map_get(&reading->own, head) == NULL)
        list_add(&reading->out->calls, call);
}

/* A name behind another is defined there, as "float predict(" or "def run(". */
static bool is_defined(const struct code_reading *reading, size_t begin)
{
    struct str before = begin > 0 ? name_at(reading, begin - 1) : (struct str){0};

    if (is_one_of(before, definers, ROWS_OF(definers)))
        return true;
    return reading->language == EXTRACT_BRACES && before.len > 0 &&
           !is_one_of(before, before_value, ROWS_OF(before_value));
}

/* A function that is called by its bare name and neither imported nor a class: nobody can
 * tell what its value is. */
static bool is_unknown(const struct code_reading *reading, struct str called)
{
    return reading->language == EXTRACT_PYTHON && !is_capital(called) &&
           str_last(called, '.').len == called.len && meaning(reading, called).len == 0;
}

static void read_calls(struct code_reading *reading, struct str target, size_t value)
{
    for (size_t at = 0; at < reading->line.count;) {
        struct str name;
        size_t begin = at;
        bool method = at > 0 && joint(reading, at - 1) == 1;
        at = dotted(reading, at, &name);
        if (at == begin) {
            at++;
            continue;
        }
        size_t open = generic_end(reading, at);
        if (!is_sign(reading, open, '(') || (open == at && !touches(reading, at)) ||
            is_one_of(name, not_called, ROWS_OF(not_called)) ||
            is_defined(reading, begin))
            continue;
        struct str whole = method ? arena_format(&reading->out->arena, ".%.*s",
                                                 STR_ARG(str_last(name, '.')))
                                  : qualify(reading, name);
        bool assigned = target.len > 0 && begin == value;
        struct str last = reading->line.at[at - 1].text;
        struct extract_call call = {.name = whole,
                                    .target = assigned ? target : (struct str){0},
                                    .arguments = arguments_of(reading, open)};
        line_around(reading, reading->line.at[begin].text.ptr, last.ptr + last.len,
                    &call.before, &call.after);
        add_call(reading, call);
        if (assigned)
            learn(reading, target, is_unknown(reading, whole) ? (struct str){0} : whole);
        at = open;
    }
}

/* [Name method:x], [[Name alloc] init:x], as Objective-C sends messages. */
static void read_messages(struct code_reading *reading)
{
    for (size_t at = 0; at + 2 < reading->line.count; at++) {
        if (!is_sign(reading, at, '['))
            continue;
        bool made = is_sign(reading, at + 1, '[') && is_word(reading, at + 3, "alloc");
        struct str class = name_at(reading, made ? at + 2 : at + 1);
        struct str sent = name_at(reading, made ? at + 5 : at + 2);
        struct str means = meaning(reading, class);
        if (sent.len == 0 || str_eq(sent, STR("alloc")) ||
            (means.len == 0 && !is_capital(class)))
            continue;
        add_call(reading, (struct extract_call){
                              .name = arena_format(&reading->out->arena, "%.*s.%.*s",
                                                   STR_ARG(means.len > 0 ? means : class),
                                                   STR_ARG(sent))});
    }
}

/* Classes of variables: Foo<Bar> *name, name: Foo. Of a smart pointer what it points to.
 */
static void read_declarations(struct code_reading *reading)
{
    for (size_t at = 0; at < reading->line.count; at++) {
        struct str class, name;
        size_t end = dotted(reading, at, &class);
        if (end == at || class.len == 0)
            continue;
        if (at > 1 && is_sign(reading, at - 1, ':') && !is_sign(reading, at - 2, ':') &&
            is_capital(str_last(class, '.')) && name_at(reading, at - 2).len > 0)
            learn(reading, name_at(reading, at - 2), qualify(reading, class));
        size_t behind = generic_end(reading, end);
        if (behind > end && (str_ends(class, STR("_ptr")) || str_ends(class, STR("Ptr"))))
            dotted(reading, end + 1, &class);
        while (is_sign(reading, behind, '*') || is_sign(reading, behind, '&'))
            behind++;
        name = name_at(reading, behind);
        size_t after = behind + 1;
        if (name.len > 0 && is_capital(str_last(class, '.')) &&
            (after >= reading->line.count || is_sign(reading, after, '=') ||
             is_sign(reading, after, ',') || is_sign(reading, after, ')')))
            learn(reading, name, qualify(reading, class));
        at = end - 1;
    }
}

/* Functions of SQL, in capital letters, and procedures that are executed. */
static void read_sql(struct code_reading *reading)
{
    for (size_t at = 0; at < reading->line.count;) {
        struct str name;
        size_t begin = at;
        at = dotted(reading, at, &name);
        if (at == begin) {
            at++;
            continue;
        }
        struct str before = begin > 0 ? name_at(reading, begin - 1) : (struct str){0};
        bool executed =
            str_eq_letters(before, STR("exec")) || str_eq_letters(before, STR("execute"));
        if (!executed && (!is_sign(reading, at, '(') || !touches(reading, at)))
            continue;
        struct buf upper = {0};
        for (size_t i = 0; i < name.len; i++)
            buf_add_char(&upper, name.ptr[i] >= 'a' && name.ptr[i] <= 'z' && !executed
                                     ? (char)(name.ptr[i] - 'a' + 'A')
                                     : name.ptr[i]);
        add_call(reading,
                 (struct extract_call){.name = buf_keep(&upper, &reading->out->arena)});
    }
}

/* learningRate is learning_rate. */
static bool same_setting(struct str spelling, struct str name)
{
    size_t at = 0;

    for (size_t i = 0; i < spelling.len; i++) {
        if (at < name.len && str_lower(name.ptr[at]) == spelling.ptr[i])
            at++;
        else if (spelling.ptr[i] != '_')
            return false;
    }
    return at == name.len;
}

struct str extract_setting_name(struct str name)
{
    for (size_t i = 0; i < ROWS_OF(settings); i++)
        if (same_setting(settings[i].spelling, name))
            return settings[i].name;
    return (struct str){0};
}

/* Whether a value ends before `at`: 1/255 and 10**-3 are more than their first number. */
static bool ends_value(const struct code_reading *reading, size_t at)
{
    static const char more[] = "*/+-%.[";

    for (size_t i = 0; more[i] != '\0'; i++)
        if (is_sign(reading, at, more[i]))
            return false;
    return true;
}

static struct str number_value(struct code_reading *reading, size_t at)
{
    bool minus = is_sign(reading, at, '-');

    at += minus;
    if (at >= reading->line.count || reading->line.at[at].kind != EXTRACT_NUMBER ||
        !ends_value(reading, at + 1))
        return (struct str){0};
    struct str number = reading->line.at[at].text;
    return minus ? arena_format(&reading->out->arena, "-%.*s", STR_ARG(number)) : number;
}

/* True and None; classes such as Adam(lr=...); by name what everybody knows: tf.nn.relu,
 * a variable that was made by Adam(). */
static struct str named_value(struct code_reading *reading, size_t at)
{
    struct str name;
    size_t end = dotted(reading, at, &name);
    struct str whole = qualify(reading, name), last = str_last(whole, '.');

    if (is_word(reading, at, "True") || is_word(reading, at, "False") ||
        is_word(reading, at, "None"))
        return name;
    if (is_sign(reading, end, '('))
        return tells(reading, whole) ? last : (struct str){0};
    return ends_value(reading, end) && extract_knows_value(last) ? last : (struct str){0};
}

/* A number, a text without its quotes, True or None, a tuple of numbers: what can be
 * compared. */
static struct str setting_value(struct code_reading *reading, size_t at)
{
    const struct extract_token *token = &reading->line.at[at];
    struct buf text = {0};

    if (token->kind == EXTRACT_STRING) {
        struct str said = token->text;
        bool whole = said.len > 2 && said.ptr[1] != said.ptr[0] &&
                     said.ptr[said.len - 1] == said.ptr[0];
        return whole ? str_slice(said, 1, said.len - 1) : (struct str){0};
    }
    if (token->kind == EXTRACT_NUMBER || is_sign(reading, at, '-'))
        return number_value(reading, at);
    if (token->kind == EXTRACT_NAME)
        return named_value(reading, at);
    if (!is_sign(reading, at, '(') && !is_sign(reading, at, '['))
        return (struct str){0};
    for (size_t i = at; i < reading->line.count && i < at + 16; i++) {
        struct str part = reading->line.at[i].text;
        if (reading->line.at[i].kind == EXTRACT_NAME && !is_word(reading, i, "None"))
            break;
        buf_add(&text, part);
        if (is_sign(reading, i, ')') || is_sign(reading, i, ']'))
            return buf_keep(&text, &reading->out->arena);
    }
    buf_free(&text);
    return (struct str){0};
}

/* Its value begins at `at`. */
static void add_setting(struct code_reading *reading, size_t at, struct str said,
                        struct str name, struct str value)
{
    struct str before, after, first_word = reading->line.at[at].text;

    line_around(reading, said.ptr, said.ptr, &before, &after);
    if (first_word.ptr + first_word.len > after.ptr + after.len)
        first_word = str_slice(said, 0, 0); /* in another line */
    list_add(&reading->out->settings,
             ((struct extract_setting){
                 .name = name.len > 0 ? name : said,
                 .value = extract_spell_value(value, &reading->out->arena),
                 .line = {before.ptr, before.len + after.len},
                 .said = first_word,
                 .known = name.len > 0,
             }));
}

/* Whether a value that a call is given by a name that no table has may be one of its
 * settings. */
static bool may_be_set(const struct code_reading *reading, size_t at)
{
    return reading->language == EXTRACT_PYTHON && at > 0 &&
           (is_sign(reading, at - 1, '(') || is_sign(reading, at - 1, ',')) &&
           (reading->line.at[at + 2].kind == EXTRACT_NUMBER ||
            is_sign(reading, at + 2, '[') || is_sign(reading, at + 2, '(') ||
            is_word(reading, at + 2, "True") || is_word(reading, at + 2, "False"));
}

enum { VALUE_MAX = 60 };

/* The name of an option behind its two lines; where it ends: the place of its last token.
 * Empty: here is none. */
static struct str option_name(const struct code_reading *reading, size_t at, size_t *last)
{
    if (!is_sign(reading, at, '-') || !is_sign(reading, at + 1, '-') ||
        name_at(reading, at + 2).len == 0 || !touches(reading, at + 1) ||
        !touches(reading, at + 2) || (at > 0 && touches(reading, at)))
        return (struct str){0};
    for (*last = at + 2;
         *last + 1 < reading->line.count && touches(reading, *last + 1) &&
         (is_sign(reading, *last + 1, '-') || name_at(reading, *last + 1).len > 0);)
        ++*last;
    const char *begin = reading->line.at[at + 2].text.ptr;
    struct str end = reading->line.at[*last].text;
    return (struct str){begin, (size_t)(end.ptr - begin) + end.len};
}

/* The word at a place as a shell has it: up to a blank. */
static struct str shell_word(const struct code_reading *reading, size_t at)
{
    struct str before, after;

    line_around(reading, reading->line.at[at].text.ptr, reading->line.at[at].text.ptr,
                &before, &after);
    size_t end = 0;
    while (end < after.len && strchr(" \t\r\n", after.ptr[end]) == NULL)
        end++;
    return str_slice(after, 0, end);
}

/* Values of command lines: --batch-size 32, --epochs=5, --optimizer adam. */
static void read_options(struct code_reading *reading)
{
    for (size_t at = 0, last; at + 3 < reading->line.count; at++) {
        struct buf room = {0};
        struct str said = option_name(reading, at, &last);
        double number;
        for (size_t i = 0; i < said.len; i++)
            buf_add_char(&room, said.ptr[i] == '-' ? '_' : said.ptr[i]);
        struct str name = extract_setting_name(buf_str(&room));
        buf_free(&room);
        size_t place = said.len > 0 ? last + 1 + is_sign(reading, last + 1, '=') : 0;
        if (name.len == 0 || place >= reading->line.count)
            continue;
        struct str value = shell_word(reading, place);
        if (value.len > 0 && value.len < VALUE_MAX &&
            (str_to_real(value, &number) || extract_knows_value(value)))
            add_setting(reading, place, said, name, value);
    }
}

/* Values of names: lr=0.1, lr: 0.1, "lr": 0.1. */
static void read_settings(struct code_reading *reading)
{
    for (size_t at = 0; at + 2 < reading->line.count; at++) {
        bool colon = is_sign(reading, at + 1, ':');
        enum extract_token_kind kind = reading->line.at[at].kind;
        if ((kind != EXTRACT_NAME && !(kind == EXTRACT_STRING && colon)) ||
            (!colon && !is_sign(reading, at + 1, '=')) || is_sign(reading, at + 2, '='))
            continue;
        struct str said = reading->line.at[at].text;
        if (kind == EXTRACT_STRING && said.len > 2)
            said = str_slice(said, 1, said.len - 1);
        struct str name = extract_setting_name(said), value = {0};
        if (name.len > 0 || (!colon && may_be_set(reading, at)))
            value = setting_value(reading, at + 2);
        bool texts = name.len == 0 && value.len > 0 &&
                     (memchr(value.ptr, '"', value.len) != NULL ||
                      memchr(value.ptr, '\'', value.len) != NULL);
        if (value.len > 0 && value.len < VALUE_MAX && !texts)
            add_setting(reading, at + 2, said, name, value);
    }
}

/* What is assigned to, and where its value begins; 0: nothing is. */
static size_t assignment(const struct code_reading *reading, struct str *target)
{
    int depth = 0;

    for (size_t at = 0; at < reading->line.count; at++) {
        depth += is_sign(reading, at, '(') - is_sign(reading, at, ')');
        bool arrow = reading->language == EXTRACT_R && is_sign(reading, at, '<') &&
                     is_sign(reading, at + 1, '-');
        if (depth != 0 || at == 0 || (!arrow && !is_sign(reading, at, '=')))
            continue;
        if (is_sign(reading, at + 1, '=') || is_sign(reading, at + 1, '>'))
            return 0; /* a comparison, or a function in its short form */
        size_t begin = at - 1, value = at + 1 + arrow, end = at;
        if (begin > 1 && is_sign(reading, begin - 1, ':') &&
            !is_sign(reading, begin - 2, ':')) {
            end = begin - 1; /* name: Class = value */
            begin -= 2;
        }
        while (begin > 1 && is_sign(reading, begin - 1, '.'))
            begin -= 2;
        if (dotted(reading, begin, target) != end)
            return 0;
        while (is_one_of(name_at(reading, value), before_value, ROWS_OF(before_value)) ||
               is_sign(reading, value, '?') || is_sign(reading, value, '!'))
            value++;
        return value;
    }
    return 0;
}

/* with open_it(x) as name: */
static void read_with(struct code_reading *reading)
{
    struct str name;
    size_t end = dotted(reading, 1, &name);

    for (size_t at = end; is_word(reading, 0, "with") && at + 1 < reading->line.count;
         at++)
        if (is_word(reading, at, "as") && is_sign(reading, end, '(') &&
            !is_one_of(name, not_called, ROWS_OF(not_called)))
            learn(reading, name_at(reading, at + 1), qualify(reading, name));
}

/* A statement: what it imports, or what it calls and assigns. */
static void end_line(struct code_reading *reading)
{
    struct str target = {0};
    bool imports = is_word(reading, 0, "import");

    if (reading->line.count == 0)
        return;
    if (reading->language == EXTRACT_SQL) {
        read_sql(reading);
    } else if (imports && reading->language == EXTRACT_BRACES) {
        if (reading->line.at[reading->line.count - 1].kind == EXTRACT_STRING)
            read_module(reading);
        else
            read_class(reading);
    } else if (imports || is_word(reading, 0, "from")) {
        read_import(reading);
    } else {
        size_t value = assignment(reading, &target);
        if (value == 0)
            target = (struct str){0};
        else if (is_word(reading, value, "require") && meaning(reading, target).len == 0)
            learn(reading, target, target);
        if (reading->language == EXTRACT_BRACES)
            read_declarations(reading);
        read_calls(reading, target, value);
        if (reading->language == EXTRACT_BRACES) {
            read_messages(reading);
            read_declarations(reading); /* a declared class says more than what made it */
        }
        read_with(reading);
        read_settings(reading);
        read_options(reading);
    }
    list_clear(&reading->line);
}

/* A method as classes define it where no word says so: "predict(x) {" at the beginning of
 * a statement. Calls with a block behind them look alike, but have values in brackets. */
struct definition {
    struct str name; /* empty: none is begun */
    int depth;       /* of brackets before its first one */
    bool closed, values;
};

/* Whether a token within the brackets, with the two before it, is of a value and not of
 * parameters and their types. */
static bool is_value(const struct extract_token *token, const struct extract_token *last,
                     const struct extract_token *before)
{
    static const struct str types[] = {
        STR_INIT("any"),    STR_INIT("bigint"),  STR_INIT("boolean"),
        STR_INIT("never"),  STR_INIT("null"),    STR_INIT("number"),
        STR_INIT("object"), STR_INIT("string"),  STR_INIT("symbol"),
        STR_INIT("void"),   STR_INIT("unknown"), STR_INIT("undefined")};

    if (token->kind == EXTRACT_NUMBER || token->kind == EXTRACT_STRING)
        return true;
    if (token->kind == EXTRACT_SIGN &&
        strchr(",:.<>?*&|[]{})@", *token->text.ptr) == NULL)
        return true;
    if (token->kind == EXTRACT_NAME && str_eq(last->text, STR(".")) &&
        before->kind == EXTRACT_SIGN && strchr("(,:", *before->text.ptr) != NULL)
        return true; /* (alignment: .leading) */
    return last->kind == EXTRACT_NAME && str_eq(before->text, STR(":")) &&
           *last->text.ptr >= 'a' && *last->text.ptr <= 'z' &&
           !str_eq(token->text, STR(".")) &&
           str_find(last->text, types, ROWS_OF(types)) == ROWS_OF(types);
}

static void follow_definition(struct definition *one,
                              const struct extract_scanner *scanner,
                              const struct extract_token *token,
                              const struct extract_token *last,
                              const struct extract_token *before, struct map *own)
{
    bool begins = before->kind == EXTRACT_NEWLINE || str_eq(before->text, STR("{")) ||
                  str_eq(before->text, STR("}"));

    if (one->name.len > 0 && one->closed) {
        if (!one->values &&
            (str_eq(token->text, STR("{")) || str_eq(token->text, STR(":"))))
            map_put(own, one->name);
        *one = (struct definition){0};
    } else if (one->name.len > 0) {
        one->closed = str_eq(token->text, STR(")")) && scanner->depth == one->depth;
        one->values = one->values || is_value(token, last, before);
    } else if (begins && last->kind == EXTRACT_NAME && str_eq(token->text, STR("("))) {
        *one = (struct definition){last->text, scanner->depth - 1, false, false};
    }
}

/* What the code defines, wherever: it may be used before. "float predict(" does, too. */
static void list_own(struct code_reading *reading, struct str code)
{
    struct extract_scanner scanner = {.language = EXTRACT_PYTHON};

    while (extract_paragraph(&code, &scanner.code, &scanner.language)) {
        struct extract_token token, last = {.kind = EXTRACT_NEWLINE}, before = last;
        struct definition method = {0};
        while (extract_token(&scanner, &token)) {
            bool named = last.kind == EXTRACT_NAME && before.kind == EXTRACT_NAME;
            bool braces = scanner.language == EXTRACT_BRACES;
            bool typed = braces && str_eq(token.text, STR("(")) &&
                         !is_one_of(before.text, before_value, ROWS_OF(before_value));
            if (named && (typed || is_one_of(before.text, definers, ROWS_OF(definers))))
                map_put(&reading->own, last.text);
            if (braces)
                follow_definition(&method, &scanner, &token, &last, &before,
                                  &reading->own);
            before = last;
            last = token;
        }
    }
}

enum { STATEMENT_MAX = 4000 }; /* tokens; brackets that never close end there */

static void read_paragraph(struct code_reading *reading, struct str code)
{
    struct extract_scanner scanner = {code, reading->language, reading->depth};
    struct extract_token token;

    extract_skip_prompt(&scanner.code);
    while (extract_token(&scanner, &token)) {
        /* What only begins a statement does so whatever brackets are still open. */
        bool begins =
            token.kind == EXTRACT_NAME && scanner.depth > 0 &&
            (str_eq(token.text, STR("import")) || str_eq(token.text, STR("def")));
        if (token.kind == EXTRACT_NEWLINE || begins ||
            reading->line.count == STATEMENT_MAX) {
            end_line(reading);
            scanner.depth = 0;
        }
        if (token.kind != EXTRACT_NEWLINE)
            list_add(&reading->line, token);
    }
    reading->depth = scanner.depth;
}

void extract_code_read(struct str said, struct extract_code *out)
{
    struct str code = extract_without_traces(said, &out->arena);
    struct code_reading reading = {.out = out,
                                   .code = code,
                                   .names = {.arena = &out->arena},
                                   .own = {.arena = &out->arena}};
    struct str paragraph;
    enum extract_language language = EXTRACT_PYTHON;

    list_own(&reading, code);
    while (extract_paragraph(&code, &paragraph, &language)) {
        /* A call may go on behind an empty line, but not in another language. */
        if (language != reading.language) {
            end_line(&reading);
            reading.depth = 0;
        }
        reading.language = language;
        read_paragraph(&reading, paragraph);
    }
    end_line(&reading);
    list_free(&reading.known);
    list_free(&reading.line);
}

void extract_code_free(struct extract_code *code)
{
    list_free(&code->calls);
    list_free(&code->settings);
    arena_free(&code->arena);
    code->arena = (struct arena){0};
}
