/* Errors, messages and frames as people paste them. */
#include "extract/errors.h"

#include "tests/tap.h"

static void add_error(void *context, const struct extract_error *error)
{
    struct buf *out = context;

    buf_add_format(out, "%s%.*s", out->len > 0 ? "|" : "", STR_ARG(error->type));
    if (error->message.len > 0)
        buf_add_format(out, "=%.*s", STR_ARG(error->message));
}

static void add_frame(void *context, const struct extract_frame *frame)
{
    struct buf *out = context;

    buf_add_format(out, "%s%.*s:%.*s", out->len > 0 ? "|" : "", STR_ARG(frame->file),
                   STR_ARG(frame->function));
}

static const struct {
    const char *name, *text, *errors;
} errors[] = {
    {"numbers are taken out", "ValueError: shapes (3,4) and (10,) not aligned: 4 != 10",
     "ValueError=shapes (N) and (N,) not aligned: N != N"},
    {"a module before the type",
     "tensorflow.python.framework.errors_impl.NotFoundError: Key x/y not found",
     "NotFoundError=Key x/y not found"},
    {"a path", "FileNotFoundError: [Errno 2] No such file: '/home/me/data/x.h5'",
     "FileNotFoundError=[Errno N] No such file: 'PATH'"},
    {"a path of Windows", "OSError: cannot load C:\\Users\\me\\x.dll now",
     "OSError=cannot load PATH now"},
    {"an address", "RuntimeError: bad pointer 0x7fffe0a1", "RuntimeError=bad pointer N"},
    {"digits of names stay", "AttributeError: 'Conv2D' has no attribute 'w1'",
     "AttributeError='Conv2D' has no attribute 'w1'"},
    {"named in a sentence", "I get a KeyError here", "KeyError"},
    {"two lines", "KeyError: 'a'\nTypeError: b", "KeyError='a'|TypeError=b"},
    {"what a message names is no error", "RuntimeError: ValueError: no",
     "RuntimeError=ValueError: no"},
    {"a compiler", "x.c:3:5: fatal error: foo.h: No such file",
     "error=foo.h: No such file"},
    {"variables are none", "my_error = theError; Error", ""},
    {"the jvm", "Exception in thread \"main\" java.lang.NullPointerException: x is null",
     "NullPointerException=x is null"},
    {"nothing", "", ""},
};

static const struct {
    const char *name, *text, *fenced;
} printed[] = {
    {"a sentence", "Why does it fail?\nI get a KeyError: 'a'.",
     "Why does it fail?\nI get a KeyError: 'a'."},
    {"an error alone", "ValueError: shapes (3,)", "```\nValueError: shapes (3,)\n```\n"},
    {"its name alone", "keras.LoadError", "```\nkeras.LoadError\n```\n"},
    {"a sentence about one", "ValueError is what I get", "ValueError is what I get"},
    {"a trace below a sentence",
     "Why?\n\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\n"
     "    g()\nKeyError: 'a'\n\nThanks",
     "Why?\n\n```\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\n"
     "    g()\nKeyError: 'a'\n```\n\nThanks"},
    {"a trace of the JVM",
     "Exception in thread \"main\" x.AbcException: no\n\tat a.B.c(B.java:3)\n\t... 3 "
     "more",
     "```\nException in thread \"main\" x.AbcException: no\n\tat a.B.c(B.java:3)\n"
     "\t... 3 more\n```\n"},
    {"a message of several lines", "RuntimeError: in state:\n\tno key\nWhat now?",
     "```\nRuntimeError: in state:\n\tno key\n```\nWhat now?"},
    {"between fences already", "```\nKeyError: 'a'\n```\nKeyError: 'b'",
     "```\nKeyError: 'a'\n```\n```\nKeyError: 'b'\n```\n"},
    {"a fence behind it", "KeyError: 'a'\n~~~\nx = 1\n~~~\n",
     "```\nKeyError: 'a'\n```\n~~~\nx = 1\n~~~\n"},
    {"a compiler", "x.c:3:5: fatal error: a.h: no\nmain.cpp(3): error: b\nerror: c",
     "```\nx.c:3:5: fatal error: a.h: no\nmain.cpp(3): error: b\nerror: c\n```\n"},
    {"an error: in a sentence", "There is an error: it stops.",
     "There is an error: it stops."},
    {"indented prose", "First\n  second", "First\n  second"},
    {"nothing", "", ""},
};

static const struct {
    const char *name, *text, *frames;
} frames[] = {
    {"Python", "  File \"/usr/lib/keras/engine/training.py\", line 12, in fit\n    x()",
     "training.py:fit"},
    {"the JVM", "\tat org.dl4j.nn.Graph.fit(Graph.java:12)",
     "Graph.java:org.dl4j.nn.Graph.fit"},
    {"JavaScript", "    at run (/app/lib/graph.js:1:2)", "graph.js:run"},
    {"gdb", "#3  0x00007f in std::at (this=0x0) at v.h:12\n#4 main ()", ":std::at|:main"},
    {"a sentence is none", "at the end (see above)", ""},
    {"a file without function", "File \"a.py\", line 1", "a.py:"},
};

int main(void)
{
    struct buf scratch = {0}, out = {0};

    for (size_t i = 0; i < ROWS(errors); i++) {
        tap_case("error: %s", errors[i].name);
        buf_clear(&out);
        extract_errors(str_from(errors[i].text), &scratch, add_error, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, errors[i].errors);
    }
    for (size_t i = 0; i < ROWS(frames); i++) {
        tap_case("frame: %s", frames[i].name);
        buf_clear(&out);
        extract_frames(str_from(frames[i].text), add_frame, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, frames[i].frames);
    }
    for (size_t i = 0; i < ROWS_OF(printed); i++) {
        tap_case("printed: %s", printed[i].name);
        buf_clear(&out);
        extract_fence(str_from(printed[i].text), &out);
        buf_add_char(&out, 0);
        CHECK_TEXT(out.ptr, printed[i].fenced);
    }
    tap_case("a long message is cut at a word");
    char text[600];
    memset(text, 'x', sizeof text);
    for (size_t i = 9; i < sizeof text; i += 10)
        text[i] = ' ';
    buf_clear(&out);
    extract_message((struct str){text, sizeof text}, &out);
    CHECK(out.len <= EXTRACT_MESSAGE_MAX && out.len > EXTRACT_MESSAGE_MAX - 12);
    CHECK(out.ptr[out.len - 1] == 'x');
    buf_free(&out);
    buf_free(&scratch);
    return tap_done();
}
