/**
 * @file host_calls.cu
 * @brief CUDA calls inside host functions, which are not permitted: `host_calls MODE`. Modes are the
 * functions below.
 *
 * Exit 0 when each call answered as it has to, and none waited for ever; else 1, and what did not hold.
 */
#include "../../programs/need.h"

#include <string.h>
#include <thread>

__global__ void add_one(int *p)
{
    *p += 1;
}

static cudaStream_t stream;
static int *device;

static void make_ready()
{
    NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    NEED(cudaMalloc((void **)&device, 4));
    NEED(cudaMemset(device, 0, 4));
    NEED(cudaDeviceSynchronize());
}

/** Calls `body`, a lambda without captures, in the stream, and waits. */
template <typename Body> static void in_the_stream(Body body)
{
    static Body kept = body;
    NEED(cudaLaunchHostFunc(
        stream, [](void *) { kept(); }, NULL));
    NEED(cudaStreamSynchronize(stream));
}

static cudaEvent_t event, finished;

/* To wait for what comes behind the function itself would never end. */
static void events()
{
    static cudaError_t answers[5];
    make_ready();
    NEED(cudaEventCreate(&event));
    NEED(cudaEventCreate(&finished));
    add_one<<<1, 1, 0, stream>>>(device);
    NEED(cudaEventRecord(finished, stream)); /* nobody has waited for it */
    NEED(cudaLaunchHostFunc(
        stream,
        [](void *) {
            answers[0] = cudaEventSynchronize(event);
            answers[1] = cudaEventQuery(event);
            answers[2] = cudaEventSynchronize(finished);
            answers[3] = cudaEventQuery(finished);
            answers[4] = cudaEventQuery(NULL);
        },
        NULL));
    add_one<<<1, 1, 0, stream>>>(device);
    NEED(cudaEventRecord(event, stream));
    NEED(cudaStreamSynchronize(stream));
    const cudaError_t expected[] = {cudaErrorNotPermitted, cudaErrorNotPermitted, cudaSuccess, cudaSuccess,
                                    cudaErrorInvalidResourceHandle};
    for (int i = 0; i < 5; i++)
        HOLDS(answers[i] == expected[i], "answer %d: %s", i, cudaGetErrorName(answers[i]));
    NEED(cudaEventSynchronize(event));
    int done = 0;
    NEED(cudaMemcpy(&done, device, sizeof done, cudaMemcpyDeviceToHost));
    HOLDS(done == 2, "%d kernels", done);
}

/* The function's errors are not those of the thread that waits. */
static void last_errors()
{
    static cudaError_t inside[3];
    make_ready();
    NEED_ERROR(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    in_the_stream([] {
        int number;
        inside[0] = cudaGetLastError();
        inside[1] = cudaGetDevice(&number);
        inside[2] = cudaPeekAtLastError();
    });
    HOLDS(inside[0] == cudaSuccess && inside[1] == cudaErrorNotPermitted &&
              inside[2] == cudaErrorNotPermitted,
          "inside: %s %s %s", cudaGetErrorName(inside[0]), cudaGetErrorName(inside[1]),
          cudaGetErrorName(inside[2]));
    NEED_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
    NEED(cudaGetLastError());
}

/* Nothing that was refused has been done. */
static void refused_work()
{
    static cudaError_t inside[4];
    make_ready();
    in_the_stream([] {
        int one = 1;
        add_one<<<1, 1>>>(device);
        inside[0] = cudaGetLastError();
        inside[1] = cudaMemcpy(device, &one, sizeof one, cudaMemcpyHostToDevice);
        inside[2] = cudaLaunchHostFunc(
            stream, [](void *) { abort(); }, NULL);
        inside[3] = cudaFree(device);
    });
    for (int i = 0; i < 4; i++)
        HOLDS(inside[i] == cudaErrorNotPermitted, "answer %d: %s", i, cudaGetErrorName(inside[i]));
    int done = -1;
    NEED(cudaDeviceSynchronize());
    NEED(cudaMemcpy(&done, device, sizeof done, cudaMemcpyDeviceToHost));
    HOLDS(done == 0, "%d", done);
}

/* As a node of a graph. */
static void in_graphs()
{
    static cudaError_t inside;
    make_ready();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    const struct cudaHostNodeParams host = {[](void *) { inside = cudaDeviceSynchronize(); }, NULL};
    NEED(cudaGraphCreate(&graph, 0));
    NEED(cudaGraphAddHostNode(&node, graph, NULL, 0, &host));
    NEED(cudaGraphInstantiate(&exec, graph, 0));
    NEED(cudaGraphLaunch(exec, stream));
    NEED(cudaStreamSynchronize(stream));
    HOLDS(inside == cudaErrorNotPermitted, "inside: %s", cudaGetErrorName(inside));
}

/* What the function starts, and does not wait for, may call CUDA. */
static void threads_of_its_own()
{
    static std::thread thread;
    static cudaError_t there;
    make_ready();
    in_the_stream([] {
        thread = std::thread([] {
            void *p;
            there = cudaMalloc(&p, 64);
        });
    });
    thread.join();
    HOLDS(there == cudaSuccess, "%s", cudaGetErrorName(there));
}

/* Ends the program. */
static void exceptions()
{
    make_ready();
    try {
        in_the_stream([] { throw 5; });
    } catch (int) {
        printf("caught\n");
    }
    exit(0);
}

static const struct {
    const char *name;
    void (*run)();
} modes[] = {
    {"events", events},
    {"last-errors", last_errors},
    {"refused-work", refused_work},
    {"in-graphs", in_graphs},
    {"threads-of-its-own", threads_of_its_own},
    {"exceptions", exceptions},
};

int main(int count, char **words)
{
    for (const auto &mode : modes)
        if (count > 1 && strcmp(words[1], mode.name) == 0) {
            mode.run();
            return 0;
        }
    return 3;
}
