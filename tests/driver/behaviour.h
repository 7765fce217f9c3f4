/**
 * @file behaviour.h
 * @brief Driver tests: what each call answers, a line each, on a GPU and on the simulator.
 *
 *     static void freeing_twice_is_refused(void)
 *     {
 *         in_a_context();
 *         RETURNS("cuMemFree: twice", cuMemFree(p));
 *     }
 *
 * Nothing here knows what is right: the lines are compared with those of a real GPU (run.py). Each function
 * runs in a process of its own, so that a fault or a sticky error ends nothing else. Answers carry no
 * addresses, and nothing else that changes from run to run.
 */
#ifndef DRIVER_BEHAVIOUR_H
#define DRIVER_BEHAVIOUR_H

#include <cuda.h>
#include <stddef.h>

/** Prints one answer under its name, which no other answer has. */
void answer(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** A result's name. */
const char *result_name(CUresult result);
/** The answer is what a call returns. */
#define RETURNS(name, call) answer(name, "%s", result_name(call))

/** Ends the function's process, with a line, where what has to work does not. */
void require_at(CUresult result, const char *call, const char *file, int line);
#define NEED(call) require_at(call, #call, __FILE__, __LINE__)

/** cuInit(), and a context of the program's own, which is current. */
CUcontext in_a_context(void);
/** The module of kernels.cu. */
CUmodule module_of_kernels(void);
/** One of its kernels. */
CUfunction kernel(const char *name);
/** Where the file lies. */
extern const char *kernels_file;
/** The same file in memory, and its PTX (NULL on the simulator). */
const void *kernels_image(void);

/** Device memory of so many bytes, all of them 0. */
CUdeviceptr zeros(size_t bytes);

/** Functions of one file. */
struct behaviour {
    const char *name;
    void (*run)(void);
};
extern const struct behaviour start_behaviours[], context_behaviours[], memory_behaviours[],
    copy_behaviours[], stream_behaviours[], graph_behaviours[], graph_exec_behaviours[], module_behaviours[],
    launch_behaviours[], pointer_behaviours[], mixed_behaviours[];
/** Functions of two devices. */
extern const struct behaviour two_behaviours[], two_work_behaviours[], two_mixed_behaviours[];

#endif
