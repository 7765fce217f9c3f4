/**
 * @file mappings.cu
 * @brief Memory that others share: registered with CUDA it stays theirs; a forked child has no part in the
 * parent's GPU. What is asserted is what an H200 answered (tests/conformance/mapping.c asks it).
 */
#include "robust.h"

#include <csetjmp>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <vector>

enum { BYTES = 1 << 16, COUNT = BYTES / (int)sizeof(int) };

static int *map(int flags, int fd)
{
    int *p = (int *)mmap(NULL, BYTES, PROT_READ | PROT_WRITE, flags, fd, 0);

    HOLDS(p != MAP_FAILED, "mmap: %s", strerror(errno));
    return p;
}

static int *as_the_gpu_sees(int *p)
{
    int *there = NULL;

    NEED(cudaHostGetDevicePointer((void **)&there, p, 0));
    return there;
}

/* Two processes count in one page, one of them by kernels; the other knows nothing of CUDA. */
static void two_processes_and_a_kernel()
{
    enum { ROUNDS = 20 };
    int *p = map(MAP_SHARED | MAP_ANONYMOUS, -1), there[2], back[2], status;
    char c = 0;

    HOLDS(pipe(there) == 0 && pipe(back) == 0, "pipe");
    const pid_t other = fork();
    if (other == 0) {
        int wrong = 0;
        close(there[1]);
        for (int round = 0; read(there[0], &c, 1) == 1; round++) {
            wrong += p[5] != round + 1;
            p[6]++;
            if (write(back[1], "x", 1) != 1)
                _exit(100);
        }
        _exit(wrong);
    }
    close(there[0]);
    NEED(cudaHostRegister(p, BYTES, cudaHostRegisterMapped));
    int *device = as_the_gpu_sees(p);
    for (int round = 0; round < ROUNDS; round++) {
        if (round == ROUNDS / 2)
            NEED(cudaHostUnregister(p));
        if (round < ROUNDS / 2)
            gpu_adds(device + 5, 1, 1);
        else
            p[5]++;
        HOLDS(write(there[1], "x", 1) == 1 && read(back[0], &c, 1) == 1, "the other process is gone");
        HOLDS(p[6] == round + 1, "round %d: the other process's count is %d", round, p[6]);
    }
    close(there[1]);
    HOLDS(waitpid(other, &status, 0) == other && exited_with(status, 0), "it saw other numbers: %#x", status);
}

/* What kernels write into a registered file mapping is in the file. */
static void a_kernel_writes_a_file()
{
    const int fd = memfd_create("file", MFD_CLOEXEC);
    std::vector<int> seen(COUNT);

    HOLDS(ftruncate(fd, BYTES) == 0, "ftruncate");
    int *p = map(MAP_SHARED, fd);
    NEED(cudaHostRegister(p, BYTES, cudaHostRegisterMapped));
    gpu_adds(as_the_gpu_sees(p), 8, COUNT);
    HOLDS(pread(fd, seen.data(), BYTES, 0) == BYTES && seen[7] == 8 && seen[COUNT - 1] == 8, "%d", seen[7]);
    seen[7] = 100;
    HOLDS(pwrite(fd, seen.data(), BYTES, 0) == BYTES, "pwrite");
    gpu_adds(as_the_gpu_sees(p), 1, COUNT);
    HOLDS(p[7] == 101, "the mapping has %d", p[7]);
    NEED(cudaHostUnregister(p));
    p[8] = 55;
    HOLDS(pread(fd, seen.data(), BYTES, 0) == BYTES, "pread");
    HOLDS(seen[7] == 101 && seen[8] == 55 && seen[9] == 9, "%d %d %d", seen[7], seen[8], seen[9]);
}

/* A private mapping is registered, too, and the file stays as it was. */
static void a_private_mapping()
{
    const int fd = memfd_create("file", MFD_CLOEXEC);
    std::vector<int> seen(COUNT, 3);

    HOLDS(pwrite(fd, seen.data(), BYTES, 0) == BYTES, "pwrite");
    int *p = map(MAP_PRIVATE, fd);
    NEED(cudaHostRegister(p, BYTES, cudaHostRegisterMapped));
    gpu_adds(as_the_gpu_sees(p), 1, COUNT);
    HOLDS(p[0] == 4 && p[COUNT - 1] == 4, "%d %d", p[0], p[COUNT - 1]);
    NEED(cudaHostUnregister(p));
    HOLDS(p[0] == 4 && pread(fd, seen.data(), BYTES, 0) == BYTES && seen[0] == 3, "%d, %d", p[0], seen[0]);
}

