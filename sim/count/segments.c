/**
 * @file segments.c
 * @brief Implementation of segments.h.
 */
#include "segments.h"

#include <stddef.h>
#include <string.h>

__thread struct umsim_count_here umsim_count_here __attribute__((tls_model("initial-exec")));

_Static_assert(sizeof(struct umsim_count_noted) == 16 && offsetof(struct umsim_count_noted, key) == 8 &&
                   offsetof(struct umsim_count_here, log_end) == 0 &&
                   offsetof(struct umsim_count_here, at) == 8 &&
                   offsetof(struct umsim_count_here, segments) == 16,
               "the hooks below say so");
#ifdef __x86_64__
/* rax: the segment. It is lost; all other registers stay as they are, and so do the flags, so that nothing
 * here adds or compares. When the log is full, umsim_count_log_full() makes space. */
__asm__(".text\n"
        ".globl umsim_hook_segment\n"
        ".type umsim_hook_segment, @function\n"
        "umsim_hook_segment:\n\t"
        "pushq %rcx\n\t"
        "pushq %rdx\n\t"
        "pushq %rbx\n\t"
        "movq umsim_count_here@gottpoff(%rip), %rdx\n\t"
        "movq %fs:16(%rdx), %rcx\n\t"
        "jrcxz 3f\n\t" /* looks at no flags */
        "movq %fs:8(%rdx), %rcx\n\t"
        "jrcxz 2f\n"
        "1:\n\t"
        "movq %fs:(%rdx), %rbx\n\t"
        "movq $0, (%rbx,%rcx)\n\t"
        "movq %rax, 8(%rbx,%rcx)\n\t"
        "leaq 16(%rcx), %rcx\n\t"
        "movq %rcx, %fs:8(%rdx)\n"
        "3:\n\t"
        "popq %rbx\n\t"
        "popq %rdx\n\t"
        "popq %rcx\n\t"
        "ret\n"
        "2:\n\t"
        "pushfq\n\t"
        "pushq %rax\n\t"
        "pushq %rdx\n\t"
        "pushq %rsi\n\t"
        "pushq %rdi\n\t"
        "pushq %r8\n\t"
        "pushq %r9\n\t"
        "pushq %r10\n\t"
        "pushq %r11\n\t"
        "cld\n\t"
        "movq %rsp, %rbx\n\t"
        "andq $-16, %rsp\n\t"
        "call umsim_count_log_full\n\t"
        "movq %rbx, %rsp\n\t"
        "popq %r11\n\t"
        "popq %r10\n\t"
        "popq %r9\n\t"
        "popq %r8\n\t"
        "popq %rdi\n\t"
        "popq %rsi\n\t"
        "popq %rdx\n\t"
        "popq %rax\n\t"
        "popfq\n\t"
        "movq %fs:8(%rdx), %rcx\n\t"
        "jmp 1b\n\t"
        ".size umsim_hook_segment, .-umsim_hook_segment\n");
#elif defined(__aarch64__)
/* x16: the segment. It is lost; what calls this has put x15 and x17 on the stack (umcc/machine_arm64.c). All
 * other registers stay as they are, and so do the flags: `cbz` and `add` neither look at them nor set them.
 * umsim_count_log_full() keeps vectors. */
__asm__(".text\n"
        ".globl umsim_hook_segment\n"
        ".type umsim_hook_segment, @function\n"
        "umsim_hook_segment:\n\t"
        "hint #36\n\t" /* a jump from a register may lead here (BTI) */
        "stp x13, x14, [sp, #-16]!\n\t"
        "adrp x15, :gottprel:umsim_count_here\n\t"
        "ldr x15, [x15, #:gottprel_lo12:umsim_count_here]\n\t"
        "mrs x17, tpidr_el0\n\t"
        "add x15, x15, x17\n\t"
        "ldr x13, [x15, #16]\n\t"
        "cbz x13, 3f\n\t"
        "ldr x13, [x15, #8]\n\t"
        "cbz x13, 2f\n"
        "1:\n\t"
        "ldr x14, [x15]\n\t"
        "add x14, x14, x13\n\t"
        "stp xzr, x16, [x14]\n\t"
        "add x13, x13, #16\n\t"
        "str x13, [x15, #8]\n"
        "3:\n\t"
        "ldp x13, x14, [sp], #16\n\t"
        "ldp x15, x17, [sp], #16\n\t"
        "ret\n"
        "2:\n\t"
        "mrs x13, nzcv\n\t"
        "stp x13, x30, [sp, #-192]!\n\t"
        "stp x0, x1, [sp, #16]\n\t"
        "stp x2, x3, [sp, #32]\n\t"
        "stp x4, x5, [sp, #48]\n\t"
        "stp x6, x7, [sp, #64]\n\t"
        "stp x8, x9, [sp, #80]\n\t"
        "stp x10, x11, [sp, #96]\n\t"
        "stp x12, x15, [sp, #112]\n\t"
        "stp x16, x18, [sp, #128]\n\t"
        "str x29, [sp, #144]\n\t"
        "bl umsim_count_log_full\n\t"
        "ldp x0, x1, [sp, #16]\n\t"
        "ldp x2, x3, [sp, #32]\n\t"
        "ldp x4, x5, [sp, #48]\n\t"
        "ldp x6, x7, [sp, #64]\n\t"
        "ldp x8, x9, [sp, #80]\n\t"
        "ldp x10, x11, [sp, #96]\n\t"
        "ldp x12, x15, [sp, #112]\n\t"
        "ldp x16, x18, [sp, #128]\n\t"
        "ldr x29, [sp, #144]\n\t"
        "ldp x13, x30, [sp], #192\n\t"
        "msr nzcv, x13\n\t"
        "ldr x13, [x15, #8]\n\t"
        "b 1b\n\t"
        ".size umsim_hook_segment, .-umsim_hook_segment\n");
