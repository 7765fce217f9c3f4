/**
 * @file records.cu
 * @brief One time step for particles that are kept as an array of structs.
 *
 * Neighbouring threads read addresses 32 bytes apart, so each record costs a whole sector although the
 * kernel needs 24 bytes of it. In return, the host can send the array with one copy, because the structure
 * holds no pointers.
 */
#include "launch.h"

extern "C" __global__ void um_record_move_kernel(struct um_record *records, float time, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        for (int axis = 0; axis < 3; axis++) {
            records[i].position[axis] = records[i].position[axis] + records[i].velocity[axis] * time;
        }
    }
}

extern "C" cudaError_t um_record_move(struct um_record *records, float time, size_t n, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    if (!um_grid_ok(n))
        return cudaErrorInvalidValue;
    um_launch_begin();
    um_record_move_kernel<<<um_blocks(n), UM_BLOCK_THREADS, 0, stream>>>(records, time, n);
    return cudaGetLastError();
}
