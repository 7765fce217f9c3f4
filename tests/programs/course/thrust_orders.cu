// Thrust's scans, sorts, selections, searches and iterators, on sizes from 0 to 100,000, beside the C++
// library's.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include "common.h"

#include <algorithm>
#include <map>
#include <numeric>

static int errors;

#define EXPECT(what)                                                                                         \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            printf("line %d, %d elements: %s is false\n", __LINE__, n, #what);                               \
            errors++;                                                                                        \
        }                                                                                                    \
    } while (0)

struct is_even {
    __host__ __device__ bool operator()(int x) const
    {
        return x % 2 == 0;
    }
};
struct doubled {
    __host__ __device__ int operator()(int x) const
    {
        return 2 * x;
    }
};
struct by_last_digit {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a % 10 < b % 10;
    }
};
struct product_of_both {
    __host__ __device__ int operator()(const thrust::tuple<int, int> &t) const
    {
        return thrust::get<0>(t) * thrust::get<1>(t);
    }
};
struct sum_into_third {
    template <class Tuple> __host__ __device__ void operator()(Tuple t) const
    {
        thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t);
    }
};

static std::vector<int> numbers(int n, int below)
{
    std::vector<int> v(n);
    unsigned seed = n;
    for (int &x : v)
        x = (int)((seed = seed * 1664525 + 1013904223) >> 8) % below;
    return v;
}

static std::vector<int> back(const thrust::device_vector<int> &d)
{
    std::vector<int> h(d.size());
    thrust::copy(d.begin(), d.end(), h.begin());
    return h;
}

static void scans(int n)
{
    const std::vector<int> h = numbers(n, 100);
    std::vector<int> expected(n);
    thrust::device_vector<int> d = h, out(n);
    std::partial_sum(h.begin(), h.end(), expected.begin());
    thrust::inclusive_scan(d.begin(), d.end(), out.begin());
    EXPECT(back(out) == expected);
    thrust::transform_inclusive_scan(d.begin(), d.end(), out.begin(), doubled(), thrust::plus<int>());
    EXPECT(n == 0 || out.back() == 2 * expected.back());
    std::partial_sum(h.begin(), h.end(), expected.begin(), [](int a, int b) { return std::max(a, b); });
    thrust::inclusive_scan(d.begin(), d.end(), out.begin(), thrust::maximum<int>());
    EXPECT(back(out) == expected);
    std::exclusive_scan(h.begin(), h.end(), expected.begin(), 4);
    thrust::exclusive_scan(d.begin(), d.end(), out.begin(), 4);
    EXPECT(back(out) == expected);
    out = d;
    thrust::exclusive_scan(out.begin(), out.end(), out.begin(), 4);
    EXPECT(back(out) == expected);
    thrust::host_vector<int> host = h;
    thrust::exclusive_scan(host.begin(), host.end(), host.begin(), 4);
    EXPECT(std::equal(host.begin(), host.end(), expected.begin()));
    std::adjacent_difference(h.begin(), h.end(), expected.begin());
    thrust::adjacent_difference(d.begin(), d.end(), out.begin());
    EXPECT(back(out) == expected);
}

static void sorts(int n)
{
    std::vector<int> h = numbers(n, 1000000);
    thrust::device_vector<int> d = h, keys = h, order(n);
    thrust::sequence(order.begin(), order.end());
    std::vector<int> places(n), sorted = h, digits = h;
    std::iota(places.begin(), places.end(), 0);
    std::sort(sorted.begin(), sorted.end());
    thrust::sort(d.begin(), d.end());
    EXPECT(back(d) == sorted && thrust::is_sorted(d.begin(), d.end()));
    thrust::sort(thrust::device, d.begin(), d.end(), thrust::greater<int>());
    EXPECT(std::equal(sorted.rbegin(), sorted.rend(), back(d).begin()));
    std::stable_sort(digits.begin(), digits.end(), by_last_digit());
    d = h;
    thrust::stable_sort(d.begin(), d.end(), by_last_digit());
    EXPECT(back(d) == digits);
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return h[a] < h[b]; });
    thrust::stable_sort_by_key(keys.begin(), keys.end(), order.begin());
    EXPECT(back(keys) == sorted && back(order) == places);
    thrust::host_vector<int> host = h;
    thrust::sort(host.begin(), host.end());
    EXPECT(std::equal(host.begin(), host.end(), sorted.begin()));
    thrust::sort(thrust::host, h.begin(), h.end());
    EXPECT(h == sorted);
}

