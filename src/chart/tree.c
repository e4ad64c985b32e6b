/* A taxonomy with shares: from left to right, each node beside the middle of its
 * children. What is too high for a page is set in two panels, then smaller. */
#include <math.h>

#include "chart/internal.h"

enum { PANELS_MAX = 2 };

static const double sizes[] = {7, 6.5, 6, 5.5, 5};
static const double column_gap = 10, row_gap = 2.5, panel_gap = 14;
static const double pad = 3, stripe = 2;
static const double column_min = 62; /* with its gap: room for a word and a share */

/* A node as it will stand. */
struct tree_place {
    size_t parent;    /* the node itself: none */
    size_t branch;    /* which subtree of the first level, for its colour */
    double own;       /* height of its box */
    double subtree;   /* of all that belongs to it */
    double top, left; /* of its box */
};

struct tree {
    struct chart_sheet *sheet;
    struct tree_place *places;
    size_t first;  /* 1 when a single root stands above everything else */
    int top_level; /* level of the first column */
    int levels;    /* columns of a panel */
    size_t panels;
    double size; /* of the text */
    double panel_width;
    double widths[CHART_LEVELS_MAX]; /* of columns */
};

static const struct chart_node *node_at(const struct tree *tree, size_t i)
{
    return &tree->sheet->chart->nodes[i];
}

static struct str share_text(const struct tree *tree, size_t i)
{
    double share = node_at(tree, i)->share;

    if (!isfinite(share))
        return STR("");
    return chart_number_short(share, CHART_PERCENT, tree->sheet->arena);
}

static double column_width(const struct tree *tree, int column)
{
    return tree->widths[column];
}

static double column_left(const struct tree *tree, int column)
{
    double left = 0;

    for (int i = 0; i < column; i++)
        left += column_width(tree, i) + column_gap;
    return left;
}

static struct chart_style share_style(const struct tree *tree)
{
    struct chart_style style = STYLE_TICK;

    style.size = tree->size;
    style.bold = true;
    return style;
}

static struct chart_style name_style(const struct tree *tree, size_t i)
{
    struct chart_style style = STYLE_TICK, share = share_style(tree);
    int column = node_at(tree, i)->level - tree->top_level;
    double width =
        column < 0 ? chart_sheet_inner(tree->sheet) : column_width(tree, column);
    struct str text = share_text(tree, i);

    style.size = tree->size;
    style.bold = column < 0;
    style.lines_max = 3;
    style.width_max = width - 2 * pad - stripe;
    if (text.len > 0)
        style.width_max -= chart_sheet_measure(tree->sheet, text, &share).width + pad;
    style.width_max = fmax(style.width_max, 12);
    return style;
}

static double widest_word(const struct tree *tree, struct str name,
                          const struct chart_style *style)
{
    double widest = 0;
    struct str word;
    bool more;

    do {
        more = str_cut(&name, ' ', &word);
        widest = fmax(widest, chart_sheet_measure(tree->sheet, word, style).width);
    } while (more);
    return widest;
}

/* No word should be broken; what room is left goes where names are longest. */
static void choose_widths(struct tree *tree)
{
    struct chart_style name = STYLE_TICK, share = share_style(tree);
    double least[CHART_LEVELS_MAX] = {0}, best[CHART_LEVELS_MAX] = {0};
    double room = tree->panel_width - column_gap * (tree->levels - 1), missing = 0;
    double equal = room / tree->levels; /* for words that are too long anyway */

    name.size = tree->size;
    for (size_t i = tree->first; i < tree->sheet->chart->node_count; i++) {
        const struct chart_node *node = node_at(tree, i);
        int column = node->level - tree->top_level;
        double around =
            chart_sheet_measure(tree->sheet, share_text(tree, i), &share).width +
            3 * pad + stripe + 1;
        least[column] =
            fmax(least[column], around + widest_word(tree, node->name, &name));
        best[column] =
            fmax(best[column],
                 around + chart_sheet_measure(tree->sheet, node->name, &name).width);
    }
    for (int c = 0; c < tree->levels; c++) {
        room -= least[c];
        missing += best[c] - least[c];
    }
    for (int c = 0; c < tree->levels; c++) {
        double wish = missing > 0 ? (best[c] - least[c]) / missing : 1.0 / tree->levels;
        tree->widths[c] = room < 0 ? equal : least[c] + room * wish;
    }
}

