/**
 * @file wmma.cu
 * @brief Every product that wmma has, of every shape, kind of number and order in memory, against the host's
 * sums.
 *
 * The numbers are whole and small, so that sums are exact in whatever order a GPU takes them: not one bit may
 * differ. The sizes of fragments are asserted at compile time, by either compiler. Needs a GPU of compute
 * capability 8.0 or more.
 */
#include "need.h"

#include <mma.h>
#include <type_traits>
#include <vector>

using namespace nvcuda;

static int products;

/* The numbers themselves: what they are as storage, and back. */
template <class S> S number(int x)
{
    return (S)(float)x;
}
template <class S> double value(S x)
{
    return (double)(float)x;
}
template <> int number<int>(int x)
{
    return x;
}
template <> double value<int>(int x)
{
    return x;
}

template <int M, int N, int K, class T, class S, class C, class D, class A, class B>
__global__ void product(const S *a, const S *b, const C *c, D *d, unsigned lda, unsigned ldb, unsigned ldc,
                        wmma::layout_t layout)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, A> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, B> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> fc;
    wmma::fragment<wmma::accumulator, M, N, K, D> fd;
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, ldc, layout);
    for (int i = 0; i < fa.num_elements; i++)
        fa.x[i] = fa.x[i] + fa.x[i];
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] = -fc.x[i];
    wmma::mma_sync(fd, fa, fb, fc);
    wmma::store_matrix_sync(d, fd, ldc, layout);
}

/* Whole numbers of -4 to 4, or of 0 to 8. */
static int random_number(bool is_signed)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 24) % 9 - (is_signed ? 4 : 0);
}

template <class S> struct matrix {
    int rows, columns;
    unsigned ld; /* elements from one row (column) to the next: more than it has */
    bool by_columns;
    std::vector<S> host;
    S *device;
    matrix(int rows_, int columns_, bool by_columns_)
        : rows(rows_), columns(columns_), ld((by_columns_ ? rows_ : columns_) + 16), by_columns(by_columns_),
          host(ld * (by_columns_ ? columns_ : rows_))
    {
        for (S &element : host)
            element = number<S>(random_number(S(-1) < S(0)));
        NEED(cudaMalloc(&device, host.size() * sizeof(S)));
        NEED(cudaMemcpy(device, host.data(), host.size() * sizeof(S), cudaMemcpyHostToDevice));
    }
    ~matrix()
    {
        NEED(cudaFree(device));
    }
    double at(int row, int column) const
    {
        return value(host[by_columns ? column * ld + row : row * ld + column]);
    }
};

template <int M, int N, int K, class T, class S, class C, class D, class A, class B>
static void try_one(const char *name, bool sum_by_columns)
{
    matrix<S> a(M, K, std::is_same<A, wmma::col_major>::value),
        b(K, N, std::is_same<B, wmma::col_major>::value);
    matrix<C> c(M, N, sum_by_columns);
    matrix<D> d(M, N, sum_by_columns);
    product<M, N, K, T, S, C, D, A, B><<<1, 32>>>(a.device, b.device, c.device, d.device, a.ld, b.ld, c.ld,
                                                  sum_by_columns ? wmma::mem_col_major : wmma::mem_row_major);
    NEED(cudaGetLastError());
    NEED(cudaMemcpy(d.host.data(), d.device, d.host.size() * sizeof(D), cudaMemcpyDeviceToHost));
    for (int row = 0; row < M; row++)
        for (int column = 0; column < N; column++) {
            double sum = -c.at(row, column);
            for (int k = 0; k < K; k++)
                sum += 2 * a.at(row, k) * b.at(k, column);
            HOLDS(d.at(row, column) == sum, "%s %dx%dx%d: element %d,%d is %g, not %g", name, M, N, K, row,
                  column, d.at(row, column), sum);
        }
    products++;
}

/* Orders of a, of b and of the sums do not meddle with each other: two of eight have each of them in both. */
template <int M, int N, int K, class T, class S, class C, class D> static void try_orders(const char *name)
{
    try_one<M, N, K, T, S, C, D, wmma::row_major, wmma::col_major>(name, false);
    try_one<M, N, K, T, S, C, D, wmma::col_major, wmma::row_major>(name, true);
}

template <int M, int N, int K, class A, class B> static void try_shape(bool sum_by_columns)
{
    try_one<M, N, K, half, half, float, float, A, B>("half to float", sum_by_columns);
    try_one<M, N, K, half, half, half, half, A, B>("half to half", sum_by_columns);
    try_one<M, N, K, __nv_bfloat16, __nv_bfloat16, float, float, A, B>("bfloat16", sum_by_columns);
    try_one<M, N, K, signed char, signed char, int, int, A, B>("signed char", sum_by_columns);
    try_one<M, N, K, unsigned char, unsigned char, int, int, A, B>("unsigned char", sum_by_columns);
}

