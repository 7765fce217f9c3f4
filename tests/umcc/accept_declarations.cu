/*
 * Declarations of kernels, device functions and device variables in the forms that C++ allows; bodies with
 * functions and classes of their own; pragmas, macros, literals. Each is counted by a launch in main().
 */
// clang-format off
#include <cstdio>
#include <utility>
#include <type_traits>
#include <algorithm>
#include <array>
#include <string>
#include <memory>
#include <vector>
template <class T> __global__ void expl(T *p) { *p += 1; }
template __global__ void expl<int>(int *);
template __global__ void expl(float *p);
template <> __global__ void expl<double>(double *p) { *p += 2; }
extern template __global__ void expl<long>(long *);
template <typename T>
__global__
void
multi
(
    T *p,
    T by = T(1)
)
{
    *p += by;
}
__global__ void arrparam(int a[], int (*m)[2], const int n, int, int **pp) { a[0] += n + m[0][1] * 0; (void)pp; }
struct Arr { int v[4]; const int c; };
__global__ void structparam(int *p, const Arr a, Arr b) { *p += a.v[1] + b.v[2] + a.c; b.v[0] = 3; }
__global__ void shared_kinds(int *p)
{
    __shared__ int a, *q, arr[3][4];
    __shared__ union { int i; float f; } u;
    __shared__ struct { int x; float y; } s;
    __shared__ alignas(16) float al[4];
    __shared__ __align__(16) float al2[4];
    __align__(8) __shared__ float al3[4];
    volatile __shared__ int vol[2];
    __shared__ volatile int vol2[2];
    __shared__ std::array<int, 3> sa;
    __shared__ int (*fp)(int);
    __shared__ const int *cp;
    static __shared__ unsigned long long ull[2];
    __shared__ float2 f2[2], f22;
    if (threadIdx.x == 0) {
        a = 1; q = &a; arr[2][3] = 1; u.i = 1; s.x = 1; al[1] = 1; al2[2] = 1; al3[0] = 1; vol[1] = 1; vol2[1] = 1; sa[2] = 1; fp = nullptr; cp = q; ull[1] = 1; f2[1].x = 1; f22 = make_float2(1, 1);
        *p += *q + arr[2][3] + u.i + s.x + (int)(al[1] + al2[2] + al3[0]) + vol[1] + vol2[1] + sa[2] + (fp == nullptr) + *cp + (int)ull[1] + (int)f2[1].x + (int)f22.y;
    }
    for (int i = 0; i < 2; i++) { __shared__ int inner; __syncthreads(); inner = i; __syncthreads(); if (inner == 1) { __shared__ int deeper[2]; deeper[1] = 1; *p += deeper[1]; } }
}
template <class T, int N> struct Tile { T data[N][N + 1]; using type = T; };
template <class T, int N> __global__ void shared_tmpl(T *p)
{
    __shared__ Tile<T, N> t;
    __shared__ typename Tile<T, N>::type x[N * (N > 2 ? 2 : 1)];
    __shared__ T tile[N][N + 1], other[2];
    t.data[0][N] = 1; x[1] = 1; tile[1][N] = 1; other[1] = 1;
    __syncthreads();
    *p += t.data[0][N] + x[1] + tile[1][N] + other[1];
}
template <typename T> struct Shm { __device__ operator T *() { extern __shared__ int __smem[]; return (T *)__smem; } __device__ operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; } };
template <class T> __global__ void shm(T *p) { T *s = Shm<T>(); s[threadIdx.x] = 1; __syncthreads(); *p += s[0]; }
__device__ int va = 1, vb = 2, *vc;
__device__ volatile int flag;
__device__ __align__(16) float aligned[4] = {1, 2, 3, 4};
__constant__ char cstr[] = "abc";
__device__ char dstr[20] = {'a'};
__device__ float2 vf2 = {1, 2};
__device__ struct P { int x, y; } pp = {1, 2}, qq[2] = {{3, 4}, {5, 6}};
const __device__ int cdi = 7;
constexpr __device__ float cdf = 2.5f;
__constant__ const float cc = 3;
__constant__ float4 planes[2][2] = {{{1, 2, 3, 4}, {1, 2, 3, 4}}, {{1, 2, 3, 4}, {5, 6, 7, 8}}};
__device__ int (*dfp)(int);
__device__ long long big[1 << 10];
typedef struct { int a; int b; } pair_t;
__device__ pair_t pr = {1, 2};
__managed__ pair_t mpr[2];
__global__ void vars(int *p)
{
    vc = &va; flag = 1;
    *p += *vc + vb + flag + (int)aligned[3] + (cstr[1] == 'b') + (dstr[0] == 'a') + (int)vf2.y + pp.y + qq[1].x + cdi + (int)cdf + (int)cc + (int)planes[1][1].w  + (dfp == nullptr) + (int)big[5] + pr.b + mpr[1].a;
}
__global__ void inner_things(int *p)
{
    struct Local { int v; __device__ int get() const { return v; } };
    enum { A = 3 };
    auto l = [=](int x) { return x + threadIdx.x; };
    auto l2 = [&](int x) -> int { return x + blockDim.x; };
    auto l3 = [](int x) { return x + blockIdx.x; };
    static const int table[3] = {1, 2, 3};
    const int local[2] = {1, 2};
    static constexpr int ce[2] = {4, 5};
    uint3 t = threadIdx; dim3 d = blockDim; const uint3 &r = threadIdx; auto b = blockIdx;
    using U = std::remove_const_t<decltype(threadIdx)>;
    U u{0, 0, 0};
    if (t.x > 5) goto end;
    switch (t.x) { case 0: *p += 1; break; default: *p += 1; }
    *p += Local{1}.get() + A + l(1) + l2(0) + l3(2) + table[2] + local[1] + ce[1] + d.x + r.x + b.x + u.x;
    { auto [x, y] = std::pair<int, int>(1, 2);
    *p += x + y; }
end:;
}
__device__ int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
__device__ __noinline__ int noinl(int a) { return a; }
__noinline__ __device__ int noinl2(int a) { return a; }
static __forceinline__ __device__ int fi(int a) { return a; }
__device__ __host__ __forceinline__ int hdf(int a) { return a; }
__host__ __device__ auto autof(int a) { return a; }
__host__ __device__ auto trailf(int a) -> decltype(a + 1) { return a; }
__device__ int operator""_d(unsigned long long a) { return (int)a; }
struct Base { __device__ virtual int f() const { return 1; } __device__ virtual ~Base() {} };
struct Derived : Base { int v; __device__ Derived(int a) : v{a} {} __device__ int f() const override { return v; } };
__global__ void fns(int *p)
{
    Derived d(4); Base *b = &d;
    *p += fact(4) + noinl(1) + noinl2(1) + fi(1) + hdf(1) + autof(1) + trailf(1) + 5_d + b->f() + std::max(1, 2) + std::min<int>(3, 4);
    int a2 = 2; *p += a2;
    long long c = clock(), c2 = clock64(); *p += clock() >= c && clock64() >= c2;
}
#define IDX (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL_ARGS2(grid, block) <<< grid, block >>>
#define KERNEL_ARGS4(grid, block, sh, st) <<< grid, block, sh, st >>>
#define FOR(i, n) for (int i = IDX; i < (n); i += blockDim.x * gridDim.x)
#define DEFINE_KERNEL(name, op) template <class T> __global__ void name(T *p, int n) { FOR(i, n) p[i] = p[i] op 2; }
DEFINE_KERNEL(kmul, *)
DEFINE_KERNEL(kadd, +)
#define CALL(name, ...) name<int> KERNEL_ARGS2(1, 32)(__VA_ARGS__)
template <typename T, typename = std::enable_if_t<std::is_integral<T>::value>> __global__ void sfinae(T *p) { *p += 1; }
template <class F> __global__ void run(F f) { f(); }
struct Launch { int *p; Launch(int *q) : p((multi<<<1, 1>>>(q), q)) {} int z = (fact2(), 1); static int fact2() { return 1; } };
template <typename... Ts> struct Multi { template <typename T> static void go(T *p) { multi<T><<<1, 1>>>(p, (T)sizeof...(Ts)); } };
std::ostream *dummy;
template <class T> struct Str { T v; };
template <class T, class U> Str<T> &operator<<(Str<T> &s, U u) { s.v += u; return s; }
template <int... I> __global__ void seq(int *p, std::integer_sequence<int, I...>) { *p += (I + ...); }
inline int host_only(int a) { return a << 1 >> 1; }
static bool cmp(int a, int b) { return a<b; }
extern "C" void cwrap(int *p) { expl<int> <<<1, 1>>> (p); }
template <bool B> struct BoolC {}; 
template <class T> __global__ void ifc(T *p) { if constexpr (std::is_same_v<T, int>) { __shared__ int z; z = 1; *p += z; } else { *p += 0.5; } }
#define LD(i) do { _Pragma("unroll") for (int k = 0; k < 2; ++k) acc += i; } while (0)
__global__ void prag(int *p) { int acc = 0; LD(1);
#pragma unroll 4
  for (int i = 0; i < 4; i++) acc++;
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll (2)
    for (int j = 0; j < 1; j++) acc++;
#pragma nv_diag_suppress 177
  *p += acc; }
