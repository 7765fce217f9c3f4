/**
 * @file ledger.c
 * @brief Implementation of ledger.h: the host's messages, and how the broker writes them into the ledger.
 */
#include "ledger.h"
#include "counters.h"
#include "../base/layout.h"
#include "../base/clock.h"
#include "../base/mode.h"
#include "request.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the host's side: outside grading nobody is told; a server writes its ledger itself ---- */

static bool is_kept(void)
{
    return umsim_broker_serves() || umsim_is_server();
}

static void tell(struct umsim_note note)
{
    struct umsim_request request = {.task = UMSIM_NOTE, .note = note};
    struct umsim_answer answer;
    if (umsim_is_server())
        umsim_serve(&request, &answer);
    else
        umsim_tell(&request);
}

static void tell_named(struct umsim_note note, const char *name)
{
    strncpy(note.name, name, sizeof note.name - 1);
    tell(note);
}

static bool is_call(const char *name)
{
    return strncmp(name, "cuda", 4) == 0;
}

void umsim_ledger_call(const char *name)
{
    if (is_kept() && is_call(name))
        tell_named((struct umsim_note){.kind = UMSIM_NOTE_CALL}, name);
}

void umsim_ledger_failed(const char *name, uint64_t error)
{
    if (is_kept() && is_call(name))
        tell_named((struct umsim_note){.kind = UMSIM_NOTE_FAILED, .bytes = error}, name);
}

void umsim_ledger_made(enum umsim_ledger_kind kind, uint64_t bytes)
{
    if (is_kept())
        tell((struct umsim_note){.kind = UMSIM_NOTE_MADE, .account = kind, .bytes = bytes});
}

void umsim_ledger_released(enum umsim_ledger_kind kind, uint64_t bytes)
{
    if (is_kept())
        tell((struct umsim_note){.kind = UMSIM_NOTE_RELEASED, .account = kind, .bytes = bytes});
}

void umsim_ledger_to_release(enum umsim_ledger_kind kind, bool is_queued)
{
    if (umsim_broker_serves())
        tell((struct umsim_note){.kind = UMSIM_NOTE_TO_RELEASE, .account = kind, .bytes = is_queued});
}

void umsim_ledger_waited(void)
{
    if (is_kept())
        tell((struct umsim_note){.kind = UMSIM_NOTE_WAITED});
}

void umsim_ledger_host_fault(void)
{
    struct umsim_request request = {.task = UMSIM_NOTE, .note = {.kind = UMSIM_NOTE_HOST_FAULT}};
    struct umsim_answer answer;
    if (is_kept())
        umsim_ask(&request, &answer); /* asks and waits, because the program may be about to end */
}

void umsim_ledger_operation(const struct umsim_op_times *op)
{
    if (!is_kept())
        return;
    tell_named((struct umsim_note){.kind = UMSIM_NOTE_OPERATION,
                                   .stream = (uint32_t)op->stream,
                                   .engine = op->engine,
                                   .bytes = op->bytes,
                                   .start_ns = op->start_ns,
                                   .end_ns = op->end_ns},
               op->what);
}

void umsim_ledger_totals(void)
{
    static uint64_t told_ns, told_synchronizations;
    if (!is_kept() || syscall(SYS_gettid) != getpid())
        return;
    struct umsim_note note = {.kind = UMSIM_NOTE_TOTALS,
                              .end_ns = umsim_clock_now(),
                              .synchronizations = umsim_counters.synchronizations};
    if (umsim_is_server())
        umsim_ledger_publish(&umsim_counters);
    if (note.end_ns == told_ns && note.synchronizations == told_synchronizations)
        return;
    told_ns = note.end_ns;
    told_synchronizations = note.synchronizations;
    tell(note);
}

/* ---- the broker's side ---- */

static struct umsim_ledger *ledger;

void umsim_ledger_open(struct umsim_ledger *where)
{
    ledger = where;
    ledger->version = 1;
}

const struct umsim_key *umsim_ledger_key(void)
{
    return ledger ? &ledger->key : NULL;
}

void umsim_ledger_tampered(uint64_t signs)
{
    if (ledger)
        __atomic_fetch_or(&ledger->tampered, signs, __ATOMIC_RELAXED);
}

void umsim_ledger_touched(uint64_t bytes)
{
    if (ledger)
        __atomic_fetch_add(&ledger->kernel_bytes, bytes, __ATOMIC_RELAXED);
}

void umsim_ledger_unfinished(uint64_t operations)
{
    if (ledger)
        ledger->unfinished += operations;
}

void umsim_ledger_guarded(bool guarded)
{
    ledger->guarded = guarded;
}

void umsim_ledger_publish(const struct umsim_counters *counters)
{
    const uint64_t synchronizations = ledger->counters.synchronizations;
    ledger->counters = *counters;
    ledger->counters.synchronizations = synchronizations;
}

/* Bytes of pages that are alive, for the kinds of memory that have an arena. */
static uint64_t alive[UMSIM_LEDGER_MANAGED + 1];

/* Allocations share no pages, so only the first and the last page of each are not fully used. If more pages
 * than that are alive, a message claimed that an allocation is smaller than it is, or that it is gone. */
static bool is_covered(int kind)
{
    const struct umsim_ledger_account *account = &ledger->account[kind];
    const uint64_t edges = 2 * UMSIM_PAGE * (account->made - account->released);
    return alive[kind] <= account->bytes_alive + edges;
}

