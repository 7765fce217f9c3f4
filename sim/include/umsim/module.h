/**
 * @file umsim/module.h
 * @brief The sections of device-side variables, in every object file that umcc makes.
 *
 * Part of umsim/device.h; students do not include this file.
 *
 * The simulator replaces these sections by shared memory, and removes the host's access to it page by page.
 * So each section has to begin on a page boundary, and nothing else may share its last page. The first page
 * of each section is defined here, and so is what follows the sections. Every object file has both, and the
 * linker keeps one of each, in the order in which they stand here, whether umcc or a Makefile's g++ with
 * -lcudart calls it. A section of one page holds no variable.
 */
#ifndef UMSIM_MODULE_H
#define UMSIM_MODULE_H

#include "umsim/abi.h"
#include "umsim/page.h"

#define UMSIM_PAD(section)                                                                                   \
    ".pushsection " section ",\"awG\",@progbits," section "_pad,comdat\n\t"                                  \
    ".balign " UMSIM_TEXT_OF_PAGE(UMSIM_PAGE_BYTES) "\n\t"                                                   \
                                                    ".zero " UMSIM_TEXT_OF_PAGE(                             \
                                                        UMSIM_PAGE_BYTES) "\n\t"                             \
                                                                          ".popsection\n\t"
__asm__(UMSIM_PAD("um_managed") UMSIM_PAD("um_device") UMSIM_PAD("um_constant") UMSIM_PAD("um_end"));
#undef UMSIM_PAD

/* The linker defines these names for a section's start and end. */
extern "C" {
#define UMSIM_END_OF_SECTION extern char __attribute__((__visibility__("hidden")))
UMSIM_END_OF_SECTION __start_um_managed[], __stop_um_managed[];
UMSIM_END_OF_SECTION __start_um_device[], __stop_um_device[];
UMSIM_END_OF_SECTION __start_um_constant[], __stop_um_constant[];
UMSIM_END_OF_SECTION __start_um_end[];
#undef UMSIM_END_OF_SECTION
}

namespace umsim
{
namespace
{
const umsim_module this_module = {__start_um_managed, __stop_um_managed,   __start_um_device,
                                  __stop_um_device,   __start_um_constant, __stop_um_constant,
                                  __start_um_end};

inline void open_module()
{
    umsim_register_module_of_pages(&this_module);
}
inline void close_module()
{
    umsim_unregister_module(&this_module);
}

/* Before the program's own constructors, which may use CUDA; 100 and below are the compiler's. In a header
 * that was compiled beforehand g++ forgets a constructor's priority, but not a section. */
#define UMSIM_AT(section) __attribute__((__section__(section), __used__))
UMSIM_AT(".init_array.00101") void (*opens_module)() = open_module;
UMSIM_AT(".fini_array.00101") void (*closes_module)() = close_module;
#undef UMSIM_AT
} // namespace
} // namespace umsim

#endif
