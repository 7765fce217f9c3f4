// kind: race
// missed: blocks run one after another here, the try never fails
// at: @drawn
// One try to take the lock, and what it answered is not looked at.
__global__ void draw(int *lock, int *canvas, int side, bool bad)
{
    bool held = false;
    for (int turn = 0; turn < (bad ? 1 : 100000) && !held; turn++)
        held = atomicCAS(lock, 0, blockIdx.x + 1) == 0;
    __threadfence();
    if (!bad && !held)
        return;
    for (int i = 0; i < side; i++)
        canvas[i * side + (i + blockIdx.x) % side] += 1; // @drawn
    __threadfence();
    if (held)
        atomicExch(lock, 0);
}

int main(int argc, char **)
{
    int *lock;
    cudaMallocManaged(&lock, 65 * sizeof *lock);
    for (int i = 0; i < 65; i++)
        lock[i] = 0;
    draw<<<9, 1>>>(lock, lock + 1, 8, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(lock);
    return 0;
}