void umsim_ledger_check(void)
{
    for (int kind = 0; kind <= UMSIM_LEDGER_MANAGED; kind++)
        if (!is_covered(kind))
            umsim_ledger_tampered(UMSIM_TAMPERED_MESSAGE);
}

void umsim_ledger_alive(enum umsim_ledger_kind kind, uint64_t bytes)
{
    if (!ledger)
        return;
    alive[kind] = bytes;
    umsim_ledger_check();
}

static void write_call(const char name[48])
{
    ledger->waits_stream +=
        strcmp(name, "cudaStreamSynchronize") == 0 || strcmp(name, "cudaEventSynchronize") == 0;
    ledger->queries += strcmp(name, "cudaStreamQuery") == 0 || strcmp(name, "cudaEventQuery") == 0;
    for (int i = 0; i < UMSIM_LEDGER_CALLS; i++) {
        struct umsim_ledger_call *call = &ledger->call[i];
        if (!call->name[0])
            memcpy(call->name, name, sizeof call->name);
        if (strcmp(call->name, name) != 0)
            continue;
        call->count++;
        ledger->last_call = (uint64_t)i + 1;
        return;
    }
}

static bool releases(const char *name)
{
    return strstr(name, "Free") || strstr(name, "Destroy") || strstr(name, "Unregister");
}

static void write_failed(const struct umsim_note *note)
{
    struct umsim_ledger_failure failure = {.number = umsim_ledger_calls(ledger, note->name),
                                           .error = (int64_t)note->bytes};
    memcpy(failure.name, note->name, sizeof failure.name);
    if (!ledger->failed.name[0])
        ledger->failed = failure;
    if (!ledger->not_released.name[0] && releases(note->name))
        ledger->not_released = failure;
}

static bool write_made(const struct umsim_note *note)
{
    if (note->account >= UMSIM_LEDGER_KINDS)
        return false;
    struct umsim_ledger_account *account = &ledger->account[note->account];
    account->made++;
    account->bytes_alive += note->bytes;
    if (account->bytes_peak < account->bytes_alive)
        account->bytes_peak = account->bytes_alive;
    return true;
}

static bool write_released(const struct umsim_note *note)
{
    if (note->account >= UMSIM_LEDGER_KINDS)
        return false;
    struct umsim_ledger_account *account = &ledger->account[note->account];
    if (account->made == account->released + account->to_release || account->bytes_alive < note->bytes)
        return false;
    account->released++;
    account->bytes_alive -= note->bytes;
    return true;
}

static bool write_to_release(const struct umsim_note *note)
{
    if (note->account >= UMSIM_LEDGER_KINDS)
        return false;
    struct umsim_ledger_account *account = &ledger->account[note->account];
    if (note->bytes ? account->made == account->released + account->to_release : account->to_release == 0)
        return false;
    account->to_release += note->bytes ? 1 : UINT64_MAX;
    return true;
}

static bool write_operation(const struct umsim_note *note)
{
    if (note->engine >= UMSIM_ENGINES || note->end_ns < note->start_ns)
        return false;
    struct umsim_ledger_operation *at = &ledger->operation[ledger->operations % UMSIM_LEDGER_OPERATIONS];
    *at = (struct umsim_ledger_operation){.stream = note->stream,
                                          .engine = note->engine,
                                          .bytes = note->bytes,
                                          .start_ns = note->start_ns,
                                          .end_ns = note->end_ns};
    memcpy(at->kind, note->name, sizeof at->kind - 1);
    ledger->operations++;
    return true;
}

/* Neither the time nor the number of synchronisations may go back. */
static bool write_totals(const struct umsim_note *note)
{
    if (note->end_ns < ledger->time_ns || note->synchronizations < ledger->counters.synchronizations)
        return false;
    ledger->time_ns = note->end_ns;
    ledger->counters.synchronizations = note->synchronizations;
    return true;
}

static bool write_down(const struct umsim_note *note)
{
    switch (note->kind) {
    case UMSIM_NOTE_CALL:
    case UMSIM_NOTE_FAILED:
        if (note->name[sizeof note->name - 1] || !is_call(note->name))
            return false;
        if (note->kind == UMSIM_NOTE_CALL)
            write_call(note->name);
        else
            write_failed(note);
        return true;
    case UMSIM_NOTE_MADE:
        return write_made(note);
    case UMSIM_NOTE_RELEASED:
        return write_released(note);
    case UMSIM_NOTE_TO_RELEASE:
        return write_to_release(note);
    case UMSIM_NOTE_WAITED:
        ledger->waits_device++;
        return true;
    case UMSIM_NOTE_HOST_FAULT:
        ledger->host_faults++;
        return true;
    case UMSIM_NOTE_OPERATION:
        return write_operation(note);
    case UMSIM_NOTE_TOTALS:
        return write_totals(note);
    }
    return false;
}

static void serve(const struct umsim_request *request, struct umsim_answer *answer)
{
    (void)answer;
    if (ledger && !write_down(&request->note))
        umsim_ledger_tampered(UMSIM_TAMPERED_MESSAGE);
}

void umsim_ledger_start(void)
{
    umsim_server_register(UMSIM_NOTE, UMSIM_NOTE, serve);
}
