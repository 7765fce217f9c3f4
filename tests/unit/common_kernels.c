/**
 * @file common_kernels.c
 * @brief Tests of kernels/: each against the host's own loop, at sizes around the block's.
 */
#include "kernels.h"
#include "um_lab.h"
#include "um_test.h"

#define MOST 100003

static const size_t sizes[] = {0, 1, 255, 256, 257, 4096, MOST};

static float h_x[MOST], h_y[MOST], h_out[MOST];
static float *d_x, *d_y, *d_out;

const char *um_test_cannot_run(void)
{
    int count = 0;

    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        return "no GPU here";
    return NULL;
}

/* Fresh data on the host and on the device. */
static void start(void)
{
    um_fill_floats(h_x, MOST, 1);
    um_fill_floats(h_y, MOST, 2);
    memset(h_out, 0, sizeof h_out);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, sizeof h_x), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_y, sizeof h_y), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_out, sizeof h_out), cudaSuccess);
    UM_EQUAL(cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice), cudaSuccess);
    UM_EQUAL(cudaMemcpy(d_y, h_y, sizeof h_y, cudaMemcpyHostToDevice), cudaSuccess);
    UM_EQUAL(cudaMemset(d_out, 0, sizeof h_out), cudaSuccess);
}

/* Copies the device's results home (which waits for the kernel), and frees. */
static void finish(void *home, const void *device, size_t bytes)
{
    UM_EQUAL(cudaMemcpy(home, device, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_out);
}

static void vector_add_adds_n_elements_and_no_more(void)
{
    for (size_t s = 0; s < UM_COUNT(sizes); s++) {
        start();
        UM_EQUAL(um_vector_add(d_out, d_x, d_y, sizes[s], 0), cudaSuccess);
        finish(h_out, d_out, sizeof h_out);
        for (size_t i = 0; i < MOST; i++) {
            CU_ASSERT_FATAL(h_out[i] == (i < sizes[s] ? h_x[i] + h_y[i] : 0));
        }
    }
}

static void saxpy_is_exact_on_whole_numbers(void)
{
    for (size_t s = 0; s < UM_COUNT(sizes); s++) {
        start();
        UM_EQUAL(um_saxpy(d_y, 3, d_x, sizes[s], 0), cudaSuccess);
        finish(h_out, d_y, sizeof h_out);
        for (size_t i = 0; i < MOST; i++) {
            CU_ASSERT_FATAL(h_out[i] == (i < sizes[s] ? 3 * h_x[i] + h_y[i] : h_y[i]));
        }
    }
}

static void fill_and_add_one_touch_n_elements(void)
{
    static int ints[MOST];

    for (size_t s = 0; s < UM_COUNT(sizes); s++) {
        start();
        UM_EQUAL(um_fill(d_x, 0.5f, sizes[s], 0), cudaSuccess);
        UM_EQUAL(um_add_one((void *)d_out, sizes[s], 0), cudaSuccess);
        UM_EQUAL(cudaMemcpy(ints, d_out, sizeof ints, cudaMemcpyDeviceToHost), cudaSuccess);
        finish(h_out, d_x, sizeof h_out);
        for (size_t i = 0; i < MOST; i++) {
            CU_ASSERT_FATAL(h_out[i] == (i < sizes[s] ? 0.5f : h_x[i]));
            CU_ASSERT_FATAL(ints[i] == (i < sizes[s]));
        }
    }
}

static void sum_adds_up_every_element(void)
{
    double *d_sum, got;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_sum, (1 + UM_SUM_BLOCKS) * sizeof(double)), cudaSuccess);
    for (size_t s = 0; s < UM_COUNT(sizes); s++) {
        start();
        got = -1;
        UM_EQUAL(cudaMemcpy(d_sum, &got, sizeof got, cudaMemcpyHostToDevice), cudaSuccess);
        UM_EQUAL(um_sum(d_sum, d_sum + 1, d_x, sizes[s], 0), cudaSuccess);
        finish(&got, d_sum, sizeof got);
        double expected = sizes[s] == 0 ? -1 : 0; /* no launch: left as it was */
        for (size_t i = 0; i < sizes[s]; i++) {
            expected += h_x[i];
        }
        CU_ASSERT_TRUE(um_verify_number("sum", got, expected));
    }
    cudaFree(d_sum);
}

