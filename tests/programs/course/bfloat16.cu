// bfloat16: a float cut to its upper half, with rounding. Conversion there and back, what half cannot hold,
// sums of squares by __nv_bfloat162 and the functions that training uses (exp, a softmax of each row).
#include "common.h"
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void convert(const float *in, __nv_bfloat16 *out, float *back, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = __float2bfloat16(in[i]);
        back[i] = __bfloat162float(out[i]);
    }
}

__global__ void holds(float x, int *results)
{
    results[0] = __hisinf(__float2half(x));
    results[1] = __hisinf(__float2bfloat16(x));
    results[2] = __hisnan(__hsub(CUDART_INF_BF16, CUDART_INF_BF16));
    results[3] = __hbeq2(__float2bfloat162_rn(x), __floats2bfloat162_rn(x, x));
    results[4] = __bfloat162int_rd(__float2bfloat16_rz(-2.75f));
    results[5] = (int)__nv_bfloat16(__half2float(__float2half(3.0f)));
}

// A row for each warp: largest, sum of exponentials, quotients, all by pairs.
__global__ void softmax(const __nv_bfloat162 *in, __nv_bfloat162 *out, int pairs)
{
    const __nv_bfloat162 *row = in + blockIdx.x * pairs;
    __nv_bfloat162 top = __bfloat162bfloat162(-CUDART_INF_BF16);
    for (int i = threadIdx.x; i < pairs; i += warpSize)
        top = __hmax2(top, row[i]);
    __nv_bfloat16 largest = __hmax(top.x, top.y);
    for (int offset = 16; offset > 0; offset /= 2)
        largest = __hmax(largest, __shfl_xor_sync(0xffffffff, largest, offset));
    float sum = 0; // too many terms for eight digits
    for (int i = threadIdx.x; i < pairs; i += warpSize) {
        float2 e = __bfloat1622float2(h2exp(row[i] - __bfloat162bfloat162(largest)));
        sum += e.x + e.y;
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, offset);
    for (int i = threadIdx.x; i < pairs; i += warpSize) {
        __nv_bfloat162 e = h2exp(row[i] - __bfloat162bfloat162(largest));
        out[blockIdx.x * pairs + i] = __h2div(e, __float2bfloat162_rn(sum));
    }
}

// The upper half of a float's bits, rounded to the even one of two that are as near.
static float upper_half(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&x, &bits, sizeof x);
    return x;
}

int main(void)
{
    const int n = 1 << 16, rows = 8, columns = 200;
    Random random(11);
    std::vector<float> in(n), back(n);
    std::vector<__nv_bfloat16> out(n);
    for (int i = 0; i < n; i++)
        in[i] = (random.uniform() - 0.5f) * powf(10, (float)(random.next() % 60) - 30);
    in[0] = 1.00390625f; // half of the last place above 1: goes to the even 1
    in[1] = 1.01171875f; // ... and this one up
    float *d_in, *d_back;
    __nv_bfloat16 *d_out;
    int *d_results, results[6];
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_back, n * sizeof(float)));
    CHECK(cudaMalloc(&d_out, n * sizeof(__nv_bfloat16)));
    CHECK(cudaMalloc(&d_results, sizeof results));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    convert<<<blocks_for(n, 256), 256>>>(d_in, d_out, d_back, n);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(__nv_bfloat16), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(back.data(), d_back, n * sizeof(float), cudaMemcpyDeviceToHost));
    bool good = back[0] == 1.0f && back[1] == 1.015625f;
    for (int i = 0; i < n; i++)
        good &= back[i] == upper_half(in[i]) && (float)out[i] == back[i] &&
                (float)__nv_bfloat16(in[i]) == back[i];
    printf("conversions: %s\n", good ? "right" : "wrong");

    holds<<<1, 1>>>(1e5f, d_results);
    CHECK(cudaMemcpy(results, d_results, sizeof results, cudaMemcpyDeviceToHost));
    printf("1e5 in half: %s, in bfloat16: %s\n", results[0] ? "infinite" : "finite",
           results[1] ? "infinite" : "finite");
    const int expected[6] = {1, 0, 1, 1, -3, 3};
    for (int i = 0; i < 6; i++) {
        const bool right = i == 2 || i == 3 ? results[i] != 0 : results[i] == expected[i];
        if (!right)
            printf("answer %d: %d, not %d\n", i, results[i], expected[i]);
        good &= right;
    }

    // Numbers that bfloat16 has, so that only the functions' own roundings remain.
    std::vector<__nv_bfloat16> table(rows * columns);
    for (__nv_bfloat16 &x : table)
        x = random.uniform() * 8 - 4;
    CHECK(cudaMemcpy(d_out, table.data(), table.size() * sizeof table[0], cudaMemcpyHostToDevice));
    __nv_bfloat162 *d_soft;
    CHECK(cudaMalloc(&d_soft, table.size() * sizeof table[0]));
    softmax<<<rows, 32>>>((const __nv_bfloat162 *)d_out, d_soft, columns / 2);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(out.data(), d_soft, table.size() * sizeof table[0], cudaMemcpyDeviceToHost));
    double worst = 0, worst_total = 0;
    for (int row = 0; row < rows; row++) {
        double sum = 0, total = 0;
        for (int i = 0; i < columns; i++)
            sum += exp((double)(float)table[row * columns + i]);
        for (int i = 0; i < columns; i++) {
            const double exact = exp((double)(float)table[row * columns + i]) / sum;
            const double found = (float)out[row * columns + i];
            total += found;
            // A difference of 4 to 8 is rounded by up to 1/64, which the exponential makes 1.6% of; it and
            // the quotient are rounded by up to 0.4% each.
            worst = fmax(worst, fabs(found - exact) / exact);
        }
        worst_total = fmax(worst_total, fabs(total - 1));
    }
    printf("softmax: off by %.2f%% at most, sums by %.2f%%\n", 100 * worst, 100 * worst_total);
    good &= worst <= 0.03 && worst_total < 0.02;
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_back));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_results));
    CHECK(cudaFree(d_soft));
    return report(good);
}
