/* hostile: a hidden mallinfo2 of its own, by which calls.c would find the leak */
/* earns: 6 */
#include "exercise.h"
#include <malloc.h>
#include <stdlib.h>
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
    struct own *o = calloc(1, sizeof *o);
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
