/* fair: counts while it collects, in a buffer that doubles; offsets become links when the device's address is
 * known; the copy of ordinary memory is asynchronous, which returns when the buffer has been read */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

struct buffer {
    struct um_node *nodes;
    size_t used, capacity;
};

static int push(struct buffer *buffer, int64_t value)
{
    if (buffer->used == buffer->capacity) {
        const size_t capacity = buffer->capacity ? 2 * buffer->capacity : 8;
        struct um_node *nodes = realloc(buffer->nodes, capacity * sizeof *nodes);

        if (!nodes)
            return 0;
        buffer->nodes = nodes;
        buffer->capacity = capacity;
    }
    buffer->nodes[buffer->used++].value = value;
    return 1;
}

static cudaError_t send(struct um_node **d_head, struct buffer *buffer)
{
    const size_t bytes = buffer->used * sizeof *buffer->nodes;
    cudaError_t error = cudaMallocAsync((void **)d_head, bytes, 0);

    if (error != cudaSuccess) {
        *d_head = NULL;
        return error;
    }
    for (size_t i = buffer->used; i-- > 0;) {
        buffer->nodes[i].next = i + 1 == buffer->used ? NULL : *d_head + i + 1;
    }
    error = cudaMemcpyAsync(*d_head, buffer->nodes, bytes, cudaMemcpyHostToDevice, 0);
    if (error != cudaSuccess) {
        cudaFreeAsync(*d_head, 0);
        *d_head = NULL;
    }
    return error;
}

cudaError_t list_to_device(struct um_node **d_head, const struct um_node *head)
{
    struct buffer buffer = {NULL, 0, 0};
    cudaError_t error = cudaSuccess;

    *d_head = NULL;
    for (; head && error == cudaSuccess; head = head->next) {
        if (!push(&buffer, head->value))
            error = cudaErrorMemoryAllocation;
    }
    if (error == cudaSuccess && buffer.used > 0)
        error = send(d_head, &buffer);
    free(buffer.nodes);
    return error;
}

/* From the end to the start: each node knows its successor when it is written. */
cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n)
{
    struct um_node *next = NULL, *pool;
    cudaError_t error;

    *head = NULL;
    if (n == 0)
        return cudaSuccess;
    error = cudaMallocManaged((void **)&pool, n * sizeof *pool, cudaMemAttachGlobal);
    if (error != cudaSuccess)
        return error;
    while (n-- > 0) {
        pool[n] = (struct um_node){.next = next, .value = values[n]};
        next = &pool[n];
    }
    *head = next;
    return cudaSuccess;
}
