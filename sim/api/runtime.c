/**
 * @file runtime.c
 * @brief Implementation of runtime.h: starts and ends the simulator, and enters and leaves every API call.
 */
#include "attributes.h"
#include "graph.h"
#include "host_function.h"
#include "runtime.h"
#include "../base/error_names.h"
#include "../base/foreign_call.h"
#include "grading.h"
#include "refused.h"
#include "capacity.h"
#include "settings.h"
#include "unload.h"
#include "../check/check.h"
#include "../fault/host_fault.h"
#include "../fault/rebind.h"
#include "../record/ledger.h"
#include "../base/report.h"
#include "../record/trace.h"
#include "../queue/explain_launch.h"
#include "../queue/work_limit.h"
#include "../base/library.h"
#include "../base/addresses.h"
#include "../base/python_place.h"
#include "../base/layout.h"
#include "../base/lock.h"
#include "../device/process.h"
#include "../space/managed.h"
#include "../space/fork.h"
#include "../space/modules.h"
#include "../space/register.h"
#include "../base/processes.h"
#include "../base/program_clock.h"
#include "../space/views.h"
#include "../worker/launches.h"
#include "../worker/stacks.h"
#include "../base/mode.h"
#include "../base/machine.h"
#include "../base/sticky.h"
#include "../base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__thread cudaError_t umsim_last_error __attribute__((tls_model("initial-exec")));

static struct umsim_settings settings;
static bool started;
static cudaError_t start_error; /* why the simulator did not start */
static pid_t owner;

/* Profiles are installed beside the library: in PREFIX/share/umlab/profiles, as in build/sim. */
static void load_machine(void)
{
    struct umsim_library self;
    char folder[4096] = ".", error[512];
    if (umsim_library_of((void *)(uintptr_t)load_machine, &self) && strrchr(self.file, '/'))
        snprintf(folder, sizeof folder, "%.*s/../share/umlab/profiles",
                 (int)(strrchr(self.file, '/') - self.file), self.file);
    const char *folders[] = {folder};
    if (umsim_profile_load(settings.profile, folders, 1, &umsim_machine, error, sizeof error) != 0)
        umsim_die("UMSIM_PROFILE=%s: %s", settings.profile, error);
    for (unsigned device = 1; device <= umsim_machine.other_count; device++)
        if (umsim_profile_load_other(settings.profile, folders, 1, &umsim_machine, device,
                                     umsim_machine_other(device), error, sizeof error) != 0)
            umsim_die("UMSIM_PROFILE=%s: %s", settings.profile, error);
}

/* Each device's part of the arena has the size of the largest. */
static size_t most_device_bytes(void)
{
    int64_t most = 0;
    for (unsigned device = 0; device < umsim_devices; device++) {
        const int64_t bytes = umsim_machine_of(device)->capacity.total_global_memory;
        most = bytes > most ? bytes : most;
    }
    return (size_t)most;
}

static void choose_devices(void)
{
    const unsigned count = umsim_profile_devices(&umsim_machine);
    if (count > 1)
        umsim_devices_choose(count, getenv("CUDA_VISIBLE_DEVICES"), umsim_device_is_named);
}

static cudaError_t refuse(const char *why)
{
    umsim_say("the simulated GPU cannot start: %s", why);
    return cudaErrorInitializationError;
}

/* Creates what the two processes share: their state, memory and launches. */
static void share_memory(void)
{
    umsim_processes = umsim_shared_memory(sizeof *umsim_processes);
    umsim_views = umsim_shared_memory(sizeof *umsim_views);
    umsim_keep_out_of_cores(umsim_views, sizeof *umsim_views); /* of what is not in cores, either */
    umsim_launches = umsim_shared_memory(sizeof *umsim_launches);
}

/** Each arena is mapped twice; a checked program has tables of four times its size, and some more. */
enum { VIEWS = 2, CHECKED_VIEWS = 7 };

/* Memory is opened and closed by pages of UMSIM_PAGE, as the paging policy counts them.
 * @return NULL, or why the system's pages do not go with that */
static const char *misfit_of_pages(void)
{
    static char text[256];
    const long page = sysconf(_SC_PAGESIZE);
    if (page <= 0 || (size_t)page == UMSIM_HOST_PAGE)
        return NULL;
    snprintf(text, sizeof text,
             "this system's pages have %ld bytes, and the simulated GPU was built to open and close memory "
             "by pages of "
             "%zu; %s",
             page, (size_t)UMSIM_PAGE,
             page == 4096 || page == 16384
                 ? "build it again here: make takes the system's own"
                 : "boot a kernel with pages of 4 or 16 KiB, or run it in a virtual machine that has one");
    return text;
}

