/**
 * @file unload.c
 * @brief Implementation of unload.h, and umsim_unregister_module() (umsim/abi.h).
 *
 * A library's destructors run while it is still mapped. So what was launched from it runs first, as a driver
 * that unloads a module waits for its kernels. Then its variables are given back, and everything that is
 * remembered by an address in it is forgotten: the next library may lie at the same addresses.
 */
#include "unload.h"
#include "refused.h"
#include "host_function.h"
#include "occupancy.h"
#include "../base/lock.h"
#include "../base/processes.h"
#include "../queue/queue.h"
#include "../queue/recall.h"
#include "../queue/traffic.h"
#include "../space/modules.h"
#include "function.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool ending;

/* Runs before any module's destructor at exit(). A thread that holds the lock then may never release it. */
static void note_the_end(void)
{
    atomic_store(&ending, true);
}

void umsim_unload_start(void)
{
    atexit(note_the_end);
}

void umsim_unload_gone(void)
{
    struct umsim_library library;
    while (umsim_modules_give_back(&library)) {
        umsim_kernels_forget(&library);
        umsim_functions_forget(&library);
        umsim_traffic_forget();
        umsim_recall_forget();
    }
}

void umsim_unregister_module(const struct umsim_module *module)
{
    if (umsim_in_gpu || umsim_in_child() || !umsim_module_closes(module))
        return;
    if (atomic_load(&ending) || umsim_inside_host_function())
        return; /* what is queued behind a host function cannot run before that returns: the next call goes on
                 */
    umsim_lock();
    umsim_queue_finish_all();
    umsim_refusals_before_unload();
    umsim_unload_gone();
    umsim_unlock();
}
