/**
 * @file complex.h
 * @brief thrust::complex, which is std::complex.
 */
#ifndef UMSIM_THRUST_COMPLEX_H
#define UMSIM_THRUST_COMPLEX_H

#include <complex>

namespace thrust
{
using std::abs;
using std::acos;
using std::acosh;
using std::arg;
using std::asin;
using std::asinh;
using std::atan;
using std::atanh;
using std::complex;
using std::conj;
using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::log10;
using std::norm;
using std::polar;
using std::pow;
using std::proj;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
} // namespace thrust

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/device_ptr.h"
#include "detail/distance.h"
#include "detail/system.h"
#include "detail/system_error.h"

#include "detail/brought_lightly.h"

#endif
