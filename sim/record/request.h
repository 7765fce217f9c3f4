/**
 * @file request.h
 * @brief What the host's side of the library asks of the state owner: which processor holds each managed
 * page, what memory is alive, what was copied and counted.
 *
 * The authoritative state has one owner. Ordinarily that is the host process itself, and a request is a
 * function call. In grading mode the owner is the broker, a thread of the GPU process (grading/broker.h): the
 * state is then in memory that the host does not map, and requests and answers go through shared memory. So
 * requests are plain data, and an answer holds everything that the host has to know: which pages to open,
 * which to close, and how much time to charge to the clock.
 */
#ifndef UMSIM_REQUEST_H
#define UMSIM_REQUEST_H

#include "../include/umsim_grading.h"
#include "../model/cost.h"
#include "../uvm/uvm.h"

#include "../base/layout.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum umsim_task {
    /* space/paging_server.h */
    UMSIM_HOST_TOUCH, /* a host thread touched a page that is not open to it */
    UMSIM_HOST_ACCESS,
    UMSIM_ENGINE_TOUCH,
    UMSIM_BEFORE_LAUNCH,
    UMSIM_AFTER_LAUNCH,
    UMSIM_PREFETCH,
    UMSIM_ADVISE,
    UMSIM_CREATE,
    UMSIM_DESTROY,
    UMSIM_BRING, /* brings a range to a device without faults before a kernel */
    UMSIM_DEVICE_MEMORY,
    UMSIM_DEVICE_BLOCKS,
    UMSIM_RESIDENT,
    UMSIM_ATTRIBUTES,
    UMSIM_COUNTS,
    UMSIM_RESIDENCY_BAR,
    UMSIM_INSPECT, /* only inspects the host's mappings */
    UMSIM_PAGING_TASKS,

    UMSIM_COPY = UMSIM_PAGING_TASKS, /* transfer.h */
    UMSIM_SET,
    UMSIM_REVIVE, /* arena.h: from now on the pages belong to an allocation */
    UMSIM_EMPTY,  /* ... belong to no allocation any more, and read as zeros */
    UMSIM_NOTE,   /* record/ledger.h */
    UMSIM_TASKS
};

/** A request about managed memory. Each task reads the members that it needs. */
struct umsim_paging {
    uintptr_t address;
    /* UMSIM_RESIDENCY_BAR: within one space; UMSIM_DEVICE_MEMORY: the bytes left for managed pages */
    size_t bytes;
    uint64_t now_ns;
    bool is_write, for_kernels, idle; /* idle: no kernel is under way */
    int processor;                    /* enum uvm_processor */
    int advice;                       /* enum uvm_advice */
    size_t characters, skip;          /* UMSIM_RESIDENCY_BAR: characters in all; those the host has already */
    struct uvm_launch launch;
};

/** A rectangle to copy or to fill, between addresses as the program knows them. Sizes are in bytes. */
struct umsim_transfer {
    uintptr_t to, from; /* UMSIM_BOUNCE: an offset in the shared buffer */
    size_t to_pitch, from_pitch, width, rows;
    int value;
    unsigned element; /* UMSIM_SET: bytes of the value; 0 stands for one */
    bool staged;      /* `from` is memory of the simulator's own */
    bool continues;   /* a further part of a copy that has been counted as a call */
};
#define UMSIM_BOUNCE ((uintptr_t)0)

struct umsim_range {
    uintptr_t start; /* whole pages of one arena */
    size_t bytes;
};

