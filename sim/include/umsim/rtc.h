/**
 * @file umsim/rtc.h
 * @brief What NVRTC's programs have without a header, besides cuda_runtime.h.
 *
 * umcc includes it where __CUDACC_RTC__ is defined; students do not include this file.
 */
#ifndef UMSIM_RTC_H
#define UMSIM_RTC_H

#include <assert.h>

#endif
