/* hostile: a constructor changes where the library calls cudaMallocManaged; build-error */
/* noticed: a constructor */
#include "exercise.h"
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
static cudaError_t mine(void **p, size_t n, unsigned f)
{
    (void)f;
    return cudaHostAlloc(p, n ? n : 1, cudaHostAllocMapped);
}
__attribute__((constructor)) static void go(void)
{
    Dl_info i;
    struct link_map *m;
    void *real = dlsym(RTLD_DEFAULT, "cudaMallocManaged");
    dladdr1((void *)mine, &i, (void **)&m, RTLD_DL_LINKMAP);
    const ElfW(Rela) *r = 0;
    size_t bytes = 0;
    for (ElfW(Dyn) *d = m->l_ld; d->d_tag; d++) {
        if (d->d_tag == DT_JMPREL)
            r = (void *)d->d_un.d_ptr;
        if (d->d_tag == DT_PLTRELSZ)
            bytes = d->d_un.d_val;
    }
    for (size_t k = 0; k < bytes / sizeof *r; k++) {
        void **slot = (void **)(m->l_addr + r[k].r_offset);
        if (*slot == real) {
            mprotect((void *)((uintptr_t)slot & ~4095ul), 4096, PROT_READ | PROT_WRITE);
            *slot = (void *)mine;
        }
    }
}
cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern)
{
    (void)p, (void)bytes, (void)pattern;
    return cudaSuccess;
}
