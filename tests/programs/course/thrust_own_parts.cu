// Thrust with parts of one's own: allocators, iterators, functions behind an output, engines, shuffles.
#include <thrust/allocate_unique.h>
#include <thrust/device_allocator.h>
#include <thrust/device_free.h>
#include <thrust/device_make_unique.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/iterator_adaptor.h>
#include <thrust/iterator/iterator_facade.h>
#include <thrust/iterator/offset_iterator.h>
#include <thrust/iterator/retag.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_input_output_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/device_memory_resource.h>
#include <thrust/mr/new.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/cuda/memory.h>
#include <thrust/system/cuda/vector.h>
#include <thrust/transform.h>
#include <thrust/uninitialized_copy.h>
#include <thrust/uninitialized_fill.h>

#include "common.h"

#include <algorithm>
#include <numeric>
#include <random>

static bool good = true;

static void check(const char *what, bool holds)
{
    if (!holds)
        printf("%s is wrong\n", what);
    good = good && holds;
}

// Counts what it gives and takes; the elements stay on the device.
static long given, taken;
template <class T> struct Counting : thrust::device_allocator<T> {
    using base = thrust::device_allocator<T>;
    using pointer = typename base::pointer;
    template <class U> struct rebind {
        using other = Counting<U>;
    };
    Counting() = default;
    template <class U> Counting(const Counting<U> &)
    {
    }
    pointer allocate(size_t n)
    {
        given += (long)(n * sizeof(T));
        return base::allocate(n);
    }
    void deallocate(pointer p, size_t n)
    {
        taken += (long)(n * sizeof(T));
        base::deallocate(p, n);
    }
};

static void test_allocators()
{
    {
        thrust::device_vector<int, Counting<int>> v(1000, 3), w;
        w = v;
        v.resize(3000, 1);
        check("a vector's sum", thrust::reduce(v.begin(), v.end()) == 5000);
        check("a copy's sum", thrust::reduce(w.begin(), w.end()) == 3000);
        thrust::host_vector<int> h(v.begin(), v.end());
        check("an element", h[999] == 3 && h[1000] == 1 && v[2999] == 1);
        check("bytes that are in use", given - taken >= 16000);
    }
    check("bytes that came back", given == taken && given > 0);
    using Pinned =
        thrust::mr::stateless_resource_allocator<int, thrust::universal_host_pinned_memory_resource>;
    thrust::host_vector<int, Pinned> pinned(100, 7);
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, thrust::raw_pointer_cast(pinned.data())));
    check("pinned memory", attributes.type == cudaMemoryTypeHost);
    thrust::mr::new_delete_resource operator_new;
    thrust::mr::allocator<int, thrust::mr::new_delete_resource> from_new(&operator_new);
    thrust::host_vector<int, decltype(from_new)> plain(10, from_new);
    plain[3] = 4;
    check("memory of new", std::accumulate(plain.begin(), plain.end(), 0) == 4);
    auto one = thrust::device_make_unique<int>(42);
    int back = 0;
    CHECK(cudaMemcpy(&back, thrust::raw_pointer_cast(one.get()), sizeof back, cudaMemcpyDeviceToHost));
    check("an object of the device's", back == 42);
    auto here = thrust::allocate_unique<int>(std::allocator<int>(), 9);
    check("an object of the host's", *here == 9);
    thrust::cuda::vector<int> there(5, 2);
    check("a vector of cuda's", thrust::reduce(there.begin(), there.end()) == 10);
    thrust::device_ptr<int> raw = thrust::device_malloc<int>(100);
    thrust::uninitialized_fill(raw, raw + 50, 3);
    thrust::uninitialized_copy(raw, raw + 50, raw + 50);
    check("what was constructed", thrust::reduce(raw, raw + 100) == 300);
    thrust::device_free(raw);
}

// Each element of another iterator several times.
template <class Iterator> class Repeated : public thrust::iterator_adaptor<Repeated<Iterator>, Iterator>
{
  public:
    using super_t = thrust::iterator_adaptor<Repeated<Iterator>, Iterator>;
    __host__ __device__ Repeated(const Iterator &x, int n) : super_t(x), first(x), times(n)
    {
    }
    friend class thrust::iterator_core_access;

  private:
    Iterator first;
    unsigned times;
    __host__ __device__ typename super_t::reference dereference() const
    {
        return *(first + (this->base() - first) / times);
    }
};

// The odd numbers.
class Odds : public thrust::iterator_facade<Odds, long, thrust::any_system_tag,
                                            thrust::random_access_traversal_tag, long, std::ptrdiff_t>
{
  public:
    __host__ __device__ explicit Odds(long from = 0) : place(from)
    {
    }
    friend class thrust::iterator_core_access;

  private:
    long place;
    __host__ __device__ long dereference() const
    {
        return 2 * place + 1;
    }
    __host__ __device__ bool equal(const Odds &other) const
    {
        return place == other.place;
    }
    __host__ __device__ void increment()
    {
        place++;
    }
    __host__ __device__ void decrement()
    {
        place--;
    }
    __host__ __device__ void advance(std::ptrdiff_t n)
    {
        place += n;
    }
    __host__ __device__ std::ptrdiff_t distance_to(const Odds &other) const
    {
        return other.place - place;
    }
};

