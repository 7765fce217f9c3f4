/*
 * Launches in the spellings that programs have them in, each by its line: what umcc takes for a launch's
 * name, its brackets and its arguments. Written as it should not be: see accept_launches.cu for tidier ones.
 */
// clang-format off
#include <cstdio>
#include <vector>
#include <string>
#include <map>
#include <functional>
#include <iostream>
#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1);} } while (0)
#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
#define LAUNCH2(k, ...) do { k <<< dim3(1), dim3(32), 0, 0 >>> (__VA_ARGS__); CHECK(cudaGetLastError()); } while (0)
const char *raw = R"cu(
__global__ void not_a_kernel() { k<<<1,1>>>(); } // " ' )"
)cu";
const char *str = "k<<<1, 1>>>(\"x\") // no comment /* nor this";
void __global__ v_order(int *p) { *p += 1; }
__global__ void static s_order(int *p) { *p += 1; }
static __global__ void s2_order(int *p) { *p += 1; }
extern "C" __global__ void c_kernel(int *p) { *p += 1; }
extern "C" { __global__ void c_kernel2(int *p) { *p += 1; } }
template <typename T> void __global__ t_order(T *p) { *p += 1; }
template <typename T, int N = 4> __global__ void tn(T *p, T v) { *p += v * N; }
__global__ __launch_bounds__(256, 2) void lb(int *p) { *p += 1; }
__global__ void __launch_bounds__(256) lb2(int *p) { *p += 1; }
__launch_bounds__(128) __global__ void lb3(int *p) { *p += 1; }
__attribute__((unused)) __global__ void attr1(int *p) { *p += 1; }
[[maybe_unused]] __global__ void attr2(int *p) { *p += 1; }
__global__ void declared(int *p, int by = 1);
__global__ void overload(int *p) { *p += 1; }
__global__ void overload(float *p) { *p += 1; }
__global__ void overload(int *p, int a) { *p += a; }
namespace outer { namespace inner { __global__ void k(int *p) { *p += 1; } template <class T> __global__ void tk(T *p) { *p += 1; } } }
namespace outer::inner2 { __global__ void k(int *p) { *p += 1; } }
namespace { __global__ void anon(int *p) { *p += 1; } }
inline namespace v1 { __global__ void inl(int *p) { *p += 1; } }
struct Op { __host__ __device__ int operator()(int a) const { return a + 1; } };
template <class F> __global__ void apply(int *p, F f) { *p = f(*p); }
template <class F, class... A> __global__ void vapply(int *p, F f, A... a) { *p = f(*p, a...); }
template <class... A> __global__ void vsum(int *p, A... a) { *p += (0 + ... + a); }
template <template <class> class C> __global__ void ttp(int *p, C<int> c) { *p += c.v; }
template <class T> struct Box { T v; };
template <int N> struct Int { static constexpr int value = N; };
template <void (*K)(int *)> void via_template(int *p) { K<<<1, 1>>>(p); }
typedef void (*kernel_t)(int *);
using Kern = void (*)(int *);
int counter = 0;
int *g;
int *ret(int *p) { return v_order<<<1, 1>>>(p), p; }
void retvoid(int *p) { return v_order<<<1, 1>>>(p); }
template <class T> struct Launcher {
    T *p;
    Launcher(T *q) : p(q) {}
    void go() { tn<T, 2><<<1, 1>>>(p, T(1)); t_order<T><<<1, 1>>>(this->p); }
    static void sgo(T *p) { t_order<<<1, 1>>>(p); }
    template <int B> void dep() { tn<T, Int<B>::value><<<dim3(1, 1), dim3(B >> 1 ? 1 : 1)>>>(p, (T)1); }
};
template <class T> void dep_call(T &l) { l.template dep<1>(); }
class Host {
public:
    kernel_t k = v_order;
    Kern ks[2] = {v_order, s_order};
    int *p;
    void run() { k<<<1, 1>>>(p); this->k<<<1, 1>>>(p); ks[1]<<<1, 1>>>(p); (*ks[0])<<<1, 1>>>(p); }
};
int main()
{
    CHECK(cudaMallocManaged(&g, sizeof(int)));
    int *p = g;
    *p = 0;
    float *f;
    cudaMallocManaged((void **)&f, 4);
    *f = 0;
    cudaStream_t s;
    cudaStreamCreate(&s);
    int want = 0;
    v_order<<<1, 1>>>(p); want++;
    s_order<<<1,1>>>(p); want++;
    s2_order <<< 1, 1 >>> (p); want++;
    c_kernel<<<1
        ,
        1>>>(
        p
        ); want++;
    c_kernel2<<<dim3(1, 1, 1), dim3{1, 1}, 0, s>>>(p); want++;
    t_order<int><<<1, 1, 0>>>(p); want++;
    t_order<<<1, 1>>>(p); want++;
    tn<int><<<1, 1>>>(p, 1); want += 4;
    tn<int, (8 >> 1)><<<1, 1>>>(p, 1); want += 4;
    tn<int, Int<Int<3>::value>::value><<<1, 1>>>(p, 1); want += 3;
    lb<<<1, 1>>>(p); lb2<<<1, 1>>>(p); lb3<<<1, 1>>>(p); attr1<<<1, 1>>>(p); attr2<<<1, 1>>>(p); want += 5;
    declared<<<1, 1>>>(p); declared<<<1, 1>>>(p, 2); want += 3;
    overload<<<1, 1>>>(p); overload<<<1, 1>>>(f); overload<<<1, 1>>>(p, 5); want += 6;
    outer::inner::k<<<1, 1>>>(p); ::outer::inner::tk<int><<<1, 1>>>(p); outer::inner2::k<<<1, 1>>>(p); anon<<<1, 1>>>(p); inl<<<1, 1>>>(p); want += 5;
    { using namespace outer::inner; k<<<1, 1>>>(p); want++; namespace oi = outer::inner; oi::k<<<1, 1>>>(p); want++; }
    apply<<<1, 1>>>(p, Op()); want++;
    apply<<<1, 1>>>(p, Op{}); want++;
    int add = 7;
    apply<<<1, 1>>>(p, [=] __device__(int a) { return a + add; }); want += 7;
    apply<<<1, 1>>>(p, [add] __host__ __device__(int a) -> int { return a + add; }); want += 7;
    auto lam = [=] __device__(int a) { if (a < 0) return a; return a + add; };
    apply<decltype(lam)><<<1, 1>>>(p, lam); want += 7;
    vapply<<<1, 1>>>(p, [] __device__(int a, int b, int c) { return a + b + c; }, 1, 2); want += 3;
    vsum<<<1, 1>>>(p, 1, 2, 3); vsum<<<1, 1>>>(p); vsum<int, short><<<1, 1>>>(p, 1, 2); want += 9;
    ttp<Box><<<1, 1>>>(p, Box<int>{4}); want += 4;
    via_template<v_order>(p); want++;
    kernel_t k = v_order; k<<<1, 1>>>(p); want++;
    auto k2 = tn<int, 3>; k2<<<1, 1>>>(p, 1); want += 3;
    auto *k3 = &tn<int, 3>; k3<<<1, 1>>>(p, 1); (*k3)<<<1, 1>>>(p, 1); want += 6;
    void (*k4)(int *) = s_order; k4<<<1, 1>>>(p); want++;
    std::vector<kernel_t> kv{v_order, s_order}; for (auto kk : kv) kk<<<1, 1>>>(p); kv[0]<<<1, 1>>>(p); kv.at(1)<<<1, 1>>>(p); want += 4;
    std::map<std::string, kernel_t> km{{"a", v_order}}; km["a"]<<<1, 1>>>(p); want++;
    for (auto &[name, kp] : km) { kp<<<1, 1>>>(p); want++; }
    Host h; h.p = p; h.run(); h.k<<<1, 1>>>(p); (&h)->k<<<1, 1>>>(p); want += 6;
    Launcher<int> l(p); l.go(); Launcher<int>::sgo(p); l.dep<1>(); dep_call(l); want += 6;
    LAUNCH(v_order, 1, 1, p); want++;
    LAUNCH((tn<int, 2>), 1, 1, p, 1); want += 2;
    LAUNCH2(v_order, p); want += 32;
    ret(p); retvoid(p); want += 2;
    want > 3 ? v_order<<<1, 1>>>(p) : s_order<<<1, 1>>>(p); want++;
    if (want > 3) v_order<<<1, 1>>>(p); else s_order<<<1, 1>>>(p); want++;
    for (int i = 0; i < 3; i++) v_order<<<1, 1>>>(p); want += 3;
    do v_order<<<1, 1>>>(p); while (0); want++;
    switch (want & 0) { case 0: v_order<<<1, 1>>>(p); break; default: s_order<<<1, 1>>>(p); } want++;
    auto go = [&] { v_order<<<1, 1>>>(p); }; go(); want++;
    [&](auto q) { t_order<<<1, 1>>>(q); }(p); want++;
    std::function<void(int)> fn = [=](int n) { v_order<<<n, 1>>>(p); }; fn(1); want++;
    goto out;
out: v_order<<<1, 1>>>(p); want++;
    int n = 100; const int T = 32;
    v_order<<<(n + T - 1) / T / 4, n > 5 ? 1 : 2>>>(p); want++;
    v_order<<<n >> 7 ? 1 : 1, (n >> 6) >> 0>>>(p); want++;
    v_order<<<std::max<int>(1, 1), std::min<unsigned>(1u, 2u)>>>(p); want++;
    v_order<<<std::vector<int>{1, 2, 3}[0], Int<1>::value>>>(p); want++;
    v_order<<<Box<Box<int>>{{1}}.v.v, 1>>>(p); want++;
    { dim3 grid(1), block(1); v_order<<<grid, block, sizeof(int) * 4>>>(p); want++; }
    { dim3 grid = {1, 1}, block = 1; v_order<<<grid, block, 0, cudaStreamPerThread>>>(p); want++; }
    CHECK((v_order<<<1, 1>>>(p), cudaGetLastError())); want++;
    v_order<<<1, 1>>>(p), s_order<<<1, 1>>>(p); want += 2;
    /* comment */ v_order /* a */ <<< /* b */ 1, 1 /* >>> */ >>> /* c */ (p); want++;
    v_order<<<1, \ // a comment between the backslash and the line's end
              1>>>(p); want++;
#pragma unroll
    for (int i = 0; i < 2; ++i) v_order<<<1, 1>>>(p); want += 2;
    cudaError_t e = cudaDeviceSynchronize();
    std::cout << *p << " " << want << " " << *f << " " << cudaGetErrorString(e) << std::endl << (1 << 3) << "\n";
    return *p == want && *f == 1 ? 0 : 1;
}
__global__ void declared(int *p, int by) { *p += by; }
