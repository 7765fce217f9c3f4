/**
 * @file python_place.c
 * @brief Asks the interpreter for the calling thread's frames (python_place.h).
 *
 * The functions are found by name once. Texts of places are kept in a table that is never emptied:
 * allocations and launches point into it. When it is full, further places are not told.
 */
#include "python_place.h"
#include "processes.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Python's, declared as Python.h does; PyObject and its kind are opaque here. */
typedef struct py_object py_object;
static struct {
    int (*is_initialized)(void);
    py_object *(*own_thread)(void); /* PyThreadState */
    int (*lock)(void);              /* PyGILState_STATE */
    void (*unlock)(int);
    py_object *(*frame)(py_object *thread);
    py_object *(*code)(py_object *frame);
    py_object *(*back)(py_object *frame);
    int (*line)(py_object *frame);
    py_object *(*attribute)(py_object *object, const char *name);
    const char *(*text)(py_object *unicode);
    void (*release)(py_object *object);
} python;
static const struct {
    const char *name;
    void *to;
} functions[] = {
    {"Py_IsInitialized", &python.is_initialized},
    {"PyGILState_GetThisThreadState", &python.own_thread},
    {"PyGILState_Ensure", &python.lock},
    {"PyGILState_Release", &python.unlock},
    {"PyThreadState_GetFrame", &python.frame},
    {"PyFrame_GetCode", &python.code},
    {"PyFrame_GetBack", &python.back},
    {"PyFrame_GetLineNumber", &python.line},
    {"PyObject_GetAttrString", &python.attribute},
    {"PyUnicode_AsUTF8", &python.text},
    {"Py_DecRef", &python.release},
};
static bool is_there; /* all of them: Python 3.9 and later */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- the texts ---- */

#define TABLE_BYTES (1u << 20)
#define BUCKETS 1024
#define PLACE_MAX 256 /* bytes of a text */

struct place {
    struct place *next;
    char text[];
};
static char *table; /* private memory: the GPU process has no use for it */
/* No lock: a child of fork() might find it taken. Two threads may keep the same text twice. */
static _Atomic size_t used;
static _Atomic(struct place *) buckets[BUCKETS];

static void look_for_python(void)
{
    bool all = true;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *const found = dlsym(RTLD_DEFAULT, functions[i].name);
        memcpy(functions[i].to, &found, sizeof found);
        all &= found != NULL;
    }
    if (all)
        table = mmap(NULL, TABLE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    is_there = all && table != MAP_FAILED;
}

static struct place *make(_Atomic(struct place *) *bucket, const char *text)
{
    const size_t bytes = (sizeof(struct place) + strlen(text) + 1 + 7) & ~(size_t)7;
    const size_t at =
        atomic_load(&used) < TABLE_BYTES - PLACE_MAX ? atomic_fetch_add(&used, bytes) : TABLE_BYTES;
    if (at > TABLE_BYTES - bytes)
        return NULL;
    struct place *it = (struct place *)(void *)(table + at);
    strcpy(it->text, text);
    it->next = atomic_load(bucket);
    while (!atomic_compare_exchange_weak(bucket, &it->next, it))
        ;
    return it;
}

/* The kept text that is like `text`. */
static const void *keep(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    _Atomic(struct place *) *const bucket = &buckets[hash % BUCKETS];
    struct place *it = atomic_load(bucket);
    while (it && strcmp(it->text, text) != 0)
        it = it->next;
    if (!it)
        it = make(bucket, text);
    return it ? it->text : NULL;
}

const char *umsim_python_place_text(const void *place)
{
    return is_there && (uintptr_t)place - (uintptr_t)table < TABLE_BYTES ? place : NULL;
}

/* ---- the frames ---- */

/* How much a file is the program's own. */
enum kind { A_PACKAGES, A_TEXT, A_PROGRAMS };

/* Whether a file is in one of the interpreter's folders of installed packages and of the standard library.
 * umpython has asked the interpreter where those are: a list like PATH's. */
static bool is_installed(const char *file)
{
    for (const char *at = getenv("UMLAB_PYTHON_LIBRARIES"); at && *at;) {
        const size_t length = strcspn(at, ":");
        if (length && strncmp(file, at, length) == 0 && file[length] == '/')
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* What is in no file is "<string>", "<stdin>", and of the interpreter's own "<frozen ...>". */
static enum kind kind_of(const char *file)
{
    if (strncmp(file, "<frozen", 7) == 0 || is_installed(file))
        return A_PACKAGES;
    return file[0] == '<' ? A_TEXT : A_PROGRAMS;
}

/* Writes "file:line" of a frame. */
static enum kind describe(py_object *frame, char *out, size_t size)
{
    py_object *const code = python.code(frame);
    py_object *const name = python.attribute(code, "co_filename");
    const char *const file = name ? python.text(name) : NULL;
    const enum kind kind = file ? kind_of(file) : A_PACKAGES;
    const char *const last = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    snprintf(out, size, "%s:%d", last ? last : "?", python.line(frame));
    if (name)
        python.release(name);
    python.release(code);
    return kind;
}

/* The innermost frame of the kind that is the program's most. */
static const void *innermost(py_object *frame)
{
    char best[PLACE_MAX], text[PLACE_MAX];
    int found = -1;
    while (frame && found < A_PROGRAMS) {
        const int kind = (int)describe(frame, text, sizeof text);
        if (kind > found)
            memcpy(best, text, sizeof best);
        found = kind > found ? kind : found;
        py_object *const outer = python.back(frame);
        python.release(frame);
        frame = outer;
    }
    if (frame)
        python.release(frame);
    return found < 0 ? NULL : keep(best);
}

const void *umsim_python_place(void)
{
    pthread_once(&once, look_for_python);
    if (!is_there || umsim_in_child() ||
        !python.is_initialized()) /* a child's interpreter may be locked for good */
        return NULL;
    py_object *const thread = python.own_thread();
    if (!thread) /* one that is not Python's: it has nothing to tell */
        return NULL;
    const int state = python.lock();
    const void *const place = innermost(python.frame(thread));
    python.unlock(state);
    return place;
}