struct Half {
    __host__ __device__ int operator()(int x) const
    {
        return x / 2;
    }
};
struct Twice {
    __host__ __device__ int operator()(int x) const
    {
        return 2 * x;
    }
};
struct Scatter {
    int *to;
    __host__ __device__ void operator()(std::ptrdiff_t i, int value) const
    {
        to[9 - i] = value;
    }
};

static void test_iterators()
{
    thrust::device_vector<int> v(10), out(30);
    thrust::sequence(v.begin(), v.end());
    using Device = thrust::device_vector<int>::iterator;
    const Repeated<Device> three(v.begin(), 3);
    thrust::copy(three, three + 30, out.begin());
    thrust::host_vector<int> h = out;
    bool repeated = true;
    for (int i = 0; i < 30; i++)
        repeated = repeated && h[i] == i / 3;
    check("repeated elements", repeated);
    check("a facade's sum", thrust::reduce(Odds(0), Odds(100)) == 10000);
    thrust::copy(v.begin(), v.end(), thrust::make_transform_output_iterator(out.begin(), Twice()));
    h = out;
    check("a function behind an output", h[0] == 0 && h[9] == 18);
    auto both = thrust::make_transform_input_output_iterator(out.begin(), Half(), Twice());
    check("a function before an input", thrust::reduce(both, both + 10) == 45);
    thrust::sequence(both, both + 10, 5);
    h = out;
    check("functions on both sides", h[0] == 10 && h[9] == 28);
    thrust::copy(v.begin(), v.end(),
                 thrust::make_tabulate_output_iterator(Scatter{thrust::raw_pointer_cast(out.data())}));
    h = out;
    check("a function of place and value", h[0] == 9 && h[9] == 0);
    thrust::offset_iterator<Device> later(v.begin(), 4);
    check("an offset", thrust::reduce(later, later + 6) == 39);
    auto tagged = thrust::reinterpret_tag<thrust::device_system_tag>(thrust::raw_pointer_cast(v.data()));
    check("a tag", thrust::reduce(tagged, tagged + 10) == 45);
    std::vector<int> here(10, 2);
    check("the host's system", thrust::reduce(thrust::cpp::par, here.begin(), here.end()) == 20);
}

template <class Engine> static typename Engine::result_type number(int n)
{
    Engine engine;
    for (int i = 1; i < n; i++)
        engine();
    return engine();
}

// The numbers that Thrust's manual states, and those of the C++ library where the engines are the same.
static void test_random()
{
    check("taus88", number<thrust::random::taus88>(10000) == 3535848941u);
    check("ranlux24_base", number<thrust::random::ranlux24_base>(10000) == 7937952u);
    check("ranlux48_base", number<thrust::random::ranlux48_base>(10000) == 192113843633948u);
    check("ranlux24", number<thrust::random::ranlux24>(10000) == 9901578u);
    check("ranlux48", number<thrust::random::ranlux48>(10000) == 88229545517833u);
    std::ranlux24 theirs;
    thrust::random::ranlux24 ours;
    bool equal = true;
    for (int i = 0; i < 1000; i++)
        equal = equal && theirs() == ours();
    check("ranlux24 beside the C++ library's", equal);
    thrust::random::ranlux24 further;
    further.discard(1000);
    check("discard", further == ours);
    thrust::uniform_real_distribution<float> uniform(0, 1);
    thrust::random::taus88 engine;
    double sum = 0;
    for (int i = 0; i < 10000; i++)
        sum += uniform(engine);
    check("a mean", sum > 4900 && sum < 5100);
}

static void test_shuffle(int n)
{
    thrust::device_vector<int> v(n), out(n);
    thrust::sequence(v.begin(), v.end());
    thrust::default_random_engine one(7), again(7), other(8);
    thrust::shuffle_copy(v.begin(), v.end(), out.begin(), one);
    thrust::host_vector<int> first = out;
    thrust::shuffle_copy(v.begin(), v.end(), out.begin(), again);
    check("the same order twice", thrust::host_vector<int>(out) == first);
    thrust::shuffle(v.begin(), v.end(), other);
    thrust::host_vector<int> second = v;
    check("another order", n < 5 || first != second);
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    bool whole = true;
    for (int i = 0; i < n; i++)
        whole = whole && first[i] == i && second[i] == i;
    check("all elements", whole);
}

int main()
{
    test_allocators();
    test_iterators();
    test_random();
    for (int n : {0, 1, 2, 1000})
        test_shuffle(n);
    return report(good);
}
