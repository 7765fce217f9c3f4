/**
 * @file um_address.h
 * @brief Prints addresses as text that is the same in every run.
 *
 * Linux places the heap and the stack elsewhere in each run, so a lab gives a name to the memory whose
 * addresses it prints:
 *
 *     um_address_name(h_a, bytes, "h_a");
 *     char text[UM_ADDRESS_TEXT];
 *     printf("%s\n", um_address_text(h_a + 4, text));     // <h_a+0x10>
 *
 * On sim, device, pinned and managed memory are at fixed addresses and print as plain numbers. On cuda every
 * address prints as a plain number: there the numbers are the lesson, and nothing repeats anyway.
 */
#ifndef UM_ADDRESS_H
#define UM_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

/** Room for one address as text. */
#define UM_ADDRESS_TEXT 64

/** Gives [base, base + bytes) a name, until um_address_forget(). At most 64 names; `name` is copied (31
 * characters). */
void um_address_name(const void *base, size_t bytes, const char *name);

/** Forgets the name given to `base`. */
void um_address_forget(const void *base);

/**
 * Writes `address` into `text` (UM_ADDRESS_TEXT bytes). NULL is "NULL". An address that repeats, and every
 * address on cuda, is a plain number. Any other address is `<name+0x10>` when it has a name; otherwise
 * `<heap>`, `<stack>`, `<program>` or `<mapped>`, after the mapping that holds it.
 * @return text
 */
const char *um_address_text(const void *address, char *text);

/**
 * Says what kind of memory `address` is, as CUDA sees it: "device", "pinned host", "managed", "not CUDA's"
 * (by cudaPointerGetAttributes()).
 * @return a string that lives as long as the program
 */
const char *um_memory_kind(const void *address);

#endif
