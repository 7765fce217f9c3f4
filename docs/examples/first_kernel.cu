/**
 * @file first_kernel.cu
 * @brief One array there and back, with every call checked. docs/first_kernel.md explains it.
 *
 * For nvcc and umcc. Exit 0 when the result is right, 1 when not, 2 when there is no device.
 */
#include "check.h"

#define N 1000

//! [kernel]
__global__ void add_one(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += 1;
}
//! [kernel]

int main(void)
{
    static int h_x[N];

    for (int i = 0; i < N; i++)
        h_x[i] = 41;
    //! [host]
    int *d_x;

    CHECK(cudaMalloc(&d_x, sizeof h_x));                             // memory on the device
    CHECK(cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice)); // the data, there
    add_one<<<(N + 255) / 256, 256>>>(d_x, N);                       // 4 blocks of 256 threads
    CHECK(cudaGetLastError());                                       // was that a launch at all?
    CHECK(cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost)); // waits, and brings it back
    CHECK(cudaFree(d_x));
    //! [host]

    for (int i = 0; i < N; i++)
        if (h_x[i] != 42) {
            printf("x[%d] is %d, not 42\n", i, h_x[i]);
            return 1;
        }
    printf("4 blocks of 256 threads: x[0] is %d, x[%d] is %d.\n", h_x[0], N - 1, h_x[N - 1]);
    return 0;
}
