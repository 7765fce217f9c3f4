// Transposing a matrix: a plain copy to compare with, the naive way, a tile in shared memory, a tile padded
// by a column against bank conflicts.
#include <cstdio>
#include <cassert>
#include <cstring>
#include <vector>

inline cudaError_t checkCuda(cudaError_t result)
{
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
        exit(1);
    }
    return result;
}

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void copy(float *odata, const float *idata)
{
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void transposeNaive(float *odata, const float *idata)
{
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM, height = gridDim.y * TILE_DIM;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

template <int PADDING> __global__ void transposeTiled(float *odata, const float *idata)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + PADDING];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM, height = gridDim.y * TILE_DIM;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];

    __syncthreads();

    x = blockIdx.y * TILE_DIM + threadIdx.x; // transpose block offset
    y = blockIdx.x * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv)
{
    const int nx = argc > 1 ? atoi(argv[1]) : 256;
    const int ny = 192;
    const int mem_size = nx * ny * sizeof(float);

    dim3 dimGrid(nx / TILE_DIM, ny / TILE_DIM, 1);
    dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);

    std::vector<float> h_idata(nx * ny), h_tdata(nx * ny), gold(nx * ny);
    float *d_idata, *d_tdata;
    checkCuda(cudaMalloc(&d_idata, mem_size));
    checkCuda(cudaMalloc(&d_tdata, mem_size));

    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            h_idata[j * nx + i] = j * nx + i;
            gold[i * ny + j] = j * nx + i;
        }
    checkCuda(cudaMemcpy(d_idata, h_idata.data(), mem_size, cudaMemcpyHostToDevice));

    typedef void (*Kernel)(float *, const float *);
    struct {
        const char *name;
        Kernel kernel;
        const float *expected;
    } runs[] = {{"copy", copy, h_idata.data()},
                {"naive", transposeNaive, gold.data()},
                {"tile", transposeTiled<0>, gold.data()},
                {"tile, padded", transposeTiled<1>, gold.data()}};
    int errors = 0;
    for (const auto &run : runs) {
        checkCuda(cudaMemset(d_tdata, 0, mem_size));
        run.kernel<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
        checkCuda(cudaGetLastError());
        checkCuda(cudaMemcpy(h_tdata.data(), d_tdata, mem_size, cudaMemcpyDeviceToHost));
        bool good = memcmp(h_tdata.data(), run.expected, mem_size) == 0;
        printf("%-15s %s\n", run.name, good ? "ok" : "*** FAILED ***");
        errors += !good;
    }
    checkCuda(cudaFree(d_tdata));
    checkCuda(cudaFree(d_idata));
    printf("%d errors\n", errors);
    return errors;
}
