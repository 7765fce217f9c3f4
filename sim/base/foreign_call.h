/**
 * @file foreign_call.h
 * @brief A call of another API that is under way in this thread, and that calls the runtime's functions.
 *
 * cuMemAlloc() is the driver API's cudaMalloc(): the same function does both. While it is under way,
 * messages, traces and allocations have the name of the call that the program made, and the place where it
 * made it.
 */
#ifndef UMSIM_FOREIGN_CALL_H
#define UMSIM_FOREIGN_CALL_H

struct umsim_foreign_call {
    const char *name;   /* "cuMemAlloc" */
    const void *caller; /* where it returns to */
};

/** NULL: the program calls the runtime itself. */
extern __thread const struct umsim_foreign_call *umsim_foreign_call
    __attribute__((tls_model("initial-exec")));

/** The driver API's context that is current in this thread, and that what is made now belongs to; NULL: a
 * device's primary one, which is the runtime's. */
extern __thread const void *umsim_call_owner __attribute__((tls_model("initial-exec")));

/** The line of a Python program's that made the call under way in this thread; NULL: none is known. */
extern __thread const void *umsim_python_call __attribute__((tls_model("initial-exec")));

/** The name of a call of the runtime's, as the program knows it. */
static inline const char *umsim_call_name(const char *runtimes)
{
    return umsim_foreign_call ? umsim_foreign_call->name : runtimes;
}

/** Where the program made it. */
static inline const void *umsim_call_place(const void *runtimes)
{
    return umsim_python_call ? umsim_python_call : umsim_foreign_call ? umsim_foreign_call->caller : runtimes;
}

#endif
