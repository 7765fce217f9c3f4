/**
 * @file ipc_event.c
 * @brief Implementation of ipc.h: what processes share of an event.
 */
#include "ipc.h"
#include "../base/layout.h"

#include <sys/mman.h>
#include <unistd.h>

/* The mapping is a page of the program's, to which kernels have no way. */
static struct umsim_ipc_event *mapped(int file)
{
    void *it = mmap(NULL, UMSIM_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return it == MAP_FAILED ? NULL : it;
}

struct umsim_ipc_event *umsim_ipc_event_make(struct umsim_shared_file *out)
{
    if (!umsim_shared_file_make(out, UMSIM_PAGE))
        return NULL;
    struct umsim_ipc_event *it = mapped(out->file);
    if (!it)
        umsim_shared_file_close(out);
    return it;
}

struct umsim_ipc_event *umsim_ipc_event_open(const struct umsim_shared_file *file)
{
    const int descriptor = umsim_shared_file_open(file);
    struct umsim_ipc_event *it = descriptor < 0 ? NULL : mapped(descriptor);
    if (descriptor >= 0)
        close(descriptor);
    return it;
}

void umsim_ipc_event_close(struct umsim_ipc_event *event)
{
    munmap(event, UMSIM_PAGE);
}
