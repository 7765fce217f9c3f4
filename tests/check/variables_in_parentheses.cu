// expect: Invalid __global__ write of size 4 bytes
// expect: variable
// A device variable that is initialised in parentheses is one, whatever stands behind it; and PTX atomics
// with an order need no fence.
struct pair {
    int a, b;
    __host__ __device__ constexpr pair(int x, int y) : a(x), b(y)
    {
    }
};

__device__ int one(1), two(2), three = 3;
__device__ pair both(1, 2);
__device__ int count;
__device__ int data[32];
__device__ int next(int);
__device__ int next(int x)
{
    return x + 1;
}

__global__ void use(int far)
{
    one = next(two);
    both.b = three;
    (&count)[far] = 0;
}

__global__ void released(int *sum)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 1;
        __syncthreads();
        if (threadIdx.x == 0)
            asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(&count), "r"(1) : "memory");
    } else {
        int seen = 0;
        while (threadIdx.x == 0 && !seen)
            asm volatile("atom.acquire.gpu.global.add.s32 %0, [%1], 0;"
                         : "=r"(seen)
                         : "l"(&count)
                         : "memory");
        __syncthreads();
        atomicAdd(sum, data[31 - threadIdx.x]);
    }
}

int main(int argc, char **)
{
    int *sum;
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    use<<<1, 1>>>(argc == 1 ? 0 : 5);
    released<<<2, 32>>>(sum);
    cudaDeviceSynchronize();
    cudaFree(sum);
    return 0;
}
