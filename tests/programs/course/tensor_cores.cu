// C = alpha A B + beta C on tensor cores: half matrices, sums of float, a warp for each tile of 16 by 16.
// Then the same with the factors' tiles in shared memory, four warps a block. Compared with sums of double on
// the host.
#include "common.h"
#include <mma.h>

using namespace nvcuda;

const int WMMA_M = 16;
const int WMMA_N = 16;
const int WMMA_K = 16;

__global__ void wmma_example(const half *a, const half *b, float *c, int M, int N, int K, float alpha,
                             float beta)
{
    int lda = M, ldb = K, ldc = M; // all by columns
    int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    int warpN = (blockIdx.y * blockDim.y + threadIdx.y);

    wmma::fragment<wmma::matrix_a, WMMA_M, WMMA_N, WMMA_K, half, wmma::col_major> a_frag;
    wmma::fragment<wmma::matrix_b, WMMA_M, WMMA_N, WMMA_K, half, wmma::col_major> b_frag;
    wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> acc_frag;
    wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> c_frag;
    wmma::fill_fragment(acc_frag, 0.0f);

    for (int i = 0; i < K; i += WMMA_K) {
        int aRow = warpM * WMMA_M, aCol = i;
        int bRow = i, bCol = warpN * WMMA_N;
        if (aRow < M && aCol < K && bRow < K && bCol < N) {
            wmma::load_matrix_sync(a_frag, a + aRow + aCol * lda, lda);
            wmma::load_matrix_sync(b_frag, b + bRow + bCol * ldb, ldb);
            wmma::mma_sync(acc_frag, a_frag, b_frag, acc_frag);
        }
    }

    int cRow = warpM * WMMA_M, cCol = warpN * WMMA_N;
    if (cRow < M && cCol < N) {
        wmma::load_matrix_sync(c_frag, c + cRow + cCol * ldc, ldc, wmma::mem_col_major);
        for (int i = 0; i < c_frag.num_elements; i++)
            c_frag.x[i] = alpha * acc_frag.x[i] + beta * c_frag.x[i];
        wmma::store_matrix_sync(c + cRow + cCol * ldc, c_frag, ldc, wmma::mem_col_major);
    }
}

// Rows one after another; a block makes 32 by 32 elements of C, its four warps a quarter each.
__global__ void wmma_shared(const half *a, const half *b, half *c, int N, int K)
{
    __shared__ half tileA[32][16 + 8], tileB[16][32 + 8];
    const int warp = threadIdx.x / 32, row = blockIdx.y * 32, col = blockIdx.x * 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
    wmma::fill_fragment(sum, __float2half(0.0f));
    for (int k = 0; k < K; k += 16) {
        for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x) {
            tileA[i / 16][i % 16] = a[(row + i / 16) * K + k + i % 16];
            tileB[i / 32][i % 32] = b[(k + i / 32) * N + col + i % 32];
        }
        __syncthreads();
        wmma::load_matrix_sync(fa, &tileA[warp / 2 * 16][0], 16 + 8);
        wmma::load_matrix_sync(fb, &tileB[0][warp % 2 * 16], 32 + 8);
        wmma::mma_sync(sum, fa, fb, sum);
        __syncthreads();
    }
    for (int t = 0; t < sum.num_elements; t++) // ReLU, whichever element each is
        sum.x[t] = sum.x[t] > __float2half(0.0f) ? sum.x[t] : __float2half(0.0f);
    wmma::store_matrix_sync(c + (row + warp / 2 * 16) * N + col + warp % 2 * 16, sum, N, wmma::mem_row_major);
}

int main(void)
{
    const int M = 64, N = 96, K = 80;
    const float alpha = 2.0f, beta = -1.0f;
    Random random(5);
    std::vector<half> a(M * K), b(K * N);
    std::vector<float> c(M * N), expected(M * N);
    for (half &x : a)
        x = random.uniform() - 0.5f;
    for (half &x : b)
        x = random.uniform() - 0.5f;
    for (float &x : c)
        x = random.uniform();

    half *d_a, *d_b, *d_h;
    float *d_c;
    CHECK(cudaMalloc(&d_a, a.size() * sizeof(half)));
    CHECK(cudaMalloc(&d_b, b.size() * sizeof(half)));
    CHECK(cudaMalloc(&d_h, c.size() * sizeof(half)));
    CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += (double)__half2float(a[i + k * M]) * __half2float(b[k + j * K]);
            expected[i + j * M] = (float)(alpha * sum + beta * c[i + j * M]);
        }

    dim3 block(128, 4);
    dim3 grid((M + (WMMA_M * block.x / 32 - 1)) / (WMMA_M * block.x / 32),
              (N + WMMA_N * block.y - 1) / (WMMA_N * block.y));
    wmma_example<<<grid, block>>>(d_a, d_b, d_c, M, N, K, alpha, beta);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    bool good = close(c, expected, 1e-5);

    // Now the same numbers count as matrices by rows.
    wmma_shared<<<dim3(N / 32, M / 32), 128>>>(d_a, d_b, d_h, N, K);
    CHECK_KERNEL();
    std::vector<half> h(M * N);
    CHECK(cudaMemcpy(h.data(), d_h, h.size() * sizeof(half), cudaMemcpyDeviceToHost));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += (double)__half2float(a[i * K + k]) * __half2float(b[k * N + j]);
            c[i * N + j] = __half2float(h[i * N + j]);
            expected[i * N + j] = sum > 0 ? (float)sum : 0;
        }
    good &= close(c, expected, 5e-3); // five sums, each rounded to 11 digits
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_h));
    CHECK(cudaFree(d_c));
    return report(good);
}
