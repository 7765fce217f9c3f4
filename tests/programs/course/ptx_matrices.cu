// Tensor cores by inline PTX: mma.sync in its shapes for halves, bfloat16, TF32, bytes and doubles, with
// operands that are put together by hand, and by ldmatrix from shared memory. Each product is compared with
// the host's.
#include "common.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdint>
#include <cstring>

// A lane's registers of 4 bytes: so many elements of a and b that lie beside each other.
template <class T> __device__ uint32_t word_at(const T *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}
template <int K, class T> __device__ void take_a(const T *a, uint32_t *registers)
{
    const int each = 4 / sizeof(T), group = threadIdx.x / 4, inside = threadIdx.x % 4;
    for (int r = 0; r < K / each / 2; r++)
        registers[r] = word_at(a + (group + r % 2 * 8) * K + r / 2 * 4 * each + inside * each);
}
template <int K, class T> __device__ void take_b(const T *b, uint32_t *registers)
{
    const int each = 4 / sizeof(T), group = threadIdx.x / 4, inside = threadIdx.x % 4;
    for (int r = 0; r < K / each / 4; r++)
        registers[r] = word_at(b + group * K + r * 4 * each + inside * each);
}

__global__ void halves16(const __half *a, const __half *b, const float *c, float *d)
{
    uint32_t x[4], y[2];
    take_a<16>(a, x);
    take_b<16>(b, y);
    const int at = threadIdx.x / 4 * 8 + threadIdx.x % 4 * 2;
    float s0 = c[at], s1 = c[at + 1], s2 = c[at + 64], s3 = c[at + 65];
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    d[at] = s0, d[at + 1] = s1, d[at + 64] = s2, d[at + 65] = s3;
}
// The same with halves' sums, and with operands that ldmatrix fetches; b is turned on the way.
__global__ void halves_from_shared(const __half *a, const __half *b, const float *c, float *d)
{
    __shared__ __align__(16) __half tile_a[16][16], tile_b[16][8];
    const int lane = threadIdx.x, at = lane / 4 * 8 + lane % 4 * 2;
    for (int i = lane; i < 256; i += 32)
        tile_a[i / 16][i % 16] = a[i];
    for (int i = lane; i < 128; i += 32)
        tile_b[i % 16][i / 16] = b[i];
    __syncwarp();
    uint32_t x[4], y[2], sums[2], results[2];
    const uint32_t row_a = (uint32_t)__cvta_generic_to_shared(&tile_a[lane % 16][lane / 16 * 8]),
                   row_b = (uint32_t)__cvta_generic_to_shared(&tile_b[lane % 16][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(row_a)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(row_b)
                 : "memory");
    const __half2 upper = __floats2half2_rn(c[at], c[at + 1]),
                  lower = __floats2half2_rn(c[at + 64], c[at + 65]);
    memcpy(&sums[0], &upper, 4);
    memcpy(&sums[1], &lower, 4);
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
        : "=r"(results[0]), "=r"(results[1])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(sums[0]), "r"(sums[1]));
    __half2 first, second;
    memcpy(&first, &results[0], 4);
    memcpy(&second, &results[1], 4);
    d[at] = __low2float(first), d[at + 1] = __high2float(first);
    d[at + 64] = __low2float(second), d[at + 65] = __high2float(second);
}
__global__ void bfloats8(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const float *c, float *d)
{
    uint32_t x[2], y[1];
    take_a<8>(a, x);
    take_b<8>(b, y);
    const int at = threadIdx.x / 4 * 8 + threadIdx.x % 4 * 2;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
                 "{%7, %8, %9, %10};"
                 : "=f"(d[at]), "=f"(d[at + 1]), "=f"(d[at + 64]), "=f"(d[at + 65])
                 : "r"(x[0]), "r"(x[1]), "r"(y[0]), "f"(c[at]), "f"(c[at + 1]), "f"(c[at + 64]),
                   "f"(c[at + 65]));
}
__global__ void floats8(const float *a, const float *b, const float *c, float *d)
{
    uint32_t x[4], y[2];
    take_a<8>(a, x);
    take_b<8>(b, y);
    const int at = threadIdx.x / 4 * 8 + threadIdx.x % 4 * 2;
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %11, %12, %13};"
        : "=f"(d[at]), "=f"(d[at + 1]), "=f"(d[at + 64]), "=f"(d[at + 65])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "f"(c[at]), "f"(c[at + 1]),
          "f"(c[at + 64]), "f"(c[at + 65]));
}
__global__ void bytes32(const int8_t *a, const int8_t *b, const int *c, int *d)
{
    uint32_t x[4], y[2];
    take_a<32>(a, x);
    take_b<32>(b, y);
    const int at = threadIdx.x / 4 * 8 + threadIdx.x % 4 * 2;
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %11, %12, %13};"
        : "=r"(d[at]), "=r"(d[at + 1]), "=r"(d[at + 64]), "=r"(d[at + 65])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(c[at]), "r"(c[at + 1]),
          "r"(c[at + 64]), "r"(c[at + 65]));
}
__global__ void doubles4(const double *a, const double *b, const double *c, double *d)
{
    const int group = threadIdx.x / 4, inside = threadIdx.x % 4, at = group * 8 + inside * 2;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d[at]), "=d"(d[at + 1])
                 : "d"(a[group * 4 + inside]), "d"(b[group * 4 + inside]), "d"(c[at]), "d"(c[at + 1]));
}

