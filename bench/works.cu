/**
 * @file works.cu
 * @brief Works of a course by kernels as anybody writes them, beside plain C with OpenMP on the same
 * processors, and OpenCL (PoCL).
 *
 * The three take turns, and the least time of each is compared: what else the machine does only adds to it.
 * Their results are compared, too. OpenMP's program is written for a processor (works/openmp.c) and compiled
 * for this one; OpenCL compiles the kernels' own text.
 */
#include <cmath>
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <unistd.h>
#include <vector>

#include "bench.h"
#include "works/kernels.h"
#include "works/peers.h"

enum {
    SIDE = 1024,
    PLANE = 4096,
    STEPS = 10,
    PICTURE = 2048,
    LIMIT = 255,
    BODIES = 16 << 10,
    OPTIONS = 4 << 20,
    KEYS = 4 << 20,
    SCANNED = 16 << 20,
    SUMMED = 64 << 20,
    COUNTED = 64 << 20,
    SUM_BLOCKS = 1024,
    RUNS = 5
};
static const float RATE = 0.02f, VOLATILITY = 0.3f;

/* Arrays of a work: first what it reads, then what it writes, and how many bytes each has. */
struct arrays {
    std::vector<void *> at;
    std::vector<size_t> bytes;
    template <class T> T *get(int i) const
    {
        return (T *)at[i];
    }
    float *reals(int i) const
    {
        return get<float>(i);
    }
};

typedef std::vector<bench_argument> arguments;

static bench_argument buffer(int i)
{
    return {i, {0}};
}

static bench_argument number(int i)
{
    return {-1, {i}};
}

static bench_argument real(float f)
{
    bench_argument a = {-1, {0}};
    a.number.f = f;
    return a;
}

static void opencl(const char *kernel, dim3 grid, dim3 block, const arguments &list)
{
    const unsigned blocks[2] = {grid.x, grid.y}, threads[2] = {block.x, block.y};
    bench_opencl_launch(kernel, blocks, threads, list.data(), (int)list.size());
}

static const dim3 TILES(SIDE / TILE, SIDE / TILE), TILE_BLOCK(TILE, TILE),
    SQUARES(PLANE / SQUARE, PLANE / SQUARE), SQUARE_BLOCK(SQUARE, 8), CELLS(PLANE / 32, PLANE / 8),
    CELL_BLOCK(32, 8), PIXELS(PICTURE / TILE, PICTURE / TILE);

/* 16M elements, the 32768 sums of their blocks, 64 sums of these. */
enum { SCAN_BLOCKS = SCANNED / (2 * BLOCK), SCAN_BLOCKS_2 = SCAN_BLOCKS / (2 * BLOCK) };

/* What an array holds at the start. */
enum kind { ZEROS, WORDS, COUNTS, SMALL, REALS }; /* COUNTS: ints below 8, SMALL: floats */

struct array_of {
    kind what;
    size_t bytes;
    float low = 0, high = 0; /* of REALS */
    bool anew = false;       /* a run changes what it has read: each begins as the first did */
};

struct work {
    const char *name;
    void (*ours)(const arrays &), (*openmp)(const arrays &), (*opencl)();
    std::vector<array_of> needs;
    std::vector<int> results; /* which arrays */
    enum { SAME, ALIKE, MOSTLY } compare;
};

static const size_t PRODUCT = sizeof(float) * SIDE * SIDE, FIELD = sizeof(float) * PLANE * PLANE,
                    OPTION = sizeof(float) * OPTIONS, CLOUD = sizeof(float4) * BODIES,
                    SCAN = sizeof(int) * SCANNED, KEY = sizeof(unsigned) * KEYS;

#define OURS(...) [](const arrays &a) { __VA_ARGS__ }
#define OPENMP(...) [](const arrays &a) { __VA_ARGS__ }
#define OPENCL(...) [] { __VA_ARGS__ }

