/* What programs said when they failed, as people paste it: the errors that a text names,
 * with their messages in a form that is the same for everybody, and the frames of stack
 * traces. */
#ifndef EXTRACT_ERRORS_H
#define EXTRACT_ERRORS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum { EXTRACT_MESSAGE_MAX = 160 }; /* bytes of a message that count */

struct extract_error {
    struct str type; /* "ValueError", without its module; "error" of a compiler's line */
    struct str message; /* see extract_message(); empty: it is only named */
    size_t begin;       /* where its type stands in the text */
};

/* Lasts during the call. */
typedef void extract_take_error(void *context, const struct extract_error *error);

/* Where a text stands, which says what counts. */
enum extract_place {
    EXTRACT_ANYWHERE, /* all that names an error, for those who search */
    EXTRACT_IN_PROSE, /* and what people quote as one, with or without a type */
    EXTRACT_IN_CODE,  /* what was printed; code that raises and catches errors is none */
};

/* Names that end in Error, Exception or Warning and go on before that, and lines of
 * compilers as "file.c:3:5: fatal error: no such file"; in prose and code also signals
 * (Segmentation fault), states of libraries (CUBLAS_STATUS_ALLOC_FAILED), and lines that
 * say that something failed. `scratch` holds the messages. */
void extract_errors(struct str text, enum extract_place place, struct buf *scratch,
                    extract_take_error *take, void *context);

/* Adds a message without what differs from machine to machine and run to run: a number
 * is N (hexadecimal ones and those with a point too), a path of two folders or more is
 * PATH, blanks are one blank; cut behind EXTRACT_MESSAGE_MAX bytes, at a word. */
void extract_message(struct str text, struct buf *out);

/* A frame of a stack trace: of Python, of the JVM, of JavaScript, of gdb. */
struct extract_frame {
    struct str file;     /* without folders; may be empty */
    struct str function; /* as the trace has it */
};

typedef void extract_take_frame(void *context, const struct extract_frame *frame);
void extract_frames(struct str text, extract_take_frame *take, void *context);

/* Code without stack traces: a trace quotes what ran, in files of anybody, and is not what
 * somebody wrote for others to read. Frames go, with the source that Python and IPython
 * print for each. */
struct str extract_without_traces(struct str code, struct arena *arena);

/* Adds a text in Markdown or plain, with what a program printed put between fences where
 * it has none: stack traces, and lines that begin with an error and its message, or with
 * a compiler's place and "error:". What is between fences already stays as it is. */
void extract_fence(struct str text, struct buf *out);

#endif
