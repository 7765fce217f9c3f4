/**
 * @file umsim/library.h
 * @brief What device code may call of C's library: printf, assert, malloc, free, clock. Included by
 * umsim/device.h.
 *
 * The simulated GPU cannot use the host's C library, which is closed to it, to format text or to keep a
 * heap. umcc replaces calls in device code by the names below, and leaves calls in host code alone. In a
 * `__host__ __device__` function the same call serves both sides: on the host it is the C library's
 * function.
 */
#ifndef UMSIM_LIBRARY_H
#define UMSIM_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * printf() of a kernel. The host formats the text, and prints it where it first waits for the kernel: block
 * by block, in a block's order of execution. Strings for %s are copied at the call. %n is not a conversion.
 * @return the number of arguments (at most 32 are accepted), -1 if `__format` is NULL; on the host what
 * printf() returns
 */
int umsim_printf(const char *__format, ...) __attribute__((__format__(printf, 1, 2)));

/**
 * The same in a kernel whose compiler put the arguments into memory, one behind another, each at a multiple
 * of its size: int, 8 bytes for whole numbers with an l, for pointers and for double.
 */
int umsim_printf_packed(const char *__format, const void *__arguments);

/** A failed assert(): prints CUDA's message, then fails with cudaErrorAssert, which is sticky. */
__attribute__((__noreturn__)) void umsim_assert_fail(const char *__expression, const char *__file,
                                                     unsigned __line, const char *__function);

/** cudaGraphSetConditional(): the number that a graph's conditional node asks. Another handle than
 * cudaGraphConditionalHandleCreate() gives ends the kernel. */
void umsim_condition_set(unsigned long long __handle, unsigned __value);

/** Whether the caller is a thread of a kernel. */
int umsim_in_kernel(void);

/** The device that a kernel runs on. @param __count receives how many there are; may be 0 */
int umsim_kernel_device(int *__count);

/**
 * malloc() of a kernel: from a heap of cudaLimitMallocHeapSize bytes in device memory. The memory stays
 * allocated until a kernel, this one or a later one, frees it, or the device is reset. CUDA's host functions
 * do not accept such a pointer.
 * @return memory aligned to 16 bytes; NULL if the heap is full, or for 0 bytes
 */
void *umsim_malloc(size_t __bytes);

/** free() of a kernel. NULL is ignored; anything that malloc() did not return ends the kernel. */
void umsim_free(void *__p);

/**
 * Looks at what a kernel asks alloca() for: more than cudaLimitStackSize fails it, as on a GPU.
 * @return `__bytes`
 */
size_t umsim_alloca(size_t __bytes);

/** The kernels' heap only, for new. @param __alignment a power of two, or 0 */
void *umsim_kernel_malloc(size_t __bytes, size_t __alignment);

/** Which of C++'s functions is replaced: @ref umsim_new(), @ref umsim_delete(). */
enum umsim_new_form {
    UMSIM_NEW,
    UMSIM_NEW_NOTHROW,
    UMSIM_NEW_ALIGNED,
    UMSIM_DELETE,
    UMSIM_DELETE_NOTHROW,
    UMSIM_DELETE_ALIGNED
};
/** new and new[] of programs whose device code uses them. @param __form enum umsim_new_form
 * @param __tag of UMSIM_NEW_NOTHROW: std::nothrow; of others: where the program goes on, for umcc --check */
void *umsim_new(int __form, int __array, size_t __bytes, size_t __alignment, const void *__tag);
/** delete and delete[] of these programs. @param __form enum umsim_new_form */
void umsim_delete(int __form, int __array, void *__p, size_t __alignment, const void *__tag);

/** clock64(): cycles of the calling thread's own clock, which each read advances by 40. Loops that wait for
 * it end, and make the launch equally long in virtual time. On the host it returns what clock() returns. */
uint64_t umsim_clock64(void);

/** The same in nanoseconds. */
uint64_t umsim_clock_ns(void);

/** Advances the calling thread's clock, for __nanosleep(). */
void umsim_sleep_ns(unsigned __nanoseconds);

/** __trap(), and abort() in device code: the kernel ends with cudaErrorLaunchFailure. */
__attribute__((__noreturn__)) void umsim_trap(void);

#ifdef __cplusplus
}

/** Ends the kernel with cudaErrorLaunchFailure, which is sticky. */
__attribute__((__noreturn__)) inline void __trap()
{
    umsim_trap();
}

/** A breakpoint. There is no debugger, so it acts as __trap(). */
__attribute__((__noreturn__)) inline void __brkpt()
{
    umsim_trap();
}

/** @cond internal */
/* umcc replaces clock() and clock64() by these. */
inline long umsim_clock()
{
    return (long)umsim_clock64();
}
inline long long clock64()
{
    return (long long)umsim_clock64();
}
/** @endcond */
#endif
#endif
