/**
 * @file check.h
 * @brief For the programs of this folder: CHECK(what holds), a buffer that both sides can use, and the exit
 * status.
 *
 * They are read by umcc (run.sh) and nvcc alike.
 */
#ifndef UMCC_TEST_CHECK_H
#define UMCC_TEST_CHECK_H

#include <cstdio>

static int failures = 0;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                   \
            failures++;                                                                                      \
        }                                                                                                    \
    } while (0)

/** Waits for the kernels before; a failed one is a failure here. */
#define SYNC() CHECK(cudaDeviceSynchronize() == cudaSuccess)

template <class T> T *make_managed(size_t count)
{
    T *p = nullptr;
    CHECK(cudaMallocManaged(&p, count * sizeof(T)) == cudaSuccess);
    for (size_t i = 0; p != nullptr && i < count; i++)
        p[i] = T();
    return p;
}

static inline int finish(void)
{
    if (failures == 0)
        printf("ok\n");
    return failures != 0;
}

#endif
