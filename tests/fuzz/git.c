/* Any bytes are the head of a bundle, the beginning of one, or an error; what is a whole
 * head is so whatever follows, and any beginning of it needs more. The same bytes as a
 * commit: its texts are UTF-8 and lie in what they were read from. */
#include <assert.h>
#include <string.h>

#include "git/internal.h"
#include "text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_head(struct str bytes)
{
    struct git_history_bundle_head head = {0}, again = {0};
    struct err err = {0};
    enum git_history_bundle_state state = git_history_bundle_read(bytes, &head, &err);

    assert((state == GIT_HISTORY_BUNDLE_WRONG) == (err.kind == ERR_INPUT));
    if (state == GIT_HISTORY_BUNDLE_WHOLE) {
        struct str only = str_slice(bytes, 0, head.len);
        assert(head.len <= bytes.len);
        assert(git_history_bundle_read(only, &again, &err) == GIT_HISTORY_BUNDLE_WHOLE);
        assert(again.len == head.len && again.refs.count == head.refs.count);
        only.len--;
        assert(git_history_bundle_read(only, &again, &err) == GIT_HISTORY_BUNDLE_MORE);
        for (size_t i = 0; i < head.refs.count; i++)
            assert(head.refs.at[i].name.len > 0 &&
                   head.refs.at[i].name.ptr + head.refs.at[i].name.len <=
                       bytes.ptr + head.len);
    }
    git_history_bundle_free(&head);
    git_history_bundle_free(&again);
}

static void check_commit(struct str bytes)
{
    static struct git_history_findings findings;
    struct git_history_reading reading = {0};
    struct git_history_commit commit = {.key = STR("key")};
    int64_t seconds;
    git_oid tree;

    if (git_history_read_links(bytes, &reading, &tree, &seconds)) {
        git_history_read_commit(bytes, &reading, &commit, &findings);
        const struct str texts[] = {commit.message, commit.subject, commit.author.name,
                                    commit.author.mail, commit.committer.name};
        for (size_t i = 0; i < ROWS_OF(texts); i++)
            assert(texts[i].len == 0 || text_utf8_valid(texts[i]));
        assert(memchr(commit.subject.ptr != NULL ? commit.subject.ptr : "", '\n',
                      commit.subject.len) == NULL);
    }
    git_history_reading_free(&reading);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = {(const char *)data, size};

    check_head(bytes);
    check_commit(bytes);
    return 0;
}
