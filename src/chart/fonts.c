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
