/**
 * @file pointer.c
 * @brief What is known about an address.
 */
#include "behaviour.h"

#include <stdio.h>
#include <string.h>

static CUcontext context;

/* One line for each attribute of one pointer; addresses are told by what they are. */
static void ask(const char *what, CUdeviceptr p, CUdeviceptr base)
{
    char name[96];
    unsigned type = 77;
    int n = 77;
    void *pointer = (void *)77;
    CUdeviceptr address = 77;
    size_t bytes = 77;
    CUcontext its = NULL;
    CUmemoryPool pool = NULL;
#define ATTRIBUTE(word, attribute, place, format, ...)                                                       \
    snprintf(name, sizeof name, "%s: %s", what, word);                                                       \
    do {                                                                                                     \
        const CUresult result_ = cuPointerGetAttribute(place, attribute, p);                                 \
        if (result_)                                                                                         \
            RETURNS(name, result_);                                                                          \
        else                                                                                                 \
            answer(name, format, __VA_ARGS__);                                                               \
    } while (0)
    ATTRIBUTE("type", CU_POINTER_ATTRIBUTE_MEMORY_TYPE, &type, "%u", type);
    ATTRIBUTE("context", CU_POINTER_ATTRIBUTE_CONTEXT, &its, "%s",
              its == context ? "the current one"
              : !its         ? "none"
                             : "another");
    ATTRIBUTE("device pointer", CU_POINTER_ATTRIBUTE_DEVICE_POINTER, &address, "%s",
              address == p ? "the same" : "another");
    ATTRIBUTE("host pointer", CU_POINTER_ATTRIBUTE_HOST_POINTER, &pointer, "%s",
              pointer == (void *)(size_t)p ? "the same" : "another");
    ATTRIBUTE("managed", CU_POINTER_ATTRIBUTE_IS_MANAGED, &n, "%d", n & 0xff);
    ATTRIBUTE("device", CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, &n, "%d", n);
    ATTRIBUTE("range start", CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, &address, "%s",
              address == base ? "the allocation's" : "another");
    ATTRIBUTE("range size", CU_POINTER_ATTRIBUTE_RANGE_SIZE, &bytes, "%zu", bytes);
    ATTRIBUTE("mapped", CU_POINTER_ATTRIBUTE_MAPPED, &n, "%d", n & 0xff);
    ATTRIBUTE("pool", CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, &pool, "%s", pool ? "one" : "none");
    ATTRIBUTE("access", CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, &type, "%u", type);
}

static void each_kind_of_memory_is_told(void)
{
    CUdeviceptr device, managed, pooled;
    void *pinned;
    static char own[8192] __attribute__((aligned(4096)));
    context = in_a_context();
    NEED(cuMemAlloc(&device, 4096));
    NEED(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    NEED(cuMemAllocHost(&pinned, 4096));
    NEED(cuMemAllocAsync(&pooled, 4096, 0));
    NEED(cuCtxSynchronize());
    ask("pointer to device memory", device, device);
    ask("pointer into device memory", device + 100, device);
    ask("pointer to managed memory", managed, managed);
    ask("pointer to pinned memory", (CUdeviceptr)(size_t)pinned, (CUdeviceptr)(size_t)pinned);
    ask("pointer to a pool's memory", pooled, pooled);
    ask("pointer to the program's memory", (CUdeviceptr)(size_t)own, 0);
    NEED(cuMemHostRegister(own, sizeof own, 0));
    ask("pointer to registered memory", (CUdeviceptr)(size_t)own, (CUdeviceptr)(size_t)own);
    NEED(cuMemFree(device));
    ask("pointer 0", 0, 0);
}

static void several_are_asked_at_once(void)
{
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    unsigned type = 77;
    CUdeviceptr p, address = 77;
    int device = 77, own;
    void *places[] = {&type, &address, &device};
    in_a_context();
    NEED(cuMemAlloc(&p, 4096));
    RETURNS("cuPointerGetAttributes: device memory", cuPointerGetAttributes(3, attributes, places, p));
    answer("cuPointerGetAttributes: device memory: which", "%u %d %d", type, address == p, device);
    RETURNS("cuPointerGetAttributes: a stack",
            cuPointerGetAttributes(3, attributes, places, (CUdeviceptr)(size_t)&own));
    answer("cuPointerGetAttributes: a stack: which", "%u %d %d", type, address == 0, device);
    RETURNS("cuPointerGetAttributes: 0 of them", cuPointerGetAttributes(0, attributes, places, p));
    RETURNS("cuPointerGetAttributes(NULL)", cuPointerGetAttributes(3, NULL, places, p));
    RETURNS("cuPointerGetAttributes: no places", cuPointerGetAttributes(3, attributes, NULL, p));
    attributes[1] = (CUpointer_attribute)1000;
    RETURNS("cuPointerGetAttributes: attribute 1000", cuPointerGetAttributes(3, attributes, places, p));
    RETURNS("cuPointerGetAttribute: attribute 0", cuPointerGetAttribute(&type, (CUpointer_attribute)0, p));
    RETURNS("cuPointerGetAttribute: attribute 1000",
            cuPointerGetAttribute(&type, (CUpointer_attribute)1000, p));
    RETURNS("cuPointerGetAttribute(NULL)", cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    device = 1;
    RETURNS("cuPointerSetAttribute: sync memops",
            cuPointerSetAttribute(&device, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p));
    NEED(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p));
    answer("cuPointerSetAttribute: sync memops: then", "%d", device & 0xff);
    RETURNS("cuPointerSetAttribute: memory type",
            cuPointerSetAttribute(&device, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    RETURNS("cuPointerSetAttribute: a stack",
            cuPointerSetAttribute(&device, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)(size_t)&own));
    RETURNS("cuPointerSetAttribute(NULL)", cuPointerSetAttribute(NULL, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p));
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour pointer_behaviours[] = {
    RUN(each_kind_of_memory_is_told), RUN(several_are_asked_at_once), {NULL, NULL}};
