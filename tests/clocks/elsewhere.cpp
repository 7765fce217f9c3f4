/**
 * @file elsewhere.cpp
 * @brief Timers that are not compiled by umcc as CUDA: a .cpp file of the link, and a static library.
 */
#include "clocks.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#ifdef IN_LIBRARY
double library_ms(void)
#else
double elsewhere_ms(void)
#endif
{
    using namespace std::chrono;
    return duration<double, std::milli>(high_resolution_clock::now().time_since_epoch()).count();
}

#if defined(_OPENMP) && !defined(IN_LIBRARY)
double omp_ms(void)
{
    return omp_get_wtime() * 1e3;
}
#endif