/* More elements than one round of all blocks takes: the grid-stride loop goes round. */
static void sum_goes_round_when_there_are_more_elements_than_threads(void)
{
    const size_t n = (size_t)UM_SUM_BLOCKS * UM_BLOCK_THREADS + 12345;
    float *x = malloc(n * sizeof *x), *d;
    double *d_sum, got = 0, expected = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    um_fill_floats(x, n, 4);
    for (size_t i = 0; i < n; i++) {
        expected += x[i];
    }
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d, n * sizeof *x), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_sum, (1 + UM_SUM_BLOCKS) * sizeof(double)), cudaSuccess);
    UM_EQUAL(cudaMemcpy(d, x, n * sizeof *x, cudaMemcpyHostToDevice), cudaSuccess);
    UM_EQUAL(um_sum(d_sum, d_sum + 1, d, n, 0), cudaSuccess);
    UM_EQUAL(cudaMemcpy(&got, d_sum, sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
    CU_ASSERT_TRUE(um_verify_number("sum", got, expected));
    cudaFree(d);
    cudaFree(d_sum);
    free(x);
}

/* Rows of 3 floats: the whole, and the same in two parts that show each other their edges. */
static void smooth_takes_the_rows_above_and_below(void)
{
    enum { ROW = 3 };
    const size_t n = MOST / ROW / 2 * 2 * ROW, half = n / 2;
    float border[ROW] = {1, 2, 3}, *d_border;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_border, sizeof border), cudaSuccess);
    UM_EQUAL(cudaMemcpy(d_border, border, sizeof border, cudaMemcpyHostToDevice), cudaSuccess);
    for (int parts = 1; parts <= 2; parts++) {
        start();
        if (parts == 1)
            UM_EQUAL(um_smooth(d_out, d_x, d_border, d_border, n, ROW, 0), cudaSuccess);
        if (parts == 2) {
            UM_EQUAL(um_smooth(d_out, d_x, d_border, d_x + half, half, ROW, 0), cudaSuccess);
            UM_EQUAL(um_smooth(d_out + half, d_x + half, d_x + half - ROW, d_border, half, ROW, 0),
                     cudaSuccess);
        }
        finish(h_out, d_out, sizeof h_out);
        for (size_t i = 0; i < n; i++) {
            const float up = i < ROW ? border[i] : h_x[i - ROW];
            const float down = i + ROW >= n ? border[i + ROW - n] : h_x[i + ROW];
            CU_ASSERT_FATAL(h_out[i] == 0.25f * up + 0.5f * h_x[i] + 0.25f * down);
        }
    }
    UM_EQUAL(um_smooth(d_out, d_x, d_border, d_border, ROW + 1, ROW, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_smooth(d_out, d_x, d_border, d_border, n, 0, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_smooth(d_out, d_x, d_border, d_border, 0, ROW, 0), cudaSuccess);
    cudaFree(d_border);
}

static void a_stride_touches_every_stride_th_element(void)
{
    static const size_t strides[] = {1, 3, 8, 1024, MOST, 2 * MOST};

    for (size_t s = 0; s < UM_COUNT(strides); s++) {
        start();
        UM_EQUAL(um_strided_touch(d_x, MOST, strides[s], 0), cudaSuccess);
        finish(h_out, d_x, sizeof h_out);
        for (size_t i = 0; i < MOST; i++) {
            CU_ASSERT_FATAL(h_out[i] == h_x[i] + (i % strides[s] == 0));
        }
    }
    UM_EQUAL(um_strided_touch(NULL, MOST, 0, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_strided_touch(NULL, 0, 1, 0), cudaSuccess);
}

static void a_page_touch_writes_and_reads_the_first_byte_of_each_page(void)
{
    const size_t page = 4096, bytes = 10 * page + 1, pages = 11;
    unsigned char read[11], *all = (unsigned char *)h_out;

    start();
    UM_EQUAL(um_page_write((void *)d_out, bytes, page, 7, 0), cudaSuccess);
    UM_EQUAL(um_page_read((void *)d_x, (void *)d_out, bytes, page, 0), cudaSuccess);
    UM_EQUAL(cudaMemcpy(read, d_x, pages, cudaMemcpyDeviceToHost), cudaSuccess);
    finish(h_out, d_out, sizeof h_out);
    for (size_t i = 0; i < sizeof h_out; i++) {
        CU_ASSERT_FATAL(all[i] == (i < bytes && i % page == 0 ? 7 : 0));
    }
    for (size_t i = 0; i < pages; i++) {
        UM_EQUAL(read[i], 7);
    }
    UM_EQUAL(um_page_write(NULL, 1, 0, 1, 0), cudaErrorInvalidValue);
}

static void gather_follows_the_index(void)
{
    static uint32_t index[MOST];

    for (size_t i = 0; i < MOST; i++) {
        index[i] = (uint32_t)((i * 7919) % MOST);
    }
    start();
    UM_EQUAL(cudaMemcpy(d_y, index, sizeof index, cudaMemcpyHostToDevice), cudaSuccess);
    UM_EQUAL(um_gather(d_out, d_x, (void *)d_y, MOST, 0), cudaSuccess);
    finish(h_out, d_out, sizeof h_out);
    for (size_t i = 0; i < MOST; i++) {
        CU_ASSERT_FATAL(h_out[i] == h_x[index[i]]);
    }
}

static void a_chase_ends_where_the_host_ends(void)
{
    static uint64_t next[1000];
    uint64_t *d_next, got = 0, expected = 5;

    um_fill_cycle(next, UM_COUNT(next), 3);
    for (int step = 0; step < 777; step++) {
        expected = next[expected];
    }
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_next, sizeof next + sizeof got), cudaSuccess);
    UM_EQUAL(cudaMemcpy(d_next, next, sizeof next, cudaMemcpyHostToDevice), cudaSuccess);
    UM_EQUAL(um_pointer_chase(d_next + 1000, d_next, 5, 777, 0), cudaSuccess);
    UM_EQUAL(cudaMemcpy(&got, d_next + 1000, sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
    UM_EQUAL(got, expected);
    cudaFree(d_next);
}

static void a_list_is_summed_to_its_end_or_limit(void)
{
    struct um_node nodes[10], *d_nodes;
    int64_t *d_sum, got[2];

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_nodes, sizeof nodes), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_sum, sizeof got), cudaSuccess);
    for (int i = 0; i < 10; i++) {
        nodes[i] = (struct um_node){i < 9 ? d_nodes + i + 1 : NULL, 1 << i};
    }
    UM_EQUAL(cudaMemcpy(d_nodes, nodes, sizeof nodes, cudaMemcpyHostToDevice), cudaSuccess);
    UM_EQUAL(um_list_sum(d_sum, d_nodes, 4, 0), cudaSuccess);
    UM_EQUAL(um_list_sum(d_sum + 1, d_nodes, 1000, 0), cudaSuccess);
    UM_EQUAL(cudaMemcpy(got, d_sum, sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
    UM_EQUAL(got[0], 15);
    UM_EQUAL(got[1], 1023);
    cudaFree(d_nodes);
    cudaFree(d_sum);
}

static void records_move_by_their_velocity(void)
{
    enum { RECORDS = 1000 };
    static struct um_record before[RECORDS], after[RECORDS];
    struct um_record *d;

    UM_EQUAL(sizeof(struct um_record), 32);
    for (size_t i = 0; i < RECORDS; i++) {
        before[i].id = (uint32_t)i;
        before[i].mass = 1;
        for (size_t axis = 0; axis < 3; axis++) {
            before[i].position[axis] = (float)um_value(1, 3 * i + axis);
            before[i].velocity[axis] = (float)um_value(2, 3 * i + axis);
        }
    }
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d, sizeof before), cudaSuccess);
    UM_EQUAL(cudaMemcpy(d, before, sizeof before, cudaMemcpyHostToDevice), cudaSuccess);
    UM_EQUAL(um_record_move(d, 0.5f, RECORDS, 0), cudaSuccess);
    UM_EQUAL(cudaMemcpy(after, d, sizeof after, cudaMemcpyDeviceToHost), cudaSuccess);
    for (size_t i = 0; i < RECORDS; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            before[i].position[axis] += 0.5f * before[i].velocity[axis];
        }
    }
    CU_ASSERT_TRUE(um_verify_bytes("records", after, before, sizeof before));
    cudaFree(d);
}

