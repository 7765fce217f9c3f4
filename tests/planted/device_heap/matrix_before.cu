// kind: out of bounds
// at: @above
// Edit distance with rows in the heap: in the first row there is no row above.
__global__ void distance(const char *a, const char *b, int n, int *out, int first)
{
    int *cost = (int *)malloc((n + 1) * (n + 1) * sizeof(int));
    for (int i = 0; i <= n; i++)
        cost[i] = cost[i * (n + 1)] = i;
    for (int y = first; y <= n; y++)
        for (int x = 1; x <= n; x++) {
            const int *above = cost + (y - 1) * (n + 1);
            const int step = min(above[x], cost[y * (n + 1) + x - 1]) + 1; // @above
            cost[y * (n + 1) + x] = y > 0 && a[y - 1] != b[x - 1] ? step : min(step, x);
        }
    *out = cost[n * (n + 1) + n];
    free(cost);
}

int main(int argc, char **)
{
    char *words;
    int *out;
    cudaMalloc(&words, 16);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(words, 'x', 16);
    distance<<<1, 1>>>(words, words + 8, 7, out, argc > 1 ? 0 : 1);
    cudaDeviceSynchronize();
    cudaFree(words);
    cudaFree(out);
    return 0;
}
