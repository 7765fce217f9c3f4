/**
 * @file server.c
 * @brief The server's loop (include/umsim_grading.h): who is served, and what each message does.
 *
 * One thread serves: the process's first one. It runs what was queued, too, and only within a call: so no
 * kernel runs while a client works, and the host functions that a wait comes to are run by the client that
 * waits.
 */
#include "client_memory.h"
#include "served.h"
#include "../api/grading.h"
#include "../api/graph.h"
#include "../api/host_function.h"
#include "../api/runtime.h"
#include "../base/devices.h"
#include "../base/futex.h"
#include "../base/libc.h"
#include "../base/lock.h"
#include "../base/memory.h"
#include "../base/report.h"
#include "../include/umsim_grading.h"
#include "../queue/executor.h"
#include "../record/ledger.h"
#include "../space/arena.h"
#include "../space/host_memory.h"
#include "../space/registered_table.h"
#include "../space/registry.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/** How long a sleep lasts before the server looks whether the trusted client still lives, and whether the
 * other one has ended. */
#define LIFE_CHECK_NS UINT64_C(50000000)

/** A program that has made no call for so long may wait for its host function. */
#define SILENCE_NS UINT64_C(200000000)

static struct umsim_line *line;
static pid_t host;                   /* the trusted client */
static struct umsim_channel *served; /* whose messages are answered */
static unsigned seen_host;           /* messages of the trusted client's that were answered or taken */
static struct umsim_message message; /* in hand, copied */
static char data[UMSIM_CLOSURE_MAX];
static unsigned functions; /* of the client's that run now, one within the other */
static bool by_runner;     /* its other thread runs them (channel.h) */

static bool is_student(void)
{
    return served == &line->student;
}

/* ---- messages ---- */

/* While the student's other thread runs a function, its calls only are served, and touches. */
static bool is_posted(void)
{
    if (atomic_load(&served->posted) == atomic_load(&served->answered))
        return false;
    return !by_runner || served->message.kind == UMSIM_CLIENT_TOUCH ||
           served->message.thread == atomic_load_explicit(&line->runner.thread, memory_order_relaxed);
}

static bool runner_is_done(void)
{
    return by_runner && atomic_load(&line->runner.ran) == atomic_load(&line->runner.asked);
}

/* Until the bell rings, or for some time. */
static void sleep_at(unsigned bell)
{
    static struct umsim_patience patience;
    if (umsim_await(&line->bell, bell + 1, &patience))
        return;
    atomic_store(&line->server_sleeps, 1);
    if (atomic_load(&line->bell) == bell)
        umsim_futex_wait(&line->bell, bell, LIFE_CHECK_NS);
    atomic_store(&line->server_sleeps, 0);
    if (kill(host, 0) != 0 && errno == ESRCH)
        _exit(0);
}

/* A program that makes no call may wait for its host function. */
static void serve_silence(uint64_t since)
{
    if (by_runner || functions || !is_student() || umsim_real_ns() - since < SILENCE_NS)
        return;
    by_runner = true;
    umsim_queue_serve_silent();
    by_runner = false;
}

/* @return false when the student's process has ended (the trusted client has said so), or when its other
 * thread has run its function */
static bool next_message(void)
{
    const uint64_t since = umsim_real_ns();
    for (;;) {
        const unsigned bell = atomic_load(&line->bell);
        if (is_posted())
            break;
        if ((is_student() && atomic_load(&line->host.posted) != seen_host) || runner_is_done())
            return false;
        sleep_at(bell);
        serve_silence(since);
    }
    message = served->message;
    message.bytes = message.bytes < sizeof data ? message.bytes : (uint32_t)sizeof data;
    memcpy(data, served->data, message.bytes);
    return true;
}

static void answer_with(struct umsim_channel *to, const struct umsim_message *answer)
{
    to->answer = *answer;
    atomic_fetch_add(&to->answered, 1);
    if (to == &line->host)
        seen_host = atomic_load(&to->answered);
    if (atomic_load(&to->client_sleeps))
        umsim_futex_wake(&to->answered);
}

/* ---- what the library does in the client's place ---- */

static void handle(struct umsim_message *answer);
static void handle_message(struct umsim_message *answer);

static void ask_runner(const struct umsim_message *answer)
{
    line->runner.closes = answer->closes;
    memcpy(line->runner.word, answer->word, sizeof line->runner.word);
    atomic_fetch_add(&line->runner.asked, 1);
    umsim_futex_wake(&line->runner.asked);
}

/* A host function, or a callback. Until it has returned its calls are served. */
static void run_in_client(umsim_any_function function, void *first, void *second, void *third)
{
    struct umsim_message answer = {.kind = UMSIM_SERVER_RUN};
    if (umsim_client_is_gone())
        return;
    umsim_client_take_back();
    answer.closes = umsim_client_to_close();
    memcpy(&answer.word[0], &function, sizeof function);
    answer.word[1] = (uintptr_t)first;
    answer.word[2] = (uintptr_t)second;
    answer.word[3] = (uintptr_t)third;
    const struct umsim_message in_hand = message;
    const unsigned device = umsim_device(); /* the function may be another thread's */
    functions++;
    if (by_runner)
        ask_runner(&answer);
    else
        answer_with(served, &answer);
    while (next_message() && message.kind != UMSIM_CLIENT_RAN) {
        struct umsim_message nested = {.kind = UMSIM_SERVER_DONE};
        handle(&nested);
        answer_with(served, &nested);
    }
    functions--;
    umsim_client_take_back();
    umsim_device_set(device);
    message = in_hand;
}

