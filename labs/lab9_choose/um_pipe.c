/**
 * @file um_pipe.c
 * @brief Implementation of um_pipe.h: cuts a copy into chunks, and each thread takes the next one when it
 * has a free buffer.
 *
 * The threads start with the pipe and wait for copies: starting and joining ten of them takes half a
 * millisecond of a copy's ten. Threads take chunks instead of being dealt them in turn. Together, the two
 * make 512 MiB to the device a fifth faster on an H200, and equally fast each time (tests/copies/measured/).
 *
 * On the simulator, whose clock is not the machine's, the first thread would take all chunks. So there the
 * chunks are dealt, and the threads take turns, one chunk each: the thread whose call comes first gets the
 * engine first, and the same run has to print the same bytes. Each thread's virtual time still runs by
 * itself; it is handed over at the beginning and end of the copy.
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
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A copy with less than a full chunk for each thread is cut smaller, down to this part of a chunk. Each
 * chunk costs the engine some microseconds; 256 KiB each would halve the bandwidth (measured on an H200). */
#define LEAST_PART 4

/* A copy of fewer full chunks than this uses half chunks and twice as many buffers: from 32 to 128 MiB
 * that was 3 to 10% faster on an H200, at 512 MiB 2% slower to the device. */
#define FULL_CHUNKS 64

/* The most buffers of a worker: its memory is two full chunks. Buffers as large as a page begin at a page. */
enum { SLOTS_MAX = 4, CHUNKS_A_WORKER = 2, PAGE = 4096 };

/* What one thread works with. */
struct worker {
    struct um_pipe *pipe;
    size_t index;
    pthread_t thread;            /* of all but the first, which is the caller's */
    char *pinned;                /* its buffers, one behind the other */
    cudaEvent_t done[SLOTS_MAX]; /* the engine's work on that buffer */
    cudaStream_t stream;
};

/* The threads that wait for copies. */
struct pool {
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    struct task *tasks; /* of the copy in progress */
    size_t wanted;      /* workers that work on it */
    size_t busy;        /* those of them that have not finished, the caller's not counted */
    unsigned copies;    /* how many there were */
    bool over;
    size_t count; /* threads that could be started */
};

struct um_pipe {
    pthread_mutex_t lock;
    int threads, device;
    size_t chunk, small;
    cudaEvent_t before; /* marks what the caller's stream had queued */
    struct pool pool;
    struct worker worker[UM_PIPE_THREADS_MAX];
};

/* One copy. */
struct job {
    struct um_pipe *pipe;
    char *to;
    const char *from;
    size_t bytes, chunk;
    enum cudaMemcpyKind kind;
    size_t threads, slots;
    atomic_size_t taken; /* chunks */
    atomic_int error;    /* the first error */
    /* On the simulator only: */
    pthread_mutex_t turns;
    pthread_cond_t next;
    size_t turn;                    /* whose it is */
    bool gone[UM_PIPE_THREADS_MAX]; /* has no more of them */
    uint64_t begun_ns, ended_ns;    /* in virtual time */
};

/* One thread of it. */
struct task {
    struct job *job;
    struct worker *worker;
    size_t index;
    size_t next; /* its next chunk, where they are dealt */
};

/* A part of the copy that is in a pinned buffer or on its way there. */
struct part {
    size_t offset, bytes;
};

/* ---- one thread's work ---- */

/* Keeps the first error. @return whether there is none */
static bool keep(struct job *job, cudaError_t error)
{
    int none = cudaSuccess;
    if (error != cudaSuccess)
        atomic_compare_exchange_strong(&job->error, &none, (int)error);
    return error == cudaSuccess;
}