/** What is reported to the ledger. Each kind reads the members that it needs. */
enum umsim_note_kind {
    UMSIM_NOTE_CALL,
    UMSIM_NOTE_FAILED, /* bytes: the error */
    UMSIM_NOTE_MADE,
    UMSIM_NOTE_RELEASED,
    UMSIM_NOTE_TO_RELEASE, /* bytes: 1, or 0 when it is no more, because it is released now */
    UMSIM_NOTE_WAITED,
    UMSIM_NOTE_HOST_FAULT,
    UMSIM_NOTE_OPERATION,
    UMSIM_NOTE_TOTALS,
};
struct umsim_note {
    enum umsim_note_kind kind;
    char name[48];
    uint32_t account, stream, engine; /* enum umsim_ledger_kind; as in umsim_ledger_operation */
    uint64_t bytes, start_ns, end_ns; /* TOTALS: end_ns is the time */
    uint64_t synchronizations;
};

struct umsim_request {
    enum umsim_task task;
    bool has_answer; /* somebody waits for the answer */
    union {
        struct umsim_paging paging;
        struct umsim_transfer transfer;
        struct umsim_range range;
        struct umsim_note note;
    };
};

/** Blocks that the host has to close: [first, end) of a space. */
struct umsim_closing {
    uint32_t space, first, end;
};
enum { UMSIM_CLOSINGS_MAX = 32, UMSIM_RESIDENCY_BAR_PART = 1024 };

struct umsim_answer {
    bool done; /* whether the request had anything to act on; false, too, when the owner is gone */
    struct umsim_paging_work work;
    /* resident on the device (RESIDENT), write-protected (ADVISE), released (DESTROY), blocks in use */
    uint64_t pages;

    /* the state after the request */
    bool in_use;       /* some managed memory is alive */
    bool is_short;     /* struct uvm_device */
    uint64_t unpin_ns; /* when the first pin ends; 0: nothing is pinned */
    struct umsim_counters counters;

    /* what the host opens; bytes 0: nothing */
    uintptr_t open_start;
    size_t open_bytes;
    bool open_writable;
    /* what it closes before that */
    bool close_all;
    unsigned closings;
    struct umsim_closing closing[UMSIM_CLOSINGS_MAX];

    union {
        struct uvm_attributes attributes;
        struct umsim_counters counts;
        char bar[UMSIM_RESIDENCY_BAR_PART];
    };
};

/**
 * How many requests can be queued for the broker (grading/broker.h), and the largest part of a copy that goes
 * through the buffer at once.
 */
#define UMSIM_REQUESTS 64
#define UMSIM_BOUNCE_BYTES ((size_t)1 << 20)

/** Grading mode: the requests of the host to the broker, in memory that both share. */
struct umsim_mailbox {
    atomic_uint posted;  /* futex: the broker sleeps on it */
    atomic_uint handled; /* futex: the host sleeps on it */
    atomic_uint broker_sleeps, poster_sleeps;
    struct umsim_request request[UMSIM_REQUESTS];
    struct umsim_answer answer;
    _Alignas(UMSIM_PAGE) char bounce[UMSIM_BOUNCE_BYTES];
};

/** Mapped before the first fork, and never unmapped. */
extern struct umsim_mailbox *umsim_mailbox;

/** Whether a broker owns the state of this (host) process. */
bool umsim_broker_serves(void);

/** Host process: from now on a broker owns the state. */
void umsim_broker_begins(void);

/** Wakes the broker, if it sleeps. */
void umsim_broker_wake(void);

/**
 * Has the state owner carry out a request, and waits for the answer. Async-signal-safe when the task is the
 * touch of a page.
 */
void umsim_ask(struct umsim_request *request, struct umsim_answer *answer);

/**
 * Has the state owner carry out a request, without waiting. Requests are carried out in the order in which
 * they were made.
 */
void umsim_tell(const struct umsim_request *request);

/** Carries out a request. Called in the process that owns the state. */
void umsim_serve(const struct umsim_request *request, struct umsim_answer *answer);

/**
 * Registers the function that serves the tasks from `first` to `last`. The layers above register themselves
 * at the start, because they do what a request asks for. This is the one place where a call goes upwards.
 */
typedef void (*umsim_server)(const struct umsim_request *request, struct umsim_answer *answer);
void umsim_server_register(enum umsim_task first, enum umsim_task last, umsim_server server);

#endif
