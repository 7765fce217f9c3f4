// flags: -Xcompiler -Wno-parentheses,-Wno-unused-but-set-variable
/*
 * Every form that C++ has for declaring a kernel, from C++11 to C++20. A form that umcc did not recognise
 * would run on the host: each kernel writes device memory, which the host cannot.
 */
// clang-format off
#include "check.h"
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <concepts>
#endif

static int *memory;

template <class... A> static bool launches(void *kernel, A... a)
{
    void *arguments[] = {&memory, &a...};
    return cudaLaunchKernel(kernel, 1, 1, arguments, 0, 0) == cudaSuccess;
}
static int result()
{
    int value = -1;
    CHECK(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemset(memory, 0, sizeof value) == cudaSuccess);
    return value;
}

/* ---- parentheses, attributes, the place of __global__ ---- */
__global__ void (paren)(int *o) { o[0] = 7; }
__global__ void ((paren_twice))(int *o) { o[0] = 7; }
__global__ void (paren_whole(int *o)) { o[0] = 7; }
namespace n { __global__ void paren_qualified(int *o); struct own { int v; }; __global__ void outside(int *o, own x); template <class T> __global__ void outside_template(T *o, own x); }
__global__ void (n::paren_qualified)(int *o) { o[0] = 7; }
__global__ void n::outside(int *o, own x) { o[0] = x.v; }
template <class T> __global__ void n::outside_template(T *o, own x) { o[0] = x.v; }
template <class T> __global__ void (paren_template)(T *o) { o[0] = 7; }
[[gnu::unused]] __global__ void attribute_first(int *o) { o[0] = 7; }
__global__ [[gnu::unused]] void attribute_second(int *o) { o[0] = 7; }
__global__ void attribute_name [[gnu::unused]] (int *o) { o[0] = 7; }
__attribute__((unused)) __global__ __attribute__((cold)) void __attribute__((noinline)) attribute_gnu(int *o) { o[0] = 7; }
__global__ void attribute_behind(int *o) __attribute__((unused));
__global__ void attribute_behind(int *o) { o[0] = 7; }
void __global__ mark_behind_type(int *o) { o[0] = 7; }
static inline void __global__ mark_last(int *o) { o[0] = 7; }
void mark_behind_name __global__ (int *o) { o[0] = 7; }
void mark_behind(int *o) __global__;
__global__ void mark_behind(int *o) { o[0] = 7; }
__launch_bounds__(128) __global__ void bounds_first(int *o) { o[0] = 7; }
__global__ void __launch_bounds__(64 * 2, 1) bounds_middle(int *o) { o[0] = 7; }
__global__ void bounds_name __launch_bounds__(32) (int *o) { o[0] = 7; }
template <int N> __global__ void bounds_behind(int *o) __launch_bounds__(N);
template <int N> __global__ void bounds_behind(int *o) { o[0] = N; }

/* ---- results ---- */
typedef void nothing;
struct has_void { typedef void type; };
__global__ auto trailing(int *o) -> void { o[0] = 7; }
__global__ decltype(void()) decltype_void(int *o) { o[0] = 7; }
__global__ nothing alias(int *o) { o[0] = 7; }
__global__ nothing (alias_paren)(int *o) { o[0] = 7; }
template <class T> __global__ typename T::type nested_type(int *o) { o[0] = 7; }
template <class T> __global__ typename std::enable_if<std::is_integral<T>::value>::type either(T *o) { o[0] = 7; }
template <class T> __global__ typename std::enable_if<std::is_floating_point<T>::value>::type either(T *o) { o[0] = 8; }
template <class T> __global__ auto trailing_either(T *o) -> typename std::enable_if<std::is_integral<T>::value>::type { o[0] = 7; }
template <class T> __global__ auto trailing_either(T *o) -> decltype(void(*o + .5f), (void)o->x) { o[0] = 8; }
template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type> __global__ void either_default(T *o) { o[0] = 7; }
template <class T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0> __global__ void either_default(T *o) { o[0] = 8; }

