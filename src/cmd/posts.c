/* Rows through dump/table.h, whose further columns are what people name. */
#include "cmd/posts.h"

#include "dump/table.h"

enum { TEXT_MAX = 32, BODY = LEARN_PARTS_COUNT };

struct posts_reading {
    struct cmd_posts *posts;
    struct str names[TEXT_MAX + CMD_POSTS_COLUMNS]; /* of text, then the others */
    int role[TEXT_MAX]; /* of the text: enum learn_parts_name, or BODY */
    size_t text_count;
    struct buf body, number;
};

static int role_of(const struct posts_reading *reading, struct str column)
{
    int role = dump_field_rank(ITEM_FIELD_TITLE, column) >= 0  ? LEARN_PARTS_TITLE
               : dump_field_rank(ITEM_FIELD_TAGS, column) >= 0 ? LEARN_PARTS_TAGS
               : str_eq(column, STR("code"))                   ? LEARN_PARTS_CODE
                                                               : BODY;

    for (size_t i = 0; i < reading->text_count; i++)
        if (reading->role[i] == role) /* a second title is text like any other */
            return BODY;
    return role;
}

/* What is to be predicted must not be read, and nothing twice. */
static bool check_column(const struct posts_reading *reading, struct str column,
                         struct err *err)
{
    const char *label = reading->posts->columns[CMD_POSTS_LABEL];

    if (reading->text_count == TEXT_MAX)
        return err_set(err, ERR_USAGE, "--text has more than %d columns", TEXT_MAX);
    if (label != NULL && str_eq(column, str_from(label)))
        return err_set(err, ERR_USAGE,
                       "--text has '%.*s', which is the column of labels: nothing would "
                       "be left to learn",
                       STR_ARG(column));
    for (size_t i = 0; i < reading->text_count; i++)
        if (str_eq(reading->names[i], column))
            return err_set(err, ERR_USAGE, "--text has '%.*s' twice", STR_ARG(column));
    return true;
}

static bool list_columns(struct posts_reading *reading, size_t *count, struct err *err)
{
    struct str rest = str_from(reading->posts->text), column;

    for (bool more = true; more;) {
        more = str_cut(&rest, ',', &column);
        column = str_trim(column);
        if (!check_column(reading, column, err))
            return false;
        reading->role[reading->text_count] = role_of(reading, column);
        reading->names[reading->text_count++] = column;
    }
    *count = reading->text_count;
    for (size_t i = 0; i < CMD_POSTS_COLUMNS; i++)
        if (reading->posts->columns[i] != NULL)
            reading->names[(*count)++] = str_from(reading->posts->columns[i]);
    return true;
}

static bool take_row(void *context, const struct item *item, struct err *err)
{
    struct posts_reading *reading = context;
    struct cmd_posts *posts = reading->posts;
    struct cmd_posts_row row = {.item = item};
    const struct str *values = item->extra + reading->text_count;

    posts->rows++;
    buf_clear(&reading->body);
    for (size_t i = 0; i < reading->text_count; i++)
        if (reading->role[i] == BODY) {
            buf_add(&reading->body, item->extra[i]);
            buf_add_char(&reading->body, '\n');
        } else {
            row.parts.at[reading->role[i]] = item->extra[i];
        }
    row.body = buf_str(&reading->body);
    buf_clear(&reading->number);
    buf_add_int(&reading->number, posts->rows);
    row.values[CMD_POSTS_ID] = buf_str(&reading->number);
    for (size_t i = 0; i < CMD_POSTS_COLUMNS; i++)
        if (posts->columns[i] != NULL)
            row.values[i] = str_trim(*values++);
    return posts->take(posts->context, &row, err);
}

bool cmd_posts_read(struct cmd_posts *posts, struct err *err)
{
    struct posts_reading reading = {.posts = posts};
    struct dump_table_options how = {.mapping = posts->mapping,
                                     .extra = reading.names,
                                     .rows = true,
                                     .objects = true,
                                     .usual = posts->usual,
                                     .first_id = 1,
                                     .repaired = &posts->repaired};

    posts->rows = 0;
    posts->repaired = false;
    bool ok = list_columns(&reading, &how.extra_count, err) &&
              dump_table_read_path(posts->path, &how, take_row, &reading, err);
    buf_free(&reading.body);
    buf_free(&reading.number);
    return ok;
}
