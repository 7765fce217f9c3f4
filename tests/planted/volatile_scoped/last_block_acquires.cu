// kind: race
// at: @least or @best
// The last block's counter was seen, but its thread has no fence before it reads what the others wrote.
struct Best {
    int value, at;
};

__global__ void best(const int *x, Best *bests, unsigned *arrived, bool bad)
{
    Best mine = {1 << 20, 0};
    for (int i = blockIdx.x * 20; i < blockIdx.x * 20 + 20; i++)
        if (x[i] < mine.value)
            mine = {x[i], i};
    bests[blockIdx.x] = mine; // @least
    __threadfence();
    if (atomicInc(arrived, gridDim.x - 1) != gridDim.x - 1)
        return;
    if (!bad)
        __threadfence();
    for (int block = 0; block < gridDim.x; block++)
        if (bests[block].value < mine.value) // @best
            mine = bests[block];
    bests[gridDim.x] = mine;
}

int main(int argc, char **)
{
    int *x;
    Best *bests;
    unsigned *arrived;
    cudaMallocManaged(&x, 100 * sizeof *x);
    cudaMallocManaged(&bests, 6 * sizeof *bests);
    cudaMallocManaged(&arrived, sizeof *arrived);
    for (int i = 0; i < 100; i++)
        x[i] = i * 41 % 100 + 1;
    *arrived = 0;
    best<<<5, 1>>>(x, bests, arrived, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(bests);
    cudaFree(arrived);
    return 0;
}
