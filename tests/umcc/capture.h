/**
 * @file capture.h
 * @brief Catches what kernels print: capture_begin(stdout); ...; std::string text = capture_end(stdout).
 */
#ifndef UMCC_TEST_CAPTURE_H
#define UMCC_TEST_CAPTURE_H

#include <cstdio>
#include <string>
#include <unistd.h>

static FILE *capture_file[3]; /* by descriptor */
static int capture_kept[3];

/** From here on `stream` goes to a file. */
static inline void capture_begin(FILE *stream)
{
    const int to = fileno(stream);
    fflush(stream);
    capture_file[to] = tmpfile();
    capture_kept[to] = dup(to);
    dup2(fileno(capture_file[to]), to);
}

/** @return what went there; `stream` is as before. */
static inline std::string capture_end(FILE *stream)
{
    std::string text;
    const int to = fileno(stream);
    fflush(stream);
    dup2(capture_kept[to], to);
    close(capture_kept[to]);
    rewind(capture_file[to]);
    for (int c; (c = fgetc(capture_file[to])) != EOF;)
        text += (char)c;
    fclose(capture_file[to]);
    return text;
}

#endif
