/**
 * @file served.h
 * @brief How the server takes a client's call apart: what generated code (client/generate.py) is written
 * against.
 *
 * A call's arguments come as words. Those that say where something lies in the client's memory are not
 * followed: the bytes are copied here by the system, and CUDA's function is called with the copy's address.
 */
#ifndef UMSIM_SERVED_H
#define UMSIM_SERVED_H

#include "channel.h"

#include <stdbool.h>
#include <stddef.h>

enum { UMSIM_SERVED_PLACES = 8 };

/** One call, while it is served. */
struct umsim_served {
    const struct umsim_message *message;
    unsigned at;       /* the next word */
    bool faulted;      /* a place could not be read, or is too large */
    uintptr_t address; /* which one */
    unsigned places;
    struct umsim_served_place {
        uintptr_t at; /* in the client's memory */
        size_t bytes;
        void *copy; /* from malloc */
        bool written;
    } place[UMSIM_SERVED_PLACES];
};

/** The next argument, a value of that many bytes. */
void umsim_served_value(struct umsim_served *call, void *value, size_t bytes);
/** The next argument, an address that is a number here. */
void *umsim_served_number(struct umsim_served *call);
/** The next argument, a kernel's or a variable's address in this process; NULL when it is none. */
void *umsim_served_offset(struct umsim_served *call);
/** count * size, or a size that no place can have when that overflows or is out of proportion. */
size_t umsim_served_bytes(struct umsim_served *call, size_t count, size_t size);
/** A copy of what lies there; NULL for NULL. @param written back after the call */
void *umsim_served_place(struct umsim_served *call, uintptr_t at, size_t bytes, bool written);
/** A copy of a text. */
char *umsim_served_text(struct umsim_served *call, uintptr_t at);

struct umsim_served_call {
    const char *name;
    uint64_t (*serve)(struct umsim_served *call);
};
extern const struct umsim_served_call umsim_served_calls[];
extern const unsigned umsim_served_calls_count;

/** Names that the ledger has beside those of served calls: launches, and what calls are made of. */
enum { UMSIM_UNSERVED = 8 };

/** Serves one call. @return what it returned */
uint64_t umsim_served_run(struct umsim_served *call);

#endif
