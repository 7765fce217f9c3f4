/**
 * @file exercise.h
 * @brief Lab 0's exercise: which kinds of memory does a machine allow a program to use?
 *
 * A program for more than one machine asks before it uses a kind of memory: what works on a server with a
 * big card may fail on a laptop. `make doctor` prints the attributes, and what each means for the labs.
 * `make doctor PROFILE=limited` prints those of a machine that can do less. The CUDA Runtime API's manual
 * says what each call needs.
 */
#ifndef LAB0_EXERCISE_H
#define LAB0_EXERCISE_H

/**
 * What cudaDeviceGetAttribute() said about a device: 1 is yes, 0 is no. -1 stands for an attribute that the
 * runtime did not know (an older runtime asked about a newer feature): then nothing is promised.
 */
struct lab0_caps {
    int can_map_host_memory;        /**< cudaDevAttrCanMapHostMemory */
    int host_register_supported;    /**< cudaDevAttrHostRegisterSupported */
    int registered_at_same_address; /**< cudaDevAttrCanUseHostPointerForRegisteredMem */
    int managed_memory;             /**< cudaDevAttrManagedMemory */
    int concurrent_managed_access;  /**< cudaDevAttrConcurrentManagedAccess */
    int pageable_memory_access;     /**< cudaDevAttrPageableMemoryAccess */
    int memory_pools_supported;     /**< cudaDevAttrMemoryPoolsSupported */
};

/** Uses of memory, one bit each. */
enum lab0_kind {
    LAB0_DEVICE = 1 << 0,          /**< a kernel uses cudaMalloc's memory */
    LAB0_PINNED_COPY = 1 << 1,     /**< cudaMemcpy from memory that cudaMallocHost gave */
    LAB0_MAPPED = 1 << 2,          /**< a kernel reads memory from cudaHostAlloc in place */
    LAB0_REGISTERED_COPY = 1 << 3, /**< cudaHostRegister on malloc's memory, then cudaMemcpy from it */
    LAB0_REGISTERED_IN_PLACE =
        1 << 4,            /**< ... then a kernel reads it in place, by the same pointer that malloc gave */
    LAB0_MANAGED = 1 << 5, /**< cudaMallocManaged; host and kernels take turns */
    LAB0_MANAGED_TOGETHER = 1 << 6, /**< ... and the host reads it while a kernel is running */
    LAB0_PAGEABLE = 1 << 7, /**< a kernel follows malloc's pointer, without any call of CUDA's for it */
    LAB0_POOL = 1 << 8,     /**< cudaMallocAsync */
    LAB0_KINDS = (1 << 9) - 1
};

/**
 * Which uses the device with these attributes allows.
 *
 * A use is allowed when the device has everything that it needs. Attributes may come in any combination,
 * including ones that no machine on sale has. Every device that runs CUDA has its own memory, and copies from
 * pinned memory. Judge each use by the attributes that it needs itself; no use is a way around another one.
 *
 * What is counted: calls of CUDA, which have to be 0. The attributes may be those of another machine, so it
 * would be wrong to ask the machine that the program runs on.
 *
 * @param caps the device's attributes; not NULL
 * @return bits of enum lab0_kind
 */
unsigned allowed_kinds(const struct lab0_caps *caps);

#endif
