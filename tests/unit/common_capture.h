/**
 * @file common_capture.h
 * @brief For tests of common/: what a function prints to stdout or stderr, as text.
 *
 *     struct capture capture;
 *     capture_begin(&capture, STDERR_FILENO);
 *     um_check(...);
 *     capture_end(&capture);
 *     UM_CONTAINS(capture.text, "cudaErrorInvalidValue");
 */
#ifndef COMMON_CAPTURE_H
#define COMMON_CAPTURE_H

#include <stdio.h>
#include <unistd.h>

struct capture {
    int descriptor, saved;
    FILE *file;
    char text[16384]; /* longer output is cut off */
};

/* The stream that goes with the descriptor must be one of the standard two. */
static inline void capture_flush(int descriptor)
{
    fflush(descriptor == STDOUT_FILENO ? stdout : stderr);
}

static inline void capture_begin(struct capture *capture, int descriptor)
{
    capture_flush(descriptor);
    capture->descriptor = descriptor;
    capture->file = tmpfile();
    capture->saved = dup(descriptor);
    dup2(fileno(capture->file), descriptor);
}

static inline void capture_end(struct capture *capture)
{
    size_t length;

    capture_flush(capture->descriptor);
    dup2(capture->saved, capture->descriptor);
    close(capture->saved);
    rewind(capture->file);
    length = fread(capture->text, 1, sizeof capture->text - 1, capture->file);
    capture->text[length] = '\0';
    fclose(capture->file);
}

#endif
