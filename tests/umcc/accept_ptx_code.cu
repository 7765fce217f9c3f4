/*
 * Inline PTX that computes: one statement for each instruction, with what the PTX manual says of its edges,
 * and texts of several instructions with registers, predicates and labels of their own.
 */
#include "check.h"

#define FIRST 64

/* Each writes a number of results; the host knows what they have to be. */
__device__ int next_result(int *count)
{
    return (*count)++;
}
#define RESULT out[next_result(&count)]

__global__ void integers(long long *out, int *counted, int seven, int minus, unsigned high)
{
    int count = 0, s;
    unsigned u;
    long long l;
    unsigned long long ul;
    short h;
    asm("add.s32 %0, %1, %2;" : "=r"(s) : "r"(seven), "r"(minus));
    RESULT = s;
    asm volatile("sub.u32 %0, %1, 8;" : "=r"(u) : "r"(seven));
    RESULT = u;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(s) : "r"(0x7fffffff), "r"(seven));
    RESULT = s;
    asm("mul.lo.s32 %0, %1, %2;" : "=r"(s) : "r"(0x12345678), "r"(0x1000));
    RESULT = s;
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(u) : "r"(high), "r"(16));
    RESULT = u;
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(s) : "r"(minus), "r"(16));
    RESULT = s;
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(l) : "r"(minus), "r"(0x40000000));
    RESULT = l;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(u) : "r"(high), "r"(3), "r"(5));
    RESULT = u;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(ul) : "r"(high), "r"(4), "l"(1ull));
    RESULT = (long long)ul;
    asm("mul24.lo.s32 %0, %1, %2;" : "=r"(s) : "r"(minus), "r"(seven));
    RESULT = s;
    asm("div.s32 %0, %1, %2;" : "=r"(s) : "r"(-100), "r"(seven));
    RESULT = s;
    asm("rem.u32 %0, %1, 10;" : "=r"(u) : "r"(high));
    RESULT = u;
    asm("min.s32 %0, %1, %2;" : "=r"(s) : "r"(seven), "r"(minus));
    RESULT = s;
    asm("max.u32 %0, %1, %2;" : "=r"(u) : "r"(7u), "r"(high));
    RESULT = u;
    asm("abs.s32 %0, %1;" : "=r"(s) : "r"(minus));
    RESULT = s;
    asm("neg.s64 %0, %1;" : "=l"(l) : "l"(5ll));
    RESULT = l;
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(u) : "r"(3u), "r"(10u), "r"(100u));
    RESULT = u;
    asm("add.s16 %0, %1, %2;" : "=h"(h) : "h"((short)30000), "h"((short)10000));
    RESULT = h;
    asm("{ add.u32 %0, %1, %2; mul.lo.u32 %0, %0, %0; }" : "=r"(u) : "r"(3), "r"(4));
    RESULT = u;
    asm("add.u32 %0, %0, %1;" : "+r"(u) : "n"(1000));
    RESULT = u;
    *counted = count;
}
static const long long integers_expected[] = {
    5, 0xffffffffll, 0x7fffffff,   0x45678000, 8,  -1,  -0x80000000ll, 0x80000005ll, 0x200000001ll, -14, -14,
    8, -2,           0x80000000ll, 2,          -5, 107, -25536,        49,           1049};

