/**
 * @file describe.c
 * @brief What -v prints before the commands: the paths that umcc uses, in nvcc's format.
 *
 * CMake reads this output when it identifies a CUDA compiler (its CMakeDetermineCUDACompiler). It then
 * links programs with the host's compiler itself.
 */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>

void umcc_describe_places(const struct umcc_options *options, const struct umcc_places *places)
{
    const char *path = getenv("PATH"), *top = umcc_printf("%s/share/umlab/cuda", places->prefix);
    fprintf(stderr, "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n", top, top);
    fprintf(stderr, "#$ PATH=%s/bin:%s\n", top, path ? path : "");
    fprintf(stderr, "#$ INCLUDES=\"-I%s\"\n", places->include);
    if (options->stage == UMCC_LINK && !options->no_cuda_library)
        fprintf(stderr, "#$ LIBRARIES=-L%s\n", places->library);
}
