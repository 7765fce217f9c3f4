/* ledger.c: see ledger.h. */
#include "ledger.h"
#include "counters.h"
#include "../gpu/clock.h"
#include "../gpu/queue.h"

#include <stdio.h>
#include <string.h>

static struct umsim_ledger *books;
_Static_assert((int)UMSIM_LEDGER_REGISTERED == (int)UMSIM_REGISTERED, "kinds of memory are numbered alike");

void umsim_ledger_open(struct umsim_ledger *where)
{
    books = where;
    books->version = 1;
}

static bool is_one_of(const char *name, const char *a, const char *b)
{
    return strcmp(name, a) == 0 || strcmp(name, b) == 0;
}

void umsim_ledger_call(const char *name)
{
    if (!books || strncmp(name, "cuda", 4) != 0)
        return;
    books->waits_stream += is_one_of(name, "cudaStreamSynchronize", "cudaEventSynchronize");
    books->queries += is_one_of(name, "cudaStreamQuery", "cudaEventQuery");
    for (int i = 0; i < UMSIM_LEDGER_CALLS; i++) {
        struct umsim_ledger_call *call = &books->call[i];
        if (!call->name[0])
            snprintf(call->name, sizeof call->name, "%s", name);
        if (strcmp(call->name, name) != 0)
            continue;
        call->count++;
        return;
    }
}

void umsim_ledger_made(enum umsim_ledger_kind kind, uint64_t bytes)
{
    if (!books)
        return;
    struct umsim_ledger_account *account = &books->account[kind];
    account->made++;
    account->bytes_alive += bytes;
    if (account->bytes_peak < account->bytes_alive)
        account->bytes_peak = account->bytes_alive;
}

void umsim_ledger_released(enum umsim_ledger_kind kind, uint64_t bytes)
{
    if (!books)
        return;
    books->account[kind].released++;
    books->account[kind].bytes_alive -= bytes;
}

void umsim_ledger_waited(void)
{
    if (books)
        books->waits_device++;
}

void umsim_ledger_host_fault(void)
{
    if (books)
        __atomic_fetch_add(&books->host_faults, 1, __ATOMIC_RELAXED);
}

void umsim_ledger_operation(const struct umsim_op *op)
{
    if (!books)
        return;
    struct umsim_ledger_operation *at = &books->operation[books->operations % UMSIM_LEDGER_OPERATIONS];
    *at = (struct umsim_ledger_operation){.stream = (uint32_t)op->stream->number,
                                          .engine = (uint32_t)op->engine,
                                          .bytes = op->bytes,
                                          .start_ns = op->start_ns,
                                          .end_ns = op->end_ns};
    snprintf(at->kind, sizeof at->kind, "%s", op->what);
    books->operations++;
    books->counters = umsim_counters;
}

void umsim_ledger_publish(void)
{
    if (!books)
        return;
    books->counters = umsim_counters;
    books->time_ns = umsim_clock_now();
}
