// kind: out of bounds
// at: @row
// A sparse matrix of n rows has n + 1 row starts; the array has space for n.
#include <vector>

struct sparse {
    int rows;
    const int *start, *column;
    const double *value;
};

__global__ void multiply(sparse a, const double *x, double *y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= a.rows)
        return;
    double sum = 0;
    for (int i = a.start[row]; i < a.start[row + 1]; i++) // @row
        sum += a.value[i] * x[a.column[i]];
    y[row] = sum;
}

int main(int argc, char **)
{
    const int n = 100, starts = argc > 1 ? n : n + 1;
    std::vector<int> start(n + 1);
    for (int i = 0; i <= n; i++)
        start[i] = i;
    int *s, *c;
    double *v, *y;
    cudaMalloc(&s, starts * sizeof *s);
    cudaMalloc(&c, n * sizeof *c);
    cudaMalloc(&v, n * sizeof *v);
    cudaMalloc(&y, n * sizeof *y);
    cudaMemcpy(s, start.data(), starts * sizeof *s, cudaMemcpyHostToDevice);
    cudaMemcpy(c, start.data(), n * sizeof *c, cudaMemcpyHostToDevice);
    cudaMemset(v, 0, n * sizeof *v);
    multiply<<<2, 64>>>({n, s, c, v}, v, y);
    cudaDeviceSynchronize();
    for (void *p : {(void *)s, (void *)c, (void *)v, (void *)y})
        cudaFree(p);
    return 0;
}
