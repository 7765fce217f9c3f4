/**
 * @file together.c
 * @brief Cells of several things at once: copies both ways, several one way, both devices and the host, a
 * peer's traffic while the host's link is busy. Times are the host's, from the first call to the end of all.
 */
#include "peers.h"

#include <stdio.h>

#include "../cells.h"
#include "kernels.h"
#include "um_check.h"

static const size_t sizes[] = {MIB, 16 * MIB, 64 * MIB};
#define SIZES (sizeof sizes / sizeof sizes[0])
/** Pinned memory of the host for each device. */
#define HOST_BYTES (64 * MIB)

static char *pinned[PEERS];

/* A copy from one device's memory to the other's other memory, in a stream of `by`. */
static cudaError_t cross(int from, int by, int stream, size_t offset, size_t bytes)
{
    return cudaMemcpyPeerAsync(peer[1 - from].other + offset, 1 - from, peer[from].memory + offset, from,
                               bytes, peer[by].stream[stream]);
}

static cudaError_t with_host(int device, bool to_host, int stream, size_t bytes)
{
    char *device_side = to_host ? peer[device].memory : peer[device].other;

    return cudaMemcpyAsync(to_host ? pinned[device] : device_side, to_host ? device_side : pinned[device],
                           bytes, cudaMemcpyDefault, peer[device].stream[stream]);
}

/* 1 is begun first, so that 0 is waited for last. */
#define TOGETHER(first, second, ...)                                                                         \
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {                                        \
        cell_start();                                                                                        \
        UM_TRY(first);                                                                                       \
        UM_TRY(second);                                                                                      \
        UM_TRY(peers_wait());                                                                                \
        cell_stop(__VA_ARGS__);                                                                              \
    }

/* `count` copies of bytes / count each, from 0 to 1, in streams of `count` (of half of them: of 1). */
static cudaError_t pieces(int count, bool pulled_too, size_t bytes)
{
    const size_t piece = bytes / (size_t)count;
    cudaError_t error = cudaSuccess;

    for (int i = 0; i < count && error == cudaSuccess; i++)
        error = cross(0, pulled_too && i % 2 ? 1 : 0, i, (size_t)i * piece, piece);
    return error;
}

static bool copies(const char *access, size_t bytes)
{
    const char *size = cell_size(bytes);

    TOGETHER(cross(1, 1, 0, 0, bytes), cross(0, 0, 0, 0, bytes), "peers/both ways/%s/each by its source/%s",
             access, size);
    TOGETHER(cross(1, 0, 0, 0, bytes), cross(0, 0, 1, 0, bytes), "peers/both ways/%s/both by device 0/%s",
             access, size);
    TOGETHER(pieces(1, false, bytes), cudaSuccess, "peers/one way/%s/1 copy/%s", access, size);
    TOGETHER(pieces(2, false, bytes), cudaSuccess, "peers/one way/%s/2 copies of half/%s", access, size);
    TOGETHER(pieces(4, false, bytes), cudaSuccess, "peers/one way/%s/4 copies of a quarter/%s", access, size);
    TOGETHER(pieces(2, true, bytes), cudaSuccess, "peers/one way/%s/a half pushed, a half pulled/%s", access,
             size);
    return peers_hold("a copy among several", peer[1].other, bytes, 91) &&
           peers_hold("a copy among several", peer[0].other, bytes, 92);
cleanup:
    return false;
}

/* The host's link to device 0 or 1 is used in the same or the other direction as the copy from 0 to 1. */
static bool busy_copies(const char *access, size_t bytes)
{
    const char *size = cell_size(bytes);

    TOGETHER(with_host(0, false, 1, bytes), cross(0, 0, 0, 0, bytes),
             "peers/busy link/%s/copy to 1, host to 0/%s", access, size);
    TOGETHER(with_host(0, true, 1, bytes), cross(0, 0, 0, 0, bytes),
             "peers/busy link/%s/copy to 1, 0 to host/%s", access, size);
    TOGETHER(with_host(1, true, 1, bytes), cross(0, 0, 0, 0, bytes),
             "peers/busy link/%s/copy to 1, 1 to host/%s", access, size);
    return true;
cleanup:
    return false;
}

/* A kernel on 0 that reads memory of 1, meanwhile the host's link. */
static bool busy_kernels(size_t bytes)
{
    const char *size = cell_size(bytes);

    TOGETHER(cudaSuccess, um_copy_by_kernel(peer[0].other, peer[1].memory, bytes, peer[0].stream[0]),
             "peers/busy link/kernel on 0 reads 1/%s", size);
    TOGETHER(with_host(0, true, 1, bytes),
             um_copy_by_kernel(peer[0].other, peer[1].memory, bytes, peer[0].stream[0]),
             "peers/busy link/kernel on 0 reads 1, 0 to host/%s", size);
    TOGETHER(with_host(1, true, 1, bytes),
             um_copy_by_kernel(peer[0].other, peer[1].memory, bytes, peer[0].stream[0]),
             "peers/busy link/kernel on 0 reads 1, 1 to host/%s", size);
    TOGETHER(cross(1, 1, 0, 0, bytes),
             um_copy_by_kernel(peer[0].other, peer[1].memory, bytes, peer[0].stream[0]),
             "peers/busy link/kernel on 0 reads 1, copy 1 to 0/%s", size);
    return true;
cleanup:
    return false;
}

static bool pinned_memory(bool make)
{
    for (int i = PEERS - 1; i >= 0; i--) {
        if (make) {
            UM_TRY(peers_on(i));
            UM_TRY(cudaHostAlloc((void **)&pinned[i], HOST_BYTES, cudaHostAllocPortable));
            for (size_t k = 0; k < HOST_BYTES; k += PAGE_BYTES)
                pinned[i][k] = 1;
        } else {
            UM_TRY(cudaFreeHost(pinned[i]));
            pinned[i] = NULL;
        }
    }
    return true;
cleanup:
    return false;
}

bool cells_of_peers_together(const char *access)
{
    bool good = pinned_memory(true) && UM_CHECK(peers_set(0, peer[0].memory, 91)) &&
                UM_CHECK(peers_set(1, peer[1].memory, 92));

    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++) {
        good = copies(access, sizes[i]) && busy_copies(access, sizes[i]);
        if (good && access[0] == 'a')
            good = busy_kernels(sizes[i]);
    }
    return pinned_memory(false) && good;
}

static bool of_host(size_t bytes)
{
    const char *size = cell_size(bytes);

    TOGETHER(cudaSuccess, with_host(0, false, 0, bytes), "peers/host/to 0/%s", size);
    TOGETHER(with_host(1, false, 0, bytes), cudaSuccess, "peers/host/to 1/%s", size);
    TOGETHER(cudaSuccess, with_host(0, true, 0, bytes), "peers/host/from 0/%s", size);
    TOGETHER(with_host(1, true, 0, bytes), cudaSuccess, "peers/host/from 1/%s", size);
    TOGETHER(with_host(1, false, 0, bytes), with_host(0, false, 0, bytes), "peers/host/to both/%s", size);
    TOGETHER(with_host(1, true, 0, bytes), with_host(0, true, 0, bytes), "peers/host/from both/%s", size);
    TOGETHER(with_host(1, false, 0, bytes), with_host(0, true, 0, bytes), "peers/host/from 0, to 1/%s", size);
    return true;
cleanup:
    return false;
}

bool cells_of_peers_and_host(void)
{
    bool good = pinned_memory(true);

    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++)
        good = of_host(sizes[i]);
    return pinned_memory(false) && good;
}
