/**
 * @file register_neighbours.cu
 * @brief cudaHostRegister of malloc'd blocks that stand side by side, several on a page.
 *
 * They are registered and unregistered in random order; each stays readable and writable by the host at every
 * moment, keeps its bytes, and is reachable for kernels while it is registered. Exit 0 when all of that
 * holds, 2 where the program's memory is not its own to move.
 */
#include "need.h"
#include "pick.h"

#include <stdint.h>
#include <string.h>
#include <vector>

enum { BLOCKS = 40, ROUNDS = 12 };

__global__ void increment(unsigned char *p, size_t bytes)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < bytes)
        p[i]++;
}

struct block {
    unsigned char *p, *device;
    size_t bytes;
    unsigned char value;
    bool registered;
};

static void check(const struct block *block, const char *when)
{
    for (size_t i = 0; i < block->bytes; i++)
        HOLDS(block->p[i] == block->value, "%s: byte %zu of %zu is %d, not %d", when, i, block->bytes,
              block->p[i], block->value);
}

static void toggle(struct block *block)
{
    if (block->registered) {
        NEED(cudaHostUnregister(block->p));
    } else {
        NEED(cudaHostRegister(block->p, block->bytes, cudaHostRegisterMapped));
        NEED(cudaHostGetDevicePointer((void **)&block->device, block->p, 0));
        NEED_ERROR(cudaHostRegister(block->p, block->bytes, 0), cudaErrorHostMemoryAlreadyRegistered);
        cudaGetLastError();
    }
    block->registered = !block->registered;
}

static void touch(struct block *block)
{
    if (block->registered) {
        increment<<<(unsigned)((block->bytes + 127) / 128), 128>>>(block->device, block->bytes);
        NEED(cudaDeviceSynchronize());
        block->value++;
        check(block, "after a kernel");
    } else {
        memset(block->p, ++block->value, block->bytes);
    }
}

/* An array of the program's own, not from malloc: kernels reach the one that the host sees, from its
 * registration on. */
static void own_array()
{
    static unsigned char array[20000] = {1};
    struct block block = {array, NULL, sizeof array, 1, false};
    memset(array, 1, sizeof array);
    for (int i = 0; i < 3; i++) {
        toggle(&block);
        touch(&block);
        toggle(&block);
        touch(&block);
    }
}

int main()
{
#ifdef __SANITIZE_ADDRESS__
    printf("under AddressSanitizer small blocks share pages with data of the simulated GPU's process\n");
    return 2;
#endif
    own_array();
    std::vector<struct block> blocks(BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
        size_t bytes = pick(4) == 0 ? 3000 + pick(20000) : 16 + pick(900);
        blocks[i] = {(unsigned char *)malloc(bytes), NULL, bytes, (unsigned char)i, false};
        memset(blocks[i].p, i, bytes);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < BLOCKS / 2; i++)
            toggle(&blocks[pick(BLOCKS)]);
        for (int i = 0; i < BLOCKS / 4; i++)
            touch(&blocks[pick(BLOCKS)]);
        for (const struct block &block : blocks)
            check(&block, "at the end of a round");
    }
    for (struct block &block : blocks) {
        if (block.registered)
            toggle(&block);
        check(&block, "unregistered");
        free(block.p);
    }
    void *again = malloc(100000); /* the heap still works where its pages were swapped */
    HOLDS(again != NULL, "no memory");
    memset(again, 1, 100000);
    free(again);
    printf("%d neighbouring blocks registered and unregistered in any order\n", BLOCKS);
    return 0;
}
