// DPX: sums, maxima and minima in one step. The host's results and the device's are compared with what plain
// arithmetic gives, for numbers at all limits.
#include "common.h"

#include <algorithm>
#include <climits>
#include <cstdint>

enum { FUNCTIONS = 36 };

struct Results {
    unsigned value[FUNCTIONS];
    unsigned predicates;
};

__host__ __device__ Results compute(unsigned a, unsigned b, unsigned c)
{
    Results r = {};
    bool p[4] = {}, high[4] = {}, low[4] = {};
    unsigned *v = r.value;
    *v++ = __viaddmax_s32(a, b, c), *v++ = __viaddmin_s32(a, b, c);
    *v++ = __viaddmax_u32(a, b, c), *v++ = __viaddmin_u32(a, b, c);
    *v++ = __viaddmax_s32_relu(a, b, c), *v++ = __viaddmin_s32_relu(a, b, c);
    *v++ = __vimax3_s32(a, b, c), *v++ = __vimin3_s32(a, b, c);
    *v++ = __vimax3_u32(a, b, c), *v++ = __vimin3_u32(a, b, c);
    *v++ = __vimax3_s32_relu(a, b, c), *v++ = __vimin3_s32_relu(a, b, c);
    *v++ = __vimax_s32_relu(a, b), *v++ = __vimin_s32_relu(a, b);
    *v++ = __vibmax_s32(a, b, &p[0]), *v++ = __vibmin_s32(a, b, &p[1]);
    *v++ = __vibmax_u32(a, b, &p[2]), *v++ = __vibmin_u32(a, b, &p[3]);
    *v++ = __viaddmax_s16x2(a, b, c), *v++ = __viaddmin_s16x2(a, b, c);
    *v++ = __viaddmax_u16x2(a, b, c), *v++ = __viaddmin_u16x2(a, b, c);
    *v++ = __viaddmax_s16x2_relu(a, b, c), *v++ = __viaddmin_s16x2_relu(a, b, c);
    *v++ = __vimax3_s16x2(a, b, c), *v++ = __vimin3_s16x2(a, b, c);
    *v++ = __vimax3_u16x2(a, b, c), *v++ = __vimin3_u16x2(a, b, c);
    *v++ = __vimax3_s16x2_relu(a, b, c), *v++ = __vimin3_s16x2_relu(a, b, c);
    *v++ = __vimax_s16x2_relu(a, b), *v++ = __vimin_s16x2_relu(a, b);
    *v++ = __vibmax_s16x2(a, b, &high[0], &low[0]), *v++ = __vibmin_s16x2(a, b, &high[1], &low[1]);
    *v++ = __vibmax_u16x2(a, b, &high[2], &low[2]), *v++ = __vibmin_u16x2(a, b, &high[3], &low[3]);
    for (int i = 0; i < 4; i++)
        r.predicates |= (p[i] | high[i] << 4 | low[i] << 8) << i;
    return r;
}

__global__ void on_device(const unsigned *numbers, int n, Results *results)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * n * n)
        results[i] = compute(numbers[i % n], numbers[i / n % n], numbers[i / n / n]);
}

// The same by plain arithmetic in 64 bits: one number, or a half.
template <class T> struct Plain {
    T a, b, c;
    T sum() const
    {
        return (T)((int64_t)a + b);
    }
    T result(int which, bool minimum, bool relu) const // 0: a + b and c; 1: of three; 2: of two
    {
        const T first = which == 0 ? sum() : a, second = which == 0 ? c : b;
        T x = minimum ? std::min(first, second) : std::max(first, second);
        if (which == 1)
            x = minimum ? std::min(x, c) : std::max(x, c);
        return relu && x < 1 ? (T)0 : x;
    }
};

static void expect(Results &r, unsigned a, unsigned b, unsigned c)
{
    const Plain<int> s = {(int)a, (int)b, (int)c};
    const Plain<unsigned> u = {a, b, c};
    const Plain<short> sl = {(short)a, (short)b, (short)c},
                       sh = {(short)(a >> 16), (short)(b >> 16), (short)(c >> 16)};
    const Plain<unsigned short> ul = {(unsigned short)a, (unsigned short)b, (unsigned short)c},
                                uh = {(unsigned short)(a >> 16), (unsigned short)(b >> 16),
                                      (unsigned short)(c >> 16)};
    // which, with a sign, relu, in the order of compute()
    static const int rows[9][3] = {{0, 1, 0}, {0, 0, 0}, {0, 1, 1}, {1, 1, 0}, {1, 0, 0},
                                   {1, 1, 1}, {2, 1, 1}, {2, 1, 0}, {2, 0, 0}};
    for (int i = 0; i < 18; i++) {
        const int *row = rows[i / 2];
        const bool minimum = i % 2, relu = row[2];
        r.value[i] = row[1] ? (unsigned)s.result(row[0], minimum, relu) : u.result(row[0], minimum, relu);
        const unsigned low =
            (uint16_t)(row[1] ? sl.result(row[0], minimum, relu) : ul.result(row[0], minimum, relu));
        const unsigned high =
            (uint16_t)(row[1] ? sh.result(row[0], minimum, relu) : uh.result(row[0], minimum, relu));
        r.value[18 + i] = high << 16 | low;
    }
    const bool p[4] = {s.a >= s.b, s.a <= s.b, u.a >= u.b, u.a <= u.b},
               high[4] = {sh.a >= sh.b, sh.a <= sh.b, uh.a >= uh.b, uh.a <= uh.b},
               low[4] = {sl.a >= sl.b, sl.a <= sl.b, ul.a >= ul.b, ul.a <= ul.b};
    r.predicates = 0;
    for (int i = 0; i < 4; i++)
        r.predicates |= (p[i] | high[i] << 4 | low[i] << 8) << i;
}

int main()
{
    std::vector<unsigned> numbers = {0,          1,          0x7fffffff, 0x80000000, 0xffffffff, 0x7fff8000,
                                     0x80007fff, 0xffff0000, 0x0000ffff, 0x12345678, 0xfedcba98};
    Random random(11);
    while (numbers.size() < 24)
        numbers.push_back(random.next() << 8 ^ random.next());
    const int n = (int)numbers.size(), all = n * n * n;
    unsigned *device_numbers;
    Results *device_results;
    CHECK(cudaMalloc(&device_numbers, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&device_results, all * sizeof(Results)));
    CHECK(cudaMemcpy(device_numbers, numbers.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    on_device<<<blocks_for(all, 128), 128>>>(device_numbers, n, device_results);
    CHECK_KERNEL();
    std::vector<Results> results(all);
    CHECK(cudaMemcpy(results.data(), device_results, all * sizeof(Results), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < all; i++) {
        const unsigned a = numbers[i % n], b = numbers[i / n % n], c = numbers[i / n / n];
        const Results host = compute(a, b, c);
        Results wanted = {};
        expect(wanted, a, b, c);
        for (int f = 0; f < FUNCTIONS; f++)
            if ((host.value[f] != wanted.value[f] || results[i].value[f] != wanted.value[f]) && wrong++ < 10)
                printf("function %d of %x, %x, %x: host %x, device %x, not %x\n", f, a, b, c, host.value[f],
                       results[i].value[f], wanted.value[f]);
        if ((host.predicates != wanted.predicates || results[i].predicates != wanted.predicates) &&
            wrong++ < 10)
            printf("predicates of %x, %x: host %x, device %x, not %x\n", a, b, host.predicates,
                   results[i].predicates, wanted.predicates);
    }
    CHECK(cudaFree(device_numbers));
    CHECK(cudaFree(device_results));
    return report(wrong == 0);
}
