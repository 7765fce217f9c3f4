// kind: kernel failed or out of bounds
// A structure that owns memory is passed by value: the copy's destructor frees it, then the original's.
struct buffer {
    int *data;
    bool owns;
    __device__ buffer(int n) : data(new int[n]), owns(true)
    {
    }
    __device__ buffer(const buffer &from, bool shares) : data(from.data), owns(shares)
    {
    }
    __device__ ~buffer()
    {
        if (owns)
            delete[] data;
    }
};

__global__ void fill(int *out, bool bad)
{
    buffer a(4);
    for (int i = 0; i < 4; i++)
        a.data[i] = i + threadIdx.x;
    out[threadIdx.x] = a.data[3];
    buffer copy(a, bad);
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, 4 * sizeof *out);
    fill<<<1, 4>>>(out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
