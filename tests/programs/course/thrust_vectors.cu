// Thrust's vectors, copies, transformations and reductions, on sizes from 0 to 100,000, beside the C++
// library's.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include "common.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <sstream>

static int errors;

#define EXPECT(what)                                                                                         \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            printf("line %d, %d elements: %s is false\n", __LINE__, n, #what);                               \
            errors++;                                                                                        \
        }                                                                                                    \
    } while (0)

struct saxpy {
    const float a;
    saxpy(float a_) : a(a_)
    {
    }
    __host__ __device__ float operator()(const float &x, const float &y) const
    {
        return a * x + y;
    }
};

struct squared {
    __host__ __device__ long operator()(int x) const
    {
        return (long)x * x;
    }
};

struct remainder_of {
    int divisor;
    __host__ __device__ long operator()(int x) const
    {
        return x % divisor;
    }
};

struct is_odd {
    __host__ __device__ bool operator()(int x) const
    {
        return x % 2 != 0;
    }
};

struct five {
    __host__ __device__ int operator()() const
    {
        return 5;
    }
};

__global__ void twice(int *p, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= 2;
}

static void elements()
{
    const int n = 4;
    thrust::host_vector<int> h(4);
    h[0] = 14;
    h[1] = 20;
    h[2] = 38;
    h[3] = 46;
    thrust::device_vector<int> d = h;
    h.resize(2);
    EXPECT(h.size() == 2 && d.size() == 4);
    d[0] = 99;
    d[1] = d[2];
    d[3] += 4;
    EXPECT(d[0] == 99 && d[1] == 38 && d.back() == 50 && d[0] + d[1] == 137);
    d.push_back(7);
    d.resize(8, 3);
    EXPECT(d.size() == 8 && d[3] == 50 && d[4] == 7 && d[7] == 3);
    d.erase(d.begin() + 1, d.begin() + 3);
    d.insert(d.begin() + 1, 11);
    const int expected[] = {99, 11, 50, 7, 3, 3, 3};
    EXPECT(d.size() == 7 && std::equal(expected, expected + 7, thrust::host_vector<int>(d).begin()));
    std::ostringstream text;
    thrust::copy(d.begin(), d.end(), std::ostream_iterator<int>(text, " "));
    EXPECT(text.str() == "99 11 50 7 3 3 3 ");
    thrust::device_vector<double> wide(d.begin(), d.end());
    EXPECT(wide.size() == 7 && wide[2] == 50.0);
    thrust::device_vector<int> other = d;
    EXPECT(other == d);
    other[6] = 4;
    EXPECT(other != d);
}

static void transforms(int n)
{
    std::vector<int> reference(n);
    std::iota(reference.begin(), reference.end(), -3);
    thrust::device_vector<int> d(n);
    thrust::sequence(d.begin(), d.end(), -3);
    EXPECT(thrust::host_vector<int>(d) == thrust::host_vector<int>(reference));

    thrust::device_vector<float> x(n, 1.5f), y(n);
    thrust::fill(y.begin(), y.end(), 2.0f);
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy(3));
    EXPECT(thrust::count(y.begin(), y.end(), 6.5f) == n);
    thrust::transform(thrust::device, x.begin(), x.end(), y.begin(), x.begin(), thrust::plus<float>());
    EXPECT(thrust::reduce(x.begin(), x.end()) == 8.0f * n);
    using namespace thrust::placeholders;
    thrust::transform(x.begin(), x.end(), y.begin(), x.begin(), 2 * _1 + _2);
    EXPECT(thrust::reduce(x.begin(), x.end()) == 22.5f * n);

    int *const p = thrust::raw_pointer_cast(d.data());
    twice<<<n / 256 + 1, 256>>>(p, n);
    for (int &r : reference)
        r *= 2;
    std::vector<int> back(n);
    thrust::copy(d.begin(), d.end(), back.begin());
    EXPECT(back == reference);

    thrust::for_each(d.begin(), d.end(), [] __device__(int &v) { v /= 2; });
    thrust::for_each(thrust::device, p, p + n, [] __device__(int &v) { v += 3; });
    thrust::device_ptr<int> q = thrust::device_pointer_cast(p);
    EXPECT(thrust::reduce(q, q + n, 0L) == (long)n * (n - 1) / 2);
    thrust::generate(d.begin(), d.end(), five());
    EXPECT(thrust::count(thrust::device, p, p + n, 5) == n);
}

static void reductions(int n)
{
    thrust::host_vector<int> h(n);
    unsigned seed = 1;
    for (int i = 0; i < n; i++)
        h[i] = (int)((seed = seed * 1664525 + 1013904223) >> 12) % 100003;
    thrust::device_vector<int> d = h;
    EXPECT(thrust::reduce(d.begin(), d.end(), 0L, thrust::plus<long>()) ==
           std::accumulate(h.begin(), h.end(), 0L));
    EXPECT(thrust::reduce(h.begin(), h.end(), 0L) == std::accumulate(h.begin(), h.end(), 0L));
    EXPECT(thrust::reduce(d.begin(), d.end(), -1, thrust::maximum<int>()) ==
           (n == 0 ? -1 : *std::max_element(h.begin(), h.end())));
    EXPECT(thrust::transform_reduce(d.begin(), d.end(), squared(), 5L, thrust::plus<long>()) ==
           std::inner_product(h.begin(), h.end(), h.begin(), 5L, std::plus<long>(), std::multiplies<long>()));
    thrust::device_vector<long> small(n);
    thrust::transform(d.begin(), d.end(), small.begin(), remainder_of{100});
    const thrust::host_vector<long> there = small;
    EXPECT(thrust::inner_product(small.begin(), small.end(), small.begin(), 1L) ==
           std::inner_product(there.begin(), there.end(), there.begin(), 1L));
    EXPECT(thrust::count_if(d.begin(), d.end(), is_odd()) == std::count_if(h.begin(), h.end(), is_odd()));
    EXPECT(thrust::min_element(d.begin(), d.end()) - d.begin() ==
           std::min_element(h.begin(), h.end()) - h.begin());
    EXPECT(n == 0 || *thrust::max_element(d.begin(), d.end()) == *std::max_element(h.begin(), h.end()));
}

int main()
{
    elements();
    for (const int n : {0, 1, 777, 100000}) {
        transforms(n);
        reductions(n);
    }
    printf("%d errors\n", errors);
    return errors != 0;
}
