/*
 * cuRAND: a generator of the library on the device, one on the host, and kernels that draw for themselves
 * give the same numbers. Their moments are right; pi comes out; what cannot be is refused by its status.
 */
#include "common.h"
#include <curand.h>
#include <curand_kernel.h>

static int wrong = 0;

static void expect(bool right, const char *what)
{
    if (!right) {
        printf("wrong: %s\n", what);
        wrong++;
    }
}

#define RAND(call) expect((call) == CURAND_STATUS_SUCCESS, #call)

enum { N = 1 << 16, THREADS = 4096 };

/* What the library's XORWOW does: number i is of sequence i % 4096. */
template <class State> __global__ void draw(unsigned *out, unsigned long long seed, int sequences)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    State state;
    curand_init(seed, thread, 0, &state);
    for (int i = thread; i < N; i += sequences)
        out[i] = curand(&state);
}

__global__ void draw_sobol(float *out, unsigned (*vectors)[32], int of_dimension)
{
    curandStateSobol32_t state;
    curand_init(vectors[blockIdx.x], threadIdx.x * 16, &state);
    for (int i = 0; i < 16; i++)
        out[blockIdx.x * of_dimension + threadIdx.x * 16 + i] = curand_uniform(&state);
}

__global__ void draw_poisson(unsigned *out, double mean, curandDiscreteDistribution_t distribution)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(7, thread, 0, &state);
    out[thread] = distribution ? curand_discrete(&state, distribution) : curand_poisson(&state, mean);
}

template <class T> static std::vector<T> fetch(const T *from, size_t n)
{
    std::vector<T> to(n);
    CHECK(cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}

/* The same call on the device and on the host. */
template <class T, class Call>
static std::vector<T> both(curandRngType_t type, const char *what, double near, Call call)
{
    curandGenerator_t device, host;
    T *array;
    std::vector<T> of_host(N);
    CHECK(cudaMalloc(&array, N * sizeof(T)));
    RAND(curandCreateGenerator(&device, type));
    RAND(curandCreateGeneratorHost(&host, type));
    for (curandGenerator_t generator : {device, host}) {
        if (type < CURAND_RNG_QUASI_DEFAULT)
            RAND(curandSetPseudoRandomGeneratorSeed(generator, 42));
        else
            RAND(curandSetQuasiRandomGeneratorDimensions(generator, 4));
        RAND(curandSetGeneratorOffset(generator, 4));
        RAND(call(generator, generator == device ? array : of_host.data()));
    }
    const std::vector<T> of_device = fetch(array, N);
    for (int i = 0; i < N; i++)
        if (!(std::fabs((double)of_device[i] - (double)of_host[i]) <= near)) {
            printf("wrong: %s of type %d: number %d is %.9g on the device, %.9g on the host\n", what, type, i,
                   (double)of_device[i], (double)of_host[i]);
            wrong++;
            break;
        }
    RAND(curandDestroyGenerator(device));
    RAND(curandDestroyGenerator(host));
    CHECK(cudaFree(array));
    return of_device;
}

template <class T>
static void moments(const std::vector<T> &x, const char *what, double mean, double variance)
{
    double sum = 0, squares = 0;
    for (T value : x)
        sum += (double)value;
    for (T value : x)
        squares += ((double)value - sum / x.size()) * ((double)value - sum / x.size());
    if (std::fabs(sum / x.size() - mean) > 0.02 * (1 + mean) ||
        std::fabs(squares / x.size() / variance - 1) > 0.05) {
        printf("wrong: %s: mean %g, variance %g; not %g, %g\n", what, sum / x.size(), squares / x.size(),
               mean, variance);
        wrong++;
    }
}

static void all_kinds(curandRngType_t type)
{
    if (type != CURAND_RNG_QUASI_SOBOL64)
        both<unsigned>(type, "bits", 0,
                       [](curandGenerator_t g, unsigned *p) { return curandGenerate(g, p, N); });
    moments(both<float>(type, "uniform", 0,
                        [](curandGenerator_t g, float *p) { return curandGenerateUniform(g, p, N); }),
            "uniform", 0.5, 1.0 / 12);
    both<double>(type, "uniform_double", 0,
                 [](curandGenerator_t g, double *p) { return curandGenerateUniformDouble(g, p, N); });
    moments(both<float>(type, "normal", 1e-4,
                        [](curandGenerator_t g, float *p) { return curandGenerateNormal(g, p, N, 3, 2); }),
            "normal", 3, 4);
    both<double>(type, "normal_double", 1e-9,
                 [](curandGenerator_t g, double *p) { return curandGenerateNormalDouble(g, p, N, 3, 2); });
    both<float>(type, "log_normal", 1e-2,
                [](curandGenerator_t g, float *p) { return curandGenerateLogNormal(g, p, N, 0, 0.5f); });
    moments(
        both<unsigned>(type, "poisson", 1e9,
                       [](curandGenerator_t g, unsigned *p) { return curandGeneratePoisson(g, p, N, 20); }),
        "poisson", 20, 20);
}

static void kernels()
{
    unsigned *out;
    CHECK(cudaMalloc(&out, N * sizeof *out));
    curandGenerator_t host;
    std::vector<unsigned> of_host(N);
    RAND(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_MRG32K3A));
    RAND(curandSetGeneratorOrdering(host, CURAND_ORDERING_PSEUDO_LEGACY));
    RAND(curandSetPseudoRandomGeneratorSeed(host, 99));
    RAND(curandGenerate(host, of_host.data(), N));
    RAND(curandDestroyGenerator(host));
    draw<curandStateMRG32k3a_t><<<THREADS / 128, 128>>>(out, 99, THREADS);
    CHECK_KERNEL();
    expect(fetch(out, N) == of_host, "MRG32k3a drawn by a kernel");
    RAND(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_DEFAULT));
    RAND(curandSetPseudoRandomGeneratorSeed(host, 99));
    RAND(curandGenerate(host, of_host.data(), N));
    RAND(curandDestroyGenerator(host));
    draw<curandState><<<THREADS / 128, 128>>>(out, 99, THREADS);
    CHECK_KERNEL();
    expect(fetch(out, N) == of_host, "XORWOW drawn by a kernel");
    for (double mean : {2.0, 30.0, 200.0, 9000.0}) {
        draw_poisson<<<N / 128, 128>>>(out, mean, nullptr);
        CHECK_KERNEL();
        moments(fetch(out, N), "curand_poisson", mean, mean);
    }
    curandDiscreteDistribution_t distribution;
    RAND(curandCreatePoissonDistribution(12.5, &distribution));
    draw_poisson<<<N / 128, 128>>>(out, 0, distribution);
    CHECK_KERNEL();
    moments(fetch(out, N), "curand_discrete", 12.5, 12.5);
    RAND(curandDestroyDistribution(distribution));
    CHECK(cudaFree(out));
}

