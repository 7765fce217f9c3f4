/**
 * @file grading.c
 * @brief Starts grading mode, and withdraws the ledger from the graded program (include/umsim_grading.h).
 *
 * Other files ask umsim_is_grading() where grading mode changes what they do.
 */
#include "grading.h"
#include "../base/addresses.h"
#include "../base/error_names.h"
#include "../base/mode.h"
#include "../grading/known.h"
#include "occupancy.h"
#include "runtime.h"
#include "../fault/explain.h"
#include "../record/ledger.h"
#include "../grading/broker.h"
#include "../grading/supervisor.h"
#include "../space/arena.h"
#include "../base/layout.h"
#include "../base/memory.h"
#include "../space/modules.h"
#include "../space/managed.h"
#include "../base/processes.h"
#include "../base/sticky.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static struct umsim_grading_limits limit;

_Static_assert(UMSIM_GRADING_ARENAS == UMSIM_DEVICE_BASE && UMSIM_GRADING_DEVICE_END == UMSIM_PINNED_BASE &&
                   UMSIM_MANAGED_BASE + UMSIM_MANAGED_SIZE <= UMSIM_GRADING_ARENAS_END,
               "the arenas stand where graders think");

int umsim_grading_file(void)
{
    return umsim_registered_file();
}

static size_t at_most(size_t bytes, uint64_t most)
{
    return umsim_round_up(most && most < bytes ? (size_t)most : bytes, UMSIM_VA_BLOCK);
}

size_t umsim_grading_limit_arenas(size_t device_bytes)
{
    struct umsim_arena *pinned = &umsim_arenas[UMSIM_ARENA_PINNED],
                       *managed = &umsim_arenas[UMSIM_ARENA_MANAGED];
    pinned->size = at_most(pinned->size, limit.pinned_bytes);
    managed->size = at_most(managed->size, limit.managed_bytes);
    return at_most(device_bytes, limit.device_bytes);
}

static void note_kernel(const void *stub)
{
    const struct umsim_kernel *kernel = umsim_kernel_record(stub);
    if (kernel)
        umsim_grading_know(kernel);
}

/* @return the ledger; NULL: `text` says why there is none */
static struct umsim_ledger *open_ledger(int file, const struct umsim_grading_limits *limits, char *text,
                                        size_t size)
{
    struct umsim_ledger *mapped = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) {
        snprintf(text, size, "cannot map the ledger: %s", strerror(errno));
        return NULL;
    }
    umsim_note_own(mapped, sizeof *mapped);
    close(file);
    if (limits)
        limit = *limits;
    umsim_ledger_open(mapped);
    umsim_kernels_each(note_kernel);
    return mapped;
}

static const char *start(char *text, size_t size)
{
    struct umsim_api_call own = UMSIM_OWN_CALL;
    cudaError_t error = umsim_enter(&own, UMSIM_ANSWERS_ALWAYS);
    if (error) {
        snprintf(text, size, "the simulator does not start: %s", umsim_error_name(error));
        return text;
    }
    if (umsim_addresses_short()) /* less memory, and so other results than elsewhere */
        return "the limit on addresses (ulimit -v) leaves no room for all of its memory; raise it, or have "
               "none";
    umsim_explain_keep_maps();
    return NULL;
}

const char *umsim_server_start(int ledger_fd, const struct umsim_grading_limits *limits)
{
    static char text[120];
    umsim_server_set();
    if (!open_ledger(ledger_fd, limits, text, sizeof text))
        return text;
    const char *why = start(text, sizeof text);
    if (why)
        return why;
    prctl(PR_SET_DUMPABLE, 0); /* clients have the same user */
    umsim_leave(cudaSuccess);
    return umsim_sticky_error() ? "the GPU process does not answer" : NULL;
}

const char *umsim_grading_start(int ledger_fd, const struct umsim_grading_limits *limits)
{
    static char text[120];
    umsim_grading_set();
    struct umsim_ledger *mapped = open_ledger(ledger_fd, limits, text, sizeof text);
    if (!mapped)
        return text;
    umsim_supervisor_prepare();
    const char *why = start(text, sizeof text);
    if (why)
        return why;
    umsim_broker_take_over();
    umsim_supervisor_post();
    prctl(PR_SET_DUMPABLE, 0); /* closes /proc/self/mem, which ignores protections */
    /* keeps the addresses occupied: anything that the program mapped there would coincide with the GPU
     * process's ledger */
    if (mmap(mapped, sizeof *mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
             0) != mapped)
        return "the ledger cannot be withdrawn";
    umsim_leave(cudaSuccess);
    return umsim_sticky_error() ? "the broker does not answer" : NULL;
}

void umsim_grading_settle(void)
{
    if (umsim_is_grading())
        umsim_managed_inspect(true);
}
