// kind: race
// at: @inserted
// A lock by cuda::atomic whose exchange and store are relaxed.
#include <cuda/atomic>

struct Sorted {
    cuda::atomic<int, cuda::thread_scope_device> lock;
    int length, value[16];
};

__global__ void insert(Sorted *list, bool bad)
{
    const auto take = bad ? cuda::memory_order_relaxed : cuda::memory_order_acquire;
    const auto give = bad ? cuda::memory_order_relaxed : cuda::memory_order_release;
    const int value = blockIdx.x * 5 % 7;
    for (int turn = 0; turn < 100000; turn++) {
        if (list->lock.exchange(1, take))
            continue;
        int at = list->length++; // @inserted
        for (; at > 0 && list->value[at - 1] > value; at--)
            list->value[at] = list->value[at - 1];
        list->value[at] = value;
        list->lock.store(0, give);
        break;
    }
}

int main(int argc, char **)
{
    Sorted *list;
    cudaMalloc(&list, sizeof *list);
    cudaMemset(list, 0, sizeof *list);
    insert<<<7, 1>>>(list, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(list);
    return 0;
}
