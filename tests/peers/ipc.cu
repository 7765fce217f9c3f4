/**
 * @file ipc.cu
 * @brief Memory and events of another process: cudaIpc..., one process that shows and one that opens.
 */
#include "peers.h"

#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

/* The other process's end of two pipes. */
struct other {
    int in, out;
};

template <class T> static void put(const other &to, const T &what)
{
    if (write(to.out, &what, sizeof what) != (ssize_t)sizeof what)
        _exit(4);
}

template <class T> static T get(const other &from)
{
    T what;
    if (read(from.in, &what, sizeof what) != (ssize_t)sizeof what)
        _exit(5);
    return what;
}

/* It is the other one's turn; now it is ours. */
static void say(const other &to)
{
    put(to, 'x');
}

static void hear(const other &from)
{
    get<char>(from);
}

/* Forks before either process has called CUDA: neither may use what the other one has started. */
static void between(void (*shows)(const other &), void (*opens)(const other &))
{
    int there[2], back[2];
    if (pipe(there) || pipe(back))
        _exit(4);
    const pid_t child = fork();
    if (child == 0) {
        close(there[1]);
        close(back[0]);
        alarm(50);
        opens({there[0], back[1]});
        std::fflush(stdout);
        _exit(0);
    }
    close(there[0]);
    close(back[1]);
    shows({back[0], there[1]});
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        _exit(6);
}

static int *opened(const other &from)
{
    int *p;
    const cudaIpcMemHandle_t handle = get<cudaIpcMemHandle_t>(from);
    NEED(cudaIpcOpenMemHandle((void **)&p, handle, cudaIpcMemLazyEnablePeerAccess));
    return p;
}

static void show(const other &to, void *p)
{
    cudaIpcMemHandle_t handle;
    NEED(cudaIpcGetMemHandle(&handle, p));
    put(to, handle);
}

/* ---- what can be shown ---- */

static __device__ int shown[N];

static void what_has_a_handle()
{
    cudaIpcMemHandle_t handle, again;
    int *p = numbers(0, 1), *managed, *pinned, *pool, *address;
    std::memset(&handle, 0, sizeof handle);
    RETURNS("ipc: a handle of NULL", cudaIpcGetMemHandle(&handle, nullptr));

    RETURNS("ipc: of cudaMalloc's", cudaIpcGetMemHandle(&handle, p));
    RETURNS("ipc: of an element", cudaIpcGetMemHandle(&again, p + 100));
    NEED(cudaIpcGetMemHandle(&again, p));
    ANSWER("ipc: twice the same", "%d", std::memcmp(&handle, &again, sizeof handle) == 0);
    NEED(cudaMallocManaged(&managed, 4096));
    RETURNS("ipc: of managed memory", cudaIpcGetMemHandle(&handle, managed));
    NEED(cudaMallocHost(&pinned, 4096));
    RETURNS("ipc: of pinned memory", cudaIpcGetMemHandle(&handle, pinned));
    NEED(cudaMallocAsync(&pool, 4096, 0));
    RETURNS("ipc: of a pool's memory", cudaIpcGetMemHandle(&handle, pool));
    NEED(cudaGetSymbolAddress((void **)&address, shown));
    RETURNS("ipc: of a variable", cudaIpcGetMemHandle(&handle, address));
    int local = 0;
    RETURNS("ipc: of a host variable", cudaIpcGetMemHandle(&handle, &local));
    NEED(cudaFree(p));
    RETURNS("ipc: of freed memory", cudaIpcGetMemHandle(&handle, p));
    RETURNS("ipc: then the last error", cudaGetLastError());
}

static void the_same_process_cannot_open()
{
    cudaIpcMemHandle_t handle;
    int *p = numbers(0, 1);
    void *q = nullptr;
    NEED(cudaIpcGetMemHandle(&handle, p));
    RETURNS("ipc: opened by who shows it", cudaIpcOpenMemHandle(&q, handle, cudaIpcMemLazyEnablePeerAccess));
    std::memset(&handle, 0, sizeof handle);
    RETURNS("ipc: a handle of zeros", cudaIpcOpenMemHandle(&q, handle, cudaIpcMemLazyEnablePeerAccess));
    RETURNS("ipc: close what was not opened", cudaIpcCloseMemHandle(p));
    RETURNS("ipc: close NULL", cudaIpcCloseMemHandle(nullptr));
}

