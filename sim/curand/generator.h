/**
 * @file generator.h
 * @brief What the files of the simulator's cuRAND library share: a generator, and how its arrays are filled.
 *
 * A pseudo-random generator is some thousand sequences, whose states lie in an array: in device memory for
 * kernels, in the host's for a host generator. Both draw by the functions of curand_kernel.h. The results of
 * an array come from one sequence after another, one unit from each: a number, a pair of normal ones, or
 * Philox's four. Where the array of one call ends, that of the next begins.
 */
#ifndef UMSIM_CURAND_GENERATOR_H
#define UMSIM_CURAND_GENERATOR_H

/* Tables are read-only data, which both processes may read; a program's are __constant__. */
#define UMSIM_RANDOM static inline __host__ __device__ __attribute__((__unused__))
#define UMSIM_RANDOM_TABLE static constexpr
#include <curand_kernel.h>

#include <umsim.h>
#include <umsim/reach.h>

#include <cstddef>
#include <cstdint>

/** What a number is made into. */
enum curand_kind {
    KIND_BITS,
    KIND_LONG_BITS,
    KIND_UNIFORM,
    KIND_UNIFORM_DOUBLE,
    KIND_NORMAL,
    KIND_NORMAL_DOUBLE,
    KIND_LOG_NORMAL,
    KIND_LOG_NORMAL_DOUBLE,
    KIND_POISSON
};

struct curandGenerator_st {
    curandRngType_t type;
    curandOrdering_t ordering;
    bool on_host;
    unsigned long long seed;
    unsigned long long offset; /**< where the states begin, when they are made again */
    unsigned long long place;  /**< where the next array begins */
    unsigned dimensions;
    cudaStream_t stream;

    bool ready;    /**< the states are made, and the offset is theirs */
    void *states;  /**< pseudo-random: each sequence's state; quasi-random: the dimensions' vectors */
    double lambda; /**< of the Poisson distribution below, which has no length before it is made */
    curandDiscreteDistribution_st poisson;
};

namespace random_library
{

/** What one call asks for. */
struct order {
    void *out;
    size_t n;
    double mean, stddev;                   /**< also Poisson's above its table's end */
    curandDiscreteDistribution_st poisson; /**< length 0: the normal distribution's numbers */
};

inline bool is_quasi(curandRngType_t type)
{
    return type >= CURAND_RNG_QUASI_DEFAULT;
}
inline bool is_of_64_bits(curandRngType_t type)
{
    return type == CURAND_RNG_QUASI_SOBOL64;
}

/** The number of sequences of a pseudo-random generator. */
unsigned sequences(const curandGenerator_st *generator);
/** Makes `states`. @return SUCCESS, ALLOCATION_FAILED or LAUNCH_FAILURE */
curandStatus_t make_pseudo(curandGenerator_st *generator);
curandStatus_t make_quasi(curandGenerator_st *generator);
/** Fills the array, and moves on. The states are made, and the array can be reached. */
curandStatus_t fill_pseudo(curandGenerator_st *generator, curand_kind kind, const order &what);
curandStatus_t fill_quasi(curandGenerator_st *generator, curand_kind kind, const order &what);

/** Memory where the generator's numbers are made. @return NULL: there is not enough */
void *allocate(bool on_host, size_t bytes);
void release(bool on_host, void *p);
/**
 * The next launch stands for a GPU's, which writes that array by `threads` threads, 64 a block.
 * @param each sums and products of a number, as curand_kernel.h has them; a logarithm, sine or root is eight
 */
inline void stands_for(const order &what, size_t element_size, uint64_t threads, uint64_t each)
{
    const umsim_stands_for grid = {(threads + 63) / 64, 64, what.n * each, UMSIM_UNIT_SINGLE, 0};
    umsim_kernel_stands_for(&grid);
    umsim_kernel_writes(what.out, what.n * element_size);
}
/** The status of the launch that was just made. */
inline curandStatus_t launched()
{
    return cudaGetLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/** Poisson's distribution in the generator's memory, until another is asked for. @return of length 0: not
 * enough */
curandDiscreteDistribution_st poisson_of(curandGenerator_st *generator, double lambda);
/** The same in device memory, for kernels. @return NULL: not enough */
curandDiscreteDistribution_t make_poisson(double lambda);
/** A Poisson number of a uniform one. */
inline __host__ __device__ unsigned poisson_number(const order &what, double u)
{
    if (what.poisson.__length == 0)
        return umsim::poisson_of_normal(what.mean, normcdfinv(u));
    return umsim::discrete_at(what.poisson, u);
}

} // namespace random_library
#endif
