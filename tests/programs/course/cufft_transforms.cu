/*
 * cuFFT: transforms of one to three dimensions and in batches, beside sums on the host, there and back again,
 * in place, strided; a convolution by its theorem; what cannot be is refused.
 */
#include "common.h"
#include <complex>
#include <cufft.h>

typedef std::complex<double> number;

static int wrong = 0;

static void expect(bool right, const char *what, int n)
{
    if (!right) {
        printf("wrong: %s, %d\n", what, n);
        wrong++;
    }
}

#define FFT(call) expect((call) == CUFFT_SUCCESS, #call, __LINE__)

static std::vector<number> signal(size_t n)
{
    std::vector<number> x(n);
    for (size_t i = 0; i < n; i++)
        x[i] = number((int)(i * 37 % 101) - 50, (int)(i * 53 % 97) - 48) / 50.0;
    return x;
}

/* The sum that defines it. */
static std::vector<number> by_sums(const number *x, int n, int direction)
{
    std::vector<number> sum(n);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            sum[k] += x[j] * std::polar(1.0, direction * 2 * M_PI * ((long long)j * k % n) / n);
    return sum;
}

template <class T>
static bool near(const std::vector<T> &got, const std::vector<number> &right, double tolerance)
{
    double worst = 0, most = 1e-30;
    for (size_t i = 0; i < right.size(); i++) {
        worst = std::fmax(worst, std::abs(number(got[i].x, got[i].y) - right[i]));
        most = std::fmax(most, std::abs(right[i]));
    }
    return worst <= tolerance * most;
}

template <class T> static T *to_device(const std::vector<number> &x)
{
    std::vector<T> values(x.size());
    for (size_t i = 0; i < x.size(); i++)
        values[i].x = x[i].real(), values[i].y = x[i].imag();
    T *array;
    CHECK(cudaMalloc(&array, x.size() * sizeof(T)));
    CHECK(cudaMemcpy(array, values.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice));
    return array;
}

