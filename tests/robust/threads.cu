/**
 * @file threads.cu
 * @brief Many host threads, short ones, ones with small stacks, ones that end while the GPU works.
 */
#include "robust.h"

#include <atomic>
#include <pthread.h>
#include <thread>
#include <vector>

static void one_of_many(int number)
{
    enum { COUNT = 3000, ROUNDS = 20 };
    cudaStream_t stream;
    int *here = NULL, *there = NULL;

    NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    NEED(cudaMallocHost((void **)&here, COUNT * sizeof *here));
    NEED(cudaMalloc((void **)&there, COUNT * sizeof *there));
    for (int i = 0; i < COUNT; i++)
        here[i] = number + i;
    for (int round = 0; round < ROUNDS; round++) {
        NEED(cudaMemcpyAsync(there, here, COUNT * sizeof *here, cudaMemcpyHostToDevice, stream));
        add_to_all<<<(COUNT + 255) / 256, 256, 0, stream>>>(there, number, COUNT);
        NEED(cudaMemcpyAsync(here, there, COUNT * sizeof *here, cudaMemcpyDeviceToHost, stream));
    }
    NEED(cudaStreamSynchronize(stream));
    for (int i = 0; i < COUNT; i++)
        HOLDS(here[i] == number * (ROUNDS + 1) + i, "thread %d, element %d: %d", number, i, here[i]);
    NEED(cudaFree(there));
    NEED(cudaFreeHost(here));
    NEED(cudaStreamDestroy(stream));
}

static void sixty_four_with_a_stream_each()
{
    std::vector<std::thread> threads;

    for (int number = 0; number < 64; number++)
        threads.emplace_back(one_of_many, number);
    for (std::thread &thread : threads)
        thread.join();
}

/* Each lives for one launch in its own default stream. */
static void hundreds_of_short_ones()
{
    int *x = managed_ints(1), count = robust_times(300, 3000);

    for (int i = 0; i < count; i++)
        std::thread([x] {
            add_to_all<<<1, 1, 0, cudaStreamPerThread>>>(x, 1, 1);
            NEED(cudaStreamSynchronize(cudaStreamPerThread));
        }).join();
    HOLDS(*x == count, "%d, not %d", *x, count);
}

struct small {
    int *x;
    size_t count;
};

static void *touch_with_little_stack(void *argument)
{
    const small *mine = (const small *)argument;

    for (size_t i = 0; i < mine->count; i += 1024)
        mine->x[i] += 1;
    return NULL;
}

static void on_a_stack_of(size_t bytes)
{
    enum { COUNT = 1 << 20 };
    small work = {managed_ints(COUNT), COUNT};
    pthread_attr_t attributes;
    pthread_t thread;

    to_gpu(work.x, COUNT * sizeof(int));
    pthread_attr_init(&attributes);
    HOLDS(pthread_attr_setstacksize(&attributes, bytes) == 0, "%zu bytes of stack", bytes);
    HOLDS(pthread_create(&thread, &attributes, touch_with_little_stack, &work) == 0, "pthread_create");
    HOLDS(pthread_join(thread, NULL) == 0, "pthread_join");
    for (int i = 0; i < COUNT; i++)
        HOLDS(work.x[i] == (i % 1024 == 0), "element %d: %d", i, work.x[i]);
}

static void touches_on_the_smallest_stack()
{
    on_a_stack_of((size_t)sysconf(_SC_THREAD_STACK_MIN));
}

static void touches_on_32_KiB_of_stack()
{
    const long least = sysconf(_SC_THREAD_STACK_MIN);

    if (least > 32 << 10)
        CANNOT("no thread here has less than %ld bytes of stack", least);
    on_a_stack_of(32 << 10);
}

struct owner {
    int *x = NULL;
    ~owner()
    {
        if (x)
            NEED(cudaFree(x));
    }
};
static thread_local owner mine;

static void destructors_of_thread_locals_free()
{
    size_t before = 0, after = 0, total = 0;

    gpu_works("at first");
    NEED(cudaMemGetInfo(&before, &total));
    for (int i = 0; i < 50; i++)
        std::thread([] { NEED(cudaMalloc((void **)&mine.x, 64 << 20)); }).join();
    NEED(cudaMemGetInfo(&after, &total));
    HOLDS(after == before, "%zu bytes are free, before them %zu", after, before);
}

static int *shared_x;

static void *goes_on_alone(void *)
{
    robust_sleep_ms(50);
    gpu_adds(shared_x, 1, 1000);
    for (int i = 0; i < 1000; i++)
        HOLDS(shared_x[i] == 2, "element %d: %d", i, shared_x[i]);
    puts("the last thread has ended");
    return NULL;
}

/* POSIX: the process goes on until its last thread ends, and then exits with 0. */
static void main_leaves_by_pthread_exit()
{
    pthread_t thread;

    shared_x = managed_ints(1000);
    gpu_adds(shared_x, 2, 1000);
    for (int i = 0; i < 1000; i++)
        shared_x[i]--;
    HOLDS(pthread_create(&thread, NULL, goes_on_alone, NULL) == 0, "pthread_create");
    pthread_exit(NULL);
}

static void main_leaves_when_all_is_done()
{
    gpu_works("at first");
    pthread_exit(NULL);
}

/* Threads meet at a lock and at a flag that lie in managed memory, while kernels take the page away. */
static void spin_lock_in_managed_memory()
{
    enum { THREADS = 4, ROUNDS = 300 };
    int *x = managed_ints(1024); /* 0: the lock; 1: what it guards; the rest are the kernels' */
    std::vector<std::thread> threads;
    std::atomic<int> running{THREADS};

    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < ROUNDS; i++) {
                while (__atomic_exchange_n(&x[0], 1, __ATOMIC_ACQUIRE))
                    std::this_thread::yield();
                *(volatile int *)&x[1] += 1;
                __atomic_store_n(&x[0], 0, __ATOMIC_RELEASE);
            }
            running--;
        });
    int launches = 0;
    for (; running > 0 || launches < 20; launches++)
        gpu_adds(x + 2, 1, 1022);
    for (std::thread &thread : threads)
        thread.join();
    HOLDS(x[1] == THREADS * ROUNDS, "%d updates", x[1]);
    HOLDS(x[2] == launches && x[1023] == launches, "%d, %d after %d launches", x[2], x[1023], launches);
}

ROBUST_CASES({"sixty-four-with-a-stream-each", sixty_four_with_a_stream_each},
             {"hundreds-of-short-ones", hundreds_of_short_ones},
             {"touches-on-the-smallest-stack", touches_on_the_smallest_stack},
             {"touches-on-32-KiB-of-stack", touches_on_32_KiB_of_stack},
             {"destructors-of-thread-locals-free", destructors_of_thread_locals_free},
             {"main-leaves-by-pthread_exit", main_leaves_by_pthread_exit},
             {"main-leaves-when-all-is-done", main_leaves_when_all_is_done},
             {"spin-lock-in-managed-memory", spin_lock_in_managed_memory})
