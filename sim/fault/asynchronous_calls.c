/**
 * @file asynchronous_calls.c
 * @brief aio_read() and related functions, and the kernel's io_submit(), on managed memory.
 *
 * The C library makes these calls in a thread of its own, later. So the window's address stands in the
 * program's own control block until the program asks what became of it. The kernel reads a control block
 * before io_submit() returns.
 */
#include "special_calls.h"
#include "messages.h"
#include "../space/managed.h"
#include "../space/protection.h"

#include <aio.h>
#include <errno.h>
#include <linux/aio_abi.h>
#include <stdatomic.h>

/** The most control blocks that are under way; a further one takes the place of the oldest, which then keeps
 * the other address. */
#define UNDER_WAY_MAX 256

static struct under_way {
    _Atomic(struct aiocb *) block; /* NULL: free */
    char *own;
    bool is_read; /* memory is written */
} under_way[UNDER_WAY_MAX];

/* Stands for a block while its entry changes. */
#define CHANGES ((struct aiocb *)1)

static struct under_way *take_entry(struct aiocb *block)
{
    static atomic_uint next;
    for (unsigned i = 0; i < UNDER_WAY_MAX; i++) {
        struct aiocb *expected = block;
        if (atomic_compare_exchange_strong(&under_way[i].block, &expected, CHANGES))
            return &under_way[i];
    }
    return block ? NULL : &under_way[atomic_fetch_add(&next, 1) % UNDER_WAY_MAX];
}

/* The call has ended, or will never begin: the block gets its own address back. */
static void settle(struct aiocb *block, ssize_t bytes)
{
    struct under_way *entry = take_entry(block);
    if (!entry)
        return;
    block->aio_buf = entry->own;
    if (entry->is_read && bytes > 0)
        umsim_managed_host_access(entry->own, (size_t)bytes, true);
    atomic_store(&entry->block, NULL);
}

/* The C library's thread writes its answer into the control block, with all signals blocked. So it is given
 * the window's address of a block that is managed memory. */
static long reachable(struct aiocb *block)
{
    const struct umsim_managed_space *space = umsim_managed_space_of(block);
    const bool is_whole = space && umsim_managed_for_host(block, sizeof *block) == sizeof *block;
    return is_whole ? (long)(space->window + ((char *)block - space->base)) : (long)block;
}

/* The other address of the memory; NULL when the call has to see its own, because it will fail. */
static char *view_of(char *own, size_t bytes, bool is_read)
{
    const struct umsim_managed_space *space = umsim_managed_space_of(own);
    if (!umsim_is_lendable(own) || !bytes || umsim_managed_for_host(own, bytes) < bytes)
        return NULL;
    if (!is_read)
        umsim_managed_host_access(own, bytes, false);
    return space->window + (own - space->base);
}

static void begin(struct aiocb *block, bool is_read)
{
    settle(block, 0); /* used once more, without a question after the last time */
    char *own = (char *)block->aio_buf, *view = view_of(own, block->aio_nbytes, is_read);
    if (!view)
        return;
    struct under_way *entry = take_entry(NULL);
    entry->own = own;
    entry->is_read = is_read;
    block->aio_buf = view;
    atomic_store(&entry->block, block);
}

long umsim_serve_aio(struct umsim_made *made)
{
    struct aiocb *block = (struct aiocb *)made->argument[0];
    begin(block, made->call->name[4] == 'r');
    const long result = umsim_make(made, (long[UMSIM_ARGUMENTS]){reachable(block)});
    if ((int)result == -1)
        settle(block, 0);
    return result;
}

long umsim_serve_aio_other(struct umsim_made *made)
{
    return umsim_make(made, (long[UMSIM_ARGUMENTS]){made->argument[0], reachable((void *)made->argument[1])});
}

