// kind: out of bounds
// at: @weight
// The weights of a 5 x 5 filter are in constant memory, and the kernel is called for a radius of 3.
__constant__ float weights[25];

__global__ void filter(const float *in, float *out, int w, int h, int radius)
{
    const int x = threadIdx.x, y = blockIdx.x;
    float sum = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            const int u = min(max(x + dx, 0), w - 1), v = min(max(y + dy, 0), h - 1);
            const int at = (dy + radius) * (2 * radius + 1) + dx + radius;
            sum += weights[at] * in[v * w + u]; // @weight
        }
    out[y * w + x] = sum;
}

int main(int argc, char **)
{
    const int w = 32, h = 12;
    float box[25], *in, *out;
    for (float &value : box)
        value = 1 / 25.0f;
    cudaMemcpyToSymbol(weights, box, sizeof box);
    cudaMalloc(&in, w * h * sizeof *in);
    cudaMalloc(&out, w * h * sizeof *out);
    cudaMemset(in, 0, w * h * sizeof *in);
    filter<<<h, w>>>(in, out, w, h, argc > 1 ? 3 : 2);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
