/**
 * @file calls.cu
 * @brief cuRAND's calls: generators, where they begin, and the arrays that they fill.
 */
#include "../library/arrays.h"
#include "generator.h"
#include "sobol.h"

#include <cstdio>
#include <mutex>
#include <new>
#include <set>

using random_library::is_of_64_bits;
using random_library::is_quasi;

namespace
{

/* CURAND_VERSION with two digits for each part (umsim_version_part()). */
constexpr int version = CURAND_VER_MAJOR * 10000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH;

curandStatus_t refuse(const char *call, const char *what, const char *instead)
{
    fprintf(stderr, "%s: %s is not part of the simulator: %s\n", call, what, instead);
    return CURAND_STATUS_INTERNAL_ERROR;
}

const char *missing_type(curandRngType_t type)
{
    switch (type) {
    case CURAND_RNG_PSEUDO_MTGP32:
        return "the generator MTGP32";
    case CURAND_RNG_PSEUDO_MT19937:
        return "the generator MT19937";
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
        return "the generator scrambled Sobol32";
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        return "the generator scrambled Sobol64";
    default:
        return nullptr;
    }
}

/* The generators that there are: what was destroyed, or never made, is known as such. */
std::set<curandGenerator_t> generators;
std::mutex lock;

bool is_one(curandGenerator_t generator)
{
    std::unique_lock<std::mutex> held(lock);
    return generators.count(generator) != 0;
}

curandStatus_t create(const char *call, curandGenerator_t *generator, curandRngType_t type, bool on_host)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    if (missing_type(type)) {
        refuse(call, missing_type(type),
               is_quasi(type) ? "take SOBOL32 or SOBOL64" : "take XORWOW, MRG32K3A or PHILOX4_32_10");
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A &&
        type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && type != CURAND_RNG_QUASI_SOBOL32 &&
        type != CURAND_RNG_QUASI_SOBOL64)
        return CURAND_STATUS_TYPE_ERROR;
    int device;
    if (!on_host && cudaGetDevice(&device) != cudaSuccess)
        return CURAND_STATUS_INITIALIZATION_FAILED;
    curandGenerator_st *made = new (std::nothrow) curandGenerator_st();
    if (!made)
        return CURAND_STATUS_ALLOCATION_FAILED;
    made->type = type;
    made->ordering = is_quasi(type) ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT;
    made->on_host = on_host;
    made->dimensions = 1;
    {
        std::unique_lock<std::mutex> held(lock);
        generators.insert(made);
    }
    *generator = made;
    return CURAND_STATUS_SUCCESS;
}

/* Drops what the next call has to make anew. Freeing device memory waits for the kernels that use it. */
void forget(curandGenerator_t generator)
{
    random_library::release(generator->on_host, generator->states);
    generator->states = nullptr;
    generator->ready = false;
}

curandStatus_t make_states(curandGenerator_t generator)
{
    if (generator->ready)
        return CURAND_STATUS_SUCCESS;
    const curandStatus_t status = is_quasi(generator->type) ? random_library::make_quasi(generator)
                                                            : random_library::make_pseudo(generator);
    generator->ready = status == CURAND_STATUS_SUCCESS;
    generator->place = generator->offset;
    return status;
}

/* A call that fills `n` elements. */
curandStatus_t generate(const char *call, curandGenerator_t generator, curand_kind kind, size_t element_size,
                        random_library::order what)
{
    if (!is_one(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (kind == KIND_BITS && is_of_64_bits(generator->type))
        return CURAND_STATUS_TYPE_ERROR;
    if (kind == KIND_LONG_BITS && !is_of_64_bits(generator->type))
        return CURAND_STATUS_TYPE_ERROR;
    if (what.n == 0)
        return CURAND_STATUS_SUCCESS;
    if (!generator->on_host) {
        if (cudaPeekAtLastError() != cudaSuccess)
            return CURAND_STATUS_PREEXISTING_FAILURE;
        if (!umsim_reaches(call, "outputPtr", what.out, what.n, element_size))
            return CURAND_STATUS_LAUNCH_FAILURE;
    }
    const curandStatus_t status = make_states(generator);
    if (status != CURAND_STATUS_SUCCESS)
        return status;
    return is_quasi(generator->type) ? random_library::fill_quasi(generator, kind, what)
                                     : random_library::fill_pseudo(generator, kind, what);
}

bool is_lambda(double lambda)
{
    return !(lambda <= 0 || lambda > 400000);
}

} // namespace

extern "C" curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type)
{
    return create("curandCreateGenerator", generator, rng_type, false);
}

extern "C" curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t rng_type)
{
    return create("curandCreateGeneratorHost", generator, rng_type, true);
}

