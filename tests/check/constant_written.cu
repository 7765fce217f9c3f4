// expect: Invalid __global__ write of size 4 bytes
// expect: by thread (0,0,0) in block (0,0,0)
// expect: is to memory that kernels only read
// expect: and is 4 bytes inside the __constant__ variable table
// A write to __constant__ memory, behind a cast.
__constant__ int table[4] = {1, 2, 3, 4};

__global__ void set(int *out, int bad)
{
    if (bad)
        const_cast<volatile int *>(table)[1] = 5;
    *out = table[1];
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    set<<<1, 1>>>(out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
