/**
 * @file explain.c
 * @brief Implementation of explain.h: classifies the address of a bad access and prints the lesson about it.
 *
 * The texts of the lessons are data; the code finds out what the address is.
 */
#include "explain.h"
#include "undefined_operation.h"
#include "../base/foreign_call.h"
#include "../base/lock.h"
#include "../base/machine.h"
#include "../base/python_place.h"
#include "../base/source_line.h"
#include "../check/check.h"
#include "../space/heap.h"
#include "../include/driver_types.h"
#include "../include/umsim.h"
#include "../space/registry.h"
#include "../space/arena.h"
#include "../space/array.h"
#include "../space/proc_maps.h"
#include "../space/protection.h"
#include "../space/views.h"
#include "../worker/launches.h"
#include "../base/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct text {
    char line[2048];
    size_t used;
    bool is_later; /* source lines are found out by whoever prints it */
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int written = vsnprintf(text->line + text->used, sizeof text->line - text->used, format, values);
    va_end(values);
    if (written > 0)
        text->used += (size_t)written;
    if (text->used >= sizeof text->line)
        text->used = sizeof text->line - 1;
}

static void emit(const struct text *text)
{
    if (umsim_real_write(STDERR_FILENO, text->line, text->used) < 0)
        return; /* stderr cannot be written: there is no other way to report */
}

static const char *kind_of(const struct umsim_alloc *allocation)
{
    switch (allocation->memory) {
    case UMSIM_DEVICE_VARIABLE:
        return "section of __device__ variables";
    case UMSIM_MANAGED_VARIABLE:
        return "section of __managed__ variables";
    default:
        return "allocation";
    }
}

static void add_allocation(struct text *text, const void *p, const struct umsim_alloc *allocation)
{
    add(text, "%zu bytes into a %zu-byte %s %s", (size_t)((const char *)p - allocation->base),
        allocation->bytes, allocation->call, kind_of(allocation));
}

static void add_origin(struct text *text, const struct umsim_alloc *allocation)
{
    char place[256];
    if (!allocation->caller)
        return;
    if (text->is_later) {
        add(text, " made at " UMSIM_SOURCE_LATER, allocation->caller);
        return;
    }
    umsim_source_line(allocation->caller, place, sizeof place);
    add(text, " made at %s", place);
}

/* The page behind an array, to whose address the array's handle points. */
static void add_array(struct text *text, const struct umsim_array *array)
{
    add(text, "the handle of an array of %zu x %zu x %zu elements of %s", array->extent.width, array->rows,
        array->slices, array->allocation->call);
    add_origin(text, array->allocation);
}

/* An address in no live allocation: which freed allocation it belonged to, or which live one is next to it.
 */
static void add_stray(struct text *text, const void *p)
{
    if (umsim_heap_holds(p)) {
        add(text, "in the heap of malloc() and new in kernels");
        return;
    }
    if (umsim_array_behind(p)) {
        add_array(text, umsim_array_behind(p));
        return;
    }
    if (umsim_is_absent(p)) {
        add_allocation(text, p, umsim_registry_find(p));
        add_origin(text, umsim_registry_find(p));
        add(text, ", which its graph has not taken, or has freed");
        return;
    }
    const struct umsim_alloc *note = umsim_registry_freed(p);
    if (note) {
        add(text, "in a %zu-byte %s allocation that has been freed", note->bytes, note->call);
        add_origin(text, note);
        return;
    }
    for (size_t back = 1; back <= 4096; back *= 2) {
        const struct umsim_alloc *before = umsim_registry_find((const char *)p - back);
        if (!before)
            continue;
        add(text, "%zu bytes past the end of a %zu-byte %s allocation",
            (size_t)((const char *)p - before->base - before->bytes), before->bytes, before->call);
        add_origin(text, before);
        return;
    }
    const struct umsim_arena *arena = umsim_arena_of(p);
    add(text, "in no allocation%s", arena ? ", though in an address range that the GPU reserves" : "");
}

static size_t describe(const void *p, bool is_later, char *buffer, size_t size)
{
    struct text text = {.used = 0, .is_later = is_later};
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    if (allocation)
        add_allocation(&text, p, allocation);
    else if (umsim_arena_of(p))
        add_stray(&text, p);
    snprintf(buffer, size, "%.*s", (int)text.used, text.line);
    return size ? strlen(buffer) : 0;
}

size_t umsim_describe(const void *p, char *buffer, size_t size)
{
    return describe(p, false, buffer, size);
}

