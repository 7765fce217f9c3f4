/**
 * @file pseudo.cu
 * @brief Fills arrays with pseudo-random numbers: XORWOW, MRG32k3a and Philox.
 *
 * The engine runs a kernel's threads as a loop. So each thread here has LANES sequences that are neighbours,
 * and takes one unit from each in turn: results that lie one after another.
 */
#include "generator.h"

#include <cstring>

namespace
{
using random_library::order;

enum { LANES = 64 };

/* ---- what a unit is: its type, its size, and how it is drawn ---- */
template <class State> struct bits {
    typedef unsigned type;
    enum { SIZE = 1 };
    static __host__ __device__ void draw(State *state, const order &, type *out)
    {
        *out = curand(state);
    }
};
template <class State> struct uniform {
    typedef float type;
    enum { SIZE = 1 };
    static __host__ __device__ void draw(State *state, const order &, type *out)
    {
        *out = curand_uniform(state);
    }
};
template <class State> struct uniform_double {
    typedef double type;
    enum { SIZE = 1 };
    static __host__ __device__ void draw(State *state, const order &, type *out)
    {
        *out = curand_uniform_double(state);
    }
};
template <class State> struct poisson {
    typedef unsigned type;
    enum { SIZE = 1 };
    static __host__ __device__ void draw(State *state, const order &what, type *out)
    {
        *out = random_library::poisson_number(what, umsim::unit_double(curand(state)));
    }
};
template <class State> struct normal {
    typedef float type;
    enum { SIZE = 2 };
    static __host__ __device__ void draw(State *state, const order &what, type *out)
    {
        const float2 pair = curand_normal2(state);
        out[0] = (float)what.mean + (float)what.stddev * pair.x;
        out[1] = (float)what.mean + (float)what.stddev * pair.y;
    }
};
template <class State> struct normal_double {
    typedef double type;
    enum { SIZE = 2 };
    static __host__ __device__ void draw(State *state, const order &what, type *out)
    {
        const double2 pair = curand_normal2_double(state);
        out[0] = what.mean + what.stddev * pair.x;
        out[1] = what.mean + what.stddev * pair.y;
    }
};

/* Philox gives four numbers at once. */
typedef curandStatePhilox4_32_10_t philox;
template <> struct bits<philox> {
    typedef unsigned type;
    enum { SIZE = 4 };
    static __host__ __device__ void draw(philox *state, const order &, type *out)
    {
        const uint4 four = curand4(state);
        out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
    }
};
template <> struct uniform<philox> {
    typedef float type;
    enum { SIZE = 4 };
    static __host__ __device__ void draw(philox *state, const order &, type *out)
    {
        const float4 four = curand_uniform4(state);
        out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
    }
};
template <> struct uniform_double<philox> {
    typedef double type;
    enum { SIZE = 4 };
    static __host__ __device__ void draw(philox *state, const order &, type *out)
    {
        const double4 four = curand_uniform4_double(state);
        out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
    }
};
template <> struct poisson<philox> {
    typedef unsigned type;
    enum { SIZE = 4 };
    static __host__ __device__ void draw(philox *state, const order &what, type *out)
    {
        bits<philox>::draw(state, what, out);
        for (int i = 0; i < SIZE; i++)
            out[i] = random_library::poisson_number(what, umsim::unit_double(out[i]));
    }
};
template <> struct normal<philox> {
    typedef float type;
    enum { SIZE = 4 };
    static __host__ __device__ void draw(philox *state, const order &what, type *out)
    {
        const float4 four = curand_normal4(state);
        out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
        for (int i = 0; i < SIZE; i++)
            out[i] = (float)what.mean + (float)what.stddev * out[i];
    }
};
template <> struct normal_double<philox> {
    typedef double type;
    enum { SIZE = 4 };
    static __host__ __device__ void draw(philox *state, const order &what, type *out)
    {
        const double4 four = curand_normal4_double(state);
        out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
        for (int i = 0; i < SIZE; i++)
            out[i] = what.mean + what.stddev * out[i];
    }
};
template <class State> struct log_normal : normal<State> {
    static __host__ __device__ void draw(State *state, const order &what, float *out)
    {
        normal<State>::draw(state, what, out);
        for (int i = 0; i < normal<State>::SIZE; i++)
            out[i] = expf(out[i]);
    }
};
template <class State> struct log_normal_double : normal_double<State> {
    static __host__ __device__ void draw(State *state, const order &what, double *out)
    {
        normal_double<State>::draw(state, what, out);
        for (int i = 0; i < normal_double<State>::SIZE; i++)
            out[i] = exp(out[i]);
    }
};

/* ---- where the results of a call lie ---- */
struct place {
    unsigned sequences;
    size_t first; /* of the units' results, where the array begins */
};

template <class State, template <class> class Kind>
__host__ __device__ void fill_lanes(State *states, unsigned begin, place at, const order &what)
{
    typedef typename Kind<State>::type number;
    enum { SIZE = Kind<State>::SIZE };
    const size_t end = at.first + what.n;
    number *array = (number *)what.out - at.first;
    State mine[LANES];
    for (int lane = 0; lane < LANES; lane++)
        mine[lane] = states[begin + lane];
    for (size_t row = begin; row * SIZE < end; row += at.sequences)
        for (int lane = 0; lane < LANES; lane++) {
            const size_t from = (row + lane) * SIZE;
            if (from >= end || from + SIZE <= at.first)
                continue;
            number unit[SIZE];
            State next = mine[lane];
            Kind<State>::draw(&next, what, unit);
            for (int i = 0; i < SIZE; i++)
                if (from + i >= at.first && from + i < end)
                    array[from + i] = unit[i];
            if (from + SIZE <= end) /* else the next call takes the rest of this unit */
                mine[lane] = next;
        }
    for (int lane = 0; lane < LANES; lane++)
        states[begin + lane] = mine[lane];
}

template <class State, template <class> class Kind> __global__ void fill(State *states, place at, order what)
{
    const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * LANES;
    if (begin < at.sequences)
        fill_lanes<State, Kind>(states, begin, at, what);
}

/* Where all sequences begin. */
struct start {
    unsigned sequences;
    bool seeded; /* they are not parts of one, but have seeds of their own */
    unsigned long long seed, offset;
};

/* How far apart the seeds are: found from what NVIDIA's library gives. */
constexpr unsigned long long seed_step = 0x2fd111;

/* Sequence `index` from unit `at.offset` of them all on. */
template <class State> __host__ __device__ void begin_sequence(State *state, unsigned index, const start &at)
{
    curand_init(at.seeded ? at.seed + index * seed_step : at.seed, at.seeded ? 0 : index,
                at.offset / at.sequences + (index < at.offset % at.sequences), state);
}
__host__ __device__ void begin_sequence(philox *state, unsigned index, const start &at)
{
    const unsigned long long offset = at.offset / 4;
    curand_init(at.seed, index, 4 * (offset / at.sequences + (index < offset % at.sequences)), state);
}

template <class State> __global__ void begin(State *states, start at)
{
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < at.sequences)
        begin_sequence(states + index, index, at);
}

