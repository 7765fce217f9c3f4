/**
 * @file register.c
 * @brief Implementation of register.h: moves private pages into a shared file and back, and counts the
 * registrations that need them.
 *
 * Callers hold the simulator's lock.
 */
#include "register.h"
#include "../base/layout.h"
#include "protection_registered.h"
#include "registered_table.h"
#include "views.h"
#include "../base/memory.h"
#include "../base/own_stack.h"
#include "../base/report.h"
#include "../base/shortage.h"
#include "fork.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** How far from its current place a thread may use its stack while it forks. */
enum { STACK_REACH = 64 << 10 };
/** How many bytes of another mapping a copy takes at a time. */
enum { PIECE = 16 << 20 };

struct umsim_registration {
    size_t count;
    struct umsim_registered *entry[]; /* of the shared table */
};

static int file = -1;
static _Atomic(char *) moving_start, moving_end;
static atomic_ulong moves; /* how many are over */

int umsim_registered_file(void)
{
    return file;
}

bool umsim_register_start(void)
{
    file = umsim_memory_file("umsim-registered", UMSIM_REGISTER_SIZE);
    return file >= 0 && umsim_registered_table_start() && umsim_registered_reserve();
}

/* A move may be over before the handler of an access that it stopped gets here. So after each move a thread
 * repeats one access, wherever that was. What is really forbidden faults again. */
bool umsim_register_settling(const void *p)
{
    static _Thread_local unsigned long known __attribute__((tls_model("initial-exec")));
    const char *start = atomic_load(&moving_start), *end = atomic_load(&moving_end);
    if (start && (const char *)p >= start && (const char *)p < end)
        return true;
    const unsigned long over = atomic_load(&moves);
    const bool repeats = over != known;
    known = over;
    return repeats;
}

/* Pages that change their memory. */
struct move {
    char *base, *own; /* `own`: private memory that takes the place of the file's; NULL: the file takes it */
    size_t bytes;
    int protection;
    bool done;
};

/* Whole pages hold more than the program registered: AddressSanitizer would judge what lies between the
 * program's objects in a memcpy(), also where only the program was built with it. */
__attribute__((no_sanitize_address, optimize("no-tree-loop-distribute-patterns"))) static void
copy(char *to, const char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t))
        *(uint64_t *)(to + at) = *(const uint64_t *)(from + at);
}

/* Copies between memory and the file's pages at `base`, through another mapping, piece by piece. It is not
 * read and written as a file: its offsets are beyond any `ulimit -f`, and a grader's sandbox allows no such
 * call. */
static bool copy_pages(char *memory, size_t bytes, const char *base, bool into)
{
    for (size_t at = 0; at < bytes; at += PIECE) {
        const size_t part = bytes - at < PIECE ? bytes - at : PIECE;
        char *view = mmap(NULL, part, into ? PROT_READ | PROT_WRITE : PROT_READ,
                          MAP_SHARED | MAP_NORESERVE | MAP_POPULATE, file, (off_t)(uintptr_t)(base + at));
        if (view == MAP_FAILED)
            return false;
        copy(into ? view : memory + at, into ? memory + at : view, part);
        munmap(view, part);
    }
    return true;
}

/* A page may be there in the addresses only, such as one behind a file's end. To read it would be a SIGBUS.
 * Where the system does not know this call, or a sandbox refuses it, nothing is found out. */
static bool can_be_read(char *base, size_t bytes)
{
    return madvise(base, bytes, MADV_POPULATE_READ) == 0 || (errno != EFAULT && errno != EHWPOISON);
}

/* Takes the file's memory. Where that call is not allowed, there is none left if a page cannot be had later.
 */
static bool take_memory(const char *base, size_t bytes)
{
    return fallocate(file, FALLOC_FL_KEEP_SIZE, (off_t)(uintptr_t)base, (off_t)bytes) == 0 ||
           (errno != ENOMEM && errno != ENOSPC);
}

static bool into_file(const struct move *it)
{
    return can_be_read(it->base, it->bytes) && take_memory(it->base, it->bytes) &&
           copy_pages(it->base, it->bytes, it->base, true) &&
           mmap(it->base, it->bytes, it->protection, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
                (off_t)(uintptr_t)it->base) == it->base;
}

static bool out_of_file(const struct move *it)
{
    return copy_pages(it->own, it->bytes, it->base, false) &&
           mprotect(it->own, it->bytes, it->protection) == 0 &&
           mremap(it->own, it->bytes, it->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, it->base) == it->base;
}

