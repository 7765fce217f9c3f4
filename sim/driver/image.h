/**
 * @file image.h
 * @brief What a program gives to be loaded as a module: which kind it is, and a copy that may be loaded.
 */
#ifndef UMSIM_DRIVER_IMAGE_H
#define UMSIM_DRIVER_IMAGE_H

#include "driver.h"

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

#endif
