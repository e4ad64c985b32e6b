/* Writing goes through PATH.part, fsync and rename, so that no half-written file is ever
 * taken for a whole one, whatever ends the program. */
#define _DEFAULT_SOURCE /* madvise() */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { READ_FIRST_BYTES = 16 * 1024, WRITE_BYTES_MAX = 1 << 30 };

static bool refuse(struct err *err, const char *verb, const char *path)
{
    return err_set(err, ERR_SYSTEM, "cannot %s %s: %s", verb, path, strerror(errno));
}

static bool holds(struct str bytes, struct str part)
{
    size_t at = 0;

    while (at + part.len <= bytes.len && memcmp(bytes.ptr + at, part.ptr, part.len) != 0)
        at++;
    return at + part.len <= bytes.len;
}

/* Names of a zip's members stand in it as they are. */
const char *file_no_text(struct str bytes)
{
    if (str_starts(bytes, STR("\xD0\xCF\x11\xE0")))
        return "an old Excel workbook (.xls); save its sheet as csv";
    if (str_starts(bytes, STR("PAR1")))
        return "Parquet, which is not read; save its rows as csv";
    if (bytes.len > 1 && bytes.ptr[0] == '\x80' && bytes.ptr[1] > 1 && bytes.ptr[1] < 6)
        return "a pickle of Python, which is not read; save what is in it as csv or, an "
               "array, by numpy.save()";
    if (!str_starts(bytes, STR("PK\3\4")))
        return NULL;
    if (holds(bytes, STR("xl/workbook.")))
        return "an Excel workbook (.xlsx); save its sheet as csv";
    if (holds(bytes, STR(".npy")))
        return "an archive of NumPy (.npz); save one of its arrays by numpy.save()";
    return holds(bytes, STR("opendocument.spreadsheet"))
               ? "a spreadsheet (.ods); save its sheet as csv"
               : "a zip archive";
}

bool file_read_max(const char *path, size_t size_max, struct arena *arena,
                   struct str *out, struct err *err)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = READ_FIRST_BYTES, len = 0, got;
    struct stat about;
    bool ok = false;

    if (file == NULL)
        return refuse(err, "read", path);
    /* One byte more shows that the file ends there. */
    if (fstat(fileno(file), &about) == 0 && about.st_size >= READ_FIRST_BYTES &&
        (uintmax_t)about.st_size < size_max)
        capacity = (size_t)about.st_size + 1;
    char *bytes = arena_array(arena, char, capacity);
    while (len <= size_max && (got = fread(bytes + len, 1, capacity - len, file)) > 0) {
        len += got;
        if (len == capacity) {
            char *larger = arena_array(arena, char, capacity *= 2);
            bytes = memcpy(larger, bytes, len);
        }
    }
    if (ferror(file)) {
        refuse(err, "read", path);
        goto done;
    }
    if (len > size_max) {
        err_set(err, ERR_INPUT, "%s: expected at most %zu bytes, found more", path,
                size_max);
        goto done;
    }
    *out = (struct str){bytes, len};
    ok = true;
done:
    fclose(file);
    return ok;
}

bool file_read(const char *path, struct arena *arena, struct str *out, struct err *err)
{
    return file_read_max(path, SIZE_MAX, arena, out, err);
}

