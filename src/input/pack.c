/* Three stages: threads of input_ahead unpack, the calling thread cuts frames and writes
 * them in order, and threads of our own compress. */
#include "input/input.h"

#include <pthread.h>
#include <string.h>
#include <zstd.h>

#include "base/file.h"
#include "base/stop.h"
#include "input/internal.h"

enum {
    FRAME_BYTES_MAX = 64 * 1024 * 1024, /* without a line's end it is cut all the same */
    FRAMES_MAX = 0x8000000,             /* of a seek table */
};

static const struct {
    const char *name;
    int64_t frame_bytes;
} kinds[] = {
    [INPUT_PACK_ZSTD] = {"zstd", 4 << 20},
    [INPUT_PACK_LZ4] = {"lz4", 1 << 20},
};

enum frame_state { FRAME_FREE, FRAME_FULL, FRAME_BUSY, FRAME_DONE };

struct pack_frame {
    enum frame_state state; /* under the mutex */
    struct buf raw, packed;
    uint64_t sum; /* of the packed bytes, of lz4 */
    const char *error;
};

struct pack {
    const struct input_pack_options *options;
    struct input_pack_result *result;
    int64_t frame_bytes;
    struct pack_frame *frames; /* a ring; begun is filled, written is freed */
    size_t window;
    int64_t begun, written;
    struct file_out *out;
    struct buf table;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stop; /* under the mutex */
};

static void compress_zstd(struct pack_frame *frame, ZSTD_CCtx *context)
{
    size_t room = ZSTD_compressBound(frame->raw.len);
    char *to = buf_reserve(&frame->packed, room);
    size_t len = ZSTD_compress2(context, to, room, frame->raw.ptr, frame->raw.len);
    frame->error = ZSTD_isError(len) ? ZSTD_getErrorName(len) : NULL;
    if (frame->error == NULL)
        frame->packed.len = len;
}

/* NULL for lz4, which needs none. */
static ZSTD_CCtx *new_context(const struct pack *pack)
{
    if (pack->options->kind == INPUT_PACK_LZ4)
        return NULL;
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL)
        arena_exhausted();
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel,
                           pack->options->level != 0 ? pack->options->level : 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    return context;
}

/* The first frame that waits to be compressed; the mutex is held. */
static struct pack_frame *find_full(struct pack *pack)
{
    for (int64_t i = pack->written; i < pack->begun; i++) {
        struct pack_frame *frame = &pack->frames[(size_t)i % pack->window];
        if (frame->state == FRAME_FULL)
            return frame;
    }
    return NULL;
}

static void *run(void *argument)
{
    struct pack *pack = argument;
    ZSTD_CCtx *context = new_context(pack);

    pthread_mutex_lock(&pack->mutex);
    for (;;) {
        struct pack_frame *frame = NULL;
        while (!pack->stop && (frame = find_full(pack)) == NULL)
            pthread_cond_wait(&pack->changed, &pack->mutex);
        if (pack->stop)
            break;
        frame->state = FRAME_BUSY;
        pthread_mutex_unlock(&pack->mutex);
        buf_clear(&frame->packed);
        if (pack->options->kind == INPUT_PACK_LZ4)
            frame->error = input_lz4_compress(buf_str(&frame->raw), pack->options->level,
                                              &frame->packed, &frame->sum);
        else
            compress_zstd(frame, context);
        pthread_mutex_lock(&pack->mutex);
        frame->state = FRAME_DONE;
        pthread_cond_broadcast(&pack->changed);
    }
    pthread_mutex_unlock(&pack->mutex);
    if (context != NULL)
        ZSTD_freeCCtx(context);
    return NULL;
}

static void add_little(struct buf *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        buf_add_char(out, (char)(value >> 8 * i));
}

static bool write_bytes(struct pack *pack, struct str bytes, struct err *err)
{
    pack->result->packed += (int64_t)bytes.len;
    return file_out_write(pack->out, bytes, err);
}