/* Parents come before their children, so one pass from the end sums up heights. */
static void measure(struct tree *tree)
{
    size_t count = tree->sheet->chart->node_count;

    for (size_t i = tree->first; i < count; i++) {
        struct chart_style style = name_style(tree, i);
        struct str name = node_at(tree, i)->name;
        tree->places[i].own =
            chart_sheet_measure(tree->sheet, name.len > 0 ? name : STR(" "), &style)
                .height +
            2;
        tree->places[i].subtree = 0;
    }
    for (size_t i = count; i-- > tree->first;) {
        struct tree_place *place = &tree->places[i];
        place->subtree = fmax(place->subtree, place->own + row_gap);
        if (place->parent != i)
            tree->places[place->parent].subtree += place->subtree;
    }
}

static void link_nodes(struct tree *tree)
{
    const struct chart *chart = tree->sheet->chart;
    size_t last[CHART_LEVELS_MAX] = {0}, branches = 0;
    size_t roots = 0;
    int deepest = 0;

    for (size_t i = 0; i < chart->node_count; i++)
        roots += chart->nodes[i].level == 0;
    tree->first = roots == 1 && chart->node_count > 1;
    tree->top_level = tree->first > 0 ? 1 : 0;
    for (size_t i = 0; i < chart->node_count; i++) {
        int level = chart->nodes[i].level;
        last[level] = i;
        tree->places[i].parent = level > tree->top_level ? last[level - 1] : i;
        tree->places[i].branch = level > tree->top_level
                                     ? tree->places[last[level - 1]].branch
                                     : branches++ - tree->first;
        deepest = level > deepest ? level : deepest;
    }
    tree->levels = deepest - tree->top_level + 1;
}

/* The height of the highest panel when branches are dealt out in order, each panel taking
 * them up to an equal share. *panel, if not NULL, gets the panel of each node. */
static double deal(const struct tree *tree, size_t *panel)
{
    size_t count = tree->sheet->chart->node_count, current = 0;
    double all = 0, height = 0, highest = 0, done = 0;

    for (size_t i = tree->first; i < count; i++)
        if (tree->places[i].parent == i)
            all += tree->places[i].subtree;
    for (size_t i = tree->first; i < count; i++) {
        double subtree = tree->places[i].subtree;
        double share = all * (double)(current + 1) / (double)tree->panels;
        if (tree->places[i].parent == i) {
            if (current + 1 < tree->panels && height > 0 && done + subtree / 2 > share) {
                current++;
                height = 0;
            }
            height += subtree;
            done += subtree;
            highest = fmax(highest, height);
        }
        if (panel != NULL)
            panel[i] = current;
    }
    return highest;
}

/* The largest text that lets everything stand on a page, in one panel if possible. */
static void choose_size(struct tree *tree, double room)
{
    double inner = chart_sheet_inner(tree->sheet);
    size_t panels_max = inner > PANELS_MAX * column_min * tree->levels ? PANELS_MAX : 1;

    for (size_t i = 0; i < ROWS_OF(sizes); i++)
        for (tree->panels = 1; tree->panels <= panels_max; tree->panels++) {
            tree->size = sizes[i];
            tree->panel_width =
                (inner - panel_gap * (double)(tree->panels - 1)) / (double)tree->panels;
            choose_widths(tree);
            measure(tree);
            if (deal(tree, NULL) <= room)
                return;
        }
    tree->panels = panels_max;
}

static void put_nodes(struct tree *tree, double top)
{
    size_t count = tree->sheet->chart->node_count;
    size_t *panel = arena_array(tree->sheet->arena, size_t, count);
    double *next = arena_array(tree->sheet->arena, double, count);
    double used[PANELS_MAX] = {0};

    deal(tree, panel);
    for (size_t i = tree->first; i < count; i++) {
        struct tree_place *place = &tree->places[i];
        double *from = place->parent == i ? &used[panel[i]] : &next[place->parent];
        int column = node_at(tree, i)->level - tree->top_level;
        place->top = top + *from + (place->subtree - place->own) / 2;
        place->left = CHART_SHEET_MARGIN +
                      (double)panel[i] * (tree->panel_width + panel_gap) +
                      column_left(tree, column);
        next[i] = *from;
        *from += place->subtree;
    }
}

