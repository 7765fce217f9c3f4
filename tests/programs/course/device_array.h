/**
 * @file device_array.h
 * @brief An array of the device's, from a vector and back, and the comparison of two vectors, for the CUB
 * programs.
 */
#ifndef COURSE_DEVICE_ARRAY_H
#define COURSE_DEVICE_ARRAY_H

#include "common.h"

/** Set to false by the first difference. */
static bool good = true;

/** Says which element is not what is wanted. */
template <class T> void same(const char *what, const std::vector<T> &got, const std::vector<T> &wanted)
{
    if (got.size() != wanted.size()) {
        printf("%s: %zu elements, not %zu\n", what, got.size(), wanted.size());
        good = false;
        return;
    }
    for (size_t i = 0; i < wanted.size(); i++)
        if (!(got[i] == wanted[i])) {
            printf("%s: element %zu of %zu is %g, not %g\n", what, i, got.size(), (double)got[i],
                   (double)wanted[i]);
            good = false;
            return;
        }
}

/** Memory of the device's, with one element more, so that there is some even for none. */
template <class T> struct Array {
    T *p = nullptr;
    size_t n;
    explicit Array(const std::vector<T> &from) : n(from.size())
    {
        CHECK(cudaMalloc(&p, (n + 1) * sizeof(T)));
        CHECK(cudaMemcpy(p, from.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    explicit Array(size_t count) : Array(std::vector<T>(count))
    {
    }
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;
    ~Array()
    {
        cudaFree(p);
    }
    /** @return the first `count` elements */
    std::vector<T> back(size_t count) const
    {
        std::vector<T> v(count);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(v.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
    std::vector<T> back() const
    {
        return back(n);
    }
};

/** Numbers from `-limit` on, below `limit`. */
inline std::vector<int> numbers(size_t n, int limit, unsigned seed)
{
    Random random(seed);
    std::vector<int> v(n);
    for (int &x : v)
        x = (int)(random.next() % (2 * limit)) - limit;
    return v;
}

/** A call of CUB's twice: first it says how much storage it needs. */
#define WITH_STORAGE(call, ...)                                                                              \
    do {                                                                                                     \
        void *storage_ = nullptr;                                                                            \
        size_t bytes_ = 0;                                                                                   \
        CHECK(call(storage_, bytes_, __VA_ARGS__));                                                          \
        CHECK(cudaMalloc(&storage_, bytes_ + 1));                                                            \
        CHECK(call(storage_, bytes_, __VA_ARGS__));                                                          \
        CHECK(cudaDeviceSynchronize());                                                                      \
        CHECK(cudaFree(storage_));                                                                           \
    } while (0)

#endif
