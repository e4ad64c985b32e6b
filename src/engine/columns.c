/* The columns of a table: which of those that are wanted it has, by what names and types,
 * and how their values are asked for. Types differ from table to table. */
#include <ctype.h>

#include "engine/internal.h"

struct columns_reading {
    const struct engine_wanted *wanted;
    size_t count;
    struct engine_columns *out;
    struct arena *arena;
    struct buf names;
};

static bool is_called(struct str column, struct str name)
{
    size_t at = 0;

    for (size_t i = 0; i < column.len; i++) {
        if (column.ptr[i] == '_')
            continue;
        if (at == name.len || tolower((unsigned char)column.ptr[i]) != name.ptr[at])
            return false;
        at++;
    }
    return at == name.len;
}

/* "Nullable(T)" and "LowCardinality(T)" are T to us. */
static struct str inner_type(struct str type, bool *nullable)
{
    static const struct str around[] = {STR_INIT("Nullable("),
                                        STR_INIT("LowCardinality(")};

    for (size_t i = 0; i < ROWS_OF(around);)
        if (str_starts(type, around[i]) && type.len > around[i].len) {
            *nullable = *nullable || i == 0;
            type = str_slice(type, around[i].len, type.len - 1);
            i = 0;
        } else {
            i++;
        }
    return type;
}

static const char *with_name(const char *form, const char *name, struct arena *arena)
{
    struct buf text = {0};

    for (const char *at = form; *at != '\0'; at++)
        if (at[0] == '%' && at[1] == 's') {
            buf_add(&text, str_from(name));
            at++;
        } else {
            buf_add_char(&text, *at);
        }
    return buf_keep(&text, arena).ptr;
}

/* How its value is asked for: numbers and milliseconds as text; of types whose values are
 * all numbers of ours also as these. */
static void set_value(struct engine_found *column, struct str type, struct arena *arena)
{
    static const struct {
        struct str type; /* begins with it */
        const char *number, *value;
    } forms[] = {
        {STR_INIT("Enum"), .number = "toInt64(toInt16(%s))"},
        {STR_INIT("DateTime64"), .number = "toUnixTimestamp64Milli(toDateTime64(%s, 3))"},
        {STR_INIT("DateTime"), .number = "toInt64(toUnixTimestamp(%s)) * 1000"},
        {STR_INIT("Date"),
         .number = "toInt64(toUnixTimestamp(toDateTime(%s, 'UTC'))) * 1000"},
        {STR_INIT("Float"), .value = "toString(toInt64(%s))"},
        {STR_INIT("Array("),
         .value = "if(empty(%s), '', concat('|', arrayStringConcat(%s, '|'), '|'))"},
        {STR_INIT("UInt8"), .number = "toInt64(%s)"},
        {STR_INIT("UInt16"), .number = "toInt64(%s)"},
        {STR_INIT("UInt32"), .number = "toInt64(%s)"},
        {STR_INIT("Int8"), .number = "toInt64(%s)"},
        {STR_INIT("Int16"), .number = "toInt64(%s)"},
        {STR_INIT("Int32"), .number = "toInt64(%s)"},
        {STR_INIT("Int64"), .number = "toInt64(%s)"},
    };
    const char *name = column->name;

    column->value = arena_format(arena, "toString(%s)", name).ptr;
    for (size_t i = 0; i < ROWS_OF(forms); i++) {
        if (!str_starts(type, forms[i].type))
            continue;
        if (forms[i].number != NULL) {
            column->number = with_name(forms[i].number, name, arena);
            column->value = arena_format(arena, "toString(%s)", column->number).ptr;
        } else {
            column->value = with_name(forms[i].value, name, arena);
        }
        return;
    }
}

/* A moment may be a whole number: seconds since 1970 or, where that would be beyond the
 * year 5138, milliseconds, as in files. */
static void set_moment(struct engine_found *column, struct str type, struct arena *arena)
{
    static const struct str numbers[] = {STR_INIT("UInt"), STR_INIT("Int"),
                                         STR_INIT("Float")};
    const char *name = column->name;

    column->ms = column->dated;
    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        column->ms = column->ms || str_starts(type, numbers[i]);
    if (!column->ms || column->dated)
        return;
    column->number = arena_format(arena,
                                  "toInt64(%s) * if(toInt64(%s) BETWEEN -99999999999 AND "
                                  "99999999999, 1000, 1)",
                                  name, name)
                         .ptr;
    column->value = arena_format(arena, "toString(%s)", column->number).ptr;
}

