/**
 * @file cublas_v2.h
 * @brief cuBLAS (cublas_api.h) by the names that programs use: without their _v2.
 */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#ifdef CUBLAS_H_
#error "a program includes cublas.h or cublas_v2.h: their names are the same, their arguments are not"
#endif

#include "cublas_api.h"
#include "umsim/cublas_names.h"

#endif