size_t umsim_explain_place(const void *p, char *buffer, size_t size)
{
    return describe(p, true, buffer, size);
}

static const char *verb(struct umsim_access access)
{
    return !access.known ? "touched" : access.is_write ? "wrote" : "read";
}

#define ARRAY_LESSON                                                                                         \
    "\n  why      a cudaArray_t is no pointer: how its elements lie in memory is the texture units' own "    \
    "affair\n"                                                                                               \
    "  instead  copy them with cudaMemcpy2DFromArray() and related functions; kernels read them by a "       \
    "texture object\n"

/* The C library's free() and realloc() read the size of a block, which stands before it. */
static const struct umsim_alloc *freed_by_host(const void *address, struct umsim_access access)
{
    const char *base = (const char *)address + sizeof(size_t);
    const struct umsim_alloc *allocation = access.is_write ? NULL : umsim_registry_find(base);
    return allocation && allocation->base == base && umsim_is_device_only(allocation->memory) ? allocation
                                                                                              : NULL;
}

static void explain_free(const struct umsim_alloc *allocation)
{
    struct text text = {.used = 0};
    add(&text, "\n%s: host code called free() or realloc() for device memory.\n  address  %p, ",
        program_invocation_short_name, (void *)allocation->base);
    add_allocation(&text, allocation->base, allocation);
    add_origin(&text, allocation);
    add(&text, "\n  why      the C library's heap did not give this memory, and reads what stands before it\n"
               "  instead  give it back with cudaFree()\n");
    emit(&text);
    umsim_check_explained(text.line);
}

/* The line of a Python program's that this thread is at. Inside a call of CUDA's it is the call's: then this
 * thread has the simulator's lock, with which it must not wait for Python's. */
static void add_python_line(struct text *text)
{
    const void *place = umsim_lock_is_mine() ? umsim_python_call : umsim_python_place();
    if (umsim_python_place_text(place))
        add(text, " at %s", umsim_python_place_text(place));
}

void umsim_explain_host_fault(const void *address, struct umsim_access access, bool forbidden)
{
    const struct umsim_alloc *allocation = umsim_registry_find(address);
    const struct umsim_arena *arena = umsim_arena_of(address);
    if (!allocation && freed_by_host(address, access)) {
        explain_free(freed_by_host(address, access));
        return;
    }
    if (!arena && !(allocation && umsim_is_device_only(allocation->memory)))
        return; /* the program's own affair */
    bool of_device =
        allocation ? umsim_is_device_only(allocation->memory) : arena == &umsim_arenas[UMSIM_ARENA_DEVICE];
    struct text text = {.used = 0};
    add(&text, "\n%s: host code %s %s memory", program_invocation_short_name, verb(access),
        of_device   ? "device"
        : forbidden ? "managed"
                    : "unallocated");
    add_python_line(&text);
    add(&text, ".\n  address  %p, ", address);
    const struct umsim_array *array = umsim_array_behind(address);
    if (allocation && !array) {
        add_allocation(&text, address, allocation);
        add_origin(&text, allocation);
    } else {
        add_stray(&text, address);
    }
    if (forbidden)
        add(&text,
            "\n  why      this device has concurrentManagedAccess = 0: from a kernel's launch to the next\n"
            "           synchronisation the host may touch no managed memory that the kernel may reach, used "
            "or not\n"
            "  instead  call cudaDeviceSynchronize() first, or attach it elsewhere: "
            "cudaStreamAttachMemAsync()\n");
    else if (array)
        add(&text, ARRAY_LESSON);
    else if (umsim_heap_holds(address))
        add(&text,
            "\n  why      what a kernel allocates is the kernels' own: no host code and no cudaMemcpy() "
            "reaches it\n"
            "  instead  have a kernel copy it to memory of cudaMalloc()\n");
    else if (of_device)
        add(&text,
            "\n  why      this range is reserved in the host's page tables without access: only the GPU's\n"
            "           MMU maps it\n"
            "  instead  copy it first: %s\n",
            access.is_write ? "cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)"
                            : "cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)");
    else
        add(&text,
            "\n  why      nothing is allocated there (any more), so no page of it is open to the host\n"
            "  instead  keep the pointer inside its allocation, and free it after its last use\n");
    emit(&text);
    umsim_check_explained(text.line);
}

