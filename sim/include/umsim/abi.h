/**
 * @file umsim/abi.h
 * @brief The interface between a program compiled by umcc and libumsim.
 *
 * Students never include this file: umcc writes code against it, and sim/ implements it. The life of a
 * launch `k<<<grid, block, shared, stream>>>(args)`:
 *
 *  1. umcc turns it into a call of umsim_push_call(grid, block, shared, stream), which may refuse the launch,
 * a call `k(args)`, and one of umsim_launched().
 *  2. `k` is now the *stub*: an ordinary host function with the kernel's own name and parameters, so that
 *     overloads, templates and conversions work as they do for any call. Its body is a closure: the
 *     kernel's parameters captured by value, and the kernel's body as its call operator.
 *  3. The stub hands the closure to umsim_launch(), which copies it into memory shared with the GPU
 *     process and queues the launch. `umsim_kernel` says how the GPU process runs it.
 *
 * cudaLaunchKernel() knows only the stub's address and an array of pointers to the arguments. So for each
 * stub umsim_register_kernel() records a thunk that calls it with them.
 */
#ifndef UMSIM_ABI_H
#define UMSIM_ABI_H

#include <stddef.h>
#include <stdint.h>
#include "umsim/page.h"
#include "vector_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st;

/** How many bytes a kernel's parameters may take: CUDA's limit since 12.1. */
#define UMSIM_PARAMETERS_MAX 32764
/** Largest closure, bytes. It holds the parameters in the order in which the kernel uses them, so it may need
 * some more for their alignment. */
#define UMSIM_CLOSURE_MAX (33 * 1024)

/** The position of a launch: everything that the built-in variables gridDim and blockDim say. */
struct umsim_geometry {
    dim3 grid;
    dim3 block;
};

/**
 * Runs whole thread blocks of a kernel without barriers, one after another: blocks `__first` to `__last - 1`
 * in linear order (x fastest). Called in a worker of the GPU process; must not call libc.
 */
typedef void (*umsim_blocks_fn)(const void *__closure, const struct umsim_geometry *__geometry,
                                uint64_t __first, uint64_t __last);

/** Runs one thread of a kernel with barriers, on a fiber of its own. */
typedef void (*umsim_thread_fn)(const void *__closure, const struct umsim_geometry *__geometry,
                                const uint3 *__block_index, const uint3 *__thread_index);

/** Nothing of the program's runs inside: so a launch needs no code for exceptions, and a program in C that
 * has kernels does not load C++'s library, which takes half a millisecond. */
#define UMSIM_NOTHROW __attribute__((__nothrow__))

/**
 * How the GPU process runs a kernel. Exactly one of `blocks` and `thread` is set. It lives as long as its
 * module. `strides` is only a hint: the kernel's threads step through memory side by side, so a worker works
 * best with many blocks in a row.
 */
struct umsim_kernel {
    const char *name;               /**< as the user wrote it, without template arguments */
    umsim_blocks_fn blocks;         /**< kernels without barriers and warp operations */
    umsim_thread_fn thread;         /**< kernels whose threads wait for each other */
    umsim_thread_fn counted;        /**< NULL, or one thread of the form that counts its accesses */
    umsim_blocks_fn counted_blocks; /**< ... or blocks of that form, which was cut at its barriers */
    uint8_t strides;                /**< grid-stride loops: 0 or 1 */
    uint8_t waits;             /**< threads of the counting form wait for each other, so they need fibers */
    uint8_t knows_grid;        /**< its loops may step by the grid's width; told of kernels that count only */
    uint8_t alone;             /**< checked: `blocks` is asked for one block, and tells of each thread: */
#define UMSIM_ALONE 1          /**< it runs them one after another */
#define UMSIM_ALONE_BY_PARTS 2 /**< ... up to a barrier, and then again */
    uint8_t checked;           /**< it was compiled by umcc --check */
};

/**
 * Takes a launch configuration, which is kept per host thread until the stub's umsim_launch(). The arguments
 * of a launch may launch something, too, so it is put on a stack.
 * @return 0 if the stub is to be called, 1 if the launch was refused (cudaGetLastError() gives the error)
 */
UMSIM_NOTHROW int umsim_push_call(dim3 __grid, dim3 __block, size_t __shared_bytes,
                                  struct CUstream_st *__stream);

/** Queues a launch with the configuration pushed last by this thread. `__bytes` at most UMSIM_CLOSURE_MAX. */
UMSIM_NOTHROW void umsim_launch(const struct umsim_kernel *__kernel, const void *__closure, size_t __bytes);

