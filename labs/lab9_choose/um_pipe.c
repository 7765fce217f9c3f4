/**
 * @file um_pipe.c
 * @brief The pipelined copy. A copy is cut into chunks, and each thread takes the next one when it has a
 * buffer free.
 *
 * The threads are started with the pipe and wait for copies: starting and joining ten of them takes half a
 * millisecond of a copy's ten. Together with taking chunks, instead of being dealt round in turns, that makes
 * 512 MiB a fifth faster to the device on an H200, and as fast each time (tests/copies/measured/).
 *
 * On the simulator, whose clock is not the machine's, the first thread would take all chunks. There they are
 * dealt, and the threads take turns, a chunk each: whose call comes first has the engine first, and the same
 * run is to print the same bytes. Each thread's virtual time goes by itself all the same; it is handed over
 * at the copy's beginning and end.
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

/* Copies that are too small for a full chunk a thread are cut smaller, down to this part of one: each chunk
 * costs the engine some microseconds; 256 KiB each would halve the bandwidth (measured on an H200). */
#define LEAST_PART 4

/* A copy of fewer full chunks than this goes in half ones, twice as many buffers: from 32 to 128 MiB that was
 * 3 to 10% faster on an H200, at 512 MiB 2% slower to the device. */
#define FULL_CHUNKS 64

/* Buffers of a lane at most: its memory is two full chunks. They begin at pages where they are so large. */
enum { SLOTS_MAX = 4, CHUNKS_A_LANE = 2, PAGE = 4096 };

/* What one thread works with. */
struct lane {
    struct um_pipe *pipe;
    size_t index;
    pthread_t thread;            /* of all but the first, which is the caller's */
    char *pinned;                /* its buffers, one behind the other */
    cudaEvent_t done[SLOTS_MAX]; /* the engine's work on that buffer */
    cudaStream_t stream;
};

/* The threads that wait for copies. */
struct crew {
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    struct worker *workers; /* of the copy in progress */
    size_t wanted;          /* lanes that work on it */
    size_t busy;            /* those of them that have not finished, the caller's not counted */
    unsigned copies;        /* how many there were */
    bool over;
    size_t count; /* threads that could be started */
};

struct um_pipe {
    pthread_mutex_t lock;
    int threads, device;
    size_t chunk, small;
    cudaEvent_t before; /* what the caller's stream had queued */
    struct crew crew;
    struct lane lane[UM_PIPE_THREADS_MAX];
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
    atomic_int error;    /* the first that happened */
    /* Of the simulator alone: */
    pthread_mutex_t turns;
    pthread_cond_t next;
    size_t turn;                    /* whose it is */
    bool gone[UM_PIPE_THREADS_MAX]; /* has no more of them */
    uint64_t begun_ns, ended_ns;    /* in virtual time */
};

