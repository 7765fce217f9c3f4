/**
 * @file copies.cu
 * @brief Random copies between four kinds of memory, of bytes, rectangles and boxes, beside a model of them
 * in ordinary memory.
 */
#include "robust.h"

#include <vector>

enum { KINDS = 4, SIZE = 1 << 18 };
static const char *const kind_names[KINDS] = {"pageable", "pinned", "device", "managed"};

/** Memory of one kind, and what should be in it. */
struct area {
    unsigned char *p = NULL;
    std::vector<unsigned char> model;
};

static area areas[KINDS];
static uint64_t state = 1;

static void make_areas()
{
    areas[0].p = (unsigned char *)malloc(SIZE);
    NEED(cudaMallocHost((void **)&areas[1].p, SIZE));
    NEED(cudaMalloc((void **)&areas[2].p, SIZE));
    NEED(cudaMallocManaged((void **)&areas[3].p, SIZE));
    for (area &each : areas) {
        each.model.resize(SIZE);
        for (unsigned char &byte : each.model)
            byte = (unsigned char)robust_random(&state);
        NEED(cudaMemcpy(each.p, each.model.data(), SIZE, cudaMemcpyDefault));
    }
}

static void compare(const char *when, int number)
{
    std::vector<unsigned char> seen(SIZE);

    NEED(cudaDeviceSynchronize());
    for (int kind = 0; kind < KINDS; kind++) {
        NEED(cudaMemcpy(seen.data(), areas[kind].p, SIZE, cudaMemcpyDefault));
        for (size_t i = 0; i < SIZE; i++)
            HOLDS(seen[i] == areas[kind].model[i], "%s %d: %s memory, byte %zu: %d, not %d", when, number,
                  kind_names[kind], i, seen[i], areas[kind].model[i]);
    }
}