static void draw_link(struct tree *tree, size_t i)
{
    const struct tree_place *place = &tree->places[i],
                            *parent = &tree->places[place->parent];
    int column = node_at(tree, i)->level - 1 - tree->top_level;
    struct chart_point *points = chart_sheet_points(tree->sheet, 4);
    double right = parent->left + column_width(tree, column);

    points[0] = (struct chart_point){right, parent->top + parent->own / 2};
    points[1] = (struct chart_point){right + column_gap / 2, points[0].y};
    points[3] = (struct chart_point){place->left, place->top + place->own / 2};
    points[2] = (struct chart_point){points[1].x, points[3].y};
    chart_sheet_path(
        tree->sheet, (struct chart_tag){CHART_ROLE_GRID, 0, i}, points, 4, false,
        chart_theme_rule(
            chart_theme_mix(chart_theme_colour(tree->sheet->chart, place->branch), 0.6),
            0.6));
}

static void draw_node(struct tree *tree, size_t i, struct chart_area area,
                      struct chart_colour colour)
{
    struct chart_style name = name_style(tree, i), share = share_style(tree);
    double middle = area.top + area.height / 2;
    struct chart_tag tag = {CHART_ROLE_LABEL, 0, i};

    chart_sheet_box(tree->sheet, (struct chart_tag){CHART_ROLE_MARK, 0, i}, area,
                    (struct chart_ink){.fill = chart_theme_mix(colour, 0.16)});
    chart_sheet_box(tree->sheet, (struct chart_tag){CHART_ROLE_GRID, 0, i},
                    (struct chart_area){area.left, area.top, stripe, area.height},
                    (struct chart_ink){.fill = colour});
    chart_sheet_text(tree->sheet, tag, node_at(tree, i)->name, &name,
                     (struct chart_point){area.left + stripe + pad, middle},
                     (struct chart_grip){0, 0.5});
    tag.series = 1;
    chart_sheet_text(tree->sheet, tag, share_text(tree, i), &share,
                     (struct chart_point){chart_area_right(area) - pad, middle},
                     (struct chart_grip){1, 0.5});
}

static double draw_root(struct tree *tree)
{
    struct chart_sheet *sheet = tree->sheet;
    struct chart_style style = name_style(tree, 0);
    struct chart_area area = {CHART_SHEET_MARGIN, sheet->top, chart_sheet_inner(sheet),
                              0};

    area.height = chart_sheet_measure(sheet, node_at(tree, 0)->name, &style).height + 3;
    draw_node(tree, 0, area, THEME_QUIET);
    return chart_area_bottom(area) + CHART_SHEET_GAP;
}

void chart_tree_draw(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct tree tree = {
        .sheet = sheet,
        .places = arena_array(sheet->arena, struct tree_place, chart->node_count),
        .size = sizes[0],
        .panel_width = chart_sheet_inner(sheet),
    };
    double top;

    chart_sheet_title(sheet);
    link_nodes(&tree);
    top = tree.first > 0 ? draw_root(&tree) : sheet->top;
    choose_size(&tree, CHART_SHEET_HEIGHT_MAX - top - CHART_SHEET_MARGIN);
    put_nodes(&tree, top);
    for (size_t i = tree.first; i < chart->node_count; i++)
        if (tree.places[i].parent != i)
            draw_link(&tree, i);
    for (size_t i = tree.first; i < chart->node_count; i++) {
        const struct tree_place *place = &tree.places[i];
        double width = column_width(&tree, chart->nodes[i].level - tree.top_level);
        draw_node(&tree, i,
                  (struct chart_area){place->left, place->top, width, place->own},
                  chart_theme_colour(chart, place->branch));
    }
    chart_sheet_finish(sheet, top + deal(&tree, NULL) - row_gap);
}
