/**
 * @file umsim_grading.h
 * @brief Grading mode: the simulator for programs that are not trusted.
 *
 * Ordinarily the simulator lives in the program's own process, and a program could write to its memory. In
 * grading mode the program cannot reach the state that matters:
 *
 * - the GPU process keeps a *ledger* in memory that the program's process does not map;
 * - the GPU process makes the copies, and the host has no copy window;
 * - only the GPU process holds the paging policy's state;
 * - the GPU process is never forked again.
 *
 *     int fd = memfd_create("ledger", MFD_CLOEXEC);      // the grader
 *     ftruncate(fd, sizeof(struct umsim_ledger));
 *     umsim_grading_start(fd, NULL);                     // a trusted program, before it loads untrusted code
 *     dlopen("submission.so", RTLD_NOW);                 // runs as usual, but for the differences below
 *
 * For a program, these things differ:
 *
 * - device code has to be loaded before the start: a module that registers later is refused with
 *   cudaErrorNotSupported;
 * - work that nobody waits for never starts by itself, but for host functions and what they come behind:
 * those run when the program has made no call for 200 ms, because it may wait for them by means of its own;
 * - memory of each kind is limited;
 * - cudaHostRegister cannot register a library's own variables (it can register the program's);
 * - UMSIM_TRACE holds no paging;
 * - the process has no_new_privs (prctl(2)) and, where that is possible, a seccomp filter. Programs that
 *   it starts inherit both, and then cannot run the simulator;
 * - the process cannot be dumped or debugged.
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
    uint64_t to_release;  /**< of those alive, freed by cudaFreeAsync in a stream that has not come there */
    uint64_t bytes_alive; /**< now */
    uint64_t bytes_peak;  /**< the most that were alive at once */
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
    uint32_t engine; /**< enum umsim_engine: none, compute, to the device, to the host */
    uint64_t bytes;
    uint64_t start_ns, end_ns;
};

enum { UMSIM_LEDGER_CALLS = 160, UMSIM_LEDGER_OPERATIONS = 4096 };

/** Signs of tampering, as bits of umsim_ledger.tampered. */
enum umsim_ledger_tampering {
    UMSIM_TAMPERED_PROTECTION = 1, /**< the host has pages open that the paging policy does not grant it */
    UMSIM_TAMPERED_MAPPING = 2,    /**< an arena was unmapped, or replaced */
    UMSIM_TAMPERED_MESSAGE = 4,    /**< the GPU process received a message that cannot be genuine */
};

/** The ledger. The GPU process writes it; the grader reads it while no call of the program is under way. */
struct umsim_ledger {
    uint64_t version;     /**< 1 */
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
    uint64_t unfinished; /**< operations that were queued, and had not run, when the graded function's process
                            ended */
    uint64_t tampered;   /**< enum umsim_ledger_tampering */
    uint64_t guarded;    /**< 1: no page can be opened that must stay closed; 0: the system has no means to
                            prevent it, and an open page is found at the next launch or wait */
    uint64_t time_ns;    /**< the first host thread's virtual time at its last call */
    uint64_t operations; /**< settled so far; the last UMSIM_LEDGER_OPERATIONS are kept */
    /** number i at i % UMSIM_LEDGER_OPERATIONS */
    struct umsim_ledger_operation operation[UMSIM_LEDGER_OPERATIONS];
};

/** Limits of a graded program, bytes. 0: the profile's. */
struct umsim_grading_limits {
    uint64_t device_bytes, pinned_bytes, managed_bytes;
};

/**
 * Starts the simulator in grading mode. Call it before any other call of CUDA or of the simulator, before
 * untrusted code is loaded, and on the thread that will load it.
 * @param __ledger_fd file of sizeof(struct umsim_ledger) bytes; mapped in the GPU process only, and closed
 * here
 * @param __limits or NULL
 * @return NULL, or the reason why it cannot start: a string that stays valid
 */
const char *umsim_grading_start(int __ledger_fd, const struct umsim_grading_limits *__limits);

/**
 * Starts the simulator as a *server*: for graded programs that are processes of their own
 * (sim/server/channel.h). This process owns the state, and never runs their code.
 * @param __ledger_fd as above; this process and the GPU process map it
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

/** Waits until the ledger contains everything that has been done so far. Call it before reading the ledger.
 */
void umsim_grading_settle(void);

/**
 * @name For the code that confines the program
 * The arenas begin at UMSIM_GRADING_ARENAS, the device's first. After the start the simulator unmaps and
 * replaces nothing there, and opens none of the device's; and it maps no file but one.
 * @{
 */
#define UMSIM_GRADING_ARENAS UINT64_C(0x7a0000000000)
#define UMSIM_GRADING_DEVICE_END UINT64_C(0x7b0000000000)
#define UMSIM_GRADING_ARENAS_END UINT64_C(0x7d0000000000)
int umsim_grading_file(void);
/** @} */

/** Whether this process is in grading mode. */
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
