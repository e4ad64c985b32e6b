/* What the files of engine/ share with each other. */
#ifndef ENGINE_INTERNAL_H
#define ENGINE_INTERNAL_H

#include "engine/engine.h"

/* Gets the fields of a row, as text; they last only during the call. False, with err,
 * ends the asking. */
typedef bool engine_take_fields(void *context, const struct str *fields, struct err *err);

/* Asks for `columns` expressions and what follows them: "SELECT <expressions> <rest>".
 * Values that are missing come as "\N". A question whose answer did not begin is asked
 * again a few times; one that broke off is an error. */
bool engine_ask(struct engine *engine, const char *const *expressions, size_t columns,
                struct str rest, engine_take_fields *take, void *context,
                struct err *err) MUST_USE;

/* The fields of a line of an answer, unescaped into text; false when it is no whole row.
 */
bool engine_read_row(struct str line, size_t columns, struct buf *text,
                     struct str *fields);

/* A string of SQL, quoted. */
void engine_add_text(struct buf *sql, struct str text);

/* `database`.`table`, quoted for SQL. */
struct str engine_table(const struct engine *engine);

bool engine_is_moment(enum engine_column column);

/* "a post has it", also of a table without NULL; the column must be there. */
void engine_add_has(const struct engine_posts *posts, enum engine_column column,
                    struct buf *sql);

/* A post from the fields of a row: all columns in their order. */
void engine_posts_read(struct engine_posts *posts, const struct str *fields,
                       struct item *post);

/* A condition that holds for every question which meets the query. */
void engine_add_condition(const struct engine_posts *posts,
                          const struct query_node *query, struct buf *sql);

#endif
