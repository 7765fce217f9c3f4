/**
 * @file trial.c
 * @brief Implementation of trial.h: the processes in which lab 2 tries bad pointers.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trial.h"

#define TRIAL_SECONDS 60

struct trial {
    enum trial_memory memory;
    size_t bytes;       /**< size of the allocation */
    bool quiet;         /**< drop what the simulator says about it on stderr */
    char profile[1024]; /**< UMSIM_PROFILE; "" for none */
};

static int trial_requests = -1, trial_results = -1;
static pid_t trial_server;
static char trial_global[64] = "a global variable";

/* Makes the memory; a stack has to be the caller's. NULL without memory. */
static unsigned char *trial_memory_make(const struct trial *trial, char *on_stack)
{
    unsigned char *d_x = NULL;

    if (trial->memory == TRIAL_MALLOC)
        return calloc(1, trial->bytes);
    if (trial->memory == TRIAL_STACK || trial->memory == TRIAL_GLOBAL)
        return (unsigned char *)(trial->memory == TRIAL_STACK ? on_stack : trial_global);
    if (!UM_CHECK(cudaMalloc((void **)&d_x, trial->bytes)))
        return NULL;
    if (trial->memory == TRIAL_PAST_END)
        return d_x + trial->bytes;
    return UM_CHECK(cudaFree(d_x)) ? d_x : NULL;
}

static void trial_run(const struct trial *trial, struct trial_result *result)
{
    char on_stack[64] = "a variable of a function that is still running";
    unsigned char h_byte = 0, *d_out = NULL, *more = NULL, *p;

    if (!UM_CHECK(cudaMalloc((void **)&d_out, 1)))
        return;
    p = trial_memory_make(trial, on_stack);
    if (!p)
        return;
    result->launch = um_page_read(d_out, p, 1, 1, 0);
    result->synchronize = cudaDeviceSynchronize();
    result->copy = cudaMemcpy(&h_byte, d_out, 1, cudaMemcpyDeviceToHost);
    result->release = cudaFree(d_out);
    result->last = cudaGetLastError();
    result->reset = cudaDeviceReset();
    result->allocate = cudaMalloc((void **)&more, 1);
    result->ended = true;
}

/* The third process. */
static _Noreturn void trial_process(const struct trial *trial)
{
    struct trial_result result = {0};

    alarm(TRIAL_SECONDS);
    if (trial->profile[0] != '\0')
        setenv("UMSIM_PROFILE", trial->profile, 1);
    if (trial->quiet && !freopen("/dev/null", "w", stderr))
        _exit(UM_EXIT_CANNOT);
    trial_run(trial, &result);
    /* By exit(), so that the runtime ends as at the end of any program. */
    exit(write(trial_results, &result, sizeof result) == sizeof result ? UM_EXIT_OK : UM_EXIT_CANNOT);
}

/* The second process: one trial after another, until the first has ended. */
static _Noreturn void trial_serve(void)
{
    struct trial trial;
    const struct trial_result nothing = {0};

    while (read(trial_requests, &trial, sizeof trial) == sizeof trial) {
        const pid_t child = fork();
        int status = -1;

        if (child == 0)
            trial_process(&trial);
        if (child > 0)
            waitpid(child, &status, 0);
        if (status != UM_EXIT_OK && write(trial_results, &nothing, sizeof nothing) < 0)
            break;
    }
    _exit(UM_EXIT_OK);
}

bool trial_service(void)
{
    int requests[2], results[2];

    if (pipe(requests) != 0 || pipe(results) != 0)
        return false;
    trial_server = fork();
    trial_requests = requests[trial_server == 0 ? 0 : 1];
    trial_results = results[trial_server == 0 ? 1 : 0];
    close(requests[trial_server == 0 ? 1 : 0]);
    close(results[trial_server == 0 ? 0 : 1]);
    if (trial_server == 0)
        trial_serve();
    return trial_server > 0;
}

void trial_end(void)
{
    close(trial_requests);
    close(trial_results);
    waitpid(trial_server, NULL, 0);
}

struct trial_result trial_make(enum trial_memory memory, size_t bytes, bool quiet)
{
    struct trial trial = {.memory = memory, .bytes = bytes, .quiet = quiet};
    struct trial_result result = {0};
    const char *profile = getenv("UMSIM_PROFILE");

    snprintf(trial.profile, sizeof trial.profile, "%s", profile ? profile : "");
    fflush(NULL);
    if (write(trial_requests, &trial, sizeof trial) != sizeof trial ||
        read(trial_results, &result, sizeof result) != sizeof result)
        result.ended = false;
    return result;
}
