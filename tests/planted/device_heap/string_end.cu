// kind: out of bounds
// at: @end
// A copy of a string gets no space for the 0 at its end.
__device__ int length_of(const char *s)
{
    int n = 0;
    while (s[n])
        n++;
    return n;
}

__global__ void greet(const char *name, int *length, int extra)
{
    const int n = length_of(name);
    char *copy = (char *)malloc(n + extra);
    for (int i = 0; i < n; i++)
        copy[i] = name[i];
    copy[n] = 0; // @end
    *length = n;
    free(copy);
}

int main(int argc, char **)
{
    const char text[] = "sixteen letters!";
    char *name;
    int *length;
    cudaMalloc(&name, sizeof text);
    cudaMalloc(&length, sizeof *length);
    cudaMemcpy(name, text, sizeof text, cudaMemcpyHostToDevice);
    greet<<<1, 1>>>(name, length, argc > 1 ? 0 : 1);
    cudaDeviceSynchronize();
    cudaFree(name);
    cudaFree(length);
    return 0;
}
