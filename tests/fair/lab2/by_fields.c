/* fair: looks at the pointers of the answer more than at its type, and reads the page table by stdio and
 * sscanf */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime_api.h>

#include "exercise.h"

#define PAGE ((uintptr_t)4096)

static bool asked(struct cudaPointerAttributes *of, uintptr_t p)
{
    const cudaError_t error = cudaPointerGetAttributes(of, (const void *)p);

    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return error == cudaSuccess;
}

enum lab2_kind classify(const void *p)
{
    struct cudaPointerAttributes of;

    if (!asked(&of, (uintptr_t)p))
        return LAB2_NO_ANSWER;
    if (!of.devicePointer)
        return LAB2_PLAIN;
    if (!of.hostPointer)
        return LAB2_DEVICE;
    return of.type == cudaMemoryTypeManaged ? LAB2_MANAGED : LAB2_PINNED;
}

static bool is_managed(uintptr_t first, uintptr_t last)
{
    return classify((const void *)first) == LAB2_MANAGED && classify((const void *)last) == LAB2_MANAGED;
}

/* The next mapping of the file: where it lies, and whether it can be read. */
static bool next_mapping(FILE *maps, char **line, size_t *capacity, uintptr_t *start, uintptr_t *end,
                         bool *readable)
{
    char mode = '-';

    if (getline(line, capacity, maps) < 0 ||
        sscanf(*line, "%" SCNxPTR "-%" SCNxPTR " %c", start, end, &mode) != 3)
        return false;
    *readable = mode == 'r';
    return true;
}

/* Walks through the mappings and the bytes at once. */
static bool walk(FILE *maps, uintptr_t at, uintptr_t last)
{
    uintptr_t start = 0, end = 0;
    char *line = NULL;
    size_t capacity = 0;
    bool readable = false, more = true;

    for (;;) {
        while (more && end <= at) {
            more = next_mapping(maps, &line, &capacity, &start, &end, &readable);
        }
        const uintptr_t to_page_end = (at | (PAGE - 1)) < last ? (at | (PAGE - 1)) : last;
        uintptr_t reached = to_page_end;

        if (more && readable && start <= at)
            reached = end - 1 < last ? end - 1 : last;
        else if (!is_managed(at, to_page_end))
            break;
        if (reached == last) {
            free(line);
            return true;
        }
        at = reached + 1;
    }
    free(line);
    return false;
}

bool host_may_read(const void *p, size_t n)
{
    const uintptr_t first = (uintptr_t)p;
    bool may = false;
    FILE *maps;

    if (n == 0)
        return true;
    if (first > UINTPTR_MAX - n)
        return false;
    maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return false;
    may = walk(maps, first, first + (n - 1));
    fclose(maps);
    return may;
}
