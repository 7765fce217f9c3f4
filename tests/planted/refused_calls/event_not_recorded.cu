// kind: refused call
// at: @call
// The time is taken between two events of which the second one was never recorded.
__global__ void nothing()
{
}

int main(int argc, char **)
{
    cudaEvent_t start, stop;
    float ms = 0;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    nothing<<<1, 1>>>();
    if (argc == 1)
        cudaEventRecord(stop);
    cudaDeviceSynchronize();
    cudaEventElapsedTime(&ms, start, stop); // @call
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return 0;
}
