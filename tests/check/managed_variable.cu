// expect: Invalid __global__ write of size 4 bytes
// expect: by thread (8,0,0) in block (0,0,0)
// expect: after the nearest __managed__ variable counts
// A __managed__ variable.
__managed__ int counts[8];

__global__ void count(int n)
{
    if (threadIdx.x < n)
        counts[threadIdx.x] = 1;
}

int main(int argc, char **)
{
    count<<<1, 32>>>(argc > 1 ? 9 : 8);
    cudaDeviceSynchronize();
    return 0;
}
