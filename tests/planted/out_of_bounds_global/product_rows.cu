// kind: out of bounds
// at: @product
// The product of a 6 x 3 and a 3 x 10 matrix gets space for 6 x 6.
struct matrix {
    int rows, columns;
    float *data;
    __device__ float &at(int row, int column) const
    {
        return data[row * columns + column];
    }
};

static matrix make(int rows, int columns, size_t elements)
{
    matrix m = {rows, columns, nullptr};
    cudaMalloc((void **)&m.data, elements * sizeof(float));
    cudaMemset(m.data, 0, elements * sizeof(float));
    return m;
}

__global__ void multiply(matrix a, matrix b, matrix c)
{
    float sum = 0;
    for (int k = 0; k < a.columns; k++)
        sum += a.at(threadIdx.y, k) * b.at(k, threadIdx.x);
    c.at(threadIdx.y, threadIdx.x) = sum; // @product
}

int main(int argc, char **)
{
    matrix a = make(6, 3, 18), b = make(3, 10, 30), c = make(6, 10, argc > 1 ? 6 * 6 : 6 * 10);
    multiply<<<1, dim3(c.columns, c.rows)>>>(a, b, c);
    cudaDeviceSynchronize();
    cudaFree(a.data);
    cudaFree(b.data);
    cudaFree(c.data);
    return 0;
}
