/**
 * @file victim.cu
 * @brief The program that the lifecycle tests start, kill and confine: `victim MODE`. Modes are the functions
 * below.
 *
 * It prints what CUDA answered, a name a line; the tests judge. Exit 0 when it came to its own end.
 */
#include <cuda_runtime.h>
#include <umsim.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void endless(volatile int *flag)
{
    while (*flag == 0) {
    }
}

__global__ void endless_with_barriers(volatile int *flag)
{
    while (*flag == 0)
        __syncthreads();
}

__global__ void add_one(int *x)
{
    x[threadIdx.x] += 1;
}

static void say(cudaError_t result)
{
    printf("%s\n", cudaGetErrorName(result));
    fflush(stdout);
}

static int *flag()
{
    static int *p;
    if (!p && (cudaMalloc((void **)&p, 4096) != cudaSuccess || cudaMemset(p, 0, 4096) != cudaSuccess))
        exit(3);
    return p;
}

static void say_gpu()
{
    printf("%d\n", umsim_gpu_pid());
    fflush(stdout);
}

/* One call: a whole start and a whole end. */
static void once()
{
    void *p;
    if (cudaMalloc(&p, 4096) != cudaSuccess)
        exit(1);
}

/* A launch, its result brought back. */
static void work()
{
    int x = 41;
    int *p = flag();
    if (cudaMemcpy(p, &x, sizeof x, cudaMemcpyHostToDevice) != cudaSuccess)
        exit(1);
    add_one<<<1, 1>>>(p);
    if (cudaMemcpy(&x, p, sizeof x, cudaMemcpyDeviceToHost) != cudaSuccess || x != 42)
        exit(1);
}

/* A kernel that does not end, and what every call says after it was stopped. */
static void after_endless(cudaError_t launched)
{
    int x = 0;
    void *p;
    say(launched);
    say(cudaDeviceSynchronize());
    say(cudaGetLastError());
    say(cudaMemcpy(&x, flag(), sizeof x, cudaMemcpyDeviceToHost));
    say(cudaMalloc(&p, 64));
    say(cudaFree(flag()));
}

static void run_endless()
{
    int *p = flag();
    say_gpu();
    endless<<<4, 64>>>(p);
    after_endless(cudaGetLastError());
}

static void run_endless_with_barriers()
{
    int *p = flag();
    say_gpu();
    endless_with_barriers<<<4, 64>>>(p);
    after_endless(cudaGetLastError());
}

/* An endless kernel with work queued behind it in the same and in another stream. */
static void run_endless_and_more()
{
    cudaStream_t other;
    int *p = flag();
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    say_gpu();
    endless<<<1, 1>>>(p);
    add_one<<<1, 32>>>(p);
    add_one<<<1, 32, 0, other>>>(p + 100);
    after_endless(cudaStreamSynchronize(other));
    say(cudaStreamDestroy(other));
}

/* Nothing in flight: waits for a signal, or for a line on stdin. */
static void idle()
{
    char line[8];
    flag();
    say_gpu();
    if (!fgets(line, sizeof line, stdin))
        pause();
    after_endless(cudaSuccess);
}

/* Another program takes this one's place, from the main thread or another, while a kernel runs or not. */
static void *become_sleep(void *)
{
    execl("/bin/sleep", "sleep", "20", (char *)NULL);
    exit(5);
}

static void exec_idle()
{
    flag();
    say_gpu();
    become_sleep(NULL);
}

static void exec_in_a_kernel()
{
    pthread_t thread;
    endless<<<1, 1>>>(flag());
    say_gpu();
    pthread_create(&thread, NULL, become_sleep, NULL);
    cudaDeviceSynchronize();
}

/* Children live on: one as it was forked, one as another program. Their parent ends, without a word to its
 * GPU. */
static void children_live_on()
{
    flag();
    say_gpu();
    if (fork() == 0) {
        sleep(20);
        _exit(0);
    }
    if (vfork() == 0) {
        execl("/bin/sleep", "sleep", "20", (char *)NULL);
        _exit(5);
    }
    _exit(0);
}

/* The same, and their parent goes on: its GPU, too. The thread that made the first call is gone then. */
static void *first_call(void *)
{
    flag();
    say_gpu();
    return NULL;
}

static void outlives_its_children()
{
    pthread_t thread;
    pthread_create(&thread, NULL, first_call, NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < 3; i++) {
        pid_t child = i % 2 ? vfork() : fork();
        if (child == 0) {
            execl("/bin/true", "true", (char *)NULL);
            _exit(5);
        }
        waitpid(child, NULL, 0);
    }
    usleep(50000);
    work();
    say(cudaDeviceSynchronize());
}

static void three_allocations()
{
    void *p;
    for (int i = 0; i < 3; i++)
        say(cudaMalloc(&p, 64));
    say(cudaGetLastError());
}

/* Three forgotten synchronisations: mapped memory, an asynchronous copy, managed memory. Old values are 1,
 * new 2. */
__global__ void set_two(int *x)
{
    *x = 2;
}