/* ---- what each message does ---- */

/* @return NULL when the message names no kernel, or has not its parameters */
static const struct umsim_kernel *kernel_of_message(void)
{
    struct umsim_served call = {.message = &message};
    const struct umsim_kernel *kernel = umsim_served_offset(&call);
    return kernel && umsim_grading_knows(kernel, message.bytes) ? kernel : NULL;
}

static void launch(struct umsim_message *answer)
{
    const struct umsim_kernel *kernel = kernel_of_message();
    struct umsim_client_launch how = {.dynamic_shared = message.word[UMSIM_LAUNCH_SHARED],
                                      .stream = (cudaStream_t)message.word[UMSIM_LAUNCH_STREAM],
                                      .cooperative = message.word[UMSIM_LAUNCH_COOPERATIVE] != 0};
    memcpy(&how.grid, &message.word[UMSIM_LAUNCH_GRID], sizeof how.grid);
    memcpy(&how.block, &message.word[UMSIM_LAUNCH_BLOCK], sizeof how.block);
    const cudaError_t told = (cudaError_t)message.word[UMSIM_LAUNCH_ERROR];
    answer->word[0] = kernel ? (uint64_t)umsim_launch_for_client(kernel, &how, data, message.bytes)
                             : (uint64_t)umsim_remember(told ? told : cudaErrorInvalidDeviceFunction);
}

/* Registered memory has to stand at the client's addresses here. Where something of the server's own stands
 * there, or the client has no such memory, nothing may be registered: it would be the server's. */
static uint64_t register_memory(struct umsim_served *call)
{
    void *p = (void *)message.word[0];
    const size_t bytes = message.word[1];
    bool writes;
    if (p && bytes && !umsim_registry_overlap(p, bytes) && !umsim_client_adopt(p, bytes)) {
        const bool unreadable = umsim_client_bad(&writes) != 0;
        if (!unreadable)
            umsim_say("cudaHostRegister(%p, %zu): these addresses are taken in the process that serves this "
                      "program; register memory of malloc(), or take cudaMallocHost()",
                      p, bytes);
        return (uint64_t)umsim_remember(unreadable ? cudaErrorInvalidValue : cudaErrorNotSupported);
    }
    const uint64_t error = umsim_served_run(call);
    if (error)
        umsim_client_release_unused();
    return error;
}

static uint64_t call_of(const char *name, struct umsim_served *call)
{
    if (strcmp(name, "cudaHostRegister") == 0)
        return register_memory(call);
    if (strcmp(name, "umsim_host_copies") == 0 && is_student())
        return 0;
    const uint64_t error = umsim_served_run(call);
    if (strcmp(name, "cudaHostUnregister") == 0 && !error)
        umsim_client_disown((void *)message.word[0]);
    if (strcmp(name, "cudaFreeHost") == 0 || strcmp(name, "cudaDeviceReset") == 0)
        umsim_client_pinned_freed();
    return error;
}

static void serve_call(struct umsim_message *answer)
{
    const struct umsim_message in_hand = message;
    struct umsim_served call = {.message = &in_hand};
    bool writes;
    (void)umsim_client_bad(&writes);
    answer->word[0] = in_hand.number < umsim_served_calls_count
                          ? call_of(umsim_served_calls[in_hand.number].name, &call)
                          : cudaErrorNotSupported;
    umsim_launch_clients_node(NULL, NULL, 0);
    umsim_queue_serve();
    const uintptr_t bad = umsim_client_bad(&writes);
    if (bad) {
        answer->kind = UMSIM_SERVER_FAULTED;
        answer->word[2] = answer->word[0];
        answer->word[0] = bad;
        answer->word[1] = writes;
    }
}

static void give_registered(struct umsim_message *answer)
{
    if (message.word[0]) {
        umsim_client_give();
        return;
    }
    uintptr_t from;
    size_t bytes;
    umsim_client_given(&from, &bytes);
    answer->word[0] = from;
    answer->word[1] = bytes;
}

/* What each thread of a client has of its own. Threads beyond these share one. */
enum { THREADS = 1024 };
static struct of_thread {
    cudaError_t last_error;
    unsigned device;
} of_threads[2][THREADS];

static struct of_thread *of_thread(uint32_t thread)
{
    return &of_threads[is_student()][thread < THREADS ? thread : 0];
}

static void handle(struct umsim_message *answer)
{
    struct of_thread *thread = of_thread(message.thread);
    umsim_last_error = thread->last_error;
    umsim_device_set(thread->device);
    handle_message(answer);
    *thread = (struct of_thread){umsim_last_error, umsim_device()};
}

