/**
 * @file calls.c
 * @brief Cells of small calls: peer access on and off, questions, changes of the current device. And of
 * allocations while the peer has access.
 */
#include "peers.h"

#include <stdio.h>

#include "../cells.h"
#include "um_check.h"

/** Small calls are made so often between two looks at the clock. */
#define MANY 100

/* Both ways, each by itself: the second one finds the first. Nothing but what main.c has is allocated. */
static bool of_access(void)
{
    for (struct cell_repeat r = cell_repeat(4 * KIB); cell_next(&r);) {
        UM_TRY(peers_on(0));
        cell_start();
        UM_TRY(cudaDeviceEnablePeerAccess(1, 0));
        cell_stop("call/peer access enable");
        UM_TRY(peers_on(1));
        cell_start();
        UM_TRY(cudaDeviceEnablePeerAccess(0, 0));
        cell_stop("call/peer access enable, back");
        cell_start();
        UM_TRY(cudaDeviceDisablePeerAccess(0));
        cell_stop("call/peer access disable, back");
        UM_TRY(peers_on(0));
        cell_start();
        UM_TRY(cudaDeviceDisablePeerAccess(1));
        cell_stop("call/peer access disable");
    }
    return true;
cleanup:
    return false;
}

static bool of_questions(void)
{
    int answer = 0;

    for (struct cell_repeat r = cell_repeat(4 * KIB); cell_next(&r);) {
        cell_start();
        for (int i = 0; i < MANY; i++)
            UM_TRY(cudaSetDevice(i % PEERS));
        cell_stop("call/set device, by 100");
        UM_TRY(peers_on(0));
        cell_start();
        for (int i = 0; i < MANY; i++)
            UM_TRY(cudaDeviceCanAccessPeer(&answer, 0, 1));
        cell_stop("call/can access peer, by 100");
        cell_start();
        UM_TRY(cudaDeviceSynchronize());
        UM_TRY(peers_on(1));
        UM_TRY(cudaDeviceSynchronize());
        cell_stop("call/synchronize both, idle");
        UM_TRY(peers_on(0));
    }
    return true;
cleanup:
    return false;
}

/* Memory of device 1 is allocated and freed while device 0 reaches it. */
static bool of_allocations(size_t bytes)
{
    void *p = NULL;

    UM_TRY(peers_on(0));
    UM_TRY(cudaDeviceEnablePeerAccess(1, 0));
    UM_TRY(peers_on(1));
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMalloc(&p, bytes));
        cell_stop("peers/alloc/malloc reached by a peer/%s", cell_size(bytes));
        cell_start();
        UM_TRY(cudaFree(p));
        cell_stop("peers/alloc/free reached by a peer/%s", cell_size(bytes));
    }
    UM_TRY(peers_on(0));
    UM_TRY(cudaDeviceDisablePeerAccess(1));
    return true;
cleanup:
    return false;
}

bool cells_of_peer_calls(void)
{
    static const size_t sizes[] = {2 * MIB, 16 * MIB, 64 * MIB};
    bool good = of_access() && of_questions();

    for (size_t i = 0; good && i < sizeof sizes / sizeof sizes[0] && sizes[i] <= cell_largest(); i++)
        good = of_allocations(sizes[i]);
    return good;
}
