/**
 * @file halves.c
 * @brief Implementation of halves.h: a stencil on two devices that show each other their edges.
 *
 * The edge that a device shows is the row of its half that lies at the seam. A device may begin step s when
 * the other one has ended step s - 1: then the edge is there, and nobody reads any more what will be
 * overwritten. Events say so, in the streams; the host waits once, at the end. (With the edges through the
 * host it has to wait in each step.)
 */
#include <math.h>

#include "halves.h"

/* How the edges get to the other side. In the order of the lab's table. */
enum plan {
    ONE_DEVICE, /* nothing is split: for comparison */
    BY_HOST,
    BY_COPY,
    BEHIND_WORK, /* by copies, while the rest of the half is worked on */
    BY_ACCESS,   /* the kernel reads the other device's row */
    BY_FAULTS,   /* managed memory, told nothing */
    ADVISED,     /* managed memory: each half prefers its device, and the other one has it mapped */
    PLANS
};

static const struct {
    unsigned needs;
    const char *drawn; /* NULL: it is not */
} plans[PLANS] = {{NEEDS_NOTHING, NULL},          {NEEDS_NOTHING, "halo-host"},  {NEEDS_ACCESS, "halo-copy"},
                  {NEEDS_ACCESS, "halo-overlap"}, {NEEDS_ACCESS, "halo-direct"}, {NEEDS_MANAGED, NULL},
                  {NEEDS_MANAGED, NULL}};

static struct timeline drawn[PLANS]; /* of the fastest repetition */
static float *expected;              /* after all steps; made by the first run */

/* One device's part. */
struct half {
    float *now, *next; /* n floats each */
    float *edge;       /* ROW floats: a copy of the other one's edge */
    float *border;     /* ROW floats of 0 */
    float *buffer;     /* ROW floats, pinned: its own edge on its way */
    cudaEvent_t computed, sent;
};

/* One run. */
struct halves {
    enum plan plan;
    size_t n; /* floats of a half */
    struct half half[DEVICES];
    float *whole[2]; /* managed: what the halves are parts of */
    struct um_row *row;
    struct timeline line;
};

/* ---- what it should come to ---- */

static void host_step(float *out, const float *in, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float up = i < ROW ? 0 : in[i - ROW], down = i + ROW >= n ? 0 : in[i + ROW];
        out[i] = 0.25f * up + 0.5f * in[i] + 0.25f * down;
    }
}

static bool expect(size_t n, uint64_t seed)
{
    float *other = NULL;

    if (expected)
        return true;
    UM_NEED(expected = malloc(n * sizeof *expected));
    UM_NEED(other = malloc(n * sizeof *other));
    um_fill_floats(expected, n, seed);
    for (int step = 0; step < STEPS; step += 2) {
        host_step(other, expected, n);
        host_step(expected, other, n);
    }
    free(other);
    return true;
cleanup:
    halves_drop();
    return false;
}

void halves_drop(void)
{
    free(expected);
    expected = NULL;
}

/* ---- memory ---- */

static bool is_managed(enum plan plan)
{
    return plan == BY_FAULTS || plan == ADVISED;
}

/* Elements on this device. */
static size_t part_of(const struct halves *it, int d)
{
    return it->plan != ONE_DEVICE ? it->n : d == 0 ? 2 * it->n : 0;
}

static cudaError_t get_half(struct halves *it, int d)
{
    struct half *half = &it->half[d];
    const size_t bytes = part_of(it, d) * sizeof(float), row = ROW * sizeof(float);
    cudaError_t error = cudaSuccess;

    if (!is_managed(it->plan) && bytes > 0)
        error = pair_malloc(d, (void **)&half->now, bytes);
    if (!is_managed(it->plan) && bytes > 0 && error == cudaSuccess)
        error = pair_malloc(d, (void **)&half->next, bytes);
    if (error == cudaSuccess)
        error = pair_malloc(d, (void **)&half->edge, row);
    if (error == cudaSuccess)
        error = pair_malloc(d, (void **)&half->border, row);
    if (error == cudaSuccess)
        error = cudaMemset(half->border, 0, row);
    if (error == cudaSuccess)
        error = cudaHostAlloc((void **)&half->buffer, row, cudaHostAllocPortable);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&half->computed, cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&half->sent, cudaEventDisableTiming);
    return error;
}

