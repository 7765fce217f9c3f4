/**
 * @file lends.c
 * @brief A trusted client that lends its GPU to a process that it forks, as a grader does to a submission,
 * and looks at what that has left (sim/client/client.h). Prints a line for each thing that is as it should
 * be.
 */
#include "sim/client/client.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma weak umsim_client_lend /* the server, which is this program, too, has no such functions */
#pragma weak umsim_client_take

enum { N = 100000 };
static int secret[64]; /* of the trusted client's: the student's process has a copy */
static int *managed, *device, *pinned, *shared;
static void *registered;

static void say(const char *what, int holds)
{
    printf("%s: %s\n", what, holds ? "yes" : "NO");
}

static void runs_nowhere(void *data)
{
    (void)data;
    puts("a host function of the student's ran in the trusted client: NO");
}

/* Queues copies to and from memory of its own that has the same addresses in the trusted client. */
static void leave_a_graph_behind(void)
{
    cudaStream_t stream = NULL;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaMemcpyAsync(secret, device, sizeof secret, cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, runs_nowhere, NULL);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    say("the graph is launched", cudaGraphLaunch(exec, stream) == cudaSuccess);
    cudaStreamBeginCapture(stream,
                           cudaStreamCaptureModeGlobal); /* and left open: it forbids others to wait */
}

/* In the process that is forked. */
static void student(void)
{
    static int own[N];
    say("managed memory is as the trusted client left it", managed[N - 1] == N - 1);
    managed[0] = 4711;
    pinned[0] = 4712;
    shared[0] = 4713;
    for (int i = 0; i < N; i++)
        own[i] = 3 * i;
    say("a copy from its memory", cudaMemcpy(device, own, sizeof own, cudaMemcpyHostToDevice) == cudaSuccess);
    registered = malloc(1 << 16);
    say("registers its memory", cudaHostRegister(registered, 1 << 16, 0) == cudaSuccess);
    shared[1] = (int)((uintptr_t)registered >> 32);
    shared[2] = (int)(uintptr_t)registered;
    cudaMalloc(NULL, 1); /* an error that it leaves */
    leave_a_graph_behind();
    secret[1] = 99;
    fflush(stdout);
    _exit(7);
}

static void look(int status)
{
    struct cudaPointerAttributes about;
    static int home[N];
    const uintptr_t its = (uintptr_t)(unsigned)shared[1] << 32 | (unsigned)shared[2];
    say("its status is told", WIFEXITED(status) && WEXITSTATUS(status) == 7);
    say("the error that it left is told", cudaGetLastError() == cudaErrorInvalidValue);
    say("managed memory holds what it wrote", managed[0] == 4711 && managed[1] == 1);
    say("pinned memory holds what it wrote", pinned[0] == 4712);
    say("shared memory holds what it wrote", shared[0] == 4713);
    say("device memory holds what it copied",
        cudaMemcpy(home, device, sizeof home, cudaMemcpyDeviceToHost) == cudaSuccess &&
            home[N - 1] == 3 * (N - 1));
    say("a wait", cudaDeviceSynchronize() == cudaSuccess);
    say("its own memory is its own", secret[0] == 0 && secret[1] == 0);
    say("nothing of its is registered", cudaPointerGetAttributes(&about, (void *)its) == cudaSuccess &&
                                            about.type == cudaMemoryTypeUnregistered);
}

int main(void)
{
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    say("set up",
        cudaMallocManaged((void **)&managed, N * sizeof *managed, cudaMemAttachGlobal) == cudaSuccess &&
            cudaMalloc((void **)&device, N * sizeof *device) == cudaSuccess &&
            cudaMallocHost((void **)&pinned, 4096) == cudaSuccess);
    for (int turn = 0; turn < 3; turn++) { /* each time with a process of its own */
        for (int i = 0; i < N; i++)
            managed[i] = i;
        fflush(stdout);
        const pid_t process = umsim_client_lend();
        if (process == 0)
            student();
        look(umsim_client_take(process));
    }
    const pid_t dies = umsim_client_lend();
    if (dies == 0)
        abort();
    const int status = umsim_client_take(dies);
    say("a process that dies", WIFSIGNALED(status) && cudaDeviceSynchronize() == cudaSuccess);
    return 0;
}
