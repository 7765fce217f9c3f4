// kind: out of bounds
// at: @row
// Points are moved by a matrix of three rows and four columns, and the loop goes over four rows.
struct point {
    float v[4];
};

__constant__ float view[3][4];

__global__ void move(point *points, int n, int rows)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    point result = {{0, 0, 0, 1}};
    for (int row = 0; row < rows; row++) {
        float sum = 0;
        for (int k = 0; k < 4; k++)
            sum += view[row][k] * points[i].v[k]; // @row
        result.v[row] = sum;
    }
    points[i] = result;
}

int main(int argc, char **)
{
    const float identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    point *points;
    cudaMemcpyToSymbol(view, identity, sizeof identity);
    cudaMalloc(&points, 40 * sizeof *points);
    cudaMemset(points, 0, 40 * sizeof *points);
    move<<<2, 32>>>(points, 40, argc > 1 ? 4 : 3);
    cudaDeviceSynchronize();
    cudaFree(points);
    return 0;
}