static const work WORKS[] = {
    {"naive multiply, 1024",
     OURS(naive_multiply<<<TILES, TILE_BLOCK>>>(a.reals(2), a.reals(0), a.reals(1), SIDE);),
     OPENMP(bench_multiply(a.reals(2), a.reals(0), a.reals(1), SIDE);),
     OPENCL(opencl("naive_multiply", TILES, TILE_BLOCK, {buffer(2), buffer(0), buffer(1), number(SIDE)});),
     {{SMALL, PRODUCT}, {SMALL, PRODUCT}, {ZEROS, PRODUCT}},
     {2},
     work::SAME},
    {"tiled multiply, 1024",
     OURS(tiled_multiply<<<TILES, TILE_BLOCK>>>(a.reals(2), a.reals(0), a.reals(1), SIDE);),
     OPENMP(bench_multiply_tiles(a.reals(2), a.reals(0), a.reals(1), SIDE);),
     OPENCL(opencl("tiled_multiply", TILES, TILE_BLOCK, {buffer(2), buffer(0), buffer(1), number(SIDE)});),
     {{SMALL, PRODUCT}, {SMALL, PRODUCT}, {ZEROS, PRODUCT}},
     {2},
     work::SAME},
    {"transpose, 4096",
     OURS(transpose<<<SQUARES, SQUARE_BLOCK>>>(a.reals(1), a.reals(0), PLANE);),
     OPENMP(bench_transpose(a.reals(1), a.reals(0), PLANE);),
     OPENCL(opencl("transpose", SQUARES, SQUARE_BLOCK, {buffer(1), buffer(0), number(PLANE)});),
     {{SMALL, FIELD}, {ZEROS, FIELD}},
     {1},
     work::SAME},
    {"scan, 16M",
     OURS(int *in = a.get<int>(0); int *out = a.get<int>(1); int *sums = a.get<int>(2);
          int *more = a.get<int>(3); scan_blocks<<<SCAN_BLOCKS, BLOCK>>>(out, sums, in, SCANNED);
          scan_blocks<<<SCAN_BLOCKS_2, BLOCK>>>(sums, more, sums, SCAN_BLOCKS);
          scan_blocks<<<1, BLOCK>>>(more, a.get<int>(4), more, SCAN_BLOCKS_2);
          add_sums<<<SCAN_BLOCKS_2, BLOCK>>>(sums, more, SCAN_BLOCKS);
          add_sums<<<SCAN_BLOCKS, BLOCK>>>(out, sums, SCANNED);),
     OPENMP(bench_scan(a.get<int>(1), a.get<int>(0), SCANNED);),
     OPENCL(
         opencl("scan_blocks", SCAN_BLOCKS, BLOCK, {buffer(1), buffer(2), buffer(0), number(SCANNED)});
         opencl("scan_blocks", SCAN_BLOCKS_2, BLOCK, {buffer(2), buffer(3), buffer(2), number(SCAN_BLOCKS)});
         opencl("scan_blocks", 1, BLOCK, {buffer(3), buffer(4), buffer(3), number(SCAN_BLOCKS_2)});
         opencl("add_sums", SCAN_BLOCKS_2, BLOCK, {buffer(2), buffer(3), number(SCAN_BLOCKS)});
         opencl("add_sums", SCAN_BLOCKS, BLOCK, {buffer(1), buffer(2), number(SCANNED)});),
     {{COUNTS, SCAN},
      {ZEROS, SCAN},
      {ZEROS, sizeof(int) * SCAN_BLOCKS},
      {ZEROS, sizeof(int) * SCAN_BLOCKS_2},
      {ZEROS, sizeof(int)}},
     {1},
     work::SAME},
    {"reduction, 64M",
     OURS(reduce<<<SUM_BLOCKS, BLOCK>>>(a.reals(2), a.reals(0), SUMMED);
          reduce<<<1, BLOCK>>>(a.reals(1), a.reals(2), SUM_BLOCKS);),
     OPENMP(*a.reals(1) = bench_sum(a.reals(0), SUMMED);),
     OPENCL(opencl("reduce", SUM_BLOCKS, BLOCK, {buffer(2), buffer(0), number(SUMMED)});
            opencl("reduce", 1, BLOCK, {buffer(1), buffer(2), number(SUM_BLOCKS)});),
     {{SMALL, sizeof(float) * SUMMED}, {ZEROS, sizeof(float)}, {ZEROS, sizeof(float) * SUM_BLOCKS}},
     {1},
     work::ALIKE},
    {"Black-Scholes, 4M x 10",
     OURS(for (int i = 0; i < STEPS; i++) black_scholes<<<OPTIONS / BLOCK, BLOCK>>>(
              a.reals(3), a.reals(4), a.reals(0), a.reals(1), a.reals(2), RATE, VOLATILITY, OPTIONS);),
     OPENMP(for (int i = 0; i < STEPS; i++) bench_black_scholes(
                a.reals(3), a.reals(4), a.reals(0), a.reals(1), a.reals(2), RATE, VOLATILITY, OPTIONS);),
     OPENCL(for (int i = 0; i < STEPS; i++) opencl("black_scholes", OPTIONS / BLOCK, BLOCK,
                                                   {buffer(3), buffer(4), buffer(0), buffer(1), buffer(2),
                                                    real(RATE), real(VOLATILITY), number(OPTIONS)});),
     {{REALS, OPTION, 5, 30},
      {REALS, OPTION, 1, 100},
      {REALS, OPTION, 0.25f, 10},
      {ZEROS, OPTION},
      {ZEROS, OPTION}},
     {3, 4},
     work::ALIKE},
    {"histogram, 64M",
     OURS(histogram<<<SUM_BLOCKS, BLOCK>>>(a.get<unsigned>(1), a.get<unsigned char>(0), COUNTED);),
     OPENMP(bench_histogram(a.get<unsigned>(1), a.get<unsigned char>(0), COUNTED);),
     OPENCL(opencl("histogram", SUM_BLOCKS, BLOCK, {buffer(1), buffer(0), number(COUNTED)});),
     {{WORDS, COUNTED}, {ZEROS, sizeof(unsigned) * BINS, 0, 0, true}},
     {1},
     work::SAME},
    {"n-body, 16k",
     OURS(attract<<<BODIES / BLOCK, BLOCK>>>(a.get<float4>(1), a.get<float4>(0), BODIES);),
     OPENMP(bench_attract(a.get<bench_body>(1), a.get<bench_body>(0), BODIES);),
     OPENCL(opencl("attract", BODIES / BLOCK, BLOCK, {buffer(1), buffer(0), number(BODIES)});),
     {{REALS, CLOUD, 0.1f, 1}, {ZEROS, CLOUD}},
     {1},
     work::ALIKE},
    {"stencil 2D, 4096 x 10", /* an even number of steps: the last one's result is in the first array */
     OURS(for (int i = 0; i < STEPS; i++)
              stencil<<<CELLS, CELL_BLOCK>>>(a.reals(1 - i % 2), a.reals(i % 2), PLANE, PLANE);),
     OPENMP(for (int i = 0; i < STEPS; i++) bench_stencil(a.reals(1 - i % 2), a.reals(i % 2), PLANE, PLANE);),
     OPENCL(for (int i = 0; i < STEPS; i++)
                opencl("stencil", CELLS, CELL_BLOCK,
                       {buffer(1 - i % 2), buffer(i % 2), number(PLANE), number(PLANE)});),
     {{REALS, FIELD, 0, 1, true}, {REALS, FIELD, 0, 1, true}},
     {0},
     work::ALIKE},
    {"bitonic sort, 4M",
     OURS(for (unsigned run = 2; run <= KEYS; run *= 2) for (unsigned distance = run / 2; distance > 0;
                                                             distance /= 2)
              exchange<<<KEYS / BLOCK, BLOCK>>>(a.get<unsigned>(0), distance, run);),
     OPENMP(bench_bitonic(a.get<unsigned>(0), KEYS);),
     OPENCL(for (int run = 2; run <= KEYS; run *= 2) for (int distance = run / 2; distance > 0; distance /= 2)
                opencl("exchange", KEYS / BLOCK, BLOCK, {buffer(0), number(distance), number(run)});),
     {{WORDS, KEY, 0, 0, true}},
     {0},
     work::SAME},
    {"thrust::sort, 4M, beside a radix sort",
     OURS(thrust::sort(thrust::device, a.get<unsigned>(0), a.get<unsigned>(0) + KEYS);),
     OPENMP(bench_sort(a.get<unsigned>(0), a.get<unsigned>(1), KEYS);),
     NULL,
     {{WORDS, KEY, 0, 0, true}, {ZEROS, KEY}},
     {0},
     work::SAME},
    {"Mandelbrot, 2048",
     OURS(mandelbrot<<<PIXELS, TILE_BLOCK>>>(a.get<unsigned char>(0), PICTURE, LIMIT);),
     OPENMP(bench_mandelbrot(a.get<unsigned char>(0), PICTURE, LIMIT);),
     OPENCL(opencl("mandelbrot", PIXELS, TILE_BLOCK, {buffer(0), number(PICTURE), number(LIMIT)});),
     {{ZEROS, (size_t)PICTURE *PICTURE}},
     {0},
     work::MOSTLY},
};

