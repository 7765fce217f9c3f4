/**
 * @file series.cu
 * @brief The first launches of one of bench's kernels, as a program makes them: prints the microseconds of
 * real time that they take.
 *
 *     series KERNEL [LAUNCHES]
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench.h"
#include "work_kernels.h"

enum { ELEMENTS = 16 << 20, LAUNCHES = 32 };

static __global__ void small(float *c)
{
    c[threadIdx.x] = 1;
}

static float *a, *b, *c;

static void launch(const char *kernel)
{
    const unsigned blocks = ELEMENTS / BENCH_BLOCK, tiles = BENCH_SIDE / BENCH_TILE;
    if (strcmp(kernel, "add") == 0)
        add<<<blocks, BENCH_BLOCK>>>(c, a, b, ELEMENTS);
    else if (strcmp(kernel, "saxpy") == 0)
        saxpy<<<blocks, BENCH_BLOCK>>>(c, 2, a, ELEMENTS);
    else if (strcmp(kernel, "stride") == 0)
        stride<<<BENCH_STRIDE_BLOCKS, BENCH_BLOCK>>>(c, 2, a, ELEMENTS);
    else if (strcmp(kernel, "matrix") == 0)
        matrix<<<dim3(tiles, tiles), dim3(BENCH_TILE, BENCH_TILE)>>>(c, a, b);
    else if (strcmp(kernel, "reduce") == 0)
        reduce<<<blocks, BENCH_BLOCK>>>(c, a, ELEMENTS);
    else if (strcmp(kernel, "small") == 0)
        small<<<1, BENCH_BLOCK>>>(c);
    else
        exit(2);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const int launches = argc > 2 ? atoi(argv[2]) : LAUNCHES;
    float **arrays[] = {&a, &b, &c};
    for (float **array : arrays) {
        BENCH_NEED(cudaMalloc((void **)array, ELEMENTS * sizeof **array));
        BENCH_NEED(cudaMemset(*array, 0, ELEMENTS * sizeof **array));
    }
    BENCH_NEED(cudaDeviceSynchronize());
    const double start = bench_now_us();
    for (int i = 0; i < launches; i++) {
        launch(argv[1]);
        BENCH_NEED(cudaDeviceSynchronize());
    }
    printf("%.0f\n", bench_now_us() - start);
    return 0;
}
