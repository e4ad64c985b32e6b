/* Errors, messages and frames as people paste them. */
#include "extract/errors.h"

#include <time.h>

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

/* What happened, and what code only speaks of. */
static const struct {
    const char *name, *text, *errors;
    enum extract_place place;
} placed[] = {
    {"code that catches", "try:\n  x()\nexcept ValueError:\n  pass", "", EXTRACT_IN_CODE},
    {"code that catches several", "except (KeyError, IOError) as e: print(e)", "",
     EXTRACT_IN_CODE},
    {"code that raises",
     "    raise ValueError('no shape')\nthrow new IOException(\"x\");", "",
     EXTRACT_IN_CODE},
    {"code that names one",
     "warnings.simplefilter('ignore', FutureWarning)\n"
     "if isinstance(e, KeyError): x()\npytest.raises(TypeError)\nerror: function(e) {\n"
     "error: err.message",
     "", EXTRACT_IN_CODE},
    {"raise in prose", "I raise ValueError('x'), and except KeyError: I do nothing.", "",
     EXTRACT_IN_PROSE},
    {"what is thrown, in prose", "It throws a ValueError and raises IndexError.",
     "ValueError|IndexError", EXTRACT_IN_PROSE},
    {"what was printed behind what raised it",
     "  File \"a.py\", line 3\n    raise ValueError('no %s' % x)\nValueError: no shape",
     "ValueError=no shape", EXTRACT_IN_CODE},
    {"numbers with which names are counted",
     "KeyError: 'layer_10_35_66'\nValueError: dense_2 is not conv2d_3_bias of v1_x2",
     "KeyError='layer_N_N_N'|ValueError=dense_N is not conv2d_N_bias of v1_x2",
     EXTRACT_IN_CODE},
    {"a type alone", "java.lang.NullPointerException\n  at a.b(C.java:3)",
     "NullPointerException", EXTRACT_IN_CODE},
    {"a notebook", "KeyError          Traceback (most recent call last)", "KeyError",
     EXTRACT_IN_CODE},
    {"a signal", "./run\nSegmentation fault (core dumped)", "Segmentation fault",
     EXTRACT_IN_CODE},
    {"a signal, by another name", "It ends with a segfault.", "Segmentation fault",
     EXTRACT_IN_PROSE},
    {"a state of a library",
     "E cuda_blas.cc:365] failed to create handle: CUBLAS_STATUS_NOT_INITIALIZED",
     "CUBLAS_STATUS_NOT_INITIALIZED", EXTRACT_IN_CODE},
    {"a state that is none", "if (s != CUBLAS_STATUS_SUCCESS) exit(1);", "",
     EXTRACT_IN_CODE},
    {"a log", "2019-01-02 03:04:05.6: E core/load.cc:37] Loading the graph stopped here",
     "error=Loading the graph stopped here", EXTRACT_IN_CODE},
    {"a log that warns of nothing",
     "2019-01-02: I core/load.cc:37] Loading the graph now", "", EXTRACT_IN_CODE},
    {"output that says that it failed", "$ run\nCould not find a version of x 3\nx = 1",
     "error=Could not find a version of x N", EXTRACT_IN_CODE},
    {"code that would say so", "print('Could not find it')\nInvalid = Unknown(x, y, z);",
     "", EXTRACT_IN_CODE},
    {"quoted in prose",
     "I get the error \"Session bundle not found\" and stop. The error is: no such "
     "op here.",
     "error=Session bundle not found", EXTRACT_IN_PROSE},
    {"in the next line",
     "I get the following error message:\n\nexpected float32 got "
     "base64. Why?",
     "error=expected float32 got base64", EXTRACT_IN_PROSE},
    {"a server's answer", "{\n \"error\": \"Tensor x:0 was not found in the Graph\"\n}",
     "error=Tensor x:N was not found in the Graph", EXTRACT_IN_CODE},
    {"a number of the error",
     "Error 500: Could not load model\nsrc/a.ts(3,4): error TS2345: "
     "no such type",
     "error=Could not load model|error=no such type", EXTRACT_IN_CODE},
    {"a number of rustc",
     "error[E0382]: borrow of moved value: `x`\n  --> src/main.rs:3:5\nerror[0] = "
     "errors[i]; error[1]: x",
     "error=borrow of moved value: `x", EXTRACT_IN_CODE},
    {"a type behind the word", "I get an error: ValueError: no shape",
     "ValueError=no shape", EXTRACT_IN_PROSE},
    {"AWS", "An error occurred (Throttling) when calling it: Rate exceeded",
     "Throttling=when calling it: Rate exceeded", EXTRACT_IN_CODE},
    {"gRPC",
     "face.AbortionError: AbortionError(code=StatusCode.UNAVAILABLE, x)\n"
     "grpc._channel._Rendezvous: <_Rendezvous of RPC>",
     "AbortionError=AbortionError(code=StatusCode.UNAVAILABLE, x)|"
     "_Rendezvous=<_Rendezvous of RPC>",
     EXTRACT_IN_CODE},
    {"a sentence among output",
     "Create Version failed. The model must have one graph\n"
     "# This must not be called here\nx = Foo(not y)",
     "error=Create Version failed. The model must have one graph", EXTRACT_IN_CODE},
    {"quoted before the word", "I receive a 'x.h file not found' error.",
     "error=x.h file not found", EXTRACT_IN_PROSE},
    {"the next line is prose", "I get the following error:\n\nI do not know why.", "",
     EXTRACT_IN_PROSE},
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
        extract_errors(str_from(errors[i].text), EXTRACT_ANYWHERE, &scratch, add_error,
                       &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, errors[i].errors);
    }
    for (size_t i = 0; i < ROWS(placed); i++) {
        tap_case("error in its place: %s", placed[i].name);
        buf_clear(&out);
        extract_errors(str_from(placed[i].text), placed[i].place, &scratch, add_error,
                       &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, placed[i].errors);
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
    /* In time that grows with the line: it took hours when every quote was followed to
     * the end of the line. */
    static const char *const units[] = {"message:'", "error: \"", "error: no Error: a"};
    for (size_t i = 0; i < ROWS(units); i++) {
        struct buf line = {0};
        tap_case("a line of a megabyte: %s", units[i]);
        while (line.len < 1000 * 1000)
            buf_add(&line, str_from(units[i]));
        clock_t begin = clock();
        extract_errors(buf_str(&line), EXTRACT_IN_PROSE, &scratch, add_error, &out);
        extract_errors(buf_str(&line), EXTRACT_IN_CODE, &scratch, add_error, &out);
        CHECK(clock() - begin < 30 * CLOCKS_PER_SEC);
        buf_free(&line);
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