static void fill(void *to, const array_of &array)
{
    unsigned state = 1;
    for (size_t i = 0; i < array.bytes / 4; i++) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        const float part = (float)(state >> 8) / (1 << 24);
        if (array.what == SMALL)
            ((float *)to)[i] = (float)(state >> 29);
        else if (array.what == REALS)
            ((float *)to)[i] = array.low + part * (array.high - array.low);
        else
            ((unsigned *)to)[i] = array.what == ZEROS ? 0 : array.what == COUNTS ? state >> 29 : state;
    }
}

enum side { US, LOOPS, CL, SIDES };

/* A work with its arrays on each side; OpenCL has its own. */
struct bench {
    const work *of;
    arrays first, host, device;
    bool with_opencl;
};

static void make(bench &b)
{
    for (const array_of &array : b.of->needs) {
        void *first = malloc(array.bytes), *host = malloc(array.bytes), *device;
        BENCH_NEED(cudaMalloc(&device, array.bytes));
        if (!first || !host) {
            fprintf(stderr, "no memory for an array of %zu bytes\n", array.bytes);
            exit(1);
        }
        fill(first, array);
        memcpy(host, first, array.bytes);
        BENCH_NEED(cudaMemcpy(device, first, array.bytes, cudaMemcpyHostToDevice));
        b.first.at.push_back(first), b.host.at.push_back(host), b.device.at.push_back(device);
        b.first.bytes.push_back(array.bytes);
    }
    if (b.with_opencl)
        bench_opencl_buffers(b.first.at.data(), b.first.bytes.data(), (int)b.first.at.size());
}

