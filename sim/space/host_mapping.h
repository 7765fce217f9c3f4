/**
 * @file host_mapping.h
 * @brief What the program has mapped at an address, and whether CUDA could pin it (cudaHostRegister).
 *
 * Host process only; callers hold the simulator's lock. Linux pins any private page, and pages of shared
 * memory. It pins no page for long that is shared with a file on a disk and writable: the file system would
 * not learn of what a device writes.
 */
#ifndef UMSIM_HOST_MAPPING_H
#define UMSIM_HOST_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

enum umsim_pinning {
    UMSIM_PINS,
    UMSIM_PINS_NOT,      /* nothing is mapped there, or its protection forbids it */
    UMSIM_PINS_NOT_DISK, /* shared with a file on a disk, and writable */
};

/** A piece of one mapping. */
struct umsim_host_mapping {
    uintptr_t start, end;
    int protection;        /* PROT_... */
    bool shared;           /* with other mappings, or with a file */
    uint64_t file, offset; /* which file (proc_maps.h), and where `start` lies in it */
};

/**
 * Looks at the mapping of `start`. Where there is none, the piece is the gap.
 * @param end the piece ends here at the latest
 * @param for_writing whether the device is to write to it
 */
enum umsim_pinning umsim_host_mapping_at(uintptr_t start, uintptr_t end, bool for_writing,
                                         struct umsim_host_mapping *piece);

/** The number that mappings of an open file have in `file`. */
uint64_t umsim_file_number(int fd);

/** Visits each shared mapping of the bytes [start, end) of a file, wherever it is. */
void umsim_host_mappings_of(uint64_t file, uint64_t start, uint64_t end,
                            void (*visit)(const struct umsim_host_mapping *piece));

/** Whether the GPU process has the same pages of the same file at this address: it inherits shared mappings
 * when it is forked. */
bool umsim_gpu_has_mapping(const struct umsim_host_mapping *piece);

#endif