static void turn_begins(struct task *task)
{
    struct job *job = task->job;
    if (!um_is_sim())
        return;
    pthread_mutex_lock(&job->turns);
    while (job->turn != task->index)
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

static void turn_ends(struct task *task)
{
    struct job *job = task->job;
    if (!um_is_sim())
        return;
    pthread_mutex_lock(&job->turns);
    pass_on(job);
    pthread_mutex_unlock(&job->turns);
}

/* Takes no more turns; the thread that waits for this one goes on. */
static void leave(struct job *job, size_t index)
{
    pthread_mutex_lock(&job->turns);
    job->gone[index] = true;
    if (job->turn == index)
        pass_on(job);
    pthread_mutex_unlock(&job->turns);
}

/* The next part for this worker; false when there is none, or something failed. */
static bool take(struct task *task, struct part *part)
{
    struct job *job = task->job;
    const size_t chunk = job->chunk;
    const size_t offset = (um_is_sim() ? task->next : atomic_fetch_add(&job->taken, 1)) * chunk;
    if (offset >= job->bytes || atomic_load(&job->error) != cudaSuccess)
        return false;
    task->next += job->threads;
    *part = (struct part){offset, job->bytes - offset < chunk ? job->bytes - offset : chunk};
    return true;
}

/* Tells the simulator's clock what the host's work cost: it cannot see that itself. */
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

static char *buffer(const struct task *task, size_t slot)
{
    return task->worker->pinned + slot * task->job->chunk;
}

static bool queue(struct task *task, size_t slot, void *to, const void *from, size_t bytes)
{
    struct job *job = task->job;
    const struct worker *worker = task->worker;
    return keep(job, cudaMemcpyAsync(to, from, bytes, job->kind, worker->stream)) &&
           keep(job, cudaEventRecord(worker->done[slot], worker->stream));
}

/* To the device, streaming stores help while each buffer is used once, and no more than this is copied: up to
 * a tenth on an H200's host. A buffer that is used again stays in the caches, and the engine reads it there:
 * ordinary stores. */
#define STREAM_MOST ((size_t)32 << 20)

static void send(struct task *task)
{
    struct job *job = task->job;
    const bool once = job->bytes <= STREAM_MOST && job->bytes <= job->slots * job->threads * job->chunk;
    bool used[SLOTS_MAX] = {false};
    struct part part;
    for (size_t slot = 0; take(task, &part); slot = (slot + 1) % job->slots) {
        char *pinned = buffer(task, slot);
        if (used[slot] && !keep(job, cudaEventSynchronize(task->worker->done[slot])))
            return;
        copy_here(pinned, job->from + part.offset, part.bytes, once);
        used[slot] = queue(task, slot, job->to + part.offset, pinned, part.bytes);
        if (!used[slot])
            return;
        turn_ends(task);
        turn_begins(task);
    }
}

/* While the engine fills one buffer, the thread empties another, past the caches: up to a tenth faster. */
static void receive(struct task *task)
{
    struct job *job = task->job;
    struct part parts[SLOTS_MAX] = {{0, 0}};
    bool more = true;
    size_t waiting = 0; /* buffers that are to be emptied */
    for (size_t slot = 0; more || waiting; slot = (slot + 1) % job->slots) {
        char *pinned = buffer(task, slot);
        struct part *part = &parts[slot];
        if (part->bytes) {
            if (!keep(job, cudaEventSynchronize(task->worker->done[slot])))
                return;
            copy_here(job->to + part->offset, pinned, part->bytes, true);
            part->bytes = 0;
            waiting--;
        }
        more = more && take(task, part);
        if (more && !queue(task, slot, pinned, job->from + part->offset, part->bytes))
            return;
        waiting += more;
        turn_ends(task);
        turn_begins(task);
    }
}

/* Virtual time is passed from thread to thread by hand. */
static void take_over_time(const struct job *job)
{
#ifdef UMLAB_SIM
    const uint64_t now = umsim_time_ns();
    if (now < job->begun_ns)
        umsim_host_work_ns(job->begun_ns - now);
#else
    (void)job;
#endif
}

static void hand_on_time(struct job *job)
{
#ifdef UMLAB_SIM
    pthread_mutex_lock(&job->turns);
    if (umsim_time_ns() > job->ended_ns)
        job->ended_ns = umsim_time_ns();
    pthread_mutex_unlock(&job->turns);
#else
    (void)job;
#endif
}

static void work(struct task *task)
{
    struct job *job = task->job;
    const struct worker *worker = task->worker;
    take_over_time(job);
    turn_begins(task);
    if (keep(job, cudaSetDevice(job->pipe->device)) &&
        keep(job, cudaStreamWaitEvent(worker->stream, job->pipe->before, 0))) {
        if (job->kind == cudaMemcpyHostToDevice)
            send(task);
        else
            receive(task);
    }
    keep(job, cudaStreamSynchronize(worker->stream)); /* after an error, too: the buffers are used again */
    hand_on_time(job);
    leave(job, task->index);
}

/* ---- the pool ---- */

static void *stand_by(void *argument)
{
    const struct worker *worker = argument;
    struct pool *pool = &worker->pipe->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->copies == seen && !pool->over)
            pthread_cond_wait(&pool->begin, &pool->lock);
        if (pool->over)
            break;
        seen = pool->copies;
        if (worker->index >= pool->wanted)
            continue;
        pthread_mutex_unlock(&pool->lock);
        work(&pool->tasks[worker->index]);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Starts as many threads as the system allows. */
static void start_pool(struct um_pipe *pipe)
{
    struct pool *pool = &pipe->pool;
    while ((int)pool->count + 1 < pipe->threads &&
           pthread_create(&pipe->worker[pool->count + 1].thread, NULL, stand_by,
                          &pipe->worker[pool->count + 1]) == 0)
        pool->count++;
}

static void end_pool(struct um_pipe *pipe)
{
    struct pool *pool = &pipe->pool;
    pthread_mutex_lock(&pool->lock);
    pool->over = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 1; i <= pool->count; i++)
        pthread_join(pipe->worker[i].thread, NULL);
}

