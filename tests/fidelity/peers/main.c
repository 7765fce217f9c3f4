/**
 * @file main.c
 * @brief `make fidelity`'s program of two devices: the matrix of what is between them. ../cells.c says how to
 * call it. On the simulator a profile with several devices is needed: UMSIM_PROFILE=h200-nvlink2.
 */
#include "peers.h"

#include <stdio.h>

#include "../cells.h"
#include "kernels.h"
#include "um_check.h"

struct peer peer[PEERS];

cudaError_t peers_on(int device)
{
    return cudaSetDevice(device);
}

cudaError_t peers_wait(void)
{
    cudaError_t error = cudaSuccess;

    for (int i = PEERS - 1; i >= 0 && error == cudaSuccess; i--) {
        error = peers_on(i);
        if (error == cudaSuccess)
            error = cudaDeviceSynchronize();
    }
    return error;
}

cudaError_t peers_access(bool enable)
{
    cudaError_t error = cudaSuccess;

    for (int i = PEERS - 1; i >= 0 && error == cudaSuccess; i--) {
        error = peers_on(i);
        if (error == cudaSuccess)
            error = enable ? cudaDeviceEnablePeerAccess(1 - i, 0) : cudaDeviceDisablePeerAccess(1 - i);
    }
    return error;
}

cudaError_t peers_set(int device, char *memory, int value)
{
    cudaError_t error = peers_on(device);

    if (error == cudaSuccess)
        error = cudaMemset(memory, value, cell_largest());
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    return error == cudaSuccess ? peers_on(0) : error;
}

bool peers_hold(const char *what, const char *memory, size_t bytes, int value)
{
    unsigned char ends[2] = {0, 0};

    UM_TRY(cudaMemcpy(&ends[0], memory, 1, cudaMemcpyDefault));
    UM_TRY(cudaMemcpy(&ends[1], memory + bytes - 1, 1, cudaMemcpyDefault));
    if (ends[0] == value && ends[1] == value)
        return true;
    fprintf(stderr, "fidelity-peers: %s of %s left %d and %d at its ends, not %d\n", what, cell_size(bytes),
            ends[0], ends[1], value);
cleanup:
    return false;
}

static bool usable(void)
{
    int count = 0, reached[PEERS] = {0, 0};

    (void)cudaGetDeviceCount(&count);
    for (int i = 0; i < PEERS && count >= PEERS; i++)
        (void)cudaDeviceCanAccessPeer(&reached[i], i, 1 - i);
    if (reached[0] && reached[1])
        return true;
    fprintf(stderr,
            "fidelity-peers: two devices that reach each other's memory are needed, and there %s %d "
            "device%s here%s\n",
            count == 1 ? "is" : "are", count, count == 1 ? "" : "s",
            count >= PEERS ? ", whose first two do not" : "");
    return false;
}

/* Both devices have run each kernel and used the link. */
static bool warm_up(void)
{
    for (int i = PEERS - 1; i >= 0; i--) {
        UM_TRY(peers_on(i));
        UM_TRY(cudaMalloc((void **)&peer[i].memory, cell_largest()));
        UM_TRY(cudaMalloc((void **)&peer[i].other, cell_largest()));
        for (int k = 0; k < PEERS_STREAMS; k++)
            UM_TRY(cudaStreamCreateWithFlags(&peer[i].stream[k], cudaStreamNonBlocking));
        UM_TRY(cudaMemset(peer[i].memory, 0, cell_largest()));
        UM_TRY(cudaMemset(peer[i].other, 0, cell_largest()));
        UM_TRY(um_add_one((int *)(void *)peer[i].memory, MIB / sizeof(int), 0));
        UM_TRY(cudaDeviceSynchronize());
    }
    UM_TRY(cudaMemcpyPeer(peer[1].other, 1, peer[0].memory, 0, MIB));
    UM_TRY(peers_wait());
    return true;
cleanup:
    return false;
}

static bool timed(void)
{
    bool good = cells_of_peer_calls() && cells_of_peer_copies("no access") &&
                cells_of_peers_together("no access") && cells_of_peers_and_host() &&
                UM_CHECK(peers_access(true)) && cells_of_peer_copies("access") &&
                cells_of_peers_together("access") && cells_of_peer_kernels() && UM_CHECK(peers_access(false));

    for (int i = 0; i < PEERS; i++) {
        (void)cudaFree(peer[i].memory);
        (void)cudaFree(peer[i].other);
    }
    return good && UM_CHECK(peers_on(0));
}

int main(int argc, char **argv)
{
    static const struct cells_program program = {"fidelity-peers", PEERS, usable,
                                                 warm_up,          timed, cells_of_peers_managed};
    return cells_main(argc, argv, &program);
}
