// kind: out of bounds
// at: @old
// A list grows into new memory, and a pointer to its first element is kept from before.
struct list {
    int *data, count, space;
    __device__ void push(int value)
    {
        if (count == space) {
            int *larger = (int *)malloc(2 * space * sizeof(int));
            for (int i = 0; i < count; i++)
                larger[i] = data[i];
            free(data);
            data = larger;
            space *= 2;
        }
        data[count++] = value;
    }
};

__global__ void divisors(int *smallest, int n, bool bad)
{
    list found = {(int *)malloc(4 * sizeof(int)), 0, 4};
    const int *first = found.data;
    for (int i = 1; i <= n; i++)
        if (n % i == 0)
            found.push(i);
    if (!bad)
        first = found.data;
    *smallest = first[0]; // @old
    free(found.data);
}

int main(int argc, char **)
{
    int *smallest;
    cudaMalloc(&smallest, sizeof *smallest);
    divisors<<<1, 1>>>(smallest, 60, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(smallest);
    return 0;
}
