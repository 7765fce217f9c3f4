/* Exchanges of a sorting network: two instructions write parts of the same sectors, and what memory moves for
 * them is counted with the first. Each launch of some thousand numbers takes microseconds. */
#include "../check.h"

#define N 4096

__global__ void exchange(int *data, int k, int j)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other <= i)
        return;
    const bool ascending = (i & k) == 0;
    if ((data[i] > data[other]) == ascending) {
        const int kept = data[i];
        data[i] = data[other];
        data[other] = kept;
    }
}

static float timed(int *data, int k, int j)
{
    cudaEvent_t begin, end;
    float ms = 0;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    exchange<<<N / 256, 256>>>(data, k, j);
    cudaEventRecord(end);
    CHECK(cudaEventSynchronize(end) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, begin, end) == cudaSuccess);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms;
}

int main()
{
    static int numbers[N];
    unsigned random = 1;
    for (int i = 0; i < N; i++)
        numbers[i] = (int)((random = random * 1664525 + 1013904223) >> 8);
    int *data, wrong = 0;
    float longest = 0;
    cudaMalloc(&data, sizeof numbers);
    cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    for (int k = 2; k <= N; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            const float ms = timed(data, k, j);
            longest = ms > longest ? ms : longest;
        }
    cudaMemcpy(numbers, data, sizeof numbers, cudaMemcpyDeviceToHost);
    for (int i = 1; i < N; i++)
        wrong += numbers[i - 1] > numbers[i];
    CHECK(wrong == 0);
    CHECK(longest < 0.1f);
    return finish();
}