bool file_hash(const char *path, uint64_t *out, struct err *err)
{
    enum { AT_ONCE = 256 << 10 };
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got;

    if (file < 0)
        return refuse(err, "read", path);
    XXH3_state_t *state = XXH3_createState();
    char *bytes = malloc(AT_ONCE);
    if (state == NULL || bytes == NULL)
        arena_exhausted();
    XXH3_64bits_reset(state);
    do {
        got = read(file, bytes, AT_ONCE);
        if (got > 0)
            XXH3_64bits_update(state, bytes, (size_t)got);
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (got < 0)
        refuse(err, "read", path);
    *out = XXH3_64bits_digest(state);
    close(file);
    free(bytes);
    XXH3_freeState(state);
    return got == 0;
}

bool file_map(const char *path, struct str *out, struct err *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    void *bytes = NULL;

    *out = (struct str){0};
    bool ok = file >= 0 && fstat(file, &about) == 0;
    if (ok && about.st_size > 0)
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    ok = ok && bytes != MAP_FAILED;
    if (!ok)
        refuse(err, "read", path);
    else
        *out = (struct str){bytes, (size_t)about.st_size};
    if (file >= 0)
        close(file);
    return ok;
}

void file_unmap(struct str bytes)
{
    if (bytes.len > 0)
        munmap((void *)(uintptr_t)bytes.ptr, bytes.len);
}

void file_map_relax(struct str bytes)
{
    if (bytes.len > 0)
        madvise((void *)(uintptr_t)bytes.ptr, bytes.len, MADV_DONTNEED);
}

struct file_out {
    struct arena arena;
    const char *path;
    const char *part;
    int descriptor; /* -1: finished */
    int64_t size;
    XXH3_state_t *hash;
    struct file_out *next; /* among those that are open */
};

/* All that have a partial file on the disk. */
static struct file_out *open_files;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

static void remove_parts(void)
{
    pthread_mutex_lock(&open_lock);
    for (const struct file_out *file = open_files; file != NULL; file = file->next)
        unlink(file->part);
    pthread_mutex_unlock(&open_lock);
}

static void list_add(struct file_out *file)
{
    arena_at_exhaustion(remove_parts);
    pthread_mutex_lock(&open_lock);
    file->next = open_files;
    open_files = file;
    pthread_mutex_unlock(&open_lock);
}

static void list_remove(const struct file_out *file)
{
    pthread_mutex_lock(&open_lock);
    struct file_out **at = &open_files;
    while (*at != file)
        at = &(*at)->next;
    *at = file->next;
    pthread_mutex_unlock(&open_lock);
}

bool file_out_open(const char *path, struct file_out **out, struct err *err)
{
    struct arena arena = {0};
    size_t len = strlen(path);
    char *part = arena_array(&arena, char, len + sizeof ".part");

    memcpy(part, path, len);
    memcpy(part + len, ".part", sizeof ".part");
    int descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        refuse(err, "write", path);
        arena_free(&arena);
        return false;
    }
    struct file_out *file = arena_array(&arena, struct file_out, 1);
    file->path = arena_c_string(&arena, str_from(path));
    file->part = part;
    file->descriptor = descriptor;
    file->hash = XXH3_createState();
    if (file->hash == NULL)
        arena_exhausted();
    XXH3_64bits_reset(file->hash);
    file->arena = arena;
    list_add(file);
    *out = file;
    return true;
}

bool file_out_write(struct file_out *out, struct str bytes, struct err *err)
{
    XXH3_64bits_update(out->hash, bytes.ptr, bytes.len);
    out->size += (int64_t)bytes.len;
    while (bytes.len > 0) {
        size_t some = bytes.len < WRITE_BYTES_MAX ? bytes.len : WRITE_BYTES_MAX;
        ssize_t done = write(out->descriptor, bytes.ptr, some);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return refuse(err, "write", out->path);
        bytes = str_slice(bytes, (size_t)done, bytes.len);
    }
    return true;
}

int64_t file_out_size(const struct file_out *out)
{
    return out->size;
}

uint64_t file_out_hash(const struct file_out *out)
{
    return XXH3_64bits_digest(out->hash);
}

static void release(struct file_out *out)
{
    struct arena arena = out->arena; /* it holds *out itself */

    list_remove(out);
    XXH3_freeState(out->hash);
    arena_free(&arena);
}

/* The new name itself must survive a power cut; a file system that cannot sync a folder
 * is no reason to fail. */
static void sync_folder_of(const char *path)
{
    struct arena arena = {0};
    const char *slash = strrchr(path, '/');
    const char *folder = ".";

    if (slash == path)
        folder = "/";
    else if (slash != NULL)
        folder = arena_c_string(&arena, (struct str){path, (size_t)(slash - path)});
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    arena_free(&arena);
}

bool file_out_finish(struct file_out *out, struct err *err)
{
    if (out->descriptor < 0)
        return true;
    bool ok = fsync(out->descriptor) == 0 || errno == EINVAL; /* a pipe cannot sync */
    int why = errno;
    if (close(out->descriptor) != 0 && ok) {
        ok = false;
        why = errno;
    }
    out->descriptor = -1;
    errno = why;
    return ok || refuse(err, "write", out->path);
}

