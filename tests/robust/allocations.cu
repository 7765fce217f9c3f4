/**
 * @file allocations.cu
 * @brief Random allocations of every kind beside each other, sizes that cannot be had, all of the GPU's
 * memory.
 */
#include "robust.h"

#include <vector>

/** The ways to get memory; each is asked for `bytes` bytes. */
static cudaError_t on_the_device(void **p, size_t bytes)
{
    return cudaMalloc(p, bytes);
}
static cudaError_t pinned(void **p, size_t bytes)
{
    return cudaMallocHost(p, bytes);
}
static cudaError_t managed(void **p, size_t bytes)
{
    return cudaMallocManaged(p, bytes);
}
static cudaError_t pooled(void **p, size_t bytes)
{
    return cudaMallocAsync(p, bytes, 0);
}
static cudaError_t free_pooled(void *p)
{
    return cudaFreeAsync(p, 0);
}

static const struct {
    const char *name;
    cudaError_t (*get)(void **p, size_t bytes);
    cudaError_t (*give_back)(void *p);
} kinds[] = {{"device", on_the_device, cudaFree},
             {"pinned", pinned, cudaFreeHost},
             {"managed", managed, cudaFree},
             {"pooled", pooled, free_pooled}};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct piece {
    int kind;
    unsigned char *p, value;
    size_t bytes;
};

/* Each byte is still the piece's own: nobody else's memory lies there. */
static void verify(const piece &mine, std::vector<unsigned char> &seen)
{
    seen.resize(mine.bytes);
    NEED(cudaMemcpy(seen.data(), mine.p, mine.bytes, cudaMemcpyDefault));
    for (size_t i = 0; i < mine.bytes; i++)
        HOLDS(seen[i] == mine.value, "%s memory of %zu bytes, byte %zu: %d, not %d", kinds[mine.kind].name,
              mine.bytes, i, seen[i], mine.value);
}

static void random_pieces()
{
    uint64_t state = 5;
    std::vector<piece> live;
    std::vector<unsigned char> seen;
    const int steps = robust_times(4000, 60000);

    for (int step = 0; step < steps; step++) {
        if (live.size() > 300 || (!live.empty() && robust_below(&state, 3) == 0)) {
            const size_t i = robust_below(&state, live.size());
            verify(live[i], seen);
            NEED(kinds[live[i].kind].give_back(live[i].p));
            live[i] = live.back();
            live.pop_back();
            continue;
        }
        piece mine = {(int)robust_below(&state, KINDS), NULL, (unsigned char)robust_random(&state), 0};
        mine.bytes = 1 + robust_below(&state, robust_below(&state, 20) ? 5000 : 300000);
        NEED(kinds[mine.kind].get((void **)&mine.p, mine.bytes));
        NEED(cudaMemset(mine.p, mine.value, mine.bytes));
        live.push_back(mine);
    }
    NEED(cudaDeviceSynchronize());
    for (const piece &mine : live) {
        verify(mine, seen);
        NEED(kinds[mine.kind].give_back(mine.p));
    }
}

static void sizes_that_cannot_be_had()
{
    static const size_t sizes[] = {(size_t)1 << 62, (size_t)1 << 63, SIZE_MAX,
                                   SIZE_MAX - 511,  SIZE_MAX - 4095, (SIZE_MAX >> 1) + 1};
    gpu_works("at first");
    for (size_t bytes : sizes)
        for (const auto &kind : kinds) {
            void *p = NULL;
            const cudaError_t error = kind.get(&p, bytes);
            HOLDS(error == cudaErrorMemoryAllocation, "%s memory, %zu bytes: %s", kind.name, bytes,
                  cudaGetErrorName(error));
            (void)cudaGetLastError();
        }
    gpu_works("after them");
}

static void shapes_that_cannot_be_had()
{
    static const size_t sides[] = {(size_t)1 << 40, SIZE_MAX, (size_t)1 << 63};
    cudaPitchedPtr box;
    void *p = NULL;
    size_t pitch = 0;

    for (size_t side : sides) {
        HOLDS(cudaMallocPitch(&p, &pitch, side, side) != cudaSuccess, "pitched, %zu by %zu", side, side);
        HOLDS(cudaMalloc3D(&box, make_cudaExtent(side, side, side)) != cudaSuccess, "3D, %zu", side);
        (void)cudaGetLastError();
        NEED(cudaMalloc(&p, 4096));
        HOLDS(cudaMemset(p, 0, side) != cudaSuccess, "cudaMemset of %zu bytes", side);
        HOLDS(cudaMemcpy(p, p, side, cudaMemcpyDeviceToDevice) != cudaSuccess, "cudaMemcpy of %zu", side);
        (void)cudaGetLastError();
        NEED(cudaFree(p));
    }
    gpu_works("after them");
}

/* Nearly all of it, in pieces and in one, and again. */
static void all_of_the_device()
{
    size_t available = 0, total = 0, again = 0;
    std::vector<void *> pieces;
    void *p = NULL;

    NEED(cudaMalloc(&p, 4096));
    NEED(cudaMemGetInfo(&available, &total));
    const size_t one = available / 16 & ~(size_t)0xfffff;
    for (int i = 0; i < 15; i++) {
        NEED(cudaMalloc(&p, one));
        NEED(cudaMemset((char *)p + one - 4096, i, 4096));
        pieces.push_back(p);
    }
    NEED_ERROR(cudaMalloc(&p, available - 14 * one), cudaErrorMemoryAllocation);
    (void)cudaGetLastError();
    for (void *piece : pieces)
        NEED(cudaFree(piece));
    NEED(cudaMalloc(&p, available - (64 << 20)));
    NEED(cudaFree(p));
    NEED(cudaMemGetInfo(&again, &total));
    HOLDS(again == available, "%zu bytes are free, %zu at first", again, available);
}

/* What is freed and got again is not what another thread of the program holds. */
static void nothing_is_lost()
{
    size_t before = 0, after = 0, total = 0;
    void *p = NULL;

    gpu_works("at first");
    NEED(cudaMemGetInfo(&before, &total));
    for (int i = 0; i < robust_times(2000, 20000); i++) {
        NEED(cudaMalloc(&p, 1 + (size_t)i * 7919 % 1000000));
        NEED(cudaFree(p));
        NEED(cudaMallocManaged(&p, 1 + (size_t)i * 104729 % 1000000));
        *(char *)p = 1;
        NEED(cudaFree(p));
    }
    NEED(cudaMemGetInfo(&after, &total));
    HOLDS(after == before, "%zu bytes are free, %zu at first", after, before);
}

ROBUST_CASES({"random-pieces", random_pieces}, {"sizes-that-cannot-be-had", sizes_that_cannot_be_had},
             {"shapes-that-cannot-be-had", shapes_that_cannot_be_had},
             {"all-of-the-device", all_of_the_device}, {"nothing-is-lost", nothing_is_lost})