static cudaError_t get_managed(struct halves *it)
{
    cudaError_t error = cudaSuccess;

    for (int k = 0; k < 2 && error == cudaSuccess; k++) {
        error = cudaMallocManaged((void **)&it->whole[k], 2 * it->n * sizeof(float), cudaMemAttachGlobal);
    }
    for (int d = 0; d < DEVICES && error == cudaSuccess; d++) {
        it->half[d].now = it->whole[0] + (size_t)d * it->n;
        it->half[d].next = it->whole[1] + (size_t)d * it->n;
    }
    return error;
}

static cudaError_t get(struct halves *it)
{
    cudaError_t error = is_managed(it->plan) ? get_managed(it) : cudaSuccess;

    for (int d = 0; d < DEVICES && error == cudaSuccess; d++)
        error = get_half(it, d);
    return error;
}

static void give_back(struct halves *it)
{
    for (int d = 0; d < DEVICES; d++) {
        struct half *half = &it->half[d];

        if (!is_managed(it->plan)) {
            cudaFree(half->now);
            cudaFree(half->next);
        }
        cudaFree(half->edge);
        cudaFree(half->border);
        cudaFreeHost(half->buffer);
        if (half->computed)
            cudaEventDestroy(half->computed);
        if (half->sent)
            cudaEventDestroy(half->sent);
        cudaFree(it->whole[d]);
    }
    timeline_drop(&it->line);
}

/* Told before anything is there: where a half shall be, and who else looks at it. */
static cudaError_t advise(float *half, size_t bytes, int d)
{
    cudaError_t error = um_advise(half, bytes, cudaMemAdviseSetPreferredLocation, d); /* cudaMemAdvise */

    return error == cudaSuccess ? um_advise(half, bytes, cudaMemAdviseSetAccessedBy, 1 - d) : error;
}

static cudaError_t place_managed(struct halves *it)
{
    const size_t bytes = it->n * sizeof(float);
    cudaError_t error = cudaSuccess;

    for (int d = 0; d < DEVICES && error == cudaSuccess; d++) {
        float *const both[] = {it->half[d].now, it->half[d].next};

        for (int k = 0; k < 2 && error == cudaSuccess; k++) {
            if (it->plan == ADVISED)
                error = advise(both[k], bytes, d);
            if (error == cudaSuccess)
                error = um_prefetch(both[k], bytes, d, 0); /* cudaMemPrefetchAsync */
        }
    }
    return error;
}

/* `values` is the whole array. */
static cudaError_t fill(struct halves *it, const float *values)
{
    cudaError_t error = cudaSuccess;

    for (int d = 0; d < DEVICES && error == cudaSuccess; d++) {
        const size_t part = part_of(it, d);

        if (part > 0)
            error = cudaMemcpy(it->half[d].now, values + (size_t)d * it->n, part * sizeof(float),
                               cudaMemcpyDefault);
    }
    if (error == cudaSuccess && is_managed(it->plan))
        error = place_managed(it);
    return error == cudaSuccess ? pair_wait() : error;
}

/* ---- one step ---- */

/* The row that the other device needs. */
static float *seam(const struct halves *it, int d)
{
    return it->half[d].now + (d == 0 ? it->n - ROW : 0);
}

/* A kernel over `n` floats of a half from `at` on, with the rows above and below these. */
static cudaError_t smooth(struct halves *it, int d, size_t at, size_t n, const float *above,
                          const float *below)
{
    const struct half *half = &it->half[d];
    const cudaStream_t stream = side[d].kernels;
    cudaError_t error = timeline_mark(&it->line, ENGINE_COMPUTE, d, stream);

    if (error == cudaSuccess)
        error = um_smooth(half->next + at, half->now + at, above, below, n, ROW, stream);
    return error == cudaSuccess ? timeline_done(&it->line, stream) : error;
}

/* All of a half; `edge` is the other's row, wherever that is. */
static cudaError_t smooth_half(struct halves *it, int d, const float *edge)
{
    const float *border = it->half[d].border;

    return smooth(it, d, 0, part_of(it, d), d == 0 ? border : edge, d == 0 ? edge : border);
}

