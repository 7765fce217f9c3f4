/**
 * @file um_python.h
 * @brief Two callbacks of Python's that have to be C: a capsule's destructor, and a type's buffer slot.
 *
 * Python's functions are looked up in the running process, so libumlab.so does not need Python. Objects are
 * void pointers here. In a process without Python these functions do nothing.
 */
#ifndef UM_PYTHON_H
#define UM_PYTHON_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a capsule for a tensor of um_dlpack_export(), named as DLPack's consumers expect. If no consumer
 * takes the tensor, it ends with the capsule. The caller holds the interpreter's lock.
 * @return a new reference; NULL, with Python's error set, when there is no memory (the tensor is then
 * dropped)
 */
void *um_python_capsule(void *tensor, int versioned);

/**
 * Py_bf_getbuffer of a type whose objects have a method `_token()`. The object that `_token()` returns is
 * asked for its buffer, and is the exporter that the view holds. Exceptions of `_token()` are passed on.
 */
int um_python_getbuffer(void *self, void *view, int flags);

#ifdef __cplusplus
}
#endif
#endif
