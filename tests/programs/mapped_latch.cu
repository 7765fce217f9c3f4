/**
 * @file mapped_latch.cu
 * @brief A kernel asks a flag each millisecond, and gives up after some time by clock64(): not before the
 * host has had that time to set the flag.
 *
 * Exit 0 when the kernel waited as it should, 1 when not, 2 where host memory cannot be mapped.
 */
#include "need.h"

#include <time.h>

#define A_MS_NS 1000000U

struct seen {
    int flag, gave_up, behind;
};

/* __nanosleep() sleeps for at most a millisecond. */
__global__ void latch(volatile struct seen *seen, long long limit_cycles)
{
    const long long start = clock64();
    while (true) {
        if (seen->flag)
            break;
        if (clock64() - start >= limit_cycles) {
            seen->gave_up = 1;
            break;
        }
        __nanosleep(A_MS_NS);
    }
    __threadfence_system();
}

__global__ void behind(volatile struct seen *seen)
{
    seen->behind = 1;
    __threadfence_system();
}

static void pause_ms(long ms)
{
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

/* Starts a latch with a kernel behind it, and leaves it alone for `ms`. */
static void start(volatile struct seen *seen, struct seen *d_seen, long long limit_cycles, cudaEvent_t end,
                  long ms)
{
    *(struct seen *)seen = {0, 0, 0};
    latch<<<1, 1>>>(d_seen, limit_cycles);
    behind<<<1, 1>>>(d_seen);
    NEED(cudaEventRecord(end));
    NEED_ERROR(cudaEventQuery(end), cudaErrorNotReady);
    pause_ms(ms);
}

int main()
{
    struct seen *seen, *d_seen;
    int can_map = 0, khz = 0;
    cudaEvent_t end;
    NEED(cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, 0));
    NEED(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    if (!can_map) {
        printf("this device cannot map host memory\n");
        return 2;
    }
    NEED(cudaHostAlloc((void **)&seen, sizeof *seen, cudaHostAllocMapped));
    NEED(cudaHostGetDevicePointer((void **)&d_seen, seen, 0));
    NEED(cudaEventCreate(&end));
    volatile struct seen *const now = seen;

    start(seen, d_seen, 20000LL * khz, end,
          400); /* 20 s: the simulated clock gets there in 0.2 s if it may */
    NEED_ERROR(cudaEventQuery(end), cudaErrorNotReady);
    HOLDS(!now->gave_up && !now->behind, "the latch gave up early: %d %d", now->gave_up, now->behind);
    now->flag = 1;
    NEED(cudaEventSynchronize(end));
    HOLDS(!now->gave_up && now->behind, "the latch did not see the flag: %d %d", now->gave_up, now->behind);

    start(seen, d_seen, 50LL * khz, end, 400); /* 50 ms: it does give up */
    NEED(cudaEventSynchronize(end));
    HOLDS(now->gave_up && now->behind, "the latch never gave up: %d %d", now->gave_up, now->behind);
    printf("the latch waited for the host\n");
    return 0;
}