/* ---- memory ---- */

static void shows_numbers(const other &to)
{
    int *p = numbers(0, 3);
    show(to, p);
    hear(to);
    ANSWER("ipc: what the other's kernel added", "%ld", sum(p) / N);
    NEED(launch_add(p, 10));
    NEED(cudaDeviceSynchronize());
    say(to);
    hear(to);
    RETURNS("ipc: freed by who showed it", cudaFree(p));
}

static void opens_numbers(const other &from)
{
    cudaPointerAttributes attributes;
    void *again = nullptr;
    const cudaIpcMemHandle_t handle = get<cudaIpcMemHandle_t>(from);
    RETURNS("ipc: opened with flags 0", cudaIpcOpenMemHandle(&again, handle, 0));
    RETURNS("ipc: opened into NULL", cudaIpcOpenMemHandle(nullptr, handle, cudaIpcMemLazyEnablePeerAccess));
    int *p = nullptr;
    RETURNS("ipc: opened", cudaIpcOpenMemHandle((void **)&p, handle, cudaIpcMemLazyEnablePeerAccess));
    RETURNS("ipc: its attributes", cudaPointerGetAttributes(&attributes, p));
    ANSWER("ipc: its type, device, host pointer", "%d %d %d", (int)attributes.type, attributes.device,
           attributes.hostPointer != nullptr);
    ANSWER("ipc: its sum", "%ld", sum(p) / N);
    RETURNS("ipc: a kernel on it", launch_add(p, 4));
    RETURNS("ipc: its end", cudaDeviceSynchronize());
    say(from);
    hear(from);
    ANSWER("ipc: what the owner's kernel added", "%ld", sum(p) / N);
    RETURNS("ipc: opened again", cudaIpcOpenMemHandle(&again, handle, cudaIpcMemLazyEnablePeerAccess));
    ANSWER("ipc: at the same address", "%d", again == p);
    RETURNS("ipc: cudaFree of it", cudaFree(p));
    RETURNS("ipc: a handle of it", cudaIpcGetMemHandle(const_cast<cudaIpcMemHandle_t *>(&handle), p));
    RETURNS("ipc: closed in its middle", cudaIpcCloseMemHandle(p + 4));
    RETURNS("ipc: closed", cudaIpcCloseMemHandle(p));
    ANSWER("ipc: its sum, closed once of twice", "%ld", sum(p));
    cudaGetLastError();
    RETURNS("ipc: closed again", cudaIpcCloseMemHandle(p));
    ANSWER("ipc: its sum, closed", "%ld", sum(p));
    cudaGetLastError();
    RETURNS("ipc: closed a third time", cudaIpcCloseMemHandle(p));
    cudaGetLastError();
    RETURNS("ipc: a kernel on what is closed", launch_add(p, 1));
    RETURNS("ipc: its end, closed", cudaDeviceSynchronize());
    say(from);
}

static void another_process_opens_memory()
{
    between(shows_numbers, opens_numbers);
}

static void shows_a_part(const other &to)
{
    int *small, *beside;
    NEED(cudaMalloc(&small, 256));
    NEED(cudaMalloc(&beside, 256));
    NEED(cudaMemset(small, 0, 256));
    NEED(cudaMemset(beside, 1, 256));
    cudaIpcMemHandle_t of_small, of_beside, of_middle;
    NEED(cudaIpcGetMemHandle(&of_small, small));
    NEED(cudaIpcGetMemHandle(&of_beside, beside));
    NEED(cudaIpcGetMemHandle(&of_middle, beside + 7));
    put(to, of_small);
    put(to, of_beside);
    put(to, of_middle);
    hear(to);
}

static int first_of(const int *p)
{
    int first = -1;
    if (cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost) != cudaSuccess)
        cudaGetLastError();
    return first;
}

