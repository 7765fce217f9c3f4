/**
 * @file request.h
 * @brief What the host's side of the library asks of the state owner: who holds each managed page,
 * what memory is alive, what was copied and counted.
 *
 * The authoritative state has one owner. Ordinarily that is the host process itself, and asking is a function
 * call. In grading mode it is the broker, a thread of the GPU process (broker.h): the state is then in memory
 * that the host does not map, and requests and answers go through shared memory. So requests are plain data,
 * and an answer holds all that the host has to know: what to open, what to close, what to charge to the
 * clock.
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
    UMSIM_BRING, /* a device without faults takes a range before a kernel */
    UMSIM_DEVICE_MEMORY,
    UMSIM_DEVICE_BLOCKS,
    UMSIM_RESIDENT,
    UMSIM_ATTRIBUTES,
    UMSIM_COUNTS,
    UMSIM_RESIDENCY_BAR,
    UMSIM_INSPECT, /* nothing but an inspection of the host's mappings */
    UMSIM_PAGING_TASKS,

    UMSIM_COPY = UMSIM_PAGING_TASKS, /* transfer.h */
    UMSIM_SET,
    UMSIM_REVIVE, /* arena.h: pages belong to an allocation from now on */
    UMSIM_EMPTY,  /* ... belong to none any more, and read as zeros */
    UMSIM_NOTE,   /* record/ledger.h */
    UMSIM_TASKS
};

/** Of managed memory. Each task reads what it needs. */
struct umsim_paging {
    uintptr_t address;
    /* UMSIM_RESIDENCY_BAR: within one space; UMSIM_DEVICE_MEMORY: how many are left for managed pages */
    size_t bytes;
    uint64_t now_ns;
    bool is_write, for_kernels, idle; /* idle: no kernel is under way */
    int processor;                    /* enum uvm_processor */
    int advice;                       /* enum uvm_advice */
    size_t characters, skip;          /* UMSIM_RESIDENCY_BAR: characters in all; those the host has already */
    struct uvm_launch launch;
};

/** A rectangle to copy or to fill, between addresses as the program has them. Bytes. */
struct umsim_transfer {
    uintptr_t to, from; /* UMSIM_BOUNCE: the shared buffer, from its start */
    size_t to_pitch, from_pitch, width, rows;
    int value;
    unsigned element; /* UMSIM_SET: bytes of the value, 0 for one */
    bool continues;   /* a part of a copy that was counted as a call before */
};
#define UMSIM_BOUNCE ((uintptr_t)0)

struct umsim_range {
    uintptr_t start; /* whole pages of one arena */
    size_t bytes;
};

/** What the ledger is told. Each kind reads what it needs. */
enum umsim_note_kind {
    UMSIM_NOTE_CALL,
    UMSIM_NOTE_MADE,
    UMSIM_NOTE_RELEASED,
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
    bool has_answer; /* somebody waits for it */
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
    bool done; /* whether there was anything to do it to; false, too, when the owner is gone */
    struct umsim_paging_work work;
    /* resident on the device (RESIDENT), write-protected (ADVISE), released (DESTROY), blocks in use */
    uint64_t pages;

    /* how things stand now */
    bool in_use;       /* some managed memory is alive */
    bool is_short;     /* struct uvm_device */
    uint64_t unpin_ns; /* when the first pin ends; 0: none is */
    struct umsim_counters counters;

    /* what the host opens; bytes 0: nothing */
    uintptr_t open_start;
    size_t open_bytes;
    bool open_writable;
    /* what it closes first */
    bool close_all;
    unsigned closings;
    struct umsim_closing closing[UMSIM_CLOSINGS_MAX];

    union {
        struct uvm_attributes attributes;
        struct umsim_counters counts;
        char bar[UMSIM_RESIDENCY_BAR_PART];
    };
};

/** Requests that can wait for the broker (grading/broker.h), and the largest part of a copy that goes through
 * at once. */
#define UMSIM_REQUESTS 64
#define UMSIM_BOUNCE_BYTES ((size_t)1 << 20)

/** Grading mode: what the host asks the broker, in memory that both share. */
struct umsim_mailbox {
    atomic_uint posted;  /* futex: the broker sleeps on it */
    atomic_uint handled; /* futex: the host sleeps on it */
    atomic_uint broker_sleeps, poster_sleeps;
    struct umsim_request request[UMSIM_REQUESTS];
    struct umsim_answer answer;
    _Alignas(UMSIM_PAGE) char bounce[UMSIM_BOUNCE_BYTES];
};

/** Mapped before the first fork, for good. */
extern struct umsim_mailbox *umsim_mailbox;

/** Whether a broker owns the state of this (host) process. */
bool umsim_broker_serves(void);

/** Host process: from now on a broker does. */
void umsim_broker_begins(void);

/** Wakes the broker, if it sleeps. */
void umsim_broker_wake(void);

/** Has the state owner do something, and waits for it. Async-signal-safe where the task is a page's
 * touch. */
void umsim_ask(struct umsim_request *request, struct umsim_answer *answer);

/** The same, without waiting. What is asked later is done later. */
void umsim_tell(const struct umsim_request *request);

/** Does it. In the process that owns the state. */
void umsim_serve(const struct umsim_request *request, struct umsim_answer *answer);

/** Who does the tasks from `first` to `last`. The layers above register themselves at the start, because what
 * a request asks for is done by them: this is the one place where a call goes upwards. */
typedef void (*umsim_server)(const struct umsim_request *request, struct umsim_answer *answer);
void umsim_server_register(enum umsim_task first, enum umsim_task last, umsim_server server);

#endif