static cudaError_t start(void)
{
    umsim_program_clock_waits();
    const char *why = misfit_of_pages();
    if (why)
        return refuse(why);
    settings = umsim_settings_read();
    load_machine();
    choose_devices();
    if (!umsim_devices)
        return cudaErrorNoDevice;
    umsim_capacity_set(settings.full_capacity);
    if (settings.trace)
        umsim_trace_open(settings.trace);
    umsim_trace_begin(umsim_machine.name);
    if (settings.explain)
        umsim_explain_start();
    umsim_recall_set(settings.recall);
    umsim_schedule_set(settings.schedule, settings.seed);
    if (!settings.tell)
        umsim_refusals_keep_quiet();
    umsim_work_limit_set(settings.kernel_timeout_s);
    umsim_workers = umsim_checks ? 1 : settings.threads; /* one when checking, so that findings repeat */
    umsim_places_find(settings.few_addresses);
    const size_t device_bytes = umsim_grading_limit_arenas(most_device_bytes());
    why = umsim_addresses_plan(umsim_devices * device_bytes, umsim_checks ? CHECKED_VIEWS : VIEWS,
                               umsim_worker_memory_bytes(true), &umsim_workers);
    if (why)
        return refuse(why);
    share_memory();
    why = umsim_arenas_reserve(device_bytes);
    if (why)
        return refuse(why);
    if (!umsim_register_start() || !umsim_managed_start())
        return refuse("no memory for its tables");
    for (unsigned device = 0; device < umsim_devices; device++)
        umsim_managed_set_device_memory(device, (size_t)umsim_machine_of(device)->capacity.free_at_start);
    why = umsim_check_start();
    if (why)
        return refuse(why);
    umsim_modules_adopt();
    umsim_modules_seen();
    umsim_check_modules();
    umsim_fork_start();
    umsim_libc_find_all();
    umsim_rebind();
    why = umsim_gpu_start();
    if (why)
        return refuse(why);
    owner = getpid();
    umsim_unload_start();
    umsim_host_handler_install();
    umsim_spend(UMSIM_CALL_START);
    umsim_clock_started();
    started = true;
    return cudaSuccess;
}

/* Without this the GPU process would outlive a short program by moments, and nobody would wait for its
 * end. */
__attribute__((destructor)) static void stop(void)
{
    if (!started || owner != getpid() || umsim_in_gpu)
        return;
    umsim_process_ends();
    umsim_gpu_stop();
}

/* What was issued has to have run, but that is the simulator's affair: the caller's clock does not wait. */
cudaError_t umsim_gpu_anew(void)
{
    umsim_queue_finish_all();
    if (umsim_sticky_error()) /* its kernels may be gone */
        return umsim_sticky_error();
    umsim_gpu_stop();
    const char *why = umsim_gpu_start();
    return why ? refuse(why) : cudaSuccess;
}

/* When a library with kernels was opened or closed after the fork, the GPU process is started anew, as the
 * host now is. */
static cudaError_t catch_up_with_modules(void)
{
    umsim_program_clock_waits();
    umsim_wait_for_devices();
    umsim_unload_gone();
    umsim_modules_seen();
    umsim_modules_adopt();
    umsim_check_modules();
    umsim_gpu_stop();
    const char *why = umsim_gpu_start();
    return why ? refuse(why) : cudaSuccess;
}

/* UMSIM_FAIL: makes the K-th call of CALL fail. */
static cudaError_t planned_failure(const char *call)
{
    static unsigned long made;
    if (!settings.fail_call[0] || strcmp(call, settings.fail_call) != 0 || ++made != settings.fail_at)
        return cudaSuccess;
    if (settings.fail_error)
        return settings.fail_error;
    return strstr(call, "Alloc") || strstr(call, "alloc") ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

static __thread const char *call_in_hand __attribute__((tls_model("initial-exec"))) =
    ""; /* this thread's, until it returns */

/* The call that this thread is in. */
static __thread const struct umsim_api_call *under_way __attribute__((tls_model("initial-exec")));

/* Inside a host function nothing holds the lock, and the refusal has been said. */
static cudaError_t refuse_inside_host_function(const struct umsim_api_call *call)
{
    const cudaError_t error = umsim_host_function_refuses(call->name);
    if (umsim_checks & UMSIM_CHECK_API)
        umsim_refused(call, error);
    return error;
}

/* The runtime makes the primary context current in a thread that has none (driver/context.c). */
static atomic_bool used[UMSIM_DEVICES_MAX], called;
static __thread enum umsim_primary wanted __attribute__((tls_model("initial-exec")));

bool umsim_runtime_is_used(unsigned device)
{
    return atomic_load(&used[device]);
}

bool umsim_runtime_is_called(void)
{
    return atomic_load(&called);
}

enum umsim_primary umsim_primary_wanted(void)
{
    const enum umsim_primary now = wanted;
    wanted = UMSIM_PRIMARY_NOT_WANTED;
    return now;
}

void umsim_want_primary(enum umsim_primary how)
{
    atomic_store(&used[umsim_device()], true);
    if (how > wanted)
        wanted = how;
    if (how == UMSIM_PRIMARY_ALWAYS)
        umsim_call_owner = NULL;
}

/* A thread that is cancelled inside a call must not leave with the lock. */
static __thread int calls_of_thread __attribute__((tls_model("initial-exec")));
static __thread int programs_cancelling __attribute__((tls_model("initial-exec")));

static void begin_call(void)
{
    if (calls_of_thread++ == 0)
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &programs_cancelling);
    umsim_program_clock_enter();
}