int main()
{
    int *p; cudaMallocManaged(&p, 4); *p = 0; int want = 0;
    float *f; cudaMallocManaged(&f, 4); *f = 0; double *d; cudaMallocManaged(&d, 8); *d = 0;
    int n = 1000; size_t sn = 1000;
#define SYNC do { cudaError_t e_ = cudaDeviceSynchronize(); if (e_ != cudaSuccess || *p != want) { printf("line %d: %d, want %d, %s\n", __LINE__, *p, want, cudaGetErrorString(e_)); if (e_) return 1; want = *p; bad++; } } while (0)
    int bad = 0;
    expl<<<1, 1>>>(p); expl<int><<<1, 1>>>(p); expl<<<1, 1>>>(f); expl<<<1, 1>>>(d); want += 2; SYNC;
    multi<<<1, 1>>>(p, 1); multi<int><<<1, 1>>>(p, 5); want += 6; SYNC;
    int (*m)[2]; cudaMallocManaged(&m, sizeof *m); arrparam<<<1, 1>>>(p, m, 3, 4, nullptr); want += 3; SYNC;
    structparam<<<1, 1>>>(p, Arr{{1, 2, 3, 4}, 5}, {{1, 2, 3, 4}, 5}); want += 2 + 3 + 5; SYNC;
    shared_kinds<<<1, 1>>>(p); want += 16; SYNC;
    shared_tmpl<int, 4><<<1, 1>>>(p); want += 4; SYNC;
    shm<int><<<1, 1, 64>>>(p); want += 1; SYNC;
    mpr[1].a = 9; vars<<<1, 1>>>(p); want += 1 + 2 + 1 + 4 + 1 + 1 + 2 + 2 + 5 + 7 + 2 + 3 + 8 + 1 + 0 + 2 + 9; SYNC;
    inner_things<<<1, 1>>>(p); want += 1 + 1 + 3 + 1 + 1 + 2 + 3 + 2 + 5 + 1 + 0 + 0 + 3; SYNC;
    fns<<<1, 1>>>(p); want += 24 + 6 + 5 + 4 + 2 + 3 + 2 + 1; SYNC;
    kmul<int> KERNEL_ARGS2(1, 1)(p, 1); want *= 2; SYNC;
    kadd<int>KERNEL_ARGS4(dim3(1), dim3(2), 0, NULL)(p, 1); want += 2; SYNC;
    CALL(kadd, p, 1); want += 2; SYNC;
    sfinae<<<1, 1>>>(p); want++; SYNC;
    run<<<1, 1>>>([=] __device__ { *p += 1; }); want++; SYNC;
    run<<<1, 1>>>([p] __device__() mutable { *p += 1; if (threadIdx.x == 0) { *p += 1; } }); want += 2; SYNC;
    { Launch l(p); want++; SYNC; }
    Multi<int, float>::go(p); want += 2; SYNC;
    seq<<<1, 1>>>(p, std::make_integer_sequence<int, 4>{}); want += 6; SYNC;
    cwrap(p); want++; SYNC;
    ifc<int><<<1, 1>>>(p); want++; SYNC;
    prag<<<1, 1>>>(p); want += 10; SYNC;
    multi<<<ceil(n / 1000.0), 1>>>(p, 1); want++; multi<<<sn / 1000, (unsigned)1>>>(p, 1); want++; multi<<<(n + 999) / 1000, n > 5 and n < 2000 ? 1 : 2, 0, NULL>>>(p, 1); want++; SYNC;
    (multi<int>)<<<1, 1>>>(p, 1); want++; (*multi<int>)<<<1, 1>>>(p, 1); want++; SYNC;
    auto lam = [&] { return multi<<<1, 1>>>(p, 1), cudaGetLastError(); }; if (lam() == cudaSuccess) want++; SYNC;
    std::vector<std::pair<void (*)(int *, int), int>> ks{{multi<int>, 3}}; for (auto &[k, v] : ks) { k<<<1, 1>>>(p, v); want += v; } ks[0].first<<<1, 1>>>(p, 1); want++; ks.front().first<<<1, 1>>>(p, 1); want++; SYNC;
    std::unique_ptr<Launch> ul(new Launch(p)); want++; multi<<<1, 1>>>(ul->p, 1); want++; SYNC;
    if (cmp(n < 5, n<<1>>1)) multi<<<1, 1>>>(p, 1), want++; SYNC;
    Str<int> s{1}; s << 1 << 2; operator<< <int, int>(s, 3); operator<<<int, int>(s, 3); bad += s.v != 10;
    for (int i = 0; i<n; i+=500) multi<<<1,1>>>(p,i>400?1:0), want += i > 400; SYNC;
    multi<int><<<1, 1, sizeof(int[2]) * (1 << 2), 0>>>(p, *p < 5 ? 1 : host_only(1)); want++; SYNC;
    while (n --> 998) { multi<<<1,1>>>(p, 1); want++; } SYNC;
    const char *weird = "<<<1,1>>>"; const char c = '<', c2 = '"', c3 = '\''; bad += weird[0] != c || c2 == c3; 
    int hex = 0x1F'FF, bin = 0b1010'1010; double fl = 1e+3, hf = 0x1.8p+1; bad += hex != 0x1fff || bin != 170 || fl != 1000 || hf != 3;
    printf("%d bad, %d\n", bad, want);
    return bad;
}