/* Writes the oldest frame, waiting for it. */
static bool write_one(struct pack *pack, struct err *err)
{
    struct pack_frame *frame = &pack->frames[(size_t)pack->written % pack->window];

    pthread_mutex_lock(&pack->mutex);
    while (frame->state != FRAME_DONE)
        pthread_cond_wait(&pack->changed, &pack->mutex);
    pthread_mutex_unlock(&pack->mutex);
    if (frame->error != NULL)
        return err_set(err, ERR_SYSTEM, "%s cannot compress: %s",
                       kinds[pack->options->kind].name, frame->error);
    if (!write_bytes(pack, buf_str(&frame->packed), err))
        return false;
    if (pack->options->kind == INPUT_PACK_LZ4) {
        input_lz4_add_entry(&pack->table, frame->packed.len, frame->raw.len, frame->sum);
    } else {
        add_little(&pack->table, (uint32_t)frame->packed.len);
        add_little(&pack->table, (uint32_t)frame->raw.len);
    }
    pack->result->frames++;
    if (pack->options->progress != NULL)
        progress_add(pack->options->progress, (int64_t)frame->raw.len, 0);
    buf_clear(&frame->raw);
    pthread_mutex_lock(&pack->mutex);
    frame->state = FRAME_FREE;
    pack->written++;
    pthread_mutex_unlock(&pack->mutex);
    return true;
}

/* Hands the frame that is being filled to the compressors, but for its last `rest` bytes,
 * which begin the next one. */
static bool submit(struct pack *pack, size_t rest, struct err *err)
{
    struct pack_frame *frame = &pack->frames[(size_t)pack->begun % pack->window];
    struct pack_frame *next = &pack->frames[(size_t)(pack->begun + 1) % pack->window];

    if (pack->begun + 1 >= FRAMES_MAX)
        return err_set(err, ERR_INPUT,
                       "has more frames than the table of a pack can hold");
    if (pack->begun + 1 == pack->written + (int64_t)pack->window && !write_one(pack, err))
        return false;
    frame->raw.len -= rest;
    buf_clear(&next->raw);
    if (rest > 0)
        buf_add(&next->raw, (struct str){frame->raw.ptr + frame->raw.len, rest});
    pthread_mutex_lock(&pack->mutex);
    frame->state = FRAME_FULL;
    pack->begun++;
    pthread_cond_broadcast(&pack->changed);
    pthread_mutex_unlock(&pack->mutex);
    return stop_check(err);
}

/* How many bytes stand behind the last line's end; all of them when there is none. */
static size_t behind_line(struct str bytes)
{
    size_t rest = 0;

    while (rest < bytes.len && bytes.ptr[bytes.len - 1 - rest] != '\n')
        rest++;
    return rest;
}

static bool take(struct pack *pack, struct str bytes, struct err *err)
{
    while (bytes.len > 0) {
        struct pack_frame *frame = &pack->frames[(size_t)pack->begun % pack->window];
        size_t want = (size_t)pack->frame_bytes, have = frame->raw.len;
        /* Up to the size of a frame, then, if there is no line's end in it, on and on. */
        size_t some = have < want ? want - have : want;
        struct str piece = str_slice(bytes, 0, some);
        bytes = str_slice(bytes, piece.len, bytes.len);
        buf_add(&frame->raw, piece);
        pack->result->bytes += (int64_t)piece.len;
        if (frame->raw.len < want)
            break;
        size_t rest = behind_line(buf_str(&frame->raw));
        if (rest == frame->raw.len && rest < FRAME_BYTES_MAX)
            continue;
        if (!submit(pack, rest == frame->raw.len ? 0 : rest, err))
            return false;
    }
    return true;
}

/* The table of zstd: its contrib/seekable_format. */
static void end_zstd(struct pack *pack, struct buf *out)
{
    add_little(&pack->table, (uint32_t)pack->result->frames);
    buf_add_char(&pack->table, 0); /* no checksums here: the frames have their own */
    add_little(&pack->table, 0x8F92EAB1U);
    add_little(out, 0x184D2A5EU);
    add_little(out, (uint32_t)pack->table.len);
    buf_add(out, buf_str(&pack->table));
}

