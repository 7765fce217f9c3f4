/**
 * @file timeline.c
 * @brief Implementation of timeline.h: reads events, and draws what each engine did.
 */
#include <math.h>

#include "timeline.h"

cudaError_t timeline_make(struct timeline *line)
{
    cudaError_t error = cudaEventCreate(&line->origin);

    for (size_t c = 0; c < line->chunks; c++) {
        for (int e = 0; e <= ENGINES && error == cudaSuccess; e++) {
            error = cudaEventCreate(&line->event[c][e]);
        }
    }
    return error;
}

void timeline_drop(struct timeline *line)
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

cudaError_t timeline_read(struct timeline *line)
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

/* Characters of a lane: what its name leaves of the line. */
static size_t lane_width(void)
{
    const size_t rest = um_width() - 14;

    return rest < TIMELINE_WIDTH ? rest : TIMELINE_WIDTH;
}

void timeline_draw(const char *name, const struct timeline *line, double full_us, FILE *out)
{
    static const char *const engines[ENGINES] = {"H2D", "compute", "D2H"};
    const size_t width = lane_width();
    const double character_us = full_us / (double)width;
    char text[TIMELINE_WIDTH];

    fprintf(out, "  %s: %.1f us, a character is %.1f us\n", name, line->total_us, character_us);
    for (int e = 0; e < ENGINES; e++) {
        size_t used = 0;

        memset(text, ' ', sizeof text);
        for (size_t c = 0; c < line->chunks; c++) {
            size_t from = (size_t)(line->start_us[e][c] / character_us);
            const size_t to = (size_t)(line->end_us[e][c] / character_us);

            do {
                if (from < width)
                    text[from] = (char)('0' + c % 10);
            } while (++from < to);
            used = from < width ? from : width;
        }
        fprintf(out, "    %-8s|%.*s\n", engines[e], (int)used, text);
    }
}
