/**
 * @file syscalls.c
 * @brief What a system call answers when it is given managed memory whose pages are on the GPU, pinned
 * memory, or device memory.
 */
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "behaviour.h"
#include "child.h"
#include "um_cuda_compat.h"
#include "um_test.h"

#define CASES_MAX 80
#define ANSWER_MAX 40

struct syscall_files syscall_files;

struct answers {
    const struct syscall_case *cases;
    bool on_device;
    char text[CASES_MAX][ANSWER_MAX];
};
_Static_assert(sizeof(struct answers) <= CHILD_AREA_MAX, "a child can give so much back");

bool syscalls_prepare(void)
{
    struct syscall_files *f = &syscall_files;

    snprintf(f->path, sizeof f->path, "/tmp/umlab-syscalls-XXXXXX");
    f->file = mkostemp(f->path, O_CLOEXEC);
    return f->file >= 0 && pipe2(f->pipe, O_CLOEXEC) == 0 &&
           socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, f->stream) == 0 &&
           socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, f->packet) == 0;
}

void syscalls_clean_up(void)
{
    unlink(syscall_files.path);
}

long syscall_answer(long result)
{
    return result < 0 ? -errno : result;
}

bool all_are(const char *p, size_t bytes, char c)
{
    for (size_t i = 0; i < bytes; i++) {
        if (p[i] != c)
            return false;
    }
    return true;
}

bool umsim_is_grading(void) __attribute__((weak)); /* there is none on hardware */

static bool is_graded(void)
{
    return umsim_is_grading && umsim_is_grading();
}

/* Takes out what an earlier case left, so that no case depends on those before it. */
static void empty(int fd)
{
    char left[4096];

    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (read(fd, left, sizeof left) > 0) {
    }
    fcntl(fd, F_SETFL, 0);
}

static void reset(void)
{
    const struct syscall_files *f = &syscall_files;
    char theirs[SYSCALL_BYTES];

    empty(f->pipe[0]);
    empty(f->stream[0]);
    empty(f->stream[1]);
    empty(f->packet[0]);
    empty(f->packet[1]);
    memset(theirs, SYSCALL_THEIRS, sizeof theirs);
    CHILD_ASSERT(pwrite(f->file, theirs, sizeof theirs, 0) == (ssize_t)sizeof theirs);
    CHILD_ASSERT(lseek(f->file, 0, SEEK_SET) == 0);
}

static void to_the_device(char *buffer)
{
    CHILD_ASSERT(um_prefetch(buffer, SYSCALL_BYTES, 0, 0) == cudaSuccess);
    CHILD_ASSERT(cudaDeviceSynchronize() == cudaSuccess);
}

/* Runs one case. Its answer goes to `text`: ok, the error's name, or what was wrong. */
static void ask(const struct syscall_case *one, char *buffer, bool is_managed, char *text)
{
    static char plain[SYSCALL_BYTES];
    long answer;

    reset();
    memset(plain, SYSCALL_OURS, sizeof plain);
    if (one->fill)
        one->fill(plain);
    CHILD_ASSERT(cudaMemcpy(buffer, plain, sizeof plain, cudaMemcpyDefault) == cudaSuccess);
    if (is_managed)
        to_the_device(buffer);
    errno = 0;
    answer = one->call(buffer);
    CHILD_ASSERT(cudaMemcpy(plain, buffer, sizeof plain, cudaMemcpyDefault) == cudaSuccess);
    if (answer < 0)
        snprintf(text, ANSWER_MAX, "%s", strerrorname_np((int)-answer));
    else if (one->right && !one->right(plain, answer))
        snprintf(text, ANSWER_MAX, "%ld, and wrong bytes", answer);
    else
        snprintf(text, ANSWER_MAX, "ok");
}

/* Calls that this program cannot make as it would on hardware, and why. They are named by a test that is
 * skipped because of them. */
static const struct {
    const char *name;
    bool (*is_here)(void);
    const char *why;
} out_of_reach[] = {
    {"setvbuf", is_graded,
     "a graded program has no second view of managed memory that a stream could keep: the stream works, with "
     "a buffer "
     "of its own"},
};
enum { OUT_OF_REACH = sizeof out_of_reach / sizeof out_of_reach[0] };

