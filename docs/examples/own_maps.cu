/**
 * @file own_maps.cu
 * @brief What a program's own page table has at an address of each kind. docs/faults.md quotes it.
 *
 * Prints the line of /proc/self/maps that holds each pointer: its addresses are left out where they differ
 * from run to run. For nvcc and umcc. Exit 0 when the host may read exactly what it should, 1 when not, 2
 * when there is no device.
 */
#include "check.h"

#include <stdint.h>
#include <string.h>

//! [look]
/* The permissions at `p`, such as "rw-p"; "none" when no line of the list has it. */
static void permissions_of(const void *p, char text[5])
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];

    strcpy(text, "none");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long long first, end, at = (uintptr_t)p;
        char permissions[5];
        if (sscanf(line, "%llx-%llx %4s", &first, &end, permissions) == 3 && first <= at && at < end)
            strcpy(text, permissions);
    }
    if (maps)
        fclose(maps);
}
//! [look]

int main(void)
{
    static int global;
    int *heap = (int *)malloc(64), *device, *pinned, *managed, status = 0;

    CHECK(cudaMalloc(&device, 64));
    CHECK(cudaMallocHost(&pinned, 64));
    CHECK(cudaMallocManaged(&managed, 64));
    *managed = 1; // the host has touched it: its page is here now

    const struct {
        const char *name;
        const void *p;
        char readable;
    } rows[] = {{"a global variable", &global, 'r'}, {"malloc", heap, 'r'},
                {"cudaMallocHost", pinned, 'r'},     {"cudaMallocManaged, touched by the host", managed, 'r'},
                {"cudaMalloc", device, '-'},         {"address 0", NULL, 'n'}};
    for (const auto &row : rows) {
        char permissions[5];
        permissions_of(row.p, permissions);
        printf("%-40s %s\n", row.name, permissions);
        status |= permissions[0] != row.readable;
    }
    free(heap);
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
    return status;
}