__global__ void bits(long long *out, int *counted, unsigned a, unsigned b)
{
    int count = 0, s;
    unsigned u, low, high;
    unsigned long long l;
    asm("and.b32 %0, %1, %2;" : "=r"(u) : "r"(a), "r"(b));
    RESULT = u;
    asm("xor.b32 %0, %1, 0xff;" : "=r"(u) : "r"(a));
    RESULT = u;
    asm("not.b32 %0, %1;" : "=r"(u) : "r"(a));
    RESULT = u;
    asm("shl.b32 %0, %1, %2;" : "=r"(u) : "r"(a), "r"(40));
    RESULT = u;
    asm("shr.u32 %0, %1, 8;" : "=r"(u) : "r"(a));
    RESULT = u;
    asm("shr.s32 %0, %1, %2;" : "=r"(s) : "r"(-8), "r"(99));
    RESULT = s;
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(u) : "r"(a), "r"(b), "r"(8));
    RESULT = u;
    asm("popc.b32 %0, %1;" : "=r"(u) : "r"(a));
    RESULT = u;
    asm("clz.b32 %0, %1;" : "=r"(u) : "r"(0x00ffffff));
    RESULT = u;
    asm("clz.b64 %0, %1;" : "=r"(u) : "l"(1ull));
    RESULT = u;
    asm("brev.b32 %0, %1;" : "=r"(u) : "r"(1));
    RESULT = u;
    asm("bfind.u32 %0, %1;" : "=r"(u) : "r"(0x00f00000));
    RESULT = u;
    asm("bfe.u32 %0, %1, 8, 12;" : "=r"(u) : "r"(a));
    RESULT = u;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a), "r"(28), "r"(8));
    RESULT = s;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(u) : "r"(0x5), "r"(a), "r"(4), "r"(8));
    RESULT = u;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(u) : "r"(a), "r"(b), "r"(0x0f0f0f0f));
    RESULT = u;
    asm("prmt.b32 %0, %1, %2, 0x7610;" : "=r"(u) : "r"(a), "r"(b));
    RESULT = u;
    asm("mov.b64 %0, {%1, %2};" : "=l"(l) : "r"(a), "r"(b));
    RESULT = (long long)l;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(0x1122334455667788ull));
    RESULT = low ^ high;
    *counted = count;
}
static const long long bits_expected[] = {0x10305070,
                                          0x9abcde0fll ^ 0ll,
                                          0x6543210fll,
                                          0,
                                          0x9abcde,
                                          -1,
                                          0x345678 * 256ll + 0x9a,
                                          19,
                                          8,
                                          63,
                                          0x80000000ll,
                                          23,
                                          0xcde,
                                          -7,
                                          0x9abcd05 * 16ll + 0,
                                          0,
                                          0,
                                          0,
                                          0x1122334455667788ll >> 32 ^ 0x55667788};

/* What C++ makes of the same: beside it the list above is a second opinion. */
static void bits_of_host(long long *expected, unsigned a, unsigned b)
{
    const unsigned third = 0x0f0f0f0f;
    expected[0] = a & b;
    expected[1] = a ^ 0xff;
    expected[2] = (unsigned)~a;
    expected[6] = (unsigned)(b << 8 | a >> 24);
    expected[7] = __builtin_popcount(a);
    expected[12] = a >> 8 & 0xfff;
    expected[14] = (a & ~0xff0u) | 0x50;
    expected[15] = a ^ b ^ third;
    expected[16] = (a & 0xffff) | (b & 0xffff0000);
    expected[17] = (long long)((unsigned long long)b << 32 | a);
}

__global__ void reals(double *out, int *counted, float x, double y)
{
    int count = 0, s;
    float f;
    double d;
    unsigned u;
    asm("add.f32 %0, %1, %2;" : "=f"(f) : "f"(x), "f"(0.25f));
    RESULT = f;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(x), "f"(x), "f"(1.0f));
    RESULT = f;
    asm("mul.f64 %0, %1, 0d4000000000000000;" : "=d"(d) : "d"(y));
    RESULT = d;
    asm("mov.f32 %0, 0f3F800000;" : "=f"(f));
    RESULT = f;
    asm("max.f32 %0, %1, %2;" : "=f"(f) : "f"(x), "f"(nanf("")));
    RESULT = f;
    asm("sqrt.rn.f64 %0, %1;" : "=d"(d) : "d"(y * y));
    RESULT = d;
    asm("rcp.rn.f32 %0, %1;" : "=f"(f) : "f"(4.0f));
    RESULT = f;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(5.0f));
    RESULT = f;
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(s) : "f"(-2.75f));
    RESULT = s;
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(s) : "f"(2.5f));
    RESULT = s;
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(u) : "f"(-1.0f));
    RESULT = u;
    asm("cvt.rn.f32.u32 %0, %1;" : "=f"(f) : "r"(0x80000000));
    RESULT = f;
    asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(x));
    RESULT = d;
    asm("mov.b32 %0, %1;" : "=r"(u) : "f"(1.0f));
    RESULT = u;
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(u) : "r"(300));
    RESULT = u;
    *counted = count;
}
static const double reals_expected[] = {1.75, 3.25, 5.0, 1.0,          1.5, 2.5,        0.25, 32,
                                        -2,   2,    0,   2147483648.0, 1.5, 0x3f800000, 255};

