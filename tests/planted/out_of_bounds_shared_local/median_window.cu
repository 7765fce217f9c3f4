// kind: out of bounds
// at: @taken
// A median filter gathers its window in an array of nine values; with a radius of 2 there are twenty-five.
__global__ void median(const int *in, int *out, int w, int h, int radius)
{
    int window[9], of = 0;
    const int x = threadIdx.x, y = threadIdx.y;
    for (int v = max(y - radius, 0); v <= min(y + radius, h - 1); v++)
        for (int u = max(x - radius, 0); u <= min(x + radius, w - 1); u++) {
            int at = of++;
            for (; at > 0 && window[at - 1] > in[v * w + u]; at--)
                window[at] = window[at - 1];
            window[at] = in[v * w + u]; // @taken
        }
    out[y * w + x] = window[of / 2];
}

int main(int argc, char **)
{
    const int w = 16, h = 8;
    int *in, *out;
    cudaMalloc(&in, w * h * sizeof *in);
    cudaMalloc(&out, w * h * sizeof *out);
    cudaMemset(in, 0, w * h * sizeof *in);
    median<<<1, dim3(w, h)>>>(in, out, w, h, argc > 1 ? 2 : 1);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
