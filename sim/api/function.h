/**
 * @file function.h
 * @brief Handles of kernels: a cudaFunction_t is the driver API's CUfunction.
 */
#ifndef UMSIM_API_FUNCTION_H
#define UMSIM_API_FUNCTION_H

#include "../base/library.h"
#include "../base/spans.h"
#include "../include/umsim/abi.h"

struct CUmod_st;
struct umsim_old_launch;

struct CUfunc_st {
    struct umsim_span span; /* in the set of live handles */
    const void *stub;       /* by which the runtime knows the kernel */
    const char *name;       /* as the compiler writes it */
    char *own_name;         /* where that name has to be kept */
    const struct umsim_parameter *parameters;
    unsigned parameter_count;
    bool has_parameters;          /* they are known */
    struct CUmod_st *module;      /* where a module has it; NULL: the program */
    struct umsim_old_launch *old; /* what cuFuncSetBlockShape() and its like have set (driver/old_launch.c) */
    struct CUfunc_st *next;
};

/**
 * The handle of a kernel's stub, which is made when it is asked for first. Callers hold the lock.
 * @return NULL: it is no kernel's, or there is no memory
 */
struct CUfunc_st *umsim_function_of(const void *stub, struct CUmod_st *module);

/** The same for a handle; NULL: it is none, or none any more. Callers hold the lock. */
struct CUfunc_st *umsim_function_at(const void *handle);

/** A library is gone, and its kernels with it. */
void umsim_functions_forget(const struct umsim_library *library);

#endif
