// Inline PTX with carries (numbers of 128 and 256 bits), with roundings, and with asynchronous copies into
// shared memory whose address is kept in 32 bits.
#include "common.h"

#include <cstdint>

typedef unsigned __int128 u128;

__device__ void add128(uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    asm("add.cc.u32 %0, %4, %8;\n\t"
        "addc.cc.u32 %1, %5, %9;\n\t"
        "addc.cc.u32 %2, %6, %10;\n\t"
        "addc.u32 %3, %7, %11;"
        : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
}

__device__ void sub128(uint64_t *r, const uint64_t *a, const uint64_t *b, uint32_t *borrow)
{
    asm volatile("sub.cc.u64 %0, %1, %2;" : "=l"(r[0]) : "l"(a[0]), "l"(b[0]));
    asm volatile("subc.cc.u64 %0, %1, %2;" : "=l"(r[1]) : "l"(a[1]), "l"(b[1]));
    asm volatile("subc.u32 %0, 0, 0;" : "=r"(*borrow));
}

// Four words times one, added to five words.
__device__ void mad_row(uint32_t *r, const uint32_t *a, uint32_t b)
{
    asm("mad.lo.cc.u32 %0, %5, %9, %0;\n\t"
        "madc.lo.cc.u32 %1, %6, %9, %1;\n\t"
        "madc.lo.cc.u32 %2, %7, %9, %2;\n\t"
        "madc.lo.cc.u32 %3, %8, %9, %3;\n\t"
        "addc.u32 %4, %4, 0;\n\t"
        "mad.hi.cc.u32 %1, %5, %9, %1;\n\t"
        "madc.hi.cc.u32 %2, %6, %9, %2;\n\t"
        "madc.hi.cc.u32 %3, %7, %9, %3;\n\t"
        "madc.hi.u32 %4, %8, %9, %4;"
        : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b));
}

struct Case {
    uint32_t a[4], b[4];
};
struct Result {
    uint32_t sum[4], product[8], borrow;
    uint64_t difference[2];
};

__global__ void compute(const Case *cases, Result *results, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Case c = cases[i];
    Result r = {};
    add128(r.sum, c.a, c.b);
    uint64_t a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k] = c.a[2 * k] | (uint64_t)c.a[2 * k + 1] << 32;
        b[k] = c.b[2 * k] | (uint64_t)c.b[2 * k + 1] << 32;
    }
    sub128(r.difference, a, b, &r.borrow);
    for (int k = 0; k < 4; k++)
        mad_row(r.product + k, c.a, c.b[k]);
    results[i] = r;
}

static u128 number(const uint32_t *w)
{
    u128 x = 0;
    for (int k = 3; k >= 0; k--)
        x = x << 32 | w[k];
    return x;
}

// The product's eight words, by the school's method.
static void multiply(const Case &c, uint32_t *product)
{
    for (int k = 0; k < 8; k++)
        product[k] = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < 4; k++) {
            carry += product[i + k] + (uint64_t)c.a[k] * c.b[i];
            product[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + 4] = (uint32_t)carry;
    }
}

static bool carries()
{
    const int n = 1000;
    std::vector<Case> cases(n);
    std::vector<Result> results(n);
    Random random(7);
    for (Case &c : cases)
        for (int k = 0; k < 4; k++) {
            c.a[k] = random.next() % 4 ? random.next() << 8 | random.next() % 256 : 0xffffffffu;
            c.b[k] = random.next() % 4 ? random.next() << 8 | random.next() % 256 : random.next() % 2;
        }
    Case *device_cases;
    Result *device_results;
    CHECK(cudaMalloc(&device_cases, n * sizeof(Case)));
    CHECK(cudaMalloc(&device_results, n * sizeof(Result)));
    CHECK(cudaMemcpy(device_cases, cases.data(), n * sizeof(Case), cudaMemcpyHostToDevice));
    compute<<<blocks_for(n, 128), 128>>>(device_cases, device_results, n);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(results.data(), device_results, n * sizeof(Result), cudaMemcpyDeviceToHost));
    bool good = true;
    for (int i = 0; i < n; i++) {
        const u128 a = number(cases[i].a), b = number(cases[i].b);
        const Result &r = results[i];
        uint32_t product[8];
        multiply(cases[i], product);
        good &= number(r.sum) == a + b;
        good &=
            ((u128)r.difference[1] << 64 | r.difference[0]) == a - b && r.borrow == (a < b ? 0xffffffffu : 0);
        for (int k = 0; k < 8; k++)
            good &= r.product[k] == product[k];
    }
    CHECK(cudaFree(device_cases));
    CHECK(cudaFree(device_results));
    return good;
}

