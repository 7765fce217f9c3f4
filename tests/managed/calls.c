/**
 * @file calls.c
 * @brief Runs the cases of calls.h, and looks at what calls do while kernels take the pages away.
 */
#include "calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "again.h"
#include "moves.h"

char call_folder[64];

static char *away; /* NULL: the case runs on ordinary memory */

void *call_away(const void *p)
{
    if (away) {
        prefetch(away, BLOCK, 0);
        CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    }
    return (void *)p;
}

long call_answer(long result)
{
    return result < 0 ? -errno : result;
}

/* Removes the folder with the files in it; the cases make no folders that they do not remove. */
static void remove_folder(void)
{
    DIR *folder = opendir(call_folder);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(call_folder);
}

static long make(const struct call_case *one, char *buffer)
{
    snprintf(call_folder, sizeof call_folder, "/tmp/umlab-calls-XXXXXX");
    if (!mkdtemp(call_folder))
        UM_SKIP("no folder in /tmp: %s", strerror(errno));
    errno = 0;
    const long answer = one->call(buffer);
    remove_folder();
    return answer;
}

/* Ordinary memory with nothing behind it. */
static char *ordinary(void)
{
    char *p = mmap(NULL, CALL_BYTES + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_EQUAL_FATAL(mprotect(p + CALL_BYTES, PAGE, PROT_NONE), 0);
    return p;
}

static const char *differs(const char *a, const char *b)
{
    static char text[80];
    for (size_t i = 0; i < CALL_BYTES; i++) {
        if (a[i] != b[i]) {
            snprintf(text, sizeof text, "byte %zu is %#x, in ordinary memory %#x", i, (unsigned char)a[i],
                     (unsigned char)b[i]);
            return text;
        }
    }
    return NULL;
}

static void compare(const struct call_case *one, char *block)
{
    char *plain = ordinary(), *buffer = block + BLOCK - CALL_BYTES;

    memset(plain, 'x', CALL_BYTES);
    if (one->fill)
        one->fill(plain);
    memcpy(buffer, plain, CALL_BYTES);
    const long wanted = make(one, plain);
    away = block;
    call_away(buffer);
    const long got = make(one, buffer);
    away = NULL;
    if (got != wanted)
        UM_FAIL("%s: %ld with managed memory, %ld with ordinary memory", one->name, got, wanted);
    const char *other = one->varies ? NULL : differs(buffer, plain);
    if (other)
        UM_FAIL("%s: %s", one->name, other);
    CU_PASS(one->name);
    munmap(plain, CALL_BYTES + PAGE);
}

static void compare_all(const struct call_case *cases)
{
    char *block = managed(BLOCK);

    for (; cases->name; cases++)
        compare(cases, block);
    CU_ASSERT_EQUAL(cudaFree(block), cudaSuccess);
}

static void files_streams_and_sockets(void)
{
    compare_all(calls_of_files);
    compare_all(calls_of_sockets);
}

static void what_is_done_after_the_call(void)
{
    compare_all(calls_that_the_kernel_ends);
    compare_all(calls_with_control_blocks);
}

static void processes_time_and_signals(void)
{
    compare_all(calls_of_processes);
}

static void at_the_edges(void)
{
    compare_all(calls_at_edges);
    compare_all(calls_that_are_odd);
}

/* ---- pages that are closed while a call needs them where they are ---- */

static atomic_bool stop;

/* 64 KiB for each kind of call: the host's pages of all of them are closed by each launch. */
static void *launches(void *p)
{
    while (!atomic_load(&stop)) {
        gpu_writes((char *)p + 4 * 64 * KiB, 64 * KiB);
        prefetch(p, 4 * 64 * KiB, 0);
    }
    return NULL;
}

static void calls_that_mean_the_pages_themselves_do_not_lose_them(void)
{
    char *p = managed(5 * 64 * KiB), name[16];
    const double end = seconds_now() + (long_version() ? 60 : 1);
    unsigned failures = 0, rounds = 0;
    pthread_t thread;
    int ends[2];

    memset(p, 1, 5 * 64 * KiB);
    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    CU_ASSERT_EQUAL_FATAL(prctl(PR_GET_NAME, name), 0);
    atomic_store(&stop, false);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, launches, p), 0);
    for (; seconds_now() < end; rounds++) {
        int *count = (int *)p;
        unsigned *word = (unsigned *)(p + 64 * KiB);
        failures += ioctl(ends[0], FIONREAD, count) != 0 || *count != 0;
        failures += syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 7, NULL, NULL, 0) != -1 || errno != EAGAIN;
        failures += prctl(PR_GET_NAME, p + 128 * KiB) != 0 || strcmp(p + 128 * KiB, name) != 0;
        failures += mlock(p + 192 * KiB, PAGE) != 0;
    }
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    UM_EQUAL(failures, 0);
    CU_ASSERT(rounds > 10);
    munlock(p + 192 * KiB, PAGE);
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* A register that holds a managed address by chance is no argument: getpid() has none. */
static void a_call_without_arguments_touches_nothing(void)
{
    char *p = managed_on_device(64 * KiB);

    MOVES(0, 0, 0, 0, CU_ASSERT_EQUAL(syscall(SYS_getpid, p, p, p, p, p, p), getpid()));
    MOVES(0, 0, 0, 0, CU_ASSERT(fcntl(0, F_GETFD, p) >= -1));
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* As large as what the kernel reads or writes, not as the buffer. */
static void a_small_answer_moves_one_unit(void)
{
    char *p = managed_on_device(4 * MiB), *folder = p + 2 * MiB;

    MOVES(0, 65536, 1, 0, CU_ASSERT_PTR_EQUAL(getcwd(p, 2 * MiB), p));
    strcpy(folder, "/");
    prefetch(p, 4 * MiB, 0);
    MOVES(0, 65536, 1, 0, CU_ASSERT_EQUAL(access(folder, R_OK), 0));
    MOVES(0, 0, 0, 0, CU_ASSERT_EQUAL(access(folder, R_OK), 0));
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* A child of fork() has no GPU: managed memory is not lent to it. */
static void a_child_gets_nothing_lent(void)
{
    char *p = managed(64 * KiB);
    int status = -1;

    memset(p, 1, 64 * KiB);
    prefetch(p, 64 * KiB, 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    const pid_t child = fork();
    if (child == 0) {
        const int file = memfd_create("file", MFD_CLOEXEC);
        const bool wrote = write(file, p, PAGE) != -1 || errno != EFAULT;
        const bool sent = writev(file, (struct iovec *)p, 1) != -1 || errno != EFAULT;
        const bool found = access(p, F_OK) != -1 || errno != EFAULT;
        const bool started = execve("/bin/true", (char **)p, NULL) != -1 || errno != EFAULT;
        _exit(wrote || sent || found || started || pwrite(file, "text", 4, 0) != 4 ||
              pread(file, p, 4, 0) != -1 || errno != EFAULT);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    UM_EQUAL(status, 0);
    UM_EQUAL(p[0], 1);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* One half of a page for each of two threads, and a launch after the other that takes the page away. */
struct half {
    char *own;
    int value;
    unsigned failures, rounds;
};

static void *reads_into_half_a_page(void *argument)
{
    struct half *half = argument;
    char bytes[PAGE / 2];
    const int file = memfd_create("half", MFD_CLOEXEC);

    for (; !atomic_load(&stop); half->rounds++) {
        memset(bytes, half->value + (int)(half->rounds % 50), sizeof bytes);
        half->failures += pwrite(file, bytes, sizeof bytes, 0) != sizeof bytes;
        half->failures += pread(file, half->own, sizeof bytes, 0) != sizeof bytes;
        half->failures += pwrite(file, half->own, sizeof bytes, PAGE) != sizeof bytes;
        half->failures += memcmp(half->own, bytes, sizeof bytes) != 0;
        half->failures += pread(file, bytes, sizeof bytes, PAGE) != sizeof bytes;
        half->failures += memcmp(half->own, bytes, sizeof bytes) != 0;
    }
    close(file);
    return NULL;
}

static void two_threads_read_into_one_page(void)
{
    char *p = managed(BLOCK);
    struct half halves[] = {{p, 10, 0, 0}, {p + PAGE / 2, 100, 0, 0}};
    const double end = seconds_now() + (long_version() ? 60 : 1);
    pthread_t threads[2];

    memset(p, 1, BLOCK);
    atomic_store(&stop, false);
    for (int i = 0; i < 2; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, reads_into_half_a_page, &halves[i]), 0);
    while (seconds_now() < end) {
        gpu_writes(p + BLOCK / 2, 64 * KiB);
        prefetch(p, 64 * KiB, 0);
        CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        UM_EQUAL(halves[i].failures, 0);
        CU_ASSERT(halves[i].rounds > 10);
    }
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* What is not alive any more is nobody's; what lies in front of it is read. */
static void memory_that_was_freed_is_nowhere(void)
{
    char *first = managed(BLOCK), *second = managed(BLOCK), *third = managed(BLOCK);
    const int file = memfd_create("file", MFD_CLOEXEC);

    CU_ASSERT_PTR_EQUAL_FATAL(second, first + BLOCK);
    memset(first, 1, 3 * BLOCK);
    for (int i = 0; i < 3; i++)
        prefetch(first + i * BLOCK, BLOCK, 0);
    UM_EQUAL(pwrite(file, second - 100, 200, 0), 200); /* neighbours are one memory to the system */
    CU_ASSERT_EQUAL(cudaFree(second), cudaSuccess);
    CU_ASSERT(pwrite(file, second, 200, 0) == -1 && errno == EFAULT);
    CU_ASSERT(pread(file, second, 200, 0) == -1 && errno == EFAULT);
    CU_ASSERT(access(second, F_OK) == -1 && errno == EFAULT);
    CU_ASSERT(writev(file, (struct iovec *)second, 1) == -1 && errno == EFAULT);
    prefetch(first, BLOCK, 0);
    UM_EQUAL(pread(file, second - 100, 200, 0), 100);
    UM_EQUAL(pwrite(file, third - 100, 200, 0), -1);
    close(file);
    CU_ASSERT_EQUAL(cudaFree(first), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(third), cudaSuccess);
}

UM_TESTS("calls on managed memory",
         {"files, streams and sockets: as with ordinary memory", files_streams_and_sockets},
         {"what is done after the call: as with ordinary memory", what_is_done_after_the_call},
         {"processes, time and signals: as with ordinary memory", processes_time_and_signals},
         {"bad and unusual arguments: as with ordinary memory", at_the_edges},
         {"calls that mean the pages themselves do not lose them to kernels",
          calls_that_mean_the_pages_themselves_do_not_lose_them},
         {"a call without arguments touches nothing", a_call_without_arguments_touches_nothing},
         {"a small answer moves one unit of 64 KiB", a_small_answer_moves_one_unit},
         {"a child gets nothing lent", a_child_gets_nothing_lent},
         {"two threads read into one page", two_threads_read_into_one_page},
         {"memory that was freed is nowhere", memory_that_was_freed_is_nowhere});
