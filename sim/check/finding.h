/**
 * @file finding.h
 * @brief A finding: what was wrong with an access, as plain data in memory that both processes share.
 *
 * The GPU process writes findings, the host process prints them. When the same is found again at the same
 * place in the program, only the count rises.
 */
#ifndef UMSIM_CHECK_FINDING_H
#define UMSIM_CHECK_FINDING_H

#include "../include/vector_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum umsim_finding_kind {
    UMSIM_FOUND_OUT_OF_BOUNDS,
    UMSIM_FOUND_MISALIGNED,
    UMSIM_FOUND_READ_ONLY,     /* a write to __constant__ memory, or to the program's constants */
    UMSIM_FOUND_UNINITIALISED, /* a read */
    UMSIM_FOUND_RACE,
    UMSIM_FOUND_NO_TEXTURE, /* a read through a handle that names no texture; the handle is in `address` */
    UMSIM_FOUND_PASSED_BY,  /* `threads` have ended, others wait; `bytes`: how many barriers they came to, if
                               this line's was the last */
    UMSIM_FOUND_ABSENT_LANES, /* a mask names lanes that never come: `address`; the warp has `bytes` lanes */
};

enum umsim_space { UMSIM_SPACE_GLOBAL, UMSIM_SPACE_SHARED, UMSIM_SPACE_LOCAL, UMSIM_SPACE_UNKNOWN };

/** Who made an access. */
struct umsim_toucher {
    const void *pc; /* the return address of gcc's call before the access; NULL: not known */
    unsigned device;
    uint3 block, thread;
    bool thread_known;
    bool is_write, is_atomic;
};

struct umsim_finding {
    enum umsim_finding_kind kind;
    enum umsim_space space;
    struct umsim_toucher by, other; /* other: in a race, who made the earlier access */
    size_t bytes;
    uintptr_t address;
    uintptr_t nearest;    /* __shared__: start of the variable that it is in, or next to */
    size_t nearest_bytes; /* 0: there is none */
    bool one_warp;        /* a race: both are lanes of one warp, each time that it was found */
    bool one_block;       /* likewise, of one block */
    bool lacks_fence;     /* a race: the earlier one's block has made an atomic since, without a fence */
    bool lacks_acquire;   /* a race: a fence behind this one's atomic would do */
    bool block_scope;     /* a race: this atomic holds for its block only, and the other block is another */
    bool two_launches;    /* a race: of two launches, made at these places */
    const void *launched, *other_launched;
    bool is_dynamic;         /* ... the variable is the launch's dynamic __shared__ memory */
    const void *kernel_code; /* where the kernel's code begins */
    char kernel[128];
    char file[64], threads[64]; /* of a barrier: its place; which threads, as text */
    int line;
    char condition_file[64];
    int condition;         /* the line of the `if` or loop where they passed it by; 0: not known */
    bool passed;           /* of a barrier, or a warp: these threads were alive, and have passed it by */
    const char *operation; /* of a warp */
    /* in __local__ memory: for own_array.h; `bytes` is how wide the thread's next access was, 0: there was
     * none, or it was on its stack */
    const void *array;
    uint64_t index;
    const void *outside;   /* ... an access beyond the end of a variable; NULL: only an index is known */
    bool is_before_shared; /* ... but the next access was right before the block's __shared__ memory */
    uint64_t count;        /* accesses so far */
    uint64_t told;         /* host process: the count when it was last printed; 0: not printed yet */
    size_t record;         /* host process: what umsim_results_count() names it by */
};

#define UMSIM_FINDINGS_MAX 256

/** Host process, before the fork. */
bool umsim_findings_start(void);

/** GPU process: notes a finding. If the same was found at the same place before, only its count rises. */
void umsim_finding_note(const struct umsim_finding *finding);

/** Host process: findings so far, in the order in which they were made. Those beyond UMSIM_FINDINGS_MAX are
 * only counted, in `lost`. */
size_t umsim_findings(struct umsim_finding **all, uint64_t *lost);

#endif
