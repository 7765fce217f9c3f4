/**
 * @file segments.c
 * @brief Implementation of segments.h.
 */
#include "segments.h"

#include <stddef.h>
#include <string.h>

/* Where threads note that are not counted. */
static struct {
    char seen[65536];
    const struct umsim_segment *list[UMSIM_SEGMENTS];
    struct umsim_segment_warp warp;
} nowhere;

__thread struct umsim_count_here umsim_count_here __attribute__((tls_model("initial-exec"))) = {
    .counters = nowhere.warp.counter, .marks = nowhere.warp.mark, .seen = nowhere.seen, .list = nowhere.list};

#ifdef __x86_64__
/* rax: the segment's entry. It is lost; all other registers stay as they are, and so do the flags. An entry
 * has 32 bytes, a counter's lanes 128, its marks 256. */
_Static_assert(sizeof(struct umsim_segment) == 32 && UMSIM_WARP_LANES * sizeof(uint32_t) == 4 * 32 &&
                   UMSIM_SEGMENT_MARKS == 8 * 32 && offsetof(struct umsim_count_here, list) == 64,
               "the hook below says so");
__asm__(".text\n"
        ".globl umsim_hook_segment\n"
        ".type umsim_hook_segment, @function\n"
        "umsim_hook_segment:\n\t"
        "pushq %rbx\n\t"
        "pushq %rcx\n\t"
        "pushq %rdx\n\t"
        "pushq %rsi\n\t"
        "movq umsim_count_here@gottpoff(%rip), %rdx\n\t"
        "movzwl %ax, %esi\n\t"
        "movq %fs:16(%rdx), %rbx\n\t"
        "movq (%rbx,%rsi), %rcx\n\t" /* seen */
        "jrcxz 2f\n"                 /* looks at no flags */
        "1:\n\t"
        "movzwl %ax, %ecx\n\t"
        "movq %rax, %fs:24(%rdx)\n\t"
        "movswq (%rax), %rsi\n\t"
        "leaq (%rax,%rsi), %rsi\n\t"
        "movzwl %si, %esi\n\t"
        "movq %fs:(%rdx), %rbx\n\t"
        "movzbl (%rbx,%rsi,4), %esi\n\t" /* passes of its loop, their lowest bits */
        "movl (%rbx,%rcx,4), %eax\n\t"
        "leal 1(%rax), %eax\n\t"
        "movl %eax, (%rbx,%rcx,4)\n\t"
        "movq %fs:8(%rdx), %rdx\n\t"
        "leaq (%rdx,%rcx,8), %rdx\n\t"
        "movb $1, (%rdx,%rsi)\n\t"
        "popq %rsi\n\t"
        "popq %rdx\n\t"
        "popq %rcx\n\t"
        "popq %rbx\n\t"
        "ret\n"
        "2:\n\t" /* the first time in this block */
        "movq %rax, (%rbx,%rsi)\n\t"
        "movq %fs:64(%rdx), %rcx\n\t"
        "movq %rax, (%rcx)\n\t"
        "leaq 8(%rcx), %rcx\n\t"
        "movq %rcx, %fs:64(%rdx)\n\t"
        "jmp 1b\n\t"
        ".size umsim_hook_segment, .-umsim_hook_segment\n");
#endif

void umsim_segments_begin(struct umsim_segment_counts *counts, size_t threads, bool one_by_one)
{
    if (!one_by_one)
        memset(counts->latest, 0, threads * sizeof counts->latest[0]);
    counts->running = 0;
    counts->one_by_one = one_by_one;
    counts->sum = (struct umsim_segment_sum){.lanes = 0};
    counts->list_end = counts->list;
    umsim_count_here.list = counts->list;
    umsim_count_here.latest = NULL;
    umsim_segments_enter(counts, 0);
}

void umsim_segments_leave(void)
{
    umsim_count_here = (struct umsim_count_here){.counters = nowhere.warp.counter,
                                                 .marks = nowhere.warp.mark,
                                                 .seen = nowhere.seen,
                                                 .list = nowhere.list};
}

/* ---- what a warp did ---- */

static size_t place_of(const struct umsim_segment *it)
{
    return (uintptr_t)it % 65536 / sizeof *it;
}