static void handle_message(struct umsim_message *answer)
{
    const uint32_t kind = message.kind;
    if (kind != UMSIM_CLIENT_TOUCH)
        umsim_client_take_back();
    switch (kind) {
    case UMSIM_CLIENT_CALL:
        serve_call(answer);
        break;
    case UMSIM_CLIENT_LAUNCH:
        launch(answer);
        umsim_queue_serve();
        break;
    case UMSIM_CLIENT_PARAMETERS:
        umsim_launch_clients_node(kernel_of_message(), data, message.bytes);
        break;
    case UMSIM_CLIENT_TOUCH:
        umsim_client_touches((void *)message.word[0], message.word[1] != 0, answer);
        break;
    case UMSIM_CLIENT_REGISTERED:
        give_registered(answer);
        break;
    case UMSIM_CLIENT_SETTLE:
        umsim_ledger_totals();
        break;
    default:
        break; /* nothing that means anything: it changes nothing */
    }
    answer->closes = umsim_client_to_close();
}

/* ---- the loop ---- */

static const char *welcome(int socket, struct umsim_welcome *words)
{
    const int fd[UMSIM_CLIENT_FDS] = {[UMSIM_FD_PINNED] = umsim_arenas[UMSIM_ARENA_PINNED].file,
                                      [UMSIM_FD_MANAGED] =
                                          umsim_client_copy_make(umsim_arenas[UMSIM_ARENA_MANAGED].size),
                                      [UMSIM_FD_REGISTERED] = umsim_registered_file()};
    union {
        struct cmsghdr head;
        char buffer[CMSG_SPACE(sizeof fd)];
    } control = {.buffer = {0}};
    struct iovec part = {words, sizeof *words};
    struct msghdr text = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.buffer,
                          .msg_controllen = sizeof control.buffer};
    struct cmsghdr *head = CMSG_FIRSTHDR(&text);
    words->device_bytes = umsim_arenas[UMSIM_ARENA_DEVICE].size;
    words->pinned_bytes = umsim_arenas[UMSIM_ARENA_PINNED].size;
    words->managed_bytes = umsim_arenas[UMSIM_ARENA_MANAGED].size;
    if (fd[UMSIM_FD_MANAGED] < 0)
        return "there is no memory for a client's copy of managed memory";
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(head), fd, sizeof fd);
    return sendmsg(socket, &text, MSG_NOSIGNAL) == sizeof *words ? NULL : "the client is gone";
}

/* What the student's process has left. Its memory is gone, and its addresses mean something else in the
 * trusted client: so what it has queued runs now, while nobody's memory is there to be read or written, nor
 * anybody who would run its functions. */
static void take_from_student(void)
{
    void *p;
    umsim_client_take_back();
    umsim_client_is(0);
    umsim_lock();
    umsim_captures_abandon();
    umsim_ledger_unfinished(umsim_queue_count());
    umsim_queue_finish_all();
    umsim_unlock();
    umsim_client_is_lent(false);
    while ((p = umsim_client_students_registered())) {
        cudaHostUnregister(p);
        umsim_client_disown(p);
        umsim_client_give();
    }
    memcpy(of_threads[0], of_threads[1], sizeof of_threads[0]);
    bool writes;
    (void)umsim_client_bad(&writes);
    served = &line->host;
    umsim_client_is(host);
}

/* From BEGIN to END the other channel is served. */
static void serve_student(void)
{
    struct umsim_message answer = {.kind = UMSIM_SERVER_DONE};
    const pid_t student = (pid_t)message.word[0];
    served = &line->student;
    memcpy(of_threads[1], of_threads[0], sizeof of_threads[1]);
    umsim_client_is(student);
    umsim_client_is_lent(true);
    answer_with(&line->host, &answer);
    while (next_message()) {
        answer = (struct umsim_message){.kind = UMSIM_SERVER_DONE};
        handle(&answer);
        answer_with(served, &answer);
    }
    take_from_student();
}

void umsim_refuse_client(int socket, const char *why)
{
    struct umsim_welcome words = {.why = ""};
    pid_t client;
    snprintf(words.why, sizeof words.why, "%s", why);
    if (recv(socket, &client, sizeof client, 0) == sizeof client)
        send(socket, &words, sizeof words, MSG_NOSIGNAL);
}

const char *umsim_serve_clients(int file, int socket)
{
    struct umsim_welcome words = {.why = ""};
    struct umsim_message answer;
    line = mmap(NULL, sizeof *line, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (line == MAP_FAILED || recv(socket, &host, sizeof host, 0) != sizeof host)
        return "no client has called";
    umsim_note_own(line, sizeof *line);
    const char *why = welcome(socket, &words);
    if (why)
        return why;
    umsim_host_memory_is(umsim_client_read, umsim_client_write);
    umsim_host_functions_run(run_in_client);
    umsim_client_is(host);
    served = &line->host;
    for (;;) {
        next_message();
        if (message.kind == UMSIM_CLIENT_BEGIN) {
            serve_student();
            continue;
        }
        answer = (struct umsim_message){.kind = UMSIM_SERVER_DONE};
        handle(&answer);
        answer_with(&line->host, &answer);
    }
}