/* One thread of it. */
struct worker {
    struct job *job;
    struct lane *lane;
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

/* The next part for this worker; false when there is none, or something failed. */
static bool take(struct worker *worker, struct part *part)
{
    struct job *job = worker->job;
    const size_t chunk = job->chunk;
    const size_t offset = (um_is_sim() ? worker->next : atomic_fetch_add(&job->taken, 1)) * chunk;
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

static char *buffer(const struct worker *worker, size_t slot)
{
    return worker->lane->pinned + slot * worker->job->chunk;
}

static bool queue(struct worker *worker, size_t slot, void *to, const void *from, size_t bytes)
{
    struct job *job = worker->job;
    const struct lane *lane = worker->lane;
    return keep(job, cudaMemcpyAsync(to, from, bytes, job->kind, lane->stream)) &&
           keep(job, cudaEventRecord(lane->done[slot], lane->stream));
}

/* To the device, streaming stores help while each buffer is used once, and no more than this is copied: up to
 * a tenth on an H200's host. A buffer that is used again stays in the caches, and the engine reads it there:
 * ordinary stores. */
#define STREAM_MOST ((size_t)32 << 20)

static void send(struct worker *worker)
{
    struct job *job = worker->job;
    const bool once = job->bytes <= STREAM_MOST && job->bytes <= job->slots * job->threads * job->chunk;
    bool used[SLOTS_MAX] = {false};
    struct part part;
    for (size_t slot = 0; take(worker, &part); slot = (slot + 1) % job->slots) {
        char *pinned = buffer(worker, slot);
        if (used[slot] && !keep(job, cudaEventSynchronize(worker->lane->done[slot])))
            return;
        copy_here(pinned, job->from + part.offset, part.bytes, once);
        used[slot] = queue(worker, slot, job->to + part.offset, pinned, part.bytes);
        if (!used[slot])
            return;
        turn_ends(worker);
        turn_begins(worker);
    }
}

/* While the engine fills one buffer, another is emptied, past the caches: up to a tenth faster. */
static void receive(struct worker *worker)
{
    struct job *job = worker->job;
    struct part parts[SLOTS_MAX] = {{0, 0}};
    bool more = true;
    size_t waiting = 0; /* buffers that are to be emptied */
    for (size_t slot = 0; more || waiting; slot = (slot + 1) % job->slots) {
        char *pinned = buffer(worker, slot);
        struct part *part = &parts[slot];
        if (part->bytes) {
            if (!keep(job, cudaEventSynchronize(worker->lane->done[slot])))
                return;
            copy_here(job->to + part->offset, pinned, part->bytes, true);
            part->bytes = 0;
            waiting--;
        }
        more = more && take(worker, part);
        if (more && !queue(worker, slot, pinned, job->from + part->offset, part->bytes))
            return;
        waiting += more;
        turn_ends(worker);
        turn_begins(worker);
    }
}

/* Virtual time goes from thread to thread by hand. */
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

static void work(struct worker *worker)
{
    struct job *job = worker->job;
    const struct lane *lane = worker->lane;
    take_over_time(job);
    turn_begins(worker);
    if (keep(job, cudaSetDevice(job->pipe->device)) &&
        keep(job, cudaStreamWaitEvent(lane->stream, job->pipe->before, 0))) {
        if (job->kind == cudaMemcpyHostToDevice)
            send(worker);
        else
            receive(worker);
    }
    keep(job, cudaStreamSynchronize(lane->stream)); /* after an error, too: the buffers are used again */
    hand_on_time(job);
    leave(job, worker->index);
}

/* ---- the crew ---- */

static void *stand_by(void *argument)
{
    const struct lane *lane = argument;
    struct crew *crew = &lane->pipe->crew;
    unsigned seen = 0;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (crew->copies == seen && !crew->over)
            pthread_cond_wait(&crew->begin, &crew->lock);
        if (crew->over)
            break;
        seen = crew->copies;
        if (lane->index >= crew->wanted)
            continue;
        pthread_mutex_unlock(&crew->lock);
        work(&crew->workers[lane->index]);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->done);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* As many threads as can be had. */
static void start_crew(struct um_pipe *pipe)
{
    struct crew *crew = &pipe->crew;
    while ((int)crew->count + 1 < pipe->threads &&
           pthread_create(&pipe->lane[crew->count + 1].thread, NULL, stand_by,
                          &pipe->lane[crew->count + 1]) == 0)
        crew->count++;
}

static void dismiss_crew(struct um_pipe *pipe)
{
    struct crew *crew = &pipe->crew;
    pthread_mutex_lock(&crew->lock);
    crew->over = true;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->lock);
    for (size_t i = 1; i <= crew->count; i++)
        pthread_join(pipe->lane[i].thread, NULL);
}

/* All of them at once, the caller one of them. */
static void work_together(struct um_pipe *pipe, struct worker *workers, size_t threads)
{
    struct crew *crew = &pipe->crew;
    pthread_mutex_lock(&crew->lock);
    crew->workers = workers;
    crew->wanted = threads;
    crew->busy = threads - 1;
    crew->copies++;
    if (threads > 1)
        pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->lock);
    work(&workers[0]);
    pthread_mutex_lock(&crew->lock);
    while (crew->busy)
        pthread_cond_wait(&crew->done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

/* ---- making and freeing ---- */

static cudaError_t make_lane(struct lane *lane, size_t chunk)
{
    void *pinned = NULL;
    cudaError_t error = cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking);
    for (int i = 0; i < SLOTS_MAX && error == cudaSuccess; i++)
        error = cudaEventCreateWithFlags(&lane->done[i], cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaHostAlloc(&pinned, CHUNKS_A_LANE * chunk, cudaHostAllocDefault);
    lane->pinned = pinned;
    return error;
}

static void free_lane(struct lane *lane)
{
    cudaFreeHost(lane->pinned);
    for (int i = 0; i < SLOTS_MAX; i++) {
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
    pipe->crew = (struct crew){.lock = PTHREAD_MUTEX_INITIALIZER,
                               .begin = PTHREAD_COND_INITIALIZER,
                               .done = PTHREAD_COND_INITIALIZER};
    pipe->chunk = wanted.chunk_bytes ? wanted.chunk_bytes : UM_PIPE_CHUNK;
    pipe->small = wanted.small_bytes ? wanted.small_bytes : UM_PIPE_SMALL;
    error = cudaGetDevice(&pipe->device);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&pipe->before, cudaEventDisableTiming);
    pipe->threads = wanted.threads ? wanted.threads : default_threads();
    for (int i = 0; i < pipe->threads && error == cudaSuccess; i++) {
        pipe->lane[i].pipe = pipe;
        pipe->lane[i].index = (size_t)i;
        error = make_lane(&pipe->lane[i], pipe->chunk);
    }
    if (error != cudaSuccess) {
        um_pipe_destroy(pipe);
        return error;
    }
    start_crew(pipe);
    *out = pipe;
    return cudaSuccess;
}

void um_pipe_destroy(struct um_pipe *pipe)
{
    if (!pipe)
        return;
    dismiss_crew(pipe);
    for (int i = 0; i < pipe->threads; i++)
        free_lane(&pipe->lane[i]);
    if (pipe->before)
        cudaEventDestroy(pipe->before);
    pthread_mutex_destroy(&pipe->lock);
    free(pipe);
}

/* ---- a copy ---- */

/* How it is cut, and for how many threads. */
static void plan(struct job *job)
{
    const struct um_pipe *pipe = job->pipe;
    const size_t crew = pipe->crew.count + 1, share = job->bytes / crew, least = pipe->chunk / LEAST_PART;
    const size_t most = job->bytes < FULL_CHUNKS * pipe->chunk ? pipe->chunk / 2 : pipe->chunk;
    const size_t wanted = share < least ? least : share < most ? share : most;
    job->chunk = (wanted + PAGE - 1) / PAGE * PAGE;
    if (job->chunk == 0 || job->chunk > pipe->chunk)
        job->chunk = pipe->chunk;
    job->slots = CHUNKS_A_LANE * pipe->chunk / job->chunk;
    if (job->slots > SLOTS_MAX)
        job->slots = SLOTS_MAX;
    const size_t chunks = (job->bytes + job->chunk - 1) / job->chunk;
    job->threads = chunks < crew ? chunks : crew;
}

static cudaError_t run(struct um_pipe *pipe, struct job *job)
{
    struct worker workers[UM_PIPE_THREADS_MAX];
    plan(job);
    for (size_t i = 0; i < job->threads; i++)
        workers[i] = (struct worker){.job = job, .lane = &pipe->lane[i], .index = i, .next = i};
#ifdef UMLAB_SIM
    job->begun_ns = umsim_time_ns();
#endif
    work_together(pipe, workers, job->threads);
#ifdef UMLAB_SIM
    umsim_host_work_ns(job->ended_ns - umsim_time_ns());
#endif
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
