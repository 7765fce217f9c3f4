/**
 * @file peers.h
 * @brief What calls and kernels do on a machine with two devices: a line for each answer, on GPUs and on the
 * simulator.
 *
 *     static void nobody_is_its_own_peer()
 *     {
 *         RETURNS("enable: itself", cudaDeviceEnablePeerAccess(0, 0));
 *     }
 *
 * Nothing here knows what is right: run.py compares the lines with those of two GPUs. Each function runs in a
 * process of its own, so that a sticky error ends nothing else. Answers carry no addresses, and nothing else
 * that changes from run to run.
 */
#ifndef PEERS_H
#define PEERS_H

#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>

/** Prints one answer under its name, which no other answer has. */
#define ANSWER(name, ...)                                                                                    \
    (std::printf("%s\t", name), std::printf(__VA_ARGS__), std::printf("\n"), std::fflush(stdout))
/** The answer is what a call returns. */
#define RETURNS(name, call) ANSWER(name, "%s", cudaGetErrorName(call))
/** What has to work; the process ends with a line where it does not. */
#define NEED(call) need(call, #call, __FILE__, __LINE__)
void need(cudaError_t error, const char *call, const char *file, int line);

/** Elements of the arrays that functions use. */
enum { N = 1 << 16 };

/** Device memory of N numbers, all `value`, on a device; the current device stays. */
int *numbers(int device, int value);
/** The same without a call of cudaMemset: the host writes them. @return the sum of N numbers, read by a copy;
 * -1: refused */
long sum(const int *p);
/** A stream of a device; the current device stays. */
cudaStream_t stream_of(int device);
/** An event of a device. */
cudaEvent_t event_of(int device);

/** p[i] += value. */
__global__ void add(int *p, int value);
/** to[i] = from[i] + value. */
__global__ void copy_and_add(int *to, const int *from, int value);
/** Lasts for about a sixth of a second, then p[i] += value. */
__global__ void add_late(int *p, int value);
/** atomicAdd(p, 1) by each thread. */
__global__ void count_threads(int *p);

/** Launches on N numbers in a stream, with the current device as it is. @return what the launch returns @{ */
cudaError_t launch_add(int *p, int value, cudaStream_t stream = 0);
cudaError_t launch_copy(int *to, const int *from, int value, cudaStream_t stream = 0);
cudaError_t launch_late(int *p, int value, cudaStream_t stream = 0);
/** @} */

/** A function of one file. */
struct behaviour {
    const char *name;
    void (*run)();
};
extern const behaviour device_behaviours[], access_behaviours[], memory_behaviours[], copy_behaviours[],
    stream_behaviours[], order_behaviours[], pool_behaviours[], graph_behaviours[], kernel_behaviours[],
    graph_memory_behaviours[], managed_behaviours[], managed_steps_behaviours[], ipc_behaviours[];

#endif