template <class State> curandStatus_t begin_all(curandGenerator_st *generator)
{
    const unsigned count = random_library::sequences(generator);
    if (!generator->states)
        generator->states = random_library::allocate(generator->on_host, count * sizeof(State));
    if (!generator->states)
        return CURAND_STATUS_ALLOCATION_FAILED;
    State *states = (State *)generator->states;
    const start at = {count, generator->ordering == CURAND_ORDERING_PSEUDO_SEEDED, generator->seed,
                      generator->offset};
    if (!generator->on_host) {
        begin<State><<<count / 256, 256, 0, generator->stream>>>(states, at);
        return random_library::launched();
    }
    for (unsigned i = 0; i < count; i++)
        begin_sequence(states + i, i, at);
    return CURAND_STATUS_SUCCESS;
}

/* Sums and products of one number; Box and Muller's add three functions and three products to two. */
uint64_t operations(const curandStateXORWOW_t *, int size)
{
    return 14 + (size == 2 ? 14 : 0);
}
uint64_t operations(const curandStateMRG32k3a_t *, int size)
{
    return 20 + (size == 2 ? 14 : 0);
}
uint64_t operations(const philox *, int)
{
    return 30;
}

/* How many fours end among `n` numbers from `first` on. */
unsigned long long units_of_four(unsigned long long first, unsigned long long n)
{
    return (first + n) / 4 - first / 4;
}

