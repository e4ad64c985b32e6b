/* libcurl underneath: its easy interface for one question, its multi interface for
 * several. */
#include "net/net.h"

#include <curl/curl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/list.h"
#include "base/progress.h"
#include "base/stop.h"

enum {
    CONNECT_SECONDS = 10,
    PAUSE_STEP_MS = 50,
    SEND_AT_ONCE = 512 << 10, /* bytes of a large body, instead of 64 KB */
};

struct net {
    struct arena arena; /* holds the struct itself */
    CURL *curl;
};

static pthread_once_t begun = PTHREAD_ONCE_INIT;

static void init_once(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

static CURL *new_curl(void)
{
    pthread_once(&begun, init_once);
    return curl_easy_init();
}

struct net *net_open(void)
{
    CURL *curl = new_curl();

    if (curl == NULL)
        return NULL;
    struct arena room = {0};
    struct net *net = arena_array(&room, struct net, 1);
    net->arena = room;
    net->curl = curl;
    return net;
}

void net_close(struct net *net)
{
    if (net == NULL)
        return;
    curl_easy_cleanup(net->curl);
    struct arena room = net->arena;
    arena_free(&room);
}

static int look(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)context, (void)a, (void)b, (void)c, (void)d;
    return stop_requested();
}

static struct curl_slist *headers_of(const struct net_request *request)
{
    struct curl_slist *list = curl_slist_append(NULL, "Expect:"); /* no asking whether */

    for (const char *const *header = request->headers; header != NULL && *header != NULL;
         header++)
        list = curl_slist_append(list, *header);
    return list;
}

static void set_up(CURL *curl, const struct net_request *request,
                   struct curl_slist *headers)
{
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, request->url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    const char *trusted = getenv("SSL_CERT_FILE");
    if (trusted != NULL && *trusted != '\0')
        curl_easy_setopt(curl, CURLOPT_CAINFO, trusted);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (request->packed)
        curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, ""); /* whatever it knows */
    if (!request->get) {
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)request->body.len);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body.ptr);
        if (request->body.len > SEND_AT_ONCE)
            curl_easy_setopt(curl, CURLOPT_UPLOAD_BUFFERSIZE, (long)SEND_AT_ONCE);
    }
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    if (request->silent_seconds > 0) {
        curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
        curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, request->silent_seconds);
    }
    if (request->seconds > 0)
        curl_easy_setopt(curl, CURLOPT_TIMEOUT, request->seconds);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look);
}

const char net_silence[] = "no answer came in time";
const char net_untrusted[] =
    "its certificate is not trusted: it is for another name, or by somebody whom this "
    "machine does not know, or there is no such file as SSL_CERT_FILE names, which has "
    "the certificates to trust";
const char net_endless[] = "nothing tells where its answer ends";

/* An answer may end where its connection does, which also ends where a server dies. */
static bool tells_end(CURL *curl)
{
    curl_off_t length = -1;
    long version = 0;
    struct curl_header *header;

    curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    curl_easy_getinfo(curl, CURLINFO_HTTP_VERSION, &version);
    return length >= 0 || version >= CURL_HTTP_VERSION_2_0 ||
           curl_easy_header(curl, "Transfer-Encoding", 0, CURLH_HEADER, -1, &header) ==
               CURLHE_OK;
}

/* Whoever was never reached was not silent. */
static const char *reason(CURL *curl, CURLcode code, bool whole)
{
    curl_off_t reached = 0;

    if (code == CURLE_OK)
        return whole && !tells_end(curl) ? net_endless : NULL;
    if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE)
        return net_untrusted;
    curl_easy_getinfo(curl, CURLINFO_PRETRANSFER_TIME_T, &reached);
    return code == CURLE_OPERATION_TIMEDOUT && reached > 0 ? net_silence
                                                           : curl_easy_strerror(code);
}

/* One question. */

struct net_stream {
    CURL *curl;
    net_take *take;
    void *context;
};

static size_t receive(char *bytes, size_t size, size_t count, void *context)
{
    const struct net_stream *stream = context;
    long status = 0;

    curl_easy_getinfo(stream->curl, CURLINFO_RESPONSE_CODE, &status);
    return stream->take(stream->context, status, (struct str){bytes, size * count})
               ? size * count
               : 0;
}

