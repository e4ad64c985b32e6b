/* What the files of input/ share only with each other. */
#ifndef INPUT_INTERNAL_H
#define INPUT_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <xxhash.h>

#include "base/arena.h"

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h> /* the same functions, three times as fast with AVX2 */
#endif
#endif

#include "base/buf.h"
#include "base/list.h"
#include "base/window.h"
#include "input/input.h"

/* The bytes of a file as they are, or of a pipe. */
struct input_raw {
    const char *name; /* for messages */
    int descriptor;   /* -1: none */
    bool owned;       /* to be closed */
    bool seekable;
    int64_t size; /* -1: a pipe */
    int64_t modified_ms;
    int64_t at;         /* where input_raw_read() goes on */
    struct buf ahead;   /* of a pipe: bytes looked at and not yet read */
    XXH3_state_t *hash; /* of a pipe: takes every byte read; NULL: not wanted */
    /* Of an archive that was cut into files: those behind the first, which together are
     * read as one. */
    struct input_raw *volumes;
    size_t volume_count;
    /* Of a tar: it can only be unpacked from its beginning, so who reads a member leaves
     * behind how far he came, for the next one. */
    struct archive_source *reached;
};

bool input_raw_open(struct input_raw *raw, const char *path, struct arena *arena,
                    struct err *err) MUST_USE;

/* Whether a file has another size or date than when it was opened. */
bool input_raw_changed(const struct input_raw *raw);
void input_raw_close(struct input_raw *raw);
/* FILE.7z.002 and so on, as far as they are there, behind FILE.7z.001. */
bool input_raw_add_volumes(struct input_raw *raw, struct arena *arena,
                           struct err *err) MUST_USE;
/* The first bytes, without taking them; fewer when there are fewer. */
bool input_raw_peek(struct input_raw *raw, char *to, size_t len, size_t *got,
                    struct err *err) MUST_USE;
/* The next bytes; *got is 0 at the end. */
bool input_raw_read(struct input_raw *raw, char *to, size_t room, size_t *got,
                    struct err *err) MUST_USE;
/* Makes a file of a pipe: its bytes go to one without a name in $TMPDIR or /tmp, which is
 * gone when it is closed. */
bool input_raw_spool(struct input_raw *raw, struct arena *arena,
                     struct err *err) MUST_USE;
/* Of a seekable one: `len` bytes from offset on; fewer only at the end. Any thread. */
bool input_raw_read_at(const struct input_raw *raw, int64_t offset, char *to, size_t len,
                       size_t *got, struct err *err) MUST_USE;

/* A stretch of a seekable file or the whole of a pipe, read through a buffer: where the
 * decoders get their bytes from. */
struct input_feed {
    struct input_raw *raw;
    int64_t at, end; /* in the file; -1: a pipe */
    char *buffer;
    size_t len; /* bytes in it */
};

enum { INPUT_FEED_BYTES = 128 * 1024 };

/* A part of a plain file: large, for whoever merges parts has work with each. */
enum { INPUT_PLAIN_PART_BYTES = 4 << 20 };

/* All of the packed bytes of a stream's layout. */
struct input_feed input_feed_of(struct input_stream *stream);

/* More bytes into the buffer; len is 0 at the end. */
bool input_feed_fill(struct input_feed *feed, struct err *err) MUST_USE;

enum input_format {
    INPUT_PLAIN,
    INPUT_GZIP,
    INPUT_BZIP2,
    INPUT_XZ,
    INPUT_ZSTD,
    INPUT_LZ4,
    INPUT_SEVEN_ZIP,
    INPUT_ZIP,
    INPUT_TAR, /* plain, or packed by anything that libarchive unpacks */
};

/* How a member lies in its file. Decoders are told by it what to do. */
struct input_layout {
    enum input_format format;
    enum input_seven_method {
        INPUT_SEVEN_COPY,
        INPUT_SEVEN_LZMA,
        INPUT_SEVEN_LZMA2,
        INPUT_SEVEN_BZIP2,
        INPUT_SEVEN_DEFLATE64, /* of zips as well */
        INPUT_SEVEN_OTHER,     /* PPMd, Deflate, filters, ...: left to libarchive */
    } method;
    bool encrypted;
    int64_t from, to;       /* the packed bytes of the folder that holds it */
    int64_t skip;           /* unpacked bytes of the folder before it */
    int64_t size;           /* its own; -1 unknown */
    int64_t folder_size;    /* unpacked, all of it */
    unsigned char props[5]; /* of LZMA, LZMA2 */
    size_t props_len;
    bool has_crc;
    uint32_t crc; /* of its unpacked bytes */
    const char *format_name;
    size_t index; /* among the archive's members that are files */
};

