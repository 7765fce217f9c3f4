// A seven-point stencil on a cube; the weights are in constant memory. Blocks are three-dimensional.
#include "common.h"

__constant__ float c_weights[4];

__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, uint3 size)
{
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= size.x || y >= size.y || z >= size.z)
        return;
    unsigned int plane = size.x * size.y, i = z * plane + y * size.x + x;
    if (x == 0 || y == 0 || z == 0 || x == size.x - 1 || y == size.y - 1 || z == size.z - 1) {
        out[i] = in[i];
        return;
    }
    out[i] = c_weights[0] * in[i] + c_weights[1] * (in[i - 1] + in[i + 1]) +
             c_weights[2] * (in[i - size.x] + in[i + size.x]) +
             c_weights[3] * (in[i - plane] + in[i + plane]);
}

int main()
{
    const uint3 size = make_uint3(30, 20, 17);
    const size_t count = size.x * size.y * size.z;
    const float weights[4] = {0.4f, 0.1f, 0.15f, 0.05f};
    std::vector<float> in(count), out(count), expected(count);
    Random random(3);
    for (float &v : in)
        v = random.uniform();
    for (unsigned z = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++)
            for (unsigned x = 0; x < size.x; x++) {
                size_t plane = size.x * size.y, i = z * plane + y * size.x + x;
                bool inside = x && y && z && x < size.x - 1 && y < size.y - 1 && z < size.z - 1;
                expected[i] = !inside ? in[i]
                                      : weights[0] * in[i] + weights[1] * (in[i - 1] + in[i + 1]) +
                                            weights[2] * (in[i - size.x] + in[i + size.x]) +
                                            weights[3] * (in[i - plane] + in[i + plane]);
            }
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, count * sizeof(float)));
    CHECK(cudaMalloc(&d_out, count * sizeof(float)));
    CHECK(cudaMemcpy(d_in, &in[0], count * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(c_weights, weights, sizeof(weights)));
    dim3 block(8, 4, 4);
    dim3 grid((size.x + block.x - 1) / block.x, (size.y + block.y - 1) / block.y,
              (size.z + block.z - 1) / block.z);
    stencil<<<grid, block>>>(d_in, d_out, size);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&out[0], d_out, count * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return report(close(out, expected));
}