/* Sums beyond the largest int: they wrap, or end there. */
__global__ void overflow(int *out, bool saturate)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
    wmma::fill_fragment(a, 1);
    wmma::fill_fragment(b, 1);
    wmma::fill_fragment(c, 0x7ffffff8);
    wmma::mma_sync(c, a, b, c, saturate);
    wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}

static void try_overflow()
{
    int *out, first;
    NEED(cudaMalloc(&out, 256 * sizeof(int)));
    for (int saturate = 0; saturate < 2; saturate++) {
        overflow<<<1, 32>>>(out, saturate != 0);
        NEED(cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost));
        HOLDS(first == (saturate ? 0x7fffffff : (int)0x80000008u), "%d, saturate %d", first, saturate);
    }
    NEED(cudaFree(out));
}

__global__ void tf32_digits(const float *in, float *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = wmma::__float_to_tf32(in[i]);
}

static void try_tf32_digits()
{
    const std::vector<float> in = {1.0f, 1.00048828125f, 1.0004882f, -1.00048828125f,
                                   1.5f, 3.0e38f,        0.0f,       -0.0f};
    const std::vector<float> rounded = {1.0f, 1.0009765625f, 1.0f, -1.0009765625f,
                                        1.5f, 2.999862e38f,  0.0f, -0.0f};
    const size_t bytes = in.size() * sizeof(float);
    std::vector<float> out(in.size());
    float *from, *to;
    NEED(cudaMalloc(&from, bytes));
    NEED(cudaMalloc(&to, bytes));
    NEED(cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice));
    tf32_digits<<<1, 32>>>(from, to, (int)in.size());
    NEED(cudaMemcpy(out.data(), to, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < in.size(); i++)
        HOLDS(out[i] == rounded[i] || (i == 5 && fabsf(out[i] / in[i] - 1) < 1.0f / 2048),
              "%.9g becomes %.9g, not %.9g", in[i], out[i], rounded[i]);
    NEED(cudaFree(from));
    NEED(cudaFree(to));
}

/* Either compiler's fragments have the same number of elements. */
template <class Use, int m, int n, int k, class T, class Layout, int size> constexpr bool has()
{
    typedef wmma::fragment<Use, m, n, k, T, Layout> fragment;
    return fragment::num_elements == size && fragment::num_storage_elements == size &&
           sizeof(fragment) == (sizeof(typename fragment::storage_element_type) * size + 7) / 8 * 8;
}
static_assert(has<wmma::matrix_a, 16, 16, 16, half, wmma::row_major, 16>(), "");
static_assert(has<wmma::matrix_b, 32, 8, 16, half, wmma::row_major, 16>(), "");
static_assert(has<wmma::accumulator, 16, 16, 16, half, void, 8>(), "");
static_assert(has<wmma::accumulator, 8, 32, 16, float, void, 8>(), "");
static_assert(has<wmma::matrix_a, 32, 8, 16, __nv_bfloat16, wmma::col_major, 16>(), "");
static_assert(has<wmma::matrix_b, 32, 8, 16, __nv_bfloat16, wmma::col_major, 4>(), "");
static_assert(has<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major, 8>(), "");
static_assert(has<wmma::matrix_a, 8, 32, 16, unsigned char, wmma::row_major, 4>(), "");
static_assert(has<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major, 4>(), "");
static_assert(has<wmma::accumulator, 16, 16, 8, float, void, 8>(), "");
static_assert(has<wmma::matrix_b, 8, 8, 4, double, wmma::row_major, 1>(), "");
static_assert(has<wmma::accumulator, 8, 8, 4, double, void, 2>(), "");

int main(void)
{
    int major;
    NEED(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    if (major < 8) {
        printf("needs a GPU of compute capability 8.0 for bfloat16, tf32 and double\n");
        return 2;
    }
    try_orders<16, 16, 16, half, half, float, float>("half to float");
    try_orders<16, 16, 16, half, half, half, half>("half to half");
    try_orders<16, 16, 16, half, half, float, half>("half and float to half");
    try_orders<16, 16, 16, half, half, half, float>("half and half to float");
    try_orders<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, float>("bfloat16");
    try_orders<16, 16, 16, signed char, signed char, int, int>("signed char");
    try_orders<16, 16, 16, unsigned char, unsigned char, int, int>("unsigned char");
    try_shape<32, 8, 16, wmma::row_major, wmma::col_major>(false);
    try_shape<8, 32, 16, wmma::col_major, wmma::row_major>(true);
    try_orders<16, 16, 8, wmma::precision::tf32, float, float, float>("tf32");
    try_orders<8, 8, 4, double, double, double, double>("double");
    try_overflow();
    try_tf32_digits();
    printf("wmma: %d products, all exact\n", products);
    return 0;
}