template <class T> static T *on_device(const std::vector<T> &values)
{
    T *p;
    CHECK(cudaMalloc(&p, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

// a is m by k, row after row; b is k by n, column after column; c is m by n. All numbers are small integers,
// so that each way of summing gives the same.
template <class Number, class Sum, class Kernel>
static bool is_right(const char *name, Kernel kernel, int m, int k, Number (*of)(int))
{
    Random random(m + k);
    const int n = 8;
    std::vector<int> x(m * k), y(k * n), z(m * n);
    for (int &v : x)
        v = (int)(random.next() % 9) - 4;
    for (int &v : y)
        v = (int)(random.next() % 9) - 4;
    for (int &v : z)
        v = (int)(random.next() % 99) - 49;
    std::vector<Number> a, b;
    std::vector<Sum> c, found(m * n);
    for (int v : x)
        a.push_back(of(v));
    for (int v : y)
        b.push_back(of(v));
    for (int v : z)
        c.push_back((Sum)v);
    Number *device_a = on_device(a), *device_b = on_device(b);
    Sum *device_c = on_device(c), *device_d = on_device(found);
    kernel<<<1, 32>>>(device_a, device_b, device_c, device_d);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(found.data(), device_d, found.size() * sizeof(Sum), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_c));
    CHECK(cudaFree(device_d));
    bool good = true;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++) {
            int sum = z[row * n + column];
            for (int i = 0; i < k; i++)
                sum += x[row * k + i] * y[column * k + i];
            good &= found[row * n + column] == (Sum)sum;
        }
    printf("%s: %s\n", name, good ? "ok" : "wrong");
    return good;
}

static __half to_half(int x)
{
    return __float2half((float)x);
}
static __nv_bfloat16 to_bfloat16(int x)
{
    return __float2bfloat16((float)x);
}
template <class T> static T to_number(int x)
{
    return (T)x;
}

int main()
{
    bool good = is_right<__half, float>("halves, k 16", halves16, 16, 16, to_half);
    good &= is_right<__half, float>("halves by ldmatrix", halves_from_shared, 16, 16, to_half);
    good &= is_right<__nv_bfloat16, float>("bfloat16, k 8", bfloats8, 16, 8, to_bfloat16);
    good &= is_right<float, float>("TF32, k 8", floats8, 16, 8, to_number<float>);
    good &= is_right<int8_t, int>("bytes, k 32", bytes32, 16, 32, to_number<int8_t>);
    good &= is_right<double, double>("doubles, k 4", doubles4, 8, 4, to_number<double>);
    return report(good);
}