static void move_pages(void *move)
{
    struct move *it = move;
    it->done = mprotect(it->base, it->bytes, PROT_READ | (it->protection & PROT_EXEC)) == 0;
    if (!it->done)
        return;
    it->done = it->own ? out_of_file(it) : into_file(it);
    if (!it->done) {
        const int error = errno;
        mprotect(it->base, it->bytes, it->protection);
        errno = error;
    }
}

/* Whether functions that are called here, or have called this one, may have their variables there. */
static bool is_on_this_stack(const char *base, size_t bytes)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0), reach = STACK_REACH;
    return here + reach > (uintptr_t)base && here < (uintptr_t)base + bytes + reach;
}

/* Called while the program cannot fork, with signals blocked: only one thread is here. Others see it as one
 * step. */
static bool move(char *base, size_t bytes, int protection, char *own)
{
    static struct move moved;
    moved = (struct move){base, own, bytes, protection, false};
    atomic_store(&moving_end, base + bytes);
    atomic_store(&moving_start, base);
    umsim_on_own_stack(move_pages, &moved); /* the thread's stack may be what moves */
    atomic_fetch_add(&moves, 1);
    atomic_store(&moving_start, NULL);
    return moved.done;
}

/* The place of an entry's pages in the file. */
static off_t offset_of(const struct umsim_registered *entry)
{
    return (off_t)(uintptr_t)entry->base;
}

static void describe(struct umsim_registered *entry, const struct umsim_host_mapping *piece)
{
    entry->base = (char *)piece->start;
    entry->bytes = piece->end - piece->start;
    entry->in_place = piece->shared;
    entry->protection = piece->protection;
    entry->aside = false;
    entry->holders = 0;
}

static void say_once(const void *p, size_t bytes, const char *why)
{
    static bool said;
    if (!said)
        umsim_say("cudaHostRegister of %zu bytes at %p fails: %s. Register larger pieces, or take "
                  "cudaMallocHost()",
                  bytes, p, why);
    said = true;
}

/* Moves pages that no registration holds yet into the file. */
static enum umsim_register_result move_in(const struct umsim_registered *entry)
{
    const umsim_signals before = umsim_fork_hold();
    errno = 0;
    const bool done = move(entry->base, entry->bytes, entry->protection, NULL);
    const int error = errno;
    umsim_fork_allow(before);
    if (done)
        return UMSIM_REGISTERED_OK;
    if (error != ENOMEM && error != ENOSPC)
        return UMSIM_REGISTER_UNMAPPED;
    say_once(entry->base, entry->bytes, umsim_why_refused(ENOMEM, entry->bytes, UMSIM_ASKED_ADDRESSES));
    return UMSIM_REGISTER_NO_MEMORY;
}

/* Makes a piece of a mapping reachable that no registration holds yet. */
static enum umsim_register_result add_entry(const struct umsim_host_mapping *piece,
                                            struct umsim_registered **out)
{
    struct umsim_registered *entry = umsim_registered_take();
    if (!entry) {
        say_once((void *)piece->start, piece->end - piece->start, umsim_registered_why_none());
        return UMSIM_REGISTER_NO_MEMORY;
    }
    describe(entry, piece);
    const enum umsim_register_result result = entry->in_place ? UMSIM_REGISTERED_OK : move_in(entry);
    if (result == UMSIM_REGISTERED_OK)
        umsim_registered_enter(entry);
    else
        umsim_registered_give_back(entry);
    *out = entry;
    return result;
}

static uint64_t file_number(void)
{
    static uint64_t number;
    if (!number)
        number = umsim_file_number(file);
    return number;
}

/* Finds the next piece of [*at, end) that is still the file's. The program may have unmapped the memory in
 * the meantime, and may have other memory there. */
static bool next_moved(uintptr_t *at, uintptr_t end, struct umsim_host_mapping *piece)
{
    bool found = false;
    while (*at < end && !found) {
        umsim_host_mapping_at(*at, end, false, piece);
        found = piece->shared && piece->file == file_number() && piece->offset == *at;
        *at = piece->end;
    }
    return found;
}

/* Each page becomes a private one by a write that changes nothing, whoever writes to it at the same time. */
__attribute__((no_sanitize_address)) static void write_to_pages(char *base, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += UMSIM_HOST_PAGE)
        __atomic_fetch_or((unsigned char *)base + at, 0, __ATOMIC_RELAXED);
}

