// Sorts of numbers: each type by < and by >, alone and with values, in arrays of no, one, few and many
// elements. Equal ones keep their order, and -0.0 is equal to 0.0.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <vector>

static int errors;
static unsigned state = 7;

template <class T> T number()
{
    state = state * 1664525u + 1013904223u;
    uint64_t bits = state;
    state = state * 1664525u + 1013904223u;
    bits = bits << 32 | state;
    const unsigned kind = state >> 8 & 31;
    if (kind == 0)
        return std::numeric_limits<T>::lowest();
    if (kind == 1)
        return std::numeric_limits<T>::max();
    if (kind == 2)
        return (T)0;
    if (std::is_floating_point<T>::value)
        return kind == 3   ? (T)-0.0
               : kind == 4 ? std::numeric_limits<T>::infinity()
               : kind == 5 ? -std::numeric_limits<T>::infinity()
                           : (T)((double)(int64_t)bits / (1 << (bits & 15)));
    return (T)(kind < 16 ? bits : bits % 7); // some of them often
}

template <class T> bool same(const thrust::device_vector<T> &d, const std::vector<T> &expected)
{
    const thrust::host_vector<T> h = d;
    return h.size() == expected.size() &&
           (h.empty() || memcmp(&h[0], expected.data(), h.size() * sizeof(T)) == 0);
}

template <class T, class Less> void one(const char *type, const char *order, int n, Less less)
{
    std::vector<T> keys(n);
    std::vector<int> places(n);
    for (auto &key : keys)
        key = number<T>();
    std::iota(places.begin(), places.end(), 0);
    thrust::device_vector<T> d(keys.begin(), keys.end()), k = d;
    thrust::device_vector<int> v(places.begin(), places.end());
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return less(keys[a], keys[b]); });
    std::stable_sort(keys.begin(), keys.end(), less);
    thrust::stable_sort(d.begin(), d.end(), less);
    thrust::stable_sort_by_key(k.begin(), k.end(), v.begin(), less);
    if (!same(d, keys) || !same(k, keys) || !same(v, places)) {
        printf("%s by %s, %d of them: wrong\n", type, order, n);
        errors++;
    }
}

template <class T> void all(const char *type)
{
    for (int n : {0, 1, 2, 31, 2048, 2049, 4096, 4097, 20000, 70001}) {
        one<T>(type, "<", n, thrust::less<T>());
        one<T>(type, ">", n, thrust::greater<T>());
        one<T>(type, "a function's <", n, [] __host__ __device__(T a, T b) { return a < b; });
    }
}

int main()
{
    all<signed char>("signed char");
    all<unsigned char>("unsigned char");
    all<short>("short");
    all<unsigned short>("unsigned short");
    all<int>("int");
    all<unsigned>("unsigned");
    all<long long>("long long");
    all<unsigned long long>("unsigned long long");
    all<float>("float");
    all<double>("double");
    printf("Test %s\n", errors ? "FAILED" : "PASSED");
    return errors != 0;
}
