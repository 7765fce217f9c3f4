/**
 * @file curand.h
 * @brief cuRAND's host library (libcurand.so): arrays of random numbers, made by kernels or on the host.
 *
 * A generator of curandCreateGenerator() fills device memory, one of curandCreateGeneratorHost() the host's.
 * The numbers are those of NVIDIA's library, by type, seed, offset and ordering, Poisson's excepted. Not
 * provided: MTGP32, MT19937 and the tables of scrambled Sobol sequences, each of which is refused with a
 * line. Kernels draw their own numbers with curand_kernel.h.
 *
 * Every function returns CURAND_STATUS_NOT_INITIALIZED where a generator is null, was destroyed or never
 * made.
 */
#ifndef CURAND_H_
#define CURAND_H_

#include "cuda_runtime.h"
#include "library_types.h"

/** @name The version of cuRAND whose interface this is
 * @{ */
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)
/** @} */
#define CURANDAPI

#ifdef __cplusplus
extern "C" {
#endif

/** What cuRAND's host functions return. */
enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,                     /**< done */
    CURAND_STATUS_VERSION_MISMATCH = 100,          /**< never here */
    CURAND_STATUS_NOT_INITIALIZED = 101,           /**< there is no such generator */
    CURAND_STATUS_ALLOCATION_FAILED = 102,         /**< not enough memory */
    CURAND_STATUS_TYPE_ERROR = 103,                /**< this type of generator has no such thing */
    CURAND_STATUS_OUT_OF_RANGE = 104,              /**< a value that cannot be */
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,       /**< not a multiple of the dimensions, or of a pair */
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106, /**< never here */
    CURAND_STATUS_LAUNCH_FAILURE = 201,            /**< a kernel failed, or could not reach the array */
    CURAND_STATUS_PREEXISTING_FAILURE = 202,       /**< a kernel had failed before */
    CURAND_STATUS_INITIALIZATION_FAILED = 203,     /**< there is no device */
    CURAND_STATUS_ARCH_MISMATCH = 204,             /**< never here */
    CURAND_STATUS_INTERNAL_ERROR = 999             /**< not provided */
};
typedef enum curandStatus curandStatus_t;

/** Types of generators. */
enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,  /**< XORWOW */
    CURAND_RNG_PSEUDO_XORWOW = 101,   /**< Marsaglia's xorshift with a counter */
    CURAND_RNG_PSEUDO_MRG32K3A = 121, /**< L'Ecuyer's combined recursive generator */
    CURAND_RNG_PSEUDO_MTGP32 = 141,   /**< not provided */
    CURAND_RNG_PSEUDO_MT19937 = 142,  /**< not provided */
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200, /**< Sobol32 */
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202, /**< not provided */
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204 /**< not provided */
};
typedef enum curandRngType curandRngType_t;

/** In which order the numbers of a generator's many sequences lie in the array. */
enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,    /**< as DEFAULT */
    CURAND_ORDERING_PSEUDO_DEFAULT = 101, /**< 4096 (XORWOW), 81920 (MRG32k3a), 65536 sequences (Philox) */
    CURAND_ORDERING_PSEUDO_SEEDED = 102,  /**< XORWOW only: each sequence has a seed of its own */
    CURAND_ORDERING_PSEUDO_LEGACY = 103,  /**< as DEFAULT, but MRG32k3a has 4096 sequences */
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104, /**< on a device, as DEFAULT: CUDA leaves the order open */
    CURAND_ORDERING_QUASI_DEFAULT = 201   /**< one dimension after another */
};
typedef enum curandOrdering curandOrdering_t;

/** Tables of direction vectors, by S. Joe and F. Y. Kuo. */
enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102, /**< not provided */
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104 /**< not provided */
};
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;

/** The direction vectors of one dimension. */
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

typedef struct curandGenerator_st *curandGenerator_t;

/** A discrete distribution: in device memory, for curand_discrete(). */
struct curandDiscreteDistribution_st {
    double *__cumulated;        /**< probabilities of `__first` and of all counts up to each */
    unsigned __first, __length; /**< the first count, and how many there are */
};
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