static bool all_own;

/* Pages of the file become private ones: the same bytes at every moment. Neighbours that follow become one
 * mapping, which copies made elsewhere would not. */
static void make_own(const struct umsim_host_mapping *piece)
{
    char *base = (char *)piece->start;
    const size_t bytes = piece->end - piece->start;
    const int open = PROT_READ | PROT_WRITE | (piece->protection & PROT_EXEC);
    if (mmap(base, bytes, open, MAP_PRIVATE | MAP_FIXED, file, (off_t)piece->offset) != base) {
        umsim_say("cudaHostUnregister: %zu bytes at %p stay shared: %s", bytes, (void *)base,
                  umsim_why_refused(errno, bytes, UMSIM_ASKED_PRIVATE));
        all_own = false;
        return;
    }
    write_to_pages(base, bytes);
    if (piece->protection != open)
        mprotect(base, bytes, piece->protection);
}

/* What is not in its place any more may be elsewhere (mremap, realloc). */
static void move_back(const struct umsim_registered *entry)
{
    const uintptr_t start = (uintptr_t)entry->base, end = start + entry->bytes;
    struct umsim_host_mapping piece;
    size_t found = 0;
    const umsim_signals before = umsim_fork_hold();
    all_own = true;
    for (uintptr_t at = start; next_moved(&at, end, &piece); found += piece.end - piece.start)
        make_own(&piece);
    if (found < entry->bytes)
        umsim_host_mappings_of(file_number(), start, end, make_own);
    if (all_own)
        fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset_of(entry), (off_t)entry->bytes);
    umsim_fork_allow(before);
}

static void end_entry(struct umsim_registered *entry)
{
    if (!entry->in_place)
        move_back(entry);
    umsim_registered_end(entry);
}

static bool hold(struct umsim_registration **registration, struct umsim_registered *entry)
{
    size_t count = (*registration)->count;
    struct umsim_registration *grown =
        realloc(*registration, sizeof *grown + (count + 1) * sizeof grown->entry[0]);
    if (!grown)
        return false;
    grown->entry[grown->count++] = entry;
    entry->holders++;
    *registration = grown;
    return true;
}

/* What umsim_register_examine() saw last: umsim_register_pages(), which follows, needs not ask again. */
static struct umsim_host_mapping seen;

/* The pages that a range touches, gone through piece by piece. */
struct walk {
    char *at, *end;
    bool for_writing;
    struct umsim_registered *entry;  /* the piece's entry in the table, or NULL: */
    struct umsim_host_mapping piece; /* it is not registered yet */
    struct umsim_host_mapping known; /* a piece that was looked at already */
};

static struct walk walk_over(const void *p, size_t bytes, bool for_writing)
{
    return (struct walk){(char *)umsim_round_down((uintptr_t)p, UMSIM_HOST_PAGE),
                         (char *)umsim_round_up((uintptr_t)p + bytes, UMSIM_HOST_PAGE),
                         for_writing,
                         NULL,
                         {0},
                         {0}};
}

/* Finds the next piece. @return UMSIM_PINS, or why it cannot be registered */
static enum umsim_pinning next_piece(struct walk *walk)
{
    struct umsim_registered *there = umsim_registered_at_or_after(walk->at, walk->end);
    walk->entry = there && there->base <= walk->at ? there : NULL;
    if (walk->entry) {
        walk->at = there->base + there->bytes;
        return UMSIM_PINS;
    }
    const uintptr_t at = (uintptr_t)walk->at, limit = (uintptr_t)(there ? there->base : walk->end);
    enum umsim_pinning pinning = UMSIM_PINS;
    if (walk->known.start == at && walk->known.end == limit)
        walk->piece = walk->known;
    else
        pinning = umsim_host_mapping_at(at, limit, walk->for_writing, &walk->piece);
    if (pinning == UMSIM_PINS)
        walk->at = (char *)walk->piece.end;
    return pinning;
}

enum umsim_pinning umsim_register_examine(const void *p, size_t bytes, bool for_writing, bool *unknown)
{
    struct walk walk = walk_over(p, bytes, for_writing);
    enum umsim_pinning pinning = UMSIM_PINS;
    *unknown = false;
    seen = walk.piece;
    while (walk.at < walk.end && pinning == UMSIM_PINS) {
        pinning = next_piece(&walk);
        if (pinning == UMSIM_PINS && !walk.entry && walk.piece.shared)
            *unknown |= !umsim_gpu_has_mapping(&walk.piece);
    }
    if (pinning == UMSIM_PINS && !walk.entry)
        seen = walk.piece;
    return pinning;
}

