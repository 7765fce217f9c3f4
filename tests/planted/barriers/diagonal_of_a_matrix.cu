// kind: kernel ended or kernel failed or barrier passed by or race
// A factorisation skips the rows that are done with continue, and the barrier of their turn with them.
__global__ void factorise(double *m, int n, bool bad)
{
    const int row = threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (bad && row <= k)
            continue;
        if (row > k)
            m[row * n + k] /= m[k * n + k];
        if (row > k)
            for (int column = k + 1; column < n; column++)
                m[row * n + column] -= m[row * n + k] * m[k * n + column];
        __syncthreads();
    }
    __syncthreads();
}

int main(int argc, char **)
{
    const int n = 8;
    double *m;
    cudaMallocManaged(&m, n * n * sizeof *m);
    for (int i = 0; i < n * n; i++)
        m[i] = i % (n + 1) ? i % 5 : 30;
    factorise<<<1, n>>>(m, n, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(m);
    return 0;
}
