/**
 * @file ring_calls.c
 * @brief io_uring on managed memory, for programs that enter the kernel through syscall().
 *
 * What a program wants stands in memory that it shares with the kernel, and the kernel reads it when it is
 * entered. So the wrapper maps that memory, too, and while the kernel is in there the addresses of managed
 * buffers are those of the copy window. The kernel keeps them; the program's entries get theirs back. What
 * the kernel will write is charged when it is asked to, because nobody is there when it does.
 *
 * Everything else gets EFAULT for pages that are not the host's: programs that enter in assembly (liburing),
 * kernels that look by themselves (IORING_SETUP_SQPOLL), operations that the table does not have, rings that
 * are known by another number.
 */
#include "call_forms.h"
#include "messages.h"
#include "special_calls.h"
#include "../base/processes.h"
#include "../base/signal_mask.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* ---- what operations do ---- */

/* Arguments: 0 is the entry's `addr`, 1 its `off`, which is also called `addr2`, and 2 its `len`. What the
 * kernel reads is read before the call returns, or is the data itself. IORING_OP_RECVMSG is missing: it
 * writes into the msghdr when the call is long over. */
static const struct umsim_argument operations[][2] = {
    [IORING_OP_READV] = {WRITES(0, VECTOR(2))},
    [IORING_OP_WRITEV] = {READS(0, VECTOR(2))},
    [IORING_OP_SENDMSG] = {READS(0, MESSAGE)},
    [IORING_OP_TIMEOUT] = {READS(0, BYTES(sizeof(struct __kernel_timespec)))},
    [IORING_OP_ACCEPT] = {WRITES(0, AT(1)), BOTH(1, BYTES(4))},
    [IORING_OP_LINK_TIMEOUT] = {READS(0, BYTES(sizeof(struct __kernel_timespec)))},
    [IORING_OP_CONNECT] = {READS(0, COUNT32(1))},
    [IORING_OP_OPENAT] = {TEXT(0)},
    [IORING_OP_STATX] = {TEXT(0), WRITES(1, BYTES(sizeof(struct statx)))},
    [IORING_OP_READ] = {WRITES(0, COUNT(2))},
    [IORING_OP_WRITE] = {READS(0, COUNT(2))},
    [IORING_OP_SEND] = {READS(0, COUNT(2))},
    [IORING_OP_RECV] = {WRITES(0, COUNT(2))},
    [IORING_OP_OPENAT2] = {TEXT(0), READS(1, COUNT(2))},
    [IORING_OP_EPOLL_CTL] = {READS(0, BYTES(sizeof(struct epoll_event)))},
    [IORING_OP_RENAMEAT] = {TEXT(0), TEXT(1)},
    [IORING_OP_UNLINKAT] = {TEXT(0)},
    [IORING_OP_MKDIRAT] = {TEXT(0)},
    [IORING_OP_SYMLINKAT] = {TEXT(0), TEXT(1)},
    [IORING_OP_LINKAT] = {TEXT(0), TEXT(1)},
};
#define OPERATIONS (sizeof operations / sizeof *operations)

/* ---- rings ---- */

/** The most rings that are known; further ones are not served. */
#define RINGS_MAX 64

/* Flags with which a ring looks as it does here: bits 0, 3 to 13 and 16 (IORING_SETUP_NO_SQARRAY, which some
 * systems' headers lack). */
#define KNOWN_FLAGS 0x13ff9U
#define NO_SQARRAY 0x10000U

static struct ring {
    struct io_uring_params made; /* no entries: this place is free */
    int fd;
    dev_t device;
    ino_t file;
} rings[RINGS_MAX];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* A handler that enters a ring while its thread holds the mutex would wait for itself. SIGSEGV stays open: it
 * opens managed pages. @return the mask before */
static umsim_signals lock(void)
{
    const umsim_signals before =
        umsim_signals_change(SIG_SETMASK, ~(UMSIM_INTERNAL_SIGNALS | UMSIM_SEGV_BIT));
    pthread_mutex_lock(&mutex);
    return before;
}

static void unlock(umsim_signals before)
{
    pthread_mutex_unlock(&mutex);
    umsim_signals_change(SIG_SETMASK, before);
}

static bool file_of(int fd, struct stat *about)
{
    return umsim_real_number(SYS_fstat, (long[UMSIM_ARGUMENTS]){fd, (long)about}) == 0;
}

