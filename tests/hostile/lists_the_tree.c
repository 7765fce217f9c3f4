/* hostile: looks around */
#include "exercise.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const char *paths[] = {HOSTILE_ROOT, HOSTILE_ROOT "/labs", "/root", "/home", HOSTILE_OUT};
    for (int i = 0; i < 5; i++) {
        DIR *folder = opendir(paths[i]);
        for (struct dirent *entry; folder && (entry = readdir(folder));) {
            if (strstr(entry->d_name, ".json") || strstr(entry->d_name, "explicit") ||
                strstr(entry->d_name, "ssh"))
                printf("HARM: saw %s in %s\n", entry->d_name, paths[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
