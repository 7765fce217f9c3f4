// Programs that ask until a stream or an event is done: each query takes its 200 ns, and one that asks for
// minutes of the device's time ends nevertheless (sim/api/poll.h).
#include <cstdio>
#include <cuda_runtime.h>
#include "umsim.h"

__global__ void nothing(int *)
{
}

static long asked(cudaEvent_t start, cudaEvent_t end, int *p, size_t bytes, bool of_event, float *ms)
{
    long polls = 0;
    cudaEventRecord(start);
    umsim_kernel_reads(p, bytes);
    nothing<<<1, 1>>>(p);
    cudaEventRecord(end);
    while ((of_event ? cudaEventQuery(end) : cudaStreamQuery(0)) == cudaErrorNotReady)
        polls++;
    cudaEventElapsedTime(ms, start, end);
    return polls;
}

int main()
{
    int *p, wrong = 0;
    float ms;
    cudaEvent_t start, end;
    cudaMalloc(&p, sizeof *p);
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    for (int of_event = 0; of_event < 2; of_event++) {
        asked(start, end, p, 1, of_event, &ms);
        long polls = asked(start, end, p, (size_t)1 << 35, of_event, &ms); // some 8 ms: 200 ns each
        const double each_ns = ms * 1e6 / polls;
        wrong += ms < 5 || ms > 20 || each_ns < 198 || each_ns > 260;
        printf("%s: %ld polls in %.3f ms, %.0f ns each\n", of_event ? "event" : "stream", polls, ms, each_ns);
        polls = asked(start, end, p, (size_t)1 << 50, of_event, &ms); // some four minutes
        wrong += ms < 200e3 || ms > 300e3 || polls < 1 << 20 || polls > (1 << 20) + 64 * 20;
        printf("%s: %ld polls in %.0f ms\n", of_event ? "event" : "stream", polls, ms);
        const uint64_t before = umsim_time_ns();
        cudaEventSynchronize(end); // it is over
        wrong += umsim_time_ns() - before > 100000;
    }
    return wrong != 0;
}