static void forgotten()
{
    int *mapped, *copied, *managed, *device = flag();
    cudaMallocHost((void **)&mapped, 64);
    cudaMallocHost((void **)&copied, 64);
    cudaMallocManaged((void **)&managed, 64);
    *mapped = *copied = *managed = 1;
    set_two<<<1, 1>>>(mapped);
    printf("%d", *(volatile int *)mapped);
    set_two<<<1, 1>>>(device);
    cudaMemcpyAsync(copied, device, sizeof *copied, cudaMemcpyDeviceToHost, 0);
    printf(" %d", *(volatile int *)copied);
    set_two<<<1, 1>>>(managed);
    printf(" %d", *(volatile int *)managed);
    cudaError_t end = cudaDeviceSynchronize();
    printf(" then %d %d %d\n", *mapped, *copied, *managed);
    say(end);
}

/* Two programs that do the same at the same time, on the same addresses. */
static void long_sum()
{
    enum { N = 1 << 16, ROUNDS = 100 };
    static int x[N], y[N];
    int *p, start = (int)getpid();
    if (cudaMalloc((void **)&p, sizeof x) != cudaSuccess)
        exit(1);
    for (int i = 0; i < N; i++)
        x[i] = start + i;
    cudaMemcpy(p, x, sizeof x, cudaMemcpyHostToDevice);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i += 1024)
            add_one<<<1, 1024>>>(p + i);
        cudaDeviceSynchronize();
    }
    if (cudaMemcpy(y, p, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess)
        exit(1);
    for (int i = 0; i < N; i++)
        if (y[i] != start + i + ROUNDS)
            exit(1);
}

/* More memory than an address space under a limit has, but less than the GPU: one line says why it fails,
 * once. */
static void too_much()
{
    void *p;
    once();
    say(cudaMalloc(&p, (size_t)8 << 30));
    say(cudaMalloc(&p, (size_t)8 << 30));
    say(cudaMalloc(&p, 4096));
}

__device__ __noinline__ static int deep(int frames, const int *zero)
{
    if (frames == 0)
        return *zero;
    const int below = deep(frames - 1, zero);
    return below + 1 + zero[below & 1];
}

__global__ static void recurse(int *x)
{
    const int own = threadIdx.x == 5 ? deep(1000000000, x) : 0;
    __syncthreads();
    x[threadIdx.x] += __shfl_sync(0xffffffff, own, 5);
}

static void overflow()
{
    recurse<<<8, 256>>>(flag());
    say(cudaDeviceSynchronize());
}

__global__ static void touch_pages(char *p, size_t bytes)
{
    for (size_t i = (size_t)threadIdx.x * 4096; i < bytes; i += (size_t)blockDim.x * 4096)
        p[i] = 1;
}

/* A kernel touches 1 GiB. */
static void fill()
{
    const size_t bytes = (size_t)1 << 30;
    char *p;
    if (cudaMalloc((void **)&p, bytes) != cudaSuccess)
        exit(1);
    touch_pages<<<1, 256>>>(p, bytes);
    say(cudaDeviceSynchronize());
}

/* The first thread leaves. The process ends with its last thread, as if that had called exit(0). */
static void at_exit()
{
    printf("at exit\n");
}

static void *later(void *)
{
    static pthread_mutex_t one_number = PTHREAD_MUTEX_INITIALIZER; /* work() counts in the same one */
    usleep(200000);
    pthread_mutex_lock(&one_number);
    work();
    pthread_mutex_unlock(&one_number);
    say(cudaDeviceSynchronize());
    return NULL;
}

static void first_thread_exits()
{
    atexit(at_exit);
    work();
    pthread_exit(NULL);
}

static void first_thread_exits_first()
{
    pthread_t thread;
    atexit(at_exit);
    work();
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, later, NULL);
    pthread_exit(NULL);
}

static void other_thread_exits()
{
    pthread_t thread;
    work();
    pthread_create(
        &thread, NULL, [](void *) -> void * { pthread_exit(NULL); }, NULL);
    pthread_join(thread, NULL);
    usleep(200000);
    work();
    say(cudaDeviceSynchronize());
}

static const struct {
    const char *name;
    void (*run)();
} modes[] = {
    {"once", once},
    {"work", work},
    {"endless", run_endless},
    {"endless-with-barriers", run_endless_with_barriers},
    {"endless-and-more", run_endless_and_more},
    {"idle", idle},
    {"exec", exec_idle},
    {"exec-in-a-kernel", exec_in_a_kernel},
    {"children-live-on", children_live_on},
    {"outlives-its-children", outlives_its_children},
    {"three-allocations", three_allocations},
    {"forgotten", forgotten},
    {"long-sum", long_sum},
    {"too-much", too_much},
    {"overflow", overflow},
    {"fill", fill},
    {"first-thread-exits", first_thread_exits},
    {"first-thread-exits-first", first_thread_exits_first},
    {"other-thread-exits", other_thread_exits},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run();
            return 0;
        }
    fprintf(stderr, "victim: no such mode\n");
    return 4;
}
