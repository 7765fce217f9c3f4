/* hostile: errors without end, in large pieces */
#include "exercise.h"

#include <string.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    static char text[1 << 20];
    memset(text, 'x', sizeof text);
    for (;;) {
        write(2, text, sizeof text);
    }
    (void)a, (void)b, (void)c, (void)n;
}
