/**
 * @file timeline.h
 * @brief Lab 3: draws what the GPU's three engines did and when, from events, as three rows of text.
 *
 * timeline_make() creates the events. Record `origin` before all work. Around each chunk record four events
 * in its stream: before its copy to the device, after it, after its kernels, after its copy back. When all
 * work is done, timeline_read() turns the events into intervals, and timeline_draw() draws them.
 *
 * The event before a copy says when the stream reached the copy; the engine may still have been busy with
 * another stream's. An engine works in order, so an interval begins at the later of two moments: when the
 * chunk's stream reached it, and when the engine finished the chunk before. Kernels of two streams may share
 * a real GPU; the drawing begins the second at the end of the first there, too.
 */
#ifndef LAB3_TIMELINE_H
#define LAB3_TIMELINE_H

#include "um_lab.h"

#define CHUNKS_MAX 64
#define ENGINES 3         /* copies to the device, kernels, copies back */
#define TIMELINE_WIDTH 86 /* the most characters of a lane */

/** One run of chunked work. Times are microseconds. */
struct timeline {
    size_t chunks, streams;
    cudaEvent_t origin, event[CHUNKS_MAX][ENGINES + 1];
    double start_us[ENGINES][CHUNKS_MAX], end_us[ENGINES][CHUNKS_MAX]; /**< since `origin` */
    double busy_us[ENGINES];                                           /**< sum of an engine's intervals */
    double total_us; /**< by the host's clock; 0: the run did not take place */
};

/** Creates the events for line->chunks chunks. @return the first error; call timeline_drop() also then */
cudaError_t timeline_make(struct timeline *line);

/** Destroys the events; harmless when there are none. */
void timeline_drop(struct timeline *line);

/** Fills in the intervals, after all events have been waited for. */
cudaError_t timeline_read(struct timeline *line);

/**
 * Draws one line per engine. A chunk is drawn as the last digit of its number, at least one character wide.
 * @param full_us the time that a whole line stands for
 */
void timeline_draw(const char *name, const struct timeline *line, double full_us, FILE *out);

#endif
