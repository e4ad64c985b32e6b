/* The text of an item by the form that it is written in: html, Markdown, plain text or a
 * diff into the same parts, for whoever asks: queries, measures, classifiers, topics. The
 * pages show the same html that is split.
 *
 * - Markdown is GitHub's: fenced and indented blocks are code blocks, `backticks` inline
 *   code; bare addresses are links, tables and task lists are known, html may stand in
 * it.
 * - What a template put there and nobody filled in is no prose: comments, headings with
 *   nothing below them but other such headings, and "_No response_", which GitHub writes
 *   for a field of a form that was left empty.
 * - Plain text is prose, a diff is one code block. */
#ifndef TEXT_FORM_H
#define TEXT_FORM_H

#include "item/item.h"
#include "text/html.h"

/* As text_html_split() has the parts; for html it is that. */
void text_form_split(enum item_form form, struct str body, unsigned want,
                     struct text_html_parts *parts);

/* What of the text stands below its title: a commit's message begins with its subject,
 * which is shown as the title already. */
struct str text_form_below(enum item_form form, struct str body, struct str title);

/* Adds the text as html, to be shown: nothing of it is to be trusted. Headings that stand
 * over nothing stay, and boxes of task lists are characters. */
void text_form_show(enum item_form form, struct str body, struct buf *html);

#endif
