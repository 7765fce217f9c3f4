// kind: out of bounds
// at: @pair
// A sort compares neighbours in turns; in odd turns the last element has no neighbour.
__global__ void turn(int *x, int n, int odd, bool careful)
{
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
    if (i >= n || (careful && i + 1 >= n))
        return;
    const int a = x[i], b = x[i + 1]; // @pair
    if (a > b) {
        x[i] = b;
        x[i + 1] = a;
    }
}

int main(int argc, char **)
{
    const int n = 30;
    int values[n], *x;
    for (int i = 0; i < n; i++)
        values[i] = n - i;
    cudaMalloc(&x, sizeof values);
    cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
    for (int k = 0; k < n; k++)
        turn<<<1, 16>>>(x, n, k % 2, argc == 1);
    cudaMemcpy(values, x, sizeof values, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return 0;
}
