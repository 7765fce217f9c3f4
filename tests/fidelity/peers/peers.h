/**
 * @file peers.h
 * @brief What the chapters of two devices share: memory and streams of each, and atomic kernels.
 *
 * Cells are named `peers/CHAPTER/...`. "0" and "1" in names are the devices. Each chapter leaves device 0
 * current.
 */
#ifndef FIDELITY_PEERS_H
#define FIDELITY_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PEERS 2
/** Streams of each device: so many copies may be under way at once. */
#define PEERS_STREAMS 4

/** What each device has; cell_largest() bytes of each memory. */
struct peer {
    char *memory, *other;
    cudaStream_t stream[PEERS_STREAMS];
};
extern struct peer peer[PEERS];

/** Makes a device current. */
cudaError_t peers_on(int device);
/** Waits for both devices. */
cudaError_t peers_wait(void);
/** Lets each device reach the other's memory, or ends that. */
cudaError_t peers_access(bool enable);
/** Each device's other memory, whole, is `value`. */
cudaError_t peers_set(int device, char *memory, int value);
/** Whether first and last byte of device memory are `value`; a line says what they are instead. */
bool peers_hold(const char *what, const char *memory, size_t bytes, int value);

/** atomicAdd(&x[i % words], 1) for i below n. */
cudaError_t peers_atomic_add(int *x, size_t words, size_t n, cudaStream_t stream);

/** @name The chapters. @return whether all calls succeeded and all data were right @{ */
bool cells_of_peer_calls(void);
bool cells_of_peer_copies(const char *access);
bool cells_of_peer_kernels(void);
bool cells_of_peers_together(const char *access);
bool cells_of_peers_and_host(void);
bool cells_of_peers_managed(void);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
