/**
 * @file bits.h
 * @brief How half_bits.cpp and fp8_bits.cpp tell what functions give: a number for each function.
 */
#ifndef PARITY_BITS_H
#define PARITY_BITS_H

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

static const char *wanted;
static uint64_t hash;

static void start()
{
    hash = 14695981039346656037u;
}
static void add(const char *name, uint64_t a, uint64_t b, uint64_t result)
{
    hash = (hash ^ result) * 1099511628211u;
    if (wanted && strcmp(wanted, name) == 0)
        printf("%llx %llx: %llx\n", (unsigned long long)a, (unsigned long long)b, (unsigned long long)result);
}
static void stop(const char *name)
{
    if (!wanted)
        printf("%s %016llx\n", name, (unsigned long long)hash);
}

/* The bits of a result, whatever its type. */
template <class T> static uint64_t bits(T value)
{
    uint64_t result = 0;
    memcpy(&result, &value, sizeof value);
    return result;
}

static uint32_t random_state = 1;
static uint32_t next_random()
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* All floats that lie at or beside a number of 16 bits or a tie, and others. */
template <class Function> static void floats(const char *name, Function function)
{
    start();
    random_state = 3;
    for (uint32_t high = 0; high < 65536; high++)
        for (uint32_t low : {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x2fffu, 0x3000u, 0x7fffu, 0x8000u, 0x8001u,
                             0xffffu, next_random() & 0xffff}) {
            const uint32_t word = high << 16 | low;
            float x;
            memcpy(&x, &word, sizeof x);
            add(name, word, 0, function(x));
        }
    stop(name);
}

template <class I, class Function> static void integers(const char *name, Function function)
{
    start();
    random_state = 4;
    for (int i = 0; i < 400000; i++) {
        uint64_t x = (uint64_t)next_random() << 40 ^ (uint64_t)next_random() << 20 ^ next_random();
        x >>= next_random() % 64;
        if (next_random() % 4 == 0)
            x = ~x + next_random() % 3;
        if (next_random() % 4 == 0)
            x &= ~0ull << next_random() % 64;
        add(name, x, 0, function((I)x));
    }
    stop(name);
}

#endif