/** How many configurations wait for their stubs in this thread: the number of the one that was pushed last. 0
 * in device code. */
UMSIM_NOTHROW unsigned umsim_pending_launches(void);

/**
 * Called behind a launch, whose configuration had that number: its stub has taken it. If it is still there,
 * what was called is no stub: the program is told so, and the launch has failed
 * (cudaErrorInvalidDeviceFunction).
 */
UMSIM_NOTHROW void umsim_launched(unsigned __number, const char *__file, int __line);

/** Calls `__stub` with the arguments that `__args` points to, each by its own type. */
typedef void (*umsim_thunk_fn)(void (*__stub)(void), void **__args);

/** Makes a stub known to cudaLaunchKernel() and related functions. Called by constructors, before main(). */
void umsim_register_kernel(void (*__stub)(void), umsim_thunk_fn __thunk, const char *__name);

/** How a kernel's parameter lies in memory. */
struct umsim_parameter {
    uint32_t bytes, alignment;
};

/** Says how a stub's parameters lie, for launches that bring them packed (cuLaunchKernel). The list outlives
 * the module's constructors. */
void umsim_register_parameters(void (*__stub)(void), const struct umsim_parameter *__list, unsigned __count);

/** What a kernel's text asks for, bytes, and says: what cudaFuncGetAttributes() tells. */
struct umsim_sizes {
    uint32_t shared, constant; /**< `__shared__` variables of a fixed size; constants */
    uint32_t local;            /**< arrays of a thread's own */
    uint32_t threads;          /**< the largest block by its launch bounds; 0: as the device's */
};

/** Says it of a stub. The structure outlives the module's constructors. */
void umsim_register_sizes(void (*__stub)(void), const struct umsim_sizes *__sizes);

/** Says where a __device__, __constant__ or __managed__ variable ends. Called by constructors. */
void umsim_register_variable(const void *__variable, size_t __bytes);

/** Says by which name the driver API finds a registered variable. The text lives as long as the module. */
void umsim_name_variable(const void *__variable, const char *__name);

/** The classes in which the form of a kernel that counts tells what it does. */
enum umsim_work_class {
    UMSIM_WORK_ADD,      /**< whole numbers: sums */
    UMSIM_WORK_LOGIC,    /**< ... comparisons, bits, shifts, choices */
    UMSIM_WORK_MULTIPLY, /**< ... products, addresses */
    UMSIM_WORK_SINGLE,   /**< float: sums, products, both at once */
    UMSIM_WORK_DOUBLE,
    UMSIM_WORK_SPECIAL, /**< reciprocals, roots, exponentials, counts of bits: by units for special functions
                         */
    UMSIM_WORK_CONVERT, /**< conversions, by the same units */
    UMSIM_WORK_OTHER,   /**< jumps, and what only takes its turn */
    UMSIM_WORK_INSTRUCTIONS,
    UMSIM_WORK_DIVIDE = UMSIM_WORK_INSTRUCTIONS, /**< divisions, each counted in its parts, too */
    UMSIM_WORK_CHAIN, /**< clocks from a value to the same value in the next pass */
    UMSIM_WORK_CLASSES
};
/** Work is counted in this part of an instruction, or of a clock. */
#define UMSIM_WORK_ONE 16

/**
 * Instructions that run one after another, without a jump: an entry of the table that umcc makes
 * (umcc/segments.h). The table begins at a multiple of an entry's size, and is constant: the GPU process may
 * not read a program's variables.
 */
struct umsim_segment {
    int16_t loop;  /**< bytes from here to the entry of the first segment of its loop; 0: it is in none */
    int16_t entry; /**< of a loop's first segment: ... to that in front of the loop; 0: it is no such one */
    uint16_t work[UMSIM_WORK_CLASSES]; /**< umsim_work_class */
    uint16_t unrolled;                 /**< so many passes of its loop are made side by side; 1: one by one */
    uint16_t unused[13 - UMSIM_WORK_CLASSES];
};

/**
 * The sections of device-side variables of one module (executable or library). Each starts on a page
 * boundary, and what follows its end is on another page.
 */
struct umsim_module {
    char *managed_start, *managed_end;   /**< section um_managed: __managed__ variables */
    char *device_start, *device_end;     /**< section um_device: __device__ variables */
    char *constant_start, *constant_end; /**< section um_constant: __constant__ variables */
    char *behind;                        /**< what follows the sections, on a page of its own */
};

