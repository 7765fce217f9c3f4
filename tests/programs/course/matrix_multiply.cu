// C = A B: one element a thread from global memory, then by tiles in shared memory, also where the matrices'
// sizes are no multiples of the tile's.
#include "common.h"

#define TILE_WIDTH 16

__global__ void MatrixMulNaive(const float *M, const float *N, float *P, int m, int k, int n)
{
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if ((Row < m) && (Col < n)) {
        float Pvalue = 0;
        for (int i = 0; i < k; ++i)
            Pvalue += M[Row * k + i] * N[i * n + Col];
        P[Row * n + Col] = Pvalue;
    }
}

__global__ void MatrixMulTiled(const float *M, const float *N, float *P, int m, int k, int n)
{
    __shared__ float ds_M[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_N[TILE_WIDTH][TILE_WIDTH];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;
    float Pvalue = 0;

    for (int t = 0; t < (k - 1) / TILE_WIDTH + 1; ++t) {
        if (Row < m && t * TILE_WIDTH + tx < k)
            ds_M[ty][tx] = M[Row * k + t * TILE_WIDTH + tx];
        else
            ds_M[ty][tx] = 0.0;
        if (t * TILE_WIDTH + ty < k && Col < n)
            ds_N[ty][tx] = N[(t * TILE_WIDTH + ty) * n + Col];
        else
            ds_N[ty][tx] = 0.0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE_WIDTH; ++i)
            Pvalue += ds_M[ty][i] * ds_N[i][tx];
        __syncthreads();
    }
    if (Row < m && Col < n)
        P[Row * n + Col] = Pvalue;
}

// The tile's width is the template's; the tiles are dynamic shared memory.
template <int BLOCK_SIZE>
__global__ void __launch_bounds__(BLOCK_SIZE *BLOCK_SIZE)
    MatrixMulDynamic(float *C, float *A, float *B, int wA, int wB)
{
    extern __shared__ float tiles[];
    float(*As)[BLOCK_SIZE] = reinterpret_cast<float(*)[BLOCK_SIZE]>(tiles);
    float(*Bs)[BLOCK_SIZE] = As + BLOCK_SIZE;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK_SIZE + ty, col = blockIdx.x * BLOCK_SIZE + tx;
    float Csub = 0;
    for (int a = 0; a < wA; a += BLOCK_SIZE) {
        As[ty][tx] = A[row * wA + a + tx];
        Bs[ty][tx] = B[(a + ty) * wB + col];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * wB + col] = Csub;
}

static void multiplyOnHost(const std::vector<float> &a, const std::vector<float> &b, std::vector<float> &c,
                           int m, int k, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}

static bool multiply(int m, int k, int n)
{
    std::vector<float> a(m * k), b(k * n), c(m * n), expected(m * n);
    Random random(m);
    for (auto &x : a)
        x = random.uniform();
    for (auto &x : b)
        x = random.uniform() - 0.5f;
    multiplyOnHost(a, b, expected, m, k, n);

    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, a.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_b, b.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

    bool good = true;
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH, 1);
    dim3 dimGrid((n - 1) / TILE_WIDTH + 1, (m - 1) / TILE_WIDTH + 1, 1);
    for (int version = 0; version < 3; version++) {
        bool square = m % 32 == 0 && k % 32 == 0 && n % 32 == 0;
        if (version == 2 && !square)
            continue;
        CHECK(cudaMemset(d_c, 0xff, c.size() * sizeof(float)));
        switch (version) {
        case 0:
            MatrixMulNaive<<<dimGrid, dimBlock>>>(d_a, d_b, d_c, m, k, n);
            break;
        case 1:
            MatrixMulTiled<<<dimGrid, dimBlock>>>(d_a, d_b, d_c, m, k, n);
            break;
        default:
            MatrixMulDynamic<32>
                <<<dim3(n / 32, m / 32), dim3(32, 32), 2 * 32 * 32 * sizeof(float)>>>(d_c, d_a, d_b, k, n);
        }
        CHECK_KERNEL();
        CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
        bool same = close(c, expected, 1e-4);
        printf("%d x %d x %d, version %d: %s\n", m, k, n, version, same ? "ok" : "wrong");
        good &= same;
    }
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return good;
}

int main()
{
    return report(multiply(64, 96, 32) & multiply(37, 50, 71) & multiply(1, 1, 1));
}
