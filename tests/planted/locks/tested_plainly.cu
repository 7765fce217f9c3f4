// kind: race
// at: @tested or @locked or @inside
// A lock that is tested and then set: two blocks may find it open.
__global__ void next(int *lock, int *serial, bool bad)
{
    bool held = false;
    for (int turn = 0; turn < 1000 && !held; turn++) {
        if (!bad) {
            held = atomicCAS(lock, 0, 1) == 0;
        } else if (*lock == 0) { // @tested
            *lock = 1;           // @locked
            held = true;
        }
    }
    __threadfence();
    if (!held)
        return;
    *serial += 1; // @inside
    __threadfence();
    atomicExch(lock, 0);
}

int main(int argc, char **)
{
    int *lock;
    cudaMallocManaged(&lock, 2 * sizeof *lock);
    lock[0] = lock[1] = 0;
    next<<<6, 1>>>(lock, lock + 1, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(lock);
    return 0;
}
