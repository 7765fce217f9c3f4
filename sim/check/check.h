/**
 * @file check.h
 * @brief Checks each memory access of a kernel before it is made, in programs compiled by `umcc --check`.
 *
 * umcc makes gcc put a call before each access (its -fsanitize=thread; hooks.c is the whole runtime that
 * these calls need), and adds one constructor that calls umsim_check_begin(). Everything else follows from
 * `umsim_checks` being non-zero. Each kernel runs thread by thread on one worker, so that the order of
 * accesses is known and is the same in every run. Allocations stand apart, and freed addresses are not given
 * out again as long as there is space.
 *
 * The life of a finding:
 *  1. A hook asks access.c. This knows what may be touched from a table that the host keeps in shared memory
 *     (table.h).
 *  2. What is wrong is written to shared memory as plain data (finding.h), because nothing in the GPU process
 *     may print.
 *  3. The host process prints it when the launch has been waited for (report.c).
 *
 * What a finding leads to: an access that hardware is certain to refuse ends the kernel, as it would there (a
 * misaligned access, or one to a page that does not exist). Any other is reported and then made, as hardware
 * would make it.
 *
 * sim/check uses what the layers below it offer (worker/, space/, record/, base/). The layers above it call
 * the functions here, which do nothing in other programs.
 */
#ifndef UMSIM_CHECK_H
#define UMSIM_CHECK_H

#include "../base/mode.h"
#include "../space/registry.h"
#include "../space/transfer.h"

struct umsim_command;
struct umsim_kernel_fault;
struct umsim_worker;

/** The checks. --check=LIST and UMSIM_CHECK name them in lower case; `all` is all but coalescing. */
enum umsim_check {
    UMSIM_CHECK_MEMORY = 1,      /* memory: out of bounds, misaligned, after free */
    UMSIM_CHECK_INIT = 2,        /* init: reads of device memory that was never written */
    UMSIM_CHECK_RACE = 4,        /* race: accesses that nothing puts in order */
    UMSIM_CHECK_LEAK = 8,        /* leak: memory that is never freed */
    UMSIM_CHECK_HOST = 16,       /* host: host buffers touched while a copy of them is under way */
    UMSIM_CHECK_COALESCING = 32, /* coalescing: bytes requested against bytes moved */
    UMSIM_CHECK_API = 64,        /* api: CUDA calls that return an error */
    UMSIM_CHECK_ALL = 31 + 64,
    UMSIM_CHECK_EACH = 128 /* each: no access is judged in the short way (quick.h) */
};

/** @name Host process; callers hold the simulator's lock @{ */

/** Before the first fork: makes what both processes share.
 * @return NULL, or why that failed */
const char *umsim_check_start(void);

/** Whether umsim_check_start() has done so. */
bool umsim_check_started(void);

/** Before each fork: enters the parts of the program's own memory that kernels may read. */
void umsim_check_modules(void);

/** Another process's memory was mapped: who wrote what is not known, so all of it counts as written. */
struct umsim_alloc;
void umsim_check_borrowed(const struct umsim_alloc *allocation);

/** Before the GPU process is started, for the first time or anew. */
void umsim_check_gpu_starts(void);

/** Where the program's own code is that has called the simulator; NULL if that is not known. Called without
 * the lock, too.
 * @param known is returned if it is outside of the simulator; else, or if it is NULL, the stack is searched
 */
const void *umsim_check_program_caller(const void *known);

/** In the fault handler: the program's own code that led to an access at `pc`, as a return address. */
const void *umsim_check_program_at(const void *pc);

/** A kernel's failure has been told elsewhere, as `text`: it counts in the summary and in the exit status.
 * @param fault NULL: the process that simulates the GPU is gone */
void umsim_check_told(const struct umsim_kernel_fault *fault, const char *text);

/** In the fault handler: a bad access of the host's has been told, as `text`. */
void umsim_check_explained(const char *text);

/** In the fault handler: a bad access at `pc` is about to end the program. Says where it is, and prints the
 * summary. */
void umsim_check_host_fault(const void *pc);

/** Notes the API call under way. When it frees memory, the place to report is where the call returns to.
 * @param caller where that is; NULL: to be found on the stack */
void umsim_check_call(const char *call, const void *caller);

/** The call that asked for a transfer. A copy (UMSIM_COPY) or a memset (UMSIM_SET) is checked when it is
 * about to be made. */
struct umsim_check_asked {
    const char *call;
    const void *caller;
};
struct umsim_check_asked umsim_check_asked(void);
void umsim_check_transfer(enum umsim_transfer_kind kind, const struct umsim_transfer *what,
                          struct umsim_check_asked asked);

/** Prints what has been found in the launches up to now. */
void umsim_check_report(void);

/** Says what a kernel's failure leads to, if the access that caused it has been reported.
 * @return whether it has */
bool umsim_check_tells(const struct umsim_kernel_fault *fault);
/** @} */

/** @name GPU process @{ */

/** In this order: a launch begins; one of its blocks begins, or goes on; it is put aside for another one; the
 * launch has ended; the current thread has met lanes of its warp at a barrier. */
void umsim_check_launch(const struct umsim_command *command);
void umsim_check_block(struct umsim_worker *worker, bool goes_on);
void umsim_check_put_aside(void);
void umsim_check_launched(struct umsim_command *command);
void umsim_check_warp(void);
/** @} */

#endif
