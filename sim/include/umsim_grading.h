/**
 * @file umsim_grading.h
 * @brief The simulator for programs that are not trusted.
 *
 * Ordinarily the simulator lives in the program's own process, and a program could write to its memory. A
 * program that is graded is a *client* instead: all state is in a process of its own, the *server*, which
 * never runs the program's code and writes down in a *ledger* what is done. In place of libumsim.so the
 * program has a library of the same name that sends each call on (sim/client).
 *
 *     int fd = memfd_create("ledger", MFD_CLOEXEC);      // the grader
 *     ftruncate(fd, sizeof(struct umsim_ledger));
 *     umsim_server_start(fd, NULL);                      // the server, a process that has the kernels
 *     umsim_serve_clients(line, socket);
 *
 * For a program, these things differ:
 *
 * - kernels have to be there when the server starts;
 * - work that nobody waits for never starts by itself, but for host functions and what they come behind:
 *   those run when the program has made no call for 200 ms, because it may wait for them by means of its own;
 *   what is left when the program's process ends runs then;
 * - memory of each kind is limited, the devices' on each of them;
 * - memory can be registered where its addresses are free in the server, too;
 * - __managed__ variables cannot be asked for by their names, and system calls cannot be given managed
 * memory;
 * - the server cannot be dumped or debugged.
 */
#ifndef UMSIM_GRADING_H
#define UMSIM_GRADING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "umsim.h"
#include "umsim/keyed_value.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of things that are counted separately. */
enum umsim_ledger_kind {
    UMSIM_LEDGER_DEVICE,     /**< cudaMalloc, cudaMallocAsync */
    UMSIM_LEDGER_PINNED,     /**< cudaMallocHost, cudaHostAlloc */
    UMSIM_LEDGER_MANAGED,    /**< cudaMallocManaged */
    UMSIM_LEDGER_REGISTERED, /**< cudaHostRegister */
    UMSIM_LEDGER_STREAM,     /**< streams; bytes stay 0 */
    UMSIM_LEDGER_EVENT,      /**< events; bytes stay 0 */
    UMSIM_LEDGER_KINDS
};

/** One kind of thing that is created and released. */
struct umsim_ledger_account {
    uint64_t made, released; /**< how many; made - released are alive */
    uint64_t bytes_alive;    /**< now */
    uint64_t bytes_peak;     /**< the most that were alive at once */
};

/** Calls of one function of the CUDA API. */
struct umsim_ledger_call {
    char name[48];
    uint64_t count;
};

/** A call of the CUDA API that failed. Nothing is judged by it: it makes a message say which call it was. */
struct umsim_ledger_failure {
    char name[48];   /**< "": none failed */
    uint64_t number; /**< it was the number-th call of that name */
    int64_t error;   /**< cudaError_t */
};

/** One operation of a stream, as the virtual clock settled it. */
struct umsim_ledger_operation {
    char kind[16];   /**< as in the trace: kernel, memcpy, memset, prefetch, ... */
    uint32_t stream; /**< 0 the legacy stream, then in the order of their making */
    uint32_t device; /**< whose engine that is */
    uint32_t engine; /**< enum umsim_engine: none, compute, to the device, to the host, to a peer */
    uint64_t bytes;
    uint64_t start_ns, end_ns;
};

/* More lines than there are calls: none is left out because others came first. */
enum { UMSIM_LEDGER_CALLS = 320, UMSIM_LEDGER_OPERATIONS = 4096 };

