/**
 * @file timeline.c
 * @brief Implementation of timeline.h: events of two devices, as lines of text.
 */
#include <math.h>

#include "timeline.h"

cudaError_t timeline_begin(struct timeline *line)
{
    cudaError_t error = cudaSuccess;

    for (int d = 0; d < DEVICES && error == cudaSuccess; d++) {
        error = pair_on(d);
        if (error == cudaSuccess)
            error = cudaEventCreate(&line->origin[d]);
        if (error == cudaSuccess && d > 0)
            error = pair_after(side[d].kernels, line->origin[0]);
        if (error == cudaSuccess)
            error = cudaEventRecord(line->origin[d], side[d].kernels);
    }
    line->on = true;
    return error;
}

cudaError_t timeline_mark(struct timeline *line, enum engine engine, int device, cudaStream_t stream)
{
    struct mark *mark = &line->mark[line->marks];
    cudaError_t error;

    if (!line->on || line->marks == MARKS_MAX)
        return cudaSuccess;
    mark->engine = engine;
    mark->device = device;
    mark->step = line->step;
    error = cudaEventCreate(&mark->start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&mark->end);
    return error == cudaSuccess ? cudaEventRecord(mark->start, stream) : error;
}

cudaError_t timeline_done(struct timeline *line, cudaStream_t stream)
{
    if (!line->on || line->marks == MARKS_MAX)
        return cudaSuccess;
    return cudaEventRecord(line->mark[line->marks++].end, stream);
}

static cudaError_t since_origin(const struct timeline *line, const struct mark *mark, cudaEvent_t event,
                                double *us)
{
    float ms = 0;
    const cudaError_t error = cudaEventElapsedTime(&ms, line->origin[mark->device], event);

    *us = 1e3 * ms;
    return error;
}

cudaError_t timeline_read(struct timeline *line)
{
    double engine_free[ENGINES][DEVICES] = {{0}};
    cudaError_t error = cudaSuccess;

    for (int i = 0; i < line->marks && error == cudaSuccess; i++) {
        struct mark *mark = &line->mark[i];
        double *before = &engine_free[mark->engine][mark->device];

        error = since_origin(line, mark, mark->start, &mark->start_us);
        if (error == cudaSuccess)
            error = since_origin(line, mark, mark->end, &mark->end_us);
        mark->start_us = fmax(mark->start_us, *before);
        mark->end_us = *before = fmax(mark->start_us, mark->end_us);
    }
    return error;
}

void timeline_drop(struct timeline *line)
{
    for (int d = 0; d < DEVICES; d++) {
        if (line->origin[d])
            (void)cudaEventDestroy(line->origin[d]);
        line->origin[d] = NULL;
    }
    for (int i = 0; i < MARKS_MAX; i++) {
        if (line->mark[i].start)
            (void)cudaEventDestroy(line->mark[i].start);
        if (line->mark[i].end)
            (void)cudaEventDestroy(line->mark[i].end);
        line->mark[i].start = line->mark[i].end = NULL;
    }
}

/* Characters of a engine: what its name leaves of the line. */
static size_t line_width(void)
{
    const size_t rest = um_width() - 14;

    return rest < TIMELINE_WIDTH ? rest : TIMELINE_WIDTH;
}

static void draw_engine(const struct timeline *line, enum engine engine, int device, double character_us,
                        FILE *out)
{
    static const char *const names[ENGINES][DEVICES] = {
        {"0 compute", "1 compute"}, {"0 to 1", "1 to 0"}, {"0, host", "1, host"}};
    const size_t width = line_width();
    char text[TIMELINE_WIDTH];
    size_t used = 0;

    memset(text, ' ', sizeof text);
    for (int i = 0; i < line->marks; i++) {
        const struct mark *mark = &line->mark[i];
        size_t from = (size_t)(mark->start_us / character_us);
        const size_t to = (size_t)(mark->end_us / character_us);

        if (mark->engine != engine || mark->device != device)
            continue;
        do {
            if (from < width)
                text[from] = (char)('0' + mark->step % 10);
        } while (++from < to);
        used = from < width ? from : width;
    }
    if (used > 0)
        fprintf(out, "    %-9s|%.*s\n", names[engine][device], (int)used, text);
}

void timeline_draw(const char *name, const struct timeline *line, double full_us, FILE *out)
{
    static const struct {
        enum engine engine;
        int device;
    } order[] = {{ENGINE_COMPUTE, 0}, {ENGINE_HOST, 0}, {ENGINE_TO_PEER, 0},
                 {ENGINE_TO_PEER, 1}, {ENGINE_HOST, 1}, {ENGINE_COMPUTE, 1}};
    const double character_us = full_us / (double)line_width();

    fprintf(out, "  %s: %.1f us, a character is %.1f us\n", name, line->total_us, character_us);
    for (size_t i = 0; i < UM_COUNT(order); i++) {
        draw_engine(line, order[i].engine, order[i].device, character_us, out);
    }
}
