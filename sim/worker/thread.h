/**
 * @file thread.h
 * @brief A GPU thread and a warp, as a worker knows them while it runs a block.
 *
 * GPU process only. device/fiber.h says in which order threads run.
 */
#ifndef UMSIM_THREAD_H
#define UMSIM_THREAD_H

#include "../include/umsim/abi.h"

#include <stdbool.h>

#define UMSIM_WARP_LANES 32
/** The tiles of 64, 128, 256 and 512 threads in a block of 1024: 16 + 8 + 4 + 2. */
#define UMSIM_WIDE_TILES 30
/** As many barriers has a block in PTX. */
#define UMSIM_NAMED_BARRIERS 16
/** The number of polls in vain by a block's threads before another block runs: 20 to 50 us. The second number
 * is for a block that has polled in vain before. */
#define UMSIM_PATIENCE 1000
#define UMSIM_PATIENCE_LATER 50

/** Where in the program a thread waits: the line of the call. */
struct umsim_place_in_source {
    const char *file;
    int line; /* of a checked program's barriers: from bit UMSIM_LINE_BITS on, how many stand before it there
               */
};
#define UMSIM_LINE_BITS 24
#define UMSIM_LEFT_MAX 3

static inline unsigned umsim_line_of(int line)
{
    return (unsigned)line & ((1U << UMSIM_LINE_BITS) - 1);
}

/** What a thread has set for its next launch, and the error of its calls. */
struct umsim_caller {
    dim3 grid, block;
    size_t dynamic_shared;
    void *stream;
    int error; /* cudaError_t: cudaGetLastError() */
    bool configured;
};

/** Why a thread is outside the ring. */
enum umsim_blocked {
    UMSIM_NOT_BLOCKED,
    UMSIM_IN_MEETING, /**< it waits until the lanes of a mask have come */
    UMSIM_GATHERING, /**< in __activemask() or a polling loop: it waits until no other thread of the block can
                        go on */
};

/** Why a block does not run. */
enum umsim_block_rests {
    UMSIM_BLOCK_ENDED,
    UMSIM_BLOCK_AT_GRID, /**< all its threads stand at the grid's barrier */
    UMSIM_BLOCK_SPINS, /**< its threads wait for something that another block has to do, as far as is known */
};

/** On one stack: where a thread goes on, and with what in the registers that functions keep (one_stack.c). */
struct umsim_registers {
    void (*goes_on)(void);
    uint64_t kept[6];
};

struct umsim_fiber {
    /* These come first: assembly knows where they are (device/one_stack.c). */
    void *stack_pointer;
    struct umsim_registers registers;
    char *kept; /* on one stack (stacks.h): where what is in use of it is kept */
    size_t kept_bytes;
    umsim_thread_fn run;                 /* the kernel's form that it runs */
    struct umsim_fiber *next, *previous; /* the ring */
    uint3 index;
    unsigned generation;                  /* barriers reached */
    struct umsim_place_in_source barrier; /* under --check: the last of them */
    bool came_to_end;                     /* likewise: of the kernel, without a `return` */
    bool polls;                           /* likewise: it reads what a loop waits for */
    /* likewise: the first conditions that it has left since barrier `left_since`, with barriers in them */
    struct umsim_place_in_source left[UMSIM_LEFT_MAX];
    unsigned left_count, left_since;
    struct umsim_warp *warp;
    unsigned lane;
    enum umsim_blocked blocked;
    uint64_t result; /* of the thread's last operation of its warp */
    uint64_t cycles; /* on the thread's clock (cycles.c) */
    struct umsim_caller caller;
    uint64_t brought;                    /* the value that it brought to its tile (umsim_tile_wait()) */
    const struct umsim_awaited *awaited; /* on its stack: what the thread waits for (yield.c), or NULL */
};

/** What is known of the threads of a block that wait by polling (yield.c). */
struct umsim_waits {
    unsigned asking;  /* how many threads wait now to poll again */
    unsigned in_vain; /* how many of these have polled at least twice for what only this block can do */
    unsigned asked;   /* the value of `asking` the last time */
    struct {
        unsigned phase, arrived;
    } tile[UMSIM_WIDE_TILES],        /* tiles of more than a warp */
        named[UMSIM_NAMED_BARRIERS]; /* PTX's barriers with a number */
};

/** Lanes that have come to one operation of their warp, with one mask. */
struct umsim_meeting {
    unsigned mask, arrived;
    enum umsim_warp_operation operation;
    struct umsim_place_in_source place; /* of the first lane to come */
};

struct umsim_warp {
    unsigned alive; /* lanes that exist and have not ended */
    unsigned open;  /* bit i: meeting[i] waits for lanes */
    unsigned gathering;
    /* what each lane brings: a value, or at a gathering the address of the call */
    uint64_t value[UMSIM_WARP_LANES];
    unsigned char source[UMSIM_WARP_LANES];
    struct umsim_meeting meeting[UMSIM_WARP_LANES];
    struct umsim_fiber *lanes; /* the warp's first thread */
};

#endif
