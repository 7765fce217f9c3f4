// expect: kernel round
// expect: made a 'int' of 3e+10, a 'float' that it cannot hold
// errors: 1
// What the simulator tells of a kernel that fails counts: an operation that C++ leaves undefined.
__device__ __noinline__ int same(int x)
{
    return x;
}

__global__ void round(int *x, float f)
{
    *x = same(f);
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, sizeof *x);
    round<<<1, 1>>>(x, argc > 1 ? 3e10f : 3);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