/* The memory that a child does not inherit (space/fork.h); NULL where `p` is elsewhere. */
static const char *parents_memory(const void *p)
{
    const struct umsim_arena *arena = umsim_arena_of(p);
    if (arena)
        return arena == &umsim_arenas[UMSIM_ARENA_DEVICE]    ? "device"
               : arena == &umsim_arenas[UMSIM_ARENA_MANAGED] ? "managed"
                                                             : NULL;
    for (unsigned i = 0; i < atomic_load(&umsim_views->spaces); i++)
        if ((uintptr_t)p - (uintptr_t)umsim_views->space[i].base < umsim_views->space[i].bytes)
            return "managed";
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++)
        if ((uintptr_t)p - (uintptr_t)umsim_views->section[i].base < umsim_views->section[i].bytes)
            return "device";
    return NULL;
}

void umsim_explain_child_fault(const void *address, struct umsim_access access)
{
    const char *memory = parents_memory(address);
    struct text text = {.used = 0};
    if (!memory)
        return;
    add(&text,
        "%s: a child of fork() %s its parent's %s memory at %p, which a child does not inherit: let the "
        "parent use "
        "the GPU, or fork before the first CUDA call\n",
        program_invocation_short_name, verb(access), memory, address);
    emit(&text);
}

/* A part of the host process's memory. Messages name the part, because its address differs in the next run
 * and means nothing to a kernel. */
struct host_place {
    const char *name, *text; /* "<heap>", "in the host's heap (malloc)" */
};

static struct {
    uintptr_t address,
        file_end; /* .bss is anonymous memory, right behind what is mapped from the program's file */
    struct host_place place;
} sought;

static void seek(const struct umsim_mapping *mapping)
{
    bool of_file = umsim_mapping_of_file(mapping) || (!mapping->path[0] && mapping->start == sought.file_end);
    if (of_file)
        sought.file_end = mapping->end;
    if (sought.address - mapping->start >= mapping->end - mapping->start)
        return;
    if (mapping->protection[3] == 's')
        sought.place =
            (struct host_place){"<shared>", "in memory that the host shares (mmap with MAP_SHARED)"};
    else if (strcmp(mapping->path, "[heap]") == 0)
        sought.place = (struct host_place){"<heap>", "in the host's heap (malloc)"};
    else if (strcmp(mapping->path, "[stack]") == 0)
        sought.place = (struct host_place){"<stack>", "on the host's stack"};
    else if (of_file && mapping->protection[2] == 'x')
        sought.place = (struct host_place){"<program>", "in the host program's code"};
    else if (of_file)
        sought.place = (struct host_place){"<program>", "among the host program's variables"};
    else
        sought.place = (struct host_place){
            "<mapped>", "in the host's memory (malloc of a large block, mmap or a thread's stack)"};
}

static int kept = -1;

static int open_maps(void)
{
    return open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
}

void umsim_explain_keep_maps(void)
{
    kept = open_maps();
}

static struct host_place host_place(const void *p)
{
    sought.address = (uintptr_t)p;
    sought.file_end = 0;
    sought.place = (struct host_place){NULL, NULL};
    int maps = kept < 0 ? open_maps() : kept;
    lseek(maps, 0, SEEK_SET);
    umsim_proc_maps_each(maps, seek);
    if (maps != kept)
        close(maps);
    return sought.place;
}

const char *umsim_explain_host_place(const void *p)
{
    return host_place(p).text;
}

static bool is_for_reading(const void *p)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    return allocation && allocation->memory == UMSIM_REGISTERED &&
           (allocation->flags & cudaHostRegisterReadOnly);
}

/* Another device's memory. @return NULL when it is not, or is reached */
static const struct umsim_alloc *peers_memory(const struct umsim_kernel_fault *fault)
{
    const struct umsim_alloc *allocation = umsim_registry_find(fault->address);
    return allocation && !umsim_may_reach(fault->device, allocation) ? allocation : NULL;
}

static void add_peers_lesson(struct text *text, const struct umsim_kernel_fault *fault,
                             const struct umsim_alloc *allocation)
{
    const unsigned runs = fault->device, owns = allocation->device;
    add_allocation(text, fault->address, allocation);
    add_origin(text, allocation);
    add(text,
        ", on device %u\n  why      the kernel runs on device %u, which does not map device %u's memory",
        owns, runs, owns);
    if (!umsim_machine.peers.access)
        add(text,
            ": these devices cannot reach each other\n"
            "  instead  copy it to device %u: cudaMemcpyPeer()\n",
            runs);
    else if (allocation->memory == UMSIM_DEVICE_VARIABLE)
        add(text, ":\n           peer access is to memory that calls have allocated: each device's variables "
                  "are reached "
                  "by its own\n           kernels\n"
                  "  instead  copy the value: cudaMemcpyFromSymbol(), cudaMemcpyPeer(); or allocate it\n");
    else if (umsim_has_list(allocation))
        add(text,
            ":\n           %s memory is reached by the devices of its access list\n"
            "  instead  give device %u access: %s; or copy it: cudaMemcpyPeer()\n",
            allocation->pool ? "a pool's" : "a graph's", runs,
            allocation->pool ? "cudaMemPoolSetAccess()" : "accessDescs of the node that takes it");
    else
        add(text,
            ":\n           peer access is off at the start, and works one way\n"
            "  instead  with device %u current, call cudaDeviceEnablePeerAccess(%u, 0) before the launch; or "
            "copy it:\n"
            "           cudaMemcpyPeer()\n",
            runs, owns);
}

