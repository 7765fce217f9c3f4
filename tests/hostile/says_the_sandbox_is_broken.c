/* hostile: tells the grader that its own machinery does not work */
#include "exercise.h"

#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int fd = 3; fd < 1024; fd++) {
        write(fd, "Eno simulator", 13);
    }
    (void)a, (void)b, (void)c, (void)n;
    _exit(120);
}
