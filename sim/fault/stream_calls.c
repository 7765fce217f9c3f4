/**
 * @file stream_calls.c
 * @brief Streams on managed memory, where a line in call_table.h does not do: buffers that a stream keeps,
 * and the arguments of printf().
 *
 * A stream's own buffer is used by calls that the C library makes of itself: nobody sees them. So the stream
 * gets the buffer's address in the copy window, for good. What is printed may be longer than the stream's
 * buffer; then the C library hands a string on to the system as it is. So it is printed to ordinary memory
 * first.
 */
#include "call.h"
#include "../space/managed.h"
#include "../space/views.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

static bool passes(void)
{
    return !atomic_load_explicit(&umsim_managed_watch, memory_order_relaxed);
}

#define REAL(name) ((__typeof__(name) *)(void (*)(void))umsim_libc_function(UMSIM_LIBC_##name))

/* ---- buffers ---- */

static char *stream_buffer(char *buffer, size_t bytes)
{
    const struct umsim_managed_space *space = umsim_managed_space_of(buffer);
    if (passes() || !umsim_is_lendable(buffer) || umsim_managed_for_host(buffer, bytes) < bytes)
        return buffer;
    return space->window + (buffer - space->base);
}

int setvbuf(FILE *stream, char *buffer, int mode, size_t bytes)
{
    return REAL(setvbuf)(stream, stream_buffer(buffer, bytes), mode, bytes);
}

void setbuffer(FILE *stream, char *buffer, size_t bytes)
{
    setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, bytes);
}

void setbuf(FILE *stream, char *buffer)
{
    setbuffer(stream, buffer, BUFSIZ);
}

/* ---- printing ---- */

int __vasprintf_chk(char **text, int flag, const char *format, va_list values);
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list values);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list values);
int __printf_chk(int flag, const char *format, ...);
int __vdprintf_chk(int fd, int flag, const char *format, va_list values);
int __dprintf_chk(int fd, int flag, const char *format, ...);

/** The functions without a flag. */
#define UNCHECKED (-1)

static int format_text(char **text, int flag, const char *format, va_list values)
{
    return flag == UNCHECKED ? vasprintf(text, format, values) : __vasprintf_chk(text, flag, format, values);
}

/* A stream of wide characters converts what it prints, and so has no use of its own for the string. */
static int print(FILE *stream, int flag, const char *format, va_list values)
{
    if (passes() || fwide(stream, 0) > 0)
        return flag == UNCHECKED ? REAL(vfprintf)(stream, format, values)
                                 : REAL(__vfprintf_chk)(stream, flag, format, values);
    char *text;
    const int length = format_text(&text, flag, format, values);
    if (length < 0)
        return -1;
    const bool whole = REAL(fwrite)(text, 1, (size_t)length, stream) == (size_t)length;
    free(text);
    return whole ? length : -1;
}

static int print_to_file(int fd, int flag, const char *format, va_list values)
{
    if (passes())
        return flag == UNCHECKED ? REAL(vdprintf)(fd, format, values)
                                 : REAL(__vdprintf_chk)(fd, flag, format, values);
    char *text;
    const int length = format_text(&text, flag, format, values);
    int done = 0;
    for (ssize_t part = 1; part > 0 && done < length; done += (int)part)
        part = REAL(write)(fd, text + done, (size_t)(length - done));
    if (length >= 0)
        free(text);
    return length >= 0 && done == length ? length : -1;
}

/* The functions that take their values as they are call those that take a list. */
#define WITH_LIST(last, call)                                                                                \
    va_list values;                                                                                          \
    va_start(values, last);                                                                                  \
    const int result = call;                                                                                 \
    va_end(values);                                                                                          \
    return result

int vfprintf(FILE *stream, const char *format, va_list values)
{
    return print(stream, UNCHECKED, format, values);
}

int fprintf(FILE *stream, const char *format, ...)
{
    WITH_LIST(format, print(stream, UNCHECKED, format, values));
}

int vprintf(const char *format, va_list values)
{
    return print(stdout, UNCHECKED, format, values);
}

int printf(const char *format, ...)
{
    WITH_LIST(format, print(stdout, UNCHECKED, format, values));
}

int vdprintf(int fd, const char *format, va_list values)
{
    return print_to_file(fd, UNCHECKED, format, values);
}

int dprintf(int fd, const char *format, ...)
{
    WITH_LIST(format, print_to_file(fd, UNCHECKED, format, values));
}

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list values)
{
    return print(stream, flag, format, values);
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    WITH_LIST(format, print(stream, flag, format, values));
}

int __vprintf_chk(int flag, const char *format, va_list values)
{
    return print(stdout, flag, format, values);
}

int __printf_chk(int flag, const char *format, ...)
{
    WITH_LIST(format, print(stdout, flag, format, values));
}

int __vdprintf_chk(int fd, int flag, const char *format, va_list values)
{
    return print_to_file(fd, flag, format, values);
}

int __dprintf_chk(int fd, int flag, const char *format, ...)
{
    WITH_LIST(format, print_to_file(fd, flag, format, values));
}
