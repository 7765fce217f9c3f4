// Pi by Thrust: points of a random engine for each thread, and complex numbers' squares (Mandelbrot).
#include <thrust/complex.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/universal_vector.h>

#include "common.h"

#include <random>

struct points {
    __host__ __device__ int operator()(unsigned thread) const
    {
        thrust::default_random_engine engine;
        thrust::uniform_real_distribution<float> uniform(-1, 1);
        engine.discard(2000 * thread);
        int inside = 0;
        for (int i = 0; i < 1000; i++) {
            const float x = uniform(engine), y = uniform(engine);
            inside += x * x + y * y < 1;
        }
        return inside;
    }
};

struct stays {
    __host__ __device__ bool operator()(int i) const
    {
        const thrust::complex<float> c(-2 + i % 64 * (3 / 64.0f), -1.5f + i / 64 * (3 / 64.0f));
        thrust::complex<float> z = 0;
        for (int step = 0; step < 50 && thrust::norm(z) < 4; step++)
            z = z * z + c;
        return thrust::abs(z) < 2;
    }
};

struct die {
    __host__ __device__ int operator()(int i) const
    {
        thrust::minstd_rand engine(12);
        thrust::uniform_int_distribution<int> uniform(1, 6);
        engine.discard(i);
        return uniform(engine);
    }
};

int main()
{
    int errors = 0;
    const thrust::counting_iterator<int> first(0);

    thrust::minstd_rand ours(12);
    std::minstd_rand theirs(12);
    ours.discard(100000);
    theirs.discard(100000);
    for (int i = 0; i < 100; i++)
        errors += ours() != theirs();

    const int inside = thrust::transform_reduce(first, first + 300, points(), 0, thrust::plus<int>());
    const double pi = 4.0 * inside / 300e3;
    errors += pi < 3.13 || pi > 3.15;

    int on_host = 0;
    for (int i = 0; i < 64 * 64; i++)
        on_host += stays()(i);
    const int on_device = (int)thrust::count_if(first, first + 64 * 64, stays());
    errors += on_host < 100 || abs(on_device - on_host) > 4; /* roundings may differ at the set's edge */

    thrust::universal_vector<int> thrown(6000);
    thrust::transform(first, first + 6000, thrown.begin(), die());
    for (int face = 1; face <= 6; face++) {
        const long times = thrust::count(thrown.begin(), thrown.end(), face);
        errors += times < 850 || times > 1150;
    }
    thrust::sort(thrown.begin(), thrown.end());
    errors += thrown[0] != 1 || thrown[5999] != 6;
    printf("pi is about %g, %d points of 4096 stay; %d errors\n", pi, on_device, errors);
    return errors != 0;
}
