/* Each choice has its place in the settings. */
#include "learn/choice.h"

void choice_apply(const struct choice *choice, struct model_settings *settings)
{
    struct weigh_options *weigh = &settings->weigh;

    if (choice->words_alone)
        model_take_words(settings);
    if (choice->run_max == 1)
        settings->features.kinds &= ~(1u << FEATURES_RUN);
    if (choice->run_max > 1) {
        settings->features.kinds |= 1u << FEATURES_RUN;
        settings->features.run_max = (int)choice->run_max;
    }
    if (choice->df_min > 0)
        weigh->df_min = (size_t)choice->df_min;
    if (choice->df_max > 0)
        weigh->df_max = choice->df_max;
    if (choice->select > 0)
        weigh->select = (size_t)choice->select;
    if (choice->idf.len > 0)
        weigh->idf = str_eq(choice->idf, STR("plain"))  ? WEIGH_IDF_PLAIN
                     : str_eq(choice->idf, STR("none")) ? WEIGH_IDF_NONE
                                                        : WEIGH_IDF_SMOOTH;
    if (choice->stops.len > 0)
        settings->features.no_stop_words = str_eq(choice->stops, STR("drop"));
    for (size_t i = 0; i < PARTS_COUNT; i++)
        if (choice->chosen[i])
            weigh->parts[i] = choice->parts[i];
    if (settings->method == MODEL_KEYWORD_WEIGHT) {
        settings->keyword.length = choice->length;
        settings->keyword.top = (size_t)choice->top;
        settings->keyword.only_top = choice->only_top;
        settings->features.body_wins = choice->body_wins;
    }
}

static bool read_weight(struct str text, struct choice *choice, struct err *err)
{
    struct str name, value = text;
    size_t part = 0;

    str_cut(&value, '=', &name);
    name = str_trim(name);
    while (part < PARTS_COUNT && !str_eq(name, str_from(parts_names[part])))
        part++;
    if (part == PARTS_COUNT)
        return err_set(err, ERR_USAGE,
                       "'%.*s' is no part of a post; expected title, prose, code, "
                       "inline-code or tags, as in title=0.7",
                       STR_ARG(name));
    if (choice->chosen[part])
        return err_set(err, ERR_USAGE, "'%.*s' is there twice", STR_ARG(name));
    if (!str_to_real(str_trim(value), &choice->parts[part]) ||
        !(choice->parts[part] >= 0 && choice->parts[part] <= 1e6))
        return err_set(err, ERR_USAGE,
                       "the weight of %.*s is '%.*s', expected a number of 0 or more",
                       STR_ARG(name), STR_ARG(value));
    choice->chosen[part] = true;
    return true;
}

bool choice_read_weights(struct str text, struct choice *choice, struct err *err)
{
    struct str one;

    for (bool more = true; more;) {
        more = str_cut(&text, ',', &one);
        if (!read_weight(one, choice, err))
            return false;
    }
    return true;
}
