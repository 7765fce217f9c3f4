/**
 * @file umsim/image_text.h
 * @brief A module as text, for programs that take compiled code for a text: what libnvrtc calls PTX.
 *
 *     //umlab module 1 BYTES
 *     //BASE64
 *
 * with a NUL behind. To whoever reads it as PTX it is two comments. Shared by libnvrtc and the library;
 * programs do not include this file.
 */
#ifndef UMSIM_IMAGE_TEXT_H
#define UMSIM_IMAGE_TEXT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UMSIM_IMAGE_TEXT "//umlab module 1 "
#define UMSIM_IMAGE_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** @return the text, to be freed; NULL: no memory */
static inline char *umsim_image_to_text(const void *__image, size_t __bytes)
{
    const unsigned char *__from = (const unsigned char *)__image;
    char *__text = (char *)malloc(64 + (__bytes + 2) / 3 * 4);
    if (!__text)
        return NULL;
    char *__to = __text + sprintf(__text, UMSIM_IMAGE_TEXT "%zu\n//", __bytes);
    for (size_t __i = 0; __i < __bytes; __i += 3) {
        uint32_t __three = 0;
        for (size_t __k = __i; __k < __i + 3; __k++)
            __three = __three << 8 | (__k < __bytes ? __from[__k] : 0);
        for (int __shift = 18; __shift >= 0; __shift -= 6)
            *__to++ = UMSIM_IMAGE_DIGITS[__three >> __shift & 63];
    }
    strcpy(__to, "\n");
    return __text;
}

/**
 * Reads the first line.
 * @param __text ends with a NUL, or with the first line's end
 * @param[out] __bytes of the module
 * @return of the text, those before the module's; 0: it is no such text
 */
static inline size_t umsim_image_text_begins(const char *__text, size_t *__bytes)
{
    int __length = 0;
    if (sscanf(__text, UMSIM_IMAGE_TEXT "%zu\n//%n", __bytes, &__length) != 1 || __length <= 0)
        return 0;
    return (size_t)__length;
}

/** @return characters of a module of so many bytes */
static inline size_t umsim_image_text_digits(size_t __bytes)
{
    return (__bytes + 2) / 3 * 4;
}

/** @param __out umsim_image_text_digits(bytes) / 4 * 3 bytes @return whether all were digits */
static inline int umsim_image_from_text(const char *__digits, size_t __count, unsigned char *__out)
{
    for (size_t __i = 0; __i + 4 <= __count; __i += 4) {
        uint32_t __three = 0;
        for (size_t __k = __i; __k < __i + 4; __k++) {
            const char *__at = __digits[__k] ? strchr(UMSIM_IMAGE_DIGITS, __digits[__k]) : NULL;
            if (!__at)
                return 0;
            __three = __three << 6 | (uint32_t)(__at - UMSIM_IMAGE_DIGITS);
        }
        for (int __shift = 16; __shift >= 0; __shift -= 8)
            *__out++ = (unsigned char)(__three >> __shift);
    }
    return 1;
}

#endif
