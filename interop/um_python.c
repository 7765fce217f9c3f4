/**
 * @file um_python.c
 * @brief Implementation of um_python.h: Python's callbacks, which look up Python's functions when they need
 * them.
 */
#include "um_python.h"

#include "um_dlpack.h"

#include <dlfcn.h>
#include <stddef.h>

static const char *const capsule_names[] = {"dltensor", "dltensor_versioned"};

/* Puts the address of Python's `name` into the function pointer `*where`. */
static int find(void *where, const char *name)
{
    *(void **)where = dlsym(RTLD_DEFAULT, name);
    return *(void **)where ? 1 : 0;
}

/* A consumer that took the tensor has renamed the capsule, so the capsule no longer has one of these
 * names. */
static void drop_capsule(void *capsule)
{
    int (*is_valid)(void *, const char *);
    void *(*get)(void *, const char *);
    if (!find(&is_valid, "PyCapsule_IsValid") || !find(&get, "PyCapsule_GetPointer"))
        return;
    for (int versioned = 0; versioned < 2; versioned++) {
        if (is_valid(capsule, capsule_names[versioned]))
            um_dlpack_drop(get(capsule, capsule_names[versioned]), versioned);
    }
}

void *um_python_capsule(void *tensor, int versioned)
{
    void *(*make)(void *, const char *, void (*)(void *));
    void *capsule = NULL;
    if (find(&make, "PyCapsule_New"))
        capsule = make(tensor, capsule_names[versioned != 0], drop_capsule);
    if (!capsule)
        um_dlpack_drop(tensor, versioned);
    return capsule;
}

int um_python_getbuffer(void *self, void *view, int flags)
{
    void *(*call_method)(void *, const char *, const char *, ...);
    int (*get)(void *, void *, int);
    void (*let_go)(void *);
    void *token;
    int failed;
    ((void **)view)[1] = NULL; /* Py_buffer's obj: no object exports yet */
    if (!find(&call_method, "PyObject_CallMethod") || !find(&get, "PyObject_GetBuffer") ||
        !find(&let_go, "Py_DecRef"))
        return -1;
    token = call_method(self, "_token", NULL);
    if (!token)
        return -1;
    failed = get(token, view, flags);
    let_go(token); /* the view holds it now */
    return failed;
}