template <class T> static std::vector<T> to_host(const T *array, size_t n)
{
    std::vector<T> values(n);
    CHECK(cudaMemcpy(values.data(), array, n * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

/* Sizes with small factors, primes, and one: forward, back, in a batch. */
static void one_dimension(int n, int batch)
{
    const std::vector<number> x = signal((size_t)n * batch);
    std::vector<number> forward, back;
    for (int b = 0; b < batch; b++)
        for (int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
            const std::vector<number> part = by_sums(&x[(size_t)b * n], n, direction);
            std::vector<number> &all = direction == CUFFT_FORWARD ? forward : back;
            all.insert(all.end(), part.begin(), part.end());
        }
    cufftHandle single, twice;
    FFT(cufftPlan1d(&single, n, CUFFT_C2C, batch));
    FFT(cufftPlan1d(&twice, n, CUFFT_Z2Z, batch));
    cufftComplex *c = to_device<cufftComplex>(x), *to;
    cufftDoubleComplex *z = to_device<cufftDoubleComplex>(x);
    CHECK(cudaMalloc(&to, x.size() * sizeof *to));
    FFT(cufftExecC2C(single, c, to, CUFFT_FORWARD));
    expect(near(to_host(to, x.size()), forward, 2e-6), "C2C forward", n);
    FFT(cufftExecC2C(single, c, c, CUFFT_INVERSE));
    expect(near(to_host(c, x.size()), back, 2e-6), "C2C back, in place", n);
    FFT(cufftExecZ2Z(twice, z, z, CUFFT_FORWARD));
    expect(near(to_host(z, x.size()), forward, 1e-13), "Z2Z forward, in place", n);
    FFT(cufftExecZ2Z(twice, z, z, CUFFT_INVERSE));
    std::vector<number> scaled = x;
    for (number &value : scaled)
        value *= n;
    expect(near(to_host(z, x.size()), scaled, 1e-13), "there and back", n);
    FFT(cufftDestroy(single));
    FFT(cufftDestroy(twice));
    CHECK(cudaFree(c));
    CHECK(cudaFree(z));
    CHECK(cudaFree(to));
}

/* The columns of a matrix, by a stride; then its rows: that is the transform of two dimensions. */
static void two_dimensions(int rows, int columns)
{
    const std::vector<number> x = signal((size_t)rows * columns);
    cufftHandle whole, by_columns, by_rows;
    FFT(cufftPlan2d(&whole, rows, columns, CUFFT_Z2Z));
    FFT(cufftPlanMany(&by_columns, 1, &rows, &rows, columns, 1, &rows, columns, 1, CUFFT_Z2Z, columns));
    FFT(cufftPlan1d(&by_rows, columns, CUFFT_Z2Z, rows));
    cufftDoubleComplex *a = to_device<cufftDoubleComplex>(x), *b = to_device<cufftDoubleComplex>(x);
    FFT(cufftExecZ2Z(whole, a, a, CUFFT_FORWARD));
    FFT(cufftExecZ2Z(by_columns, b, b, CUFFT_FORWARD));
    FFT(cufftExecZ2Z(by_rows, b, b, CUFFT_FORWARD));
    const std::vector<cufftDoubleComplex> steps = to_host(b, x.size());
    std::vector<number> expected(x.size());
    for (size_t i = 0; i < x.size(); i++)
        expected[i] = number(steps[i].x, steps[i].y);
    expect(near(to_host(a, x.size()), expected, 1e-13), "two dimensions", rows);
    for (cufftHandle plan : {whole, by_columns, by_rows})
        FFT(cufftDestroy(plan));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

/* A real signal of three dimensions has half a spectrum, which gives it back. */
static void three_real_dimensions(int nx, int ny, int nz)
{
    const size_t n = (size_t)nx * ny * nz, half = (size_t)nx * ny * (nz / 2 + 1);
    const std::vector<number> x = signal(n);
    std::vector<float> real(n);
    for (size_t i = 0; i < n; i++)
        real[i] = (float)x[i].real();
    float *array;
    cufftComplex *spectrum;
    CHECK(cudaMalloc(&array, n * sizeof *array));
    CHECK(cudaMalloc(&spectrum, half * sizeof *spectrum));
    CHECK(cudaMemcpy(array, real.data(), n * sizeof *array, cudaMemcpyHostToDevice));
    cufftHandle there, back;
    FFT(cufftPlan3d(&there, nx, ny, nz, CUFFT_R2C));
    FFT(cufftPlan3d(&back, nx, ny, nz, CUFFT_C2R));
    FFT(cufftExecR2C(there, array, spectrum));
    const std::vector<cufftComplex> got = to_host(spectrum, half);
    double sum = 0;
    for (float value : real)
        sum += value;
    expect(std::fabs(got[0].x - sum) < 1e-3 && std::fabs(got[0].y) < 1e-3, "the sum is number 0", nz);
    FFT(cufftExecC2R(back, spectrum, array));
    const std::vector<float> again = to_host(array, n);
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        worst = std::fmax(worst, std::fabs(again[i] / n - real[i]));
    expect(worst < 1e-5, "a real signal, there and back", nz);
    FFT(cufftDestroy(there));
    FFT(cufftDestroy(back));
    CHECK(cudaFree(array));
    CHECK(cudaFree(spectrum));
}

__global__ void multiply(cufftDoubleComplex *a, const cufftDoubleComplex *b, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = make_cuDoubleComplex((a[i].x * b[i].x - a[i].y * b[i].y) / n,
                                    (a[i].x * b[i].y + a[i].y * b[i].x) / n);
}

static void convolution(int n)
{
    const std::vector<number> x = signal(n);
    std::vector<number> y(n), expected(n);
    for (int i = 0; i < n; i++)
        y[i] = i < 3 ? 1.0 / 3 : 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            expected[i] += x[(i - k + n) % n] / 3.0;
    cufftDoubleComplex *a = to_device<cufftDoubleComplex>(x), *b = to_device<cufftDoubleComplex>(y);
    cufftHandle plan;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    FFT(cufftPlan1d(&plan, n, CUFFT_Z2Z, 1));
    FFT(cufftSetStream(plan, stream));
    FFT(cufftExecZ2Z(plan, a, a, CUFFT_FORWARD));
    FFT(cufftExecZ2Z(plan, b, b, CUFFT_FORWARD));
    multiply<<<blocks_for(n, 128), 128, 0, stream>>>(a, b, n);
    FFT(cufftExecZ2Z(plan, a, a, CUFFT_INVERSE));
    CHECK(cudaStreamSynchronize(stream));
    expect(near(to_host(a, n), expected, 1e-13), "a convolution", n);
    FFT(cufftDestroy(plan));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

int main()
{
    for (int n : {1, 2, 3, 8, 60, 97, 128, 210, 243})
        one_dimension(n, n % 3 + 1);
    two_dimensions(32, 48);
    two_dimensions(17, 30);
    three_real_dimensions(8, 6, 10);
    three_real_dimensions(5, 7, 9);
    convolution(1000);
    cufftHandle plan;
    expect(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "a length of", 0);
    expect(cufftPlan1d(&plan, -4, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "a length of", -4);
    return report(wrong == 0);
}
