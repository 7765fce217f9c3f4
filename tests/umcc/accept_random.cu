/*
 * cuRAND's device side: XORWOW, Philox and MRG32k3a give cuRAND 13.0's numbers, from any seed, sequence and
 * place in it. On a GPU the same program says whether they are.
 */
#include "check.h"
#include <cmath>
#include <curand_kernel.h>

struct drawn {
    unsigned bits[5];
    float uniform, normal[2];
    double uniform_double, normal_double;
};

template <class State> __device__ void draw(State *state, drawn *d)
{
    d->bits[0] = curand(state);
    d->bits[1] = curand(state);
    d->uniform = curand_uniform(state);
    d->uniform_double = curand_uniform_double(state);
    d->normal[0] = curand_normal(state);
    d->normal[1] = curand_normal(state);
    d->normal_double = curand_normal_double(state);
    skipahead(123456789, state);
    skipahead_sequence(1ull << 40, state);
    d->bits[2] = curand(state);
}

__global__ void draw_all(drawn *d)
{
    curandState xorwow;
    curand_init(1234, 1000003, 7, &xorwow);
    draw(&xorwow, &d[0]);
    curandStatePhilox4_32_10_t philox;
    curand_init(1234, 1000003, 7, &philox);
    draw(&philox, &d[1]);
    const uint4 four = curand4(&philox);
    d[1].bits[3] = four.x;
    d[1].bits[4] = four.w;
    curandStateMRG32k3a_t mrg;
    curand_init(1234, 1000003, 7, &mrg);
    draw(&mrg, &d[2]);
    skipahead_subsequence(1ull << 40, &mrg);
    d[2].bits[3] = curand(&mrg);
    d[2].bits[4] = curand_poisson(&mrg, 20.0);
}

/* pi by the share of random points that lie in a circle; states are kept from one kernel to the next. */
__global__ void seed_all(curandState_t *states)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(2019, i, 0, &states[i]);
}
__global__ void throw_points(curandState_t *states, unsigned *inside, int points)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState_t mine = states[i];
    unsigned count = 0;
    for (int k = 0; k < points; k++) {
        const float x = curand_uniform(&mine), y = curand_uniform(&mine);
        count += x * x + y * y <= 1.0f;
    }
    states[i] = mine;
    atomicAdd(inside, count);
}

static bool near(double a, double b)
{
    return std::fabs(a - b) <= 1e-5 * std::fabs(b);
}

static void check_drawn(const drawn &d, const drawn &expected, int integers)
{
    for (int i = 0; i < integers; i++)
        CHECK(d.bits[i] == expected.bits[i]);
    CHECK(d.uniform == expected.uniform);
    CHECK(d.uniform_double == expected.uniform_double);
    CHECK(near(d.normal[0], expected.normal[0]) && near(d.normal[1], expected.normal[1]));
    CHECK(near(d.normal_double, expected.normal_double));
}

int main()
{
    drawn *d = make_managed<drawn>(3);
    draw_all<<<1, 1>>>(d);
    SYNC();
    check_drawn(d[0],
                {{3821576520, 214167980, 2421771865},
                 0.700665891f,
                 {-1.47390699f, -0.607986212f},
                 0.14844111316084713,
                 0.31469586542089067},
                3);
    check_drawn(d[1],
                {{2642715788, 4203182764, 2568474033, 4221706867, 2221083028},
                 0.988502741f,
                 {1.38539767f, -0.264554143f},
                 0.46995039889588952,
                 -0.74482357212501082},
                5);
    check_drawn(d[2],
                {{2323626967, 2025248477, 1048115604, 2094552779, 17},
                 0.479972184f,
                 {-1.224491f, -0.547703326f},
                 0.95181247776579303,
                 0.72027469111224729},
                5);

    const int threads = 1024, points = 200;
    curandState_t *states;
    CHECK(cudaMalloc(&states, threads * sizeof *states) == cudaSuccess);
    unsigned *inside = make_managed<unsigned>(1);
    seed_all<<<threads / 128, 128>>>(states);
    throw_points<<<threads / 128, 128>>>(states, inside, points);
    throw_points<<<threads / 128, 128>>>(states, inside, points);
    SYNC();
    CHECK(std::fabs(4.0 * *inside / (2.0 * threads * points) - M_PI) < 0.01);
    return finish();
}
