/**
 * @file format.h
 * @brief Formats of arrays' elements, as the driver and as the runtime has them (array.c).
 */
#ifndef UMSIM_DRIVER_FORMAT_H
#define UMSIM_DRIVER_FORMAT_H

#include "driver.h"

/** The runtime's form. @return false: no such format, or not 1, 2 or 4 channels */
bool umsim_format_of(struct cudaChannelFormatDesc *out, CUarray_format format, unsigned channels);
/** The other way. @return the format; CU_AD_FORMAT_MAX: none */
CUarray_format umsim_format_told(const struct cudaChannelFormatDesc *desc, unsigned *channels);

#endif