struct input_codec;

struct input_part_sum {
    int64_t len;
    uint32_t crc;
    bool done;
};

struct input_stream {
    struct arena arena;
    struct input_raw *raw;
    const char *place;
    struct input_layout layout;
    const struct input_codec *codec;
    void *state; /* the codec's, in the arena */
    int64_t start;
    atomic_bool mapped; /* some part of it was */

    pthread_mutex_t mutex;
    /* Under the mutex: */
    int64_t parts;      /* taken so far */
    bool ended;         /* no more parts */
    int64_t skip, left; /* serial: bytes to leave out, then to give; -1: all */
    int64_t made, used; /* unpacked bytes so far, of so much of the file */
    LIST(struct input_part_sum) sums; /* by number */

    struct input_reader *own; /* of input_stream_read() */
    XXH3_state_t *hash;       /* NULL: not wanted */
    int64_t hashed;           /* bytes of the file */
};

struct input_reader {
    struct arena arena;
    struct input_stream *stream;
    void *state; /* the codec's */
    struct input_part part;
    bool holds_lock; /* serial: between taking a part and its end */
    bool at_end;     /* of the part */
    int64_t left;    /* bytes of the part to come; -1: unknown */
    int64_t skip;
    struct input_part_sum sum;
    struct input_feed feed;
    /* Between input_part_map() and input_part_unmap(): */
    struct window window;
    struct str whole; /* by the codec's part_whole() instead */
};

/* A way to unpack. A serial one has read(), which gives the stream's next bytes, always
 * called under the mutex. A parallel one gives out parts under the mutex and reads them
 * by readers. Both kinds give folder bytes: leaving out what is before and behind the
 * member is done by stream.c, unless a parallel codec does it in its parts' skip and
 * size. What opens, closes or finishes may be NULL: there is nothing to do. */
struct input_codec {
    bool (*open)(struct input_stream *stream, struct err *err);
    void (*close)(struct input_stream *stream);
    bool (*read)(struct input_stream *stream, char *to, size_t room, size_t *got,
                 struct err *err);

    bool (*next)(struct input_stream *stream, struct input_part *part, bool *more,
                 struct err *err);
    void (*reader_open)(struct input_reader *reader);
    void (*reader_close)(struct input_reader *reader);
    bool (*part_begin)(struct input_reader *reader, struct err *err);
    bool (*part_read)(struct input_reader *reader, char *to, size_t room, size_t *got,
                      struct err *err);
    /* All of a part in the reader's own memory, `behind` bytes more than that; false: to
     * be read as ever, which also tells what is wrong. Nothing of it is read yet. */
    bool (*part_whole)(struct input_reader *reader, size_t behind, struct str *bytes);
    bool (*finish)(struct input_stream *stream, struct err *err);
};

extern const struct input_codec codec_pipe, codec_plain, codec_gzip, codec_deflate64,
    codec_bzip2, codec_bzip2_parallel, codec_xz, codec_xz_parallel, codec_zstd,
    codec_zstd_parallel, codec_lz4, codec_lz4_parallel, codec_lzma, codec_lzma2_parallel,
    codec_archive;

/* Whether the file is of the kind that the parallel codec can take apart. */
bool input_xz_has_blocks(struct input_stream *stream);
bool input_zstd_has_frames(struct input_stream *stream);
bool input_lzma2_has_blocks(struct input_stream *stream);
bool input_lz4_is_pack(const struct input_stream *stream);

/* The pieces of a pack by lz4: what it begins with; a frame, with the sum of its bytes,
 * or why there is none; its entry of the index; and the index when it is complete. */
struct str input_lz4_begin(void);
const char *input_lz4_compress(struct str raw, int level, struct buf *out, uint64_t *sum);
void input_lz4_add_entry(struct buf *index, size_t packed, size_t raw, uint64_t sum);
void input_lz4_end_index(const struct buf *index, struct buf *out);

/* Dictionaries are at most 4 GB, and made by a file we do not know: 1.6 GB will do. */
#define INPUT_UNPACK_MEMORY_MAX (1600LL << 20)

/* Members of archives. */
struct input_member_packed {
    struct input_member shown;
    struct input_raw *raw;
    struct input_layout layout;
    const struct err *refusal; /* an archive in a folder that cannot be read; or NULL */
};

struct input_member_list {
    struct arena *arena;
    LIST(struct input_member_packed *) members;
};

struct input_member_packed *input_source(struct input *input, size_t index);
struct input_member_packed *input_members_add(struct input_member_list *list,
                                              struct input_raw *raw, struct str name);
