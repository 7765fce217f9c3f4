/**
 * @file groups.cu
 * @brief Counts a GPU's faults on managed memory by the shape of the launch: CUPTI's groups and records (a
 * record is a batch). h200-groups.txt beside this file holds what it printed, and the number of batches that
 * the driver's event queue told of at the same time, which shows where CUPTI lost records;
 * tests/unit/uvm_groups.c compares.
 *
 *     nvcc -arch=native -o groups groups.cu -lcupti -lcuda && ./groups
 *
 * Never more than 256 MiB of managed memory.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cupti.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int error_ = (int)(call);                                                                            \
        if (error_ != 0) {                                                                                   \
            fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, error_);                           \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static const size_t MiB = (size_t)1 << 20;
enum { REPEATS = 5 };

/* ---- CUPTI ---- */

static unsigned long long groups, records;

static void CUPTIAPI give(uint8_t **buffer, size_t *bytes, size_t *most)
{
    *bytes = (size_t)8 << 20;
    *buffer = (uint8_t *)aligned_alloc(8, *bytes);
    *most = 0;
}

static void CUPTIAPI take(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
{
    CUpti_Activity *record = NULL;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        const CUpti_ActivityUnifiedMemoryCounter3 *counter = (CUpti_ActivityUnifiedMemoryCounter3 *)record;
        if (record->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER &&
            counter->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT) {
            groups += counter->value;
            records++;
        }
    }
    free(buffer);
}

static void start_cupti(void)
{
    CUpti_ActivityUnifiedMemoryCounterConfig wanted = {};
    wanted.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
    wanted.kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT;
    wanted.enable = 1;
    TRY(cuInit(0));
    TRY(cuptiActivityRegisterCallbacks(give, take));
    TRY(cuptiActivityConfigureUnifiedMemoryCounter(&wanted, 1));
    TRY(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
}

/* ---- kernels ---- */

static __device__ unsigned sink;

template <class T> static __device__ void touch(T *p, int how)
{
    if (how == 'R') {
        const T value = *p;
        unsigned all = 0;
        for (unsigned i = 0; i < sizeof value / sizeof all; i++)
            all ^= ((const unsigned *)&value)[i];
        if (all == 0xdeadbeef)
            sink = all;
    } else if (how == 'W') {
        *p = T();
    } else {
        ++*(unsigned *)p;
    }
}

template <class T, int HOW> static __global__ void once(char *p, size_t n, size_t stride)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        touch((T *)(p + i * stride), HOW);
}

template <class T, int HOW> static __global__ void loop(char *p, size_t n, size_t stride)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        touch((T *)(p + i * stride), HOW);
}

/* ---- what is measured ---- */

/** `blocks` 0: as many as it takes. */
struct shape {
    size_t stride;
    unsigned blocks, threads;
};

static const struct shape shapes[] = {{4, 0, 256},    {16, 0, 256},    {4, 0, 64},       {4, 0, 1024},
                                      {4, 132, 256},  {4, 264, 256},   {4, 528, 256},    {4, 1056, 256},
                                      {4, 4096, 256}, {4, 132, 1024},  {16, 528, 256},   {4096, 0, 256},
                                      {4096, 0, 32},  {65536, 0, 256}, {65536, 0, 1024}, {2 * MiB, 0, 256},
                                      {4, 1, 256},    {4, 1024, 256},  {4, 2048, 256},   {4, 512, 256}};

template <class T, int HOW> static void launch(const struct shape *shape, char *p, size_t bytes)
{
    size_t n = bytes / shape->stride;
    if (shape->blocks)
        loop<T, HOW><<<shape->blocks, shape->threads>>>(p, n, shape->stride);
    else
        once<T, HOW>
            <<<(unsigned)((n + shape->threads - 1) / shape->threads), shape->threads>>>(p, n, shape->stride);
    TRY(cudaDeviceSynchronize());
}

static void run(const struct shape *shape, int how, char *p, size_t bytes)
{
    if (shape->stride == 16)
        how == 'R' ? launch<uint4, 'R'>(shape, p, bytes) : launch<uint4, 'W'>(shape, p, bytes);
    else
        how == 'R' ? launch<unsigned, 'R'>(shape, p, bytes) : launch<unsigned, 'W'>(shape, p, bytes);
}

static void walk(char *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 4096)
        ((volatile char *)p)[i] = 1;
}

static void advise(char *p, size_t bytes, cudaMemoryAdvise what, cudaMemLocationType where)
{
    cudaMemLocation location = {};
    location.type = where;
    TRY(cudaMemAdvise(p, bytes, what, location));
}

enum state {
    FRESH,
    HOST,
    READ_MOSTLY,
    DUPLICATES,
    PREFERRED_HOST,
    PREFERRED_HOST_FRESH,
    PREFERRED_DEVICE,
    STATES
};
static const char *const names[STATES] = {"fresh",           "host",
                                          "ReadMostly",      "ReadMostly duplicates",
                                          "preferred host",  "preferred host fresh",
                                          "preferred device"};

static void prepare(enum state state, const struct shape *shape, char *p, size_t bytes)
{
    if (state != FRESH && state != PREFERRED_HOST_FRESH)
        walk(p, bytes);
    if (state == READ_MOSTLY || state == DUPLICATES)
        advise(p, bytes, cudaMemAdviseSetReadMostly, cudaMemLocationTypeDevice);
    if (state == DUPLICATES)
        run(shape, 'R', p, bytes);
    if (state == PREFERRED_HOST || state == PREFERRED_HOST_FRESH)
        advise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaMemLocationTypeHost);
    if (state == PREFERRED_DEVICE)
        advise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaMemLocationTypeDevice);
}

static void measure(enum state state, const struct shape *shape, int how, size_t bytes)
{
    unsigned long long got[2][REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        char *p;
        TRY(cudaMallocManaged(&p, bytes));
        prepare(state, shape, p, bytes);
        TRY(cuptiActivityFlushAll(1));
        groups = records = 0;
        run(shape, how, p, bytes);
        TRY(cuptiActivityFlushAll(1));
        got[0][i] = groups;
        got[1][i] = records;
        TRY(cudaFree(p));
    }
    printf("%s | %c | %zu | %zu | %u | %u |", names[state], how, bytes, shape->stride, shape->blocks,
           shape->threads);
    for (int column = 0; column < 2; column++)
        for (int i = 0; i < REPEATS; i++)
            printf(" %llu%s", got[column][i], i < REPEATS - 1 ? "" : column ? "\n" : " |");
}

int main(void)
{
    static const size_t sizes[] = {64 << 10, MiB, 4 * MiB, 16 * MiB, 64 * MiB, 256 * MiB};
    start_cupti();
    TRY(cudaFree(0));
    for (const struct shape &shape : shapes)
        for (size_t bytes : sizes)
            for (int state = FRESH; state < STATES && bytes >= shape.stride; state++) {
                const bool writes = state == DUPLICATES || state == PREFERRED_HOST_FRESH;
                if (bytes > 64 * MiB && state != FRESH)
                    break;
                if (state == DUPLICATES && shape.blocks == 1)
                    continue; /* takes seconds */
                if (!writes)
                    measure((enum state)state, &shape, 'R', bytes);
                if (writes || state == FRESH || state == HOST)
                    measure((enum state)state, &shape, 'W', bytes);
            }
    return 0;
}
