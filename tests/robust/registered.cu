/**
 * @file registered.cu
 * @brief Memory that is registered with CUDA and goes on to be the program's: it is written, forked, moved
 * and unmapped, and its neighbours are registered, too.
 */
#include "robust.h"

#include <atomic>
#include <sys/mman.h>
#include <thread>
#include <vector>

enum { INTS = PAGE / (int)sizeof(int) };

static int *map_pages(size_t pages)
{
    void *p = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    HOLDS(p != MAP_FAILED, "mmap: %s", strerror(errno));
    return (int *)p;
}

static void register_pages(int *p, size_t pages)
{
    NEED(cudaHostRegister(p, pages * PAGE, cudaHostRegisterMapped));
}

/** Adds 1 to the first word of every `stride`-th page. */
static __global__ void touch(int *p, int pages, int stride)
{
    const int page = (int)(blockIdx.x * blockDim.x + threadIdx.x) * stride;

    if (page < pages)
        p[(size_t)page * INTS] += 1;
}

static void kernel_touches(int *p, int pages, int stride)
{
    touch<<<(unsigned)(pages / stride + 255) / 256, 256>>>(p, pages, stride);
    NEED(cudaDeviceSynchronize());
}

/* Every other page is registered, by itself. */
static void every_other_page()
{
    const int pages = 2 * robust_registrations(2000);
    int *p = map_pages((size_t)pages);

    for (int turn = 0; turn < 3; turn++) {
        for (int i = turn % 2; i < pages; i += 2)
            register_pages(p + (size_t)i * INTS, 1);
        kernel_touches(p + (turn % 2) * INTS, pages - turn % 2, 2);
        for (int i = pages - 2 + turn % 2; i >= 0; i -= 2)
            NEED(cudaHostUnregister(p + (size_t)i * INTS));
    }
    for (int i = 0; i < pages; i++)
        HOLDS(p[(size_t)i * INTS] == (i % 2 ? 1 : 2), "page %d: %d", i, p[(size_t)i * INTS]);
}

/* Pages come and go one by one between kernels, each beside others that stay. */
static void between_kernels()
{
    enum { PAGES = 300 };
    int *p = map_pages(PAGES);
    std::vector<int> wanted(PAGES), is_there(PAGES);
    uint64_t state = 5;

    for (int turn = 0; turn < robust_times(2000, 50000); turn++) {
        const int i = (int)robust_below(&state, PAGES);
        int *page = p + (size_t)i * INTS;
        is_there[i] = !is_there[i];
        if (is_there[i])
            register_pages(page, 1);
        else
            NEED(cudaHostUnregister(page));
        page[1] += 2;
        if (is_there[i]) {
            add_to_all<<<1, 2>>>(page, 1, 2);
            NEED(cudaDeviceSynchronize());
        }
        wanted[i] += is_there[i] ? 3 : 2;
        HOLDS(page[1] == wanted[i], "turn %d, page %d: %d, wanted %d", turn, i, page[1], wanted[i]);
    }
    for (int i = 0; i < PAGES; i++)
        HOLDS(p[(size_t)i * INTS + 1] == wanted[i], "page %d: %d", i, p[(size_t)i * INTS + 1]);
}

static int *forked_pages;
enum { FORKED = 3000 };

static int child_of_neighbours()
{
    for (int i = 0; i < FORKED; i++) {
        if (forked_pages[(size_t)i * INTS] != 1)
            return 1;
        forked_pages[(size_t)i * INTS] = 50;
    }
    robust_sleep_ms(200); /* the parent's kernel runs meanwhile */
    for (int i = 0; i < FORKED; i++)
        if (forked_pages[(size_t)i * INTS] != 50)
            return 2;
    return 7;
}

/* A child has copies: neither sees what the other one writes. */
static void a_fork_beside_thousands()
{
    int status;

    forked_pages = map_pages(FORKED);
    for (int i = 0; i < FORKED; i++)
        register_pages(forked_pages + (size_t)i * INTS, 1);
    kernel_touches(forked_pages, FORKED, 1);
    const pid_t child = fork();
    if (child == 0)
        _exit(child_of_neighbours());
    robust_sleep_ms(50);
    kernel_touches(forked_pages, FORKED, 1);
    HOLDS(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7, "%#x",
          status);
    for (int i = 0; i < FORKED; i++) {
        HOLDS(forked_pages[(size_t)i * INTS] == 2, "page %d: %d", i, forked_pages[(size_t)i * INTS]);
        NEED(cudaHostUnregister(forked_pages + (size_t)i * INTS));
    }
}