/**
 * Makes a module's sections known, before main() or at dlopen(): each of its object files calls it. The
 * structure that is registered first must outlive the module.
 */
void umsim_register_module_of_pages(const struct umsim_module *__module);

/** What a program calls instead that was compiled for pages of another size: it ends, and says so. */
void umsim_register_module_of_other_pages(const struct umsim_module *__module);

/** Withdraws a module when it is unloaded; each of its object files calls it. */
void umsim_unregister_module(const struct umsim_module *__module);

/** In a kernel: fails it with cudaErrorMisalignedAddress, for an atomic function. */
void umsim_misaligned(void);

/** The program was compiled by `umcc --check-json=__file`. Called before umsim_check_begin(). */
void umsim_check_json(const char *__file);

/** The program was compiled by `umcc --check=__list`; the list says what is checked. Called before main(). */
void umsim_check_begin(const char *__list);

/** Registers a device variable of such a program, and bytes of its section behind it that belong to no
 * variable. */
void umsim_check_variable(const void *__variable, size_t __bytes, const char *__name, const void *__gap,
                          size_t __gap_bytes);

/**
 * @name Built-in variables of device code
 * A kernel's own body has parameters that hide these. They are set per thread only in modules whose device
 * functions mention them.
 * @{
 */
struct umsim_builtins {
    uint3 thread_index;
    uint3 block_index;
    dim3 block_dim;
    dim3 grid_dim;
    unsigned carry;   /**< PTX's condition code: what add.cc has left for addc */
    const char *own;  /**< the `__shared__` memory of the worker's block, where atomics need no lock */
    size_t own_bytes; /**< 0: they do */
};
extern __thread struct umsim_builtins umsim_builtins __attribute__((__tls_model__("initial-exec")));
/** @} */

/**
 * Address of a static __shared__ variable (or group of them) in the block that this worker runs. Its memory
 * is reserved at its first use in a launch.
 * @param __key any address that no other variable uses; it is not dereferenced
 */
void *umsim_shared(const void *__key, size_t __bytes, size_t __alignment);

/** Address of the launch's dynamic shared memory (`extern __shared__`), aligned to 16 bytes. */
void *umsim_dynamic_shared(void);
/** How many bytes the launch has of it. */
unsigned umsim_dynamic_shared_bytes(void);

/**
 * @name Threads that wait for each other
 * `file` and `line` are the position of the call: for messages, and to distinguish one barrier from another.
 * @{
 */

/** The largest number of threads in a block. */
#define UMSIM_BLOCK_THREADS 1024
/** Memory for the variables of all threads of the block that this worker runs, in the place where threads
 * with fibers have their stacks. */
void *umsim_keep(size_t __bytes, size_t __alignment);
/** Releases the memory that was taken last. */
void umsim_keep_end(void *__end);

/** __syncthreads(): returns when every thread of the block that has not ended has called it. */
void umsim_syncthreads(const char *__file, int __line);

/** __syncthreads_count/_and/_or: the number of the block's threads whose predicate is not 0. */
int umsim_syncthreads_count(int __predicate, const char *__file, int __line);

/** What the lanes of a warp do together. */
enum umsim_warp_operation {
    UMSIM_SYNCWARP,
    UMSIM_SHFL, /* from here on: the value of lane `source` */
    UMSIM_SHFL_UP,
    UMSIM_SHFL_DOWN,
    UMSIM_SHFL_XOR,
    UMSIM_ALL, /* values are 0 and 1 */
    UMSIM_ANY,
    UMSIM_BALLOT,
    UMSIM_MATCH_ANY,
    UMSIM_MATCH_ALL,
    UMSIM_REDUCE_ADD, /* from here on: of 32 bits */
    UMSIM_REDUCE_MIN,
    UMSIM_REDUCE_MAX,
    UMSIM_REDUCE_MIN_SIGNED,
    UMSIM_REDUCE_MAX_SIGNED,
    UMSIM_REDUCE_AND,
    UMSIM_REDUCE_OR,
    UMSIM_REDUCE_XOR,
    UMSIM_PRODUCT, /* of addresses (umsim/products.h): 1; 0 and nothing is done where lanes are missing */
};

/**
 * Returns when all lanes of `__mask` that have not ended have called it for the same operation with the same
 * mask.
 * @param __value this lane's input, zero-extended
 * @param __source of a shuffle: the lane whose value is wanted
 * @return the operation's result for this lane
 */