static void keys(int n)
{
    std::vector<int> h = numbers(n, 50), v = numbers(n, 1000);
    std::sort(h.begin(), h.end());
    std::map<int, int> sums;
    for (int i = 0; i < n; i++)
        sums[h[i]] += v[i];
    thrust::device_vector<int> k = h, x = v, k_out(n), x_out(n);
    auto end = thrust::reduce_by_key(k.begin(), k.end(), x.begin(), k_out.begin(), x_out.begin());
    EXPECT(end.first - k_out.begin() == (long)sums.size() && end.second - x_out.begin() == (long)sums.size());
    const std::vector<int> ks = back(k_out), xs = back(x_out);
    int i = 0, wrong = 0;
    for (const auto &[key, sum] : sums) {
        wrong += ks[i] != key || xs[i] != sum;
        i++;
    }
    EXPECT(wrong == 0);
    auto counted = thrust::reduce_by_key(k.begin(), k.end(), thrust::constant_iterator<int>(1),
                                         thrust::make_discard_iterator(), x_out.begin());
    EXPECT(thrust::reduce(x_out.begin(), counted.second) == n);
    thrust::inclusive_scan_by_key(k.begin(), k.end(), x.begin(), x_out.begin());
    thrust::exclusive_scan_by_key(k.begin(), k.end(), x.begin(), x.begin());
    const std::vector<int> in = back(x_out), ex = back(x);
    for (int at = 0; at < n; at++) {
        const bool begins = at == 0 || h[at - 1] != h[at];
        wrong += in[at] != v[at] + (begins ? 0 : in[at - 1]) || ex[at] != in[at] - v[at];
    }
    EXPECT(wrong == 0);
    const auto ends = thrust::unique_by_key(k.begin(), k.end(), x_out.begin());
    EXPECT(ends.first - k.begin() == (long)sums.size());
    k = h;
    EXPECT(thrust::unique(k.begin(), k.end()) - k.begin() == (long)sums.size());
}

static void selections(int n)
{
    const std::vector<int> h = numbers(n, 1000);
    std::vector<int> evens;
    std::copy_if(h.begin(), h.end(), std::back_inserter(evens), is_even());
    thrust::device_vector<int> d = h, out(n);
    out.resize(thrust::copy_if(d.begin(), d.end(), out.begin(), is_even()) - out.begin());
    EXPECT(back(out) == evens);
    EXPECT(thrust::all_of(out.begin(), out.end(), is_even()) &&
           !thrust::any_of(out.begin(), out.end(), [] __host__ __device__(int x) { return x % 2 != 0; }));
    std::vector<int> split = h;
    std::stable_partition(split.begin(), split.end(), is_even());
    const auto middle = thrust::stable_partition(d.begin(), d.end(), is_even());
    EXPECT(middle - d.begin() == (long)evens.size() && back(d) == split);
    d.erase(thrust::remove_if(d.begin(), d.end(), is_even()), d.end());
    EXPECT(d.size() == h.size() - evens.size() && thrust::none_of(d.begin(), d.end(), is_even()));
    thrust::replace_if(out.begin(), out.end(), is_even(), 7);
    EXPECT(thrust::count(out.begin(), out.end(), 7) == (long)evens.size());
}

