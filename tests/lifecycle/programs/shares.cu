/**
 * @file shares.cu
 * @brief A program that registers memory which it shares with files and processes: `shares MODE`. Modes are
 * the functions below.
 *
 * Exit 0 when all saw the same bytes; else 1, and what did not hold.
 */
#include "../../programs/need.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 1 << 16, WORDS = BYTES / 4 };

__global__ void put(int *p, int value)
{
    *p = value;
}

__global__ void add_one(int *p)
{
    p[threadIdx.x + blockIdx.x * blockDim.x] += 1;
}

static int file_in_memory()
{
    const int fd = memfd_create("shares", MFD_CLOEXEC);
    HOLDS(fd >= 0 && ftruncate(fd, BYTES) == 0, "no file in memory");
    return fd;
}

static int *map(int fd, int protection = PROT_READ | PROT_WRITE)
{
    void *p = mmap(NULL, BYTES, protection, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
    HOLDS(p != MAP_FAILED, "mmap");
    return (int *)p;
}

static int in_file(int fd, int word = 0)
{
    int value = -1;
    HOLDS(pread(fd, &value, sizeof value, 4 * word) == sizeof value, "pread");
    return value;
}

static void kernel_puts(int *p, int value)
{
    put<<<1, 1>>>(p, value);
    NEED(cudaDeviceSynchronize());
}

static void start_cuda()
{
    NEED(cudaFree(0));
}

/* Another process, which has the memory since before it was registered, and answers questions about it. */
struct other {
    int ask[2], answer[2];
    pid_t pid;

    explicit other(const int *p)
    {
        HOLDS(pipe(ask) == 0 && pipe(answer) == 0, "pipe");
        fflush(NULL);
        pid = fork();
        int word;
        while (pid == 0 && read(ask[0], &word, sizeof word) == sizeof word && word >= 0) {
            const int value = p[word];
            if (write(answer[1], &value, sizeof value) != sizeof value)
                break;
        }
        if (pid == 0)
            _exit(0);
    }

    int sees(int word)
    {
        int value = -1;
        HOLDS(write(ask[1], &word, sizeof word) == sizeof word, "write");
        HOLDS(read(answer[0], &value, sizeof value) == sizeof value, "read");
        return value;
    }

    ~other()
    {
        const int stop = -1;
        HOLDS(write(ask[1], &stop, sizeof stop) == sizeof stop && waitpid(pid, NULL, 0) == pid, "no end");
    }
};

/* All three see what each wrote, as long as it is registered, and afterwards. */
static void all_see_it(int *p, int fd)
{
    other there(p);
    NEED(cudaHostRegister(p, BYTES, cudaHostRegisterMapped));
    for (int i = 0; i < 5; i++) {
        kernel_puts(p + 7, 100 + i);
        HOLDS(p[7] == 100 + i && there.sees(7) == 100 + i, "%d here, %d there", p[7], there.sees(7));
        p[9] = 200 + i;
        HOLDS(there.sees(9) == 200 + i, "there: %d", there.sees(9));
        add_one<<<WORDS / 256, 256>>>(p);
        NEED(cudaDeviceSynchronize());
        HOLDS(p[9] == 201 + i && there.sees(9) == 201 + i, "%d here, %d there", p[9], there.sees(9));
        HOLDS(fd < 0 || in_file(fd, 9) == 201 + i, "the file has %d", in_file(fd, 9));
    }
    NEED(cudaHostUnregister(p));
    p[9] = 300;
    HOLDS(there.sees(9) == 300, "afterwards there: %d", there.sees(9));
    HOLDS(fd < 0 || in_file(fd, 9) == 300, "afterwards the file has %d", in_file(fd, 9));
}

/* ---- modes ---- */

static void anonymous()
{
    int *before = map(-1);
    all_see_it(before, -1);
    int *after = map(-1); /* the GPU process does not have it yet */
    all_see_it(after, -1);
}

static void files()
{
    int fd = file_in_memory();
    all_see_it(map(fd), fd);
    fd = file_in_memory();
    all_see_it(map(fd), fd);
}

/* Nothing but the mapping is left of the file. */
static void without_a_name()
{
    char name[64];
    start_cuda();
    snprintf(name, sizeof name, "/umlab-shares-%d", (int)getpid());
    const int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    HOLDS(fd >= 0 && ftruncate(fd, BYTES) == 0, "shm_open");
    int *p = map(fd);
    shm_unlink(name);
    close(fd);
    all_see_it(p, -1);
}

/* The mapping goes to another address than the one at which the GPU process has it. */
static void moved()
{
    const int fd = file_in_memory();
    int *p = map(fd);
    start_cuda();
    int *elsewhere = (int *)mremap(p, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, map(-1));
    HOLDS(elsewhere != MAP_FAILED, "mremap");
    all_see_it(elsewhere, fd);
}

/* Another file comes to the address of one that was registered. */
static void one_address_many_files()
{
    int fds[2] = {file_in_memory(), file_in_memory()};
    int *p = map(fds[0]);
    for (int round = 0; round < 6; round++) {
        HOLDS(mmap(p, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fds[round % 2], 0) == p, "mmap");
        NEED(cudaHostRegister(p, BYTES, 0));
        kernel_puts(p, 10 + round);
        HOLDS(in_file(fds[round % 2]) == 10 + round, "round %d: the file has %d", round,
              in_file(fds[round % 2]));
        HOLDS(round == 0 || in_file(fds[1 - round % 2]) == 9 + round, "round %d: the other file has %d",
              round, in_file(fds[1 - round % 2]));
        NEED(cudaHostUnregister(p));
    }
}

/* The same pages twice, and two parts of a page. */
static void overlapping()
{
    const int fd = file_in_memory();
    int *p = map(fd);
    NEED(cudaHostRegister(p, 256, 0));
    NEED(cudaHostRegister(p + 128, BYTES - 512, 0));
    NEED_ERROR(cudaHostRegister(p, 256, 0), cudaErrorHostMemoryAlreadyRegistered);
    kernel_puts(p, 3);
    kernel_puts(p + 128, 4);
    NEED(cudaHostUnregister(p));
    kernel_puts(p + 129, 5);
    NEED(cudaHostUnregister(p + 128));
    HOLDS(in_file(fd) == 3 && in_file(fd, 128) == 4 && in_file(fd, 129) == 5, "the file: %d %d %d",
          in_file(fd), in_file(fd, 128), in_file(fd, 129));
}

/* Private memory, a file, private memory again: each stays what it is. */
static void mixed()
{
    const int fd = file_in_memory();
    start_cuda();
    int *p = (int *)mmap(NULL, 3 * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    HOLDS(p != MAP_FAILED &&
              mmap(p + WORDS, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == p + WORDS,
          "mmap");
    for (int round = 1; round <= 3; round++) {
        NEED(cudaHostRegister(p, 3 * BYTES, 0));
        add_one<<<3 * WORDS / 256, 256>>>(p);
        NEED(cudaDeviceSynchronize());
        for (int i = 0; i < 3 * WORDS; i++)
            HOLDS(p[i] == round, "round %d, word %d: %d", round, i, p[i]);
        HOLDS(in_file(fd, WORDS - 1) == round, "the file has %d", in_file(fd, WORDS - 1));
        NEED(cudaHostUnregister(p));
    }
}

/* A kernel reads what is mapped for reading only, and may not write to it. */
static void read_only()
{
    const int fd = file_in_memory();
    int seen = -1, *p = map(fd, PROT_READ), *mine;
    NEED(cudaMallocHost((void **)&mine, 64));
    NEED_ERROR(cudaHostRegister(p, BYTES, 0), cudaErrorInvalidValue);
    NEED(cudaHostRegister(p, BYTES, cudaHostRegisterReadOnly));
    const int value = 77;
    HOLDS(pwrite(fd, &value, sizeof value, 0) == sizeof value, "pwrite");
    NEED(cudaMemcpy(mine, p, sizeof *mine, cudaMemcpyDefault));
    seen = *mine;
    HOLDS(seen == 77, "the copy has %d", seen);
    put<<<1, 1>>>(p, 5);
    NEED_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    HOLDS(in_file(fd) == 77, "the file has %d", in_file(fd));
}

/* Shared memory is the host's until it is registered, and again afterwards. */
static void not_registered()
{
    int *p = map(-1);
    start_cuda();
    put<<<1, 1>>>(p, 5);
    NEED_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    HOLDS(*p == 0, "a kernel wrote %d", *p);
}

static void no_longer_registered()
{
    int *p = map(-1);
    NEED(cudaHostRegister(p, BYTES, 0));
    kernel_puts(p, 4);
    NEED(cudaHostUnregister(p));
    put<<<1, 1>>>(p, 5);
    NEED_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    HOLDS(*p == 4, "a kernel wrote %d", *p);
}

/* No child inherits it, so the GPU process cannot have it. */
static void not_inherited()
{
    start_cuda();
    int *p = map(-1);
    HOLDS(madvise(p, BYTES, MADV_DONTFORK) == 0, "madvise");
    NEED_ERROR(cudaHostRegister(p, BYTES, 0), cudaErrorNotSupported);
    *p = 3;
    HOLDS(madvise(p, BYTES, MADV_DOFORK) == 0, "madvise");
    NEED(cudaHostRegister(p, BYTES, 0));
    kernel_puts(p + 1, 4);
    HOLDS(p[0] == 3 && p[1] == 4, "%d %d", p[0], p[1]);
}

/* What is queued when the GPU process is forked anew is done, and other memory is as it was. */
static void with_work_queued()
{
    int *device, *managed, back = 0;
    NEED(cudaMalloc((void **)&device, BYTES));
    NEED(cudaMemset(device, 0, BYTES));
    NEED(cudaMallocManaged((void **)&managed, BYTES));
    memset(managed, 0, BYTES);
    for (int i = 0; i < 8; i++) {
        add_one<<<WORDS / 256, 256>>>(device);
        add_one<<<WORDS / 256, 256>>>(managed);
        int *p = map(-1);
        NEED(cudaHostRegister(p, BYTES, 0));
        add_one<<<WORDS / 256, 256>>>(p);
        NEED(cudaDeviceSynchronize());
        HOLDS(p[5] == 1 && managed[5] == i + 1, "%d %d", p[5], managed[5]);
    }
    NEED(cudaMemcpy(&back, device + 5, sizeof back, cudaMemcpyDeviceToHost));
    HOLDS(back == 8, "%d", back);
}

static const struct {
    const char *name;
    void (*run)();
} modes[] = {
    {"anonymous", anonymous},
    {"files", files},
    {"without-a-name", without_a_name},
    {"moved", moved},
    {"one-address-many-files", one_address_many_files},
    {"overlapping", overlapping},
    {"mixed", mixed},
    {"read-only", read_only},
    {"not-registered", not_registered},
    {"no-longer-registered", no_longer_registered},
    {"not-inherited", not_inherited},
    {"with-work-queued", with_work_queued},
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