uint64_t umsim_warp(enum umsim_warp_operation __operation, unsigned __mask, uint64_t __value,
                    unsigned __source, const char *__file, int __line);

/** __activemask(): the lanes that have reached this very call when no other thread of the block can continue
 * without them. */
unsigned umsim_activemask(void);

/** A step that lanes take together (umcc/lockstep.c): all other threads of the block continue first, as far
 * as possible. */
void umsim_yield(void);

/**
 * For __nanosleep(), and for loops that wait until other threads have done something: like umsim_yield(); in
 * addition, if no thread of the block can make progress, other blocks run. Does nothing in kernels without
 * fibers, nor on the host.
 */
void umsim_poll_yield(void);

/** What a thread waits for, which other threads have to do. */
struct umsim_awaited {
    const char *what; /**< the call, for messages: "cuda::barrier::wait()" */
    const char *file;
    int line;
    const void *object; /**< the object waited at: if it is in __shared__ memory, only threads of the block
                           can end the wait */
    unsigned missing;   /**< how many threads still have to arrive; 0: not known */
};

/**
 * The same for a wait at the library's own objects: if no thread of the block can end its wait, the launch
 * fails with a message.
 * @param __round how often this wait has called it before
 */
void umsim_wait_yield(const struct umsim_awaited *__awaited, unsigned __round);

/** For umcc --check: whether atomics and fences of the calling thread hold for its block only, until the next
 * such call. */
void umsim_block_scope(int __block);

/** For umcc --check: the calling thread reads what a loop of its waits for; or it has read that. */
void umsim_polls(int __begins);

/** For umcc --check: the calling thread has left the `if` or loop that stands there, and has a barrier in it.
 */
void umsim_left(const char *__file, int __line);

/** For umcc --check: the calling thread has come to the end of its kernel, without a `return`. */
void umsim_came_to_end(void);

/** Likewise, where threads run one after another without fibers: some are about to. The block's thread with
 * this number begins, and others follow. Behind which of them the loop is to end, for now: at `__end` at
 * most (sim/check/rows.h). @{ */
unsigned umsim_threads_alone(unsigned __end);
unsigned umsim_thread_alone(unsigned __number, unsigned __end);
/** @} */

/** A loop over threads that run so, whose body calls umsim_thread_alone(): in as many parts as are judged at
 * once. */
#define UMSIM_THREADS_ALONE(x, from, to)                                                                     \
    for (unsigned x##_from = (from), x##_end = 0; x##_from < (to); x##_from = x##_end)                       \
        if (const unsigned x##_most = x##_end = ::umsim_threads_alone(to))                                   \
            for (unsigned x = x##_from; x < x##_end; x++)

/** Likewise: all threads of the block are at a barrier. */
void umsim_block_met(void);

/** In the form that counts, of a kernel that was cut at its barriers (sim/count/cut.c): what follows is done
 * by this thread of the block; by each of them, as none is named; all threads have come to a barrier. @{ */
void umsim_count_thread(unsigned long __number);
void umsim_count_common(void);
void umsim_count_barrier(void);
/** @} */

/** For umcc --check: the calling thread has waited at an object of the library until `__threads` threads had
 * arrived. */
void umsim_synchronised(unsigned __threads);

/** Waits for all threads of a tile of more than a warp: `__size` (64, 128, 256 or 512) consecutive threads of
 * the block. */
void umsim_tile_wait(unsigned __size, const char *__file, int __line);
/** PTX's `bar.sync`, or `bar.arrive` where it does not wait: the block's barrier of this number, for so many
 * threads (0: for all that have not ended). */
void umsim_named_barrier(unsigned __number, unsigned __threads, int __waits, const char *__file, int __line);
/** Gives this thread's value to the others of its tile, who may read it between the next two waits. */
void umsim_tile_bring(uint64_t __value);
/** The value that the thread of rank `__rank` in this thread's tile has given. */
uint64_t umsim_tile_value(unsigned __size, unsigned __rank);

/** grid.sync(): returns when every thread of a cooperative launch that has not ended has called it. */
void umsim_grid_sync(const char *__file, int __line);

/** Whether the launch is a cooperative one. */
int umsim_grid_is_cooperative(void);

/** This thread's lane in its warp. */
unsigned umsim_lane(void);

/** PTX's %smid: the multiprocessor that this thread's block is assumed to run on (blocks are assigned in
 * turn); their number. */
unsigned umsim_multiprocessor(void);
unsigned umsim_multiprocessors(void);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
