/* Figures have the same bytes whatever fonts, settings and languages a machine has. Each
 * case runs in a child, as fonts are looked for once a process. */
#include "chart/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/tap.h"

/* Settings that give another font for any that is asked for, and hint it. */
static const char foreign[] =
    "<?xml version=\"1.0\"?>\n"
    "<!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\">\n"
    "<fontconfig>\n"
    "<dir>/usr/share/fonts</dir>\n"
    "<match target=\"pattern\"><edit name=\"family\" mode=\"assign\" "
    "binding=\"strong\">\n"
    "<string>Liberation Serif</string></edit></match>\n"
    "<match target=\"font\"><edit name=\"hintstyle\" mode=\"assign\">\n"
    "<const>hintfull</const></edit></match>\n"
    "</fontconfig>\n";

/* Letters that the font has, some of which differ by language, and letters it lacks. */
static const struct str names[] = {
    STR_INIT("waiting time"),
    STR_INIT("\xD0\xB1\xD0\xB3\xD0\xB4\xD0\xBF\xD1\x82 \xC5\x9F\xC5\xA3"),
    STR_INIT("\xE4\xB8\xAD\xE6\x96\x87\xE6\x96\x87\xE6\x9C\xAC"),
    STR_INIT("\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 \xF0\x9F\x98\x80 \xE2\x9C\x93"),
};
static const double y[] = {3, 1, 2, 2.5};
static const struct chart_series series = {
    .name = STR_INIT("\xE6\x96\x87 first"), .y = y, .count = 4};
static const struct chart chart = {
    .kind = CHART_BARS,
    .title = STR_INIT("\xD0\xB1\xD0\xB3 bold \xE4\xB8\xAD"),
    .y_title = STR_INIT("hours"),
    .categories = names,
    .category_count = 4,
    .series = &series,
    .series_count = 1,
};

static const struct {
    const char *name;
    const char *variable, *value; /* NULL: the name of a file with the settings above */
} rows[] = {
    {"settings of Fontconfig that name another font", "FONTCONFIG_FILE", NULL},
    {"another root of Fontconfig", "FONTCONFIG_SYSROOT", "/nowhere"},
    {"folders of a user that are not there", "XDG_DATA_HOME", "/nowhere"},
    {"no home", "HOME", "/nowhere"},
    {"a wish for languages", "LANGUAGE", "sr:mk:ro:ja"},
    {"a wish for languages of Pango", "PANGO_LANGUAGE", "sr:mk:ro:ko"},
    {"another locale", "LC_ALL", "sr_RS.UTF-8"},
    {"another kind of fonts", "PANGOCAIRO_BACKEND", "win32"},
    {"other ways of FreeType", "FREETYPE_PROPERTIES", "truetype:interpreter-version=35"},
};

/* What the child drew, or the message that it failed with. */
static struct buf drawn(const char *variable, const char *value)
{
    struct buf out = {0};
    char bytes[4096];
    ssize_t len;
    pid_t child;
    int ends[2], status = -1;

    fflush(stdout);
    CHECK(pipe(ends) == 0);
    child = fork();
    if (child == 0) {
        struct err err = {0};
        bool ok = variable == NULL || setenv(variable, value, 1) == 0;
        for (int format = CHART_SVG; ok && format <= CHART_PNG; format++)
            ok = chart_draw(&chart, (enum chart_format)format, &out, &err);
        if (!ok)
            out.len = 0;
        buf_add(&out, str_from(err.text));
        for (size_t at = 0; at < out.len; at += (size_t)len)
            if ((len = write(ends[1], out.ptr + at, out.len - at)) <= 0)
                _exit(2);
        _exit(ok ? 0 : 1);
    }
    close(ends[1]);
    while ((len = read(ends[0], bytes, sizeof bytes)) > 0)
        buf_add(&out, (struct str){bytes, (size_t)len});
    close(ends[0]);
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return out;
}

static void check_same(const char *settings)
{
    struct buf plain = drawn(NULL, NULL);

    tap_case("a figure is drawn");
    CHECK(plain.len > 10000);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("the same bytes: %s", rows[i].name);
        struct buf other =
            drawn(rows[i].variable, rows[i].value != NULL ? rows[i].value : settings);
        CHECK(str_eq(buf_str(&plain), buf_str(&other)));
        buf_free(&other);
    }
    buf_free(&plain);
}

static const char lacking[] =
    "figures need the fonts LiberationSans-Regular.ttf and LiberationSans-Bold.ttf, "
    "which "
    "are not in %s: install fonts-liberation, or name their folder in the variable "
    "ASSAY_FONTS";

static void check_lacking(const char *folder)
{
    struct buf said = drawn("ASSAY_FONTS", folder);
    char want[4096];

    snprintf(want, sizeof want, lacking, folder);
    CHECK(str_eq(buf_str(&said), str_from(want)));
    buf_free(&said);
}

static void check_no_fonts(const char *folder, struct arena *arena)
{
    const char *regular = file_join(folder, "LiberationSans-Regular.ttf", arena);
    const char *bold = file_join(folder, "LiberationSans-Bold.ttf", arena);
    struct err err;

    tap_case("no fonts: a message says which, where, and what to do");
    check_lacking(folder);
    tap_case("no fonts: the folder is not there");
    check_lacking("/nowhere");
    tap_case("no fonts: files of that name that are none");
    CHECK(file_write(regular, STR("no font"), &err) &&
          file_write(bold, STR("no font"), &err));
    check_lacking(folder);
    file_remove(regular);
    file_remove(bold);
}

