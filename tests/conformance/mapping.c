/**
 * @file mapping.c
 * @brief What registering does to memory that is shared with another process or with a file, and what of the
 * parent's memory a child of fork() reaches.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "behaviour.h"
#include "child.h"
#include "launchers.h"
#include "um_cuda_compat.h"
#include "um_test.h"

#define BYTES 65536

static char *mapped(int protection, int flags, int fd)
{
    char *p = mmap(NULL, BYTES, protection, flags, fd, 0);

    CU_ASSERT_FATAL(p != MAP_FAILED);
    return p;
}

/** A file of zeros that has no name. @param in_memory of shared memory, else of the file system of /tmp */
static int a_file(bool in_memory)
{
    char name[] = "/tmp/umlab-mapping-XXXXXX", zeros[BYTES] = {0};
    const int fd = in_memory ? memfd_create("mapping", MFD_CLOEXEC) : mkostemp(name, O_CLOEXEC);

    CU_ASSERT_FATAL(fd >= 0);
    if (!in_memory)
        unlink(name);
    CU_ASSERT_FATAL(write(fd, zeros, sizeof zeros) == (ssize_t)sizeof zeros);
    return fd;
}

static int in_file(int fd)
{
    int value = -1;

    CU_ASSERT(pread(fd, &value, sizeof value, 0) == (ssize_t)sizeof value);
    return value;
}

