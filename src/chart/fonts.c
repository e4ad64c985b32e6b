/* The font of figures, and no other. What else a machine has installed, and what the
 * settings and caches of Fontconfig say, must not show in a figure: the same chart gives
 * the same bytes, and a text is as wide as it was when its place was chosen. So
 * Fontconfig gets settings made here, which name two files, and those that the user names
 * besides. A letter that they lack becomes Pango's box with the letter's number, which is
 * measured like any other. */
#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "chart/internal.h"

/* Free, and with the widths of Arial. */
static const char *const files[] = {"LiberationSans-Regular.ttf",
                                    "LiberationSans-Bold.ttf"};

static const char *const folders[] = {
    "/usr/share/fonts/truetype/liberation",   /* Debian, Ubuntu: fonts-liberation */
    "/usr/share/fonts/truetype/liberation2",  /* fonts-liberation2 */
    "/usr/share/fonts/liberation-sans-fonts", /* Fedora */
    "/usr/share/fonts/liberation-sans",
    "/usr/share/fonts/liberation",       /* Arch, Alpine */
    "/usr/share/fonts/truetype",         /* openSUSE */
    "/usr/local/share/fonts/Liberation", /* FreeBSD */
    "/Library/Fonts",                    /* macOS */
};

/* All files of the folder, or nothing. */
static bool add_files(FcConfig *config, const char *folder)
{
    struct arena arena = {0};
    bool all = true;

    for (size_t i = 0; i < ROWS_OF(files) && all; i++) {
        const char *path = file_join(folder, files[i], &arena);
        FcFontSet *set;
        all = file_exists(path) &&
              FcConfigAppFontAddFile(config, (const FcChar8 *)path) == FcTrue &&
              (set = FcConfigGetFonts(config, FcSetApplication)) != NULL &&
              set->nfont == (int)i + 1;
    }
    if (!all)
        FcConfigAppFontClear(config);
    arena_free(&arena);
    return all;
}

/* A part of ASSAY_FONTS that names a file is a font for letters that the others lack. */
static bool is_font(struct str part)
{
    return str_ends(part, STR(".ttf")) || str_ends(part, STR(".otf")) ||
           str_ends(part, STR(".ttc"));
}

static bool add_font(FcConfig *config, const char *path, struct err *err)
{
    FcFontSet *set = FcConfigGetFonts(config, FcSetApplication);
    int before = set != NULL ? set->nfont : 0;

    if (file_exists(path) &&
        FcConfigAppFontAddFile(config, (const FcChar8 *)path) == FcTrue &&
        (set = FcConfigGetFonts(config, FcSetApplication)) != NULL && set->nfont > before)
        return true;
    return err_set(err, ERR_SYSTEM,
                   "the variable ASSAY_FONTS names %s, which is no font that can be read",
                   path);
}

static bool find_files(FcConfig *config, struct err *err)
{
    const char *said = getenv("ASSAY_FONTS"), *folder = NULL;
    struct str rest = str_from(said != NULL ? said : ""), part;
    struct arena arena = {0};
    bool found = false, more = rest.len > 0, ok = true;

    while (more) {
        more = str_cut(&rest, ':', &part);
        if (part.len > 0 && !is_font(part))
            folder = arena_c_string(&arena, part);
    }
    if (folder != NULL)
        found = add_files(config, folder);
    for (size_t i = 0; folder == NULL && i < ROWS_OF(folders) && !found; i++)
        found = add_files(config, folders[i]);
    if (!found)
        ok = err_set(err, ERR_SYSTEM,
                     "figures need the fonts %s and %s, which are not in %s: install "
                     "fonts-liberation, or name their folder in the variable ASSAY_FONTS",
                     files[0], files[1], folder == NULL ? folders[0] : folder);
    rest = str_from(said != NULL ? said : "");
    for (more = rest.len > 0; more && ok;) {
        more = str_cut(&rest, ':', &part);
        if (is_font(part))
            ok = add_font(config, arena_c_string(&arena, part), err);
    }
    arena_free(&arena);
    return ok;
}

uint64_t chart_fonts_named(void)
{
    const char *said = getenv("ASSAY_FONTS");
    struct str rest = str_from(said != NULL ? said : ""), part;
    uint64_t number = 0;

    for (bool more = rest.len > 0; more;) {
        more = str_cut(&rest, ':', &part);
        size_t name = part.len; /* where it is installed does not matter */
        while (name > 0 && part.ptr[name - 1] != '/')
            name--;
        for (size_t i = name; i < part.len && is_font(part); i++)
            number = number * 1099511628211U + (unsigned char)part.ptr[i];
    }
    return number;
}