/* Runs all workers at once; the caller is one of them. */
static void work_together(struct um_pipe *pipe, struct task *tasks, size_t threads)
{
    struct pool *pool = &pipe->pool;
    pthread_mutex_lock(&pool->lock);
    pool->tasks = tasks;
    pool->wanted = threads;
    pool->busy = threads - 1;
    pool->copies++;
    if (threads > 1)
        pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    work(&tasks[0]);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- making and freeing ---- */

static cudaError_t make_worker(struct worker *worker, size_t chunk)
{
    void *pinned = NULL;
    cudaError_t error = cudaStreamCreateWithFlags(&worker->stream, cudaStreamNonBlocking);
    for (int i = 0; i < SLOTS_MAX && error == cudaSuccess; i++)
        error = cudaEventCreateWithFlags(&worker->done[i], cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaHostAlloc(&pinned, CHUNKS_A_WORKER * chunk, cudaHostAllocDefault);
    worker->pinned = pinned;
    return error;
}

static void free_worker(struct worker *worker)
{
    cudaFreeHost(worker->pinned);
    for (int i = 0; i < SLOTS_MAX; i++) {
        if (worker->done[i])
            cudaEventDestroy(worker->done[i]);
    }
    if (worker->stream)
        cudaStreamDestroy(worker->stream);
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
    pipe->pool = (struct pool){.lock = PTHREAD_MUTEX_INITIALIZER,
                               .begin = PTHREAD_COND_INITIALIZER,
                               .done = PTHREAD_COND_INITIALIZER};
    pipe->chunk = wanted.chunk_bytes ? wanted.chunk_bytes : UM_PIPE_CHUNK;
    pipe->small = wanted.small_bytes ? wanted.small_bytes : UM_PIPE_SMALL;
    error = cudaGetDevice(&pipe->device);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&pipe->before, cudaEventDisableTiming);
    pipe->threads = wanted.threads ? wanted.threads : default_threads();
    for (int i = 0; i < pipe->threads && error == cudaSuccess; i++) {
        pipe->worker[i].pipe = pipe;
        pipe->worker[i].index = (size_t)i;
        error = make_worker(&pipe->worker[i], pipe->chunk);
    }
    if (error != cudaSuccess) {
        um_pipe_destroy(pipe);
        return error;
    }
    start_pool(pipe);
    *out = pipe;
    return cudaSuccess;
}

void um_pipe_destroy(struct um_pipe *pipe)
{
    if (!pipe)
        return;
    end_pool(pipe);
    for (int i = 0; i < pipe->threads; i++)
        free_worker(&pipe->worker[i]);
    if (pipe->before)
        cudaEventDestroy(pipe->before);
    pthread_mutex_destroy(&pipe->lock);
    free(pipe);
}

/* ---- a copy ---- */

/* Decides how the copy is cut, and for how many threads. */
static void plan(struct job *job)
{
    const struct um_pipe *pipe = job->pipe;
    const size_t pool = pipe->pool.count + 1, share = job->bytes / pool, least = pipe->chunk / LEAST_PART;
    const size_t most = job->bytes < FULL_CHUNKS * pipe->chunk ? pipe->chunk / 2 : pipe->chunk;
    const size_t wanted = share < least ? least : share < most ? share : most;
    job->chunk = (wanted + PAGE - 1) / PAGE * PAGE;
    if (job->chunk == 0 || job->chunk > pipe->chunk)
        job->chunk = pipe->chunk;
    job->slots = CHUNKS_A_WORKER * pipe->chunk / job->chunk;
    if (job->slots > SLOTS_MAX)
        job->slots = SLOTS_MAX;
    const size_t chunks = (job->bytes + job->chunk - 1) / job->chunk;
    job->threads = chunks < pool ? chunks : pool;
}

static cudaError_t run(struct um_pipe *pipe, struct job *job)
{
    struct task tasks[UM_PIPE_THREADS_MAX];
    plan(job);
    for (size_t i = 0; i < job->threads; i++)
        tasks[i] = (struct task){.job = job, .worker = &pipe->worker[i], .index = i, .next = i};
#ifdef UMLAB_SIM
    job->begun_ns = umsim_time_ns();
#endif
    work_together(pipe, tasks, job->threads);
#ifdef UMLAB_SIM
    umsim_host_work_ns(job->ended_ns - umsim_time_ns());
#endif
    return (cudaError_t)atomic_load(&job->error);
}

/* Whether `host` is memory that CUDA does not know, and `device` is the device's own. */
static bool is_worth_it(const void *host, const void *device)
{
    struct cudaPointerAttributes a, b;
    if (cudaPointerGetAttributes(&a, host) == cudaSuccess &&
        cudaPointerGetAttributes(&b, device) == cudaSuccess)
        return a.type == cudaMemoryTypeUnregistered && b.type == cudaMemoryTypeDevice;
    (void)cudaGetLastError(); /* the copy itself reports the error */
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
