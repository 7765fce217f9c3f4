/**
 * @file modules.h
 * @brief The device-side variables of executables and libraries: __device__, __constant__ and __managed__.
 *
 * umcc puts these variables into separate sections, on separate pages. When the simulator starts, or when a
 * library with such variables is opened later, each section is replaced by shared memory with the same
 * contents. The address stays the same; the protections become those of the kind of variable.
 */
#ifndef UMSIM_MODULES_H
#define UMSIM_MODULES_H

#include "registry.h"
#include "../base/library.h"
#include "../include/umsim/abi.h"

/** Replaces all sections that are not shared yet by shared memory. @return whether there were any */
bool umsim_modules_adopt(void);

/** A module's object file says that its library is being closed. @return whether the module is gone now, and
 * has to be given back */
bool umsim_module_closes(const struct umsim_module *module);

/** Gives back all that one of the modules has which are gone: places in tables, shared memory, kernels.
 * Nothing may be queued. @param library receives which one it was @return whether there was one */
bool umsim_modules_give_back(struct umsim_library *library);

/** Where the host finds a `__device__` or `__constant__` variable of a device, by its symbol's address: in
 * that device's memory where there are several devices, else there. Any other address stays as it is. */
void *umsim_variable_on(unsigned device, const void *symbol);

/** The size of the device variable that begins at `variable`; 0 when no such variable is known (one of a
 * template, for example). */
size_t umsim_variable_bytes(const void *variable);

/** A library's variable of this name. @param[out] bytes its size @return NULL: it has none */
const void *umsim_variable_named(const struct umsim_library *library, const char *name, size_t *bytes);

/** Whether modules came or went since the GPU process was forked, so that it does not know of them. */
bool umsim_modules_changed(void);
void umsim_modules_seen(void);

/** The thunk of a kernel's stub, or NULL when the stub is not a kernel's. @param name may be NULL */
umsim_thunk_fn umsim_kernel_thunk(const void *stub, const char **name);

/** How the parameters of a kernel's stub lie. @return false: not known */
bool umsim_kernel_parameters(const void *stub, const struct umsim_parameter **list, unsigned *count);

/** What a kernel's text asks for and says. All 0: not known. */
struct umsim_sizes umsim_kernel_sizes(const void *stub);

/** The stubs of a library's kernels, as many as there is room for. @return how many it has */
unsigned umsim_kernels_of(const struct umsim_library *library, const void **stubs, unsigned capacity);

/** Calls `visit` for each kernel's stub. No stub is registered meanwhile. */
void umsim_kernels_each(void (*visit)(const void *stub));

#endif
