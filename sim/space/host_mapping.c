/*
 * host_mapping.c: see mapping.h. The host's half. Callers hold umsim_managed_lock() (managed.h), because host threads
 * fault when they like.
 */
#include "mapping.h"
#include "arena.h"
#include "../uvm/uvm.h"
#include "../fault/report.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static struct umsim_opened opened;
static atomic_bool any_open; /* since all were closed */

struct uvm_device *umsim_managed_device(void)
{
    static struct uvm_device *device;
    if (!device) {
        device = umsim_shared_memory(sizeof *device);
        uvm_device_init(device, 0);
        umsim_opened_start(&opened, UVM_CPU);
    }
    return device;
}

struct umsim_managed_space *umsim_managed_space_make(char *base, size_t bytes, char *window)
{
    struct umsim_shared *shared = umsim_shared_state;
    unsigned index = atomic_load(&shared->spaces);
    if (index == UMSIM_SPACES_MAX)
        return NULL;
    struct umsim_managed_space *space = &shared->space[index];
    *space = (struct umsim_managed_space){.base = base, .bytes = bytes, .window = window};
    size_t blocks = umsim_space_block(space, base + bytes - 1) + 1;
    space->policy = uvm_space_init(umsim_shared_memory(uvm_space_bytes(blocks)), umsim_managed_device(),
                                   (uintptr_t)base, blocks);
    for (unsigned side = 0; side < UVM_PROCESSORS; side++)
        space->opened[side] = umsim_shared_memory(blocks * sizeof *space->opened[side]);
    atomic_store(&shared->spaces, index + 1);
    return space;
}

/*
 * How much of what is granted around `p` is opened. Each page that is there costs the kernel's mprotect as much as a
 * thirtieth of a fault (0.09 us and 3 us, measured on a 2-core virtual machine): a whole block of 512 pages for a lone
 * touch would be dear. So it is the 64 KiB unit, and twice as much with each step of a walk, up or down.
 */
static void narrow(const void *p, uintptr_t *start, size_t *bytes)
{
    static uintptr_t last_start, last_end;
    const uintptr_t unit = umsim_round_down((uintptr_t)p, UMSIM_BIG_PAGE), run_end = *start + *bytes;
    const size_t twice = 2 * (last_end - last_start),
                 doubled = twice > UMSIM_BIG_PAGE ? twice : UMSIM_BIG_PAGE;
    uintptr_t from = unit, to = unit + UMSIM_BIG_PAGE;
    if (unit == last_end)
        to = unit + doubled;
    else if (to == last_start)
        from = to - doubled;
    last_start = from < *start ? *start : from;
    last_end = to > run_end ? run_end : to;
    *start = last_start;
    *bytes = last_end - last_start;
}

void umsim_host_open(struct umsim_managed_space *space, const void *p, bool is_write)
{
    uintptr_t start;
    size_t bytes;
    bool writable = uvm_granted_run(space->policy, UVM_CPU, (uintptr_t)p, true, &start, &bytes);
    if (!writable &&
        (is_write || !uvm_granted_run(space->policy, UVM_CPU, (uintptr_t)p, false, &start, &bytes)))
        umsim_die("the paging policy grants the host nothing at %p", p);
    umsim_managed_clip(space, p, &start, &bytes);
    narrow(p, &start, &bytes);
    int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    atomic_store(&any_open, true);
    if (!umsim_opened_add(&opened, space, (char *)start, bytes, protection))
        umsim_die("cannot open %zu bytes of managed memory at %p: %s", bytes, (void *)start, strerror(errno));
}

bool umsim_host_has_open(void)
{
    return atomic_load(&any_open);
}

void umsim_host_close_managed(void)
{
    struct umsim_shared *shared = umsim_shared_state;
    atomic_store(&any_open, false);
    for (unsigned i = 0; i < atomic_load(&shared->spaces); i++)
        umsim_opened_close_all(&opened, &shared->space[i], false);
}

static void follow(struct umsim_managed_space *space, enum uvm_processor processor, size_t block)
{
    if (processor == UVM_CPU && atomic_load(&space->opened[UVM_CPU][block].open))
        umsim_opened_close(&opened, space, block);
    if (processor == UVM_GPU && atomic_load(&space->opened[UVM_GPU][block].open)) {
        atomic_store(&space->opened[UVM_GPU][block].stale, 1);
        atomic_store(&umsim_shared_state->managed_stale, true);
    }
}

void umsim_apply_revocations(struct umsim_managed_space *space)
{
    size_t block;
    while (uvm_revoked_next(space->policy, UVM_CPU, &block))
        follow(space, UVM_CPU, block);
    while (uvm_revoked_next(space->policy, UVM_GPU, &block))
        follow(space, UVM_GPU, block);
}

void umsim_close_block_of(struct umsim_managed_space *space, const void *p)
{
    follow(space, UVM_CPU, umsim_space_block(space, p));
    follow(space, UVM_GPU, umsim_space_block(space, p));
}

void umsim_gpu_close_at_launch(void)
{
    struct umsim_shared *shared = umsim_shared_state;
    for (unsigned i = 0; i < atomic_load(&shared->spaces); i++)
        for (size_t block = 0; block < shared->space[i].policy->blocks_end; block++)
            follow(&shared->space[i], UVM_GPU, block);
}
