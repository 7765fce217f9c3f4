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

/** Of a module: the device that it was loaded on. A library's kernels are for all. */
enum { UMSIM_ANY_DEVICE = -1 };

struct CUfunc_st {
    struct umsim_span span; /* in the set of live handles */
    const void *stub;       /* by which the runtime knows the kernel */
    const char *name;       /* as the compiler writes it */
    char *own_name;         /* where that name has to be kept */
    const struct umsim_parameter *parameters;
    unsigned parameter_count;
    bool has_parameters;          /* they are known */
    struct CUmod_st *module;      /* where a module has it; NULL: the program */
    int device;                   /* where it runs; UMSIM_ANY_DEVICE: where it is launched */
    struct CUfunc_st *kernel;     /* of a function of one device: the kernel that it is; else NULL */
    struct umsim_old_launch *old; /* what cuFuncSetBlockShape() and its like have set (driver/old_launch.c) */
    struct CUfunc_st *next;
};

/**
 * The handle of a kernel's stub, which is made when it is asked for first. Callers hold the lock.
 * @param device where a module's kernel runs, or UMSIM_ANY_DEVICE
 * @return NULL: it is no kernel's, or there is no memory
 */
struct CUfunc_st *umsim_function_of(const void *stub, struct CUmod_st *module, int device);

/** The handle of a library's kernel as a function of one device; with one device that is the kernel's own.
 * Callers hold the lock. @return NULL: there is no memory */
struct CUfunc_st *umsim_function_on(struct CUfunc_st *kernel, unsigned device);

/** The same for a handle; NULL: it is none, or none any more. Callers hold the lock. */
struct CUfunc_st *umsim_function_at(const void *handle);

/** A library is gone, and its kernels with it. */
void umsim_functions_forget(const struct umsim_library *library);

#endif
