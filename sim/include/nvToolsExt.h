/**
 * @file nvToolsExt.h
 * @brief NVTX by the name that it had up to CUDA 12: programs include it, and are linked with -lnvToolsExt.
 */
#include "nvtx3/nvToolsExt.h"
