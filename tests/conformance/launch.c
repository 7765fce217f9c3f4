/**
 * @file launch.c
 * @brief Launches outside the limits, by <<<>>> and by cudaLaunchKernel, and of what is no kernel.
 */
#include "behaviour.h"
#include "launchers.h"
#include "um_test.h"

static const dim3 ONE = {1, 1, 1};

static cudaError_t by_call(dim3 grid, dim3 block, size_t dynamic_shared)
{
    return cudaLaunchKernel(conf_empty_kernel(), grid, block, NULL, dynamic_shared, 0);
}

/* What is refused leaves its error behind, once, and harms nothing else. */
static void both_ways(const char *by_brackets, const char *by_function, dim3 grid, dim3 block,
                      size_t dynamic_shared)
{
    UM_RETURNS(by_brackets, conf_launch(grid, block, dynamic_shared, 0));
    CU_ASSERT_EQUAL(cudaGetLastError(), cudaSuccess);
    UM_RETURNS(by_function, by_call(grid, block, dynamic_shared));
    (void)cudaGetLastError();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

#define LAUNCH_TEST(function, what, grid, block, dynamic_shared)                                             \
    static void function(void)                                                                               \
    {                                                                                                        \
        both_ways("<<<>>>: " what, "cudaLaunchKernel: " what, grid, block, dynamic_shared);                  \
    }

#define DIM(x, y, z) ((dim3){x, y, z})

LAUNCH_TEST(plain, "one thread", ONE, ONE, 0)
LAUNCH_TEST(threads_1024, "1024 threads a block", ONE, DIM(1024, 1, 1), 0)
LAUNCH_TEST(threads_2048, "2048 threads a block", ONE, DIM(2048, 1, 1), 0)
LAUNCH_TEST(threads_1025, "1025 threads a block", ONE, DIM(1025, 1, 1), 0)
LAUNCH_TEST(threads_32_33, "block 32 x 33", ONE, DIM(32, 33, 1), 0)
LAUNCH_TEST(grid_0, "a zero grid", DIM(0, 1, 1), ONE, 0)
LAUNCH_TEST(grid_y_0, "grid.y 0", DIM(1, 0, 1), ONE, 0)
LAUNCH_TEST(block_0, "a zero block", ONE, DIM(0, 1, 1), 0)
LAUNCH_TEST(block_z_64, "block.z 64", ONE, DIM(1, 1, 64), 0)
LAUNCH_TEST(block_z_65, "block.z 65", ONE, DIM(1, 1, 65), 0)
LAUNCH_TEST(grid_y_65535, "grid.y 65535", DIM(1, 65535, 1), ONE, 0)
LAUNCH_TEST(grid_y_70000, "grid.y 70000", DIM(1, 70000, 1), ONE, 0)
LAUNCH_TEST(grid_z_65536, "grid.z 65536", DIM(1, 1, 65536), ONE, 0)
LAUNCH_TEST(grid_x_2_31, "grid.x 2^31", DIM(0x80000000u, 1, 1), ONE, 0)
LAUNCH_TEST(shared_48k, "48 KiB of dynamic shared memory", ONE, ONE, 49152)
LAUNCH_TEST(shared_48k_1, "48 KiB and 1 byte of dynamic shared memory", ONE, ONE, 49153)
LAUNCH_TEST(shared_1m, "1 MiB of dynamic shared memory", ONE, ONE, (size_t)1 << 20)

static void a_function_that_is_no_kernel_is_refused(void)
{
    UM_RETURNS("cudaLaunchKernel: a function that is no kernel",
               cudaLaunchKernel((const void *)(size_t)a_function_that_is_no_kernel_is_refused, ONE, ONE, NULL,
                                0, 0));
    UM_RETURNS("cudaLaunchKernel: a function that is no kernel: cudaGetLastError", cudaGetLastError());
    UM_RETURNS("cudaLaunchKernel: a function that is no kernel: cudaGetLastError again", cudaGetLastError());
}

static void NULL_as_the_kernel_is_refused(void)
{
    UM_RETURNS("cudaLaunchKernel: NULL", cudaLaunchKernel(NULL, ONE, ONE, NULL, 0, 0));
    (void)cudaGetLastError();
}

static void an_extern_C_kernel_from_C_gets_its_arguments(void)
{
    enum { N = 1000 };
    int *x = NULL;
    size_t n = N;
    void *arguments[] = {&x, &n};

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&x, N * sizeof *x), cudaSuccess);
    for (int i = 0; i < N; i++)
        x[i] = i;
    UM_RETURNS("cudaLaunchKernel: an extern \"C\" kernel, from C",
               cudaLaunchKernel((const void *)(size_t)conf_add_one, (dim3){4, 1, 1}, (dim3){256, 1, 1},
                                arguments, 0, 0));
    UM_RETURNS("cudaLaunchKernel: an extern \"C\" kernel, from C: synchronise", cudaDeviceSynchronize());
    UM_BEHAVIOUR("cudaLaunchKernel: an extern \"C\" kernel, from C: first and last element", "%d %d", x[0],
                 x[N - 1]);
    CU_ASSERT_EQUAL(cudaFreeHost(x), cudaSuccess);
}

static void a_refused_launch_leaves_its_error_until_it_is_read(void)
{
    (void)cudaLaunchKernel(conf_empty_kernel(), ONE, (dim3){2048, 1, 1}, NULL, 0, 0);
    UM_RETURNS("refused launch: cudaPeekAtLastError", cudaPeekAtLastError());
    UM_RETURNS("refused launch: cudaDeviceSynchronize", cudaDeviceSynchronize());
    UM_RETURNS("refused launch: cudaGetLastError after a successful call", cudaGetLastError());
    UM_RETURNS("refused launch: cudaGetLastError again", cudaGetLastError());
}

UM_TESTS("launch limits", {"one thread is launched", plain},
         {"1024 threads a block are launched", threads_1024},
         {"2048 threads a block are refused", threads_2048},
         {"1025 threads a block are refused", threads_1025}, {"a block of 32 x 33 is refused", threads_32_33},
         {"a zero grid is refused", grid_0}, {"grid.y 0 is refused", grid_y_0},
         {"a zero block is refused", block_0}, {"block.z 64 is launched", block_z_64},
         {"block.z 65 is refused", block_z_65}, {"grid.y 65535 is launched", grid_y_65535},
         {"grid.y 70000 is refused", grid_y_70000}, {"grid.z 65536 is refused", grid_z_65536},
         {"grid.x 2^31 is refused", grid_x_2_31}, {"48 KiB of dynamic shared memory are given", shared_48k},
         {"more than 48 KiB of dynamic shared memory have to be asked for", shared_48k_1},
         {"1 MiB of dynamic shared memory is refused", shared_1m});

UM_TESTS("launch", {"a function that is no kernel is refused", a_function_that_is_no_kernel_is_refused},
         {"NULL as the kernel is refused", NULL_as_the_kernel_is_refused},
         {"an extern \"C\" kernel from C gets its arguments", an_extern_C_kernel_from_C_gets_its_arguments},
         {"a refused launch leaves its error until it is read",
          a_refused_launch_leaves_its_error_until_it_is_read});