/* What has letters that Liberation Sans lacks, on Debian: letters up to `last`, the first
 * row that reaches so far. */
static const struct fonts_advice {
    uint32_t last;
    const char *package, *file;
} advices[] = {
#define FONTS      "/usr/share/fonts/truetype/"
#define FREE       "fonts-freefont-ttf", FONTS "freefont/FreeSerif.ttf"
#define CJK        "fonts-wqy-microhei", FONTS "wqy/wqy-microhei.ttc"
#define SYMBOLS    "fonts-symbola", FONTS "ancient-scripts/Symbola_hint.ttf"
#define NOTO(name) "fonts-noto-core", FONTS "noto/Noto" name "-Regular.ttf"
    {0x0BFF, FREE}, /* Armenian, Arabic, the scripts of India up to Tamil */
    {0x0C7F, NOTO("SansTelugu")},
    {0x0CFF, NOTO("SansKannada")},
    {0x0E7F, FREE}, /* Malayalam, Sinhala, Thai */
    {0x0EFF, NOTO("SansLao")},
    {0x0FFF, NOTO("SerifTibetan")},
    {0x109F, NOTO("SansMyanmar")},
    {0x10FF, FREE}, /* Georgian */
    {0x11FF, CJK},  /* parts of Hangul */
    {0x177F, FREE}, /* Ethiopic */
    {0x17FF, NOTO("SansKhmer")},
    {0x25FF, FREE}, /* signs and arrows */
    {0x27BF, SYMBOLS},
    {0x2E7F, FREE},
    {0xD7FF, CJK}, /* Chinese, Japanese, Korean */
    {0xF8FF, NULL, NULL},
    {0xFAFF, CJK},
    {0xFE2F, FREE}, /* forms of Arabic letters */
    {0xFE4F, CJK},
    {0xFEFF, FREE},
    {0xFFEF, CJK}, /* letters of full and half width */
    {0x1EFFF, FREE},
    {0x1FBFF, SYMBOLS},
    {0x3FFFF, CJK},
#undef FONTS
#undef FREE
#undef CJK
#undef SYMBOLS
#undef NOTO
};

static void list_word(struct buf *list, const char *word, const char *separator)
{
    struct str all = buf_str(list), one = str_from(word);

    for (size_t i = 0; i + one.len <= all.len; i++)
        if (str_eq(str_slice(all, i, i + one.len), one))
            return;
    buf_add_format(list, "%s%s", all.len > 0 ? separator : "", word);
}

void chart_fonts_advise(struct str missing, struct buf *out)
{
    const char *said = getenv("ASSAY_FONTS");
    struct buf packages = {0}, paths = {0};

    if (said != NULL)
        buf_add(&paths, str_from(said));
    size_t before = paths.len;
    /* g_utf8_next_char() reads GLib's data, which would keep the library linked. */
    for (const char *at = missing.ptr; at < missing.ptr + missing.len;
         at = g_utf8_find_next_char(at, NULL)) {
        const struct fonts_advice *advice = advices;
        gunichar code = g_utf8_get_char(at);
        while (advice < advices + ROWS_OF(advices) && advice->last < code)
            advice++;
        size_t known = paths.len;
        if (advice < advices + ROWS_OF(advices) && advice->file != NULL) {
            list_word(&paths, advice->file, ":");
            if (paths.len > known && !file_exists(advice->file))
                list_word(&packages, advice->package, " ");
        }
    }
    if (packages.len > 0)
        buf_add_format(out, "install %.*s (Debian) and ", STR_ARG(buf_str(&packages)));
    if (paths.len > before)
        buf_add_format(out, "set ASSAY_FONTS=%.*s", STR_ARG(buf_str(&paths)));
    else
        buf_add(out, STR("name a font that has them in ASSAY_FONTS"));
    buf_free(&packages);
    buf_free(&paths);
}

static PangoFontMap *make_map(struct err *err)
{
    FcConfig *config = FcConfigCreate();
    PangoFontMap *map = NULL;

    FcConfigSetSysRoot(config, NULL); /* not that of the environment */
    /* Current before Pango and Cairo begin: they would read those of the system. */
    if (find_files(config, err) && FcConfigSetCurrent(config)) {
        map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
        pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
    }
    FcConfigDestroy(config); /* the others hold on to it */
    return map;
}

PangoFontMap *fonts_open(struct err *err)
{
    /* One a thread, as Pango's own are: it takes longer to make one than to draw. */
    static GPrivate kept = G_PRIVATE_INIT(g_object_unref);

    if (g_private_get(&kept) == NULL)
        g_private_set(&kept, make_map(err));
    return g_private_get(&kept) != NULL ? g_object_ref(g_private_get(&kept)) : NULL;
}