static void end_call(void)
{
    umsim_program_clock_leave();
    if (--calls_of_thread != 0)
        return;
    pthread_setcancelstate(programs_cancelling, NULL);
    pthread_testcancel(); /* a loop of calls has to end, too */
}

cudaError_t umsim_enter(struct umsim_api_call *call, enum umsim_entry entry)
{
    const char *name = call->name; /* the runtime's own name */
    if (!umsim_foreign_call && !under_way)
        umsim_python_call = umsim_python_place(); /* before the lock is taken: Python has one, too */
    call->name = call_in_hand = umsim_call_name(name);
    call->caller = umsim_call_place(NULL);
    if (!umsim_foreign_call)
        atomic_store(&called, true);
    if (!umsim_foreign_call && entry == UMSIM_NEEDS_DEVICE)
        umsim_want_primary(UMSIM_PRIMARY_IF_NONE);
    if (umsim_in_child()) /* as with CUDA, a child that the program forks has no GPU */
        return cudaErrorInitializationError;
    if (!umsim_host_function_permits(name))
        return refuse_inside_host_function(call);
    umsim_rebind_later_ones();
    begin_call();
    umsim_lock();
    cudaError_t error = start_error, planned = cudaSuccess;
    if (!started && !error)
        error = start_error = start();
    umsim_service_noticed_call();
    umsim_ledger_call(call->name);
    umsim_check_call(call->name, call->caller);
    if (!error && entry == UMSIM_NEEDS_DEVICE)
        error = umsim_sticky_error();
    if (!error && umsim_captures)
        error = umsim_capture_forbids(name);
    if (!error)
        error = planned = planned_failure(call->name);
    if (!error && umsim_modules_changed())
        error = umsim_is_grading() ? cudaErrorNotSupported : catch_up_with_modules();
    if (error) {
        umsim_unlock();
    } else {
        call->outer = under_way;
        call->stalls = umsim_clock_stalls();
        under_way = call;
        if (entry == UMSIM_NEEDS_DEVICE)
            umsim_trace_call(call->name);
    }
    if (error && !start_error && !planned) /* those have been said, or were asked for */
        umsim_refused(call, error);
    if (error)
        end_call();
    return error;
}

cudaError_t umsim_remember(cudaError_t error)
{
    const char *call = call_in_hand;
    call_in_hand = ""; /* some refusals come without umsim_enter(): they are nobody's */
    if (error && error != cudaErrorNotReady) { /* not ready is an answer, not a failure */
        if (!umsim_foreign_call)
            umsim_last_error = error;
        umsim_ledger_failed(call, (uint64_t)error);
    }
    return error;
}

cudaError_t umsim_leave(cudaError_t error)
{
    umsim_ledger_totals();
    umsim_trace_return((int)error);
    const struct umsim_api_call *call = under_way;
    under_way = call->outer;
    if (umsim_clock_stalls() != call->stalls)
        umsim_ledger_stalled(call->name);
    if (!error)
        umsim_succeeded(call);
    umsim_unlock();
    if (error)
        umsim_refused(call, error);
    end_call();
    return umsim_remember(error);
}

cudaError_t umsim_refuse(const struct umsim_api_call *call, cudaError_t error)
{
    umsim_refused(call, error);
    return umsim_remember(error);
}

struct umsim_chunks umsim_device_chunks, umsim_pinned_chunks;

void umsim_wait_for_device(void)
{
    umsim_ledger_waited();
    umsim_queue_finish_device(umsim_device());
    umsim_clock_wait_until(umsim_queue_end_ns(umsim_device()));
}

void umsim_wait_for(unsigned device)
{
    umsim_ledger_waited();
    umsim_queue_finish_all();
    umsim_clock_wait_until(umsim_queue_end_ns(device));
}

void umsim_wait_for_devices(void)
{
    umsim_ledger_waited();
    umsim_queue_finish_all();
    for (unsigned device = 0; device < umsim_devices; device++)
        umsim_clock_wait_until(umsim_queue_end_ns(device));
}