/* Gives the file its name, if all went well so far. */
static bool give_name(struct file_out *out, bool ok, bool sync, struct err *err)
{
    if (ok && rename(out->part, out->path) != 0)
        ok = refuse(err, "write", out->path);
    if (ok && sync)
        sync_folder_of(out->path);
    if (!ok)
        unlink(out->part);
    release(out);
    return ok;
}

bool file_out_commit(struct file_out *out, struct err *err)
{
    bool ok = file_out_finish(out, err);

    return give_name(out, ok, true, err);
}

void file_out_discard(struct file_out *out)
{
    if (out == NULL)
        return;
    if (out->descriptor >= 0)
        close(out->descriptor);
    unlink(out->part);
    release(out);
}

bool file_write_checked(const char *path, struct str bytes, struct err *err)
{
    struct file_out *out;

    if (!file_out_open(path, &out, err))
        return false;
    bool ok = file_out_write(out, bytes, err);
    int descriptor = out->descriptor;
    out->descriptor = -1;
    if (close(descriptor) != 0 && ok)
        ok = refuse(err, "write", out->path);
    return give_name(out, ok, false, err);
}

static bool write_whole(const char *path, struct str bytes, bool private, struct err *err)
{
    struct file_out *out;

    if (!file_out_open(path, &out, err))
        return false;
    if ((!private || fchmod(out->descriptor, S_IRUSR | S_IWUSR) == 0 ||
         refuse(err, "write", path)) &&
        file_out_write(out, bytes, err))
        return file_out_commit(out, err);
    file_out_discard(out);
    return false;
}

bool file_write(const char *path, struct str bytes, struct err *err)
{
    return write_whole(path, bytes, false, err);
}

bool file_append(const char *path, struct str bytes, struct err *err)
{
    bool there = file_exists(path);
    int descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

    if (descriptor < 0)
        return refuse(err, "write", path);
    off_t before = lseek(descriptor, 0, SEEK_END);
    size_t done = 0;
    bool ok = before >= 0;
    while (ok && done < bytes.len) {
        ssize_t wrote = write(descriptor, bytes.ptr + done, bytes.len - done);
        ok = wrote > 0 || (wrote < 0 && errno == EINTR);
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    ok = ok && fsync(descriptor) == 0;
    if (!ok) {
        int why = errno;
        if (before >= 0 && ftruncate(descriptor, before) != 0)
            why = errno;
        errno = why;
        refuse(err, "write", path);
    }
    close(descriptor);
    if (ok && !there)
        sync_folder_of(path);
    return ok;
}

bool file_write_private(const char *path, struct str bytes, struct err *err)
{
    return write_whole(path, bytes, true, err);
}

void file_keep_private(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);

    if (descriptor < 0)
        return;
    (void)fchmod(descriptor, S_IRUSR | S_IWUSR);
    close(descriptor);
}

uint64_t file_stamp(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return 0;
    int64_t parts[] = {(int64_t)status.st_dev, (int64_t)status.st_ino,
                       (int64_t)status.st_size, (int64_t)status.st_mtim.tv_sec,
                       (int64_t)status.st_mtim.tv_nsec};
    return XXH3_64bits(parts, sizeof parts);
}

uint64_t file_number(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0 || status.st_nlink != 1)
        return 0;
    int64_t parts[] = {(int64_t)status.st_dev, (int64_t)status.st_ino};
    return XXH3_64bits(parts, sizeof parts);
}

bool file_is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool file_make_folder(const char *path, struct arena *arena, const char **made,
                      struct err *err)
{
    char *prefix = arena_c_string(arena, str_from(path));

    *made = NULL;
    for (char *end = prefix + (prefix[0] != '\0');; end++) {
        if (*end != '/' && *end != '\0')
            continue;
        char kept = *end;
        *end = '\0';
        if (mkdir(prefix, 0777) == 0) {
            if (*made == NULL)
                *made = arena_c_string(arena, str_from(prefix));
        } else {
            int why = errno; /* file_is_folder() may change it */
            if (!file_is_folder(prefix)) {
                errno = why == EEXIST ? ENOTDIR : why;
                return refuse(err, "make folder", prefix);
            }
        }
        *end = kept;
        if (kept == '\0')
            return true;
    }
}

