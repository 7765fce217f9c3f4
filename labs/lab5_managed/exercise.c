/**
 * @file exercise.c
 * @brief Lab 5's exercises: exercise.h says what each function has to do, and `make grade LAB=5` checks it.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

cudaError_t port_to_managed(const struct lab5_program *program)
{
    // BEGIN SOLUTION
    int *x = NULL;
    cudaError_t error = cudaMallocManaged((void **)&x, program->n * sizeof *x, cudaMemAttachGlobal);

    if (error != cudaSuccess)
        return error;
    program->fill(x, program->n, program->context);
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(x, program->n, 0);
    }
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize(); /* cudaMemcpy did this, too */
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    cudaFree(x);
    return error;
    // PLACEHOLDER
    // const size_t bytes = program->n * sizeof(int);
    // int *h_x = malloc(bytes + 1), *d_x = NULL;
    // cudaError_t error = !h_x ? cudaErrorMemoryAllocation : cudaMalloc((void **)&d_x, bytes);
    //
    // if (error == cudaSuccess) {
    //     program->fill(h_x, program->n, program->context);
    //     error = cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
    // }
    // for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
    //     error = um_add_one(d_x, program->n, 0);
    // }
    // if (error == cudaSuccess)
    //     error = cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost);
    // if (error == cudaSuccess)
    //     program->use(h_x, program->n, program->context);
    // cudaFree(d_x);
    // free(h_x);
    // return error;
    // END SOLUTION
}

cudaError_t place_one_sync(int64_t *sum, int *x, int *y, const int *notes, size_t n, cudaStream_t one,
                           cudaStream_t other)
{
    // BEGIN SOLUTION
    int64_t total = 0;
    cudaError_t error = um_add_one(x, n, one), waited = cudaSuccess;

    if (error == cudaSuccess)
        error = um_add_one(y, n, other);
    for (size_t i = 0; i < n; i++) {
        total += notes[i]; /* while the kernels run */
    }
    if (n > 0)
        waited = cudaDeviceSynchronize(); /* the first launch may be running though the second failed */
    if (error == cudaSuccess)
        error = waited;
    for (size_t i = 0; error == cudaSuccess && i < n; i++) {
        total += (int64_t)x[i] + y[i];
    }
    if (error == cudaSuccess)
        *sum = total;
    return error;
    // PLACEHOLDER
    // int64_t total = 0;
    // cudaError_t error = um_add_one(x, n, one);
    //
    // for (size_t i = 0; error == cudaSuccess && i < n; i++) {
    //     total += x[i];
    // }
    // if (error == cudaSuccess)
    //     error = um_add_one(y, n, other);
    // for (size_t i = 0; error == cudaSuccess && i < n; i++) {
    //     total += y[i];
    // }
    // for (size_t i = 0; i < n; i++) {
    //     total += notes[i];
    // }
    // if (error == cudaSuccess)
    //     *sum = total;
    // return error;
    // END SOLUTION
}

// BEGIN SOLUTION
#define BIG_PAGE ((size_t)64 << 10)
#define BIG_PAGES 32 /* of a block */
#define BLOCK (BIG_PAGES * BIG_PAGE)

/* Bytes of the big pages from `from` up to `to` that lie in a block of block_bytes; `there` NULL: all of
 * them. */
static size_t bytes_in(const bool *there, size_t from, size_t to, size_t block_bytes)
{
    size_t bytes = 0;

    for (size_t big = from; big < to && big * BIG_PAGE < block_bytes; big++) {
        const size_t left = block_bytes - big * BIG_PAGE;

        if (!there || there[big])
            bytes += left < BIG_PAGE ? left : BIG_PAGE;
    }
    return bytes;
}

/* A fault in big page `big`: which big pages are there after it. */
static void serve(bool *there, size_t big, size_t block_bytes)
{
    size_t first = big, last = big + 1;

    there[big] = true;
    for (size_t size = 2; size <= BIG_PAGES; size *= 2) {
        const size_t from = big / size * size;

        if (bytes_in(there, from, from + size, block_bytes) * 100 >
            bytes_in(NULL, from, from + size, block_bytes) * 51) {
            first = from;
            last = from + size;
        }
    }
    for (; first < last; first++) {
        there[first] = true;
    }
}
// END SOLUTION

uint64_t predict_faults(size_t bytes, size_t first, size_t stride)
{
    // BEGIN SOLUTION
    bool there[BIG_PAGES] = {false};
    size_t block = 0; /* the one that `there` is about */
    uint64_t faults = 0;

    for (size_t at = first; at < bytes; at += stride) {
        const size_t left = um_whole_pages(bytes) - at / BLOCK * BLOCK;
        const size_t big = at % BLOCK / BIG_PAGE;

        if (at / BLOCK != block)
            memset(there, 0, sizeof there);
        block = at / BLOCK;
        if (!there[big]) {
            faults++;
            serve(there, big, left < BLOCK && bytes >= BLOCK ? left : BLOCK);
        }
        if (stride > bytes - at)
            break; /* at + stride might wrap around */
    }
    return faults;
    // PLACEHOLDER
    // (void)bytes, (void)first, (void)stride; /* your code */
    // return 0;
    // END SOLUTION
}