static bool take_column(void *context, const struct str *fields, struct err *err)
{
    struct columns_reading *reading = context;
    struct engine_columns *out = reading->out;
    bool nullable = false;
    struct str type = inner_type(fields[1], &nullable);

    if (out->table.len == 0)
        out->table = arena_copy(reading->arena, fields[2]);
    else if (!str_eq(out->table, fields[2]))
        return err_set(err, ERR_INPUT, "found both %.*s and %.*s; expected one of them",
                       STR_ARG(out->table), STR_ARG(fields[2]));
    buf_add_format(&reading->names, "%s%.*s", reading->names.len > 0 ? ", " : "",
                   STR_ARG(fields[0]));
    for (size_t i = 0; i < reading->count; i++)
        if (is_called(fields[0], reading->wanted[i].name)) {
            const char *name =
                arena_format(reading->arena, "`%.*s`", STR_ARG(fields[0])).ptr;
            out->at[i] =
                (struct engine_found){.name = name,
                                      .nullable = nullable,
                                      .dated = str_starts(type, STR("Date")),
                                      .text = str_ends(type, STR("String")) ||
                                              str_starts(type, STR("FixedString"))};
            set_value(&out->at[i], type, reading->arena);
            if (reading->wanted[i].is == ENGINE_IS_MOMENT)
                set_moment(&out->at[i], type, reading->arena);
        }
    return true;
}

bool engine_columns_find(struct engine *engine, struct str table, bool loosely,
                         const struct engine_wanted *wanted, size_t count,
                         struct arena *arena, struct engine_columns *out, struct err *err)
{
    static const char *const expressions[] = {"name", "type",
                                              "concat('`', database, '`.`', table, '`')"};
    struct columns_reading reading = {
        .wanted = wanted, .count = count, .out = out, .arena = arena};
    const char *same = loosely ? "lower(replaceAll(%s, '_', ''))" : "%s";
    struct buf rest = {0}, quoted = {0};

    *out = (struct engine_columns){.at = arena_array(arena, struct engine_found, count)};
    engine_add_text(&quoted, table);
    const char *given = buf_keep(&quoted, arena).ptr;
    buf_add(&rest, STR("FROM system.columns WHERE "));
    buf_add_format(&rest, same, expressions[2]);
    buf_add(&rest, STR(" = "));
    buf_add_format(&rest, same, given);
    bool ok = engine_ask(engine, expressions, ROWS_OF(expressions), buf_str(&rest),
                         take_column, &reading, err);
    out->names = buf_keep(&reading.names, arena);
    buf_free(&rest);
    return ok;
}

/* --- values --- */

void engine_add_has(const struct engine_found *column, struct buf *sql)
{
    if (column->nullable)
        buf_add_format(sql, "isNotNull(%s)", column->name);
    else if (column->dated)
        buf_add_format(sql, "toUnixTimestamp(%s) != 0", column->name);
    else if (column->number != NULL)
        buf_add_format(sql, "%s != 0", column->number);
    else
        buf_add_format(sql, "toString(%s) NOT IN ('', '0')", column->name);
}

/* Where it can be, as the number that it is: no text is made of it, and the server finds
 * rows by the order in which it has them. */
const char *engine_number(const struct engine_found *column, struct arena *arena)
{
    if (column->name == NULL)
        return "toInt64(0)";
    if (column->number != NULL && !column->nullable)
        return column->number;
    return column->number != NULL
               ? arena_format(arena, "ifNull(%s, 0)", column->number).ptr
               : arena_format(arena, "ifNull(toInt64OrZero(%s), 0)", column->value).ptr;
}

bool engine_is_missing(const struct engine_found *column,
                       const struct engine_wanted *wanted, struct str text)
{
    return text.len == 0 || str_eq(text, STR("\\N")) ||
           (!column->nullable && !wanted->zero && str_eq(text, STR("0")));
}
