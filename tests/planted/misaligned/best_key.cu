// kind: misaligned or kernel failed
// The best key of 64 bits is kept in an array of ints, from an odd index on.
__global__ void find(const int *score, int *state, int at)
{
    const unsigned i = threadIdx.x;
    const unsigned long long key = (unsigned long long)score[i] << 32 | i;
    atomicMax((unsigned long long *)(state + at), key);
}

int main(int argc, char **)
{
    int *score, *state;
    cudaMalloc(&score, 64 * sizeof *score);
    cudaMalloc(&state, 4 * sizeof *state);
    cudaMemset(score, 1, 64 * sizeof *score);
    cudaMemset(state, 0, 4 * sizeof *state);
    find<<<1, 64>>>(score, state, argc > 1 ? 1 : 2);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(score);
    cudaFree(state);
    return 0;
}
