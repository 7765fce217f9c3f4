/**
 * @file umsim/image.h
 * @brief What umcc writes behind a module (--cubin, --fatbin), by which the library knows it as its own.
 *
 * A module is a shared object of x86-64. Its code runs in the program's process when it is loaded, so the
 * library takes none but what umcc has made: the last bytes say so, and a hash says that nothing has changed
 * since. Shared by umcc and the library; programs do not include this file.
 */
#ifndef UMSIM_IMAGE_H
#define UMSIM_IMAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define UMSIM_IMAGE_MAGIC "umlab module 1\n"

/** Follows the shared object's last byte, which is the end of its table of sections. */
struct umsim_image_end {
    char magic[16];
    uint64_t bytes;   /**< of the shared object */
    uint64_t hash[2]; /**< of these bytes */
};

/** FNV-1a in two lanes: no lock against forgery, but no changed bit goes unseen. */
static inline void umsim_image_hash(const void *__image, size_t __bytes, uint64_t __hash[2])
{
    const unsigned char *__at = (const unsigned char *)__image;
    const uint64_t __prime = 0x100000001b3u;
    __hash[0] = 0xcbf29ce484222325u;
    __hash[1] = 0x9ae16a3b2f90404fu;
    for (size_t __i = 0; __i < __bytes; __i++) {
        __hash[0] = (__hash[0] ^ __at[__i]) * __prime;
        __hash[1] = (__hash[1] ^ (unsigned char)(__at[__i] + (__i & 0xff))) * __prime;
    }
}

/** What umcc writes behind a shared object. */
static inline struct umsim_image_end umsim_image_end(const void *__image, size_t __bytes)
{
    struct umsim_image_end __end = {UMSIM_IMAGE_MAGIC, __bytes, {0, 0}};
    umsim_image_hash(__image, __bytes, __end.hash);
    return __end;
}

#endif