static bool is_in_peers_heap(const struct umsim_kernel_fault *fault)
{
    return umsim_heap_holds(fault->address) && umsim_device_at(fault->address) != fault->device;
}

static void add_lesson(struct text *text, const struct umsim_kernel_fault *fault, const char *place)
{
    if ((uintptr_t)fault->address < 4096)
        add(text, "NULL or close to it\n"
                  "  why      no memory is ever mapped there, neither for the host nor for the GPU\n"
                  "  instead  check that the pointer was allocated and passed to the kernel\n");
    else if (fault->is_write && is_for_reading(fault->address))
        add(text, "in registered memory that may only be read\n"
                  "  why      it was registered with cudaHostRegisterReadOnly, and the host may not write to "
                  "it either\n"
                  "  instead  map it writable and register it without that flag\n");
    else if (place)
        add(text,
            "%s\n"
            "  why      a kernel sees the GPU's address space, and this memory is only in the host's\n"
            "  instead  copy it to cudaMalloc memory, or allocate it with cudaMallocManaged or "
            "cudaMallocHost, or\n"
            "           make it reachable with cudaHostRegister\n",
            place);
    else if (peers_memory(fault)) {
        add_peers_lesson(text, fault, peers_memory(fault));
    } else if (is_in_peers_heap(fault)) {
        add_stray(text, fault->address);
        add(text,
            " of device %u\n"
            "  why      the kernel runs on device %u, and each device's heap is reached by its own kernels\n"
            "  instead  have a kernel of device %u copy it to memory of cudaMalloc() or "
            "cudaMallocManaged()\n",
            umsim_device_at(fault->address), fault->device, umsim_device_at(fault->address));
    } else if (umsim_array_behind(fault->address)) {
        add_stray(text, fault->address);
        add(text, ARRAY_LESSON);
    } else {
        add_stray(text, fault->address);
        add(text, "\n"
                  "  why      no page is mapped there for the GPU\n"
                  "  instead  check index and size: is there an `if (i < n)`? was it freed too early?\n");
    }
}

void umsim_explain_kernel_fault(const struct umsim_kernel_fault *fault)
{
    struct text text = {.used = 0};
    struct umsim_access access = {fault->access_known, fault->is_write};
    const char *program = program_invocation_short_name;
    if (fault->operation) {
        char what[1024];
        umsim_describe_operation(fault, what, sizeof what);
        add(&text, "\n%s: kernel %s %s", program, fault->kernel, what);
    } else if (fault->reason[0]) {
        add(&text, "\n%s: kernel %s %s%s\n", program, fault->kernel, fault->reason,
            strchr(fault->reason, '\n') ? "" : ".");
    } else {
        struct host_place place = {NULL, NULL};
        if (!umsim_arena_of(fault->address) && !umsim_registry_find(fault->address))
            place = host_place(fault->address);
        add(&text, "\n%s: kernel %s %s memory that it cannot reach", program, fault->kernel, verb(access));
        if (umsim_devices > 1)
            add(&text, " from device %u", fault->device);
        if (fault->thread_known)
            add(&text, " (block %u,%u,%u thread %u,%u,%u)", fault->block_index.x, fault->block_index.y,
                fault->block_index.z, fault->thread_index.x, fault->thread_index.y, fault->thread_index.z);
        if (place.name)
            add(&text, ".\n  address  %s, ", place.name);
        else
            add(&text, ".\n  address  %p, ", fault->address);
        add_lesson(&text, fault, place.text);
    }
    if (umsim_python_place_text(fault->launched))
        add(&text, "  launched %s\n", umsim_python_place_text(fault->launched));
    add(&text, "  then     the error is sticky: every later CUDA call of this process returns it\n");
    emit(&text);
    umsim_check_told(fault, text.line);
}