void file_remove_folders(const char *path, const char *made)
{
    struct arena arena = {0};
    char *prefix = arena_c_string(&arena, str_from(path));
    size_t len = strlen(prefix), shortest = strlen(made);

    while (len > 1 && prefix[len - 1] == '/')
        prefix[--len] = '\0';
    while (len >= shortest && rmdir(prefix) == 0) {
        while (len > 0 && prefix[len - 1] != '/')
            len--;
        while (len > 0 && prefix[len - 1] == '/')
            len--;
        prefix[len] = '\0';
    }
    arena_free(&arena);
}

void file_hold_standard(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            (void)open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

bool file_exists(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0;
}

int64_t file_size(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 ? (int64_t)status.st_size : -1;
}

void file_remove(const char *path)
{
    remove(path);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool file_list(const char *path, struct arena *arena, const char *const **names,
               size_t *count, struct err *err)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    const char **found = NULL;
    size_t room = 0;

    *count = 0;
    if (folder == NULL)
        return refuse(err, "read", path);
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        if (*count == room) {
            const char **larger = arena_array(arena, const char *, room = 2 * room + 16);
            if (*count > 0)
                memcpy(larger, found, *count * sizeof *found);
            found = larger;
        }
        found[(*count)++] = arena_c_string(arena, str_from(entry->d_name));
    }
    closedir(folder);
    if (*count > 0)
        qsort(found, *count, sizeof *found, by_name);
    *names = found;
    return true;
}

bool file_make_temporary(struct arena *arena, const char **path, struct err *err)
{
    const char *said = getenv("TMPDIR");
    const char *folder = said != NULL && *said != '\0' ? said : "/tmp";
    char *made =
        arena_c_string(arena, str_from(file_join(folder, "assay-XXXXXX", arena)));

    if (mkdtemp(made) == NULL)
        return err_set(err, ERR_SYSTEM, "cannot write to %s (TMPDIR): %s", folder,
                       strerror(errno));
    *path = made;
    return true;
}

static void remove_below(int parent, const char *name)
{
    int descriptor =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    const struct dirent *entry;

    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlinkat(descriptor, entry->d_name, 0) != 0)
            remove_below(descriptor, entry->d_name);
    closedir(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
}

void file_remove_temporary(const char *path)
{
    if (path != NULL)
        remove_below(AT_FDCWD, path);
}

bool file_link(const char *from, const char *to, struct arena *arena, struct err *err)
{
    char *parent = arena_c_string(arena, str_from(to));
    char *whole = realpath(from, NULL);
    const char *made;
    bool ok = whole != NULL || refuse(err, "read", from);

    *strrchr(parent, '/') = '\0';
    ok = ok && file_make_folder(parent, arena, &made, err) &&
         (symlink(whole, to) == 0 || refuse(err, "write", to));
    free(whole);
    return ok;
}

bool file_rename(const char *from, const char *to, struct err *err)
{
    if (rename(from, to) != 0)
        return refuse(err, "write", to);
    sync_folder_of(to);
    return true;
}

bool file_bundled(struct str *bundle, struct str *path, struct str *bytes)
{
    struct str line;
    int64_t len;

    if (bundle->len == 0)
        return false;
    str_cut(bundle, '\n', &line);
    str_cut(&line, ' ', path);
    if (!str_to_int(line, &len))
        return false;
    *bytes = str_slice(*bundle, 0, (size_t)len);
    *bundle = str_slice(*bundle, (size_t)len, bundle->len);
    return true;
}

const char *file_join(const char *folder, const char *name, struct arena *arena)
{
    size_t a = strlen(folder), b = strlen(name);
    char *path = arena_array(arena, char, a + 1 + b + 1);

    memcpy(path, folder, a);
    if (a > 0 && folder[a - 1] != '/')
        path[a++] = '/';
    memcpy(path + a, name, b);
    return path;
}
