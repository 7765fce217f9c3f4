/**
 * @file internal.h
 * @brief What the files of the paging policy share; callers of the policy include uvm.h only.
 *
 * The files in layers, each of which uses those above it:
 *  - mask.h: sets of pages
 *  - system.c: the processors
 *  - block.c: where a page is, what is granted
 *  - tree.c: which neighbours come along
 *  - thrash.c: which pages are fought over
 *  - evict.c: device memory
 *  - residency.c: moving pages, one block
 *  - service.c: one fault service of one block
 *  - cpu.c, gpu.c, prefetch.c, advice.c: the operations
 */
#ifndef UMSIM_UVM_INTERNAL_H
#define UMSIM_UVM_INTERNAL_H

#include "mask.h"

/* ---- system.c ---- */

/** for (each processor), in the order of their numbers */
#define uvm_for_each_processor(processor, system)                                                            \
    for (enum uvm_processor processor = UVM_CPU; (unsigned)processor < (system)->processors; processor++)
#define uvm_for_each_gpu(gpu, system)                                                                        \
    for (enum uvm_processor gpu = UVM_GPU; (unsigned)gpu < (system)->processors; gpu++)
/** The processor that is next but `number` to another: that itself is number 0. */
static inline enum uvm_processor uvm_closest(const struct uvm_system *system, enum uvm_processor to,
                                             unsigned number)
{
    return (enum uvm_processor)system->closest[to][number];
}

/** Whether a processor can map another one's memory (or its own). */
static inline bool uvm_reaches(const struct uvm_system *system, enum uvm_processor processor,
                               enum uvm_processor whose)
{
    return system->reach[processor] & uvm_bit(whose);
}

/* ---- block.c: finding things ---- */

static inline size_t uvm_block_index(const struct uvm_space *space, const struct uvm_block *block)
{
    return (size_t)(block - space->block);
}

static inline uintptr_t uvm_page_address(const struct uvm_space *space, const struct uvm_block *block,
                                         unsigned page)
{
    return space->base + uvm_block_index(space, block) * UVM_VA_BLOCK_BYTES + page * UVM_PAGE_BYTES;
}

/** Whether `address` is in the space. If so, its block and page are stored. */
bool uvm_locate(const struct uvm_space *space, uintptr_t address, struct uvm_block **block, unsigned *page);

/** A range of pages, walked block by block. */
struct uvm_walk {
    struct uvm_space *space;
    uint64_t page, end; /* counted from the space's base */
    struct uvm_block *block;
    struct uvm_region region; /* of the block */
};

/** Starts a walk of the pages of [address, address + bytes). False if they leave the space. */
bool uvm_walk_start(struct uvm_walk *walk, const struct uvm_space *space, uintptr_t address, size_t bytes);

/** Goes to the next block; false at the end. Call it before using the first block, too. */
bool uvm_walk_next(struct uvm_walk *walk);

/** Whether all pages of a range are live. */
bool uvm_all_valid(const struct uvm_space *space, uintptr_t address, size_t bytes);

/**
 * What the driver calls a VA block: the pages around a live page in its block that belong to the same range
 * and have had the same advice.
 */
struct uvm_region uvm_policy_region(const struct uvm_block *block, unsigned page);

/** The pages that are resident somewhere; and those that are on several processors, which are duplicates. */
struct uvm_mask uvm_resident(const struct uvm_space *space, const struct uvm_block *block);
struct uvm_mask uvm_duplicated(const struct uvm_space *space, const struct uvm_block *block);

/** Clears the marks of `pages`. A running launch may be marking others of the block. */
void uvm_unmark(struct uvm_block *block, struct uvm_mask pages);

/** Takes grants away, and notes the block as revoked if there were any. */
void uvm_revoke(struct uvm_space *space, struct uvm_block *block, enum uvm_processor processor,
                struct uvm_mask pages);
void uvm_revoke_write(struct uvm_space *space, struct uvm_block *block, enum uvm_processor processor,
                      struct uvm_mask pages);
void uvm_note_revoked(struct uvm_space *space, const struct uvm_block *block, enum uvm_processor processor);

/** Reports each run of `pages` to the observer. @param from as in struct uvm_event */
void uvm_tell(const struct uvm_space *space, const struct uvm_block *block, struct uvm_delta *delta,
              enum uvm_event_type type, enum uvm_processor processor, enum uvm_processor from,
              struct uvm_mask pages);

/* ---- tree.c ---- */

/**
 * The pages of `region` that come to `destination` together with the faulted ones, which are on their way
 * there. The answer holds neither the faulted pages themselves, nor what is already resident and mapped on
 * the CPU.
 */
struct uvm_mask uvm_tree_prefetch(const struct uvm_space *space, const struct uvm_block *block,
                                  struct uvm_region region, enum uvm_processor destination,
                                  struct uvm_mask faulted);