static void drop(bench &b)
{
    for (void *p : b.first.at)
        free(p);
    for (void *p : b.host.at)
        free(p);
    for (void *p : b.device.at)
        BENCH_NEED(cudaFree(p));
}

static void begin_anew(bench &b, side which)
{
    for (size_t i = 0; i < b.of->needs.size(); i++) {
        const size_t bytes = b.first.bytes[i];
        if (!b.of->needs[i].anew)
            continue;
        if (which == US)
            BENCH_NEED(cudaMemcpy(b.device.at[i], b.first.at[i], bytes, cudaMemcpyHostToDevice));
        else if (which == LOOPS)
            memcpy(b.host.at[i], b.first.at[i], bytes);
        else
            bench_opencl_write((int)i, b.first.at[i], bytes);
    }
}

/* Milliseconds. The others of OpenMP's threads wait on their cores for some ms, whoever comes next. */
static double run(bench &b, side which)
{
    begin_anew(b, which);
    const double start = bench_now_us();
    if (which == US) {
        b.of->ours(b.device);
        BENCH_NEED(cudaDeviceSynchronize());
    } else if (which == LOOPS) {
        b.of->openmp(b.host);
    } else {
        b.of->opencl();
        bench_opencl_wait();
    }
    const double took = (bench_now_us() - start) / 1e3;
    if (which == LOOPS)
        usleep(20000);
    return took;
}

