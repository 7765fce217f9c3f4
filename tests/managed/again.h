/**
 * @file again.h
 * @brief Scenes: pieces of the tests that run in a process of their own, because settings are read once at
 * the start.
 *
 *     static void greet(void) { puts("hello"); }
 *     SCENE("greet", greet)                        // runs instead of the tests where UM_SCENE=greet
 *
 *     static struct again run;
 *     run = (struct again){.scene = "greet", .settings = {"UMSIM_SCHED=eager"}};
 *     again(&run);                                 // this executable once more; its output is in run.out
 *     again_ended_well(&run);
 *
 * A scene ends well when its function returns; SCENE_NEED() ends it otherwise, with the reason on stderr.
 */
#ifndef MANAGED_AGAIN_H
#define MANAGED_AGAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { AGAIN_SETTINGS_MAX = 6, AGAIN_TEXT_MAX = 16384 };

/** One run of a scene: what is asked for, then what came of it. */
struct again {
    const char *scene;
    const char *settings[AGAIN_SETTINGS_MAX]; /**< NAME=VALUE, as far as they are not NULL */
    double limit_s; /**< times um_test_patience(): then its processes are killed; 0 is 60 s */

    bool in_time;
    int status;                                    /**< as waitpid() gives it */
    char out[AGAIN_TEXT_MAX], err[AGAIN_TEXT_MAX]; /**< longer output is cut off */
};

/** Runs the scene to its end. */
void again(struct again *run);

/** @name Assertions: a failure shows the scene's settings and output. @return whether it holds @{ */
bool again_ended_well(const struct again *run);
bool again_died_of(const struct again *run, int signal);
/** @} */

/** The number behind `name=` in what the scene printed; the test fails when it printed none. */
unsigned long long again_number(const struct again *run, const char *name);

/** A setting of the scene, or `otherwise`. */
long scene_setting(const char *name, long otherwise);

/** Real time. */
double seconds_now(void);

/** Whether the long version was asked for (UM_LONG=1: make test-long). */
bool long_version(void);

/** Runs `scene` and exits when UM_SCENE names it. SCENE() calls it. */
void scene_run(const char *name, void (*scene)(void));

#define SCENE_JOIN2(a, b) a##b
#define SCENE_JOIN(a, b) SCENE_JOIN2(a, b)
/** The libraries' own constructors have run by then. */
#define SCENE(name, function)                                                                                \
    __attribute__((constructor)) static void SCENE_JOIN(scene_, __LINE__)(void)                              \
    {                                                                                                        \
        scene_run(name, function);                                                                           \
    }

/** In a scene: the condition holds, or the scene ends badly. */
#define SCENE_NEED(condition, ...)                                                                           \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                                  \
            fprintf(stderr, __VA_ARGS__);                                                                    \
            fputc('\n', stderr);                                                                             \
            fflush(NULL);                                                                                    \
            _Exit(1);                                                                                        \
        }                                                                                                    \
    } while (0)

/** In a scene: the CUDA call succeeds, or the scene ends badly. */
#define SCENE_CALL(call)                                                                                     \
    do {                                                                                                     \
        const cudaError_t scene_error_ = (call);                                                             \
        SCENE_NEED(scene_error_ == cudaSuccess, "%s: %s", #call, cudaGetErrorName(scene_error_));            \
    } while (0)

#endif
