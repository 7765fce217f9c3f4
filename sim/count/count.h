/**
 * @file count.h
 * @brief What a launch costs, by what its threads do: counts of accesses for kernels that declare nothing.
 *
 * **What is counted.** Each kernel has two forms (umcc/counted.c): the fast
 * one, and one with a call before each access to memory (hooks.c). In a launch that is to be measured
 * (queue/traffic.h) some blocks run in the counting form, all others in the fast one. Each block runs once,
 * in its place among the others, and both forms do the same; so results are the same, too.
 *
 * **Which blocks.** A grid is cut into parts, and of each part one block is counted, and stands for the
 * part: into UMSIM_COUNTS_BLOCKS of them, or fewer, where these blocks would have more than
 * UMSIM_COUNTS_THREADS threads in all, or be more than one in UMSIM_COUNTS_SHARE. In which place of its part
 * it is comes from the part's number, so that no stride of the kernel's meets only multiples of it. The first
 * and the last block are not among them, as a guard may end their threads early (but for the first of two).
 * Of these is only noted from where to where each instruction accesses; in a grid of at most UMSIM_COUNTS_FEW
 * blocks not even that. The same launch counts the same blocks in every run. Counts are whole numbers that
 * are added up, so neither the number of workers nor the order of blocks shows in them.
 *
 * **What becomes of accesses** (block.h, way.c). On a GPU a request is one instruction that the lanes of a
 * warp run together. Here lanes run one after another, so the k-th time that each lane of a warp comes to one
 * instruction makes one request. A request asks for 32-byte sectors of 128-byte lines. When the block has
 * ended, its requests go through a first-level cache of this block's share, one of each warp in turn, as the
 * warps of a block advance side by side. What misses is fetched from the second level.
 *
 * **Instructions** (segments.h) are counted by segments: what runs without a jump. Each thread notes the
 * segments that it comes by; how often its warp runs them follows from all lanes' notes.
 *
 * **What the host makes of it** (cost.h here). An instruction's fetches from all counted blocks, each times
 * the blocks that it stands for, are what passes between the levels. Of these the second level cannot have
 * fetched more from memory than lies between the lowest and the highest address, as long as all of a launch
 * fits into it. Managed memory is split by where its pages are after paging.
 *
 * **What is modelled, not counted**: the caches (least recently used, no sets, no other block's data in the
 * first level), and how requests of different warps interleave.
 *
 * **Graded programs** are counted by the calls that keep their kernels in bounds (grading/bounds.h), whole up
 * to UMSIM_COUNTS_GRADED_BLOCKS blocks.
 *
 * **Limits.** Not counted, and priced by touched pages: kernels of files that g++ does not compile to count
 * (-G, -flto, sanitizers of the user's). Within a counted kernel: what is called by pointers; textures; a
 * block that waits for others in a loop, because how often it looks depends on them; what a block does beyond
 * UMSIM_COUNTS_REQUESTS requests. Where blocks do very different amounts of work, the counted ones may not be
 * like the others.
 *
 * GPU process only.
 */
#ifndef UMSIM_COUNT_H
#define UMSIM_COUNT_H

#include "../worker/worker.h"

/** The most blocks of a launch that run in the counting form. */
#define UMSIM_COUNTS_BLOCKS 8
/** One block of so many, at most. */
#define UMSIM_COUNTS_SHARE 32
/** In a graded program a grid of up to so many blocks is counted whole. Of larger ones to count all would
 * take a fifth of a class's rate (lab 1: launches of 4,096 blocks). */
#define UMSIM_COUNTS_GRADED_BLOCKS 64
/** ... and the most threads of these, unless one block has more. */
#define UMSIM_COUNTS_THREADS 1024
/** The most requests of a block that are kept. */
#define UMSIM_COUNTS_REQUESTS ((uint32_t)1 << 17)

/** Before the first launch, while the worker has nothing else to do: makes the table of a block, because new
 * pages are most of what the first one takes. */
void umsim_count_prepare(struct umsim_worker *worker);

/** A launch begins, before any block. */
void umsim_count_launch(const struct umsim_command *command);

/** The first block from `number` on, and before `end`, that runs in the counting form; `end` if there is
 * none. */
uint64_t umsim_count_next(const struct umsim_command *command, uint64_t number, uint64_t end);

/** The worker begins the block `number` in the counting form.
 * @return false if the block is to run in the fast form, or there is no memory */
bool umsim_count_begin(struct umsim_worker *worker, uint64_t number);

/** Runs all threads of the worker's block in the counting form, one after another. Only of kernels whose
 * threads do not wait for each other. */
void umsim_count_threads(struct umsim_worker *worker);

/** The thread `thread` of a block that is counted goes on. */
void umsim_count_enter(struct umsim_worker *worker, size_t thread);

/** The block rests; counting goes on when its threads do.
 * @return its table, which is the worker's `counting` again then; NULL if it is not counted */
struct umsim_counting *umsim_count_put_aside(struct umsim_worker *worker);

/** The lanes of a warp have met; nothing, if their block is not counted. */
void umsim_count_meeting(struct umsim_worker *worker, enum umsim_counts_meeting what);

/** The block has ended: adds it to the launch's counts. */
void umsim_count_end(struct umsim_worker *worker);

/** Forgets the block: how often it does what depends on when others run. */
void umsim_count_drop(struct umsim_worker *worker);

/** A launch begins, and the worker counts no block: the one before may have ended in the middle of some. */
void umsim_count_none(struct umsim_worker *worker);

#endif
