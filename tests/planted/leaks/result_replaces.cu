// kind: leak
// at: @first
// The pointer to the input is set to the result's memory, and the input's is lost.
static double *doubled(const double *x, int n)
{
    double *result;
    cudaMalloc(&result, n * sizeof *result);
    cudaMemcpy(result, x, n * sizeof *x, cudaMemcpyDeviceToDevice);
    return result;
}

int main(int argc, char **)
{
    double *x;
    cudaMalloc(&x, 800); // @first
    cudaMemset(x, 0, 800);
    double *input = x;
    x = doubled(x, 100);
    cudaFree(x);
    if (argc == 1)
        cudaFree(input);
    return 0;
}
