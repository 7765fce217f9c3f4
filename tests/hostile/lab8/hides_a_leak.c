/* hostile: nothing is given back, and it is kept where nobody might count it: by a hidden mallinfo2 of its
 * own, in static memory, in more of it, on the stack, in closed pages of pinned memory */
/* earns: 6 */
/* cases: 5 */
/* seconds: 40 */
#include "exercise.h"
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <string.h>
__attribute__((visibility("hidden"))) struct mallinfo2 mallinfo2(void)
{
    struct mallinfo2 m;
    memset(&m, 0, sizeof m);
    return m;
}
bool record_layout(const struct lab8_field *f, size_t c, size_t *o, size_t *r)
{
    (void)f, (void)c, (void)o, (void)r;
    return false;
}
enum lab8_access host_access(const void *p, size_t b, cudaStream_t s)
{
    (void)p, (void)b, (void)s;
    return 0;
}
struct own {
    struct lab8_tensor t;
    int64_t shape[4], strides[4];
    struct lab8_memory *m;
    char more[100];
};
/* Given out, and never again. */
static void *keep(size_t bytes)
{
#if HOSTILE_CASE == 0
    return calloc(1, bytes);
#elif HOSTILE_CASE == 3
    static char *top; /* down to what a process's stack may grow to */
    char here;
    if (!top)
        top = &here - 65536;
    top -= (bytes + 15) / 16 * 16;
    return memset((void *)((uintptr_t)top & ~(uintptr_t)15), 0, bytes);
#else
#if HOSTILE_CASE == 4
    static char *pool;
    static bool tried;
    enum { POOL = 256 << 20 };
    if (!tried) { /* the arenas' second, wherever it begins */
        for (uintptr_t at = 0x7a0000000000; at < 0x7d0000000000 && !pool; at += 1 << 30)
            if (mprotect((void *)at, POOL, PROT_READ | PROT_WRITE) == 0)
                pool = (char *)at;
        puts(pool ? "AIMED: pinned memory" : "no pinned memory here");
        tried = true;
    }
#else
    enum { POOL = HOSTILE_CASE == 1 ? 4 << 20 : 256 << 20 };
    static char pool[POOL] __attribute__((aligned(16)));
#endif
    static size_t used;
    bytes = (bytes + 15) / 16 * 16;
    if (!pool || used + bytes > POOL)
        return NULL;
    used += bytes;
    return memset(pool + used - bytes, 0, bytes);
#endif
}
static void deleter(struct lab8_tensor *t)
{
    struct own *o = (struct own *)t;
    o->m->release(o->m); /* never freed */
}
static bool mulo(unsigned __int128 *a, unsigned __int128 b)
{
    *a *= b;
    return *a >> 96;
}
cudaError_t export_view(struct lab8_memory *m, const struct lab8_view *v, struct lab8_tensor **out)
{
    *out = NULL;
    if (v->ndim < 0 || v->ndim > 4 || !v->bits || v->bits % 8 || v->offset > m->bytes)
        return cudaErrorInvalidValue;
    __int128 lo = 0, hi = 0;
    bool empty = false;
    int64_t st[4];
    __int128 dense = 1;
    for (int i = 0; i < v->ndim; i++) {
        if (v->shape[i] < 0)
            return cudaErrorInvalidValue;
        if (!v->shape[i])
            empty = true;
    }
    for (int i = v->ndim; i--;) {
        if (v->strides)
            st[i] = v->strides[i];
        else {
            st[i] = (int64_t)dense;
            if (v->shape[i])
                dense *= v->shape[i];
            if (dense > ((__int128)1 << 70)) {
                if (!empty)
                    return cudaErrorInvalidValue;
                dense = 1;
            }
        }
    }
    for (int i = 0; i < v->ndim && !empty; i++) {
        __int128 s = (__int128)(v->shape[i] - 1) * st[i];
        if (s < 0)
            lo += s;
        else
            hi += s;
    }
    (void)mulo;
    if (!empty) {
        int64_t e = v->bits / 8;
        __int128 a = lo * e + (__int128)v->offset, b = hi * e + (__int128)v->offset + e;
        if (a < 0 || b > (__int128)m->bytes)
            return cudaErrorInvalidValue;
    }
    struct own *o = keep(sizeof *o);
    if (!o)
        return cudaErrorMemoryAllocation;
    o->m = m;
    o->t = (struct lab8_tensor){.major = 1,
                                .context = o,
                                .deleter = deleter,
                                .flags = m->read_only ? LAB8_READ_ONLY : 0,
                                .data = (char *)m->data + v->offset,
                                .device_type = m->device_type,
                                .device_id = m->device_id,
                                .ndim = v->ndim,
                                .code = v->code,
                                .bits = v->bits,
                                .lanes = 1,
                                .shape = o->shape,
                                .strides = o->strides};
    for (int i = 0; i < v->ndim; i++) {
        o->shape[i] = v->shape[i];
        o->strides[i] = st[i];
    }
    m->retain(m);
    *out = &o->t;
    return 0;
}
