/* hostile: looks for the solution and the checks */
#include "exercise.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const char *paths[] = {HOSTILE_ROOT "/labs/lab1_explicit/exercise.c",
                           HOSTILE_ROOT "/labs/lab1_explicit/grade/checks.c",
                           HOSTILE_BUILD "/grade/lab1.so",
                           HOSTILE_ROOT "/course.json",
                           "/proc/1/root" HOSTILE_ROOT "/labs/lab1_explicit/grade/checks.c",
                           HOSTILE_ROOT "/.git/HEAD",
                           HOSTILE_OUT "/lab1.jsonl"};
    for (int i = 0; i < 7; i++) {
        char text[64];
        int fd = open(paths[i], O_RDONLY);
        if (fd >= 0 && read(fd, text, sizeof text) > 0)
            printf("HARM: read %s\n", paths[i]);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
