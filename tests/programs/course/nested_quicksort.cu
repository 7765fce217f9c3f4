/* Quicksort in which a kernel launches itself for each part that is left: the classic example of dynamic
 * parallelism. Small parts, and those that are nested too deeply, are sorted by a simpler method on the spot.
 */
#include "common.h"
#include <algorithm>

static const int DEEPEST = 16, SMALL = 32;

__device__ void selection_sort(int *data, int left, int right)
{
    for (int i = left; i < right; i++) {
        int least = i;
        for (int j = i + 1; j <= right; j++)
            if (data[j] < data[least])
                least = j;
        int value = data[i];
        data[i] = data[least];
        data[least] = value;
    }
}

__global__ void quicksort(int *data, int left, int right, int depth)
{
    if (depth >= DEEPEST || right - left <= SMALL) {
        selection_sort(data, left, right);
        return;
    }
    int low = left, high = right;
    const int pivot = data[(left + right) / 2];
    while (low <= high) {
        while (data[low] < pivot)
            low++;
        while (data[high] > pivot)
            high--;
        if (low <= high) {
            int value = data[low];
            data[low++] = data[high];
            data[high--] = value;
        }
    }
    /* Streams of their own, so that the two parts may be sorted side by side. */
    if (left < high) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, left, high, depth + 1);
        cudaStreamDestroy(stream);
    }
    if (low < right) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, low, right, depth + 1);
        cudaStreamDestroy(stream);
    }
}

int main()
{
    const int n = 10000;
    std::vector<int> values(n), sorted;
    Random random(7);
    for (int &value : values)
        value = (int)(random.next() % 5000);
    sorted = values;
    std::sort(sorted.begin(), sorted.end());

    int *data;
    CHECK(cudaMalloc(&data, n * sizeof *data));
    CHECK(cudaMemcpy(data, values.data(), n * sizeof *data, cudaMemcpyHostToDevice));
    quicksort<<<1, 1>>>(data, 0, n - 1, 0);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(values.data(), data, n * sizeof *data, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(data));
    printf("%d numbers, from %d to %d\n", n, values[0], values[n - 1]);
    return report(values == sorted);
}
