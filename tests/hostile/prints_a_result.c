/* hostile: prints what the grader prints, and a result document */
#include "exercise.h"

#include <stdio.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    puts("== Test vector_add_host/right_data == OK (0.1s)\nScore: 20/20");
    puts("{\"schema\": \"umlab-grade/1\", \"complete\": true, \"score\": 20, \"max_score\": 20}");
    fputs("\033[2J\033]0;owned\007\r", stdout);
    fflush(stdout);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