static bool is_in_reach(const char *name)
{
    for (int i = 0; i < OUT_OF_REACH; i++) {
        if (strcmp(name, out_of_reach[i].name) == 0 && out_of_reach[i].is_here())
            return false;
    }
    return true;
}

static void ask_all(struct answers *answers, char *buffer, bool is_managed)
{
    CHILD_ASSERT(syscalls_prepare());
    for (int i = 0; answers->cases[i].name; i++) {
        if ((answers->on_device && answers->cases[i].in_user_space) ||
            (is_managed && !is_in_reach(answers->cases[i].name)))
            snprintf(answers->text[i], ANSWER_MAX, "-");
        else
            ask(&answers->cases[i], buffer, is_managed, answers->text[i]);
    }
    syscalls_clean_up();
}

static void on_managed_memory(void *area)
{
    char *buffer = NULL;

    CHILD_ASSERT(cudaMallocManaged((void **)&buffer, SYSCALL_BYTES, cudaMemAttachGlobal) == cudaSuccess);
    ask_all(area, buffer, true);
}

static void on_pinned_memory(void *area)
{
    char *buffer = NULL;

    CHILD_ASSERT(cudaMallocHost((void **)&buffer, SYSCALL_BYTES) == cudaSuccess);
    ask_all(area, buffer, false);
}

static void on_device_memory(void *area)
{
    char *buffer = NULL;

    CHILD_ASSERT(cudaMalloc((void **)&buffer, SYSCALL_BYTES) == cudaSuccess);
    ask_all(area, buffer, false);
}

static void compare(const struct syscall_case *cases, void (*body)(void *), const char *memory)
{
    static struct answers answers;
    char name[128];

    answers = (struct answers){.cases = cases, .on_device = body == on_device_memory};
    if (!child_run(body, &answers, sizeof answers))
        return;
    for (int i = 0; cases[i].name; i++) {
        if (strcmp(answers.text[i], "-") == 0)
            continue;
        snprintf(name, sizeof name, "%s, %s", cases[i].name, memory);
        UM_BEHAVIOUR(name, "%s", answers.text[i]);
    }
}

static void the_system_reads_managed_memory(void)
{
    compare(syscalls_that_read, on_managed_memory, "managed memory on the GPU");
}

static void the_system_writes_managed_memory(void)
{
    compare(syscalls_that_write, on_managed_memory, "managed memory on the GPU");
}

static void the_system_uses_pinned_memory(void)
{
    compare(syscalls_that_read, on_pinned_memory, "pinned memory");
    compare(syscalls_that_write, on_pinned_memory, "pinned memory");
}

static void the_system_does_not_reach_device_memory(void)
{
    compare(syscalls_that_read, on_device_memory, "device memory");
    compare(syscalls_that_write, on_device_memory, "device memory");
}

/* As the children are that make the calls: one that is graded says so. */
static void note_what_is_out_of_reach(void *area)
{
    int *is_out = area;

    for (int i = 0; i < OUT_OF_REACH; i++)
        is_out[i] = !is_in_reach(out_of_reach[i].name);
}

static void every_call_is_in_reach(void)
{
    int is_out[OUT_OF_REACH] = {0};

    if (!child_run(note_what_is_out_of_reach, is_out, sizeof is_out))
        return;
    for (int i = 0; i < OUT_OF_REACH; i++) {
        if (is_out[i])
            UM_SKIP("%s, managed memory on the GPU: %s", out_of_reach[i].name, out_of_reach[i].why);
    }
    CU_PASS("every call was made");
}

UM_TESTS("system calls", {"the system reads managed memory", the_system_reads_managed_memory},
         {"the system writes managed memory", the_system_writes_managed_memory},
         {"the system uses pinned memory", the_system_uses_pinned_memory},
         {"the system does not reach device memory", the_system_does_not_reach_device_memory},
         {"every call is in reach", every_call_is_in_reach});
