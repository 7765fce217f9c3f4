// kind: out of bounds
// at: @leading
// A polynomial of degree 5 has six coefficients; five were allocated.
template <int DEGREE> __global__ void evaluate(const double *coefficient, const double *x, double *y)
{
    double result = coefficient[DEGREE]; // @leading
    for (int k = DEGREE - 1; k >= 0; k--)
        result = result * x[threadIdx.x] + coefficient[k];
    y[threadIdx.x] = result;
}

int main(int argc, char **)
{
    const double c[6] = {1, 2, 3, 4, 5, 6}, points[16] = {};
    double *coefficient, *x, *y;
    const int terms = argc > 1 ? 5 : 6;
    cudaMalloc(&coefficient, terms * sizeof *c);
    cudaMalloc(&x, sizeof points);
    cudaMalloc(&y, sizeof points);
    cudaMemcpy(coefficient, c, terms * sizeof *c, cudaMemcpyHostToDevice);
    cudaMemcpy(x, points, sizeof points, cudaMemcpyHostToDevice);
    evaluate<5><<<1, 16>>>(coefficient, x, y);
    cudaDeviceSynchronize();
    cudaFree(coefficient);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
