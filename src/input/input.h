/* Sources of bytes: a file, plain or packed in any of the usual ways, an archive, a
 * folder, or standard input. What it is, is told by its first bytes, never by its name. A
 * source has members (one, unless it is an archive or a folder); a member is read as a
 * stream of parts, which several threads may take at once and unpack each on its own
 * where the format allows it. Parts are numbered in the order of their bytes, and their
 * borders depend on the source alone, never on the number of threads. */
#ifndef INPUT_INPUT_H
#define INPUT_INPUT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"

struct input;

struct input_member {
    struct str name;     /* as in the archive or folder; a file's own last name */
    const char *place;   /* for messages: "dump/site.7z/Posts.xml" */
    const char *path;    /* of the file that holds it */
    const char *format;  /* "plain", "7z LZMA2", ... */
    int64_t size;        /* bytes when unpacked; -1: not known before they are read */
    int64_t file_size;   /* of the file that holds it; -1: a pipe */
    int64_t modified_ms; /* when that file was last changed; 0: a pipe */
};

/* Opens path, or standard input when path is "-". ERR_SYSTEM when it cannot be read,
 * ERR_INPUT when it is empty or a broken archive. */
bool input_open(const char *path, struct input **out, struct err *err) MUST_USE;
void input_close(struct input *input); /* NULL is fine */

/* Puts what a pipe gives into a file without a name, in TMPDIR, unless it is packed or
 * begins as XML: dumps are read once, tables and saved json several times. */
bool input_keep(struct input *input, struct err *err) MUST_USE;

/* Members of an archive in its order, of a folder by name; those of archives in a folder
 * too. Folders within folders are left out. */
size_t input_count(const struct input *input);
const struct input_member *input_member(const struct input *input, size_t index);

/* One member being read. `start` bytes of it are left out at its beginning; where the
 * format allows it they are not even unpacked. Ended by input_stream_close(), before the
 * input is closed. A pipe can be read once. */
struct input_stream;

/* How far the hash of a file has come, to be gone on with later, by another process too,
 * as long as the file stays the same. All zeros: it is to begin. */
struct input_hashed {
    int64_t bytes;
    unsigned version; /* of the library whose state it is; another one begins anew */
    char state[576];
};

struct input_stream_options {
    int64_t start;
    bool hash;                         /* input_stream_hash() will be wanted */
    const struct input_hashed *hashed; /* what an earlier stream came to; NULL: none */
};

bool input_stream_open(struct input *input, size_t member,
                       const struct input_stream_options *options,
                       struct input_stream **out, struct err *err) MUST_USE;
void input_stream_close(struct input_stream *stream);       /* NULL is fine */
bool input_stream_plain(const struct input_stream *stream); /* nothing to unpack */
/* Whether input_part_map() is the better way for its parts: they are unpacked in place.
 */
bool input_stream_wholes(const struct input_stream *stream);

/* Unpacked bytes in the stream, measured or, while unknown, guessed from how much of the
 * file has made how much so far; 0 when there is nothing to guess from. */
int64_t input_stream_size(struct input_stream *stream);

struct input_part {
    int64_t number;
    bool again;       /* can be read again by input_part_again(), and may be long */
    int64_t from, to; /* private: where it lies in the file */
    int64_t size;     /* private: unpacked, -1 unknown */
    int64_t skip;     /* private: unpacked bytes before it that are not its own */
    bool cut_short;   /* private: more is packed there than its own bytes */
    size_t index;     /* private */
};

enum { INPUT_PART_BYTES = 1 << 20 }; /* the most a part holds that cannot be read again */

/* One thread's means to read parts of a stream. */
struct input_reader;
struct input_reader *input_reader_open(struct input_stream *stream);
void input_reader_close(struct input_reader *reader); /* NULL is fine */

/* Takes the next part, which is then this reader's; *more is false when there is none.
 * What is left of the reader's last part is given up. When it fails, part->number is -1
 * unless the failure is that part's own. */
bool input_part_next(struct input_reader *reader, struct input_part *part, bool *more,
                     struct err *err) MUST_USE;

