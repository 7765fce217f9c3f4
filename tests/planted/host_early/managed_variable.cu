// kind: host beside a kernel
// at: @counter
// A __managed__ variable is read right behind the launch.
__managed__ int counter;

__global__ void count(int n)
{
    if (blockIdx.x * blockDim.x + threadIdx.x < n)
        atomicAdd(&counter, 1);
}

int main(int argc, char **)
{
    counter = 0;
    count<<<4, 32>>>(100);
    if (argc == 1)
        cudaDeviceSynchronize();
    const int now = counter; // @counter
    cudaDeviceSynchronize();
    return argc == 1 && now != 100;
}
