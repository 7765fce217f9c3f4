/**
 * @file um_last.c
 * @brief Linked last into every program and library that umcc makes: closes the sections that um_first.c
 * opens, on a page's end.
 */
#define LAST_OF(name) __attribute__((section(name), used, aligned(4096))) static char
LAST_OF("um_managed") last_managed[4096];
LAST_OF("um_device") last_device[4096];
LAST_OF("um_constant") last_constant[4096];
