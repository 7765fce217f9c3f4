/*
 * Far more blocks than there is work: rows of threads that all fail the kernel's first condition are left out
 * where one comparison decides and where such threads do nothing. Everything else a thread does has to be
 * done.
 */
#include "check.h"

__global__ void plain(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i]++;
}
__global__ void leaves(int *out, int *others, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n <= i)
        return;
    out[i]++;
    atomicAdd(others, 1);
}
__global__ void has_else(int *out, int *others, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i]++;
    else
        atomicAdd(others, 1);
}
__global__ void goes_on(int *out, int *others, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i]++;
    }
    atomicAdd(others, 1);
}
/* Neither the first nor the last thread of a row passes; those between do. */
__global__ void between(int *out, int first, int last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > first && i < last)
        out[i]++;
}
__global__ void outside(int *out, int first, int last, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i < first || i > last)
        out[i]++;
}
__global__ void from_behind(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        out[i % 64]++;
}
__global__ void in_two_dimensions(int *out, int columns, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) {
        out[y * columns + x]++;
    }
}

static void expect(int *out, int count, int first, int last)
{
    SYNC();
    for (int i = 0; i < count; i++) {
        CHECK(out[i] == (i >= first && i < last));
        out[i] = 0;
    }
}

int main()
{
    const int count = 100000, n = 1000, blocks = count, threads = 128;
    int *out = make_managed<int>(count), *others = make_managed<int>(1);
    plain<<<blocks, threads>>>(out, n);
    expect(out, count, 0, n);
    plain<<<blocks, threads>>>(out, 0);
    expect(out, count, 0, 0);
    leaves<<<blocks, threads>>>(out, others, n);
    expect(out, count, 0, n);
    CHECK(*others == n);
    has_else<<<1000, threads>>>(out, others, n);
    expect(out, count, 0, n);
    CHECK(*others == 1000 * threads);
    goes_on<<<1000, threads>>>(out, others, n);
    expect(out, count, 0, n);
    CHECK(*others == 2 * 1000 * threads);
    between<<<100, threads>>>(out, 1, 100);
    expect(out, count, 2, 100);
    between<<<100, threads>>>(out, 250, 300);
    expect(out, count, 251, 300);
    outside<<<100, threads>>>(out, 10, 20, 15);
    expect(out, count, 0, 10);
    from_behind<<<100, 64>>>(out, 99 * 64);
    expect(out, count, 0, 64);
    in_two_dimensions<<<dim3(30, 40), dim3(16, 8)>>>(out, 20, 30);
    expect(out, count, 0, 600);
    return finish();
}
