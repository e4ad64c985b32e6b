/* Files and folders: the only place besides input/ that touches the disk. Every failure
 * names the path and what the system said. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"
#include "base/err.h"

/* Reads all of path into arena. */
bool file_read(const char *path, struct arena *arena, struct str *out,
               struct err *err) MUST_USE;

/* What bytes are instead of text, and what to do about it: "an Excel workbook; save its
 * sheet as csv". NULL: nothing that is known here. */
const char *file_no_text(struct str bytes);

/* The same for a file that has no business to be larger: ERR_INPUT if it is. */
bool file_read_max(const char *path, size_t size_max, struct arena *arena,
                   struct str *out, struct err *err) MUST_USE;

/* XXH3's 64 bits of all of its bytes. */
bool file_hash(const char *path, uint64_t *out, struct err *err) MUST_USE;

/* The bytes of a file where the system keeps them, without a copy of ours; an empty file
 * is no bytes. Whoever shortens the file meanwhile ends this program. The caller hands
 * *out to file_unmap(). */
bool file_map(const char *path, struct str *out, struct err *err) MUST_USE;
void file_unmap(struct str bytes); /* no bytes are fine */

/* What was touched of them no longer counts as this program's memory until it is touched
 * again. */
void file_map_relax(struct str bytes);

/* A file that comes into being whole or not at all: bytes go to PATH.part, and only
 * file_out_commit() gives it its name. The partial file is gone when the program ends for
 * want of memory. */
struct file_out;

/* The caller hands *out to file_out_commit() or file_out_discard(). */
bool file_out_open(const char *path, struct file_out **out, struct err *err) MUST_USE;
bool file_out_write(struct file_out *out, struct str bytes, struct err *err) MUST_USE;

/* Of what has been written so far: its length and its XXH3 hash (64 bits). */
int64_t file_out_size(const struct file_out *out);
uint64_t file_out_hash(const struct file_out *out);

/* Everything on the disk (fsync), still as PATH.part. For several files that belong
 * together: what a full disk can refuse is over before the first gets its name. */
bool file_out_finish(struct file_out *out, struct err *err) MUST_USE;

/* Everything on the disk and under its name (rename). Frees *out also when it fails; then
 * the partial file is gone and an older file of that name still stands. */
bool file_out_commit(struct file_out *out, struct err *err) MUST_USE;
void file_out_discard(struct file_out *out); /* leaves nothing behind; NULL is fine */

/* The three steps at once. */
bool file_write(const char *path, struct str bytes, struct err *err) MUST_USE;

/* The same without waiting for the disk: after a power cut the file may be empty. For
 * many files whose content is checked against a hash before it is used. */
bool file_write_checked(const char *path, struct str bytes, struct err *err) MUST_USE;

/* Adds to the end of a file, which is made if need be, and waits for the disk. What
 * cannot be written whole is taken back. */
bool file_append(const char *path, struct str bytes, struct err *err) MUST_USE;

/* As file_write(), for nobody but the user who runs the program. */
bool file_write_private(const char *path, struct str bytes, struct err *err) MUST_USE;

/* The same of a file that is there or, where there is none, is made and is empty. What
 * the system does not allow is left as it is. */
void file_keep_private(const char *path);

/* Changes when another file takes the name or this one is written to; 0: there is none.
 */
uint64_t file_stamp(const char *path);

/* Which file it is, whatever it is called and holds: a copy is another. 0: there is none,
 * or it goes by several names. */
uint64_t file_number(const char *path);

/* Makes the folder and those above it. *made is the topmost folder that was new, or NULL
 * when all were there. */
bool file_make_folder(const char *path, struct arena *arena, const char **made,
                      struct err *err) MUST_USE;

/* Takes such folders away again, from path up to made, as far as they are empty. */
void file_remove_folders(const char *path, const char *made);

/* Takes those of the descriptors 0, 1 and 2 that were closed before the program began, so
 * that no file which it opens later gets what is meant for the user. To read or write
 * them fails as before. */
void file_hold_standard(void);

bool file_exists(const char *path);
bool file_is_folder(const char *path);
int64_t file_size(const char *path); /* -1 when there is no such file */
void file_remove(const char *path);  /* a file or an empty folder; silent if not there */

/* Another name for a file or folder; a folder takes the place of no other
 * that has anything in it. */
bool file_rename(const char *from, const char *to, struct err *err) MUST_USE;

/* The names in a folder that do not begin with a dot, sorted by their bytes. */
bool file_list(const char *path, struct arena *arena, const char *const **names,
               size_t *count, struct err *err) MUST_USE;

/* A new folder in $TMPDIR or /tmp for what is needed only while the program runs, and its
 * end, with all that is in it; NULL is fine. */
bool file_make_temporary(struct arena *arena, const char **path,
                         struct err *err) MUST_USE;
void file_remove_temporary(const char *path);

/* The same file under another name, by a symbolic link; folders are made. Whoever writes
 * `to` anew leaves `from` as it is. */
bool file_link(const char *from, const char *to, struct arena *arena,
               struct err *err) MUST_USE;

/* The next of files that are built into the program one behind the other (tools/bundle),
 * "PATH BYTES" and a line end before each, cut off the front; false at the end. */
bool file_bundled(struct str *bundle, struct str *path, struct str *bytes);

/* DIR/NAME */
const char *file_join(const char *folder, const char *name, struct arena *arena);

#endif
