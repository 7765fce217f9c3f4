/* hostile: words to the harness instead of the work: for ever, about views that are not there, in one go */
/* cases: 3 */
#include "exercise.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

bool record_layout(const struct lab8_field *f, size_t c, size_t *o, size_t *r)
{
    (void)f, (void)c, (void)o, (void)r;
    return false;
}
enum lab8_access host_access(const void *p, size_t b, cudaStream_t s)
{
    (void)p, (void)b, (void)s;
    return LAB8_NO_ANSWER;
}
cudaError_t export_view(struct lab8_memory *memory, const struct lab8_view *view, struct lab8_tensor **out)
{
    void (*tell)(uint32_t) = (void (*)(uint32_t))dlsym(RTLD_DEFAULT, "um_tell");

    (void)memory, (void)view;
    puts(tell ? "AIMED: um_tell" : "MISSED: um_tell");
#if HOSTILE_CASE == 0
    for (;;)
        tell(0);
#elif HOSTILE_CASE == 1
    for (uint32_t i = 0; i < 64; i++)
        tell(UINT32_MAX >> i % 32);
#else
    for (uint32_t i = 0; i < 504; i++)
        tell(i);
    *out = calloc(1, sizeof **out);
#endif
    return cudaSuccess;
}
