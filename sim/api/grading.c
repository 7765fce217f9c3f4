/**
 * @file grading.c
 * @brief Starts the process that serves graded programs (include/umsim_grading.h).
 *
 * Other files ask umsim_is_grading() where that changes what they do.
 */
#include "grading.h"
#include "../base/addresses.h"
#include "../base/error_names.h"
#include "../base/mode.h"
#include "occupancy.h"
#include "runtime.h"
#include "../fault/explain.h"
#include "../record/ledger.h"
#include "../space/arena.h"
#include "../base/layout.h"
#include "../base/memory.h"
#include "../space/modules.h"
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

/* The kernels that there were when the server began. */
enum { KERNELS_MAX = 1024 };
static struct {
    const struct umsim_kernel *record;
    size_t bytes; /* of its parameters */
} kernels[KERNELS_MAX];
static size_t kernels_count;

static void note_kernel(const void *stub)
{
    size_t bytes;
    const struct umsim_kernel *record = umsim_kernel_record(stub, &bytes);
    if (!record || kernels_count == KERNELS_MAX)
        return;
    kernels[kernels_count].record = record;
    kernels[kernels_count++].bytes = bytes;
}

bool umsim_grading_knows(const struct umsim_kernel *kernel, size_t bytes)
{
    for (size_t i = 0; i < kernels_count; i++)
        if (kernels[i].record == kernel)
            return kernels[i].bytes == bytes;
    return false;
}

/* @return NULL, or why there is none */
static const char *open_ledger(int file, char *text, size_t size)
{
    struct umsim_ledger *mapped = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) {
        snprintf(text, size, "cannot map the ledger: %s", strerror(errno));
        return text;
    }
    umsim_note_own(mapped, sizeof *mapped);
    close(file);
    umsim_ledger_open(mapped);
    return NULL;
}

static const char *start(char *text, size_t size)
{
    struct umsim_api_call own = UMSIM_OWN_CALL;
    cudaError_t error = umsim_enter(&own, UMSIM_ANSWERS_ALWAYS);
    if (error) {
        snprintf(text, size, "the simulator does not start: %s", umsim_error_name(error));
        return text;
    }
    if (umsim_addresses_are_few()) /* less memory, and so other results than elsewhere */
        return "there are not addresses enough for all of its memory: under a limit (ulimit -v), which can "
               "be raised, or because the processor's or its kernel's have 39 bits";
    umsim_explain_keep_maps();
    return NULL;
}

const char *umsim_server_start(int ledger_fd, const struct umsim_grading_limits *limits)
{
    static char text[120];
    umsim_grading_set();
    if (limits)
        limit = *limits;
    umsim_kernels_each(note_kernel);
    const char *why = open_ledger(ledger_fd, text, sizeof text);
    if (!why)
        why = start(text, sizeof text);
    if (why)
        return why;
    prctl(PR_SET_DUMPABLE, 0); /* clients have the same user */
    umsim_leave(cudaSuccess);
    return umsim_sticky_error() ? "the GPU process does not answer" : NULL;
}
