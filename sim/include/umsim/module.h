/**
 * @file umsim/module.h
 * @brief The sections of device-side variables, in every object file that umcc makes. Part of umsim/device.h;
 * students do not include this file.
 *
 * The simulator puts shared memory in the place of these sections and takes the host's access to it away,
 * page by page. So each has to begin on a page, and nothing else may stand on its last one. The first page of
 * each is here, and what stands behind them: every object file has both, and the linker keeps one of each, in
 * the order in which they stand here, whoever calls it: umcc, or a Makefile's g++ with -lcudart. A section of
 * one page holds no variable.
 */
#ifndef UMSIM_MODULE_H
#define UMSIM_MODULE_H

#include "umsim/abi.h"

#define UMSIM_PAD(section)                                                                                   \
    ".pushsection " section ",\"awG\",@progbits," section "_pad,comdat\n\t"                                  \
    ".balign 4096\n\t"                                                                                       \
    ".zero 4096\n\t"                                                                                         \
    ".popsection\n\t"
__asm__(UMSIM_PAD("um_managed") UMSIM_PAD("um_device") UMSIM_PAD("um_constant") UMSIM_PAD("um_end"));
#undef UMSIM_PAD

/* The linker names a section's ends so. */
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

/** Before the program's own constructors, which may use CUDA; 100 and below are the compiler's. */
__attribute__((__constructor__(101))) void open_module()
{
    umsim_register_module(&this_module);
}
__attribute__((__destructor__(101))) void close_module()
{
    umsim_unregister_module(&this_module);
}
} // namespace
} // namespace umsim

#endif
