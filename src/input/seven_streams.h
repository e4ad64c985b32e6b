/* Where the members of a 7z archive lie and how they are packed. */
#ifndef INPUT_SEVEN_STREAMS_H
#define INPUT_SEVEN_STREAMS_H

#include "input/internal.h"
#include "input/seven_header.h"

struct seven_streams_folder {
    struct layout layout; /* from, to, method, props, folder_size, encrypted */
    size_t packed;        /* how many packed streams it takes */
    size_t streams;       /* how many members it holds */
    size_t outputs;       /* unpacked streams of all its coders */
    size_t main_output;   /* the one that is the folder's */
    bool has_crc;
    uint32_t crc;
};

struct seven_streams_stream {
    int64_t size;
    bool has_crc;
    uint32_t crc;
};

struct seven_streams {
    struct arena *arena;
    const char *name;
    int64_t packed_at; /* of the first packed stream */
    int64_t *packed;   /* sizes */
    size_t packed_count;
    struct seven_streams_folder *folders;
    size_t folder_count;
    struct seven_streams_stream *streams; /* of all folders, one after the other */
    size_t stream_count;
};

/* The streams that a header tells of; header->wrong says that it makes no sense. */
void seven_streams_take(struct seven_streams *seven, struct seven_header *header);

#endif
