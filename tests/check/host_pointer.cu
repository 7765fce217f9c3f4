// expect: Invalid __global__ read of size 4 bytes
// expect: in @bad
// expect: by thread (0,0,0) in block (0,0,0)
// expect: The address is none of the GPU's
// expect: every later CUDA call of this program returns cudaErrorIllegalAddress (700)
// A structure was copied to the device, but not what its pointer points at.
struct vector {
    int n;
    const int *data;
};

__global__ void sum(const vector *v, int *out)
{
    for (int i = 0; i < v->n; i++)
        *out += v->data[i]; // @bad
}

int main(int argc, char **)
{
    int *data, *out, host[4] = {1, 2, 3, 4};
    vector *v;
    cudaMalloc(&data, sizeof host);
    cudaMalloc(&v, sizeof *v);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    vector local = {4, argc > 1 ? host : data};
    cudaMemcpy(v, &local, sizeof local, cudaMemcpyHostToDevice);
    sum<<<1, 1>>>(v, out);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 0;
    cudaFree(out);
    cudaFree(v);
    cudaFree(data);
    return 0;
}