/* ---- templates ---- */
template <class T> struct box { T v; };
template <template <class> class B, class T> __global__ void of_template(T *o, B<T> b) { o[0] = b.v; }
template <class T, int N> struct row { T v[N]; };
template <class, class...> struct box_of { typedef int first; int v; };
template <template <class, int> class B, class T, int N, int... M> __global__ void of_many(T *o, B<T, N> b) { o[0] = b.v[N - 1] + (int)sizeof...(M); }
template <class... A> __global__ void variadic(int *o, A... a) { const int all[] = {a..., 0}; for (int x : all) o[0] += x; }
template <int, class T, class...> __global__ void unnamed(T *o, int, int (*)(int), int[3], const char *const *) { o[0] = 7; }
struct members { int v; __host__ __device__ int method(int i) const { return v + i; } };
__device__ int minus_one(int i) { return i - 1; }
__device__ int numbers[3];
template <int (*F)(int)> __global__ void by_function(int *o, int v) { o[0] = F(v); }
template <int F(int)> __global__ void by_function_type(int *o, int v) { o[0] = F(v); }
#ifdef __UMCC__ /* nvcc 13.0 makes stubs of it that g++ refuses */
template <int (*)(int), int (&)[3], int members::*, int (members::*)(int) const = &members::method> __global__ void unnamed_pointers(int *o) { o[0] = 7; }
template <int (&A)[3], int members::*M, int (members::*F)(int) const> __global__ void named_pointers(int *o) { members m = {2}; o[0] = m.*M + (m.*F)(3); }
#endif
template <int (*...F)(int)> __global__ void pointer_pack(int *o, int v) { const int all[] = {F(v)..., 0}; for (int x : all) o[0] += x; }
#ifdef __UMCC__ /* nvcc 13.0 makes stubs of it that g++ refuses */
template <typename = int, int = (1 < 2), template <class, class...> class = box_of, typename...> __global__ void unnamed_defaults(int *o) { o[0] = 7; }
#endif
template <class T, typename T::first F, typename T::first, const unsigned int *const, unsigned int> __global__ void of_members(T *o) { o->v = F; }
template <class T> __global__ void instantiated(T *o) { o[0] = 7; }
template __global__ void instantiated<int>(int *o);
template __global__ void instantiated(float *o);
extern template __global__ void instantiated<double>(double *o);
template <> __global__ void instantiated<char>(char *o) { o[0] = 8; }
template <> void instantiated(short *o) { o[0] = 9; } /* has its template's mark */
template <class T> __device__ int number_of(T) { return 1; }
template <> int number_of<char>(char) { return 7 + threadIdx.x; } /* so has this */
__global__ void uses_number(int *o) { o[0] = number_of('c'); }
#if __cplusplus >= 201402L
template <class T> constexpr auto instance = instantiated<T>;
#endif
#if __cplusplus >= 202002L
template <class T> requires std::integral<T> __global__ void constrained(T *o) { o[0] = 7; }
template <class T> requires (std::floating_point<T> && sizeof(T) == 4) __global__ void constrained(T *o) { o[0] = 8; }
template <class T> requires requires (T a) { a + 1; { a * 2 }; } && std::integral<T> __global__ void required(T *o) { o[0] = 7; }
template <std::integral T> __global__ void concept_type(T *o) { o[0] = 7; }
__global__ void placeholder(auto *o, std::integral auto v) { o[0] = v; }
template <int N> __global__ void placeholders(auto *o, auto... v) { o[0] = N + (v + ...); }
#ifdef __UMCC__ /* nvcc 13.0 accepts them, but makes stubs of them that g++ refuses */
template <class T> __global__ void constrained_behind(T *o) requires std::integral<T> { o[0] = 7; }
template <class T> __global__ void constrained_behind(T *o) requires (std::floating_point<T> && sizeof(T) == 4) { o[0] = 8; }
#endif
#endif

