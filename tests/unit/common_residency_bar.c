/**
 * @file common_residency_bar.c
 * @brief Tests of umsim_residency() and common/um_residency_bar: where pages are, drawn as text.
 */
#include "um_lab.h"
#include "um_residency_bar.h"
#include "um_test.h"
#include "umsim.h"
#include "umsim/page.h"

#include "common_capture.h"

#define PAGE ((size_t)UMSIM_PAGE_BYTES)
#define BLOCK ((size_t)2 << 20)

/* Four blocks of managed memory that nobody has touched, or the test ends here. */
static unsigned char *four_blocks(void)
{
    void *p = NULL;

    if (cudaMallocManaged(&p, 4 * BLOCK, cudaMemAttachGlobal) != cudaSuccess)
        UM_SKIP("no managed memory here");
    return p;
}

static const char *drawn(const void *p, size_t bytes, size_t characters)
{
    static char bar[UM_RESIDENCY_BAR_CHARACTERS + 1];

    umsim_residency(p, bytes, bar, characters);
    return bar;
}

static void each_side_is_drawn_where_it_holds_the_pages(void)
{
    unsigned char *p = four_blocks();

    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 4), "....");
    memset(p, 1, 3 * BLOCK);
    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 4), "HHH.");
    UM_EQUAL(um_prefetch(p + BLOCK, BLOCK, 0, 0), cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 4), "HGH.");
    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 8), "HHGGHH..");
    UM_STRING_EQUAL(drawn(p + BLOCK, BLOCK, 3), "GGG");
    cudaFree(p);
}

static void copies_on_both_sides_are_drawn_as_such(void)
{
    unsigned char *p = four_blocks();

    memset(p, 1, 4 * BLOCK);
    UM_EQUAL(um_advise(p, BLOCK, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
    UM_EQUAL(um_prefetch(p, BLOCK, 0, 0), cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 4), "=HHH");
    for (size_t page = 0; page < BLOCK / PAGE / 5; page++)
        p[page * PAGE] = 2; /* the write takes the GPU's copy away */
    UM_STRING_EQUAL(drawn(p, BLOCK, 1), "-");
    cudaFree(p);
}

static void a_mixed_part_is_drawn_by_its_majority(void)
{
    unsigned char *p = four_blocks();

    memset(p, 1, BLOCK);
    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 1), ",");
    memset(p, 1, 3 * BLOCK);
    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 1), "h");
    UM_EQUAL(um_prefetch(p, 3 * BLOCK, 0, 0), cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 1), "g");
    cudaFree(p);
}

static void drawing_moves_and_counts_nothing(void)
{
    unsigned char *p = four_blocks();
    struct umsim_counters before, after;
    uint64_t time;

    memset(p, 1, BLOCK);
    UM_EQUAL(um_prefetch(p, BLOCK, 0, 0), cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    umsim_counters_read(&before);
    time = umsim_time_ns();
    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 4), "G...");
    UM_STRING_EQUAL(drawn(p, 4 * BLOCK, 4), "G...");
    umsim_counters_read(&after);
    CU_ASSERT_TRUE(memcmp(&before, &after, sizeof before) == 0);
    UM_EQUAL(umsim_time_ns(), time);
    cudaFree(p);
}

static void there_are_no_more_characters_than_pages(void)
{
    unsigned char *p = four_blocks();
    char bar[9] = "????????";

    p[PAGE] = 1; /* and what else lies in its 64 KiB: the least that a fault makes */
    UM_EQUAL(umsim_residency(p, 3 * PAGE, bar, 8), 3);
    UM_STRING_EQUAL(bar, "HHH");
    UM_EQUAL(umsim_residency(p + 100, 1, bar, 8), 1);
    UM_EQUAL(umsim_residency(p + PAGE - 1, 2, bar, 8), 2);
    UM_EQUAL(umsim_residency(p, 0, bar, 8), 0);
    UM_STRING_EQUAL(bar, "");
    cudaFree(p);
}

