/**
 * @file numbers.h
 * @brief <cuda/std/numbers>: mathematical constants. C++20 has them; here they are available from C++17 on,
 * as in CUDA.
 */
#ifndef UMSIM_CUDA_NUMBERS_H
#define UMSIM_CUDA_NUMBERS_H

namespace cuda
{
namespace std
{
namespace numbers
{

template <class _Tp> inline constexpr _Tp e_v = (_Tp)2.718281828459045235360287471352662498L;
template <class _Tp> inline constexpr _Tp log2e_v = (_Tp)1.442695040888963407359924681001892137L;
template <class _Tp> inline constexpr _Tp log10e_v = (_Tp)0.434294481903251827651128918916605082L;
template <class _Tp> inline constexpr _Tp pi_v = (_Tp)3.141592653589793238462643383279502884L;
template <class _Tp> inline constexpr _Tp inv_pi_v = (_Tp)0.318309886183790671537767526745028724L;
template <class _Tp> inline constexpr _Tp inv_sqrtpi_v = (_Tp)0.564189583547756286948079451560772586L;
template <class _Tp> inline constexpr _Tp ln2_v = (_Tp)0.693147180559945309417232121458176568L;
template <class _Tp> inline constexpr _Tp ln10_v = (_Tp)2.302585092994045684017991454684364208L;
template <class _Tp> inline constexpr _Tp sqrt2_v = (_Tp)1.414213562373095048801688724209698079L;
template <class _Tp> inline constexpr _Tp sqrt3_v = (_Tp)1.732050807568877293527446341505872367L;
template <class _Tp> inline constexpr _Tp inv_sqrt3_v = (_Tp)0.577350269189625764509148780501957456L;
template <class _Tp> inline constexpr _Tp egamma_v = (_Tp)0.577215664901532860606512090082402431L;
template <class _Tp> inline constexpr _Tp phi_v = (_Tp)1.618033988749894848204586834365638118L;
inline constexpr double e = e_v<double>, log2e = log2e_v<double>, log10e = log10e_v<double>,
                        pi = pi_v<double>, inv_pi = inv_pi_v<double>, inv_sqrtpi = inv_sqrtpi_v<double>,
                        ln2 = ln2_v<double>, ln10 = ln10_v<double>, sqrt2 = sqrt2_v<double>,
                        sqrt3 = sqrt3_v<double>, inv_sqrt3 = inv_sqrt3_v<double>, egamma = egamma_v<double>,
                        phi = phi_v<double>;

} // namespace numbers
} // namespace std
} // namespace cuda

#endif
