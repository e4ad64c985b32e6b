/* Comments that say that an answer helped, and comments that do not. None of them is a
 * phrase of the simulator. */
#include "text/thanks.h"

#include "tests/tap.h"

static const struct {
    const char *comment;
    bool thanks;
} rows[] = {
    {"", false},
    {"Thanks!", true},
    {"THANK YOU :-)", true},
    {"@ann thx, will use this from now on", true},
    {"It\u2019s exactly what I needed", true},
    {"Great answer", true},
    {"That makes sense. I had not seen the second flag.", true},
    {"Nope, that's not it", false},
    {"the page is thankless", false},

    {"Thanks, but I get the wrong shape", false},
    {"I had tried something else, but thanks", true},
    {"Thanks. Unfortunately the wheel is gone.", false},
    {"Thanks, it doesn't work", false},
    {"Thanks, it doesn\u2019t really work", false},
    {"thanks, dont think it solves it", false},
    {"Thanks in advance", false},
    {"thanks anyway", false},
    {"Thanks for the edit", false},
    {"Thanks, I have put that into my question", false},
    {"no thanks", false},
    {"If it runs on two cards: thanks", true},
    {"you could thank me", false},

    {"Thanks. And what is the second argument?", false},
    {"It worked! Do you know why?", true},
    {"Thanks, it worked?", false},
    {"Are you sure that it works?", false},

    {"That fixed the import", true},
    {"now it works", true},
    {"Yes that works", true},
    {"a loop that works on tensors", false},
    {"tell me if it works", false},
    {"I hope it works", false},
    {"It never worked for me", false},
    {"It worked on Monday, still broken on the server", false},
    {"it isn't solved", false},
    {"I solved the exercise", false},
    {"The seed was the problem", true},
    {"He wrote \"thanks, it works\" there", false},
    {"see `thanks` in https://example.org/?thanks", false},
    {"\"thanks", true},
    {"It was the quote '", false},

    /* Mere thanks count in short comments alone. */
    {"Thank you. One two three four five six seven eight nine ten one two three four "
     "five six seven eight nine ten one two three four five six seven eight nine ten one "
     "two three four five six seven eight.",
     true},
    {"Thank you. One two three four five six seven eight nine ten one two three four "
     "five six seven eight nine ten one two three four five six seven eight nine ten one "
     "two three four five six seven eight nine.",
     false},
    {"That worked. One two three four five six seven eight nine ten one two three four "
     "five six seven eight nine ten one two three four five six seven eight nine ten one "
     "two three four five six seven eight nine.",
     true},
};

static const struct {
    const char *comment;
    bool outdated;
} aged[] = {
    {"This no longer works in TensorFlow 2.0", true},
    {"tf.contrib is deprecated now, use tf.keras", true},
    {"Doesn't work anymore", true},
    {"It does not work with the latest version, but X does", true},
    {"This answer is outdated. See below.", true},
    {"You no longer have to press it.", true},
    {"This is no longer an option", true},
    {"The function was removed in 1.4", true},
    {"Outdated", true},
    {"Does this no longer work?", false},
    {"It is not deprecated", false},
    {"Works fine, thanks", false},
    {"Such lists tend to go out of date quickly", false},
    {"This will become obsolete very quickly", false},
    {"if it is deprecated, use the other", false},
    {"", false},
};

int main(void)
{
    struct buf work = {0};

    for (size_t i = 0; i < ROWS(aged); i++) {
        tap_case("outdated: %s", aged[i].comment);
        CHECK(text_outdated(str_from(aged[i].comment), &work) == aged[i].outdated);
    }

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].comment);
        CHECK(text_thanks(str_from(rows[i].comment), &work) == rows[i].thanks);
    }
    buf_free(&work);
    return tap_done();
}
