/*
 * printf() in kernels: every conversion that CUDA has (%zu and %.*f are text, as on an H200), strings of all
 * kinds of memory, what it returns, where it is called from, when it is printed and in which order, and that
 * the last bytes are kept of too many.
 */
#include "capture.h"
#include "check.h"
#include <cstring>

__constant__ char in_constant[8] = "const";
__device__ char in_device[8] = "device";

__global__ void conversions(const char *managed, int *returned)
{
    returned[0] = printf("%d %i %u %o %x %X|", -1, 2, 3u, 8, 255, 255);
    returned[1] = printf("%c|%s|%s|%s|%s|", 'x', "literal", in_constant, in_device, managed);
    returned[2] = printf("%f %.2e %G %a|", 1.5f, 12345.678, 1e-7, 1.0);
    returned[3] =
        printf("%ld %lu %lld %llx %zu %hd|", -1L, 2UL, 1LL << 40, 1ULL << 63, sizeof(int), (short)7);
    returned[4] = printf("%5d|%-5d|%05d|%+d|% d|%#x|%.3d|%*d|%-*.*f|", 1, 2, 3, 4, 5, 6, 7, 4, 8, 6, 2, 9.0);
    returned[5] = printf("%p 100%%|plain\n", (void *)16);
    returned[6] = printf("no arguments\n");
    returned[7] = printf(nullptr);
}
static const char *const conversions_text = "-1 2 3 10 ff FF|x|literal|const|device|managed|"
                                            "1.500000 1.23e+04 1E-07 0x1p+0|"
                                            "-1 2 1099511627776 8000000000000000 %zu 4|"
                                            "    1|2    |00003|+4| 5|0x6|007|   8|%-*.*f|"
                                            "0x10 100%|plain\nno arguments\n";

__host__ __device__ int both(int x)
{
    std::printf("both %d\n", x);
    return x + 1;
}
__global__ void in_order(unsigned threads)
{
    if (threadIdx.x < threads)
        printf("%u.%u ", blockIdx.x, threadIdx.x);
}
__global__ void around_a_barrier()
{
    printf("a%d ", threadIdx.x);
    __syncthreads();
    printf("b%d ", threadIdx.x);
}
template <class F> __global__ void call(F f)
{
    f(threadIdx.x);
}
__global__ void much()
{
    printf("%u.%u\n", blockIdx.x, threadIdx.x);
}

int main()
{
    size_t fifo = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20) == cudaSuccess);
    char *managed = make_managed<char>(8);
    int *returned = make_managed<int>(8);
    memcpy(managed, "managed", 8);
    capture_begin(stdout);
    conversions<<<1, 1>>>(managed, returned);
    SYNC();
    CHECK(capture_end(stdout) == conversions_text);
    const int expected[8] = {6, 5, 4, 5, 9, 1, 0, -1};
    for (int i = 0; i < 8; i++)
        CHECK(returned[i] == expected[i]);

    capture_begin(stdout);
    call<<<1, 2>>>([] __device__(int x) { printf("lambda %d\n", both(x)); });
    both(10);
    SYNC();
    around_a_barrier<<<1, 2>>>();
    SYNC();
    CHECK(capture_end(stdout) == "both 10\nboth 0\nlambda 1\nboth 1\nlambda 2\na0 a1 b0 b1 ");

    std::string in_blocks;
    for (int i = 0; i < 1000; i++)
        in_blocks += std::to_string(i) + ".0 " + std::to_string(i) + ".1 ";
    for (int repeat = 0; repeat < 3; repeat++) {
        capture_begin(stdout);
        in_order<<<1000, 256>>>(2);
        SYNC();
        CHECK(capture_end(stdout) == in_blocks);
    }

    capture_begin(stdout);
    much<<<1000, 256>>>(); /* more than the buffer takes */
    SYNC();
    const std::string kept = capture_end(stdout);
    CHECK(kept.size() > 100000 && kept.size() < (1 << 20));
    CHECK(kept.compare(kept.size() - 16, 16, "999.254\n999.255\n") == 0);

    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20) == cudaErrorInvalidValue);
    CHECK(cudaDeviceGetLimit(&fifo, cudaLimitPrintfFifoSize) == cudaSuccess && fifo == 1 << 20);
    return finish();
}
