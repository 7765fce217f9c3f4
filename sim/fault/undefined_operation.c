/**
 * @file undefined_operation.c
 * @brief Implementation of undefined_operation.h: the functions that g++ calls, and their messages.
 *
 * The functions' names are those of GCC's and LLVM's sanitizers.
 */
#include "undefined_operation.h"
#include "../base/undefined_data.h"
#include "../check/access.h"
#include "../check/own_array.h"
#include "../worker/fail.h"
#include "../worker/worker.h"
#include "../include/umsim/types_error.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void __ubsan_handle_float_cast_overflow(void *operation, uintptr_t value);
void __ubsan_handle_shift_out_of_bounds(void *operation, uintptr_t left, uintptr_t right);
void __ubsan_handle_divrem_overflow(void *operation, uintptr_t left, uintptr_t right);
void __ubsan_handle_builtin_unreachable(void *operation);
void __ubsan_handle_type_mismatch_v1(void *operation, uintptr_t pointer);
void __ubsan_handle_out_of_bounds(void *operation, uintptr_t index);

static struct umsim_worker *in_kernel(void)
{
    struct umsim_worker *worker = umsim_this_worker;
    return worker && worker->in_kernel ? worker : NULL;
}

/* A program that is compiled with -fsanitize=undefined has functions of these names in a library behind this
 * one. What its host code does is theirs to tell. */
static void tell_on_host(const char *function, void *operation, uintptr_t left, uintptr_t right)
{
    void (*const next)(void *, uintptr_t, uintptr_t) =
        (void (*)(void *, uintptr_t, uintptr_t))dlsym(RTLD_NEXT, function);
    if (next)
        next(operation, left, right);
}

void __ubsan_handle_float_cast_overflow(void *operation, uintptr_t value)
{
    if (in_kernel())
        umsim_gpu_fail_operation(in_kernel(), UMSIM_CONVERSION, operation, value, 0);
    else
        tell_on_host(__func__, operation, value, 0);
}

void __ubsan_handle_shift_out_of_bounds(void *operation, uintptr_t left, uintptr_t right)
{
    if (in_kernel())
        umsim_gpu_fail_operation(in_kernel(), UMSIM_SHIFT, operation, left, right);
    else
        tell_on_host(__func__, operation, left, right);
}

#ifdef __aarch64__ /* it does not trap */
void __ubsan_handle_divrem_overflow(void *operation, uintptr_t left, uintptr_t right)
{
    if (in_kernel())
        umsim_gpu_fail_operation(in_kernel(), UMSIM_DIVISION, operation, left, right);
    else
        tell_on_host(__func__, operation, left, right);
}
#endif

/* Of checked programs: an index outside of an array. */
void __ubsan_handle_out_of_bounds(void *operation, uintptr_t index)
{
    if (in_kernel())
        umsim_own_array_index(operation, index, __builtin_return_address(0));
    else
        tell_on_host(__func__, operation, index, 0);
}

/* Of checked programs: a pointer is not aligned as its type asks, which is no access yet, because a reference
 * is made in the same way; or an access is beyond the end of its variable. Kernels cannot read which of them
 * `operation` says. */
void __ubsan_handle_type_mismatch_v1(void *operation, uintptr_t pointer)
{
    if (in_kernel()) {
        umsim_access_misaligned(pointer);
        umsim_own_array_outside(operation, pointer, __builtin_return_address(0));
    } else
        tell_on_host(__func__, operation, pointer, 0);
}

void __ubsan_handle_builtin_unreachable(void *operation)
{
    if (!in_kernel())
        tell_on_host(__func__, operation, 0, 0);
    __builtin_trap(); /* the host dies of it, a kernel fails (gpu_fault.c) */
}

static void write_value(const struct umsim_undefined_type *type, uint64_t value, char *text, size_t size)
{
    float single = 0;
    double number = 0;
    const unsigned bits = type->kind == UMSIM_TYPE_REAL ? type->details : 1u << (type->details >> 1);
    memcpy(&single, &value, sizeof single); /* the lowest bytes: all processors here are little-endian */
    memcpy(&number, &value, sizeof number);
    if (bits > 64)
        snprintf(text, size, "a number"); /* `value` is an address in the GPU process */
    else if (type->kind == UMSIM_TYPE_REAL)
        snprintf(text, size, "%g", bits == 32 ? (double)single : number);
    else if (type->kind == UMSIM_TYPE_WHOLE && type->details & 1)
        snprintf(text, size, "%" PRId64, umsim_undefined_whole(type, value));
    else
        snprintf(text, size, "%" PRIu64, value);
}

/* Where it stands; nothing where that is a header of the simulator's, which makes it for the user. */
static void write_place(const struct umsim_undefined_place *place, char *text, size_t size)
{
    text[0] = '\0';
    if (!strstr(place->file, "/umsim/"))
        snprintf(text, size, " (%s:%" PRIu32 ")", place->file, place->line);
}

static const char *why(enum umsim_operation operation)
{
    switch (operation) {
    case UMSIM_CONVERSION:
        return "  why      C++ leaves that undefined. A GPU takes the nearest number, and so does umcc\n"
               "           where the conversion is a cast, an initialization, an assignment or a\n"
               "           return; this one is another\n"
               "  instead  write a cast, `(type)value`; or stay within the type\n";
    case UMSIM_DIVISION:
        return "  why      C++ leaves a division by zero undefined. A GPU makes all bits one, and so\n"
               "           does umcc where it can; on arm64, where the processor makes it 0, not where\n"
               "           an operand is a bit-field, a bool or a class, in a header of the system's,\n"
               "           or in a file that it had to compile as it is written\n"
               "  instead  ask first, `if (divisor)`: what a GPU makes of it means nothing\n";
    default:
        return "  why      C++ leaves a shift by the type's width or more undefined. A GPU shifts all\n"
               "           bits out, and so does umcc where it can; not where an operand is a bit-field\n"
               "           or a class, in a constant expression, in a header of the system's, or in a\n"
               "           file that it had to compile as it is written\n"
               "  instead  copy the operand to a variable first, `int v = value; v << count`; or keep\n"
               "           the count below the width\n";
    }
}

void umsim_describe_operation(const struct umsim_kernel_fault *fault, char *text, size_t size)
{
    const struct umsim_undefined_operation *it = fault->address;
    char first[64], second[64], where[512];
    write_place(&it->place, where, sizeof where);
    write_value(it->first, fault->values[0], first, sizeof first);
    if (fault->operation == UMSIM_CONVERSION) {
        snprintf(text, size, "made a %s of %s, a %s that it cannot hold%s.\n%s", it->second->name, first,
                 it->first->name, where, why(fault->operation));
    } else if (fault->operation == UMSIM_DIVISION) {
        snprintf(text, size, "divided a %s, %s, by zero%s.\n%s", it->first->name, first, where,
                 why(fault->operation));
    } else {
        write_value(it->second, fault->values[1], second, sizeof second);
        snprintf(text, size, "shifted a %s, %s, by %s bits%s.\n%s", it->first->name, first, second, where,
                 why(fault->operation));
    }
}