/* The direction by its name, or left to the addresses. */
static cudaMemcpyKind direction(int to, int from)
{
    if (to == 3 || from == 3 || robust_below(&state, 2))
        return cudaMemcpyDefault;
    if (to == 2)
        return from == 2 ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
    return from == 2 ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

/** Two kinds of memory, the second one another than the first: within one area copies would overlap. */
static void two_kinds(int *to, int *from)
{
    *to = (int)robust_below(&state, KINDS);
    *from = (*to + 1 + (int)robust_below(&state, KINDS - 1)) % KINDS;
}

/* Sometimes the pages of managed memory go elsewhere. */
static void move_pages()
{
    if (robust_below(&state, 8) == 0)
        NEED(um_prefetch(areas[3].p, SIZE, robust_below(&state, 2) ? 0 : cudaCpuDeviceId, 0));
}

static void random_bytes()
{
    const int copies = robust_times(3000, 30000);

    make_areas();
    for (int i = 0; i < copies; i++) {
        int to, from;
        two_kinds(&to, &from);
        const size_t bytes = robust_below(&state, robust_below(&state, 8) ? 3000 : SIZE);
        const size_t at = robust_below(&state, SIZE - bytes + 1),
                     source = robust_below(&state, SIZE - bytes + 1);
        move_pages();
        if (robust_below(&state, 2))
            NEED(cudaMemcpy(areas[to].p + at, areas[from].p + source, bytes, direction(to, from)));
        else {
            NEED(cudaMemcpyAsync(areas[to].p + at, areas[from].p + source, bytes, direction(to, from), 0));
            NEED(cudaStreamSynchronize(0));
        }
        memcpy(areas[to].model.data() + at, areas[from].model.data() + source, bytes);
        if (i % 500 == 499)
            compare("copy", i);
    }
    compare("copy", copies);
}

/** A part of an area as rows at a pitch. */
struct part {
    size_t offset, pitch;
};

/** @return a place for `rows` rows of `width` bytes. */
static part random_part(size_t width, size_t rows)
{
    const size_t pitch = width + robust_below(&state, SIZE / rows - width + 1);

    return {robust_below(&state, SIZE - pitch * rows + 1), pitch};
}

static void model_rows(int to, part t, int from, part f, size_t width, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        memcpy(areas[to].model.data() + t.offset + row * t.pitch,
               areas[from].model.data() + f.offset + row * f.pitch, width);
}

static void random_rectangles()
{
    const int copies = robust_times(1000, 10000);

    make_areas();
    for (int i = 0; i < copies; i++) {
        int to, from;
        two_kinds(&to, &from);
        const size_t rows = 1 + robust_below(&state, 60), width = 1 + robust_below(&state, 900);
        const part t = random_part(width, rows), f = random_part(width, rows);
        move_pages();
        if (i % 4 == 3) {
            const int value = (int)robust_below(&state, 256);
            NEED(cudaMemset2D(areas[3].p + t.offset, t.pitch, value, width, rows));
            for (size_t row = 0; row < rows; row++)
                memset(areas[3].model.data() + t.offset + row * t.pitch, value, width);
            continue;
        }
        NEED(cudaMemcpy2D(areas[to].p + t.offset, t.pitch, areas[from].p + f.offset, f.pitch, width, rows,
                          direction(to, from)));
        model_rows(to, t, from, f, width, rows);
        if (i % 250 == 249)
            compare("rectangle", i);
    }
    compare("rectangle", copies);
}

/** A box's place: the parent has `height` rows in each layer. */
struct place {
    part rows;
    size_t height;
};

static place random_place(size_t width, size_t height, size_t depth)
{
    const size_t high = height + robust_below(&state, 4);

    return {random_part(width, high * depth), high};
}

static cudaPitchedPtr pitched(int kind, const place &where, size_t width)
{
    return make_cudaPitchedPtr(areas[kind].p + where.rows.offset, where.rows.pitch, width, where.height);
}

static void random_boxes()
{
    const int copies = robust_times(500, 3000);

    make_areas();
    for (int i = 0; i < copies; i++) {
        int to, from;
        two_kinds(&to, &from);
        const size_t width = 1 + robust_below(&state, 200), height = 1 + robust_below(&state, 12),
                     depth = 1 + robust_below(&state, 12);
        const place t = random_place(width, height, depth), f = random_place(width, height, depth);
        cudaMemcpy3DParms parameters = {};
        parameters.srcPtr = pitched(from, f, width);
        parameters.dstPtr = pitched(to, t, width);
        parameters.extent = make_cudaExtent(width, height, depth);
        parameters.kind = direction(to, from);
        move_pages();
        NEED(i % 2 ? cudaMemcpy3D(&parameters) : cudaMemcpy3DAsync(&parameters, 0));
        NEED(cudaStreamSynchronize(0));
        for (size_t layer = 0; layer < depth; layer++)
            model_rows(to, {t.rows.offset + layer * t.height * t.rows.pitch, t.rows.pitch}, from,
                       {f.rows.offset + layer * f.height * f.rows.pitch, f.rows.pitch}, width, height);
        if (i % 100 == 99)
            compare("box", i);
    }
    compare("box", copies);
}

/* Four streams, each with the copies of its own quarter: they wait only at the end. */
static void random_streams()
{
    enum { STREAMS = 4, QUARTER = SIZE / STREAMS };
    cudaStream_t streams[STREAMS];
    const int copies = robust_times(2000, 20000);

    make_areas();
    for (cudaStream_t &stream : streams)
        NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int i = 0; i < copies; i++) {
        int to, from;
        do
            two_kinds(&to, &from);
        while (to == 0 || from == 0); /* copies of pageable memory are staged: what is read is not ordered */
        const int stream = (int)robust_below(&state, STREAMS);
        const size_t bytes = robust_below(&state, 4000), places = QUARTER - bytes + 1;
        const size_t at = (size_t)stream * QUARTER + robust_below(&state, places),
                     source = (size_t)stream * QUARTER + robust_below(&state, places);
        NEED(cudaMemcpyAsync(areas[to].p + at, areas[from].p + source, bytes, cudaMemcpyDefault,
                             streams[stream]));
        memcpy(areas[to].model.data() + at, areas[from].model.data() + source, bytes);
        if (i % 500 == 499)
            compare("streams", i);
    }
    compare("streams", copies);
}

ROBUST_CASES({"random-bytes", random_bytes}, {"random-rectangles", random_rectangles},
             {"random-boxes", random_boxes}, {"random-streams", random_streams})