extern "C" curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!is_one(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    {
        std::unique_lock<std::mutex> held(lock);
        generators.erase(generator);
    }
    forget(generator);
    random_library::release(generator->on_host, generator->poisson.__cumulated);
    delete generator;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandGetVersion(int *number)
{
    if (!number)
        return CURAND_STATUS_OUT_OF_RANGE;
    *number = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    const int part = umsim_version_part(version, type);
    if (part < 0 || !value)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = part;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (!is_one(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                             unsigned long long seed)
{
    if (!is_one(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (is_quasi(generator->type))
        return CURAND_STATUS_TYPE_ERROR;
    forget(generator);
    generator->seed = seed;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
    if (!is_one(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    forget(generator);
    generator->offset = offset;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
    if (!is_one(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    bool there_is = order == CURAND_ORDERING_QUASI_DEFAULT;
    if (!is_quasi(generator->type))
        there_is = order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
                   order == CURAND_ORDERING_PSEUDO_LEGACY ||
                   (order == CURAND_ORDERING_PSEUDO_SEEDED && generator->type == CURAND_RNG_PSEUDO_XORWOW) ||
                   (order == CURAND_ORDERING_PSEUDO_DYNAMIC && !generator->on_host);
    if (!there_is)
        return CURAND_STATUS_OUT_OF_RANGE;
    forget(generator);
    generator->ordering = order;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                  unsigned int num_dimensions)
{
    if (!is_one(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!is_quasi(generator->type))
        return CURAND_STATUS_TYPE_ERROR;
    if (num_dimensions < 1 || num_dimensions > SOBOL_DIMENSIONS)
        return CURAND_STATUS_OUT_OF_RANGE;
    forget(generator);
    generator->dimensions = num_dimensions;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    if (!is_one(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!generator->on_host && cudaPeekAtLastError() != cudaSuccess)
        return CURAND_STATUS_PREEXISTING_FAILURE;
    generator->ready = false;
    return make_states(generator);
}

#define GENERATE(call, type, kind)                                                                           \
    extern "C" curandStatus_t call(curandGenerator_t generator, type *outputPtr, size_t num)                 \
    {                                                                                                        \
        return generate(#call, generator, kind, sizeof(type), {outputPtr, num, 0, 0, {}});                   \
    }
GENERATE(curandGenerate, unsigned int, KIND_BITS)
GENERATE(curandGenerateLongLong, unsigned long long, KIND_LONG_BITS)
GENERATE(curandGenerateUniform, float, KIND_UNIFORM)
GENERATE(curandGenerateUniformDouble, double, KIND_UNIFORM_DOUBLE)

#define GENERATE_NORMAL(call, type, kind)                                                                    \
    extern "C" curandStatus_t call(curandGenerator_t generator, type *outputPtr, size_t n, type mean,        \
                                   type stddev)                                                              \
    {                                                                                                        \
        return generate(#call, generator, kind, sizeof(type), {outputPtr, n, mean, stddev, {}});             \
    }
GENERATE_NORMAL(curandGenerateNormal, float, KIND_NORMAL)
GENERATE_NORMAL(curandGenerateNormalDouble, double, KIND_NORMAL_DOUBLE)
GENERATE_NORMAL(curandGenerateLogNormal, float, KIND_LOG_NORMAL)
GENERATE_NORMAL(curandGenerateLogNormalDouble, double, KIND_LOG_NORMAL_DOUBLE)

extern "C" curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *outputPtr,
                                                size_t n, double lambda)
{
    if (!is_one(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!is_lambda(lambda))
        return CURAND_STATUS_OUT_OF_RANGE;
    random_library::order what = {outputPtr, n, lambda, 0, {}};
    if (lambda <= umsim::poisson_is_normal) {
        what.poisson = random_library::poisson_of(generator, lambda);
        if (!what.poisson.__length)
            return CURAND_STATUS_ALLOCATION_FAILED;
    }
    return generate("curandGeneratePoisson", generator, KIND_POISSON, sizeof(unsigned), what);
}

extern "C" curandStatus_t curandCreatePoissonDistribution(double lambda,
                                                          curandDiscreteDistribution_t *discrete_distribution)
{
    if (!discrete_distribution)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (cudaPeekAtLastError() != cudaSuccess)
        return CURAND_STATUS_PREEXISTING_FAILURE;
    if (!is_lambda(lambda))
        return CURAND_STATUS_OUT_OF_RANGE;
    *discrete_distribution = random_library::make_poisson(lambda);
    return *discrete_distribution ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

extern "C" curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t discrete_distribution)
{
    if (!discrete_distribution)
        return CURAND_STATUS_NOT_INITIALIZED;
    return cudaFree(discrete_distribution) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                          : CURAND_STATUS_NOT_INITIALIZED;
}

/* ---- tables ---- */
namespace
{
curandStatus_t refuse_scrambled(const char *call)
{
    return refuse(call, "the table of scrambled Sobol sequences", "take the one that is not scrambled");
}
} // namespace

extern "C" curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                      curandDirectionVectorSet_t set)
{
    if (set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6)
        return refuse_scrambled("curandGetDirectionVectors32");
    if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 || !vectors)
        return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = sobol_vectors32();
    return *vectors ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

extern "C" curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                                      curandDirectionVectorSet_t set)
{
    if (set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6)
        return refuse_scrambled("curandGetDirectionVectors64");
    if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 || !vectors)
        return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = sobol_vectors64();
    return *vectors ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

extern "C" curandStatus_t curandGetScrambleConstants32(unsigned int **)
{
    return refuse_scrambled("curandGetScrambleConstants32");
}

extern "C" curandStatus_t curandGetScrambleConstants64(unsigned long long **)
{
    return refuse_scrambled("curandGetScrambleConstants64");
}