/* Registers, predicates, labels, scopes. */
__device__ int cube(int x)
{
    int y;
    asm(".reg .u32 t1;\n\t"           // a register
        " mul.lo.u32 t1, %1, %1;\n\t" /* its square */
        " mul.lo.u32 %0, t1, %1;"
        : "=r"(y)
        : "r"(x));
    return y;
}
__device__ int is_34(int x)
{
    int y = 0;
    asm("{\n\t"
        " .reg .pred %p;\n\t"
        " setp.eq.s32 %p, %1, 34;\n\t" // p = x == 34
        " @%p mov.s32 %0, 1;\n\t"      // y = 1 if p
        "}"
        : "+r"(y)
        : "r"(x));
    return y;
}
__device__ int choose(int a, int b, unsigned limit)
{
    int result;
    asm volatile(R"({
        .reg .pred p, q;
        .reg .s32 t<2>;
        setp.lt.s32 p|q, %1, %2;
        setp.hi.and.u32 p, %3, 10, p;   // hi: unsigned greater
        selp.s32 t0, %1, %2, p;
        @!q add.s32 t0, t0, 1000;
        mov.s32 %0, t0;
    })"
                 : "=r"(result)
                 : "r"(a), "r"(b), "r"(limit));
    return result;
}
__device__ int sum_up_to(int n)
{
    int sum = 0;
    if (n > 0)
        asm("{ .reg .pred more; .reg .s32 i;\n"
            "mov.s32 i, %1;\n"
            "AGAIN:\n"
            "add.s32 %0, %0, i;\n"
            "sub.s32 i, i, 1;\n"
            "setp.gt.s32 more, i, 0;\n"
            "@more bra AGAIN;\n"
            "}"
            : "+r"(sum)
            : "r"(n));
    else
        sum = -1;
    return sum;
}
template <class T> __device__ T load_streaming(const T *p)
{
    T value;
    asm volatile("ld.global.cs.b32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}

__global__ void texts(int *out, const int *in, int4 *vectors, unsigned *counter)
{
    out[0] = cube(-3);
    out[1] = is_34(34) * 10 + is_34(33);
    out[2] = choose(1, 2, 11);
    out[3] = choose(2, 1, 11);
    out[4] = choose(1, 2, 3);
    out[5] = sum_up_to(10) * 100 + sum_up_to(0);
    out[6] = load_streaming(in + 1);
    asm volatile("st.global.wt.s32 [%0+28], %1;" ::"l"(out), "r"(in[2]) : "memory");
    int4 v;
    asm("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];"
        : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
        : "l"(vectors));
    asm volatile("st.v2.b32 [%0 + 16], {%1, %2};" ::"l"(vectors), "r"(v.w), "r"(v.x) : "memory");
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
    unsigned before, swapped;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(5u) : "memory");
    asm volatile("red.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
    asm volatile("atom.cas.b32 %0, [%1], 16, 99;" : "=r"(swapped) : "l"(counter) : "memory");
    out[8] = (int)(before * 100 + swapped);
    volatile unsigned *const watched = counter;
    out[9] = (int)*watched;
}

/* Threads that wait for each other in PTX. */
__global__ void lanes(int *out)
{
    __shared__ int seen[FIRST];
    const int t = threadIdx.x, lane = t % 32;
    int got, all;
    unsigned ballot;
    asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(got) : "r"(t));
    seen[FIRST - 1 - t] = got;
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(ballot)
                 : "r"(lane));
    asm volatile(
        "{ .reg .pred p; setp.lt.s32 p, %1, 32; vote.sync.all.pred p, p, 0xffffffff; selp.s32 %0, 1, 0, p; }"
        : "=r"(all)
        : "r"(lane));
    unsigned alike, alike_wide;
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(alike) : "r"(lane & 1));
    asm volatile("match.any.sync.b64 %0, %1, %2;"
                 : "=r"(alike_wide)
                 : "l"((long long)(lane & 1) << 40), "r"(~0u));
    const bool matched = alike == 0x55555555u << (lane & 1) && alike_wide == alike;
    out[t] = seen[t] * 100 + (int)ballot + all - !matched;
}