/* ---- scopes, declarations apart ---- */
namespace a { namespace b { __global__ void deep(int *o) { o[0] = 7; } } inline namespace c { __global__ void inlined(int *o) { o[0] = 7; } } }
namespace { __global__ void unnamed_scope(int *o) { o[0] = 7; } }
extern "C" __global__ void c_name(int *o) { o[0] = 7; }
extern "C" { __global__ void c_names(int *o) { o[0] = 7; } static __global__ void c_static(int *o) { o[0] = 7; } }
typedef void kernel_type(int *);
typedef void (*kernel_pointer)(int *);
__global__ kernel_type by_type;
__global__ void by_type(int *o) { o[0] = 7; }
__global__ void two_first(int *o), two_second(int *o);
__global__ void two_first(int *o) { o[0] = 7; }
__global__ void two_second(int *o) { o[0] = 8; }
class befriended { int v = 7; friend __global__ void friendly(int *o, befriended s); template <class T> friend __global__ void friendly_template(T *o, befriended s); };
__global__ void friendly(int *o, befriended s) { o[0] = s.v; }
template <class T> __global__ void friendly_template(T *o, befriended s) { o[0] = s.v + 1; }
#define DEFINE_TWO(x, y, v) __global__ void x(int *o) { o[0] = v; } __global__ void y(int *o) { o[0] = v + 1; }
#define JOIN(x, y) x##y
DEFINE_TWO(first_of_two, second_of_two, 7)
__global__ void JOIN(joi, ned)(int *o) { o[0] = 7; }

/* ---- parameters ---- */
struct S { int v; };
__global__ void scale(int *o, int scale) { o[0] = scale; }
template <class T> __global__ void template_scale(T *o, T template_scale) { o[0] = template_scale; }
template <class T> __global__ void hides_its_type(T *o, S S) { o[0] = S.v; }
__global__ void references(int (&m)[4], int (*p)[2], const int &from, int &) { m[2] = 7 + from; p[0][1] = 8; }
struct large { char bytes[32764 - sizeof(int *)]; };
__global__ void largest(int *o, large l) { o[0] = l.bytes[sizeof l - 1]; }
__global__ void largest_waits(int *o, large l) { __syncthreads(); o[0] = l.bytes[sizeof l - 1]; }

/* ---- marks that differ ---- */
struct with_method { __device__ int f(); };
__device__ int (*pick(int a))(int);
__device__ int one(int) { return 1; }
__device__ int (*pick(int))(int) { return one; }
__device__ int with_method::f() { return pick(0)(2) + 6; }
__global__ void calls(int *o) { with_method s; o[0] = s.f(); }

#define IS(number, ...) do { __VA_ARGS__; CHECK(result() == (number)); } while (0)

static void forms(int *o)
{
    IS(7, (paren)<<<1, 1>>>(o));
    IS(7, paren<<<1, 1>>>(o));
    IS(7, ((paren_twice))<<<1, 1>>>(o));
    IS(7, paren_whole<<<1, 1>>>(o));
    IS(7, (n::paren_qualified)<<<1, 1>>>(o));
    IS(7, n::outside<<<1, 1>>>(o, n::own{7}));
    IS(7, n::outside_template<<<1, 1>>>(o, n::own{7}));
    IS(7, (paren_template<int>)<<<1, 1>>>(o));
    IS(7, paren_template<<<1, 1>>>(o));
    IS(7, attribute_first<<<1, 1>>>(o));
    IS(7, attribute_second<<<1, 1>>>(o));
    IS(7, attribute_name<<<1, 1>>>(o));
    IS(7, attribute_gnu<<<1, 1>>>(o));
    IS(7, attribute_behind<<<1, 1>>>(o));
    IS(7, mark_behind_type<<<1, 1>>>(o));
    IS(7, mark_last<<<1, 1>>>(o));
    IS(7, mark_behind_name<<<1, 1>>>(o));
    IS(7, mark_behind<<<1, 1>>>(o));
    IS(7, bounds_first<<<1, 1>>>(o));
    IS(7, bounds_middle<<<1, 1>>>(o));
    IS(7, bounds_name<<<1, 1>>>(o));
    IS(32, bounds_behind<32><<<1, 1>>>(o));
    IS(7, trailing<<<1, 1>>>(o));
    IS(7, decltype_void<<<1, 1>>>(o));
    IS(7, alias<<<1, 1>>>(o));
    IS(7, alias_paren<<<1, 1>>>(o));
    IS(7, nested_type<has_void><<<1, 1>>>(o));
    IS(7, either<<<1, 1>>>(o));
    IS(0x41000000, either<<<1, 1>>>((float *)o));
    IS(7, trailing_either<<<1, 1>>>(o));
    IS(7, either_default<<<1, 1>>>(o));
    IS(0x41000000, either_default<<<1, 1>>>((float *)o));
    IS(7, calls<<<1, 1>>>(o));
}

