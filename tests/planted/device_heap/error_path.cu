// kind: kernel failed or out of bounds
// The way out after an error frees the scratch memory, and the common way out does so again.
__global__ void parse(const int *in, int *out, int n, bool bad)
{
    int *scratch = (int *)malloc(n * sizeof(int));
    bool fine = true;
    for (int i = 0; i < n && fine; i++) {
        scratch[i] = in[threadIdx.x * n + i];
        if (scratch[i] < 0) {
            fine = false;
            if (bad)
                free(scratch);
        }
    }
    out[threadIdx.x] = fine;
    free(scratch);
}

int main(int argc, char **)
{
    int values[40] = {}, *in, *out;
    values[17] = -1;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, 4 * sizeof *out);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    parse<<<1, 4>>>(in, out, 10, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
