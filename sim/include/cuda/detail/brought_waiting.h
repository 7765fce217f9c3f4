/**
 * @file brought_waiting.h
 * @brief What libcu++'s headers for atomics and waiting bring beside brought.h: each other's names, and
 * times.
 */
#ifndef UMSIM_CUDA_BROUGHT_WAITING_H
#define UMSIM_CUDA_BROUGHT_WAITING_H

#include "atomic.h"
#include "chrono.h"
#include "../std/ctime"
#include "../std/ratio"
#include "brought.h"

#endif