static bool advises(const char *missing, const char *head, const char *tail)
{
    struct buf out = {0};

    chart_fonts_advise(str_from(missing), &out);
    bool same = str_starts(buf_str(&out), str_from(head)) &&
                str_ends(buf_str(&out), str_from(tail));
    buf_free(&out);
    return same;
}

static void check_advice(void)
{
    static const char cjk[] = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc";
    static const char many[] =
        "ASSAY_FONTS=/usr/share/fonts/truetype/wqy/wqy-microhei.ttc:"
        "/usr/share/fonts/truetype/freefont/FreeSerif.ttf:"
        "/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf";
    const char *head = file_exists(cjk) ? "set ASSAY_FONTS="
                                        : "install fonts-wqy-microhei (Debian) and set ";

    CHECK(unsetenv("ASSAY_FONTS") == 0);
    tap_case("advice: which font has Japanese letters, and what to install for it");
    CHECK(advises("\xe5\xad\xa6\xe7\xbf\x92\xe3\x83\xa2", head, cjk));
    tap_case("advice: several scripts, each font once");
    CHECK(advises("\xe5\xad\xa6\xd8\xae\xed\x95\x9c\xd8\xb7\xf0\x9f\x98\x80", "", many));
    tap_case("advice: fonts that are named stay so");
    CHECK(setenv("ASSAY_FONTS", "/a/b.ttf", 1) == 0 &&
          advises("\xe5\xad\xa6", "",
                  "ASSAY_FONTS=/a/b.ttf:/usr/share/fonts/truetype/wqy/"
                  "wqy-microhei.ttc"));
    tap_case("advice: where what is known of is not enough");
    CHECK(setenv("ASSAY_FONTS", cjk, 1) == 0 &&
          advises("\xe5\xad\xa6", "name a font that has them in ASSAY_FONTS", "") &&
          unsetenv("ASSAY_FONTS") == 0 &&
          advises("\xee\x80\x80", "name a font that has them in ASSAY_FONTS", ""));
}

/* A second font, for letters that the first lacks. */
static void check_further(void)
{
    static const char more[] = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc";
    static const char absent[] = "/nowhere/font.ttf";
    struct buf said = drawn("ASSAY_FONTS", absent);
    char want[200];

    tap_case("a further font that is not there is named");
    snprintf(want, sizeof want,
             "the variable ASSAY_FONTS names %s, which is no font that can be read",
             absent);
    CHECK(str_eq(buf_str(&said), str_from(want)));
    buf_free(&said);
    tap_case("further fonts: figures with them are others than those without");
    CHECK(setenv("ASSAY_FONTS", "/a/b.ttf:/folder", 1) == 0);
    uint64_t named = chart_fonts_named();
    CHECK(named != 0 && setenv("ASSAY_FONTS", "/c/d/b.ttf", 1) == 0 &&
          chart_fonts_named() == named);
    CHECK(setenv("ASSAY_FONTS", "/folder", 1) == 0 && chart_fonts_named() == 0);
    CHECK(unsetenv("ASSAY_FONTS") == 0 && chart_fonts_named() == 0);
    if (!file_exists(more)) {
        tap_case("a further font # SKIP fonts-wqy-microhei is not installed");
        return;
    }
    struct buf plain = drawn(NULL, NULL), with = drawn("ASSAY_FONTS", more),
               again = drawn("ASSAY_FONTS", more);
    tap_case("a further font: other letters, the same bytes each time");
    CHECK(with.len > 10000 && !str_eq(buf_str(&plain), buf_str(&with)) &&
          str_eq(buf_str(&with), buf_str(&again)));
    buf_free(&plain);
    buf_free(&with);
    buf_free(&again);
}

static void check_boxes(void)
{
    struct chart_text text = {0};
    struct err err = {0};
    double one, four;

    tap_case(
        "a letter that the font lacks is a box with a width, many are as wide as each");
    CHECK(chart_text_open(&text, &err));
    one = chart_text_measure(&text, STR("\xE4\xB8\xAD"), &STYLE_TICK).width;
    four = chart_text_measure(&text, names[2], &STYLE_TICK).width;
    CHECK(one > STYLE_TICK.size / 2 && one < 2 * STYLE_TICK.size);
    CHECK_NEAR(four, 4 * one, 0.01);
    chart_text_close(&text);
}

int main(void)
{
    const char *above = getenv("TMPDIR");
    struct arena arena = {0};
    struct err err;
    char folder[2048];

    snprintf(folder, sizeof folder, "%s/chart_fonts.XXXXXX",
             above != NULL ? above : "/tmp");
    CHECK(mkdtemp(folder) != NULL);
    const char *settings = file_join(folder, "fonts.conf", &arena);
    CHECK(file_write(settings, str_from(foreign), &err));
    check_same(settings);
    check_no_fonts(folder, &arena);
    check_advice();
    check_further();
    check_boxes();
    file_remove(settings);
    file_remove(folder);
    arena_free(&arena);
    return tap_done();
}