static void sobol()
{
    enum { DIMENSIONS = 50, OF_DIMENSION = 1024 };
    curandDirectionVectors32_t *vectors, *on_device;
    float *out;
    RAND(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    CHECK(cudaMalloc(&on_device, DIMENSIONS * sizeof *on_device));
    CHECK(cudaMemcpy(on_device, vectors, DIMENSIONS * sizeof *on_device, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&out, DIMENSIONS * OF_DIMENSION * sizeof *out));
    draw_sobol<<<DIMENSIONS, OF_DIMENSION / 16>>>(out, on_device, OF_DIMENSION);
    CHECK_KERNEL();
    curandGenerator_t host;
    std::vector<float> of_host(DIMENSIONS * OF_DIMENSION);
    RAND(curandCreateGeneratorHost(&host, CURAND_RNG_QUASI_SOBOL32));
    RAND(curandSetQuasiRandomGeneratorDimensions(host, DIMENSIONS));
    RAND(curandGenerateUniform(host, of_host.data(), of_host.size()));
    expect(curandGenerateUniform(host, of_host.data(), DIMENSIONS + 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE,
           "a length that is not a multiple of the dimensions");
    RAND(curandDestroyGenerator(host));
    expect(fetch(out, of_host.size()) == of_host, "Sobol32 drawn by a kernel");
    /* Each interval of 1/1024 has one number of each dimension. */
    std::vector<int> hit(OF_DIMENSION);
    for (int i = 0; i < OF_DIMENSION; i++)
        hit[(int)(of_host[49 * OF_DIMENSION + i] * OF_DIMENSION)]++;
    for (int count : hit)
        expect(count == 1, "one number in each interval");
    CHECK(cudaFree(on_device));
    CHECK(cudaFree(out));
}

int main()
{
    for (curandRngType_t type :
         {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10,
          CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64})
        all_kinds(type);
    kernels();
    sobol();
    curandGenerator_t generator;
    RAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    float *array;
    CHECK(cudaMalloc(&array, 3 * sizeof *array));
    expect(curandGenerateNormal(generator, array, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE,
           "half a pair");
    RAND(curandDestroyGenerator(generator));
    CHECK(cudaFree(array));
    return report(wrong == 0);
}
