/**
 * @file plan.h
 * @brief What the files of the simulator's cuFFT share: a plan, and the transforms of one axis that it is
 * made of.
 *
 * A transform of several dimensions is one after another of each axis. Between them the numbers lie in the
 * plan's work area, as doubles, whatever type the arrays have; the first reads the input, the last writes the
 * output.
 */
#ifndef UMSIM_CUFFT_PLAN_H
#define UMSIM_CUFFT_PLAN_H

#include "kiss.h"
#include <cufft.h>

#include <cstdint>

namespace fft
{

/** Where the elements of an array lie: that of transform b at b * dist + sum of coordinate * stride. */
struct layout {
    uint64_t stride[3], dist;
};

/** How numbers are stored. */
enum format { FLOATS, DOUBLES, COMPLEX_FLOATS, COMPLEX_DOUBLES };

/** An array as one axis' transforms see it. */
struct view {
    void *p;
    format stored;
    layout at;
};

/** The transforms along one axis of all lines of an array. */
struct axis {
    const void *line; /**< line_make() of the length */
    uint64_t n;       /**< the length */
    uint64_t read,
        written;      /**< how many numbers of a line there are: half a spectrum, where one side is real */
    uint64_t dims[3]; /**< how many lines there are along the other axes; 1 along this one */
    uint64_t lines;
    int along;
    bool inverse;
    view from, to;
    line_number *scratch; /**< `threads` times `scratch_size` */
    uint64_t threads, scratch_size;
};

/** A plan's sizes; the dimensions stand at the end, with ones in front of them. */
struct sizes {
    int rank;
    cufftType type;
    uint64_t n[3], batch;
    bool basic_in, basic_out; /**< no layout was given: it depends on whether a transform is in place */
    layout in, out;
};

struct plan {
    bool used, made, by_itself; /**< by_itself: it allocates its work area */
    sizes of;
    void *lines[3]; /**< prepared lengths, in device memory; equal ones are one */
    void *own_area, *area;
    cudaStream_t stream;
};

inline bool is_real_in(cufftType type)
{
    return type == CUFFT_R2C || type == CUFFT_D2Z;
}
inline bool is_real_out(cufftType type)
{
    return type == CUFFT_C2R || type == CUFFT_Z2D;
}
inline bool is_double(cufftType type)
{
    return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}

/** Bytes of a plan's work area; UINT64_MAX: more than there are. */
uint64_t area_bytes(const sizes &of);
/** Prepares the lengths in device memory. @return SUCCESS, ALLOC_FAILED or EXEC_FAILED */
cufftResult make_lines(plan *p);
/** Frees them. */
void drop_lines(plan *p);
/** Queues the transforms of a plan that is made, from array to array. */
cufftResult run(const plan &p, const char *call, void *in, void *out, bool inverse);

} // namespace fft
#endif
