/**
 * @file nvjitlink.c
 * @brief A libnvJitLink without functions: packages that look for one find that it cannot link, and have the
 * driver link.
 *
 * NVIDIA's library links what NVIDIA's compilers make, into machine code. numba-cuda and cuda.core ask for a
 * function that tells its version, take a library without it for an old one, and hand their modules to
 * cuLinkAddData() (sim/driver/link.c).
 */

/** C wants a declaration in each file. */
extern int umsim_nothing;
