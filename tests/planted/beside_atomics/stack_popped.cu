// kind: race
// at: @pushed or @popped
// A stack in __shared__ memory: one half pushes with an atomic, the other pops plainly, with no barrier
// between.
struct Stack {
    int top, item[64];
};

__global__ void work(int *out, bool bad)
{
    __shared__ Stack stack;
    if (threadIdx.x == 0)
        stack.top = 0;
    stack.item[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        atomicAdd(&stack.top, 1); // @pushed
    if (!bad)
        __syncthreads();
    if (threadIdx.x == 40)
        *out = stack.top; // @popped
}

int main(int argc, char **)
{
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    work<<<1, 64>>>(out, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || *out == 32;
    cudaFree(out);
    return !right;
}
