/**
 * @file random_touches.cu
 * @brief Kernels of many blocks that touch managed memory all over the place, in turn with the host, under
 * each advice.
 *
 * Each sum is verified. On the simulator each turn's counts and the clock are printed: two runs print the
 * same, whatever the number of workers, of cores, and the load (tests/managed/steady.py compares them). Exit
 * 0 when all data is right, 1 when not, 2 where there is no managed memory that both sides may use in turn.
 */
#include "need.h"

#include "um_cuda_compat.h"
#ifdef UMLAB_SIM
#include "umsim.h"
#endif

enum { PLACES = 6000, THREADS = 32, TURNS = 3 };

static const size_t elements = (12 << 20) / sizeof(int);

static const struct {
    const char *name;
    bool given;
    enum cudaMemoryAdvise advice;
    int processor;
} advices[] = {
    {"no advice", false, cudaMemAdviseSetReadMostly, 0},
    {"ReadMostly", true, cudaMemAdviseSetReadMostly, 0},
    {"PreferredLocation=host", true, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId},
    {"PreferredLocation=device", true, cudaMemAdviseSetPreferredLocation, 0},
    {"AccessedBy=device", true, cudaMemAdviseSetAccessedBy, 0},
    {"AccessedBy=host", true, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId},
};

/* Places differ: PLACES is smaller than `elements`, and the factor has none of its prime factors. */
static __host__ __device__ size_t place(size_t i, size_t n)
{
    return i * 2654435761u % n;
}

__global__ void add_at_random(int *x, size_t n, size_t count, int value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        x[place(i, n)] += value;
}

/* Eight threads on each place: whoever comes first takes the fault. */
__global__ void sum_at_random(const int *x, size_t n, size_t count, unsigned long long *sum)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < 8 * count)
        atomicAdd(sum, (unsigned long long)x[place(i % count, n)]);
}

static unsigned blocks(size_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

static void show(const char *what, int turn)
{
#ifdef UMLAB_SIM
    struct umsim_counters c;

    umsim_counters_read(&c);
    printf("%s, turn %d: %llu CPU faults, %llu GPU fault groups, %llu bytes to the device, %llu to the host, "
           "%llu "
           "duplicated, %llu invalidated, %llu mapped, %llu contended, %llu ns\n",
           what, turn, (unsigned long long)c.cpu_page_faults, (unsigned long long)c.gpu_fault_groups,
           (unsigned long long)c.bytes_migrated_htod, (unsigned long long)c.bytes_migrated_dtoh,
           (unsigned long long)c.read_duplicates, (unsigned long long)c.read_duplicates_invalidated,
           (unsigned long long)c.remote_maps, (unsigned long long)c.contended,
           (unsigned long long)umsim_time_ns());
#else
    (void)what, (void)turn;
#endif
}

/* Both sides add at all places; the kernel's sum, and then the host's, must agree with what was added. */
static void take_turns(size_t kind, unsigned long long *sum)
{
    int *x = NULL;
    long long host_sum = 0;

    NEED(cudaMallocManaged((void **)&x, elements * sizeof *x));
    for (size_t i = 0; i < PLACES; i++)
        x[place(i, elements)] = (int)i;
    if (advices[kind].given)
        NEED(um_advise(x, elements * sizeof *x, advices[kind].advice, advices[kind].processor));
    for (int turn = 0; turn < TURNS; turn++) {
        const unsigned long long expected = 8ull * PLACES * ((PLACES - 1) / 2.0 + 3.0 * turn + 2);

        *sum = 0;
        add_at_random<<<blocks(PLACES), THREADS>>>(x, elements, PLACES, 2);
        sum_at_random<<<blocks(8 * PLACES), THREADS>>>(x, elements, PLACES, sum);
        NEED(cudaDeviceSynchronize());
        HOLDS(*sum == expected, "%s, turn %d: %llu, not %llu", advices[kind].name, turn, *sum, expected);
        for (size_t i = 0; i < PLACES; i++)
            x[place(i, elements)] += 1;
        show(advices[kind].name, turn);
        if (turn == 1) /* half of it comes before the kernel asks */
            NEED(um_prefetch(x, elements * sizeof *x / 2, 0, 0));
    }
    for (size_t i = 0; i < PLACES; i++)
        host_sum += x[place(i, elements)] - (int)i;
    HOLDS(host_sum == 3LL * TURNS * PLACES, "%s: %lld was added", advices[kind].name, host_sum);
    NEED(cudaFree(x));
}

int main()
{
    unsigned long long *sum = NULL;
    int concurrent = 0;

    NEED(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    if (!concurrent) {
        printf("advice needs a device with concurrentManagedAccess\n");
        return 2;
    }
    NEED(cudaMallocHost((void **)&sum, sizeof *sum));
    for (size_t kind = 0; kind < sizeof advices / sizeof *advices; kind++)
        take_turns(kind, sum);
    NEED(cudaFreeHost(sum));
    return 0;
}
