/* Images of posts, from the folder of copies that the study names: what
 * https://HOST/PATH shows is the file HOST/PATH in it. Nothing is fetched from elsewhere,
 * and nothing outside the folder can be asked for. */
#define _GNU_SOURCE /* memmem() */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "serve/internal.h"
#include "text/markup.h"
#include "text/sanitise.h"

enum { IMAGE_BYTES_MAX = 20 << 20, NAME_BYTES_MAX = 500 };

/* What files begin with. SVG is none of them: it may hold script. */
static const struct {
    struct str magic;
    size_t at;
    const char *type;
} kinds[] = {
    {STR_INIT("\x89PNG\r\n\x1a\n"), 0, "image/png"},
    {STR_INIT("\xff\xd8\xff"), 0, "image/jpeg"},
    {STR_INIT("GIF8"), 0, "image/gif"},
    {STR_INIT("WEBP"), 8, "image/webp"},
};

static const char *kind_of(struct str bytes)
{
    for (size_t i = 0; i < ROWS_OF(kinds); i++)
        if (bytes.len >= kinds[i].at + kinds[i].magic.len &&
            memcmp(bytes.ptr + kinds[i].at, kinds[i].magic.ptr, kinds[i].magic.len) == 0)
            return kinds[i].type;
    return NULL;
}

/* Adds "HOST/PATH" without its escapes; false when a part of it is no plain name. */
static bool add_name(struct str escaped, struct buf *name)
{
    struct str part;
    bool more = true;

    while (more) {
        more = str_cut(&escaped, '/', &part);
        char *plain = g_uri_unescape_segment(part.ptr, part.ptr + part.len, "/");
        bool good = plain != NULL && plain[0] != '\0' && plain[0] != '.' &&
                    name->len + strlen(plain) < NAME_BYTES_MAX;
        for (const char *c = plain; good && *c != '\0'; c++)
            good = (unsigned char)*c >= ' ' && *c != '\\' && *c != 127;
        if (good)
            buf_add_format(name, "%s%s", name->len > 0 ? "/" : "", plain);
        g_free(plain);
        if (!good)
            return false;
    }
    return memchr(name->ptr, '/', name->len) != NULL;
}

/* The file of a name; NULL: there is none in the folder. */
static const char *find_file(const char *folder, struct str name, struct arena *arena)
{
    const char *path = file_join(folder, arena_c_string(arena, name), arena);
    char *real = realpath(path, NULL), *inside = realpath(folder, NULL);
    size_t len = inside != NULL ? strlen(inside) : 0;
    struct stat about;
    bool good = real != NULL && inside != NULL && strncmp(real, inside, len) == 0 &&
                real[len] == '/' && stat(real, &about) == 0 && S_ISREG(about.st_mode) &&
                about.st_size <= IMAGE_BYTES_MAX;
    const char *found = good ? arena_c_string(arena, str_from(real)) : NULL;

    free(real);
    free(inside);
    return found;
}

static void add_image(struct str link, const char *folder, struct arena *arena,
                      struct buf *out)
{
    struct str scheme, rest = link;
    struct buf name = {0};
    size_t end = 0;

    str_cut(&rest, ':', &scheme);
    if (str_starts(rest, STR("//")))
        rest = str_slice(rest, 2, rest.len);
    while (end < rest.len && rest.ptr[end] != '?' && rest.ptr[end] != '#')
        end++;
    if (add_name(str_slice(rest, 0, end), &name) &&
        find_file(folder, buf_str(&name), arena) != NULL) {
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "link", link);
        serve_writer_text(out, "name", buf_str(&name));
        serve_writer_close(out, '}');
    }
    buf_free(&name);
}

void serve_add_images(struct str html, const char *folder, struct arena *arena,
                      struct buf *out)
{
    struct str begin = STR(TEXT_SANITISE_IMAGE), attribute, link;
    struct buf plain = {0};

    serve_writer_open(out, "images", '[');
    while (folder != NULL && html.len > 0) {
        const char *at = memmem(html.ptr, html.len, begin.ptr, begin.len);
        if (at == NULL)
            break;
        html = str_slice(html, (size_t)(at - html.ptr) + begin.len, html.len);
        str_cut(&html, '"', &attribute);
        str_cut(&html, '"', &link);
        buf_clear(&plain);
        text_markup_decode(link, false, &plain);
        add_image(buf_str(&plain), folder, arena, out);
    }
    serve_writer_close(out, ']');
    buf_free(&plain);
}

bool serve_image(const struct serve_call *call, struct buf *out, struct err *err)
{
    const char *folder = label_task(call->label)->settings->images;
    struct buf name = {0};
    struct str bytes = {0};
    const char *path = folder != NULL && add_name(call->rest, &name)
                           ? find_file(folder, buf_str(&name), call->arena)
                           : NULL;

    buf_free(&name);
    if (path == NULL)
        return err_set(err, ERR_INPUT, "there is no such image");
    if (!file_read(path, call->arena, &bytes, err))
        return false;
    *call->type = kind_of(bytes);
    if (*call->type == NULL)
        return err_set(err, ERR_INPUT, "that file is no image that is known here");
    buf_add(out, bytes);
    return true;
}
