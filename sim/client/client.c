/**
 * @file client.c
 * @brief Implementation of client.h: how messages are put together, sent and answered.
 */
#include "client.h"
#include "../base/futex.h"
#include "../base/signal_mask.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/** How long a sleep lasts before a client looks whether the server still lives. */
#define LIFE_CHECK_NS UINT64_C(100000000)

static struct umsim_line *line;
static struct umsim_channel *channel;
static bool forging; /* umsim_client_ask(): functions that the server asks for are made up */
static int server;   /* a socket: it tells of the server's end */
static pid_t owner;  /* a child that the program forks has no GPU */

void umsim_client_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("umlab: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    _exit(70);
}

void umsim_client_device_only(const char *name)
{
    umsim_client_die("%s() is for kernels, and was called on the host", name);
}

/* ---- putting a message together ---- */

void umsim_client_put(struct umsim_message *message, unsigned *at, const void *value, size_t bytes)
{
    const unsigned words = (unsigned)((bytes + 7) / 8);
    if (*at + words > UMSIM_CHANNEL_WORDS)
        umsim_client_die("a call has more arguments than a message holds");
    memcpy(&message->word[*at], value, bytes);
    *at += words;
}

/* What lies in the program itself has the name "". */
static const char *name_of(const Dl_info *info)
{
    Dl_info program;
    const char *slash = strrchr(info->dli_fname, '/');
    if (dladdr((void *)getauxval(AT_PHDR), &program) && program.dli_fbase == info->dli_fbase)
        return "";
    return slash ? slash + 1 : info->dli_fname;
}

void umsim_client_put_offset(struct umsim_message *message, unsigned *at, const void *address)
{
    Dl_info info;
    uint64_t offset = UINT64_MAX; /* nothing */
    if (address && dladdr(address, &info)) {
        offset = (uint64_t)((const char *)address - (const char *)info.dli_fbase);
        strncpy(message->module, name_of(&info), sizeof message->module - 1);
    }
    umsim_client_put(message, at, &offset, sizeof offset);
}

/* A write that changes nothing. */
static void write_again(volatile char *p)
{
    const char byte = *p;
    *p = byte;
}

void umsim_client_touch(const void *p, size_t bytes, bool writes)
{
    volatile char *first = (volatile char *)(uintptr_t)p;
    if (!p)
        return;
    volatile char *last = first + bytes - 1;
    if (writes) {
        write_again(first);
        write_again(last);
    } else {
        (void)*first;
        (void)*last;
    }
}

/* ---- the conversation ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local unsigned depth __attribute__((tls_model("initial-exec")));

uint32_t umsim_client_thread(void)
{
    static atomic_uint threads;
    static _Thread_local uint32_t mine __attribute__((tls_model("initial-exec")));
    if (!mine)
        mine = atomic_fetch_add(&threads, 1) + 1;
    return mine;
}

static bool server_is_gone(void)
{
    struct pollfd it = {server, POLLIN, 0};
    return poll(&it, 1, 0) == 1;
}

/* Posts a message and waits for its answer. The memory is opened or closed while no other thread talks. */
static void exchange(const struct umsim_message *message, const void *data, struct umsim_message *answer)
{
    static struct umsim_patience patience;
    const unsigned number = atomic_load(&channel->posted) + 1;
    channel->message = *message;
    channel->message.thread = umsim_client_thread();
    if (data)
        memcpy(channel->data, data, message->bytes);
    atomic_store(&channel->posted, number);
    atomic_fetch_add(&line->bell, 1);
    if (atomic_load(&line->server_sleeps))
        umsim_futex_wake(&line->bell);
    while (!umsim_await(&channel->answered, number, &patience)) {
        atomic_store(&channel->client_sleeps, 1);
        const unsigned seen = atomic_load(&channel->answered);
        if (seen != number)
            umsim_futex_wait(&channel->answered, seen, LIFE_CHECK_NS);
        atomic_store(&channel->client_sleeps, 0);
        if (!umsim_reached(&channel->answered, number) && server_is_gone())
            umsim_client_die("the process that serves this program has ended");
    }
    *answer = channel->answer;
    if (answer->closes)
        umsim_client_close(answer->closes);
}

static void run(const struct umsim_message *asked)
{
    void (*function)(void *, void *, void *);
    memcpy(&function, &asked->word[0], sizeof function);
    function((void *)asked->word[1], (void *)asked->word[2], (void *)asked->word[3]);
}

/* The server could not follow an argument. A program that shares a process with CUDA faults there. */
static void fault_at(const struct umsim_message *answer)
{
    volatile char *p = (volatile char *)answer->word[0];
    if (answer->word[1])
        write_again(p);
    else
        (void)*p;
}

