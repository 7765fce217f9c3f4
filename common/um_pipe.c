/**
 * @file um_pipe.c
 * @brief The pipelined copy. A copy is cut into chunks, dealt to the threads in turn.
 *
 * Dealt, and not taken by whoever is free: what the threads do is alike, and on the simulator, whose clock is not the
 * machine's, the first thread would take them all. There they also take turns, a chunk each: whose call comes first has
 * the engine first, and the same run is to print the same bytes. Each thread's virtual time goes by itself all the same.
 */
#include "um_pipe.h"

#include "um_backend.h"
#include "um_stream.h"
#ifdef UMLAB_SIM
#include "umsim.h"
#endif

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copies that are too small for a full chunk a thread are cut smaller, down to this part of one: each chunk costs the
 * engine some microseconds, so that 256 KiB each would halve the bandwidth (measured on an H200). */
#define LEAST_PART 4

/* What one thread works with. */
struct lane {
    void *pinned[2];
    cudaEvent_t done[2]; /* the engine's work on that buffer */
    cudaStream_t stream;
};

struct um_pipe {
    pthread_mutex_t lock;
    int threads, device;
    size_t chunk, small;
    cudaEvent_t before; /* what the caller's stream had queued */
    struct lane lane[UM_PIPE_THREADS_MAX];
};

/* One copy. */
struct job {
    struct um_pipe *pipe;
    char *to;
    const char *from;
    size_t bytes, chunk;
    enum cudaMemcpyKind kind;
    size_t threads;
    atomic_int error; /* the first that happened */
    /* Of the simulator alone: */
    pthread_mutex_t turns;
    pthread_cond_t next;
    size_t turn;                    /* whose it is */
    bool gone[UM_PIPE_THREADS_MAX]; /* has no more of them */
};

/* One thread of it. */
struct worker {
    struct job *job;
    struct lane *lane;
    size_t index;
    size_t next; /* its next chunk */
    pthread_t thread;
};

/* A part of the copy that is in a pinned buffer or on its way there. */
struct part {
    size_t offset, bytes;
};

/* ---- making and freeing ---- */

static cudaError_t make_lane(struct lane *lane, size_t chunk)
{
    cudaError_t error = cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking);
    for (int i = 0; i < 2 && error == cudaSuccess; i++) {
        error = cudaEventCreateWithFlags(&lane->done[i], cudaEventDisableTiming);
        if (error == cudaSuccess)
            error = cudaHostAlloc(&lane->pinned[i], chunk, cudaHostAllocDefault);
    }
    return error;
}

static void free_lane(struct lane *lane)
{
    for (int i = 0; i < 2; i++) {
        if (lane->pinned[i])
            cudaFreeHost(lane->pinned[i]);
        if (lane->done[i])
            cudaEventDestroy(lane->done[i]);
    }
    if (lane->stream)
        cudaStreamDestroy(lane->stream);
}

static int default_threads(void)
{
    if (um_is_sim())
        return UM_PIPE_THREADS; /* modelled times do not depend on the cores here */
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores < UM_PIPE_THREADS ? (int)cores : UM_PIPE_THREADS;
}

cudaError_t um_pipe_create(struct um_pipe **out, const struct um_pipe_options *options)
{
    const struct um_pipe_options wanted = options ? *options : (struct um_pipe_options){0};
    struct um_pipe *pipe;
    cudaError_t error;
    *out = NULL;
    if (wanted.threads < 0 || wanted.threads > UM_PIPE_THREADS_MAX)
        return cudaErrorInvalidValue;
    pipe = calloc(1, sizeof *pipe);
    if (!pipe)
        return cudaErrorMemoryAllocation;
    pthread_mutex_init(&pipe->lock, NULL);
    pipe->chunk = wanted.chunk_bytes ? wanted.chunk_bytes : UM_PIPE_CHUNK;
    pipe->small = wanted.small_bytes ? wanted.small_bytes : UM_PIPE_SMALL;
    error = cudaGetDevice(&pipe->device);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&pipe->before, cudaEventDisableTiming);
    pipe->threads = wanted.threads ? wanted.threads : default_threads();
    for (int i = 0; i < pipe->threads && error == cudaSuccess; i++)
        error = make_lane(&pipe->lane[i], pipe->chunk);
    if (error != cudaSuccess)
        um_pipe_destroy(pipe);
    else
        *out = pipe;
    return error;
}