static const struct umsim_segment *at_distance(const struct umsim_segment *it, int bytes)
{
    return (const struct umsim_segment *)((const char *)it + bytes);
}

static void read_visits(const struct umsim_segment_warp *warp, size_t place, struct umsim_segment_visits *of)
{
    const uint32_t *counter = warp->counter[place];
    *of = (struct umsim_segment_visits){.known = of->known};
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++) {
        of->most = counter[lane] > of->most ? counter[lane] : of->most;
        of->all += counter[lane];
    }
    for (unsigned i = 0; i < UMSIM_SEGMENT_MARKS; i++)
        of->marked += warp->mark[place][i];
    of->together = (double)of->most;
}

static double together_of(struct umsim_segment_counts *counts, const struct umsim_segment_warp *warp,
                          const struct umsim_segment *it);

static struct umsim_segment_visits *visits_of(struct umsim_segment_counts *counts,
                                              const struct umsim_segment_warp *warp,
                                              const struct umsim_segment *it)
{
    struct umsim_segment_visits *of = &counts->visits[place_of(it)];
    if (of->known != counts->stamp) {
        of->known = counts->stamp;
        read_visits(warp, place_of(it), of);
        of->together = together_of(counts, warp, it);
    }
    return of;
}

/* How many times more often than one lane's visits tell the warp is there. */
static double parted(const struct umsim_segment_visits *of)
{
    return of->most ? of->together / (double)of->most : 1;
}

static double together_of(struct umsim_segment_counts *counts, const struct umsim_segment_warp *warp,
                          const struct umsim_segment *it)
{
    const struct umsim_segment_visits *of = &counts->visits[place_of(it)];
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

static void clear(struct umsim_segment_warp *warp, size_t place)
{
    memset(warp->counter[place], 0, sizeof warp->counter[0]);
    memset(warp->mark[place], 0, sizeof warp->mark[0]);
}

void umsim_segments_forget(struct umsim_segment_counts *counts)
{
    for (size_t place = 0; place < UMSIM_SEGMENTS; place++) {
        if (!counts->seen[place].segment)
            continue;
        counts->seen[place].segment = NULL;
        for (size_t i = 0; i < sizeof counts->warp / sizeof counts->warp[0]; i++)
            clear(&counts->warp[i], place);
    }
}

/* Adds up what the warp did, always in the same order, and clears its counters. */
static void add_warp(struct umsim_segment_counts *counts, struct umsim_segment_warp *warp)
{
    const size_t seen = (size_t)(umsim_count_here.list - counts->list);
    double chain = 0;
    if (++counts->stamp == 0) /* a stamp of long ago is none of now */
        memset(counts->visits, 0, sizeof counts->visits), counts->stamp = 1;
    for (size_t i = 0; i < seen; i++)
        add_segment(counts->list[i], visits_of(counts, warp, counts->list[i]), &counts->sum, &chain);
    for (size_t i = 0; i < seen; i++)
        clear(warp, place_of(counts->list[i]));
    if (chain > (double)counts->sum.work[UMSIM_WORK_CHAIN])
        counts->sum.work[UMSIM_WORK_CHAIN] = (uint64_t)chain;
}

/* By places: that is almost the order in which threads come by. (qsort() may ask for memory.) */
static void sort_list(struct umsim_segment_counts *counts)
{
    const struct umsim_segment **list = counts->list;
    for (ptrdiff_t i = 1; i < umsim_count_here.list - list; i++) {
        const struct umsim_segment *it = list[i];
        ptrdiff_t at = i;
        for (; at > 0 && place_of(list[at - 1]) > place_of(it); at--)
            list[at] = list[at - 1];
        list[at] = it;
    }
}

void umsim_segments_warp_ends(struct umsim_segment_counts *counts)
{
    sort_list(counts);
    add_warp(counts, &counts->warp[0]);
}

struct umsim_segment_sum umsim_segments_sum(struct umsim_segment_counts *counts, size_t threads)
{
    sort_list(counts);
    for (size_t first = 0; first < threads && !counts->one_by_one; first += UMSIM_WARP_LANES)
        add_warp(counts, &counts->warp[first / UMSIM_WARP_LANES]);
    for (; umsim_count_here.list > counts->list; umsim_count_here.list--)
        counts->seen[place_of(umsim_count_here.list[-1])].segment = NULL;
    return counts->sum;
}
