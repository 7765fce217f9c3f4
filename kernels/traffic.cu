/**
 * @file traffic.cu
 * @brief The bytes that each kernel moves for one element, as data for bandwidths, docs and tests.
 */
#include "launch.h"

#include <cstring>

static const struct um_kernel_traffic traffic[] = {
    {"um_add_one", "int", 4, 4, ""},
    {"um_vector_add", "float", 8, 4, ""},
    {"um_saxpy", "float", 8, 4, ""},
    {"um_fill", "float", 0, 4, ""},
    {"um_copy_by_kernel", "byte", 1, 1, ""},
    {"um_smooth", "float", 4, 4, "its neighbours' reads find it in a cache"},
    {"um_sum", "float", 4, 0, "without the partial sums: 16 bytes a block, and the result"},
    {"um_strided_touch", "touch", 64, 32,
     "strides of 16 floats or more; below that, 4 bytes times the stride are read"},
    {"um_page_write", "page", 0, 32, ""},
    {"um_page_read", "page", 64, 1, ""},
    {"um_gather", "float", 68, 4,
     "4 of the index, and two sectors of the table, 64 bytes: nothing is near anything else"},
    {"um_pointer_chase", "step", 32, 0, "without the result"},
    {"um_list_sum", "node", 32, 0, "without the result; two nodes share a sector when they are neighbours"},
    {"um_record_move", "record", 32, 32, "the kernel asks for 24 and changes 12; sectors move whole"},
};

extern "C" const struct um_kernel_traffic *um_kernel_traffic(size_t *count)
{
    if (count)
        *count = sizeof traffic / sizeof traffic[0];
    return traffic;
}

extern "C" double um_kernel_bytes(const char *name, size_t n)
{
    for (const struct um_kernel_traffic &row : traffic) {
        if (strcmp(row.name, name) == 0)
            return (double)n * (double)(row.read_bytes + row.write_bytes);
    }
    return 0;
}