static void registered_pages_of_a_file_stay_the_files(void)
{
    const int fd = a_file(true);
    int *p = (int *)mapped(PROT_READ | PROT_WRITE, MAP_SHARED, fd), *d_p = NULL, other = 5;
    int *second = (int *)mapped(PROT_READ | PROT_WRITE, MAP_SHARED, fd);

    UM_RETURNS("cudaHostRegister: shared mapping of a memory file",
               cudaHostRegister(p, BYTES, cudaHostRegisterMapped));
    CU_ASSERT_EQUAL_FATAL(cudaHostGetDevicePointer((void **)&d_p, p, 0), cudaSuccess);
    CU_ASSERT_EQUAL(conf_write(d_p, 7, NULL), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_BEHAVIOUR("registered file: a kernel's write, in the mapping, another mapping, the file", "%d %d %d",
                 *p, *second, in_file(fd));
    CU_ASSERT(pwrite(fd, &other, sizeof other, 0) == (ssize_t)sizeof other);
    UM_BEHAVIOUR("registered file: what was written to the file, in the mapping", "%d", *p);
    *p = 9;
    UM_BEHAVIOUR("registered file: the host's write, in the file", "%d", in_file(fd));
    *second = 11;
    UM_BEHAVIOUR("registered file: another mapping's write, in the mapping", "%d", *p);
    CU_ASSERT_EQUAL(cudaHostUnregister(p), cudaSuccess);
    UM_BEHAVIOUR("unregistered file: the mapping, the file", "%d %d", *p, in_file(fd));
    *p = 13;
    UM_BEHAVIOUR("unregistered file: the host's write, in the file", "%d", in_file(fd));
    munmap(p, BYTES);
    munmap(second, BYTES);
    close(fd);
}

/* Half of the range is a file's, the other half is not. */
static void a_range_of_two_mappings_can_be_registered(void)
{
    const int fd = a_file(true);
    char *p = mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1), *d_p = NULL;

    CU_ASSERT_FATAL(mmap(p + BYTES / 2, BYTES / 2, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
                    MAP_FAILED);
    p[0] = 3;
    UM_RETURNS("cudaHostRegister: anonymous memory, then a memory file",
               cudaHostRegister(p, BYTES, cudaHostRegisterMapped));
    CU_ASSERT_EQUAL_FATAL(cudaHostGetDevicePointer((void **)&d_p, p, 0), cudaSuccess);
    CU_ASSERT_EQUAL(conf_write((int *)(d_p + BYTES / 2), 7, NULL), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_BEHAVIOUR("anonymous memory, then a memory file: a kernel's write, in the file", "%d", in_file(fd));
    CU_ASSERT_EQUAL(cudaHostUnregister(p), cudaSuccess);
    UM_BEHAVIOUR("anonymous memory, then a memory file: afterwards", "%d %d", p[0], p[BYTES / 2]);
    munmap(p, BYTES);
    close(fd);
}

static void some_mappings_can_be_registered_and_some_cannot(void)
{
    const int fd = a_file(false);
    char *p = mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE, fd);
    const int read_only_file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

    UM_RETURNS("cudaHostRegister: private mapping of a file",
               cudaHostRegister(p, BYTES, cudaHostRegisterDefault));
    *(int *)p = 3;
    UM_BEHAVIOUR("cudaHostRegister: private mapping of a file: the host's write, in the file", "%d",
                 in_file(fd));
    (void)cudaHostUnregister(p);
    munmap(p, BYTES);
    p = mapped(PROT_READ | PROT_WRITE, MAP_SHARED, fd);
    UM_RETURNS("cudaHostRegister: shared mapping of a file on disk",
               cudaHostRegister(p, BYTES, cudaHostRegisterDefault));
    (void)cudaHostUnregister(p);
    munmap(p, BYTES);
    p = mapped(PROT_READ, MAP_SHARED, fd);
    UM_RETURNS("cudaHostRegister: read-only shared mapping",
               cudaHostRegister(p, BYTES, cudaHostRegisterDefault));
    (void)cudaHostUnregister(p);
    UM_RETURNS("cudaHostRegister: read-only shared mapping, ReadOnly",
               cudaHostRegister(p, BYTES, cudaHostRegisterReadOnly));
    (void)cudaHostUnregister(p);
    munmap(p, BYTES);
    p = mapped(PROT_READ, MAP_PRIVATE, read_only_file);
    UM_RETURNS("cudaHostRegister: read-only private mapping",
               cudaHostRegister(p, 4096, cudaHostRegisterDefault));
    (void)cudaHostUnregister(p);
    munmap(p, BYTES);
    p = mapped(PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    UM_RETURNS("cudaHostRegister: memory without access",
               cudaHostRegister(p, BYTES, cudaHostRegisterDefault));
    (void)cudaHostUnregister(p);
    munmap(p, BYTES);
    UM_RETURNS("cudaHostRegister: memory that is not mapped",
               cudaHostRegister(p, BYTES, cudaHostRegisterDefault));
    (void)cudaGetLastError();
    close(read_only_file);
    close(fd);
}

struct meeting {
    int seen_by_the_other, seen_here, after;
};

/* Another process maps the same pages since before they are registered. */
static void meet(void *area)
{
    struct meeting *m = area;
    int *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), *d_p = NULL;
    int *seen = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int there[2], back[2];
    char c;

    CHILD_ASSERT(p != MAP_FAILED && seen != MAP_FAILED && pipe(there) == 0 && pipe(back) == 0);
    if (fork() == 0) {
        close(there[1]); /* so that the other's death ends the wait below */
        close(back[0]);
        for (int i = 0; i < 2 && read(there[0], &c, 1) == 1; i++) {
            seen[i] = p[0];
            p[1] = 77 + i;
            CHILD_ASSERT(write(back[1], "x", 1) == 1);
        }
        _exit(0);
    }
    close(there[0]);
    close(back[1]);
    CHILD_ASSERT(cudaHostRegister(p, BYTES, cudaHostRegisterMapped) == cudaSuccess);
    CHILD_ASSERT(cudaHostGetDevicePointer((void **)&d_p, p, 0) == cudaSuccess);
    CHILD_ASSERT(conf_write(d_p, 2, NULL) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
    CHILD_ASSERT(write(there[1], "x", 1) == 1 && read(back[0], &c, 1) == 1);
    m->seen_by_the_other = seen[0];
    m->seen_here = p[1];
    CHILD_ASSERT(cudaHostUnregister(p) == cudaSuccess);
    CHILD_ASSERT(write(there[1], "x", 1) == 1 && read(back[0], &c, 1) == 1);
    m->after = p[1];
    wait(NULL);
}

static void registered_shared_memory_stays_shared(void)
{
    struct meeting m = {0};

    if (!child_run(meet, &m, sizeof m))
        return;
    UM_BEHAVIOUR("registered shared memory: a kernel's write, in another process", "%d", m.seen_by_the_other);
    UM_BEHAVIOUR("registered shared memory: another process's write, here", "%d", m.seen_here);
    UM_BEHAVIOUR("unregistered shared memory: another process's write, here", "%d", m.after);
}

/** How a forked child fared with a pointer of its parent: what it read, or minus the signal. */
struct inherited {
    int managed, managed_on_gpu, pinned, mapped, registered, device;
    int managed_write, to_a_pipe;
    int parent_sees, parent_after;
    int calls[4];
};

static sigjmp_buf way_out;

static void leave(int signal_number)
{
    siglongjmp(way_out, signal_number);
}

static int value_at(const int *p)
{
    const int signal_number = sigsetjmp(way_out, 1);

    return signal_number ? -signal_number : *(const volatile int *)p;
}

static int write_to(int *p)
{
    const int signal_number = sigsetjmp(way_out, 1);

    if (signal_number)
        return -signal_number;
    *(volatile int *)p = 99;
    return 0;
}

static void look_as_a_child(struct inherited *s, int *managed, int *on_gpu, int *pinned, int *mapped,
                            int *registered, int *device)
{
    void *p = NULL;
    int ends[2];

    signal(SIGSEGV, leave);
    signal(SIGBUS, leave);
    s->managed = value_at(managed);
    s->managed_on_gpu = value_at(on_gpu);
    s->pinned = value_at(pinned);
    s->mapped = value_at(mapped);
    s->registered = value_at(registered);
    s->device = value_at(device);
    s->managed_write = write_to(managed + 1);
    if (pipe(ends) == 0)
        s->to_a_pipe = write(ends[1], managed, 4) < 0 ? -errno : 0;
    s->calls[0] = cudaMalloc(&p, 4096);
    s->calls[1] = cudaDeviceSynchronize();
    s->calls[2] = cudaMemcpy(&s->parent_sees, device, 4, cudaMemcpyDeviceToHost);
    s->calls[3] = cudaFree(managed);
    s->parent_sees = 0;
}

static void have_a_child(void *area)
{
    struct inherited *s = area;
    struct inherited *theirs = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int *managed, *on_gpu, *pinned, *mapped, *device;
    int *registered = aligned_alloc(4096, 4096);

    CHILD_ASSERT(theirs != MAP_FAILED && registered);
    CHILD_ASSERT(cudaMallocManaged((void **)&managed, 4096, cudaMemAttachGlobal) == cudaSuccess);
    CHILD_ASSERT(cudaMallocManaged((void **)&on_gpu, 4096, cudaMemAttachGlobal) == cudaSuccess);
    CHILD_ASSERT(cudaMallocHost((void **)&pinned, 4096) == cudaSuccess);
    CHILD_ASSERT(cudaHostAlloc((void **)&mapped, 4096, cudaHostAllocMapped) == cudaSuccess);
    CHILD_ASSERT(cudaMalloc((void **)&device, 4096) == cudaSuccess);
    *registered = 15;
    CHILD_ASSERT(cudaHostRegister(registered, 4096, cudaHostRegisterDefault) == cudaSuccess);
    *managed = 11, *on_gpu = 12, *pinned = 13, *mapped = 14;
    CHILD_ASSERT(um_prefetch(on_gpu, 4096, 0, 0) == cudaSuccess);
    CHILD_ASSERT(cudaDeviceSynchronize() == cudaSuccess);
    managed[0] = 11, managed[1] = 0;
    if (fork() == 0) {
        look_as_a_child(theirs, managed, on_gpu, pinned, mapped, registered, device);
        _exit(0);
    }
    CHILD_ASSERT(wait(NULL) > 0);
    *s = *theirs;
    s->parent_sees = managed[1];
    CHILD_ASSERT(conf_write(managed, 21, NULL) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
    s->parent_after = managed[0];
}

static void a_forked_child_does_not_reach_the_parents_GPU(void)
{
    struct inherited s = {0};

    if (!child_run(have_a_child, &s, sizeof s))
        return;
    UM_BEHAVIOUR("after fork: the child reads managed memory", "%d", s.managed);
    UM_BEHAVIOUR("after fork: the child reads managed memory on the GPU", "%d", s.managed_on_gpu);
    UM_BEHAVIOUR("after fork: the child reads pinned memory", "%d", s.pinned);
    UM_BEHAVIOUR("after fork: the child reads mapped memory", "%d", s.mapped);
    UM_BEHAVIOUR("after fork: the child reads registered memory", "%d", s.registered);
    UM_BEHAVIOUR("after fork: the child reads device memory", "%d", s.device);
    UM_BEHAVIOUR("after fork: the child writes managed memory", "%d", s.managed_write);
    UM_BEHAVIOUR("after fork: the child's write() of managed memory", "%d", s.to_a_pipe);
    UM_RETURNS("after fork: the child's cudaMalloc", s.calls[0]);
    UM_RETURNS("after fork: the child's cudaDeviceSynchronize", s.calls[1]);
    UM_RETURNS("after fork: the child's cudaMemcpy", s.calls[2]);
    UM_RETURNS("after fork: the child's cudaFree", s.calls[3]);
    UM_BEHAVIOUR("after fork: the child's write, in the parent", "%d", s.parent_sees);
    UM_BEHAVIOUR("after fork: the parent goes on", "%d", s.parent_after);
}

UM_TESTS("mappings",
         {"registered pages of a file stay the file's", registered_pages_of_a_file_stay_the_files},
         {"a range of two mappings can be registered", a_range_of_two_mappings_can_be_registered},
         {"some mappings can be registered, and some cannot",
          some_mappings_can_be_registered_and_some_cannot},
         {"registered shared memory stays shared", registered_shared_memory_stays_shared},
         {"a forked child does not reach the parent's GPU", a_forked_child_does_not_reach_the_parents_GPU});
