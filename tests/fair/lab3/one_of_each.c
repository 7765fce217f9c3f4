/* fair: one pinned and one device allocation, cut up by an allocator of its own; three slots; goto */
#include <string.h>

#include "exercise.h"

#define SLOTS 3

bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine)
{
    const double mib = (double)bytes / (1 << 20);
    const double gain = machine->pageable_copy_us - machine->pinned_copy_us +
                        mib * (machine->pageable_copy_us_per_mib - machine->pinned_copy_us_per_mib);
    const double price = machine->register_us + mib * machine->register_us_per_mib;

    return gain > 0 && copies > price / gain; /* from how many copies on it pays */
}

struct cut {
    float *next;
    size_t each;
};

static float *cut(struct cut *from)
{
    float *p = from->next;

    from->next += from->each;
    return p;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    cudaStream_t stream[SLOTS] = {NULL};
    float *pinned = NULL, *device = NULL, *h[SLOTS][2], *d[SLOTS][2];
    size_t length[SLOTS] = {0}, piece = 0, pieces;
    cudaError_t error = cudaErrorInvalidValue;
    struct cut host, gpu;

    if (!chunk || !n)
        return chunk ? cudaSuccess : error;
    chunk = chunk < n ? chunk : n;
    pieces = n / chunk + (n % chunk > 0);
    if ((error = cudaHostAlloc((void **)&pinned, 2 * SLOTS * chunk * sizeof *pinned, cudaHostAllocPortable)))
        goto out;
    if ((error = cudaMalloc((void **)&device, 2 * SLOTS * chunk * sizeof *device)))
        goto out;
    host = (struct cut){pinned, chunk};
    gpu = (struct cut){device, chunk};
    for (int s = 0; s < SLOTS; s++) {
        if ((error = cudaStreamCreateWithPriority(&stream[s], cudaStreamNonBlocking, 0)))
            goto out;
        for (int a = 0; a < 2; a++) {
            h[s][a] = cut(&host);
            d[s][a] = cut(&gpu);
        }
    }
    for (; piece < pieces + SLOTS; piece++) {
        const int s = (int)(piece % SLOTS);
        const size_t at = piece * chunk;

        if (length[s]) { /* the piece that was here three pieces ago */
            if ((error = cudaStreamSynchronize(stream[s])))
                goto out;
            memcpy(y + at - SLOTS * chunk, h[s][0], length[s]);
        }
        length[s] = piece >= pieces ? 0 : (n - at < chunk ? n - at : chunk) * sizeof *y;
        if (!length[s])
            continue;
        memcpy(h[s][0], y + at, length[s]);
        memcpy(h[s][1], x + at, length[s]);
        for (int a = 0; a < 2; a++) {
            if ((error = cudaMemcpyAsync(d[s][a], h[s][a], length[s], cudaMemcpyDefault, stream[s])))
                goto out;
        }
        if ((error = um_saxpy(d[s][0], LAB3_FACTOR, d[s][1], length[s] / sizeof *y, stream[s])))
            goto out;
        if ((error = cudaMemcpyAsync(h[s][0], d[s][0], length[s], cudaMemcpyDefault, stream[s])))
            goto out;
    }
out:
    for (int s = 0; s < SLOTS && stream[s]; s++) {
        if (error)
            (void)cudaStreamSynchronize(stream[s]);
        cudaStreamDestroy(stream[s]);
    }
    cudaFree(device);
    cudaFreeHost(pinned);
    return error;
}
