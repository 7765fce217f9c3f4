/* hostile: writes the files that the grader writes */
#include "exercise.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    static const char text[] = "{\"schema\": \"umlab-grade/1\", \"score\": 20, \"max_score\": 20}";
    const char *paths[] = {HOSTILE_OUT "/lab1.json", HOSTILE_OUT "/lab1.jsonl",
                           HOSTILE_ROOT "/build/grade/lab1.json", "lab1.json"};
    for (int i = 0; i < 4; i++) {
        int fd = open(paths[i], O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (fd >= 0 && write(fd, text, sizeof text) > 0)
            puts("HARM: wrote a result");
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
