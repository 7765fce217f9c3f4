/* cudaStreamTailLaunch: work that waits for all children of a grid, now that device code has no
 * cudaDeviceSynchronize(). A sum is formed step by step: each grid halves what is left, and launches the next
 * one behind itself. */
#include "common.h"
#include <string>

__global__ void add_halves(float *values, int half)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half)
        values[i] += values[i + half];
}

/* One thread decides. A child does the work, and what comes behind it is launched into the tail. */
__global__ void next_step(float *values, int n, int *steps)
{
    if (n == 1)
        return;
    ++*steps;
    add_halves<<<(n / 2 + 127) / 128, 128>>>(values, n / 2);
    next_step<<<1, 1, 0, cudaStreamTailLaunch>>>(values, n / 2, steps);
    if (cudaGetLastError() != cudaSuccess)
        *steps = -1000;
}

/* Launches stand in order: children by their stream, tails behind them. */
__global__ void note(char *text, int *length, char letter)
{
    text[(*length)++] = letter;
}

__global__ void tail_with_child(char *text, int *length)
{
    text[(*length)++] = 'T';
    note<<<1, 1>>>(text, length, 'c');
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(text, length, 't');
}

__global__ void parent(char *text, int *length)
{
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(text, length, '1');
    tail_with_child<<<1, 1, 0, cudaStreamTailLaunch>>>(text, length);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(text, length, '2');
    note<<<1, 1>>>(text, length, 'a');
    note<<<1, 1>>>(text, length, 'b');
}

int main()
{
    const int n = 1 << 14;
    std::vector<float> values(n, 0.5f);
    float *data, sum;
    int *steps, steps_made, length = 0;
    CHECK(cudaMalloc(&data, n * sizeof *data));
    CHECK(cudaMalloc(&steps, sizeof *steps));
    CHECK(cudaMemset(steps, 0, sizeof *steps));
    CHECK(cudaMemcpy(data, values.data(), n * sizeof *data, cudaMemcpyHostToDevice));
    next_step<<<1, 1>>>(data, n, steps);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&sum, data, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&steps_made, steps, sizeof steps_made, cudaMemcpyDeviceToHost));
    printf("the sum is %g after %d steps\n", sum, steps_made);

    char *text;
    CHECK(cudaMallocManaged(&text, 64));
    CHECK(cudaMemset(text, 0, 64));
    CHECK(cudaMemset(steps, 0, sizeof *steps));
    parent<<<1, 1>>>(text, steps);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&length, steps, sizeof length, cudaMemcpyDeviceToHost));
    printf("%d launches ran in the order %s\n", length, text);
    const bool good = sum == n * 0.5f && steps_made == 14 && std::string(text) == "ab1Tct2";
    CHECK(cudaFree(text));
    CHECK(cudaFree(steps));
    CHECK(cudaFree(data));
    return report(good);
}