/* Its number may be another file's by now. */
static bool is_still(const struct ring *ring)
{
    struct stat about;
    return ring->made.sq_entries && file_of(ring->fd, &about) && about.st_dev == ring->device &&
           about.st_ino == ring->file;
}

static void remember(int fd, const struct io_uring_params *made)
{
    struct stat about;
    struct ring *place = NULL;
    for (int i = 0; i < RINGS_MAX; i++) {
        if (rings[i].fd == fd || !is_still(&rings[i]))
            rings[i] = (struct ring){.fd = -1};
        if (!place && !rings[i].made.sq_entries)
            place = &rings[i];
    }
    if (place && !(made->flags & ~KNOWN_FLAGS) && made->features & IORING_FEAT_SUBMIT_STABLE &&
        file_of(fd, &about))
        *place = (struct ring){*made, fd, about.st_dev, about.st_ino};
}

long umsim_serve_ring_setup(struct umsim_made *made)
{
    struct umsim_loan loan = {.first = NULL};
    static const struct umsim_argument parameters = BOTH(1, BYTES(sizeof(struct io_uring_params)));
    long argument[UMSIM_ARGUMENTS] = {made->argument[0]};
    argument[1] = umsim_lend_argument(&loan, &parameters, made->argument);
    const long fd = umsim_make(made, argument);
    const int error = errno;
    if (fd >= 0) {
        const umsim_signals before = lock();
        remember((int)fd, (const struct io_uring_params *)argument[1]);
        unlock(before);
        umsim_take_back(&loan, (void *)argument[1], SIZE_MAX);
    }
    errno = error;
    umsim_loan_end(&loan);
    return fd;
}

/* With the mutex held. */
static const struct ring *find(int fd)
{
    for (int i = 0; i < RINGS_MAX; i++)
        if (rings[i].fd == fd && is_still(&rings[i]))
            return &rings[i];
    return NULL;
}

/* ---- the queue ---- */

/* The ring's memory, mapped for the time of a call: a mapping that stays would keep a ring alive that the
 * program has closed. */
struct queue {
    const struct io_uring_params *made;
    char *shared, *entries;
    size_t shared_bytes, entry_bytes;
};

static char *map(int fd, size_t bytes, off_t at)
{
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
    return p == MAP_FAILED ? NULL : p;
}

static void close_queue(const struct queue *queue)
{
    if (queue->shared)
        munmap(queue->shared, queue->shared_bytes);
    if (queue->entries)
        munmap(queue->entries, queue->made->sq_entries * queue->entry_bytes);
}

static unsigned word(const struct queue *queue, unsigned offset)
{
    return __atomic_load_n((const unsigned *)(queue->shared + offset), __ATOMIC_ACQUIRE);
}

static bool open_queue(struct queue *queue, const struct ring *ring)
{
    const struct io_uring_params *made = &ring->made;
    *queue = (struct queue){.made = made, .entry_bytes = made->flags & IORING_SETUP_SQE128 ? 128 : 64};
    queue->shared_bytes = made->sq_off.array + made->sq_entries * sizeof(unsigned);
    if (queue->shared_bytes < sizeof(struct io_uring_params)) /* no array: the words are in the first page */
        queue->shared_bytes = sizeof(struct io_uring_params);
    queue->shared = map(ring->fd, queue->shared_bytes, IORING_OFF_SQ_RING);
    queue->entries = map(ring->fd, made->sq_entries * queue->entry_bytes, IORING_OFF_SQES);
    if (queue->shared && queue->entries && word(queue, made->sq_off.ring_entries) == made->sq_entries)
        return true;
    close_queue(queue);
    return false;
}

/* The entry in place `at` of the queue; NULL where the program has put nonsense. */
static struct io_uring_sqe *entry_of(const struct queue *queue, unsigned at)
{
    const unsigned place = at & (queue->made->sq_entries - 1);
    const unsigned *array = (const unsigned *)(queue->shared + queue->made->sq_off.array);
    const unsigned index = queue->made->flags & NO_SQARRAY ? place : array[place];
    return index < queue->made->sq_entries
               ? (struct io_uring_sqe *)(queue->entries + index * queue->entry_bytes)
               : NULL;
}

/* An address in an entry that is another one while the kernel reads it. */
struct changed {
    __u64 *place, own, view;
};

