/**
 * @file timeline.h
 * @brief For lab 3: what the GPU's three engines did and when, from events, as three rows of text.
 *
 * timeline_make() creates the events. Record `origin` before all work, and four events around each chunk, in
 * its stream: before its copy to the device, after it, after its kernels, after its copy back. When all is
 * done timeline_read() turns them into stretches, and timeline_draw() draws those.
 *
 * The event before a copy says when the stream came to it; the engine may still have been busy with another
 * stream's. As an engine works in order, a stretch begins at the later of two moments: when the chunk's
 * stream came to it, and when the engine was done with the chunk before. Kernels of two streams may share a
 * real GPU; here, too, the second is drawn from the end of the first.
 */
#ifndef LAB3_TIMELINE_H
#define LAB3_TIMELINE_H

#include <math.h>

#include "um_lab.h"

#define CHUNKS_MAX 64
#define ENGINES 3 /* copies to the device, kernels, copies back */
#define TIMELINE_WIDTH 96

/** One run of chunked work. Times are microseconds. */
struct timeline {
    size_t chunks, streams;
    cudaEvent_t origin, event[CHUNKS_MAX][ENGINES + 1];
    double start_us[ENGINES][CHUNKS_MAX], end_us[ENGINES][CHUNKS_MAX]; /**< since `origin` */
    double busy_us[ENGINES];                                           /**< sum of an engine's stretches */
    double total_us; /**< by the host's clock; 0: there was no such run */
};

/** Creates the events for line->chunks chunks. @return the first error; timeline_drop() also then. */
static inline cudaError_t timeline_make(struct timeline *line)
{
    cudaError_t error = cudaEventCreate(&line->origin);

    for (size_t c = 0; c < line->chunks; c++) {
        for (int e = 0; e <= ENGINES && error == cudaSuccess; e++) {
            error = cudaEventCreate(&line->event[c][e]);
        }
    }
    return error;
}

/** Destroys the events; harmless when there are none. */
static inline void timeline_drop(struct timeline *line)
{
    for (size_t c = 0; c < CHUNKS_MAX; c++) {
        for (int e = 0; e <= ENGINES; e++) {
            if (line->event[c][e])
                (void)cudaEventDestroy(line->event[c][e]);
        }
    }
    if (line->origin)
        (void)cudaEventDestroy(line->origin);
}

/** Fills in the stretches, after all events have been waited for. */
static inline cudaError_t timeline_read(struct timeline *line)
{
    for (int e = 0; e < ENGINES; e++) {
        double engine_free = 0;

        for (size_t c = 0; c < line->chunks; c++) {
            float before_ms, after_ms;
            cudaError_t error = cudaEventElapsedTime(&before_ms, line->origin, line->event[c][e]);

            if (error == cudaSuccess)
                error = cudaEventElapsedTime(&after_ms, line->origin, line->event[c][e + 1]);
            if (error != cudaSuccess)
                return error;
            line->start_us[e][c] = fmax(1e3 * before_ms, engine_free);
            line->end_us[e][c] = engine_free = fmax(1e3 * after_ms, line->start_us[e][c]);
            line->busy_us[e] += line->end_us[e][c] - line->start_us[e][c];
        }
    }
    return cudaSuccess;
}

/** Draws a line an engine; a chunk is the last digit of its number, at least one character wide. */
static inline void timeline_draw(const char *name, const struct timeline *line, double character_us,
                                 FILE *out)
{
    static const char *const engines[ENGINES] = {"H2D", "compute", "D2H"};
    char text[TIMELINE_WIDTH];

    fprintf(out, "  %s: %.1f us, a character is %.1f us\n", name, line->total_us, character_us);
    for (int e = 0; e < ENGINES; e++) {
        size_t used = 0;

        memset(text, ' ', sizeof text);
        for (size_t c = 0; c < line->chunks; c++) {
            size_t from = (size_t)(line->start_us[e][c] / character_us);
            const size_t to = (size_t)(line->end_us[e][c] / character_us);

            do {
                if (from < TIMELINE_WIDTH)
                    text[from] = (char)('0' + c % 10);
            } while (++from < to);
            used = from < TIMELINE_WIDTH ? from : TIMELINE_WIDTH;
        }
        fprintf(out, "    %-8s|%.*s\n", engines[e], (int)used, text);
    }
}

#endif