void umsim_client_say(const struct umsim_message *message, const void *data, struct umsim_message *answer)
{
    struct umsim_message ran = {.kind = UMSIM_CLIENT_RAN}, own;
    if (!answer)
        answer = &own;
    umsim_client_begin();
    if (owner != getpid()) {
        *answer =
            (struct umsim_message){.kind = UMSIM_SERVER_REFUSED, .word = {cudaErrorInitializationError}};
        return;
    }
    if (depth++ == 0)
        pthread_mutex_lock(&lock);
    exchange(message, data, answer);
    while (answer->kind == UMSIM_SERVER_RUN) {
        if (!forging)
            run(answer);
        exchange(&ran, NULL, answer);
    }
    if (--depth == 0)
        pthread_mutex_unlock(&lock);
    if (answer->kind == UMSIM_SERVER_FAULTED && !forging)
        fault_at(answer);
}

void umsim_client_ask(const struct umsim_message *message, const void *data, struct umsim_message *answer)
{
    const struct umsim_message ran = {.kind = UMSIM_CLIENT_RAN};
    forging = true;
    umsim_client_begin();
    exchange(message, data, answer);
    while (answer->kind == UMSIM_SERVER_RUN)
        exchange(&ran, NULL, answer);
}

uint64_t umsim_client_call(const struct umsim_message *message)
{
    struct umsim_message answer;
    umsim_client_say(message, NULL, &answer);
    return answer.word[0];
}

/* ---- the start ---- */

static bool receive(int socket, struct umsim_welcome *welcome, int fd[UMSIM_CLIENT_FDS])
{
    union {
        struct cmsghdr head;
        char buffer[CMSG_SPACE(UMSIM_CLIENT_FDS * sizeof(int))];
    } control;
    struct iovec part = {welcome, sizeof *welcome};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.buffer,
                             .msg_controllen = sizeof control.buffer};
    ssize_t got;
    while ((got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (got != sizeof *welcome)
        return false;
    if (head && head->cmsg_len == CMSG_LEN(UMSIM_CLIENT_FDS * sizeof(int)))
        memcpy(fd, CMSG_DATA(head), UMSIM_CLIENT_FDS * sizeof(int));
    else if (!welcome->why[0])
        return false;
    return true;
}

static void allow_reading(void)
{
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* the server reads arguments; where Yama asks */
}

static void begin(void)
{
    const char *told = getenv(UMSIM_LINE_VARIABLE);
    int file, socket, fd[UMSIM_CLIENT_FDS];
    struct umsim_welcome welcome;
    const pid_t self = owner = getpid();
    if (!told || sscanf(told, "%d:%d", &file, &socket) != 2)
        umsim_client_die("this library is a client's, and %s tells of no server", UMSIM_LINE_VARIABLE);
    line = mmap(NULL, sizeof *line, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (line == MAP_FAILED)
        umsim_client_die("the line to the server cannot be mapped: %s", strerror(errno));
    allow_reading();
    if (send(socket, &self, sizeof self, MSG_NOSIGNAL) != sizeof self || !receive(socket, &welcome, fd))
        umsim_client_die("the server does not answer");
    if (welcome.why[0])
        umsim_client_die("%.200s", welcome.why);
    channel = &line->host;
    umsim_client_memory_begin(&welcome, fd);
    close(file);
    server = socket;
}

void umsim_client_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
}

/* ---- two processes ---- */

static void become_the_student(void)
{
    owner = getpid();
    channel = &line->student;
    munmap(&line->host, (size_t)((char *)&line->student - (char *)&line->host));
    allow_reading();
    umsim_client_runner_start(line);
}

pid_t umsim_client_lend(void)
{
    umsim_client_begin();
    (void)umsim_client_thread(); /* the same number in both processes: its last error goes along */
    /* a process that ended in the middle of a call has left it unanswered */
    atomic_store(&line->student.posted, atomic_load(&line->student.answered));
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* the student's process has the same user */
    const pid_t student = fork();
    if (student == 0)
        become_the_student();
    if (student <= 0)
        return student;
    const struct umsim_message begins = {.kind = UMSIM_CLIENT_BEGIN, .word = {(uint64_t)student}};
    umsim_client_say(&begins, NULL, NULL);
    return student;
}

int umsim_client_take(pid_t student)
{
    const struct umsim_message ends = {.kind = UMSIM_CLIENT_END};
    siginfo_t end;
    int status = 0;
    while (waitid(P_PID, (id_t)student, &end, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
    umsim_client_say(&ends, NULL, NULL); /* before its number may be another process's */
    waitpid(student, &status, 0);
    umsim_client_close(UMSIM_CLOSES_MANAGED | UMSIM_CLOSES_PINNED); /* as the server has it now */
    allow_reading();
    return status;
}