template <class State, template <class> class Kind>
curandStatus_t run(curandGenerator_st *generator, const order &what)
{
    /* An offset is one of Philox's numbers, and of the others' units. */
    enum { SIZE = Kind<State>::SIZE, OF_OFFSET = SIZE == 4 ? 1 : SIZE };
    const unsigned count = random_library::sequences(generator);
    const unsigned long long period = (unsigned long long)count * (SIZE == 4 ? 4 : 1);
    const place at = {count, (size_t)(generator->place % period * OF_OFFSET)};
    if (what.n % OF_OFFSET != 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    const unsigned long long units = what.n / OF_OFFSET, fours = units_of_four(generator->place, units);
    generator->place += units;
    /* With another seed, NVIDIA's library goes on at a place that for Philox counts whole fours as one. */
    generator->offset += SIZE == 4 && fours ? fours : units;
    State *states = (State *)generator->states;
    if (!generator->on_host) {
        random_library::stands_for(what, sizeof(typename Kind<State>::type), count, operations(states, SIZE));
        fill<State, Kind><<<(count / LANES + 7) / 8, 8, 0, generator->stream>>>(states, at, what);
        return random_library::launched();
    }
    for (unsigned first = 0; first < count; first += LANES)
        fill_lanes<State, Kind>(states, first, at, what);
    return CURAND_STATUS_SUCCESS;
}

template <class State>
curandStatus_t run_kind(curandGenerator_st *generator, curand_kind kind, const order &what)
{
    switch (kind) {
    case KIND_BITS:
        return run<State, bits>(generator, what);
    case KIND_UNIFORM:
        return run<State, uniform>(generator, what);
    case KIND_UNIFORM_DOUBLE:
        return run<State, uniform_double>(generator, what);
    case KIND_NORMAL:
        return run<State, normal>(generator, what);
    case KIND_NORMAL_DOUBLE:
        return run<State, normal_double>(generator, what);
    case KIND_LOG_NORMAL:
        return run<State, log_normal>(generator, what);
    case KIND_LOG_NORMAL_DOUBLE:
        return run<State, log_normal_double>(generator, what);
    case KIND_POISSON:
        return run<State, poisson>(generator, what);
    default:
        return CURAND_STATUS_TYPE_ERROR;
    }
}

} // namespace

unsigned random_library::sequences(const curandGenerator_st *generator)
{
    if (generator->type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
        return 65536;
    const bool few =
        generator->type == CURAND_RNG_PSEUDO_XORWOW || generator->ordering == CURAND_ORDERING_PSEUDO_LEGACY;
    return few ? 4096 : 81920;
}

curandStatus_t random_library::make_pseudo(curandGenerator_st *generator)
{
    switch (generator->type) {
    case CURAND_RNG_PSEUDO_XORWOW:
        return begin_all<curandStateXORWOW_t>(generator);
    case CURAND_RNG_PSEUDO_MRG32K3A:
        return begin_all<curandStateMRG32k3a_t>(generator);
    default:
        return begin_all<philox>(generator);
    }
}

curandStatus_t random_library::fill_pseudo(curandGenerator_st *generator, curand_kind kind, const order &what)
{
    switch (generator->type) {
    case CURAND_RNG_PSEUDO_XORWOW:
        return run_kind<curandStateXORWOW_t>(generator, kind, what);
    case CURAND_RNG_PSEUDO_MRG32K3A:
        return run_kind<curandStateMRG32k3a_t>(generator, kind, what);
    default:
        return run_kind<philox>(generator, kind, what);
    }
}
