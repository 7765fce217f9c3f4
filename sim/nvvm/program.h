/**
 * @file program.h
 * @brief A program of NVVM's (nvvm.h), and its way to a compiler.
 *
 *     Numba -> libnvvm.so.4 -> compiler.py, a process of the same Python -> llvmlite's LLVM -> ld -> a module
 *
 * The compiler is another process, which is kept for the next kernel: what makes LLVM end itself is an error
 * of one compilation, and the program goes on. runtime.py says what kernels may call, rewrite.py makes a
 * program for the host of one for a GPU, device.cu is linked to each module.
 */
#ifndef UMSIM_NVVM_PROGRAM_H
#define UMSIM_NVVM_PROGRAM_H

#include "../include/nvvm.h"

struct umsim_ir {
    char *text, *name;
    size_t bytes;
};

struct _nvvmProgram {
    struct umsim_ir *modules;
    size_t count;
    char *log; /* a text; NULL: empty */
    char *result;
    size_t result_bytes; /* with the NUL */
};

/**
 * Has the program compiled: fills in log and result.
 * @param verify only looks whether it is IR
 * @return as nvvmCompileProgram()
 */
nvvmResult umsim_nvvm_compile(nvvmProgram program, int count, const char *const *options, int verify);

#endif
