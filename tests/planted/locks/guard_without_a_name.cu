// kind: race
// at: @appended
// A guard that has no name is gone at the end of its own line, and the lock with it.
class Guard
{
    int *lock;

  public:
    bool held = false;
    __device__ explicit Guard(int *of) : lock(of)
    {
        for (int turn = 0; turn < 100000 && !held; turn++)
            held = atomicCAS(lock, 0, 1) == 0;
        __threadfence();
    }
    __device__ ~Guard()
    {
        __threadfence();
        if (held)
            atomicExch(lock, 0);
    }
};

template <bool Bad> __global__ void append(int *list, int *length, int *lock)
{
    if constexpr (Bad) {
        Guard{lock};
        list[(*length)++] = blockIdx.x; // @appended
    } else {
        Guard guard(lock);
        if (guard.held)
            list[(*length)++] = blockIdx.x;
    }
}

int main(int argc, char **)
{
    int *list;
    cudaMallocManaged(&list, 12 * sizeof *list);
    for (int i = 0; i < 12; i++)
        list[i] = 0;
    if (argc > 1)
        append<true><<<6, 1>>>(list, list + 10, list + 11);
    else
        append<false><<<6, 1>>>(list, list + 10, list + 11);
    cudaDeviceSynchronize();
    cudaFree(list);
    return 0;
}
