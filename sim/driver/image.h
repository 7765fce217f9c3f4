/**
 * @file image.h
 * @brief What a program gives to be loaded as a module: which kind it is, and a copy that may be loaded.
 */
#ifndef UMSIM_DRIVER_IMAGE_H
#define UMSIM_DRIVER_IMAGE_H

#include "driver.h"

/** The most modules that are linked to one. */
#define UMSIM_LINKED_MAX 64

/** What cuLinkComplete() makes of several modules: this, and behind it each of them. */
struct umsim_linked {
    char magic[16];
    uint64_t count;
    uint64_t bytes[UMSIM_LINKED_MAX]; /**< of each, as it was added */
};
#define UMSIM_LINKED_MAGIC "umlab linked 1\n"

/** Why an image was refused, for the program's log. */
struct umsim_image_log {
    char text[512];
};

/**
 * Copies a module of umcc's out of the program's memory, of which only the beginning is known.
 * @param[out] file its copy, a file in memory, which the caller closes
 * @return CUDA_ERROR_INVALID_PTX for PTX, CUDA_ERROR_NO_BINARY_FOR_GPU for NVIDIA's machine code,
 *     CUDA_ERROR_INVALID_IMAGE for what is neither, or has changed since umcc made it; with one line
 */
CUresult umsim_image_copy(const void *image, int *file, struct umsim_image_log *log);

/** Whether it is several modules. @param[out] linked what is in front of them */
bool umsim_image_is_linked(const void *image, struct umsim_linked *linked);

/** Says in the log why an image is refused, and to the user. @return error */
__attribute__((format(printf, 3, 4))) CUresult umsim_image_refuse(struct umsim_image_log *log, CUresult error,
                                                                  const char *format, ...);

#endif