static void templates(int *o)
{
    IS(7, of_template<<<1, 1>>>(o, box<int>{7}));
    IS(7, of_many<row, int, 2, 1, 1, 1><<<1, 1>>>(o, row<int, 2>{{3, 4}}));
    IS(7, variadic<<<1, 1>>>(o, 1, 2, 4));
    IS(0, variadic<<<1, 1>>>(o));
    IS(7, unnamed<1><<<1, 1>>>(o, 1, nullptr, nullptr, nullptr));
    IS(7, by_function<minus_one><<<1, 1>>>(o, 8));
    IS(7, by_function_type<minus_one><<<1, 1>>>(o, 8));
#ifdef __UMCC__
    IS(7, unnamed_pointers<minus_one, numbers, &members::v><<<1, 1>>>(o));
    IS(7, named_pointers<numbers, &members::v, &members::method><<<1, 1>>>(o));
#endif
    IS(6, pointer_pack<minus_one, minus_one><<<1, 1>>>(o, 4));
#ifdef __UMCC__
    IS(7, unnamed_defaults<><<<1, 1>>>(o));
#endif
    IS(7, of_members<box_of<int>, 7, 8, nullptr, 1u><<<1, 1>>>((box_of<int> *)o));
    IS(7, instantiated<<<1, 1>>>(o));
    IS(8, instantiated<<<1, 1>>>((char *)o));
    IS(9, instantiated<<<1, 1>>>((short *)o));
    IS(7, uses_number<<<1, 1>>>(o));
#if __cplusplus >= 201402L
    IS(7, instance<int><<<1, 1>>>(o));
#endif
#if __cplusplus >= 202002L
    IS(7, constrained<<<1, 1>>>(o));
    IS(0x41000000, constrained<<<1, 1>>>((float *)o));
    IS(7, required<<<1, 1>>>(o));
    IS(7, concept_type<<<1, 1>>>(o));
    IS(7, placeholder<<<1, 1>>>(o, 7));
    IS(7, placeholders<3><<<1, 1>>>(o, 2, 2));
#ifdef __UMCC__
    IS(7, constrained_behind<<<1, 1>>>(o));
    IS(0x41000000, constrained_behind<<<1, 1>>>((float *)o));
#endif
#endif
}

static void scopes(int *o)
{
    using a::b::deep;
    __global__ void later(int *);
    IS(7, a::b::deep<<<1, 1>>>(o));
    IS(7, deep<<<1, 1>>>(o));
    IS(7, a::inlined<<<1, 1>>>(o));
    IS(7, unnamed_scope<<<1, 1>>>(o));
    IS(7, c_name<<<1, 1>>>(o));
    IS(7, c_names<<<1, 1>>>(o));
    IS(7, c_static<<<1, 1>>>(o));
    IS(7, by_type<<<1, 1>>>(o));
    IS(7, two_first<<<1, 1>>>(o));
    IS(8, two_second<<<1, 1>>>(o));
    IS(7, friendly<<<1, 1>>>(o, befriended()));
    IS(8, friendly_template<<<1, 1>>>(o, befriended()));
    IS(7, first_of_two<<<1, 1>>>(o));
    IS(8, second_of_two<<<1, 1>>>(o));
    IS(7, joined<<<1, 1>>>(o));
    IS(9, later<<<1, 1>>>(o));
}
__global__ void later(int *o) { o[0] = 9; }

static kernel_pointer table[] = {paren, two_second, &two_first};
struct holder {
    kernel_pointer p;
    kernel_pointer get() const { return p; }
    void go(int *o) { p<<<1, 1>>>(o); auto l = [this, o] { p<<<1, 1>>>(o); }; l(); }
};
static void by_reference(void (&k)(int *), int *o) { k<<<1, 1>>>(o); }
template <void (*K)(int *)> static void by_argument(int *o) { K<<<1, 1>>>(o); }
template <class K> static void by_value(K k, int *o) { k<<<1, 1>>>(o); auto l = [=] { k<<<1, 1>>>(o); }; l(); }

