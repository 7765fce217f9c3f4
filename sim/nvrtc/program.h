/**
 * @file program.h
 * @brief A program of NVRTC's (nvrtc.h), and the steps of its way through umcc.
 */
#ifndef UMSIM_NVRTC_PROGRAM_H
#define UMSIM_NVRTC_PROGRAM_H

#include "../include/nvrtc.h"

#include <stdbool.h>

struct umsim_name {
    char *expression;
    char *lowered; /* NULL: not compiled, or nothing of that name */
};

struct _nvrtcProgram {
    char *source, *name;
    int headers_count, names_count;
    struct umsim_header {
        char *text, *name;
    } * headers;
    struct umsim_name *names;
    bool compiled;
    char *log;    /* a text; NULL: empty */
    char *image;  /* the module; NULL: there is none */
    size_t bytes; /* of it */
    char *text;   /* the same as text, made when it is asked for */
    int (*callback)(void *, void *);
    void *payload;
};

/**
 * Has umcc compile the program: fills in log and image.
 * @return as nvrtcCompileProgram()
 */
nvrtcResult umsim_nvrtc_compile(nvrtcProgram program, int count, const char *const *options);

/**
 * Adds to a source, for each name expression, a variable that holds its address: so templates come into
 * being.
 * @return the whole text, to be freed; NULL: no memory
 */
char *umsim_nvrtc_source(const struct _nvrtcProgram *program);

/** Reads the lowered names off a module's table of symbols: what lies where those variables point. */
void umsim_nvrtc_lower(nvrtcProgram program);

#endif
