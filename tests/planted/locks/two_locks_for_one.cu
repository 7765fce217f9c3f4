// kind: race
// at: @kept
// Two kernels' phases each have a lock of their own for the same list.
struct Log {
    int locks[2], lines, text[32];
};

__global__ void write(Log *log, bool bad)
{
    int *lock = &log->locks[bad ? blockIdx.x % 2 : 0];
    bool held = false;
    for (int turn = 0; turn < 100000 && !held; turn++)
        held = atomicCAS(lock, 0, 1) == 0;
    __threadfence();
    if (held) {
        log->text[log->lines++] = blockIdx.x; // @kept
        __threadfence();
        atomicExch(lock, 0);
    }
}

int main(int argc, char **)
{
    Log *log;
    cudaMalloc(&log, sizeof *log);
    cudaMemset(log, 0, sizeof *log);
    write<<<dim3(12), dim3(1)>>>(log, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(log);
    return 0;
}