static void change(struct changed *changed, __u64 *place, long view)
{
    *changed = (struct changed){place, *place, (__u64)view};
    *place = changed->view;
}

/* @return how many addresses were changed, at most 2 */
static unsigned lend_entry(struct umsim_loan *loan, struct io_uring_sqe *entry, struct changed *changed)
{
    const long argument[UMSIM_ARGUMENTS] = {(long)entry->addr, (long)entry->off, (long)entry->len};
    unsigned count = 0;
    if (entry->opcode >= OPERATIONS || entry->flags & IOSQE_BUFFER_SELECT)
        return 0;
    for (int i = 0; i < 2 && operations[entry->opcode][i].form; i++) {
        const struct umsim_argument *it = &operations[entry->opcode][i];
        const long view = umsim_lend_argument(loan, it, argument);
        if (view == argument[it->at])
            continue;
        if (it->access & UMSIM_WRITTEN && it->form == UMSIM_VECTOR)
            umsim_take_vector_back(loan, (const void *)view, (int)argument[2], SIZE_MAX);
        else if (it->access & UMSIM_WRITTEN)
            umsim_take_back(loan, (const void *)view, SIZE_MAX);
        change(&changed[count++], it->at ? &entry->off : &entry->addr, view);
    }
    return count;
}

/* Lends for the entries that the kernel is about to read. @param may_read how many it may read; on return,
 * those that were looked at. @return how many addresses were changed */
static unsigned lend_entries(struct umsim_loan *loan, const struct queue *queue, unsigned *may_read,
                             struct changed **changed)
{
    const unsigned head = word(queue, queue->made->sq_off.head);
    unsigned count = word(queue, queue->made->sq_off.tail) - head, changes = 0;
    if (count > *may_read)
        count = *may_read;
    if (count > queue->made->sq_entries)
        return 0;
    *may_read = count;
    *changed = umsim_loan_memory(loan, 2 * count * sizeof **changed);
    for (unsigned i = 0; *changed && i < count; i++) {
        struct io_uring_sqe *entry = entry_of(queue, head + i);
        if (entry)
            changes += lend_entry(loan, entry, *changed + changes);
    }
    return changes;
}

/* As soon as the kernel has read an entry another thread of the program may write the next one there. */
static void take_entries_back(const struct changed *changed, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        __u64 expected = changed[i].view;
        __atomic_compare_exchange_n(changed[i].place, &expected, changed[i].own, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED);
    }
}

/* ---- entering ---- */

/* With the mutex held: hands the entries over, and does not wait for any: only those that were looked
 * at, because another thread may queue more meanwhile. @return whether that could be done */
static bool submit(const struct umsim_made *made, const struct ring *ring, long *result)
{
    struct umsim_loan loan = {.first = NULL};
    struct changed *changed = NULL;
    struct queue queue;
    if (!open_queue(&queue, ring))
        return false;
    unsigned looked_at = (unsigned)made->argument[1];
    const unsigned count = lend_entries(&loan, &queue, &looked_at, &changed);
    *result = umsim_make(made, (long[UMSIM_ARGUMENTS]){made->argument[0], looked_at});
    const int error = errno;
    take_entries_back(changed, count);
    close_queue(&queue);
    errno = error;
    umsim_loan_end(&loan);
    return true;
}

/* The kernel, too, hands over first, and waits only if everything was handed over; it returns how much was.
 */
long umsim_serve_ring_enter(struct umsim_made *made)
{
    const unsigned wanted = (unsigned)made->argument[1], flags = (unsigned)made->argument[3];
    bool submitted = false;
    long result = 0;
    if (wanted && !umsim_in_child()) {
        const int error = errno;
        const umsim_signals before = lock();
        const struct ring *ring = find((int)made->argument[0]);
        if (ring && !(flags & IORING_ENTER_REGISTERED_RING))
            submitted = submit(made, ring, &result);
        unlock(before);
        if (!submitted)
            errno = error;
    }
    if (!submitted)
        return umsim_make(made, made->argument);
    if (result != (long)wanted || !(flags & IORING_ENTER_GETEVENTS))
        return result;
    long argument[UMSIM_ARGUMENTS];
    memcpy(argument, made->argument, sizeof argument);
    argument[1] = 0;
    umsim_make(made, argument);
    return result;
}