enum umsim_register_result umsim_register_pages(void *p, size_t bytes, bool for_writing,
                                                struct umsim_registration **out)
{
    struct walk walk = walk_over(p, bytes, for_writing);
    enum umsim_register_result result = UMSIM_REGISTERED_OK;
    walk.known = seen;
    seen = walk.piece;
    *out = calloc(1, sizeof **out);
    while (*out && walk.at < walk.end && result == UMSIM_REGISTERED_OK) {
        struct umsim_registered *entry = NULL;
        if (next_piece(&walk) != UMSIM_PINS)
            result = UMSIM_REGISTER_UNMAPPED;
        else if (!walk.entry)
            result = add_entry(&walk.piece, &entry);
        else
            entry = walk.entry;
        if (result == UMSIM_REGISTERED_OK && !hold(out, entry))
            result = UMSIM_REGISTER_NO_MEMORY;
    }
    if (!*out)
        return UMSIM_REGISTER_NO_MEMORY;
    if (result != UMSIM_REGISTERED_OK)
        umsim_unregister_pages(*out);
    return result;
}

void umsim_unregister_pages(struct umsim_registration *registration)
{
    for (size_t i = 0; i < registration->count; i++) {
        struct umsim_registered *entry = registration->entry[i];
        if (--entry->holders == 0)
            end_entry(entry);
    }
    free(registration);
}

/* ---- in a child of fork() ---- */

static bool is_moved(const struct umsim_registered *entry)
{
    return atomic_load(&entry->state) == UMSIM_REGISTERED_LIVE && !entry->in_place;
}

/* Copies: what stays the file's would change with the other process's. */
static void make_private(char *base, size_t bytes)
{
    const uintptr_t end = (uintptr_t)base + bytes;
    struct umsim_host_mapping piece;
    for (uintptr_t at = (uintptr_t)base; next_moved(&at, end, &piece);) {
        const size_t part = piece.end - piece.start;
        char *own = mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (own == MAP_FAILED || !move((char *)piece.start, part, piece.protection, own))
            umsim_die("no memory for a forked child's copy of %zu registered bytes: %s", part,
                      strerror(errno));
    }
}

/* Goes through the entries in the order of their addresses. */
static struct umsim_registered *next_of(const char *p, bool aside)
{
    struct umsim_registered *entry = umsim_registered_at_or_after(p, (const char *)UINTPTR_MAX);
    while (entry && (!is_moved(entry) || entry->aside != aside))
        entry = umsim_registered_at_or_after(entry->base + entry->bytes, (const char *)UINTPTR_MAX);
    return entry;
}

bool umsim_register_has_moved(void)
{
    return next_of(NULL, false);
}

static void each_moved(bool aside, void (*visit)(struct umsim_registered *))
{
    for (struct umsim_registered *entry = next_of(NULL, aside); entry;) {
        const char *behind = entry->base + entry->bytes;
        visit(entry);
        entry = next_of(behind, aside);
    }
}

/* A copy is a mapping of its own. Neighbours are copied as one, or there would be too many. */
static void make_all_private(void)
{
    for (struct umsim_registered *entry = next_of(NULL, false); entry;) {
        char *base = entry->base, *end = base + entry->bytes;
        while ((entry = next_of(end, false)) && entry->base == end)
            end += entry->bytes;
        make_private(base, (size_t)(end - base));
    }
}

/* Parent and child cannot run on one stack for a moment. What kernels write to it in that moment is lost. */
static void step_aside(struct umsim_registered *entry)
{
    if (!is_on_this_stack(entry->base, entry->bytes))
        return;
    make_private(entry->base, entry->bytes);
    entry->aside = true;
}

static void step_back(struct umsim_registered *entry)
{
    entry->aside = false;
    if (!move(entry->base, entry->bytes, entry->protection, NULL))
        umsim_die("%zu registered bytes cannot be mapped: %s", entry->bytes, strerror(errno));
}

void umsim_register_before_fork(void)
{
    each_moved(false, step_aside);
}

void umsim_register_after_fork(bool in_child)
{
    if (in_child)
        make_all_private();
    else
        each_moved(true, step_back);
}