static void opens_a_part(const other &from)
{
    int *small = opened(from), *beside = opened(from);
    int *middle = nullptr;
    const cudaIpcMemHandle_t handle = get<cudaIpcMemHandle_t>(from);
    ANSWER("ipc: 256 bytes, the first number", "%d", first_of(small));
    ANSWER("ipc: the next 256 bytes'", "%d", first_of(beside));
    RETURNS("ipc: opened by an element",
            cudaIpcOpenMemHandle((void **)&middle, handle, cudaIpcMemLazyEnablePeerAccess));
    ANSWER("ipc: where", "%ld", (long)(middle - beside));
    RETURNS("ipc: a fill of it", cudaMemset(small, 2, 256));
    RETURNS("ipc: a copy from it to its neighbour", cudaMemcpy(beside, small, 256, cudaMemcpyDeviceToDevice));
    ANSWER("ipc: then the neighbour's", "%d", first_of(beside));
    say(from);
}

static void small_allocations_are_told_apart()
{
    between(shows_a_part, opens_a_part);
}

static void shows_and_frees(const other &to)
{
    int *p = numbers(0, 3);
    cudaIpcMemHandle_t handle;
    NEED(cudaIpcGetMemHandle(&handle, p));
    NEED(cudaFree(p));
    NEED(cudaDeviceSynchronize());
    put(to, handle);
    hear(to);
}

static void opens_what_is_gone(const other &from)
{
    void *p = nullptr;
    const cudaIpcMemHandle_t handle = get<cudaIpcMemHandle_t>(from);
    RETURNS("ipc: opened when it was freed",
            cudaIpcOpenMemHandle(&p, handle, cudaIpcMemLazyEnablePeerAccess));
    cudaGetLastError();
    say(from);
}

static void what_is_freed_cannot_be_opened()
{
    between(shows_and_frees, opens_what_is_gone);
}

static void shows_and_frees_later(const other &to)
{
    int *p = numbers(0, 5);
    show(to, p);
    hear(to);
    RETURNS("ipc: freed while it is open", cudaFree(p));
    int *q = numbers(0, 9);
    NEED(launch_add(q, 1));
    NEED(cudaDeviceSynchronize());
    say(to);
    hear(to);
}

static void opens_what_goes(const other &from)
{
    int *p = opened(from);
    NEED(launch_add(p, 1));
    NEED(cudaDeviceSynchronize());
    say(from);
    hear(from);
    ANSWER("ipc: its sum, freed by the owner", "%ld", sum(p) / N);
    RETURNS("ipc: a kernel on it, freed by the owner", launch_add(p, 1));
    RETURNS("ipc: its end, freed by the owner", cudaDeviceSynchronize());
    ANSWER("ipc: its sum then", "%ld", sum(p) / N);
    RETURNS("ipc: closed, freed by the owner", cudaIpcCloseMemHandle(p));
    say(from);
}

static void what_is_open_stays_when_it_is_freed()
{
    between(shows_and_frees_later, opens_what_goes);
}

/* The owner is the child here, and ends. */
static void what_is_open_stays_when_its_owner_ends()
{
    int there[2], back[2];
    if (pipe(there) || pipe(back))
        _exit(4);
    const pid_t owner = fork();
    if (owner == 0) {
        alarm(50);
        const other to = {back[0], there[1]};
        show(to, numbers(0, 5));
        hear(to);
        _exit(0);
    }
    const other from = {there[0], back[1]};
    int *p = opened(from);
    ANSWER("ipc: while the owner lives", "%ld", sum(p) / N);
    say(from);
    waitpid(owner, nullptr, 0);
    ANSWER("ipc: the owner has ended", "%ld", sum(p) / N);
    RETURNS("ipc: a kernel on it, the owner has ended", launch_add(p, 1));
    RETURNS("ipc: its end, the owner has ended", cudaDeviceSynchronize());
    ANSWER("ipc: its sum, the owner has ended", "%ld", sum(p) / N);
}

/* ---- of several devices ---- */

static void shows_both(const other &to)
{
    show(to, numbers(0, 3));
    show(to, numbers(1, 5));
    hear(to);
}

