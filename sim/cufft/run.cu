/**
 * @file run.cu
 * @brief The kernels of plan.h: lengths are prepared, and the lines along an axis are transformed.
 */
#include "../library/arrays.h"
#include "plan.h"
#include <umsim.h>
#include <umsim/reach.h>

#include <algorithm>

namespace fft
{
namespace
{

__global__ void make_line(void *memory, uint64_t n)
{
    line_make(memory, n);
}

__device__ uint64_t first_of(const layout &at, const axis &a, uint64_t line)
{
    uint64_t place = 0;
    for (int k = 2; k >= 0; k--) {
        place += line % a.dims[k] * at.stride[k];
        line /= a.dims[k];
    }
    return place + line * at.dist;
}

template <class T> __device__ void read_real(line_number *to, const T *from, uint64_t stride, uint64_t n)
{
    for (uint64_t j = 0; j < n; j++)
        to[j] = {(double)from[j * stride], 0};
}
template <class T> __device__ void read_complex(line_number *to, const T *from, uint64_t stride, uint64_t n)
{
    for (uint64_t j = 0; j < n; j++)
        to[j] = {(double)from[j * stride].x, (double)from[j * stride].y};
}
template <class T> __device__ void write_complex(T *to, const line_number *from, uint64_t stride, uint64_t n)
{
    for (uint64_t j = 0; j < n; j++) {
        to[j * stride].x = (decltype(to->x))from[j].re;
        to[j * stride].y = (decltype(to->x))from[j].im;
    }
}
template <class T> __device__ void write_real(T *to, const line_number *from, uint64_t stride, uint64_t n)
{
    for (uint64_t j = 0; j < n; j++)
        to[j * stride] = (T)from[j].re;
}

__device__ void read_line(const axis &a, uint64_t line, line_number *to)
{
    const uint64_t first = first_of(a.from.at, a, line), stride = a.from.at.stride[a.along];
    switch (a.from.stored) {
    case FLOATS:
        return read_real(to, (const float *)a.from.p + first, stride, a.read);
    case DOUBLES:
        return read_real(to, (const double *)a.from.p + first, stride, a.read);
    case COMPLEX_FLOATS:
        return read_complex(to, (const float2 *)a.from.p + first, stride, a.read);
    case COMPLEX_DOUBLES:
        return read_complex(to, (const double2 *)a.from.p + first, stride, a.read);
    }
}

__device__ void write_line(const axis &a, uint64_t line, const line_number *from)
{
    const uint64_t first = first_of(a.to.at, a, line), stride = a.to.at.stride[a.along];
    switch (a.to.stored) {
    case FLOATS:
        return write_real((float *)a.to.p + first, from, stride, a.written);
    case DOUBLES:
        return write_real((double *)a.to.p + first, from, stride, a.written);
    case COMPLEX_FLOATS:
        return write_complex((float2 *)a.to.p + first, from, stride, a.written);
    case COMPLEX_DOUBLES:
        return write_complex((double2 *)a.to.p + first, from, stride, a.written);
    }
}

/* The transform back is the one forward, with real and imaginary parts exchanged before and after. */
__device__ void exchange(line_number *x, uint64_t n)
{
    for (uint64_t j = 0; j < n; j++)
        x[j] = {x[j].im, x[j].re};
}

__global__ void transform(axis a)
{
    line_number *in = a.scratch + blockIdx.x * a.scratch_size, *out = in + a.n;
    for (uint64_t line = blockIdx.x; line < a.lines; line += a.threads) {
        read_line(a, line, in);
        for (uint64_t j = a.read; j < a.n; j++) /* the other half of a real signal's spectrum */
            in[j] = {in[a.n - j].re, -in[a.n - j].im};
        if (a.inverse)
            exchange(in, a.n);
        line_run(a.line, in, out, out + a.n);
        if (a.inverse)
            exchange(out, a.written);
        write_line(a, line, out);
    }
}

uint64_t half(uint64_t n)
{
    return n / 2 + 1;
}

/* The complex numbers between the first axis' transforms and the last's. */
void between(const sizes &of, uint64_t (&n)[3])
{
    for (int k = 0; k < 3; k++)
        n[k] = of.n[k];
    if (is_real_in(of.type) || is_real_out(of.type))
        n[2] = half(n[2]);
}

uint64_t scratch_numbers(uint64_t n)
{
    return umsim_plus(2 * n, line_scratch(n));
}

/* As many lines at a time as 16 MiB of scratch memory are enough for. */
uint64_t threads_of(uint64_t n, uint64_t lines)
{
    return std::clamp<uint64_t>((1 << 20) / scratch_numbers(n), 1, std::clamp<uint64_t>(lines, 1, 64));
}

uint64_t largest_scratch(const sizes &of)
{
    uint64_t most = 0;
    for (uint64_t n : of.n)
        most = std::max(most, umsim_times(scratch_numbers(n), threads_of(n, UINT64_MAX)));
    return most;
}

uint64_t numbers_between(const sizes &of)
{
    uint64_t n[3];
    between(of, n);
    return of.rank == 1 ? 0 : umsim_times(of.batch, umsim_times(n[0], umsim_times(n[1], n[2])));
}

/* One after another, as in C. */
layout packed(const uint64_t (&n)[3])
{
    return {{n[1] * n[2], n[2], 1}, n[0] * n[1] * n[2]};
}

/* One side's layout where none was given. In place, rows of real numbers are as long as those of complex
 * ones. */
layout basic(const sizes &of, bool real_side, bool in_place)
{
    uint64_t n[3];
    between(of, n);
    if (real_side)
        n[2] = in_place ? 2 * n[2] : of.n[2];
    return packed(n);
}

/* How far the array reaches. */
uint64_t extent(const sizes &of, const layout &at, bool real_side)
{
    uint64_t n[3], last = umsim_times(of.batch - 1, at.dist);
    between(of, n);
    if (real_side)
        n[2] = of.n[2];
    for (int k = 0; k < 3; k++)
        last = umsim_plus(last, umsim_times(n[k] - 1, at.stride[k]));
    return umsim_plus(last, 1);
}

format format_of(cufftType type, bool real_side)
{
    return real_side ? (is_double(type) ? DOUBLES : FLOATS)
                     : (is_double(type) ? COMPLEX_DOUBLES : COMPLEX_FLOATS);
}

uint64_t size_of(format stored)
{
    static const uint64_t sizes[] = {4, 8, 8, 16};
    return sizes[stored];
}

/* A GPU's library goes through memory once for each axis, in the type of its arrays. */
void stands_for(const axis &a, const sizes &of)
{
    uint64_t stages = 1;
    while (a.n >> stages)
        stages++;
    const uint64_t size = is_double(of.type) ? sizeof(double2) : sizeof(float2);
    const umsim_stands_for grid = {a.lines * a.n / 1024 + 1, 128, 5 * a.lines * a.n * stages,
                                   is_double(of.type) ? UMSIM_UNIT_DOUBLE : UMSIM_UNIT_SINGLE, 0};
    umsim_kernel_stands_for(&grid);
    umsim_kernel_reads(a.from.p, a.lines * a.read * std::min(size, size_of(a.from.stored)));
    umsim_kernel_writes(a.to.p, a.lines * a.written * std::min(size, size_of(a.to.stored)));
}

void run_axis(const plan &p, int along, view from, view to, bool inverse)
{
    axis a = {};
    between(p.of, a.dims);
    a.line = p.lines[along];
    a.n = p.of.n[along];
    a.read = from.stored == FLOATS || from.stored == DOUBLES ? a.n : a.dims[along];
    a.written = to.stored == FLOATS || to.stored == DOUBLES ? a.n : a.dims[along];
    a.dims[along] = 1;
    a.lines = p.of.batch * a.dims[0] * a.dims[1] * a.dims[2];
    a.along = along;
    a.inverse = inverse;
    a.from = from;
    a.to = to;
    a.scratch = (line_number *)p.area + numbers_between(p.of);
    a.scratch_size = scratch_numbers(a.n);
    a.threads = threads_of(a.n, a.lines);
    stands_for(a, p.of);
    transform<<<(unsigned)a.threads, 1, 0, p.stream>>>(a);
}

} // namespace

uint64_t area_bytes(const sizes &of)
{
    return umsim_times(umsim_plus(numbers_between(of), largest_scratch(of)), sizeof(line_number));
}

static cufftResult make_lines_in(plan *p, cudaStream_t stream)
{
    for (int k = 0; k < 3; k++) {
        for (int same = 0; same < k && !p->lines[k]; same++)
            if (p->of.n[same] == p->of.n[k])
                p->lines[k] = p->lines[same];
        if (p->lines[k])
            continue;
        if (cudaMalloc(&p->lines[k], line_bytes(p->of.n[k])) != cudaSuccess) {
            p->lines[k] = nullptr;
            return CUFFT_ALLOC_FAILED;
        }
        make_line<<<1, 1, 0, stream>>>(p->lines[k], p->of.n[k]);
    }
    return cudaStreamSynchronize(stream) == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

/* In a stream apart from all others: the program may be capturing one, in which the plan is used later. */
cufftResult make_lines(plan *p)
{
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return CUFFT_ALLOC_FAILED;
    const cufftResult result = make_lines_in(p, stream);
    cudaStreamDestroy(stream);
    return result;
}

void drop_lines(plan *p)
{
    for (int k = 0; k < 3; k++) {
        if ((k < 1 || p->lines[k] != p->lines[0]) && (k < 2 || p->lines[k] != p->lines[1]))
            cudaFree(p->lines[k]);
    }
    for (void *&line : p->lines)
        line = nullptr;
}

cufftResult run(const plan &p, const char *call, void *in, void *out, bool inverse)
{
    const bool real_in = is_real_in(p.of.type), real_out = is_real_out(p.of.type), in_place = in == out;
    const view from = {in, format_of(p.of.type, real_in),
                       p.of.basic_in ? basic(p.of, real_in, in_place) : p.of.in};
    const view to = {out, format_of(p.of.type, real_out),
                     p.of.basic_out ? basic(p.of, real_out, in_place) : p.of.out};
    if (!umsim_reaches(call, "idata", in, extent(p.of, from.at, real_in), size_of(from.stored)) ||
        !umsim_reaches(call, "odata", out, extent(p.of, to.at, real_out), size_of(to.stored)))
        return CUFFT_INVALID_VALUE;
    uint64_t n[3];
    between(p.of, n);
    const view middle = {p.area, COMPLEX_DOUBLES, packed(n)};
    /* The last axis is the first one, or the last one where the result is real. */
    const int first = 3 - p.of.rank;
    for (int i = 0; i < p.of.rank; i++) {
        const int along = real_out ? first + i : 2 - i;
        run_axis(p, along, i == 0 ? from : middle, i == p.of.rank - 1 ? to : middle, inverse);
    }
    return cudaGetLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

} // namespace fft
