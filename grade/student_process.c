/**
 * @file student_process.c
 * @brief Implementation of student_process.h.
 */
#include "student_process.h"
#include "call_buffer.h"
#include "confine.h"
#include "descriptors.h"
#include "protocol.h"
#include "sim/client/client.h"
#include "umsim_grading.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/** Of a process that is kept to its room. */
#define STACK_BYTES ((uint64_t)1 << 20)

static struct um_student_plan plan;
static bool inputs_hidden;
static uint64_t spare_bytes;
static pid_t student;

/* Shared with the student's process alone: whether it has come to its end, and what it sends back. */
static struct exchange {
    volatile bool done;
    volatile uint64_t held;
    _Alignas(16) char bytes[];
} * exchange;
static size_t exchange_bytes;

void um_student_plan(const struct um_student_plan *new_plan)
{
    plan = *new_plan;
}

void um_student_sees_no_inputs(void)
{
    inputs_hidden = true;
}

void um_student_has_spare(uint64_t bytes)
{
    spare_bytes = bytes;
}

/* Errors from here on are the submission's: it is loaded. */
__attribute__((noreturn)) static void complain(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    fflush(stderr);
    _exit(UM_SANDBOX_CANNOT);
}

/* The request's outputs have a way back of their own. */
static bool is_output(const struct um_back *back)
{
    return (size_t)((char *)back->object - (char *)plan.out) < plan.out_bytes &&
           back->bytes <= plan.out_bytes - (size_t)((char *)back->object - (char *)plan.out);
}

/* ---- in the student's process ---- */

static char *shared_out;

/* It gets outputs of its own, private memory like any, and sends them back when it leaves: a function may
 * register them, say. */
static void keep_outputs_apart(void)
{
    if (!plan.out_bytes)
        return;
    const off_t at = (off_t)plan.out_offset; /* their own place first, which is free now */
    if (mmap(plan.out, plan.out_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, plan.out_file, at) ==
        MAP_FAILED)
        complain("no memory for", "outputs");
    shared_out = mmap(NULL, plan.out_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, plan.out_file, at);
    if (shared_out == MAP_FAILED)
        complain("no memory for", "outputs");
}

/* None of its code runs yet: library.c has seen to that. */
static void load_submission(void)
{
    void *handle = dlopen(plan.library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        complain("the submission cannot be loaded", dlerror());
    for (const struct um_student_entry *entry = plan.functions; entry->function; entry++) {
        void *function = dlsym(handle, entry->function);
        if (!function)
            complain("the submission has no function", entry->function);
        memcpy(entry->place, &function, sizeof function);
    }
}

/* exit() would run what the submission and the libraries have left for their ends. */
static void leave_at_once(int status, void *unused)
{
    (void)unused;
    fflush(NULL);
    _exit(status);
}

/* What it has now it may use; beyond that it has its room only, wherever it asks for it. */
static void keep_to_the_spare(void)
{
    const uint64_t held = um_private_bytes();
    if (!held)
        return;
    munmap((void *)UMSIM_GRADING_ARENAS, UMSIM_GRADING_ARENAS_END - UMSIM_GRADING_ARENAS);
    setrlimit(RLIMIT_STACK, &(struct rlimit){STACK_BYTES, STACK_BYTES});
    plan.heap_bytes = held + spare_bytes;
    exchange->held = held + STACK_BYTES;
}

static void become_the_student(pid_t harness)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != harness)
        _exit(UM_SANDBOX_CANNOT);
    close(plan.talk);
    munmap(plan.call_buffer, plan.call_buffer_bytes);
    memset(plan.number, 0, plan.number_bytes);
    keep_outputs_apart();
    close(plan.out_file);
    if (inputs_hidden && plan.in_bytes)
        munmap(plan.in, plan.in_bytes);
    on_exit(leave_at_once, NULL);
    load_submission();
    if (spare_bytes)
        keep_to_the_spare();
    const char *why = um_confine(plan.heap_bytes, plan.cpu_seconds);
    if (why)
        complain(why, strerror(errno));
}

void um_student_leaves(const struct um_back *back)
{
    size_t at = 0;
    for (; back->object; back++) {
        char *to = exchange->bytes + at;
        if (is_output(back))
            to = shared_out + ((char *)back->object - (char *)plan.out);
        else
            at += back->bytes;
        memcpy(to, back->object, back->bytes);
    }
    fflush(stdout);
    exchange->done = true;
    _exit(0);
}

/* ---- in the harness ---- */

__attribute__((noreturn)) static void tell_and_end(int status)
{
    const struct um_left left = {UM_LEFT, status};
    (void)!send(plan.talk, &left, sizeof left, MSG_NOSIGNAL);
    for (;;)
        pause(); /* the fork server ends this process */
}

void um_student_cannot(const char *what)
{
    um_send_broken(plan.talk, what, strerror(errno));
    for (;;)
        pause();
}

bool um_student_enters(const struct um_back *back)
{
    const pid_t harness = getpid();
    exchange_bytes = sizeof *exchange;
    for (; back->object; back++)
        exchange_bytes += is_output(back) ? 0 : back->bytes;
    exchange = mmap(NULL, exchange_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (exchange == MAP_FAILED)
        um_student_cannot("no memory for what the student's process sends back");
    fflush(NULL);
    student = umsim_client_lend();
    if (student < 0)
        um_student_cannot("the student's process cannot be forked (processes: ulimit -u)");
    if (student == 0)
        become_the_student(harness);
    return student == 0;
}

uint64_t um_student_writable_bytes(void)
{
    return exchange->held;
}

bool um_student_has_ended(void)
{
    siginfo_t end = {0};
    return waitid(P_PID, (id_t)student, &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid == student;
}

void um_student_has_left(const struct um_back *back)
{
    size_t at = 0;
    const int status = umsim_client_take(student);
    if (!exchange->done || status != 0)
        tell_and_end(status);
    for (; back->object; back++) {
        if (is_output(back))
            continue;
        memcpy(back->object, exchange->bytes + at, back->bytes);
        at += back->bytes;
    }
    munmap(exchange, exchange_bytes);
}
