/**
 * @file many_pieces.cu
 * @brief One kernel writes to 36,000 separate allocations with gaps between them, of each kind of memory.
 *
 * On the simulator each piece that a process has open is a mapping, and the kernel allows 65,530 of them:
 * more pieces than that have to work, too.
 */
#include <vector>

#include "need.h"

enum { PIECES = 36000 };

__global__ void number_them(int **piece, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        *piece[i] = 1 + i;
}

template <typename Allocate, typename Free>
static std::vector<int *> with_gaps(Allocate allocate, Free release)
{
    std::vector<void *> all(2 * PIECES);
    std::vector<int *> kept;
    for (void *&p : all)
        NEED(allocate(&p));
    for (int i = 0; i < 2 * PIECES; i++)
        if (i % 2)
            NEED(release(all[i]));
        else
            kept.push_back((int *)all[i]);
    return kept;
}

static void write_to(const std::vector<int *> &piece)
{
    int **on_device;
    NEED(cudaMalloc(&on_device, PIECES * sizeof(int *)));
    NEED(cudaMemcpy(on_device, piece.data(), PIECES * sizeof(int *), cudaMemcpyHostToDevice));
    number_them<<<(PIECES + 255) / 256, 256>>>(on_device, PIECES);
    NEED(cudaDeviceSynchronize());
    NEED(cudaFree(on_device));
}

static void device_memory()
{
    const auto piece =
        with_gaps([](void **p) { return cudaMalloc(p, 4096); }, [](void *p) { return cudaFree(p); });
    write_to(piece);
    for (int i = 0; i < PIECES; i += 97) {
        int got = 0;
        NEED(cudaMemcpy(&got, piece[i], sizeof got, cudaMemcpyDeviceToHost));
        HOLDS(got == 1 + i, "piece %d is %d", i, got);
    }
    for (int *p : piece)
        NEED(cudaFree(p));
}

static void pinned_memory()
{
    const auto piece =
        with_gaps([](void **p) { return cudaMallocHost(p, 4096); }, [](void *p) { return cudaFreeHost(p); });
    write_to(piece);
    for (int i = 0; i < PIECES; i++)
        HOLDS(*piece[i] == 1 + i, "piece %d is %d", i, *piece[i]);
    for (int *p : piece)
        NEED(cudaFreeHost(p));
}

static void managed_memory()
{
    const auto piece =
        with_gaps([](void **p) { return cudaMallocManaged(p, 4096); }, [](void *p) { return cudaFree(p); });
    for (int i = 0; i < PIECES; i++)
        *piece[i] = 0;
    write_to(piece);
    for (int i = 0; i < PIECES; i++)
        HOLDS(*piece[i] == 1 + i, "piece %d is %d", i, *piece[i]);
    for (int *p : piece)
        NEED(cudaFree(p));
}

int main()
{
    device_memory();
    pinned_memory();
    managed_memory();
    printf("%d pieces of each kind of memory, with gaps between them\n", PIECES);
    return 0;
}