static void searches(int n)
{
    std::vector<int> h = numbers(n, 5000), w = numbers(n / 2, 5000), expected;
    std::sort(h.begin(), h.end());
    std::sort(w.begin(), w.end());
    thrust::device_vector<int> a = h, b = w, out(n + n / 2), places(n / 2), above(n / 2);
    EXPECT(thrust::lower_bound(a.begin(), a.end(), 2500) - a.begin() ==
           std::lower_bound(h.begin(), h.end(), 2500) - h.begin());
    EXPECT(thrust::binary_search(a.begin(), a.end(), 77) == std::binary_search(h.begin(), h.end(), 77));
    thrust::lower_bound(a.begin(), a.end(), b.begin(), b.end(), places.begin());
    thrust::upper_bound(a.begin(), a.end(), b.begin(), b.end(), above.begin());
    const std::vector<int> low = back(places), high = back(above);
    int wrong = 0;
    for (int i = 0; i < n / 2; i++)
        wrong += low[i] != std::lower_bound(h.begin(), h.end(), w[i]) - h.begin() ||
                 high[i] != std::upper_bound(h.begin(), h.end(), w[i]) - h.begin();
    EXPECT(wrong == 0);
    std::merge(h.begin(), h.end(), w.begin(), w.end(), std::back_inserter(expected));
    thrust::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
    EXPECT(back(out) == expected);
    expected.clear();
    std::set_intersection(h.begin(), h.end(), w.begin(), w.end(), std::back_inserter(expected));
    out.resize(thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.begin()) - out.begin());
    EXPECT(back(out) == expected);
    expected.clear();
    std::set_union(h.begin(), h.end(), w.begin(), w.end(), std::back_inserter(expected));
    out.resize(n + n / 2);
    out.resize(thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), out.begin()) - out.begin());
    EXPECT(back(out) == expected);
    expected.clear();
    std::set_difference(h.begin(), h.end(), w.begin(), w.end(), std::back_inserter(expected));
    out.resize(n);
    out.resize(thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin()) - out.begin());
    EXPECT(back(out) == expected);
}

static void iterators(int n)
{
    const thrust::counting_iterator<int> first(0);
    EXPECT(thrust::reduce(first, first + n, 0L) == (long)n * (n - 1) / 2);
    thrust::device_vector<int> a(first, first + n), b(n, 3), c(n), map(n);
    thrust::tabulate(map.begin(), map.end(), doubled());
    EXPECT(n == 0 || map[n - 1] == 2 * (n - 1));
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end())),
                     sum_into_third());
    EXPECT(n == 0 || (c[0] == 3 && c[n - 1] == n + 2));
    const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    thrust::transform(zipped, zipped + n, c.begin(), product_of_both());
    EXPECT(n == 0 || c[n - 1] == 3 * (n - 1));
    const auto twice = thrust::make_transform_iterator(a.begin(), doubled());
    EXPECT(thrust::reduce(twice, twice + n, 0L) == (long)n * (n - 1));
    thrust::transform(first, first + n, map.begin(), [n] __host__ __device__(int i) { return n - 1 - i; });
    const auto permuted = thrust::make_permutation_iterator(a.begin(), map.begin());
    thrust::copy(permuted, permuted + n, c.begin());
    EXPECT(thrust::equal(c.begin(), c.end(), thrust::make_reverse_iterator(a.end())));
    thrust::gather(map.begin(), map.end(), c.begin(), b.begin());
    EXPECT(b == a);
    thrust::scatter(a.begin(), a.end(), map.begin(), b.begin());
    EXPECT(b == c);
    thrust::reverse(b.begin(), b.end());
    thrust::swap_ranges(b.begin(), b.end(), c.begin());
    EXPECT(c == a);
    thrust::device_vector<int> third(n, 1);
    thrust::sort_by_key(map.begin(), map.end(),
                        thrust::make_zip_iterator(thrust::make_tuple(a.begin(), third.begin())));
    EXPECT(n == 0 || (a[0] == n - 1 && a[n - 1] == 0));
}

int main()
{
    for (const int n : {0, 1, 777, 100000}) {
        scans(n);
        sorts(n);
        keys(n);
        selections(n);
        searches(n);
        iterators(n);
    }
    printf("%d errors\n", errors);
    return errors != 0;
}
