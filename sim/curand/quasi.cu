/**
 * @file quasi.cu
 * @brief Fills arrays with quasi-random numbers: Sobol's sequences of 32 and of 64 bits.
 *
 * An array has one dimension after another. Each thread makes CHUNK numbers of one dimension.
 */
#include "generator.h"
#include "sobol.h"

#include <cstring>

namespace
{
using random_library::order;

enum { CHUNK = 1024 };

typedef curandStateSobol32_t sobol32;
typedef curandStateSobol64_t sobol64;

__host__ __device__ unsigned words(const sobol32 *)
{
    return 32;
}
__host__ __device__ unsigned words(const sobol64 *)
{
    return 64;
}

/* What becomes of the next number. */
template <class State, curand_kind KIND> struct number;
#define NUMBER(KIND, TYPE, expression)                                                                       \
    template <class State> struct number<State, KIND> {                                                      \
        typedef TYPE type;                                                                                   \
        static __host__ __device__ TYPE draw(State *state, const order &what)                                \
        {                                                                                                    \
            (void)what;                                                                                      \
            return expression;                                                                               \
        }                                                                                                    \
    }
NUMBER(KIND_BITS, unsigned, (unsigned)curand(state));
NUMBER(KIND_LONG_BITS, unsigned long long, curand(state));
NUMBER(KIND_UNIFORM, float, curand_uniform(state));
NUMBER(KIND_UNIFORM_DOUBLE, double, curand_uniform_double(state));
NUMBER(KIND_NORMAL, float, (float)what.mean + (float)what.stddev * curand_normal(state));
NUMBER(KIND_NORMAL_DOUBLE, double, what.mean + what.stddev * curand_normal_double(state));
NUMBER(KIND_LOG_NORMAL, float, curand_log_normal(state, (float)what.mean, (float)what.stddev));
NUMBER(KIND_LOG_NORMAL_DOUBLE, double, curand_log_normal_double(state, what.mean, what.stddev));
NUMBER(KIND_POISSON, unsigned, random_library::poisson_number(what, umsim::unit_double(curand(state))));

/* The numbers of a dimension from `first` on, CHUNK of them at most. */
template <class State, curand_kind KIND>
__host__ __device__ void fill_chunk(decltype(State::__x) *vectors, unsigned dimension, size_t first,
                                    size_t of_dimension, unsigned long long offset, const order &what)
{
    typedef typename number<State, KIND>::type type;
    State state;
    curand_init(vectors + (size_t)dimension * words(&state), (decltype(State::__x))(offset + first), &state);
    type *out = (type *)what.out + dimension * of_dimension;
    for (size_t i = first; i < of_dimension && i < first + CHUNK; i++)
        out[i] = number<State, KIND>::draw(&state, what);
}

template <class State, curand_kind KIND>
__global__ void fill(decltype(State::__x) *vectors, unsigned chunks, unsigned dimensions, size_t of_dimension,
                     unsigned long long offset, order what)
{
    const size_t index = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (index < (size_t)chunks * dimensions)
        fill_chunk<State, KIND>(vectors, (unsigned)(index / chunks), index % chunks * CHUNK, of_dimension,
                                offset, what);
}

template <class State, curand_kind KIND> curandStatus_t run(curandGenerator_st *generator, const order &what)
{
    if (what.n % generator->dimensions != 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    auto *vectors = (decltype(State::__x) *)generator->states;
    const size_t of_dimension = what.n / generator->dimensions;
    const unsigned chunks = (unsigned)((of_dimension + CHUNK - 1) / CHUNK);
    const unsigned long long offset = generator->offset;
    generator->offset += of_dimension;
    if (!generator->on_host) {
        const size_t blocks = ((size_t)chunks * generator->dimensions + 7) / 8;
        random_library::stands_for(what, sizeof(typename number<State, KIND>::type), what.n / 16, 6);
        fill<State, KIND><<<(unsigned)blocks, 8, 0, generator->stream>>>(
            vectors, chunks, generator->dimensions, of_dimension, offset, what);
        return random_library::launched();
    }
    for (unsigned dimension = 0; dimension < generator->dimensions; dimension++)
        for (unsigned chunk = 0; chunk < chunks; chunk++)
            fill_chunk<State, KIND>(vectors, dimension, (size_t)chunk * CHUNK, of_dimension, offset, what);
    return CURAND_STATUS_SUCCESS;
}

template <class State>
curandStatus_t run_kind(curandGenerator_st *generator, curand_kind kind, const order &what)
{
    switch (kind) {
    case KIND_BITS:
        return run<State, KIND_BITS>(generator, what);
    case KIND_LONG_BITS:
        return run<State, KIND_LONG_BITS>(generator, what);
    case KIND_UNIFORM:
        return run<State, KIND_UNIFORM>(generator, what);
    case KIND_UNIFORM_DOUBLE:
        return run<State, KIND_UNIFORM_DOUBLE>(generator, what);
    case KIND_NORMAL:
        return run<State, KIND_NORMAL>(generator, what);
    case KIND_NORMAL_DOUBLE:
        return run<State, KIND_NORMAL_DOUBLE>(generator, what);
    case KIND_LOG_NORMAL:
        return run<State, KIND_LOG_NORMAL>(generator, what);
    case KIND_LOG_NORMAL_DOUBLE:
        return run<State, KIND_LOG_NORMAL_DOUBLE>(generator, what);
    default:
        return run<State, KIND_POISSON>(generator, what);
    }
}

} // namespace

curandStatus_t random_library::make_quasi(curandGenerator_st *generator)
{
    const bool wide = is_of_64_bits(generator->type);
    const void *table = wide ? (const void *)sobol_vectors64() : (const void *)sobol_vectors32();
    const size_t bytes = generator->dimensions *
                         (wide ? sizeof(curandDirectionVectors64_t) : sizeof(curandDirectionVectors32_t));
    release(generator->on_host, generator->states);
    generator->states = table ? allocate(generator->on_host, bytes) : nullptr;
    if (!generator->states)
        return CURAND_STATUS_ALLOCATION_FAILED;
    if (generator->on_host)
        memcpy(generator->states, table, bytes);
    else if (cudaMemcpy(generator->states, table, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
        return CURAND_STATUS_LAUNCH_FAILURE;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t random_library::fill_quasi(curandGenerator_st *generator, curand_kind kind, const order &what)
{
    return is_of_64_bits(generator->type) ? run_kind<sobol64>(generator, kind, what)
                                          : run_kind<sobol32>(generator, kind, what);
}