static void opens_on_1(const other &from)
{
    cudaPointerAttributes attributes;
    NEED(cudaSetDevice(1));
    int *of_0 = nullptr;
    const cudaIpcMemHandle_t handle = get<cudaIpcMemHandle_t>(from);
    RETURNS("ipc: 0's memory, opened with 1 current",
            cudaIpcOpenMemHandle((void **)&of_0, handle, cudaIpcMemLazyEnablePeerAccess));
    RETURNS("ipc: peer access to 0 then", cudaDeviceEnablePeerAccess(0, 0));
    cudaGetLastError();
    int *of_1 = opened(from);
    NEED(cudaPointerGetAttributes(&attributes, of_0));
    ANSWER("ipc: 0's: type, device, with 1 current", "%d %d", (int)attributes.type, attributes.device);
    NEED(cudaPointerGetAttributes(&attributes, of_1));
    ANSWER("ipc: 1's: type, device", "%d %d", (int)attributes.type, attributes.device);
    RETURNS("ipc: a kernel of 1 on 0's", launch_add(of_0, 1));
    RETURNS("ipc: its end, of 1 on 0's", cudaDeviceSynchronize());
    ANSWER("ipc: 0's sum", "%ld", sum(of_0) / N);
    RETURNS("ipc: a copy from 1's to 0's", cudaMemcpy(of_0, of_1, N * sizeof(int), cudaMemcpyDefault));
    ANSWER("ipc: 0's sum then", "%ld", sum(of_0) / N);
    RETURNS("ipc: closed with 1 current", cudaIpcCloseMemHandle(of_1));
    NEED(cudaSetDevice(0));
    RETURNS("ipc: closed with 0 current", cudaIpcCloseMemHandle(of_0));
    cudaGetLastError();
    ANSWER("ipc: 0's sum, closed with 0 current", "%ld", sum(of_0) / N);
    cudaGetLastError();
    say(from);
}

static void a_device_opens_anothers()
{
    between(shows_both, opens_on_1);
}

static void opens_on_1_for_0(const other &from)
{
    NEED(cudaSetDevice(1));
    int *of_0 = opened(from);
    get<cudaIpcMemHandle_t>(from);
    NEED(cudaSetDevice(0));
    RETURNS("ipc: a kernel of 0 on 0's, opened with 1", launch_add(of_0, 1));
    RETURNS("ipc: its end, of 0 on 0's", cudaDeviceSynchronize());
    say(from);
}

static void what_a_device_opened_is_its_own()
{
    between(shows_both, opens_on_1_for_0);
}

static void opens_on_0(const other &from)
{
    const cudaIpcMemHandle_t of_0 = get<cudaIpcMemHandle_t>(from), of_1 = get<cudaIpcMemHandle_t>(from);
    int *p = nullptr, *q = nullptr;
    NEED(cudaSetDevice(0));
    NEED(cudaIpcOpenMemHandle((void **)&p, of_0, cudaIpcMemLazyEnablePeerAccess));
    NEED(cudaSetDevice(1));
    RETURNS("ipc: opened with 0, and again with 1",
            cudaIpcOpenMemHandle((void **)&q, of_0, cudaIpcMemLazyEnablePeerAccess));
    ANSWER("ipc: with 0 and with 1 at one address", "%d", p == q);
    cudaGetLastError();
    RETURNS("ipc: a kernel of 1 on what 0 opened", launch_add(p, 1));
    RETURNS("ipc: its end, of 1 on what 0 opened", cudaDeviceSynchronize());
    (void)of_1;
    say(from);
}

static void both_devices_open_one()
{
    between(shows_both, opens_on_0);
}

/* ---- events ---- */

