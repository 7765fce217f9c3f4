/**
 * @file streams_in_order.cu
 * @brief Work in several streams keeps the order that streams, events and the legacy stream's rule give it.
 *
 * Random graphs: each operation reads and writes some of a few buffers, in some stream. Where two operations
 * meet in a buffer, an event orders them, unless the legacy stream's rule does. The host does the same in
 * plain memory, one after the other; whatever order the device chose, both come to the same numbers. Exit 0,
 * or 1 with what differed.
 */
#include "need.h"
#include "pick.h"

#include <stdint.h>
#include <string.h>

enum { STREAMS = 6, BUFFERS = 5, LENGTH = 600, OPERATIONS = 150, GRAPHS = 6 };
enum what { COMBINE, COPY, SEND, FETCH, SET, WHATS };

/* One operation touches a buffer: its stream, and an event behind it. */
struct touch {
    int stream;
    cudaEvent_t done;
};

struct buffer {
    unsigned *device, model[LENGTH];
    struct touch wrote, read[STREAMS]; /* the last ones; stream -1: none */
};

static cudaStream_t stream[STREAMS];
static struct buffer buffer[BUFFERS];
static unsigned *sent, *fetched; /* pinned: a row for each operation */
static unsigned fetched_model[OPERATIONS][LENGTH];
static cudaEvent_t event[OPERATIONS];

__global__ void combine(unsigned *to, const unsigned *from, unsigned number)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < LENGTH)
        to[i] = to[i] * 3 + from[i] + number;
}

/* Stream 0 is the legacy stream, the last one does not wait for it; all others take turns with it. */
static bool ordered_by_rule(int a, int b)
{
    return a == b || ((a == 0 || b == 0) && a != STREAMS - 1 && b != STREAMS - 1);
}

static void come_after(int mine, const struct touch *other)
{
    if (other->stream < 0 || ordered_by_rule(mine, other->stream))
        return;
    NEED(cudaStreamWaitEvent(stream[mine], other->done, 0));
}

static void before_reading(int mine, struct buffer *b)
{
    come_after(mine, &b->wrote);
}

static void before_writing(int mine, struct buffer *b)
{
    come_after(mine, &b->wrote);
    for (int s = 0; s < STREAMS; s++)
        come_after(mine, &b->read[s]);
}

static void issue(int number, enum what what, int mine, struct buffer *to, struct buffer *from)
{
    unsigned *row = sent + number * LENGTH, *answer = fetched + number * LENGTH;
    const size_t bytes = LENGTH * sizeof *row;
    switch (what) {
    case COMBINE:
        combine<<<(LENGTH + 127) / 128, 128, 0, stream[mine]>>>(to->device, from->device, (unsigned)number);
        NEED(cudaGetLastError());
        for (int i = 0; i < LENGTH; i++)
            to->model[i] = to->model[i] * 3 + from->model[i] + (unsigned)number;
        break;
    case COPY:
        NEED(cudaMemcpyAsync(to->device, from->device, bytes, cudaMemcpyDeviceToDevice, stream[mine]));
        memcpy(to->model, from->model, bytes);
        break;
    case SEND:
        for (int i = 0; i < LENGTH; i++)
            row[i] = to->model[i] = pick(1u << 30);
        NEED(cudaMemcpyAsync(to->device, row, bytes, cudaMemcpyHostToDevice, stream[mine]));
        break;
    case FETCH:
        NEED(cudaMemcpyAsync(answer, from->device, bytes, cudaMemcpyDeviceToHost, stream[mine]));
        memcpy(fetched_model[number], from->model, bytes);
        break;
    default:
        NEED(cudaMemsetAsync(to->device, number, bytes, stream[mine]));
        memset(to->model, number, bytes);
    }
}

static void add_operation(int number)
{
    enum what what = (enum what)pick(WHATS);
    int mine = (int)pick(STREAMS), t = (int)pick(BUFFERS);
    struct buffer *to = &buffer[t], *from = &buffer[(t + 1 + pick(BUFFERS - 1)) % BUFFERS];
    bool writes = what != FETCH, reads = what == COMBINE || what == COPY || what == FETCH;
    if (writes)
        before_writing(mine, to);
    if (reads)
        before_reading(mine, from);
    issue(number, what, mine, to, from);
    NEED(cudaEventRecord(event[number], stream[mine]));
    const struct touch touch = {mine, event[number]};
    if (reads)
        from->read[mine] = touch;
    if (!writes)
        return;
    to->wrote = touch;
    for (int s = 0; s < STREAMS; s++)
        to->read[s].stream = -1;
}

static void compare(int graph)
{
    static unsigned back[LENGTH];
    for (int b = 0; b < BUFFERS; b++) {
        NEED(cudaMemcpy(back, buffer[b].device, sizeof back, cudaMemcpyDeviceToHost));
        HOLDS(memcmp(back, buffer[b].model, sizeof back) == 0, "graph %d, buffer %d", graph, b);
    }
    for (int n = 0; n < OPERATIONS; n++)
        HOLDS(memcmp(fetched + n * LENGTH, fetched_model[n], sizeof back) == 0,
              "graph %d, what operation %d fetched", graph, n);
}

static void run_graph(int graph)
{
    memset(fetched, 0, sizeof fetched_model);
    memset(fetched_model, 0, sizeof fetched_model);
    for (int b = 0; b < BUFFERS; b++) {
        memset(buffer[b].model, 0, sizeof buffer[b].model);
        NEED(cudaMemset(buffer[b].device, 0, sizeof buffer[b].model));
        buffer[b].wrote.stream = -1;
        for (int s = 0; s < STREAMS; s++)
            buffer[b].read[s].stream = -1;
    }
    NEED(cudaDeviceSynchronize());
    for (int n = 0; n < OPERATIONS; n++) {
        add_operation(n);
        if (pick(40) == 0)
            NEED(cudaStreamSynchronize(stream[pick(STREAMS)]));
        if (pick(40) == 0)
            NEED(cudaEventSynchronize(event[pick((unsigned)n + 1)]));
    }
    NEED(cudaDeviceSynchronize());
    compare(graph);
}

int main()
{
    for (int s = 1; s < STREAMS; s++)
        NEED(cudaStreamCreateWithFlags(&stream[s],
                                       s == STREAMS - 1 ? cudaStreamNonBlocking : cudaStreamDefault));
    for (int n = 0; n < OPERATIONS; n++)
        NEED(cudaEventCreateWithFlags(&event[n], cudaEventDisableTiming));
    for (int b = 0; b < BUFFERS; b++)
        NEED(cudaMalloc((void **)&buffer[b].device, sizeof buffer[b].model));
    NEED(cudaMallocHost((void **)&sent, sizeof fetched_model));
    NEED(cudaMallocHost((void **)&fetched, sizeof fetched_model));
    for (int graph = 0; graph < GRAPHS; graph++)
        run_graph(graph);
    printf("%d graphs of %d operations in %d streams, all as on the host\n", GRAPHS, OPERATIONS, STREAMS);
    return 0;
}
