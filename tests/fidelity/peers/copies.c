/**
 * @file copies.c
 * @brief Cells of copies from device 0 to device 1: the call, the call and its end, between events; by the
 * source's stream (pushed) and by the destination's (pulled).
 */
#include "peers.h"

#include <stdio.h>

#include "../cells.h"
#include "um_check.h"
#include "um_time.h"

static const size_t sizes[] = {4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB,
                               4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB};
#define SIZES (sizeof sizes / sizeof sizes[0])

/* From the call to its return, and to the end of what it asks for. */
static bool synchronous(const char *access, size_t bytes)
{
    const char *size = cell_size(bytes);

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMemcpy(peer[1].other, peer[0].memory, bytes, cudaMemcpyDefault));
        cell_stop("peers/copy/%s/call/%s", access, size);
        UM_TRY(peers_wait());
        cell_start();
        UM_TRY(cudaMemcpy(peer[1].other, peer[0].memory, bytes, cudaMemcpyDefault));
        UM_TRY(cudaDeviceSynchronize());
        cell_stop("peers/copy/%s/call and wait/%s", access, size);
    }
    return true;
cleanup:
    return false;
}

static bool asynchronous(const char *access, size_t bytes)
{
    const char *size = cell_size(bytes);
    const cudaStream_t stream = peer[0].stream[0];

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMemcpyPeerAsync(peer[1].other, 1, peer[0].memory, 0, bytes, stream));
        cell_stop("peers/copy/%s/async call/%s", access, size);
        cell_start();
        UM_TRY(cudaMemcpyPeerAsync(peer[1].other, 1, peer[0].memory, 0, bytes, stream));
        UM_TRY(cudaStreamSynchronize(stream));
        cell_stop("peers/copy/%s/async and wait/%s", access, size);
    }
    return true;
cleanup:
    return false;
}

/* Between two events in a stream of one of the devices. */
static bool between_events(const char *access, const char *how, int device, size_t bytes)
{
    const cudaStream_t stream = peer[device].stream[0];
    struct um_gpu_timer timer = {NULL, NULL};
    bool good = false;
    double us = 0;

    UM_TRY(peers_on(device));
    UM_TRY(um_gpu_timer_create(&timer));
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_wait();
        UM_TRY(um_gpu_timer_start(&timer, stream));
        UM_TRY(cudaMemcpyPeerAsync(peer[1].other, 1, peer[0].memory, 0, bytes, stream));
        UM_TRY(um_gpu_timer_stop(&timer, stream));
        UM_TRY(um_gpu_timer_us(&timer, &us));
        cell_time(us, "peers/copy/%s/events, %s/%s", access, how, cell_size(bytes));
    }
    good = true;
cleanup:
    um_gpu_timer_destroy(&timer);
    return UM_CHECK(peers_on(0)) && good;
}

bool cells_of_peer_copies(const char *access)
{
    bool good = UM_CHECK(peers_set(0, peer[0].memory, 90));

    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++) {
        good = UM_CHECK(peers_set(1, peer[1].other, 0)) && synchronous(access, sizes[i]) &&
               asynchronous(access, sizes[i]) && between_events(access, "pushed", 0, sizes[i]) &&
               between_events(access, "pulled", 1, sizes[i]) &&
               peers_hold("a copy between devices", peer[1].other, sizes[i], 90);
    }
    return good;
}