#define ROUNDED(way, suffix)                                                                                 \
    asm("add." #way ".f32 %0, %1, %2;" : "=f"(f) : "f"(x), "f"(y));                                          \
    good &= f == __fadd_##suffix(x, y);                                                                      \
    asm("mul." #way ".f32 %0, %1, %2;" : "=f"(f) : "f"(x), "f"(y));                                          \
    good &= f == __fmul_##suffix(x, y);                                                                      \
    asm("div." #way ".f32 %0, %1, %2;" : "=f"(f) : "f"(x), "f"(y));                                          \
    good &= f == __fdiv_##suffix(x, y);                                                                      \
    asm("fma." #way ".f32 %0, %1, %2, %3;" : "=f"(f) : "f"(x), "f"(y), "f"(z));                              \
    good &= f == __fmaf_##suffix(x, y, z);                                                                   \
    asm("sqrt." #way ".f32 %0, %1;" : "=f"(f) : "f"(x));                                                     \
    good &= f == __fsqrt_##suffix(x);                                                                        \
    asm("rcp." #way ".f32 %0, %1;" : "=f"(f) : "f"(y));                                                      \
    good &= f == __frcp_##suffix(y);                                                                         \
    asm("add." #way ".f64 %0, %1, %2;" : "=d"(d) : "d"(u), "d"(v));                                          \
    good &= d == __dadd_##suffix(u, v);                                                                      \
    asm("fma." #way ".f64 %0, %1, %2, %3;" : "=d"(d) : "d"(u), "d"(v), "d"(u));                              \
    good &= d == __fma_##suffix(u, v, u)

__global__ void round_all(const float *values, int n, int *bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float x = values[i], y = values[(i + 1) % n], z = values[(i + 2) % n];
    const double u = x / 3.0, v = y / 7.0;
    float f;
    double d;
    bool good = true;
    ROUNDED(rz, rz);
    ROUNDED(rm, rd);
    ROUNDED(rp, ru);
    if (!good)
        atomicAdd(bad, 1);
}

static bool roundings()
{
    const int n = 4096;
    std::vector<float> values(n);
    Random random(3);
    for (float &value : values)
        value = (random.uniform() + 1e-3f) * (1 + random.next() % 1000);
    float *device_values;
    int *bad, found = -1;
    CHECK(cudaMalloc(&device_values, n * sizeof(float)));
    CHECK(cudaMalloc(&bad, sizeof(int)));
    CHECK(cudaMemcpy(device_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(bad, 0, sizeof(int)));
    round_all<<<blocks_for(n, 128), 128>>>(device_values, n, bad);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&found, bad, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_values));
    CHECK(cudaFree(bad));
    return found == 0;
}

// Tiles go through shared memory, two in turn; the last 16 bytes of each are zeros.
__global__ void through_tiles(const float4 *from, float4 *to, int tiles)
{
    __shared__ __align__(16) float4 tile[2][128];
    for (int t = 0; t <= tiles; t++) {
        if (t < tiles) {
            const uint32_t at = (uint32_t)__cvta_generic_to_shared(&tile[t % 2][threadIdx.x]);
            const int bytes = threadIdx.x == 127 ? 0 : 16;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at),
                         "l"(from + t * 128 + threadIdx.x), "r"(bytes));
        }
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 1;");
        __syncthreads();
        if (t > 0)
            to[(t - 1) * 128 + threadIdx.x] = tile[(t - 1) % 2][127 - threadIdx.x];
        __syncthreads();
    }
    asm volatile("cp.async.wait_all;");
}

// Four numbers at a time, and one, by addresses of 32 and of 64 bits; the block's sum by an atomic function.
__global__ void through_shared(const float4 *from, float4 *to, unsigned *sum)
{
    __shared__ __align__(16) float4 tile[128];
    __shared__ unsigned total;
    const int t = threadIdx.x, other = 127 - t;
    const uint32_t mine = (uint32_t)__cvta_generic_to_shared(&tile[t]),
                   its = (uint32_t)__cvta_generic_to_shared(&tile[other]);
    const size_t count = __cvta_generic_to_shared(&total);
    const float4 a = from[t];
    float4 b;
    float last;
    if (t == 0)
        asm volatile("st.shared.u32 [%0], %1;" ::"l"(count), "r"(7));
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(mine), "f"(a.x), "f"(a.y), "f"(a.z),
                 "f"(a.w)
                 : "memory");
    __syncthreads();
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(b.x), "=f"(b.y), "=f"(b.z), "=f"(b.w)
                 : "r"(its)
                 : "memory");
    asm volatile("ld.volatile.shared.f32 %0, [%1 + 12];" : "=f"(last) : "r"(its) : "memory");
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"((uint32_t)count), "r"(t) : "memory");
    b.w += last;
    to[t] = b;
    __syncthreads();
    if (t == 0)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(*sum) : "l"(count) : "memory");
}

static bool shared_addresses()
{
    std::vector<float4> values(128), found(128);
    for (int i = 0; i < 128; i++)
        values[i] = make_float4(i, i + 0.25f, i + 0.5f, -i);
    float4 *from, *to;
    unsigned *sum, host_sum = 0;
    CHECK(cudaMalloc(&from, 128 * sizeof(float4)));
    CHECK(cudaMalloc(&to, 128 * sizeof(float4)));
    CHECK(cudaMalloc(&sum, sizeof *sum));
    CHECK(cudaMemcpy(from, values.data(), 128 * sizeof(float4), cudaMemcpyHostToDevice));
    through_shared<<<1, 128>>>(from, to, sum);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(found.data(), to, 128 * sizeof(float4), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&host_sum, sum, sizeof host_sum, cudaMemcpyDeviceToHost));
    bool good = host_sum == 7 + 127 * 128 / 2;
    for (int i = 0; i < 128; i++) {
        const float4 a = values[127 - i], b = found[i];
        good &= a.x == b.x && a.y == b.y && a.z == b.z && 2 * a.w == b.w;
    }
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    CHECK(cudaFree(sum));
    return good;
}

static bool copies()
{
    const int tiles = 9, n = tiles * 128;
    std::vector<float4> values(n), found(n);
    for (int i = 0; i < n; i++)
        values[i] = make_float4(i, i + 0.25f, i + 0.5f, -i);
    float4 *from, *to;
    CHECK(cudaMalloc(&from, n * sizeof(float4)));
    CHECK(cudaMalloc(&to, n * sizeof(float4)));
    CHECK(cudaMemcpy(from, values.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    through_tiles<<<1, 128>>>(from, to, tiles);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(found.data(), to, n * sizeof(float4), cudaMemcpyDeviceToHost));
    bool good = true;
    for (int i = 0; i < n; i++) {
        const int source = i / 128 * 128 + 127 - i % 128;
        const float4 wanted = i % 128 == 0 ? make_float4(0, 0, 0, 0) : values[source];
        good &= found[i].x == wanted.x && found[i].y == wanted.y && found[i].z == wanted.z &&
                found[i].w == wanted.w;
    }
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return good;
}

int main()
{
    const struct {
        const char *name;
        bool passed;
    } tests[] = {{"carries", carries()},
                 {"roundings", roundings()},
                 {"copies", copies()},
                 {"shared addresses", shared_addresses()}};
    bool good = true;
    for (const auto &test : tests) {
        printf("%s: %s\n", test.name, test.passed ? "ok" : "wrong");
        good &= test.passed;
    }
    return report(good);
}
