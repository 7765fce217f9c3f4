/**
 * @file kiss.cpp
 * @brief Implementation of kiss.h over KissFFT's class (kissfft.hh), which is plain C++.
 *
 * Its objects take memory by operator new, which is this library's own: while a length is prepared, a row of
 * device memory.
 */
#include "kiss.h"

#include <cmath>
#include <cstdlib>
#include <kissfft/kissfft.hh>
#include <new>

typedef std::complex<double> number;

static char *row_begin, *row_place, *row_end; /* the memory of the length that is being prepared */

void *operator new(std::size_t bytes)
{
    if (!row_begin) {
        void *p = std::malloc(bytes ? bytes : 1);
        if (!p)
            throw std::bad_alloc();
        return p;
    }
    char *p = row_place;
    row_place += (bytes + 15) / 16 * 16;
    if (row_place > row_end)
        std::abort(); /* line_bytes() is too small */
    return p;
}

void operator delete(void *p) noexcept
{
    if (!row_begin || (char *)p < row_begin || (char *)p >= row_end)
        std::free(p);
}

void operator delete(void *p, std::size_t) noexcept
{
    operator delete(p);
}

namespace
{

/* What a prepared length begins with. */
struct line {
    size_t n;
    size_t padded;                  /* the convolution's length, or 0 */
    const kissfft<double> *kiss;    /* of n, or of `padded` */
    const number *chirp, *spectrum; /* exp(-i pi k^2 / n), and the transform of its conjugate */
};

bool is_smooth(size_t n)
{
    for (size_t factor : {2, 3, 5})
        while (n % factor == 0)
            n /= factor;
    return n == 1;
}

size_t padded_length(size_t n)
{
    if (is_smooth(n))
        return 0;
    size_t padded = 1;
    while (padded < 2 * n - 1)
        padded *= 2;
    return padded;
}

/* Transforms back, but for the factor: the same with real and imaginary parts exchanged. */
void swap_parts(number *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = number(x[i].imag(), x[i].real());
}

void make_chirp(line *made)
{
    const size_t n = made->n, padded = made->padded;
    number *chirp = (number *)operator new(n * sizeof(number));
    number *spread = (number *)operator new(padded * sizeof(number));
    number *spectrum = (number *)operator new(padded * sizeof(number));
    for (size_t k = 0; k < n; k++) {
        const double angle = M_PI * (double)(k * k % (2 * n)) / (double)n;
        chirp[k] = number(std::cos(angle), -std::sin(angle));
    }
    for (size_t k = 0; k < padded; k++)
        spread[k] = 0;
    for (size_t k = 0; k < n; k++)
        spread[k] = spread[(padded - k) % padded] = std::conj(chirp[k]);
    made->kiss->transform(spread, spectrum);
    made->chirp = chirp;
    made->spectrum = spectrum;
}

void convolve(const line *by, const number *in, number *out, number *scratch)
{
    number *a = scratch, *b = scratch + by->padded;
    for (size_t k = 0; k < by->padded; k++)
        a[k] = k < by->n ? in[k] * by->chirp[k] : 0;
    by->kiss->transform(a, b);
    for (size_t k = 0; k < by->padded; k++)
        b[k] *= by->spectrum[k];
    swap_parts(b, by->padded);
    by->kiss->transform(b, a);
    for (size_t k = 0; k < by->n; k++)
        out[k] = number(a[k].imag(), a[k].real()) * by->chirp[k] / (double)by->padded;
}

} // namespace

size_t line_bytes(size_t n)
{
    /* Twiddles, and for a convolution its three rows; what KissFFT notes of each of its stages, at most 64,
     * grows by doubling. */
    const size_t padded = padded_length(n);
    return sizeof(line) + sizeof(kissfft<double>) + (padded ? 3 * padded + n : n) * sizeof(number) + 8192;
}

size_t line_scratch(size_t n)
{
    return 2 * padded_length(n);
}

void line_make(void *memory, size_t n)
{
    line *made = (line *)memory;
    row_begin = (char *)memory;
    row_place = row_begin + (sizeof(line) + 15) / 16 * 16;
    row_end = row_begin + line_bytes(n);
    made->n = n;
    made->padded = padded_length(n);
    made->kiss = nullptr;
    if (n > 1) /* a line of one is its own transform */
        made->kiss = new kissfft<double>(made->padded ? made->padded : n, false);
    if (made->padded)
        make_chirp(made);
    row_begin = nullptr;
}

void line_run(const void *memory, line_number *in, line_number *out, line_number *scratch)
{
    const line *by = (const line *)memory;
    if (by->padded)
        convolve(by, (const number *)in, (number *)out, (number *)scratch);
    else if (by->n > 1)
        by->kiss->transform((const number *)in, (number *)out);
    else
        out[0] = in[0];
}
