/**
 * @file um_first.c
 * @brief Linked first into every program and library that umcc makes: opens the sections of device-side
 * variables.
 *
 * The simulator puts shared memory in their place and takes the host's access to it away, page by page. So
 * they have to begin and end on pages: here stands the first page of each, in um_last.c the last one; a
 * section of just these two pages holds no variable. The linker orders a section's parts as it gets the
 * object files, and names its ends __start_ and __stop_.
 */
#include "umsim_abi.h"

#define FIRST_OF(name) __attribute__((section(name), used, aligned(4096))) static char
FIRST_OF("um_managed") first_managed[4096];
FIRST_OF("um_device") first_device[4096];
FIRST_OF("um_constant") first_constant[4096];

#define END_OF_SECTION extern char __attribute__((visibility("hidden")))
END_OF_SECTION __start_um_managed[], __stop_um_managed[];
END_OF_SECTION __start_um_device[], __stop_um_device[];
END_OF_SECTION __start_um_constant[], __stop_um_constant[];

static const struct umsim_module module = {
    __start_um_managed, __stop_um_managed,   __start_um_device,
    __stop_um_device,   __start_um_constant, __stop_um_constant,
};

/* Before the program's own constructors, which may use CUDA; 100 and below are the compiler's. */
__attribute__((constructor(101))) static void register_module(void)
{
    umsim_register_module(&module);
}

__attribute__((destructor(101))) static void unregister_module(void)
{
    umsim_unregister_module(&module);
}
