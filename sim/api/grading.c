/* grading.c: grading mode (include/umsim_grading.h). What it changes elsewhere asks umsim_is_grading(). */
#include "grading.h"
#include "runtime.h"
#include "../fault/ledger.h"
#include "../gpu/shared.h"
#include "../space/arena.h"
#include "../space/layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool grading;
static struct umsim_grading_limits limit;
static const struct umsim_ledger *ledger;

bool umsim_is_grading(void)
{
    return grading;
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

const char *umsim_grading_start(int ledger_fd, const struct umsim_grading_limits *limits)
{
    static char text[120];
    struct umsim_ledger *books = mmap(NULL, sizeof *books, PROT_READ | PROT_WRITE, MAP_SHARED, ledger_fd, 0);
    if (books == MAP_FAILED) {
        snprintf(text, sizeof text, "cannot map the ledger: %s", strerror(errno));
        return text;
    }
    close(ledger_fd);
    if (limits)
        limit = *limits;
    grading = true;
    ledger = books;
    cudaError_t error = umsim_enter("", UMSIM_ANSWERS_ALWAYS);
    if (error) {
        snprintf(text, sizeof text, "the simulator does not start: %s", cudaGetErrorName(error));
        return text;
    }
    umsim_ledger_open(books);
    umsim_service_start(); /* while threads may still be made */
    umsim_leave(cudaSuccess);
    return NULL;
}

uint64_t umsim_salt(void)
{
    return umsim_in_gpu && ledger ? ledger->salt : 0;
}
