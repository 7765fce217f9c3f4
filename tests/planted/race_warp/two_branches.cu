// kind: race
// at: @left or @right
// One half of the warp prepares what the other half uses, in the two branches of one if.
struct Task {
    int from, length;
};

__global__ void pair(const int *x, int *out, bool bad)
{
    __shared__ Task task[16];
    const int lane = threadIdx.x;
    if (lane < 16)
        task[lane] = Task{lane * 2, x[lane] % 4}; // @left
    if (!bad)
        __syncwarp();
    if (lane >= 16) {
        const int length = task[lane - 16].length; // @right
        int sum = 0;
        for (int i = 0; i < length; i++)
            sum += x[task[lane - 16].from + i];
        out[lane - 16] = sum;
    }
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 80 * sizeof *x);
    for (int i = 0; i < 64; i++)
        x[i] = i;
    pair<<<1, 32>>>(x, x + 64, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
