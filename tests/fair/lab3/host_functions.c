/* fair: host functions in the streams bring the pieces home; a 2D copy carries x and y of a piece at once */
#include <string.h>

#include "exercise.h"

struct way {
    cudaStream_t stream;
    float *rows, *d_rows; /* x above y */
    size_t pitch;         /* of d_rows, bytes */
    struct home {
        float *to;
        const float *from;
        size_t bytes;
    } home;
    int used;
};

static void bring_home(void *what)
{
    const struct home *home = what;

    memcpy(home->to, home->from, home->bytes);
}

static cudaError_t send(struct way *way, float *y, const float *x, size_t length)
{
    const size_t bytes = length * sizeof(float);
    float *d_y = (float *)(void *)((char *)way->d_rows + way->pitch);
    cudaError_t error = way->used++ ? cudaStreamSynchronize(way->stream) : cudaSuccess;

    if (error != cudaSuccess)
        return error;
    memcpy(way->rows, x, bytes);
    memcpy(way->rows + length, y, bytes);
    way->home = (struct home){y, way->rows + length, bytes};
    error = cudaMemcpy2DAsync(way->d_rows, way->pitch, way->rows, bytes, bytes, 2, cudaMemcpyHostToDevice,
                              way->stream);
    if (error == cudaSuccess)
        error = um_saxpy(d_y, LAB3_FACTOR, way->d_rows, length, way->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(way->rows + length, d_y, bytes, cudaMemcpyDeviceToHost, way->stream);
    return error == cudaSuccess ? cudaLaunchHostFunc(way->stream, bring_home, &way->home) : error;
}

static cudaError_t open_way(struct way *way, size_t chunk)
{
    const size_t bytes = chunk * sizeof(float);
    cudaError_t error = cudaStreamCreateWithFlags(&way->stream, cudaStreamNonBlocking);

    if (error == cudaSuccess)
        error = cudaHostAlloc((void **)&way->rows, 2 * bytes, cudaHostAllocDefault);
    way->pitch = bytes;
    return error == cudaSuccess ? cudaMalloc((void **)&way->d_rows, 2 * bytes) : error;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct way way[3];
    cudaError_t error = chunk == 0 ? cudaErrorInvalidValue : cudaSuccess;
    size_t piece = 0;

    if (error != cudaSuccess || n == 0)
        return error;
    memset(way, 0, sizeof way);
    chunk = chunk < n ? chunk : n;
    for (int i = 0; i < 3 && error == cudaSuccess; i++) {
        error = open_way(&way[i], chunk);
    }
    while (piece * chunk < n && error == cudaSuccess) {
        const size_t at = piece * chunk;

        error = send(&way[piece++ % 3], y + at, x + at, n - at < chunk ? n - at : chunk);
    }
    for (int i = 0; i < 3; i++) {
        const cudaError_t last = way[i].stream ? cudaStreamSynchronize(way[i].stream) : cudaSuccess;

        error = error == cudaSuccess ? last : error;
        if (way[i].stream)
            cudaStreamDestroy(way[i].stream);
        cudaFree(way[i].d_rows);
        cudaFreeHost(way[i].rows);
    }
    return error;
}
