/*
 * Divisions by zero, and of the least number by -1, in a kernel of one block, which is counted
 * (cases_counted.sh), and in a function that it calls: an H200's answers (docs/undefined.md) on every
 * processor.
 */
#include "check.h"

#include <climits>

#define MOST 8

template <class T> struct division {
    T left, right, quotient, rest;
};

template <class T> __device__ __noinline__ T quotient_of(const T *left, const T *right)
{
    return *left / *right;
}
template <class T> __device__ __noinline__ T rest_of(const T *left, const T *right)
{
    T rest = *left;
    rest %= *right;
    return rest;
}

template <class T> __global__ void divide(division<T> *in_kernel, division<T> *in_function)
{
    division<T> *here = &in_kernel[threadIdx.x], *there = &in_function[threadIdx.x];
    here->quotient = here->left / here->right;
    here->rest = here->left % here->right;
    there->quotient = quotient_of(&there->left, &there->right);
    there->rest = rest_of(&there->left, &there->right);
}

template <class T> void all_are(const char *type, const division<T> (&wanted)[MOST])
{
    division<T> *in_kernel = make_managed<division<T>>(MOST), *in_function = make_managed<division<T>>(MOST);
    for (int i = 0; i < MOST; i++)
        in_kernel[i] = in_function[i] = {wanted[i].left, wanted[i].right, 1, 1};
    divide<T><<<1, MOST>>>(in_kernel, in_function);
    SYNC();
    for (int i = 0; i < MOST; i++) {
        const division<T> &w = wanted[i], &k = in_kernel[i], &f = in_function[i];
        printf("%s: %lld by %lld is %lld and %lld, in a function %lld and %lld\n", type, (long long)w.left,
               (long long)w.right, (long long)k.quotient, (long long)k.rest, (long long)f.quotient,
               (long long)f.rest);
        CHECK(k.quotient == w.quotient && k.rest == w.rest);
        CHECK(f.quotient == w.quotient && f.rest == w.rest);
    }
    cudaFree(in_kernel);
    cudaFree(in_function);
}

static const division<int> ints[MOST] = {
    {7, 0, -1, -1},       {-7, 0, -1, -1},           {0, 0, -1, -1},  {INT_MIN, 0, -1, -1},
    {INT_MAX, 0, -1, -1}, {INT_MIN, -1, INT_MIN, 0}, {-7, 2, -3, -1}, {INT_MIN + 1, -1, INT_MAX, 0}};
static const division<unsigned> unsigneds[MOST] = {
    {7, 0, UINT_MAX, UINT_MAX},        {0, 0, UINT_MAX, UINT_MAX},
    {1u << 31, 0, UINT_MAX, UINT_MAX}, {UINT_MAX, 0, UINT_MAX, UINT_MAX},
    {1u << 31, UINT_MAX, 0, 1u << 31}, {UINT_MAX, UINT_MAX, 1, 0},
    {UINT_MAX, 7, 613566756, 3},       {6, 7, 0, 6}};
/* Of 64 bits, where both fit into 32, the lower 32 are ones. */
static const division<long long> longs[MOST] = {{7, 0, UINT_MAX, UINT_MAX},
                                                {0, 0, UINT_MAX, UINT_MAX},
                                                {UINT_MAX, 0, UINT_MAX, UINT_MAX},
                                                {1ll << 32, 0, -1, -1},
                                                {-7, 0, -1, -1},
                                                {LLONG_MIN, 0, -1, -1},
                                                {LLONG_MIN, -1, LLONG_MIN, 0},
                                                {-7, 2, -3, -1}};
static const division<unsigned long long> unsigned_longs[MOST] = {{7, 0, UINT_MAX, UINT_MAX},
                                                                  {0, 0, UINT_MAX, UINT_MAX},
                                                                  {UINT_MAX, 0, UINT_MAX, UINT_MAX},
                                                                  {1ull << 32, 0, ULLONG_MAX, ULLONG_MAX},
                                                                  {1ull << 63, 0, ULLONG_MAX, ULLONG_MAX},
                                                                  {ULLONG_MAX, 0, ULLONG_MAX, ULLONG_MAX},
                                                                  {1ull << 63, ULLONG_MAX, 0, 1ull << 63},
                                                                  {ULLONG_MAX, 7, 2635249153387078802, 1}};

int main()
{
    all_are("int", ints);
    all_are("unsigned", unsigneds);
    all_are("long long", longs);
    all_are("unsigned long long", unsigned_longs);
    return finish();
}
