/**
 * @file other_malloc.c
 * @brief Another malloc for a program, linked or by LD_PRELOAD, as jemalloc is: each size has lists of its
 * own, memory comes from mmap() in chunks, and what is freed is overwritten.
 */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { CLASSES = 48, HEAD = 16, CHUNK = 1 << 20 };

/* In front of each piece: its class, and where the piece began before it was aligned. */
struct head {
    uint32_t class;
    uint32_t shift;
    uint64_t mark;
};
static const uint64_t MARK = 0x756d6c61622d6f74;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* What a freed piece holds. */
struct freed {
    struct freed *next;
};
static struct freed *lists[CLASSES];
static char *chunk;
static size_t left;

static size_t size_of_class(unsigned class)
{
    return (size_t)32 << class;
}

static void *new_piece(unsigned class)
{
    const size_t bytes = size_of_class(class);
    if (bytes >= CHUNK) {
        void *own = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return own == MAP_FAILED ? NULL : own;
    }
    if (left < bytes) {
        void *more = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED)
            return NULL;
        chunk = more, left = CHUNK;
    }
    void *piece = chunk;
    chunk += bytes, left -= bytes;
    return piece;
}

static void *allocate(size_t alignment, size_t bytes)
{
    const size_t whole = bytes + HEAD + (alignment > HEAD ? alignment : 0);
    unsigned class = 0;
    if (whole < bytes || whole > (size_t)1 << 40) {
        errno = ENOMEM;
        return NULL;
    }
    while (size_of_class(class) < whole)
        class ++;
    pthread_mutex_lock(&lock);
    char *piece = (char *)lists[class];
    if (piece)
        lists[class] = ((struct freed *)(void *)piece)->next;
    else
        piece = new_piece(class);
    pthread_mutex_unlock(&lock);
    if (!piece) {
        errno = ENOMEM;
        return NULL;
    }
    char *p = piece + HEAD;
    if (alignment > HEAD)
        p = (char *)(((uintptr_t)p + alignment - 1) & ~(uintptr_t)(alignment - 1));
    *(struct head *)(void *)(p - HEAD) = (struct head){class, (uint32_t)(p - piece), MARK};
    return p;
}

void *malloc(size_t bytes)
{
    return allocate(HEAD, bytes);
}

void free(void *p)
{
    if (!p)
        return;
    const struct head head = *(struct head *)(void *)((char *)p - HEAD);
    if (head.mark != MARK)
        __builtin_trap(); /* not a piece of ours */
    char *piece = (char *)p - head.shift;
    const size_t bytes = size_of_class(head.class);
    if (bytes >= CHUNK) {
        munmap(piece, bytes);
        return;
    }
    memset(piece, 0xa5, bytes);
    pthread_mutex_lock(&lock);
    ((struct freed *)(void *)piece)->next = lists[head.class];
    lists[head.class] = (struct freed *)(void *)piece;
    pthread_mutex_unlock(&lock);
}

void *calloc(size_t count, size_t bytes)
{
    size_t whole;
    if (__builtin_mul_overflow(count, bytes, &whole)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = malloc(whole);
    if (p)
        memset(p, 0, whole);
    return p;
}

void *realloc(void *p, size_t bytes)
{
    void *other = malloc(bytes);
    if (!p || !other)
        return other;
    const struct head head = *(struct head *)(void *)((char *)p - HEAD);
    const size_t had = size_of_class(head.class) - head.shift;
    memcpy(other, p, had < bytes ? had : bytes);
    free(p);
    return other;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return allocate(alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    return allocate(alignment, bytes);
}

int posix_memalign(void **p, size_t alignment, size_t bytes)
{
    *p = allocate(alignment, bytes);
    return *p ? 0 : ENOMEM;
}

size_t malloc_usable_size(void *p)
{
    if (!p)
        return 0;
    const struct head head = *(struct head *)(void *)((char *)p - HEAD);
    return size_of_class(head.class) - head.shift;
}