void um_pipe_destroy(struct um_pipe *pipe)
{
    if (!pipe)
        return;
    for (int i = 0; i < pipe->threads; i++)
        free_lane(&pipe->lane[i]);
    if (pipe->before)
        cudaEventDestroy(pipe->before);
    pthread_mutex_destroy(&pipe->lock);
    free(pipe);
}

/* ---- one thread's work ---- */

/* Keeps the first error. @return whether there is none */
static bool keep(struct job *job, cudaError_t error)
{
    int none = cudaSuccess;
    if (error != cudaSuccess)
        atomic_compare_exchange_strong(&job->error, &none, (int)error);
    return error == cudaSuccess;
}

static void turn_begins(struct worker *worker)
{
    struct job *job = worker->job;
    if (!um_is_sim())
        return;
    pthread_mutex_lock(&job->turns);
    while (job->turn != worker->index)
        pthread_cond_wait(&job->next, &job->turns);
    pthread_mutex_unlock(&job->turns);
}

static void pass_on(struct job *job)
{
    for (size_t i = 0; i < job->threads; i++) {
        job->turn = (job->turn + 1) % job->threads;
        if (!job->gone[job->turn])
            break;
    }
    pthread_cond_broadcast(&job->next);
}

static void turn_ends(struct worker *worker)
{
    struct job *job = worker->job;
    if (!um_is_sim())
        return;
    pthread_mutex_lock(&job->turns);
    pass_on(job);
    pthread_mutex_unlock(&job->turns);
}

/* It takes no more turns; whoever waits for it goes on. */
static void leave(struct job *job, size_t index)
{
    pthread_mutex_lock(&job->turns);
    job->gone[index] = true;
    if (job->turn == index)
        pass_on(job);
    pthread_mutex_unlock(&job->turns);
}

/* The worker's next part; false when there is none, or something failed. */
static bool take(struct worker *worker, struct part *part)
{
    const struct job *job = worker->job;
    const size_t chunk = job->chunk, offset = worker->next * chunk;
    if (offset >= job->bytes || atomic_load(&job->error) != cudaSuccess)
        return false;
    worker->next += job->threads;
    *part = (struct part){offset, job->bytes - offset < chunk ? job->bytes - offset : chunk};
    return true;
}

/* The simulator's clock knows of the host's work what it is told. */
static void copy_here(void *to, const void *from, size_t bytes, bool stream)
{
    if (stream)
        um_stream_copy(to, from, bytes);
    else
        memcpy(to, from, bytes);
#ifdef UMLAB_SIM
    umsim_host_copied(bytes);
#endif
}

static bool queue(struct worker *worker, int slot, void *to, const void *from, size_t bytes)
{
    struct job *job = worker->job;
    const struct lane *lane = worker->lane;
    return keep(job, cudaMemcpyAsync(to, from, bytes, job->kind, lane->stream)) &&
           keep(job, cudaEventRecord(lane->done[slot], lane->stream));
}

/* A pinned buffer that is used again and again stays in the caches, and the engine reads it there: ordinary stores. Where a
 * copy uses each only once, streaming ones are up to a third faster (8 to 64 MiB on an H200's host). */
static void send(struct worker *worker)
{
    struct job *job = worker->job;
    const bool once = job->bytes <= 2 * job->threads * job->chunk;
    const struct lane *lane = worker->lane;
    bool used[2] = {false, false};
    struct part part;
    for (int slot = 0; take(worker, &part); slot = !slot) {
        if (used[slot] && !keep(job, cudaEventSynchronize(lane->done[slot])))
            return;
        copy_here(lane->pinned[slot], job->from + part.offset, part.bytes, once);
        used[slot] = queue(worker, slot, job->to + part.offset, lane->pinned[slot], part.bytes);
        if (!used[slot])
            return;
        turn_ends(worker);
        turn_begins(worker);
    }
}

