/**
 * @file memory_kinds.cu
 * @brief The same work with each kind of memory. docs/memory.md quotes it.
 *
 * Each function adds one to N integers on the GPU and returns how many came out wrong. For nvcc and umcc.
 * Exit 0 when all results are right, 1 when not, 2 when there is no device.
 */
#include "check.h"

#define N (1 << 20)
#define BYTES (N * sizeof(int))
#define BLOCKS ((N + 255) / 256)

static int results[4] = {-1, -1, -1, -1};

__global__ void add_one(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += 1;
}

static void fill(int *x)
{
    for (int i = 0; i < N; i++)
        x[i] = i;
}

static int wrong(const int *x)
{
    int count = 0;

    for (int i = 0; i < N; i++)
        count += x[i] != i + 1;
    return count;
}

static int explicit_copies(void)
{
    //! [explicit]
    int *h_x = (int *)malloc(BYTES), *d_x;
    CHECK(cudaMalloc(&d_x, BYTES));
    fill(h_x);

    CHECK(cudaMemcpy(d_x, h_x, BYTES, cudaMemcpyHostToDevice));
    add_one<<<BLOCKS, 256>>>(d_x, N);
    CHECK(cudaMemcpy(h_x, d_x, BYTES, cudaMemcpyDeviceToHost)); // waits for the kernel first
    //! [explicit]

    results[0] = wrong(h_x);
    free(h_x);
    CHECK(cudaFree(d_x));
    return 0;
}

static int pinned_copies(void)
{
    //! [pinned]
    int *h_x, *d_x;
    cudaStream_t stream;
    CHECK(cudaMallocHost(&h_x, BYTES)); // in place of malloc
    CHECK(cudaMalloc(&d_x, BYTES));
    CHECK(cudaStreamCreate(&stream));
    fill(h_x);

    CHECK(cudaMemcpyAsync(d_x, h_x, BYTES, cudaMemcpyHostToDevice, stream));
    add_one<<<BLOCKS, 256, 0, stream>>>(d_x, N);
    CHECK(cudaMemcpyAsync(h_x, d_x, BYTES, cudaMemcpyDeviceToHost, stream));
    // ... the host can do something else here, but not look at h_x ...
    CHECK(cudaStreamSynchronize(stream));
    //! [pinned]

    results[1] = wrong(h_x);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFree(d_x));
    return 0;
}

static int mapped_in_place(void)
{
    //! [mapped]
    int *x, *x_for_kernels;
    CHECK(cudaHostAlloc(&x, BYTES, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&x_for_kernels, x, 0)); // the same number, on today's systems
    fill(x);

    add_one<<<BLOCKS, 256>>>(x_for_kernels, N); // reads and writes across the bus
    CHECK(cudaDeviceSynchronize());             // no copy waits for the kernel: so this does
    //! [mapped]

    results[2] = wrong(x);
    CHECK(cudaFreeHost(x));
    return 0;
}

static int managed_pages(void)
{
    //! [managed]
    int *x;
    CHECK(cudaMallocManaged(&x, BYTES));
    fill(x); // the pages come into being on the host

    add_one<<<BLOCKS, 256>>>(x, N); // each touch of a page that is not there: a fault, and it moves
    CHECK(cudaDeviceSynchronize());
    //! [managed]

    results[3] = wrong(x); // and they move back
    CHECK(cudaFree(x));
    return 0;
}

int main(void)
{
    static const char *const names[] = {"explicit", "pinned", "mapped", "managed"};
    int (*const ways[])(void) = {explicit_copies, pinned_copies, mapped_in_place, managed_pages};
    int status = 0;

    for (int i = 0; i < 4 && status == 0; i++) {
        status = ways[i]();
        if (status == 0)
            printf("%-8s  %d of %d wrong\n", names[i], results[i], N);
        if (results[i] != 0 && status == 0)
            status = 1;
    }
    return status;
}
