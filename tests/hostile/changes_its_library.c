/* hostile: rewrites the library that later calls load */
#include "exercise.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    static Dl_info self;
    if (dladdr((void *)(uintptr_t)vector_add_host, &self) && self.dli_fname) {
        int fd = open(self.dli_fname, O_RDWR);
        if (fd >= 0 || unlink(self.dli_fname) == 0 || chmod(self.dli_fname, 0777) == 0)
            puts("HARM: changed the library");
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