/* ---- evict.c ---- */

/** Gives the block a chunk of a GPU's memory, evicting the GPU's oldest chunks if necessary. */
enum uvm_status uvm_chunk_take(struct uvm_space *space, struct uvm_block *block, enum uvm_processor gpu,
                               struct uvm_delta *delta);

/** Pages were made resident in the block's chunk: it is now the newest. */
void uvm_chunk_used(struct uvm_space *space, struct uvm_block *block, enum uvm_processor gpu);

/** Gives the chunks back that hold no page of the block any more. */
void uvm_chunks_drop_if_empty(struct uvm_space *space, struct uvm_block *block);

/* ---- residency.c ---- */

/** Why pages migrate. Pages of `prefetched` are charged to UVM_CAUSE_PREFETCH, the others to `cause`. */
struct uvm_reason {
    enum uvm_cause cause;
    struct uvm_mask prefetched;
};

/** Makes `pages` resident on `destination` and nowhere else. Pages that have to move lose all their mappings.
 */
enum uvm_status uvm_make_resident(struct uvm_space *space, struct uvm_block *block,
                                  enum uvm_processor destination, struct uvm_mask pages,
                                  const struct uvm_reason *reason, struct uvm_delta *delta);

/** Makes `pages` resident on `destination`, too. From then on no processor may write them. */
enum uvm_status uvm_make_duplicate(struct uvm_space *space, struct uvm_block *block,
                                   enum uvm_processor destination, struct uvm_mask pages,
                                   const struct uvm_reason *reason, struct uvm_delta *delta);

/**
 * Maps `pages`, which `processor` can reach, for it: to read, or to read and write. Counts remote mappings.
 * @return the pages for which that is new
 */
struct uvm_mask uvm_map(struct uvm_space *space, struct uvm_block *block, enum uvm_processor processor,
                        struct uvm_mask pages, bool writable, struct uvm_delta *delta);

/** Maps `pages`, which are resident on `residency`, for the GPUs that AccessedBy names and that can reach
 * them; but for `processor`, which has made them resident there. */
void uvm_map_accessed_by(struct uvm_space *space, struct uvm_block *block, enum uvm_processor residency,
                         enum uvm_processor processor, struct uvm_mask pages, struct uvm_delta *delta);

/* ---- thrash.c ---- */

/** What thrashing detection says of faulted pages. Pages in none of the masks are serviced as usual. */
struct uvm_thrash_hints {
    struct uvm_mask throttled;              /* not serviced now: ask again */
    uint64_t wake_ns;                       /* when the first of the throttled pages may be asked for again */
    bool any_pinned;                        /* else the following means nothing */
    struct uvm_mask pinned[UVM_PROCESSORS]; /* here */
};

/** To be called before a service, at delta->now_ns. Counts throttles and pins. */
void uvm_thrash_ask(struct uvm_space *space, struct uvm_block *block, enum uvm_processor processor,
                    struct uvm_mask faulted, struct uvm_thrash_hints *hints, struct uvm_delta *delta);

/** How long a processor is kept waiting by a throttle of `ns`. */
uint64_t uvm_thrash_nap(enum uvm_processor processor, uint64_t ns);

/** The pages of `pinned` that a GPU fights over: they are mapped for it where they are pinned. */
struct uvm_mask uvm_thrash_fought_by(const struct uvm_space *space, const struct uvm_block *block,
                                     enum uvm_processor gpu, struct uvm_mask pinned);

/** To be called for pages that were copied to `destination` and kept nowhere else. */
void uvm_thrash_moved(struct uvm_space *space, struct uvm_block *block, enum uvm_processor destination,
                      struct uvm_mask pages, enum uvm_cause cause, struct uvm_delta *delta);

/** Makes pages ordinary ones again. */
void uvm_thrash_forget(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages);

/** Nothing lives in the block any more. */
void uvm_thrash_end(struct uvm_space *space, struct uvm_block *block);

/* ---- service.c ---- */

/** Where a fault by `processor` leaves, or brings, the pages of `faulted`. @param[out] to each page is in one
 * of them @param pinned by thrashing detection; NULL when it was not asked */
void uvm_destined(const struct uvm_space *space, const struct uvm_block *block, enum uvm_processor processor,
                  struct uvm_mask faulted, const struct uvm_mask pinned[UVM_PROCESSORS],
                  struct uvm_mask to[UVM_PROCESSORS]);

/** Services the faults of one processor in one policy region. `written` is a part of `faulted`. */
enum uvm_status uvm_service(struct uvm_space *space, struct uvm_block *block, struct uvm_region region,
                            enum uvm_processor processor, struct uvm_mask faulted, struct uvm_mask written,
                            struct uvm_delta *delta);

#endif