bool input_seven_list(struct input_raw *raw, struct input_member_list *list,
                      struct err *err) MUST_USE;
bool input_archive_list(struct input_raw *raw, enum input_format format,
                        struct input_member_list *list, struct err *err) MUST_USE;

void input_archive_forget(struct input_raw *raw);

/* Finds members of a zip, all packed by Deflate64. */
bool input_zip_place(const struct input_raw *raw,
                     struct input_member_packed *const *members, size_t count,
                     struct err *err) MUST_USE;

/* "PLACE: TEXT", as ERR_INPUT. */
bool input_wrong(const struct input_stream *stream, struct err *err, const char *format,
                 ...) PRINTF_LIKE(3, 4);
/* What a status of liblzma means for data of this format. */
bool input_wrong_lzma(const struct input_stream *stream, struct err *err, int status,
                      const char *format);

/* The bytes of a 7z header, taken from the front (7-Zip's DOC/7zFormat.txt). What is
 * wrong is found out at the end: from then on nothing but zeros comes. */

enum input_seven_header_property {
    INPUT_SEVEN_HEADER_END = 0x00,
    INPUT_SEVEN_HEADER_HEADER = 0x01,
    INPUT_SEVEN_HEADER_ARCHIVE_PROPERTIES = 0x02,
    INPUT_SEVEN_HEADER_ADDITIONAL_STREAMS = 0x03,
    INPUT_SEVEN_HEADER_MAIN_STREAMS = 0x04,
    INPUT_SEVEN_HEADER_FILES = 0x05,
    INPUT_SEVEN_HEADER_PACK_INFO = 0x06,
    INPUT_SEVEN_HEADER_UNPACK_INFO = 0x07,
    INPUT_SEVEN_HEADER_SUBSTREAMS_INFO = 0x08,
    INPUT_SEVEN_HEADER_SIZE = 0x09,
    INPUT_SEVEN_HEADER_CRC = 0x0A,
    INPUT_SEVEN_HEADER_FOLDER = 0x0B,
    INPUT_SEVEN_HEADER_UNPACK_SIZES = 0x0C,
    INPUT_SEVEN_HEADER_COUNT = 0x0D,
    INPUT_SEVEN_HEADER_EMPTY_STREAM = 0x0E,
    INPUT_SEVEN_HEADER_EMPTY_FILE = 0x0F,
    INPUT_SEVEN_HEADER_ANTI = 0x10,
    INPUT_SEVEN_HEADER_NAMES = 0x11,
    INPUT_SEVEN_HEADER_ENCODED_HEADER = 0x17,
};

/* Once wrong, always wrong. */
struct input_seven_header {
    const unsigned char *at, *end;
    bool wrong;
};

size_t input_seven_header_left(const struct input_seven_header *header);

unsigned input_seven_header_byte(struct input_seven_header *header);
uint64_t input_seven_header_number(struct input_seven_header *header);
int64_t
input_seven_header_size(struct input_seven_header *header); /* a number of bytes */
uint32_t input_seven_header_crc(struct input_seven_header *header);

/* A number of things each of which takes at least one byte of the header, or, with
 * `extra`, of so many more. */
size_t input_seven_header_count(struct input_seven_header *header, size_t extra);

/* `count` bits; with `defined` they may be left out when all are set. */
bool *input_seven_header_bits(struct input_seven_header *header, size_t count,
                              struct arena *arena);
bool *input_seven_header_defined(struct input_seven_header *header, size_t count,
                                 struct arena *arena);

/* This property and no other comes next. */
void input_seven_header_expect(struct input_seven_header *header,
                               enum input_seven_header_property property);

/* Where the members of a 7z archive lie and how they are packed. */

struct input_seven_streams_folder {
    struct input_layout layout; /* from, to, method, props, folder_size, encrypted */
    size_t packed;              /* how many packed streams it takes */
    size_t streams;             /* how many members it holds */
    size_t outputs;             /* unpacked streams of all its coders */
    size_t main_output;         /* the one that is the folder's */
    bool has_crc;
    uint32_t crc;
};

struct input_seven_streams_stream {
    int64_t size;
    bool has_crc;
    uint32_t crc;
};

struct input_seven_streams {
    struct arena *arena;
    const char *name;
    int64_t packed_at; /* of the first packed stream */
    int64_t *packed;   /* sizes */
    size_t packed_count;
    struct input_seven_streams_folder *folders;
    size_t folder_count;
    struct input_seven_streams_stream *streams; /* of all folders, one after the other */
    size_t stream_count;
};

/* The streams that a header tells of; header->wrong says that it makes no sense. */
void input_seven_streams_take(struct input_seven_streams *seven,
                              struct input_seven_header *header);

#endif
