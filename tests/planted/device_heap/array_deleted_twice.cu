// kind: kernel failed or out of bounds
// A scratch array of each thread is deleted in the branch and once more at the end.
__global__ void rank_of(const int *x, int *rank, int n, bool bad)
{
    int *smaller = new int[n];
    int count = 0;
    for (int i = 0; i < n; i++) {
        smaller[i] = x[i] < x[threadIdx.x];
        count += smaller[i];
    }
    if (count == 0 && bad)
        delete[] smaller;
    rank[threadIdx.x] = count;
    delete[] smaller;
}

int main(int argc, char **)
{
    const int n = 24;
    int values[n], *x, *rank;
    for (int i = 0; i < n; i++)
        values[i] = (i * 7) % n;
    cudaMalloc(&x, sizeof values);
    cudaMalloc(&rank, sizeof values);
    cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
    rank_of<<<1, n>>>(x, rank, n, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(rank);
    return 0;
}