static void a_long_line_is_drawn_whole(void)
{
    unsigned char *p = four_blocks();
    char bar[4 * BLOCK / PAGE + 1];

    memset(p, 1, 3 * BLOCK);
    UM_EQUAL(um_prefetch(p + BLOCK, BLOCK, 0, 0), cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_EQUAL(umsim_residency(p, 4 * BLOCK, bar, 4 * BLOCK / PAGE), 4 * BLOCK / PAGE);
    for (size_t page = 0; page < 4 * BLOCK / PAGE; page++)
        UM_EQUAL(bar[page], "HGH."[page / (BLOCK / PAGE)]);
    UM_EQUAL(bar[4 * BLOCK / PAGE], '\0');
    /* exactly as many as one answer holds */
    UM_EQUAL(umsim_residency(p, 2 * BLOCK, bar, 2 * BLOCK / PAGE), 2 * BLOCK / PAGE);
    UM_EQUAL(bar[2 * BLOCK / PAGE], '\0');
    cudaFree(p);
}

static void only_living_managed_memory_is_drawn(void)
{
    char bar[9] = "????????";
    unsigned char *p = four_blocks();
    void *d = NULL;

    UM_EQUAL(cudaMalloc(&d, PAGE), cudaSuccess);
    UM_EQUAL(umsim_residency(bar, 1, bar, 8), 0);
    UM_STRING_EQUAL(bar, "");
    UM_EQUAL(umsim_residency(d, PAGE, bar, 8), 0);
    UM_EQUAL(umsim_residency(p, SIZE_MAX, bar, 8), 0);
    cudaFree(p);
    UM_EQUAL(umsim_residency(p, PAGE, bar, 8), 0);
    cudaFree(d);
}

static const char *printed(struct capture *capture)
{
    capture_begin(capture, STDOUT_FILENO);
    um_residency_bars_print(stdout);
    capture_end(capture);
    return capture->text;
}

static void a_name_is_printed_once_and_a_repeated_step_replaces_its_line(void)
{
    static struct capture first, second;
    unsigned char *p = four_blocks();

    um_residency_bars_forget();
    UM_STRING_EQUAL(printed(&first), "");
    um_residency_bar("told", "nothing", p, 8 * PAGE);
    memset(p, 1, 4 * BLOCK);
    um_residency_bar("told", "host writes", p, 8 * PAGE);
    um_residency_bar("told", "nothing", p, 8 * PAGE);
    um_residency_bar("not managed", "at all", &first, 8);
    UM_CONTAINS(printed(&first), "\n      nothing   host writes\ntold  HHHHHHHH  HHHHHHHH\n");
    UM_STRING_EQUAL(printed(&second), first.text);
    CU_ASSERT_PTR_NULL(strstr(first.text, "not managed"));
    um_residency_bars_forget();
    cudaFree(p);
}

/* `first` and `second` are alike, `third` has other steps, and a mixed picture is drawn whole. */
static void rows_with_the_same_steps_share_a_head_where_all_pages_are_alike(void)
{
    static struct capture capture;
    unsigned char *p = four_blocks();

    um_residency_bars_forget();
    memset(p, 1, 4 * BLOCK);
    um_residency_bar("first", "before", p, 4 * BLOCK);
    um_residency_bar("first", "after", p, BLOCK);
    um_residency_bar("second", "before", p, 4 * BLOCK);
    um_residency_bar("second", "after", p, 2 * PAGE);
    um_residency_bar("third", "before", p, 4 * BLOCK);
    UM_EQUAL(um_prefetch(p, 2 * BLOCK, 0, 0), cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    um_residency_bar("mixed", "half", p + BLOCK, 2 * BLOCK);
    UM_CONTAINS(printed(&capture),
                "\n        before    after\nfirst   HHHHHHHH  HHHHHHHH\nsecond  HHHHHHHH  HH\n"
                "        before\nthird   HHHHHHHH\n"
                "mixed   half    GGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH\n");
    um_residency_bars_forget();
    cudaFree(p);
}

static void lines_beyond_the_last_are_counted(void)
{
    static struct capture capture;
    unsigned char *p = four_blocks();
    char when[24];

    um_residency_bars_forget();
    for (int i = 0; i < UM_RESIDENCY_BARS_MAX + 3; i++) {
        snprintf(when, sizeof when, "%d", i);
        um_residency_bar("x", when, p, PAGE);
    }
    UM_CONTAINS(printed(&capture), "3 more lines are not drawn");
    um_residency_bars_forget();
    cudaFree(p);
}

UM_TESTS("residency bar",
         {"each side is drawn where it holds the pages", each_side_is_drawn_where_it_holds_the_pages},
         {"copies on both sides are drawn as such", copies_on_both_sides_are_drawn_as_such},
         {"a mixed part is drawn by its majority", a_mixed_part_is_drawn_by_its_majority},
         {"drawing moves and counts nothing", drawing_moves_and_counts_nothing},
         {"there are no more characters than pages", there_are_no_more_characters_than_pages},
         {"a long line is drawn whole", a_long_line_is_drawn_whole},
         {"only living managed memory is drawn", only_living_managed_memory_is_drawn},
         {"a name is printed once, and a repeated step replaces its line",
          a_name_is_printed_once_and_a_repeated_step_replaces_its_line},
         {"rows with the same steps share a head, where all pages are alike",
          rows_with_the_same_steps_share_a_head_where_all_pages_are_alike},
         {"lines beyond the last are counted", lines_beyond_the_last_are_counted});
