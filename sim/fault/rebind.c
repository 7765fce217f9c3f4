/**
 * @file rebind.c
 * @brief Implementation of rebind.h.
 *
 * An entry is replaced when the address in it is the C library's function. An entry that the loader has not
 * yet filled (lazy binding) still points into its own object; it is told by its symbol's name. Entries on
 * pages that the loader has closed (RELRO) are opened for that moment; where that is refused, they stay.
 */
#include "rebind.h"
#include "call.h"
#include "../base/layout.h"
#include "../base/mode.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#ifdef __x86_64__
#define IS_JUMP(type) ((type) == R_X86_64_JUMP_SLOT)
#define IS_DATA(type) ((type) == R_X86_64_GLOB_DAT)
#else
#define IS_JUMP(type) ((type) == R_AARCH64_JUMP_SLOT)
#define IS_DATA(type) ((type) == R_AARCH64_GLOB_DAT)
#endif

/** The most objects that are remembered; further ones are looked at each time. */
#define OBJECTS_MAX 2048
#define PAIRS_MAX (UMSIM_LIBC_CALLS + 1)

struct pair {
    uintptr_t real, wrapper;
    const char *name;
    bool is_found; /* the loader finds the real one by that name */
};
static struct pair pairs[PAIRS_MAX]; /* by address */
static size_t pair_count;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const ElfW(Phdr) * seen[OBJECTS_MAX];
static size_t seen_count;
static unsigned long long removed;        /* how many objects had been closed */
static atomic_bool later;                 /* objects may have come that were not looked at */
static enum { UNDECIDED, OFF, ON } state; /* whether anything has to be replaced */

/* ---- one object ---- */

struct object {
    uintptr_t base, start, end; /* its addresses */
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2];
    size_t bytes[2];
    uintptr_t closed, closed_end; /* what the loader has closed */
    bool opened, refused;
};

/* The loader makes addresses of the offsets here; some of its versions do not. */
static uintptr_t address(const struct object *o, uintptr_t value)
{
    return value < o->base ? o->base + value : value;
}

static void read_dynamic(struct object *o, const ElfW(Dyn) * dynamic)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        const uintptr_t value = dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_SYMTAB)
            o->symbols = (const ElfW(Sym) *)address(o, value);
        else if (dynamic->d_tag == DT_STRTAB)
            o->names = (const char *)address(o, value);
        else if (dynamic->d_tag == DT_JMPREL)
            o->tables[0] = (const ElfW(Rela) *)address(o, value);
        else if (dynamic->d_tag == DT_PLTRELSZ)
            o->bytes[0] = value;
        else if (dynamic->d_tag == DT_RELA)
            o->tables[1] = (const ElfW(Rela) *)address(o, value);
        else if (dynamic->d_tag == DT_RELASZ)
            o->bytes[1] = value;
    }
}

static struct object object_of(const struct dl_phdr_info *info)
{
    struct object o = {.base = info->dlpi_addr, .start = UINTPTR_MAX};
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const uintptr_t start = o.base + part->p_vaddr, end = start + part->p_memsz;
        if (part->p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)start;
        if (part->p_type == PT_GNU_RELRO) { /* whole pages, as the loader does it */
            o.closed = umsim_round_down(start, UMSIM_HOST_PAGE);
            o.closed_end = umsim_round_down(end, UMSIM_HOST_PAGE);
        }
        if (part->p_type == PT_LOAD && start < o.start)
            o.start = start;
        if (part->p_type == PT_LOAD && end > o.end)
            o.end = end;
    }
    if (dynamic)
        read_dynamic(&o, dynamic);
    return o;
}

static bool holds(const struct object *o, uintptr_t p)
{
    return p >= o->start && p < o->end;
}

static int by_address(const void *a, const void *b)
{
    const uintptr_t x = ((const struct pair *)a)->real, y = ((const struct pair *)b)->real;
    return (x > y) - (x < y);
}

static const struct pair *pair_of_address(uintptr_t real)
{
    const struct pair key = {.real = real};
    return bsearch(&key, pairs, pair_count, sizeof pairs[0], by_address);
}

/* For an entry that is not yet filled: what the loader would put there. */
static const struct pair *pair_of_name(const char *name)
{
    for (size_t i = 0; i < pair_count; i++)
        if (strcmp(pairs[i].name, name) == 0)
            return pairs[i].is_found ? &pairs[i] : NULL;
    return NULL;
}

static bool is_writable(struct object *o, uintptr_t entry)
{
    if (entry < o->closed || entry >= o->closed_end)
        return true;
    if (!o->opened && !o->refused) {
        o->opened = mprotect((void *)o->closed, o->closed_end - o->closed, PROT_READ | PROT_WRITE) == 0;
        o->refused = !o->opened;
    }
    return o->opened;
}

