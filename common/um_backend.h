/**
 * @file um_backend.h
 * @brief Says which backend this program was built for, which device it found, and how much memory a lab may
 * ask of it.
 *
 * Built with UMLAB_CUDA, a program uses NVIDIA's runtime and a real GPU, and its times are measured. Built
 * with UMLAB_SIM, it uses the simulator, and its times are modelled. Neither falls back to the other.
 */
#ifndef UM_BACKEND_H
#define UM_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#if defined(UMLAB_SIM) == defined(UMLAB_CUDA)
#error "build with exactly one of -DUMLAB_SIM and -DUMLAB_CUDA (make BACKEND=sim, make BACKEND=cuda)"
#endif

/** The device that labs run on (device 0), read once by um_device_ready(). */
struct um_device {
    char name[256];    /**< e.g. "NVIDIA H200" */
    char profile[256]; /**< sim: the profile's name; "" on cuda */
    char driver[64];   /**< e.g. "580.159.04"; "" when it is not known, and on sim */
    int runtime;       /**< cudaRuntimeGetVersion(): 13000 */
    size_t total_bytes;
    int multiprocessors;
    int async_engines;
    bool managed;            /**< cudaDevAttrManagedMemory */
    bool concurrent_managed; /**< cudaDevAttrConcurrentManagedAccess: host and GPU may both touch managed
                                memory while a kernel runs. Not so on Windows, WSL and Tegra: labs 5 and 6
                                skip parts */
    bool pageable_access;    /**< cudaDevAttrPageableMemoryAccess: kernels may follow malloc's pointers (HMM,
                                ATS), so lessons that expect cudaErrorIllegalAddress must be skipped */
    bool can_map_host;       /**< cudaDevAttrCanMapHostMemory */
    bool host_register;      /**< cudaDevAttrHostRegisterSupported */
    bool unified_addressing; /**< cudaDevAttrUnifiedAddressing */
};

/** True when built for the simulator. */
bool um_is_sim(void);

/** "sim" or "cuda". */
const char *um_backend_name(void);

/** "modelled" on sim, "measured" on cuda. */
const char *um_times(void);

/** The simulator's profile, or the GPU's name: the second word of a lab's last line. */
const char *um_device_label(void);

/**
 * Finds the device, starts the runtime and loads the kernels, so that their loading time falls outside of all
 * phases. Without a usable GPU it prints one line on stderr.
 * @param program name that begins the line, e.g. "lab1".
 * @return -1 to go on, else UM_EXIT_CANNOT.
 */
int um_device_ready(const char *program);

/** The device, after um_device_ready() returned -1. */
const struct um_device *um_device(void);

/**
 * Checks whether `device_bytes` of device memory and `host_bytes` of host memory are available now; if not,
 * prints one line on stderr. On sim both come out of this machine's memory.
 * @return -1 to go on, else UM_EXIT_CANNOT.
 */
int um_size_fits(const char *program, double device_bytes, double host_bytes);

/**
 * Whether a program may allocate `bytes` of managed memory. On sim that is always true. On cuda the limit is
 * a quarter of the free device memory: asking a real card for more than it has can hang it, so
 * oversubscription is for the simulator. Where the answer is no, one sentence on stderr says why.
 */
bool um_managed_allowed(size_t bytes);

#endif