static void an_earlier_error_is_not_taken_for_the_launchs(void)
{
    start();
    UM_EQUAL(cudaMemcpy(d_x, h_x, 4, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    UM_EQUAL(um_fill(d_x, 1, 4, 0), cudaSuccess);
    finish(h_out, d_x, sizeof h_out);
}

static void more_than_a_grid_takes_is_refused_without_a_launch(void)
{
    UM_EQUAL(um_fill(NULL, 1, SIZE_MAX, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_gather(NULL, NULL, NULL, (size_t)1 << 60, 0), cudaErrorInvalidValue);
}

static void the_bytes_of_unknown_kernels_are_none(void)
{
    CU_ASSERT_DOUBLE_EQUAL(um_kernel_bytes("um_vector_add", 1000), 12000, 0);
    CU_ASSERT_DOUBLE_EQUAL(um_kernel_bytes("um_nothing", 1000), 0, 0);
}

UM_TESTS("kernels", {"vector_add adds n elements and no more", vector_add_adds_n_elements_and_no_more},
         {"saxpy is exact on whole numbers", saxpy_is_exact_on_whole_numbers},
         {"fill and add_one touch n elements", fill_and_add_one_touch_n_elements},
         {"sum adds up every element", sum_adds_up_every_element},
         {"sum goes round when there are more elements than threads",
          sum_goes_round_when_there_are_more_elements_than_threads},
         {"smooth takes the rows above and below", smooth_takes_the_rows_above_and_below},
         {"a stride touches every stride-th element", a_stride_touches_every_stride_th_element},
         {"a page touch writes and reads the first byte of each page",
          a_page_touch_writes_and_reads_the_first_byte_of_each_page},
         {"gather follows the index", gather_follows_the_index},
         {"a chase ends where the host ends", a_chase_ends_where_the_host_ends},
         {"a list is summed to its end or limit", a_list_is_summed_to_its_end_or_limit},
         {"records move by their velocity", records_move_by_their_velocity},
         {"an earlier error is not taken for the launch's", an_earlier_error_is_not_taken_for_the_launchs},
         {"more than a grid takes is refused without a launch",
          more_than_a_grid_takes_is_refused_without_a_launch},
         {"the bytes of unknown kernels are none", the_bytes_of_unknown_kernels_are_none});
