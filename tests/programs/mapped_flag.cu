/**
 * @file mapped_flag.cu
 * @brief Host and kernel wait for each other through mapped memory, without a CUDA call: both waits end.
 *
 * A program that spins on a flag is legal: the work that it has issued has to start by itself. Exit 0 when
 * both waits ended within the limit, 1 when not, 2 where host memory cannot be mapped.
 */
#include "need.h"

#include <time.h>

enum { LIMIT_S = 5 };

__global__ void raise_flag(volatile int *flag, int value)
{
    *flag = value;
    __threadfence_system();
}

__global__ void answer(volatile int *question, volatile int *reply)
{
    while (*question == 0) {
    }
    *reply = *question + 1;
    __threadfence_system();
}

static double seconds()
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool becomes(volatile int *flag, int value)
{
    double end = seconds() + LIMIT_S;
    while (*flag != value)
        if (seconds() > end)
            return false;
    return true;
}

static void pause_ms(long ms)
{
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

int main()
{
    volatile int *flag, *d_flag;
    int can_map = 0;
    NEED(cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, 0));
    if (!can_map) {
        printf("this device cannot map host memory\n");
        return 2;
    }
    NEED(cudaHostAlloc((void **)&flag, 64, cudaHostAllocMapped));
    NEED(cudaHostGetDevicePointer((void **)&d_flag, (void *)flag, 0));
    flag[0] = flag[1] = flag[2] = 0;

    raise_flag<<<1, 1>>>(d_flag, 5);
    HOLDS(becomes(&flag[0], 5), "the kernel never ran: %d", flag[0]);
    NEED(cudaDeviceSynchronize());

    answer<<<1, 1>>>(d_flag + 1, d_flag + 2); /* started by itself while the host is silent */
    pause_ms(400);
    flag[1] = 10;
    HOLDS(becomes(&flag[2], 11), "no answer: %d", flag[2]);
    NEED(cudaDeviceSynchronize());

    flag[1] = flag[2] = 0;
    answer<<<1, 1>>>(d_flag + 1, d_flag + 2); /* started by a query */
    NEED_ERROR(cudaStreamQuery(0), cudaErrorNotReady);
    flag[1] = 20;
    NEED(cudaDeviceSynchronize());
    HOLDS(flag[2] == 21, "%d", flag[2]);
    printf("both sides waited, and went on\n");
    return 0;
}