static void replace_entry(struct object *o, const ElfW(Rela) * relocation)
{
    const unsigned type = ELF64_R_TYPE(relocation->r_info);
    if (!IS_JUMP(type) && !IS_DATA(type))
        return;
    uintptr_t *entry = (uintptr_t *)(o->base + relocation->r_offset);
    const ElfW(Sym) *symbol = &o->symbols[ELF64_R_SYM(relocation->r_info)];
    const struct pair *pair = pair_of_address(*entry);
    if (!pair && IS_JUMP(type) && symbol->st_shndx == SHN_UNDEF && holds(o, *entry))
        pair = pair_of_name(o->names + symbol->st_name);
    if (pair && is_writable(o, (uintptr_t)entry))
        __atomic_store_n(entry, pair->wrapper, __ATOMIC_RELAXED);
}

static void replace_in(struct object *o)
{
    for (int i = 0; i < 2 && o->symbols && o->names; i++)
        for (size_t k = 0; o->tables[i] && k < o->bytes[i] / sizeof(ElfW(Rela)); k++)
            replace_entry(o, &o->tables[i][k]);
    if (o->opened)
        mprotect((void *)o->closed, o->closed_end - o->closed, PROT_READ);
}

/* ---- all objects ---- */

static bool was_seen(const ElfW(Phdr) * headers)
{
    for (size_t i = 0; i < seen_count; i++)
        if (seen[i] == headers)
            return true;
    if (seen_count < OBJECTS_MAX)
        seen[seen_count++] = headers;
    return false;
}

static int consider(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (info->dlpi_subs != removed) /* others may have come to their addresses */
        seen_count = 0;
    removed = info->dlpi_subs;
    if (was_seen(info->dlpi_phdr))
        return 0;
    struct object o = object_of(info);
    const bool is_ours = holds(&o, (uintptr_t)umsim_rebind);
    const bool is_libc = holds(&o, (uintptr_t)umsim_libc_function(UMSIM_LIBC_read));
    const bool is_the_systems = o.base == getauxval(AT_BASE) || o.base == getauxval(AT_SYSINFO_EHDR);
    if (!is_ours && !is_libc && !is_the_systems)
        replace_in(&o);
    return 0;
}

/* ---- the pairs ---- */

/* Whether the object with this code has a search path of its own. */
static bool has_path(const void *code)
{
    Dl_info info;
    struct link_map *object = NULL;
    if (!dladdr1(code, &info, (void **)&object, RTLD_DL_LINKMAP) || !object)
        return true;
    for (const ElfW(Dyn) *dynamic = object->l_ld; dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == DT_RUNPATH || dynamic->d_tag == DT_RPATH)
            return true;
    return false;
}

/* A library that comes later finds the C library's functions again. Where the loader has to know who calls,
 * because a name without a slash is searched for in the caller's own path, its function is jumped to, so that
 * it sees the caller and not this function. The new library is then looked at by the next CUDA call. */
static void *open_library(const char *name, int mode)
{
    const bool is_plain = !name || (strchr(name, '/') && !strchr(name, '$'));
    if (!is_plain && has_path(__builtin_return_address(0))) {
        atomic_store(&later, true);
        return dlopen(name, mode);
    }
    void *handle = dlopen(name, mode);
    umsim_rebind();
    return handle;
}

static void add_pair(const char *name, void *real, void *wrapper)
{
    if (real && wrapper && real != wrapper)
        pairs[pair_count++] =
            (struct pair){(uintptr_t)real, (uintptr_t)wrapper, name, dlsym(RTLD_DEFAULT, name) == real};
}

/* If the C library's names come first, this library stays for good: its addresses will be everywhere. */
static bool is_needed(void)
{
    Dl_info self;
    void *handle = NULL;
    if (dlsym(RTLD_DEFAULT, "read") != (void *)(uintptr_t)umsim_libc_function(UMSIM_LIBC_read))
        return false;
    if (dladdr((void *)(uintptr_t)umsim_rebind, &self) && self.dli_fname)
        handle = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (!handle)
        return false;
    umsim_libc_find_all();
    for (int id = 0; id < UMSIM_LIBC_CALLS; id++)
        if (umsim_libc_call[id].name)
            add_pair(umsim_libc_call[id].name, (void *)(uintptr_t)umsim_libc_function((enum umsim_libc_id)id),
                     dlsym(handle, umsim_libc_call[id].name));
    add_pair("dlopen", (void *)(uintptr_t)dlopen, (void *)(uintptr_t)open_library);
    qsort(pairs, pair_count, sizeof pairs[0], by_address);
    dlclose(handle);
    return true;
}

void umsim_rebind(void)
{
    pthread_mutex_lock(&mutex);
    if (state == UNDECIDED)
        state = is_needed() ? ON : OFF;
    if (state == ON) {
        atomic_store(&later, false);
        dl_iterate_phdr(consider, NULL);
    }
    pthread_mutex_unlock(&mutex);
}

void umsim_rebind_later_ones(void)
{
    if (atomic_load_explicit(&later, memory_order_relaxed))
        umsim_rebind();
}

__attribute__((constructor)) static void at_start(void)
{
    umsim_rebind();
}