/* ... all but the row at the seam, for which the other's is not needed; and that row. */
static cudaError_t smooth_inner(struct halves *it, int d)
{
    const struct half *half = &it->half[d];

    if (d == 0)
        return smooth(it, d, 0, it->n - ROW, half->border, seam(it, d));
    return smooth(it, d, ROW, it->n - ROW, seam(it, d), half->border);
}

static cudaError_t smooth_seam(struct halves *it, int d)
{
    const struct half *half = &it->half[d];

    if (d == 0)
        return smooth(it, d, it->n - ROW, ROW, seam(it, d) - ROW, half->edge);
    return smooth(it, d, 0, ROW, half->edge, seam(it, d) + ROW);
}

static cudaError_t copy(struct halves *it, enum engine engine, int d, cudaStream_t stream, void *to,
                        const void *from)
{
    cudaError_t error = timeline_mark(&it->line, engine, d, stream);

    if (error == cudaSuccess)
        error = cudaMemcpyAsync(to, from, ROW * sizeof(float), cudaMemcpyDefault, stream);
    return error == cudaSuccess ? timeline_done(&it->line, stream) : error;
}

/* `stream` goes on when the other device has ended the step before. In the first step nobody has. */
static cudaError_t after_other(const struct halves *it, int d, cudaStream_t stream)
{
    return it->line.step == 0 ? cudaSuccess : pair_after(stream, it->half[1 - d].computed);
}

/* Down to the host, where everybody waits, and up again. */
static bool edges_by_host(struct halves *it)
{
    for (int d = 0; d < DEVICES; d++) {
        UM_TRY(pair_on(d));
        UM_TRY(after_other(it, d, side[d].kernels)); /* which has taken the last edge out of the buffer */
        UM_TRY(copy(it, ENGINE_HOST, d, side[d].kernels, it->half[d].buffer, seam(it, d)));
        um_row_copied_d2h(it->row, ROW * sizeof(float));
    }
    for (int d = 0; d < DEVICES; d++)
        UM_TRY(cudaStreamSynchronize(side[d].kernels));
    for (int d = 0; d < DEVICES; d++) {
        UM_TRY(pair_on(d));
        UM_TRY(copy(it, ENGINE_HOST, d, side[d].kernels, it->half[d].edge, it->half[1 - d].buffer));
        um_row_copied_h2d(it->row, ROW * sizeof(float));
    }
    return true;
cleanup:
    return false;
}

/* Each device sends its edge to the other one, in a stream of its own: fetched by the one that gets it, a
 * copy takes longer (lab 10's README). Before that the other one has ended the step in which it used the last
 * edge.
 */
static bool send_edge(struct halves *it, int d, cudaStream_t stream)
{
    UM_TRY(pair_on(d));
    UM_TRY(after_other(it, d, stream));
    UM_TRY(copy(it, ENGINE_TO_PEER, d, stream, it->half[1 - d].edge, seam(it, d)));
    UM_TRY(cudaEventRecord(it->half[d].sent, stream));
    um_row_copied_d2d(it->row, ROW * sizeof(float));
    return true;
cleanup:
    return false;
}

static bool edges_by_copy(struct halves *it)
{
    return send_edge(it, 0, side[0].kernels) && send_edge(it, 1, side[1].kernels);
}

/* ... in a stream for copies, which has to wait for the device's own kernel; meanwhile the kernels go on. */
static bool edges_behind_work(struct halves *it)
{
    for (int d = 0; d < DEVICES; d++) {
        if (it->line.step > 0)
            UM_TRY(pair_after(side[d].copies, it->half[d].computed));
        if (!send_edge(it, d, side[d].copies))
            return false;
        UM_TRY(smooth_inner(it, d));
    }
    return true;
cleanup:
    return false;
}

static bool edges(struct halves *it)
{
    switch (it->plan) {
    case BY_HOST:
        return edges_by_host(it);
    case BY_COPY:
        return edges_by_copy(it);
    case BEHIND_WORK:
        return edges_behind_work(it);
    case ONE_DEVICE:
        return true;
    default: /* the kernels read them where they are: they only have to be ready */
        for (int d = 0; d < DEVICES; d++) {
            if (!UM_CHECK(after_other(it, d, side[d].kernels)))
                return false;
        }
        return true;
    }
}