/* The next bytes of the reader's part; *got is 0 at its end and never more than room. For
 * a part that cannot be read again, other threads wait until it has been read to its
 * end: ask for INPUT_PART_BYTES at once. */
bool input_part_read(struct input_reader *reader, char *to, size_t room, size_t *got,
                     struct err *err) MUST_USE;

/* All of the reader's part at once, where the system keeps it and without a copy, or, of
 * packs with a table of what is in them, unpacked into memory of the reader; false when
 * that cannot be had, as for everything else that is packed: then read it. At least
 * `behind` bytes that can be read follow. To be called before the part is read, and ended
 * by input_part_unmap(), which fails where reading would have failed: what was made of
 * the bytes is then worth nothing. */
bool input_part_map(struct input_reader *reader, size_t behind,
                    struct str *bytes) MUST_USE;
bool input_part_unmap(struct input_reader *reader, struct err *err) MUST_USE;

/* Begins a part that has `again` set once more, on this reader. */
bool input_part_again(struct input_reader *reader, const struct input_part *part,
                      struct err *err) MUST_USE;

/* To be called when all parts have been read: what only the whole can show, such as the
 * archive's checksum. */
bool input_stream_finish(struct input_stream *stream, struct err *err) MUST_USE;

/* XXH3-128 (canonical, high half first) of the file that holds the member, byte for byte
 * as it lies on the disk: what `xxhsum -H2` prints. Reads what of the file has not been
 * read yet. input_stream_hash_part() may be called for each part in order: then the work
 * is done bit by bit, while the file's bytes are still in the machine's memory. A single
 * thread that reads the parts one after the other may hand over their bytes before, those
 * of the part from byte `at` on: where they are the file's own, they need not be read
 * once more. */
bool input_stream_hash_part(struct input_stream *stream, const struct input_part *part,
                            struct err *err) MUST_USE;
bool input_stream_hash_bytes(struct input_stream *stream, const struct input_part *part,
                             int64_t at, struct str bytes, struct err *err) MUST_USE;
bool input_stream_hash(struct input_stream *stream, uint64_t hash[2],
                       struct err *err) MUST_USE;
void input_stream_hashed(const struct input_stream *stream, struct input_hashed *out);

/* The whole stream in order, unpacked ahead of the caller by `threads` threads. Does not
 * mix with the other ways to read. ERR_SYSTEM when no thread can be started. */
struct input_ahead;
bool input_ahead_open(struct input_stream *stream, int threads, struct input_ahead **out,
                      struct err *err) MUST_USE;
void input_ahead_close(struct input_ahead *ahead); /* NULL is fine */

/* The next bytes, which last until the next call; len is 0 at the end. */
bool input_ahead_read(struct input_ahead *ahead, struct str *bytes,
                      struct err *err) MUST_USE;

/* The whole stream in order on one thread; *got is 0 at its end. Does not mix with
 * input_part_next(). */
bool input_stream_read(struct input_stream *stream, char *to, size_t room, size_t *got,
                       struct err *err) MUST_USE;

/* Packs a member once into a form that every later reading is fast on: frames of a few
 * megabytes, each ending with a line where it can, and a table at the end that tells
 * where they are (for zstd that of its contrib/seekable_format). `zstd -d` or `lz4 -d`
 * unpacks it as any other. */

enum input_pack_kind {
    INPUT_PACK_ZSTD, /* the smaller one */
    INPUT_PACK_LZ4,  /* the one that is unpacked faster */
};

struct input_pack_options {
    enum input_pack_kind kind;
    int threads;
    int level;                 /* the library's; 0: the one that is best for reading */
    int64_t frame_bytes;       /* unpacked; 0: what is best for reading */
    struct progress *progress; /* NULL: none is shown */
};

struct input_pack_result {
    int64_t bytes;  /* unpacked */
    int64_t packed; /* the new file's */
    int64_t frames;
};

/* The file at path comes into being whole or not at all. The same member gives the same
 * bytes whatever the number of threads. */
bool input_pack_member(struct input *input, size_t member, const char *path,
                       const struct input_pack_options *options,
                       struct input_pack_result *result, struct err *err) MUST_USE;

#endif