/* While the engine fills one buffer, the other is emptied, past the caches: 128 MiB and more are up to a quarter faster. */
static void receive(struct worker *worker)
{
    struct job *job = worker->job;
    const struct lane *lane = worker->lane;
    struct part parts[2] = {{0, 0}, {0, 0}};
    bool more = true;
    for (int slot = 0; more || parts[slot].bytes; slot = !slot) {
        if (parts[slot].bytes) {
            if (!keep(job, cudaEventSynchronize(lane->done[slot])))
                return;
            copy_here(job->to + parts[slot].offset, lane->pinned[slot], parts[slot].bytes, true);
            parts[slot].bytes = 0;
        }
        more = more && take(worker, &parts[slot]);
        if (more &&
            !queue(worker, slot, lane->pinned[slot], job->from + parts[slot].offset, parts[slot].bytes))
            return;
        turn_ends(worker);
        turn_begins(worker);
    }
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct job *job = worker->job;
    const struct lane *lane = worker->lane;
    turn_begins(worker);
    if (keep(job, cudaSetDevice(job->pipe->device)) &&
        keep(job, cudaStreamWaitEvent(lane->stream, job->pipe->before, 0))) {
        if (job->kind == cudaMemcpyHostToDevice)
            send(worker);
        else
            receive(worker);
    }
    keep(job, cudaStreamSynchronize(lane->stream)); /* after an error, too: the buffers are used again */
    leave(job, worker->index);
    return NULL;
}

/* ---- a copy ---- */

static cudaError_t run(struct um_pipe *pipe, struct job *job)
{
    struct worker workers[UM_PIPE_THREADS_MAX];
    const size_t share = job->bytes / (size_t)pipe->threads, least = pipe->chunk / LEAST_PART;
    size_t started = 1, chunks;
    job->chunk = share < least ? least : share < pipe->chunk ? share : pipe->chunk;
    chunks = (job->bytes + job->chunk - 1) / job->chunk;
    job->threads = chunks < (size_t)pipe->threads ? chunks : (size_t)pipe->threads;
    for (size_t i = 0; i == 0 || i < job->threads; i++)
        workers[i] = (struct worker){.job = job, .lane = &pipe->lane[i], .index = i, .next = i};
    while (started < job->threads &&
           pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
        started++;
    for (size_t i = started; i < job->threads; i++)
        leave(job, i);
    work(&workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (size_t i = started; i < job->threads; i++) { /* what no thread could be started for */
        job->turn = i;
        work(&workers[i]);
    }
    return (cudaError_t)atomic_load(&job->error);
}

/* Whether `host` is memory that only the host knows, and `device` the device's own. */
static bool is_worth_it(const void *host, const void *device)
{
    struct cudaPointerAttributes a, b;
    if (cudaPointerGetAttributes(&a, host) == cudaSuccess &&
        cudaPointerGetAttributes(&b, device) == cudaSuccess)
        return a.type == cudaMemoryTypeUnregistered && b.type == cudaMemoryTypeDevice;
    (void)cudaGetLastError(); /* the copy itself says what is wrong */
    return false;
}

cudaError_t um_pipe_copy(struct um_pipe *pipe, void *to, const void *from, size_t bytes,
                         enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const bool up = kind == cudaMemcpyHostToDevice, down = kind == cudaMemcpyDeviceToHost;
    cudaError_t error;
    if (bytes < pipe->small || (!up && !down) || !is_worth_it(up ? from : to, up ? to : from))
        return stream ? cudaMemcpyAsync(to, from, bytes, kind, stream) : cudaMemcpy(to, from, bytes, kind);
    pthread_mutex_lock(&pipe->lock);
    error = cudaEventRecord(pipe->before, stream);
    if (error == cudaSuccess) {
        struct job job = {.pipe = pipe,
                          .to = to,
                          .from = from,
                          .bytes = bytes,
                          .kind = kind,
                          .turns = PTHREAD_MUTEX_INITIALIZER,
                          .next = PTHREAD_COND_INITIALIZER};
        error = run(pipe, &job);
    }
    pthread_mutex_unlock(&pipe->lock);
    return error;
}
