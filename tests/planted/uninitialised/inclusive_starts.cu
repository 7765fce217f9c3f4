// kind: uninitialised
// at: @begin
// The starts of the parts are written from index 1 on; the 0 at the beginning is forgotten.
__global__ void starts(const int *length, int *start, int n, bool first)
{
    int sum = 0;
    if (first)
        start[0] = 0;
    for (int i = 0; i < n; i++)
        start[i + 1] = sum += length[i];
}

__global__ void number(const int *start, int *part)
{
    for (int i = start[threadIdx.x]; i < start[threadIdx.x + 1]; i++) // @begin
        part[i] = threadIdx.x;
}

int main(int argc, char **)
{
    const int lengths[4] = {3, 1, 4, 1};
    int *length, *start, *part;
    cudaMalloc(&length, sizeof lengths);
    cudaMalloc(&start, 5 * sizeof *start);
    cudaMalloc(&part, 9 * sizeof *part);
    cudaMemcpy(length, lengths, sizeof lengths, cudaMemcpyHostToDevice);
    starts<<<1, 1>>>(length, start, 4, argc == 1);
    number<<<1, 4>>>(start, part);
    cudaDeviceSynchronize();
    cudaFree(length);
    cudaFree(start);
    cudaFree(part);
    return 0;
}