/* Two warps wait for each other at one barrier, the next two at another; the last two bring for the first to
 * take. */
__global__ void numbered_barriers(int *out)
{
    __shared__ int seen[6 * 32];
    const int t = threadIdx.x, pair = t / 64 + 1;
    seen[t] = t;
    if (t < 128)
        asm volatile("bar.sync %0, 64;" ::"r"(pair) : "memory");
    out[t] = t < 128 ? seen[t ^ 63] : 0;
    if (t >= 128)
        asm volatile("bar.arrive 7, 128;" ::: "memory");
    else if (t < 64)
        asm volatile("barrier.sync 7, %0;" ::"r"(128) : "memory");
    if (t < 64)
        out[t] += seen[t + 128];
    asm volatile("bar.sync 3;" ::: "memory");
    if (t >= 128)
        out[t] = seen[191 - t];
}

template <class T, int N> static void expect(const char *name, T *out, int count, const T (&expected)[N])
{
    CHECK(count == N);
    for (int i = 0; i < N; i++)
        if (out[i] != expected[i]) {
            printf("%s: result %d is %.17g, not %.17g\n", name, i, (double)out[i], (double)expected[i]);
            failures++;
        }
}

static void test_texts()
{
    int *out = make_managed<int>(10), *in = make_managed<int>(4);
    int4 *vectors = make_managed<int4>(2);
    unsigned *counter = make_managed<unsigned>(1);
    vectors[0] = make_int4(1, 2, 3, 4);
    in[1] = 77, in[2] = 88, *counter = 10;
    texts<<<1, 1>>>(out, in, vectors, counter);
    SYNC();
    const int expected[] = {-27, 10, 1001, 1, 1002, 5499, 77, 88, 1016, 99};
    expect("texts", out, 10, expected);
    CHECK(vectors[1].x == 4 && vectors[1].y == 1);
}

int main()
{
    long long *out = make_managed<long long>(FIRST), expected[19];
    double *numbers = make_managed<double>(FIRST);
    int *count = make_managed<int>(1), *each = make_managed<int>(FIRST);
    integers<<<1, 1>>>(out, count, 7, -2, 0x80000000u);
    SYNC();
    expect("integers", out, *count, integers_expected);
    const unsigned a = 0x9abcdef0u, b = 0x12345678u;
    bits<<<1, 1>>>(out, count, a, b);
    SYNC();
    for (int i = 0; i < 19; i++)
        expected[i] = bits_expected[i];
    bits_of_host(expected, a, b);
    expect("bits", out, *count, expected);
    reals<<<1, 1>>>(numbers, count, 1.5f, 2.5);
    SYNC();
    expect("reals", numbers, *count, reals_expected);
    test_texts();
    lanes<<<1, FIRST>>>(each);
    SYNC();
    for (int t = 0; t < FIRST; t++) {
        const int from = FIRST - 1 - t, got = from % 32 == 31 ? from : from + 1;
        CHECK(each[t] == got * 100 + 31 + 1);
    }
    int *numbered = make_managed<int>(192);
    numbered_barriers<<<1, 192>>>(numbered);
    SYNC();
    for (int t = 0; t < 192; t++)
        CHECK(numbered[t] == (t < 64 ? (t ^ 63) + t + 128 : t < 128 ? (t ^ 63) : 191 - t));
    return finish();
}