/* Makes the call with the reachable addresses of the blocks of a list, which is argument `at`. */
static long make_with_list(struct umsim_made *made, int at)
{
    struct umsim_loan loan = {.first = NULL};
    struct aiocb *const *list = (struct aiocb *const *)made->argument[at];
    const int count = (int)made->argument[at + 1];
    long *blocks = count > 0 ? umsim_loan_memory(&loan, (size_t)count * sizeof *blocks) : NULL;
    for (int i = 0; blocks && i < count; i++)
        blocks[i] = reachable(list[i]);
    if (blocks)
        made->argument[at] = (long)blocks;
    const long result = umsim_make(made, made->argument);
    umsim_loan_end(&loan);
    return result;
}

long umsim_serve_aio_suspend(struct umsim_made *made)
{
    return make_with_list(made, 0);
}

long umsim_serve_listio(struct umsim_made *made)
{
    struct aiocb *const *list = (struct aiocb *const *)made->argument[1];
    for (int i = 0; i < (int)made->argument[2]; i++)
        if (list[i] && (list[i]->aio_lio_opcode == LIO_READ || list[i]->aio_lio_opcode == LIO_WRITE))
            begin(list[i], list[i]->aio_lio_opcode == LIO_READ);
    return make_with_list(made, 1);
}

long umsim_serve_aio_return(struct umsim_made *made)
{
    const long result = umsim_make(made, made->argument);
    const int error = errno;
    settle((struct aiocb *)made->argument[0], result);
    errno = error;
    return result;
}

/* The block knows what aio_return() will say. */
long umsim_serve_aio_error(struct umsim_made *made)
{
    const long result = umsim_make(made, made->argument);
    struct aiocb *block = (struct aiocb *)made->argument[0];
    const int error = errno;
    if ((int)result == 0)
        settle(block, block->__return_value);
    else if ((int)result != EINPROGRESS)
        settle(block, 0);
    errno = error;
    return result;
}

/* ---- the kernel's ---- */

/** The most blocks of a call that are looked at. */
#define BLOCKS_MAX 65536

static void lend_block(struct umsim_loan *loan, struct iocb *block)
{
    const unsigned code = block->aio_lio_opcode;
    const unsigned access = code == IOCB_CMD_PREAD || code == IOCB_CMD_PREADV ? UMSIM_WRITTEN : UMSIM_READ;
    void *p = (void *)(uintptr_t)block->aio_buf;
    if (code == IOCB_CMD_PREAD || code == IOCB_CMD_PWRITE)
        p = umsim_lend(loan, p, block->aio_nbytes, access);
    else if (code == IOCB_CMD_PREADV || code == IOCB_CMD_PWRITEV)
        p = (void *)umsim_lend_vector(loan, p, (int)block->aio_nbytes, access);
    block->aio_buf = (uintptr_t)p;
}

/* The kernel says of a block by its address that it is done. So the blocks stay where they are, and only the
 * addresses in them are others while the kernel reads them. */
long umsim_serve_io_submit(struct umsim_made *made)
{
    struct umsim_loan loan = {.first = NULL};
    const long count = made->argument[1];
    struct iocb **blocks = (struct iocb **)made->argument[2];
    if (count <= 0 || count > BLOCKS_MAX || !umsim_is_readable(blocks, (size_t)count * sizeof *blocks))
        return umsim_make(made, made->argument);
    __u64 *own = umsim_loan_memory(&loan, (size_t)count * sizeof *own);
    for (long i = 0; own && i < count; i++)
        if (umsim_is_readable(blocks[i], sizeof *blocks[i])) {
            own[i] = blocks[i]->aio_buf;
            lend_block(&loan, blocks[i]);
        }
    const long result = umsim_make(made, made->argument);
    const int error = errno;
    for (long i = 0; own && i < count; i++)
        if (umsim_is_readable(blocks[i], sizeof *blocks[i])) {
            umsim_take_back(&loan, (void *)(uintptr_t)blocks[i]->aio_buf, SIZE_MAX);
            blocks[i]->aio_buf = own[i];
        }
    errno = error;
    umsim_loan_end(&loan);
    return result;
}
