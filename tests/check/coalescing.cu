// umcc: --check=all,coalescing
// errors: 0
// status: 0
// silent: no
// expect: COALESCING
// expect: column
// expect: 32.00
// expect: 12.5%
// Columns of a matrix, one after another: each lane of a warp needs a sector of its own. Counted, not an
// error; by row a warp's 32 floats fill four sectors. What the program reads of it itself is checked here.
#include <umsim.h>

__global__ void column(const float *x, float *out, int down, int across)
{
    out[threadIdx.x] = x[threadIdx.x * down + blockIdx.x * across];
}

static int differs(const void *p, uint64_t requests, uint64_t sectors, uint64_t bytes)
{
    struct umsim_accesses it;
    return !umsim_accesses_of(p, &it) || it.requests != requests || it.sectors != sectors ||
           it.bytes_requested != bytes || it.bytes_moved != 32 * sectors;
}

int main(int argc, char **)
{
    float *x, *out;
    struct umsim_accesses none;
    cudaMalloc(&x, 64 * 64 * sizeof *x);
    cudaMalloc(&out, 64 * 64 * sizeof *out);
    cudaMemset(x, 0, 64 * 64 * sizeof *x);
    const bool by_column = argc > 1;
    column<<<1, 64>>>(x, out, by_column ? 64 : 1, by_column ? 1 : 64);
    cudaDeviceSynchronize();
    if (differs(x, 2, by_column ? 64 : 8, 256) || differs(out, 2, 8, 256) || umsim_accesses_of(&none, &none))
        return 3;
    cudaFree(out);
    cudaFree(x);
    return 0;
}