/* The program takes some of the pages away, and puts others there. What is there stays as it is. */
static void unmapped_meanwhile()
{
    enum { PAGES = 16 };
    int *p = map_pages(PAGES), status;

    register_pages(p, PAGES);
    kernel_touches(p, PAGES, 1);
    HOLDS(munmap(p + 4 * INTS, 8 * PAGE) == 0, "munmap");
    HOLDS(mmap(p + 6 * INTS, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
              p + 6 * INTS,
          "mmap");
    p[6 * INTS] = 77;
    const pid_t child = fork();
    if (child == 0)
        _exit(p[0] == 1 && p[6 * INTS] == 77 && p[15 * INTS] == 1 ? 7 : 1);
    HOLDS(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7, "%#x",
          status);
    NEED(cudaHostUnregister(p));
    HOLDS(p[0] == 1 && p[6 * INTS] == 77 && p[15 * INTS] == 1, "%d %d %d", p[0], p[6 * INTS], p[15 * INTS]);
    HOLDS(mmap(p + 4 * INTS, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
               0) == p + 4 * INTS,
          "mmap");
    register_pages(p, PAGES);
    kernel_touches(p, PAGES, 1);
    HOLDS(p[0] == 2 && p[5 * INTS] == 1 && p[6 * INTS] == 1, "%d %d %d", p[0], p[5 * INTS], p[6 * INTS]);
    NEED(cudaHostUnregister(p));
}

/* realloc() moves large memory so. The bytes go with it. */
static void moved_meanwhile()
{
    enum { PAGES = 16 };
    int *p = map_pages(PAGES), *there = map_pages(PAGES);

    for (int i = 0; i < PAGES; i++)
        p[(size_t)i * INTS] = i;
    register_pages(p, PAGES);
    kernel_touches(p, PAGES, 1);
    HOLDS(mremap(p, PAGES * PAGE, PAGES * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, there) == there, "mremap");
    NEED(cudaHostUnregister(p));
    int *again =
        (int *)mmap(p, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    HOLDS(again == p, "mmap");
    register_pages(again, PAGES);
    kernel_touches(again, PAGES, 1);
    for (int i = 0; i < PAGES; i++)
        HOLDS(there[(size_t)i * INTS] == i + 1 && again[(size_t)i * INTS] == 1, "page %d: %d, %d", i,
              there[(size_t)i * INTS], again[(size_t)i * INTS]);
}

/* What malloc() does with memory that it got back. */
static void given_back_to_the_system()
{
    enum { PAGES = 64 };
    int *p = map_pages(PAGES);

    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < PAGES; i++)
            register_pages(p + (size_t)i * INTS, 1);
        kernel_touches(p, PAGES, 1);
        for (int i = 0; i < PAGES; i++)
            NEED(cudaHostUnregister(p + (size_t)i * INTS));
        HOLDS(madvise(p, PAGES * PAGE, MADV_DONTNEED) == 0, "madvise: %s", strerror(errno));
        for (int i = 0; i < PAGES; i++)
            HOLDS(p[(size_t)i * INTS] == 0, "turn %d, page %d: %d", turn, i, p[(size_t)i * INTS]);
    }
}

/* A page behind a file's end is in the addresses, and cannot be read. */
static void behind_a_files_end()
{
    const int file = memfd_create("short", 0);
    HOLDS(file >= 0 && ftruncate(file, PAGE) == 0, "memfd_create: %s", strerror(errno));
    int *p = (int *)mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    HOLDS(p != MAP_FAILED, "mmap: %s", strerror(errno));
    *p = 5;

    const cudaError_t both = cudaHostRegister(p, 2 * PAGE, cudaHostRegisterMapped);
    HOLDS(both == cudaErrorInvalidValue, "%s", cudaGetErrorName(both));
    HOLDS(cudaGetLastError() == both && *p == 5, "%d", *p);
    register_pages(p, 1);
    kernel_touches(p, 1, 1);
    HOLDS(*p == 6, "%d", *p);
    NEED(cudaHostUnregister(p));
}

/* Threads write to pages that come and go: no write is lost. */
static void written_by_threads()
{
    enum { PAGES = 8, THREADS = 2 };
    int *p = map_pages(PAGES);
    std::atomic<bool> stop{false};
    long count[THREADS] = {};
    std::vector<std::thread> threads;

    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([&, t] {
            for (; !stop; count[t]++)
                for (int i = 0; i < PAGES; i++)
                    *(volatile int *)&p[(size_t)i * INTS + 1 + t] += 1;
        });
    const int turns = robust_times(300, 5000);
    for (int turn = 0; turn < turns; turn++) {
        register_pages(p, PAGES);
        kernel_touches(p, PAGES, 1);
        NEED(cudaHostUnregister(p));
    }
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
    for (int i = 0; i < PAGES; i++) {
        HOLDS(p[(size_t)i * INTS] == turns, "page %d: %d", i, p[(size_t)i * INTS]);
        for (int t = 0; t < THREADS; t++)
            HOLDS(p[(size_t)i * INTS + 1 + t] == (int)count[t], "page %d, thread %d: %d, not %ld", i, t,
                  p[(size_t)i * INTS + 1 + t], count[t]);
    }
}

ROBUST_CASES({"every-other-page", every_other_page}, {"between-kernels", between_kernels},
             {"a-fork-beside-thousands", a_fork_beside_thousands}, {"unmapped-meanwhile", unmapped_meanwhile},
             {"moved-meanwhile", moved_meanwhile}, {"given-back-to-the-system", given_back_to_the_system},
             {"behind-a-files-end", behind_a_files_end}, {"written-by-threads", written_by_threads})