#endif

void umsim_segments_begin(struct umsim_segment_counts *counts, size_t threads, bool one_by_one)
{
    memset(counts->latest, 0, threads * sizeof counts->latest[0]);
    counts->one_by_one = one_by_one;
    counts->warps = one_by_one ? 1 : (threads + UMSIM_WARP_LANES - 1) / UMSIM_WARP_LANES;
    counts->sum = (struct umsim_segment_sum){.lanes = 0};
    memset(counts->lanes, 0, sizeof counts->lanes);
    counts->list_end = counts->list;
}

/* ---- what a warp did ---- */

static const struct umsim_segment *at_distance(const struct umsim_segment *it, int bytes)
{
    return (const struct umsim_segment *)((const char *)it + bytes);
}

static void read_visits(const struct umsim_segment_counts *counts, size_t warp,
                        const struct umsim_segment *it, struct umsim_segment_visits *of)
{
    const struct umsim_segment_lanes *lanes = counts->lanes[umsim_segment_place(it)];
    *of = (struct umsim_segment_visits){.known = of->known};
    if (!lanes)
        return;
    lanes += warp;
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++) {
        of->most = lanes->counter[lane] > of->most ? lanes->counter[lane] : of->most;
        of->all += lanes->counter[lane];
    }
    for (unsigned i = 0; i < UMSIM_SEGMENT_MARKS / 32; i++)
        of->marked += lanes->mark[i] ? (unsigned)__builtin_popcount(lanes->mark[i]) : 0;
    of->together = (double)of->most;
}

static double together_of(struct umsim_segment_counts *counts, size_t warp, const struct umsim_segment *it);

static struct umsim_segment_visits *visits_of(struct umsim_segment_counts *counts, size_t warp,
                                              const struct umsim_segment *it)
{
    struct umsim_segment_visits *of = &counts->visits[umsim_segment_place(it)];
    if (of->known != counts->stamp) {
        of->known = counts->stamp;
        read_visits(counts, warp, it, of);
        of->together = together_of(counts, warp, it);
    }
    return of;
}

/* How many times more often than one lane's visits tell the warp is there. */
static double parted(const struct umsim_segment_visits *of)
{
    return of->most ? of->together / (double)of->most : 1;
}

static double together_of(struct umsim_segment_counts *counts, size_t warp, const struct umsim_segment *it)
{
    const struct umsim_segment_visits *of = &counts->visits[umsim_segment_place(it)];
    double all = (double)of->most;
    if (it->entry) {
        all *= parted(visits_of(counts, warp, at_distance(it, it->entry)));
    } else if (it->loop) {
        const struct umsim_segment_visits *loop = visits_of(counts, warp, at_distance(it, it->loop));
        const double passes = loop->most <= UMSIM_SEGMENT_MARKS
                                  ? of->marked
                                  : (double)loop->most * of->marked / UMSIM_SEGMENT_MARKS;
        all = (passes > all ? passes : all) * parted(loop);
    }
    all = all > (double)of->all ? (double)of->all : all;
    return all < (double)of->most ? (double)of->most : all;
}

static void add_segment(const struct umsim_segment *it, const struct umsim_segment_visits *of,
                        struct umsim_segment_sum *sum, double *chain)
{
    uint64_t instructions = 0;
    for (int c = 0; c < UMSIM_WORK_CHAIN; c++) {
        sum->work[c] += (uint64_t)(of->together * it->work[c]);
        instructions += c < UMSIM_WORK_INSTRUCTIONS ? it->work[c] : 0;
    }
    *chain += of->together * it->work[UMSIM_WORK_CHAIN];
    sum->lanes += of->all * instructions;
}

/* Adds up what the warp did, always in the same order. */
static void add_warp(struct umsim_segment_counts *counts, size_t warp)
{
    const size_t seen = (size_t)(counts->list_end - counts->list);
    double chain = 0;
    if (++counts->stamp == 0) /* a stamp of long ago is none of now */
        memset(counts->visits, 0, sizeof counts->visits), counts->stamp = 1;
    for (size_t i = 0; i < seen; i++)
        add_segment(counts->list[i], visits_of(counts, warp, counts->list[i]), &counts->sum, &chain);
    if (chain > (double)counts->sum.work[UMSIM_WORK_CHAIN])
        counts->sum.work[UMSIM_WORK_CHAIN] = (uint64_t)chain;
}

/* By places: that is almost the order in which threads come by. (qsort() may ask for memory.) */
static void sort_list(struct umsim_segment_counts *counts)
{
    const struct umsim_segment **list = counts->list;
    for (ptrdiff_t i = 1; i < counts->list_end - list; i++) {
        const struct umsim_segment *it = list[i];
        ptrdiff_t at = i;
        for (; at > 0 && umsim_segment_place(list[at - 1]) > umsim_segment_place(it); at--)
            list[at] = list[at - 1];
        list[at] = it;
    }
}

void umsim_segments_warp_ends(struct umsim_segment_counts *counts)
{
    sort_list(counts);
    add_warp(counts, 0);
    for (const struct umsim_segment *const *it = counts->list; it < counts->list_end; it++)
        *counts->lanes[umsim_segment_place(*it)] = (struct umsim_segment_lanes){{0}, {0}};
}

struct umsim_segment_sum umsim_segments_sum(struct umsim_segment_counts *counts, size_t threads)
{
    if (counts->one_by_one)
        umsim_segments_warp_ends(counts);
    sort_list(counts);
    for (size_t first = 0; first < threads && !counts->one_by_one; first += UMSIM_WARP_LANES)
        add_warp(counts, first / UMSIM_WARP_LANES);
    return counts->sum;
}
