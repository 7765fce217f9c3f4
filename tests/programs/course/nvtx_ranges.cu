/* Ranges of NVTX in C++ around kernels: what a profiler would show. The sums are checked; the ranges change
 * nothing. */
#include "common.h"
#include <nvtx3/nvtx3.hpp>

struct my_domain {
    static constexpr char const *name = "sums";
};
struct my_message {
    static constexpr char const *message = "registered";
};
struct my_category {
    static constexpr char const *name = "kernels";
    static constexpr unsigned id = 7;
};

__global__ void add(const float *a, float *b, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] += a[i];
}

static void run(const float *a, float *b, int n)
{
    NVTX3_FUNC_RANGE();
    nvtx3::event_attributes attributes{nvtx3::message{"add"}, nvtx3::rgb{0, 255, 0}, nvtx3::payload{n},
                                       nvtx3::category{3}};
    nvtx3::scoped_range range{attributes};
    add<<<blocks_for(n, 256), 256>>>(a, b, n);
    CHECK_KERNEL();
}

int main()
{
    const int n = 1000;
    float *a, *b;
    CHECK(cudaMallocManaged(&a, n * sizeof(float)));
    CHECK(cudaMallocManaged(&b, n * sizeof(float)));
    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 1;
    }
    nvtx3::scoped_range whole{"whole"};
    nvtx3::mark("begin");
    run(a, b, n);
    {
        nvtx3::scoped_range_in<my_domain> mine{nvtx3::registered_string_in<my_domain>::get<my_message>(),
                                               nvtx3::named_category_in<my_domain>::get<my_category>()};
        const nvtx3::range_handle handle = nvtx3::start_range("by hand");
        run(a, b, n);
        nvtx3::end_range(handle);
        nvtx3::unique_range other{"unique"};
        nvtx3::unique_range moved{std::move(other)};
    }
    bool right = true;
    for (int i = 0; i < n; i++)
        right &= b[i] == 1 + 2.0f * i;
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    printf("Test %s\n", right ? "PASSED" : "FAILED");
    return right ? 0 : 1;
}