const char *net_ask(struct net *net, const struct net_request *request, net_take *take,
                    void *context, long *status)
{
    struct net_stream stream = {net->curl, take, context};
    struct curl_slist *headers = headers_of(request);

    set_up(net->curl, request, headers);
    curl_easy_setopt(net->curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(net->curl, CURLOPT_WRITEDATA, &stream);
    CURLcode code = curl_easy_perform(net->curl);
    *status = 0;
    curl_easy_getinfo(net->curl, CURLINFO_RESPONSE_CODE, status);
    curl_slist_free_all(headers);
    return reason(net->curl, code, request->whole);
}

/* Several. */

struct net_job {
    CURL *curl;
    struct curl_slist *headers;
    struct buf body;
    void *about;
    bool busy, whole;
};

struct net_pool {
    struct arena arena; /* holds the struct itself, and jobs */
    CURLM *multi;
    LIST(struct net_job *) jobs;
    struct buf given; /* the answer that was given last */
};

struct net_pool *net_pool_open(void)
{
    pthread_once(&begun, init_once);
    CURLM *multi = curl_multi_init();
    if (multi == NULL)
        return NULL;
    struct arena room = {0};
    struct net_pool *pool = arena_array(&room, struct net_pool, 1);
    pool->arena = room;
    pool->multi = multi;
    return pool;
}

void net_pool_close(struct net_pool *pool)
{
    if (pool == NULL)
        return;
    for (size_t i = 0; i < pool->jobs.count; i++) {
        struct net_job *job = pool->jobs.at[i];
        if (job->busy)
            curl_multi_remove_handle(pool->multi, job->curl);
        curl_easy_cleanup(job->curl);
        curl_slist_free_all(job->headers);
        buf_free(&job->body);
    }
    list_free(&pool->jobs);
    buf_free(&pool->given);
    curl_multi_cleanup(pool->multi);
    struct arena room = pool->arena;
    arena_free(&room);
}

static size_t keep(char *bytes, size_t size, size_t count, void *context)
{
    struct net_job *job = context;
    size_t len = size * count;

    if (job->body.len + len > NET_BODY_MAX)
        return 0;
    buf_add(&job->body, (struct str){bytes, len});
    return len;
}

static struct net_job *idle_job(struct net_pool *pool)
{
    for (size_t i = 0; i < pool->jobs.count; i++)
        if (!pool->jobs.at[i]->busy)
            return pool->jobs.at[i];
    CURL *curl = new_curl();
    if (curl == NULL)
        return NULL;
    struct net_job *job = arena_array(&pool->arena, struct net_job, 1);
    job->curl = curl;
    list_add(&pool->jobs, job);
    return job;
}

bool net_pool_add(struct net_pool *pool, const struct net_request *request, void *about,
                  struct err *err)
{
    struct net_job *job = idle_job(pool);

    if (job == NULL)
        return err_set(err, ERR_SYSTEM, "there is no memory to ask %s", request->url);
    curl_slist_free_all(job->headers);
    job->headers = headers_of(request);
    job->about = about;
    job->whole = request->whole;
    buf_clear(&job->body);
    set_up(job->curl, request, job->headers);
    curl_easy_setopt(job->curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(job->curl, CURLOPT_WRITEDATA, job);
    curl_easy_setopt(job->curl, CURLOPT_PRIVATE, job);
    job->busy = curl_multi_add_handle(pool->multi, job->curl) == CURLM_OK;
    net_pool_move(pool);
    return job->busy || err_set(err, ERR_SYSTEM, "%s: cannot be asked", request->url);
}

void net_pool_move(struct net_pool *pool)
{
    int running = 0;

    if (pool != NULL)
        curl_multi_perform(pool->multi, &running);
}

static void finish(struct net_pool *pool, struct net_job *job, CURLcode code,
                   struct net_answer *out)
{
    curl_off_t wait = 0, took = 0;
    char *to = NULL;
    struct buf body = pool->given;

    *out = (struct net_answer){.why = reason(job->curl, code, job->whole), .wait = NAN};
    curl_easy_getinfo(job->curl, CURLINFO_RESPONSE_CODE, &out->status);
    curl_easy_getinfo(job->curl, CURLINFO_RETRY_AFTER, &wait);
    curl_easy_getinfo(job->curl, CURLINFO_TOTAL_TIME_T, &took);
    if (wait > 0)
        out->wait = (double)wait;
    out->took = (double)took / 1e6;
    curl_easy_getinfo(job->curl, CURLINFO_REDIRECT_URL, &to);
    out->to = to;
    curl_multi_remove_handle(pool->multi, job->curl);
    job->busy = false;
    pool->given = job->body;
    job->body = body;
    out->body = buf_str(&pool->given);
}

bool net_pool_next(struct net_pool *pool, long ms, struct net_answer *out, void **about)
{
    int64_t end = progress_clock_ms() + ms;

    for (;;) {
        int running = 0, queued = 0;
        curl_multi_perform(pool->multi, &running);
        CURLMsg *message = curl_multi_info_read(pool->multi, &queued);
        if (message != NULL && message->msg == CURLMSG_DONE) {
            char *private = NULL;
            CURLcode code = message->data.result;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
            struct net_job *job = (struct net_job *)(void *)private;
            finish(pool, job, code, out);
            *about = job->about;
            return true;
        }
        int64_t left = end - progress_clock_ms();
        if (left <= 0 || running == 0 || stop_requested())
            return false;
        curl_multi_poll(pool->multi, NULL, 0,
                        (int)(left < PAUSE_STEP_MS ? left : PAUSE_STEP_MS), NULL);
    }
}

void net_pause(long ms)
{
    for (; ms > 0 && !stop_requested(); ms -= PAUSE_STEP_MS) {
        long step = ms < PAUSE_STEP_MS ? ms : PAUSE_STEP_MS;
        struct timespec time = {step / 1000, step % 1000 * 1000000};
        nanosleep(&time, NULL);
    }
}