static cudaError_t compute(struct halves *it, int d)
{
    const bool in_place = it->plan == BY_ACCESS || is_managed(it->plan);
    cudaError_t error;

    if (it->plan == ONE_DEVICE)
        return smooth_half(it, d, it->half[d].border);
    if (it->plan == BY_HOST || in_place)
        return smooth_half(it, d, in_place ? seam(it, 1 - d) : it->half[d].edge);
    error = pair_after(side[d].kernels, it->half[1 - d].sent);
    if (error != cudaSuccess)
        return error;
    return it->plan == BY_COPY ? smooth_half(it, d, it->half[d].edge) : smooth_seam(it, d);
}

static bool step(struct halves *it)
{
    const int devices = it->plan == ONE_DEVICE ? 1 : DEVICES;

    if (!edges(it))
        return false;
    for (int d = 0; d < devices; d++) {
        UM_TRY(pair_on(d));
        UM_TRY(compute(it, d));
    }
    for (int d = 0; d < devices; d++) { /* not before both have been told to wait for the step before */
        UM_TRY(pair_on(d));
        UM_TRY(cudaEventRecord(it->half[d].computed, side[d].kernels));
        float *now = it->half[d].next;
        it->half[d].next = it->half[d].now;
        it->half[d].now = now;
    }
    return true;
cleanup:
    return false;
}

/* ---- a run ---- */

static bool all_steps(struct halves *it)
{
    for (it->line.step = 0; it->line.step < STEPS; it->line.step++) {
        if (!step(it))
            return false;
    }
    return UM_CHECK(pair_wait());
}

/* Once more, with events around everything: a hundred more calls, so this run is drawn and not measured. */
static bool drawn_run(struct halves *it)
{
    double start_us;

    UM_TRY(timeline_begin(&it->line));
    UM_TRY(pair_wait());
    start_us = um_now_us();
    if (!all_steps(it))
        return false;
    it->line.total_us = um_now_us() - start_us;
    UM_TRY(timeline_read(&it->line));
    if (drawn[it->plan].total_us == 0 || it->line.total_us < drawn[it->plan].total_us)
        drawn[it->plan] = it->line;
    return true;
cleanup:
    return false;
}

static bool read_back(const struct halves *it, float *values)
{
    for (int d = 0; d < DEVICES; d++) {
        const size_t part = part_of(it, d);

        if (part > 0)
            UM_TRY(cudaMemcpy(values + (size_t)d * it->n, it->half[d].now, part * sizeof *values,
                              cudaMemcpyDefault));
    }
    return true;
cleanup:
    return false;
}

void halves(struct um_run *run, int first)
{
    const size_t n = run->size / sizeof(float);
    struct halves it = {.plan = (enum plan)(run->group - first), .n = n / 2};
    const bool far = it.plan == BY_ACCESS || it.plan == ADVISED;
    float *values = NULL;

    it.row = pair_begin(run, plans[it.plan].needs);
    if (!it.row)
        return;
    UM_NEED(values = malloc(run->size));
    if (!expect(n, run->seed))
        goto cleanup;
    um_fill_floats(values, n, run->seed);
    UM_TRY(get(&it));
    UM_TRY(fill(&it, values));
    um_phase(it.row, UM_PHASE_MIXED);
    if (!all_steps(&it))
        goto cleanup;
    um_phase_end(it.row);
    pair_tell(it.row, far ? STEPS * 2.0 * ROW * sizeof(float) : 0);
    um_row_verified(it.row,
                    read_back(&it, values) && um_verify_bytes(run->strategy, values, expected, run->size));
    if (plans[it.plan].drawn)
        um_row_verified(it.row, drawn_run(&it));
cleanup:
    give_back(&it);
    free(values);
    pair_end();
}

void halves_draw(FILE *out)
{
    double longest_us = 0;

    for (int p = 0; p < PLANS; p++) {
        if (plans[p].drawn && p != BY_HOST)
            longest_us = fmax(longest_us, drawn[p].total_us);
    }
    if (longest_us == 0 && drawn[BY_HOST].total_us == 0)
        return;
    um_print(out, 2,
             "\nwhat each engine did in %d steps, by events of each device, in a run of its own; a digit is "
             "a step:\n",
             STEPS);
    for (int p = 0; p < PLANS; p++) {
        if (plans[p].drawn && drawn[p].total_us > 0)
            timeline_draw(plans[p].drawn, &drawn[p], p == BY_HOST ? drawn[p].total_us : longest_us, out);
    }
}
