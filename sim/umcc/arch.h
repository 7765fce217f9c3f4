/**
 * @file arch.h
 * @brief How a source that was preprocessed twice, for the host and for the GPU, becomes one (arch.c).
 */
#ifndef UMCC_ARCH_H
#define UMCC_ARCH_H

#include "umcc.h"

struct umcc_merge {
    struct umcc_unit *host, *device;
    int *twin; /**< for each of the host's tokens: the device's token at the same place, -1: there is none */
    bool *shared; /**< for each of the device's tokens: whether it is the twin of a host token */
    char *taken;  /**< for each of the host's tokens: how the function whose body it begins is merged */
    struct umcc_name *constants; /**< what differs between the sides; tokens of the host's */
    bool device_is_parsed;
    struct umcc_text *out;
};
enum { UMCC_AS_IT_IS, UMCC_FROM_DEVICE, UMCC_FROM_BOTH };

/** The namespace of the device's constants. */
#define UMCC_ARCH_CONSTANTS "umsim_arch_constants"

/**
 * Whether what stands at one place, the host's tokens from `first` to before `end` and the device's from
 * `device_first` to before `device_end`, are constants of the same names, `const int width = 2;`, that only
 * functions' bodies mention. Then those bodies are noted as to be merged.
 */
bool umcc_are_constants(struct umcc_merge *merge, int first, int end, int device_first, int device_end);

/** Behind the brace that opens a body in the device's tokens: says that it means the device's constants. */
void umcc_name_constants(struct umcc_merge *merge, int device_open);

#endif