static void what_events_have_a_handle()
{
    cudaEvent_t plain, timed = nullptr, shared;
    cudaIpcEventHandle_t handle;
    std::memset(&handle, 0, sizeof handle);
    NEED(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    RETURNS("ipc event: of a plain one", cudaIpcGetEventHandle(&handle, plain));
    cudaGetLastError();
    RETURNS("ipc event: made with times", cudaEventCreateWithFlags(&timed, cudaEventInterprocess));
    cudaGetLastError();
    RETURNS("ipc event: made",
            cudaEventCreateWithFlags(&shared, cudaEventInterprocess | cudaEventDisableTiming));
    RETURNS("ipc event: its handle", cudaIpcGetEventHandle(&handle, shared));

    cudaEvent_t own = nullptr;
    RETURNS("ipc event: opened by who shows it", cudaIpcOpenEventHandle(&own, handle));
    cudaGetLastError();
    std::memset(&handle, 0, sizeof handle);
    RETURNS("ipc event: a handle of zeros", cudaIpcOpenEventHandle(&own, handle));
    cudaGetLastError();
    RETURNS("ipc event: asked before it is recorded", cudaEventQuery(shared));
    RETURNS("ipc event: recorded", cudaEventRecord(shared, 0));
    RETURNS("ipc event: waited for", cudaEventSynchronize(shared));
    float ms = -1;
    RETURNS("ipc event: times between", cudaEventElapsedTime(&ms, shared, shared));
}

static void shows_an_event(const other &to)
{
    cudaEvent_t event;
    cudaIpcEventHandle_t handle;
    int *p = numbers(0, 3);
    NEED(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    NEED(cudaIpcGetEventHandle(&handle, event));
    show(to, p);
    put(to, handle);
    hear(to); /* it has asked */
    NEED(launch_late(p, 7));
    NEED(cudaEventRecord(event, 0));
    say(to); /* at once, the kernel runs */
    hear(to);
    RETURNS("ipc event: a wait for the other's record", cudaStreamWaitEvent(0, event, 0));
    NEED(launch_add(p, 1));
    ANSWER("ipc event: after both", "%ld", sum(p) / N);
    RETURNS("ipc event: asked when the other recorded", cudaEventQuery(event));
    RETURNS("ipc event: destroyed by who showed it", cudaEventDestroy(event));
    say(to);
    hear(to);
}

static void opens_an_event(const other &from)
{
    int *p = opened(from);
    const cudaIpcEventHandle_t handle = get<cudaIpcEventHandle_t>(from);
    cudaEvent_t event = nullptr, again = nullptr, plain;
    cudaIpcEventHandle_t own;
    float ms = -1;
    RETURNS("ipc event: opened", cudaIpcOpenEventHandle(&event, handle));
    RETURNS("ipc event: opened into NULL", cudaIpcOpenEventHandle(nullptr, handle));
    RETURNS("ipc event: opened again", cudaIpcOpenEventHandle(&again, handle));
    RETURNS("ipc event: a handle of what was opened", cudaIpcGetEventHandle(&own, event));
    cudaGetLastError();
    RETURNS("ipc event: opened, asked before it is recorded", cudaEventQuery(event));
    NEED(cudaEventCreate(&plain));
    NEED(cudaEventRecord(plain, 0));
    NEED(cudaEventSynchronize(plain));
    RETURNS("ipc event: opened, times between", cudaEventElapsedTime(&ms, event, plain));
    cudaGetLastError();
    say(from);
    hear(from); /* it is recorded */
    RETURNS("ipc event: a stream waits for the other's", cudaStreamWaitEvent(0, event, 0));
    NEED(launch_add(p, 100));
    NEED(cudaDeviceSynchronize());
    ANSWER("ipc event: the owner's kernel came first", "%ld", sum(p) / N);
    RETURNS("ipc event: waited for, by the other", cudaEventSynchronize(event));
    NEED(launch_late(p, 1000));
    RETURNS("ipc event: recorded by the other", cudaEventRecord(event, 0));
    say(from);
    hear(from);
    RETURNS("ipc event: asked, the owner's is destroyed", cudaEventQuery(event));
    RETURNS("ipc event: recorded, the owner's is destroyed", cudaEventRecord(event, 0));
    RETURNS("ipc event: destroyed by the other", cudaEventDestroy(event));
    say(from);
}

static void another_process_waits_for_an_event()
{
    between(shows_an_event, opens_an_event);
}

extern const behaviour ipc_behaviours[] = {
    {"ipc_what_has_a_handle", what_has_a_handle},
    {"ipc_the_same_process_cannot_open", the_same_process_cannot_open},
    {"ipc_another_process_opens_memory", another_process_opens_memory},
    {"ipc_small_allocations_are_told_apart", small_allocations_are_told_apart},
    {"ipc_what_is_freed_cannot_be_opened", what_is_freed_cannot_be_opened},
    {"ipc_what_is_open_stays_when_it_is_freed", what_is_open_stays_when_it_is_freed},
    {"ipc_what_is_open_stays_when_its_owner_ends", what_is_open_stays_when_its_owner_ends},
    {"ipc_a_device_opens_anothers", a_device_opens_anothers},
    {"ipc_what_a_device_opened_is_its_own", what_a_device_opened_is_its_own},
    {"ipc_both_devices_open_one", both_devices_open_one},
    {"ipc_what_events_have_a_handle", what_events_have_a_handle},
    {"ipc_another_process_waits_for_an_event", another_process_waits_for_an_event},
    {nullptr, nullptr},
};
