/**
 * @file timeline.h
 * @brief Lab 10: draws what the engines of both devices did, and when, from events.
 *
 * An event belongs to one device, and no time can be taken between events of two. So each device has an
 * origin of its own; timeline_begin() lets device 1's stream wait for device 0's before it records its own,
 * which makes them the same moment, but for the few microseconds that such a wait takes on a GPU.
 *
 *     timeline_begin(&line);
 *     timeline_mark(&line, ENGINE_COMPUTE, 0, side[0].kernels); // what follows in this stream is a kernel of
 * 0 um_smooth(..., side[0].kernels); timeline_done(&line, side[0].kernels);
 *
 * Before timeline_begin() nothing is noted: the same code runs with events and without.
 *
 * An event says when a stream came to it. An engine does one thing at a time: an interval
 * begins at the end of the one before it, if that is later.
 */
#ifndef LAB10_TIMELINE_H
#define LAB10_TIMELINE_H

#include "pair.h"

#define MARKS_MAX 96
#define TIMELINE_WIDTH 86 /* the most characters of a line */

/** What an interval is of a device: its kernels, copies that it sends to the other, copies with the host. */
enum engine { ENGINE_COMPUTE, ENGINE_TO_PEER, ENGINE_HOST, ENGINES };

/** One run. Times are microseconds since the origins. */
struct timeline {
    cudaEvent_t origin[DEVICES];
    struct mark {
        enum engine engine;
        int device, step;
        cudaEvent_t start, end;
        double start_us, end_us;
    } mark[MARKS_MAX];
    bool on;
    int marks, step; /**< `step` is set by the caller: the digit that is drawn */
    double total_us; /**< by the host's clock; 0: the run did not take place */
};

/** Records the origins. @return the first error; timeline_drop() has to be called also then */
cudaError_t timeline_begin(struct timeline *line);

/** Begins and ends an interval, in a stream of `device`, which has to be current. Beyond MARKS_MAX nothing is
 * noted. @{ */
cudaError_t timeline_mark(struct timeline *line, enum engine engine, int device, cudaStream_t stream);
cudaError_t timeline_done(struct timeline *line, cudaStream_t stream);
/** @} */

/** Fills in the intervals, when all of it has been waited for. */
cudaError_t timeline_read(struct timeline *line);

/** Destroys the events. */
void timeline_drop(struct timeline *line);

/** Draws a line for each engine that did anything. @param full_us the time that a whole line stands for */
void timeline_draw(const char *name, const struct timeline *line, double full_us, FILE *out);

#endif