/** @name Generators. TYPE_ERROR: there is no such type, or it is not provided
 * @{ */
curandStatus_t curandCreateGenerator(curandGenerator_t *__generator, curandRngType_t __rng_type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *__generator, curandRngType_t __rng_type);
curandStatus_t curandDestroyGenerator(curandGenerator_t __generator);
/** @} */
/** 1000 times the major plus 100 times the minor version. */
curandStatus_t curandGetVersion(int *__version);
/** One part of the version. */
curandStatus_t curandGetProperty(libraryPropertyType __type, int *__value);

/** @name Where a generator begins. TYPE_ERROR: not for this type; OUT_OF_RANGE: no such value
 * @{ */
/** The stream of a generator's kernels. What the last stream still does for it has to be awaited before. */
curandStatus_t curandSetStream(curandGenerator_t __generator, cudaStream_t __stream);
/** Begins anew with that seed; not for quasi-random types. */
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t __generator, unsigned long long __seed);
/** Begins at that number of the sequence. */
curandStatus_t curandSetGeneratorOffset(curandGenerator_t __generator, unsigned long long __offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t __generator, curandOrdering_t __order);
/** 1 to 20,000 dimensions; only for quasi-random types. */
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t __generator,
                                                       unsigned int __num_dimensions);
/** Makes the starting states, which otherwise the first call that generates does. */
curandStatus_t curandGenerateSeeds(curandGenerator_t __generator);
/** @} */

/**
 * @name Generating `__num` numbers from where the last call ended
 *
 * LENGTH_NOT_MULTIPLE: of the dimensions; of 2 for normal numbers of XORWOW and MRG32k3a, which come in
 * pairs. TYPE_ERROR: 32 bits of Sobol64, 64 bits of any other type. LAUNCH_FAILURE: kernels cannot reach the
 * array.
 * @{
 */
curandStatus_t curandGenerate(curandGenerator_t __generator, unsigned int *__outputPtr, size_t __num);
curandStatus_t curandGenerateLongLong(curandGenerator_t __generator, unsigned long long *__outputPtr,
                                      size_t __num);
/** 0 < x <= 1. */
curandStatus_t curandGenerateUniform(curandGenerator_t __generator, float *__outputPtr, size_t __num);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t __generator, double *__outputPtr, size_t __num);
curandStatus_t curandGenerateNormal(curandGenerator_t __generator, float *__outputPtr, size_t __n,
                                    float __mean, float __stddev);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t __generator, double *__outputPtr, size_t __n,
                                          double __mean, double __stddev);
/** e to the power of a normal number. */
curandStatus_t curandGenerateLogNormal(curandGenerator_t __generator, float *__outputPtr, size_t __n,
                                       float __mean, float __stddev);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t __generator, double *__outputPtr, size_t __n,
                                             double __mean, double __stddev);
/** Not NVIDIA's numbers. OUT_OF_RANGE: lambda is not in (0, 400000]. */
curandStatus_t curandGeneratePoisson(curandGenerator_t __generator, unsigned int *__outputPtr, size_t __n,
                                     double __lambda);
/** @} */

/** @name Poisson's distribution for curand_discrete(), in device memory until it is destroyed
 * @{ */
curandStatus_t curandCreatePoissonDistribution(double __lambda,
                                               curandDiscreteDistribution_t *__discrete_distribution);
curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t __discrete_distribution);
/** @} */

/**
 * @name Tables of 20,000 dimensions, in host memory that stays
 *
 * OUT_OF_RANGE: no such set. The scrambled sets and their constants are not provided: INTERNAL_ERROR, and a
 * line.
 * @{
 */
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *__vectors[],
                                           curandDirectionVectorSet_t __set);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *__vectors[],
                                           curandDirectionVectorSet_t __set);
curandStatus_t curandGetScrambleConstants32(unsigned int **__constants);
curandStatus_t curandGetScrambleConstants64(unsigned long long **__constants);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
