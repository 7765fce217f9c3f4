// kind: race
// at: @stored or @loaded
// The fence is there, but behind the flag instead of before it.
__global__ void pipeline(double *data, volatile int *stage, bool bad)
{
    const int block = blockIdx.x;
    double value = 1;
    if (block > 0) {
        int turn = 0;
        while (stage[block - 1] == 0 && turn < 100000)
            turn++;
        __threadfence();
        if (turn == 100000)
            return;
        value = data[block - 1]; // @loaded
    }
    if (!bad) {
        data[block] = value * 2;
        __threadfence();
        stage[block] = 1;
    } else {
        data[block] = value * 2; // @stored
        stage[block] = 1;
        __threadfence();
    }
}

int main(int argc, char **)
{
    double *data;
    int *stage;
    cudaMallocManaged(&data, 6 * sizeof *data);
    cudaMallocManaged(&stage, 6 * sizeof *stage);
    for (int i = 0; i < 6; i++)
        data[i] = stage[i] = 0;
    pipeline<<<6, 1>>>(data, stage, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(stage);
    return 0;
}
