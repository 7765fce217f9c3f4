/**
 * @file memory.cu
 * @brief Where a generator's states lie, and Poisson's distribution.
 */
#include "generator.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

void *random_library::allocate(bool on_host, size_t bytes)
{
    void *p = nullptr;
    if (on_host)
        return malloc(bytes);
    return cudaMalloc(&p, bytes) == cudaSuccess ? p : nullptr;
}

void random_library::release(bool on_host, void *p)
{
    if (on_host)
        free(p);
    else if (p)
        cudaFree(p);
}

namespace
{

/* Probabilities of counts from `first` on, cumulated, until nothing is left that a double could tell. */
std::vector<double> cumulate(double lambda, unsigned first)
{
    double share = exp(first * log(lambda) - lambda - lgamma(first + 1.0)), sum = share;
    std::vector<double> cumulated = {sum};
    for (unsigned count = first + 1; count < lambda || share > sum * 1e-17; count++) {
        share *= lambda / count;
        sum += share;
        cumulated.push_back(sum);
    }
    cumulated.back() = 1;
    return cumulated;
}

/* @return the table of `cumulated`, or NULL */
double *table_of(bool on_host, const std::vector<double> &cumulated)
{
    const size_t bytes = cumulated.size() * sizeof(double);
    auto *table = (double *)random_library::allocate(on_host, bytes);
    if (on_host && table)
        std::copy(cumulated.begin(), cumulated.end(), table);
    if (!on_host && table &&
        cudaMemcpy(table, cumulated.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
        cudaFree(table);
        return nullptr;
    }
    return table;
}

unsigned first_count(double lambda)
{
    return (unsigned)floor(fmax(0.0, lambda - 12 * sqrt(lambda) - 12));
}

} // namespace

curandDiscreteDistribution_st random_library::poisson_of(curandGenerator_st *generator, double lambda)
{
    if (generator->poisson.__length && generator->lambda == lambda)
        return generator->poisson;
    release(generator->on_host, generator->poisson.__cumulated);
    generator->poisson = {};
    const std::vector<double> cumulated = cumulate(lambda, first_count(lambda));
    double *table = table_of(generator->on_host, cumulated);
    if (table)
        generator->poisson = {table, first_count(lambda), (unsigned)cumulated.size()};
    generator->lambda = lambda;
    return generator->poisson;
}

curandDiscreteDistribution_t random_library::make_poisson(double lambda)
{
    const std::vector<double> cumulated = cumulate(lambda, first_count(lambda));
    const size_t bytes = cumulated.size() * sizeof(double);
    /* One piece of memory: the distribution, and its table behind it. */
    auto *made =
        (curandDiscreteDistribution_st *)allocate(false, sizeof(curandDiscreteDistribution_st) + bytes);
    const curandDiscreteDistribution_st values = {(double *)(made + 1), first_count(lambda),
                                                  (unsigned)cumulated.size()};
    if (!made || cudaMemcpy(made, &values, sizeof values, cudaMemcpyHostToDevice) != cudaSuccess ||
        cudaMemcpy(made + 1, cumulated.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
        release(false, made);
        return nullptr;
    }
    return made;
}