static void pointers(int *o)
{
    kernel_pointer k = two_second;
    kernel_pointer const constant = two_second;
    auto &reference = two_second;
    holder h = {two_second}, *hp = &h;
    IS(8, table[1]<<<1, 1>>>(o));
    IS(8, (memory ? two_second : two_first)<<<1, 1>>>(o));
    IS(8, h.p<<<1, 1>>>(o));
    IS(8, hp->p<<<1, 1>>>(o));
    IS(8, h.get()<<<1, 1>>>(o));
    IS(8, h.go(o));
    IS(8, k<<<1, 1>>>(o));
    IS(8, (*k)<<<1, 1>>>(o));
    IS(8, (**k)<<<1, 1>>>(o));
    IS(8, constant<<<1, 1>>>(o));
    IS(8, reference<<<1, 1>>>(o));
    IS(8, (&two_second)<<<1, 1>>>(o));
    IS(8, ((kernel_pointer)two_second)<<<1, 1>>>(o));
    IS(8, static_cast<kernel_pointer>(two_second)<<<1, 1>>>(o));
    IS(8, by_reference(two_second, o));
    IS(8, by_argument<two_second>(o));
    IS(8, by_value(two_second, o));
    static_assert(std::is_same<decltype(two_second), void(int *)>::value, "a kernel has the type of its declaration");
    CHECK(launches((void *)paren) && result() == 7);
    CHECK(launches((void *)n::outside, n::own{8}) && result() == 8);
    CHECK(launches((void *)n::outside_template<int>, n::own{8}) && result() == 8);
    CHECK(launches((void *)either_default<int>) && result() == 7);
    CHECK(launches((void *)(void (*)(int *))either<int>) && result() == 7);
    CHECK(launches((void *)of_template<box, int>, box<int>{8}) && result() == 8);
    CHECK(launches((void *)variadic<int, int>, 3, 4) && result() == 7);
    CHECK(launches((void *)unnamed<1, int, char, char>, 1, nullptr, nullptr, nullptr) && result() == 7);
    CHECK(launches((void *)instantiated<int>) && result() == 7);
    CHECK(launches((void *)(kernel_pointer)a::b::deep) && result() == 7);
    CHECK(launches((void *)scale, 8) && result() == 8);
    CHECK(launches((void *)template_scale<int>, 8) && result() == 8);
    CHECK(launches((void *)hides_its_type<int>, S{8}) && result() == 8);
#if __cplusplus >= 202002L
    CHECK(launches((void *)constrained<int>) && result() == 7);
    CHECK(launches((void *)placeholder<int, int>, 8) && result() == 8);
    CHECK(launches((void *)placeholders<3, int, int, int>, 8, 1) && result() == 12);
#endif
}

static int *launching(int *o) { scale<<<1, 1>>>(o, 3); return o; }
__global__ void add(int *o, int n) { o[0] += n; }
static int throws() { throw 1; return 0; }

static void arguments(int *o)
{
    static large l;
    int *m = make_managed<int>(8);
    l.bytes[sizeof l - 1] = 7;
    IS(7, largest<<<1, 1>>>(o, l));
    IS(7, largest_waits<<<1, 32>>>(o, l));
    references<<<1, 1>>>(*(int (*)[4])m, (int (*)[2])(m + 4), *m, *m);
    SYNC();
    CHECK(m[2] == 7 && m[5] == 8);
    IS(7, add<<<1, 1>>>(launching(o), 4)); /* an argument that launches */
    IS(7, add<<<1, 1>>>((scale<<<1, 1>>>(o, 3), o), 4));
    try { add<<<1, 1>>>(o, throws()); } catch (int) { }
    IS(7, add<<<1, 1>>>(o, 7));
    CHECK(cudaGetLastError() == cudaSuccess);
}

int main()
{
    CHECK(cudaMalloc(&memory, sizeof *memory * 4) == cudaSuccess);
    CHECK(cudaMemset(memory, 0, sizeof *memory * 4) == cudaSuccess);
    forms(memory);
    templates(memory);
    scopes(memory);
    pointers(memory);
    arguments(memory);
    return finish();
}
