// kind: out of bounds
// at: @below
// A stencil in three dimensions keeps away from the borders, but not from the lowest plane.
__global__ void relax(const float *in, float *out, int nx, int ny, int nz, int lowest)
{
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x, plane = nx * ny;
    const int i = (z * ny + y) * nx + x;
    if (x < 1 || x > nx - 2 || y < 1 || y > ny - 2 || z < lowest || z > nz - 2)
        return;
    const float below = in[i - plane]; // @below
    out[i] = (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + in[i + plane]) / 6;
}

int main(int argc, char **)
{
    const int nx = 16, ny = 12, nz = 6;
    const size_t bytes = nx * ny * nz * sizeof(float);
    float *in, *out;
    cudaMalloc(&out, bytes);
    cudaMalloc(&in, bytes);
    cudaMemset(in, 0, bytes);
    cudaMemset(out, 0, bytes);
    relax<<<nz, dim3(nx, ny)>>>(in, out, nx, ny, nz, argc > 1 ? 0 : 1);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
