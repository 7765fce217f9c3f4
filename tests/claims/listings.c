/**
 * @file listings.c
 * @brief The articles' own programs, as far as they are CUDA: launch shapes, vector additions, guards,
 * errors.
 */
#include <stdlib.h>

#include "finding.h"
#include "kernels.h"

/* Four blocks of 256 threads: each of 1,024 elements is met once. The buffer here is as long as the launch is
 * wide. */
static void four_blocks_of_256(void)
{
    enum { N = 1024 };
    float x[N], *d_x = NULL;
    int right = 0;

    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    NEED(cudaMalloc((void **)&d_x, sizeof x));
    NEED(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    NEED(claims_add_one(d_x, 4, 256));
    NEED(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        right += x[i] == (float)(i + 1);
    FOUND("four-blocks-of-256: elements of 1,024 that went up by one", "%d", right);
    NEED(cudaFree(d_x));
}

/* The vector addition, with blocks rounded up and every call's result looked at. Copies follow the kernel in
 * order. */
static void vector_addition(void)
{
    enum { N = 1024 };
    float a[N], b[N], c[N], *d_a = NULL, *d_b = NULL, *d_c = NULL;
    int right = 0;

    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i);
    }
    NEED(cudaMalloc((void **)&d_a, sizeof a));
    NEED(cudaMalloc((void **)&d_b, sizeof b));
    NEED(cudaMalloc((void **)&d_c, sizeof c));
    NEED(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    NEED(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
    NEED(claims_add(d_c, d_a, d_b, N, (N + 255) / 256, 256));
    NEED(cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        right += c[i] == (float)(3 * i);
    FOUND("vector-addition: sums of 1,024 that are right, exactly", "%d", right);
    NEED(cudaFree(d_a));
    NEED(cudaFree(d_b));
    NEED(cudaFree(d_c));
}

/* Five elements, one block of 256: the comparison with n keeps 251 threads from writing. */
static void the_guard(void)
{
    enum { N = 5, CAPACITY = 256 };
    const float x[N] = {1, 2, 3, 4, 5}, y[N] = {6, 7, 8, 9, 10};
    float z[CAPACITY], *d_x = NULL, *d_y = NULL, *d_z = NULL;
    int untouched = 0;

    NEED(cudaMalloc((void **)&d_x, sizeof x));
    NEED(cudaMalloc((void **)&d_y, sizeof y));
    NEED(cudaMalloc((void **)&d_z, sizeof z));
    NEED(cudaMemset(d_z, 0, sizeof z));
    NEED(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    NEED(cudaMemcpy(d_y, y, sizeof y, cudaMemcpyHostToDevice));
    FOUND("the-guard: blocks for 5 elements by rounding up", "%d", (N + 255) / 256);
    NEED(claims_add(d_z, d_x, d_y, N, (N + 255) / 256, 256));
    NEED(cudaMemcpy(z, d_z, sizeof z, cudaMemcpyDeviceToHost));
    for (int i = N; i < CAPACITY; i++)
        untouched += z[i] == 0;
    FOUND("the-guard: the sums", "%g %g %g %g %g", (double)z[0], (double)z[1], (double)z[2], (double)z[3],
          (double)z[4]);
    FOUND("the-guard: elements behind them that stayed as they were, of 251", "%d", untouched);
    NEED(cudaFree(d_x));
    NEED(cudaFree(d_y));
    NEED(cudaFree(d_z));
}

/* A launch that cannot be made says so where it is asked, and only there: no result is written, and a program
 * that looks at no return value goes on with what was in memory. */
static void errors_unseen(void)
{
    enum { N = 16 };
    float c[N], *d_c = NULL;

    NEED(cudaMalloc((void **)&d_c, sizeof c));
    NEED(cudaMemset(d_c, 0, sizeof c));
    FOUND_RESULT("errors-unseen: a launch with 2,048 threads a block", claims_add_one(d_c, 1, 2048));
    FOUND_RESULT("errors-unseen: the copy after it", cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost));
    FOUND("errors-unseen: the result that it finds", "%g", (double)c[0]);
    forget();
    FOUND_RESULT("errors-unseen: a launch with 1,024 threads a block", claims_add(d_c, d_c, d_c, N, 1, 1024));
    NEED(cudaDeviceSynchronize());
    NEED(cudaFree(d_c));
}

UM_TESTS("claims: listings", {"four-blocks-of-256", four_blocks_of_256}, {"vector-addition", vector_addition},
         {"the-guard", the_guard}, {"errors-unseen", errors_unseen});