/* The last frame, the table, and the file is whole. */
static bool finish(struct pack *pack, struct err *err)
{
    struct buf end = {0};
    struct pack_frame *frame = &pack->frames[(size_t)pack->begun % pack->window];

    if ((frame->raw.len > 0 || pack->begun == 0) && !submit(pack, 0, err))
        return false;
    while (pack->written < pack->begun)
        if (!write_one(pack, err))
            return false;
    if (pack->options->kind == INPUT_PACK_LZ4)
        input_lz4_end_index(&pack->table, &end);
    else
        end_zstd(pack, &end);
    bool ok = write_bytes(pack, buf_str(&end), err);
    buf_free(&end);
    return ok;
}

static bool read_all(struct pack *pack, struct input_stream *stream, struct err *err)
{
    struct input_ahead *ahead;
    struct str bytes;
    bool ok;

    if (pack->options->kind == INPUT_PACK_LZ4 &&
        !write_bytes(pack, input_lz4_begin(), err))
        return false;
    if (!input_ahead_open(stream, pack->options->threads, &ahead, err))
        return false;
    do {
        ok = input_ahead_read(ahead, &bytes, err) && take(pack, bytes, err);
        if (pack->options->progress != NULL)
            pack->options->progress->bytes_all = input_stream_size(stream);
    } while (ok && bytes.len > 0);
    input_ahead_close(ahead);
    return ok && input_stream_finish(stream, err) && finish(pack, err);
}

/* With the compressors running. */
static bool run_all(struct pack *pack, struct input_stream *stream, struct arena *arena,
                    struct err *err)
{
    int count = pack->options->threads < 1 ? 1 : pack->options->threads;
    pthread_t *threads = arena_array(arena, pthread_t, (size_t)count);
    int started = 0, failure = 0;

    while (started < count && failure == 0) {
        failure = pthread_create(&threads[started], NULL, run, pack);
        started += failure == 0;
    }
    bool ok = started > 0 ? read_all(pack, stream, err)
                          : err_set(err, ERR_SYSTEM, "cannot start a thread: %s",
                                    strerror(failure));
    pthread_mutex_lock(&pack->mutex);
    pack->stop = true;
    pthread_cond_broadcast(&pack->changed);
    pthread_mutex_unlock(&pack->mutex);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return ok;
}

bool input_pack_member(struct input *input, size_t member, const char *path,
                       const struct input_pack_options *options,
                       struct input_pack_result *result, struct err *err)
{
    struct arena arena = {0};
    struct input_stream_options stream_options = {0};
    struct input_stream *stream = NULL;
    struct pack pack = {.options = options, .result = result};
    bool ok = false;

    *result = (struct input_pack_result){0};
    pack.frame_bytes = options->frame_bytes > 0 ? options->frame_bytes
                                                : kinds[options->kind].frame_bytes;
    pack.window = (size_t)(options->threads < 1 ? 1 : options->threads) * 2 + 1;
    pack.frames = arena_array(&arena, struct pack_frame, pack.window);
    pthread_mutex_init(&pack.mutex, NULL);
    pthread_cond_init(&pack.changed, NULL);
    if (!input_stream_open(input, member, &stream_options, &stream, err) ||
        !file_out_open(path, &pack.out, err))
        goto done;
    ok = run_all(&pack, stream, &arena, err);
    if (ok) {
        ok = file_out_commit(pack.out, err);
        pack.out = NULL;
    }
done:
    file_out_discard(pack.out);
    input_stream_close(stream);
    for (size_t i = 0; i < pack.window; i++) {
        buf_free(&pack.frames[i].raw);
        buf_free(&pack.frames[i].packed);
    }
    buf_free(&pack.table);
    pthread_cond_destroy(&pack.changed);
    pthread_mutex_destroy(&pack.mutex);
    arena_free(&arena);
    return ok;
}