/** The ledger. The server writes it; the grader reads it while no call of the program is under way. */
struct umsim_ledger {
    uint64_t version;     /**< 3 */
    struct umsim_key key; /**< written by the grader before the start: what graded kernels mix values with */
    struct umsim_counters counters; /**< totals, as umsim_counters_read() has them */
    struct umsim_ledger_account account[UMSIM_LEDGER_KINDS];
    /** in the order of their first use; name "" ends it */
    struct umsim_ledger_call call[UMSIM_LEDGER_CALLS];
    uint64_t last_call; /**< the latest call's index in `call`, and one; 0: none was made */
    /** the first call that failed, and the first that would have given something back */
    struct umsim_ledger_failure failed, not_released;
    uint64_t host_faults;  /**< host accesses to memory that is not the host's */
    uint64_t waits_device; /**< waits for everything: cudaDeviceSynchronize, and calls that imply it */
    uint64_t waits_stream; /**< waits for a stream or an event */
    uint64_t queries;      /**< cudaStreamQuery, cudaEventQuery */
    uint64_t
        kernel_bytes; /**< bytes that threads touched in memory that CUDA allocated, access by access (what is
                         read and then written counts once); 0 if kernels are not compiled for that */
    uint64_t stalled; /**< calls, but for copies, that had to wait for work that had not ended */
    uint64_t stalled_before_copy; /**< of these, those before the last call of a copy (cudaMemcpy...) */
    uint64_t host_copies, host_copied_bytes; /**< what umsim_host_copied() was told */
    uint64_t unfinished; /**< operations that were queued, and had not run, when the graded function's process
                            ended */
    uint64_t time_ns;    /**< the virtual time at the last call */
    uint64_t operations; /**< settled so far; the last UMSIM_LEDGER_OPERATIONS are kept */
    /** number i at i % UMSIM_LEDGER_OPERATIONS */
    struct umsim_ledger_operation operation[UMSIM_LEDGER_OPERATIONS];
};

/** Limits of a graded program, bytes. 0: the profile's. */
struct umsim_grading_limits {
    uint64_t device_bytes, pinned_bytes, managed_bytes;
};

/**
 * Starts the simulator as a *server*: for graded programs that are processes of their own
 * (sim/server/channel.h). This process owns the state, and never runs their code.
 * Call it before any other call of CUDA or of the simulator.
 * @param __ledger_fd file of sizeof(struct umsim_ledger) bytes; this process and the GPU process map it, and
 * it is closed here
 * @param __limits or NULL
 * @return NULL, or the reason why it cannot start
 */
const char *umsim_server_start(int __ledger_fd, const struct umsim_grading_limits *__limits);

/**
 * Serves a client until it has ended, and then ends this process.
 * @param __line_fd file of sizeof(struct umsim_line) bytes, which the client maps, too
 * @param __socket the client says its process's number there, and gets what it needs
 * @return why it cannot: a string that stays valid
 */
const char *umsim_serve_clients(int __line_fd, int __socket);

/** In place of umsim_serve_clients(), where the server cannot start: the client is told why. */
void umsim_refuse_client(int __socket, const char *__why);

/**
 * @name Copies by the host that are proved by their data
 * The server makes them, in the place of the client's memcpy(): it counts the bytes, lets the time of
 * umsim_host_copied() pass, and mixes each byte that comes from the memory of umsim_host_copies(), or goes
 * there, with the key and its place (umsim_keyed_at()). So who has the mixed bytes has had them copied here,
 * when the clock says so. @{
 */
/** Says which memory that is. Only the trusted client may say it; one range, the last that was told. */
void umsim_host_copies(void *__p, size_t __bytes);
/** memcpy(). What cannot be read or written stays as it is. */
void umsim_host_copy(void *__to, const void *__from, size_t __bytes);
/** @} */

/** A client: has the ledger contain everything that has been done so far. */
void umsim_grading_settle(void);

/**
 * @name For the code that confines a client
 * The arenas begin at UMSIM_GRADING_ARENAS, the device's first. After the start the client's library unmaps
 * and replaces nothing there, and opens none of the device's; and it maps no file but one.
 * @{
 */
#define UMSIM_GRADING_ARENAS UINT64_C(0x7a0000000000)
#define UMSIM_GRADING_DEVICE_END UINT64_C(0x7b0000000000)
#define UMSIM_GRADING_ARENAS_END UINT64_C(0x7d0000000000)
int umsim_grading_file(void);
/** @} */

/** Whether this process is a client, or its server. */
bool umsim_is_grading(void);

/** The number of calls of one API function so far. For graders; it also works on a copy of the ledger. */
static inline uint64_t umsim_ledger_calls(const struct umsim_ledger *__ledger, const char *__name)
{
    for (int __i = 0; __i < UMSIM_LEDGER_CALLS && __ledger->call[__i].name[0]; __i++)
        if (__builtin_strcmp(__ledger->call[__i].name, __name) == 0)
            return __ledger->call[__i].count;
    return 0;
}

#ifdef __cplusplus
}
#endif
#endif
