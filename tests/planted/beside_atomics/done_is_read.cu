// kind: race
// missed: an atomic on the same word follows the plain read: it is taken for a test before an atomic
// at: @done or @polled
// A search stops when another block has found something: the flag is set by an atomic and polled plainly.
__device__ int found_at;

__global__ void find(const int *x, int n, int wanted, bool bad)
{
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
        if ((bad ? found_at : atomicAdd(&found_at, 0)) != 0) // @polled
            return;
        if (x[i] == wanted)
            atomicExch(&found_at, i); // @done
    }
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 100 * sizeof *x);
    for (int i = 0; i < 100; i++)
        x[i] = i * 3;
    find<<<5, 1>>>(x, 100, 42 * 3, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