/* All are the same, but for one in 200: points at the edge of a Mandelbrot set, where another rounding (a
 * multiplication and an addition in one step) decides. */
static bool mostly(const char *a, const char *b, size_t bytes)
{
    size_t others = 0;
    for (size_t i = 0; i < bytes; i++)
        others += a[i] != b[i];
    return others <= bytes / 200;
}

/* Sums in another order and other functions' last digits: a hundred-thousandth of the largest number. */
static bool alike(const float *a, const float *b, size_t n)
{
    float largest = 0, worst = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmaxf(largest, fabsf(b[i]));
        if (!(fabsf(a[i] - b[i]) <= worst))
            worst = fabsf(a[i] - b[i]);
    }
    return worst <= largest * 1e-5f;
}

/* What a side has just left is what OpenMP has left. */
static void compare(const bench &b, side which)
{
    for (int i : b.of->results) {
        const size_t bytes = b.first.bytes[i];
        std::vector<char> theirs(bytes);
        if (which == US)
            BENCH_NEED(cudaMemcpy(theirs.data(), b.device.at[i], bytes, cudaMemcpyDeviceToHost));
        else
            bench_opencl_read(i, theirs.data(), bytes);
        const char *const host = (const char *)b.host.at[i];
        if (b.of->compare == work::SAME ? memcmp(theirs.data(), host, bytes) == 0
            : b.of->compare == work::MOSTLY
                ? mostly(theirs.data(), host, bytes)
                : alike((const float *)theirs.data(), (const float *)host, bytes / 4))
            continue;
        fprintf(stderr, "%s: %s results are not OpenMP's\n", b.of->name, which == US ? "our" : "OpenCL's");
        exit(1);
    }
}

static void print(const char *name, double ours, double peer, const char *peer_name, double target)
{
    const bench_row row = {name, "ms", ours, peer, peer_name, target, 1, 0};
    bench_print(&row);
}

static void measure(const work &of, const char *why_no_opencl)
{
    bench b = {&of, {}, {}, {}, !why_no_opencl && of.opencl};
    double least[SIDES] = {INFINITY, INFINITY, INFINITY};
    make(b);
    for (int i = 0; i <= RUNS; i++)
        for (int which = LOOPS; which < SIDES + LOOPS; which++) {
            const side now = (side)(which % SIDES);
            if (now == CL && !b.with_opencl)
                continue;
            const double ms = run(b, now);
            if (i > 0)
                least[now] = fmin(least[now], ms);
            else if (now != LOOPS)
                compare(b, now);
        }
    print(of.name, least[US], least[LOOPS], "C with OpenMP", 4);
    if (b.with_opencl || of.opencl)
        print(of.name, least[US], b.with_opencl ? least[CL] : 0, b.with_opencl ? "PoCL" : why_no_opencl, 0);
    drop(b);
}

int main(int argc, char **argv)
{
    bench_simulator_only();
    const char *const why_no_opencl = bench_opencl_open(BENCH_WORKS "/kernels.h");
    for (const work &of : WORKS)
        if (argc < 2 || strstr(of.name, argv[1]))
            measure(of, why_no_opencl);
    return 0;
}
