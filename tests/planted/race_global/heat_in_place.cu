// kind: race
// at: @heated
// A step of the heat equation reads its neighbours, those at the border of a block, too: it needs a second
// array.
__global__ void heat(const double *from, double *to, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0 || i >= n - 1)
        return;
    const double left = from[i - 1], right = from[i + 1]; // @read
    to[i] = (left + from[i] + right) / 3;                 // @heated
}

int main(int argc, char **)
{
    const int n = 300;
    double *bar, *other;
    cudaMallocManaged(&bar, n * sizeof *bar);
    cudaMallocManaged(&other, n * sizeof *other);
    for (int i = 0; i < n; i++)
        bar[i] = other[i] = i % 10;
    for (int step = 0; step < 4; step += 2) {
        heat<<<3, 100>>>(bar, argc > 1 ? bar : other, n);
        heat<<<3, 100>>>(other, bar, n);
    }
    cudaDeviceSynchronize();
    cudaFree(bar);
    cudaFree(other);
    return 0;
}