/* Copies to and from a file's mapping that is not registered. */
static void copies_of_a_mapped_file()
{
    const int fd = memfd_create("file", MFD_CLOEXEC);
    int *there = NULL, *managed = managed_ints(COUNT);

    HOLDS(ftruncate(fd, BYTES) == 0, "ftruncate");
    int *p = map(MAP_SHARED, fd);
    const int *read_only = (const int *)mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, fd, 0);
    NEED(cudaMalloc((void **)&there, BYTES));
    for (int i = 0; i < COUNT; i++)
        p[i] = i;
    NEED(cudaMemcpy(there, p, BYTES, cudaMemcpyHostToDevice));
    gpu_adds(there, 1, COUNT);
    NEED(cudaMemcpy(p, there, BYTES, cudaMemcpyDeviceToHost));
    to_gpu(managed, BYTES);
    NEED(cudaMemcpy(managed, read_only, BYTES, cudaMemcpyDefault));
    NEED(cudaDeviceSynchronize()); /* a copy of so few bytes of pageable memory may still be under way */
    for (int i = 0; i < COUNT; i++)
        HOLDS(p[i] == i + 1 && managed[i] == i + 1, "element %d: %d, %d", i, p[i], managed[i]);
}

static sigjmp_buf way_out;

static void leave(int number)
{
    siglongjmp(way_out, number);
}

/** The value, or minus the signal that reading it raised. */
static int read_by_a_child(const int *p)
{
    signal(SIGSEGV, leave);
    const int number = sigsetjmp(way_out, 1);

    return number ? -number : *(const volatile int *)p;
}

static int write_by_a_child(int *p)
{
    const int number = sigsetjmp(way_out, 1);

    if (!number)
        *(volatile int *)p = 99;
    return number ? -number : 0;
}

static int *managed, *pinned, *device;

static void look_as_a_child()
{
    int ends[2];

    const int seen = read_by_a_child(managed), written = write_by_a_child(managed + 1);
    HOLDS(seen == -SIGSEGV, "the child reads managed memory: %d", seen);
    HOLDS(written == -SIGSEGV, "the child writes managed memory: %d", written);
    HOLDS(read_by_a_child(device) == -SIGSEGV, "the child reads device memory");
    HOLDS(read_by_a_child(pinned) == 13, "the child reads pinned memory: %d", read_by_a_child(pinned));
    HOLDS(pipe(ends) == 0 && write(ends[1], managed, 4) == -1 && errno == EFAULT,
          "write() of managed memory");
}

/* Wherever the pages are: as CUDA, the child has no such memory, and the parent notices nothing. */
static void a_child_has_no_managed_memory()
{
    enum { INTS = 1 << 18 };

    managed = managed_ints(INTS);
    NEED(cudaMallocHost((void **)&pinned, 4096));
    NEED(cudaMalloc((void **)&device, 4096));
    *pinned = 13;
    for (int turn = 0; turn < 6; turn++) {
        if (turn % 2)
            to_gpu(managed, INTS * sizeof(int));
        const int status = status_of_child(look_as_a_child);
        HOLDS(exited_with(status, 7), "turn %d: status %#x", turn, status);
        gpu_adds(managed, 1, INTS);
        for (int i = 0; i < INTS; i++)
            HOLDS(managed[i] == turn + 1, "turn %d, element %d: %d", turn, i, managed[i]);
    }
}

ROBUST_CASES({"two-processes-and-a-kernel", two_processes_and_a_kernel},
             {"a-kernel-writes-a-file", a_kernel_writes_a_file}, {"a-private-mapping", a_private_mapping},
             {"copies-of-a-mapped-file", copies_of_a_mapped_file},
             {"a-child-has-no-managed-memory", a_child_has_no_managed_memory})
